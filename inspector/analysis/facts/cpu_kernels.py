"""What a model needs of ONNX Runtime's CPU build beyond its opsets and operators.

A release may know an opset, but lack the kernel of an operator in it or of one element type; it
may know an operator, but lack an attribute, an input or the meaning of a value that came later.
The tables are what the releases themselves answer (tools/make_cpu_kernels.py).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from inspector.model.model import Function, Layer, Model
from inspector.wording.values import Sentence

OVERLOADS = "1.27"  # before, a call takes the first function of its name, whatever its overload
_UNKNOWN = "unknown"
# kinds of values of an attribute
_NOT_ZERO = "not 0"
_NEGATIVE = "negative"
_OUTPUT_TYPES = {"Cast": "to", "QuantizeLinear": "output_dtype"}  # attributes that choose them
# Values of attributes that came later than the attribute: (operator, attributes) -> values ->
# release, "" for none. Each was run in all releases from 1.4 on: tools/check_requirements.py.
_VALUES: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("com.microsoft.MatMulNBits", "bits"): {"2": "1.24", "8": "1.23"},
    ("com.microsoft.GatherBlockQuantized", "bits"): {"2": "1.27"},
    ("RotaryEmbedding", "rotary_embedding_dim"): {_NOT_ZERO: "1.24"},
    ("BatchNormalization", "training_mode"): {"1": "1.9"},
    ("DFT", "onesided inverse"): {"1 1": "1.27"},  # 1.25 and 1.26 compute something else
    ("Attention", "qk_matmul_output_mode"): {"1": "1.27"},
    ("Attention", "is_causal qk_matmul_output_mode"): {"1 2": "1.24"},
    ("CenterCropPad", "axes"): {_NEGATIVE: "1.15"},
    ("Resize", "coordinate_transformation_mode"): {"half_pixel_symmetric": "1.15"},
    ("GRU", "layout"): {"1": ""},
    ("LSTM", "layout"): {"1": ""},
    ("RNN", "layout"): {"1": ""},
}
_ONNX = ("", "ai.onnx.ml")


class LaterNeed(NamedTuple):
    """Something that came after the operator set that the model declares.

    subject: what it is. release: the first that has it; "" for none.
    """

    subject: str
    release: str


class _Tables(Struct, frozen=True):
    operators: Mapping[str, Mapping[str, Mapping[str, str | Mapping[str, str]]]]
    attributes: Mapping[str, Mapping[str, str]]
    outputs: Mapping[str, Sequence[int | str]]


def later_needs(
    model: Model,
    qualified: Callable[[str, str], str],
    since: Callable[[str, str, int], int | None],
) -> Iterator[LaterNeed]:
    """Yield what the layers of a model need, each once; of functions, without element types.

    qualified: names an operator with its domain. since: returns the version of an operator that
    is in force in an opset.
    """
    if _ambiguous(model.functions):
        yield LaterNeed("functions that differ only in their overload", OVERLOADS)
    types = {
        value.name: value.dtype
        for value in (*model.values, *model.outputs, *model.defaults, *model.inputs)
        if value.kind == "tensor"
    }
    types |= {weight.name: weight.dtype for weight in model.weights}
    _infer(model.layers, types, qualified)
    bodies: list[tuple[Iterable[Layer], Mapping[str, int], Mapping[str, str]]]
    bodies = [(model.layers, {o.domain: o.version for o in model.opsets}, types)]
    bodies += [(f.layers, {o.domain: o.version for o in f.opsets}, {}) for f in model.functions]
    defined = {(function.domain, function.name) for function in model.functions}
    needs: dict[LaterNeed, None] = {}
    for layers, versions, known in bodies:
        names: dict[tuple[str, str], tuple[str, int] | None] = {}
        for layer in layers:
            key = layer.domain, layer.operator
            if key not in names:
                version = (
                    since(*key, versions.get(layer.domain, 0)) if layer.domain in _ONNX else 1
                )
                plain = key in defined or version is None
                names[key] = None if plain else (qualified(*key), version or 1)
            name = names[key]
            if name is not None and _concerned(*name):
                needs |= dict.fromkeys(_of_layer(layer, *name, known))
    yield from needs


@cache
def _tables() -> _Tables:
    table = json.loads(Path(__file__).with_name("cpu_kernels.json").read_bytes())
    return _Tables(table["operators"], table["attributes"], table["outputs"])


@cache
def _concerned(name: str, version: int) -> bool:
    """Return whether there may be a need: most operators of most models have none."""
    tables = _tables()
    return (
        str(version) in tables.operators.get(name, {})
        or f"{name} {version}" in tables.attributes
        or any(operator == name for operator, _ in _VALUES)
    )


def _infer(
    layers: Iterable[Layer], types: dict[str, str], qualified: Callable[[str, str], str]
) -> None:
    """Add the element types of outputs that follow from those of inputs, as far as they do.

    Many files declare only the types of inputs and outputs of the whole model. layers: in the
    order of the file, in which each comes after those that it reads.
    """
    rules = _tables().outputs
    found: dict[tuple[str, str], Sequence[int | str]] = {}
    for layer in layers:
        if layer.domain not in _ONNX or all(name in types for name in layer.outputs):
            continue
        key, chooses = (layer.domain, layer.operator), layer.operator in _OUTPUT_TYPES
        if key not in found:
            found[key] = rules.get(qualified(*key), ("",) if chooses else ())
        kinds = found[key]
        for place, name in enumerate(layer.outputs if kinds else ()):
            kind = kinds[min(place, len(kinds) - 1)]  # the last one may be variadic
            if isinstance(kind, int):
                read = "".join(layer.inputs[kind : kind + 1])
                kind = types.get(read, _UNKNOWN)
            if chooses:
                chosen = _type(layer, -1 - place, {})
                kind = kind if chosen == _UNKNOWN else chosen
            if name and kind not in ("", _UNKNOWN):
                types.setdefault(name, kind)


def _ambiguous(functions: Iterable[Function]) -> bool:
    names = [(function.domain, function.name) for function in functions]
    return len(names) > len({*names})


def _of_layer(
    layer: Layer, name: str, version: int, types: Mapping[str, str]
) -> Iterator[LaterNeed]:
    tables = _tables()
    shown = f"{name} (opset {version})" if layer.domain in _ONNX else name
    for place, release in tables.operators.get(name, {}).get(str(version), {}).items():
        if isinstance(release, str):
            yield LaterNeed(Sentence("a CPU kernel for {shown}", shown), release)
            continue
        kind = " ".join(_type(layer, int(each), types) for each in place.split())
        if kind in release:
            named = kind.replace(" ", " with ")
            yield LaterNeed(
                Sentence("a CPU kernel for {shown} of {kind}", shown, named), release[kind]
            )
    later = tables.attributes.get(f"{name} {version}", {})
    for attribute in layer.attributes if later else ():
        if attribute.name in later:
            yield LaterNeed(
                Sentence("attribute {name} of {name2}", attribute.name, name),
                later[attribute.name],
            )
    inputs = max((place for place, value in enumerate(layer.inputs, 1) if value), default=0)
    if str(inputs) in later:
        yield LaterNeed(Sentence("input {inputs} of {name}", inputs, name), later[str(inputs)])
    values = {attribute.name: attribute.text for attribute in layer.attributes}
    for (operator, attributes), releases in _VALUES.items():
        if operator == name:
            value = " ".join(values.get(each, "") for each in attributes.split())
            kind = _NOT_ZERO if value not in ("", "0") and _NOT_ZERO in releases else value
            kind = _NEGATIVE if "-" in value and _NEGATIVE in releases else kind
            if kind in releases:
                yield LaterNeed(f"{attributes} = {value} of {name}", releases[kind])


def _type(layer: Layer, place: int, types: Mapping[str, str]) -> str:
    """Return the element type of an input (from 0 on) or output (from -1 on down).

    Of an input that is left out, such as a zero point, the output has the type.
    """
    left_out = place >= 0 and not any(layer.inputs[place : place + 1])
    attribute = _OUTPUT_TYPES.get(layer.operator) if place < 0 or left_out else None
    chosen = next((a.text for a in layer.attributes if a.name == attribute), "")
    if chosen:
        return chosen
    names, index = (layer.inputs, place) if place >= 0 else (layer.outputs, -1 - place)
    if left_out:
        names, index = layer.outputs if attribute else (), 0
    return types.get(names[index], _UNKNOWN) if index < len(names) else _UNKNOWN
