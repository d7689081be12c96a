"""A model whose runtime is not installed: everything else works, and the rest is told."""

import re
from dataclasses import replace

import pytest

from inspector.backends import registry
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.formats.tflite.reader import with_valid_axes
from inspector.report.run_spec import RunSpec
from tests import command_line
from tests.conftest import ROOT
from tests.formats.tflite import build

ON_OPENVINO = RunSpec(devices=("openvino:cpu",))


def test_the_runtime_of_a_format_is_chosen_and_said_to_be_missing(tmp_path, monkeypatch):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    assert registry.for_model(path).id == "litert"
    assert registry.for_model(tmp_path / "missing").id == registry.DEFAULT
    missing = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)
    with EngineProcess() as engine, pytest.raises(EngineFailed) as refused:
        engine.load(path, RunSpec())
    assert refused.value.why == "LiteRT is not installed"
    assert refused.value.hint.startswith(
        "Install it with: inspector engines --install litert "
        '(or pip install "onnx-inspector[litert]")'
    )


def test_targets_are_estimated_without_the_runtime(tmp_path, monkeypatch):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    missing = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)
    answer = command_line.run("support", path)
    assert re.search(r"Qualcomm DSP +\S+.*Hexagon delegate", answer.stdout)
    assert (
        "LiteRT is not installed. Install it with: inspector engines --install litert"
        in answer.stdout
    )


def test_a_file_is_repaired_without_the_runtime_and_what_would_check_it_is_told(
    tmp_path, monkeypatch
):
    path, made = tmp_path / "m.tflite", tmp_path / "new.tflite"
    path.write_bytes(build.convolving(bias_axis=3))
    missing = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)
    answer = command_line.run("convert", path, "litert-repair", "-o", made)
    assert answer.returncode == 0
    assert made.read_bytes() == with_valid_axes(path)
    assert 'pip install "onnx-inspector[litert]"' in answer.stdout
    refused = command_line.run("convert", path, "litert-float16", "-o", tmp_path / "x.tflite")
    assert refused.returncode == 1
    assert 'pip install "onnx-inspector[litert]"' in refused.stderr


def test_a_device_of_a_missing_runtime_is_listed_with_what_installs_it(monkeypatch):
    missing = replace(registry.BACKENDS["openvino"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "openvino", missing)
    with EngineProcess() as engine:
        found = {device.id: device for device in engine.devices()}
        assert found["openvino:cpu"].problem == "OpenVINO is not installed"
        assert "onnx-inspector[openvino]" in found["openvino:cpu"].hint
        with pytest.raises(EngineFailed, match="OpenVINO is not installed"):
            engine.load(ROOT / "sample_models/digits_float32.onnx", ON_OPENVINO)


def test_another_runtime_that_runs_the_model_is_named(tmp_path, monkeypatch):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.adding())
    litert, openvino = registry.BACKENDS["litert"], registry.BACKENDS["openvino"]
    gone = {"module": "no_such_module"}
    monkeypatch.setitem(registry.BACKENDS, "litert", replace(litert, **gone))
    monkeypatch.setitem(registry.BACKENDS, "openvino", replace(openvino, module="json"))
    with pytest.raises(EngineFailed) as refused:
        registry.check_installed(registry.BACKENDS["litert"], path)
    assert refused.value.hint.endswith(", or use --device openvino:cpu")
    assert registry.device_instead(registry.BACKENDS["openvino"], "tflite") == ""
    monkeypatch.setitem(registry.BACKENDS, "openvino", replace(openvino, **gone))
    assert registry.device_instead(registry.BACKENDS["litert"], "tflite") == ""
    assert registry.device_instead(registry.BACKENDS["openvino"], "onnx") == "cpu"
