"""The layers of a model behind OpenVINO's operations, and the time of each layer.

OpenVINO turns each layer of a file into one or several operations, and these into the nodes
that it executes. Before a model is compiled, each operation is given a name that says of which
layer it is: "L7_45", the 45th operation, of layer 7. The nodes of the executed graph list the
names of the operations that they are made of. Nodes without any are added by OpenVINO: reorders
between memory layouts, conversions of types.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from inspector.backends.openvino import runtime
from inspector.formats.openvino.reader import DOMAIN, element
from inspector.model.model import Axis, Model, TensorInfo
from inspector.report.report_values import Support
from inspector.wording.support_marks import Mark, Rule, Source

_NAME = re.compile(r"L(\d+)_\d+")
_INSIDE = re.compile(r"(?<![^_])L(\d+)_\d+(?![^_])")
_MADE_OF = "originalLayersNames"
_KIND = "layerType"
_MOST_NEAR = 8  # layers around a node without a name
_NO_WORK = ("Parameter", "Result", "Constant")
# Types of executed nodes that are changes of layout or type -> what they are on the timeline.
_ADDED = {"Reorder": "layout", "Convert": "cast", "Transpose": "layout"}
# Types of executed nodes -> operations that they compute, where the names differ.
_SAME_WORK = {
    "FullyConnected": ("MatMul",),
    "Pooling": ("Pool",),
    "RNNSeq": ("Sequence",),
    "RNNCell": ("Cell",),
}
# Operators of TensorFlow Lite -> the operation that does their work, alone of its kind there.
_WORK_OF = {
    "CONV_2D": "Convolution",
    "DEPTHWISE_CONV_2D": "GroupConvolution",
    "TRANSPOSE_CONV": "ConvolutionBackpropData",
    "FULLY_CONNECTED": "MatMul",
    "AVERAGE_POOL_2D": "AvgPool",
    "MAX_POOL_2D": "MaxPool",
}
_NOT_TAKEN = "OpenVINO does not run {} on this device."


class ExecutedNode(Struct, frozen=True):
    """A node of the executed graph.

    layers: of the model that it computes, the one first that has its time. before, after: the
    layers on both sides of a node that OpenVINO added, if they are known. dtype: of its output.
    """

    name: str
    operator: str
    kernel: str
    layers: tuple[int, ...]
    dtype: str = ""
    after: int | None = None
    before: int | None = None

    @property
    def added(self) -> str:
        """Return what kind of span a node without layers is ("layout", "cast")."""
        return _ADDED.get(self.operator, "layout")


class Origin(Struct, frozen=True):
    """Which layers OpenVINO's operations are of.

    of: name of each operation -> index of its layer. operators: of each layer, the types
    of the operations that it became.
    """

    of: Mapping[str, int]
    operators: Mapping[int, frozenset[str]]


def origin(read: Any, model: Model) -> Origin:
    """Return of which layer each operation of a model is, before it is compiled.

    A layer's operations end in those that give out its tensors, whose names OpenVINO keeps.
    Others belong to the layer that uses what they compute.
    """
    made_by, in_order = _made_by(model), _paired_in_order(read, model)
    layer_of: dict[str, int] = {}
    operators: dict[int, set[str]] = defaultdict(set)
    for operation in reversed(read.get_ordered_ops()):
        kind = operation.get_type_name()
        if kind in _NO_WORK:
            continue
        names = (name for port in _tensor_names(operation, model) for name in port)
        found = [made_by[name] for name in names if name in made_by]
        if not found and (own := in_order.get(operation.get_friendly_name())) is not None:
            found = [own]
        found = found or [
            layer_of[name]
            for port in operation.outputs()
            for target in port.get_target_inputs()
            if (name := target.get_node().get_friendly_name()) in layer_of
        ]
        if found:
            layer_of[operation.get_friendly_name()] = min(found)
            operators[min(found)].add(kind)
    return Origin(layer_of, {layer: frozenset(kinds) for layer, kinds in operators.items()})


def _paired_in_order(read: Any, model: Model) -> dict[str, int]:
    """Return the layers of operations by their order, where there are as many of each.

    OpenVINO loses the names of tensors of some quantized TensorFlow Lite files, so that all of
    their operations seemed to be of the last layer.
    """
    operations = defaultdict[str, list[str]](list)
    for operation in read.get_ordered_ops():
        operations[operation.get_type_name()].append(operation.get_friendly_name())
    pairs: dict[str, int] = {}
    for operator, kind in _WORK_OF.items():
        layers = [each.index for each in model.layers if each.operator == operator]
        if layers and len(layers) == len(operations[kind]):
            pairs |= dict(zip(operations[kind], layers, strict=True))
    return pairs


def name_operations(read: Any, found: Origin) -> None:
    """Give each operation a name that says of which layer it is."""
    for place, operation in enumerate(read.get_ordered_ops()):
        layer = found.of.get(operation.get_friendly_name())
        if layer is not None:
            operation.set_friendly_name(f"L{layer}_{place}")


def executed_nodes(compiled: Any, found: Origin, model: Model) -> tuple[ExecutedNode, ...]:
    """Return the nodes that a compiled model executes, in their order.

    Where OpenVINO replaces an operation by several, the last one keeps its name. Those without
    a name of ours belong to the layer of a node next to them that is of their kind, or else of
    the node that uses what they compute.
    """
    operations = compiled.get_runtime_model().get_ordered_ops()
    infos = [operation.get_rt_info() for operation in operations]
    kinds = [_text(info, _KIND) for info in infos]
    named = [
        _lead_first(_layers(_text(info, _MADE_OF).split(",")), kind, found)
        for info, kind in zip(infos, kinds, strict=True)
    ]
    places = {each.get_friendly_name(): place for place, each in enumerate(operations)}
    before, after = dict[int, tuple[int, ...]](), dict[int, tuple[int, ...]]()
    for place, operation in enumerate(operations):
        makers = (port.get_source_output().get_node() for port in operation.inputs())
        near = (before.get(places[maker.get_friendly_name()], ()) for maker in makers)
        before[place] = named[place][:1] or _joined(near)
    for place, operation in reversed(tuple(enumerate(operations))):
        readers = (
            target.get_node()
            for port in operation.outputs()
            for target in port.get_target_inputs()
        )
        near = (after.get(places[reader.get_friendly_name()], ()) for reader in readers)
        after[place] = named[place][:1] or _joined(near)
    nodes = []
    for place, (operation, info, kind) in enumerate(zip(operations, infos, kinds, strict=True)):
        layers = named[place]
        if not layers and kind not in _ADDED:
            around = (*after[place], *before[place])
            layers = _lead_first(around, kind, found)[:1]
        nodes.append(
            ExecutedNode(
                operation.get_friendly_name(),
                kind,
                _text(info, "primitiveType"),
                layers,
                element(_text(info, "outputPrecisions").split(",")[0]),
                None if layers else next(iter(before[place]), None),
                None if layers else next(iter(after[place]), None),
            )
        )
    return tuple(_with_main_work(nodes, found, model))


def readable_name(name: str, model: Model) -> str:
    """Return the name of an added node with the names of the layers beside it.

    OpenVINO makes it of the names that operations were given here: "L7_45_abcd_acdb_L8_46",
    which is layer 7, the order of axes before and after, and layer 8.
    """

    def layer(found: re.Match[str]) -> str:
        known = model.layers[int(found[1])]
        return known.name or f"{known.operator} {known.index}"

    return _INSIDE.sub(layer, name)


def _with_main_work(
    nodes: Sequence[ExecutedNode], found: Origin, model: Model
) -> Iterator[ExecutedNode]:
    """Yield the nodes, with the layer of their kind where OpenVINO lost its name.

    When it multiplies the weights of a convolution by scales of a normalization, the name of
    the convolution is gone. It is a layer before those of the node that no other node has.
    """
    made_by = _made_by(model)
    taken = {layer for node in nodes for layer in node.layers}
    for node in nodes:
        lead = node.layers[:1]
        if not lead or _is_kind(found.operators.get(lead[0], ()), node.operator):
            yield node
            continue
        before, at = list[int](), min(node.layers)
        while len(before) < _MOST_NEAR:
            makers = (made_by.get(name, -1) for name in model.layers[at].inputs)
            at = next((each for each in makers if each >= 0 and each not in taken), -1)
            if at < 0:
                break
            before.append(at)
            if _is_kind(found.operators.get(at, ()), node.operator):
                taken.update(before)
                node = replace(node, layers=(at, *before[:-1], *node.layers))
                break
        yield node


def _joined(near: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the different layers, in order and not too many."""
    return tuple(dict.fromkeys(layer for layers in near for layer in layers))[:_MOST_NEAR]


def _lead_first(layers: Sequence[int], kind: str, found: Origin) -> tuple[int, ...]:
    """Put the layer first that has the time of a node: that of the node's own kind."""
    alike = (each for each in layers if _is_kind(found.operators.get(each, ()), kind))
    lead = next(alike, None)
    return tuple(layers) if lead is None else (lead, *(i for i in layers if i != lead))


def _is_kind(operators: Iterable[str], kind: str) -> bool:
    """Return whether a node can be the main work of a layer with these operations."""
    same = _SAME_WORK.get(kind, (kind,))
    return any(operator.endswith(name) for operator in operators for name in same)


def _layers(names: Iterable[str]) -> list[int]:
    found = (_NAME.fullmatch(name.strip()) for name in names)
    return sorted({int(match[1]) for match in found if match})


def values_of(read: Any, model: Model) -> tuple[TensorInfo, ...]:
    """Return type and shape of the values of a model, as OpenVINO infers them."""
    known = {value.name: value for value in (*model.values, *model.inputs, *model.outputs)}
    produced = {name for layer in model.layers for name in layer.outputs} | known.keys()
    found = {}
    for operation in read.get_ordered_ops():
        names_of = _tensor_names(operation, model)
        for port, names in zip(operation.outputs(), names_of, strict=True):
            for name in names:
                if name in produced and name not in found:
                    dtype = element(port.element_type.get_type_name())
                    found[name] = TensorInfo(name, "tensor", dtype, _shape(port.partial_shape))
    return tuple(found.values())


def layer_outputs(read: Any, model: Model) -> Iterator[tuple[list[str], Any]]:
    """Yield the tensors that layers of the main graph give out: their names, and the port."""
    made_by = _made_by(model)
    for operation in read.get_ordered_ops():
        if operation.get_type_name() == "Result":
            continue
        names_of = _tensor_names(operation, model)
        for port, names in zip(operation.outputs(), names_of, strict=True):
            known = [name for name in names if name in made_by]
            if known:
                yield known, port


def support(read: Any, model: Model, device: str, layers: Sequence[int]) -> dict[int, Support]:
    """Return whether a device runs each of the layers, by OpenVINO's own answer."""
    accepted = runtime.core().query_model(read, runtime.name_of(device))
    found = origin(read, model)
    refused: dict[int, set[str]] = defaultdict(set)
    for operation in read.get_ordered_ops():
        name = operation.get_friendly_name()
        if name in found.of and name not in accepted:
            refused[found.of[name]].add(operation.get_type_name())
    marks = {}
    for layer in layers:
        kinds = ", ".join(sorted(refused.get(layer, ())))
        if kinds:
            reason = _NOT_TAKEN.format(kinds)
            marks[layer] = Support(Mark.UNSUPPORTED, Source.PROBED, reason, Rule.OPERATOR)
        elif layer in found.operators:
            marks[layer] = Support(Mark.SUPPORTED, Source.PROBED)
        else:
            marks[layer] = Support(Mark.FOLDED, Source.PROBED)
    return marks


def _made_by(model: Model) -> dict[str, int]:
    """Return the layers of the main graph by the names of their outputs.

    The first of two with one name counts: identities pass on the tensor of the layer before.
    """
    made_by: dict[str, int] = {}
    for layer in model.layers:
        if layer.parent is not None:
            continue
        for name in layer.outputs:
            made_by.setdefault(name, layer.index)
    return made_by


def _tensor_names(operation: Any, model: Model) -> list[list[str]]:
    """Return the names that the model has for each tensor that an operation gives out."""
    names = [sorted(port.get_names()) for port in operation.outputs()]
    if model.format == DOMAIN:  # there the reader calls values by the names of their layers
        own = operation.get_friendly_name()
        for number, each in enumerate(names):
            each.append(own if len(names) == 1 else f"{own}:{number}")
    return names


def _shape(partial: Any) -> tuple[Axis, ...] | None:
    if partial.rank.is_dynamic:
        return None
    return tuple(None if axis.is_dynamic else int(axis.get_length()) for axis in partial)


def _text(info: Any, key: str) -> str:
    return str(info[key].astype(str)) if key in info else ""
