"""The page of the outputs of layers: where two runs part, where NaN comes from, all layers."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import inf, nan
from typing import Any

from inspector import units
from inspector.analysis.measured.layer_outputs import (
    Alone,
    LayerOutput,
    LayerStep,
    Match,
    Stepping,
    summary,
)
from inspector.analysis.measured.sample_statistics import statistics
from inspector.model.display_names import fit_lines
from inspector.model.model import packed_bytes, product
from inspector.model.tensors.agreement import decibels, tolerance
from inspector.model.tensors.difference import Difference
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.outputs.prediction import notes_section
from inspector.pages.rows import LazyRows
from inspector.pages.tables import table_of
from inspector.preview.inputs.feeds import Filled
from inspector.report.output_verdict import RANDOM
from inspector.report.run_spec import InputSource
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    Name,
    Noted,
    Real,
    Sentence,
    Size,
    Tone,
    Toned,
    Value,
    joined,
)

_ALL = Limits(terminal=100_000, document=1000, page=100_000)
_FEW = Limits(terminal=40, document=1000, page=100_000)
_UNKNOWN = "–"
_OWN = "Error of the layer alone, where both sides read the same values"
_SHARE = "largest error as a share of the largest value"
_SHARE_ROUNDED = (
    "largest error as a share of the largest value; this much because a model rounds to 8 bits "
    "or fewer"
)
_MOST_RANGES = 6  # of layers that are not listed
_NAME_LETTERS = 36  # of a name beside its counterpart's
# What pairs of two forms of a network were found by, where it was not their values.
_BASES = {
    "structure": "paired by structure",
    "name": "paired by name",
    "output": "paired as an output",
    "order": "paired by order",
}
_STATISTICS = (("min", "Min"), ("max", "Max"))


def layer_outputs_page(
    stepping: Stepping,
    filled: Sequence[Filled | InputSource] = (),
    step: LayerStep | None = None,
    alone: Alone | None = None,
) -> Page:
    """Return the page. step: the only layer that is shown. alone: its time by itself."""
    values: dict[str, Value] = {
        "model": Name(stepping.model),
        "devices": " + ".join(map(units.device, stepping.devices)),
        "other": Name(stepping.against),
    }
    title = Sentence(
        "Layer outputs of {model} on {devices}, compared with {other}" if stepping.against
        else "Layer outputs of {model} on {devices}",
        **values,
    )  # fmt: skip
    first, *others = summary(stepping) or ("",)
    bad = stepping.divergence is not None or stepping.first_nan is not None
    tone = Tone.BAD if bad else Tone.GOOD if stepping.against else Tone.PLAIN
    others += [stepping.verdict] if stepping.verdict else []
    sections = (
        Section("summary", "", (*map(Text, others), Facts(tuple(_facts(stepping, filled))))),
        _pairs(stepping)
        if stepping.across and step is None
        else _layers(stepping)
        if step is None
        else layer_section(step),
        chain_section(stepping, step),
        _unpaired(stepping if step is None else None),
        _alone(alone),
        notes_section(stepping.notes),
    )
    verdict = Text(first, tone, strong=True) if first else None
    return Page("layer outputs", title, sections, verdict)


def step_table(stepping: Stepping) -> Table:
    """Return a row for each layer: of its outputs, that which differs most, else the first."""
    differs = stepping.against != ""
    odd = any(step.nan or step.infinite for step in stepping.steps)
    across = stepping.across
    columns = (
        Column("index", "#", Side.RIGHT, falling=False),
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=1),
        *((Column("counterpart", "Counterpart", keep=9, stretch=True),) * across),
        Column("shape", "Shape", keep=3, digits=True),
        Column("size", "Size", Side.RIGHT, keep=2, help="Total size of the layer's outputs"),
        Column("min", "Min", Side.RIGHT, keep=4, falling=False,
               help="Smallest finite value of the selected output"),
        Column("max", "Max", Side.RIGHT, keep=6,
               help="Largest finite value of the selected output"),
        *((Column("odd", "NaN, Inf", Side.RIGHT, keep=7,
                  help="Number of NaN and infinite elements in all outputs"),) * odd),
        *((Column("error", "Rel error", Side.RIGHT,
                  help="Max error ÷ max |value| of the reference"),
           *((Column("own_error", "Own error", Side.RIGHT, keep=8, help=_OWN),) * across),
           Column("sqnr", "SQNR", Side.RIGHT, keep=5, falling=False,
                  help="Signal-to-quantization-noise ratio: power of the "
                       "reference ÷ power of the difference; ∞ means identical")) * differs),
    )  # fmt: skip
    keys: dict[str, Callable[[], Sequence[Any]]] = {
        "index": lambda: [step.index for step in stepping.steps],
        "layer": lambda: [step.name.casefold() for step in stepping.steps],
        "operator": lambda: [step.operator.casefold() for step in stepping.steps],
        "shape": lambda: [_elements(step) for step in stepping.steps],
    }
    first, made = stepping.divergence, stepping.first_nan

    def row(place: int) -> Row:
        step = stepping.steps[place]
        badge = "(first difference)" if step is first else "(first NaN)" if step is made else ""
        return _step_row(step, badge, odd, differs, across)

    def texts() -> list[str]:
        return list(map(_searched, stepping.steps))

    rows = LazyRows(len(stepping.steps), row, keys, texts)
    return Table(columns, rows, _ALL, "layer")


def shown_output(step: LayerStep) -> LayerOutput | None:
    """Return the output that a row tells of: the one that differs most, else the first."""
    worst = step.worst
    if worst is not None:
        return next(each for each in step.outputs if each.difference is worst)
    return step.outputs[0] if step.outputs else None


def _step_row(step: LayerStep, badge: str, odd: bool, differs: bool, across: bool) -> Row:
    output, name = shown_output(step), Name(step.name)
    known = output.statistics if output is not None else None
    shape = output and (output.description or units.shape(output.shape))
    size, apart = _outputs_bytes(step), output.difference if output is not None else None
    titled = Joined((name, Toned(badge, Tone.BAD)), " ") if badge else name
    spoken: Value = Joined((name, badge.strip("()")), ": ") if badge else ""
    match = output.match if output is not None else None
    alone = match.own_error if match is not None else None
    there = ""
    if match is not None and output is not None:
        there = (match.layer_name or output.counterpart).partition(";")[0]
    errors = (
        _over(step, _relative(apart), _relative_order(apart)),
        *((Noted(_relative(alone), order=_relative_order(alone)),) * across),
        _over(step, decibels(apart.sqnr_db), apart.sqnr_db)
        if apart is not None and apart.sqnr_db is not None else _UNKNOWN,
    )  # fmt: skip
    return Row((
        Count(step.index),
        Noted(titled, joined(Name(step.problem), Name(step.remark)), spoken=spoken),
        Name(units.clip(step.operator, 60)),
        *((Name(there) if there else _UNKNOWN,) * across),
        Name(shape) if shape else _UNKNOWN,
        _UNKNOWN if size is None else Size(size),
        _finite(known.minimum if known else None),
        _finite(known.maximum if known else None),
        *((_odd(step),) * odd),
        *(errors * differs),
    ), Tone.SECONDARY if step.problem else Tone.PLAIN)  # fmt: skip


def _elements(step: LayerStep) -> float:
    output = shown_output(step)
    return nan if output is None else float(product(output.shape) or 0)


def _outputs_bytes(step: LayerStep) -> int | None:
    """Return the bytes of all outputs of a layer; None if the size of one is not known."""
    sizes = [
        packed_bytes(each.dtype, product(each.shape) or 0) if each.statistics else None
        for each in step.outputs
    ]
    return sum(size or 0 for size in sizes) if sizes and None not in sizes else None


def _finite(value: float | None) -> Value:
    return _UNKNOWN if value is None else Real(value + 0.0)  # 0.0: -0 is 0


def _relative(result: Difference | None) -> Value:
    """Return an error in parts of the largest value, or why there is none."""
    if result is None:
        return _UNKNOWN
    if result.identical:
        return "0"
    if result.unmatched and not result.problem:
        return "NaN, Inf"
    differs = result.problem or result.relative is None
    return "differs" if differs else Real(result.relative or 0.0, 2)


def _relative_order(result: Difference | None) -> float | None:
    if result is None:
        return None
    return inf if result.problem or result.unmatched else result.relative


def _over(step: LayerStep, value: Value, order: float | None) -> Noted:
    """Return an error in the color of failures where a layer exceeds the tolerance."""
    apart = step.worst
    note = Name(apart.problem if apart is not None else step.remark)
    order = nan if order is None else float(order)
    if not step.over:
        return Noted(value, note, order)
    spoken = Sentence("{text}, exceeds the tolerance", value)
    tone = Tone.CAUTION if step.made is False else Tone.BAD  # carried on by this layer
    return Noted(Toned(value, tone), note, order, spoken)


def _odd(step: LayerStep) -> Value:
    """Return how many elements are NaN or infinite: '12 NaN', '3 Inf', both added up."""
    count = step.nan + step.infinite
    if not count:
        return "" if step.outputs else _UNKNOWN
    kind = "" if step.nan and step.infinite else "NaN" if step.nan else "Inf"
    text = f"{units.count(count)} {kind}".strip()
    return Noted(Toned(text, Tone.BAD) if step.nan else text, order=float(count))


def _searched(step: LayerStep) -> str:
    """Return name, operator and tensors; "nan" and "differs" where that is so."""
    outputs = "\n".join(output.name for output in step.outputs)
    counts = (("nan", step.nan), ("inf", step.infinite), ("differs", step.over))
    signs = " ".join(word for word, holds in counts if holds)
    return f"{step.name}\n{step.operator}\n{outputs}\n{signs}".casefold()


def layer_section(step: LayerStep) -> Section:
    """Return one layer: each output with its statistics, and its difference."""
    blocks: list[Block] = [Text(step.remark)] if step.remark else []
    for output in step.outputs:
        blocks += [Text(Name(output.name), strong=True), Facts(tuple(_output(output)))]
    title = Sentence("Layer {number}: {name}", Count(step.index), Name(step.name))
    return Section("layer", title, tuple(blocks), aside=Name(step.operator))


def chain_section(stepping: Stepping, step: LayerStep | None) -> Section:
    """Return a layer between those that give its inputs and those that read its outputs, with
    the errors of all, so that an error can be followed to the layer that makes it."""
    if step is None:
        return Section("chain", "", ())
    compared = stepping.against != ""
    columns = (
        Column("relation", ""),
        Column("index", "#", Side.RIGHT),
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=3),
        *((Column("error", "Rel error", Side.RIGHT, keep=6,
                  help="Max error ÷ max |value| of the reference"),) * compared),
        *((Column("own_error", "Own error", Side.RIGHT, keep=4, help=_OWN),)
          * stepping.across),
        *((Column("remark", "", keep=7),) * compared),
    )  # fmt: skip
    by_index = {each.index: each for each in stepping.steps}
    members = [
        *(("Input", by_index[index]) for index in step.inputs if index in by_index),
        ("This layer", step),
        *(("Reader", each) for each in stepping.steps if step.index in each.inputs),
    ]
    names = _short([(each.index, each.name) for _, each in members])
    rows = tuple(
        Row(
            (
                relation,
                Count(each.index),
                Name(name),
                Name(each.operator),
                *_chain_cells(stepping, each),
            ),
            number=each.index,
            key=str(each.index),
        )
        for (relation, each), name in zip(members, names, strict=True)
    )
    blocks = table_of(columns, rows, _ALL, "layer")
    return Section("chain", "Inputs and readers", blocks)


def _chain_cells(stepping: Stepping, step: LayerStep) -> Iterator[Value]:
    """Yield error, own error and whose it is, where the run was compared with another one."""
    output = shown_output(step)
    if stepping.against:
        yield _relative(step.worst)
    if stepping.across:
        match = output.match if output is not None else None
        yield _relative(match.own_error if match is not None else None)
    if stepping.against:
        yield _verdict_of(stepping, step)


def _verdict_of(stepping: Stepping, step: LayerStep) -> Value:
    """Return whether a layer makes an error, carries one on, or is not compared."""
    if step is stepping.divergence:
        return Toned("first error", Tone.BAD, strong=True)
    if step.over:
        carried = step.made is False
        return Toned("carried on", Tone.CAUTION) if carried else Toned("error", Tone.BAD)
    if step.worst is None:
        return Noted("not compared", Name(step.problem or step.remark))
    return Toned("within tolerance", Tone.GOOD)


def _by_type(stepping: Stepping) -> Value:
    """Return the tolerance of each floating-point type that was compared."""
    pairs = (
        (output.difference.reference_dtype, output.difference.other_dtype)
        for step in stepping.steps
        for output in step.outputs
        if output.difference is not None
    )
    types = [name for name in dict.fromkeys(chain.from_iterable(pairs)) if tolerance(name)]
    each = (
        Sentence("{number} for {type}", Real(max(stepping.least, tolerance(name))), Name(name))
        for name in types
    )
    return Joined(each) if types else "by data type"


def _facts(stepping: Stepping, filled: Sequence[Filled | InputSource]) -> Iterator[Fact]:
    if stepping.optimization:
        yield Fact("Optimization", stepping.optimization)
    if stepping.against:
        # The defaults of the types are another number for each of them.
        own = stepping.tolerance
        allowed: Value = _by_type(stepping) if own is None else Real(own)
        rounded = own is None and stepping.least > 0
        yield Fact("Tolerance", allowed, _SHARE_ROUNDED if rounded else _SHARE)
    for each in filled:
        described = isinstance(each, Filled) and each.value.startswith(RANDOM) and each
        note = described.description if described else ""
        yield Fact(Sentence("Input {name}", Name(each.name)), Name(each.value), note)
    if stepping.across:
        ours = sum(not step.problem for step in stepping.steps)
        yield Fact("Paired", Sentence("{compared} of {layers}", Count(stepping.compared),
                                      Count(ours, "layer")))  # fmt: skip
    inside = [step.index for step in stepping.steps if step.problem]
    if inside:
        reason = Sentence(
            "{layers}, inside subgraphs: not run, or ONNX Runtime cannot return their values",
            layers=_ranges(inside),
        )
        yield Fact("Not listed", Count(len(inside), "layer"), reason)


def _ranges(indices: Sequence[int]) -> str:
    """Return ascending indices as runs: '#3–#377, #429'; the first few of many."""
    runs = list[list[int]]()
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    texts = [f"#{low}–#{high}" if low < high else f"#{low}" for low, high in runs]
    return ", ".join((*texts[:_MOST_RANGES], *["…"] * (len(texts) > _MOST_RANGES)))


def _layers(stepping: Stepping) -> Section:
    columns = (
        Column("index", "#", Side.RIGHT),
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=5),
        Column("shape", "Shape", keep=6, digits=True),
        *(Column(key, title, Side.RIGHT, keep=7) for key, title in _STATISTICS),
        Column("error", "Max error", Side.RIGHT),
        Column("sqnr", "SQNR", Side.RIGHT, keep=8),
        Column("remark", ""),
    )
    rows = tuple(
        Row(tuple(_cells(stepping, step, slot, output)), number=step.index, key=str(step.index))
        for step in stepping.steps
        if not step.problem
        for slot, output in enumerate(step.outputs)
    )
    blocks = table_of(columns, rows, _ALL, "layer")
    return Section("layers", "Layers", blocks, aside="in the order in which they run")


def _pairs(stepping: Stepping) -> Section:
    """Return the layers that have a counterpart in another form of the network."""
    measured = stepping.verdict != ""
    columns = (
        Column("index", "#", Side.RIGHT),
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=6),
        Column("shape", "Shape", keep=4, digits=True),
        Column("counterpart", "Counterpart", keep=7, stretch=True),
        Column("operator_there", "Operator there", keep=5),
        Column("shape_there", "Shape there", keep=3, digits=True),
        Column("error", "Max error", Side.RIGHT),
        Column("own_error", "Own error", Side.RIGHT, keep=1,
               help=_OWN),
        Column("sqnr", "SQNR", Side.RIGHT, keep=8),
        *((Column("latency", "Latency", Side.RIGHT, keep=8),
           Column("latency_there", "Latency there", Side.RIGHT, keep=8)) * measured),
        Column("remark", ""),
    )  # fmt: skip
    found = [
        (step, output, output.match)
        for step in stepping.steps
        for output in step.outputs
        if output.match is not None
    ]
    names = _short([(step.index, step.name) for step, _, _ in found])
    others = _short([(m.layer or 0, m.layer_name or out.counterpart) for _, out, m in found])
    rows = tuple(
        Row(
            (
                Count(step.index),
                Name(name),
                Name(step.operator),
                units.shape(output.shape),
                Name(other),
                Name(match.operator),
                units.shape(match.shape),
                *_pair_errors(stepping, step, output, match),
            ),
            number=step.index,
            key=str(step.index),
        )
        for (step, output, match), name, other in zip(found, names, others, strict=True)
    )
    return Section("layers", "Layers", table_of(columns, rows, _ALL, "layer"))


def _short(names: Sequence[tuple[int, str]]) -> list[str]:
    """Return names in a column. names: each with the index of its layer; TensorFlow Lite joins
    those of all layers that it has merged, the one that gives the output first."""
    heads = [name.partition(";")[0] for _, name in names]
    return fit_lines(heads, _NAME_LETTERS, len, [index for index, _ in names])


def _pair_errors(
    stepping: Stepping, step: LayerStep, output: LayerOutput, match: Match
) -> Iterator[Value]:
    yield from (_error(output.difference), _error(match.own_error))
    yield "" if output.difference is None else decibels(output.difference.sqnr_db)
    if stepping.verdict:
        yield from (_latency(match.ns), _latency(match.other_ns))
    basis = "" if match.basis == "values" else _BASES.get(match.basis, "")
    if output.over and step is not stepping.divergence and step.made is False:
        yield Joined((Toned("carried on", Tone.CAUTION), basis)) if basis else Toned(
            "carried on", Tone.CAUTION)  # fmt: skip
        return
    remarks = tuple(_remarks(stepping, step, 0, output))
    yield Joined((*remarks, basis) if basis else remarks)


def _latency(ns: int | None) -> Value:
    return _UNKNOWN if ns is None else Duration(ns)


def _unpaired(stepping: Stepping | None) -> Section:
    """Return the layers of both sides that have no counterpart, and why."""
    if stepping is None or not stepping.across:
        return Section("unpaired", "", ())
    columns = (
        Column("side", "Model", keep=1),
        Column("index", "#", Side.RIGHT, keep=2),
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator", keep=3),
        Column("reason", "Reason", stretch=True),
    )
    ours: list[tuple[str, int | None, str, str, str]] = [
        (stepping.model, step.index, step.name, step.operator, step.remark)
        for step in stepping.steps
        if step.remark and all(output.match is None for output in step.outputs)
    ]
    every = ours + [
        (stepping.against, each.index, each.name, each.operator, each.reason)
        for each in stepping.unpaired
    ]
    names = _short([(index or 0, name) for _, index, name, _, _ in every])
    rows = tuple(
        Row((Name(side), "" if index is None else Count(index), Name(name), Name(kind), reason))
        for (side, index, _, kind, reason), name in zip(every, names, strict=True)
    )
    blocks = table_of(columns, rows, _FEW, "layer")
    title = "Layers without a counterpart"
    return Section("unpaired", title, blocks)


def _cells(
    stepping: Stepping, step: LayerStep, slot: int, output: LayerOutput
) -> Iterator[Value]:
    known = output.statistics
    yield from ("",) * 3 if slot else (Count(step.index), Name(step.name), Name(step.operator))
    yield output.description or units.shape(output.shape)
    yield from (_real(known.minimum), _real(known.maximum)) if known else ("", "")
    yield _error(output.difference)
    yield "" if output.difference is None else decibels(output.difference.sqnr_db)
    yield Joined(tuple(_remarks(stepping, step, slot, output)))


def _error(result: Difference | None) -> Value:
    if result is None:
        return ""
    if result.identical:
        return "0"
    differs = result.problem or result.unmatched or result.max_abs is None
    return "differs" if differs else Real(result.max_abs or 0.0)


def _remarks(
    stepping: Stepping, step: LayerStep, slot: int, output: LayerOutput
) -> Iterator[Value]:
    """Yield what a reader must not miss: the first layer that differs, and NaN."""
    if not slot and step is stepping.divergence:
        yield Toned("first above the tolerance", Tone.BAD, strong=True)
    elif output.over:
        yield Toned("above the tolerance", Tone.BAD)
    elif stepping.against and output.difference is None:
        yield Toned("not compared", Tone.SECONDARY)
    known = output.statistics
    if known and known.nan:
        first = step.nan and not step.gets_nan
        yield Toned(f"{known.nan:,} NaN" + (", first here" if first else ""), Tone.BAD)
    if known and known.infinite:
        yield Toned(f"{known.infinite:,} infinite", Tone.BAD)
    if output.kept_in:
        yield Sentence("stored as {type}", output.kept_in)


def _output(output: LayerOutput) -> Iterator[Fact]:
    parts: tuple[Value, ...] = (output.dtype, units.shape(output.shape), output.description)
    yield Fact("Type", Joined(tuple(filter(None, parts))))
    if output.kept_in:
        yield Fact("Stored as", output.kept_in)
    if known := output.statistics:
        yield Fact(
            "Range", Sentence("{low} to {high}", _real(known.minimum), _real(known.maximum))
        )
        yield Fact("Mean", _real(known.mean))
        yield Fact("Std dev", _real(known.deviation))
        for label, count in (
            ("NaN", known.nan), ("Infinite", known.infinite), ("Zeros", known.zeros)
        ):  # fmt: skip
            yield Fact(label, Count(count, "element"))
    if output.difference is not None:
        yield from _difference(output, output.difference)


def _difference(output: LayerOutput, result: Difference) -> Iterator[Fact]:
    other = (Name(output.counterpart),) if output.counterpart else ()
    note = Joined((*other, result.reference_dtype))
    if result.problem:
        yield Fact("Other run", Name(result.problem), note, Tone.CAUTION)
        return
    if result.identical:
        yield Fact("Other run", "identical", note, Tone.GOOD)
        return
    within = ("above the tolerance", Tone.BAD) if output.over else (
        "within the tolerance", Tone.GOOD)  # fmt: skip
    yield Fact("Other run", within[0], note, within[1])
    place = "" if result.place is None else f"at [{', '.join(map(str, result.place))}]"
    yield Fact("Max error", _error(result), place)
    if result.mean_abs is not None:
        yield Fact("Mean error", Real(result.mean_abs))
    yield Fact("PSNR", decibels(result.psnr_db))
    yield Fact("SQNR", decibels(result.sqnr_db))
    yield Fact("Cosine", "n/a" if result.cosine is None else Real(result.cosine, 6))
    if result.unmatched:
        unmatched = Count(result.unmatched, "element")
        yield Fact("NaN or infinite in one run only", unmatched, tone=Tone.BAD)


def _real(value: float | None) -> Value:
    return "n/a" if value is None else Real(value)


def _alone(alone: Alone | None) -> Section:
    timed = statistics(alone.samples_ns) if alone is not None else None
    if alone is None or timed is None:
        return Section("alone", "", ())
    runs: Value = Sentence("median of {runs}", Count(timed.n, "run"))
    if timed.median_low_ns is not None and timed.median_high_ns is not None:
        interval = DurationRange(timed.median_low_ns, timed.median_high_ns)
        runs = Joined((runs, Sentence("95% CI {interval}", interval)), "; ")
    facts = [
        Fact("Device", " + ".join(alone.devices)),
        Fact("Latency", Duration(timed.p50_ns), runs),
        *(Fact(Sentence("Input {name}", Name(name)), f"{dtype} {units.shape(shape)}")
          for name, dtype, shape in alone.given),
    ]  # fmt: skip
    notes = (Text(note, Tone.SECONDARY) for note in alone.notes)
    aside = "including the call to ONNX Runtime"
    return Section("alone", "The layer alone", (Facts(tuple(facts)), *notes), aside=aside)
