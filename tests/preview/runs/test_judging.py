"""Answers of a changed model, judged as people read them."""

from collections.abc import Sequence

import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box
from inspector.preview.runs import judging
from inspector.preview.runs.truths import Truth
from inspector.report.improvement import MIN_INPUTS

LETTERS = ["_", " ", *"abcdefghijklmnopqrstuvwxyz"]
LABELS = [f"kind {number}" for number in range(10)]


def value(name: str, array: np.ndarray) -> OutputValue:
    return OutputValue(name, "tensor", str(array.dtype), array)


def scores(best: int, probability: float = 0.9) -> tuple[OutputValue, ...]:
    row = np.full((1, 10), (1 - probability) / 9, np.float32)
    row[0, best] = probability
    return (value("probabilities", row),)


def classes(pairs: Sequence[tuple[int, int, str]]) -> list[judging.Judged]:
    judge = judging.judge_for(scores(0), LABELS)
    assert judge.kind == judging.CLASSES
    return [
        judging.compare(judge, f"{number}.png", scores(one), scores(two), truth)
        for number, (one, two, truth) in enumerate(pairs)
    ]


def test_classes_are_judged_by_the_best_one_and_by_the_truth() -> None:
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


def test_the_surest_answer_that_changed_comes_first() -> None:
    judge = judging.judge_for(scores(0), LABELS)
    sure = judging.compare(judge, "sure", scores(1, 0.99), scores(2))
    unsure = judging.compare(judge, "unsure", scores(1, 0.4), scores(2))
    same = judging.compare(judge, "same", scores(1), scores(1, 0.5))
    assert [each.file for each in judging.worst([unsure, same, sure])] == ["sure", "unsure"]


def test_equal_answers_have_no_worst_input_and_no_sqnr() -> None:
    judged = classes([(n % 10, n % 10, "") for n in range(MIN_INPUTS)])
    assert judging.worst(judged) == ()
    assert judging.sqnr_db(judged) is None
    measures = {measure.id: measure for measure in judging.accuracy(judged)}
    assert measures["same_class"].value == 1.0
    assert measures["same_class"].low is not None
    assert measures["same_class"].low < -0.05, "30 inputs do not prove that nothing changes"
    assert "top1" not in measures


def box(left: float, kind: int = 0, score: float = 0.9) -> Box:
    return Box(left, 0.1, left + 0.2, 0.3, score, kind)


def test_boxes_are_the_same_if_they_overlap_and_have_the_same_class() -> None:
    pairs = judging.matched([box(0.1), box(0.5)], [box(0.52), box(0.11), box(0.8)])
    assert [(a.left, b.left) for a, b, _ in pairs] == [(0.1, 0.11), (0.5, 0.52)]
    assert judging.matched([box(0.1, kind=0)], [box(0.1, kind=1)]) == []
    assert judging.matched([box(0.1), box(0.1)], [box(0.1)])[0][2] == pytest.approx(1.0)
    assert len(judging.matched([box(0.1), box(0.1)], [box(0.1)])) == 1
    assert judging.intersection_over_union(box(0.1), box(0.2)) == pytest.approx(1 / 3)


def test_masks_are_judged_by_their_overlap() -> None:
    one = np.zeros((4, 4), np.int64)
    one[:2] = 1
    two = np.zeros((4, 4), np.int64)
    two[:3] = 1
    assert judging.mean_overlap(one, one) == 1.0
    assert judging.mean_overlap(one, two) == pytest.approx((8 / 12 + 4 / 8) / 2)


def spoken(text: str) -> tuple[OutputValue, ...]:
    """Return scores of letters over time, with a blank between letters."""
    row = np.zeros((1, 2 * len(text), len(LETTERS)), np.float32)
    for place, letter in enumerate(text):
        row[0, 2 * place, LETTERS.index(letter)] = row[0, 2 * place + 1, 0] = 1
    return (value("logits", row),)


def test_text_is_judged_by_its_words_with_and_without_truth() -> None:
    judge = judging.judge_for(spoken("say"), LETTERS)
    assert (judge.kind, judge.main) == (judging.TEXT, "same_words")
    pair = spoken("say yes"), spoken("say yea")
    judged = judging.compare(judge, "a.wav", *pair, expected=Truth(text="say yes"))
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
    assert judging.judge_for(spoken("say"), sounds).kind != judging.TEXT


def test_numbers_are_judged_by_cosine_and_sqnr() -> None:
    first = (value("y", np.array([[3.0, -4.0]], np.float32)),)
    second = (value("y", np.array([[3.0, -3.9]], np.float32)),)
    judge = judging.judge_for(first)
    assert judge.kind == judging.NUMBERS
    judged = [judging.compare(judge, "a", first, second)]
    assert judging.sqnr_db(judged) == pytest.approx(10 * np.log10(25 / 0.01), abs=0.01)
    assert judged[0].values["max_error"] == pytest.approx(0.1, abs=1e-6)
    assert judged[0].changed
