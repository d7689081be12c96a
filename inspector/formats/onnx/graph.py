"""A graph and all graphs inside it as one flat list of layers and weights."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from inspector.formats.onnx.attributes import (
    GRAPH,
    GRAPHS,
    HOLDERS,
    SPARSE,
    SPARSES,
    TENSOR,
    TENSORS,
    attribute_kind,
    attribute_text,
)
from inspector.formats.onnx.tensors import Tensors
from inspector.formats.onnx.types import LONGEST, described, metadata, text, texts
from inspector.formats.onnx.vectorized import LongGraph
from inspector.model.model import (
    Annotation,
    Attribute,
    DeviceConfiguration,
    InnerGraph,
    Layer,
    TensorInfo,
    WeightInfo,
)

_MOST = 8  # devices or axes of a sharding that are listed
_REMEMBERED_BYTES = 200  # longest attribute whose text is cached; equal longer ones are rare
_AT_ONCE = 8192  # layers: no other thread comes to Python meanwhile


def configurations(protos: Iterable[Any]) -> tuple[DeviceConfiguration, ...]:
    """Describe onnx.DeviceConfigurationProto values."""
    return tuple(
        DeviceConfiguration(text(proto.name), proto.num_devices, texts(proto.device))
        for proto in protos
    )


def placement(protos: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    """Describe onnx.NodeDeviceConfigurationProto values: (configuration, what it asks)."""
    return tuple((text(proto.configuration_id), _words(proto)) for proto in protos)


def _words(proto: Any) -> str:
    stage = (
        [f"pipeline stage {proto.pipeline_stage}"] if proto.HasField("pipeline_stage") else []
    )
    shardings = [_sharding(spec) for spec in proto.sharding_spec[:_MOST]]
    more = len(proto.sharding_spec) - len(shardings)
    return "; ".join([*stage, *shardings, *([f"and {more:,} more"] if more > 0 else [])])


def _sharding(spec: Any) -> str:
    name, devices = text(spec.tensor_name), _numbers(spec.device)
    axes = [axis_text for axis in spec.sharded_dim[:_MOST] for axis_text in _axis(axis)]
    how = f" split along {', '.join(axes)}" if axes else ""
    groups = "".join(
        f", {entry.key} means {_numbers(entry.value)}"
        for entry in spec.index_to_device_group_map[:_MOST]
    )
    return f"{name}{how} on {devices}{groups}" if devices else f"{name}{how}{groups}"


def _axis(axis: Any) -> list[str]:
    parts = [f"{_length(each)} into {each.num_shards}" for each in axis.simple_sharding[:_MOST]]
    return [f"axis {axis.axis}{part}" for part in parts or [""]]


def _length(sharding: Any) -> str:
    which = sharding.WhichOneof("dim")
    if which is None:
        return ""
    return f" ({sharding.dim_value if which == 'dim_value' else text(sharding.dim_param)})"


def _numbers(devices: Any) -> str:
    shown = ", ".join(str(number) for number in devices[:_MOST])
    more = " …" if len(devices) > _MOST else ""
    return f"device {shown}{more}" if shown else ""


class Flattened:
    """Layers in the order of the file, each control-flow node before the nodes inside it."""

    def __init__(self, tensors: Tensors, place: str = "", placed: bool = False) -> None:
        """placed: whether nodes may ask for devices, so that it is worth looking."""
        self._tensors, self._place, self._placed = tensors, place, placed
        self._attributes: dict[bytes, Attribute] = {}
        self.layers: list[Layer] = []
        self.weights: list[WeightInfo] = []
        self.values: list[TensorInfo] = []
        self.graphs: list[InnerGraph] = []

    def add_graph(
        self,
        graph: Any,
        parent: int | None = None,
        branch: str = "",
        long: LongGraph | None = None,
    ) -> None:
        """Take in an onnx.GraphProto: its nodes, weights and inner values.

        long: what of it has been read at once before, and is not in `graph`.
        """
        layer, tensors = parent if not self._place else None, iter(graph.initializer)
        if long is not None:
            self.weights += (w or self._tensors.weight(next(tensors)) for w in long.weights)
        self.weights += (self._tensors.weight(tensor, layer=layer) for tensor in tensors)
        self.weights += (
            self._tensors.sparse(tensor, "sparse initializer", layer)
            for tensor in graph.sparse_initializer
        )
        if parent is None:
            self.values += map(described, graph.value_info)
        else:
            inner = inner_graph(graph, parent, branch)
            self.graphs.append(inner)
            self.values += (*inner.values, *inner.inputs, *inner.outputs)
        if long is None:
            self.add_nodes(graph.node, parent, branch)
        else:
            nodes = iter(graph.node)
            many = long.nodes
            position = 0
            for place in (*many.odd.nonzero()[0].tolist(), len(many.odd)):
                for start in range(position, place, _AT_ONCE):
                    stop = min(place, start + _AT_ONCE)
                    self.layers += many.layers(len(self.layers), start, stop)
                self.add_nodes(islice(nodes, 1))
                position = place + 1

    def add_nodes(
        self, nodes: Iterable[Any], parent: int | None = None, branch: str = ""
    ) -> None:
        """Take in onnx.NodeProto values, and what is inside them."""
        layers, placed = self.layers, self._placed
        for node in nodes:
            index, attributes = len(layers), node.attribute[:]
            if not attributes:
                layers.append(_layer(index, node, (), parent, branch, placed))
                continue
            described_ones = tuple(map(self._attribute, attributes))
            layers.append(_layer(index, node, described_ones, parent, branch, placed))
            for attribute in attributes:
                number = attribute_kind(attribute)
                if number in (GRAPH, GRAPHS):
                    for name, graph in _graphs([attribute]):
                        self.add_graph(graph, index, name)
                elif number in HOLDERS:
                    self._add_tensors(index, node, attribute, number)

    def _add_tensors(self, index: int, node: Any, attribute: Any, number: int) -> None:
        name = self._constant_name(index, node, attribute)
        self._add_named_tensors(index if not self._place else None, name, attribute, number)

    def add_defaults(self, attributes: Iterable[Any]) -> None:
        """Take in the tensors of onnx.AttributeProto values that a call may leave out."""
        for attribute in attributes:
            name = self._place + text(attribute.name)
            self._add_named_tensors(None, name, attribute, attribute_kind(attribute))

    def add_default_graphs(self, attributes: Iterable[Any]) -> None:
        """Take in the graphs of onnx.AttributeProto values that a call may leave out."""
        for branch, graph in _graphs(attributes):
            inner = inner_graph(graph, None, branch)
            self.graphs.append(inner)
            self.values += (*inner.inputs, *inner.outputs)
            self.add_graph(graph, None, branch)

    def _add_named_tensors(
        self, layer: int | None, name: str, attribute: Any, number: int
    ) -> None:
        if number == TENSOR:
            self.weights.append(self._tensors.weight(attribute.t, "constant", layer, name))
        if number == SPARSE:
            sparse = attribute.sparse_tensor
            self.weights.append(self._tensors.sparse(sparse, "constant", layer, name))
        if number in (TENSORS, SPARSES):
            add = self._tensors.weight if number == TENSORS else self._tensors.sparse
            several = attribute.tensors if number == TENSORS else attribute.sparse_tensors
            for place, tensor in enumerate(several):
                self.weights.append(add(tensor, "constant", layer, f"{name}[{place}]"))

    def _attribute(self, proto: Any) -> Attribute:
        """Describe an onnx.AttributeProto; equal ones, of which models are full, only once."""
        if attribute_kind(proto) in HOLDERS:
            return attribute_text(proto)
        key = proto.SerializeToString()
        described = self._attributes.get(key)
        if described is None:
            described = attribute_text(proto)
            if len(key) <= _REMEMBERED_BYTES:
                self._attributes[key] = described
        return described

    def _constant_name(self, index: int, node: Any, attribute: Any) -> str:
        if node.op_type == "Constant" and node.output:
            return self._place + text(node.output[0])
        return f"{self._place}{self.layers[index].label}.{text(attribute.name)}"


def _graphs(attributes: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the onnx.GraphProto values of attributes, each with what `Layer.branch` is."""
    for attribute in attributes:
        name = text(attribute.name)
        if attribute.HasField("g"):
            yield name, attribute.g
        for place, graph in enumerate(attribute.graphs):
            yield f"{name}[{place}]", graph


def inner_graph(graph: Any, layer: int | None, branch: str) -> InnerGraph:
    """Describe an onnx.GraphProto inside a layer, but for its layers and weights."""
    return InnerGraph(
        layer,
        branch,
        text(graph.name),
        tuple(map(described, graph.input)),
        tuple(map(described, graph.output)),
        tuple(map(described, graph.value_info)),
        text(graph.doc_string)[:LONGEST],
        metadata(graph.metadata_props),
        annotations(graph.quantization_annotation),
    )


def annotations(protos: Iterable[Any]) -> tuple[Annotation, ...]:
    """Describe onnx.TensorAnnotation values, which hold quantization parameters."""
    return tuple(
        Annotation(text(proto.tensor_name), metadata(proto.quant_parameter_tensor_names))
        for proto in protos
    )


def _layer(
    index: int,
    node: Any,
    attributes: tuple[Attribute, ...],
    parent: int | None,
    branch: str,
    placed: bool,
) -> Layer:
    """Describe an onnx.NodeProto; `_make` takes half the time of `Layer(...)`.

    placed: whether it may ask for devices.
    """
    name, operator, space = node.name, node.op_type, node.domain
    doc, overload, metadata_props = node.doc_string, node.overload, node.metadata_props
    inputs, outputs = tuple(node.input[:]), tuple(node.output[:])
    try:
        "".join((name, operator, *inputs, *outputs))
    except TypeError:  # what is no valid UTF-8 comes as bytes
        name, operator = text(name), text(operator)
        inputs, outputs = texts(node.input), texts(node.output)
    return Layer._make(
        (
            index,
            name,
            operator,
            domain(space) if space else "",
            inputs,
            outputs,
            attributes,
            parent,
            branch,
            text(doc)[:LONGEST] if doc else "",
            metadata(metadata_props) if metadata_props else (),
            text(overload) if overload else "",
            placement(node.device_configurations) if placed else (),
        )
    )


def domain(name: str | bytes) -> str:
    """Return an operator set's domain; the default one has two names."""
    return "" if not name or name == "ai.onnx" else text(name)
