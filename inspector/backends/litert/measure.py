"""A measurement with LiteRT: a clean pass, then a profiled pass over a compiled model."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np

from inspector.backends import partial_reports
from inspector.backends.base import MeasureRequest
from inspector.backends.litert import correction, interpreter, layer_times
from inspector.backends.litert.correction import PROFILER, Correction
from inspector.backends.litert.interpreter import REFUSALS, OpenedInterpreter, Structure
from inspector.backends.litert.layer_times import OPERATOR, Event, Kernel, Partition, is_invoke
from inspector.backends.litert.profiler import Profiled, Profiler, Unavailable
from inspector.backends.machine import environment
from inspector.backends.measuring.clean_pass import (
    CleanPass,
    Timed,
    clean_pass,
    report_without_layers,
)
from inspector.backends.measuring.machine_load import MachineLoad
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.formats.tflite.reader import with_fixed_axes
from inspector.model.model import Layer, Model
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import Device, InsertedNode, LayerUse, PerformanceReport, Support
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.units import duration
from inspector.units import shape as shape_text
from inspector.wording.support_marks import Mark, Source, Status
from inspector.wording.values import Sentence

_DEVICE = "cpu"
_ENOUGH_RUNS = 600  # half are used; the profiler counts whole microseconds, so many are needed
_MOST_NS = 4_000_000_000  # of profiled runs beyond those that were asked for
_TRACED_RUNS = 10
_MOST_PATCHED_BYTES = 1 << 30
_ONE_AT_A_TIME = (
    "LiteRT's interpreter performs one run at a time, so throughput was not measured."
)
_FIXED = (
    "Layers were timed in a copy of the model whose dynamic axes are fixed, because LiteRT's "
    "profiler needs inputs and outputs of fixed sizes."
)
_MEANS = (
    "Times of layers are means over {} profiled runs, because LiteRT's profiler counts whole "
    "microseconds."
)
_CUT = (
    "XNNPACK cuts the time of each kernel to whole microseconds. The {} that are missing of {} "
    "kernels together were measured; they were divided among them, equally among those that "
    "take less than 1 µs."
)
_PROFILER = (
    "With LiteRT's profiler, a run takes {} instead of {}: {}. Layer times are without that. "
    "At least {} of a run without the profiler is in layers."
)
_LONGER = ", and layers take {:.2f} times as long next to it"
_MENTIONED = 0.01  # of the time of all kernels, from which on the notes above are shown
_REPORTING = 0.01  # of a run that cut times may make up, from which on reports are timed, too
_QUICK_NS = 10_000_000  # shorter runs are compared with the interpreter's, longer ones alike
_NO_PROFILER = "Layers are not timed: {}."
_XNNPACK = "XNNPACK delegate"
_BUILT_IN = "LiteRT's own kernel"
_IN_PARTITION = "In a partition of the XNNPACK delegate, without a kernel of its own."


def measure(
    request: MeasureRequest, devices: tuple[Device, ...], runtime: str
) -> PerformanceReport:
    """Measure a model as a spec asks; meant for a fresh process."""
    spec, known = request.spec, interpreter.structure(request.model)
    machine = environment([f"ai-edge-litert {version('ai-edge-litert')}"], runtime)
    what = Sentence("Could not run {name}", request.model.name)

    def load() -> OpenedInterpreter:
        return OpenedInterpreter(request.model, spec, known)

    def prepare(opened: OpenedInterpreter) -> Any:
        opened.set_inputs(request.feeds, spec)
        return opened.interpreter.invoke

    def report(clean: CleanPass) -> PerformanceReport:
        return report_without_layers(request, clean, machine, devices, known.model.weights)

    def checkpoint(so_far: CleanPass) -> None:
        bare = replace(report(so_far), spec=replace(spec, profiled_runs=0))
        partial_reports.write(request.folder, bare)

    taking = TurnTaker(request.pass_on if request.interleaved else None)
    timed = Timed(
        load,
        prepare,
        lambda opened: (),
        REFUSALS,
        lambda error: interpreter.failure(error, what, "prediction", known.model),
    )
    clean = clean_pass(
        timed, spec, request.report_progress, request.reference_ns, taking, checkpoint
    )
    done = report(clean)
    if spec.concurrency:
        done = replace(done, notes=(*done.notes, _ONE_AT_A_TIME))
    if spec.profiled_runs:
        done = _with_layers(done, request, known)
    turns = taking.turns(request.interleaved, len(done.prediction_ns))
    return replace(done, turns=turns)


def _with_layers(
    report: PerformanceReport, request: MeasureRequest, known: Structure
) -> PerformanceReport:
    """Add times of layers, or the reason why there are none."""
    opened = OpenedInterpreter(request.model, request.spec, known)
    opened.set_inputs(request.feeds, request.spec)
    partitions = opened.partitions()
    types = {each.name: each for each in opened.shapes()}
    quick = report.median_ns < _QUICK_NS
    bare = opened.interpreter.invoke if quick else None
    cut = 1000 * sum(len(each.layers) for each in partitions) > _REPORTING * report.median_ns
    del opened
    try:
        with MachineLoad() as load:
            profiled, notes = _profiled(request, known, bare, quick and cut)
    except Unavailable as error:
        note = _NO_PROFILER.format(error)
        return replace(report, notes=(*report.notes, note))
    used = _quickest(profiled)
    top = [layer for layer in known.model.layers if layer.parent is None]
    kernels = {run: layer_times.assigned(profiled.runs[run], partitions, top) for run in used}
    unprofiled_ns = round(_quicker_mean(profiled.unprofiled_ns))
    first = kernels[used[0]]
    spent = correction.run_times([profiled.runs[run] for run in used])
    reporting_us = _reporting_us(profiled)
    corrected = correction.correction(
        list(kernels.values()),
        spent,
        reporting_us,
        unprofiled_ns / 1000,
        report.median_ns / 1000,
    )
    parts, between_us = correction.run_parts(spent, first, corrected, reporting_us)
    layers, inserted = _layers(known.model, top, kernels, corrected, partitions, types)
    invoke_ns = round(1000 * spent.invoke_us)
    kernel_ns = sum(use.time_ns or 0 for use in layers) + sum(n.time_ns for n in inserted)
    own = sum(kernel.event.type == OPERATOR for kernel in first)
    profiling = Profiling(
        runs=len(used),
        used=tuple(range(len(used))),
        means=True,
        prediction_ns=invoke_ns,
        between_ns=max(
            0, round(min(unprofiled_ns, invoke_ns) / corrected.slowdown) - kernel_ns
        ),
        events=len(first),
        profiler_ns=max(0, invoke_ns - unprofiled_ns),
        kernel_profiler_ns=round(1000 * corrected.operator_us * own),
        excess=corrected.excess,
        slowdown=corrected.slowdown,
        unprofiled_ns=unprofiled_ns,
        parts=parts,
        between_most_ns=None if between_us is None else round(1000 * between_us),
    )
    notes = (*notes, *_corrected(profiling, corrected, kernel_ns))
    means = _MEANS.format(f"{len(used):,}")
    return replace(
        report,
        layers=layers,
        inserted=inserted,
        kernel_ns=kernel_ns,
        trace=_trace(kernels, top, load),
        profiling=profiling,
        notes=(*report.notes, *notes, means),
    )


def _reporting_us(profiled: Profiled) -> float | None:
    """Return how long XNNPACK reports the kernels of a run; None where it was not timed."""
    if not profiled.plain_ns:
        return None
    stopped_ns = _quicker_mean(profiled.stopped_ns)
    return max(0.0, stopped_ns - _quicker_mean(profiled.plain_ns)) / 1000


def _quicker_mean(times_ns: Sequence[int]) -> float:
    """Return the mean of the quicker half, as of the profiled runs."""
    ordered = np.sort(np.asarray(times_ns, np.float64))
    return float(ordered[: (len(ordered) + 1) // 2].mean())


def _corrected(profiling: Profiling, corrected: Correction, kernel_ns: int) -> Iterator[str]:
    """Yield notes on what was done to layer times, where it is more than a trifle."""
    cut_ns = round(1000 * sum(corrected.cut_us.values()))
    if cut_ns > _MENTIONED * kernel_ns:
        yield _CUT.format(duration(cut_ns), len(corrected.cut_us))
    share = profiling.least_share
    if share is not None and profiling.profiler_ns > _MENTIONED * kernel_ns:
        work = ", ".join(
            f"{part.name.removeprefix(PROFILER)} {duration(part.time_ns)}"
            for part in profiling.parts
            if part.name.startswith(PROFILER)
        )
        if corrected.excess > 1 + _MENTIONED:
            work += _LONGER.format(corrected.excess)
        spent_ns = profiling.prediction_ns, profiling.unprofiled_ns
        yield _PROFILER.format(*map(duration, spent_ns), work, f"{share:.0%}")


def _profiled(
    request: MeasureRequest,
    known: Structure,
    bare: Callable[[], object] | None,
    with_reports: bool,
) -> tuple[Profiled, tuple[str, ...]]:
    """Profile runs. Raises Unavailable: why that is not possible.

    bare: one run of the interpreter. None: runs of the profiled model are long enough to tell
    what they take without the profiler. with_reports: time XNNPACK's reports, too.
    """
    spec, model, notes = request.spec, request.model, list[str]()
    index, inputs = _as_signature(known.model, request.feeds)
    if known.model.examples:
        examples = {value.name: value.shape for value in known.model.examples}
        for info in known.model.inputs:
            given = np.shape(request.feeds[info.name])
            if examples.get(info.name, given) != given:
                raise Unavailable(
                    "its profiler needs the sizes with which the model was converted, "
                    f"{shape_text(examples[info.name])} for {info.name}"
                )
        if request.model.stat().st_size > _MOST_PATCHED_BYTES:
            raise Unavailable("the model is too large for a copy with fixed axes")
        target = request.folder / "fixed-axes.tflite"
        target.write_bytes(with_fixed_axes(request.model))
        model = target
        notes.append(_FIXED)
    for info in known.model.inputs:
        if np.asarray(request.feeds[info.name]).dtype.name != info.dtype:
            raise Unavailable(f"its profiler does not support {info.dtype} inputs")
    profiler = Profiler(model, inputs, index, spec.threads, spec.xnnpack)
    plain = None
    if with_reports:
        plain = Profiler(model, inputs, index, spec.threads, spec.xnnpack, profiling=False).run
    for _ in range(max(1, spec.warmup)):
        profiler.run()

    def tell(share: float) -> None:
        request.report_progress("profiled", share, ())

    bare = bare or profiler.run
    runs = profiler.profiled(spec.profiled_runs, _ENOUGH_RUNS, _MOST_NS, bare, tell, plain)
    return runs, tuple(notes)


def _as_signature(model: Model, feeds: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return the signature that runs the main graph, and feeds by the names of its inputs.

    Raises Unavailable: signatures run only other graphs.
    """
    arrays = {info.name: np.asarray(feeds[info.name]) for info in model.inputs}
    for index, signature in enumerate(model.signatures):
        if not signature.function:
            return index, {caller: arrays[name] for caller, name in signature.inputs}
    if model.signatures:
        raise Unavailable("none of its signatures runs its main graph")
    return 0, arrays


def _quickest(profiled: Profiled) -> tuple[int, ...]:
    """Return the numbers of the runs that are used: the quicker half, which had a core."""
    order = sorted(range(len(profiled.runs)), key=lambda at: _invoke_us(profiled.runs[at]))
    return tuple(sorted(order[: max(1, (len(order) + 1) // 2)]))


def _invoke_us(events: Sequence[Event]) -> int:
    return next((event.duration_us for event in events if is_invoke(event)), 0)


def _layers(
    model: Model,
    top: Sequence[Layer],
    kernels: Mapping[int, Sequence[Kernel]],
    corrected: Correction,
    partitions: Sequence[Partition],
    types: Mapping[str, Any],
) -> tuple[tuple[LayerUse, ...], tuple[InsertedNode, ...]]:
    """Return what became of each layer, and the nodes that XNNPACK added."""
    runs = len(kernels)
    times: dict[int, list[float]] = defaultdict(list)
    named: dict[int, str] = {}
    added: dict[tuple[int, str, int], list[float]] = defaultdict(list)
    for each in kernels.values():
        sums: dict[int, float] = defaultdict(float)
        for kernel in each:
            if kernel.layer >= 0:
                sums[kernel.layer] += corrected.time_us(kernel)
                if kernel.partition >= 0:
                    named[kernel.layer] = kernel.event.name
            else:
                key = kernel.partition, kernel.event.name, kernel.event.node
                added[key].append(corrected.time_us(kernel))
        for node_number, total_us in sums.items():
            times[node_number].append(total_us)
    into: dict[int, int] = {}
    first = next(iter(kernels.values()))
    ranges = correction.cut_ranges(list(kernels.values()), corrected)
    less_us, more_us = defaultdict[int, float](float), defaultdict[int, float](float)
    for kernel in first:
        less, more = ranges.get((kernel.partition, kernel.event.node), (0.0, 0.0))
        less_us[kernel.layer] += less
        more_us[kernel.layer] += more
    for number, partition in enumerate(partitions):
        own = [kernel for kernel in first if kernel.partition == number]
        into |= layer_times.shared(own, partition, top)
    inside = {layer for partition in partitions for layer in partition.layers}
    made_by = {name: layer.index for layer in model.layers for name in layer.outputs}
    place = {layer.index: at for at, layer in enumerate(top)}  # of the runtime's nodes
    back = [layer.index for layer in top]
    uses = []
    for layer in model.layers:
        node = place.get(layer.index, -1)
        spent_us, in_partition = times.get(node, []), node in inside
        value = types.get(layer.outputs[0]) if layer.outputs else None
        output = f"{value.dtype} {shape_text(value.shape)}" if value is not None else ""
        mean_ns = max(0, round(1000 * sum(spent_us) / runs)) if spent_us else None
        uses.append(
            LayerUse(
                index=layer.index,
                name=layer.name,
                operator=layer.operator,
                status=_status(node, spent_us, in_partition),
                ran_on=_DEVICE if spent_us or in_partition else None,
                time_ns=mean_ns,
                devices={_DEVICE: _support(layer, in_partition, bool(spent_us))},
                into=back[into[node]] if node in into else None,
                executed_as=named.get(node, layer.operator if spent_us else ""),
                calls=1.0 if spent_us else 0.0,
                output=output,
                parent=layer.parent,
                computed_in=value.dtype if value is not None and spent_us else "",
                value=layer.outputs[0] if layer.outputs else "",
                reads=tuple(
                    dict.fromkeys(made_by[name] for name in layer.inputs if name in made_by)
                ),
                spread=_spread(spent_us, corrected, less_us[node], more_us[node])
                if spent_us
                else None,
            )
        )
    inserted = tuple(
        InsertedNode(
            name=f"XNNPACK partition {number + 1}, {name}, {at}",
            operator=name,
            kind=str(Kind.LAYOUT),
            device=_DEVICE,
            time_ns=max(0, round(1000 * sum(spent) / runs)),
        )
        for (number, name, at), spent in added.items()
    )
    return tuple(uses), inserted


def _status(node: int, spent_us: Sequence[float], in_partition: bool) -> Status:
    if spent_us:
        return Status.EXECUTED
    if in_partition:
        return Status.COMPILED
    return Status.UNKNOWN if node >= 0 else Status.NOT_REACHED


def _support(layer: Layer, in_partition: bool, timed: bool) -> Support:
    """Return what the run shows of a layer; timed: whether a kernel of it was profiled."""
    if in_partition:
        reason = _XNNPACK + "." if timed else _IN_PARTITION
        return Support(Mark.RAN, Source.MEASURED, reason)
    if timed:
        return Support(Mark.RAN, Source.MEASURED, _BUILT_IN + ".")
    return Support(Mark.UNKNOWN, Source.MEASURED)


def _spread(
    spent_us: Sequence[float], corrected: Correction, less_us: float, more_us: float
) -> TimeSpread:
    """Return the spread of a layer's time; its interval is that of the mean.

    less_us, more_us: how much less or more its kernels may have lost than was added to them.
    How many times longer the layer took next to the profiler may also be closer to 1 than for
    all together, or as much further away.
    """
    values = np.asarray(spent_us, np.float64)
    mean = float(values.mean())
    half = 1.96 * float(values.std()) / max(1.0, len(values)) ** 0.5
    less, more, own = (
        less_us / corrected.scale,
        more_us / corrected.scale,
        corrected.excess**0.5,
    )
    low, high = (mean - half - less) / own, (mean + half + more) * own
    least, most, low, high = (
        max(0, round(1000 * each))
        for each in (min(spent_us) - less, max(spent_us) + more, low, high)
    )
    return TimeSpread(least, most, low, high, len(spent_us))


def _trace(
    kernels: Mapping[int, Sequence[Kernel]], top: Sequence[Layer], load: MachineLoad
) -> Any:
    """Return the first runs as spans, on one clock that is 0 when the first one begins.

    The runtime's own operators have a start on the system's clock; XNNPACK's kernels have a
    duration only, so they follow one another, up to the next operator.
    """
    build, track = TraceBuilder(), Track(Lane.COMPUTE, "CPU", _DEVICE, "cpu")
    load.mean_into(build)
    now, zero_us = 0, 0
    for run, each in enumerate(list(kernels.values())[:_TRACED_RUNS]):
        begin_us = _begin_us([kernel.event for kernel in each])
        if begin_us is not None:
            zero_us = zero_us or begin_us - now // 1000
            now = max(now, 1000 * (begin_us - zero_us))
        for kernel in each:
            event = kernel.event
            if event.type == OPERATOR and event.start_us:
                now = max(now, 1000 * (event.start_us - zero_us))
            layer = top[kernel.layer].index if kernel.layer >= 0 else None
            kind = Kind.KERNEL if kernel.layer >= 0 else Kind.LAYOUT
            build.add(track, event.name, now, 1000 * event.duration_us, kind, layer, run)
            now += 1000 * event.duration_us
    return build.trace()


def _begin_us(events: Sequence[Event]) -> int | None:
    """Return when a run began on the system's clock; None where no event tells."""
    before_us = 0
    for event in events:
        if event.type == OPERATOR and event.start_us:
            return event.start_us - before_us
        before_us += event.duration_us
    return None
