"""Two measurements in turns, as often as it takes: what drifts meanwhile does so for both."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from inspector.backends.interleaving import Pair, Specs, Turn
from inspector.benchmarking.interleaved import (
    PrecisionGoal,
    StartRatios,
    join_ratios,
    start_ratios,
    verdict_for_start_ratios,
)
from inspector.benchmarking.pooled_starts import StartSamples, compare_pooled, pool_starts
from inspector.engine.client.process_repetitions import later_spec, merge_reports
from inspector.errors import Cancelled, InspectorError
from inspector.report.report import PerformanceReport


def measure_interleaved(
    measured: Turn,
    specs: Specs,
    goal: PrecisionGoal | None = None,
    clock: Callable[[], float] = time.monotonic,
    ends: list[BaseException] | None = None,
) -> Pair:
    """Measure both in `starts` processes each: A B, B A, A B, ...

    Where predictions took turns as well, each turn tells their ratio. Where they did not,
    starts that had too few at the processor's full pace are made up for by as many others on
    both sides, if the specs wait for it at all. With a goal it then goes on until that is
    reached, or to be given up.

    measured: measures both once. A later turn that fails costs its samples, and a note says
    so. clock: in seconds. ends: takes what stopped a later turn, and the turns before it are
    returned, marked as incomplete; without it, that is raised. Raises what the first turn
    raises, and Cancelled.
    """
    after = (later_spec(specs[0]), later_spec(specs[1]))
    done: tuple[list[PerformanceReport], list[PerformanceReport]] = ([], [])
    statistics = _PairStatistics()
    failed: tuple[str, ...] = ()
    for number, step in _turns(specs, statistics, goal, clock):
        one, other = specs if number == 1 else after
        single_starts = replace(one, starts=1), replace(other, starts=1)
        try:  # who goes first takes turns, too: what one leaves behind falls on both
            pair_of_reports = measured(single_starts, step, (number + 1) % 2)
        except (Cancelled, KeyboardInterrupt) as error:
            if number == 1 or ends is None:
                raise
            ends.append(error)
            failed = (f"The measurement ended early: it was stopped in process pair {number}.",)
            break
        except InspectorError as error:
            if number == 1:
                raise
            failed = (
                f"Process pair {number} of {max(number, _starts(specs))} failed: {error.why}.",
            )
            break
        for reports, report in zip(done, pair_of_reports, strict=True):
            reports.append(report)
        statistics.add(pair_of_reports)
    first, second = (
        replace(
            report,
            spec=spec,
            complete=report.complete and not failed,
            notes=(*report.notes, *failed),
        )
        for report, spec in zip(map(merge_reports, done), specs, strict=True)
    )
    return first, second


@dataclass(slots=True, eq=False)
class _PairStatistics:
    """Results of all turns so far: starts of both sides, ratios of interleaved predictions."""

    starts_of: tuple[list[StartSamples], list[StartSamples]] = field(
        default_factory=lambda: ([], [])
    )
    ratios: list[StartRatios] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Take one more turn in."""
        for starts, report in zip(self.starts_of, pair, strict=True):
            starts.append(StartSamples(report))
        if len(ratios := start_ratios(*pair)):
            self.ratios.append(ratios)

    @property
    def count(self) -> int:
        """Return how many turns told something: of starts that were at full pace, or of a
        ratio."""
        if self.ratios:
            return len(self.ratios)
        return min(pool_starts(starts).at_full_pace for starts in self.starts_of)

    @property
    def half_width(self) -> float | None:
        """Return half of the interval of the ratio, as a comparison finds it; None without
        one."""
        if self.ratios:
            return verdict_for_start_ratios(join_ratios(self.ratios)).half_width
        return compare_pooled(*map(pool_starts, self.starts_of)).half_width


def _turns(
    specs: Specs,
    statistics: _PairStatistics,
    goal: PrecisionGoal | None,
    clock: Callable[[], float],
) -> Iterator[tuple[int, str]]:
    """Yield number and name of each turn, judged by what is `statistics` when the next is asked
    for.

    The time of a goal runs from the last of the starts that were asked for.
    """
    starts = _starts(specs)
    most = 2 * starts if starts > 1 and all(spec.steady for spec in specs) else starts
    begun = clock()
    for number in count(1):
        step = _step(number, (starts, most), statistics, goal, clock() - begun)
        if step is None:
            return
        yield number, step
        begun = clock() if number <= starts else begun


def _starts(specs: Specs) -> int:
    return min(spec.starts for spec in specs)


def _step(
    number: int,
    starts: tuple[int, int],
    statistics: _PairStatistics,
    goal: PrecisionGoal | None,
    seconds: float,
) -> str | None:
    """Return what a turn is called; "" for the first, None where there is to be none.

    starts: asked for, and with those that make up for others. seconds: since the former.
    """
    if number <= starts[0]:
        return f"turn {number} of {starts[0]}" if number > 1 else ""
    at_full = statistics.count
    if number <= starts[1] and at_full < starts[0]:
        return f"turn {number} of {number}"
    if goal is None or seconds >= goal.seconds or goal.given_up(number - 1, at_full):
        return None
    width = statistics.half_width
    if width is not None and width <= goal.half_width:
        return None
    precision = f", known to ±{100 * width:.1f}%" if width is not None else ""
    return f"turn {number} of {max(number, goal.starts)} at most{precision}"
