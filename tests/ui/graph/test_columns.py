"""A long drawing as columns: nothing is lost, and no box is cut."""

import pytest

from inspector.pages.charts.columns import in_columns
from inspector.pages.charts.drawing import Box, Drawing, Label, Line

BOXES, STEP = 200, 70


def strip(sideways):
    shapes = [Box(0, 0, 200, STEP * BOXES, "window")]  # a frame around all
    for n in range(BOXES):
        y = STEP * n + 10
        shapes += [Box(20, y, 160, 50, "raised", title=f"layer {n}"), Label(30, y + 20, f"{n}")]
        shapes.append(Line(((100, y + 50), (100, y + 70)), "tertiary"))
    shapes.append(Line(((190, 0), (190, STEP * BOXES)), "tertiary"))
    if not sideways:
        return Drawing("long", 200, STEP * BOXES, tuple(shapes))
    turned = [
        Box(s.y, s.x, s.height, s.width, s.fill, title=s.title)
        for s in shapes
        if isinstance(s, Box)
    ]
    return Drawing("long", STEP * BOXES, 200, tuple(turned))


@pytest.mark.parametrize("sideways", [False, True])
def test_a_strip_becomes_a_page_with_all_of_its_boxes(sideways):
    long = strip(sideways)
    page = in_columns(long)
    assert 0.6 < page.width / page.height < 2.2
    boxes = [shape for shape in page.shapes if isinstance(shape, Box) and shape.title]
    assert sorted(box.title for box in boxes) == sorted(f"layer {n}" for n in range(BOXES))
    assert {(box.width, box.height) for box in boxes} == {(50, 160) if sideways else (160, 50)}
    for shape in page.shapes:
        if isinstance(shape, Box):
            assert -1e-6 <= shape.x <= shape.x + shape.width <= page.width + 1e-6
            assert -1e-6 <= shape.y <= shape.y + shape.height <= page.height + 1e-6
    frames = sum(isinstance(shape, Box) and not shape.title for shape in page.shapes)
    assert frames > 3, "the frame goes on in every column"
    if not sideways:
        drawn = [shape for shape in page.shapes if isinstance(shape, Line)]
        length = sum(abs(s.points[-1][1] - s.points[0][1]) for s in drawn)
        assert length == pytest.approx(20 * BOXES - 10 + STEP * BOXES, abs=11)


def test_what_has_the_shape_of_a_page_stays():
    short = Drawing("short", 400, 300, (Box(0, 0, 10, 10, "raised"),))
    assert in_columns(short) == short
