"""Answers of a changed model, judged as people read them."""

from collections.abc import Sequence

import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box
from inspector.preview.runs import answers, judging
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.preview.runs.truths import Truth
from inspector.report.improvement import MIN_INPUTS
from inspector.report.output_verdict import TEST_DATA
from inspector.statistics.proportions import paired_difference

LETTERS = ["_", " ", *"abcdefghijklmnopqrstuvwxyz"]
LABELS = [f"kind {number}" for number in range(10)]


def value(name: str, array: np.ndarray) -> OutputValue:
    return OutputValue(name, "tensor", str(array.dtype), array)


def scores(best: int, probability: float = 0.9) -> tuple[OutputValue, ...]:
    row = np.full((1, 10), (1 - probability) / 9, np.float32)
    row[0, best] = probability
    return (value("probabilities", row),)


def classes(pairs: Sequence[tuple[int, int, str]]) -> list[judging.Judged]:
    judge = answers.judge_for(scores(0), LABELS)
    assert judge.kind == answers.CLASSES
    return [
        judging.compare(judge, f"{number}.png", scores(one), scores(two), Truth(truth))
        for number, (one, two, truth) in enumerate(pairs)
    ]


def test_classes_are_judged_by_the_best_one_and_by_the_truth():
    judged = classes([(1, 1, "kind 1"), (2, 3, "kind 2"), (4, 5, "kind 5"), (6, 6, "kind 0")])
    measures = {measure.id: measure for measure in judging.accuracy(judged)}
    assert measures["same_class"].value == 0.5
    assert measures["top1"].original == measures["top1"].value == 0.5
    assert measures["top1"].change == 0.0
    assert measures["top1"].count == 4
    worst = judging.worst(judged)
    assert [each.file for each in worst] == ["1.png", "2.png"]
    assert (worst[0].original, worst[0].candidate, worst[0].truth) == (
        "kind 2", "kind 3", "kind 2",
    )  # fmt: skip


def test_accuracy_falls_where_only_the_original_is_right():
    judged = classes([(1, 1, "kind 1"), (2, 3, "kind 2"), (3, 4, "kind 3"), (5, 6, "kind 6")])
    top1 = next(measure for measure in judging.accuracy(judged) if measure.id == "top1")
    assert (top1.original, top1.value, top1.change) == (0.75, 0.5, -0.25)
    # Lost 2, gained 1; an input with equal answers is neither.
    assert (top1.low, top1.high) == paired_difference(2, 1, 4)
    assert [each.results[1].loss for each in judged] == [0.0, 1.0, 1.0, 0.0]


def test_classes_are_known_by_their_names_or_numbers():
    named, numbered = answers.judge_for(scores(0), LABELS), answers.judge_for(scores(0))
    assert named.names == tuple(LABELS)
    assert answers.classes_text(named) == "kind 0, kind 1, kind 2, kind 3, kind 4, ..."
    assert answers.classes_text(numbered) == "0 to 9"
    for judge in (named, numbered):
        assert answers.is_class(judge, "9")
        assert not answers.is_class(judge, "10")
    assert judging.compare(named, "a", scores(3), scores(3), Truth("3")).truth == "kind 3"


def test_without_scores_on_either_side_classes_are_not_compared():
    judge = answers.judge_for(scores(0), LABELS)
    none = (OutputValue("probabilities", "tensor", "float32", np.zeros((0, 10), np.float32)),)
    for one, two in ((scores(3), none), (none, scores(3)), (none, none)):
        judged = judging.compare(judge, "a", one, two, Truth("kind 3"))
        assert "same_class" not in judged.values
        assert not judged.original


def test_the_surest_answer_that_changed_comes_first():
    judge = answers.judge_for(scores(0), LABELS)
    sure = judging.compare(judge, "sure", scores(1, 0.99), scores(2))
    unsure = judging.compare(judge, "unsure", scores(1, 0.4), scores(2))
    same = judging.compare(judge, "same", scores(1), scores(1, 0.5))
    assert [each.file for each in judging.worst([unsure, same, sure])] == ["sure", "unsure"]


def test_equal_answers_have_no_worst_input_and_no_sqnr():
    judged = classes([(n % 10, n % 10, "") for n in range(MIN_INPUTS)])
    assert judging.worst(judged) == ()
    assert judging.sqnr_db(judged) is None
    measures = {measure.id: measure for measure in judging.accuracy(judged)}
    assert measures["same_class"].value == 1.0
    assert measures["same_class"].low < -0.05, "30 inputs do not prove that nothing changes"
    assert "top1" not in measures


def box(left: float, kind: int = 0, score: float = 0.9) -> Box:
    return Box(left, 0.1, left + 0.2, 0.3, score, kind)


def test_boxes_are_the_same_if_they_overlap_and_have_the_same_class():
    pairs = judging.matched([box(0.1), box(0.5)], [box(0.52), box(0.11), box(0.8)])
    assert [(a.left, b.left) for a, b, _ in pairs] == [(0.1, 0.11), (0.5, 0.52)]
    assert judging.matched([box(0.1, kind=0)], [box(0.1, kind=1)]) == []
    assert judging.matched([box(0.1), box(0.1)], [box(0.1)])[0][2] == pytest.approx(1.0)
    assert len(judging.matched([box(0.1), box(0.1)], [box(0.1)])) == 1
    assert judging.intersection_over_union(box(0.1), box(0.2)) == pytest.approx(1 / 3)


def test_masks_are_judged_by_their_overlap():
    one = np.zeros((4, 4), np.int64)
    one[:2] = 1
    two = np.zeros((4, 4), np.int64)
    two[:3] = 1
    assert judging.mean_overlap(one, one) == 1.0
    assert judging.mean_overlap(one, two) == pytest.approx((8 / 12 + 4 / 8) / 2)


def segmented(rows: int, size: int = 32, planes: int = 3) -> tuple[OutputValue, ...]:
    """Return scores of classes for each pixel; class 1 has so many rows, class 0 the others."""
    scores = np.zeros((1, planes, size, size), np.float32)
    scores[0, 1, :rows] = scores[0, 0, rows:] = 1
    return (value("logits", scores),)


def test_classes_of_pixels_are_judged_by_their_overlap():
    judge = answers.judge_for(segmented(8, planes=5), (), (32, 32, 3))
    assert (judge.kind, judge.main) == (answers.MASK, "same_mask")
    original = segmented(16, planes=5)
    same = judging.compare(judge, "a.png", original, original)
    assert (same.values["same_mask"], same.loss, same.original) == (1.0, 0.0, "2 classes")
    other = judging.compare(judge, "a.png", original, segmented(24, planes=5))
    assert other.values["same_mask"] == pytest.approx((16 / 24 + 8 / 16) / 2)
    assert other.loss == pytest.approx(1 - other.values["same_mask"])
    assert other.candidate == "mean IoU 0.583"
    truth = Truth(mask=np.repeat([1, 0], 32).reshape(64, 1).repeat(64, axis=1))
    expected = judging.compare(judge, "a.png", original, segmented(24, planes=5), truth)
    assert np.array_equal(
        truth.mask_of((32, 32)), np.repeat([1, 0], 16).reshape(32, 1).repeat(32, axis=1)
    )
    assert [each.iou for each in expected.results] == pytest.approx([1, (16 / 24 + 8 / 16) / 2])
    smaller, other_kind = segmented(8, 16, 5), (value("logits", np.zeros((1, 5), np.float32)),)
    other = judging.compare(judge, "a.png", original, smaller, truth)
    assert "same_mask" not in other.values
    assert other.results[1].iou == 1, "each is held against the truth at its own size"
    other = judging.compare(judge, "a.png", original, other_kind, truth)
    assert "same_mask" not in other.values
    assert other.results is None


def detected(*objects: tuple[float, int]) -> tuple[OutputValue, ...]:
    """Return boxes of 12 pixels as YOLO writes them, by their left edge and class."""
    columns = np.zeros((1, 84, 189), np.float32)
    for place, (left, kind) in enumerate(objects):
        columns[0, :4, place], columns[0, 4 + kind, place] = (left + 6, 40, 12, 12), 0.9
    return (value("output0", columns),)


def test_boxes_of_a_detector_are_judged_by_those_that_both_find():
    original = detected((0, 2), (20, 3), (60, 0))
    judge = answers.judge_for(original, [*LABELS, *map(str, range(70))], (96, 96, 3))
    assert (judge.kind, judge.main) == (answers.BOXES, "same_boxes")
    same = judging.compare(judge, "a.png", original, original)
    assert (same.values["same_boxes"], same.values["mean_iou"], same.loss) == (1.0, 1.0, 0.0)
    other = judging.compare(judge, "a.png", original, detected((3, 2), (20, 4)))
    assert other.values["same_boxes"] == pytest.approx(2 * 1 / 5)
    assert other.values["mean_iou"] == pytest.approx(9 / 15, abs=0.01)
    assert other.original.startswith("3 boxes, best kind")
    none = judging.compare(judge, "a.png", original, detected())
    assert (none.values["same_boxes"], none.candidate) == (0.0, "no boxes")
    assert not none.is_empty
    assert "mean_iou" not in none.values
    assert judging.compare(judge, "a.png", detected(), detected()).loss == 0.0


def test_images_in_which_neither_model_finds_anything_are_no_agreement():
    labels = [*LABELS, *map(str, range(70))]
    comparison = ModelComparison(labels=labels, size=(96, 96, 3))
    for number in range(20):
        found = number < 4  # of which the changed model misses two
        original = detected((0, 2), (20, 3)) if found else detected()
        comparison.add(original, detected((0, 2)) if number < 2 else original)
    (task,) = comparison.verdict(TEST_DATA).tasks
    assert (task.count, task.same) == (4, 2)
    assert task.share == pytest.approx((2 * 2 / 3 + 2) / 4)
    nothing = ModelComparison(labels=labels, size=(96, 96, 3))
    nothing.add(detected(), detected())
    assert nothing.verdict(TEST_DATA).tasks == ()


def posed(**changed: tuple[int, int, float]) -> tuple[OutputValue, ...]:
    """Return heat maps of 17 points on a diagonal; some moved right and down, or less sure."""
    maps = np.zeros((1, 17, 64, 48), np.float32)
    for place in range(17):
        right, down, score = changed.get(f"point{place}", (0, 0, 0.9))
        maps[0, place, 2 * place + 10 + down, 2 * place + 5 + right] = score
    return (value("heat", maps),)


@pytest.mark.parametrize(
    ("candidate", "same", "text"),
    [
        (posed(), 1, "17 of 17"),
        (posed(point3=(4, 0, 0.9)), 16 / 17, "16 of 17"),
        (posed(point5=(0, 4, 0.9), point9=(4, 4, 0.9)), 15 / 17, "15 of 17"),
        (
            posed(point0=(0, 0, 0.1)),
            16 / 17,
            "16 of 17",
        ),  # the others are still the same points
        (posed(point16=(0, 0, 0.1)), 16 / 17, "16 of 17"),
        ((value("heat", np.zeros((1, 3), np.float32)),), 0, "0 of 17"),
    ],
)
def test_points_are_judged_each_by_its_own_counterpart(candidate, same, text):
    judge = answers.judge_for(posed(), (), (192, 256, 3))
    assert (judge.kind, judge.main) == (answers.POINTS, "same_points")
    judged = judging.compare(judge, "a.png", posed(), candidate)
    assert judged.values["same_points"] == pytest.approx(same)
    assert judged.loss == pytest.approx(1 - same)
    assert (judged.original, judged.candidate) == ("17 points", f"{text} at the same position")


def spoken(text: str) -> tuple[OutputValue, ...]:
    """Return scores of letters over time, with a blank between letters."""
    row = np.zeros((1, 2 * len(text), len(LETTERS)), np.float32)
    for place, letter in enumerate(text):
        row[0, 2 * place, LETTERS.index(letter)] = row[0, 2 * place + 1, 0] = 1
    return (value("logits", row),)


def test_text_is_judged_by_its_words_with_and_without_truth():
    judge = answers.judge_for(spoken("say"), LETTERS)
    assert (judge.kind, judge.main) == (answers.TEXT, "same_words")
    pair = spoken("say yes"), spoken("say yea")
    judged = judging.compare(judge, "a.wav", *pair, Truth(text="say yes"))
    assert (judged.original, judged.candidate, judged.truth) == (
        "say yes",
        "say yea",
        "say yes",
    )
    assert judged.changed
    measures = {measure.id: measure for measure in judging.accuracy([judged])}
    assert measures["same_words"].value == 0.5
    words = measures["word_accuracy"]
    assert (words.original, words.value) == (1.0, 0.5)
    sounds = ["dog", "cat", *LABELS, *("siren" for _ in range(len(LETTERS) - 12))]
    assert answers.judge_for(spoken("say"), sounds).kind != answers.TEXT


def test_numbers_are_judged_by_cosine_and_sqnr():
    first = (value("y", np.array([[3.0, -4.0]], np.float32)),)
    second = (value("y", np.array([[3.0, -3.9]], np.float32)),)
    judge = answers.judge_for(first)
    assert judge.kind == answers.NUMBERS
    judged = [judging.compare(judge, "a", first, second)]
    assert judging.sqnr_db(judged) == pytest.approx(10 * np.log10(25 / 0.01), abs=0.01)
    assert judged[0].values["max_error"] == pytest.approx(0.1, abs=1e-6)
    assert judged[0].changed
    assert judged[0].values["cosine"] == pytest.approx(24.6 / np.sqrt(25 * 24.21), abs=1e-6)


def test_true_numbers_stand_beside_those_of_both_models():
    names = value("names", np.array(["a", "b"], object))
    first, second = (value("y", np.array([[3.0, number]], np.float32)) for number in (4, 5))
    judge = answers.judge_for((first,))
    for before, after in (((first,), (second,)), ((names, first), (names, second))):
        truth = Truth(values=np.array([3, 6]))
        compared = judging.compare(judge, "a", before, after, truth).results
        assert [each.squares for each in compared] == [4.0, 1.0]
    others = (Truth(values=np.array([3, 6, 9])), Truth(text="3 4"), Truth(boxes=()))
    for other in others:  # of another size, or kind than the model gives
        assert judging.compare(judge, "a", (first,), (second,), other).results is None


@pytest.mark.parametrize(
    ("original", "candidate", "labels", "size", "id_"),
    [
        (scores(1), scores(1), LABELS, (0, 0, 0), "same_class"),
        (detected((0, 2)), detected((0, 2)), (), (96, 96, 3), "same_boxes"),
        (segmented(8, planes=5), segmented(8, planes=5), (), (32, 32, 3), "same_mask"),
        (posed(), posed(), (), (192, 256, 3), "same_points"),
        (spoken("say"), spoken("say"), LETTERS, (0, 0, 0), "same_words"),
    ],
)
def test_each_kind_of_answer_has_a_measure_over_all_inputs(
    original, candidate, labels, size, id_
):
    judge = answers.judge_for(original, labels, size)
    judged = [judging.compare(judge, "a", original, candidate)] * 3
    measure = {each.id: each for each in judging.accuracy(judged)}[id_]
    assert (judge.main, measure.value, measure.change, measure.count) == (id_, 1.0, 0.0, 3)
