"""Facts that follow from a model alone: operators, data types, requirements, sizes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from inspector import units
from inspector.analysis.facts.requirements import Requirements, counted, requirements
from inspector.analysis.language.tensor_classes import DominantWeight, dominant_weight
from inspector.model.model import (
    ITEM_BITS,
    Layer,
    Model,
    TensorInfo,
    WeightInfo,
    cached_by_model,
    packed_bytes,
)
from inspector.wording.values import Count, Name, Sentence, Size

_MOST_OPERATORS = 4  # of a library, that a finding names

UNKNOWN = "unknown"
_BOOL = "And Or Xor Not Equal Greater GreaterOrEqual Less LessOrEqual IsNaN IsInf"
_INT64 = "Shape Size NonZero ArgMax ArgMin SequenceLength"
_INT32 = "ConvInteger MatMulInteger"
_FLOAT = "RandomNormal RandomUniform HannWindow HammingWindow BlackmanWindow MelWeightMatrix"
# Output types of standard operators that are not simply the type of the first input.
_ALWAYS = (
    dict.fromkeys(_BOOL.split(), ("bool",))
    | dict.fromkeys(_INT64.split(), ("int64",))
    | dict.fromkeys(_INT32.split(), ("int32",))
    | dict.fromkeys(_FLOAT.split(), ("float32",))
    | {
        "DynamicQuantizeLinear": ("uint8", "float32", "uint8"),
        "TfIdfVectorizer": ("float32",),
        "StringNormalizer": ("string",),
        "ImageDecoder": ("uint8",),
        "RegexFullMatch": ("bool",),
    }
)
_BY_INPUT = {
    "QuantizeLinear": 2, "DequantizeLinear": 1, "QLinearConv": 7, "QLinearMatMul": 7,
    "Where": 1, "OneHot": 2, "CastLike": 1,
}  # fmt: skip
_SECOND = {"TopK": "int64", "MaxPool": "int64", "Dropout": "bool"}
_NOT_BY_INPUT = {
    "If", "Loop", "Scan", "Optional", "OptionalGetElement", "OptionalHasElement", "SequenceAt",
    "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceMap",
    "SplitToSequence", "ConcatFromSequence", "StringSplit", "Multinomial", "BitCast",
    "EmbedLayerNormalization", "MatMulIntegerToFloat", "QAttention", "QEmbedLayerNormalization",
}  # fmt: skip
_LIKE_STANDARD = {"", "com.microsoft", "com.microsoft.nchwc"}
_ODD = {*_ALWAYS, *_BY_INPUT, *_NOT_BY_INPUT, "Constant", "ConstantOfShape"}
_TYPE_ATTRIBUTES = "to", "dtype", "output_dtype", "output_datatype"
_TYPE_ATTRIBUTE_SET = frozenset(_TYPE_ATTRIBUTES)
_NAME = attrgetter("name")
_WORKS_ON_INPUT = {"Where": 1}  # the others work on their first input


class Precision(Struct, frozen=True):
    """Data types of a model.

    storage: (dtype, bytes in the files) of all weights and constants, largest first; the size
        of missing values follows from their type and shape.
    compute: (dtype, number of layers), most frequent first; "unknown" where it is neither
        declared nor follows from the inputs.
    layers: the dtype that each layer computes in, by `Layer.index`.
    """

    storage: tuple[tuple[str, int], ...]
    compute: tuple[tuple[str, int], ...]
    layers: tuple[str, ...]


def precision(model: Model) -> Precision:
    """Return the data types of stored weights and of layers."""
    layers = compute_types(model)
    return Precision(storage(model.distinct_weights), _ranked(Counter(layers)), layers)


def compute_types(model: Model) -> tuple[str, ...]:
    """Return the dtype in which each layer computes: that of its main input."""
    types = _declared(model)
    constants = {
        weight.layer: weight.dtype for weight in model.weights if weight.layer is not None
    }
    working = []
    for layer in model.layers:
        inputs, produced = layer.inputs, layer.outputs
        if (
            layer.operator not in _ODD
            and layer.domain in _LIKE_STANDARD
            and len(produced) == 1
            and inputs
            and inputs[0]
            and not (
                layer.attributes
                and _TYPE_ATTRIBUTE_SET.intersection(map(_NAME, layer.attributes))
            )
        ):  # nearly all layers: the output has the type of the first input
            first = types.get(inputs[0], UNKNOWN)
            if first != UNKNOWN:
                types.setdefault(produced[0], first)
            working.append(first)
            continue
        outputs = _output_types(layer, types, constants.get(layer.index, UNKNOWN))
        for name, dtype in zip(layer.outputs, outputs, strict=False):
            if dtype != UNKNOWN:
                types.setdefault(name, dtype)
        working.append(_working_type(layer, types))
    return tuple(working)


def storage(weights: Iterable[WeightInfo]) -> tuple[tuple[str, int], ...]:
    """Return (dtype, bytes in the files) of weights, largest first."""
    sizes: Counter[str] = Counter()
    for weight in weights:
        size = weight.size_bytes
        if size is None and weight.elements >= 0:
            size = packed_bytes(weight.dtype, weight.elements)
        sizes[weight.dtype] += size or 0
    return _ranked(sizes)


def types_of_unknown_size(weights: Iterable[WeightInfo]) -> tuple[str, ...]:
    """Return the types of weights that `storage` counts with no bytes, as nobody knows them."""
    return tuple(sorted({
        weight.dtype for weight in weights
        if weight.problem and weight.size_bytes is None and weight.dtype not in ITEM_BITS
    }))  # fmt: skip


def _ranked(numbers: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(numbers.items(), key=lambda entry: (-entry[1], entry[0])))


def _declared(model: Model) -> dict[str, str]:
    values = (*model.values, *model.defaults, *model.inputs, *model.outputs)
    types = {v.name: v.dtype for v in values if v.kind == "tensor" and v.dtype != UNKNOWN}
    weights = (weight for weight in model.weights if weight.origin != "constant")
    return types | {weight.name: weight.dtype for weight in weights}


def _output_types(layer: Layer, types: Mapping[str, str], constant: str) -> tuple[str, ...]:
    operator = layer.operator
    if layer.domain not in _LIKE_STANDARD or operator in _NOT_BY_INPUT:
        return ()
    if operator in ("Constant", "ConstantOfShape"):
        usual = "float32" if operator == "ConstantOfShape" else UNKNOWN
        return (_constant_type(layer, constant) or usual,)
    if layer.attributes and (chosen := _chosen_type(layer)):
        return (chosen,)
    if operator in _ALWAYS:
        return _ALWAYS[operator]
    place = _BY_INPUT.get(operator, 0)
    name = layer.inputs[place] if place < len(layer.inputs) else ""
    usual = "uint8" if operator == "QuantizeLinear" else UNKNOWN
    first = types.get(name, usual)
    if len(layer.outputs) == 1:
        return (first,)
    return first, _SECOND.get(operator, first), *[first] * len(layer.outputs)


def _constant_type(layer: Layer, constant: str) -> str:
    if constant != UNKNOWN:
        return constant
    names = {attribute.name for attribute in layer.attributes}
    for suffix, dtype in (("float", "float32"), ("int", "int64"), ("string", "string")):
        if names & {f"value_{suffix}", f"value_{suffix}s"}:
            return dtype
    return ""


def _chosen_type(layer: Layer) -> str:
    named = {attribute.name: attribute.text for attribute in layer.attributes}
    chosen = next((named[name] for name in _TYPE_ATTRIBUTES if name in named), UNKNOWN)
    return "" if chosen == UNKNOWN else chosen


def _working_type(layer: Layer, types: Mapping[str, str]) -> str:
    for name in layer.inputs[_WORKS_ON_INPUT.get(layer.operator, 0) :] + layer.outputs:
        if name:
            return types.get(name, UNKNOWN)
    return UNKNOWN


class Facts(Struct, frozen=True):
    """Facts that follow from a model alone.

    operators: (name, number of layers), most frequent first; a name outside of the default
        operator set carries its domain.
    constants: number of elements in Constant nodes and other attributes that
        `Model.parameters` does not count: shapes, axes, single numbers.
    weights_bytes: what all weights and constants take in the files, each place once. dominant:
        the weight that is most of them; None where they are many.
    """

    operators: tuple[tuple[str, int], ...]
    precision: Precision
    requirements: Requirements
    constants: int
    weights_bytes: int
    dominant: DominantWeight | None = None


@cached_by_model
def facts(model: Model) -> Facts:
    """Return the facts that `inspector info` and the Overview tab show of a model."""
    model_precision = precision(model)
    weights_bytes = sum(size for _, size in model_precision.storage)
    return Facts(
        operators=counted(model.layers),
        precision=model_precision,
        requirements=requirements(model),
        constants=model.constants,
        weights_bytes=weights_bytes,
        dominant=dominant_weight(model, model.whole_bytes),
    )


def findings(model: Model, facts: Facts) -> tuple[str, ...]:
    """Return one sentence for each thing that a reader or the analysis noticed."""
    return tuple(_findings(model, facts))


def _findings(model: Model, facts: Facts) -> Iterator[str]:
    for library in facts.requirements.libraries:
        named = ", ".join(units.clip(name, 60) for name in library.operators[:_MOST_OPERATORS])
        more = len(library.operators) - _MOST_OPERATORS
        yield Sentence(
            "Needs {source} to run: {names} from domain {domain}.",
            source=library.package or "a custom operator library",
            names=Sentence("{named} and {more} more", Name(named), Count(more))
            if more > 0
            else Name(named),
            domain=Name(units.clip(library.domain, 80)),
        )
    for note in facts.requirements.notes:
        yield units.clip(note)
    for finding in model.findings:
        text = f"{finding.subject}: {finding.text}" if finding.subject else finding.text
        yield units.clip(text)


def shared_weights(model: Model) -> str:
    """Return how many weights share bytes with another: '2 weights share 16 KiB'; or empty."""
    number, size_bytes = model.shared_weights
    return (
        Sentence("{number} weights share {size}", Count(number), Size(size_bytes))
        if number
        else ""
    )


def optional_inputs(model: Model) -> tuple[TensorInfo, ...]:
    """Return the inputs that have a default and are meant to be given now and then.

    Older files list every weight as an input, since their IR version demanded it.
    """
    stored = sum(
        weight.origin != "constant" and weight.layer is None for weight in model.weights
    )
    open_axes = any(
        not isinstance(axis, int) for value in model.defaults for axis in value.shape or ()
    )
    return model.defaults if open_axes or len(model.defaults) < stored else ()
