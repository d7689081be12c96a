"""inspector predict: run a model once and show what it answers."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import inputs

if TYPE_CHECKING:
    from inspector.model import Model
    from inspector.prediction import OutputValue, Prediction
    from inspector.preview.feeds import Filled
    from inspector.preview.image import ImageOptions

SCHEMA = "prediction/1"
_BAR, _LISTED_VALUES = 24, 16
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    inputs.add_arguments(parser)
    parser.add_argument("--device", default="cpu", metavar="ID", help="default: cpu")
    parser.add_argument("--top", type=_count, default=5, metavar="K", help="classes to show")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="names of the classes")
    parser.add_argument("--save", type=Path, metavar="DIR", help="write the outputs there")
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")
    image = parser.add_argument_group("for pictures; what is left out is guessed")
    image.add_argument("--order", choices=("rgb", "bgr", "gray"), help="of the channels")
    image.add_argument(
        "--scale",
        choices=("255", "1", "-1..1", "-128..127", "16..235"),
        help="the range that 8-bit values are brought to: 0..255, 0..1, ...",
    )
    image.add_argument("--mean", type=_channels, metavar="R,G,B", help="after scaling")
    image.add_argument("--std", type=_channels, metavar="R,G,B", help="after scaling")
    image.add_argument("--resize", choices=("stretch", "fit", "crop"))


def run(options: argparse.Namespace) -> None:
    """Predict once. Raises InspectorError: unreadable, does not fit, or the runtime refused."""
    from inspector.engine.process import EngineProcess
    from inspector.preview import labels, saving
    from inspector.preview.feeds import fill_all
    from inspector.readers import open_model
    from inspector.report import RunSpec

    model = open_model(options.model)
    known = labels.read(options.labels) if options.labels else ()
    known = known or labels.from_metadata(model.metadata)
    given = inputs.values(options.inputs, model)
    chosen = _image_options(options, model)
    feeds = fill_all(inputs.taken(model, given), given, dict(options.dimensions), chosen)
    spec = RunSpec(devices=(options.device,))
    with EngineProcess() as engine:
        arrays = {filled.name: filled.array for filled in feeds}
        prediction = engine.predict(options.model, spec, arrays)
    saved = saving.save(prediction.outputs, options.save) if options.save else ()
    if options.json:
        _print_json(model, feeds, prediction, known, options.top)
    else:
        print("\n".join(_text(model, feeds, prediction, known, options.top)))
        print("".join(f"\nsaved {path}" for path in saved), end="\n" if saved else "")


def _image_options(options: argparse.Namespace, model: "Model") -> "ImageOptions":
    from inspector.preview.image import ImageOptions

    return ImageOptions(
        model.metadata,
        model.producer,
        options.order,
        options.scale,
        options.mean,
        options.std,
        options.resize,
    )


def _print_json(
    model: "Model",
    feeds: Sequence["Filled"],
    prediction: "Prediction",
    labels: Sequence[str],
    top: int,
) -> None:
    import msgspec

    body = {
        "schema": SCHEMA,
        "model": model.name,
        "device": prediction.devices[0] if prediction.devices else "",
        "devices": prediction.devices,
        "prediction_ns": prediction.prediction_ns,
        "load_ns": prediction.load_ns,
        "inputs": [
            {
                "name": filled.name,
                "value": filled.value,
                "given": filled.given,
                "dtype": filled.dtype,
                "shape": filled.array.shape,
                "words": filled.words,
            }
            for filled in feeds
        ],
        "outputs": [_output(output, labels, top) for output in prediction.outputs],
        "notes": prediction.notes,
    }
    print(msgspec.json.encode(body).decode())


def _output(output: "OutputValue", labels: Sequence[str], top: int) -> dict[str, Any]:
    """One output for --json: `top` is of the first row, `rows` of all if there are several."""
    from inspector.preview import results

    statistics = output.statistics()
    kinds = results.read(output, labels)
    rows = results.classes(output, labels, top) if results.CLASSES in kinds else ()
    listed = [[asdict(entry) for entry in row.top] for row in rows]
    values = None
    if output.array is not None and output.array.size <= _LISTED_VALUES:
        values = output.array.tolist()
    return {
        "name": output.name,
        "kind": output.kind,
        "dtype": output.dtype,
        "shape": output.shape,
        "statistics": None if statistics is None else asdict(statistics),
        "top": listed[0] if listed else [],
        "rows": listed if len(listed) > 1 else [],
        "values": values,
        "text": output.text,
    }


def _text(
    model: "Model",
    feeds: Sequence["Filled"],
    prediction: "Prediction",
    labels: Sequence[str],
    top: int,
) -> list[str]:
    devices = ", ".join(prediction.devices)
    took = units.duration(prediction.prediction_ns)
    load = f", loaded in {units.duration(prediction.load_ns)}" if prediction.load_ns else ""
    lines = [f"{units.clip(model.name)} on {devices}: predicted in {took}{load}", ""]
    for filled in feeds:
        axes = units.shape(filled.array.shape)
        chosen = "" if filled.given else "not given: "
        words = f"  {chosen}{filled.words}" if filled.words else ""
        value = units.clip(filled.value, 60)
        lines.append(f"in   {units.clip(filled.name, 60)}  {axes}  {value}{words}")
    for output in prediction.outputs:
        lines += ["", *_output_lines(output, labels, top)]
    return lines + [f"note: {note}" for note in prediction.notes]


def _output_lines(output: "OutputValue", labels: Sequence[str], top: int) -> list[str]:
    from inspector.preview import results

    name, dtype = units.clip(output.name, 60), units.clip(output.dtype, 60)
    lines = [f"out  {name}  {dtype}  {units.shape(output.shape)}{_statistics(output)}"]
    kinds = results.read(output, labels)
    if kinds[0] == results.PICTURE:
        return [*lines, "     a picture, which --save DIR writes as PNG"]
    if results.CLASSES not in kinds:
        return [*lines, f"     {results.numbers(output, _LISTED_VALUES)}"]
    rows = results.classes(output, labels, top)
    for index, row in enumerate(rows):
        lines += [f"     row {index}"] if len(rows) > 1 else []
        for entry in row.top:
            raw = f"{entry.value:>11.4f}" if row.logits else ""
            bar, label = _bar(entry.probability), units.clip(entry.label, 48)
            share = f"{entry.probability:.4f}"
            lines.append(f"     {entry.index:>5}{raw}  {share}  {bar}  {label}".rstrip())
    notes = dict.fromkeys(row.note for row in rows if row.note)
    if any(row.logits for row in rows):
        notes["the second column is the output, the third its softmax"] = None
    return [*lines, *(f"     {note}" for note in notes)]


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


def _channels(text: str) -> tuple[float, ...]:
    """Read '0.485,0.456,0.406'. Raises ArgumentTypeError for anything else."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers") from error


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of classes")
    return int(text)
