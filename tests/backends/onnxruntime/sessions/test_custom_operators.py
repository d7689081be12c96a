"""Libraries with custom operators: the owner's choice, loaded in the confined engine."""

import shutil
import subprocess
from pathlib import Path

import msgspec
import numpy as np
import pytest
from onnx import helper, numpy_helper, save

from inspector.backends.onnxruntime.sessions import session
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import OpenWith
from inspector.errors import BadInput, InspectorError
from inspector.remote import messages
from inspector.render.code_languages import languages
from inspector.report.compatibility import RUNTIME
from inspector.report.improvement import Improvement
from inspector.report.run_spec import RunSpec
from tests import models
from tests.command_line import run

pytestmark = pytest.mark.engine
COMPILER = shutil.which("gcc") or shutil.which("cc")
FEEDS = {"x": np.ones(2, np.float32)}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    node = helper.make_node("Twice", ["x"], ["y"], domain="com.acme")
    ends = [models.value(n, [2]) for n in "xy"]
    save(models.model([node], ends[:1], ends[1:]), tmp_path / "m.onnx")
    return tmp_path / "m.onnx"


def refusal(model: Path, library: Path | None) -> InspectorError:
    spec = RunSpec(custom_ops=(str(library),) if library else ())
    with EngineProcess() as engine, pytest.raises(InspectorError) as caught:
        engine.predict(model, spec, FEEDS)
    return caught.value


def test_a_model_without_its_library_says_which_operator_it_needs(model):
    error = refusal(model, None)
    assert "operator Twice (domain 'com.acme')" in error.why
    assert "--custom-ops" in error.hint


def test_a_missing_or_wrong_library_is_told(model, tmp_path):
    error = refusal(model, tmp_path / "gone.so")
    assert isinstance(error, BadInput)
    assert "gone.so" in error.what
    assert error.why == "there is no such file"
    wrong = tmp_path / "wrong.so"
    wrong.write_text("not a library")
    error = refusal(model, wrong)
    assert isinstance(error, BadInput)
    assert "RegisterCustomOps" in error.hint


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_a_library_is_loaded_from_another_folder_in_the_confined_process(model, tmp_path):
    folder = tmp_path / "libraries"
    folder.mkdir()
    source, library = folder / "ops.c", folder / "ops.so"
    # It adds no operator, but the process ends with the status that it names.
    source.write_text(
        "#include <unistd.h>\nvoid *RegisterCustomOps(void *o, void *api) { _exit(77); }\n"
    )
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, source], check=True)
    assert "77" in str(refusal(model, library))


@pytest.mark.skipif(session.library() is None, reason="onnxruntime-extensions is absent")
def test_a_library_gives_a_model_its_operators(shared, tmp_path):
    copy = tmp_path / "other_name.so"
    found = session.library()
    assert found is not None
    shutil.copy(found, copy)
    with EngineProcess() as engine:
        path = shared / "real/bert_tokenizer_customop.onnx"
        feeds = {"text": np.array(["hello world"], object)}
        answer = engine.predict(path, RunSpec(custom_ops=(str(copy),)), feeds)
    assert answer.outputs[0].array.tolist() == [101, 19082, 1362, 102]


@pytest.mark.skipif(session.library() is None, reason="onnxruntime-extensions is absent")
def test_a_model_that_needs_a_library_is_improved_with_it(tmp_path):
    random = np.random.default_rng(0)
    nodes = [
        helper.make_node("MatMul", ["x", "w0"], ["a"], "first"),
        helper.make_node("NegPos", ["a"], ["n", "p"], "split", domain="ai.onnx.contrib"),
        helper.make_node("MatMul", ["p", "w1"], ["b"], "second"),
        helper.make_node("MatMul", ["n", "w2"], ["c"], "third"),
        helper.make_node("Add", ["b", "c"], ["y"], "sum"),
    ]
    weights = [random.normal(size=(64, 64)).astype(np.float32) / 8 for _ in range(3)]
    ends = [models.value(n, [1, 64]) for n in "xy"]
    tensors = [numpy_helper.from_array(each, f"w{n}") for n, each in enumerate(weights)]
    path = tmp_path / "m.onnx"
    save(models.model(nodes, ends[:1], ends[1:], tensors), path)
    for folder in ("test", "calibration"):
        (tmp_path / folder).mkdir()
        for number in range(2):
            values = random.normal(size=(1, 64)).astype(np.float32)
            np.save(tmp_path / folder / f"{number}.npy", values)
    copy = tmp_path / "other_name.so"
    shutil.copy(str(session.library()), copy)
    tries = ("float16", "int8", "int8-dynamic", "int8-qoperator")
    done = run(
        "improve", path, "--test", tmp_path / "test", "--calibration",
        tmp_path / "calibration", "--custom-ops", copy, "--processes", 0, "--goal", "size",
        "--max-loss", "any", "--json", *(part for name in tries for part in ("--try", name)),
    )  # fmt: skip
    state = msgspec.json.decode(done.stdout, type=Improvement)
    assert [each.problem for each in state.candidates] == [""] * len(tries)
    assert all((each.sqnr_db or 0) > 30 for each in state.candidates)
    assert all(each.layers for each in state.candidates)
    assert f"--custom-ops {copy}" in state.command(state.candidates[0])


def test_the_commands_pass_it_on_as_a_whole_path(model, tmp_path):
    (tmp_path / "inputs").mkdir()
    np.save(tmp_path / "inputs/a.npy", FEEDS["x"])
    commands = (
        ("predict", model),
        ("measure", model),
        ("layers", model),
        ("improve", model, "--test", tmp_path / "inputs"),
        ("convert", model, "metadata:a=b", "-o", tmp_path / "new.onnx"),
    )
    for command in commands:
        done = run(*command, "--custom-ops", "gone.so")
        assert done.returncode == 1
        assert "gone.so" in done.stderr
        assert "no such file" in done.stderr


def test_the_check_of_programs_gives_it_to_the_runtime(model, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")  # the newest pytest sets 80
    done = run("info", model, "--validate")
    told = " ".join(done.stdout.split())
    assert "custom operators, from the author of the model (--custom-ops)" in told
    with EngineProcess() as engine:
        without = engine.call(OpenWith(model, RUNTIME))
        given = engine.call(OpenWith(model, RUNTIME, libraries=(str(tmp_path / "gone.so"),)))
    assert "Twice" in without.why
    assert "no such file" in given.why


def test_it_stays_on_this_machine_and_is_in_the_code_of_the_session():
    spec = RunSpec(custom_ops=("/lib/ops.so",))
    with pytest.raises(BadInput):
        messages.settings_of(spec)
    line = 'options.register_custom_ops_library("/lib/ops.so")'
    assert line in languages()["Python"].session_code(spec, "m.onnx")
