"""Status and saved files of a command do not depend on who reads what it prints."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inspector.cli import command_table
from tests.command_line import run

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full"),
]
DIGITS = str(Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx")
ALICE = str(Path(DIGITS).with_name("alice"))
PICTURES = str(Path(__file__).parents[2] / "sample_models" / "inputs")
CLOTHES = str(Path(DIGITS).with_name("clothes_float32.onnx"))
LABELED = str(Path(DIGITS).with_name("clothes") / "calibration")
QUICK = ["--runs", "3"]
PROGRAM = f"""
import numpy, onnxruntime
session = onnxruntime.InferenceSession({DIGITS!r})
session.run(None, {{"picture": numpy.zeros((1, 1, 8, 8), numpy.float32)}})
"""
# What a shell appends to a command, and the status it then has where it had `status`.
STATES = {
    "open": ("> open.txt", lambda status: status),
    "closed": (">&-", lambda status: status),
    "nobody reads": ("| true; exit ${PIPESTATUS[0]}", lambda status: status),
    "full": ("> /dev/full", lambda status: status or 1),
    "stderr closed": ("> open.txt 2>&-", lambda status: status),
}
COMMANDS = {
    "export": (["export", "report.json", "--format", "csv", "-o", "made.csv"], 0),
    "wrong use": (["measure"], 2),
}
ALSO = {
    "compare": (["compare", "report.json", "report.json", "--fail-if", "memory.peak>1MiB"], 3),
    "code": (["code", DIGITS, "-o", "made.py"], 0),
    "info": (["info", DIGITS], 0),
    "measure, condition holds": (
        ["measure", DIGITS, *QUICK, "--fail-if", "memory.peak>1MiB", "-o", "made.json"], 3,
    ),
    "diff": (["diff", DIGITS, DIGITS, "--fail-if", "layers.changed<1"], 3),
    "a missing file": (["info", "none.onnx"], 1),
    "measure": (["measure", DIGITS, *QUICK, "-o", "made.json"], 0),
    "predict": (["predict", DIGITS], 0),
    "parity": (["parity", DIGITS, "--against", "reference", "--fail-if", "output.psnr>1"], 3),
    "convert": (["convert", DIGITS, "float16", "-o", "made.onnx"], 0),
    "layers": (["layers", DIGITS], 0),
    "compile": (["compile", "--list"], 0),
    "estimate": (["estimate", DIGITS, "--target", "raspberry-pi-5"], 0),
    "prepare": (["prepare", DIGITS], 0),
    "support": (["support", DIGITS], 0),
    "improve": (
        [
            "improve",
            DIGITS,
            "--test",
            PICTURES,
            "--processes",
            "0",
            "--try",
            "float16",
            "--goal",
            "size",
            "--max-loss",
            "any",
            "-o",
            "made.onnx",
        ],
        0,
    ),
    "evaluate": (["evaluate", CLOTHES, "--test", LABELED], 0),
    "sample": (["sample"], 0),
    "plugins": (["plugins"], 0),
    "engines": (["engines"], 0),
    "config": (["config"], 0),
    "mcp": (["mcp", "--skill"], 0),
    "completion": (["completion", "bash"], 0),
    "desktop": (["desktop"], 0),
    "history": (["history"], 0),
    "lab": (["lab"], 0),
    "devices": (["devices"], 0),
    "sweep": (["sweep", DIGITS, "--threads", "1", "-o", "made.json"], 0),
    "tune": (["tune", DIGITS, "--time", "5"], 0),
    "verify": (["verify", DIGITS, "wrong.npz"], 1),
    "roofline": (["roofline", "--type", "float32"], 0),
    "memory": (["memory", ALICE], 0),
    "chat": (["chat", ALICE, "--prompt", "x", "--max-tokens", "2"], 0),
    "trace": (["trace", "report.json", "--export", "csv", "-o", "made.csv"], 0),
    "record": (["record", "-o", "made.json", "--", sys.executable, "-c", PROGRAM], 0),
}  # fmt: skip
GIVEN = {"open.txt", "report.json", "wrong.npz"}  # files that no command made
# They print nothing of their own there: the output of `record` is that of the program.
SILENT = ("record", "code")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("report") / "report.json"
    assert run("measure", DIGITS, *QUICK, "-o", path).returncode == 0
    return path.read_bytes()


def ended(name: str, arguments: list[str], report: bytes, folder: Path) -> dict[str, object]:
    """Run a command in each state, at the same time: its status, the files it made, stderr."""
    running = {}
    for state, (behind, _) in STATES.items():
        place = folder / state.replace(" ", "-")
        place.mkdir()
        (place / "report.json").write_bytes(report)
        wrong = {
            "picture": np.zeros((1, 1, 8, 8), np.float32),
            "probabilities": np.ones((1, 10)),
        }
        np.savez(place / "wrong.npz", **wrong)
        words = shlex.join([sys.executable, "-m", "inspector", *arguments])
        # Measurements wait for each other where they share a cache, and for other programs'.
        cache = {"XDG_CACHE_HOME": str(folder / f"cache {state}")}
        running[state] = (
            place,
            subprocess.Popen(
                ["bash", "-c", f"{words} {behind}"],
                cwd=place,
                env=os.environ | cache,
                stderr=subprocess.PIPE,
                text=True,
            ),
        )
    found: dict[str, object] = {}
    for state, (place, process) in running.items():
        _, error = process.communicate(timeout=300)
        names = {path.name for path in place.iterdir()}
        found[state] = process.returncode, names - GIVEN, error
    return found


def test_every_command_is_tried():
    tried = {arguments[0] for arguments, _ in (COMMANDS | ALSO).values()}
    assert tried == set(command_table.commands())


@pytest.mark.parametrize(
    "name", [*COMMANDS, *(pytest.param(name, marks=pytest.mark.slow) for name in ALSO)]
)
def test_status_and_files_are_those_of_an_open_output(name, report, tmp_path):
    arguments, status = (COMMANDS | ALSO)[name]
    found = ended(name, arguments, report, tmp_path)
    _, made, _ = found["open"]
    for state, (_, expected) in STATES.items():
        code, files, error = found[state]
        wanted = status if status in (1, 2) or name in SILENT else expected(status)
        assert (state, code, files, error) == (state, wanted, made, error)
        assert "Traceback" not in error
    if status == 0 and name not in SILENT:
        _, _, error = found["full"]
        assert "Could not write the output" in error
