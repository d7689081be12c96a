"""Busy time of very many spans at even instants, for windows in which none is told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SPANS, _FINEST = 8, 2  # for each bin, of many spans: a byte of the index for each; of fewer
FINE = 2.0  # bins in a column, from which on they stand for the spans
_WANTED = 4_000  # bins, which are fine enough for a wide window
_FEWEST = 5_800  # spans, below which all of them are looked at


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """B bins from `begin_ns` on. busy_ns: busy time before each, and in all: int64 (B + 1,).

    longest_ns: the longest span.
    """

    begin_ns: int
    width_ns: int
    busy_ns: NDArray[np.int64]
    longest_ns: int

    def coverage(self, edges_ns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share of each column that is busy, 0 to 1: float64 (W,) for W + 1 edges.

        Exact at the bounds of bins; between them as if a bin were busy evenly.
        """
        found: NDArray[np.float64] = coverage([self], edges_ns)[0]
        return found

    def suit(self, step_ns: float) -> bool:
        """Whether columns so wide can be told from bins."""
        return self.width_ns * FINE <= step_ns


def coverage(bins: Sequence[Bins], edges_ns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The coverage of each of R rows of bins, at once: float64 (R, W) for W + 1 edges."""
    begin, width, last = np.array(
        [(each.begin_ns, each.width_ns, len(each.busy_ns) - 1) for each in bins], np.float64
    ).T[:, :, None]
    place = edges_ns - begin
    place /= width
    np.minimum(place, last, out=place)
    np.maximum(place, 0, out=place)
    at = place.astype(np.intp)
    place -= at
    before, behind = np.empty((2, *at.shape), np.int64)
    for n, each in enumerate(bins):
        each.busy_ns.take(at[n], out=before[n], mode="clip")
    at += 1
    for n, each in enumerate(bins):
        each.busy_ns.take(at[n], out=behind[n], mode="clip")
    behind -= before
    place *= behind
    place += before
    shares: NDArray[np.float64] = np.diff(place, axis=1)
    shares /= edges_ns[1] - edges_ns[0]
    return shares


def binned(
    start_ns: NDArray[np.int64], duration_ns: NDArray[np.int64], own_ns: NDArray[np.int64]
) -> Bins | None:
    """Bins of spans by their start that never overlap; None for few, which need none.

    own_ns: the durations that count, 0 for those that do not: int64 (N,).
    """
    if len(start_ns) < _FEWEST:
        return None
    begin, end = int(start_ns[0]), int(start_ns[-1] + duration_ns[-1])
    count = len(start_ns) // min(SPANS, max(_FINEST, len(start_ns) // _WANTED))
    width = max(1, -(-(end - begin) // count))
    count = max(1, -(-(end - begin) // width))
    edges = begin + width * np.arange(count + 1, dtype=np.int64)
    last = np.maximum(start_ns.searchsorted(edges, "right") - 1, 0)
    part = np.minimum(edges - start_ns[last], own_ns[last])
    total = np.cumsum(own_ns)
    busy = total[last] - own_ns[last] + part
    return Bins(begin, width, busy, int(duration_ns.max()))
