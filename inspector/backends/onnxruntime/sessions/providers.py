"""Sources of devices: the runtime itself, and packages that plug into it.

Nothing here loads the runtime or a plugin, so that a broken one can still be named.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata

from inspector.backends.values import Plugin
from inspector.errors import InspectorError
from inspector.report.report import Device

PLUGIN_PREFIX = "onnxruntime-ep-"
PLUGIN_NAMES = {"onnxruntime-qnn": "qnn"}  # older than the convention of the prefix
RUNTIME_NAMES = (
    "onnxruntime",
    "onnxruntime-gpu",
    "onnxruntime-directml",
    "onnxruntime-windowsml",
    "onnxruntime-openvino",
    "onnxruntime-rocm",
    "onnxruntime-silicon",
)
_METADATA_FOLDERS = (".dist-info", ".egg-info")  # after the name, and mostly a version
CPU = "CPUExecutionProvider"
REMOTE = ("AzureExecutionProvider",)  # computes elsewhere: no device of this machine


@dataclass(frozen=True, slots=True)
class Builtin:
    """Label and kind of an execution provider that is compiled into the runtime."""

    id: str
    name: str
    kind: str
    vendor: str = ""


BUILTINS = {
    CPU: Builtin("cpu", "CPU", "cpu"),
    "CUDAExecutionProvider": Builtin("cuda", "CUDA", "gpu", "NVIDIA"),
    "TensorrtExecutionProvider": Builtin("tensorrt", "TensorRT", "gpu", "NVIDIA"),
    "NvTensorRTRTXExecutionProvider": Builtin("tensorrt-rtx", "TensorRT RTX", "gpu", "NVIDIA"),
    "MIGraphXExecutionProvider": Builtin("migraphx", "MIGraphX", "gpu", "AMD"),
    "ROCMExecutionProvider": Builtin("rocm", "ROCm", "gpu", "AMD"),
    "DmlExecutionProvider": Builtin("directml", "DirectML", "gpu"),
    "WebGpuExecutionProvider": Builtin("webgpu", "WebGPU", "gpu"),
    "WebNNExecutionProvider": Builtin("webnn", "WebNN", "gpu"),
    "CoreMLExecutionProvider": Builtin("coreml", "Core ML", "npu", "Apple"),
    "OpenVINOExecutionProvider": Builtin("openvino", "OpenVINO", "cpu", "Intel"),
    "DnnlExecutionProvider": Builtin("dnnl", "oneDNN", "cpu", "Intel"),
    "XnnpackExecutionProvider": Builtin("xnnpack", "XNNPACK", "cpu"),
    "QNNExecutionProvider": Builtin("qnn", "QNN", "npu", "Qualcomm"),
    "VitisAIExecutionProvider": Builtin("vitisai", "Vitis AI", "npu", "AMD"),
    "NnapiExecutionProvider": Builtin("nnapi", "NNAPI", "npu"),
    "ACLExecutionProvider": Builtin("acl", "Arm Compute Library", "cpu", "Arm"),
    "CANNExecutionProvider": Builtin("cann", "CANN", "npu", "Huawei"),
}


def builtin(provider: str) -> Builtin:
    """Describe a provider of the runtime; one that came later gets its own name as id."""
    name = provider.removesuffix("ExecutionProvider")
    return BUILTINS.get(provider) or Builtin(name.lower(), name, "unknown")


def described(plugin: Plugin) -> tuple[str, Builtin]:
    """Name and describe the provider that a plugin is known to carry, without loading it."""
    for provider, builtin in BUILTINS.items():
        if builtin.id == plugin.id:
            return provider, builtin
    return plugin.id, Builtin(plugin.id, plugin.id, "unknown")


def installed_plugins() -> tuple[Plugin, ...]:
    """Find the plugin packages of this Python, by name, without importing them."""
    plugins = {}
    for package in map(metadata.distribution, _runtime_packages()):
        name = _canonical(package.name or "")
        plugin_id = PLUGIN_NAMES.get(name) or (
            name.removeprefix(PLUGIN_PREFIX) if name.startswith(PLUGIN_PREFIX) else ""
        )
        if plugin_id and plugin_id not in plugins:  # the first one on the path is imported
            source = f"{name} {package.version}"
            plugins[plugin_id] = Plugin(plugin_id, name.replace("-", "_"), source)
    return tuple(plugins[key] for key in sorted(plugins))


def _runtime_packages() -> Iterator[str]:
    """Return the names of installed packages that begin with the runtime's.

    Every engine needs them once, a measurement three times. Reading the metadata of a hundred
    packages takes 25 to 40 ms each time, reading the names of their folders 1.5 ms.
    """
    for folder in sys.path:
        with suppress(OSError):
            for name in map(str.lower, os.listdir(folder or ".")):
                stem, suffix = os.path.splitext(name)
                if name.startswith("onnxruntime") and suffix in _METADATA_FOLDERS:
                    yield stem.partition("-")[0]


def runtime_source() -> str:
    """Package and version that `import onnxruntime` comes from."""
    for name in RUNTIME_NAMES:
        try:
            return f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            continue
    return "onnxruntime"


def plugin_of(device: str, plugins: tuple[Plugin, ...]) -> Plugin | None:
    """Find the plugin that a device id ("webgpu:0", "webgpu") belongs to."""
    name = device.partition(":")[0]
    return next((plugin for plugin in plugins if plugin.id == name), None)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def unusable(plugin: Plugin, error: InspectorError) -> Device:
    """Describe the device of a plugin that could not be tried out, and why."""
    provider, builtin = described(plugin)
    return Device(
        plugin.id,
        builtin.name,
        builtin.kind,
        provider,
        builtin.vendor,
        plugin.source,
        problem=error.why,
        hint=error.hint,
    )
