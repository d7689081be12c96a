"""Predictions of a trace one after the other, and which of them are still a warm-up."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.report.layer_timing import WITHOUT_PROFILER
from inspector.trace.grouping import factorize, group_bounds
from inspector.trace.trace import KINDS, Kind, Trace
from inspector.trace.trace_rows import (
    LevelOfDetail,
    build_level_of_detail,
    extent,
    median_prediction,
)
from inspector.ui.translate import tr

_SLOW = 1.25  # times the median: a slower first run is a warm-up
_FEWEST = 4  # runs; of fewer, none is called a warm-up
_MOST_SHARE = 0.5  # of the runs; more warm-ups are none
_LOOKED_AT = 400  # first runs in which warm-ups are looked for
_KERNEL = KINDS.index(Kind.KERNEL)


class Iterations(Struct, frozen=True, eq=False):
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
        """Return the duration of the warm-up; None without one."""
        if not self.warm:
            return None
        return int(self.begin_ns[0]), int(self.end_ns[: self.warm].max())

    @property
    def label(self) -> str:
        """The label of the warm-up."""
        return (
            tr("first run")
            if self.warm == 1
            else tr("first {warm} runs").format(warm=self.warm)
        )


def iterations(trace: Trace) -> tuple[Iterations, ...]:
    """The predictions of each model, the models in the order of their tracks."""
    spans = np.flatnonzero(trace.run >= 0)
    if not len(spans):
        return ()
    models = list(dict.fromkeys(track.model for track in trace.tracks))
    model = np.array([models.index(track.model) for track in trace.tracks], np.int64)
    most = int(trace.run.max()) + 1
    key = model[trace.track[spans]] * most + trace.run[spans]
    kinds, _, place = factorize(key)
    start = trace.start_ns[spans]
    begin, end = group_bounds(start, start + trace.duration_ns[spans], place, len(kinds))
    profiled = np.zeros(len(kinds), bool)
    profiled[factorize(place[trace.kind[spans] == _KERNEL])[0]] = True
    return tuple(
        _in_order(models[number], *(column[kinds // most == number] for column in columns))
        for columns in [(begin, end, profiled)]
        for number in np.unique(kinds // most).tolist()
    )


class Unprofiled(Struct, frozen=True):
    """Predictions one after the other that were not profiled, though some before them were.

    begin_ns, end_ns: from the last profiled one to the next, or to the end of the trace. after:
    how many profiled ones came before. count: how many were not. last: no profiled one follows.
    """

    begin_ns: int
    end_ns: int
    after: int
    count: int
    last: bool

    @property
    def text(self) -> str:
        """The facts on unprofiled runs as a sentence."""
        if self.last:
            which = tr("later runs were")
        else:
            which = (
                tr("the next one was")
                if self.count == 1
                else tr("the next {count:,} were").format(count=self.count)
            )
        return tr(
            "Profiling stopped after run {after:,}; {which} timed without the profiler"
        ).format(after=self.after, which=which)


def unprofiled(trace: Trace, run_lists: tuple[Iterations, ...]) -> tuple[Unprofiled, ...]:
    """Return the stretches of a trace in which predictions were made without the profiler."""
    names = [i for i, name in enumerate(trace.names) if name.startswith(WITHOUT_PROFILER)]
    bare = np.flatnonzero(np.isin(trace.name, names)) if names else np.zeros(0, np.intp)
    begin = np.concatenate([trace.start_ns[bare], *(one.begin_ns for one in run_lists)])
    ended = trace.start_ns[bare] + trace.duration_ns[bare]
    end = np.concatenate([ended, *(one.end_ns for one in run_lists)])
    flags = [np.zeros(len(bare), bool), *(one.profiled for one in run_lists)]
    order = np.argsort(begin, kind="stable")
    profiled = np.concatenate(flags)[order]
    begin, end, result = begin[order], end[order], list[Unprofiled]()
    if not profiled.any() or profiled.all():
        return ()
    changes = np.flatnonzero(np.diff(profiled.astype(np.int8))) + 1
    for first, after in zip([0, *changes.tolist()], [*changes.tolist(), None], strict=True):
        before = int(profiled[:first].sum())
        if before and not profiled[first]:
            count = len(end[first:after])
            until = int(end[first:].max()) if after is None else int(begin[after])
            result.append(Unprofiled(int(end[first - 1]), until, before, count, after is None))
    return tuple(result)


def _in_order(
    model: str, begin: NDArray[np.int64], end: NDArray[np.int64], profiled: NDArray[np.bool_]
) -> Iterations:
    order = np.argsort(begin, kind="stable")
    begin, end, profiled = begin[order], end[order], profiled[order]
    slowed = 0 if profiled.all() else int(np.argmin(profiled))  # so many at the begin
    return Iterations(model, begin, end, warm_ups((end - begin)[: slowed or None]), profiled)


def warm_ups(durations: NDArray[np.int64]) -> int:
    """Return how many predictions at the begin are clearly slower than those soon after.

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


class TimelineIndex(Struct, frozen=True, eq=False):
    """Rows to draw, begin and end in nanoseconds, what to show first, predictions.

    unprofiled: those that were made after the profiler had ended.
    """

    detail: LevelOfDetail
    extent: tuple[int, int]
    first: tuple[int, int]
    iterations: tuple[Iterations, ...]
    unprofiled: tuple[Unprofiled, ...] = ()

    @classmethod
    def of(
        cls, trace: Trace, report_progress: Callable[[float], None] = lambda _: None
    ) -> "TimelineIndex":
        """Build the index in this thread; `report_progress` gets the finished share, 0 to 1."""
        rows = build_level_of_detail(trace, report_progress)
        run_lists = iterations(trace)
        without = unprofiled(trace, run_lists)
        return cls(rows, extent(trace), median_prediction(trace), run_lists, without)
