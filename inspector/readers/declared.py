"""What a model file declares beside its graph: functions, training, quantisation."""

from collections.abc import Iterable
from typing import Any

from inspector.model import Attribute, Function, Opset, Training
from inspector.readers.attributes import attribute_in_words
from inspector.readers.graph import Flattened, domain, inner_graph
from inspector.readers.tensors import Tensors
from inspector.readers.types import LONGEST, described, metadata, text, texts


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
            *map(attribute_in_words, proto.attribute_proto),
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
