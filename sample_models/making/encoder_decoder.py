"""Graphs of small encoder-decoders as exporters write them, from any weights.

An encoder of tokens or of a spectrogram; a decoder with attention to its own tokens and to what
the encoder said. The decoder comes in the forms that people have: one graph for the first call
and one for all others, both in one file, and one whose encoder computes the keys and values of
its output itself, as the builder of ONNX Runtime GenAI writes Whisper.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from sample_models.making.graph import GraphInMaking, value

IR_VERSION = 10
OPSET = 21
MASKED = -1e4  # added to scores of places that must not be seen
STRIDE = 2  # frames of a spectrogram for one place of the encoder

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class EncoderDecoderSize:
    """Sizes of an encoder-decoder; bins: of the spectrogram that its encoder takes, 0 for one
    that takes tokens."""

    hidden: int = 32
    layers: int = 2
    heads: int = 2
    vocabulary: int = 270
    bins: int = 0


def random_weights(size: EncoderDecoderSize, seed: int = 0) -> Weights:
    """Return weights to begin with."""
    random = np.random.default_rng(seed)

    def drawn(*shape: int) -> NDArray[np.float32]:
        scale = float(np.prod(shape[:-1])) ** -0.5
        return (random.standard_normal(shape) * scale).astype(np.float32)

    wide = size.hidden
    embedding = drawn(size.vocabulary, wide) * 12
    weights = {"embedding": embedding, "head": drawn(wide, size.vocabulary)}
    if size.bins:
        weights["conv"] = drawn(3 * size.bins, wide).T.reshape(wide, size.bins, 3) * 3
    names = ["encoder.q", "encoder.k", "encoder.v", "encoder.o"]
    for layer in range(size.layers):
        names += [f"{layer}.{part}.{each}" for part in ("self", "cross") for each in "qkvo"]
    return weights | {name: drawn(wide, wide) * 2 for name in names}


class _Graph(GraphInMaking):
    """A graph with attention out of MatMul and Softmax."""

    def __init__(self, size: EncoderDecoderSize, weights: Weights) -> None:
        super().__init__("main_graph")
        self.size, self.values = size, weights
        self.known: set[str] = set()

    def const(self, name: str, array: NDArray[np.generic]) -> str:
        if name not in self.known:
            self.known.add(name)
            self.weight(name, array)
        return name

    def linear(self, source: str, key: str) -> str:
        return self.node("MatMul", f"/{key}/MatMul", source, self.const(key, self.values[key]))

    def heads(self, source: str, key: str) -> str:
        """Project and split into heads: (batch, heads, places, width)."""
        size = self.size
        target = self.const("heads", np.array([0, 0, size.heads, size.hidden // size.heads]))
        parts = self.node("Reshape", f"/{key}/Reshape", self.linear(source, key), target)
        return self.node("Transpose", f"/{key}/Transpose", parts, perm=[0, 2, 1, 3])

    def attention(self, source: str, path: str, keys: str, values: str, bias: str = "") -> str:
        """Add attention of `source` to keys and values, and what it adds to."""
        size = self.size
        query = self.heads(source, f"{path}.q")
        turned = self.node("Transpose", f"/{path}/turned", keys, perm=[0, 1, 3, 2])
        scores = self.node("MatMul", f"/{path}/scores", query, turned)
        root = np.float32((size.hidden // size.heads) ** -0.5)
        scores = self.node("Mul", f"/{path}/scaled", scores, self.const("root", np.array(root)))
        if bias:
            scores = self.node("Add", f"/{path}/masked", scores, bias)
        shares = self.node("Softmax", f"/{path}/Softmax", scores, axis=-1)
        mixed = self.node("MatMul", f"/{path}/mixed", shares, values)
        mixed = self.node("Transpose", f"/{path}/back", mixed, perm=[0, 2, 1, 3])
        flat = self.const("flat", np.array([0, 0, size.hidden]))
        mixed = self.node("Reshape", f"/{path}/flat", mixed, flat)
        return self.node("Add", f"/{path}/Add", source, self.linear(mixed, f"{path}.o"))

    def mask(self, name: str) -> str:
        """Return what a mask (batch, places) of ones adds to scores."""
        seen = self.node("Cast", f"/{name}/Cast", name, to=TensorProto.BOOL)
        low = self.const("low", np.array(MASKED, np.float32))
        none = self.const("none", np.array(0, np.float32))
        bias = self.node("Where", f"/{name}/Where", seen, none, low)
        axes = self.const("axes_12", np.array([1, 2]))
        return self.node("Unsqueeze", f"/{name}/Unsqueeze", bias, axes)

    def causal(self, past: str) -> str:
        """Return what keeps each new token from seeing later ones. past: some keys, or ""."""
        zero, one = (self.const(f"number_{n}", np.array(n)) for n in (0, 1))
        shape = self.node("Shape", "/causal/ids", "input_ids")
        new = self.node("Gather", "/causal/new", shape, one)
        total, start = new, zero
        if past:
            before = self.node("Shape", "/causal/past", past)
            start = self.node("Gather", "/causal/start", before, self.const("two", np.array(2)))
            total = self.node("Add", "/causal/total", start, new)
        own = self.node("Range", "/causal/own", start, total, one)
        own = self.node("Unsqueeze", "/causal/column", own, one_axis(self))
        seen = self.node("Range", "/causal/all", zero, total, one)
        seen = self.node("LessOrEqual", "/causal/seen", seen, own)
        low = self.const("low", np.array(MASKED, np.float32))
        none = self.const("none", np.array(0, np.float32))
        return self.node("Where", "/causal/bias", seen, none, low)


def one_axis(graph: _Graph) -> str:
    """Return the constant that names the second axis."""
    return graph.const("axes_1", np.array([1]))


def encoder(
    size: EncoderDecoderSize, weights: Weights, with_cross: bool = False
) -> onnx.ModelProto:
    """Return the encoder. with_cross: it gives keys and values for the decoder's layers too."""
    graph = _Graph(size, weights)
    if size.bins:
        name = "audio_features" if with_cross else "input_features"
        inputs = [value(name, "float32", ["batch_size", size.bins, "frames"])]
        kernel = graph.const("conv", weights["conv"])
        hidden = graph.node(
            "Conv", "/conv/Conv", name, kernel, strides=[STRIDE], pads=[1, 1], kernel_shape=[3]
        )
        hidden = graph.node("Transpose", "/conv/Transpose", hidden, perm=[0, 2, 1])
        bias = ""
    else:
        inputs = [
            value(name, "int64", ["batch_size", "encoder_sequence_length"])
            for name in ("input_ids", "attention_mask")
        ]
        table = graph.const("embedding", weights["embedding"])
        hidden = graph.node("Gather", "/embedding/Gather", table, "input_ids")
        bias = graph.mask("attention_mask")
    keys, values = (graph.heads(hidden, f"encoder.{each}") for each in "kv")
    if not size.bins:  # of 1,500 places it would take longer than all the rest
        hidden = graph.attention(hidden, "encoder", keys, values, bias)
    hidden = graph.result(hidden, "hidden_states" if with_cross else "last_hidden_state")
    places = "places" if size.bins else "encoder_sequence_length"
    outputs = [value(hidden, "float32", ["batch_size", places, size.hidden])]
    if with_cross:
        for layer in range(size.layers):
            for name, each in (("key", "k"), ("value", "v")):
                made = graph.heads(hidden, f"{layer}.cross.{each}")
                outputs.append(
                    _heads(graph.result(made, f"present_{name}_cross_{layer}"), size, places)
                )
    return _model(graph.proto(inputs, outputs))


def decoder(
    size: EncoderDecoderSize, weights: Weights, past: bool, with_cross: bool = False
) -> onnx.ModelProto:
    """Return the decoder of the first call, or with `past` of those after it. with_cross: it
    takes the keys and values that its encoder computes, and the same graph begins."""
    graph = _Graph(size, weights)
    results = _decode(graph, past, with_cross)
    names = _cross_names if with_cross else _names
    inputs = [value("input_ids", "int64", ["batch_size", "decoder_sequence_length"])]
    outputs = [_logits(size)]
    if not with_cross and not size.bins:
        mask = ["batch_size", "encoder_sequence_length"]
        inputs.insert(0, value("encoder_attention_mask", "int64", mask))
    if not past:
        inputs.append(_hidden(size))
    for layer in range(size.layers):
        own, cross = names(layer)
        if past:
            inputs += [_heads(name, size, "past") for name, _ in own]
            inputs += [_heads(name, size, "encoder_length") for name, _ in cross]
    outputs += [_heads(name, size, "total") for name in results[1:]]
    return _model(graph.proto(inputs, outputs))


def merged(size: EncoderDecoderSize, weights: Weights) -> onnx.ModelProto:
    """Return one graph with both decoders, chosen by `use_cache_branch`."""
    outer = _Graph(size, weights)
    branches = {}
    results: list[str] = []
    for name, past in (("else_branch", False), ("then_branch", True)):
        branch = _Graph(size, weights)
        made = _decode(branch, past, False)
        results = results or made
        for result in results[len(made) :] if past else []:
            # What it was told once it need not tell again: empty.
            empty = np.zeros((0, size.heads, 1, size.hidden // size.heads), np.float32)
            branch.node_with(
                "Identity", f"/{result}/empty", (branch.const(f"{result}.empty", empty),),
                (result,),
            )  # fmt: skip
        for each in branch.weights:
            if each.name not in outer.known:
                outer.known.add(each.name)
                outer.weights.append(each)
        branch.weights = []
        outputs = [_logits(size), *(_heads(each, size, "any") for each in results[1:])]
        branches[name] = branch.proto([], outputs)
    outer.node_with("If", "optimum::if", ("use_cache_branch",), results, **branches)
    inputs = [value("input_ids", "int64", ["batch_size", "decoder_sequence_length"])]
    inputs.append(_hidden(size))
    if not size.bins:
        mask = ["batch_size", "encoder_sequence_length"]
        inputs.append(value("encoder_attention_mask", "int64", mask))
    for layer in range(size.layers):
        own, cross = _names(layer)
        inputs += [_heads(name, size, "past_decoder_sequence_length") for name, _ in own]
        inputs += [_heads(name, size, "encoder_sequence_length_out") for name, _ in cross]
    inputs.append(value("use_cache_branch", "bool", [1]))
    outputs = [_logits(size), *(_heads(each, size, "any") for each in results[1:])]
    return _model(outer.proto(inputs, outputs))


def _decode(graph: _Graph, past: bool, with_cross: bool) -> list[str]:
    """Add all layers; return the names of logits, own keys and values, and, of the first call,
    those of the encoder's output."""
    size = graph.size
    names = _cross_names if with_cross else _names
    table = graph.const("embedding", graph.values["embedding"])
    hidden = graph.node("Gather", "/embedding/Gather", table, "input_ids")
    causal = graph.causal(names(0)[0][0][0] if past else "")
    bias = "" if with_cross or size.bins else graph.mask("encoder_attention_mask")
    told: list[str] = []
    kept: list[str] = []
    for layer in range(size.layers):
        own, cross = names(layer)
        both = []
        for (before, after), each in zip(own, "kv", strict=True):
            new = graph.heads(hidden, f"{layer}.self.{each}")
            parts = (before, new) if past else (new,)
            operator, axis = ("Concat", {"axis": 2}) if past else ("Identity", {})
            both += graph.node_with(operator, f"/{after}", parts, (after,), **axis)
        told += both
        hidden = graph.attention(hidden, f"{layer}.self", *both, causal)
        far = [before for before, _ in cross]
        if not past:
            far = [
                graph.result(
                    graph.heads("encoder_hidden_states", f"{layer}.cross.{each}"), after
                )
                for (_, after), each in zip(cross, "kv", strict=True)
            ]
            kept += far
        hidden = graph.attention(hidden, f"{layer}.cross", *far, bias)
    logits = graph.result(graph.linear(hidden, "head"), "logits")
    return [logits, *told, *kept]


_Names = tuple[list[tuple[str, str]], list[tuple[str, str]]]


def _names(layer: int) -> _Names:
    """Return inputs and outputs of a layer's own keys and values, and of the encoder's."""
    return tuple(  # type: ignore[return-value]
        [
            (f"past_key_values.{layer}.{side}.{name}", f"present.{layer}.{side}.{name}")
            for name in ("key", "value")
        ]
        for side in ("decoder", "encoder")
    )


def _cross_names(layer: int) -> _Names:
    return tuple(  # type: ignore[return-value]
        [
            (f"past_{name}_{side}_{layer}", f"present_{name}_{side}_{layer}")
            for name in ("key", "value")
        ]
        for side in ("self", "cross")
    )


def _heads(name: str, size: EncoderDecoderSize, length: str) -> onnx.ValueInfoProto:
    shape = ["batch_size", size.heads, length, size.hidden // size.heads]
    return value(name, "float32", shape)


def _hidden(size: EncoderDecoderSize) -> onnx.ValueInfoProto:
    shape = ["batch_size", "encoder_sequence_length", size.hidden]
    return value("encoder_hidden_states", "float32", shape)


def _logits(size: EncoderDecoderSize) -> onnx.ValueInfoProto:
    shape = ["batch_size", "decoder_sequence_length", size.vocabulary]
    return value("logits", "float32", shape)


def _model(graph: onnx.GraphProto) -> onnx.ModelProto:
    opsets = [helper.make_opsetid("", OPSET)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
