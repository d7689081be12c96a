"""Times of a decoder token by token: prompts of several lengths, steps at several contexts.

The decoder itself belongs to a runtime; here is what is done with it, and when the clock is
read. Prompts and contexts are the beginning of one sequence of random tokens, so that a cache
that was filled once is right for all repetitions at its context.
"""

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter_ns, process_time_ns
from typing import Protocol

import numpy as np
from msgspec import Struct, field, structs
from numpy.typing import NDArray

from inspector.backends.measuring import process_state
from inspector.backends.measuring.clean_pass import Tell
from inspector.backends.measuring.context_curve import ContextCurve, context_curve
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.energy import EnergyMeter
from inspector.backends.measuring.process_state import SystemLoadMonitor
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.report.environment import SystemLoad
from inspector.report.language.speed import CacheMemory, GenerationSpeed, SpeedRow
from inspector.report.run_spec import RunSpec
from inspector.statistics.intervals import median

SEED = 0  # of the random tokens: equal ones in all measurements, so that reports compare
_WARM_STEPS = 4  # at most: that no clock counts, after the prompt of each warm-up
_PROMPT_STEPS = 1  # after a prompt that is not a context as well: the first step is told
_LEAST_REPETITIONS = 2  # of a row that takes long: one alone has no spread
_ROW_NS = 20_000_000_000  # after which a row has no further repetition than the least
_MOST_REPETITIONS = 50  # of a quick row that is repeated for as long as the settings say
PIECE = 256  # tokens of a prompt at a time, as when text is generated
_TELL_NS = 50_000_000  # between two reports of progress
_KEEP_NS = 1_000_000_000  # between two copies of what is measured, for an early end
_SURELY = 0.9  # the interval of the same samples may be a little wider, as in `clean_pass`

Ids = NDArray[np.int64]
Logits = NDArray[np.generic]


class Decoder(Protocol):
    """A model that reads tokens and returns the logits of the last one, and remembers them."""

    @property
    def cache_bytes(self) -> int:
        """Return the bytes that are allocated for keys and values."""

    def begin(self, capacity: int, batch: int = 1) -> None:
        """Forget all tokens, and make room for so many of each sequence."""

    def feed(
        self, ids: Ids, *, piece: int = 0, report: Callable[[int], None] = lambda _: None
    ) -> Logits:
        """Read tokens (batch, n) after those before; return logits (batch, vocabulary).

        piece: read so many at a time; 0: as the decoder likes. report: hears how many have
        been read.
        """

    def first_token(
        self, ids: Ids, *, piece: int = 0, report: Callable[[int], None] = lambda _: None
    ) -> tuple[Ids, int]:
        """Read a prompt as `feed`; return what `step` returns."""

    def step(self, ids: Ids) -> tuple[Ids, int]:
        """Read one token of each sequence, (batch, 1); return the likeliest next ones, and
        when the model had run, as `perf_counter_ns` counts; 0 where only both are known."""

    def rewind(self, length: int) -> None:
        """Go on after so many tokens, as if the later ones had not been read."""


class RowPlan(Struct, frozen=True):
    """A row to measure: prompt and context in tokens, as in `SpeedRow`.

    timed: whether the prefill is timed. decoded: whether steps are counted after it.
    """

    tokens: int
    batch: int
    timed: bool
    decoded: bool


class TokenTimes(Struct, frozen=True):
    """All rows, and the steps of the headline's row as the runs of a report.

    first_ns: the very first call. step_cpu_ns: processor time of each step of the headline's
    row, in the order of `SpeedRow.steps`. ran_ns: of these, the model without choosing a token.
    warmup_ns: the calls that no row counts. curve: of the contexts, where there are several.
    """

    rows: tuple[SpeedRow, ...]
    first_ns: int = 0
    step_cpu_ns: tuple[int, ...] = ()
    ran_ns: tuple[int, ...] = ()
    warmup_ns: tuple[int, ...] = ()
    surroundings: SystemLoad = field(default_factory=SystemLoad)
    curve: ContextCurve = field(default_factory=ContextCurve)

    @property
    def speed(self) -> GenerationSpeed:
        """Return the rows as a speed, which knows the headline's."""
        return GenerationSpeed(self.rows)


def planned_rows(spec: RunSpec, prompt: int = 0) -> tuple[RowPlan, ...]:
    """Return the rows that settings ask for, by batch and length.

    prompt: tokens of a given text, which then is the only prompt, and a context as well.
    """
    prompts = (prompt,) if prompt else spec.prompt_tokens
    contexts = spec.contexts or ((0,) if not prompts else ())
    if prompt:
        contexts = (prompt,)
    if not spec.new_tokens:
        contexts = ()
    return tuple(
        RowPlan(length, batch, length in prompts, length in contexts)
        for batch in spec.batches or (1,)
        for length in sorted({*prompts, *contexts})
    )


def random_tokens(count: int, batch: int, vocabulary: int) -> Ids:
    """Return random tokens (batch, count); a shorter sequence is the beginning of a longer.

    The first tokens of a vocabulary are special in most models, so ids begin at 16 or, in a
    small vocabulary, at 1.
    """
    low = min(16, max(0, vocabulary - 2))
    columns = np.random.default_rng(SEED).integers(low, vocabulary, (count, 256), np.int64)
    return np.ascontiguousarray(columns[:, :batch].T)


def token_times(
    decoder: Decoder,
    plans: Sequence[RowPlan],
    spec: RunSpec,
    tokens: Callable[[int, int], Ids],
    tell: Tell,
    pacer: CpuSpeedProbe,
    taking: TurnTaker,
    in_turns: bool,
    keep: Callable[[TokenTimes], None] = lambda _: None,
) -> TokenTimes:
    """Measure all rows; the decoder is used for nothing else meanwhile.

    tokens: returns (batch, count) of them. pacer: probes between the steps of the headline's
    row. in_turns: whether another measurement computes between repetitions. keep: gets what
    there is after each row, and between repetitions of a long one.
    """
    skeleton = [_bare_row(plan) for plan in plans]
    main = GenerationSpeed(tuple(skeleton)).decode
    measuring = _Measuring(decoder, spec, tokens, tell, pacer, taking, in_turns, keep)
    gc.collect()  # not in the middle of a step
    for place, (plan, bare) in enumerate(zip(plans, skeleton, strict=True)):
        measuring.share = (place / len(plans), 1 / len(plans))
        measuring.measure(plan, is_main=bare is main)
    surroundings, curve = measuring.watch.load(), ContextCurve()
    # Of the headline's tokens alone: a prompt needs another power.
    surroundings = replace(surroundings, energy=measuring.energy.use())
    if main is not None and not in_turns:
        curve = measuring.curve(plans)
    return structs.replace(measuring.times(), surroundings=surroundings, curve=curve)


def _bare_row(plan: RowPlan) -> SpeedRow:
    prompt = plan.tokens if plan.timed else 0
    return SpeedRow(prompt, plan.tokens, plan.batch, step_ns=((1,),) if plan.decoded else ())


class _Measuring:
    """What is known while rows are measured.

    rows: those that are finished. share: where the present row begins in the whole, from 0 to
    1, and how much of it it is.
    """

    def __init__(
        self,
        decoder: Decoder,
        spec: RunSpec,
        tokens: Callable[[int, int], Ids],
        tell: Tell,
        pacer: CpuSpeedProbe,
        taking: TurnTaker,
        in_turns: bool,
        keep: Callable[[TokenTimes], None],
    ) -> None:
        self._keep, self._kept_ns, self.rows = keep, perf_counter_ns(), list[SpeedRow]()
        self._decoder, self._spec, self._tokens, self._tell = decoder, spec, tokens, tell
        self._pacer, self._taking, self._in_turns = pacer, taking, in_turns
        self.watch, self.energy = SystemLoadMonitor(), EnergyMeter()
        self.first_ns, self.share = 0, (0.0, 1.0)
        self._done, self._told_ns = 0.0, 0
        self.cpu_ns, self.ran_ns, self.warmup_ns = list[int](), list[int](), list[int]()
        self._main_ns, self._context, self._following = (
            list[int](),
            0,
            np.zeros((1, 1), np.int64),
        )

    def times(self, *present: SpeedRow) -> TokenTimes:
        """Return what is measured. present: the row that is not finished."""
        return TokenTimes(
            (*self.rows, *present),
            self.first_ns,
            tuple(self.cpu_ns),
            tuple(self.ran_ns),
            tuple(self.warmup_ns),
        )

    def measure(self, plan: RowPlan, is_main: bool) -> None:
        """Measure one row: warm-ups, then repetitions."""
        steps = self._spec.new_tokens if plan.decoded else _PROMPT_STEPS
        steps += plan.timed and plan.decoded  # the first step after a prompt is not counted
        prompt = self._tokens(plan.tokens + 1, plan.batch)
        ids, following = prompt[:, : plan.tokens], prompt[:, plan.tokens :]
        self._context, self._following = plan.tokens, following
        self._decoder.begin(plan.tokens + steps + 1, plan.batch)
        row = SpeedRow(plan.tokens if plan.timed else 0, plan.tokens, plan.batch)
        row = replace(row, fill_ns=self._warm_up(ids, following, min(steps, _WARM_STEPS)))
        began = perf_counter_ns()
        while self._goes_on(row, perf_counter_ns() - began):
            self._done = min(1.0, self._repetitions(row) / max(1, self._spec.runs))
            self._tell_progress()
            if self._in_turns:
                self._taking.wait(len(self._main_ns), self._one_more_step, self.watch)
            row = self._repetition(row, plan, ids, following, steps, is_main)
            if perf_counter_ns() - self._kept_ns > _KEEP_NS:
                self._keep(self.times(self._with_memory(row)))
                self._kept_ns = perf_counter_ns()
        self.rows.append(self._with_memory(row))
        self._keep(self.times())

    def _with_memory(self, row: SpeedRow) -> SpeedRow:
        memory = CacheMemory(
            process_state.resident_bytes(), process_state.peak_bytes(),
            self._decoder.cache_bytes,
        )  # fmt: skip
        return replace(row, memory=memory)

    def curve(self, plans: Sequence[RowPlan]) -> ContextCurve:
        """Measure steps at further contexts, between the first and the last of one sequence.

        plans: of all rows, the last one measured just now.
        """
        contexts = [plan.tokens for plan in plans if plan.decoded]
        filled = plans[-1].tokens if plans[-1].batch == 1 else 0
        ids = self._tokens(max(contexts) + 1, 1)
        step_ns = float(np.median(self._main_ns))
        self.share = (1.0, 0.0)
        return context_curve(self._decoder, ids, contexts, step_ns, filled, self._tell_progress)

    def _tell_progress(self, _: int = 0) -> None:
        """Tell how far the measurement is, not too often."""
        now = perf_counter_ns()
        if now - self._told_ns > _TELL_NS:
            first, length = self.share
            self._tell("tokens", first + self._done * length, tuple(self._main_ns))
            self._told_ns = now

    def _warm_up(self, ids: Ids, following: Ids, steps: int) -> int:
        """Read the prompt and take a few steps, as often as the settings say; return how long
        the last prompt took. The cache has the context afterwards."""
        filled = 0
        for _ in range(max(1, self._spec.warmup)):
            self._decoder.rewind(0)
            began = perf_counter_ns()
            if ids.shape[1]:
                self._decoder.feed(ids, piece=PIECE, report=self._tell_progress)
                filled = perf_counter_ns() - began
            chosen = following
            for _ in range(steps):
                chosen, _ = self._decoder.step(chosen)
            self.first_ns = self.first_ns or filled or perf_counter_ns() - began
            self.warmup_ns.append(perf_counter_ns() - began)
        self._decoder.rewind(ids.shape[1])
        return filled

    def _one_more_step(self) -> None:
        """Compute once where nothing is measured, since caches are cold after a wait."""
        self._decoder.rewind(self._context)
        self._decoder.step(self._following)

    def _repetition(
        self, row: SpeedRow, plan: RowPlan, ids: Ids, following: Ids, steps: int, is_main: bool
    ) -> SpeedRow:
        """Return a row with one repetition more."""
        decoder, chosen = self._decoder, following
        if plan.timed:
            decoder.rewind(0)
            began = perf_counter_ns()
            chosen, read = decoder.first_token(ids, piece=PIECE, report=self._tell_progress)
            ended = perf_counter_ns()
            read = read or ended
            row = replace(
                row,
                prefill_ns=(*row.prefill_ns, read - began),
                first_sample_ns=(*row.first_sample_ns, ended - read),
            )
        else:
            decoder.rewind(plan.tokens)
        wall, sampling, skipped = list[int](), 0, int(plan.timed)
        if is_main:
            self.energy.resume()
        for step in range(steps):
            self._tell_progress()
            if is_main and step >= skipped and self._pacer.due(perf_counter_ns()):
                self._pacer.take(len(self._main_ns))
            cpu_began, began = process_time_ns(), perf_counter_ns()
            chosen, ran = decoder.step(chosen)
            ended, cpu_ended = perf_counter_ns(), process_time_ns()
            ran = ran or ended
            if step < skipped:
                row = replace(row, first_step_ns=(*row.first_step_ns, ended - began))
                continue
            wall.append(ended - began)
            sampling += ended - ran
            if is_main:
                self._main_ns.append(ended - began)
                self.cpu_ns.append(cpu_ended - cpu_began)
                self.ran_ns.append(ran - began)
        if is_main:
            self.energy.pause()
        if not plan.decoded:
            return row
        return replace(
            row, step_ns=(*row.step_ns, tuple(wall)), sample_ns=(*row.sample_ns, sampling)
        )

    def _repetitions(self, row: SpeedRow) -> int:
        return len(row.step_ns) or len(row.prefill_ns)

    def _goes_on(self, row: SpeedRow, spent_ns: int) -> bool:
        """Return whether a row needs one repetition more."""
        spec, made = self._spec, self._repetitions(row)
        if made < _LEAST_REPETITIONS or (made < spec.runs and spent_ns < _ROW_NS):
            return made < max(spec.runs, _LEAST_REPETITIONS)
        if made >= _MOST_REPETITIONS * max(1, spec.runs):
            return False
        if spec.until:
            half = _half_width(row)
            unsure = half is None or half > _SURELY * spec.until
            return unsure and spent_ns < spec.most_seconds * 1e9
        return spent_ns < spec.seconds * 1e9 and made < _MOST_REPETITIONS


def _half_width(row: SpeedRow) -> float | None:
    """Return half of the interval of the median step as a share of it; None of few steps."""
    ends, middle = row.interval(median), row.statistic(median)
    if ends is None or not middle:
        return None
    return (ends[1] - ends[0]) / 2 / middle


def likeliest(logits: Logits) -> Ids:
    """Return the most probable token of each sequence as (batch, 1)."""
    chosen: Ids = np.argmax(logits, axis=-1).astype(np.int64).reshape(-1, 1)
    return chosen
