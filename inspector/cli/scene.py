"""What predict tells of a picture's places: boxes, points, masks."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli.numbers import between
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.model import Model
    from inspector.prediction import Prediction
    from inspector.preview.decoders.scene import Scene, Way
    from inspector.preview.geometry import Placement
    from inspector.preview.image import ImageOptions
    from inspector.preview.picture import Picture

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
    places = parser.add_argument_group(
        "for boxes, points and masks; what is left out is guessed"
    )
    places.add_argument(
        "--decoder", metavar="NAME", help="how places are written; 'none' reads none"
    )
    places.add_argument("--score", type=_share, metavar="S", help="lowest score, 0 to 1")
    places.add_argument("--overlap", type=_share, metavar="S", help="most overlap, 0 to 1")


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
    from inspector.preview import image, picture
    from inspector.preview.decoders import scene
    from inspector.preview.geometry import placement

    info = next((i for i in model.inputs if _is_picture(given.get(i.name, ""))), None)
    preparation = None if info is None else chosen.preparation(info)
    if info is None or preparation is None or options.decoder == "none":
        return None
    original = picture.read(Path(given[info.name]))
    height, width = original.shape[:2]
    sides = preparation.width or width, preparation.height or height
    ways = scene.ways(prediction.outputs, *sides, preparation.channels)
    way = _named(options.decoder, ways) if options.decoder else next(iter(ways), None)
    if way is None:
        return None
    ground = image.part(original, preparation)
    args = *sides, ground, options.score, options.overlap
    read = scene.scene(way, prediction.outputs, *args)
    return Found(read, original, placement(preparation, width, height), labels)


def lines(found: Found) -> list[str]:
    """Tell a scene in lines: 'person 0.89  x 41 y 62, 137 × 231'."""
    from inspector.preview.drawing import name_of

    scene, way = found.scene, found.scene.way
    settings = "" if way.score is None else f", usual score {way.score:g}"
    settings += "" if way.overlap is None else f" and overlap {way.overlap:g}"
    head = f"{way.kind}: {way.name}{settings}"
    if way.kind == "boxes":
        head += f"; {units.plural(len(scene.boxes), 'box').replace('boxs', 'boxes')}"
    told = [head]
    for box in as_json(found)["boxes"][:_LISTED]:
        name = units.clip(name_of(box["class"], found.labels), 40)
        size = f"x {box['x']:.0f} y {box['y']:.0f}, {box['width']:.0f} × {box['height']:.0f}"
        told.append(f"     {name}  {box['score']:.2f}  {size}")
    if scene.points:
        told.append(f"     {units.plural(len(scene.points), 'point')}")
    for kind, share, _ in scene.overlay.parts[:8] if scene.overlay else ():
        told.append(
            f"     {units.clip(name_of(kind, found.labels), 40)}  {units.share(share, 1)}"
        )
    return told


def as_json(found: Found) -> dict[str, Any]:
    """A scene in pixels of the original picture."""
    height, width = found.original.shape[:2]
    place, scene = found.place, found.scene
    boxes = []
    for box in scene.boxes:
        left, right = place.x(box.left) * width, place.x(box.right) * width
        top, bottom = place.y(box.top) * height, place.y(box.bottom) * height
        label = found.labels[box.kind] if box.kind < len(found.labels) else ""
        boxes.append({"class": box.kind, "label": label, "score": box.score, "x": left,
                      "y": top, "width": right - left, "height": bottom - top})  # fmt: skip
    points = [
        {"x": place.x(p.x) * width, "y": place.y(p.y) * height, "score": p.score}
        for p in scene.points
    ]
    parts = scene.overlay.parts if scene.overlay else ()
    return {
        "kind": scene.way.kind,
        "decoder": scene.way.name,
        "boxes": boxes,
        "points": points,
        "parts": [{"class": kind, "share": share} for kind, share, _ in parts],
    }


def save(found: Found, folder: Path) -> Path:
    """Write the scene drawn on its picture. Raises NotSaved."""
    from inspector import files
    from inspector.preview import drawing, picture

    drawn = drawing.drawn(found.original, found.scene, found.place, found.labels)
    path = folder / f"{found.scene.way.kind}.png"
    files.write_atomic(path, picture.png(drawn))
    return path


def _named(name: str, ways: Sequence["Way"]) -> "Way":
    from inspector.preview.names import suggestion

    way = next((w for w in ways if name.lower() in w.name.lower() or name == w.kind), None)
    if way is None:
        what = f"Could not read the outputs as '{units.clip(name, 60)}'"
        hint = suggestion(name, [w.name for w in ways]) or "Nothing fits them."
        raise BadInput(what, "their shapes are not that decoder's", hint)
    return way


def _is_picture(value: str) -> bool:
    from inspector.preview.picture import SUFFIXES

    return Path(value).suffix.lower() in SUFFIXES
