"""Sentences that other packages made are translated by the templates they were made from."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.wording import catalog
from inspector.wording.message_patterns import Messages
from tools import make_catalogue

GERMAN = {
    "{share} of all time is in {layers}": "{share} der Zeit entfallen auf {layers}",
    "{count} layers": "{count} Schichten",
    "{count} {operator} layers": "{count} {operator}-Schichten",
    "{value}% of kernel time is in": "{value}% der Kernelzeit sind",
    "{some} of {all}": "{some} von {all}",
    "the CPU was busy": "die CPU war ausgelastet",
    "Measure again: {why}.": "Erneut messen: {why}.",
}
TRANSLATIONS = sorted(make_catalogue.FOLDER.glob("messages_*.json"))


@pytest.fixture
def messages() -> Messages:
    return Messages(GERMAN)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("the CPU was busy", "die CPU war ausgelastet"),
        ("62% of all time is in 3 layers", "62% der Zeit entfallen auf 3 Schichten"),
        (
            "62% of all time is in 3 Add layers",
            "62% der Zeit entfallen auf 3 Add-Schichten",
        ),
        (
            "62% of all time is in 3 layers. Measure again: the CPU was busy.",
            "62% der Zeit entfallen auf 3 Schichten. Erneut messen: die CPU war ausgelastet.",
        ),
        (
            "62% of kernel time is in 3 layers, here",
            "62% der Kernelzeit sind 3 Schichten, here",
        ),
        ("5 of 1,486", "5 von 1,486"),
        ("Ankle boot (3 layers)", "Ankle boot (3 Schichten)"),
        ("cup of tea", "cup of tea"),
        ("Add", "Add"),
        ("encoder/layer.0/output", "encoder/layer.0/output"),
        ("Nobody wrote this sentence.", "Nobody wrote this sentence."),
        ("Use it, or replace the layers.", "Use it, or replace the layers."),
    ],
)
def test_a_sentence_is_translated_by_its_template(
    messages: Messages, english: str, german: str
) -> None:
    assert messages.translated(english) == german


def test_templates_are_found_in_source_code(tmp_path: Path) -> None:
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
def test_each_translated_sentence_is_one_of_the_source_code() -> None:
    found = make_catalogue.collect_templates()
    assert "other programs used {share} of the CPU" in found
    assert not [text for text in found if len(text) > 400]
    found = make_catalogue.said(found)
    for path in TRANSLATIONS:
        gone = {*json.loads(path.read_text("utf-8"))} - found
        assert not gone, f"{path.name}: reword them as in the source code"


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_a_translation_has_no_fields_but_those_of_its_template(path: Path) -> None:
    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    translated = json.loads(path.read_text("utf-8"))
    wrong = [t for t, done in translated.items() if not fields(done) <= fields(t)]
    assert not wrong


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Outputs are nearly the same on 20 test inputs, not used for calibration (same top "
         "class on 18 of them; row 6 of y is off by 2.00% of its spread).",
         "Die Ausgaben sind fast gleich bei 20 Testeingaben, nicht zum Kalibrieren verwendet "
         "(gleiche beste Klasse bei 18 davon; Zeile 6 von y: Fehler 2.00% der Streuung)."),
        ("Outputs are broken on 6 typical inputs: columns 4 to 6 of y are always 0; y and 2 "
         "more are off by up to 270 times their spread; 1 more finding. Do not ship this.",
         "Die Ausgaben sind unbrauchbar bei 6 typischen Eingaben: Spalten 4 bis 6 von y: immer "
         "0; y und 2 weitere: Fehler bis zu 270-mal die Streuung; 1 weiterer Befund. Nicht "
         "ausliefern."),
    ],
)  # fmt: skip
def test_a_verdict_on_outputs_is_german_in_all_its_parts(english: str, german: str) -> None:
    point = replace(catalog.wording("de"), decimal_comma=False)
    assert point.text(english) == german
