"""Steps of a recipe on a model in memory, in the engine process: plan one, apply it, finish."""

from collections.abc import Callable, Sequence, Set
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

import msgspec
from onnx import checker, shape_inference, version_converter

from inspector import __version__
from inspector.conversion.action import (
    CALIBRATION,
    Action,
    Effect,
    Recipe,
    Step,
    finds_layers,
    option_values,
)
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.plan import Context, Plan, check_layers, refill
from inspector.conversion.registry import LITERT_ACTIONS, ONNX_ACTIONS, for_other_format
from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.platform import plugins
from inspector.units import clip
from inspector.wording.values import Sentence

# What a library raises for a model that it cannot change; its own kinds are among them.
_FAULTS = (
    RuntimeError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
    AssertionError, NotImplementedError, checker.ValidationError,
    shape_inference.InferenceError, version_converter.ConvertError,
)  # fmt: skip
METADATA_KEY = "inspector.recipe"
T = TypeVar("T")


def apply_step(model: EditableModel, step: Step, context: Context) -> Effect:
    """Apply a step if it can be, in place, and return what it does. Raises InspectorError."""
    action = action_of(step)
    plan = planned(model, step, action)
    if plan.effect.applicable and plan.observe:
        return Effect(refused=Sentence("value ranges have to be measured for it first"))
    if plan.effect.applicable:
        guarded(action, model.path, partial(plan.apply, context))
    return plan.effect


def finish(model: EditableModel, weights: Set[str], steps: Sequence[Step]) -> None:
    """Do what follows the steps of a recipe, in place. weights: names before the steps."""
    # Models before IR version 4 list weights as inputs: those of weights that are gone have no
    # default, and would have to be given.
    graph = model.proto.graph
    lost = weights - {tensor.name for tensor in graph.initializer}
    for value in [value for value in graph.input if value.name in lost]:
        graph.input.remove(value)
    if steps:
        recipe = Recipe(tuple(steps), made_by=libraries(steps))
        entries = [e for e in model.proto.metadata_props if e.key != METADATA_KEY]
        refill(model.proto.metadata_props, entries)
        model.proto.metadata_props.add(
            key=METADATA_KEY, value=msgspec.json.encode(recipe).decode()
        )


def planned(model: EditableModel, step: Step, action: Action) -> Plan:
    """Find out what a step would do. Raises InspectorError."""
    with plugins.blamed(plugins.ACTIONS, action, f"Could not use '{action.id}'"):
        function = plugins.load(action.implementation)
    options = option_values(step, action)
    options.pop(CALIBRATION, None)  # inputs are chosen by who runs the recipe

    if model.finish is not None:
        why = "by then, the model is no longer an ONNX model that can be changed"
        raise BadInput(f"Could not apply '{action.id}'", why, "Make it the last step.")

    def plan() -> Plan:
        if not action.calibrates:  # which also know names of layers that they make first
            kept = options.get("keep", ())
            check_layers(() if finds_layers(step) else kept, model.proto)
        made: Plan = function(model, **options)
        return made

    return guarded(action, model.path, plan)


def guarded(action: Action, path: Path, work: Callable[[], T]) -> T:
    """Return what work returns; what a library raises becomes EngineFailed."""
    try:
        return work()
    except InspectorError:
        raise
    except MemoryError:
        raise
    except _FAULTS as error:
        who = f"{action.library} {_version(action.library)} failed: " if action.library else ""
        text = " ".join(str(error).split()) or type(error).__name__
        what = f"Could not apply '{action.id}' to {clip(path.name)}"
        raise EngineFailed(what, f"{who}{clip(text, 300)}", phase="convert") from error


def action_of(step: Step) -> Action:
    """Return the action of a step. Raises BadInput: there is none for ONNX models."""
    action = ONNX_ACTIONS.get(step.action)
    if action is None:
        what = f"Could not use '{clip(step.action, 60)}'"
        if step.action in LITERT_ACTIONS:
            raise BadInput(what, *for_other_format(step.action, "onnx"))
        raise BadInput(what, "there is no such action")
    return action


def libraries(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the versions of what applies steps, such as "onnx 1.19.0"."""
    names = dict.fromkeys(ONNX_ACTIONS[step.action].library for step in steps)
    own = f"Inspector {__version__}"
    return (own, *(f"{name} {_version(name)}" for name in names if name))


def _version(library: str) -> str:
    try:
        return version(library.partition(".")[0])
    except PackageNotFoundError:
        return ""
