"""The graph: time to lay out, and processor time of the window's thread for each frame.

Run: python -m benchmarks.graph [LAYERS ...]      (by default 1,000, 10,000 and 100,000)
Limits: 10,000 layers in 0.15 s and 100,000 in 1 s for reading the structure and the first
drawing; 8 ms for a frame of 1,400 x 900 at every zoom. Prints median (95th percentile).
"""

import os
import sys
import time

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import Drawing
from inspector.model.model import Layer, Model, Opset, TensorInfo, WeightInfo
from inspector.pages.charts.palette import LIGHT
from inspector.ui.graph.coloring import ColorBy, ColorSources, coloring
from inspector.ui.graph.graph_loading import staged
from inspector.ui.graph.view import GraphView
from inspector.ui.selection import Selection
from inspector.ui.widgets.theme import Theme, load_fonts

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SIZES = (1_000, 10_000, 100_000)
ZOOMS = (1.5, 1.0, 0.6, 0.4, 0.3, 0.15, 0.08, 0.03, 0.005)
FRAMES = 40
LAYOUTS = 3  # one layout alone varies by a third on a busy machine: the least of three counts
WAYS = (("no scopes", False, False), ("scopes shut", True, False), ("scopes open", True, True))
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
    layers: list[Layer] = []
    weights: list[WeightInfo] = []
    x = "tokens"
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


def frames_ms(view: GraphView, zoom: float) -> NDArray[np.float64]:
    """Time of the thread for each of FRAMES frames that pan at a zoom: float64 (FRAMES,)."""
    camera, picture = view.camera, QPixmap(view.size())
    camera.look(QPointF(-200, camera.whole.height() / 3), zoom)
    times = np.zeros(FRAMES)
    for i in range(FRAMES):
        camera.pan(QPointF(1.7, 37.0 if i % 3 else -50.0))
        begin = time.thread_time()
        view.render(picture)
        times[i] = time.thread_time() - begin
    return times * 1e3


def laid_out(model: Model, everything: bool) -> tuple[Drawing, float, float]:
    """A drawing, and the seconds to read the structure and to place the boxes."""
    begin = time.thread_time()
    body = layout.body(model)
    middle = time.thread_time()
    opened = layout.all_opened(body) if everything else layout.first_opened(body)
    drawing = layout.draw(body, opened)
    return drawing, middle - begin, time.thread_time() - middle


def main(sizes: tuple[int, ...]) -> None:
    """Measure and print."""
    application = QApplication([])
    load_fonts()
    theme = Theme("light")
    theme.dress(application)
    print(f"{'layers':>8} {'':<13} {'boxes':>8} {'read':>7} {'place':>7}", end="")
    print("".join(f"{f'x{zoom:g}':>13}" for zoom in ZOOMS))
    print(f"{'limit':>8} {'at 100,000':<13} {'':>8} {'1.00s together':>15}", end="")
    print("".join(f"{'8.0':>13}" for _ in ZOOMS))
    for size in sizes:
        for words, scopes, everything in WAYS:
            model = example(size, scopes)
            drawing, read, place = laid_out(model, everything)
            for _ in range(LAYOUTS - 1):
                _, again, replaced = laid_out(model, everything)
                read, place = min(read, again), min(place, replaced)
            view = GraphView(theme, Selection())
            view.resize(1400, 900)
            colors = coloring(ColorBy.FAMILY, drawing.bodies[0], model, ColorSources(), LIGHT)
            view.show_scene(staged(drawing, model, None, colors))
            view.show()
            application.processEvents()
            cells = [np.quantile(frames_ms(view, zoom), (0.5, 0.95)) for zoom in ZOOMS]
            text = "".join(f"{f'{m:.1f} ({p:.1f})':>13}" for m, p in cells)
            print(f"{size:>8,} {words:<13} {len(drawing):>8,}", end="")
            print(f" {read:>6.2f}s {place:>6.2f}s{text}", flush=True)
            view.close()


if __name__ == "__main__":
    main(tuple(int(n) for n in sys.argv[1:]) or SIZES)
