"""Predictions of a trace one after the other, and which of them are still a warm-up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.numbering import bounds, numbered
from inspector.trace import KINDS, Kind, Trace

_SLOW, _FEWEST, _MOST_SHARE, _LOOKED_AT = 1.25, 4, 0.5, 400
_KERNEL = KINDS.index(Kind.KERNEL)


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """The R predictions of one model by their begin.

    begin_ns, end_ns: int64 (R,). warm: how many at the begin are told from the rest: those
    that are a quarter slower than the median of those after them; 0 where all are alike.
    profiled: bool (R,), which ones have kernels; where only some do, taking these slowed them.
    """

    model: str
    begin_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    warm: int
    profiled: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.begin_ns)

    @property
    def warm_up_ns(self) -> tuple[int, int] | None:
        """From the first prediction until the warm-up ends; None without one."""
        if not self.warm:
            return None
        return int(self.begin_ns[0]), int(self.end_ns[: self.warm].max())

    @property
    def words(self) -> str:
        """What the warm-up is called."""
        return "first prediction" if self.warm == 1 else f"first {self.warm} predictions"


def iterations(trace: Trace) -> tuple[Iterations, ...]:
    """The predictions of each model, the models in the order of their tracks."""
    mine = np.flatnonzero(trace.run >= 0)
    if not len(mine):
        return ()
    models = list(dict.fromkeys(track.model for track in trace.tracks))
    model = np.array([models.index(track.model) for track in trace.tracks], np.int64)
    most = int(trace.run.max()) + 1
    key = model[trace.track[mine]] * most + trace.run[mine]
    kinds, _, place = numbered(key)
    start = trace.start_ns[mine]
    begin, end = bounds(start, start + trace.duration_ns[mine], place, len(kinds))
    profiled = np.zeros(len(kinds), bool)
    profiled[numbered(place[trace.kind[mine] == _KERNEL])[0]] = True
    return tuple(
        _in_order(models[number], *(column[kinds // most == number] for column in told))
        for told in [(begin, end, profiled)]
        for number in np.unique(kinds // most).tolist()
    )


def _in_order(
    model: str, begin: NDArray[np.int64], end: NDArray[np.int64], profiled: NDArray[np.bool_]
) -> Iterations:
    order = np.argsort(begin, kind="stable")
    begin, end, profiled = begin[order], end[order], profiled[order]
    slowed = 0 if profiled.all() else int(np.argmin(profiled))  # so many at the begin
    return Iterations(model, begin, end, warm_ups((end - begin)[: slowed or None]), profiled)


def warm_ups(durations: NDArray[np.int64]) -> int:
    """How many predictions at the begin are clearly slower than those soon after.

    A recorder may profile the first fifty: give these alone, for what is slower for that is no
    warm-up.
    """
    durations = durations[:_LOOKED_AT]
    count = len(durations)
    if count < _FEWEST:
        return 0
    usual = float(np.median(durations[count // 2 :]))
    fast = np.flatnonzero(durations < _SLOW * usual)
    first = int(fast[0]) if len(fast) else 0
    return first if first <= count * _MOST_SHARE else 0
