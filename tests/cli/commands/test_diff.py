"""The command `inspector diff`, on sample models and copies of them that were changed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from inspector.cli.main import run
from inspector.report.report import save
from tests import command_line
from tests.command_line import errors_of, json_of, output_of
from tests.reports import example_report

SAMPLES = Path(__file__).parents[3] / "sample_models"
FLOAT, INT8 = (str(SAMPLES / f"digits_{name}.onnx") for name in ("float32", "int8_qdq"))


def test_models_are_compared_as_text():
    text = output_of("diff", FLOAT, INT8)
    assert "B is A with 3 Conv and 1 Gemm in int8; " in text.replace("\n", " ")
    assert "~ 3 Conv  weights float32 → int8 · SQNR " in text
    assert "- 3 Relu" in text
    assert "+ 8 QuantizeLinear" in text


def test_json_has_every_change():
    found = json_of("diff", FLOAT, INT8, "--fail-if", "weights.sqnr<60", status=3)
    assert (found["schema"], found["different_networks"]) == ("diff/1", False)
    assert found["layer_counts"]["gone"] == 6
    states = [layer["state"] for layer in found["layers"]]
    assert (states.count("gone"), states.count("new"), states.count("changed")) == (6, 24, 4)
    (gemm,) = [
        each for each in found["layers"] if each["a"] and each["a"]["operator"] == "Gemm"
    ]
    weights = gemm["changes"][0]
    assert (weights["before"], weights["after"]) == ("float32", "int8")
    assert 20 < weights["sqnr_db"] < 60
    assert found["conditions"][0]["outcome"] == "holds"


def test_conditions_set_the_exit_status():
    assert run(["diff", FLOAT, FLOAT, "--fail-if", "changes>0"]) == 0
    assert run(["diff", FLOAT, INT8, "--fail-if", "layers.added>0"]) == 3
    assert run(["diff", FLOAT, INT8, "--fail-if", "model.size>+10%"]) == 0
    assert "inputs.changed>0" in output_of("diff", FLOAT, INT8, "--fail-if", "inputs.changed>0")


def test_what_cannot_be_known_is_inconclusive():
    command = ["diff", FLOAT, FLOAT, "--no-values", "--fail-if", "weights.changed>0"]
    assert "inconclusive" in output_of(*command)
    assert run([*command, "--on-inconclusive", "fail"]) == 3


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("weight.changed>0", "Did you mean 'weights.changed'?"),
        ("weights.changed>+1", "the limit of weights.changed must be one of: a number"),
        ("model.size>10%", "a percentage is a change"),
        ("much", "operator such as >, and a limit"),
    ],
)
def test_a_condition_that_makes_no_sense_is_explained(condition, why):
    result = " ".join(errors_of("diff", FLOAT, INT8, "--fail-if", condition, status=2).split())
    assert why in result


def test_markdown_and_a_page_are_written(tmp_path):
    page = tmp_path / "diff.html"
    text = output_of("diff", FLOAT, INT8, "--markdown", "-", "--html", page)
    assert text.startswith("### `digits_float32.onnx` and `digits_int8_qdq.onnx`")
    assert "- `~` 3 `Conv`: weights `float32` → `int8` · SQNR" in text
    body = page.read_text("utf-8")
    assert "Conv<" in body
    assert body.count("<script") == 1, "the page's own"
    assert run(["diff", FLOAT, INT8, "--html", str(tmp_path / "diff.pdf")]) == 0
    assert (tmp_path / "diff.pdf").read_bytes().startswith(b"%PDF")
    assert run(["diff", FLOAT, INT8, "--markdown", "-", "--json"]) == 1


def test_compare_of_two_models_is_a_diff(tmp_path):
    assert "B is A with 3 Conv and 1 Gemm in int8" in output_of("compare", FLOAT, INT8)
    assert json_of("compare", FLOAT, INT8)["schema"] == "diff/1"
    assert "inspector diff" in errors_of("compare", FLOAT, INT8, "--fail-if", "latency.p50>+5%")
    report = tmp_path / "report.json"
    save(example_report(), report)
    assert "is a model, not a report" in errors_of("compare", FLOAT, report)
    assert "Could not open report.json" in errors_of("diff", report, report)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_state_in_git_is_compared_with_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def git(*words: str) -> None:
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        subprocess.run(
            ["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True
        )

    git("init", "-q")
    (tmp_path / "net.onnx").write_bytes(Path(FLOAT).read_bytes())
    git("add", "net.onnx")
    git("commit", "-qm", "first")
    (tmp_path / "net.onnx").write_bytes(Path(INT8).read_bytes())
    done = command_line.run("diff", "HEAD:net.onnx", "net.onnx")
    assert done.returncode == 0, done.stderr
    assert "B is A with 3 Conv and 1 Gemm in int8" in done.stdout
    missing = command_line.run("diff", "HEAD:none.onnx", "net.onnx")
    assert missing.returncode == 1
    assert missing.stderr.startswith("Could not open HEAD:none.onnx: ")
    assert "Traceback" not in missing.stderr
