"""Run Inspector and its tests on Windows, and print a table of what passed, failed and hung.

On Windows: `python -m tools.try_windows`. Elsewhere: `make windows WINDOWS_TOOL=PATH`, with a
program that runs Windows' Python here, such as one built on Wine. It is called as `PATH install
PROJECT PACKAGE ...` and `PATH python ARGUMENT ...`, and the folder of the project is the
current one. Logs and pictures go to out/windows.

What is emulated is said with the table: timings mean nothing there.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

OUT = Path("out", "windows")
MODEL = "sample_models/digits_float32.onnx"
REPORT, PAGE = OUT / "report.json", OUT / "report.html"
PACKAGES = ("pytest", "pytest-qt", "pytest-timeout", "hypothesis", "jsonschema")
# Kernels of a report lie inside a prediction: profiles and predictions are on one clock.
_KERNELS = f"""
import numpy as np
from pathlib import Path
from inspector.report.report import load
from inspector.trace.trace import KINDS, Kind
trace = load(Path({REPORT.as_posix()!r})).trace
kind = np.asarray(trace.kind)
begin = np.asarray(trace.start_ns)
end = begin + np.asarray(trace.duration_ns)
kernels = np.flatnonzero(kind == KINDS.index(Kind.KERNEL))
calls = np.flatnonzero(kind == KINDS.index(Kind.CALL))
inside = sum(any(begin[c] <= begin[k] and end[k] <= end[c] for c in calls) for k in kernels)
print(inside, 'of', len(kernels), 'kernels are inside a call')
assert len(kernels) and inside == len(kernels)
"""
# Modules of runtimes that are not installed, and the programs, are left out.
_MODULES = """
import pkgutil, sys
from importlib import import_module
import inspector
names = [each.name for each in pkgutil.walk_packages(inspector.__path__, 'inspector.')]
ours = [name for name in names if not name.endswith('__main__') and '.litert.' not in name]
for name in ours:
    import_module(name)
print(len(ours), 'modules')
"""
COMMANDS: dict[str, tuple[str, ...]] = {
    "import of every module": ("-c", _MODULES),
    "info": ("-m", "inspector", "info", MODEL),
    "predict": (
        "-m", "inspector", "predict", MODEL, "--input",
        "picture=sample_models/inputs/digit_3.png",
    ),
    "measure": (
        "-m", "inspector", "measure", MODEL, "--runs", "50", "-o", REPORT.as_posix(),
    ),
    "kernels inside calls": ("-c", _KERNELS),
    "export": (
        "-m", "inspector", "export", REPORT.as_posix(), "--format", "html", "-o",
        PAGE.as_posix(),
    ),
    "export by the suffix": (
        "-m", "inspector", "export", REPORT.as_posix(), "-o", (OUT / "layers.csv").as_posix(),
    ),
    "config": ("-m", "inspector", "config"),
    "history": ("-m", "inspector", "history", "--add", REPORT.as_posix()),
    "improve": (
        "-m", "inspector", "improve", "sample_models/clothes_float32.onnx", "--test",
        "sample_models/clothes/test", "--try", "float16", "--starts", "0", "--report",
        (OUT / "improvement.json").as_posix(),
    ),
    "window": (
        "-m", "inspector.ui.app.tour", MODEL, "--input",
        "sample_models/inputs/digit_3.png", "--output", (OUT / "window").as_posix(),
    ),
}  # fmt: skip
# What has to do with the system: files, processes, pipes, clocks, text, and the window.
TESTS = (
    "tests/test_units.py",
    "tests/platform",
    "tests/sandbox/decoding",
    "tests/formats/test_opening.py",
    "tests/formats/test_source.py",
    "tests/engine",
    "tests/statistics",
    "tests/report",
    "tests/cli/commands/test_info.py",
    "tests/cli/test_terminal.py",
    "tests/export/tables",
    "tests/ui/widgets",
    "tests/ui/graph",
)
SECONDS = 600  # for each; a start of Python takes a second where Windows is emulated
_SUMMARY = re.compile(r"\d+ (?:passed|failed|skipped|errors?|deselected)[^\n]*? in [\d.]+s")


@dataclass(frozen=True, slots=True)
class Result:
    """How something ended. state: "passed", "failed" or "hung"."""

    name: str
    state: str
    detail: str
    seconds: float

    @property
    def row(self) -> str:
        """Return its row of the table."""
        return f"| {self.name} | {self.state} | {self.detail} | {self.seconds:.0f} s |"


def attempt(name: str, command: Sequence[str], seconds: float) -> Result:
    """Run a command; its output goes to a log."""
    log = OUT / f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}.log"
    begin = monotonic()
    with log.open("wb") as file:
        try:
            done = subprocess.run(
                command, stdout=file, stderr=subprocess.STDOUT, timeout=seconds, check=False,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            state = "passed" if done.returncode == 0 else "failed"
            detail = "" if done.returncode == 0 else f"exit code {done.returncode}"
        except subprocess.TimeoutExpired:
            state, detail = "hung", f"longer than {seconds:.0f} s"
    text = log.read_text("utf-8", "replace")
    summary = _SUMMARY.findall(text)
    if summary and state != "hung":
        detail = re.sub(r" in [\d.]+s", "", summary[-1])
    return Result(name, state, detail, monotonic() - begin)


def main() -> None:
    """Run everything, and print and save the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tool", default="", help="program that runs Windows' Python here")
    parser.add_argument("--no-install", action="store_true", help="it is installed already")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each step")
    parser.add_argument("--only", default="", help="names that contain this text")
    parser.add_argument("tests", nargs="*", help="these test files alone, a row for each")
    options = parser.parse_args()
    if not options.tool and sys.platform != "win32":
        parser.error("this is not Windows: name a tool that runs it (make windows)")
    python = [options.tool, "python"] if options.tool else [sys.executable]
    (OUT / "window").mkdir(parents=True, exist_ok=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    results = []
    if options.tool and not options.no_install:
        install = [options.tool, "install", ".", *PACKAGES]
        results.append(attempt("install", install, 3 * options.seconds))
    tests = ("-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", "--timeout=120")
    usual = {} if options.tests else COMMANDS
    steps = usual | {name: (*tests, name) for name in options.tests or TESTS}
    for name, arguments in steps.items():
        if options.only in name:
            results.append(attempt(name, [*python, *arguments], options.seconds))
            sys.stdout.write(f"{results[-1].row}\n")
            sys.stdout.flush()
    head = "| What | Result | Detail | Time |\n|---|---|---|---|\n"
    table = head + "\n".join(each.row for each in results) + "\n"
    (OUT / "table.md").write_text(table, "utf-8")
    sys.exit(any(each.state != "passed" for each in results))


if __name__ == "__main__":
    main()
