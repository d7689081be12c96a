"""What the parts of one timeline share: rows, selection, mark, and what was searched for."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.detail import Detail, Row, extent
from inspector.strip import Strip
from inspector.trace import Traced
from inspector.ui.documents.selection import Selection
from inspector.ui.timeline import span_facts
from inspector.ui.timeline.finding import Found
from inspector.ui.timeline.layout import Arrangement
from inspector.ui.timeline.overlaid import Overlaid
from inspector.ui.timeline.pages import keep_pages
from inspector.ui.timeline.paint import Hits
from inspector.ui.timeline.regrouping import Regrouped
from inspector.ui.timeline.window import TimeWindow

_LEAST_SHARE = 0.012


class TimelineState(QObject):
    """Holds what is shown; spans are told by their index into the trace as it was opened.

    marked: stretch of time that is marked. anchor: where a measurement began. shown: the span
    that is outlined: the selected one, or the one of the selected layer. All in nanoseconds.
    """

    changed = Signal()  # to be drawn again
    range_changed = Signal()
    arranged = Signal()  # other bands

    def __init__(
        self, traced: Traced, detail: Detail, window: TimeWindow, selection: Selection
    ) -> None:
        super().__init__()
        keep_pages()
        self.traced, self.window, self.selection = traced, window, selection
        self.whole = self.detail = detail
        self.arrangement = Arrangement()
        self.marked: tuple[float, float] | None = None
        self.anchor: float | None = None
        self.shown: int | None = None
        self.found: Found | None = None
        self.overlaid: Overlaid | None = None
        self._regrouped: Regrouped | None = None
        self._before = window.begin_ns, window.end_ns
        self._extent = window.first_ns, window.last_ns
        self._hits: dict[int, Strip] = {}
        self._held: NDArray[np.bool_] | None = None
        selection.changed.connect(self.follow)
        window.changed.connect(self.changed)
        self.follow()

    def arrange(self, wanted: Arrangement, rows: Regrouped | None = None) -> None:
        """Show the rows in another way; `rows`: regrouped spans, where that way needs them."""
        if wanted.grouping is not self.arrangement.grouping:
            wanted = replace(wanted, folded=frozenset(), pinned=frozenset())
            self._put(rows or self.overlaid)
        self.arrangement = wanted
        self.arranged.emit()
        self.changed.emit()

    def overlay(self, rows: Overlaid | None) -> None:
        """Show the median of all predictions or, for None, all of them one after the other."""
        before, self.overlaid = self.overlaid, rows
        if rows is before:
            return
        self.anchor = self.marked = None
        self._put(self.overlaid)
        if self.overlaid is not None:
            self._before = self.window.begin_ns, self.window.end_ns
            self.window.become(*extent(self.detail.trace))
        else:
            self.window.become(*self._extent)
            self.window.show(*self._before)
        self.arrange(Arrangement())
        self.range_changed.emit()

    @property
    def present(self) -> Traced:
        """What is shown now, with its layers."""
        return self.traced if self.overlaid is None else self.overlaid

    def place(self, span: int) -> int:
        """Where a span is among the rows as they are grouped now; -1 for nowhere."""
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
        """Begin a measurement, or end it: at an instant, else at the selected span."""
        place = -1 if self.shown is None else self.place(self.shown)
        span = self.detail.trace.span(place) if place >= 0 else None
        begin = at_ns if at_ns is not None else span.start_ns if span else None
        if begin is None:
            return
        if self.anchor is None:
            self.set_anchor(begin)
            return
        end = begin if at_ns is not None or span is None else begin + span.duration_ns
        anchor = self.anchor
        self.set_anchor(None)
        self.mark(min(anchor, begin), max(anchor, end))

    def show_found(self, found: Found | None) -> None:
        """Let what was found stand out."""
        self.found, self._hits, self._held = found, {}, None
        self.changed.emit()

    def hits(self, rows: Sequence[Row]) -> Hits | None:
        """What was found in some rows; None when nothing is searched."""
        if self.found is None:
            return None
        if self._held is None:
            mask = self.found.mask
            self._held = mask if self._regrouped is None else mask[self._regrouped.order]
        return Hits([self._strip(row, self._held) for row in rows], self._held)

    def follow(self) -> None:
        """Outline what is selected, and bring it into view."""
        now, trace = self.selection.now, self.traced.trace
        known = now.span is not None and now.span < len(trace)
        self.shown = now.span if known else self._span_of(now.layer)
        if self.shown is not None:
            least = 1e-9 if known else _LEAST_SHARE  # what was clicked here can be seen
            place, seen = self.place(self.shown), self.detail.trace
            if place >= 0:
                start = int(seen.start_ns[place])
                self.window.reveal(start, start + int(seen.duration_ns[place]), least)
        self.changed.emit()

    def _put(self, rows: Regrouped | None) -> None:
        """Take other rows of the same spans."""
        self._regrouped, self._hits, self._held = rows, {}, None
        self.detail = rows.detail if rows is not None else self.whole

    def _strip(self, row: Row, held: NDArray[np.bool_]) -> Strip:
        """The spans of a row that were found."""
        if row.first not in self._hits:
            places, bins = np.flatnonzero(held[row.first : row.last]), row.strip.bins
            start, duration = row.strip.start_ns[places], row.strip.duration_ns[places]
            some = (
                None
                if bins is None or not len(places)
                else bins.of_some(places, start, duration)
            )
            before = np.cumsum(duration) - duration
            self._hits[row.first] = Strip(start, duration, before, bins=some)
        return self._hits[row.first]

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
