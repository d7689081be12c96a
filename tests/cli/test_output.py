import os
import subprocess
import sys
from pathlib import Path

import pytest

DIGITS = Path(__file__).parent.parent.parent / "sample_models" / "digits_float32.onnx"
INFO = (sys.executable, "-m", "inspector", "info", str(DIGITS), "--no-shapes")


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
