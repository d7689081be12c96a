"""Facts about a weight and statistics of its values, as names with values."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.analysis.facts.weight_compression import WeightForm
from inspector.model.model import ITEM_BITS, WeightInfo
from inspector.model.tensors.tensor_statistics import MOST_DISTINCT, Statistics
from inspector.pages.lists.weight_rows import where
from inspector.ui import units
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.parts import Elided, add_to, follow, grid_of, label, row
from inspector.ui.widgets.theme import Theme

Pair = tuple[str, str]

_MOST_TOLD = 24
_FEW_PER_VALUE = 4  # elements for each value that differs, at least, to speak of a palette
_OF_NUMBERS = (
    mark("Min"),
    mark("Max"),
    mark("Mean"),
    mark("Std dev"),
    mark("Zeros"),
    mark("Distinct values"),
    mark("NaN"),
    mark("Infinite"),
)
_ORIGINS = {
    "initializer": "initializer",
    "sparse initializer": mark("sparse initializer"),
    "constant": mark("Constant node"),
}


def of_file(weight: WeightInfo, whole_bytes: int) -> tuple[Pair, ...]:
    """Return what the file says of a weight."""
    size = tr("unknown")
    if weight.size_bytes is not None:
        size = units.size(weight.size_bytes)
        size += f" ({units.number(weight.size_bytes)} B)" if weight.size_bytes >= 1024 else ""
        size += tr(", {share} of all weights").format(
            share=units.share(weight.size_bytes, whole_bytes)
        )
    pairs = [
        (tr("Type"), units.clip(weight.dtype, 40)),
        (tr("Shape"), units.shape(weight.shape)),
        (tr("Elements"), units.number(weight.elements)),
        (tr("Size"), size),
        (tr("Location"), written(where(weight, long=True))),
    ]
    if weight.stored is not None:
        pairs.insert(
            3,
            (
                tr("Stored"),
                tr("{stored:,} non-zero values (sparse)").format(stored=weight.stored),
            ),
        )
    if weight.place is not None and weight.place.field != "raw_data":
        pairs.append((tr("Stored in ONNX field"), weight.place.field))
    pairs.append((tr("Origin"), tr(_ORIGINS.get(weight.origin, weight.origin))))
    pairs += [(tr("Description"), weight.doc)] if weight.doc else []
    also = tuple((units.capitalized(name), text) for name, text in weight.also)
    pairs += [(units.clip(n, 40), v) for n, v in (*also, *weight.metadata)[:_MOST_TOLD]]
    return tuple(pairs)


def of_form(form: WeightForm) -> tuple[Pair, ...]:
    """Return how a weight is stored, what that saves, and what a runtime makes of it."""
    if not form.kind:
        return ()
    saving = form.saving_text
    pairs = [(tr("Stored as") if form.is_stored_so else tr("Pattern"), form.text)]
    if form.is_stored_so and saving:
        expanded = units.size(form.expanded_bytes)
        pairs.append(
            (tr("Saves"), tr("{share} than {size}").format(share=saving, size=expanded))
        )
    elif saving and form.could_take_bytes is not None:
        taken = units.size(form.could_take_bytes)
        text = tr("{saving}: {size} in that form").format(saving=saving, size=taken)
        pairs.append((tr("Saving"), text))
    if form.when_loaded:
        pairs.append((tr("After loading"), form.when_loaded))
    return tuple(pairs)


def of_values(statistics: Statistics | None, dtype: str) -> tuple[Pair, ...]:
    """Return what is in a weight; dashes while that is not known."""
    if statistics is None:
        names = ("Empty", "Distinct values") if dtype == "string" else _OF_NUMBERS
        return tuple((tr(name), "–") for name in names)
    distinct = tr("more than {most_distinct:,}").format(most_distinct=MOST_DISTINCT)
    if statistics.distinct is not None:
        distinct = units.number(statistics.distinct)
    if dtype == "string":
        return (tr("Empty"), units.number(statistics.zeros)), (tr("Distinct values"), distinct)
    shares = units.share(statistics.zeros, statistics.elements)
    zeros = f"{units.number(statistics.zeros)} · {shares}" if statistics.zeros else tr("none")
    values = (
        _number(statistics.minimum),
        _number(statistics.maximum),
        _number(statistics.mean),
        _number(statistics.deviation),
        zeros,
        distinct,
        units.number(statistics.nan) if statistics.nan else tr("none"),
        units.number(statistics.infinite) if statistics.infinite else tr("none"),
    )
    return tuple(zip(map(tr, _OF_NUMBERS), values, strict=True))


def remark(theme: Theme, statistics: Statistics, dtype: str) -> "Remark":
    """Return what the values suggest: numbers that are none, a palette, one value only."""
    if statistics.nan or statistics.infinite:
        text = tr("Contains NaN or infinite values, so outputs may become NaN.")
        return Remark(theme, text, "warning", "caution")
    text = _hint(statistics, dtype)
    if text or dtype == "string":
        return Remark(theme, text or tr("Text values."))
    return Remark(theme, tr("All values are finite."), "check", "good")


def _hint(statistics: Statistics, dtype: str) -> str:
    """Return whether a palette would hold the values, or only one is there; "" for neither."""
    if statistics.subnormal:
        return tr(
            "{count:,} subnormal values, which make some CPUs slow: measure with “Flush "
            "subnormals to zero”."
        ).format(count=statistics.subnormal)
    if statistics.distinct == 1 and statistics.elements > 1:
        return tr("All values are equal.")
    bits = ITEM_BITS.get(dtype, 0)
    if (
        statistics.distinct is None
        or statistics.elements < _FEW_PER_VALUE * statistics.distinct
    ):
        return ""
    needed = max(1, (statistics.distinct - 1).bit_length())
    if statistics.elements >= 64 and needed <= 8 and needed * 2 <= bits:
        size = plural(needed, "bit")
        return tr(
            "Few distinct values: a palette would store them in {size} per element instead "
            "of {bits}."
        ).format(size=size, bits=bits)
    return ""


class Facts(QWidget):
    """Names with values in lines, in one column or two."""

    def __init__(self, pairs: tuple[Pair, ...], across: int = 1) -> None:
        super().__init__()
        grid = grid_of(12, 6, on=self)
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
    return units.number(value) if isinstance(value, int) else units.number(value, ".6g")


class Remark(QWidget):
    """Says something; `role` is the color of the icon."""

    def __init__(
        self, theme: Theme, text: str, icon: str = "info", role: str = "secondary"
    ) -> None:
        super().__init__()
        mark = QLabel()
        mark.setFixedSize(16, 16)
        follow(theme, mark, lambda: mark.setPixmap(theme.pixmap(icon, role)))
        self.said = label(units.clip(text, 600), "secondary", wraps=True)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        add_to(row(on=self), (mark, 0, Qt.AlignmentFlag.AlignTop), (self.said, 1))
