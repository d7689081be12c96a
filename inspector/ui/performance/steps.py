"""The steps of a measurement in a line: those done, the one under way, those to come."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.look import CHECK
from inspector.ui.kit.marks import svg_path
from inspector.ui.kit.theme import Theme, colour, font

STEPS = (
    ("Load", ("start", "devices", "load")),
    ("First prediction", ("first prediction",)),
    ("Warm-up", ("warm-up",)),
    ("Predictions", ("prediction",)),
    ("Profile", ("profile",)),
    ("Layers", ("layers", "synchronize")),
    ("Device support", ("support", "answer")),
)
_DOT, _APART, _BETWEEN = 14, 5, 14


def place_of(step: str) -> int | None:
    """Which of STEPS the engine's step belongs to."""
    found = (place for place, (_, names) in enumerate(STEPS) if step in names)
    return next(found, None)


class MeasureSteps(QWidget):
    """Draws the steps; an unknown one changes nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.current = theme, 0
        self.setFixedHeight(18)
        theme.changed.connect(self.update)

    def show_step(self, step: str) -> None:
        """Mark a step of the engine as under way."""
        place = place_of(step)
        self.current = self.current if place is None else place
        title = STEPS[self.current][0]
        self.setAccessibleName(f"Step {self.current + 1} of {len(STEPS)}: {title}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw dots and words; only the words of the present step where room is short."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(11, 500))
        metrics = painter.fontMetrics()
        widths = [metrics.horizontalAdvance(title) for title, _ in STEPS]
        whole = sum(widths) + len(STEPS) * (_DOT + _APART + _BETWEEN) - _BETWEEN
        x = 0.0
        for place, ((title, _), width) in enumerate(zip(STEPS, widths, strict=True)):
            self._draw_dot(painter, x, place)
            x += _DOT + _APART
            if whole <= self.width() or place == self.current:
                tint = look.text if place == self.current else look.tertiary
                painter.setPen(colour(tint))
                box = QRectF(x, 0, width + 1, self.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, title)
                x += width + _BETWEEN

    def _draw_dot(self, painter: QPainter, x: float, place: int) -> None:
        look = self._theme.palette
        top = (self.height() - _DOT) / 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if place < self.current:
            painter.setPen(QPen(colour(look.good), 1.6, c=Qt.PenCapStyle.RoundCap))
            painter.drawPath(svg_path(CHECK).translated(x, top))
        elif place == self.current:
            painter.setPen(QPen(colour(look.accent), 3))
            painter.drawEllipse(QRectF(x + 3.5, top + 3.5, 7, 7))
        else:
            painter.setPen(QPen(colour(look.tertiary), 1.3))
            painter.drawEllipse(QRectF(x + 4, top + 4, 6, 6))
