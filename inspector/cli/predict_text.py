"""What a model answered, as lines for a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspector import units
from inspector.cli import scene

if TYPE_CHECKING:
    from inspector.model import Model
    from inspector.prediction import OutputValue, Prediction
    from inspector.preview.feeds import Filled
    from inspector.preview.frames import Pace
    from inspector.preview.results import Classes
    from inspector.preview.series import Series

_BAR, _LISTED_VALUES = 24, 16
_CURVE, _LEVELS = 72, "▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def lines(
    model: "Model",
    feeds: Sequence["Filled"],
    prediction: "Prediction",
    labels: Sequence[str],
    top: int,
    pace: "Pace",
    seen: scene.Found | None,
) -> list[str]:
    """Device and time, every input, and every output read as it fits best."""
    from inspector.preview.cautions import caution
    from inspector.preview.decoders import speech_quality

    devices = " + ".join(map(units.device, prediction.devices))
    lines = [f"{units.clip(model.name)} on {devices}: {_latency(prediction)}", ""]
    for filled in feeds:
        axes = units.shape(filled.array.shape)
        chosen = "" if filled.given else "not given: "
        words = f"  {chosen}{filled.words}" if filled.words else ""
        value = units.clip(filled.value, 60)
        lines.append(f"in   {units.clip(filled.name, 60)}  {axes}  {value}{words}")
    for output in prediction.outputs:
        lines += ["", *_output_lines(output, labels, top, pace)]
    scores = speech_quality.scores(model.inputs, prediction.outputs)
    lines += [f"     {name:<18}{score:.2f}" for name, score in scores]
    if seen is not None:
        lines += ["", *scene.lines(seen)]
    for filled in feeds:
        odd = caution(filled.array)
        lines += [f"note: input {units.clip(filled.name, 60)} is odd: {odd}"] if odd else []
    return lines + [f"note: {note}" for note in prediction.notes]


def _latency(prediction: "Prediction") -> str:
    """Warm latency, first call and load, each by its name."""
    write, warm = units.duration, prediction.warm_median_ns
    load = f", load {write(prediction.load_ns)}" if prediction.load_ns else ""
    if not prediction.first_call_ns:  # of many steps, or not by the runtime
        return f"predicted in {write(prediction.prediction_ns)}{load}"
    first = write(prediction.first_call_ns)
    if warm is None:
        return f"first call {first}{load}"
    return f"warm {write(warm)} ({prediction.warm_label}), first call {first}{load}"


def _output_lines(
    output: "OutputValue", labels: Sequence[str], top: int, pace: "Pace"
) -> list[str]:
    from inspector.preview import results
    from inspector.preview.series import series_of

    name, dtype = units.clip(output.name, 60), units.clip(output.dtype, 60)
    lines = [f"out  {name}  {dtype}  {units.shape(output.shape)}{_statistics(output)}"]
    series = series_of(output, pace.steps, pace.step_seconds)
    if series is not None:
        return [*lines, *_series_lines(series)]
    kinds = results.read(output, labels)
    if kinds[0] == results.PICTURE:
        return [*lines, "     a picture, which --save DIR writes as PNG"]
    if kinds[0] != results.CLASSES:
        return [*lines, f"     {results.numbers(output, _LISTED_VALUES)}"]
    rows = results.classes(output, labels, top)
    for index, row in enumerate(rows):
        lines += [f"     row {index}"] if len(rows) > 1 else []
        lines += _class_lines(row)
    notes = dict.fromkeys(row.note for row in rows if row.note)
    if any(row.logits for row in rows):
        notes["the second column is the output, the third its softmax"] = None
    return [*lines, *(f"     {note}" for note in notes)]


def _class_lines(row: "Classes") -> list[str]:
    """Index, the output itself where it is no probability, probability, bar, label."""
    from inspector.preview import scores

    raw = scores.scores([entry.value for entry in row.top])
    shares = scores.shares([entry.probability for entry in row.top])
    columns = [raw] * (not row.shares) + [shares] * (row.logits or row.shares)
    widths = [max(map(len, column), default=0) for column in columns]
    lines = []
    for place, entry in enumerate(row.top):
        told = "".join(
            f"  {column[place]:>{width}}" for column, width in zip(columns, widths, strict=True)
        )
        bar, label = _bar(entry.probability), units.clip(entry.label, 48)
        lines.append(f"     {entry.index:>5}{told}  {bar}  {label}".rstrip())
    return lines


def _series_lines(series: "Series") -> list[str]:
    """The course over time in one line, and what it comes to."""
    parts = series.thinned(_CURVE)
    low, high = (
        (0.0, 1.0)
        if series.probable
        else (float(series.values.min()), float(series.values.max()))
    )
    step = (high - low) / (len(_LEVELS) - 1) or 1.0
    curve = "".join(_LEVELS[round((top - low) / step)] for _, top in parts)
    steps = f"{units.plural(len(series.values), 'step')} of {series.step_seconds * 1000:.4g} ms"
    words = f"{steps}, mean {series.mean:.4f}"
    if series.probable:
        words += f", {series.share_over(0.5):.3f} of the time over 0.5"
    return [f"     {curve}", f"     {words}"]


def _statistics(output: "OutputValue") -> str:
    found = output.statistics()
    if found is None or output.array is None or output.array.size < 2:
        return ""
    odd = f", {found.nan:,} NaN" if found.nan else ""
    odd += f", {found.infinite:,} infinite" if found.infinite else ""
    return (
        f"  {found.minimum:.4g} to {found.maximum:.4g}, mean {found.mean:.4g}, "
        f"deviation {found.deviation:.4g}{odd}"
    )


def _bar(share: float) -> str:
    whole, part = divmod(round(share * _BAR * 8) if share > 0 else 0, 8)
    return ("█" * whole + _EIGHTHS[part] * (part > 0)).ljust(_BAR)
