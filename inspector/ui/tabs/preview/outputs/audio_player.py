"""Playing a sound through the machine's loudspeaker, where Qt's part for it is installed."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtWidgets import QPushButton, QWidget

from inspector.errors import InspectorError
from inspector.platform import plugins
from inspector.preview.inputs.audio import Audio
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import button, column_of, show_in_place, wrapped
from inspector.ui.widgets.theme import Theme

HOW = mark('To play audio: pip install "onnx-inspector[media]"')
NO_DEVICE = mark("No audio output device is available on this machine.")
_MODULE = "PySide6.QtMultimedia"


def multimedia() -> Any:
    """Qt's module for sounds, or None where it or one of its libraries is missing."""
    if find_spec(_MODULE) is None:
        return None
    try:
        return plugins.load(_MODULE)
    except ImportError:
        return None


def pulses(sound: Audio) -> bytes:
    """The samples as signed 16-bit numbers; what is louder than 1 is cut, NaN is silence."""
    samples = np.nan_to_num(sound.samples.astype(np.float64), posinf=1.0, neginf=-1.0)
    return (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()


class Playing(QWidget):
    """A button that plays or stops what `read_audio` returns; hidden where nothing can play it.

    problem: a line for what goes wrong; whoever shows the button gives it its place.
    read_audio: called on a thread.
    """

    def __init__(
        self, theme: Theme, read_audio: Callable[[], Audio], module: Any | None = None
    ) -> None:
        super().__init__()
        self._wanted, self._module = read_audio, module or multimedia()
        self._jobs = TaskRunner(self)
        self._sink: Any = None
        self._buffer: QBuffer | None = None
        self.button: QPushButton = button(theme, tr("Play"), "play")
        self.problem = wrapped("", "bad")
        column_of(self.button, on=self)
        self.button.clicked.connect(self._turn)
        self.possible = self._module is not None
        show_in_place(self, self.possible)

    def stop(self) -> None:
        """Stop playing."""
        if self._sink is not None:
            self._sink.stop()
            self._sink.deleteLater()
            self._sink = None
        self._say("")
        self.button.setText(tr(" Play"))

    def _turn(self) -> None:
        if self._sink is not None:
            self.stop()
        elif self._module.QMediaDevices.defaultAudioOutput().isNull():
            self._say(tr(NO_DEVICE))
        else:
            self.button.setEnabled(False)
            self._jobs.start(self._wanted, self._play, self._refuse)

    def _play(self, sound: Audio) -> None:
        self.button.setEnabled(True)
        module = self._module
        form = module.QAudioFormat()
        form.setSampleRate(sound.rate)
        form.setChannelCount(1)
        form.setSampleFormat(module.QAudioFormat.SampleFormat.Int16)
        device = module.QMediaDevices.defaultAudioOutput()
        if not device.isFormatSupported(form):
            self._say(
                tr("The audio output device does not support {rate:,} Hz.").format(
                    rate=sound.rate
                )
            )
            return
        self._buffer = QBuffer(self)
        self._buffer.setData(QByteArray(pulses(sound)))
        self._buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        self._sink = module.QAudioSink(device, form, self)
        self._sink.stateChanged.connect(self._follow)
        self._say("")
        self.button.setText(tr(" Stop"))
        self._sink.start(self._buffer)

    def _follow(self, state: Any) -> None:
        if state == self._module.QAudio.State.IdleState:  # it came to the end
            self.stop()

    def _refuse(self, error: InspectorError) -> None:
        self.button.setEnabled(True)
        self._say(f"{units.capitalized(error.why)}.")

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
