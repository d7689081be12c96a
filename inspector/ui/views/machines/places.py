"""The machines that can be chosen in the window of models on machines, with their devices."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from inspector.backends.machine import load_average, processor_name
from inspector.errors import InspectorError
from inspector.remote import machine_kinds, machines
from inspector.remote.machines import HERE, Look, Saved
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.views.machines.words import Dot, facts, load_text, state
from inspector.ui.widgets.parts import SEPARATOR, Elided, column_of, follow, label, row, tip
from inspector.ui.widgets.theme import Theme

_DEFAULT = RunSpec().devices[0]


class Place(Struct, frozen=True):
    """A machine, and one of its devices. machine: None for this machine.

    text: as `--on` takes it. device: its id. kind: "cpu", "gpu" or "npu". main: whether it is
    the device that the machine uses if no other is named.
    """

    text: str
    machine: Saved | None
    device: str = _DEFAULT
    kind: str = "cpu"
    main: bool = True

    @property
    def name(self) -> str:
        """Return what people call the machine."""
        return tr("This machine") if self.machine is None else self.machine.name

    @property
    def title(self) -> str:
        """Return the machine, and the device if it is not the main one."""
        return self.name if self.main else f"{self.name}, {units.device(self.device)}"


def places(own: Sequence[Device], lab: Sequence[Saved] = ()) -> tuple[Place, ...]:
    """Return this machine, the user's machines and those of the lab, with their devices.

    own: devices of this machine. Raises UnreadableFile: the list of machines is damaged.
    """
    found = [Place(HERE, None), *_others(HERE, None, own)]
    for machine in machines.saved():
        found.append(Place(machine.name, machine))
        found += _others(machine.name, machine, machine.devices)
    return (*found, *(Place(machine.name, machine) for machine in lab))


def _others(text: str, machine: Saved | None, devices: Sequence[Device]) -> list[Place]:
    """Return the devices of a machine besides the main one."""
    usable = (each for each in devices if not each.problem and each.id != _DEFAULT)
    return [Place(f"{text}:{e.id}", machine, e.id, e.kind, main=False) for e in usable]


def in_a_lab() -> bool:
    """Return whether this user is a member of a lab."""
    return any(pool.joined() for _, pool in machine_kinds.pools())


def lab_machines() -> list[Look]:
    """Ask the hub which machines the lab has. Raises EngineDied: it does not answer."""
    looks = []
    for _, pool in machine_kinds.pools():
        for machine, connected in pool.machines() if pool.joined() else ():
            gone = InspectorError("", tr("it is not connected to the hub"))
            looks.append(Look(machine, None if connected else gone))
    return looks


def name_style(theme: Theme, weight: int = 600) -> str:
    """Return the style of a box that can be read while nothing can be chosen."""
    faint = theme.palette.secondary
    return f"QCheckBox {{ font-weight: {weight}; }} QCheckBox:disabled {{ color: {faint}; }}"


def _facts(machine: Saved) -> str:
    """Return what tells machines apart: 'Cortex-A76 · 4 cores · onnxruntime 1.32.0'."""
    system, *rest = facts(machine).split(SEPARATOR)
    return SEPARATOR.join(rest) if rest else system


class PlaceRow(QWidget):
    """A machine to choose: its name and load, what it is, and what it does now."""

    toggled = Signal()

    def __init__(self, theme: Theme, place: Place) -> None:
        super().__init__()
        self.place = place
        self.look: Look | None = None
        self.box = QCheckBox(units.clip(place.title, 40).replace("&", "&&"))
        follow(theme, self.box, lambda: self.box.setStyleSheet(name_style(theme)))
        self.load = label("", "caption")
        self.facts = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.state = Elided("", "", Qt.TextElideMode.ElideRight)
        self.state.setStyleSheet("font-size: 12px;")
        self._dot = Dot(theme)
        column = column_of(
            row(self.box, None, self.load), on=self, spacing=2, margins=(0, 8, 0, 8)
        )
        below = column_of(self.facts, spacing=2, margins=(20, 0, 0, 0))
        self._line = QWidget()
        self._line.setLayout(row(self._dot, self.state, stretch=1))
        below.addWidget(self._line)
        column.addLayout(below)
        self.box.toggled.connect(self.toggled)
        self._describe()

    def show_look(self, look: Look | None) -> None:
        """Show what came of asking the machine."""
        self.look = look
        self._describe()

    def show_state(self, text: str, role: str) -> None:
        """Show what the machine does now."""
        self.state.set_text(text)
        self.state.setToolTip(tip(text))
        self._dot.show_role(role)
        self._line.setVisible(bool(text))
        self.box.setAccessibleDescription(f"{self.facts.text()}. {text}")

    def show_idle(self) -> None:
        """Show what the machine did when it was asked last."""
        place = self.place
        if place.machine is None:
            self.show_state(*((tr("Idle"), "good") if place.main else ("", "good")))
        elif place.main:
            self.show_state(
                *state(self.look, self.look.machine if self.look else place.machine)
            )
        else:
            self.show_state("", "good")

    def _describe(self) -> None:
        place = self.place
        known = self.look.machine if self.look is not None else place.machine
        if not place.main:
            name = tr("this machine") if place.machine is None else place.name
            text = tr("Another device on {name}").format(name=name)
        elif known is None:
            text = processor_name()
            self.load.setText(
                tr("load {load}").format(load=units.number(load_average(), ".1f"))
            )
        else:
            text = _facts(known)
            answered = self.look is not None and self.look.problem is None
            self.load.setText(load_text(known) if answered else "")
        self.facts.set_text(text)
        self.box.setToolTip(tip(facts(known) if known is not None else text))
        self.show_idle()
