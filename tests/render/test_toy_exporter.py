"""A new export format is one entry: the command line and the window find it."""

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.cli.main import run
from inspector.render import registry
from inspector.render.registry import ExportFormat, Subject
from inspector.report.report import PerformanceReport, save
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.widgets.export_forms import report_forms
from tests.command_line import output_of
from tests.reports import example_report


def layer_names(report: PerformanceReport) -> bytes:
    return "\n".join(layer.name for layer in report.layers).encode()


TOY = ExportFormat("names", Subject.REPORT, ".names.txt", "Names", "layer names", layer_names)


@pytest.fixture(autouse=True)
def toy_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, TOY))


def test_the_help_names_the_format():
    assert "names (layer names)" in " ".join(output_of("export", "--help").split())


def test_the_command_writes_the_format(tmp_path):
    report = tmp_path / "fast.json"
    save(example_report(), report)
    assert run(["export", str(report), "--format", "names"]) == 0
    assert (tmp_path / "fast.names.txt").read_bytes() == layer_names(example_report())


def test_the_menu_and_the_save_dialog_of_the_window_offer_the_format(
    qtbot, tmp_path, monkeypatch
):
    assert ("Names…", "names") in report_forms()
    window, target, filters = QWidget(), tmp_path / "chosen.txt", list[str]()
    qtbot.addWidget(window)

    def choose(parent: QWidget, title: str, proposal: str, kinds: str) -> tuple[str, str]:
        filters.append(kinds)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(choose))
    exporter = Exporter(window)
    with qtbot.waitSignal(exporter.done, timeout=20_000):
        exporter.ask(example_report(), "names")
    assert filters == ["Names (*.names.txt)"]
    assert target.read_bytes() == layer_names(example_report())
