"""Fields for settings, drawn from their descriptions in `report/run_spec.py`.

A new setting appears here without a change of the window. Each change goes into `document.spec`
at once.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QToolTip,
    QWidget,
)

from inspector.analysis.devices import support_tables
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.errors import InspectorError
from inspector.report.run_spec import ProviderOption, RunSpec
from inspector.report.settings import Role, Setting, SettingKind
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.file_dialogs import choose_operators
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.parts import explain_entries, follow, tip
from inspector.ui.widgets.table_card import name_buttons
from inspector.ui.widgets.theme import Theme
from inspector.units import clip

_MAX_COMPLETIONS = 5_000  # names of layers; more slow each key down
_MAX_THREADS_PER_CORE = 4  # more only wait for each other
_MAX_NAMED_DEVICES = 2  # in the text of a button
_BOX_PX = 30  # height of a checkbox: as high as the other fields, so that it stands in line


class SettingFields:
    """The fields of settings by name; switches of a session share one menu."""

    def __init__(
        self, document: Document, settings: Iterable[Setting], theme: Theme | None = None
    ) -> None:
        self._document = document
        switches: list[Setting] = []
        self._settings: list[Setting] = []
        for each in settings:
            (switches if _is_of_session(each) else self._settings).append(each)
        self.fields = {each.name: _field(each, document) for each in self._settings}
        self.switches = SwitchesField(document, switches)
        if theme is not None:
            for field in self.fields.values():
                if isinstance(field, PathsField):
                    field.offer_files(theme)
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def disconnect_document(self) -> None:
        """Follow the document no longer."""
        self._document.changed(Topic.SPEC).disconnect(self.show_spec)

    def __getitem__(self, name: str) -> Any:  # its class depends on the setting's kind
        return self.fields[name]

    def common(self) -> Iterator[tuple[Setting, QWidget]]:
        """Yield the settings that are always shown."""
        return ((each, self.fields[each.name]) for each in self._settings if each.common)

    def rare(self) -> Iterator[tuple[Setting, QWidget]]:
        """Yield the settings that are shown on request."""
        return ((each, self.fields[each.name]) for each in self._settings if not each.common)

    def show_spec(self) -> None:
        """Show the values of the spec without changing it."""
        for name, field in self.fields.items():
            value = getattr(self._document.spec, name)
            if isinstance(field, OfferedNumberField):
                field.show_number(value)
            elif isinstance(field, ChoiceField):
                field.show_value(value)
            elif isinstance(field, NumberField):
                with QSignalBlocker(field):
                    field.setValue(value)
            elif isinstance(field, QCheckBox):
                field.setChecked(value)


def _is_of_session(setting: Setting) -> bool:
    """Return whether a setting is a switch in the menu of the session."""
    of_session = setting.role is Role.RUN or setting.for_devices
    return setting.kind is SettingKind.SWITCH and of_session


def _field(setting: Setting, document: Document) -> QWidget:
    """Return a field that shows and changes one setting."""

    def change(value: Any) -> None:
        document.set_spec(**{setting.name: value})

    title, about = tr(setting.title), tip(tr(setting.about))
    match setting.kind:
        case SettingKind.OPTIONS:
            return OptionsField(document, setting, tr("key=value; …"))
        case SettingKind.NAMES:
            return LayersField(document, setting)
        case SettingKind.PATHS:
            return PathsField(document, setting, tr("paths, separated by semicolons"))
        case SettingKind.COUNTS:
            usual = setting.usual if setting.usual.isdecimal() else tr("none")
            return CountsField(document, setting, usual)
        case SettingKind.DEVICES:
            return SupportEstimateField(document, setting)
        case SettingKind.SWITCH:
            box = QCheckBox(title)
            box.setFixedHeight(_BOX_PX)
            box.setAccessibleName(title)
            box.setToolTip(about)
            box.clicked.connect(change)
            return box
        case SettingKind.COUNT:
            most = int(setting.most)
            if setting.runtimes or not most:  # threads, or what has some
                most = _MAX_THREADS_PER_CORE * (os.cpu_count() or 1)
            count = NumberField(title, most, tr(setting.zero))
            count.setMinimum(setting.least)
            count.setToolTip(about)
            count.valueChanged.connect(change)
            return count
        case SettingKind.SECONDS | SettingKind.SHARE:
            numbers = OfferedNumberField(setting)
            numbers.setToolTip(about)
            numbers.activated.connect(lambda: change(float(numbers.value)))
            return numbers
        case _:
            choice = ChoiceField(title, setting.choices, setting.titles or setting.choices)
            choice.setToolTip(about)
            choice.activated.connect(lambda: change(choice.value))
            return choice


class OfferedNumberField(ChoiceField):
    """A few numbers to choose from; another one that a spec has is added."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        offered = [f"{number:g}" for number in setting.offered]
        super().__init__(tr(setting.title), offered, list(map(self._text, setting.offered)))

    def show_number(self, number: float) -> None:
        """Choose a number."""
        if self.findData(f"{number:g}") < 0:
            self.addItem(self._text(number), f"{number:g}")
        self.show_value(f"{number:g}")

    def _text(self, number: float) -> str:
        if number == 0 and self._setting.zero:
            return tr(self._setting.zero)
        return (
            f"±{100 * number:g}%"
            if self._setting.kind is SettingKind.SHARE
            else f"{number:g} s"
        )


class SupportEstimateField(QPushButton):
    """A button with a menu of devices to tick; what is ticked goes into the spec at once."""

    def __init__(self, document: Document, setting: Setting) -> None:
        super().__init__()
        self._document, self._setting = document, setting
        self.setProperty("role", "choice")
        self.actions_by_id: dict[str, QAction] = {}
        self._menu = QMenu(self)
        explain_entries(self._menu)
        self.setMenu(self._menu)
        self._below = self._menu.addSeparator()
        self.add = self._menu.addAction(tr("Add rules of your own device…"))
        self.add.setToolTip(tip(tr("A JSON file that says which operators the device takes")))
        self.add.triggered.connect(self._add)
        self._fill()
        self.setAccessibleName(tr(setting.title))
        self.setToolTip(tip(tr(setting.about)))
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def _fill(self) -> None:
        """List the devices that there are tables for, each once."""
        for device in map(absent_devices.device, absent_devices.known()):
            if device.id in self.actions_by_id:
                continue
            action = QAction(device.name, self._menu)
            self._menu.insertAction(self._below, action)
            action.setCheckable(True)
            assumed = tr("Assumes {assumes}").format(
                assumes=absent_devices.table(device.id).assumes
            )
            action.setToolTip(
                tip(
                    tr("{provider} · estimated from a {source}. {assumed}").format(
                        provider=device.provider, source=device.source, assumed=assumed
                    )
                )
            )
            action.toggled.connect(self._choose)
            self.actions_by_id[device.id] = action

    def _add(self) -> None:
        """Let the user choose a file with rules, and choose its devices."""
        path = file_dialogs.ask_file(
            self, tr("Add rules of your own device"), tr("JSON (*.json)")
        )
        if not path:
            return
        try:
            devices = support_tables.add_own(path)
        except InspectorError as error:
            QMessageBox.warning(self, tr("Add rules of your own device"), str(error))
            return
        self._fill()
        chosen = getattr(self._document.spec, self._setting.name)
        known = (device for device in devices if device in self.actions_by_id)
        self._document.set_spec(**{self._setting.name: tuple(dict.fromkeys((*chosen, *known)))})
        self.show_spec()

    def show_spec(self) -> None:
        """Show the devices of the spec, without emitting changes."""
        chosen = getattr(self._document.spec, self._setting.name)
        for device, action in self.actions_by_id.items():
            with QSignalBlocker(action):
                action.setChecked(device in chosen)
        names = [units.device(device) for device in chosen]
        summary = (
            ", ".join(names)
            if len(names) <= _MAX_NAMED_DEVICES
            else tr("{count} devices").format(count=len(names))
        )
        # The style sets words that are aligned to the left on the very edge.
        self.setText(f"  {units.clip(summary, 40) or tr('None')}")

    def _choose(self) -> None:
        ticked = (device for device, action in self.actions_by_id.items() if action.isChecked())
        self._document.set_spec(**{self._setting.name: tuple(ticked)})


class SwitchesField(QPushButton):
    """A button with a menu of switches."""

    def __init__(self, document: Document, settings: Iterable[Setting]) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.switches: dict[str, QAction] = {}
        menu = QMenu(self)
        for setting in settings:
            action = menu.addAction(tr(setting.title))
            action.setCheckable(True)
            action.setToolTip(tip(tr(setting.about)))
            action.toggled.connect(self._choose)
            self.switches[setting.name] = action
        explain_entries(menu)
        self.setMenu(menu)
        self.setAccessibleName(tr("Session options"))
        self.setToolTip(tip(", ".join(action.text() for action in self.switches.values())))
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Show which switches of the spec are on, and whether one differs from its default."""
        spec, defaults = self._document.spec, RunSpec()
        for name, action in self.switches.items():
            with QSignalBlocker(action):
                action.setChecked(getattr(spec, name))
        changed = any(getattr(spec, name) != getattr(defaults, name) for name in self.switches)
        # The style sets text that is aligned to the left on the very edge.
        self.setText("  " + (tr("Changed") if changed else tr("Default")))

    def _choose(self) -> None:
        self._document.set_spec(
            **{name: action.isChecked() for name, action in self.switches.items()}
        )


class _LineField(QLineEdit):
    """A setting that is written as a line of text, with entries separated by semicolons."""

    def __init__(self, document: Document, setting: Setting, placeholder: str) -> None:
        super().__init__()
        self._document, self._setting = document, setting
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(tr(setting.title))
        self.editingFinished.connect(self._choose)
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Show the value of the spec, unless the text means the same already."""
        setting, spec = self._setting, self._document.spec
        # OpenVINO's CPU takes options, too.
        options = setting.kind is SettingKind.OPTIONS
        without = {*spec.devices} <= {"cpu"} if options else spec.only_cpu
        enabled = not setting.for_devices or not without
        self.setEnabled(enabled)
        self.setToolTip(tip(tr(setting.about if enabled else setting.off_hint)))
        value = getattr(spec, setting.name)
        try:
            same = self.parse(self.text()) == value
        except ValueError:
            same = False
        if not same:
            self.setText(self.format(value))
        self.setAccessibleDescription("")
        self._mark(wrong=False)

    def _choose(self) -> None:
        try:
            value = self.parse(self.text())
        except ValueError as error:
            self.setToolTip(tip(str(error)))
            self.setAccessibleDescription(str(error))
            self._mark(wrong=True)
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tip(str(error)), self)
            return
        self._mark(wrong=False)
        if value != getattr(self._document.spec, self._setting.name):
            self._document.set_spec(**{self._setting.name: value})

    def _mark(self, wrong: bool) -> None:
        """Show by its border whether the text is refused."""
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            self.style().unpolish(self)
            self.style().polish(self)

    def parse(self, text: str) -> tuple[Any, ...]:
        """Read the line. Raises ValueError, with a message for the user."""
        return tuple(dict.fromkeys(_entries(text)))

    def format(self, value: tuple[Any, ...]) -> str:
        """Write the value as a line."""
        return "; ".join(map(str, value))


def _entries(text: str) -> Iterator[str]:
    return filter(None, (piece.strip() for piece in text.split(";")))


class LayersField(_LineField):
    """Names, numbers or patterns of layers; completes the names of the model."""

    def __init__(self, document: Document, setting: Setting) -> None:
        super().__init__(document, setting, tr("layer names, separated by semicolons"))
        document.changed(Topic.MODEL).connect(self._offer)
        self._offer()

    def _offer(self) -> None:
        """Complete names of layers while one is typed."""
        model = self._document.model
        names = [layer.label for layer in model.layers[:_MAX_COMPLETIONS]] if model else []
        completer = QCompleter([clip(name, 200) for name in names], self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)


class PathsField(_LineField):
    """Paths of libraries; from the home folder where they begin with ~."""

    def offer_files(self, theme: Theme) -> None:
        """Put a button into the field that lets the user choose files."""
        choose = QAction(tr("Choose library…"), self)
        choose.setToolTip(tip(tr("Choose a library with custom operators")))
        choose.triggered.connect(lambda: choose_operators(self._document, self))
        self.addAction(choose, QLineEdit.ActionPosition.TrailingPosition)
        name_buttons(self)
        follow(theme, self, lambda: choose.setIcon(theme.icon("open", "secondary")))

    def parse(self, text: str) -> tuple[str, ...]:
        """Read "/a/one.so; /b/two.so"."""
        paths = (Path(each).expanduser().absolute() for each in _entries(text))
        return tuple(dict.fromkeys(map(str, paths)))


class CountsField(_LineField):
    """Whole numbers within the bounds of the setting; the tooltip says what is wrong."""

    def parse(self, text: str) -> tuple[int, ...]:
        """Read "128, 512". Raises ValueError: no numbers, or out of bounds."""
        low, high = self._setting.least, int(self._setting.most)
        numbers = []
        for piece in text.replace(";", ",").replace(",", " ").split():
            if not piece.isdecimal() or not low <= int(piece) <= high:
                raise ValueError(
                    tr("'{piece}' is not a whole number from {low} to {high}").format(
                        piece=clip(piece, 30), low=units.number(low), high=units.number(high)
                    )
                )
            numbers.append(int(piece))
        return tuple(dict.fromkeys(numbers))

    def format(self, value: tuple[int, ...]) -> str:
        """Write numbers as a line."""
        return ", ".join(map(str, value))


class OptionsField(_LineField):
    """Options as key=value; the tooltip says what is wrong with them."""

    def parse(self, text: str) -> tuple[ProviderOption, ...]:
        """Read "key=value; key=value", the last of a key counts. Raises ValueError: no pair."""
        options = {}
        for part in _entries(text):
            key, sign, value = part.partition("=")
            if not key.strip() or not sign:
                raise ValueError(
                    tr("'{part}' is not of the form key=value").format(part=clip(part, 60))
                )
            options[key.strip()] = value.strip()
        return tuple(ProviderOption.here(key, value) for key, value in options.items())

    def format(self, value: tuple[ProviderOption, ...]) -> str:
        """Write options as a line."""
        return "; ".join(f"{each.key}={each.value}" for each in value)
