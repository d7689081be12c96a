"""inspector convert: what it writes, says and refuses."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

from inspector.app.changing import conversion_remedies
from inspector.cli.main import run
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS, actions_for
from inspector.engine.client.single_child import EngineProcessOwner
from inspector.engine.requests import Convert
from inspector.pages.conversion import size_change
from inspector.wording.values import ENGLISH
from tests import models
from tests.command_line import errors_of, json_of, output_of
from tests.conftest import ROOT
from tests.conversion.conversions import saved

pytestmark = pytest.mark.engine


def test_a_part_gets_what_it_gets_in_the_whole_as_a_test_case(digits, tmp_path):
    part, case = tmp_path / "part.onnx", tmp_path / "case.npz"
    picture = ROOT / "sample_models/inputs/digit_3.png"
    cut = ("convert", digits, "extract:inputs=block1/conv,outputs=block2/relu", "-o", part)
    said = output_of(*cut, "--save-case", case, "--input", picture)
    assert f"Saved {part} and {case}" in said
    held = np.load(case)
    options = onnxruntime.SessionOptions()
    session = onnxruntime.InferenceSession(part.read_bytes(), options)
    ((given,), (gives,)) = session.get_inputs(), session.get_outputs()
    (answer,) = session.run([gives.name], {given.name: held[given.name]})
    assert np.allclose(answer, held[gives.name], rtol=1e-4, atol=1e-4)
    assert held[given.name].std() > 0.1, "the picture went through the layers before"
    assert "1 of 1 data set" in output_of("verify", part, case)
    part.unlink()
    assert "case.npz already exists" in errors_of(*cut, "--save-case", case)


def test_a_model_is_converted_checked_and_saved(digits, tmp_path, monkeypatch):
    started, start = list[object](), EngineProcessOwner._start

    def counted(self: EngineProcessOwner, *arguments: Any) -> object:
        started.append(arguments)
        return start(self, *arguments)

    source, target = digits.read_bytes(), tmp_path / "small.onnx"
    caution = "Most CPUs have no float16 kernels: there, float16 saves space but may be slower."
    assert caution in output_of("convert", digits, "--plan")
    monkeypatch.setattr(EngineProcessOwner, "_start", counted)
    said = output_of("convert", digits, "float16", "-o", target)
    assert len(started) == 2  # one keeps the original open, one the result
    assert caution in said
    assert "Opens and runs  at 4 of 4 optimization levels" in said
    assert "\nNo verdict from only 1 random input" in said
    assert "; same top class" in said
    assert target.stat().st_size < 0.6 * len(source)
    assert digits.read_bytes() == source
    assert "small.onnx already exists" in errors_of("convert", digits, "float16", "-o", target)
    shown = errors_of("convert", digits, "float16", "-o", digits, "--overwrite")
    assert "the output would overwrite the model" in shown


@pytest.mark.parametrize(
    ("steps", "same"),
    [
        (["rename:picture=image", "fix-axes:batch=2", "float16:keep-io=no"], "probabilities"),
        *(
            pytest.param(steps, same, marks=pytest.mark.slow)
            for steps, same in [
                (["float16:keep-io=no"], "probabilities"),
                (["fix-axes:batch=3"], "probabilities"),
                (["rename:picture=image,probabilities=scores"], "scores"),
                (["extract:inputs=block1/conv,outputs=block2/relu"], "block2/relu_output"),
            ]
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_model_with_other_inputs_is_checked_with_inputs_that_fit(
    digits, tmp_path, steps, same
):
    target = tmp_path / "new.onnx"
    told = json_of("convert", digits, *steps, "-o", target)
    assert [level["problem"] for level in told["levels"]] == [""] * 4
    (output,) = told["outputs"]
    assert output["name"] == same
    assert output["difference"]["sqnr_db"] is None or output["difference"]["sqnr_db"] > 40
    assert output["difference"]["cosine"] > 0.999


def test_where_nothing_is_to_do_the_model_is_copied_or_the_status_is_4(digits, tmp_path):
    target = tmp_path / "new.onnx"
    command = ["convert", str(digits), "weights-not-inputs", "-o", str(target)]
    said = output_of(*command)
    assert "\nNothing to do: no step changes the model.\n" in said
    assert "nothing to do: no weight is an input" in said
    assert target.read_bytes() == digits.read_bytes()
    target.write_bytes(b"made before")
    body = json_of(*command, "--overwrite")
    assert (body["unchanged"], body["output"], body["status"]) == (True, str(target), 0)
    assert target.read_bytes() == digits.read_bytes()
    assert {body["size_before_bytes"], body["size_after_bytes"]} == {target.stat().st_size}
    target.write_bytes(b"made before")
    shown = output_of(*command, "--overwrite", "--no-copy", status=4)
    assert f"Nothing was saved. {target} is an older file." in shown
    assert target.read_bytes() == b"made before"


def test_a_copy_of_a_model_with_weights_beside_it_needs_no_other_file(digits, tmp_path):
    split, target = tmp_path / "split.onnx", tmp_path / "one" / "new.onnx"
    target.parent.mkdir()
    assert run(["convert", str(digits), "external-data", "-o", str(split)]) == 0
    assert run(["convert", str(split), "weights-not-inputs", "-o", str(target)]) == 0
    onnx.load(target)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [(1000, 360, "−64.0%"), (1000, 990, "−1.0%"), (1000, 995, "−5 B"),
     (1000, 1000, "unchanged"),
     (10_000_000, 10_002_048, "+2.00 KiB")],
)  # fmt: skip
def test_a_small_change_of_the_size_is_no_zero(before, after, text):
    assert ENGLISH.text(size_change(before, after)) == text


def test_int8_without_typical_inputs_is_refused_with_what_to_do(digits, tmp_path):
    target = tmp_path / "new.onnx"
    command = ["convert", str(digits), "int8", "-o", str(target)]
    said = errors_of(*command)
    assert "--calibration FOLDER" in said
    assert "--calibration FOLDER" in errors_of(*command, "--sensitivity")
    assert not target.exists()
    made_up = next(word.strip("'") for word in said.split() if word.startswith("'int8:"))
    body = json_of("convert", digits, made_up, "-o", target)
    assert (body["calibration_made_up"], body["verdict"], body["outputs"]) == (True, None, [])
    assert "random inputs. Use the new model to measure speed" in body["verdict_text"]
    assert target.exists()


@pytest.fixture
def noises(tmp_path: Path) -> Path:
    """A folder of 6 inputs for `head`."""
    folder = tmp_path / "noises"
    folder.mkdir()
    for seed in range(6):
        values = np.random.default_rng(seed).random((1, 3, 16, 16), "f4")
        np.save(folder / f"{seed}.npy", values)
    return folder


@pytest.fixture
def head(tmp_path: Path) -> Path:
    """A model whose output has boxes in pixels and scores, as detectors have them."""
    random = np.random.default_rng(0)

    def weight(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype("f4")

    make = onnx.helper.make_node
    nodes = [
        make("Conv", ["x", "w"], ["c"], strides=[4, 4]),
        make("Relu", ["c"], ["r"]),
        make("Conv", ["r", "wb"], ["b"]),
        make("Conv", ["r", "ws"], ["s"]),
        make("Mul", ["b", "large"], ["pixels"]),
        make("Sigmoid", ["s"], ["scores"]),
        make("Concat", ["pixels", "scores"], ["y"], axis=1),
    ]
    weights = {"w": weight(8, 3, 4, 4), "wb": weight(4, 8, 1, 1), "ws": weight(3, 8, 1, 1)}
    ends = [models.value("x", [1, 3, 16, 16])], [models.value("y", [1, 7, 4, 4])]
    weights["large"] = np.float32(500)
    return models.save(tmp_path / "head.onnx", nodes, *ends, weights)


def test_a_result_that_answers_otherwise_is_saved_only_if_accepted(head, noises, tmp_path):
    target = tmp_path / "new.onnx"
    target.write_bytes(b"made before")
    command = ["convert", str(head), "int8-qoperator", "-o", str(target), "--overwrite"]
    command += ["--calibration", str(noises)]
    said = output_of(*command, status=3)
    assert "Do not ship this" in said.splitlines()[1]
    assert "4 to 6 of y are always 0" in said.splitlines()[1]
    assert f"Nothing was saved. {target} is an older file." in said
    assert target.read_bytes() == b"made before"
    body = json_of(*command, "--accept")
    verdict = body["verdict"]
    assert (verdict["level"], verdict["held_out"], verdict["inputs"]) == ("destroyed", False, 6)
    assert body["output"] == str(target)
    onnx.load(target)


def test_what_helps_against_destroyed_answers_is_tried_and_can_be_pasted(
    head, noises, tmp_path
):
    target = tmp_path / "new.onnx"
    command = ["convert", str(head), "int8-qoperator", "-o", str(target)]
    command += ["--calibration", str(noises)]
    lines = output_of(*command, status=3).splitlines()
    (said,) = [line for line in lines if line.startswith("With int8 instead: ")]
    words = shlex.split(lines[lines.index("To convert this way:") + 1])
    assert words[:3] == ["inspector", "convert", str(head)]
    assert not target.exists()
    assert output_of(*words[1:]).splitlines()[1] == said.partition(": ")[2]
    onnx.load(target)


def test_where_nothing_helps_the_layers_that_cause_it_can_be_found(
    head, noises, tmp_path, monkeypatch
):
    bad = (parse_step("int8-qoperator:per-channel=no", ACTIONS),)
    monkeypatch.setattr(conversion_remedies, "alternatives", lambda _: iter([bad]))
    command = ["convert", str(head), "int8-qoperator", "--calibration", str(noises)]
    said = output_of(*command, "-o", tmp_path / "new.onnx", status=3)
    assert f"Tried on the same inputs, and not right either: {bad[0].text}." in said
    paste = f"inspector convert {head} int8-qoperator --calibration {noises} --sensitivity"
    assert f"To find the layers that cause it:\n  {paste}\n" in said


def test_a_condition_that_holds_saves_nothing_and_is_status_3(head, noises, tmp_path):
    target = tmp_path / "new.onnx"
    command = ["convert", str(head), "float16", "-o", str(target), "--test", str(noises)]
    assert "Fails for y" in output_of(*command, "--fail-if", "psnr<200", status=3)
    assert not target.exists()
    said = output_of(*command, "--fail-if", "psnr<30")
    assert "on 6 typical inputs" in said.splitlines()[1]
    assert "psnr<30         Passes" in said
    assert target.exists()


def test_a_model_that_does_not_run_here_can_be_edited(head, tmp_path):
    model = onnx.load(head)
    model.graph.node[0].name = model.graph.node[1].name = "same"
    model.graph.value_info.append(onnx.helper.make_tensor_value_info("c", 1, [1, 9, 4, 4]))
    onnx.save(model, head)
    edited, repaired = tmp_path / "edited.onnx", tmp_path / "repaired.onnx"
    said = output_of("convert", head, "metadata:author=me", "-o", edited)
    assert "No verdict: the original does not run here because" in said
    assert "The result does not run either." in said
    assert {entry.key for entry in onnx.load(edited).metadata_props} >= {"author"}
    said = output_of("convert", head, "repair", "-o", repaired)
    assert "1 layer renamed, 1 wrong shape corrected" in said
    assert "Opens and runs  at 4 of 4 optimization levels" in said
    assert run(["convert", str(head), "float16", "-o", str(edited), "--fail-if", "psnr<9"]) == 1
    again = ["convert", str(head), "metadata:a=b", "-o", str(tmp_path / "new.onnx")]
    assert "Not judged" in output_of(*again, "--fail-if", "psnr<9", status=3)


def test_a_saved_recipe_makes_the_same_file_again(digits, tmp_path):
    steps = ["opset:to=19", "rename-layers:stem/conv=first", "metadata:author=me"]
    recipe = str(tmp_path / "recipe.json")
    first, second = tmp_path / "first.onnx", tmp_path / "second.onnx"
    done = run(["convert", str(digits), *steps, "-o", str(first), "--save-recipe", recipe])
    assert done == 0
    assert run(["convert", str(digits), "--recipe", recipe, "-o", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    assert "inspector.recipe" in {entry.key for entry in onnx.load(first).metadata_props}


def test_a_plan_says_what_each_action_would_do_and_writes_nothing(digits):
    plan = json_of("convert", digits, "--plan")
    said = {entry["action"]: entry for entry in plan["actions"]}
    assert said.keys() == actions_for("onnx").keys()
    assert said["float16"]["bytes_after"] < said["float16"]["bytes_before"]
    assert said["fix-axes"]["needs"].startswith("sizes")
    # After a step, the next ones are planned for its result.
    assert "the model already uses float16" in output_of("convert", digits, "float16", "--plan")


def test_the_list_names_every_action_and_its_options():
    said = output_of("convert", "--list")
    assert "ep-context" not in said, "`inspector compile` took its place"
    for action in actions_for("onnx").values():
        assert f"\n{action.id} " in said
        assert all(f"\n  {option.name} " in said for option in action.options)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("float", "there is no such action"),
        ("float16:keep-io=maybe", "the value must be yes or no"),
        ("float16:nothing=1", "this action has no option 'nothing'"),
        ("opset:to=many", "the value must be a whole number"),
        ("fix-axes:batch", "does not have the form NAME=VALUE"),
        ("fix-axes:time=4", "the model has no dynamic axis 'time'"),
    ],
)
def test_a_step_that_does_not_fit_is_refused(digits, tmp_path, step, why):
    target = tmp_path / "new.onnx"
    told = errors_of("convert", digits, step, "-o", target)
    assert why in told
    assert "Traceback" not in told
    assert not target.exists()


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_full_disk_leaves_the_model_and_the_earlier_result(digits, tmp_path):
    source, target = digits.read_bytes(), tmp_path / "new.onnx"
    target.write_text("earlier")
    command = ["convert", str(digits), "metadata:a=b", "-o", str(target), "--overwrite"]
    shell = 'ulimit -f 40; exec "$@"'  # KiB, less than the model
    done = subprocess.run(
        ["bash", "-c", shell, "bash", sys.executable, "-m", "inspector", *command],
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("Could not ")
    assert target.read_text() == "earlier"
    assert digits.read_bytes() == source
    assert not [path for path in tmp_path.iterdir() if path.suffix in (".part", ".data")]


BROKEN = {
    "names": """ [same] a = Relu (x)  [same] y = Neg (a) """,
    "returned": """ a = Relu (x)
        y = If (flag) < then_branch = one () => (float[2] a) { },
                        else_branch = two () => (float[2] n) { n = Abs (a) } > """,
}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_hint_for_a_file_that_does_not_load_repairs_it(kind, tmp_path):
    path, target = tmp_path / "net.onnx", tmp_path / "new.onnx"
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x, bool flag) => (float[2] y) {"""
    onnx.save(onnx.parser.parse_model(text + BROKEN[kind] + "}"), path)
    hint = errors_of("predict", path)
    (command,) = re.findall(r"inspector (convert .* \w+ -o) FILE", hint)
    assert run([*shlex.split(command), str(target)]) == 0
    assert run(["predict", str(target)]) == 0


def test_engine_that_dies_leaves_an_existing_file_untouched(digits, tmp_path, monkeypatch):
    ask = EngineProcessOwner._ask

    def killed(self: EngineProcessOwner, job: Any, *more: Any) -> Any:
        if isinstance(job, Convert):
            ask(self, job, *more)  # which starts it
            self._child._process.kill()
        return ask(self, job, *more)

    monkeypatch.setattr(EngineProcessOwner, "_ask", killed)
    target = tmp_path / "new.onnx"
    target.write_bytes(b"made before")
    arguments = ["convert", str(digits), "float16", "-o", str(target), "--overwrite"]
    assert run(arguments) == 1
    assert target.read_bytes() == b"made before"
    assert [path.name for path in tmp_path.iterdir()] == ["new.onnx"]


def test_a_folder_to_calibrate_with_and_values_to_compare_on_go_together(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 8] x, float[1] gain) => (float[1, 8] y) {
        a = Mul (x, gain) y = MatMul (a, w) }"""
    random = np.random.default_rng(0)
    saved(tmp_path, text, "m.onnx", w=random.standard_normal((8, 8)).astype(np.float32))
    folder = tmp_path / "typical"
    folder.mkdir()
    for number in range(8):
        np.save(folder / f"{number}.npy", random.standard_normal((1, 8)).astype(np.float32))
    np.save(tmp_path / "x.npy", random.standard_normal((1, 8)).astype(np.float32))
    command = ("convert", tmp_path / "m.onnx", "int8", "--calibration", folder)
    command += ("--input", "gain=2.5", "-o")
    first = json_of(*command, tmp_path / "one.onnx")
    assert first["verdict"]["inputs"] == 4  # held out of 8
    second = json_of(*command, tmp_path / "two.onnx", "--input", f"x={tmp_path / 'x.npy'}")
    assert second["verdict"]["inputs"] == 5
    assert second["calibration_inputs"] == first["calibration_inputs"] == 4
