"""Asks which operator to insert, and for its attributes."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector.conversion.action import Step
from inspector.conversion.edits.choices import OperatorEntry, search_operators
from inspector.ui import units
from inspector.ui.graph.editing.fields import AttributeForm, captioned
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.layouts import resize_on_screen, scroll_down
from inspector.ui.widgets.parts import PADDING, add_to, button, column_of, label, row, wrapped
from inspector.ui.widgets.theme import Theme, fill_round, font, qt_color

_ENTRY = Qt.ItemDataRole.UserRole + 1
_ROW_PX = 40
_LIST_PX = 300  # width of the list
_SIZE_PX = 760, 520
_MOST_LISTED = 400
_SUMMARY_CHARS = 400


class InsertDialog(QDialog):
    """A searchable list of operators at the left, the form of the chosen one at the right.

    made: makes the step of (operator, attributes, further inputs, name); check: finds out
    whether it can be done, and calls back with the reason why not. chosen: the step, once the
    dialog was accepted.
    """

    def __init__(
        self,
        theme: Theme,
        entries: tuple[OperatorEntry, ...],
        after: str,
        made: Callable[[str, Mapping[str, str], tuple[str, ...], str], Step],
        check: Callable[[Step, Callable[[str], None]], None],
        parent: QWidget,
        first: str = "",
    ) -> None:
        super().__init__(parent)
        self._theme, self._entries, self._made, self._check = theme, entries, made, check
        self.chosen: Step | None = None
        self.setWindowTitle(tr("Insert after {name}").format(name=units.clip(after, 60)))
        resize_on_screen(self, *_SIZE_PX)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search operators"))
        self.search.setAccessibleName(tr("Search operators"))
        self.search.setClearButtonEnabled(True)
        self._model = QStandardItemModel(self)
        self.list = _OperatorList(theme)
        self.list.setModel(self._model)
        self.found = label("", "caption")
        self.title = label("", "title")
        self.summary = wrapped("")
        self.name = QLineEdit()
        self.name.setPlaceholderText(tr("chosen automatically"))
        self.inputs = QLineEdit()
        self.form: AttributeForm | None = None
        self.problem = wrapped("", "bad")
        self.insert = button(theme, tr("Insert"), primary=True, then=self._accept)
        self.insert.setDefault(True)
        self._lay_out()
        self.search.textChanged.connect(self._list)
        self.list.selectionModel().currentChanged.connect(self._show)
        self.list.doubleClicked.connect(lambda _: self._accept())
        self.inputs.textChanged.connect(self._ask)
        self._list()
        if first:
            self.search.setText(first)
        self.search.setFocus()

    def _lay_out(self) -> None:
        left = column_of(self.search, (self.list, 1), self.found, spacing=8)
        holder = QWidget()
        holder.setFixedWidth(_LIST_PX)
        left.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(left)
        page = QWidget()
        self._column = column_of(
            self.title, self.summary, on=page, spacing=8, margins=(4, 0, 12, 0)
        )
        self._attributes = QVBoxLayout()
        self._column.addLayout(self._attributes)
        add_to(self._column, label(tr("Layer"), "section"), captioned(tr("Name"), self.name))
        self._inputs_line = QWidget()
        line = captioned(tr("Other inputs"), self.inputs)
        line.setContentsMargins(0, 0, 0, 0)
        self._inputs_line.setLayout(line)
        add_to(self._column, self._inputs_line, None)
        scroll = QScrollArea()
        scroll_down(scroll)
        scroll.setWidget(page)
        scroll.setAccessibleName(tr("Operator"))
        across = row(holder, (scroll, 1), spacing=16)
        cancel = button(self._theme, tr("Cancel"), then=self.reject)
        column = column_of((across, 1), on=self, spacing=12, margins=(PADDING,) * 4)
        column.addLayout(row((self.problem, 1), cancel, self.insert))

    @property
    def current(self) -> OperatorEntry | None:
        """Return the operator that is chosen."""
        entry = self.list.currentIndex().data(_ENTRY)
        return entry if isinstance(entry, OperatorEntry) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the choice from the search field with the arrow keys."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if event.key() == Qt.Key.Key_Down else -1
            last, now = self._model.rowCount() - 1, self.list.currentIndex().row()
            place = min(max(0, now + step), last)
            self.list.setCurrentIndex(self._model.index(place, 0))
            return
        super().keyPressEvent(event)

    def _list(self) -> None:
        """List the operators that a search finds, and choose the first."""
        found = search_operators(self._entries, self.search.text())
        self._model.clear()
        for entry in found[:_MOST_LISTED]:
            item = QStandardItem(entry.name)
            item.setData(entry, _ENTRY)
            item.setEditable(False)
            item.setAccessibleText(f"{entry.name}: {entry.summary}")
            self._model.appendRow(item)
        self.found.setText(plural(len(found), "operator"))
        if found:
            self.list.setCurrentIndex(self._model.index(0, 0))
        else:
            self._show()

    def _show(self, *_: QModelIndex) -> None:
        """Show the form of the chosen operator."""
        entry = self.current
        self.title.setText(entry.name if entry is not None else tr("No operator found"))
        text = entry.summary if entry is not None else tr("Search for another name or purpose.")
        self.summary.setText(units.clip(text, _SUMMARY_CHARS))
        if self.form is not None:
            self._attributes.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        more = entry.inputs[1:] if entry is not None else ()
        self._inputs_line.setVisible(bool(more))
        self.inputs.setPlaceholderText(", ".join(name.rstrip("?*") for name in more))
        self.inputs.setToolTip(tr("Names of tensors; separate several with commas"))
        if entry is not None:
            self.form = AttributeForm(self._theme, entry.fields)
            self.form.changed.connect(self._ask)
            self._attributes.addWidget(self.form)
        self._ask()

    @property
    def step(self) -> Step | None:
        """Return what would be inserted; None where nothing is chosen."""
        entry = self.current
        if entry is None:
            return None
        values = self.form.values if self.form is not None else {}
        inputs = tuple(filter(None, (name.strip() for name in self.inputs.text().split(","))))
        return self._made(entry.name, values, inputs, self.name.text().strip())

    def _ask(self) -> None:
        """Find out whether the operator fits here."""
        step = self.step
        self.insert.setEnabled(step is not None)
        self.problem.setText("")
        if step is not None:
            self._check(step, lambda reason: self._judge(step, reason))

    def _judge(self, step: Step, reason: str) -> None:
        if step == self.step:
            self.problem.setText(reason)
            self.insert.setEnabled(not reason)

    def _accept(self) -> None:
        if self.insert.isEnabled():
            self.chosen = self.step
            self.accept()


class _OperatorList(QListView):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setItemDelegate(_OperatorPainter(theme, self))
        self.setUniformItemSizes(True)
        self.setAccessibleName(tr("Operators"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class _OperatorPainter(QStyledItemDelegate):
    """Draws name and purpose of an operator in two lines."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # type: ignore[override]
        """Return room for two lines."""
        return QSize(_LIST_PX - 24, _ROW_PX)

    def paint(  # type: ignore[override]
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw the row."""
        look, entry = self._theme.palette, index.data(_ENTRY)
        place: QRectF = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            fill_round(painter, place.adjusted(2, 1, -2, -1), 6, qt_color(look.selection))
        inner = place.adjusted(10, 4, -10, -4)
        left = Qt.AlignmentFlag.AlignLeft
        painter.setFont(font(13, 500))
        painter.setPen(qt_color(look.on_selection if chosen else look.text))
        painter.drawText(inner, left | Qt.AlignmentFlag.AlignTop, entry.name)
        painter.setFont(font(11))
        painter.setPen(qt_color(look.on_selection if chosen else look.secondary))
        metrics = painter.fontMetrics()
        mode = Qt.TextElideMode.ElideRight
        text = metrics.elidedText(entry.summary, mode, int(inner.width()))
        painter.drawText(inner, left | Qt.AlignmentFlag.AlignBottom, text)
        painter.restore()
