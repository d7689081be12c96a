"""A recipe by clicks: add, run, judge, save, cancel, and find it again."""

import re
from importlib.util import find_spec
from pathlib import Path

import msgspec
import onnx
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.devices.targets import Answer
from inspector.app.changing import improvement as search
from inspector.conversion.action import Effect, Step, load_recipe
from inspector.conversion.registry import ACTIONS, improvements_for
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import Cancelled
from inspector.formats.opening import digest
from inspector.model.model import TFLITE
from inspector.report import improvement as improvements
from inspector.report.foretold import Foretold
from inspector.report.improvement import WITHIN
from inspector.report.sensitivity import decibels
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.exported_report import add_model_results
from inspector.ui.documents.improving import Improving
from inspector.ui.documents.improving_inputs import CALIBRATION, TEST
from inspector.ui.tabs.improve.action_dialog import ActionDialog
from inspector.ui.tabs.improve.lists import offer_line
from inspector.ui.tabs.improve.tab import ImproveTab
from inspector.ui.tabs.performance.suggestions import FindingsCard
from inspector.ui.window.status import StatusLine
from tests.engine.watching import engines
from tests.formats.tflite import build
from tests.reports import example_report
from tests.ui.tabs.improve.conftest import PATIENCE_MS, SAMPLES, make_digits

pytestmark = pytest.mark.engine
FLOAT16, OPSET = Step("float16"), Step("opset")


def improving(tab: ImproveTab) -> Improving:
    return tab.document.improving


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isEnabled(), button.text() or button.accessibleName()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def add(qtbot: QtBot, tab: ImproveTab, title: str) -> None:
    """Click an action in the list, and wait until the recipe is checked."""
    if not tab.action_list.isVisible():
        click(qtbot, tab.recipe.actions_button)
    lines = tab.action_list.lines
    grid, place = tab.action_list.place_of(next(n for n in lines if lines[n].title == title))
    at = grid.visualItemRect(grid.item(place)).center()
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=at)
    checked(qtbot, tab)


def checked(qtbot: QtBot, tab: ImproveTab) -> None:
    state = improving(tab)
    qtbot.waitUntil(lambda: not state.checking and bool(state.offers), timeout=PATIENCE_MS)


def run(qtbot: QtBot, tab: ImproveTab, button: QAbstractButton | None = None) -> None:
    click(qtbot, button or tab.verdict.run_button)
    assert tab.verdict.cancel_button.isVisible()
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=PATIENCE_MS)


def use_folder(qtbot: QtBot, tab: ImproveTab, purpose: str, folder: Path) -> None:
    improving(tab).use_folder(purpose, folder)
    qtbot.waitUntil(lambda: purpose in improving(tab).folders, timeout=PATIENCE_MS)


def answer(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Let the file dialogs choose a file."""
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: (str(path), ""))


def dialog() -> ActionDialog:
    return next(
        top
        for top in QApplication.topLevelWidgets()
        if isinstance(top, ActionDialog) and top.isVisible()
    )


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
def test_a_tensorflow_lite_model_is_offered_its_own_actions(show, tmp_path):
    path = tmp_path / "adding.tflite"
    path.write_bytes(build.adding())
    tab = show(path)
    titles = {line.title for line in tab.action_list.lines.values()}
    assert titles == {action.title for action in improvements_for(TFLITE).values()}


def numbers_of(tab: ImproveTab) -> dict[str, list[str]]:
    model = tab.numbers.model
    rows = range(model.rowCount())
    texts = ([model.text(row, column) for column in model.columns] for row in rows)
    return {row[0]: row for row in texts}


def test_the_verdict_has_the_width_of_its_card(qtbot, tab):
    card = tab.verdict
    qtbot.waitUntil(lambda: card.sentence.width() > card.width() - 120)
    assert card.sign.width() < 40


def test_actions_say_what_they_would_do_and_are_added_and_undone(qtbot, tab):
    assert not tab.verdict.run_button.isVisible()
    assert "digits_float32.onnx is not changed" in tab.verdict.evidence.text()
    places = {name: where(tab, name) for name in tab.action_list.lines}
    add(qtbot, tab, "Update opset")
    assert improving(tab).steps == (OPSET,)
    assert tab.recipe.steps.lines[0].text == "opset 17 to 21, 15 layers"
    lines = tab.action_list.lines
    assert {name: where(tab, name) for name in lines} == places, "nothing moves"
    assert lines["opset"].text == "Nothing to do: the model already has opset 21"
    assert not [each for each in lines.values() if each.below != each.text or "`" in each.below]
    assert {each.state for each in lines.values()} >= {"possible", "needs", "nothing"}
    assert lines["float16"].hint  # what it would do, besides the caution
    assert lines["float16"].state == "possible", "the caution is about any model"
    assert tab.verdict.sentence.text() == "1 step, not run yet"
    click(qtbot, tab.recipe.undo)
    assert improving(tab).steps == ()
    assert tab.recipe.steps.lines == ()
    click(qtbot, tab.recipe.redo)
    assert improving(tab).steps == (OPSET,)
    assert not tab.recipe.redo.isEnabled()


def where(tab: ImproveTab, name: str) -> QPoint:
    """Return where an action stands in the tab."""
    grid, place = tab.action_list.place_of(name)
    return grid.mapTo(tab, grid.visualItemRect(grid.item(place)).topLeft())


@pytest.mark.parametrize("caution", ["", "Values change."])
def test_an_action_says_its_estimated_latency_first(caution):
    told = Foretold(0.61, 0.42, 0.93)
    line = offer_line("int8", Effect("3 Conv", 3, 100, 50, caution=caution, foretold=told))
    assert re.findall(r"[\d.]+(?=×)", line.below.partition("3 Conv")[0]) == [
        "0.61",
        "0.42",
        "0.93",
    ]
    assert line.below.endswith(caution)


def test_actions_stand_still_while_they_are_checked_and_are_found_by_words(qtbot, show):
    tab = show(SAMPLES / "digits_float32.onnx", checked=False)
    waiting = {name: where(tab, name) for name in tab.action_list.lines}
    search = where(tab, "float16"), tab.recipe.data.search.mapTo(tab, QPoint())
    checked(qtbot, tab)
    assert {name: where(tab, name) for name in tab.action_list.lines} == waiting
    assert (where(tab, "float16"), tab.recipe.data.search.mapTo(tab, QPoint())) == search
    assert "float16" in waiting
    assert not {"extract", "rename", "set-attribute", "delete-layer", "metadata"} & set(waiting)
    tab.action_list.search.setText("int8")
    assert 0 < len(tab.action_list.lines) < len(waiting)
    tab.action_list.search.setText("nothing has these words")
    assert not tab.action_list.lines
    assert tab.action_list.nothing.isVisible()


def test_a_recipe_runs_is_judged_and_saved_and_the_original_stays(
    qtbot, tab, monkeypatch, tmp_path, ran
):
    original = tab.document.path
    before = digest(original)
    add(qtbot, tab, "Float16")
    run(qtbot, tab)
    candidate = improving(tab).candidate
    assert candidate.levels == 4
    assert candidate.size_bytes < 0.6 * original.stat().st_size
    assert "48% smaller" in tab.verdict.sentence.text()
    assert "at least 30 test inputs" in tab.verdict.evidence.text()
    numbers = numbers_of(tab)
    assert numbers["File size"][3] in tab.verdict.sentence.text(), "one number for one change"
    assert "Runs at optimization levels" not in numbers  # runs at all of them
    assert "Latency, median" not in numbers  # none was measured
    target = tmp_path / "small.onnx"
    answer(monkeypatch, target)
    with qtbot.waitSignal(improving(tab).saved, timeout=PATIENCE_MS):
        click(qtbot, tab.verdict.save_button)
    types = {t.data_type for t in onnx.load(target).graph.initializer}
    assert onnx.TensorProto.FLOAT16 in types
    assert tab.verdict.saved.text() == "Saved small.onnx"
    click(qtbot, tab.verdict.open_link)
    assert ran == [("open", target)]
    steps = improving(tab).steps
    for recipe, of_this in ((OPSET,), False), (steps, True):
        improving(tab).set_steps(recipe)
        assert tab.verdict.open_link.isVisible() == of_this, "only with what was saved"
    answer(monkeypatch, original)
    with qtbot.waitSignal(improving(tab).failed, timeout=PATIENCE_MS):
        click(qtbot, tab.verdict.save_button)
    assert "This is the original model" in tab.failure.why.text()
    assert digest(original) == before
    click(qtbot, tab.verdict.diff_button)
    id_, made = ran[-1]
    assert id_ == "compare/made"
    assert (made.path, made.saved, made.title) == (target, True, ""), "the saved file"
    assert made.measured.agreement_text.startswith("same class 100.00%")
    target.unlink()
    click(qtbot, tab.verdict.diff_button)
    made = ran[-1][1]
    assert (made.saved, made.title) == (False, "digits_float32.float16.onnx")
    other = ComparedModel(made.path, title=made.title)
    diff = DiffDocument(ComparedModel(original), other, made.measured)
    assert diff.name == "digits_float32 and float16"
    with qtbot.waitSignal(diff.compared, timeout=PATIENCE_MS):
        diff.compare()
    assert not diff.diff.different_networks


def test_a_model_with_external_data_is_saved_under_its_new_name(
    qtbot, show, monkeypatch, tmp_path
):
    model = onnx.load(SAMPLES / "digits_float32.onnx")
    source = tmp_path / "source" / "net.onnx"
    source.parent.mkdir()
    onnx.save(model, source, save_as_external_data=True, location="net.data", size_threshold=0)
    tab = show(source)
    add(qtbot, tab, "Float16")
    run(qtbot, tab)
    target = tmp_path / "saved" / "other.onnx"
    target.parent.mkdir()
    answer(monkeypatch, target)
    with qtbot.waitSignal(improving(tab).saved, timeout=PATIENCE_MS):
        click(qtbot, tab.verdict.save_button)
    written = onnx.load(target)  # with its data, wherever that lies
    onnx.checker.check_model(written)
    assert all(each.name.startswith("other") for each in target.parent.iterdir())


def test_options_are_checked_while_they_are_typed(qtbot, tab):
    add(qtbot, tab, "Update opset")
    click(qtbot, tab.recipe.options)
    opened = dialog()
    field = opened.fields["to"]
    assert isinstance(field, QLineEdit)
    field.setText("many")
    qtbot.waitUntil(lambda: "whole number" in opened.effect.text())
    assert not opened.accept_button.isEnabled()
    field.setText("19")
    qtbot.waitUntil(lambda: "Opset 17 to 19" in opened.effect.text(), timeout=PATIENCE_MS)
    click(qtbot, opened.accept_button)
    assert improving(tab).steps == (Step("opset", (("to", "19"),)),)
    checked(qtbot, tab)
    assert "opset 17 to 19" in tab.recipe.steps.lines[0].text


def test_layer_names_are_completed_one_by_one(qtbot, tab):
    tab.recipe._open(FLOAT16, 0, improving(tab).add)
    opened = dialog()
    field = opened.fields["keep"]
    assert isinstance(field, QLineEdit)
    names = [layer.name for layer in improving(tab).model.layers]
    field.setText(f"{names[0]}, {names[1][:-1]}")
    completer = field.completer()
    completer.setCompletionPrefix(completer.splitPath(field.text())[0])
    assert completer.currentCompletion() == f"{names[0]}, {names[1]}"
    field.setText(f"{names[0]}, {names[1]}")
    assert opened.step == Step("float16", (("keep", f"{names[0]}+{names[1]}"),))
    opened.reject()


def test_steps_are_moved_and_removed_by_keys_and_by_mouse(qtbot, tab):
    improving(tab).set_steps((OPSET, FLOAT16))
    checked(qtbot, tab)
    steps = tab.recipe.steps
    steps.setCurrentRow(0)
    qtbot.keyClick(steps, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert improving(tab).steps == (FLOAT16, OPSET)
    assert steps.currentRow() == 1
    click(qtbot, tab.recipe.up)
    assert improving(tab).steps == (OPSET, FLOAT16)
    steps.setCurrentRow(0)
    drop = QDropEvent(
        QPointF(20, steps.height() - 2),
        Qt.DropAction.MoveAction,
        QMimeData(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    steps.dropEvent(drop)
    qtbot.waitUntil(lambda: improving(tab).steps == (FLOAT16, OPSET))
    steps.setCurrentRow(0)
    qtbot.keyClick(steps, Qt.Key.Key_Delete)
    assert improving(tab).steps == (OPSET,)
    click(qtbot, tab.recipe.remove)
    assert improving(tab).steps == ()
    for _ in range(5):
        improving(tab).undo()
    assert improving(tab).steps == (OPSET, FLOAT16)


def test_a_recipe_is_saved_and_loaded(qtbot, tab, monkeypatch, tmp_path):
    path = tmp_path / "recipe.json"
    answer(monkeypatch, path)
    improving(tab).set_steps((FLOAT16, OPSET))
    tab.recipe.save_action.trigger()
    assert load_recipe(path, ACTIONS).steps == (FLOAT16, OPSET)
    tab.recipe.clear_action.trigger()
    assert improving(tab).steps == ()
    tab.recipe.load_action.trigger()
    assert improving(tab).steps == (FLOAT16, OPSET)
    for action, beginning in zip(
        tab.recipe.copy_actions, ("inspector convert ", "import inspector\n"), strict=True
    ):
        action.trigger()
        copied = QGuiApplication.clipboard().text()
        assert copied.startswith(beginning)
        assert FLOAT16.text in copied
        assert OPSET.text in copied
    path.write_text("{}")
    tab.recipe.load_action.trigger()
    assert "recipe.json" in tab.failure.what.text()
    assert improving(tab).steps == (FLOAT16, OPSET)


def test_a_test_folder_gives_a_verdict(qtbot, tab, monkeypatch, tmp_path):
    use_folder(qtbot, tab, TEST, make_digits(tmp_path / "test", 40, 1))
    assert "labeled: 40" in tab.recipe.data.state.text()
    add(qtbot, tab, "Float16")
    run(qtbot, tab)
    now, candidate = improving(tab).improvement, improving(tab).candidate
    assert now.main == "top1"
    assert (now.test.inputs, now.test.labeled) == (40, 40)
    accuracy = candidate.measure("top1")
    assert accuracy.count == 40
    # 40 inputs cannot tell one point; a limit of half of all they can.
    assert "add test inputs" in tab.verdict.evidence.text()
    improving(tab).set_goal("size", 0.5)
    beginnings = {".html": b"<!doctype", ".pdf": b"%PDF", ".md": b"### ", ".json": b"{"}
    for suffix, beginning in beginnings.items():
        results = tmp_path / f"results{suffix}"
        answer(monkeypatch, results)
        with qtbot.waitSignal(improving(tab).saved, timeout=PATIENCE_MS):
            tab.recipe.results_action.trigger()
        assert results.read_bytes().startswith(beginning)
    later = improving(tab).improvement
    assert later.verdict(candidate) == WITHIN
    assert "accuracy unchanged" in tab.verdict.sentence.text()
    assert "within the limit" in tab.verdict.evidence.text()
    improving(tab).set_goal("p50", 0.5)  # nothing was timed, so nothing is recommended
    assert improving(tab).improvement == msgspec.structs.replace(later, best=-1, goal="p50")
    results = add_model_results(tab.document)(example_report()).model_results
    assert results.improvement.best == 0, "the recipe in view"
    assert results.accuracy[0].id == "top1"
    assert results.tested == later.test
    assert [*results.phones] == ["On Android", "On iPhone", "In a browser"]
    assert {each.answer for each in results.targets} <= {*Answer}, "the words of all places"
    flat = tmp_path / "flat"  # the same pictures without labels
    flat.mkdir()
    for place, picture in enumerate(sorted((tmp_path / "test").rglob("*.png"))):
        (flat / f"{place}.png").write_bytes(picture.read_bytes())
    use_folder(qtbot, tab, TEST, flat)
    qtbot.waitUntil(lambda: improving(tab).folders[TEST].path == flat, timeout=PATIENCE_MS)
    assert "These results are of test on CPU" in tab.verdict.evidence.text()
    asked = list[str]()
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    monkeypatch.setattr(QMessageBox, "clickedButton", QMessageBox.defaultButton)
    click(qtbot, tab.verdict.again_button)
    assert asked == ["1 candidate will leave the list."]
    assert not improving(tab).work, "nothing is lost unasked"
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: next(
        each for each in box.buttons() if each is not box.defaultButton()
    ))  # fmt: skip
    run(qtbot, tab, tab.verdict.again_button)
    assert "(accuracy not tested: no labels)" in tab.verdict.sentence.text()
    assert "These results are of" not in tab.verdict.evidence.text()


def test_files_in_both_folders_are_refused(qtbot, tab, tmp_path):
    folder = make_digits(tmp_path / "both", 5, 1)
    for purpose in (CALIBRATION, TEST):
        use_folder(qtbot, tab, purpose, folder)
    assert tab.recipe.data.state.text() == "5 files in both folders; use different files"
    add(qtbot, tab, "Float16")
    run(qtbot, tab)
    assert improving(tab).improvement is None
    assert "both the calibration and the test folder" in tab.failure.why.text()


def test_an_action_that_calibrates_asks_for_a_folder_first(qtbot, tab, monkeypatch):
    monkeypatch.setitem(ACTIONS, "float16", replace(ACTIONS["float16"], calibrates=True))
    add(qtbot, tab, "Float16")
    with qtbot.waitSignal(improving(tab).failed):
        click(qtbot, tab.verdict.run_button)
    assert "Choose a calibration folder" in tab.failure.hint.text()
    assert not improving(tab).work


def test_a_step_that_cannot_be_done_says_so_before_it_runs(qtbot, show, tmp_path):
    tab = show(SAMPLES / "digits_float32.onnx")
    improving(tab).set_steps((Step("opset", (("to", "9000"),)),))
    checked(qtbot, tab)
    effect = improving(tab).effect(0)
    assert effect.refused
    assert tab.verdict.sentence.text() == "“Update opset” cannot be applied"
    assert not tab.verdict.run_button.isEnabled()


def test_work_that_is_late_makes_no_folder_after_its_document_was_closed(tab):
    improving(tab).close()
    with pytest.raises(Cancelled):
        improving(tab)._folder_of_run()


def test_cancel_keeps_what_is_finished(qtbot, tab, tmp_path):
    use_folder(qtbot, tab, TEST, make_digits(tmp_path / "test", 30, 1))
    add(qtbot, tab, "Update opset")
    run(qtbot, tab)
    assert improving(tab).candidate is not None
    add(qtbot, tab, "Float16")
    status = StatusLine(tab._theme)
    qtbot.addWidget(status)
    status.show_document(tab.document)
    click(qtbot, tab.verdict.run_button)
    qtbot.waitUntil(lambda: improving(tab).stage == "test", timeout=PATIENCE_MS)
    assert status.words()[0].startswith("Running the recipe · running test inputs")
    assert QApplication.focusWidget() is tab.verdict.cancel_button, "in place of the other"
    click(qtbot, tab.verdict.cancel_button)
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is tab.verdict.run_button)
    now = improving(tab).improvement
    assert [each.steps for each in now.candidates] == [("opset",)]
    assert status.words()[0] == "Ready"
    assert not tab.failure.isVisible()
    assert tab.verdict.run_button.isVisible()


def test_a_cancelled_search_says_so_and_adds_no_step_when_the_model_is_opened_next(
    qtbot, show, tmp_path, monkeypatch
):
    monkeypatch.setattr(search, "_RECIPES", ("float16", "weights-8bit"))
    tab = show(SAMPLES / "digits_float32.onnx")
    use_folder(qtbot, tab, TEST, make_digits(tmp_path / "test", 5, 1))
    improving(tab).set_goal("size", 0.01)
    improving(tab).proved.connect(
        lambda: improving(tab).improvement.candidates and improving(tab).cancel()
    )
    click(qtbot, tab.recipe.data.search)
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=PATIENCE_MS)
    assert len(improving(tab).improvement.candidates) == 1
    assert improving(tab).improvement.untried >= 1
    assert tab.verdict.sentence.text().startswith("Search cancelled. No verdict on 1 of 1 ")
    again = show(SAMPLES / "digits_float32.onnx", checked=False)
    assert improving(again).improvement.untried >= 1
    assert improving(again).steps == ()


def test_a_search_fills_the_plot_and_chooses_nothing_by_itself(
    qtbot, tab, tmp_path, monkeypatch
):
    few = ("float16", "weights-8bit")
    monkeypatch.setattr(search, "_RECIPES", few)  # the others take as long as these
    use_folder(qtbot, tab, TEST, make_digits(tmp_path / "test", 5, 1))
    click(qtbot, tab.recipe.data.search)
    assert tab.verdict.cancel_button.text().strip() == "Cancel search"
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=PATIENCE_MS)
    now = improving(tab).improvement
    assert ("float16",) in [each.steps for each in now.candidates]
    assert improving(tab).steps == ()
    table = tab.plot.table
    place = [each.steps for each in now.candidates].index(("float16",))
    table.show_row(table.rows.row_at(place))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert improving(tab).steps == (FLOAT16,)
    assert improving(tab).candidate is now.candidates[place]


def test_recipe_is_a_strip_where_the_window_is_small_and_nothing_is_cut_off(qtbot, tab):
    add(qtbot, tab, "Float16")
    tab.resize(872, 590)  # of a window of 1100 by 700
    qtbot.waitUntil(lambda: tab.recipe.height() < 400)
    left = tab.recipe.steps.mapTo(tab.recipe, QPoint(0, 0)).x()
    right = tab.recipe.data.mapTo(tab.recipe, QPoint(0, 0)).x()
    assert left < right
    grid, _ = tab.action_list.place_of("float16")
    rows = [grid.visualItemRect(grid.item(row)) for row in range(grid.count())]
    assert len({row.height() for row in rows}) == 1
    assert len({row.left() for row in rows}) > 1, "in columns"
    assert max(row.right() for row in rows) <= grid.viewport().width()
    assert tab.widget().minimumSizeHint().width() <= tab.viewport().width()
    tab.resize(1212, 800)
    qtbot.waitUntil(lambda: tab.recipe.height() > 400)
    assert tab.recipe.data.mapTo(tab.recipe, QPoint(0, 0)).x() == left


def test_layers_are_ranked_and_the_worst_kept_in_float(qtbot, tab, tmp_path):
    add(qtbot, tab, "Int8 (static)")
    assert tab.recipe.rank.isVisible()
    with qtbot.waitSignal(improving(tab).failed):
        click(qtbot, tab.recipe.rank)  # without inputs there are no ranges
    assert "calibration folder" in tab.failure.hint.text()
    use_folder(qtbot, tab, CALIBRATION, make_digits(tmp_path / "calibration", 10, 2))
    assert not tab.layers.isVisible()
    click(qtbot, tab.recipe.rank)
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=PATIENCE_MS)
    known = improving(tab).sensitivity
    assert known.verdict
    assert tab.layers.verdict.text().startswith(known.verdict)
    model = tab.layers.model
    shown = [model.text(row, model.columns[0]) for row in range(model.rowCount())]
    assert shown == list(known.worst)
    weights = [model.text(row, model.columns[3]) for row in range(model.rowCount())]
    assert weights == [decibels(layer.weights_db) for layer in known.layers]
    tab.layers.kept.show_value("2")
    click(qtbot, tab.layers.keep_button)
    assert improving(tab).steps == (Step("int8", (("keep", "+".join(known.worst[:2])),)),)
    click(qtbot, tab.recipe.undo)
    assert improving(tab).steps == (Step("int8"),)


@pytest.mark.slow
def test_a_search_keeps_layers_in_float_where_int8_loses_too_much(qtbot, tab, tmp_path):
    use_folder(qtbot, tab, TEST, make_digits(tmp_path / "test", 30, 1))
    use_folder(qtbot, tab, CALIBRATION, make_digits(tmp_path / "calibration", 10, 2))
    # 30 inputs cannot prove a limit of a tenth of a point, so int8 alone is not enough.
    improving(tab).set_goal("size", 0.001)
    click(qtbot, tab.recipe.data.search)
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=2 * PATIENCE_MS)
    now, known = improving(tab).improvement, improving(tab).sensitivity
    tried = [each.steps for each in now.candidates]
    assert ("int8",) in tried
    assert (f"int8:keep={known.worst[0]}",) in tried
    assert len(tried) == len(set(tried))
    click(qtbot, tab.recipe.data.search)  # nothing is left to try
    qtbot.waitUntil(lambda: not improving(tab).work, timeout=PATIENCE_MS)
    assert improving(tab).improvement == now


def test_what_was_proved_is_there_again_when_the_model_is_opened_next(
    qtbot, show, monkeypatch, tmp_path
):
    before = {*engines()}  # of other tests, such as that of the API
    tab = show(SAMPLES / "digits_float32.onnx")
    use_folder(qtbot, tab, TEST, make_digits(tmp_path / "test", 5, 1))
    add(qtbot, tab, "Float16")
    run(qtbot, tab)
    first, place = improving(tab).improvement, improving(tab)._place()
    other = digest(SAMPLES / "clothes_float32.onnx")
    place.with_name(f"{other[:32]}.json").write_bytes(improvements.to_json(first))
    add(qtbot, tab, "Update opset")
    click(qtbot, tab.verdict.run_button)
    tab.document.close()  # while it runs
    qtbot.waitUntil(lambda: {*engines()} <= before, timeout=PATIENCE_MS)
    again = show(SAMPLES / "digits_float32.onnx")
    known = improving(again).improvement
    assert known.candidates[:1] == first.candidates
    assert improving(again).steps[:1] == (FLOAT16,)
    improving(again).set_steps((FLOAT16,))
    assert not again.verdict.diff_button.isEnabled()  # its file is gone
    qtbot.waitUntil(lambda: TEST in improving(again).folders, timeout=PATIENCE_MS)
    target = tmp_path / "small.onnx"
    answer(monkeypatch, target)
    with qtbot.waitSignal(improving(again).saved, timeout=PATIENCE_MS):
        click(qtbot, again.verdict.save_button)  # made again
    with EngineProcess() as engine:
        assert engine.load(target, again.document.spec)
    stranger = show(SAMPLES / "clothes_float32.onnx")  # what lies there is of another model
    assert improving(stranger).improvement is None
    assert improving(stranger).steps == ()
    improving(again).set_steps(())
    emptied = show(SAMPLES / "digits_float32.onnx")
    assert improving(emptied).improvement.candidates
    assert improving(emptied).steps == (), "no step comes back that was taken out"


@pytest.mark.slow
def test_latency_is_measured_in_turns_with_the_original(qtbot, tab):
    improving(tab).starts = 1
    add(qtbot, tab, "Float16")
    run(qtbot, tab)
    candidate = improving(tab).candidate
    assert candidate.latency.original is not None
    assert numbers_of(tab)["Latency, median"][1] != "–"
    assert tab.plot.chart.item_count() == 2


def test_everything_can_be_reached_by_keyboard_and_has_a_name(qtbot, tab):
    add(qtbot, tab, "Float16")
    grid, place = tab.action_list.place_of("opset")
    grid.setFocus()
    grid.setCurrentRow(place)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert improving(tab).steps == (FLOAT16, OPSET)
    checked(qtbot, tab)
    for button in tab.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.accessibleName() or button.text()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert tab.verdict.mapTo(tab, QPoint(0, 0)).y() == tab.recipe.mapTo(tab, QPoint(0, 0)).y()
    tab.resize(700, 800)
    qtbot.waitUntil(
        lambda: (
            tab.verdict.mapTo(tab, QPoint(0, 0)).y()
            > tab.recipe.mapTo(tab, QPoint(0, tab.recipe.height())).y()
        )
    )


def test_a_suggestion_with_steps_is_tried_in_improve(qtbot, tab, theme, ran):
    document = tab.document
    advice = Advice("needless-layers", "1 layer ran for nothing.", "", "", steps=("simplify",))
    card = FindingsCard(theme, example_report(), (advice,), document.selection, document)
    qtbot.addWidget(card)
    assert card.rows[0].button.text() == "Try in Improve"
    click(qtbot, card.rows[0].button)
    assert ran == [("tab/improve",)]
    assert [step.action for step in document.improving.steps] == ["simplify"]
