"""A quiet button below a list that was cut: shows more of it, then the beginning again."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton


class Reveal(QPushButton):
    """Hidden where nothing was cut; `show_first` is told how many to show.

    step: how many more a click shows; 0 for all at once, where a line costs nothing.
    """

    def __init__(
        self,
        total: int,
        shown: int,
        noun: str,
        show_first: Callable[[int], None],
        step: int = 0,
    ) -> None:
        super().__init__()
        self._total, self._first, self._noun = total, shown, noun
        self._shown, self._step = shown, step or total
        self._show_first = show_first
        self.setProperty("role", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if total <= shown:
            self.hide()
        self.clicked.connect(self._turn)
        self._tell()

    def _turn(self) -> None:
        done = self._shown >= self._total
        self._shown = self._first if done else min(self._total, self._shown + self._step)
        self._show_first(self._shown)
        self._tell()

    def _tell(self) -> None:
        left = self._total - self._shown
        if not left:
            self.setText(f"Show the first {self._first}")
        elif left <= self._step:
            self.setText(f"Show all {self._total:,} {self._noun}")
        else:
            self.setText(f"Show {self._step} more of {self._total:,} {self._noun}")
