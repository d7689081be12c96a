import csv
import io
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.formats.opening import open_model
from inspector.formats.traces.detection import open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.aggregation import GroupBy
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.events_table import EventsCard
from inspector.ui.tabs.trace.tab import TraceTab
from inspector.ui.tabs.trace.trace_export import TraceExporter
from inspector.ui.widgets.export_forms import trace_forms
from inspector.ui.widgets.page_table import NOTHING
from inspector.ui.widgets.theme import Theme

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
CALLS = Track(Lane.ACTIVITY, "Activity", family="activity")
LAYERS = (TracedLayer(0, "block/conv", "Conv"), TracedLayer(1, "block/relu", "Relu"))


def example(notes: tuple[str, ...] = ()) -> OpenedTrace:
    build = TraceBuilder()
    for run in range(3):
        start = run * 10_000
        build.add(CALLS, "model_run", start, 5_000, run=run)
        build.add(CPU, "block/conv", start + 100, 3_000 + run, Kind.KERNEL, 0, run)
        build.add(CPU, "block/relu", start + 4_000, 500, Kind.KERNEL, 1, run)
    build.add(CALLS, "mark", 31_000, 0, Kind.EVENT)
    return OpenedTrace(build.trace(), LAYERS, notes, "ONNX Runtime profile")


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme) -> TraceTab:
    made = TraceTab(theme, TraceDocument(Path("run.json"), example()))
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show()
    qtbot.waitUntil(made.updatesEnabled)
    return made


def test_what_is_done_before_the_tab_is_whole_is_not_lost(qtbot, theme):
    document = TraceDocument(Path("run.json"), example())
    made = TraceTab(theme, document)
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show()
    assert not made.findChildren(EventsCard), "it comes in a turn of its own"
    assert not made.updatesEnabled(), "and nothing is seen until then"
    assert not made.timeline.isVisible(), "not even a picture of what was there before"
    document.selection.choose(0, 4)
    QTest.keyClick(made.timeline.lanes, Qt.Key.Key_F)
    made.timeline.state.mark(0, 20_000)
    QTest.mouseClick(made, Qt.MouseButton.LeftButton, pos=made.rect().center())
    made.resize(1200, 900)
    qtbot.waitUntil(made.updatesEnabled)
    (events,) = made.findChildren(EventsCard)
    assert made.events is events
    assert events.isVisible()
    qtbot.waitUntil(lambda: "selected" in events.count.text())
    assert events.table.currentIndex().row() == events.selected_row()
    assert made.split.sizes()[0] <= made.timeline.preferred_height()
    assert min(made.split.sizes()) > 100


def test_a_tab_that_is_let_go_before_it_is_whole_does_not_complain(qtbot, theme):
    made = TraceTab(theme, TraceDocument(Path("run.json"), example()))
    made.show()
    made.close()
    made.deleteLater()
    with qtbot.waitSignal(made.destroyed):
        pass


def column(tab: TraceTab, what: str) -> list[str]:
    model = tab.events.model
    place = model.place(what)
    return [model.index(row, place).data() for row in range(model.rowCount())]


def keys(tab: TraceTab) -> set[str]:
    return {each.key for each in tab.events.model.columns}


def click_row(tab: TraceTab, row: int) -> None:
    table = tab.events.table
    point = table.visualRect(tab.events.model.index(row, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=point)


def click_title(tab: TraceTab, what: str) -> None:
    header = tab.events.table.horizontalHeader()
    x = header.sectionViewportPosition(tab.events.model.place(what)) + 30
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 14))


def test_most_own_time_stands_first_and_every_number_is_there(tab):
    assert column(tab, "name") == ["block/conv", "model_run", "block/relu", "mark"]
    row = [
        tab.events.model.index(0, place).data()
        for place in range(tab.events.model.columnCount())
    ]
    assert row == [
        "block/conv", "Conv", "CPU", "3", "9.00 µs", "9.00 µs", "3.00 µs", "3.00 µs",
        "3.00 µs", "3.00 µs", "3.00 µs", "", "60.0%",
    ]  # fmt: skip
    assert column(tab, "total")[3] == "–"


def test_a_title_sorts_and_the_second_click_turns_the_order_around(tab):
    click_title(tab, "count")
    assert column(tab, "count") == ["3", "3", "3", "1"]
    click_title(tab, "count")
    assert column(tab, "count") == ["1", "3", "3", "3"]
    click_title(tab, "name")
    assert column(tab, "name") == ["block/conv", "block/relu", "mark", "model_run"]


def test_a_filter_leaves_what_holds_every_word(qtbot, tab):
    qtbot.keyClicks(tab.events.filter, "cpu conv")
    assert column(tab, "name") == ["block/conv"]
    assert tab.events.count.text() == "1 of 4 · self 9.00 µs"
    tab.events.filter.clear()
    assert len(column(tab, "name")) == 4


def test_a_row_selects_its_longest_span_and_the_timeline_shows_it(tab):
    click_row(tab, 0)
    chosen = tab.document.selection.now
    assert chosen.span is not None
    span = tab.document.opened.trace.span(chosen.span)
    assert (span.name, span.run, chosen.layer) == ("block/conv", 2, 0)
    assert tab.timeline.lanes.selected_span == chosen.span


def test_what_is_known_of_the_selected_event_stands_below_the_timeline(tab):
    assert tab.told.accessibleName().startswith("Select an event")
    click_row(tab, 0)
    assert tab.told.accessibleName() == (
        "block/conv  ·  Duration 3.00 µs  ·  Start 20.1 µs  ·  Kind Kernel  ·  "
        "Operator Conv  ·  Device CPU  ·  Run 3"
    )


def test_a_span_selects_its_row(tab):
    lanes = tab.timeline.lanes
    tab.timeline.window_of_time.fit()
    trace = tab.document.opened.trace
    relu = next(i for i in range(len(trace)) if trace.span(i).name == "block/relu")
    QTest.mouseClick(
        lanes, Qt.MouseButton.LeftButton, pos=lanes.box_of(relu).center().toPoint()
    )
    assert tab.events.table.currentIndex().row() == 2
    tab.document.selection.choose()
    assert not tab.events.table.selectionModel().hasSelection()


def test_events_add_up_by_operator_and_by_track(tab):
    tab.events.by.show_value(GroupBy.OPERATOR)
    assert column(tab, "name") == ["Conv", "model_run", "Relu", "mark"]
    tab.events.by.show_value(GroupBy.TRACK)
    assert column(tab, "name") == ["CPU", "Activity"]
    assert column(tab, "share") == ["70.0%", "30.0%"]
    assert "track" not in keys(tab)


def test_what_is_marked_adds_up_alone(qtbot, tab):
    lanes = tab.timeline.lanes
    lanes.mark(0, 9_000)
    qtbot.waitUntil(lambda: column(tab, "count") == ["1", "1", "1"])
    assert tab.events.count.text() == "3 · in the selected 9.00 µs"
    tab.events.by.show_value(GroupBy.TRACK)
    assert column(tab, "count") == ["2", "1"]
    lanes.mark(0, 0)
    qtbot.waitUntil(lambda: column(tab, "count") == ["6", "4"])


def test_a_trace_that_knows_no_operators_does_not_offer_them(qtbot, theme):
    opened = example()
    bare = OpenedTrace(opened.trace, (), (), "Chrome trace")
    made = TraceTab(theme, TraceDocument(Path("other.json"), bare))
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show()
    qtbot.waitUntil(made.updatesEnabled)
    assert "operator" not in keys(made)
    made.events.by.show_value(GroupBy.TRACK)
    assert column(made, "name") == ["CPU", "Activity"]


def test_notes_are_told_and_too_many_are_summed_up(qtbot, theme):
    notes = tuple(f"Note {i}." for i in range(9))
    made = TraceTab(theme, TraceDocument(Path("run.json"), example(notes)))
    qtbot.addWidget(made)
    assert made.notes.words == ("Note 0.", "Note 1.", "Note 2.", "And 6 more notes.")


def test_a_trace_without_notes_has_no_empty_line_for_them(tab):
    assert not tab.notes.isVisible()


def test_columns_give_way_where_there_is_little_room(tab):
    keys = [each.key for each in tab.events.model.columns]
    wide, small = (
        dict(zip(keys, tab.events.table.widths(room), strict=True)) for room in (1200, 560)
    )
    assert all(wide.values())
    assert sum(small.values()) <= 560
    assert {"name", "track", "count", "total", "self"} <= {k for k in keys if small[k]}


def test_a_document_says_what_it_is():
    document = TraceDocument(Path("run.json"), example())
    assert document.about == "ONNX Runtime profile · 10 events · 31.0 µs"


@pytest.mark.parametrize("form", [each.id for each in trace_forms()])
def test_a_trace_leaves_the_window_in_every_form(qtbot, tab, tmp_path, form):
    exporter, path = TraceExporter(tab), tmp_path / form
    tab.timeline.window_of_time.show(0, 9_000)
    with qtbot.waitSignal(exporter.done):
        exporter.save(tab, form, path)
    body = path.read_bytes()
    if form in ("json", "visible"):
        again = open_trace(path)
        assert len(again.trace) == (10 if form == "json" else 3)
        assert json.loads(body)["otherData"]["file"] == "run.json"
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(body.decode())))
        assert [row["name"] for row in rows][:2] == ["model_run", "block/conv"]
    elif form == "png":
        assert body.startswith(b"\x89PNG")
    elif form == "npz":
        assert len(open_trace(path).trace) == 10
    else:
        assert b"block/" not in body[:100]
        assert b"<svg" in body[:500]
        assert b"Activity" in body


def test_words_of_a_saved_picture_are_as_sharp_as_it(qtbot, tab, tmp_path):
    exporter, path = TraceExporter(tab), tmp_path / "rows.png"
    with qtbot.waitSignal(exporter.done):
        exporter.save(tab, "png", path)
    picture = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    axis = picture.copy(0, 0, picture.width(), 2 * tab.timeline.axis.height())
    coarse = axis.scaled(axis.width() // 2, axis.height() // 2)
    assert axis != coarse.scaled(axis.size()), "no pixel of a letter is four of the picture"


def test_a_failed_export_is_told(qtbot, tab, tmp_path):
    exporter = TraceExporter(tab)
    with qtbot.waitSignal(exporter.failed) as told:
        exporter.save(tab, "csv", tmp_path / "none" / "x.csv")
    assert "x.csv" in told.args[0].what


def test_a_picture_holds_the_rows_and_no_buttons(qtbot, tab, tmp_path):
    exporter, path = TraceExporter(tab), tmp_path / "rows.svg"
    tab.timeline.window_of_time.show(1_000, 4_000)  # the call begins before and ends after
    with qtbot.waitSignal(exporter.done):
        exporter.save(tab, "svg", path)
    body = path.read_text("utf-8")
    assert "CPU" in body
    assert not {"Find", "Group by lane", "Select an event"} & set(
        body.replace("<", ">").split(">")
    )


def test_the_title_of_the_names_is_what_events_have_in_common(tab):
    place = tab.events.model.place("name")
    head = Qt.Orientation.Horizontal
    assert tab.events.model.headerData(place, head) == "Event"
    tab.events.by.show_value(GroupBy.LANE)
    assert tab.events.model.headerData(place, head) == "Lane"
    assert "operator" not in keys(tab)
    assert "track" not in keys(tab)


def test_what_reaches_over_tracks_names_its_lane(tab):
    tab.events.by.show_value(GroupBy.ITERATION)
    place = tab.events.model.place("track")
    assert tab.events.model.headerData(place, Qt.Orientation.Horizontal) == "Lane"
    assert set(column(tab, "track")) == {"Activity", "Compute"}
    tab.events.filter.setText("compute")
    assert set(column(tab, "track")) == {"Compute"}


def test_a_filter_that_leaves_nothing_says_so(qtbot, tab):
    table = tab.events.table
    before = table.grab().toImage()
    qtbot.keyClicks(tab.events.filter, "no such event")
    assert tab.events.count.text() == "0 of 4"
    assert table.accessibleDescription() == NOTHING
    assert table.nothing_picked
    assert table.grab().toImage() != before
    tab.events.filter.clear()
    assert table.accessibleDescription() == ""


def test_another_trace_stands_beside_this_one_until_it_is_closed(tab, qtbot, tmp_path):
    other = tmp_path / "other.json"
    other.write_bytes(trace_events(example().trace, LAYERS, {}, ()))
    tab.compare_with(other)
    qtbot.waitUntil(tab.comparison.isVisible)
    assert "other.json" in tab.compared.accessibleName()
    assert [section.id for section in tab.comparison.page.sections][-1] == "events"
    qtbot.mouseClick(tab.end_comparison, Qt.MouseButton.LeftButton)
    assert not tab.comparison.isVisible()
    with qtbot.waitSignal(tab.failed):
        tab.compare_with(tmp_path / "missing.json")


def test_a_selected_event_is_the_layer_in_the_graph_beside_it(qtbot, theme, samples):
    model = open_model(samples / "digits_float32.onnx")
    relu = next(layer for layer in model.layers if layer.name == "stem/relu")
    track = Track(Lane.COMPUTE, "digits · CPU", "cpu", "cpu", model="digits.onnx")
    build = TraceBuilder()
    for run in range(2):
        build.add(track, "stem/relu_output_nchwc", run * 10_000, 3_000, Kind.KERNEL, 0, run)
    layers = (TracedLayer(0, "stem/relu_output_nchwc", "Conv"),)
    opened = OpenedTrace(build.trace(), layers, (), "recording")
    document = TraceDocument(Path("a.json"), opened)
    tab = TraceTab(theme, document)
    qtbot.addWidget(tab)
    tab.show()
    assert tab.profiled == "digits.onnx"
    tab.show_graph(model)
    graph = tab.graph
    qtbot.waitUntil(lambda: graph.view.scene is not None)
    assert graph.view.scene.notes[relu.index] == "3.00 µs", "the mean of a run"
    assert graph.untimed.isVisible(), "the Conv has no time of its own"
    document.selection.choose(0, 1)
    assert graph.selection.now.layer == relu.index
    document.selection.choose()
    graph.selection.choose()
    graph.selection.choose(relu.index)
    assert document.selection.now.span == 0
    qtbot.mouseClick(graph.close_button, Qt.MouseButton.LeftButton)
    assert tab.graph is None
