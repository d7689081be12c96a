"""Attributes of ONNX as text: the value of each kind, tensors with their first elements."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from inspector.formats.onnx.types import LONGEST, element, in_full, text
from inspector.formats.onnx.weight_values import as_packed, refusal, unpacked
from inspector.model.model import ITEM_BITS, Attribute, packed_bytes, product

INT = 2
TENSOR = 4
GRAPH = 5
TENSORS = 9
GRAPHS = 10
SPARSE = 11
SPARSES = 12
TYPE = 13
TYPES = 14
HOLDERS = {TENSOR, GRAPH, TENSORS, GRAPHS, SPARSE, SPARSES}
KINDS = {
    0: "", 1: "float", 2: "int", 3: "string", 4: "tensor", 5: "graph", 6: "floats", 7: "ints",
    8: "strings", 9: "tensors", 10: "graphs", 11: "sparse tensor", 12: "sparse tensors",
    13: "type", 14: "types",
}  # fmt: skip
_FIELDS = {
    1: "f", 2: "i", 3: "s", 4: "t", 5: "g", 6: "floats", 7: "ints", 8: "strings", 9: "tensors",
    10: "graphs", 11: "sparse_tensor", 12: "sparse_tensors", 13: "tp", 14: "type_protos",
}  # fmt: skip
_ELEMENT_TYPES = {"to", "dtype", "output_dtype", "output_datatype"}
_MOST_ITEMS = 16  # items of a list attribute that are shown
_LONGEST = 400  # characters of an attribute's text
_NUMBER_FIELDS = {  # of an onnx.TensorProto, with the type that holds their entries
    "float_data": np.float32, "double_data": np.float64, "int32_data": np.int64,
    "int64_data": np.int64, "uint64_data": np.uint64,
}  # fmt: skip
_DIGEST_LETTERS = 16  # hexadecimal, 64 bits: enough to tell the values of one attribute apart
_PLAIN_LISTS = {6, 7, 8}
_LISTS = {6, 7, 8, 9, 10, 12, 14}


def attribute_kind(proto: Any) -> int:
    """Return the type of an onnx.AttributeProto; the oldest files do not write it."""
    if proto.type:
        return int(proto.type)
    kinds = [number for number, field in _FIELDS.items() if _has(proto, field)]
    return kinds[0] if kinds else 0


def attribute_text(proto: Any) -> Attribute:
    """Describe an onnx.AttributeProto."""
    number = attribute_kind(proto)
    if proto.ref_attr_name:
        value = f"the function's attribute {text(proto.ref_attr_name)}"
    else:
        value = _value(proto, number)
    name = KINDS.get(number, f"type {number}")
    doc = text(proto.doc_string)[:LONGEST] if proto.doc_string else ""
    shown, digest = _clipped(value, number), ""
    clipped = len(shown) != len(value)
    if number in _PLAIN_LISTS and len(getattr(proto, _FIELDS[number])) > _MOST_ITEMS:
        clipped = True
    if clipped and number not in HOLDERS:  # tensors are compared as weights
        digest = sha256(proto.SerializeToString()).hexdigest()[:_DIGEST_LETTERS]
    return Attribute(text(proto.name), name, shown, doc, digest, bool(proto.ref_attr_name))


def tensor_text(tensor: Any) -> str:
    """Describe an onnx.TensorProto with its first elements: 'int64 2 = 1, 64'.

    Without elements where they lie outside of the message (large ones, and external data) or do
    not fit the shape.
    """
    dtype, shape = element(tensor.data_type), tuple(tensor.dims)
    described = f"{dtype} {_shape(shape)}"
    number = product(shape)
    shown = first_elements(tensor, dtype, number) if number else []
    if not shown:
        return described
    more = f", … ({number:,})" if number and number > len(shown) else ""
    return f"{described} = {', '.join(shown)}{more}"


def first_elements(tensor: Any, dtype: str, number: int) -> list[str]:
    """Return the first elements of an onnx.TensorProto as text, at most `_MOST_ITEMS`.

    number: of elements by its shape. Empty where the message does not hold so many.
    """
    if dtype == "string":
        strings = tensor.string_data
        return (
            [_text(value) for value in strings[:_MOST_ITEMS]] if len(strings) == number else []
        )
    most = min(number, _MOST_ITEMS)
    if tensor.HasField("raw_data"):
        if len(tensor.raw_data) != packed_bytes(dtype, number):
            return []
        return elements_text(tensor.raw_data, dtype, most)
    for field, kind in _NUMBER_FIELDS.items():
        # One entry is a number, half of a complex one, or a byte of packed ones.
        entries = getattr(tensor, field)[: 2 * most]
        if not entries or refusal(dtype, field):
            continue
        array = np.array(entries, kind)
        if kind != np.float32 and kind != np.float64:
            array = as_packed(array.astype(np.uint64), dtype)
        shown = elements_text(array.tobytes(), dtype, most)
        return shown if len(shown) == most else []
    return []


def elements_text(data: bytes, dtype: str, number: int) -> list[str]:
    """Return the first `number` elements of packed little-endian bytes as text.

    Empty for a type that Inspector cannot decode.
    """
    bits = ITEM_BITS.get(dtype)
    if bits is None or refusal(dtype, "raw_data"):
        return []
    # Whole elements of all widths: eight of them are a whole number of bytes.
    values = unpacked(data[: -(-number // 8) * bits], dtype, number)
    if dtype == "bool":
        return ["true" if value else "false" for value in values]
    if dtype == "float64":
        return [f"{value:.16g}" for value in values.tolist()]
    if dtype.startswith("complex"):
        return [f"{value:.7g}" for value in values.tolist()]
    if "float" in dtype:
        return [f"{value:.7g}" for value in values.astype(np.float32).tolist()]
    return [str(value) for value in values.tolist()]


def _value(proto: Any, number: int) -> str:
    field = _FIELDS.get(number)
    if field is None:
        return ""
    value, format_value = getattr(proto, field), _WORDS[number]
    if number == INT and proto.name in _ELEMENT_TYPES:
        return element(value)
    return _listed(value, format_value) if number in _LISTS else format_value(value)


def _graph(graph: Any) -> str:
    number = len(graph.node)
    return "1 node" if number == 1 else f"{number:,} nodes"


def _sparse(tensor: Any) -> str:
    """Describe an onnx.SparseTensorProto: 'float32 3×4, 2 stored = 1.5, 2'."""
    dtype, number = element(tensor.values.data_type), product(tuple(tensor.values.dims))
    shown = first_elements(tensor.values, dtype, number) if number else []
    stored = f", {number:,} stored" if number is not None else ""
    more = f", … ({number:,})" if number and number > len(shown) else ""
    values = f" = {', '.join(shown)}{more}" if shown else ""
    return f"{dtype} {_shape(tensor.dims)}{stored}{values}"


def _shape(axes: Sequence[int]) -> str:
    return "×".join(str(length) for length in axes[:_MOST_ITEMS]) or "scalar"


def _listed(values: Sequence[Any], format_value: Callable[[Any], str]) -> str:
    more = f", … ({len(values):,})" if len(values) > _MOST_ITEMS else ""
    return ", ".join(map(format_value, values[:_MOST_ITEMS])) + more


def _text(value: str | bytes) -> str:
    return text(value[: 4 * _LONGEST])


_WORDS: dict[int, Callable[[Any], str]] = {
    1: "{:.7g}".format, 2: str, 3: _text, 4: tensor_text, 5: _graph, 6: "{:.7g}".format,
    7: str, 8: _text, 9: tensor_text, 10: _graph, 11: _sparse, 12: _sparse, 13: in_full,
    14: in_full,
}  # fmt: skip


def _has(proto: Any, field: str) -> bool:
    repeated = field.endswith("s") and field != "s"
    return bool(getattr(proto, field)) if repeated else bool(proto.HasField(field))


def _clipped(value: str, number: int) -> str:
    longest = LONGEST if number in (TYPE, TYPES) else _LONGEST
    return value if len(value) <= longest else value[: longest - 1] + "…"
