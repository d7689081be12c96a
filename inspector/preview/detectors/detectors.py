"""The decoders of the table of families, tried on outputs: boxes by the structure of a model.

Each decoder lives in the module of its kind, with the sources of its format.
"""

from collections.abc import Sequence
from math import ceil

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box, Candidates, Numbers
from inspector.preview.detectors.decoder import BoxDecoder, nonsense
from inspector.preview.detectors.given_form import GIVEN
from inspector.preview.detectors.output_arrays import Answer, channels_last
from inspector.preview.families.image_families import IMAGE_FAMILIES
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.outputs.dense_maps import Overlay, color_of

# Every way to write boxes once, in the order of the table of families, general ones last.
FAMILIES = tuple(
    sorted(
        dict.fromkeys(row.decoder for row in IMAGE_FAMILIES if row.decoder is not None),
        key=lambda decoder: decoder.general,
    )
)

MASKS = "Instance masks"


def fitting(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[tuple[BoxDecoder, Candidates], ...]:
    """Return the decoders whose structure the outputs have, most likely first, with their
    boxes. Those that would give nonsense are left out, see `refused`.

    width, height: of the model's picture. structure: of the model, where it is known.
    """
    read = _read(outputs, width, height, structure)
    return tuple((decoder, boxes) for decoder, boxes in read if not nonsense(decoder, boxes))


def refused(
    outputs: Sequence[OutputValue],
    width: int,
    height: int,
    structure: ModelStructure = UNKNOWN,
) -> tuple[tuple[BoxDecoder, str], ...]:
    """Return the decoders that fit by structure and refuse what they would read, with the
    reason."""
    read = _read(outputs, width, height, structure)
    reasons = ((decoder, nonsense(decoder, boxes)) for decoder, boxes in read)
    return tuple((decoder, reason) for decoder, reason in reasons if reason)


def _read(
    outputs: Sequence[OutputValue], width: int, height: int, structure: ModelStructure
) -> list[tuple[BoxDecoder, Candidates]]:
    arrays = {
        o.name: o.array.astype(np.float64)
        for o in outputs
        if o.array is not None and o.array.dtype.kind in "fiu"
    }
    if structure.meanings.keys() & arrays.keys():  # somebody knows better
        given = Answer(
            {n: a.shape for n, a in arrays.items()}, width, height, structure, arrays
        )
        boxes = GIVEN.decode(given) if width and height else None
        return [] if boxes is None else [(GIVEN, boxes)]
    if not arrays or not width or not height:
        return []
    shapes = {name: array.shape for name, array in arrays.items()}
    answer = Answer(shapes, width, height, structure, arrays)
    # An empty list of boxes is an answer, too, but only lists can be empty.
    whole = all(array.size for array in arrays.values())
    tried = ((each, each.decode(answer)) for each in FAMILIES if whole or each.listed)
    return [(decoder, _named(boxes, decoder)) for decoder, boxes in tried if boxes is not None]


def _named(candidates: Candidates, decoder: BoxDecoder) -> Candidates:
    """Return candidates with the names of their classes, where the decoder has all of them."""
    known = candidates.kinds.max(initial=0) < len(decoder.names)
    return structs.replace(candidates, names=decoder.names) if known else candidates


def masks_in(outputs: Sequence[OutputValue], boxes: Sequence[Box]) -> Overlay | None:
    """Return what lies inside each box as one overlay in the colors of the classes, or
    None."""
    made = _prototypes(outputs)
    if made is None or not boxes:
        return None
    columns, prototypes = made
    number, height, width = prototypes.shape
    picture = np.zeros((height, width, 4), np.uint8)
    for box in reversed(boxes):  # the best one lies on top
        left, right = (round(min(1.0, max(0.0, x)) * width) for x in (box.left, box.right))
        top, bottom = (round(min(1.0, max(0.0, y)) * height) for y in (box.top, box.bottom))
        shares = columns[len(columns) - number :, box.place]
        inside = np.tensordot(shares, prototypes[:, top:bottom, left:right], 1) > 0
        picture[top:bottom, left:right][inside] = (*color_of(box.kind), 255)
    return Overlay(MASKS, picture)


def masks_of(
    outputs: Sequence[OutputValue], boxes: Sequence[Box], width: int, height: int
) -> dict[int, tuple[int, int, NDArray[np.bool_]]] | None:
    """Return the pixels of each object in a picture of `width` by `height`: the first row, the
    first column, and which of the pixels from there on; by the place of the box.

    Masks are made larger as Ultralytics does, without corners that meet, then cut by the box.
    None where the outputs have none.
    """
    made = _prototypes(outputs)
    if made is None:
        return None
    columns, prototypes = made
    number, rows, lines = prototypes.shape
    across, down = _enlarging(lines, width), _enlarging(rows, height)
    found = {}
    for box in boxes:
        left, right = (min(max(ceil(x * width), 0), width) for x in (box.left, box.right))
        top, bottom = (min(max(ceil(y * height), 0), height) for y in (box.top, box.bottom))
        small = np.tensordot(columns[len(columns) - number :, box.place], prototypes, 1)
        large = down[top:bottom] @ small @ across[left:right].T
        found[box.place] = top, left, large > 0
    return found


def _enlarging(small: int, large: int) -> Numbers:
    """Return how much of each of a few values is in each of more, linearly between them."""
    places = ((np.arange(large) + 0.5) * small / large - 0.5).clip(0, small - 1)
    low = np.floor(places).astype(int)
    share = places - low
    weights: Numbers = np.zeros((large, small))
    weights[np.arange(large), low] = 1 - share
    weights[np.arange(large), (low + 1).clip(max=small - 1)] += share
    return weights


def _prototypes(outputs: Sequence[OutputValue]) -> tuple[Numbers, Numbers] | None:
    """Return the numbers of each box, and the masks (number, height, width) that its last
    numbers mix; None where the outputs are no such."""
    columns = _columns(outputs)
    protos = [o.array for o in outputs if o.array is not None and o.array.ndim == 4]
    if columns is None or len(outputs) != 2 or len(protos) != 1:
        return None
    prototypes = protos[0][0].astype(np.float64)
    return columns, np.moveaxis(prototypes, -1, 0) if channels_last(
        protos[0].shape
    ) else prototypes


def _columns(outputs: Sequence[OutputValue]) -> Numbers | None:
    """(numbers of a box, boxes), as the first output of rank 3 holds them."""
    arrays = (o.array for o in outputs if o.array is not None and o.array.dtype.kind == "f")
    first = next((a for a in arrays if a.ndim == 3 and len(a) == 1), None)
    if first is None or min(first.shape[1:]) < 6:
        return None
    columns: Numbers = first[0].astype(np.float64)
    return columns if columns.shape[0] < columns.shape[1] else columns.T
