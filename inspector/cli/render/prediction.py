"""The outputs of one run as text for a terminal."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli.option_types import between
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.model.model import Model
    from inspector.model.tensors.prediction import OutputValue, Prediction
    from inspector.preview.families.output_structure import ModelStructure
    from inspector.preview.inputs.audio_windows import Pace
    from inspector.preview.inputs.feeds import Filled
    from inspector.preview.inputs.image import ImageOptions, ImagePreprocessing, Placement
    from inspector.preview.inputs.image_files import Picture
    from inspector.preview.outputs.results import Classes
    from inspector.preview.outputs.scene import Decoder, Scene
    from inspector.preview.outputs.time_series import Series


_LISTED = 40
_share = between(0, 1, "not between 0 and 1")


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A scene, the picture it is about, and where the model's picture lies in it."""

    scene: "Scene"
    original: "Picture"
    place: "Placement"
    labels: Sequence[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for boxes, points and masks."""
    places = parser.add_argument_group("boxes, points and masks (guessed if omitted)")
    places.add_argument(
        "--decoder",
        metavar="NAME",
        help="output format of boxes, points or masks; 'none' turns decoding off",
    )
    places.add_argument("--score", type=_share, metavar="S", help="score threshold, 0 to 1")
    places.add_argument("--overlap", type=_share, metavar="S", help="NMS IoU threshold, 0 to 1")


def found(
    options: argparse.Namespace,
    model: "Model",
    given: Mapping[str, str],
    chosen: "ImageOptions",
    prediction: "Prediction",
    labels: Sequence[str],
) -> Found | None:
    """Read the outputs as places in the picture that was given; None without one.

    Raises BadInput: there is no such decoder for these outputs.
    """
    from inspector.preview.inputs import image
    from inspector.preview.inputs.image import placement
    from inspector.preview.outputs import scene

    image_input = None if options.decoder == "none" else _image_input(model, given, chosen)
    if image_input is None:
        return None
    original, preparation, sides = image_input
    height, width = original.shape[:2]
    known = chosen.structure
    ways = scene.decoders(prediction.outputs, *sides, preparation.channels, known)
    decoder = _named(options.decoder, ways) if options.decoder else next(iter(ways), None)
    if decoder is None:
        return None
    ground = image.part(original, preparation)
    args = *sides, ground, options.score, options.overlap, known
    read = scene.read_scene(decoder, prediction.outputs, *args)
    return Found(read, original, placement(preparation, width, height), labels)


def _image_input(
    model: "Model", given: Mapping[str, str], chosen: "ImageOptions"
) -> "tuple[Picture, ImagePreprocessing, tuple[int, int]] | None":
    """Return the image that was given, its preprocessing, and width and height of the model's;
    None without an image."""
    from inspector.preview.inputs import image_files

    info = next((i for i in model.inputs if _is_picture(given.get(i.name, ""))), None)
    preparation = None if info is None else chosen.preparation(info)
    if info is None or preparation is None:
        return None
    original = image_files.read(Path(given[info.name]))
    height, width = original.shape[:2]
    sides = preparation.size_of(width, height)
    return original, preparation, sides


def with_refusals(
    options: argparse.Namespace,
    model: "Model",
    given: Mapping[str, str],
    chosen: "ImageOptions",
    prediction: "Prediction",
) -> "Prediction":
    """Return a prediction with a note for each decoder that refuses to read its outputs."""
    from msgspec import structs

    from inspector.preview.outputs import scene

    image_input = None if options.decoder == "none" else _image_input(model, given, chosen)
    if image_input is None:
        return prediction
    notes = scene.refusals(prediction.outputs, *image_input[2], chosen.structure)
    return structs.replace(prediction, notes=(*prediction.notes, *notes))


def lists_boxes(result: Found | None) -> bool:
    """Return whether boxes or points were decoded, so that the outputs are lists of them."""
    return result is not None and result.scene.lists_boxes


def scene_lines(result: Found) -> list[str]:
    """Return a scene as lines: 'person 0.89  x 41 y 62, 137 × 231'."""
    from inspector.preview.outputs.scene import name_of

    scene, decoder = result.scene, result.scene.decoder
    settings = "" if decoder.score is None else f", score threshold {decoder.score:g}"
    settings += "" if decoder.overlap is None else f", NMS IoU threshold {decoder.overlap:g}"
    head = f"{decoder.kind}: {decoder.name}{settings}"
    if decoder.kind == "boxes":
        head += f"; {units.plural(len(scene.boxes), 'box')}"
    lines = [head]
    for box in as_json(result)["boxes"][:_LISTED]:
        name = units.clip(name_of(box["class"], result.labels), 40)
        size = f"x {box['x']:.0f} y {box['y']:.0f}, {box['width']:.0f} × {box['height']:.0f}"
        lines.append(f"     {name}  {box['score']:.2f}  {size}")
    if scene.points:
        lines.append(f"     {units.plural(len(scene.points), 'point')}")
    for kind, share, _ in scene.overlay.parts[:8] if scene.overlay else ():
        lines.append(
            f"     {units.clip(name_of(kind, result.labels), 40)}  {units.share(share, 1)}"
        )
    return lines


def as_json(result: Found) -> dict[str, Any]:
    """A scene in pixels of the original picture."""
    height, width = result.original.shape[:2]
    place, scene = result.place, result.scene
    boxes = []
    for box in scene.boxes:
        left, right = place.x(box.left) * width, place.x(box.right) * width
        top, bottom = place.y(box.top) * height, place.y(box.bottom) * height
        label = result.labels[box.kind] if box.kind < len(result.labels) else ""
        boxes.append({"class": box.kind, "label": label, "score": box.score, "x": left,
                      "y": top, "width": right - left, "height": bottom - top})  # fmt: skip
    points = [
        {"x": place.x(p.x) * width, "y": place.y(p.y) * height, "score": p.score}
        for p in scene.points
    ]
    parts = scene.overlay.parts if scene.overlay else ()
    return {
        "kind": scene.decoder.kind,
        "decoder": scene.decoder.name,
        "boxes": boxes,
        "points": points,
        "parts": [{"class": kind, "share": share} for kind, share, _ in parts],
    }


def save(result: Found, folder: Path) -> Path:
    """Write the scene drawn on its picture. Raises NotSaved."""
    from inspector.platform import files
    from inspector.preview.inputs import image_files
    from inspector.preview.outputs import scene

    drawn = scene.draw_scene(result.original, result.scene, result.place, result.labels)
    path = folder / f"{result.scene.decoder.kind}.png"
    files.write_atomic(path, image_files.png(drawn))
    return path


def _named(name: str, ways: Sequence["Decoder"]) -> "Decoder":
    from inspector.model.display_names import suggestion

    decoder = next((w for w in ways if name.lower() in w.name.lower() or name == w.kind), None)
    if decoder is None:
        what = f"Could not read the outputs as '{units.clip(name, 60)}'"
        hint = suggestion(name, [w.name for w in ways]) or "Choose another decoder, or 'none'."
        raise BadInput(what, "the shapes of the outputs do not match this decoder", hint)
    return decoder


def _is_picture(value: str) -> bool:
    from inspector.preview.inputs.image_files import SUFFIXES

    return Path(value).suffix.lower() in SUFFIXES


_BAR, _LISTED_VALUES = 24, 16
_COLUMNS = 8  # numbers in a line of a table
_TEXT_WIDTH = 400
_CURVE, _LEVELS = 72, "▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def lines(
    model: "Model",
    feeds: Sequence["Filled"],
    prediction: "Prediction",
    labels: Sequence[str],
    top: int,
    pace: "Pace",
    seen: Found | None,
) -> list[str]:
    """Return device, time, inputs, and each output in its most likely reading."""
    from inspector.preview.families.output_structure import of_model
    from inspector.preview.inputs.feeds import input_caution
    from inspector.preview.inputs.model_states import states
    from inspector.preview.outputs import audio_outputs

    devices = " + ".join(map(units.device, prediction.devices))
    lines = [f"{units.clip(model.name)} on {devices}: {_latency(prediction)}", ""]
    for filled in feeds:
        axes = units.shape(filled.array.shape)
        chosen = "" if filled.given else "(default) "
        text = f"  {chosen}{filled.description}" if filled.description else ""
        value = units.clip(filled.value, 60)
        lines.append(f"in   {units.clip(filled.name, 60)}  {axes}  {value}{text}")
    decoded, structure = lists_boxes(seen), of_model(model)
    for output in prediction.outputs:
        lines += ["", *_output_lines(output, labels, top, pace, decoded, structure)]
    scores = audio_outputs.scores(model.inputs, prediction.outputs)
    lines += [f"     {name:<18}{score:.2f}" for name, score in scores]
    if seen is not None:
        lines += ["", *scene_lines(seen)]
    memory = states(model.inputs, model.outputs)
    for filled in feeds:
        odd = input_caution(filled, memory)
        lines += [f"note: check input {units.clip(filled.name, 60)}: {odd}"] if odd else []
    return lines + [f"note: {note}" for note in prediction.notes]


def _latency(prediction: "Prediction") -> str:
    """Warm latency, first call and load, each by its name."""
    write, warm = units.duration, prediction.warm_median_ns
    load = f", load {write(prediction.load_ns)}" if prediction.load_ns else ""
    if prediction.steps > 1 and warm is not None:
        whole = f"{units.plural(prediction.steps, 'step')} in {write(prediction.prediction_ns)}"
        return f"latency {write(warm)} ({prediction.warm_label}), {whole}{load}"
    if not prediction.first_call_ns:  # not by the runtime
        return f"run in {write(prediction.prediction_ns)}{load}"
    first = write(prediction.first_call_ns)
    if warm is None:
        return f"first run {first}{load}"
    return f"latency {write(warm)} ({prediction.warm_label}), first run {first}{load}"


def _output_lines(
    output: "OutputValue",
    labels: Sequence[str],
    top: int,
    pace: "Pace",
    decoded: bool,
    structure: "ModelStructure",
) -> list[str]:
    from inspector.preview.outputs import results
    from inspector.preview.outputs.time_series import series_of
    from inspector.preview.outputs.token_outputs import decode_text

    name, dtype = units.clip(output.name, 60), units.clip(output.type_text, 80)
    lines = [f"out  {name}  {dtype}  {units.shape(output.shape)}{_statistics(output)}"]
    series = series_of(output, pace.steps, pace.step_seconds)
    if series is not None:
        return [*lines, *_series_lines(series)]
    spelled = None if decoded and results.is_list(output) else decode_text(output, None, labels)
    if spelled is not None:
        texts = (f'     "{units.clip(line, _TEXT_WIDTH)}"' for line in spelled.lines)
        return [*lines, *texts, f"     {spelled.note}"]
    kinds = results.read(output, labels, decoded, structure)
    if kinds[0] == results.IMAGE:
        return [*lines, "     has the shape of an image; --save DIR writes it as PNG"]
    if kinds[0] != results.CLASSES:
        return [*lines, *_number_lines(output, kinds[0] == results.NUMBERS)]
    rows = results.classes(output, labels, top, structure=structure)
    for index, row in enumerate(rows):
        lines += [f"     row {index}"] if len(rows) > 1 else []
        lines += _class_lines(row)
    notes = dict.fromkeys(row.note for row in rows if row.note)
    if any(row.logits for row in rows):
        notes["columns: class, output, softmax"] = None
    return [*lines, *(f"     {note}" for note in notes)]


def _number_lines(output: "OutputValue", listed: bool) -> list[str]:
    """A few numbers in one line; a row of more as a table that begins with their count."""
    from inspector.preview.outputs import results

    array = output.array
    if not listed or array is None or array.size <= _COLUMNS or array.dtype.kind not in "fiub":
        return [f"     {results.numbers(output, _LISTED_VALUES)}"]
    flat = [f"{value:.6g}" for value in array.ravel().tolist()]
    width = max(map(len, flat))
    rows = (flat[place : place + _COLUMNS] for place in range(0, len(flat), _COLUMNS))
    table = ("  ".join(f"{text:>{width}}" for text in row) for row in rows)
    return [f"     {units.plural(len(flat), 'number')}", *(f"     {line}" for line in table)]


def _class_lines(row: "Classes") -> list[str]:
    """Index, the output itself where it is no probability, probability, bar, label."""
    from inspector.wording import class_scores

    raw = class_scores.scores([entry.value for entry in row.top])
    shares = class_scores.shares([entry.probability for entry in row.top])
    columns = [raw] * (not row.shares) + [shares] * (row.logits or row.shares)
    widths = [max(map(len, column), default=0) for column in columns]
    lines = []
    for place, entry in enumerate(row.top):
        text = "".join(
            f"  {column[place]:>{width}}" for column, width in zip(columns, widths, strict=True)
        )
        bar, label = _bar(entry.probability), units.clip(entry.label, 48)
        lines.append(f"     {entry.index:>5}{text}  {bar}  {label}".rstrip())
    return lines


def _series_lines(series: "Series") -> list[str]:
    """Return a curve over time in one line, and its mean."""
    parts = series.thinned(_CURVE)
    low, high = (
        (0.0, 1.0)
        if series.probable
        else (float(series.values.min()), float(series.values.max()))
    )
    step = (high - low) / (len(_LEVELS) - 1) or 1.0
    curve = "".join(_LEVELS[round((top - low) / step)] for _, top in parts)
    steps = f"{units.plural(len(series.values), 'step')} of {series.step_seconds * 1000:.4g} ms"
    text = f"{steps}, mean {series.mean:.4f}"
    if series.probable:
        text += f", {series.share_over(0.5):.3f} of the time over 0.5"
    return [f"     {curve}", f"     {text}"]


def _statistics(output: "OutputValue") -> str:
    result = output.statistics()
    if result is None or output.array is None or output.array.size < 2:
        return ""
    odd = f", {result.nan:,} NaN" if result.nan else ""
    odd += f", {result.infinite:,} infinite" if result.infinite else ""
    return (
        f"  {result.minimum:.4g} to {result.maximum:.4g}, mean {result.mean:.4g}, "
        f"std dev {result.deviation:.4g}{odd}"
    )


def _bar(share: float) -> str:
    whole, part = divmod(round(share * _BAR * 8) if share > 0 else 0, 8)
    return ("█" * whole + _EIGHTHS[part] * (part > 0)).ljust(_BAR)
