"""What every table draws its rows with: ground, bar, badge, name; and one of plain cells."""

from PySide6.QtCore import QAbstractTableModel, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
)

from inspector.model.display_names import fit_name
from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import font, qt_color

ROW = 28  # px, height of a row
EDGE = 16  # px, beside the first cell
INSET = 8  # px, beside other cells
LINE = 24  # px, height of a row of a `ShortTable`
SHOWN_LINES = 10  # rows of a `ShortTable`; others are reached by scrolling
BADGE_PX = 18  # height
_BADGE_INSET = 6  # px, within a badge
_BESIDE_BADGE = 8  # px, before a badge
_BETWEEN = " / "  # scope and name


def as_lines(table: QTableView) -> None:
    """Make each row one line of text that is chosen as a whole."""
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)


def draw_ground(
    painter: QPainter, option: QStyleOptionViewItem, look: Palette
) -> tuple[QRect, bool]:
    """Draw background and hairline of a cell; its box, and whether it is selected."""
    box, chosen = option.rect, bool(option.state & QStyle.StateFlag.State_Selected)
    painter.fillRect(box, qt_color(look.selection if chosen else look.surface))
    painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), qt_color(look.hairline))
    return box, chosen


def draw_bar(
    painter: QPainter, track: QRectF, part: float, tint: str, look: Palette, chosen: bool
) -> None:
    """Draw a bar that is filled to a part, 0 to 1."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qt_color(look.text, 0.12) if chosen else qt_color(look.track))
    painter.drawRoundedRect(track, 3, 3)
    filled = QRectF(track)
    filled.setWidth(max(3.0, track.width() * part))
    painter.setBrush(qt_color(tint))
    painter.drawRoundedRect(filled, min(3.0, filled.width() / 2), 3)


def badge_width(text: str) -> float:
    """Return the width that a badge takes, with the gap in front of it."""
    inner = QFontMetrics(font(11, 500)).horizontalAdvance(text)
    return float(_BESIDE_BADGE + inner + 2 * _BADGE_INSET)


def draw_badge(painter: QPainter, box: QRectF, text: str, tint: str) -> None:
    """Draw a word in a rounded box of a light tint, behind the gap."""
    badge = box.adjusted(_BESIDE_BADGE, 0, 0, 0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qt_color(tint, 0.14))
    painter.drawRoundedRect(badge, 5, 5)
    painter.setPen(qt_color(tint))
    painter.setFont(font(11, 500))
    painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)


class ShortTable(QTableView):
    """Shows a model as it is, as tall as its rows up to ten of them.

    Whoever extends it says what its headers and keys do.

    around: height of all that is no line, in pixels.
    """

    def __init__(
        self,
        name: str,
        model: QAbstractTableModel,
        selection: QAbstractItemView.SelectionMode,
        around: int,
    ) -> None:
        super().__init__()
        self._around = around
        self.setModel(model)
        self.setAccessibleName(name)
        self.horizontalHeader().setAccessibleName(tr("Column titles"))
        self.verticalHeader().setAccessibleName(tr("Row titles"))
        for corner in self.findChildren(QAbstractButton):
            corner.setAccessibleName(tr("Select all"))
        self.setFont(font(11, mono=True))
        self.setSelectionMode(selection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().setDefaultSectionSize(LINE)
        for signal in (model.modelReset, model.rowsInserted):
            signal.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = min(SHOWN_LINES, max(1, self.model().rowCount()))
        self.setFixedHeight(self._around + lines * LINE)


def draw_name(
    painter: QPainter, box: QRectF, name: str, look: Palette, selected: bool = False
) -> float:
    """Draw a name in one line with the painter's font, its scope less prominent.

    What rows have in common gives way where there is little room. Returns the width that it
    took.
    """
    metrics, left = painter.fontMetrics(), Qt.AlignmentFlag.AlignVCenter
    available = int(box.width())
    scope, leaf = fit_name(units.clip(name), available, metrics.horizontalAdvance, _BETWEEN)
    before = painter.layoutDirection()
    width = metrics.horizontalAdvance((scope + _BETWEEN if scope else "") + leaf)
    if before == Qt.LayoutDirection.RightToLeft:  # a path is read from its left in any language
        box = box.adjusted(max(0.0, box.width() - width), 0, 0, 0)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    if scope:
        painter.setPen(qt_color(look.on_selection if selected else look.tertiary))
        painter.drawText(box, left, scope + _BETWEEN)
        box = box.adjusted(metrics.horizontalAdvance(scope + _BETWEEN), 0, 0, 0)
    painter.setPen(qt_color(look.on_selection if selected else look.text))
    painter.drawText(box, left, leaf)
    painter.setLayoutDirection(before)
    return min(float(width), float(available))
