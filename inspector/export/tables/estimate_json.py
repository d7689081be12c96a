"""What is estimated of a model on devices, as plain values for JSON."""

from typing import Any

import msgspec

from inspector.analysis.cost.latency import Efficiency
from inspector.analysis.devices.device_estimates import DeviceEstimate, ModelEstimates


def estimate_fields(estimates: ModelEstimates) -> dict[str, Any]:
    """Return the fields; null where only a range is known."""
    return {
        "model": estimates.model.name,
        "lengths": dict(estimates.cost.lengths),
        "macs": estimates.cost.macs,
        "devices": [_device(estimates, each) for each in estimates.devices],
    }


def _device(estimates: ModelEstimates, each: DeviceEstimate) -> dict[str, Any]:
    learned = each.device if isinstance(each.device, Efficiency) else None
    kinds = {load.index: load.kind for load in estimates.loads}
    return {
        "id": each.device.id,
        "title": each.device.title,
        "validated": each.validated,
        "latency_ns": each.latency.time_ns,
        "low_ns": each.latency.low_ns,
        "high_ns": each.latency.high_ns,
        "rates": msgspec.to_builtins(each.rates),
        "validation": None if learned is None else {
            "processor": learned.processor,
            "date": learned.date,
            "models": learned.models,
            "median_error": learned.median_error,
            "bound": learned.bound,
            "inside": learned.inside,
        },
        "sources": msgspec.to_builtins(getattr(each.device, "sources", ())),
        "layers": [
            {
                "index": layer.index,
                "name": estimates.model.layers[layer.index].name,
                "kind": kinds[layer.index],
                "time_ns": layer.time_ns,
            }
            for layer in each.latency.layers
        ],
    }  # fmt: skip
