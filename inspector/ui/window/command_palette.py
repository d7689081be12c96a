"""The command palette: commands, layers, models, settings and help by a few letters."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from inspector.analysis.layer_search import LayerIndex, values_by_name
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import column_of, tip
from inspector.ui.window import palette_entries
from inspector.ui.window.host import Window
from inspector.ui.window.palette_entries import NESTED, Entry, matches

_WIDTH_PX = 640
_SHOWN_ROWS = 12
_ROW_PX = 30  # height
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class CommandPalette(QDialog):
    """A field and what matches it; Enter carries out the selected entry.

    Without a text these are all commands. Those that are not possible now come last, gray,
    with the reason.
    """

    def __init__(self, window: Window, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Commands"))
        self.setProperty("role", "popup")
        self._commands = tuple(palette_entries.entries(window))
        self._others = tuple(palette_entries.others(window))
        self._on_page = tuple(palette_entries.on_page(window.pages()))
        self._index = LayerIndex((), {})
        self._jobs = TaskRunner(self)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find a command, layer, model, setting or help page"))
        self.field.setAccessibleName(tr("Find"))
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Matches"))
        self.list.setStyleSheet(
            "QListWidget::item { padding: 6px 8px; border-radius: 5px; }"
            "QListWidget::item:selected { background: palette(highlight); "
            "color: palette(highlighted-text); }"
        )
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column_of(self.field, self.list, on=self, spacing=6, margins=(8, 8, 8, 8))
        self.resize(_WIDTH_PX, 60 + _SHOWN_ROWS * _ROW_PX)
        center = parent.rect().center().x() - _WIDTH_PX // 2
        self.move(parent.mapToGlobal(parent.rect().topLeft()).x() + max(0, center),
                  parent.mapToGlobal(parent.rect().topLeft()).y() + 60)  # fmt: skip
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self.run)
        self.list.itemClicked.connect(lambda _: self.run())
        self._filter("")
        self.field.setFocus()
        self._read_layers()

    def run(self) -> None:
        """Close and carry out the selected command."""
        item = self.list.currentItem()
        if item is None:
            return
        entry: Entry = item.data(Qt.ItemDataRole.UserRole)
        if entry.refusal:
            return
        self.close()
        entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move through the list with the arrow keys while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            moves = event.key() in _LIST_KEYS
            if moves:
                self.list.keyPressEvent(event)
            return moves
        return super().eventFilter(watched, event)

    def _read_layers(self) -> None:
        """Let the layers of the model in front be found once their texts are collected."""
        document = self._window.document
        model = document.model if document is not None else None
        if model is None:
            return

        def work() -> LayerIndex:
            index = LayerIndex(model.layers, values_by_name(model))
            index.prepare()
            return index

        self._jobs.start(work, self._take_layers, lambda _: None)

    def _take_layers(self, index: LayerIndex) -> None:
        self._index = index
        if self.field.text().strip():
            self._filter(self.field.text())

    def _filter(self, text: str) -> None:
        """List what matches by its name, then what is refused, then pages with the words."""
        self.list.clear()
        commands = _ranked(text, self._commands)
        shown = [each for each in commands if not each.refusal]
        if text.strip():
            shown += _ranked(text, self._on_page)
            shown += palette_entries.layers(self._window, self._index, text)
            shown += _ranked(text, self._others)
        shown += (each for each in commands if each.refusal)
        if text.strip():
            shown += palette_entries.pages(self._window, text)
        gray = self.palette().brush(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        listed = set[tuple[str, str]]()
        for entry in shown:
            key = (entry.path, entry.more)  # a page may have the words in its title, too
            if key in listed:
                continue
            listed.add(key)
            more = entry.refusal or entry.more
            item = QListWidgetItem(f"{entry.path}   {more}" if more else entry.path)
            item.setData(Qt.ItemDataRole.UserRole, entry)
            if entry.refusal:  # it can be found, and says why it is not possible now
                item.setForeground(gray)
                item.setToolTip(tip(entry.refusal))
            self.list.addItem(item)
        self.list.setCurrentRow(0)


def _ranked(text: str, entries: tuple[Entry, ...]) -> list[Entry]:
    """Return the entries that match a text, the nearest first; of those the least nested."""
    distances = ((matches(text, entry), entry) for entry in entries)
    near = [
        ((distance, entry.path.count(NESTED)), entry)
        for distance, entry in distances
        if distance is not None
    ]
    return [entry for _, entry in sorted(near, key=lambda pair: pair[0])]
