"""Two measurements in turns, start by start: what drifts meanwhile does so for both."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from inspector.engine.restarting import at_full_pace, later, together
from inspector.errors import Cancelled, InspectorError
from inspector.narrowing import Goal, half_width
from inspector.report import PerformanceReport, RunSpec

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
    failed: tuple[str, ...] = ()
    for number, step in _turns(specs, done, goal, clock):
        asked = first if number == 1 else after
        try:
            found = {side: measures[side](asked[side], step) for side in _order(number)}
        except Cancelled:
            raise
        except InspectorError as error:
            if number == 1:
                raise
            failed = (f"Turn {number} of {max(number, _starts(specs))} failed: {error.why}.",)
            break
        for side, report in found.items():
            done[side].append(report)
    one, other = (
        replace(merged, spec=spec, notes=(*merged.notes, *failed))
        for merged, spec in zip(map(_merged, done), specs, strict=True)
    )
    return one, other


def _turns(
    specs: tuple[RunSpec, RunSpec],
    done: Sequence[Sequence[PerformanceReport]],
    goal: Goal | None,
    clock: Callable[[], float],
) -> Iterator[tuple[int, str]]:
    """Number and name of each turn, judged by what is `done` when the next is asked for.

    The time of a goal runs from the last of the starts that were asked for.
    """
    starts = _starts(specs)
    most = 2 * starts if starts > 1 and all(spec.steady for spec in specs) else starts
    begun = clock()
    for number in count(1):
        step = _step(number, (starts, most), done, goal, clock() - begun)
        if step is None:
            return
        yield number, step
        begun = clock() if number <= starts else begun


def _starts(specs: tuple[RunSpec, RunSpec]) -> int:
    return min(spec.starts for spec in specs)


def _step(
    number: int,
    starts: tuple[int, int],
    done: Sequence[Sequence[PerformanceReport]],
    goal: Goal | None,
    seconds: float,
) -> str | None:
    """What a turn is called; "" for the first, None where there is to be none.

    starts: asked for, and with those that make up for others. seconds: since the former.
    """
    if number <= starts[0]:
        return f"turn {number} of {starts[0]}" if number > 1 else ""
    one, other = map(_merged, done)
    at_full = min(at_full_pace(one), at_full_pace(other))
    if number <= starts[1] and at_full < starts[0]:
        return f"turn {number} of {number}"
    if goal is None or seconds >= goal.seconds or goal.given_up(number - 1, at_full):
        return None
    width = half_width(one, other)
    if width is not None and width <= goal.half_width:
        return None
    known = f", known to ±{100 * width:.1f} %" if width is not None else ""
    return f"turn {number} of {max(number, goal.starts)} at most{known}"


def _order(number: int) -> tuple[int, int]:
    """Who goes first takes turns, too: what one leaves behind falls on both."""
    return (0, 1) if number % 2 else (1, 0)


def _merged(own: Sequence[PerformanceReport]) -> PerformanceReport:
    return together(own[0], own[1:]) if len(own) > 1 else own[0]
