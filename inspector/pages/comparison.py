"""The page of a comparison: two or more reports side by side, held against the first."""

from collections import Counter
from collections.abc import Iterator, Sequence

from inspector.comparison.ci_conditions import Finding
from inspector.comparison.comparison import AlignedLayer, Comparison, Metric
from inspector.pages.blocks import (
    Block,
    Column,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.conditions import conditions_section
from inspector.pages.lists.layer_changes import changed_table, shares_time
from inspector.pages.quantities import setting
from inspector.statistics.significance import RatioVerdict, Verdict
from inspector.wording.values import (
    Capital,
    Change,
    Count,
    Duration,
    Joined,
    Name,
    Sentence,
    Size,
    Tone,
    Toned,
    Value,
)

_LETTERS = 26
_ALL = Limits(terminal=60, document=60)
_LISTED = Limits(terminal=12, document=10)
_KINDS = 4  # operators of added or removed layers
_TONES = {Verdict.FASTER: Tone.GOOD, Verdict.SLOWER: Tone.BAD}


def comparison_page(
    comparison: Comparison,
    findings: Sequence[Finding] = (),
    names: Sequence[str] = (),
    verdicts: Sequence[str] = (),
) -> Page:
    """Return the page.

    names: of the reports where others say more, such as their paths. verdicts: sentences on
    what else was found, such as whether the outputs of both models agree.
    """
    shown = tuple(names) or comparison.names
    letters = tuple(_letter(place) for place in range(len(shown)))
    models = next(p.values for p in comparison.properties if p.name == "Model")
    columns = (
        Column("letter", ""),
        Column("report", "Report", stretch=True),
        Column("model", "Model"),
    )
    rows = (
        Row((letter, Name(name), Name(model)))
        for letter, name, model in zip(letters, shown, models, strict=True)
    )
    sections = (
        Section("verdict", "", tuple(_verdicts(comparison, letters, verdicts))),
        conditions_section(findings),
        Section("reports", "", (Table(columns, tuple(rows), _ALL, "report"),)),
        Section("metrics", "Numbers", (metric_table(comparison, letters),)),
        *_layers(comparison, letters),
        _settings(comparison, letters, equal=False),
        _settings(comparison, letters, equal=True),
    )
    title = Sentence(
        "{others} compared with {first}", Joined(tuple(map(Name, shown[1:]))), Name(shown[0])
    )
    return Page("comparison", title, sections)


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < _LETTERS else str(place + 1)


def _verdicts(
    comparison: Comparison, letters: Sequence[str], verdicts: Sequence[str]
) -> Iterator[Text]:
    for letter, judgement in zip(letters[1:], comparison.judgements[1:], strict=True):
        text = Sentence(
            "{report}: {verdict}" if judgement.decided else "{report} against A is {verdict}",
            letter, judgement.text(" than A"),
        )  # fmt: skip
        yield Text(text, _TONES.get(judgement.verdict, Tone.PLAIN), strong=True)
    yield from (Text(text, strong=True) for text in verdicts)
    yield from (Text(warning, Tone.CAUTION, "Warning") for warning in comparison.warnings)
    if comparison.starts:
        yield Text(comparison.starts, Tone.SECONDARY)


def metric_table(comparison: Comparison, letters: Sequence[str]) -> Table:
    """Return every number of each report, and how it differs from that of the first one."""
    first, *others = letters
    columns = [Column("metric", ""), Column(first, first, Side.RIGHT)]
    for letter in others:
        columns += [
            Column(letter, letter, Side.RIGHT),
            Column(f"{letter} delta", f"{letter} − {first}", Side.RIGHT, keep=5),
            Column(f"{letter} change", "Change", Side.RIGHT),
            Column(f"{letter} verdict", "Verdict", keep=7, help="By 95% confidence intervals"),
        ]
    rows = (Row(tuple(_metric(metric))) for metric in comparison.shown_metrics)
    return Table(tuple(columns), tuple(rows), _ALL, "number", fixed=True)


def _metric(metric: Metric) -> Iterator[Value]:
    amount = Duration if metric.unit == "ns" else Size
    yield Capital(metric.title)
    for place, value in enumerate(metric.values):
        yield "n/a" if value is None else amount(value)
        if not place:
            continue
        delta, ratio = metric.delta(place), metric.ratio(place)
        if metric.mixed:
            delta = ratio = None
        verdict = next(iter(metric.judgements[place:]), None)
        yield amount(delta, signed=True) if delta else ""
        yield "" if ratio is None else _toned(Change(ratio), verdict)
        yield _toned(verdict.label, verdict) if verdict is not None else metric.not_tested


def _toned(value: Value, verdict: RatioVerdict | None) -> Value:
    """Return a value in the color of a verdict that has one."""
    tone = _TONES.get(verdict.verdict) if verdict is not None else None
    return value if tone is None else Toned(value, tone)


def _layers(comparison: Comparison, letters: Sequence[str]) -> Iterator[Section]:
    """Yield the blocks that changed most, layers moved, added or removed, and data types."""
    yield _changed(comparison, letters)
    for side in range(1, len(letters)):
        if comparison.different_networks[side]:
            continue
        lists, letter = comparison.lists[side], letters[side]
        moved = (_moved(comparison.layers[place], side) for place in lists.moved)
        values = {"report": letter, "first": letters[0]}
        yield _listed(
            f"moved {letter}",
            Sentence("On a different device in {report}", **values),
            tuple(moved),
        )
        new = (_missing(comparison, place, side) for place in lists.new)
        yield _listed(
            f"new {letter}",
            Sentence("Only in {report}", **values),
            tuple(new),
            _kinds(comparison, lists.new),
        )
        gone = (_missing(comparison, place, 0) for place in lists.gone)
        title = Sentence("Only in {first}, not in {report}", **values)
        yield _listed(f"gone {letter}", title, tuple(gone), _kinds(comparison, lists.gone))
        yield _types(comparison, side, letters)


def _changed(comparison: Comparison, letters: Sequence[str]) -> Section:
    sides = range(1, len(letters))

    table = changed_table(comparison, letters)
    if not table.rows:
        return Section("layers", "", ())
    blocks: list[Block] = [table]
    if any(map(shares_time, table.rows)):
        note = "(+N): the time includes N fused layers or added casts."
        blocks.append(Text(note, Tone.SECONDARY))
    counts = Joined(tuple(
        Sentence("{report}: {slower} slower, {faster} faster", letter,
                 Count(len(comparison.lists[side].slower)),
                 Count(len(comparison.lists[side].faster)))
        for side, letter in zip(sides, letters[1:], strict=True)
    ), "; ")  # fmt: skip
    aside = Sentence("{count} timed in both; {counts}", Count(len(table.rows)), counts)
    return Section("layers", "Layers by change in time", tuple(blocks), aside=aside)


def _time(time_ns: int | None, clock_ns: int = 0) -> Value:
    return "" if time_ns is None else Duration(time_ns, clock_ns)


def _listed(id_: str, title: Value, rows: tuple[Row, ...], aside: Value = "") -> Section:
    columns = (
        Column("layer", "Layer", stretch=True), Column("operator", "Operator"),
        Column("where", "", Side.LEFT),
    )  # fmt: skip
    table = (Table(columns, rows, _LISTED, "layer"),) if rows else ()
    return Section(id_, title, table, aside=aside or Count(len(rows)))


def _moved(layer: AlignedLayer, side: int) -> Row:
    cells = (layer.cells[0], layer.cells[side])
    places = tuple(cell.ran_on or "" for cell in cells if cell is not None)
    return Row((Name(layer.name), Name(layer.operator), Joined(places, " → ")))


def _missing(comparison: Comparison, place: int, side: int) -> Row:
    """Return a row for a layer that the other report lacks: its time, or what it is part of."""
    layer = comparison.layers[place]
    block, cell = comparison.blocks[layer.block], layer.cells[side]
    home = cell.serves if cell and cell.serves is not None else block.lead
    where = _time(cell.time_ns, comparison.clock_ns) if cell else ""
    if home != place:
        where = Sentence("fused into {layer}", Name(comparison.layers[home].name))
    return Row((Name(layer.name), Name(layer.operator), where))


def _kinds(comparison: Comparison, places: Sequence[int]) -> Value:
    """Return which operators layers have: '3 Conv, 1 Relu, ...'."""
    counts = Counter(comparison.layers[place].operator for place in places)
    parts: list[Value] = [
        Joined((Count(count), Name(name)), " ") for name, count in counts.most_common(_KINDS)
    ]
    return Joined((*parts, *(("…",) if len(counts) > _KINDS else ())))


def type_table(comparison: Comparison, side: int, letters: Sequence[str]) -> Table:
    """Return how many layers compute in which types: those of the first report in rows."""
    table = comparison.transitions[side]
    columns = (
        Column(
            "type",
            Sentence("{first} ↓  {other} →", letters[0], letters[side]),
            help="A fused layer is counted with the type of its kernel.",
        ),
        *(Column(name, Name(name), Side.RIGHT) for name in table.other),
    )
    rows = (
        Row((Name(name), *(Count(count) if count else "" for count in counts)))
        for name, counts in zip(table.first, table.counts, strict=True)
    )
    return Table(columns, tuple(rows), _ALL, "type", fixed=True)


def _types(comparison: Comparison, side: int, letters: Sequence[str]) -> Section:
    counted = comparison.transitions[side]
    same = counted.first == counted.other and len(counted.first) == 1
    if not counted.counts or same:
        return Section("types", "", ())
    title = Sentence(
        "Compute types of layers: {first} in rows, {other} in columns",
        letters[0],
        letters[side],
    )
    return Section(f"types {letters[side]}", title, (type_table(comparison, side, letters),))


def setting_table(comparison: Comparison, letters: Sequence[str], equal: bool) -> Table:
    """Return the settings that differ, a column for each report; or those alike, told once."""
    both = "Both" if len(letters) == 2 else "All"
    heads = (Column("value", both),) if equal else tuple(Column(e, e) for e in letters)
    rows = tuple(
        Row((p.name, *map(setting, p.values[:1] if equal else p.values)))
        for p in comparison.properties
        if p.equal is equal
    )
    return Table((Column("name", ""), *heads), rows, _ALL, "setting", fixed=True)


def _settings(comparison: Comparison, letters: Sequence[str], equal: bool) -> Section:
    if equal:
        alike = [p for p in comparison.properties if p.equal and p.group != "model"]
        items = Joined(tuple(Joined((p.name, setting(p.values[0])), " ") for p in alike), "; ")
        block: tuple[Block, ...] = (Text(items, Tone.SECONDARY),) if alike else ()
        return Section("same", "Same settings", block, Rank.DOCUMENT)
    table = setting_table(comparison, letters, equal)
    return Section("different", "Different settings", (table,) if table.rows else ())
