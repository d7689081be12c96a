"""The menu of the device button: devices here, other machines, and what can be installed."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QToolTip
from shiboken6 import isValid

from inspector.backends import registry
from inspector.backends.environments import Engine
from inspector.backends.onnxruntime.sessions.installable import absent
from inspector.errors import InspectorError
from inspector.platform.extras import can_install
from inspector.remote import machines
from inspector.remote.machines import Look, Saved, Target
from inspector.ui import commands, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import tr, tr_message
from inspector.ui.views.machines.words import load_text, processor, state
from inspector.ui.widgets.parts import set_available, tip
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs.engine_dialog import ask_to_install


class DeviceMenu(QObject):
    """Fills the menu of a button each time before it opens.

    changed: to be called when machines changed.
    """

    def __init__(
        self,
        theme: Theme,
        workspace: Workspace,
        menu: QMenu,
        button: QPushButton,
        changed: Callable[[], None],
    ) -> None:
        super().__init__(button)
        self._theme, self._workspace = theme, workspace
        self._menu, self._button = menu, button
        self._changed = changed
        self._jobs = TaskRunner(self)

    def fill(self, document: Document) -> None:
        """List what a document can be run on; machines are asked how they are now."""
        self._menu.clear()
        for device in registry.offered(self._workspace.devices, document.path):
            text = f"{units.device(device.id)} — {units.clip(device.name, 60)}"
            action = QAction(text.replace("&", "&&"), self._menu)
            set_available(action, tip(device.problem, device.hint) if device.problem else "")
            action.setCheckable(True)
            here = document.place is None
            action.setChecked(here and device.id == document.spec.devices[0])
            action.triggered.connect(partial(_take_device, document, device.id))
            self._menu.addAction(action)
        if not self._workspace.devices:
            self._menu.addAction(tr("Searching for devices…")).setEnabled(False)
        self._list_machines(document)
        self._list_absent()
        self._menu.addSeparator()
        self._menu.addAction(tr("Check device support…"), commands.runner(self, "support"))

    def _list_absent(self) -> None:
        """Offer to install engines, and the commands that install devices, to copy them."""
        if not self._workspace.devices or not can_install():
            return
        engines = {each.id: each for each in registry.engines()}
        self._menu.addSeparator()
        for engine in engines.values():
            if not engine.version:
                text = tr("Install {name}…").format(name=tr_message(engine.name))
                self._menu.addAction(text, partial(self._install, engine))
        devices = [d for d in absent(self._workspace.devices) if d.id not in engines]
        if not devices:
            return
        self._menu.addSeparator()
        self._menu.addAction(tr("Not installed: click to copy the command")).setEnabled(False)
        for device in devices:
            text = f"{device.name} — {device.hint}"
            action = self._menu.addAction(text.replace("&", "&&"))
            action.setToolTip(tip(device.problem))
            copy = partial(self._copy_command, device.hint)
            action.triggered.connect(lambda _=False, copy=copy: copy())

    def _copy_command(self, command: str) -> None:
        """Copy a command, and say so where it was clicked."""
        QGuiApplication.clipboard().setText(command)
        place = self._button.mapToGlobal(self._button.rect().bottomLeft())
        text = tr("Copied: {command}").format(command=command)
        QToolTip.showText(place, tip(text), self._button)

    def _install(self, engine: Engine) -> None:
        ask_to_install(self._theme, engine, self._workspace.find_devices, self._button.window())

    def _list_machines(self, document: Document) -> None:
        """Offer the other machines as they were seen last, and ask them what they are now."""
        try:
            known = machines.saved()
        except InspectorError:  # the dialog says why
            known = ()
        self._menu.addSeparator()
        if known:
            self._menu.addAction(tr("Other machines")).setEnabled(False)
        actions: dict[str, QAction] = {}
        for machine in known:
            text = f"{machine.name} — {units.clip(processor(machine), 60)}"
            action = self._offer(document, Target(machine), text)
            actions[machine.name] = action
            for device in machine.usable:
                if device.id != "cpu":
                    text = f"{machine.name}, {units.device(device.id)} — {device.name}"
                    self._offer(document, Target(machine, device.id), text)
        text = tr("Other machines…") if known else tr("Add another machine…")
        self._menu.addAction(text, self._show_machines)
        if known:
            self._look_at(actions, known)

    def _offer(self, document: Document, target: Target, text: str) -> QAction:
        """Add an entry that has the model measured on another machine."""
        action = QAction(units.clip(text, 110).replace("&", "&&"), self._menu)
        action.setCheckable(True)
        place = document.place
        action.setChecked(place is not None and place.text == target.text)
        action.triggered.connect(partial(_take_machine, document, target))
        self._menu.addAction(action)
        return action

    def _look_at(self, actions: dict[str, QAction], known: tuple[Saved, ...]) -> None:
        """Add to the entries of machines what they do now, when they have answered."""

        def show(looks: list[Look]) -> None:
            for look in looks:
                action = actions[look.machine.name]
                if not isValid(action):  # another menu has been made meanwhile
                    continue
                text, _ = state(look, look.machine)
                more = load_text(look.machine) if look.problem is None else ""
                action.setToolTip(tip(text))
                shown = more or tr("unreachable")
                action.setText(f"{action.text()} · {shown}")

        self._jobs.start(lambda: machines.look(known), show, lambda _: None)

    def _show_machines(self) -> None:
        commands.run(self, "machines/others", self._changed)


def _take_device(document: Document, device: str) -> None:
    document.set_place(None)
    document.set_spec(devices=(device,))


def _take_machine(document: Document, target: Target) -> None:
    """Measure there; the devices of this machine are none of that one."""
    document.set_spec(devices=("cpu",))
    document.set_place(target)
