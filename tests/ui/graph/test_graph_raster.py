"""Thousands of boxes become pixels."""

import numpy as np

from inspector.ui.graph.paint_boxes import filled

RED, BLUE = 0xFFFF0000, 0xFF0000FF


def pixels(*boxes: tuple[float, float, float, float]) -> np.ndarray:
    colors = np.array([RED, BLUE][: len(boxes)], np.uint32)
    return filled(np.array(boxes, np.float64), colors, 10, 8)


def test_a_box_fills_its_pixels_and_no_others():
    found = pixels((2, 1, 3, 2))
    assert (found[1:3, 2:5] == RED).all()
    assert (found != 0).sum() == 6


def test_a_box_smaller_than_a_pixel_still_shows():
    assert (pixels((4.2, 4.2, 0.01, 0.01)) == RED).sum() == 1


def test_what_lies_outside_is_cut_off():
    found = pixels((-5, -5, 7, 7), (8, 6, 50, 50))
    assert (found[:2, :2] == RED).all()
    assert (found[6:, 8:] == BLUE).all()
    assert (found != 0).sum() == 8


def test_no_boxes_are_no_pixels():
    assert not filled(np.zeros((0, 4)), np.zeros(0, np.uint32), 10, 8).any()
