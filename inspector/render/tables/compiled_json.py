"""What was compiled of a model, and what for one can compile, as plain values for JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from inspector.analysis.devices.compile_targets import BY_ID
from inspector.model.model import Model
from inspector.render.tables.fields import fields
from inspector.report.report_values import CompiledLayers, Device

COMPILED = "compiled/1"
TARGETS = "compile_targets/1"


def compiled_fields(model: Model, found: CompiledLayers) -> dict[str, Any]:
    """Return what became of a model and its layers."""
    made = found.model
    outcomes = {
        **dict.fromkeys(made.compiled, "compiled"), **dict.fromkeys(made.left, "left")
    }  # fmt: skip
    return {
        "schema": COMPILED,
        "model": model.name,
        "output": None if found.saved is None else str(found.saved),
        "target": made.device.id,
        "device": msgspec.to_builtins(made.device),
        **fields(made, "chip", "sdk"),
        "lengths": dict(made.lengths),
        **fields(made, "compile_ns", "parts", "binary_bytes", "file_bytes"),
        "layers": [
            {
                **fields(layer, "index", "name", "operator"),
                "outcome": outcomes.get(layer.index, "removed"),
                "reason": found.reasons[layer.index].reason
                if layer.index in found.reasons else "",
            }
            for layer in model.layers
        ],
    }  # fmt: skip


def targets_fields(devices: Sequence[Device], missing: str) -> dict[str, Any]:
    """Return what models are compiled for. devices: that are here. missing: the command that
    installs what compiles for chips; "" where it is installed."""
    return {
        "schema": TARGETS,
        "devices": [msgspec.to_builtins(each) for each in devices],
        "chips": [
            {"target": name, "products": chip.products, "part": chip.part,
             "architecture": chip.architecture}
            for name, chip in BY_ID.items()
        ],
        "install": missing or None,
    }  # fmt: skip
