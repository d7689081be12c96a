"""The steps of a recipe and the actions that can be added, each as a list with two lines."""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inspector.conversion.action import Effect, Step
from inspector.conversion.registry import ACTIONS
from inspector.pages.charts.palette import WHITE
from inspector.ui import units
from inspector.ui.translate import tr, tr_message, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.theme import Theme, font, qt_color
from inspector.wording.values import Sentence

_STEP_PX = 48  # height of a row of steps
_OFFER_PX = 40  # height of a row of actions
_SIGN_PX = 18
_HANDLE_PX = 16  # width
_GAP_PX = 8
TEXT_PX = 11  # size of the text
_LONGEST = 400  # characters of a text, about ten lines
WRAPPED = int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
_DATA = Qt.ItemDataRole.UserRole
DONE = "done"  # how a step is
REFUSED = "refused"
IDLE = "idle"
# How an action is: it can be added, with a caution, once options are set, or not at all.
POSSIBLE = "possible"
CAREFUL = "careful"
NEEDS = "needs"
NOTHING = "nothing"
WAITING = "waiting"  # until that is known
_SIGNS = {  # icon and role of its color
    DONE: ("check", "good"),
    REFUSED: ("warning", "bad"),
    POSSIBLE: ("plus", "accent"),
    NEEDS: ("plus", "tertiary"),
    CAREFUL: ("warning", "caution"),
    NOTHING: ("minus", "tertiary"),
    WAITING: ("plus", "tertiary"),
}
Index = QModelIndex | QPersistentModelIndex


class Line(Struct, frozen=True):
    """The content of a row: a title, a text below it, and its state.

    number: of a step, from 1. hint: what the text leaves out.
    """

    title: str
    text: str
    state: str
    number: int = 0
    movable: bool = False
    hint: str = ""

    @property
    def below(self) -> str:
        """The text as it is shown below the title: of a long one its beginning."""
        return units.clip(tr_message(self.text), _LONGEST)

    @property
    def spoken(self) -> str:
        """The row as one text."""
        number = f"{self.number}. " if self.number else ""
        texts = (f"{number}{self.title}: {self.text}", self.hint)
        return ". ".join(text.removesuffix(".") for text in texts if text)


def step_line(
    number: int, step: Step, effect: Effect | None, ran: bool, several: bool, made_bytes: int
) -> Line:
    """Return the row of a step. ran: whether the recipe was run with it.

    made_bytes: size of the model that the only step made, which is known better than estimated;
    0 for none.
    """
    action = ACTIONS[step.action]
    known = {option.name: option for option in action.options}  # pairs are no options
    options = ", ".join(filter(None, (
        known[name].text_in_name(value) if name in known else f"{name} {value}"
        for name, value in step.options
    )))  # fmt: skip
    text = tr("checking…") if effect is None else written(effect.text)
    if effect is not None and effect.applicable and effect.touches and ran:
        sizes = tr("{before} to {after}").format(
            before=units.size(effect.bytes_before), after=units.size(made_bytes)
        )
        text = "; ".join((written(effect.touches), *((sizes,) if made_bytes else ())))
    state = DONE if ran else IDLE
    if effect is not None and effect.refused:
        state = REFUSED
    elif effect is not None and effect.nothing and not ran:
        state = IDLE
    joined = " · ".join(filter(None, (options, text)))
    return Line(tr(action.title), joined, state, number, several)


def offer_line(name: str, effect: Effect) -> Line:
    """Return the row of an action: what it would do, or why it has nothing to do."""
    title, text = tr(ACTIONS[name].title), written(effect.text)
    if effect.refused and effect.hint:  # such as the command that installs a library
        text = f"{text}. {effect.hint}"
    text = in_window(text)
    below, state = text, NEEDS if effect.needs else NOTHING
    if effect.applicable:
        # A sign on what is true of any model would warn of nothing.
        state = CAREFUL if effect.caution and effect.particular else POSSIBLE
        below = effect.caution or text
    hint = text if below != text else ""
    if effect.foretold is not None:
        below = f"{written(effect.foretold.short)} {below}"
        hint = f"{written(effect.foretold.sentence)} {hint}".rstrip()
    elif effect.not_foretold:
        why = Sentence("Latency not foretold: {reason}.", effect.not_foretold_reason)
        hint = f"{written(why)} {hint}".rstrip()
    return Line(title, below, state, hint=hint)


def waiting_line(name: str) -> Line:
    """Return the row of an action before it is known what it would do to the model."""
    action = ACTIONS[name]
    return Line(tr(action.title), tr_message(units.capitalized(action.summary)), WAITING)


def text_begin() -> int:
    """Return the pixels before the texts of a row."""
    return 8 + _SIGN_PX + _GAP_PX


def end_gap(line: Line) -> int:
    """Return the pixels behind the texts of a row."""
    return _HANDLE_PX + _GAP_PX if line.movable else 6


class TwoLineList(QListWidget):
    """Rows of a title and a text, which wraps; as high as its rows: the page scrolls."""

    def __init__(self, theme: Theme, name: str, row_px: int) -> None:
        super().__init__()
        self._theme, self._row_px = theme, row_px
        self.setAccessibleName(name)
        self.setItemDelegate(_Rows(theme, self, row_px))
        self.setMouseTracking(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        theme.changed.connect(self.viewport().update)
        self.lines: tuple[Line, ...] = ()
        self.setFixedHeight(row_px)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show other rows; the current one stays the one at its place."""
        if tuple(lines) == self.lines:
            return
        current = self.currentRow()
        self.lines = tuple(lines)
        while self.count() > len(lines):
            self.takeItem(self.count() - 1)
        while self.count() < len(lines):
            self.addItem(QListWidgetItem())
        for place, line in enumerate(lines):
            item = self.item(place)
            item.setText(line.spoken)
            item.setToolTip(tip(line.title, line.text, line.hint))
            item.setData(_DATA, place)
        self._fit()
        if 0 <= current < len(lines):
            self.setCurrentRow(current)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the texts anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Give each row the height that its text needs in this width, so that none is cut."""
        metrics, heights = QFontMetrics(font(TEXT_PX)), []
        for place, line in enumerate(self.lines):
            across = self.viewport().width() - 1 - text_begin() - end_gap(line)  # as painted
            room = QRect(0, 0, across, 10_000)
            more = metrics.boundingRect(room, WRAPPED, line.below).height()
            heights.append(self._row_px + max(0, more - metrics.lineSpacing()))
            self.item(place).setSizeHint(QSize(0, heights[-1]))
        self.setFixedHeight(sum(heights) or self._row_px)

    def text_below(self, line: Line, across: int) -> str:
        """Return the text of a row as it is shown in a width in pixels."""
        return line.below

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls."""
        event.ignore()


class StepList(TwoLineList):
    """The steps in order. Drag one, or press Alt with up or down, to move it."""

    moved = Signal(int, int)  # from a place to another
    removal_asked = Signal(int)
    options_asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Recipe steps"), _STEP_PX)
        self.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        self.itemDoubleClicked.connect(lambda _: self.options_asked.emit(self.currentRow()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, remove or edit the current step."""
        place, key = self.currentRow(), Qt.Key(event.key())
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key, 0)
        if alt and by:
            if 0 <= place + by < self.count():
                self.setCurrentRow(place + by)
                self.moved.emit(place, place + by)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and place >= 0:
            self.removal_asked.emit(place)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and place >= 0:
            self.options_asked.emit(place)
        else:
            super().keyPressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Move the dragged step to where it is dropped."""
        position = event.position()
        boxes = (self.visualItemRect(self.item(place)) for place in range(self.count()))
        place, to = self.currentRow(), sum(box.center().y() < position.y() for box in boxes)
        to -= to > place  # the places behind it move up
        # Qt would move the row itself; the recipe decides, and the rows follow it.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if place >= 0 and to != place:
            QTimer.singleShot(0, self, partial(self._move, place, min(to, self.count() - 1)))

    def _move(self, place: int, to: int) -> None:
        self.setCurrentRow(to)
        self.moved.emit(place, to)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or what to do while there are none."""
        super().paintEvent(event)
        if not self.count():
            painter = QPainter(self.viewport())
            painter.setFont(font(12))
            painter.setPen(qt_color(self._theme.palette.tertiary))
            text = tr("No steps yet. Add an action, or find the best recipe.")
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect(), flags, text)


class OfferList(TwoLineList):
    """Actions that can be added; a click or Return asks for one."""

    asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Actions"), _OFFER_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.itemClicked.connect(lambda item: self.asked.emit(int(item.data(_DATA))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask for the current action."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if Qt.Key(event.key()) in keys and self.currentRow() >= 0:
            self.asked.emit(self.currentRow())
        else:
            super().keyPressEvent(event)


class _Rows(QStyledItemDelegate):
    """Draws a row: a sign, the title, and the text below it."""

    def __init__(self, theme: Theme, view: TwoLineList, row_px: int) -> None:
        super().__init__(view)
        self._theme, self._list, self._row_px = theme, view, row_px

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        look, line = self._theme.palette, self._list.lines[index.row()]
        box, state = _box(option), _state(option)
        view: QWidget = self._list
        chosen = bool(state & QStyle.StateFlag.State_Selected) and (
            line.number > 0 or view.hasFocus()
        )
        able = bool(state & QStyle.StateFlag.State_Enabled)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver) and line.state != NOTHING
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the sign is placed
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen or hovered:
            painter.setBrush(qt_color(look.selection if chosen else look.hover))
            painter.drawRoundedRect(QRectF(box).adjusted(0, 1, 0, -1), 6, 6)
        upper = self._row_px if line.text else box.height()  # of the sign and the title
        sign = QPointF(box.left() + 8, box.top() + (upper - _SIGN_PX) / 2)
        self._sign(painter, QRectF(sign, QSizeF(_SIGN_PX, _SIGN_PX)), line, able)
        left, right = box.left() + text_begin(), box.right() - end_gap(line)
        quiet = line.state == NOTHING or not able
        title = look.on_selection if chosen else look.tertiary if quiet else look.text
        below = look.on_selection if chosen else look.tertiary if quiet else look.secondary
        if line.state == REFUSED and not chosen:
            below = look.bad
        up = 17 if line.text else 9  # of the title: above its text, or in the middle
        room = QRect(left, box.top() + upper // 2 - up, right - left, 17)
        painter.setFont(font(12 + (line.number > 0), 600 if line.number else 500))
        painter.setPen(qt_color(title))
        shown = painter.fontMetrics().elidedText(
            line.title, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.setFont(font(TEXT_PX))
        painter.setPen(qt_color(below))
        text_room = QRect(left, room.bottom() + 2, room.width(), box.bottom() - room.bottom())
        below_text = self._list.text_below(line, text_room.width())
        painter.drawText(text_room, WRAPPED, below_text)
        if line.movable:
            self._handle(painter, box, look.on_selection if chosen else look.tertiary)
        painter.restore()

    def _sign(self, painter: QPainter, round_: QRectF, line: Line, able: bool) -> None:
        look = self._theme.palette
        icon = _SIGNS.get(line.state)
        if line.state == DONE:
            painter.setBrush(qt_color(look.good, 0.16))
            painter.drawEllipse(round_)
        if icon is not None:
            at = round_.center() - QPointF(8, 8)
            name, tint = icon
            painter.drawPixmap(at, self._theme.pixmap(name, tint if able else "tertiary"))
            return
        painter.setBrush(qt_color(look.fill))
        painter.drawEllipse(round_)
        painter.setFont(font(11, 600))
        painter.setPen(qt_color(WHITE))
        painter.drawText(round_, Qt.AlignmentFlag.AlignCenter, str(line.number))

    def _handle(self, painter: QPainter, box: QRect, tint: str) -> None:
        """Draw six dots, which say that a row can be dragged."""
        pen = QPen(qt_color(tint), 2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        left, middle = box.right() - _HANDLE_PX, box.center().y()
        for x in (left, left + 5):
            for y in (middle - 5, middle, middle + 5):
                painter.drawPoint(x, y)


def _box(option: QStyleOptionViewItem) -> QRect:
    return option.rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    return option.state
