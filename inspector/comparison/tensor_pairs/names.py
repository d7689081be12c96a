"""Pair tensors without a graph, such as recorded ones: by parts of names, else by order."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from inspector.comparison.tensor_pairs.sides import Side, Tensor

_PART = re.compile(r"[A-Za-z]+|\d+")
_ANCHORS = 2  # pairs in one order, before the rest counts as in order
_WORDLESS = {"output", "out", "y", "x"}


def named_pairs(
    own: Side, other: Side, taken: Mapping[str, str], varying: Collection[str]
) -> Iterator[tuple[str, str, bool]]:
    """Yield further pairs of tensors of one size, ours first, and whether names told.
    taken: pairs so far, ours by the other's name. varying: ours that depend on the input."""
    mine = {*taken.values()}
    free = [name for name in own.tensors if name not in mine and name in varying]
    theirs = [name for name in other.tensors if name not in taken]
    named = dict(_by_names(own, other, free, theirs))
    for their, our in named.items():
        yield our, their, True
    yield from _by_order(own, other, {**taken, **named}, varying)


def is_within(name: str, other: str) -> bool:
    """Return whether all parts of a name are parts of another one, in order."""
    wanted = _parts(name)
    return bool(wanted) and _within(wanted, _parts(other))


def _by_names(
    own: Side, other: Side, free: list[str], theirs: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield (other, own) where a name tells: all parts of it in order in ours."""
    parts = {name: _parts_of(own, own.tensors[name]) for name in free}
    for their in theirs:
        wanted = _parts(their)
        size = other.tensors[their].arrays[0].size
        fitting = [
            name
            for name in parts
            if own.tensors[name].arrays[0].size == size
            and wanted
            and any(_within(wanted, each) for each in parts[name])
        ]
        # The shortest name has least besides: conv1, not conv1/relu. The first of equals.
        chosen = min(fitting, key=lambda name: min(map(len, parts[name])), default=None)
        if chosen is not None:
            del parts[chosen]
            yield their, chosen


def _by_order(
    own: Side, other: Side, taken: Mapping[str, str], varying: Collection[str]
) -> Iterator[tuple[str, str, bool]]:
    """Yield pairs of one size between those that are known, where both are in one order."""
    places = {name: place for place, name in enumerate(own.tensors)}
    anchors = [(places[taken[name]], place) for place, name in enumerate(other.tensors)
               if name in taken]  # fmt: skip
    if len(anchors) < _ANCHORS or anchors != sorted(anchors):
        return  # nothing says that recorded tensors are in the order of the layers
    mine, ours, theirs = {*taken.values()}, [*own.tensors], [*other.tensors]
    ends = [(-1, -1), *anchors, (len(ours), len(theirs))]
    for (own_start, start), (own_end, end) in pairwise(ends):
        sizes: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
        for name in ours[own_start + 1 : own_end]:
            if name not in mine and name in varying:
                sizes[0].setdefault(own.tensors[name].arrays[0].size, []).append(name)
        for name in theirs[start + 1 : end]:
            sizes[1].setdefault(other.tensors[name].arrays[0].size, []).append(name)
        for size, names in sizes[1].items():
            fitting = sizes[0].get(size, [])
            if len(fitting) == len(names):
                yield from ((one, two, False) for one, two in zip(fitting, names, strict=True))


def _parts_of(side: Side, tensor: Tensor) -> list[list[str]]:
    """Return the parts of a tensor's name and of its layer's."""
    names = [tensor.name]
    if tensor.layer is not None and side.layers[tensor.layer].name:
        names.append(side.layers[tensor.layer].name)
    return [_parts(name) for name in names]


def _parts(name: str) -> list[str]:
    return [part for part in _PART.findall(name.casefold()) if part not in _WORDLESS]


def _within(wanted: list[str], parts: list[str]) -> bool:
    """Return whether the parts occur in this order."""
    left = iter(parts)
    return all(part in left for part in wanted)
