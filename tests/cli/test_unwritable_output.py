"""Status and saved files of a command do not depend on who reads what it prints."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full"),
]
DIGITS = str(Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx")
QUICK = ["--runs", "3"]
# What a shell appends to a command, and the status it then has where it had `status`.
STATES = {
    "open": ("> open.txt", lambda status: status),
    "closed": (">&-", lambda status: status),
    "nobody reads": ("| true; exit ${PIPESTATUS[0]}", lambda status: status),
    "full": ("> /dev/full", lambda status: status or 1),
    "stderr closed": ("> open.txt 2>&-", lambda status: status),
}
COMMANDS = {
    "measure, condition holds": (
        ["measure", DIGITS, *QUICK, "--fail-if", "memory.peak>1MiB", "-o", "made.json"], 3,
    ),
    "export": (["export", "report.json", "--format", "csv", "-o", "made.csv"], 0),
    "compare": (["compare", "report.json", "report.json", "--fail-if", "memory.peak>1MiB"], 3),
    "info": (["info", DIGITS], 0),
    "a missing file": (["info", "none.onnx"], 1),
    "wrong use": (["measure"], 2),
}  # fmt: skip
ALSO = {
    "measure": (["measure", DIGITS, *QUICK, "-o", "made.json"], 0),
    "predict": (["predict", DIGITS], 0),
    "parity": (["parity", DIGITS, "--against", "reference", "--fail-if", "output.psnr>1"], 3),
    "layers": (["layers", DIGITS], 0),
    "prepare": (["prepare", DIGITS], 0),
    "code": (["code", DIGITS, "-o", "made.py"], 0),
    "support": (["support", DIGITS], 0),
    "devices": (["devices"], 0),
    "sweep": (["sweep", DIGITS, "--threads", "1", "-o", "made.json"], 0),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("report") / "report.json"
    command = [sys.executable, "-m", "inspector", "measure", DIGITS, *QUICK, "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path.read_bytes()


def ended(name: str, arguments: list[str], report: bytes, folder: Path) -> dict[str, object]:
    """Run a command in each state, at the same time: its status, the files it made, stderr."""
    running = {}
    for state, (behind, _) in STATES.items():
        place = folder / state.replace(" ", "-")
        place.mkdir()
        (place / "report.json").write_bytes(report)
        words = shlex.join([sys.executable, "-m", "inspector", *arguments])
        running[state] = (
            place,
            subprocess.Popen(
                ["bash", "-c", f"{words} {behind}"],
                cwd=place,
                stderr=subprocess.PIPE,
                text=True,
            ),
        )
    found: dict[str, object] = {}
    for state, (place, process) in running.items():
        _, error = process.communicate(timeout=300)
        made = {path.name for path in place.iterdir()} - {"open.txt", "report.json"}
        found[state] = process.returncode, made, error
    return found


@pytest.mark.parametrize(
    "name", [*COMMANDS, *(pytest.param(name, marks=pytest.mark.slow) for name in ALSO)]
)
def test_status_and_files_are_those_of_an_open_output(
    name: str, report: bytes, tmp_path: Path
) -> None:
    arguments, status = (COMMANDS | ALSO)[name]
    found = ended(name, arguments, report, tmp_path)
    _, made, _ = found["open"]  # type: ignore[misc]
    for state, (_, expected) in STATES.items():
        code, files, error = found[state]  # type: ignore[misc]
        wanted = status if state == "full" and status in (1, 2) else expected(status)
        assert (state, code, files, error) == (state, wanted, made, error)
        assert "Traceback" not in error
    if status == 0:
        _, _, error = found["full"]  # type: ignore[misc]
        assert "Could not write the output" in error
