"""What the second of two compared models is given."""

from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from inspector.analysis.verdicts.contradictions import run_settings
from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo
from inspector.preview.inputs.feeds import Filled
from inspector.report.run_spec import Dimension, InputSource, RunSpec
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Document
from inspector.ui.tabs.diff.pair_measuring import (
    _for_other,
    comparable_reports,
    different_settings,
)
from tests.reports import example_report

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import EngineProcess


def takes(**inputs: tuple[str, tuple[int, ...]]) -> Model:
    infos = tuple(TensorInfo(n, "tensor", dtype, shape) for n, (dtype, shape) in inputs.items())
    return cast("Model", SimpleNamespace(inputs=infos))


def test_a_twin_of_another_format_gets_the_same_picture_in_its_layout_and_precision():
    picture = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    first = (Filled("x", "", picture, dtype="float32"),)
    got = _for_other(first, takes(serving_x=("float16", (1, 3, 4, 2))))
    np.testing.assert_array_equal(got["serving_x"], np.moveaxis(picture, 1, -1))
    assert got["serving_x"].dtype == np.float16
    with pytest.raises(BadInput, match="different shapes or types"):
        _for_other(first, takes(x=("int64", (1, 2, 3, 4))))
    with pytest.raises(BadInput, match="different numbers of inputs"):
        _for_other(first, takes(a=("float32", (1,)), b=("float32", (1,))))


def document(*specs: RunSpec) -> Document:
    made = Document(None, RunSpec(), lambda _: cast("EngineProcess", None))
    for spec in specs:
        made.add_report(replace(example_report(), spec=spec))
    return made


def test_reports_with_the_same_settings_are_compared():
    default, extended = RunSpec(), RunSpec(optimization="extended")
    single = RunSpec(dimensions=(Dimension("batch", 1),))
    batch = RunSpec(dimensions=(Dimension("batch", 8),), busy_cores=1)

    def compared(first: Document, other: Document) -> list[RunSpec | None]:
        return [each and each.spec for each in comparable_reports((first, other))]

    assert compared(document(default, extended), document(default)) == [default, default]
    assert compared(document(extended), document(default)) == [extended, default]
    assert compared(document(extended), document()) == [extended, None]
    assert compared(document(single, batch), document(single)) == [single, single]
    assert different_settings(extended, default) == ("optimization",)
    assert different_settings(single, batch) == ("sizes of dynamic axes", "background load")
    assert not different_settings(default, RunSpec(runs=99, inputs=(InputSource("x", "ones"),)))


def test_every_setting_that_changes_a_run_has_a_title():
    default = RunSpec()
    for field in fields(default):
        other = replace(default, **{field.name: "another value"})
        changes_a_run = run_settings(other) != default
        assert len(different_settings(default, other)) == changes_a_run


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"versions":[null,null],"made":"never"}'])
def test_damaged_results_of_an_earlier_session_are_left_out(text):
    document = DiffDocument(ComparedModel(Path("a.onnx")), ComparedModel(Path("b.onnx")))
    document.restore_results(text)
    assert document.results is None
    assert not document.restored
