"""What all outputs together say about a picture: boxes, points, something to lay over it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.prediction import OutputValue
from inspector.preview import picture, results
from inspector.preview.decoders import boxes, dense, detectors, parts_of_boxes, points
from inspector.preview.decoders.boxes import Box
from inspector.preview.decoders.dense import Overlay
from inspector.preview.decoders.points import Point
from inspector.preview.picture import Picture

BOXES, POINTS, OVERLAY, COLOURS = "boxes", "points", "overlay", "colours"
SURE = 0.5  # of a key point in a box, as its authors draw them


@dataclass(frozen=True, slots=True)
class Way:
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

    way: Way
    boxes: tuple[Box, ...] = ()
    points: tuple[Point, ...] = ()
    overlay: Overlay | None = None
    merged: Picture | None = None


def ways(
    outputs: Sequence[OutputValue], width: int, height: int, channels: int
) -> tuple[Way, ...]:
    """The ways that fit, most likely first; empty where the outputs say nothing of places.

    width, height, channels: of the picture as the model got it.
    """
    found = [
        Way(BOXES, family.name, family.score, family.overlap)
        for family, _ in detectors.fitting(outputs, width, height)
    ]
    marked = points.points(outputs)
    if marked is not None:
        found.append(Way(POINTS, marked[0], 0.3))
    planes = _channels(outputs)
    if channels == 1 and planes == 1:
        return (Way(COLOURS, "Luma with the picture's colours"), *found)
    if planes in (3, 4):  # a picture of its own, as style transfer gives
        return tuple(found)
    masks = dense.ways(outputs)
    found += [Way(OVERLAY, way, 0.5 if way == dense.MASK else None) for way in masks]
    return tuple(found)


def scene(
    way: Way,
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    original: Picture,
    score: float | None = None,
    overlap: float | None = None,
) -> Scene:
    """Read the outputs in one of their ways; score and overlap as said, or as usual."""
    level = (way.score if score is None else score) or 0.0
    if way.kind == BOXES:
        shared = (way.overlap if overlap is None else overlap) or 0.0
        fitting = detectors.fitting(outputs, width, height)
        found = next(c for family, c in fitting if family.name == way.name)
        chosen = boxes.chosen(found, level, shared)
        if way.name != detectors.COLUMNS:
            return Scene(way, chosen)
        inner = parts_of_boxes.points_in(outputs, chosen, width, height)
        sure = tuple(point for point in inner if point.score >= SURE)
        return Scene(way, chosen, sure, parts_of_boxes.masks_in(outputs, chosen))
    if way.kind == POINTS:
        marked = points.points(outputs)
        assert marked is not None, "a way to points comes from points"
        return Scene(way, points=tuple(p for p in marked[1] if p.score >= level))
    if way.kind == OVERLAY:
        return Scene(way, overlay=dense.overlay(outputs, way.name, level))
    return Scene(way, merged=_merged(outputs, original))


def _channels(outputs: Sequence[OutputValue]) -> int:
    """Channels of the first output that is a picture; 0 when none is one."""
    for output in outputs:
        shown = results.picture_of(output)
        if shown is not None:
            return int(shown.picture.shape[2])
    return 0


def _merged(outputs: Sequence[OutputValue], original: Picture) -> Picture | None:
    """The luma that the model gave with the colours of the original, enlarged."""
    shown = next(filter(None, map(results.picture_of, outputs)), None)
    if shown is None or shown.picture.shape[2] != 1:
        return None
    luma = shown.picture
    height, width = luma.shape[:2]
    colours = picture.to_colors(original, 3)
    large = picture.resized(colours, width, height, "stretch", "bicubic").astype(np.float64)
    own = picture.to_gray(large.astype(np.uint8)).astype(np.float64)
    # Y, Cb and Cr of ITU-R BT.601 are linear: another Y shifts red, green and blue alike.
    merged = np.rint(np.clip(large + (luma - own), 0, 255))
    return merged.astype(np.uint8)
