"""Boxes in a form that somebody gave: which column of a list is which."""

import numpy as np

from inspector.preview.detectors.boxes import Candidates, Numbers, best_of, centered
from inspector.preview.detectors.decoder import BoxDecoder
from inspector.preview.detectors.output_arrays import Answer, in_shares
from inspector.preview.families import output_meanings
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

# Without any of a model's own: those of YOLO's authors (ultralytics/cfg/default.yaml has 0.25
# and 0.7; their paper of version 3 has 0.45).
_SCORE = 0.25
_OVERLAP = 0.45


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
