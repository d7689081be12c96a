"""True answers from files, and the measures that follow, against numbers worked out by hand."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.comparison.ci_conditions import Outcome
from inspector.comparison.improvement_conditions import judged, parse
from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.detectors.boxes import Box
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.runs import truths
from inspector.preview.runs.truth_measures import Comparison, measures, word_errors
from inspector.report.improvement import WITHIN, Accuracy, Candidate, Improvement


def box(left: float, kind: int = 0, score: float = 1.0, size: float = 0.2) -> Box:
    return Box(left, 0.0, left + size, size, score, kind)


def only(compared: list[Comparison]) -> Accuracy:
    (measure,) = measures(compared)
    return measure


def test_map_is_the_area_below_precision_by_recall():
    truth = (box(0.0), box(0.5))
    # By score: right, wrong, right. Precision 1 until recall 1/2, then 2/3 until 1.
    found = (box(0.0, score=0.9), box(0.25, score=0.8), box(0.52, score=0.7))
    measure = only([Comparison(boxes=(truth, truth, found))] * 30)
    assert measure.id == "map50"
    assert measure.original == 1.0
    assert measure.value == pytest.approx(0.5 + 0.5 * 2 / 3, abs=0.01)
    assert measure.low == pytest.approx(measure.change, abs=0.01)
    two_classes = only([Comparison(boxes=((box(0.0), box(0.5, 1)), truth, (box(0.0),)))])
    assert two_classes.value == 0.5, "a class without any box that is right has none"
    assert two_classes.original == 0.5


def test_miou_counts_the_pixels_of_all_inputs_together():
    truth = np.array([[0, 0, 1, 1]])
    half = np.array([[0, 1, 1, 1]])  # class 0: 1 of 2; class 1: 2 of 3
    measure = only([Comparison(masks=(truth, truth, half))])
    assert (measure.id, measure.original) == ("miou", 1.0)
    assert measure.value == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_rmse_may_grow_by_the_limit_and_f1_is_the_mean_over_classes():
    truth = np.zeros(4)
    pairs = [Comparison(values=(truth, truth + 1.0, truth + 1.001)) for _ in range(30)]
    measure = only(pairs)
    assert (measure.id, measure.original) == ("rmse", 1.0)
    assert measure.value == pytest.approx(1.001)
    candidate = Candidate("int8", ("int8",), accuracy=(measure,))
    state = Improvement("net", "", "cpu", Candidate("net"), (candidate,), "rmse", 0.01, 0)
    assert state.verdict(candidate) == WITHIN
    outcomes = judged([parse(f"accuracy<-{limit}%") for limit in ("0.05", "1")], state)
    assert [each.outcome for each in outcomes] == [Outcome.HOLDS, Outcome.FAILS]
    kinds = [("a", "a", "a"), ("a", "a", "b"), ("b", "b", "b")]
    f1 = only([Comparison(kinds=each) for each in kinds])
    assert f1.original == 1.0
    assert f1.value == pytest.approx(2 / 3)


def test_interval_holds_the_change_of_the_same_inputs():
    truth = (box(0.0),)
    pairs = [Comparison(boxes=(truth, truth, truth if n % 4 else ())) for n in range(40)]
    measure = only(pairs)
    assert measure.change == pytest.approx(-0.25)
    assert measure.high is not None
    assert -0.45 < measure.low < -0.25 < measure.high < -0.05


def folder(path: Path, table: str) -> tuple[Path, tuple[Path, ...]]:
    path.mkdir()
    for name in ("one.png", "two.png"):
        Image.new("RGB", (200, 100)).save(path / name)
    (path / "truth.csv").write_text(table)
    return path / "truth.csv", (path / "one.png", path / "two.png")


def test_boxes_are_rows_in_pixels_and_become_shares_of_the_models_picture(tmp_path):
    table, paths = folder(
        tmp_path / "test",
        "file,label,left,top,right,bottom\none.png,cat,20,10,120,60\none.png,1,0,0,10,10\n"
        "two.png,,,,,\n",
    )
    classes, known = truths.read(str(table), table.parent, paths, ("dog", "cat"))
    assert classes == {}
    assert known[paths[1]]().boxes == (), "a picture without any box"
    info = TensorInfo("x", "tensor", "float32", (1, 3, 64, 64))
    stretched = truths.placed(known[paths[0]], paths[0], info, ImageOptions(resize="stretch"))
    first = stretched.boxes[0]
    assert (first.kind, first.left, first.top) == (1, 0.1, 0.1)
    assert (first.right, first.bottom) == (0.6, 0.6)
    fitted = truths.placed(known[paths[0]], paths[0], info, ImageOptions(resize="fit"))
    # A picture twice as wide as high fills the middle half of a square.
    assert fitted.boxes[0].top == pytest.approx(0.25 + 0.05)
    assert fitted.boxes[0].left == pytest.approx(0.1)


def test_masks_and_values_are_files_beside_the_table_or_numbers_in_it(tmp_path):
    table, paths = folder(tmp_path / "masks", "file,mask\none.png,m.png\n")
    Image.fromarray(np.array([[0, 3]], np.uint8)).save(table.parent / "m.png")
    mask = truths.read(str(table), table.parent, paths, ())[1][paths[0]]().mask
    assert mask.tolist() == [[0, 3]]
    table, paths = folder(tmp_path / "v", "file,values\none.png,1 2.5\ntwo.png,v.npy\n")
    np.save(table.parent / "v.npy", np.array([3.0]))
    known = truths.read(str(table), table.parent, paths, ())[1]
    assert [known[path]().values.tolist() for path in paths] == [[1.0, 2.5], [3.0]]
    table, paths = folder(tmp_path / "t", 'file,text\none.png,"hello, world"\n')
    known = truths.read(str(table), table.parent, paths, ())[1]
    assert known[paths[0]]().text == "hello, world"


def test_words_are_replaced_inserted_or_deleted():
    assert word_errors("the quick brown fox", "The quick brown fox") == 0
    assert word_errors("the quick brown fox", "a quick fox jumps") == 3
    assert word_errors("", "one two") == 2
    pairs = [("a b c d", "a b c d", "a b x d"), ("e f", "e", "e f")]
    measure = only([Comparison(texts=each) for each in pairs])
    assert (measure.id, measure.count) == ("word_accuracy", 2)
    assert measure.original == pytest.approx(5 / 6)
    assert measure.value == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("file,left,top\none.png,1,2\n", "does not have the required column names"),
        ("file,mask\nother.png,m.png\n", "none of its 1 file is in"),
    ],
)
def test_table_that_says_nothing_is_refused_with_the_forms(tmp_path, table, why):
    path, paths = folder(tmp_path / "test", table)
    with pytest.raises(BadInput, match=why) as error:
        truths.read(str(path), path.parent, paths, ())
    assert "file,label,left,top,right,bottom" in error.value.hint


def test_row_with_an_unknown_class_is_named(tmp_path):
    table, paths = folder(
        tmp_path / "test", "file,label,left,top,right,bottom\none.png,horse,0,0,1,1\n"
    )
    _, known = truths.read(str(table), table.parent, paths, ("cat",))
    with pytest.raises(UnreadableFile, match="'horse' is not a class of the model"):
        known[paths[0]]()
