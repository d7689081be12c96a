"""The roofline of a report: device ceilings, cached on this machine, and work."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import psutil

from inspector.analysis.cost.estimate import estimate
from inspector.analysis.facts.shapes import Shapes, allowed_seconds
from inspector.analysis.facts.symbolic_sizes import evaluated
from inspector.analysis.measured.roofline_points import arithmetic
from inspector.backends.onnxruntime.sessions import providers
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.engine.client.engine import Engine
from inspector.engine.requests import MeasureCeiling
from inspector.errors import Cancelled, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.platform import files
from inspector.platform.late_modules import platformdirs
from inspector.report.report import PerformanceReport
from inspector.report.roofline import DTYPES, FLOAT32, Ceiling, LayerWork, Roofline
from inspector.report.run_spec import Dimension
from inspector.wording.values import Sentence

LIMIT_BYTES = 1 << 20
CANCELLED_NOTE = "The roofline measurement was canceled. The rest of the report is complete."


def default_file() -> Path:
    """Return the file that ceilings are saved in."""
    return platformdirs.user_cache_path("inspector", appauthor=False) / "ceilings.json"


def ceiling(
    engine: Engine,
    device: str,
    threads: int,
    dtype: str = FLOAT32,
    again: bool = False,
    file: Path | None = None,
    saved_suffices: bool = False,
) -> Ceiling:
    """Return the peak rates of a device of this machine: saved ones, or measured now.

    again: measure anew. file: where ceilings are kept; None for that of this user.
    saved_suffices: do not measure anew what was measured while the CPU was busy.
    Raises InspectorError: it cannot be measured.
    """
    file = file or default_file()
    saved, memory = _load(file), 0.0
    if dtype != FLOAT32:  # memory is the same for all types, and told by the first
        first = saved.get(_key(device, threads, FLOAT32))
        first = first or ceiling(engine, device, threads, file=file)
        # What was reached beside load is no peak: it would be saved as that of an idle CPU.
        memory = 0.0 if first.busy else first.bytes_per_second
    key = _key(device, threads, dtype)
    before = saved.get(key)
    if before is not None and not again and (saved_suffices or not before.busy):
        return before
    measured = engine.call(MeasureCeiling(device, threads, dtype, memory))
    if before is not None and before.busy and measured.busy:  # both are what it reached
        operations = max(before.operations_per_second, measured.operations_per_second)
        moved = max(before.bytes_per_second, measured.bytes_per_second)
        kept = (operations, moved) == (before.operations_per_second, before.bytes_per_second)
        measured = replace(
            measured, operations_per_second=operations, bytes_per_second=moved, kept=kept
        )
    _save(file, {**_load(file), key: measured})
    return measured


def saved(device: str, threads: int, dtype: str, file: Path | None = None) -> Ceiling | None:
    """Return the peak rates of a device of this machine as measured before; None without."""
    return _load(file or default_file()).get(_key(device, threads, dtype))


def with_roofline(
    engine: Engine,
    model: Path,
    report: PerformanceReport,
    shapes: Mapping[str, tuple[int, ...]],
    file: Path | None = None,
) -> PerformanceReport:
    """Add ceilings and work to a report. A failure costs the roofline, not the report.

    Nor does stopping it: by then all that was measured is whole. shapes: of what it was fed
    with.
    """
    try:
        return add_roofline(engine, model, report, shapes, file)
    except (Cancelled, KeyboardInterrupt):
        return replace(report, notes=(*report.notes, CANCELLED_NOTE))
    except InspectorError as error:
        note = Sentence("The roofline was not measured: {what}: {why}.", error.what, error.why)
        return replace(report, notes=(*report.notes, note))


def with_peak(engine: Engine, report: PerformanceReport) -> PerformanceReport:
    """Add the peak rates of the first device, in float32, to a report of a language model.

    What limits its phases follows from the memory alone, which is that of the machine for all
    runtimes on its CPU. A failure costs the peak.
    """
    if not report.devices:
        return report
    device = "cpu" if report.spec.only_cpu else report.devices[0].id
    try:
        peak = ceiling(engine, device, report.spec.threads)
    except (Cancelled, KeyboardInterrupt):
        return replace(report, notes=(*report.notes, CANCELLED_NOTE))
    except InspectorError as error:
        note = Sentence("The peak was not measured: {what}: {why}.", error.what, error.why)
        return replace(report, notes=(*report.notes, note))
    return replace(report, roofline=Roofline((peak,)))


def add_roofline(
    engine: Engine,
    model: Path,
    report: PerformanceReport,
    shapes: Mapping[str, tuple[int, ...]],
    file: Path | None = None,
    saved_suffices: bool = False,
) -> PerformanceReport:
    """Return a report with ceilings and work; the rest stays as it was measured.

    Arguments as of `with_roofline` and `ceiling`. Raises InspectorError: the ceilings cannot
    be measured.
    """
    notes: list[str] = []
    ceilings = tuple(_ceilings(engine, report, file, notes, saved_suffices))
    work = _work(engine, model, report, shapes)
    whole = (*report.notes, *notes)
    return replace(report, roofline=Roofline(ceilings, work), notes=whole)


def _ceilings(
    engine: Engine,
    report: PerformanceReport,
    file: Path | None,
    notes: list[str],
    saved_suffices: bool,
) -> Iterator[Ceiling]:
    """Yield the float32 of each device that had a layer, and the other types that its layers
    compute in.

    A type that the runtime does not multiply in there is noted.
    """
    used = {(layer.ran_on, arithmetic(layer)) for layer in report.layers if layer.time_ns}
    for device in report.devices:
        for dtype in DTYPES:
            if dtype == FLOAT32 and not any(device.id == ran_on for ran_on, _ in used):
                break
            if dtype != FLOAT32 and (device.id, dtype) not in used:
                continue
            try:
                yield ceiling(
                    engine, device.id, report.spec.threads, dtype, False, file, saved_suffices
                )
            except EngineFailed as error:
                if dtype == FLOAT32:
                    raise
                notes.append(f"A peak was not measured: {error.what}: {error.why}.")


def _work(
    engine: Engine, path: Path, report: PerformanceReport, shapes: Mapping[str, tuple[int, ...]]
) -> tuple[LayerWork, ...]:
    """Operations and bytes of each layer that are known with inputs of these shapes."""
    model = opening.open_model(path)
    lengths = {dimension.name: dimension.size for dimension in report.spec.dimensions}
    for value in model.inputs:
        axes = zip(value.shape or (), shapes.get(value.name, ()), strict=False)
        for place, (axis, length) in enumerate(axes):
            if not isinstance(axis, int):
                lengths[axis or f"{value.name}[{place}]"] = length

    def infer(sizes: Mapping[str, int]) -> Shapes:
        dimensions = tuple(Dimension(*each) for each in sizes.items())
        inferred = engine.shapes(path, dimensions, allowed_seconds(model))
        ran = {
            layer.value: tuple(map(int, axes))
            for layer in report.layers
            if layer.parent is None
            and all(map(str.isdecimal, axes := layer.output.partition(" ")[2].split("×")))
        }
        values = tuple(
            replace(one, shape=ran[one.name])
            if one.name in ran
            and not all(isinstance(axis, int) for axis in one.shape or (None,))
            else one
            for one in inferred.values
        )
        graph = msgspec.structs.replace(inferred.bodies[0], values=values)
        return msgspec.structs.replace(inferred, bodies=(graph, *inferred.bodies[1:]))

    estimated = estimate(model, infer, lengths)
    work = []
    for layer, cost in zip(model.layers, estimated.cost.layers, strict=True):
        amounts = (cost.operations, cost.moved_bytes, cost.output_bytes)
        values = [None if a is None else evaluated(a, estimated.lengths) for a in amounts]
        counts = [amount for amount in values if isinstance(amount, int)]
        if len(counts) == len(values):
            work.append(LayerWork(layer.index, *counts))
    return tuple(work)


def _key(device: str, threads: int, dtype: str) -> str:
    """Return what changes a ceiling: machine, runtime with its plugins, device, threads,
    type."""
    plugins = (plugin.source for plugin in providers.installed_plugins())
    cores = psutil.cpu_count() or 1
    return json.dumps(
        [*machine_id(), cores, providers.runtime_source(), *plugins, device, threads, dtype]
    )


def _load(file: Path) -> dict[str, Ceiling]:
    """Return the contents of the file; empty if it cannot be read: it will be rewritten."""
    try:
        return msgspec.json.decode(
            files.read_capped(file, LIMIT_BYTES), type=dict[str, Ceiling]
        )
    except (InspectorError, ValueError):
        return {}


def _save(file: Path, ceilings: Mapping[str, Ceiling]) -> None:
    """A home that cannot be written to is no reason not to measure: it costs time next time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomic(file, msgspec.json.encode(ceilings))
    except (InspectorError, OSError):
        return
