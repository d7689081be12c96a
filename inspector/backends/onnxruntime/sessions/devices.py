"""The devices of this machine as the runtime offers them. Runs in the engine process."""

import contextlib
import io
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from msgspec import Struct, field

from inspector.analysis.devices import compile_targets
from inspector.backends.hardware import graphics_cards
from inspector.backends.machine import processor_name
from inspector.backends.onnxruntime.sessions import providers, refusals
from inspector.backends.onnxruntime.sessions.installable import installing
from inspector.backends.values import Plugin
from inspector.errors import BadInput, EngineFailed
from inspector.platform.extras import can_install
from inspector.report.report_values import Device

NVIDIA_PROVIDERS = ("CUDAExecutionProvider", "TensorrtExecutionProvider")
NVIDIA_IDS = ("cuda", "tensorrt")
_NO_CARD_HINT = (
    "If there is one, its driver is missing; in a container, pass the device through."
)
_NO_NPU = "this machine has no Qualcomm NPU"
_COMPILES = "It compiles models for other devices: inspector compile --list"
_OTHER_ID = "openvino:cpu"  # of another runtime
_SIMILAR = 0.7  # of two ids, up to 1: "cpuu" is similar to "cpu", "gpu" (0.67) is not
_LISTED = "`inspector devices` lists what is here and what can be installed."
_LITERT = "inspector engines --install litert"
NVIDIA_HINT = (
    "Run pip install 'onnxruntime-gpu[cuda,cudnn]', or install CUDA and cuDNN; the GPU "
    "driver is needed as well."
)

VENDORS = {  # PCI vendor ids, where the runtime leaves the name empty
    0x1002: "AMD", 0x1022: "AMD", 0x106B: "Apple", 0x10DE: "NVIDIA", 0x13B5: "Arm",
    0x1414: "Microsoft", 0x1AE0: "Google", 0x1AF4: "virtio", 0x5143: "Qualcomm",
    0x8086: "Intel",
}  # fmt: skip
# An ONNX model with one layer, y = Add(x, x), of four float32 values (opset 13, IR version 8),
# as onnx.helper makes it. Loading onnx for it would take 80 ms of each list of devices.
_ADDITION = bytes.fromhex(
    "08083a3c0a0e0a01780a0178120179220341646412086164646974696f6e5a0f0a0178120a0a0808"
    "0112040a020804620f0a0179120a0a08080112040a02080442040a00100d"
)


@cache
def missing_libraries() -> tuple[str, ...]:
    """Load NVIDIA's libraries, once for this process, and name those that were not found.

    Nothing for a runtime that was built without them. Source: onnxruntime.preload_dlls, which
    prints what it does not find.
    """
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        onnxruntime.preload_dlls(msvc=False)
    return tuple(re.findall(r"Failed to load ([\w.-]+):", output.getvalue()))


def missing_library_reason(provider: str) -> str:
    """Return why a provider of NVIDIA's cannot start, as far as its libraries tell; else
    nothing."""
    missing = missing_libraries() if provider in NVIDIA_PROVIDERS else ()
    return f"{', '.join(missing)} could not be loaded" if missing else ""


class DeviceHandle(Struct, frozen=True, eq=False):
    """A device with the runtime's handle to it.

    handle: an OrtEpDevice; None where the runtime knows the provider by its name only.
    options: of the provider, without which it does not drive this device.
    """

    device: Device
    handle: Any | None
    options: Mapping[str, str] = field(default_factory=dict)


def resolve(ids: Iterable[str]) -> tuple[DeviceHandle, ...]:
    """Find the devices that a RunSpec names; registers the plugins they need, no others.

    Raises BadInput: no such device here. EngineFailed: installed, but cannot be used.
    """
    plugins = providers.installed_plugins()
    return tuple(_resolve(name, plugins) for name in dict.fromkeys(ids))


def builtin_units() -> tuple[DeviceHandle, ...]:
    """Offer what the runtime brings with it, the CPU first."""
    handles = [handle for handle in _handles() if not _is_plugin(handle)]
    units: list[DeviceHandle] = []
    plugged = {handle.ep_name for handle in _handles() if _is_plugin(handle)}
    offered = set(onnxruntime.get_available_providers())
    offered -= {*providers.REMOTE} | plugged
    for provider in sorted(offered, key=lambda name: name != providers.CPU):
        builtin = providers.builtin(provider)
        own_handles = [handle for handle in handles if handle.ep_name == provider]
        source = providers.runtime_source()
        plain = Device(builtin.id, builtin.name, builtin.kind, provider, builtin.vendor, source)
        if provider == providers.CPU:
            vendor = own_handles[0].device.vendor if own_handles else ""
            plain = replace(plain, name=processor_name(), vendor=vendor)
            units.append(DeviceHandle(plain, None))
        elif own_handles:
            units += [
                _unit(handle, builtin.id, n, source) for n, handle in enumerate(own_handles)
            ]
        else:
            units.append(DeviceHandle(plain, None))
    return tuple(units)


def all_builtin_units() -> tuple[DeviceHandle, ...]:
    """Return the built-in devices including those that need NVIDIA's libraries, which load
    slowly."""
    missing_libraries()
    return builtin_units()


def plugin_units(plugin: Plugin) -> tuple[DeviceHandle, ...]:
    """Register a plugin and offer its devices.

    Raises EngineFailed: its library does not load, or it finds nothing to drive here.
    """
    library = _register(plugin)
    handles = [handle for handle in _handles() if _library(handle) == library]
    if not handles:
        raise EngineFailed(
            f"Could not use {plugin.id}", *_nothing_found(plugin.id), phase="devices"
        )
    return tuple(_unit(handle, plugin.id, n, plugin.source) for n, handle in enumerate(handles))


def with_card(device: Device) -> Device:
    """Return a device that does not work with what the system says of its graphics card."""
    if not device.problem or not lists_no_card(device):
        return device
    problem = f"{device.problem}; Linux lists no {device.vendor} graphics card"
    return replace(device, problem=problem, hint=device.hint or _NO_CARD_HINT)


def lists_no_card(device: Device) -> bool:
    """Return whether Linux lists no card of a device's vendor, where the device is one."""
    sells_cards = device.vendor in ("NVIDIA", "AMD") and device.kind != "cpu"
    if not sells_cards or platform.system() != "Linux":
        return False
    return all(card.vendor != device.vendor for card in graphics_cards())


def is_working(unit: DeviceHandle) -> bool:
    """Return whether a device does anything at all."""
    return not test_device(unit).problem


def test_device(unit: DeviceHandle) -> Device:
    """Run one addition on a device; what goes wrong becomes its `problem`.

    A device that is listed may still lack a driver; only a run tells.
    """
    return with_card(_tested(unit))


def _tested(unit: DeviceHandle) -> Device:
    problem = missing_library_reason(unit.device.provider)
    if problem:
        return replace(unit.device, problem=problem, hint=NVIDIA_HINT)
    if unit.device.provider == compile_targets.QNN and unit.device.kind == "cpu":
        return replace(unit.device, problem=_NO_NPU, hint=_COMPILES)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        if unit.handle is not None:
            options.add_provider_for_devices([unit.handle], {})
        names = None if unit.handle is not None else [unit.device.provider]
        session = onnxruntime.InferenceSession(
            _ADDITION, options, providers=names, enable_fallback=0
        )
        (answer,) = session.run(None, {"x": np.ones(4, np.float32)})
    except Exception as error:  # noqa: BLE001 - whatever a driver says is the answer
        refused = refusals.runtime_failure(error, "", "devices")
        return replace(unit.device, problem=refused.why, hint=refused.hint)
    if unit.device.provider not in session.get_providers():
        return replace(
            unit.device, problem="ONNX Runtime ignores this device without reporting an error"
        )
    if answer.tolist() != [2.0] * 4:
        return replace(unit.device, problem="a test computation returned a wrong result")
    return unit.device


def _resolve(name: str, plugins: tuple[Plugin, ...]) -> DeviceHandle:
    plugin = providers.plugin_of(name, plugins)
    own = all_builtin_units if name.partition(":")[0] in NVIDIA_IDS else builtin_units
    offered = own() + (plugin_units(plugin) if plugin else ())
    if plugin is not None and name in compile_targets.BY_ID:
        compiler = "QnnHtp.dll" if platform.system() == "Windows" else "libQnnHtp.so"
        library = Path(_library(offered[-1].handle)).with_name(compiler)
        options = {"backend_path": str(library), **compile_targets.options(name)}
        chip = compile_targets.device(name, plugin.source)
        return DeviceHandle(chip, offered[-1].handle, options)
    for requested in (name, f"{name}:0"):
        for unit in offered:
            if unit.device.id == requested:
                return unit
    ids = [unit.device.id for unit in offered] + [plugin.id for plugin in plugins]
    near = get_close_matches(name, [*ids, _OTHER_ID], n=1, cutoff=_SIMILAR)
    hint = f"Did you mean '{near[0]}'?" if near else _LISTED
    kind = name.partition(":")[0]
    command = _LITERT if kind == "litert" and can_install() else installing(name)
    if command and kind not in {one.partition(":")[0] for one in ids}:
        hint = f"Install it with: {command}"
    why = f"the devices of ONNX Runtime here are {', '.join(dict.fromkeys(ids))}"
    raise BadInput(f"The device '{name}' is not available", why, hint, "devices")


def _handles() -> Sequence[Any]:
    """Return the devices that the runtime offers; none before ONNX Runtime 1.22, which has no
    such list. `--python` may name an environment with one."""
    listed = getattr(onnxruntime, "get_ep_devices", None)
    return listed() if listed is not None else ()


def _is_plugin(handle: Any) -> bool:
    """Return whether a device is of a package of its own; the runtime brings some libraries
    itself."""
    library = _library(handle)
    return bool(library) and Path(onnxruntime.__file__).parent not in Path(library).parents


def _library(handle: Any) -> str:
    return str(handle.ep_metadata.get("library_path", ""))


def _unit(handle: Any, prefix: str, number: int, source: str) -> DeviceHandle:
    hardware = handle.device
    builtin = providers.builtin(handle.ep_name)
    kind = hardware.type.name.lower()
    vendor = hardware.vendor or VENDORS.get(hardware.vendor_id, "")
    model = hardware.metadata.get("Description") or f"{vendor} {kind.upper()}".strip()
    name = f"{model} ({builtin.name})"
    return DeviceHandle(
        Device(f"{prefix}:{number}", name, kind, handle.ep_name, vendor, source), handle
    )


@cache
def _register(plugin: Plugin) -> str:
    what = f"Could not use {plugin.id}"
    try:
        # a package that was found on this machine; it loads a runtime's library
        module = import_module(plugin.module)
        locate = getattr(module, "get_library_path", None) or module.library_path
        library = str(locate())
        # Some plugins call their provider as they are registered, others ignore the name.
        name = module.get_ep_name() if hasattr(module, "get_ep_name") else plugin.id
        onnxruntime.register_execution_provider_library(name, library)
    except Exception as error:  # a stranger's package: its import may raise anything
        raise refusals.runtime_failure(error, what, "devices") from error
    return library


def _nothing_found(plugin_id: str) -> tuple[str, str]:
    graphics = Path("/sys/class/drm")
    seeks_graphics = platform.system() == "Linux" and plugin_id == "webgpu"
    if seeks_graphics and not any(graphics.glob("card*")):
        return (
            "this machine has no GPU (nothing in /sys/class/drm)",
            "Install the GPU driver; in a container, pass the device through.",
        )
    return (
        "the provider is installed, but found no supported device",
        "The driver may be missing, or the provider is for other hardware.",
    )
