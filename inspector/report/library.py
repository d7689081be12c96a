"""The library: reports, sweeps and tunings that are saved automatically.

A library is a folder. Each result is one file in it, in the format that `inspector` exports
(`report/1`, `sweep/1`, `tuning/1`), so that it can be copied out and opened anywhere.
`index.json` describes the files for whoever lists them. It is only a summary: entries of files
that are gone are dropped, files that it does not know are read and added, and a damaged index
is set aside and made anew from the files.
Killing a process at any moment loses nothing that `add` returned.

Several processes may use one folder. The index is changed under a lock, and every file is
replaced in one step. Nothing here knows the window.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from inspector.errors import InspectorError, NotSaved, UnreadableFile
from inspector.platform import files
from inspector.platform.data_struct import DataStruct
from inspector.platform.settings import library_folder
from inspector.report import report, sweep, tuning
from inspector.report.report import PerformanceReport, spans_path
from inspector.report.saved_json import expect_ranges
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning
from inspector.wording.stored import text_only

Result = PerformanceReport | Sweep | Tuning
SCHEMA = "library/1"
INDEX = "index.json"
LOCK = "index.lock"
KINDS = ("report", "sweep", "tuning")
# Bounds, chosen by us: a usual report has 50 to 500 kB, so 1,000 of them are some 0.3 GiB. The
# bytes are for reports with a long timeline, which may have 100 MB each.
MAX_ENTRIES = 1000
MAX_BYTES = 2 << 30
_INDEX_LIMIT_BYTES = 64 << 20  # of the index that is read
# Longest wait for another window that changes the index, and between two attempts.
_LOCK_PATIENCE_S = 5.0
_LOCK_PAUSE_S = 0.01
_FREE_SPACE = "Free up some disk space, or set INSPECTOR_LIBRARY to another folder."

default_folder = library_folder  # the name in the documents


class Entry(DataStruct, frozen=True):
    """A saved result, as the index describes it.

    id: names its file. kind: one of KINDS. model: the model's file name. sha256: of the model.
    created: when it was measured, ISO 8601. added_ns: when it was added, since 1970.
    median_ns: latency of a report, 0 for other kinds. devices: those of its settings.
    model_path: where the model lay, "" if unknown. session: of the window that measured it.
    exported: where the user saved a copy of it, "" if nowhere.
    problem: why the file cannot be read; "" if it can.
    """

    id: str
    kind: str
    model: str = ""
    sha256: str = ""
    created: str = ""
    added_ns: int = 0
    size_bytes: int = 0
    median_ns: int = 0
    devices: tuple[str, ...] = ()
    complete: bool = True
    model_path: str = ""
    session: str = ""
    exported: str = ""
    problem: str = ""

    @property
    def file_name(self) -> str:
        """Name of its file in the library's folder."""
        return f"{self.id}.{self.kind}.json"

    @property
    def unsaved(self) -> bool:
        """Whether the library has the only copy, as far as is known."""
        return not (self.exported and files.is_file(Path(self.exported)))


class Library:
    """The results saved in one folder. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: tuple[Path, ...] = ()  # files that were set aside, see `files.set_aside`

    def path(self, entry: Entry) -> Path:
        """Return the file of an entry."""
        return self.folder / entry.file_name

    def entries(self) -> tuple[Entry, ...]:
        """Return all entries, oldest first; a damaged index is repaired."""
        index, names = self._read_index(), self._names()
        if index is not None and names == {entry.file_name for entry in index}:
            return index
        if not names and index is None:
            return ()
        with suppress(NotSaved), self._changing() as changed:
            return tuple(changed)
        return tuple(self._mended(self._read_index() or ()))

    def entry(self, id_: str) -> Entry | None:
        """Return the entry with that id; None if there is none."""
        return next((entry for entry in self.entries() if entry.id == id_), None)

    def latest(self, kind: str, sha256: str) -> Entry | None:
        """Return the newest result of a kind about a model; None if there is none."""
        matches = (
            entry
            for entry in reversed(self.entries())
            if entry.kind == kind and entry.sha256 == sha256 and not entry.problem
        )
        return next(matches, None)

    def add(
        self, result: Result, model_path: str = "", session: str = "", id_: str = ""
    ) -> Entry:
        """Keep a result and return its entry; when this returns, the result is on the disk.

        id_: of an entry to replace, as a sweep does after each measurement.
        Raises NotSaved: no room, no permission.
        """
        kind = _kind(result)
        entry = Entry(id_ or _new_id(), kind, model_path=model_path, session=session)
        entry = _with_summary(entry, result)
        path = self.path(entry)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise NotSaved(
                f"Could not save the {kind} in the library",
                error.strerror or str(error),
                _FREE_SPACE,
            ) from error
        module = {"report": report, "sweep": sweep, "tuning": tuning}[_kind(result)]
        module.save(result, path)
        entry = replace(entry, size_bytes=_size(path))
        # The file is there: an index that cannot be written is mended by the next reader.
        with suppress(NotSaved), self._changing(new=entry.file_name) as index:
            for place, earlier in enumerate(index):
                if earlier.id == entry.id:
                    updated = replace(
                        entry,
                        added_ns=earlier.added_ns,
                        model_path=entry.model_path or earlier.model_path,
                        session=entry.session or earlier.session,
                    )
                    index[place] = updated
                    return updated
            index.append(entry)
            return entry
        return entry

    def load(self, entry: Entry) -> Result:
        """Read a saved result. Raises UnreadableFile."""
        result: Result = _load(entry.kind, self.path(entry))
        return result

    def set_exported(self, id_: str, path: Path) -> None:
        """Remember where the user saved a copy. Raises NotSaved."""
        with self._changing() as index:
            for place, entry in enumerate(index):
                if entry.id == id_:
                    index[place] = replace(entry, exported=str(path))

    def remove(self, ids: Sequence[str]) -> None:
        """Delete results for good. Raises NotSaved where the folder cannot be written."""
        with self._changing() as index:
            for entry in [entry for entry in index if entry.id in ids]:
                path = self.path(entry)
                try:
                    for file in (path, spans_path(path)):
                        file.unlink(missing_ok=True)
                except OSError as error:
                    why = error.strerror or str(error)
                    raise NotSaved(f"Could not remove {path.name}", why) from error
                index.remove(entry)

    def trim(
        self,
        in_use: Sequence[str] = (),
        most_entries: int = MAX_ENTRIES,
        most_bytes: int = MAX_BYTES,
    ) -> tuple[Entry, ...]:
        """Bring the library back within its bounds, as far as nothing unsaved is lost.

        The oldest results that the user saved elsewhere, and whose copy is still there, are
        removed. Returns the oldest of the others that would have to go as well: these stay
        until the caller, having told the user, calls `remove`. in_use: ids that stay anyway.
        Raises NotSaved where the folder cannot be written.
        """
        entries = self.entries()
        count, size = len(entries), sum(entry.size_bytes for entry in entries)
        if count <= most_entries and size <= most_bytes:
            return ()
        free = [entry for entry in entries if entry.id not in in_use]
        removed: list[Entry] = []
        surplus: list[Entry] = []
        for entry in sorted(free, key=lambda entry: entry.unsaved):
            if count <= most_entries and size <= most_bytes:
                break
            (surplus if entry.unsaved else removed).append(entry)
            count, size = count - 1, size - entry.size_bytes
        if removed:
            self.remove([entry.id for entry in removed])
        return tuple(surplus)

    def _names(self) -> set[str]:
        try:
            names = os.listdir(self.folder)
        except OSError:
            return set()
        return {name for name in names if _parse_file_name(name) is not None}

    def _read_index(self) -> tuple[Entry, ...] | None:
        """Return what the index says; None where there is none, or it is damaged."""
        try:
            body = files.read_capped(self.folder / INDEX, _INDEX_LIMIT_BYTES)
        except UnreadableFile:
            return None
        return decode_index(body)

    @contextmanager
    def _changing(self, new: str = "") -> Iterator[list[Entry]]:
        """Give the entries to be changed, and write the index after. Raises NotSaved.

        new: name of a file whose entry is about to be put in, so that it need not be read.
        """
        with self._locked():
            before = self._read_index()
            if before is None and files.is_file(self.folder / INDEX):
                backup = files.set_aside(self.folder / INDEX)
                self.damaged += (backup,) if backup is not None else ()
            index = self._mended(before or (), new)
            yield index
            if before is None or tuple(index) != before:
                body = {"schema": SCHEMA, "entries": index}
                files.write_atomic(
                    self.folder / INDEX, msgspec.json.encode(body, enc_hook=text_only) + b"\n"
                )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Run the block while no other process changes the index.

        Where the lock cannot be had for long, because its owner hangs or the file system knows
        none, the block runs all the same: the worst is an index that its next reader mends.
        """
        opened = files.open_lock(self.folder / LOCK)
        if opened is None:
            yield
            return
        with opened:
            end = time.monotonic() + _LOCK_PATIENCE_S
            while not files.try_lock(opened) and time.monotonic() < end:
                time.sleep(_LOCK_PAUSE_S)
            yield

    def _mended(self, index: Sequence[Entry], new: str = "") -> list[Entry]:
        """Return the entries of the files that are there, read where the index has none."""
        names = self._names()
        entry_of_name = {entry.file_name: entry for entry in index}
        existing = [entry for name, entry in entry_of_name.items() if name in names]
        existing += [self._read_entry(name) for name in names - entry_of_name.keys() - {new}]
        return sorted(existing, key=lambda entry: (entry.added_ns, entry.id))

    def _read_entry(self, name: str) -> Entry:
        id_, kind = _parse_file_name(name) or ("", "")
        path = self.folder / name
        try:
            added_ns, size = path.stat().st_mtime_ns, _size(path)
            entry = Entry(id_, kind, added_ns=added_ns, size_bytes=size)
        except OSError as error:
            return Entry(id_, kind, problem=error.strerror or str(error))
        try:
            return _with_summary(entry, _load(kind, path))
        except InspectorError as error:
            return replace(entry, problem=error.why)


class _Index(DataStruct, frozen=True):
    schema: str = ""
    entries: tuple[Entry, ...] = ()


def decode_index(body: bytes) -> tuple[Entry, ...] | None:
    """Return the entries of an index; None where it is damaged, or of a later version."""
    try:
        index = msgspec.json.decode(body, type=_Index)
        expect_ranges(index)
    except (ValueError, RecursionError):  # the decoder's own errors are ValueErrors
        return None
    twice = len({entry.id for entry in index.entries}) < len(index.entries)
    return None if twice or index.schema != SCHEMA else index.entries


def _new_id() -> str:
    """Return an id that sorts by time and that two processes never both make."""
    return f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(4).hex()}"


def _parse_file_name(name: str) -> tuple[str, str] | None:
    """Return id and kind of a result's file; None for other files."""
    id_, _, rest = name.partition(".")
    kind = rest.removesuffix(".json")
    return (id_, kind) if id_ and rest.endswith(".json") and kind in KINDS else None


def _kind(result: Result) -> str:
    if isinstance(result, PerformanceReport):
        return "report"
    return "sweep" if isinstance(result, Sweep) else "tuning"


def _with_summary(entry: Entry, result: Result) -> Entry:
    """Return the entry with what is to be listed of its result."""
    entry = replace(entry, created=result.created, added_ns=entry.added_ns or time.time_ns())
    if isinstance(result, PerformanceReport):
        return replace(
            entry,
            model=result.model.name,
            sha256=result.model.sha256,
            median_ns=result.median_ns,
            devices=result.spec.devices,
            complete=result.complete,
        )
    if isinstance(result, Sweep):
        model, spec, complete = result.models[0], result.spec, not result.order()
    else:
        model, spec, complete = result.model, result.default, result.complete
    return replace(
        entry, model=model.name, sha256=model.sha256, devices=spec.devices, complete=complete
    )


def _load(kind: str, path: Path) -> Any:
    return {"report": report, "sweep": sweep, "tuning": tuning}[kind].load(path)


def _size(path: Path) -> int:
    """Return the bytes that a result takes, with the file of its spans, if any."""
    spans = spans_path(path)
    return path.stat().st_size + (spans.stat().st_size if files.is_file(spans) else 0)
