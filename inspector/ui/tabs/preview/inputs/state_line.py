"""A memory input in one line: what feeds it back, one step further, and start again."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.preview.inputs.model_states import State
from inspector.tensors.element_types import Tensor
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.fill_inputs import StateChoice
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import button, row
from inspector.ui.widgets.theme import Theme


class StateLine(QWidget):
    """Keeps what the memory was after the last step; nothing before the first."""

    step_asked = Signal()
    changed = Signal()

    def __init__(self, theme: Theme, state: State) -> None:
        super().__init__()
        self._state = state
        self._kept: StateChoice | None = None
        self._words = wrapped("", "caption")
        self.step = button(theme, tr("Next step"))
        self.step.setToolTip(tr("Run again with the state that this run returned"))
        self.restart = button(theme, tr("Reset state"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._words)
        column.addLayout(row(self.step, self.restart, None))
        self.step.clicked.connect(self.step_asked)
        self.restart.clicked.connect(self.start_again)
        self._show()

    @property
    def choice(self) -> StateChoice | None:
        """What the memory holds; None at its start."""
        return self._kept

    def keep(self, array: Tensor) -> None:
        """Go one step further with what an answer left."""
        self._kept = StateChoice(array, 1 if self._kept is None else self._kept.steps + 1)
        self._show()

    def start_again(self) -> None:
        """Forget, and tell."""
        self._kept = None
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        output = units.clip(self._state.output, 60)
        if self._kept is None:
            words = tr("Starts at zero, then gets what {output} gave").format(output=output)
        else:
            words = tr("What {output} gave after {step_count}").format(
                output=output, step_count=plural(self._kept.steps, "step")
            )
        self._words.setText(f"{words} ({units.clip(self._state.why, 120)}).")
        self.restart.setEnabled(self._kept is not None)
