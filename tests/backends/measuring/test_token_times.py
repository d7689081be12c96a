"""Times of a decoder token by token: which calls are made, and which are counted where."""

import numpy as np
import pytest

from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.token_times import (
    RowPlan,
    planned_rows,
    random_tokens,
    token_times,
)
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.report.run_spec import RunSpec

VOCABULARY = 50


class CountingDecoder:
    cache_bytes = 7

    def __init__(self):
        self.calls, self.tokens, self.begun = [], [], []

    def begin(self, capacity, batch=1):
        self.begun.append((capacity, batch))
        self.tokens = []

    def feed(self, ids, *, piece=0, report=lambda _: None):
        assert len(self.tokens) + ids.shape[1] <= self.begun[-1][0], "more than it has room for"
        self.calls.append((len(self.tokens), ids.shape[1]))
        self.tokens += ids[0].tolist()
        report(ids.shape[1])
        logits = np.zeros((ids.shape[0], VOCABULARY), np.float32)
        logits[:, (ids[:, -1] + 1) % VOCABULARY] = 1
        return logits

    def first_token(self, ids, piece=0, report=lambda _: None):
        return self.feed(ids, report=report).argmax(axis=1, keepdims=True), 0

    def step(self, ids):
        return self.feed(ids).argmax(axis=1, keepdims=True), 0

    def rewind(self, length):
        assert length <= len(self.tokens), "tokens that are gone cannot come back"
        self.tokens = self.tokens[:length]


def measured(spec, decoder, **more):
    plans = planned_rows(spec, **more)
    return token_times(
        decoder,
        plans,
        spec,
        lambda count, batch: random_tokens(count, batch, VOCABULARY),
        lambda *progress: None,
        CpuSpeedProbe(0, False),
        TurnTaker(),
        False,
    )


@pytest.mark.parametrize(
    ("spec", "prompt", "rows"),
    [
        (RunSpec(prompt_tokens=(8, 4)), 0, [(4, 1, True, False), (8, 1, True, False)]),
        (RunSpec(new_tokens=3, contexts=(0, 8)), 0, [(0, 1, False, True), (8, 1, False, True)]),
        (RunSpec(prompt_tokens=(8,), new_tokens=3, contexts=(8,)), 0, [(8, 1, True, True)]),
        (RunSpec(new_tokens=3), 0, [(0, 1, False, True)]),
        (RunSpec(prompt_tokens=(8,), new_tokens=3), 5, [(5, 1, True, True)]),
        (
            RunSpec(prompt_tokens=(4,), batches=(1, 2)),
            0,
            [(4, 1, True, False), (4, 2, True, False)],
        ),
    ],
)  # fmt: skip
def test_rows_are_prompts_and_contexts(spec, prompt, rows):
    assert planned_rows(spec, prompt) == tuple(RowPlan(*row) for row in rows)


def test_each_repetition_reads_the_prompt_and_counts_steps_after_the_first():
    decoder = CountingDecoder()
    spec = RunSpec(prompt_tokens=(8,), new_tokens=5, contexts=(8,), runs=3, warmup=1)
    (row,) = measured(spec, decoder).rows
    assert len(row.prefill_ns) == len(row.first_sample_ns) == len(row.first_step_ns) == 3
    assert [len(steps) for steps in row.step_ns] == [5, 5, 5]
    assert decoder.calls.count((0, 8)) == 4  # once to warm up
    assert decoder.calls[-6:] == [(8 + step, 1) for step in range(6)]


def test_a_context_is_filled_once_and_no_token_of_it_is_lost():
    decoder = CountingDecoder()
    spec = RunSpec(new_tokens=4, contexts=(0, 20), runs=3, warmup=1)
    times = measured(spec, decoder)
    empty, filled = times.rows
    assert decoder.calls.count((0, 20)) == 1
    assert filled.fill_ns > 0
    assert not filled.prefill_ns
    assert empty.context == 0
    assert [len(steps) for steps in empty.step_ns] == [4, 4, 4]
    assert len(times.step_cpu_ns) == len(times.ran_ns) == 12  # of the row nearest to 512
    whole = random_tokens(21, 1, VOCABULARY)[0].tolist()
    assert decoder.tokens[:20] == whole[:20]


def test_settings_say_how_often_and_for_how_long():
    spec = RunSpec(new_tokens=2, contexts=(0,), runs=2, warmup=3)
    assert len(measured(spec, CountingDecoder()).warmup_ns) == 3
    longer = RunSpec(new_tokens=2, contexts=(0,), runs=2, seconds=0.2)
    (row,) = measured(longer, CountingDecoder()).rows
    assert len(row.step_ns) > 10


def test_random_tokens_are_the_same_at_any_length_and_differ_between_rows():
    short, long = random_tokens(5, 2, 1000), random_tokens(50, 3, 1000)
    assert (long[:2, :5] == short).all()
    assert (long[0] != long[1]).any()
    assert random_tokens(9, 1, 3).max() < 3
