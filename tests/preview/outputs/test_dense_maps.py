import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.output_structure import (
    INDEPENDENT,
    PROBABILITIES,
    ModelStructure,
)
from inspector.preview.outputs.dense_maps import HEAT, MASK, SEGMENTS, overlay, overlay_kinds
from inspector.preview.outputs.results import is_image


def value(array: object, name: str = "y") -> list[OutputValue]:
    return [OutputValue(name, "tensor", "float32", np.asarray(array))]


def test_the_highest_of_several_planes_is_the_class_of_a_pixel():
    planes = np.zeros((1, 21, 32, 32), np.float32)
    planes[0, 0] = 1
    planes[0, 15, :8] = 2
    assert overlay_kinds(value(planes)) == (SEGMENTS,)
    found = overlay(value(planes), SEGMENTS)
    assert [(kind, share) for kind, share, _ in found.parts] == [(0, 0.75), (15, 0.25)]
    assert found.picture[0, 0, 3] == 255
    assert found.picture[31, 0, 3] == 0


def test_planes_may_come_last():
    planes = np.zeros((1, 32, 40, 5), np.float32)
    planes[0, :, :, 2] = 1
    assert overlay(value(planes), SEGMENTS).parts[0][0] == 2


def test_planes_need_no_batch_axis():
    planes = np.zeros((2, 32, 40), np.float32)
    planes[1, :8] = 1
    assert overlay_kinds(value(planes)) == (SEGMENTS,)
    found = overlay(value(planes), SEGMENTS)
    assert [(kind, share) for kind, share, _ in found.parts] == [(0, 0.75), (1, 0.25)]
    for one in (planes[:1], planes[0]):
        assert overlay(value(one), MASK).picture.shape == (32, 40, 4)


def test_a_map_of_whole_numbers_is_one_of_classes():
    assert overlay_kinds(value(np.ones((1, 32, 32), np.int64))) == (SEGMENTS,)


def test_one_plane_is_a_mask_or_heat_by_its_name_and_range():
    depth = np.linspace(0, 80, 32 * 32, dtype=np.float32).reshape(1, 1, 32, 32)
    assert overlay_kinds(value(depth, "depth")) == (HEAT, MASK)
    assert overlay_kinds(value(depth / 80, "output"))[0] == MASK
    assert overlay_kinds(value(depth, "mask"))[0] == MASK
    hot = overlay(value(depth), HEAT)
    assert (hot.low, hot.high) == (0, 80)
    assert hot.picture[31, 31, :3].sum() > hot.picture[0, 0, :3].sum()


def test_rows_of_shares_of_letters_are_no_mask():
    shares = np.full((1, 9, 37), 1 / 37, np.float32)
    (letters,) = value(shares)
    plates = ModelStructure(scores={"y": PROBABILITIES})
    assert overlay_kinds([letters], plates) == ()
    assert not is_image(letters, plates)
    assert overlay_kinds([letters]) == (MASK, HEAT), "without a Softmax it may be one"


def test_the_threshold_cuts_the_mask():
    plane = np.linspace(0, 1, 1024, dtype=np.float32).reshape(1, 1, 32, 32)
    for threshold, share in ((0.5, 0.5), (0.75, 0.25)):
        parts = {kind: s for kind, s, _ in overlay(value(plane), MASK, threshold).parts}
        assert parts[1] == share


def test_what_has_no_value_a_pixel_is_not_laid_over():
    assert overlay_kinds(value(np.zeros((1, 1000), np.float32))) == ()
    assert overlay_kinds(value(np.zeros((1, 4420, 2), np.float32))) == ()


def test_two_maps_beside_a_gray_image_may_be_its_colors_and_are_no_masks():
    maps = np.random.default_rng(0).random((1, 2, 16, 16), np.float32)
    independent = {"y": INDEPENDENT}
    outputs = [OutputValue("y", "tensor", "float32", maps)]
    assert overlay_kinds(outputs, ModelStructure(scores=independent, gray=True)) == ()
    assert overlay_kinds(outputs, ModelStructure(scores=independent)) == (MASK,)


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        (np.arange(4800).reshape(1, 60, 80) % 7, (SEGMENTS, MASK, HEAT)),
        (np.zeros((1, 7, 60, 80), np.float32), (SEGMENTS, MASK, HEAT)),
        (np.zeros((1, 1, 60, 80), np.float32), (MASK, HEAT)),
        (np.full((1, 60, 80), 255), (MASK, HEAT)),
    ],
)
def test_what_is_said_to_be_a_mask_may_have_a_class_for_each_pixel(values, kinds):
    said = ModelStructure(meanings={"y": "mask"})
    output = OutputValue("y", "tensor", str(values.dtype), values)
    assert overlay_kinds([output], said) == kinds
