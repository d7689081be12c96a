"""A prediction failed: which layer of the model it was, and which device had taken that."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct
from onnx import ModelProto

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.tensor_types import typed_graphs
from inspector.backends.onnxruntime.placement import placement
from inspector.backends.onnxruntime.placement.placement import PlacementQuery
from inspector.backends.onnxruntime.sessions import (
    devices,
    explanations,
    forced_to_cpu,
    predict,
    providers,
)
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.predict import Feed
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import BadInput, DeviceFailed, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.model.model import Layer
from inspector.model.operator_traits import INDEXED
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural
from inspector.units import device as device_text
from inspector.wording.support_marks import Mark

MAX_MODEL_BYTES = 1 << 30  # of a file that is loaded again to find out
MAX_NAMED = 3  # layers in a message
HINT = (
    "Force {} to the CPU with --on-cpu '{}'; `inspector measure MODEL --around-failures` finds "
    "all such layers."
)
CONSTANT_INDICES = (
    "The indices are the constant '{name}' of the file, so that no other input helps: correct "
    "the constant, or export the model again."
)
_LOADS_ELSEWHERE = "{} cannot load the model, but the CPU can: {}"
MOST_BYTES = 1 << 30  # of a file that is loaded once more to find out
_CPU = "cpu"


def layer_that_fails_to_load(failure: EngineFailed, model: Path, spec: RunSpec) -> EngineFailed:
    """Return the failure with the layers that keep a model from loading; unchanged if unknown.

    A device is to blame that works, and at which the model fails that the CPU alone loads.
    """
    if failure.__cause__ is None or model.stat().st_size > MAX_MODEL_BYTES:
        return failure
    try:
        layers = opening.open_model(model).layers
        failed_node = explanations.failed_node(str(failure.__cause__))
        only_cpu = set(spec.devices) <= {"cpu"}
        same = None if failed_node is None else _same(failed_node, layers)
        if only_cpu and (failed_node is None or same is not None):
            return _renamed(failure, same)
        renamed = forced_to_cpu.annotated(
            layer_names.rename(opening.skeleton(model))[0],
            forced_to_cpu.indices(layers, spec.on_cpu),
        )
        load_test = LoadTest(model, spec, layers, renamed)
        units = devices.resolve(load_test.spec.devices)
        others = [unit for unit in units if unit.device.provider != providers.CPU]
        again = load_test.failure_on(units)
        if again is None:
            return failure
        failed_node = explanations.failed_node(str(again.__cause__))
        tokens = [] if failed_node is None else layer_names.tokens(failed_node.name)
        indices = [int(token[1:]) for token in tokens if token[0] == "L"]
        blamed = (
            load_test.layers[indices[0]]
            if indices and indices[0] < len(load_test.layers)
            else None
        )
        if not others or not all(map(devices.is_working, others)) or load_test.failure_on(()):
            return _renamed(failure, blamed)
        failing = (blamed.index,) if blamed else load_test.failing_on(others[0])
        return device_failure(failure, load_test.layers, others[0].device.id, failing)
    except InspectorError:
        return failure


class LoadTest:
    """A model with names that survive, to be loaded on some devices or others."""

    def __init__(
        self, model: Path, spec: RunSpec, layers: Sequence[Layer], renamed: ModelProto
    ) -> None:
        self.home, self.spec, self.layers = opening.home(model), spec, layers
        self.renamed, self._body = renamed, renamed.SerializeToString()

    def failure_on(self, units: Sequence[DeviceHandle]) -> EngineFailed | None:
        """Load it on these devices, on the CPU where there are none."""
        plain = all(unit.device.provider == providers.CPU for unit in units)
        spec = self.spec
        if plain:
            spec = replace(spec, devices=("cpu",), provider_options=())
        try:
            create_session(self._body, spec, units, external_folder=self.home)
        except EngineFailed as error:
            return error
        return None

    def failing_on(self, unit: DeviceHandle) -> tuple[int, ...]:
        """Find the layers that fail alone on a device."""
        graphs = typed_graphs(self.renamed, self.spec, {}, self.home)
        question = PlacementQuery(self.renamed, graphs, graphs, self.spec, self.home)
        nodes = (node for graph in graphs for node in graph.graph.node)
        layers = sorted(int(node.name[1:]) for node in nodes if node.op_type != "Constant")
        answers = placement.query_device(question, layers, unit)
        return tuple(n for n in layers if answers[n].mark is Mark.FAILED)


def device_failure(
    failure: EngineFailed, layers: Sequence[Layer], device: str, blamed: Sequence[int]
) -> EngineFailed:
    """Return which layers a device failed at, when the CPU alone loads the model.

    blamed: indices of `layers`; none where it is not known.
    """
    why = explanations.without_node(failure.why)
    if not blamed:
        text = _LOADS_ELSEWHERE.format(device_text(device), why)
        return EngineFailed(failure.what, text, failure.hint, failure.phase)
    failing = [layers[index] for index in blamed]
    names = ", ".join(load_failure(layer) for layer in failing[:MAX_NAMED])
    more = len(failing) - MAX_NAMED
    listed = f"{names} and {plural(more, 'other')}" if more > 0 else names
    text = f"{device_text(device)} accepted {listed}, then failed: {why}"
    pattern = ",".join(
        forced_to_cpu.layer_pattern(layers, index) for index in blamed[:MAX_NAMED]
    )
    hint = HINT.format("it" if len(failing) == 1 else "them", clip(pattern, 120))
    return DeviceFailed(failure.what, text, hint, failure.phase, device, tuple(blamed), why)


def _renamed(failure: EngineFailed, layer: Layer | None) -> EngineFailed:
    if layer is None:
        return failure
    text = f"{explanations.without_node(failure.why)} (in {load_failure(layer)})"
    return EngineFailed(failure.what, text, failure.hint, failure.phase, layer.name)


def load_failure(layer: Layer) -> str:
    """Return a layer as a sentence has it, by name where it has one."""
    where = f"layer '{clip(layer.label, 80)}'" if layer.name else f"layer {layer.index}"
    return f"{where} ({layer.operator})"


def _same(failed_node: explanations.FailedNode, layers: Sequence[Layer]) -> Layer | None:
    """Return the only layer with the name that the runtime reported."""
    same = [layer for layer in layers if failed_node.name and layer.name == failed_node.name]
    alike = len(same) == 1 and same[0].operator == failed_node.operator
    return same[0] if alike else None


class _Found(Struct, frozen=True):
    """The layer, the others that ran as one with it, and the device; "" where unknown.

    word: what the layer is called to keep it on the CPU.
    """

    layer: Layer
    fused: tuple[Layer, ...]
    device: str
    word: str = ""


def with_layer_named(
    failure: EngineFailed, model: Path, spec: RunSpec, feeds: Mapping[str, Feed]
) -> EngineFailed:
    """Return a failure, in loading or later, that names the layer as the model does."""
    if failure.phase == "load":
        return layer_that_fails_to_load(failure, model, spec)
    return name_failed_layer(failure, model, spec, feeds)


def name_failed_layer(
    failure: EngineFailed, model: Path, spec: RunSpec, feeds: Mapping[str, Feed]
) -> EngineFailed:
    """Return the failure with the layer and device that failed; unchanged if unknown.

    The runtime names a node of its optimised graph. Where that is none of the model's, or a
    device may be to blame, the model is loaded once more with names that survive.
    """
    message = str(failure.__cause__)
    running_node = explanations.running_node(message)
    if running_node is None:
        return failure
    try:
        failure_site = _found(running_node, message, model, spec, feeds)
    except InspectorError:
        return failure
    if failure_site is None:
        return failure
    layer = failure_site.layer
    if (
        layer.operator in INDEXED
        and layer.inputs[1:2]
        and (layer.inputs[1] in {weight.name for weight in opening.open_model(model).weights})
    ):
        failure.hint = CONSTANT_INDICES.format(name=clip(layer.inputs[1], 80))
    where = load_failure(layer)
    if failure_site.fused:
        others = ", ".join(f"'{clip(each.label, 40)}'" for each in failure_site.fused[:3])
        where += f", which was fused with {others}"
    why, hint = explanations.without_node(failure.why), failure.hint
    if failure_site.device in ("", _CPU):
        why = f"{why} (in {where})"
        return EngineFailed(failure.what, why, hint, failure.phase, layer.label)
    text = f"{device_text(failure_site.device)} accepted {where}, then failed: {why}"
    reason = explanations.explain(str(failure.__cause__))
    if not reason.matched_rule or reason.of_values:  # the CPU may do what the device cannot
        hint = HINT.format("it", clip(failure_site.word, 80))
    claimed = failure_site.device, (layer.index,), why
    return DeviceFailed(failure.what, text, hint, failure.phase, *claimed)


def _found(
    running_node: explanations.FailedNode,
    message: str,
    model: Path,
    spec: RunSpec,
    feeds: Mapping[str, Feed],
) -> _Found | None:
    layers = opening.open_model(model).layers
    same = [layer for layer in layers if running_node.name and layer.name == running_node.name]
    certain = len(same) == 1 and same[0].operator == running_node.operator
    on_cpu = set(spec.devices) <= {_CPU}
    if certain and on_cpu:
        return _Found(same[0], (), _CPU)
    again = None
    # Where memory ran out it would run out again, and the runtime may then end the process.
    full = on_cpu and explanations.is_lack_of_memory(message)
    if not full and model.stat().st_size <= MOST_BYTES:
        again = _once_more(model, spec, feeds, layers)
    return again or (_Found(same[0], (), "") if certain else None)


def _once_more(
    model: Path, spec: RunSpec, feeds: Mapping[str, Feed], layers: Sequence[Layer]
) -> _Found | None:
    """Load and run the model with our names; nothing if it runs, or fails without a name."""
    renamed, _ = layer_names.rename(opening.skeleton(model))
    if spec.on_cpu:
        renamed = forced_to_cpu.annotated(renamed, forced_to_cpu.indices(layers, spec.on_cpu))
    units = devices.resolve(spec.devices)
    body, home = renamed.SerializeToString(), opening.home(model)
    session = create_session(body, spec, units, external_folder=home)
    try:
        predict.prepare_run(session, feeds, spec.binding, spec.cast)()
    except BadInput:
        return None
    except REFUSALS as error:
        running_node = explanations.running_node(str(error))
    else:
        return None
    tokens = [] if running_node is None else layer_names.tokens(running_node.name)
    named = [layers[int(token[1:])] for token in tokens if token[0] == "L"]
    if not named:
        return None
    parts = session.get_provider_graph_assignment_info()
    homes = {
        token: part.ep_name
        for part in parts
        for node in part.get_nodes()
        for token in layer_names.tokens(node.name)
    }
    provider = homes.get(tokens[0], "")
    ids = {unit.device.provider: unit.device.id for unit in reversed(units)}
    device = ids.get(provider, _CPU if provider else "")
    return _Found(
        named[0], tuple(named[1:]), device, forced_to_cpu.layer_pattern(layers, named[0].index)
    )
