"""The published schemas of what commands print: one for each, and outputs that fit."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from inspector.platform import files
from tests.command_line import run
from tools.make_output_schemas import EXAMPLES, Shape, W, outputs, prepare, safetensors
from tools.make_schemas import PUBLISHED

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_models"
# Of the program itself, not for others: open files of a window, jobs of an agent, the user's
# machines, the index of the library, the head of a stored trace whose columns are binary.
INTERNAL = {
    "engine/1",
    "session/1",
    "job/1",
    "machines/1",
    "support-table/2",
    "library/1",
    "trace/1",
    "uploads/1",
}


def published() -> dict[str, Any]:
    """Return all published schemas by the name in them."""
    schemas = {}
    for path in files.resource("schemas").glob("*.schema.json"):
        body = json.loads(path.read_text("utf-8"))
        schemas[body["properties"]["schema"]["const"]] = body
    return schemas


def test_every_kind_of_json_has_a_schema():
    texts = (path.read_text("utf-8") for path in (ROOT / "inspector").rglob("*.py"))
    found = {name for text in texts for name in re.findall(r'"([a-z_-]+/\d)"', text)}
    assert set(EXAMPLES) | set(PUBLISHED) <= found | {"ceilings/1"}
    assert found - INTERNAL <= set(published())
    for schema in published().values():
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.engine
@pytest.mark.parametrize(
    "arguments",
    [
        ("info", SAMPLES / "clothes_float32.onnx"),
        ("predict", SAMPLES / "digits_int8_qdq.onnx"),
        ("support", SAMPLES / "sharpen_float16.onnx", "--target", "apple"),
    ],
)
def test_what_a_command_prints_fits(arguments):
    # `run` holds it against the schema, as it does for all tests of commands.
    assert run(*arguments, "--json").returncode == 0


def test_facts_of_a_file_without_a_graph_fit(tmp_path):
    path = safetensors(tmp_path / W)
    assert json.loads(run("info", path, "--json").stdout)["cost"]["macs_formula"] is None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("examples") / "models"
    prepare(place)
    return place


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_fit(name, folder):
    schema = published()[name]
    for line in EXAMPLES[name]:
        for body in outputs(folder, line):
            jsonschema.validate(body, schema)


def test_a_missing_field_and_a_wrong_type_do_not_fit():
    schema = published()["devices/1"]
    good = {"schema": "devices/1", "devices": [], "not_installed": [], "machines": []}
    good["hardware"] = []
    jsonschema.validate(good | {"new": 1}, schema)
    for bad in (good | {"devices": "cpu"}, {"schema": "devices/1"}, good | {"schema": "x/1"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


def test_the_schema_of_examples_is_what_they_have_in_common():
    shape = Shape()
    for body in (
        {"a": 1, "opsets": {"x": 1}},
        {"a": 1.5, "opsets": {"y": 2}, "b": [None, "c"]},
    ):
        shape.add(body)
    assert shape.schema() == {
        "type": "object",
        "properties": {
            "a": {"type": ["null", "number"]},
            "opsets": {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
            "b": {"type": "array", "items": {"type": ["null", "string"]}},
        },
        "required": ["a", "opsets"],
    }
