"""What actions would do to a model, with the latency of the result where that can be told."""

import os
from collections.abc import Callable, Sequence
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
from inspector.report.improvement import Foretold
from inspector.report.run_spec import RunSpec

# Options that change no time: how ranges are found. With others, an action is another one.
_WITHOUT_TIME = frozenset({"method", "percentile", "calibration"})
ForetoldBy = Callable[[Step], Foretold | None]


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
    told = None if steps else time_changes(engine, path, model, spec, here)
    if told is None:
        return effects
    measured = {each.action for each in action_times()}
    return tuple(
        structs.replace(effect, foretold=(after := told(step)), not_foretold=after is None)
        if effect.applicable and step.action in measured
        else effect
        for step, effect in zip(others, effects, strict=True)
    )


def time_changes(
    engine: Engine, path: Path, model: Model, spec: RunSpec, here: Here | None = None
) -> ForetoldBy | None:
    """Return what tells the latency of a model after a step; None where nothing validates it:
    another processor or device, layers with graphs inside, unknown costs.

    here: returns what ceilings this machine has, by default measured. Raises Cancelled.
    """
    if spec.devices not in ((), ("cpu",)) or any(x.parent is not None for x in model.layers):
        return None
    here = here or partial(measured_here, engine)
    try:
        known = {
            name: layers
            for name in {each.device for each in action_times()}
            if (device := measured_devices()[name]).threads == (spec.threads or os.cpu_count())
            and (layers := _loads_on(engine, path, model, device, here)) is not None
        }
    except Cancelled:
        raise
    except InspectorError:  # an extra, which must not cost the answer
        return None
    actions = {each.action: each for each in action_times() if each.device in known}

    def told(step: Step) -> Foretold | None:
        action = actions.get(step.action)
        if action is None or not {name for name, _ in step.options} <= _WITHOUT_TIME:
            return None
        return foretold(known[action.device], measured_devices()[action.device], action)

    return told if actions else None


def _loads_on(
    engine: Engine, path: Path, model: Model, device: Efficiency, here: Here
) -> tuple[LayerLoad, ...] | None:
    """Return what layers ask of the device; None where it is not the one that was measured."""
    ceilings = here((), device)
    if ceilings is None or not ceilings[1]:
        return None
    return loads(model, cost_at(engine, path, model, {}), wide=True)
