"""Small models for verdicts on outputs: a detector whose output mixes units, and noise."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests import models as onnx_models

POSITIONS = 64
ROWS = 7  # 4 of boxes in pixels, 3 of scores


def detector(path: Path, dead_scores: bool = False) -> Path:
    """Write a detector: x (1, 8, 64) -> output0 (1, 7, 64), boxes 0..640 and scores 0..1.

    dead_scores: as with one scale of 8 bits for the whole output, all scores are 0.
    """
    random = np.random.default_rng(0)
    weights = random.normal(size=(ROWS, 8, 1)).astype(np.float32)
    weights[:4] *= 12
    grid = np.tile(np.arange(POSITIONS, dtype=np.float32) * 9 + 40, (1, 4, 1))
    constants = {
        "weights": weights,
        "grid": grid,
        "bias": np.full((1, 3, 1), -2, np.float32),
        "share": np.float32(0 if dead_scores else 1),
        "split": np.array([4, 3], np.int64),
    }
    nodes = [
        helper.make_node("Conv", ["x", "weights"], ["raw"], "head"),
        helper.make_node("Split", ["raw", "split"], ["raw_boxes", "raw_scores"], axis=1),
        helper.make_node("Add", ["raw_boxes", "grid"], ["boxes"], "boxes"),
        helper.make_node("Add", ["raw_scores", "bias"], ["logits"], "logits"),
        helper.make_node("Sigmoid", ["logits"], ["sure"], "sigmoid"),
        helper.make_node("Mul", ["sure", "share"], ["scores"], "scores"),
        helper.make_node("Concat", ["boxes", "scores"], ["output0"], "join", axis=1),
    ]
    return _written(path, nodes, constants, [1, 8, POSITIONS], [1, ROWS, POSITIONS])


def noisy(path: Path) -> Path:
    """Write a model that adds random numbers without a seed, so that no two runs agree."""
    constants = {"weights": np.eye(8, dtype=np.float32)[:, :, None]}
    nodes = [
        helper.make_node("Conv", ["x", "weights"], ["raw"], "head"),
        helper.make_node("RandomNormalLike", ["raw"], ["random"], "noise"),
        helper.make_node("Add", ["raw", "random"], ["output0"], "sum"),
    ]
    return _written(path, nodes, constants, [1, 8, POSITIONS], [1, 8, POSITIONS])


def inputs(folder: Path, count: int = 6) -> Path:
    """Write inputs of both models into a folder."""
    folder.mkdir()
    random = np.random.default_rng(1)
    for number in range(count):
        values = random.normal(size=(1, 8, POSITIONS)).astype(np.float32)
        np.save(folder / f"{number}.npy", values)
    return folder


def _written(
    path: Path,
    nodes: list[onnx.NodeProto],
    constants: dict[str, np.ndarray],
    shape: list[int],
    output: list[int],
) -> Path:
    float32 = TensorProto.FLOAT
    return onnx_models.save(
        path,
        nodes,
        [onnx_models.value("x", shape, float32)],
        [onnx_models.value("output0", output, float32)],
        [numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()],
    )
