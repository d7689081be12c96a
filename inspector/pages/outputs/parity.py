"""The page of one input run in two ways: the verdict, then the difference of each output."""

from collections.abc import Iterator, Sequence

from inspector.model.tensors.difference import Difference
from inspector.model.tensors.prediction import Prediction
from inspector.pages.blocks import Column, Fact, Facts, Limits, Page, Row, Section, Side
from inspector.pages.outputs.prediction import notes_section
from inspector.pages.outputs.verdicts import verdict_text
from inspector.pages.tables import table_of
from inspector.preview.runs.parity import MOVED, Limit, OutputParity
from inspector.report.output_verdict import OutputVerdict
from inspector.units import device as device_name
from inspector.units import plural
from inspector.wording.values import (
    Code,
    Count,
    Duration,
    Joined,
    Name,
    Real,
    Sentence,
    Share,
    Tone,
    Toned,
    Value,
)

_ALL = Limits(terminal=10_000, document=1000, page=10_000)


def parity_page(
    model: str,
    device: str,
    against: str,
    predictions: tuple[Prediction, Prediction],
    outputs: Sequence[OutputParity],
    verdict: OutputVerdict,
    limits: Sequence[Limit] = (),
    notes: Sequence[str] = (),
) -> Page:
    """Return the page. against: the second run as text. limits: conditions of --fail-if."""
    compared = comparison_of((model, against), predictions, outputs, notes)
    shown, times, said = compared.sections
    title = Sentence(
        "{model} on {device}, compared with {other}",
        Name(model),
        device_name(device),
        Name(against),
    )
    sections = (shown, _conditions(limits, outputs), times, said)
    return Page("parity", title, sections, verdict_text(verdict))


def comparison_of(
    names: tuple[str, str],
    predictions: tuple[Prediction, Prediction],
    outputs: Sequence[OutputParity],
    notes: Sequence[str] = (),
) -> Page:
    """Return outputs, times and notes of two runs, without a verdict. names: of both."""
    first, second = predictions
    steps: Value = Count(first.steps, "step") if first.steps > 1 else "one run"
    times = tuple(
        Fact(run, Duration(prediction.prediction_ns), Joined((Name(name), steps)))
        for run, prediction, name in zip(("Run 1", "Run 2"), predictions, names, strict=True)
    )
    columns = (
        Column("output", "Output", stretch=True),
        Column("result", "Result"),
        Column("max", "Max error", Side.RIGHT),
        Column("place", "At", keep=2),
        Column("relative", "Mean rel error", Side.RIGHT, keep=4),
        Column("psnr", "PSNR", Side.RIGHT, keep=5),
        Column("cosine", "Cosine", Side.RIGHT, keep=3),
        Column("best", "Top class, run 1", keep=7),
        Column("other", "Top class, run 2", keep=7),
    )
    rows = tuple(Row(tuple(_cells(each)), details=_details(each)) for each in outputs)
    sections = (
        Section("outputs", "Outputs", table_of(columns, rows, _ALL, "output")),
        Section("times", "", (Facts(times),)),
        notes_section((*notes, *first.notes, *second.notes)),
    )
    return Page("compared", Name(names[1]), sections)


def _cells(output: OutputParity) -> Iterator[Value]:
    result = output.difference
    yield Name(output.name)
    yield _result(output)
    if result is None or result.identical or result.max_abs is None or result.whole:
        yield from ("",) * 5
    else:
        yield Real(result.max_abs, 3)
        yield f"[{', '.join(map(str, result.place))}]" if result.place else ""
        # Of scores of classes, most are nearly 0: a share of them says nothing.
        relative = None if any(output.best) else result.mean_relative
        yield "" if relative is None else Real(relative, 3)
        yield ("" if result.psnr_db is None else Sentence("{psnr} dB", Real(result.psnr_db, 4)))
        yield "" if result.cosine is None else Real(result.cosine, 6)
    yield from map(Name, output.best)


def _result(output: OutputParity) -> Value:
    if output.not_compared or output.problem or output.difference is None:
        return Toned("not compared", Tone.CAUTION)
    result = output.difference
    if result.identical:
        return Toned("identical", Tone.GOOD)
    if result.max_abs is None or result.whole:
        same = {"same": Count(result.count - result.unequal), "all": Count(result.count)}
        return Sentence("{same} of {all} equal", **same)
    return "not identical" if result.top1 is None else _top_class(result, result.top1)


def _top_class(result: Difference, top1: float) -> Value:
    if top1 == 1:
        return "same top class"
    rows = result.count // max(1, result.reference_shape[-1])
    if rows == 1:
        return Toned("other top class", Tone.BAD)
    return Sentence("same top class in {share} of rows", Share(top1))


def _details(output: OutputParity) -> Value:
    result = output.difference
    parts: list[Value] = [text for text in (output.not_compared, output.problem) if text]
    if output.axes:
        parts.append(MOVED)
    if result is not None and result.unmatched:
        parts.append(f"{plural(result.unmatched, 'element')}: NaN or infinite in one run only")
    return Joined(tuple(parts), "; ") if parts else ""


def _conditions(limits: Sequence[Limit], outputs: Sequence[OutputParity]) -> Section:
    rows = []
    for limit in limits:
        broken = limit.broken_by(outputs)
        outcome = Toned("✗ FAIL", Tone.BAD) if broken else Toned("✓ pass", Tone.GOOD)
        rows.append(Row((Code(limit.text), outcome, Joined(tuple(map(Name, broken))))))
    columns = (
        Column("condition", "Fail if"), Column("outcome", "Outcome"),
        Column("outputs", "Outputs", stretch=True),
    )  # fmt: skip
    blocks = table_of(columns, rows, _ALL, "condition")
    return Section("conditions", "Pass/fail conditions (`--fail-if`)", blocks)
