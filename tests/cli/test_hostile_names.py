"""A file's name may hold colors and line ends; the terminal is shown neither."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.cli import main

DIGITS = Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx"
NAME, SHOWN = "a\x1b[31m\nqz", r"a\u001b[31m\u000aqz"
PROGRAM = (
    "import sys, numpy, onnxruntime\n"
    "session = onnxruntime.InferenceSession(sys.argv[1])\n"
    "session.run(None, {'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)})\n"
)

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform == "win32", reason="no such names there"),
]


Said = Callable[..., str]


@pytest.fixture
def said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Said:
    """Returns all that a command prints, in lines that are all ours."""
    shutil.copy(DIGITS, tmp_path / f"{NAME}.onnx")
    (tmp_path / "app.py").write_text(PROGRAM, "utf-8")
    monkeypatch.chdir(tmp_path)

    def printed(*arguments: str) -> str:
        main.run([*arguments])
        text = "".join(capfd.readouterr())
        assert "\x1b" not in text
        assert not [line for line in text.splitlines() if line.startswith("qz")]
        return text

    return printed


def test_commands_show_the_names_of_files_without_their_effects(said):
    model, report = f"{NAME}.onnx", f"{NAME}.json"
    assert f"saved {SHOWN}.json" in said("measure", model, "-o", report, "--runs", "3")
    told = said("export", report, "--format", "html", "-o", f"{NAME}.html")
    assert f"Saved {SHOWN}.html (" in told
    assert SHOWN in said("compare", report, report)
    assert said("info", model).startswith(f"{SHOWN}.onnx")
    program = ("--inputs", "--", sys.executable, "app.py", model)
    recorded = said("record", "-o", f"{NAME}.trace.json", *program)
    assert f"Saved {SHOWN}.trace.json (" in recorded
    assert f"Saved 1 input in {SHOWN}.inputs" in recorded
    assert SHOWN in said("trace", f"{NAME}.trace.json")


@pytest.mark.parametrize(
    "words",
    [
        ("measure", f"{NAME}.onnx", "-o", f"none/{NAME}.json"),
        ("export", f"no{NAME}.json", "--format", "html"),
        ("compare", f"no{NAME}.json", f"no{NAME}.json"),
        ("info", f"no{NAME}.onnx"),
        ("record", "-o", f"none/{NAME}.json", "--", sys.executable),
        ("record", "--", NAME),
        ("verify", f"{NAME}.onnx"),
    ],
)
def test_errors_show_them_so_as_well(said, words):
    assert SHOWN in said(*words)


def test_what_is_mistyped_is_shown_so_as_well(said):
    assert r"\u001b[31m" in said("info", str(DIGITS), "--\x1b[31m")
