"""A session of one model in which some layers are another model's.

So it is found which part of a changed model spoils its answers: all else is the original's. The
layers are exchanged where both graphs make a tensor of one name; what only the other graph has
between such tensors comes along, with its weights. Where the other graph computes in another
type of floating point, tensors are cast on their way in and out.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import onnxruntime
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper
from onnx.external_data_helper import load_external_data_for_tensor, uses_external_data

from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.backends.onnxruntime.sessions import session
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.values import Graft
from inspector.errors import BadInput, InspectorError
from inspector.formats import opening
from inspector.report.run_spec import RunSpec
from inspector.units import clip

_PREFIX = "grafted/"  # of names of tensors and layers that come from the other model
_DEFAULT_DOMAINS = ("", "ai.onnx")
# Attention whose inputs 3 and 4 are caches, which outputs 1 and 2 continue.
_ATTENTION = frozenset({"GroupQueryAttention", "SparseAttention"})
# Element types that are cast into each other, with their names in ONNX.
_FLOATS = {
    "float16": "FLOAT16", "bfloat16": "BFLOAT16", "float32": "FLOAT", "float64": "DOUBLE",
}  # fmt: skip


def create_session(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], graft: Graft
) -> onnxruntime.InferenceSession:
    """Load a model with the layers of another one that make some tensors.

    Raises BadInput: one of the models does not make such a tensor, or they use other versions
    of operators; EngineFailed: the runtime refused, as where types differ.
    """
    made = _grafted(model, graft)
    return session.create_session(
        made.SerializeToString(), spec, units, external_folder=opening.home(model)
    )


def _grafted(model: Path, graft: Graft) -> ModelProto:
    other = Path(graft.model)
    own, theirs = opening.skeleton(model), opening.skeleton(other)
    what = f"Could not use layers of {clip(other.name)} in {clip(model.name)}"
    _take_over_versions(own, theirs, what)
    inputs = {each.name for each in own.graph.input}
    inputs -= {each.name for each in own.graph.initializer}
    names = {**{name: name for name in inputs}, **dict(graft.shared)}
    made_here = {name: node for node in own.graph.node for name in node.output if name}
    made_there = {
        names.get(name, _PREFIX + name): node
        for node in theirs.graph.node
        for name in node.output
        if name
    }
    weights = {each.name: each for each in theirs.graph.initializer}
    for name in graft.tensors:
        if name not in made_here or name not in made_there:
            raise BadInput(what, f"not both of them make the tensor '{clip(name, 80)}'")
    taken, values = dict[int, NodeProto](), dict[str, TensorProto]()
    waiting = [made_there[name] for name in graft.tensors]
    while waiting:
        node = waiting.pop()
        if id(node) in taken:
            continue
        taken[id(node)] = node
        for name in _names_used(node):
            here = names.get(name, _PREFIX + name)
            if name in weights:
                values[name] = weights[name]
            elif here in made_there and here not in made_here:
                waiting.append(made_there[here])
            elif here not in made_here and here not in inputs:
                raise BadInput(what, f"nothing makes its tensor '{clip(name, 80)}'")
    layers = [_renamed(node, names, values) for node in taken.values()]
    layers += _cast(layers, made_here, _floats(model, own), _floats(other, theirs, names))
    replaced = {name for node in layers for name in node.output if name in made_here}
    gone = {id(node): node for name, node in made_here.items() if name in replaced}
    partly = (name for node in gone.values() for name in node.output if name)
    if lost := next((name for name in partly if name not in replaced), None):
        raise BadInput(what, f"it does not make the tensor '{clip(lost, 80)}' with the others")
    kept = [deepcopy(node) for node in own.graph.node if id(node) not in gone]
    del own.graph.node[:]
    own.graph.node.extend(_sorted([*kept, *layers], what))
    for name, tensor in values.items():
        copy = own.graph.initializer.add()
        copy.CopyFrom(tensor)
        if uses_external_data(copy):
            load_external_data_for_tensor(copy, str(opening.home(other)))
            copy.data_location = TensorProto.DEFAULT
            del copy.external_data[:]
        copy.name = _PREFIX + name
    del own.graph.value_info[:]  # of values whose shape or type may be another now
    return own


def _floats(
    model: Path, proto: ModelProto, names: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the element types of tensors in floating point, as far as they can be inferred.

    names: of tensors, in the model that they are put into; those without one are left out.
    """
    try:
        values = infer(model, ()).values
    except InspectorError:  # then the runtime says whether types fit
        return {}
    kinds = {each.name: each.dtype for each in values if each.dtype in _FLOATS}
    for node in proto.graph.node:
        if node.op_type in _ATTENTION:
            for past, present in zip(node.input[3:5], node.output[1:3], strict=False):
                if past in kinds:
                    kinds.setdefault(present, kinds[past])
    if names is None:
        return kinds
    return {names[name]: kind for name, kind in kinds.items() if name in names}


def _cast(
    layers: Sequence[NodeProto],
    made_here: Container[str],
    own: Mapping[str, str],
    theirs: Mapping[str, str],
) -> list[NodeProto]:
    """Let layers of the other model take and make tensors in the types of the model, in place.

    Return the casts between them. own, theirs: types of tensors in both models, by their names
    in the model.
    """
    made = {name for layer in layers for name in layer.output}
    casts = dict[str, NodeProto]()

    def cast(name: str, inward: bool) -> str:
        if name not in own or name not in theirs or own[name] == theirs[name]:
            return name
        there = f"{_PREFIX}{theirs[name]}/{name}"
        kind = TensorProto.DataType.Value(_FLOATS[(theirs if inward else own)[name]])
        ends = ([name], [there]) if inward else ([there], [name])
        casts[there] = helper.make_node("Cast", *ends, name=there, to=kind)
        return there

    for layer in layers:
        inside = {name for name in layer.input if name in made}
        layer.input[:] = [
            name if name in inside and name not in made_here else cast(name, name not in inside)
            for name in layer.input
        ]
        layer.output[:] = [
            cast(name, inward=False) if name in made_here else name for name in layer.output
        ]
    return [*casts.values()]


def _take_over_versions(own: ModelProto, theirs: ModelProto, what: str) -> None:
    """Declare the operator sets of the other model. Raises BadInput: other versions."""
    versions = {_domain(each.domain): each.version for each in own.opset_import}
    for each in theirs.opset_import:
        version = versions.setdefault(_domain(each.domain), each.version)
        if version != each.version:
            why = f"they use the versions {version} and {each.version} of its operators"
            raise BadInput(what, why, "Convert one of them with the action 'opset'.")
    del own.opset_import[:]
    for domain, version in versions.items():
        own.opset_import.add(domain=domain, version=version)
    own.ir_version = max(own.ir_version, theirs.ir_version)


def _domain(name: str) -> str:
    return "" if name in _DEFAULT_DOMAINS else name


def _names_used(node: NodeProto) -> Iterable[str]:
    """Yield the tensors that a layer takes, also within its subgraphs."""
    yield from filter(None, node.input)
    for own in node.attribute:
        bodies = [own.g] if own.type == AttributeProto.GRAPH else [*own.graphs]
        for body in bodies:
            inside = {name for each in body.node for name in each.output}
            inside |= {each.name for each in (*body.input, *body.initializer)}
            for each in body.node:
                yield from (name for name in _names_used(each) if name not in inside)


def _renamed(node: NodeProto, names: Mapping[str, str], weights: Container[str]) -> NodeProto:
    """Return a copy of a layer with the names that its tensors have in the model.

    Subgraphs keep the names of what they use: only tensors of equal names are right there.
    """
    copy = deepcopy(node)
    copy.name = _PREFIX + node.name if node.name else ""

    def here(name: str) -> str:
        if not name:
            return name
        return _PREFIX + name if name in weights else names.get(name, _PREFIX + name)

    copy.input[:] = map(here, node.input)
    copy.output[:] = map(here, node.output)
    return copy


def _sorted(nodes: Sequence[NodeProto], what: str) -> list[NodeProto]:
    """Return layers in an order in which each stands behind what it needs.

    Raises BadInput: there is none.
    """
    makers = {name: number for number, node in enumerate(nodes) for name in node.output if name}
    needed = {
        number: {makers[name] for name in _names_used(node) if name in makers}
        for number, node in enumerate(nodes)
    }
    try:
        return [nodes[number] for number in TopologicalSorter(needed).static_order()]
    except CycleError as error:
        raise BadInput(what, "their layers depend on each other in another order") from error
