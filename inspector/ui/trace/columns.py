"""The columns of the table of events: titles, words, order and room."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QFontMetrics

from inspector import units
from inspector.analysis.aggregation import Aggregation, By
from inspector.trace import Trace
from inspector.ui.kit.table_model import Keys, ranks
from inspector.ui.kit.theme import font

_NAME_WIDTH, _NARROW = 170, 120
_SWATCH, _WIDEST_TRACK, _ASKED = 30, 220, 1000


class What(StrEnum):
    """What a column says; the value is its title."""

    NAME = "Event"
    OPERATOR = "Operator"
    TRACK = "Track"
    COUNT = "Count"
    TOTAL = "Total"
    OWN = "Self"
    MEAN = "Mean"
    MINIMUM = "Min"
    P50 = "p50"
    P95 = "p95"
    MAXIMUM = "Max"
    SHARE = "Share"

    @property
    def is_text(self) -> bool:
        """Whether it tells words, and no numbers."""
        return self in (What.NAME, What.OPERATOR, What.TRACK)

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return not self.is_text

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return not self.is_text


COLUMNS = tuple(What)
MEANINGS = {
    What.COUNT: "How many there are",
    What.TOTAL: "Sum of their durations, of a marked stretch of the parts that lie in it; "
    "one directly inside its like counts once",
    What.OWN: "The same without what ran inside of them, on any lane",
    What.MEAN: "Mean duration, of whole events like all that follow",
    What.MINIMUM: "Shortest duration",
    What.P50: "Half of them are not longer than this",
    What.P95: "95 of 100 are not longer than this",
    What.MAXIMUM: "Longest duration",
    What.SHARE: "Own time as a share of the own time of all events in this table, "
    "before it is filtered",
}
_WIDTHS = {
    What.OPERATOR: 104, What.TRACK: 122, What.COUNT: 60, What.SHARE: 76,
}  # fmt: skip
_TIME = 68
_FIRST_TO_GO = (
    What.MINIMUM, What.P50, What.MEAN, What.OPERATOR, What.MAXIMUM, What.P95, What.SHARE,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Groups:
    """What the table shows: the groups of a trace's spans."""

    trace: Trace
    found: Aggregation
    by: By = By.EVENT

    @property
    def of_tracks(self) -> bool:
        """Whether each group lies in one track; others reach over those of their lane."""
        return self.by in (By.EVENT, By.OPERATOR, By.TRACK, By.LAYER)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Own time as a share of that of all groups: float64 (G,)."""
        return self.found.shares()

    def number(self, what: What) -> NDArray[np.int64]:
        """A column of numbers: int64 (G,)."""
        found = self.found
        return {
            What.COUNT: found.count,
            What.TOTAL: found.total_ns,
            What.OWN: found.self_ns,
            What.MEAN: found.mean_ns,
            What.MINIMUM: found.minimum_ns,
            What.P50: found.p50_ns,
            What.P95: found.p95_ns,
            What.MAXIMUM: found.maximum_ns,
        }[what]

    def word(self, group: int, what: What) -> str:
        """What a column of texts says of a group."""
        if what is What.TRACK:
            track = self.trace.tracks[int(self.found.tracks[group])]
            return track.name if self.of_tracks else track.lane.value.capitalize()
        texts = self.found.operators if what is What.OPERATOR else self.found.names
        return texts[group]

    def text(self, group: int, what: What) -> str:
        """What a cell says."""
        if what.is_text:
            return units.clip(self.word(group, what))
        if what is What.SHARE:
            return units.share(self.shares[group], 1)
        number = int(self.number(what)[group])
        if what is What.COUNT:
            return f"{number:,}"
        return units.duration(number) if number else "–"

    def keys(self, what: What) -> Keys:
        """What a column sorts by: (G,)."""
        if what is What.SHARE:
            return self.shares
        if not what.is_text:
            return self.number(what)
        return ranks([self.word(group, what).casefold() for group in range(len(self.found))])

    def haystack(self) -> list[str]:
        """What a filter looks at, for each group."""
        tracks = [self.word(group, What.TRACK) for group in range(len(self.found))]
        texts = zip(self.found.names, self.found.operators, tracks, strict=True)
        return ["\n".join(words).casefold() for words in texts]


def track_width(trace: Trace) -> int:
    """How wide the longest name of a track is with its swatch; in bounds."""
    names = {track.name for track in trace.tracks[:_ASKED]}
    metrics = QFontMetrics(font(12))
    longest = max((metrics.horizontalAdvance(units.clip(name)) for name in names), default=0)
    return min(max(longest + _SWATCH, _WIDTHS[What.TRACK]), _WIDEST_TRACK)


def widths(room: int, without: Sequence[What] = (), track: int = 0) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out.

    track: how wide the tracks would like to be; they get that up to a sixth of the room, then
    half of what is over. The names get all the rest.
    """
    found = {what: _WIDTHS.get(what, _TIME) for what in COLUMNS} | {What.NAME: _NAME_WIDTH}
    found[What.TRACK] = max(_WIDTHS[What.TRACK], min(track, room // 6))
    found |= dict.fromkeys(without, 0)
    for what in _FIRST_TO_GO:
        if sum(found.values()) > room:
            found[what] = 0
    if found[What.TRACK]:
        spare = max(0, room - sum(found.values())) // 2
        found[What.TRACK] += min(spare, max(0, track - found[What.TRACK]))
    found[What.NAME] += max(_NARROW - _NAME_WIDTH, room - sum(found.values()))
    return tuple(found.values())
