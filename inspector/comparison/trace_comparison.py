"""Two traces side by side: events, what a recorded program's time went to, and findings."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from inspector.analysis.advice.program_time import TimeParts
from inspector.analysis.advice.trace_rules import Finding, program_findings, time_parts
from inspector.platform.data_struct import DataStruct
from inspector.trace.aggregation import GroupBy, aggregate
from inspector.trace.trace import NamedLayer, Trace


class Traced(Protocol):
    """A trace with the layers that its spans refer to."""

    @property
    def trace(self) -> Trace: ...  # noqa: D102
    @property
    def layers(self) -> Sequence[NamedLayer]: ...  # noqa: D102


class EventTimes(DataStruct, frozen=True):
    """Events of one name in one trace. Of none, all is 0. total_ns: nested ones count once."""

    count: int = 0
    total_ns: int = 0
    p50_ns: int = 0


class ComparedEvents(DataStruct, frozen=True):
    """Events of one name and lane in two traces."""

    name: str
    operator: str
    lane: str
    first: EventTimes
    other: EventTimes

    @property
    def change_ns(self) -> int:
        """Return how much longer they take in the other trace, all together."""
        return self.other.total_ns - self.first.total_ns


class ComparedPart(DataStruct, frozen=True):
    """What a part of a program's time was in two recordings. key: a field of `TimeParts`."""

    key: str
    first_ns: int
    other_ns: int


class TraceComparison(DataStruct, frozen=True):
    """What differs between two traces.

    lengths_ns: of both. events: those that differ most come first. parts: of the time of two
    recorded programs; empty where one is none. gone, came: findings of the first alone, and of
    the other alone. stayed: of both, as the other has them. peaks: for each counter of both,
    its name, unit and greatest values.
    """

    lengths_ns: tuple[int, int]
    events: tuple[ComparedEvents, ...]
    parts: tuple[ComparedPart, ...]
    gone: tuple[Finding, ...]
    came: tuple[Finding, ...]
    stayed: tuple[Finding, ...]
    peaks: tuple[tuple[str, str, float, float], ...]


def compare_traces(
    first: Traced, other: Traced, by: GroupBy = GroupBy.EVENT
) -> TraceComparison:
    """Put two traces side by side; events pair by lane, name and operator."""
    sides = _events(first, by), _events(other, by)
    keys = dict.fromkeys((*sides[0], *sides[1]))
    none = EventTimes()
    events = [
        ComparedEvents(name, operator, lane, *(side.get((lane, name, operator), none)
                                               for side in sides))
        for lane, name, operator in keys
    ]  # fmt: skip
    events.sort(key=lambda each: -abs(each.change_ns))
    one, two = (program_findings(each.trace, each.layers) for each in (first, other))
    rules = {each.rule for each in one}, {each.rule for each in two}
    return TraceComparison(
        (first.trace.end_ns, other.trace.end_ns),
        tuple(events),
        tuple(_parts(time_parts(first.trace), time_parts(other.trace))),
        tuple(each for each in one if each.rule not in rules[1]),
        tuple(each for each in two if each.rule not in rules[0]),
        tuple(each for each in two if each.rule in rules[0]),
        tuple(_peaks(first, other)),
    )


def _events(opened: Traced, by: GroupBy) -> dict[tuple[str, str, str], EventTimes]:
    """Return times by lane, name and operator; tracks of one lane count together."""
    groups = aggregate(opened.trace, opened.layers, by)
    found: dict[tuple[str, str, str], EventTimes] = {}
    for place, (name, operator) in enumerate(zip(groups.names, groups.operators, strict=True)):
        lane = opened.trace.tracks[int(groups.tracks[place])].lane.value
        before = found.get((lane, name, operator), EventTimes())
        found[lane, name, operator] = EventTimes(
            before.count + int(groups.count[place]),
            before.total_ns + int(groups.total_ns[place]),
            max(before.p50_ns, int(groups.p50_ns[place])),
        )
    return found


def _parts(first: TimeParts | None, other: TimeParts | None) -> Iterator[ComparedPart]:
    if first is not None and other is not None:
        for key in TimeParts.__struct_fields__:
            yield ComparedPart(key, getattr(first, key), getattr(other, key))


def _peaks(first: Traced, other: Traced) -> Iterator[tuple[str, str, float, float]]:
    greatest = [
        {(c.name, c.unit): float(c.values.max()) for c in side.trace.counters if len(c.values)}
        for side in (first, other)
    ]
    for name, unit in greatest[0].keys() & greatest[1].keys():
        yield name, unit, greatest[0][name, unit], greatest[1][name, unit]
