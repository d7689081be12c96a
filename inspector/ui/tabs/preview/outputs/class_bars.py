"""The highest classes of an answer as bars with their labels."""

from collections.abc import Sequence
from math import isfinite, isnan

from PySide6.QtWidgets import QWidget

from inspector.pages.blocks import Chart
from inspector.pages.charts.bars import TALL_ROW, Bar, tall_lines
from inspector.pages.charts.drawing import MARGIN, Drawing, Label, below_each_other
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.results import Class, Classes
from inspector.ui import units
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import column_of, wrapped
from inspector.ui.widgets.theme import Theme
from inspector.wording import class_scores
from inspector.wording.values import Name

_SHOWN_ROWS = 12
_HEAD_PX = 26.0  # title of a row of the output, above the first bar
_TOP_PX = 8.0  # above all
_FAINTER = 0.55  # opacity of all but the first bar
_WORST = 1.0  # mean opinion score
_BEST = 5.0  # mean opinion score


class ClassBars(ChartView):
    """For each row of the output its highest classes; label above a bar, value at the right."""

    def show_classes(
        self, rows: Sequence[Classes], softmax: bool, scale: tuple[float, float] | None = None
    ) -> None:
        """Show another answer, its values as they are or as probabilities.

        scale: what an empty and a full bar mean, where the values do not tell. A class with a
        number below 0 is shown without one.
        """
        shown = tuple(rows[:_SHOWN_ROWS])
        values = iter(_values(shown, softmax))
        # Several rows need a title each, unless they have one class each.
        headed = len(shown) > 1 and len(shown[0].top) > 1
        lists = list[list[Bar]]()
        for number, row in enumerate(shown):
            where = (
                "" if headed or len(shown) == 1 else tr("row {number}").format(number=number)
            )
            low, high = _range(row, softmax, scale)
            bars = list[Bar]()
            for shown_class in row.top:
                label = units.clip(shown_class.label, 120)
                index = tr("Class {index}").format(index=shown_class.index)
                amount = shown_class.probability if softmax else shown_class.value
                share = (amount - low) / (high - low) if high > low else 0.0
                beside = where or (index if label and label != str(shown_class.index) else "")
                beside = "" if shown_class.index < 0 else beside
                bars.append(Bar(
                    Name(label or index), 0.0 if isnan(share) else max(0.0, min(1.0, share)),
                    next(values), opacity=_FAINTER if bars else 1.0, aside=beside,
                ))  # fmt: skip
            lists.append(bars)

        def draw(width: float) -> Drawing:
            return below_each_other("", tuple(
                _drawn(bars, width, tr("Row {number}").format(number=number) if headed else "",
                       last=number == len(lists) - 1)
                for number, bars in enumerate(lists)
            ))  # fmt: skip

        self.show_chart(Chart("classes", draw, tr("Top classes")))


def _drawn(bars: Sequence[Bar], width: float, title: str, last: bool) -> Drawing:
    head = _HEAD_PX if title else 0.0
    top = _TOP_PX + head
    heading = [Label(MARGIN, top - 8, title, "tertiary", bold=True)] if title else []
    shapes = (*heading, *tall_lines(bars, width, top))
    return Drawing("", width, head + len(bars) * TALL_ROW + _TOP_PX * last, shapes)


def _values(rows: Sequence[Classes], softmax: bool) -> tuple[str, ...]:
    """All values as one column of text."""
    amounts = [
        shown_class.probability if softmax else shown_class.value
        for row in rows
        for shown_class in row.top
    ]
    likely = all(row.shares or (softmax and row.logits) for row in rows)
    texts = class_scores.shares(amounts) if likely else class_scores.scores(amounts)
    return tuple(map(units.localized, texts))


def _range(
    row: Classes, softmax: bool, scale: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the values of an empty and a full bar: 0 and 1; of scores the min and the max."""
    values = [shown_class.value for shown_class in row.top if isfinite(shown_class.value)]
    if scale is not None:
        return scale
    if softmax or not row.logits or not values:
        return 0.0, 1.0
    return min(0.0, *values), max(values)


class ScoreBody(QWidget):
    """Opinion scores of speech."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.bars = ClassBars(theme)
        column = column_of(on=self, spacing=8)
        column.addWidget(self.bars)
        column.addWidget(wrapped(tr("Mean opinion score, 1 (bad) to 5 (excellent)"), "caption"))

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        listed = tuple(Class(-1, name, value, 0.0) for name, value in reading.scores)
        rows = (Classes(listed, len(listed), True),)
        self.bars.show_classes(rows, False, (_WORST, _BEST))
