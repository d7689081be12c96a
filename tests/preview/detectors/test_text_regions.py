"""Regions of text: pixels that touch are one, also around corners, others are others."""

import numpy as np
import pytest

from inspector.preview.detectors import text_regions
from inspector.preview.detectors.output_arrays import Answer
from inspector.preview.families.output_structure import ModelStructure

SIGMOID = {"y": frozenset(("Sigmoid",))}
PADDLE = ModelStructure(SIGMOID, names="p2o.conv.0", inputs=("x",))


def regions(plane, structure=PADDLE):
    height, width = plane.shape
    shares = plane[None, None].astype(np.float64)
    return text_regions.regions(
        Answer({"y": shares.shape}, width, height, structure, {"y": shares})
    )


def test_shapes_that_turn_back_are_one_region():
    plane = np.zeros((64, 64))
    plane[10:40, 20:24] = plane[10:40, 40:44] = 0.9  # two posts
    plane[36:40, 20:44] = 0.9  # joined at the bottom, so that they are two until the last rows
    plane[50:54, 20:24] = 0.9  # another one
    found = regions(plane)
    assert found.scores == pytest.approx([0.9, 0.9])
    grown = 24 * 30 * 1.5 / (2 * (24 + 30))
    largest = max(found.edges.tolist(), key=lambda edges: edges[2] - edges[0])
    assert np.array(largest) * 64 == pytest.approx([20 - grown, 0, 44 + grown, 40 + grown])


def test_corners_touch_and_gaps_do_not():
    plane = np.zeros((32, 32))
    plane[4:8, 4:8] = plane[8:12, 8:12] = 0.9  # touch at a corner
    plane[20:24, 4:8] = plane[20:24, 9:13] = 0.9  # a column between them
    assert len(regions(plane).scores) == 3


@pytest.mark.parametrize("value", [0.0, np.nan])
def test_nothing_and_nan_are_no_text(value):
    assert len(regions(np.full((32, 32), value)).scores) == 0


def test_all_text_is_one_region_within_the_picture():
    found = regions(np.ones((32, 48)))
    assert found.edges.tolist() == [[0, 0, 1, 1]]


def test_noise_is_no_text(monkeypatch):
    monkeypatch.setattr(text_regions, "_MOST_RUNS", 100)
    assert len(regions(np.random.default_rng(0).random((64, 64))).scores) == 0


def test_other_maps_are_not_read_as_text():
    for structure in (ModelStructure(SIGMOID), ModelStructure(SIGMOID, inputs=("x",))):
        assert regions(np.ones((32, 32)), structure) is None  # any network may call its input x
