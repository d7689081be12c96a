"""What actions would do to a model, with the latency of the result where that can be told."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import structs

from inspector.analysis.cost.latency import Efficiency, LayerLoad, loads
from inspector.analysis.cost.time_gained import action_times, foretold
from inspector.analysis.devices.known_devices import measured_devices
from inspector.app.estimates import cost_at
from inspector.app.estimating.device_estimates import Here, measured_here
from inspector.conversion.action import Effect, Step
from inspector.engine.client.engine import Engine
from inspector.engine.requests import ListEffects
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.report.foretold import Foretold
from inspector.report.run_spec import RunSpec
from inspector.wording.values import Count, Sentence

# Options that change no time: how ranges are found. With others, an action is another one.
_WITHOUT_TIME = frozenset({"method", "percentile", "calibration"})
ForetoldBy = Callable[[Step], Foretold | Sentence]


def effects_with_time(
    engine: Engine,
    path: Path,
    model: Model,
    steps: Sequence[Step],
    others: Sequence[Step],
    spec: RunSpec,
    here: Here | None = None,
) -> tuple[Effect, ...]:
    """Return what each of other steps would do after those of a recipe.

    The latency is told of the original alone. here: as of `time_changes`. Raises
    InspectorError.
    """
    effects = engine.call(ListEffects(path, steps, others))
    measured = {each.action for each in action_times()}
    told = time_changes(engine, path, model, spec, here) if not steps else _after_others

    def with_time(step: Step, effect: Effect) -> Effect:
        if not effect.applicable or step.action not in measured:
            return effect
        after = told(step)
        if isinstance(after, Foretold):
            return structs.replace(effect, foretold=after)
        return structs.replace(effect, not_foretold=True, not_foretold_reason=after)

    return tuple(map(with_time, others, effects))


def _after_others(_: Step) -> Sentence:
    return Sentence("only the first step of a recipe is estimated")


def time_changes(
    engine: Engine, path: Path, model: Model, spec: RunSpec, here: Here | None = None
) -> ForetoldBy:
    """Return what tells the latency of a model after a step, or why nothing validates it.

    here: returns what ceilings this machine has, by default measured. Raises Cancelled.
    """
    known = _known(engine, path, model, spec, here or partial(measured_here, engine))
    actions = {each.action: each for each in action_times()}

    def told(step: Step) -> Foretold | Sentence:
        action = actions.get(step.action)
        if isinstance(known, Sentence):
            return known
        if action is None or not {name for name, _ in step.options} <= _WITHOUT_TIME:
            return Sentence("nothing was measured with these options")
        layers = known.get(action.device)
        if layers is None:
            return Sentence("times were measured on another processor")
        return foretold(layers, measured_devices()[action.device], action)

    return told


def _known(
    engine: Engine, path: Path, model: Model, spec: RunSpec, here: Here
) -> Mapping[str, tuple[LayerLoad, ...] | None] | Sentence:
    """Return what layers ask of each device that was measured, or why none is like this one."""
    if spec.devices not in ((), ("cpu",)):
        return Sentence("times were measured in ONNX Runtime on the CPU alone")
    if any(layer.parent is not None for layer in model.layers):
        return Sentence("nothing was measured with graphs inside of layers")
    threads = spec.threads or os.cpu_count()
    devices = [measured_devices()[name] for name in {each.device for each in action_times()}]
    alike = [device for device in devices if device.threads == threads]
    if not alike:
        return Sentence(
            "times were measured with {threads}", Count(devices[0].threads, "thread")
        )
    try:
        return {each.id: _loads_on(engine, path, model, each, here) for each in alike}
    except Cancelled:
        raise
    except InspectorError as error:  # an extra, which must not cost the answer
        return Sentence("the cost of the layers is not known: {why}", error.what)


def _loads_on(
    engine: Engine, path: Path, model: Model, device: Efficiency, here: Here
) -> tuple[LayerLoad, ...] | None:
    """Return what layers ask of the device; None where it is not the one that was measured."""
    ceilings = here((), device)
    if ceilings is None or not ceilings[1]:
        return None
    return loads(model, cost_at(engine, path, model, {}), wide=True)
