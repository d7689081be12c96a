"""Read OpenVINO's intermediate representation without the library: XML, a .bin beside it.

The form is described in OpenVINO's documentation, "Operation Sets in OpenVINO IR". Documents
with a DTD are refused, so that no entity can be expanded.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from xml.parsers import expat

from msgspec import Struct

from inspector.formats.budget import MALFORMED, Parts
from inspector.formats.onnx.tensors import ExternalFiles, forbidden
from inspector.formats.source import Source
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    Attribute,
    Axis,
    FormatDetails,
    InnerGraph,
    Layer,
    Model,
    Place,
    TensorInfo,
    WeightInfo,
    packed_bytes,
    product,
)
from inspector.units import clip

DOMAIN = "openvino"
# elements and attributes of the XML; levels
MAX_ITEMS = 4_000_000
MAX_DEPTH = 200
# The parser looks at a tag again with each piece until its end comes.
_LONGEST_TAG_BYTES = 4 << 20
_LONGEST_LENGTH = 64  # characters of an axis length with the space around it
_LONGEST_ENCODING = 40  # characters of the name of an encoding, in a message
_LARGEST_XML = 256 << 20
_PIECE = 1 << 20
# entries, and characters of one: class names
_MOST_INFO = 100
_LONGEST_INFO = 1 << 20
# characters of an attribute, of a name
_LONGEST = 400
_LONGEST_NAME = 2_000
_NAME_PART = 50  # characters of a name that count as one part of the model
_TYPES = {
    "F64": "float64", "F32": "float32", "FP64": "float64", "FP32": "float32", "F16": "float16",
    "FP16": "float16", "BF16": "bfloat16", "BOOL": "bool", "BOOLEAN": "bool",
    "STRING": "string",
    "BIN": "uint1", "U1": "uint1", "U2": "uint2", "U3": "uint3", "U6": "uint6",
    "NF4": "nf4", "F4E2M1": "float4e2m1", "F8E4M3": "float8e4m3fn", "F8E5M2": "float8e5m2",
    "F8E8M0": "float8e8m0",
}  # fmt: skip
_WHOLE = re.compile(r"([IU])(\d+)\Z")
_BODIES = {"body", "then_body", "else_body"}
_NO_ATTRIBUTES: dict[str, str] = {}


class _Refused(Exception):
    """What the XML is instead of a model."""


class Element(Struct):
    """An element of the XML with the text in it."""

    tag: str
    attributes: dict[str, str]
    children: Sequence["Element"] = ()  # a list where there are any: most have none
    text: str = ""

    def all(self, tag: str) -> "Iterator[Element]":
        """Yield the children with a tag."""
        return (each for each in self.children if each.tag == tag)

    def first(self, tag: str) -> "Element | None":
        """Return the first child with a tag."""
        return next(self.all(tag), None)

    def number(self, name: str) -> int:
        """Return an attribute that is a whole number, -1 for none."""
        text = self.attributes.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else -1


def read(source: Source, path: Path | None = None) -> Model:
    """Read an OpenVINO model. Raises UnreadableFile: damaged, a DTD, too large.

    path: of the XML, beside which the .bin lies; None for bytes alone.
    """
    if source.size > _LARGEST_XML:
        raise source.failure(f"its XML is larger than {_LARGEST_XML >> 20} MiB")
    try:
        return _Reader(source, path, _parsed(source)).model()
    except (expat.ExpatError, *MALFORMED) as error:
        hint = "It is damaged: export the model again."
        raise source.failure(f"its XML is damaged ({error})", hint) from error
    except _Refused as error:
        raise source.failure(str(error), "It is damaged: export the model again.") from error


def _parsed(source: Source) -> Element:
    """Return the root of the XML as a tree, built without recursion."""
    parser = expat.ParserCreate()
    root = Element("", {})
    open_ones, items, declared = [root], 0, ""

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal items
        items += 1 + len(attributes)
        if items > MAX_ITEMS or len(open_ones) > MAX_DEPTH:
            raise _Refused(
                f"its XML has more than {MAX_ITEMS:,} elements and attributes, or more than "
                f"{MAX_DEPTH} levels"
            )
        element, parent = Element(tag, attributes or _NO_ATTRIBUTES), open_ones[-1]
        if isinstance(parent.children, list):
            parent.children.append(element)
        else:
            parent.children = [element]
        open_ones.append(element)

    def end(_: str) -> None:
        open_ones.pop()

    def text(data: str) -> None:
        element = open_ones[-1]
        if element.tag == "dim" and len(element.text) < _LONGEST_LENGTH:
            element.text += (data if element.text else data.lstrip())[:_LONGEST_LENGTH]

    def declaration(_version: str, encoding: str | None, _standalone: int) -> None:
        nonlocal declared
        declared = encoding or ""

    def refuse(*_: object) -> None:
        raise _Refused("its XML defines entities, which no model needs")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.XmlDeclHandler = declaration
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    given = 0
    for piece in source.pieces(_PIECE):
        try:
            parser.Parse(bytes(piece), False)
        except (ValueError, LookupError) as error:  # of Python's codecs, for those of no text
            name = clip(declared, _LONGEST_ENCODING)
            why = f"its XML declares the encoding '{name}', which Inspector does not read"
            raise source.failure(why, "Save it again in UTF-8.") from error
        given += len(piece)
        if given - parser.CurrentByteIndex > _LONGEST_TAG_BYTES:
            raise _Refused(f"its XML has a tag of more than {_LONGEST_TAG_BYTES >> 20} MiB")
    parser.Parse(b"", True)
    return root


class _Reader:
    """Layers, weights and inner graphs of one model."""

    def __init__(self, source: Source, path: Path | None, root: Element) -> None:
        net = root.first("net")
        if net is None:
            raise _Refused("it is not an OpenVINO model")
        self._net, self._source, self._parts = net, source, Parts(source)
        self._near = ExternalFiles(path)
        self._file = f"{Path(source.name).stem}.bin"
        self._layers: list[Layer] = []
        self._weights: list[WeightInfo] = []
        self._values: list[TensorInfo] = []
        self._graphs: list[InnerGraph] = []
        self._versions: dict[str, None] = {}

    def model(self) -> Model:
        """Return the model value."""
        net = self._net
        inputs, outputs = self._add(net, None, "", "")
        size = self._near.look_up(self._file).size_bytes if not forbidden(self._file) else 0
        conversion = self._conversion()
        facts = (
            ("Operator sets", ", ".join(sorted(self._versions))),
            ("Weights file", self._file if size else ""),
            (
                "Flexible shapes",
                "; ".join(
                    f"{value.name}: {value.full_type}" for value in inputs if value.full_type
                )[:_LONGEST],
            ),
            *conversion,
        )
        model = Model(
            name=self._source.name, format="openvino", size_bytes=self._source.size + size,
            ir_version=0, opsets=(), producer="", producer_version="", domain="", version=0,
            doc="", graph_name=net.attributes.get("name", "")[:_LONGEST],
            metadata=tuple(self._model_info()),
            inputs=inputs, outputs=outputs, layers=tuple(self._layers),
            weights=tuple(self._weights), values=tuple(self._values),
            graphs=tuple(self._graphs),
            details=FormatDetails(
                title="OpenVINO",
                version=f"IR version {net.attributes.get('version', '?')[:20]}",
                facts=tuple((name, value) for name, value in facts if value),
            ),
        )  # fmt: skip
        return replace(model, findings=tuple(weight_findings(model)))

    def _conversion(self) -> Iterator[tuple[str, str]]:
        """Yield what the model optimizer wrote about itself."""
        info = self._net.first("rt_info")
        if info is None:
            return
        for name, title in (
            ("Runtime_version", "Written by OpenVINO"), ("MO_version", "Converted by"),
        ):  # fmt: skip
            entry = info.first(name)
            if entry is not None and entry.attributes.get("value"):
                yield title, entry.attributes["value"][:_LONGEST]

    def _model_info(self) -> Iterator[tuple[str, str]]:
        """Yield what OpenVINO's Model API wrote about inputs and classes, such as labels."""
        info = self._net.first("rt_info")
        listed = info.first("model_info") if info is not None else None
        entries = listed.children if listed is not None else ()
        for entry in entries[:_MOST_INFO]:
            if entry.attributes.get("value"):
                value = entry.attributes["value"][:_LONGEST_INFO]
                yield f"model_info.{entry.tag[:_LONGEST]}", value

    def _add(
        self, graph: Element, parent: int | None, branch: str, prefix: str, depth: int = 0
    ) -> tuple[tuple[TensorInfo, ...], tuple[TensorInfo, ...]]:
        """Take in a graph; return its inputs and outputs. prefix: of names of inner graphs."""
        if depth > 50:
            raise _Refused("its graphs are nested too deeply")
        listed, edges = graph.first("layers"), graph.first("edges")
        layers = [*listed.all("layer")] if listed is not None else []
        sources: dict[tuple[int, int], tuple[int, int]] = {}
        for edge in edges.all("edge") if edges is not None else ():
            to = edge.number("to-layer"), edge.number("to-port")
            sources[to] = edge.number("from-layer"), edge.number("from-port")
        names = {}
        for layer in layers:
            found = _outputs(layer, prefix)
            length = sum(len(value.name) for value in found.values())
            self._parts.add(1 + len(found) + length // _NAME_PART)
            names.update(found)
        known = {value.name: value for value in names.values()}
        inputs: list[TensorInfo] = []
        outputs: list[TensorInfo] = []
        for layer in layers:
            kind = layer.attributes.get("type", "")
            values = [
                names[layer.number("id"), port.number("id")] for port in _ports(layer, "output")
            ]
            taken = [
                names[sources[layer.number("id"), port.number("id")]].name
                for port in _ports(layer, "input")
                if sources.get((layer.number("id"), port.number("id"))) in names
            ]
            if kind == "Parameter":
                inputs += [_bounded(layer, value) for value in values]
            elif kind == "Result":
                outputs += [known[name] for name in taken]
            elif kind == "Const":
                self._add_weight(layer, values)
            else:
                self._values += values
                self._add_layer(layer, kind, taken, values, parent, branch, depth)
        return tuple(inputs), tuple(outputs)

    def _add_layer(
        self, layer: Element, kind: str, taken: list[str], values: list[TensorInfo],
        parent: int | None, branch: str, depth: int,
    ) -> None:  # fmt: skip
        index, name = len(self._layers), _clipped_name(layer)
        version = layer.attributes.get("version", "")
        self._versions[version] = None
        self._versions.pop("", None)
        data = layer.first("data")
        attributes = [
            Attribute(key, "string", value[:_LONGEST])
            for key, value in (data.attributes.items() if data is not None else ())
        ]
        metadata = tuple(
            (
                each.attributes.get("name", "")[:_LONGEST],
                each.attributes.get("value", "yes")[:_LONGEST],
            )
            for info in layer.all("rt_info")
            for each in info.all("attribute")
        )
        self._layers.append(
            Layer(
                index, name, kind or "unknown", DOMAIN, tuple(taken),
                tuple(v.name for v in values), tuple(attributes), parent, branch, "", metadata,
                version,
            )
        )  # fmt: skip
        for body in layer.children:
            if body.tag in _BODIES:
                place = len(self._graphs)
                self._graphs.append(InnerGraph(index, body.tag, "", (), ()))
                inside = f"{name}/{body.tag}/"
                inner = self._add(body, index, body.tag, inside, depth + 1)
                self._graphs[place] = InnerGraph(index, body.tag, "", *inner)

    def _add_weight(self, layer: Element, values: list[TensorInfo]) -> None:
        data = layer.first("data")
        if data is None or not values:
            return
        info = values[0]
        dtype = element(data.attributes.get("element_type", "")) or info.dtype
        shape = tuple(axis for axis in info.shape or () if isinstance(axis, int))
        offset, size = data.number("offset"), data.number("size")
        expected = packed_bytes(dtype, product(shape) or 0)
        file = self._near.look_up(self._file)
        place: Place | None = None
        if file.path is None:
            problem = f"its values are in '{self._file[:120]}', but {file.problem}"
        elif offset < 0 or size < 0 or offset + size > file.size_bytes:
            problem = f"it would lie beyond the end of '{self._file[:120]}'"
        else:
            place, problem = Place(self._file, offset, size), ""
            if expected is not None and expected != size and dtype != "string":
                problem = f"it has {size:,} B of values, but its shape needs {expected:,} B"
        if dtype == "string" and place is not None:
            problem = "Inspector cannot show strings of OpenVINO models"
        self._weights.append(
            WeightInfo(info.name, dtype, shape, max(0, size), place, problem=problem)
        )


def _ports(layer: Element, side: str) -> Iterator[Element]:
    for each in layer.all(side):
        yield from each.all("port")


def _clipped_name(layer: Element) -> str:
    """Return the name of a layer, of which others are made: of values, of inner layers."""
    return layer.attributes.get("name", "")[:_LONGEST_NAME]


def _outputs(layer: Element, prefix: str) -> dict[tuple[int, int], TensorInfo]:
    """Return the values that a layer makes, by (layer, port)."""
    ports = [*_ports(layer, "output")]
    own = _clipped_name(layer) or f"layer {layer.number('id')}"
    found = {}
    for number, port in enumerate(ports):
        name = own if len(ports) == 1 else f"{own}:{number}"
        shape = tuple(_axis(dim.text) for dim in port.all("dim"))
        dtype = element(port.attributes.get("precision", "")) or "unknown"
        also = port.attributes.get("names", "")[:_LONGEST]
        found[layer.number("id"), port.number("id")] = TensorInfo(
            f"{prefix}{name}"[:_LONGEST_NAME], "tensor", dtype, shape,
            metadata=(("names", also),) if also and also != own else (),
        )  # fmt: skip
    return found


def _bounded(layer: Element, value: TensorInfo) -> TensorInfo:
    """Add the bounds that a Parameter gives to its axes: "float32[1..8, 3, ?, 16..]".

    Its ports say only which axes are dynamic.
    """
    data = layer.first("data")
    shape = data.attributes.get("shape", "")[:_LONGEST] if data is not None else ""
    if ".." not in shape:
        return value
    axes = ", ".join(axis.strip() for axis in shape.split(","))
    return replace(value, full_type=f"{value.dtype}[{axes}]")


def element(name: str) -> str:
    """Return a type of OpenVINO as Inspector calls it: "int64" for I64; empty for none."""
    upper = name.upper()
    match = _WHOLE.match(upper)
    if match and upper not in _TYPES:
        return f"{'u' if match[1] == 'U' else ''}int{match[2]}"
    return _TYPES.get(upper, name.lower())


def _axis(text: str) -> Axis:
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) < 19 else None
