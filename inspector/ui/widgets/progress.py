"""How far long work is: its words, the share that is done, the time left, and Cancel."""

from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector.engine.progress_text import progress_text, stalled_text
from inspector.ui import units
from inspector.ui.translate import time_left, tr
from inspector.ui.widgets.parts import Elided, button, column_of, label, row
from inspector.ui.widgets.theme import Theme, painter_on, qt_color

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import Progress

_BAR_PX = 6
_DASH_PX = 9
# Before so much is done, the pace tells little of the rest.
_TOLD_FROM_S = 2.0
_TOLD_FROM_SHARE = 0.02


class ProgressBar(QWidget):
    """A bar as long as the share that is done; dashes where nobody can tell."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.share = theme, -1.0
        self.setFixedHeight(_BAR_PX)
        theme.changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Show another share, 0 to 1; negative for unknown."""
        self.share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw track and bar."""
        palette = self._theme.palette
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(palette.track))
        painter.drawRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setBrush(qt_color(palette.accent, 1.0 if self.share >= 0 else 0.45))
        if self.share >= 0:
            width = max(float(_BAR_PX), self.width() * min(1.0, self.share))
            painter.drawRoundedRect(QRectF(0, 0, width, _BAR_PX), 3, 3)
        else:
            for x in range(0, self.width(), 2 * _DASH_PX):
                painter.drawRoundedRect(QRectF(x, 0, _DASH_PX, _BAR_PX), 3, 3)


class ProgressLine(QWidget):
    """One line of words over a bar, and a button beside both that is as high as they are.

    name: what is under way, for those who cannot see it. may_cancel: whether it has a button
    of its own, which tells `cancelled`. The time left follows from the pace of the step, where
    the work itself does not tell it.
    """

    cancelled = Signal()

    def __init__(self, theme: Theme, name: str, may_cancel: bool = True) -> None:
        super().__init__()
        self._name, self._begun, self._first, self._share = name, monotonic(), 0.0, -1.0
        self.setAccessibleName(name)
        self.text = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.left = label("", "caption")
        self.bar = ProgressBar(theme)
        self.cancel = button(theme, tr("Cancel"), "stop")
        self.cancel.clicked.connect(self.cancelled)
        words = row(self.text, self.left, spacing=8, stretch=0)
        lines = column_of(words, self.bar, spacing=6)
        both = row(spacing=12)
        both.addLayout(lines, 1)
        if may_cancel:
            both.addWidget(self.cancel)
        both.setContentsMargins(0, 0, 0, 0)
        self.setLayout(both)

    def begin(self, text: str = "") -> None:
        """Start over: nothing is known yet."""
        self.show_share(-1.0, text)

    def follow(self, progress: "Progress") -> None:
        """Show what an engine tells of a job, also that it has stalled."""
        text = progress_text(progress.step, progress.part)
        if progress.stalled_seconds:
            text = stalled_text(
                progress.step, progress.stalled_seconds, progress.layers, progress.layer
            )
        self.show_share(progress.done, text)

    def show_share(
        self,
        share: float,
        text: str = "",
        seconds_left: float | None = None,
        at_most: bool = False,
        by_pace: bool = True,
    ) -> None:
        """Show what is done, the share of it, 0 to 1 or negative for unknown, and the time
        left.

        by_pace: whether that follows from the pace where it is not given.
        """
        if share < self._share or self._share < 0:  # another step, or the first number of one
            self._begun, self._first = monotonic(), max(0.0, share)
        self._share = share
        passed, made = monotonic() - self._begun, share - self._first
        told = made >= _TOLD_FROM_SHARE and passed >= _TOLD_FROM_S
        if by_pace and seconds_left is None and told:
            seconds_left = passed / made * (1 - share)
        parts = [f"{units.number(100 * share, '.0f')}%"] if share >= 0 else []
        if seconds_left is not None and share < 1:
            parts.append(time_left(seconds_left, at_most))
        self.text.set_text(text or self._name)
        self.left.setText(" · ".join(parts))
        self.bar.show_share(share)
        self.setAccessibleDescription(" · ".join((self.text.text(), *parts)))
