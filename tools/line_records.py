"""A pytest plugin that records which test runs which lines, and how long it takes.

`tools/mutants.py` loads it with `-p tools.line_records`. Each test file gets one record below
the folder that MUTANTS_RECORDS names, so that a changed test file is recorded alone. Only the
modules of MUTANTS_MODULES are watched, which costs a third of watching all. Only what runs in
the process of the tests is seen: the engine and the decoders confine themselves and could not
write what they saw.
"""

import gzip
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass
class RecordedTest:
    """One test: seconds it took, whether it passed, lines of modules that it ran.

    Module paths are relative to the repository, with forward slashes.
    """

    seconds: float = 0.0
    passed: bool = True
    lines: dict[str, list[int]] = field(default_factory=dict)


@dataclass
class FileRecord:
    """The tests of one file, with digests that say whether the record still holds."""

    digest: str
    tests: dict[str, RecordedTest]
    modules: dict[str, str]  # digest of each module that was watched


def digest(path: Path) -> str:
    """Return a digest of a file, or nothing where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


def record_path(folder: Path, test_file: str) -> Path:
    """Return where the record of a test file lies."""
    return folder / (test_file.replace("/", ".") + ".json.gz")


def load(path: Path) -> FileRecord | None:
    """Read a record, or nothing where there is none that can be read."""
    try:
        body = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, ValueError, EOFError):
        return None
    tests = {name: RecordedTest(**test) for name, test in body["tests"].items()}
    return FileRecord(body["digest"], tests, body["modules"])


class Recorder:
    """Starts coverage with one context for each test and writes records at the end."""

    def __init__(self, folder: Path, modules: list[str]) -> None:
        import coverage  # not needed to read records

        self._folder, self._modules = folder, modules
        paths = [str(ROOT / module) for module in modules]
        self._coverage = coverage.Coverage(
            data_file=None, config_file=False, include=paths, messages=False
        )
        self._runs: dict[str, RecordedTest] = {}
        self._coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Book what runs from now on to this test."""
        self._runs[nodeid] = RecordedTest()
        self._coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep time and outcome; a test that is skipped or fails kills no mutant."""
        run = self._runs[report.nodeid]
        run.seconds += report.duration
        run.passed &= report.outcome == "passed"

    def pytest_sessionfinish(self) -> None:
        """Write one record for each test file."""
        self._coverage.stop()
        data = self._coverage.get_data()
        names = {
            path: Path(path).relative_to(ROOT).as_posix() for path in data.measured_files()
        }
        for path, name in names.items():
            for line, contexts in data.contexts_by_lineno(path).items():
                for nodeid in set(contexts) & self._runs.keys():
                    self._runs[nodeid].lines.setdefault(name, []).append(line)
        self._folder.mkdir(parents=True, exist_ok=True)
        for test_file, tests in _by_file(self._runs):
            modules = {module: digest(ROOT / module) for module in self._modules}
            record = FileRecord(digest(ROOT / test_file), tests, modules)
            packed = gzip.compress(json.dumps(asdict(record)).encode(), 3)
            record_path(self._folder, test_file).write_bytes(packed)


def _by_file(runs: dict[str, RecordedTest]) -> Iterator[tuple[str, dict[str, RecordedTest]]]:
    """Group tests by the file that holds them."""
    grouped: dict[str, dict[str, RecordedTest]] = defaultdict(dict)
    for nodeid, run in runs.items():
        grouped[nodeid.partition("::")[0]][nodeid] = run
    yield from grouped.items()


def pytest_configure(config: Any) -> None:
    """Start to record if a folder for it is given; with pytest-xdist in its workers alone."""
    folder = os.environ.get("MUTANTS_RECORDS")
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if folder and runs_tests:
        modules = os.environ["MUTANTS_MODULES"].split(os.pathsep)
        config.pluginmanager.register(Recorder(Path(folder), modules))
