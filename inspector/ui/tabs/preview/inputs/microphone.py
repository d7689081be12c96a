"""Recording through the machine's microphone, where Qt's part for it is installed."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QIODevice, QMicrophonePermission, QObject, Signal

from inspector.preview.inputs.audio import Audio
from inspector.ui.tabs.preview.inputs import capture_device
from inspector.ui.tabs.preview.outputs.audio_player import multimedia
from inspector.ui.translate import mark, tr

HOW = mark('To record audio, install the Qt module for it: pip install "onnx-inspector[media]"')
FORBIDDEN = mark(
    "The system does not let Inspector use the microphone. Allow it in the system settings."
)
NO_DEVICE = mark("No microphone is available on this machine.")
NOTHING = mark(
    "The microphone delivered only silence. Check in the system settings whether it is muted."
)
LONGEST_SECONDS = 600
# How the samples of a QAudioFormat lie in memory, and what full loudness is there.
_LAYOUTS: dict[str, tuple[str, float, float]] = {
    "UInt8": ("u1", 128.0, 128.0),
    "Int16": ("=i2", 0.0, 32768.0),
    "Int32": ("=i4", 0.0, 2147483648.0),
    "Float": ("=f4", 0.0, 1.0),
}


def samples_of(body: bytes, layout: str, channels: int) -> NDArray[np.float32]:
    """The mean of the channels in -1..1, float32 (N,).

    layout: a name of QAudioFormat.SampleFormat. A last sample that is cut off is left out.
    """
    kind, middle, full = _LAYOUTS[layout]
    width = np.dtype(kind).itemsize * channels
    values = np.frombuffer(body[: len(body) // width * width], kind).astype(np.float64)
    mono: NDArray[np.float32] = (
        ((values - middle) / full).reshape(-1, channels).mean(axis=1, dtype=np.float32)
    )
    return mono


class Microphone(QObject):
    """Hears until it is stopped, then says `heard` with a Sound, or `refused` with a sentence.

    level: the loudest of the latest samples, 0 to 1, and how many seconds there are so far.
    """

    level = Signal(float, float)
    heard = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject, module: Any | None = None) -> None:
        super().__init__(parent)
        self._module = module or multimedia()
        self._source: Any = None
        self._stream: QIODevice | None = None
        self._layout, self._channels, self._rate = "Int16", 1, 1
        self._pieces: list[bytes] = []
        self._size = 0

    @property
    def hearing(self) -> bool:
        """Whether it records now."""
        return self._source is not None

    def start(self, rate: int) -> None:
        """Hear at a rate in Hz, or at what the microphone prefers where it lacks that."""
        if self._module is None:
            self.refused.emit(tr(HOW))
            return
        self._permitted(lambda: self._begin(rate), lambda: self.refused.emit(tr(FORBIDDEN)))

    def stop(self) -> None:
        """End; what was heard follows as a signal."""
        if self._source is None:
            return
        self._take()
        self._silence()
        sound = Audio(self._samples(b"".join(self._pieces)), self._rate, self._channels)
        self._pieces = []
        if len(sound.samples) and np.any(sound.samples):
            self.heard.emit(sound)
        else:
            self.refused.emit(tr(NOTHING))

    def drop(self) -> None:
        """End, and forget what was heard."""
        self._silence()
        self._pieces = []

    def _permitted(self, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        capture_device.permitted(QMicrophonePermission(), self, then, otherwise)

    def _begin(self, rate: int) -> None:
        device = self._module.QMediaDevices.defaultAudioInput()
        if device.isNull():
            self.refused.emit(tr(NO_DEVICE))
            return
        form = self._module.QAudioFormat()
        form.setSampleRate(rate)
        form.setChannelCount(1)
        form.setSampleFormat(self._module.QAudioFormat.SampleFormat.Int16)
        if not device.isFormatSupported(form):
            form = device.preferredFormat()
        self._layout, self._channels = form.sampleFormat().name, form.channelCount()
        self._rate = form.sampleRate()
        if self._layout not in _LAYOUTS or self._channels < 1 or self._rate < 1:
            self.refused.emit(tr("The microphone offers no supported audio format."))
            return
        self._pieces, self._size = [], 0
        self._source = self._module.QAudioSource(device, form, self)
        self._stream = self._source.start()
        if self._stream is None:
            self._silence()
            self.refused.emit(
                tr("The microphone could not be opened; another program may use it.")
            )
            return
        self._stream.readyRead.connect(self._take)
        self.level.emit(0.0, 0.0)

    def _take(self) -> None:
        if self._stream is None:
            return
        piece = bytes(self._stream.readAll().data())
        if not piece:
            return
        self._pieces.append(piece)
        self._size += len(piece)
        latest = self._samples(piece)
        width = np.dtype(_LAYOUTS[self._layout][0]).itemsize * self._channels
        seconds = self._size / width / self._rate
        self.level.emit(float(np.abs(latest).max(initial=0.0)), seconds)
        if seconds >= LONGEST_SECONDS:
            self.stop()

    def _samples(self, body: bytes) -> NDArray[np.float32]:
        return samples_of(body, self._layout, self._channels)

    def _silence(self) -> None:
        if self._source is not None:
            self._source.stop()
            self._source.deleteLater()
        self._source = self._stream = None
