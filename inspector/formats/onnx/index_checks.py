"""Constant indices outside the axis that they index: the model fails on every input.

Sources: the operators Gather, GatherElements, GatherND, ScatterElements and ScatterND of ONNX,
whose indices lie in -n to n - 1 for an axis of n elements.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from inspector.formats.protobuf_wire import Malformed, varint
from inspector.model.model import Axis, Finding, Layer, Model, WeightInfo
from inspector.model.operator_traits import INDEXED

_MOST_ELEMENTS = 4096  # of a constant that is read to check it; larger ones are lookup tables
_MOST_FINDINGS = 3
_LETTERS = {"int32": "i", "int64": "q"}  # of `struct`
_WRAP = 1 << 64  # negative numbers are stored as their 64-bit two's complement
_ALONG_ONE_AXIS = frozenset({"Gather", "GatherElements", "ScatterElements"})
Numbers = tuple[int, ...]
Read = Callable[[int, int], bytes]


def index_findings(model: Model, read: Read) -> Iterator[Finding]:
    """Yield a warning for each layer whose constant indices are certainly out of range.

    read: bytes of the file by offset and length.
    """
    layers = [
        each for each in model.layers
        if each.operator in INDEXED and each.domain in ("", "ai.onnx")
        and each.parent is None and len(each.inputs) > 1  # a branch may never run
    ]  # fmt: skip
    if not layers:
        return
    wanted = {layer.inputs[1] for layer in layers}
    constants = {
        weight.name: weight for weight in model.weights
        if weight.name in wanted and 0 < weight.elements <= _MOST_ELEMENTS
    }  # fmt: skip
    if not constants:
        return
    found, shapes = 0, _shapes(model)
    for layer in layers:
        indices = constants.get(layer.inputs[1])
        shape = shapes.get(layer.inputs[0])
        if indices is None or not shape:
            continue
        for axis, numbers in _by_axis(layer, indices, _integers(indices, read), len(shape)):
            length = shape[axis]
            wrong = [
                n for n in numbers if isinstance(length, int) and not -length <= n < length
            ]
            if wrong:
                yield Finding(
                    layer.label,
                    f"the constant '{indices.name[:80]}' has the index {wrong[0]:,}, but axis "
                    f"{axis} of '{layer.inputs[0][:80]}' has {length:,} elements: every run "
                    "fails; correct the constant, or export the model again",
                    invalid=True,
                )
                found += 1
                break
        if found == _MOST_FINDINGS:
            return


def _shapes(model: Model) -> Mapping[str, tuple[Axis, ...]]:
    values = (*model.values, *model.defaults, *model.inputs)
    shapes = {value.name: value.shape for value in values if value.shape}
    return shapes | {w.name: w.shape for w in model.weights if w.shape}


def _integers(weight: WeightInfo, read: Read) -> Numbers:
    """Return the values of a constant in the file itself; none where they lie otherwise."""
    place, letter = weight.place, _LETTERS.get(weight.dtype)
    if place is None or place.file or place.records != 1 or letter is None:
        return ()
    data, numbers, at = read(place.offset, place.length), list[int](), 0
    if place.field == "raw_data":
        form = f"<{weight.elements}{letter}"
        return struct.unpack(form, data) if len(data) == struct.calcsize(form) else ()
    with suppress(Malformed, IndexError):
        while at < len(data):
            number, at = varint(data, at)
            numbers.append(number - _WRAP if number >= _WRAP // 2 else number)
    return tuple(numbers) if len(numbers) == weight.elements else ()


def _by_axis(
    layer: Layer, indices: WeightInfo, numbers: Numbers, rank: int
) -> Iterator[tuple[int, Numbers]]:
    """Yield each axis of the data with the numbers that index it."""
    if layer.operator in _ALONG_ONE_AXIS:
        axis = _number(layer, "axis")
        if -rank <= axis < rank:
            yield axis % rank, numbers
    elif indices.shape and 0 < indices.shape[-1] <= rank and not _number(layer, "batch_dims"):
        width = indices.shape[-1]
        for axis in range(width):
            yield axis, numbers[axis::width]


def _number(layer: Layer, name: str) -> int:
    """Return an attribute whose default is 0."""
    text = next((each.text for each in layer.attributes if each.name == name), "0")
    return int(text) if text.removeprefix("-").isdecimal() else 0
