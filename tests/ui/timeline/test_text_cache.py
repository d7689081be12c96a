"""Words of the timeline are pictures that look as if they were written."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from inspector.ui.timeline.render.pixel_blocks import is_raster, ratio_of
from inspector.ui.timeline.render.text_cache import count, cut, laid, laid_number, write
from inspector.ui.widgets.theme import font

TINT, LEFT, MIDDLE = "#336699", 20, 18


def blank(ratio: float) -> QImage:
    made = QImage(round(200 * ratio), round(40 * ratio), QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.white)
    return made


def values(image: QImage) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    lines = np.frombuffer(image.constBits(), np.uint8)
    return lines.reshape(image.height(), -1, 4)[:, : image.width(), :3]


def inks(words: str, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """How dark each pixel is of words that we lay, and of the same that Qt writes."""
    text = laid(words, 11, 500)
    drawn, written = blank(ratio), blank(ratio)
    painter = QPainter(drawn)
    write(painter, [(text, LEFT, MIDDLE, TINT)])
    painter.end()
    painter = QPainter(written)
    painter.setFont(font(11, 500))
    painter.setPen(QColor(TINT))
    top = round(MIDDLE - text.height / 2)
    painter.drawText(QPointF(LEFT, top + text.ascent), words)
    painter.end()
    ours, theirs = (255 - values(image).astype(int) for image in (drawn, written))
    return ours, theirs


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("words", ["block.7/conv", "Ag|jÅ 12.5 µs", "日本語"])
def test_a_picture_of_words_looks_as_if_they_were_written(qtbot, words, ratio):
    ink, wanted = inks(words, ratio)
    assert wanted.max() > 120, "there are letters"
    assert ink.sum() == pytest.approx(wanted.sum(), rel=0.1)
    if ratio != 1.5:  # else letters may begin within a pixel
        assert np.abs(ink - wanted).max() <= 32, "Qt smooths letters a little less on nothing"


def test_words_keep_their_letters_where_nothing_is_a_pixel(qtbot, tmp_path):
    path = f"{tmp_path}/words.svg"
    made = QSvgGenerator()
    made.setFileName(path)
    painter = QPainter(made)
    write(painter, [(laid("block.7/conv", 11), LEFT, MIDDLE, TINT)])
    painter.end()
    with open(path) as file:
        told = file.read()
    assert "block.7/conv" in told
    assert TINT in told
    assert "<image" not in told


def test_lines_and_pixels_are_told_apart(qtbot, tmp_path):
    lines = QSvgGenerator()
    lines.setFileName(f"{tmp_path}/lines.svg")
    sheet = QPdfWriter(f"{tmp_path}/sheet.pdf")
    for device, pixels in ((lines, False), (sheet, False), (blank(1), True), (blank(2), True)):
        painter = QPainter(device)
        assert is_raster(painter) is pixels
        painter.end()


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_a_widget_in_a_picture_is_told_the_pixels_of_the_picture(qtbot, ratio):
    told = []

    class Drawn(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            told.append(ratio_of(QPainter(self)))

    drawn = Drawn()
    qtbot.addWidget(drawn)
    drawn.resize(40, 20)
    drawn.render(blank(ratio))
    assert told == [ratio]


def test_what_is_cut_fits_and_keeps_both_ends(qtbot):
    name = "encoder.layers.17.attention"
    assert cut(name, 1000, 11) == name
    short = cut(name, 80, 11)
    assert laid(short, 11).width <= 80
    assert (short[0], short[-1]) == (name[0], name[-1])


@pytest.mark.parametrize("words", ["331 ms", "0.125 µs", "1,204", "11.1 s", "9.98 MiB", "50%"])
def test_a_number_is_as_wide_as_its_letters(qtbot, words):
    told, wanted = laid_number(words, 11), laid(words, 11)
    assert told.width == pytest.approx(wanted.width, abs=0.01)
    assert (told.text, told.height, told.ascent) == (words, wanted.height, wanted.ascent)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_words_on_a_ground_of_their_own_have_the_same_letters(qtbot, ratio):
    pictures = []
    for ground in ("", "#FFCC88"):
        canvas = blank(ratio)
        canvas.fill(QColor("#FFCC88"))
        painter = QPainter(canvas)
        write(painter, [(laid("MemcpyToHost", 11, 500), LEFT, MIDDLE, TINT)], ground)
        painter.end()
        pictures.append(values(canvas).astype(int))
    assert np.abs(pictures[0] - pictures[1]).max() <= 2
    canvas = blank(ratio)
    painter = QPainter(canvas)
    write(painter, [(laid("MemcpyToHost", 11, 500), LEFT, MIDDLE, TINT)], "#FFCC88")
    painter.end()
    beside = canvas.pixelColor(round((LEFT - 2) * ratio), round(MIDDLE * ratio))
    assert beside == QColor("#FFCC88")


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize(
    "words", ["331 ms", "1.25 µs", "12.5 ms", "1,204", "9.98 MiB", "50%", "–", "unused"]
)
def test_a_number_that_counts_looks_like_one_that_stays(qtbot, words, ratio):
    pictures = []
    for counting in (False, True):
        canvas = blank(ratio)
        painter = QPainter(canvas)
        if counting:
            count(painter, [(words, LEFT + 0.3, MIDDLE)], 11, TINT, ratio)
        else:
            write(painter, [(laid_number(words, 11), LEFT + 0.3, MIDDLE, TINT)])
        painter.end()
        pictures.append(values(canvas).astype(int))
    assert pictures[0].min() < 150, "there are letters"
    assert np.abs(pictures[0] - pictures[1]).max() == 0


def test_no_letter_is_cut_off_where_others_end(qtbot):
    reaching = "gjpqy{|}[]()@Q,;/ÅÉŷ"
    for letter in reaching:
        ink, wanted = inks(letter, 1)
        assert np.abs(ink - wanted).max() <= 32, letter
