"""The functions of the Python API. Those of the command line do the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.devices import targets as known
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.api.results import (
    Answer,
    Converted,
    Improved,
    Measurement,
    ModelComparison,
    OpenedModel,
    ReportComparison,
    Support,
    SweepResult,
    Tuned,
)
from inspector.backends import registry
from inspector.backends.values import Progress
from inspector.conversion.action import parse_step
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, OutputsDestroyed
from inspector.formats import opening
from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.platform import files
from inspector.platform.work_limits import Limits
from inspector.preview.families import output_meanings
from inspector.preview.families.output_structure import of_model
from inspector.preview.identity import identify
from inspector.preview.inputs.feeds import Filled, Given, feeds_by_name
from inspector.preview.preprocessing import saved
from inspector.preview.runs import parity
from inspector.report import report as reports
from inspector.report import sweep as sweeps
from inspector.report.run_spec import DEFAULT_SPEC, Dimension, RunSpec

if TYPE_CHECKING:
    from inspector.app.changing.calibration import NamedInput
    from inspector.app.measure import Setup
    from inspector.app.subjects import Subject
    from inspector.conversion.result import CheckedConversion
    from inspector.remote.machines import Target

Array = NDArray[Any]
OnProgress = Callable[[str, float], None]


Value = Array | str | Path | float
Inputs = Mapping[str, Value] | Value | None
ModelOrPath = OpenedModel | str | Path


def open_model(path: ModelOrPath) -> OpenedModel:
    """Read a model file and say what it is; weights stay in the file.

    Raises InspectorError: it cannot be read.
    """
    if isinstance(path, OpenedModel):
        return path

    place = Path(path)
    model = saved.with_meanings(place, opening.open_model(place))
    return OpenedModel(place, model, identify(model))


def predict(
    model: ModelOrPath,
    inputs: Inputs = None,
    *,
    device: str = "cpu",
    dimensions: Mapping[str, int] | None = None,
    labels: Sequence[str] = (),
    output_as: Mapping[str, str] | None = None,
    time_limit: float | None = None,
    on: str = "",
) -> Answer:
    """Run a model once.

    inputs: values by input name, or one value for a model with one input: an array, the path of
    a file (image, sound, text, array, ...), or a recipe such as "zeros" or "random:1". Inputs
    without a value get a usual one. dimensions: sizes of dynamic axes by name. labels: class
    names; by default those of the model, or of the one list that fits. output_as: what outputs
    mean, by name, as `inspector predict --output-as` takes it, such as {"y": "classes"}.
    on: another machine, as `inspector predict --on` takes it. Raises InspectorError.
    """
    opened = open_model(model)
    spec = _spec(device)
    subject = _subject(opened, spec, inputs, dimensions)
    with _engine(None, time_limit, on) as engine:

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


def measure(
    model: ModelOrPath,
    inputs: Inputs = None,
    *,
    device: str = "cpu",
    runs: int | None = None,
    seconds: float | None = None,
    layers: bool = True,
    dimensions: Mapping[str, int] | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: OnProgress | None = None,
    time_limit: float | None = None,
    on: str = "",
) -> Measurement:
    """Measure latency, memory and the time of each layer.

    runs: timed predictions; by default as many as a stable median takes, at least for
    `seconds`. layers: whether layers are timed, in extra predictions. settings: fields of
    `RunSpec` such as {"threads": 2, "optimization": "basic"}. inputs, dimensions: as in
    `predict`. progress: called with a step and its share of work done (negative: unknown).
    on: another machine, as in `predict`. Raises InspectorError.
    """
    from inspector.app import measure as measuring

    opened = open_model(model)
    spec = _measuring_spec(device, settings, runs, seconds, layers, dimensions)
    subject = _subject(opened, spec, inputs, dimensions)
    own = measuring.setup(subject, _limits(time_limit), _target(on))
    with own.engine(_shown(progress)) as engine:
        own, report = measuring.measure(engine, own)
    return Measurement(own.advised(report))


def measure_against(
    model: ModelOrPath,
    other: ModelOrPath,
    inputs: Inputs = None,
    *,
    device: str = "cpu",
    processes: int | None = None,
    runs: int | None = None,
    seconds: float | None = None,
    layers: bool = True,
    dimensions: Mapping[str, int] | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: OnProgress | None = None,
    time_limit: float | None = None,
) -> ReportComparison:
    """Measure two models in turns and compare, as `inspector measure MODEL --against OTHER`.

    The result compares the model with the other one, whose report is the first. If they are of
    two formats, such as .onnx and .tflite, both get the same inputs and their outputs are
    compared. processes: on each side; by default at least 5, and up to 20 until the ratio is
    known to ±2.4%. The others: as in `measure`. Raises InspectorError.
    """
    from inspector.app.interleaved import STARTS, Interleaved, with_agreement
    from inspector.app.measure import setup
    from inspector.comparison import comparison

    spec = _measuring_spec(device, settings, runs, seconds, layers, dimensions)
    spec = replace(spec, starts=processes or STARTS)

    def prepared(opened: OpenedModel, values: Inputs) -> Setup:
        own = registry.for_run(opened.path, spec.devices).fitted(spec)
        return setup(_subject(opened, own, values, dimensions), _limits(time_limit))

    one, two = open_model(model), open_model(other)
    own, theirs = prepared(one, inputs), prepared(two, _inputs_for(one, two, inputs))
    goal = None if processes else PrecisionGoal()
    both = Interleaved(theirs, own, show=_shown(progress), goal=goal)
    pair = both.measured()
    reports = both.other.advised(pair[0]), both.own.advised(pair[1])
    done = comparison.compare(reports, (two.model.name, one.model.name))
    agreement = both.agreement()
    if agreement is None:
        return ReportComparison(done, reports)
    verdict = both.verdict(done, reports, agreement)
    reports = reports[0], with_agreement(reports[1], agreement, theirs)
    return ReportComparison(done, reports, verdict)


def tune(
    model: ModelOrPath,
    inputs: Inputs = None,
    *,
    seconds: float = 60.0,
    device: str = "cpu",
    dimensions: Mapping[str, int] | None = None,
    progress: OnProgress | None = None,
    time_limit: float | None = None,
    on: str = "",
) -> Tuned:
    """Search for the settings with the lowest latency.

    seconds: for the whole search. inputs: as in `predict`, but no arrays. progress: called with
    a step and its share of the time. on: as in `predict`. Raises InspectorError.
    """
    from inspector.analysis.measured import tuning_results
    from inspector.app import searches, subjects

    opened = open_model(model)
    spec = RunSpec(
        devices=(device,),
        dimensions=tuple(Dimension(n, size) for n, size in (dimensions or {}).items()),
        profiled_runs=0,
    )
    (subject,) = subjects.subjects([opened.path], _texts(opened.model, inputs), spec)
    done = None
    with _engine(progress, time_limit, on) as engine:
        for done in searches.tuned(engine, subject, seconds):
            if progress is not None:
                progress(done.step, done.done)
    assert done is not None, "a search yields before it measures"
    best = tuning_results.chosen(done)
    changed = {
        each.name: getattr(best, each.name)
        for each in fields(best)
        if getattr(best, each.name) != getattr(done.default, each.name)
    }
    return Tuned(changed, tuning_results.sentences(done), done)


def sweep(
    *models: ModelOrPath,
    settings: Mapping[str, Sequence[Any]],
    inputs: Inputs = None,
    runs: int = 30,
    processes: int = 2,
    progress: OnProgress | None = None,
    time_limit: float | None = None,
    on: str = "",
) -> SweepResult:
    """Measure models with every combination of some settings, in random order.

    settings: values of each setting, such as {"threads": [1, 2], "optimization": ["all",
    "basic"]}; the names are those of `inspector sweep`. runs: timed predictions in each of
    `processes` processes. inputs: as in `predict`, but no arrays; for all models. Combinations
    that fail keep their reason. on: as in `predict`. Raises InspectorError: a setting or a
    model is no good.
    """
    from inspector.app import runner, searches, subjects

    spec = RunSpec(runs=runs, profiled_runs=0)
    opened = subjects.subjects([open_model(model).path for model in models], spec=spec)
    given = _texts(opened[0].model, inputs)
    opened = tuple(each.with_given(given) for each in opened)
    axes = [sweeps.Axis(name, tuple(values)) for name, values in settings.items()]
    done = sweeps.plan([each.identity for each in opened], spec, axes, processes)
    runner.check(done)
    with _engine(progress, time_limit, on) as engine:
        total = runner.planned(len(done.cells), processes, 0, len(opened))
        for number, step in enumerate(searches.swept(done, opened, [(0, engine)])):
            done = step.sweep
            if progress is not None and number:
                progress("sweep", min(1.0, number / max(1, total)))
    return SweepResult(done)


async def measure_async(
    model: ModelOrPath, inputs: Inputs = None, **options: Any
) -> Measurement:
    """Do what `measure` does, without blocking the event loop."""
    return await asyncio.to_thread(measure, model, inputs, **options)


def load_report(path: str | Path) -> Measurement:
    """Read a saved report. Raises InspectorError: it is not one."""
    return Measurement(reports.load(Path(path)))


def compare(*reports: Measurement | str | Path) -> ReportComparison:
    """Compare two or more reports with the first. Raises InspectorError."""
    from inspector.comparison import comparison

    loaded = [r if isinstance(r, Measurement) else load_report(r) for r in reports]
    values = tuple(each.report for each in loaded)
    return ReportComparison(comparison.compare(values), values)


def diff(first: ModelOrPath, other: ModelOrPath, *, values: bool = True) -> ModelComparison:
    """Compare two models: layers, attributes, shapes, types and weights.

    values: whether the values of weights are read and compared. Raises InspectorError.
    """
    from inspector.comparison.model_diff import diff as compare_models
    from inspector.formats.onnx.weight_values import WeightReader

    one, two = open_model(first), open_model(other)
    if not values:
        return ModelComparison(compare_models(one.model, two.model))
    with WeightReader(one.path) as first_weights, WeightReader(two.path) as other_weights:
        return ModelComparison(
            compare_models(one.model, two.model, first_weights.read, other_weights.read)
        )


def support(model: ModelOrPath, targets: str = "all") -> Support:
    """Estimate which targets would run a model, from support tables; nothing is run.

    targets: "all", or names such as "apple,android,nvidia". Raises InspectorError.
    """
    from inspector.app.target_support import check_targets

    opened = open_model(model)
    chosen = known.chosen(targets, opened.model)
    with EngineProcess() as engine:
        found = check_targets(engine, opened.path, opened.model, chosen, {})
    return Support(opened.model.name, tuple(found))


def convert(
    model: ModelOrPath,
    *actions: str,
    output: str | Path,
    calibration: str | Path | Sequence[Mapping[str, Array]] = (),
    test: str | Path | Sequence[Mapping[str, Array]] = (),
    overwrite: bool = False,
    accept: bool = False,
    copy: bool = True,
    custom_ops: Sequence[str | Path] = (),
) -> Converted:
    """Change a model by actions such as "float16" or "opset:21", check it and save it.

    actions: as for `inspector convert`. calibration: typical inputs: a folder, or values of all
    inputs. Actions that need the ranges of values require it, and all results are compared
    with the original on it; of 8 or more inputs, one in 4 is held out from calibration. test:
    inputs to compare on instead. accept: save the result even if its outputs are mostly
    different. copy: whether to copy the model if no action has anything to do. custom_ops:
    libraries that provide custom operators of the model. The model itself is never written.
    Raises InspectorError: an action failed, or the result does not open and run;
    OutputsDestroyed: its outputs are mostly different; then nothing is written.
    """
    from inspector.app.changing import conversion_check
    from inspector.conversion.registry import ACTIONS, actions_of, expect_own_actions

    opened, target = open_model(model), Path(output)
    what = f"Could not convert {opened.model.name}"
    if target.resolve() == opened.path.resolve():
        raise BadInput(what, "the output would overwrite the model", "Choose another name.")
    if target.exists() and not overwrite:
        raise BadInput(what, f"{target.name} already exists", "Pass overwrite=True.")
    actions_of(opened.path, what)
    steps = tuple(parse_step(text, ACTIONS) for text in actions)
    expect_own_actions(steps, opened.path, what)
    spec = _with_libraries(custom_ops)
    subject = _subject(opened, spec, None, None)
    inputs = conversion_check.ConversionInputs(
        conversion_check.usual_input(opened.model, spec.custom_ops),
        _conversion_inputs(subject, calibration),
        _conversion_inputs(subject, test),
    )

    def wanted(checked: CheckedConversion) -> bool:
        if checked.destroyed and not accept:
            hint = "Nothing was saved. To save it all the same, pass accept=True."
            if checked.remedy is not None and checked.remedy.sentence:
                hint = f"{checked.remedy.sentence} {hint}"
            raise OutputsDestroyed(what, checked.sentence.rstrip("."), hint)
        return copy or not checked.conversion.unchanged

    result = conversion_check.convert_to(target, subject, steps, inputs, wanted)
    made = result.checked.conversion
    texts = tuple(effect.text for effect in made.effects)
    return Converted(target if result.saved else None, texts, made, result.checked)


def improve(
    model: ModelOrPath,
    test: str | Path,
    *recipes: str,
    calibration: str | Path | None = None,
    truth: str = "",
    labels: Sequence[str] = (),
    goal: str = "p50",
    keep: str = "-1%",
    starts: int | None = None,
    output: str | Path | None = None,
    progress: OnProgress | None = None,
    custom_ops: Sequence[str | Path] = (),
) -> Improved:
    """Try recipes on a model, and prove what each of them does.

    test, calibration: folders of inputs without a file in common. recipes: steps with spaces
    between them, as for `inspector improve --try`; by default the usual ones. truth: "folders",
    a CSV file of file and label (or boxes, masks, values), or "none"; by default the names of
    the subfolders if all are labels. goal: "p50" or "size". keep: how much the accuracy may
    drop, or "any". starts: pairs of processes behind each latency, by default 4; 0 skips
    latency. output: where the best model is saved. custom_ops: libraries that provide custom
    operators of the model.
    Raises InspectorError.
    """
    from inspector.app import subjects
    from inspector.app.changing import data_sets, improvement, search
    from inspector.conversion.registry import ACTIONS, actions_of, expect_own_actions

    opened, wanted = open_model(model), search.parse_goal(goal, keep)
    actions_of(opened.path, f"Could not improve {opened.model.name}")
    target = None if output is None else Path(output)
    if target is not None and target.exists():
        why = f"{target.name} already exists"
        raise BadInput(f"Could not improve {opened.model.name}", why, "Choose another name.")
    given = tuple(tuple(parse_step(s, ACTIONS) for s in text.split()) for text in recipes)
    for steps in given:
        expect_own_actions(steps, opened.path, f"Could not improve {opened.model.name}")
    subject = _subject(opened, _with_libraries(custom_ops), None, None).with_assumed_labels()
    if labels:
        subject = replace(subject, labels=subjects.Labels(labels))
    tests, held = data_sets.read_tests(subject, Path(test), truth), None
    if calibration is not None:
        held = data_sets.read_calibration(subject, Path(calibration))
        data_sets.check_disjoint(held.digests, tests.digests)
    with (
        files.private_folder() as folder,
        improvement.Workbench(
            opened.path,
            opened.model,
            tests.tests(subject),
            [*held.feeds(subject.feeds_of)] if held else [],
            subject.labels.names,
            subject.spec,
            starts=starts,
            share=progress or (lambda _, __: None),
            name="" if target is None else target.name,
            folder=Path(folder),
        ) as bench,
    ):
        *_, state = search.improved(bench, wanted, held, tests, given, Path(folder))
        if target is not None and state.best >= 0:
            search.save_best(state, Path(folder), target)
    return Improved(state)


def _with_libraries(custom_ops: Sequence[str | Path]) -> RunSpec:
    paths = (str(Path(library).absolute()) for library in custom_ops)
    return replace(_spec("cpu"), custom_ops=tuple(dict.fromkeys(paths)))


def _conversion_inputs(
    subject: Subject, given: str | Path | Sequence[Mapping[str, Array]]
) -> tuple[NamedInput, ...]:
    from inspector.app.changing import calibration, data_sets

    if not isinstance(given, str | Path):
        return calibration.named(given)
    return data_sets.named_inputs(subject, Path(given))


def _subject(
    opened: OpenedModel,
    spec: RunSpec,
    inputs: Inputs,
    dimensions: Mapping[str, int] | None,
) -> Subject:
    """Return a model as it is run. Raises BadInput: it has no such inputs."""
    from inspector.app import subjects

    given = _values(opened.model, inputs)
    return subjects.Subject.of(opened.path, opened.model, spec, given).with_lengths(
        dimensions or {}
    )


def _shown(progress: OnProgress | None) -> Callable[[Progress], None]:
    def show(step: Progress) -> None:
        if progress is not None:
            progress(step.step, step.done)

    return show


def _limits(time_limit: float | None) -> Limits:
    return Limits() if time_limit is None else Limits(job_seconds=time_limit)


def _target(on: str) -> Target | None:
    """Return the machine that `on` names; None for this one. Raises BadInput."""
    if not on:
        return None
    from inspector.remote.machines import targets

    found = targets(on)
    if len(found) > 1:
        why = f"it names {len(found)} machines, and a call runs on one"
        raise BadInput(
            f"Could not use on={on!r}", why, "Call the function once for each machine."
        )
    return found[0]


def _engine(progress: OnProgress | None, time_limit: float | None, on: str = "") -> Engine:
    """Return an engine here, or on the machine that `on` names. Raises BadInput."""
    show, limits, target = _shown(progress), _limits(time_limit), _target(on)
    return EngineProcess(show, limits) if target is None else target.engine(show, limits)


def _texts(model: Model, inputs: Inputs) -> dict[str, str]:
    """Return inputs that are files or recipes. Raises BadInput: an array."""
    values = _values(model, inputs)
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    if len(texts) < len(values):
        name = next(name for name in values if name not in texts)
        why = f"the input '{name}' is an array"
        raise BadInput(
            "Could not use the inputs", why, "Save it as an .npy file and pass its path."
        )
    return texts


def _values(model: Model, inputs: Inputs) -> dict[str, Given]:
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
        else str(value)
        for name, value in inputs.items()
    }


def _spec(device: str, settings: Mapping[str, Any] | None = None) -> RunSpec:
    try:
        return RunSpec(devices=(device,), **dict(settings or {}))
    except TypeError as error:
        raise BadInput("Could not use the settings", str(error)) from error


def _measuring_spec(
    device: str,
    settings: Mapping[str, Any] | None,
    runs: int | None,
    seconds: float | None,
    layers: bool,
    dimensions: Mapping[str, int] | None,
) -> RunSpec:
    """Return how `measure` measures. Raises BadInput: an unknown setting."""
    spec = _spec(device, settings)
    if runs is not None:
        spec = replace(spec, runs=runs, seconds=0.0, steady=0.0)
    else:
        usual = DEFAULT_SPEC
        spec = replace(spec, runs=usual.runs, seconds=usual.seconds, steady=usual.steady)
    if seconds is not None:
        spec = replace(spec, seconds=seconds)
    return replace(
        spec,
        profiled_runs=DEFAULT_SPEC.profiled_runs if layers else 0,
        dimensions=tuple(Dimension(n, size) for n, size in (dimensions or {}).items()),
    )


def _inputs_for(one: OpenedModel, two: OpenedModel, inputs: Inputs) -> Inputs:
    """Return files and recipes for another model's inputs: by name, or else by place.

    Arrays stay: `with_inputs_of` gives them to a model that takes them.
    """
    values = _values(one.model, inputs)
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    if one.model.format == two.model.format and len(texts) < len(values):
        return inputs
    return parity.values_for(texts, one.model.inputs, two.model.inputs)
