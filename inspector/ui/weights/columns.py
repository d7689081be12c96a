"""The columns of the list of weights: what each one says, and how it sorts."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.model import Model, WeightInfo, product
from inspector.ui.kit.table_model import ranks

Sorted = TypeVar("Sorted", str, tuple[str, int])


class What(StrEnum):
    """What a column tells."""

    NAME = "Name"
    TYPE = "Type"
    SHAPE = "Shape"
    BYTES = "Bytes"
    SHARE = "Share"
    PLACE = "Lies in"
    USERS = "Used by"

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self in (What.BYTES, What.SHARE)

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self in (What.BYTES, What.SHARE, What.SHAPE)


COLUMNS = tuple(What)
_WIDE = {
    What.NAME: 164, What.TYPE: 72, What.SHAPE: 112, What.BYTES: 130, What.SHARE: 62,
    What.PLACE: 160, What.USERS: 150,
}  # fmt: skip
_FIRST_TO_GO = (What.PLACE, What.USERS, What.SHARE, What.TYPE)


def widths(room: int) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out; the names take what is over."""
    found = dict(_WIDE)
    for what in _FIRST_TO_GO:
        if sum(found.values()) > room:
            found[what] = 0
    found[What.NAME] += max(0, room - sum(found.values()))
    return tuple(found[what] for what in COLUMNS)


def name(weight: WeightInfo) -> str:
    """What a weight is called; the file may give it no name."""
    return units.clip(weight.name or "(no name)")


def place(weight: WeightInfo, long: bool = False) -> str:
    """In which file a weight lies, and where; "nowhere" when it cannot be reached."""
    if weight.place is None:
        return "nowhere" if weight.problem else "no values"
    file = units.clip(weight.place.file, 60) or ("the model file" if long else "model")
    between = ", from byte" if long else " ·"
    return f"{file}{between} {weight.place.offset:,}"


def users(model: Model, indices: Sequence[int]) -> str:
    """Who uses a weight: the only layer, or the first of them and how many more."""
    if not indices:
        return "nothing"
    first = units.clip(model.layers[indices[0]].label, 80)
    return first if len(indices) == 1 else f"{first} +{len(indices) - 1:,}"


def keys(
    what: What, model: Model, uses: Sequence[Sequence[int]], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What a column sorts by: float64 (weights,)."""
    weights = model.weights
    match what:
        case What.BYTES | What.SHARE:
            return sizes.astype(np.float64)
        case What.SHAPE:
            elements = {shape: product(shape) or 0 for shape in {w.shape for w in weights}}
            return np.fromiter((elements[w.shape] for w in weights), np.float64, len(weights))
        case What.NAME:
            return _order([weight.name.casefold() for weight in weights])
        case What.TYPE:
            return ranks([weight.dtype for weight in weights])
        case What.PLACE:
            places = [(w.place.file, w.place.offset) if w.place else ("", -1) for w in weights]
            return _order(places)
        case What.USERS:
            return np.array([used[0] if used else np.inf for used in uses], np.float64)


def _order(values: Sequence[Sorted]) -> NDArray[np.float64]:
    """Place of each value when all are sorted; equal ones stay in order."""
    found = np.empty(len(values), np.float64)
    found[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
    return found
