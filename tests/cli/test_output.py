import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import errors_of

DIGITS = Path(__file__).parent.parent.parent / "sample_models" / "digits_float32.onnx"
INFO = (sys.executable, "-m", "inspector", "info", DIGITS, "--no-shapes")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_no_room_for_the_answer_is_a_sentence(more):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*INFO, *more], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "Could not write the output: No space left on device\nFree up some space.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor by the shell")
def test_who_closes_the_output_gets_none_and_no_complaint():
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *INFO]
    done = subprocess.run(shell, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_who_stops_it_before_all_is_loaded_sees_no_traceback():
    code = (
        "import sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'inspector.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from inspector.__main__ import main\n"
        "sys.exit(main())\n"
    )
    command = [sys.executable, "-c", code, *INFO[3:]]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("measure", DIGITS, "-o", "net.xyz"), "'.xyz' is not a supported"),
        (("measure", DIGITS.parent, "-o", "a.html"), "several reports need a folder"),
        (("sweep", DIGITS, "-o", "a.html"), "must open again, which needs .json"),
        (("record", "-o", "a.svg", "--", "true"), "must open again, which needs .json or .npz"),
        (("convert", DIGITS, "float16", "-o", "a.html"), "Use the name a.onnx"),
        (("convert", DIGITS, "float16", "-o", "a.tflite"), "Use the name a.onnx"),
        (("code", DIGITS, "--language", "java", "-o", "a.py"), "stands for Python"),
        (("diff", str(DIGITS), DIGITS, "--html", "a.txt"), "'.txt' is not a supported"),
    ],
)
def test_a_name_of_another_format_is_refused_before_work(tmp_path, monkeypatch, arguments, why):
    monkeypatch.chdir(tmp_path)
    assert why in errors_of(*arguments)
    assert not [*tmp_path.iterdir()]
