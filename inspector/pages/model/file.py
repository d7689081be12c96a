"""What the file of a model says: where it comes from, inputs, outputs, operators, texts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from inspector import units
from inspector.analysis.facts.declarations import DOC_STRINGS, declarations
from inspector.analysis.facts.model_facts import (
    UNKNOWN,
    optional_inputs,
    shared_weights,
    types_of_unknown_size,
)
from inspector.analysis.facts.model_facts import Facts as ModelFacts
from inspector.analysis.facts.requirements import Requirements
from inspector.formats.model_formats import runs_with
from inspector.model.axes import free_axes
from inspector.model.model import CompiledPart, Finding, Model, TensorInfo
from inspector.pages.blocks import (
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Rank,
    Row,
    Section,
    Side,
    Table,
)
from inspector.pages.model.weights import dominant_sentence
from inspector.wording.values import (
    Count,
    Joined,
    Name,
    Number,
    Sentence,
    Share,
    Size,
    Tone,
    Value,
)

_VALUES = Limits(terminal=6, document=20, page=300)
_OPERATORS = Limits(terminal=8, document=12, page=100)
_TEXTS = Limits(terminal=4, document=10, page=500)
_FINDINGS = Limits(terminal=4, document=20)
_MOST_TYPES = 4
_MOST_NEEDS = 3
_MOST_OPERATORS = 3
_LABEL = 48  # letters of a name of the file in front of its text
_BEGINNING = 160  # letters of a long text that stand there before a reader opens it
_WHOLE = 20_000  # letters of a long text that can be opened
# letters
_DESCRIPTION = 300
_AXES = 120
_SENTENCE = 220
_RANKS = {DOC_STRINGS: Rank.DOCUMENT}
_DESCRIBING = "description", "model_description", "task", "short_description", "summary"


def facts_section(
    model: Model, facts: ModelFacts, with_types: bool, with_largest: bool
) -> Section:
    """Return where the file comes from and what it needs.
    with_types: the types too in which layers compute, as far as the file states them.
    with_largest: which weight is most of it, too."""
    rows = [*_origin(model), *_needs(model, facts.requirements), *_stored(model, facts)]
    if with_largest and facts.dominant is not None:
        rows.append(Fact("Largest weight", dominant_sentence(facts.dominant)))
    if with_types:
        rows.append(Fact("Compute type", compute_types(facts.precision.compute)))
    metadata = {key.lower().rpartition(".")[2]: value for key, value in model.metadata}
    named = next((metadata[key] for key in _DESCRIBING if metadata.get(key)), "")
    text = " ".join((model.doc or named)[:_WHOLE].split())
    rows.append(Fact("Description", Name(units.clip(text, _DESCRIPTION)) if text else ""))
    return Section("file", "File", (Facts(tuple(row for row in rows if row.value)),), half=True)


def _origin(model: Model) -> Iterator[Fact]:
    yield Fact("Format", model.format_text)
    opsets = (f"{each.domain or 'ai.onnx'} {each.version}" for each in model.opsets)
    yield Fact("Opsets", ", ".join(opsets))
    producer = " ".join(filter(None, (model.producer, model.producer_version)))
    yield Fact("Producer", Name(producer) if producer else "")
    version = f"version {model.version}" if model.version else ""
    domain = " ".join(filter(None, (model.domain, version)))
    yield Fact("Model domain", Name(domain) if domain else "")
    yield Fact("Graph", Name(model.graph_name) if model.graph_name else "")
    axes = free_axes(model.inputs)
    listed = ", ".join(map(units.axis_size, axes))
    names: Value = Name(units.clip(listed, _AXES)) if axes else "none"
    yield Fact("Dynamic axes of inputs", names if model.inputs else "")


def _needs(model: Model, required: Requirements) -> Iterator[Fact]:
    yield Fact("Runs with", runs_with(model.format))
    for library in required.libraries[:_MOST_NEEDS]:
        own = "custom operators, from the author of the model (`--custom-ops`)"
        # "custom" is what TensorFlow Lite calls every operator that it does not know.
        domain = "" if library.domain == "custom" else library.domain or "an unnamed domain"
        operators = few(
            [Name(units.clip(name, _LABEL)) for name in library.operators], _MOST_OPERATORS
        )
        of_domain = Sentence("{operators} of {domain}",
                             operators, Name(domain))  # fmt: skip
        yield Fact("Needs", library.package or own, of_domain if domain else operators)
    for note in required.notes[:_MOST_NEEDS]:
        yield Fact("Needs", note)


def _stored(model: Model, facts: ModelFacts) -> Iterator[Fact]:
    parts: list[Value] = [
        Sentence("{type} {size} ({share})", dtype, Size(size), Share(size, facts.weights_bytes))
        for dtype, size in facts.precision.storage
        if size
    ]  # fmt: skip
    for dtype in types_of_unknown_size(model.weights):
        known = dtype != UNKNOWN
        of_type = Sentence("{type} of unknown size", Name(dtype))
        parts.append(of_type if known else "unknown type and size")
    yield Fact("Stored as", few(parts, _MOST_TYPES) if parts else "")
    yield Fact("Shared weights", shared_weights(model))


def compute_types(types: Sequence[tuple[str, int]]) -> Value:
    """Return in which types layers compute, with the number of layers of each."""
    parts = [Joined((name, Count(number, "layer")), ": ") for name, number in types]
    return few(parts, _MOST_TYPES) if parts else ""


def few(parts: Sequence[Value], most: int) -> Value:
    """Return the first of some values, and how many more there are."""
    shown = Joined(tuple(parts[:most]))
    if len(parts) <= most:
        return shown
    return Sentence("{parts} and {count} more",
                    shown, Count(len(parts) - most))  # fmt: skip


def format_details(model: Model) -> Section:
    """Return what only formats other than ONNX's say of a model."""
    facts = model.details.facts if model.details is not None else ()
    rows = tuple(Fact(name, Name(value)) for name, value in facts if value)
    return Section("format", "Format details", (Facts(rows),) if rows else ())


def compiled(model: Model) -> Section:
    """Return what each part is that was compiled for a device, and where its binary is."""
    parts = model.compiled
    columns = (
        Column("layer", "Layer", stretch=True, keep=3),
        Column("provider", "Compiled for"),
        Column("chip", "Chip", keep=4),
        Column("sdk", "SDK version"),
        Column("binary", "Binary"),
        Column("size", "Size", Side.RIGHT),
    )
    given = [True, True, any(p.hardware for p in parts), any(p.sdk for p in parts), True, True]
    rows = tuple(
        Row(
            tuple(compress(_compiled(model, part), given)),
            Tone.BAD if part.problem else Tone.PLAIN,
            number=part.layer,
        )
        for part in parts
    )
    table = Table(tuple(compress(columns, given)), rows, _VALUES, "part")
    aside = Count(len(rows), "part")
    return Section("compiled", "Compiled parts", (table,) if rows else (), aside=aside)


def _compiled(model: Model, part: CompiledPart) -> tuple[Value, ...]:
    if part.shared:
        place: Value = "of another part" if not part.problem else "missing"
    elif part.file:
        place = Sentence("{file}, missing", Name(part.file)) if part.size_bytes is None else (
            Name(part.file)
        )  # fmt: skip
    else:
        place = "in this file"
    return (
        Name(model.layers[part.layer].label),
        Name(part.provider) if part.provider else "an unnamed device",
        Name(part.hardware),
        Name(part.sdk),
        place,
        Size(part.size_bytes) if part.size_bytes is not None else "",
    )


def findings(model: Model) -> Section:
    """Return what is odd about the file."""
    return Section("findings", "Problems in the file", tuple(_finding_items(model.findings)))


def _finding_items(found: Iterable[Finding]) -> Iterator[Items]:
    items = tuple(
        Item(units.clip(f"{units.clip(each.subject, _LABEL)}: {each.text}" if each.subject
                        else each.text, _SENTENCE), sign="!", tone=Tone.CAUTION)
        for each in found
    )  # fmt: skip
    if items:
        yield Items(items, _FINDINGS, "problem")


def inputs(model: Model) -> Section:
    """Return what a caller must give."""
    return _values("inputs", "Inputs", model.inputs)


def outputs(model: Model) -> Section:
    """Return what a caller gets."""
    return _values("outputs", "Outputs", model.outputs)


def _values(id_: str, title: str, values: Sequence[TensorInfo]) -> Section:
    columns = (
        Column("name", "Name", stretch=True),
        Column("type", "Type"),
        Column("shape", "Shape", digits=True),
        *((Column("meaning", "Meaning", keep=3),) * any(map(meaning, values))),
    )
    rows = tuple(Row((*_declared(v), meaning(v))[: len(columns)]) for v in values)
    table = Table(columns, rows, _VALUES, title.lower().removesuffix("s"))
    return Section(id_, title, (table,) if rows else (), aside=Count(len(rows)), half=True)


def defaults(model: Model) -> Section:
    """Return the inputs that a caller may leave out, with the shape of their default."""
    shapes = {weight.name: weight.shape for weight in model.weights}
    rows = tuple(
        Row((*_declared(value), Name(units.shape(shapes.get(value.name)))))
        for value in optional_inputs(model)
    )
    columns = (
        Column("name", "Name", stretch=True),
        Column("type", "Type"),
        Column("shape", "Shape", digits=True),
        Column("default", "Default"),
    )
    table = Table(columns, rows, _VALUES, "input")
    title = "Inputs with defaults (optional)"
    return Section("defaults", title, (table,) if rows else (), aside=Count(len(rows)))


def _declared(value: TensorInfo) -> tuple[Value, Value, Value]:
    """Return name, type and shape as the file declares them."""
    dtype = f"sparse {value.dtype}" if value.kind == "sparse tensor" else value.dtype
    tensor = value.kind in ("tensor", "sparse tensor")
    shape: Value = Name(units.shape(value.shape)) if tensor else ""
    return Name(value.name), Name(dtype), shape


def meaning(value: TensorInfo) -> Value:
    """Return what the file says that a value is."""
    text = ": ".join(filter(None, (value.denotation, value.doc)))
    return Name(units.clip(" ".join(text.split()), _BEGINNING)) if text else ""


def operators(facts: ModelFacts) -> Section:
    """Return how many layers there are of each operator, the most frequent first."""
    most = max((number for _, number in facts.operators), default=1)
    columns = (
        Column("operator", "Operator", stretch=True),
        Column("layers", "Layers", Side.RIGHT),
        Column("bar", "", bar=True),
    )
    rows = tuple(
        Row((Name(name), Count(number), Number(number / most)))
        for name, number in facts.operators
    )
    table = Table(columns, rows, _OPERATORS, "operator")
    aside = Count(len(rows), "type")
    return Section("operators", "Operators", (table,) if rows else (), aside=aside, half=True)


def declared(model: Model) -> Iterator[Section]:
    """Yield what the file declares beside its graph: functions, training, signatures, ..."""
    for title, named in declarations(model):
        yield text_section(title.lower(), title, named, _RANKS.get(title, Rank.TERMINAL))


def texts(model: Model) -> Iterator[Section]:
    """Yield the free texts of the file: metadata, and code where it holds any."""
    named = [*model.metadata, *model.graph_metadata]
    if model.graph_doc:
        named.insert(0, ("Graph description", model.graph_doc))
    if len(model.doc) > _DESCRIPTION:
        named.insert(0, ("Description", model.doc))
    yield text_section("metadata", "Metadata", named)
    code = model.details.texts if model.details is not None else ()
    yield text_section("code", "Code", code, Rank.DOCUMENT)


def text_section(
    id_: str, title: str, named: Sequence[tuple[str, str]], rank: Rank = Rank.TERMINAL
) -> Section:
    """Return texts of the file with their names; a long one is opened by the reader."""
    facts = tuple(_text(key, value) for key, value in named)
    blocks = (Facts(facts, limits=_TEXTS, noun="entry"),) if facts else ()
    return Section(id_, title, blocks, rank, Count(len(facts)))


def _text(key: str, value: str) -> Fact:
    first = " ".join(value[:_WHOLE].partition("\n")[0].split())
    is_long = len(value) > _BEGINNING or "\n" in value
    rest = len(value) - _WHOLE
    whole = value[:_WHOLE] + (f"\n… {rest:,} more characters" if rest > 0 else "")
    beginning = Name(units.clip(first, _BEGINNING))
    return Fact(Name(units.clip(key, _LABEL)), beginning, whole=whole if is_long else "")
