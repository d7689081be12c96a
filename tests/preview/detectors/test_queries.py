"""Detectors with queries are told apart by shapes of their outputs, else by their values."""

import numpy as np
import pytest

from inspector.preview.detectors.output_arrays import Answer, Outputs
from inspector.preview.detectors.queries import (
    is_detr,
    is_rt_detr_rows,
    pair_names,
    query_names,
    rt_detr,
    scores_and_corners,
)
from inspector.preview.families.output_structure import ModelStructure

POSE = 57  # numbers of a finished box with 17 points


def outputs(*head: str, task: str = "", **shapes: tuple[int, ...]) -> Outputs:
    heads = dict.fromkeys(shapes, frozenset(head))
    metadata = {"stride": "32", "task": task} if task else {}
    return Outputs(shapes, 640, 480, ModelStructure(heads, metadata=metadata))


@pytest.mark.parametrize(
    ("numbers", "known"), [(4, False), (5, True), (84, True), (4 + 365, True), (4 + 366, False)]
)
def test_rows_of_rt_detr_have_one_to_365_classes(numbers, known):
    assert is_rt_detr_rows(outputs(y=(1, 300, numbers))) is known
    assert not is_rt_detr_rows(outputs(y=(1, 301, numbers)))


@pytest.mark.parametrize("numbers", [6, POSE])
def test_rows_that_could_be_finished_boxes_are_told_by_their_head(numbers):
    assert not is_rt_detr_rows(outputs(y=(1, 300, numbers)))
    assert is_rt_detr_rows(outputs("Sigmoid", y=(1, 300, numbers)))
    assert not is_rt_detr_rows(outputs("Sigmoid", "TopK", y=(1, 300, numbers)))


@pytest.mark.parametrize("task", ["pose", "obb"])
def test_rows_of_another_task_are_not_rt_detr(task):
    assert not is_rt_detr_rows(outputs(task=task, y=(1, 300, 84)))


@pytest.mark.parametrize(
    ("queries", "classes", "head", "expected"),
    [
        (100, 7, "", True),  # as many queries as DETR has
        (200, 92, "", True),  # COCO's 91 and "no object"
        (200, 91, "", False),
        (200, 80, "", False),
        (300, 7, "", False),
        (299, 7, "", None),  # only values could tell
        (299, 7, "Sigmoid", False),
    ],
)
def test_a_class_for_no_object_is_told_by_queries_classes_and_head(
    queries, classes, head, expected
):
    found = outputs(head, logits=(1, queries, classes), pred_boxes=(1, queries, 4))
    assert is_detr(found) is expected


def test_names_of_queries_need_boxes_with_as_many_scores():
    assert query_names(outputs(dets=(1, 9, 4), labels=(1, 9, 7))) == ("dets", "labels")
    assert query_names(outputs(boxes=(1, 9, 4), logits=(1, 9, 7))) == ("boxes", "logits")
    assert query_names(outputs(boxes=(1, 9, 4), logits=(1, 8, 7))) is None
    assert query_names(outputs(boxes=(1, 9, 5), logits=(1, 9, 7))) is None
    assert query_names(outputs(boxes=(9, 4), logits=(9, 7))) is None


def test_corners_have_as_many_scores_of_two_classes_or_more():
    corners = (1, 9, 4)
    assert pair_names(outputs(a=(1, 9, 2), b=corners)) == ("b", "a")
    assert pair_names(outputs(a=corners, b=corners)) == ("a", "b")  # scores of four classes
    assert pair_names(outputs(a=(1, 9, 1), b=corners)) is None
    assert pair_names(outputs(a=(1, 8, 2), b=corners)) is None
    assert pair_names(outputs(logits=(1, 9, 2), b=corners)) is None
    assert pair_names(outputs(a=(1, 9, 2), b=corners, c=(1, 9, 2))) is None


def two_scores(scores: tuple[float, float]) -> Answer:
    """Return (1, 300, 6) without a graph, whose first row has these scores."""
    rows = np.full((1, 300, 6), 0.25)
    rows[0, 0] = 0.5, 0.5, 0.2, 0.1, *scores
    return Answer({"y": rows.shape}, 640, 480, arrays={"y": rows})


def test_rows_of_two_scores_are_told_from_finished_boxes_by_their_values():
    found = rt_detr(two_scores((0.1, 0.9)))
    assert (found.scores[0], found.kinds[0]) == (0.9, 1)
    assert found.edges[0] == pytest.approx([0.4, 0.45, 0.6, 0.55])
    assert rt_detr(two_scores((0.9, 17))) is None  # a score and a class


@pytest.mark.parametrize(("shares", "kind"), [((0.1, 0.2, 0.7), 1), ((0.1, 0.2, 0.9), 2)])
def test_scores_that_add_up_to_one_begin_with_the_background(shares, kind):
    arrays = {"boxes": np.full((1, 5, 4), 0.3), "scores": np.tile(shares, (1, 5, 1))}
    shapes = {name: array.shape for name, array in arrays.items()}
    found = scores_and_corners(Answer(shapes, 640, 480, arrays=arrays))
    assert found.kinds.tolist() == [kind] * 5
