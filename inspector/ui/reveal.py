"""A quiet button below a list that was cut: shows all of it, then the beginning again."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton


class Reveal(QPushButton):
    """Hidden where nothing was cut; `show_first` is told how many to show."""

    def __init__(
        self, total: int, shown: int, noun: str, show_first: Callable[[int], None]
    ) -> None:
        super().__init__()
        self._total, self._shown, self._noun = total, shown, noun
        self._show_first, self._open = show_first, False
        self.setProperty("role", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if total <= shown:
            self.hide()
        self.clicked.connect(self._turn)
        self._tell()

    def _turn(self) -> None:
        self._open = not self._open
        self._show_first(self._total if self._open else self._shown)
        self._tell()

    def _tell(self) -> None:
        self.setText(
            f"Show the first {self._shown}"
            if self._open
            else f"Show all {self._total:,} {self._noun}"
        )
