"""inspector convert: what it writes, says and refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx
import pytest

from inspector.cli.main import run
from inspector.engine import protocol
from inspector.engine.client.single_child import EngineProcessOwner
from tests.conftest import ROOT

pytestmark = pytest.mark.engine


@pytest.fixture
def digits(samples: Path) -> Path:
    return samples / "digits_float32.onnx"


def test_a_model_is_converted_checked_and_saved(
    digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = digits.read_bytes(), tmp_path / "small.onnx"
    assert run(["convert", str(digits), "float16", "-o", str(target)]) == 0
    said = capsys.readouterr().out
    assert "opens and runs       at 4 of 4 optimization levels" in said
    assert "top-1 agrees in 100.0%" in said
    assert target.stat().st_size < 0.6 * len(source)
    assert digits.read_bytes() == source
    assert run(["convert", str(digits), "float16", "-o", str(target)]) == 1
    assert "small.onnx already exists" in capsys.readouterr().err
    assert run(["convert", str(digits), "float16", "-o", str(digits), "--overwrite"]) == 1
    assert "the output would overwrite the model" in capsys.readouterr().err


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
    digits: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    steps: list[str],
    same: str,
) -> None:
    target = tmp_path / "new.onnx"
    assert run(["convert", str(digits), *steps, "-o", str(target), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [level["problem"] for level in told["levels"]] == [""] * 4
    (output,) = told["outputs"]
    assert output["name"] == same
    assert output["difference"]["sqnr_db"] is None or output["difference"]["sqnr_db"] > 40
    assert output["difference"]["cosine"] > 0.999


def test_steps_that_have_nothing_to_do_write_no_file(
    digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new.onnx"
    assert run(["convert", str(digits), "weights-not-inputs", "-o", str(target)]) == 0
    said = capsys.readouterr().out
    assert "nothing to do: no weight is an input" in said
    assert "No step had anything to do, so no file was written." in said
    assert not target.exists()


def test_a_saved_recipe_makes_the_same_file_again(digits: Path, tmp_path: Path) -> None:
    steps = ["opset:to=19", "rename-layers:stem/conv=first", "metadata:author=me"]
    recipe = str(tmp_path / "recipe.json")
    first, second = tmp_path / "first.onnx", tmp_path / "second.onnx"
    done = run(["convert", str(digits), *steps, "-o", str(first), "--save-recipe", recipe])
    assert done == 0
    assert run(["convert", str(digits), "--recipe", recipe, "-o", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    assert "inspector.recipe" in {entry.key for entry in onnx.load(first).metadata_props}


def test_a_plan_says_what_each_action_would_do_and_writes_nothing(
    digits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from inspector.conversion.registry import ONNX_ACTIONS as ACTIONS

    assert run(["convert", str(digits), "--plan", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    said = {entry["action"]: entry for entry in plan["actions"]}
    assert said.keys() == ACTIONS.keys()
    assert said["float16"]["bytes_after"] < said["float16"]["bytes_before"]
    assert said["fix-axes"]["needs"].startswith("sizes")
    # After a step, the next ones are planned for its result.
    assert run(["convert", str(digits), "float16", "--plan"]) == 0
    assert "the model already uses float16" in capsys.readouterr().out


def test_the_list_names_every_action_and_its_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from inspector.conversion.registry import ONNX_ACTIONS as ACTIONS

    assert run(["convert", "--list"]) == 0
    said = capsys.readouterr().out
    for action in ACTIONS.values():
        assert f"\n  {action.id} " in said
        assert all(f"\n    {option.name} " in said for option in action.options)


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
def test_a_step_that_does_not_fit_is_refused(
    digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], step: str, why: str
) -> None:
    target = tmp_path / "new.onnx"
    assert run(["convert", str(digits), step, "-o", str(target)]) == 1
    told = capsys.readouterr().err
    assert why in told
    assert "Traceback" not in told
    assert not target.exists()


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_full_disk_leaves_the_model_and_the_earlier_result(
    digits: Path, tmp_path: Path
) -> None:
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


def test_one_engine_does_all_jobs_of_a_conversion(
    digits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, start = list[object](), EngineProcessOwner._start

    def counted(self: EngineProcessOwner, *arguments: Any) -> object:
        started.append(arguments)
        return start(self, *arguments)

    monkeypatch.setattr(EngineProcessOwner, "_start", counted)
    target = tmp_path / "new.onnx"
    assert run(["convert", str(digits), "float16", "-o", str(target)]) == 0
    assert len(started) == 1


def test_engine_that_dies_leaves_an_existing_file_untouched(
    digits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = EngineProcessOwner._ask

    def killed(self: EngineProcessOwner, job: Any, *more: Any) -> Any:
        if isinstance(job, protocol.ConvertJob):
            assert self._child is not None
            self._child._process.kill()
        return ask(self, job, *more)

    monkeypatch.setattr(EngineProcessOwner, "_ask", killed)
    target = tmp_path / "new.onnx"
    target.write_bytes(b"made before")
    arguments = ["convert", str(digits), "float16", "-o", str(target), "--overwrite"]
    assert run(arguments) == 1
    assert target.read_bytes() == b"made before"
    assert [path.name for path in tmp_path.iterdir()] == ["new.onnx"]
