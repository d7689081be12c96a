"""Which prediction each kernel of a recorded session belongs to."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.instrument.kernels import Kernel
from inspector.instrument.parts import Part


def predictions_of(
    part: Part, session: int, kernels: Sequence[Kernel]
) -> tuple[int | None, ...]:
    """The number of the call in which each kernel ran; None for none.

    The runtime does not say. A kernel lies in a call by its time; where calls of several
    threads overlap, by its thread too, which is that of the call unless the runtime shares out
    the nodes of a model.
    """
    native = {fact["thread"]: fact.get("native", -1) for fact in part.told("thread")}
    rows = [r for r in part.rows if r[3] == session and r[4] == "call" and r[7] >= 0]
    calls: dict[int, list[tuple[int, int, int]]] = {}
    for start, duration, thread, *_, number in sorted(rows):
        calls.setdefault(native.get(thread, -1), []).append((start, start + duration, number))
    tables = {thread: np.array(table, np.int64) for thread, table in calls.items()}
    return tuple(_number(tables, one) for one in kernels)


def _number(tables: dict[int, NDArray[np.int64]], kernel: Kernel) -> int | None:
    own = tables.get(kernel.thread)
    middle = kernel.start_ns + kernel.duration_ns // 2
    for table in [own] if own is not None else tables.values():
        place = int(np.searchsorted(table[:, 0], middle, "right")) - 1
        if place >= 0 and middle <= table[place, 1]:
            return int(table[place, 2])
    return None
