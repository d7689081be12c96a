"""Devices as the engine finds them: its own, those of plugins, and broken ones."""

import numpy as np
import pytest

from inspector.engine import providers
from inspector.engine.process import EngineProcess
from inspector.errors import EngineFailed
from inspector.report import RunSpec
from tests.engine import small_models

pytestmark = pytest.mark.engine


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a plugin package on the path of this process and of engines: real files."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def write(name, code):
        module = name.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(code)
        about = tmp_path / f"{module}-9.9.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.9\n")

    return write


def found(device_id):
    with EngineProcess() as engine:
        devices = engine.devices()
    assert devices[0].id == "cpu"
    assert devices[0].problem == ""
    return next(device for device in devices if device.id == device_id)


def test_the_processor_is_there_and_says_where_it_comes_from():
    cpu = found("cpu")
    assert (cpu.kind, cpu.provider) == ("cpu", "CPUExecutionProvider")
    assert cpu.source == providers.runtime_source()
    assert cpu.name


def test_plugins_are_found_by_their_names_without_loading_them(install):
    install("onnxruntime-ep-abacus", "raise SystemExit")
    install("onnxruntime-qnn", "raise SystemExit")
    plugins = {plugin.id: plugin for plugin in providers.installed_plugins()}
    assert plugins["abacus"].source == "onnxruntime-ep-abacus 9.9"
    assert plugins["qnn"].module == "onnxruntime_qnn"
    assert providers.plugin_of("abacus:1", tuple(plugins.values())) == plugins["abacus"]
    assert providers.plugin_of("cpu", tuple(plugins.values())) is None


def test_a_plugin_without_its_library_is_listed_with_the_reason(install):
    install("onnxruntime-ep-abacus", "def get_library_path(): return '/nowhere/abacus.so'")
    abacus = found("abacus")
    assert abacus.source == "onnxruntime-ep-abacus 9.9"
    assert "abacus.so" in abacus.problem
    assert "/nowhere" not in abacus.problem


def test_a_plugin_that_crashes_loses_only_itself(install):
    install("onnxruntime-ep-abacus", "import os\nos.abort()")
    assert "crashed (SIGABRT)" in found("abacus").problem


def test_a_plugin_that_is_broken_python_is_listed_with_the_reason(install):
    install("onnxruntime-ep-abacus", "import a_module_that_is_missing")
    assert "No module named 'a_module_that_is_missing'" in found("abacus").problem


def test_a_device_of_a_broken_plugin_is_refused_not_replaced(install, tmp_path):
    install("onnxruntime-ep-abacus", "def get_library_path(): return '/nowhere/abacus.so'")
    model = small_models.linear(tmp_path / "model.onnx")
    with EngineProcess() as engine, pytest.raises(EngineFailed, match="Could not use abacus"):
        engine.load(model, RunSpec(devices=("abacus:0",)))


def test_another_device_answers_like_the_processor(tmp_path):
    with EngineProcess() as engine:
        others = [each for each in engine.devices() if not each.problem and each.id != "cpu"]
        if not others:
            pytest.skip("this machine has no other device that can be used")
        model = small_models.convolution(tmp_path / "model.onnx")
        feeds = {"x": np.random.default_rng(1).normal(size=(1, 3, 8, 8)).astype(np.float32)}
        expected = engine.predict(model, RunSpec(), feeds).outputs[0].array
        for device in others:
            prediction = engine.predict(model, RunSpec(devices=(device.id,)), feeds)
            assert prediction.devices == (device.id, "cpu")
            np.testing.assert_allclose(prediction.outputs[0].array, expected, atol=1e-4)
