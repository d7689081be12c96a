"""Reports side by side: what was set alike, what differs, and whether it matters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector import units
from inspector.agreement import words
from inspector.analysis.disturbance import disturbances
from inspector.analysis.ran_precision import main_precision, precision_words
from inspector.analysis.tunings import settings_words
from inspector.errors import BadInput
from inspector.judge import Judgement, judge
from inspector.report import LayerUse, PerformanceReport, Status


@dataclass(frozen=True, slots=True)
class Property:
    """One thing that was set or found, as text for each report.

    group: "model", "settings" or "machine".
    """

    group: str
    name: str
    values: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether all reports agree."""
        return len(set(self.values)) == 1


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of each report; unit "ns" or "bytes"; None where it was not measured."""

    name: str
    unit: str
    values: tuple[int | None, ...]

    def delta(self, index: int) -> int | None:
        """Value of report `index` minus that of the first."""
        first, other = self.values[0], self.values[index]
        return None if first is None or other is None else other - first

    def ratio(self, index: int) -> float | None:
        """Value of report `index` over that of the first; 2.0 is twice as much."""
        first, other = self.values[0], self.values[index]
        return None if not first or other is None else other / first


@dataclass(frozen=True, slots=True)
class Cell:
    """A layer in one report. holds: layers whose time is in it, itself included."""

    index: int
    status: Status
    ran_on: str | None
    time_ns: int | None
    into: int | None
    holds: int


@dataclass(frozen=True, slots=True)
class AlignedLayer:
    """The same layer in every report; None where a report has no such layer."""

    name: str
    operator: str
    cells: tuple[Cell | None, ...]

    @property
    def moved(self) -> bool:
        """Whether it ran on different devices."""
        return len({c.ran_on for c in self.cells if c is not None and c.ran_on}) > 1

    def delta_ns(self, index: int) -> int | None:
        """Time in report `index` minus that in the first; None where one has no own time."""
        first, other = self.cells[0], self.cells[index]
        if first is None or other is None or first.time_ns is None or other.time_ns is None:
            return None
        return other.time_ns - first.time_ns


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more reports side by side; the first is what the others are held against.

    names: what to call each. judgements: one for each report, the first against itself.
    by_name: layers were aligned by their names, because the models differ.
    """

    names: tuple[str, ...]
    properties: tuple[Property, ...]
    metrics: tuple[Metric, ...]
    judgements: tuple[Judgement, ...]
    layers: tuple[AlignedLayer, ...]
    by_name: bool
    warnings: tuple[str, ...]


def compare(reports: Sequence[PerformanceReport], names: Sequence[str] = ()) -> Comparison:
    """Put reports side by side; without `names` they are called A, B, C, ...

    Raises BadInput: fewer than two reports.
    """
    if len(reports) < 2:
        raise BadInput("Could not compare", "a comparison needs two reports or more")
    chosen = tuple(names) or tuple(_letter(i) for i in range(len(reports)))
    first = reports[0]
    columns = [properties(report) for report in reports]
    by_name = len({report.model.sha256 for report in reports}) > 1
    return Comparison(
        chosen,
        tuple(
            Property(group, name, tuple(column[i][2] for column in columns))
            for i, (group, name, _) in enumerate(columns[0])
        ),
        _metrics(reports),
        tuple(judge(first.prediction_ns, other.prediction_ns) for other in reports),
        _aligned([report.layers for report in reports], by_name),
        by_name,
        tuple(_warnings(reports, chosen)),
    )


def _letter(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else f"#{index + 1}"


def properties(report: PerformanceReport) -> tuple[tuple[str, str, str], ...]:
    """Group, name and text of all that was set or found before the first prediction."""
    model, spec, machine = report.model, report.spec, report.environment
    hardware = _joined(f"{units.device(d.id)}: {d.name}" for d in report.devices)
    rest = replace(spec, threads=0, optimization="all", binding="plain")
    runs = f"{len(report.prediction_ns)} after {spec.warmup} to warm up"
    return (
        ("model", "Model", units.clip(model.name, 120)),
        ("model", "SHA-256", model.sha256[:16]),
        ("model", "Size", units.size(model.size_bytes)),
        ("model", "Parameters", units.count(model.parameters)),
        ("model", "Layers", f"{model.layers:,}"),
        ("model", "Opset", model.opset or "not told"),
        ("settings", "Devices", " + ".join(units.device(id_) for id_ in spec.devices)),
        ("settings", "Optimisation", spec.optimization),
        ("settings", "Threads", str(spec.threads) if spec.threads else "chosen by the runtime"),
        ("settings", "Session", settings_words(rest)),
        ("settings", "Predictions", runs),
        ("settings", "Profiled", units.plural(spec.profiled_runs, "prediction")),
        ("settings", "Ran in", precision_words(report)),
        ("settings", "Answer", words(report.outputs) or "not checked"),
        ("settings", "Loaded from", spec.load_from),
        ("settings", "Binding", spec.binding),
        ("settings", "Free axes", _joined(f"{d.name} = {d.size}" for d in spec.dimensions)),
        ("settings", "Inputs", _joined(f"{i.name} = {i.value}" for i in spec.inputs)),
        ("machine", "ONNX Runtime", machine.onnxruntime),
        ("machine", "Plugins", _joined(machine.packages)),
        ("machine", "Processor", f"{machine.cpu}, {units.plural(machine.cores, 'core')}"),
        ("machine", "Memory", units.size(machine.memory_bytes)),
        ("machine", "Devices found", hardware),
        ("machine", "System", machine.system),
        ("machine", "Python", machine.python),
        ("machine", "Inspector", machine.inspector),
    )


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(units.clip(part, 80) for part in parts) or "none"


def _metrics(reports: Sequence[PerformanceReport]) -> tuple[Metric, ...]:
    samples = [report.prediction_ns for report in reports]
    quantiles = [("prediction, p50", 0.5), ("prediction, p95", 0.95), ("prediction, min", 0.0)]
    return (
        *(
            Metric(
                name,
                "ns",
                tuple(r.quantile_ns(q) if r.prediction_ns else None for r in reports),
            )
            for name, q in quantiles
        ),
        Metric(
            "prediction, mean", "ns", tuple(int(np.mean(s)) if s else None for s in samples)
        ),
        Metric("load", "ns", tuple(r.load_ns for r in reports)),
        Metric("first prediction", "ns", tuple(r.first_prediction_ns for r in reports)),
        Metric("peak memory", "bytes", tuple(r.memory.peak_bytes for r in reports)),
    )


def _aligned(sides: Sequence[tuple[LayerUse, ...]], by_name: bool) -> tuple[AlignedLayer, ...]:
    keyed = [_keys(layers, by_name) for layers in sides]
    holds = [Counter(layer.into for layer in layers) for layers in sides]
    order = dict.fromkeys(key for side in keyed for key in side)
    found = []
    for key in order:
        layers = [side.get(key) for side in keyed]
        known = next(layer for layer in layers if layer is not None)
        cells = tuple(
            None if layer is None else _cell(layer, 1 + held[layer.index])
            for layer, held in zip(layers, holds, strict=True)
        )
        found.append(
            AlignedLayer(known.name or f"{known.operator} {known.index}", known.operator, cells)
        )
    return tuple(found)


def _keys(layers: Iterable[LayerUse], by_name: bool) -> dict[tuple[str | int, ...], LayerUse]:
    """Index; or name and which of that name. A nameless layer has only its operator."""
    if not by_name:
        return {(layer.index,): layer for layer in layers}
    seen: Counter[tuple[str, str]] = Counter()
    keyed: dict[tuple[str | int, ...], LayerUse] = {}
    for layer in layers:
        called = (layer.name, "" if layer.name else layer.operator)
        keyed[(*called, seen[called])] = layer
        seen[called] += 1
    return keyed


def _cell(layer: LayerUse, holds: int) -> Cell:
    return Cell(layer.index, layer.status, layer.ran_on, layer.time_ns, layer.into, holds)


def _warnings(reports: Sequence[PerformanceReport], names: Sequence[str]) -> Iterable[str]:
    machines = {(r.environment.cpu, r.environment.cores, r.environment.system) for r in reports}
    runtimes = {(r.environment.onnxruntime, r.environment.packages) for r in reports}
    if len(machines) > 1:
        yield "The reports come from different machines; times tell about both."
    if len(runtimes) > 1:
        yield "The runtime or its plugins differ in version."
    if len({report.model.sha256 for report in reports}) > 1:
        yield "The models differ; layers are aligned by name."
    if len({(report.spec.inputs, report.spec.dimensions) for report in reports}) > 1:
        yield "The inputs or their free axes differ."
    ran_in = [main_precision(report) for report in reports]
    if len({*ran_in} - {""}) > 1:
        told = ", ".join(
            f"{units.clip(name, 80)} in {kind or 'an unknown type'}"
            for name, kind in zip(names, ran_in, strict=True)
        )
        yield f"The reports computed in different precision ({told}): fast may be less exact."
    if len({report.spec.binding for report in reports}) > 1:
        yield "Inputs and outputs were bound in different ways."
    for report, name in zip(reports, names, strict=True):
        found = disturbances(report)
        if found:
            yield f"{units.clip(name, 80)} was disturbed: {' '.join(found)}"
        if any(output.over for output in report.outputs):
            yield f"{units.clip(name, 80)} gives a wrong answer: {words(report.outputs)}."
        if not report.complete:
            yield f"{units.clip(name, 80)} ended early."
