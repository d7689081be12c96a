"""Shows a page, or sections of one, in the window: a card for each section."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inspector.model.display_names import fit_line
from inspector.pages.blocks import (
    Action,
    Block,
    Chart,
    Fact,
    Facts,
    Item,
    Items,
    Legend,
    Page,
    Picture,
    Section,
    Snippet,
    Table,
    Text,
)
from inspector.ui import units
from inspector.ui.translate import plural, tr, wording
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    Metric,
    MetricRow,
    button,
    column_of,
    keep_size,
    label,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.support_legend import Legend as LegendView
from inspector.ui.widgets.table_card import MoreRowsButton, ShowMoreButton
from inspector.ui.widgets.theme import Theme, font
from inspector.wording.values import Tone, Value

_ROLES = {
    Tone.PLAIN: "", Tone.SECONDARY: "secondary", Tone.GOOD: "good",
    Tone.CAUTION: "caution", Tone.BAD: "bad",
}  # fmt: skip
_FIRST_TEXTS = 10
_SHORT = 40  # letters of a text that needs no opening
_LONGEST = 25_000  # letters of a text; builders of pages cut before
_LONGEST_ACTION = 36  # letters of a button below an item
_TWO_COLUMNS_PX = 700  # from which two charts stand side by side


class PageView(QWidget):
    """The sections of a page below each other; a card that says nothing is not there.

    chosen: emitted with the key of what is clicked in a section.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.page: Page | None = None

    def show_page(self, page: Page, ids: Sequence[str] = ()) -> None:
        """Show a page, or the sections of it with these ids in their order."""
        if page == self.page:
            return
        self.page = page
        while (entry := self._column.takeAt(0)) is not None:
            if widget := entry.widget():
                widget.deleteLater()
        by_id = {section.id: section for section in page.sections}
        for section in [by_id[id_] for id_ in ids if id_ in by_id] if ids else page.sections:
            if section:
                card = SectionCard(self._theme, section)
                card.chosen.connect(self.chosen)
                self._column.addWidget(card)


class SectionCard(Card):
    """One section with its title; its table is at `table`, if it has one.

    chosen: emitted with the key of what is clicked: in a chart, a row, an action.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, section: Section) -> None:
        super().__init__(theme)
        self.section = section
        title = wording().text(section.title)
        self.setAccessibleName(title or section.id)
        if title:
            aside = label(wording().text(section.aside), "secondary")
            self.body.addLayout(row(label(title, "heading"), 4, aside, None))
        body = SectionBody(theme, section)
        self.table, self.charts = body.table, body.charts
        body.chosen.connect(self.chosen)
        self.body.addWidget(body)

    def choose(self, key: str) -> None:
        """Mark what has a key in the charts; "" for nothing."""
        for chart in self.charts:
            chart.choose(key)


class SectionBody(QWidget):
    """The blocks of a section; charts in a row stand side by side where there is room."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, section: Section) -> None:
        super().__init__()
        self.table: PageTable | None = None
        self.charts = list[ChartView]()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        title = wording().text(section.title)
        for are_charts, blocks in groupby(section.blocks, lambda block: type(block) is Chart):
            views = [block_view(theme, block, title) for block in blocks]
            for view in views:
                for table in (
                    [view] if isinstance(view, PageTable) else view.findChildren(PageTable)
                ):
                    self.table = self.table or table
                    table.key_chosen.connect(self.chosen)
                if isinstance(view, ChartView):
                    self.charts.append(view)
                if isinstance(view, ChartView | _ItemList):
                    view.chosen.connect(self.chosen)
            for view in (_SideBySide(views),) if are_charts and len(views) > 1 else views:
                column.addWidget(view)


class _SideBySide(QWidget):
    """Widgets in two columns, or in one where it is narrow."""

    def __init__(self, views: Sequence[QWidget]) -> None:
        super().__init__()
        self._views, self._columns = views, 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._arrange(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap."""
        super().resizeEvent(event)
        self._arrange(2 if self.width() >= _TWO_COLUMNS_PX else 1)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, view in enumerate(self._views):
            top = Qt.AlignmentFlag.AlignTop if columns > 1 else Qt.AlignmentFlag(0)
            self._grid.addWidget(view, place // columns, place % columns, top)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)


def block_view(theme: Theme, block: Block, title: str = "") -> QWidget:
    """Return a widget that shows a block. title: of its section, for a screen reader."""
    match block:
        case Text():
            return _text(block.value, block.tone, block.label, block.strong)
        case Facts():
            facts = block.facts[: block.limits.page]
            if block.prominent:
                return _metrics(theme, facts)
            if any(fact.whole for fact in facts) or len(facts) > block.limits.document:
                return _TextList(theme, facts, block.noun)
            return _facts(facts)
        case Table():
            return _table(theme, block, title)
        case Items():
            return _ItemList(theme, block)
        case Chart():
            return ChartView(theme, block)
        case Snippet(text, _):
            return _selectable(text, "mono")
        case Picture():
            return _picture(block)
        case Legend(marks):
            return LegendView(theme, [value.mark for value in marks])


def _selectable(text: str, role: str = "") -> QLabel:
    view = label(text, role, selectable=True)
    view.setWordWrap(True)
    return view


def _text(
    value: Value, tone: Tone = Tone.PLAIN, head: str = "", strong: bool = False
) -> QLabel:
    text = wording().text(value)
    if head:
        text = tr("{label}: {text}").format(label=tr(head), text=text)
    role = _ROLES[tone]
    return _selectable(text, "heading" if strong and not role else role)


def _metrics(theme: Theme, facts: Sequence[Fact]) -> QWidget:
    cards = []
    for fact in facts:
        card = Metric(theme, wording().text(fact.label))
        number, _, unit = wording().text(fact.value).partition(" ")
        card.show_value(number, unit, wording().text(fact.note), fact.tone is Tone.BAD)
        cards.append(card)
    return MetricRow(cards)


def _facts(facts: Sequence[Fact]) -> QWidget:
    view = QWidget()
    grid = QGridLayout(view)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(1, 1)
    for line, fact in enumerate(facts):
        text = wording().text(fact.value)
        if note := wording().text(fact.note):
            text = f"{text}  {note}"
        grid.addWidget(
            label(wording().text(fact.label), "secondary"), line, 0, Qt.AlignmentFlag.AlignTop
        )
        grid.addWidget(_selectable(text, _ROLES[fact.tone] or "value"), line, 1)
    return view


def _table(theme: Theme, table: Table, title: str) -> QWidget:
    view = PageTable(theme, title, table)
    if not view.rows_cut:
        return view
    both = QWidget()
    column_of(view, MoreRowsButton(view), on=both)
    return both


class _ItemList(QWidget):
    """A list whose entries beyond the first few appear by a button; `chosen` by an action."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, items: Items) -> None:
        super().__init__()
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12 if any(item.actions for item in items.items) else 4)
        views = [self._item(item) for item in items.items[: items.limits.page]]
        for view in views:
            column.addWidget(view)

        def show_first(count: int) -> None:
            for place, view in enumerate(views):
                view.setVisible(place < count)

        show_first(items.first)
        noun = plural(2, items.noun).partition(" ")[2]
        column.addWidget(ShowMoreButton(len(views), items.first, noun, show_first))

    def _item(self, item: Item, depth: int = 0) -> QWidget:
        view = QWidget()
        column = QVBoxLayout(view)
        column.setContentsMargins(16 * depth, 0, 0, 0)
        column.setSpacing(2)
        text, detail = wording().text(item.value), wording().text(item.detail)
        head = f"{item.sign} {text}" if item.sign else text
        first = _selectable(head, _ROLES[item.tone])
        if len(item.actions) == 1:
            column.addLayout(row(first, self._button(item.actions[0]), stretch=0))
        else:
            column.addWidget(first)
        if detail:
            column.addWidget(_selectable(detail, "secondary"))
        for inner in item.items.items[: item.items.first] if item.items is not None else ():
            column.addWidget(self._item(inner, depth + 1))
        if len(item.actions) > 1:
            buttons = QWidget()
            flow = Flow(14, 0, buttons)
            for action in item.actions:
                flow.addWidget(self._button(action))
            column.addWidget(buttons)
        return view

    def _button(self, action: Action) -> QPushButton:
        text = wording().text(action.text)
        made = button(self._theme, fit_line(text, _LONGEST_ACTION, len))
        made.setProperty("role", "link")
        made.setToolTip(tip(text))
        made.setAccessibleName(text)
        made.clicked.connect(lambda: self.chosen.emit(action.key))
        return made


def _picture(picture: Picture) -> QLabel:
    view = QLabel()
    pixels = QPixmap()
    pixels.loadFromData(picture.png)
    view.setPixmap(pixels)
    view.setAccessibleName(wording().text(picture.text))
    return view


class _TextList(QWidget):
    """Texts with their names, the first few until a reader wants all; long ones open."""

    def __init__(self, theme: Theme, facts: Sequence[Fact], noun: str) -> None:
        super().__init__()
        self._theme, self._facts = theme, facts
        self._lines = list[TextLine]()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._show_first(_FIRST_TEXTS)
        nouns = plural(2, noun).partition(" ")[2]
        more = ShowMoreButton(len(facts), _FIRST_TEXTS, nouns, self._show_first)
        self._column.addWidget(more)

    def _show_first(self, count: int) -> None:
        for fact in self._facts[len(self._lines) : count]:
            text = fact.whole or wording().text(fact.value)
            line = TextLine(self._theme, wording().text(fact.label), text)
            self._column.insertWidget(len(self._lines), line)
            self._lines.append(line)
        for place, line in enumerate(self._lines):
            line.setVisible(place < count)


class TextLine(QWidget):
    """Key and value; the whole of a long value in a field that can be copied from."""

    def __init__(self, theme: Theme, key: str, value: str) -> None:
        super().__init__()
        self._value = value
        self._whole: QPlainTextEdit | None = None
        self.turn: QToolButton = tool(
            theme, "down", tr("Show the full text of {key}").format(key=units.clip(key, 40))
        )
        if len(value) <= _SHORT and "\n" not in value:
            keep_size(self.turn)  # all values begin at one line
            self.turn.hide()
        name = Elided(key, "secondary", Qt.TextElideMode.ElideRight)
        first = value.partition("\n")[0][:2000]
        start = Elided(first, "value", Qt.TextElideMode.ElideRight)
        head = row(name, start, self.turn)
        head.setStretch(0, 2)
        head.setStretch(1, 3)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addLayout(head)
        self.setMinimumHeight(28)
        self.turn.clicked.connect(self._turn)

    def _turn(self) -> None:
        if self._whole is None:
            self._whole = _field(self._value)
            self._column.addWidget(self._whole)
            self._whole.show()
        else:
            self._whole.setVisible(self._whole.isHidden())


def _field(value: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    cut = value[:_LONGEST]
    rest = len(value) - len(cut)
    field.setPlainText(
        cut + (tr("\n… {rest:,} more characters").format(rest=rest) if rest else "")
    )
    field.setReadOnly(True)
    field.setFrameShape(QFrame.Shape.NoFrame)
    field.setFont(font(11, mono=True))
    field.setFixedHeight(120)
    field.setAccessibleName(tr("Full text"))
    return field
