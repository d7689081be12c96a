"""The page of what a language model takes in memory: by context, batch and type of cache."""

from collections.abc import Iterator, Sequence
from functools import partial

from inspector.analysis.language.memory import Fit, MemoryEstimate, ModelMemory
from inspector.pages.blocks import (
    Block,
    Chart,
    Column,
    Fact,
    Facts,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.charts.curves import Axes, Curve, curve_plot
from inspector.pages.charts.drawing import Drawing
from inspector.wording.values import Count, Name, Sentence, Size, Tone, Value

_GIGABYTE = 1e9
# How far estimates were off the measured peak in benchmarks/language_memory.py.
_ERROR = "Estimates of ONNX Runtime on a CPU; measured peaks were within 10%."
_WEIGHTS_ALONE = "Weights and cache alone: what the runtime adds is not known."


def memory_page(memory: ModelMemory) -> Page:
    """Return the page of one model."""
    title = Sentence("Memory of {model}", model=Name(memory.name))
    verdict = _verdict(memory.fits[0]) if memory.fits else None
    return Page("memory", title, memory_sections(memory), verdict)


def memory_sections(memory: ModelMemory) -> tuple[Section, ...]:
    """Return the sections about memory, also for the page of a folder."""
    facts = Facts(tuple(_facts(memory)))
    blocks: list[Block] = [facts, _table(memory)]
    if len({each.context for each in memory.estimates}) > 1:
        text = Sentence("Memory of {model} by context", model=Name(memory.name))
        blocks.append(Chart("memory", partial(_draw, memory), text))
    blocks.append(Text(_ERROR if memory.needs.runs else _WEIGHTS_ALONE, Tone.SECONDARY))
    blocks += [Text(note, label="Note") for note in memory.needs.notes]
    least = min((fit.limit_bytes for fit in memory.fits), default=0)
    limit = memory.needs.context_limit
    if least and limit and all(fit.context == limit for fit in memory.fits):
        whole = Sentence("With {limit} of memory, the largest context fits", limit=Size(least))
        return (Section("memory", "Memory", (*blocks, Text(whole))),)
    section = Section("memory", "Memory", tuple(blocks))
    fits = Section("fits", "Largest context", (_fits(memory),) if memory.fits else ())
    return (section, fits) if fits else (section,)


def _verdict(fit: Fit) -> Text:
    if not fit.context:
        none = Sentence(
            "This model does not fit in {limit} of memory", limit=Size(fit.limit_bytes)
        )
        return Text(none, Tone.CAUTION, strong=True)
    said = Sentence(
        "Fits in {limit} of memory: {batch} of {tokens}",
        limit=Size(fit.limit_bytes),
        batch=Count(fit.batch, "sequence"),
        tokens=Count(fit.context, "token"),
    )
    return Text(said, strong=True)


def _fits(memory: ModelMemory) -> Table:
    """Return the largest context for each limit and batch, by type of the cache."""
    types = tuple(dict.fromkeys(fit.cache_type for fit in memory.fits))
    columns = [Column("limit", "Memory", Side.RIGHT), Column("batch", "Batch", Side.RIGHT)]
    for name in types:
        title = Sentence("Tokens, cache in {type}", type=Name(name))
        columns.append(Column(name, title, Side.RIGHT))
    rows: dict[tuple[int, int], list[Value]] = {}
    for fit in memory.fits:
        first: list[Value] = [Size(fit.limit_bytes), Count(fit.batch)]
        fitting: Value = Count(fit.context) if fit.context else "does not fit"
        rows.setdefault((fit.limit_bytes, fit.batch), first).append(fitting)
    return Table(
        tuple(columns), tuple(Row(tuple(cells)) for cells in rows.values()), noun="limit",
        fixed=True,
    )  # fmt: skip


def _facts(memory: ModelMemory) -> Iterator[Fact]:
    needs = memory.needs
    stored: Value = ""
    if needs.table_bytes:
        stored = Sentence(
            "{size} in the files, of which a table of {table} stays there and is read by rows",
            size=Size(needs.stored_bytes), table=Size(needs.table_bytes),
        )  # fmt: skip
    elif needs.kept_bytes != needs.stored_bytes:
        stored = Sentence("{size} in the files", size=Size(needs.stored_bytes))
    yield Fact("Weights in memory", Size(needs.kept_bytes), stored)
    per_token = Sentence("{type}, {layers}", type=Name(needs.cache_type),
                         layers=Count(len(needs.cache), "layer"))  # fmt: skip
    yield Fact("Cache per token", Size(needs.token_bytes), per_token)
    windows = sorted({layer.window for layer in needs.cache if layer.window})
    if windows:
        many = sum(layer.window > 0 for layer in needs.cache)
        yield Fact("Window", Sentence(
            "{layers} remember the last {tokens} only",
            layers=Count(many, "layer"), tokens=Count(windows[-1], "token"),
        ))  # fmt: skip
    fixed = sum(layer.fixed_bytes for layer in needs.cache)
    if fixed:
        yield Fact("State", Size(fixed), "of each sequence, whatever its length")
    if needs.copies > 1:
        yield Fact("Copies of the cache", Count(needs.copies), "each step returns a new one")
    if needs.context_limit:
        yield Fact("Largest context", Count(needs.context_limit, "token"))


def _table(memory: ModelMemory) -> Table:
    types = tuple(dict.fromkeys(each.cache_type for each in memory.estimates))
    columns = [Column("context", "Context", Side.RIGHT), Column("batch", "Batch", Side.RIGHT)]
    for name in types:
        title = Sentence("Cache in {type}", type=Name(name))
        columns.append(Column(f"cache {name}", title, Side.RIGHT, keep=5))
        columns.append(Column(f"total {name}", "Total", Side.RIGHT))
    rows = []
    for (context, batch), estimates in _by_row(memory.estimates):
        cells: list[Value] = [Count(context), Count(batch)]
        for each in estimates:
            cells += [Size(each.cache_bytes), Size(each.total_bytes)]
        rows.append(Row(tuple(cells)))
    return Table(tuple(columns), tuple(rows), noun="context", fixed=True)


def _by_row(
    estimates: Sequence[MemoryEstimate],
) -> Iterator[tuple[tuple[int, int], list[MemoryEstimate]]]:
    rows: dict[tuple[int, int], list[MemoryEstimate]] = {}
    for each in estimates:
        rows.setdefault((each.context, each.batch), []).append(each)
    yield from rows.items()


def _draw(memory: ModelMemory, width: float) -> Drawing:
    contexts = sorted({each.context for each in memory.estimates})
    places = {context: float(place) for place, context in enumerate(contexts)}
    series: dict[tuple[str, int], list[MemoryEstimate]] = {}
    for each in memory.estimates:
        series.setdefault((each.cache_type, each.batch), []).append(each)
    batches = {batch for _, batch in series}
    curves = tuple(
        Curve(
            f"{name}, batch {batch}" if len(batches) > 1 else name,
            tuple(places[each.context] for each in estimates),
            tuple(each.total_bytes / _GIGABYTE for each in estimates),
        )
        for (name, batch), estimates in series.items()
    )
    ticks = tuple((place, f"{context:,}") for context, place in places.items())
    axes = Axes("Context in tokens", "Memory in GB", ticks)
    return curve_plot("Memory by context", (curves, axes), width=width)
