"""Attributes of a node as short texts."""

from collections.abc import Callable, Sequence
from typing import Any

from inspector.formats.onnx.types import LONGEST, element, in_full, text
from inspector.model.model import Attribute

INT = 2
TENSOR, GRAPH, TENSORS, GRAPHS, SPARSE, SPARSES = 4, 5, 9, 10, 11, 12
TYPE, TYPES = 13, 14
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
_MOST_ITEMS = 16
_LONGEST = 400


def kind(proto: Any) -> int:
    """Return the type of an onnx.AttributeProto; the oldest files do not write it."""
    if proto.type:
        return int(proto.type)
    given = [number for number, field in _FIELDS.items() if _has(proto, field)]
    return given[0] if given else 0


def attribute_in_words(proto: Any) -> Attribute:
    """Describe an onnx.AttributeProto."""
    number = kind(proto)
    if proto.ref_attr_name:
        value = f"the function's attribute {text(proto.ref_attr_name)}"
    else:
        value = _value(proto, number)
    name = KINDS.get(number, f"type {number}")
    doc = text(proto.doc_string)[:LONGEST] if proto.doc_string else ""
    return Attribute(text(proto.name), name, _clipped(value, number), doc)


def tensor_in_words(tensor: Any) -> str:
    """Describe an onnx.TensorProto, with values that are typed: 'int64 2 = 1, 64'."""
    shape = "×".join(str(length) for length in tensor.dims[:_MOST_ITEMS]) or "scalar"
    for field, words in _VALUE_FIELDS.items():
        if values := getattr(tensor, field):
            return f"{element(tensor.data_type)} {shape} = {_listed(values, words)}"
    return f"{element(tensor.data_type)} {shape}"


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
    shape = "×".join(str(length) for length in tensor.dims[:_MOST_ITEMS])
    return f"{element(tensor.values.data_type)} {shape}"


def _listed(values: Sequence[Any], format_value: Callable[[Any], str]) -> str:
    more = f", … ({len(values):,})" if len(values) > _MOST_ITEMS else ""
    return ", ".join(map(format_value, values[:_MOST_ITEMS])) + more


def _text(value: str | bytes) -> str:
    return text(value[: 4 * _LONGEST])


_LISTS = {6, 7, 8, 9, 10, 12, 14}
_WORDS: dict[int, Callable[[Any], str]] = {
    1: "{:.7g}".format, 2: str, 3: _text, 4: tensor_in_words, 5: _graph, 6: "{:.7g}".format,
    7: str, 8: _text, 9: tensor_in_words, 10: _graph, 11: _sparse, 12: _sparse, 13: in_full,
    14: in_full,
}  # fmt: skip


_VALUE_FIELDS: dict[str, Callable[[Any], str]] = {
    "float_data": "{:.7g}".format, "double_data": "{:.7g}".format, "int32_data": str,
    "int64_data": str, "uint64_data": str, "string_data": _text,
}  # fmt: skip


def _has(proto: Any, field: str) -> bool:
    repeated = field.endswith("s") and field != "s"
    return bool(getattr(proto, field)) if repeated else bool(proto.HasField(field))


def _clipped(value: str, number: int) -> str:
    longest = LONGEST if number in (TYPE, TYPES) else _LONGEST
    return value if len(value) <= longest else value[: longest - 1] + "…"
