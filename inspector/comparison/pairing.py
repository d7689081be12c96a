"""Choose which two of several models to compare, and which of them is the original."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import PurePath

from msgspec import Struct

from inspector.model.model import Model

# Parts of file names that tools and people give to what they made of a model.
_DERIVED = re.compile(
    r"(quant(ized)?|int8|uint8|int4|qdq|fp16|float16|bf16|optimi[sz]ed|simplified|sim|pruned|"
    r"fused|converted|palettized|w4|w8)",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"(^|[^a-z0-9]){_DERIVED.pattern}(?=$|[^a-z0-9])", re.IGNORECASE)
_SMALLER = 0.8  # bytes per parameter of a model that is stored in smaller types


class Candidate(Struct, frozen=True):
    """A model that can be compared. changed_ns: time of the last change of its file."""

    name: str
    model: Model
    changed_ns: int = 0


def partner(chosen: int, candidates: Sequence[Candidate]) -> int:
    """Return the place of the model that is best compared with a chosen one.

    Models with the same inputs and outputs come first, then those with names that are alike.
    """
    own = candidates[chosen]
    places = [place for place in range(len(candidates)) if place != chosen]
    return max(places, key=lambda place: (_alike(own, candidates[place]), -place))


def original_first(one: int, other: int, candidates: Sequence[Candidate]) -> tuple[int, int]:
    """Return two places with the original first: the one that the other was made of."""
    if _is_derived(candidates[one], candidates[other]):
        return other, one
    return one, other


def _alike(one: Candidate, other: Candidate) -> tuple[int, float]:
    interfaces = 0
    for values, others in (
        (one.model.inputs, other.model.inputs),
        (one.model.outputs, other.model.outputs),
    ):
        if [(v.name, v.shape) for v in values] == [(v.name, v.shape) for v in others]:
            interfaces += 2
        elif [v.shape for v in values] == [v.shape for v in others]:
            interfaces += 1
    names = PurePath(one.name).stem, PurePath(other.name).stem
    return interfaces, SequenceMatcher(None, *names, autojunk=False).ratio()


def _is_derived(one: Candidate, other: Candidate) -> bool:
    """Return whether the first model seems to be made of the second one."""
    stems = PurePath(one.name).stem, PurePath(other.name).stem
    marked = [len(_MARKED.findall(stem)) for stem in stems]
    if marked[0] != marked[1]:
        return marked[0] > marked[1]
    if stems[0] != stems[1] and (
        stems[0].startswith(stems[1]) or stems[1].startswith(stems[0])
    ):
        return len(stems[0]) > len(stems[1])
    sizes = [
        candidate.model.size_bytes / max(1, candidate.model.parameters)
        for candidate in (one, other)
    ]
    if min(sizes) < _SMALLER * max(sizes):
        return sizes[0] < sizes[1]
    return one.changed_ns > other.changed_ns
