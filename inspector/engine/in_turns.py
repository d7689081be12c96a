"""Two measurements in turns, as often as it takes: what drifts meanwhile does so for both."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from inspector.engine.abreast import Pair, Specs, Turn
from inspector.engine.restarting import later, merged
from inspector.errors import Cancelled, InspectorError
from inspector.narrowing import Goal
from inspector.paired import Ratios, joined, judge_ratios, ratios
from inspector.report import PerformanceReport
from inspector.tally import Start, judged, side


def in_turns(
    measured: Turn,
    specs: Specs,
    goal: Goal | None = None,
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
    after = (later(specs[0]), later(specs[1]))
    done: tuple[list[PerformanceReport], list[PerformanceReport]] = ([], [])
    told = _Told()
    failed: tuple[str, ...] = ()
    for number, step in _turns(specs, told, goal, clock):
        one, other = specs if number == 1 else after
        asked = replace(one, starts=1), replace(other, starts=1)
        try:  # who goes first takes turns, too: what one leaves behind falls on both
            found = measured(asked, step, (number + 1) % 2)
        except (Cancelled, KeyboardInterrupt) as error:
            if number == 1 or ends is None:
                raise
            ends.append(error)
            failed = (f"The measurement ended early: it was stopped in turn {number}.",)
            break
        except InspectorError as error:
            if number == 1:
                raise
            failed = (f"Turn {number} of {max(number, _starts(specs))} failed: {error.why}.",)
            break
        for reports, report in zip(done, found, strict=True):
            reports.append(report)
        told.hear(found)
    first, second = (
        replace(
            report,
            spec=spec,
            complete=report.complete and not failed,
            notes=(*report.notes, *failed),
        )
        for report, spec in zip(map(merged, done), specs, strict=True)
    )
    return first, second


@dataclass(slots=True, eq=False)
class _Told:
    """What turns told so far: starts of both sides, and ratios where predictions took turns."""

    sides: tuple[list[Start], list[Start]] = field(default_factory=lambda: ([], []))
    ratios: list[Ratios] = field(default_factory=list)

    def hear(self, pair: Pair) -> None:
        """Take one more turn in."""
        for starts, report in zip(self.sides, pair, strict=True):
            starts.append(Start(report))
        if len(found := ratios(*pair)):
            self.ratios.append(found)

    @property
    def count(self) -> int:
        """How many turns told something: of starts that were at full pace, or of a ratio."""
        if self.ratios:
            return len(self.ratios)
        return min(side(starts).at_full_pace for starts in self.sides)

    @property
    def half_width(self) -> float | None:
        """Half of the interval of the ratio, as a comparison finds it; None without one."""
        if self.ratios:
            return judge_ratios(joined(self.ratios)).half_width
        return judged(*map(side, self.sides)).half_width


def _turns(
    specs: Specs,
    told: _Told,
    goal: Goal | None,
    clock: Callable[[], float],
) -> Iterator[tuple[int, str]]:
    """Number and name of each turn, judged by what is `told` when the next is asked for.

    The time of a goal runs from the last of the starts that were asked for.
    """
    starts = _starts(specs)
    most = 2 * starts if starts > 1 and all(spec.steady for spec in specs) else starts
    begun = clock()
    for number in count(1):
        step = _step(number, (starts, most), told, goal, clock() - begun)
        if step is None:
            return
        yield number, step
        begun = clock() if number <= starts else begun


def _starts(specs: Specs) -> int:
    return min(spec.starts for spec in specs)


def _step(
    number: int,
    starts: tuple[int, int],
    told: _Told,
    goal: Goal | None,
    seconds: float,
) -> str | None:
    """What a turn is called; "" for the first, None where there is to be none.

    starts: asked for, and with those that make up for others. seconds: since the former.
    """
    if number <= starts[0]:
        return f"turn {number} of {starts[0]}" if number > 1 else ""
    at_full = told.count
    if number <= starts[1] and at_full < starts[0]:
        return f"turn {number} of {number}"
    if goal is None or seconds >= goal.seconds or goal.given_up(number - 1, at_full):
        return None
    width = told.half_width
    if width is not None and width <= goal.half_width:
        return None
    known = f", known to ±{100 * width:.1f} %" if width is not None else ""
    return f"turn {number} of {max(number, goal.starts)} at most{known}"
