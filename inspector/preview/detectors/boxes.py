"""Boxes of objects: candidates above a score, without those that overlap a better one."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
MOST_CANDIDATES = 3_000
MOST_BOXES = 300


class Box(Struct, frozen=True):
    """Edges in 0..1 of the model's picture, score in 0..1, and the number of the class.

    place: of the box among all that the model proposed.
    """

    left: float
    top: float
    right: float
    bottom: float
    score: float
    kind: int
    place: int = -1


class Candidates(Struct, frozen=True, eq=False):
    """Everything a model proposes: edges (N, 4) in 0..1, scores (N,), classes (N,).

    points: key points of each box, (N, K, 3): x and y in 0..1 and how sure; None for none.
    names: of the classes, where the format of the outputs says them.
    """

    edges: Numbers
    scores: Numbers
    kinds: NDArray[np.int64]
    points: Numbers | None = None
    names: tuple[str, ...] = ()


def centered(boxes: Numbers) -> Numbers:
    """Edges of boxes given as center, width and height, (..., 4)."""
    half = boxes[..., 2:4] / 2
    return np.concatenate([boxes[..., :2] - half, boxes[..., :2] + half], axis=-1)


def best_of(edges: Numbers, shares: Numbers) -> Candidates:
    """Candidates with their best class; shares: (N, classes)."""
    kinds = shares.argmax(axis=1)
    return Candidates(edges, shares[np.arange(len(shares)), kinds], kinds)


def select_boxes(candidates: Candidates, score: float, overlap: float) -> tuple[Box, ...]:
    """Return the best boxes, best first: at least `score`, and of those of one class that share
    more than `overlap` of their common area only the best. MOST_BOXES at most."""
    above = np.flatnonzero(
        (candidates.scores >= score) & np.isfinite(candidates.edges).all(axis=1)
    )
    order = above[np.argsort(-candidates.scores[above], kind="stable")][:MOST_CANDIDATES]
    chosen_rows: list[int] = []
    while len(order) and len(chosen_rows) < MOST_BOXES:
        best, rest = int(order[0]), order[1:]
        chosen_rows.append(best)
        same = candidates.kinds[rest] == candidates.kinds[best]
        order = rest[
            ~(same & (_shared(candidates.edges[best], candidates.edges[rest]) > overlap))
        ]
    return tuple(_box(candidates, i) for i in chosen_rows)


def _box(candidates: Candidates, place: int) -> Box:
    left, top, right, bottom = map(float, candidates.edges[place])
    score, kind = float(candidates.scores[place]), int(candidates.kinds[place])
    return Box(left, top, right, bottom, score, kind, place)


def _shared(one: Numbers, others: Numbers) -> Numbers:
    """Intersection over union of one box with each of the others."""
    low, high = np.maximum(one[:2], others[:, :2]), np.minimum(one[2:], others[:, 2:])
    common = np.clip(high - low, 0, None).prod(axis=1)
    areas = np.clip(others[:, 2:] - others[:, :2], 0, None).prod(axis=1)
    own = np.clip(one[2:] - one[:2], 0, None).prod()
    shared: Numbers = common / np.maximum(own + areas - common, 1e-12)
    return shared
