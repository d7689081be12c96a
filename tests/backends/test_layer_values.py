"""Layers of two runs of LiteRT and OpenVINO, which return the values of all tensors at once."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector.backends.base import SteppingRequest
from inspector.backends.layer_values import LayerValues
from inspector.backends.litert.info import LITERT
from inspector.backends.values import ComparisonRun
from inspector.formats import opening
from inspector.model.model import Layer, TensorInfo
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


class Runtime(LayerValues):
    """Gives out the values of one of two runs, told apart by their threads."""

    info = LITERT
    every_tensor_note = ""

    def __init__(self, *sides: Array) -> None:
        self._sides = sides

    def values(
        self, request: SteppingRequest, only: str
    ) -> tuple[dict[str, NDArray[np.generic]], dict[str, TensorInfo]]:
        side = self._sides[request.spec.threads - 1]
        infos = {
            name: TensorInfo(name, "tensor", "float32", side.shape) for name in ("raw", "y")
        }
        return {"raw": side, "y": side}, infos


def steps(ours: Array, theirs: Array, tolerance: float | None = None) -> list[str]:
    against = ComparisonRun(RunSpec(threads=2))
    request = SteppingRequest(Path("net.tflite"), RunSpec(threads=1), {}, against)
    stepping = Runtime(ours, theirs).step(request, tolerance, lambda *_: None)
    for step in stepping.steps:
        assert all(output.over for output in step.outputs if output.broken)
    return [step.outputs[0].broken for step in stepping.steps]


def test_rows_that_larger_values_hide_are_named_in_outputs_of_the_model(monkeypatch):
    monkeypatch.setattr(opening, "open_model", lambda _: Network)
    reference, dead = values(), values()
    dead[:, SCORES] = 0
    assert steps(dead, reference) == ["", "rows 4 to 6 of y are always 0"]
    assert steps(reference, reference) == ["", ""]
    # unless the user has said what may differ
    assert steps(dead, reference, tolerance=0.1) == ["", ""]
