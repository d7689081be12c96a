from math import inf, nan

import pytest

from inspector.wording.class_scores import box_score, scores, share, shares


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ((1.0, 3e-06, 0.0), ("100.00%", "< 0.01%", "0.00%")),
        ((0.9731, 0.0204, 0.00004), ("97.31%", "2.04%", "< 0.01%")),
        ((0.99999, 0.00001), ("> 99.99%", "< 0.01%")),
        ((0.0006, 0.0004), ("0.060%", "0.040%")),
        ((0.00006, 0.000004), ("0.0060%", "0.0004%")),
        ((1e-12,), ("< 0.000001%",)),
        ((0.5, nan), ("50.00%", "NaN")),
        ((), ()),
    ],
)
def test_probabilities_stand_in_percent_with_equal_places(values, written):
    assert shares(values) == written


def test_one_probability_is_written_like_many():
    assert share(0.9316) == "93.16%"


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ((12.306, 3.1, -0.4), ("12.31", "3.10", "-0.40")),
        ((3.4215, 1.0), ("3.421", "1.000")),
        ((0.5, 0.123456), ("0.5000", "0.1235")),
        ((255, 3, 0), ("255", "3", "0")),
        ((1234.5, -0.5), ("1,234.5", "-0.5")),
        ((2e-5, 1e-9), ("2.000e-05", "1.000e-09")),
        ((3e9 + 0.5, 1.0), ("3.000e+09", "1.000e+00")),
        ((inf, 1.5, -inf, nan), ("∞", "1.500", "-∞", "NaN")),
        ((0.0,), ("0",)),
    ],
)
def test_other_scores_have_equal_places(values, written):
    assert scores(values) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.891, "0.89"),
        (0.994, "0.99"),
        (0.99792, "0.998"),
        (0.999999, "> 0.9999"),
        (1.0, "1.00"),
    ],
)
def test_a_box_below_one_is_never_rounded_up_to_it(value, written):
    assert box_score(value) == written
