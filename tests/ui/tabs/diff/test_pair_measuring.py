"""What the second of two compared models is given."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.tabs.diff.pair_measuring import (
    PairMeasuring,
    _for_other,
    different_settings,
)


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


def test_reports_with_the_same_settings_are_compared() -> None:
    def report(optimization: str) -> SimpleNamespace:
        return SimpleNamespace(spec=RunSpec(optimization=optimization))

    def document(*reports: SimpleNamespace) -> SimpleNamespace:
        return SimpleNamespace(reports=reports, is_earlier=lambda _: False)

    default, extended, other = report("all"), report("extended"), report("all")

    def compared(*documents: SimpleNamespace) -> object:
        pair = SimpleNamespace(documents=documents)
        return PairMeasuring.reports.fget(pair)  # type: ignore[attr-defined]

    assert compared(document(default, extended), document(other)) == (default, other)
    assert compared(document(extended), document(other)) == (extended, other)
    assert compared(document(extended), document()) == (extended, None)
    assert different_settings(extended.spec, other.spec) == ("optimization",)
    assert not different_settings(default.spec, other.spec)


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"versions":[null,null],"made":"never"}'])
def test_damaged_results_of_an_earlier_session_are_left_out(text: str) -> None:
    document = DiffDocument(ComparedModel(Path("a.onnx")), ComparedModel(Path("b.onnx")))
    document.restore_results(text)
    assert document.results is None
    assert not document.restored
