"""Whether a runtime loaded the file of a document here, as all cards of Overview have it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from inspector.errors import DeviceFailed, EngineFailed, InspectorError
from inspector.report.compatibility import RUNTIME, CompatibilityResult, Outcome
from inspector.report.device_ids import is_cpu
from inspector.ui.documents.document import Document, Topic
from inspector.ui.translate import tr


class LoadRecord(QObject):
    """Whether a runtime loaded the file of a document, on a CPU of this machine.

    runtime: its name; empty before the first run. error: why it refused; a file that was loaded
    once stays so, since what refuses it later, such as another runtime, says less. stopped: why
    it loaded and then did not run, where it never did.
    """

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.runtime = ""
        self.error: InspectorError | None = None
        self.stopped: InspectorError | None = None
        self._document, self._spec = document, document.spec
        document.failed.connect(self._note)
        document.report_added.connect(lambda _: self._note(None))
        document.changed(Topic.PREDICTION).connect(self._note_outdated)
        document.changed(Topic.WORK).connect(self._note_runs)
        document.changed(Topic.MODEL).connect(self._forget)
        document.changed(Topic.SPEC).connect(self._follow_settings)
        self._runs = document.runs
        if document.reports or document.ran_as_edits or document.runs:
            self.runtime = document.backend.name
        elif document.error is not None:
            self._note(document.error)

    @classmethod
    def of(cls, document: Document) -> "LoadRecord":
        """Return the record of a document, which outlives the view that asks first."""
        known = document.findChild(LoadRecord)
        return known if isinstance(known, LoadRecord) else cls(document)

    @property
    def problem(self) -> InspectorError | None:
        """Why the file does not load or run; None as long as nothing is known against it."""
        return self.error or self.stopped

    def note_check(self, found: Sequence[CompatibilityResult]) -> None:
        """Take a refusal that the check of other programs met in the model's runtime."""
        for each in found:
            refused = each.outcome is not Outcome.OPENS and each.program == RUNTIME
            if refused and each.program == self._document.runtime.name:
                what = tr("Could not load {name}").format(name=self._document.name)
                why = each.why or each.outcome.value
                self.runtime = each.program
                self.error = EngineFailed(what, why, each.hint, phase="load")
                self._tell()

    def _note_outdated(self) -> None:
        if self._document.outdated is not None:
            self._note(self._document.outdated)

    def _note_runs(self) -> None:
        """Take runs of any kind that went well: of one input, of a folder, of a chat."""
        document = self._document
        if document.work is None and document.runs != self._runs:
            self._runs = document.runs
            self._note(None)

    def _note(self, error: InspectorError | None) -> None:
        document = self._document
        refused = isinstance(error, EngineFailed) and error.phase == "load"
        if isinstance(error, EngineFailed) and not refused and not self.runtime:
            self.stopped = error
            self.changed.emit()
        if error is not None and (
            not refused or isinstance(error, DeviceFailed) or (self.runtime and not self.error)
        ):
            return
        if document.place is None and all(map(is_cpu, document.spec.devices)):
            self.runtime, self.error, self.stopped = document.runtime.name, error, None
            self._tell()

    def _forget(self) -> None:
        self.runtime, self.error, self.stopped = "", None, None
        self._tell()

    def _tell(self) -> None:
        self._spec = self._document.spec
        self.changed.emit()
        self._follow_settings()

    def _follow_settings(self) -> None:
        """With other settings, such as a library of operators, the file may load."""
        document = self._document
        same = document.place is None and document.spec == self._spec
        document.refused = self.error if same else None
        document.tell(Topic.LOADS)
