from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image

from inspector.pages.charts.drawing import Drawing, Label
from inspector.render import fonts as fonts_module
from inspector.render.fonts import runs, shown, width
from inspector.render.registry import export, picture
from tests.reports import example_report


def font(path: Path, written: str, fs_type: int = 0) -> None:
    """A font whose letters are all filled squares."""
    names = [".notdef", *(f"u{ord(letter):x}" for letter in written)]
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 700), (900, 700), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder(names)
    made.setupCharacterMap({ord(letter): f"u{ord(letter):x}" for letter in written})
    made.setupGlyf(dict.fromkeys(names, pen.glyph()))
    made.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "Squares", "styleName": "Regular"})
    made.setupOS2(fsType=fs_type)
    made.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(path)


@pytest.fixture(autouse=True)
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A system whose only fonts lie in this folder."""
    folder = tmp_path / "fonts"
    caches = (fonts_module._system_face, fonts_module._candidates, fonts_module._opened)
    monkeypatch.setattr(fonts_module, "_folders", lambda: (folder,))
    for one in caches:
        one.cache_clear()
    yield folder
    for one in caches:
        one.cache_clear()


def test_a_font_of_the_system_writes_what_ours_lacks(fonts):
    font(fonts / "squares.ttf", "卷积")
    parts = runs("conv/卷积 1")
    assert [(face.ours, part) for face, part in parts] == [
        (True, "conv/"), (False, "卷积"), (True, " 1"),
    ]  # fmt: skip
    assert width("卷积") == 2.0
    assert shown("卷乙") == "卷\\u4e59"


def test_letters_that_no_font_has_are_told_by_number():
    assert shown("Größe µs ≥ Жαβ →") == "Größe µs ≥ Жαβ →"
    assert shown("卷积 1") == "\\u5377\\u79ef 1"


def test_letters_that_change_beside_others_stay_numbers(fonts):
    font(fonts / "squares.ttf", "אبक卷")
    assert shown("אبक卷") == "\\u05d0\\u0628\\u0915卷"


@pytest.mark.parametrize("fs_type", [0x0002, 0x0100, 0x0200])
def test_a_font_that_must_not_be_embedded_is_left_alone(fonts, fs_type):
    font(fonts / "squares.ttf", "卷", fs_type)
    assert shown("卷") == "\\u5377"


def test_a_damaged_font_is_passed_over(fonts):
    font(fonts / "z.ttf", "卷")
    (fonts / "a.ttf").write_bytes((fonts / "z.ttf").read_bytes()[:200])
    (fonts / "b.ttc").write_bytes(b"ttcf\0\1\0\0\xff\xff\xff\xff")
    (fonts / "c.otf").write_bytes(b"")
    assert shown("卷") == "卷"


def test_a_document_holds_the_letters_of_that_font_and_says_what_it_cannot_write(fonts):
    report = example_report(notes=("Ran 卷积 first",))
    without = export(report, "pdf")
    font(fonts / "squares.ttf", "卷积")
    for one in (fonts_module._system_face, fonts_module._candidates):
        one.cache_clear()
    written = export(report, "pdf")
    assert written.count(b"/FontFile2") == without.count(b"/FontFile2") + 1
    assert b"Squares" in written


def test_a_picture_is_written_with_it_too(fonts):
    font(fonts / "squares.ttf", "卷")
    words = Label(40, 20, "卷", "#FF0000", 10, anchor="middle")
    body = picture(Drawing("one", 80, 30, (words,)), "png")
    image = np.asarray(Image.open(BytesIO(body)).convert("RGB"))
    red = np.argwhere((image == (255, 0, 0)).all(axis=2))
    low, high = red[:, 1].min(), red[:, 1].max()
    assert high - low in (16, 17, 18)
    assert abs((low + high) / 2 - 79) < 2
