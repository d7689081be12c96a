"""The lanes of a timeline: drawn by itself, moved by pointer, wheel and keys."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from inspector import look
from inspector.detail import Detail
from inspector.trace import Traced
from inspector.ui.kit.hover import Hover
from inspector.ui.kit.theme import Theme, colour
from inspector.ui.selection import Selection
from inspector.ui.timeline import span_facts
from inspector.ui.timeline.axis import draw_grid
from inspector.ui.timeline.gutter import draw_bands
from inspector.ui.timeline.layout import GUTTER, RIGHT, Band, Bar, Scale
from inspector.ui.timeline.paint import Brushes, draw_bar, draw_mark, draw_outline, span_boxes
from inspector.ui.timeline.window import TimeWindow

_NEAR, _STILL = 2.0, 4.0
_LEAST_SHARE = 0.012
_ZOOM, _PAN = 0.8, 0.12


@dataclass(slots=True)
class _Drag:
    """What the pressed button does: it marks, or pans once it has moved far enough."""

    point: QPointF
    instant_ns: float
    marks: bool
    moved: bool = False


class Lanes(QWidget):
    """Shows the spans of a trace within a window of time; what is picked is selected.

    marked: stretch of time that is marked, in nanoseconds. shown: span that is outlined: the
    selected one, or the one of the selected layer.
    """

    range_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        traced: Traced,
        detail: Detail,
        bands: tuple[Band, ...],
        window: TimeWindow,
        selection: Selection,
    ) -> None:
        super().__init__()
        self._theme, self._traced, self._detail = theme, traced, detail
        self._bands, self._window, self._selection = bands, window, selection
        self._bars = tuple(bar for band in bands for bar in band.bars)
        self.marked: tuple[float, float] | None = None
        self.shown: int | None = None
        self.hovered: int | None = None
        self._drag: _Drag | None = None
        self.hover = Hover(theme, self)
        self.setFixedHeight(bands[-1].bottom if bands else 40)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Timeline")
        window.changed.connect(self.update)
        theme.changed.connect(self.update)
        selection.changed.connect(self._follow)
        self._follow()

    @property
    def scale(self) -> Scale:
        """From time to pixels of this widget."""
        width = max(1, self.width() - GUTTER - RIGHT)
        return Scale(self._window.begin_ns, self._window.end_ns, GUTTER, width)

    def bar_at(self, y: float) -> Bar | None:
        """The row under a height, a little more than it is drawn."""
        return next((b for b in self._bars if b.top - 1 <= y < b.top + b.height + 1), None)

    def span_at(self, point: QPointF) -> int | None:
        """The span under a point, or one very near; an index into the trace."""
        bar, scale = self.bar_at(point.y()), self.scale
        if bar is None or point.x() < scale.left:
            return None
        for near in (0.5, _NEAR):
            begin, end = scale.instant(point.x() - near), scale.instant(point.x() + near)
            found = bar.row.longest(begin, end)
            if found is not None:
                return found
        return None

    def box_of(self, span: int) -> QRectF:
        """Where a span is drawn."""
        row = self._detail.row_of(span)
        bar = next((bar for bar in self._bars if bar.row is row), None)
        boxes = span_boxes(self._detail, [span], bar, self.scale) if bar else ()
        return next((box for _, box in boxes), QRectF())

    def pick(self, span: int | None) -> None:
        """Select a span with its layer, or nothing."""
        layer = -1 if span is None else int(self._detail.trace.layer[span])
        self._selection.choose(layer if layer >= 0 else None, span)

    def step(self, by: int) -> None:
        """Select a neighbour of the selected span in its row; without one, any in view."""
        if self.shown is None:
            window = self._window
            rows = [bar.row for bar in reversed(self._bars) if not bar.row.partitions]
            found = (row.longest(window.begin_ns, window.end_ns) for row in rows)
            self.pick(next((span for span in found if span is not None), None))
            return
        row = self._detail.row_of(self.shown)
        if row.first <= self.shown + by < row.last:
            self.pick(self.shown + by)

    def mark(self, begin_ns: float, end_ns: float) -> None:
        """Mark a stretch of time; an empty one marks nothing."""
        low, high = sorted((begin_ns, end_ns))
        self.marked = (low, high) if high > low else None
        self.range_changed.emit()
        self.update()

    def frame_span(self, span: int | None) -> None:
        """Let a span fill the window."""
        if span is not None:
            start = int(self._detail.trace.start_ns[span])
            self._window.frame(start, start + int(self._detail.trace.duration_ns[span]))

    def let_go(self) -> None:
        """Take away the mark; without one, the selection."""
        if self.marked is not None:
            self.mark(0, 0)
        else:
            self._selection.choose()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, a drag or, with shift, a mark."""
        if event.button() is Qt.MouseButton.LeftButton:
            marks = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            instant = self.scale.instant(event.position().x())
            self._drag = _Drag(event.position(), instant, marks)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark, pan, or tell what is under the pointer."""
        point, drag = event.position(), self._drag
        self._tell(point if drag is None else None)
        if drag is None:
            return
        now = self.scale.instant(point.x())
        if drag.marks:
            self.mark(drag.instant_ns, now)
        elif drag.moved or abs(point.x() - drag.point.x()) > _STILL:
            drag.moved = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._window.pan(drag.instant_ns - now)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; where there was none, select what was clicked."""
        drag, self._drag = self._drag, None
        self.unsetCursor()
        if drag is not None and not drag.moved and not drag.marks:
            if self.marked is not None:
                self.mark(0, 0)
            self.pick(self.span_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Let the span under the pointer fill the window."""
        self.frame_span(self.span_at(event.position()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom to the pointer; a sideways wheel pans."""
        turn, scale = event.angleDelta(), self.scale
        if abs(turn.x()) > abs(turn.y()):
            self._window.pan(-turn.x() * scale.step_ns)
        else:
            at = scale.instant(max(scale.left, event.position().x()))
            self._window.zoom(1.0015 ** -turn.y(), at)
        self._tell(event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """W S zoom, A D pan, F all, [ ] step through a row, Return frames, Escape lets go."""
        window, key = self._window, Qt.Key(event.key())
        shift = _PAN * window.length_ns
        if event.text() in ("[", "]"):  # on some keyboards only together with AltGr
            self.step(-1 if event.text() == "[" else 1)
        elif event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_W, Qt.Key.Key_S):
            window.zoom(_ZOOM if key is Qt.Key.Key_W else 1 / _ZOOM)
        elif key in (Qt.Key.Key_A, Qt.Key.Key_D, Qt.Key.Key_Left, Qt.Key.Key_Right):
            window.pan(-shift if key in (Qt.Key.Key_A, Qt.Key.Key_Left) else shift)
        elif key is Qt.Key.Key_F:
            window.fit()
        elif key is Qt.Key.Key_Return:
            self.frame_span(self.shown)
        elif key is Qt.Key.Key_Escape:
            self.let_go()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._tell(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that keys go here."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys go elsewhere."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names, grid, spans, mark and selection."""
        palette, scale = self._theme.palette, self.scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), colour(palette.surface))
        draw_grid(painter, scale, self.height(), palette)
        draw_bands(painter, self._detail, self._bands, scale, palette)
        painter.setClipRect(QRectF(scale.left, 0, scale.width, self.height()))
        for band in self._bands:
            if band.bottom >= event.rect().top() and band.top <= event.rect().bottom():
                self._draw_band(painter, band, scale)
        if self.marked is not None:
            draw_mark(painter, self.marked, scale, self.height(), palette)
        if self.hovered is not None and self.hovered != self.shown:
            draw_outline(painter, self.box_of(self.hovered), 1.0, palette)
        if self.shown is not None:
            draw_outline(painter, self.box_of(self.shown), 2.0, palette)
        painter.setClipping(False)
        painter.fillRect(QRectF(scale.left - 1, 0, 1, self.height()), colour(palette.hairline))
        if self.hasFocus():
            painter.setPen(colour(palette.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.5, 0.5, -2.5, -0.5), 4, 4)

    def _draw_band(self, painter: QPainter, band: Band, scale: Scale) -> None:
        palette = self._theme.palette
        own = palette.lane(self._detail.trace.tracks[band.track].family)
        for bar in band.bars:
            fill = look.mix(own, palette.surface, bar.fade)
            brushes = Brushes(fill, palette, self.devicePixelRatioF())
            draw_bar(painter, self._detail, bar, scale, brushes)

    def _follow(self) -> None:
        """Outline what is selected, and bring it into view."""
        now = self._selection.now
        known = now.span is not None and now.span < len(self._detail.trace)
        self.shown = now.span if known else self._span_of(now.layer)
        if self.shown is not None:
            span = self._detail.trace.span(self.shown)
            least = 1e-9 if known else _LEAST_SHARE  # what was clicked here can be seen
            self._window.reveal(span.start_ns, span.start_ns + span.duration_ns, least)
            self.setAccessibleDescription(span_facts.sentence(span, self._traced))
        self.update()

    def _span_of(self, layer: int | None) -> int | None:
        """The span that holds the time of a layer: its own, or that of the group it is in."""
        use = span_facts.layer_of(self._traced, layer)
        if layer is None or use is None:
            return None
        window = self._window
        own = self._detail.span_of(layer, window.begin_ns, window.end_ns)
        if own is not None or use.into is None:
            return own
        return self._detail.span_of(use.into, window.begin_ns, window.end_ns)

    def _tell(self, point: QPointF | None) -> None:
        """Show the facts of the span under the pointer."""
        span = None if point is None else self.span_at(point)
        if span is not None and point is not None:
            known = self._detail.trace.span(span)
            facts = span_facts.facts(known, self._traced, self._others(point))
            self.hover.show_facts(point.toPoint(), span_facts.title(known), facts)
        else:
            self.hover.hide()
        if span != self.hovered:
            self.hovered = span
            self.update()

    def _others(self, point: QPointF) -> int:
        """How many more spans lie under the same pixel."""
        bar, scale = self.bar_at(point.y()), self.scale
        begin, end = scale.instant(point.x() - 0.5), scale.instant(point.x() + 0.5)
        return 0 if bar is None else bar.row.strip.count(begin, end) - 1
