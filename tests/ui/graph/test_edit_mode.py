"""Edit mode of the graph, with real clicks and keys, on a real model in a real engine."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QToolButton
from pytestqt.qtbot import QtBot

from inspector.app.changing.editing import EditState
from inspector.conversion.edits import choices
from inspector.engine.client.engine_process import EngineProcess
from inspector.pages.charts.drawing import Box
from inspector.platform.files import sample
from inspector.ui.documents.document import Document
from inspector.ui.documents.edits.summary import edits_text
from inspector.ui.documents.workspace import Workspace
from inspector.ui.graph import graph_loading
from inspector.ui.graph.editing.canvas import Target
from inspector.ui.graph.editing.fields import TextField
from inspector.ui.graph.editing.insert_dialog import InsertDialog
from inspector.ui.graph.editing.menu import EditMenu
from inspector.ui.graph.editing.view import EditView
from inspector.ui.graph.tab import GraphTab
from inspector.ui.widgets.parts import Elided, Link
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.messages import WindowMessages
from inspector.ui.window.tabs import Tab

pytestmark = pytest.mark.engine
Key = Qt.Key
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def window(
    qapp: QApplication, fonts: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """One window with the digits model, in edit mode; tests undo what they do."""
    theme = Theme("light")
    theme.dress(qapp)
    folder = tmp_path_factory.mktemp("window")
    settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    made = MainWindow(theme, Workspace(settings, EngineProcess))
    made.resize(1440, 900)
    made.show()
    yield made
    made.close()


@pytest.fixture
def tab(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> Iterator[GraphTab]:
    monkeypatch.setattr(WindowMessages, "may_drop_edits", lambda *_, **__: True)
    path = sample("digits_float32.onnx")
    assert path is not None
    if window.document is None:
        window.workspace.open(path)
        qtbot.waitUntil(lambda: window.document is not None, timeout=PATIENCE_MS)
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.model is not None, timeout=PATIENCE_MS)
    window.choose_tab(Tab.GRAPH)
    made = window.opened_tab(Tab.GRAPH)
    assert isinstance(made, GraphTab)
    qtbot.waitUntil(lambda: made.view.scene is not None and not made.working)
    made.set_editing(True)
    qtbot.waitUntil(lambda: edit(made).view.scene is not None and not made.working)
    yield made
    QApplication.sendPostedEvents()
    edit(made).drop_preview()
    if edit(made).editing.steps:
        edit(made).editing.discard()
        settle(qtbot, made)


def edit(tab: GraphTab) -> EditView:
    assert tab.edit_view is not None
    return tab.edit_view


def settle(qtbot: QtBot, tab: GraphTab) -> None:
    """Wait until the edit is applied, drawn and checked."""
    editing = edit(tab).editing
    qtbot.waitUntil(
        lambda: (
            not editing.busy
            and not tab.working
            and editing.verdict.state is not EditState.CHECKING
            and edit(tab).view.scene.model is editing.model
        ),
        timeout=PATIENCE_MS,
    )


def layer(tab: GraphTab, operator: str, place: int = 0) -> int:
    layers = edit(tab).editing.model.layers
    return [each.index for each in layers if each.operator == operator][place]


def point(tab: GraphTab, index: int) -> QPoint:
    """Return the middle of the box of a layer, which is brought into view."""
    view = edit(tab).view
    view.center_layer(index, 1.0)
    return view.item_box(int(view.scene.drawing.box_of_layer[index])).center()


def click(qtbot: QtBot, tab: GraphTab, index: int, shift: bool = False) -> None:
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(edit(tab).view, Qt.MouseButton.LeftButton, keys, point(tab, index))


def press(qtbot: QtBot, tab: GraphTab, key: Qt.Key) -> None:
    edit(tab).view.setFocus()
    qtbot.keyClick(edit(tab).view, key)


def preview(qtbot: QtBot, tab: GraphTab) -> None:
    qtbot.waitUntil(lambda: edit(tab).preview is not None, timeout=PATIENCE_MS)


def menu(qtbot: QtBot, tab: GraphTab, at: QPoint) -> EditMenu:
    """Open the menu at a point, and wait until it says what can be done."""
    view = edit(tab).view
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at), Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view, event)
    opened = lambda: edit(tab)._menu  # noqa: E731
    qtbot.waitUntil(
        lambda: (
            opened() is not None and not any("checking…" in text for text in texts(opened()))
        ),
        timeout=PATIENCE_MS,
    )
    made = opened()
    assert made is not None
    return made


def texts(made: EditMenu) -> list[str]:
    found = []
    for action in made.actions():
        found.append(action.text())
        below = action.menu()
        found += texts(below) if isinstance(below, EditMenu) else []
    return found


def labels_in_file(tab: GraphTab) -> set[str]:
    """Return the labels of the boxes of the whole graph as a file has them now."""
    draw = tab.whole()
    assert draw is not None
    return {shape.title for shape in draw().shapes if isinstance(shape, Box)}


def test_what_a_key_asks_for_is_previewed_applied_checked_and_undone(qtbot, tab, window):
    relu, before = layer(tab, "Relu"), len(edit(tab).editing.model.layers)
    click(qtbot, tab, relu)
    height = edit(tab).view.scene.drawing.height
    press(qtbot, tab, Key.Key_B)
    preview(qtbot, tab)
    marks = edit(tab).view.edits
    assert marks.passed == {int(edit(tab).view.scene.drawing.box_of_layer[relu])}
    assert marks.links, "a line leads past it"
    assert edit(tab).editing.steps == (), "a preview is no edit"
    press(qtbot, tab, Key.Key_Escape)
    assert edit(tab).preview is None
    assert not edit(tab).view.edits.passed
    assert edit(tab).view.scene.drawing.height == height
    assert tab.is_editing, "Escape closes the preview first"
    press(qtbot, tab, Key.Key_B)
    preview(qtbot, tab)
    bn = edit(tab).view.place_of_layer(relu - 1)
    press(qtbot, tab, Key.Key_Return)
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    assert len(edit(tab).editing.model.layers) == before - 1
    [pill] = edit(tab).view.edits.pills
    assert pill.passed, "the layer stays in sight"
    assert (pill.title, pill.below) == ("Relu", "…/relu")
    assert edit(tab).view.edits.links, "and so does the line past it"
    moved = edit(tab).view.place_of_layer(relu - 1) - bn
    assert moved.manhattanLength() < 2, "what is around it stays where it was"
    passed = tab.document.model.layers[relu].label
    assert {each.label for each in edit(tab).editing.model.layers} <= labels_in_file(tab)
    assert passed not in labels_in_file(tab), "the file has the edited graph"
    assert edit(tab).strip.count.text() == "1 edit"
    assert edit(tab).strip.verdict.text() == "Checked: loads and runs"
    assert edits_text(tab.document) in window.sidebar._entries.item(1).accessibleText()
    strip = edit(tab).strip
    assert not strip.redo.isEnabled()
    qtbot.mouseClick(strip.undo, Qt.MouseButton.LeftButton)
    settle(qtbot, tab)
    moved = edit(tab).view.place_of_layer(relu - 1) - bn
    assert moved.manhattanLength() < 2, "also where it is undone"
    assert len(edit(tab).editing.model.layers) == before
    assert strip.count.text() == "No edits yet"
    assert edit(tab).view.edits.pills == ()
    output = tab.document.model.layers[relu].outputs[0]
    qtbot.waitUntil(lambda: output in edit(tab)._links.values, timeout=PATIENCE_MS)
    [shown] = edit(tab).view.target.layers
    names = [field.text() for field in edit(tab).pane._subject.findChildren(TextField)]
    assert edit(tab).editing.model.layers[shown].name in names
    qtbot.mouseClick(strip.redo, Qt.MouseButton.LeftButton)
    settle(qtbot, tab)
    assert len(edit(tab).editing.model.layers) == before - 1
    assert not strip.redo.isEnabled()


def test_a_cut_is_previewed_under_the_pointer_and_applied_by_a_click(qtbot, tab):
    conv = layer(tab, "Conv", 1)
    at = point(tab, conv)
    made = menu(qtbot, tab, at)
    cut = next(action for action in made.actions() if action.text().startswith("Cut here"))
    made.setActiveAction(cut)
    sides = cut.menu()
    assert isinstance(sides, EditMenu)
    qtbot.waitUntil(sides.isVisible)
    above, below = sides.actions()
    height = edit(tab).view.scene.drawing.height
    place = edit(tab).view.place_of_layer(conv)
    removed = []
    for side in (above, below):
        edit(tab).drop_preview()
        qtbot.mouseMove(sides, sides.actionGeometry(side).center())
        sides.setActiveAction(side)
        preview(qtbot, tab)
        view = edit(tab).view
        assert view.edits.cut.keeps_first is (side is above)
        assert view.scene.drawing.height > height, "room for what is new"
        assert view.place_of_layer(conv) == place, "what is looked at stays"
        assert [pill.role for pill in view.edits.pills] == [
            "output" if side is above else "input"
        ]
        removed.append(view.edits.removed)
        assert view.edits.gone.any()
    assert not (removed[0] & removed[1]).any()
    kept = edit(tab).preview.layers[1]
    qtbot.mouseClick(sides, Qt.MouseButton.LeftButton, pos=sides.actionGeometry(below).center())
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    assert len(edit(tab).editing.model.layers) == kept
    assert edit(tab).preview is None


def test_the_menu_stays_open_while_previews_come_and_go_beside_a_list_of_edits(qtbot, tab):
    edit(tab).apply(choices.metadata("author", "someone"))
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    tops = {each for each in QApplication.topLevelWidgets() if each.isVisible()}
    made = menu(qtbot, tab, point(tab, layer(tab, "Relu")))
    bypass = next(action for action in made.actions() if action.text().startswith("Bypass"))
    for _ in range(2):
        made.setActiveAction(bypass)
        preview(qtbot, tab)
        made.setActiveAction(made.actions()[0])
        qtbot.waitUntil(lambda: edit(tab).preview is None)
        assert made.isVisible()
    shown = {each for each in QApplication.topLevelWidgets() if each.isVisible()}
    assert shown - tops == {made}, "no window flashes"
    made.close()


def test_what_cannot_be_done_is_listed_with_its_reason(qtbot, tab):
    pool = next(
        each.index
        for each in edit(tab).editing.model.layers
        if each.operator in ("MaxPool", "Gemm", "Flatten", "MatMul")
    )
    made = menu(qtbot, tab, point(tab, pool))
    bypass = next(action for action in made.actions() if action.text().startswith("Bypass"))
    assert not bypass.isEnabled()
    assert len(bypass.text()) > len("Bypass: ")
    made.setActiveAction(bypass)
    assert edit(tab).preview is None
    made.close()
    click(qtbot, tab, pool)
    press(qtbot, tab, Key.Key_B)
    qtbot.waitUntil(lambda: bool(edit(tab).strip.note.text()), timeout=PATIENCE_MS)
    assert edit(tab).preview is None
    assert edit(tab).editing.steps == ()


def test_an_attribute_is_changed_in_the_pane_and_a_wrong_one_says_why(qtbot, tab, window):
    conv = layer(tab, "Conv")
    click(qtbot, tab, conv)
    press(qtbot, tab, Key.Key_Return)
    pane = edit(tab).pane
    assert window.inspector._stack.currentWidget() is pane
    editors = pane.form.editors
    assert not editors["kernel_shape"].isEnabled(), "the weight fixes it"
    editors["dilations"].setText("nothing")
    qtbot.keyClick(editors["dilations"], Key.Key_Return)
    qtbot.waitUntil(lambda: bool(pane.problem.text()), timeout=PATIENCE_MS)
    assert edit(tab).editing.steps == ()
    editors["dilations"].setText("1, 1")
    field = editors["auto_pad"]
    field.setCurrentIndex(field.findData("SAME_UPPER"))
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    assert edit(tab).selection.now.layer == conv, "the selected layer stays"
    box = int(edit(tab).view.scene.drawing.box_of_layer[conv])
    assert edit(tab).view.edits.changed[box].word == "auto_pad"
    remove = next(
        button
        for button in pane.findChildren(QToolButton)
        if button.accessibleName() == "Undo edit 1"
    )
    qtbot.mouseClick(remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not edit(tab).editing.steps, timeout=PATIENCE_MS)


def test_an_operator_is_searched_inserted_and_saved_with_the_rest(
    qtbot, tab, window, monkeypatch, tmp_path
):
    relu = layer(tab, "Relu")
    click(qtbot, tab, relu)

    def choose(dialog: InsertDialog) -> int:
        dialog.show()
        dialog.search.setText("hyperbolic tangent")
        assert dialog.current.name == "Tanh" or dialog._model.rowCount() > 1
        dialog.search.setText("tanh")
        assert dialog.current.name == "Tanh"
        qtbot.waitUntil(dialog.insert.isEnabled, timeout=PATIENCE_MS)
        qtbot.mouseClick(dialog.insert, Qt.MouseButton.LeftButton)
        return dialog.result()

    monkeypatch.setattr(InsertDialog, "exec", choose)
    press(qtbot, tab, Key.Key_I)
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    assert layer(tab, "Tanh") == relu + 1
    target = tmp_path / "edited.onnx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.run_command("save")  # as with Ctrl+S: the edits come before a report
    qtbot.waitUntil(lambda: tab.document.edited_copy == target, timeout=PATIENCE_MS)
    assert "edited.onnx" in window.sidebar._entries.item(1).accessibleText()
    assert edit(tab).strip.open.isVisible()
    session = onnxruntime.InferenceSession(target, providers=["CPUExecutionProvider"])
    [given] = session.get_inputs()
    shape = [each if isinstance(each, int) else 1 for each in given.shape]
    [answer] = session.run(None, {given.name: np.zeros(shape, np.float32)})
    assert np.isfinite(answer).all()
    assert any(node.op_type == "Tanh" for node in onnx.load(target).graph.node)
    assert window.document.unsaved_edits == 0, "a copy has them"


def test_several_layers_are_selected_with_shift_and_kept_alone(qtbot, tab):
    first, last = layer(tab, "Conv", 0), layer(tab, "Conv", 1)
    click(qtbot, tab, first)
    click(qtbot, tab, last, shift=True)
    assert edit(tab).view.target.layers == (first, last)
    made = menu(qtbot, tab, point(tab, last))
    assert [text for text in texts(made) if text.startswith("Keep between")]
    made.close()
    click(qtbot, tab, first)
    assert edit(tab).view.target.layers == (first,)


def test_ends_of_the_model_have_their_names_axes_and_types(qtbot, tab):
    name = edit(tab).editing.model.inputs[0].name
    view = edit(tab).view
    box = next(b for b in range(view.item_count()) if view.scene.text(b).title == "Input")
    view.step(box)
    assert (view.target.tensor, view.target.end) == (name, "input")
    edit(tab).apply(choices.rename_value(name, "digit"))
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    assert edit(tab).editing.model.inputs[0].name == "digit"
    made = menu(qtbot, tab, view.item_box(box).center())
    assert [text for text in texts(made) if text.startswith("float16")]
    made.close()


def model_input(tab: GraphTab) -> QPoint:
    """Return the middle of the box of the input, which is brought into view."""
    view = edit(tab).view
    view.center_layer(0, 1.0)
    box = next(b for b in range(view.item_count()) if view.scene.text(b).title == "Input")
    return view.item_box(box).center()


def field(tab: GraphTab, name: str) -> TextField:
    fields = edit(tab).pane._subject.findChildren(TextField)
    return next(each for each in fields if each.accessibleName() == name)


def type_in(qtbot: QtBot, tab: GraphTab, name: str, text: str) -> None:
    """Type into a field of the pane, and wait for the edit."""
    made, before = field(tab, name), len(edit(tab).editing.steps)
    made.setFocus()
    made.selectAll()
    qtbot.keyClicks(made, text)
    qtbot.keyClick(made, Key.Key_Return)
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == before + 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)


def test_an_input_stays_selected_with_its_fields_as_it_is_renamed_and_resized(
    qtbot, tab, window
):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    view = edit(tab).view
    view.choose(-1)
    links = edit(tab).pane._subject.findChildren(Link)
    assert [link.text() for link in links] == ["picture", "probabilities"]
    corner = QPointF(view.camera.corner)
    qtbot.mouseClick(links[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.target == Target((), "picture", "input"))
    assert view.camera.corner == corner, "it is in view"
    box = view.item_box(view.current)
    type_in(qtbot, tab, "Name", "digit")
    assert view.target == Target((), "digit", "input")
    assert field(tab, "Name").text() == "digit"
    assert QApplication.focusWidget() is field(tab, "Name")
    assert view.item_box(view.current) == box, "it stays where it was"
    type_in(qtbot, tab, "Axis 0", "many")
    assert view.target == Target((), "digit", "input")
    assert field(tab, "Axis 0").text() == "many"
    assert view.item_box(view.current) == box
    view.choose(-1)
    line = next(n for n, name in enumerate(view.scene.drawing.names) if name == "digit")
    x0, y0, x1, y1 = view.scene.drawing.line[view.scene.drawing.tensor == line][0]
    middle = view.camera.to_view(QPointF((x0 + x1) / 2, (y0 + y1) / 2)).toPoint()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle)
    assert view.target == Target((), "digit")
    notes = [each.text() for each in edit(tab).pane._subject.findChildren(Elided)]
    assert any("input of the model" in each for each in notes)
    assert not any("output of the model" in each for each in notes)


def test_nothing_moves_as_edit_mode_begins_and_ends(qtbot, tab):
    pen = tab.toolbar.edit
    qtbot.mouseClick(pen, Qt.MouseButton.LeftButton)
    assert not tab.is_editing
    document, view = tab.document, tab.view
    tab.edit_view.deleteLater()  # as where edit mode begins the first time
    tab.edit_view = None
    document.selection.choose()
    view.start_over()
    view._update_hover(QPointF(view.item_box(1).center()))
    assert view.hover.isVisible()
    before = [view.item_box(box) for box in range(view.item_count())]
    qtbot.mouseClick(pen, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: edit(tab).view.scene is not None and not tab.working)
    QApplication.processEvents()
    shown = edit(tab).view
    assert [shown.item_box(box) for box in range(shown.item_count())] == before
    assert not view.hover.isVisible()
    shown.camera.pan(QPointF(10, 90))
    panned = [shown.item_box(box) for box in range(shown.item_count())]
    qtbot.mouseClick(pen, Qt.MouseButton.LeftButton)
    assert [view.item_box(box) for box in range(view.item_count())] == panned
    tab.toolbar.sideways.trigger()
    try:
        qtbot.waitUntil(lambda: view.scene.drawing.sideways and not tab.working)
        before = [view.item_box(box) for box in range(view.item_count())]
        qtbot.mouseClick(pen, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert [shown.item_box(box) for box in range(shown.item_count())] == before
    finally:
        tab.toolbar.sideways.trigger()
        qtbot.waitUntil(lambda: not shown.scene.drawing.sideways and not tab.working)


def test_a_click_on_what_is_seen_moves_nothing(qtbot, tab):
    view = edit(tab).view
    view.choose(-1)
    view.camera.fit()  # below the zoom that a layer is brought into view with
    box = int(view.scene.drawing.box_of_layer[layer(tab, "Conv", 1)])
    before = view.item_box(box)
    view._update_hover(QPointF(before.center()))
    made = menu(qtbot, tab, before.center())
    assert view.item_box(box) == before
    assert view.current == box
    made.close()
    last = view.item_count() - 1
    view.camera.pan(QPointF(0, view.item_box(last).top() - view.height() + 4))
    before = view.item_box(last)  # its upper edge is all that is seen
    qtbot.mouseClick(
        view, Qt.MouseButton.LeftButton, pos=QPoint(before.center().x(), before.top() + 2)
    )
    assert view.current == last
    assert view.item_box(last) == before


def test_leaving_edit_mode_keeps_edits_place_and_selection(qtbot, tab, window):
    conv = layer(tab, "Conv", 1)
    click(qtbot, tab, conv)
    corner = QPointF(edit(tab).view.camera.corner)
    press(qtbot, tab, Key.Key_Escape)
    assert not tab.is_editing
    assert tab.view.isVisible()
    assert tab.document.selection.now.layer == conv
    assert tab.view.camera.corner == corner
    assert window.inspector._stack.currentWidget() is window.inspector._scroll
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.top_bar.tabs.setFocus()  # as after a click on the tab
    qtbot.keyClick(window, Key.Key_E)
    assert tab.is_editing
    assert edit(tab).selection.now.layer == conv
    qtbot.keyClicks(tab.search.field, "e")
    assert tab.is_editing, "who types into a field means the letter"
    tab.search.field.clear()


def test_closing_a_model_with_unsaved_edits_asks(qtbot, tab, window, monkeypatch):
    monkeypatch.undo()
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: box.buttons()[0])
    click(qtbot, tab, layer(tab, "Relu"))
    press(qtbot, tab, Key.Key_B)
    preview(qtbot, tab)
    press(qtbot, tab, Key.Key_B)  # the same key again applies it
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    window.close_document()
    assert asked == ["1 edit of digits_float32.onnx not saved"]
    assert window.document is tab.document, "the first button stays"


def test_measuring_an_edited_model_asks_which_and_saves_a_copy_first(
    qtbot, tab, window, monkeypatch, tmp_path
):
    measured: list[str] = []
    monkeypatch.setattr(Document, "measure", lambda document: measured.append(document.name))
    window.run_command("measure")
    assert measured == ["digits_float32.onnx"], "there are no edits to ask about"
    edit(tab).apply(choices.rename_value("picture", "image"))
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    settle(qtbot, tab)
    target = tmp_path / "with_edits.onnx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    for text, names in (("Cancel", []), ("Measure without edits", ["digits_float32.onnx"])):
        measured.clear()
        pick(monkeypatch, text)
        window.run_command("measure")
        assert measured == names
    measured.clear()
    pick(monkeypatch, "Save a copy and measure it…")
    window.run_command("measure")
    qtbot.waitUntil(lambda: measured == ["with_edits.onnx"], timeout=PATIENCE_MS)
    assert window.document.model.inputs[0].name == "image"
    window.close_document()
    window.show_document(tab.document)
    pick(monkeypatch, "Measure the copy")
    window.run_command("measure")
    qtbot.waitUntil(lambda: measured == ["with_edits.onnx"] * 2, timeout=PATIENCE_MS)
    window.close_document()
    window.show_document(tab.document)
    window.choose_tab(Tab.GRAPH)


def pick(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Answer every question with the button that has these words."""
    monkeypatch.setattr(QMessageBox, "exec", lambda box: None)
    which = lambda box: next(each for each in box.buttons() if each.text() == text)  # noqa: E731
    monkeypatch.setattr(QMessageBox, "clickedButton", which)


def test_a_recipe_of_the_edits_is_saved(qtbot, tab, monkeypatch, tmp_path: Path):
    edit(tab).apply(choices.rename_value(edit(tab).editing.model.inputs[0].name, "x1"))
    qtbot.waitUntil(lambda: len(edit(tab).editing.steps) == 1, timeout=PATIENCE_MS)
    path = tmp_path / "edits.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    edit(tab).pane.recipe_asked.emit()
    assert b"rename" in path.read_bytes()
    settle(qtbot, tab)


def test_edit_mode_waits_for_the_graph_and_its_pane_goes_with_its_model(
    qtbot, theme, tmp_path, monkeypatch
):
    monkeypatch.setattr(graph_loading, "AT_ONCE", 0)
    monkeypatch.setattr(WindowMessages, "may_drop_edits", lambda *_, **__: True)
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(theme, Workspace(settings, EngineProcess))
    qtbot.addWidget(window)
    window.show()
    for name in ("digits_float32.onnx", "digits_float32.onnx"):
        path = sample(name)
        assert path is not None
        window.workspace.open(path)
        qtbot.waitUntil(
            lambda: window.document is not None and window.document.model is not None,
            timeout=PATIENCE_MS,
        )
        made = window.opened_tab(Tab.GRAPH)
        assert isinstance(made, GraphTab)
        assert made.view.scene is None, "it is being laid out"
        made.set_editing(True)
        qtbot.waitUntil(lambda made=made: made.is_editing, timeout=PATIENCE_MS)
        qtbot.waitUntil(lambda made=made: edit(made).view.scene is not None)
        assert window.inspector._stack.currentWidget() is edit(made).pane
        window.close_document()
        qtbot.waitUntil(lambda: window.inspector._stack.count() == 1)
    window.close()
