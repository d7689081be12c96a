"""Two models side by side: their graphs, grouped changes, and the chosen pair of layers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from inspector import units
from inspector.compare.change_groups import layer_rows, sqnr_text, values_text
from inspector.compare.model_changes import Change, ChangeGroup, LayerPair, ModelDiff, State
from inspector.compare.model_diff import diff
from inspector.compare.weight_comparison import Progress
from inspector.errors import Cancelled, InspectorError
from inspector.export.registry import Subject, formats_of
from inspector.formats.onnx.weight_values import WeightReader
from inspector.model.model import Layer, Model
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.tabs.diff.graphs import NAMES, SIGNS, DiffGraphs, state_color
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.notice import Notice
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Card,
    Elided,
    button,
    follow,
    label,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme, colour, font

_PANE, _LEAST_GRAPHS = 330, 520  # pixels: list and detail; both graphs
_MOST_ROWS = 200  # of one group; the exported files have all
_MOST_DETAILS = 9
_ZOOM = 0.7
_PLACE = Qt.ItemDataRole.UserRole
_GROUP, _NUMBER = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2
_GROUP_ROW, _LAYER_ROW, _SIGN = 46, 26, 16  # pixels
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex
_MATCHED = {
    "name": mark("matched by name"),
    "output": mark("matched by output name"),
    "weights": mark("matched by weight names"),
    "structure": mark("matched by structure"),
    "order": mark("matched by order"),
}


@dataclass(frozen=True, slots=True, eq=False)
class OpenedModel:
    """A model that can be compared, with its file."""

    path: Path | None
    model: Model | None


class DiffView(QDialog):
    """Compares two of the open models; which ones can be chosen.

    diff: None until `compared`.
    """

    compared = Signal()

    def __init__(
        self,
        theme: Theme,
        documents: Sequence[Document | OpenedModel],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Compare models — Inspector"))
        self.resize(1360, 840)
        self._theme = theme
        self._models = [
            (document.path, document.model)
            for document in documents
            if document.path is not None and document.model is not None
        ]
        self.diff: ModelDiff | None = None
        self._jobs, self._turn, self._closed = TaskRunner(self), 0, False
        numbers = [str(number) for number in range(len(self._models))]
        names = [units.clip(model.name, 80) for _, model in self._models]
        self.first = ChoiceField(tr("Model A"), numbers, names)
        self.other = ChoiceField(tr("Model B"), numbers, names)
        self.other.setCurrentIndex(1)
        for field in (self.first, self.other):
            field.setFixedWidth(240)
            field.currentIndexChanged.connect(self._compare)
        self.swap = button(theme, tr("Swap A and B"))
        self.swap.clicked.connect(self._swap)
        self.export = tool(theme, "export", tr("Export differences"))
        self.export.setMenu(self._formats())
        self.export.setPopupMode(self.export.ToolButtonPopupMode.InstantPopup)
        self.notice = Notice(theme, self)
        self.summary = label("", "title", selectable=True)
        self.summary.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, 14, PADDING, PADDING)
        column.setSpacing(GAP)
        column.addLayout(
            row(label("A", "heading"), self.first, 8, label("B", "heading"), self.other, 8,
                self.swap, None, self.export)
        )  # fmt: skip
        column.addWidget(self.summary)
        self._body = QVBoxLayout()
        column.addLayout(self._body, 1)
        self._content: QWidget | None = None
        self._compare()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop reading weights."""
        self._closed = True
        super().closeEvent(event)

    def _formats(self) -> QMenu:
        menu = QMenu(self)
        for each in formats_of(Subject.MODEL_DIFF):
            menu.addAction(f"{each.title}…", partial(self._export, each.id)).setData(each.id)
        return menu

    def _export(self, form: str) -> None:
        assert self.diff is not None, "nothing is exported before it is there"
        exporter = Exporter(self)
        exporter.done.connect(self.notice.show_done)
        exporter.failed.connect(self.notice.show_error)
        exporter.ask_for_model_diff(self.diff, form)

    def _swap(self) -> None:
        one, two = self.first.currentIndex(), self.other.currentIndex()
        for field, index in ((self.first, two), (self.other, one)):
            blocked = field.blockSignals(True)
            field.setCurrentIndex(index)
            field.blockSignals(blocked)
        self._compare()

    def _compare(self) -> None:
        """Compare the chosen models in the background; the last choice counts."""
        sides = [self._models[field.currentIndex()] for field in (self.first, self.other)]
        self._turn += 1
        turn = self._turn
        self.export.setEnabled(False)
        self.summary.setText(tr("Comparing layers and weights…"))

        def stop_if_old(_: float) -> None:
            if self._closed or turn != self._turn:
                raise Cancelled(tr("Stopped"))

        def show(result: ModelDiff) -> None:
            if turn == self._turn:
                self._show(result)

        def fail(error: InspectorError) -> None:
            if turn == self._turn and not isinstance(error, Cancelled):
                self.notice.show_error(error)

        self._jobs.start(lambda: _compared(sides[0], sides[1], stop_if_old), show, fail)

    def _show(self, result: ModelDiff) -> None:
        self.diff = result
        self.export.setEnabled(True)
        self.summary.setText(result.summary)
        if self._content is not None:
            self._body.removeWidget(self._content)
            self._content.deleteLater()
        self._content = self._made(result)
        self._body.addWidget(self._content, 1)
        self.compared.emit()

    def _made(self, result: ModelDiff) -> QWidget:
        theme = self._theme
        self.graphs = DiffGraphs(theme, result)
        self.graphs.setMinimumWidth(_LEAST_GRAPHS)
        self.list = ChangeList(theme, result)
        self.detail = PairDetail(theme, result)
        self.chips = {state: self._chip(state, result.counts[state.value]) for state in State}
        self.together = QCheckBox(tr("Pan and zoom together"))
        self.together.setChecked(True)
        self.together.toggled.connect(self._set_together)
        out, into = (
            tool(theme, "minus", tr("Zoom out (S)")),
            tool(theme, "plus", tr("Zoom in (W)")),
        )
        fit = tool(theme, "fit", tr("Zoom to fit (F)"))
        out.clicked.connect(lambda: self.graphs.scale(_ZOOM))
        into.clicked.connect(lambda: self.graphs.scale(1 / _ZOOM))
        fit.clicked.connect(self.graphs.fit)
        self.graphs.chosen.connect(self._take)
        self.list.chosen.connect(self.graphs.choose)
        content = QWidget()
        grid = QGridLayout(content)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        tools = row(*self.chips.values(), 8, self.together, None, out, into, fit)
        grid.addLayout(tools, 0, 0, 1, 2)
        framed = Card(theme, padding=1)
        framed.body.addWidget(self.graphs)
        grid.addWidget(framed, 1, 0, 2, 1)
        changes = Card(theme, padding=1)
        changes.setFixedWidth(_PANE)
        head = row(label(tr("Changes"), "heading"), None, label(_counted(result), "secondary"))
        head.setContentsMargins(PADDING, 7, PADDING, 7)
        changes.body.addLayout(head)
        changes.body.addWidget(self.list, 1)
        grid.addWidget(changes, 1, 1)
        self.detail.setFixedWidth(_PANE)
        grid.addWidget(self.detail, 2, 1)
        grid.setRowStretch(1, 1)
        grid.setColumnStretch(0, 1)
        return content

    def _chip(self, state: State, count: int) -> QPushButton:
        made = QPushButton(f"{SIGNS[state]} {tr(NAMES[state])} {count:,}")
        made.setAccessibleName(plural(count, "layer") + f" {tr(NAMES[state]).lower()}")
        made.setToolTip(tip(tr("Show these layers in the list and color them in the graphs")))
        made.setCheckable(True)
        made.setChecked(state is not State.SAME)
        made.setEnabled(bool(count) and state is not State.SAME)
        made.setVisible(bool(count) or state is not State.MOVED)
        made.toggled.connect(self._filter)
        theme = self._theme

        def dress() -> None:
            look, tint = theme.palette, state_color(theme.palette, state)
            made.setStyleSheet(
                f"QPushButton {{ color: {look.tertiary}; padding: 0 10px; }}"
                f"QPushButton:checked {{ color: {tint}; border-color: {tint}; }}"
                f"QPushButton:disabled {{ color: {look.secondary}; }}"
            )

        follow(theme, made, dress)
        return made

    def _filter(self) -> None:
        states = frozenset(state for state, chip in self.chips.items() if chip.isChecked())
        self.graphs.show_states(states)
        self.list.show_states(states)

    def _set_together(self, together: bool) -> None:
        self.graphs.together = together

    def _take(self, place: int) -> None:
        self.detail.show_pair(place)
        self.list.mark_pair(place)


def _compared(
    first: tuple[Path, Model], other: tuple[Path, Model], progress: Progress
) -> ModelDiff:
    with WeightReader(first[0]) as one, WeightReader(other[0]) as two:
        return diff(first[1], other[1], one.read, two.read, progress)


def _counted(result: ModelDiff) -> str:
    if result.different_networks:
        return ""
    if not result.groups:
        return tr("None")
    return plural(len(result.groups), "group")


class ChangeList(QTreeWidget):
    """Groups of changes, with their layers below; a click selects the pair in both graphs."""

    chosen = Signal(int)  # place in `ModelDiff.pairs`

    def __init__(self, theme: Theme, result: ModelDiff) -> None:
        super().__init__()
        self._theme, self._diff, self._busy = theme, result, False
        self._items: dict[int, QTreeWidgetItem] = {}
        self._groups: list[tuple[ChangeGroup, QTreeWidgetItem]] = []
        self.setHeaderHidden(True)
        self.setItemDelegate(_ChangePainter(theme, self))
        self.setIndentation(16)
        self.setAccessibleName(tr("Changes"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for group in result.groups:
            self._add(group)
        theme.changed.connect(self.viewport().update)
        self.currentItemChanged.connect(self._tell)

    def show_states(self, states: frozenset[State]) -> None:
        """Leave out groups in other states."""
        for group, item in self._groups:
            item.setHidden(group.state not in states)

    def mark_pair(self, place: int) -> None:
        """Make the row of a pair the current one."""
        self._busy = True
        item = self._items.get(place)
        if item is not None:
            self.setCurrentItem(item)
        else:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        self._busy = False

    def _add(self, group: ChangeGroup) -> None:
        values = sqnr_text(self._diff.pairs[place] for place in group.pairs)
        item = QTreeWidgetItem(self, [group.title])
        item.setData(0, _GROUP, group)
        item.setData(0, _NUMBER, values)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, _spoken(group))
        item.setToolTip(0, tip(group.title, group.detail))
        self._groups.append((group, item))
        rows = layer_rows(self._diff, group)
        for number, (name, text) in enumerate(rows[:_MOST_ROWS]):
            child = QTreeWidgetItem(item, [name if group.pairs else f"{name}  {text}"])
            child.setToolTip(0, tip(name, text))
            if group.pairs:
                place = group.pairs[number]
                child.setData(0, _NUMBER, _number(self._diff.pairs[place]))
                child.setData(0, _PLACE, place)
                self._items[place] = child
        if len(rows) > _MOST_ROWS:
            QTreeWidgetItem(item, [tr("{count} more").format(count=len(rows) - _MOST_ROWS)])

    def _tell(self, item: QTreeWidgetItem | None) -> None:
        place = item.data(0, _PLACE) if item is not None else None
        if place is not None and not self._busy:
            self.chosen.emit(place)


def _spoken(group: ChangeGroup) -> str:
    """Return what a screen reader says of a group."""
    return f"{tr(NAMES[group.state])}: {group.title}, {group.detail}"


class _ChangePainter(QStyledItemDelegate):
    """Draws a group in two lines with its sign, and a layer in one, each with its number."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines for a group, one for a layer."""
        return QSize(100, _GROUP_ROW if index.data(_GROUP) is not None else _LAYER_ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        look, box = self._theme.palette, QRect(option.rect)
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, colour(look.selection))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colour(look.hover))
        group = index.data(_GROUP)
        inner = box.adjusted(4, 0, -PADDING, 0)
        number = str(index.data(_NUMBER) or "")
        painter.setFont(font(11))
        painter.setPen(colour(look.secondary))
        level = inner if group is None else QRect(inner.x(), inner.y() + 4, inner.width(), 20)
        painter.drawText(level, _RIGHT, number)
        room = inner.width() - painter.fontMetrics().horizontalAdvance(number) - 8
        if group is None:
            painter.setFont(font(12))
            painter.setPen(colour(look.text))
            self._draw(painter, inner, str(index.data()), room)
            return
        painter.setPen(colour(look.hairline))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        sign = QRect(inner.x(), inner.y() + 4, _SIGN, 20)
        painter.setFont(font(14, 600))
        painter.setPen(colour(state_color(look, group.state)))
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, SIGNS[group.state])
        title = QRect(sign.right() + 7, inner.y() + 4, inner.width(), 20)
        painter.setFont(font(12, 600))
        painter.setPen(colour(look.text))
        self._draw(painter, title, group.title, room - _SIGN - 6)
        painter.setFont(font(11))
        painter.setPen(colour(look.secondary))
        detail = title.translated(0, 18)
        self._draw(painter, detail, group.detail, inner.right() - detail.x())

    def _draw(self, painter: QPainter, box: QRect, text: str, room: int) -> None:
        end = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(text, end, max(0, room))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def _number(pair: LayerPair) -> str:
    """Return what stands beside a layer in the list: '31.2 dB'."""
    return sqnr_text([pair]).removeprefix("SQNR ")


class PairDetail(Card):
    """The differences between the two selected layers."""

    def __init__(self, theme: Theme, result: ModelDiff) -> None:
        super().__init__(theme)
        self._theme, self._diff = theme, result
        self.name = Elided("", "heading")
        self.how = label("", "secondary")
        self._rows = QWidget()
        self.texts: list[tuple[str, str, str]] = []
        self.body.addLayout(row(self.name, self.how, stretch=0))
        self.body.addWidget(self._rows)
        self.show_pair(-1)

    def show_pair(self, place: int) -> None:
        """Show a pair; -1 for none."""
        self._rows.hide()
        self.body.removeWidget(self._rows)
        self._rows.deleteLater()
        self._rows = QWidget()
        self.body.addWidget(self._rows)
        if place < 0:
            self.texts = []
            self.name.set_text(tr("No layer selected"))
            self.how.setText("")
            return
        pair = self._diff.pairs[place]
        layers = [
            None if index is None else model.layers[index]
            for index, model in ((pair.first, self._diff.first), (pair.other, self._diff.other))
        ]
        layer = layers[0] or layers[1]
        assert layer is not None, "a pair has a side"
        self.name.set_text(units.clip(layer.label, 120))
        state = f"{SIGNS[pair.state]} {tr(NAMES[pair.state]).lower()}"
        self.how.setText(tr(_MATCHED[pair.matched_by]) if pair.matched_by else state)
        self.texts = _texts(pair, layers)
        self._fill()

    def _fill(self) -> None:
        grid = QGridLayout(self._rows)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        right = Qt.AlignmentFlag.AlignRight
        grid.addWidget(label("A", "caption"), 0, 1, right)
        grid.addWidget(label("B", "caption"), 0, 2, right)
        for number, (name, before, after) in enumerate(self.texts[:_MOST_DETAILS], 1):
            grid.addWidget(label(units.clip(name, 24), "secondary"), number, 0)
            grid.addWidget(Elided(units.clip(before, 60)), number, 1, right)
            shown = Elided(units.clip(after, 60), "heading" if before != after else "")
            grid.addWidget(shown, number, 2, right)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        if len(self.texts) > _MOST_DETAILS:
            more = tr("{count} more").format(count=len(self.texts) - _MOST_DETAILS)
            grid.addWidget(label(more, "caption"), _MOST_DETAILS + 1, 0)


def _texts(pair: LayerPair, layers: list[Layer | None]) -> list[tuple[str, str, str]]:
    """Return name, A and B of each fact about a pair: operator, names, changes, numbers."""
    sides = [("", "") if each is None else (each.operator, each.label) for each in layers]
    rows = [(tr("Operator"), sides[0][0], sides[1][0])]
    if pair.renamed:
        rows.append((tr("Name"), sides[0][1], sides[1][1]))
    if pair.moved:
        rows.append((tr("Inputs"), "", tr("come from different layers than in A")))
    for change in pair.changes:
        if change.kind != "operator":
            rows += _change_rows(change)
    return rows


def _change_rows(change: Change) -> list[tuple[str, str, str]]:
    name = units.clip(change.name[:1].upper() + change.name[1:], 60)
    rows = []
    if change.before != change.after:
        rows.append((name, change.before, change.after))
    difference = change.difference
    if difference is not None and difference.max_abs is not None:
        if change.before == change.after:
            rows.append((name, change.before, tr("different values")))
        rows.append((tr("Max abs difference"), "", f"{difference.max_abs:.3g}"))
        text = values_text(change)
        if "SQNR" in text:
            rows.append((tr("SQNR"), "", text.rpartition("SQNR ")[2]))
    elif change.problem:
        rows.append((name, "", values_text(change)))
    return rows
