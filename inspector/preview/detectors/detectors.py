"""The decoders of the table of families, tried on outputs: boxes by the structure of a model.

Each decoder lives in the module of its kind, with the sources of its format.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import structs

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Candidates, Numbers, best_of, centered
from inspector.preview.detectors.decoder import BoxDecoder, nonsense
from inspector.preview.detectors.output_arrays import Answer, in_shares
from inspector.preview.families import output_meanings
from inspector.preview.families.image_families import IMAGE_FAMILIES
from inspector.preview.families.output_meanings import (
    ALL_SCORES,
    CENTER,
    CORNER,
    EDGES,
    KIND,
    SCORE,
    SCORES,
    SIZE,
)
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure

# Every way to write boxes once, in the order of the table of families, general ones last.
FAMILIES = tuple(
    sorted(
        dict.fromkeys(row.decoder for row in IMAGE_FAMILIES if row.decoder is not None),
        key=lambda decoder: decoder.general,
    )
)
# Without any of a model's own: those of YOLO's authors (ultralytics/cfg/default.yaml has 0.25
# and 0.7; their paper of version 3 has 0.45).
_SCORE = 0.25
_OVERLAP = 0.45


def fitting(
    outputs: Sequence[OutputValue], width: int, height: int, structure: ModelStructure = UNKNOWN
) -> tuple[tuple[BoxDecoder, Candidates], ...]:
    """Return the decoders whose structure the outputs have, most likely first, with their
    boxes. Those that would give nonsense are left out, see `refused`. width, height: of the
    model's picture. structure: of the model, where it is known."""
    read = _read(outputs, width, height, structure)
    return tuple((decoder, boxes) for decoder, boxes in read if not nonsense(decoder, boxes))


def refused(
    outputs: Sequence[OutputValue], width: int, height: int, structure: ModelStructure = UNKNOWN
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


def decode(answer: Answer) -> Candidates | None:
    """Return the boxes of the output that somebody said has them; None without one, or where
    its shape has another number of columns."""
    meanings = answer.structure.meanings
    name = next((n for n in answer.arrays if output_meanings.columns(meanings.get(n, ""))), "")
    listed = output_meanings.columns(meanings.get(name, ""))
    rows = _rows(answer.arrays[name], listed) if name else None
    if rows is None:
        return None
    place = {column: number for number, column in enumerate(listed)}
    edges = in_shares(_edges(rows, place), answer.width, answer.height)
    kinds = np.zeros(len(rows), np.int64)
    if KIND in place:
        kinds = np.rint(np.nan_to_num(rows[:, place[KIND]])).astype(np.int64)
    own = rows[:, place[SCORE]] if SCORE in place else np.ones(len(rows))
    shares = rows[:, place[ALL_SCORES] :] if ALL_SCORES in place else None
    if shares is None:
        shares = _other_scores(answer, len(rows))
    if shares is None or not shares.size:
        return Candidates(edges, own, np.maximum(kinds, 0))
    best = best_of(edges, shares)
    known = best.kinds if KIND not in place else np.maximum(kinds, 0)
    return Candidates(edges, own * best.scores, known)


GIVEN = BoxDecoder("Boxes in the given form", _SCORE, _OVERLAP, decode, listed=True)


def _rows(array: Numbers, listed: tuple[str, ...]) -> Numbers | None:
    """Return a list of boxes as (boxes, columns), whichever axis comes first."""
    axes = [length for length in array.shape if length != 1]
    if len(axes) < 2:  # one box, or one column
        axes = [array.size // len(listed), len(listed)]
    if len(axes) != 2 or axes[0] * axes[1] != array.size:
        return None
    table = array.reshape(axes)
    if listed[-1] == ALL_SCORES:
        table = table.T if axes[0] < axes[1] and axes[0] >= len(listed) else table
        return table if table.shape[1] >= len(listed) else None
    if table.shape[1] == len(listed):
        return table
    return table.T if table.shape[0] == len(listed) else None


def _edges(rows: Numbers, place: dict[str, int]) -> Numbers:
    """Return left, top, right and bottom of each box."""
    if set(EDGES) <= place.keys():
        return rows[:, [place[column] for column in EDGES]]
    corner = CENTER if set(CENTER) <= place.keys() else CORNER
    boxes = rows[:, [place[column] for column in (*corner, *SIZE)]]
    if corner == CENTER:
        return centered(boxes)
    return np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)


def _other_scores(answer: Answer, boxes: int) -> Numbers | None:
    """Return the scores of an output that somebody said has them, (boxes, classes)."""
    said = (n for n in answer.arrays if answer.structure.meanings.get(n) == SCORES)
    array = next((answer.arrays[name] for name in said), None)
    if array is None or not boxes or array.size % boxes:
        return None
    axes = [length for length in array.shape if length != 1]
    table = array.reshape(axes) if len(axes) == 2 else array.reshape(boxes, -1)
    return table if table.shape[0] == boxes else table.T
