"""Reports that earlier versions of the program measured and saved still open and export."""

from pathlib import Path

import jsonschema
import msgspec
import pytest

from inspector.comparison.comparison import compare
from inspector.platform import files
from inspector.render.registry import Subject, export, formats_of
from inspector.report.report import load

pytestmark = pytest.mark.thorough

SAMPLES = sorted((Path(__file__).parent.parent / "samples" / "reports").glob("*.json"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_an_earlier_report_opens_and_exports_in_every_form(path):
    report = load(path)
    assert report.model.name == "digits_float32.onnx"
    assert len(report.prediction_ns) == 12
    assert len(report.trace) > 50
    for form in (each.id for each in formats_of(Subject.REPORT)):
        assert export(report, form)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_an_earlier_report_still_fits_the_published_schema(path):
    schema = msgspec.json.decode(files.resource("schemas", "report-1.schema.json").read_bytes())
    jsonschema.validate(msgspec.json.decode(path.read_bytes()), schema)


def test_reports_of_several_versions_can_be_compared():
    found = compare([load(path) for path in SAMPLES])
    assert len(found.layers) == len(load(SAMPLES[0]).layers)
