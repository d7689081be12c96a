from pathlib import Path

import pytest

from inspector.model.model import TensorInfo
from inspector.preview.families.image_families import IMAGE_FAMILIES, ImageFamily
from inspector.preview.preprocessing.guess import guess

PAGE = Path(__file__).parents[3] / "docs/image_families.md"


@pytest.mark.parametrize("family", IMAGE_FAMILIES, ids=lambda family: family.name)
def test_the_page_has_the_family_as_the_table_has_it(family: ImageFamily) -> None:
    assert family.row in PAGE.read_text("utf-8").splitlines()
    assert family.source.startswith("https://")


def test_the_page_has_no_family_that_the_table_has_not() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert rows[1:] == [family.row for family in IMAGE_FAMILIES]


def test_a_family_gives_a_size_where_the_model_leaves_it_open() -> None:
    names = [
        f"{part}_{stride}" for part in ("cls", "obj", "bbox", "kps") for stride in (8, 16, 32)
    ]
    outputs = [TensorInfo(name, "tensor", "float32", (1, "anchors", None)) for name in names]
    info = TensorInfo("input", "tensor", "float32", (1, 3, "height", "width"))
    found = guess(info, (), "", outputs)
    assert found is not None
    assert (found.width, found.height, found.position) == (640, 640, "top-left")


def test_a_model_that_takes_whole_numbers_gets_them_without_mean_and_std() -> None:
    info = TensorInfo("images", "tensor", "uint8", (1, 3, 320, 320))
    heads = [
        TensorInfo("logits", "tensor", "float32", (1, 100, 92)),
        TensorInfo("pred_boxes", "tensor", "float32", (1, 100, 4)),
    ]
    found = guess(info, (), "", heads)
    assert found is not None
    assert (found.scale, found.mean, found.std) == ("255", (), ())
