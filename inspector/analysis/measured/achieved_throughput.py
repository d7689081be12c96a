"""What a measurement says beside an estimate: how much arithmetic a layer did in its time."""

from collections.abc import Mapping

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.symbolic_sizes import evaluated
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.report import (
    PerformanceReport,
)


def operations_per_second(
    model: Model, estimated: Estimate, report: PerformanceReport, index: int
) -> float | None:
    """Operations a second of a layer with those that were fused into it.

    None where it has no time of its own, or where shapes are not those of the measurement.
    """
    group = [use for use in report.layers if use.index == index or use.into == index]
    leader = next((use for use in group if use.index == index), None)
    if leader is None or not leader.time_ns or len(model.layers) != len(estimated.cost.layers):
        return None
    lengths = measured_lengths(model, estimated, report)
    done = 0
    for use in group:
        if not 0 <= use.index < len(model.layers):
            return None
        if not estimated.formula and not _as_measured(
            model.layers[use.index], use.output, estimated
        ):
            return None
        amount = estimated.cost.layers[use.index].operations
        plain = None if amount is None else evaluated(amount, lengths)
        if not isinstance(plain, int):
            return None
        done += plain
    return done * 1e9 / leader.time_ns if done else None


def measured_lengths(
    model: Model, estimated: Estimate, report: PerformanceReport
) -> Mapping[str, int]:
    """Lengths of free axes in a measurement: as it was told, and as its outputs show."""
    lengths = {dimension.name: dimension.size for dimension in report.spec.dimensions}
    types = estimated.types
    for use in report.layers:
        if not use.output or not 0 <= use.index < len(model.layers):
            continue
        value = _first(model.layers[use.index], types)
        axes = _axes(use.output)
        if value is None or value.shape is None or len(axes) != len(value.shape):
            continue
        for name, length in zip(value.shape, axes, strict=True):
            if isinstance(name, str) and length is not None:
                lengths.setdefault(name, length)
    return lengths


def _as_measured(layer: Layer, output: str, estimated: Estimate) -> bool:
    value = _first(layer, estimated.types)
    return not output or (value is not None and value.shape == _axes(output))


def _first(layer: Layer, types: Mapping[str, TensorInfo]) -> TensorInfo | None:
    return types.get(layer.outputs[0]) if layer.outputs else None


def _axes(output: str) -> tuple[int | None, ...]:
    """Read 'float32 1×64×56×56' as it stands in a report."""
    shape = output.partition(" ")[2]
    if not shape or shape == "scalar":
        return ()
    return tuple(int(axis) if axis.isdecimal() else None for axis in shape.split("×"))
