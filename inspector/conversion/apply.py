"""Run recipes, in the engine process."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import structs
from onnx import ModelProto

from inspector.conversion.action import WITH_HISTOGRAMS, Converted, Effect, Step
from inspector.conversion.calibration import add_observers
from inspector.conversion.editable_model import Arrays, EditableModel
from inspector.conversion.edits.edited_model import EditedModel
from inspector.conversion.plan import Context, Plan
from inspector.conversion.steps import action_of, finish, guarded, libraries, planned
from inspector.errors import BadInput, InspectorError
from inspector.units import clip

# Of a model, up to which a plan does what it foretells: that takes 0.1 s for each action and
# 4 MiB, and a plan has a dozen of them.
MOST_REHEARSED_BYTES = 16 << 20
__all__ = ["EditedModel", "convert", "effects_of"]


def convert(
    path: Path,
    steps: Sequence[Step],
    folder: Path,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    share: Callable[[float], None] = lambda _: None,
    name: str = "model.onnx",
    arrays: Arrays | None = None,
    source: Path | None = None,
) -> Converted:
    """Run steps on a model and write the result into a folder under a name.

    Without `ranges`, a recipe with a step that calibrates ends before that step, and the model
    is written with outputs for the ranges. arrays: contents of the files that steps name, by
    their paths. source: the file in the ORT format that `path` was restored from. Raises
    InspectorError.
    """
    effects, context = list[Effect](), Context(ranges, folder=folder)
    with EditableModel(path, source) as model:
        path = model.path
        model.arrays = arrays or {}
        weights = {tensor.name for tensor in model.proto.graph.initializer}
        for number, step in enumerate(steps):
            share(number / (len(steps) + 1))
            action = action_of(step)
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
                observed = guarded(action, path, plan.observe)
                lost = guarded(action, path, plan.lost)
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
            guarded(action, path, partial(plan.apply, context))
            effects[-1] = _with_size(plan.effect, model.size_bytes())
        made_by = libraries(steps)
        finish(model, weights, steps if any(e.applicable for e in effects) else ())
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


def effects_of(
    path: Path,
    steps: Sequence[Step],
    others: Sequence[Step],
    folder: Path,
    source: Path | None = None,
) -> tuple[Effect, ...]:
    """Return what each of other steps would do to a model, after the steps of a recipe.

    folder: for files that are needed on the way. source: as for `convert`. A step of the recipe
    that calibrates is left out. Raises InspectorError.
    """
    with TemporaryDirectory(dir=folder) as scratch, EditableModel(path, source) as model:
        context = Context(folder=Path(scratch))
        for step in steps:
            action = action_of(step)
            plan = planned(model, step, action)
            if plan.effect.applicable and not plan.observe:
                guarded(action, path, partial(plan.apply, context))
        return tuple(_effect(model, step, context) for step in others)


def _effect(model: EditableModel, step: Step, context: Context) -> Effect:
    try:
        plan = planned(model, step, action_of(step))
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
    action = action_of(step)
    try:
        ranges: dict[str, tuple[float, float]] = {}
        if plan.observe is not None:  # any range will do: the size does not depend on it
            ranges = dict.fromkeys(guarded(action, model.path, plan.observe), (-1.0, 1.0))
            model.proto.CopyFrom(before)
        work = partial(plan.apply, Context(ranges, folder=folder))
        guarded(action, model.path, work)
        finish(model, weights, (step,))
        if model.external:  # weights in a file beside the model begin on whole pages
            files = model.write(folder, "rehearsal.onnx")
            return sum((folder / each).stat().st_size for each in files)
        return model.size_bytes()
    finally:
        model.proto.CopyFrom(before)
        model.external, model.finish = external, None
