from pathlib import Path
from types import SimpleNamespace

import pytest

from inspector.backends.onnxruntime.measuring.measure import ignored_options
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.report.report import Device
from inspector.report.run_spec import ProviderOption, RunSpec


def plugged(library: Path) -> DeviceHandle:
    device = Device("webgpu:0", "A GPU", "gpu", "WebGpuExecutionProvider")
    return DeviceHandle(device, SimpleNamespace(ep_metadata={"library_path": str(library)}))


@pytest.mark.parametrize(
    ("key", "known"),
    [("deviceId", True), ("ep.webgpu.deviceId", True), ("device", False), ("devices", False),
     ("vsyncMode", False)],
)  # fmt: skip
def test_an_option_that_is_no_word_of_its_library_is_told(tmp_path, key, known):
    library = tmp_path / "libplugin.so"
    library.write_bytes(b"\x7fELF\0ep.webgpu.deviceId\0more")
    spec = RunSpec(devices=("webgpu",), provider_options=(ProviderOption(key, "1"),))
    told = ignored_options(spec, [plugged(library)])
    assert bool(told) is not known
    if told:
        assert f"WebGPU does not document the option '{key}'" in told[0]


def test_the_processor_has_no_options_to_tell_of():
    assert ignored_options(RunSpec(), devices.resolve(["cpu"])) == ()
