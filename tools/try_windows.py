"""Run Inspector and its tests on Windows, and print a table of what passed, failed and hung.

On Windows: `python -m tools.try_windows`. Elsewhere: `make windows WINDOWS_TOOL=PATH`, with a
program that runs Windows' Python here, such as one built on Wine. It is called as `PATH install
PROJECT PACKAGE ...` and `PATH python ARGUMENT ...`, and the folder of the project is the
current one. Logs and pictures go to out/windows, and the table to its table.md.

A test that hangs or crashes ends its run; the tests that are left are then another row. Where
Windows is emulated, timings mean nothing.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

OUT = Path("out", "windows")
MODEL = "sample_models/digits_float32.onnx"
REPORT, PAGE = OUT / "report.json", OUT / "report.html"
PACKAGES = (".[dev]", "pytest-timeout")
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
# Programs, and modules whose runtime is not installed, are left out.
_MODULES = """
import pkgutil, sys
from importlib import import_module
import inspector
names = [each.name for each in pkgutil.walk_packages(inspector.__path__, 'inspector.')]
done, left = [], []
for name in names:
    if name.endswith('__main__'):
        continue
    try:
        import_module(name)
        done.append(name)
    except ModuleNotFoundError as error:
        if (error.name or 'inspector').partition('.')[0] == 'inspector':
            raise
        left.append(error.name)
print(len(done), 'modules;', len(left), 'need', sorted(set(left)))
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
        "sample_models/clothes/calibration", "--try", "float16", "--processes", "0", "--report",
        (OUT / "improvement.json").as_posix(),
    ),
    "window": (
        "-m", "inspector.ui.app.tour", MODEL, "--input",
        "sample_models/inputs/digit_3.png", "--output", (OUT / "window").as_posix(),
    ),
}  # fmt: skip
# What has to do with the system: files, processes, pipes, clocks, text, and the window. With
# --all, every folder of the tests.
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
    "tests/cli/test_info_sections.py",
    "tests/render/tables",
    "tests/ui/widgets",
    "tests/ui/graph",
)
SECONDS = 600  # for each; a start of Python takes a second where Windows is emulated
TEST_SECONDS = 120  # for a test
MOST_RUNS = 8  # of what is left of a folder after tests that hang
MOST_FILES = 25  # of tests in a folder that is one row
_PYTEST = (
    "-m", "pytest", "-vv", "-m", "not slow", "-p", "no:cacheprovider", "--tb=short",
    f"--timeout={TEST_SECONDS}",
)  # fmt: skip
_SUMMARY = re.compile(r"=+ (.*?\d+ (?:passed|failed|skipped|errors?|deselected).*?) in [\d.]+s")
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S*?([^/\s]+\.py\S*)", re.M)
_BEGUN = re.compile(
    r"^(\S+\.py::.*?)"
    r"(?: (PASSED|FAILED|SKIPPED|ERROR|XFAIL)\b.*| *\+{3}.*| Windows fatal .*"
    r"| wine: .*| [0-9a-f]{4}:(?:err|fixme|warn):.*| *)$",  # what Wine says itself
    re.M,
)
_NAMED = 3  # failed tests in the table; its log has all


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
    log = _log(name)
    begin = monotonic()
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
            process.terminate()  # the tool ends what it started
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()
    state, detail = _outcome(log.read_text("utf-8", "replace"), code, seconds)
    return Result(name, state, detail, monotonic() - begin)


def _outcome(text: str, code: int | None, seconds: float) -> tuple[str, str]:
    """Return state and detail of a command by its output. code: None where it was ended."""
    last = (_BEGUN.findall(text) or [("", "")])[-1]
    at = f" at {last[0]}" if last[0] and not last[1] else ""
    if code is None or "+++ Timeout +++" in text:
        limit = seconds if code is None else TEST_SECONDS
        return "hung", f"longer than {limit:.0f} s{at}{_so_far(text)}"
    counts = _SUMMARY.findall(text)
    detail = counts[-1] if counts else "" if code == 0 else f"exit code {code}{at}"
    failed = [*dict.fromkeys(_FAILED.findall(text))]
    more = f", {len(failed) - _NAMED} more" if len(failed) > _NAMED else ""
    names = f": {', '.join(failed[:_NAMED])}{more}" if failed else ""
    # 5: no test is left, such as in a file of slow ones.
    return ("passed" if code in (0, 5) else "failed"), detail + names


def _log(name: str) -> Path:
    return OUT / f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}.log"


def _so_far(text: str) -> str:
    """Return how the tests before one that hangs ended: ", before it 12 passed, 1 failed"."""
    counts = Counter(state.lower() for _, state in _BEGUN.findall(text) if state)
    listed = ", ".join(f"{count} {state}" for state, count in counts.items())
    return f", before it {listed}" if listed else ""


def run_tests(python: Sequence[str], place: str, seconds: float) -> Iterator[Result]:
    """Run the tests of a folder; after one that hangs or crashes, the rest in another row."""
    files = [place]
    if Path(place).is_dir():
        files = sorted(path.as_posix() for path in Path(place).rglob("test_*.py"))
    name, begun, without = place, [place], list[str]()
    for number in range(2, MOST_RUNS + 2):
        result = attempt(name, [*python, *_PYTEST, *begun], seconds)
        yield result
        tests = _BEGUN.findall(_log(name).read_text("utf-8", "replace"))
        if result.state == "passed" or not tests or tests[-1][1]:
            return
        last = tests[-1][0]
        at = last.partition("::")[0]
        done = {test.partition("::")[0] for test, _ in tests} - {at}
        files = [file for file in files if file not in done]
        without += ["--deselect", last]
        begun = [*files, *without]
        name = f"{place}, run {number}"


def test_folders() -> list[str]:
    """Return the folders and files right below tests, and those of the large folders."""
    places = []
    for path in sorted(Path("tests").iterdir()):
        inner = [path]
        if sum(1 for _ in path.rglob("test_*.py")) > MOST_FILES:
            inner = sorted(path.iterdir())
        places += [
            each.as_posix()
            for each in inner
            if any(each.rglob("test_*.py")) or (each.is_file() and each.match("test_*.py"))
        ]
    return places


def _all(options: argparse.Namespace, python: Sequence[str]) -> Iterator[Result]:
    if not options.tests:
        for name, arguments in COMMANDS.items():
            if options.only in name:
                yield attempt(name, [*python, *arguments], options.seconds)
    for place in options.tests or (test_folders() if options.all else TESTS):
        if options.only in place:
            yield from run_tests(python, place, options.seconds)


def main() -> None:
    """Run everything, and print and save the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tool", default="", help="program that runs Windows' Python here")
    parser.add_argument("--no-install", action="store_true", help="it is installed already")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each step")
    parser.add_argument("--only", default="", help="names that contain this text")
    parser.add_argument("--all", action="store_true", help="all tests, for an hour or two")
    parser.add_argument("tests", nargs="*", help="these tests alone, a row for each")
    options = parser.parse_args()
    if not options.tool and sys.platform != "win32":
        parser.error("this is not Windows: name a tool that runs it (make windows)")
    python = [options.tool, "python"] if options.tool else [sys.executable]
    (OUT / "window").mkdir(parents=True, exist_ok=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    results: list[Result] = []
    if options.tool and not options.no_install:
        install = [options.tool, "install", *PACKAGES]
        results.append(attempt("install", install, 3 * options.seconds))
    for result in _all(options, python):
        results.append(result)
        sys.stdout.write(f"{result.row}\n")
        sys.stdout.flush()
    head = "| What | Result | Detail | Time |\n|---|---|---|---|\n"
    table = head + "\n".join(each.row for each in results) + "\n"
    (OUT / "table.md").write_text(table, "utf-8")
    sys.exit(any(each.state != "passed" for each in results))


if __name__ == "__main__":
    main()
