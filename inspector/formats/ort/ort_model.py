"""Read models in ONNX Runtime's own format (.ort): a FlatBuffers file with checked offsets.

The schema is onnxruntime's core/flatbuffers/schema/ort.fbs; numbers are its fields in order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from struct import pack, unpack

from inspector.formats.flatbuffer import Buffer, Damaged, Table
from inspector.formats.onnx.attributes import KINDS, elements_text
from inspector.formats.onnx.types import LONGEST, element
from inspector.formats.source import Source
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    Attribute,
    Axis,
    Finding,
    Layer,
    Model,
    Opset,
    Place,
    TensorInfo,
    WeightInfo,
    packed_bytes,
)

_MAX_DEPTH = 100  # of nested graphs
_VALUE_OF_AXIS = 1
_NAME_OF_AXIS = 2
_KINDS = {1: "tensor", 2: "sequence", 3: "map"}
# fields of Attribute
_GRAPH = 7
_GRAPHS = 12
_LONGEST_VALUE = 400  # characters of a text
_MOST_ITEMS = 16  # items of a list that are shown
_WIDEST_BYTES = 16  # of an element (complex128)


def read(source: Source, path: Path | None = None) -> Model:
    """Read a model in ONNX Runtime's format. Raises UnreadableFile: damaged.

    path: unused, since all weights that can be read are in the file itself.
    """
    try:
        session = Buffer(source).root()
        root = session.table(1)
        graph = root.table(7) if root else None
        if root is None or graph is None:
            raise Damaged("it has no graph")
        flat = _Flat()
        flat.add(graph, None, "")
        values = {value.name: value for value in map(_value, graph.tables(1))}
        weights = tuple(flat.weights)
        model = Model(
            name=source.name,
            format="ort",
            size_bytes=source.size,
            ir_version=root.number(0, "<q"),
            opsets=tuple(Opset(_domain(o.text(0)), o.number(1, "<q")) for o in root.tables(1)),
            producer=root.text(2),
            producer_version=root.text(3),
            domain=root.text(4),
            version=root.number(5, "<q"),
            doc=root.text(6)[:LONGEST],
            graph_name="",
            metadata=tuple((entry.text(0), entry.text(1)) for entry in root.tables(9)),
            inputs=_declared(graph.texts(5), values, weights),
            outputs=_declared(graph.texts(6), values, ()),
            layers=tuple(flat.layers),
            weights=weights,
            values=tuple(values.values()),
            graph_doc=root.text(8)[:LONGEST],
        )
        version = f"ORT format, version {session.text(0)}"
        finding = Finding(
            "", f"{version}: ONNX Runtime has already optimized it for one kind of device"
        )
        return replace(model, findings=(finding, *weight_findings(model)))
    except Damaged as error:
        hint = "It is damaged: convert the ONNX model again."
        raise source.failure(str(error), hint) from error


class _Flat:
    """Layers of a graph and of those inside it, a control-flow node before its inner nodes."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.weights: list[WeightInfo] = []

    def add(self, graph: Table, parent: int | None, branch: str, depth: int = 1) -> None:
        """Take in the nodes and weights of a Graph."""
        if depth > _MAX_DEPTH:
            raise Damaged(f"it is nested deeper than {_MAX_DEPTH} levels")
        self.weights += (_weight(tensor, "initializer", parent) for tensor in graph.tables(0))
        self.weights += (_sparse(tensor, parent) for tensor in graph.tables(7))
        for node in graph.tables(2):
            index, attributes = len(self.layers), tuple(node.tables(10))
            self.layers.append(
                Layer(
                    index,
                    node.text(0),
                    node.text(5),
                    _domain(node.text(2)),
                    node.texts(8),
                    node.texts(9),
                    tuple(map(_attribute, attributes)),
                    parent,
                    branch,
                    node.text(1)[:LONGEST],
                )
            )
            for attribute in attributes:
                name, inner = attribute.text(0), attribute.table(_GRAPH)
                graphs = [inner] if inner else [*attribute.tables(_GRAPHS)]
                for each in graphs:
                    self.add(each, index, name, depth + 1)


def _attribute(attribute: Table) -> Attribute:
    number = attribute.number(2, "<i")
    kind = KINDS.get(number, f"type {number}")
    formats = {
        "float": lambda: f"{unpack('<f', pack('<I', attribute.number(3, '<I')))[0]:.7g}",
        "int": lambda: str(attribute.number(4, "<q")),
        "string": lambda: attribute.text(5)[:_LONGEST_VALUE],
        "tensor": lambda: _tensor_text(attribute.table(6)),
        "floats": lambda: _listed([f"{v:.7g}" for v in attribute.reals(8, "<f", LONGEST)]),
        "ints": lambda: _listed(list(map(str, attribute.numbers(9, "<q")))),
        "strings": lambda: _listed([v[:_LONGEST_VALUE] for v in attribute.texts(10)]),
        "tensors": lambda: _listed(list(map(_tensor_text, attribute.tables(11)))),
    }
    return Attribute(attribute.text(0), kind, formats.get(kind, str)())


def _listed(values: list[str]) -> str:
    more = f", … ({len(values):,})" if len(values) > _MOST_ITEMS else ""
    return ", ".join(values[:_MOST_ITEMS]) + more


def _tensor_text(tensor: Table | None) -> str:
    """Describe a tensor with its first elements, as those of ONNX files are described."""
    if tensor is None:
        return ""
    weight = _weight(tensor, "constant", None)
    described = f"{weight.dtype} {'×'.join(map(str, weight.shape)) or 'scalar'}"
    if weight.dtype == "string":
        values = list(tensor.texts(5))
    else:
        size = packed_bytes(weight.dtype, weight.elements)
        place = weight.place
        if place is None or place.length != size:
            return described
        most = min(weight.elements, _MOST_ITEMS)
        data = tensor.buffer.read(place.offset, min(size, most * _WIDEST_BYTES))
        values = elements_text(data, weight.dtype, most)
    more = f", … ({weight.elements:,})" if weight.elements > len(values) else ""
    return f"{described} = {', '.join(values[:_MOST_ITEMS])}{more}" if values else described


def _weight(tensor: Table, origin: str, layer: int | None) -> WeightInfo:
    offset, length = tensor.extent(4, 1)
    outside = tensor.number(6, "<q", -1) >= 0
    return WeightInfo(
        tensor.text(0),
        element(tensor.number(3, "<i")),
        tensor.numbers(2, "<q"),
        length or None,
        Place("", offset, length) if length else None,
        origin,
        layer,
        "its values are in another file" if outside else "",
        doc=tensor.text(1)[:LONGEST],
    )


def _sparse(tensor: Table, layer: int | None) -> WeightInfo:
    values = tensor.table(0)
    if values is None:
        raise Damaged("a sparse tensor has no values")
    weight = _weight(values, "sparse initializer", layer)
    return weight._replace(shape=tensor.numbers(2, "<q"), stored=weight.elements)


def _value(info: Table) -> TensorInfo:
    kind_of = info.table(2)
    kind, dtype, shape = _type(kind_of) if kind_of else ("unknown", "unknown", None)
    meaning = kind_of.text(0) if kind_of else ""
    return TensorInfo(info.text(0), kind, dtype, shape, meaning, info.text(1)[:LONGEST])


def _type(info: Table, depth: int = 1) -> tuple[str, str, tuple[Axis, ...] | None]:
    kind, value = _KINDS.get(info.number(1, "<B"), "unknown"), info.table(2)
    if value is None or depth > _MAX_DEPTH:
        return "unknown", "unknown", None
    if kind == "tensor":
        shape = value.table(1)
        axes = None if shape is None else tuple(map(_axis, shape.tables(0)))
        return kind, element(value.number(0, "<i")), axes
    inner = value.table(0 if kind == "sequence" else 1)
    type_text = _type(inner, depth + 1)[1] if inner else "unknown"
    if kind == "map":
        type_text = f"{element(value.number(0, '<i'))}, {type_text}"
    return kind, f"{kind}({type_text})", None


def _axis(axis: Table) -> Axis:
    value = axis.table(0)
    which = value.number(0, "<b") if value else 0
    if value is None or which not in (_VALUE_OF_AXIS, _NAME_OF_AXIS):
        return None
    if which == _NAME_OF_AXIS:
        return value.text(2) or None
    length = value.number(1, "<q")
    return length if length >= 0 else None


def _declared(
    names: Iterable[str], values: Mapping[str, TensorInfo], weights: Iterable[WeightInfo]
) -> tuple[TensorInfo, ...]:
    defined = {weight.name for weight in weights}
    unknown = TensorInfo("", "unknown", "unknown", None)
    return tuple(
        values.get(name, replace(unknown, name=name)) for name in names if name not in defined
    )


def _domain(name: str) -> str:
    return "" if name == "ai.onnx" else name
