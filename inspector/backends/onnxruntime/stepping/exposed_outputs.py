"""A model whose inner tensors are outputs, in parts that fit into memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct, field, structs
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, helper
from onnxruntime import InferenceSession

from inspector.backends import array_files, type_names
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.tensor_types import (
    captured,
    runtime_name,
    tensor_types,
)
from inspector.backends.onnxruntime.sessions import devices, forced_to_cpu, predict, session
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.model.tensors.prediction import OutputValue
from inspector.report.run_spec import RunSpec

MOST_BYTES = 512 << 20  # of tensors given out by one session
_HALF = "tensor(float16)"
_UNKNOWN = 64  # what an axis counts that nobody knows before the run; the first: the batch

Feeds = Mapping[str, predict.Feed]


class LayerPosition(Struct, frozen=True, eq=False):
    """A layer of the main graph: its index among all layers, its node, and what it needs."""

    index: int
    node: NodeProto
    needs: tuple[str, ...]

    @property
    def gives(self) -> tuple[str, ...]:
        """Return the names of the outputs that somebody may use."""
        return tuple(name for name in self.node.output if name)


def layer_positions(model: ModelProto) -> tuple[LayerPosition, ...]:
    """Return the layers of the main graph, each after those that it needs, else as in the
    file."""
    positions, index = [], 0
    for node in model.graph.node:
        positions.append(LayerPosition(index, node, needs(node)))
        index += 1 + sum(layer_names.size(body) for _, body in layer_names.bodies(node))
    makers = {name: place for place in positions for name in place.gives}
    ordered: dict[int, LayerPosition] = {}
    for place in positions:
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
    """Return the names that a node takes, those that its bodies take from outside included."""
    inner = (name for _, body in layer_names.bodies(node) for name in captured(body))
    return tuple(dict.fromkeys(name for name in (*node.input, *inner) if name))


def parts(
    model: ModelProto, order: Sequence[LayerPosition], spec: RunSpec, feeds: Feeds, folder: Path
) -> tuple[tuple[LayerPosition, ...], ...]:
    """Part the layers so that the outputs of each part take about `MOST_BYTES` at most."""
    shapes = array_files.shapes_of(feeds)
    types = tensor_types(model, spec, shapes, folder)
    batch = max((shape[0] for shape in shapes.values() if shape), default=1)
    groups: list[list[LayerPosition]] = [[]]
    used_bytes = 0
    for place in order:
        own = sum(_bytes(types.get(name), batch) for name in place.gives)
        if groups[-1] and used_bytes + own > MOST_BYTES:
            groups.append([])
            used_bytes = 0
        groups[-1].append(place)
        used_bytes += own
    return tuple(tuple(part) for part in groups)


def _bytes(kind: TypeProto | None, batch: int) -> int:
    """Size of a tensor of this type, as far as it is known."""
    if kind is None:
        return _UNKNOWN
    _, dtype = type_names.kind_and_dtype(runtime_name(kind))
    each = type_names.numpy_type(dtype)
    size = each.itemsize if each is not None else 8
    for place, axis in enumerate(kind.tensor_type.shape.dim):
        unknown = _UNKNOWN if place else batch
        size *= axis.dim_value if axis.HasField("dim_value") else unknown
    return size


def with_given(
    model: ModelProto, feeds: Feeds, given: Sequence[str]
) -> tuple[ModelProto, dict[str, predict.Feed]]:
    """Return a model whose layers read some tensors from inputs of their own, and its feeds.

    Layers still compute the tensors that are `given`, but nobody reads these any more.
    """
    made = ModelProto()
    made.CopyFrom(model)
    names = {name: f"{name}/inspector.given" for name in given}
    for node in made.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
    for name in given:
        elements = helper.np_dtype_to_tensor_dtype(np.asarray(feeds[name]).dtype)
        value = helper.make_tensor_value_info(names[name], elements, None)
        made.graph.input.append(value)
    return made, {names.get(name, name): feed for name, feed in feeds.items()}


class ExposedSession(Struct, frozen=True, eq=False):
    """A session that gives inner tensors out, and the ids of its devices.

    widened: name of an output -> the float16 tensor that it gives as float32. rounded: whether
        float16 tensors come rounded, since the runtime would not give them as float32.
    """

    session: InferenceSession
    devices: tuple[str, ...]
    notes: tuple[str, ...]
    widened: Mapping[str, str] = field(default_factory=dict)
    rounded: bool = False


def expose_outputs(
    model: Path, spec: RunSpec, tensors: Sequence[str], proto: ModelProto | None = None
) -> ExposedSession:
    """Load a model with more outputs. proto: the model as it is to be loaded, if not its file.

    Raises InspectorError.
    """
    shown = ModelProto()
    shown.CopyFrom(opening.skeleton(model) if proto is None else proto)
    if spec.on_cpu:
        shown = forced_to_cpu.annotated(
            shown, forced_to_cpu.forced_layers(model, spec.on_cpu).layers
        )
    output_names = {value.name for value in shown.graph.output}
    shown.graph.output.extend(
        ValueInfoProto(name=name) for name in tensors if name not in output_names
    )
    units, folder = devices.resolve(spec.devices), opening.home(model)
    what = f"Could not load {model.name} with its tensors as outputs"
    made = _loaded(shown, spec, units, folder, what)
    kept_names = {name for name in tensors if name not in output_names}
    half = [o.name for o in made.get_outputs() if o.name in kept_names and o.type == _HALF]
    widened, rounded = dict[str, str](), False
    if half:
        wide, names = _widened(shown, half)
        try:
            made, widened = _loaded(wide, spec, units, folder, what), names
        except EngineFailed:  # an operator set without such a Cast, say
            rounded = True
    ids, notes = session.devices_of(made, units), session.notes_of(made, units)
    return ExposedSession(made, ids, notes, widened, rounded)


def _loaded(
    model: ModelProto,
    spec: RunSpec,
    units: Sequence[devices.DeviceHandle],
    folder: Path,
    what: str,
) -> InferenceSession:
    """Load a model. Raises EngineFailed, with what could not be done."""
    try:
        return session.create_session(
            model.SerializeToString(), spec, units, external_folder=folder
        )
    except EngineFailed as error:  # it knows the model as bytes only
        raise EngineFailed(what, error.why, error.hint, error.phase) from error


def _widened(model: ModelProto, half: Sequence[str]) -> tuple[ModelProto, dict[str, str]]:
    """Return a model that gives float16 tensors out as float32, and their names there.

    Where a device lacks float16 kernels the runtime goes on in float32 and drops the rounding
    between two layers. An output of float16 is rounded aside, to infinity above 65,504: not
    what the next layer gets. A cast to float32 gives the value that the next layer gets.
    """
    wide = ModelProto()
    wide.CopyFrom(model)
    names = {f"{name}/inspector.float32.{place}": name for place, name in enumerate(half)}
    outputs = [value for value in wide.graph.output if value.name not in set(half)]
    del wide.graph.output[:]
    wide.graph.output.extend(outputs)
    for made, name in names.items():
        wide.graph.node.append(helper.make_node("Cast", [name], [made], to=TensorProto.FLOAT))
        wide.graph.output.append(ValueInfoProto(name=made))
    return wide, names


def values(
    ready: ExposedSession, spec: RunSpec, feeds: Feeds, what: str
) -> dict[str, OutputValue]:
    """Run it once: every output by its name. Raises BadInput, EngineFailed.

    A float16 tensor that the runtime keeps in float32 has an array of float32.
    """
    outputs, _ = predict.predict(ready.session, feeds, what, spec.cast)
    given = {value.name: value for value in outputs if value.name not in ready.widened}
    for value in outputs:
        if value.name in ready.widened:
            name = ready.widened[value.name]
            given[name] = structs.replace(_narrowed(value), name=name, dtype="float16")
    return given


def _narrowed(value: OutputValue) -> OutputValue:
    """Return the value as float16 where nothing is lost by it, else as it is."""
    if value.array is None:
        return value
    with np.errstate(over="ignore"):
        half = value.array.astype(np.float16)
    same = np.array_equal(half.astype(np.float32), value.array, equal_nan=True)
    return structs.replace(value, array=half) if same else value


def as_declared(value: OutputValue) -> NDArray[np.generic]:
    """Return the array in the model's type: float16 where the runtime computed it wider."""
    assert value.array is not None, "only of tensors"
    if value.dtype != "float16":
        return value.array
    with np.errstate(over="ignore"):
        return value.array.astype(np.float16)
