"""Metrics over inputs with true answers, against numbers worked out by hand."""

import numpy as np
import pytest

from inspector.analysis.verdicts import accuracy
from inspector.analysis.verdicts.accuracy import AccuracyLevel
from inspector.comparison import evaluation_conditions
from inspector.comparison.ci_conditions import Outcome
from inspector.comparison.improvement_conditions import judged, parse
from inspector.errors import BadInput
from inspector.preview.detectors.boxes import Box
from inspector.preview.runs.metrics import (
    ClassResult,
    TextResult,
    box_result,
    mask_result,
    metrics,
    text_result,
    value_result,
    word_errors,
)
from inspector.report.improvement import WITHIN, Accuracy, Candidate, Improvement
from inspector.statistics.proportions import paired_difference, wilson


def box(left: float, kind: int = 0, score: float = 1.0, size: float = 0.2) -> Box:
    return Box(left, 0.0, left + size, size, score, kind)


def test_map_is_read_at_the_recalls_of_the_coco_benchmark():
    truth = (box(0.0), box(0.5))
    # By score: right, wrong, right. Precision 1 until recall 1/2, then 2/3 until 1.
    found = (box(0.0, score=0.9), box(0.25, score=0.8), box(0.52, score=0.7))
    known = {each.id: each for each in metrics([box_result(truth, (), found)] * 30)}
    assert known["map50"].estimate.value == pytest.approx((51 + 50 * 2 / 3) / 101)
    # The third one overlaps by 9/11, which is enough for 7 of the 10 thresholds.
    at_all = (7 * (51 + 50 * 2 / 3) / 101 + 3 * 51 / 101) / 10
    assert known["map"].estimate.value == pytest.approx(at_all)
    missed = [box_result((box(0.0), box(0.5, 1)), (), (box(0.0),))]
    assert metrics(missed)[1].estimate.value == pytest.approx(0.5), (
        "a class without a right box has none"
    )


def test_boxes_in_a_crowd_count_neither_for_nor_against():
    crowd = (box(0.5, size=0.4),)
    found = (box(0.0, score=0.9), box(0.55, score=0.8), box(0.6, score=0.7))
    result = box_result((box(0.0),), crowd, found)
    assert np.isnan(result.found[1:, 2]).all()
    assert (result.f1, result.loss) == (1.0, 0.0)
    assert metrics([result])[0].estimate.value == pytest.approx(1.0)


def test_miou_counts_the_pixels_of_all_inputs_together_and_leaves_out_255():
    truth = np.array([[0, 0, 1, 1]])
    half = np.array([[0, 1, 1, 1]])  # class 0: 1 of 2; class 1: 2 of 3
    (metric,) = metrics([mask_result(truth, half)])
    assert metric.estimate.value == pytest.approx((1 / 2 + 2 / 3) / 2)
    (metric,) = metrics(
        [mask_result(truth, half), mask_result(np.array([[255, -1]]), half[:, :2])]
    )
    assert metric.estimate.value == pytest.approx((1 / 2 + 2 / 3) / 2)
    (metric,) = metrics([mask_result(truth, half), mask_result(truth, truth)])
    assert metric.estimate.value == pytest.approx((3 / 4 + 4 / 5) / 2)


def test_rmse_may_grow_by_the_limit():
    truth = np.zeros(4)
    pairs = [value_result(truth, truth + 1.001)] * 30, [value_result(truth, truth + 1.0)] * 30
    metric, mean = metrics(*pairs)
    assert (metric.id, metric.other.value, mean.id) == ("rmse", 1.0, "mae")
    assert metric.estimate.value == pytest.approx(1.001)
    change = metric.change
    measure = Accuracy("rmse", "RMSE", 1.001, 1.0, change.value, change.low, change.high, 30)
    candidate = Candidate("int8", ("int8",), accuracy=(measure,))
    state = Improvement("net", "", "cpu", Candidate("net"), (candidate,), "rmse", 0.01, 0)
    assert state.verdict(candidate) == WITHIN
    outcomes = judged([parse(f"accuracy<-{limit}%") for limit in ("0.05", "1")], state)
    assert [each.outcome for each in outcomes] == [Outcome.HOLDS, Outcome.FAILS]
    assert accuracy.level_of(metric) is AccuracyLevel.WORSE, "an error is better when lower"


def test_rmse_is_of_all_numbers_together():
    metric, mean = metrics([value_result(np.zeros(3), np.ones(3)),
                            value_result(np.zeros(1), np.full(1, 3.0))])  # fmt: skip
    assert metric.estimate.value == pytest.approx(np.sqrt((3 + 9) / 4))
    assert mean.estimate.value == pytest.approx((3 + 3) / 4)


def classes(right: int, wrong: int) -> list[ClassResult]:
    return [ClassResult("a", ("a", "b"))] * right + [ClassResult("b", ("a", "c"))] * wrong


def test_shares_of_inputs_have_the_interval_of_wilson_and_f1_is_the_mean_over_classes():
    top1, f1 = metrics(classes(30, 10))
    assert (top1.id, top1.estimate.value) == ("top1", 0.75), "five best of three say nothing"
    assert (top1.estimate.low, top1.estimate.high) == wilson(30, 40)
    assert f1.estimate.value == pytest.approx((2 * 30 / 70 + 0) / 2)
    assert f1.estimate.low < f1.estimate.value < f1.estimate.high
    only_answered = [*classes(6, 0), ClassResult("a", ("d", "a")), ClassResult("c", ("c", "a"))]
    (_, f1) = metrics(only_answered)
    assert f1.estimate.value == pytest.approx((12 / 13 + 0 + 1) / 3), "of a, c and d"
    several = [ClassResult("e", ("a", "b", "c", "d", "e")), ClassResult("e", ("a", "b"))]
    assert {each.id: each.estimate.value for each in metrics(several)}["top5"] == 0.5


@pytest.mark.parametrize(
    ("right", "others", "level"),
    [
        (40, 20, AccuracyLevel.BETTER),
        (20, 40, AccuracyLevel.WORSE),
        (31, 30, AccuracyLevel.UNDECIDED),
        (8, 2, AccuracyLevel.TOO_FEW),
    ],
)
def test_two_models_are_compared_on_the_same_inputs(right, others, level):
    count = max(right, others, 10) if level is AccuracyLevel.TOO_FEW else 50
    pair = [
        [ClassResult("a", ("a",))] * good + [ClassResult("a", ("b",))] * (count - good)
        for good in (right, others)
    ]
    top1 = metrics(*pair)[0]
    assert top1.change.value == pytest.approx((right - others) / count)
    lost, gained = max(others - right, 0), max(right - others, 0)
    assert (top1.change.low, top1.change.high) == paired_difference(lost, gained, count)
    assert accuracy.level_of(top1) is level


def test_words_are_replaced_inserted_or_deleted():
    assert word_errors("the quick brown fox", "The quick brown fox") == 0
    assert word_errors("the quick brown fox", "a quick fox jumps") == 3
    assert word_errors("", "one two") == 2
    assert text_result("a b c", "a  xy C") == TextResult(1, 3, 2, 5)
    wer, cer = metrics([text_result("a b c d", "a b x d"), text_result("e f", "e f")])
    assert (wer.id, wer.count, wer.estimate.value) == ("wer", 2, pytest.approx(1 / 6))
    assert (cer.id, cer.estimate.value) == ("cer", pytest.approx(1 / 10))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("top1<80%", Outcome.HOLDS),
        ("top1<0.5", Outcome.FAILS),
        ("top1<72%", Outcome.UNDECIDED),
        ("top1<-5%", Outcome.HOLDS),
        ("top1<-60%", Outcome.FAILS),
        ("files.failed>2", Outcome.HOLDS),
        ("rmse>1", Outcome.UNDECIDED),
    ],
)
def test_conditions_hold_where_the_whole_interval_does(text, outcome):
    pair = [[ClassResult("a", ("a",))] * good + [ClassResult("a", ("b",))] * (400 - good)
            for good in (280, 360)]  # fmt: skip
    (found,) = evaluation_conditions.judged(
        [evaluation_conditions.parse(text)], metrics(*pair), 3, "net"
    )
    assert found.outcome is outcome, found.text


def test_condition_without_such_a_metric_or_unit_is_refused():
    for text in ("accuracy<90%", "top1<90s", "files.failed>+1"):
        with pytest.raises(BadInput):
            evaluation_conditions.parse(text)
