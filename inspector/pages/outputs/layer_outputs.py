"""The page of the outputs of layers: where two runs part, where NaN comes from, all layers."""

from collections.abc import Iterator, Sequence

from inspector import units
from inspector.analysis.measured.layer_outputs import (
    Alone,
    LayerOutput,
    LayerStep,
    Stepping,
    summary,
)
from inspector.analysis.measured.sample_statistics import statistics
from inspector.model.tensors.agreement import decibels
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
    Text,
)
from inspector.pages.outputs.prediction import notes_section
from inspector.pages.tables import table_of
from inspector.preview.inputs.feeds import Filled
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    Name,
    Real,
    Sentence,
    Tone,
    Toned,
    Value,
)

_ALL = Limits(terminal=100_000, document=1000, page=100_000)
_STATISTICS = (("min", "Min"), ("max", "Max"))


def layer_outputs_page(
    stepping: Stepping,
    filled: Sequence[Filled] = (),
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
        values,
    )  # fmt: skip
    first, *others = summary(stepping) or ("",)
    bad = stepping.divergence is not None or stepping.first_nan is not None
    tone = Tone.BAD if bad else Tone.GOOD if stepping.against else Tone.PLAIN
    sections = (
        Section("summary", "", (*map(Text, others), Facts(tuple(_facts(stepping, filled))))),
        _layers(stepping) if step is None else layer_section(step),
        _alone(alone),
        notes_section(stepping.notes),
    )
    verdict = Text(first, tone, strong=True) if first else None
    return Page("layer outputs", title, sections, verdict)


def layer_section(step: LayerStep) -> Section:
    """Return one layer: each output with its statistics, and its difference."""
    blocks: list[Block] = [Text(step.remark)] if step.remark else []
    for output in step.outputs:
        blocks += [Text(Name(output.name), strong=True), Facts(tuple(_output(output)))]
    values: dict[str, Value] = {"number": Count(step.index), "name": Name(step.name)}
    title = Sentence("Layer {number}: {name}", values)
    return Section("layer", title, tuple(blocks), aside=Name(step.operator))


def _facts(stepping: Stepping, filled: Sequence[Filled]) -> Iterator[Fact]:
    if stepping.optimization:
        yield Fact("Optimization", stepping.optimization)
    if stepping.against:
        # The defaults of the types are another number for each of them.
        own = stepping.tolerance
        tolerance: Value = "by data type" if own is None else Real(own)
        yield Fact("Tolerance", tolerance, "largest error as a share of the largest value")
    for each in filled:
        yield Fact(Sentence("Input {name}", {"name": Name(each.name)}), Name(each.value))
    inside = sum(bool(step.problem) for step in stepping.steps)
    if inside:
        reason = "inside subgraphs: not run, or ONNX Runtime cannot return their values"
        yield Fact("Not listed", Count(inside, "layer"), reason)


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
        Row(tuple(_cells(stepping, step, slot, output)), number=step.index)
        for step in stepping.steps
        if not step.problem
        for slot, output in enumerate(step.outputs)
    )
    blocks = table_of(columns, rows, _ALL, "layer")
    return Section("layers", "Layers", blocks, aside="in the order in which they run")


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
    known = output.statistics
    if known and known.nan:
        first = step.nan and not step.gets_nan
        yield Toned(f"{known.nan:,} NaN" + (", first here" if first else ""), Tone.BAD)
    if known and known.infinite:
        yield Toned(f"{known.infinite:,} infinite", Tone.BAD)
    if output.kept_in:
        yield Sentence("stored as {type}", {"type": output.kept_in})


def _output(output: LayerOutput) -> Iterator[Fact]:
    parts: tuple[Value, ...] = (output.dtype, units.shape(output.shape), output.description)
    yield Fact("Type", Joined(tuple(filter(None, parts))))
    if output.kept_in:
        yield Fact("Stored as", output.kept_in)
    if known := output.statistics:
        yield Fact("Range", Sentence("{low} to {high}", {
            "low": _real(known.minimum), "high": _real(known.maximum)
        }))  # fmt: skip
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
    runs: Value = Sentence("median of {runs}", {"runs": Count(timed.n, "run")})
    if timed.median_low_ns is not None and timed.median_high_ns is not None:
        interval = DurationRange(timed.median_low_ns, timed.median_high_ns)
        runs = Joined((runs, Sentence("95% CI {interval}", {"interval": interval})), "; ")
    facts = [
        Fact("Device", " + ".join(alone.devices)),
        Fact("Latency", Duration(timed.p50_ns), runs),
        *(Fact(Sentence("Input {name}", {"name": Name(name)}), f"{dtype} {units.shape(shape)}")
          for name, dtype, shape in alone.given),
    ]  # fmt: skip
    notes = (Text(note, Tone.SECONDARY) for note in alone.notes)
    aside = "including the call to ONNX Runtime"
    return Section("alone", "The layer alone", (Facts(tuple(facts)), *notes), aside=aside)
