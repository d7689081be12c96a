"""Light and dark are changed without polishing everything over and over."""

import re

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QTextLayout
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.palette import DARK, LIGHT, contrast
from inspector.platform import files
from inspector.render import svg
from inspector.ui.widgets.parts import Metric, label
from inspector.ui.widgets.table import draw_name
from inspector.ui.widgets.theme import font, stylesheet

DEEP = 12


class Counting(QWidget):
    """Counts how often its style became another one."""

    def __init__(self) -> None:
        super().__init__()
        self.changes = 0

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.StyleChange:
            self.changes += 1


def nested(qtbot: QtBot) -> tuple[Counting, QWidget]:
    top = QWidget()
    qtbot.addWidget(top)
    outer: QWidget = top
    for _ in range(DEEP):
        inner = Counting()
        QVBoxLayout(outer).addWidget(inner)
        outer = inner
    assert isinstance(outer, Counting)
    top.show()
    return outer, top


def test_what_lies_deep_is_polished_no_more_often_than_what_lies_on_top(qtbot, theme):
    deepest, _top = nested(qtbot)
    deepest.changes = 0
    theme.choose("dark")
    assert 0 < deepest.changes <= DEEP / 2


def test_words_wear_the_color_of_the_theme_that_was_chosen_last(qtbot, theme):
    words = label("words", "secondary")
    qtbot.addWidget(words)
    words.show()
    for choice, look in (("dark", DARK), ("light", LIGHT), ("dark", DARK)):
        theme.choose(choice)
        assert words.palette().windowText().color().name().upper() == look.secondary
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        assert application.palette().window().color().name().upper() == look.window


def glyphs(text: str, chosen: QFont) -> list[int]:
    layout = QTextLayout(text, chosen)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return [glyph for run in layout.glyphRuns() for glyph in run.glyphIndexes()]


@pytest.mark.parametrize("text", ["expand1x1", "fire2/expand3x3", "a->b", "x != y", "0xff"])
def test_names_are_drawn_letter_by_letter(qtbot, theme, text):
    mono = QLabel(text)
    mono.setProperty("role", "mono")
    parts = [QLabel(text), mono, QPushButton(text), QLineEdit(text), QPlainTextEdit(text)]
    for part in parts:
        qtbot.addWidget(part)
        part.ensurePolished()
    painted = [font(size, weight, fixed) for size in (11, 13) for weight in (400, 600)
               for fixed in (False, True)]  # fmt: skip
    for chosen in (*painted, *(part.font() for part in parts)):
        alone = [glyph for letter in text for glyph in glyphs(letter, chosen)]
        assert glyphs(text, chosen) == alone, chosen.family()


def test_pictures_and_pages_draw_names_letter_by_letter():
    sheet = files.resource("report", "blocks.css").read_text("utf-8")
    assert '"calt" 0' in sheet
    assert "font-variant-ligatures: none" in sheet
    picture = svg.svg(Drawing("t", 10, 10, ())).decode()
    assert "font-variant-ligatures:none" in picture


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_button_and_field_has_an_outline_that_is_seen(palette):
    """Rules for a control that can be used draw its border at 3:1, or none at all."""
    controls = ("QPushButton", "QLineEdit", "QCheckBox", "QPlainTextEdit", "QScrollBar::handle")
    outlines = 0
    for selectors, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", stylesheet(palette)):
        edge = re.search(r"border: 1px solid (#\w+)", rule)
        used = ":disabled" not in selectors and "primary" not in selectors
        if edge and used and selectors.strip().startswith(controls):
            ground = re.search(r"background: (#\w+)", rule)
            outlines += 1
            assert contrast(edge[1], ground[1] if ground else palette.surface) >= 3, selectors
    assert outlines >= 6


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_buttons_are_readable_at_rest_and_below_the_pointer(palette):
    rules = re.findall(r"([^{}]+)\{([^{}]+)\}", stylesheet(palette))
    checked = 0
    for selectors, body in rules:
        ground = re.search(r"background: (#\w{6})", body)
        if "QPushButton" not in selectors or ground is None or ":disabled" in selectors:
            continue
        text = re.search(r"(?<![-\w])color: (#\w{6})", body)
        primary = "primary" in selectors
        shade = text[1] if text else "#FFFFFF" if primary else palette.text
        assert contrast(shade, ground[1]) >= 4.5, selectors
        checked += 1
    assert checked > 5


def test_words_keep_their_places_where_the_window_is_laid_out_from_right_to_left(qapp, theme):
    def shown() -> QImage:
        card = Metric(theme, "Load")
        card.resize(200, Metric.HEIGHT)
        card.show_value("12.3", "ms", "first run 570 µs")
        return card.grab().toImage()

    def name_end() -> int:
        """Return the last column with something of a name in a box of 200 px."""
        image = QImage(200, 20, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.palette.surface))
        with QPainter(image) as painter:
            painter.setLayoutDirection(qapp.layoutDirection())  # as the painter of a table
            painter.setFont(font(12))
            draw_name(painter, QRectF(image.rect()), "block1/conv", theme.palette)
        ground = image.pixel(0, 0)
        marked = [x for x in range(200) for y in range(20) if image.pixel(x, y) != ground]
        return max(marked)

    before, end = shown(), name_end()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        assert shown() == before
        assert name_end() > 190 > end
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
