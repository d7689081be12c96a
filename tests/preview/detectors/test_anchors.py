"""The grids of anchors that detectors of one shot have, counted against their outputs."""

import numpy as np
import pytest

from inspector.preview.detectors.anchors import _blaze_rows, ssd_anchors

# Side of the picture and rows of the outputs of MediaPipe's published detectors.
PUBLISHED = [(128, 896), (256, 896), (192, 2304), (192, 2016), (224, 2254), (256, 2944)]


@pytest.mark.parametrize(("side", "rows"), PUBLISHED)
def test_the_anchors_of_all_cells_are_as_many_as_the_rows_of_the_output(side, rows):
    grids = _blaze_rows(side)
    assert rows in grids
    assert sum((side // stride) ** 2 * anchors for stride, anchors in grids[rows]) == rows


def test_the_anchors_of_ssd_at_300_pixels_are_those_of_its_published_configuration():
    anchors = ssd_anchors(300, 300)
    assert anchors.shape == (1917, 4)  # 3 in each of 19 x 19 cells, 6 in 10, 5, 3, 2 and 1
    first = [0.5 / 19, 0.5 / 19]
    assert np.allclose(anchors[:2], [[*first, 0.1, 0.1], [*first, 0.2 * 2**0.5, 0.2 / 2**0.5]])
    last = [0.95, 0.95 * 2**0.5, 0.95 / 2**0.5, 0.95 * 3**0.5, 0.95 / 3**0.5, 0.95**0.5]
    assert np.allclose(anchors[-6:, :3], [[0.5, 0.5, width] for width in last])
