"""Heads whose anchors are no part of the file say so, unless names prove them."""

import pytest

from inspector.preview.detectors.output_arrays import Outputs
from inspector.preview.detectors.yolo import anchor_doubt, head_strides
from inspector.preview.families.output_structure import ModelStructure


@pytest.mark.parametrize(
    ("names", "classes", "first", "proven"),
    [
        ("/model.24/m.0/conv", 80, True, True),
        ("/model.24/m.0/conv", 1, True, False),  # own objects mostly come with own anchors
        ("/model.105/m.0/conv", 80, True, False),  # YOLO v7 has others
        ("", 80, True, False),
        ("yolov3/yolo_darknet", 80, False, True),
        ("", 80, False, False),
    ],
)
def test_anchors_are_proven_by_the_version_and_the_classes(names, classes, first, proven):
    sides, numbers = (80, 40, 20), 5 + classes
    shapes = {
        f"o{side}": (1, 3, side, side, numbers) if first else (1, 3 * numbers, side, side)
        for side in sides
    }
    outputs = Outputs(shapes, 640, 640, ModelStructure(names=names))
    assert len(head_strides(outputs)) == len(sides)
    assert (anchor_doubt(outputs) == "") is proven
