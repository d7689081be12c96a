"""Autosave: what is measured in the window goes into the library before it is shown."""

from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from msgspec import Struct

from inspector.errors import InspectorError, NotSaved, UnreadableFile
from inspector.platform import files
from inspector.report.library import Library
from inspector.ui.documents.session_files import SessionFolder

if TYPE_CHECKING:  # numpy comes with the first report, after the first picture
    from inspector.report.report import PerformanceReport
    from inspector.report.sweep import Sweep
    from inspector.report.tuning import Tuning


class Origin(Struct, frozen=True):
    """The place from which a report can be read again.

    id: of its entry in the library, "" if it is not there. path: of the file that the user
    opened, with its state then. problem: why the library could not take it.
    """

    id: str = ""
    path: Path | None = None
    state: files.FileState | None = None
    problem: InspectorError | None = None

    @property
    def lasting(self) -> bool:
        """Return whether it can be read again after the window is closed."""
        return bool(self.id) or self.path is not None


class Autosave:
    """Puts results into a library; all methods may be called from any thread.

    library: None keeps nothing, as in tests. session: of the window, written into entries.
    """

    def __init__(self, library: Library | None = None, session: str = "") -> None:
        self.library, self.session = library, session
        self._origins: WeakKeyDictionary[PerformanceReport, Origin] = WeakKeyDictionary()

    @property
    def chats(self) -> Path | None:
        """Return the folder of conversations with language models; None keeps none."""
        return self.library.folder / "chats" if self.library is not None else None

    def keep(self, report: "PerformanceReport", model_path: Path | None) -> None:
        """Keep a report that was measured; `origin` then tells where, or why it is not."""
        if self.library is None:
            return
        try:
            entry = self.library.add(report, str(model_path or ""), self.session)
        except NotSaved as error:
            self._origins[report] = Origin(problem=error)
        else:
            self._origins[report] = Origin(entry.id)

    def keep_changed(
        self, before: "PerformanceReport", report: "PerformanceReport", model_path: Path | None
    ) -> None:
        """Keep a report to which something was added, in the place of the one before."""
        origin = self._origins.get(before)
        if self.library is None or origin is None or not origin.id:
            self.keep(report, model_path)
            return
        try:
            self.library.add(report, str(model_path or ""), self.session, origin.id)
        except NotSaved as error:
            self._origins[report] = Origin(problem=error)
        else:
            self._origins[report] = origin

    def keep_step(self, result: "Sweep | Tuning", model_path: Path | None, id_: str) -> str:
        """Keep a sweep or a search as far as it is, and return the id of its entry.

        id_: what the step before returned, "" at first. A disk that takes nothing is no reason
        to stop measuring: the same id comes back then, and the next step tries again.
        """
        if self.library is None:
            return id_
        try:
            return self.library.add(result, str(model_path or ""), self.session, id_).id
        except NotSaved:
            return id_

    def latest(self, kind: str, sha256: str) -> "tuple[Sweep | Tuning, str] | None":
        """Return the newest sweep or tuning of a model, with its id; None if there is none."""
        entry = self.library.latest(kind, sha256) if self.library is not None else None
        if entry is None or self.library is None:
            return None
        try:
            result = self.library.load(entry)
        except UnreadableFile:  # of a later version, or removed by another window
            return None
        return cast("Sweep | Tuning", result), entry.id  # of the kind that was asked for

    def origin(self, report: "PerformanceReport") -> Origin | None:
        """Return where a report can be read again; None if that is not known."""
        return self._origins.get(report)

    def set_origin(self, report: "PerformanceReport", origin: Origin) -> None:
        """Remember where a report was read."""
        self._origins[report] = origin

    def set_origin_of_file(
        self, report: "PerformanceReport", path: Path, state: files.FileState | None
    ) -> None:
        """Remember the file that a report was read from, with its state then."""
        self.set_origin(report, Origin(path=path, state=state))


def kept_in(folder: Path | None) -> tuple[SessionFolder | None, Autosave]:
    """Return the sessions in a library's folder, and what saves into it; None keeps nothing."""
    if folder is None:
        return None, Autosave()
    sessions = SessionFolder(folder / "sessions")
    return sessions, Autosave(Library(folder), sessions.id)
