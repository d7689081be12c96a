"""A command of the program on one model, with a time limit, a memory limit and a watch."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from inspector.platform.memory_budget import memory_of
from tests.engine import small_models

_ROOT = Path(__file__).parents[2]
_LOOK_SECONDS = 0.05
_TENTH = 1.1
_DATA = "DATA"  # stands for a file of expected outputs
# The commands that are tried, with what they are given besides the model.
MORE: dict[str, Sequence[str]] = {
    "parity": ("--against", "level=none"),
    "sweep": ("--runs", "2", "--rounds", "1", "--confirm", "0"),
    "measure": ("--runs", "2"),
    "layers": (),
    "info": (),
    "predict": (),
    "verify": (_DATA,),
}


@dataclass(frozen=True, slots=True)
class Run:
    """What a command took and said. peak_bytes: of the process that took most."""

    seconds: float
    peak_bytes: int
    status: int
    messages: tuple[str, ...]
    stalls: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return self.messages[0] if self.messages else ""

    def problem(self, seconds: float, limit_bytes: int) -> str:
        """Say what is wrong with it; empty if nothing is."""
        if self.seconds > _TENTH * seconds:
            return f"it took {self.seconds:.1f} s"
        if self.peak_bytes > _TENTH * limit_bytes:
            return f"it took {self.peak_bytes >> 20} MiB"
        if self.status not in (0, 1):
            return f"status {self.status}"
        if bool(self.status) != bool(self.messages) or len(self.messages) > 2:
            return f"{len(self.messages)} lines on stderr"
        return ""


def run(command: str, model: Path, time_limit: float, limit_bytes: int) -> Run:
    """Run a command to its end, and watch the memory of all its processes."""
    # Measurements of other programs are not to be waited for.
    environment = {"PYTHONPATH": str(_ROOT), "XDG_CACHE_HOME": str(model.parent)}
    data = model.with_suffix(".npz")  # of an output that no killer has
    if command == "verify":
        np.savez(data, y=np.zeros(3))
    more = [str(data) if each == _DATA else each for each in MORE[command]]
    arguments = [sys.executable, "-m", "inspector", command, str(model)]
    arguments += [*more, "--time-limit", f"{time_limit:g}"]
    began, peak = time.monotonic(), 0
    with subprocess.Popen(
        arguments,
        cwd=_ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        preexec_fn=_limited(limit_bytes),
    ) as process:
        while process.poll() is None:
            peak = max(peak, _largest(process.pid))
            time.sleep(_LOOK_SECONDS)
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
    seconds = time.monotonic() - began
    stalls = tuple(line for line in lines if line.startswith("No progress for"))
    others = tuple(line for line in lines if line not in stalls)
    return Run(seconds, peak, process.returncode, others, stalls)


def start_seconds(folder: Path) -> float:
    """Return how long a prediction of a model of one layer takes, with all that it loads."""
    path = small_models.linear(folder / "linear.onnx")
    began = time.monotonic()
    done = run("predict", path, 60, 2 << 30)
    assert done.status == 0, done.messages
    return time.monotonic() - began


def _limited(limit_bytes: int):
    """Return what sets the limit in the child; None where there is none of the kind."""
    if sys.platform != "linux":
        return None

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))

    return limit


def _largest(pid: int) -> int:
    try:
        children = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return 0
    return max(map(memory_of, [pid, *(child.pid for child in children)]))
