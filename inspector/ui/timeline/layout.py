"""Where everything of a timeline lies: tracks downwards, instants to the right."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.detail import Detail, Row
from inspector.trace import Lane

BAR, THIN, GAP, PADDING, EMPTY = 20, 7, 2, 7, 14
CHILD, FRAME = 0.72, 0.62  # how far nested spans and partitions fade into the surface
DEEPEST, MOST = 12, 48  # rows of a track, and tracks, that anybody can look at
GUTTER, RIGHT = 148, 12
_ORDER = tuple(Lane)


@dataclass(frozen=True, slots=True, eq=False)
class Bar:
    """A row of spans as it lies in its band; `fade` mixes its colour towards the surface."""

    row: Row
    top: int
    height: int
    fade: float


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A track from top to bottom, with its rows; `opens` a lane, so a line lies above."""

    track: int
    top: int
    height: int
    bars: tuple[Bar, ...]
    opens: bool

    @property
    def bottom(self) -> int:
        """Where the next band begins."""
        return self.top + self.height


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


def bands(detail: Detail) -> tuple[Band, ...]:
    """All tracks: activity, data, then each unit; unused ones are there too."""
    tracks = detail.trace.tracks
    order = sorted(range(len(tracks)), key=lambda track: _ORDER.index(tracks[track].lane))
    found: list[Band] = []
    lane: Lane | None = None
    top = 0
    for track in order[:MOST]:
        mine = [row for row in detail.rows if row.track == track][:DEEPEST]
        opens = tracks[track].lane is not lane
        lane = tracks[track].lane
        bars = _bars(mine, top + PADDING)
        inner = bars[-1].top + bars[-1].height - top - PADDING if bars else EMPTY
        found.append(Band(track, top, inner + 2 * PADDING, bars, opens))
        top = found[-1].bottom
    return tuple(found)


def _bars(rows: Sequence[Row], top: int) -> tuple[Bar, ...]:
    bars: list[Bar] = []
    inside = False
    for row in rows:
        if row.partitions:
            bars.append(Bar(row, top, THIN, FRAME))
        else:
            bars.append(Bar(row, top, BAR, CHILD if inside else 0.0))
            inside = True
        top += bars[-1].height + GAP
    return tuple(bars)
