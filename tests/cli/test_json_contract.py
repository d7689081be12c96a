"""With --json, all that goes to standard output is an object of a published schema."""

import json
import re
from pathlib import Path

import pytest

from inspector.cli.command_table import commands
from inspector.cli.main import command_parser
from inspector.platform import files
from tests.command_line import json_of, run
from tests.conftest import ROOT

SAMPLES = ROOT / "sample_models"
DIGITS = SAMPLES / "digits_float32.onnx"


@pytest.mark.parametrize(
    ("arguments", "kind", "status"),
    [
        (("info", "none.onnx"), "UnreadableFile", 1),
        (("compare", DIGITS, "none.json"), "BadInput", 1),
        (("export", "--json"), "BadInput", 2),
        (("measure", DIGITS, "--runs", "0"), "BadInput", 2),
        (("measure", DIGITS, "--no-such-option"), "BadInput", 2),
        (("predict", DIGITS, "--input", "no=1"), "BadInput", 1),
        (("measure", DIGITS, "--fail-if", "latency.p50>+10%"), "BadInput", 1),
    ],
)
def test_a_failure_is_an_object_and_a_sentence(arguments, kind, status):
    done = run(*arguments, "--json")
    error = json.loads(done.stdout)
    assert (error["schema"], error["kind"]) == ("error/1", kind)
    assert error["status"] == done.returncode == status
    assert error["what"]
    assert error["why"]
    assert error["why"] in done.stderr


def test_what_failed_in_a_table_is_in_the_table():
    table = json_of("info", DIGITS, "none.onnx", "--table", status=1)
    assert [bool(row["problem"]) for row in table["models"]] == [False, True]


@pytest.mark.engine
def test_a_measurement_beside_another_has_the_comparison_and_the_verdicts():
    wanted = {"model.size>1GB": "pass", "model.size>1KB": "fail"}
    limits = [word for text in wanted for word in ("--fail-if", text)]
    other = SAMPLES / "digits_int8_qdq.onnx"
    few = ("--processes", 2, "--runs", 10, "--no-layers")
    body = json_of("measure", DIGITS, "--against", other, *limits, *few, status=3)
    assert {each["text"]: each["verdict"] for each in body["conditions"]} == wanted
    comparison = body["comparison"]
    assert comparison["names"] == [other.name, DIGITS.name]
    assert comparison["judgements"][1]["text"]
    assert comparison["conditions"] == body["conditions"]


def test_each_command_says_its_schema_or_that_it_prints_none():
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    without = page[: page.index("- The field `schema`")]
    for name in commands():
        options = command_parser(name)._actions
        helps = [each.help for each in options if "--json" in each.option_strings]
        if not helps:
            assert f"`{name}`" in without, name
            continue
        (schema, *_) = re.findall(r"[a-z_]+/\d", helps[0] or "")
        assert f"### {schema}\n" in page, schema
        body = schema_body(schema)
        assert body["properties"]["schema"] == {"const": schema}


def test_schemas_have_names_and_versions():
    for path in files.resource("schemas").glob("*.schema.json"):
        body = json.loads(path.read_text("utf-8"))
        kind, version = body["properties"]["schema"]["const"].split("/")
        assert body["$id"] == f"urn:onnx-inspector:schema:{kind}:{version}"
        assert body["version"] == int(version)


def schema_body(schema: str) -> dict[str, dict[str, object]]:
    path: Path = files.resource("schemas", f"{schema.replace('/', '-')}.schema.json")
    return json.loads(path.read_text("utf-8"))
