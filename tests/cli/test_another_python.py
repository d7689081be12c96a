"""The option --python: jobs in another Python on this machine."""

import sys
from pathlib import Path

import pytest

from tests import command_line

DIGITS = Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--python", "/nowhere"), "is neither a Python executable"),
        (("--python", sys.executable, "--on", "pi5"), "cannot be used together"),
    ],
)
def test_a_python_that_cannot_be_is_one_message(more, why):
    done = command_line.run("predict", DIGITS, *more)
    assert done.returncode == 1
    assert why in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_one_without_inspector_says_how_to_install_it(tmp_path):
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python"
    python.write_text("#!/bin/sh\necho No module named inspector >&2\nexit 1\n")
    python.chmod(0o755)
    done = command_line.run("predict", DIGITS, "--python", tmp_path)
    assert done.returncode == 1
    assert "No module named inspector" in done.stderr
    assert f"{python} -m pip install onnx-inspector" in done.stderr


@pytest.mark.slow
@pytest.mark.engine
def test_a_measurement_says_which_python_ran_it():
    done = command_line.run(
        "measure", DIGITS, "--python", sys.executable, "--runs", 3, "--no-layers"
    )
    assert done.returncode == 0, done.stderr
    version = ".".join(map(str, sys.version_info[:3]))
    assert f"Measured in another Python on this machine ({version}" in done.stdout
