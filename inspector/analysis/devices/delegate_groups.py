"""Which groups of layers a delegate of TensorFlow Lite takes: the largest, or none too small.

Groups are formed as LiteRT's graph_info.cc forms independent subsets of nodes.
"""

from collections.abc import Iterable, Sequence

from inspector.model.model import Layer

Group = Sequence[int]  # indices of layers


def groups(layers: Sequence[Layer], places: Iterable[int], supported: set[int]) -> list[Group]:
    """Return the groups of supported layers, each of those that can run one after another.
    places: of the layers that count, in the order in which they run; others are always
    ready."""
    waiting = list(places)
    missing = {name for place in waiting for name in layers[place].outputs if name}
    parts: list[Group] = []
    while waiting:
        part: list[int] = []
        is_supported: bool | None = None
        before = -1
        while len(part) > before:
            before, skipped = len(part), []
            for place in waiting:
                ready = missing.isdisjoint(layers[place].inputs)
                if ready and is_supported is None:
                    is_supported = place in supported
                if ready and (place in supported) == is_supported:
                    part.append(place)
                    missing.difference_update(layers[place].outputs)
                else:
                    skipped.append(place)
            waiting = skipped
        if not part:
            break
        if is_supported:
            parts.append(part)
    return parts


def chosen(parts: Sequence[Group], most: int, fewest: int) -> tuple[set[int], set[int]]:
    """Return the layers of the groups that are taken for sure, and of those that may be.
    most: how many of the largest groups are taken, 0 for all. fewest: layers of a group. Where
    groups of one size compete for the last place, nothing says which of them is taken."""
    ranked = sorted((part for part in parts if len(part) >= fewest), key=len, reverse=True)
    possible = ranked
    if most and len(ranked) > most:
        last = len(ranked[most - 1])
        possible = [part for part in ranked if len(part) >= last]
        if len(possible) > most:
            ranked = [part for part in ranked if len(part) > last]
        ranked = ranked[:most]
    return ({p for part in ranked for p in part}, {p for part in possible for p in part})
