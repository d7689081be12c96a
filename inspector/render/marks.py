"""Marks in the cells of a table, and the color that they give to the bars of their rows."""

from inspector.pages.blocks import Row
from inspector.wording.support_marks import Mark
from inspector.wording.values import MarkValue, Value, bare

_FAMILIES = frozenset({"activity", "data", "cpu", "gpu", "npu"})


def mark_of(cell: Value) -> MarkValue | None:
    """Return the mark that a cell consists of."""
    value = bare(cell)
    return value if isinstance(value, MarkValue) else None


def color_of(family: str) -> str:
    """Return the color role of a family; those that nobody knows are accelerators."""
    return family if family in _FAMILIES else "npu"


def bar_color(row: Row) -> str:
    """Return the color role of a row's bar: of the device that ran it, else "accent"."""
    if row.family:
        return color_of(row.family)
    marks = filter(None, map(mark_of, row.cells))
    return next((color_of(mark.family) for mark in marks if mark.mark is Mark.RAN), "accent")
