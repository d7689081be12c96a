"""Sources of devices: the runtime itself, and packages that plug into it.

Nothing here loads the runtime or a plugin, so that a broken one can still be named.
"""

import csv
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import metadata

from msgspec import Struct

from inspector.backends.values import Plugin
from inspector.errors import InspectorError
from inspector.report.report_values import Device

PLUGIN_PREFIX = "onnxruntime-ep-"
PLUGIN_NAMES = {"onnxruntime-qnn": "qnn"}  # older than the convention of the prefix
# The function that plugins have; onnxruntime-ggml is not of the convention and has the other.
_ENTRIES = (b"get_library_path", b"def library_path(")
_CUSTOM_OPERATORS = "onnxruntime-extensions"  # has this function, for another kind of library
_MOST_BYTES = 1 << 20  # of a module in which the function is looked for
RUNTIME_NAMES = (
    "onnxruntime",
    "onnxruntime-gpu",
    "onnxruntime-directml",
    "onnxruntime-windowsml",
    "onnxruntime-openvino",
    "onnxruntime-rocm",
    "onnxruntime-migraphx",
    "onnxruntime-cann",
    "onnxruntime-silicon",
)
_METADATA_FOLDERS = (".dist-info", ".egg-info")  # after the name, and mostly a version
CPU = "CPUExecutionProvider"
REMOTE = ("AzureExecutionProvider",)  # computes elsewhere: no device of this machine


class Builtin(Struct, frozen=True):
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
        if plugin.id in (builtin.id, f"nv-{builtin.id}"):  # TensorRT RTX
            return provider, builtin
    return plugin.id, Builtin(plugin.id, plugin.id, "unknown")


def installed_plugins() -> tuple[Plugin, ...]:
    """Find the plugin packages of this Python, by their files, without importing them.

    Not every one has the usual prefix, and a module may have another name than its package:
    onnxruntime-ep-nv-tensorrt-rtx-cu13 brings onnxruntime_ep_nv_tensorrt_rtx.
    """
    return _plugins_in(_search_path())


def runtime_source() -> str:
    """Package and version that `import onnxruntime` comes from: the first one on the path.

    An engine in an environment of its own also sees the runtime of Inspector's Python.
    """
    return _runtime_in(_search_path())


def _search_path() -> tuple[tuple[str, int], ...]:
    """Return the folders of the path, each with when something was last installed in it.

    Every session asks, and the answer takes 2 to 5 ms to find; these times take 0.02 ms.
    """
    folders = []
    for folder in sys.path:
        with suppress(OSError):
            folders.append((folder, os.stat(folder or ".").st_mtime_ns))
    return tuple(folders)


@lru_cache(maxsize=1)
def _plugins_in(path: tuple[tuple[str, int], ...]) -> tuple[Plugin, ...]:
    plugins: dict[str, Plugin] = {}
    for found in _runtime_packages(path):
        if _canonical(found) in (*RUNTIME_NAMES, _CUSTOM_OPERATORS):
            continue
        package = metadata.distribution(found)
        name = _canonical(package.name or "")
        module = _plugin_module(package, name)
        plugin_id = PLUGIN_NAMES.get(name) or _canonical(module).removeprefix(PLUGIN_PREFIX)
        plugin_id = plugin_id.removeprefix("onnxruntime-")
        if module and plugin_id not in plugins:  # the first one on the path is imported
            plugins[plugin_id] = Plugin(plugin_id, module, f"{name} {package.version}")
    return tuple(plugins[key] for key in sorted(plugins))


def _plugin_module(package: metadata.Distribution, name: str) -> str:
    """Return the module of a package that offers a provider's library; empty for none.

    A package with the prefix that does not list its files is one by its name. One that lists
    no module only requires another package.
    """
    by_name = name.startswith(PLUGIN_PREFIX) or name in PLUGIN_NAMES
    usual = name.replace("-", "_")
    try:
        listed = package.files
    except (ValueError, TypeError, csv.Error):  # a damaged list
        listed = None
    if listed is None:
        return usual if by_name else ""
    modules = [
        (file.parts[0].removesuffix(".py"), file)
        for file in listed
        if file.suffix == ".py" and (len(file.parts) == 1 or file.parts[1:] == ("__init__.py",))
    ]
    for module, file in modules:
        with suppress(OSError), open(str(file.locate()), "rb") as opened:
            text = opened.read(_MOST_BYTES)
            if any(entry in text for entry in _ENTRIES):
                return module
    return usual if by_name and any(module == usual for module, _ in modules) else ""


def _runtime_packages(path: tuple[tuple[str, int], ...]) -> Iterator[str]:
    """Return the names of installed packages that begin with the runtime's.

    Reading the metadata of a hundred packages takes 25 to 40 ms, reading the names of their
    folders 1.5 ms.
    """
    for folder, _ in path:
        with suppress(OSError):
            for name in map(str.lower, os.listdir(folder or ".")):
                stem, suffix = os.path.splitext(name)
                if name.startswith("onnxruntime") and suffix in _METADATA_FOLDERS:
                    yield stem.partition("-")[0]


@lru_cache(maxsize=1)
def _runtime_in(path: tuple[tuple[str, int], ...]) -> str:
    for folder, _ in path:
        found = {}
        with suppress(OSError):
            for stem, suffix in map(os.path.splitext, os.listdir(folder or ".")):
                package, _, version = stem.partition("-")
                if suffix in _METADATA_FOLDERS:
                    found[_canonical(package)] = version
        for name in RUNTIME_NAMES:
            if name in found:
                return f"{name} {found[name]}".strip()
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
