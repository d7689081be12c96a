"""What is estimated of a model on devices, as plain values for JSON."""

from typing import Any

import msgspec

from inspector.analysis.cost.latency import Efficiency
from inspector.analysis.devices.device_estimates import DeviceEstimate, ModelEstimates
from inspector.render.tables.fields import fields


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
    told, fit = each.latency, each.memory
    kinds = {load.index: load.kind for load in estimates.loads}
    return {
        **fields(each.device, "id", "title"),
        "validated": each.validated,
        "latency_ns": told and told.time_ns,
        "low_ns": told and told.low_ns,
        "high_ns": told and told.high_ns,
        "rates": msgspec.to_builtins(each.rates),
        "memory": None if fit is None else {
            "fits": fit.fits,
            "ram_low_bytes": fit.need.ram_low,
            "ram_high_bytes": fit.need.ram_high,
            "ram_limit_bytes": fit.ram_limit,
            "flash_bytes": fit.need.flash or None,
            "flash_limit_bytes": fit.flash_limit or None,
            "values_bytes": fit.need.values,
            "peak_layer": fit.layer,
            "remedies": list(map(str, fit.remedies)),
        },
        "validation": learned and fields(
            learned, "processor", "date", "models", "median_error", "bound", "inside"
        ),
        "sources": msgspec.to_builtins(getattr(each.device, "sources", ())),
        "layers": [
            {
                "index": layer.index,
                "name": estimates.model.layers[layer.index].name,
                "kind": kinds[layer.index],
                "time_ns": layer.time_ns,
            }
            for layer in (told.layers if told is not None else ())
        ],
    }  # fmt: skip
