"""Preferences: appearance, measuring, start and privacy; every change is kept at once."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QDialog, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.formats import remote
from inspector.platform.settings import library_folder
from inspector.ui import preferences, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import languages, mark, plural, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import BESIDE_BAR, FittedScroll
from inspector.ui.widgets.parts import PADDING, Elided, button, column_of, label, row
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.session import RESTORE_KEY

_MARGIN = 24  # px
_AROUND = 90  # px of the height: margins and the button
_TEXT_PX = 580  # width
_NAMES_PX = 178  # width
_FIELD_PX = 270  # width
_THEMES = (("system", mark("Follow system")), ("light", mark("Light")), ("dark", mark("Dark")))
# What can be found by its title: attributes of the dialog.
PREFERENCES = {
    "look": mark("Theme"),
    "language": mark("Language"),
    "zoom": mark("Zoom"),
    "sizes": mark("Size units"),
    "device": mark("Default device"),
    "restore": mark("Restore session at startup"),
    "show_library": mark("Report library"),
    "remove": mark("Downloaded models"),
    "forget": mark("Recent files"),
}
_SIZES = (
    (preferences.BINARY, mark("KiB, MiB, GiB (1,024 bytes)")),
    (preferences.DECIMAL, mark("kB, MB, GB (1,000 bytes)")),
)


class PreferencesDialog(QDialog):
    """Shows the settings of all windows; `restore_chosen` tells of the session at startup."""

    restore_chosen = Signal(bool)

    def __init__(self, theme: Theme, workspace: Workspace, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Preferences"))
        self._settings, self._workspace = workspace.settings, workspace
        self._jobs = TaskRunner(self)
        settings = workspace.settings

        def dress(choice: str) -> None:
            theme.choose(choice)
            settings.setValue("theme", choice)  # other windows, and a crash, find it, too

        self.look = _choice(tr("Theme"), _THEMES, theme.choice, dress)
        stored = preferences.text(settings, preferences.LANGUAGE)
        self.language = self._stored(tr("Language"), preferences.LANGUAGE, _languages(), stored)
        zooms = [(str(each), f"{each}%") for each in preferences.ZOOMS]
        zoom = str(preferences.zoom(settings))
        self.zoom = self._stored(tr("Zoom"), preferences.ZOOM, zooms, zoom)
        sizes = preferences.text(settings, preferences.SIZES, preferences.BINARY)
        self.sizes = self._stored(tr("Size units"), preferences.SIZES, _SIZES, sizes)
        text = tr(
            "Changes to the language, zoom and size units take effect after you restart "
            "Inspector."
        )
        self.later = label(text, "secondary")
        device = preferences.text(settings, preferences.DEVICE, preferences.CPU)
        devices = _devices(workspace, device)
        self.device = self._stored(tr("Default device"), preferences.DEVICE, devices, device)
        self.restore = QCheckBox(tr("Restore session at startup"))
        self.restore.setChecked(settings.value(RESTORE_KEY, True, type=bool) is True)
        self.restore.toggled.connect(self.restore_chosen)
        self.forget = button(theme, tr("Clear recent files"))
        self.remove = button(theme, tr("Remove downloads"))
        self.remove.setEnabled(False)
        self.downloads, self.recent = label("", "secondary"), label("", "secondary")
        self.show_library = button(theme, tr("Show folder"))
        close = button(theme, tr("Close"), primary=True)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, BESIDE_BAR, 0)
        column.setSpacing(10)
        fields = (
            (tr("Theme"), self.look),
            (tr("Language"), self.language),
            (tr("Zoom"), self.zoom),
            (tr("Size units"), self.sizes),
        )
        _add(column, tr("Appearance"), *fields)
        column.insertWidget(column.count() - 1, self.later)
        kept = self.later.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # nothing below moves when a choice is made
        self.later.setSizePolicy(kept)
        self.later.hide()
        words = tr("This device will be selected for models that you open from now on.")
        _add(column, tr("Measuring"), (tr("Default device"), self.device), note=words)
        _add(column, tr("Startup"), ("", self.restore))
        folder = Elided(str(library_folder()), "secondary")
        _add(
            column,
            tr("Privacy"),
            (tr("Report library"), _line(folder, self.show_library)),
            (tr("Downloaded models"), _line(self.downloads, self.remove)),
            (tr("Recent files"), _line(self.recent, self.forget)),
            note=tr(
                "Inspector sends nothing by itself. It uses the network only at your request: "
                "to download a model whose URL you open (it asks first), to install a "
                "runtime, and to run models on machines that you added. Those receive the "
                "models: your own machines, a lab, or a service such as Qualcomm AI Hub."
            ),
        )
        scroll = FittedScroll(page, _AROUND)
        scroll.setAccessibleName(tr("Preferences"))
        column_of(
            scroll, row(None, close), on=self, spacing=16, margins=(_MARGIN, 20, _MARGIN, 20)
        )
        self.resize(self.sizeHint())  # Qt would stop at two thirds of the screen
        self.forget.clicked.connect(self._forget_recent)
        self.remove.clicked.connect(self._remove_downloads)
        self.show_library.clicked.connect(_show_library)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        self._count_downloads()
        self._count_recent()

    def focus_on(self, name: str) -> None:
        """Give the keys to one of `PREFERENCES`; to none for ""."""
        if name:
            getattr(self, name).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _stored(
        self, name: str, key: str, values: Sequence[tuple[str, str]], chosen: str
    ) -> ChoiceField:
        """Return a field whose value is kept as a setting."""

        def keep(value: str) -> None:
            self._settings.setValue(key, value)
            if key != preferences.DEVICE:
                self.later.show()

        return _choice(name, values, chosen, keep)

    def _forget_recent(self) -> None:
        self._workspace.forget_recent()
        self._count_recent()

    def _count_recent(self) -> None:
        count = len(self._workspace.recent)
        self.recent.setText(plural(count, "file") if count else tr("none"))
        self.forget.setEnabled(bool(count))

    def _count_downloads(self) -> None:
        def show(size_bytes: int) -> None:
            self.downloads.setText(units.size(size_bytes) if size_bytes else tr("none"))
            self.remove.setEnabled(bool(size_bytes))

        self._jobs.start(
            lambda: remote.downloaded_bytes(remote.default_folder()), show, self._fail
        )

    def _remove_downloads(self) -> None:
        self.remove.setEnabled(False)

        def done(_: object) -> None:
            self._count_downloads()

        self._jobs.start(
            lambda: remote.remove_downloads(remote.default_folder()), done, self._fail
        )

    def _fail(self, error: InspectorError) -> None:
        self.downloads.setText(f"{error.what}: {error.why}")


def _choice(
    name: str, values: Sequence[tuple[str, str]], chosen: str, act: Callable[[str], None]
) -> ChoiceField:
    field = ChoiceField(name, [value for value, _ in values], [text for _, text in values])
    field.setFixedWidth(_FIELD_PX)
    field.show_value(chosen)
    if field.currentIndex() < 0:
        field.setCurrentIndex(0)
    field.activated.connect(lambda _: act(field.value))
    return field


def _languages() -> list[tuple[str, str]]:
    """Return the languages that there are, each by its own name."""
    known = {code: QLocale(code).nativeLanguageName().capitalize() for code in languages()}
    return [("", tr("Follow system")), ("en", "English"), *known.items()]


def _devices(workspace: Workspace, chosen: str) -> list[tuple[str, str]]:
    """Return the devices that work here, and the chosen one where it is not there now."""
    usable = [device for device in workspace.devices if not device.problem]
    listed = [(each.id, f"{units.device(each.id)} — {each.name}") for each in usable]
    if not any(id_ == preferences.CPU for id_, _ in listed):
        listed.insert(0, (preferences.CPU, tr("CPU")))
    if not any(id_ == chosen for id_, _ in listed):
        listed.append((chosen, tr("{device} (not available)").format(device=chosen)))
    return listed


def _add(column: QVBoxLayout, title: str, *fields: tuple[str, QWidget], note: str = "") -> None:
    """Add a heading, fields with their names, and a sentence about them."""
    column.addWidget(label(title, "heading"))
    for name, field in fields:
        if not name:
            column.addWidget(field)
            continue
        text = label(name, "secondary")
        text.setFixedWidth(_NAMES_PX)
        is_choice = isinstance(field, ChoiceField)
        column.addLayout(row(text, field, *([None] if is_choice else []), spacing=PADDING))
    if note:
        line = label(note, "secondary")
        line.setWordWrap(True)
        line.setFixedWidth(_TEXT_PX)
        column.addWidget(line)
    column.addSpacing(12)


def _line(first: QWidget, control: QWidget) -> QWidget:
    widget = QWidget()
    widget.setLayout(row(first, control, stretch=0))
    return widget


def _show_library() -> None:
    folder = library_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
