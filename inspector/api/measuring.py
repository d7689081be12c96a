"""Models are measured: alone, interleaved, with many settings or those that a search tries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from inspector.analysis.measured import tuning_results
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.api.cancelling import run_async
from inspector.api.measured import Measurement, ReportComparison, SweepResult, Tuned
from inspector.api.models import ModelOrPath, OpenedModel, open_model
from inspector.api.python_words import says_parameters
from inspector.api.running import (
    Inputs,
    OnProgress,
    engine_of,
    limits_of,
    shown,
    spec_of,
    subject_of,
    target_of,
    texts_of,
    values_of,
)
from inspector.app import measure as measuring
from inspector.app import runner, searches, subjects
from inspector.app.interleaved import STARTS, Interleaved, with_agreement
from inspector.app.language.speed import token_by_token
from inspector.app.measure import Setup, setup
from inspector.app.tuner import Aim
from inspector.backends import registry
from inspector.comparison import comparison
from inspector.preview.runs import parity
from inspector.report import sweep as sweeps
from inspector.report.run_spec import DEFAULT_SPEC, Dimension, RunSpec
from inspector.report.settings import Goal


@says_parameters
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
    prompt: str = "",
) -> Measurement:
    """Measure latency, memory and the time of each layer.

        report = inspector.measure("net.onnx", seconds=3, settings={"threads": 2})
        report.p50_ns, report.latency(), report.layers()
        report.check("latency.p50<5ms")
        report.save("report.html")

    model, inputs, dimensions, time_limit, on: as in `predict`.
    device: such as "cpu", "cuda" or "openvino:cpu"; layers that it does not support run on
        the CPU, and the report says which.
    runs: timed runs; by default as many as a stable median takes.
    seconds: at least so long.
    layers: whether layers are timed, in extra predictions.
    settings: fields of `RunSpec`, such as {"threads": 2, "optimization": "basic"};
        `inspector measure --help` describes each as an option.
    progress: called with a step and its share of the work done, 0 to 1 (negative: unknown), on
        the thread of the caller. What it raises ends the measurement.
    prompt: of a language model, a text whose first token is timed. A language model is
        measured token by token with it, or with one of the settings "prompt_tokens",
        "new_tokens", "contexts" and "batches".

    The measurement runs in a process of its own, one at a time on a machine: a second one
    waits. `measure_async` and `Cancellation` end it early. The loggers below "inspector" tell
    which engines start and how long jobs take. Raises InspectorError.
    """
    opened = open_model(model)
    spec = _measuring_spec(device, settings, runs, seconds, layers, dimensions)
    subject = subject_of(opened, spec, inputs, dimensions)
    subject = token_by_token(subject, prompt, by_default=False)
    own = measuring.setup(subject, limits_of(time_limit), target_of(on))
    with own.engine(shown(progress)) as engine:
        own, report = measuring.measure(engine, own)
    return Measurement(own.with_advice(report))


async def measure_async(
    model: ModelOrPath, inputs: Inputs = None, **options: Any
) -> Measurement:
    """Do what `measure` does, without blocking the event loop; `run_async` for one function."""
    return await run_async(measure, model, inputs, **options)


@says_parameters
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
    """Measure two models interleaved and compare, as `inspector measure MODEL --against OTHER`.

    The result compares the model with the other one, whose report is the first. If they are of
    two formats, such as .onnx and .tflite, both get the same inputs and their outputs are
    compared. processes: on each side; by default at least 5, and up to 20 until the ratio is
    known to ±2.4%. The others: as in `measure`. Raises InspectorError.
    """
    spec = _measuring_spec(device, settings, runs, seconds, layers, dimensions)
    spec = replace(spec, starts=processes or STARTS)

    def prepared(opened: OpenedModel, values: Inputs) -> Setup:
        own = registry.for_run(opened.path, spec.devices).fitted(spec)
        return setup(subject_of(opened, own, values, dimensions), limits_of(time_limit))

    one, two = open_model(model), open_model(other)
    own, theirs = prepared(one, inputs), prepared(two, _inputs_for(one, two, inputs))
    goal = None if processes else PrecisionGoal()
    both = Interleaved(theirs, own, show=shown(progress), goal=goal)
    pair = both.measured()
    reports = both.other.with_advice(pair[0]), both.own.with_advice(pair[1])
    done = comparison.compare(reports, (two.model.name, one.model.name))
    agreement = both.agreement()
    if agreement is None:
        return ReportComparison(done, reports)
    verdict = both.verdict(done, reports, agreement)
    reports = reports[0], with_agreement(reports[1], agreement, theirs)
    return ReportComparison(done, reports, verdict)


@says_parameters
def tune(
    model: ModelOrPath,
    inputs: Inputs = None,
    *,
    seconds: float = 60.0,
    device: str | Sequence[str] = "cpu",
    dimensions: Mapping[str, int] | None = None,
    progress: OnProgress | None = None,
    time_limit: float | None = None,
    on: str = "",
    goal: str = "latency",
    p95_under: float = 0.0,
    batch: tuple[str, Sequence[int]] | None = None,
    options: Mapping[str, Sequence[str]] | None = None,
) -> Tuned:
    """Search for the settings with the lowest latency, or for another goal.

    seconds: for the whole search. inputs: as in `predict`, but no arrays. device: of several,
    the best one is found, too. progress: called with a step and its share of the time. on: as
    in `predict`. goal: "latency", "throughput" or "memory". p95_under: the most that 95% of the
    runs may take, in milliseconds. batch: with throughput, an axis and the lengths to try.
    options: values to try of options of the execution provider. Raises InspectorError.
    """
    first, *others = (device,) if isinstance(device, str) else device
    axis, batches = batch or ("", ())
    aim = Aim(Goal(goal), p95_under * 1e6, axis)
    tried = tuple((key, tuple(values)) for key, values in (options or {}).items())
    search = searches.Search(seconds, aim, tuple(others), tuple(batches), tried)
    opened = open_model(model)
    spec = RunSpec(
        devices=(first,),
        dimensions=tuple(Dimension(n, size) for n, size in (dimensions or {}).items()),
        profiled_runs=0,
    )
    (subject,) = subjects.subjects([opened.path], texts_of(opened.model, inputs), spec)
    done = None
    with engine_of(progress, time_limit, on) as engine:
        for done in searches.run_search(engine, subject, search):
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


@says_parameters
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
    "basic"]}; the names are those of `inspector sweep`. runs: timed runs in each of
    `processes` processes. inputs: as in `predict`, but no arrays; for all models. Combinations
    that fail keep their reason. on: as in `predict`. Raises InspectorError: a setting or a
    model is invalid.
    """
    spec = RunSpec(runs=runs, profiled_runs=0)
    opened = subjects.subjects([open_model(model).path for model in models], spec=spec)
    given = texts_of(opened[0].model, inputs)
    opened = tuple(each.with_given(given) for each in opened)
    axes = [sweeps.Axis(name, tuple(values)) for name, values in settings.items()]
    done = sweeps.plan([each.identity for each in opened], spec, axes, processes)
    runner.check(done)
    with engine_of(progress, time_limit, on) as engine:
        total = runner.planned(len(done.cells), processes, 0, len(opened))
        for number, step in enumerate(searches.run_sweep(done, opened, [(0, engine)])):
            done = step.sweep
            if progress is not None and number:
                progress("sweep", min(1.0, number / max(1, total)))
    return SweepResult(done)


def _measuring_spec(
    device: str,
    settings: Mapping[str, Any] | None,
    runs: int | None,
    seconds: float | None,
    layers: bool,
    dimensions: Mapping[str, int] | None,
) -> RunSpec:
    """Return how `measure` measures. Raises BadInput: an unknown setting."""
    spec = spec_of(device, settings)
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
    values = values_of(one.model, inputs)
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    if one.model.format == two.model.format and len(texts) < len(values):
        return inputs
    return parity.values_for(texts, one.model.inputs, two.model.inputs)
