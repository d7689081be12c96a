"""The outputs of a model read together as a scene: boxes, key points, an overlay on the image.

`decoders` lists how the outputs can be read, `read_scene` reads them, `draw_scene` draws the
result.

Sources of key points: OpenSeeFace's tracker (offsets), the model cards of MoveNet and
MediaPipe, CMU-Perceptual-Computing-Lab and Daniil-Osokin/lightweight-human-pose-
estimation.pytorch.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.data_struct import DataStruct
from inspector.preview.detectors import boxes, detectors, instance_masks
from inspector.preview.detectors.box_lists import is_selected_list
from inspector.preview.detectors.boxes import Box, Candidates, Numbers
from inspector.preview.detectors.output_arrays import Outputs, sigmoid
from inspector.preview.families.output_structure import INDEPENDENT, UNKNOWN, ModelStructure
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image import Placement
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import dense_maps, results, tags
from inspector.preview.outputs.dense_maps import Overlay, color_of
from inspector.wording.class_scores import box_score

_WITH_OFFSETS = 198
_SHARPNESS = 16
_MAPS = range(5, 134)
# 18 points and background; with 38 of the limbs
_OPENPOSE_MAPS = 19
_OPENPOSE_BOTH = 57
_OPENPOSE_LIMBS = 38
# Numbers of MediaPipe's landmarks -> points, numbers per point.
_LANDMARKS = {1404: (468, 3), 1434: (478, 3), 63: (21, 3), 195: (39, 5), 936: (468, 2)}
BOXES = "boxes"
POINTS = "points"
OVERLAY = "overlay"
COLORS = "colours"
KINDS = (BOXES, POINTS, OVERLAY, COLORS)
NO_DECODER = "none"  # nothing is decoded, as commands and saved preprocessing say it
SURE = 0.5  # of a key point in a box, as its authors draw them
_LABEL_HEIGHT = 12.0  # px, of a box in the font that Pillow has
OPACITY = 0.55


class Point(DataStruct, frozen=True):
    """A place in 0..1 of the model's picture, and how sure it is, mostly 0..1."""

    x: float
    y: float
    score: float


def points(
    outputs: Sequence[OutputValue], size: tuple[int, int] = (0, 0)
) -> tuple[str, tuple[Point, ...]] | None:
    """Return what wrote the points, and the points; None where the outputs hold none.

    size: of the model's picture, in whose pixels MediaPipe's landmarks are.
    """
    arrays = [o.array for o in outputs if o.array is not None and o.array.dtype.kind == "f"]
    if len(arrays) != len(outputs) or not arrays:
        return None
    marked = _openpose(arrays) or _landmarks(arrays, size)
    if marked is not None or len(arrays) != 1:
        return marked
    array = arrays[0]
    if array.ndim != 4 or len(array) != 1:
        return None
    values = array[0].astype(np.float64)
    if values.shape[0] == 1 and values.shape[2] == 3 and values.shape[1] in _MAPS:
        listed = tuple(Point(float(x), float(y), float(s)) for y, x, s in values[0])
        return "Listed points", listed
    if values.shape[2] < min(values.shape[:2]):  # channels last
        values = np.moveaxis(values, 2, 0)
    maps, height, width = values.shape
    if maps == _WITH_OFFSETS and height == width:
        return "Landmarks with offsets", _with_offsets(values)
    small = 16 <= height <= 128 and 16 <= width <= 128
    # Maps of points are a quarter of the image or smaller; larger ones are classes of pixels.
    small = small and not 0 < size[0] < 2 * width
    if maps not in _MAPS or not small:
        return None
    if _is_pose_head(values, size) or (0 < values.max() <= 2 and np.median(values) < 0.1):
        return "Heat maps", _hottest(values)
    return None


def _is_pose_head(values: Numbers, size: tuple[int, int]) -> bool:
    """Return whether maps are those of the usual pose models: 17 points of COCO or 16 of MPII,
    a quarter of an upright picture of 3:4."""
    maps, height, width = values.shape
    upright = 3 * height == 4 * width and size == (4 * width, 4 * height)
    return maps in (16, 17) and upright


def _openpose(arrays: Sequence[NDArray[np.generic]]) -> tuple[str, tuple[Point, ...]] | None:
    """Return the hottest place of each of OpenPose's maps of points, without the background."""
    shapes = [array.shape for array in arrays]
    if any(len(shape) != 4 or shape[0] != 1 for shape in shapes):
        return None
    heats = [a for a in arrays if a.shape[1] == _OPENPOSE_MAPS]
    limbs = [a for a in arrays if a.shape[1] == _OPENPOSE_LIMBS]
    both = len(arrays) == 1 and arrays[0].shape[1] == _OPENPOSE_BOTH
    if not both and not (heats and len(heats) == len(limbs) == len(arrays) / 2):
        return None
    last = (arrays if both else heats)[-1]  # of several stages the last is the best
    maps = last[0, : _OPENPOSE_MAPS - 1].astype(np.float64)
    return "OpenPose heat maps", _hottest(maps)


def _landmarks(
    arrays: Sequence[NDArray[np.generic]], size: tuple[int, int]
) -> tuple[str, tuple[Point, ...]] | None:
    """MediaPipe's landmarks, in pixels of the model's picture."""
    array = next((a for a in arrays if a.size in _LANDMARKS and a.shape[0] == 1), None)
    if array is None or not all(size) or max(array.shape) != array.size:
        return None
    many, each = _LANDMARKS[array.size]
    rows = array.reshape(many, each).astype(np.float64)
    places = rows[:, :2] / np.array(size) if abs(rows[:, :2]).max() > 2 else rows[:, :2]
    # The first single number beside them says whether there is a face, a hand or a body.
    single = next((float(a.ravel()[0]) for a in arrays if a.size == 1), 1.0)
    present = single if 0 <= single <= 1 else float(sigmoid(np.array(single)))
    return "MediaPipe landmarks", tuple(Point(float(x), float(y), present) for x, y in places)


def _hottest(maps: Numbers) -> tuple[Point, ...]:
    height, width = maps.shape[1:]
    flat = maps.reshape(len(maps), -1)
    at = flat.argmax(axis=1)
    return tuple(
        Point((place % width + 0.5) / width, (place // width + 0.5) / height, float(row[place]))
        for row, place in zip(flat, at.tolist(), strict=True)
    )


def _with_offsets(values: Numbers) -> tuple[Point, ...]:
    third, size = len(values) // 3, values.shape[1]
    flat = values.reshape(3, third, -1)
    at = flat[0].argmax(axis=1)
    picked = np.clip(np.take_along_axis(flat, at[None, :, None], 2)[..., 0], 1e-7, 1 - 1e-7)
    offsets = np.log(picked[1:] / (1 - picked[1:])) / _SHARPNESS
    downs, acrosses = at // size / (size - 1) + offsets[0], at % size / (size - 1) + offsets[1]
    rows = zip(acrosses.tolist(), downs.tolist(), picked[0].tolist(), strict=True)
    return tuple(Point(x, y, score) for x, y, score in rows)


class Decoder(Struct, frozen=True):
    """A way to read the outputs.

    kind: "boxes", "points", "overlay" or "colours", as JSON has it. name: of the family.
    score, overlap: the settings its authors take; None where there is nothing to set.
    """

    kind: str
    name: str
    score: float | None = None
    overlap: float | None = None


class Scene(Struct, frozen=True, eq=False):
    """The outputs read in one way; boxes and points in 0..1 of the model's picture.

    doubt: why boxes that look right may be wrong; "" where nothing speaks against them. names:
    of the classes, where the format of the outputs says them. best: the highest score of any
    box, also of those below the threshold; None without boxes.
    """

    decoder: Decoder
    boxes: tuple[Box, ...] = ()
    points: tuple[Point, ...] = ()
    overlay: Overlay | None = None
    merged: Picture | None = None
    doubt: str = ""
    names: tuple[str, ...] = ()
    best: float | None = None

    @property
    def lists_boxes(self) -> bool:
        """Return whether the outputs are lists of boxes or points, not images."""
        return self.decoder.kind in (BOXES, POINTS)


class PixelBox(DataStruct, frozen=True):
    """A box in pixels of the original image. kind: number of its class; label: "" for none."""

    kind: int
    label: str
    score: float
    x: float
    y: float
    width: float
    height: float


class PlacedScene(Struct, frozen=True, eq=False):
    """A scene, the image it is about, and where the model's image lies in it."""

    scene: Scene
    original: Picture
    place: Placement
    labels: Sequence[str]

    @property
    def boxes(self) -> tuple[PixelBox, ...]:
        """Return the boxes, the surest first, in pixels of the original."""
        return tuple(map(self._box, self.scene.boxes))

    @property
    def points(self) -> tuple[Point, ...]:
        """Return the points as shares of the original's width and height."""
        place = self.place
        return tuple(Point(place.x(p.x), place.y(p.y), p.score) for p in self.scene.points)

    def _box(self, box: Box) -> PixelBox:
        height, width = self.original.shape[:2]
        left, right = self.place.x(box.left) * width, self.place.x(box.right) * width
        top, bottom = self.place.y(box.top) * height, self.place.y(box.bottom) * height
        label = self.labels[box.kind] if box.kind < len(self.labels) else ""
        return PixelBox(box.kind, label, box.score, left, top, right - left, bottom - top)


def decoders(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    channels: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[Decoder, ...]:
    """Return the ways that fit, most likely first; empty where the outputs say nothing of
    places. width, height, channels: of the picture as the model got it. structure: of the
    model, by which families are recognized whatever the values are."""
    decoders_of_outputs = [
        Decoder(BOXES, family.name, family.score, family.overlap)
        for family, _ in detectors.fitting(outputs, width, height, structure)
    ]
    marked = points(outputs, (width, height))
    if marked is not None:
        decoders_of_outputs.append(Decoder(POINTS, marked[0], 0.3))
    planes = _channels([each for each in outputs if results.is_image(each, structure)])
    luma: tuple[Decoder, ...] = ()
    if channels == 1 and planes == 1:
        luma = (Decoder(COLORS, "Luma with the image's colors"),)
        # A share for each pixel of a gray image is as often a mask, such as of an X-ray.
        if INDEPENDENT not in structure.scores.values():
            return (*luma, *decoders_of_outputs)
    if planes in (3, 4):  # a picture of its own, as style transfer gives
        return tuple(decoders_of_outputs)
    shapes = {each.name: each.array.shape for each in outputs if each.array is not None}
    listed = is_selected_list(Outputs(shapes, width, height, structure))
    # Masks beside selected boxes are one for each box, none of the whole picture.
    masks = () if listed else dense_maps.overlay_kinds(outputs, structure, (width, height))
    level = dense_maps.threshold(outputs)
    decoders_of_outputs += [
        Decoder(OVERLAY, kind, level if kind == dense_maps.MASK else None) for kind in masks
    ]
    return (*decoders_of_outputs, *luma)


def named(name: str, known: Sequence[Decoder]) -> Decoder | None:
    """Return the decoder of a name, else one whose name has it within, or of that kind."""
    low = name.lower()
    whole = (d for d in known if d.name.lower() == low)
    return next(whole, None) or next(
        (d for d in known if low in d.name.lower() or low == d.kind), None
    )


def refusals(
    outputs: Sequence[OutputValue], width: int, height: int, structure: ModelStructure = UNKNOWN
) -> tuple[str, ...]:
    """Return a sentence for each decoder that fits the shapes of the outputs and would read
    nonsense; none where another one reads boxes. width, height: of the picture as the model got
    it."""
    if detectors.fitting(outputs, width, height, structure):
        return ()
    return tuple(
        f"The shapes of the outputs fit {decoder.name}, but {reason}; boxes are not shown."
        for decoder, reason in detectors.refused(outputs, width, height, structure)
    )


def read_scene(
    decoder: Decoder,
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    original: Picture,
    score: float | None = None,
    overlap: float | None = None,
    structure: ModelStructure = UNKNOWN,
) -> Scene:
    """Read the outputs in one of their ways; score and overlap as said, or as usual."""
    level = (decoder.score if score is None else score) or 0.0
    if decoder.kind == BOXES:
        shared = (decoder.overlap if overlap is None else overlap) or 0.0
        fitting = detectors.fitting(outputs, width, height, structure)
        family, candidates = next(pair for pair in fitting if pair[0].name == decoder.name)
        chosen = boxes.select_boxes(candidates, level, shared)
        sure = _points_of(candidates, chosen)
        overlay = instance_masks.masks_in(outputs, chosen) if family.masked else None
        shapes = {o.name: o.array.shape for o in outputs if o.array is not None}
        doubt = family.doubt(Outputs(shapes, width, height, structure)) if chosen else ""
        best = float(candidates.scores.max()) if len(candidates.scores) else None
        return Scene(
            decoder, chosen, sure, overlay, doubt=doubt, names=candidates.names, best=best
        )
    if decoder.kind == POINTS:
        marked = points(outputs, (width, height))
        assert marked is not None, "a way to points comes from points"
        return Scene(decoder, points=tuple(p for p in marked[1] if p.score >= level))
    if decoder.kind == OVERLAY:
        return Scene(decoder, overlay=dense_maps.overlay(outputs, decoder.name, level))
    return Scene(decoder, merged=_merged(outputs, original))


def is_masked(decoder: Decoder) -> bool:
    """Return whether boxes of this kind come with the pixels of the objects."""
    return any(each.masked for each in detectors.FAMILIES if each.name == decoder.name)


def _points_of(candidates: Candidates, chosen: Sequence[Box]) -> tuple[Point, ...]:
    """Return key points of the chosen boxes that are sure enough to be drawn."""
    if candidates.points is None:
        return ()
    marks = (candidates.points[box.place] for box in chosen)
    points = (Point(float(x), float(y), float(s)) for mark in marks for x, y, s in mark)
    return tuple(point for point in points if point.score >= SURE)


def _channels(outputs: Sequence[OutputValue]) -> int:
    """Channels of the first output that is a picture; 0 when none is one."""
    for output in outputs:
        shown = results.image_of(output)
        if shown is not None:
            return int(shown.picture.shape[2])
    return 0


def _merged(outputs: Sequence[OutputValue], original: Picture) -> Picture | None:
    """Return the luma that the model gave with the colors of the original, enlarged."""
    shown = next(filter(None, map(results.image_of, outputs)), None)
    if shown is None or shown.picture.shape[2] != 1:
        return None
    luma = shown.picture
    height, width = luma.shape[:2]
    colors = image_files.to_colors(original, 3)
    large = image_files.resize(colors, width, height, "stretch", "bicubic").astype(np.float64)
    own = image_files.to_gray(large.astype(np.uint8)).astype(np.float64)
    # Y, Cb and Cr of ITU-R BT.601 are linear: another Y shifts red, green and blue alike.
    merged = np.rint(np.clip(large + (luma - own), 0, 255))
    return merged.astype(np.uint8)


def name_of(kind: int, labels: Sequence[str]) -> str:
    """Return what a class is called; its number when nobody told."""
    return (labels[kind] if kind < len(labels) else "") or f"class {kind}"


def draw_scene(
    original: Picture, scene: Scene, place: Placement, labels: Sequence[str] = ()
) -> Picture:
    """Return the original with boxes, points or an overlay; merged colors as they are."""
    from PIL import Image, ImageDraw  # the window shows scenes without it

    if scene.merged is not None:
        return scene.merged
    ground = image_files.to_colors(original, 3)
    if scene.overlay is not None:
        ground = laid_over(ground, scene.overlay, place)
    image = Image.fromarray(np.ascontiguousarray(ground))
    draw, (width, height) = ImageDraw.Draw(image), image.size
    line = max(2, round(min(width, height) / 200))
    edges, texts = list[tags.Rectangle](), list[str]()
    for box in scene.boxes:
        left, right = sorted((place.x(box.left) * width, place.x(box.right) * width))
        top, bottom = sorted((place.y(box.top) * height, place.y(box.bottom) * height))
        edges.append((left, top, right, bottom))
        draw.rectangle(edges[-1], outline=color_of(box.kind), width=line)
        caption = f"{units.clip(name_of(box.kind, labels), 40)} {box_score(box.score)}"
        # All that the built-in font has.
        texts.append(caption.encode("ascii", "replace").decode())
    sizes = [(draw.textlength(text) + 4.0, _LABEL_HEIGHT) for text in texts]
    named = zip(
        scene.boxes, texts, tags.places(edges, sizes, (0, 0, width, height)), strict=True
    )
    for box, text, tag in reversed(list(named)):  # the surest on top
        draw.rectangle(tag, fill=color_of(box.kind))
        draw.text((tag[0] + 2, tag[1]), text, fill=(255, 255, 255))
    for point in scene.points:
        x, y = place.x(point.x) * width, place.y(point.y) * height
        draw.ellipse((x - line, y - line, x + line, y + line), fill=(0, 220, 120))
    return np.asarray(image)


def laid_over(
    ground: Picture, overlay: Overlay, place: Placement, opacity: float = OPACITY
) -> Picture:
    """Return an overlay, brought to the place of the model's picture, over the original."""
    height, width = ground.shape[:2]
    left, right = round(place.left * width), round(place.right * width)
    top, bottom = round(place.top * height), round(place.bottom * height)
    size = max(1, right - left), max(1, bottom - top)
    smooth = "bilinear" if not overlay.parts else "nearest"
    large = image_files.resize(overlay.picture, *size, "stretch", smooth).astype(np.float64)
    whole = np.zeros((height, width, 4))
    ours = slice(max(0, top), min(height, bottom)), slice(max(0, left), min(width, right))
    whole[ours] = large[
        ours[0].start - top : ours[0].stop - top, ours[1].start - left : ours[1].stop - left
    ]
    share = whole[:, :, 3:] / 255 * opacity
    return np.rint(ground * (1 - share) + whole[:, :, :3] * share).astype(np.uint8)
