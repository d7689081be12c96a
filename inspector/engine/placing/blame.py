"""A device claimed layers and then failed: which of them it was, found by halves."""

from collections.abc import Callable, Sequence

from inspector.errors import EngineFailed

MOST_SESSIONS = 64

Load = Callable[[Sequence[int]], object]


def culprits(
    layers: Sequence[int], load: Load, failure: EngineFailed
) -> dict[int, EngineFailed]:
    """Find the layers that fail alone, and how each does.

    layers: that do not load together. load: loads some of them, or raises EngineFailed.
    failure: of all together. Empty where none fails alone, or the search takes too long.
    """
    found: dict[int, EngineFailed] = {}
    waiting: list[tuple[Sequence[int], EngineFailed]] = [(layers, failure)]
    sessions = 0
    while waiting and sessions < MOST_SESSIONS:
        some, why = waiting.pop()
        if len(some) == 1:
            found[some[0]] = why
            continue
        middle = len(some) // 2
        for half in (some[:middle], some[middle:]):
            sessions += 1
            try:
                load(half)
            except EngineFailed as error:
                waiting.append((half, error))
    return found
