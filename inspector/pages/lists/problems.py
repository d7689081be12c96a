"""The problems of several models as one table."""

from collections.abc import Iterable

from inspector import units
from inspector.pages.blocks import Column, Limits, Row, Table
from inspector.wording.values import Name

_MOST = 2_000  # rows
_LONGEST = 1_000  # letters of a problem


def problem_table(problems: Iterable[tuple[str, str, str]]) -> Table:
    """Return a row for each problem: key, name of the model, and the problem in a sentence."""
    columns = Column("model", "Model", files=True), Column("problem", "Problem", stretch=True)
    rows = tuple(
        Row((Name(model), units.clip(text, _LONGEST)), key=key) for key, model, text in problems
    )
    return Table(columns, rows, Limits(page=_MOST), "problem")
