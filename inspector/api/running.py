"""A model is run once; and what all functions that run one share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from inspector.api.answers import Answer
from inspector.api.models import ModelOrPath, OpenedModel, open_model
from inspector.api.python_words import says_parameters
from inspector.api.temporary import Picture, file_of
from inspector.app import subjects
from inspector.app.subjects import Subject
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.folders.reading import encoder_part
from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.platform.work_limits import Limits
from inspector.preview.families import output_meanings
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs.feeds import Filled, Given, feeds_by_name
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.remote.machines import Target

Array = NDArray[Any]
OnProgress = Callable[[str, float], None]


Value = Array | str | Path | float | Picture
Inputs = Mapping[str, Value] | Value | None


@says_parameters
def predict(
    model: ModelOrPath,
    inputs: Inputs = None,
    *,
    device: str = "cpu",
    dimensions: Mapping[str, int] | None = None,
    settings: Mapping[str, Any] | None = None,
    labels: Sequence[str] = (),
    output_as: Mapping[str, str] | None = None,
    time_limit: float | None = None,
    on: str = "",
) -> Answer:
    """Run a model once.

        answer = inspector.predict("digits.onnx", "photo.png")
        answer.top(1)  # [("3", 0.998)]

    model: a path, an opened model, an onnx.ModelProto, or the bytes of a model file.
    inputs: values by input name, or one value for a model with one input: an array, a PIL
        image, the path of a file (image, sound, text, array, ...), or a recipe such as "zeros"
        or "random:1". Inputs without a value get a usual one.
    device: such as "cpu", "cuda" or "openvino:cpu"; `inspector devices` lists those here.
    dimensions: sizes of dynamic axes by name.
    settings: fields of `RunSpec`, as in `measure`; {"cast": True} converts floats of another
        precision.
    labels: class names; by default those of the model, or of the one list that fits.
    output_as: what outputs mean, by name, such as {"y": "classes"}.
    time_limit: seconds; by default none.
    on: another machine: its name, as `inspector devices --add` has it.

    Raises InspectorError, whose `what`, `why` and `hint` are sentences.
    """
    opened = open_model(model)
    spec = spec_of(device, settings)
    if opened.folder is not None and encoder_part(opened.folder.folder) is not None:
        why = "its decoder takes what its encoder reads"
        hint = 'Use inspector.generate(MODEL, "a text") or generate(MODEL, Path("a file")).'
        raise BadInput(f"Could not run {clip(opened.folder.folder.path.name)}", why, hint)
    subject = subject_of(opened, spec, inputs, dimensions)
    with engine_of(None, time_limit, on) as engine:

        def once(filled: Sequence[Filled]) -> Prediction:
            return engine.predict(opened.path, spec, feeds_by_name(filled))

        ran = subject.run(once)
        prediction = once(ran.filled)  # loaded by now
    arrays = {o.name: o.array for o in prediction.outputs if o.array is not None}
    names = tuple(labels) or tuple(subject.with_assumed_labels().labels.names)
    said = [f"{name}={meaning}" for name, meaning in (output_as or {}).items()]
    meanings = output_meanings.parsed(said, opened.model)
    known = output_meanings.of_outputs(opened.model)
    structure = of_model(output_meanings.applied(opened.model, {**known, **meanings}))
    return Answer(arrays, prediction.prediction_ns, names, prediction, structure)


def spec_of(device: str, settings: Mapping[str, Any] | None = None) -> RunSpec:
    """Return settings. Raises BadInput: an unknown one."""
    what, given = "Could not use the settings", dict(settings or {})
    for name in given:
        if name not in SETTINGS:
            near = get_close_matches(name, SETTINGS, 1)
            meant = f"Did you mean '{near[0]}'? " if near else ""
            hint = f"{meant}The settings are {', '.join(SETTINGS)}."
            raise BadInput(what, f"there is no setting '{name}'", hint)
    try:
        return RunSpec(devices=(device,), **given)
    except TypeError as error:
        raise BadInput(what, str(error)) from error


def subject_of(
    opened: OpenedModel, spec: RunSpec, inputs: Inputs, dimensions: Mapping[str, int] | None
) -> Subject:
    """Return a model as it is run. Raises BadInput: it has no such inputs."""
    given = values_of(opened.model, inputs)
    return subjects.Subject.of(opened.path, opened.model, spec, given).with_lengths(
        dimensions or {}
    )


def values_of(model: Model, inputs: Inputs) -> dict[str, Given]:
    """Return inputs as a subject takes them. Raises BadInput."""
    if inputs is None:
        return {}
    if not isinstance(inputs, Mapping):
        if len(model.inputs) != 1:
            names = ", ".join(f"'{info.name}'" for info in model.inputs[:8])
            why = f"the model has {len(model.inputs)} inputs"
            hint = f"Pass a mapping from names to values: {names}."
            raise BadInput(f"Could not run {model.name}", why, hint)
        inputs = {model.inputs[0].name: inputs}
    known = {info.name: info.dtype for info in (*model.inputs, *model.defaults)}
    for name in inputs:
        if name not in known:
            why, hint = (
                f"it has no input '{name}'",
                f"Its inputs are {', '.join(sorted(known))}.",
            )
            raise BadInput(f"Could not run {model.name}", why, hint)
    return {
        name: Filled(name, "array", np.asarray(value), dtype=known[name])
        if isinstance(value, np.ndarray | list)
        else file_of(value)
        if hasattr(value, "save") and hasattr(value, "mode")
        else str(value)
        for name, value in inputs.items()
    }


def texts_of(model: Model, inputs: Inputs) -> dict[str, str]:
    """Return inputs that are files or recipes. Raises BadInput: an array."""
    values = values_of(model, inputs)
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    if len(texts) < len(values):
        name = next(name for name in values if name not in texts)
        why = f"the input '{name}' is an array"
        raise BadInput(
            "Could not use the inputs", why, "Save it as an .npy file and pass its path."
        )
    return texts


def shown(progress: OnProgress | None) -> Callable[[Progress], None]:
    """Return what tells a caller of progress."""

    def show(step: Progress) -> None:
        if progress is not None:
            progress(step.step, step.done)

    return show


def limits_of(time_limit: float | None) -> Limits:
    """Return the limits of an engine. time_limit: of each job in seconds."""
    return Limits() if time_limit is None else Limits(job_seconds=time_limit)


def target_of(on: str) -> Target | None:
    """Return the machine that `on` names; None for this one. Raises BadInput."""
    if not on:
        return None
    from inspector.remote.machines import targets  # what connects to machines, 60 ms

    found = targets(on)
    if len(found) > 1:
        why = f"it names {len(found)} machines, and a call runs on one"
        raise BadInput(
            f"Could not use on={on!r}", why, "Call the function once for each machine."
        )
    return found[0]


def engine_of(progress: OnProgress | None, time_limit: float | None, on: str = "") -> Engine:
    """Return an engine here, or on the machine that `on` names. Raises BadInput."""
    show, limits, target = shown(progress), limits_of(time_limit), target_of(on)
    return EngineProcess(show, limits) if target is None else target.engine(show, limits)
