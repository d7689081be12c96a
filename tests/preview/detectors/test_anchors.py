"""The grids of anchors that detectors of one shot have, counted against their outputs."""

import pytest

from inspector.preview.detectors.anchors import _BLAZE


@pytest.mark.parametrize("kind", _BLAZE, ids=str)
def test_the_anchors_of_all_cells_are_as_many_as_the_rows_of_the_output(
    kind: tuple[int, int],
) -> None:
    side, grids = _BLAZE[kind]
    assert sum((side // stride) ** 2 * anchors for stride, anchors in grids) == kind[0]
