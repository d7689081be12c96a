"""Layers and marks from a profile that onnxruntime_perf_test wrote on another machine."""

from dataclasses import replace
from pathlib import Path

from onnx import ModelProto

from inspector.backends.onnxruntime.graphs.layer_names import rename, tokens
from inspector.backends.onnxruntime.measuring.profiled_pass import ProfiledPass, Step
from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.profiling.evaluation import evaluate
from inspector.backends.onnxruntime.profiling.profile import Profile
from inspector.backends.onnxruntime.sessions import providers
from inspector.formats import opening
from inspector.report.report import Device, PerformanceReport, separate_submissions
from inspector.trace.trace import Kind

_SKIPPED = 2  # runs: the program's first one, and one more that fills the caches
_TAKEN = (
    "The profile does not list the layers inside of the partition that {} compiled; layers "
    "that it does not mention are taken to be in it."
)


def device(name: str) -> Device:
    """Return a device of the runtime elsewhere by its id, such as "nnapi"."""
    for provider, known in providers.BUILTINS.items():
        if known.id == name:
            return Device(name, known.name, known.kind, provider, known.vendor)
    return Device(name, name, "unknown", name)


def with_layers(
    report: PerformanceReport, model: Path, written: Path, optimized: Path | None
) -> PerformanceReport:
    """Add layers, marks and trace from a profile of the renamed model.

    written: the profile. optimized: the graph that ran; None where the runtime could not write
    it. Raises EngineFailed, UnreadableFile.
    """
    proto, naming = rename(opening.skeleton(model))
    profiled = profile.read(written)
    graph = None if optimized is None else opening.skeleton(optimized)
    assigned = _compiled(profiled, proto) if graph is None else ()
    runs = len(profiled.runs) - min(_SKIPPED, max(0, len(profiled.runs) - 1))
    counted = profiled.runs[len(profiled.runs) - runs :]
    first = len(profiled.runs) - runs
    steps = [
        Step(
            f"run {number - first + 1}" if number >= first else "warm-up",
            call.start_ns,
            call.duration_ns,
            Kind.CALL,
            number - first if number >= first else None,
        )
        for number, call in enumerate(profiled.runs)
    ]
    wall = tuple(call.duration_ns for call in counted)
    # Nobody knows the processor time of a run there: all of them count.
    done = ProfiledPass(
        profiled, 0, tuple(steps), runs, graph, True, assigned, (), wall_ns=wall, cpu_ns=wall
    )
    quartile = report.quantile_ns(0.25)
    described = opening.open_model(model)
    evaluated = evaluate(described, proto, naming, done, report.devices, {}, clean_ns=quartile)
    notes = [*report.notes, *evaluated.notes]
    notes += [_TAKEN.format(device_of(part[0], report.devices)) for part in assigned]
    return separate_submissions(
        replace(
            report,
            devices=evaluated.devices,
            layers=evaluated.layers,
            inserted=evaluated.inserted,
            kernel_ns=evaluated.kernel_ns,
            trace=evaluated.trace,
            profiling=evaluated.profiling,
            layer_timing=evaluated.layer_timing,
            notes=tuple(notes),
        )
    )


def device_of(provider: str, devices: tuple[Device, ...]) -> str:
    """Return the name of the device of a provider."""
    return next((one.name for one in devices if one.provider == provider), provider)


def _compiled(profiled: Profile, proto: ModelProto) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the one part that a device compiled, with the layers that no kernel names."""
    parts = {
        (kernel.provider, kernel.name)
        for kernel in profiled.kernels
        if kernel.provider != providers.CPU and not tokens(kernel.name)
    }
    if len(parts) != 1:
        return ()
    ((provider, _),) = parts
    named = {token for kernel in profiled.kernels for token in tokens(kernel.name)}
    rest = tuple(node.name for node in proto.graph.node if node.name not in named)
    return ((provider, rest),)
