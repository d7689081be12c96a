"""How long the window stands still while it works on very many spans.

    python -m benchmarks.timeline_gaps [SPANS ...] [--stacks]      (by default ten million)

Opens a trace of forty rows in its tab, offscreen, as the window does: the index beside it, then
the tab. Then groups the rows in each way, lays the predictions over each other and back, marks
a stretch (its statistics, and the table of its events), searches, groups the rows while it is
searched, and groups the table anew.
Prints for each how long it took, the longest gap of a timer on the window's thread meanwhile,
and what that thread used of a processor in its busiest gap. Limit: 100 ms over the longest gap
with nothing to do, which a machine that is busy otherwise has as well.
--stacks prints what all threads did in long gaps.
"""

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from benchmarks.parts.gaps import Gaps
from benchmarks.timeline import full
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.aggregation import GroupBy
from inspector.ui.background import LatestTask, TaskRunner
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.tab import TraceTab
from inspector.ui.timeline.model.geometry import Grouping
from inspector.ui.timeline.model.trace_indexing import prepared
from inspector.ui.widgets.theme import Theme, load_fonts

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SPANS, PREDICTIONS, LIMIT_MS, PATIENCE_S, STILL_S, IDLE_S = (
    10_000_000,
    1_000,
    100.0,
    300.0,
    0.4,
    2.0,
)


class Measured:
    """Steps of work in the event loop, and the gaps in each."""

    def __init__(self, stacks: bool) -> None:
        self.gaps = Gaps(stacks)
        turn(IDLE_S)
        self.idle_ms = self.gaps.taken()[0].lasted * 1e3
        print(f"with nothing to do: {self.idle_ms:.0f} ms")
        if stacks:
            self.gaps.looking.set()

    def step(self, name: str, begin: Callable[[], object], done: Callable[[], bool]) -> None:
        """Begin something, wait until it is done and all is drawn, and print its gaps."""
        turn(0.05)
        self.gaps.taken()
        started = time.perf_counter()
        begin()
        while not done() and time.perf_counter() - started < PATIENCE_S:
            turn(0.01)
        took = time.perf_counter() - started
        turn(STILL_S)
        longest, busiest = self.gaps.taken()
        gap, used = longest.lasted * 1e3, busiest.used * 1e3
        verdict = "OK" if gap - self.idle_ms <= LIMIT_MS else "MISSED"
        told = f"{name:34} {took:8.2f} s {gap:8.0f} ms {used:8.0f} ms"
        print(f"{told}  limit {LIMIT_MS:.0f}: {verdict}", flush=True)


def turn(seconds: float) -> None:
    """Let the event loop run."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QApplication.processEvents()
        time.sleep(0.0005)


def measure(spans: int, theme: Theme, stacks: bool) -> None:
    """All steps with so many spans."""
    trace = full(spans)
    each = max(1, trace.end_ns // PREDICTIONS)
    trace = replace(trace, run=(trace.start_ns // each).astype(np.int32))
    opened, measured = OpenedTrace(trace, (), (), "made up"), Measured(stacks)
    print(f"{len(trace):,} spans {'took':>26} {'longest gap':>14} {'at work':>10}")
    tabs: list[TraceTab] = []
    jobs = TaskRunner()

    def show(found: tuple[object, object]) -> None:
        document = TraceDocument(Path("made.json"), opened, *found)  # type: ignore[arg-type]
        tabs.append(TraceTab(theme, document))
        tabs[0].resize(1440, 900)
        tabs[0].show()

    job = partial(prepared, "made.json", opened, lambda _: None)
    open_it = partial(jobs.start, job, show, lambda error: print(error.what))
    measured.step("open: index and tab", open_it, lambda: bool(tabs))
    tab = tabs[0]
    resting = all_rest(tab)
    timeline = tab.timeline
    for way in (Grouping.EVENT, Grouping.MODEL, Grouping.THREAD, Grouping.LANE):
        measured.step(f"rows by {way}", partial(timeline.group, way), resting)
    measured.step("median of all predictions", partial(timeline.overlay, True), resting)
    measured.step("all predictions again", partial(timeline.overlay, False), resting)
    begin, end = timeline.window_of_time.first_ns, timeline.window_of_time.last_ns
    half = (begin + (end - begin) / 4, end - (end - begin) / 4)
    measured.step("mark half of it", partial(timeline.state.mark, *half), resting)
    measured.step("let the mark go", partial(timeline.state.mark, 0, 0), resting)
    timeline.search.field.setText("block.7")
    measured.step("search", timeline.search.search, resting)
    measured.step("next match", partial(timeline.search.step, 1), resting)
    measured.step(
        "move while it is searched", partial(timeline.window_of_time.pan, each), resting
    )
    for way in (Grouping.EVENT, Grouping.LANE):
        measured.step(f"searched, rows by {way}", partial(timeline.group, way), resting)
    measured.step("forget the search", timeline.search.field.clear, resting)
    ways = list(GroupBy)
    for by in (GroupBy.TRACK, GroupBy.ITERATION):
        if (place := place_of(tab, by, ways)) is not None:
            choose = partial(tab.events.by.setCurrentIndex, place)
            measured.step(f"events by {by}", choose, resting)
    tab.close()


def place_of(tab: TraceTab, by: GroupBy, ways: list[GroupBy]) -> int | None:
    """Where a way to group is among those that the table offers."""
    texts = [tab.events.by.itemText(n) for n in range(tab.events.by.count())]
    return texts.index(f"By {by}") if by in ways and f"By {by}" in texts else None


def all_rest(tab: TraceTab) -> Callable[[], bool]:
    """Whether nothing is worked out any more, beside the window or soon."""
    found = tab.findChildren(LatestTask)
    begun = [time.perf_counter()]

    def rest() -> bool:
        if any(one.busy for one in found):
            begun[0] = time.perf_counter()
        return time.perf_counter() - begun[0] > STILL_S

    return rest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("spans", nargs="*", type=int, default=[SPANS])
    parser.add_argument("--stacks", action="store_true")
    options = parser.parse_args()
    application = QApplication([])
    load_fonts()
    theme = Theme("light")
    theme.dress(application)
    for spans in options.spans:
        measure(spans, theme, options.stacks)


if __name__ == "__main__":
    main()
