from pathlib import Path
from types import SimpleNamespace

import pytest

from inspector.engine.sessions import devices
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.provider_options import unheard
from inspector.report import Device, ProviderOption, RunSpec


def plugged(library: Path) -> Unit:
    device = Device("webgpu:0", "A GPU", "gpu", "WebGpuExecutionProvider")
    return Unit(device, SimpleNamespace(ep_metadata={"library_path": str(library)}))


@pytest.mark.parametrize(
    ("key", "known"),
    [("deviceId", True), ("ep.webgpu.deviceId", True), ("device", False), ("devices", False),
     ("vsyncMode", False)],
)  # fmt: skip
def test_an_option_that_is_no_word_of_its_library_is_told(
    tmp_path: Path, key: str, known: bool
) -> None:
    library = tmp_path / "libplugin.so"
    library.write_bytes(b"\x7fELF\0ep.webgpu.deviceId\0more")
    spec = RunSpec(devices=("webgpu",), provider_options=(ProviderOption(key, "1"),))
    told = unheard(spec, [plugged(library)])
    assert bool(told) is not known
    if told:
        assert f"'{key}' is no word that WebGPU knows" in told[0]


def test_the_processor_has_no_options_to_tell_of() -> None:
    assert unheard(RunSpec(), devices.resolve(["cpu"])) == ()
