"""What all outputs together say about a picture: boxes, points, something to lay over it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.preview.detectors import boxes, detectors
from inspector.preview.detectors import detectors as detectors_module
from inspector.preview.detectors.boxes import Box, Candidates
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import dense_maps, key_points, results
from inspector.preview.outputs.dense_maps import Overlay
from inspector.preview.outputs.key_points import Point
from inspector.tensors.prediction import OutputValue

BOXES, POINTS, OVERLAY, COLORS = "boxes", "points", "overlay", "colours"
SURE = 0.5  # of a key point in a box, as its authors draw them


@dataclass(frozen=True, slots=True)
class Decoder:
    """A way to read the outputs.

    kind: "boxes", "points", "overlay" or "colours". name: of the family, for people.
    score, overlap: the settings its authors take; None where there is nothing to set.
    """

    kind: str
    name: str
    score: float | None = None
    overlap: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The outputs read in one way; boxes and points in 0..1 of the model's picture."""

    way: Decoder
    boxes: tuple[Box, ...] = ()
    points: tuple[Point, ...] = ()
    overlay: Overlay | None = None
    merged: Picture | None = None

    @property
    def lists_boxes(self) -> bool:
        """Return whether the outputs are lists of boxes or points, not images."""
        return self.way.kind in (BOXES, POINTS)


def decoders(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    channels: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[Decoder, ...]:
    """The ways that fit, most likely first; empty where the outputs say nothing of places.

    width, height, channels: of the picture as the model got it. structure: of the model, by
    which families are recognized whatever the values are.
    """
    found = [
        Decoder(BOXES, family.name, family.score, family.overlap)
        for family, _ in detectors.fitting(outputs, width, height, structure)
    ]
    marked = key_points.points(outputs, (width, height))
    if marked is not None:
        found.append(Decoder(POINTS, marked[0], 0.3))
    planes = _channels(outputs)
    if channels == 1 and planes == 1:
        return (Decoder(COLORS, "Luma with the image's colors"), *found)
    if planes in (3, 4):  # a picture of its own, as style transfer gives
        return tuple(found)
    masks, level = dense_maps.ways(outputs, structure), dense_maps.threshold(outputs)
    found += [Decoder(OVERLAY, way, level if way == dense_maps.MASK else None) for way in masks]
    return tuple(found)


def scene(
    way: Decoder,
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    original: Picture,
    score: float | None = None,
    overlap: float | None = None,
    structure: ModelStructure = UNKNOWN,
) -> Scene:
    """Read the outputs in one of their ways; score and overlap as said, or as usual."""
    level = (way.score if score is None else score) or 0.0
    if way.kind == BOXES:
        shared = (way.overlap if overlap is None else overlap) or 0.0
        fitting = detectors.fitting(outputs, width, height, structure)
        found = next(c for family, c in fitting if family.name == way.name)
        chosen = boxes.chosen(found, level, shared)
        sure = _points_of(found, chosen)
        masked = way.name in detectors.MASKED
        overlay = detectors_module.masks_in(outputs, chosen) if masked else None
        return Scene(way, chosen, sure, overlay)
    if way.kind == POINTS:
        marked = key_points.points(outputs, (width, height))
        assert marked is not None, "a way to points comes from points"
        return Scene(way, points=tuple(p for p in marked[1] if p.score >= level))
    if way.kind == OVERLAY:
        return Scene(way, overlay=dense_maps.overlay(outputs, way.name, level))
    return Scene(way, merged=_merged(outputs, original))


def _points_of(found: Candidates, chosen: Sequence[Box]) -> tuple[Point, ...]:
    """Key points of the chosen boxes that are sure enough to be drawn."""
    if found.points is None:
        return ()
    marks = (found.points[box.place] for box in chosen)
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
    """The luma that the model gave with the colours of the original, enlarged."""
    shown = next(filter(None, map(results.image_of, outputs)), None)
    if shown is None or shown.picture.shape[2] != 1:
        return None
    luma = shown.picture
    height, width = luma.shape[:2]
    colours = image_files.to_colors(original, 3)
    large = image_files.resized(colours, width, height, "stretch", "bicubic").astype(np.float64)
    own = image_files.to_gray(large.astype(np.uint8)).astype(np.float64)
    # Y, Cb and Cr of ITU-R BT.601 are linear: another Y shifts red, green and blue alike.
    merged = np.rint(np.clip(large + (luma - own), 0, 255))
    return merged.astype(np.uint8)
