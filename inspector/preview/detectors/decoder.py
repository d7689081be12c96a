"""A way to write boxes: how it is decoded, and what else the program has to know of it."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from inspector.preview.detectors.boxes import Candidates
from inspector.preview.detectors.output_arrays import Answer, Outputs

_LEAST_SIZE = 1e-6  # of a box, as a share of the image
# Boxes may lie partly outside of the image, and a rare one wholly; boxes of another format that
# is read wrongly do so in numbers, or have no width.
_FARTHEST = 1.0  # sides of the image that an edge may lie outside
_MOST_NONSENSE = 0.2  # share of the boxes above the score
_LOOKED_AT = 300  # best boxes that are looked at
_EQUAL = 1e-9  # between the highest and the lowest score of all boxes
_MANY_ROWS = 500  # boxes of a grid: nearly all of them are background
_MOST_CHOSEN = 0.5  # share of the boxes of a grid above the score, in an image full of objects
_FEWEST_ROWS = 16  # boxes: a few may well have equal scores


class BoxDecoder(Struct, frozen=True):
    """A way to write boxes, and the score and overlap that its authors take.

    decode: an answer -> Candidates, or None where its structure is another one.
    classes: outputs -> number of classes; 0 for one kind of object, and where their shapes
    do not say it. names: of the classes, for models that have no further ones. listed: the
    model has selected the boxes itself, so that there may be none. masked: prototypes of
    masks may come beside the boxes. general: its structure says little, so that any other
    decoder that fits is more likely. doubt: outputs -> why its boxes may be wrong although
    they look right; "" where the file proves what is assumed.
    """

    name: str
    score: float
    overlap: float
    decode: Callable[[Answer], Candidates | None]
    classes: Callable[[Outputs], int] = lambda _: 0
    names: tuple[str, ...] = ()
    listed: bool = False
    masked: bool = False
    general: bool = False
    doubt: Callable[[Outputs], str] = lambda _: ""


def nonsense(decoder: BoxDecoder, candidates: Candidates) -> str:
    """Return why boxes cannot be what a decoder reads them as, "" where they can.

    Then the outputs are of another format with the same shapes.
    """
    scores, edges = candidates.scores, candidates.edges
    if not decoder.listed and len(scores) >= _FEWEST_ROWS:
        finite = scores[np.isfinite(scores)]
        same = len(finite) and float(finite.max() - finite.min()) < _EQUAL
        if same and finite.max() >= decoder.score:
            return "all scores are equal"
    chosen = np.flatnonzero(scores >= decoder.score)
    many = not decoder.listed and len(scores) >= _MANY_ROWS
    if many and len(chosen) > _MOST_CHOSEN * len(scores):
        what = "are above the score threshold"
        return f"{int(chosen.size)} of {len(scores)} boxes {what}"
    chosen = chosen[np.argsort(-scores[chosen], kind="stable")][:_LOOKED_AT]
    if not len(chosen):
        return ""
    left, top, right, bottom = edges[chosen].T
    without_area = (right - left < _LEAST_SIZE) | (bottom - top < _LEAST_SIZE)
    low, high = edges[chosen].min(axis=1), edges[chosen].max(axis=1)
    outside = (low < -_FARTHEST) | (high > 1 + _FARTHEST)
    problems = ((without_area, "have no area"), (outside, "lie far outside the image"))
    for wrong, what in problems:
        if float(wrong.mean()) > _MOST_NONSENSE:
            return f"{int(wrong.sum())} of {len(chosen)} boxes {what}"
    return ""
