"""What the second of two compared models is given."""

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from inspector.analysis.verdicts.contradictions import run_settings
from inspector.report.run_spec import Dimension, InputSource, RunSpec
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Document
from inspector.ui.tabs.diff.pair_measuring import PairMeasuring, named_differences
from tests.reports import example_report

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import EngineProcess


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
        return [each and each.spec for each in PairMeasuring((first, other)).reports]

    assert compared(document(default, extended), document(default)) == [default, default]
    assert compared(document(extended), document(default)) == [extended, default]
    assert compared(document(extended), document()) == [extended, None]
    assert not PairMeasuring((document(), document())).able, "no model is read yet"
    assert compared(document(single, batch), document(single)) == [single, single]
    assert named_differences(extended, default) == ("optimization",)
    assert named_differences(single, batch) == ("sizes of dynamic axes", "background load")
    assert not named_differences(default, RunSpec(runs=99, inputs=(InputSource("x", "ones"),)))


def test_every_setting_that_changes_a_run_has_a_title():
    default = RunSpec()
    for field in fields(default):
        other = replace(default, **{field.name: "another value"})
        changes_a_run = run_settings(other) != default
        assert len(named_differences(default, other)) == changes_a_run


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"versions":[null,null],"made":"never"}'])
def test_damaged_results_of_an_earlier_session_are_left_out(text):
    document = DiffDocument(ComparedModel(Path("a.onnx")), ComparedModel(Path("b.onnx")))
    document.restore_results(text)
    assert document.results is None
    assert not document.restored
