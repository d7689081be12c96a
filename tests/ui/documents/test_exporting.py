from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.pages.charts.report_plots import PLOTS, plot
from inspector.pages.charts.sweep_plot import PLOTS as SWEEP_PLOTS
from inspector.render.registry import Subject, export, formats_of
from inspector.report.improvement import Candidate, Improvement
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.widgets.export_forms import PICTURES, report_forms, sweep_forms
from tests.reports import example_report
from tests.sweeps import planned, round_of
from tests.ui.made_documents import open_in_window

SAMPLE = Path(__file__).parents[3] / "sample_models" / "digits_float32.onnx"


@pytest.mark.parametrize("form", [form for _, form in report_forms()])
def test_every_format_of_the_menu_can_be_written(form):
    assert export(example_report(), form)


@pytest.mark.parametrize("form", [form for _, form in sweep_forms()])
def test_every_form_of_a_sweep_can_be_written(qtbot, tmp_path, monkeypatch, form):
    window = QWidget()
    qtbot.addWidget(window)
    exporter, targets = Exporter(window), list[Path]()

    def name(*asked: str) -> tuple[str, str]:
        targets.append(tmp_path / Path(asked[2]).name)
        return str(targets[0]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(name))
    sweep = planned()
    for number, cell in enumerate(sweep.cells):
        sweep = sweep.measured(cell.at, round_of(1e6 * (number + 1)))
    if form == "sweep/machines":  # the sweep is of one machine
        with qtbot.waitSignal(exporter.failed, timeout=20_000) as failure:
            exporter.ask_for_sweep(sweep, form)
        assert "--on here,pi5" in failure.args[0].hint
        assert not targets[0].exists()
        return
    with qtbot.waitSignal(exporter.done, timeout=20_000):
        exporter.ask_for_sweep(sweep, form)
    assert targets[0].name.startswith("net.sweep")
    assert targets[0].stat().st_size > 100


def test_the_menu_offers_every_format_and_every_plot():
    texts = (each.id for each in formats_of(Subject.SWEEP))
    sweep_ids = {form.removeprefix("sweep/") for _, form in sweep_forms()}
    assert sweep_ids == {*SWEEP_PLOTS, *texts}
    report_ids = [each.id for each in formats_of(Subject.REPORT)]
    assert [form for _, form in report_forms()] == report_ids
    assert {plot for _, plot in PICTURES} == PLOTS.keys() - {"summary"}


@pytest.mark.parametrize(("name", "start"), [("one.png", b"\x89PNG"), ("one.svg", b"<?xml")])
def test_a_picture_of_one_plot_is_what_its_file_is_called(qtbot, tmp_path, name, start):
    window = QWidget()
    qtbot.addWidget(window)
    exporter = Exporter(window)
    with qtbot.waitSignal(exporter.done, timeout=20_000):
        exporter.save_picture(tmp_path / name, partial(plot, example_report(), "histogram"))
    assert (tmp_path / name).read_bytes().startswith(start)


def test_results_of_improve_can_be_exported_without_a_report(
    qtbot, window, tmp_path, monkeypatch
):
    document = open_in_window(qtbot, window, SAMPLE)
    button = window.top_bar.export_button
    assert not button.isEnabled()
    tried = Candidate("Float16", ("float16",), 500, 4)
    now = Improvement("m", "0" * 64, "cpu", Candidate("m", size_bytes=1000), (tried,))
    document.improving.improvement = now
    document.improving.proved.emit()
    assert button.isEnabled()
    target = tmp_path / "results.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    button.menu().aboutToShow.emit()
    able = [entry for entry in button.menu().actions() if entry.isEnabled()]
    assert [entry.text() for entry in able] == ["Results of Improve…"]
    able[0].trigger()
    qtbot.waitUntil(target.exists, timeout=20_000)
    assert "Float16" in target.read_text()
