"""Where shapes land in the pixels of a PNG: SCALE pixels for one of the drawing."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from inspector.errors import BadInput
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, Shape
from inspector.render.png import png

Darkness = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
BLACK = "#000000"


def darkness(*shapes: Shape, width: float = 40, height: float = 20) -> Darkness:
    """Return the darkness of each pixel, 0 for white to 1 for black."""
    image = Image.open(BytesIO(png(Drawing("", width, height, shapes)))).convert("L")
    return 1 - np.asarray(image) / 255


def test_a_box_covers_its_pixels_and_no_others():
    expected = np.zeros((40, 80))
    expected[2 * 3 : 2 * 8, 2 * 5 : 2 * 17] = 1
    assert np.array_equal(darkness(Box(5, 3, 12, 5, BLACK)), expected)


def test_an_edge_between_pixels_is_smoothed():
    row = darkness(Box(5.25, 0, 10, 20, BLACK))[20]
    assert row[10] == row[30] == pytest.approx(0.5, abs=0.01)
    assert row[9] == row[31] == 0
    assert row[11:30].min() == 1


def test_opacity_lets_the_ground_through():
    assert darkness(Box(0, 0, 40, 20, BLACK, opacity=0.25)).max() == pytest.approx(
        0.25, abs=0.01
    )


def test_an_outline_is_two_wide_and_inside_its_box():
    row = darkness(Box(5, 3, 12, 12, "#FFFFFF", edge=BLACK))[18]
    assert np.flatnonzero(row > 0.9).tolist() == [10, 11, 12, 13, 30, 31, 32, 33]


def test_rounded_corners_leave_the_corner_free():
    image = darkness(Box(0, 0, 40, 20, BLACK, radius=6))
    assert image[0, 0] == image[0, -1] == image[-1, 0] == image[-1, -1] == 0
    assert image[20, 0] == image[0, 40] == 1


def test_a_line_has_its_width_around_its_points():
    image = darkness(Line(((10, 10), (30, 10)), BLACK, width=3))
    across = image[:, 40]
    assert across.sum() == pytest.approx(6, abs=0.1)
    assert across @ np.arange(40) / across.sum() == pytest.approx(20, abs=0.1)
    assert image[:, :19].max() == image[:, 62:].max() == 0


def test_dashes_are_four_long_with_gaps_of_three():
    row = darkness(Line(((0, 10), (18, 10)), BLACK, width=2, dashed=True))[20]
    starts = np.flatnonzero(np.diff((row > 0.5).astype(int)) == 1) + 1
    assert (row[:2] > 0.5).all()
    assert starts.tolist() == [14, 28]
    assert (row[8:14] < 0.6).all()
    assert row[36 + 2 :].max() == 0


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_a_text_stands_on_its_line_at_its_anchor(anchor, share):
    image = darkness(Label(60, 16, "HHHH", BLACK, 10, anchor=anchor), width=120)
    down, across = np.nonzero(image > 0.5)
    width = across.max() - across.min()
    assert 50 < width < 70  # four letters of 10 pixels, twice as large
    assert across.min() + share * width == pytest.approx(120, abs=3)
    assert down.max() == 31
    assert down.min() == pytest.approx(31 - 14, abs=2)


def test_a_bold_text_is_wider_and_darker():
    plain, bold = (
        darkness(Label(2, 16, "HHHH", BLACK, 10, bold=b)).sum() for b in (False, True)
    )
    assert bold > 1.2 * plain


def test_a_drawing_of_too_many_pixels_is_refused_with_its_size():
    with pytest.raises(BadInput, match="the image would be 12,000 by 6,000 pixels") as failure:
        png(Drawing("", 6_000, 3_000, ()))
    assert "SVG" in failure.value.hint
