import json
from pathlib import Path

from tools import make_operator_versions


def test_the_table_of_operators_is_what_its_script_makes_of_onnx():
    stored = make_operator_versions.TABLE.read_text("utf-8")
    table = json.loads(stored)
    assert make_operator_versions.written(table) == stored
    made = make_operator_versions.table()
    if made["onnx"] == table["onnx"]:
        assert made == table
        return
    operators = made["operators"]
    assert isinstance(operators, dict)
    for name, versions in table["operators"].items():
        assert set(versions) <= set(operators[name])


def test_the_table_is_part_of_the_package():
    assert make_operator_versions.TABLE.parent.name == "facts"
    assert Path(make_operator_versions.TABLE).is_file()
