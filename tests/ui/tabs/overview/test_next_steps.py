"""What Overview offers next, under clicks."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.devices import targets
from inspector.analysis.devices.support_summary import DeviceSupport, Refusal
from inspector.analysis.devices.targets import TargetSupport
from inspector.analysis.facts.shapes import Shapes
from inspector.app import estimates
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.errors import EngineFailed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.runs.folder import Summary
from inspector.report.environment import SystemLoad
from inspector.report.language.speed import GenerationSpeed, SpeedRow
from inspector.report.report_values import Device
from inspector.report.run_spec import Dimension, InputSource
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.tabs.overview import next_steps
from inspector.ui.tabs.overview.next_steps import NextStepsCard, Proof, SupportCard
from inspector.ui.tabs.overview.tab import NumbersRow, OverviewTab
from inspector.wording.support_marks import Rule
from tests.reports import example_report
from tests.ui.made_documents import opened

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def digits(qtbot: QtBot, samples: Path) -> Document:
    return opened(qtbot, samples / "digits_float32.onnx")


def words(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def test_each_question_leads_to_its_answer(qtbot, theme, digits, ran):
    card = NextStepsCard(theme, digits)
    qtbot.addWidget(card)
    card.show()
    for target in ("preview", "performance", "improve", "code", "support"):
        qtbot.mouseClick(card.links[target], LEFT)
    tabs = [("tab/preview",), ("tab/performance",), ("tab/improve",)]
    assert ran == [*tabs, ("code",), ("support",)]


def test_steps_that_are_done_say_what_came_of_them(qtbot, theme, digits):
    card, proof = NextStepsCard(theme, digits), Proof(theme, digits, image=True)
    qtbot.addWidget(card)
    qtbot.addWidget(proof)
    before = card.states["preview"].accessibleName()
    digits.keep_folder_result(Path("test"), Summary(500, 500, 500, 473, 500, 0, 0, 1000), ())
    text = "94.6% of 500 labeled inputs right"
    assert proof.answer.text() == "500 files"
    assert card.states["preview"].accessibleName() == text != before
    assert proof.accuracy.accessibleName() == text
    digits.add_report(example_report())
    assert card.states["performance"].accessibleName().startswith("Measured: 1.85 ms")
    summary = DeviceSupport(Device("", "", "", ""), 2, 2, (), ())
    made = TargetSupport(targets.TARGETS[0], "coreml", "", summary, (0, 1), (), 0)
    half = structs.replace(
        summary, supported_layers=1, refusals=(Refusal("Erf", Rule.OPERATOR, "", 1),)
    )
    card.note_support([made, structs.replace(made, target=targets.TARGETS[1], summary=half)])
    assert card.states["support"].accessibleName() == "iPhone: Yes · Android: Partly on the CPU"


def test_a_noisy_measurement_is_no_answer_with_a_green_sign(qtbot, theme, digits):
    card = NextStepsCard(theme, digits)
    qtbot.addWidget(card)
    sign = card._signs["performance"]
    for others, sure in ((0.0, True), (0.4, False)):
        digits.add_report(example_report(surroundings=SystemLoad(others=others)))
        card.follow()
        assert sign.isHidden() is not sure
        assert ("noisy" in card.states["performance"].accessibleName()) is not sure


def test_the_proof_is_the_class_of_the_last_prediction(qtbot, theme, digits):
    proof = Proof(theme, digits, image=True)
    qtbot.addWidget(proof)
    assert proof.answer.text() == "Not tried yet"
    scores = np.zeros((1, 10), np.float32)
    scores[0, 3], scores[0, 5] = 0.75, 0.25
    output = OutputValue("probabilities", "tensor", "float32", scores)
    digits.prediction = Prediction((output,), ("cpu",), 1_000, 0)
    digits.sources = {"picture": InputSource("picture", "three.png")}
    digits.tell(Topic.PREDICTION)
    assert (proof.answer.text(), proof.value.text()) == ("3", "75.00%")
    assert proof.source.text() == "from three.png"
    digits.outdate_prediction(EngineFailed("Could not run the model"))
    assert (proof.title.text(), proof.answer.isEnabled()) == ("Previous result", False)
    assert proof.source.text() == "The new input has no result"
    digits.outdated = None
    digits.tell(Topic.PREDICTION)
    assert (proof.title.text(), proof.answer.isEnabled()) == ("Prediction", True)


def test_own_images_are_chosen_in_a_dialog(qtbot, theme, digits, samples, monkeypatch, ran):
    images = [samples / "inputs" / name for name in ("digit_3.png", "boot.png")]
    names = [*map(str, images)]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (names, ""))
    tab = OverviewTab(theme, digits)
    qtbot.addWidget(tab)
    tab.show()
    proof = tab.findChild(Proof)
    qtbot.mouseClick(proof.open, LEFT)
    assert ran == [("try", *images)]


def test_device_support_is_checked_on_demand(qtbot, theme, digits, monkeypatch, ran):
    def inferred(_: object, path: Path, __: object, lengths: Mapping[str, int]) -> Shapes:
        return infer(path, tuple(Dimension(*each) for each in lengths.items()))

    monkeypatch.setattr(estimates, "shapes_at", inferred)
    card = SupportCard(theme, digits)
    qtbot.addWidget(card)
    card.show()
    assert "not measured" in words(card)
    assert words(card).count("not checked") == 6
    qtbot.mouseClick(card.check, LEFT)
    qtbot.waitUntil(lambda: not card.check.isVisible())
    shown = [text for text in words(card) if text.startswith(("Yes", "Partly", "No"))]
    assert shown[1] == "Yes · 15 of 15"  # Android, which needs fixed shapes
    # On a CPU that a provider does not know everything of, the runtime runs the rest.
    assert re.fullmatch(r"Yes · all 15, including \d with XNNPACK", shown[2])
    assert "15 layers · estimated" in words(card)
    assert card.assumed.text() == "Assumes batch = 1"
    assert digits.support_checked
    again = SupportCard(theme, digits)  # as after a restart
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: "15 layers · estimated" in words(again))
    digits.support_checked = False
    monkeypatch.setattr(next_steps, "CHECK_AFTER_MS", 1)
    digits.work = Work.MEASURING
    looked_at = SupportCard(theme, digits)
    qtbot.addWidget(looked_at)
    looked_at.show()
    qtbot.wait(20)
    assert looked_at.check.isEnabled(), "a measurement is not disturbed"
    digits.work = None
    qtbot.waitUntil(lambda: "15 layers · estimated" in words(looked_at))
    qtbot.mouseClick(card.fix, LEFT)
    ((id_, step),) = ran
    assert (id_, step.text) == ("improve/offer", "fix-axes:batch=1")
    digits.add_report(example_report())
    assert any(
        re.fullmatch(r"12 layers ran, \d fused or removed", text) for text in words(card)
    )


def test_the_five_numbers_follow_a_measurement(qtbot, theme, digits):
    assert digits.model is not None
    assert digits.facts is not None
    row = NumbersRow(theme, digits, digits.model, digits.facts)
    qtbot.addWidget(row)
    row.resize(1000, 92)
    row.show()
    assert row.latency.accessibleDescription().endswith("not measured")
    digits.add_report(example_report())
    assert row.latency.accessibleDescription().startswith("1.85 ms, median")
    steps = ((75_000,) * 9 + (90_000,) * 3,) * 4
    spoken = GenerationSpeed((SpeedRow(0, 224, step_ns=steps),))
    digits.add_report(replace(example_report(), generation=spoken))
    assert row.latency.accessibleDescription().startswith("75.0 µs, per token at context 224")
    cards = (row.latency, row.disk, row.parameters, row.macs, row.runtime)
    qtbot.waitUntil(lambda: len({card.y() for card in cards}) == 1)
