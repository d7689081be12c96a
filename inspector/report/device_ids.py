"""Ids of devices, such as "cpu", "openvino:gpu" or "webgpu:0", taken apart."""


def own_runtime(device: str) -> str:
    """Return the runtime that a device id names: "openvino" of "openvino:cpu"; else nothing.

    Plugins of ONNX Runtime number their devices ("openvino:0", "webgpu:0").
    """
    runtime, _, name = device.partition(":")
    return runtime if name and not name[0].isdecimal() else ""


def is_cpu(device: str) -> bool:
    """Return whether a device id is that of the CPU in any runtime ("cpu", "openvino:cpu")."""
    return device.rpartition(":")[2] == "cpu"
