"""Processors of this machine as its system lists them: drivers and memory, without a runtime.

Linux lists cards below /sys, Windows in its registry; NVIDIA's driver says more through the
package pynvml. macOS has no such list but a program that takes a second.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from inspector.report.report_values import Hardware

try:
    import pynvml
except ImportError:
    pynvml = None
if sys.platform == "win32":
    import winreg

_PCI = Path("/sys/bus/pci/devices")
_VENDORS = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x1022": "AMD", "0x8086": "Intel"}
_DISPLAY_CLASS = "0x03"  # of PCI: VGA and 3D controllers
_ACCELERATOR_CLASS = "0x12"  # of PCI: processing accelerators
# Where Windows lists its drivers, by the class of device:
# https://learn.microsoft.com/windows-hardware/drivers/install/system-defined-device-setup-classes-available-to-vendors
_CLASSES = r"SYSTEM\CurrentControlSet\Control\Class"
_KINDS = {
    "{4d36e968-e325-11ce-bfc1-08002be10318}": "gpu",  # Display
    "{f01a9d53-3ff6-48d2-9f97-c8a7004be10c}": "npu",  # ComputeAccelerator
}
_MOST_DEVICES = 16  # of a class that are looked for; their numbers may have gaps
_MEMORY = "HardwareInformation.qwMemorySize"
_NO_CARD = "Microsoft"  # makes the drivers that only show a picture
# Drivers of NPUs, which AMD's lists as a signal processor.
_NPU_DRIVERS = "intel_vpu", "amdxdna"


def graphics_cards(pci: Path = _PCI) -> tuple[Hardware, ...]:
    """Return the graphics cards that Linux or Windows lists; none on other systems."""
    return tuple(card for card in cards(pci) if card.kind == "gpu")


def cards(pci: Path = _PCI) -> tuple[Hardware, ...]:
    """Return the graphics cards and NPUs that Linux or Windows lists; none on other systems."""
    if sys.platform == "win32" and pci is _PCI:
        return tuple(of_registry(winreg))
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


def of_registry(registry: Any) -> Iterator[Hardware]:
    """Yield what a registry of Windows lists. registry: the module `winreg`."""
    for identifier, kind in _KINDS.items():
        for number in range(_MOST_DEVICES):
            values = _values(registry, rf"{_CLASSES}\{identifier}\{number:04}")
            name, maker = values.get("DriverDesc"), str(values.get("ProviderName", ""))
            if not name or maker == _NO_CARD:
                continue
            known = re.search(r"ven_(\w{4})", str(values.get("MatchingDeviceId", "")).lower())
            vendor = _VENDORS.get(f"0x{known[1]}") if known else None
            memory = values.get(_MEMORY)
            size = int.from_bytes(memory, "little") if isinstance(memory, bytes) else memory
            driver = str(values.get("DriverVersion", ""))
            yield Hardware(vendor or maker.partition(" ")[0], str(name), driver, size, kind)


def _values(registry: Any, place: str) -> dict[str, Any]:
    """Return what a key of the registry says of a device; nothing where there is none."""
    found = {}
    with suppress(OSError), registry.OpenKey(registry.HKEY_LOCAL_MACHINE, place) as key:
        for name in (
            "DriverDesc",
            "ProviderName",
            "DriverVersion",
            "MatchingDeviceId",
            _MEMORY,
        ):
            with suppress(OSError):
                found[name] = registry.QueryValueEx(key, name)[0]
    return found


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
