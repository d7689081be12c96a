"""A text in letters of none of the languages among the classes gets a caution."""

import numpy as np
import pytest

from inspector.preview.families.scripts import foreign_script
from inspector.preview.inputs.feeds import Filled

LATIN = ("English", "German", "French", "Spanish")


@pytest.mark.parametrize(
    ("text", "labels", "script"),
    [
        ("これは日本語の文章です", LATIN, "Hiragana"),
        ("Это предложение", LATIN, "Cyrillic"),
        ("Это предложение", (*LATIN, "russian"), ""),
        ("Größe wie in Москва", LATIN, ""),
        ("123 ...", LATIN, ""),
        ("これは日本語です", ("cat", "dog"), ""),
    ],
)
def test_letters_of_no_known_language_are_named(text, labels, script):
    octets = np.frombuffer(text.encode() + bytes(4), np.uint8)
    said = foreign_script(Filled("text", "text", octets[None], dtype="uint8"), labels)
    assert (said is not None) == bool(script)
    assert said is None or f"most letters are {script}," in said
