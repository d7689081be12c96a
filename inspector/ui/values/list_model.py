"""The layers of a walk as rows of a table."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.stepping import LayerStep, Stepping
from inspector.ui.kit.parts import tip
from inspector.ui.kit.table_model import TableModel
from inspector.ui.values import columns as cells
from inspector.ui.values.columns import MEANINGS, What


class StepsModel(TableModel[What]):
    """All layers in the order of the walk, or some of them in another."""

    def __init__(self, found: Stepping) -> None:
        left_out = set() if found.against else {What.ERROR, What.SQNR}
        if not any(step.nan or step.infinite for step in found.steps):
            left_out.add(What.ODD)
        columns = tuple(what for what in What if what not in left_out)
        super().__init__(columns, len(found.steps))
        self.found = found
        first = found.divergence
        self.divergence = None if first is None else found.steps.index(first)
        made = found.first_nan
        self.first_nan = None if made is None else found.steps.index(made)
        self.places = {step.index: place for place, step in enumerate(found.steps)}

    def step(self, row: int) -> LayerStep:
        """What a row shows."""
        return self.found.steps[self.place_of(row)]

    def badge(self, row: int) -> str:
        """What is special about a layer, in a word or two; empty for most."""
        place = self.place_of(row)
        if place == self.divergence:
            return "first difference"
        return "makes NaN" if place == self.first_nan else ""

    def text(self, row: int, column: What) -> str:
        """What a cell says."""
        return cells.text(self.step(row), column)

    def spoken(self, row: int, column: What) -> str:
        """The name also tells what is special; an error whether it is too large."""
        words = self.text(row, column)
        if column is What.LAYER and self.badge(row):
            return f"{words}: {self.badge(row)}"
        if column is What.ERROR and self.step(row).over:
            return f"{words}, over the tolerance"
        return words

    def hint(self, row: int, column: What) -> str:
        """The name also tells why something is not known."""
        step = self.step(row)
        if column is What.LAYER:
            return tip(step.name, self.badge(row).capitalize(), step.problem, step.remark)
        if column in (What.ERROR, What.SQNR):
            apart = step.worst
            return tip(self.spoken(row, column), apart.problem if apart else step.remark)
        return super().hint(row, column)

    def meaning(self, column: What) -> str:
        """What a title means."""
        return MEANINGS.get(column, "")

    def keys(self, column: What) -> NDArray[np.float64]:
        """What a column sorts by."""
        return cells.keys(self.found.steps, column)

    def haystack(self) -> Sequence[str]:
        """Name, operator and tensors; "nan" and "differs" where that is so."""
        return [_words(step) for step in self.found.steps]


def _words(step: LayerStep) -> str:
    names = "\n".join(output.name for output in step.outputs)
    odd = "nan" * bool(step.nan) + " inf" * bool(step.infinite)
    differs = "differs" if step.over else ""
    return f"{step.name}\n{step.operator}\n{names}\n{odd}\n{differs}".casefold()
