"""The step of the GitHub Action and the pre-commit hook, run as their runners do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import onnx
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


@pytest.mark.engine
def test_a_model_is_measured_against_the_base_branch(repository):
    """A fast case, with a condition that is met; the artifact has no model of the base."""
    status, printed, outputs = step(
        repository, MODEL="net.onnx", BASE="main", FAIL_IF="model.size>1KB\nlatency.p50<1ns"
    )
    assert status == 3, printed
    assert "::error file=net.onnx::A condition of fail-if is met" in printed
    assert {path.name for path in Path(outputs["folder"]).iterdir()} == {
        "junit.xml",
        "report.json",
        "summary.md",
    }
    summary = Path(outputs["summary"]).read_text("utf-8")
    assert summary.startswith("**net.onnx fails**")
    assert "main:net.onnx" in printed
    assert (repository / "step_summary.md").read_text("utf-8") == summary


@pytest.mark.slow
@pytest.mark.engine
def test_a_model_that_is_new_has_no_conditions_on_changes(repository):
    shutil.copy(repository / "net.onnx", repository / "new.onnx")
    status, printed, outputs = step(
        repository, MODEL="new.onnx", BASE="main", FAIL_IF="layers.moved>0\nmodel.size>1GB\n\n"
    )
    assert status == 0, printed
    assert "skipped without a base: layers.moved>0" in printed
    summary = Path(outputs["summary"]).read_text("utf-8")
    assert summary.startswith("**new.onnx passes**: The model is new: main does not have it.")
    assert "model.size>1GB" in summary


@pytest.mark.slow
@pytest.mark.engine
def test_noise_is_said_and_fails_the_job_if_that_is_asked_for(repository):
    never = "latency.p99>+1%"  # 20 runs have no p99
    asked = {"MODEL": "net.onnx", "BASE": "main", "FAIL_IF": never}
    status, printed, outputs = step(repository, **asked)
    assert status == 0, printed
    assert "Inconclusive because of noise: 1 of 1" in Path(outputs["summary"]).read_text()
    assert "::warning file=net.onnx::1 conditions are inconclusive" in printed
    assert step(repository, ON_INCONCLUSIVE="fail", **asked)[0] == 3


@pytest.mark.slow
@pytest.mark.engine
def test_the_base_of_a_shallow_checkout_in_another_folder_is_fetched(repository, tmp_path):
    (repository / "models").mkdir()
    big = onnx.load(SAMPLES / "digits_float32.onnx")
    onnx.save(
        big, repository / "models" / "big.onnx", save_as_external_data=True,
        location="big.data", size_threshold=0,
    )  # fmt: skip
    git(repository, "add", "-A")
    git(repository, "commit", "--quiet", "-m", "external data")
    git(repository, "checkout", "--quiet", "-b", "change")
    (repository / "models" / "big.data").write_bytes(
        bytes((repository / "models" / "big.data").stat().st_size)
    )
    git(repository, "commit", "--quiet", "-a", "-m", "other weights")
    work = tmp_path / "work"
    work.mkdir()
    url = repository.as_uri()
    git(work, "clone", "--quiet", "--depth=1", "--branch=change", url, "checked out")
    model = "checked out/models/big.onnx"
    status, printed, outputs = step(work, MODEL=model, BASE="main", FAIL_IF="layers.moved>0")
    assert status == 0, printed
    assert "The checkout lacks the base main; it is fetched." in printed
    assert "origin/main:" in printed
    assert Path(outputs["report"]).is_file()
    shutil.move(repository, tmp_path / "gone")
    git(work / "checked out", "update-ref", "-d", "refs/remotes/origin/main")
    status, printed, _ = step(work, MODEL=model, BASE="main")
    assert status == 1
    assert "Add to actions/checkout: with: { fetch-depth: 0 }" in printed


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(shutil.which("git-lfs") is None, reason="runs git-lfs")
def test_models_in_git_lfs_are_compared_and_not_their_pointers(repository, tmp_path):
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with pytest.MonkeyPatch.context() as patched:
        for name, value in home.items():
            patched.setenv(name, value)
        git(repository, "lfs", "install", "--skip-repo")
        git(repository, "lfs", "track", "*.onnx")
        shutil.copy(SAMPLES / "digits_float32.onnx", repository / "large.onnx")
        git(repository, "add", ".gitattributes", "large.onnx")
        git(repository, "commit", "--quiet", "-m", "large")
        shutil.copy(SAMPLES / "digits_int8_qdq.onnx", repository / "large.onnx")
        asked = {"MODEL": "large.onnx", "BASE": "main", "FAIL_IF": "layers.moved>0"}
        status, printed, _ = step(repository, **asked)
        assert (status, "main:large.onnx" in printed) == (0, True), printed


def test_what_keeps_the_step_from_a_comparison_is_an_error_with_the_line_to_add(tmp_path):
    shutil.copy(SAMPLES / "digits_float32.onnx", tmp_path / "net.onnx")
    status, printed, _ = step(tmp_path, MODEL="net.onnx", BASE="main")
    assert (status, "Run actions/checkout first" in printed) == (1, True)
    status, printed, _ = step(tmp_path, MODEL="gone.onnx", BASE="")
    assert (status, "There is no gone.onnx in" in printed) == (1, True)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    (tmp_path / "net.onnx").write_text(pointer)
    status, printed, _ = step(tmp_path, MODEL="net.onnx", BASE="")
    assert (status, "with: { lfs: true }" in printed) == (1, True)


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
