"""The layer table under clicks and typing."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector import units
from inspector.pages.report.layer_table import layer_table
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import LayerUse, PerformanceReport, Support
from inspector.ui.selection import Selected, Selection
from inspector.ui.tabs.performance.layer_table import LayerTable
from inspector.ui.widgets.page_table import PageTable, PageTableModel
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.theme import Theme
from inspector.wording.support_marks import Mark, Source, Status
from tests.reports import CPU, GPU, example_report
from tests.test_layer_sum_shown import LATENCY, line_of
from tests.test_layer_sum_shown import measured as measured_on_cpu

LEFT, TEXT = Qt.MouseButton.LeftButton, Qt.ItemDataRole.DisplayRole
TIP, SAID = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole


@pytest.fixture
def report() -> PerformanceReport:
    return example_report()


@pytest.fixture
def table(
    qtbot: QtBot, theme: Theme, report: PerformanceReport, selection: Selection
) -> LayerTable:
    made = LayerTable(theme, report, selection)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    made.untimed.setChecked(True)
    made.model.sort_by(0)
    return made


def in_order(report: PerformanceReport, precisions: tuple[str, ...] = ()) -> PageTableModel:
    """All layers in the order of the model."""
    model = PageTableModel(layer_table(report, precisions))
    model.sort_by(0)
    return model


def column(model: PageTableModel, key: str) -> list[str]:
    return [model.text(row, model.column(key)) for row in range(model.rowCount())]


def spoken(model: PageTableModel, row: int, key: str) -> str:
    return str(model.data(model.index(row, model.place(key)), SAID))


def click_header(qtbot: QtBot, table: LayerTable, what: str) -> None:
    header = table.table.horizontalHeader()
    section = table.model.place(what)
    x = header.sectionViewportPosition(section) + header.sectionSize(section) // 2
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(x, ROW // 2))


def test_times_are_right_sums_and_layers_without_one_say_why(table, report):
    times = column(table.model, "time")
    assert times[0] == units.duration(report.layers[0].time_ns or 0, report.profiling.clock_ns)
    assert times[1] == "fused into 0"
    assert times[16] == "folded"
    assert times[21] == "dead"
    shares = [float(text.rstrip("%")) for text in column(table.model, "share") if text]
    assert sum(shares) == pytest.approx(100, abs=0.6)
    (added,) = [each for each in column(table.model, "name") if "added by the runtime" in each]
    assert added.startswith(f"{len(report.inserted)} ")
    assert table.shown_ns() == report.kernel_ns


def test_a_click_on_a_title_sorts_by_numbers_and_the_next_one_turns_it(table, qtbot):
    click_header(qtbot, table, "time")
    timed = [float(t.split()[0]) for t in column(table.model, "time") if t.endswith(" ms")]
    assert timed == sorted(timed, reverse=True)
    assert column(table.model, "time")[-1] in ("folded", "dead")
    click_header(qtbot, table, "time")
    turned = column(table.model, "time")
    assert [float(t.split()[0]) for t in turned if t.endswith(" ms")] == sorted(timed)
    assert not turned[-1].endswith(" ms"), "what has no time stays last"
    click_header(qtbot, table, "operator")
    operators = column(table.model, "operator")
    assert operators == sorted(operators, key=str.casefold)
    click_header(qtbot, table, "index")
    assert column(table.model, "index") == [*(str(i) for i in range(22)), "+"]


def test_typing_picks_by_name_operator_or_device(table, qtbot):
    qtbot.keyClicks(table.filter, "head CONV")
    assert column(table.model, "name") == ["head/conv"]
    assert table.count.text().startswith("1 of 22")
    table.filter.clear()
    qtbot.keyClicks(table.filter, "topk")
    assert column(table.model, "index") == ["19"]
    table.filter.clear()
    qtbot.keyClicks(table.filter, "cpu")
    assert column(table.model, "index") == ["9", "19", "20"]
    table.filter.clear()
    assert table.model.rowCount() == 22 + 1


def test_typing_what_a_device_says_finds_the_layers(table, qtbot):
    table.filter.setText("unsupported")
    shown = [table.entry(row) for row in range(table.model.rowCount())]
    assert {entry.index for entry in shown if isinstance(entry, LayerUse)} == {9, 19}


def test_a_row_selects_its_layer_and_the_other_way_round(table, selection, qtbot):
    view = table.table
    row = view.visualRect(table.model.index(3, 1)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=row)
    assert selection.now == Selected(layer=3)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert selection.now == Selected(layer=4)
    selection.choose(layer=18, span=7)
    assert view.currentIndex().row() == 18
    assert selection.now == Selected(layer=18, span=7), "following is no choice of its own"
    selection.choose()
    assert view.currentIndex() == QModelIndex()


def test_the_selection_survives_sort_and_filter(table, selection, qtbot):
    selection.choose(layer=13, span=40)
    click_header(qtbot, table, "time")
    assert table.table.currentIndex().row() == 0
    table.filter.setText("softmax")
    assert table.table.currentIndex() == QModelIndex()
    table.filter.clear()
    assert table.table.currentIndex().row() == 0
    assert selection.now == Selected(layer=13, span=40)


def test_inserted_nodes_are_listed_on_demand_beside_their_neighbors(table, report, selection):
    assert table.inserted.text().startswith("4 added by runtime")
    table.inserted.setChecked(True)
    assert table.model.rowCount() == 26
    names = column(table.model, "name")
    assert names[:2] == ["to_nhwc", "stem/conv"]
    assert names.index("gate_to_host") == names.index("blocks.1/squeeze/gate") - 1
    row = names.index("gate_to_host")
    model = table.model
    assert column(model, "precision")[row] == "copy"
    assert spoken(model, row, f"mark {GPU}") == "Added by the runtime, ran here"
    table.table.selectRow(row)
    span = selection.now.span
    assert span is not None
    assert report.trace.span(span).name == "gate_to_host"
    assert table.table.currentIndex().row() == row
    assert table.shown_ns() == report.kernel_ns


def test_a_marker_tells_its_words_source_and_reason(table):
    model = table.model
    words = "WebGPU: Not supported: no kernel for HardSigmoid (probed)"
    assert spoken(model, 9, f"mark {GPU}") == words
    assert words in model.data(model.index(9, model.place(f"mark {GPU}")), TIP)
    assert spoken(model, 0, f"mark {CPU}") == "CPU: Supported, not chosen (probed)"


def test_names_with_markup_stay_names(qtbot, theme, report):
    layer = replace(report.layers[0], name="<b>bold</b>\n\u202egnp", operator="<i>" * 300)
    made = LayerTable(theme, replace(report, layers=(layer,)), Selection())
    qtbot.addWidget(made)
    model = made.model
    assert (
        model.data(model.index(0, 1), TIP) == "<p>&lt;b&gt;bold&lt;/b&gt;\\u000a\\u202egnp</p>"
    )
    assert model.data(model.index(0, 1), TEXT).isprintable()
    assert not made.grab().isNull()


def test_layers_of_a_subgraph_are_indented_in_the_order_of_the_model(theme, report):
    def layer(index: int, parent: int | None) -> LayerUse:
        return LayerUse(
            index, f"n{index}", "Add", Status.EXECUTED, CPU, 5 - index, parent=parent
        )

    layers = (layer(0, None), layer(1, 0), layer(2, 1), layer(3, None))
    model = in_order(replace(report, layers=layers, inserted=()))
    assert [model.row(row).depth for row in range(4)] == [0, 1, 2, 0]
    assert model.in_order
    model.sort_by(model.place("time"), downwards=False)
    assert column(model, "index") == ["3", "2", "1", "0"]
    assert not model.in_order


def test_precision_is_what_a_layer_works_in_where_that_is_known(report):
    assert column(in_order(report), "precision")[0] == "float32"
    known = in_order(report, ("int8", "float16"))
    assert column(known, "precision")[:3] == ["int8", "float16", "float32"]


@pytest.mark.parametrize("room", [1400, 872, 534, 380])
def test_names_and_times_find_room_and_the_rest_in_turn(report, qtbot, theme, room):
    table = PageTable(theme, "Layers", layer_table(report))
    qtbot.addWidget(table)
    found = dict(zip([c.key for c in table.rows.columns], table.widths(room), strict=True))
    assert found["name"] >= 120
    assert found["time"] >= 60
    if room > 500:
        assert sum(found.values()) == room
    gone = [key for key, width in found.items() if not width]
    assert (found["output"] == 0) == bool(gone), "the first to go"


def test_ten_thousand_layers_sort_and_filter(report):
    marks = {CPU: Support(Mark.RAN, Source.MEASURED)}
    layers = tuple(
        LayerUse(
            i, f"block.{i % 977}/op{i}", "Conv", Status.EXECUTED, CPU, i * 7919 % 10_007, marks
        )
        for i in range(10_000)
    )
    model = PageTableModel(layer_table(replace(report, layers=layers)))
    model.pick("warm")
    model.sort_by(model.place("time"), downwards=True)
    model.pick("op99 conv")
    assert model.rowCount() == 111
    times = [layers[model.place_of(row)].time_ns or 0 for row in range(50)]
    assert times == sorted(times, reverse=True)


def test_timed_layers_come_first_and_the_others_on_demand(qtbot, theme, report):
    table = LayerTable(theme, report, Selection())
    qtbot.addWidget(table)
    table.resize(900, 700)
    table.show()
    untimed = sum(layer.time_ns is None for layer in report.layers)
    assert table.untimed.text() == f"{untimed} fused or removed"
    entries = [table.entry(row) for row in range(table.model.rowCount())]
    times = [entry.time_ns or 0 for entry in entries]
    assert len(times) == len(report.layers) - untimed + 1, "what the runtime added is one row"
    assert times == sorted(times, reverse=True)
    qtbot.mouseClick(table.untimed, LEFT, pos=QPoint(8, table.untimed.height() // 2))
    assert table.model.rowCount() == len(report.layers) + 1


def test_operator_types_stand_beside_the_layers_and_lead_to_them(qtbot, theme, report):
    table = LayerTable(theme, report, Selection())
    qtbot.addWidget(table)
    table.resize(900, 700)
    table.show()
    qtbot.mouseClick(table.views, LEFT, pos=QPoint(table.views.width() - 20, 15))
    assert table.types.isVisible()
    assert not table.table.isVisible()
    model = table.types.rows
    cells = [model.text(0, column) for column in model.columns]
    assert cells[:2] == ["Conv", "6"]
    assert "70.0%" in cells
    table.types.activated.emit(model.index(0, 0))
    assert table.table.isVisible()
    assert set(column(table.model, "operator")) == {"Conv"}


def test_a_table_on_a_page_leaves_the_wheel_to_it_and_shows_all_rows_on_demand(
    qtbot, theme, report
):
    layers = tuple(
        LayerUse(i, f"n{i}", "Conv", Status.EXECUTED, CPU, 10_000 - i) for i in range(100)
    )
    selection = Selection()
    table = LayerTable(theme, replace(report, layers=layers), selection)
    page, area = QWidget(), QScrollArea()
    QVBoxLayout(page).addWidget(table)
    area.setWidgetResizable(True)
    area.setWidget(page)
    qtbot.addWidget(area)
    area.resize(900, 400)
    area.show()
    assert table.table.height() == ROW * 41
    at = QPointF(300, 200)
    event = QWheelEvent(
        at, table.table.viewport().mapToGlobal(at), QPoint(), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(table.table.viewport(), event)
    assert not event.isAccepted()
    assert table.table.verticalScrollBar().value() == 0
    assert table.more_rows.text() == "Show all 101 rows"
    selection.choose(layer=90)
    assert table.table.height() == ROW * 102, "what is selected is shown"
    assert not table.more_rows.isVisible()


def test_the_menu_of_a_row_copies_filters_and_shows_elsewhere(qtbot, theme, report, ran):
    table = LayerTable(theme, report, Selection())
    qtbot.addWidget(table)
    table.has_model = True
    actions = {action.text(): action for action in table.row_menu.menu(0).actions()}
    assert {"Show in timeline", "Show in graph", "Show weights"} <= set(actions)
    actions["Copy name"].trigger()
    assert QGuiApplication.clipboard().text() == "head/conv"
    actions["Show in graph"].trigger()
    assert ran == [("tab/graph",)]
    actions["Filter to Conv"].trigger()
    assert set(column(table.model, "operator")) == {"Conv"}


def test_layers_are_found_by_the_reason_why_a_device_does_not_run_them(table, report, qtbot):
    reasons = {
        layer.index: {answer.reason for answer in layer.devices.values() if answer.reason}
        for layer in report.layers
    }
    index, (reason, *_) = next((n, sorted(each)) for n, each in reasons.items() if each)
    row = next(r for r in range(table.model.rowCount()) if table.entry(r).index == index)
    actions = {action.text(): action for action in table.row_menu.menu(row).actions()}
    title = next(text for text in actions if reason[:20] in text)
    actions[title].trigger()
    alike = {n for n, each in reasons.items() if reason in each}
    shown = {table.entry(r).index for r in range(table.model.rowCount())}
    assert shown == alike
    qtbot.keyClicks(table.filter, "x")  # the phrase ends before: nothing has it
    assert table.model.rowCount() < len(report.layers)


def measured(noisy: bool) -> PerformanceReport:
    """The example with the spread of its first layer, noisy or not."""
    report = example_report()
    first, *rest = report.layers
    spread = TimeSpread(90_000, 900_000, 200_000, 220_000, 20, 5 if noisy else 0)
    profiling = Profiling(20, tuple(range(20)), True)
    layers = (replace(first, spread=spread), *rest)
    return replace(report, layers=layers, profiling=profiling)


def test_the_interval_of_each_layer_is_a_column_of_what_was_profiled():
    model = in_order(measured(noisy=False))
    assert column(model, "spread")[0] == "200 \N{MICRO SIGN}s to 220 \N{MICRO SIGN}s"
    assert column(model, "spread")[2] == ""
    assert "spread" not in [each.key for each in layer_table(example_report()).columns]


def test_a_noisy_layer_has_a_badge_behind_its_name(theme, qtbot):
    """Only the badge has the color of a caution; the range is left out in this width."""
    pictures = []
    for noisy in (False, True):
        table = LayerTable(theme, measured(noisy), Selection())
        qtbot.addWidget(table)
        table.resize(560, 400)
        table.show()
        assert table.table.isColumnHidden(table.model.place("spread"))
        pictures.append(table.grab().toImage())
    calm, loud = pictures
    caution = QColor(theme.palette.caution).rgb()

    def tinted(image: QImage) -> int:
        converted = image.convertToFormat(QImage.Format.Format_ARGB32)
        return int((np.frombuffer(converted.constBits(), np.uint32) == caution).sum())

    assert tinted(loud) >= tinted(calm) + 20


def test_the_window_adds_layers_gaps_and_waits_up_to_the_latency_in_one_line(qtbot, theme):
    report = measured_on_cpu()
    table = LayerTable(theme, report, Selection())
    qtbot.addWidget(table)
    table.resize(1400, 700)
    table.show()
    shown = table.sum.text().casefold()
    assert line_of(report) in shown
    assert LATENCY.casefold() in shown
    assert table.sum.isVisible()
    table.resize(480, 400)
    needed = table.sum.heightForWidth(table.sum.width())
    assert table.sum.height() >= needed > 1.5 * table.sum.fontMetrics().height()


def test_the_filter_understands_the_search_language_without_a_model(report, qtbot, theme):
    first, second, *others = report.layers
    first = replace(first, operator="Conv", value="a", output="float32 1×8×5×5")
    second = replace(second, operator="Relu", reads=(first.index,), output="float32 1×8×5×5")
    others = [replace(use, operator="Add", reads=(), output="") for use in others]
    changed = replace(report, layers=(first, second, *others))
    table = LayerTable(theme, changed, Selection())
    qtbot.addWidget(table)
    model = table.model
    table.filter.setText("Conv -> Relu")
    assert {*column(model, "name")} == {first.name, second.name}
    table.filter.setText("1x*x5x5 op:Relu")
    assert column(model, "name") == [second.name]
    table.filter.setText("op:")
    assert "needs a value" in table.count.text()
    assert model.rowCount() == model.total, "nothing is left out"


def test_cautions_are_one_line_until_details_are_asked_for(qtbot):
    report = example_report()
    unsure = tuple(
        replace(x, spread=TimeSpread(1, 9 * x.time_ns, 1, 9 * x.time_ns, 20))
        if x.time_ns
        else x
        for x in report.layers
    )
    table = LayerTable(Theme("light"), replace(report, layers=unsure), Selection())
    qtbot.addWidget(table)
    table.resize(900, 500)
    table.show()
    notice = table.notice
    assert notice.line.text() == "Layer times are approximate: the order by time is uncertain."
    assert notice.line.width() > 400
    assert table.model.sorted_column == table.model.column("time")
    qtbot.mouseClick(notice.more, Qt.MouseButton.LeftButton)
    assert notice.details.text().startswith("The order by time is uncertain: the times of")
