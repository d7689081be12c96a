import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from inspector.report import sweep
from tests.command_line import errors_of, output_of, run

pytestmark = pytest.mark.engine
QUICK = ("--runs", "3", "--warmup", "0", "--processes", "1", "--confirm", "0")


def test_a_sweep_over_models_and_settings_as_one_object(samples):
    models = [samples / f"digits_{kind}.onnx" for kind in ("float32", "int8_qdq")]
    told = run("sweep", *models, "--optimization", "none,all", *QUICK, "--json")
    assert told.returncode == 0, told.stderr
    body: dict[str, Any] = json.loads(told.stdout)
    assert body["schema"] == "sweep/1"
    assert [axis["name"] for axis in body["axes"]] == ["model", "optimization"]
    assert [cell["state"] for cell in body["cells"]] == ["done"] * 4
    assert body["agreements"][0]["equal"]
    assert 20 < body["agreements"][1]["psnr"] < 90
    assert told.stderr.count("[") == 4


@pytest.mark.slow
def test_a_sweep_that_was_killed_goes_on_where_it_was(samples, tmp_path):
    file = tmp_path / "sweep.json"
    arguments = [
        "sweep", str(samples / "digits_float32.onnx"), "--threads", "1,2", "--batch", "1,2",
        *QUICK, "-o", str(file),
    ]  # fmt: skip
    child = subprocess.Popen(
        [sys.executable, "-m", "inspector", *arguments], stderr=subprocess.PIPE, text=True
    )
    assert child.stderr.readline().startswith("[1/4 measurements]")
    child.stderr.readline()
    os.kill(child.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    child.communicate()
    half = sweep.load(file)
    kept = {cell.at: cell.rounds for cell in half.cells if cell.rounds}
    assert len(kept) >= 2
    resumed = run(*arguments, "--resume")
    lines = [line for line in resumed.stderr.splitlines() if line.startswith("[")]
    assert len(lines) == 4 - len(kept)
    done = sweep.load(file)
    assert all(cell.state is sweep.CellState.DONE for cell in done.cells)
    assert all(done.by_place[place].rounds == rounds for place, rounds in kept.items())


def test_cells_that_fail_are_told_beside_the_others(samples):
    model = str(samples / "digits_float32.onnx")
    _, good, bad = output_of(
        "sweep", model, "--device", "cpu,abacus:0", *QUICK, "--csv"
    ).splitlines()
    assert good.startswith("cpu,done,")
    assert bad.startswith("abacus:0,failed,")
    assert "abacus:0" in bad.split(",", 2)[2]


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("--threads", "two"), 2),
        (("--optimization", "most"), 2),
        (("--spinning", "maybe"), 2),
        (("--dim", "batch"), 2),
        (("--resume",), 1),
    ],
)
def test_wrong_use_says_so(samples, options, status):
    assert errors_of("sweep", samples / "digits_float32.onnx", *options, status=status)


@pytest.mark.slow
def test_a_search_ends_in_a_sentence(samples):
    done = run("tune", samples / "digits_float32.onnx", "--time", "20")
    told = done.stdout
    assert "process pair 1" in done.stderr  # a busy machine has no time for many
    assert "interleaved pairs of processes" in told


def test_a_sweep_of_which_nothing_could_be_measured_has_failed(samples):
    model = samples / "digits_float32.onnx"
    told = errors_of("sweep", model, "--device", "cuda", "--threads", "1", *QUICK)
    assert "\n\nNo combination could be measured: " in told
