"""The outputs of all layers as text for a terminal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector import units
from inspector.analysis.measured.layer_outputs import summary
from inspector.analysis.measured.sample_statistics import statistics
from inspector.model.tensors.agreement import decibels

if TYPE_CHECKING:
    from inspector.analysis.measured.layer_outputs import (
        Alone,
        LayerOutput,
        LayerStep,
        Stepping,
    )
    from inspector.model.tensors.difference import Difference
    from inspector.preview.inputs.feeds import Filled


_NAME, _OPERATOR, _SHAPE, _NUMBER = 34, 16, 18, 10


def lines(
    stepping: "Stepping",
    filled: "Sequence[Filled]",
    step: "LayerStep | None" = None,
    alone: "Alone | None" = None,
) -> Iterator[str]:
    """Yield all layers or one of them, the summary, and the notes."""
    devices = " + ".join(map(units.device, stepping.devices))
    title = f"{units.clip(stepping.model, 80)} on {devices}"
    title += f", optimization {stepping.optimization}" if stepping.optimization else ""
    yield title + (f", against {stepping.against}" if stepping.against else "")
    yield ""
    if step is None:
        yield from _table(stepping)
    else:
        yield from _detail(step)
    if alone is not None:
        yield from ("", *_alone(alone))
    yield ""
    yield from summary(stepping)
    for each in filled:
        yield f"input {units.clip(each.name, 60)}: {units.clip(each.value, 80)}"
    for note in stepping.notes:
        yield f"note: {note}"


def number(value: float | None) -> str:
    """Return a number in at most ten characters; "" for none."""
    return "" if value is None else f"{value:.4g}"


def _table(stepping: "Stepping") -> Iterator[str]:
    columns = f"  {'max error':>{_NUMBER}}  {'SQNR':>10}" if stepping.against else ""
    yield (
        f"{'':2}{'#':>5}  {'layer':<{_NAME}}  {'operator':<{_OPERATOR}}  {'shape':<{_SHAPE}}  "
        f"{'min':>{_NUMBER}}  {'max':>{_NUMBER}}{columns}"
    )
    inside = sum(bool(step.problem) for step in stepping.steps)
    for step in stepping.steps:
        if not step.problem:
            yield from _rows(stepping, step)
    if inside:
        yield (
            f"Not listed: {units.plural(inside, 'layer')} inside subgraphs, which did not run "
            "or whose values ONNX Runtime cannot return."
        )


def _rows(stepping: "Stepping", step: "LayerStep") -> Iterator[str]:
    for slot, output in enumerate(step.outputs):
        first = not slot
        mark = ">" if first and step is stepping.divergence else "!" if output.over else " "
        values = output.statistics
        text = (
            f"{mark:2}{step.index if first else '':>5}  "
            f"{units.clip(step.name, _NAME) if first else '':<{_NAME}}  "
            f"{units.clip(step.operator, _OPERATOR) if first else '':<{_OPERATOR}}  "
            f"{units.clip(output.description or units.shape(output.shape), _SHAPE):<{_SHAPE}}  "
            f"{number(values.minimum if values else None):>{_NUMBER}}  "
            f"{number(values.maximum if values else None):>{_NUMBER}}"
        )
        if stepping.against:
            text += f"  {_error(output.difference):>{_NUMBER}}"
            text += f"  {decibels(output.difference.sqnr_db) if output.difference else '':>10}"
        yield text.rstrip() + _odd(step, output)


def _odd(step: "LayerStep", output: "LayerOutput") -> str:
    """Return the counts of NaN and infinite elements, "" if there are none."""
    values = output.statistics
    counts = [(values.nan, "NaN"), (values.infinite, "infinite")] if values else []
    texts = [f"{count:,} {name}" for count, name in counts if count]
    if step.nan and not step.gets_nan and values and values.nan:
        texts.append("first here")
    texts += [f"stored in {output.kept_in}"] if output.kept_in else []
    return "  " + ", ".join(texts) if texts else ""


def _error(difference: "Difference | None") -> str:
    if difference is None:
        return ""
    if difference.identical:
        return "0"
    differs = difference.problem or difference.unmatched or difference.max_abs is None
    return "differs" if differs else number(difference.max_abs)


def _detail(step: "LayerStep") -> Iterator[str]:
    yield f"layer {step.index}: {units.clip(step.name, 200)} ({step.operator})"
    if step.remark:
        yield step.remark
    for output in step.outputs:
        yield ""
        kept = f", stored in {output.kept_in}" if output.kept_in else ""
        yield (
            f"{units.clip(output.name, 200)}: {output.dtype}{kept} {units.shape(output.shape)}"
        )
        if output.description:
            yield f"  {output.description}"
        values = output.statistics
        if values is not None:
            yield (
                f"  min {number(values.minimum)}, max {number(values.maximum)}, mean "
                f"{number(values.mean)}, std dev {number(values.deviation)}"
            )
            yield f"  {values.nan:,} NaN, {values.infinite:,} infinite, {values.zeros:,} zeros"
        if output.difference is not None:
            yield from _difference(output, output.difference)


def _difference(output: "LayerOutput", difference: "Difference") -> Iterator[str]:
    counterpart = f" '{units.clip(output.counterpart, 80)}'" if output.counterpart else ""
    if difference.problem:
        yield f"  against{counterpart}: {difference.problem}"
        return
    if difference.identical:
        yield f"  against{counterpart} ({difference.reference_dtype}): identical"
        return
    verdict = "above the tolerance" if output.over else "within the tolerance"
    yield f"  against{counterpart} ({difference.reference_dtype}): {verdict}"
    place = "" if difference.place is None else f" at [{', '.join(map(str, difference.place))}]"
    mean = number(difference.mean_abs)
    yield f"  max error {number(difference.max_abs)}{place}, mean {mean}"
    yield (
        f"  PSNR {decibels(difference.psnr_db)}, SQNR {decibels(difference.sqnr_db)}, cosine "
        f"{'n/a' if difference.cosine is None else f'{difference.cosine:.6f}'}"
    )
    if difference.unmatched:
        unmatched = units.plural(difference.unmatched, "element")
        yield f"  NaN or infinite in one run only: {unmatched}"


def _alone(alone: "Alone") -> Iterator[str]:
    stats = statistics(alone.samples_ns)
    if stats is None:
        return
    within = ""
    if stats.median_low_ns is not None and stats.median_high_ns is not None:
        low, high = units.duration(stats.median_low_ns), units.duration(stats.median_high_ns)
        within = f", 95% CI {low} to {high}"
    yield f"alone on {' + '.join(alone.devices)}: {units.duration(stats.p50_ns)}{within}"
    yield f"  median of {units.plural(stats.n, 'run')}, including the call to ONNX Runtime"
    for name, dtype, shape in alone.given:
        yield f"  input {units.clip(name, 80)}: {dtype} {units.shape(shape)}"
    for note in alone.notes:
        yield f"  note: {note}"
