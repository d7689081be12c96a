"""The grids of anchors that detectors of one shot have, counted against their outputs."""

import pytest

from inspector.preview.detectors.anchors import _blaze_rows

# Side of the picture and rows of the outputs of MediaPipe's published detectors.
PUBLISHED = [(128, 896), (256, 896), (192, 2304), (192, 2016), (224, 2254), (256, 2944)]


@pytest.mark.parametrize(("side", "rows"), PUBLISHED)
def test_the_anchors_of_all_cells_are_as_many_as_the_rows_of_the_output(side, rows):
    grids = _blaze_rows(side)
    assert rows in grids
    assert sum((side // stride) ** 2 * anchors for stride, anchors in grids[rows]) == rows
