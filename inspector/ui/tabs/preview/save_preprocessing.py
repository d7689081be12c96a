"""How a model is prepared, kept from the window: beside the model or in a copy of it."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from inspector.errors import InspectorError
from inspector.formats.metadata_edit import check_copy, with_entry
from inspector.model.model import Model
from inspector.platform import files
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.tabs.preview.inputs.input_list import InputList
from inspector.ui.translate import tr


class PreprocessingSaver(QObject):
    """Reads what is kept of a model's preparation, and writes it when asked."""

    failed = Signal(object)  # InspectorError

    def __init__(self, parent: QWidget, document: Document) -> None:
        super().__init__(parent)
        self._window, self._document = parent, document
        self._jobs = TaskRunner(self)

    def of(self, model: Model) -> tuple[SavedPreprocessing, InspectorError | None]:
        """What is kept, or nothing and why it cannot be read."""
        path = self._document.path
        if path is None:
            return saved.NONE_SAVED, None
        try:
            return saved.load(path, model.metadata), None
        except InspectorError as error:
            return saved.NONE_SAVED, error

    def ask(self, inputs: InputList) -> None:
        """Offer both places."""
        path = self._document.path
        if path is None:
            return
        menu = QMenu(self._window)
        beside = tr("In {name}, next to the model").format(name=saved.sidecar_path(path).name)
        menu.addAction(beside, lambda: self.keep(inputs))
        menu.addAction(tr("In a copy of the model…"), lambda: self._ask_copy(inputs, path))
        menu.exec(QCursor.pos())

    def keep(self, inputs: InputList, copy: Path | None = None) -> None:
        """Write the present preparation beside the model, or into a copy of it."""
        path, model = self._document.path, self._document.model
        assert path is not None, "only a file has a place beside it"
        assert model is not None, "only an opened model is prepared"
        sizes = {d.name: d.size for d in self._document.spec.dimensions}
        kept = replace(inputs.prepared, dimensions={**inputs.prepared.dimensions, **sizes})
        target = saved.sidecar_path(path) if copy is None else copy

        def write() -> None:
            body = saved.encode(kept, path.name)
            if copy is None:
                files.write_atomic(target, body)
            else:
                check_copy(model, path, copy)
                entry = with_entry(path, saved.METADATA_KEY, body.decode())
                files.write_pieces(copy, entry)

        self._jobs.start(write, lambda _: inputs.show_kept(target.name), self.failed.emit)

    def _ask_copy(self, inputs: InputList, path: Path) -> None:
        proposed = str(path.with_name(f"{path.stem}-prepared{path.suffix}"))
        name, _ = QFileDialog.getSaveFileName(self._window, tr("Copy of the model"), proposed)
        if name:
            self.keep(inputs, Path(name))
