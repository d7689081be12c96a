"""A sweep as CSV: a line for each cell, in numbers for programs."""

from collections.abc import Iterator

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.latency import (
    ALL_FIELD,
    AT_FULL_SPEED,
    AT_FULL_SPEED_FIELD,
    TAILS_OF,
)
from inspector.render.tables.report_csv import table_csv
from inspector.report.sweep import Cell, Sweep

_NUMBERS = (
    "state", "why", "n", "median_ns", "median_low_ns", "median_high_ns", "p5_ns", "p95_ns",
    "sd_ns", "per_second", "load_ns", "first_prediction_ns", "model_bytes",
    "latency_of",
)  # fmt: skip
_KINDS = {AT_FULL_SPEED: AT_FULL_SPEED_FIELD, TAILS_OF: ALL_FIELD}


def csv(sweep: Sweep) -> str:
    """A line for each cell, numbers in nanoseconds and bytes."""
    head = [axis.name for axis in sweep.axes] + list(_NUMBERS)
    lines = []
    for cell in sweep.cells:
        pairs = zip(sweep.axes, cell.at, strict=True)
        lines.append([str(axis.values[place]) for axis, place in pairs] + list(_raw(cell)))
    return table_csv(head, lines).decode()


def _raw(cell: Cell) -> Iterator[str]:
    numbers, wide = sweep_results.numbers(cell), sweep_results.spread(cell)
    yield str(cell.state)
    yield cell.why
    if numbers is None:
        yield from ("" for _ in _NUMBERS[2:])
        return
    first = cell.rounds[0]
    values: tuple[float | None, ...] = (
        numbers.n, numbers.p50_ns, numbers.median_low_ns, numbers.median_high_ns,
        *((wide.p5_ns, wide.p95_ns) if wide else (None, None)), numbers.sd_ns,
        numbers.per_second, first.load_ns, first.first_prediction_ns, first.model_bytes,
    )  # fmt: skip
    for number in values:
        yield "" if number is None else f"{number:.6g}" if number < 1e6 else f"{number:.0f}"
    yield _KINDS.get(sweep_results.latency_kind(cell), "")
