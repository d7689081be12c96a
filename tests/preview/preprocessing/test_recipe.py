from dataclasses import replace

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.preview.preprocessing.recipe import PRESETS, ImagePreprocessing

RGB = ImagePreprocessing(2, 2)


@pytest.mark.parametrize(
    ("scale", "low", "high"),
    [("255", 0, 255), ("1", 0, 1), ("-1..1", -1, 1), ("-128..127", -128, 127)],
)
def test_a_scale_brings_black_and_white_to_its_ends(scale, low, high):
    table = replace(RGB, scale=scale).table()
    assert table.shape == (256, 3)
    assert (table[0] == low).all()
    assert (table[255] == high).all()


def test_whole_values_stay_exact():
    assert (RGB.table()[:, 0] == np.arange(256)).all()


def test_mean_and_std_are_named_in_rgb_and_follow_the_order():
    shifted = replace(RGB, order="bgr", mean=(1.0, 2.0, 3.0), std=(1.0, 10.0, 100.0))
    assert shifted.table()[10] == pytest.approx([0.07, 0.8, 9])


def test_one_mean_serves_every_channel():
    assert (replace(RGB, mean=(127.0,), std=(128.0,)).table()[255] == 1).all()


def test_linear_light_keeps_the_ends_and_darkens_the_middle():
    table = replace(RGB, gamma="linear", scale="1").table()[:, 0]
    assert table[[0, 255]] == pytest.approx([0, 1])
    assert table[188] == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize(
    "wrong",
    [{"order": "brg"}, {"scale": "2"}, {"resize": "squash"}, {"std": (0.0,)}, {"layout": "chw"},
     {"mean": (1.0, 2.0)}, {"mean": (float("nan"),)},
     {"order": "gray", "mean": (1.0, 2.0, 3.0)}],
)  # fmt: skip
def test_a_preparation_that_makes_no_sense_cannot_exist(wrong):
    with pytest.raises(BadInput, match="Could not preprocess the image"):
        replace(RGB, **wrong)


def test_every_preset_fits_a_preparation():
    for preset in PRESETS:
        assert preset.applied(RGB).table().shape[1] == preset.applied(RGB).channels
