"""The page of the differences between two models."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from inspector.comparison.change_groups import layer_rows, sqnr_text
from inspector.comparison.ci_conditions import Finding
from inspector.comparison.model_changes import ChangeGroup, ModelDiff, State
from inspector.model.model import Model
from inspector.pages.blocks import (
    Column,
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
from inspector.pages.conditions import conditions_section
from inspector.pages.language.quality import parts_section, quality_section
from inspector.report.language.quality import Quality
from inspector.wording.values import (
    Amount,
    Count,
    Joined,
    Name,
    Sentence,
    Share,
    Size,
    Tone,
    Value,
    joined,
)

SIGNS = {State.NEW: "+", State.GONE: "−", State.CHANGED: "~", State.MOVED: "→", State.SAME: "="}
_TONES = {State.NEW: Tone.GOOD, State.GONE: Tone.BAD}
_GROUPS = Limits(terminal=24, document=20)
_WEIGHTS = Limits(terminal=8, document=40, page=1_000)
_DECIBELS = 20  # of a tenfold ratio of values
_MOST_SHARE = 10.0  # written as a percentage: above, digits say nothing (a judgment)
_MEMBERS = Limits(terminal=4, document=10, page=200)  # layers of one group


class AtAGlance(Struct, frozen=True):
    """What was measured of two models, as the window's first table says it.

    verdict: its sentence. rows: texts of A, of B and of the change by what they are about.
    latency: the verdict on the latencies with its interval, "" where one was not measured.
    """

    verdict: str
    rows: Mapping[str, tuple[str, str, str]]
    latency: str = ""


def model_diff_page(
    diff: ModelDiff,
    findings: Sequence[Finding] = (),
    glance: AtAGlance | None = None,
    names: tuple[str, str] | None = None,
    quality: Quality | None = None,
) -> Page:
    """Return the page. names: of both models where others say more, such as their paths.
    quality: of language models, on a text."""
    first, other = names or (diff.first.name, diff.other.name)
    title = Sentence("{a} and {b}", Name(first), Name(other))
    sections = (
        _measured(glance),
        Section("models", "", (_models(diff, (first, other)), *_counts(diff))),
        *_on_text(quality),
        conditions_section(findings),
        Section("changes", "Changes", _groups(diff)),
        _weight_errors(diff),
    )
    return Page("model diff", title, sections, Text(diff.summary, strong=True))


def _on_text(quality: Quality | None) -> tuple[Section, ...]:
    if quality is None:
        return ()
    return (quality_section(quality, with_verdict=True), parts_section(quality))


def _measured(glance: AtAGlance | None) -> Section:
    if glance is None:
        return Section("measured", "", ())
    columns = (
        Column("about", ""), Column("a", "A"), Column("b", "B"),
        Column("change", "B compared with A"),
    )  # fmt: skip
    rows = tuple(Row((about, *texts)) for about, texts in glance.rows.items())
    latency = (Text(glance.latency),) if glance.latency else ()
    verdict = Text(glance.verdict, strong=True)
    return Section("measured", "", (verdict, Table(columns, rows), *latency))


def _models(diff: ModelDiff, names: tuple[str, str]) -> Table:
    columns = (
        Column("side", ""),
        Column("model", "Model", stretch=True),
        *(Column(head.lower(), head, Side.RIGHT) for head, _ in _facts(diff.first)),
    )
    rows = (
        Row((letter, Name(name), *(value for _, value in _facts(model))))
        for letter, name, model in zip("AB", names, (diff.first, diff.other), strict=True)
    )
    return Table(columns, tuple(rows))


def _facts(model: Model) -> tuple[tuple[str, Value], ...]:
    opset = next((str(each.version) for each in model.opsets if not each.domain), "none")
    return (
        ("Layers", Count(len(model.layers))),
        ("Parameters", Amount(model.parameters)),
        ("Size", Size(model.whole_bytes)),
        ("Opset", opset),
    )


def _counts(diff: ModelDiff) -> Iterator[Text]:
    """Yield the number of layers and of weights by state, without states that none has."""
    layers = [(state.label, diff.counts[state.value]) for state in State]
    layers.append(("renamed", diff.counts["renamed"]))
    counted = diff.weight_counts | {"same": diff.weight_counts["same"] - diff.unread_same}
    weights = [
        (label, counted[name])
        for name, label in (
            ("new", "added"), ("gone", "removed"), ("changed", "changed"), ("same", "same"),
            ("renamed", "renamed"), ("folded", "folded"), ("unknown", "not readable"),
        )
    ]  # fmt: skip
    for template, counts in (("Layers: {counts}", layers), ("Weights: {counts}", weights)):
        parts = [Joined((Count(count), label), " ") for label, count in counts if count]
        yield Text(Sentence(template, counts=Joined(tuple(parts)) if parts else "none"))
    constants = [
        sum(layer.operator == "Constant" for layer in model.layers)
        for model in (diff.first, diff.other)
    ]
    if any(constants):  # or the sums would not be those of the table
        yield Text("Constant layers are compared as weights.", Tone.SECONDARY)
    if sum(map(len, diff.constants)) > sum(constants):
        yield Text("Layers that only expand a weight are compared as weights.", Tone.SECONDARY)


def _weight_errors(diff: ModelDiff) -> Section:
    """Return how far each weight is from that of A as real numbers, the worst first."""
    pairs = [
        (each.difference.sqnr_db, each, each.difference)
        for each in diff.weights
        if each.difference is not None
        and each.difference.unequal
        and each.difference.sqnr_db is not None
    ]
    pairs.sort(key=lambda each: each[0])
    columns = (
        Column("weight", "Weight", stretch=True),
        Column("a", "A", keep=3),
        Column("b", "B", keep=4),
        Column("max", "Max difference", Side.RIGHT, keep=5),
        Column("rms", "RMS difference", Side.RIGHT, keep=2),
        Column("sqnr", "SQNR", Side.RIGHT),
    )
    rows = tuple(
        Row((
            Name(pair.either.name),
            pair.first.dtype if pair.first is not None else "",
            pair.other.dtype if pair.other is not None else "",
            f"{difference.max_abs:.3g}",
            _relative(10 ** (-sqnr / _DECIBELS)),
            f"{sqnr:.1f} dB",
        ))
        for sqnr, pair, difference in pairs
    )  # fmt: skip
    blocks = (Table(columns, rows, _WEIGHTS, "weight"),) if rows else ()
    return Section("weights", "Weights that differ, as real numbers", blocks)


def _relative(difference: float) -> Value:
    """Return a difference relative to A: as a percentage, a very large one as a factor."""
    return Share(difference) if difference < _MOST_SHARE else f"{difference:.2g}×"


def _groups(diff: ModelDiff) -> tuple[Items, ...]:
    items = tuple(_group(diff, group) for group in diff.groups)
    return (Items(items, _GROUPS, "group", folded=True),) if items else ()


def _group(diff: ModelDiff, group: ChangeGroup) -> Item:
    values = sqnr_text(diff.pairs[place] for place in group.pairs)
    detail = joined(group.detail, values, separator=" · ")
    rows = layer_rows(diff, group)
    rows = [] if len(group.changes) == 1 else rows  # the detail says it all
    members = tuple(Item(Name(name), text) for name, text in rows)
    return Item(
        group.title, detail, SIGNS[group.state], _TONES.get(group.state, Tone.CAUTION),
        Items(members, _MEMBERS, "layer" if group.pairs else "change"),
    )  # fmt: skip
