"""The history of reports: an index over report files, which stay the truth.

The index is one SQLite file in the library's folder. It describes the reports of the library
and of folders that were added, such as a CI job's artifacts. It is only a summary: a file that
is new, changed or gone is noticed at the next look, and a damaged index is made anew. Several
windows and commands may use it at once; SQLite locks it.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.analysis.measured.noise import doubts
from inspector.errors import BadInput, InspectorError, NotSaved
from inspector.platform import files
from inspector.report.library import Library
from inspector.report.report import SCHEMA, PerformanceReport, load
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.statistics.change_points import ChangePoint, change_points
from inspector.statistics.intervals import median

INDEX = "history.sqlite"
_VERSION = 1  # of the tables; another one is made anew from the files
_PATIENCE_S = 10.0  # for another process that changes the index
_SUFFIX = ".json"
_TABLES = """
create table reports (
  path text primary key, changed_ns integer, file_bytes integer, model text, sha256 text,
  created text, device text, settings text, machine text, runtime text, p50_ns real,
  low_ns real, high_ns real, model_bytes integer, memory_bytes integer, problem text
);
create index by_model on reports (model, created);
create table folders (path text primary key);
create table notes (path text primary key, tags text, note text);
"""
# Reports outside the library that were removed from the list; their files stay. Newer than the
# tables above, so that an index of before gets it when it is opened.
_HIDDEN = "create table if not exists hidden (path text primary key)"
# Whether the file of a report, as changed then, is of a noisy measurement. A table of its own,
# so that older versions, which know none of it, may use the same index.
_NOISY = """create table if not exists noise (
  path text primary key, changed_ns integer, noisy integer
)"""
_COLUMNS = (
    "reports.path, model, sha256, created, device, settings, machine, runtime, p50_ns, low_ns, "
    "high_ns, model_bytes, memory_bytes, problem, noise.noisy"
)


class PastReport(Struct, frozen=True):
    """A report as the index describes it.

    settings: how they differ from the defaults, as text. machine: the processor's name.
    p50_ns, low_ns, high_ns: median latency of a run at full CPU speed, with its 95% interval;
    0 where unknown. model_bytes: size of the model file. memory_bytes: peak of the process.
    problem: why the file cannot be read; "" if it can. tags, note: given by the user. noisy:
    whether the measurement is, as the report itself says.
    """

    path: Path
    model: str
    sha256: str
    created: str
    device: str
    settings: str
    machine: str
    runtime: str
    p50_ns: float
    low_ns: float
    high_ns: float
    model_bytes: int
    memory_bytes: int
    problem: str
    tags: tuple[str, ...] = ()
    note: str = ""
    noisy: bool = False

    @property
    def series(self) -> tuple[str, str, str, str]:
        """What must be the same for two reports to be compared over time."""
        return self.model, self.device, self.settings, self.machine

    @property
    def timed(self) -> bool:
        """Return whether it has a latency: it can be read, and its measurement did not fail."""
        return bool(self.p50_ns and not self.problem)

    @property
    def moment(self) -> str:
        """Return when the report was made, in local time: "2026-11-26 14:05"."""
        return self._created("%Y-%m-%d %H:%M")

    @property
    def day(self) -> str:
        """Return the day on which the report was made: "2026-11-26"."""
        return self._created("%Y-%m-%d")

    def _created(self, form: str) -> str:
        try:
            return f"{datetime.fromisoformat(self.created).astimezone():{form}}"
        except ValueError:
            return units.clip(self.created, 20)

    @property
    def marks(self) -> str:
        """Return tags and note in a line: "#baseline  before the new kernels"."""
        return "  ".join(filter(None, (*(f"#{tag}" for tag in self.tags), self.note)))

    @property
    def settings_text(self) -> str:
        """Return the settings that differ from the defaults: "threads 1, arena False"."""
        changed = json.loads(self.settings) if self.settings else {}
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in changed.items())


def in_series(reports: Sequence[PastReport]) -> tuple[tuple[PastReport, ...], ...]:
    """Return the reports with a latency on one model, device, settings and machine each, oldest
    first."""
    timed = (each for each in reports if each.timed)
    ordered = sorted(timed, key=lambda each: (each.series, each.created))
    return tuple(tuple(group) for _, group in groupby(ordered, key=lambda each: each.series))


def latency_changes(series: Sequence[PastReport]) -> tuple[ChangePoint, ...]:
    """Return where the median latency of a series changed."""
    return change_points([each.p50_ns for each in series])


class History:
    """The index in one folder; each call opens it anew, so that threads may share this."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.path = self.folder / INDEX

    def add(self, places: Sequence[Path]) -> None:
        """Add report files or folders with reports, which stay where they are.

        Raises BadInput: there is no such file or folder. NotSaved: the index cannot be written.
        """
        for place in places:
            if not place.exists():
                raise BadInput(
                    f"Could not add {place}",
                    "there is no such file or folder",
                    "Check the path.",
                )
        with self._index() as index:
            rows = [(str(place.resolve()),) for place in places]
            index.executemany("insert or ignore into folders values (?)", rows)
            for (name,) in rows:  # what was removed before is wanted again
                inside = f"{_escaped(name)}{os.sep}%"
                index.execute(
                    "delete from hidden where path = ? or path like ? escape '!'",
                    (name, inside),
                )

    def reports(
        self, model: str = "", progress: Callable[[int, int], object] = lambda done, of: None
    ) -> tuple[PastReport, ...]:
        """Return the reports, oldest first, after a look at the files.

        model: a file name, the beginning of one, or of a SHA-256; "" for all. progress: called
        with how many new files were read, and of how many. Raises NotSaved: the index cannot be
        written.
        """
        with self._index() as index:
            self._refresh(index, progress)
            marked: dict[str, tuple[Any, ...]] = {
                path: (tuple(filter(None, tags.split("\n"))), note)
                for path, tags, note in index.execute("select path, tags, note from notes")
            }
            rows = index.execute(
                f"select {_COLUMNS} from reports natural join noise where model like ? escape"
                " '!' or sha256 like ? escape '!' order by created, reports.path",
                (f"{_escaped(model)}%", f"{_escaped(model)}%"),
            )
            return tuple(
                replace(
                    PastReport(Path(path), *values, *marked.get(path, ())), noisy=bool(noisy)
                )
                for path, *values, noisy in rows
            )

    def mark(
        self,
        report: Path,
        tags: Sequence[str] = (),
        note: str | None = None,
        untag: Sequence[str] = (),
    ) -> None:
        """Add tags to a report, remove others, or replace its note; "" removes the note.

        Raises NotSaved: the index cannot be written.
        """
        place = str(report.resolve())
        with self._index() as index:
            known = index.execute(
                "select tags, note from notes where path = ?", (place,)
            ).fetchone()
            old, text = known or ("", "")
            every = dict.fromkeys([*filter(None, old.split("\n")), *tags])
            index.execute(
                "insert or replace into notes values (?, ?, ?)",
                (
                    place,
                    "\n".join(tag for tag in every if tag not in untag),
                    text if note is None else note,
                ),
            )

    def is_own(self, report: Path) -> bool:
        """Return whether a report lies in the library, where `remove` deletes it."""
        return self.folder in report.parents

    def remove(self, reports: Sequence[Path]) -> None:
        """Delete reports of the library for good; others stay files, but are listed no more.

        Raises NotSaved: a file cannot be deleted, or the index cannot be written.
        """
        own = [report for report in reports if self.is_own(report)]
        names, library = {report.name for report in own}, Library(self.folder)
        library.remove([each.id for each in library.entries() if each.file_name in names])
        for report in own:  # one that the library does not know, such as a copied file
            try:
                report.unlink(missing_ok=True)
            except OSError as error:
                why = error.strerror or str(error)
                raise NotSaved(f"Could not remove {report.name}", why) from error
        gone = [(str(report),) for report in reports]
        hidden = [(str(report),) for report in reports if not self.is_own(report)]
        with self._index() as index:
            index.executemany("insert or ignore into hidden values (?)", hidden)
            index.executemany("delete from reports where path = ?", gone)
            index.executemany("delete from notes where path = ?", gone)

    def oldest_over(self, most_bytes: int) -> tuple[tuple[PastReport, int], ...]:
        """Return the oldest reports of the library that have to go for the rest to take at
        most so many bytes, and the size of each; never one with a tag or a note.
        """
        listed = {each.path.name: each for each in self.reports() if self.is_own(each.path)}
        entries = Library(self.folder).entries()
        total = sum(entry.size_bytes for entry in entries)
        surplus = []
        for entry in entries:
            report = listed.get(entry.file_name)
            if total <= most_bytes:
                break
            if report is not None and not report.tags and not report.note:
                surplus.append((report, entry.size_bytes))
                total -= entry.size_bytes
        return tuple(surplus)

    def _refresh(
        self, index: sqlite3.Connection, progress: Callable[[int, int], object]
    ) -> None:
        """Read what is new or changed, forget what is gone."""
        known = {
            path: (changed, size)
            for path, changed, size in index.execute(
                "select path, changed_ns, file_bytes from reports natural join noise"
            )
        }
        places = [Path(row[0]) for row in index.execute("select path from folders")]
        there = dict(_report_files([self.folder, *places]))
        for (path,) in index.execute("select path from hidden"):
            there.pop(path, None)
        gone = [(path,) for path in known if path not in there]
        index.executemany("delete from reports where path = ?", gone)
        new = [path for path, state in there.items() if known.get(path) != state]
        marks = ", ".join("?" * 16)
        index.execute("delete from noise where path not in (select path from reports)")
        for number, path in enumerate(new, 1):
            row = _described(Path(path))
            if row is not None:
                *described, noisy = row
                index.execute(
                    f"insert or replace into reports values ({marks})",
                    (path, *there[path], *described),
                )
                changed_ns, _ = there[path]
                index.execute(
                    "insert or replace into noise values (?, ?, ?)", (path, changed_ns, noisy)
                )
            if number % 200 == 0:
                index.commit()  # an interrupted first look goes on where it was
            progress(number, len(new))

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        """Open the index, made or made anew where needed; committed at the end of the block."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(self._opened()) as index:
                index.execute(_HIDDEN)
                index.execute(_NOISY)
                yield index
                index.commit()
        except (OSError, sqlite3.OperationalError) as error:
            why = getattr(error, "strerror", None) or str(error)
            if isinstance(error, FileExistsError | NotADirectoryError):
                why = "a file has the name of its folder"
            raise NotSaved(
                "Could not use the library",
                why,
                f"Check that {self.folder} can be written and has free space.",
            ) from error

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._checked()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            files.set_aside(self.path)
            return self._checked()

    def _checked(self) -> sqlite3.Connection:
        index = sqlite3.connect(self.path, timeout=_PATIENCE_S)
        try:
            (version,) = index.execute("pragma user_version").fetchone()
            if version != _VERSION:
                index.execute("begin immediate")
                (version,) = index.execute("pragma user_version").fetchone()
                if version == 0:
                    for statement in filter(str.strip, _TABLES.split(";")):
                        index.execute(statement)
                    index.execute(f"pragma user_version = {_VERSION}")
                elif version != _VERSION:
                    raise NotSaved(
                        "Could not use the library",
                        f"{self.path} was created by a newer version of Inspector",
                        "Update Inspector, or set INSPECTOR_LIBRARY to another folder.",
                    )
                index.commit()
        except BaseException:
            index.close()
            raise
        return index


def _escaped(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _report_files(places: Sequence[Path]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield JSON files below folders, with their time and size; names of ours are left out."""
    for place in places:
        if place.is_file():
            with suppress(OSError):
                found = place.stat()
                yield str(place), (found.st_mtime_ns, found.st_size)
            continue
        for folder, _, _ in os.walk(place):
            for entry in _entries(folder):
                # On Windows they have their time and size from the folder: no file is opened.
                with suppress(OSError):
                    if _may_be_a_report(entry.name) and entry.is_file():
                        found = entry.stat()
                        yield entry.path, (found.st_mtime_ns, found.st_size)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [*entries]
    return []


def _may_be_a_report(name: str) -> bool:
    other = (".sweep.json", ".tuning.json", ".trace.json", ".netron.json")
    return name.endswith(_SUFFIX) and not name.endswith(other) and name != "index.json"


def _described(path: Path) -> tuple[object, ...] | None:
    """Return a row without path, time and size, then whether it is noisy.

    None where the file is another kind of JSON.
    """
    try:
        with path.open("rb") as opened:
            if SCHEMA.encode() not in opened.read(4096):
                return None
        report = load(path)
    except (InspectorError, OSError) as error:
        why = error.why if isinstance(error, InspectorError) else str(error)
        return ("", "", "", "", "", "", "", 0, 0, 0, 0, 0, why, False)
    samples = report.full_speed_predictions.samples_ns
    low, high = median.interval(samples) or (0.0, 0.0)
    return (
        report.model.name,
        report.model.sha256,
        report.created,
        ", ".join(report.spec.devices),
        _settings(report),
        report.environment.cpu,
        report.environment.runtime or f"ONNX Runtime {report.environment.onnxruntime}",
        float(report.median_ns),
        low,
        high,
        report.model.size_bytes,
        report.memory.peak_bytes,
        "",
        bool(doubts(report)),
    )


def _settings(report: PerformanceReport) -> str:
    """Return the session's settings that are not the defaults, in a stable order."""
    usual, own = asdict(RunSpec()), asdict(report.spec)
    changed = {
        name: own[name]
        for name, setting in SETTINGS.items()
        if setting.is_axis and own[name] != usual[name]
    }
    if own["dimensions"]:
        changed["dimensions"] = own["dimensions"]
    return json.dumps(changed, sort_keys=True) if changed else ""
