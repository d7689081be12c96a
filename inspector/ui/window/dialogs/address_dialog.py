"""A dialog that opens a model at an address: asks the server, then the user, then downloads."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from inspector.errors import Cancelled, InspectorError
from inspector.formats import remote
from inspector.formats.names import address_of
from inspector.formats.remote import RemoteFile
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.parts import button, label, page_of, row
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme

T = TypeVar("T")
_WIDTH = 560
_SHOW_SECONDS = 0.1  # between two looks at how far the download is
_STEPS = 1000  # of the progress bar


class AddressDialog(QDialog):
    """Opens a model at an address; `downloaded` tells the file.

    found: what the server says of the file, once it was asked.
    """

    downloaded = Signal(object)  # Path
    _moved = Signal(object, object)  # bytes that are there, bytes in all or None

    def __init__(self, theme: Theme, address: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open URL — Inspector"))
        self.setFixedWidth(_WIDTH)
        self.found: RemoteFile | None = None
        self._jobs, self._turn = TaskRunner(self), 0
        self.address = QLineEdit(address)
        self.address.setPlaceholderText(tr("https://…/model.onnx, hf://owner/name/model.onnx"))
        self.address.setAccessibleName(tr("URL of a model"))
        self.question = label("", "heading")
        self.question.setWordWrap(True)
        self.note = label("", "secondary")
        self.note.setWordWrap(True)
        self.progress = ProgressLine(theme, tr("Download"), may_cancel=False)
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.go = button(theme, tr("Check URL"), primary=True)
        self.stop = button(theme, tr("Cancel"))
        self.go.setDefault(True)
        column = page_of(self)
        about = tr("URL of an ONNX model. Inspector asks before it downloads anything.")
        text = label(about, "secondary")
        text.setWordWrap(True)
        column.addWidget(text)
        column.addWidget(self.address)
        column.addWidget(self.question)
        column.addWidget(self.progress)
        column.addWidget(self.note)
        column.addWidget(self.failure)
        column.addLayout(row(None, self.stop, self.go))
        self.address.textChanged.connect(self._begin_again)
        self.go.clicked.connect(self._go_on)
        self.stop.clicked.connect(self.reject)
        self._moved.connect(self._show_progress)
        self._begin_again()
        if address:
            self.look_up()

    def look_up(self) -> None:
        """Ask the server how large the file is."""
        address = address_of(self.address.text())
        if address is None:
            hint = tr("Enter https://host/model.onnx or hf://owner/name/model.onnx.")
            self._fail_with(InspectorError(tr("This is not the URL of a model"), "", hint))
            return
        turn = self._start(tr("Contacting the server…"))
        folder = remote.default_folder()

        def show(found: RemoteFile) -> None:
            if turn != self._turn:
                return
            self.found = found
            if found.cached is not None:
                self._end(found.cached)
                return
            self.progress.hide()
            self.question.setText(found.question)
            self.question.show()
            self.note.setText(tr("It will be saved in {folder}.").format(folder=folder))
            self.note.show()
            self.go.setText(tr("Download"))
            self.go.setEnabled(True)

        self._run(turn, lambda: remote.look_up(address, folder), show)

    def download(self) -> None:
        """Download what the user agreed to."""
        found = self.found
        assert found is not None, "the server was asked"
        turn = self._start("")
        shown = [0.0]

        def tell(done: int, total: int | None) -> None:
            if turn != self._turn:
                raise Cancelled(tr("Stopped"))
            if monotonic() - shown[0] > _SHOW_SECONDS:
                shown[0] = monotonic()
                self._moved.emit(done, total)

        def show(path: Path) -> None:
            if turn == self._turn:
                self._end(path)

        self._run(turn, lambda: remote.download(found, remote.default_folder(), tell), show)

    def reject(self) -> None:
        """Stop a download; the next one goes on from there."""
        self._turn += 1
        super().reject()

    def _go_on(self) -> None:
        if self.found is None:
            self.look_up()
        else:
            self.download()

    def _begin_again(self) -> None:
        """Forget what the server said of another address."""
        self._turn += 1
        self.found = None
        for widget in (self.question, self.note, self.progress, self.failure):
            widget.hide()
        self.go.setText(tr("Check URL"))
        self.go.setEnabled(bool(self.address.text().strip()))
        self.adjustSize()

    def _start(self, note: str) -> int:
        """Show that something is under way; returns what tells its result from earlier ones."""
        self._turn += 1
        self.go.setEnabled(False)
        self.failure.hide()
        self.note.hide()
        self.progress.begin(note)
        self.progress.show()
        return self._turn

    def _run(self, turn: int, job: Callable[[], T], show: Callable[[T], None]) -> None:
        def fail(error: InspectorError) -> None:
            if turn == self._turn and not isinstance(error, Cancelled):
                self._fail_with(error)

        self._jobs.start(job, show, fail)

    def _fail_with(self, error: InspectorError) -> None:
        self.progress.hide()
        self.note.hide()
        self.failure.show_error(error)
        self.failure.again.hide()
        self.go.setEnabled(True)
        self.adjustSize()

    def _show_progress(self, done: int, total: int | None) -> None:
        text = tr("{done} of {total}") if total else "{done}"
        whole = units.size(total) if total else ""
        share = done / total if total else -1.0
        self.progress.show_share(share, text.format(done=units.size(done), total=whole))

    def _end(self, path: Path) -> None:
        self.downloaded.emit(path)
        self.accept()
