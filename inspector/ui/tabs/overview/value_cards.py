"""Inputs and outputs as the model declares them; free axes stand out."""

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip

from inspector.model.axes import named_axes
from inspector.model.display_names import fit_line
from inspector.model.model import Axis, TensorInfo
from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.translate import in_sentence, tr
from inspector.ui.widgets.parts import Card, label, row, tip
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

LINE = 46  # px, height
SHOWN = 8  # values
_MOST_PAIRS = 8  # of a value's metadata


class ValueCard(Card):
    """A titled card with a line for each value; many are folded away until asked for."""

    def __init__(self, theme: Theme, title: str, values: tuple[TensorInfo, ...]) -> None:
        super().__init__(theme)
        self.lines = ValueLines(theme, title, values)
        self.body.setSpacing(4)
        self.body.addLayout(
            row(label(title, "heading"), label(units.number(len(values)), "caption"), None)
        )
        self.body.addWidget(self.lines)
        if not values:
            self.body.addWidget(label(tr("None."), "secondary"))
        self.body.addWidget(
            ShowMoreButton(len(values), SHOWN, in_sentence(title), self.lines.show_first)
        )
        self.body.addStretch(1)


class ValueLines(Painted):
    """Two lines of words a value: name and shape, below type and what is special."""

    def __init__(self, theme: Theme, title: str, values: tuple[TensorInfo, ...]) -> None:
        super().__init__(theme)
        self._values, self._shown = values, 0
        self.setAccessibleName(title)
        descriptions = (f"{v.name}: {_kind(v)} {units.shape(v.shape)}" for v in values[:50])
        self.setAccessibleDescription(units.clip("; ".join(descriptions), 2000))
        self.show_first(SHOWN)

    def show_first(self, number: int) -> None:
        """Show so many of the values."""
        self._shown = min(number, len(self._values))
        self.setFixedHeight(self._shown * LINE)

    def event(self, event: QEvent) -> bool:
        """Show the full name and its description from the file as a tooltip."""
        if isinstance(event, QHelpEvent):
            place = event.pos().y() // LINE
            if 0 <= place < self._shown:
                value = self._values[place]
                pairs = (f"{name}: {text}" for name, text in value.metadata[:_MOST_PAIRS])
                QToolTip.showText(
                    event.globalPos(), tip(value.name, value.full_type, value.doc, *pairs), self
                )
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the values that are in view."""
        painter = painter_on(self)
        first, last = event.rect().top() // LINE, event.rect().bottom() // LINE
        for i in range(first, min(last + 1, self._shown)):
            top = i * LINE
            if i:
                tint = qt_color(self._theme.palette.hairline)
                painter.fillRect(QRectF(0, top, self.width(), 1), tint)
            box = QRectF(0, top + 5, self.width(), LINE - 10)
            _paint(painter, box, self._values[i], self._theme.palette)


def _paint(painter: QPainter, box: QRectF, value: TensorInfo, look: Palette) -> None:
    upper, lower = box.adjusted(0, 0, 0, -18), box.adjusted(0, 19, 0, 0)
    right = _paint_shape(painter, upper, value.shape, look) if value.kind == "tensor" else 0.0
    _paint_left(
        painter, upper.adjusted(0, 0, -right - 12, 0), value.name or tr("(no name)"), look
    )
    free = _free(value)
    painter.setFont(font(11))
    painter.setPen(qt_color(look.tertiary))
    side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    painter.drawText(lower, int(side), free)
    available = lower.width() - painter.fontMetrics().horizontalAdvance(free) - 12
    kind = painter.fontMetrics().elidedText(
        _kind(value), Qt.TextElideMode.ElideRight, int(available)
    )
    painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter, kind)


def _paint_left(painter: QPainter, box: QRectF, name: str, look: Palette) -> None:
    painter.setFont(font(13, 500))
    painter.setPen(qt_color(look.text))
    width = painter.fontMetrics().horizontalAdvance
    shown = fit_line(units.clip(name), box.width(), width)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)


def _paint_shape(
    painter: QPainter, box: QRectF, shape: tuple[Axis, ...] | None, look: Palette
) -> float:
    """Draw the axes from the right; returns the width they take."""
    painter.setFont(font(12, mono=True))
    side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    if not shape:
        painter.setPen(qt_color(look.tertiary))
        painter.drawText(box, int(side), units.shape(shape))
        return float(painter.fontMetrics().horizontalAdvance(units.shape(shape)))
    used_width = 0.0
    for i, axis in reversed(list(enumerate(shape))):
        text, fixed = units.shape((axis,)), isinstance(axis, int)
        painter.setPen(qt_color(look.text if fixed else look.accent))
        painter.drawText(box.adjusted(0, 0, -used_width, 0), int(side), text)
        used_width += painter.fontMetrics().horizontalAdvance(text)
        if i:
            painter.setPen(qt_color(look.tertiary))
            painter.drawText(box.adjusted(0, 0, -used_width, 0), int(side), " × ")
            used_width += painter.fontMetrics().horizontalAdvance(" × ")
        if used_width > box.width() * 0.62:
            text = "…" if i else ""
            painter.drawText(box.adjusted(0, 0, -used_width, 0), int(side), text)
            return used_width + painter.fontMetrics().horizontalAdvance(text)
    return used_width


def _kind(value: TensorInfo) -> str:
    """Return what kind of value: 'float32 tensor', with the denotation where the file gives
    one."""
    text = (
        tr("{dtype} tensor").format(dtype=value.dtype)
        if value.kind == "tensor"
        else value.dtype
    )
    if value.kind != "tensor":
        text = value.full_type or text  # of a tensor the tooltip has it, with each axis
    meaning = f"{text} · {value.denotation.lower()}" if value.denotation else text
    return units.clip(meaning, 120)


def _free(value: TensorInfo) -> str:
    """Return which axes the caller chooses."""
    axes = value.shape or ()
    named = [units.axis_size(name) for name in named_axes((value,))]
    unnamed = sum(axis is None or axis == "" for axis in axes)
    text = [units.clip(name, 24) for name in named[:3]]
    text += [tr("more")] if len(named) > 3 else []
    text += [tr("{unnamed} unnamed").format(unnamed=unnamed)] if unnamed else []
    return tr("dynamic: {text}").format(text=", ".join(text)) if text else ""
