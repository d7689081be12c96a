"""All inputs of a model of tables as one list: a name and a field for each."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QTableView

from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors import element_types
from inspector.pages.model.layers import type_text
from inspector.preview.inputs import table
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.fill_inputs import Choice, ValuesChoice
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.dropped import Drop, may_be_values, paths_in
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    label,
    row,
    show_in_place,
    wrapped,
)
from inspector.ui.widgets.theme import Theme, qt_color

LINE = 26  # px, height
SHOWN_LINES = 16
FEW_LINES = 7  # where the table is folded
FILES = mark("Tables (*.csv *.tsv *.txt);;All files (*)")
_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_TITLES = (mark("Input"), mark("Type"), mark("Value"))
NAME, TYPE, VALUE = range(3)


class FieldsModel(QAbstractTableModel):
    """Names and types, and values that may be typed; a line for each input that is found."""

    def __init__(self, theme: Theme, inputs: Sequence[TensorInfo]) -> None:
        super().__init__()
        self._theme, self.inputs = theme, tuple(inputs)
        self.values: dict[str, str] = {}
        self._shown = self.inputs

    def show_values(self, values: Mapping[str, str]) -> None:
        """Take other values; what is not named becomes as usual."""
        self.beginResetModel()
        self.values = dict(values)
        self.endResetModel()

    def find(self, query: str) -> None:
        """Show only the inputs whose names hold these words."""
        self.beginResetModel()
        folded_query = query.casefold()
        self._shown = tuple(
            info for info in self.inputs if folded_query in info.name.casefold()
        )
        self.endResetModel()

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Inputs that are shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index = _NONE) -> int:
        """Name, type, value."""
        return 0 if parent.isValid() else len(_TITLES)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell."""
        info = self._shown[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == VALUE:
            return f"{info.name}: {self.values.get(info.name) or 'default'}"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == VALUE:
            return int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        if role == Qt.ItemDataRole.ForegroundRole:
            look = self._theme.palette
            plain = index.column() == NAME or self.values.get(info.name)
            return qt_color(look.text if plain else look.tertiary)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return None
        value = self.values.get(info.name, "")
        if index.column() == VALUE:
            return value if value or role == Qt.ItemDataRole.EditRole else tr("default")
        return units.clip(info.name, 200) if index.column() == NAME else info.dtype

    def setData(
        self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take a typed value."""
        name, typed = self._shown[index.row()].name, str(value)
        if role != Qt.ItemDataRole.EditRole or typed == self.values.get(name, ""):
            return False
        self.values[name] = typed
        self.dataChanged.emit(index, index)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Values may be typed."""
        typed = Qt.ItemFlag.ItemIsEditable if index.column() == VALUE else Qt.ItemFlag(0)
        return super().flags(index) | typed

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Titles."""
        across = orientation == Qt.Orientation.Horizontal
        if across and section == VALUE and role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        return tr(_TITLES[section]) if across and role == Qt.ItemDataRole.DisplayRole else None


class FieldsTable(QTableView):
    """Typing begins at once in the value of the line that is chosen."""

    def __init__(self, model: FieldsModel) -> None:
        super().__init__()
        self._inputs = model.inputs
        self.setModel(model)
        self.setAccessibleName(tr("Values of the inputs"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setStyleSheet("QTableView::item { padding: 0 5px; }")  # as its titles have
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(LINE)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column, width in ((TYPE, 74), (VALUE, 104)):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            head.resizeSection(column, width)
        self.show_lines(SHOWN_LINES)

    def show_lines(self, most: int) -> None:
        """Set the height to that of the lines, up to a maximum."""
        self.setFixedHeight(30 + min(most, max(3, len(self._inputs))) * LINE)


class TableEditor(Card):
    """A row of a table: typed, pasted from a spreadsheet, or one of those of a file."""

    changed = Signal()

    def __init__(self, theme: Theme, inputs: Sequence[TensorInfo]) -> None:
        super().__init__(theme)
        self._rows: tuple[Mapping[str, str], ...] = ()
        self._jobs = TaskRunner(self)
        self.fields = FieldsModel(theme, inputs)
        self.table = FieldsTable(self.fields)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find an input"))
        self.search.setAccessibleName(tr("Find an input"))
        self.open, self.paste = button(theme, tr("Open…"), "open"), button(theme, tr("Paste"))
        self.clear = button(theme, tr("Clear"), then=lambda: self._show({}))
        self.row = NumberField(tr("Row of the table"), 0)
        self._source = Elided("", "caption")
        self._picking = label(tr("Row"), "secondary")
        self.problem, self._note = wrapped("", "bad"), wrapped("", "caption")
        self.body.addLayout(row(label(tr("A row of a table"), "heading"), None))
        self.body.addWidget(
            Elided(
                tr("{input_count}, one value each").format(
                    input_count=plural(len(inputs), "input")
                ),
                "mono",
            )
        )
        self.body.addLayout(row(self.open, self.paste, self.clear, None))
        self.body.addLayout(row(self._picking, self.row, (self._source, 1)))
        show_in_place(self.search, len(inputs) > SHOWN_LINES)
        add_to(self.body, self.search, self.table, self.problem, self._note)
        self.search.textEdited.connect(self.fields.find)
        self.fields.dataChanged.connect(lambda *_: self._take())
        self.open.clicked.connect(self._ask)
        self.paste.clicked.connect(self.take_clipboard)
        self.row.valueChanged.connect(self._pick)
        self._tell("")
        self._show_rows((), "")

    @property
    def choices(self) -> dict[str, Choice]:
        """The values that were given, by input."""
        values = (
            (info.name, table.value(info, self.fields.values.get(info.name, "")))
            for info in self.fields.inputs
        )
        return {name: ValuesChoice(value) for name, value in values if value}

    def fold(self, folded: bool) -> None:
        """Take less room, so that the answer below is seen."""
        self.table.show_lines(FEW_LINES if folded else SHOWN_LINES)

    def use_file(self, path: Path) -> None:
        """Take the rows of a file; the first one is shown. A failure is shown, too."""
        inputs = self.fields.inputs
        self._jobs.start(
            lambda: table.records(table.rows_of(path), inputs),
            lambda records: self._show_rows(records, path.name),
            self._fail,
        )

    def take_clipboard(self) -> None:
        """Take the cells that a spreadsheet copied."""
        try:
            body = QGuiApplication.clipboard().text()
            records = table.records(table.pasted(body), self.fields.inputs)
        except InspectorError as error:
            self._fail(error)
        else:
            self._show_rows(records, tr("pasted"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste, besides what a card does anyway."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.take_clipboard()
        else:
            super().keyPressEvent(event)

    def drop_of(self, data: QMimeData) -> Drop | None:
        """Take the rows of a file that is no model."""
        paths = paths_in(data)
        if len(paths) != 1 or not may_be_values(paths[0]):
            return None
        text = tr("Use the rows of {name} as inputs").format(name=units.clip(paths[0].name))
        return Drop(text, partial(self.use_file, paths[0]))

    def _show_rows(self, rows: tuple[Mapping[str, str], ...], source: str) -> None:
        self._rows = rows
        many = len(rows)
        self.row.blockSignals(True)
        self.row.setMinimum(1)
        self.row.setMaximum(max(1, many))
        self.row.setValue(1)
        self.row.blockSignals(False)
        for part in (self._picking, self.row, self._source):
            part.setVisible(many > 0)
        self._source.set_text(tr("of {many:,} · {source}").format(many=many, source=source))
        if rows:
            self._show(rows[0])

    def _pick(self, number: int) -> None:
        if 0 < number <= len(self._rows):
            self._show(self._rows[number - 1])

    def _show(self, values: Mapping[str, str]) -> None:
        self.fields.show_values(values)
        self._take()

    def _take(self) -> None:
        """Predict with the values, unless one cannot be taken."""
        wrong = next(filter(None, map(self._wrong, self.fields.inputs)), "")
        self._tell(wrong)
        if not wrong:
            self.changed.emit()

    def _wrong(self, info: TensorInfo) -> str:
        value = table.value(info, self.fields.values.get(info.name, ""))
        if not value or info.dtype == "string":
            return ""
        name, shown = units.clip(info.name, 60), units.clip(value, 40)
        if not element_types.is_recipe(value):
            return tr("'{shown}' is not a number for {name} ({described}).").format(
                shown=shown, name=name, described=type_text(info)
            )
        try:
            element_types.make_tensor(info.name, value, (1,), info.dtype)
        except InspectorError as error:
            return f"{name}: {error.why}."
        return ""

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        filled_count = sum(bool(value) for value in self.fields.values.values())
        total = len(self.fields.inputs)
        self._note.setText(
            tr("{given:,} of {total:,} set; the others use default values.").format(
                given=filled_count, total=total
            )
        )
        self._note.setVisible(filled_count < total)

    def _fail(self, error: InspectorError) -> None:
        self._tell(f"{error.what}: {error.why}. {error.hint}")

    def _ask(self) -> None:
        if path := file_dialogs.ask_file(self, tr("A table"), tr(FILES)):
            self.use_file(path)
