"""Types of ONNX as text: element type, shape, the whole type of a value.

Takes messages of the library onnx without importing it: other formats use the names here, too.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from inspector.formats.onnx.element_types import ELEMENTS
from inspector.model.model import Axis, TensorInfo

LONGEST = 20_000  # characters of a description; the rest is cut
_SHORT_BYTES = 200  # of an encoded type whose text is cached
_Type = tuple[str, str, tuple[Axis, ...] | None, str, str]
_KINDS = {
    "tensor_type": "tensor", "sparse_tensor_type": "sparse tensor", "sequence_type": "sequence",
    "map_type": "map", "optional_type": "optional", "opaque_type": "opaque",
}  # fmt: skip


def element(number: int) -> str:
    """Name an element type: 10 -> 'float16'; 'unknown' for 0, 'type 99' for one not known."""
    return ELEMENTS.get(number) or (f"type {number}" if number else "unknown")


def text(value: str | bytes) -> str:
    """Make a text of a protobuf string, which is bytes where it is not valid UTF-8."""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def texts(values: Any) -> tuple[str, ...]:
    """Decode protobuf strings, nearly all of which are valid UTF-8."""
    values_list = tuple(values[:])  # a slice is taken at once, iteration asks for each
    try:
        "".join(values_list)
    except TypeError:
        return tuple(map(text, values_list))
    return values_list


def metadata(entries: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    """Return onnx.StringStringEntryProto values as pairs, in the file's order."""
    return tuple((text(entry.key), text(entry.value)) for entry in entries)


def described(value: Any) -> TensorInfo:
    """Describe an onnx.ValueInfoProto."""
    proto: Any = value.type
    key = proto.SerializeToString()  # most values of a model have the same few types
    short = len(key) <= _SHORT_BYTES
    type_parts = _of_bytes(key, proto.FromString) if short else _of_proto(proto)
    kind, dtype, shape, denotation, full_type = type_parts
    return TensorInfo(
        name=text(value.name),
        kind=kind,
        dtype=dtype,
        shape=shape,
        denotation=denotation,
        doc=text(value.doc_string)[:LONGEST],
        metadata=metadata(value.metadata_props),
        full_type=full_type,
    )


@lru_cache(maxsize=4096)
def _of_bytes(proto: bytes, decode: Any) -> _Type:
    return _of_proto(decode(proto))


def _of_proto(proto: Any) -> _Type:
    """Return kind, dtype, shape, denotation and full type of an onnx.TypeProto."""
    kind = _KINDS.get(proto.WhichOneof("value") or "", "unknown")
    dtype, shape = _dtype(proto, kind), _shape(proto, kind)
    if kind in ("tensor", "sparse tensor"):
        axes = _tensor(proto, kind).shape.dim
        more = any(axis.denotation for axis in axes)
    else:
        more = in_full(proto, outermost=True) != dtype
    full = in_full(proto, outermost=True)[:LONGEST] if more else ""
    return kind, dtype, shape, text(proto.denotation), full


def in_full(proto: Any, outermost: bool = False) -> str:
    """Write a type with all shapes and meanings in it; the outermost has its own field."""
    kind = _KINDS.get(proto.WhichOneof("value") or "", "unknown")
    meaning = "" if outermost or not proto.denotation else f" ({text(proto.denotation)})"
    if kind in ("tensor", "sparse tensor"):
        tensor = _tensor(proto, kind)
        axes = ", ".join(map(_axis_in_full, tensor.shape.dim))
        type_text = element(tensor.elem_type) + (
            f"[{axes}]" if tensor.HasField("shape") else ""
        )
        type_text = type_text if kind == "tensor" else f"sparse({type_text})"
    elif kind == "map":
        value = in_full(proto.map_type.value_type)
        type_text = f"map({element(proto.map_type.key_type)}, {value})"
    elif kind in ("sequence", "optional"):
        inner = proto.sequence_type if kind == "sequence" else proto.optional_type
        type_text = f"{kind}({in_full(inner.elem_type)})"
    else:
        type_text = in_words(proto)
    return type_text + meaning


def _axis_in_full(axis: Any) -> str:
    length = _axis(axis)
    length_text = "?" if length is None else str(length)
    return f"{length_text}: {text(axis.denotation)}" if axis.denotation else length_text


def _tensor(proto: Any, kind: str) -> Any:
    return proto.tensor_type if kind == "tensor" else proto.sparse_tensor_type


def in_words(proto: Any) -> str:
    """Write an onnx.TypeProto as one text: 'sequence(map(int64, float32))'."""
    kind = _KINDS.get(proto.WhichOneof("value") or "", "unknown")
    if kind == "tensor":
        return element(proto.tensor_type.elem_type)
    if kind == "sparse tensor":
        return f"sparse({element(proto.sparse_tensor_type.elem_type)})"
    if kind == "map":
        key, value = proto.map_type.key_type, proto.map_type.value_type
        return f"map({element(key)}, {in_words(value)})"
    if kind in ("sequence", "optional"):
        inner = proto.sequence_type if kind == "sequence" else proto.optional_type
        return f"{kind}({in_words(inner.elem_type)})"
    if kind == "opaque":
        domain, name = text(proto.opaque_type.domain), text(proto.opaque_type.name)
        return f"opaque({domain}.{name})" if domain else f"opaque({name})"
    return "unknown"


def _dtype(proto: Any, kind: str) -> str:
    if kind == "sparse tensor":
        return element(proto.sparse_tensor_type.elem_type)
    return in_words(proto)


def _shape(proto: Any, kind: str) -> tuple[Axis, ...] | None:
    if kind not in ("tensor", "sparse tensor"):
        return None
    tensor = _tensor(proto, kind)
    if not tensor.HasField("shape"):
        return None
    return tuple(_axis(axis) for axis in tensor.shape.dim)


def _axis(axis: Any) -> Axis:
    which = axis.WhichOneof("value")
    if which == "dim_value":
        # Negative lengths are how some exporters say that they do not know.
        return int(axis.dim_value) if axis.dim_value >= 0 else None
    return (text(axis.dim_param) or None) if which == "dim_param" else None
