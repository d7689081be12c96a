"""Documents on real files with an engine that keeps what it was asked, and in a window."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from inspector.analysis.facts.shapes import Shapes
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, EngineFailed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.runs.steps import Steps, run
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.window.main_window import MainWindow

Feeds = Mapping[str, NDArray[Any]]


class KeepingEngine(Engine):
    """Keeps specs and feeds; answers with `answer`; waits while `gate` is closed."""

    def __init__(self) -> None:
        self.asked: list[tuple[RunSpec, Feeds]] = []
        self.answer: Prediction | Exception = classes([0.1, 0.9])
        self.gate = threading.Event()
        self.gate.set()
        self.killed = False
        self.partial = None

    def predict(
        self,
        path: Path,
        spec: RunSpec,
        feeds: Feeds,
        warm: bool = False,
        steps: Steps | None = None,
    ) -> Prediction:
        if steps is not None:
            return run(lambda given: self.predict(path, spec, given, warm), feeds, steps)
        self.asked.append((spec, dict(feeds)))
        assert self.gate.wait(60)
        if self.killed:
            self.killed = False
            raise Cancelled("Stopped")
        if isinstance(self.answer, Exception):
            raise self.answer
        return Prediction(self.answer.outputs, ("cpu",), 2_310_000, 0)

    def shapes(self, *asked: Any) -> Shapes:
        return Shapes()

    def __enter__(self) -> "KeepingEngine":
        return self

    def __exit__(self, *_: object) -> None:
        """The same engine is for every job: it stays."""

    def measure(self, *asked: Any) -> Any:
        assert self.gate.wait(60)
        if self.killed:
            self.killed = False
            raise Cancelled("Stopped")
        raise EngineFailed("Could not measure")

    def kill(self) -> None:
        self.killed = True
        self.gate.set()

    def close(self) -> None:
        self.gate.set()


def classes(values: list[float], name: str = "probabilities") -> Prediction:
    return answered(name, np.array([values], np.float32))


def answered(name: str, array: NDArray[Any]) -> Prediction:
    output = OutputValue(name, "tensor", array.dtype.name, array)
    return Prediction((output,), ("cpu",), 2_310_000, 0)


def document(path: Path, engine: KeepingEngine) -> Document:
    start: Callable[[Any], Any] = lambda _: engine  # noqa: E731
    return Document(path, RunSpec(), start)


def opened(qtbot: QtBot, path: Path, engine: KeepingEngine | None = None) -> Document:
    made = document(path, engine or KeepingEngine())
    with qtbot.waitSignals([made.changed(Topic.MODEL), made.changed(Topic.DIGEST)]):
        made.open()
    return made


def open_in_window(qtbot: QtBot, window: MainWindow, path: Path) -> Document:
    """Open a model in a window and wait until it was read."""
    window.workspace.open(path)

    def read() -> bool:
        return window.document is not None and window.document.model is not None

    qtbot.waitUntil(read, timeout=20_000)
    assert window.document is not None
    return window.document


def drop(window: MainWindow, *paths: Path) -> None:
    """Drop files on a window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(300, 300), copy, data, left, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(event)
