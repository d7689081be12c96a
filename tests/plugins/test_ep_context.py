"""Models that are saved as a device compiled them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

from inspector.app.changing import conversion as conversions
from inspector.backends.onnxruntime.sessions import devices, providers, session
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.conversion.result import Conversion
from inspector.conversion.steps import METADATA_KEY
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, EngineFailed
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from tests import models
from tests.command_line import errors_of, output_of
from tests.conversion.conversions import converted, effect

NPU = Device("qnn:0", "Hexagon (QNN)", "npu", "QNNExecutionProvider", "Qualcomm", "qnn 2.0")


@pytest.fixture
def only_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide what else this machine may have."""
    monkeypatch.setattr(onnxruntime, "get_ep_devices", list)
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [providers.CPU])
    monkeypatch.setattr(providers, "installed_plugins", tuple)


@pytest.fixture
def npu(only_cpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer a device that no machine of this kind has: it cannot be used, only asked for."""
    units = (*devices.builtin_units(), DeviceHandle(NPU, None))
    monkeypatch.setattr(devices, "builtin_units", lambda: units)
    monkeypatch.setattr(devices, "test_device", lambda unit: unit.device)
    monkeypatch.setattr(session, "assignments", lambda _: ())


def compiling(
    monkeypatch: pytest.MonkeyPatch, operator: str | None
) -> list[tuple[RunSpec, Mapping[str, str]]]:
    """Have sessions write a model of one operator; return how each of them is asked for."""
    asked = []

    def create(
        model: bytes, spec: RunSpec, _: Any, *, config: Mapping[str, str], **_more: Any
    ) -> None:
        asked.append((spec, config))
        made = onnx.load_from_string(model)
        if operator is not None:
            layer = onnx.helper.make_node(operator, ["picture"], ["probabilities"])
            del made.graph.node[:], made.graph.initializer[:]
            made.graph.node.append(layer)
            onnx.save(made, config["ep.context_file_path"])

    monkeypatch.setattr(session, "create_session", create)
    return asked


@pytest.mark.usefixtures("only_cpu")
@pytest.mark.parametrize(
    ("attributes", "provider"),
    [
        ({"partition_name": "QNNExecutionProvider_QNN_123_1_0"}, "QNN"),
        ({"name": "OpenVINOExecutionProvider_OpenVINO-EP-subgraph_1_0"}, "OpenVINO"),
        ({"source": "VitisAIExecutionProvider", "partition_name": "x"}, "VitisAI"),
        ({"name": "part"}, "one kind of device (an EPContext node)"),
    ],
)
def test_a_compiled_part_names_its_provider_when_it_does_not_load(
    attributes, provider, tmp_path
):
    node = helper.make_node(
        "EPContext", ["x"], ["y"], domain="com.microsoft", embed_mode=1,
        ep_cache_context=b"abc", **attributes,
    )  # fmt: skip
    model = models.model([node], [models.value("x", [1, 4])], [models.value("y", [1, 4])])
    onnx.save(model, tmp_path / "m.onnx")
    for source in (tmp_path / "m.onnx", model.SerializeToString()):
        with pytest.raises(EngineFailed) as caught:
            create_session(source, RunSpec(), ())
        assert f"compiled for {provider}, which is not among" in caught.value.why


@pytest.mark.usefixtures("only_cpu")
def test_without_a_device_that_compiles_it_says_where_those_are_listed(digits, tmp_path):
    found = effect(digits, tmp_path, "ep-context")
    assert found.refused == "no device here writes compiled models"
    assert "`inspector compile --list`" in found.hint
    named = effect(digits, tmp_path, "ep-context:cpu")
    assert named.refused.endswith(" does not write compiled models")
    assert effect(digits, tmp_path, "ep-context:qnn").refused.endswith("here are cpu")
    near = effect(digits, tmp_path, "ep-context:snapdragon 8 gen 33")
    assert (near.refused, "Snapdragon 8 Gen 3" in near.hint) == (
        "there is no such target",
        True,
    )
    with pytest.raises(BadInput, match="no device here writes compiled models"):
        converted(digits, tmp_path / "new", "ep-context")


def test_a_plugin_that_does_not_load_is_a_reason_and_others_are_not_loaded(
    digits, tmp_path, monkeypatch
):
    packages = {"openvino": "def get_library_path(): return '/nowhere/a.so'", "webgpu": "1 / 0"}
    for name, code in packages.items():
        (tmp_path / f"onnxruntime_ep_{name}_broken.py").write_text(code)
    plugins = tuple(
        providers.Plugin(name, f"onnxruntime_ep_{name}_broken", "9.9") for name in packages
    )
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [providers.CPU])
    monkeypatch.setattr(providers, "installed_plugins", lambda: plugins)
    monkeypatch.syspath_prepend(tmp_path)
    refused = effect(digits, tmp_path, "ep-context").refused
    assert refused.startswith("no device here writes compiled models; openvino: ")
    assert "a.so" in refused
    assert "webgpu" not in refused


@pytest.mark.usefixtures("npu")
def test_the_runtime_is_asked_to_write_one_file_for_the_device(digits, tmp_path, monkeypatch):
    asked = compiling(monkeypatch, "EPContext")
    assert effect(digits, tmp_path, "ep-context").touches == (
        "layers that qnn:0 supports, compiled for Hexagon (QNN)"
    )
    assert not asked
    new, made = converted(digits, tmp_path / "new", "ep-context")
    ((spec, config),) = asked
    assert spec.devices == ("qnn:0",)
    assert (config["ep.context_enable"], config["ep.context_embed_mode"]) == ("1", "1")
    assert made.devices == ("qnn:0",)
    assert made.notes == (
        "inspector compile does this and tells more.", "1 part compiled by qnn 2.0"
    )  # fmt: skip
    assert [path.name for path in new.parent.iterdir()] == ["model.onnx"]
    written = onnx.load(new)
    assert [node.op_type for node in written.graph.node] == ["EPContext"]
    assert METADATA_KEY in {entry.key for entry in written.metadata_props}
    assert effect(new, tmp_path, "ep-context").nothing == "the model is compiled already"
    with pytest.raises(BadInput, match="can be changed"):
        converted(digits, tmp_path / "more", "ep-context", "metadata:a=b")


@pytest.mark.usefixtures("npu")
@pytest.mark.parametrize("written", [None, "Relu"])
def test_a_model_of_which_nothing_was_compiled_is_no_result(
    digits, tmp_path, monkeypatch, written
):
    compiling(monkeypatch, written)
    with pytest.raises(BadInput, match="compiled no part of the model"):
        converted(digits, tmp_path / "new", "ep-context")


@pytest.mark.engine
def test_a_result_is_checked_on_the_device_that_it_is_for(digits):
    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    made = Conversion(digits, (), (), (), (), original=digits, devices=("absent:0",))
    with EngineProcess() as engine:
        checked = conversions.checked(engine, made, [feeds])
    assert all(
        "the devices of ONNX Runtime here are cpu" in level.problem for level in checked.levels
    )


@pytest.mark.engine
def test_a_model_is_saved_as_openvino_compiles_it(digits, tmp_path):
    pytest.importorskip("onnxruntime_ep_openvino")
    target = tmp_path / "new.onnx"
    step = "ep-context:openvino:0"
    said = output_of("convert", digits, step, "-o", target)
    assert "at 4 of 4 optimization levels on openvino:0" in said
    assert "same top class in 100.0% of rows" in said
    assert [node.op_type for node in onnx.load(target).graph.node] == ["EPContext"]
    assert "a part of it was compiled for OpenVINO" in errors_of("predict", target)
