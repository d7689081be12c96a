"""What a weight is and what is in it, as names with values."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from inspector import units
from inspector.model.model import ITEM_BITS, WeightInfo
from inspector.tensors.tensor_statistics import MOST_DISTINCT, Statistics
from inspector.ui.tabs.weights import weight_list
from inspector.ui.widgets.parts import Elided, follow, label
from inspector.ui.widgets.theme import Theme

Pair = tuple[str, str]

_MOST_TOLD = 24
_FEW_PER_VALUE = 4  # elements for each value that differs, at least, to speak of a palette
_ORIGINS = {
    "initializer": "initializer",
    "sparse initializer": "sparse initializer",
    "constant": "Constant node",
}


def of_file(weight: WeightInfo, whole_bytes: int) -> tuple[Pair, ...]:
    """What the file says of a weight."""
    size = "unknown"
    if weight.size_bytes is not None:
        size = units.size(weight.size_bytes)
        size += f" ({weight.size_bytes:,} B)" if weight.size_bytes >= 1024 else ""
        size += f", {units.share(weight.size_bytes, whole_bytes)} of all weights"
    pairs = [
        ("Type", units.clip(weight.dtype, 40)),
        ("Shape", units.shape(weight.shape)),
        ("Elements", f"{weight.elements:,}"),
        ("Size", size),
        ("Location", weight_list.place(weight, long=True)),
    ]
    if weight.stored is not None:
        pairs.insert(3, ("Stored", f"{weight.stored:,} non-zero values (sparse)"))
    if weight.place is not None and weight.place.field != "raw_data":
        pairs.append(("Stored in field", weight.place.field))
    pairs.append(("Origin", _ORIGINS.get(weight.origin, weight.origin)))
    pairs += [("Description", weight.doc)] if weight.doc else []
    also = tuple((name[:1].upper() + name[1:], words) for name, words in weight.also)
    pairs += [(units.clip(n, 40), v) for n, v in (*also, *weight.metadata)[:_MOST_TOLD]]
    return tuple(pairs)


def of_values(statistics: Statistics, dtype: str) -> tuple[Pair, ...]:
    """What is in a weight."""
    distinct = f"more than {MOST_DISTINCT:,}"
    if statistics.distinct is not None:
        distinct = f"{statistics.distinct:,}"
    if dtype == "string":
        return ("Empty", f"{statistics.zeros:,}"), ("Distinct values", distinct)
    shares = units.share(statistics.zeros, statistics.elements)
    zeros = f"{statistics.zeros:,} · {shares}" if statistics.zeros else "none"
    return (
        ("Min", _number(statistics.minimum)),
        ("Max", _number(statistics.maximum)),
        ("Mean", _number(statistics.mean)),
        ("Std dev", _number(statistics.deviation)),
        ("Zeros", zeros),
        ("Distinct values", distinct),
        ("NaN", f"{statistics.nan:,}" if statistics.nan else "none"),
        ("Infinite", f"{statistics.infinite:,}" if statistics.infinite else "none"),
    )


def hint(statistics: Statistics, dtype: str) -> str:
    """What the values suggest: a palette, one value only, numbers that are none."""
    if statistics.nan or statistics.infinite:
        return "Contains NaN or infinite values, so predictions may become NaN."
    if statistics.distinct == 1 and statistics.elements > 1:
        return "All values are equal."
    bits = ITEM_BITS.get(dtype, 0)
    if (
        statistics.distinct is None
        or statistics.elements < _FEW_PER_VALUE * statistics.distinct
    ):
        return ""
    needed = max(1, (statistics.distinct - 1).bit_length())
    if statistics.elements >= 64 and needed <= 8 and needed * 2 <= bits:
        size = units.plural(needed, "bit")
        return f"Could be palettized to {size} per element instead of {bits}."
    return ""


class Facts(QWidget):
    """Names with values in lines, in one column or two."""

    def __init__(self, pairs: tuple[Pair, ...], across: int = 1) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for place, (name, value) in enumerate(pairs):
            line, side = divmod(place, across)
            text = Elided(value, "value", Qt.TextElideMode.ElideRight)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label(name, "secondary"), line, 2 * side)
            grid.addWidget(text, line, 2 * side + 1)
            grid.setColumnStretch(2 * side + 1, 1)
        self.setAccessibleName("; ".join(f"{name} {value}" for name, value in pairs))


def _number(value: float | int | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


# A sentence with an icon in front: what to know of a tensor.


class Remark(QWidget):
    """Says something; `role` is the colour of the icon."""

    def __init__(
        self, theme: Theme, text: str, icon: str = "info", role: str = "secondary"
    ) -> None:
        super().__init__()
        mark = QLabel()
        mark.setFixedSize(16, 16)
        follow(theme, mark, lambda: mark.setPixmap(theme.pixmap(icon, role)))
        self.said = label(units.clip(text, 600), "secondary")
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.said, 1)
