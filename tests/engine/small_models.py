"""Models of a few nodes, made where a test needs them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

from tests.models import save, value

WEIGHTS = np.arange(12, dtype=np.float32).reshape(4, 3) / 10


def linear(path: Path, weights: np.ndarray = WEIGHTS) -> Path:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"], "multiply"),
        helper.make_node("Relu", ["h"], ["y"], "cut"),
    ]
    return save(path, nodes, [value("x", ["n", 4])], [value("y", ["n", 3])], {"w": weights})


def convolution(path: Path) -> Path:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["h"], "conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["h"], ["r"], "relu"),
        helper.make_node("ReduceMean", ["r"], ["y"], "mean", axes=[2, 3], keepdims=0),
    ]
    weights = np.random.default_rng(0).normal(size=(4, 3, 3, 3)).astype(np.float32)
    return save(path, nodes, [value("x", [1, 3, 8, 8])], [value("y", [1, 4])], {"w": weights})


def identity(
    path: Path, kind: int, shape: Sequence[int | str] = ("n",), opset: int = 17
) -> Path:
    node = helper.make_node("Identity", ["x"], ["y"])
    return save(path, [node], [value("x", shape, kind)], [value("y", shape, kind)], opset=opset)


def endless(path: Path) -> Path:
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go_on"], ["still"]),
            helper.make_node("Sin", ["now"], ["next"]),
        ],
        "body",
        [
            value("turn", [], TensorProto.INT64),
            value("go_on", [], TensorProto.BOOL),
            value("now", ["n"]),
        ],
        [value("still", [], TensorProto.BOOL), value("next", ["n"])],
    )
    turns = helper.make_tensor("turns", TensorProto.INT64, [], [2**62])
    true = helper.make_tensor("true", TensorProto.BOOL, [], [True])
    loop = helper.make_node("Loop", ["turns", "true", "x"], ["y"], "loop", body=body)
    return save(path, [loop], [value("x", ["n"])], [value("y", ["n"])], [turns, true])


def greedy(path: Path) -> Path:
    node = helper.make_node("ConstantOfShape", ["size"], ["y"], "fill")
    size = value("size", [1], TensorProto.INT64)
    return save(path, [node], [size], [value("y", ["n"])])
