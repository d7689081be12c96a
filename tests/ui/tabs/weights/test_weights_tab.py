"""The Weights tab under clicks, on real files."""

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from inspector.pages.charts.palette import DARK
from inspector.ui.documents import weight_reading as work_module
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.weight_reading import Plane, TensorSummary
from inspector.ui.tabs.weights import weight_detail as detail_module
from inspector.ui.tabs.weights.tab import WeightsTab
from inspector.ui.tabs.weights.weight_detail import WeightDetail
from inspector.ui.tabs.weights.weight_facts import Facts
from inspector.ui.tabs.weights.weight_list import WeightsList
from inspector.ui.widgets.parts import Elided, Link
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.theme import Theme
from tests.formats.build import add, external, model, save, weight
from tests.ui.made_documents import KeepingEngine, document, opened

LEFT, TEXT = Qt.MouseButton.LeftButton, Qt.ItemDataRole.DisplayRole
SAID, TIP = Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole


def example(folder: Path) -> Path:
    """Four initializers, two of them the same, and a constant; one has a problem."""
    ramp = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    broken = weight("net/broken", np.ones(4, np.float32))
    broken.dims[0] = 5
    weights = [
        weight("net/ramp", ramp),
        weight("net/ones", np.ones(16, np.float16)),
        broken,
        weight("net/again", ramp),
    ]
    nodes = [
        helper.make_node("Constant", [], ["k"], value=weight("k", np.array([7, 8, 9]))),
        add("net/ramp", "k"),
        helper.make_node("Neg", ["net/ramp"], ["z"], name="negate"),
    ]
    return save(model(nodes, weights), folder / "m.onnx")


@pytest.fixture
def opened_example(qtbot: QtBot, tmp_path: Path) -> Document:
    return opened(qtbot, example(tmp_path))


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, opened_example: Document) -> WeightsTab:
    made = shown_tab(qtbot, theme, opened_example)
    made.resize(1300, 800)
    made.show()
    settle(qtbot, opened_example)
    return made


def shown_tab(qtbot: QtBot, theme: Theme, opened_one: Document) -> WeightsTab:
    made = WeightsTab(theme, opened_one)
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: made.list is not None)
    return made


def settle(qtbot: QtBot, opened_one: Document) -> None:
    qtbot.waitUntil(lambda: opened_one.weights.reading is None)


def parts(tab: WeightsTab) -> tuple[WeightsList, WeightDetail]:
    assert tab.list is not None
    assert tab.detail is not None
    return tab.list, tab.detail


def names(shown: WeightsList) -> list[str]:
    column, rows = shown.model.column("name"), range(shown.model.rowCount())
    return [shown.model.text(row, column).removesuffix(" (constant)") for row in rows]


def said(detail: WeightDetail) -> str:
    page = detail.pane.widget()
    words = [w.accessibleName() for w in page.findChildren(Elided)]
    return "\n".join([*words, *(w.text() for w in page.findChildren(QLabel))])


def button(detail: WeightDetail, words: str) -> QPushButton:
    buttons = detail.pane.widget().findChildren(QPushButton)
    return next(b for b in buttons if words in b.accessibleName())


def click_title(qtbot: QtBot, shown: WeightsList, what: str) -> None:
    header = shown.table.horizontalHeader()
    section = shown.model.place(what)
    x = header.sectionViewportPosition(section) + header.sectionSize(section) // 2
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(x, ROW // 2))


def test_all_tensors_are_listed_with_who_uses_them(tab):
    shown, _ = parts(tab)
    assert names(shown) == ["net/ramp", "net/ones", "net/broken", "net/again", "k"]
    rows = [[shown.model.text(row, what) for what in shown.model.columns] for row in (0, 4)]
    assert rows[0][:6] == ["net/ramp", "float32", "2×3×4", "", "96 B", "36.4%"]
    assert rows[0][6].startswith("model, byte ")
    assert rows[0][7].endswith(" +1")
    assert rows[1][1] == "int64"
    broken = shown.model.index(2, 0)
    assert "its shape needs 20 B" in shown.model.data(broken, SAID)
    assert "its shape needs 20 B" in shown.model.data(broken, TIP)
    assert shown.model.text(1, shown.model.column("users")) == "no layer"


def test_titles_sort_turn_and_give_the_order_of_the_file_back(tab, qtbot):
    shown, _ = parts(tab)
    click_title(qtbot, shown, "size")
    assert names(shown)[:2] == ["net/ramp", "net/again"]
    click_title(qtbot, shown, "size")
    assert names(shown)[-2:] == ["net/ramp", "net/again"]
    click_title(qtbot, shown, "size")
    assert names(shown)[0] == "net/ramp"
    assert names(shown)[-1] == "k"
    click_title(qtbot, shown, "name")
    assert names(shown) == sorted(names(shown))


def test_typing_picks_by_name_type_or_origin(tab, qtbot):
    shown, _ = parts(tab)
    qtbot.keyClicks(shown.filter, "NET float32")
    assert names(shown) == ["net/ramp", "net/broken", "net/again"]
    assert shown.count.text() == "3 of 5 · 208 B"
    shown.filter.setText("constant")
    assert names(shown) == ["k"]
    shown.filter.setText("problem")
    assert names(shown) == ["net/broken"]


def test_the_largest_is_shown_at_once_with_what_is_in_it(tab):
    _, detail = parts(tab)
    words = said(detail)
    for told in ("ramp", "2×3×4", "96 B, 36.4% of all weights", "11.5", "6.92219", "23"):
        assert told in words
    assert "0  1  2  3" in words


def test_a_row_shows_its_tensor_and_a_link_selects_its_layer(tab, qtbot, theme, opened_example):
    shown, detail = parts(tab)
    row = shown.table.visualRect(shown.model.index(1, 0)).center()
    qtbot.mouseClick(shown.table.viewport(), LEFT, pos=row)
    settle(qtbot, opened_example)
    assert "All values are equal." in said(detail)
    assert "Not used by any layer" in said(detail)
    shown.choose(0)
    links = detail.pane.widget().findChildren(Link)
    link = next(each for each in links if "negate" in each.accessibleName())
    assert link.width() >= link.fontMetrics().horizontalAdvance(link.text())
    theme.choose("dark")
    assert DARK.accent in link.styleSheet(), "it is drawn in the color of the other theme, too"
    qtbot.mouseClick(link, LEFT)
    assert opened_example.selection.now.layer == 2


def test_return_on_a_row_selects_the_layer(tab, qtbot, opened_example):
    shown, _ = parts(tab)
    shown.choose(4)
    shown.table.setFocus()
    qtbot.keyClick(shown.table, Qt.Key.Key_Return)
    assert opened_example.selection.now.layer == 1


def test_a_problem_stands_where_the_values_would(tab):
    shown, detail = parts(tab)
    shown.choose(2)
    assert "It has 16 B of values, but its shape needs 20 B." in said(detail)
    assert not button(detail, "Save").isEnabled()


def test_reading_all_finds_tensors_that_repeat_another(tab, qtbot, opened_example):
    shown, detail = parts(tab)
    with qtbot.waitSignal(opened_example.weights.found_changed):
        qtbot.mouseClick(shown.all_button, LEFT)
    qtbot.waitUntil(lambda: opened_example.weights.all_done is None)
    assert shown.said.text() == "Statistics loaded for 4 of 5 tensors · 1 unreadable"
    work = opened_example.weights
    assert (work.repeated, work.repeated_bytes) == (1, 96)
    assert "96 B" in tab.numbers.repeated.accessibleDescription()
    shown.choose(3)
    assert "Identical to net/ramp." in said(detail)
    assert not shown.all_button.isEnabled()


def test_a_large_tensor_waits_until_it_is_asked_for(qtbot, theme, opened_example, monkeypatch):
    monkeypatch.setattr(detail_module, "AT_ONCE_BYTES", 10)
    tab = shown_tab(qtbot, theme, opened_example)
    _, detail = parts(tab)
    assert opened_example.weights.found == {}
    assert detail.picker is None, "its plane is large as well"
    assert "opening a model does not load its weights" in said(detail)
    with qtbot.waitSignal(opened_example.weights.found_changed):
        qtbot.mouseClick(button(detail, "Load 96 B"), LEFT)
    assert isinstance(opened_example.weights.found[0], TensorSummary)
    assert "11.5" in said(detail)


def test_a_plane_of_a_large_tensor_is_shown_before_it_is_read(
    qtbot, theme, opened_example, monkeypatch
):
    monkeypatch.setattr(detail_module, "AT_ONCE_BYTES", 50)
    tab = shown_tab(qtbot, theme, opened_example)
    _, detail = parts(tab)
    picker = detail.picker
    qtbot.waitUntil(lambda: "from 0 to 11" in picker.map.accessibleDescription())
    assert opened_example.weights.found == {}


def test_a_plane_is_chosen_by_axes_and_places(tab, qtbot, opened_example):
    _, detail = parts(tab)
    picker = detail.picker
    assert (picker.view.down, picker.view.across) == (1, 2)
    seen: list[Plane] = []
    opened_example.weights.plane_read.connect(seen.append)
    with qtbot.waitSignal(opened_example.weights.plane_read):
        picker.at[0].setValue(1)
    qtbot.waitUntil(lambda: bool(seen) and seen[-1].view.at[0] == 1)
    assert seen[-1].values.tolist() == np.arange(12, 24).reshape(3, 4).tolist()
    picker.down.setCurrentIndex(2)
    with qtbot.waitSignal(opened_example.weights.plane_read):
        picker.down.activated.emit(2)
    assert (picker.view.down, picker.view.across) == (2, 1)
    qtbot.waitUntil(lambda: seen[-1].view.down == 2)
    assert seen[-1].values.tolist() == np.arange(12, 24).reshape(3, 4).T.tolist()
    assert "4 rows, 3 columns" in picker.map.accessibleDescription()


def test_a_file_that_changed_is_told_in_the_place_of_the_values(tab, qtbot, opened_example):
    shown, detail = parts(tab)
    changed_ns = opened_example.path.stat().st_mtime_ns
    with opened_example.path.open("ab") as file:
        file.write(b"\0")
    shown.choose(3)
    told = "m.onnx has changed since the model was opened"
    qtbot.waitUntil(lambda: 3 in opened_example.weights.found and told in said(detail))
    with opened_example.path.open("ab") as file:
        file.truncate(file.tell() - 1)
    os.utime(opened_example.path, ns=(changed_ns, changed_ns))
    shown.choose(0)
    shown.choose(3)
    qtbot.waitUntil(lambda: isinstance(opened_example.weights.found[3], TensorSummary))


def test_a_tensor_is_saved_or_the_failure_told(tab, qtbot, opened_example, tmp_path):
    work = opened_example.weights
    _, detail = parts(tab)
    with qtbot.waitSignal(work.saved):
        work.save(0, tmp_path / "ramp.npy")
    assert "Saved ramp.npy" in said(detail)
    assert np.load(tmp_path / "ramp.npy").shape == (2, 3, 4)
    with qtbot.waitSignal(work.failed):
        work.save(0, tmp_path / "nowhere" / "ramp.npy")
    assert tab.failure.isVisibleTo(tab)
    assert tab.failure.what.text() == "Could not save ramp.npy"


def test_a_cancelled_tensor_is_offered_again(qtbot, theme, opened_example, monkeypatch):
    monkeypatch.setattr(detail_module, "AT_ONCE_BYTES", 10)
    tab = shown_tab(qtbot, theme, opened_example)
    _, detail = parts(tab)
    gate = threading.Event()
    gather = work_module.gather

    def wait(*asked: Any) -> TensorSummary:
        assert gate.wait(60)
        return gather(*asked)

    monkeypatch.setattr(work_module, "gather", wait)
    qtbot.mouseClick(button(detail, "Load 96 B"), LEFT)
    qtbot.mouseClick(button(detail, "Cancel"), LEFT)
    gate.set()
    settle(qtbot, opened_example)
    assert opened_example.weights.found == {}
    assert button(detail, "Load 96 B").isEnabled()


def test_what_is_below_the_values_waits_where_it_stays(
    qtbot, theme, opened_example, monkeypatch
):
    monkeypatch.setattr(detail_module, "AT_ONCE_BYTES", 50)
    tab = shown_tab(qtbot, theme, opened_example)
    tab.resize(1300, 1000)
    tab.show()
    _, detail = parts(tab)

    def places() -> dict[str, int]:
        page = detail.pane.widget()
        qtbot.wait(1)
        titles = [
            each for each in page.findChildren(QLabel) if each.property("role") == "section"
        ]
        return {each.text(): each.mapTo(page, QPoint()).y() for each in titles}

    qtbot.waitUntil(lambda: "from 0 to 11" in detail.picker.map.accessibleDescription())
    before = places()
    assert {"Statistics", "Slice view", "First values"} <= before.keys()
    with qtbot.waitSignal(opened_example.weights.found_changed):
        qtbot.mouseClick(button(detail, "Load 96 B"), LEFT)
    assert "11.5" in said(detail)
    assert places() == before


def test_cancel_keeps_what_is_known(tab, qtbot, opened_example):
    work = opened_example.weights
    work.read_all()
    work.cancel_all()
    qtbot.waitUntil(lambda: work.all_done is None)
    assert 0 in work.found
    work.read_all()
    qtbot.waitUntil(lambda: work.all_done is None)
    assert len(work.found) == 5


def test_names_with_markup_and_without_stay_names(qtbot, theme, tmp_path):
    odd = [weight("<b>bold</b>\n\u202egnp", np.ones(2, np.float32)), weight("", np.ones(3))]
    shown_one = opened(qtbot, save(model([add()], odd), tmp_path / "m.onnx"))
    tab = shown_tab(qtbot, theme, shown_one)
    shown, detail = parts(tab)
    assert names(shown) == ["<b>bold</b>\\u000a\\u202egnp", "(no name)"]
    assert "&lt;b&gt;" in shown.model.data(shown.model.index(0, 0), TIP)
    settle(qtbot, shown_one)
    assert not detail.grab().isNull()


def test_every_kind_of_tensor_can_be_looked_at(qtbot, theme, tmp_path):
    texts = helper.make_tensor("texts", TensorProto.STRING, [2], [b"<i>", b""])
    odd = np.array([[np.nan, np.inf, -1]], np.float32)
    small = numpy_helper.from_array(
        np.array([[-8, 7, 3]]).astype(helper.tensor_dtype_to_np_dtype(TensorProto.INT4)), "int4"
    )
    kinds = [
        texts,
        small,
        weight("odd", odd),
        weight("scalar", np.array(3.5)),
        weight("empty", np.zeros((0, 4), np.float32)),
        weight("complex", np.array([1 + 1j, 2])),
        weight("bool", np.array([[True], [False]])),
    ]
    shown_one = opened(qtbot, save(model([add()], kinds), tmp_path / "m.onnx"))
    tab = shown_tab(qtbot, theme, shown_one)
    tab.show()
    shown, detail = parts(tab)
    told = {}
    for index, one in enumerate(shown.weights):
        shown.choose(index)
        settle(qtbot, shown_one)
        told[one.name] = said(detail)
        assert not detail.grab().isNull()
    assert "<i>" in told["texts"]
    assert "NaN or infinite" in told["odd"]
    assert "This tensor has no elements." in told["empty"]
    assert "-8  7  3" in told["int4"]


def test_a_model_without_tensors_says_so(qtbot, theme, tmp_path):
    shown_one = opened(qtbot, save(model([add()]), tmp_path / "m.onnx"))
    tab = WeightsTab(theme, shown_one)
    qtbot.addWidget(tab)
    assert tab.widget().text() == "m.onnx contains no tensors."


def test_before_the_model_is_open_it_says_what_is_awaited(qtbot, theme, tmp_path):
    waiting = document(example(tmp_path), KeepingEngine())
    tab = WeightsTab(theme, waiting)
    qtbot.addWidget(tab)
    assert tab.widget().text() == "m.onnx is not open."
    with qtbot.waitSignals([waiting.changed(Topic.MODEL), waiting.changed(Topic.DIGEST)]):
        waiting.open()
    qtbot.waitUntil(lambda: tab.list is not None)
    shown, _ = parts(tab)
    assert shown.model.rowCount() == 5
    settle(qtbot, waiting)


@pytest.mark.parametrize("width", [576, 872, 1440])
def test_nothing_is_wider_than_its_room(tab, qtbot, width):
    shown, detail = parts(tab)
    tab.resize(width, 622)
    qtbot.waitUntil(lambda: tab.widget().width() <= width)
    assert tab.widget().minimumSizeHint().width() <= width
    section = shown.table.columnWidth
    qtbot.waitUntil(lambda: sum(map(section, range(len(shown.model.columns)))) <= shown.width())
    assert detail.pane.widget().minimumSizeHint().width() <= detail.width()


@pytest.mark.skipif(os.name == "nt", reason="such a file would take its room on the disk")
def test_sixteen_gigabytes_outside_are_not_read_when_the_tab_is_shown(qtbot, theme, tmp_path):
    big = external("w", [4, 1 << 15, 1 << 15], location="big.data")
    path = save(model([add()], [big]), tmp_path / "m.onnx")
    with (tmp_path / "big.data").open("wb") as file:
        file.truncate(16 << 30)
    reads: list[int] = []

    def counted(descriptor: int, length: int, offset: int) -> bytes:
        reads.append(length)
        return os.pread(descriptor, length, offset)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspector.formats.source._read_at", counted)
        on = opened(qtbot, path, KeepingEngine())
        tab = WeightsTab(theme, on)
        qtbot.addWidget(tab)
        tab.resize(916, 822)
        tab.show()
        qtbot.waitUntil(lambda: tab.detail is not None)
        qtbot.waitUntil(lambda: bool(on.digest))
    assert 0 < sum(reads) < 1 << 20
    assert on.weights.read_ones == 0
    assert tab.detail is not None
    assert "16.0 GiB" in " ".join(each.accessibleName() for each in tab.findChildren(Facts))


def test_a_weight_that_is_selected_elsewhere_is_shown(tab, opened_example):
    shown, _ = parts(tab)
    last = min(opened_example.model.weights, key=lambda weight: weight.size_bytes or 0)
    opened_example.selection.choose(tensor=last.name)
    row = shown.selected_row()
    assert row is not None
    assert shown.weights[shown.model.place_of(row)].name == last.name


def test_the_menu_of_a_tensor_shows_its_layer_in_the_graph(qtbot, tab, opened_example, ran):
    tab.list.table.selectRow(0)
    actions = {each.text(): each for each in tab.list.row_menu.menu(0).actions()}
    actions["Show in graph"].trigger()
    assert ran == [("tab/graph",)]
    assert opened_example.selection.now.layer is not None
