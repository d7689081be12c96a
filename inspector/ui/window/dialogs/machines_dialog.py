"""Other machines: what each is and does now; add one, check it, forget it."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QScrollArea, QWidget

from inspector.errors import InspectorError
from inspector.remote import machines
from inspector.remote.machines import Look, Saved
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr
from inspector.ui.views.machines.words import Dot, facts, load_text, state
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.parts import (
    PADDING,
    Card,
    Elided,
    add_to,
    button,
    column_of,
    label,
    page_of,
    row,
    tool,
)
from inspector.ui.widgets.theme import Theme

_SIZE = 640, 680
_LOOK_MS = 10_000  # between two looks at all machines while the dialog is open
_CHECK_SECONDS = 60.0


class MachinesDialog(QDialog):
    """Lists the user's machines; `changed` tells that one was added or removed."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Other machines"))
        resize_on_screen(self, *_SIZE)
        self._theme, self._jobs = theme, TaskRunner(self)
        self.rows: list[MachineRow] = []
        self._list = column_of(None, spacing=8)
        inner = QWidget()
        inner.setLayout(self._list)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inner)
        text = tr(
            "Machines that you reach over SSH. Choose one from the device menu: models are "
            "then measured there, and the reports open here."
        )
        about = label(text, "secondary")
        about.setWordWrap(True)
        self.empty = label(tr("No machines yet. Add one below."), "secondary")
        self.failure = Failure(theme)
        self.failure.again.hide()
        column = page_of(self, about, self.empty, (area, 1), self._form(), self.failure)
        self.done_button = button(theme, tr("Close"))
        self.done_button.clicked.connect(self.accept)
        column.addLayout(row(None, self.done_button))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(_LOOK_MS)
        self.show_all()
        self.look()

    def show_all(self) -> None:
        """List the machines again, as they were seen last."""
        for each in self.rows:
            self._list.removeWidget(each)
            each.deleteLater()
        try:
            known = machines.saved()
        except InspectorError as error:
            known = ()
            self._fail(error)
        self.rows = [MachineRow(self._theme, each) for each in known]
        for place, each in enumerate(self.rows):
            each.remove.clicked.connect(lambda _=False, r=each: self._remove(r.machine))
            self._list.insertWidget(place, each)
        self.empty.setVisible(not self.rows)

    def look(self) -> None:
        """Ask all machines what they do now."""
        if self._jobs.running or not self.rows:
            return
        known = [each.machine for each in self.rows]

        def show(looks: list[Look]) -> None:
            found = {each.machine.name: each for each in looks}
            for each in self.rows:
                each.show_look(found.get(each.machine.name))

        self._jobs.start(lambda: machines.look(known), show, self._fail)

    def add(self) -> None:
        """Check the machine of the fields, and keep it if its agent answers."""
        self.failure.hide()
        machine = Saved(
            self.name.text().strip(),
            self.host.text().strip(),
            self.python.text().strip(),
            tuple(filter(None, (e.strip() for e in self.labels.text().split(",")))),
        )
        try:
            machines.expect_valid(machine.name, machine.host, machine.python)
        except InspectorError as error:
            self._fail(error)
            return
        self.add_button.setEnabled(False)
        self.add_button.setText(tr("Connecting…"))

        def show(looks: list[Look]) -> None:
            self._ready_to_add()
            if looks[0].problem is not None:
                self._fail(looks[0].problem)
                return
            for field in (self.name, self.host, self.python, self.labels):
                field.clear()
            self.show_all()
            for each in self.rows:
                if each.machine.name == machine.name:
                    each.show_look(looks[0])
            self.changed.emit()

        def fail(error: InspectorError) -> None:
            self._ready_to_add()
            self._fail(error)

        self._jobs.start(lambda: machines.look([machine], _CHECK_SECONDS, True), show, fail)

    def _ready_to_add(self) -> None:
        self.add_button.setText(tr("Add"))
        self._enable_add()

    def _remove(self, machine: Saved) -> None:
        try:
            machines.remove(machine.name)
        except InspectorError as error:
            self._fail(error)
        self.show_all()
        self.changed.emit()
        self.look()

    def _fail(self, error: InspectorError) -> None:
        self.failure.show_error(error)
        self.failure.again.hide()

    def _form(self) -> QWidget:
        card = Card(self._theme)
        card.body.addWidget(label(tr("Add a machine"), "heading"))
        form = QFormLayout()
        form.setHorizontalSpacing(PADDING)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)

        def field(name: str, example: str) -> QLineEdit:
            made = QLineEdit()
            made.setPlaceholderText(example)
            made.setAccessibleName(name)
            made.textChanged.connect(self._enable_add)
            made.returnPressed.connect(lambda: self.add_button.click())
            text = label(name, "secondary")
            text.setMinimumHeight(made.sizeHint().height())  # in the middle of its line
            form.addRow(text, made)
            return made

        self.add_button = button(self._theme, tr("Add"), primary=True)
        self.name = field(tr("Name"), "pi5")
        self.host = field(tr("SSH host"), "pi@pi5.local")
        words = tr("Python on that machine")
        self.python = field(words, tr("Leave empty if Inspector was installed there from here"))
        self.labels = field(tr("Labels"), "board, arm64")
        add_to(card.body, form, row(None, self.add_button))
        self.add_button.clicked.connect(self.add)
        self._enable_add()
        return card

    def _enable_add(self) -> None:
        filled = bool(self.name.text().strip() and self.host.text().strip())
        self.add_button.setEnabled(filled)


class MachineRow(Card):
    """One machine: its name and load, what it is, and what it does now."""

    def __init__(self, theme: Theme, machine: Saved) -> None:
        super().__init__(theme, PADDING - 4)
        self.machine = machine
        self.title = label(units.clip(machine.name, 40), "heading")
        self.labels = label(", ".join(machine.all_labels), "caption")
        self.load = label("", "secondary")
        self.remove = tool(theme, "close", tr("Remove {name}").format(name=machine.name))
        self.facts = Elided("", "secondary")
        self.state = Elided("")
        self._dot = Dot(theme)
        top = row(self.title, self.labels, None, self.load, self.remove)
        self.body.setSpacing(3)
        add_to(self.body, top, self.facts, row(self._dot, self.state, stretch=1))
        self.show_look(None)

    def show_look(self, look: Look | None) -> None:
        """Show what came of asking the machine; None while it is asked."""
        if look is not None:
            self.machine = look.machine
        self.facts.set_text(facts(self.machine))
        text, role = state(look, self.machine)
        self.state.set_text(text)
        self.load.setText(load_text(self.machine) if look and look.problem is None else "")
        self._dot.show_role(role)
        self.setAccessibleName(f"{self.machine.name}: {text}")
