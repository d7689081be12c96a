"""Scales of quantized outputs: what turns the integers that a model gives into real numbers.

TensorFlow Lite declares them for each value. In ONNX they are inputs of the layer that stores
the integers: QuantizeLinear, or an operator that computes in integers.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.formats.onnx import weight_values
from inspector.model.model import TFLITE, Layer, Model, WeightInfo
from inspector.model.operator_traits import VIEWS
from inspector.model.tensors.prediction import QUANTIZED_TYPES, Scale

# Inputs that hold scale and zero point of the output. Source: the operators' schemas in ONNX
# and in ONNX Runtime's docs/ContribOperators.md.
_PLACES = {
    "QuantizeLinear": (1, 2),
    "QLinearConv": (6, 7),
    "QLinearMatMul": (6, 7),
    "QLinearAdd": (6, 7),
    "QLinearMul": (6, 7),
    "QGemm": (7, 8),
    "QLinearSigmoid": (3, 4),
    "QLinearSoftmax": (3, 4),
    "QLinearLeakyRelu": (3, 4),
    "QLinearAveragePool": (3, 4),
    "QLinearGlobalAveragePool": (3, 4),
    "QLinearReduceMean": (3, 4),
    "QLinearConcat": (0, 1),
}
# Operators that move or choose integers and leave what each stands for.
_SAME_SCALE = VIEWS | {
    "Transpose", "Slice", "MaxPool", "DepthToSpace", "SpaceToDepth", "ReduceMax", "ReduceMin",
}  # fmt: skip
_MOST_STEPS = 16  # layers between an output and the one that stores its integers
_LIMIT_BYTES = 1 << 10  # of a scale: one number


def of_outputs(path: Path) -> dict[str, Scale]:
    """Return the scale of each quantized output of a model by its name; empty for others."""
    try:
        model = opening.open_model(path)
        return dict(_scales(path, model))
    except InspectorError:
        return {}  # what the runtime loads and Inspector cannot read is shown as it is


def _scales(path: Path, model: Model) -> Iterator[tuple[str, Scale]]:
    names = [info.name for info in model.outputs if info.dtype in QUANTIZED_TYPES]
    if model.format == TFLITE:
        for each in model.quantized:
            if each.value in names and each.scales == 1 and each.least_scale > 0:
                yield each.value, Scale(each.least_scale, each.least_zero_point)
        return
    makers = {name: layer for layer in model.layers for name in layer.outputs if name}
    weights = {weight.name: weight for weight in model.weights}
    for name in names:
        scale = _stored_scale(path, _storing_layer(name, makers), weights)
        if scale is not None:
            yield name, scale


def _storing_layer(name: str, makers: Mapping[str, Layer]) -> Layer | None:
    """Return the layer that stores the integers of an output."""
    for _ in range(_MOST_STEPS):
        layer = makers.get(name)
        if layer is None or layer.operator in _PLACES:
            return layer
        if layer.operator not in _SAME_SCALE or not layer.inputs:
            return None
        name = layer.inputs[0]
    return None


def _stored_scale(
    path: Path, layer: Layer | None, weights: Mapping[str, WeightInfo]
) -> Scale | None:
    """Return the scale of a layer's output, which is a weight among the layer's inputs.

    None where another layer computes it, or where each index of an axis has its own.
    """
    if layer is None:
        return None
    names = (*layer.inputs, "", "")
    scale_place, zero_place = _PLACES[layer.operator]
    scale = _number(path, weights.get(names[scale_place])) if scale_place < len(names) else None
    zero_name = names[zero_place] if zero_place < len(names) else ""
    zero = _number(path, weights.get(zero_name)) if zero_name else 0.0
    if scale is None or zero is None or not np.isfinite(scale) or scale <= 0:
        return None
    return Scale(scale, int(zero))


def _number(path: Path, weight: WeightInfo | None) -> float | None:
    if weight is None or weight.elements != 1:
        return None
    return float(weight_values.tensor(path, weight, _LIMIT_BYTES).ravel()[0])
