"""The latency of a model on devices, estimated before anybody runs it there."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from inspector.analysis.cost.estimate import Estimate
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
from inspector.engine.client.ceilings import ceiling, saved
from inspector.engine.client.cpu_speed_history import machine_id
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.formats.folders.reading import folder_around
from inspector.model.model import Model
from inspector.report.roofline import FLOAT32, INT8, Ceiling

USUAL_CONTEXT = 1_024  # tokens
HERE = ("cpu-1", "cpu-2", "openvino-2")
# What the page of a model shows: those that were measured, and one of each kind.
SHOWN = (
    *HERE, "apple-a18-pro-ane", "snapdragon-8-gen-3-npu", "apple-m4-ane", "nvidia-t4",
    "raspberry-pi-5", "esp32-s3", "nano-33-ble", "browser",
)  # fmt: skip
# A processor counts as the one that efficiencies were learned on up to this ratio of peaks.
_SAME_PEAK = 1.25
_TREES = "TreeEnsemble"  # what their comparisons cost depends on the input
Here = Callable[[Sequence[LayerLoad], Efficiency], tuple[Rates, bool] | None]


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
        what = f"Could not estimate the latency of {model.name}"
        why = "the file holds weights without layers"
        raise BadInput(what, why, "Name the model that has the graph.")
    return estimated(path, model, cost, devices, partial(measured_here, engine), context)


def estimated(
    path: Path,
    model: Model,
    cost: Estimate,
    devices: Sequence[Efficiency | KnownDevice],
    here: Here,
    context: int = 0,
) -> ModelEstimates:
    """Return the estimates of a model whose cost is known.

    here: returns the ceilings of this machine, and whether efficiencies hold for it; None to
    leave the device out. Raises InspectorError.
    """
    asked = loads(model, cost)
    trees = any(layer.operator.startswith(_TREES) for layer in model.layers)
    uncounted = bool(cost.cost.unknown) or trees
    needs = needs_of_file(model, folder_around(path))
    limit = needs.context_limit if needs is not None else 0
    tokens = context or min(limit or USUAL_CONTEXT, USUAL_CONTEXT)
    tokens_bytes = 0
    if needs is not None:  # the program of the runtime is in no row, of other models either
        whole = needs.estimate(tokens)
        tokens_bytes = whole.total_bytes - whole.process_bytes
    found = []
    for device in devices:
        if isinstance(device, KnownDevice):
            rates, told = device.rates, None
            computes = rates is not None and all(rates.peak(load.precision) for load in asked)
            if rates is not None and computes and not uncounted:
                told = latency(asked, rates, None)
            limits = device.ram_bytes, device.flash_bytes
            fit = memory_fit(model, cost, *limits, tokens_bytes) if device.ram_bytes else None
            found.append(DeviceEstimate(device, rates, told, False, fit))
        elif (ceilings := here(asked, device)) is not None:
            rates, same = ceilings
            told = latency(loads(model, cost, wide=True), rates, device)
            if not same:  # the interval holds for the processor that it was learned on
                told = Latency(None, told.low_ns, told.high_ns, told.layers)
            found.append(DeviceEstimate(device, rates, told, same))
    cached = tokens if tokens_bytes else 0
    return ModelEstimates(model, cost, asked, tuple(found), cached)


def saved_here(asked: Sequence[LayerLoad], device: Efficiency) -> tuple[Rates, bool] | None:
    """Return what `estimated` takes as `here`, from ceilings that were measured before."""
    types = {FLOAT32, *(load.precision for load in asked)}
    known = {dtype: saved(device.device, device.threads, dtype) for dtype in types}
    first = known[FLOAT32]
    if first is None or None in known.values():
        return None
    return _held(device, first, {k: v.operations_per_second for k, v in known.items() if v})


def measured_here(
    engine: Engine, asked: Sequence[LayerLoad], device: Efficiency
) -> tuple[Rates, bool]:
    """Return the ceilings of this machine, measured where they are not known, and whether
    efficiencies were learned on its processor."""
    first = ceiling(engine, device.device, device.threads, FLOAT32)
    peaks = {FLOAT32: first.operations_per_second}
    rates, same = _held(device, first, peaks)
    if same or not any(load.precision == INT8 for load in asked):
        return rates, same
    peaks[INT8] = ceiling(engine, device.device, device.threads, INT8).operations_per_second
    return _held(device, first, peaks)


def _held(device: Efficiency, first: Ceiling, peaks: Mapping[str, float]) -> tuple[Rates, bool]:
    """Hold ceilings against those of the processor that efficiencies were learned on.

    Peaks that were measured while other programs used the CPU are only a lower bound.
    """
    ratio = first.operations_per_second / device.rates.operations_per_second[FLOAT32]
    slow_enough = ratio <= _SAME_PEAK
    fast_enough = first.busy or ratio >= 1 / _SAME_PEAK
    if machine_id()[-1] == device.processor and slow_enough and fast_enough:
        return device.rates, True
    return Rates(peaks, first.bytes_per_second), False
