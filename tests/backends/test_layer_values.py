"""Layers of two runs of LiteRT and OpenVINO, which return the values of all tensors at once."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from inspector.backends import layer_values
from inspector.backends.base import SteppingRequest
from inspector.backends.values import ComparisonRun
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.run_spec import RunSpec

Array = NDArray[np.float32]
BOXES, SCORES = slice(0, 4), slice(4, 7)


class Network:
    """Two layers: `raw` inside, and the output `y` with boxes of up to 640 and scores."""

    inputs = ()
    outputs = (TensorInfo("y", "tensor", "float32", (1, 7, 50)),)
    layers = (
        Layer(0, "first", "Conv", "", ("x",), ("raw",)),
        Layer(1, "join", "Concat", "", ("raw",), ("y",)),
    )


def values() -> Array:
    random = np.random.default_rng(0)
    y = random.uniform(0, 1, (1, 7, 50)).astype(np.float32)
    y[:, BOXES] *= 640
    return y


def steps(ours: Array, theirs: Array, tolerance: float | None = None) -> list[str]:
    """Return what is broken in the outputs of each layer."""
    sides = {1: ours, 2: theirs}
    infos = {name: TensorInfo(name, "tensor", "float32", (1, 7, 50)) for name in ("raw", "y")}

    def values_of(
        request: SteppingRequest, _: str
    ) -> tuple[dict[str, NDArray[np.generic]], Mapping[str, TensorInfo]]:
        side = sides[request.spec.threads]
        return {"raw": side, "y": side}, infos

    against = ComparisonRun(RunSpec(threads=2))
    request = SteppingRequest(Path("net.tflite"), RunSpec(threads=1), {}, against)
    stepping = layer_values.step_through(
        request, tolerance, lambda *_: None, cast("Model", Network), values_of, "LiteRT", ""
    )
    for step in stepping.steps:
        assert all(output.over for output in step.outputs if output.broken)
    return [step.outputs[0].broken for step in stepping.steps]


def test_rows_that_larger_values_hide_are_named_in_outputs_of_the_model():
    reference, dead = values(), values()
    dead[:, SCORES] = 0
    assert steps(dead, reference) == ["", "rows 4 to 6 of y are always 0"]
    assert steps(reference, reference) == ["", ""]
    # unless the user has said what may differ
    assert steps(dead, reference, tolerance=0.1) == ["", ""]
