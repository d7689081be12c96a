"""Edits of the model as a whole: versions, parts of it, and what it carries along."""

from collections import Counter
from collections.abc import Iterable, Sequence
from graphlib import CycleError

from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    defs,
    helper,
    inliner,
    shape_inference,
    version_converter,
)

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel, stored_bytes
from inspector.conversion.plan import (
    Context,
    Plan,
    find_layer,
    graphs,
    nodes,
    own_names,
    put_in_order,
    refill,
    same_type,
    taken,
    value_types,
)
from inspector.units import clip, plural
from inspector.wording.values import Count, Joined, Sentence

DEFAULT = ("", "ai.onnx")  # names of the domain of ONNX's own operators
_OLDEST_INITIALIZERS = 4  # IR version from which weights need not be inputs
_LEAST_OUTSIDE = 4096  # bytes; smaller tensors stay in the model, see EditableModel


def nothing(model: EditableModel, why: str) -> Plan:
    """Return the plan of an action that would change nothing."""
    return Plan(Effect(bytes_before=model.size_bytes(), nothing=why))


def refused(model: EditableModel, why: str, hint: str = "") -> Plan:
    """Return the plan of an action that cannot be done."""
    return Plan(Effect(bytes_before=model.size_bytes(), refused=why, hint=hint))


def onnx_format(model: EditableModel) -> Plan:
    """Plan to write a model in the ORT format as ONNX, which reading it has done."""
    if not model.restored:
        return nothing(model, "the model is an ONNX file")
    layers = [*nodes(model.proto)]
    others = Counter(node.domain for node in layers if node.domain not in DEFAULT)
    caution = "Layers that ONNX Runtime fused or replaced stay so: the original ones are lost."
    if others:
        count, names = plural(sum(others.values()), "layer"), ", ".join(sorted(others))
        caution += f" Only ONNX Runtime runs the {count} of {clip(names, 60)}."
    touches = f"{plural(len(layers), 'layer')}, as ONNX Runtime optimized them"
    return Plan(Effect(touches, len(layers), model.size_bytes(), caution=caution))


def opset(model: EditableModel, to: int) -> Plan:
    """Plan a conversion to a newer default operator set.

    Only ONNX's own operators have versions that are converted: others stay as they are.
    """
    now = model.opset
    if not any(node.domain in DEFAULT for node in nodes(model.proto)):
        return nothing(model, "the model uses no operators of ai.onnx")
    if now >= to:
        return nothing(model, f"the model already has opset {now}")
    newest = defs.onnx_opset_version()
    if to > newest:
        return refused(model, f"the newest opset that can be written is {newest}")
    changed = [n for n in nodes(model.proto) if _changes(n, now, to)]
    if changed and any(graph.sparse_initializer for graph in graphs(model.proto.graph)):
        return refused(model, "the converter of the onnx package loses sparse weights")
    size, layers = model.size_bytes(), len(model.proto.graph.node)
    touches = Joined(
        (
            Sentence("opset {now} to {to}, {layers}", now=str(now), to=str(to),
                     layers=Count(layers, "layer")),
            *([] if changed else [Sentence("no operator changed between the two")]),
        ),
        "; ",
    )  # fmt: skip
    effect = Effect(touches, layers, size, size)
    return Plan(effect, lambda _: to_opset(model, to, convert=bool(changed)))


def _changes(node: NodeProto, now: int, to: int) -> bool:
    if node.domain not in DEFAULT:
        return False
    try:
        old = defs.get_schema(node.op_type, now).since_version
        return bool(old != defs.get_schema(node.op_type, to).since_version)
    except defs.SchemaError:
        return True


def to_opset(model: EditableModel, to: int, convert: bool = True) -> None:
    """Convert a model to a newer opset, in place.

    convert: False where no operator differs between the two, so that only the number changes.
    """
    proto = model.proto
    if convert:
        if proto.functions:
            proto.CopyFrom(inliner.inline_local_functions(proto))
        proto.CopyFrom(_converted(proto, to))
    others = [o for o in proto.opset_import if o.domain not in DEFAULT]
    refill(proto.opset_import, [helper.make_opsetid("", to), *others])
    for function in proto.functions:
        for own in function.opset_import:
            if own.domain in DEFAULT:
                own.version = to
    proto.ir_version = max(proto.ir_version, _least_ir(proto))


def _converted(proto: ModelProto, to: int) -> ModelProto:
    # The converter does not know references to weights in files: it gets them as inputs.
    outside = [t for t in proto.graph.initializer if t.data_location == TensorProto.EXTERNAL]
    names = {tensor.name for tensor in outside}
    declared = {value.name for value in proto.graph.input}
    slim = ModelProto()
    slim.CopyFrom(proto)
    refill(slim.graph.initializer, (t for t in proto.graph.initializer if t.name not in names))
    added = [tensor for tensor in outside if tensor.name not in declared]
    slim.graph.input.extend(
        helper.make_tensor_value_info(t.name, t.data_type, tuple(t.dims)) for t in added
    )
    slim.ir_version = max(slim.ir_version, _OLDEST_INITIALIZERS)
    try:
        converted = version_converter.convert_version(slim, to)
    except RuntimeError as error:  # with the place in its source in front
        raise RuntimeError(str(error).rpartition("` failed: ")[2]) from error
    given = {tensor.name for tensor in added}
    inputs = [value for value in converted.graph.input if value.name not in given]
    refill(converted.graph.input, inputs)
    converted.graph.initializer.extend(outside)
    # What the converter drops from the model.
    converted.producer_name = proto.producer_name
    converted.producer_version = proto.producer_version
    converted.domain, converted.model_version = proto.domain, proto.model_version
    converted.doc_string = proto.doc_string
    converted.graph.doc_string = proto.graph.doc_string
    if not converted.metadata_props:
        converted.metadata_props.extend(proto.metadata_props)
    refill(converted.opset_import, proto.opset_import)
    return converted


def _least_ir(proto: ModelProto) -> int:
    least = helper.find_min_ir_version_for(list(proto.opset_import), ignore_unknown=True)
    return max(int(least), 8 if proto.functions else 0)


def ir_version(model: EditableModel, to: int) -> Plan:
    """Plan another version of the file format, without a change of the graph."""
    proto, size = model.proto, model.size_bytes()
    if proto.ir_version == to:
        return nothing(model, f"the model already has IR version {to}")
    least, newest = _least_ir(proto), int(helper.VERSION_TABLE[-1][1])
    if to < least:
        return refused(model, f"opset {model.opset} needs IR version {least} or later")
    if to > newest:
        return refused(model, f"the newest IR version that can be written is {newest}")
    inputs = {value.name for value in proto.graph.input}
    if to < _OLDEST_INITIALIZERS and any(
        tensor.name not in inputs for tensor in proto.graph.initializer
    ):
        return refused(
            model, f"before IR version {_OLDEST_INITIALIZERS}, weights must also be inputs"
        )

    def apply(_: Context) -> None:
        proto.ir_version = to

    return Plan(Effect(f"IR version {proto.ir_version} to {to}", 0, size, size), apply)


def extract(model: EditableModel, outputs: Sequence[str], inputs: Sequence[str]) -> Plan:
    """Plan to keep only what computes some outputs, starting at some inputs.

    Both are names of tensors or layers: a layer stands for its outputs where the part ends, and
    for its inputs where it begins. Without outputs or inputs, those of the model are taken.
    """
    if not outputs and not inputs:
        needed = "the option 'outputs', 'inputs' or both: names of tensors or layers"
        return Plan(Effect(bytes_before=model.size_bytes(), needs=needed))
    graph = model.proto.graph
    ends = tuple(_tensors(model, outputs, "output")) or tuple(v.name for v in graph.output)
    starts = tuple(_tensors(model, inputs, "input"))
    chosen, reached = _needed(model, ends, frozenset(starts))
    for name in starts:
        if name not in reached:
            why = f"'{clip(name, 60)}' is not needed for '{clip(ends[0], 60)}'"
            return refused(model, why, "Choose inputs that the outputs depend on.")
    return _part(model, chosen, starts, ends)


def split(model: EditableModel, at: str, part: str) -> Plan:
    """Plan to keep the first or the second part of a model, cut after a layer or tensor.

    Outputs of the first part are the inputs of the second.
    """
    if not at:
        needed = "the option 'at': the name of the layer or tensor after which to cut"
        return Plan(Effect(bytes_before=model.size_bytes(), needs=needed))
    graph = model.proto.graph
    first, _ = _needed(model, tuple(_tensors(model, (at,), "output")), frozenset())
    second = [index for index in range(len(graph.node)) if index not in first]
    made = {name for index in first for name in graph.node[index].output if name}
    wanted = {value.name for value in graph.output}
    for index in second:
        wanted |= taken(graph.node[index])
    if not second:
        return refused(model, f"there are no layers after '{clip(at, 60)}'")
    order = [name for index in sorted(first) for name in graph.node[index].output]
    crossing = tuple(name for name in order if name in made & wanted)
    if part == "first":
        return _part(model, first, (), crossing)
    ends = tuple(value.name for value in graph.output if value.name not in made)
    return _part(model, set(second), crossing, ends)


def _tensors(model: EditableModel, names: Iterable[str], side: str) -> Iterable[str]:
    """Yield the tensors that names of tensors or layers stand for. Raises BadInput."""
    graph = model.proto.graph
    known = own_names(graph)
    constant = {tensor.name for tensor in graph.initializer}
    for name in names:
        if name in known:
            yield name
            continue
        node = find_layer(graph, name)
        if side == "output":
            yield from (output for output in node.output if output)
        else:
            yield from sorted(taken(node) - constant)


def _needed(
    model: EditableModel, ends: Sequence[str], starts: frozenset[str]
) -> tuple[set[int], set[str]]:
    """Return the nodes that compute tensors from others, and all names on the way."""
    graph = model.proto.graph
    makers = {name: i for i, node in enumerate(graph.node) for name in node.output if name}
    chosen, reached, waiting = set[int](), set[str](), [*ends]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        index = makers.get(name)
        if name in starts or index is None or index in chosen:
            continue
        chosen.add(index)
        waiting.extend(taken(graph.node[index]))
    return chosen, reached


def _part(
    model: EditableModel, chosen: set[int], starts: Sequence[str], ends: Sequence[str]
) -> Plan:
    proto, graph = model.proto, model.proto.graph
    kept = [node for index, node in enumerate(graph.node) if index in chosen]
    if not kept:
        return refused(model, "no layers would be left")
    used = {name for node in kept for name in taken(node)} | {*ends}
    declared = {value.name: value for value in (*graph.input, *graph.output)}
    types = value_types(proto)
    for name in (*starts, *ends):
        if name not in declared and name not in types:
            why = f"the type of '{clip(name, 60)}' is not known"
            return refused(
                model,
                why,
                "Export the model with the types of its intermediate tensors (value_info).",
            )
    made = {name for node in kept for name in node.output}
    unmade = [name for name in ends if name not in made and name not in declared]
    if unmade:
        return refused(model, f"'{clip(unmade[0], 60)}' is a weight")
    part = ModelProto()
    part.CopyFrom(proto)
    for field in ("node", "initializer", "sparse_initializer", "input", "output", "value_info"):
        part.graph.ClearField(field)
    part.graph.node.extend(kept)
    part.graph.initializer.extend(t for t in graph.initializer if t.name in used)
    part.graph.sparse_initializer.extend(
        sparse for sparse in graph.sparse_initializer if sparse.values.name in used
    )
    new = [name for name in starts if name not in {value.name for value in graph.input}]
    part.graph.input.extend(value for value in graph.input if value.name in used)
    for values, added in ((part.graph.input, new), (part.graph.output, [*ends])):
        for name in added:
            known = declared.get(name)
            values.add().CopyFrom(known or helper.make_value_info(name, types[name]))
    part.graph.value_info.extend(v for v in graph.value_info if v.name in used & made)
    before, layers = model.size_bytes(), len(graph.node)
    if len(kept) == layers and {v.name for v in graph.output} == {*ends}:
        return nothing(model, "the part would be the whole model")
    saved = sum(stored_bytes(t) for t in graph.initializer if t.name not in used)
    effect = Effect(
        f"{len(kept):,} of {plural(layers, 'layer')} stay, from "
        f"{_listed([v.name for v in part.graph.input]) or 'weights'} to {_listed(ends)}",
        layers - len(kept),
        before,
        max(before - saved, 0),
    )
    return Plan(effect, lambda _: proto.CopyFrom(part))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(clip(name, 40) for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown


def strip(
    model: EditableModel, documentation: bool, training: bool, debug: bool, shapes: bool
) -> Plan:
    """Plan to remove what does not change the answers."""
    slim = ModelProto()
    slim.CopyFrom(model.proto)
    removed = []
    if documentation and _without(slim, "doc_string"):
        removed.append("documentation")
    if training and slim.training_info:
        slim.ClearField("training_info")
        removed.append("training information")
    if debug and _without(slim, "metadata_props"):
        removed.append("debug metadata of layers and values")
    if shapes and any(graph.value_info for graph in graphs(slim.graph)):
        for graph in graphs(slim.graph):
            graph.ClearField("value_info")
        removed.append("shapes of intermediate tensors")
    if not removed:
        return nothing(model, "the model contains none of the selected data")
    before, proto = model.size_bytes(), model.proto
    after = before - int(proto.ByteSize()) + int(slim.ByteSize())
    effect = Effect(", ".join(removed), 0, before, after)
    return Plan(effect, lambda _: proto.CopyFrom(slim))


def _without(proto: ModelProto, field: str) -> bool:
    """Clear a field in all parts of a model; whether there was one.

    Metadata of the model itself stays: programs read it.
    """
    bodies = [*graphs(proto.graph)]
    parts: list[object] = [*nodes(proto), *proto.functions]
    if field == "doc_string":
        parts.append(proto)
    for graph in bodies:
        parts += [graph, *graph.initializer, *graph.input, *graph.output, *graph.value_info]
    for node in nodes(proto):
        if field == "doc_string":
            parts += node.attribute
    removed = False
    for part in parts:
        if getattr(part, field):
            part.ClearField(field)  # type: ignore[attr-defined]
            removed = True
    return removed


def external_data(model: EditableModel) -> Plan:
    """Plan to keep the weights in a file beside the model."""
    large = [t for t in model.proto.graph.initializer if stored_bytes(t) >= _LEAST_OUTSIDE]
    if not large:
        return nothing(
            model, f"no weight of the main graph has {_LEAST_OUTSIDE:,} bytes or more"
        )
    if model.has_side_files or model.external:
        return nothing(model, "the weights are already in a separate file")
    return _placed(
        model, True, f"{plural(len(large), 'weight')} move to a separate file next to the model"
    )


def one_file(model: EditableModel) -> Plan:
    """Plan to write the model with all its weights in one file."""
    if model.external is None and not model.has_side_files:
        return nothing(model, "the model is already a single file")
    return _placed(model, False, "all weights move into the model file")


def _placed(model: EditableModel, external: bool, touches: str) -> Plan:
    def apply(_: Context) -> None:
        model.external = external

    size = model.size_bytes()
    return Plan(Effect(touches, 0, size, size), apply)


def repair(model: EditableModel) -> Plan:
    """Plan to mend what keeps a file with a sound graph from loading, or misleads its readers.

    Layers get names of their own and an order in which each follows those that it reads;
    a branch or loop body that returns an outer value gets an Identity, as ONNX requires; shapes
    that contradict those that follow from the inputs are removed, for outputs corrected.
    """
    mended = ModelProto()
    mended.CopyFrom(model.proto)
    every = [node for graph in graphs(mended.graph) for node in graph.node if node.name]
    used, known, renamed = {node.name for node in every}, set[str](), 0
    for node in every:
        if node.name in known:
            number = 2
            while f"{node.name}_{number}" in used:
                number += 1
            node.name = f"{node.name}_{number}"
            used.add(node.name)
            renamed += 1
        known.add(node.name)
    moved = sum(_sort(graph) for graph in graphs(mended.graph))
    used = {name for graph in graphs(mended.graph) for name in own_names(graph)}
    returned = 0
    for graph in [*graphs(mended.graph)][1:]:
        own = own_names(graph)
        for value in graph.output:
            if value.name in own:
                continue
            new, number = f"{value.name}_returned", 1
            while new in used:
                number += 1
                new = f"{value.name}_returned_{number}"
            used.add(new)
            graph.node.append(helper.make_node("Identity", [value.name], [new], new))
            value.name = new
            returned += 1
    stale = _correct_shapes(mended)
    counts = (
        (renamed, "layer", "renamed"),
        (moved, "layer", "moved behind the layers that it reads"),
        (returned, "Identity layer", "added"),
        (stale, "wrong shape", "corrected"),
    )
    done = [f"{plural(number, noun)} {what}" for number, noun, what in counts if number]
    if not done:
        return nothing(
            model, "names, order, returned values and shapes of the layers are consistent"
        )
    size = model.size_bytes()
    effect = Effect(", ".join(done), renamed + moved + returned, size, size)
    return Plan(effect, lambda _: model.proto.CopyFrom(mended))


def _sort(graph: GraphProto) -> int:
    """Put each layer behind those that it reads, in place; return how many moved.

    A graph with a cycle stays as it is.
    """
    try:
        return put_in_order(graph)
    except CycleError:
        return 0


def _correct_shapes(proto: ModelProto) -> int:
    """Drop or correct types and shapes that contradict the inputs; return how many."""
    bare = ModelProto()
    bare.CopyFrom(proto)
    for graph in graphs(bare.graph):
        graph.ClearField("value_info")
    for value in bare.graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")
    try:
        inferred = shape_inference.infer_shapes(bare, data_prop=True)
    except (shape_inference.InferenceError, RuntimeError):
        return 0
    corrected = 0
    for graph, typed in zip(graphs(proto.graph), graphs(inferred.graph), strict=True):
        known = {v.name: v.type for v in (*typed.value_info, *typed.output)}
        made = own_names(graph)
        stale = [
            value
            for value in graph.value_info
            if value.name not in made or not same_type(value.type, known.get(value.name))
        ]
        corrected += len(stale)
        for value in stale:
            graph.value_info.remove(value)
    types = {value.name: value.type for value in inferred.graph.output}
    for value in proto.graph.output:
        if not same_type(value.type, types.get(value.name)):
            value.type.CopyFrom(types[value.name])
            corrected += 1
    return corrected
