"""Errors are translated by the templates that they were made from."""

import json
import re

import pytest

from inspector.wording.message_patterns import Messages
from tools import make_catalogue

GERMAN = {
    "Could not open {name}": "{name} konnte nicht geöffnet werden",
    "the file ends after {size}": "die Datei endet nach {size}",
    "Run {number} failed: {why}": "Run {number} ist fehlgeschlagen: {why}",
    "the CPU was busy": "die CPU war ausgelastet",
}
TRANSLATIONS = sorted(make_catalogue.FOLDER.glob("messages_*.json"))


@pytest.fixture
def messages() -> Messages:
    return Messages(GERMAN)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("the CPU was busy", "die CPU war ausgelastet"),
        ("Could not open net.onnx", "net.onnx konnte nicht geöffnet werden"),
        (
            "Run 3 failed: the file ends after 3 MB",
            "Run 3 ist fehlgeschlagen: die Datei endet nach 3 MB",
        ),
        ("The CPU was busy", "Die CPU war ausgelastet"),
        (
            "Could not open net.onnx. The file ends after 3 MB.",
            "net.onnx konnte nicht geöffnet werden. Die Datei endet nach 3 MB.",
        ),
        ("cup of tea", "cup of tea"),
        ("Add", "Add"),
        ("encoder/layer.0/output", "encoder/layer.0/output"),
        ("Nobody wrote this sentence.", "Nobody wrote this sentence."),
    ],
)
def test_an_error_is_translated_by_its_template(messages, english, german):
    assert messages.translated(english) == german


def test_templates_are_found_in_source_code(tmp_path):
    (tmp_path / "units.py").touch()
    (tmp_path / "errors.py").write_text('WHY = "the runtime is not installed"\n')
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis/finding.py").write_text(
        '''def finding(layers, share):
    """Return what this says to nobody."""
    return f"{share} of all time is in {units.plural(len(layers), 'layer')}"
'''
    )
    assert sorted(make_catalogue.collect_templates(tmp_path)) == [
        "the runtime is not installed",
        "{share} of all time is in {layers}",
    ]


@pytest.mark.slow
def test_each_translated_sentence_is_one_of_the_source_code():
    found = make_catalogue.collect_templates()
    assert "other programs used {share} of the CPU" in found
    assert not [text for text in found if len(text) > 400]
    found = make_catalogue.said(found)
    for path in TRANSLATIONS:
        gone = {*json.loads(path.read_text("utf-8"))} - found
        assert not gone, f"{path.name}: reword them as in the source code"


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_a_translation_has_no_fields_but_those_of_its_template(path):
    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    translated = json.loads(path.read_text("utf-8"))
    wrong = [t for t, done in translated.items() if not fields(done) <= fields(t)]
    assert not wrong
