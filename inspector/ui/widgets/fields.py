"""Number fields, drop-down lists and sliders that let the page scroll under the wheel.

Fields of the window are made of these classes only: of Qt's own, one that is scrolled past
takes the focus, and the wheel changes its value.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from inspector.ui.translate import tr, tr_message

NARROWEST = 60


if TYPE_CHECKING:  # Qt's fields are widgets already, and take no second one as a base
    _Widget = QWidget
else:
    _Widget = object


class _WheelNeedsFocus(_Widget):
    """A field whose value the wheel changes only where it has the focus already."""

    def __init__(self) -> None:
        super().__init__()
        # Qt's own policy gives a field the focus as the wheel gets to it.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Change the value only with focus; otherwise, the page scrolls."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class Slider(_WheelNeedsFocus, QSlider):
    """A value between two others that are whole numbers."""

    def __init__(self, name: str, largest: int, value: int = 0) -> None:
        super().__init__()
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, largest)
        self.setValue(value)
        self.setAccessibleName(name)


class NumberField(_WheelNeedsFocus, QSpinBox):
    """A whole number; says its value when it is finished, not with each digit.

    zero: words that stand for 0.
    """

    def __init__(self, name: str, largest: int, zero: str = "") -> None:
        super().__init__()
        self.setRange(0, largest)
        self.setSpecialValueText(zero)
        self.setAccessibleName(name)
        self.setMinimumWidth(NARROWEST)
        self.setKeyboardTracking(False)
        self.lineEdit().setAccessibleName(name)
        self.lineEdit().setTextMargins(7, 0, 4, 0)  # a style sheet's padding does not get here

    def setValue(self, value: int) -> None:
        """Show a value, at most the largest; Qt itself fails over 32 bits."""
        super().setValue(max(self.minimum(), min(value, self.maximum())))


class ChoiceField(_WheelNeedsFocus, QComboBox):
    """One of a few values, each with its words."""

    def __init__(self, name: str, values: Sequence[str], words: Sequence[str]) -> None:
        super().__init__()
        for value, text in zip(values, words, strict=True):
            self.addItem(tr_message(tr(text)), value)
        self._fitting: tuple[str, int] | None = None  # words that need no dots in this width
        self.setAccessibleName(name)
        self.setMinimumWidth(NARROWEST)
        self.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words with dots where they are cut; Qt cuts through a letter."""
        shown = self.currentText(), self.width()
        if shown == self._fitting:
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control = QStyle.ComplexControl.CC_ComboBox
        edit = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, edit, self).width()
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideMiddle, room
        )
        if option.currentText == shown[0]:
            self._fitting = shown
        painter = QStylePainter(self)
        painter.drawComplexControl(control, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    @property
    def value(self) -> str:
        """The chosen value."""
        return str(self.currentData())

    def show_value(self, value: str) -> None:
        """Choose without telling anybody."""
        self.setCurrentIndex(self.findData(value))


class NumbersField(QLineEdit):
    """Several numbers parted by commas; empty for none."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(tr("none"))
        self.setAccessibleName(name)
        self.setMinimumWidth(NARROWEST)

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers. Raises ValueError: something else stands there."""
        return tuple(map(float, self.text().replace(",", " ").split()))

    def show_values(self, values: Sequence[float]) -> None:
        """Show other numbers."""
        self.setText(", ".join(f"{value:g}" for value in values))
        self.setCursorPosition(0)  # or a narrow field hides how they begin


class CheckField(QCheckBox):
    """A box whose text ends in an ellipsis where there is little room; a tooltip has it all."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Return room for the box and a few letters."""
        return QSize(min(2 * NARROWEST, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box with what of its text fits."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter, element = QStylePainter(self), QStyle.SubElement.SE_CheckBoxContents
        room = self.style().subElementRect(element, option, self).width()
        whole = self.text()
        option.text = self.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room)
        if option.text != whole and not self.toolTip():
            self.setToolTip(whole)
        painter.drawControl(QStyle.ControlElement.CE_CheckBox, option)
