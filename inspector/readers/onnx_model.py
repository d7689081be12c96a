"""ONNX model files: from bytes on disk to a Model, without the weights."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError
from onnx import ModelProto

from inspector.collector import uncollected
from inspector.model import Function, Model, WeightInfo
from inspector.readers.declared import function, opsets, training
from inspector.readers.external import Neighbourhood
from inspector.readers.graph import Flattened, annotations
from inspector.readers.guards import findings
from inspector.readers.kinds import HEAD_BYTES, by_fields, by_first_bytes, by_suffix
from inspector.readers.long_graph import long_graph
from inspector.readers.placement import configurations
from inspector.readers.skeleton import complete
from inspector.readers.skim import Skim, outline, skim
from inspector.readers.source import Source
from inspector.readers.tensors import Tensors
from inspector.readers.types import described, metadata, text
from inspector.readers.wire import Malformed

_AGAIN = "Download or export it again."
_PLACING_IR = 11  # the first one whose nodes may ask for devices


def parsed(source: Source) -> tuple[Any, Skim]:
    """Return the onnx.ModelProto of a file without big payloads, and where those lie.

    Raises UnreadableFile: not an ONNX model, damaged, or over the limits of `skim`.
    """
    _check_kind(source)
    found = skim(source)
    return _proto(found.body, source), found


def _proto(body: bytes, source: Source) -> Any:
    try:
        return ModelProto.FromString(body)
    except DecodeError as error:
        why = "it is not an ONNX model, or a damaged one"
        raise source.failure(why, _AGAIN) from error


def skeleton(source: Source) -> Any:
    """Read an onnx.ModelProto whose big payloads are references into the file itself.

    See `inspector.readers.skeleton.complete` for the form. Raises UnreadableFile.
    """
    proto, found = parsed(source)
    try:
        complete(proto, found, source)
    except (DecodeError, Malformed) as error:  # values that the walk passed over
        raise source.failure("the values of a tensor in it are damaged", _AGAIN) from error
    return proto


def _check_kind(source: Source) -> None:
    other = by_first_bytes(source.head(HEAD_BYTES))
    if other is None:
        try:
            other = by_fields(outline(source), source.name)
        except Malformed as error:
            other = by_suffix(source.name) or (str(error), error.hint)
    if other is not None:
        raise source.failure(*other)


def read(source: Source, path: Path | None) -> Model:
    """Read an ONNX model; path: where its side files may lie. Raises UnreadableFile."""
    with uncollected():
        return _read(source, path)


def _read(source: Source, path: Path | None) -> Model:
    _check_kind(source)
    found = skim(source)
    long = long_graph(found)
    proto = _proto(long.rest if long is not None else found.body, source)
    graph = proto.graph
    tensors = Tensors(found, Neighbourhood(path))
    placed = bool(proto.configuration) or proto.ir_version >= _PLACING_IR
    main = Flattened(tensors, placed=placed)
    main.add_graph(graph, long=long)
    functions, weights = _functions(proto.functions, tensors, placed)
    weights = (*main.weights, *weights)
    given = {w.name for w in main.weights if w.origin != "constant" and w.layer is None}
    inputs = tuple(described(value) for value in graph.input)
    model = replace(
        _told(proto, source),
        inputs=tuple(value for value in inputs if value.name not in given),
        layers=tuple(main.layers),
        weights=weights,
        values=tuple(main.values),
        functions=functions,
        defaults=tuple(value for value in inputs if value.name in given),
        training=tuple(training(info, tensors, placed) for info in proto.training_info),
        graphs=tuple(main.graphs),
    )
    return replace(model, findings=findings(model))


def _told(proto: Any, source: Source) -> Model:
    """What the file says of itself in so many words; its layers and tensors are to come."""
    graph = proto.graph
    return Model(
        name=source.name,
        format="onnx",
        size_bytes=source.size,
        ir_version=proto.ir_version,
        opsets=opsets(proto.opset_import),
        producer=text(proto.producer_name),
        producer_version=text(proto.producer_version),
        domain=text(proto.domain),
        version=proto.model_version,
        doc=text(proto.doc_string),
        graph_name=text(graph.name),
        metadata=metadata(proto.metadata_props),
        inputs=(),
        outputs=tuple(described(value) for value in graph.output),
        layers=(),
        weights=(),
        graph_doc=text(graph.doc_string),
        graph_metadata=metadata(graph.metadata_props),
        annotations=annotations(graph.quantization_annotation),
        configurations=configurations(proto.configuration),
    )


def _functions(
    protos: Iterable[Any], tensors: Tensors, placed: bool
) -> tuple[tuple[Function, ...], tuple[WeightInfo, ...]]:
    read_ones = [function(proto, tensors, placed) for proto in protos]
    weights = tuple(weight for _, body in read_ones for weight in body.weights)
    return tuple(described_one for described_one, _ in read_ones), weights
