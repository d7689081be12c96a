"""Values of a setting side by side; those that are pressed are swept."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from inspector.export.sweep_tables import value_words
from inspector.sweep import Value
from inspector.ui.kit.flow import Flow
from inspector.ui.kit.parts import label, tip


class Chips(QWidget):
    """One axis: its name over its values. At least one is always pressed.

    name: the axis. words: what people call it.
    """

    changed = Signal()

    def __init__(
        self, name: str, words: str, values: Sequence[Value], pressed: Sequence[Value]
    ) -> None:
        super().__init__()
        self.name = name
        self._values = tuple(values)
        self.buttons = tuple(self._button(words, value) for value in values)
        self.caption = label(words, "caption")
        flow = Flow(6, 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addWidget(self.caption)
        column.addLayout(flow)
        column.addStretch(1)
        for value, made in zip(self._values, self.buttons, strict=True):
            made.setChecked(value in pressed)
            made.clicked.connect(lambda _, one=made: self._press(one))
            flow.addWidget(made)

    @property
    def chosen(self) -> tuple[Value, ...]:
        """The values that are pressed, in their order."""
        pairs = zip(self._values, self.buttons, strict=True)
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

    def _button(self, words: str, value: Value) -> QPushButton:
        text = value_words(self.name, value)
        made = QPushButton(text)
        made.setCheckable(True)
        made.setProperty("role", "chip")
        made.setAccessibleName(f"{words}: {text}")
        return made

    def _press(self, pressed: QPushButton) -> None:
        if not self.chosen:
            pressed.setChecked(True)
        self.changed.emit()
