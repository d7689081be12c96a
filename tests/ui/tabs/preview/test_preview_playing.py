from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from PySide6.QtCore import QIODevice, QObject, Signal
from pytestqt.qtbot import QtBot

from inspector.errors import UnreadableFile
from inspector.preview.inputs.audio import Audio
from inspector.ui.tabs.preview.outputs import audio_player
from inspector.ui.tabs.preview.outputs.audio_player import NO_DEVICE, Playing
from inspector.ui.widgets.theme import Theme

SOUND = Audio(np.array([0, 0.5, -2, np.nan], np.float32), 16_000, 1)


class Format:
    """As much of QAudioFormat as is used."""

    SampleFormat = SimpleNamespace(Int16=2)

    def setSampleRate(self, rate: int) -> None:
        self.rate = rate

    def setChannelCount(self, count: int) -> None:
        self.count = count

    def setSampleFormat(self, form: int) -> None:
        self.form = form


class Sink(QObject):
    """A loudspeaker that keeps what it was given."""

    stateChanged = Signal(object)  # noqa: N815
    heard: bytes = b""

    def __init__(self, device: Any, form: Format, parent: QObject) -> None:
        super().__init__(parent)
        self.form = form

    def start(self, source: QIODevice) -> None:
        Sink.heard = bytes(source.readAll().data())

    def stop(self) -> None:
        Sink.heard = b""


def module(null: bool = False, supported: bool = True) -> Any:
    device = SimpleNamespace(isNull=lambda: null, isFormatSupported=lambda form: supported)
    return SimpleNamespace(
        QMediaDevices=SimpleNamespace(defaultAudioOutput=lambda: device),
        QAudioFormat=Format,
        QAudioSink=Sink,
        QAudio=SimpleNamespace(State=SimpleNamespace(IdleState=3)),
    )


def made(qtbot: QtBot, theme: Theme, wanted: Callable[[], Audio], what: Any) -> Playing:
    widget = Playing(theme, wanted, what)
    qtbot.addWidget(widget)
    widget.problem.setParent(widget)
    widget.show()
    return widget


def test_a_sound_is_played_until_its_end(qtbot, theme):
    widget = made(qtbot, theme, lambda: SOUND, module())
    widget.button.click()
    qtbot.waitUntil(lambda: widget.button.text().strip() == "Stop")
    assert np.frombuffer(Sink.heard, "<i2").tolist() == [0, 16383, -32767, 0]
    (sink,) = widget.findChildren(Sink)
    sink.stateChanged.emit(3)
    assert widget.button.text().strip() == "Play"
    assert not Sink.heard


def test_what_cannot_be_played_gets_a_sentence(qtbot, theme):
    def gone() -> Audio:
        raise UnreadableFile("Could not open a.wav", "there is no such file")

    widget = made(qtbot, theme, lambda: SOUND, module(null=True))
    widget.button.click()
    assert widget.problem.text() == NO_DEVICE
    assert widget.button.text().strip() == "Play"
    for wanted, what, words in (
        (lambda: SOUND, module(supported=False), "does not support 16,000 Hz"),
        (gone, module(), "There is no such file"),
    ):
        widget = made(qtbot, theme, wanted, what)
        widget.button.click()
        qtbot.waitUntil(widget.button.isEnabled)
        assert words in widget.problem.text()


def test_without_the_extra_there_is_no_button(qtbot, theme):
    widget = Playing(theme, lambda: SOUND)
    qtbot.addWidget(widget)
    assert widget.possible == (audio_player.multimedia() is not None)
    assert widget.isHidden() != widget.possible
