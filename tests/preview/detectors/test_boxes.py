import numpy as np
import pytest

from inspector.preview.detectors.boxes import Candidates, centered, select_boxes


def candidates(*rows: tuple[float, float, float, float, float, int]) -> Candidates:
    values = np.array(rows)
    return Candidates(values[:, :4], values[:, 4], values[:, 5].astype(int))


CROWD = candidates(
    (0.1, 0.1, 0.5, 0.5, 0.9, 0),
    (0.12, 0.1, 0.52, 0.5, 0.8, 0),  # nearly the first
    (0.12, 0.1, 0.52, 0.5, 0.7, 1),  # the same place, another class
    (0.6, 0.6, 0.9, 0.9, 0.6, 0),
    (0.6, 0.1, 0.9, 0.4, 0.2, 0),
)


def test_of_boxes_that_overlap_the_best_of_each_class_stays():
    assert [box.score for box in select_boxes(CROWD, 0.5, 0.45)] == [0.9, 0.7, 0.6]


def test_the_score_and_the_overlap_decide():
    assert [box.score for box in select_boxes(CROWD, 0.1, 0.45)] == [0.9, 0.7, 0.6, 0.2]
    assert len(select_boxes(CROWD, 0.5, 0.95)) == 4
    assert select_boxes(CROWD, 0.95, 0.5) == ()


def test_boxes_that_lie_nowhere_are_left_out():
    assert select_boxes(candidates((0, 0, np.nan, 1, 0.9, 0)), 0.5, 0.5) == ()


def test_a_centre_and_a_size_become_edges():
    assert centered(np.array([[0.5, 0.5, 0.2, 0.4]])).tolist() == [
        pytest.approx([0.4, 0.3, 0.6, 0.7])
    ]
