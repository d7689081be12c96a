"""A table that draws itself: titles with an arrow, cells straight from the model, keys."""

from abc import abstractmethod
from typing import Any, Generic

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector import units
from inspector.export.charts.palette import Palette
from inspector.model.display_names import fit_name
from inspector.ui.translate import mark, tr, tr_message
from inspector.ui.widgets.parts import follow
from inspector.ui.widgets.table_model import AnyColumn, TableModel
from inspector.ui.widgets.theme import Theme, colour, font

NOTHING = mark("No rows match the filter.")
ROW, EDGE, INSET = 28, 16, 8
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_Key = Qt.Key
_Action = QAbstractItemView.CursorAction


class Cells(QStyledItemDelegate, Generic[AnyColumn]):
    """Draws a cell straight from the model; Qt's own asks eight questions a cell."""

    elide = Qt.TextElideMode.ElideMiddle

    def __init__(self, theme: Theme, model: TableModel[AnyColumn]) -> None:
        super().__init__()
        self._theme, self._source = theme, model

    @abstractmethod
    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: AnyColumn, chosen: bool
    ) -> None:
        """Draw what a cell says into its inner box."""

    def inset(self, box: QRectF, column: AnyColumn) -> QRectF:
        """The part of a cell that is drawn in; the table's own edge is wider."""
        return box.adjusted(EDGE if column == self._source.columns[0] else INSET, 0, -INSET, -1)

    def side(self, column: AnyColumn) -> Qt.AlignmentFlag:
        """Return where words and title of a column stand."""
        return RIGHT if column.numeric else LEFT

    def draw_text(
        self, painter: QPainter, box: QRectF, text: str, tint: str, column: AnyColumn
    ) -> None:
        """Draw words in one line, cut to the room there is."""
        text = tr_message(text)
        shown = painter.fontMetrics().elidedText(text, self.elide, int(box.width()) + 1)
        painter.setPen(colour(tint))
        direction = painter.layoutDirection()
        side = QStyle.visualAlignment(direction, self.side(column))
        # Names and units keep their order where the table is laid out from right to left.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.drawText(box, side, shown)
        painter.setLayoutDirection(direction)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line."""
        return QSize(0, ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw background, hairline and what the cell says."""
        box, chosen = draw_ground(painter, option, self._theme.palette)
        column = self._source.columns[index.column()]
        self.draw(painter, self.inset(QRectF(box), column), index.row(), column, chosen)


class Header(QHeaderView, Generic[AnyColumn]):
    """Titles in one line; the arrow stands beside the title that sorts."""

    def __init__(
        self,
        theme: Theme,
        model: TableModel[AnyColumn],
        cells: Cells[AnyColumn],
        parent: QWidget,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._model, self._cells = theme, model, cells
        self.setAccessibleName(tr("Column titles"))
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFixedHeight(ROW)
        self.setMinimumSectionSize(20)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.sectionClicked.connect(model.turn)

    def paintSection(self, painter: QPainter, rect: QRect, section: int, /) -> None:
        """Draw one title."""
        look, model = self._theme.palette, self._model
        column, sorts = model.columns[section], section == model.sorted_by
        painter.fillRect(rect, colour(look.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), colour(look.hairline))
        arrow = " ▾" if model.downwards else " ▴"
        painter.setFont(font(11, 600 if sorts else 500))
        text = tr_message(model.title(column)) + (arrow if sorts else "")
        inner = self._cells.inset(QRectF(rect), column)
        self._cells.draw_text(painter, inner, text, look.secondary, column)


class Table(QTableView):
    """Rows that are chosen as a whole; copies them as text, and sorts by keys.

    Control with left or right sorts by the next column, with up or down it sets the way.
    flat_rows: see `lay_flat`; 0 for a table that scrolls by itself.
    """

    flat_changed = Signal()

    def __init__(
        self, theme: Theme, name: str, model: TableModel[Any], cells: Cells[Any]
    ) -> None:
        super().__init__()
        self.rows = model
        self.flat_rows = 0
        cells.setParent(self)
        self._theme = theme
        self.setAccessibleName(name)
        self.setModel(model)
        model.modelReset.connect(self._tell_empty)
        self.setItemDelegate(cells)
        self.setHorizontalHeader(Header(theme, model, cells, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        as_lines(self)
        follow(theme, self, self._update)

    def lay_flat(self, first_rows: int) -> None:
        """Set the height to the rows, `first_rows` at most; the wheel scrolls the page.

        A page then has one scroll area. Rows beyond the first appear by `show_all_rows`, or
        when one of them is selected.
        """
        self.flat_rows = first_rows
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.modelReset.connect(self._fit_rows)
        self._fit_rows()

    @property
    def rows_cut(self) -> int:
        """Return how many rows there are beyond those that a flat table shows; 0 for none."""
        return max(0, self.rows.rowCount() - self.flat_rows) if self.flat_rows else 0

    def show_all_rows(self) -> None:
        """Make a flat table as high as all its rows."""
        self.flat_rows = max(self.flat_rows, self.rows.total)
        self._fit_rows()

    def _fit_rows(self) -> None:
        count = min(max(1, self.rows.rowCount()), self.flat_rows)
        self.setFixedHeight(ROW * (count + 1))
        self.flat_changed.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or let the page do so."""
        if self.flat_rows:
            event.ignore()
        else:
            super().wheelEvent(event)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into view; the page stays where it is under the pointer."""
        if not self.flat_rows:
            super().scrollTo(index, hint)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Move by what is in view of a page where the table is as high as all its rows."""
        step = {_Action.MovePageDown: 1, _Action.MovePageUp: -1}.get(action, 0)
        page = self._page()
        if not (self.flat_rows and step and page is not None):
            return super().moveCursor(action, modifiers)
        rows = max(1, page.viewport().height() // ROW - 1)
        row = self.currentIndex().row() + step * rows
        return self.rows.index(min(max(0, row), self.rows.rowCount() - 1), 0)

    def _page(self) -> QScrollArea | None:
        """The scroll area that the table lies in."""
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        return parent

    def _keep_current_in_view(self) -> None:
        page, current = self._page(), self.currentIndex()
        content = page.widget() if page is not None else None
        if self.flat_rows and page is not None and content is not None and current.isValid():
            y = self.rowViewportPosition(current.row()) + ROW  # below the header
            middle = self.mapTo(content, QPoint(0, y + ROW // 2))
            page.ensureVisible(0, middle.y(), 0, ROW)

    def place_columns(self, widths: tuple[int, ...]) -> None:
        """Give each column its width; those of no width are hidden."""
        for column, width in enumerate(widths):
            self.setColumnHidden(column, width == 0)
            self.setColumnWidth(column, width)

    def show_row(self, row: int | None) -> None:
        """Select a row and bring it into view; None selects nothing."""
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            if self.flat_rows and row >= self.flat_rows:
                self.show_all_rows()
            self.selectRow(row)
            self.scrollTo(self.rows.index(row, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A selected row that was in view stays so."""
        before, row = event.oldSize().height(), self.currentIndex().row()
        top = self.rowViewportPosition(row) if row >= 0 else -1
        super().resizeEvent(event)
        if 0 <= top <= before - ROW:
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or why there are none."""
        super().paintEvent(event)
        if self.nothing_picked:
            painter = QPainter(self.viewport())
            painter.setFont(font(12))
            painter.setPen(colour(self._theme.palette.tertiary))
            box = self.viewport().rect().adjusted(EDGE, 0, -EDGE, 0)
            box.setHeight(min(box.height(), 3 * ROW))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tr(NOTHING))

    @property
    def nothing_picked(self) -> bool:
        """Return whether a filter leaves nothing of what there is."""
        return not self.rows.rowCount() and self.rows.total > 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, sort, or what every table does with the key."""
        key = _Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in _SORTING:
            self._sort(key)
        else:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self._keep_current_in_view()

    def _tell_empty(self) -> None:
        self.setAccessibleDescription(tr(NOTHING) if self.nothing_picked else "")

    def _copy(self) -> None:
        """The chosen row as it is shown, with tabs between the cells."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        cells = [self.rows.columns[column] for column in self._shown()]
        lines = ("\t".join(self.rows.text(row, cell) for cell in cells) for row in rows)
        if rows:
            QGuiApplication.clipboard().setText("\n".join(lines))

    def _sort(self, key: Qt.Key) -> None:
        model, now = self.rows, self.rows.sorted_by
        if key in (_Key.Key_Up, _Key.Key_Down):
            if now is not None:
                model.sort_by(now, key == _Key.Key_Down)
            return
        back = key == _Key.Key_Left
        shown = self._shown()[::-1] if back else self._shown()
        beyond = (c for c in shown if now is None or (c < now if back else c > now))
        column = next(beyond, None)
        if column is not None:
            model.sort_by(column, model.columns[column].largest_first)
        elif back and not model.always_sorted:
            model.sort_by(None)

    def _shown(self) -> list[int]:
        columns = range(self.rows.columnCount())
        return [column for column in columns if not self.isColumnHidden(column)]

    def _update(self) -> None:
        self.viewport().update()
        self.horizontalHeader().viewport().update()


_SORTING = (_Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down)


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
    box, chosen = _box(option), bool(_state(option) & QStyle.StateFlag.State_Selected)
    painter.fillRect(box, colour(look.selection if chosen else look.surface))
    painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colour(look.hairline))
    return box, chosen


def draw_bar(
    painter: QPainter, track: QRectF, part: float | None, tint: str, look: Palette, chosen: bool
) -> None:
    """Draw a bar that is filled to a part, 0 to 1; None leaves the track empty."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(look.text, 0.12) if chosen else colour(look.track))
    painter.drawRoundedRect(track, 3, 3)
    if part is not None:
        filled = QRectF(track)
        filled.setWidth(max(3.0, track.width() * part))
        painter.setBrush(colour(tint))
        painter.drawRoundedRect(filled, min(3.0, filled.width() / 2), 3)


def _box(option: QStyleOptionViewItem) -> QRect:
    return option.rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    return option.state


# A small table of plain cells, as tall as its rows up to ten of them.


LINE, SHOWN_LINES = 24, 10


class ShortTable(QTableView):
    """Shows a model as it is; whoever extends it says what its headers and keys do.

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


# A layer's name in two tones: the scope that it lies in is less prominent than its own part.

_BETWEEN = " / "


def draw_name(
    painter: QPainter, box: QRectF, name: str, look: Palette, selected: bool = False
) -> None:
    """Draw a name in one line with the painter's font; what rows have in common gives way."""
    metrics, left = painter.fontMetrics(), Qt.AlignmentFlag.AlignVCenter
    available = int(box.width())
    scope, leaf = fit_name(units.clip(name), available, metrics.horizontalAdvance, _BETWEEN)
    before = painter.layoutDirection()
    if before == Qt.LayoutDirection.RightToLeft:  # a path is read from its left in any language
        width = metrics.horizontalAdvance((scope + _BETWEEN if scope else "") + leaf)
        box = box.adjusted(max(0.0, box.width() - width), 0, 0, 0)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    if scope:
        painter.setPen(colour(look.on_selection if selected else look.tertiary))
        painter.drawText(box, left, scope + _BETWEEN)
        box = box.adjusted(metrics.horizontalAdvance(scope + _BETWEEN), 0, 0, 0)
    painter.setPen(colour(look.on_selection if selected else look.text))
    painter.drawText(box, left, leaf)
    painter.setLayoutDirection(before)
