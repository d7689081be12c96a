"""The performance report: what was asked for, what came back; save and load."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector import files, trace_file
from inspector.advised import Advice
from inspector.agreement import CheckedOutput
from inspector.errors import UnreadableFile
from inspector.inside import Inside as Inside
from inspector.layer_timing import Profiling as Profiling
from inspector.layer_timing import Spread as Spread
from inspector.machine import MUCH_USED
from inspector.machine import Environment as Environment
from inspector.machine import Surroundings as Surroundings
from inspector.marking import Mark as Mark
from inspector.marking import Rule as Rule
from inspector.marking import Source as Source
from inspector.marking import Status as Status
from inspector.memory import Memory as Memory
from inspector.memory import Packing as Packing
from inspector.pace import Cores, Paced, paced
from inspector.pace import Pace as Pace
from inspector.roofline import Ceiling as Ceiling
from inspector.roofline import LayerWork as LayerWork
from inspector.roofline import Roofline as Roofline
from inspector.run_spec import USUAL as USUAL
from inspector.run_spec import Dimension as Dimension
from inspector.run_spec import InputSource as InputSource
from inspector.run_spec import ProviderOption as ProviderOption
from inspector.run_spec import RunSpec as RunSpec
from inspector.throughput import Throughput as Throughput
from inspector.trace import COLUMNS, Column, Kind, Trace, from_columns
from inspector.trace_file import SavedTrace
from inspector.turns import Turns
from inspector.units import clip

SCHEMA = "report/1"
_ELSE = {  # what to do with files of ours that hold something else
    "report": "Update Inspector, or save the report again.",
    "sweep": "`inspector export --format svg --plot heat` draws what `inspector sweep` saved.",
    "tuning": "It is what `inspector tune` found; measure with these settings for a report.",
    "comparison": "Compare the two reports that it was made of.",
}
LIMIT_BYTES, MOST_SPANS = 256 << 20, 100_000
_ENDLESS_NS = 1 << 53  # 104 days
# More than a profile can hold: the runtime keeps a million events at most, some a prediction.
_MOST_PROFILED = 1_000_000
# What times of layers are on a device that works on its own.
SUBMISSION, ON_DEVICE, SYNCHRONIZED = TIMINGS = ("submission", "device", "synchronized")
COPIES_BACK = ("MemcpyToHost",)  # the runtime's node that waits for a device
SPANS_NOTE = "The timeline is in a file of its own, to be kept beside this report (.trace.npz)."


# Their kernels are submitted, and run on while the next one is; others run on the caller.
_ASYNCHRONOUS = frozenset({
    "WebGpuExecutionProvider", "CUDAExecutionProvider", "TensorrtExecutionProvider",
    "NvTensorRTRTXExecutionProvider", "DmlExecutionProvider", "ROCMExecutionProvider",
    "MIGraphXExecutionProvider", "CANNExecutionProvider",
})  # fmt: skip


# Notes that say why a measurement is incomplete, of the last thing that ended it.
_ENDED = re.compile(r"^The measurement ended early|^(Start|Turn) \d+ of \d+ failed")


@dataclass(frozen=True, slots=True)
class Device:
    """A compute unit that the runtime names here.

    id: what RunSpec and the command line call it ("cpu", "webgpu:0").
    kind: "cpu", "gpu" or "npu". provider: the execution provider that drives it.
    source: where it comes from: package and version.
    problem: why it cannot be used though it is installed; empty when it can.
    """

    id: str
    name: str
    kind: str
    provider: str
    vendor: str = ""
    source: str = ""
    problem: str = ""
    hint: str = ""

    @property
    def asynchronous(self) -> bool:
        """Whether work is handed over to it, so that nobody times its kernels until done."""
        return self.provider in _ASYNCHRONOUS


@dataclass(frozen=True, slots=True)
class Support:
    """How one layer relates to one device, how that is known, and why it is so.

    rule: what forbids it, where that is known.
    """

    mark: Mark
    source: Source
    reason: str = ""
    rule: Rule = Rule.NONE

    @property
    def words(self) -> str:
        """Return the mark in words; only a device that is here can be passed over."""
        passed_over = self.source is not Source.TABLE and self.mark is Mark.SUPPORTED
        return "Supported, not chosen" if passed_over else self.mark.words

    @property
    def known_by(self) -> str:
        """Return how the mark is known, as " (measured)"; "" where the reason says it."""
        told = self.source is Source.TABLE and self.reason
        return "" if told else f" ({self.source.value})"


@dataclass(frozen=True, slots=True)
class LayerUse:
    """What became of one layer of the model.

    index: its place in Model.layers. operator: the model's, executed_as: the runtime's.
    into: for a fused, merged or compiled layer, the index of the layer whose span holds its
        time: a group has one time, and it is never split by guess.
    ran_on: id of the device; None when it did not run by itself.
    time_ns: self time per prediction, the median over those of `Profiling.used` (a low
        quantile where the CPU was busy, see `Profiling`), without what the profiler costs;
        None without own time. spread: of these; None in reports of earlier versions, whose
        time is a mean over the middle half of the profiled predictions.
    calls: executions per prediction; more than one inside a loop.
    output: type and shape of the first output, as far as known ("float32 1×64×56×56").
    computed_in: type of the first output of its own kernel, which may be another.
    value: name of its first output. reads: layers whose outputs it takes.
    inside: of a compiled layer, what the provider's own profiler counts for it.
    submitted_ns: on a device whose times are submissions only, how long handing the layer over
        took; `time_ns` is None then, for nobody knows how long the device worked.
    """

    index: int
    name: str
    operator: str
    status: Status
    ran_on: str | None
    time_ns: int | None
    devices: dict[str, Support] = field(default_factory=dict)
    into: int | None = None
    executed_as: str = ""
    calls: float = 0.0
    output: str = ""
    parent: int | None = None
    computed_in: str = ""
    value: str = ""
    reads: tuple[int, ...] = ()
    inside: Inside | None = None
    spread: Spread | None = None
    submitted_ns: int | None = None

    @property
    def noisy(self) -> bool:
        """Whether its time scatters too much to conclude anything from it."""
        return self.spread is not None and self.spread.noisy


@dataclass(frozen=True, slots=True)
class InsertedNode:
    """A node that the runtime put in: a cast, a layout change, a copy between devices.

    before, after: indices of the layers on both sides, where they are known. time_ns, spread:
    as of layers; 0 where only the submission was timed, or a wait for layers that a device
    timed itself, which is `submitted_ns` then.
    """

    name: str
    operator: str
    kind: str
    device: str
    time_ns: int
    size_bytes: int = 0
    after: int | None = None
    before: int | None = None
    spread: Spread | None = None
    submitted_ns: int | None = None

    @property
    def noisy(self) -> bool:
        """Whether its time scatters too much to conclude anything from it."""
        return self.spread is not None and self.spread.noisy


@dataclass(frozen=True, slots=True)
class LoadPhase:
    """A stretch of loading; inside: the phase that it is part of, if any."""

    name: str
    duration_ns: int
    inside: str = ""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model was measured; the hash names it, the rest is for people."""

    name: str
    sha256: str
    size_bytes: int
    parameters: int
    layers: int
    opset: str = ""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PerformanceReport:
    """A finished measurement. All samples in the order they were taken, in nanoseconds.

    prediction_ns, prediction_cpu_ns: wall and processor time of each clean prediction.
    created: when, ISO 8601 with the zone. kernel_ns: sum of the times of layers and inserted
        nodes.
    trace: the profiled pass: loading and the profiled predictions.
    predicted: absent devices that layers have marks of, from tables.
    loads_ns: every load in its order, `load_ns` the first: the others find the file and the
        runtime warm. load_phases: of one more load, with the runtime's log if `spec.phases`,
        else of the profiled pass, as far as its profile tells. warmup_ns: before the others.
    first_predictions_ns: after every load. compilations_ns: by a provider, before loading what
        it kept, if `spec.load_from` is "compiled".
    throughput: latency against load, one for each of `spec.concurrency`.
    outputs: what the answer is worth, if `spec.check`.
    start_lengths: predictions of each start of the process, in their order; empty for one.
    start_layers_ns: own time of each of `layers` in the middle profiled prediction of each
        start, the first included, which alone is in `trace`; empty for one.
    pace: the processor's, timed between the predictions; empty where another device took part.
    advised: findings that take the model, which is not in the report.
    turns: those in which the predictions were made, if another model had the others.
    profiling: which predictions were profiled, and what one consists of beside kernels.
    layer_timing: what the times of layers are, by the id of a device that works on its own:
        one of TIMINGS. Layers on other devices are done when the call of their kernel returns.
    complete: False when the measurement ended early; `notes` say why and all else odd.
    """

    model: ModelIdentity
    spec: RunSpec
    environment: Environment
    created: str
    load_ns: int
    first_prediction_ns: int
    prediction_ns: tuple[int, ...]
    prediction_cpu_ns: tuple[int, ...]
    memory: Memory
    devices: tuple[Device, ...]
    layers: tuple[LayerUse, ...]
    inserted: tuple[InsertedNode, ...]
    kernel_ns: int
    trace: Trace
    complete: bool = True
    notes: tuple[str, ...] = ()
    predicted: tuple[Device, ...] = ()
    surroundings: Surroundings = field(default_factory=Surroundings)
    loads_ns: tuple[int, ...] = ()
    load_phases: tuple[LoadPhase, ...] = ()
    warmup_ns: tuple[int, ...] = ()
    throughput: tuple[Throughput, ...] = ()
    outputs: tuple[CheckedOutput, ...] = ()
    first_predictions_ns: tuple[int, ...] = ()
    compilations_ns: tuple[int, ...] = ()
    roofline: Roofline = field(default_factory=Roofline)
    start_lengths: tuple[int, ...] = ()
    start_layers_ns: tuple[tuple[int | None, ...], ...] = ()
    pace: Pace = field(default_factory=Pace)
    advised: tuple[Advice, ...] = ()
    turns: Turns = field(default_factory=Turns)
    profiling: Profiling = field(default_factory=Profiling)
    layer_timing: dict[str, str] = field(default_factory=dict)

    @property
    def paced(self) -> Paced:
        """The clean predictions that numbers are taken from: those at full pace, if enough."""
        return paced_as(self, 0)

    @property
    def early_end(self) -> str:
        """Return a sentence about why the measurement is incomplete; empty if it is whole."""
        if self.complete:
            return ""
        told = (note for note in reversed(self.notes) if _ENDED.search(note))
        return f"Incomplete. {next(told, 'The measurement ended early.')}"

    @property
    def asked(self) -> tuple[Device, ...]:
        """All devices that layers have marks of: those of the session, then the predicted."""
        return (*self.devices, *self.predicted)

    @property
    def median_ns(self) -> int:
        """The middle clean prediction at full pace; it shrugs off hiccups, unlike the mean."""
        return self.quantile_ns(0.5)

    @property
    def profiled_runs(self) -> int:
        """How many predictions were profiled."""
        return self.profiling.runs or self.spec.profiled_runs

    def quantile_ns(self, q: float) -> int:
        """Quantile of `paced`, q from 0 to 1, linear between samples; 0 of none."""
        samples = self.paced.samples_ns
        return int(np.quantile(samples, q)) if samples else 0

    def layer_samples_ns(self, index: int) -> NDArray[np.int64]:
        """Self time of a layer in each profiled prediction, from the trace: int64 (runs,)."""
        mine = (self.trace.layer == index) & (self.trace.run >= 0)
        runs, times = self.trace.run[mine], self.trace.self_ns()[mine]
        length = max(self.profiled_runs, int(runs.max()) + 1 if len(runs) else 0)
        return np.bincount(runs, times, minlength=length).astype(np.int64)


# A window asks again and again, and a report that was closed is to go with its trace.
_PACED: WeakKeyDictionary[PerformanceReport, dict[int, Paced]] = WeakKeyDictionary()


def paced_as(report: PerformanceReport, reference_ns: int) -> Paced:
    """The predictions at full pace, where a probe of `Pace` takes that long; 0: as it knows."""
    known = _PACED.setdefault(report, {})
    if reference_ns not in known:
        known[reference_ns] = _paced(report, reference_ns)
    return known[reference_ns]


def _paced(report: PerformanceReport, reference_ns: int) -> Paced:
    wall, cpu, lengths = report.prediction_ns, report.prediction_cpu_ns, report.start_lengths
    shared = (report.surroundings.others or 0) > MUCH_USED
    cores = Cores.ONE if report.spec.alone else Cores.SHARED if shared else Cores.ALL
    return paced(report.pace, wall, cpu, lengths, cores, reference_ns)


def to_json(report: PerformanceReport) -> bytes:
    """Write a report as report/1: one object, the trace as columns of integers."""
    names = report.__dataclass_fields__
    body = {"schema": SCHEMA} | {name: getattr(report, name) for name in names}
    return msgspec.json.encode(body, enc_hook=_numbers) + b"\n"


def from_json(body: bytes, name: str) -> PerformanceReport:
    """Read report/1; fields of later versions are ignored.

    Raises UnreadableFile: not a report, a newer schema, or damaged.
    """
    what = f"Could not open {name}"
    try:
        schema = msgspec.json.decode(body, type=_Schema).schema
        if not schema:
            raise UnreadableFile(what, "it is JSON, but not a report of Inspector")
        if schema != SCHEMA:
            hint = _ELSE.get(schema.partition("/")[0], "")
            raise UnreadableFile(
                what, f"it has schema '{clip(schema, 40)}', not '{SCHEMA}'", hint
            )
        report = msgspec.json.decode(body, type=PerformanceReport, dec_hook=_column)
        _expect_times(report)
        return submissions_apart(replace(report, trace=_checked(report.trace)))
    except (msgspec.DecodeError, ValueError, OverflowError, RecursionError) as error:
        raise UnreadableFile(
            what, f"it is not a whole report: {error}", "Export it again from where it came."
        ) from error


def submissions_apart(report: PerformanceReport) -> PerformanceReport:
    """Return a report in which no time of a submission passes for the time of a layer.

    Devices that work on their own are done later than the call that hands a layer over. Unless
    `layer_timing` says where the times come from, those of their layers become `submitted_ns`,
    and copies back, which wait for all work before, become waits.
    """
    untold = {
        device.id
        for device in report.devices
        if device.asynchronous and device.id not in report.layer_timing
    }
    if not untold:
        return report
    layers = tuple(
        replace(use, time_ns=None, spread=None, submitted_ns=use.time_ns)
        if use.ran_on in untold and use.time_ns is not None
        else use
        for use in report.layers
    )
    inserted = tuple(
        submitted(node) if node.device in untold else node for node in report.inserted
    )
    times = [use.time_ns or 0 for use in layers] + [node.time_ns for node in inserted]
    return replace(
        report,
        layers=layers,
        inserted=inserted,
        kernel_ns=sum(times),
        layer_timing=report.layer_timing | dict.fromkeys(sorted(untold), SUBMISSION),
    )


def submitted(node: InsertedNode, layers_are_timed: bool = False) -> InsertedNode:
    """Return an inserted node of a device that works on its own, as what it is.

    layers_are_timed: by the device itself, so that what a wait takes is in their times already.
    """
    waits = node.operator in COPIES_BACK
    kind = str(Kind.WAIT) if waits else node.kind
    if waits and not layers_are_timed:
        return replace(node, kind=kind)
    return replace(node, kind=kind, time_ns=0, spread=None, submitted_ns=node.time_ns)


def _expect_times(report: PerformanceReport) -> None:
    """Raise ValueError where a time or a count of predictions is out of range."""
    if not 0 <= report.profiled_runs <= _MOST_PROFILED:  # sizes an array for each layer
        raise ValueError(f"it holds {clip(str(report.profiled_runs), 20)} profiled predictions")
    one = report.load_ns, report.first_prediction_ns, report.kernel_ns
    starts = report.loads_ns, report.first_predictions_ns, report.compilations_ns
    many = report.prediction_ns, report.prediction_cpu_ns, report.warmup_ns, *starts
    layers = tuple(use.time_ns for use in report.layers if use.time_ns is not None)
    known = [use.spread for use in report.layers if use.spread is not None]
    spreads = tuple(ns for one in known for ns in (one.min_ns, one.max_ns))
    for times in filter(None, (one, layers, spreads, *many)):
        least, most = min(times), max(times)
        if least < 0 or most >= _ENDLESS_NS:
            wrong = least if least < 0 else most
            raise ValueError(f"it holds a time of {clip(str(wrong), 20)} ns")


def save(report: PerformanceReport, path: Path) -> None:
    """Write a report whole or not at all. Raises NotSaved; an earlier file stays then.

    Above MOST_SPANS the spans go into a file of columns beside it.
    """
    if len(report.trace) <= MOST_SPANS:
        files.write_atomic(path, to_json(report))
        return
    spans = trace_file.to_bytes(SavedTrace(report.trace, of=_key(report)))
    bare = trace_file.without_spans(report.trace)
    told = replace(report, trace=bare, notes=(*report.notes, SPANS_NOTE))
    files.write_together([(beside(path), (spans,)), (path, (to_json(told),))])


def load(path: Path) -> PerformanceReport:
    """Read a report from a file, and its spans beside it. Raises UnreadableFile."""
    report = from_json(files.read_capped(path, LIMIT_BYTES), path.name)
    if SPANS_NOTE not in report.notes or not files.is_file(beside(path)):
        return report
    spans = trace_file.load(beside(path))
    if spans.of != _key(report):
        return report
    notes = tuple(note for note in report.notes if note != SPANS_NOTE)
    return replace(report, trace=spans.trace, notes=notes)


def beside(path: Path) -> Path:
    """Where the spans of a report are that has too many for its own file."""
    return path.with_name(path.name.removesuffix(".json") + trace_file.SUFFIX)


def _key(report: PerformanceReport) -> str:
    return f"{report.model.sha256} {report.created}"


class _Schema(msgspec.Struct):
    schema: str = ""


def _numbers(value: Any) -> list[int]:
    """What JSON writes for a column; nothing else of a report is foreign to it."""
    if isinstance(value, np.ndarray):
        numbers: list[int] = value.tolist()
        return numbers
    raise NotImplementedError(f"{type(value)} has no place in a report")


def _column(kind: Any, value: Any) -> NDArray[Any]:
    # The type itself cannot be compared: what NDArray stands for changes with numpy.
    if get_args(get_args(kind)[-1]) == (np.float64,):
        return np.array(msgspec.convert(value, list[float]), np.float64)
    return np.array(msgspec.convert(value, list[int]), np.int64)


def _checked(trace: Trace) -> Trace:
    columns: dict[str, Column] = {key: getattr(trace, key) for key in COLUMNS}
    beside = trace.counters, trace.flows, trace.moments
    return from_columns(trace.tracks, trace.names, columns, *beside)
