"""Complete a report with facts from other processes, after the measurement.

Support marks that the measurement left open, times inside parts that OpenVINO compiled, marks
of layers at which a device failed, and a comparison of the outputs with those of the
unoptimized model on the CPU. A failure here costs that part, never the report.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata, util
from pathlib import Path
from typing import Any

from msgspec import Struct

from inspector.analysis.verdicts import float16
from inspector.analysis.verdicts.outputs import OutputJudge, broken_part, repeat_text
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.backends.onnxruntime.sessions import forced_to_cpu, providers
from inspector.engine.client.engine import Engine
from inspector.engine.client.exact_float16 import float16_spec, with_ranges
from inspector.errors import Cancelled, DeviceFailed, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.model.tensors.agreement import QUANTIZED, CheckedOutput, tolerance
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.report.float16_check import Float16Check
from inspector.report.output_verdict import UndecidedReason
from inspector.report.report import (
    Device,
    LayerUse,
    PerformanceReport,
    ProviderProfile,
    Support,
)
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Source, Status
from inspector.wording.values import Sentence

Predict = Callable[[RunSpec], Prediction]
MAX_RETRIES = 16  # measurements without further layers; each takes as long as the first
_RAN_MARKS = (Mark.RAN, Mark.FUSED, Mark.FOLDED)
_FAILED_RUNNING = "The layer failed while running: {}."
_FAILED_LOADING = "The layer failed while loading: {}."
_FORCED_TO_CPU_NOTE = "{}. In this report, that layer is forced to the CPU."
OPENVINO = "OpenVINOExecutionProvider"
_PACKAGE = "openvino"
_INSTALL_NOTE = (
    "OpenVINO compiled a partition of this model as a whole. For the times of the layers "
    "inside, "
    'install the OpenVINO runtime: pip install "onnx-inspector[openvino]".'
)
_NOTE = (
    "Times inside the compiled partition come from {}, run in a separate process: it compiled "
    "the whole model for {} in float32 and may fuse layers differently than the execution "
    "provider."
)
_FAILED_NOTE = (
    "The OpenVINO runtime could not time the layers inside the compiled partition: {}."
)


def check_outputs(
    report: PerformanceReport, model: Model, predict: Predict
) -> PerformanceReport:
    """Predict as measured and as the file says, and add how far the outputs are apart.

    A failure costs the check, not the report: a note says why. Raises Cancelled.
    """
    spec = report.spec
    dimensions, cast = spec.dimensions, spec.cast
    plain = RunSpec(optimization="none", xnnpack=False, dimensions=dimensions, cast=cast)
    try:
        measured = predict(spec)
        reference, again = predict(plain), predict(plain)
    except Cancelled:
        raise
    except InspectorError as error:
        note = Sentence("The outputs could not be verified: {value}.", error.why or error.what)
        return replace(report, notes=(*report.notes, note))
    judge = OutputJudge()
    judge.add_repeat(reference.outputs, again.outputs)
    judge.add(reference.outputs, measured.outputs)
    verdict = judge.verdict()
    if verdict.reason == UndecidedReason.NOT_REPEATING:
        note = Sentence(
            "The outputs could not be verified: {repeat_text}.",
            repeat_text(verdict.repeats or 0.0),
        )
        return replace(report, notes=(*report.notes, note))
    least = coarsest(model)
    pairs = zip(reference.outputs, measured.outputs, strict=True)
    return replace(report, outputs=tuple(_checked(r, o, least) for r, o in pairs))


def has_float16(model: Model) -> bool:
    """Return whether an ONNX model stores float16, and so most likely computes in it."""
    kinds = {weight.dtype for weight in model.weights}
    kinds |= {info.dtype for info in (*model.inputs, *model.outputs)}
    return model.format == "onnx" and "float16" in kinds


def check_float16(
    report: PerformanceReport, path: Path, feeds: Mapping[str, Any], engine: Engine
) -> PerformanceReport:
    """Add what GPUs and NPUs make of a float16 model, where it is not what the CPU makes of it.

    A CPU computes float16 in float32. A failure costs the check. Raises Cancelled.
    """
    spec, judge = report.spec, OutputJudge()
    try:
        run = with_ranges(engine, path, engine.private_folder())
        if run is None:
            return report
        plain = float16_spec(RunSpec(custom_ops=spec.custom_ops))
        first, again = (engine.predict(path, plain, feeds).outputs for _ in range(2))
        judge.add_repeat(first, again)
        judge.add(first, run.predict(feeds, spec.custom_ops))
        check = Float16Check(run.out_of_range, judge.verdict())
    except Cancelled:
        raise
    except InspectorError as error:
        check = Float16Check(missing=error.why or error.what)
    if check.verdict is not None and not check.wrong and not check.out_of_range:
        return report
    return replace(report, notes=(*report.notes, " ".join(float16.lines(check))))


def coarsest(model: Model) -> float:
    """Return what errors the types allow that a model stores and goes through."""
    rounds = any(
        "Quant" in layer.operator or "QLinear" in layer.operator for layer in model.layers
    )
    kinds = {weight.dtype for weight in model.weights}
    kinds |= {info.dtype for info in (*model.inputs, *model.outputs)}
    return max((QUANTIZED * rounds, *map(tolerance, kinds)))


def _checked(reference: OutputValue, measured: OutputValue, least: float) -> CheckedOutput:
    if reference.array is None or measured.array is None:
        return CheckedOutput(measured.name, None, least)
    result = difference(reference.array, measured.array)
    result = replace(result, reference_dtype=reference.dtype, other_dtype=measured.dtype)
    broken = broken_part(measured.name, reference.array, measured.array)
    return CheckedOutput(measured.name, result, least, broken)


def measure_with_retries(
    measure: Callable[[RunSpec], PerformanceReport], spec: RunSpec, model: Path
) -> PerformanceReport:
    """Measure; if the spec requests it, retry without the layers that failed on a device.

    Raises what `measure` raises: DeviceFailed, too, where no layer more can be kept away; it
    then has those `before` it.
    """
    failures: list[DeviceFailed] = []
    requested = spec
    while True:
        try:
            report = measure(requested)
        except DeviceFailed as error:
            failed_before = {layer for failure in failures for layer in failure.layers}
            again = set(error.layers) - failed_before
            if not spec.around_failures or not again or len(failures) >= MAX_RETRIES:
                error.before = tuple(failures)
                raise
            failures.append(error)
            layers = opening.open_model(model).layers
            names = (forced_to_cpu.layer_pattern(layers, index) for index in sorted(again))
            requested = replace(requested, on_cpu=(*requested.on_cpu, *names))
        else:
            return with_failure_marks(report, failures)


def with_failure_marks(
    report: PerformanceReport, failures: Sequence[DeviceFailed]
) -> PerformanceReport:
    """Mark the layers of a report that devices had taken before, and failed at."""
    claims = {
        (layer, failure.device): failure_mark(failure)
        for failure in failures
        for layer in failure.layers
    }
    if not claims:
        return report
    layers = tuple(_with_failure(use, claims) for use in report.layers)
    notes = (_FORCED_TO_CPU_NOTE.format(failure.why.rstrip(".")) for failure in failures)
    return replace(report, layers=layers, notes=(*report.notes, *notes))


def failure_mark(failure: DeviceFailed) -> Support:
    """Return the mark of the layers that a device failed at."""
    template = _FAILED_LOADING if failure.phase == "load" else _FAILED_RUNNING
    return Support(Mark.FAILED, Source.MEASURED, template.format(failure.reason.rstrip(".")))


def _with_failure(use: LayerUse, claims: Mapping[tuple[int, str], Support]) -> LayerUse:
    own_claims = {
        device: mark for (layer, device), mark in claims.items() if layer == use.index
    }
    home = {d: m for d, m in use.devices.items() if m.mark in _RAN_MARKS}
    return replace(use, devices=use.devices | own_claims | home) if own_claims else use


Counts = dict[int, ProviderProfile]


class CounterQuery(Struct, frozen=True):
    """A question to OpenVINO's own runtime: the device as it calls it, and the layers."""

    device: str
    layers: tuple[int, ...]


def counter_query(report: PerformanceReport) -> CounterQuery | None:
    """Find the part that OpenVINO compiled; nothing where there is none."""
    ours = {device.id: device for device in report.devices if device.provider == OPENVINO}
    leads = {layer.index for layer in report.layers if layer.ran_on in ours}
    inner = [layer for layer in report.layers if layer.status is Status.COMPILED]
    layers = {layer.index for layer in inner if layer.into in leads} | leads
    if not layers:
        return None
    options = {each.key: each.value for each in report.spec.provider_options}
    kind = options.get("device_type") or next(iter(ours.values())).kind.upper()
    return CounterQuery(kind, tuple(sorted(layers)))


def with_provider_counters(
    report: PerformanceReport, ask: Callable[[CounterQuery], Counts]
) -> PerformanceReport:
    """Add the counters of the provider's own profiler; a failure costs those only.

    ask: in a process of its own. Raises Cancelled.
    """
    query = counter_query(report)
    if query is None:
        return report
    if util.find_spec(_PACKAGE) is None:
        return replace(report, notes=(*report.notes, _INSTALL_NOTE))
    try:
        counts = ask(query)
    except Cancelled:
        raise
    except InspectorError as error:
        return replace(report, notes=(*report.notes, _FAILED_NOTE.format(error.why)))
    note = _NOTE.format(f"openvino {metadata.version(_PACKAGE)}", query.device)
    return replace(
        report,
        layers=tuple(_with_counters(layer, counts, query) for layer in report.layers),
        notes=(*report.notes, note),
    )


def _with_counters(layer: LayerUse, counts: Counts, query: CounterQuery) -> LayerUse:
    profile = counts.get(layer.index) if layer.index in query.layers else None
    return layer if profile is None else replace(layer, inside=profile)


LayersByDevice = dict[str, tuple[int, ...]]


def layers_without_marks(report: PerformanceReport) -> LayersByDevice:
    """Return layers without a mark, for each device of the session."""
    missing = {
        device.id: tuple(use.index for use in report.layers if device.id not in use.devices)
        for device in report.devices
    }
    return {device: layers for device, layers in missing.items() if layers}


def with_predicted_devices(spec: RunSpec) -> RunSpec:
    """Count among the devices what is predicted and may be here after all, with its driver."""
    plugins = {plugin.id for plugin in providers.installed_plugins()}
    plain = providers.runtime_source().startswith("onnxruntime ")
    perhaps = (name for name in spec.predict if name in plugins or not plain)
    return replace(spec, devices=(*spec.devices, *perhaps))


def with_support_marks(
    report: PerformanceReport, answers: Mapping[str, Mapping[int, Support]], note: str = ""
) -> PerformanceReport:
    """Add the answers to the marks of a report; a layer without one is unknown.

    note: why there are none, when there are none.
    """
    silent = Support(Mark.UNKNOWN, Source.PROBED, note or "The device did not respond.")
    missing = layers_without_marks(report)
    present = {
        part for device in report.devices for part in (device.id, device.id.partition(":")[0])
    }
    requested = dict.fromkeys(report.spec.predict)
    predicted = [name for name in requested if name in answers and name not in present]
    layers = []
    for use in report.layers:
        marks = dict(use.devices)
        for device in missing:
            if device not in marks:
                marks[device] = answers.get(device, {}).get(use.index, silent)
        for device in predicted:
            marks[device] = answers[device].get(use.index, silent)
        layers.append(replace(use, devices=marks))
    return replace(
        report,
        layers=tuple(layers),
        predicted=tuple(_described(name, answers[name]) for name in predicted),
        notes=(*report.notes, note) if note else report.notes,
    )


def _described(name: str, answers: Mapping[int, Support]) -> Device:
    """Describe a device that had no part in the measurement, and who answered for it."""
    device = absent_devices.device(name)
    is_measured = any(answer.source is not Source.TABLE for answer in answers.values())
    return (
        replace(device, source="test of a device that the measurement did not use")
        if is_measured
        else device
    )
