"""Processors of this machine as its system lists them: drivers and memory, without a runtime.

Linux lists cards below /sys; NVIDIA's driver says more through the package pynvml. Windows and
macOS have no such list that every user may read.
"""

from pathlib import Path
from typing import Any

from inspector.report.report_values import Hardware

try:
    import pynvml
except ImportError:
    pynvml = None

_PCI = Path("/sys/bus/pci/devices")
_VENDORS = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x1022": "AMD", "0x8086": "Intel"}
_DISPLAY_CLASS = "0x03"  # of PCI: VGA and 3D controllers
_ACCELERATOR_CLASS = "0x12"  # of PCI: processing accelerators
# Drivers of NPUs, which AMD's lists as a signal processor.
_NPU_DRIVERS = "intel_vpu", "amdxdna"


def graphics_cards(pci: Path = _PCI) -> tuple[Hardware, ...]:
    """Return the graphics cards that Linux lists; none on other systems."""
    return tuple(card for card in cards(pci) if card.kind == "gpu")


def cards(pci: Path = _PCI) -> tuple[Hardware, ...]:
    """Return the graphics cards and NPUs that Linux lists; none on other systems."""
    try:
        folders = sorted(pci.iterdir())
    except OSError:
        return ()
    found = []
    for folder in folders:
        vendor, kind = _VENDORS.get(_read(folder / "vendor")), _kind(folder)
        if vendor is None or not kind:
            continue
        name, driver = f"{vendor} {kind.upper()}", _driver(folder)
        text = _read(folder / "mem_info_vram_total")
        memory = int(text) if text.isdigit() else None
        if vendor == "NVIDIA":
            facts = _read(Path("/proc/driver/nvidia/gpus") / folder.name / "information")
            models = [line for line in facts.splitlines() if line.startswith("Model:")]
            name = models[0].partition(":")[2].strip() if models else name
            memory = _nvidia_memory(folder.name)
        found.append(Hardware(vendor, name, driver, memory, kind))
    return tuple(found)


def _kind(folder: Path) -> str:
    """Return "gpu" or "npu" of a folder of /sys; "" for what does not compute models."""
    number = _read(folder / "class")
    if number.startswith(_DISPLAY_CLASS):
        return "gpu"
    is_npu = number.startswith(_ACCELERATOR_CLASS) or _module(folder) in _NPU_DRIVERS
    return "npu" if is_npu else ""


def _module(folder: Path) -> str:
    link = folder / "driver"
    return link.resolve().name if link.exists() else ""


def _driver(folder: Path) -> str:
    """Return the driver of a card; its version alone for NVIDIA's, which people know by it."""
    module = _module(folder)
    version = _read(Path("/sys/module") / module / "version") if module else ""
    if module == "nvidia":
        return version or module
    return f"{module} {version}".strip()


def _nvidia_memory(bus: str) -> int | None:
    """Return the memory of NVIDIA's card in a slot; None where the package is not installed."""
    library: Any = pynvml
    if library is None:
        return None
    try:
        library.nvmlInit()
        handle = library.nvmlDeviceGetHandleByPciBusId(bus.encode())
        return int(library.nvmlDeviceGetMemoryInfo(handle).total)
    except Exception:  # noqa: BLE001 - the package's own class; no driver is no fault of ours
        return None


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
