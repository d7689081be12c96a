"""The jobs of the engine process: one function for each entry of `protocol.JOBS`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace as replace_struct

from inspector.backends import array_files
from inspector.backends.array_files import Feed
from inspector.backends.base import (
    Backend,
    MeasureRequest,
    OpenedModel,
    ReportProgress,
    SteppingRequest,
)
from inspector.backends.values import Loaded, confinement_notes
from inspector.conversion.action import Converted, Step
from inspector.engine import payloads, protocol
from inspector.errors import EngineFailed, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import (
    QUANTIZED_TYPES,
    OutputValue,
    Prediction,
    Scale,
    with_scale,
)
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording import stored


@dataclass(frozen=True, slots=True, eq=False)
class _Cached:
    """An opened model.

    key: what it was opened from, and the file's state at that time. scales: of its quantized
    outputs, by name.
    """

    key: object
    opened: OpenedModel
    scales: Mapping[str, Scale]


class JobRunner:
    """Runs jobs one at a time, and keeps the model of the last one open.

    folder: shared with the client, for arrays and reports. report_progress: receives each step.
    pass_on: lets another measurement compute and returns the number of the next turn here.
    """

    def __init__(
        self,
        backend: Backend,
        folder: Path,
        confinement: str,
        report_progress: ReportProgress,
        pass_on: Callable[[], int],
    ) -> None:
        self.backend, self.folder, self.confinement = backend, folder, confinement
        self.report_progress, self.pass_on = report_progress, pass_on
        self._cached: _Cached | None = None

    def run(self, job: protocol.Job) -> protocol.Done:
        """Run a job with its handler. Raises InspectorError."""
        module, _, name = protocol.JOBS[type(job).__name__].handler.partition(":")
        answer: protocol.Done = getattr(import_module(module), name)(self, job)
        return answer

    def open(self, model: Path, spec: RunSpec) -> tuple[OpenedModel, int]:
        """Return a ready model, and how long that took; 0 if it was still open."""
        self.backend.info.check(spec)
        key = (model, _state(model), self.backend.info.session_key(spec))
        if self._cached and self._cached.key == key:
            return self._cached.opened, 0
        self.release()
        opened = self.backend.open(model, spec, self.report_progress)
        self._cached = _Cached(key, opened, _output_scales(model, opened.outputs))
        return opened, opened.load_ns

    @property
    def scales(self) -> Mapping[str, Scale]:
        """Return the scales of the open model's quantized outputs, by name."""
        return self._cached.scales if self._cached else {}

    def release(self) -> None:
        """Close the model of the last job: two at once may not fit into memory."""
        self._cached = None

    def report_share(self, step: str, share: float) -> None:
        """Report a step without samples."""
        self.report_progress(step, share, ())

    def notes(self, opened: OpenedModel) -> tuple[str, ...]:
        """Return the notes of a model, and one if this process is not fully confined."""
        return (*opened.notes, *confinement_notes(self.confinement))

    def fetch(self, stored: tuple[array_files.StoredArray, ...]) -> dict[str, Feed]:
        """Read feeds by name; parts of one name make up a sequence."""
        return payloads.fetched_feeds(self.folder, stored)[0]

    def store(self, values: Iterable[OutputValue]) -> tuple[protocol.StoredOutput, ...]:
        """Write output values into the shared folder."""
        return payloads.stored_outputs(self.folder, values)

    def store_json(self, name: str, value: Any) -> str:
        """Write a value as JSON into the shared folder; returns the file's name."""
        (self.folder / name).write_bytes(stored.encode(value))
        return name


def _output_scales(
    model: Path, outputs: Iterable[TensorInfo | OutputValue]
) -> Mapping[str, Scale]:
    """Return the scales of quantized outputs; the file is read only where one may be."""
    if not any(each.dtype in QUANTIZED_TYPES for each in outputs):
        return {}
    from inspector.formats import output_scales  # which other models have no use for

    return output_scales.of_outputs(model)


def load(runner: JobRunner, job: protocol.LoadJob) -> protocol.LoadDone:
    """Open a model."""
    opened, load_ns = runner.open(Path(job.model), job.spec)
    return protocol.LoadDone(
        Loaded(
            load_ns,
            opened.devices,
            opened.inputs,
            opened.outputs,
            runner.confinement,
            runner.notes(opened),
        )
    )


def predict(runner: JobRunner, job: protocol.PredictJob) -> protocol.PredictDone:
    """Predict once, or once for each step."""
    opened, load_ns = runner.open(Path(job.model), job.spec)
    whole = [feed for feed in job.feeds if not feed.frames]
    described = {feed.name: array_files.as_sequence(feed) for feed in whole}
    opened.check_inputs(described, job.spec)
    feeds, frames = payloads.fetched_feeds(runner.folder, job.feeds)
    runner.report_share("prediction", -1)
    run = (
        opened.repeated(feeds, job.spec)
        if frames
        else partial(opened.predict, spec=job.spec, warm=job.warm)
    )

    def once(values: Mapping[str, Feed]) -> Prediction:
        outputs = run(values)
        return Prediction(
            outputs.values,
            opened.devices,
            outputs.prediction_ns,
            load_ns,
            (),
            outputs.first_call_ns,
            outputs.warm_ns,
            outputs.session_load_ns,
        )

    answer = _over_steps(runner, once, feeds, frames, job.states)
    answer = replace_struct(answer, notes=runner.notes(opened))
    return _stored_prediction(runner, answer, runner.scales)


def reference(runner: JobRunner, job: protocol.ReferenceJob) -> protocol.PredictDone:
    """Predict with the reference evaluator of the model's format."""
    model = Path(job.model)
    what = f"Could not run the reference evaluator on {model.name}"
    runner.report_share("reference", -1)

    def once(values: Mapping[str, Feed]) -> Prediction:
        outputs, spent_ns = runner.backend.evaluate_reference(model, values, what)
        return Prediction(tuple(outputs), ("reference",), spent_ns, 0)

    feeds, frames = payloads.fetched_feeds(runner.folder, job.feeds)
    answer = _over_steps(runner, once, feeds, frames, job.states)
    return _stored_prediction(runner, answer, _output_scales(model, answer.outputs))


def _over_steps(
    runner: JobRunner,
    once: Callable[[Mapping[str, Feed]], Prediction],
    feeds: dict[str, Feed],
    frames: dict[str, Tensor],
    states: dict[str, str],
) -> Prediction:
    """Predict once, or once for each frame."""
    if not frames:
        return once(feeds)
    from inspector.preview.runs import steps

    def report(share: float) -> None:
        runner.report_share("steps", share)

    return steps.run(once, feeds, steps.Steps(frames, states), report)


def _stored_prediction(
    runner: JobRunner, prediction: Prediction, scales: Mapping[str, Scale]
) -> protocol.PredictDone:
    """Store the outputs, integers that stand for real numbers with their scale."""
    runner.report_share("answer", -1)
    stored = runner.store(with_scale(value, scales) for value in prediction.outputs)
    return protocol.PredictDone(replace_struct(prediction, outputs=()), stored)


def measure(runner: JobRunner, job: protocol.MeasureJob) -> protocol.MeasureDone:
    """Measure a model."""
    from inspector.report.report import to_json

    runner.backend.info.check(job.spec)
    request = MeasureRequest(
        Path(job.model),
        job.identity,
        job.spec,
        runner.fetch(job.feeds),
        runner.folder,
        runner.report_progress,
        job.known_ns,
        job.together,
        runner.pass_on,
    )
    report = runner.backend.measure(request)
    notes = (*report.notes, *confinement_notes(runner.confinement))
    runner.report_share("answer", -1)
    name = "report.json"
    (runner.folder / name).write_bytes(to_json(replace(report, notes=notes)))
    return protocol.MeasureDone(name)


def devices(runner: JobRunner, job: protocol.DevicesJob) -> protocol.DevicesDone:
    """List devices."""
    runner.report_share("devices", -1)
    return protocol.DevicesDone(runner.backend.devices(job.plugin))


def shapes(runner: JobRunner, job: protocol.ShapesJob) -> protocol.ShapesDone:
    """Infer types and shapes."""
    runner.report_share("shapes", -1)
    model = Path(job.model)
    if job.pieces:
        parts = runner.backend.infer_shapes_in_parts(model, job.dimensions)
        for number, (part, share) in enumerate(parts):
            runner.store_json(protocol.piece_file(number), part)
            runner.report_share(protocol.piece_step(number), share)
        return protocol.ShapesDone("")
    inferred = runner.backend.infer_shapes(model, job.dimensions)
    return protocol.ShapesDone(runner.store_json("shapes.json", inferred))


def support(runner: JobRunner, job: protocol.SupportJob) -> protocol.SupportDone:
    """Test which layers devices can run."""
    runner.report_share("support", -1)
    marks = runner.backend.layer_support(Path(job.model), job.spec, job.shapes, job.layers)
    return protocol.SupportDone(runner.store_json("support.json", marks))


def inside(runner: JobRunner, job: protocol.InsideJob) -> protocol.InsideDone:
    """Return time layers inside a part that a provider compiled."""
    runner.report_share("inside", -1)
    feeds = runner.fetch(job.feeds)
    return protocol.InsideDone(
        runner.backend.provider_counters(Path(job.model), job.device, feeds)
    )


def packing(runner: JobRunner, job: protocol.PackingJob) -> protocol.PackingDone:
    """List prepacked weights."""
    runner.report_share("packing", -1)
    return protocol.PackingDone(
        runner.backend.prepacked_weights(Path(job.model), job.spec, runner.folder)
    )


def ceiling(runner: JobRunner, job: protocol.CeilingJob) -> protocol.CeilingDone:
    """Measure the peak rates of a device."""
    return protocol.CeilingDone(
        runner.backend.device_ceiling(
            job.device,
            job.threads,
            job.dtype,
            job.bytes_per_second,
            runner.folder,
            runner.report_progress,
        )
    )


def verdict(runner: JobRunner, job: protocol.VerdictJob) -> protocol.VerdictDone:
    """Open a model with another program."""
    runner.report_share("open", -1)
    found = runner.backend.open_with(job.program, Path(job.model), job.libraries)
    return protocol.VerdictDone(found)


def steps(runner: JobRunner, job: protocol.StepsJob) -> protocol.StepsDone:
    """Run a model layer by layer."""
    runner.release()
    runner.report_share("load", -1)
    feeds = runner.fetch(job.feeds)
    request = SteppingRequest(Path(job.model), job.spec, feeds, job.against)
    stepping = runner.backend.step(request, job.tolerance, runner.report_share)
    return protocol.StepsDone(runner.store_json("steps.json", stepping))


def value(runner: JobRunner, job: protocol.ValueJob) -> protocol.PredictDone:
    """Return one inner tensor of a model, and of another run of it."""
    runner.release()
    runner.report_share("value", -1)
    model, feeds = Path(job.model), runner.fetch(job.feeds)
    what = f"Could not get the tensor '{clip(job.tensor, 80)}' of {model.name}"
    request = SteppingRequest(model, job.spec, feeds, job.against)
    own, other, remark = runner.backend.inner_tensor(request, job.tensor, what)
    stored = runner.store((own,) if other is None else (own, other))
    prediction = Prediction((), job.spec.devices, 0, 0, (remark,) if remark else ())
    return protocol.PredictDone(prediction, stored)


def alone(runner: JobRunner, job: protocol.AloneJob) -> protocol.AloneDone:
    """Run one layer by itself."""
    runner.release()
    feeds = runner.fetch(job.feeds)
    return protocol.AloneDone(
        runner.backend.run_layer(
            SteppingRequest(Path(job.model), job.spec, feeds), job.layer, runner.report_share
        )
    )


def executed_graph(
    runner: JobRunner, job: protocol.ExecutedGraphJob
) -> protocol.ExecutedGraphDone:
    """Optimize a model, and explain the graph by its layers."""
    runner.release()
    runner.backend.info.check(job.spec)
    runner.report_share("executed graph", -1)
    written, weights = (runner.folder / name for name in protocol.EXECUTED_FILES)
    graph = runner.backend.executed_graph(Path(job.model), job.spec, written, weights)
    return protocol.ExecutedGraphDone(runner.store_json("executed.json", graph))


def convert(runner: JobRunner, job: protocol.ConvertJob) -> protocol.ConvertDone:
    """Change a model by a recipe, or find out what steps would do."""
    runner.release()
    apply = import_module(runner.backend.info.conversion)
    runner.report_share("convert", -1)
    model = Path(job.model)
    if job.plan:
        effects = apply.effects_of(model, job.steps, job.plan, runner.folder)
        return protocol.ConvertDone(Converted((), effects))
    ranges = None
    if job.ranges:
        body = (runner.folder / protocol.RANGES_FILE).read_bytes()
        ranges = msgspec.json.decode(body, type=dict[str, tuple[float, float]])
    converted = apply.convert(
        model,
        job.steps,
        runner.folder,
        ranges,
        lambda share: runner.report_share("convert", share),
        Path(job.name).name,
    )
    if converted.files and not converted.observe:
        _expect_same_ends(model, runner.folder / converted.files[0], job.steps)
    return protocol.ConvertDone(converted)


def _expect_same_ends(before: Path, after: Path, steps: Sequence[Step]) -> None:
    """Raise EngineFailed if a recipe whose actions keep inputs and outputs changed their names
    or their order."""
    from inspector.conversion.registry import ACTIONS
    from inspector.formats import opening

    if not all(ACTIONS[step.action].keeps_ends for step in steps):
        return
    models = opening.open_model(before), opening.open_model(after)
    for side in ("inputs", "outputs"):
        names = [tuple(info.name for info in getattr(model, side)) for model in models]
        if names[0] != names[1]:
            texts = (clip(", ".join(each), 120) or "none" for each in names)
            why = "the {} of the result are {}, those of the model {}"
            raise EngineFailed(
                f"Could not convert {clip(before.name)}",
                why.format(side, *[*texts][::-1]),
                "This is a fault of the action: please report it with the model. "
                "Leave out a step to see which one it is.",
                phase="convert",
            )


def _state(model: Path) -> tuple[int, int]:
    """Return size and time of a file, to notice that it was replaced."""
    try:
        status = model.stat()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = "there is no such file" if missing else error.strerror or str(error)
        raise UnreadableFile(f"Could not open {model.name}", why, "Check the path.") from error
    return status.st_size, status.st_mtime_ns
