"""What a model file declares beside its graph: functions, training, quantisation."""

from collections.abc import Iterable
from typing import Any

from inspector.model import Annotation, Attribute, Function, Opset, Training
from inspector.readers.attributes import attribute_in_words
from inspector.readers.graph import Flattened, domain
from inspector.readers.tensors import Tensors
from inspector.readers.types import LONGEST, described, metadata, text, texts


def function(proto: Any, tensors: Tensors) -> tuple[Function, Flattened]:
    """Describe an onnx.FunctionProto; the weights of its body come in the second value."""
    name = text(proto.name)
    body = Flattened(tensors, f"{name}/")
    body.add_nodes(proto.node)
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
        values=(*map(described, proto.value_info), *body.values),
        metadata=metadata(proto.metadata_props),
    )
    return described_function, body


def opsets(protos: Iterable[Any]) -> tuple[Opset, ...]:
    """Describe onnx.OperatorSetIdProto values."""
    return tuple(Opset(domain(proto.domain), proto.version) for proto in protos)


def training(proto: Any, tensors: Tensors) -> Training:
    """Describe an onnx.TrainingInfoProto."""
    first, step = Flattened(tensors), Flattened(tensors)
    first.add_graph(proto.initialization)
    step.add_graph(proto.algorithm)
    return Training(
        initialization=tuple(first.layers),
        algorithm=tuple(step.layers),
        weights=(*first.weights, *step.weights),
        bindings=metadata(proto.initialization_binding),
        updates=metadata(proto.update_binding),
    )


def annotations(protos: Iterable[Any]) -> tuple[Annotation, ...]:
    """Describe onnx.TensorAnnotation values, which tell how values are quantised."""
    return tuple(
        Annotation(text(proto.tensor_name), metadata(proto.quant_parameter_tensor_names))
        for proto in protos
    )
