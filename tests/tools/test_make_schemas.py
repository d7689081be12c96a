import jsonschema
import msgspec
import pytest

from inspector import files
from inspector.export import export
from inspector.report import to_json
from tests.reports import example_report, predicted_report
from tools.make_schemas import report_schema

PATH = files.resource("schemas", "report-1.schema.json")
SCHEMA = msgspec.json.decode(PATH.read_bytes())


def test_the_published_schema_is_that_of_the_code() -> None:
    now = msgspec.json.decode(msgspec.json.encode(report_schema()))
    assert now == SCHEMA, "the report has changed: run python -m tools.make_schemas"


def test_reports_and_their_exports_fit_the_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for body in (
        to_json(example_report()),
        to_json(predicted_report()),
        export(example_report(), "json"),
    ):
        jsonschema.validate(msgspec.json.decode(body), SCHEMA)


@pytest.mark.parametrize("wrong", [{"schema": "report/2"}, {"prediction_ns": ["soon"]}])
def test_what_is_no_report_does_not_fit(wrong: dict[str, object]) -> None:
    body = msgspec.json.decode(to_json(example_report()))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(body | wrong, SCHEMA)
