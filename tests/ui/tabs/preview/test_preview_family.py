"""The Preview on families of models: what is recognized, tried and assumed, and its undo."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.family_table import Family
from inspector.preview.outputs import results
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.preview.inputs.tensor_editor import NumberEditor
from inspector.ui.tabs.preview.outputs.class_bars import ClassBars
from inspector.ui.tabs.preview.outputs.output_list import FamilyCard
from inspector.ui.tabs.preview.prediction_pipeline import Answer
from inspector.ui.tabs.preview.tab import PreviewTab
from tests.preview.detectors import planted_cases, planted_models
from tests.preview.families import planted
from tests.preview.preprocessing.test_image_retry import detector
from tests.ui.tabs.preview import tabs


def opened(qtbot: QtBot, path: Path) -> Document:
    document = Document(path, RunSpec(), EngineProcess)
    with qtbot.waitSignals(
        [document.changed(Topic.MODEL), document.changed(Topic.DIGEST)], timeout=20_000
    ):
        document.open()
    return document


def answer_to(qtbot: QtBot, tab: PreviewTab, name: str, path: Path) -> Answer:
    heard: list[Answer] = []
    tab.predicting.answered.connect(heard.append)
    tab.use_file(name, path)
    document: Any = tab.document

    def there() -> bool:
        sources = document.sources
        return bool(heard) and not tab.predicting.busy and sources[name].value == path.name

    qtbot.waitUntil(there, timeout=60_000)
    return heard[-1]


def test_a_recognized_family_is_shown_with_its_answer_and_assumptions(qtbot, theme, tmp_path):
    document = opened(qtbot, planted.wav2vec2(tmp_path / "speech.onnx", "float32"))
    tab = tabs.answered(qtbot, theme, document)
    answer_to(qtbot, tab, "input_values", planted.tone(tmp_path / "tone.wav"))
    card = tab.outputs.family
    assert card.isVisible()
    assert card.name.text() == "Recognized as wav2vec 2.0 (CTC)"
    assert card.answer.text().startswith('"HELLO WORLD"')
    assumptions = tab.outputs.assumptions
    assert "the letters of facebook/wav2vec2-base-960h" in assumptions.assumed.text()
    assert not assumptions.undo.isVisible()
    document.close()


def test_an_answer_that_says_nothing_is_told_unless_other_preprocessing_gave_it(theme):
    family = Family("asr", "Speech", "16 kHz", "its authors", lambda _: True)
    card, answer = FamilyCard(theme), FamilyAnswer(family, flat="only blanks")
    card.show_answer(answer, "")
    assert card.tried.text() == "The result is not meaningful: only blanks."
    card.show_answer(answer, "used 8 kHz")
    assert card.tried.text() == "Used 8 kHz."
    card.show_answer(FamilyAnswer(family), "")
    assert card.tried.text() == ""


def test_other_preprocessing_is_tried_unasked_and_told(qtbot, theme, tmp_path):
    document = opened(qtbot, planted.nan_unless(tmp_path / "vad.onnx", 288))
    tab = tabs.shown(qtbot, theme, document)
    answer = answer_to(qtbot, tab, "input", planted.tone(tmp_path / "tone.wav"))
    array = answer.prediction.outputs[0].array
    assert np.isfinite(array.astype(float)).all()
    assert tab.outputs.family.tried.text() == (
        "The guessed preprocessing gave NaN; 8,000 Hz with windows of 288 gives a result, and "
        "is shown instead."
    )
    document.close()


def test_a_range_without_boxes_is_replaced_and_undo_brings_the_guess_back(
    qtbot, theme, tmp_path
):
    path = tmp_path / "unknown.onnx"
    detector(path)
    document = opened(qtbot, path)
    tab = tabs.shown(qtbot, theme, document)
    image = planted.image(tmp_path / "gray.png")
    answer = answer_to(qtbot, tab, "images", image)
    assert len(answer.scene.scene.boxes) == 1
    card = tab.outputs.family
    assert card.tried.text() == "Used RGB 0..255, because RGB 0..1 gave no boxes."
    assert card.undo_retry.isVisible()
    editor = tab.inputs.editors["images"].picture
    assert editor.preparation.scale.value == "255"
    assert editor.preparation.preparation.scale == "1"
    with qtbot.waitSignal(tab.predicting.answered, timeout=60_000) as again:
        qtbot.mouseClick(card.undo_retry, Qt.MouseButton.LeftButton)
    (second,) = again.args
    assert second.scene.scene.boxes == ()
    assert not card.undo_retry.isVisible()
    assert card.tried.text() == ""
    assert editor.preparation.scale.value == "1"
    document.close()


def test_a_range_that_was_chosen_is_not_replaced(qtbot, theme, tmp_path):
    path = tmp_path / "unknown.onnx"
    detector(path)
    document = opened(qtbot, path)
    tab = tabs.shown(qtbot, theme, document)
    editor = tab.inputs.editors["images"].picture
    editor.preparation.show_preparation(
        replace(editor.preparation.preparation, scale="-1..1", why="as selected")
    )
    answer = answer_to(qtbot, tab, "images", planted.image(tmp_path / "gray.png"))
    assert answer.scene.scene.boxes == ()
    assert answer.retried == ""
    assert [results.IMAGE in reading.forms for reading in answer.readings] == [False, False]
    document.close()


def test_a_detector_gets_the_size_of_the_image_in_the_window(qtbot, theme, tmp_path):
    (case,) = (each for each in planted_cases.DETECTORS if each.planted.name == "yolo3_zoo")
    path = tmp_path / "yolo3.onnx"
    onnx.save(planted_models.model(case.planted, "float32"), path)
    document = opened(qtbot, path)
    tab = tabs.shown(qtbot, theme, document)
    answer = answer_to(qtbot, tab, "images", planted.image(tmp_path / "gray.png"))
    assert answer.scene is not None
    size = next(f for f in tab.predicting.filling.filled if f.name == "image_shape")
    width, height = case.planted.size
    assert size.array.tolist() == [[height, width]]
    document.close()


def test_assumed_labels_are_marked_and_one_click_undoes_them(qtbot, theme, tmp_path):
    document = opened(qtbot, planted.classifier(tmp_path / "net.onnx"))
    tab = tabs.shown(qtbot, theme, document)
    answer_to(qtbot, tab, "x", planted.image(tmp_path / "gray.png"))
    card = tab.outputs.assumptions
    assert (
        card.labels.text()
        == "Class names assumed: ImageNet, the only known list with 1,000 names."
    )
    (bars,) = tab.findChildren(ClassBars)
    assert bars.accessibleDescription().startswith("golden retriever")
    with qtbot.waitSignal(tab.predicting.answered):
        card.undo.click()
    assert "golden retriever" not in bars.accessibleDescription()
    assert not card.undo.isVisible()
    document.close()


def test_what_the_file_says_of_its_limits_stands_above_the_answer(qtbot, theme, samples):
    document = opened(qtbot, samples / "language_bert.onnx")
    tab = tabs.answered(qtbot, theme, document)
    assert "of 140 whole sentences" in tab.outputs.family.tried.text()
    (editor,) = tab.findChildren(NumberEditor)
    # The sentence that fills the input by default stands in the field.
    assert editor.text.text() == "The quick brown fox jumps over the lazy dog."
    document.close()
