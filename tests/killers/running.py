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

from inspector.platform.process_states import memory_of
from tests.engine import small_models

_ROOT = Path(__file__).parents[2]
_LOOK_SECONDS = 0.05
_TENTH = 1.1
# Stand for a file of expected outputs, for the model again, and for a file to be written.
_DATA, _MODEL, _OUTPUT = "DATA", "MODEL", "OUTPUT"
# The commands that are tried, with what they are given besides the model.
MORE: dict[str, Sequence[str]] = {
    "parity": ("--against", "level=none"),
    "sweep": ("--runs", "2", "--processes", "1", "--confirm", "0"),
    "measure": ("--runs", "2"),
    "layers": (),
    "info": (),
    "info --validate": (),
    "predict": (),
    "verify": (_DATA,),
    "support": (),
    "tune": ("--time", "5"),  # the shortest search
    "code": (),
    "diff": (_MODEL,),
    "convert": ("simplify", "-o", _OUTPUT, "--overwrite"),
}


@dataclass(frozen=True, slots=True)
class Run:
    """What a command took and said.

    seconds: without those in which it wanted a core that other programs had, which can be told
    on Linux only; wall_seconds: with them. peak_bytes: of the process that took most.
    leftovers: what it left in the temporary folder.
    """

    seconds: float
    wall_seconds: float
    peak_bytes: int
    status: int
    messages: tuple[str, ...]
    stalls: tuple[str, ...]
    leftovers: tuple[str, ...] = ()

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
        if self.leftovers:
            return f"it left {self.leftovers[0]} in the temporary folder"
        return ""


def arguments_for(command: str, model: Path) -> list[str]:
    """Return the arguments of a command of `MORE` on a model."""
    data = model.with_suffix(".npz")  # of an output that no killer has
    if command == "verify":
        np.savez(data, y=np.zeros(3))
    names = {_DATA: str(data), _MODEL: str(model), _OUTPUT: str(model.with_suffix(".new.onnx"))}
    name, *options = command.split()
    return [name, str(model), *options, *(names.get(each, each) for each in MORE[command])]


def run(arguments: Sequence[str], folder: Path, time_limit: float, limit_bytes: int) -> Run:
    """Run a command to its end, and watch the memory of all its processes.

    folder: for what it keeps on disk, so that measurements of other programs are not waited
    for.
    """
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {
        "PYTHONPATH": str(_ROOT),
        "XDG_CACHE_HOME": str(folder),
        "TMPDIR": str(temporary),
    }
    command = [sys.executable, "-m", "inspector", *arguments]
    command += ["--time-limit", f"{time_limit:g}"]
    began, peak, waited = time.monotonic(), 0, 0.0
    with subprocess.Popen(
        command,
        cwd=_ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        preexec_fn=_limited(limit_bytes),
    ) as process:
        while process.poll() is None:
            peak = max(peak, _largest(process.pid))
            waited = max(waited, _waited_seconds(process.pid))
            time.sleep(_LOOK_SECONDS)
        lines = process.stderr.read().splitlines()
    seconds = time.monotonic() - began
    stalls = tuple(line for line in lines if line.startswith("No progress for"))
    steps = ("No progress for", "[")  # such as "[1/1 measurements]" of a sweep
    others = tuple(line for line in lines if line and not line.startswith(steps))
    own_seconds = seconds - min(waited, seconds)
    left = tuple(each.name for each in temporary.iterdir())
    return Run(own_seconds, seconds, peak, process.returncode, others, stalls, left)


def start_seconds(folder: Path) -> float:
    """Return how long a prediction of a model of one layer takes, with all that it loads."""
    path = small_models.linear(folder / "linear.onnx")
    done = run(arguments_for("predict", path), folder, 60, 2 << 30)
    assert done.status == 0, done.messages
    return done.seconds


def _waited_seconds(pid: int) -> float:
    """Return how long the first thread of a process wanted a core and had none; 0 elsewhere.

    Its time limit is kept by that thread alone, so that waits of its engine do not count.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


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
