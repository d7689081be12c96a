"""Networks that Core ML compiled: layers as JSON (model.espresso.net), shapes, and weights.

Apple has not published the form. What is read here was found in compiled models beside the
networks that they were compiled from: a layer names what it takes (`bottom`) and makes (`top`),
and its blobs by number; the file of weights begins with their number and, for each, its number
and bytes. Operations and modes that no model confirmed stay numbers.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inspector.errors import UnreadableFile
from inspector.formats.budget import MALFORMED
from inspector.formats.coreml.package import NETWORK
from inspector.formats.coreml.program import DOMAIN
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.source import open_source
from inspector.model.model import Attribute, Layer, Place, TensorInfo, WeightInfo
from inspector.platform import files

_LARGEST = 64 << 20  # bytes of JSON; a network of 200 layers has 130 kB
_MOST_BLOBS = 1_000_000
_MOST_ATTRIBUTES = 64  # of a layer; a split has 128 that say where its parts begin
_LONGEST = 2_000  # characters of a name
_MOST_CHARS = 400  # of a value
_COMPRESSED = b"pbze"
_HEAD_BYTES = 8  # number of blobs
_ENTRY_BYTES = 16  # of the table of blobs: number, bytes
_AXES = ("seq", "n", "k", "h", "w")  # outermost first; a rank counts from the last
_OWN = {"name", "type", "bottom", "top", "debug_info", "weights", "attributes"}
_BLOB = re.compile(r"^blob_|_blob$")
_NAMES = {"inner_product": "linear", "pool": "pooling", "softmax_nd": "softmax"}
# Of a type of layer, the field that says which one, and those that models confirm by name.
_CODES: Mapping[str, tuple[str, Mapping[int, str]]] = {
    "elementwise": ("operation", {0: "add", 1: "mul", 2: "add", 3: "mul", 119: "clip"}),
    "activation": ("mode", {0: "relu", 1: "tanh", 3: "sigmoid"}),
}


class Network(NamedTuple):
    """What the files of a compiled network have."""

    layers: tuple[Layer, ...]
    weights: tuple[WeightInfo, ...]
    values: tuple[TensorInfo, ...]


class _Blob(NamedTuple):
    offset: int
    length: int


def read(path: Path) -> Network:
    """Read a compiled network. path: its model.espresso.net. Raises UnreadableFile: damaged or
    compressed."""
    what = f"Could not open {path.parent.name}"
    try:
        text = files.read_capped(path, _LARGEST)
        if text.startswith(_COMPRESSED):
            why = f"its layers ({NETWORK}) are compressed, as in Apple's own systems"
            raise UnreadableFile(what, why, "Open the model from which it was compiled.")
        plain = json.loads(text)
        name, near = str(plain["storage"]), ExternalFiles(path)
        side = near.look_up(name)
        blobs = _blobs(side.path, side.size_bytes) if side.path is not None else {}
        problem = (
            f"its values are in '{name[:120]}', but {side.problem}" if side.problem else ""
        )
        layers: list[Layer] = []
        weights: list[WeightInfo] = []
        for index, each in enumerate(plain["layers"]):
            own = [*_weights(each, index, blobs, name, problem)]
            weights += own
            inputs = (*_parts(each.get("bottom")), *(weight.name for weight in own))
            outputs = _parts(each.get("top"))
            called, attributes = str(each.get("name", ""))[:_LONGEST], tuple(_attributes(each))
            layers.append(
                Layer(index, called, _operator(each), DOMAIN, inputs, outputs, attributes)
            )
        return Network(tuple(layers), tuple(weights), tuple(_values(path)))
    except MALFORMED as error:
        why = f"the list of its layers, {NETWORK}, is damaged ({error})"
        hint = "Compile the model again, or copy it again."
        raise UnreadableFile(what, why[:300], hint) from error


def _parts(names: object) -> tuple[str, ...]:
    return tuple(part[:_LONGEST] for part in str(names or "").split(",") if part)


def _operator(layer: Mapping[str, Any]) -> str:
    kind = str(layer.get("type") or "unknown")[:_LONGEST]
    field, known = _CODES.get(kind, ("", {}))
    return known.get(layer.get(field, -1), _NAMES.get(kind, kind))


def _attributes(layer: Mapping[str, Any]) -> Iterator[Attribute]:
    """Yield the numbers and texts of a layer that are no weights, by their names."""
    shown = sorted(name for name in layer if name not in _OWN and not _BLOB.search(name))
    for name in shown[:_MOST_ATTRIBUTES]:
        value = layer[name]
        kind = {bool: "bool", int: "int", float: "float", str: "string"}.get(type(value))
        if kind is not None:
            text = f"{value:.7g}" if kind == "float" else str(value)
            shown_text = text.lower() if kind == "bool" else text
            yield Attribute(name[:_LONGEST], kind, shown_text[:_MOST_CHARS])


def _blobs(path: Path, size: int) -> dict[int, _Blob]:
    """Return where the blobs of a file lie, by number. Raises ValueError: it is damaged."""
    with open_source(path) as source:
        count = int.from_bytes(source.read(0, _HEAD_BYTES), "little")
        start = _HEAD_BYTES + count * _ENTRY_BYTES
        if count > _MOST_BLOBS or start > size:
            raise ValueError(f"{path.name} cannot have {count:,} blobs")
        table = source.read(_HEAD_BYTES, count * _ENTRY_BYTES)
    numbers, lengths = np.frombuffer(table, "<u8").reshape(-1, 2).T.tolist()
    places = pairwise(accumulate(lengths, initial=start))
    if start + sum(lengths) > size:
        raise ValueError(f"{path.name} ends before its last blob does")
    return {
        number: _Blob(begin, stop - begin)
        for number, (begin, stop) in zip(numbers, places, strict=True)
    }


def _weights(
    layer: Mapping[str, Any], index: int, blobs: Mapping[int, _Blob], file: str, problem: str
) -> Iterator[WeightInfo]:
    """Yield the weights of a layer, those that its inputs are multiplied with first."""
    named = {key: value for key, value in layer.items() if _BLOB.search(key)}
    named |= layer.get("weights") or {}
    label = str(layer.get("name") or f"layer {index}")[:_LONGEST]
    for key in sorted(named, key=lambda each: (_is_bias(each), each)):
        blob, dtype = blobs.get(named[key]), _dtype(key)
        name = f"{label}.{key.removeprefix('blob_')}"
        if blob is None:
            why = problem or f"'{file[:120]}' has no blob {named[key]}"
            yield WeightInfo(name, dtype, (), None, None, "initializer", index, why)
            continue
        width = np.dtype(dtype).itemsize
        shape = _shape(layer, key)
        if shape is None or prod(shape) * width > blob.length:
            shape = (blob.length // width,)
        place = Place(file, blob.offset, prod(shape) * width)  # blobs are padded
        yield WeightInfo(name, dtype, shape, place.length, place, "initializer", index)


def _is_bias(key: str) -> bool:
    return "bias" in key


def _dtype(key: str) -> str:
    if key.endswith("f16"):
        return "float16"
    return "uint8" if key.endswith("U8") or "lut_weights" in key else "float32"


def _shape(layer: Mapping[str, Any], key: str) -> tuple[int, ...] | None:
    """Return the shape of a weight; None where only its bytes are known."""
    kind = layer.get("type")
    outputs = {"convolution": "C", "inner_product": "nC"}.get(str(kind))
    if outputs is None:
        return None
    if _is_bias(key):
        return (int(layer[outputs]),)
    if key not in ("blob_weights", "blob_weights_f16", "W_U8"):
        return None
    if kind == "inner_product":
        return int(layer["nC"]), int(layer["nB"])
    inputs = int(layer["K"]) // max(1, int(layer.get("n_groups", 1)))
    return int(layer["C"]), inputs, int(layer["Ny"]), int(layer["Nx"])


def _values(path: Path) -> Iterator[TensorInfo]:
    """Yield the shapes of values, as the file beside the layers has them; none without it."""
    beside = path.with_suffix(".shape")
    if not files.is_file(beside):
        return
    for name, lengths in json.loads(files.read_capped(beside, _LARGEST))[
        "layer_shapes"
    ].items():
        rank = min(max(1, int(lengths.get("_rank", 4))), len(_AXES))
        shape = tuple(int(lengths.get(axis, 1)) for axis in _AXES[-rank:])
        yield TensorInfo(name[:_LONGEST], "tensor", "float32", shape)
