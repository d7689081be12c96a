"""The Sweep view of the Performance tab on a real model, with an engine that knows costs."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from inspector.app.searches import Search
from inspector.app.tuner import Aim
from inspector.backends.interleaving import Pair
from inspector.backends.values import Progress
from inspector.engine.requests import MeasurePair
from inspector.errors import Cancelled, EngineFailed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.pages.rows import magnitude
from inspector.platform.settings import library_folder
from inspector.remote import machines
from inspector.report import report as reports
from inspector.report.library import Library
from inspector.report.report import Device, ModelIdentity, PerformanceReport, Throughput
from inspector.report.run_spec import RunSpec
from inspector.report.settings import Goal
from inspector.report.sweep import Axis, CellState, plan
from inspector.report.tuning import Trial, Tuning
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.tabs.performance.tab import PerformanceTab
from inspector.ui.tabs.sweep.search_dialog import SearchDialog
from inspector.ui.tabs.sweep.view import SweepView
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.table_card import PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.status import StatusLine
from tests.reports import example_report
from tests.sweeps import AXES, SPEC, costs, in_turns, measured, model, planned, round_of

LEFT = Qt.MouseButton.LeftButton


class CostingEngine:
    """Measures by a rule; stands still before measurement number `stop`, if there is one."""

    def __init__(self) -> None:
        self.specs: list[RunSpec] = []
        self.stop = -1
        self.waited_seconds = 0.0
        self.gate = threading.Event()
        self.bad: int | None = None

    def measure(
        self, path: Path, identity: Any, spec: RunSpec, feeds: Any
    ) -> PerformanceReport:
        if len(self.specs) == self.stop:
            assert self.gate.wait(60)
            raise Cancelled("Stopped")
        self.specs.append(spec)
        if spec.threads == self.bad:
            raise EngineFailed("Could not load it", "no room")
        threads = {1: 1, 2: 2}.get(spec.threads, 0)  # however many this machine has
        return measured(spec, costs(replace(spec, threads=threads)), len(self.specs))

    def call(self, request: MeasurePair) -> Pair:
        asked = request.model, request.identity
        one, two = (self.measure(*asked, spec, request.feeds).spec for spec in request.specs)
        return in_turns((one, two), costs, len(self.specs))

    def predict(self, path: Path, spec: RunSpec, feeds: Any, *_: Any, **__: Any) -> Prediction:
        array = next(iter(feeds.values()))
        output = OutputValue("y", "tensor", array.dtype.name, array)
        return Prediction((output,), ("cpu",), 1, 1)

    def kill(self) -> None:
        self.gate.set()

    def close(self) -> None:
        self.gate.set()


@pytest.fixture
def engine() -> CostingEngine:
    return CostingEngine()


@pytest.fixture
def document(
    qtbot: QtBot,
    samples: Path,
    engine: CostingEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Document:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("INSPECTOR_LIBRARY", str(tmp_path / "library"))
    return opened(qtbot, samples, engine)


def opened(qtbot: QtBot, samples: Path, engine: CostingEngine) -> Document:
    start: Any = lambda _: engine  # noqa: E731
    autosave = Autosave(Library(library_folder()))
    made = Document(samples / "digits_float32.onnx", RunSpec(), start, autosave)
    with qtbot.waitSignals([made.changed(Topic.MODEL), made.changed(Topic.DIGEST)]):
        made.open()
    return made


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, document: Document) -> Iterator[SweepView]:
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    qtbot.mouseClick(tab.views, LEFT, pos=QPoint(tab.views.width() - 20, 15))
    assert tab.sweep_view is not None
    yield tab.sweep_view
    document.close()


def press(qtbot: QtBot, view: SweepView, axis: str, words: str) -> None:
    (chip,) = (b for b in view.plan.chips[axis].buttons if b.text() == words)
    qtbot.mouseClick(chip, LEFT)


def run(qtbot: QtBot, view: SweepView, document: Document) -> None:
    qtbot.mouseClick(view.plan.run, LEFT)
    qtbot.waitUntil(lambda: document.work is None, timeout=20_000)


def test_the_plan_counts_cells_and_keeps_a_value_of_each_axis(qtbot, view):
    assert view.plan.summary.text() == "6 combinations · 21 measurements"
    press(qtbot, view, "spinning", "off")
    assert view.plan.summary.text() == "12 combinations · 33 measurements"
    press(qtbot, view, "threads", "1")
    press(qtbot, view, "threads", "2")  # the last one stays
    assert view.plan.chips["threads"].chosen == (2,)
    assert [axis.name for axis in view.plan.axes] == ["threads", "optimization", "spinning"]


def test_devices_are_offered_where_there_is_more_than_one(qtbot, view, document, engine):
    assert "device" not in view.plan.chips
    cpu = Device("cpu", "CPU", "cpu", "CPUExecutionProvider")
    gpu = Device("webgpu:0", "a GPU", "gpu", "WebGpuExecutionProvider")
    view.set_devices((cpu, gpu, replace(gpu, id="cuda", problem="no driver")))
    assert [chip.text() for chip in view.plan.chips["device"].buttons] == ["CPU", "WebGPU"]
    press(qtbot, view, "device", "WebGPU")
    assert view.plan.summary.text() == "12 combinations · 33 measurements"
    view.set_devices((cpu, gpu))
    assert view.plan.chips["device"].chosen == ("cpu", "webgpu:0")
    press(qtbot, view, "optimization", "none")
    press(qtbot, view, "optimization", "basic")
    press(qtbot, view, "threads", "2")
    view.plan.rounds.setValue(1)
    run(qtbot, view, document)
    assert {spec.devices for spec in engine.specs} == {("cpu",), ("webgpu:0",)}
    view.set_devices((cpu,))
    assert "device" not in view.plan.chips


def test_inter_op_threads_wait_for_parallel_operators(qtbot, view):
    qtbot.mouseClick(view.plan.choice.fold, LEFT)
    assert view.plan.choice.more.isVisible()
    chips = view.plan.chips["inter_threads"]
    assert not any(chip.isEnabled() for chip in chips.buttons)
    press(qtbot, view, "execution_mode", "parallel")
    press(qtbot, view, "inter_threads", "2")
    assert chips.chosen == (0, 2)
    told = "18 combinations · 45 measurements"  # of one after the other there are 6
    assert view.plan.summary.text() == told
    qtbot.mouseClick(view.plan.choice.fold, LEFT)
    told = "Execution sequential, parallel; inter-op threads default, 2"
    assert view.plan.choice.told.text() == told


def test_a_value_that_the_settings_have_is_no_axis(view, document):
    document.set_spec(spinning=False)
    assert [axis.name for axis in view.plan.axes] == ["threads", "optimization", "spinning"]
    assert view.plan.axes[-1].values == (True,)


def test_the_axes_are_settings_of_the_runtime_of_the_device(view, document):
    document.set_spec(devices=("openvino:cpu",))
    assert list(view.plan.chips) == [
        "threads", "inference_precision", "dim:batch", "performance_hint", "streams",
        "busy_cores",
    ]  # fmt: skip
    document.set_spec(devices=("cpu",))
    assert list(view.plan.chips) == [
        "threads", "optimization", "dim:batch", "execution_mode", "binding", "inter_threads",
        "spinning", "arena", "memory_pattern", "flush_subnormals", "busy_cores",
    ]  # fmt: skip


def test_what_is_swept_is_locked_while_it_runs(qtbot, view, document, engine):
    engine.stop = 0
    qtbot.mouseClick(view.plan.run, LEFT)
    qtbot.waitUntil(lambda: document.work is Work.SWEEPING)
    plan = view.plan
    assert plan.summary.text() == "Cannot be changed while the sweep runs"
    widgets = [*plan.chips["threads"].buttons, *plan.models.chips, plan.models.add]
    widgets += [plan.rounds, plan.runs, plan.at_once]
    assert not any(widget.isEnabled() for widget in widgets)
    qtbot.mouseClick(plan.cancel, LEFT)
    qtbot.waitUntil(lambda: document.work is None)
    assert all(widget.isEnabled() for widget in widgets)


def test_a_sweep_fills_map_table_and_plots_and_marks_the_best(qtbot, view, document):
    run(qtbot, view, document)
    assert view.best.words.text() == "Fastest: threads 2, optimization all"
    assert "95% CI" in view.best.more.text()
    assert view.table.counted() == "6 combinations"
    assert view.heat.count.text() == "6 of 6 combinations measured"
    assert view.lines.view.item_count() == 6
    assert view.lines.view.item_name(0).startswith("threads 1, optimization none: Median ")
    assert not view.progress.isVisible()
    kept = document.autosave.latest("sweep", document.digest)
    assert kept[0] == document.sweeping.sweep
    expect_the_runs_to_be_named(view)
    expect_narrow_tables_to_leave_out_the_rate(view.table)
    expect_titles_to_sort_and_explain(qtbot, view.table)


def expect_the_runs_to_be_named(view: SweepView) -> None:
    assert view.best.more.text().startswith("Median of all runs")
    assert ("Statistics", "of all runs") in view.cell._cells


def expect_narrow_tables_to_leave_out_the_rate(table: PageTableCard) -> None:
    names = list(map(table.model.title, table.model.columns))
    narrow = dict(zip(names, table.table.widths(500), strict=True))
    wide = dict(zip(names, table.table.widths(1200), strict=True))
    assert (narrow["p95/p5"], narrow["Runs/s (1 / mean)"]) == (0, 0)
    assert narrow["Median"] == wide["Median"] > 0
    assert wide["Runs/s (1 / mean)"] > 0


def expect_titles_to_sort_and_explain(qtbot: QtBot, table: PageTableCard) -> None:
    model, header = table.model, table.table.horizontalHeader()
    titles = list(map(model.title, model.columns))
    for place, title in enumerate(titles):
        x = header.sectionViewportPosition(place) + header.sectionSize(place) // 2
        qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(x, 12))
        assert model.sorted_column == model.columns[place], title
    assert titles[2:] == [
        "State", "Median", "p5 to p95", "p95/p5", "Runs/s (1 / mean)", "Load",
        "Peak model memory",
    ]  # fmt: skip
    place = titles.index("Runs/s (1 / mean)")
    x = header.sectionViewportPosition(place) + header.sectionSize(place) // 2
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(x, 12))
    rates = [magnitude(model.cell(row, model.columns[place])) for row in range(6)]
    assert rates == sorted(rates, reverse=True)
    across = Qt.Orientation.Horizontal
    meaning = model.headerData(place, across, Qt.ItemDataRole.ToolTipRole)
    assert "consecutive runs. Median, p5, p95 and mean are of all runs." in meaning
    memory = model.headerData(len(titles) - 1, across, Qt.ItemDataRole.ToolTipRole)
    assert "peak memory of the process" in memory


def test_plots_are_saved_and_copied_as_they_are_shown(
    qtbot, view, document, tmp_path, monkeypatch
):
    sweep = plan([model()], SPEC, [*AXES, Axis("spinning", (True, False))])
    for cell in sweep.cells:
        sweep = sweep.measured(cell.at, round_of(costs(sweep.spec_of(cell))))
    document.sweeping.sweep = sweep
    document.sweeping.changed.emit()
    view.heat.fields["spinning"].setCurrentIndex(1)
    view.heat.fields["spinning"].activated.emit(1)
    assert view.heat.seen.fixed[2] == 1
    chosen: list[str] = []

    def name(*asked: Any) -> tuple[str, str]:
        chosen.append(Path(asked[2]).name)
        return str(tmp_path / chosen[-1].replace(".png", ".svg")), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(name))
    for menu in (view.menus["heat"], view.menus["lines"]):
        with qtbot.waitSignal(menu.exporter.done, timeout=20_000):
            menu.save.trigger()
    assert chosen == [f"digits_float32.sweep.{plot}.png" for plot in ("heat", "lines")]
    heat = (tmp_path / "digits_float32.sweep.heat.svg").read_text("utf-8")
    assert "spinning off" in heat
    assert "spinning on" not in heat
    assert "optimization none" in (tmp_path / "digits_float32.sweep.lines.svg").read_text()
    view.menus["heat"].copy.trigger()
    assert QGuiApplication.clipboard().image().width() == 1440


@pytest.mark.slow
def test_a_click_and_the_arrow_keys_show_the_numbers_of_a_cell(qtbot, view, document):
    run(qtbot, view, document)
    qtbot.mouseClick(view.heat.view, LEFT, pos=view.heat.view.box_of("0,0").center())
    assert view.place == (0, 0)
    assert view.cell.title.text() == "threads 1, optimization none"
    qtbot.keyClick(view.heat.view, Qt.Key.Key_Down)
    assert view.place == (1, 0)
    assert view.heat.view.accessibleDescription().startswith("threads 2, optimization none: ")
    assert view.table.selected_row() == 3
    view.table.table.selectRow(0)
    assert view.place == (0, 0)
    qtbot.mouseClick(view.cell.take, LEFT)
    assert (document.spec.threads, document.spec.optimization) == (1, "none")


def test_a_cancelled_sweep_is_resumed_where_it_was(qtbot, view, document, engine):
    engine.stop = 5
    qtbot.mouseClick(view.plan.run, LEFT)
    qtbot.waitUntil(lambda: len(engine.specs) == 5)
    assert document.work is Work.SWEEPING
    assert view.progress.isVisible()
    assert not view.plan.resume.isVisible()
    qtbot.mouseClick(view.plan.cancel, LEFT)
    qtbot.waitUntil(lambda: document.work is None)
    assert view.plan.resume.text() == "Resume, 16 left"
    engine.stop = -1
    qtbot.mouseClick(view.plan.resume, LEFT)
    qtbot.waitUntil(lambda: document.work is None, timeout=20_000)
    assert len(engine.specs) == 12 + 9
    assert document.sweeping.left == 0
    assert not view.plan.resume.isVisible()


def test_a_sweep_is_there_when_the_model_is_opened_again(
    qtbot, view, document, samples, engine
):
    engine.stop = 5
    qtbot.mouseClick(view.plan.run, LEFT)
    qtbot.waitUntil(lambda: document.sweeping.left == 16)
    again = opened(qtbot, samples, CostingEngine())
    assert again.sweeping.left == 16
    again.close()


@pytest.mark.slow
def test_cells_that_fail_say_why_and_the_others_are_measured(qtbot, view, document, engine):
    engine.bad = 1
    run(qtbot, view, document)
    sweep = document.sweeping.sweep
    failed = [cell for cell in sweep.cells if cell.state is CellState.FAILED]
    assert len(failed) == 3
    view.choose(failed[0].at)
    assert view.cell.words.text() == "Could not load it: no room."


@pytest.mark.slow
def test_several_models_are_put_beside_each_other_and_beside_reports(
    qtbot, view, document, samples, tmp_path
):
    document.sweeping.add_models((samples / "digits_int8_qdq.onnx",))
    run(qtbot, view, document)
    sweep = document.sweeping.sweep
    assert sweep.axes[0].name == "model"
    assert len(view.choice.mine) == 2
    assert view.choice.mine[0].is_reference
    reports.save(example_report(), tmp_path / "report.json")
    view.choice.add_reports([tmp_path / "report.json"])
    assert len(view.choice.others) == 1
    view.choice.add_reports([samples / "digits_float32.onnx"])
    assert view.choice.words.text().startswith("Could not open digits_float32.onnx")
    document.sweeping.drop_model(samples / "digits_int8_qdq.onnx")
    assert view.plan.summary.text() == "6 combinations · 21 measurements"


@pytest.mark.slow
def test_the_best_settings_come_as_code_that_can_be_copied(qtbot, view, document):
    document.sweeping.tune(Search(8.0))
    qtbot.waitUntil(lambda: document.work is None, timeout=40_000)
    assert view.tuning.words.text().startswith("Threads 2")
    assert "95% CI" in view.tuning.words.text()
    view.tuning.languages.choose(2)
    qtbot.mouseClick(view.tuning.copy, LEFT)
    assert "options.IntraOpNumThreads = 2;" in QGuiApplication.clipboard().text()
    qtbot.mouseClick(view.tuning.take, LEFT)
    assert document.spec.threads == 2
    assert document.spec.runs == 30


def test_a_search_looks_for_what_was_chosen_and_shows_what_it_tried(
    qtbot, view, document, monkeypatch
):
    searches: list[Search] = []
    monkeypatch.setattr(document.sweeping, "tune", searches.append)
    near = Device("openvino:cpu", "A CPU", "cpu", "OpenVINO", "Example", "1")
    view.set_devices((near, replace(near, id="broken", problem="no driver")))

    def fill(dialog: SearchDialog) -> None:
        assert {id_: box.isChecked() for id_, box in dialog.boxes.items()} == {near.id: True}
        dialog.goal.show_value(Goal.THROUGHPUT.value)
        dialog.lengths.setText("1, x")
        qtbot.mouseClick(dialog.start, LEFT)
        assert "'1, x' is not N,N" in dialog.problem.text()
        dialog.lengths.setText("1, 4")
        dialog.limit.setValue(2.5)
        dialog.options.setText("num_streams=1,2; mode=fast")
        qtbot.mouseClick(dialog.start, LEFT)

    QTimer.singleShot(0, lambda: fill(QApplication.activeModalWidget()))  # type: ignore[arg-type]
    view.plan.ask_search(every_device=True)
    aim = Aim(Goal.THROUGHPUT, 2.5e6, "batch")
    options = (("num_streams", ("1", "2")), ("mode", ("fast",)))
    assert searches == [Search(90.0, aim, (near.id,), (1, 4), options)]
    failed = Trial(replace(SPEC, devices=(near.id,)), why="no room")
    trials = (Trial(SPEC, (round_of(1e6),)), failed)
    document.sweeping.tuning = Tuning(model("a.onnx"), SPEC, trials, complete=True)
    document.sweeping.tuned.emit()
    table = view.trials.table
    column = table.rows.column("settings")
    assert table.rows.text(1, column) == "device openvino:cpu"


def test_a_sweep_that_cannot_begin_says_why_where_one_looks(qtbot, view, document, tmp_path):
    document.sweeping.add_models((tmp_path / "gone.onnx",))
    run(qtbot, view, document)
    assert view.failure.isVisible()
    assert view.failure.what.text() == "Could not open gone.onnx"


def test_rarer_settings_of_the_session_can_be_ticked(qtbot, theme, document):
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    field = tab.settings.fields.backend.switches
    mode = tab.settings.fields.backend["execution_mode"]
    assert isinstance(mode, ChoiceField)
    assert field.text() == "  Default"
    field.switches["spinning"].trigger()
    qtbot.keyClick(mode, Qt.Key.Key_Down)
    assert (document.spec.spinning, document.spec.execution_mode) == (False, "parallel")
    assert field.text() == "  Changed"
    assert "execution parallel, no spinning" in tab.settings.summary.text()
    document.set_spec(spinning=True, execution_mode="sequential")
    assert mode.value == "sequential"
    assert field.text() == "  Default"
    assert field.switches["spinning"].isChecked()


def test_a_report_with_several_at_once_shows_latency_against_load(qtbot, theme, document):
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    points = (
        Throughput(1, 40_000_000, (2_000_000,) * 20),
        Throughput(2, 30_000_000, (3_000_000,) * 20),
    )
    document.add_report(replace(example_report(), throughput=points))
    assert [card.section.id for card in tab.report_view.extras] == ["concurrent runs"]
    document.add_report(example_report())
    assert not tab.report_view.extras


def test_a_search_and_an_older_sweep_are_there_when_the_model_is_opened_again(
    qtbot, document, samples, engine
):
    """A new sweep does not replace an earlier one, and a search is kept like a sweep."""
    path, digest = document.path, document.digest
    identity = ModelIdentity("digits_float32.onnx", digest, 1, 1, 1)
    autosave = document.autosave
    first = autosave.keep_step(planned(identity), path, "")
    second = autosave.keep_step(planned(identity, rounds=1), path, "")
    tuning = Tuning(identity, RunSpec(), complete=True)
    autosave.keep_step(tuning, path, "")
    again = opened(qtbot, samples, engine)
    assert again.sweeping.sweep == planned(identity, rounds=1)
    assert again.sweeping.tuning == tuning
    assert {first, second} < {entry.id for entry in autosave.library.entries()}
    again.close()


def test_the_status_line_says_which_measurement_is_under_way(
    qtbot, view, document, engine, theme
):
    status = StatusLine(theme)
    qtbot.addWidget(status)
    status.show_document(document)
    document.progressed.emit(Progress("answer", -1.0))  # of a prediction before
    engine.stop = 1
    qtbot.mouseClick(view.plan.run, LEFT)
    assert "results" not in status.words()[0]
    qtbot.waitUntil(lambda: "measurement 2 of" in status.words()[0])
    assert status.words()[0].startswith("Running sweep · measurement 2 of 21: ")
    document.progressed.emit(Progress("warm-up", -1.0))
    assert status.words()[0].endswith(" · Warming up")
    qtbot.waitUntil(lambda: "left" in view.progress.line.left.text())
    assert view.progress.line.text.text() == "1 of 21 measurements done"
    assert not view.best.isVisible()
    qtbot.mouseClick(view.plan.cancel, LEFT)
    qtbot.waitUntil(lambda: document.work is None)
    assert view.progress.isVisible()
    assert view.progress.title.text() == "Sweep stopped early"
    assert "will be shown once all of them have been measured" in view.progress.line.text.text()
    assert not view.best.isVisible()


@pytest.mark.slow
def test_a_sweep_runs_on_several_machines_at_once(
    qtbot, theme, document, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    machines.keep(machines.Saved("other", machines.LOCAL))
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    qtbot.mouseClick(tab.views, LEFT, pos=QPoint(tab.views.width() - 20, 15))
    view = tab.sweep_view
    assert view.plan.chips["machine"].chosen == ("here",)
    assert "machine" not in [axis.name for axis in view.plan.axes]
    press(qtbot, view, "machine", "other")
    press(qtbot, view, "threads", "2")
    press(qtbot, view, "optimization", "none")
    press(qtbot, view, "optimization", "basic")
    view.plan.rounds.setValue(1)
    view.plan.runs.setValue(5)
    qtbot.mouseClick(view.plan.run, LEFT)
    qtbot.waitUntil(lambda: document.work is None, timeout=60_000)
    sweep = document.sweeping.sweep
    assert sweep.axes[0] == Axis("machine", ("here", "other"))
    assert {each.where for cell in sweep.cells for each in cell.rounds} == {"here", "other"}
    assert len(sweep.environments) == 2
    document.close()


def test_a_busy_core_is_an_axis_and_has_a_card(qtbot, theme, document):
    view = SweepView(theme, document)
    qtbot.addWidget(view)
    for made in view.plan.choice.chips["busy_cores"].buttons:
        made.setChecked(True)
    assert Axis("busy_cores", (0, 1)) in view.plan.choice.axes
    run(qtbot, view, document)
    assert len(view.added_load.table.rows.table.rows) * 2 == len(document.sweeping.sweep.cells)
