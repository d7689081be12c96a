"""Read models in ONNX Runtime's own format (.ort): a FlatBuffers file with checked offsets.

The schema is onnxruntime's core/flatbuffers/schema/ort.fbs; numbers are its fields in order.
The encoding is described at https://flatbuffers.dev/internals/.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from struct import calcsize, pack, unpack

from inspector.formats.onnx.structure_checks import weight_findings
from inspector.formats.onnx.types import KINDS, LONGEST, element, text
from inspector.formats.source import Source
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
)

MAX_PARTS = 2_000_000  # tables, texts and numbers read from one file
MAX_TEXT_BYTES = 64 << 20  # of all texts together
_PAGE_BYTES = 64 << 10
_MOST_PAGES = 128  # pages in memory, 8 MiB
_LONGEST_TEXT = 1 << 20


class Damaged(Exception):
    """An offset leads out of the file, or there is more than any model has."""


class Buffer:
    """A file of which some pages are in memory; limits how much is read from it."""

    def __init__(self, source: Source) -> None:
        self.size = source.size
        self._source = source
        self._pages: OrderedDict[int, bytes] = OrderedDict()
        self._parts = self._text_bytes = 0

    def root(self) -> "Table":
        """Return the outermost table."""
        return self.table(self.number("<I", 0))

    def table(self, at: int) -> "Table":
        """Return the table that begins at a place."""
        self.charge(1)
        return Table(self, at)

    def charge(self, parts: int) -> None:
        """Count tables, texts and numbers, since many offsets may lead to the same bytes."""
        self._parts += parts
        if self._parts > MAX_PARTS:
            raise Damaged(f"it has more than {MAX_PARTS:,} tables, strings and numbers")

    def number(self, code: str, at: int) -> int:
        """Decode one number; code: as of the module struct."""
        return int(unpack(code, self.read(at, calcsize(code)))[0])

    def text(self, at: int) -> str:
        """Decode the text that begins at a place."""
        self.charge(1)
        length = self.number("<I", at)
        self._text_bytes += length
        if length > _LONGEST_TEXT or self._text_bytes > MAX_TEXT_BYTES:
            raise Damaged("it has more text than any valid model")
        return text(self.read(at + 4, length))

    def read(self, at: int, length: int) -> bytes:
        """Return bytes of the file. Raises Damaged: it has none there."""
        if at < 0 or at + length > self.size:
            raise Damaged(f"it refers to byte {at:,}, which is beyond its end")
        first, last = at // _PAGE_BYTES, (at + length - 1) // _PAGE_BYTES
        if first == last or not length:
            start = at % _PAGE_BYTES
            return self._page(first)[start : start + length] if length else b""
        return self._source.read(at, length)

    def _page(self, number: int) -> bytes:
        page = self._pages.get(number)
        if page is None:
            start = number * _PAGE_BYTES
            page = self._source.read(start, min(_PAGE_BYTES, self.size - start))
            self._pages[number] = page
            if len(self._pages) > _MOST_PAGES:
                self._pages.popitem(last=False)
        return page


class Table:
    """One table; fields are identified by their number in the schema."""

    def __init__(self, buffer: Buffer, at: int) -> None:
        self.buffer, self._at = buffer, at
        self._fields = at - buffer.number("<i", at)
        self._length = buffer.number("<H", self._fields)

    def number(self, field: int, code: str, default: int = 0) -> int:
        """Return a number; code: as of the module struct."""
        place = self._place(field)
        return default if place is None else self.buffer.number(code, place)

    def text(self, field: int) -> str:
        """Return a text; empty when the field is missing."""
        place = self._target(field)
        return "" if place is None else self.buffer.text(place)

    def table(self, field: int) -> "Table | None":
        """Return an inner table."""
        place = self._target(field)
        return None if place is None else self.buffer.table(place)

    def tables(self, field: int) -> "Iterator[Table]":
        """Yield the tables of a vector."""
        return map(self.buffer.table, self._targets(field))

    def texts(self, field: int) -> tuple[str, ...]:
        """Return the texts of a vector."""
        return tuple(map(self.buffer.text, self._targets(field)))

    def numbers(self, field: int, code: str) -> tuple[int, ...]:
        """Return the numbers of a vector; code: as of the module struct."""
        start, length = self.extent(field, calcsize(code))
        if length > 1 << 20:
            raise Damaged("it has more axes than any valid tensor")
        self.buffer.charge(length // calcsize(code))
        body = self.buffer.read(start, length)
        return tuple(unpack(f"<{length // calcsize(code)}{code[-1]}", body))

    def extent(self, field: int, item_bytes: int) -> tuple[int, int]:
        """Return where the items of a vector lie, (0, 0) for none: offset, length in bytes."""
        place = self._target(field)
        if place is None:
            return 0, 0
        length = self.buffer.number("<I", place) * item_bytes
        if place + 4 + length > self.buffer.size:
            raise Damaged(f"{place + 4 + length - self.buffer.size:,} B of it are missing")
        return place + 4, length

    def _place(self, field: int) -> int | None:
        entry = 4 + 2 * field
        if entry + 2 > self._length:
            return None
        offset = self.buffer.number("<H", self._fields + entry)
        return self._at + offset if offset else None

    def _target(self, field: int) -> int | None:
        place = self._place(field)
        return None if place is None else place + self.buffer.number("<I", place)

    def _targets(self, field: int) -> Iterator[int]:
        start, length = self.extent(field, 4)
        for place in range(start, start + length, 4):
            yield place + self.buffer.number("<I", place)


_MAX_DEPTH = 100  # of nested graphs
_VALUE_OF_AXIS, _NAME_OF_AXIS = 1, 2
_KINDS = {1: "tensor", 2: "sequence", 3: "map"}
_GRAPH, _GRAPHS = 7, 12  # fields of Attribute
_LONGEST_VALUE, _MOST_ITEMS = 400, 16


def read(source: Source, path: Path | None = None) -> Model:
    """Read a model in ONNX Runtime's format. Raises UnreadableFile: damaged.

    path: unused, since all weights that can be read are in the file itself.
    """
    try:
        return _model(Buffer(source).root(), source)
    except Damaged as error:
        hint = "It is damaged: convert the ONNX model again."
        raise source.failure(str(error), hint) from error


def _model(session: Table, source: Source) -> Model:
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
            self.layers.append(_layer(index, node, attributes, parent, branch))
            for attribute in attributes:
                name, inner = attribute.text(0), attribute.table(_GRAPH)
                graphs = [inner] if inner else [*attribute.tables(_GRAPHS)]
                for each in graphs:
                    self.add(each, index, name, depth + 1)


def _layer(
    index: int, node: Table, attributes: Iterable[Table], parent: int | None, branch: str
) -> Layer:
    return Layer(
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


def _attribute(attribute: Table) -> Attribute:
    number = attribute.number(2, "<i")
    kind = KINDS.get(number, f"type {number}")
    formats = {
        "float": lambda: f"{unpack('<f', pack('<I', attribute.number(3, '<I')))[0]:.7g}",
        "int": lambda: str(attribute.number(4, "<q")),
        "string": lambda: attribute.text(5)[:_LONGEST_VALUE],
        "ints": lambda: ", ".join(map(str, attribute.numbers(9, "<q")[:_MOST_ITEMS])),
    }
    return Attribute(attribute.text(0), kind, formats.get(kind, str)())


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
