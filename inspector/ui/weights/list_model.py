"""The weights of a model as rows of a table."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.model import Model, WeightInfo
from inspector.ui.kit.parts import tip
from inspector.ui.kit.table_model import TableModel
from inspector.ui.weights import columns as cells
from inspector.ui.weights.columns import COLUMNS, What


class WeightsModel(TableModel[What]):
    """All weights in the file's order, or some of them in another.

    uses: for each weight the layers that take it.
    """

    def __init__(self, model: Model, uses: tuple[tuple[int, ...], ...]) -> None:
        super().__init__(COLUMNS, len(model.weights))
        self.model, self.uses = model, uses
        self.sizes = np.fromiter(
            (weight.size_bytes or 0 for weight in model.weights), np.int64, len(model.weights)
        )
        self.whole_bytes = int(self.sizes.sum())
        self.largest_bytes = int(self.sizes.max(initial=0))

    def weight(self, row: int) -> WeightInfo:
        """What a row shows."""
        return self.model.weights[self.place_of(row)]

    def shown_bytes(self) -> int:
        """Bytes of all weights that are shown."""
        return int(self.sizes[self.order].sum())

    def text(self, row: int, column: What) -> str:
        """What a cell says."""
        weight, index = self.weight(row), self.place_of(row)
        match column:
            case What.NAME:
                return cells.name(weight)
            case What.TYPE:
                return units.clip(weight.dtype, 40)
            case What.SHAPE:
                return units.shape(weight.shape)
            case What.BYTES:
                return "–" if weight.size_bytes is None else units.size(weight.size_bytes)
            case What.SHARE:
                return units.share(int(self.sizes[index]), self.whole_bytes)
            case What.PLACE:
                return cells.place(weight)
            case What.USERS:
                return cells.users(self.model, self.uses[index])

    def spoken(self, row: int, column: What) -> str:
        """The name also tells the problem."""
        words = self.text(row, column)
        problem = self.weight(row).problem if column is What.NAME else ""
        return f"{words}: {units.clip(problem)}" if problem else words

    def hint(self, row: int, column: What) -> str:
        """The name also tells the origin and the problem."""
        if column is not What.NAME:
            return super().hint(row, column)
        weight = self.weight(row)
        return tip(cells.name(weight), weight.origin, weight.problem)

    def keys(self, column: What) -> NDArray[np.float64]:
        """What a column sorts by."""
        return cells.keys(column, self.model, self.uses, self.sizes)

    def haystack(self) -> Sequence[str]:
        """Name, type, file and origin; "problem" where there is one."""
        return [_words(weight) for weight in self.model.weights]


def _words(weight: WeightInfo) -> str:
    file = weight.place.file if weight.place is not None else ""
    problem = "problem" if weight.problem else ""
    return f"{weight.name}\n{weight.dtype}\n{file}\n{weight.origin}\n{problem}".casefold()
