"""Fields for the settings that a backend declares, drawn from their descriptions.

A new `Setting` of a backend appears here without a change of the window. Each change goes into
`document.spec` at once.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCompleter, QLineEdit, QMenu, QPushButton, QWidget

from inspector.backends.base import BackendInfo
from inspector.report.run_spec import SETTINGS, ProviderOption, RunSpec
from inspector.report.settings import Setting, SettingKind
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.file_dialogs import choose_operators
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.parts import follow, tip
from inspector.ui.widgets.table_card import name_buttons
from inspector.ui.widgets.theme import Theme
from inspector.units import clip

_MAX_COMPLETIONS = 5_000  # more names slow each key down
_MAX_THREADS_PER_CORE = 4


class BackendFields:
    """The fields of a backend's settings by `Setting.name`; switches share one menu."""

    def __init__(
        self, document: Document, backend: BackendInfo, theme: Theme | None = None
    ) -> None:
        self._document = document
        self._settings = [
            each for each in backend.settings if each.kind is not SettingKind.SWITCH
        ]
        self.fields = {each.name: _field(each, document) for each in self._settings}
        self.switches = SwitchesField(
            document, [each for each in backend.settings if each.kind is SettingKind.SWITCH]
        )
        if theme is not None:
            for field in self.fields.values():
                if isinstance(field, PathsField):
                    field.offer_files(theme)
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def disconnect_document(self) -> None:
        """Follow the document no longer."""
        self._document.changed(Topic.SPEC).disconnect(self.show_spec)

    def __getitem__(self, field: str) -> Any:  # its class depends on the setting's kind
        return self.fields[field]

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
            if isinstance(field, ChoiceField):
                field.show_value(value)
            elif isinstance(field, NumberField):
                field.blockSignals(True)
                field.setValue(value)
                field.blockSignals(False)


def _field(setting: Setting, document: Document) -> QWidget:
    """Return a field that shows and changes one setting."""
    if setting.kind is SettingKind.OPTIONS:
        return OptionsField(document, setting)
    if setting.kind is SettingKind.NAMES:
        return LayersField(document, setting)
    if setting.kind is SettingKind.PATHS:
        return PathsField(document, setting, tr("paths, separated by semicolons"))
    if setting.kind is SettingKind.CHOICE:
        choice = ChoiceField(
            tr(setting.title), setting.choices, setting.titles or setting.choices
        )
        choice.setToolTip(tip(tr(setting.about)))
        choice.activated.connect(lambda: document.set_spec(**{setting.name: choice.value}))
        return choice
    count = NumberField(
        tr(setting.title), _MAX_THREADS_PER_CORE * (os.cpu_count() or 1), tr(setting.zero)
    )
    count.setToolTip(tip(tr(setting.about)))
    count.valueChanged.connect(lambda number: document.set_spec(**{setting.name: number}))
    return count


class SwitchesField(QPushButton):
    """A button with a menu of switches. Retrying is Inspector's own, the others a backend's."""

    RETRY = SETTINGS["around_failures"]

    def __init__(self, document: Document, settings: list[Setting]) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.switches: dict[str, QAction] = {}
        menu = QMenu(self)
        for setting in (*settings, self.RETRY):
            action = menu.addAction(tr(setting.title))
            action.setCheckable(True)
            action.setToolTip(tip(tr(setting.about)))
            action.toggled.connect(self._choose)
            self.switches[setting.name] = action
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.setAccessibleName(tr("Session options"))
        self.setToolTip(tip(", ".join(action.text() for action in self.switches.values())))
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Show which switches of the spec are on, and whether one differs from its default."""
        spec, defaults = self._document.spec, RunSpec()
        for name, action in self.switches.items():
            action.blockSignals(True)
            action.setChecked(getattr(spec, name))
            action.blockSignals(False)
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
        enabled = not setting.for_devices or not spec.only_cpu
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

    def _choose(self) -> None:
        try:
            value = self.parse(self.text())
        except ValueError as error:
            self.setToolTip(tip(str(error)))
            self.setAccessibleDescription(str(error))
            return
        if value != getattr(self._document.spec, self._setting.name):
            self._document.set_spec(**{self._setting.name: value})

    @staticmethod
    def parse(text: str) -> tuple[Any, ...]:
        """Read the line. Raises ValueError, with a message for the user."""
        raise NotImplementedError

    @staticmethod
    def format(value: tuple[Any, ...]) -> str:
        """Write the value as a line."""
        raise NotImplementedError


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

    @staticmethod
    def parse(text: str) -> tuple[str, ...]:
        """Read "conv1; 7; /head/*"."""
        return tuple(dict.fromkeys(filter(None, (piece.strip() for piece in text.split(";")))))

    @staticmethod
    def format(value: tuple[str, ...]) -> str:
        """Write layers as a line."""
        return "; ".join(value)


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

    @staticmethod
    def parse(text: str) -> tuple[str, ...]:
        """Read "/a/one.so; /b/two.so"."""
        pieces = filter(None, (piece.strip() for piece in text.split(";")))
        return tuple(
            dict.fromkeys(str(Path(piece).expanduser().absolute()) for piece in pieces)
        )

    @staticmethod
    def format(value: tuple[str, ...]) -> str:
        """Write paths as a line."""
        return "; ".join(value)


class OptionsField(_LineField):
    """Options as key=value; the tooltip says what is wrong with them."""

    def __init__(self, document: Document, setting: Setting) -> None:
        super().__init__(document, setting, tr("key=value; …"))

    @staticmethod
    def parse(text: str) -> tuple[ProviderOption, ...]:
        """Read "key=value; key=value", the last of a key counts. Raises ValueError: no pair."""
        options = {}
        for part in filter(None, (piece.strip() for piece in text.split(";"))):
            key, sign, value = part.partition("=")
            if not key.strip() or not sign:
                raise ValueError(
                    tr("'{part}' is not of the form key=value").format(part=clip(part, 60))
                )
            options[key.strip()] = value.strip()
        return tuple(ProviderOption(key, value) for key, value in options.items())

    @staticmethod
    def format(value: tuple[ProviderOption, ...]) -> str:
        """Write options as a line."""
        return "; ".join(f"{each.key}={each.value}" for each in value)
