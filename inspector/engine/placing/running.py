"""A prediction failed: which layer of the model it was, and which device had taken that."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inspector import readers
from inspector.engine.graphs import naming
from inspector.engine.placing import loading
from inspector.engine.sessions import devices, kept, predict, refusals
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.predict import Fed
from inspector.engine.sessions.raised import REFUSALS
from inspector.engine.sessions.refusals import Running
from inspector.engine.sessions.session import create_session
from inspector.errors import BadInput, DeviceFailed, EngineFailed, InspectorError
from inspector.model import Layer
from inspector.report import RunSpec
from inspector.units import clip
from inspector.units import device as device_words

MOST_BYTES = 1 << 30  # of a file that is loaded once more to find out
_CPU = "cpu"


@dataclass(frozen=True, slots=True)
class _Found:
    """The layer, the others that ran as one with it, and the device; "" where unknown.

    word: what the layer is called to keep it on the CPU.
    """

    layer: Layer
    fused: tuple[Layer, ...]
    device: str
    word: str = ""


@contextmanager
def failures_named(model: Path, spec: RunSpec, feeds: Mapping[str, Fed]) -> Iterator[None]:
    """Let a failure of the runtime, in loading or later, name the layer as the model does."""
    try:
        yield
    except EngineFailed as error:
        if error.phase == "load":
            raise loading.named(error, model, spec) from error.__cause__
        raise named(error, model, spec, feeds) from error.__cause__


def named(
    failure: EngineFailed, model: Path, spec: RunSpec, feeds: Mapping[str, Fed]
) -> EngineFailed:
    """Say which layer failed, and on which device; the same failure where that is not known.

    The runtime names a node of its optimised graph. Where that is none of the model's, or a
    device may be to blame, the model is loaded once more with names that survive.
    """
    told = refusals.running(str(failure.__cause__))
    if told is None:
        return failure
    try:
        found = _found(told, model, spec, feeds)
    except InspectorError:
        return failure
    return failure if found is None else _said(failure, told, found)


def _found(
    told: Running, model: Path, spec: RunSpec, feeds: Mapping[str, Fed]
) -> _Found | None:
    layers = readers.open_model(model).layers
    same = [layer for layer in layers if told.name and layer.name == told.name]
    certain = len(same) == 1 and same[0].operator == told.operator
    if certain and set(spec.devices) <= {_CPU}:
        return _Found(same[0], (), _CPU)
    again = None
    if model.stat().st_size <= MOST_BYTES:
        again = _once_more(model, spec, feeds, layers)
    return again or (_Found(same[0], (), "") if certain else None)


def _once_more(
    model: Path, spec: RunSpec, feeds: Mapping[str, Fed], layers: Sequence[Layer]
) -> _Found | None:
    """Load and run the model with our names; nothing if it runs, or fails without a name."""
    renamed, _ = naming.rename(readers.skeleton(model))
    if spec.on_cpu:
        renamed = kept.remarked(renamed, kept.indices(layers, spec.on_cpu))
    units = devices.resolve(spec.devices)
    body, home = renamed.SerializeToString(), readers.home(model)
    session = create_session(body, spec, units, external_folder=home)
    try:
        predict.runner(session, feeds, spec.binding, spec.cast)()
    except BadInput:
        return None
    except REFUSALS as error:
        told = refusals.running(str(error))
    else:
        return None
    words = [] if told is None else naming.tokens(told.name)
    mine = [layers[int(word[1:])] for word in words if word[0] == "L"]
    if not mine:
        return None
    parts = session.get_provider_graph_assignment_info()
    homes = {
        word: part.ep_name
        for part in parts
        for node in part.get_nodes()
        for word in naming.tokens(node.name)
    }
    device = _device(homes.get(words[0], ""), units)
    return _Found(mine[0], tuple(mine[1:]), device, kept.spoken(layers, mine[0].index))


def _device(provider: str, units: Sequence[Unit]) -> str:
    known = {unit.device.provider: unit.device.id for unit in reversed(units)}
    return known.get(provider, _CPU if provider else "")


def _said(failure: EngineFailed, told: Running, found: _Found) -> EngineFailed:
    where = loading.told(found.layer)
    if found.fused:
        others = ", ".join(f"'{clip(layer.label, 40)}'" for layer in found.fused[:3])
        where += f", which ran as one with {others}"
    why, hint = failure.why.removesuffix(told.suffix), failure.hint
    if found.device in ("", _CPU):
        return EngineFailed(failure.what, f"{why} (in {where})", hint, failure.phase)
    said = f"{device_words(found.device)} took {where} and then failed: {why}"
    hint = hint or loading.HINT.format("it", clip(found.word, 80))
    claimed = found.device, (found.layer.index,), why
    return DeviceFailed(failure.what, said, hint, failure.phase, *claimed)
