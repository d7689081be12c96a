"""Searches for the fastest settings: one setting after the other, then a fair last match."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any

from msgspec import Struct

from inspector.analysis.measured.tuning_results import combined, settings_text
from inspector.analysis.verdicts.interleaved import PrecisionGoal, ratio_estimates
from inspector.app.measurements import MeasurePair
from inspector.app.runner import round_of, sentence
from inspector.backends.base import BackendInfo
from inspector.backends.interleaving import Pair
from inspector.errors import Cancelled, InspectorError
from inspector.report.report import (
    ModelIdentity,
    PerformanceReport,
    PredictionFilter,
    RatioEstimate,
)
from inspector.report.run_spec import RunSpec
from inspector.report.settings import Goal
from inspector.report.tuning import InterleavedStart, Trial, Tuning
from inspector.statistics.process_starts import MIN_STARTS
from inspector.statistics.significance import Verdict

Try = Callable[[RunSpec], PerformanceReport]
Changes = dict[str, Any]
Settings = tuple[tuple[str, tuple[Changes, ...]], ...]

_SEARCH_SHARE = 0.6  # of the time; the rest is for the last match
_WORTH = 0.98  # a ratio above is not worth another setting, and too near to noise
# Turns take 30 ms: 0.6 s are 20 of each side, of which a busy machine leaves enough to compare.
_SECONDS = 0.6
_FEWEST_RUNS = 18  # six turns of the three predictions that each has at least
_MOST_STARTS = 24  # of the last match, for each side
# Standard error of the logarithm of a ratio of peak memory: it was 0.9% for the worst of six
# models, with equal settings in six processes each.
_MEMORY_ERROR = 0.01
_CONFIRMATIONS = 2  # pairs of starts in the search, before a change is given up as unclear


class Aim(Struct, frozen=True):
    """What a search looks for; see the fields of `Tuning`."""

    goal: Goal = Goal.LATENCY
    most_p95_ns: float = 0.0
    batch_axis: str = ""


LOWEST_LATENCY = Aim()


class Bounds(Struct, frozen=True):
    """The limits of a search: its duration, and the settings to try.

    seconds: for all of it, except that the default settings and one pair of starts are measured
    in any case; where too little is left for the last match, its result is not confirmed.
    cores: 0 for those of this machine. clock: tells seconds; one that stands while the search
    waits for other measurements makes these cost no time. settings: those to try; None for all.
    settings_for: those to try from the best settings so far, instead, since another device may
    have others. devices: settings that are tried with the default of everything else.
    """

    seconds: float = 60.0
    cores: int = 0
    seed: int = 0
    clock: Callable[[], float] = monotonic
    settings: Settings | None = None
    settings_for: Callable[[RunSpec], Settings] | None = None
    devices: tuple[Changes, ...] = ()


def coordinates(cores: int) -> Settings:
    """Return settings in the order in which they are tried, those that matter most first."""
    counts = sorted({n for n in (1, 2, 4, 8, 16, 32, cores // 2, cores) if 1 <= n <= cores})
    threads = tuple({"threads": number} for number in counts)
    parallel: tuple[Changes, ...] = tuple(
        {"execution_mode": "parallel", "inter_threads": number} for number in (2, 4)
        if number <= cores
    )  # fmt: skip
    return (
        ("threads", threads),
        ("spinning", ({"spinning": False},)),
        ("optimization", ({"optimization": "extended"}, {"optimization": "basic"})),
        ("execution", parallel),
        ("memory", ({"arena": False}, {"memory_pattern": False})),
        ("subnormals", ({"flush_subnormals": True},)),
        ("XNNPACK", ({"xnnpack": False},)),
    )


def settings_of(backend: BackendInfo, cores: int = 0) -> Settings:
    """Return the settings of `coordinates` that a runtime has. cores: 0 for this machine's."""
    known = {setting.name for setting in backend.settings}
    return tuple(
        (name, tuple(changes for changes in tried if changes.keys() <= known))
        for name, tried in coordinates(cores or os.cpu_count() or 1)
        if any(changes.keys() <= known for changes in tried)
    )


def tune(
    model: ModelIdentity,
    spec: RunSpec,
    attempt: Try,
    measure_pair: MeasurePair,
    bounds: Bounds,
    stopped: Callable[[], bool] = lambda: False,
    aim: Aim = Aim(),  # frozen
) -> Iterator[Tuning]:
    """Search by coordinate descent from `spec`; yields before and after each measurement.

    Every change is measured in turns with the settings before it, so that a machine that slows
    down, or a load that comes and goes, is the same for both. Then the best is measured
    against the start in the same way, in processes of its own.

    attempt: measures settings alone. Raises what that raises for the first settings, and
    Cancelled; what was yielded before holds all that was measured.
    """
    search = _Search(model, spec, attempt, measure_pair, bounds, stopped, aim)
    yield from search.begin()
    yield from search.descend()
    yield from search.match()


class _Search:
    """The state of a search: settings tried, and the best so far."""

    def __init__(
        self,
        model: ModelIdentity,
        spec: RunSpec,
        attempt: Try,
        measure_pair: MeasurePair,
        bounds: Bounds,
        stopped: Callable[[], bool],
        aim: Aim,
    ) -> None:
        self._attempt, self._measure_pair = attempt, measure_pair
        self._bounds, self._stopped = bounds, stopped
        self._began, self._random = bounds.clock(), Random(bounds.seed)
        cores = bounds.cores or os.cpu_count() or 1
        self._settings = coordinates(cores) if bounds.settings is None else bounds.settings
        self._trials: dict[RunSpec, Trial] = {}
        self._leader = spec
        self._pair_seconds = 0.0  # the longest that a pair took
        self.now = Tuning(
            model, spec, goal=aim.goal, most_p95_ns=aim.most_p95_ns, batch_axis=aim.batch_axis
        )

    def begin(self) -> Iterator[Tuning]:
        """Measure the start alone: whether it runs at all."""
        yield self._snapshot("default settings")
        report = self._attempt(self._requested(self.now.default))
        self._trials[self.now.default] = Trial(self.now.default, (round_of(report),))
        self.now = replace(self.now, created=report.created, environment=report.environment)
        yield self._snapshot("default settings")

    def descend(self) -> Iterator[Tuning]:
        """Try each setting in turn until a whole round changes nothing or time is up."""
        default, devices = self.now.default, self._bounds.devices
        if devices:
            specs = [replace(default, **change) for change in devices]
            yield from self._step("device", default, specs)
        changed = True
        while changed and self._may_search():
            changed = False
            settings_for = self._bounds.settings_for
            now = self._settings if settings_for is None else settings_for(self._leader)
            for name, changes in now:
                before = self._leader
                specs = [replace(before, **change) for change in changes]
                specs = [s for s in specs if s != before and s not in self._trials]
                if specs and self._may_search():
                    yield from self._step(name, before, specs)
                changed |= self._leader != before

    def match(self) -> Iterator[Tuning]:
        """Measure the best against the start, interleaved, until decided or time is up."""
        default = self.now.default
        challenger = self._leader if self._leader != default else self._next_best()
        self.now = replace(self.now, challenger=challenger)
        while challenger is not None and not self._decided():
            number = len(self.now.starts) + 1
            yield self._snapshot(
                "confirming the best settings against the default settings, process pair "
                f"{number}"
            )
            try:
                first, other = self._pair(default, challenger, number)
            except Cancelled:
                raise
            except InspectorError as error:
                failed = f"Process pair {number} of the confirmation failed"
                self.now = replace(self.now, ended=f"{failed}: {sentence(error)}")
                break
            self.now = replace(
                self.now,
                starts=(
                    *self.now.starts,
                    InterleavedStart(self._estimates((default, first), (challenger, other))),
                ),
                default_rounds=(*self.now.default_rounds, round_of(first)),
                challenger_rounds=(*self.now.challenger_rounds, round_of(other)),
            )
            yield self._snapshot(
                "confirming the best settings against the default settings, process pair "
                f"{number}"
            )
        self.now = replace(self.now, complete=not self.now.ended)
        yield self._snapshot("")

    def _next_best(self) -> RunSpec | None:
        """Return the settings that came nearest to the start, where none was better."""
        candidates = [
            trial
            for trial in self._trials.values()
            if trial.starts and trial.against == self.now.default
        ]
        best = min(
            candidates,
            key=lambda each: (self._too_slow(each.spec), combined(each.starts).ratio),
            default=None,
        )
        return best.spec if best is not None else None

    def _decided(self) -> bool:
        """Return whether the last match has enough starts: the ratio is narrow, or time is up.

        The width of the interval alone ends it: going on until there is a difference would
        find one by chance.
        """
        count = len(self.now.starts)
        if self._seconds_left() < self._pair_seconds:
            return True  # too few starts make no verdict: "not confirmed"
        if count < MIN_STARTS:
            return False
        width = combined(self.now.starts).judgement.half_width
        narrow = width is not None and width <= PrecisionGoal().half_width
        return narrow or count >= _MOST_STARTS

    def _step(self, name: str, before: RunSpec, specs: list[RunSpec]) -> Iterator[Tuning]:
        """Measure candidates against the leader; the best one leads if it is clearly faster."""
        self._random.shuffle(specs)
        for number, spec in enumerate(specs):
            if number and not self._may_search():
                break
            yield from self._compare_with_leader(name, before, spec)
        measured = [
            trial for spec in specs if (trial := self._trials.get(spec)) and trial.starts
        ]
        if not measured:
            return
        best = min(
            measured, key=lambda each: (self._too_slow(each.spec), combined(each.starts).ratio)
        ).spec
        if self._too_slow(best) and not self._too_slow(before):
            return
        if self._too_slow(before) and not self._too_slow(best):
            self._lead(best)
            return
        while combined(self._trials[best].starts).ratio < _WORTH:
            best_starts = self._trials[best].starts
            if combined(best_starts).judgement.verdict is Verdict.FASTER:
                self._lead(best)
                break
            if len(best_starts) >= _CONFIRMATIONS or not self._may_search():
                break
            yield from self._compare_with_leader(name, before, best)
            if len(self._trials[best].starts) == len(best_starts):  # it failed this time
                break

    def _lead(self, spec: RunSpec) -> None:
        """Go on from settings that are better than the leader."""
        ratio = self.now.leader_ratio * combined(self._trials[spec].starts).ratio
        self._leader = spec
        self.now = replace(self.now, leader=spec, leader_ratio=ratio)

    def _too_slow(self, spec: RunSpec) -> bool:
        return self.now.too_slow(self._trials[spec].rounds)

    def _compare_with_leader(
        self, name: str, before: RunSpec, spec: RunSpec
    ) -> Iterator[Tuning]:
        """Measure settings once, interleaved with the leader; the trial notes a failure."""
        step = f"{name}: {settings_text(spec, self.now.default)}"
        yield self._snapshot(step)
        old = self._trials.get(spec, Trial(spec, against=before))
        try:
            first, other = self._pair(before, spec, len(old.starts) + len(self._trials))
        except Cancelled:
            raise
        except InspectorError as error:
            self._trials[spec] = replace(old, why=sentence(error))
        else:
            estimates = self._estimates((before, first), (spec, other))
            self._trials[spec] = replace(
                old,
                rounds=(*old.rounds, round_of(other)),
                starts=(*old.starts, InterleavedStart(estimates)) if estimates else old.starts,
            )
        yield self._snapshot(step)

    def _pair(self, first: RunSpec, other: RunSpec, number: int) -> Pair:
        """Measure both interleaved; the order alternates."""
        if self._stopped():
            raise Cancelled("The search was stopped")
        began = self._bounds.clock()
        pair = self._measure_pair(self._requested(first), self._requested(other), number % 2)
        self._pair_seconds = max(self._pair_seconds, self._bounds.clock() - began)
        return pair

    def _estimates(
        self, first: tuple[RunSpec, PerformanceReport], other: tuple[RunSpec, PerformanceReport]
    ) -> tuple[RatioEstimate, ...]:
        """Return the ratio of what the search wants low, of the second side to the first."""
        if self.now.goal is Goal.MEMORY:
            one, two = (max(1, report.memory.model_bytes) for _, report in (first, other))
            return (RatioEstimate(two / one, _MEMORY_ERROR, PredictionFilter.ALL, float(one)),)
        items = self.now.items(first[0]), self.now.items(other[0])
        return tuple(
            replace(
                each, ratio=each.ratio * items[0] / items[1], first_ns=each.first_ns / items[0]
            )
            for each in ratio_estimates(first[1], other[1])
        )

    def _requested(self, spec: RunSpec) -> RunSpec:
        """Return settings with how long a start goes on; turns make up for a slow processor."""
        return replace(
            spec, runs=_FEWEST_RUNS, seconds=_SECONDS, steady=0.0, starts=1, profiled_runs=0
        )

    def _seconds_left(self) -> float:
        return self._bounds.seconds - (self._bounds.clock() - self._began)

    def _may_search(self) -> bool:
        """Return whether there is time for one more pair and the last match after it.

        The first is measured in any case: a search that tried nothing tells nothing.
        """
        if not any(trial.starts for trial in self._trials.values()):
            return True
        left = self._seconds_left()
        in_time = left > (1 - _SEARCH_SHARE) * self._bounds.seconds
        return in_time and left > (MIN_STARTS + 1) * self._pair_seconds

    def _snapshot(self, step: str) -> Tuning:
        spent = 1 - self._seconds_left() / self._bounds.seconds
        done = 1.0 if self.now.complete else min(0.99, spent)
        left = 0.0 if self.now.complete else max(0.0, self._seconds_left())
        self.now = replace(
            self.now,
            trials=tuple(self._trials.values()),
            step=step,
            done=done,
            seconds_left=left,
        )
        return self.now
