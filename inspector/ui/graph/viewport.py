"""The visible part of a drawing, shared by view and minimap."""

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Signal

NEAREST = 2.5  # the largest zoom
MARGIN = 24.0  # px, around a graph that is shown whole
_SLACK = 0.6


class Camera(QObject):
    """The drawing's point in the left upper corner of the view, and pixels per pixel of it.

    follows_to: how far out it goes with a larger drawing that it is zoomed together with.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.corner, self.zoom = QPointF(0, 0), 1.0
        self.follows_to = 1.0
        self.view, self.whole = QSizeF(100, 100), QSizeF(100, 100)

    @property
    def visible(self) -> QRectF:
        """The part of the drawing that is in view."""
        return QRectF(self.corner, self.view / self.zoom)

    @property
    def farthest(self) -> float:
        """Zoom at which all is in view; never more than full size."""
        across = (self.view.width() - 2 * MARGIN) / max(1.0, self.whole.width())
        down = (self.view.height() - 2 * MARGIN) / max(1.0, self.whole.height())
        return max(1e-6, min(1.0, across, down))

    @property
    def middle(self) -> QPointF:
        """The middle of the view, in pixels of the screen."""
        return QPointF(self.view.width() / 2, self.view.height() / 2)

    def to_view(self, point: QPointF) -> QPointF:
        """Return where a point of the drawing is on the screen."""
        return (point - self.corner) * self.zoom

    def to_drawing(self, point: QPointF) -> QPointF:
        """The point of the drawing under a place on the screen."""
        return self.corner + point / self.zoom

    def look(self, corner: QPointF, zoom: float) -> None:
        """Show another part; some of the drawing always stays in view."""
        self.zoom = min(max(zoom, min(self.farthest, self.follows_to)), NEAREST)
        visible = self.view / self.zoom
        self.corner = QPointF(
            _clamped(corner.x(), visible.width(), self.whole.width()),
            _clamped(corner.y(), visible.height(), self.whole.height()),
        )
        self.changed.emit()

    def pan(self, shift: QPointF) -> None:
        """Move by so many pixels of the screen."""
        self.look(self.corner + shift / self.zoom, self.zoom)

    def scale(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom; the point under `at` on the screen stays, by default the middle."""
        place = at or self.middle
        fixed_point = self.to_drawing(place)
        zoom = min(max(self.zoom * factor, min(self.farthest, self.follows_to)), NEAREST)
        self.look(fixed_point - place / zoom, zoom)

    def fit(self) -> None:
        """Show all, in the middle."""
        self.follows_to = 1.0
        self.centre(QRectF(QPointF(0, 0), self.whole), self.farthest)

    def centre(self, box: QRectF, zoom: float) -> None:
        """Bring the middle of a part of the drawing to the middle of the view."""
        zoom = min(max(zoom, self.farthest), NEAREST)
        self.look(box.center() - self.middle / zoom, zoom)

    def reveal(self, box: QRectF, least: float) -> None:
        """Bring a part into view, at least so near; stay where it is well in view."""
        edge = min(32.0, self.view.width() / 8) / self.zoom
        inner = self.visible.adjusted(edge, edge, -edge, -edge)
        if self.zoom < least or not inner.contains(box):
            self.centre(box, max(self.zoom, least))


def _clamped(start: float, visible: float, total: float) -> float:
    """Keep the middle of the view over the drawing."""
    slack = visible * _SLACK
    return min(max(start, -slack), max(total - visible + slack, -slack))
