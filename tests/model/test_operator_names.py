"""Tables of names of operators hold names that exist."""

import json
from importlib.resources import files

import pytest
from onnx import defs
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

from inspector.backends.onnxruntime.graphs import shape_inference
from inspector.model import operator_names

OPERATORS = json.loads((files("inspector.formats.tflite") / "operators.json").read_text())


@pytest.mark.parametrize(
    ("names", "existing"),
    [
        (operator_names.TFLITE, OPERATORS["operators"].values()),
        (shape_inference.AS_STANDARD, {s.name for s in runtime.get_all_operator_schema()}),
        (
            {*operator_names.TFLITE.values(), *operator_names.OTHERS.values()},
            {schema.name for schema in defs.get_all_schemas()},
        ),
    ],
)
def test_a_table_of_operators_names_those_that_exist(names, existing):
    assert names
    assert set(names) <= set(existing)
