"""The command palette: commands, layers, models, settings and help by a few letters."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from inspector.analysis.layer_search import LayerIndex, values_by_name
from inspector.errors import BadInput
from inspector.report.settings import Setting
from inspector.ui import glossary, guide, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.tabs.performance.settings import own_settings
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import column_of, tip, visible_parts
from inspector.ui.window.commands.listing import palette
from inspector.ui.window.commands.registry import Command, Submenu
from inspector.ui.window.dialogs.preferences_dialog import PREFERENCES
from inspector.ui.window.host import Shown, Window
from inspector.ui.window.welcome import samples

_WIDTH_PX = 640
_SHOWN_ROWS = 12
_ROW_PX = 30  # height
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


MOST_LAYERS = 12  # that are listed; the graph shows the others
_MOST_PAGES = 4  # of the guide that have the words in their text
_FEW = 3  # letters, of which a text finds pages by what stands in them
_NAME = 80  # letters
NESTED = " > "  # between the titles that lead to an entry


class Entry(Struct, frozen=True):
    """Something that can be found, with what leads to it: "File > Export report > PDF".

    more: what tells it from others, such as its keys. refusal: why it is not possible now, ""
    where it is. about: what it does, by whose words it is found, too.
    """

    path: str
    run: Callable[[], object]
    more: str = ""
    refusal: str = ""
    about: str = ""


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
        self._commands = tuple(entries(window))
        self._others = tuple(others(window))
        self._on_page = tuple(on_page(window.pages()))
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
            shown += layers(self._window, self._index, text)
            shown += _ranked(text, self._others)
        shown += (each for each in commands if each.refusal)
        if text.strip():
            shown += pages(self._window, text)
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


def entries(window: Window) -> Iterator[Entry]:
    """Yield every command in the order of the menus, at the first place that it has there."""
    listed = set[str]()
    for titles, command, above in palette():
        if command.id in listed:
            continue
        listed.add(command.id)
        within: tuple[Submenu | Command, ...] = (*above, command)
        refusals = (each.why_not(window) for each in within)
        refusal = next(filter(None, refusals), "")
        run = partial(window.run_command, command.id)
        # "html" is in the id of the command that saves a web page, not in its title.
        about = f"{tr(command.about) if command.about else ''} {command.id}"
        yield Entry(NESTED.join(titles), run, command.keys_text, refusal, about)


def on_page(page: QWidget) -> Iterator[Entry]:
    """Yield the buttons that are shown on a page and can be pressed, by their texts."""
    listed = set[str]()
    for part in visible_parts(page):
        if not isinstance(part, QAbstractButton) or not part.isEnabled():
            continue
        name = " ".join((part.text() or part.accessibleName()).replace("&", "").split())
        if name and name not in listed:
            listed.add(name)
            yield _entry(tr("On this page"), units.clip(name, _NAME), part.click)


def others(window: Window) -> Iterator[Entry]:
    """Yield what is open or was, settings, and what the guide and the glossary explain."""
    workspace = window.workspace
    opened: tuple[Shown, ...] = (*workspace.documents, *workspace.traces, *workspace.diffs)
    for shown in opened:
        run = partial(window.bring_to_front, shown)
        yield _entry(tr("Open item"), units.clip(shown.name, _NAME), run)
    for path in workspace.recent:
        run = partial(window.run_command, "open", path)
        yield _entry(tr("Recent file"), units.clip(path.name, _NAME), run, str(path.parent))
    for path, _, title in samples():
        run = partial(window.run_command, "open", path)
        yield Entry(f"{tr('Sample model')} > {title}", run, path.name, about=path.name)
    document = window.document
    for setting in _settings(document) if document is not None else ():
        run = partial(window.run_command, "settings", setting.name)
        yield _entry(tr("Measurement setting"), tr(setting.title), run)
    for name, title in PREFERENCES.items():
        run = partial(window.run_command, "preferences", name)
        yield _entry(tr("Preference"), tr(title), run)
    for page in guide.pages():
        if page.path:
            yield _page(window, page)
    for term in glossary.terms():
        run = partial(window.dialogs.show_glossary, term.name)
        yield _entry(tr("Glossary"), term.name, run)


def pages(window: Window, text: str) -> Iterator[Entry]:
    """Yield the pages of the guide in which the words stand, the best first."""
    paths = guide.matching(text) if len(text.strip()) >= _FEW else ()
    by_path = {page.path: page for page in guide.pages()}
    yield from (_page(window, by_path[path]) for path in paths[:_MOST_PAGES])


def layers(window: Window, index: LayerIndex, text: str) -> Iterator[Entry]:
    """Yield the layers that fit what the search of the graph understands, too."""
    try:
        found = index.find(text)
    except BadInput:  # the beginning of something that is still typed
        return
    for place in found[:MOST_LAYERS]:
        layer = index.layers[place]
        run = partial(window.run_command, "graph/layer", place)
        yield _entry(tr("Layer"), units.clip_name(layer.label, _NAME), run, layer.operator)
    if len(found) > MOST_LAYERS:
        rest = plural(len(found), "layer")
        title = tr("Find all {layers} in the graph").format(layers=rest)
        yield _entry(tr("Layer"), title, partial(window.run_command, "graph/find", text))


def matches(text: str, entry: Entry) -> int | None:
    """Return how far an entry is from what was typed, 0 for the nearest; None for no match.

    Each word that was typed must occur; the start of a word counts as nearer, and the name as
    nearer than what the entry is about.
    """
    name, about = entry.path.casefold(), entry.about.casefold()
    distance = 0
    for word in text.casefold().split():
        place = name.find(word)
        if place < 0 and word not in about:
            return None
        if place < 0:
            distance += 2
            continue
        starts = place == 0 or not name[place - 1].isalnum()
        distance += 0 if starts else 1
    return distance


def _entry(kind: str, name: str, run: Callable[[], object], more: str = "") -> Entry:
    return Entry(f"{kind} > {name}", run, units.clip(more, _NAME))


def _page(window: Window, page: guide.Page) -> Entry:
    return _entry(tr("Guide"), page.title, partial(window.dialogs.show_page, page.path))


def _settings(document: Document) -> Iterator[Setting]:
    """Yield the settings of a measurement that the window has fields for."""
    if document.model is not None:
        yield from document.runtime.settings
        yield from own_settings(document.runtime)
