"""Geometry of a timeline: bands downwards, time to the right."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import StrEnum
from operator import attrgetter

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from inspector.trace.intervals import Intervals
from inspector.trace.kinds import ALL_PROGRAMS
from inspector.trace.trace import Counter, Lane, Track
from inspector.trace.trace_rows import LevelOfDetail, Row
from inspector.ui.translate import mark, tr

BAR = 20  # px, height of a span
THIN = 7  # px, height of a frame such as a partition
GAP = 2  # px, between rows
PADDING = 4  # px, above and below the rows of a track
EMPTY = 14  # px, height of a track without spans
HEAD = 24  # px, height of a group's title
FOLDED = 22  # px, height of a folded track
CHART = 44  # px, height of a counter
CHILD = 0.72  # how far nested spans fade into the surface
FRAME = 0.62  # how far partitions fade into the surface
DEEPEST = 12  # rows of a track that anybody can look at
MOST = 48  # tracks of a group that anybody can look at
GUTTER = 172  # px, width of the names on the left
RIGHT = 12  # px, free on the right
_ORDER = tuple(Lane)  # from the top
_TRACK = attrgetter("track")


class Grouping(StrEnum):
    """The property that groups rows; the value is its label."""

    LANE = "lane"
    MODEL = "model"
    THREAD = "thread"
    EVENT = mark("kind of event")


class Arrangement(Struct, frozen=True):
    """The user's arrangement of rows: keys of those that are folded or pinned.

    details: whether runs, memory and CPU load are shown. units_only: whether only the lanes of
    compute units are.
    """

    grouping: Grouping = Grouping.LANE
    folded: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()
    details: bool = True
    units_only: bool = False

    def fold(self, key: str) -> "Arrangement":
        """Fold a band, or unfold it."""
        return replace(self, folded=self.folded ^ {key})

    def pin(self, key: str) -> "Arrangement":
        """Keep a band on top, or let it go."""
        return replace(self, pinned=self.pinned ^ {key})


class Bar(Struct, frozen=True, eq=False):
    """A row of spans at its position in a band; `fade` mixes its color towards the surface."""

    row: Row
    top: int
    height: int
    fade: float


class Band(Struct, frozen=True, eq=False):
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
        """Return where the next band begins."""
        return self.top + self.height

    @property
    def unused(self) -> bool:
        """Return whether the track has no spans."""
        return self.track >= 0 and (self.work is None or not len(self.work.start_ns))


class Scale(Struct, frozen=True):
    """Maps instants in nanoseconds to pixels from `left` over `width`."""

    begin_ns: float
    end_ns: float
    left: float
    width: float

    @property
    def step_ns(self) -> float:
        """The duration of one pixel in nanoseconds."""
        return (self.end_ns - self.begin_ns) / self.width

    def x(self, instant_ns: float) -> float:
        """The pixel of an instant; may be outside."""
        return self.left + (instant_ns - self.begin_ns) / self.step_ns

    def instant(self, x: float) -> float:
        """Instant at a pixel, in nanoseconds."""
        return self.begin_ns + (x - self.left) * self.step_ns


class Group(Struct, frozen=True, eq=False):
    """Tracks that share one header; without a title there is no header."""

    title: str
    tracks: tuple[int, ...] = field(default_factory=tuple)


def bands(detail: LevelOfDetail, arrangement: Arrangement | None = None) -> tuple[Band, ...]:
    """All tracks, group by group, then the counters; unused units are there too.

    Those that are pinned are left out: `pinned` has them.
    """
    arrangement = arrangement or Arrangement()
    return _stacked(
        [band for band in _all(detail, arrangement) if band.key not in arrangement.pinned]
    )


def pinned(detail: LevelOfDetail, arrangement: Arrangement) -> tuple[Band, ...]:
    """The bands that stay on top."""
    if not arrangement.pinned:
        return ()
    pinned_bands = [
        band for band in _all(detail, arrangement) if band.key in arrangement.pinned
    ]
    return _stacked([replace(band, pinned=True, inner=False) for band in pinned_bands])


def groups(tracks: Sequence[Track], grouping: Grouping) -> tuple[Group, ...]:
    """Return the tracks that are grouped together, in the order of their lanes."""
    order = sorted(range(len(tracks)), key=lambda track: _ORDER.index(tracks[track].lane))
    if grouping in (Grouping.LANE, Grouping.EVENT):
        return (Group("", tuple(order)),)
    tracks_of_title: dict[str, list[int]] = {}
    for track in sorted(order):
        tracks_of_title.setdefault(_group_of(tracks[track], grouping), [])
    for track in order:
        tracks_of_title[_group_of(tracks[track], grouping)].append(track)
    return tuple(Group(title, tuple(tracks)) for title, tracks in tracks_of_title.items())


def groupings(tracks: Sequence[Track]) -> tuple[Grouping, ...]:
    """The groupings that make a difference for some tracks."""
    is_useful = {
        Grouping.MODEL: any(track.model for track in tracks),
        Grouping.THREAD: any(track.thread for track in tracks),
    }
    return tuple(grouping for grouping in Grouping if is_useful.get(grouping, True))


def _group_of(track: Track, grouping: Grouping) -> str:
    if grouping is Grouping.MODEL:
        return _title(track.process, track.model or tr("Unnamed model"))
    return _title(track.process, track.thread or tr("Unnamed thread"))


def _title(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _all(detail: LevelOfDetail, arrangement: Arrangement) -> list[Band]:
    """Return the bands from top to bottom, without positions yet."""
    tracks, all_bands = detail.trace.tracks, list[Band]()
    for group in groups(tracks, arrangement.grouping):
        shown_tracks = [
            track
            for track in group.tracks
            if not arrangement.units_only or tracks[track].lane is Lane.COMPUTE
        ][:MOST]
        key = f"{arrangement.grouping}\n{group.title}"
        if group.title:
            all_bands.append(_head(detail, group, key, key in arrangement.folded))
        if not (group.title and key in arrangement.folded):
            lane: Lane | None = None
            for track in shown_tracks:
                opens = not group.title and tracks[track].lane is not lane
                lane = tracks[track].lane
                all_bands.append(
                    _band(detail, track, _rows(detail, track), key, opens, arrangement)
                )
    counters = arrangement.details and not arrangement.units_only
    end_ns = detail.trace.end_ns if counters and detail.trace.counters else 0
    if not counters:
        return all_bands[: 2 * MOST]
    for counter in (one for one in detail.trace.counters if one.at(end_ns) is not None):
        all_bands.append(
            _chart(counter, arrangement, not all_bands or all_bands[-1].counter is None)
        )
    return all_bands[: 2 * MOST]


def _rows(detail: LevelOfDetail, track: int) -> tuple[Row, ...]:
    """The rows of a track; they lie in order, and there may be many thousands of others."""
    first = bisect_left(detail.rows, track, key=_TRACK)
    return detail.rows[first : bisect_right(detail.rows, track, first, key=_TRACK)]


def _head(detail: LevelOfDetail, group: Group, key: str, folded: bool) -> Band:
    lines = tuple(
        (family, union([detail.work[track] for track in tracks]))
        for family, tracks in _families(detail.trace.tracks, group.tracks).items()
    )
    work = union([strip for _, strip in lines])
    return Band(
        -1, 0, HEAD, (), True, key, group.title, "", work, lines, head=True, folded=folded
    )


def _families(tracks: Sequence[Track], some: Sequence[int]) -> dict[str, list[int]]:
    tracks_of_family: dict[str, list[int]] = {}
    for track in some:
        tracks_of_family.setdefault(tracks[track].family, []).append(track)
    return tracks_of_family


def _band(
    detail: LevelOfDetail,
    track: int,
    rows: Sequence[Row],
    group: str,
    opens: bool,
    arrangement: Arrangement,
) -> Band:
    track_info, work = detail.trace.tracks[track], detail.work[track]
    key = f"{group}\n{track}"
    folded = key in arrangement.folded
    bars = () if folded else _bars(rows[:DEEPEST])
    inner = bars[-1].top + bars[-1].height - PADDING if bars else EMPTY
    height = FOLDED if folded else inner + 2 * PADDING
    return Band(
        track, 0, height, bars, opens, key, _short(track_info, arrangement),
        track_info.family, work,
        ((track_info.family, work),),
        inner=arrangement.grouping in (Grouping.MODEL, Grouping.THREAD),
        folded=folded,
    )  # fmt: skip


def _short(track: Track, arrangement: Arrangement) -> str:
    """The name of a track below a head, which need not be said again; pinned: in full."""
    group = {Grouping.MODEL: track.model, Grouping.THREAD: track.thread}.get(
        arrangement.grouping
    )
    if not group or arrangement.pinned:
        return track.name
    redundant_names = group, group.removesuffix(".onnx"), track.process
    left = [part for part in track.name.split(" · ") if part not in redundant_names]
    return _title(*left) or tr(track.lane.value.capitalize())


def _chart(counter: Counter, arrangement: Arrangement, opens: bool) -> Band:
    key = tr("counter\n{process}\n{name}").format(process=counter.process, name=counter.name)
    folded = key in arrangement.folded
    height = FOLDED if folded else CHART
    owner = "" if counter.process == ALL_PROGRAMS else counter.process
    title = _title(owner, counter.name)
    return Band(-1, 0, height, (), opens, key, title, "counter", counter=counter, folded=folded)


def _stacked(unstacked: Sequence[Band]) -> tuple[Band, ...]:
    """Return the bands with their tops set, one below the other."""
    placed: list[Band] = []
    top = 0
    for band in unstacked:
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
    """Return the union of several rows' intervals."""
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
