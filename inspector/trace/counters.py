"""What a trace holds beside its spans: counters, arrows from span to span, moments."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class FlowKind(StrEnum):
    """Why an arrow goes from one span to another."""

    LAUNCH = "launch"  # a node of the runtime -> what ran on the device for it
    FORCED = "forced"  # a copy, cast or layout change -> the layer that made it necessary
    EVENT = "event"  # whatever another program told


FLOW_KINDS = tuple(FlowKind)


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """A quantity over time; each value holds until the next one.

    unit: "bytes", "percent" (of one core for processors), or "" for a plain number.
    times_ns: int64 (M,), rising, on the clock of the spans. values: float64 (M,).
    """

    name: str
    unit: str
    times_ns: NDArray[np.int64]
    values: NDArray[np.float64]
    process: str = ""

    def at(self, instant_ns: float) -> float | None:
        """The value at an instant; None before the first."""
        place = int(np.searchsorted(self.times_ns, int(instant_ns), "right")) - 1
        return float(self.values[place]) if place >= 0 else None

    def within(self, begin_ns: float, end_ns: float) -> "Counter":
        """The values that hold in a stretch of time, the one before it included."""
        first = int(np.searchsorted(self.times_ns, int(begin_ns), "right")) - 1
        last = int(np.searchsorted(self.times_ns, int(np.ceil(end_ns))))
        some = slice(max(0, first), last)
        return replace(self, times_ns=self.times_ns[some], values=self.values[some])


def _empty() -> NDArray[Any]:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Flows:
    """F arrows between spans of a trace.

    begin, end: int64 (F,), index of a span each; sorted by begin. kind: int64 (F,), index into
    FLOWS.
    """

    begin: NDArray[np.int64] = field(default_factory=_empty)
    end: NDArray[np.int64] = field(default_factory=_empty)
    kind: NDArray[np.int64] = field(default_factory=_empty)

    def __len__(self) -> int:
        return len(self.begin)

    def of(self, span: int) -> "Flows":
        """The arrows that begin or end at a span."""
        return self._some((self.begin == span) | (self.end == span))

    def moved(self, places: NDArray[np.int64]) -> "Flows":
        """The same arrows after spans moved; places: int64 (N,), -1 for those that are gone."""
        if not len(self):
            return self
        begin, end = places[self.begin], places[self.end]
        order = np.lexsort((end, begin))
        moved = Flows(begin[order], end[order], self.kind[order])
        return moved._some((moved.begin >= 0) & (moved.end >= 0))

    def checked(self, spans: int) -> "Flows":
        """The same with fixed types. Raises ValueError: an arrow leaves the `spans` spans."""
        columns = [np.asarray(one, np.int64) for one in (self.begin, self.end, self.kind)]
        if {one.shape for one in columns} != {(len(columns[0]),)}:
            raise ValueError("the columns of flows differ in length")
        for one, limit in zip(columns, (spans, spans, len(FLOW_KINDS)), strict=True):
            if len(one) and not 0 <= one.min() <= one.max() < limit:
                raise ValueError("a flow leads to a span that is not there")
        return Flows(*columns)

    def _some(self, kept: NDArray[np.bool_]) -> "Flows":
        return Flows(self.begin[kept], self.end[kept], self.kind[kept])


@dataclass(frozen=True, slots=True)
class InstantEvent:
    """An instant that is worth a line across the timeline: "warm-up ends", "killed"."""

    time_ns: int
    name: str
