import os
import subprocess
import sys
from pathlib import Path

import pytest

DIGITS = Path(__file__).parent.parent.parent / "sample_models" / "digits_float32.onnx"
INFO = (sys.executable, "-m", "inspector", "info", str(DIGITS), "--no-shapes")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_no_room_for_the_answer_is_a_sentence(more: tuple[str, ...]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*INFO, *more], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "Could not write the answer: No space left on device\nMake room first.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor by the shell")
def test_who_closes_the_output_gets_none_and_no_complaint() -> None:
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *INFO]
    done = subprocess.run(shell, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")
