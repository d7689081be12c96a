"""Candidates as points, rows and tiles: what is shown, and what a click does."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.app.changing.search import _put_back
from inspector.pages.charts.improvement_plot import plot
from inspector.pages.improvement import evidence, verdict_words
from inspector.pages.lists.before_after import before_after
from inspector.report.improvement import (
    Accuracy,
    Candidate,
    DataSet,
    Improvement,
    InputResult,
    Latency,
    LayerError,
    StepResult,
    TargetLayers,
    verdict_text,
)
from inspector.ui.tabs.improve.before_after import BeforeAfterCard
from inspector.ui.tabs.improve.layer_errors_card import LayerErrorsCard
from inspector.ui.tabs.improve.pareto_card import ParetoCard
from inspector.ui.tabs.improve.steps_card import StepsCard
from inspector.ui.tabs.improve.verdict_card import proposed_name
from inspector.ui.tabs.improve.worst_inputs import InputTile, WorstInputsCard
from inspector.ui.widgets.table import EDGE, INSET
from inspector.ui.widgets.theme import font
from inspector.wording.values import ENGLISH, Tone, Toned

INPUTS = Path(__file__).parents[4] / "sample_models" / "inputs"


def candidate(
    name: str, ratio: float, accuracy: float, size: int = 1_000_000, count: int = 5_000
) -> Candidate:
    change = accuracy - 0.582
    original = Latency(4e6, 5e6, 20_000_000)
    latency = Latency(
        4e6 * ratio, 5e6 * ratio, 30_000_000, ratio - 1, ratio - 1.02, ratio - 0.98, original
    )
    top1 = Accuracy(
        "top1", "Top-1 accuracy", accuracy, 0.582, change, change - 0.004, change + 0.004, count
    )
    worst = (
        InputResult("digit_3.png", "three", "eight", 0.93, 0.58, "three", 0.93),
        InputResult("gone.png", "five", "six", 0.6, 0.5, "", 0.6),
    )
    peaks = 29_000_000, 38_000_000
    return Candidate(
        name, (name,), size, 4, "", latency, (top1,), peaks[0], 21.4, worst, 310, (), peaks[1]
    )


def improvement(*candidates: Candidate, limit: float | None = 0.01) -> Improvement:
    original = Candidate("net.onnx", (), 2_000_000, 4)
    test = DataSet("/photos", 5_000, "", 5_000)
    return Improvement(
        "net.onnx", "0" * 64, "cpu", original, candidates, "top1", limit, -1, None, test
    )


FAST, KEPT = candidate("int8", 0.5, 0.56), candidate("int8, keep 4", 0.6, 0.578)
SLOW = candidate("weights", 1.0, 0.579, 500_000)
FAR = candidate("dynamic", 4.0, 0.575)
NOW = improvement(FAST, KEPT, SLOW, FAR)


def test_the_front_has_what_no_other_candidate_beats():
    shown = plot(NOW)
    assert [p.name for p in shown.points] == ["original", "int8", "int8, keep 4", "weights"]
    assert [p.name for p in shown.far] == ["dynamic"]
    assert [point.name for point in shown.front] == ["int8", "int8, keep 4", "original"]
    assert plot(improvement()).points == ()


def test_a_search_for_the_smallest_shows_sizes(qtbot, theme):
    by_size = plot(NOW, "size").points
    assert [round(p.x, 2) for p in by_size[:1]] == [1.0]
    slow = next(p for p in by_size if p.name == "weights")
    assert slow.x == 0.25, "of 2,000,000 bytes"
    card = ParetoCard(theme)
    qtbot.addWidget(card)
    card.show_improvement(NOW, None, False, "size")
    assert card.heading.text() == "Accuracy vs. size"


def test_a_click_on_a_point_takes_the_candidate(qtbot, theme):
    card = ParetoCard(theme)
    qtbot.addWidget(card)
    card.resize(420, 420)
    card.show()
    card.show_improvement(NOW, KEPT, busy=True)
    chart = card.chart
    names = [chart.item_name(n).partition(":")[0] for n in range(chart.item_count())]
    assert names == ["original", "int8", "int8, keep 4", "weights"]
    taken: list[Candidate] = []
    card.chosen.connect(taken.append)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.item_box(1).center())
    assert taken == [FAST]
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.item_box(0).center())
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert taken == [FAST], "neither the original nor nothing is a recipe"
    chart.choose("0")
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert taken == [FAST]
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert taken == [FAST, KEPT]
    assert chart.accessibleDescription().startswith("int8, keep 4: ")
    assert "60% of the original's latency" in chart.accessibleDescription()


def test_every_candidate_has_a_row_even_one_that_cannot_be_used(qtbot, theme):
    broken = Candidate("broken", ("broken",), problem="none: it does not open")
    now = improvement(FAST, broken, KEPT)
    card = ParetoCard(theme)
    qtbot.addWidget(card)
    card.resize(600, 420)
    card.show()
    card.show_improvement(now, None, busy=False)
    qtbot.mouseClick(card.views, Qt.MouseButton.LeftButton, pos=QPoint(80, 15))
    table = card.table
    assert table.isVisible()
    model = table.rows
    rows = [
        [model.text(row, column) for column in model.columns] for row in range(model.rowCount())
    ]
    assert rows[0] == ["int8", "977 KiB", "−50.0%", "56.00%", "✗", "Over limit"]
    assert rows[1][-1] == "Within limit"
    assert rows[2] == ["broken", "", "", "", "✗", "Cannot be used"], "the fastest comes first"
    assert "does not open" in model.hint(2, model.columns[0])
    model.turn(3)  # by accuracy, best first; those without one come last
    assert [model.text(row, model.columns[0]) for row in range(3)] == [
        "int8, keep 4",
        "int8",
        "broken",
    ]
    taken: list[Candidate] = []
    card.chosen.connect(taken.append)
    table.show_row(0)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert taken == [KEPT]
    place = table.visualRect(model.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert taken == [KEPT, FAST], "one click, as in the plot"


@pytest.mark.parametrize(
    ("count", "limit", "expected"),
    [
        (5_000, 0.01, "within the limit"),
        (5_000, 0.001, "beyond the limit"),
        (5_000, 0.005, "crosses the limit"),
        (5_000, 0, "no loss on the test inputs"),
        (20, 0.01, "at least 30 test inputs"),
        (5_000, None, "No accuracy limit is set"),
    ],
)
def test_the_verdict_says_what_it_rests_on(count, limit, expected):
    one = candidate("int8", 0.6, 0.577, count=count)
    lines = [*map(ENGLISH.text, evidence(improvement(one, limit=limit), one))]
    assert lines[0].startswith("Top-1 accuracy: 58.20% to 57.70%, −0.50 points")
    assert f"{count:,} test inputs" in lines[0]
    assert expected in lines[1]


def test_an_accuracy_that_did_not_change_is_called_unchanged():
    one = candidate("float16", 1.0, 0.582)
    assert verdict_text(improvement(one), one).startswith(
        "50% smaller, accuracy unchanged, same latency"
    )
    assert verdict_text(NOW, KEPT).endswith("accuracy loss within limit")


def numbers(now: Improvement, candidate: Candidate) -> dict[str, tuple[str, str, str, Tone]]:
    rows = {}
    for name, *values, change in (row.cells for row in before_after(now, candidate).rows):
        texts = [ENGLISH.text(value) for value in (name, *values, change)]
        tone = change.tone if isinstance(change, Toned) else Tone.PLAIN
        rows[texts[0]] = (texts[1], texts[2], texts[3], tone)
    return rows


def test_a_change_is_colored_by_what_it_means(qtbot, theme):
    rows = numbers(NOW, KEPT)
    assert rows["Latency, median"] == ("4.00 ms", "2.40 ms", "40.0% faster", Tone.GOOD)
    # Measured once, so nothing says how sure it is.
    assert rows["Load in a new process"][2:] == ("50.0% higher", Tone.PLAIN)
    assert rows["Peak process memory"][-1] is Tone.GOOD
    assert rows["Top-1 accuracy"][2] == "−0.40 points"
    same = candidate("same", 1.0, 0.582)
    assert numbers(NOW, same)["Latency, median"][-1] is Tone.PLAIN
    card = BeforeAfterCard(theme)
    qtbot.addWidget(card)
    card.show_candidate(NOW, KEPT)
    card.resize(360, 400)
    assert card.table.model().rowCount() == len(rows)


def test_fewer_layers_on_phones_stand_out():
    targets = (
        TargetLayers("iPhone (Core ML)", "16 of 16", "12 of 37", "part", 1),
        TargetLayers("Android (NNAPI)", "16 of 16", "16 of 16", "all"),
        TargetLayers("Intel (OpenVINO)", "16 of 16", "37 of 37", "all"),
        TargetLayers("Qualcomm NPU (QNN)", "16 of 16", "", "unknown", 37),
    )
    worse = replace(FAST, targets=targets)
    shown = numbers(improvement(worse), worse)
    missing = "24 to 25 missing"  # one could not be checked
    assert shown["iPhone (Core ML)"] == ("16 of 16", "12 of 37", missing, Tone.CAUTION)
    assert shown["Android (NNAPI)"] == ("16 of 16", "16 of 16", "", Tone.PLAIN)
    assert "Qualcomm NPU (QNN)" not in shown, "unknown is not fewer"


def test_every_device_that_the_caution_counts_has_a_row():
    targets = tuple(
        TargetLayers(f"Device {number}", "16 of 16", "12 of 37", "part") for number in range(6)
    )
    worse = replace(FAST, targets=targets)
    assert "also 4 other devices" in worse.support_caution
    shown = numbers(improvement(worse), worse)
    assert {f"Device {number}" for number in range(6)} <= shown.keys()


def test_the_worst_inputs_are_shown_as_pictures(qtbot, theme):
    card = WorstInputsCard(theme)
    qtbot.addWidget(card)
    card.resize(700, 300)
    card.show_candidate(KEPT, INPUTS)
    card.show()
    first, second = card.tiles
    qtbot.waitUntil(lambda: first._image is not None, timeout=60_000)
    assert second._image is None  # the file is gone; its name stands there
    assert "original: three" in first.accessibleName()
    assert "recipe: eight" in first.accessibleName()
    assert "310" in card.about.text()
    taken: list[Path] = []
    card.chosen.connect(taken.append)
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Return)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert taken == [INPUTS / "digit_3.png", INPUTS / "gone.png"]
    card.resize(200, 300)
    assert len(card.tiles) == 1
    assert card.more.isVisible()
    qtbot.mouseClick(card.more, Qt.MouseButton.LeftButton)
    assert len(card.tiles) == 2
    card.show_candidate(None, INPUTS)
    assert not card.isVisible()


def test_the_next_candidate_leaves_no_tile_of_the_one_before(qtbot, theme):
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(900, 400)
    card = WorstInputsCard(theme)
    QVBoxLayout(page).addWidget(card)
    page.show()
    results = [InputResult(f"{n}.png", "a", "b", 0.9, 0.8, "a", 0.9) for n in range(6)]
    for shown in (results, results[:1], results[2:5]):
        card.show_candidate(Candidate("int8", worst=tuple(shown), changed=len(shown)), INPUTS)
        qtbot.waitUntil(lambda: card.width() > 800)
        seen = [tile.result for tile in card.findChildren(InputTile) if tile.isVisible()]
        assert seen == [tile.result for tile in card.tiles] == shown


def test_a_name_is_proposed_for_the_new_model():
    made = Candidate("both", ("opset:to=17", "int8:keep=conv1", "opset"))
    assert proposed_name(Path("/models/net.onnx"), made) == "net.opset-int8.onnx"
    assert verdict_words(NOW, FAST)[1] == "Over limit"


def test_layers_that_lose_most_are_listed_worst_first(qtbot, theme):
    card = LayerErrorsCard(theme)
    qtbot.addWidget(card)
    layers = (LayerError("stem", "Conv", 38.0), LayerError("head", "Gemm", 21.0, 17.0))
    card.show_candidate(Candidate("int8", layers=layers))
    assert not card.isHidden()
    texts = [
        [card.model.text(row, column) for column in card.model.columns] for row in range(2)
    ]
    assert texts == [["head", "Gemm", "21.0 dB", "17.0 dB"], ["stem", "Conv", "38.0 dB", ""]]
    card.show_candidate(Candidate("float16"))
    assert card.isHidden()


def test_each_step_of_a_recipe_is_a_row(qtbot, theme):
    card = StepsCard(theme)
    qtbot.addWidget(card)
    steps = (StepResult("", 26, 1000), StepResult("strip", 26, 900, inputs=4),
             StepResult("int8", 30, 300, 1e6, 0.9e6, 1.1e6, 31.5, 3, 4))  # fmt: skip
    card.show_candidate(Candidate("both", after_steps=steps))
    assert not card.isHidden()
    texts = [[card.model.text(row, c) for c in card.model.columns] for row in range(3)]
    assert [row[4:] for row in texts] == [["", ""], ["exact", ""], ["31.5 dB", "3 of 4"]]
    card.show_candidate(Candidate("int8"))
    assert card.isHidden()


def test_the_recommended_row_stays_marked_and_no_column_is_left_out(qtbot, theme):
    now = replace(NOW, best=1)
    card = ParetoCard(theme)
    qtbot.addWidget(card)
    card.resize(400, 500)
    card.views.choose(1)
    card.show()
    card.show_improvement(now, FAST, busy=False)  # another row is selected
    model, table = card.table.rows, card.table
    best = [model.row(row).tone is Tone.GOOD for row in range(model.rowCount())]
    assert best == [False, True, False, False]
    assert model.text(1, model.columns[-1]) == "Recommended"
    assert model.spoken(1, model.column("sign")) == "Recommended"
    hidden = [key for key in map(table.isColumnHidden, range(len(model.columns))) if key]
    assert len(hidden) <= 1, "only the words, which the signs stand for"


def test_a_candidate_that_is_run_again_is_outdated_meanwhile(qtbot, theme):
    card = BeforeAfterCard(theme)
    qtbot.addWidget(card)
    card.show_candidate(NOW, FAST, again=True)
    assert card.model.row(0).tone is Tone.SECONDARY
    assert "previous run" in card.count.text()
    card.show_candidate(NOW, FAST)
    assert card.model.row(0).tone is Tone.PLAIN


@pytest.mark.parametrize(("best", "expected"), [(0, 0), (1, 2), (2, 1), (-1, -1)])
def test_a_candidate_that_ran_again_keeps_its_row(best, expected):
    # KEPT was the second row; it was taken out, and is the last one when it is done.
    state = _put_back(replace(improvement(FAST, SLOW, KEPT), best=best), 1)
    assert [each.name for each in state.candidates] == ["int8", "int8, keep 4", "weights"]
    assert state.best == expected


def test_a_tile_with_a_label_shows_which_answer_is_right(qtbot, theme):
    labeled, unlabeled = (InputTile(theme, result) for result in FAST.worst)
    for tile in (labeled, unlabeled):
        qtbot.addWidget(tile)
    assert labeled.height() > unlabeled.height()
    look = theme.palette
    assert [labeled._tint(answer, look.text) for answer in ("three", "eight")] == [
        look.good,
        look.bad,
    ]
    assert unlabeled._tint("five", look.text) == look.text


@pytest.mark.parametrize("width", [900, 640, 380, 320])
def test_the_columns_of_the_table_fill_the_card(qtbot, theme, width):
    card = ParetoCard(theme)
    qtbot.addWidget(card)
    card.show_improvement(NOW, KEPT, busy=False)
    card.views.choose(1)
    card.show()
    card.resize(width, 500)
    table = card.table
    columns = range(table.model().columnCount())
    shown = [table.columnWidth(c) for c in columns if not table.isColumnHidden(c)]
    assert sum(shown) == table.viewport().width() == width - 2
    assert min(shown) > 0
    assert not table.isColumnHidden(table.rows.place("sign")), "others give way to it"


def test_no_name_is_cut_in_tables_beside_each_other(qtbot, theme):
    names = "Int8 (static), average ranges", "Int8 (static), uint8 weights"
    targets = (TargetLayers("iPhone, iPad and Mac (Core ML)", "16 of 16", "12 of 37", "part"),)
    shown = [replace(candidate(name, 1.1, 0.582), targets=targets) for name in names]
    now = replace(improvement(*shown), best=0)
    before_after, cards = BeforeAfterCard(theme), ParetoCard(theme)
    for card, width in ((before_after, 445), (cards, 419)):  # of a window of 1440 x 900
        qtbot.addWidget(card)
        card.resize(width, 500)
        card.show()
    before_after.show_candidate(now, shown[0])
    cards.show_improvement(now, shown[0], False)
    for table, name in ((before_after.table, targets[0].target), (cards.table, names[0])):
        weight = 500 if table is cards.table else 400  # that of names
        needed = QFontMetrics(font(12, weight)).horizontalAdvance(name) + EDGE + INSET
        assert needed <= table.columnWidth(0)
        widths = [table.columnWidth(n) for n in range(table.rows.columnCount())]
        assert sum(widths) <= table.width() + 1, "no column is outside"
