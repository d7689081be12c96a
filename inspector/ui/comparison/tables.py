"""Numbers, settings and types of a comparison as small tables of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector import units
from inspector.compare import Comparison, Metric
from inspector.judge import Verdict
from inspector.layer_changes import Transitions
from inspector.ui.kit.parts import Card, follow, label, tip
from inspector.ui.kit.table import EDGE, INSET, ROW, as_lines, draw_ground
from inspector.ui.kit.theme import Theme, colour, font

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
SIGNS = {Verdict.SLOWER: "▲", Verdict.FASTER: "▼", Verdict.SAME: "≈",
         Verdict.NOISY: "?", Verdict.PACE: "?"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Words:
    """A cell: what it says, shown and spoken; tint is "", "good", "bad" or "strong"."""

    text: str
    tint: str = ""
    spoken: str = ""


class WordTable(QAbstractTableModel):
    """Rows of words: what is compared, then columns."""

    def __init__(
        self, theme: Theme, heads: Sequence[str], rows: Sequence[Sequence[Words]]
    ) -> None:
        super().__init__()
        self._theme, self._heads, self._rows = theme, tuple(heads), tuple(map(tuple, rows))

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row for each thing compared."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """What it is, then the others."""
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
        words = self._rows[index.row()][index.column()]
        look = self._theme.palette
        tints = {"bad": look.bad, "good": look.good, "strong": look.text}
        return {
            int(Qt.ItemDataRole.DisplayRole): words.text,
            int(Qt.ItemDataRole.AccessibleTextRole): words.spoken or words.text,
            int(Qt.ItemDataRole.ToolTipRole): tip(words.spoken or words.text),
            int(Qt.ItemDataRole.TextAlignmentRole): self._side(index.column()),
            int(Qt.ItemDataRole.ForegroundRole): QColor(tints.get(words.tint, look.secondary)),
        }.get(int(role))

    def _side(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class WordCells(QStyledItemDelegate):
    """Draws a cell with the insets and hairlines of the other tables."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw background, hairline and words."""
        look = self._theme.palette
        box, chosen = draw_ground(painter, option, look)
        words = str(index.data(Qt.ItemDataRole.DisplayRole))
        tint = index.data(Qt.ItemDataRole.ForegroundRole)
        painter.setFont(font(12, 500 if tint.name().upper() == look.text.upper() else 400))
        painter.setPen(colour(look.on_selection) if chosen else tint)
        inner = inset(box, index.column(), index.model().columnCount())
        elided = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(words, elided, inner.width() + 1)
        painter.drawText(inner, index.data(Qt.ItemDataRole.TextAlignmentRole), shown)


class WordHeader(QHeaderView):
    """Titles in one line, above their words."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setFixedHeight(ROW)

    def paintSection(self, painter: QPainter, rect: QRect, section: int, /) -> None:
        """Draw one title."""
        look, model = self._theme.palette, self.model()
        painter.fillRect(rect, colour(look.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), colour(look.hairline))
        painter.setFont(font(11, 500))
        painter.setPen(colour(look.secondary))
        across = Qt.Orientation.Horizontal
        side = model.headerData(section, across, Qt.ItemDataRole.TextAlignmentRole)
        words = str(model.headerData(section, across, Qt.ItemDataRole.DisplayRole))
        painter.drawText(inset(rect, section, model.columnCount()), side, words)


def inset(box: QRect, column: int, columns: int) -> QRect:
    """The part of a cell that is drawn in; both edges of the table are wider."""
    left, right = EDGE if column == 0 else INSET, EDGE if column == columns - 1 else INSET
    return box.adjusted(left, 0, -right, -1)


class WordCard(Card):
    """A heading over a table of words that is as high as it needs, or scrolls."""

    def __init__(
        self, theme: Theme, heading: str, table: WordTable, words: str = "", whole: bool = False
    ) -> None:
        super().__init__(theme, padding=1)
        title = label(heading, "heading")
        title.setContentsMargins(15, 11, 15, 3)
        self.body.addWidget(title)
        if words:
            told = label(words, "secondary")
            told.setWordWrap(True)
            told.setContentsMargins(15, 0, 15, 4)
            self.body.addWidget(told)
        self.table, self.model = QTableView(), table
        as_lines(self.table)
        self.table.setModel(table)
        self.table.setAccessibleName(heading)
        self.table.setHorizontalHeader(WordHeader(theme, self.table))
        cells = WordCells(theme)
        cells.setParent(self.table)
        self.table.setItemDelegate(cells)
        if whole:
            self.table.setFixedHeight(ROW * (table.rowCount() + 1))
            self.table.setVisible(table.rowCount() > 0)
            self.body.setContentsMargins(1, 1, 1, 9)
        self.body.addWidget(self.table, 1)
        follow(theme, self, self.table.viewport().update)


def numbers(theme: Theme, found: Comparison, letters: Sequence[str]) -> WordTable:
    """Every metric: absolute, delta, ratio, and whether the difference is one."""
    heads = ["", letters[0]]
    for letter in letters[1:]:
        heads += [letter, f"{letter} − {letters[0]}"]
    return WordTable(theme, heads, [_metric(metric) for metric in found.shown_metrics])


def _metric(metric: Metric) -> list[Words]:
    write = units.size if metric.unit == "bytes" else units.duration
    cells = [Words(metric.title[:1].upper() + metric.title[1:], "strong")]
    for side, value in enumerate(metric.values):
        told = "not measured" if value is None else write(value)
        cells.append(Words(told, "strong"))
        if not side:
            continue
        delta, ratio = metric.delta(side), metric.change(side)
        judged = metric.judgements[side] if side < len(metric.judgements) else None
        if delta is None or ratio is None:
            cells.append(Words(""))
            continue
        text = f"{units.signed(delta, write)}  {units.change(ratio)}" if delta else ""
        verdict = judged.verdict if judged else None
        tint = {Verdict.SLOWER: "bad", Verdict.FASTER: "good"}.get(verdict or Verdict.SAME, "")
        mark = SIGNS.get(verdict, " ") if verdict else " "
        spoken = f"{text or 'equal'}, {verdict.value if verdict else 'one value each'}"
        cells.append(Words(f"{text} {mark}".strip(), tint, spoken))
    return cells


def settings(theme: Theme, found: Comparison, letters: Sequence[str]) -> WordTable:
    """What differs, a column for each report."""
    rows = [
        [Words(p.name, "strong"), *(Words(units.clip(value, 120)) for value in p.values)]
        for p in found.properties
        if not p.equal
    ]
    return WordTable(theme, ("", *letters), rows)


def alike(theme: Theme, found: Comparison) -> WordTable:
    """What is the same for all, told once."""
    rows = [
        [Words(p.name, "strong"), Words(units.clip(p.values[0], 160))]
        for p in found.properties
        if p.equal
    ]
    return WordTable(theme, ("", "Both" if len(found.names) == 2 else "All"), rows)


def types(theme: Theme, one: Transitions, first: str, other: str) -> WordTable:
    """Layers by the type they computed in: the first report down, the other across."""
    rows = [
        [
            Words(f"{first}: {name}", "strong"),
            *(
                Words(f"{count:,}" if count else "·", "strong" if count else "")
                for count in counts
            ),
        ]
        for name, counts in zip(one.first, one.counts, strict=True)
    ]
    return WordTable(theme, ("", *(f"{other}: {name}" for name in one.other)), rows)
