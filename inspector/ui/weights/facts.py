"""What a weight is and what is in it, as names with values."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from inspector import units
from inspector.analysis.tensor_statistics import MOST_DISTINCT, Statistics
from inspector.model import ITEM_BITS, WeightInfo
from inspector.ui.kit.parts import Elided, label
from inspector.ui.weights import columns

Pair = tuple[str, str]

_MOST_TOLD = 24
_FEW_PER_VALUE = 4  # elements for each value that differs, at least, to speak of a palette
_ORIGINS = {
    "initializer": "initializer",
    "sparse initializer": "sparse initializer",
    "constant": "constant in a node",
}


def of_file(weight: WeightInfo, whole_bytes: int) -> tuple[Pair, ...]:
    """What the file says of a weight."""
    size = "unknown"
    if weight.size_bytes is not None:
        size = units.size(weight.size_bytes)
        size += f" · {weight.size_bytes:,} B" if weight.size_bytes >= 1024 else ""
        size += f" · {units.share(weight.size_bytes, whole_bytes)}"
    pairs = [
        ("Type", units.clip(weight.dtype, 40)),
        ("Shape", units.shape(weight.shape)),
        ("Elements", f"{weight.elements:,}"),
        ("Bytes", size),
        ("Lies in", columns.place(weight, long=True)),
    ]
    if weight.stored is not None:
        pairs.insert(3, ("Stored", f"{weight.stored:,} values, the rest is 0"))
    if weight.place is not None and weight.place.field != "raw_data":
        pairs.append(("Packed as", weight.place.field))
    pairs.append(("Origin", _ORIGINS.get(weight.origin, weight.origin)))
    pairs += [("Description", weight.doc)] if weight.doc else []
    also = tuple((name[:1].upper() + name[1:], words) for name, words in weight.also)
    pairs += [(units.clip(n, 40), v) for n, v in (*also, *weight.metadata)[:_MOST_TOLD]]
    return tuple(pairs)


def of_values(found: Statistics, dtype: str) -> tuple[Pair, ...]:
    """What is in a weight."""
    distinct = f"over {MOST_DISTINCT:,}"
    if found.distinct is not None:
        distinct = f"{found.distinct:,}"
    if dtype == "string":
        return ("Empty", f"{found.zeros:,}"), ("Different", distinct)
    shares = units.share(found.zeros, found.elements)
    zeros = f"{found.zeros:,} · {shares}" if found.zeros else "none"
    return (
        ("Minimum", _number(found.minimum)),
        ("Maximum", _number(found.maximum)),
        ("Mean", _number(found.mean)),
        ("Deviation", _number(found.deviation)),
        ("Zeros", zeros),
        ("Different", distinct),
        ("NaN", f"{found.nan:,}" if found.nan else "none"),
        ("Infinite", f"{found.infinite:,}" if found.infinite else "none"),
    )


def hint(found: Statistics, dtype: str) -> str:
    """What the values suggest: a palette, one value only, numbers that are none."""
    if found.nan or found.infinite:
        return "It holds values that are not numbers: predictions may become NaN."
    if found.distinct == 1 and found.elements > 1:
        return "All values are the same."
    bits = ITEM_BITS.get(dtype, 0)
    if found.distinct is None or found.elements < _FEW_PER_VALUE * found.distinct:
        return ""
    needed = max(1, (found.distinct - 1).bit_length())
    if found.elements >= 64 and needed <= 8 and needed * 2 <= bits:
        return (
            f"A palette would do: {units.plural(needed, 'bit')} an element instead of {bits}."
        )
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
            words = Elided(value, "value", Qt.TextElideMode.ElideRight)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label(name, "secondary"), line, 2 * side)
            grid.addWidget(words, line, 2 * side + 1)
            grid.setColumnStretch(2 * side + 1, 1)
        self.setAccessibleName("; ".join(f"{name} {value}" for name, value in pairs))


def _number(value: float | int | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
