"""The lanes of a timeline: painting, and pointer, wheel and keyboard input."""

from functools import partial

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu

from inspector.ui import units
from inspector.ui.timeline.model import span_facts
from inspector.ui.timeline.model.geometry import GUTTER, RIGHT, Band, Bar, Scale
from inspector.ui.timeline.model.predictions import Iterations
from inspector.ui.timeline.model.span_search import nearest_edge
from inspector.ui.timeline.model.state import TimelineState, TimeWindow
from inspector.ui.timeline.render.canvas import (
    draw_arrows,
    draw_ground,
    draw_measured,
    draw_rows,
    gap_at,
    within,
)
from inspector.ui.timeline.render.rows import draw_outline, span_boxes
from inspector.ui.timeline.widget import gutter
from inspector.ui.translate import tr
from inspector.ui.widgets.accessible import forget_items, tell_current
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.parts import explain_entries, set_available
from inspector.ui.widgets.theme import Painted, Theme, qt_color

_ZOOM = 0.8  # factor of one step
_PAN = 0.12  # share of the visible time, one step
_Key = Qt.Key
# Plus and equals are one key on some keyboards, minus and underscore as well.
_CLOSER = (_Key.Key_W, _Key.Key_Plus, _Key.Key_Equal)
_FARTHER = (_Key.Key_S, _Key.Key_Minus, _Key.Key_Underscore)
_EARLIER = (_Key.Key_A, _Key.Key_Left)
_LATER = (_Key.Key_D, _Key.Key_Right)
_NEAR = 2.0  # px, to hit a span
_STILL = 4.0  # px, until a press becomes a drag
_SNAP = 7.0  # px, to snap to an edge
_WITH = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_MOST_ITEMS = 2000  # events in view that a screen reader can list; more are found by zooming in
_FOLDS = 16  # pixels at the left of a name where a click folds


def moved(window: TimeWindow, key: Qt.Key) -> bool:
    """Zoom or pan as a key says; whether it is one of these.

    W S and plus minus zoom, A D and the arrows pan, Home and End go to both ends.
    """
    step, whole = _PAN * window.length_ns, window.whole_ns
    if key in _CLOSER or key in _FARTHER:
        window.zoom(_ZOOM if key in _CLOSER else 1 / _ZOOM)
    elif key in _EARLIER or key in _LATER:
        window.pan(step if key in _LATER else -step)
    elif key in (_Key.Key_Home, _Key.Key_End):
        window.pan(whole if key is _Key.Key_End else -whole)
    else:
        return False
    return True


HoverText = tuple[str, span_facts.Facts]


def span_hover(state: TimelineState, index: int, others: int) -> HoverText:
    """The facts of a span, or of a step of all predictions; `others` share its pixel."""
    span = state.traced.trace.span(index)
    overlaid = state.overlaid
    if overlaid is None:
        return span_facts.title(span), span_facts.facts(span, state.traced, others)
    return span_facts.title(span), overlaid.facts(state.place(index))


def band_hover(state: TimelineState, band: Band, scale: Scale, x: float) -> HoverText | None:
    """A name that was cut, what a counter holds, or how long nothing happens; else nothing.

    What lies between the medians of all predictions was never measured.
    """
    title = units.clip(band.title, 80)
    if x < scale.left:
        heading = (
            tr("Max in visible range")
            if band.counter is not None
            else tr("Busy in visible range")
        )
        rows = ((heading, gutter.busy_text(band, scale)),)
        return (title, rows) if gutter.is_cut(band, scale) else None
    instant = scale.instant(x)
    if band.counter is not None:
        value = band.counter.at(instant)
        value_text = "–" if value is None else gutter.counted(value, band.counter.unit)
        return title, ((tr("Value"), value_text), (tr("At"), units.duration(instant)))
    measured = band.work if state.overlaid is None else None
    gap = None if measured is None else gap_at(measured, instant)
    if gap is None or gap[1] - gap[0] < 2 * scale.step_ns:
        return None
    begin, end = gap
    facts = ((tr("Start"), units.duration(begin)), (tr("End"), units.duration(end)))
    return tr("Idle for {duration}").format(duration=units.duration(end - begin)), facts


class _Drag(Struct):
    """The action of the pressed button: it marks, or pans after a few pixels."""

    point: QPointF
    instant_ns: float
    marks: bool
    moved: bool = False


class Lanes(Painted):
    """Shows bands of a timeline within a window of time; what is picked is selected.

    All spans are indices into the trace as it was opened, however its rows are grouped.
    searched: asked for with the key that begins a search. leader: other lanes, beside a bar
    to scroll with, that these have to be in line with.
    """

    range_changed = Signal()
    searched = Signal()
    ITEM_ROLES = (QAccessible.Role.List, QAccessible.Role.ListItem)  # events in view

    def __init__(
        self,
        theme: Theme,
        state: TimelineState,
        bands: tuple[Band, ...],
        run_lists: tuple[Iterations, ...] = (),
    ) -> None:
        super().__init__(theme)
        self.state, self._run_lists = state, run_lists
        self._window = state.window
        self.leader: Lanes | None = None
        self.hovered: int | None = None
        self._under: Band | None = None
        self._chosen = ""
        self._drag: _Drag | None = None
        self._pointer: QPointF | None = None
        self._names = gutter.Names()
        self._events: tuple[tuple[object, ...], list[int]] = ((), [])
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Timeline"))
        self.show_bands(bands)
        state.changed.connect(self._refresh)
        state.range_changed.connect(self.range_changed)
        self._refresh()

    @property
    def marked(self) -> tuple[float, float] | None:
        """The stretch of time that is marked, in nanoseconds."""
        return self.state.marked

    @property
    def selected_span(self) -> int | None:
        """The span that is outlined."""
        return self.state.selected_span

    @property
    def scale(self) -> Scale:
        """Return the scale from time to pixels of this widget."""
        width = max(1, (self.leader or self).width() - GUTTER - RIGHT)
        return Scale(self._window.begin_ns, self._window.end_ns, GUTTER, width)

    def show_bands(self, bands: tuple[Band, ...]) -> None:
        """Show others; as high as they are."""
        self.bands = bands
        self._bars = tuple(bar for band in bands for bar in band.bars)
        self._under = self.hovered = None
        self.setFixedHeight(bands[-1].bottom if bands else 40)
        self.update()

    def bar_at(self, y: float) -> Bar | None:
        """The row under a height, a little more than it is drawn."""
        return next((b for b in self._bars if b.top - 1 <= y < b.top + b.height + 1), None)

    def band_at(self, y: float) -> Band | None:
        """The band under a height."""
        return next((band for band in self.bands if band.top <= y < band.bottom), None)

    def span_at(self, point: QPointF) -> int | None:
        """The span under a point, or one very near; an index into the trace."""
        bar, scale = self.bar_at(point.y()), self.scale
        if bar is None or point.x() < scale.left:
            return None
        for near in (0.5, _NEAR):
            begin, end = scale.instant(point.x() - near), scale.instant(point.x() + near)
            span = bar.row.longest(begin, end)
            if span is not None:
                return self.state.original(span)
        return None

    def box_of(self, span: int) -> QRectF:
        """Return where a span is drawn; empty where its row is not shown here."""
        place = self.state.place(span)
        if place < 0:
            return QRectF()
        candidates = (bar for bar in self._bars if bar.row.first <= place < bar.row.last)
        bar = next(candidates, None)
        boxes = span_boxes(self.state.detail, [place], bar, self.scale) if bar else ()
        return next((box for _, box in boxes), QRectF())

    def pick(self, span: int | None) -> None:
        """Select a span with its layer, or nothing."""
        self.state.pick(span)

    def step(self, step: int) -> None:
        """Select a neighbor of the selected span in its row; without one, any in view."""
        state = self.state
        if state.selected_span is None:
            window = self._window
            rows = [bar.row for bar in reversed(self._bars) if not bar.row.partitions]
            spans = (row.longest(window.begin_ns, window.end_ns) for row in rows)
            place = next((span for span in spans if span is not None), None)
            self.pick(None if place is None else state.original(place))
            return
        place = state.place(state.selected_span)
        row = state.detail.row_of(max(place, 0))
        if row.first <= place + step < row.last:
            self.pick(state.original(place + step))

    def mark(self, begin_ns: float, end_ns: float) -> None:
        """Mark a stretch of time; an empty one marks nothing."""
        self.state.mark(begin_ns, end_ns)

    def frame_span(self, span: int | None) -> None:
        """Let a span fill the window."""
        if span is not None:
            place, trace = self.state.place(span), self.state.detail.trace
            start = int(trace.start_ns[place])
            self._window.frame(start, start + int(trace.duration_ns[place]))

    def collect_and_trim(self) -> None:
        """Take away what was begun, the mark, the search or else the selection."""
        state = self.state
        if state.anchor is not None:
            state.set_anchor(None)
        elif state.marked is not None:
            state.mark(0, 0)
        else:
            state.selection.choose()

    def fit(self) -> None:
        """Let the marked range fill the window, else the selected span; all if it does so."""
        window, before = self._window, (self._window.begin_ns, self._window.end_ns)
        if self.marked is not None:
            window.frame(*self.marked)
        else:
            self.frame_span(self.selected_span)
        if before == (window.begin_ns, window.end_ns):
            window.fit()

    def measure(self) -> None:
        """Begin a measurement, or end it: at the pointer, else with the selected span.

        The pointer on the selected span means that span, too.
        """
        point = None if self.hovered == self.selected_span else self._pointer
        self.state.measure(None if point is None else self._snapped(point))

    def fold(self, band: Band) -> None:
        """Fold a band to a line, or unfold it."""
        self.state.arrange(self.state.arrangement.fold(band.key))

    def pin(self, band: Band) -> None:
        """Keep a band on top of all, or let it go."""
        if not band.head:
            self.state.arrange(self.state.arrangement.pin(band.key))

    def events_in_view(self) -> list[int]:
        """Return spans in view, from the top row down and by time; of many, the first ones."""
        window = self._window
        key = (self.bands, window.begin_ns, window.end_ns)
        if self._events[0] != key:
            forget_items(self)
            start, state = self.state.detail.trace.start_ns, self.state
            found: list[int] = []
            for bar in self._bars:
                row = bar.row
                begins = start[row.first : row.last]
                first = max(0, int(np.searchsorted(begins, window.begin_ns, "right")) - 1)
                last = int(np.searchsorted(begins, window.end_ns, "right"))
                last = min(last, first + _MOST_ITEMS - len(found))
                found += [state.original(row.first + n) for n in range(first, last)]
            self._events = (key, found)
        return self._events[1]

    def item_count(self) -> int:
        """Return the number of events in view, for screen readers."""
        return len(self.events_in_view())

    def item_name(self, number: int) -> str:
        """Return the facts on an event."""
        span = self.state.traced.trace.span(self.events_in_view()[number])
        return span_facts.sentence(span, self.state.traced)

    def item_box(self, number: int) -> QRect:
        """Return where an event is drawn."""
        return self.box_of(self.events_in_view()[number]).toAlignedRect()

    def current_item(self) -> int:
        """Return the selected event; -1 if none is in view."""
        span, events = self.selected_span, self.events_in_view()
        return events.index(span) if span is not None and span in events else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, a drag or, with shift, a mark."""
        if event.button() is Qt.MouseButton.LeftButton:
            marks = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            point = event.position()
            free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            snaps = marks and not free
            instant = self._snapped(point) if snaps else self.scale.instant(point.x())
            self._drag = _Drag(point, instant, marks)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark, pan, or describe the span under the pointer."""
        point, drag = event.position(), self._drag
        self._pointer = point if point.x() >= GUTTER else None
        self._update_hover(point if drag is None else None)
        if drag is None:
            return
        now = self.scale.instant(point.x())
        if drag.marks:
            free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            self.mark(drag.instant_ns, now if free else self._snapped(point))
        elif drag.moved or abs(point.x() - drag.point.x()) > _STILL:
            drag.moved = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._window.pan(drag.instant_ns - now)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; where there was none, select what was clicked."""
        drag, self._drag = self._drag, None
        self.unsetCursor()
        if drag is None or drag.moved or drag.marks:
            return
        if not self._click_name(event.position()):
            if self.marked is not None:
                self.mark(0, 0)
            self.pick(self.span_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Let the span under the pointer fill the window."""
        self.frame_span(self.span_at(event.position()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a span and with its band."""
        band = self.band_at(event.pos().y())
        if band is not None:
            menu = QMenu(self)
            explain_entries(menu)
            span = self.span_at(QPointF(event.pos()))
            if span is not None:
                self.pick(span)
                name = str(span_hover(self.state, span, 0)[0])
                clipboard = QGuiApplication.clipboard()
                menu.addAction(tr("Copy name"), partial(clipboard.setText, name))
                menu.addAction(tr("Zoom to this layer"), partial(self.frame_span, span))
                menu.addSeparator()
            menu.addAction(
                tr("Expand") if band.folded else tr("Collapse"), partial(self.fold, band)
            )
            label = tr("Unpin") if band.pinned else tr("Pin to top")
            pin = menu.addAction(label, partial(self.pin, band))
            set_available(
                pin, tr("A heading cannot be pinned; pin its lanes") if band.head else ""
            )
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom to the pointer with Ctrl, else leave it to the page; a sideways wheel pans."""
        delta, scale = event.angleDelta(), self.scale
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if abs(delta.x()) > abs(delta.y()):
            self._window.pan(-delta.x() * scale.step_ns)
        elif not zooms:
            event.ignore()
            return
        else:
            at = scale.instant(max(scale.left, event.position().x()))
            self._window.zoom(1.0015 ** -delta.y(), at)
        self._update_hover(event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """[ ] step through a row, M measures, Return frames; others move the window of time.

        Up and down choose a band, space folds it, P pins it, / searches, Escape lets go.
        """
        key = Qt.Key(event.key())
        if event.text() in ("[", "]"):  # on some keyboards only together with AltGr
            self.step(-1 if event.text() == "[" else 1)
        elif event.text() == "/":
            self.searched.emit()
        elif event.modifiers() & ~_WITH or not (
            moved(self._window, key) or self._other_key(key)
        ):
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the hover state."""
        self._pointer = None
        self._update_hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that keys go here."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys go elsewhere."""
        self._chosen = ""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names, grid, spans, mark and selection."""
        palette, scale, state = self._theme.palette, self.scale, self.state
        bands = within(self.bands, part := event.rect())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        behind = draw_ground(
            painter, state, self._run_lists, bands, scale, self.height(), palette, part
        )
        gutter.draw_bands(painter, bands, scale, palette)
        painter.setClipRect(QRectF(scale.left, 0, scale.width, self.height()))
        draw_rows(painter, state, bands, scale, palette, part, self._run_lists, behind)
        if self.hovered is not None and self.hovered != self.selected_span:
            draw_outline(painter, self.box_of(self.hovered), 1.0, palette)
        if self.selected_span is not None:
            draw_arrows(painter, state.traced.trace, self.selected_span, self.box_of, palette)
            draw_outline(painter, self.box_of(self.selected_span), 2.0, palette)
        draw_measured(painter, state, scale, self.height(), palette)
        painter.setClipping(False)
        self._names.draw(painter, bands, scale, palette, self._under, self._chosen)
        painter.fillRect(
            QRectF(scale.left - 1, 0, 1, self.height()), qt_color(palette.hairline)
        )
        if self.hasFocus():
            painter.setPen(qt_color(palette.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.5, 0.5, -2.5, -0.5), 4, 4)

    def _other_key(self, key: Qt.Key) -> bool:
        chosen = next((band for band in self.bands if band.key == self._chosen), None)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.frame_span(self.selected_span)
        elif key is Qt.Key.Key_Escape:
            self.collect_and_trim()
        elif key is Qt.Key.Key_F:
            self.fit()
        elif key is Qt.Key.Key_M:
            self.measure()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._choose_band(-1 if key is Qt.Key.Key_Up else 1)
        elif key is Qt.Key.Key_Space and chosen is not None:
            self.fold(chosen)
        elif key is Qt.Key.Key_P and chosen is not None:
            self.pin(chosen)
        else:
            return False
        return True

    def _choose_band(self, step: int) -> None:
        keys = [band.key for band in self.bands]
        if keys:
            now = keys.index(self._chosen) if self._chosen in keys else -1 if step > 0 else 0
            band = self.bands[(now + step) % len(keys)]
            self._chosen = band.key
            folded = tr(", collapsed") if band.folded else ""
            busy = gutter.busy_text(band, self.scale)
            self.setAccessibleDescription(f"{units.clip(band.title, 80)}, {busy}{folded}")
            self.update()

    def _click_name(self, point: QPointF) -> bool:
        """Fold or pin, where a click on a name means that."""
        band = self.band_at(point.y())
        if band is None or point.x() >= GUTTER:
            return False
        if not band.head and gutter.pin_box(band, self.scale).contains(point):
            self.pin(band)
        elif band.head or point.x() < _FOLDS:
            self.fold(band)
        else:
            return False
        return True

    def _snapped(self, point: QPointF) -> float:
        """The instant at a point, or the edge of a span very near: of its row, else of any."""
        scale, bar = self.scale, self.bar_at(point.y())
        instant, within = scale.instant(point.x()), _SNAP * scale.step_ns
        for rows in ([bar.row] if bar else [], [bar.row for bar in self._bars]):
            edge = nearest_edge(rows, instant, within)
            if edge != instant:
                return edge
        return instant

    def _refresh(self) -> None:
        """Describe the selection to screen readers, and repaint."""
        traced, span = self.state.traced, self.selected_span
        description = (
            "" if span is None else span_facts.sentence(traced.trace.span(span), traced)
        )
        if description or not self._chosen:
            self.setAccessibleDescription(description or tr(span_facts.NOTHING))
        if span is not None:
            tell_current(self)
        self.update()

    def _update_hover(self, point: QPointF | None) -> None:
        """Show what is known of what is under the pointer."""
        span = under = hover_text = None
        if point is not None:
            band = self.band_at(point.y())
            span, under = self.span_at(point), band if point.x() < GUTTER else None
            if span is not None:
                hover_text = span_hover(self.state, span, self._others(point))
            elif band is not None:
                hover_text = band_hover(self.state, band, self.scale, point.x())
        if hover_text is None or point is None:
            self.hover.hide()
        else:
            self.hover.show_facts(point.toPoint(), *hover_text)
        if span != self.hovered or under is not self._under:
            self.hovered, self._under = span, under
            self.update()

    def _others(self, point: QPointF) -> int:
        """Return how many more spans are under the same pixel."""
        bar, scale = self.bar_at(point.y()), self.scale
        begin, end = scale.instant(point.x() - 0.5), scale.instant(point.x() + 0.5)
        return 0 if bar is None else bar.row.strip.count(begin, end) - 1
