"""The page of two traces side by side."""

from collections.abc import Iterator, Sequence

from inspector.analysis.advice.trace_rules import Finding
from inspector.comparison.trace_comparison import ComparedEvents, EventTimes, TraceComparison
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
)
from inspector.pages.quantities import quantity
from inspector.pages.trace import PARTS
from inspector.wording.values import Change, Count, Duration, Name, Sentence, Tone, Value

_ALL = Limits(terminal=100_000, document=1000, page=100_000)
_FINDINGS = (
    ("gone", "Gone: {finding}", Tone.GOOD),
    ("came", "New: {finding}", Tone.CAUTION),
    ("stayed", "As before: {finding}", Tone.PLAIN),
)


def trace_comparison_page(
    comparison: TraceComparison, names: tuple[str, str], most: int = 0
) -> Page:
    """Return the page. names: of both traces. most: events that are listed; 0 for all."""
    first, other = comparison.lengths_ns
    values: dict[str, Value] = {
        "first": Name(names[0]), "other": Name(names[1]),
        "before": Duration(first), "after": Duration(other),
    }  # fmt: skip
    title = Sentence("{first} and {other}: {before}, {after}", **values)
    facts = (*_parts(comparison), *_peaks(comparison))
    sections = (
        Section("program", "", tuple(_findings(comparison))),
        Section("parts", "Time and memory", (Facts(facts),) if facts else ()),
        Section("events", "Events", (_events(comparison.events, most),)),
    )
    return Page("trace-comparison", title, sections)


def _findings(comparison: TraceComparison) -> Iterator[Block]:
    items = [
        Item(Sentence(template, finding=each.sentence), _advice(each, key), "", tone)
        for key, template, tone in _FINDINGS
        for each in getattr(comparison, key)
    ]
    if items:
        yield Items(tuple(items), _ALL)


def _advice(finding: Finding, key: str) -> Value:
    return "" if key == "gone" else finding.advice


def _parts(comparison: TraceComparison) -> Iterator[Fact]:
    for part in comparison.parts:
        if part.first_ns or part.other_ns:
            values = _both(Duration(part.first_ns), Duration(part.other_ns))
            yield Fact(PARTS[part.key], _change(values, part.first_ns, part.other_ns))


def _peaks(comparison: TraceComparison) -> Iterator[Fact]:
    for name, unit, first, other in comparison.peaks:
        values = _both(quantity(first, unit), quantity(other, unit))
        yield Fact(Sentence("{counter}, highest", Name(name)), _change(values, first, other))


def _both(first: Value, other: Value) -> dict[str, Value]:
    return {"first": first, "other": other}


def _change(values: dict[str, Value], first: float, other: float) -> Sentence:
    if not first or first == other:
        return Sentence("{first} → {other}", **values)
    return Sentence("{first} → {other} ({change})", **values, change=Change(other / first))


def _events(events: Sequence[ComparedEvents], most: int) -> Table:
    known = any(each.operator for each in events)
    columns = (
        Column("name", "Event", stretch=True),
        *(Column("operator", "Operator", keep=3),) * known,
        Column("lane", "Lane", keep=2),
        Column("count_first", "Count A", Side.RIGHT, keep=5),
        Column("count_other", "Count B", Side.RIGHT, keep=5),
        Column("total_first", "Total A", Side.RIGHT),
        Column("total_other", "Total B", Side.RIGHT),
        Column("change", "B − A", Side.RIGHT),
    )
    shown = events[: most or None]
    rows = tuple(Row(_cells(each, known)) for each in shown)
    return Table(columns, rows, _ALL, "event", total=len(events), rest="`--top 0` prints all")


def _cells(events: ComparedEvents, with_operator: bool) -> tuple[Value, ...]:
    first, other = events.first, events.other
    return (
        Name(events.name), *(Name(events.operator),) * with_operator, events.lane.capitalize(),
        _count(first), _count(other), _total(first), _total(other),
        Duration(events.change_ns, signed=True),
    )  # fmt: skip


def _count(times: EventTimes) -> Value:
    return Count(times.count) if times.count else "–"


def _total(times: EventTimes) -> Value:
    return Duration(times.total_ns) if times.count else "–"
