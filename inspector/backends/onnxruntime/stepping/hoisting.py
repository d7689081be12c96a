"""Plan stepping through a model, and hoist values out of If, Loop and Scan.

A branch gives its inner tensors as further outputs of the If, the other branch empty ones in
their place. A Loop carries them along, which leaves those of the last iteration; a Scan stacks
them. A marker says whether a body ran at all. Values that a body outputs anyway are read there.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct, field, structs
from msgspec.structs import replace
from numpy.typing import NDArray
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TypeProto,
    ValueInfoProto,
    helper,
)

from inspector.backends import array_files
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.tensor_types import Shapes, typed_graphs
from inspector.backends.onnxruntime.stepping import exposed_outputs
from inspector.backends.onnxruntime.stepping.exposed_outputs import Feeds, LayerPosition
from inspector.formats import opening
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue
from inspector.report.run_spec import RunSpec

MOST_VALUES = 5_000
_OURS = "inspector.report.report."
_SCANS_SINCE = 9  # before, a Scan goes over batches, too


class InnerGraph(Struct, frozen=True):
    """A tensor inside a body, and where the main graph has it now.

    layer: its index among all. source: what to read, with `stacked` axes of iterations before
    its own. marker: empty, or its last element False, where the body did not run.
    """

    layer: int
    tensor: str
    source: str
    elements: int
    stacked: int
    marker: str
    marker_stacked: int
    looped: bool = False

    def of(self, values: Mapping[str, OutputValue]) -> OutputValue | None:
        """Return its value in the main graph; None if the body did not run."""
        marker = _last(values[self.marker], self.marker_stacked)
        ran = marker is not None and marker.size > 0 and bool(marker.reshape(-1)[-1])
        if not ran or self.source not in values:
            return None
        value = values[self.source]
        array = _last(value, self.stacked)
        return (
            structs.replace(value, name=self.tensor, array=array) if array is not None else None
        )


class HoistedModel(Struct, frozen=True, eq=False):
    """A model with more outputs at its layers with bodies; indices of layers are as before.

    inner: index of such a layer of the main graph -> what is inside. initial: what was added
    to the weights.
    """

    model: ModelProto
    inner: Mapping[int, tuple[InnerGraph, ...]]
    initial: Mapping[str, NDArray[np.generic]]


def is_added(name: str) -> bool:
    """Return whether a tensor is not the model's own."""
    return name.startswith(_OURS)


def hoist(
    model: ModelProto, spec: RunSpec, shapes: Shapes, folder: Path
) -> HoistedModel | None:
    """Raise what is inside bodies as far as its types are known; nothing without any."""
    if not any(True for node in model.graph.node for _ in layer_names.bodies(node)):
        return None
    renamed, _ = layer_names.rename(model)
    lift = _Lift(_types(renamed, spec, shapes, folder), _opset(model))
    copy = ModelProto()
    copy.CopyFrom(model)
    copy.ir_version = max(4, copy.ir_version)  # before, each initializer had to be an input
    inner_graphs: dict[int, tuple[InnerGraph, ...]] = {}
    index = 0
    for node, twin in zip(copy.graph.node, renamed.graph.node, strict=True):
        inside = lift.raise_from(node, twin, index, copy.graph)
        if inside:
            inner_graphs[index] = tuple(inside)
        index += 1 + sum(layer_names.size(body) for _, body in layer_names.bodies(node))
    if not inner_graphs or sum(map(len, inner_graphs.values())) > MOST_VALUES:
        return None
    return HoistedModel(copy, inner_graphs, lift.initial)


class _Lift:
    """Raises values through one layer with bodies after the other, innermost first."""

    def __init__(
        self, types: Mapping[tuple[str, str], Mapping[str, TypeProto]], opset: int
    ) -> None:
        self.initial: dict[str, NDArray[np.generic]] = {}
        self._types, self._opset, self._count = types, opset, 0

    def raise_from(
        self, node: NodeProto, twin: NodeProto, index: int, graph: GraphProto
    ) -> list[InnerGraph]:
        """Raise what is inside a layer into the graph that it is in.

        twin: the same layer of the renamed model. index: of the layer.
        """
        through = {"If": self._if, "Loop": self._loop, "Scan": self._scan}.get(node.op_type)
        if through is None or (node.op_type == "Scan" and self._opset < _SCANS_SINCE):
            return []
        inner_graphs: list[InnerGraph] = []
        index += 1
        pairs = zip(layer_names.bodies(node), layer_names.bodies(twin), strict=True)
        for (branch, body), (_, other) in pairs:
            inside = self._in_body(body, other, index, self._types.get((twin.name, branch), {}))
            index += layer_names.size(body)
            kinds = {each.source: each.elements for each in inside}
            kinds |= {each.marker: int(TensorProto.BOOL) for each in inside}
            places = {
                name: place
                for name, kind in kinds.items()
                if (place := through(node, body, name, kind, graph))
            }
            inner_graphs += _moved(inside, places, node.op_type != "If")
        return inner_graphs

    def _in_body(
        self, body: GraphProto, twin: GraphProto, index: int, types: Mapping[str, TypeProto]
    ) -> list[InnerGraph]:
        """Return what a body has: outputs of its layers, and what was raised into it."""
        marker = self._fresh()
        body.initializer.append(helper.make_tensor(marker, TensorProto.BOOL, [], [True]))
        inner_graphs: list[InnerGraph] = []
        for node, other in zip(body.node, twin.node, strict=True):
            named = list(zip(node.output, other.output, strict=True))
            for name, renamed in named:
                kind = types.get(renamed)
                elements = kind.tensor_type.elem_type if kind is not None else 0
                if name and elements:
                    inner_graphs.append(InnerGraph(index, name, name, elements, 0, marker, 0))
            inner_graphs += self.raise_from(node, other, index, body)
            index += 1 + sum(layer_names.size(inner) for _, inner in layer_names.bodies(node))
        return inner_graphs

    def _if(
        self, node: NodeProto, body: GraphProto, name: str, kind: int, graph: GraphProto
    ) -> tuple[str, int] | None:
        given = [value.name for value in body.output]
        if name in given:
            return _at(node, given.index(name), 0)
        outer = self._fresh()
        for _, branch in layer_names.bodies(node):
            shown = name
            if branch is not body:
                shown = self._fresh()
                branch.initializer.append(_empty(shown, kind))
            branch.output.append(_declared(shown, kind))
        node.output.append(outer)
        return outer, 0

    def _loop(
        self, node: NodeProto, body: GraphProto, name: str, kind: int, graph: GraphProto
    ) -> tuple[str, int] | None:
        carried = len(node.input) - 2
        given = [value.name for value in body.output]
        if name in given:
            place = given.index(name) - 1
            return _at(node, place, int(place >= carried)) if place >= 0 else None
        before, within, outer = self._fresh(), self._fresh(), self._fresh()
        graph.initializer.append(_empty(before, kind))
        self.initial[before] = np.zeros(0, helper.tensor_dtype_to_np_dtype(kind))
        node.input.append(before)
        body.input.append(_declared(within, kind))
        outputs, names = list(body.output), list(node.output)
        names += [""] * (carried - len(names))
        del body.output[:]
        body.output.extend(
            [*outputs[: 1 + carried], _declared(name, kind), *outputs[1 + carried :]]
        )
        node.output[:] = [*names[:carried], outer, *names[carried:]]
        return outer, 0

    def _scan(
        self, node: NodeProto, body: GraphProto, name: str, kind: int, graph: GraphProto
    ) -> tuple[str, int] | None:
        scanned = next(a.i for a in node.attribute if a.name == "num_scan_inputs")
        states = len(node.input) - scanned
        given = [value.name for value in body.output]
        if name in given:
            place = given.index(name)
            return _at(node, place, int(place >= states))
        outer = self._fresh()
        node.output.extend([""] * (len(body.output) - len(node.output)))
        node.output.append(outer)
        body.output.append(_declared(name, kind))
        for attribute in node.attribute:
            if attribute.name in ("scan_output_axes", "scan_output_directions"):
                attribute.ints.append(0)
        return outer, 1

    def _fresh(self) -> str:
        self._count += 1
        return f"{_OURS}{self._count}"


def _moved(
    inside: Sequence[InnerGraph], places: Mapping[str, tuple[str, int]], looped: bool
) -> Iterator[InnerGraph]:
    """Yield the values at their new places; those that could not be hoisted are omitted."""
    for each in inside:
        if each.source in places and each.marker in places:
            (source, more), (marker, more_marks) = places[each.source], places[each.marker]
            yield replace(
                each,
                source=source,
                stacked=each.stacked + more,
                marker=marker,
                marker_stacked=each.marker_stacked + more_marks,
                looped=each.looped or looped,
            )


def _at(node: NodeProto, place: int, stacked: int) -> tuple[str, int] | None:
    """Return an output that a layer has anyhow, if somebody may use it."""
    name = node.output[place] if place < len(node.output) else ""
    return (name, stacked) if name else None


def _last(value: OutputValue, stacked: int) -> NDArray[np.generic] | None:
    """Return what the last iteration gave; nothing where there was none."""
    array = value.array
    for _ in range(stacked):
        if array is None or not array.ndim or not len(array):
            return None
        array = array[-1]
    return array if array is None else np.asarray(array)


def _types(
    renamed: ModelProto, spec: RunSpec, shapes: Shapes, folder: Path
) -> dict[tuple[str, str], Mapping[str, TypeProto]]:
    """Types of the values in each body, by the new name of its layer and its attribute."""
    graphs = typed_graphs(renamed, spec, shapes, folder)
    rest = iter(graphs[1:])
    owners = (
        (node.name, branch)
        for graph in graphs
        for node in graph.graph.node
        for branch, _ in layer_names.bodies(node)
    )
    return {owner: graph.types for owner, graph in zip(owners, rest, strict=False)}


def _opset(model: ModelProto) -> int:
    return next((entry.version for entry in model.opset_import if not entry.domain), 0)


def _declared(name: str, kind: int) -> ValueInfoProto:
    value = ValueInfoProto(name=name)
    value.type.tensor_type.elem_type = kind
    return value


def _empty(name: str, kind: int) -> TensorProto:
    return TensorProto(name=name, data_type=kind, dims=[0])


class SteppingPlan(Struct, eq=False):
    """A model on its way through the layers.

    order: the layers of the main graph. parts: those whose tensors are at hand at once.
    proto: the model, with what is inside bodies raised into its main graph, as `inner` tells
    by the index of the layer around it. initial: weights that this needs.
    """

    path: Path
    spec: RunSpec
    feeds: Feeds
    model: Model
    order: tuple[LayerPosition, ...]
    parts: tuple[tuple[LayerPosition, ...], ...]
    proto: ModelProto
    inner: Mapping[int, tuple[InnerGraph, ...]] = field(default_factory=dict)
    initial: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)


def plan_steps(path: Path, spec: RunSpec, feeds: Feeds, bodies: bool = True) -> SteppingPlan:
    """Find and part the layers of a model. bodies: those of If, Loop and Scan. Raises
    InspectorError."""
    proto, home = opening.skeleton(path), opening.home(path)
    within = hoist(proto, spec, array_files.shapes_of(feeds), home) if bodies else None
    proto = proto if within is None else within.model
    order = exposed_outputs.layer_positions(proto)
    parts = exposed_outputs.parts(proto, order, spec, feeds, home)
    model = opening.open_model(path)
    if within is None:
        return SteppingPlan(path, spec, feeds, model, order, parts, proto)
    return SteppingPlan(
        path, spec, feeds, model, order, parts, proto, within.inner, within.initial
    )
