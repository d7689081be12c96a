"""Changes of two models as a list in groups with a search, and the chosen pair in detail."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from inspector.comparison.change_groups import decibels, layer_rows, sqnr_text, values_text
from inspector.comparison.model_changes import Change, ChangeGroup, LayerPair, ModelDiff, State
from inspector.model.model import Layer
from inspector.pages.column_help import HELP
from inspector.ui import units
from inspector.ui.tabs.diff.graphs import NAMES, SIGNS, state_color
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.parts import (
    PADDING,
    Elided,
    add_to,
    column_of,
    grid_of,
    label,
    row,
    tip,
)
from inspector.ui.widgets.table_card import name_buttons
from inspector.ui.widgets.theme import Theme, font, qt_color

_MOST_ROWS = 200  # of one group; the exported files have all
_MOST_DETAILS = 9
_PLACE = Qt.ItemDataRole.UserRole
_GROUP = Qt.ItemDataRole.UserRole + 1
_NUMBER = Qt.ItemDataRole.UserRole + 2
_TEXT = Qt.ItemDataRole.UserRole + 3  # what a search looks through, in small letters
_GROUP_ROW = 46  # px, height
_LAYER_ROW = 26  # px, height
_SIGN = 16  # px, width
_INDENT = 16  # px, of the layers of a group
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex
_MATCHED = {
    "name": mark("matched by name"),
    "output": mark("matched by output name"),
    "weights": mark("matched by weight names"),
    "structure": mark("matched by structure"),
    "order": mark("matched by order"),
}


def counted(result: ModelDiff) -> str:
    """Return how many groups of changes there are."""
    if result.different_networks:
        return ""
    if not result.groups:
        return tr("None")
    return plural(len(result.groups), "group")


class SearchField(QLineEdit):
    """A field whose text filters the list of changes."""

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Find: name, operator, type or attribute"))
        self.setAccessibleName(tr("Find changes"))
        self.setClearButtonEnabled(True)
        name_buttons(self)
        self.setProperty("find", True)


class ChangeList(QTreeWidget):
    """Groups of changes, with their layers below; a click selects the pair in both graphs."""

    chosen = Signal(int)  # place in `ModelDiff.pairs`

    def __init__(self, theme: Theme, result: ModelDiff) -> None:
        super().__init__()
        self._theme, self._diff, self._busy = theme, result, False
        self._states, self._wanted = frozenset(State), ""
        self._items: dict[int, QTreeWidgetItem] = {}
        self._groups: list[tuple[ChangeGroup, QTreeWidgetItem]] = []
        self.setHeaderHidden(True)
        self.setItemDelegate(_ChangePainter(theme, self))
        self.setIndentation(_INDENT)
        self.setAccessibleName(tr("Changes"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for group in result.groups:
            self._add(group)
        theme.changed.connect(self.viewport().update)
        self.currentItemChanged.connect(self._tell)

    def show_states(self, states: frozenset[State]) -> None:
        """Leave out groups in other states."""
        self._states = states
        self._filter()

    def search(self, text: str) -> int:
        """Show what has all words of a text in it; returns how many layers and properties."""
        self._wanted = text.strip().lower()
        return self._filter()

    def _filter(self) -> int:
        words, count = self._wanted.split(), 0
        for group, item in self._groups:
            own = item.data(0, _TEXT)
            rest = [word for word in words if word not in own]
            shown = 0
            for child in filter(None, map(item.child, range(item.childCount()))):
                text = child.data(0, _TEXT)
                found = all(word in text for word in rest)
                child.setHidden(not found)
                shown += found
            found = group.state in self._states and (bool(shown) or not rest)
            item.setHidden(not found)
            if words and rest and found:
                item.setExpanded(True)
            count += shown if found else 0
        return count

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
        item.setData(0, _TEXT, f"{written(group.title)} {written(group.detail)}".lower())
        meaning = HELP["SQNR"] if values else ""
        item.setToolTip(0, tip(written(group.title), written(group.detail), meaning))
        self._groups.append((group, item))
        rows = layer_rows(self._diff, group)
        for number, (name, said) in enumerate(rows[:_MOST_ROWS]):
            text = written(said)
            child = QTreeWidgetItem(item, [name if group.pairs else f"{name}  {text}"])
            child.setToolTip(0, tip(name, text))
            child.setData(0, _TEXT, f"{name} {text}".lower())
            if group.pairs:
                place = group.pairs[number]
                child.setData(0, _NUMBER, _number(self._diff.pairs[place]))
                child.setData(0, _PLACE, place)
                self._items[place] = child
        if len(rows) > _MOST_ROWS:
            more = tr("{count} more").format(count=len(rows) - _MOST_ROWS)
            QTreeWidgetItem(item, [more]).setData(0, _TEXT, "")

    def _tell(self, item: QTreeWidgetItem | None) -> None:
        place = item.data(0, _PLACE) if item is not None else None
        if place is not None and not self._busy:
            self.chosen.emit(place)


def _spoken(group: ChangeGroup) -> str:
    """Return what a screen reader says of a group."""
    return f"{tr(NAMES[group.state])}: {written(group.title)}, {written(group.detail)}"


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
            painter.fillRect(box, qt_color(look.selection))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, qt_color(look.hover))
        group = index.data(_GROUP)
        inner = box.adjusted(4, 0, -PADDING, 0)
        number = str(index.data(_NUMBER) or "")
        painter.setFont(font(11))
        painter.setPen(qt_color(look.secondary))
        level = inner if group is None else QRect(inner.x(), inner.y() + 4, inner.width(), 20)
        painter.drawText(level, _RIGHT, number)
        room = inner.width() - painter.fontMetrics().horizontalAdvance(number) - 8
        if group is None:
            painter.setFont(font(12))
            painter.setPen(qt_color(look.text))
            before = _SIGN + 7 - _INDENT  # below the title of its group
            self._draw(
                painter, inner.adjusted(before, 0, 0, 0), str(index.data()), room - before
            )
            return
        painter.setPen(qt_color(look.hairline))
        painter.drawLine(box.left(), box.bottom(), inner.right(), box.bottom())
        sign = QRect(inner.x(), inner.y() + 4, _SIGN, 20)
        painter.setFont(font(14, 600))
        painter.setPen(qt_color(state_color(look, group.state)))
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, SIGNS[group.state])
        title = QRect(sign.right() + 7, inner.y() + 4, inner.width(), 20)
        painter.setFont(font(12, 600))
        painter.setPen(qt_color(look.text))
        self._draw(painter, title, written(group.title), room - _SIGN - 6)
        painter.setFont(font(11))
        painter.setPen(qt_color(look.secondary))
        detail = title.translated(0, 18)
        self._draw(painter, detail, written(group.detail), inner.right() - detail.x())

    def _draw(self, painter: QPainter, box: QRect, text: str, room: int) -> None:
        end = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(text, end, max(0, room))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def _number(pair: LayerPair) -> str:
    """Return what stands beside a layer in the list: '31.2 dB'."""
    return sqnr_text([pair]).removeprefix("SQNR ")


class PairDetail(QWidget):
    """The differences between the two selected layers."""

    def __init__(self, theme: Theme, result: ModelDiff) -> None:
        super().__init__()
        self._theme, self._diff = theme, result
        self.body = column_of(on=self, spacing=8, margins=(PADDING,) * 4)
        self.name = Elided("", "heading")
        self.how = label("", "secondary")
        self._rows = QWidget()
        self.texts: list[tuple[str, str, str]] = []
        add_to(self.body, row(self.name, self.how, stretch=0), self._rows)
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
        self.name.set_text(units.clip_name(layer.label, 120))
        state = f"{SIGNS[pair.state]} {tr(NAMES[pair.state]).lower()}"
        self.how.setText(tr(_MATCHED[pair.matched_by]) if pair.matched_by else state)
        self.texts = _texts(pair, layers)
        self._fill()

    def _fill(self) -> None:
        grid = grid_of(12, 4, on=self._rows, margins=(0, 4, 0, 0))
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
    if pair.folded:
        into = units.clip(pair.folded, 60)
        rows.append((tr("Computed by"), *(("", into) if layers[0] else (into, ""))))
        difference = pair.folded_difference
        if difference is not None and difference.max_abs is not None:
            rows.append((tr("Max abs difference"), "", units.number(difference.max_abs, ".3g")))
    if pair.moved:
        rows.append((tr("Inputs"), "", tr("come from different layers than in A")))
    for change in pair.changes:
        if change.kind != "operator":
            rows += _change_rows(change)
    return rows


def _change_rows(change: Change) -> list[tuple[str, str, str]]:
    name = units.clip(units.capitalized(change.name), 60)
    rows = []
    if change.before != change.after:
        rows.append((name, change.before, change.after))
    difference = change.difference
    if difference is not None and difference.max_abs is not None:
        if change.before == change.after:
            rows.append((name, change.before, tr("different values")))
        rows.append((tr("Max abs difference"), "", units.number(difference.max_abs, ".3g")))
        if sqnr := decibels(difference):
            rows.append((tr("SQNR"), "", units.localized(sqnr)))
    elif change.problem:
        rows.append((name, "", values_text(change)))
    return rows
