"""Longer texts, and writing from right to left: nothing is cut, nothing is pushed out."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolButton, QWidget

from inspector.ui import translate
from inspector.ui.widgets.parts import Elided, Segmented
from inspector.ui.widgets.theme import font
from tests.ui.every_page import every_page

SMALL = QSize(1100, 700)
ROUNDING = 1  # px
pytestmark = pytest.mark.slow


@pytest.fixture
def pseudo(qapp: QApplication) -> Iterator[None]:
    translate.install_pseudo()
    yield
    translate.remove_pseudo()


@pytest.fixture
def from_right(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def cut(page: QWidget) -> list[str]:
    """Describe the texts that have less room than they need; dots at the end are no cut."""
    found = []
    for _ in range(3):  # a page whose rows wrap is laid out more than once
        QApplication.sendPostedEvents()
        QApplication.processEvents()
    for widget in page.findChildren(QWidget):
        if isinstance(widget, Elided | QToolButton) or not widget.isVisible():
            continue
        if isinstance(widget, Segmented):
            metrics = QFontMetrics(font(13, 500))
            fits = all(
                metrics.horizontalAdvance(widget.item_name(n)) <= widget.item_box(n).width() - 4
                for n in range(widget.item_count())
            )
            found += [] if fits else [f"tabs {widget.accessibleName()}"]
            continue
        if isinstance(widget, QLabel) and widget.text() and widget.pixmap().isNull():
            if widget.wordWrap():
                fits = widget.heightForWidth(widget.width()) <= widget.height() + ROUNDING
            else:
                fits = widget.sizeHint().width() <= widget.width() + ROUNDING
        elif isinstance(widget, QAbstractButton) and widget.text():
            fits = widget.sizeHint().width() <= widget.width() + ROUNDING
        else:
            continue
        if not fits:
            room = f"{widget.sizeHint().width()} in {widget.width()} px"
            found.append(f"{widget.text()[:60]}: {room}, {type(widget.parent()).__name__}")
    return found


def outside(page: QWidget) -> list[str]:
    """Describe buttons that lie beyond the edges of the page they are on."""
    found = []
    for button in page.findChildren(QAbstractButton):
        parent = button.parentWidget()
        if button.isVisible() and parent is not None:
            place = QRect(button.mapTo(page, button.rect().topLeft()), button.size())
            if place.left() < 0 or place.right() > page.width():
                found.append(f"{button.accessibleName() or button.text()} at {place.x()}")
    return found


def overlapping(bar: QWidget) -> list[str]:
    """Describe the parts of a bar that lie over one another."""
    parts = [each for each in bar.findChildren(QWidget) if each.isVisible()]
    parts = [each for each in parts if each.parentWidget() is bar]
    return [
        f"{one.accessibleName()} over {other.accessibleName()}"
        for one, other in combinations(parts, 2)
        if one.geometry().intersects(other.geometry())
    ]


def test_no_text_is_cut_in_a_longer_language(pseudo, qtbot, window, samples, tmp_path):
    window.resize(SMALL)
    found = {}
    for name, page in every_page(qtbot, window, samples, tmp_path):
        found[name] = [*cut(page), *outside(page), *overlapping(window.top_bar)]
    problems = [f"{name}: {text}" for name, texts in found.items() for text in texts]
    assert not problems, "\n".join(problems)
    assert window.size() == SMALL


def test_every_page_is_laid_out_from_right_to_left(
    from_right, qtbot, window, samples, tmp_path
):
    window.resize(SMALL)
    found = {}
    for name, page in every_page(qtbot, window, samples, tmp_path):
        assert not page.grab().isNull()
        found[name] = [*cut(page), *outside(page)]
    problems = [f"{name}: {text}" for name, texts in found.items() for text in texts]
    assert not problems, "\n".join(problems)
    bar = window.top_bar
    assert bar.menu_button.x() > bar.measure_button.x()
