"""Sessions made in this process, which the window never does."""

import sys

import numpy as np
import pytest

from inspector.backends.onnxruntime.sessions import devices, session
from inspector.backends.values import confinement_notes
from inspector.errors import BadInput, EngineFailed
from inspector.report.report import Device
from inspector.report.run_spec import Dimension, RunSpec
from inspector.sandbox.confinement import FULL, NO_CONFINEMENT
from tests.engine import small_models

pytestmark = pytest.mark.engine
X = np.array([[1, 2, 3, 4]], np.float32)


@pytest.fixture(scope="module")
def cpu():
    return devices.resolve(["cpu"])


@pytest.fixture
def linear(tmp_path):
    return small_models.linear(tmp_path / "linear.onnx")


def test_a_device_asked_for_twice_is_one():
    assert len(devices.resolve(["cpu", "cpu"])) == 1


def test_no_device_at_all_means_the_processor(linear):
    made = session.create_session(linear, RunSpec(devices=()), ())
    assert made.get_providers() == ["CPUExecutionProvider"]
    assert session.devices_of(made, ()) == ("cpu",)


def test_a_model_may_be_given_as_bytes(linear, cpu):
    made = session.create_session(linear.read_bytes(), RunSpec(), cpu)
    assert made.run(None, {"x": X})[0].shape == (1, 3)


def test_a_file_too_large_for_the_runtime_runs_with_itself_as_side_file(
    tmp_path, cpu, monkeypatch
):
    weights = np.random.default_rng(0).normal(size=(4, 1000)).astype(np.float32)
    model = small_models.linear(tmp_path / "large.onnx", weights)
    expected = session.create_session(model, RunSpec(), cpu).run(None, {"x": X})[0]
    assert session.loading_notes(model) == ()
    monkeypatch.setattr(session, "MAX_FILE_BYTES", 1000)
    (note,) = session.loading_notes(model)
    assert "load time and memory are for this method" in note
    made = session.create_session(model, RunSpec(), cpu)
    assert np.array_equal(made.run(None, {"x": X})[0], expected)
    entry = made.get_session_options().get_session_config_entry(session.SIDE_FILES)
    assert entry == str(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_large_model_that_is_a_link_into_a_store_runs_too(tmp_path, cpu, monkeypatch):
    (tmp_path / "blobs").mkdir()
    (tmp_path / "snapshot").mkdir()
    weights = np.random.default_rng(0).normal(size=(4, 1000)).astype(np.float32)
    real = small_models.linear(tmp_path / "blobs" / "ab12", weights)
    link = tmp_path / "snapshot" / "model.onnx"
    link.symlink_to(real)
    expected = session.create_session(real, RunSpec(), cpu).run(None, {"x": X})[0]
    monkeypatch.setattr(session, "MAX_FILE_BYTES", 1000)
    made = session.create_session(link, RunSpec(), cpu)
    assert np.array_equal(made.run(None, {"x": X})[0], expected)


def test_the_runtimes_own_settings_are_passed_on(linear, cpu):
    settings = {"session.intra_op.allow_spinning": "0"}
    made = session.create_session(linear, RunSpec(threads=3), cpu, config=settings)
    options = made.get_session_options()
    assert options.intra_op_num_threads == 3
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_the_profile_and_the_optimised_graph_go_where_they_are_told(tmp_path, linear, cpu):
    graph = tmp_path / "optimised.onnx"
    prefix = tmp_path / "profile"
    made = session.create_session(
        linear, RunSpec(), cpu, profile_prefix=prefix, optimized_path=graph
    )
    made.run(None, {"x": X})
    assert made.end_profiling().startswith(str(prefix))
    assert graph.is_file()


def test_a_negative_length_is_a_wrong_setting(linear, cpu):
    with pytest.raises(BadInput, match="a size cannot be negative"):
        session.create_session(linear, RunSpec(dimensions=(Dimension("n", -1),)), cpu)


def test_a_device_that_the_runtime_leaves_out_is_an_error(linear):
    ghost = devices.DeviceHandle(
        Device("ghost", "Ghost", "gpu", "AzureExecutionProvider"), None
    )
    made = session.create_session(linear, RunSpec(), [ghost])
    assert session.notes_of(made, [ghost]) == ("No layer runs on ghost.",)
    nobody = devices.DeviceHandle(Device("cuda", "CUDA", "gpu", "CUDAExecutionProvider"), None)
    with (
        pytest.warns(UserWarning, match="not in available provider names"),
        pytest.raises(EngineFailed, match="ignored CUDA without reporting an error"),
    ):
        session.create_session(linear, RunSpec(), [nobody])


def test_less_than_full_confinement_is_told():
    assert confinement_notes(FULL) == ()
    assert confinement_notes(NO_CONFINEMENT) == (
        "The engine process could access files and the network: there was no sandbox.",
    )
