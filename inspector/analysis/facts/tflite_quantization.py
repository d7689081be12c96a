"""How a TensorFlow Lite model is quantized, which the format says value by value."""

from collections import Counter
from collections.abc import Iterator

from inspector.model.model import Model, QuantizedValue, WeightInfo

_INTEGERS = {"int2", "int4", "uint4", "int8", "uint8", "int16"}
_WEIGHTED = {
    "CONV_2D", "DEPTHWISE_CONV_2D", "CONV_3D", "TRANSPOSE_CONV", "FULLY_CONNECTED",
    "BATCH_MATMUL", "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
    "RNN", "LSTM", "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN",
    "EMBEDDING_LOOKUP",
}  # fmt: skip


def schemes(model: Model) -> tuple[tuple[str, int], ...]:
    """Return how a model is quantized, as (scheme, layers); empty where it is not.

    "integer": a layer computes with integers. "dynamic": it takes floating-point numbers and
    quantized weights. "weight-only": weights are expanded before layers use them.
    """
    quantized = {value.value for value in model.quantized}
    types = {value.name: value.dtype for value in (*model.inputs, *model.values)}
    weights = {weight.name: weight.dtype for weight in model.weights}
    counts: Counter[str] = Counter()
    for layer in model.layers:
        first = layer.inputs[0] if layer.inputs else ""
        integer = types.get(first) in _INTEGERS and first in quantized
        if layer.operator == "DEQUANTIZE" and first in weights:
            counts["weight-only"] += 1
        elif integer and layer.operator not in ("DEQUANTIZE", "QUANTIZE"):
            counts["integer"] += 1
        elif not integer and layer.operator in _WEIGHTED:
            inputs = (name for name in layer.inputs[1:] if name in quantized)
            counts["dynamic"] += any(weights.get(name) in _INTEGERS for name in inputs)
    return tuple((name, counts[name]) for name in ("integer", "dynamic", "weight-only")
                 if counts[name])  # fmt: skip


def activation_type(model: Model) -> str:
    """Return the type that most values have which layers compute with as integers; "" if none
    does."""
    if not any(name == "integer" for name, _ in schemes(model)):
        return ""
    quantized = {value.value for value in model.quantized}
    counts = Counter(v.dtype for v in model.values if v.name in quantized)
    integers = [(dtype, n) for dtype, n in counts.most_common() if dtype in _INTEGERS]
    return integers[0][0] if integers else ""


def packed(model: Model) -> Iterator[tuple[WeightInfo, QuantizedValue]]:
    """Yield the weights that are stored as integers of 16 bits and less, with their scales."""
    by_value = {value.value: value for value in model.quantized}
    for weight in model.weights:
        quantized = by_value.get(weight.name)
        if quantized is not None and weight.dtype in _INTEGERS:
            yield weight, quantized
