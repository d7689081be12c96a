"""Quantization of a model: schemes, packed weights, conversions at its boundary."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from inspector.analysis.facts import tflite_quantization
from inspector.analysis.facts.layer_cost import stored_bytes
from inspector.model.model import ITEM_BITS, TFLITE, Layer, Model, WeightInfo, packed_bytes
from inspector.model.operator_traits import TFLITE_VIEWS, VIEWS
from inspector.model.tensors.expansion import Expansion, expansions
from inspector.wording.values import Sentence

_OPERATORS = {
    "ConvInteger", "MatMulInteger", "QGemm", "QAttention", "QEmbedLayerNormalization",
    "QMoE", "MatMulInteger16",
}  # fmt: skip
_DYNAMIC = {"DynamicQuantizeLinear", "DynamicQuantizeMatMul", "DynamicQuantizeLSTM"}
_PRODUCTS = {"MatMulNBits", "MatMulBnb4", "MatMulFpQ4"}
_EMBEDDING = "GatherBlockQuantized"
_BLOCKS = _PRODUCTS | {_EMBEDDING}
_INTEGER = {"QLinearConv", "QLinearMatMul", "QGemm"}  # weights are the fourth input
_DIRECT = {"ConvInteger", "MatMulInteger", "DynamicQuantizeMatMul"}
_DEQUANTIZE = "DequantizeLinear"
_QUANTIZE = "QuantizeLinear"
_TAKES_PACKED = {_DEQUANTIZE, "Gather", _EMBEDDING} | _PRODUCTS | _INTEGER | _DIRECT
_CONVERT = {"Cast", "CastLike", _QUANTIZE, _DEQUANTIZE, "CAST", "QUANTIZE", "DEQUANTIZE"}
_VIEWS = VIEWS | TFLITE_VIEWS
_USUAL_ACTIVATION = "uint8"  # of QuantizeLinear without a zero point
_TABLE_ENTRIES = 1 << 16
_OFFSETS = {"Cast", "Add", "Reshape"}  # between stored indices and a lookup table
_MOST_STEPS = 8
SCHEMES = ("QDQ", "QOperator", "integer", "dynamic", "weight-only")


class Compression(Struct, frozen=True):
    """Weights that are stored in a smaller form than the one layers work in.

    kind: "linear" (a scale), "lookup table" or "sparse". granularity: "per tensor",
    "per channel", "per block", or empty. bits: of one stored element.
    expanded_bytes: what the same weights take in the form that layers work in.
    """

    kind: str
    granularity: str
    bits: int
    tensors: int
    stored_bytes: int
    expanded_bytes: int


class Edge(Struct, frozen=True):
    """An input or an output that is converted at once: 'float16 inside, float32 outside'."""

    name: str
    outside: str
    inside: str
    operator: str
    output: bool


class Quantization(Struct, frozen=True):
    """Number formats that are not simply those of the weights.

    schemes: (one of `SCHEMES`, layers); empty for a model that is not quantized.
    """

    schemes: tuple[tuple[str, int], ...]
    compressions: tuple[Compression, ...]
    edges: tuple[Edge, ...]


def quantization(model: Model) -> Quantization:
    """Find quantisation, compression and conversions at the edges, by layers and types."""
    return Quantization(schemes(model), _compressions(model), _edges(model))


def schemes(model: Model) -> tuple[tuple[str, int], ...]:
    """Return how a model is quantized, as (scheme, layers); empty where it is not."""
    if model.format == TFLITE:
        return tflite_quantization.schemes(model)
    numbers = Counter(layer.operator for layer in model.layers)
    weights = {weight.name for weight in model.weights}
    quantized = numbers[_QUANTIZE]
    static = numbers[_DEQUANTIZE] + quantized
    dynamic = sum(numbers[name] for name in _DYNAMIC)
    whole = sum(n for name, n in numbers.items() if name.startswith("QLinear"))
    whole += sum(numbers[name] for name in _OPERATORS) if not dynamic else 0
    layers = {
        "QDQ": static if quantized > 1 or (quantized and numbers[_DEQUANTIZE]) else 0,
        "QOperator": whole,
        "dynamic": dynamic,
        "weight-only": sum(numbers[name] for name in _BLOCKS),
    }
    if not layers["QDQ"] and not layers["QOperator"]:
        layers["weight-only"] += sum(
            layer.operator == _DEQUANTIZE and not weights.isdisjoint(layer.inputs[:1])
            for layer in model.layers
        )
    return tuple((name, number) for name, number in layers.items() if number)


def number_types(model: Model, weights: str) -> str:
    """Return the type of weights, with that of the activations where these take other bits.

    weights: the type that most of them have, such as "int8". "int8 weights, uint16 activations
    (w8a16)" for a model that computes with integers of two sizes.
    """
    activations = activation_type(model)
    bits = ITEM_BITS.get(weights, 0), ITEM_BITS.get(activations, 0)
    if not all(bits) or bits[0] == bits[1]:
        return weights
    short = f" (w{bits[0]}a{bits[1]})" if "float" not in weights + activations else ""
    return Sentence(
        "{weights} weights, {activations} activations{short}", weights, activations, short
    )


def activation_type(model: Model) -> str:
    """Return the type that most quantized values between layers have; "" if there are none."""
    if model.format == TFLITE:
        return tflite_quantization.activation_type(model)
    types = {value.name: value.dtype for value in model.values}
    types |= {weight.name: weight.dtype for weight in model.weights}
    counts: Counter[str] = Counter()
    for layer in model.layers:
        if layer.operator == _QUANTIZE and layer.outputs:
            zero = layer.inputs[2] if len(layer.inputs) > 2 else ""
            counts[types.get(layer.outputs[0]) or types.get(zero) or _USUAL_ACTIVATION] += 1
        elif layer.operator.startswith("QLinear") and layer.outputs:
            counts[types.get(layer.outputs[0], _USUAL_ACTIVATION)] += 1
    return counts.most_common(1)[0][0] if counts else ""


def adds_int8_products(model: Model) -> bool:
    """Return whether 8-bit activations are multiplied by weights of type int8.

    x86 processors without VNNI add two such products in 16 bits and cut off what does not fit,
    unless all weights lie between -64 and 63. Weights of type uint8 take exact instructions.
    """
    activations = any(name != "weight-only" for name, _ in schemes(model))
    weights = {weight.name: weight for weight in model.weights}
    packed = _packed(model, weights, {value.name: value.dtype for value in model.values})
    return activations and any(weight.dtype == "int8" for _, _, _, weight, *_ in packed)


def _compressions(model: Model) -> tuple[Compression, ...]:
    weights = {weight.name: weight for weight in model.weights}
    types = {value.name: value.dtype for value in model.values}
    groups: dict[tuple[str, str, int], list[tuple[int, int]]] = {}
    counted: set[str] = set()
    for kind, granularity, bits, weight, expanded, *_ in _packed(model, weights, types):
        if weight.name not in counted and expanded > stored_bytes(weight):
            counted.add(weight.name)
            sizes = groups.setdefault((kind, granularity, bits), [])
            sizes.append((stored_bytes(weight), expanded))
    return tuple(
        Compression(*key, len(sizes), sum(s for s, _ in sizes), sum(e for _, e in sizes))
        for key, sizes in sorted(groups.items(), key=lambda g: -sum(e for _, e in g[1]))
    )


class Packed(NamedTuple):
    """A weight in a smaller form; layer: the one that reads or expands it, if any does.

    parts: names of what else the weight consists of where several layers expand it.
    """

    kind: str
    granularity: str
    bits: int
    weight: WeightInfo
    expanded_bytes: int
    layer: Layer | None = None
    parts: tuple[str, ...] = ()


def packed_weights(model: Model) -> Iterator[Packed]:
    """Yield each weight that is stored in a smaller form than the one layers work in, once."""
    weights = {weight.name: weight for weight in model.weights}
    seen: set[str] = set()
    for each in _packed(model, weights, {value.name: value.dtype for value in model.values}):
        if each.weight.name not in seen and each.expanded_bytes > stored_bytes(each.weight):
            seen.add(each.weight.name)
            yield each


def _packed(
    model: Model, weights: Mapping[str, WeightInfo], types: Mapping[str, str]
) -> Iterator[Packed]:
    """Yield what stores a weight smaller, by file and by layer; a weight may come twice.

    types: the type of each value by its name, the one that a weight is expanded to.
    """
    for weight in model.weights:
        if weight.compression is not None:
            kind, granularity, bits, expanded = weight.compression
            yield Packed(kind, granularity, bits, weight, expanded)
        elif weight.origin == "sparse initializer":
            bits = ITEM_BITS.get(weight.dtype, 0)
            dense = packed_bytes(weight.dtype, weight.elements) or 0
            yield Packed("sparse", "", bits, weight, dense)
    for weight, value in tflite_quantization.packed(model):
        bits = ITEM_BITS.get(weight.dtype, 8)
        yield Packed("linear", value.granularity, bits, weight, _wide(weight, "float32"))
    for expansion in expansions(model).values():
        if expansion.scale and model.format == "onnx":
            yield _scaled(expansion, weights, types)
    makers = {name: layer for layer in model.layers for name in layer.outputs if name}
    for layer in model.layers:
        if layer.operator not in _TAKES_PACKED:
            continue
        weight_inputs = [weights.get(name) for name in layer.inputs]
        if layer.operator == "Gather" and len(weight_inputs) > 1:
            weight_inputs[1] = _indices(layer.inputs[1], makers, weights)
        first, second = (*weight_inputs, None, None)[:2]
        wide = types.get(layer.outputs[0], "float32") if layer.outputs else "float32"
        if layer.operator == _DEQUANTIZE and first is not None:
            yield _linear(layer, first, second, wide)
        elif layer.operator in _PRODUCTS and second is not None:
            yield _blocked(layer, second, wide)
        elif layer.operator == _EMBEDDING and first is not None:
            bits = ITEM_BITS.get(first.dtype, 8)
            yield Packed("linear", "per block", bits, first, _wide(first, wide), layer)
        elif (
            layer.operator in _INTEGER
            and len(weight_inputs) > 3
            and (third := weight_inputs[3]) is not None
        ):
            yield _linear(layer, third, (*weight_inputs, None)[4], "float32")
        elif layer.operator in _DIRECT and second is not None:
            yield _linear(layer, second, None, "float32")
        elif layer.operator == "Gather" and first is not None and second is not None:
            yield from _table(layer, first, second)


def _scaled(
    expansion: Expansion, weights: Mapping[str, WeightInfo], types: Mapping[str, str]
) -> Packed:
    """Codes that layers multiply by scales, one for each channel or block."""
    codes = expansion.codes
    others = tuple(name for name in expansion.parts if name != codes.name)
    scales = max(
        (weights[name] for name in others if "float" in weights[name].dtype),
        key=lambda each: each.elements,
    )
    long_axes = sum(length > 1 for length in scales.shape)
    granularity = "per block" if long_axes > 1 else "per channel"
    if scales.elements <= 1:
        granularity = "per tensor"
    wide = _wide(codes, types.get(expansion.value, "float32"))
    bits = ITEM_BITS.get(codes.dtype, 8)
    return Packed("linear", granularity, bits, codes, wide, expansion.layers[-1], others)


def _indices(
    name: str, makers: Mapping[str, Layer], weights: Mapping[str, WeightInfo]
) -> WeightInfo | None:
    """Return the largest weight that indices are computed from, past casts and offsets."""
    largest: WeightInfo | None = None
    waiting = [name]
    for _ in range(_MOST_STEPS):
        if not waiting:
            break
        name = waiting.pop()
        weight, maker = weights.get(name), makers.get(name)
        if weight is not None and (largest is None or weight.elements > largest.elements):
            largest = weight
        elif weight is None and (maker is None or maker.operator not in _OFFSETS):
            return None
        elif maker is not None:
            waiting += [other for other in maker.inputs if other]
    return largest if not waiting else None


def _table(layer: Layer, table: WeightInfo, places: WeightInfo) -> Iterator[Packed]:
    """A short table, and for each weight its place in there."""
    if table.elements <= _TABLE_ENTRIES and places.elements > table.elements > 1:
        bits = ITEM_BITS.get(places.dtype, 8)
        yield Packed("lookup table", "", bits, places, _wide(places, table.dtype), layer)


def _linear(layer: Layer, weight: WeightInfo, scale: WeightInfo | None, wide: str) -> Packed:
    bits = ITEM_BITS.get(weight.dtype, 8)
    wide_bytes = _wide(weight, wide)
    return Packed("linear", _granularity(layer, scale), bits, weight, wide_bytes, layer)


def _blocked(layer: Layer, weight: WeightInfo, wide: str) -> Packed:
    """com.microsoft's products with weights of few bits: K × N values in blocks."""
    attributes = {attribute.name: attribute.text for attribute in layer.attributes}
    rows, columns, bits = (_whole(attributes.get(n, "")) for n in ("K", "N", "bits"))
    expanded = packed_bytes(wide, rows * columns) or 4 * rows * columns
    return Packed("linear", "per block", bits or 4, weight, expanded, layer)


def _granularity(layer: Layer, scale: WeightInfo | None) -> str:
    if scale is None:
        return ""
    blocks = next((a.text for a in layer.attributes if a.name == "block_size"), "0")
    if blocks != "0" or len(scale.shape) > 1:
        return "per block"
    return "per tensor" if scale.elements <= 1 else "per channel"


def _wide(weight: WeightInfo, dtype: str) -> int:
    return packed_bytes(dtype, weight.elements) or 4 * weight.elements


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _edges(model: Model) -> tuple[Edge, ...]:
    takers: dict[str, list[Layer]] = {}
    maker: dict[str, Layer] = {}
    for layer in model.layers:
        for name in layer.inputs:
            takers.setdefault(name, []).append(layer)
        for name in layer.outputs:
            maker[name] = layer
    types = {v.name: v.dtype for v in (*model.values, *model.inputs, *model.outputs)}
    types |= {weight.name: weight.dtype for weight in model.weights}
    edges = []
    for value in model.inputs:
        conversion = _behind(value.name, takers)
        if conversion is not None:
            inside = (
                types.get(conversion.outputs[0], "unknown") if conversion.outputs else "unknown"
            )
            edges.append(Edge(value.name, value.dtype, inside, conversion.operator, False))
    for value in model.outputs:
        before = maker.get(value.name)
        while before is not None and before.operator in _VIEWS and before.inputs:
            before = maker.get(before.inputs[0])
        if before is not None and before.operator in _CONVERT and before.inputs:
            inside = types.get(before.inputs[0], "unknown")
            edges.append(Edge(value.name, value.dtype, inside, before.operator, True))
    return tuple(edge for edge in edges if edge.inside != edge.outside)


def _behind(name: str, takers: Mapping[str, list[Layer]]) -> Layer | None:
    """The conversion that is the only thing to take an input, views aside."""
    for _ in range(8):
        taking = takers.get(name, [])
        if len(taking) != 1 or not taking[0].outputs:
            return None
        if taking[0].operator in _CONVERT:
            return taking[0]
        if taking[0].operator not in _VIEWS:
            return None
        name = taking[0].outputs[0]
    return None
