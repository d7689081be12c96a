"""Why a token took longer: it waited, the CPU was slower, or nobody knows."""

from dataclasses import replace

import pytest

from inspector.analysis.language.slow_token import Cause, slowest_token
from inspector.report.language.speed import GenerationSpeed, SpeedRow
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report

STEP = 1_000_000


def measured(last, cpu_ns, probes=()):
    """Return a report of two runs; cpu_ns: of the slowest token, in two threads."""
    first = (STEP,) * len(last)
    cpu = tuple(2 * STEP for _ in (*first, *last))
    slowest = len(first) + last.index(max(last))
    cpu = (*cpu[:slowest], cpu_ns, *cpu[slowest + 1 :])
    row = SpeedRow(0, 64, step_ns=(first, last))
    pace = CpuSpeed(tuple(ns for _, ns in probes), tuple(place for place, _ in probes))
    times = {"prediction_ns": row.steps, "prediction_cpu_ns": cpu}
    return example_report(generation=GenerationSpeed((row,)), pace=pace, **times)


RUN = (STEP, STEP, 5 * STEP, STEP, STEP)
FULL = [(0, 1000), (3, 1000), (10, 1000)]


@pytest.mark.parametrize(
    ("cpu_ns", "probes", "cause"),
    [
        (2 * STEP, FULL, Cause.CORE),  # as much work as any other
        (10 * STEP, FULL, Cause.UNKNOWN),  # both threads computed all the time
        (10 * STEP, [(0, 1000), (5, 1000), (8, 4500), (10, 1000)], Cause.SPEED),
        (10 * STEP, [(0, 1000), (2, 4500), (3, 1000), (9, 1000)], Cause.UNKNOWN),  # before it
        (10 * STEP, [(0, 1000), (5, 1200), (8, 1200), (10, 1000)], Cause.UNKNOWN),  # too little
    ],
)
def test_the_cause_is_what_explains_most_of_the_time(cpu_ns, probes, cause):
    found = slowest_token(measured(RUN, cpu_ns, probes))
    assert (found.place, found.time_ns, found.cause) == (2, 5 * STEP, cause)
    assert (found.speed < 0.3) == (cause is Cause.SPEED)


def test_nothing_stands_out_among_similar_tokens_and_without_steps():
    assert slowest_token(measured((STEP, STEP, STEP + 9), 2 * STEP)) is None
    assert slowest_token(example_report()) is None
    prefill = SpeedRow(8, 8, prefill_ns=(5,), first_sample_ns=(1,))
    bare = example_report(generation=GenerationSpeed((prefill,)))
    assert slowest_token(bare) is None


def test_without_cpu_times_a_cause_may_be_unknown():
    report = replace(measured(RUN, 2 * STEP), prediction_cpu_ns=())
    assert slowest_token(report).cause is Cause.UNKNOWN
