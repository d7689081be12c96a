"""Devices as the engine finds them: its own, those of plugins, and broken ones."""

import numpy as np
import pytest

from inspector.backends import registry
from inspector.backends.onnxruntime.sessions import providers
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import RunSpec
from tests.engine import small_models

pytestmark = pytest.mark.engine


BROKEN = {
    "onnxruntime-ep-abacus": "def get_library_path(): return '/nowhere/abacus.so'",
    "onnxruntime-ep-crashing": "import os\nos.abort()",
    "onnxruntime-ep-halved": "import a_module_that_is_missing",
}


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    """Put broken plugin packages on the path of this process and of engines: real files."""
    folder = tmp_path_factory.mktemp("packages")
    for name, code in BROKEN.items():
        module = name.replace("-", "_")
        (folder / f"{module}.py").write_text(code)
        about = folder / f"{module}-9.9.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.9\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", str(folder))
        yield {plugin.id: plugin for plugin in providers.installed_plugins()}


@pytest.fixture(scope="module")
def listed(plugins):
    with EngineProcess() as engine:
        return engine.devices()


@pytest.fixture
def found(listed):
    return {device.id: device for device in listed}


def test_the_processor_is_first_and_says_where_it_comes_from(listed):
    cpu = listed[0]
    assert (cpu.id, cpu.kind, cpu.provider) == ("cpu", "cpu", "CPUExecutionProvider")
    assert cpu.source == providers.runtime_source()
    assert cpu.name
    assert cpu.problem == ""


def test_the_runtime_that_is_named_is_the_first_one_on_the_path(tmp_path, monkeypatch):
    """An environment of its own comes first, and Inspector's Python has another build."""
    for folder, names in (("a", ("onnxruntime_migraphx-1.27.1",)), ("b", ("onnxruntime-9.0",))):
        for name in names:
            (tmp_path / folder / f"{name}.dist-info").mkdir(parents=True)
    monkeypatch.setattr(providers.sys, "path", [str(tmp_path / "a"), str(tmp_path / "b")])
    assert providers.runtime_source() == "onnxruntime-migraphx 1.27.1"
    monkeypatch.setattr(providers.sys, "path", ["/nowhere", str(tmp_path / "b")])
    assert providers.runtime_source() == "onnxruntime 9.0"


def test_plugins_are_found_by_their_names_without_loading_them(plugins):
    assert plugins["abacus"].source == "onnxruntime-ep-abacus 9.9"
    assert plugins["abacus"].module == "onnxruntime_ep_abacus"
    known = tuple(plugins.values())
    assert providers.plugin_of("abacus:1", known) == plugins["abacus"]
    assert providers.plugin_of("cpu", known) is None


def test_plugins_are_found_by_what_their_files_offer(tmp_path, monkeypatch):
    """Names without the prefix, modules of other names, and packages without a module."""
    offers = "from .library import get_library_path"
    packages = {
        "onnxruntime-ggml": ("onnxruntime_ggml/__init__.py", "def library_path() -> str: ..."),
        "onnxruntime-ep-far-cu13": ("onnxruntime_ep_far/__init__.py", offers),
        "onnxruntime-ep-far": ("", ""),  # only requires the other
        "onnxruntime-tools": ("onnxruntime_tools/__init__.py", "import sys"),
        "onnxruntime-extensions": ("onnxruntime_extensions/__init__.py", offers),
    }
    for name, (module, code) in packages.items():
        about = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        listed = filter(None, (module, f"{about.name}/METADATA"))
        (about / "RECORD").write_text("".join(f"{file},,\n" for file in listed))
        if module:
            (tmp_path / module).parent.mkdir()
            (tmp_path / module).write_text(code)
    monkeypatch.setattr(providers.sys, "path", [str(tmp_path)])
    found = {each.id: (each.module, each.source) for each in providers.installed_plugins()}
    assert found == {
        "far": ("onnxruntime_ep_far", "onnxruntime-ep-far-cu13 1.0"),
        "ggml": ("onnxruntime_ggml", "onnxruntime-ggml 1.0"),
    }


def test_a_plugin_without_its_library_is_listed_with_the_reason(found):
    abacus = found["abacus"]
    assert abacus.source == "onnxruntime-ep-abacus 9.9"
    assert "abacus.so" in abacus.problem
    assert "/nowhere" not in abacus.problem


def test_a_plugin_that_crashes_loses_only_itself(found):
    assert "crashed (SIGABRT)" in found["crashing"].problem


def test_a_plugin_that_is_broken_python_is_listed_with_the_reason(found):
    assert "No module named 'a_module_that_is_missing'" in found["halved"].problem


def test_a_device_of_a_broken_plugin_is_refused_not_replaced(plugins, tmp_path):
    model = small_models.linear(tmp_path / "model.onnx")
    with EngineProcess() as engine, pytest.raises(EngineFailed, match="Could not use abacus"):
        engine.load(model, RunSpec(devices=("abacus:0",)))


def test_another_device_answers_like_the_processor(listed, tmp_path):
    model = small_models.convolution(tmp_path / "model.onnx")
    offered = registry.offered(listed, model)
    others = [device for device in offered if not device.problem and device.id != "cpu"]
    if not others:
        pytest.skip("this machine has no other device that can be used")
    feeds = {"x": np.random.default_rng(1).normal(size=(1, 3, 8, 8)).astype(np.float32)}
    with EngineProcess() as engine:
        expected = engine.predict(model, RunSpec(), feeds).outputs[0].array
        for device in others:
            prediction = engine.predict(model, RunSpec(devices=(device.id,)), feeds)
            rest = () if own_runtime(device.id) else ("cpu",)  # which gets what is left over
            assert prediction.devices == (device.id, *rest)
            np.testing.assert_allclose(prediction.outputs[0].array, expected, atol=1e-4)


def test_a_device_that_fails_says_that_there_is_no_card(monkeypatch):
    from inspector.backends.onnxruntime.sessions import devices
    from inspector.report.report import Device
    from inspector.report.report_values import Hardware

    monkeypatch.setattr(devices.platform, "system", lambda: "Linux")
    monkeypatch.setattr(devices, "graphics_cards", lambda: ())
    failed = Device(
        "cuda", "CUDA", "gpu", "CUDAExecutionProvider", "NVIDIA", problem="it failed"
    )
    told = devices.with_card(failed)
    assert told.problem == "it failed; Linux lists no NVIDIA graphics card"
    assert "driver is missing" in told.hint
    monkeypatch.setattr(devices, "graphics_cards", lambda: (Hardware("NVIDIA", "Tesla T4"),))
    assert devices.with_card(failed) == failed
