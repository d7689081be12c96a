"""The plan of a sweep: axes and values to choose, and the buttons that start it."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QWidget

from inspector.analysis.measured.sweep_labels import axis_label, value_label
from inspector.app import runner
from inspector.errors import InspectorError
from inspector.formats.model_formats import file_patterns
from inspector.model.axes import free_axes
from inspector.remote import machine_kinds, machines
from inspector.remote.machines import HERE
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from inspector.report.settings import Setting, SettingKind
from inspector.report.sweep import (
    BUSY_CORES,
    DEVICE,
    DIMENSION_PREFIX,
    MACHINE,
    Axis,
    Value,
    count_cells,
)
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.documents.sweeping import CONFIRM
from inspector.ui.tabs.sweep.search_dialog import SearchDialog
from inspector.ui.translate import mark, plural, tr, tr_message
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Card, Elided, button, column_of, grid_of, label, row, tip
from inspector.ui.widgets.theme import Theme

_COLUMN = 250  # px, least width of an axis
_ACROSS = 20  # px between axes
_DOWN = 12  # px between lines of axes
_LENGTHS = (1, 2, 4, 8, 16)
_MOST_FREE = 3
_RUNNING = mark("Cannot be changed while a sweep runs")
_ALONE = mark("Requires the parallel execution mode")


class Chips(QWidget):
    """One axis: its name over its values. At least one is always pressed.

    name: the axis. text: its title.
    """

    changed = Signal()

    def __init__(
        self, name: str, text: str, values: Sequence[Value], pressed: Sequence[Value]
    ) -> None:
        super().__init__()
        self.name = name
        self.values = tuple(values)
        self.buttons = tuple(self._button(text, value) for value in values)
        self.caption = label(text, "caption")
        flow = Flow(6, 6)
        column_of(self.caption, flow, None, on=self, spacing=5)
        for value, made in zip(self.values, self.buttons, strict=True):
            made.setChecked(value in pressed)
            made.clicked.connect(lambda _, one=made: self._press(one))
            flow.addWidget(made)

    @property
    def chosen(self) -> tuple[Value, ...]:
        """The values that are pressed, in their order."""
        pairs = zip(self.values, self.buttons, strict=True)
        return tuple(value for value, made in pairs if made.isChecked())

    def resizeEvent(self, event: object) -> None:
        """All lines of values stay whole, however little room a page has."""
        layout = self.layout()
        assert layout is not None, "it was laid out when it was made"
        self.setMinimumHeight(layout.heightForWidth(self.width()))

    def lock(self, why: str) -> None:
        """Show what is pressed, and let nothing be pressed, for a reason; "": let it."""
        for made in self.buttons:
            made.setEnabled(not why)
            made.setToolTip(tip(why))

    def _button(self, message: str, value: Value) -> QPushButton:
        text = tr_message(value_label(self.name, value))
        made = QPushButton(text)
        made.setCheckable(True)
        made.setProperty("role", "chip")
        made.setAccessibleName(f"{message}: {text}")
        return made

    def _press(self, pressed: QPushButton) -> None:
        if not self.chosen:
            pressed.setChecked(True)
        self.changed.emit()


class ModelChips(QWidget):
    """Follows which files a document sweeps."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._document = document
        self._shown: tuple[Path, ...] | None = None
        self._flow = Flow(6, 6, self)
        self.count = label("", "caption")
        self.count.setFixedHeight(26)
        self.chips: tuple[QPushButton, ...] = ()
        self.add = button(theme, tr("Add models…"), "plus", role="link", then=self._choose)
        self._flow.addWidget(self.count)
        self._flow.addWidget(self.add)
        self.follow()

    def follow(self) -> None:
        """Show the files as they are now."""
        paths = self._document.sweeping.paths
        if paths == self._shown:
            return
        self._shown = paths
        self.count.setText(plural(len(paths), "model"))
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = tuple(self._chip(path) for path in paths)
        self._flow.removeWidget(self.add)
        for widget in (*self.chips, self.add):
            self._flow.addWidget(widget)
            widget.show()
        self.updateGeometry()

    def lock(self, locked: bool) -> None:
        """Disable adding and removing while a sweep runs."""
        self.add.setEnabled(not locked)
        for chip in self.chips:
            chip.setEnabled(not locked)

    def _chip(self, path: Path) -> QPushButton:
        own, name = path == self._document.path, units.clip(path.name, 40)
        chip = QPushButton(name + ("" if own else "  ×"))
        chip.setProperty("role", "chip")
        chip.setCheckable(True)
        chip.setChecked(True)
        text = tr("is included") if own else tr("is included; click to remove it")
        chip.setAccessibleName(f"{name} {text}")
        chip.setToolTip(tip(f"{path.name} {text}"))
        chip.clicked.connect(lambda: self._drop(chip, path))
        return chip

    def _drop(self, chip: QPushButton, path: Path) -> None:
        chip.setChecked(True)  # the document's own stays
        self._document.sweeping.drop_model(path)

    def _choose(self) -> None:
        kinds = tr("Models ({file_patterns})").format(file_patterns=file_patterns())
        paths = file_dialogs.ask_files(self, tr("Add models to the sweep"), kinds)
        self._document.sweeping.add_models(paths)


def thread_counts() -> tuple[int, ...]:
    """Numbers of threads worth a try on this machine; 0 leaves it to the runtime."""
    cores = os.cpu_count() or 1
    return tuple(sorted({0, 1, 2, *(n for n in (4, 8, 16, 32) if n <= cores), cores}))


class PlanAxes(QWidget):
    """Chips for each setting; `changed` when others are pressed."""

    changed = Signal()

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document, self._locked = theme, document, False
        self.chips: dict[str, Chips] = {}
        self.first, self.more = _Grid(), _Grid()
        self.more.hide()
        self.fold = button(theme, tr("More settings"), role="link")
        self.fold.setCheckable(True)
        self.fold.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.fold.setIconSize(QSize(14, 14))
        self.told = Elided("", "caption", Qt.TextElideMode.ElideRight)
        column_of(
            self.first, row(self.fold, self.told, stretch=1), self.more, on=self, spacing=_DOWN
        )
        self._offer()
        self.fold.toggled.connect(self._unfold)
        theme.changed.connect(self._unfold)
        self._unfold()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Return what is chosen; one value that the document's settings have anyway is no
        axis."""
        return tuple(
            Axis(name, chips.chosen)
            for name, chips in self.chips.items()
            if chips.chosen != (self._own(name),)
            and not (name == "inter_threads" and not self._parallel())
        )

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices that can be used; one alone is nothing to choose."""
        self._offer_machines()
        own = str(_value(self._document.spec, DEVICE))
        ids = [own, *(device.id for device in devices if not device.problem)]
        values = tuple(dict.fromkeys(ids))
        old = self.chips.pop(DEVICE, None)
        if old is not None:
            self.first.drop(old)
            old.deleteLater()
        if len(values) > 1:
            pressed = [v for v in old.chosen if v in values] if old is not None else [own]
            self._add(self.first, DEVICE, values, tuple(pressed) or (own,))
        self._tell()

    def follow_runtime(self) -> None:
        """Offer the settings of the runtime of the chosen device."""
        if self._document.runtime.id == self._runtime:
            return
        for name, chips in list(self.chips.items()):
            if name not in (DEVICE, MACHINE):
                self.chips.pop(name)
                (self.more if chips.parent() is self.more else self.first).drop(chips)
                chips.deleteLater()
        self._offer()

    def lock(self, locked: bool) -> None:
        """Show the chips as they are, for as long as a sweep runs with them."""
        self._locked = locked
        for name, chips in self.chips.items():
            idle = name == "inter_threads" and not self._parallel()
            chips.lock(tr(_RUNNING) if locked else tr(_ALONE) if idle else "")

    def _own(self, name: str) -> Value:
        """Return what a sweep has on an axis that it does not go over."""
        if name != MACHINE:
            return _value(self._document.spec, name)
        place = self._document.place
        return HERE if place is None else place.text

    def _offer_machines(self) -> None:
        """Offer the machines that the user added; this one alone is nothing to choose."""
        names = [HERE]
        with suppress(InspectorError):  # the menu of devices says what is wrong with the list
            names += [each.name for each in machines.saved()]
        names += [kind.id for kind, pool in machine_kinds.pools() if pool.joined()]
        values = tuple(dict.fromkeys((*names, str(self._own(MACHINE)))))
        old = self.chips.get(MACHINE)
        if len(values) < 2 or (old is not None and old.values == values):
            return
        pressed = [v for v in old.chosen if v in values] if old is not None else []
        if old is not None:
            self.first.drop(self.chips.pop(MACHINE))
            old.deleteLater()
        self._add(self.first, MACHINE, values, tuple(pressed) or (self._own(MACHINE),))

    def _offer(self) -> None:
        self._offer_machines()
        self._runtime, model = self._document.runtime.id, self._document.model
        axes = sorted(
            (each for each in self._document.runtime.settings if each.is_axis),
            key=lambda each: each.kind,  # a choice before the numbers that depend on it
        )
        for setting in reversed(axes):
            if setting.common:
                self._add(self.first, setting.name, _values(setting), setting.tried)
        for name in free_axes(model.inputs)[:_MOST_FREE] if model else ():
            usual = int(_value(self._document.spec, DIMENSION_PREFIX + name))
            lengths = tuple(sorted({*_LENGTHS, usual}))
            self._add(self.first, DIMENSION_PREFIX + name, lengths, (usual,))
        for setting in axes:
            if not setting.common:
                self._add(self.more, setting.name, _values(setting), ())
        self._add(self.more, BUSY_CORES, (0, 1), ())
        self._tell()

    def _add(
        self, grid: "_Grid", name: str, values: tuple[Value, ...], pressed: tuple[Value, ...]
    ) -> None:
        own = self._own(name)
        text = tr(axis_label(name))
        every = (*values, *{own}.difference(values))
        chips = Chips(name, units.capitalized(text), every, pressed or (own,))
        chips.changed.connect(self._tell)
        self.chips[name] = chips
        grid.add(chips)

    def _parallel(self) -> bool:
        modes = self.chips.get("execution_mode")
        return modes is not None and "parallel" in modes.chosen

    def _tell(self) -> None:
        """Show what the fold hides, and tell others."""
        items = []
        for axis in self.axes:
            if self.chips[axis.name].parent() is self.more:
                values = ", ".join(
                    tr_message(value_label(axis.name, value)) for value in axis.values
                )
                items.append(f"{tr(axis_label(axis.name))} {values}")
        unfolded = self.fold.isChecked()
        text = "; ".join(items) or tr("same as in Settings")
        self.told.set_text("" if unfolded else units.capitalized(text))
        self.lock(self._locked)
        self.changed.emit()

    def _unfold(self) -> None:
        unfolded = self.fold.isChecked()
        self.more.setVisible(unfolded)
        self.fold.setText(tr("Fewer settings ") if unfolded else tr("More settings "))
        self.fold.setIcon(self._theme.icon("up" if unfolded else "down", "accent"))
        self._tell()


class _Grid(QWidget):
    """Chips in as many columns as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self._chips: list[Chips] = []
        self._columns = 1
        self._grid = grid_of(_ACROSS, _DOWN, on=self)

    def add(self, chips: Chips) -> None:
        """Put one more at the end."""
        self._chips.append(chips)
        self._arrange()

    def drop(self, chips: Chips) -> None:
        """Take one out."""
        self._chips.remove(chips)
        self._grid.removeWidget(chips)
        chips.hide()
        self._arrange()

    def resizeEvent(self, event: object) -> None:
        """Other columns where there is other room."""
        columns = max(1, (self.width() + _ACROSS) // _COLUMN)
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def _arrange(self) -> None:
        for place, chips in enumerate(self._chips):
            self._grid.addWidget(chips, place // self._columns, place % self._columns)
        for column in range(8):
            self._grid.setColumnStretch(column, int(column < self._columns))


def _values(setting: Setting) -> tuple[Value, ...]:
    """Return the values of a setting that are worth a try."""
    match setting.kind:
        case SettingKind.SWITCH:
            return (True, False)
        case SettingKind.COUNT:
            return thread_counts()
        case _:
            return setting.choices


def _value(spec: RunSpec, name: str) -> Value:
    """Return what a sweep has on an axis that it does not go over; 1 for a length nobody
    set."""
    if name == DEVICE:
        return "+".join(spec.devices)
    if name.startswith(DIMENSION_PREFIX):
        lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
        return lengths.get(name.removeprefix(DIMENSION_PREFIX), 1)
    value: Value = getattr(spec, name)
    return value


class PlanCard(Card):
    """Chooses axes; says how much that is; runs, cancels, resumes and searches."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._theme, self._document = theme, document
        self._devices = tuple[Device, ...]()
        self.choice = PlanAxes(theme, document)
        self.models = ModelChips(theme, document)
        self.rounds = NumberField(tr("Processes per combination"), 50)
        self.runs = NumberField(tr("Runs per process"), 10_000)
        self.at_once = QCheckBox(tr("Throughput"))
        self.summary = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.run = button(theme, tr("Run sweep"), "play", primary=True)
        self.resume = button(theme, tr("Resume"), "play")
        self.cancel = button(theme, tr("Cancel"), "stop")
        self.tune = button(theme, tr("Find best settings…"), "search")
        self._lay_out()
        self._wire()
        self.follow()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Return what is chosen."""
        return self.choice.axes

    @property
    def chips(self) -> dict[str, Chips]:
        """The values of each setting."""
        return self.choice.chips

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self._devices = devices
        self.choice.set_devices(devices)

    def _lay_out(self) -> None:
        self.rounds.setRange(1, 50)
        self.runs.setRange(1, 10_000)
        self.rounds.setValue(2)
        self.runs.setValue(30)
        self.at_once.setToolTip(tip(tr("Also measure 1, 2 and 4 concurrent runs")))
        self.body.setSpacing(12)
        self.body.addLayout(
            row(
                label(tr("Sweep"), "heading"), 4, self.summary, self.tune, self.cancel,
                self.resume, self.run, stretch=2,
            )
        )  # fmt: skip
        self.body.addWidget(self.choice)
        self.body.addWidget(self.models)
        self.body.addLayout(
            row(
                label(tr("Processes"), "caption"), self.rounds, 6,
                label(tr("Runs per process"), "caption"), self.runs, 6, self.at_once, None,
            )
        )  # fmt: skip

    def _wire(self) -> None:
        document, sweeping = self._document, self._document.sweeping
        self.run.clicked.connect(self._start)
        self.resume.clicked.connect(sweeping.resume)
        self.cancel.clicked.connect(document.cancel)
        self.tune.clicked.connect(self.ask_search)
        self.choice.changed.connect(self.follow)
        document.watch(self.follow, Topic.WORK, Topic.SPEC)
        sweeping.changed.connect(self.follow)
        for field in (self.rounds, self.runs):
            field.valueChanged.connect(self.follow)

    def ask_search(self, every_device: bool = False) -> None:
        """Ask what to search for, and search. every_device: on all devices of this machine."""
        dialog = SearchDialog(self._theme, self._document, self._devices, every_device, self)
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.search is not None:
            self._document.sweeping.tune(dialog.search)

    def _start(self) -> None:
        self._document.sweeping.start(
            self.axes, self.rounds.value(), self.runs.value(), self.at_once.isChecked()
        )

    def follow(self) -> None:
        """Show how many combinations that makes, and which buttons there are now."""
        self.choice.follow_runtime()
        sweeping, work = self._document.sweeping, self._document.work
        running, ready = work is Work.SWEEPING, work is None
        cells = count_cells(self.axes, self._document.spec, len(sweeping.paths))
        models = max(1, len(sweeping.paths))
        count = runner.planned(cells, self.rounds.value(), CONFIRM, models)
        text = f"{plural(cells, 'combination')} · {plural(count, 'measurement')}"
        self.summary.set_text(tr("Cannot be changed while the sweep runs") if running else text)
        self.models.follow()
        self._show_buttons(ready, running)
        self.choice.lock(running)
        self.models.lock(not ready)
        for field in (self.rounds, self.runs, self.at_once):
            field.setEnabled(not running)

    def _show_buttons(self, ready: bool, running: bool) -> None:
        left = self._document.sweeping.left
        self.resume.setText(tr("Resume, {left} left").format(left=left))
        self.resume.setVisible(ready and left > 0)
        self.cancel.setVisible(running)
        self.run.setVisible(not running)
        for widget in (self.run, self.tune):
            widget.setEnabled(ready)
