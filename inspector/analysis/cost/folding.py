"""Values that take no memory or time of their own: computed at loading, integers, sums."""

from collections.abc import Container, Iterable, Mapping, Sequence

from inspector.model.model import Layer, TensorInfo
from inspector.model.operator_traits import RANDOM

# Operators that run on 8-bit integers between DequantizeLinear and QuantizeLinear.
INT8 = frozenset({
    "Conv", "MatMul", "Gemm", "Add", "Mul", "AveragePool", "GlobalAveragePool", "Concat",
    "Sigmoid", "LeakyRelu", "Softmax", "MaxPool", "Reshape", "Transpose", "Squeeze", "Relu",
    "Unsqueeze", "Flatten", "Clip", "Resize", "Split", "Gather", "Where", "ArgMax",
})  # fmt: skip
_ACTIVATIONS = frozenset({"Relu", "Clip"})
_CONVOLUTIONS = frozenset({"Conv", "FusedConv"})


def folded(
    layers: Iterable[Layer], weights: Iterable[str], fixed_shapes: Container[str] = ()
) -> set[str]:
    """Return the values that follow from weights alone, which are computed when a model is
    loaded. fixed_shapes: values whose shape is known then, and so what Shape makes of it."""
    layers = tuple(layers)
    parents = {layer.parent for layer in layers}
    fixed = set(weights)
    made = set[str]()
    for layer in layers:
        if layer.index in parents or layer.operator in RANDOM:
            continue
        known = layer.operator == "Constant" or any(layer.inputs)
        known &= layer.parent is None
        given = fixed_shapes if layer.operator in ("Shape", "Size") else fixed
        if known and all(not name or name in fixed or name in given for name in layer.inputs):
            names = {name for name in layer.outputs if name}
            fixed |= names
            made |= names
    return made


def in_int8(layers: Sequence[Layer], types: Mapping[str, TensorInfo]) -> set[str]:
    """Return the values that never exist as floats, since their layers run on 8-bit integers:
    those behind DequantizeLinear and before QuantizeLinear."""
    readers: dict[str, list[Layer]] = {}
    maker: dict[str, Layer] = {}
    for layer in layers:
        for name in layer.inputs:
            readers.setdefault(name, []).append(layer)
        maker.update(dict.fromkeys(layer.outputs, layer))

    def following(layer: Layer) -> list[Layer]:
        return [each for name in layer.outputs for each in readers.get(name, ())]

    def ends_in_int8(layer: Layer) -> bool:
        after = following(layer)
        if len(after) == 1 and after[0].operator in _ACTIVATIONS:
            after = following(after[0])
        return bool(after) and all(each.operator == "QuantizeLinear" for each in after)

    def is_int8(layer: Layer) -> bool:
        source = maker.get(layer.inputs[0]) if layer.inputs else None
        if source is None or layer.operator not in INT8 or not ends_in_int8(layer):
            return False
        starts = source.operator == "DequantizeLinear"
        return starts or (layer.operator in _ACTIVATIONS and is_int8(source))

    absorbed = set[str]()
    for layer in layers:
        if layer.operator == "DequantizeLinear" and layer.inputs:
            stored = types.get(layer.inputs[0])
            if stored is not None and stored.dtype not in ("int8", "uint8"):
                continue
            after = following(layer)
            if after and all(map(is_int8, after)):
                absorbed.update(layer.outputs)
        elif is_int8(layer):
            absorbed.update(layer.outputs)
    return absorbed


def added_in_place(layers: Sequence[Layer]) -> set[str]:
    """Return the outputs of convolutions that an Add reads at once: fused with it, they are
    summed up in the memory of the other value."""
    readers: dict[str, int] = {}
    maker: dict[str, Layer] = {}
    for layer in layers:
        for name in layer.inputs:
            readers[name] = readers.get(name, 0) + 1
        maker.update(dict.fromkeys(layer.outputs, layer))

    def of_convolution(name: str) -> list[str]:
        layer = maker.get(name)
        if layer is None or readers.get(name, 0) != 1:
            return []
        if layer.operator == "BatchNormalization" and layer.inputs:
            before = of_convolution(layer.inputs[0])
            return [*before, name] if before else []
        return [name] if layer.operator in _CONVOLUTIONS else []

    absorbed = set[str]()
    for layer in layers:
        if layer.operator in ("Add", "Sum") and len(layer.inputs) == 2:
            parts = [of_convolution(name) for name in layer.inputs]
            if all(name in maker for name in layer.inputs):
                absorbed.update(parts[0] if len(parts[0]) >= len(parts[1]) else parts[1])
    return absorbed
