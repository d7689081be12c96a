"""A button that records a sound, with its level; the sound becomes a file of its own."""

from math import log10
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRectF, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.platform import files
from inspector.preview.inputs.audio import Audio
from inspector.preview.outputs import audio_outputs
from inspector.ui.background import TaskRunner
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.inputs.microphone import HOW, Microphone
from inspector.ui.tabs.preview.outputs.audio_player import multimedia
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import button, label, row
from inspector.ui.widgets.theme import Theme, colour

QUIETEST = -60.0  # decibels below full loudness, where the bar begins
HEIGHT = 6


class Level(QWidget):
    """How loud it is: a bar from the quietest to full loudness."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.share = theme, 0.0
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Level of the microphone"))

    def show_level(self, loudest: float) -> None:
        """Show a loudness of 0 to 1."""
        decibels = 20 * log10(loudest) if loudest > 0 else QUIETEST
        self.share = min(1.0, max(0.0, 1 - decibels / QUIETEST))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar in its trough; what is cut off is red."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.hairline))
        painter.drawRoundedRect(QRectF(self.rect()), HEIGHT / 2, HEIGHT / 2)
        painter.setBrush(colour(look.bad if self.share >= 1 else look.accent))
        width = self.width() * self.share
        if width >= HEIGHT:
            painter.drawRoundedRect(QRectF(0, 0, width, HEIGHT), HEIGHT / 2, HEIGHT / 2)


class Recording(QWidget):
    """The line with the level; `button` and `problem` get their places from who shows them.

    recorded: the path of a .wav file that lives as long as this widget.
    """

    recorded = Signal(Path)

    def __init__(self, theme: Theme, module: Any | None = None) -> None:
        super().__init__()
        self.rate = 16_000
        self.microphone = Microphone(self, module)
        self.button: QPushButton = button(theme, tr("Record"), "record")
        if (module or multimedia()) is None:
            self.button.setToolTip(tr(HOW))
        self.problem = wrapped("", "bad")
        self.problem.hide()
        self.level = Level(theme)
        self._time = label("0:00", "caption")
        self._folder: QTemporaryDir | None = None
        self._number = 0
        self._jobs = TaskRunner(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        line = row(self.level, self._time)
        line.setStretch(0, 1)
        column.addLayout(line)
        self.hide()
        self.button.clicked.connect(self._turn)
        self.microphone.level.connect(self._show_level)
        self.microphone.heard.connect(self._keep)
        self.microphone.refused.connect(self._say)

    def drop(self) -> None:
        """Record no longer, and keep nothing of it."""
        self.microphone.drop()
        self._rest()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody is listened to who cannot see it."""
        if self.microphone.hearing:
            self.drop()

    def _turn(self) -> None:
        self._say("")
        if self.microphone.hearing:
            self.microphone.stop()
        else:
            self.microphone.start(self.rate)

    def _show_level(self, loudest: float, seconds: float) -> None:
        self.show()
        self.button.setText(tr(" Stop"))
        self.level.show_level(loudest)
        self._time.setText(f"{int(seconds) // 60}:{int(seconds) % 60:02}")

    def _keep(self, sound: Audio) -> None:
        self._rest()
        if self._folder is None:
            self._folder = QTemporaryDir()
        self._number += 1
        path = Path(self._folder.path()) / tr("recording {number}.wav").format(
            number=self._number
        )

        def write() -> Path:
            files.write_atomic(path, audio_outputs.wav(sound))
            return path

        # A method holds this widget until then; a signal's own `emit` does not, and crashes.
        self._jobs.start(write, self._tell, self._refuse)

    def _tell(self, path: Path) -> None:
        self.recorded.emit(path)

    def _refuse(self, error: InspectorError) -> None:
        self._say(f"{error.why[:1].upper()}{error.why[1:]}.")

    def _rest(self) -> None:
        self.button.setText(tr(" Record"))
        self.hide()

    def _say(self, problem: str) -> None:
        if not self.microphone.hearing:
            self._rest()
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
