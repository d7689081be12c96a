"""A model for the engine: every value in place, the big ones as references into the file."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from onnx import TensorProto

from inspector.formats.onnx.lazy_scan import (
    DOUBLE,
    FIELD_NAMES,
    FLOAT,
    INLINE_BYTES,
    RAW,
    LazyScan,
    Payload,
)
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.onnx.types import text
from inspector.formats.protobuf_wire import PADDING, framed, records
from inspector.formats.source import Source

# Typed fields of numbers are packed little-endian, as raw_data is, for these types only.
_SAME_AS_RAW = {
    FLOAT: (TensorProto.FLOAT, TensorProto.COMPLEX64),
    DOUBLE: (TensorProto.DOUBLE, TensorProto.COMPLEX128),
}


def complete(proto: Any, skim: LazyScan, source: Source) -> None:
    """Give an onnx.ModelProto that was read from a skim its payloads back, in place.

    Bytes that a runtime can use as they are become external data in the model's own file:
    `data_location` EXTERNAL, `external_data` with location (the file's name), offset and
    length. All others (varints, strings, values in several pieces) are read and filled in.
    A tensor whose values were external before keeps its own reference.
    """
    for _, attribute, payload in _long_strings(proto, skim):
        attribute.s = source.read(payload.offset, payload.length)
    for tensor in tensors(proto):
        payloads = _unmarked(tensor, skim)
        if tensor.data_location == TensorProto.EXTERNAL:
            continue
        for payload in payloads:
            if len(payloads) == 1 and _as_it_is(tensor, payload):
                _refer(tensor, payload, source.name)
            elif payload.length > INLINE_BYTES:
                _fill(tensor, payload, source)


def shorten(proto: Any, skim: LazyScan, source: Source) -> Mapping[str, int]:
    """Replace long strings of attributes by their ends, in place, with their number of bytes.

    The ends and the length tell two strings apart. Returns the bytes of all long strings of a
    node by the name of its first output.
    """
    sizes: dict[str, int] = {}
    for node, attribute, payload in _long_strings(proto, skim):
        output = text(node.output[0]) if node is not None and node.output else ""
        sizes[output] = sizes.get(output, 0) + payload.length
        first = source.read(payload.offset, INLINE_BYTES)
        last = source.read(payload.offset + payload.length - INLINE_BYTES, INLINE_BYTES)
        attribute.s = b"%b %d %b" % (first, payload.length, last)
    return sizes


def _long_strings(proto: Any, skim: LazyScan) -> Iterator[tuple[Any, Any, Payload]]:
    """Yield each onnx.NodeProto (None outside of nodes), an attribute of it whose string was
    left in the file, and the place of the string."""
    if not skim.strings:
        return
    mark = skim.mark.encode()
    of_functions = [(None, a) for f in proto.functions for a in f.attribute_proto]
    functions = (pair for function in proto.functions for pair in _attributes(function.node))
    graphs = (pair for graph in _main_graphs(proto) for pair in _attributes(graph.node))
    for node, attribute in chain(graphs, functions, of_functions):
        if attribute.s.startswith(mark):
            (payload,) = skim.payloads[int(attribute.s.removeprefix(mark))]
            yield node, attribute, payload


def _attributes(nodes: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield each onnx.NodeProto with each of its attributes, those of inner graphs included."""
    for node in nodes:
        for attribute in node.attribute:
            yield node, attribute
            inner = [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else ())]
            for graph in inner:
                yield from _attributes(graph.node)


def relocate(proto: Any, model: Path) -> None:
    """Name side files as they are called from the folder of the real model file, in place.

    A download that consists of links into one store has its files there under other names,
    and the runtime follows no link that leads out of the folder it is given.
    """
    real_home, near = Path(os.path.realpath(model)).parent, ExternalFiles(model)
    for tensor in tensors(proto):
        for entry in tensor.external_data:
            if entry.key != "location":
                continue
            real = near.look_up(text(entry.value)).path
            if real is not None and real.is_relative_to(real_home):
                entry.value = real.relative_to(real_home).as_posix()


def tensors(proto: Any) -> Iterator[Any]:
    """Yield every onnx.TensorProto of an onnx.ModelProto, those of sparse tensors included."""
    for graph in _main_graphs(proto):
        yield from _of_graph(graph)
    for function in proto.functions:
        for node in function.node:
            yield from _of_attributes(node.attribute)
        yield from _of_attributes(function.attribute_proto)


def _main_graphs(proto: Any) -> Iterator[Any]:
    yield proto.graph
    for info in proto.training_info:
        yield from (info.initialization, info.algorithm)


def _of_graph(graph: Any) -> Iterator[Any]:
    yield from graph.initializer
    yield from _of_sparse(graph.sparse_initializer)
    for node in graph.node:
        yield from _of_attributes(node.attribute)


def _of_attributes(attributes: Iterable[Any]) -> Iterator[Any]:
    for attribute in attributes:
        if attribute.HasField("t"):
            yield attribute.t
        if attribute.HasField("g"):
            yield from _of_graph(attribute.g)
        if attribute.HasField("sparse_tensor"):
            yield from _of_sparse([attribute.sparse_tensor])
        yield from attribute.tensors
        yield from _of_sparse(attribute.sparse_tensors)
        for graph in attribute.graphs:
            yield from _of_graph(graph)


def _of_sparse(sparse: Iterable[Any]) -> Iterator[Any]:
    for tensor in sparse:
        yield tensor.values
        yield tensor.indices


def _unmarked(tensor: Any, skim: LazyScan) -> tuple[Payload, ...]:
    payloads: tuple[Payload, ...] = ()
    for index, entry in reversed([*enumerate(tensor.external_data)]):
        if entry.key == skim.mark:
            payloads = payloads or skim.payloads[int(entry.value)]
            del tensor.external_data[index]
    return payloads


def _as_it_is(tensor: Any, payload: Payload) -> bool:
    is_plain = payload.field == RAW or tensor.data_type in _SAME_AS_RAW.get(payload.field, ())
    return is_plain and payload.records == 1 and payload.length > INLINE_BYTES


def _refer(tensor: Any, payload: Payload, name: str) -> None:
    tensor.ClearField(FIELD_NAMES[payload.field])
    tensor.data_location = TensorProto.EXTERNAL
    places = ("location", name), ("offset", payload.offset), ("length", payload.length)
    for key, value in places:
        tensor.external_data.add(key=key, value=str(value))


def _fill(tensor: Any, payload: Payload, source: Source) -> None:
    body = source.read(payload.offset, payload.length)
    tensor.ClearField(FIELD_NAMES[payload.field])
    if payload.records == 1:
        tensor.MergeFromString(framed(payload.field, body))
        return
    for field, _, start, _, stop in records(body + PADDING, 0, len(body)):
        if field == payload.field:
            tensor.MergeFromString(body[start:stop])
