"""An input that takes a map: rows of a key and its value, or a JSON file."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.preview.inputs import maps_and_sequences
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.fill_inputs import ValuesChoice
from inspector.ui.translate import in_sentence, mark, tr
from inspector.ui.widgets.parts import button, column_of, label, row, wrapped
from inspector.ui.widgets.table import ShortTable
from inspector.ui.widgets.theme import Theme

AROUND = 28
_HEADS = (mark("Key"), mark("Value"))
_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_ONE = QAbstractItemView.SelectionMode.SingleSelection
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_NOUNS = {"string": "texts"}


class MapRows(QAbstractTableModel):
    """Keys with their values as texts; the last row is empty and becomes one when typed in."""

    def __init__(self, typed: Callable[[], None]) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._typed = typed

    def show_rows(self, rows: list[list[str]]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def drop(self, place: int) -> None:
        """Take a row away; the empty one stays."""
        if place < len(self.rows):
            self.show_rows(self.rows[:place] + self.rows[place + 1 :])
            self._typed()

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Rows, the empty one included."""
        return 0 if parent.isValid() else len(self.rows) + 1

    def columnCount(self, parent: _Index = _NONE) -> int:
        """Key and value."""
        return 0 if parent.isValid() else len(_HEADS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell."""
        line, column = index.row(), index.column()
        cell = self.rows[line][column] if line < len(self.rows) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            empty = line == len(self.rows) and column == 0
            return tr("new key") if empty else units.clip(cell, 200)
        if role == Qt.ItemDataRole.EditRole:
            return cell
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("row {line}, {heads}: {value}").format(
                line=line + 1, heads=in_sentence(tr(_HEADS[column])), value=cell or tr("empty")
            )
        if role == Qt.ItemDataRole.TextAlignmentRole and column == 1:
            return int(_RIGHT)
        return None

    def setData(
        self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take the typed values; in the empty row it begins a new one."""
        if role != Qt.ItemDataRole.EditRole:
            return False
        line, text = index.row(), str(value)
        if line == len(self.rows):
            if not text:
                return False
            fresh = [text, "0"] if index.column() == 0 else ["", text]
            self.beginInsertRows(_NONE, line, line)
            self.rows.append(fresh)
            self.endInsertRows()
        else:
            self.rows[line][index.column()] = text
            self.dataChanged.emit(index, index)
        self._typed()
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """All cells can be typed in."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Key and Value."""
        sideways = orientation == Qt.Orientation.Horizontal
        return tr(_HEADS[section]) if sideways and role == Qt.ItemDataRole.DisplayRole else None


class MapTable(ShortTable):
    """Delete takes the chosen row away."""

    def __init__(self, name: str, rows: MapRows) -> None:
        super().__init__(name, rows, _ONE, AROUND)
        self.rows = rows
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the row away, besides what a table does anyway."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.rows.drop(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class MapEditor(QWidget):
    """Begins with the keys that the model is known to take, each with 0."""

    changed = Signal()

    def __init__(self, theme: Theme, info: TensorInfo, keys: tuple[str, ...]) -> None:
        super().__init__()
        self._info = info
        kinds = maps_and_sequences.types(info) or ("string", "float32")
        self._textual = kinds[1] == "string"
        self.table = MapTable(
            tr("Keys and values of {name}").format(name=info.name), MapRows(self._tell_changed)
        )
        self.table.rows.show_rows([[key, "" if self._textual else "0"] for key in keys])
        self.problem = wrapped("", "bad")
        self.remove, self.open = button(theme, tr("Remove")), button(theme, tr("Open…"), "open")
        self.remove.setAccessibleName(tr("Remove the selected key"))
        self.open.setToolTip(tr("Load keys and values from a JSON file"))
        column = column_of(self.table, self.problem, on=self, spacing=8)
        hint = label(
            tr("Keys are {get}").format(get=_NOUNS.get(kinds[0], tr("whole numbers"))),
            "caption",
        )
        column.addLayout(row(hint, None, self.remove, self.open))
        self.problem.hide()
        self.remove.clicked.connect(
            lambda: self.table.rows.drop(self.table.currentIndex().row())
        )
        self.open.clicked.connect(self._ask)

    @property
    def choice(self) -> ValuesChoice:
        """The map as a JSON object; nothing where no row has a key."""
        rows = [each for each in self.table.rows.rows if each[0]]
        if not rows:
            return ValuesChoice()
        keys, values = zip(*rows, strict=True)
        return ValuesChoice(maps_and_sequences.json_text(keys, values, self._textual))

    def use_file(self, path: Path) -> None:
        """Load keys and values from a JSON file, or say why not."""
        self._tell("")
        try:
            keys, values = maps_and_sequences.map_values(self._info, str(path))
        except InspectorError as error:
            self._tell(f"{units.capitalized(error.why)}.")
            return
        pairs = zip(keys, values, strict=True)  # of float32, as few digits as tell it apart
        self.table.rows.show_rows([[str(key), str(value)] for key, value in pairs])
        self.changed.emit()

    def _ask(self) -> None:
        if path := file_dialogs.ask_file(self, tr("Open Map"), tr("JSON (*.json)")):
            self.use_file(path)

    def _tell_changed(self) -> None:
        twice = _first_twice([key for key, _ in self.table.rows.rows if key])
        self._tell(
            tr("'{twice}' appears twice; the last one is used.").format(
                twice=units.clip(twice, 60)
            )
            * bool(twice)
        )
        self.changed.emit()

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


def _first_twice(keys: list[str]) -> str:
    earlier_keys = set[str]()
    for key in keys:
        if key in earlier_keys:
            return key
        earlier_keys.add(key)
    return ""
