"""The session of a window: written down as it changes, restored at the next start."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal

from inspector.errors import InspectorError, NotSaved, UnreadableFile
from inspector.platform import files
from inspector.report import report as report_files
from inspector.report.library import Entry, Library
from inspector.report.run_spec import RunSpec
from inspector.ui import units
from inspector.ui.background import Debounce, TaskRunner
from inspector.ui.documents.autosave import Origin
from inspector.ui.documents.diff_document import DiffDocument
from inspector.ui.documents.document import Document
from inspector.ui.documents.session_files import (
    MOST_ATTEMPTS,
    MOST_CLOSED,
    OpenDocument,
    ReportPlace,
    SessionFolder,
    SessionState,
)
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.documents.workspace import Opening, Restorable, Workspace
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.notice import Action, Message, Notice

if TYPE_CHECKING:  # numpy comes with the first report, after the first paint
    from inspector.report.report import PerformanceReport

    Read = tuple[tuple[tuple[PerformanceReport, Origin], ...], int | None]

Shown = Document | TraceDocument | DiffDocument
# Several things change together, as when a file is opened: they are written once. A report is
# in the library before it is shown, so nothing is lost in this time.
WRITE_AFTER_MS = 200
RESTORE_KEY = "restore_session"
LISTED = 15  # reports in the menu of the library


class Window(Protocol):
    """The part of a window that a session needs."""

    workspace: Workspace

    @property
    def notice(self) -> Notice: ...  # noqa: D102
    def front(self) -> "Shown | None": ...  # noqa: D102
    def tab_of(self, document: Document) -> str: ...  # noqa: D102
    def show_tab_of(self, document: Document, tab: str) -> None: ...  # noqa: D102
    def bring_to_front(  # noqa: D102
        self, shown: "Shown", report: "PerformanceReport | None" = None
    ) -> None: ...
    def is_comparing(self) -> bool: ...  # noqa: D102
    def run_command(self, id_: str, *arguments: object) -> None: ...  # noqa: D102
    def open_folder(self, folder: Path) -> None: ...  # noqa: D102
    def listed_folders(self) -> tuple[Path, ...]: ...  # noqa: D102
    def tell_news(self, text: str) -> None: ...  # noqa: D102


class _Closed(Struct, frozen=True):
    """Something that was closed. held: its reports that are in no file."""

    place: OpenDocument
    held: "tuple[PerformanceReport, ...]" = ()


class Session(QObject):
    """The open and the recently closed items of a window; `folder` None writes nothing."""

    changed_closed = Signal()
    offer_changed = Signal(str)  # what an earlier session had open; "" for nothing to restore

    def __init__(self, window: Window, folder: SessionFolder | None, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._folder = window, folder
        self._workspace = workspace = window.workspace
        self._closed: list[_Closed] = []
        self._restored: SessionState | None = None  # as long as it is being restored
        self._opening: Opening | None = None
        self._names: set[Path] = set()  # of what is being restored
        self._front: OpenDocument | None = None
        self._jobs = TaskRunner(self)
        self._writing_soon = Debounce(self._write, self, WRITE_AFTER_MS)
        self._writing = self._again = False
        for signal in (
            workspace.opened, workspace.closed, workspace.replaced, workspace.adopted,
            workspace.trace_opened, workspace.trace_closed, workspace.diff_opened,
            workspace.diff_closed, workspace.kept, workspace.inputs_changed,
        ):  # fmt: skip
            signal.connect(self.write_soon)
        workspace.diff_opened.connect(self._follow_diff)

    @property
    def restores(self) -> bool:
        """Return whether a start without a file goes on where the last window ended."""
        return self._workspace.settings.value(RESTORE_KEY, True, type=bool) is True

    def set_restores(self, restores: bool) -> None:
        """Choose whether a start without a file restores the session."""
        self._workspace.settings.setValue(RESTORE_KEY, restores)

    def is_restoring(self, shown: Shown) -> bool:
        """Return whether something that opens is of the session, and is not to come to the
        front."""
        if isinstance(shown, DiffDocument):
            return self._restored is not None
        path = shown.path if isinstance(shown, TraceDocument) else shown.reopen_path
        return self._restored is not None and (path is None or path in self._names)

    def write_soon(self) -> None:
        """Write the session down, together with what changes in the same moment."""
        if self._folder is not None and self._restored is None:
            self._writing_soon.call()

    def start(self, with_files: bool) -> None:
        """Restore what the windows before had open, or offer it where files were named."""
        folder = self._folder
        if folder is None:
            return
        with suppress(NotSaved):  # a killed window is known by its file
            folder.write(self._state())
        earlier = folder.earlier()
        killed = tuple(state for state in earlier if not state.ended)
        ended = tuple(state for state in earlier if state.ended)
        requested = (*ended[-1:], *killed)
        if not requested:
            return
        if any(state.attempts >= MOST_ATTEMPTS for state in requested):
            text = tr("Inspector closed unexpectedly {most_attempts} times while restoring it.")
            why = text.format(most_attempts=MOST_ATTEMPTS)
            self._offer(requested, tr("The last session was not restored"), why)
        elif with_files or not self.restores:
            summary = _summary(killed, self._added_after(killed))
            if summary:
                text = tr("{capitalize} can be restored. Nothing was lost.")
                what = tr("Inspector did not shut down properly last time")
                self._offer(killed, what, text.format(capitalize=summary))
            self.offer_changed.emit(_summary(self._earlier()[-1:], ()))
        else:
            self._restore(requested)

    def can_restore(self) -> bool:
        """Return whether there is an earlier session that is not open."""
        return bool(self._earlier())

    def restore_earlier(self) -> None:
        """Open what the last closed window had open, beside what is open now."""
        requested = self._earlier()
        if requested:
            self._restore(requested[-1:])

    def _earlier(self) -> tuple[SessionState, ...]:
        """Return the sessions with something open that no window has, the last one last."""
        earlier = self._folder.earlier() if self._folder is not None else ()
        return tuple(state for state in earlier if state.in_use)

    def closing(self, shown: Shown) -> None:
        """Remember something that is about to be closed."""
        held = self._in_no_file(shown.reports) if isinstance(shown, Document) else ()
        place = self._place(shown)
        if place.path or place.reports or held:
            self._remember(_Closed(place, held))

    def closing_report(self, document: Document, report: "PerformanceReport") -> None:
        """Remember a report that is about to be closed."""
        place = replace(self._place(document, (report,)), report_only=True)
        self._remember(_Closed(place, self._in_no_file((report,))))

    def can_reopen(self) -> bool:
        """Return whether something was closed that can be opened again."""
        return bool(self._closed)

    def reopen_closed(self) -> None:
        """Open again what was closed last."""
        if self._closed:
            closed = self._closed.pop()
            message = self._window.notice.message()
            if message is not None and message.fades:  # that it was closed
                self._window.notice.forget(None)
            self._open_again((closed,), (closed.place,), closed.place)

    def kept(self) -> "tuple[Entry, ...]":
        """Return the newest reports of the library that are not open."""
        library = self._workspace.autosave.library
        if library is None:
            return ()
        shown = {place.id for document in self._places() for place in document.reports}
        entries = [e for e in library.entries() if e.kind == "report" and not e.problem]
        return tuple(e for e in reversed(entries) if e.id not in shown)[:LISTED]

    def open_kept(self, entry: Entry) -> None:
        """Show a report of the library, with its model where that is still there."""
        path = entry.model_path
        place = OpenDocument(
            path if path and files.is_there(Path(path)) else "",
            reports=(ReportPlace(entry.id),),
            chosen=0,
            report_only=True,
        )
        self._open_again((_Closed(place),), (place,), place)

    def open_past(self, path: Path) -> None:
        """Show a report of the history, which need not be of the library."""
        library = self._workspace.autosave.library
        if library is not None:
            for entry in library.entries():
                if entry.file_name == path.name and library.folder.resolve() == path.parent:
                    self.open_kept(entry)
                    return
        self._workspace.open(path)

    def set_exported(self, report: "PerformanceReport", path: Path) -> None:
        """Remember that the user has a copy of a report."""
        autosave = self._workspace.autosave
        library, origin = autosave.library, autosave.origin(report)
        if library is not None and origin is not None and origin.id:
            id_ = origin.id
            # Where that cannot be written the report counts as unsaved, and stays longer.
            self._jobs.start(
                lambda: library.set_exported(id_, path), lambda _: None, lambda _: None
            )

    def check_library(self) -> None:
        """Keep the library within its bounds; say so where something unsaved is too much."""
        library, folder = self._workspace.autosave.library, self._folder
        if library is None or folder is None:
            return
        in_use = {place.id for document in self._places() for place in document.reports}

        def trim() -> "tuple[Entry, ...]":
            others = (each for state in folder.all() for each in state.documents)
            used = in_use | {place.id for each in others for place in each.reports}
            return library.trim(tuple(used))

        def tell(surplus: "tuple[Entry, ...]") -> None:
            if damaged := (*library.damaged, *folder.damaged):
                names = units.clip(", ".join(path.name for path in damaged), 200)
                what = tr("Damaged session or library files were moved")
                text = tr("They are now {names} in {parent}; results are not affected.")
                why = text.format(names=names, parent=damaged[0].parent)
                self._window.notice.say(Message(what, why))
            if surplus:
                count = plural(len(surplus), "result")
                ids = [entry.id for entry in surplus]
                text = tr(
                    "The oldest {count} have not been exported. Remove them, or export "
                    "what you want to keep and restart. Nothing is removed automatically."
                )
                remove = Action(tr("Remove {count}").format(count=count), partial(delete, ids))
                what, why = tr("The report library is full"), text.format(count=count)
                self._window.notice.say(Message(what, why, action=remove))

        def delete(ids: Sequence[str]) -> None:
            notice = self._window.notice
            self._jobs.start(lambda: library.remove(ids), lambda _: None, notice.show_error)

        self._jobs.start(trim, tell, self._window.notice.show_error)

    def unkept(self) -> "tuple[PerformanceReport, ...]":
        """Return the open reports that are in no file, after another try to keep them."""
        autosave = self._workspace.autosave
        if autosave.library is None:
            return ()
        lost: list[PerformanceReport] = []
        for document in self._workspace.documents:
            for report in self._in_no_file(document.reports):
                autosave.keep(report, document.reopen_path)
                lost += self._in_no_file((report,))
        return tuple(lost)

    def finish(self, opening: Opening) -> bool:
        """Show which files of a session are gone, and bring what was in front there.

        Returns False for files that were opened otherwise.
        """
        if opening is not self._opening:
            return False
        self._opening = None
        front, self._front = self._front, None
        if self._window.front() is None or (front is not None and front.trace):
            shown = list(opening.shown.values())
            fitting = [each for each in shown if front is not None and _is_at(each[0], front)]
            for each in fitting[-1:] or shown[-1:]:
                self._window.bring_to_front(*each)
        if opening.failures:
            self._window.notice.show_errors(opening.failures, opening.count)
        restored, self._restored = self._restored, None
        self._names.clear()
        if restored is not None:
            self._window.tell_news("")
            if restored.compared:
                self._window.run_command("compare/reports")
            if summary := _summary((restored,), ()):
                self._window.tell_news(tr("Session restored: {items}").format(items=summary))
            for folder in map(Path, restored.folders):
                if files.is_folder(folder) and folder not in self._window.listed_folders():
                    self._window.open_folder(folder)
        self.write_soon()
        return True

    def end(self) -> None:
        """Write the session for the last time."""
        self._writing_soon.cancel()
        if self._folder is not None:
            self._folder.end(self._state())
            self._folder = None

    def _offer(self, states: tuple[SessionState, ...], subject: str, text: str) -> None:
        again = Action(tr("Restore previous session"), lambda: self._restore(states))
        self._window.notice.say(Message(subject, text, action=again))

    def _restore(self, states: tuple[SessionState, ...]) -> None:
        folder = self._folder
        assert folder is not None, "only a window with a folder has earlier sessions"
        if self._restored is not None:
            return  # one at a time
        added = self._added_after(states)
        current = self._state()
        state = folder.take(
            (*states, current) if current.documents or current.folders else states
        )
        state = replace(state, documents=(*state.documents, *added))
        closed = [each for each in state.closed if each not in current.closed]
        self._closed = [*(_Closed(each) for each in closed), *self._closed][-MOST_CLOSED:]
        self._restored = state
        self._window.tell_news(tr("Restoring the last session…"))
        self.offer_changed.emit("")
        front = state.documents[state.front] if state.front is not None else None
        places = self._places()
        requested = tuple(each for each in state.documents if each not in places)
        self._open_again(tuple(map(_Closed, requested)), requested, front)

    def _added_after(self, states: tuple[SessionState, ...]) -> tuple[OpenDocument, ...]:
        """Return reports that killed windows kept, but had not written into their sessions."""
        library = self._workspace.autosave.library
        killed = {state.id for state in states if not state.ended}
        if library is None or not killed:
            return ()
        listed_ids = {
            place.id
            for state in states
            for document in (*state.documents, *state.closed)
            for place in document.reports
        }
        return tuple(
            OpenDocument(entry.model_path, reports=(ReportPlace(entry.id),), chosen=0)
            for entry in library.entries()
            if entry.kind == "report" and entry.id not in listed_ids and entry.session in killed
        )

    def _open_again(
        self,
        closed: tuple[_Closed, ...],
        places: tuple[OpenDocument, ...],
        front: OpenDocument | None,
    ) -> None:
        """Read the reports on another thread, and open everything then."""
        autosave = self._workspace.autosave

        def read() -> "tuple[list[Read], list[InspectorError]]":
            errors: list[InspectorError] = []
            return [_read(each, autosave.library, errors) for each in closed], errors

        def show(result: "tuple[list[Read], list[InspectorError]]") -> None:
            self._show_again(places, *result, front)

        self._jobs.start(read, show, self._window.notice.show_error)

    def _show_again(
        self,
        places: tuple[OpenDocument, ...],
        reads: "list[Read]",
        errors: list[InspectorError],
        front: OpenDocument | None,
    ) -> None:
        items: list[Restorable] = []
        compared = [place for place in places if place.other]
        both = [pair for pair in zip(places, reads, strict=True) if not pair[0].other]
        places = tuple(place for place, _ in both)
        shown = {each for document in self._places() for each in document.reports}
        for place, (reports, chosen) in both:
            if shown:  # opened meanwhile in another way
                reports, chosen = _not_shown(reports, chosen, shown)
            path = Path(place.path) if place.path else None
            if path is not None and not files.is_there(path):
                errors.append(_missing(path))
                path = None
                self._remember(_Closed(replace(place, reports=(), chosen=None)))
            spec = None if place.trace else place.spec or RunSpec()
            kept = place.inputs, place.support_checked, place.edits, place.chat, place.files_run
            items.append(Restorable(path, reports, chosen, spec, *kept))
        self._names = {item.path for item in items if item.path is not None}
        self._front = front
        opened, opening = self._workspace.restore(items)
        diffs = {place: self._open_diff(place, errors) for place in compared}
        opening.failures[:0] = errors
        opening.count = max(opening.count, len(errors))
        self._opening = opening
        for place, document in zip(places, opened, strict=True):
            if document is not None and not place.report_only:
                self._window.show_tab_of(document, place.tab_id)
        diff = diffs.get(front) if front is not None else None
        if diff is not None:
            self._window.bring_to_front(diff)
        else:
            self._show_front(places, opened)
        if not opening.left:
            self.finish(opening)

    def _open_diff(
        self, place: OpenDocument, errors: list[InspectorError]
    ) -> DiffDocument | None:
        """Compare two models again; None if one of them is gone."""
        paths = Path(place.path), Path(place.other)
        gone = [path for path in paths if not files.is_there(path)]
        if gone:
            errors += map(_missing, gone)
            return None
        return self._workspace.open_diff(*paths, results=place.results)

    def _show_front(
        self, places: tuple[OpenDocument, ...], opened: "tuple[Document | None, ...]"
    ) -> None:
        """Show what was in front; until a trace is read, what stands before it."""
        documents = dict(zip(places, opened, strict=True))
        shown = documents.get(self._front) if self._front is not None else None
        last = next((each for each in reversed(opened) if each is not None), None)
        document = shown or last
        if document is not None:
            place = next(place for place, each in documents.items() if each is document)
            report = document.report if place.report_only else None
            self._window.bring_to_front(document, report)
            if not place.report_only:
                self._window.show_tab_of(document, place.tab_id)

    def _follow_diff(self, diff: DiffDocument) -> None:
        diff.results_changed.connect(self.write_soon, Qt.ConnectionType.UniqueConnection)

    def _write(self) -> None:
        folder = self._folder
        if folder is None or self._restored is not None:
            return
        if self._writing:
            self._again = True
            return
        self._writing = True
        state = self._state()
        self._jobs.start(lambda: folder.write(state), self._written, self._not_written)

    def _written(self, _: object) -> None:
        self._writing = False
        if self._again:
            self._again = False
            self._write()

    def _not_written(self, error: InspectorError) -> None:
        """A session that cannot be written is no reason to disturb; the next change tries."""
        self._writing = self._again = False

    def _state(self) -> SessionState:
        places = self._places()
        front = self._window.front()
        place = self._place(front) if front is not None else None
        closed = tuple(each.place for each in self._closed if not each.held)[-MOST_CLOSED:]
        state = SessionState(
            self._folder.id if self._folder is not None else "",
            places,
            places.index(place) if place in places else None,
            self._window.is_comparing(),
            closed,
            folders=tuple(map(str, self._window.listed_folders())),
        )
        restored = self._restored
        if restored is not None:  # closed while it was being restored: nothing of it is lost
            open_paths = {(each.path, each.other) for each in places if each.path}
            left = tuple(
                each for each in restored.documents if (each.path, each.other) not in open_paths
            )
            folders = dict.fromkeys((*state.folders, *restored.folders))
            state = replace(state, documents=(*places, *left), folders=tuple(folders))
        return state

    def _places(self) -> tuple[OpenDocument, ...]:
        workspace = self._workspace
        shown: tuple[Shown, ...] = (*workspace.documents, *workspace.traces, *workspace.diffs)
        places = map(self._place, shown)
        return tuple(place for place in places if place.path or place.reports)

    def _place(
        self, shown: Shown, only: "tuple[PerformanceReport, ...] | None" = None
    ) -> OpenDocument:
        """Return where something open is found again; `only` some of its reports."""
        if isinstance(shown, TraceDocument):
            return OpenDocument(str(shown.path), trace=True, name=shown.name)
        if isinstance(shown, DiffDocument):
            first, other = (str(side.path) if shown.lasting else "" for side in shown.sides)
            results = shown.saved_results() if shown.lasting else ""
            return OpenDocument(first, name=shown.name, other=other, results=results)
        every = shown.reports if only is None else only
        reports = [report for report in every if not self._in_no_file((report,))]
        chosen = reports.index(shown.report) if shown.report in reports else None
        return OpenDocument(
            str(shown.reopen_path or ""),
            name=shown.name,
            tab=self._window.tab_of(shown),
            reports=tuple(map(self._place_of_report, reports)),
            chosen=chosen,
            spec=shown.spec,
            inputs=shown.inputs,
            support_checked=shown.support_checked,
            edits=shown.edit_steps if shown.unsaved_edits else (),
            chat=shown.chat,
            files_run=shown.files_run,
        )

    def _place_of_report(self, report: "PerformanceReport") -> ReportPlace:
        origin = self._workspace.autosave.origin(report) or Origin()
        return ReportPlace(origin.id, str(origin.path or ""))

    def _in_no_file(
        self, reports: "Sequence[PerformanceReport]"
    ) -> "tuple[PerformanceReport, ...]":
        origins = ((report, self._workspace.autosave.origin(report)) for report in reports)
        return tuple(r for r, origin in origins if origin is None or not origin.lasting)

    def _remember(self, closed: _Closed) -> None:
        self._closed = [*self._closed, closed][-MOST_CLOSED:]
        self.changed_closed.emit()
        self.write_soon()


def _read(closed: _Closed, library: object, errors: list[InspectorError]) -> "Read":
    """Read the reports of a document; those that are gone are told in `errors`."""
    reports_read: list[tuple[PerformanceReport, Origin]] = [(r, Origin()) for r in closed.held]
    chosen = None
    for number, place in enumerate(closed.place.reports):
        try:
            if place.id and isinstance(library, Library):
                entry = library.entry(place.id)
                if entry is None:
                    name = closed.place.name or tr("this session")
                    what = tr("Could not open a report of {name}").format(name=name)
                    raise UnreadableFile(what, tr("the report is no longer in the library"))
                result = library.load(entry)
                origin = Origin(place.id)
            else:
                path = Path(place.path)
                origin = Origin(path=path, state=files.state(path))
                result = report_files.load(path)
        except (UnreadableFile, NotSaved) as error:
            errors.append(error)
            continue
        if isinstance(result, report_files.PerformanceReport):
            if number == closed.place.chosen:
                chosen = len(reports_read)
            reports_read.append((result, origin))
    if closed.held:
        chosen = 0
    return tuple(reports_read), chosen


def _not_shown(
    reports: "tuple[tuple[PerformanceReport, Origin], ...]",
    chosen: int | None,
    shown: set[ReportPlace],
) -> "Read":
    """Return the reports that are not shown yet, and which of them is the chosen one."""
    fresh = [
        number
        for number, (_, origin) in enumerate(reports)
        if not origin.lasting or ReportPlace(origin.id, str(origin.path or "")) not in shown
    ]
    place = fresh.index(chosen) if chosen in fresh else None
    return tuple(reports[number] for number in fresh), place


def _missing(path: Path) -> UnreadableFile:
    return UnreadableFile(
        tr("Could not open {name}").format(name=path.name),
        tr("the file is no longer in {parent}").format(parent=path.parent),
        tr("It was deleted, renamed or moved. Its reports are still available."),
    )


def _is_at(shown: Shown, place: OpenDocument) -> bool:
    path = shown.reopen_path if isinstance(shown, Document) else shown.path
    return str(path or "") == place.path and not place.other


def _summary(states: tuple[SessionState, ...], added: tuple[OpenDocument, ...]) -> str:
    """Return how much sessions and `added` hold, as "2 files and 1 report"; "" for nothing."""
    documents = [*(each for state in states for each in state.documents), *added]
    models = len({each.path for each in documents if each.path and not each.other})
    reports = sum(len(each.reports) for each in documents)
    counts = (models, "file"), (reports, "report")
    return tr(" and ").join(plural(count, noun) for count, noun in counts if count)
