import sys

import onnxruntime
import pytest

from inspector.backends.onnxruntime.sessions import devices


@pytest.fixture(autouse=True)
def forgotten():
    """Each test asks anew: a process is told once."""
    devices.missing_libraries.cache_clear()
    yield
    devices.missing_libraries.cache_clear()


def test_libraries_that_are_nowhere_are_named_with_what_brings_them(monkeypatch, capsys):
    def preload(**_):
        for name in ("libcublasLt.so.13", "libcublas.so.13"):
            sys.stdout.write(f"Failed to load {name}: {name}: cannot open it\n")
        sys.stdout.write("Please follow https://onnxruntime.ai/docs/install/ to install.\n")

    monkeypatch.setattr(onnxruntime, "preload_dlls", preload)
    assert devices.missing_library_reason("CUDAExecutionProvider") == (
        "libcublasLt.so.13, libcublas.so.13 could not be loaded"
    )
    assert "onnxruntime-gpu[cuda,cudnn]" in devices.NVIDIA_HINT
    assert capsys.readouterr().out == ""


def test_a_processor_needs_none_of_them(monkeypatch):
    def preload(**_):
        raise AssertionError("asked for nothing")

    monkeypatch.setattr(onnxruntime, "preload_dlls", preload)
    assert devices.missing_library_reason("CPUExecutionProvider") == ""


def test_a_runtime_without_cuda_lacks_nothing():
    assert devices.missing_libraries() == ()
