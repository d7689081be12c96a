"""Everything that is open, the devices of this machine, and what is kept between starts."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QFileSystemWatcher, QObject, QSettings, Qt, QTimer, Signal

from inspector.errors import InspectorError
from inspector.formats.names import STANDARD_INPUT, Kind
from inspector.platform import files
from inspector.platform.heap import collect_and_trim
from inspector.ui import preferences
from inspector.ui.background import Debounce, SafeEmitter, TaskRunner, delete_when_idle
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Bookmark, Document, Topic, services
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.translate import tr

if TYPE_CHECKING:  # numpy comes with the first document, after the first picture
    from inspector.comparison.measured_pair import MeasuredPair
    from inspector.conversion.action import Step
    from inspector.engine.client.engine import Engine
    from inspector.engine.client.engine_process import Progress
    from inspector.model.model import Model
    from inspector.report.report import Device, PerformanceReport
    from inspector.report.run_spec import RunSpec
    from inspector.ui.documents.autosave import Autosave, Origin
    from inspector.ui.documents.improving import MadeModel
    from inspector.ui.documents.recorded_program import Recording, RecordingRequest
    from inspector.ui.documents.services import ReadJson
    from inspector.ui.documents.session_files import InputPlace, SessionFolder

    Shown = tuple[Document | TraceDocument, PerformanceReport | None]

MOST_MODELS = 200
RECENT = 12  # files in the menu
MOST_OF_ARCHIVE = 8  # models of an archive that are opened at once
LET_GO_MS = 1000  # after a model was closed, until its memory is given back
# A report waits for the hash of a model that may be its own, which takes a second for so much.
# It does not wait for a larger one: it is shown by itself, and joins its model later.
_HASH_AWAITED_BYTES = 1 << 30
# An editor or an exporter writes in several steps, some by deleting and renaming: look when it
# has been quiet for so long.
_DEBOUNCE_MS = 300


def remember(document: Document, settings: QSettings, known_as: Path) -> None:
    """Give a model that is opened again the lengths of its free axes, the libraries of its
    operators and the bookmarks of its graph, and keep new ones."""
    digest = sha256(str(known_as).encode()).hexdigest()[:24]
    for group, topic, restore, lines in (
        ("dimensions", Topic.SPEC, _restore_dimensions, _dimensions),
        ("custom_operators", Topic.SPEC, _restore_libraries, lambda d: d.spec.custom_ops),
        ("bookmarks", Topic.BOOKMARKS, _restore_bookmarks, _bookmarks),
    ):
        key = f"{group}/{digest}"
        document.changed(Topic.MODEL).connect(
            partial(_restore, document, settings, key, restore)
        )
        document.changed(topic).connect(partial(_keep, document, settings, key, lines))


def _restore(
    document: Document,
    settings: QSettings,
    key: str,
    restore: "Callable[[Document, Model, list[str]], None]",
) -> None:
    if document.model is not None:
        restore(document, document.model, str(settings.value(key, "")).split("\n"))


def _keep(
    document: Document,
    settings: QSettings,
    key: str,
    lines: Callable[[Document], Iterable[str]],
) -> None:
    """Save what is set of a model, and forget the oldest of more than MOST_MODELS."""
    if text := "\n".join(lines(document)):
        settings.setValue(key, text)
    elif settings.contains(key) and document.model is not None:
        settings.remove(key)
    settings.beginGroup(key.partition("/")[0])
    names = [name for name in settings.childKeys() if not key.endswith(name)]
    for name in names[: max(0, len(names) + 1 - MOST_MODELS)]:
        settings.remove(name)
    settings.endGroup()


def _dimensions(document: Document) -> Iterable[str]:
    return (f"{each.name}={each.size}" for each in document.spec.dimensions)


def _restore_dimensions(document: Document, model: "Model", lines: list[str]) -> None:
    names = {axis for info in model.inputs for axis in info.shape or ()}
    sizes = {
        name: int(size)
        for name, _, size in (line.rpartition("=") for line in lines)
        if name in names and size.isdecimal() and 0 < len(size) < 10
    }
    if sizes and not document.spec.dimensions:
        document.set_dimensions(sizes)


def _restore_libraries(document: Document, _: "Model", lines: list[str]) -> None:
    kept = tuple(filter(None, lines))
    if kept and not document.spec.custom_ops:
        document.set_spec(custom_ops=kept)


def _bookmarks(document: Document) -> Iterable[str]:
    return (f"{b.layer} {max(1, round(100 * b.zoom))}" for b in document.bookmarks)


def _restore_bookmarks(document: Document, model: "Model", lines: list[str]) -> None:
    if not document.bookmarks:
        document.bookmarks = tuple(
            Bookmark(int(pair[0]), int(pair[1]) / 100)
            for pair in (line.split(" ") for line in lines)
            if len(pair) == 2
            and all(each.isdecimal() and len(each) < 10 for each in pair)
            and int(pair[0]) < len(model.layers)
            and int(pair[1]) > 0
        )


def _engine(on_progress: "Callable[[Progress], None]") -> "Engine":
    return services.Opener.start_engine(on_progress)


class Opening:
    """Files that are opened together, and what became of each.

    shown: by the file's place in the list, what it is shown as. failures: in the order in
    which they came. left: how many are still under way.
    """

    def __init__(self, count: int) -> None:
        self.count = self.left = count
        self.shown: dict[int, Shown] = {}
        self.failures: list[InspectorError] = []


class Restorable(Struct, frozen=True):
    """A document as it was, to be opened again.

    path: what to open; None for reports without their model. reports: already read, with where
    from. chosen: which of them was shown, if any. spec: settings; None for a trace.
    inputs: what the inputs of the Preview got. support_checked: the support of other devices.
    edits: of the graph. chat: name of the conversation with it that is kept. files_run: of
    several files in Preview.
    """

    path: Path | None
    reports: "tuple[tuple[PerformanceReport, Origin], ...]" = ()
    chosen: int | None = None
    spec: "RunSpec | None" = None
    inputs: "tuple[InputPlace, ...]" = ()
    support_checked: bool = False
    edits: "tuple[Step, ...]" = ()
    chat: str = ""
    files_run: str = ""


class _Step:
    """One file of an Opening; whoever opens it says here what came of it, once."""

    def __init__(self, opening: Opening, place: int, ended: Callable[[Opening], None]) -> None:
        self._opening, self._place, self._ended = opening, place, ended
        self.over = False

    def done(self, outcome: "Shown | InspectorError | None") -> None:
        """Report the opened item, the error, or None if the user closed it meanwhile."""
        if self.over:
            return
        self.over = True
        opening = self._opening
        if isinstance(outcome, InspectorError):
            opening.failures.append(outcome)
        elif outcome is not None:
            opening.shown[self._place] = outcome
        opening.left -= 1
        if not opening.left:
            self._ended(opening)


class FileWatcher(QObject):
    """Notices when a watched file may have changed on disk; `touched` may be wrong.

    Whoever listens compares the file's state with the one it knows. The folders are watched
    as well: a file that is replaced in one step is a new one, of which its watcher knows
    nothing. One for the whole window, because systems lend only some hundred watchers.
    """

    touched = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher: QFileSystemWatcher | None = None
        self._users: Counter[str] = Counter()
        self._debounce = Debounce(self._report, self, _DEBOUNCE_MS)

    def add(self, paths: Iterable[Path]) -> None:
        """Watch files and their folders, until `remove` is called as often."""
        names = [name for path in paths for name in (str(path), str(path.parent))]
        self._users.update(names)
        self._watch(names)

    def remove(self, paths: Iterable[Path]) -> None:
        """Watch files no more that nobody else wants watched."""
        names = [name for path in paths for name in (str(path), str(path.parent))]
        self._users.subtract(names)
        gone = [name for name in set(names) if self._users[name] <= 0]
        for name in gone:
            del self._users[name]
        if gone and self._watcher is not None:
            self._watcher.removePaths(gone)

    def _watch(self, names: Iterable[str]) -> None:
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._debounce.call)
            self._watcher.directoryChanged.connect(self._debounce.call)
        watched = {*self._watcher.files(), *self._watcher.directories()}
        missing = [name for name in dict.fromkeys(names) if name not in watched]
        appeared = [name for name in missing if Path(name).exists()]
        if appeared:
            self._watcher.addPaths(appeared)

    def _report(self) -> None:
        self._watch(list(self._users))  # a replaced file is not watched any more
        self.touched.emit()


class Workspace(QObject):
    """The open documents; opening is its job, showing is the window's.

    library: returns the folder of the report library, which also has the sessions. It is called
    when the first of them is needed, which is after the first picture of the window. Without
    one nothing is saved, as in tests.
    """

    opened = Signal(object)  # Document
    closed = Signal(object)  # Document
    replaced = Signal(object, object)  # Document that was reloaded, and the one in its place
    adopted = Signal(object, object)  # Document without model, and the one with it
    trace_opened = Signal(object)  # TraceDocument
    trace_closed = Signal(object)  # TraceDocument
    diff_opened = Signal(object)  # DiffDocument
    diff_closed = Signal(object)  # DiffDocument
    folder_named = Signal(object)  # Path of a folder whose models are to be listed
    address_named = Signal(str)  # of a model that is to be downloaded, if the user agrees
    opening_ended = Signal(object)  # Opening
    reading_changed = Signal()
    step_told = Signal(str)  # what is being done with what is read
    devices_changed = Signal()
    recent_changed = Signal()
    failed = Signal(object)  # InspectorError
    reload_failed = Signal(object, object)  # Document, InspectorError
    kept = Signal()  # a report is in the library now
    inputs_changed = Signal()  # of the Preview of a document
    not_kept = Signal(object, object)  # Document, InspectorError: a report is in no library

    def __init__(
        self,
        settings: QSettings,
        start_engine: "Callable[[Callable[[Progress], None]], Engine]" = _engine,
        library: Callable[[], Path] | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings
        self._library = library
        self.documents: tuple[Document, ...] = ()
        self.traces: tuple[TraceDocument, ...] = ()
        self.diffs: tuple[DiffDocument, ...] = ()
        self.reading: tuple[Path, ...] = ()  # reports and traces under way
        self.devices: tuple[Device, ...] = ()
        self._recordings: tuple[Recording, ...] = ()
        self._recorded_models: dict[Path, dict[str, Path]] = {}  # of each trace, by name
        self.start_engine = start_engine
        self._unpacked: dict[Path | None, ExitStack] = {}  # files of archives, by the model's
        self._steps: dict[Document, _Step] = {}  # of models that are being opened
        # Reports that wait for the hash of a model.
        self._waiting: list[tuple[PerformanceReport, _Step | None]] = []
        self._hashless: list[Document] = []  # their files were gone when they were hashed
        self._reloading: dict[Document, Document] = {}
        self._watch = FileWatcher(self)
        self._watch.touched.connect(self.check_disk)
        self._jobs, self._emitter = TaskRunner(self), SafeEmitter(self)

    @property
    def sessions(self) -> "SessionFolder | None":
        """The saved sessions of all windows; None without a library."""
        return self._kept[0]

    @property
    def autosave(self) -> "Autosave":
        """Saves reports into the library."""
        return self._kept[1]

    @cached_property
    def _kept(self) -> "tuple[SessionFolder | None, Autosave]":
        # msgspec and the library come after the first picture
        from inspector.ui.documents.autosave import kept_in

        return kept_in(self._library() if self._library else None)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Files and folders opened lately, newest first; those that are gone are left out."""
        stored = self.settings.value("recent")
        names = [stored] if isinstance(stored, str) else stored  # Qt unwraps a list of one
        names = names[:RECENT] if isinstance(names, list) else []
        paths = (Path(name) for name in names if isinstance(name, str))
        return tuple(path for path in paths if files.is_there(path))

    def forget_recent(self) -> None:
        """Forget which files were opened lately."""
        self.settings.remove("recent")
        self.settings.sync()
        self.recent_changed.emit()

    def open(self, *named: Path | str) -> Opening:
        """Open whatever users name, each as what it is: a model, a report, a trace, an archive,
        a folder of models, or an address as text.

        Returns what is told, as each was read, what it is shown as, or why it is not;
        `opening_ended` follows. One thing that failed is told by `failed`, too.
        """
        opening = Opening(len(named))
        for place, each in enumerate(named):
            self._open(each, self._step(opening, place))
        return opening

    def kind_of(self, named: Path | str) -> Kind:
        """Return what a path or an address stands for."""
        return services.Opener.kind_of(named)

    def is_input(self, path: Path) -> bool:
        """Return whether a file is surely an input, and neither a model nor a report."""
        return services.Opener.is_input(path)

    def holds_inputs(self, folder: Path) -> bool:
        """Return whether a folder has inputs and no model; False where it cannot be read."""
        try:
            return services.Opener.holds_inputs(folder)
        except OSError:
            return False

    def restore(
        self, items: "Sequence[Restorable]"
    ) -> "tuple[tuple[Document | None, ...], Opening]":
        """Open again what was closed; `opening_ended` follows as for `open`.

        Returns the document of each, None for a trace and for what is in an archive; and what
        is under way.
        """
        opening = Opening(len(items))
        steps = [self._step(opening, place) for place in range(len(items))]
        return tuple(map(self._restore, items, steps)), opening

    def reload(self, document: Document) -> None:
        """Read a model's file again; `replaced` or `reload_failed` follows."""
        path = document.path
        if path is None or document in self._reloading or document.model is None:
            return
        fresh = self._made(path, document.spec, document.reopen_path)
        fresh.inputs, fresh.support_checked = document.inputs, document.support_checked
        fresh.restore_edits(document.edit_steps)
        fresh.chat = document.chat

        def swap() -> None:
            fresh.changed(Topic.MODEL).disconnect(swap)
            fresh.failed.disconnect(give_up)  # both would hold the earlier model
            if self._reloading.pop(document, None) is None:
                fresh.close()  # the earlier one was closed meanwhile
                delete_when_idle(fresh)
                return
            fresh.reports, document.reports = document.reports, ()
            fresh.report = document.report
            place = self.documents.index(document)
            self.documents = (*self.documents[:place], fresh, *self.documents[place + 1 :])
            self._watch.remove(document.source_files)
            self._watch.add(fresh.source_files)
            self._follow(fresh)
            document.close()
            self.replaced.emit(document, fresh)
            document.destroyed.connect(self._let_go_soon)
            if document.parent() is None:
                delete_when_idle(document)

        def give_up(error: InspectorError) -> None:
            if self._reloading.pop(document, None) is not None:
                fresh.close()
                delete_when_idle(fresh)
                self.reload_failed.emit(document, error)

        self._reloading[document] = fresh
        fresh.changed(Topic.MODEL).connect(swap)
        fresh.failed.connect(give_up)
        fresh.open()

    def check_disk(self) -> None:
        """Check whether the files of open models are still as they were read."""
        for document in self.documents:
            document.check_disk()

    def close(self, document: Document) -> None:
        """Let go of a document and its engine."""
        self._reloading.pop(document, None)
        self._watch.remove(document.source_files)
        document.close()
        self.documents = tuple(d for d in self.documents if d is not document)
        if document.path in self._unpacked:
            self._unpacked.pop(document.path).close()
        if document in self._hashless:
            self._hashless.remove(document)
        document.destroyed.connect(self._let_go_soon)
        self.closed.emit(document)
        if document in self._steps:
            self._steps.pop(document).done(None)
        self._settle_waiting()
        if document.parent() is None:  # else it goes with the view that showed it
            delete_when_idle(document)

    def close_report(self, document: Document, report: "PerformanceReport") -> None:
        """Show a report no more; without a model its document goes with its last report."""
        if document.path is None and len(document.reports) == 1:
            self.close(document)
        else:
            document.remove_report(report)

    def close_trace(self, trace: TraceDocument) -> None:
        """Let go of a trace."""
        self.traces = tuple(t for t in self.traces if t is not trace)
        trace.selection.destroyed.connect(self._let_go_soon)
        self.trace_closed.emit(trace)
        if trace.selection.parent() is None:
            delete_when_idle(trace.selection)

    def open_diff(
        self,
        first: Path,
        other: Path,
        lasting: bool = True,
        title: str = "",
        proof: "MeasuredPair | None" = None,
        results: str = "",
    ) -> DiffDocument:
        """Compare two models; those that are open are not read again. `diff_opened` follows.

        lasting: whether B stays after the window is closed, so that a session may open it.
        title: of B instead of its file's name. proof: what Improve measured of both.
        results: what an earlier session saved of both.
        """
        paths = [first, other]
        diff = next((d for d in self.diffs if [s.path for s in d.sides] == paths), None)
        if diff is None:
            one, two = self.compared_model(first), self.compared_model(other)
            two = replace(two, lasting=two.lasting and lasting, title=title or two.title)
            diff = DiffDocument(one, two, proof)
            self.diffs = (*self.diffs, diff)
            diff.compare()
        diff.proof = proof or diff.proof
        diff.restore_results(results)
        self.diff_opened.emit(diff)
        return diff

    def compare_made(self, document: "Document", made: "MadeModel") -> None:
        """Compare a model with what was made of it, which may be no file of the user yet."""
        if document.path is not None:
            self.open_diff(document.path, made.path, made.saved, made.title, made.measured)

    def compared_model(self, path: Path) -> ComparedModel:
        """Return a model that can be compared, with its content where it is open."""
        document = next((d for d in self.documents if d.path == path), None)
        if document is None:
            return ComparedModel(path)
        title = document.name if document.name != path.name else ""
        return ComparedModel(path, document.model, document.reopen_path == path, title)

    def close_diff(self, diff: DiffDocument) -> None:
        """Let go of a comparison of models."""
        self.diffs = tuple(d for d in self.diffs if d is not diff)
        diff.close()
        diff.destroyed.connect(self._let_go_soon)
        self.diff_closed.emit(diff)
        if diff.parent() is None:
            delete_when_idle(diff)

    def unfinished(self) -> tuple[str, ...]:
        """Return the jobs that closing the window would stop, as "Measuring NAME"."""
        jobs = [(each.unfinished, each.name) for each in self.documents]
        running = [each.wanted.command for each in self._recordings if each.running]
        jobs += [(tr("Recording"), command) for command in running]
        return tuple(f"{job} {name}" for job, name in jobs if job)

    def stop_unfinished(self) -> None:
        """Stop these jobs; what they have measured is kept, as they end."""
        for document in self.documents:
            if document.unfinished:
                document.cancel()
        for recording in self._recordings:
            recording.stop()

    def record(self, request: "RecordingRequest") -> "Recording":
        """Record a program; its trace opens when it ends. Raises BadInput, NotSaved."""
        running = tuple(each for each in self._recordings if each.running)
        # the recorder: few starts record
        from inspector.ui.documents.recorded_program import new_recording

        recording = new_recording(request, running, self)
        recording.ended.connect(partial(self._open_recording, recording))
        recording.start()
        self._recordings = (*self._recordings, recording)
        return recording

    def _open_recording(self, recording: "Recording", path: Path) -> None:
        self._recorded_models[path] = recording.models
        self.open(path)

    def fill_sample(self, document: Document) -> None:
        """Fill a sample model with its first example, however it was opened."""
        if document.path is not None and not document.inputs:
            example = services.Opener.example(document.path)
            if example:
                document.set_inputs(example)

    def find_devices(self) -> None:
        """Ask an engine which devices there are; `devices_changed` follows."""

        def ask() -> "tuple[Device, ...]":
            with self.start_engine(lambda _: None) as engine:
                return engine.devices()

        def show(devices: "tuple[Device, ...]") -> None:
            first, self.devices = not self.devices, devices
            self.devices_changed.emit()
            for document in self.documents if first else ():
                self._prefer_device(document)

        self._jobs.start(ask, show, self.failed.emit)

    def end(self) -> None:
        """Close everything; the program is about to end."""
        for recording in self._recordings:
            recording.close()
        for document in (*self.documents, *self._reloading.values()):
            document.close()
        for diff in self.diffs:
            diff.close()
        self.documents, self.diffs = (), ()
        for unpacked in self._unpacked.values():
            unpacked.close()
        self._unpacked.clear()

    def _let_go_soon(self) -> None:
        QTimer.singleShot(LET_GO_MS, self, collect_and_trim)

    def _restore(self, item: Restorable, step: _Step) -> Document | None:
        for report, origin in item.reports:
            if origin.lasting:
                self.autosave.set_origin(report, origin)
        reports = tuple(report for report, _ in item.reports)
        chosen = reports[item.chosen] if item.chosen is not None else None
        path = item.path
        plain = path is not None and services.Opener.kind_of(path) is Kind.MODEL
        opened = [d for d in self.documents if plain and path in (d.path, d.reopen_path)]
        home = opened[0] if opened else None
        if path is not None and plain and (home is not None or item.spec is not None):
            if home is None:
                try:
                    main, known_as = services.Opener.located(path)
                except InspectorError as error:
                    step.done(error)
                    return None
                home = self._open_model(main, known_as, step, item.spec)
                home.inputs, home.support_checked = item.inputs, item.support_checked
                home.restore_edits(item.edits)
                home.chat, home.files_run = item.chat, item.files_run
            else:
                step.done((home, chosen))
            home.reports = (*home.reports, *reports)  # also of an earlier content of its file
            for report in reports:
                home.report_added.emit(report)
            if chosen is not None:
                home.choose_report(chosen)
            return home
        for report in reports:
            self._take_report(report, step if path is None else None)
        if path is not None:
            self._open(path, step)
        return None

    def _step(self, opening: Opening, place: int) -> _Step:
        return _Step(opening, place, self._end_opening)

    def _end_opening(self, opening: Opening) -> None:
        if opening.count == 1 and opening.failures:
            self.failed.emit(opening.failures[0])
        self.opening_ended.emit(opening)

    def _open(self, named: Path | str, step: _Step) -> None:
        kind = services.Opener.kind_of(named)
        if kind in (Kind.ADDRESS, Kind.FOLDER):
            (self.address_named if kind is Kind.ADDRESS else self.folder_named).emit(named)
            step.done(None)
            return
        try:
            path, known_as = services.Opener.located(Path(named))
        except InspectorError as error:
            step.done(error)
            return
        shown = self._shown_already(path)
        if shown is not None:
            step.done(shown)
        elif path in self.reading:
            step.done(None)
        elif kind is Kind.RESULT:
            self._open_json(path, step)
        elif kind is Kind.ARCHIVE:
            self._open_archive(path, step)
        else:
            self._open_model(path, known_as, step)

    def _shown_already(self, path: Path) -> "Shown | None":
        """Bring to the front what is open of a file; None where it has to be read."""
        opened = next((d for d in self.documents if d.path == path), None)
        trace = next((t for t in self.traces if t.path == path), None)
        report = self._report_of(path)
        if opened is not None:
            if opened.looks_changed():
                self.reload(opened)
            self.opened.emit(opened)
            return opened, None
        if trace is not None and trace.state == files.state(path):
            self.trace_opened.emit(trace)
            return trace, None
        if report is not None:
            report[0].choose_report(report[1])
            self.opened.emit(report[0])
        return report

    def _report_of(self, path: Path) -> "tuple[Document, PerformanceReport] | None":
        """Return the open report that a file was read as; None if it is another by now.

        The one that was read of an earlier content is in no file any more: it is kept then.
        """
        for document in self.documents:
            for report in document.reports:
                origin = self.autosave.origin(report)
                if origin is None or origin.path != path:
                    continue
                if origin.state == files.state(path):
                    return document, report
                keep = partial(self.autosave.keep, report, document.reopen_path)
                self._jobs.start(keep, lambda _: None, self.failed.emit)
        return None

    def _made(self, path: Path, spec: "RunSpec | None", known_as: Path | None) -> Document:
        default = services.Opener.DEFAULT_SPEC
        document = Document(path, spec or default, self.start_engine, self.autosave)
        document.reopen_path = known_as
        if known_as is not None:
            remember(document, self.settings, known_as)
        if spec is None:  # the device that is preferred, once model and devices are known
            document.changed(Topic.MODEL).connect(
                partial(self._prefer_device, document), Qt.ConnectionType.SingleShotConnection
            )
        return document

    def _prefer_device(self, document: Document) -> None:
        """Choose the preferred device for a model whose settings nobody has touched."""
        wanted = preferences.text(self.settings, preferences.DEVICE, preferences.CPU)
        usable = [device.id for device in self.devices if not device.problem]
        untouched = document.spec.devices == services.Opener.DEFAULT_SPEC.devices
        model = document.model
        if wanted in usable and untouched and model is not None and model.format == "onnx":
            document.set_spec(devices=(wanted,))

    def _open_model(
        self, path: Path, known_as: Path | None, step: _Step, spec: "RunSpec | None" = None
    ) -> Document:
        """known_as: what to remember it by; None for what cannot be opened again."""
        document = self._made(path, spec, known_as)
        document.ran_as_edits = any(
            other.edited_copy == path and other.editing.copy_runs for other in self.documents
        )

        def show() -> None:
            self._watch.add(document.source_files)
            if known_as is not None:
                self._remember(known_as)
            if document in self._steps:
                self._steps.pop(document).done((document, None))

        def give_up(error: InspectorError) -> None:
            if document.model is None:  # later failures are told where they happened
                self._steps.pop(document, None)
                self._leave_reports(document)
                self.close(document)
                step.done(error)

        document.changed(Topic.MODEL).connect(show)
        document.failed.connect(give_up)
        self._steps[document] = step
        self._add(document)
        document.open()
        return document

    def _leave_reports(self, document: Document) -> None:
        """Let reports of a model that could not be opened stay without it."""
        if document.reports:
            home = Document(None, document.reports[0].spec, self.start_engine, self.autosave)
            for report in document.reports:
                home.add_report(report)
            document.reports = ()
            self._add(home)

    def _open_archive(self, path: Path, step: _Step) -> None:
        """Unpack the models of an archive; what was unpacked is gone when they are closed."""

        def show(members: tuple[tuple[Path, ExitStack], ...]) -> None:
            for place, unpacked in members:
                self._unpacked[place] = unpacked
                # What is in the archive is told of together, as the archive itself.
                self._open_model(place, None if path == STANDARD_INPUT else path, step)
            if not members:
                step.done(None)

        self._read(path, step, partial(services.Opener.unpack, path, MOST_OF_ARCHIVE), show)

    def _open_json(self, path: Path, step: _Step) -> None:
        def show(read: "ReadJson") -> None:
            content, state = read.content, read.state
            self._remember(path)
            if isinstance(content, tuple):
                trace = TraceDocument(path, *content, state=state)
                trace.models = self._recorded_models.get(path, {})
                earlier = next((t for t in self.traces if t.path == path), None)
                self.traces = (*self.traces, trace)
                self.trace_opened.emit(trace)
                if earlier is not None:  # of an earlier content of the file
                    self.close_trace(earlier)
                step.done((trace, None))
            else:
                self.autosave.set_origin_of_file(content, path, state)
                self._take_report(content, step)

        tell = self._emitter.of(self.step_told)
        self._read(path, step, partial(services.Opener.read_json, path, tell), show)

    def _read(
        self, path: Path, step: _Step, job: Callable[[], Any], then: Callable[[Any], None]
    ) -> None:
        """Read a file that is no model beside the window; `then` gets what was read."""

        def end() -> None:
            self._set_reading(*(other for other in self.reading if other != path))

        def show(result: Any) -> None:
            end()
            then(result)

        def give_up(error: InspectorError) -> None:
            end()
            step.done(error)

        self._set_reading(*self.reading, path)
        self._jobs.start(job, show, give_up)

    def _set_reading(self, *paths: Path) -> None:
        self.reading = paths
        self.reading_changed.emit()

    def _take_report(self, report: "PerformanceReport", step: _Step | None) -> None:
        """Show a report with its model; wait for a model that may be it, see `_may_be`."""
        home = next((d for d in self.documents if d.digest == report.model.sha256), None)
        if home is None and any(self._may_be(d, report) for d in self.documents):
            self._waiting.append((report, step))
            return
        if home is None:
            home = Document(None, report.spec, self.start_engine, self.autosave)
            home.add_report(report)
            self._add(home)
        else:
            home.add_report(report)
            self.opened.emit(home)
        if step is not None:
            step.done((home, report))

    def _may_be(self, document: Document, report: "PerformanceReport") -> bool:
        """Return whether a model whose hash is to come may be that of a report."""
        if document.path is None or document.digest or document in self._hashless:
            return False
        state, model = files.state(document.path), document.model
        if state is None or state[1] > _HASH_AWAITED_BYTES:
            return False
        return model is None or model.size_bytes == report.model.size_bytes

    def _settle_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for report, step in waiting:
            self._take_report(report, step)

    def _take_digest(self, document: Document) -> None:
        """Give a model the reports that were shown without it."""
        for other in self.documents:
            fitting = [r for r in other.reports if r.model.sha256 == document.digest]
            if other.path is not None or not fitting:
                continue
            chosen = other.report
            document.reports = (*document.reports, *fitting)
            other.reports = tuple(r for r in other.reports if r not in fitting)
            document.report_added.emit(fitting[-1])
            if document.report is None:
                document.choose_report(chosen if chosen in fitting else fitting[-1])
            self.adopted.emit(other, document)
            if not other.reports:
                self.close(other)
        self._settle_waiting()

    def _add(self, document: Document) -> None:
        self.documents = (*self.documents, document)
        self._follow(document)
        self.opened.emit(document)
        for report in document.reports:
            self._check_kept(document, report)

    def _follow(self, document: Document) -> None:
        document.changed(Topic.DIGEST).connect(partial(self._take_digest, document))
        document.changed(Topic.MODEL).connect(self._settle_waiting)
        document.report_added.connect(partial(self._check_kept, document))
        document.changed(Topic.INPUTS).connect(self.inputs_changed)
        document.changed(Topic.ENGINE).connect(self.find_devices)
        document.failed.connect(partial(self._take_failure, document))

    def _take_failure(self, document: Document, error: InspectorError) -> None:
        if document.model is not None and document.work is None and not document.digest:
            self._hashless.append(document)
            self._settle_waiting()

    def _check_kept(self, document: Document, report: "PerformanceReport") -> None:
        """Keep a report that is in no file yet, and tell where that could not be done."""
        autosave = self.autosave

        def tell(_: object) -> None:
            origin = autosave.origin(report)
            if origin is not None and origin.problem is not None:
                self.not_kept.emit(document, origin.problem)
            else:
                self.kept.emit()

        if autosave.origin(report) is not None:
            tell(None)
        elif autosave.library is not None:
            keep = partial(autosave.keep, report, document.reopen_path)
            self._jobs.start(keep, tell, self.failed.emit)

    def _remember(self, path: Path) -> None:
        self.settings.sync()  # another window may have opened files since
        others = [str(p) for p in self.recent if p != path]
        self.settings.setValue("recent", [str(path), *others][:RECENT])
        self.settings.sync()
        self.recent_changed.emit()
