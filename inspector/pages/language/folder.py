"""The page of a folder that is one model: what it is, its parts, and how it is stored."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from inspector.analysis.language.facts import Graph, LanguageFacts
from inspector.analysis.language.tensor_classes import Kind
from inspector.model.model_folder import ModelFolder
from inspector.pages.blocks import (
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
from inspector.wording.values import (
    Amount,
    Capital,
    Count,
    Joined,
    Name,
    Number,
    Sentence,
    Share,
    Size,
    Tone,
    Value,
    joined,
)

# Sections of the page of the main graph that say the same of a part of the whole.
_OF_WHOLE = ("summary", "evidence", "layers")
_FILE = "file"  # the section of a graph's page that says where it comes from
_CONFIGURED = "only the configuration says so"
_LEAST_EXACT = 10_000  # parameters; fewer are written whole
_TEMPLATE = 200  # letters of a chat template that stand there before a reader opens it
_MOST_TEMPLATE = 20_000  # letters of it that can be opened
_MOST_TYPES = 3
_MOST_TOKENS = 6  # special tokens that are named
_PARTS = Limits(terminal=12, document=40)
_CLASSES = Limits(terminal=10)
_FINDINGS = Limits(terminal=6, document=30)
_TITLES = {
    Kind.EMBEDDING: "Embedding", Kind.POSITIONS: "Positions", Kind.ATTENTION: "Attention",
    Kind.FEED_FORWARD: "Feed-forward", Kind.EXPERTS: "Experts", Kind.NORM: "Norms",
    Kind.HEAD: "Head", Kind.OTHER: "Other",
}  # fmt: skip


def folder_page(
    folder: ModelFolder,
    graphs: Sequence[Graph],
    facts: LanguageFacts,
    headline: Value,
    main: Page | None = None,
    more: Sequence[Section] = (),
) -> Page:
    """Return the page.

    headline: what the main graph is recognized as. main: its own page, whose sections follow
    those of the folder. more: sections that were asked for, such as memory.
    """
    own = folder_sections(folder, graphs, facts)
    rest = _of_main(graphs[0], main) if main is not None else ()
    sections = (*own, *more, *rest)
    title = Name(folder.path.absolute().name)
    what = summed_up(facts) or headline or Name(facts.architecture or folder.layout)
    return Page("folder", title, sections, Text(what, strong=True), layout_of(folder, facts))


def folder_sections(
    folder: ModelFolder, graphs: Sequence[Graph], facts: LanguageFacts
) -> tuple[Section, ...]:
    """Return the sections that are about the folder as a whole."""
    return (
        Section("summary", "", (Facts(tuple(_summary(graphs, facts)), prominent=True),)),
        problems(folder, graphs, facts),
        Section("architecture", "Architecture",
                (Facts(tuple(_architecture(folder, facts))),), half=True),
        Section("tokenizer", "Tokenizer", (Facts(tuple(_tokenizer(folder, facts))),),
                half=True),
        stored(facts),
        parts(folder, graphs),
    )  # fmt: skip


def _of_main(graph: Graph, page: Page) -> Iterator[Section]:
    """Yield the sections of the main graph; that of its file says which part they are about."""
    for section in page.sections:
        if section.id == _FILE:
            part = Capital(Name(graph.part.role))
            title = Sentence("{part}: {file}", part, Name(graph.part.path.name))
            yield replace(section, title=title)
        elif section.id not in _OF_WHOLE:
            yield section


def summed_up(facts: LanguageFacts) -> Value:
    """Return what the model is, in one line; "" for one that generates no text."""
    if not facts.generates:
        return ""
    pieces: list[Value] = [Name(facts.called)] if facts.called else []
    if facts.parameters:
        pieces.append(Sentence("{count} parameters", Amount(facts.parameters)))
    if facts.blocks is not None:
        pieces.append(Count(facts.blocks, "block"))
    if facts.context is not None:
        pieces.append(Sentence("context of {count}", Count(facts.context, "token")))
    return Sentence("Language model: {facts}", facts=Joined(tuple(pieces)))


def layout_of(folder: ModelFolder, facts: LanguageFacts) -> Value:
    """Return whose rules the folder follows, and its size."""
    if folder.is_file:
        return Sentence("{layout} file, {size}", Name(folder.layout), Size(facts.size_bytes))
    if not facts.size_bytes:
        return Sentence("Folder of {layout}", Name(folder.layout))
    template = "Folder of {layout}, {size}"
    return Sentence(template, Name(folder.layout), Size(facts.size_bytes))


def size_of_what(graphs: Sequence[Graph]) -> Value:
    """Return which files the size of a folder is of: its parts, or one of its variants; and
    how much of the weights is missing."""
    lost = sum(graph.lost_bytes for graph in graphs)
    if lost:
        missing = Sentence("{size} of weights are missing", Size(lost))
        return joined(_whose_size(graphs), missing, separator="; ")
    return _whose_size(graphs)


def _whose_size(graphs: Sequence[Graph]) -> Value:
    variants = sum(bool(graph.part.variant) for graph in graphs)
    if variants > 1:
        return Sentence("of the first of {count}", Count(variants, "variant"))
    return Count(len(graphs), "part")


def problems(folder: ModelFolder, graphs: Sequence[Graph], facts: LanguageFacts) -> Section:
    """Return what is missing or damaged, and where two sources disagree."""
    damaged = [
        Sentence(
            "'{file}' cannot be used: {why}", Name(_below(folder.path, g.part.path)), g.problem
        )
        for g in graphs
        if g.problem
    ]
    told = facts.tokenizer.problem if facts.tokenizer is not None else ""
    if told and folder.tokenizer is not None:
        name = Name(folder.tokenizer.name)
        damaged.append(Sentence("'{file}' cannot be used: {why}", name, told))
    bad = [Item(text, sign="!", tone=Tone.BAD) for text in (*folder.missing, *damaged)]
    odd = [Item(text, sign="!", tone=Tone.CAUTION) for text in (*folder.notes, *facts.notes)]
    found = (*bad, *odd)
    blocks = (Items(found, _FINDINGS, "problem"),) if found else ()
    return Section("problems", "Problems of the folder", blocks)


def stored(facts: LanguageFacts) -> Section:
    """Return how the weights of each class are stored."""
    whole = sum(each.size_bytes for each in facts.classes)
    columns = (
        Column("class", "Weights", stretch=True),
        Column("parameters", "Parameters", Side.RIGHT),
        Column("size", "Size", Side.RIGHT),
        Column("share", "Share", Side.RIGHT, keep=2),
        Column("bar", "", bar=True, keep=1),
        Column("bits", "Bits each", Side.RIGHT,
               help="with the scales and zero points of quantized weights"),
        Column("types", "Stored as", keep=3),
    )  # fmt: skip
    rows = tuple(
        Row((
            _TITLES[each.kind], Amount(each.parameters) if each.parameters else "",
            Size(each.size_bytes), Share(each.size_bytes, whole),
            Number(each.size_bytes / whole if whole else 0.0),
            Number(each.bits) if each.bits and each.kind is not Kind.OTHER else "",
            Joined(tuple(Name(name) for name, _ in each.types[:_MOST_TYPES])),
        ))
        for each in facts.classes
    )  # fmt: skip
    table = Table(columns, rows, _CLASSES, "class", fixed=True)
    return Section("stored", "Weights by class", (table,) if rows else ())


def parts(folder: ModelFolder, graphs: Sequence[Graph]) -> Section:
    """Return the files of the model and what each is for."""
    with_variants = any(graph.part.variant for graph in graphs)
    columns = (
        Column("role", "Part"),
        *((Column("variant", "Stored as"),) * with_variants),
        Column("file", "File", stretch=True, files=True),
        Column("size", "Size", Side.RIGHT),
        Column("layers", "Layers", Side.RIGHT, keep=1),
        Column("parameters", "Parameters", Side.RIGHT, keep=2),
    )
    rows = tuple(
        Row(
            (
                Capital(Name(graph.part.role)),
                *((Name(graph.part.variant),) * with_variants),
                Name(_below(folder.path, graph.part.path)),
                Size(graph.size_bytes),
                *_numbers(graph),
            ),
            tone=Tone.BAD if graph.problem else Tone.PLAIN,
            key=str(graph.part.path),
        )
        for graph in graphs
    )
    table = Table(columns, rows, _PARTS, "part", total=len(folder.parts), fixed=True)
    return Section("parts", "Parts", (table,) if rows else (), aside=Count(len(folder.parts)))


def _numbers(graph: Graph) -> tuple[Value, Value]:
    model = graph.model
    if model is None:
        return "", ""
    return Count(len(model.layers)) if model.layers else "", Amount(model.parameters)


def _below(folder: Path, path: Path) -> str:
    inside = path != folder and path.is_relative_to(folder)
    return path.relative_to(folder).as_posix() if inside else path.name


def _summary(graphs: Sequence[Graph], facts: LanguageFacts) -> Iterator[Fact]:
    if facts.size_bytes:
        yield Fact("Size", Size(facts.size_bytes), size_of_what(graphs))
    number = facts.parameters
    if number:
        exact: Value = Count(number) if number >= _LEAST_EXACT else ""
        yield Fact("Parameters", Amount(number), exact)
    if facts.blocks is not None:
        yield Fact("Blocks", Count(facts.blocks), _said(facts, "blocks"))
    if facts.context is not None:
        yield Fact("Context", Count(facts.context, "token"), _said(facts, "context"))


def _architecture(folder: ModelFolder, facts: LanguageFacts) -> Iterator[Fact]:
    if facts.architecture:
        yield Fact("Architecture", Name(facts.architecture))
    yield Fact("Layout", Name(folder.layout))
    if facts.parameters and facts.in_blocks:
        yield Fact("Parameters", Joined(tuple(_where_parameters_are(facts))))
    for label, name in (
        ("Hidden size", "hidden"), ("Feed-forward size", "feed_forward"),
        ("Vocabulary", "vocabulary"),
    ):  # fmt: skip
        number = getattr(facts, name)
        if number is not None:
            yield Fact(label, Count(number), _said(facts, name))
    yield from _attention(facts)
    if facts.experts is not None:
        count, used = facts.experts
        template = "{count}, of which {used} run for each token"
        yield Fact("Experts", Sentence(template, Count(count), Count(used)), _CONFIGURED)
    if facts.tied:
        yield Fact("Tied", "the head is the embedding: one weight, counted once")
    license_ = folder.config.get("license")
    if isinstance(license_, str) and license_:
        yield Fact("License", Name(license_))


def _where_parameters_are(facts: LanguageFacts) -> Iterator[Value]:
    blocks = Sentence("{count} in blocks", Amount(facts.in_blocks))
    yield blocks
    for kind, template in (
        (Kind.EMBEDDING, "{count} in the embedding"), (Kind.HEAD, "{count} in the head"),
    ):  # fmt: skip
        number = facts.parameters_of(kind)
        if number:
            yield Sentence(template, count=Amount(number))


def _attention(facts: LanguageFacts) -> Iterator[Fact]:
    if facts.heads is not None:
        said: list[Value] = [Count(facts.heads, "head")]
        if facts.kv_heads is not None and facts.kv_heads != facts.heads:
            said.append(Sentence("{count} for keys and values", Count(facts.kv_heads)))
        if facts.head_size is not None:
            said.append(Sentence("{count} wide", Count(facts.head_size)))
        note = joined(Name(facts.operator) if facts.operator else "", _said(facts, "heads"),
                      separator="; ")  # fmt: skip
        yield Fact("Attention", Joined(tuple(said)), note)
    if facts.window:
        template = "{tokens} back" if not facts.windowed else "{tokens} back in {blocks}"
        values = {"tokens": Count(facts.window, "token")}
        values |= {"blocks": Count(facts.windowed, "block")} if facts.windowed else {}
        yield Fact("Window", Sentence(template, **values), _said(facts, "window"))
    if facts.rope_base is not None:
        base = Sentence("base {number}", Count(round(facts.rope_base)))
        scaling: Value = Name(facts.rope_scaling) if facts.rope_scaling else ""
        yield Fact("Rotary positions", base,
                   joined(scaling, _said(facts, "rope_base"), separator="; "))  # fmt: skip
    if facts.cache_type:
        yield Fact("Cache", Name(facts.cache_type))


def _tokenizer(folder: ModelFolder, facts: LanguageFacts) -> Iterator[Fact]:
    known = facts.tokenizer
    if known is not None and not known.problem:
        size: Value = Count(known.size, "token") if known.size else ""
        yield Fact("Tokenizer", Name(known.kind or "unknown"), size)
        texts = dict(known.specials)
    else:
        texts = {}
    if texts:
        few = list(texts.values())[:_MOST_TOKENS]
        more: Value = ""
        if len(texts) > len(few):
            more = Sentence("and {count} more", Count(len(texts) - len(few)))
        yield Fact("Special tokens", Joined(tuple(map(Name, few))), more)
    if folder.end_ids:
        ends = folder.end_ids[:_MOST_TOKENS]
        yield Fact("Ends an answer", Joined(tuple(_token(end, texts) for end in ends)))
    if folder.bos_id is not None:
        yield Fact("Starts a text", _token(folder.bos_id, texts))
    if folder.chat_template:
        text = " ".join(folder.chat_template.split())
        shown = text[:_TEMPLATE] + "…" * (len(text) > _TEMPLATE)
        whole = folder.chat_template[:_MOST_TEMPLATE] if len(text) > _TEMPLATE else ""
        yield Fact("Chat template", Name(shown), whole=whole)
    elif known is not None and facts.generates:
        yield Fact("Chat template", "none")


def _token(number: int, texts: dict[int, str]) -> Value:
    if number in texts:
        return Sentence("{text} ({number})", Name(texts[number]), Count(number))
    return Count(number)


def _said(facts: LanguageFacts, name: str) -> Value:
    """Return who says a fact, if that is not the graph."""
    return _CONFIGURED if name in facts.configured else ""
