"""Frame times of the timeline: how long the window's thread computes to draw one frame.

Run: python -m benchmarks.timeline [SPANS ...]                 (by default 10,000 to 10,000,000)
Prints, for each number of spans, the time to prepare the trace and the median and 95th
percentile of frames of 1600x1000 that pan at each zoom, in milliseconds of the thread's own
processor time, so that neighbours on the machine hardly matter; the same of frames that zoom,
while something is searched, and of a window full of rows: ten tracks of four rows each, nested,
with copies. The worst median is held against the limit: 8 ms up to a million spans, 16 ms for
ten million; so is the worst 95th percentile of frames at the processor's full pace, beside
which a small piece of work took no longer than ever: a neighbour on the same core makes its
processor time longer, too. It says how many of all frames these were, and how many took longer
than the limit.
Beside it what the usual ways to draw take for as many spans as they can stand: a scene of Qt
with a rectangle for each span, and pyqtgraph (`pip install pyqtgraph`).
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks.parts.timeline_peers import MOST, SIZE, Show, frame, peers
from inspector.backends.measuring.cpu_speed_probe import probe_ns
from inspector.statistics.cpu_speed import fastest_ns, tolerance
from inspector.trace.trace import KINDS, Kind, Lane, Trace, Track, from_columns
from inspector.ui.app.application import run_gc_on_ui_thread
from inspector.ui.selection import Selection
from inspector.ui.timeline.model.predictions import TimelineIndex
from inspector.ui.timeline.model.state import TimeWindow
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.widgets.theme import Theme, load_fonts
from tests.reports import example_report

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
ZOOMS = (1, 10, 100, 1_000, 10_000, 100_000)
FRAMES, PEER_FRAMES = 20, 3
TRACKS, ROWS = 10, 4
LIMIT_MS, LIMIT_MANY_MS, MANY = 8.0, 16.0, 1_000_000
BLOCKS, ENOUGH = 4, 10
Move = Callable[[TimeWindow, int], None]
Verdict = Callable[[Sequence["Frames"]], str]


@dataclass(frozen=True, slots=True)
class Frames:
    """Processor time of N frames in ms; the slower probe beside each in ns: float64 (N,)."""

    ms: NDArray[np.float64]
    probes_ns: NDArray[np.float64]


@dataclass(slots=True)
class Paces:
    """All probes beside frames so far: what one takes at full pace is learnt from them."""

    probes_ns: list[int] = field(default_factory=list)

    def full(self, frames: Frames) -> NDArray[np.bool_]:
        """Which frames were at full pace: bool (N,)."""
        return frames.probes_ns <= tolerance(single_threaded=True) * fastest_ns(self.probes_ns)


def _none(every: Sequence["Frames"]) -> str:
    return ""


def example(spans: int, seed: int = 3) -> Trace:
    """Nested calls, copies and casts, and kernels on three units, about so many in all."""
    random = np.random.default_rng(seed)
    units = (("CPU", "cpu"), ("GPU", "gpu"), ("NPU", "npu"))
    tracks = (
        Track(Lane.ACTIVITY, "Activity", family="activity"),
        Track(Lane.DATA, "Data", family="data"),
        *(Track(Lane.COMPUTE, name, family, family) for name, family in units),
    )
    parts = [
        _row(random, 0, spans // 20, 400_000, (Kind.CALL,)),
        _row(random, 1, spans // 10, 200_000, (Kind.COPY, Kind.CAST, Kind.CHECK)),
        *(
            _row(random, 2 + unit, spans * 17 // 60, 60_000, (Kind.KERNEL,))
            for unit in range(3)
        ),
    ]
    columns = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    return from_columns(tracks, [f"block.{i}/conv" for i in range(997)], columns)


def full(spans: int, seed: int = 4) -> Trace:
    """Forty rows: on each track calls in calls, the innermost ones copies or checks too."""
    random = np.random.default_rng(seed)
    tracks = tuple(Track(Lane.ACTIVITY, f"model {n}", family="activity") for n in range(TRACKS))
    outer = max(1, spans // (TRACKS * (2**ROWS - 1)))
    parts = []
    for track in range(TRACKS):
        row = _row(random, track, outer, 500_000, (Kind.CALL,))
        parts.append(row)
        for depth in range(1, ROWS):
            row = {key: np.repeat(column, 2) for key, column in row.items()}
            row["start_ns"] += (
                row["duration_ns"] // 100 * np.tile((5, 52), len(row["run"]) // 2)
            )
            row["duration_ns"] = row["duration_ns"] * 2 // 5
            row["depth"] = np.full(len(row["run"]), depth)
            parts.append(row)
        few = (KINDS.index(Kind.CALL), KINDS.index(Kind.COPY), KINDS.index(Kind.CHECK))
        row["kind"] = np.array(few)[random.integers(0, 3, len(row["kind"]))]
    columns = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    return from_columns(tracks, [f"block.{i}/conv" for i in range(997)], columns)


def _row(
    random: np.random.Generator, track: int, count: int, mean_ns: int, kinds: tuple[Kind, ...]
) -> dict[str, NDArray[np.int64]]:
    lengths = (random.lognormal(0, 1, count) * mean_ns / 1.65).astype(np.int64)
    gaps = (random.lognormal(0, 1.4, count) * mean_ns / 20).astype(np.int64)
    start = np.cumsum(lengths + gaps) - lengths
    number = np.arange(count)
    kind = np.array([KINDS.index(k) for k in kinds])[random.integers(0, len(kinds), count)]
    same = {key: np.zeros(count, np.int64) for key in ("depth", "size_bytes")}
    return same | {
        "start_ns": start,
        "duration_ns": lengths,
        "track": np.full(count, track),
        "kind": kind,
        "name": number % 997,
        "layer": number % 21,
        "run": number * 3 // max(1, count),
    }


def pan(window: TimeWindow, turn: int) -> None:
    """Move the window a little, to and fro, and never twice to the same instant."""
    window.pan(window.length_ns * 0.013 * (1 if turn % 2 else -1.1))


def zoom_in(window: TimeWindow, turn: int) -> None:
    """Zoom a little closer."""
    window.zoom(0.97)


def frames(timeline: Timeline, paces: Paces, zoom: int, move: Move = pan) -> Frames:
    """FRAMES frames that move at a zoom, and as many again where few were at full pace."""
    found = [_frames(timeline, paces, zoom, move)]
    while len(found) < BLOCKS and sum(paces.full(one).sum() for one in found) < FRAMES:
        found.append(_frames(timeline, paces, zoom, move))
    ms, probes = zip(*((one.ms, one.probes_ns) for one in found), strict=True)
    return Frames(np.concatenate(ms), np.concatenate(probes))


def _frames(timeline: Timeline, paces: Paces, zoom: int, move: Move) -> Frames:
    window = timeline.window_of_time
    window.fit()
    window.zoom(1 / zoom)
    parts = (timeline.strip, *timeline.pictured())  # what is drawn anew when it moves
    pictures = [QPixmap(part.size()) for part in parts]
    times, probes = np.zeros(FRAMES), np.full(FRAMES + 1, float(probe_ns()))
    for i in range(FRAMES):
        begin = time.thread_time()
        move(window, i)
        for part, picture in zip(parts, pictures, strict=True):
            part.render(picture)
        times[i] = time.thread_time() - begin
        probes[i + 1] = probe_ns()
    paces.probes_ns.extend(probes[1:].astype(int).tolist())
    return Frames(times * 1e3, np.maximum(probes[1:], probes[:-1]))


def peer_frames(widget: QWidget, show: Show, trace: Trace, zoom: int) -> Frames:
    """PEER_FRAMES frames of a peer."""
    whole = trace.end_ns
    picture, times = QPixmap(widget.size()), np.zeros(PEER_FRAMES)
    for i in range(PEER_FRAMES):
        middle = whole * (0.5 + 0.013 / zoom * (i % 2))
        begin = time.thread_time()
        show(middle - whole / zoom / 2, middle + whole / zoom / 2)
        frame(widget, picture)
        times[i] = time.thread_time() - begin
    return Frames(times * 1e3, np.zeros(PEER_FRAMES))


def line(
    name: str, spans: int, prepared: float, cells: Iterable[Frames], verdict: Verdict = _none
) -> None:
    """Print a line: median and 95th percentile at each zoom, and what they say of the limit."""
    every = tuple(cells)
    quantiles = [np.quantile(cell.ms, (0.5, 0.95)) for cell in every]
    words = "".join(f"{f'{m:.1f} ({p:.1f})':>15}" for m, p in quantiles)
    print(f"{name:16} {spans:>10,} {prepared:>8.0f}ms {words}{verdict(every)}", flush=True)


def held(limit: float, paces: Paces, every: Sequence[Frames]) -> str:
    """The worst median, and the worst 95th percentile at full pace, against the limit.

    That of zooms with enough frames at full pace; of all frames at full pace, how many took
    longer than the limit.
    """
    quiet = [cell.ms[paces.full(cell)] for cell in every]
    known = [ms for ms in quiet if len(ms) >= ENOUGH]
    count, slow = sum(map(len, quiet)), sum(int((ms > limit).sum()) for ms in quiet)
    median = _kept(max(float(np.median(cell.ms)) for cell in every), limit)
    told = f"  limit {limit:.0f}: {median}; {count} of {sum(len(cell.ms) for cell in every)}"
    told = f"{told} at full pace, {slow} of these over it"
    if not known:
        return f"{told}, too few"
    worst = max(float(np.quantile(ms, 0.95)) for ms in known)
    zooms = "" if len(known) == len(every) else f" at {len(known)} of {len(every)} zooms"
    return f"{told}, 95 of 100 within {worst:.1f}{zooms}: {_kept(worst, limit)}"


def _kept(worst: float, limit: float) -> str:
    return "OK" if worst <= limit else "MISSED"


def ours(theme: Theme, trace: Trace, name: str, paces: Paces) -> None:
    """Measure strip, axis, predictions and lanes together."""
    report = example_report(trace=trace)
    verdict = partial(held, LIMIT_MS if len(trace) <= MANY else LIMIT_MANY_MS, paces)
    begin = time.thread_time()
    known = TimelineIndex.of(trace)
    prepared = (time.thread_time() - begin) * 1e3
    timeline = Timeline(theme, report, Selection(), tall=True, index=known)
    timeline.resize(*SIZE)
    timeline.show()
    QApplication.processEvents()
    line(name, len(trace), prepared, (frames(timeline, paces, zoom) for zoom in ZOOMS), verdict)
    zooming = (frames(timeline, paces, zoom, zoom_in) for zoom in ZOOMS)
    line("  zooming", len(trace), 0, zooming, verdict)
    timeline.search.field.setText("block.7")
    timeline.search.search()
    while (
        timeline.state.search_result is None
    ):  # of very many spans it is found beside the window
        QApplication.processEvents()
    line(
        "  searched", len(trace), 0, (frames(timeline, paces, zoom) for zoom in ZOOMS), verdict
    )
    timeline.close()
    timeline.deleteLater()


def main(sizes: tuple[int, ...]) -> None:
    """Measure and print."""
    application = QApplication([])
    run_gc_on_ui_thread(application)  # between frames and not in them, as in the program
    load_fonts()
    theme = Theme("light")
    theme.dress(application)
    titles = "".join(f"{f'1/{zoom:,}':>15}" for zoom in ZOOMS)
    print(f"{'':16} {'spans':>10} {'prepare':>10} {titles}")
    paces = Paces()
    for size in sizes:
        trace = example(size)
        ours(theme, trace, "Inspector", paces)
        ours(theme, full(size), "  40 rows", paces)
        for name, make in peers().items():
            if size <= MOST[name]:
                begin = time.thread_time()
                widget, show = make(trace)
                widget.show()
                prepared = (time.thread_time() - begin) * 1e3
                cells = (peer_frames(widget, show, trace, zoom) for zoom in ZOOMS)
                line(name, size, prepared, cells)
                widget.close()


if __name__ == "__main__":
    main(tuple(int(n) for n in sys.argv[1:]) or SIZES)
