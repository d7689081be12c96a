"""Where everything of a timeline lies: tracks downwards, instants to the right."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import attrgetter

import numpy as np

from inspector.trace.intervals import Intervals
from inspector.trace.trace import Counter, Lane, Track
from inspector.trace.trace_rows import LevelOfDetail, Row
from inspector.ui.translate import mark, tr

BAR, THIN, GAP, PADDING, EMPTY = 20, 7, 2, 7, 14
HEAD, FOLDED, CHART = 24, 22, 44
CHILD, FRAME = 0.72, 0.62  # how far nested spans and partitions fade into the surface
DEEPEST, MOST = 12, 48  # rows of a track, and tracks, that anybody can look at
GUTTER, RIGHT = 148, 12
_ORDER, _TRACK = tuple(Lane), attrgetter("track")
_LINES = {Lane.ACTIVITY: "activity", Lane.DATA: "data"}


class Grouping(StrEnum):
    """What rows that belong together have in common; the value is its word."""

    LANE = "lane"
    MODEL = "model"
    THREAD = "thread"
    EVENT = mark("kind of event")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the user wants the rows: what is folded or pinned is known by its key."""

    grouping: Grouping = Grouping.LANE
    folded: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()

    def fold(self, key: str) -> "Arrangement":
        """Fold a band, or unfold it."""
        return replace(self, folded=self.folded ^ {key})

    def pin(self, key: str) -> "Arrangement":
        """Keep a band on top, or let it go."""
        return replace(self, pinned=self.pinned ^ {key})


@dataclass(frozen=True, slots=True, eq=False)
class Bar:
    """A row of spans as it lies in its band; `fade` mixes its colour towards the surface."""

    row: Row
    top: int
    height: int
    fade: float


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A track, a counter or the head of a group from top to bottom.

    track: index into the trace's; -1 for heads and counters. `opens` a lane or a group, so a
    line lies above. work: when anything ran on it. lines: family and work of each line that
    stands for it when it is folded.
    """

    track: int
    top: int
    height: int
    bars: tuple[Bar, ...]
    opens: bool
    key: str = ""
    title: str = ""
    family: str = ""
    work: Intervals | None = None
    lines: tuple[tuple[str, Intervals], ...] = ()
    counter: Counter | None = None
    head: bool = False
    inner: bool = False
    folded: bool = False
    pinned: bool = False

    @property
    def bottom(self) -> int:
        """Where the next band begins."""
        return self.top + self.height

    @property
    def unused(self) -> bool:
        """Whether nothing ever happened on it."""
        return self.track >= 0 and (self.work is None or not len(self.work.start_ns))


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps instants in nanoseconds to pixels from `left` over `width`."""

    begin_ns: float
    end_ns: float
    left: float
    width: float

    @property
    def step_ns(self) -> float:
        """Time that one pixel stands for."""
        return (self.end_ns - self.begin_ns) / self.width

    def x(self, instant_ns: float) -> float:
        """Pixel of an instant; may lie outside."""
        return self.left + (instant_ns - self.begin_ns) / self.step_ns

    def instant(self, x: float) -> float:
        """Instant at a pixel, in nanoseconds."""
        return self.begin_ns + (x - self.left) * self.step_ns


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Tracks that lie together under one head; without a title there is no head."""

    title: str
    tracks: tuple[int, ...] = field(default_factory=tuple)


def bands(detail: LevelOfDetail, wanted: Arrangement | None = None) -> tuple[Band, ...]:
    """All tracks, group by group, then the counters; unused units are there too.

    Those that are pinned are left out: `pinned` has them.
    """
    wanted = wanted or Arrangement()
    return _stacked([band for band in _all(detail, wanted) if band.key not in wanted.pinned])


def pinned(detail: LevelOfDetail, wanted: Arrangement) -> tuple[Band, ...]:
    """The bands that stay on top."""
    if not wanted.pinned:
        return ()
    kept = [band for band in _all(detail, wanted) if band.key in wanted.pinned]
    return _stacked([replace(band, pinned=True, inner=False) for band in kept])


def groups(tracks: Sequence[Track], grouping: Grouping) -> tuple[Group, ...]:
    """Which tracks lie together, in the order of their lanes."""
    order = sorted(range(len(tracks)), key=lambda track: _ORDER.index(tracks[track].lane))
    if grouping in (Grouping.LANE, Grouping.EVENT):
        return (Group("", tuple(order)),)
    found: dict[str, list[int]] = {}
    for track in sorted(order):
        found.setdefault(_group_of(tracks[track], grouping), [])
    for track in order:
        found[_group_of(tracks[track], grouping)].append(track)
    return tuple(Group(title, tuple(mine)) for title, mine in found.items())


def groupings(tracks: Sequence[Track]) -> tuple[Grouping, ...]:
    """The groupings that make a difference for some tracks."""
    told = {
        Grouping.MODEL: any(track.model for track in tracks),
        Grouping.THREAD: any(track.thread for track in tracks),
    }
    return tuple(way for way in Grouping if told.get(way, True))


def _group_of(track: Track, grouping: Grouping) -> str:
    if grouping is Grouping.MODEL:
        return _title(track.process, track.model or tr("Unnamed model"))
    return _title(track.process, track.thread or tr("Unnamed thread"))


def _title(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _all(detail: LevelOfDetail, wanted: Arrangement) -> list[Band]:
    """The bands one below the other; where they lie is not said yet."""
    tracks, found = detail.trace.tracks, list[Band]()
    for group in groups(tracks, wanted.grouping):
        mine = group.tracks[:MOST]
        key = f"{wanted.grouping}\n{group.title}"
        if group.title:
            found.append(_head(detail, group, key, key in wanted.folded))
        if not (group.title and key in wanted.folded):
            lane: Lane | None = None
            for track in mine:
                opens = not group.title and tracks[track].lane is not lane
                lane = tracks[track].lane
                found.append(_band(detail, track, _rows(detail, track), key, opens, wanted))
    end_ns = detail.trace.end_ns if detail.trace.counters else 0
    for counter in (one for one in detail.trace.counters if one.at(end_ns) is not None):
        found.append(_chart(counter, wanted, not found or found[-1].counter is None))
    return found[: 2 * MOST]


def _rows(detail: LevelOfDetail, track: int) -> tuple[Row, ...]:
    """The rows of a track; they lie in order, and there may be many thousands of others."""
    first = bisect_left(detail.rows, track, key=_TRACK)
    return detail.rows[first : bisect_right(detail.rows, track, first, key=_TRACK)]


def _head(detail: LevelOfDetail, group: Group, key: str, folded: bool) -> Band:
    lines = tuple(
        (family, union([detail.work[track] for track in mine]))
        for family, mine in _families(detail.trace.tracks, group.tracks).items()
    )
    work = union([strip for _, strip in lines])
    return Band(
        -1, 0, HEAD, (), True, key, group.title, "", work, lines, head=True, folded=folded
    )


def _families(tracks: Sequence[Track], some: Sequence[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for track in some:
        found.setdefault(tracks[track].family, []).append(track)
    return found


def _band(
    detail: LevelOfDetail,
    track: int,
    rows: Sequence[Row],
    group: str,
    opens: bool,
    wanted: Arrangement,
) -> Band:
    told, work = detail.trace.tracks[track], detail.work[track]
    key = f"{group}\n{track}"
    folded = key in wanted.folded
    bars = () if folded else _bars(rows[:DEEPEST])
    inner = bars[-1].top + bars[-1].height - PADDING if bars else EMPTY
    height = FOLDED if folded else inner + 2 * PADDING
    return Band(
        track, 0, height, bars, opens, key, _short(told, wanted), told.family, work,
        ((told.family, work),), inner=wanted.grouping in (Grouping.MODEL, Grouping.THREAD),
        folded=folded,
    )  # fmt: skip


def _short(track: Track, wanted: Arrangement) -> str:
    """The name of a track below a head, which need not be said again; pinned: in full."""
    group = {Grouping.MODEL: track.model, Grouping.THREAD: track.thread}.get(wanted.grouping)
    if not group or wanted.pinned:
        return track.name
    known = group, group.removesuffix(".onnx"), track.process
    left = [part for part in track.name.split(" · ") if part not in known]
    return _title(*left) or track.lane.value.capitalize()


def _chart(counter: Counter, wanted: Arrangement, opens: bool) -> Band:
    key = tr("counter\n{process}\n{name}").format(process=counter.process, name=counter.name)
    folded = key in wanted.folded
    height = FOLDED if folded else CHART
    title = _title(counter.process, counter.name)
    return Band(-1, 0, height, (), opens, key, title, "counter", counter=counter, folded=folded)


def _stacked(found: Sequence[Band]) -> tuple[Band, ...]:
    """The same bands, each below the one before."""
    placed: list[Band] = []
    top = 0
    for band in found:
        bars = tuple(replace(bar, top=bar.top + top) for bar in band.bars)
        placed.append(replace(band, top=top, bars=bars))
        top += band.height
    return tuple(placed)


def _bars(rows: Sequence[Row]) -> tuple[Bar, ...]:
    bars: list[Bar] = []
    inside, top = False, PADDING
    for row in rows:
        if row.partitions:
            bars.append(Bar(row, top, THIN, FRAME))
        else:
            bars.append(Bar(row, top, BAR, CHILD if inside else 0.0))
            inside = True
        top += bars[-1].height + GAP
    return tuple(bars)


def union(strips: Sequence[Intervals]) -> Intervals:
    """When anything of several strips ran, as one."""
    if len(strips) == 1:
        return strips[0]
    none = [np.zeros(0, np.int64)]
    start = np.concatenate([*none, *(strip.start_ns for strip in strips)])
    stop = np.concatenate([*none, *(s.start_ns + s.duration_ns for s in strips)])
    order = np.argsort(start, kind="stable")
    start, reach = start[order], np.maximum.accumulate(stop[order])
    opens = np.flatnonzero(np.append(True, start[1:] > reach[:-1])[: len(start)])
    closes = np.append(opens[1:], len(start))[: len(opens)] - 1
    duration = reach[closes] - start[opens]
    return Intervals(start[opens], duration, np.cumsum(duration) - duration)
