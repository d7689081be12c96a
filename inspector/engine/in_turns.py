"""Two measurements in turns, start by start: what drifts meanwhile does so for both."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from inspector.engine.restarting import later, merged
from inspector.errors import Cancelled, InspectorError
from inspector.narrowing import Goal
from inspector.report import PerformanceReport, RunSpec
from inspector.tally import Start, judged, side

Measure = Callable[[RunSpec, str], PerformanceReport]
Pair = tuple[PerformanceReport, PerformanceReport]


def in_turns(
    measures: tuple[Measure, Measure],
    specs: tuple[RunSpec, RunSpec],
    goal: Goal | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Pair:
    """Measure both in `starts` processes each: A B, B A, A B, ...

    Starts that had too few predictions at the processor's full pace are made up for by as many
    others on both sides, if the specs wait for it at all. With a goal it then goes on until
    that is reached, or to be given up.

    measures: each measures in one process, with words for all its steps if there are any. A
    later turn that fails costs its samples, and a note says so. clock: in seconds. Raises what
    the first turn raises, and Cancelled.
    """
    first = tuple(replace(spec, starts=1) for spec in specs)
    after = tuple(replace(later(spec), starts=1) for spec in specs)
    done: tuple[list[PerformanceReport], list[PerformanceReport]] = ([], [])
    told: tuple[list[Start], list[Start]] = ([], [])
    failed: tuple[str, ...] = ()
    for number, step in _turns(specs, told, goal, clock):
        asked = first if number == 1 else after
        try:
            found = {which: measures[which](asked[which], step) for which in _order(number)}
        except Cancelled:
            raise
        except InspectorError as error:
            if number == 1:
                raise
            failed = (f"Turn {number} of {max(number, _starts(specs))} failed: {error.why}.",)
            break
        for which, report in found.items():
            done[which].append(report)
            told[which].append(Start(report))
    one, other = (
        replace(report, spec=spec, notes=(*report.notes, *failed))
        for report, spec in zip(map(merged, done), specs, strict=True)
    )
    return one, other


def _turns(
    specs: tuple[RunSpec, RunSpec],
    told: tuple[Sequence[Start], Sequence[Start]],
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


def _starts(specs: tuple[RunSpec, RunSpec]) -> int:
    return min(spec.starts for spec in specs)


def _step(
    number: int,
    starts: tuple[int, int],
    told: tuple[Sequence[Start], Sequence[Start]],
    goal: Goal | None,
    seconds: float,
) -> str | None:
    """What a turn is called; "" for the first, None where there is to be none.

    starts: asked for, and with those that make up for others. seconds: since the former.
    """
    if number <= starts[0]:
        return f"turn {number} of {starts[0]}" if number > 1 else ""
    one, other = side(told[0]), side(told[1])
    at_full = min(one.at_full_pace, other.at_full_pace)
    if number <= starts[1] and at_full < starts[0]:
        return f"turn {number} of {number}"
    if goal is None or seconds >= goal.seconds or goal.given_up(number - 1, at_full):
        return None
    width = judged(one, other).half_width
    if width is not None and width <= goal.half_width:
        return None
    known = f", known to ±{100 * width:.1f} %" if width is not None else ""
    return f"turn {number} of {max(number, goal.starts)} at most{known}"


def _order(number: int) -> tuple[int, int]:
    """Who goes first takes turns, too: what one leaves behind falls on both."""
    return (0, 1) if number % 2 else (1, 0)
