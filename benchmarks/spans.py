"""A timeline's data: memory of a span, building the index, saving, loading, looking.

Run: python -m benchmarks.spans [SPANS ...]      (by default 10,000 to 10,000,000)
Prints, for each number of spans in five rows and in forty nested ones, bytes a span of the
columns and of the index (limit 40 together), seconds of processor time to build the index, to
save and to load (limit 0.1 s for a million, best of three), and milliseconds to ask all rows
one by one for 1,600 columns of pixels, the worst of five zooms (limit 8 ms for a million in
five rows; forty are drawn at once, see benchmarks.timeline). For a million also what a report's
JSON needs.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.timeline import example, full
from inspector.report import report as reports
from inspector.trace.intervals import Intervals, edges
from inspector.trace.trace import COLUMNS, Trace
from inspector.trace.trace_file import SavedTrace, load, save
from inspector.trace.trace_rows import LevelOfDetail, build_level_of_detail, extent
from tests.reports import example_report

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
ZOOMS, PIXELS = (1, 10, 1_000, 10_000, 100_000), 1600
MILLION, LIMIT_BYTES, LIMIT_LOAD_S, LIMIT_LOOK_MS = 1_000_000, 40.0, 0.1, 8.0


def timed(job: Callable[[], Any], tries: int = 1) -> tuple[float, Any]:
    """Seconds of the fastest try, and what came back."""
    best, found = float("inf"), None
    for _ in range(tries):
        begin = time.thread_time()
        found = job()
        best = min(best, time.thread_time() - begin)
    return best, found


def index_bytes(looked_at: LevelOfDetail) -> int:
    """Memory that the index holds beside the columns of the trace."""
    strips: dict[int, Intervals] = {}
    for row in looked_at.rows:
        strips |= {id(strip): strip for strip in (row.strip, *(s for _, s in row.kinds))}
    strips |= {id(strip): strip for strip in looked_at.work}
    held: dict[int, Any] = {}
    columns = [getattr(looked_at.trace, key) for key in COLUMNS]
    for strip in strips.values():
        for array in (strip.start_ns, strip.duration_ns, strip.before_ns, strip.kinds):
            if array is None:
                continue
            if not any(np.shares_memory(array, column) for column in columns):
                held[id(array)] = array
    for bins in (strip.bins for strip in strips.values()):
        for each in (bins, bins.coarse) if bins is not None else ():
            if each is not None:
                long = each.long
                held |= {
                    id(one): one
                    for one in (each.busy, long.places, long.start_ns, long.duration_ns)
                }
    marks = sum(row.marks_ns.nbytes for row in looked_at.rows)
    return marks + sum(int(array.nbytes) for array in held.values())


def looks_ms(looked_at: LevelOfDetail) -> float:
    """The worst time of asking all rows what shows at some zoom."""
    begin, end = extent(looked_at.trace)
    worst = 0.0
    for zoom in ZOOMS:
        middle, half = (begin + end) / 2, (end - begin) / zoom / 2
        columns = edges(middle - half, middle + half, PIXELS)

        def look(columns: Any = columns) -> None:
            for row in looked_at.rows:
                row.strip.coverage(columns)
                row.dominant(columns)
                row.wide(columns[0], columns[-1], columns[1] - columns[0])

        worst = max(worst, timed(look, 5)[0])
    return worst * 1e3


def measure(rows: str, trace: Trace, limit_ms: float) -> None:
    """Measure one trace and print a line: what of it misses its limit comes last."""
    size = len(trace)
    columns = sum(getattr(trace, key).nbytes for key in COLUMNS)
    build, looked_at = timed(lambda: build_level_of_detail(trace))
    with TemporaryDirectory(prefix="inspector-spans-") as folder:
        path = Path(folder) / "a.trace.npz"
        saving, _ = timed(lambda: save(SavedTrace(trace), path))
        loading, again = timed(lambda: load(path), 3)
    assert (again.trace.duration_ns == trace.duration_ns).all()
    of_columns, of_index = columns / size, index_bytes(looked_at) / size
    look = looks_ms(looked_at)
    missed = {
        "memory": of_columns + of_index > LIMIT_BYTES,
        "load": size <= MILLION and loading > LIMIT_LOAD_S,
        "look": size <= MILLION and look > limit_ms,
    }
    words = ", ".join(what for what, is_missed in missed.items() if is_missed)
    print(
        f"{rows:>8}{size:>12,}{of_columns:>10.1f} B{of_index:>10.2f} B{build:>10.3f} s"
        f"{saving:>10.3f} s{loading:>10.3f} s{look:>9.2f} ms  "
        f"{f'MISSED: {words}' if words else 'OK'}",
        flush=True,
    )


def main(sizes: tuple[int, ...]) -> None:
    """Measure and print."""
    heads = ("spans", "columns", "index", "build", "save", "load", "look")
    print(f"{'rows':>8}" + "".join(f"{head:>12}" for head in heads))
    for size in sizes:
        trace = example(size)
        measure("5", trace, LIMIT_LOOK_MS)
        measure("40", full(size), float("inf"))
        if size == MILLION:
            report = replace(example_report(), trace=trace)
            writing, body = timed(lambda r=report: reports.to_json(r))  # type: ignore[misc]
            reading, _ = timed(lambda b=body: reports.from_json(b, "a"))  # type: ignore[misc]
            print(f"{'as JSON':>56}{writing:>10.3f} s{reading:>10.3f} s")


if __name__ == "__main__":
    main(tuple(int(n) for n in sys.argv[1:]) or SIZES)
