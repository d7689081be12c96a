"""Scopes of a model with sums: where its layers, arithmetic and weights are."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from inspector.analysis.cost.scopes import Scope
from inspector.analysis.facts.symbolic_sizes import number
from inspector.ui import units
from inspector.ui.background import WhileShown
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.file_dialogs import choose_operators, takes_operators
from inspector.ui.translate import plural, tr, written
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    follow,
    label,
    row,
    tip,
    wrapped,
)
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Painted, Theme, fill_round, font, painter_on, qt_color

SHOWN = 5  # findings
LINE = 26  # px, height
INDENT = 14  # px, of a step
CHEVRON = 16  # px, width
WORDS = 72  # px, width of a count with its noun
COUNT = 64  # px, width of a count
MOST_LINES = 400
FEW = 10  # scopes that are unfolded at first
MACS, WEIGHTS, TIME = range(3)


class OperatorsLine(QWidget):
    """The chosen libraries with the model's custom operators, and buttons to choose them."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._document = document
        self.names = label("", "secondary")
        self.choose = button(theme, tr("Choose library…"))
        self.choose.setToolTip(
            tip(
                tr(
                    "Choose the library that provides the custom operators. Its code runs in "
                    "the engine process; choose only one you trust. It is remembered for this "
                    "model"
                )
            )
        )
        self.drop = button(theme, tr("Remove"), then=lambda: document.set_spec(custom_ops=()))
        for each in (self.choose, self.drop):
            each.setProperty("role", "link")
        self.choose.clicked.connect(lambda: choose_operators(document, self))
        row(24, self.names, self.choose, self.drop, None, on=self)
        document.changed(Topic.SPEC).connect(self._show)
        self._show()

    def _show(self) -> None:
        chosen = self._document.spec.custom_ops
        names = ", ".join(units.clip(Path(name).name, 40) for name in chosen[:2])
        names += ", …" if len(chosen) > 2 else ""
        self.names.setText(tr("Library: {names}").format(names=names) if chosen else "")
        self.names.setToolTip(tip(*chosen))
        self.names.setVisible(bool(chosen))
        self.drop.setVisible(bool(chosen))


class NotesCard(Card):
    """A line with a warning sign for each."""

    def __init__(
        self, theme: Theme, sentences: tuple[str, ...], document: Document | None = None
    ) -> None:
        super().__init__(theme)
        takes = document is not None and takes_operators(document)
        self.operators = OperatorsLine(theme, document) if document and takes else None
        self._theme, self._sentences = theme, sentences
        self._lines: list[QWidget] = []
        self._column = column_of(spacing=8)
        add_to(self.body, label(tr("Notes"), "heading"), self._column)
        self._show_first(SHOWN)
        if self.operators is not None:  # below the sentence about them, which is the first
            self._column.insertWidget(1, self.operators)
        self.body.addWidget(
            ShowMoreButton(len(sentences), SHOWN, tr("notes"), self._show_first)
        )
        self.body.addStretch(1)

    def _show_first(self, number: int) -> None:
        for sentence in self._sentences[len(self._lines) : number]:
            self._lines.append(_line(self._theme, sentence))
            self._column.addWidget(self._lines[-1])
        for place, line in enumerate(self._lines):
            line.setVisible(place < number)


def _line(theme: Theme, sentence: str) -> QWidget:
    made, icon = QWidget(), QLabel()
    icon.setFixedWidth(16)
    follow(theme, icon, lambda: icon.setPixmap(theme.pixmap("warning", "caution")))
    row((icon, 0, Qt.AlignmentFlag.AlignTop), (wrapped(written(sentence)), 1), on=made)
    return made


class Row(Struct, frozen=True):
    """A scope that is in view, and how deep it lies; `alike` stands for itself and the rest."""

    scope: Scope
    depth: int


class ScopeTree(Painted):
    """Lines with a bar each; arrow keys move and open, Enter chooses."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._whole: Scope | None = None
        self._lengths: Mapping[str, int] = {}
        self._times: Mapping[int, int] = {}
        self._open: set[str] = set()
        self._measure = MACS
        self.rows: tuple[Row, ...] = ()
        self._foldable = False
        self._hovered, self._current = -1, 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Structure"))

    def show_tree(self, whole: Scope, lengths: Mapping[str, int]) -> None:
        """Show a tree; what was open stays so."""
        fresh = self._whole is None
        self._whole, self._lengths = whole, lengths
        if fresh:
            self._open |= set(_main_path(whole))
        self._lay_out()

    def show_times(self, times_ns: Mapping[int, int]) -> None:
        """Take the time of each layer in a prediction; empty without a measurement."""
        self._times = times_ns
        self.update()

    def show_measure(self, measure: int) -> None:
        """Let the bars show MACs, weights or time."""
        self._measure = measure
        self.update()

    def turn(self, place: int) -> None:
        """Open or close a scope."""
        path = self.rows[place].scope.path
        self._open ^= {path}
        self._lay_out()

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(300, LINE * len(self.rows))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, open, close, choose."""
        key, last = event.key(), len(self.rows) - 1
        scope = self.rows[self._current].scope if self.rows else None
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if key == Qt.Key.Key_Down else -1
            self._current = max(0, min(last, self._current + step))
            self.update()
        elif scope is not None and key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            if scope.children and (scope.path in self._open) == (key == Qt.Key.Key_Left):
                self.turn(self._current)
        elif scope is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(scope.path)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click would hit."""
        self._hover(int(event.position().y()) // LINE)

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight when the pointer leaves."""
        self._hover(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the click; it counts when it ends."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open what has scopes inside by its mark, choose by its name."""
        place = int(event.position().y()) // LINE
        if not 0 <= place < len(self.rows):
            return
        self._current = place
        shown = self.rows[place]
        mark = INDENT * shown.depth + CHEVRON
        if shown.scope.children and event.position().x() < mark + 4:
            self.turn(place)
        else:
            self.chosen.emit(shown.scope.path)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows that are in view."""
        painter = painter_on(self, smooth=True)
        most = max((self._amount(shown.scope) for shown in self.rows), default=0) or 1
        first, last = event.rect().top() // LINE, event.rect().bottom() // LINE
        for place in range(first, min(last + 1, len(self.rows))):
            self._paint_row(painter, place, most)

    def _lay_out(self) -> None:
        self.rows = tuple(_visible(self._whole, self._open)) if self._whole else ()
        self._foldable = any(shown.scope.children for shown in self.rows)
        self._current = min(self._current, max(0, len(self.rows) - 1))
        descriptions = (
            f"{r.scope.path}: {plural(len(r.scope.layers), 'layer')}" for r in self.rows[:50]
        )
        self.setAccessibleDescription(units.clip("; ".join(descriptions), 2000))
        self.setFixedHeight(LINE * len(self.rows))
        self.updateGeometry()
        self.update()

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self.update()

    def _amount(self, scope: Scope) -> int:
        if self._measure == TIME:
            return sum(self._times.get(layer, 0) for layer in scope.layers)
        macs = number(scope.macs, self._lengths)
        return macs if self._measure == MACS else scope.weights_bytes

    def _paint_row(self, painter: QPainter, place: int, most: int) -> None:
        shown, look = self.rows[place], self._theme.palette
        line = QRectF(0, place * LINE, self.width(), LINE)
        painter.setPen(Qt.PenStyle.NoPen)
        if place == self._hovered or (self.hasFocus() and place == self._current):
            painter.setBrush(qt_color(look.hover))
            painter.drawRoundedRect(line.adjusted(-8, 0, 8, 0), 5, 5)
        left = INDENT * shown.depth
        if shown.scope.children:
            painter.setFont(font(10))
            painter.setPen(qt_color(look.secondary))
            box = QRectF(left, line.y(), CHEVRON - 4, line.height())
            sign = "▾" if shown.scope.path in self._open else "▸"
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), sign)
        bar_width = max(60.0, min(180.0, self.width() * 0.24))
        bar = QRectF(line.right() - WORDS - bar_width, line.y() + 9, bar_width, 8)
        fill_round(painter, bar, 3, qt_color(look.track))
        amount = self._amount(shown.scope)
        if amount:
            painter.setBrush(qt_color(look.accent))
            filled = max(3.0, bar.width() * amount / most)
            painter.drawRoundedRect(QRectF(bar.x(), bar.y(), filled, bar.height()), 3, 3)
        text = (units.count, units.size, units.duration)[self._measure](amount)
        self._paint_words(painter, line, text, look.secondary, 0)
        layers = plural(len(shown.scope.layers), "layer")
        self._paint_words(painter, line, layers, look.tertiary, WORDS + bar_width + 12)
        names = line.adjusted(
            left + (CHEVRON if self._foldable else 0), 0, -WORDS - bar_width - COUNT - 24, 0
        )
        self._paint_name(painter, names, shown.scope)

    def _paint_words(
        self, painter: QPainter, line: QRectF, text: str, tint: str, right: float
    ) -> None:
        painter.setFont(font(12))
        painter.setPen(qt_color(tint))
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(line.adjusted(0, 0, -right, 0), int(side), text)

    def _paint_name(self, painter: QPainter, box: QRectF, scope: Scope) -> None:
        look = self._theme.palette
        also = tr("  {alike} identical").format(alike=scope.alike) if scope.alike > 1 else ""
        painter.setFont(font(11))
        available = painter.fontMetrics().horizontalAdvance(also)
        painter.setFont(font(12, 500))
        painter.setPen(qt_color(look.text))
        name = painter.fontMetrics().elidedText(
            units.clip(scope.name, 80),
            Qt.TextElideMode.ElideMiddle,
            int(box.width() - available),
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, name)
        name_width = painter.fontMetrics().horizontalAdvance(name)
        painter.setFont(font(11))
        painter.setPen(qt_color(look.accent))
        painter.drawText(box.adjusted(name_width, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, also)


def _main_path(whole: Scope) -> Iterator[str]:
    """Scopes that hold most layers, outermost first, as long as few lines come of them."""
    scope, room = whole, FEW - len(_distinct(whole))
    while scope.children:
        largest = max(scope.children, key=lambda child: len(child.layers) * child.alike)
        inner = _distinct(largest)
        most = 2 * len(largest.layers) * largest.alike > len(scope.layers)
        if not inner or not most or len(inner) > room:
            return
        yield largest.path
        scope, room = largest, room - len(inner)


def _visible(whole: Scope, opened: set[str]) -> list[Row]:
    """Rows of a tree; of a row of identical scopes only the first is shown."""
    rows: list[Row] = []
    waiting = [Row(child, 0) for child in reversed(_distinct(whole))]
    while waiting and len(rows) < MOST_LINES:
        shown = waiting.pop()
        rows.append(shown)
        if shown.scope.path in opened:
            inner = reversed(_distinct(shown.scope))
            waiting += [Row(child, shown.depth + 1) for child in inner]
    return rows


def _distinct(scope: Scope) -> list[Scope]:
    distinct, place = [], 0
    while place < len(scope.children):
        distinct.append(scope.children[place])
        place += scope.children[place].alike
    return distinct


class StructureCard(Card):
    """The tree of scopes; a click on a name looks for its layers."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document, self._work = document, document.estimating
        self.measure = Segmented(theme, (tr("MACs"), tr("Weights"), tr("Time")), 68)
        self.measure.setAccessibleName(tr("Bars show"))
        self._caption = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.tree = ScopeTree(theme)
        self.body.setSpacing(4)
        self.body.addLayout(
            row(label(tr("Structure"), "heading"), self._caption, self.measure, stretch=1)
        )
        add_to(self.body, 2, self.tree, None)
        self.measure.chosen.connect(self.tree.show_measure)
        self.tree.chosen.connect(self.chosen)
        late = WhileShown(self, self._show)
        self._work.changed.connect(late.call)
        document.changed(Topic.REPORT).connect(late.call)
        self._show()

    def _show(self) -> None:
        estimate = self._work.estimate
        whole = estimate.structure if estimate is not None else None
        if estimate is not None and whole is not None:
            alike = [child for child in whole.children if child.alike > 1]
            rows = (
                tr(" · {row_count} of identical blocks").format(
                    row_count=plural(len(alike), "row")
                )
                if alike
                else ""
            )
            lengths = estimate.lengths
            inside = sum(number(child.macs, lengths) for child in whole.children)
            outside = number(whole.macs, lengths) - inside
            rest = (
                tr(" · {macs} MACs in no scope").format(macs=units.count(outside))
                if outside > 0
                else ""
            )
            self._caption.set_text(f"{plural(len(whole.children), 'scope')}{rows}{rest}")
            self.tree.show_tree(whole, estimate.lengths)
        report = self._document.report
        self.tree.show_times({u.index: u.time_ns or 0 for u in report.layers} if report else {})
        self.measure.switch_off(frozenset() if report else frozenset({TIME}))
        visible = whole is not None and bool(whole.children)
        if not visible or self.parentWidget() is not None:  # else it were a window of its own
            self.setVisible(visible)
