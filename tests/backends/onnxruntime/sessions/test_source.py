import pytest

from inspector.backends.onnxruntime.sessions import devices, session
from inspector.errors import BadInput
from inspector.report.run_spec import ProviderOption, RunSpec
from tests.engine.small_models import linear


def test_a_processor_keeps_nothing_compiled(tmp_path):
    model = linear(tmp_path / "linear.onnx")
    spec = RunSpec(load_from="compiled")
    with pytest.raises(BadInput, match="cpu does not save compiled models") as refused:
        session.compile_model(model, spec, devices.resolve(["cpu"]), tmp_path)
    assert refused.value.hint == "Load it from its path."


def test_a_way_of_loading_that_is_not_known_is_named(tmp_path):
    with pytest.raises(BadInput, match="path, bytes, reader, compiled"):
        session.model_source(tmp_path, RunSpec(load_from="tape"))


def test_options_for_no_device_are_refused_with_a_sentence(tmp_path):
    model = linear(tmp_path / "linear.onnx")
    spec = RunSpec(provider_options=(ProviderOption("device_type", "NPU"),))
    with pytest.raises(BadInput, match="'device_type': the CPU has no options") as refused:
        session.create_session(model, spec, devices.resolve(["cpu"]))
    assert "--device" in refused.value.hint
