"""Engines that are killed at random moments while a real window previews and measures.

Each kill costs one job and gives one sentence; the window goes on, and the next job works.
"""

import os
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import pytest
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.test_abrupt_ends import engines

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 is POSIX"),
]
PICTURE = Path(__file__).parents[3] / "sample_models" / "inputs" / "digit_3.png"
KILLS, LONGEST_MS, PATIENCE_MS = 10, 400, 60_000
SEED = 170


def convolutions(path: Path) -> Path:
    """Write a network whose prediction takes some tenths of a second."""
    rng = np.random.default_rng(0)
    names, weights, nodes = ["x", *(f"h{n}" for n in range(7)), "y"], [], []
    for place, (begin, end) in enumerate(pairwise(names)):
        shape = (32, 3 if begin == "x" else 32, 3, 3)
        weight = (rng.standard_normal(shape) / 17).astype(np.float32)
        weights.append(numpy_helper.from_array(weight, f"w{place}"))
        nodes.append(
            helper.make_node("Conv", [begin, f"w{place}"], [end], f"c{place}", pads=[1] * 4)
        )
    values = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 256, 256]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 32, 256, 256]),
    ]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], weights)
    opsets = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    made = MainWindow(theme, Workspace(settings))
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.workspace.devices_changed, timeout=PATIENCE_MS):
        made.show()
    made.workspace.open(convolutions(tmp_path / "net.onnx"))
    qtbot.waitUntil(lambda: made.document is not None and made.document.digest != "",
                    timeout=PATIENCE_MS)  # fmt: skip
    document = made.document
    assert document is not None
    qtbot.waitUntil(lambda: document.estimating.estimate is not None, timeout=PATIENCE_MS)
    yield made
    made.close()


def preview(window: MainWindow) -> None:
    window.choose_tab(Tab.PREVIEW)
    window.view.tab(Tab.PREVIEW).use_picture(PICTURE)


def measure(window: MainWindow) -> None:
    window.choose_tab(Tab.PERFORMANCE)
    assert window.document is not None
    window.document.measure()


def has_ended(process: psutil.Process) -> bool:
    """Whether it is over; its parent may not have looked yet."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def shown_texts(window: MainWindow) -> list[str]:
    return [each.text() for each in window.findChildren(QLabel) if each.isVisible()]


@pytest.mark.parametrize("job", [preview, measure])
def test_engines_killed_at_random_moments_cost_one_job_each(
    qtbot: QtBot, window: MainWindow, job: Callable[[MainWindow], None]
) -> None:
    document: Document | None = window.document
    assert document is not None
    moments, kills, failures = random.Random(SEED), 0, 0
    while kills < KILLS:
        job(window)
        qtbot.waitUntil(lambda: bool(engines(os.getpid())) or document.work is None,
                        timeout=PATIENCE_MS)  # fmt: skip
        waited: list[bool] = []
        QTimer.singleShot(
            moments.randrange(LONGEST_MS), lambda waited=waited: waited.append(True)
        )
        qtbot.waitUntil(lambda waited=waited: bool(waited), timeout=PATIENCE_MS)
        at_work = document.work is not None
        for child in engines(os.getpid()):
            kills += 1
            child.kill()
            qtbot.waitUntil(lambda child=child: has_ended(child), timeout=PATIENCE_MS)
        qtbot.waitUntil(lambda: document.work is None, timeout=PATIENCE_MS)
        if document.error is not None:
            failures += 1
            assert at_work
            assert "SIGKILL" in str(document.error)
            assert len(str(document.error).splitlines()) <= 2
            said = [text for text in shown_texts(window) if "SIGKILL" in text]
            assert len(said) == 1, said
        with qtbot.waitSignal(document.predicted, timeout=PATIENCE_MS):
            preview(window)
        qtbot.waitUntil(lambda: document.work is None, timeout=PATIENCE_MS)
        assert document.error is None
    assert failures >= KILLS // 3
    assert window.isVisible()
    assert QApplication.activeModalWidget() is None
