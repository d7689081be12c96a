"""Searches for the fastest settings: one setting after the other, then a fair last match."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Any

from inspector.analysis.gains import LEAST_STARTS
from inspector.analysis.tunings import leading, middle_ns, settings_words
from inspector.errors import Cancelled, InspectorError
from inspector.report import ModelIdentity, PerformanceReport, RunSpec
from inspector.sweep import Round
from inspector.sweeping.runner import round_of, sentence
from inspector.tuning import Trial, Tuning

Try = Callable[[RunSpec], PerformanceReport]
Changes = dict[str, Any]
_SEARCH, _BETTER = 0.6, 0.98
_SECONDS, _FEWEST, _MOST_RUNS = 0.4, 5, 200
_MOST_STARTS = 24


@dataclass(frozen=True, slots=True)
class Bounds:
    """seconds: for all of it; the last match takes at least LEAST_STARTS + 1 starts of each.

    cores: 0 for those of this machine. clock: tells seconds.
    """

    seconds: float = 60.0
    cores: int = 0
    seed: int = 0
    clock: Callable[[], float] = monotonic


def coordinates(cores: int) -> tuple[tuple[str, tuple[Changes, ...]], ...]:
    """Settings in the order in which they are tried, those that matter most first."""
    counts = sorted({n for n in (1, 2, 4, 8, 16, 32, cores // 2, cores) if 1 <= n <= cores})
    threads = tuple({"threads": number} for number in counts)
    parallel: tuple[Changes, ...] = tuple(
        {"execution_mode": "parallel", "inter_threads": number} for number in (2, 4)
        if number <= cores
    )  # fmt: skip
    return (
        ("threads", threads),
        ("spinning", ({"spinning": False},)),
        ("optimisation", ({"optimization": "extended"}, {"optimization": "basic"})),
        ("execution", parallel),
        ("memory", ({"arena": False}, {"memory_pattern": False})),
    )


def tune(
    model: ModelIdentity,
    spec: RunSpec,
    attempt: Try,
    bounds: Bounds,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Tuning]:
    """Search by coordinate descent from `spec`; yields after each measurement.

    The settings before a change are measured again beside each change, so that a machine that
    slows down does not decide. Then the best is measured against the start, in turns.
    Raises what the first measurement raises, and Cancelled.
    """
    search = _Search(model, spec, attempt, bounds, stopped)
    yield search.begin()
    yield from search.descend()
    yield from search.match()


class _Search:
    """Where a search is: what was tried, and the best so far."""

    def __init__(
        self,
        model: ModelIdentity,
        spec: RunSpec,
        attempt: Try,
        bounds: Bounds,
        stopped: Callable[[], bool],
    ) -> None:
        self._attempt, self._bounds, self._stopped = attempt, bounds, stopped
        self._began, self._random = bounds.clock(), Random(bounds.seed)
        self._cores = bounds.cores or os.cpu_count() or 1
        self._trials: dict[RunSpec, Trial] = {}
        self._held = spec
        self._runs = _FEWEST
        self.now = Tuning(model, spec)

    def begin(self) -> Tuning:
        """Measure the start; from its time follows how many predictions the others take."""
        report = self._measure(self.now.default)
        each = max(1, report.median_ns)
        self._runs = int(min(_MOST_RUNS, max(_FEWEST, _SECONDS * 1e9 / each)))
        self.now = replace(self.now, created=report.created, environment=report.environment)
        return self._told("the runtime's own settings")

    def descend(self) -> Iterator[Tuning]:
        """Try each setting in turn until a whole round changes nothing or time is up."""
        changed = True
        while changed and self._time_left(_SEARCH):
            changed = False
            for name, changes in coordinates(self._cores):
                before = self._held
                specs = [replace(before, **change) for change in changes]
                specs = [spec for spec in specs if spec != before and self._worth(spec)]
                if specs and self._time_left(_SEARCH):
                    yield from self._step(name, [before, *specs])
                changed |= self._held != before

    def match(self) -> Iterator[Tuning]:
        """Measure the best and the start in turns until time is up."""
        default = self.now.default
        found = leading(tuple(self._trials.values()), besides=default)
        if found is None:
            self.now = replace(self.now, complete=True)
            yield self._told("")
            return
        challenger = self._held if self._held != default else found.spec
        self.now = replace(self.now, challenger=challenger)
        sides: tuple[list[Round], list[Round]] = ([], [])
        for number in range(_MOST_STARTS):
            if number > LEAST_STARTS and not self._time_left(1.0):
                break
            for side in (0, 1) if number % 2 else (1, 0):
                spec = (default, challenger)[side]
                sides[side].append(round_of(self._measure(spec)))
                self.now = replace(
                    self.now,
                    default_rounds=tuple(sides[0]),
                    challenger_rounds=tuple(sides[1]),
                )
                yield self._told(f"last match, start {number + 1}")
        self.now = replace(self.now, complete=True)
        yield self._told("")

    def _step(self, name: str, specs: list[RunSpec]) -> Iterator[Tuning]:
        """Measure settings side by side, and keep the best if it is clearly better."""
        before, fresh = specs[0], dict[RunSpec, Round]()
        self._random.shuffle(specs)
        for spec in specs:
            if len(fresh) > 1 and not self._time_left(_SEARCH):
                break
            try:
                fresh[spec] = round_of(self._measure(spec))
            except Cancelled:
                raise
            except InspectorError as error:
                self._trials[spec] = Trial(spec, why=sentence(error))
            yield self._told(f"{name}: {settings_words(spec, self.now.default)}")
        best = min(fresh, key=lambda spec: middle_ns((fresh[spec],)), default=before)
        if before in fresh and self._better(fresh[best], fresh[before]):
            yield from self._again(name, best, before)

    def _again(self, name: str, best: RunSpec, before: RunSpec) -> Iterator[Tuning]:
        """Measure a change once more, each way, and keep it only if it holds."""
        rounds = []
        for spec in (best, before):
            rounds.append(round_of(self._measure(spec)))
            yield self._told(f"{name}: {settings_words(spec, self.now.default)}")
        if self._better(*rounds):
            self._held = best

    def _better(self, one: Round, other: Round) -> bool:
        # A round at full pace beside a slower one would win whatever was set.
        return one.full == other.full and middle_ns((one,)) < _BETTER * middle_ns((other,))

    def _worth(self, spec: RunSpec) -> bool:
        """Whether settings were not tried yet."""
        return spec not in self._trials

    def _measure(self, spec: RunSpec) -> PerformanceReport:
        if self._stopped():
            raise Cancelled("The search was stopped")
        report = self._attempt(replace(spec, runs=self._runs, seconds=0.0, profiled_runs=0))
        old = self._trials.get(spec, Trial(spec))
        self._trials[spec] = replace(old, rounds=(*old.rounds, round_of(report)))
        return report

    def _time_left(self, share: float) -> bool:
        return self._bounds.clock() - self._began < share * self._bounds.seconds

    def _told(self, step: str) -> Tuning:
        spent = (self._bounds.clock() - self._began) / self._bounds.seconds
        done = 1.0 if self.now.complete else min(0.99, spent)
        trials: Sequence[Trial] = tuple(self._trials.values())
        self.now = replace(self.now, trials=tuple(trials), step=step, done=done)
        return self.now
