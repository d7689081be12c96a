"""A sweep in lines of text: each measurement as it comes, and a table in the end."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector import units

if TYPE_CHECKING:
    from inspector.sweep import Cell, Place, Sweep
    from inspector.sweeping.runner import TimeLeft

_BAR = 20


def step_line(before: "Sweep", after: "Sweep", clock: "TimeLeft") -> str:
    """Return what the measurement between two states of a sweep brought, and how far it is."""
    from inspector.analysis.sweeps import median_ns
    from inspector.export.sweep_tables import words_of
    from inspector.sweeping import runner

    old = before.by_place
    cell = next(cell for cell in after.cells if cell != old[cell.at])
    number, rest = runner.done(after), runner.left(after)
    count = f"[{number:>{len(str(number + rest))}}/{number + rest}]"
    middle = median_ns(cell)
    told = cell.why.rstrip(".") if cell.why else f"{units.duration(middle or 0)}, median"
    seconds = clock.seconds(rest)
    left = f"; {units.time_left(seconds)}" if rest and seconds is not None else ""
    return f"{count} {words_of(after, cell)}: {told}{left}"


def next_text(sweep: "Sweep", place: "Place") -> str:
    """Return which measurement begins: '[3/21] threads 2'."""
    from inspector.export.sweep_tables import words_of
    from inspector.sweeping import runner

    number, rest = runner.done(sweep), runner.left(sweep)
    return f"[{number + 1}/{number + rest}] {words_of(sweep, sweep.by_place[place])}"


def lines(sweep: "Sweep") -> Iterator[str]:
    """The table, the best cell of each model, and the front."""
    from inspector.analysis import sweeps
    from inspector.export.sweep_tables import HEAD, rows

    yield ""
    head = [*(axis.name for axis in sweep.axes), *HEAD]
    table = [head, *rows(sweep)]
    wide = [max(len(row[i]) for row in table) for i in range(len(head))]
    first_number = len(sweep.axes)
    for row in table:
        cells = (
            text.rjust(w) if i >= first_number else text.ljust(w)
            for i, (text, w) in enumerate(zip(row, wide, strict=True))
        )
        yield "  ".join(cells).rstrip()
    yield ""
    if early := sweeps.early_end(sweep):
        yield f"{sweep.ended} {early}".strip()
    for number in range(len(sweep.models)):
        mine = [cell for cell in sweep.cells if sweep.model_of(cell) == number]
        best = sweeps.best(sweep, mine)
        if best is not None:
            yield from _best(sweep, best)
    yield from _front(sweep)


def _best(sweep: "Sweep", best: "Cell") -> Iterator[str]:
    from inspector.analysis import sweeps
    from inspector.cli.summary import throughput_lines
    from inspector.export.sweep_tables import words_of

    found = sweeps.numbers(best)
    assert found is not None, "the best cell was measured"
    between = sweeps.median_interval(best)
    sure = f" ({units.durations(*between)} at 95 %)" if between else ""
    yield f"best: {words_of(sweep, best)}: {units.duration(found.p50_ns)}{sure}"
    gained = sweeps.gain_over_default(sweep, best)
    if gained is not None:
        yield f"      {sweeps.gain_text(gained)}"
    yield from throughput_lines(sweeps.throughput(best))


def _front(sweep: "Sweep") -> Iterator[str]:
    from inspector.analysis import sweeps

    known = sweeps.candidates(sweep)
    if len(known) < 2:
        return
    front = sweeps.front(known)
    yield ""
    yield "size against time against agreement with the first model (* on the front):"
    for place, one in enumerate(known):
        near = "unknown" if one.agreement is None else (
            "equal" if one.agreement == float("inf") else f"{one.agreement:.1f} dB"
        )  # fmt: skip
        mark = "*" if place in front else " "
        size, time = units.size(one.size_bytes), units.duration(one.median_ns)
        yield f"{mark} {units.clip(one.name, 60):<34}  {size:>10}  {time:>9}  {near:>9}"
