import pytest

from inspector.model.model import TensorInfo
from inspector.preview.families.image_families import IMAGE_FAMILIES
from inspector.preview.preprocessing.guess import guess


@pytest.mark.parametrize("family", IMAGE_FAMILIES, ids=lambda family: family.name)
def test_each_family_says_how_it_is_recognized_and_who_says_so(family):
    assert family.source.startswith("https://")
    assert family.recognition


def test_a_family_gives_a_size_where_the_model_leaves_it_open():
    names = [
        f"{part}_{stride}" for part in ("cls", "obj", "bbox", "kps") for stride in (8, 16, 32)
    ]
    outputs = [TensorInfo(name, "tensor", "float32", (1, "anchors", None)) for name in names]
    info = TensorInfo("input", "tensor", "float32", (1, 3, "height", "width"))
    found = guess(info, (), "", outputs)
    assert (found.width, found.height, found.position) == (640, 640, "top-left")


def test_a_model_that_takes_whole_numbers_gets_them_without_mean_and_std():
    info = TensorInfo("images", "tensor", "uint8", (1, 3, 320, 320))
    heads = [
        TensorInfo("logits", "tensor", "float32", (1, 100, 92)),
        TensorInfo("pred_boxes", "tensor", "float32", (1, 100, 4)),
    ]
    found = guess(info, (), "", heads)
    assert (found.scale, found.mean, found.std) == ("255", (), ())
