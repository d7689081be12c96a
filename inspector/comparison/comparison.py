"""Reports side by side: what was set alike, what differs, and whether it matters."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from msgspec import Struct, structs

from inspector import units
from inspector.analysis.measured.computed_precision import main_precision, precision_summary
from inspector.analysis.measured.latency import AT_FULL_SPEED, OF_UNDISTURBED, TAILS_OF, latency
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.tuning_results import OWN, settings_text
from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed
from inspector.analysis.verdicts.speed import (
    compare_medians,
    interleaving_text,
    undisturbed_medians,
)
from inspector.comparison import layer_changes
from inspector.comparison.alignment import Row, align, apart, serves, shared
from inspector.comparison.layer_changes import Block, Lists, Transitions, leaders
from inspector.errors import BadInput
from inspector.model.tensors.agreement import summary_text
from inspector.report.report import LayerUse, PerformanceReport
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.statistics.intervals import (
    MIN_P90_SAMPLES,
    MIN_P95_SAMPLES,
    MIN_P99_SAMPLES,
    MIN_SAMPLES,
    Quantile,
    Statistic,
    mean,
    median,
)
from inspector.statistics.process_starts import precision_advice
from inspector.statistics.significance import (
    RatioVerdict,
    Verdict,
    compare_counted,
    compare_samples,
)
from inspector.wording.support_marks import Status
from inspector.wording.values import Count, Name, Sentence, Size, counted, joined

Samples = Callable[[PerformanceReport], tuple[int, ...]]
# Networks of which fewer layers match have nothing to do with each other. Of 13 models (five
# of sample_models, eight public ones) unrelated pairs shared 0 to 11%, and 25% where one has
# only eight layers; conversions of one model, and models made by one template, 67% and more.
LEAST_SHARED = 0.3
SAME_PARAMETERS = 0.02  # so near, one model was exported with other names and input sizes
NO_SIZES = Sentence("default sizes")  # for dynamic axes, which then have their default sizes
_SEEN = 0.0005  # of a ratio: one digit of the percentages shown
_CHANGES = (
    " The changes in the table are those of the numbers next to them, which combine all "
    "processes. Verdicts compare process by process, so their ratios differ from these."
)


class Property(Struct, frozen=True):
    """A setting or fact of each report, as text.

    group: "model", "settings" or "machine".
    """

    group: str
    name: str
    values: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether all reports agree."""
        return len(set(self.values)) == 1


class Metric(Struct, frozen=True):
    """One number of each report; unit "ns" or "bytes"; None where it was not measured.
    judgements: for each report, whether it differs from the first; None where there is but one
    value of it, so that nobody knows how much it scatters. name: stable, for scripts. mixed:
    whether the numbers are of other runs in some reports, so that their ratio says nothing."""

    name: str
    unit: str
    values: tuple[int | None, ...]
    judgements: tuple[RatioVerdict | None, ...] = ()
    label: str = ""
    mixed: bool = False

    @property
    def title(self) -> str:
        """The metric's name as people read it, with the runs that it is taken from."""
        return self.label or self.name

    @property
    def not_tested(self) -> str:
        """Return the reason for having no verdict: "not tested: one value per report"."""
        if self.name == "model size":
            return "exact"
        if self.mixed:
            return "not tested: numbers of different runs"
        if self.name in ("all predictions, max", "prediction, min"):
            return "not tested: a single extreme run"
        if self.name.startswith("all predictions"):
            return "not tested: includes throttled runs"
        sampled = self.name.startswith(("prediction,", "processor time"))
        return Sentence(
            "not tested: {value}", "too few runs" if sampled else "one value per report"
        )

    def delta(self, index: int) -> int | None:
        """Value of report `index` minus that of the first."""
        first, other = self.values[0], self.values[index]
        return None if first is None or other is None else other - first

    def ratio(self, index: int) -> float | None:
        """Value of report `index` over that of the first; 2.0 is twice as much."""
        first, other = self.values[0], self.values[index]
        return None if not first or other is None else other / first


class Cell(Struct, frozen=True):
    """A layer in one report. holds: layers whose time is in it, itself included.

    ran_on: where it ran, or what it is part of. serves: place in `Comparison.layers` of the
    layer that it brings values into another format for.
    """

    index: int
    status: Status
    ran_on: str | None
    time_ns: int | None
    into: int | None
    holds: int
    computed_in: str = ""
    serves: int | None = None


class AlignedLayer(Struct, frozen=True):
    """One aligned layer in every report; None where a report has no such layer.

    how: what it was matched by: "index", "name", "output", "structure"; empty
    where only one report has it. block: place in `Comparison.blocks` of the one it is part of.
    """

    name: str
    operator: str
    cells: tuple[Cell | None, ...]
    how: str = ""
    block: int = 0

    @property
    def moved(self) -> bool:
        """Whether it ran on different devices."""
        return any(self.moved_in(index) for index in range(1, len(self.cells)))

    def moved_in(self, index: int) -> bool:
        """Return whether the layer ran on another device in report `index` than in report 0."""
        first, other = self.cells[0], self.cells[index]
        if first is None or other is None or not (first.into is None or other.into is None):
            return False
        ran = {cell.ran_on for cell in (first, other) if cell.ran_on}
        return len(ran) > 1

    def delta_ns(self, index: int) -> int | None:
        """Time in report `index` minus that in the first; None where one has no own time."""
        first, other = self.cells[0], self.cells[index]
        if first is None or other is None or first.time_ns is None or other.time_ns is None:
            return None
        return other.time_ns - first.time_ns


class Comparison(Struct, frozen=True):
    """Two or more reports side by side; the first is what the others are held against.

    names: what to call each. judgements: one for each report, the first against itself.
    by_name: layers were aligned by name, output and structure, because the models differ.
    blocks: layers that share one time in some report, which alone can be held against each
    other. lists, transitions: one for each report, the first against itself. starts: how far
    what differs between starts of a process is in the intervals. different_networks: for each
    report, a sentence if its network has nothing to do with the first, else "": no layer of it
    is then held against another. clock_ns: the coarsest step of the clocks that timed layers.
    """

    names: tuple[str, ...]
    properties: tuple[Property, ...]
    metrics: tuple[Metric, ...]
    judgements: tuple[RatioVerdict, ...]
    layers: tuple[AlignedLayer, ...]
    by_name: bool
    warnings: tuple[str, ...]
    blocks: tuple[Block, ...] = ()
    lists: tuple[Lists, ...] = ()
    transitions: tuple[Transitions, ...] = ()
    starts: str = ""
    different_networks: tuple[str, ...] = ()
    clock_ns: int = 0

    @property
    def shown_metrics(self) -> tuple[Metric, ...]:
        """The metrics for people: each title once, as both kinds of latency may be one."""
        titles = [metric.title for metric in self.metrics]
        return tuple(m for at, m in enumerate(self.metrics) if m.title not in titles[:at])


def compare(reports: Sequence[PerformanceReport], names: Sequence[str] = ()) -> Comparison:
    """Put reports side by side, held against the first; without `names` called A, B, C, ...

    Raises BadInput: fewer than two reports, or one of a measurement that failed.
    """
    if len(reports) < 2:
        raise BadInput("Could not compare", "a comparison needs at least two reports")
    chosen = tuple(names) or tuple(_letter(i) for i in range(len(reports)))
    for name, report in zip(chosen, reports, strict=True):
        if report.failed:
            why = Sentence("the measurement of {name} failed, so it has no times", Name(name))
            raise BadInput("Could not compare", why, "Measure it again.")
    first = reports[0]
    columns = [properties(report) for report in reports]
    models = [report.model.sha256 for report in reports]
    rows, different = _related(
        align([report.layers for report in reports], models), reports, chosen
    )
    wholes = tuple(compare_medians(first, other) for other in reports)
    blocks, home = layer_changes.blocks(rows, reports, wholes)
    sides = range(len(reports))
    metrics = _metrics(reports, wholes)
    starts = interleaving_text(reports) or precision_advice(
        list(map(_starts, reports)),
        any(map(disturbances, reports)),
        _unsure(wholes),
        [report.full_speed_predictions.starts for report in reports],
    )
    return Comparison(
        chosen,
        tuple(
            Property(group, name, tuple(column[i][2] for column in columns))
            for i, (group, name, _) in enumerate(columns[0])
        ),
        metrics,
        wholes,
        _aligned(rows, home, [report.layers for report in reports]),
        len(set(models)) > 1,
        (*filter(None, different), *_warnings(reports, chosen, any(different))),
        blocks,
        tuple(layer_changes.lists(rows, blocks, reports, side) for side in sides),
        tuple(layer_changes.transitions(rows, reports, side) for side in sides),
        starts + (_CHANGES if any(map(_separate_verdicts, metrics)) else ""),
        different,
        max(report.profiling.clock_ns for report in reports),
    )


def _related(
    rows: Sequence[Row], reports: Sequence[PerformanceReport], names: Sequence[str]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Take apart rows of networks that have nothing to do with the first, and say which."""
    remaining, sentences = tuple(rows), [""]
    for side in range(1, len(reports)):
        share = shared(rows, side)
        one, other = (reports[place].model.parameters for place in (0, side))
        similar = one and abs(other - one) <= SAME_PARAMETERS * one
        if share is None or share >= LEAST_SHARED or similar:
            sentences.append("")
            continue
        remaining = apart(remaining, side)
        pair = " and ".join(units.clip(names[place], 80) for place in (0, side))
        sentences.append(
            Sentence(
                "{pair} are different networks: only {value}% of their layers match. "
                "Compare their latencies, not their layers.",
                pair,
                f"{100 * share:.0f}",
            )
        )
    return remaining, tuple(sentences)


def _separate_verdicts(metric: Metric) -> bool:
    """Return whether a verdict has another ratio than the values shown next to it."""
    judged = (
        (metric.ratio(side), one.ratio)
        for side, one in enumerate(metric.judgements)
        if one is not None and one.verdict in (Verdict.FASTER, Verdict.SLOWER)
    )
    return any(own and abs(own - ratio) >= _SEEN for own, ratio in judged)


def _letter(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else f"#{index + 1}"


def properties(report: PerformanceReport) -> tuple[tuple[str, str, str], ...]:
    """Return group, name and text of all settings and facts known before the first run."""
    model, spec, machine = report.model, report.spec, report.environment
    hardware = _joined(f"{units.device(d.id)}: {d.name}" for d in report.devices)
    # What has a row of its own is no session option.
    usual = RunSpec().devices
    rest = replace(spec, threads=0, optimization="all", binding="plain", devices=usual)
    runs: str = Sentence(
        "{len} after {runs}",
        Count(len(report.prediction_ns)),
        Count(spec.warmup, "warm-up run"),
    )
    profiled: str = counted(spec.profiled_runs, "run")
    if spec.layer_precision and spec.profiled_runs:
        profiled = Sentence("until layer times are precise, at least {runs}", profiled)
    runs += Sentence(", in {starts} processes", _starts(report)) if _starts(report) > 1 else ""
    if report.full_speed_predictions.at_full not in (None, len(report.prediction_ns)):
        at_full = report.full_speed_predictions.at_full
        runs += Sentence("; {value} at full CPU speed", Count(at_full) if at_full else "none")
    return (
        ("model", "Model", units.clip(model.name, 120)),
        ("model", "SHA-256", model.sha256[:16]),
        ("model", "Size", Sentence("{size}", Size(model.size_bytes))),
        ("model", "Parameters", units.count(model.parameters)),
        ("model", "Layers", f"{model.layers:,}"),
        ("model", "Opset", model.opset or "unknown"),
        ("settings", "Devices", " + ".join(units.device(id_) for id_ in spec.devices)),
        ("settings", "Optimization", spec.optimization),
        ("settings", "Threads", str(spec.threads) if spec.threads else "default"),
        ("settings", "Session options", settings_text(rest).replace(OWN, "default")),
        ("settings", "Runs", runs),
        ("settings", "Profiled", profiled),
        ("settings", "Compute type", precision_summary(report)),
        ("settings", "Outputs", summary_text(report.outputs) or Sentence("not checked")),
        ("settings", "Loaded from", SETTINGS["load_from"].text(spec.load_from)),
        ("settings", "I/O binding", SETTINGS["binding"].text(spec.binding)),
        ("settings", "Dynamic axes", _dimensions(spec)),
        ("settings", "Inputs", _joined(f"{i.name} = {i.value}" for i in spec.inputs)),
        ("machine", "Runtime", machine.runtime_text),
        ("machine", "Packages", _joined(machine.packages)),
        ("machine", "CPU", joined(Name(machine.cpu), counted(machine.cores, "core"))),
        ("machine", "Memory", Sentence("{size}", Size(machine.memory_bytes))),
        ("machine", "Available devices", hardware),
        ("machine", "System", machine.system),
        ("machine", "Python", machine.python),
        ("machine", "Inspector", machine.inspector),
    )


def _dimensions(spec: RunSpec) -> str:
    """Return the sizes that were set for dynamic axes; others had their default size."""
    if not spec.dimensions:
        return NO_SIZES
    return _joined(f"{each.name} = {each.size}" for each in spec.dimensions)


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(units.clip(part, 80) for part in parts) or "none"


def _starts(report: PerformanceReport) -> int:
    """Return how many starts numbers are taken from."""
    return len(report.full_speed_predictions.lengths) or 1


def _unsure(wholes: Sequence[RatioVerdict]) -> float | None:
    """Return half of the widest interval among the verdicts without a difference."""
    unsure = (Verdict.SAME, Verdict.NOISY)
    halves = (one.half_width for one in wholes[1:] if one.verdict in unsure)
    return max((half for half in halves if half is not None), default=None)


def _metrics(
    reports: Sequence[PerformanceReport], wholes: Sequence[RatioVerdict]
) -> tuple[Metric, ...]:
    return (
        *_generation(reports),
        *_predictions(reports, wholes),
        _loaded("load", reports, lambda report: report.loads_ns or (report.load_ns,)),
        _loaded(
            "first prediction",
            reports,
            lambda report: report.first_predictions_ns or (report.first_prediction_ns,),
            "first run",
        ),
        Metric(
            "model memory, peak",
            "bytes",
            tuple(r.memory.model_bytes for r in reports),
            label="peak model memory",
        ),
        Metric(
            "peak memory",
            "bytes",
            tuple(r.memory.peak_bytes for r in reports),
            label="peak process memory",
        ),
        Metric("model size", "bytes", tuple(r.model.size_bytes for r in reports)),
    )


def _generation(reports: Sequence[PerformanceReport]) -> Iterator[Metric]:
    """Yield first tokens and times between tokens that all reports of language models have."""
    speeds = [each.generation for each in reports if each.generation is not None]
    if len(speeds) < len(reports):
        return
    for first in speeds[0].rows:
        key = first.prompt, first.context, first.batch
        found = [
            next(
                (row for row in speed.rows if (row.prompt, row.context, row.batch) == key), None
            )
            for speed in speeds
        ]
        rows = [row for row in found if row is not None]
        if len(rows) < len(reports):
            continue
        batch: str = Sentence(", batch {batch}", Count(first.batch)) if first.batch > 1 else ""
        if all(row.prefill_ns for row in rows):
            label = Sentence("first token, prompt {prompt}", Count(first.prompt)) + batch
            times = [row.first_token_ns for row in rows]
            name = f"first token, prompt {first.prompt}, batch {first.batch}"
            yield _compared(name, label, times, [()] * len(rows), median)
        if all(row.steps for row in rows):
            label = Sentence("time per token, context {context}", Count(first.context)) + batch
            steps, lengths = [row.steps for row in rows], [row.lengths for row in rows]
            name = f"time per token, context {first.context}, batch {first.batch}"
            yield _compared(name, label, steps, lengths, median)


def _compared(
    name: str,
    label: str,
    times: Sequence[tuple[int, ...]],
    lengths: Sequence[tuple[int, ...]],
    statistic: Statistic,
) -> Metric:
    """Return a metric of samples with a verdict on each side against the first."""
    verdicts = (
        compare_samples(times[0], own, statistic, (lengths[0], parts))
        for own, parts in zip(times, lengths, strict=True)
    )
    return Metric(name, "ns", _values(times, statistic), tuple(verdicts), label)


def _predictions(
    reports: Sequence[PerformanceReport], wholes: Sequence[RatioVerdict]
) -> Iterator[Metric]:
    sides = [at_matched_speed(reports[0], report) for report in reports]

    # Where one report has no latency at full CPU speed, its numbers are of all predictions.
    known = [not one or bool(one.at_full_cpu_speed) for one in map(latency, reports)]
    kind = AT_FULL_SPEED if any(known) else TAILS_OF
    of_all = [_letter(place) for place, full in enumerate(known) if not full and any(known)]

    def predicted(
        name: str,
        label: str,
        statistic: Statistic = median,
        least: int = MIN_SAMPLES,
        processor: bool = False,
    ) -> Metric:
        chosen = [report.full_speed_predictions for report in reports]
        samples = [each.cpu_ns if processor else each.samples_ns for each in chosen]
        verdicts = (
            compare_counted(pair, statistic, least, processor)
            if min(len(samples[0]), len(own)) >= least
            else None
            for pair, own in zip(sides, samples, strict=True)
        )
        title = f"{label} {kind}"
        if of_all:
            title = Sentence("{metric} (in {letters}: of all runs)", title, joined(*of_all))
        # A median or mean is a number of any samples, a percentile only of enough of them.
        needed = least if least > MIN_SAMPLES else 1
        shown = [own if len(own) >= needed else () for own in samples]
        values = _values(shown, statistic)
        return Metric(name, "ns", values, tuple(verdicts), title, mixed=bool(of_all))

    middles = predicted("prediction, p50", "latency, median")
    undisturbed = undisturbed_medians(reports)
    if undisturbed:
        title = f"latency, median {OF_UNDISTURBED}"
        yield structs.replace(
            middles, values=undisturbed, judgements=tuple(wholes), label=title, mixed=False
        )
    else:
        both = zip(middles.judgements, wholes, strict=True)
        yield structs.replace(middles, judgements=tuple(own and whole for own, whole in both))
    yield predicted("prediction, p90", "latency, p90", Quantile(0.9), MIN_P90_SAMPLES)
    yield predicted("prediction, p95", "latency, p95", Quantile(0.95), MIN_P95_SAMPLES)
    yield predicted("prediction, p99", "latency, p99", Quantile(0.99), MIN_P99_SAMPLES)
    yield predicted("prediction, mean", "latency, mean", mean)
    yield predicted("processor time, mean", "CPU time, mean", mean, processor=True)
    yield from _all_predictions(reports)


def _all_predictions(reports: Sequence[PerformanceReport]) -> Iterator[Metric]:
    """Yield metrics over all runs; without a verdict, since they depend on other work too."""
    every = [latency(report) for report in reports]

    def of_all(name: str, label: str, field: str, least: int = 1) -> Metric:
        kinds = (None if one is None else one.all_predictions for one in every)
        values = (
            None if kind is None or kind.n < least else round(getattr(kind, field))
            for kind in kinds
        )
        title = f"latency, {label} {TAILS_OF}"
        return Metric(name, "ns", tuple(values), label=title)

    yield of_all("all predictions, p50", "median", "p50_ns")
    yield of_all("all predictions, p95", "p95", "p95_ns", MIN_P95_SAMPLES)
    yield of_all("all predictions, p99", "p99", "p99_ns", MIN_P99_SAMPLES)
    yield of_all("all predictions, max", "max", "max_ns")
    yield of_all("prediction, min", "min", "min_ns")


def _loaded(
    name: str, reports: Sequence[PerformanceReport], samples: Samples, label: str = ""
) -> Metric:
    every = [samples(report) for report in reports]
    verdicts = (
        compare_samples(every[0], own) if min(len(every[0]), len(own)) >= MIN_SAMPLES else None
        for own in every
    )
    return Metric(name, "ns", _values(every, median), tuple(verdicts), label)


def _values(every: Sequence[tuple[int, ...]], statistic: Statistic) -> tuple[int | None, ...]:
    return tuple(int(statistic(np.array(own, np.float64))) if own else None for own in every)


def _aligned(
    rows: Sequence[Row], home: Sequence[int], sides: Sequence[tuple[LayerUse, ...]]
) -> tuple[AlignedLayer, ...]:
    cells = [_cells(rows, side, layers) for side, layers in enumerate(sides)]
    return tuple(
        AlignedLayer(
            row.first_layer.name or f"{row.first_layer.operator} {row.first_layer.index}",
            row.first_layer.operator,
            tuple(side[number] for side in cells),
            row.how if len([layer for layer in row.layers if layer]) > 1 else "",
            home[number],
        )
        for number, row in enumerate(rows)
    )


def _cells(rows: Sequence[Row], side: int, layers: tuple[LayerUse, ...]) -> list[Cell | None]:
    holds = Counter(layer.into for layer in layers)
    leads, targets = leaders(layers), serves(layers)
    members = [row.layers[side] for row in rows]
    places = {layer.index: number for number, layer in enumerate(members) if layer}
    return [
        None
        if layer is None
        else Cell(
            layer.index,
            layer.status,
            leads[layer.index].ran_on,
            layer.time_ns,
            layer.into,
            1 + holds[layer.index],
            leads[layer.index].computed_in,
            places.get(targets.get(layer.index, -1)),
        )
        for layer in members
    ]


def _warnings(
    reports: Sequence[PerformanceReport], names: Sequence[str], different: bool
) -> Iterable[str]:
    machines = {(r.environment.cpu, r.environment.cores, r.environment.system) for r in reports}
    runtimes = {(r.environment.runtime_text, r.environment.packages) for r in reports}
    if len(machines) > 1:
        yield "The reports are from different machines, which also affects the times."
    if len(runtimes) > 1 and len({r.environment.runtime_name for r in reports}) == 1:
        yield "The reports used different versions of the runtime or its packages."
    if len({report.model.sha256 for report in reports}) > 1 and not different:
        yield "The models differ; layers are aligned by name, output and structure."
    if len({(report.spec.inputs, report.spec.dimensions) for report in reports}) > 1:
        yield "Inputs or sizes of dynamic axes differ."
    ran_in = [main_precision(report) for report in reports]
    if len({*ran_in} - {""}) > 1:
        precisions = ", ".join(
            f"{units.clip(name, 80)} in {kind or 'an unknown type'}"
            for name, kind in zip(names, ran_in, strict=True)
        )
        yield (
            Sentence(
                "The models ran at different precisions ({precisions}); the faster one may be "
                "less accurate.",
                precisions,
            )
        )
    if len({report.spec.binding for report in reports}) > 1:
        yield "The reports used different I/O bindings."
    noisy: dict[tuple[Sentence, ...], list[str]] = {}
    for report, name in zip(reports, names, strict=True):
        noisy.setdefault(disturbances(report), []).append(units.clip(name, 80))
    for reasons, some in noisy.items():
        if reasons:
            are = "is" if len(some) == 1 else "are"
            yield Sentence(
                "{join} {are} noisy: {join2}",
                joined(*some),
                are,
                joined(*reasons, separator=" "),
            )
    for report, name in zip(reports, names, strict=True):
        if any(output.over for output in report.outputs):
            yield Sentence(
                "{name} has wrong outputs: {summary_text}.",
                units.clip(name, 80),
                summary_text(report.outputs),
            )
        if not report.complete:
            yield Sentence(
                "{name} is incomplete: the measurement ended early.", units.clip(name, 80)
            )
