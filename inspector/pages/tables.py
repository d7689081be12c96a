"""Tables whose columns depend on what there is to say."""

from collections.abc import Sequence

from msgspec.structs import replace

from inspector.pages.blocks import Block, Column, Limits, Row, Table
from inspector.wording.values import Joined, Name, Noted, Value


def table_of(
    columns: Sequence[Column], rows: Sequence[Row], limits: Limits, noun: str, rest: Value = ""
) -> tuple[Block, ...]:
    """Return a table without the columns that say nothing in any row; nothing without rows.

    The arguments are those of `Table`.
    """
    if not rows:
        return ()
    shown = [
        place for place in range(len(columns)) if any(_says(row.cells[place]) for row in rows)
    ]
    visible = tuple(
        replace(row, cells=tuple(row.cells[place] for place in shown)) for row in rows
    )
    return (Table(tuple(columns[place] for place in shown), visible, limits, noun, rest=rest),)


def _says(cell: Value) -> bool:
    if isinstance(cell, Noted):
        return _says(cell.value)
    return bool(cell) and cell not in (Name(""), Joined(()))
