"""Statistics of the selected time range, and the panel that shows them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.trace.grouping import factorize, group_sums
from inspector.trace.trace import KINDS, IntArray, Kind, Lane, TraceSource
from inspector.trace.trace_rows import LevelOfDetail
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import Theme, colour, font

_PARTITION = KINDS.index(Kind.PARTITION)
_NOUNS = {Lane.ACTIVITY: "call", Lane.DATA: "move", Lane.COMPUTE: "kernel"}
_MOST = 5


@dataclass(frozen=True, slots=True)
class Share:
    """What something took of a stretch: its name, family of colour, and busy time."""

    name: str
    family: str
    count: int
    busy_ns: float


@dataclass(frozen=True, slots=True)
class RangeStatistics:
    """What lies in a stretch of time; partitions, which only frame others, do not count.

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
        """How long the stretch is."""
        return self.end_ns - self.begin_ns


def statistics(
    traced: TraceSource, detail: LevelOfDetail, begin_ns: float, end_ns: float
) -> RangeStatistics:
    """Everything there is to say of a stretch of time."""
    trace = traced.trace
    mine = np.concatenate([np.zeros(0, np.int64), *_reaching(detail, begin_ns, end_ns)])
    mine = mine[trace.kind[mine] != _PARTITION]
    durations = trace.duration_ns[mine]
    start = np.maximum(trace.start_ns[mine], begin_ns)
    inside = np.minimum((trace.start_ns[mine] + durations), end_ns) - start
    quantiles = np.quantile(durations, (0.5, 0.95)) if len(mine) else (0.0, 0.0)
    return RangeStatistics(
        begin_ns,
        end_ns,
        len(mine),
        round(inside.sum()),
        float(durations.mean()) if len(mine) else 0.0,
        float(quantiles[0]),
        float(quantiles[1]),
        _tracks(detail, trace.track[mine], begin_ns, end_ns),
        _layers(traced, trace.layer[mine], trace.track[mine], inside),
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
    """For each row the spans that lie in a stretch at least partly."""
    found: list[NDArray[np.int64]] = []
    for row in detail.rows:
        starts = row.strip.start_ns
        first = max(0, int(row.strip.last_started(np.array([begin_ns]))[0]))
        last = int(np.searchsorted(starts, int(np.ceil(end_ns))))
        if first < last and starts[first] + row.strip.duration_ns[first] <= begin_ns:
            first += bool(starts[first] < begin_ns)
        found.append(np.arange(row.first + first, row.first + last))
    return found


def _tracks(
    detail: LevelOfDetail, track: IntArray, begin_ns: float, end_ns: float
) -> tuple[Share, ...]:
    tracks = detail.trace.tracks
    counts = np.bincount(track, minlength=len(tracks)).tolist()
    found = [
        Share(
            tracks[at].name, tracks[at].family, count,
            detail.work[at].busy_ns(begin_ns, end_ns),
        )
        for at, count in enumerate(counts)
        if count
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda share: -share.busy_ns)[:_MOST])


def _layers(
    traced: TraceSource,
    layer: IntArray,
    track: IntArray,
    inside_ns: NDArray[np.float64],
) -> tuple[Share, ...]:
    """The layers that took most of a stretch."""
    kinds, first, place = factorize(layer)
    spent = group_sums(np.rint(inside_ns).astype(np.int64), place, len(kinds))
    counts = group_sums(np.ones(len(place), np.int64), place, len(kinds))
    told = {one.index: one for one in traced.layers}
    found: list[Share] = []
    for at in np.argsort(-spent, kind="stable").tolist():
        known = told.get(int(kinds[at])) if kinds[at] >= 0 else None
        if known is not None and len(found) < _MOST:
            family = traced.trace.tracks[track[first[at]]].family
            name = known.name or known.operator
            found.append(Share(name, family, int(counts[at]), float(spent[at])))
    return tuple(found)


_LINE, _TOP, _NUMBERS, _TWO, _WIDEST = 19, 10, 156, 560, 420


class RangeSummary(QWidget):
    """A quiet strip below the lanes; hidden when nothing is marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.statistics: RangeStatistics | None = None
        self.setAccessibleName(tr("Selected time range"))
        theme.changed.connect(self.update)
        self.hide()

    def show_statistics(self, found: RangeStatistics | None) -> None:
        """Show other numbers, or none."""
        self.statistics = found
        if found is not None:
            most = max(len(found.tracks), len(found.layers), 4)
            self.setFixedHeight(_TOP * 2 + _LINE * (most + 1))
            self.setAccessibleDescription(summary_text(found))
        self.setVisible(found is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw numbers at the left, shares beside them."""
        found, palette = self.statistics, self._theme.palette
        if found is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(1, 0, self.width() - 2, 1), colour(palette.hairline))
        self._draw_numbers(painter, found)
        parts = [
            (tr("Busy time by lane, % of selection"), found.tracks),
            (tr("Time by layer, % of selection"), found.layers),
        ]
        parts = [part for part in parts if part[1]]
        if self.width() < _TWO + _NUMBERS:
            parts = parts[:1]
        room = (self.width() - _NUMBERS - 24) / max(1, len(parts))
        for place, (title, shares) in enumerate(parts):
            left = _NUMBERS + 56 + place * room
            box = QRectF(left, _TOP, min(_WIDEST, room - 48), _LINE)
            self._draw_shares(painter, title, shares, box, found.length_ns)

    def _draw_numbers(self, painter: QPainter, found: RangeStatistics) -> None:
        box = QRectF(16, _TOP, _NUMBERS, _LINE)
        for place, (name, value) in enumerate(numbers(found)):
            line = box.translated(0, place * _LINE)
            _draw_pair(painter, line, name, value, self._theme, strong=not place)

    def _draw_shares(
        self,
        painter: QPainter,
        title: str,
        shares: tuple[Share, ...],
        box: QRectF,
        whole: float,
    ) -> None:
        palette = self._theme.palette
        painter.setFont(font(12, 600))
        painter.setPen(colour(palette.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, title)
        for place, share in enumerate(shares):
            line = box.translated(0, (place + 1) * _LINE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.lane(share.family)))
            painter.drawRoundedRect(QRectF(line.x(), line.y() + 4, 4, _LINE - 8), 2, 2)
            told = f"{units.duration(share.busy_ns)} · {units.share(share.busy_ns, whole)}"
            name = f"{units.clip(share.name, 80)} ×{share.count:,}"
            _draw_pair(painter, line.adjusted(12, 0, 0, 0), name, told, self._theme)


def numbers(found: RangeStatistics) -> tuple[tuple[str, str], ...]:
    """What is said of all events of a stretch."""
    return (
        (plural(found.count, "event"), units.duration(found.length_ns)),
        (tr("Total time"), units.duration(found.sum_ns)),
        (tr("Mean"), units.duration(found.mean_ns)),
        ("p50", units.duration(found.p50_ns)),
        ("p95", units.duration(found.p95_ns)),
    )


def summary_text(found: RangeStatistics) -> str:
    """The same in one line, for screen readers."""
    shares = (
        f"{units.clip(share.name, 60)} {units.share(share.busy_ns, found.length_ns)}"
        for share in (*found.tracks, *found.layers)
    )
    return ", ".join((*(f"{name} {value}" for name, value in numbers(found)), *shares))


def _draw_pair(
    painter: QPainter, box: QRectF, name: str, value: str, theme: Theme, strong: bool = False
) -> None:
    palette = theme.palette
    painter.setFont(font(12, 600 if strong else 400))
    metrics = painter.fontMetrics()
    wide = metrics.horizontalAdvance(value)
    painter.setPen(colour(palette.text))
    painter.drawText(
        box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), value
    )
    painter.setPen(colour(palette.text if strong else palette.secondary))
    middle = Qt.TextElideMode.ElideMiddle
    shown = metrics.elidedText(name, middle, max(0, int(box.width()) - wide - 10))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
