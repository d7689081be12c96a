"""Models that do not load: the layer to blame, by the model's name for it."""

from pathlib import Path

import onnx
import pytest

from inspector.backends.onnxruntime.placement.failing_layer import device_failure
from inspector.backends.onnxruntime.predictions import naming_failed_layers
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import DeviceFailed, EngineFailed, InspectorError
from inspector.model.model import Layer
from inspector.report.run_spec import Dimension, ProviderOption, RunSpec

pytestmark = pytest.mark.engine
FUSED = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[n,4] x, float[k,m] w, float[m] v) => (float[a,b] y) {
      [times] h = MatMul(x, w) [plus] g = Add(h, v) [cut] y = Relu(g) }"""
LENGTHS = (Dimension("n", 3), Dimension("k", 5), Dimension("m", 2))


def failure(path: Path, text: str, spec: RunSpec) -> EngineFailed:
    onnx.save(onnx.parser.parse_model(text), path)
    with pytest.raises(EngineFailed) as told, naming_failed_layers(path, spec, {}):
        create_session(path, spec, devices.resolve(spec.devices))
    return told.value


def test_a_node_that_the_optimiser_made_is_told_as_the_layer_it_came_from(tmp_path):
    told = failure(tmp_path / "net.onnx", FUSED, RunSpec(dimensions=LENGTHS))
    assert told.why == (
        "the shapes of the layer's inputs do not match: an axis has size 5 in one and 4 in the "
        "other (in layer 'times' (MatMul))"
    )
    assert not isinstance(told, DeviceFailed)


def second_device() -> None:
    try:
        devices.resolve(["webgpu:0"])
    except InspectorError as error:
        pytest.skip(f"no second device here: {error.why}")


def test_a_device_is_not_blamed_for_what_the_cpu_does_not_load_either(tmp_path):
    second_device()
    spec = RunSpec(devices=("webgpu:0",), dimensions=LENGTHS)
    told = failure(tmp_path / "net.onnx", FUSED, spec)
    assert told.why.endswith("between 5 and 4 (in layer 'times' (MatMul))")
    assert not isinstance(told, DeviceFailed)


def test_a_device_that_its_options_keep_from_loading_is_told_without_a_layer(tmp_path):
    second_device()
    option = ProviderOption("preferredLayout", "sideways")
    spec = RunSpec(devices=("webgpu:0",), provider_options=(option,))
    told = failure(tmp_path / "net.onnx", FUSED, spec)
    assert told.why.startswith("WebGPU cannot load the model, but the CPU can: ")
    assert not isinstance(told, DeviceFailed)


NAMES = ("a", "b", "", "b", "e")
LAYERS = tuple(Layer(n, name, "Resize", "", (), ()) for n, name in enumerate(NAMES))
REFUSED = EngineFailed("Could not load", "no room in Resize (in Resize n3)", "", "load")


def test_layers_whose_session_a_device_cannot_make_are_named_with_a_way_out():
    told = device_failure(REFUSED, LAYERS, "webgpu:0", (0, 1, 2, 4))
    assert isinstance(told, DeviceFailed)
    assert told.why == (
        "WebGPU accepted layer 'a' (Resize), layer 'b' (Resize), layer 2 (Resize) and 1 other, "
        "then failed: no room in Resize"
    )
    assert told.hint.startswith("Force them to the CPU with --on-cpu 'a,1,Resize 2'; ")
    assert (told.device, told.layers, told.reason) == (
        "webgpu:0", (0, 1, 2, 4), "no room in Resize",
    )  # fmt: skip


def test_without_a_layer_to_blame_only_the_device_is_told():
    told = device_failure(REFUSED, LAYERS, "webgpu:0", ())
    assert told.why == "WebGPU cannot load the model, but the CPU can: no room in Resize"
    assert not isinstance(told, DeviceFailed)
