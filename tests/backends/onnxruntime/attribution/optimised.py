"""A small model, renamed, optimised by the real runtime and explained."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto

from inspector.backends.onnxruntime.attribution.attribution import (
    Attribution,
    attribute_kernels,
)
from inspector.backends.onnxruntime.graphs.layer_names import rename
from tests.backends.onnxruntime.attribution.oracle import options

LEVELS = ("none", "basic", "extended", "all")


def optimised(model: ModelProto, level: str) -> ModelProto:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "optimised.onnx"
        chosen = options(level)
        chosen.optimized_model_filepath = str(path)
        onnxruntime.InferenceSession(
            model.SerializeToString(), chosen, providers=["CPUExecutionProvider"]
        )
        return onnx.load(path)


def explained(model: ModelProto, level: str = "all") -> Attribution:
    renamed, _ = rename(model)
    return attribute_kernels(renamed, optimised(renamed, level))


def statuses(attribution: Attribution) -> list[str]:
    """What became of each layer, with an arrow to where its time is shown."""
    return [
        f"{fate.status}" if fate.into is None else f"{fate.status} -> {fate.into}"
        for fate in attribution.outcomes
    ]


def weights(*shape: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
