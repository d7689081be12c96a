"""Sessions: what each window has open, in a file of its own, for the next start.

A window holds a lock beside its file as long as it lives. A file without such an owner is of a
window that was closed, or that was killed. Nothing here knows Qt.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from time import time_ns
from typing import IO, Any

import msgspec

from inspector.conversion.action import Step
from inspector.errors import InspectorError
from inspector.platform import files
from inspector.report.run_spec import RunSpec
from inspector.report.saved_json import expect_ranges
from inspector.wording.stored import text_only

SCHEMA = "session/1"
MOST_ENDED = 5  # sessions of closed windows that can still be restored
MOST_CLOSED = 30  # closed documents and reports that can be reopened
# A file that brings the window down would do so at every start: after so many starts that did
# not come to their end it is not opened again by itself.
MOST_ATTEMPTS = 2
# Ids of the tabs in the order of 2026: sessions of that time have a tab's place in it.
EARLIER_TABS = (
    "overview",
    "graph",
    "weights",
    "preview",
    "activations",
    "performance",
    "improve",
)
_LIMIT_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """The place of a report: the id of its entry in the library, or else a file."""

    id: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class InputPlace:
    """The value of an input in Preview, so that it can be restored.

    kind: "picture", "sound", "values", or "file" for a file that the input takes as it can.
    value: a file's path, or a recipe such as "random:7".
    settings: fields of the picture's ImagePreprocessing or of the sound's Framing, as JSON.
    """

    name: str
    kind: str
    value: str
    settings: str = ""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A model with its reports, reports without a model (path ""), a trace, or two models that
    are compared.

    tab: id of the one that was shown; in earlier sessions its place in `EARLIER_TABS`.
    chosen: which of `reports` was shown. spec: the settings.
    inputs: of the Preview, as far as somebody filled them. other: the model that the one at
    `path` is compared with; "" for all else. results: what was compared of both, as JSON.
    support_checked: whether the support of other devices was looked up. edits: of the graph, in
    no copy of the model yet. chat: name of the conversation with a language model, in the
    folder of these. files_run: a run of several files in Preview, as JSON.
    """

    path: str = ""
    trace: bool = False
    name: str = ""
    tab: str | int = ""
    reports: tuple[ReportPlace, ...] = ()
    chosen: int | None = None
    spec: RunSpec | None = None
    report_only: bool = False  # of a closed report, whose model stayed open
    inputs: tuple[InputPlace, ...] = ()
    other: str = ""
    results: str = ""
    support_checked: bool = False
    edits: tuple[Step, ...] = ()
    chat: str = ""
    files_run: str = ""

    @property
    def tab_id(self) -> str:
        """Return the id of the tab that was shown; "" where none is known."""
        if isinstance(self.tab, str):
            return self.tab
        return EARLIER_TABS[self.tab] if 0 <= self.tab < len(EARLIER_TABS) else ""


@dataclass(frozen=True, slots=True)
class SessionState:
    """The open and closed items of a window, in the order of its list.

    front: which of `documents` is shown. ended: the window was closed, not killed.
    attempts: how often it was restored without coming to an end. written_ns: since 1970.
    folders: whose models are listed in a table.
    """

    id: str = ""
    documents: tuple[OpenDocument, ...] = ()
    front: int | None = None
    compared: bool = False
    closed: tuple[OpenDocument, ...] = ()
    ended: bool = False
    attempts: int = 0
    written_ns: int = 0
    folders: tuple[str, ...] = ()

    @property
    def in_use(self) -> bool:
        """Whether anything is open."""
        return bool(self.documents or self.folders)


class SessionFolder:
    """The sessions of all windows of a user; `id` is the one of this window.

    A thread that is late writes nothing after the last state of the window.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: tuple[Path, ...] = ()  # files that were set aside, see `files.set_aside`
        self.id = f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(4).hex()}"
        self._writing, self._over = Lock(), False
        self._lock: IO[bytes] | None = files.open_lock(self._lock_file(self.id))
        if self._lock is not None:
            files.try_lock(self._lock)

    def write(self, state: SessionState) -> None:
        """Replace what is written of this window. Raises NotSaved."""
        with self._writing:
            if not self._over:
                self._write(state)

    def _write(self, state: SessionState) -> None:
        state = replace(state, id=self.id, written_ns=time_ns())
        body = msgspec.json.encode({"schema": SCHEMA, "state": state}, enc_hook=text_only)
        files.write_atomic(self._file(self.id), body + b"\n")

    def earlier(self) -> tuple[SessionState, ...]:
        """Return the sessions of windows that are gone, by when they were written last."""
        try:
            names = sorted(path.stem for path in self.folder.glob("*.json"))
        except OSError:
            return ()
        states = (self._read(name) for name in names if self._is_over(name))
        return tuple(
            state for state in states if state is not None and (state.in_use or state.closed)
        )

    def all(self) -> tuple[SessionState, ...]:
        """Return the sessions of all windows, those that are open included."""
        with suppress(OSError):
            states = map(self._read, sorted(path.stem for path in self.folder.glob("*.json")))
            return tuple(state for state in states if state is not None)
        return ()

    def take(self, states: tuple[SessionState, ...]) -> SessionState:
        """Make earlier sessions those of this window, and return them as one. Raises NotSaved.

        They are written into its file before theirs are removed: whoever is killed in between
        restores some documents twice, which opens them once.
        """
        state = merged(states, self.id)
        self.write(state)
        for each in states:
            self._remove(each.id)
        return state

    def end(self, state: SessionState) -> None:
        """Write the last state of this window, and let go of the oldest sessions."""
        with self._writing, suppress(InspectorError):
            self._over = True
            if state.in_use or state.closed:
                self._write(replace(state, ended=True, attempts=0))
            else:
                self._remove(self.id)
            ended = [each for each in self.earlier() if each.ended]
            for each in ended[:-MOST_ENDED]:
                self._remove(each.id)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        with suppress(OSError):
            self._lock_file(self.id).unlink(missing_ok=True)

    def _file(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def _lock_file(self, id_: str) -> Path:
        return self.folder / f"{id_}.lock"

    def _is_over(self, id_: str) -> bool:
        """Return whether no living window has that session."""
        if id_ == self.id:
            return False
        lock = self._lock_file(id_)
        if not files.is_file(lock):
            return True
        opened = files.open_lock(lock)
        if opened is None:
            return False
        with opened:
            return files.try_lock(opened)

    def _read(self, id_: str) -> SessionState | None:
        try:
            body = files.read_capped(self._file(id_), _LIMIT_BYTES)
        except InspectorError:
            return None
        try:
            return decoded(body, id_)
        except ValueError:
            aside = files.set_aside(self._file(id_))
            self.damaged += (aside,) if aside is not None else ()
            return None

    def _remove(self, id_: str) -> None:
        with suppress(OSError):
            self._file(id_).unlink(missing_ok=True)
            self._lock_file(id_).unlink(missing_ok=True)


def merged(states: tuple[SessionState, ...], id_: str) -> SessionState:
    """Return several sessions as one; of a document that is in two, the later one counts."""
    documents: dict[Any, OpenDocument] = {}
    for state in states:
        for document in state.documents:
            key = _key(document)
            earlier = documents.pop(key, None)
            documents[key] = _both(earlier, document) if earlier is not None else document
    front = None
    if states and states[-1].front is not None:
        last = states[-1].documents[states[-1].front]
        front = list(documents).index(_key(last))
    closed = tuple(each for state in states for each in state.closed)[-MOST_CLOSED:]
    attempts = max((state.attempts for state in states), default=0) + 1
    compared = any(state.compared for state in states[-1:])
    folders = tuple(dict.fromkeys(each for state in states for each in state.folders))
    return SessionState(
        id_,
        tuple(documents.values()),
        front,
        compared,
        closed,
        attempts=attempts,
        folders=folders,
    )


def _key(document: OpenDocument) -> Any:
    """Return what two entries of one document have in common."""
    if document.other:
        return document.path, document.other
    return document.path or document.reports


def _both(earlier: OpenDocument, later: OpenDocument) -> OpenDocument:
    before = tuple(each for each in earlier.reports if each not in later.reports)
    chosen = None if later.chosen is None else later.chosen + len(before)
    return replace(later, reports=(*before, *later.reports), chosen=chosen)


def decoded(body: bytes, id_: str) -> SessionState | None:
    """Return the session in a file; None where it is of a later version.

    Raises ValueError: it is damaged.
    """
    try:
        record = msgspec.json.decode(body)
        if not isinstance(record, dict):
            raise ValueError("it is not an object")
        if record.get("schema") != SCHEMA:
            return None
        state = _state(record.get("state"), id_)
        expect_ranges(state)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return state


def _state(record: Any, id_: str) -> SessionState:
    """Return the state of a decoded file, with its own name as id, however it was called."""
    state = msgspec.convert(record, SessionState)
    front = state.front
    if front is not None and not 0 <= front < len(state.documents):
        front = None
    return replace(state, id=id_, front=front)
