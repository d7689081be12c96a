"""From a dropped picture to the answer on the screen, beside the limit of 30 ms.

python -m benchmarks.preview_drop [CHANGES]

The window is a real one without a screen, the model squeezenet where the folder of real models
is beside the checkout, else our digits; the time of the prediction itself is taken off. It is
told of all drops, and of those that the processor took at its full pace, where it has several.
"""

import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns, process_time_ns, sleep

import psutil
from PySide6.QtCore import QEventLoop, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from inspector import units
from inspector.backends.measuring.cpu_speed_probe import probe_ns
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import tolerance
from inspector.ui.documents.document import Document
from inspector.ui.tabs.preview.prediction_pipeline import Answer
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme, load_fonts

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "models"
LIMIT_NS, RUNS, CHANGES, WARM = 30_000_000, 90, 10_000, 300
REST = 0.2


def main() -> None:
    """Print the median of a drop, and the growth of memory over ten thousand changes."""
    changes = int(sys.argv[1]) if len(sys.argv) > 1 else CHANGES
    real = SHARED / "real/squeezenet1.1_fp16.onnx"
    model = real if real.is_file() else ROOT / "sample_models/digits_float32.onnx"
    media = SHARED / "media/images"
    pictures = [media / name for name in ("hummingbird.jpg", "goldfish.jpg", "wolves.jpg")]
    if model != real:
        pictures = sorted((ROOT / "sample_models/inputs").glob("digit_*.png"))
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    load_fonts()
    theme = Theme("light")
    theme.dress(application)
    tab = _shown(application, theme, model)
    drops = [_drop(application, tab, pictures[i % len(pictures)]) for i in range(RUNS)]
    fastest = sorted(drop.probe_ns for drop in drops)[1]
    full = [
        drop for drop in drops if drop.probe_ns <= tolerance(single_threaded=True) * fastest
    ]
    print(f"{model.name}, drop to answer on screen less the prediction, "
          f"limit {units.duration(LIMIT_NS)}")  # fmt: skip
    for name, some in (("all", drops), ("at full pace", full)):
        rests, busy = (sorted(getattr(drop, key) for drop in some) for key in ("ns", "cpu_ns"))
        middle = len(some) // 2
        median, least = units.duration(rests[middle]), units.duration(rests[0])
        print(f"  {f'{name}, {len(some)}:':20} median {median}, fastest {least}; "
              f"{units.duration(busy[middle])} of a processor")  # fmt: skip
    _change(application, ROOT / "sample_models/digits_float32.onnx", theme, changes)


def _shown(application: QApplication, theme: Theme, model: Path) -> PreviewTab:
    document = Document(model, RunSpec(), EngineProcess)
    document.open()
    while document.model is None or not document.digest:
        application.processEvents()
    tab = PreviewTab(theme, document)
    tab.resize(916, 822)
    tab.show()
    application.processEvents()
    return tab


@dataclass(frozen=True, slots=True)
class Drop:
    """Time until the answer is painted, without the prediction; CPU time of this process
    meanwhile; the slower of two probes of the processor's pace, before and after."""

    ns: int
    cpu_ns: int
    probe_ns: int


def _drop(application: QApplication, tab: PreviewTab, path: Path) -> Drop:
    """Drop a picture and wait for its answer on the screen."""
    assert tab.inputs is not None
    editor = next(iter(tab.inputs.editors.values())).picture
    assert editor is not None
    heard: list[Answer] = []
    tab.predicting.answered.connect(heard.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none, target = Qt.KeyboardModifier.NoModifier, editor.drop
    sleep(REST)  # as between two drops of a person
    application.sendEvent(target, QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
    before = probe_ns()
    began, busy = perf_counter_ns(), process_time_ns()
    application.sendEvent(target, QDropEvent(QPointF(5, 5), copy, data, left, none))
    while not heard or tab.predicting.busy:
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    tab.repaint()
    took = perf_counter_ns() - began - heard[-1].prediction.prediction_ns
    tab.predicting.answered.disconnect(heard.append)
    return Drop(took, process_time_ns() - busy, max(before, probe_ns()))


def _change(application: QApplication, model: Path, theme: Theme, changes: int) -> None:
    """Change the picture of an input again and again in the window; print the growth."""
    tab = _shown(application, theme, model)
    paths = sorted((ROOT / "sample_models/inputs").glob("digit_*.png"))
    process, before = psutil.Process(), 0
    for number in range(WARM + changes):
        if number == WARM:
            gc.collect()
            before = process.memory_info().rss
        heard: list[Answer] = []
        tab.predicting.answered.connect(heard.append)
        tab.use_picture(paths[number % len(paths)])
        while not heard or tab.predicting.busy:
            application.processEvents()
        tab.predicting.answered.disconnect(heard.append)
    gc.collect()
    grown = process.memory_info().rss - before
    print(f"window's memory after {changes:,} changes, each predicted: "
          f"{units.size(max(0, grown))} more than {units.size(before)}")  # fmt: skip


if __name__ == "__main__":
    main()
