"""Numbers, settings and types of a comparison as small tables of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector import units
from inspector.comparison.comparison import Comparison, Metric
from inspector.comparison.layer_changes import Transitions
from inspector.statistics.significance import Verdict
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, follow, label, tip
from inspector.ui.widgets.table import EDGE, INSET, ROW, as_lines, draw_ground
from inspector.ui.widgets.theme import Theme, colour, font

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
_WIDEST_NAME = 340  # pixels; "Latency, median at full CPU speed where possible" fits
SIGNS = {Verdict.SLOWER: "▲", Verdict.FASTER: "▼", Verdict.SAME: "≈",
         Verdict.NOISY: "?", Verdict.PACE: "?", Verdict.CONTRADICTED: "?"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: what it says, shown and spoken; tint is "", "good", "bad" or "strong"."""

    text: str
    tint: str = ""
    spoken: str = ""


class TextTable(QAbstractTableModel):
    """Rows of words: what is compared, then columns."""

    def __init__(
        self, theme: Theme, heads: Sequence[str], rows: Sequence[Sequence[Cell]]
    ) -> None:
        super().__init__()
        self._theme, self._heads, self._rows = theme, tuple(heads), tuple(map(tuple, rows))

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row for each thing compared."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return what it is, then the others."""
        return 0 if parent.isValid() else len(self._heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        return self._heads[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text; numbers to the right, gains green and losses red."""
        text = self._rows[index.row()][index.column()]
        palette = self._theme.palette
        tints = {"bad": palette.bad, "good": palette.good, "strong": palette.text}
        return {
            int(Qt.ItemDataRole.DisplayRole): text.text,
            int(Qt.ItemDataRole.AccessibleTextRole): text.spoken or text.text,
            int(Qt.ItemDataRole.ToolTipRole): tip(text.spoken or text.text),
            int(Qt.ItemDataRole.TextAlignmentRole): self._side(index.column()),
            int(Qt.ItemDataRole.ForegroundRole): QColor(
                tints.get(text.tint, palette.secondary)
            ),
        }.get(int(role))

    def _side(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class TextCells(QStyledItemDelegate):
    """Draws a cell with the insets and hairlines of the other tables."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw background, hairline and words."""
        palette = self._theme.palette
        box, chosen = draw_ground(painter, option, palette)
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        tint = index.data(Qt.ItemDataRole.ForegroundRole)
        painter.setFont(font(12, 500 if tint.name().upper() == palette.text.upper() else 400))
        painter.setPen(colour(palette.on_selection) if chosen else tint)
        inner = inset(box, index.column(), index.model().columnCount())
        elided = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(text, elided, inner.width() + 1)
        painter.drawText(inner, index.data(Qt.ItemDataRole.TextAlignmentRole), shown)


class TextHeader(QHeaderView):
    """Titles in one line, above their words."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setAccessibleName(tr("Column titles"))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setFixedHeight(ROW)

    def paintSection(self, painter: QPainter, rect: QRect, section: int, /) -> None:
        """Draw one title."""
        palette, model = self._theme.palette, self.model()
        painter.fillRect(rect, colour(palette.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), colour(palette.hairline))
        painter.setFont(font(11, 500))
        painter.setPen(colour(palette.secondary))
        across = Qt.Orientation.Horizontal
        side = model.headerData(section, across, Qt.ItemDataRole.TextAlignmentRole)
        text = str(model.headerData(section, across, Qt.ItemDataRole.DisplayRole))
        painter.drawText(inset(rect, section, model.columnCount()), side, text)


def inset(box: QRect, column: int, columns: int) -> QRect:
    """The part of a cell that is drawn in; both edges of the table are wider."""
    left, right = EDGE if column == 0 else INSET, EDGE if column == columns - 1 else INSET
    return box.adjusted(left, 0, -right, -1)


class TextCard(Card):
    """A heading over a table of words that is as high as it needs, or scrolls."""

    def __init__(
        self, theme: Theme, heading: str, table: TextTable, text: str = "", whole: bool = False
    ) -> None:
        super().__init__(theme, padding=1)
        title = label(heading, "heading")
        title.setContentsMargins(15, 11, 15, 3)
        self.body.addWidget(title)
        if text:
            value_text = label(text, "secondary")
            value_text.setWordWrap(True)
            value_text.setContentsMargins(15, 0, 15, 4)
            self.body.addWidget(value_text)
        self.table, self.model = QTableView(), table
        as_lines(self.table)
        self.table.setModel(table)
        self.table.setAccessibleName(heading)
        self.table.setHorizontalHeader(TextHeader(theme, self.table))
        self._fit_names()
        cells = TextCells(theme)
        cells.setParent(self.table)
        self.table.setItemDelegate(cells)
        self.body.addWidget(self.table, 1)
        if whole:
            self.table.setFixedHeight(ROW * (table.rowCount() + 1))
            self.table.setVisible(table.rowCount() > 0)
            self.body.setContentsMargins(1, 1, 1, 9)
        follow(theme, self, self.table.viewport().update)

    def _fit_names(self) -> None:
        """Make the first column as wide as its longest name, at most _WIDEST_NAME pixels."""
        header = self.table.horizontalHeader()
        if self.model.columnCount() < 3 or not self.model.rowCount():
            return
        metrics = QFontMetrics(font(12, 500))
        names = (
            str(self.model.data(self.model.index(row, 0)))
            for row in range(self.model.rowCount())
        )
        needed = max(map(metrics.horizontalAdvance, names)) + EDGE + INSET + 4
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(0, min(needed, _WIDEST_NAME))


def metrics(theme: Theme, comparison: Comparison, letters: Sequence[str]) -> TextTable:
    """Every metric: absolute, delta, ratio, and whether the difference is one."""
    heads = ["", letters[0]]
    for letter in letters[1:]:
        heads += [letter, f"{letter} − {letters[0]}"]
    if len(letters) == 2:  # with more reports there is only room for the signs
        heads.append(tr("Verdict"))
    return TextTable(theme, heads, [_metric_row(metric) for metric in comparison.shown_metrics])


def _metric_row(metric: Metric) -> list[Cell]:
    write = units.size if metric.unit == "bytes" else units.duration
    named = len(metric.values) == 2
    title = tr(metric.title)
    cells = [Cell(units.capitalized(title), "strong")]
    for side, value in enumerate(metric.values):
        value_text = tr("not measured") if value is None else write(value)
        cells.append(Cell(value_text, "strong"))
        if not side:
            continue
        delta, ratio = metric.delta(side), metric.ratio(side)
        judged = metric.judgements[side] if side < len(metric.judgements) else None
        if delta is None or ratio is None:
            cells.append(Cell(""))
            if named:
                cells.append(Cell(""))
            continue
        text = f"{units.signed(delta, write)}  {units.change(ratio)}" if delta else ""
        verdict = judged.verdict if judged else None
        tint = {Verdict.SLOWER: "bad", Verdict.FASTER: "good"}.get(verdict or Verdict.SAME, "")
        mark = SIGNS.get(verdict, " ") if verdict else " "
        accessible_text = f"{text or 'equal'}, {judged.label if judged else metric.not_tested}"
        cells.append(Cell(f"{text} {mark}".strip(), tint, accessible_text))
        if named:
            message = judged.label if judged else metric.not_tested
            cells.append(Cell(message.partition(":")[0], tint, message))
    return cells


def different_settings(
    theme: Theme, comparison: Comparison, letters: Sequence[str]
) -> TextTable:
    """Return what differs, a column for each report."""
    rows = [
        [Cell(p.name, "strong"), *(Cell(units.clip(value, 120)) for value in p.values)]
        for p in comparison.properties
        if not p.equal
    ]
    return TextTable(theme, ("", *letters), rows)


def same_settings(theme: Theme, comparison: Comparison) -> TextTable:
    """Return what is the same for all, told once."""
    rows = [
        [Cell(p.name, "strong"), Cell(units.clip(p.values[0], 160))]
        for p in comparison.properties
        if p.equal
    ]
    return TextTable(theme, ("", tr("Both") if len(comparison.names) == 2 else tr("All")), rows)


def compute_types(theme: Theme, transitions: Transitions, first: str, other: str) -> TextTable:
    """Layers by the type they computed in: the first report down, the other across."""
    rows = [
        [
            Cell(f"{first}: {name}", "strong"),
            *(
                Cell(f"{count:,}" if count else "·", "strong" if count else "")
                for count in counts
            ),
        ]
        for name, counts in zip(transitions.first, transitions.counts, strict=True)
    ]
    return TextTable(theme, ("", *(f"{other}: {name}" for name in transitions.other)), rows)
