"""What models are compiled for: devices here, and chips that are not in this machine.

Qualcomm's provider prepares a model for an NPU on any x86-64 processor, and emulates its runs.
Numbers of chips: what the provider writes into the models that it compiles ("soc_type=...;
arch=..."), held against those of ExecuTorch: backends/qualcomm/serialization/qc_schema.py.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from inspector.errors import BadInput
from inspector.report.report_values import Device

# Execution providers that write compiled models: those of ONNX Runtime's sources that implement
# GetEpContextNodes. The beginning of the ids of their plugins.
WRITERS = {
    "QNNExecutionProvider": "qnn",
    "OpenVINOExecutionProvider": "openvino",
    "TensorrtExecutionProvider": "tensorrt",
    "NvTensorRTRTXExecutionProvider": "nv-tensorrt-rtx",
    "VitisAIExecutionProvider": "vitisai",
}
# What compiles for ids that begin so, as people know it.
_LIBRARIES = {
    "qnn": "Qualcomm's QNN library",
    "openvino": "Intel's OpenVINO",
    "tensorrt": "NVIDIA's TensorRT",
    "nv-tensorrt-rtx": "NVIDIA's TensorRT RTX",
    "vitisai": "AMD's Vitis AI",
}
_SIMILAR = 0.8  # of two texts, up to 1: "sm8560" is similar to "sm8650" (0.83)
QNN = "QNNExecutionProvider"
_PLUGIN = "qnn"
_WRITTEN = re.compile(rb"soc_type=(\w+);arch=(\d+)")  # in a binary that QNN compiled


class Chip(NamedTuple):
    """A chip by its part number. products: as people know it. number: of QNN's `soc_model`.
    architecture: of its Hexagon NPU, QNN's `htp_arch`."""

    part: str
    products: str
    number: int
    architecture: int


CHIPS = (
    Chip("SM8350", "Snapdragon 888", 30, 68),
    Chip("SM8450", "Snapdragon 8 Gen 1", 36, 69),
    Chip("SM8550", "Snapdragon 8 Gen 2", 43, 73),
    Chip("SM8635", "Snapdragon 8s Gen 3", 68, 73),
    Chip("SM8650", "Snapdragon 8 Gen 3", 57, 75),
    Chip("SM8750", "Snapdragon 8 Elite", 69, 79),
    Chip("SM8845", "Snapdragon 8 Gen 5", 97, 81),
    Chip("SM8850", "Snapdragon 8 Elite Gen 5", 87, 81),
    Chip("SC8280X", "Snapdragon 8cx Gen 3", 37, 68),
    Chip("SC8380XP", "Snapdragon X Elite", 60, 73),
    Chip("QCS6490", "Dragonwing QCS6490", 93, 68),
    Chip("QCS9100", "Dragonwing IQ-9100", 77, 73),
    Chip("SA8295", "Snapdragon Cockpit SA8295P", 39, 68),
    Chip("SA8255", "Snapdragon Ride SA8255P", 52, 73),
)
BY_ID = {f"{_PLUGIN}:{chip.part.lower()}": chip for chip in CHIPS}


def device_id(target: str) -> str:
    """Return the id of a chip that is called by its part number, its product, both or its id,
    such as "Snapdragon 8 Gen 3" or "sm8650"; of anything else, the text itself."""
    asked = _plain(target)
    for name, chip in BY_ID.items():
        both = chip.products + chip.part
        if asked in (_plain(each) for each in (name, chip.part, chip.products, both)):
            return name
    return target


def is_of_writer(target: str) -> bool:
    """Return whether a text is the id of a device of a provider that compiles models."""
    return target.partition(":")[0] in _LIBRARIES


def similar(target: str) -> str:
    """Return the part number or product of a chip that a text is similar to; or ""."""
    names = {_plain(name): name for chip in CHIPS for name in (chip.part, chip.products)}
    near = get_close_matches(_plain(target), names, n=1, cutoff=_SIMILAR)
    return names[near[0]] if near else ""


def library(devices: Sequence[str]) -> str:
    """Return what compiles for the first of some devices, as people know it; or ""."""
    return _LIBRARIES.get(devices[0].partition(":")[0], "") if devices else ""


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def expect_here(ids: Sequence[str]) -> None:
    """Raise BadInput where one of some devices is a chip that is not here, so that its runs
    are emulated and take no time of their own."""
    for name in ids:
        if name in BY_ID:
            raise BadInput(
                f"Could not measure on {name}",
                f"{BY_ID[name].products} is not in this machine: its runs are emulated on the "
                "CPU, and take other times",
                f"Compile for it with `inspector compile MODEL --target {name}`, and measure "
                "on the device.",
            )


def device(name: str, source: str = "") -> Device:
    """Return a chip as a device. name: a key of `BY_ID`. source: package that compiles for
    it."""
    chip = BY_ID[name]
    named = f"{chip.products} ({chip.part}), emulated"
    return Device(name, named, "npu", QNN, "Qualcomm", source)


def options(name: str) -> Mapping[str, str]:
    """Return the options with which the provider compiles for a chip."""
    chip = BY_ID[name]
    return {"soc_model": str(chip.number), "htp_arch": str(chip.architecture)}


def written(binary: bytes) -> str:
    """Return the chip that a compiled binary names, such as "SM8650 (Hexagon v75)"; or ""."""
    found = _WRITTEN.search(binary)
    return f"{found[1].decode()} (Hexagon v{found[2].decode()})" if found else ""
