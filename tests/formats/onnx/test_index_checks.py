"""Constant indices that are out of range are found before a run, which then fails."""

import numpy as np
import onnxruntime
import pytest
from onnx import helper, numpy_helper

from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.formats.opening import open_bytes
from tests import models


def model(operator, shape_of_x, indices, typed, **attributes):
    constant = numpy_helper.from_array(indices, "places")
    if typed:
        constant = helper.make_tensor("places", 7, indices.shape, indices.ravel().tolist())
    reads = ["x", "places"]
    if operator.startswith("Scatter"):
        reads.append("updates")
    shape = indices.shape if operator == "ScatterElements" else indices.shape[:1]
    update = numpy_helper.from_array(np.zeros(shape, np.float32), "updates")
    node = helper.make_node(operator, reads, ["y"], name="take", **attributes)
    ends = [models.value("x", shape_of_x)], [models.value("y", None)]
    return models.model([node], *ends, [constant, update]).SerializeToString()


@pytest.mark.parametrize(("count", "checked"), [(4096, True), (4097, False)])
def test_a_constant_as_long_as_a_lookup_table_is_not_read(count, checked):
    body = model("Gather", [3, 4], np.full(count, 9, np.int64), typed=False)
    assert bool(open_bytes(body, "m.onnx").findings) is checked


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize(
    ("operator", "indices", "attributes"),
    [
        ("Gather", [0, -3, 2], {}),
        ("Gather", [0, 3], {}),
        ("Gather", [3, -4], {"axis": -1}),
        ("Gather", [4], {"axis": 1}),
        ("GatherElements", [[0, -4]], {"axis": 0}),
        ("GatherND", [[2, 3], [-3, -4]], {}),
        ("GatherND", [[3, 0]], {}),
        ("ScatterElements", [[0, 3]], {"axis": 1}),
        ("ScatterElements", [[0, 3]], {}),
        ("ScatterND", [[1, 1]], {}),
        ("ScatterND", [[1, -5]], {}),
    ],
)
def test_what_is_found_fails_in_a_run_and_nothing_else(operator, indices, attributes, typed):
    body = model(operator, [3, 4], np.array(indices, np.int64), typed, **attributes)
    found = open_bytes(body, "m.onnx").findings
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(body, options, providers=["CPUExecutionProvider"])
    if found:
        assert found[0].subject == "take"
        with pytest.raises(REFUSALS):
            session.run(None, {"x": np.zeros((3, 4), np.float32)})
    else:
        session.run(None, {"x": np.zeros((3, 4), np.float32)})


def test_two_files_in_one_are_said_to_be_that():
    body = model("Gather", [3, 4], np.array([0]), typed=False)
    (found,) = open_bytes(body + body, "m.onnx").findings
    assert "2 models" in found.text
    assert open_bytes(body, "m.onnx").findings == ()
