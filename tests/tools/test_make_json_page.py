import re
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import json_of
from tools.make_json_page import MARK, PAGE, generated, type_text
from tools.make_schemas import PUBLISHED, schema_of

ROOT = Path(__file__).parents[2]
MODEL = str(ROOT / "sample_models" / "digits_float32.onnx")
IMAGE = f"picture={ROOT / 'sample_models' / 'inputs' / 'digit_3.png'}"


def test_the_page_has_the_fields_of_the_types():
    _, mark, rest = PAGE.read_text("utf-8").partition(MARK)
    expected = generated({name: schema_of(name) for name in PUBLISHED})
    assert mark + rest == expected, "the types have changed: run python -m tools.make_schemas"


def test_every_field_of_a_saved_file_is_on_the_page():
    page = generated({name: schema_of(name) for name in PUBLISHED})
    for name in PUBLISHED:
        section = page.partition(f"### {name}\n")[2].partition("\n#")[0]
        fields = re.findall(r"^- `(\w+)` \(", section, re.MULTILINE)
        assert fields == list(schema_of(name)["properties"])


def test_a_meaning_that_goes_on_in_the_next_line_is_kept_whole():
    description = "A range.\n\nlow: a bound\nbelow. high:\na bound above.\n\nNo field."
    fields = {name: {"type": "integer"} for name in ("low", "high")}
    page = generated({"x/1": {"description": description, "properties": fields, "$defs": {}}})
    assert "- `low` (integer): a bound below.\n- `high` (integer): a bound above.\n" in page


def test_a_docstring_becomes_the_meanings_of_its_fields():
    description = (
        "A range.\n\nlow, high: bounds. step: between\n    two values.\nMore text: not a field."
    )
    fields: dict[str, Any] = {
        name: {"type": "integer"} for name in ("low", "high", "step", "n")
    }
    fields["n"]["default"] = 3
    page = generated({"x/1": {"description": description, "properties": fields, "$defs": {}}})
    assert "- `low` (integer): bounds.\n- `high` (integer): bounds.\n" in page
    assert "- `step` (integer): between two values.\n- `n` (integer, default 3)\n" in page


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, "number or null"),
        ({"type": "array", "items": {"$ref": "#/$defs/Layer"}}, "list of [Layer](#layer)"),
        ({"enum": ["a", "b"]}, "one of `a`, `b`"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of string"),
    ],
)
def test_types_are_words(schema, text):
    assert type_text(schema) == text


@pytest.mark.engine
@pytest.mark.parametrize(
    "arguments",
    [
        ["info", MODEL],
        ["predict", MODEL, "--input", IMAGE],
        ["prepare", MODEL],
        ["layers", MODEL],
        ["parity", MODEL, "--against", "level=none"],
        ["devices"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_field_that_a_command_prints_is_on_the_page(arguments):
    printed = json_of(*arguments)
    section = PAGE.read_text("utf-8").partition(f"### {printed['schema']}\n")[2]
    documented = set(re.findall(r"`(\w+)`", section.partition("\n### ")[0]))
    assert printed.keys() - {"schema"} <= documented
