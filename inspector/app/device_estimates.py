"""The latency of a model on devices, estimated before anybody runs it there."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.analysis.cost.latency import (
    Efficiency,
    Latency,
    LayerLoad,
    Rates,
    latency,
    loads,
)
from inspector.analysis.devices.device_estimates import DeviceEstimate, ModelEstimates
from inspector.analysis.devices.known_devices import KnownDevice, chosen
from inspector.app.estimates import cost_at
from inspector.engine.client.ceilings import ceiling
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.model.model import Model
from inspector.report.roofline import FLOAT32, INT8

HERE = ("cpu-1", "cpu-2", "openvino-2")
# A processor counts as the one that efficiencies were learned on up to this ratio of peaks.
_SAME_PEAK = 1.25


def estimate_on(
    engine: Engine,
    path: Path,
    model: Model,
    targets: Sequence[str],
    lengths: Mapping[str, int],
) -> ModelEstimates:
    """Estimate the latency of a model on devices. Nothing of the model is run.

    targets: ids or files of devices; by default those that can be measured here. lengths: of
    free axes; the others get usual ones. Raises InspectorError: there is no such device, the
    model has no layers, ceilings cannot be measured.
    """
    devices = chosen(targets or HERE)
    cost = cost_at(engine, path, model, lengths)
    if not cost.of_graph:
        raise BadInput(
            f"Could not estimate the latency of {model.name}",
            "the file holds weights without layers",
            "Name the model that has the graph.",
        )
    asked = loads(model, cost)
    return ModelEstimates(
        model, cost, asked, tuple(_estimate(engine, asked, device) for device in devices)
    )


def _estimate(
    engine: Engine, asked: Sequence[LayerLoad], device: Efficiency | KnownDevice
) -> DeviceEstimate:
    if isinstance(device, KnownDevice):
        return DeviceEstimate(device, device.rates, latency(asked, device.rates, None), False)
    rates, same = _here(engine, asked, device)
    found = latency(asked, rates, device)
    if not same:  # the interval holds for the processor that it was learned on
        found = Latency(None, found.low_ns, found.high_ns, found.layers)
    return DeviceEstimate(device, rates, found, same)


def _here(engine: Engine, asked: Sequence[LayerLoad], device: Efficiency) -> tuple[Rates, bool]:
    """Return the ceilings of this machine, and whether efficiencies were learned on its
    processor.

    Peaks that were measured while other programs used the CPU are only a lower bound.
    """
    first = ceiling(engine, device.device, device.threads, FLOAT32)
    peaks = {FLOAT32: first.operations_per_second}
    ratio = peaks[FLOAT32] / device.rates.operations_per_second[FLOAT32]
    slow_enough = ratio <= _SAME_PEAK
    fast_enough = first.busy or ratio >= 1 / _SAME_PEAK
    if machine_id()[-1] == device.processor and slow_enough and fast_enough:
        return device.rates, True
    if any(load.precision == INT8 for load in asked):
        peaks[INT8] = ceiling(engine, device.device, device.threads, INT8).operations_per_second
    return Rates(peaks, first.bytes_per_second), False
