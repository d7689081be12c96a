"""Fields of the settings panel follow what a backend declares."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.backends.base import BackendInfo
from inspector.backends.litert.info import LITERT
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from inspector.report.settings import Setting, SettingKind
from inspector.ui.documents.document import Document
from inspector.ui.tabs.performance.setting_fields import SettingFields
from inspector.ui.tabs.performance.settings import MeasureFields, MeasureSettings, spec_summary
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.theme import Theme
from tests.backends.fake_backend import CHAIN
from tests.conftest import ROOT
from tests.ui import made_documents

ALICE = ROOT / "sample_models" / "alice" / "model.onnx"
CPU = Device("cpu", "CPU", "cpu", "CPUExecutionProvider")
OPENVINO_CPU = Device("openvino:cpu", "CPU (OpenVINO)", "cpu", "OpenVINO")


@pytest.fixture
def document() -> Document:
    path = ROOT / "sample_models" / "digits_float32.onnx"
    return made_documents.document(path, made_documents.KeepingEngine())


def fields(qtbot: QtBot, theme: Theme, document: Document, info: BackendInfo) -> MeasureFields:
    made = MeasureFields(theme, document, info)
    qtbot.addWidget(made)
    made.show()
    return made


def test_every_setting_of_onnx_runtime_has_a_field_with_name_and_tooltip(
    qtbot, theme, document
):
    made = fields(qtbot, theme, document, ONNXRUNTIME)
    made.more.click()
    for setting in ONNXRUNTIME.settings:
        if setting.kind is SettingKind.SWITCH:
            action = made.backend.switches.switches[setting.name]
            assert (action.text(), bool(action.toolTip())) == (setting.title, True)
        else:
            field = made.backend[setting.name]
            assert field.isVisible(), setting.name
            assert field.accessibleName() == setting.title
            assert field.toolTip(), setting.name


def test_a_backend_with_one_setting_has_one_field(qtbot, theme, document):
    made = fields(qtbot, theme, document, CHAIN)
    assert list(made.backend.fields) == ["threads"]
    assert list(made.backend.switches.switches) == []


def test_a_new_choice_is_drawn_and_changes_the_spec(qtbot, theme, document):
    setting = Setting(
        "Source", SettingKind.CHOICE, name="load_from",
        choices=("path", "bytes"), titles=("File", "Bytes"),
    )  # fmt: skip
    drawn = SettingFields(document, (setting,))
    field = drawn["load_from"]
    assert isinstance(field, ChoiceField)
    qtbot.addWidget(field)
    assert [field.itemText(place) for place in range(field.count())] == ["File", "Bytes"]
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert document.spec.load_from == "bytes"
    document.set_spec(load_from="path")
    assert field.value == "path"


def test_a_count_follows_the_spec_and_sets_it(qtbot, theme, document):
    drawn = SettingFields(document, CHAIN.settings)
    field: QWidget = drawn["threads"]
    assert isinstance(field, NumberField)
    qtbot.addWidget(field)
    document.set_spec(threads=2)
    assert field.value() == 2
    field.setValue(1)
    assert document.spec.threads == 1


def test_choices_and_defaults_of_the_description_fit_the_spec():
    default = RunSpec()
    for setting in ONNXRUNTIME.settings:
        if setting.kind is SettingKind.CHOICE:
            assert getattr(default, setting.name) in setting.choices
            assert len(setting.titles) == len(setting.choices)


def test_a_device_of_another_runtime_brings_its_settings(qtbot, theme, document):
    card = MeasureSettings(theme, document)
    qtbot.addWidget(card)
    card.set_devices((CPU, OPENVINO_CPU))
    card.show()
    card.open(True)
    document.set_spec(optimization="basic", threads=2)
    card.fields.more.click()
    card.fields.device.show_value("openvino:cpu")
    card.fields.device.activated.emit(1)
    assert document.spec.devices == ("openvino:cpu",)
    assert (document.spec.optimization, document.spec.threads) == ("all", 2)
    assert "optimization" not in card.fields.backend.fields
    assert card.fields.backend["inference_precision"].isVisibleTo(card)
    assert card.fields.backend["streams"].isVisibleTo(card)
    summary = spec_summary(document.spec, document.runtime.name)
    assert summary.startswith("OpenVINO CPU · float32 · 2 threads")
    document.set_spec(devices=("cpu",))
    assert card.fields.backend["optimization"].isVisibleTo(card)


def test_sessions_and_asynchronous_calls_are_set_in_the_window(qtbot, theme, document):
    made = fields(qtbot, theme, document, ONNXRUNTIME)
    made.more.click()
    made.own["sessions"].setValue(4)
    made.own["run_async"].click()
    assert (document.spec.sessions, document.spec.run_async) == (4, True)
    assert "4 sessions · asynchronous calls" in spec_summary(document.spec)
    made = fields(qtbot, theme, document, CHAIN)
    made.more.click()
    assert "sessions" not in made.own.fields


def test_seconds_and_shares_are_offered_and_others_of_a_spec_are_added(qtbot, theme, document):
    made = fields(qtbot, theme, document, ONNXRUNTIME)
    texts = {name: made.own[name] for name in ("seconds", "steady", "until")}
    assert [field.currentText() for field in texts.values()] == ["None", "Off", "Off"]
    document.set_spec(seconds=0.5, steady=7.0, until=0.015)
    assert [field.currentText() for field in texts.values()] == ["0.5 s", "7 s", "±1.5%"]
    texts["until"].show_number(0.01)
    texts["until"].activated.emit(0)
    assert document.spec.until == 0.01
    assert document.spec.steady == 7.0


def test_what_a_runtime_cannot_do_is_not_offered(qtbot, theme, document):
    made = fields(qtbot, theme, document, LITERT)
    assert list(made.backend.switches.switches) == ["xnnpack"]
    assert "check" in made.own.fields
    assert not {"roofline", "synchronize", "run_async", "predict"} & set(made.own.fields)
    made = fields(qtbot, theme, document, ONNXRUNTIME)
    assert {"around_failures", "spinning"} <= set(made.backend.switches.switches)


@pytest.fixture
def decoder(qtbot: QtBot) -> Iterator[Document]:
    """The shipped language model, opened."""
    document = made_documents.document(ALICE, made_documents.KeepingEngine())
    document.open()
    qtbot.waitUntil(lambda: document.model is not None)
    yield document
    document.close()


def test_a_language_model_has_fields_for_its_tokens(qtbot, theme, decoder, document):
    made = fields(qtbot, theme, decoder, ONNXRUNTIME)
    tokens = made.generation
    assert [tokens[name].text() for name in ("prompt_tokens", "contexts")] == ["128", "0, 224"]
    assert tokens["new_tokens"].value() == 64
    assert not made.dimensions["past_sequence_length"].isVisible()
    assert re.search(
        r"[\d.]+ MiB at 0, [\d.]+ MiB at 128, [\d.]+ MiB at 224", made.inputs.text()
    )
    tokens["contexts"].clear()
    qtbot.keyClicks(tokens["contexts"], "16, 448")
    qtbot.keyClick(tokens["contexts"], Qt.Key.Key_Return)
    assert decoder.spec.contexts == (16, 448)
    qtbot.keyClicks(tokens["contexts"], ", 449")
    qtbot.keyClick(tokens["contexts"], Qt.Key.Key_Return)
    assert made.inputs.property("role") == "caution"  # 513 tokens; 512 fit
    tokens["prompt_tokens"].setText("12, x")
    qtbot.keyClick(tokens["prompt_tokens"], Qt.Key.Key_Return)
    assert decoder.spec.prompt_tokens == (128,)
    assert "'x'" in tokens["prompt_tokens"].accessibleDescription()
    other = fields(qtbot, theme, document, ONNXRUNTIME)
    assert not other.generation["contexts"].isVisible()
    assert not other.by.isVisible()


def test_a_language_model_can_be_measured_as_one_run_of_its_graph(qtbot, theme, decoder):
    made = fields(qtbot, theme, decoder, ONNXRUNTIME)
    qtbot.keyClick(made.by, Qt.Key.Key_Down)
    assert not decoder.spec.generates
    assert decoder.spec.runs == RunSpec().runs
    assert made.dimensions["past_sequence_length"].isVisible()
    assert not made.generation["contexts"].isVisible()
    decoder.set_spec(devices=("openvino:cpu",))  # which measures no tokens
    decoder.set_spec(devices=("cpu",))
    assert not decoder.spec.generates
    qtbot.keyClick(made.by, Qt.Key.Key_Up)
    assert (decoder.spec.contexts, decoder.spec.dimensions) == ((0, 224), ())
