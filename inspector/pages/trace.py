"""Pages of traces: where the time went, what was searched for, and inefficient usage."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from inspector import units
from inspector.analysis.advice.program_time import TimeParts
from inspector.analysis.advice.trace_rules import DELAYS, HINTS, Finding, time_parts
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.pages.blocks import (
    KEPT,
    Action,
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
    Text,
)
from inspector.pages.quantities import quantity
from inspector.pages.rows import Filled, filled_table
from inspector.trace.aggregation import Aggregation, GroupBy
from inspector.trace.trace import Counter, Span, Trace
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    Name,
    Number,
    Sentence,
    Share,
    Tone,
    Value,
)

_ALL = Limits(terminal=100_000, document=1000, page=100_000)
_TIMES = {
    "total": "Total", "self": "Self", "mean": "Mean", "minimum": "Min", "p50": "P50",
    "p95": "P95", "maximum": "Max",
}  # fmt: skip
_MEANINGS = {
    "total": "Sum of the durations within the selected time range; nested events of the same "
             "name count once",
    "self": "Total time minus the time of nested events, in any row",
    "mean": "Mean duration; this column and the following ones use entire events, not clipped "
            "ones",
    "minimum": "Shortest duration",
    "p50": "Median duration",
    "p95": "95th percentile of the duration",
    "maximum": "Longest duration",
}  # fmt: skip
PARTS = {
    "runs": "in runs",
    "creating": "creating sessions",
    "releasing": "releasing sessions",
    "other_calls": "in other calls of ONNX Runtime",
    "recorder": "recording by Inspector",
    "before": "in other code before the first run",
    "between": "in other code between runs",
    "after": "in other code after the last run",
}
_LEAST_PART = 0.005  # of the whole; shorter parts are not named
_FIRST_FINDINGS = 3  # in the window, above the timeline
_PLACE = "Row of the timeline; lanes are groups of rows: calls, data and computation"
_KEEP = {"mean": 3, "minimum": 2, "p50": 5, "p95": 4, "maximum": 2}


def trace_page(
    opened: OpenedTrace,
    groups: Aggregation,
    order: Sequence[int],
    by: str,
    *,
    most: int = 0,
    stretch_ns: tuple[float, float] | None = None,
    found: Sequence[Span] = (),
    findings: Sequence[Finding] = (),
) -> Page:
    """Return the page of a trace.

    order: the groups to show, that with most time first; most: how many of them, 0 for all. by:
    what was grouped by. found: events that were searched for.
    """
    trace = opened.trace
    values: dict[str, Value] = {
        "source": opened.source,
        "events": Count(len(trace), "event"),
        "length": Duration(trace.end_ns),
    }
    title = Sentence("{source}: {events}, {length}", **values)
    counters = counter_facts(trace)
    sections = (
        program_section(findings, time_parts(trace)),
        Section("groups", "", (_groups(opened, groups, order, by, most), *_notes(stretch_ns))),
        Section("found", "Events found", tuple(_events(found))),
        Section("counters", "Counters", (Facts(counters),) if counters else ()),
        Section("notes", "Notes", _items(opened.notes)),
    )
    return Page("trace", title, sections)


def recording_page(
    calls: int, ended: str, trace: Trace, remarks: Sequence[str], findings: Sequence[Finding]
) -> Page:
    """Return what a program did with ONNX Runtime. ended: what killed it; "" if nothing did."""
    template = "Recorded {calls} to ONNX Runtime"
    title = Sentence(f"{template}; the program was killed by {{ended}}" if ended else template,
                     calls=Count(calls, "call"), ended=Name(ended))  # fmt: skip
    sections = (
        program_section(findings, time_parts(trace)),
        Section("notes", "Notes", _items(remarks)),
    )
    return Page("recording", title, sections)


def program_section(findings: Sequence[Finding], parts: TimeParts | None) -> Section:
    """Return whether a program uses ONNX Runtime well, and what to do, the worst first.

    Empty for a trace in which ONNX Runtime was not recorded. parts: of its time. The action of
    an item has the place of its finding as key.
    """
    if parts is None and not findings:
        return Section("program", "", ())
    items = tuple(
        Item(each.sentence, _advice(each), *_sign(each), actions=(
            Action(str(place), Sentence(
                "Show {events}",
                Count(len(each.gaps), "gap") if each.gaps else Count(len(each.spans), "event"),
            )),
        ))
        for place, each in enumerate(findings)
    )  # fmt: skip
    blocks: list[Block] = [_program_verdict(findings, parts)]
    if parts is not None:
        blocks.append(Text(_time_parts(parts), Tone.SECONDARY))
    if items:
        blocks.append(Items(items, _ALL, "suggestion", first=_FIRST_FINDINGS))
    return Section("program", "", tuple(blocks))


def _program_verdict(findings: Sequence[Finding], parts: TimeParts | None) -> Text:
    if all(each.rule in HINTS for each in findings):
        return Text("No inefficient use of ONNX Runtime found.", Tone.GOOD, strong=True)
    worst = findings[0]
    values: dict[str, Value] = {"title": worst.title}
    template = "Inefficient: {title}."
    if worst.saves_ns and parts is not None:
        template = "Inefficient: {title} costs up to {saving} of {whole}."
        if worst.rule in DELAYS:
            template = "Inefficient: {title} delays the first run by {saving} of {whole}."
        values |= {"saving": Duration(worst.saves_ns), "whole": Duration(parts.whole)}
    return Text(Sentence(template, **values), strong=True)


def _sign(finding: Finding) -> tuple[str, Tone]:
    return ("", Tone.PLAIN) if finding.rule in HINTS else ("!", Tone.CAUTION)


def _advice(finding: Finding) -> Value:
    if not finding.saves_ns:
        return finding.advice
    template = "{advice} Saves up to {saving}."
    if finding.rule in DELAYS:
        template = "{advice} The first run starts up to {saving} earlier."
    return Sentence(template, advice=finding.advice, saving=Duration(finding.saves_ns))


def _time_parts(parts: TimeParts) -> Value:
    """Return the one total of a recording with its parts, the longest first."""
    named = sorted(
        ((getattr(parts, key), text) for key, text in PARTS.items()), key=lambda part: -part[0]
    )
    shown = (
        Sentence("{duration} {part}", duration=Duration(ns), part=text)
        for ns, text in named
        if ns >= _LEAST_PART * parts.whole
    )
    whole = Duration(parts.whole)
    template = "{whole} from the first call to the last: {parts}."
    return Sentence(template, whole=whole, parts=Joined(shown))


def _items(texts: Sequence[str]) -> tuple[Block, ...]:
    items = tuple(Item(text) for text in texts)
    return (Items(items, _ALL),) if items else ()


def group_table(trace: Trace, groups: Aggregation, by: GroupBy) -> Table:
    """Return a row for each group of events, in the order of their places."""
    of_tracks = by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.TRACK, GroupBy.LAYER)
    with_operators = by is not GroupBy.OPERATOR and any(groups.operators)
    shares = groups.shares()

    def where(group: int) -> str:
        track = trace.tracks[int(groups.tracks[group])]
        return track.name if of_tracks else track.lane.value.capitalize()

    def time(key: str) -> Callable[[int], Value]:
        times = getattr(groups, f"{key}_ns")
        return lambda group: Duration(int(times[group])) if times[group] else "–"

    def texts() -> list[str]:
        return [
            f"{name}\n{operator}\n{where(group)}".casefold()
            for group, (name, operator) in enumerate(
                zip(groups.names, groups.operators, strict=True)
            )
        ]

    def filled() -> Iterator[Filled]:
        by_name = lambda: [name.casefold() for name in groups.names]  # noqa: E731
        lanes = by in (GroupBy.TRACK, GroupBy.LANE)
        name = Column("name", units.capitalized(by), stretch=True,
                      files=lanes or not with_operators)  # fmt: skip
        yield Filled(name, lambda group: Name(groups.names[group]), by_name)
        if with_operators and not lanes:
            yield Filled(
                Column("operator", "Operator", keep=4),
                lambda group: Name(groups.operators[group]),
                lambda: [operator.casefold() for operator in groups.operators],
            )
        if not lanes:
            place = Column("track", "Track" if of_tracks else "Lane", keep=7, help=_PLACE)
            yield Filled(place, lambda group: Name(where(group)))
        count = Column("count", "Count", Side.RIGHT, help="Number of events")
        yield Filled(count, lambda group: Count(int(groups.count[group])), lambda: groups.count)
        for key, title in _TIMES.items():
            column = Column(key, title, Side.RIGHT, _KEEP.get(key, KEPT), help=_MEANINGS[key])
            yield Filled(column, time(key), partial(getattr, groups, f"{key}_ns"))
        bar = Column("bar", "", bar=True, keep=1)
        yield Filled(bar, lambda group: Number(float(shares[group])), groups.shares)
        about = "Share of the self time of all events, including filtered-out ones"
        share = Column("share", "Share of self time", Side.RIGHT, keep=8, help=about)
        yield Filled(share, lambda group: Share(float(shares[group])), groups.shares)

    def row(group: int, cells: tuple[Value, ...]) -> Row:
        return Row(cells, family=trace.tracks[int(groups.tracks[group])].family)

    return filled_table(len(groups), tuple(filled()), texts, row, _ALL, "group", "self")


def _groups(
    opened: OpenedTrace, groups: Aggregation, order: Sequence[int], by: str, most: int
) -> Table:
    table = group_table(opened.trace, groups, GroupBy(by))
    rows = tuple(table.rows[group] for group in order[: most or None])
    return replace(table, rows=rows, total=len(order), rest="`--top 0` prints all")


def _notes(stretch_ns: tuple[float, float] | None) -> Iterator[Text]:
    yield Text(
        "Self: time without nested events. Share of self time: of all rows together.",
        Tone.SECONDARY,
    )
    if stretch_ns is not None:
        begin, end = map(Duration, stretch_ns)
        template = (
            "Time range {begin} to {end}: of events that extend beyond it, only the time "
            "inside is counted."
        )
        yield Text(Sentence(template, begin=begin, end=end), Tone.SECONDARY)


def _events(spans: Sequence[Span]) -> Iterator[Table]:
    columns = (
        Column("start", "Start", Side.RIGHT),
        Column("name", "Event", stretch=True),
        Column("duration", "Duration", Side.RIGHT),
        Column("track", "Track", keep=5),
    )
    rows = tuple(
        Row((
            Duration(span.start_ns), Name(span.name), Duration(span.duration_ns),
            Name(span.track.name),
        ))
        for span in spans
    )  # fmt: skip
    if rows:
        yield Table(columns, rows, _ALL, "event")


def counter_facts(trace: Trace) -> tuple[Fact, ...]:
    """Return the range of each quantity that was counted over time."""
    return tuple(_counter(each) for each in trace.counters if len(each.values))


def _counter(counter: Counter) -> Fact:
    low, high = float(counter.values.min()), float(counter.values.max())
    values = {"low": quantity(low, counter.unit), "high": quantity(high, counter.unit)}
    return Fact(Name(counter.name), Sentence("{low} to {high}", **values))
