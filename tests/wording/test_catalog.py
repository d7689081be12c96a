"""Pages in other languages: texts, sentences, nouns and numbers."""

import pytest

from inspector.wording import catalog
from inspector.wording.values import Count, Duration, DurationRange, Name, Sentence, Share
from tools import make_catalogue

GERMAN = catalog.wording("de")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Slowest layers", "Langsamste Schichten"),
        (Count(1, "layer"), "1 Schicht"),
        (Count(12345, "layer"), "12.345 Schichten"),
        (Count(1, "more layer"), "1 weitere Schicht"),
        (Duration(2_310_000), "2,31 ms"),
        (DurationRange(2_310_000, 2_350_000), "2,31 ms bis 2,35 ms"),
        (Share(0.023), "2,3%"),
        (Name("Slowest layers"), "Slowest layers"),
        (Name("1.5 ms"), "1.5 ms"),
        ("ONNX Runtime 1.24 took 1.5 ms", "ONNX Runtime 1.24 took 1,5 ms"),
        (Sentence("{source}, not part of the timing", Name("a.png")),
         "a.png, nicht Teil der Zeitmessung"),
        ("Nobody translated this.", "Nobody translated this."),
    ],
)  # fmt: skip
def test_a_value_is_written_in_german(value, text):
    assert GERMAN.text(value) == text


def test_what_is_left_out_is_counted_in_the_language():
    assert GERMAN.more(12, "layer") == "und 12 weitere Schichten"


def test_an_unknown_language_is_english():
    assert catalog.wording("xx").text(Count(2, "layer")) == "2 layers"
    assert catalog.languages()[:2] == ("en", "de")


@pytest.mark.slow  # A check before a release, as for the window's texts
def test_every_text_of_a_page_is_translated():
    assert [*make_catalogue.untranslated_pages("de")] == []
