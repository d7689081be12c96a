"""Conditions on a sweep, as a CI job states them: "latency.p50>20ms", "cells.failed>0".

A number is judged for each model on each machine, with the best settings there.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.machine_matrix import METRICS
from inspector.comparison.ci_conditions import Condition, Finding, Outcome, read_condition
from inspector.report.sweep import MACHINE, Cell, CellState, Sweep
from inspector.wording.values import counted

FAILED = "cells.failed"
# Each name with the unit of its limit, and the metric of the table; counts have neither.
_SUBJECTS = {
    "latency.p50": ("ns", "p50"),
    "latency.p95": ("ns", "p95"),
    "load": ("ns", "load"),
    "memory.model": ("bytes", "memory"),
}
_EXAMPLES = "Use the form 'latency.p50>20ms', 'memory.model>300MiB' or 'cells.failed>0'."


def parse(text: str) -> Condition:
    """Read a condition on a sweep. Raises BadInput: not understood, and what would be."""
    metrics: dict[str, str | None] = {name: unit for name, (unit, _) in _SUBJECTS.items()}
    metrics[FAILED] = None
    aliases = {"prediction.p50": "latency.p50", "prediction.p95": "latency.p95"}
    return read_condition(text, metrics, (), tuple(metrics), aliases, _EXAMPLES)


def judged(conditions: Sequence[Condition], sweep: Sweep) -> tuple[Finding, ...]:
    """Return the outcome of every condition, for each model on each machine."""
    return tuple(finding for each in conditions for finding in _findings(each, sweep))


def _findings(condition: Condition, sweep: Sweep) -> Iterator[Finding]:
    if condition.subject == FAILED:
        failed = [cell for cell in sweep.cells if cell.state is CellState.FAILED]
        text = counted(len(failed), "cell")
        why = f": {units.clip(failed[0].why, 120)}" if failed else ""
        yield Finding(condition, "all cells", condition.outcome(len(failed)), text + why)
        return
    for name, cell in _best_cells(sweep):
        yield Finding(condition, name, *_outcome(condition, cell))


def _best_cells(sweep: Sweep) -> Iterator[tuple[str, Cell | None]]:
    """Yield each model on each machine with its fastest cell; None where nothing is known."""
    machines = next((axis.values for axis in sweep.axes if axis.name == MACHINE), ())
    if machines:
        for model, cells in zip(sweep.models, sweep_results.by_machine(sweep), strict=True):
            for machine, cell in zip(machines, cells, strict=True):
                yield f"{Path(model.name).stem} on {machine}", cell
        return
    for number, model in enumerate(sweep.models):
        own = (cell for cell in sweep.cells if sweep.model_of(cell) == number)
        yield Path(model.name).stem, sweep_results.best(sweep, own)


def _outcome(condition: Condition, cell: Cell | None) -> tuple[Outcome, str]:
    if cell is None:
        return Outcome.UNDECIDED, "not measured"
    metric = next(each for each in METRICS if each.id == _SUBJECTS[condition.subject][1])
    value = metric.value(cell)
    if value is None:
        return Outcome.UNDECIDED, "too few runs"
    limits = sweep_results.median_interval(cell) if metric.id == "p50" else None
    text = metric.text(cell)
    if limits is not None:
        text += f" (95% CI {units.durations(*limits)})"
    return condition.outcome(*(limits or (value,))), text
