"""A restless hand on hostile files: nothing uncaught, nothing left behind, the window lives."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.engine import small_models

pytestmark = [pytest.mark.engine, pytest.mark.slow]
PROGRAM = Path(__file__).parents[1] / "programs" / "clicked_through.py"


@pytest.mark.skipif(os.name != "posix", reason="looks for the processes of a session")
def test_nothing_uncaught_comes_of_pressing_all_there_is(tmp_path, samples):
    cut = tmp_path / "cut.onnx"
    cut.write_bytes((samples / "digits_float32.onnx").read_bytes()[:3000])
    page = tmp_path / "page.onnx"
    page.write_text("<!DOCTYPE html><title>Sign in</title>")
    model = small_models.endless(tmp_path / "endless.onnx")
    named = small_models.linear(tmp_path / ("<b>x" + "é" * 90 + ".onnx"))
    files = [cut, page, model, named, samples / "digits_float32.onnx"]
    options = ["--seconds", "8", "--stall", "60", "--loud"]
    ran = subprocess.run(
        [sys.executable, str(PROGRAM), *options, *map(str, files)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    found = ran.stdout.partition("FINDING")[2]
    assert not found, found
    assert (ran.returncode, ran.stderr) == (0, "")
