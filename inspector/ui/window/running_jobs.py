"""What is under way for any open model, whichever is in front."""

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.ui import units
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import tr

_TICK_MS = 300  # a job that ends between two of them is not told: it would only flicker


def job_text(document: Document) -> str:
    """Return what is under way for a model, and which part of it; "" for nothing."""
    if document.work is None:
        return document.improve_progress
    return " · ".join(filter(None, (tr(document.work), document.stage)))


class RunningJobs(QObject):
    """Follows all open models; `changed` comes when what they do is told differently."""

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self.texts: dict[Document, str] = {}
        self._busy: list[Document] = []  # at the tick before
        self._watched: list[Document] = []
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._look)
        for signal in (workspace.opened, workspace.closed, workspace.replaced):
            signal.connect(self._follow)
        self._follow()

    def others(self, front: Document | None) -> str:
        """Return what is under way for models that are not in front; "" for nothing."""
        lines = [
            tr("{model}: {job}").format(model=units.clip(document.stem, 40), job=text)
            for document, text in self.texts.items()
            if document is not front
        ]
        return "; ".join(lines)

    def _follow(self) -> None:
        documents = list(self._workspace.documents)
        for document in documents:
            if document not in self._watched:
                document.watch(self._begin, Topic.WORK, Topic.IMPROVE)
        self._watched = documents
        self._begin()

    def _begin(self) -> None:
        if not self._tick.isActive() and any(map(job_text, self._watched)):
            self._tick.start()
        if self.texts:
            self._tell([each for each in self.texts if job_text(each)])

    def _look(self) -> None:
        busy = [document for document in self._watched if job_text(document)]
        self._tell([document for document in busy if document in self._busy])
        self._busy = busy
        if not busy:
            self._tick.stop()

    def _tell(self, documents: list[Document]) -> None:
        texts = {each: job_text(each) for each in documents if each in self._watched}
        if texts != self.texts:
            self.texts = texts
            self.changed.emit()
