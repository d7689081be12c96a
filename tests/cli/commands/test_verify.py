import json
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from benchmarks import backend
from inspector.backends import machine
from inspector.cli import main
from inspector.formats.opening import open_model
from tests import models
from tests.command_line import errors_of, json_of, output_of, run

pytestmark = pytest.mark.engine


@pytest.fixture
def doubling(tmp_path: Path) -> Path:
    """A model that doubles, with a data set beside it that agrees and one that does not."""
    ends = [[models.value(n, ["n"])] for n in "xy"]
    path = models.save(tmp_path / "m.onnx", [helper.make_node("Add", ["x", "x"], ["y"])], *ends)
    rows = np.arange(4, dtype=np.float32)
    for number, answer in enumerate((rows * 2, rows * 2 + np.float32([0, 0, 1, 0]))):
        folder = tmp_path / f"test_data_set_{number}"
        folder.mkdir()
        for side, array in (("input", rows), ("output", answer)):
            stored = numpy_helper.from_array(array).SerializeToString()
            (folder / f"{side}_0.pb").write_bytes(stored)
    return path


def test_a_model_that_answers_as_expected_passes(doubling):
    said = output_of("verify", doubling, doubling.parent / "test_data_set_0")
    assert "Passes: 1 of 1 data set" in said


def test_one_that_does_not_fails_and_tells_where(doubling):
    told = run("verify", doubling, "--json")
    answer = json.loads(told.stdout)
    assert (told.returncode, answer["schema"]) == (1, "verification/1")
    assert [data["passed"] for data in answer["data_sets"]] == [True, False]
    assert answer["data_sets"][1]["outputs"][0]["worst"] == [2]
    assert "1 of 2 data sets" in told.stderr
    assert main.run(["verify", str(doubling), "--atol", "2"]) == 0


def test_without_data_there_is_nothing_to_hold_against(samples):
    assert "test_data_set" in errors_of("verify", samples / "digits_float32.onnx")


@pytest.mark.parametrize("flags", ["avx2", "avx2 avx_vnni"])
def test_a_cpu_without_an_int8_dot_product_is_a_reason_why_an_int8_model_differs(
    flags, samples, tmp_path, monkeypatch
):
    (tmp_path / "cpuinfo").write_text(f"flags\t\t: {flags}\n")
    monkeypatch.setattr(machine, "_CPU_INFO", tmp_path / "cpuinfo")
    data = tmp_path / "other.npz"
    np.savez(data, picture=np.zeros((1, 1, 8, 8), np.float32), probabilities=np.ones((1, 10)))
    told = errors_of("verify", samples / "digits_int8_qdq.onnx", data)
    assert ("This CPU has no int8 dot product" in told) == (flags == "avx2")
    assert ("--atol" in told) == (flags == "avx2")


def test_the_answers_of_other_tools_are_met(shared):
    real, data = shared / "real", shared / "media/testdata"
    for model, folder in (
        ("mobilenet_qdq_int8_maui", "mobilenet_qdq_int8_maui"),
        ("tract_byte_sentence_boundary_bilstm", "tract_byte_sb_bidi_lstm_io.npz"),
        ("xgboost_classifier_tree", "tract_xgboost_classifier_tree_io.npz"),
    ):
        signed = open_model(real / f"{model}.onnx")
        if machine.int8_notes([(signed, ("cpu",))]):
            continue  # it was recorded on a CPU that adds int8 products in 32 bits
        assert main.run(["verify", str(real / f"{model}.onnx"), str(data / folder)]) == 0


def test_sequences_whose_tensors_differ_in_shape_are_held_against_each_other(tmp_path):
    tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    sequence = helper.make_sequence_type_proto(tensor)
    given, got = (helper.make_value_info(name, sequence) for name in ("many", "more"))
    one = models.value("one", [None])
    node = helper.make_node("SequenceInsert", ["many", "one"], ["more"])
    models.save(tmp_path / "m.onnx", [node], [given, one], [got])
    rows = [np.arange(length, dtype=np.float32) for length in (2, 3, 4)]
    for number, wanted in enumerate((rows, [*rows[:2], rows[2] + 1], rows[:2])):
        folder = tmp_path / f"test_data_set_{number}"
        folder.mkdir()
        for name, value in (
            ("input_0", numpy_helper.from_list(rows[:2])),
            ("input_1", numpy_helper.from_array(rows[2])),
            ("output_0", numpy_helper.from_list(wanted)),
        ):
            (folder / f"{name}.pb").write_bytes(value.SerializeToString())
    told = json_of("verify", tmp_path / "m.onnx", status=1)["data_sets"]
    assert [one["passed"] for one in told] == [True, False, False]
    assert "3 tensors, expected 2" in told[2]["outputs"][0]["problem"]


@pytest.mark.slow
def test_every_operator_test_of_onnx_that_runs_is_met(tmp_path):
    found = backend.outcomes(backend.cases(), tmp_path)
    assert [one for one in found if one.kind == backend.MISSED] == []
    assert sum(one.kind == backend.PASSED for one in found) > 1400


@pytest.mark.slow
@pytest.mark.parametrize("part", ["sequence_map_add_2", "sequence_insert_at_back", "if_opt"])
def test_sequences_of_other_shapes_and_optionals_are_met(part, tmp_path):
    found = backend.outcomes(backend.cases(part), tmp_path)
    assert found
    assert {one.kind for one in found} <= {backend.PASSED, backend.REFUSED}
    assert backend.PASSED in {one.kind for one in found}


@pytest.mark.parametrize(
    "name", ["test_attention_4d_causal", "test_argmax_no_keepdims_random_select_last_index"]
)
def test_operator_tests_as_they_are_published_are_met(name, shared):
    folder = shared / "odd/onnx-node" / name
    assert main.run(["verify", str(folder / "model.onnx")]) == 0
