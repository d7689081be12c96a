"""The confusion matrix: it ends within its width, and says what was taken for what."""

import numpy as np
import pytest

from inspector.pages.charts.confusion_plot import confusion_plot, confusion_text
from inspector.pages.charts.drawing import MARGIN, Box, worded
from inspector.preview.runs.folder import Confusion
from inspector.wording.values import ENGLISH


@pytest.mark.parametrize(("labels", "width"), [(2, 400), (10, 400), (12, 900), (90, 700)])
def test_the_matrix_ends_within_its_width(labels, width):
    counts = np.eye(labels, dtype=np.int64)
    counts[0, 1] = 1
    confusion = Confusion(tuple(f"class {number}" for number in range(labels)), counts)
    drawing = worded(confusion_plot(confusion, width))
    cells = [shape for shape in drawing.shapes if isinstance(shape, Box)]
    assert len(cells) == labels**2
    right = max(cell.x + cell.width for cell in cells)
    assert right <= width - MARGIN
    assert right >= width - MARGIN - 5 or labels == 2, "few labels leave room"
    assert cells[1].title == "class 0: 1 file predicted as class 1"
    assert [cells[0].fill, cells[1].fill] == ["accent", "bad"]
    told = f"Confusion matrix: {labels} labels, 1 of {labels + 1} wrong"
    assert ENGLISH.text(confusion_text(confusion)) == told
