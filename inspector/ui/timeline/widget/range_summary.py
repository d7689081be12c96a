"""Statistics of the selected time range, and the panel that shows them."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from inspector.trace.grouping import factorize, group_sums
from inspector.trace.trace import KINDS, IntArray, Kind, Lane, TraceSource
from inspector.trace.trace_rows import LevelOfDetail
from inspector.ui import units
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import Painted, Theme, fill_round, font, qt_color

_PARTITION = KINDS.index(Kind.PARTITION)
_NOUNS = {Lane.ACTIVITY: "call", Lane.DATA: "move", Lane.COMPUTE: "kernel"}
_MOST = 5
_LINE = 19  # px, height of a line
_TOP = 10  # px, above and below all
_NUMBERS = 156  # px, width of the numbers on the left
_TWO = 560  # px, room from which on both columns fit
_WIDEST = 420  # px, of a column


class Share(Struct, frozen=True):
    """A part of a time range: name, color family, and busy time."""

    name: str
    family: str
    count: int
    busy_ns: float


class RangeStatistics(Struct, frozen=True):
    """Statistics of a time range; partitions, which only frame others, do not count.

    sum_ns: of the parts of spans that lie in it; tracks and layers are told by the time they
    take inside, too. mean_ns, p50_ns, p95_ns: of whole spans that lie in it at least partly.
    """

    begin_ns: float
    end_ns: float
    count: int
    sum_ns: int
    mean_ns: float
    p50_ns: float
    p95_ns: float
    tracks: tuple[Share, ...]
    layers: tuple[Share, ...]

    @property
    def length_ns(self) -> float:
        """The duration of the range in nanoseconds."""
        return self.end_ns - self.begin_ns


def statistics(
    traced: TraceSource, detail: LevelOfDetail, begin_ns: float, end_ns: float
) -> RangeStatistics:
    """Return the statistics of a time range."""
    trace = traced.trace
    spans = np.concatenate([np.zeros(0, np.int64), *_reaching(detail, begin_ns, end_ns)])
    spans = spans[trace.kind[spans] != _PARTITION]
    durations = trace.duration_ns[spans]
    start = np.maximum(trace.start_ns[spans], begin_ns)
    inside = np.minimum((trace.start_ns[spans] + durations), end_ns) - start
    quantiles = np.quantile(durations, (0.5, 0.95)) if len(spans) else (0.0, 0.0)
    return RangeStatistics(
        begin_ns,
        end_ns,
        len(spans),
        round(inside.sum()),
        float(durations.mean()) if len(spans) else 0.0,
        float(quantiles[0]),
        float(quantiles[1]),
        _tracks(detail, trace.track[spans], begin_ns, end_ns),
        _layers(traced, trace.layer[spans], trace.track[spans], inside),
    )


def summary(detail: LevelOfDetail, begin_ns: float, end_ns: float) -> str:
    """Length, and for data and each unit how many spans and for how long they were busy.

    Where there are nothing but calls, the same for each track.
    """
    parts = [tr("{duration} selected").format(duration=units.duration(end_ns - begin_ns))]
    only_calls = all(track.lane is Lane.ACTIVITY for track in detail.trace.tracks)
    for number, track in enumerate(detail.trace.tracks):
        if track.lane is Lane.ACTIVITY and not only_calls:
            continue
        strips = [
            strip
            for row in detail.rows
            if row.track == number
            for kind, strip in row.kinds
            if kind != _PARTITION
        ]
        count = sum(strip.count(begin_ns, end_ns) for strip in strips)
        if count:
            busy = units.duration(detail.work[number].busy_ns(begin_ns, end_ns))
            name = units.clip(track.name, 24)
            parts.append(f"{name} {plural(count, _NOUNS[track.lane])} {busy}")
    return " · ".join(parts)


def _reaching(detail: LevelOfDetail, begin_ns: float, end_ns: float) -> list[NDArray[np.int64]]:
    """Return for each row the spans that overlap a range."""
    statistics: list[NDArray[np.int64]] = []
    for row in detail.rows:
        starts = row.strip.start_ns
        first = max(0, int(row.strip.last_started(np.array([begin_ns]))[0]))
        last = int(np.searchsorted(starts, int(np.ceil(end_ns))))
        if first < last and starts[first] + row.strip.duration_ns[first] <= begin_ns:
            first += bool(starts[first] < begin_ns)
        statistics.append(np.arange(row.first + first, row.first + last))
    return statistics


def _tracks(
    detail: LevelOfDetail, track: IntArray, begin_ns: float, end_ns: float
) -> tuple[Share, ...]:
    tracks = detail.trace.tracks
    counts = np.bincount(track, minlength=len(tracks)).tolist()
    statistics = [
        Share(
            tracks[at].name, tracks[at].family, count,
            detail.work[at].busy_ns(begin_ns, end_ns),
        )
        for at, count in enumerate(counts)
        if count
    ]  # fmt: skip
    return tuple(sorted(statistics, key=lambda share: -share.busy_ns)[:_MOST])


def _layers(
    traced: TraceSource, layer: IntArray, track: IntArray, inside_ns: NDArray[np.float64]
) -> tuple[Share, ...]:
    """The layers that took most of a stretch."""
    kinds, first, place = factorize(layer)
    spent = group_sums(np.rint(inside_ns).astype(np.int64), place, len(kinds))
    counts = group_sums(np.ones(len(place), np.int64), place, len(kinds))
    layer_of_index = {one.index: one for one in traced.layers}
    statistics: list[Share] = []
    for at in np.argsort(-spent, kind="stable").tolist():
        layer_info = layer_of_index.get(int(kinds[at])) if kinds[at] >= 0 else None
        if layer_info is not None and len(statistics) < _MOST:
            family = traced.trace.tracks[track[first[at]]].family
            name = layer_info.name or layer_info.operator
            statistics.append(Share(name, family, int(counts[at]), float(spent[at])))
    return tuple(statistics)


class RangeSummary(Painted):
    """A quiet strip below the lanes; hidden when nothing is marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.statistics: RangeStatistics | None = None
        self.setAccessibleName(tr("Selected time range"))
        self.hide()

    def show_statistics(self, statistics: RangeStatistics | None) -> None:
        """Show other numbers, or none."""
        self.statistics = statistics
        if statistics is not None:
            most = max(len(statistics.tracks), len(statistics.layers), 4)
            self.setFixedHeight(_TOP * 2 + _LINE * (most + 1))
            self.setAccessibleDescription(summary_text(statistics))
        self.setVisible(statistics is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw numbers at the left, and shares to the right of them."""
        statistics, palette = self.statistics, self._theme.palette
        if statistics is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(1, 0, self.width() - 2, 1), qt_color(palette.hairline))
        self._draw_numbers(painter, statistics)
        parts = [
            (tr("Busy time by lane, % of selection"), statistics.tracks),
            (tr("Time by layer, % of selection"), statistics.layers),
        ]
        parts = [part for part in parts if part[1]]
        if self.width() < _TWO + _NUMBERS:
            parts = parts[:1]
        room = (self.width() - _NUMBERS - 24) / max(1, len(parts))
        for place, (title, shares) in enumerate(parts):
            left = _NUMBERS + 56 + place * room
            box = QRectF(left, _TOP, min(_WIDEST, room - 48), _LINE)
            self._draw_shares(painter, title, shares, box, statistics.length_ns)

    def _draw_numbers(self, painter: QPainter, statistics: RangeStatistics) -> None:
        box = QRectF(16, _TOP, _NUMBERS, _LINE)
        for place, (name, value) in enumerate(numbers(statistics)):
            line = box.translated(0, place * _LINE)
            _draw_pair(painter, line, name, value, self._theme, strong=not place)

    def _draw_shares(
        self,
        painter: QPainter,
        title: str,
        shares: tuple[Share, ...],
        box: QRectF,
        total: float,
    ) -> None:
        palette = self._theme.palette
        painter.setFont(font(12, 600))
        painter.setPen(qt_color(palette.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, title)
        for place, share in enumerate(shares):
            line = box.translated(0, (place + 1) * _LINE)
            fill_round(
                painter,
                QRectF(line.x(), line.y() + 4, 4, _LINE - 8),
                2,
                qt_color(palette.lane(share.family)),
            )
            text = f"{units.duration(share.busy_ns)} · {units.share(share.busy_ns, total)}"
            name = f"{units.clip(share.name, 80)} ×{units.number(share.count)}"
            _draw_pair(painter, line.adjusted(12, 0, 0, 0), name, text, self._theme)


def numbers(statistics: RangeStatistics) -> tuple[tuple[str, str], ...]:
    """Return labels and values for all events of a range."""
    return (
        (plural(statistics.count, "event"), units.duration(statistics.length_ns)),
        (tr("Total time"), units.duration(statistics.sum_ns)),
        (tr("Mean"), units.duration(statistics.mean_ns)),
        ("p50", units.duration(statistics.p50_ns)),
        ("p95", units.duration(statistics.p95_ns)),
    )


def summary_text(statistics: RangeStatistics) -> str:
    """Return the numbers as one line, for screen readers."""
    shares = (
        f"{units.clip(share.name, 60)} {units.share(share.busy_ns, statistics.length_ns)}"
        for share in (*statistics.tracks, *statistics.layers)
    )
    return ", ".join((*(f"{name} {value}" for name, value in numbers(statistics)), *shares))


def _draw_pair(
    painter: QPainter, box: QRectF, name: str, value: str, theme: Theme, strong: bool = False
) -> None:
    palette = theme.palette
    painter.setFont(font(12, 600 if strong else 400))
    metrics = painter.fontMetrics()
    wide = metrics.horizontalAdvance(value)
    painter.setPen(qt_color(palette.text))
    painter.drawText(
        box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), value
    )
    painter.setPen(qt_color(palette.text if strong else palette.secondary))
    middle = Qt.TextElideMode.ElideMiddle
    elided = metrics.elidedText(name, middle, max(0, int(box.width()) - wide - 10))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, elided)
