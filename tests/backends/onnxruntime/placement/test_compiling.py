"""Models compiled for a device: by a provider that stands for one, and by QNN where it is."""

from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import onnx
import pytest
from onnx import helper

import inspector
from inspector.analysis.devices import compile_targets
from inspector.api import changing
from inspector.app.changing.compiling import compile_for
from inspector.app.measure import setup
from inspector.app.subjects import Subject
from inspector.backends.onnxruntime.placement import compiling
from inspector.backends.onnxruntime.sessions import devices, session
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.engine.requests import CheckSupport, CompileModel
from inspector.errors import BadInput, EngineDied
from inspector.formats.opening import open_model
from inspector.report.report_values import Support
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Source
from tests.command_line import errors_of, json_of, output_of
from tests.formats.tflite import build

CHIP = "qnn:sm8650"
BINARY = b"..;soc_type=SM8650;arch=75;.."


@pytest.fixture
def npu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have sessions write a model that keeps its last layer, as a provider would."""

    def create(model: bytes, spec: RunSpec, units: object, made: Path, folder: Path) -> object:
        whole = onnx.load_from_string(model)
        nodes = list(whole.graph.node)
        part = helper.make_node(
            "EPContext", ["picture"], [nodes[-1].input[0]], domain="com.microsoft",
            name="QNNExecutionProvider_1", ep_cache_context=BINARY, ep_sdk_version="v2",
            source=compile_targets.QNN,
        )  # fmt: skip
        del whole.graph.node[:]
        whole.graph.node.extend([part, nodes[-1]])
        made.write_bytes(whole.SerializeToString())
        removed = {node.name for node in nodes if node.op_type == "BatchNormalization"}
        taken = [node for node in nodes[:-1] if node.name not in removed]
        fused = [SimpleNamespace(name=f"fused {node.name}_token_1") for node in taken]
        return [
            SimpleNamespace(ep_name=compile_targets.QNN, get_nodes=lambda: fused),
            SimpleNamespace(ep_name="CPUExecutionProvider", get_nodes=lambda: nodes[-1:]),
        ]

    unit = DeviceHandle(compile_targets.device(CHIP, "qnn 2"), None)
    monkeypatch.setattr(devices, "resolve", lambda ids: (unit,))
    monkeypatch.setattr(session, "compiling_session", create)
    monkeypatch.setattr(session, "assignments", lambda parts: parts)


@pytest.mark.usefixtures("npu")
def test_it_says_which_layers_are_in_the_parts_and_the_others_keep_their_names(
    digits, tmp_path
):
    made = compiling.compiled(digits, RunSpec(devices=(CHIP,)), tmp_path)
    layers = open_model(digits).layers
    gone = {layer.operator for layer in layers} & {"BatchNormalization"}
    assert gone == {
        layer.operator for layer in layers if layer.index not in {*made.compiled, *made.left}
    }
    assert made.left == (len(layers) - 1,)
    assert (made.chip, made.sdk, made.parts) == ("SM8650 (Hexagon v75)", "v2", 1)
    (file,) = made.files
    written = onnx.load(tmp_path / file, load_external_data=False)
    assert [node.name for node in written.graph.node][1:] == [layers[-1].name]
    assert made.file_bytes == (tmp_path / file).stat().st_size
    with pytest.raises(BadInput, match="it is compiled"):
        compiling.compiled(tmp_path / file, RunSpec(devices=(CHIP,)), tmp_path)


@pytest.mark.parametrize(
    ("named", "device"),
    [
        ("Snapdragon 8 Gen 3", CHIP),
        ("snapdragon-8-gen-3", CHIP),
        ("SM8650", CHIP),
        (CHIP, CHIP),
        ("openvino:0", "openvino:0"),
    ],
)
def test_a_chip_goes_by_its_names(named, device):
    assert compile_targets.device_id(named) == device


def test_a_chip_that_is_not_here_is_not_measured(digits):
    subject = Subject.of(digits, open_model(digits), RunSpec(devices=(CHIP,)))
    with pytest.raises(BadInput, match="is not in this machine: its runs are emulated"):
        setup(subject)


def test_what_cannot_be_compiled_is_said(digits, tmp_path):
    listed = json_of("compile", "--list")
    assert CHIP in {chip["target"] for chip in listed["chips"]}
    assert compile_targets.QNN not in {each["provider"] for each in listed["devices"]}
    no_writer = errors_of("compile", digits, "--target", "cpu", "-o", tmp_path / "made.onnx")
    assert "does not write compiled models" in no_writer
    other = tmp_path / "m.tflite"
    other.write_bytes(build.adding())
    assert "only ONNX files are compiled" in errors_of("compile", other, "--target", CHIP)
    if find_spec("onnxruntime_qnn") is None:
        assert "pip install onnxruntime-qnn" in errors_of("compile", digits, "--target", CHIP)


def test_a_crash_is_one_of_the_library_that_compiles(digits, tmp_path):
    def call(request: object) -> None:
        died = EngineDied("Could not compile digits", "the runtime crashed", phase="compile")
        died.crash = "SIGSEGV"
        raise died

    subject = Subject.of(digits, open_model(digits), RunSpec())
    with pytest.raises(EngineDied) as caught:
        compile_for(SimpleNamespace(call=call), subject, "sm8650", tmp_path / "made.onnx")
    assert caught.value.why.startswith("Qualcomm's QNN library crashed (SIGSEGV)")
    assert not (tmp_path / "made.onnx").exists()


class _Engine:
    """Answers in this process, in which a provider has a stand-in."""

    def call(self, request: object) -> object:
        if isinstance(request, CompileModel):
            return compiling.compiled(request.model, request.spec, request.folder)
        assert isinstance(request, CheckSupport)
        reason = Support(Mark.UNSUPPORTED, Source.PROBED, "too large")
        return {name: dict.fromkeys(layers, reason) for name, layers in request.layers.items()}


@pytest.mark.usefixtures("npu")
def test_python_gets_what_the_command_prints(digits, tmp_path, monkeypatch):
    made = tmp_path / "made.onnx"
    monkeypatch.setattr(changing, "EngineProcess", lambda: nullcontext(_Engine()))
    found = inspector.compile_model(digits, "sm8650", output=made, dimensions={"batch": 2})
    last = open_model(digits).layers[-1].label
    assert (found.path, found.target, found.left) == (made, CHIP, {last: "too large"})
    plain = found.to_dict()
    assert (plain["output"], plain["lengths"]) == (str(made), {"batch": 2})
    with pytest.raises(BadInput, match="already exists"):
        inspector.compile_model(digits, "sm8650", output=made)


@pytest.mark.skipif(find_spec("onnxruntime_qnn") is None, reason="needs onnxruntime-qnn")
def test_qnn_compiles_for_the_chip_that_is_asked_for(digits, tmp_path):
    made = tmp_path / "made.onnx"
    told = json_of("compile", digits, "--target", "Snapdragon 8 Elite", "-o", made)
    assert told["chip"] == "SM8750 (Hexagon v79)"
    assert {layer["outcome"] for layer in told["layers"]} == {"compiled", "removed"}
    assert [node.op_type for node in onnx.load(made).graph.node] == ["EPContext"]
    run = f"model={made},device=qnn:sm8750"
    output_of("parity", digits, "--against", run, "--dim", "batch=1")
