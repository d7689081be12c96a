"""The files of a folder with their results: table, order, widths."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.pages.outputs.folder_files import file_table
from inspector.preview.runs.folder import Agreement, Row
from inspector.ui.tabs.preview.folder_view import FolderTable, FolderView
from inspector.ui.translate import time_left
from inspector.ui.widgets.page_table import PageTableModel
from inspector.ui.widgets.theme import Theme

RIGHT = Row("a.png", "cat", 0.9, ("cat",), "cat", 3_000_000)
WRONG = Row("b.png", "dog", 0.6, ("dog",), "cat", 2_000_000)
TORN = Row("c.png", problem="Could not open c.png: it is no image", why="it is no image")
PLAIN = Row("d.png", "cow", 0.7)


def held(row: Row, same: bool | None, largest: float | None, text: str = "") -> Row:
    return Row(row.file, row.answer, row.score, agreement=Agreement(same, largest, text))


def model_of(*rows: Row) -> PageTableModel:
    return PageTableModel(file_table(rows))


def texts(model: PageTableModel, key: str) -> list[str]:
    return [model.text(row, model.column(key)) for row in range(model.rowCount())]


def spoken(model: PageTableModel, key: str) -> list[str]:
    return [model.spoken(row, model.column(key)) for row in range(model.rowCount())]


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> FolderTable:
    made = FolderTable(theme)
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    return made


@pytest.fixture
def views(qtbot: QtBot, theme: Theme) -> list[FolderView]:
    """Return the files of a model in two windows, one after the other."""
    made = [FolderView(theme, "net.onnx") for _ in range(2)]
    for each in made:
        qtbot.addWidget(each)
        each.show()
    return made


def test_a_run_is_there_after_a_restart_and_is_offered_again_for_another_model(
    views, qtbot, tmp_path
):
    first, later = views
    (tmp_path / "b.png").touch()
    first.truth.show_value("none")
    first.use_folder(tmp_path)
    first.begin(("cat", "dog"))
    assert first.saved((1,)) == "", "there is nothing yet"
    rows = [RIGHT, held(WRONG, False, 0.5, "dog"), TORN]
    for row in rows:
        first.add(len(rows), row)
    first.show_result(replace(first.result, notes=("True answers from a table.",)))
    saved = first.saved((1,))
    assert later.restore(saved, (1,)), "the files were shown"
    assert later.result.rows == tuple(rows)
    assert later.result.notes == ("True answers from a table.",)
    assert (later.place, later.truth.value) == (tmp_path, "none")
    assert later.table.isVisible()
    assert not later.again.isVisible()
    first.restore(saved, (2,))
    assert first.again.isVisible(), "the model is another one"
    first.rows = []
    asked = []
    first.requested.connect(lambda *arguments: asked.append(arguments))
    qtbot.mouseClick(first.again, Qt.MouseButton.LeftButton)
    assert asked == [(tmp_path, "none", None)]
    later.restore("{}", (1,))  # of another version of Inspector
    assert later.result.rows == tuple(rows)


def test_a_run_tells_how_far_it_is_and_how_long_the_rest_takes(views, monkeypatch, qtbot):
    view, now, told = views[0], [100.0], []
    monkeypatch.setattr("inspector.ui.widgets.progress.monotonic", lambda: now[0])
    view.progressed.connect(told.append)
    view.set_busy(True, True)
    view.begin(())
    for row in (RIGHT, WRONG):
        view.add(20, row)
    now[0] += 10
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1] == f"2 of 20 files · 10% · {time_left(90)}"


def test_a_file_has_its_answer_its_label_or_why_there_is_none():
    model = model_of(RIGHT, WRONG, TORN, PLAIN)
    assert texts(model, "truth") == ["✓ cat", "✗ cat", "", ""]
    assert spoken(model, "truth") == ["right, cat", "wrong, cat", "", ""]
    assert texts(model, "answer") == ["cat", "dog", "It is no image", "cow"]
    assert texts(model, "time") == ["3.00 ms", "2.00 ms", "", ""]
    assert texts(model, "score")[2] == ""


@pytest.mark.parametrize(
    ("column", "downwards", "files"),
    [
        ("truth", False, "bcda"),
        ("score", True, "adbc"),
        ("time", False, "bacd"),
        ("answer", False, "adbc"),
        ("file", True, "dcba"),
    ],
)
def test_files_are_ordered_by_each_column(column, downwards, files):
    model = model_of(RIGHT, WRONG, TORN, PLAIN)
    model.sort_by(model.place(column), downwards)
    assert "".join(text[0] for text in texts(model, "file")) == files


@pytest.mark.parametrize(
    ("row", "text", "said"),
    [
        (held(PLAIN, True, 0.0), "✓ same", "same"),
        (held(PLAIN, False, 0.5, "dog"), "✗ dog", "differs, dog"),
        (held(PLAIN, None, 0.01234), "± 0.012", "± 0.012"),
        (held(PLAIN, None, None, "No numbers"), "No numbers", "No numbers"),
        (PLAIN, "", ""),
    ],
)
def test_a_second_run_agrees_or_not(row, text, said):
    model = model_of(row)
    assert texts(model, "other") == [text]
    assert spoken(model, "other") == [said]


@pytest.mark.parametrize("room", [600, 900])
@pytest.mark.parametrize("rows", [(PLAIN,), (RIGHT, WRONG), (held(PLAIN, True, 0.0), RIGHT)])
def test_columns_fill_the_room_and_those_without_content_are_left_out(table, rows, room):
    table.show_rows(rows)
    names, answers, score, label, other, time = table.table.widths(room)
    assert names + answers + score + label + other + time == room
    assert (label > 0) == any(row.wanted for row in rows)
    assert (other > 0) == any(row.agreement is not None for row in rows)


def test_the_chosen_file_stays_selected_while_more_come(table):
    chosen: list[str] = []
    table.file_chosen.connect(chosen.append)
    table.show_rows((WRONG, TORN))
    assert table.selected_row() is None
    table.table.selectRow(0)
    assert chosen == ["b.png"]
    table.show_rows((RIGHT, WRONG, TORN))
    assert table.selected_row() == 1
    table.show_rows((RIGHT,))
    assert table.selected_row() is None
