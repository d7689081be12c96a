"""The layers of a BERT encoder as exporters write them, with weights drawn by chance."""

from dataclasses import dataclass

import numpy as np
import onnx
from numpy.typing import NDArray

from sample_models.making.graph import GraphInMaking, value

HIDDEN, HEADS, INNER, BLOCKS, LONGEST = 48, 4, 192, 2, 256
PADDING, HIDDEN_SCORE = 0, -10_000.0  # a byte of 0 is no text; its score is as good as none
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Head:
    """What was learnt: weights float32 (HIDDEN, labels) and bias float32 (labels,)."""

    weights: Array
    bias: Array


def graph(head: Head | None, labels: list[str], seed: int) -> onnx.GraphProto:
    """The encoder from bytes to probabilities, or to "features" where there is no head yet."""
    making, random = GraphInMaking("languages"), np.random.default_rng(seed)
    ids = making.node("Cast", "embeddings/ids", "text", to=onnx.TensorProto.INT64)
    mask = _mask(making, ids)
    x = _embeddings(making, random, ids)
    for block in range(BLOCKS):
        x = _block(making, random, f"encoder/layer.{block}", x, mask)
    x = _mean(making, ids, x)
    if head is None:
        making.result(x, "features")
        outputs = [value("features", "float32", ["batch", HIDDEN])]
    else:
        weight = making.weight("classifier.weight", head.weights)
        x = making.node("MatMul", "classifier/MatMul", x, weight)
        x = making.node("Add", "classifier/Add", making.weight("classifier.bias", head.bias), x)
        making.result(making.node("Softmax", "classifier/Softmax", x, axis=-1), "probabilities")
        shape = ["batch", len(labels)]
        outputs = [value("probabilities", "float32", shape, ", ".join(labels))]
    doc = f"Bytes of a text in UTF-8, at most {LONGEST}; behind its end zeros"
    return making.proto([value("text", "uint8", ["batch", "sequence"], doc)], outputs)


def _mask(making: GraphInMaking, ids: str) -> str:
    """What is added to the scores: nothing for text, HIDDEN_SCORE for padding."""
    padding = making.weight("attention_mask.padding", np.array(PADDING, np.int64))
    empty = making.node("Equal", "attention_mask/Equal", ids, padding)
    axes = making.weight("attention_mask.axes", np.array([1, 2], np.int64))
    wide = making.node("Unsqueeze", "attention_mask/Unsqueeze", empty, axes)
    number = making.node("Cast", "attention_mask/Cast", wide, to=onnx.TensorProto.FLOAT)
    return making.node("Mul", "attention_mask/Mul", number, _scalar(making, HIDDEN_SCORE))


def _embeddings(making: GraphInMaking, random: np.random.Generator, ids: str) -> str:
    """Rows for bytes and rows for places; places are counted as RoBERTa does."""
    scope = "embeddings"
    bytes_ = making.weight(f"{scope}.byte_embeddings.weight", _drawn(random, 1.0, 256, HIDDEN))
    places = _drawn(random, 0.1, LONGEST + 1, HIDDEN)
    positions = making.weight(f"{scope}.position_embeddings.weight", places)
    x = making.node("Gather", f"{scope}/byte_embeddings/Gather", bytes_, ids)
    text = making.node("Greater", f"{scope}/Greater", ids, "attention_mask.padding")
    ones = making.node("Cast", f"{scope}/Cast", text, to=onnx.TensorProto.INT64)
    axis = making.weight(f"{scope}.axis", np.array(1, np.int64))
    counted = making.node("CumSum", f"{scope}/CumSum", ones, axis)
    place = making.node("Mul", f"{scope}/Mul", counted, ones)
    position = making.node("Gather", f"{scope}/position_embeddings/Gather", positions, place)
    x = making.node("Add", f"{scope}/Add", x, position)
    return _normal(making, f"{scope}/LayerNorm", x)


def _block(
    making: GraphInMaking, random: np.random.Generator, scope: str, x: str, mask: str
) -> str:
    y = _attention(making, random, f"{scope}/attention/self", x, mask)
    y = _dense(making, random, f"{scope}/attention/output/dense", y, HIDDEN, HIDDEN)
    y = making.node("Add", f"{scope}/attention/output/Add", y, x)
    x = _normal(making, f"{scope}/attention/output/LayerNorm", y)
    y = _dense(making, random, f"{scope}/intermediate/dense", x, HIDDEN, INNER)
    y = _gelu(making, f"{scope}/intermediate/intermediate_act_fn", y)
    y = _dense(making, random, f"{scope}/output/dense", y, INNER, HIDDEN)
    y = making.node("Add", f"{scope}/output/Add", y, x)
    return _normal(making, f"{scope}/output/LayerNorm", y)


def _attention(
    making: GraphInMaking, random: np.random.Generator, scope: str, x: str, mask: str
) -> str:
    """Softmax of queries times keys, times the values; each head by itself."""
    parts = {}
    apart = making.weight(f"{scope}.heads", np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64))
    for name, order in (
        ("query", (0, 2, 1, 3)),
        ("key", (0, 2, 3, 1)),
        ("value", (0, 2, 1, 3)),
    ):
        y = _dense(making, random, f"{scope}/{name}", x, HIDDEN, HIDDEN)
        y = making.node("Reshape", f"{scope}/{name}/Reshape", y, apart)
        parts[name] = making.node("Transpose", f"{scope}/{name}/Transpose", y, perm=order)
    scores = making.node("MatMul", f"{scope}/scores/MatMul", parts["query"], parts["key"])
    root = _scalar(making, float(np.sqrt(HIDDEN / HEADS)))
    scores = making.node("Div", f"{scope}/scores/Div", scores, root)
    scores = making.node("Add", f"{scope}/scores/Add", scores, mask)
    shares = making.node("Softmax", f"{scope}/scores/Softmax", scores, axis=-1)
    y = making.node("MatMul", f"{scope}/context/MatMul", shares, parts["value"])
    y = making.node("Transpose", f"{scope}/context/Transpose", y, perm=(0, 2, 1, 3))
    whole = making.weight(f"{scope}.hidden", np.array([0, 0, HIDDEN], np.int64))
    return making.node("Reshape", f"{scope}/context/Reshape", y, whole)


def _dense(
    making: GraphInMaking, random: np.random.Generator, scope: str, x: str, into: int, out: int
) -> str:
    name = scope.replace("/", ".")
    weight = making.weight(f"{name}.weight", _drawn(random, into**-0.5, into, out))
    bias = making.weight(f"{name}.bias", _drawn(random, 0.1, out))
    return making.node(
        "Add", f"{scope}/Add", bias, making.node("MatMul", f"{scope}/MatMul", x, weight)
    )


def _normal(making: GraphInMaking, scope: str, x: str) -> str:
    name = scope.replace("/", ".")
    scale = making.weight(f"{name}.weight", np.ones(HIDDEN, np.float32))
    bias = making.weight(f"{name}.bias", np.zeros(HIDDEN, np.float32))
    operator = "LayerNormalization"
    return making.node(operator, f"{scope}/{operator}", x, scale, bias, axis=-1, epsilon=1e-12)


def _gelu(making: GraphInMaking, scope: str, x: str) -> str:
    """x times half of 1 + erf(x / root of 2), operator by operator."""
    y = making.node("Div", f"{scope}/Div", x, _scalar(making, float(np.sqrt(2))))
    y = making.node("Erf", f"{scope}/Erf", y)
    y = making.node("Add", f"{scope}/Add", y, _scalar(making, 1.0))
    y = making.node("Mul", f"{scope}/Mul", x, y)
    return making.node("Mul", f"{scope}/Mul_1", y, _scalar(making, 0.5))


def _mean(making: GraphInMaking, ids: str, x: str) -> str:
    """The mean over all bytes that are text."""
    padding = "attention_mask.padding"
    text = making.node("Greater", "pooler/Greater", ids, padding)
    text = making.node("Cast", "pooler/Cast", text, to=onnx.TensorProto.FLOAT)
    last = making.weight("pooler.last", np.array([-1], np.int64))
    column = making.node("Unsqueeze", "pooler/Unsqueeze", text, last)
    kept = making.node("Mul", "pooler/Mul", x, column)
    along = making.weight("pooler.sequence", np.array([1], np.int64))
    total = making.node("ReduceSum", "pooler/ReduceSum", kept, along, keepdims=0)
    count = making.node("ReduceSum", "pooler/count", text, along, keepdims=1)
    return making.node("Div", "pooler/Div", total, count)


def _scalar(making: GraphInMaking, number: float) -> str:
    """A number as a weight; equal ones are stored once."""
    name = f"scalar_{number:g}"
    if all(weight.name != name for weight in making.weights):
        making.weight(name, np.array(number, np.float32))
    return name


def _drawn(random: np.random.Generator, spread: float, *shape: int) -> Array:
    return random.normal(0, spread, shape).astype("f4")
