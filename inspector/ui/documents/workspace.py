"""Everything that is open, the devices of this machine, and what is kept between starts."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QTimer, Signal

from inspector import files
from inspector.collector import let_go
from inspector.errors import InspectorError
from inspector.ui.documents import remembered
from inspector.ui.documents.document import Document
from inspector.ui.documents.jobs import Jobs, leave
from inspector.ui.trace.document import TraceDocument

if TYPE_CHECKING:
    from inspector.analysis.habits import Finding
    from inspector.engine.process import EngineProcess, Progress
    from inspector.readers import OpenedTrace
    from inspector.report import Device, PerformanceReport
    from inspector.ui.trace.indexing import TraceIndex
    from inspector.ui.trace.recording import Recording, Wanted

    _Opened = tuple[OpenedTrace, tuple[Finding, ...], TraceIndex]

RECENT, MOST_OF_ARCHIVE, LET_GO_MS = 12, 8, 1000
_JSON, _MODELS = (".json", ".gz", ".trace"), (".onnx", ".ort")
STANDARD_INPUT = Path("-")


def _engine(on_progress: "Callable[[Progress], None]") -> "EngineProcess":
    from inspector.engine.process import EngineProcess

    return EngineProcess(on_progress)


class Workspace(QObject):
    """The open documents; opening is its job, showing is the window's."""

    opened = Signal(object)  # Document
    closed = Signal(object)  # Document
    trace_opened = Signal(object)  # TraceDocument
    trace_closed = Signal(object)  # TraceDocument
    reading_changed = Signal()
    step_told = Signal(str)  # what is being done with what is read
    devices_changed = Signal()
    recent_changed = Signal()
    failed = Signal(object)  # InspectorError

    def __init__(
        self,
        settings: QSettings,
        start_engine: "Callable[[Callable[[Progress], None]], EngineProcess]" = _engine,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.documents: tuple[Document, ...] = ()
        self.traces: tuple[TraceDocument, ...] = ()
        self.reading: tuple[Path, ...] = ()  # reports and traces under way
        self.devices: tuple[Device, ...] = ()
        self._recordings: tuple[Recording, ...] = ()
        self._start_engine = start_engine
        self._unpacked: dict[Path | None, ExitStack] = {}  # files of archives, by the model's
        self._jobs = Jobs(self)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Files opened lately, newest first; those that are gone are left out."""
        stored = self.settings.value("recent")
        names = [stored] if isinstance(stored, str) else stored  # Qt unwraps a list of one
        paths = (Path(name) for name in names) if isinstance(names, list) else ()
        return tuple(path for path in paths if files.is_file(path))

    def open(self, path: Path) -> None:
        """Open a model, a report or a trace; `opened`, `trace_opened` or `failed` follows."""
        known = next((d for d in self.documents if d.path == path), None)
        trace = next((t for t in self.traces if t.path == path), None)
        if known is not None:
            self.opened.emit(known)
        elif trace is not None:
            self.trace_opened.emit(trace)
        elif path in self.reading:
            return
        elif path.suffix.lower() in _JSON and not _is_ort(path):
            self._open_json(path)
        elif path == STANDARD_INPUT or path.suffix.lower() == ".zip":
            self._open_archive(path)
        elif path.suffix.lower() not in _MODELS and _is_trace(path):
            self._open_json(path)
        else:
            self._open_model(path, path)

    def close(self, document: Document) -> None:
        """Let go of a document and its engine."""
        document.close()
        self.documents = tuple(d for d in self.documents if d is not document)
        if document.path in self._unpacked:
            self._unpacked.pop(document.path).close()
        document.destroyed.connect(self._let_go_soon)
        self.closed.emit(document)
        if document.parent() is None:  # else it goes with the view that showed it
            leave(document)

    def close_trace(self, trace: TraceDocument) -> None:
        """Let go of a trace."""
        self.traces = tuple(t for t in self.traces if t is not trace)
        trace.selection.destroyed.connect(self._let_go_soon)
        self.trace_closed.emit(trace)
        if trace.selection.parent() is None:
            leave(trace.selection)

    def record(self, wanted: "Wanted") -> "Recording":
        """Record a program; its trace opens when it ends. Raises BadInput, NotSaved."""
        from inspector.instrument.launch import free_path
        from inspector.preview import saving
        from inspector.ui.trace.recording import Recording

        wanted.words()
        promised = tuple(each.trace for each in self._recordings if each.running)
        path = free_path(wanted.save_in or wanted.folder, promised)
        saving.made(path.parent)
        files.expect_to_write(path)
        recording = Recording(wanted, path, self)
        recording.ended.connect(self.open)
        recording.start()
        self._recordings = (*self._recordings, recording)
        return recording

    def find_devices(self) -> None:
        """Ask an engine which devices there are; `devices_changed` follows."""

        def ask() -> "tuple[Device, ...]":
            with self._start_engine(lambda _: None) as engine:
                return engine.devices()

        def show(devices: "tuple[Device, ...]") -> None:
            self.devices = devices
            self.devices_changed.emit()

        self._jobs.start(ask, show, self.failed.emit)

    def end(self) -> None:
        """Close everything; the program is about to end."""
        for recording in self._recordings:
            recording.close()
        for document in self.documents:
            document.close()
        self.documents = ()
        for unpacked in self._unpacked.values():
            unpacked.close()
        self._unpacked.clear()

    def _let_go_soon(self) -> None:
        QTimer.singleShot(LET_GO_MS, self, let_go)

    def _open_model(self, path: Path, known_as: Path | None) -> None:
        """known_as: what to remember it by; None for what cannot be opened again."""
        from inspector.report import USUAL

        document = Document(path, USUAL, self._start_engine)
        if known_as is not None:
            remembered.dimensions(document, self.settings, known_as)

        def keep() -> None:
            if known_as is not None:
                self._remember(known_as)

        def give_up(error: InspectorError) -> None:
            if document.model is None:  # later failures are told where they happened
                self.close(document)
                self.failed.emit(error)

        document.model_changed.connect(keep)
        document.failed.connect(give_up)
        self._add(document)
        document.open()

    def _open_archive(self, path: Path) -> None:
        """Unpack the models of an archive; what was unpacked is gone when they are closed."""

        def unpack() -> tuple[tuple[Path, ExitStack], ...]:
            from inspector import readers

            found = []
            with ExitStack() as whole:
                for place in readers.models_in(path)[:MOST_OF_ARCHIVE]:
                    unpacked = whole.enter_context(ExitStack())
                    found.append((unpacked.enter_context(readers.located(place)), unpacked))
                whole.pop_all()
            return tuple(found)

        def show(found: tuple[tuple[Path, ExitStack], ...]) -> None:
            self._set_reading(*(other for other in self.reading if other != path))
            for place, unpacked in found:
                self._unpacked[place] = unpacked
                self._open_model(place, None if path == STANDARD_INPUT else path)

        def give_up(error: InspectorError) -> None:
            self._set_reading(*(other for other in self.reading if other != path))
            self.failed.emit(error)

        self._set_reading(*self.reading, path)
        self._jobs.start(unpack, show, give_up)

    def _open_json(self, path: Path) -> None:
        def read() -> "PerformanceReport | _Opened":
            from inspector import readers, report

            if readers.looks_like_trace(path):
                from inspector.ui.trace.indexing import prepared

                opened = readers.open_trace(path)
                return opened, *prepared(path.name, opened, self.step_told.emit)
            return report.load(path)

        def show(found: "PerformanceReport | _Opened") -> None:
            self._set_reading(*(other for other in self.reading if other != path))
            self._remember(path)
            if not isinstance(found, tuple):
                self._add_report(found)
            else:
                trace = TraceDocument(path, *found)
                self.traces = (*self.traces, trace)
                self.trace_opened.emit(trace)

        def give_up(error: InspectorError) -> None:
            self._set_reading(*(other for other in self.reading if other != path))
            self.failed.emit(error)

        self._set_reading(*self.reading, path)
        self._jobs.start(read, show, give_up)

    def _set_reading(self, *paths: Path) -> None:
        self.reading = paths
        self.reading_changed.emit()

    def _add_report(self, report: "PerformanceReport") -> None:
        home = next((d for d in self.documents if d.digest == report.model.sha256), None)
        if home is None:
            home = Document(None, report.spec, self._start_engine)
            home.add_report(report)
            self._add(home)
        else:
            home.add_report(report)
            self.opened.emit(home)

    def _add(self, document: Document) -> None:
        self.documents = (*self.documents, document)
        self.opened.emit(document)

    def _remember(self, path: Path) -> None:
        others = [str(p) for p in self.recent if p != path]
        self.settings.setValue("recent", [str(path), *others][:RECENT])
        self.recent_changed.emit()


def _is_ort(path: Path) -> bool:
    """Return whether a file with a report's name is a model of ONNX Runtime's own format."""
    from inspector import readers

    try:
        return readers.is_ort(path)
    except InspectorError:
        return False  # reading it as a report says why it cannot be read


def _is_trace(path: Path) -> bool:
    """Whether a file with an unusual name holds a trace, by its first bytes."""
    from inspector import readers

    try:
        return readers.looks_like_trace(path)
    except InspectorError:
        return False  # opening it as a model says why it cannot be read
