"""Which layers and values static quantization changes, in each graph of a model.

Values have unique names in all graphs of a model, see `preparation`.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
from onnx import shape_inference as inference

from inspector.conversion.action import ALL, VALUES, WEIGHTS
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.plan import attribute, graphs, nodes
from inspector.conversion.preparation import DEFAULT_DOMAINS, FLOAT, scopes, use_counts
from inspector.model.operator_traits import VIEWS

# Layers with a constant weight, the axis of its output channels, and whether ONNX Runtime's
# integer kernel needs its output quantized. None: depends on attributes.
CONVOLUTIONS = {"Conv": 0, "ConvTranspose": 1}
PRODUCTS = ("Gemm", "MatMul")
WEIGHTED = (*CONVOLUTIONS, *PRODUCTS)
# Layers that only move or pick values: their outputs have the scale of their first input.
# Dropout may have a mask as well.
SAME_SCALE = (VIEWS - {"Dropout"}) | {
    "MaxPool", "Transpose", "Split", "Slice", "Gather", "Resize", "DepthToSpace",
    "SpaceToDepth",
}  # fmt: skip
# Layers with integer kernels in ONNX Runtime that compute new values.
_COMPUTING = frozenset(
    ("Add", "Mul", "Concat", "AveragePool", "GlobalAveragePool", "LeakyRelu", "Sigmoid", "Relu",
     "Clip")
)  # fmt: skip
OPERATORS = (*WEIGHTED, *sorted(SAME_SCALE), *sorted(_COMPUTING))
_LIMITING = ("Relu", "Clip")  # become part of the quantization of their output
INTEGER_LAYERS = ("QuantizeLinear", "DequantizeLinear", "QLinearConv", "QLinearMatMul")


class Selection(Struct, frozen=True):
    """What to quantize, as the options of the action say.

    keep: layers that stay in float. only: if not empty, the only layers with a weight to
    quantize. parts: what of these, see PARTS. operators: the only ones; all if empty.
    """

    keep: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    parts: str = ALL
    operators: frozenset[str] = frozenset()


class Choice(Struct):
    """Layers of one graph to quantize, and the values between them.

    fixed: constants that the graph sees. layers: by their first output. weighted: those of them
    with a weight. sources: quantized value -> the value whose range it has. absorbed: output of
    a layer -> that of the Relu or Clip behind it, between which nothing is quantized; values
    that only exist inside of such a pair are missing.
    """

    graph: GraphProto
    fixed: dict[str, TensorProto]
    layers: dict[str, NodeProto] = field(default_factory=dict)
    absorbed: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def weighted(self) -> Iterator[NodeProto]:
        """Return the layers with a weight."""
        return (node for node in self.layers.values() if node.op_type in WEIGHTED)

    def result(self, node: NodeProto) -> str:
        """Return the value that a layer ends in, with a Relu or Clip behind it."""
        output = str(node.output[0])
        return self.absorbed.get(output, output)

    def observed(self) -> Iterator[str]:
        """Yield the values whose range has to be known."""
        return (name for name in self.sources.values() if name not in self.fixed)


def choices(
    model: EditableModel, selection: Selection, unknown: frozenset[str] = frozenset()
) -> list[Choice]:
    """Choose layers and values of each graph, the outer ones first.

    unknown: values that have no range, weights not finite.
    """
    fixed = {
        name: tensor
        for _, visible in scopes(model.proto.graph)
        for name, tensor in visible.items()
    }
    floats = float_values(model.proto, fixed)
    return [
        _choose(graph, visible, floats, selection, unknown)
        for graph, visible in scopes(model.proto.graph)
    ]


def _choose(
    graph: GraphProto,
    fixed: dict[str, TensorProto],
    floats: set[str],
    selection: Selection,
    unknown: frozenset[str],
) -> Choice:
    choice = Choice(graph, fixed)
    uses = use_counts(graph)
    readers: dict[str, list[NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    candidates = [
        node for node in graph.node if _possible(node, choice.fixed, floats, selection, unknown)
    ]
    for node in candidates:
        choice.layers[node.output[0]] = node
        follower = _limit_behind(node, readers, uses, choice.fixed)
        if follower is not None:
            choice.absorbed[node.output[0]] = follower.output[0]
    for output in choice.absorbed.values():
        choice.layers.pop(output, None)
    _drop_islands(choice)
    _mark_values(choice)
    missing = {name for name in choice.sources.values() if name in unknown}
    if missing:  # of a layer that could not be excluded by its own inputs
        for output, node in [*choice.layers.items()]:
            if missing.intersection((*_activations(node, choice.fixed), choice.result(node))):
                del choice.layers[output]
        choice.sources.clear()
        _drop_islands(choice)
        _mark_values(choice)
    if selection.parts != ALL:
        chosen = {
            output
            for output, node in choice.layers.items()
            if node.op_type in WEIGHTED
            and (not selection.only or not selection.only.isdisjoint((node.name, output)))
        }
        owners = _owners(choice)
        if selection.parts == WEIGHTS:
            choice.sources.clear()
        choice.sources = {
            name: source
            for name, source in choice.sources.items()
            if owners.get(source) in chosen and name not in choice.fixed
        }
        choice.layers = {
            output: node
            for output, node in choice.layers.items()
            if selection.parts != VALUES and output in chosen
        }
    return choice


def _owners(choice: Choice) -> dict[str, str]:
    """Return for each source of a range the layer with a weight that the value belongs to.

    It is the last one before the value, by its first output; for the inputs of the model, the
    first one of all.
    """
    places = {output: place for place, output in enumerate(choice.layers)}
    weighted = {node.output[0] for node in choice.weighted}
    makers = {name: node for node in choice.graph.node for name in node.output}
    first = next((node.output[0] for node in choice.weighted), "")
    owners = {}
    for source in choice.sources.values():
        found, seen, left = set[str](), set[str](), [source]
        while left:
            node = makers.get(left.pop())
            if node is None or node.output[0] in seen:
                continue
            seen.add(node.output[0])
            if node.output[0] in weighted:
                found.add(node.output[0])
            else:
                left.extend(node.input)
        owners[source] = max(found, key=places.__getitem__, default=first)
    return owners


def _possible(
    node: NodeProto,
    fixed: Mapping[str, TensorProto],
    floats: set[str],
    selection: Selection,
    unknown: frozenset[str],
) -> bool:
    if (
        node.domain not in DEFAULT_DOMAINS
        or node.op_type not in OPERATORS
        or (selection.operators and node.op_type not in selection.operators)
        or not selection.keep.isdisjoint((node.name, node.output[0]))
        or not node.input
        or not all(node.output)
    ):
        return False
    moving = _activations(node, fixed)
    if not moving or any(name not in floats or name in unknown for name in moving):
        return False
    if node.op_type in WEIGHTED:
        weight = fixed.get(node.input[1])
        only = selection.only if selection.parts == ALL else frozenset[str]()
        return bool(
            weight is not None
            and (not only or not only.isdisjoint((node.name, node.output[0])))
            and weight.data_type == FLOAT
            and weight.dims
            and 0 not in weight.dims
            and node.input[1] not in unknown
        )
    if node.op_type == "Resize":
        mode = attribute(node, "mode")
        return mode is None or mode.s in (b"nearest", b"linear")
    if node.op_type == "MaxPool":
        return len(node.output) == 1  # the other one has indices
    if node.op_type == "Clip":
        return all(name in fixed for name in node.input[1:] if name)
    return all(fixed[name].data_type == FLOAT for name in operands(node) if name in fixed)


def operands(node: NodeProto) -> tuple[str, ...]:
    """Return the inputs of a layer that are quantized like activations."""
    many = node.op_type in ("Add", "Mul", "Concat")
    return tuple(node.input if many else node.input[:1])


def _activations(node: NodeProto, fixed: Mapping[str, TensorProto]) -> list[str]:
    return [name for name in operands(node) if name not in fixed]


def _limit_behind(
    node: NodeProto,
    readers: Mapping[str, list[NodeProto]],
    uses: Mapping[str, int],
    fixed: Mapping[str, TensorProto],
) -> NodeProto | None:
    """Return the Relu or Clip that alone uses the output of a layer."""
    if node.op_type in SAME_SCALE or node.op_type in _LIMITING:
        return None
    users = readers.get(node.output[0], [])
    if uses[node.output[0]] != 1 or len(users) != 1 or users[0].op_type not in _LIMITING:
        return None
    behind = users[0]
    fits = all(name in fixed for name in behind.input[1:] if name)
    return behind if fits and behind.input[0] == node.output[0] else None


def _drop_islands(choice: Choice) -> None:
    """Leave layers without a weight in float that are not between quantized ones.

    A Sum after a matrix product that adds a bias gains nothing either: the product's integer
    kernel can give float.
    """
    while True:
        made = {
            output: node
            for node in choice.layers.values()
            for output in (choice.result(node), *node.output[1:])
        }
        needed = {
            name for node in choice.layers.values() for name in _activations(node, choice.fixed)
        }
        drop = []
        for output, node in choice.layers.items():
            if node.op_type in WEIGHTED:
                continue
            before = [made[n] for n in _activations(node, choice.fixed) if n in made]
            is_bias = len(_activations(node, choice.fixed)) < len(operands(node))
            after_product = any(n.op_type in PRODUCTS for n in before)
            if (
                not before
                or needed.isdisjoint((choice.result(node), *node.output[1:]))
                or (is_bias and after_product)
            ):
                drop.append(output)
        if not drop:
            return
        for output in drop:
            del choice.layers[output]


def _mark_values(choice: Choice) -> None:
    """Note which values are quantized, and whose range each one has."""
    marked: list[str] = []
    for node in choice.layers.values():
        marked.extend(name for name in operands(node) if name)
        if node.op_type not in PRODUCTS:
            marked.extend((choice.result(node), *node.output[1:]))
    copies = {
        output: node.input[0]
        for node in choice.layers.values()
        if node.op_type in SAME_SCALE
        for output in node.output
    }
    for name in marked:
        source = name
        while source in copies:
            source = copies[source]
        choice.sources[name] = source


def ranks(proto: ModelProto) -> dict[str, int]:
    """Return how many axes the values of a model have, as far as that is known."""
    return {
        value.name: len(value.type.tensor_type.shape.dim)
        for value in _typed_values(proto)
        if value.type.tensor_type.HasField("shape")
    }


def _typed_values(proto: ModelProto) -> Iterator[ValueInfoProto]:
    for graph in (*graphs(proto.graph), *graphs(inference.infer_shapes(proto).graph)):
        yield from (*graph.value_info, *graph.input, *graph.output)


def float_values(proto: ModelProto, fixed: Mapping[str, TensorProto]) -> set[str]:
    """Return the names of all float32 values of a model, those in subgraphs too."""
    known = _typed_values(proto)
    names = {v.name for v in known if v.type.tensor_type.elem_type == FLOAT}
    names.update(name for name, tensor in fixed.items() if tensor.data_type == FLOAT)
    for node in nodes(proto):  # whose schema says that input and weight have one type
        if node.op_type in WEIGHTED and node.domain in DEFAULT_DOMAINS:
            weight = fixed.get(node.input[1])
            if weight is not None and weight.data_type == FLOAT:
                names.update((node.input[0], node.output[0]))
    return names
