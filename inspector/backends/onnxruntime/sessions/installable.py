"""Devices that a package would add on this system, with the command that installs it.

Nothing here loads the runtime. Which package has which provider for which system: the files
of the packages on PyPI.
"""

import platform
import sys
from collections.abc import Iterable

from msgspec import Struct

from inspector.backends.environments import Engine
from inspector.backends.hardware import graphics_cards
from inspector.platform.extras import can_install
from inspector.report.report_values import Device, Hardware
from inspector.units import size

_INTEL_64 = ("x86_64", "amd64")
_ARM_64 = ("aarch64", "arm64")
_DRIVERS = {"NVIDIA": "nvidia", "AMD": "amdgpu", "Intel": "i915 or xe"}
NOT_INSTALLED = "not installed"


class _Package(Struct, frozen=True):
    """A package with a provider. systems: of sys.platform, with their processors.

    replaces: whether it is a whole runtime, which must not be installed beside another one.
    also: what ids of further devices begin with that it brings. download: see `Engine`.
    compiles: systems on which it has no device, and only compiles models for those of others.
    """

    id: str
    name: str
    kind: str
    vendor: str
    package: str
    systems: dict[str, tuple[str, ...]]
    replaces: bool = True
    also: tuple[str, ...] = ()
    download: str = ""
    compiles: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """Return what installs it: one that replaces the runtime goes into its own folder."""
        if self.replaces:
            return f"inspector engines --install {self.id}"
        return f"pip install {self.package}"


_PACKAGES = (
    _Package(
        "webgpu", "WebGPU", "gpu", "", "onnxruntime-ep-webgpu",
        {"linux": _INTEL_64, "win32": (*_INTEL_64, *_ARM_64), "darwin": _ARM_64}, False,
    ),
    _Package(
        "cuda", "CUDA", "gpu", "NVIDIA", '"onnxruntime-gpu[cuda,cudnn]"',
        {"linux": _INTEL_64, "win32": _INTEL_64}, also=("tensorrt",),
        download="1.6 GB",  # on Linux x86-64; 2.5 GB once installed
    ),
    _Package(
        "directml", "DirectML", "gpu", "", "onnxruntime-windowsml", {"win32": _INTEL_64}
    ),
    # onnxruntime-openvino is older than the runtime that Inspector requires; the extra brings
    # OpenVINO itself.
    _Package(
        "openvino", "OpenVINO", "cpu", "Intel", '"onnx-inspector[openvino]"',
        {"linux": _INTEL_64, "win32": _INTEL_64}, False,
    ),
    _Package(
        "migraphx", "MIGraphX", "gpu", "AMD", "onnxruntime-migraphx", {"linux": _INTEL_64},
        download="40 MB",  # on Linux x86-64
    ),
    _Package(
        "qnn", "QNN", "npu", "Qualcomm", "onnxruntime-qnn", {"win32": _ARM_64}, False,
        compiles=("linux", "win32"),
    ),
)  # fmt: skip
IDS = tuple(package.id for package in _PACKAGES)  # of all systems


def runtimes(system: str = sys.platform, machine: str = "") -> tuple[Engine, ...]:
    """Return the builds of ONNX Runtime that this kind of system has for other devices."""
    processor = (machine or platform.machine()).lower()
    return tuple(
        Engine(
            each.id,
            f"ONNX Runtime for {each.name}",
            (each.package.strip('"'),),
            "onnxruntime",
            "onnxruntime",
            (each.id, *each.also),
            each.download,
        )
        for each in _PACKAGES
        if each.replaces and processor in each.systems.get(system, ())
    )


def installing(device: str, system: str = sys.platform, machine: str = "") -> str:
    """Return the command that installs what brings a device on this kind of system, such as
    "cuda:0"; empty if there is none. OpenVINO's own devices are not ONNX Runtime's."""
    processor, kind = (machine or platform.machine()).lower(), device.partition(":")[0]
    for each in _PACKAGES:
        compiles = system in each.compiles and processor in _INTEL_64
        fits = (compiles or processor in each.systems.get(system, ())) and each.id != "openvino"
        if fits and kind in (each.id, *each.also) and can_install():
            return each.command
    return ""


def absent(
    present: Iterable[Device],
    system: str = sys.platform,
    machine: str = "",
    cards: tuple[Hardware, ...] | None = None,
) -> tuple[Device, ...]:
    """Return devices of this kind of system that are not there, those with a card first.

    problem: that it is not installed, and the card that is there. hint: the command. A program
    that carries its own Python cannot install anything, and gets none.
    """
    if not can_install():
        return ()
    processor = (machine or platform.machine()).lower()
    known = {device.id.partition(":")[0] for device in present}
    found = graphics_cards() if cards is None else cards
    devices = []
    for each in _PACKAGES:
        fits = processor in each.systems.get(system, ())
        card = next((card for card in found if card.vendor == each.vendor), None)
        if fits and each.id not in known:
            problem = f"{NOT_INSTALLED}; {_described(card)}" if card else NOT_INSTALLED
            source = each.package.strip('"')
            described = each.id, each.name, each.kind, "", each.vendor, source
            devices.append((card is None, Device(*described, problem, each.command)))
    return tuple(device for _, device in sorted(devices, key=lambda pair: pair[0]))


def _described(card: Hardware) -> str:
    parts = [card.name]
    if card.memory_bytes:
        parts.append(size(card.memory_bytes))
    needed = _DRIVERS.get(card.vendor, "its driver")
    parts.append(f"driver {card.driver}" if card.driver else f"no driver loaded ({needed})")
    return ", ".join(parts)
