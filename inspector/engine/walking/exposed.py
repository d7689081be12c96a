"""A model whose inner tensors are outputs, in parts that fit into memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto, NodeProto, TypeProto, ValueInfoProto
from onnxruntime import InferenceSession

from inspector import readers
from inspector.engine import handover
from inspector.engine.graphs import naming
from inspector.engine.graphs.tensor_types import runtime_name, tensor_types
from inspector.engine.graphs.typed_graphs import captured
from inspector.engine.sessions import devices, element_types, kept, predict, session
from inspector.errors import EngineFailed
from inspector.prediction import OutputValue
from inspector.report import RunSpec

MOST_BYTES = 512 << 20  # of tensors given out by one session
_UNKNOWN = 64  # what an axis counts that nobody knows before the run; the first: the batch

Feeds = Mapping[str, predict.Fed]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A layer of the main graph: its index among all layers, its node, and what it needs."""

    index: int
    node: NodeProto
    needs: tuple[str, ...]

    @property
    def gives(self) -> tuple[str, ...]:
        """Names of the outputs that somebody may use."""
        return tuple(name for name in self.node.output if name)


def places(model: ModelProto) -> tuple[Place, ...]:
    """The layers of the main graph, each after those that it needs, else as in the file."""
    found, index = [], 0
    for node in model.graph.node:
        found.append(Place(index, node, needs(node)))
        index += 1 + sum(naming.size(body) for _, body in naming.bodies(node))
    makers = {name: place for place in found for name in place.gives}
    ordered: dict[int, Place] = {}
    for place in found:
        waiting = [place]
        begun: set[int] = set()
        while waiting:
            top = waiting[-1]
            before = [makers[name] for name in top.needs if name in makers]
            open_ = [each for each in before if each.index not in ordered]
            if open_ and top.index not in begun:
                begun.add(top.index)
                waiting += reversed(open_)
                continue
            waiting.pop()
            ordered.setdefault(top.index, top)
    return tuple(ordered.values())


def needs(node: NodeProto) -> tuple[str, ...]:
    """Names that a node takes, those that its bodies take from outside included."""
    inner = (name for _, body in naming.bodies(node) for name in captured(body))
    return tuple(dict.fromkeys(name for name in (*node.input, *inner) if name))


def parts(
    model: ModelProto, order: Sequence[Place], spec: RunSpec, feeds: Feeds, folder: Path
) -> tuple[tuple[Place, ...], ...]:
    """Part the layers so that the outputs of each part take about `MOST_BYTES` at most."""
    shapes = handover.shapes_of(feeds)
    types = tensor_types(model, spec, shapes, folder)
    batch = max((shape[0] for shape in shapes.values() if shape), default=1)
    found: list[list[Place]] = [[]]
    taken = 0
    for place in order:
        own = sum(_bytes(types.get(name), batch) for name in place.gives)
        if found[-1] and taken + own > MOST_BYTES:
            found.append([])
            taken = 0
        found[-1].append(place)
        taken += own
    return tuple(tuple(part) for part in found)


def _bytes(kind: TypeProto | None, batch: int) -> int:
    """Size of a tensor of this type, as far as it is known."""
    if kind is None:
        return _UNKNOWN
    _, dtype = element_types.kind_and_dtype(runtime_name(kind))
    each = element_types.numpy_type(dtype)
    size = each.itemsize if each is not None else 8
    for place, axis in enumerate(kind.tensor_type.shape.dim):
        unknown = _UNKNOWN if place else batch
        size *= axis.dim_value if axis.HasField("dim_value") else unknown
    return size


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A session that gives inner tensors out, and the ids of its devices."""

    session: InferenceSession
    devices: tuple[str, ...]
    notes: tuple[str, ...]


def side(
    model: Path, spec: RunSpec, tensors: Sequence[str], proto: ModelProto | None = None
) -> Side:
    """Load a model with more outputs. proto: the model as it is to be loaded, if not its file.

    Raises InspectorError.
    """
    shown = ModelProto()
    shown.CopyFrom(readers.skeleton(model) if proto is None else proto)
    if spec.on_cpu:
        shown = kept.remarked(shown, kept.kept(model, spec.on_cpu).layers)
    known = {value.name for value in shown.graph.output}
    shown.graph.output.extend(
        ValueInfoProto(name=name) for name in tensors if name not in known
    )
    units = devices.resolve(spec.devices)
    body, folder = shown.SerializeToString(), readers.home(model)
    try:
        made = session.create_session(body, spec, units, external_folder=folder)
    except EngineFailed as error:  # it knows the model as bytes only
        what = f"Could not load {model.name} with its tensors as outputs"
        raise EngineFailed(what, error.why, error.hint, error.phase) from error
    return Side(made, session.devices_of(made, units), session.notes_of(made, units))


def values(ready: Side, spec: RunSpec, feeds: Feeds, what: str) -> dict[str, OutputValue]:
    """Run it once: every output by its name. Raises BadInput, EngineFailed."""
    found, _ = predict.predict(ready.session, feeds, what, spec.cast)
    return {value.name: value for value in found}
