"""A dialog with all models of a folder as a table: compare, sort, open, export."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView, QDialog, QWidget

from inspector.app.estimates import cost_at
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.formats.folders.expanding import expanded
from inspector.formats.model_formats import model_suffixes
from inspector.formats.opening import digest, located, open_model
from inspector.model.model import Model
from inspector.pages.lists.model_rows import ModelRow, with_duplicates
from inspector.pages.models import model_row, model_table
from inspector.platform.settings import library_folder
from inspector.render.tables.model_table import as_csv
from inspector.report.library import Library
from inspector.ui import units
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.documents.file_dialogs import Writer
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.notice import Notice
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import Elided, button, label, page_of, row, tip
from inspector.ui.widgets.table_card import FilterField
from inspector.ui.widgets.theme import Theme

StartEngine = Callable[[Callable[[object], None]], Engine]

_SIZE = 1060, 620
_PAIR = 2


class FolderDialog(QDialog):
    """Lists the models of a folder while they are read; several can be selected.

    open_asked: paths of models to open. diff_asked: two paths to compare.
    """

    open_asked = Signal(object)
    diff_asked = Signal(object)
    completed = Signal()
    _read = Signal(object)  # rows as they are known by now

    def __init__(
        self,
        theme: Theme,
        folder: Path,
        start_engine: StartEngine,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        name = units.clip(folder.name or str(folder), 80)
        self.setWindowTitle(tr("{name} — Inspector").format(name=name))
        resize_on_screen(self, *_SIZE)
        self._start_engine, self._closed = start_engine, False
        self._jobs = TaskRunner(self)
        self._emitter = SafeEmitter(self)
        files = expanded([folder], model_suffixes())
        found = files[0] if files[1] else []
        self._folder, self.models = folder, [ModelRow(str(path)) for path in found]
        self.table = PageTable(theme, tr("Models"), model_table(self._below()), first_rows=0)
        self.rows = self.table.rows
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.filter = FilterField(theme, tr("Filter models"), tr("Filter by any value"), 220)
        self.filter.fit(1000)
        self.filter.textChanged.connect(self._pick)
        self.count = label("", "secondary")
        self.notice = Notice(theme, self)
        self.open_button = button(theme, tr("Open"), primary=True)
        self.compare_button = button(theme, tr("Compare"), "compare")
        self.compare_button.setToolTip(tip(tr("Select two models to compare them")))
        self.export_button = button(theme, tr("Export CSV…"))
        self.open_button.clicked.connect(self._open)
        self.compare_button.clicked.connect(self._compare)
        self.export_button.clicked.connect(self._export)
        self.table.doubleClicked.connect(self._open)
        self.table.selectionModel().selectionChanged.connect(self._refresh)
        self.rows.modelReset.connect(self._refresh)
        column = page_of(self)
        column.addLayout(
            row(Elided(str(folder), "heading"), self.count, self.filter, stretch=0)
        )
        column.addWidget(self.table, 1)
        column.addLayout(row(self.export_button, None, self.compare_button, self.open_button))
        self._read.connect(self._show)
        self._refresh()
        self._jobs.start(lambda: self._read_all(found), self._end, self._fail)

    def done(self, result: int) -> None:
        """Stop reading."""
        self._closed = True
        super().done(result)

    def selected(self) -> list[Path]:
        """Return the files of the selected rows, in their order on the screen."""
        indexes = self.table.selectionModel().selectedRows()
        places = (self.rows.place_of(i.row()) for i in sorted(indexes, key=_row_of))
        return [Path(self.models[place].path) for place in places]

    def _below(self) -> list[ModelRow]:
        """Return the models with their names below the folder."""

        def name(path: str) -> str:
            return Path(path).relative_to(self._folder).as_posix() if path else ""

        return [replace(m, path=name(m.path), same_as=name(m.same_as)) for m in self.models]

    def select(self, *names: str) -> None:
        """Select models by their names below the folder."""
        model, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        model.clearSelection()
        below = self._below()
        for table_row in range(self.rows.rowCount()):
            if below[self.rows.place_of(table_row)].path in names:
                index = self.rows.index(table_row, 0)
                model.select(index, flags.Select | flags.Rows)

    def _refresh(self) -> None:
        chosen = len(self.selected())
        self.open_button.setEnabled(bool(chosen))
        self.compare_button.setEnabled(chosen == _PAIR)
        self.open_button.setText(
            tr("Open {count}").format(count=chosen) if chosen > 1 else tr("Open")
        )
        shown, every = self.rows.rowCount(), self.rows.total
        text = plural(every, "model")
        if shown != every:
            text = tr("{shown} of {text}").format(shown=units.number(shown), text=text)
        copies = sum(bool(model.same_as) for model in self.models)
        if copies:
            text = f"{text}, {plural(copies, 'duplicate')}"
        self.count.setText(text)

    def _pick(self, text: str) -> None:
        self.rows.pick(text)

    def _open(self, _: object = None) -> None:
        paths = self.selected()
        if paths:
            self.open_asked.emit(paths)
            self.accept()

    def _compare(self) -> None:
        self.diff_asked.emit(self.selected())
        self.accept()

    def _export(self) -> None:
        writer = Writer(self, self.notice)
        path = writer.where(tr("Export table"), "models.csv", tr("CSV (*.csv)"))
        if path is not None:
            models = tuple(self.models)
            writer.write(path, lambda: as_csv(models))

    def _read_all(self, files: Sequence[Path]) -> None:
        """Read all models on a job's thread, then their costs, telling of each."""
        models: list[Model | None] = []
        rows = [ModelRow(str(path)) for path in files]
        for place, path in enumerate(files):
            self._stop_if_closed()
            try:
                rows[place], read = _row(path)
                models.append(read)
            except InspectorError as error:
                rows[place] = ModelRow(str(path), problem=error.why or error.what)
                models.append(None)
            self._emitter.emit(self._read, with_duplicates(rows))
        with ExitStack() as stack:
            engine: Engine | None = None
            for place, (path, model) in enumerate(zip(files, models, strict=True)):
                self._stop_if_closed()
                if model is None:
                    continue
                try:
                    if engine is None:
                        engine = stack.enter_context(self._start_engine(lambda _: None))
                    macs = _macs(path, model, engine)
                except InspectorError:
                    continue  # the cost is unknown; opening the model says why
                rows[place] = replace(rows[place], macs=macs)
                self._emitter.emit(self._read, with_duplicates(rows))

    def _stop_if_closed(self) -> None:
        if self._closed:
            raise Cancelled(tr("Stopped"))

    def _show(self, models: Sequence[ModelRow]) -> None:
        names = [Path(path).relative_to(self._folder).as_posix() for path in self.selected()]
        self.models = [*models]
        self.table.show_table(model_table(self._below()))
        if names:
            self.select(*names)

    def _end(self, _: object) -> None:
        self.completed.emit()

    def _fail(self, error: InspectorError) -> None:
        if not isinstance(error, Cancelled):
            self.notice.show_error(error)


def _row_of(index: QModelIndex) -> int:
    return index.row()


def _row(path: Path) -> tuple[ModelRow, Model]:
    """Return what a file and the library say of a model. Raises UnreadableFile."""
    with located(path) as file:
        model, sha256 = open_model(file), digest(file)
    report = Library(library_folder()).latest("report", sha256)
    p50_ns = report.median_ns or None if report is not None else None
    return model_row(path, model, sha256, None, p50_ns), model


def _macs(path: Path, model: Model, engine: Engine) -> int | None:
    """Return the multiply-accumulates of a prediction. Raises InspectorError."""
    cost = cost_at(engine, path, model, {})
    return cost.macs if cost.of_graph and cost.macs_formula is not None else None
