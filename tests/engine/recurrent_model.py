"""A recurrent model, and a plain loop over its steps to compare with."""

from pathlib import Path

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from inspector.model.tensors.element_types import Tensor
from tests import models

WIDTH, LAYERS = 256, 24


def write_recurrent(path: Path) -> Path:
    """Write stateN = tanh(W (x + state)), LAYERS times, and y = its mean.

    The weights are small enough for the layers not to multiply differences by rounding.
    """
    weights = np.random.default_rng(0).normal(0, 0.06, (WIDTH, WIDTH)).astype(np.float32)
    real = TensorProto.FLOAT
    nodes = [helper.make_node("Add", ["x", "state"], ["h0"])]
    for layer in range(LAYERS):
        last = "stateN" if layer == LAYERS - 1 else f"h{layer + 1}"
        nodes += [helper.make_node("MatMul", [f"h{layer}", "w"], [f"m{layer}"]),
                  helper.make_node("Tanh", [f"m{layer}"], [last])]  # fmt: skip
    nodes.append(helper.make_node("ReduceMean", ["stateN"], ["y"], axes=[1]))
    row = [1, WIDTH]
    return models.save(
        path,
        nodes,
        [models.value(name, row, real) for name in ("x", "state")],
        [models.value("y", [1, 1], real), models.value("stateN", row, real)],
        [numpy_helper.from_array(weights, "w")],
    )


def random_frames(count: int) -> Tensor:
    return np.random.default_rng(1).normal(size=(count, 1, WIDTH)).astype(np.float32)


def plain_session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])


def plain_loop(session: onnxruntime.InferenceSession, frames: Tensor) -> tuple[Tensor, Tensor]:
    state = np.zeros((1, WIDTH), np.float32)
    rows = []
    for frame in frames:
        row, state = session.run(None, {"x": frame, "state": state})
        rows.append(row)
    return np.concatenate(rows), state
