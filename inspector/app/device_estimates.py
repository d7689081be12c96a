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
from inspector.analysis.cost.memory_fit import memory_fit
from inspector.analysis.devices.device_estimates import DeviceEstimate, ModelEstimates
from inspector.analysis.devices.known_devices import KnownDevice, chosen
from inspector.app.estimates import cost_at
from inspector.app.language.memory import needs_of_file
from inspector.engine.client.ceilings import ceiling
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.formats.folders.reading import folder_around
from inspector.model.model import Model
from inspector.report.roofline import FLOAT32, INT8

USUAL_CONTEXT = 1_024  # tokens
HERE = ("cpu-1", "cpu-2", "openvino-2")
# A processor counts as the one that efficiencies were learned on up to this ratio of peaks.
_SAME_PEAK = 1.25


def estimate_on(
    engine: Engine,
    path: Path,
    model: Model,
    targets: Sequence[str],
    lengths: Mapping[str, int],
    context: int = 0,
) -> ModelEstimates:
    """Estimate latency and memory of a model on devices. Nothing of the model is run.

    targets: ids or files of devices; by default those that can be measured here. lengths: of
    free axes; the others get usual ones. context: tokens in the cache of a language model; 0
    for as many as it knows, at most `USUAL_CONTEXT`. Raises InspectorError: there is no such
    device, the model has no layers, ceilings cannot be measured.
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
    needs = needs_of_file(model, folder_around(path))
    tokens = context or min(
        (needs.context_limit if needs else 0) or USUAL_CONTEXT, USUAL_CONTEXT
    )
    tokens_bytes = 0 if needs is None else needs.estimate(tokens).total_bytes
    found = []
    for device in devices:
        if isinstance(device, KnownDevice):
            rates, same = device.rates, False
            told = None
            if rates is not None and all(rates.peak(load.precision) for load in asked):
                told = latency(asked, rates, None)
            limits = device.ram_bytes, device.flash_bytes
            fit = memory_fit(model, cost, *limits, tokens_bytes) if device.ram_bytes else None
            found.append(DeviceEstimate(device, rates, told, False, fit))
            continue
        rates, same = _here(engine, asked, device)
        told = latency(asked, rates, device)
        if not same:  # the interval holds for the processor that it was learned on
            told = Latency(None, told.low_ns, told.high_ns, told.layers)
        found.append(DeviceEstimate(device, rates, told, same))
    return ModelEstimates(model, cost, asked, tuple(found))


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
