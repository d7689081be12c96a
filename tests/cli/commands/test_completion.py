"""Completion scripts, run by the shells that are here, and the manual page."""

import shutil
import subprocess
from pathlib import Path

import pytest

from inspector.cli.command_table import commands
from tests.command_line import run

BASH = r"""
source {script}
COMP_WORDS=({words}); COMP_CWORD={place}
_inspector
printf '%s\n' "${{COMPREPLY[@]}}"
"""
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bash") / "inspector"
    path.write_text(run("completion", "bash").stdout)
    return path


@needs_bash
@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("inspector mea", 1, {"measure"}),
        ("inspector measure --no-", 2, None),
        ("inspector export r.json --format '' ", 4, {"html", "csv", "pdf"}),
        ("inspector completion z", 2, {"zsh"}),
        ("inspector measure net.onnx --device openv", 4, {"openvino", "openvino:cpu"}),
        ("inspector measure net.onnx --fail-if latency.p9", 4, {"latency.p90", "latency.p99"}),
        ("inspector support net.onnx --target qual", 4, {"qualcomm"}),
        ("inspector sample wine", 2, {"wine_tabular.onnx"}),
        ("inspector convert net.onnx float1", 3, {"float16"}),
        ("inspector measure mod", 2, set()),  # files, which bash completes itself
    ],
)
def test_bash_completes_commands_options_and_values(script, words, place, expected):
    text = BASH.format(script=script, words=words, place=place)
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
    assert not done.stderr
    offered = set(done.stdout.split())
    if expected is None:
        assert offered
        assert all(word.startswith("--no-") for word in offered)
    elif len(expected) > 1:
        assert offered >= expected
    else:
        assert offered == expected


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell", "man"])
def test_each_script_names_all_commands(shell):
    text = run("completion", shell).stdout
    assert all(name in text for name in commands())


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_that_is_here_can_read_its_script(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    path = tmp_path / "script"
    path.write_text(run("completion", shell).stdout)
    done = subprocess.run([shell, "-n", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("man") is None, reason="no man here")
def test_the_manual_page_has_no_warnings(tmp_path):
    path = tmp_path / "inspector.1"
    path.write_text(run("completion", "man").stdout)
    command = ["man", "--warnings", "-E", "UTF-8", "-l", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "--fail-if" in done.stdout
