"""Looks for spans in the search language of events, and for the nearest edges of spans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.trace import event_search
from inspector.trace.intervals import Intervals, Times
from inspector.trace.trace import Trace, TraceSource
from inspector.trace.trace_rows import LevelOfDetail, Row
from inspector.ui.timeline.model.row_grouping import Regrouped
from inspector.ui.timeline.render.rows import Hits


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The spans that contain every search term. mask: bool (N,)."""

    trace: Trace
    mask: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.spans)

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """The matching spans by start: int64 (M,)."""
        spans = np.flatnonzero(self.mask).astype(np.int64)
        return spans[np.argsort(self.trace.start_ns[spans], kind="stable")]

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        ranks = np.full(len(self.mask), -1, np.int64)
        ranks[self.spans] = np.arange(len(self.spans))
        return ranks

    def prepare(self) -> None:
        """Sort and number the matching spans now."""
        self.number(int(self.spans[0]) if len(self) else None)

    def number(self, span: int | None) -> int | None:
        """Return the number of a span among the matches, 0 the first; None for another."""
        if span is None or span >= len(self.mask) or not self.mask[span]:
            return None
        return int(self._ranks[span])

    def neighbor(self, span: int | None, from_ns: float, step: int) -> int | None:
        """Return the next match, or for -1 the previous one, from a span or an instant.

        After the last comes the first.
        """
        if not len(self):
            return None
        now = self.number(span)
        if now is None:
            starts = self.trace.start_ns[self.spans]
            begins = from_ns if span is None else int(self.trace.start_ns[span])
            after = int(np.searchsorted(starts, int(np.ceil(begins))))
            now = after - 1 if step > 0 else after
        return int(self.spans[(now + step) % len(self)])


def find(traced: TraceSource, query: str) -> SearchResult | None:
    """Return the spans that fit a text; None for an empty one. Raises BadInput."""
    mask = event_search.find(traced, query)
    return None if mask is None else SearchResult(traced.trace, mask)


def nearest_edge(rows: Sequence[Row], instant_ns: float, within_ns: float) -> float:
    """The begin or end of a span that is nearest to an instant; far from all, the instant."""
    at = np.array([instant_ns])
    best, distance = instant_ns, within_ns
    for row in rows:
        last = int(row.strip.last_started(at)[0])
        for place in (last - 1, last, last + 1):
            if 0 <= place < len(row.strip.start_ns):
                begin = int(row.strip.start_ns[place])
                for edge in (begin, begin + int(row.strip.duration_ns[place])):
                    if abs(edge - instant_ns) < distance:
                        best, distance = float(edge), abs(edge - instant_ns)
    return best


Rows = LevelOfDetail | Regrouped


class SearchResultRows(Struct, frozen=True, eq=False):
    """The matches in all rows of a detail: intervals for each row, by its first span.

    mask: bool (N,), of the spans as they lie in the detail.
    """

    result: SearchResult
    detail: LevelOfDetail
    mask: NDArray[np.bool_]
    strips: Mapping[int, Intervals]

    def hits(self, rows: Sequence[Row]) -> Hits:
        """Return the matches in some of the rows."""
        return Hits([self.strips[row.first] for row in rows], self.mask)


def search_result_rows(result: SearchResult, rows: Rows) -> SearchResultRows:
    """Assign the matching spans to rows; a tenth of a second for ten million spans."""
    if isinstance(rows, Regrouped):
        return _search_result_rows(result, rows.detail, result.mask[rows.order])
    return _search_result_rows(result, rows, result.mask)


def _search_result_rows(
    result: SearchResult, detail: LevelOfDetail, mask: NDArray[np.bool_]
) -> SearchResultRows:
    places = np.flatnonzero(mask)
    start, duration = detail.trace.start_ns[places], detail.trace.duration_ns[places]
    before = np.cumsum(duration) - duration
    ends = np.array([(row.first, row.last) for row in detail.rows], np.int64).reshape(-1, 2)
    strips = {}
    for row, (low, high) in zip(detail.rows, places.searchsorted(ends).tolist(), strict=True):
        some = slice(low, high)
        strips[row.first] = _strip(row, places[some], start[some], duration[some], before[some])
    return SearchResultRows(result, detail, mask, strips)


def _strip(
    row: Row, places: NDArray[np.intp], start: Times, duration: Times, before: Times
) -> Intervals:
    bins = row.strip.bins
    if bins is None or not len(places):
        return Intervals(start, duration, before)
    return Intervals(
        start, duration, before, bins=bins.of_some(places - row.first, start, duration)
    )
