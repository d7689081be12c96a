"""A model does not load: which layer it was, and whether it is a device that fails at it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from onnx import ModelProto

from inspector import readers
from inspector.engine.graphs import naming
from inspector.engine.graphs.typed_graphs import typed_graphs
from inspector.engine.placing import placement
from inspector.engine.placing.placement import Question
from inspector.engine.sessions import devices, kept, providers, refusals
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.session import create_session
from inspector.errors import DeviceFailed, EngineFailed, InspectorError
from inspector.model import Layer
from inspector.report import Mark, RunSpec
from inspector.units import clip, plural
from inspector.units import device as device_words

MOST_BYTES = 1 << 30  # of a file that is loaded again to find out
MOST_NAMED = 3
HINT = (
    "Keep {} on the CPU: --on-cpu '{}'; `inspector measure` finds all such layers with "
    "--around-failures."
)
_LOADS_ELSEWHERE = "{} does not load it, and the CPU does: {}"


def named(failure: EngineFailed, model: Path, spec: RunSpec) -> EngineFailed:
    """Say which layers keep a model from being loaded; the same failure where none is known.

    A device is to blame that works, and at which the model fails that the CPU alone loads.
    """
    if failure.__cause__ is None or model.stat().st_size > MOST_BYTES:
        return failure
    try:
        layers = readers.open_model(model).layers
        told = refusals.node(str(failure.__cause__))
        only_cpu = set(spec.devices) <= {"cpu"}
        same = None if told is None else _same(told, layers)
        if only_cpu and (told is None or same is not None):
            return _renamed(failure, same)
        renamed = kept.remarked(
            naming.rename(readers.skeleton(model))[0], kept.indices(layers, spec.on_cpu)
        )
        return _found_out(failure, Asked(model, spec, layers, renamed))
    except InspectorError:
        return failure


class Asked:
    """A model with names that survive, to be loaded on some devices or others."""

    def __init__(
        self, model: Path, spec: RunSpec, layers: Sequence[Layer], renamed: ModelProto
    ) -> None:
        self.home, self.spec, self.layers = readers.home(model), spec, layers
        self.renamed, self._body = renamed, renamed.SerializeToString()

    def failure_on(self, units: Sequence[Unit]) -> EngineFailed | None:
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

    def failing_on(self, unit: Unit) -> tuple[int, ...]:
        """Find the layers that fail alone on a device."""
        graphs = typed_graphs(self.renamed, self.spec, {}, self.home)
        question = Question(self.renamed, graphs, graphs, self.spec, self.home)
        nodes = (node for graph in graphs for node in graph.graph.node)
        asked = sorted(int(node.name[1:]) for node in nodes if node.op_type != "Constant")
        answers = placement.ask_device(question, asked, unit)
        return tuple(n for n in asked if answers[n].mark is Mark.FAILED)


def _found_out(failure: EngineFailed, asked: Asked) -> EngineFailed:
    units = devices.resolve(asked.spec.devices)
    others = [unit for unit in units if unit.device.provider != providers.CPU]
    again = asked.failure_on(units)
    if again is None:
        return failure
    blamed = _blamed(again, asked.layers)
    if not others or not all(map(devices.starts, others)) or asked.failure_on(()):
        return _renamed(failure, blamed)
    found = (blamed.index,) if blamed else asked.failing_on(others[0])
    return claimed(failure, asked.layers, others[0].device.id, found)


def claimed(
    failure: EngineFailed, layers: Sequence[Layer], device: str, blamed: Sequence[int]
) -> EngineFailed:
    """Say which layers a device failed at, when the CPU alone loads the model.

    blamed: indices of `layers`; none where it is not known.
    """
    why = refusals.bare(failure.why)
    if not blamed:
        said = _LOADS_ELSEWHERE.format(device_words(device), why)
        return EngineFailed(failure.what, said, failure.hint, failure.phase)
    found = [layers[index] for index in blamed]
    said = f"{device_words(device)} took {_listed(found)} and then failed: {why}"
    words = ",".join(kept.spoken(layers, index) for index in blamed[:MOST_NAMED])
    hint = HINT.format("it" if len(found) == 1 else "them", clip(words, 120))
    return DeviceFailed(failure.what, said, hint, failure.phase, device, tuple(blamed), why)


def _renamed(failure: EngineFailed, layer: Layer | None) -> EngineFailed:
    if layer is None:
        return failure
    said = f"{refusals.bare(failure.why)} (in {told(layer)})"
    return EngineFailed(failure.what, said, failure.hint, failure.phase)


def told(layer: Layer) -> str:
    """A layer as a sentence has it, by name where it has one."""
    where = f"layer '{clip(layer.label, 80)}'" if layer.name else f"layer {layer.index}"
    return f"{where} ({layer.operator})"


def _listed(layers: Sequence[Layer]) -> str:
    names = ", ".join(told(layer) for layer in layers[:MOST_NAMED])
    more = len(layers) - MOST_NAMED
    return f"{names} and {plural(more, 'other')}" if more > 0 else names


def _blamed(failure: EngineFailed, layers: Sequence[Layer]) -> Layer | None:
    """The layer that the runtime names, when it has our names."""
    told = refusals.node(str(failure.__cause__))
    words = [] if told is None else naming.tokens(told.name)
    mine = [int(word[1:]) for word in words if word[0] == "L"]
    return layers[mine[0]] if mine and mine[0] < len(layers) else None


def _same(told: refusals.Running, layers: Sequence[Layer]) -> Layer | None:
    """The one layer that has the name which the runtime told."""
    same = [layer for layer in layers if told.name and layer.name == told.name]
    alike = len(same) == 1 and same[0].operator == told.operator
    return same[0] if alike else None
