"""The graph: time to lay out, and processor time of the window's thread for each frame.

Run: python -m benchmarks.graph [LAYERS ...]      (by default 1,000, 10,000 and 100,000)
Limits: 10,000 layers in 0.15 s and 100,000 in 1 s for reading the structure and the first
drawing; 8 ms for a frame of 1,400 x 900 at every zoom. Prints median (95th percentile).
"""

import os
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np

from inspector.analysis import layout
from inspector.model import Layer, Model, Opset, TensorInfo, WeightInfo

SIZES = (1_000, 10_000, 100_000)
ZOOMS = (1.5, 1.0, 0.6, 0.4, 0.3, 0.15, 0.08, 0.03, 0.005)
FRAMES = 40
BLOCK = (
    ("norm1", "LayerNormalization", ("{x}",), ("scale", "bias")),
    ("attn/q", "MatMul", ("norm1",), ("weight",)),
    ("attn/k", "MatMul", ("norm1",), ("weight",)),
    ("attn/v", "MatMul", ("norm1",), ("weight",)),
    ("attn/kt", "Transpose", ("attn/k",), ()),
    ("attn/scores", "MatMul", ("attn/q", "attn/kt"), ()),
    ("attn/mask", "Add", ("attn/scores", "{mask}"), ()),
    ("attn/softmax", "Softmax", ("attn/mask",), ()),
    ("attn/context", "MatMul", ("attn/softmax", "attn/v"), ()),
    ("attn/proj", "MatMul", ("attn/context",), ("weight",)),
    ("add1", "Add", ("attn/proj", "{x}"), ()),
    ("norm2", "LayerNormalization", ("add1",), ("scale", "bias")),
    ("mlp/up", "MatMul", ("norm2",), ("weight",)),
    ("mlp/gelu", "Gelu", ("mlp/up",), ()),
    ("mlp/down", "MatMul", ("mlp/gelu",), ("weight",)),
    ("add2", "Add", ("mlp/down", "add1"), ()),
)


def example(count: int, scopes: bool = True) -> Model:
    """A transformer of about so many layers, with scopes in its names or without."""
    layers, weights, x = [], [], "tokens"
    for block in range(max(1, count // len(BLOCK))):
        scope = f"/encoder/layers.{block}/"
        for name, operator, takes, carried in BLOCK:
            tensors = tuple(
                {"{x}": x, "{mask}": "mask"}.get(t, f"{scope}{t}_out") for t in takes
            )
            names = tuple(f"{scope}{name}.{part}" for part in carried)
            weights += [WeightInfo(n, "float32", (256, 256), 1 << 18, None) for n in names]
            own = scope + name if scopes else ""
            out = scope + name + "_out"
            outputs = (out if scopes else out.replace("/", "_"),)
            if not scopes:
                tensors = tuple(t.replace("/", "_") for t in tensors)
            layers.append(Layer(len(layers), own, operator, "", tensors + names, outputs))
        x = layers[-1].outputs[0] if scopes else scope + "add2_out"
    last = layers[-1].outputs[0]
    tokens = TensorInfo("tokens", "tensor", "float32", (1, 128, 256))
    mask = TensorInfo("mask", "tensor", "float32", (1, 1, 128, 128))
    return Model(
        "transformer.onnx", "onnx", 1 << 20, 8, (Opset("", 17),), "Inspector", "", "", 0, "",
        "transformer", (), (tokens, mask), (TensorInfo(last, "tensor", "float32", None),),
        tuple(layers), tuple(weights),
    )  # fmt: skip
