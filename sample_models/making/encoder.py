"""The layers of a BERT encoder as exporters write them."""

from collections.abc import Mapping

import numpy as np
import onnx
from numpy.typing import NDArray

from sample_models.making.graph import GraphInMaking, value

HIDDEN, HEADS, INNER, BLOCKS, LONGEST = 48, 4, 192, 2, 256
EPSILON = 1e-12  # of a layer normalization, as in BERT
PADDING, HIDDEN_SCORE = 0, -10_000.0  # a byte of 0 is no text; its score is as good as none
Array = NDArray[np.float32]
Weights = Mapping[str, Array]


def start(labels: list[str], seed: int) -> dict[str, Array]:
    """Return the weights before training, by name."""
    random = np.random.default_rng(seed)

    def drawn(spread: float, *shape: int) -> Array:
        return random.normal(0, spread, shape).astype("f4")

    weights = {
        "embeddings.byte_embeddings.weight": drawn(1, 256, HIDDEN),
        "embeddings.position_embeddings.weight": _waves(),
        "classifier.weight": drawn(HIDDEN**-0.5, HIDDEN, len(labels)),
        "classifier.bias": np.zeros(len(labels), np.float32),
    }
    norms = ["embeddings.LayerNorm"]
    for block in range(BLOCKS):
        scope = f"encoder.layer.{block}"
        norms += [f"{scope}.attention.output.LayerNorm", f"{scope}.output.LayerNorm"]
        for name, into, out in (
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", HIDDEN, INNER),
            ("output.dense", INNER, HIDDEN),
        ):
            weights[f"{scope}.{name}.weight"] = drawn(into**-0.5, into, out)
            weights[f"{scope}.{name}.bias"] = np.zeros(out, np.float32)
    for name in norms:
        weights[f"{name}.weight"] = np.ones(HIDDEN, np.float32)
        weights[f"{name}.bias"] = np.zeros(HIDDEN, np.float32)
    return weights


def _waves() -> Array:
    """Return sines and cosines of positions, by which attention finds neighboring bytes."""
    place = np.arange(LONGEST + 1)[:, None]
    angles = place * np.exp(np.linspace(0, -np.log(100), HIDDEN // 2))
    return np.concatenate([np.sin(angles), np.cos(angles)], 1).astype("f4")


def graph(weights: Weights, labels: list[str]) -> onnx.GraphProto:
    """Return the graph from bytes to probabilities."""
    making = _Encoder("languages", weights)
    ids = making.node("Cast", "embeddings/ids", "text", to=onnx.TensorProto.INT64)
    mask = _mask(making, ids)
    x = _embeddings(making, ids)
    for block in range(BLOCKS):
        x = _block(making, f"encoder/layer.{block}", x, mask)
    x = making.dense("classifier", _mean(making, ids, x))
    making.result(making.node("Softmax", "classifier/Softmax", x, axis=-1), "probabilities")
    doc = f"Bytes of a text in UTF-8, at most {LONGEST}; behind its end zeros"
    return making.proto(
        [value("text", "uint8", ["batch", "sequence"], doc)],
        [value("probabilities", "float32", ["batch", len(labels)], ", ".join(labels))],
    )


class _Encoder(GraphInMaking):
    """A graph whose layers take their weights by the names of their scopes."""

    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__(name)
        self._trained = weights

    def trained(self, name: str) -> str:
        return self.weight(name, self._trained[name])

    def dense(self, scope: str, x: str) -> str:
        name = scope.replace("/", ".")
        weight = self.trained(f"{name}.weight")
        x = self.node("MatMul", f"{scope}/MatMul", x, weight)
        bias = self.trained(f"{name}.bias")
        return self.node("Add", f"{scope}/Add", bias, x)

    def normal(self, scope: str, x: str) -> str:
        name = scope.replace("/", ".")
        scale, bias = self.trained(f"{name}.weight"), self.trained(f"{name}.bias")
        operator = "LayerNormalization"
        return self.node(
            operator, f"{scope}/{operator}", x, scale, bias, axis=-1, epsilon=EPSILON
        )


def _mask(making: _Encoder, ids: str) -> str:
    """What is added to the scores: nothing for text, HIDDEN_SCORE for padding."""
    padding = making.weight("attention_mask.padding", np.array(PADDING, np.int64))
    empty = making.node("Equal", "attention_mask/Equal", ids, padding)
    axes = making.weight("attention_mask.axes", np.array([1, 2], np.int64))
    wide = making.node("Unsqueeze", "attention_mask/Unsqueeze", empty, axes)
    number = making.node("Cast", "attention_mask/Cast", wide, to=onnx.TensorProto.FLOAT)
    return making.node("Mul", "attention_mask/Mul", number, _scalar(making, HIDDEN_SCORE))


def _embeddings(making: _Encoder, ids: str) -> str:
    """Rows for bytes and rows for places; places are counted as RoBERTa does."""
    scope = "embeddings"
    bytes_ = making.trained(f"{scope}.byte_embeddings.weight")
    positions = making.trained(f"{scope}.position_embeddings.weight")
    x = making.node("Gather", f"{scope}/byte_embeddings/Gather", bytes_, ids)
    text = making.node("Greater", f"{scope}/Greater", ids, "attention_mask.padding")
    ones = making.node("Cast", f"{scope}/Cast", text, to=onnx.TensorProto.INT64)
    axis = making.weight(f"{scope}.axis", np.array(1, np.int64))
    counted = making.node("CumSum", f"{scope}/CumSum", ones, axis)
    place = making.node("Mul", f"{scope}/Mul", counted, ones)
    position = making.node("Gather", f"{scope}/position_embeddings/Gather", positions, place)
    x = making.node("Add", f"{scope}/Add", x, position)
    return making.normal(f"{scope}/LayerNorm", x)


def _block(making: _Encoder, scope: str, x: str, mask: str) -> str:
    y = _attention(making, f"{scope}/attention/self", x, mask)
    y = making.dense(f"{scope}/attention/output/dense", y)
    y = making.node("Add", f"{scope}/attention/output/Add", y, x)
    x = making.normal(f"{scope}/attention/output/LayerNorm", y)
    y = making.dense(f"{scope}/intermediate/dense", x)
    y = _gelu(making, f"{scope}/intermediate/intermediate_act_fn", y)
    y = making.dense(f"{scope}/output/dense", y)
    y = making.node("Add", f"{scope}/output/Add", y, x)
    return making.normal(f"{scope}/output/LayerNorm", y)


def _attention(making: _Encoder, scope: str, x: str, mask: str) -> str:
    """Softmax of queries times keys, times the values; each head by itself."""
    parts = {}
    apart = making.weight(f"{scope}.heads", np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64))
    for name, order in (
        ("query", (0, 2, 1, 3)),
        ("key", (0, 2, 3, 1)),
        ("value", (0, 2, 1, 3)),
    ):
        y = making.dense(f"{scope}/{name}", x)
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


def _gelu(making: _Encoder, scope: str, x: str) -> str:
    """x times half of 1 + erf(x / root of 2), operator by operator."""
    y = making.node("Div", f"{scope}/Div", x, _scalar(making, float(np.sqrt(2))))
    y = making.node("Erf", f"{scope}/Erf", y)
    y = making.node("Add", f"{scope}/Add", y, _scalar(making, 1.0))
    y = making.node("Mul", f"{scope}/Mul", x, y)
    return making.node("Mul", f"{scope}/Mul_1", y, _scalar(making, 0.5))


def _mean(making: _Encoder, ids: str, x: str) -> str:
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


def _scalar(making: _Encoder, number: float) -> str:
    """A number as a weight; equal ones are stored once."""
    name = f"scalar_{number:g}"
    if all(weight.name != name for weight in making.weights):
        making.weight(name, np.array(number, np.float32))
    return name
