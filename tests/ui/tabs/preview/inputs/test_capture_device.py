"""Microphone and camera, with makeshift devices in place of the machine's."""

from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QObject, Signal
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from inspector.model.model import TensorInfo
from inspector.preview.inputs import audio
from inspector.preview.preprocessing.guess import guess
from inspector.ui.tabs.preview.inputs.capture import (
    NO_CAMERA,
    NO_MICROPHONE,
    ONLY_SILENCE,
    CameraLine,
    Recording,
    samples_of,
)
from inspector.ui.tabs.preview.inputs.image_editor import ImageEditor
from inspector.ui.tabs.preview.outputs.audio_player import multimedia
from inspector.ui.widgets.theme import Theme


class SampleFormat(Enum):
    UInt8 = 1
    Int16 = 2
    Float = 4


class Format:
    """As much of QAudioFormat as is used."""

    SampleFormat = SampleFormat

    def __init__(self, rate: int = 0, channels: int = 0, form: Any = None) -> None:
        self._rate, self._channels, self._form = rate, channels, form

    def setSampleRate(self, rate: int) -> None:
        self._rate = rate

    def setChannelCount(self, count: int) -> None:
        self._channels = count

    def setSampleFormat(self, form: Any) -> None:
        self._form = form

    def sampleRate(self) -> int:
        return self._rate

    def channelCount(self) -> int:
        return self._channels

    def sampleFormat(self) -> Any:
        return self._form


class Source(QObject):
    """A microphone that says what a test makes it say."""

    latest: "Source"

    def __init__(self, device: Any, form: Format, parent: QObject) -> None:
        super().__init__(parent)
        self.form, self.stream = form, QBuffer(self)
        Source.latest = self

    def start(self) -> QIODevice:
        self.stream.open(QIODevice.OpenModeFlag.ReadOnly)
        return self.stream

    def stop(self) -> None:
        self.stream.close()


def hear(samples: np.ndarray[Any, Any]) -> None:
    """Let the microphone say something more."""
    stream = Source.latest.stream
    stream.close()
    stream.setData(samples.tobytes())
    stream.open(QIODevice.OpenModeFlag.ReadOnly)
    stream.readyRead.emit()


def hearing(null: bool = False, supported: bool = True) -> Any:
    device = SimpleNamespace(
        isNull=lambda: null,
        isFormatSupported=lambda form: supported,
        preferredFormat=lambda: Format(44_100, 2, SampleFormat.Float),
    )
    return SimpleNamespace(
        QMediaDevices=SimpleNamespace(defaultAudioInput=lambda: device),
        QAudioFormat=Format,
        QAudioSource=Source,
    )


def recording(qtbot: QtBot, theme: Theme, module: Any) -> Recording:
    made = Recording(theme, module)
    qtbot.addWidget(made)
    for widget in (made.button, made.problem):
        widget.setParent(made)
    return made


def test_what_the_microphone_hears_becomes_a_file_at_the_model_s_rate(qtbot, theme):
    made = recording(qtbot, theme, hearing())
    made.rate = 8_000
    made.button.click()
    assert made.button.text().strip() == "Stop"
    tone = (np.sin(np.arange(8_000) / 7) * 16_384).astype(np.int16)
    hear(tone[:4_000])
    assert made.level.share == pytest.approx(1 - 6.02 / 60, abs=0.01)
    hear(tone[4_000:])
    with qtbot.waitSignal(made.recorded) as told:
        made.button.click()
    found = audio.read(Path(told.args[0]))
    assert (found.rate, len(found.samples)) == (8_000, 8_000)
    assert np.abs(found.samples - tone / 32_768).max() < 1e-4
    assert made.isHidden()
    assert made.button.text().strip() == "Record"


def test_a_microphone_that_lacks_the_rate_gives_its_own(qtbot, theme):
    made = recording(qtbot, theme, hearing(supported=False))
    made.button.click()
    both = np.array([[0.5, 0.25]] * 441, np.float32)
    hear(both)
    with qtbot.waitSignal(made.microphone.recorded) as told:
        made.button.click()
    assert told.args is not None
    (found,) = told.args
    assert (found.rate, found.channels) == (44_100, 2)
    assert found.samples == pytest.approx(np.full(441, 0.375))


def test_what_cannot_be_recorded_gets_a_sentence(qtbot, theme):
    made = recording(qtbot, theme, hearing(null=True))
    made.button.click()
    assert made.problem.text() == NO_MICROPHONE
    assert made.button.text().strip() == "Record"
    silent = recording(qtbot, theme, hearing())
    silent.button.click()
    hear(np.zeros(800, np.int16))
    silent.button.click()
    assert silent.problem.text() == ONLY_SILENCE


def test_who_is_hidden_does_not_listen(qtbot, theme):
    made = recording(qtbot, theme, hearing())
    made.button.click()
    assert made.microphone.hearing
    made.hide()
    assert not made.microphone.hearing
    assert made.button.text().strip() == "Record"


@pytest.mark.skipif(multimedia() is not None, reason="the extra is installed here")
def test_without_the_extra_the_buttons_say_what_to_install(qtbot, theme):
    made = recording(qtbot, theme, None)
    made.button.click()
    assert "onnx-inspector[media]" in made.problem.text()
    line = looking(qtbot, theme, None)
    line.button.click()
    assert "onnx-inspector[media]" in line.problem.text()


def test_all_layouts_of_samples_are_known():
    for layout, values in (
        ("UInt8", np.array([0, 128, 192], np.uint8)),
        ("Int16", np.array([-32_768, 0, 16_384], np.int16)),
        ("Int32", np.array([-(2**31), 0, 2**30], np.int32)),
        ("Float", np.array([-1, 0, 0.5], np.float32)),
    ):
        assert samples_of(values.tobytes(), layout, 1) == pytest.approx([-1, 0, 0.5])
    two = np.array([[8_192, 24_576], [-32_768, 0]], np.int16)
    assert samples_of(two.tobytes() + b"\0", "Int16", 2) == pytest.approx([0.5, -0.5])


def test_samples_are_what_qt_makes_of_them():
    module = pytest.importorskip("PySide6.QtMultimedia")
    form = module.QAudioFormat()
    for layout, values in (("Int16", np.array([-20_000, 3, 32_767], np.int16)),
                           ("UInt8", np.array([3, 100, 255], np.uint8))):  # fmt: skip
        form.setSampleFormat(module.QAudioFormat.SampleFormat[layout])
        told = [form.normalizedSampleValue(value.tobytes()) for value in values]
        assert samples_of(values.tobytes(), layout, 1) == pytest.approx(told, abs=0.02)


class Looking(QObject):
    errorOccurred = Signal(object, str)  # noqa: N815
    on = False
    latest: "Looking"

    def __init__(self, device: Any, parent: QObject) -> None:
        super().__init__(parent)
        Looking.latest = self

    def start(self) -> None:
        self.on = True

    def stop(self) -> None:
        self.on = False


class Frames(QObject):
    videoFrameChanged = Signal(object)  # noqa: N815
    latest: "Frames"

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        Frames.latest = self


class Session(QObject):
    def setCamera(self, camera: Looking) -> None:
        self.camera = camera

    def setVideoSink(self, sink: Frames) -> None:
        self.sink = sink


def seeing(null: bool = False) -> Any:
    device = SimpleNamespace(isNull=lambda: null, videoFormats=list)
    return SimpleNamespace(
        QMediaDevices=SimpleNamespace(defaultVideoInput=lambda: device),
        QCamera=Looking,
        QVideoSink=Frames,
        QMediaCaptureSession=Session,
    )


def frame(red: int) -> Any:
    image = QImage(8, 4, QImage.Format.Format_RGB32)
    image.fill(QColor(red, 0, 0))
    return SimpleNamespace(toImage=lambda: image)


def looking(qtbot: QtBot, theme: Theme, module: Any) -> CameraLine:
    line = CameraLine(theme, module)
    qtbot.addWidget(line)
    for widget in (line.button, line.problem):
        widget.setParent(line)
    return line


def test_a_picture_is_taken_and_the_camera_is_closed(qtbot, theme):
    line = looking(qtbot, theme, seeing())
    seen: list[Any] = []
    taken: list[Any] = []
    line.image_captured.connect(seen.append)
    line.image_chosen.connect(taken.append)
    line.button.click()
    assert Looking.latest.on
    assert not line.take.isEnabled()  # there is nothing to take yet
    Frames.latest.videoFrameChanged.emit(frame(200))
    assert seen[0].shape == (4, 8, 3)
    assert seen[0][0, 0].tolist() == [200, 0, 0]
    assert not taken  # live is off
    line.take.click()
    assert taken[0][0, 0].tolist() == [200, 0, 0]
    assert not line.camera.running
    assert line.isHidden()


def test_live_gives_picture_after_picture(qtbot, theme):
    line = looking(qtbot, theme, seeing())
    taken: list[Any] = []
    line.image_chosen.connect(taken.append)
    line.button.click()
    line.live.setChecked(True)
    Frames.latest.videoFrameChanged.emit(frame(10))
    Frames.latest.videoFrameChanged.emit(frame(20))  # far too soon
    assert [picture[0, 0, 0] for picture in taken] == [10]
    assert line.camera.running
    line.hide()
    assert not line.camera.running
    assert not line.live.isChecked()


def test_what_cannot_be_seen_gets_a_sentence(qtbot, theme):
    line = looking(qtbot, theme, seeing(null=True))
    line.button.click()
    assert line.problem.text() == NO_CAMERA
    line = looking(qtbot, theme, seeing())
    line.button.click()
    Looking.latest.errorOccurred.emit(1, "in use")
    assert "The camera stopped (in use)" in line.problem.text()
    assert not line.camera.running
    assert not line.button.isHidden()


def test_a_picture_of_the_camera_goes_the_way_of_a_pasted_one(qtbot, theme):
    info = TensorInfo("x", "tensor", "float32", (1, 3, 8, 8))
    suggested = guess(info, {}, "", ())
    assert suggested is not None
    editor = ImageEditor(theme, suggested, ())
    qtbot.addWidget(editor)
    with qtbot.waitSignal(editor.changed):
        editor.camera.image_chosen.emit(np.zeros((4, 8, 3), np.uint8))
    assert editor.choice.name == "camera"
    assert editor.choice.picture is not None
