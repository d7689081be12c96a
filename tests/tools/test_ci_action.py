"""The step of the GitHub Action and the pre-commit hook, run as their runners do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli import main

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_models"
SCRIPT = ROOT / "tools" / "ci" / "measure_model.sh"

pytestmark = pytest.mark.skipif(
    os.name != "posix" or shutil.which("git") is None, reason="runs bash and git"
)


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def step(folder: Path, **variables: str) -> tuple[int, str, dict[str, str]]:
    """Run the step; returns its exit status, what it printed, and its outputs."""
    output = folder / "github_output"
    output.write_text("")
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(folder / "step_summary.md"),
        "FOLDER": str(folder / "inspector out"),
        "OPTIONS": "--runs 20 --no-layers --processes 1",
    }
    done = subprocess.run(
        ["bash", str(SCRIPT)], cwd=folder, env=environment | variables, text=True,
        capture_output=True, timeout=120,
    )  # fmt: skip
    outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, outputs


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    shutil.copy(SAMPLES / "digits_float32.onnx", folder / "net.onnx")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "add", "net.onnx")
    git(folder, "commit", "--quiet", "-m", "the model")
    shutil.copy(SAMPLES / "digits_int8_qdq.onnx", folder / "net.onnx")
    return folder


@pytest.mark.slow
@pytest.mark.engine
def test_a_model_is_measured_against_the_base_branch(repository):
    status, printed, outputs = step(repository, MODEL="net.onnx", BASE="main")
    assert status == 0, printed
    assert Path(outputs["report"]).is_file()
    summary = Path(outputs["summary"]).read_text("utf-8")
    assert "|" in summary
    assert (repository / "step_summary.md").read_text("utf-8") == summary

    status, printed, outputs = step(
        repository, MODEL="net.onnx", BASE="main", FAIL_IF="latency.p50>1ns"
    )
    assert status == 3, printed
    assert "::error file=net.onnx::A condition of fail-if holds" in printed
    assert Path(outputs["report"]).is_file()


@pytest.mark.slow
@pytest.mark.engine
def test_without_a_base_conditions_on_changes_are_left_out(repository):
    status, printed, outputs = step(
        repository, MODEL="net.onnx", BASE="none", FAIL_IF="latency.p50>+10%\n\n"
    )
    assert status == 0, printed
    assert "conditions on changes are left out" in printed
    assert Path(outputs["summary"]).is_file()


@pytest.mark.engine
def test_a_model_that_cannot_be_measured_is_an_error_that_says_so(repository):
    (repository / "net.onnx").write_bytes(b"no model")
    status, printed, _ = step(repository, MODEL="net.onnx", BASE="")
    assert status == 1
    assert "::error file=net.onnx::Inspector could not measure the model" in printed


# Stands for GitHub's own program: keeps the comments of a pull request in a folder.
GH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$COMMENTS/calls"
case "$*" in
  *PATCH* | *POST*) [ -z "${REFUSE:-}" ] || exit 1; printf '%s' "${@: -1}" >"$COMMENTS/body" ;;
  *) if [ -f "$COMMENTS/body" ]; then echo 77; fi ;;
esac
"""


def test_the_summary_becomes_one_comment_that_is_replaced(tmp_path):
    program = tmp_path / "gh"
    program.write_text(GH)
    program.chmod(0o755)
    summary = tmp_path / "summary.md"
    variables = {
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "COMMENTS": str(tmp_path),
        "SUMMARY": str(summary),
        "MODEL": "net.onnx",
        "NUMBER": "12",
        "REPOSITORY": "a/b",
    }

    def comment(**more: str) -> str:
        command = ["bash", str(SCRIPT.with_name("comment.sh"))]
        done = subprocess.run(
            command, env=os.environ | variables | more, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        return done.stdout

    for text in ("| first |", "| $(second) `x` |"):
        summary.write_text(text)
        assert "pull request 12" in comment()
        body = (tmp_path / "body").read_text()
        assert body == f"body=<!-- inspector: net.onnx -->\n{text}"
    calls = (tmp_path / "calls").read_text()
    assert calls.count("--method POST") == 1
    assert "--method PATCH repos/a/b/issues/comments/77" in calls
    assert comment(REFUSE="yes").startswith("::warning file=net.onnx::Could not comment")


def test_the_hooks_command_refuses_and_accepts(tmp_path):
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entry = next(line.split(": ", 1)[1] for line in hook.splitlines() if "entry:" in line)
    _, *asked = entry.split()
    good = str(SAMPLES / "digits_float32.onnx")
    assert main.run([*asked, "--fail-if=external.files>0", good]) == 0
    assert main.run([*asked, "--fail-if=operators.Conv>0", good]) == 3
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no model")
    assert main.run([*asked, str(bad)]) == 1
