import numpy as np
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs import audio
from inspector.preview.inputs.audio_windows import Pace
from inspector.preview.outputs import results
from inspector.ui.tabs.preview import read_outputs
from inspector.ui.tabs.preview.outputs.output_view import OutputView
from inspector.ui.tabs.preview.outputs.time_series_output import AudioBody, HeatBody
from inspector.ui.widgets.theme import Theme


def shown(qtbot: QtBot, theme: Theme, output: OutputValue, pace: Pace) -> OutputView:
    read = read_outputs.read(output, (), pace)
    view = OutputView(theme, read)
    qtbot.addWidget(view)
    view.show_reading(read, None, "")
    view.show()
    return view


def test_several_values_a_step_are_a_heat_map(qtbot, theme):
    array = np.random.default_rng(0).random((50, 1, 40)).astype(np.float32)
    output = OutputValue("mask", "tensor", "float32", array)
    view = shown(qtbot, theme, output, Pace(50, 0.01))
    assert view.forms == (results.HEAT, results.TENSOR)
    body = view.findChild(HeatBody)
    assert body.caption.text().startswith("Bottom to top: 40 values. Left to right: 0.50 s.")


def test_a_sound_is_shown_and_saved(qtbot, theme, tmp_path, monkeypatch):
    tone = np.sin(np.arange(1600) / 9).astype(np.float32)
    output = OutputValue("audio", "tensor", "float32", tone[None])
    view = shown(qtbot, theme, output, Pace())
    body = view.findChild(AudioBody)
    assert "1,600 samples, 0.10 s" in body.wave.accessibleDescription()
    path = tmp_path / "tone.wav"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    body.save.click()
    assert abs(audio.read(path).samples - tone).max() < 1e-3
