"""State shared by the parts of one timeline: visible window, rows, selection, search."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from inspector.trace.trace import TraceSource
from inspector.trace.trace_rows import LevelOfDetail, Row, extent
from inspector.ui.selection import Selection
from inspector.ui.timeline.model import span_facts
from inspector.ui.timeline.model.geometry import Arrangement
from inspector.ui.timeline.model.median_overlay import MedianOverlay
from inspector.ui.timeline.model.row_grouping import Regrouped
from inspector.ui.timeline.model.span_search import (
    Rows,
    SearchResult,
    SearchResultRows,
    search_result_rows,
)
from inspector.ui.timeline.render.rows import Hits

SHORTEST_NS = 200.0  # shortest visible time
_MARGIN = 0.04  # share of a framed span, on both sides
_KEPT = 31 << 20  # bytes; the C library learns from no more than 32 MiB
_LEAST_SHARE = 0.012  # of the width, from which a span is easy to see


class TimeWindow(QObject):
    """The visible time range in nanoseconds, within the whole trace; emits `changed`."""

    changed = Signal()

    def __init__(self, first_ns: float, last_ns: float) -> None:
        super().__init__()
        self.first_ns, self.last_ns = float(first_ns), float(last_ns)
        self.begin_ns, self.end_ns = self.first_ns, self.last_ns

    @property
    def length_ns(self) -> float:
        """The visible duration in nanoseconds."""
        return self.end_ns - self.begin_ns

    @property
    def whole_ns(self) -> float:
        """The duration of the whole trace in nanoseconds."""
        return self.last_ns - self.first_ns

    def show(self, begin_ns: float, end_ns: float, margin: float = 0.0) -> None:
        """Show a part and, on both sides, a margin as a share of it."""
        around = (end_ns - begin_ns) * margin
        shortest = min(SHORTEST_NS, self.whole_ns)
        length = min(max(end_ns - begin_ns + 2 * around, shortest), self.whole_ns)
        middle = (begin_ns + end_ns) / 2
        begin = min(max(middle - length / 2, self.first_ns), self.last_ns - length)
        if (begin, begin + length) != (self.begin_ns, self.end_ns):
            self.begin_ns, self.end_ns = begin, begin + length
            self.changed.emit()

    def frame(self, begin_ns: float, end_ns: float) -> None:
        """Show a span or a prediction with a little of what is around it."""
        self.show(begin_ns, end_ns, _MARGIN)

    def set_range(self, first_ns: float, last_ns: float) -> None:
        """Take over another whole range, and show all of it."""
        self.first_ns, self.last_ns = float(first_ns), float(last_ns)
        self.begin_ns, self.end_ns = self.first_ns, self.last_ns
        self.changed.emit()

    def fit(self) -> None:
        """Show all."""
        self.show(self.first_ns, self.last_ns)

    def zoom(self, factor: float, at_ns: float | None = None) -> None:
        """Show `factor` times as much time; the instant `at_ns` stays where it is."""
        at = (self.begin_ns + self.end_ns) / 2 if at_ns is None else at_ns
        shortest = min(SHORTEST_NS, self.whole_ns)
        length = min(max(self.length_ns * factor, shortest), self.whole_ns)
        begin = at - (at - self.begin_ns) * length / self.length_ns
        self.show(begin, begin + length)

    def pan(self, shift_ns: float) -> None:
        """Show as much time, so much later; stops at both ends."""
        room_left, room_right = self.first_ns - self.begin_ns, self.last_ns - self.end_ns
        shift = min(max(shift_ns, room_left), room_right)
        self.show(self.begin_ns + shift, self.end_ns + shift)

    def reveal(self, begin_ns: float, end_ns: float, least_share: float) -> None:
        """Bring a span into view, no smaller than a share of the width; else stay."""
        length = max(end_ns - begin_ns, 1.0)
        new_length = min(max(self.length_ns, length * 1.5), length / least_share)
        is_visible = self.begin_ns <= begin_ns and end_ns <= self.end_ns
        if not is_visible or new_length != self.length_ns:
            middle = (begin_ns + end_ns) / 2
            self.show(middle - new_length / 2, middle + new_length / 2)


def keep_pages() -> None:
    """Make the C library keep freed memory from now on, up to twice as much.

    glibc gives large pieces back to the system at once, and learns from the largest one that
    was freed, up to its own limit, to keep such as are smaller (`man 3 mallopt`, under
    M_MMAP_THRESHOLD). This one is never written to, so that it has no pages.
    """
    np.empty(_KEPT, np.uint8)


class TimelineState(QObject):
    """The state of a timeline; spans are numbered as in the trace that was opened.

    marked: the selected time range. anchor: where a measurement began. Both in nanoseconds.
    selected_span: the outlined span: the selected one, or that of the selected layer.
    """

    changed = Signal()  # to be drawn again
    range_changed = Signal()
    arranged = Signal()  # other bands

    def __init__(
        self,
        traced: TraceSource,
        detail: LevelOfDetail,
        window: TimeWindow,
        selection: Selection,
    ) -> None:
        super().__init__()
        keep_pages()
        self.traced, self.window, self.selection = traced, window, selection
        self.whole = self.detail = detail
        self.arrangement = Arrangement()
        self.marked: tuple[float, float] | None = None
        self.anchor: float | None = None
        self.selected_span: int | None = None
        self.search_result: SearchResult | None = None
        self.overlaid: MedianOverlay | None = None
        self._regrouped: Regrouped | None = None
        self._before = window.begin_ns, window.end_ns
        self._extent = window.first_ns, window.last_ns
        self._matching_rows: tuple[SearchResultRows, ...] = ()
        selection.changed.connect(self.follow)
        window.changed.connect(self.changed)
        self.follow()

    def arrange(self, arrangement: Arrangement, rows: Regrouped | None = None) -> None:
        """Arrange the rows in another way; `rows`: regrouped spans, where it needs them."""
        if arrangement.grouping is not self.arrangement.grouping:
            arrangement = replace(arrangement, folded=frozenset(), pinned=frozenset())
            self._put(rows or self.overlaid)
        self.arrangement = arrangement
        self.arranged.emit()
        self.changed.emit()

    def overlay(self, rows: MedianOverlay | None) -> None:
        """Show the median of all predictions or, for None, all of them one after the other."""
        before, self.overlaid = self.overlaid, rows
        if rows is before:
            return
        self.anchor = self.marked = None
        self._put(self.overlaid)
        if self.overlaid is not None:
            self._before = self.window.begin_ns, self.window.end_ns
            self.window.set_range(*extent(self.detail.trace))
        else:
            self.window.set_range(*self._extent)
            self.window.show(*self._before)
        self.arrange(replace(self.arrangement, folded=frozenset(), pinned=frozenset()))
        self.range_changed.emit()

    @property
    def present(self) -> TraceSource:
        """The trace shown now, with its layers."""
        return self.traced if self.overlaid is None else self.overlaid

    def place(self, span: int) -> int:
        """Return where a span is among the rows as they are grouped now; -1 for nowhere."""
        return span if self._regrouped is None else int(self._regrouped.places[span])

    def original(self, place: int) -> int:
        """The span at a place of the rows as they are grouped now."""
        return place if self._regrouped is None else int(self._regrouped.order[place])

    def pick(self, span: int | None) -> None:
        """Select a span with its layer, or nothing."""
        layer = -1 if span is None else int(self.traced.trace.layer[span])
        self.selection.choose(layer if layer >= 0 else None, span)

    def mark(self, begin_ns: float, end_ns: float) -> None:
        """Mark a stretch of time; an empty one marks nothing."""
        low, high = sorted((begin_ns, end_ns))
        self.marked = (low, high) if high > low else None
        self.range_changed.emit()
        self.changed.emit()

    def set_anchor(self, instant_ns: float | None) -> None:
        """Begin a measurement at an instant, or give it up."""
        self.anchor = instant_ns
        self.changed.emit()

    def measure(self, at_ns: float | None) -> None:
        """Begin a measurement, or end it: at an instant, else with the selected span.

        A span is marked at once; a second one extends the mark to its end.
        """
        place = -1 if self.selected_span is None else self.place(self.selected_span)
        span = self.detail.trace.span(place) if place >= 0 else None
        begin = at_ns if at_ns is not None else span.start_ns if span else None
        if begin is None:
            return
        if self.anchor is None:
            self.set_anchor(begin)
            if at_ns is None and span is not None:
                self.mark(begin, begin + span.duration_ns)
            return
        end = begin if at_ns is not None or span is None else begin + span.duration_ns
        anchor = self.anchor
        self.set_anchor(None)
        self.mark(min(anchor, begin), max(anchor, end))

    @property
    def rows(self) -> Rows:
        """The rows shown now with their source."""
        return self._regrouped or self.whole

    def show_search_result(self, result: SearchResult | None, *rows: SearchResultRows) -> None:
        """Highlight the matches; `rows`: their rows, which may take long to compute."""
        self.search_result, self._matching_rows = result, rows
        self.changed.emit()

    def know(self, rows: SearchResultRows) -> None:
        """Take where among some rows that are yet to be shown is what is found now."""
        if rows.result is self.search_result:
            self._matching_rows = (*self._matching_rows, rows)

    def knows(self, rows: Rows) -> bool:
        """Return whether matches among these rows are computed, or nothing is searched."""
        detail = rows.detail if isinstance(rows, Regrouped) else rows
        return self.search_result is None or any(
            one.detail is detail for one in self._matching_rows
        )

    def hits(self, rows: Sequence[Row]) -> Hits | None:
        """Return the matches in some rows that are shown; None without a search."""
        if self.search_result is None:
            return None
        if not self.knows(self.rows):
            self.know(search_result_rows(self.search_result, self.rows))
        own_rows = (one for one in self._matching_rows if one.detail is self.detail)
        return next(own_rows).hits(rows)

    def follow(self) -> None:
        """Outline what is selected, and bring it into view."""
        now, trace = self.selection.now, self.traced.trace
        is_valid = now.span is not None and now.span < len(trace)
        self.selected_span = now.span if is_valid else self._span_of(now.layer)
        if self.selected_span is not None:
            least = 1e-9 if is_valid else _LEAST_SHARE  # what was clicked here can be seen
            place, trace_in_view = self.place(self.selected_span), self.detail.trace
            if place >= 0:
                start = int(trace_in_view.start_ns[place])
                self.window.reveal(start, start + int(trace_in_view.duration_ns[place]), least)
        self.changed.emit()

    def _put(self, rows: Regrouped | None) -> None:
        """Take other rows of the same spans."""
        self._regrouped = rows
        self.detail = rows.detail if rows is not None else self.whole
        previous = (self.whole, self.detail)
        self._matching_rows = tuple(
            one for one in self._matching_rows if one.detail in previous
        )

    def _span_of(self, layer: int | None) -> int | None:
        """The span that holds the time of a layer: its own, or that of the group it is in."""
        use = span_facts.layer_of(self.traced, layer)
        if layer is None or use is None:
            return None
        window = self.window
        own = self.whole.span_of(layer, window.begin_ns, window.end_ns)
        if own is not None or use.into is None:
            return own
        return self.whole.span_of(use.into, window.begin_ns, window.end_ns)
