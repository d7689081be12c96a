"""Group-by on very long columns: factorize, sums and bounds, in chunks of bounded memory.

numpy holds up all other threads of a program while it adds, looks up or finds what is unique in
one column; in pieces, a window in the same process stays responsive.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 17
_MAX_RANGE_PER_VALUE = 4  # values a column may reach over for each that is in it
Numbers = NDArray[np.int64]


def factorize(column: NDArray[np.signedinteger]) -> tuple[Numbers, Numbers, Numbers]:
    """Return unique values, the first place of each, and each element's number: int64 (N,).

    The same as `numpy.unique` says, but without sorting where values lie close together.
    """
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    if high - low > _MAX_RANGE_PER_VALUE * len(column) + _CHUNK:
        unique = np.unique(column, return_index=True, return_inverse=True)
        kinds, first, place = (one.reshape(-1).astype(np.int64) for one in unique)
        return kinds, first, place
    present = np.zeros(high - low + 1, np.bool_)
    for part in chunks(len(column)):
        present[column[part] - low] = True
    kinds = np.flatnonzero(present).astype(np.int64) + low
    rank = np.cumsum(present, dtype=np.int64) - 1
    place = np.empty(len(column), np.int64)
    first = np.empty(len(kinds), np.int64)
    for part in reversed(list(chunks(len(column)))):
        ranks = rank[column[part] - low]
        place[part] = ranks
        first[ranks[::-1]] = np.arange(part.stop - 1, part.start - 1, -1)
    return kinds, first, place


def look_up(
    column: NDArray[np.signedinteger], values: Mapping[int, int], missing: int
) -> Numbers:
    """Return the value of each number in a column, `missing` where it has none: int64 (N,).

    Negative numbers have none. The memory it takes depends on how many numbers there are, not
    on how large they are: they come from files, and one of 2^62 must not become a table's size.
    """
    kinds, _, place = factorize(column)
    table = [values.get(kind, missing) if kind >= 0 else missing for kind in kinds.tolist()]
    return np.array(table, np.int64)[place]


def group_sums(values: Numbers, group: Numbers, size: int) -> Numbers:
    """Sum of the values of each number; exact, unlike weights of bincount: int64 (size,)."""
    sums = np.zeros(size, np.int64)
    for part in chunks(len(group)):
        np.add.at(sums, group[part], values[part])
    return sums


def group_bounds(
    begin: Numbers, end: Numbers, group: Numbers, size: int
) -> tuple[Numbers, Numbers]:
    """The least begin and the latest end of each number: int64 (size,) each."""
    least = np.full(size, np.iinfo(np.int64).max)
    most = np.full(size, np.iinfo(np.int64).min)
    for part in chunks(len(group)):
        np.minimum.at(least, group[part], begin[part])
        np.maximum.at(most, group[part], end[part])
    return least, most


def chunks(count: int, size: int = _CHUNK) -> Iterator[slice]:
    """Yield the slices of so many elements, each of bounded length."""
    return (slice(at, min(at + size, count)) for at in range(0, count, size))
