"""The rarer settings of a session: how threads wait, how operators run, how memory is kept."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton

from inspector.report import RunSpec
from inspector.ui.documents.document import Document
from inspector.ui.kit.parts import tip

_SWITCHES = {
    "spinning": (
        "Spinning",
        "Threads wait busily: quicker, at the cost of a core",
    ),
    "arena": ("Memory arena", "Memory comes from the runtime's arena, not from the system"),
    "memory_pattern": ("Memory pattern", "Memory is set aside by the shapes seen before"),
    "around_failures": (
        "Around failures",
        "A layer at which the device fails is kept on the CPU, and its mark says so",
    ),
}
_PARALLEL = ("Parallel operators", "Operators that do not need each other run at once")


class SessionField(QPushButton):
    """A button with a menu of settings to tick; what is ticked goes into the spec at once."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.switches: dict[str, QAction] = {}
        menu = QMenu(self)
        for name, (words, told) in (*_SWITCHES.items(), ("parallel", _PARALLEL)):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setToolTip(tip(told))
            action.toggled.connect(self._choose)
            self.switches[name] = action
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.setAccessibleName("Settings of the session")
        self.setToolTip(tip("How threads wait, how operators run, how memory is kept"))
        document.spec_changed.connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Bring ticks and words to what the spec says, without telling it so."""
        spec, usual = self._document.spec, RunSpec()
        changed = spec.execution_mode != usual.execution_mode
        for name, action in self.switches.items():
            on = (
                spec.execution_mode == "parallel" if name == "parallel" else getattr(spec, name)
            )
            changed |= name != "parallel" and on != getattr(usual, name)
            action.blockSignals(True)
            action.setChecked(on)
            action.blockSignals(False)
        # The style sets words that are aligned to the left on the very edge.
        self.setText("  Changed" if changed else "  As usual")

    def _choose(self) -> None:
        ticked = {name: action.isChecked() for name, action in self.switches.items()}
        mode = "parallel" if ticked.pop("parallel") else "sequential"
        self._document.set_spec(execution_mode=mode, **ticked)
