"""The Graph tab, with real clicks."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.analysis.facts.symbolic_sizes import number
from inspector.analysis.layer_numbers import NumberSource
from inspector.model.layer_values import LayerNumbers, Quantity
from inspector.model.model import Function, Layer, Model, TensorInfo
from inspector.platform import plugins
from inspector.platform.files import sample
from inspector.platform.plugins import Plugin
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.graph.coloring import ColorBy
from inspector.ui.graph.paint import edge_labels
from inspector.ui.graph.tab import GraphTab
from inspector.ui.selection import Scope
from inspector.ui.widgets.theme import Theme
from tests.analysis.build import model, value
from tests.reports import example_report
from tests.ui.made_documents import KeepingEngine, document, opened

Key = Qt.Key


@pytest.fixture
def digits(qtbot: QtBot) -> Document:
    path = sample("digits_float32.onnx")
    assert path is not None
    return opened(qtbot, path)


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, digits: Document) -> Iterator[GraphTab]:
    return shown(qtbot, theme, digits)


def shown(qtbot: QtBot, theme: Theme, on: Document) -> GraphTab:
    made = GraphTab(theme, on)
    qtbot.addWidget(made)
    made.resize(916, 822)
    made.show()
    qtbot.waitUntil(lambda: not made.working)
    return made


def with_model(made: Model) -> Document:
    on = document(Path("made.onnx"), KeepingEngine())
    on.model = made
    return on


def chain(count: int) -> Model:
    layers = tuple(
        Layer(i, f"block{i // 4}/relu{i}", "Relu", "", (f"v{i}",), (f"v{i + 1}",))
        for i in range(count)
    )
    return model(layers, inputs=(value("v0"),), outputs=(value(f"v{count}"),))


def measured_model() -> Model:
    uses = example_report().layers
    layers = tuple(
        Layer(u.index, u.name, u.operator, "", (f"v{u.index}",), (f"v{u.index + 1}",))
        for u in uses
    )
    return model(layers, inputs=(value("v0"),), outputs=(value(f"v{len(uses)}"),))


def middle(tab: GraphTab, box: int) -> QPoint:
    scene = tab.view.scene
    x, y, width, height = scene.drawing.box[box].tolist()
    return tab.view.camera.to_view(QPointF(x + width / 2, y + height / 2)).toPoint()


def box_of(tab: GraphTab, layer: int) -> int:
    return int(tab.view.scene.drawing.box_of_layer[layer])


def click(qtbot: QtBot, tab: GraphTab, at: QPoint) -> None:
    qtbot.mouseClick(tab.view, Qt.MouseButton.LeftButton, pos=at)


def wheel(tab: GraphTab, at: QPointF, turn: int) -> None:
    event = QWheelEvent(
        at, tab.view.mapToGlobal(at), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(tab.view, event)


def test_a_click_on_a_box_selects_its_layer(qtbot, tab, digits):
    click(qtbot, tab, middle(tab, box_of(tab, 3)))
    assert digits.selection.now.layer == 3
    assert "Relu" in tab.view.accessibleDescription()


def test_a_box_tells_the_shape_of_its_largest_weight_of_two_dimensions(tab):
    scene = tab.view.scene
    shapes = [scene.weight(box_of(tab, layer)) for layer in (0, 1, 2, 3, 4, 13)]
    assert shapes == ["", "16×1×3×3", "", "", "32×16×3×3", "512×10"]
    assert scene.text(box_of(tab, 4)).note == "32×16×3×3"


def test_within_a_frame_the_leaf_of_a_name_stands_alone(tab):
    scene = tab.view.scene
    names = {text.full_name or text.name for text in map(scene.text, range(len(scene.drawing)))}
    assert "conv" in names
    assert not any(name.endswith("/conv") for name in names)


def test_a_click_beside_the_boxes_selects_nothing(qtbot, tab, digits):
    digits.selection.choose(3)
    click(qtbot, tab, QPoint(30, 400))
    assert digits.selection.now.layer is None


def test_a_selection_from_elsewhere_comes_into_view(tab, digits):
    last = len(tab.view.scene.drawing.box_of_layer) - 1
    digits.selection.choose(last)
    assert tab.view.rect().contains(middle(tab, box_of(tab, last)))


def test_a_selection_in_a_closed_frame_opens_it(tab, digits):
    tab.toolbar.close_all.click()
    assert not tab.opened
    digits.selection.choose(5)
    scene = tab.view.scene
    assert scene.index(box_of(tab, 5)) == 5
    assert tab.view.current == box_of(tab, 5)


def test_frames_open_and_close_together(tab):
    every = tab.opened
    tab.toolbar.close_all.click()
    few = len(tab.view.scene.drawing)
    tab.toolbar.open_all.click()
    assert tab.opened == every
    assert len(tab.view.scene.drawing) > few


def test_return_opens_a_frame_and_closes_it_again_in_its_place(qtbot, tab, digits):
    tab.toolbar.close_all.click()
    box = box_of(tab, 1)
    click(qtbot, tab, middle(tab, box))
    scene = tab.view.scene
    key = scene.key(box)
    assert key is not None
    before = tab.view.camera.to_view(scene.corner_of(key) or QPointF())
    qtbot.keyClick(tab.view, Key.Key_Return)
    assert key in tab.opened
    after = tab.view.camera.to_view(tab.view.scene.corner_of(key) or QPointF())
    assert (after - before).manhattanLength() < 2
    assert digits.selection.now.scope == Scope("stem", (1, 2, 3))
    digits.selection.choose(0)
    digits.selection.back()
    click(qtbot, tab, middle(tab, box_of(tab, 1)))
    qtbot.keyClick(tab.view, Key.Key_Return)
    assert key not in tab.opened


def test_a_double_click_on_the_title_closes_a_frame(qtbot, tab):
    frame = tab.view.scene.drawing.frames[0]
    at = tab.view.camera.to_view(QPointF(frame.x + 30, frame.y + 14)).toPoint()
    qtbot.mouseDClick(tab.view, Qt.MouseButton.LeftButton, pos=at)
    assert frame.key not in tab.opened


def test_the_signs_of_frames_open_and_close_them(qtbot, tab):
    frame = tab.view.scene.drawing.frames[0]
    minus = QPointF(frame.x + frame.width - 18, frame.y + 16)
    click(qtbot, tab, tab.view.camera.to_view(minus).toPoint())
    assert frame.key not in tab.opened
    scene = tab.view.scene
    corner = scene.corner_of(frame.key)
    chevron = corner + QPointF(160, 33)
    click(qtbot, tab, tab.view.camera.to_view(chevron).toPoint())
    assert frame.key in tab.opened


def test_layers_of_a_function_open_and_have_colors(qtbot, theme):
    body = (Layer(0, "", "Conv", "", ("a", "w"), ("b",)),)
    function = Function("Twice", "own", "", ("a", "w"), ("b",), body)
    call = Layer(0, "call", "Twice", "own", ("x", "x"), ("y",))
    tab = shown(qtbot, theme, with_model(model((call,), functions=(function,))))
    click(qtbot, tab, middle(tab, box_of(tab, 0)))
    qtbot.keyClick(tab.view, Key.Key_Return)
    scene = tab.view.scene
    inner = int(np.flatnonzero((scene.drawing.body == 1) & (scene.drawing.kind == 0))[0])
    assert scene.text(inner).title == "Conv"
    assert scene.index(inner) is None
    assert scene.code[inner] > 0


def test_arrows_walk_along_the_flow(qtbot, tab, digits):
    digits.selection.choose(1)
    for key, layer in ((Key.Key_Down, 2), (Key.Key_Down, 3), (Key.Key_Up, 2)):
        qtbot.keyClick(tab.view, key)
        assert digits.selection.now.layer == layer
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert digits.selection.now.layer is None
    view = tab.view
    view.center_layer(9, 1.0)
    corner = view.camera.corner
    for key in (Key.Key_Down, Key.Key_Up):  # the first, or the last of what is seen
        view.choose(-1)
        qtbot.keyClick(view, key)
        assert view.is_in_view(digits.selection.now.layer)
        assert abs(view.camera.corner.y() - corner.y()) < view.height()


def test_the_wheel_zooms_to_the_pointer(tab):
    at, camera = QPointF(300, 200), tab.view.camera
    held, zoom = camera.to_drawing(at), camera.zoom
    wheel(tab, at, -240)
    assert camera.zoom < zoom
    assert (camera.to_view(held) - at).manhattanLength() < 1


def test_keys_zoom_pan_and_show_all(qtbot, tab):
    camera = tab.view.camera
    zoom = camera.zoom
    qtbot.keyClick(tab.view, Key.Key_W)
    assert camera.zoom > zoom
    x = camera.corner.x()
    qtbot.keyClick(tab.view, Key.Key_D)
    assert camera.corner.x() > x
    qtbot.keyClick(tab.view, Key.Key_F)
    assert camera.zoom == pytest.approx(camera.farthest)


def test_dragging_moves_the_graph_and_selects_nothing(qtbot, tab, digits):
    at = middle(tab, box_of(tab, 2))
    corner = tab.view.camera.corner
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(tab.view, left, pos=at)
    qtbot.mouseMove(tab.view, at + QPoint(0, -60))
    qtbot.mouseRelease(tab.view, left, pos=at + QPoint(0, -60))
    assert tab.view.camera.corner.y() == pytest.approx(corner.y() + 60 / tab.view.camera.zoom)
    assert digits.selection.now.layer is None


def test_the_map_moves_the_view(qtbot, tab):
    y = tab.view.camera.corner.y()
    qtbot.mouseClick(tab.map, Qt.MouseButton.LeftButton, pos=QPoint(38, 400))
    assert tab.view.camera.corner.y() > y
    tab.toolbar.close_all.click()
    qtbot.mouseMove(tab.map, QPoint(38, 70))
    names = re.search(r"<p>(.*?)<br>", tab.map.toolTip())
    assert names is not None
    assert re.fullmatch(r"\w+: \d layers, collapsed", names[1])


def test_search_finds_by_name_operator_and_value_and_steps_around(qtbot, tab, digits):
    field = tab.search.field
    for text, count in (("conv", None), ("stem/bn", None), ("BatchNormalization", 3)):
        field.setText(text)
        qtbot.waitUntil(lambda: bool(tab.search.matches))
        assert count is None or len(tab.search.matches) == count
        tab.search.matches = ()
    qtbot.keyClick(field, Key.Key_Backspace)
    qtbot.keyClick(field, Key.Key_Return)
    first = digits.selection.now.layer
    assert tab.search.count_label.text() == "1 of 3"
    for _ in range(3):
        qtbot.keyClick(field, Key.Key_Return)
    assert digits.selection.now.layer == first
    qtbot.keyClick(field, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert tab.search.count_label.text() == "3 of 3"


def test_hits_are_listed_while_typing_marked_and_a_click_goes_there(qtbot, tab, digits):
    field, hits = tab.search.field, tab.search.hits
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert not hits.isVisible()
    qtbot.keyClicks(field, "op:Conv")
    qtbot.waitUntil(hits.isVisible)
    rows = [hits.list.topLevelItem(row) for row in range(hits.list.topLevelItemCount())]
    convs = [layer for layer in digits.model.layers if layer.operator == "Conv"]
    assert [row.text(0) for row in rows] == [layer.label for layer in convs]
    assert {row.text(1) for row in rows} == {"Conv"}
    assert len(tab.view.matches) == len(convs), "they have rings in the graph"
    assert not hits.geometry().intersects(tab.search.geometry())
    qtbot.waitUntil(lambda: hits.height() >= hits.high)  # placed: a row that moves is no target
    where = hits.list.visualItemRect(hits.list.topLevelItem(1)).center()
    assert hits.list.indexOfTopLevelItem(hits.list.itemAt(where)) == 1
    qtbot.mouseClick(hits.list.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert digits.selection.now.layer == convs[1].index
    assert tab.search.count_label.text() == f"2 of {len(convs)}"
    qtbot.keyClick(field, Key.Key_Down)
    assert digits.selection.now.layer == convs[2 % len(convs)].index
    assert hits.list.currentItem() is rows[2 % len(convs)]
    qtbot.keyClick(field, Key.Key_Escape)
    assert not hits.isVisible()


def test_without_a_report_families_are_shown_and_units_cannot_be_chosen(tab):
    assert tab.toolbar.color_by.value == "Operator family"
    assert "Linear algebra" in tab.legend.accessibleDescription()
    item = tab.toolbar.color_by.model().item(0)
    assert not item.isEnabled()


@pytest.mark.parametrize("width", [1400, 916, 700, 560, 380])
def test_the_search_field_has_the_room_beside_the_buttons_or_below_them(tab, width):
    tab.resize(width, 822)
    search, tools = tab.search.geometry(), tab.toolbar.geometry()
    margin = tools.left()
    end = tab.width() - margin
    assert not search.intersects(tools)
    assert tools.right() < end
    assert search.right() + 1 == end or (search.right() < end and search.width() == 300)
    beside = search.top() == tools.top()
    assert search.left() == (tools.right() + 13 if beside else margin)


def test_a_report_brings_times_devices_and_crossings(qtbot, theme):
    on = with_model(measured_model())
    tab = shown(qtbot, theme, on)
    on.add_report(example_report())
    scene = tab.view.scene
    assert tab.toolbar.color_by.value == "Device"
    assert tab.legend.accessibleDescription() == "WebGPU; CPU; Copy between devices"
    assert scene.text(box_of(tab, 0)).right.endswith(" µs")
    assert scene.absent(box_of(tab, 1))
    assert scene.share.max() == pytest.approx(1)
    assert {int(unit) for unit in np.unique(scene.unit)} == {-1, 0, 1}


def test_layers_without_a_box_are_counted_in_the_legend(qtbot, theme):
    parts = ("Constant", (), "k"), ("Add", ("x", "k"), "a"), ("Relu", ("a",), "y")
    layers = (Layer(n, "", name, "", ends, (to,)) for n, (name, ends, to) in enumerate(parts))
    made = model(tuple(layers), inputs=(value("x"),), outputs=(value("y"),))
    tab = shown(qtbot, theme, with_model(made))
    assert "1 layer inside boxes of others" in tab.legend.accessibleDescription()


def test_each_way_of_coloring_has_a_legend(qtbot, theme):
    on = with_model(measured_model())
    on.add_report(example_report())
    tab = shown(qtbot, theme, on)
    legends = set()
    for by in ColorBy:
        if by not in (ColorBy.UNIT, ColorBy.FAMILY, ColorBy.TIME, ColorBy.TYPE):
            continue  # not offered before layers were compared, or without an estimate
        tab.toolbar.color_by.setCurrentIndex(tab.toolbar.color_by.findData(by.value))
        legends.add(tab.legend.accessibleDescription())
    assert len(legends) == 4


def test_the_note_beside_the_pointer_tells_names_and_shapes(qtbot, tab):
    qtbot.mouseMove(tab.view, middle(tab, box_of(tab, 1)))
    facts = dict(tab.view.hover.facts)
    assert tab.view.hover.title == "Conv"
    assert facts["Name"] == "stem/conv"
    assert "Output" in facts


def test_the_note_goes_when_the_view_moves_below_the_pointer(qtbot, tab):
    qtbot.mouseMove(tab.view, QPoint(1, 1))
    qtbot.mouseMove(tab.view, middle(tab, box_of(tab, 1)))
    assert not tab.view.hover.isHidden()
    qtbot.keyClick(tab.view, Qt.Key.Key_D)
    assert tab.view.hover.isHidden()
    assert tab.view.hovered == -1


@pytest.mark.parametrize("form", ["svg", "png"])
def test_what_is_seen_can_be_saved(tab, tmp_path, form):
    path = tmp_path / f"graph.{form}"
    tab.save(path)
    body = path.read_bytes()
    assert body.startswith(b"<?xml" if form == "svg" else b"\x89PNG")
    assert form == "png" or b"BatchNormalization" in body


def test_a_file_that_cannot_be_written_is_told_where_one_looks(tab, tmp_path):
    tab.save(tmp_path / "nowhere" / "graph.svg")
    assert tab.failure.isVisible()
    assert tab.failure.what.text()


def test_many_layers_are_laid_out_while_the_window_goes_on(qtbot, theme):
    made = GraphTab(theme, with_model(chain(3000)))
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    assert made.working
    assert made.message.text() == "Laying out 3,000 layers…"
    made.toolbar.open_all.click()
    qtbot.waitUntil(lambda: not made.working)
    assert made.message.isHidden()


def test_before_the_model_is_read_a_sentence_stands_there(qtbot, theme):
    on = Document(Path("late.onnx"), RunSpec(), lambda _: KeepingEngine())
    tab = shown(qtbot, theme, on)
    assert tab.message.isVisible()
    assert not tab.view.isVisible()
    on.model = chain(8)
    on.tell(Topic.MODEL)
    assert tab.view.isVisible()
    assert len(tab.view.scene.drawing) == 10


def test_hostile_names_are_shown_and_found_without_harm(qtbot, theme):
    name = "<b>x</b>\u202e\n" + "long" * 5000
    layers = (Layer(0, name, name, "", ("x",), ("y",)),)
    tab = shown(qtbot, theme, with_model(model(layers)))
    tab.grab()
    words = tab.view.scene.text(box_of(tab, 0))
    assert len(words.title) < 500
    assert words.title.isprintable()
    tab.search.field.setText("<b>x</b>")
    tab.search.step(1)
    assert tab.search.matches == (0,)


def test_another_theme_redraws_the_graph_and_forgets_closed_tabs(qtbot, theme, digits):
    gone, tab = (shown(qtbot, theme, digits) for _ in range(2))
    gone.close()
    gone.deleteLater()
    qtbot.waitSignal(gone.destroyed, timeout=1000).wait()
    before = tab.view.scene.coloring.colors
    theme.choose("dark")
    assert tab.view.scene.coloring.colors != before


def test_a_model_without_layers_shows_what_goes_in_and_comes_out(qtbot, theme):
    tab = shown(
        qtbot, theme, with_model(model((), inputs=(value("x"),), outputs=(value("x"),)))
    )
    assert len(tab.view.scene.drawing) == 2
    assert tab.legend.isHidden()
    tab.search.field.setText("x")
    tab.search.step(1)
    assert tab.search.count_label.text() == "none"


def test_a_model_without_anything_is_an_empty_graph(qtbot, theme):
    tab = shown(qtbot, theme, with_model(model((), inputs=(), outputs=())))
    assert len(tab.view.scene.drawing) == 0
    assert not tab.grab().isNull()


def test_the_type_of_a_tensor_finds_its_layer(qtbot, theme):
    tab = shown(qtbot, theme, with_model(chain(3)))
    tab.search.field.setText(value("v3").dtype)
    tab.search.step(1)
    assert tab.search.matches == (2,)


def wide(across: int) -> Model:
    """One layer whose result goes to many side by side, and these into one."""
    parts = tuple(
        Layer(i, f"part{i}", "Relu", "", ("stem",), (f"p{i}",)) for i in range(1, across + 1)
    )
    last = Layer(across + 1, "sum", "Sum", "", tuple(f"p{i}" for i in range(1, 9)), ("y",))
    first = Layer(0, "stem", "Relu", "", ("x",), ("stem",))
    more = tuple(
        Layer(across + 2 + i, f"after{i}", "Relu", "", (f"a{i}" if i else "y",), (f"a{i + 1}",))
        for i in range(30)
    )
    return model((first, *parts, last, *more), inputs=(value("x"),), outputs=(value("a30"),))


def test_the_map_lies_beside_the_graph_and_never_over_it(qtbot, theme):
    tab = shown(qtbot, theme, with_model(wide(20)))
    for width in (916, 576):
        tab.resize(width, 622)
        assert not tab.map.geometry().intersects(tab.view.geometry())
        assert tab.view.width() + tab.map.width() == width


def test_what_is_too_wide_is_first_shown_around_its_first_layer(qtbot, theme):
    tab = shown(qtbot, theme, with_model(wide(20)))
    scene, camera = tab.view.scene, tab.view.camera
    assert camera.zoom == pytest.approx(0.7)
    assert scene.drawing.width * 0.6 > tab.view.width()
    assert abs(middle(tab, 0).x() - tab.view.width() / 2) <= 1


def test_frames_that_begin_in_view_and_can_be_read_are_not_cut(qtbot, theme, shared):
    tab = shown(qtbot, theme, opened(qtbot, shared / "real" / "silero_vad_op16_if.onnx"))
    scene, camera = tab.view.scene, tab.view.camera
    inner = next(frame for frame in scene.drawing.frames if frame.group.title == "stft")
    left = camera.to_view(QPointF(inner.x, inner.y)).x()
    assert 0 <= left < left + inner.width * camera.zoom <= tab.view.width()
    assert camera.zoom >= 0.5


def test_a_chain_is_searched_and_a_mistake_is_explained(qtbot, tab):
    qtbot.keyClicks(tab.search.field, "op:Conv -> * -> Relu")
    qtbot.waitUntil(lambda: len(tab.search.matches) > 0)
    layers = tab.document.model.layers
    names = {layers[place].operator for place in tab.search.matches}
    assert names == {"Conv", "BatchNormalization", "Relu"}
    height = tab.search.height()
    qtbot.keyClicks(tab.search.field, " ->")
    qtbot.waitUntil(lambda: tab.search.problem != "")
    assert tab.search.problem_label.isVisible()
    assert "on both sides" in tab.search.problem_label.text()
    assert tab.search.height() > height
    assert not tab.search.matches
    tab.search.field.clear()
    qtbot.waitUntil(lambda: not tab.search.problem_label.isVisible())
    assert tab.search.height() == height


def edge_middle(tab: GraphTab, tensor: str) -> QPoint:
    """A point on the straight edge of a tensor, left of its label."""
    scene = tab.view.scene
    number = scene.drawing.names.index(tensor)
    line = int(np.flatnonzero(scene.drawing.tensor == number)[0])
    x0, y0, x1, y1 = scene.drawing.line[line].tolist()
    return tab.view.camera.to_view(QPointF((x0 + x1) / 2, (y0 + y1) / 2)).toPoint()


def test_a_click_on_an_edge_selects_its_tensor(qtbot, tab, digits):
    tensor = digits.model.layers[1].outputs[0]
    digits.selection.choose(1)
    tab.view.camera.scale(1.5)
    click(qtbot, tab, edge_middle(tab, tensor))
    assert digits.selection.now.tensor == tensor
    assert digits.selection.now.layer is None
    assert tensor in tab.view.accessibleDescription()
    digits.selection.back()
    assert digits.selection.now.layer == 1


def test_edges_tell_shapes_when_near_and_always_of_what_is_selected(tab, digits):
    scene, camera = tab.view.scene, tab.view.camera
    tensor = digits.model.layers[1].outputs[0]
    number = scene.drawing.names.index(tensor)
    info = TensorInfo(tensor, "tensor", "float32", ("n", 16, 8, 8))
    scene.values = {tensor: info}
    digits.selection.choose(1)
    for zoom, text in ((1.0, "n×16×8×8"), (1.3, "n×16×8×8  float32"), (0.6, "")):
        camera.centre(camera.visible, zoom)
        tab.view.reveal_layer()
        camera.zoom = zoom
        labels = edge_labels(scene, camera, frozenset())
        assert [one.text for one in labels] == ([text] if text else [])
    frames, scene.frame_box = scene.frame_box, scene.frame_box[:0]
    labels = edge_labels(scene, camera, frozenset({number}))
    assert [(one.text, one.marked) for one in labels] == [("n×16×8×8  float32", True)]
    scene.frame_box = frames  # whose border would run through the type
    labels = edge_labels(scene, camera, frozenset({number}))
    assert [(one.text, one.marked) for one in labels] == [("n×16×8×8", True)]


def test_a_tensor_chosen_elsewhere_comes_into_view(tab, digits):
    tab.view.camera.scale(3.0)
    tensor = digits.model.layers[-2].outputs[0]
    digits.selection.choose(tensor=tensor)
    point = QPointF(edge_middle(tab, tensor))
    assert tab.view.rect().contains(point.toPoint())
    assert tab.view.current == -1


def test_numbers_from_a_file_color_and_label_boxes_and_sum_up_in_scopes(qtbot, theme, tmp_path):
    tab = shown(qtbot, theme, with_model(chain(12)))
    path = tmp_path / "score.csv"
    path.write_text("block0/relu0,1\nblock0/relu1,4\nblock1/relu4,10\n")
    tab.load_numbers(path)
    qtbot.waitUntil(lambda: not tab.working)
    assert tab.toolbar.color_by.currentText() == "score"
    scene = tab.view.scene
    text = tab.legend.accessibleDescription()
    assert text == "score: 1 – 10. total 15 · 3 of 12 layers"
    assert scene.text(box_of(tab, 1)).right == "4"
    assert scene.text(box_of(tab, 2)).right == ""
    codes = [int(scene.code[box_of(tab, layer)]) for layer in (0, 1, 2, 4)]
    assert codes == [1, 4, 0, 12]
    assert {scene.frame_words(f.key, f.count) for f in scene.drawing.frames} == {
        "4 layers · 5",
        "4 layers · 10",
        "4 layers",
    }
    tab.toolbar.close_all.click()
    qtbot.waitUntil(lambda: not tab.working)
    assert tab.view.scene.text(box_of(tab, 0)).right == "5"


def test_numbers_of_a_plugin_are_a_choice_and_its_failure_is_shown(qtbot, theme, monkeypatch):
    def plugin(title: str, compute: Callable[..., Sequence[float]]) -> Plugin:
        return Plugin(plugins.LAYER_NUMBERS, title, "toy 1.0", NumberSource(title, compute))

    def fail(model: Model, report: object) -> Sequence[float]:
        raise RuntimeError("no data")

    both = (
        plugin("Places", lambda m, r: [each.index for each in m.layers]),
        plugin("No", fail),
    )
    monkeypatch.setattr(plugins, "usable", lambda g: both if g is plugins.LAYER_NUMBERS else ())
    tab = shown(qtbot, theme, with_model(chain(4)))
    field = tab.toolbar.color_by
    field.setCurrentIndex(field.findText("Places"))
    qtbot.waitUntil(lambda: "Places: 0 – 3" in tab.legend.accessibleDescription())
    assert "Places" in {each.title for each in tab.number_sets()}
    field.setCurrentIndex(field.findText("No"))
    qtbot.waitUntil(tab.failure.isVisible)
    assert "no data" in both[1].problem


def test_thresholds_of_node_data_give_the_colors(qtbot, theme, tmp_path):
    tab = shown(qtbot, theme, with_model(chain(4)))
    path = tmp_path / "hits.json"
    path.write_text(
        '{"results": {"block0/relu0": {"value": 10}, "block0/relu1": {"value": 11},'
        ' "block0/relu2": {"value": 99}}, "thresholds": ['
        '{"value": 10, "bgColor": "red"}, {"value": 50, "bgColor": "#00f"}]}'
    )
    tab.load_numbers(path)
    scene = tab.view.scene
    assert scene.coloring.colors == ("#FF0000", "#0000FF")
    assert [int(scene.code[box_of(tab, layer)]) for layer in range(4)] == [1, 2, 0, 0]
    assert tab.legend.accessibleDescription() == "≤ 10; ≤ 50"


def test_words_of_a_file_have_a_color_each_and_a_scope_that_of_most(qtbot, theme, tmp_path):
    tab = shown(qtbot, theme, with_model(chain(4)))
    path = tmp_path / "plan.csv"
    path.write_text(
        "name,device\nblock0/relu0,NPU\nblock0/relu1,CPU\nblock0/relu2,CPU\nblock0/relu3,CPU\n"
    )
    tab.load_numbers(path)
    scene = tab.view.scene
    assert tab.legend.accessibleDescription() == "CPU; NPU"
    assert [int(scene.code[box_of(tab, layer)]) for layer in range(4)] == [2, 1, 1, 1]
    assert [scene.text(box_of(tab, layer)).right for layer in range(2)] == ["NPU", "CPU"]
    assert not tab.number_sets() or all(not each.labels for each in tab.number_sets())


def test_a_file_without_numbers_is_explained_and_changes_nothing(tab, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("nobody,1\n")
    tab.load_numbers(path)
    assert tab.failure.isVisible()
    assert tab.toolbar.color_by.value == "Operator family"


def test_costs_are_offered_with_the_estimate_and_sum_up(qtbot, tab, digits):
    digits.estimating.begin()
    qtbot.waitUntil(lambda: digits.estimating.estimate is not None, timeout=30_000)
    field = tab.toolbar.color_by
    item = field.model().item(field.findData("MACs"))
    assert item.isEnabled()
    field.setCurrentIndex(field.findData("MACs"))
    qtbot.waitUntil(lambda: "MACs" in tab.legend.accessibleDescription())
    scene = tab.view.scene
    numbers = scene.coloring.numbers
    cost = digits.estimating.estimate.cost
    lengths = digits.estimating.estimate.lengths
    assert np.nansum(numbers.values) == number(cost.macs, lengths)


def test_sparsity_is_shown_as_weights_are_read(qtbot, tab, digits):
    field = tab.toolbar.color_by
    field.setCurrentIndex(field.findData("Weight sparsity"))
    box = box_of(tab, 1)
    qtbot.waitUntil(
        lambda: tab.view.scene is not None and tab.view.scene.text(box).right.endswith("%"),
        timeout=20_000,
    )
    scene = tab.view.scene
    assert "Weight sparsity: 0% – " in tab.legend.accessibleDescription()
    assert scene.text(box_of(tab, 3)).right == ""


def test_attributes_are_a_line_of_each_box_on_request(qtbot, tab):
    scene = tab.view.scene
    height = scene.drawing.box[box_of(tab, 1), 3]
    tab.toolbar.attributes.trigger()
    qtbot.waitUntil(lambda: not tab.working)
    scene = tab.view.scene
    assert scene.drawing.box[box_of(tab, 1), 3] > height
    assert scene.text(box_of(tab, 1)).attributes == "kernel 3×3 · pad 1"
    tab.toolbar.attributes.trigger()
    qtbot.waitUntil(lambda: not tab.working)
    assert tab.view.scene.drawing.box[box_of(tab, 1), 3] == height


def test_identities_can_be_hidden_and_their_selection_shows_the_neighbor(qtbot, theme):
    layers = (
        Layer(0, "a", "Relu", "", ("v0",), ("a",)),
        Layer(1, "b", "Identity", "", ("a",), ("b",)),
        Layer(2, "c", "Relu", "", ("b",), ("v1",)),
    )
    on = with_model(model(layers, inputs=(value("v0"),), outputs=(value("v1"),)))
    tab = shown(qtbot, theme, on)
    tab.toolbar.no_identities.trigger()
    qtbot.waitUntil(lambda: not tab.working)
    assert len(tab.view.scene.drawing) == 4
    on.selection.choose(1)
    assert tab.view.current == box_of(tab, 0)


def test_the_graph_can_lead_from_left_to_right(qtbot, tab):
    down = tab.view.scene
    tab.toolbar.sideways.trigger()
    qtbot.waitUntil(lambda: not tab.working)
    scene = tab.view.scene
    drawing = scene.drawing
    assert drawing.width > drawing.height
    assert len(drawing) == len(down.drawing)
    ends = (drawing.maker >= 0) & (drawing.taker >= 0)
    makers, takers = drawing.box[drawing.maker[ends]], drawing.box[drawing.taker[ends]]
    assert (makers[:, 0] + makers[:, 2] < takers[:, 0]).all(), (
        "each box begins behind its inputs"
    )
    assert (drawing.line[:, 0] <= drawing.line[:, 2]).all()
    inside = drawing.box[:, :2] + drawing.box[:, 2:]
    assert (drawing.box[:, :2] >= 0).all()
    assert (inside <= (drawing.width + 1, drawing.height + 1)).all()
    click(qtbot, tab, middle(tab, box_of(tab, 1)))
    assert tab.view.current == box_of(tab, 1)
    qtbot.keyClick(tab.view, Key.Key_Right)
    assert tab.view.current == box_of(tab, 2)
    tab.toolbar.sideways.trigger()
    qtbot.waitUntil(lambda: not tab.working)
    assert (tab.view.scene.drawing.box == down.drawing.box).all()


def test_a_bookmark_brings_a_view_back_and_opens_the_frames_around_it(qtbot, theme):
    tab = shown(qtbot, theme, with_model(chain(40)))
    tab.view.center_layer(21, 1.4)
    layer = tab.view.layer_in_middle()
    assert layer == 21
    tab.add_bookmark()
    zoom = tab.view.camera.zoom
    tab.toolbar.close_all.click()
    qtbot.waitUntil(lambda: not tab.working)
    tab.view.camera.fit()
    tab.toolbar.bookmarks.aboutToShow.emit()
    actions = {action.text(): action for action in tab.toolbar.bookmarks.actions()}
    actions["block5/relu21 · 140%"].trigger()
    qtbot.waitUntil(lambda: not tab.working)
    assert tab.view.layer_in_middle() == 21
    assert tab.view.camera.zoom == zoom
    actions["Remove all"].trigger()
    tab.toolbar.bookmarks.aboutToShow.emit()
    assert [action.text() for action in tab.toolbar.bookmarks.actions()] == [
        "Add this view", "Copy link to this view",
    ]  # fmt: skip


def test_the_map_has_the_scale_of_the_whole_from_the_start(qtbot, theme):
    tab = shown(qtbot, theme, with_model(chain(60)))
    picture = tab.map._picture
    tab.map._redraw()
    assert tab.map._picture.toImage() == picture.toImage()


def test_a_search_without_a_match_shows_what_can_be_searched(tab):
    tab.search.field.setText("convv")
    tab.search.step(1)
    assert tab.search.hint_label.isVisible()
    assert tab.search.height() >= tab.search.heightForWidth(tab.search.width())
    tab.search.field.setText("conv 3x3")
    tab.search.step(1)
    assert not tab.search.hint_label.isVisible()
    assert len(tab.search.matches) == 3


def test_two_sets_of_numbers_are_compared_in_colors_for_more_and_less(qtbot, theme):
    on = with_model(chain(3))
    tab = shown(qtbot, theme, on)
    one = LayerNumbers("new", np.array([1.0, 5.0, np.nan]), Quantity.BYTES)
    two = LayerNumbers("old", np.array([3.0, 1.0, 2.0]), Quantity.BYTES)
    tab.compare_numbers(one, two)
    qtbot.waitUntil(lambda: not tab.working)
    assert tab.toolbar.color_by.currentText() == "new − old"
    scene = tab.view.scene
    assert [scene.text(box_of(tab, layer)).right for layer in range(3)] == ["−2 B", "+4 B", ""]
    colors = scene.coloring.colors
    less, more = (colors[int(scene.code[box_of(tab, layer)]) - 1] for layer in (0, 1))
    assert more == theme.palette.data
    assert less not in (more, theme.palette.border)
    assert (tab.legend.scale.low, tab.legend.scale.high) == ("−2 B", "+4 B")
    tab.compare_numbers(one, LayerNumbers("macs", np.ones(3), Quantity.COUNT))
    assert tab.failure.isVisible()


def test_times_of_all_reports_can_be_compared(qtbot, theme):
    on = with_model(measured_model())
    tab = shown(qtbot, theme, on)
    for _ in range(2):
        on.add_report(example_report())
    titles = [each.title for each in tab.number_sets()]
    assert sum(title.startswith("Time, ") for title in titles) == 2


def test_the_menu_of_a_box_copies_its_name_and_leads_to_other_tabs(qtbot, tab, digits, ran):
    at = middle(tab, box_of(tab, 1))
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, at, tab.view.mapToGlobal(at), Qt.KeyboardModifier(0)
    )
    QApplication.sendEvent(tab.view, event)
    assert digits.selection.now.layer == 1
    menu = tab.menu()
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert not actions["Show in Performance"].isEnabled(), "nothing was measured"
    actions["Show weights"].trigger()
    assert ran == [("tab/weights",)]
    actions["Copy name"].trigger()
    assert QApplication.clipboard().text() == "stem/conv"
    actions["Find all Conv"].trigger()
    qtbot.waitUntil(lambda: len(tab.search.matches) == 3)
    menu.close()
