"""The Performance tab on real models with a canned engine."""

import threading
from collections.abc import Callable
from dataclasses import fields as fields_of
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inspector.backends import machine
from inspector.backends.values import Progress
from inspector.engine.client import ceilings
from inspector.engine.requests import CheckSupport
from inspector.errors import Cancelled, DeviceFailed, EngineDied, EngineFailed
from inspector.report.report import Device, PerformanceReport, Support
from inspector.report.roofline import Ceiling, LayerWork, Roofline
from inspector.report.run_spec import Dimension, InputSource, ProviderOption, RunSpec
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.selection import Selected
from inspector.ui.tabs.performance.metric_cards import work_by_device
from inspector.ui.tabs.performance.tab import PerformanceTab
from inspector.ui.widgets.theme import Theme
from inspector.wording.support_marks import Mark, Source
from tests.reports import DEVICES, example_report
from tests.ui import made_documents

LEFT = Qt.MouseButton.LeftButton
GPU = Device("webgpu:0", "Some GPU", "gpu", "WebGpuExecutionProvider")
CPU = Device("cpu", "Some CPU", "cpu", "CPUExecutionProvider")


class SteppingEngine:
    """Measures until the test opens the gate; then returns or raises `answer`."""

    elsewhere, note = False, ""

    def __init__(self) -> None:
        self.tell: Callable[[Any], None] = lambda _: None
        self.answer: PerformanceReport | Exception = example_report()
        self.gate = threading.Event()
        self.specs: list[RunSpec] = []
        self.out_of_time = False
        self.partial: PerformanceReport | None = None

    def measure(
        self, path: Path, identity: Any, spec: RunSpec, feeds: Any, *waiting: Any
    ) -> PerformanceReport:
        self.specs.append(spec)
        self.tell(Progress("load", -1.0))
        self.tell(Progress("prediction", 0.5, (2_000_000, 2_100_000, 2_200_000)))
        assert self.gate.wait(60)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def predict(self, *asked: Any, **how: Any) -> Any:
        """Answer with whatever lengths of free axes: it is the measurement that fails."""
        return made_documents.classes([0.1, 0.9])

    def devices(self) -> tuple[Device, ...]:
        return GPU, CPU

    def call(self, request: CheckSupport) -> dict[str, dict[int, Support]]:
        taken = dict.fromkeys(range(99), Support(Mark.SUPPORTED, Source.PROBED))
        failed = {4: Support(Mark.FAILED, Source.PROBED, "boom")}
        return {name: taken | failed if name == GPU.id else taken for name in request.layers}

    def kill(self) -> None:
        self.answer = Cancelled("Stopped")
        self.gate.set()

    def close(self) -> None:
        self.gate.set()


@pytest.fixture
def engine() -> SteppingEngine:
    return SteppingEngine()


def started(engine: SteppingEngine) -> Any:
    def start(tell: Callable[[Any], None]) -> SteppingEngine:
        engine.tell = tell
        return engine

    return start


@pytest.fixture
def document(qtbot: QtBot, samples: Path, engine: SteppingEngine) -> Document:
    made = Document(samples / "digits_float32.onnx", RunSpec(), started(engine))
    with qtbot.waitSignals([made.changed(Topic.MODEL), made.changed(Topic.DIGEST)]):
        made.open()
    return made


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, document: Document) -> PerformanceTab:
    made = PerformanceTab(theme, document)
    qtbot.addWidget(made)
    made.resize(916, 822)
    made.show()
    return made


def visible(*widgets: QWidget) -> list[bool]:
    return [widget.isVisible() for widget in widgets]


def start(qtbot: QtBot, tab: PerformanceTab, document: Document) -> None:
    with qtbot.waitSignals([document.progressed, document.progressed]):
        qtbot.mouseClick(tab.invitation.measure, LEFT)


def finish(qtbot: QtBot, engine: SteppingEngine, document: Document) -> None:
    with qtbot.waitSignal(document.changed(Topic.WORK)):
        engine.gate.set()


def test_before_the_first_report_there_is_a_sentence_and_a_button(tab):
    assert visible(tab.invitation, tab.progress, tab.failure) == [True, False, False]
    assert tab.invitation.title.text() == "digits_float32.onnx has not been measured yet"
    assert tab.settings.fields.isVisible()
    assert tab.report_view is None


def test_a_measurement_shows_its_progress_and_ends_in_a_report(tab, document, engine, qtbot):
    start(qtbot, tab, document)
    assert visible(tab.invitation, tab.progress, tab.failure) == [False, True, False]
    progress = tab.progress
    assert progress.progress.bar.share == 0.5
    assert progress.accessibleName() == "Measuring: Running the model · 50%"
    assert (progress.median.text(), progress.summary.text()) == (
        "2.10", "ms · median of 3 runs so far",
    )  # fmt: skip
    assert progress.steps.accessibleName() == "Step 4 of 7: Runs"
    assert not tab.settings.fields.isEnabled()
    finish(qtbot, engine, document)
    assert visible(tab.invitation, tab.progress, tab.failure) == [False, False, False]
    assert tab.report_view.isVisible()
    assert tab.report_view.cards.cards[0].accessibleDescription().startswith("1.85 ms")


def test_cancel_stops_it_and_nobody_is_told_of_a_failure(tab, document, qtbot):
    start(qtbot, tab, document)
    with qtbot.waitSignal(document.changed(Topic.WORK)):
        document.cancel()
    assert visible(tab.invitation, tab.progress, tab.failure) == [True, False, False]


@pytest.mark.parametrize("cancelled", [True, False])
def test_a_measurement_that_ends_early_is_shown_and_marked_as_incomplete(
    tab, document, engine, qtbot, cancelled
):
    note = "The measurement ended early: it was stopped."
    engine.partial = example_report(complete=False, early_end_reason=note)
    engine.answer = EngineFailed("Could not measure it", "It crashed.")
    start(qtbot, tab, document)
    with qtbot.waitSignal(document.changed(Topic.REPORT)):
        if cancelled:
            document.cancel()
        else:
            engine.gate.set()
    assert not document.report.complete
    assert tab.report_view.isVisible()
    texts = [label.text() for label in tab.report_view.findChildren(QLabel)]
    assert any(text.startswith(f"Incomplete. {note}") for text in texts)
    assert tab.failure.isVisible() is not cancelled


def test_a_measurement_canceled_before_its_profile_shows_no_empty_timeline(
    tab, document, engine, qtbot
):
    engine.partial = example_report(
        complete=False,
        early_end_reason="It was stopped.",
        trace=TraceBuilder().trace(),
        layers=(),
    )
    engine.answer = Cancelled("It was stopped")
    start(qtbot, tab, document)
    with qtbot.waitSignal(document.changed(Topic.REPORT)):
        document.cancel()
    view = tab.report_view
    assert view.cards.isVisible()
    assert visible(view.timeline, view.layers) == [False, False]
    assert view.findings.limit.button.text() == "Measure again"


def test_a_failure_says_what_why_and_what_next_and_the_last_report_stays(
    tab, document, engine, qtbot
):
    document.add_report(example_report())
    before = tab.report_view
    engine.answer = EngineFailed("Could not measure it", "No <b>kernel</b>", "Try the CPU.")
    engine.gate.set()
    with qtbot.waitSignal(document.failed):
        document.measure()
    failure = tab.failure
    assert failure.isVisible()
    told = [label.text() for label in (failure.what, failure.why, failure.hint)]
    assert told == ["Could not measure it", "No <b>kernel</b>", "Try the CPU."]
    assert failure.why.textFormat() == Qt.TextFormat.PlainText
    assert tab.report_view is before
    engine.answer = example_report(seed=8)
    with qtbot.waitSignal(document.changed(Topic.REPORT)):
        qtbot.mouseClick(failure.again, LEFT)
    assert not failure.isVisible()
    assert tab.report_view is not before


def test_a_device_that_failed_at_a_layer_can_be_measured_around(tab, document, engine, qtbot):
    why = "webgpu:0 accepted layer 'fc' (Gemm), then failed: no"
    engine.answer = DeviceFailed("Could not run the model", why, "--on-cpu 'fc'", "prediction")
    engine.gate.set()
    with qtbot.waitSignal(document.failed):
        document.measure()
    assert tab.failure.way.isVisible()
    assert "--" not in tab.failure.hint.text()
    engine.answer = example_report(seed=8)
    with qtbot.waitSignal(document.changed(Topic.REPORT)):
        qtbot.mouseClick(tab.failure.way, LEFT)
    assert document.spec.around_failures
    assert "move failing layers to the CPU" in tab.settings.summary.text()
    assert not tab.failure.isVisible()


def test_around_a_failure_there_is_no_more_to_go_around(tab, document, engine, qtbot):
    document.set_spec(around_failures=True)
    engine.answer = DeviceFailed("Could not run the model", "it failed once more")
    engine.gate.set()
    with qtbot.waitSignal(document.failed):
        document.measure()
    assert tab.failure.again.isVisible()
    assert not tab.failure.way.isVisible()


def test_what_a_device_takes_is_shown_where_it_cannot_be_measured(tab, document, engine, qtbot):
    document.set_spec(devices=("webgpu:0",))
    engine.answer = EngineDied("The engine process stopped", "it crashed")
    engine.gate.set()
    with qtbot.waitSignal(document.failed):
        document.measure()
    assert tab.failure.way.text().strip() == "Check each layer"
    qtbot.mouseClick(tab.failure.way, LEFT)
    qtbot.waitUntil(lambda: tab.claims is not None)
    assert visible(tab.invitation, tab.progress, tab.failure) == [False, False, False]
    model = tab.claims.model
    first = [model.text(0, column) for column in model.columns[3:]]
    assert first == ["Accepted, then failed", "Supported"]
    tab.claims.choose_row(0)
    assert document.selection.now.layer == 4
    document.add_report(example_report())
    assert tab.claims is None


def test_a_failure_of_the_cpu_is_no_reason_to_ask_it(tab, document, engine, qtbot):
    engine.answer = EngineFailed("Could not load it", "no")
    engine.gate.set()
    with qtbot.waitSignal(document.failed):
        document.measure()
    assert not tab.failure.way.isVisible()


def test_a_tab_that_is_opened_late_shows_what_is_there(qtbot, theme, document, engine):
    with qtbot.waitSignals([document.progressed, document.progressed]):
        document.measure()
    late = PerformanceTab(theme, document)
    qtbot.addWidget(late)
    late.show()
    assert visible(late.invitation, late.progress) == [False, True]
    finish(qtbot, engine, document)
    assert late.report_view is not None


def test_fields_change_the_spec_and_the_line_tells_it(tab, document, engine, qtbot):
    fields = tab.settings.fields
    fields.own["runs"].setFocus()
    fields.own["runs"].selectAll()
    qtbot.keyClicks(fields.own["runs"], "12")
    qtbot.keyClick(fields.own["runs"], Qt.Key.Key_Return)
    fields.own["seconds"].setFocus()
    qtbot.keyClicks(fields.own["seconds"], "3")
    fields.backend["threads"].setValue(1)
    fields.dimensions["batch"].setValue(3)
    qtbot.keyClick(fields.backend["optimization"], Qt.Key.Key_Up)
    spec = document.spec
    assert (spec.runs, spec.seconds, spec.threads) == (12, 3.0, 1)
    assert spec.optimization == "extended"
    assert spec.dimensions == (Dimension("batch", 3),)
    words = tab.settings.summary.accessibleName()
    assert words.startswith("CPU · extended optimizations · 1 thread · 12 runs")
    assert "at least 3 s" in words
    assert words.endswith("batch = 3")
    start(qtbot, tab, document)
    assert engine.specs[0].runs == 12
    finish(qtbot, engine, document)
    assert tab.settings.changed.isVisible(), "the canned report was made with other settings"
    spec = document.report.spec
    document.set_spec(**{field.name: getattr(spec, field.name) for field in fields_of(spec)})
    assert not tab.settings.changed.isVisible()
    document.set_spec(roofline=True)
    assert not tab.settings.changed.isVisible(), "the runs that were timed stay comparable"


def test_binding_and_loading_in_detail_are_chosen_with_a_click(tab, document, qtbot):
    fields = tab.settings.fields
    assert not fields.own["phases"].isVisible()
    qtbot.mouseClick(fields.more, LEFT)
    qtbot.keyClick(fields.backend["binding"], Qt.Key.Key_Down)
    qtbot.mouseClick(fields.own["phases"], LEFT)
    assert (document.spec.binding, document.spec.phases) == ("inputs", True)
    assert (
        "I/O binding inputs · model loading profiled" in tab.settings.summary.accessibleName()
    )
    document.set_spec(binding="plain", phases=False, loads=3, load_from="bytes")
    assert (fields.backend["binding"].value, fields.own["phases"].isChecked()) == (
        "plain",
        False,
    )
    assert "loaded from bytes · 3 loads" in tab.settings.summary.accessibleName()


def test_showing_a_setting_does_not_change_it(tab, document):
    document.set_spec(seconds=0.5, dimensions=(Dimension("unknown", 2),))
    document.set_spec(runs=7)
    assert document.spec.seconds == 0.5
    assert document.spec.dimensions == (Dimension("unknown", 2),)
    assert tab.settings.fields.own["runs"].value() == 7


def test_devices_can_be_chosen_and_one_that_cannot_be_used_says_why(tab, document, qtbot):
    broken = Device("cuda:0", "Old card", "gpu", "CUDA", problem="The driver is missing.")
    tab.set_devices((DEVICES[1], DEVICES[0], broken))
    field = tab.settings.fields.device
    assert [field.itemText(i) for i in range(3)] == ["CPU", "WebGPU", "CUDA"]
    items = field.model()
    assert isinstance(items, QStandardItemModel)
    assert [items.item(i).isEnabled() for i in range(3)] == [True, True, False]
    assert "driver is missing" in field.itemData(2, Qt.ItemDataRole.ToolTipRole)
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert document.spec.devices == ("webgpu:0",)
    document.set_spec(devices=("cpu",))
    assert field.currentText() == "CPU"


def test_inputs_from_preview_are_named(tab, document):
    assert "filled automatically" in tab.settings.fields.inputs.accessibleName()
    name = document.model.inputs[0].name if document.model else ""
    document.set_feeds({}, (InputSource(name, "three.png"),))
    assert (
        tab.settings.fields.inputs.accessibleName() == f"Inputs from Preview: {name}: three.png"
    )


def test_a_report_without_its_model_shows_its_settings_and_no_fields(qtbot, theme, engine):
    report = example_report()
    document = Document(None, report.spec, started(engine))
    document.add_report(report)
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(576, 622)
    tab.show()
    assert tab.settings.title.text() == "Measured with"
    assert tab.settings.summary.accessibleName().startswith("WebGPU + CPU · all optimizations")
    assert "image: random:0" in tab.settings.summary.accessibleName()
    assert visible(tab.settings.opener, tab.settings.fields, tab.invitation) == [False] * 3
    assert tab.report_view.isVisible()


def test_a_span_selects_its_row_and_a_row_its_span(tab, document, qtbot):
    document.add_report(example_report())
    view = tab.report_view
    lanes, table = view.timeline.lanes, view.layers.table
    model = view.layers.model
    table.selectRow(model.row_at(13))
    assert lanes.selected_span is not None
    assert document.report.trace.layer[lanes.selected_span] == 13
    qtbot.keyClick(lanes, "]")
    assert document.selection.now.layer == 15
    assert table.currentIndex().row() == model.row_at(15)


def test_another_report_replaces_the_view_and_forgets_the_span(tab, document):
    document.add_report(example_report())
    tab.report_view.timeline.lanes.pick(3)
    document.add_report(example_report(median_ns=4_000_000, seed=9))
    assert document.selection.now.span is None
    cards = tab.report_view.cards.cards
    assert cards[0].accessibleDescription().startswith("4.01 ms")


def test_units_tell_layers_and_kernel_time_and_account_for_all_of_it():
    report = example_report()
    gpu, cpu = work_by_device(report)
    assert (gpu.name, gpu.layers, cpu.name, cpu.layers) == ("WebGPU", 12, "CPU", 3)
    assert gpu.kernel_ns + cpu.kernel_ns == report.kernel_ns


@pytest.mark.parametrize(("width", "columns"), [(872, 4), (672, 2)])
def test_nothing_is_cut_off_at_either_width(tab, document, qtbot, width, columns):
    document.add_report(example_report())
    tab.resize(width, 622)
    view = tab.report_view
    table, legend = view.layers.table, view.legend

    def is_laid_out() -> None:
        assert view.width() <= width - 32
        assert len({card.y() for card in view.cards.cards}) == 4 // columns
        assert table.horizontalHeader().length() <= table.viewport().width() + 1
        assert legend.height() >= legend.heightForWidth(legend.width())
        assert table.height() >= 4 * 28

    qtbot.waitUntil(is_laid_out)


def test_the_theme_changes_everything_that_is_shown(tab, document, theme):
    document.add_report(example_report())
    light = tab.grab().toImage()
    theme.choose("dark")
    dark = tab.grab().toImage()
    dim = sum(
        dark.pixelColor(x, y).lightness() < 110
        for x in range(5, 900, 15)
        for y in range(5, 800, 15)
    )
    assert light.pixelColor(300, 300).lightness() > 200
    assert dim > 0.85 * 60 * 53


def test_layers_to_keep_on_the_cpu_are_written_in_a_line(tab, document, qtbot):
    field = tab.settings.fields.backend["on_cpu"]
    document.set_spec(devices=("cpu",))
    assert not field.isEnabled()
    document.set_spec(devices=("webgpu",))
    qtbot.keyClicks(field, "7; /head/*;; 7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert document.spec.on_cpu == ("7", "/head/*")
    document.set_spec(on_cpu=())
    assert field.text() == ""


def test_options_for_the_provider_and_what_is_loaded_are_chosen(tab, document, qtbot):
    fields = tab.settings.fields
    document.set_spec(devices=("cpu",))
    assert not fields.backend["provider_options"].isEnabled()
    document.set_spec(devices=("webgpu",))
    qtbot.keyClicks(fields.backend["provider_options"], "soc_model=60; vtcm")
    qtbot.keyClick(fields.backend["provider_options"], Qt.Key.Key_Return)
    assert document.spec.provider_options == ()
    assert (
        "'vtcm' is not of the form key=value"
        in fields.backend["provider_options"].accessibleDescription()
    )
    qtbot.keyClicks(fields.backend["provider_options"], "_mb=8")
    qtbot.keyClick(fields.backend["provider_options"], Qt.Key.Key_Return)
    assert document.spec.provider_options == (
        ProviderOption("soc_model", "60"), ProviderOption("vtcm_mb", "8"),
    )  # fmt: skip
    qtbot.keyClick(fields.backend["load_from"], Qt.Key.Key_Down)
    assert document.spec.load_from == "bytes"
    document.set_spec(provider_options=(), load_from="compiled", binding="device")
    assert (fields.backend["provider_options"].text(), fields.backend["load_from"].value) == (
        "",
        "compiled",
    )
    assert fields.backend["binding"].value == "device"


def test_a_selected_layer_stays_selected_in_another_report_of_the_model(qtbot, samples):
    document = made_documents.opened(qtbot, samples / "digits_float32.onnx")
    model = document.model
    first = replace(example_report(), layers=example_report().layers[: len(model.layers)])
    document.selection.choose(layer=3)
    document.add_report(first)
    assert document.selection.now == Selected(layer=3)
    document.selection.choose(layer=4, span=2)
    document.add_report(replace(first))
    assert document.selection.now == Selected(layer=4), "spans are of one timeline"
    document.add_report(replace(first, layers=first.layers[:3]))
    assert document.selection.now == Selected()


def test_measuring_the_peak_keeps_the_report_and_says_what_it_does(
    tab, document, engine, qtbot, monkeypatch
):
    document.add_report(
        replace(
            example_report(),
            environment=replace(example_report().environment, cpu=machine.processor_name()),
        )
    )
    before = document.report
    peak = Ceiling("webgpu:0", "float32", 0, 1e12, 1e11, "2026-01-02")

    def add(_: Any, __: Path, report: PerformanceReport, ___: Any) -> PerformanceReport:
        engine.tell(Progress("ceilings", -1.0))
        assert engine.gate.wait(60)
        return replace(report, roofline=Roofline((peak,), (LayerWork(0, 1_000_000, 1_000),)))

    monkeypatch.setattr(ceilings, "add_roofline", add)
    button = tab.report_view.roofline.measure
    assert button.text() == "Measure device peak"
    with qtbot.waitSignal(document.progressed):
        qtbot.mouseClick(button, LEFT)
    assert document.work is Work.PEAK
    assert visible(tab.progress) == [False], "the report would move under the pointer"
    assert (button.text(), button.isEnabled()) == ("Measuring…", False)
    assert "report stays as it is" in button.toolTip()
    tab.report_view.layers.views.choose(1)
    finish(qtbot, engine, document)
    assert tab.report_view.layers.views.current == 1, "the rows are still operator types"
    assert engine.specs == [], "the model is not measured again"
    assert document.reports == (document.report,)
    assert document.report.prediction_ns == before.prediction_ns
    assert document.report.roofline.ceilings == (peak,)


def test_a_second_measurement_that_contradicts_the_first_is_marked_on_the_card(tab, document):
    def of(median_ns: int) -> PerformanceReport:
        times = tuple(median_ns + place % 5 for place in range(50))
        return replace(example_report(), prediction_ns=times, prediction_cpu_ns=times)

    document.add_report(of(76_000))
    assert not tab.report_view.cards.latency.doubts
    document.add_report(of(53_000))
    card = tab.report_view.cards.latency
    assert str(card.doubts[0].short) == "2 measurements: 53.0 µs to 76.0 µs"
    assert card.interval == "53.0 µs to 76.0 µs in all measurements with these settings"
    notes = " ".join(label.text() for label in tab.report_view.notes.findChildren(QLabel))
    assert "contradict each other" in notes


def test_a_low_window_shows_activity_and_data_above_the_compute_units(tab, document, qtbot):
    document.add_report(example_report())
    view = tab.report_view
    tab.resize(1200, 800)  # of a window of 1440 x 900
    roomy = [band.title for band in view.timeline.lanes.bands]
    tab.resize(1000, 600)  # of a window of 1100 x 700
    qtbot.waitUntil(lambda: view.width() <= 1000)
    assert [band.title for band in view.timeline.lanes.bands] == roomy
    assert view.timeline.axis.isVisible()


def test_a_new_report_has_the_keys_and_tab_goes_on_to_its_parts(tab, document, qtbot):
    tab.activateWindow()
    document.add_report(example_report())
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    area = QApplication.focusWidget()
    assert area.accessibleName() == "Performance report"
    view, passed = tab.report_view, list[QWidget]()
    for _ in range(24):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        passed.append(QApplication.focusWidget())
    assert view.cards.latency.more in passed[:3]
    assert all(map(view.isAncestorOf, passed)), "not through other parts of the window"
    heights = [each.mapTo(view, QPoint()).y() for each in passed]
    table = passed.index(view.layers.table)
    assert all(high <= heights[table] for high in heights[:table]), "from the top down"
    assert all(high >= heights[table] for high in heights[table:])
    document.add_report(example_report())
    assert tab.isAncestorOf(QApplication.focusWidget())
