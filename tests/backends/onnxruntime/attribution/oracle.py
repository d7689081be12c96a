"""Numbers decide: is a tensor of the optimised graph really the one it is taken for?

Both graphs are run with all their tensors as outputs. What is called equal must have the same
values up to their order (layout) and, for integers that stand for floats, scale and offset.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto, ValueInfoProto

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.sessions import session as session_module

Tensor = NDArray[np.generic]
LEVELS = {
    "none": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}


@dataclass(frozen=True)
class Verdict:
    """How many identified tensors agree in value, and which do not."""

    agree: int
    differ: tuple[tuple[str, str], ...]


def judge(
    model: ModelProto,
    optimised: ModelProto,
    tensors: Mapping[str, str],
    feeds: Mapping[str, Tensor],
    tolerance: float = 2e-3,
) -> Verdict:
    """Compare every identified pair; tensors: of the optimised graph -> of the model."""
    return compared(all_values(optimised, feeds), all_values(model, feeds), tensors, tolerance)


def compared(
    made: Mapping[str, Tensor],
    given: Mapping[str, Tensor],
    tensors: Mapping[str, str],
    tolerance: float,
) -> Verdict:
    """Compare pairs of values that both are there."""
    agree, differ = 0, []
    for ours, theirs in tensors.items():
        if ours in made and theirs in given:
            mine, other = made[ours], given[theirs]
            filled = _without_padding(mine, other)
            values = (mine, filled)
            if any(alike(v, other, tolerance) or quantized(v, other) for v in values):
                agree += 1
            else:
                differ.append((ours, theirs))
    return Verdict(agree, tuple(differ))


def all_values(model: ModelProto, feeds: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Run a model unchanged and return every tensor that a node of its main graph makes."""
    shown = ModelProto()
    shown.CopyFrom(model)
    shown.ir_version = max(4, model.ir_version)
    carried = {tensor.name for tensor in shown.graph.initializer}
    needed = {
        name
        for graph in layer_names.graphs(shown.graph)
        for n in graph.node
        for name in n.input
    }
    wanted = needed | feeds.keys()
    inputs = [v for v in shown.graph.input if v.name not in carried and v.name in wanted]
    del shown.graph.input[:]
    shown.graph.input.extend(inputs)
    present = {value.name for value in shown.graph.output}
    for node in shown.graph.node:
        for name in node.output:
            if name and name not in present:
                shown.graph.output.append(ValueInfoProto(name=name))
    session = onnxruntime.InferenceSession(
        shown.SerializeToString(), options("none"), providers=["CPUExecutionProvider"]
    )
    names = [node.name for node in session.get_outputs()]
    given = {node.name: feeds[node.name] for node in session.get_inputs()}
    return dict(zip(names, session.run(None, given), strict=True))


def options(level: str) -> onnxruntime.SessionOptions:
    """Options of a quiet session of one thread."""
    chosen = onnxruntime.SessionOptions()
    chosen.graph_optimization_level = LEVELS[level]
    chosen.intra_op_num_threads = 1
    chosen.log_severity_level = 4
    more = session_module.library()
    if more is not None:
        chosen.register_custom_ops_library(str(more))
    return chosen


def alike(ours: object, theirs: object, tolerance: float) -> bool:
    """Whether two tensors hold the same numbers, whatever their order, scale and offset."""
    first, second = np.asarray(ours), np.asarray(theirs)
    if first.dtype.kind not in "fiub" or second.dtype.kind not in "fiub":
        return True  # texts and sequences: nothing to measure
    if np.array_equal(first, second):
        return True
    a, b = (array.astype(np.float64).ravel() for array in (first, second))
    if a.size == 0 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return a.size == b.size
    scale = max(np.abs(a).sum(), np.abs(b).sum(), 1e-6)
    sums = abs(a.sum() - b.sum()) <= tolerance * scale
    sizes = abs(np.abs(a).sum() - np.abs(b).sum()) <= tolerance * scale
    squares = abs((a * a).sum() - (b * b).sum())
    limit = 5 * tolerance * max((a * a).sum(), (b * b).sum(), 1e-9)
    if sums and sizes and squares <= limit:
        return True
    return a.size == b.size and np.allclose(_shape_of(a), _shape_of(b), rtol=0.02, atol=0.02)


def quantized(ours: object, theirs: object) -> bool:
    """Whether numbers in few steps stand for others on a line, but for those cut off.

    The runtime may quantise a tensor earlier than the model does, by the scale of what follows.
    """
    whole, real = np.asarray(ours), np.asarray(theirs)
    if whole.dtype.kind not in "uif" or real.dtype.kind != "f" or whole.shape != real.shape:
        return False
    levels = np.unique(whole).astype(np.float64)
    if not 3 <= len(levels) <= 256 or not np.isfinite(real).all():
        return False
    inside = (whole > levels[0]) & (whole < levels[-1])
    steps = whole[inside].astype(np.float64) / np.diff(levels).min()
    numbers = real[inside].astype(np.float64)
    if steps.size < 4 or steps.std() == 0 or numbers.std() == 0:
        return False
    scale, offset = np.polyfit(numbers, steps, 1)
    return bool(scale > 0 and np.abs(numbers * scale + offset - steps).max() <= 1.5)


def _without_padding(ours: Tensor, theirs: Tensor) -> Tensor:
    """Take the channels that the runtime added to fill a block out of a blocked tensor.

    In it, channels lie in blocks of 8 or 16 behind height and width.
    """
    shapes = np.shape(ours), np.shape(theirs)
    if len(shapes[0]) != 4 or len(shapes[1]) != 4 or np.size(ours) <= np.size(theirs):
        return ours
    batch, channels, height, width = shapes[0]
    if channels % 8:
        return ours
    block = 16 if channels % 16 == 0 else 8
    parts = ours.reshape(batch, channels // block, height, width, block)
    return parts.transpose(0, 1, 4, 2, 3).reshape(shapes[0])[:, : shapes[1][1]]


def _shape_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Moments of the distribution without its mean and deviation: float64 (3,)."""
    spread = (values - values.mean()) / (values.std() + 1e-12)
    square = spread * spread  # a power takes ten times as long
    skew, tail = np.dot(square, spread), np.dot(square, square)
    return np.array([skew, tail, np.abs(spread).sum()]) / values.size
