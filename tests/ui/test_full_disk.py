"""What the window saves on a full disk: a sentence, the earlier file, and nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import QWidget

from inspector.errors import NotSaved
from inspector.formats import opening
from inspector.formats.onnx import weight_values
from inspector.model.tensors.prediction import OutputValue
from inspector.pages.charts.report_plots import plot
from inspector.preview.outputs import saving
from inspector.render.registry import Subject, formats_of
from inspector.report import report, sweep
from inspector.ui.app.application import settings_file
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.documents.workspace import Workspace
from inspector.ui.graph import tab as graph
from inspector.ui.window.main_window import MainWindow
from tests.disks import closed_home, full_disk
from tests.reports import example_report
from tests.sweeps import planned
from tests.ui.conftest import CannedEngine

EARLIER = b"earlier"


def weight(path: Path, samples: Path) -> None:
    model = samples / "digits_float32.onnx"
    largest = max(opening.open_model(model).weights, key=lambda each: each.size_bytes)
    weight_values.save(model, largest, path)


def output(path: Path, samples: Path) -> None:
    values = OutputValue("values", "tensor", "float32", np.zeros(1000, np.float32))
    saving.save((values,), path.parent, (".npy",))


def picture(path: Path, samples: Path) -> None:
    graph.save(path, lambda painter: painter.drawText(9, 9, "x"), QSize(400, 400), "")


SAVES: dict[str, Callable[[Path, Path], None]] = {
    "report.json": lambda path, _: report.save(example_report(), path),
    "sweep.json": lambda path, _: sweep.save(planned(), path),
    "graph.png": picture,
    "weight.npy": weight,
    "values.npy": output,
}


@pytest.mark.parametrize("name", SAVES)
def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(tmp_path, samples, qapp, name):
    path = tmp_path / name
    path.write_bytes(EARLIER)
    with full_disk(), pytest.raises(NotSaved) as told:
        SAVES[name](path, samples)
    assert told.value.what == f"Could not save {name}"
    assert told.value.why == "File too large"
    assert "unchanged" in told.value.hint
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [(name, EARLIER)]


@pytest.mark.parametrize("form", [*(each.id for each in formats_of(Subject.REPORT)), "picture"])
def test_an_export_to_a_full_disk_is_told(qtbot, tmp_path, form):
    window = QWidget()
    qtbot.addWidget(window)
    exporter, path = Exporter(window), tmp_path / "saved.png"
    path.write_bytes(EARLIER)
    with full_disk(100), qtbot.waitSignal(exporter.failed, timeout=20_000) as told:
        if form == "picture":
            exporter.save_picture(path, partial(plot, example_report(), "histogram"))
        else:
            exporter.save(example_report(), form, path)
    assert told.args[0].why == "File too large"
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [EARLIER]


def test_the_window_opens_in_a_home_that_takes_nothing(
    qtbot, theme, tmp_path, monkeypatch, samples
):
    for name, value in closed_home(tmp_path).items():
        monkeypatch.setenv(name, value)
    settings = QSettings(str(settings_file()), QSettings.Format.IniFormat)
    window = MainWindow(theme, Workspace(settings, lambda heard: CannedEngine(heard, {})))
    qtbot.addWidget(window)
    window.show()
    window.workspace.open(samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.document is not None and window.document.digest != "")
    assert window.document.sweeping.sweep is None
    assert not window.notice.isVisible()
    window.close()
