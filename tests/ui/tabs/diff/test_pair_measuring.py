"""What the second of two compared models is given."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.tabs.diff.pair_measuring import _for_other


def takes(**inputs: tuple[str, tuple[int, ...]]) -> Model:
    infos = tuple(TensorInfo(n, "tensor", dtype, shape) for n, (dtype, shape) in inputs.items())
    return cast("Model", SimpleNamespace(inputs=infos))


def test_a_twin_of_another_format_gets_the_same_picture_in_its_layout_and_precision() -> None:
    picture = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    first = takes(x=("float32", (1, 2, 3, 4)))
    got = _for_other({"x": picture}, first, takes(serving_x=("float16", (1, 3, 4, 2))))
    np.testing.assert_array_equal(got["serving_x"], np.moveaxis(picture, 1, -1))
    assert got["serving_x"].dtype == np.float16  # type: ignore[union-attr]
    with pytest.raises(BadInput, match="different shapes or types"):
        _for_other({"x": picture}, first, takes(x=("int64", (1, 2, 3, 4))))
    with pytest.raises(BadInput, match="different numbers of inputs"):
        _for_other({"x": picture}, first, takes(a=("float32", (1,)), b=("float32", (1,))))


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"versions":[null,null],"made":"never"}'])
def test_damaged_results_of_an_earlier_session_are_left_out(text: str) -> None:
    document = DiffDocument(ComparedModel(Path("a.onnx")), ComparedModel(Path("b.onnx")))
    document.restore_results(text)
    assert document.results is None
    assert not document.restored
