import struct
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.runs.steps import Steps
from inspector.report.run_spec import RunSpec
from inspector.ui.tabs.preview.inputs.audio_editor import AudioEditor
from inspector.ui.tabs.preview.inputs.input_editor import InputEditor
from inspector.ui.tabs.preview.outputs.time_series_output import OverTimeBody
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import Feeds, KeepingEngine, opened
from tests.ui.tabs.preview import tabs


class CountingEngine(KeepingEngine):
    """Answers 0.1, 0.2, ... and leaves state + 1."""

    def predict(
        self,
        path: Path,
        spec: RunSpec,
        feeds: Feeds,
        warm: bool = False,
        steps: Steps | None = None,
    ) -> Prediction:
        answer = super().predict(path, spec, feeds, warm, steps)
        if steps is not None:
            return answer
        state = np.asarray(self.asked[-1][1]["state"]) + 1
        p = np.array([[state.max() / 10]], np.float32)
        outputs = (OutputValue("p", "tensor", "float32", p),
                   OutputValue("stateN", "tensor", "float32", state))  # fmt: skip
        return Prediction(outputs, ("cpu",), 1_000_000, 0)


@pytest.fixture
def engine() -> CountingEngine:
    return CountingEngine()


@pytest.fixture
def speech(qtbot: QtBot, theme: Theme, tmp_path: Path, engine: CountingEngine) -> PreviewTab:
    real = TensorProto.FLOAT
    inputs = [
        helper.make_tensor_value_info("audio", real, [1, 100]),
        helper.make_tensor_value_info("state", real, [1, 4]),
    ]
    outputs = [
        helper.make_tensor_value_info("p", real, [1, 1]),
        helper.make_tensor_value_info("stateN", real, [1, 4]),
    ]
    nodes = [helper.make_node("ReduceMean", ["audio"], ["p"]),
             helper.make_node("Identity", ["state"], ["stateN"])]  # fmt: skip
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    onnx.save(helper.make_model(graph), tmp_path / "speech.onnx")
    document = opened(qtbot, tmp_path / "speech.onnx", engine)
    return tabs.shown(qtbot, theme, document)


@pytest.fixture
def wav(tmp_path: Path) -> Path:
    samples: NDArray[np.int16] = (np.sin(np.arange(800) / 5) * 20_000).astype(np.int16)
    body = samples.tobytes()
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 16_000, 32_000, 2, 16)
    data = form + struct.pack("<4sI", b"data", len(body)) + body
    path = tmp_path / "tone.wav"
    path.write_bytes(struct.pack("<4sI4s", b"RIFF", len(data) + 4, b"WAVE") + data)
    return path


def editor(tab: PreviewTab, name: str) -> InputEditor:
    return tab.inputs.editors[name]


def sound(tab: PreviewTab) -> AudioEditor:
    found = editor(tab, "audio").sound
    assert found is not None
    return found


def test_a_model_of_sound_waits_for_one(speech, engine):
    assert editor(speech, "audio").wants_media
    assert not speech.outputs.card.predict.isEnabled()
    assert engine.asked == []


def test_a_whole_sound_goes_through_step_by_step(qtbot, speech, engine, wav):
    with qtbot.waitSignal(speech.predicting.answered):
        speech.use_file("audio", wav)
    assert [np.asarray(feeds["state"]).max() for _, feeds in engine.asked] == list(range(8))
    body = speech.findChild(OverTimeBody)
    assert body.isVisible()
    body.threshold.setValue(65)
    curve = sound(speech).wave.accessibleDescription()
    assert "tone.wav · 16,000 Hz" in curve
    told = body.caption
    assert "8 steps of 6.25 ms" in told
    assert "25.0% above the threshold, in 1 span" in told
    body.threshold.setValue(-5)
    assert body.threshold.value() == 0
    body.threshold.setValue(200)
    assert body.threshold.value() == 100


def test_another_hop_makes_other_steps(qtbot, speech, engine, wav):
    with qtbot.waitSignal(speech.predicting.answered):
        speech.use_file("audio", wav)
    engine.asked.clear()
    with qtbot.waitSignal(speech.predicting.answered):
        sound(speech).hop.setValue(50)
    assert len(engine.asked) == 15


def test_a_memory_goes_one_step_at_a_time_and_starts_again(qtbot, speech, engine):
    with qtbot.waitSignal(speech.predicting.answered):
        editor(speech, "audio").kind.choose(1)
        editor(speech, "audio").kind.chosen.emit(1)
    line = editor(speech, "state").state
    for _ in range(2):
        with qtbot.waitSignal(speech.predicting.answered):
            qtbot.mouseClick(line.step, Qt.MouseButton.LeftButton)
    assert np.asarray(engine.asked[-1][1]["state"]).max() == 2
    with qtbot.waitSignal(speech.predicting.answered):
        qtbot.mouseClick(line.restart, Qt.MouseButton.LeftButton)
    assert not np.asarray(engine.asked[-1][1]["state"]).any()


def test_a_hop_of_nothing_is_refused_in_place(speech):
    sound(speech).hop.setValue(0)
    assert sound(speech).framing.hop == 100
    assert "not a valid combination" in sound(speech).problem.text()


def test_a_sample_sound_fills_the_input_and_is_heard(qtbot, theme, samples):
    document = opened(qtbot, samples / "tones_sound.onnx")
    tab = tabs.shown(qtbot, theme, document)
    (editor,) = tab.findChildren(InputEditor)
    before = editor.sound.choice
    qtbot.mouseClick(editor.numbers.sample, Qt.MouseButton.LeftButton)
    assert editor.sound.choice is not None
    qtbot.mouseClick(editor.numbers.sample, Qt.MouseButton.LeftButton)
    assert editor.sound.choice != before, "the next sample"
