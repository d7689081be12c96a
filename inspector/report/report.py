"""The performance report: settings and results of a measurement; save and load.

`Advice` is a suggestion as a value, which a report carries to where its model is not.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from math import prod
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np
from msgspec import field
from numpy.typing import NDArray

from inspector import units
from inspector.errors import UnreadableFile
from inspector.model.tensors.agreement import CheckedOutput
from inspector.model.tensors.difference import Difference
from inspector.platform import files
from inspector.platform.data_struct import DataStruct
from inspector.platform.weak_cache import weak_cache
from inspector.report import saved_json
from inspector.report.environment import BUSY_CPU_SHARE
from inspector.report.environment import Environment as Environment
from inspector.report.environment import MemoryUse as MemoryUse
from inspector.report.environment import SystemLoad as SystemLoad
from inspector.report.environment import WeightPrepacking as WeightPrepacking
from inspector.report.language.speed import GenerationSpeed
from inspector.report.layer_timing import Profiling as Profiling
from inspector.report.layer_timing import TimeSpread as TimeSpread
from inspector.report.model_results import ModelResults as ModelResults
from inspector.report.report_values import LIMIT_BYTES as LIMIT_BYTES
from inspector.report.report_values import Device as Device
from inspector.report.report_values import ModelIdentity as ModelIdentity
from inspector.report.report_values import ProviderProfile as ProviderProfile
from inspector.report.report_values import Support as Support
from inspector.report.roofline import Ceiling as Ceiling
from inspector.report.roofline import LayerWork as LayerWork
from inspector.report.roofline import Roofline as Roofline
from inspector.report.run_spec import DEFAULT_SPEC as DEFAULT_SPEC
from inspector.report.run_spec import Dimension as Dimension
from inspector.report.run_spec import InputSource as InputSource
from inspector.report.run_spec import ProviderOption as ProviderOption
from inspector.report.run_spec import RunSpec as RunSpec
from inspector.statistics.cpu_speed import CoreUse, CountedPredictions, select_full_speed
from inspector.statistics.cpu_speed import CpuSpeed as CpuSpeed
from inspector.statistics.intervals import MIN_P95_SAMPLES
from inspector.trace import trace_file
from inspector.trace.trace import COLUMNS, Column, Kind, Trace, from_columns
from inspector.trace.trace_file import SavedTrace
from inspector.units import clip, inference_precision, optimization
from inspector.wording.support_marks import Mark as Mark
from inspector.wording.support_marks import Rule as Rule
from inspector.wording.support_marks import Source as Source
from inspector.wording.support_marks import Status as Status

SCHEMA = "report/1"
_HINTS_FOR_OTHER_KINDS = {  # what to do with files that hold something else
    "": "Choose a report that Inspector saved.",
    "report": "Update Inspector, or save the report again.",
    "sweep": "It is a sweep; plot it with `inspector export FILE --format svg --plot heat`.",
    "tuning": "It is the result of `inspector tune`; measure with these settings for a report.",
    "comparison": "It is a comparison; open the two reports that were compared.",
}
_EXPORT_AGAIN = "Save the report again."
_FORMAT = saved_json.Format("report", SCHEMA, _EXPORT_AGAIN, _HINTS_FOR_OTHER_KINDS)
MAX_SPANS = 100_000  # in the file of a report; more go into a file of columns next to it
# More than a profile can hold: the runtime keeps a million events at most, some a prediction.
_MAX_PROFILED_RUNS = 1_000_000
_WINDOWS_CPU_TICK_NS = 15_625_000
_FEWEST_CPU_TICKS = 20
# What times of layers are on a device that works on its own.
SUBMISSION = "submission"
ON_DEVICE = "device"
SYNCHRONIZED = "synchronized"
TIMINGS = (SUBMISSION, ON_DEVICE, SYNCHRONIZED)
# Timed calls of each layer that is synchronized; the median of 5 shrugs off two hiccups.
SYNCHRONIZED_RUNS = 5
COPIES_BACK = ("MemcpyToHost",)  # the runtime's node that waits for a device
SPANS_NOTE = (
    "The timeline is in a separate file (.trace.npz), which must stay next to this report."
)
# Notes with the reason of an early end, by which reports without `early_end_reason` are read.
_OLD_EARLY_END_NOTE = re.compile(
    r"^The measurement ended early|^(Start|Turn|Process|Process pair) \d+ of \d+ failed"
)
MOST_PREVIEW_PX = 160
MOST_ANSWERS = 5


class Advice(DataStruct, frozen=True):
    """A suggestion, with the evidence for it.

    rule: name of the rule, for scripts ("layout-changes").
    sentence: the finding.
    gain: what is at stake, and why. Savings that were not measured have no number.
    check: how to verify it.
    layers: indices of the layers concerned, the slowest first.
    settings: fields of RunSpec to change.
    share: share of the kernel time concerned, 0 to 1; 1 for a setting that concerns all
        layers, 0 if it is not about time.
    steps: conversion steps to try, as `inspector convert` takes them; empty for none.
    """

    rule: str
    sentence: str
    gain: str
    check: str
    layers: tuple[int, ...] = ()
    settings: tuple[str, ...] = ()
    share: float = 0.0
    steps: tuple[str, ...] = ()


class Throughput(DataStruct, frozen=True):
    """Throughput of one session with a number of concurrent runs.

    concurrency: how many.
    elapsed_ns: from the first start to the last end.
    prediction_ns: duration of each run, thread by thread.
    """

    concurrency: int
    elapsed_ns: int
    prediction_ns: tuple[int, ...]

    @property
    def per_second(self) -> float:
        """Predictions in a second, all threads together."""
        return 1e9 * len(self.prediction_ns) / self.elapsed_ns if self.elapsed_ns else 0.0

    @property
    def has_p95(self) -> bool:
        """Return whether there are enough runs for a 95th percentile."""
        return len(self.prediction_ns) >= MIN_P95_SAMPLES

    def quantile_ns(self, q: float) -> int:
        """Quantile of the predictions, q from 0 to 1."""
        return int(np.quantile(self.prediction_ns, q)) if self.prediction_ns else 0


class SharedSessions(DataStruct, frozen=True):
    """Several sessions of the model in one process.

    sharing: what they have in common: "nothing", "arena": the memory arena, "threads": the
    thread pools. loads_ns: of each session.
    resident_bytes: the growth of the process after each session and its first run.
    private_bytes: the same of memory that is its own; empty if unknown.
    together: one run at a time in each session, all sessions at once.
    """

    sharing: str
    loads_ns: tuple[int, ...]
    resident_bytes: tuple[int, ...]
    private_bytes: tuple[int, ...]
    together: Throughput

    @property
    def more_bytes(self) -> int | None:
        """Return the memory that a further session takes, on average; None of one session."""
        grown = self.private_bytes or self.resident_bytes
        return (grown[-1] - grown[0]) // (len(grown) - 1) if len(grown) > 1 else None


class AsyncCalls(DataStruct, frozen=True):
    """Calls of run_async that alternate with calls of run, one at a time in one session.

    run_ns: duration of each call of run.
    returned_ns: of each call of run_async, until it returned.
    called_back_ns: until the callback began, in a thread of the runtime.
    round_trip_ns: until the thread that called run_async had the outputs.
    """

    run_ns: tuple[int, ...]
    returned_ns: tuple[int, ...]
    called_back_ns: tuple[int, ...]
    round_trip_ns: tuple[int, ...]


class TurnOrder(DataStruct, frozen=True):
    """The order in which the runs of a report alternated with those of other reports.

    id: the same in all reports that were measured together; empty for none.
    numbers: number of each turn, counted over all reports.
    lengths: runs in each turn.
    """

    id: str = ""
    numbers: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()


class PredictionFilter(StrEnum):
    """The filter that selects which runs of both sides are compared."""

    FULL_SPEED = "at full CPU speed"
    HAD_CORE = "that had a core all the time"
    ALL = "all"


class RatioEstimate(DataStruct, frozen=True):
    """Ratio of the second side's time to the first side's in one pair of processes.

    ratio: median over pairs of neighboring turns.
    error: standard error of its logarithm.
    filter: which runs of both sides were counted.
    first_ns: median of those of the first side.
    """

    ratio: float
    error: float
    filter: PredictionFilter
    first_ns: float


def join_turns(parts: Sequence[TurnOrder]) -> TurnOrder:
    """Return the turns of several starts as one; empty if any was not interleaved."""
    ids = {part.id for part in parts}
    if len(ids) != 1 or "" in ids:
        return TurnOrder()
    return TurnOrder(
        ids.pop(),
        tuple(number for part in parts for number in part.numbers),
        tuple(length for part in parts for length in part.lengths),
    )


class LayerUse(DataStruct, frozen=True):
    """A layer of the model as it was measured: status, device, time and data types.

    index: its place in the model.
    name: its name in the model.
    operator: the operator in the model.
    status: what became of it (docs/tabs/performance.md).
    ran_on: id of the device that ran it; None if it did not run on its own.
    time_ns: time of one run, without the cost of the profiler: the median over the runs in
        `Profiling.used`, or a low quantile if the CPU was busy (see `Profiling`). None
        without a time of its own.
    devices: support by each device, by id.
    into: for a fused, merged or compiled layer, the index of the layer whose time includes
        this one. Such a group has one time, which is never divided by guess.
    executed_as: the operator that the runtime executed.
    calls: executions in one run; more than one inside a loop.
    output: data type and shape of the first output, as far as known ("float32 1×64×56×56").
    parent: index of the If, Loop or Scan that contains it.
    computed_in: data type of the first output of the kernel that ran, which may differ from
        that in `output`.
    value: name of its first output.
    reads: indices of the layers whose outputs it reads.
    inside: for a compiled layer, what the profiler of the execution provider counted.
    spread: of `time_ns`; None in reports of earlier versions, whose time is a mean over the
        middle half of the profiled runs.
    submitted_ns: time to submit it to an asynchronous device. `time_ns` is None if only
        that was timed.
    arena_bytes: in use in the runtime's memory arena when its kernel ended, in the first run,
        before the runtime reserves one block for all activations; None if not known.
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
    inside: ProviderProfile | None = None
    spread: TimeSpread | None = None
    submitted_ns: int | None = None
    arena_bytes: int | None = None

    @property
    def noisy(self) -> bool:
        """Whether its time scatters too much to conclude anything from it."""
        return self.spread is not None and self.spread.noisy


class InsertedNode(DataStruct, frozen=True):
    """A node that the runtime added: a cast, a layout change, or a copy between devices.

    name: in the optimized graph.
    operator: its operator.
    kind: of its span on the timeline ("cast", "layout", "copy", "wait").
    device: id of the device that ran it.
    time_ns: as for layers. 0 if only its submission was timed, or if it waited for layers
        that a device timed itself; `submitted_ns` then has the time.
    size_bytes: bytes that it wrote.
    after, before: indices of the layers that it comes after and before, if known.
    spread: of `time_ns`.
    submitted_ns: time to submit it to an asynchronous device.
    """

    name: str
    operator: str
    kind: str
    device: str
    time_ns: int
    size_bytes: int = 0
    after: int | None = None
    before: int | None = None
    spread: TimeSpread | None = None
    submitted_ns: int | None = None

    @property
    def noisy(self) -> bool:
        """Whether its time scatters too much to conclude anything from it."""
        return self.spread is not None and self.spread.noisy


class LoadPhase(DataStruct, frozen=True):
    """A phase of loading.

    name: what is done.
    duration_ns: how long it took.
    inside: name of the phase that contains it; empty for none.
    grown_bytes: by how much the memory of the process grew meanwhile, below 0 if it shrank;
        None if that is not known, as for very short phases.
    """

    name: str
    duration_ns: int
    inside: str = ""
    grown_bytes: int | None = None


class LoadCache(DataStruct, frozen=True):
    """The folder in which an execution provider keeps what it compiled.

    files: number of files in it before the first load.
    written: for each load, how many files it added or changed.
    told: whether the runtime itself says which loads took the compiled model from there.
    """

    files: int
    written: tuple[int, ...]
    told: bool = False


class PreviewedPrediction(DataStruct, frozen=True):
    """A classification of one picture, small enough to stand in a report.

    source: file or other origin of the picture. width, height: of its small copy, and `pixels`
    its bytes, RGB, row by row. names, shares: the first answers, the best one first. caution:
    why the answer may be wrong, or "".
    """

    source: str
    width: int
    height: int
    pixels: bytes
    names: tuple[str, ...]
    shares: tuple[float, ...]
    caution: str = ""

    @property
    def is_whole(self) -> bool:
        """Return whether the picture is small and all there; a file may say anything."""
        sides = self.width, self.height
        return (
            all(0 < side <= MOST_PREVIEW_PX for side in sides)
            and len(self.pixels) == 3 * self.width * self.height
        )

    @property
    def without_picture(self) -> "PreviewedPrediction":
        """Return the answers alone."""
        return replace(self, width=0, height=0, pixels=b"")

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """Return names with their shares as text."""
        pairs = zip(self.names[:MOST_ANSWERS], self.shares, strict=False)
        return tuple((units.clip(name, 80), units.share(share, 1)) for name, share in pairs)


class PerformanceReport(DataStruct, frozen=True, eq=False, weakref=True):
    """A finished measurement. Times are in nanoseconds, samples in the order of the runs.

    model: the measured model.
    spec: the settings of the measurement.
    environment: the machine and its software.
    created: date and time, ISO 8601 with a time zone.
    load_ns: time to create the first session.
    first_prediction_ns: the first run after it.
    prediction_ns: duration of each timed run, without the profiler.
    prediction_cpu_ns: CPU time of the process in each of them.
    memory: memory of the engine process in each phase.
    devices: the devices that the session used.
    layers: the layers of the model, in its order.
    inserted: nodes that the runtime added to the model.
    kernel_ns: sum of the times of layers and added nodes.
    trace: the profiled pass: loading and the profiled runs.
    complete: false if the measurement ended early.
    notes: sentences that a reader of the numbers should know.
    predicted: devices that are not on this machine, for which support tables were
        consulted.
    surroundings: load of the machine during the timed runs.
    loads_ns: every load, in order. The first is `load_ns`; later ones find the file in the
        cache.
    load_phases: phases of one more load, from the runtime's log if `spec.phases`; else
        those that the profile of the profiled pass shows.
    warmup_ns: the warm-up runs.
    throughput: one entry for each number in `spec.concurrency`.
    sessions: `spec.sessions` sessions in one process, for each thing that they can share.
    async_calls: run_async compared with run; None if it was not measured.
    load_cache: the cache folder of the execution provider; None if no option names one.
    outputs: the outputs compared with those of an unoptimized run on the CPU, if
        `spec.check`.
    first_predictions_ns: the first run after every load.
    compilations_ns: time that the execution provider took to compile the model, if
        `spec.load_from` is "compiled".
    roofline: limits of the devices, and the work of each layer, if `spec.roofline`.
    start_lengths: number of timed runs in each process, in order; empty for one process.
    start_layers_ns: for each process, the time of each of `layers` in its profiled run of
        median length; empty for one process. Only the first process is in `trace`.
    pace: CPU speed, from probes between the runs; empty if a device other than the CPU took
        part.
    advised: suggestions that need the model, which is not in the report.
    turns: the turns of this model, if its runs alternated with those of another one.
    profiling: which runs were profiled, and the parts of a run besides kernels.
    layer_timing: how layers were timed on each asynchronous device, by its id: one of
        TIMINGS. On other devices a layer is done when the call of its kernel returns.
    previewed: the prediction that Preview showed when the report was exported; None if none.
    model_results: what else the window knew of the model then, such as its accuracy; None if
        the report was not exported from a window.
    early_end_reason: the note that says why it is not complete; "" if it is.
    generation: the speed of a language model, token by token, if `spec` requests it; each run
        is then one decode step, and layers are those of decode. None otherwise.
    input_shapes: with which inputs that have free axes were measured, by name.
    """

    model: ModelIdentity
    spec: RunSpec
    environment: Environment
    created: str
    load_ns: int
    first_prediction_ns: int
    prediction_ns: tuple[int, ...]
    prediction_cpu_ns: tuple[int, ...]
    memory: MemoryUse
    devices: tuple[Device, ...]
    layers: tuple[LayerUse, ...]
    inserted: tuple[InsertedNode, ...]
    kernel_ns: int
    trace: Trace
    complete: bool = True
    notes: tuple[str, ...] = ()
    predicted: tuple[Device, ...] = ()
    surroundings: SystemLoad = field(default_factory=SystemLoad)
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
    pace: CpuSpeed = field(default_factory=CpuSpeed)
    advised: tuple[Advice, ...] = ()
    turns: TurnOrder = field(default_factory=TurnOrder)
    profiling: Profiling = field(default_factory=Profiling)
    layer_timing: dict[str, str] = field(default_factory=dict)
    previewed: PreviewedPrediction | None = None
    sessions: tuple[SharedSessions, ...] = ()
    async_calls: AsyncCalls | None = None
    load_cache: LoadCache | None = None
    model_results: ModelResults | None = None
    early_end_reason: str = ""
    generation: GenerationSpeed | None = None
    input_shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def optimization_text(self) -> str:
        """Return how far the runtime optimized the model: "all optimizations", "XNNPACK"."""
        return optimization_text(self.spec, self.environment.runtime)

    @property
    def full_speed_predictions(self) -> CountedPredictions:
        """The timed runs that statistics use: those at full CPU speed, if there are enough."""
        return counted_predictions(self, 0)

    @property
    def without_picture(self) -> "PerformanceReport":
        """Return the report without the image that Preview showed."""
        seen = self.previewed
        return self if seen is None else replace(self, previewed=seen.without_picture)

    @property
    def failed(self) -> bool:
        """Whether the measurement failed before anything was measured."""
        return not (self.complete or self.load_ns or self.prediction_ns or self.generation)

    @property
    def early_end(self) -> str:
        """Return a sentence about why the measurement is incomplete; empty if it is whole."""
        if self.complete or self.failed:
            return self.early_end_reason
        return f"Incomplete. {self.early_end_reason or 'The measurement ended early.'}"

    @property
    def requested_devices(self) -> tuple[Device, ...]:
        """All devices that layers have marks of: those of the session, then the predicted."""
        return (*self.devices, *self.predicted)

    @property
    def counted_cpu_ns(self) -> tuple[int, ...]:
        """Return `prediction_cpu_ns`, or nothing where the clock is too coarse for them.

        Windows counts CPU time in ticks of 15.6 ms: a run of 30 us would use one or none.
        """
        coarse = self.environment.system.startswith("Windows")
        few = sum(self.prediction_cpu_ns) < _FEWEST_CPU_TICKS * _WINDOWS_CPU_TICK_NS
        return () if coarse and few else self.prediction_cpu_ns

    @property
    def median_ns(self) -> int:
        """The median of the timed runs at full CPU speed, in nanoseconds; of a language model
        that of all tokens, as in its tokens per second."""
        return self.quantile_ns(0.5) if self.token_ns is None else round(self.token_ns)

    @property
    def token_ns(self) -> float | None:
        """The median time of a token, of a language model that made some; else None."""
        decode = self.generation.decode if self.generation is not None else None
        return decode.median_step_ns if decode is not None else None

    @property
    def run_joules(self) -> float | None:
        """The energy of a run, of a token for a language model: the mean power of the machine
        by the mean time. None where nothing was counted."""
        watts = self.surroundings.energy.watts
        if watts is None or not self.prediction_ns:
            return None
        return watts * float(np.mean(self.prediction_ns)) / 1e9

    @property
    def profiled_runs(self) -> int:
        """The number of profiled runs."""
        return self.profiling.runs or self.spec.profiled_runs

    def quantile_ns(self, q: float) -> int:
        """Quantile of `full_speed_predictions`, q from 0 to 1, linear between; 0 of none."""
        samples = self.full_speed_predictions.samples_ns
        return int(np.quantile(samples, q)) if samples else 0

    def layer_samples_ns(self, index: int) -> NDArray[np.int64]:
        """Self time of a layer in each profiled prediction, from the trace: int64 (runs,)."""
        selected = (self.trace.layer == index) & (self.trace.run >= 0)
        runs, times = self.trace.run[selected], self.trace.self_ns()[selected]
        length = max(self.profiled_runs, int(runs.max()) + 1 if len(runs) else 0)
        return np.bincount(runs, times, minlength=length).astype(np.int64)


def optimization_text(spec: RunSpec, runtime: str) -> str:
    """Return how far a runtime optimizes: "all optimizations", "XNNPACK", "float32"."""
    if runtime.startswith("OpenVINO"):
        return inference_precision(spec.inference_precision)
    return optimization(spec.optimization, runtime, spec.xnnpack)


def core_use(spec: RunSpec, others: float | None) -> CoreUse:
    """Return which cores predictions use. others: share of them that other programs use."""
    if spec.alone:
        return CoreUse.ONE
    return CoreUse.SHARED if (others or 0) > BUSY_CPU_SHARE else CoreUse.ALL


@weak_cache
def counted_predictions(report: PerformanceReport, reference_ns: int) -> CountedPredictions:
    """Return the predictions that statistics are computed from.

    reference_ns: duration of a CPU probe at full speed; 0 for the report's own value.
    """
    wall, cpu, lengths = report.prediction_ns, report.prediction_cpu_ns, report.start_lengths
    if report.spec.busy_cores:  # what has to wait for a core is what is to be seen
        every, starts = np.arange(len(wall)), len(lengths) or 1
        return CountedPredictions(None, True, every, wall, cpu, lengths, starts)
    cores = core_use(report.spec, report.surroundings.others)
    return select_full_speed(report.pace, wall, cpu, lengths, cores, reference_ns)


def to_json(report: PerformanceReport) -> bytes:
    """Write a report as report/1: one object, the trace as columns of integers."""
    return saved_json.encode(report, SCHEMA, _encode_column)


def from_json(body: bytes, name: str) -> PerformanceReport:
    """Read report/1; fields of later versions are ignored.

    Raises UnreadableFile: not a report, a newer schema, or damaged.
    """
    return saved_json.decode(body, PerformanceReport, _FORMAT, name, _validate, _decode_column)


def separate_submissions(report: PerformanceReport) -> PerformanceReport:
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
        as_submission(node) if node.device in untold else node for node in report.inserted
    )
    times = [use.time_ns or 0 for use in layers] + [node.time_ns for node in inserted]
    return replace(
        report,
        layers=layers,
        inserted=inserted,
        kernel_ns=sum(times),
        layer_timing=report.layer_timing | dict.fromkeys(sorted(untold), SUBMISSION),
    )


def as_submission(node: InsertedNode, layers_are_timed: bool = False) -> InsertedNode:
    """Return an inserted node of a device that works on its own, as what it is.

    layers_are_timed: by the device itself, so that what a wait takes is in their times already.
    """
    waits = node.operator in COPIES_BACK
    kind = str(Kind.WAIT) if waits else node.kind
    if waits and not layers_are_timed:
        return replace(node, kind=kind)
    return replace(node, kind=kind, time_ns=0, spread=None, submitted_ns=node.time_ns)


def _validate(report: PerformanceReport) -> PerformanceReport:
    """Return a decoded report whose counts and indices fit. Raises ValueError."""
    if not 0 <= report.profiled_runs <= _MAX_PROFILED_RUNS:  # sizes an array for each layer
        raise ValueError(
            f"it has {clip(str(report.profiled_runs), 20)} profiled runs, which is out of range"
        )
    expect, uses, nodes = saved_json.expect_indices, report.layers, report.inserted
    layer_indices = [use.index for use in uses]
    expect("index of a layer", layer_indices, len(uses))
    if len(set(layer_indices)) < len(uses):
        raise ValueError("two of its layers have the same index")
    expect("'into' of a layer", (use.into for use in uses), len(uses))
    expect("'parent' of a layer", (use.parent for use in uses), len(uses))
    expect("'reads' of a layer", (index for use in uses for index in use.reads), len(uses))
    expect("'after' of an inserted node", (node.after for node in nodes), len(uses))
    expect("'before' of an inserted node", (node.before for node in nodes), len(uses))
    expect(
        "layer index of the roofline", (one.index for one in report.roofline.layers), len(uses)
    )
    # Advice is about the model, too, which has layers though none were profiled.
    layer_count = len(uses) or report.model.layers
    expect(
        "layer index of a suggestion",
        (index for one in report.advised for index in one.layers),
        layer_count,
    )
    expect("profiling.used", report.profiling.used, report.profiling.runs)
    if report.prediction_ns:  # a report may keep its summary alone
        expect("pace.before", report.pace.before, len(report.prediction_ns) + 1)
    _expect_lengths(report)
    for output in report.outputs:
        _expect_error_position(output.difference)
    improvement = report.model_results.improvement if report.model_results is not None else None
    if improvement is not None and not -1 <= improvement.best < len(improvement.candidates):
        raise ValueError("its best candidate is not among its candidates")
    trace = report.trace
    columns: dict[str, Column] = {key: getattr(trace, key) for key in COLUMNS}
    extras = trace.counters, trace.flows, trace.moments
    trace = from_columns(trace.tracks, trace.names, columns, *extras)
    _expect_spans(report, trace)
    return separate_submissions(replace(_with_early_end_reason(report), trace=trace))


def _with_early_end_reason(report: PerformanceReport) -> PerformanceReport:
    """Return an incomplete report with the reason, which earlier versions only put in notes."""
    if report.complete or report.early_end_reason:
        return report
    reasons = (note for note in reversed(report.notes) if _OLD_EARLY_END_NOTE.search(note))
    return replace(report, early_end_reason=next(reasons, ""))


def _expect_lengths(report: PerformanceReport) -> None:
    """Raise ValueError where lists that belong together differ, or lengths add up to more."""
    turn_order, predictions = report.turns, len(report.prediction_ns)
    if len(turn_order.numbers) != len(turn_order.lengths):
        raise ValueError(
            f"it lists {len(turn_order.numbers)} interleaved blocks of runs, "
            f"but {len(turn_order.lengths)} block lengths"
        )
    for name, lengths in (
        ("interleaved blocks", turn_order.lengths),
        ("processes", report.start_lengths),
    ):
        if sum(lengths) > predictions:
            raise ValueError(
                f"the runs of its {name} add up to more than the runs in the report"
            )
    if report.generation is not None:
        _expect_phases(report.generation, len(report.layers))
    if len(report.pace.before) != len(report.pace.probes_ns):
        raise ValueError("it has different numbers of CPU-speed probes and probe positions")


def _expect_phases(generation: GenerationSpeed, layers: int) -> None:
    """Raise ValueError where times of one row or of one phase do not belong together."""
    for row in generation.rows:
        if len(row.prefill_ns) != len(row.first_sample_ns):
            raise ValueError("a row of its generation has prefills without a first token")
    for phase in (generation.decode_layers, generation.prefill_layers):
        if phase is not None and len(phase.layers_ns) != layers:
            raise ValueError(f"the times of {phase.phase} are not those of its layers")
    for jump in generation.jumps:
        lengths = {len(jump.layers_before_ns), len(jump.layers_after_ns)}
        if lengths not in ({0}, {layers}):
            raise ValueError("the times at a step of its curve are not those of its layers")


def _expect_error_position(difference: Difference | None) -> None:
    """Raise ValueError where the place of the largest error is not in the tensor."""
    if difference is not None and difference.where is not None:
        saved_json.expect_indices(
            "index of the largest error in an output", [difference.where], difference.count
        )
        if difference.count != prod(difference.reference_shape):
            raise ValueError("the number of elements of an output does not match its shape")


def _expect_spans(report: PerformanceReport, trace: Trace) -> None:
    """Raise ValueError where spans are of layers or predictions that there are not."""
    runs = max(report.profiled_runs, len(trace))
    for name, column, end in (("layer", trace.layer, len(report.layers)),
                              ("run", trace.run, runs)):  # fmt: skip
        if int(column.max(initial=-1)) >= end:
            raise ValueError(
                f"a span refers to {name} {int(column.max())}, but there are only {end:,}"
            )


def save(report: PerformanceReport, path: Path) -> None:
    """Write a report whole or not at all. Raises NotSaved; an earlier file stays then.

    Above MOST_SPANS the spans go into a file of columns next to it.
    """
    if len(report.trace) <= MAX_SPANS:
        files.write_atomic(path, to_json(report))
        return
    spans = trace_file.to_bytes(SavedTrace(report.trace, of=_identity(report)))
    bare = trace_file.without_spans(report.trace)
    summary = replace(report, trace=bare, notes=(*report.notes, SPANS_NOTE))
    files.write_together([(spans_path(path), (spans,)), (path, (to_json(summary),))])


def load(path: Path) -> PerformanceReport:
    """Read a report from a file, with the spans saved next to it. Raises UnreadableFile."""
    report = from_json(files.read_capped(path, LIMIT_BYTES), path.name)
    if SPANS_NOTE not in report.notes or not files.is_file(spans_path(path)):
        return report
    spans = trace_file.load(spans_path(path))
    if spans.of != _identity(report):
        return report
    try:
        _expect_spans(report, spans.trace)
    except ValueError as error:
        failure = f"Could not open {spans_path(path).name}"
        raise UnreadableFile(
            failure, f"it does not match its report: {error}", _EXPORT_AGAIN
        ) from error
    notes = tuple(note for note in report.notes if note != SPANS_NOTE)
    return replace(report, trace=spans.trace, notes=notes)


def spans_path(path: Path) -> Path:
    """Return the path of the spans of a report that has too many for its own file."""
    return path.with_name(path.name.removesuffix(".json") + trace_file.SUFFIX)


def _identity(report: PerformanceReport) -> str:
    return f"{report.model.sha256} {report.created}"


def _encode_column(value: Any) -> list[int]:
    """Encode a numpy column as a list for JSON; a report holds no other foreign type."""
    if isinstance(value, np.ndarray):
        numbers: list[int] = value.tolist()
        return numbers
    raise NotImplementedError(f"{type(value)} has no place in a report")


def _decode_column(kind: Any, value: Any) -> NDArray[Any]:
    # The type itself cannot be compared: what NDArray stands for changes with numpy.
    if get_args(get_args(kind)[-1]) == (np.float64,):
        return np.array(msgspec.convert(value, list[float]), np.float64)
    return np.array(msgspec.convert(value, list[int]), np.int64)
