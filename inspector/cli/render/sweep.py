"""A sweep as text for a terminal: progress lines, then a table."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from inspector import units

if TYPE_CHECKING:
    from inspector.experiments.runner import TimeLeft
    from inspector.report.sweep import CellIndex, Sweep


_BAR = 20


def step_line(before: "Sweep", after: "Sweep", clock: "TimeLeft") -> str:
    """Return the result of the last measurement and the progress of the sweep."""
    from inspector.analysis.measured.sweep_results import median_ns
    from inspector.experiments import runner
    from inspector.export.tables.sweep_tables import settings_label

    old = before.by_place
    cell = next(cell for cell in after.cells if cell != old[cell.at])
    number, rest = runner.done(after), runner.left(after)
    count = f"[{number:>{len(str(number + rest))}}/{number + rest}]"
    middle = median_ns(cell)
    text = cell.why.rstrip(".") if cell.why else f"median {units.duration(middle or 0)}"
    seconds = clock.seconds(rest)
    left = f"; {units.time_left(seconds)}" if rest and seconds is not None else ""
    return f"{count} {settings_label(after, cell)}: {text}{left}"


def next_text(sweep: "Sweep", place: "CellIndex") -> str:
    """Return the measurement that begins: '[3/21] threads 2'."""
    from inspector.experiments import runner
    from inspector.export.tables.sweep_tables import settings_label

    number, rest = runner.done(sweep), runner.left(sweep)
    return f"[{number + 1}/{number + rest}] {settings_label(sweep, sweep.by_place[place])}"


def live_lines(sweep: "Sweep", active: "Collection[CellIndex]", left: str = "") -> list[str]:
    """Return models on machines as a table while it fills; empty without that axis.

    active: cells that are measured now. A number in brackets counts the settings that are done.
    """
    from inspector.analysis.measured import sweep_results
    from inspector.experiments import runner
    from inspector.export.tables.sweep_tables import value_label
    from inspector.report.sweep import MACHINE, CellState

    best = sweep_results.by_machine(sweep)
    if not best:
        return []
    names = next(axis.values for axis in sweep.axes if axis.name == MACHINE)
    table = [["", *(value_label(MACHINE, name) for name in names)]]
    for number, model in enumerate(sweep.models):
        texts = [units.clip(model.name, 30)]
        for place in range(len(names)):
            own = [
                cell
                for cell in sweep.cells
                if (sweep.model_of(cell), sweep.machine_of(cell)) == (number, place)
            ]
            ended = sum(
                cell.state is not CellState.PENDING or len(cell.rounds) >= sweep.rounds
                for cell in own
            )
            fastest = best[number][place]
            middle = None if fastest is None else sweep_results.median_ns(fastest)
            now = any(cell.at in active for cell in own)
            failed = next((c for c in own if c.state is CellState.FAILED), None)
            text = "" if middle is None else units.duration(middle)
            if not text:
                ended_as = "queued" if failed is None else failed.failure or "failed"
                text = "measuring" if now else ended_as
            elif now:
                text = f"~{text}"
            count = f" ({ended}/{len(own)})" if len(own) > 1 and ended < len(own) else ""
            texts.append(text + count)
        table.append(texts)
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    done, rest = runner.done(sweep), runner.left(sweep)
    lines = [f"{done} of {done + rest} measurements{left}"]
    for cells in table:
        others = (f"{text:>{w}}" for text, w in zip(cells[1:], wide[1:], strict=True))
        lines.append("  ".join((cells[0].ljust(wide[0]), *others)).rstrip())
    return lines
