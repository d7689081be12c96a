"""ONNX model files: from bytes on disk to a Model, without the weights."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError
from onnx import ModelProto

from inspector.formats.model_formats import (
    HEAD_BYTES,
    ZIP_ARCHIVE,
    describe_by_fields,
    describe_by_first_bytes,
    describe_by_suffix,
)
from inspector.formats.onnx.attributes import attribute_text
from inspector.formats.onnx.compiled_parts import compiled_parts
from inspector.formats.onnx.graph import (
    Flattened,
    annotations,
    configurations,
    domain,
    inner_graph,
)
from inspector.formats.onnx.index_checks import index_findings
from inspector.formats.onnx.lazy_scan import LazyScan, lazy_scan, outline
from inspector.formats.onnx.repeat_checks import repeat_findings
from inspector.formats.onnx.skeleton import complete, relocate, shorten, tensors
from inspector.formats.onnx.structure_checks import findings
from inspector.formats.onnx.tensors import ExternalFiles, Tensors, entries, forbidden
from inspector.formats.onnx.types import LONGEST, described, metadata, text, texts
from inspector.formats.onnx.vectorized import long_graph
from inspector.formats.protobuf_wire import Malformed, Window, records
from inspector.formats.recognition import zip_names
from inspector.formats.source import Source
from inspector.model.model import (
    Attribute,
    Finding,
    Function,
    Model,
    Opset,
    Training,
    WeightInfo,
)
from inspector.platform.gc_policy import uncollected

_GRAPH = 7  # field of ModelProto
_TOP_RECORDS = 100_000  # of a file that are looked at for a second graph
_AGAIN = "Download or export it again."
_PLACING_IR = 11  # the first one whose nodes may ask for devices
_FLAG_BYTES = 16  # of one Boolean value, however its field is packed


def function(proto: Any, tensors: Tensors, placed: bool = False) -> tuple[Function, Flattened]:
    """Describe an onnx.FunctionProto; the weights of its body come in the second value."""
    name = text(proto.name)
    body = Flattened(tensors, f"{name}/", placed)
    body.add_nodes(proto.node)
    body.add_defaults(proto.attribute_proto)
    chosen = Flattened(tensors, f"{name}/", placed)
    chosen.add_default_graphs(proto.attribute_proto)
    body.weights += chosen.weights
    described_function = Function(
        name=name,
        domain=domain(proto.domain),
        overload=text(proto.overload),
        inputs=texts(proto.input),
        outputs=texts(proto.output),
        layers=tuple(body.layers),
        doc=text(proto.doc_string)[:LONGEST],
        attributes=(
            *(Attribute(attribute, "", "") for attribute in texts(proto.attribute)),
            *map(attribute_text, proto.attribute_proto),
        ),
        opsets=opsets(proto.opset_import),
        values=(*map(described, proto.value_info), *body.values, *chosen.values),
        metadata=metadata(proto.metadata_props),
        graphs=(*body.graphs, *chosen.graphs),
        defaults=tuple(chosen.layers),
    )
    return described_function, body


def opsets(protos: Iterable[Any]) -> tuple[Opset, ...]:
    """Describe onnx.OperatorSetIdProto values."""
    return tuple(Opset(domain(proto.domain), proto.version) for proto in protos)


def training(proto: Any, tensors: Tensors, placed: bool = False) -> Training:
    """Describe an onnx.TrainingInfoProto."""
    first, step = Flattened(tensors, placed=placed), Flattened(tensors, placed=placed)
    first.add_graph(proto.initialization)
    step.add_graph(proto.algorithm)
    graphs = (
        inner_graph(proto.initialization, None, "initialization"),
        inner_graph(proto.algorithm, None, "algorithm"),
    )
    return Training(
        initialization=tuple(first.layers),
        algorithm=tuple(step.layers),
        weights=(*first.weights, *step.weights),
        bindings=metadata(proto.initialization_binding),
        updates=metadata(proto.update_binding),
        graphs=(*graphs, *first.graphs, *step.graphs),
    )


def parsed(source: Source) -> tuple[Any, LazyScan]:
    """Return the onnx.ModelProto of a file without big payloads, and where those lie.

    Raises UnreadableFile: not an ONNX model, damaged, or over the limits of `lazy_scan`.
    """
    _check_kind(source)
    scan = lazy_scan(source)
    return _proto(scan.body, source), scan


def _proto(body: bytes, source: Source) -> Any:
    try:
        return ModelProto.FromString(body)
    except DecodeError as error:
        why = "it is not an ONNX model, or it is damaged"
        raise source.failure(why, _AGAIN) from error


def side_files(source: Source) -> list[str]:
    """Return the names of external data files, without forbidden ones. Raises as `parsed`."""
    proto, _ = parsed(source)
    named = (entries(tensor).get("location", "") for tensor in tensors(proto))
    return [name for name in dict.fromkeys(named) if not forbidden(name)]


def skeleton(source: Source, path: Path) -> Any:
    """Read an onnx.ModelProto whose big payloads are references into the file itself.

    See `inspector.formats.onnx.skeleton.complete` for the form. path: where external data files
    get their real names if it is a symbolic link. Raises UnreadableFile.
    """
    proto, scan = parsed(source)
    try:
        complete(proto, scan, source)
    except (DecodeError, Malformed) as error:  # values that the walk passed over
        raise source.failure("the values of a tensor in it are damaged", _AGAIN) from error
    if path.is_symlink():
        relocate(proto, path)
    return proto


def _check_kind(source: Source) -> None:
    other = describe_by_first_bytes(source.head(HEAD_BYTES))
    if other == ZIP_ARCHIVE and not zip_names(source):
        other = "it is a damaged ZIP archive", "Download or export it again."
    if other is None:
        try:
            other = describe_by_fields(outline(source), source.name)
        except Malformed as error:
            other = describe_by_suffix(source.name) or (str(error), error.hint)
    if other is not None:
        raise source.failure(*other)


def read(source: Source, path: Path | None) -> Model:
    """Read an ONNX model; path: where its side files may lie. Raises UnreadableFile."""
    with uncollected():
        _check_kind(source)
        scan = lazy_scan(source)
        long = long_graph(scan)
        proto = _proto(long.rest if long is not None else scan.body, source)
        graph = proto.graph
        long_strings = shorten(proto, scan, source)
        near = ExternalFiles(path)
        tensors = Tensors(scan, near)
        placed = bool(proto.configuration) or proto.ir_version >= _PLACING_IR
        main = Flattened(tensors, placed=placed)
        main.add_graph(graph, long=long)
        functions, weights = _functions(proto.functions, tensors, placed)
        weights = (*main.weights, *weights)
        given = {w.name for w in main.weights if w.origin != "constant" and w.layer is None}
        inputs = tuple(described(value) for value in graph.input)
        model = replace(
            _from_header(proto, source),
            inputs=tuple(value for value in inputs if value.name not in given),
            layers=tuple(main.layers),
            weights=weights,
            values=tuple(main.values),
            functions=functions,
            defaults=tuple(value for value in inputs if value.name in given),
            training=tuple(training(info, tensors, placed) for info in proto.training_info),
            graphs=tuple(main.graphs),
        )
        opset = next((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), 1)
        noticed = repeat_findings(
            model.layers, opset, lambda name: _is_true(model, source, name)
        )
        model = replace(model, compiled=compiled_parts(
            model.layers, graph.node, long_strings, near
        ))  # fmt: skip
        found = (*_several_models(source, findings(model)), *noticed)
        return replace(model, findings=(*index_findings(model, source.read), *found))


def _several_models(source: Source, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the findings, of several models that stand one after the other only that.

    Protobuf reads such a file as one model with all inputs and layers.
    """
    if not any(each.invalid for each in found):
        return found
    with suppress(Malformed):
        fields = islice(records(Window(source), 0, source.size), _TOP_RECORDS)
        graphs = sum(field == _GRAPH for field, *_ in fields)
        if graphs > 1:
            text = (
                f"the file holds {graphs:,} models, one after the other, as when files are "
                "appended to each other; export the model again into a new file"
            )
            refused_by = next((each.refused_by for each in found if each.refused_by), "")
            return (Finding("", text, True, refused_by),)
    return found


def _is_true(model: Model, source: Source, name: str) -> bool:
    """Return whether a value is a Boolean constant of the file itself that is true."""
    weight = next((each for each in model.weights if each.name == name), None)
    if weight is None or weight.dtype != "bool" or weight.elements != 1:
        return False
    place = weight.place
    if place is None or place.file or not 0 < place.length <= _FLAG_BYTES:
        return False
    return any(source.read(place.offset, place.length))


def _from_header(proto: Any, source: Source) -> Model:
    """Return what the file says of itself in so many words; its layers and tensors are to
    come."""
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
