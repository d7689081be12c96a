"""Two models side by side, in a window and by clicks."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QFileDialog, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from inspector.compare.model_changes import State
from inspector.ui.tabs.diff.view import DiffView
from inspector.ui.window.main_window import MainWindow

SAMPLES = Path(__file__).parents[4] / "sample_models"


@pytest.fixture
def view(qtbot: QtBot, window: MainWindow) -> DiffView:
    names = ("digits_int8_qdq", "digits_float32")
    window.workspace.open_all([SAMPLES / f"{name}.onnx" for name in names])
    documents = window.workspace.documents
    qtbot.waitUntil(
        lambda: len(documents) == 2 and all(d.model is not None for d in documents),
        timeout=30_000,
    )
    window.compare_models()
    made = window.findChild(DiffView)
    assert isinstance(made, DiffView)
    with qtbot.waitSignal(made.compared, timeout=30_000):
        pass
    if made.diff is not None and made.diff.first.name != "digits_float32.onnx":
        with qtbot.waitSignal(made.compared, timeout=30_000):
            made.swap.click()
    views = [side.view for side in made.graphs.sides]
    qtbot.waitUntil(lambda: all(each.scene is not None for each in views), timeout=30_000)
    return made


def group(view: DiffView, number: int) -> QTreeWidgetItem:
    item = view.list.topLevelItem(number)
    assert item is not None
    return item


def conv(view: DiffView) -> int:
    """Place of the first pair that changed."""
    assert view.diff is not None
    return next(n for n, p in enumerate(view.diff.pairs) if p.state is State.CHANGED)


def test_the_summary_and_the_counts_are_shown(view: DiffView) -> None:
    assert view.summary.text().startswith("B is A with 3 Conv and 1 Gemm in int8; ")
    assert view.chips[State.NEW].text() == "+ New 24"
    assert view.chips[State.GONE].text() == "− Gone 6"
    assert view.chips[State.SAME].text() == "= Same 5"
    assert group(view, 0).text(0) == "3 Conv"


def test_a_row_selects_the_pair_on_both_sides(view: DiffView) -> None:
    row = group(view, 0).child(0)
    assert row is not None
    view.list.setCurrentItem(row)
    assert view.diff is not None
    pair = view.diff.pairs[view.diff.groups[0].pairs[0]]
    selected = [side.selection.now.layer for side in view.graphs.sides]
    assert selected == [pair.first, pair.other]
    assert ("Weights", "float32", "int8") in view.detail.texts
    assert view.detail.how.text() == "matched by name"


def test_a_layer_of_one_graph_selects_its_partner_and_its_row(view: DiffView) -> None:
    assert view.diff is not None
    pair = view.diff.pairs[conv(view)]
    view.graphs.sides[1].selection.choose(pair.other)
    assert view.graphs.sides[0].selection.now.layer == pair.first
    current = view.list.currentItem()
    assert current is not None
    assert current.text(0) == view.diff.first.layers[pair.first or 0].name


def test_a_layer_of_one_side_alone_has_no_partner(view: DiffView) -> None:
    assert view.diff is not None
    gone = next(p for p in view.diff.pairs if p.state is State.GONE)
    view.graphs.sides[0].selection.choose(gone.first)
    assert view.graphs.sides[1].selection.now.layer is None
    assert view.detail.how.text() == "− gone"


def test_panning_and_zooming_one_graph_moves_the_other(view: DiffView) -> None:
    one, two = (side.view.camera for side in view.graphs.sides)
    one.scale(1.3)
    assert two.zoom == pytest.approx(one.zoom)
    view.graphs.choose(conv(view))
    one.pan(QPointF(0, 40))
    moved = two.corner
    view.together.setChecked(False)
    one.pan(QPointF(0, 40))
    assert two.corner == moved


def test_a_count_switched_off_hides_its_groups_and_its_color(
    qtbot: QtBot, view: DiffView
) -> None:
    side = view.graphs.sides[1]
    assert side.view.scene is not None
    assert (side.view.scene.code == 1).any()
    with qtbot.waitSignal(side.drawn, timeout=30_000):
        view.chips[State.NEW].click()
    assert not (side.view.scene.code == 1).any()
    hidden = [
        group(view, n).text(0)
        for n in range(view.list.topLevelItemCount())
        if group(view, n).isHidden()
    ]
    assert hidden == ["16 DequantizeLinear", "8 QuantizeLinear"]


@pytest.mark.parametrize(("form", "start"), [("html", b"<!doctype"), ("md", b"###")])
def test_the_differences_are_exported(
    qtbot: QtBot,
    view: DiffView,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    start: bytes,
) -> None:
    path = tmp_path / "saved"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    action = next(a for a in view.export.menu().actions() if a.data() == form)
    action.trigger()
    qtbot.waitUntil(path.exists, timeout=10_000)
    assert path.read_bytes().startswith(start)
