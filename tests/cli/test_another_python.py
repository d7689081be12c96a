"""The option --python: jobs in another Python on this machine."""

import sys
import sysconfig
import venv
from pathlib import Path

import onnxruntime
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


@pytest.fixture
def old(tmp_path):
    """Return an environment that has nothing but a runtime, of a version made up."""
    place = tmp_path / "old"
    venv.create(place, with_pip=False)
    site = Path(sysconfig.get_path("purelib", vars={"base": place, "platbase": place}))
    for package in ("onnxruntime", "numpy", "numpy.libs"):
        found = Path(onnxruntime.__file__).parents[1] / package
        if found.exists():
            (site / package).symlink_to(found)
    said = site / "onnxruntime-1.0.0.dist-info"
    said.mkdir()
    (said / "METADATA").write_text("Metadata-Version: 2.1\nName: onnxruntime\nVersion: 1.0.0\n")
    return place


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_several_environments_are_a_table_by_version_of_the_runtime(old):
    given = "parity", DIGITS, "--python", f"{sys.executable},{old}"
    result = command_line.json_of(*given, "--fail-if", "max_abs>0")
    first, second = result["environments"]
    assert (first["version"], second["version"]) == ("1.0.0", onnxruntime.__version__)
    assert first["agrees"]
    assert second["agrees"]
    assert result["oldest_same"] == first["python"]
    assert str(old) in first["python"]


@pytest.mark.parametrize(
    ("command", "why"),
    [("layers", "--python names 2 environments"), ("sweep", "a sweep runs in one environment")],
)
def test_what_runs_in_one_environment_refuses_several(command, why, old):
    failed = command_line.errors_of(command, DIGITS, "--python", f"{sys.executable},{old}")
    assert why in failed
