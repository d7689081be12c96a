"""Networks whose shapes look like a family, and whose graph says that they may be another."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families import output_structure
from inspector.preview.identity import identify
from inspector.preview.inputs.audio_windows import Framing, guess_framing
from inspector.preview.outputs import results
from tests import models

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
Shape = list[int | str]


def network(
    path: Path, given: Shape, back: Shape, *operators: tuple[str, dict[str, int]]
) -> Path:
    """Save a network that multiplies `given` by a matrix of ones and applies operators."""
    rows = given[-1] if isinstance(given[-1], int) else 3
    columns = back[-1] if isinstance(back[-1], int) else 5
    ones = numpy_helper.from_array(np.ones((rows, columns), np.float32), "ones")
    nodes = [helper.make_node("MatMul", ["x", "ones"], ["v0"])]
    for n, (kind, attributes) in enumerate(operators):
        nodes.append(helper.make_node(kind, [f"v{n}"], [f"v{n + 1}"], **attributes))
    nodes[-1].output[0] = "y"
    whole = bool(operators) and operators[-1][0] == "ArgMax"
    return models.save(
        path,
        nodes,
        [models.value("x", given, FLOAT)],
        [models.value("y", back, INT64 if whole else FLOAT)],
        [ones],
        opset=13,
    )


@pytest.mark.parametrize(
    ("columns", "operators", "headline"),
    [(1, (), "Regression"),
     (1, ("Sigmoid",), "Tabular model: 12 numbers in, 1 out"),
     (10, ("Sigmoid",), "Tabular model: 12 numbers in, 10 out"),
     (10, ("Softmax",), "Tabular classifier: 10 classes")],
)  # fmt: skip
def test_a_table_behind_a_sigmoid_is_neither_a_regression_nor_classes(
    tmp_path, columns, operators, headline
):
    heads: list[tuple[str, dict[str, int]]] = [(kind, {}) for kind in operators]
    model = open_model(network(tmp_path / "m.onnx", ["N", 12], ["N", columns], *heads))
    assert identify(model).headline == headline
    scores = np.full((1, columns), 1 / columns, np.float32)  # they add up to 1 by chance
    answer = OutputValue("y", "tensor", "float32", scores)
    structure = output_structure.of_model(model)
    assert results.is_classes(answer, structure=structure) == (operators == ("Softmax",))


@pytest.mark.parametrize("kind", ["logits", "independent"])
def test_one_score_of_each_of_many_boxes_is_no_row_of_classes(kind):
    scores = np.linspace(0, 1, 896, dtype=np.float32).reshape(1, 896, 1)
    answer = OutputValue("classificators", "tensor", "float32", scores)
    structure = output_structure.ModelStructure(scores={"classificators": kind})
    assert not results.is_classes(answer, structure=structure)


@pytest.mark.parametrize(
    ("given", "back", "headline"),
    [((96, 2), (12, 2), "Time series forecast"),
     ((50, 1), (50, 1), "Unknown task: 1 input, 1 output"),  # or an autoencoder
     ((49, 62), (1, 1), "Unknown task: 1 input, 1 output")],  # or a score of a sequence
)  # fmt: skip
def test_a_forecast_without_names_has_its_own_steps_and_the_channels_of_the_past(
    tmp_path, given, back, headline
):
    path = network(tmp_path / "m.onnx", ["N", *given], ["N", *back])
    assert identify(open_model(path)).headline == headline


@pytest.mark.parametrize(
    ("back", "keepdims", "segments"),
    [(["N", "steps"], 0, False), (["N", "h", "w"], 0, True), (["N", 1, "h", "w"], 1, True)],
)
def test_classes_over_time_are_no_classes_of_pixels(tmp_path, back, keepdims, segments):
    given: Shape = ["N", 3, 32, "width"] if len(back) == 2 else ["N", 3, "height", "width"]
    path = network(
        tmp_path / "m.onnx", given, back, ("ArgMax", {"axis": 1, "keepdims": keepdims})
    )
    task = identify(open_model(path)).headline
    assert ("segmentation" in task.lower()) == segments


@pytest.mark.parametrize("states", [("h", "c"), ("state",)])
@pytest.mark.parametrize("rate", [False, True])
def test_silero_before_version_5_takes_no_previous_samples(states, rate):
    length = 64 if len(states) == 2 else 128
    row = TensorInfo("input", "tensor", "float32", ("batch", "sequence"))
    inputs = [row, *(TensorInfo(s, "tensor", "float32", (2, "batch", length)) for s in states)]
    if rate:
        inputs.append(TensorInfo("sr", "tensor", "int64", ()))
    outputs = [TensorInfo("output", "tensor", "float32", ("batch", 1))]
    outputs += [TensorInfo(f"{s}n", "tensor", "float32", (2, "batch", length)) for s in states]
    early = Framing(512, 512)
    assert guess_framing(row, inputs, outputs) == (
        early if length == 64 else Framing(576, 512, 64)
    )


@pytest.mark.parametrize(("neurons", "known"), [(100, True), (128, False)])
def test_teachable_machine_is_known_by_its_head(tmp_path, neurons, known):
    sizes = (3, 1_280, neurons, 2)
    weights = {f"w{n}": np.ones(pair, np.float32) for n, pair in enumerate(pairwise(sizes))}
    nodes = [helper.make_node("ReduceMean", ["x"], ["v0"], axes=[1, 2], keepdims=0)]
    nodes += [helper.make_node("MatMul", [f"v{n}", f"w{n}"], [f"v{n + 1}"]) for n in range(3)]
    nodes.append(helper.make_node("Softmax", ["v3"], ["y"]))
    ends = [models.value("x", ["N", 224, 224, 3], FLOAT)], [models.value("y", ["N", 2], FLOAT)]
    path = models.save(tmp_path / "m.onnx", nodes, *ends, weights, opset=13)
    assert ("Teachable Machine" in identify(open_model(path)).headline) == known
