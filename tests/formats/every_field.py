"""A model in which each field of onnx.proto has a value that is nowhere else."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from onnx import AttributeProto, ModelProto, TensorProto

FIRST, DEEPEST = 7_000_001, 2
# What has a meaning of its own, so that no value of ours can stand there.
CHOICES = {"data_type", "data_location", "elem_type", "key_type", "type"}
VALUES = {
    "string_data",
    "external_data",
    "float_data",
    "int32_data",
    "int64_data",
    "uint64_data",
    "double_data",
    "raw_data",
}
VARIANTS = {
    "TypeProto": ("tensor_type", "sequence_type", "map_type", "optional_type",
                  "sparse_tensor_type", "opaque_type"),
    "Dimension": ("dim_value", "dim_param"),
    "SimpleShardedDimProto": ("dim_value", "dim_param"),
    "AttributeProto": ("f", "i", "s", "t", "g", "floats", "ints", "strings", "tensors",
                       "graphs", "sparse_tensor", "sparse_tensors", "tp", "type_protos"),
}  # fmt: skip
KINDS = {
    "f": "FLOAT", "i": "INT", "s": "STRING", "t": "TENSOR", "g": "GRAPH", "floats": "FLOATS",
    "ints": "INTS", "strings": "STRINGS", "tensors": "TENSORS", "graphs": "GRAPHS",
    "sparse_tensor": "SPARSE_TENSOR", "sparse_tensors": "SPARSE_TENSORS", "tp": "TYPE_PROTO",
    "type_protos": "TYPE_PROTOS",
}  # fmt: skip


@dataclass
class EveryField:
    """Fills messages. told: each value as text -> where it was put."""

    told: dict[str, str] = field(default_factory=dict)

    def number(self, where: str) -> int:
        value = FIRST + 2 * len(self.told)
        self.told[str(value)] = where
        return value

    def text(self, where: str) -> str:
        return f"w{self.number(where)}"

    def fill(self, message: Any, where: str, graphs: int = 0, variant: str = "") -> None:
        kind = message.DESCRIPTOR.name
        graphs += kind == "GraphProto"
        others = set(VARIANTS.get(kind, ())) - {variant}
        for one in message.DESCRIPTOR.fields:
            if one.name in others or (one.name in CHOICES and not one.message_type):
                continue
            if kind == "TensorProto" and one.name in VALUES:
                continue
            if kind == "AttributeProto" and one.name == "ref_attr_name":
                continue
            if (
                one.name in ("graph", "g", "graphs")
                and graphs >= DEEPEST
                and kind != "ModelProto"
            ):
                continue
            self.set(message, one, f"{where}.{one.name}", graphs)
        if kind == "AttributeProto":
            message.type = AttributeProto.AttributeType.Value(KINDS[variant])
        if kind == "TensorProto":
            message.data_type = TensorProto.FLOAT
        for choice in ("elem_type", "key_type"):
            if choice in message.DESCRIPTOR.fields_by_name and kind in (
                "Tensor",
                "SparseTensor",
                "Map",
            ):
                setattr(
                    message,
                    choice,
                    TensorProto.FLOAT if choice == "elem_type" else TensorProto.INT64,
                )

    def set(self, message: Any, one: Any, where: str, graphs: int) -> None:
        repeated = one.is_repeated
        if one.type != FieldDescriptor.TYPE_MESSAGE:
            value = self.scalar(one, where)
            getattr(message, one.name).append(value) if repeated else setattr(
                message, one.name, value
            )
            return
        for variant in self.variants(one, graphs, where):
            part = getattr(message, one.name)
            part = part.add() if repeated else part
            part.SetInParent()
            if one.message_type.name == "ValueInfoProto":
                self.value(part, where, variant)
            else:
                self.fill(part, f"{where}({variant})" if variant else where, graphs, variant)
            if not repeated:
                break

    def value(self, part: Any, where: str, variant: str) -> None:
        part.name, part.doc_string = self.text(where), self.text(f"{where}.doc")
        entry = part.metadata_props.add()
        entry.key, entry.value = self.text(f"{where}.key"), self.text(f"{where}.value")
        self.fill(part.type, f"{where}({variant})", 0, variant)

    def variants(self, one: Any, graphs: int, where: str) -> Iterator[str]:
        kind = one.message_type.name
        if kind == "ValueInfoProto":
            kind = "TypeProto"
        deep = where.count("elem_type") + where.count("value_type") > 0
        for variant in (
            ("tensor_type",) if kind == "TypeProto" and deep else VARIANTS.get(kind, ("",))
        ):
            if not (
                kind == "AttributeProto" and variant in ("g", "graphs") and graphs >= DEEPEST
            ):
                yield variant

    def scalar(self, one: Any, where: str) -> Any:
        if one.type == FieldDescriptor.TYPE_STRING:
            return self.text(where)
        if one.type == FieldDescriptor.TYPE_BYTES:
            return self.text(where).encode()
        return self.number(where)


def every_field(folder: Path) -> tuple[Path, dict[str, str]]:
    made, proto = EveryField(), ModelProto()
    made.fill(proto, "model")
    side, tensor = folder / "side.bin", proto.graph.initializer.add()
    offset, elements = 1_310_731, 98_317
    tensor.name, tensor.data_type = "outside", TensorProto.FLOAT
    tensor.dims.append(elements)
    tensor.data_location = TensorProto.EXTERNAL
    with side.open("wb") as file:
        file.truncate(offset + 4 * elements)
    entries = {"location": "side.bin", "offset": str(offset), "length": str(4 * elements),
               "checksum": "c0ffee", "basepath": "unheardof"}  # fmt: skip
    for key, text in entries.items():
        tensor.external_data.add(key=key, value=text)
        made.told[text] = f"external_data[{key}]"
    function = proto.functions[0].node[0].attribute.add(name="given", type=AttributeProto.INT)
    function.ref_attr_name = made.text("function.node.attribute.ref_attr_name")
    path = folder / "every.onnx"
    path.write_bytes(proto.SerializeToString())
    return path, made.told
