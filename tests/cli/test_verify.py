import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector import cli
from inspector.engine.process import EngineProcess
from inspector.errors import BadInput, EngineFailed
from inspector.preview import expected
from inspector.readers import open_model
from inspector.report import RunSpec

pytestmark = pytest.mark.engine
RANDOM = ("bernoulli", "dropout", "random")
# float32 sums of the runtime's transform come within 1e-3 where zero is expected.
TRANSFORMS = ("dft", "stft")
# The runtime masks by the lowest number where ONNX expects minus infinity.
MASKED = ("qk_matmul",)


@pytest.fixture
def doubling(tmp_path: Path) -> Path:
    """A model that doubles, with a data set beside it that agrees and one that does not."""
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["n"]) for n in "xy"]
    graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "g", *zip(values))
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "m.onnx")
    rows = np.arange(4, dtype=np.float32)
    for number, answer in enumerate((rows * 2, rows * 2 + np.float32([0, 0, 1, 0]))):
        folder = tmp_path / f"test_data_set_{number}"
        folder.mkdir()
        (folder / "input_0.pb").write_bytes(numpy_helper.from_array(rows).SerializeToString())
        (folder / "output_0.pb").write_bytes(
            numpy_helper.from_array(answer).SerializeToString()
        )
    return tmp_path / "m.onnx"


def test_a_model_that_answers_as_expected_passes(
    doubling: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["verify", str(doubling), str(doubling.parent / "test_data_set_0")]) == 0
    assert capsys.readouterr().out.startswith("pass  test_data_set_0")


def test_one_that_does_not_fails_and_tells_where(
    doubling: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["verify", str(doubling), "--json"]) == 1
    told = capsys.readouterr()
    answer = json.loads(told.out)
    assert answer["schema"] == "verification/1"
    assert [data["passed"] for data in answer["data_sets"]] == [True, False]
    assert answer["data_sets"][1]["outputs"][0]["worst"] == [2]
    assert "1 of 2 data sets" in told.err
    assert cli.run(["verify", str(doubling), "--atol", "2"]) == 0


def test_without_data_there_is_nothing_to_hold_against(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["verify", str(samples / "digits_float32.onnx")]) == 1
    assert "test_data_set" in capsys.readouterr().err


def test_the_answers_of_other_tools_are_met(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real, data = shared / "real", shared / "media/testdata"
    for model, folder in (
        ("mobilenet_qdq_int8_maui", "mobilenet_qdq_int8_maui"),
        ("tract_byte_sentence_boundary_bilstm", "tract_byte_sb_bidi_lstm_io.npz"),
        ("xgboost_classifier_tree", "tract_xgboost_classifier_tree_io.npz"),
    ):
        assert cli.run(["verify", str(real / f"{model}.onnx"), str(data / folder)]) == 0


def body(value: Any) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, onnx.TensorProto):
        return bytes(value.SerializeToString())
    if isinstance(value, list):
        return bytes(numpy_helper.from_list(value).SerializeToString())
    return bytes(numpy_helper.from_array(np.asarray(value)).SerializeToString())


def stored(case: Any, folder: Path) -> Path:
    """Lay one of ONNX's own tests into a folder, as its authors publish them."""
    data = folder / case.name / "test_data_set_0"
    data.mkdir(parents=True)
    onnx.save(case.model, data.parent / "model.onnx")
    for side, values in zip(("input", "output"), case.data_sets[0], strict=True):
        for number, value in enumerate(values):
            written = body(value)
            if written is not None:
                (data / f"{side}_{number}.pb").write_bytes(written)
    return data


def checked(cases: list[Any], folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Names with what is wrong, and with the reason why they could not be checked."""
    wrong, refused = {}, {}
    with EngineProcess() as engine:
        for case in cases:
            data = stored(case, folder)
            path = data.parent / "model.onnx"
            try:
                model = open_model(path)
                held = expected.read(data, model.inputs, model.outputs)
                answer = engine.predict(path, RunSpec(devices=("cpu",)), held.feeds)
            except (EngineFailed, BadInput) as error:
                refused[case.name] = error.why
                continue
            loose = 1e-3 if any(word in case.name for word in TRANSFORMS) else case.atol
            found = expected.compare(held, answer.outputs, atol=loose)
            told = "; ".join(d.words() for d in found if not d.passed)
            lowest = "instead of -inf" in told and any(word in case.name for word in MASKED)
            if told and not lowest and not any(word in case.name for word in RANDOM):
                wrong[case.name] = told
    return wrong, refused


def cases() -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's, while the expected values are computed
        from onnx.backend.test.case.node import collect_testcases

        return list(collect_testcases(None))


@pytest.mark.slow
def test_every_operator_test_of_onnx_that_runs_is_met(tmp_path: Path) -> None:
    wrong, refused = checked(cases(), tmp_path)
    assert wrong == {}
    assert all(refused.values())


@pytest.mark.parametrize(
    "name", ["test_attention_4d_causal", "test_argmax_no_keepdims_random_select_last_index"]
)
def test_operator_tests_as_they_are_published_are_met(
    name: str, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "odd/onnx-node" / name
    assert cli.run(["verify", str(folder / "model.onnx")]) == 0
