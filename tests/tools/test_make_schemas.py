import jsonschema
import msgspec
import pytest

from inspector.platform import files
from inspector.render.registry import export
from inspector.report import sweep as sweeps
from inspector.report.report import to_json
from inspector.report.tuning import Trial, Tuning
from inspector.report.tuning import to_json as to_text
from tests.reports import example_report, predicted_report
from tests.sweeps import planned, round_of
from tools.make_schemas import PUBLISHED, file_name, schema_of

PATH = files.resource("schemas", "report-1.schema.json")
SCHEMA = msgspec.json.decode(PATH.read_bytes())


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_schema_is_that_of_the_code(name):
    now = msgspec.json.decode(msgspec.json.encode(schema_of(name)))
    there = msgspec.json.decode(files.resource("schemas", file_name(name)).read_bytes())
    assert now == there, "the code has changed: run python -m tools.make_schemas"


def test_sweeps_and_searches_fit_their_schemas():
    sweep = planned().measured((0, 0), round_of(1e6)).failed((1, 1), "It broke.")
    search = Tuning(sweep.models[0], sweep.spec, (Trial(sweep.spec),), default_rounds=())
    for name, body in (("sweep/1", sweeps.to_json(sweep)), ("tuning/1", to_text(search))):
        jsonschema.validate(msgspec.json.decode(body), schema_of(name))


def test_reports_and_their_exports_fit_the_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for body in (
        to_json(example_report()),
        to_json(predicted_report()),
        export(example_report(), "json"),
    ):
        jsonschema.validate(msgspec.json.decode(body), SCHEMA)


@pytest.mark.parametrize("wrong", [{"schema": "report/2"}, {"prediction_ns": ["soon"]}])
def test_what_is_no_report_does_not_fit(wrong):
    body = msgspec.json.decode(to_json(example_report()))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(body | wrong, SCHEMA)
