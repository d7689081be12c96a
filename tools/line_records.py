"""A pytest plugin that records which test file runs which lines, and how long its tests take.

`tools/mutants.py` loads it with `-p tools.line_records`. Each test file gets one record below
the folder that MUTANTS_RECORDS names, so that a changed test file is recorded alone. It takes
half as long again as the tests do. Only what runs in the process of the tests is seen: the
engine and the decoders confine themselves and could not write what they saw.
"""

import gzip
import hashlib
import json
import os
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = "inspector"


@dataclass
class FileRecord:
    """What the tests of one file run; paths are relative to it, with forward slashes.

    digest: of the file as it was recorded. tests: those that passed, with their seconds.
    lines: of each module that they ran, without what had run at an earlier import.
    modules: digests of these modules as they were.
    """

    digest: str = ""
    tests: dict[str, float] = field(default_factory=dict)
    lines: dict[str, list[int]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


def digest(path: Path) -> str:
    """Return a digest of a file, or nothing where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


def record_path(folder: Path, test_file: str) -> Path:
    """Return where the record of a test file lies."""
    return folder / (test_file.replace("/", ".") + ".json.gz")


def save(folder: Path, test_file: str, record: FileRecord) -> None:
    """Write the record of a test file."""
    folder.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(json.dumps(asdict(record)).encode(), 3)
    record_path(folder, test_file).write_bytes(packed)


def load(path: Path) -> FileRecord | None:
    """Read a record, or nothing where there is none that can be read."""
    try:
        return FileRecord(**json.loads(gzip.decompress(path.read_bytes())))
    except (OSError, ValueError, EOFError, TypeError):
        return None


class Recorder:
    """Starts coverage with one context for each test file and writes records at the end."""

    def __init__(self, folder: Path) -> None:
        import coverage  # not needed to read records

        self._folder = folder
        self._records: dict[str, FileRecord] = defaultdict(FileRecord)
        self._failed = set[str]()
        self._coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{ROOT / PACKAGE}/*"], messages=False
        )
        self._coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Book what runs from now on to this test's file."""
        test_file = nodeid.partition("::")[0]
        if test_file not in self._records:
            self._records[test_file].digest = digest(ROOT / test_file)
            self._coverage.switch_context(test_file)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the time; a test that is skipped or fails kills no mutant."""
        tests = self._records[report.nodeid.partition("::")[0]].tests
        tests[report.nodeid] = tests.get(report.nodeid, 0.0) + report.duration
        if report.outcome != "passed":
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write one record for each test file."""
        self._coverage.stop()
        data = self._coverage.get_data()
        for path in data.measured_files():
            module = Path(path).relative_to(ROOT).as_posix()
            for line, test_files in data.contexts_by_lineno(path).items():
                for test_file in filter(None, test_files):
                    record = self._records[test_file]
                    record.lines.setdefault(module, []).append(line)
                    record.modules.setdefault(module, digest(Path(path)))
        for test_file, record in self._records.items():
            for nodeid in self._failed & record.tests.keys():
                del record.tests[nodeid]
            save(self._folder, test_file, record)


def pytest_configure(config: Any) -> None:
    """Start to record if a folder for it is given; with pytest-xdist in its workers alone."""
    folder = os.environ.get("MUTANTS_RECORDS")
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if folder and runs_tests:
        config.pluginmanager.register(Recorder(Path(folder)))
