"""Run recipes, in the engine process: the only place that imports actions."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec
from msgspec import structs
from onnx import ModelProto, checker, shape_inference, version_converter

from inspector.conversion.action import (
    CALIBRATION,
    WITH_HISTOGRAMS,
    Action,
    Converted,
    Effect,
    Recipe,
    Step,
    finds_layers,
    option_values,
)
from inspector.conversion.calibration import add_observers
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.plan import Context, Plan, check_layers
from inspector.conversion.registry import LITERT_ACTIONS, ONNX_ACTIONS, for_other_format
from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.platform import plugins
from inspector.units import clip
from inspector.version import __version__

# What a library raises for a model that it cannot change; its own kinds are among them.
_FAULTS = (
    RuntimeError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
    AssertionError, NotImplementedError, checker.ValidationError,
    shape_inference.InferenceError, version_converter.ConvertError,
)  # fmt: skip
METADATA_KEY = "inspector.recipe"
# Of a model, up to which a plan does what it foretells: that takes 0.1 s for each action and
# 4 MiB, and a plan has a dozen of them.
MOST_REHEARSED_BYTES = 16 << 20
T = TypeVar("T")


def convert(
    path: Path,
    steps: Sequence[Step],
    folder: Path,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    share: Callable[[float], None] = lambda _: None,
    name: str = "model.onnx",
) -> Converted:
    """Run steps on a model and write the result into a folder under a name.

    Without `ranges`, a recipe with a step that calibrates ends before that step, and the model
    is written with outputs for the ranges. Raises InspectorError.
    """
    effects, context = list[Effect](), Context(ranges, folder=folder)
    with EditableModel(path) as model:
        weights = {tensor.name for tensor in model.proto.graph.initializer}
        for number, step in enumerate(steps):
            share(number / (len(steps) + 1))
            action = _known(step)
            plan = planned(model, step, action)
            what = f"Could not apply '{clip(step.text, 60)}' to {clip(path.name)}"
            if plan.effect.refused:
                raise BadInput(what, plan.effect.refused, plan.effect.hint)
            if plan.effect.needs:
                raise BadInput(what, f"the action needs {plan.effect.needs}", plan.effect.hint)
            effects.append(plan.effect)
            if plan.effect.nothing:
                continue
            if plan.observe and ranges is None:
                observed = _guarded(action, path, plan.observe)
                lost = _guarded(action, path, plan.lost)
                histograms = plan.method in WITH_HISTOGRAMS
                add_observers(model, observed, histograms, plan.peaks)
                files = model.write(folder, f"observed-{name}")
                return Converted(
                    files,
                    tuple(effects),
                    observe=observed,
                    layers=plan.layers,
                    method=plan.method,
                    results=plan.results,
                    percentile=plan.percentile,
                    lost=lost,
                )
            _guarded(action, path, partial(plan.apply, context))
            effects[-1] = _with_size(plan.effect, model.size_bytes())
        made_by = _libraries(steps)
        _finish(model, weights, steps if any(e.applicable for e in effects) else ())
        written = model.write(folder, name)
        if effects and effects[-1].applicable:
            size = sum((folder / each).stat().st_size for each in written)
            effects[-1] = _with_size(effects[-1], size)
    context.notes.extend(note for notes in context.later for note in notes())
    share(1.0)
    renamed = tuple(context.renamed.items())
    return Converted(
        written,
        tuple(effects),
        tuple(context.notes),
        made_by,
        renamed=renamed,
        pictures=tuple(context.pictures),
        devices=context.devices,
    )


def _with_size(effect: Effect, size: int) -> Effect:
    """Return an effect with the size that was foretold, if it was, replaced by the real one."""
    return effect if effect.bytes_after is None else structs.replace(effect, bytes_after=size)


def _finish(model: EditableModel, weights: Set[str], steps: Sequence[Step]) -> None:
    """Do what follows the steps of a recipe, in place. weights: names before the steps."""
    _drop_inputs_of_lost_weights(model, weights)
    if steps:
        _note_recipe(model, Recipe(tuple(steps), made_by=_libraries(steps)))


def _drop_inputs_of_lost_weights(model: EditableModel, weights: Set[str]) -> None:
    """Remove the inputs, as models before IR version 4 have them, of weights that are gone:
    without a default, they would have to be given.

    weights: names before the steps.
    """
    graph = model.proto.graph
    lost = weights - {tensor.name for tensor in graph.initializer}
    for value in [value for value in graph.input if value.name in lost]:
        graph.input.remove(value)


def effects_of(
    path: Path, steps: Sequence[Step], others: Sequence[Step], folder: Path
) -> tuple[Effect, ...]:
    """Return what each of other steps would do to a model, after the steps of a recipe.

    folder: for files that are needed on the way. A step of the recipe that calibrates is left
    out. Raises InspectorError.
    """
    with TemporaryDirectory(dir=folder) as scratch, EditableModel(path) as model:
        context = Context(folder=Path(scratch))
        for step in steps:
            action = _known(step)
            plan = planned(model, step, action)
            if plan.effect.applicable and not plan.observe:
                _guarded(action, path, partial(plan.apply, context))
        return tuple(_effect(model, step, context) for step in others)


def _effect(model: EditableModel, step: Step, context: Context) -> Effect:
    try:
        plan = planned(model, step, _known(step))
        effect = plan.effect
        is_small = effect.bytes_before <= MOST_REHEARSED_BYTES
        if effect.applicable and effect.bytes_after is not None and is_small:
            return _with_size(effect, _rehearsed_size(model, step, plan, context.folder))
    except InspectorError as error:
        return Effect(refused=error.why or error.what, hint=error.hint)
    return effect


def _rehearsed_size(model: EditableModel, step: Step, plan: Plan, folder: Path) -> int:
    """Return the size of the model that a step makes, by doing it; the model stays as it is.

    Sums over weights miss what a step removes, keeps for other layers, names and converts.
    """
    before, external = ModelProto(), model.external
    before.CopyFrom(model.proto)
    weights = {tensor.name for tensor in before.graph.initializer}
    action = _known(step)
    try:
        ranges: dict[str, tuple[float, float]] = {}
        if plan.observe is not None:  # any range will do: the size does not depend on it
            ranges = dict.fromkeys(_guarded(action, model.path, plan.observe), (-1.0, 1.0))
            model.proto.CopyFrom(before)
        work = partial(plan.apply, Context(ranges, folder=folder))
        _guarded(action, model.path, work)
        _finish(model, weights, (step,))
        if model.external:  # weights in a file beside the model begin on whole pages
            files = model.write(folder, "rehearsal.onnx")
            return sum((folder / each).stat().st_size for each in files)
        return model.size_bytes()
    finally:
        model.proto.CopyFrom(before)
        model.external, model.finish = external, None


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

    return _guarded(action, model.path, plan)


def _guarded(action: Action, path: Path, work: Callable[[], T]) -> T:
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


def _known(step: Step) -> Action:
    action = ONNX_ACTIONS.get(step.action)
    if action is None:
        what = f"Could not use '{clip(step.action, 60)}'"
        if step.action in LITERT_ACTIONS:
            raise BadInput(what, *for_other_format(step.action, "onnx"))
        raise BadInput(what, "there is no such action")
    return action


def _libraries(steps: Sequence[Step]) -> tuple[str, ...]:
    names = dict.fromkeys(ONNX_ACTIONS[step.action].library for step in steps)
    own = f"Inspector {__version__}"
    return (own, *(f"{name} {_version(name)}" for name in names if name))


def _version(library: str) -> str:
    try:
        return version(library.partition(".")[0])
    except PackageNotFoundError:
        return ""


def _note_recipe(model: EditableModel, recipe: Recipe) -> None:
    entries = [e for e in model.proto.metadata_props if e.key != METADATA_KEY]
    del model.proto.metadata_props[:]
    model.proto.metadata_props.extend(entries)
    model.proto.metadata_props.add(key=METADATA_KEY, value=msgspec.json.encode(recipe).decode())
