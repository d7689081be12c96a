"""How long until the window shows a large model, and whether it stays alive meanwhile.

    python -m benchmarks.window [--small] [--stacks]

Makes 2 GB of weights in one file and a model of 100,000 nodes in a temporary folder (--small:
a fiftieth). In the real window, offscreen, a process of its own for each model: from opening to
the Overview on screen, growth of memory, graph on screen, the longest gap of a timer on the
window's thread meanwhile and with nothing to do; sorting, filtering and finding in all rows.

A gap is printed with what the window's thread used of a processor in it: one that is long, but
used little, is a machine that is busy otherwise. --stacks prints what the threads did in gaps.

Bounds: 2 GB in 0.3 s and 60 MB; 100,000 nodes in 1 s, their graph in 2 s; gaps 50 ms over
the idle one; sorting and filtering 100,000 rows 50 ms; after closing, 30 MB more from one
opening to the next. Each line with a limit ends in OK or MISSED; the others have none.
"""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks.parts.big_models import many_nodes, many_weights
from benchmarks.parts.gaps import Gaps
from inspector.ui.app.application import make_application, make_window
from inspector.ui.documents.workspace import LET_GO_MS
from inspector.ui.graph.tab import GraphTab
from inspector.ui.tabs.overview.layer_list import LayerList
from inspector.ui.window.document_view import DocumentView
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.preloading import Preloader
from inspector.ui.window.tabs import Tab

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PATIENCE, IDLE, MANY, OPENINGS, TURN_MS = 120.0, 1.5, 1_000, 3, 4
FACTS_S, MANY_FACTS_S, GRAPH_S = 0.3, 1.0, 2.0
MEMORY_MB, GAP_MS, ROWS_MS, GROWTH_MB = 60.0, 50.0, 50.0, 30.0
NO_LIMIT = float("inf")


class Painted(QObject):
    """When a widget was painted first with something in it; None so far."""

    def __init__(self, watched: QWidget, ready: Callable[[], bool] = lambda: True) -> None:
        super().__init__(watched)
        self.at: float | None = None
        self.ready = ready
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Keep the time of the first painting."""
        if event.type() == QEvent.Type.Paint and self.at is None and self.ready():
            self.at = time.perf_counter()
        return False


def main() -> None:
    """Make the models, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", action="store_true", help="a fiftieth of the sizes")
    parser.add_argument("--stacks", action="store_true", help="tell what fills long gaps")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(Path(options.child[0]), options.child[1], options.stacks)
        return
    part = 50 if options.small else 1
    with tempfile.TemporaryDirectory(prefix="inspector-bench-") as name:
        folder = Path(name)
        heavy = many_weights(folder / "heavy.onnx", 2013 // part)
        _run(heavy, f"{2013 // part} MB in one file", options.stacks)
        heavy.unlink()
        long = many_nodes(folder / "long.onnx", 100_000 // part)
        _run(long, f"{100_000 // part:,} nodes", options.stacks)


def _run(path: Path, title: str, stacks: bool) -> None:
    command = [sys.executable, "-m", "benchmarks.window", "--child", str(path), title]
    command += ["--stacks"] if stacks else []
    subprocess.run(command, check=True)


def child(path: Path, title: str, stacks: bool) -> None:
    """Open one model in the window and print what was seen."""
    application, gaps = make_application(), Gaps(stacks)
    with tempfile.TemporaryDirectory(prefix="inspector-bench-") as folder:
        window = make_window(application, Path(folder) / "window.ini")
        window.resize(1440, 900)
        window.show()
        reading = Preloader(window)
        _spin(application, lambda: reading.done)
        _rest(application, IDLE)
        gaps.taken()
        _rest(application, IDLE)
        idle = gaps.taken()[0].lasted
        print(f"\n{title}; idle gap {idle * 1e3:.0f} ms")
        gaps.looking.set()

        _looked_at(application, window, gaps, path, idle)
        _closings(application, window, path)
        window.close()
        window.workspace.end()


def _looked_at(
    application: QApplication, window: MainWindow, gaps: Gaps, path: Path, idle: float
) -> None:
    """Open a model, and look at its Overview and Graph."""
    before = _resident()
    began, used = time.perf_counter(), time.process_time()
    window.workspace.open(path)
    document, view = window.document, window.view
    assert document is not None, "opening shows the document at once"
    assert view is not None, "a document has a view"
    _spin(application, lambda: document.model is not None)
    overview = Painted(view.tab(Tab.OVERVIEW))
    _spin(application, lambda: overview.at is not None)
    assert overview.at is not None, "waited for it"
    many = document.model is not None and len(document.model.layers) > MANY
    used = time.process_time() - used
    _tell("Overview on screen", overview.at - began, MANY_FACTS_S if many else FACTS_S, "s")
    print(f"  {'':<28}{used:>9.2f} s of a processor, all threads")
    memory = NO_LIMIT if many else MEMORY_MB
    _tell("memory more", (_resident() - before) / 1e6, memory, "MB")
    _spin(application, lambda: document.estimating.estimate is not None)
    _spin(application, lambda: bool(document.digest))
    _tell("cost and digest there", time.perf_counter() - began, NO_LIMIT, "s")
    _tell_gap("longest gap until then", gaps, idle)

    began, used = time.perf_counter(), time.process_time()
    window.choose_tab(Tab.GRAPH)
    graph = view.tab(Tab.GRAPH)
    assert isinstance(graph, GraphTab), "it is that tab"
    painted = Painted(graph.view, lambda: graph.view.scene is not None)
    _spin(application, lambda: painted.at is not None)
    assert painted.at is not None, "waited for it"
    used = time.process_time() - used
    _tell("graph on screen", painted.at - began, GRAPH_S, "s")
    print(f"  {'':<28}{used:>9.2f} s of a processor, all threads")
    _rest(application, 1.0)
    _tell_gap("longest gap meanwhile", gaps, idle)
    gaps.looking.clear()
    _rows(application, view, graph)
    _tell("a whole garbage collection", _collection(), NO_LIMIT, "ms")


def _closings(application: QApplication, window: MainWindow, path: Path) -> None:
    """Close, and open and close again; what stays when it is closed must not grow."""
    stayed = []
    for _ in range(OPENINGS):
        if window.document is None:
            window.workspace.open(path)
            _spin(application, lambda: bool(window.document and window.document.digest))
        assert window.document is not None, "it is open"
        gone = QSignalSpy(window.document.destroyed)
        window.close_document()
        _spin(application, lambda gone=gone: gone.count() > 0)  # type: ignore[misc]
        _rest(application, 2 * LET_GO_MS / 1e3)
        stayed.append(_resident() / 1e6)
    _tell("memory more when closed", stayed[-1] - stayed[0], GROWTH_MB, "MB")


def _rows(application: QApplication, view: DocumentView, graph: GraphTab) -> None:
    """Sort, filter and search in all layers; milliseconds of the slowest column or words."""
    shown = view.tab(Tab.OVERVIEW).findChild(LayerList)
    assert isinstance(shown, LayerList), "the Overview lists the layers"
    rows, find = shown.model, graph.search.index.find
    columns = [partial(rows.turn, column) for column in range(rows.columnCount())]
    acts: dict[str, Sequence[Callable[[], object]]] = {
        "sorting, slowest column": columns,
        "the same again": columns,
        "filtering, first time": [partial(rows.pick, "9 re")],
        "filtering": [partial(rows.pick, text) for text in ("re", "block 9", "")],
        "finding in the graph": [partial(find, text) for text in ("re", "block 9", "zz")],
    }
    print(f"  {rows.total:,} rows")
    for what, doing in acts.items():
        slowest = busiest = 0.0
        for act in doing:
            application.processEvents()
            began, used = time.perf_counter(), time.thread_time()
            act()
            slowest = max(slowest, (time.perf_counter() - began) * 1e3)
            busiest = max(busiest, (time.thread_time() - used) * 1e3)
        _tell(what, slowest, ROWS_MS, f"ms, {busiest:.0f} at work")


def _spin(application: QApplication, ready: Callable[[], bool]) -> None:
    """Let the window live until `ready`."""
    end = time.perf_counter() + PATIENCE
    while not ready():
        loop = QEventLoop()  # as the window lives: it sleeps until something comes
        QTimer.singleShot(TURN_MS, loop.quit)
        loop.exec()
        if time.perf_counter() > end:
            sys.exit("nothing came")


def _rest(application: QApplication, seconds: float) -> None:
    end = time.perf_counter() + seconds
    _spin(application, lambda: time.perf_counter() > end)


def _resident() -> int:
    """Memory of this process now, in bytes."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def _collection() -> float:
    """Milliseconds of one collection of all generations, which holds the window up."""
    began = time.perf_counter()
    gc.collect()
    return (time.perf_counter() - began) * 1e3


def _tell_gap(what: str, gaps: Gaps, idle: float) -> None:
    """Print the longest gap, and how long the window's thread was at work at most."""
    longest, busiest = gaps.taken()
    _tell(what, (longest.lasted - idle) * 1e3, GAP_MS, "ms over idle")
    print(
        f"  {'':<28}{longest.used * 1e3:>9.0f} ms of it at work; "
        f"most at work in any gap {busiest.used * 1e3:.0f} ms",
        flush=True,
    )


def _tell(what: str, amount: float, limit: float, unit: str) -> None:
    verdict = "OK" if amount <= limit else "MISSED"
    places = 2 if unit == "s" else 0
    bound = "no limit" if limit == NO_LIMIT else f"limit {limit:g}   {verdict}"
    print(f"  {what:<28}{amount:>9.{places}f} {unit}, {bound}", flush=True)


if __name__ == "__main__":
    main()
