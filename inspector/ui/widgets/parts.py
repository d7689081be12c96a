"""Small parts that every tab is made of: cards, labels, segmented control, metric."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from PySide6.QtCore import (
    SIGNAL,
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QEnterEvent,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QMessageBox,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from inspector.ui import glossary, units
from inspector.ui.translate import tr, tr_message
from inspector.ui.widgets.accessible import tell_current
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color

PADDING = 16  # px, of a card
GAP = 12  # px, between cards
RADIUS = 8  # px, of corners
SEPARATOR = " · "
_LEAST_AROUND = 14  # px beside the text of a tab, in languages with longer ones
_FULL = 0.6  # of a line: with less in it a part of the next fact is better than none
# As html.escape does, whose module loads a table of all entities: 2 ms of the start.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
WIDE = 700
# Of a card of numbers: size and weight of a value, its unit and the line below, and of a badge;
# base lines in pixels.
_NUMBER = (24, 600), (13, 500), (11, 400)
_BADGE = 11, 600
_ABOVE_TIP_PX = 18  # what Qt puts between the pointer and a tooltip, about
_TITLE_Y = 24  # px, base line of a metric's title
_VALUE_Y = 57  # px, base line of its value
_BELOW_Y = 78  # px, base line of the text below
_TIP_BELOW = 16  # px, from a place to the tooltip that Qt shows for it
_NO_MARGINS = (0, 0, 0, 0)  # px
# What layouts are made of: None is a stretch, a number a gap in pixels; behind a widget or a
# layout may stand its share of the room that is left, and how a widget is aligned.
_Item = QWidget | QLayout
Slot = Callable[..., object] | SignalInstance
Part = _Item | int | tuple[_Item, int] | tuple[QWidget, int, Qt.AlignmentFlag] | None


class Card(QFrame):
    """A surface with a thin border and round corners; put a layout into `body`."""

    EDGE = "border"  # role of its color in the palette

    def __init__(
        self, theme: Theme, padding: int = PADDING, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(padding, padding, padding, padding)
        self.body.setSpacing(8)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw surface and border."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qt_color(getattr(self._theme.palette, self.EDGE)), 1))
        painter.setBrush(qt_color(self._theme.palette.surface))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, RADIUS, RADIUS)


def tip(*lines: str) -> str:
    """Return the text of a tooltip, escaped so that no file can put markup into it."""
    shown = "<br>".join(
        units.clip(tr_message(line)).translate(_ESCAPES) for line in lines if line
    )
    return f"<p>{shown}</p>" if shown else ""


def label(text: str, role: str = "", selectable: bool = False, wraps: bool = False) -> QLabel:
    """A label that never takes a file's words for markup; a term's tooltip says what it means.

    role: "", "caption", "secondary", "heading", "section", "title", "mono", "bad", "caution".
    """
    made = Label(units.clip(tr_message(text), 2000))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setToolTip(tip(glossary.meaning(text)))
    made.setWordWrap(wraps)
    if role:
        made.setProperty("role", role)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        made.setCursor(Qt.CursorShape.IBeamCursor)
    return made


def wrapped(text: str, role: str = "secondary") -> QLabel:
    """Return a label that wraps its text; a very long word cannot widen the page."""
    made = label(text, role, selectable=True, wraps=True)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made


class Label(QLabel):
    """A text in the language of the window, also if another package made it."""

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(tr_message(text))


class Elided(QLabel):
    """One line of text that ends in an ellipsis where the room ends; the tooltip has it all.

    Of facts parted by " · " whole ones are left out: the last ones, or the first ones without
    an ellipsis where the mode is ElideLeft.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__()
        self._full, self._mode = "", mode
        self._fitted: tuple[int, str] | None = None  # what was drawn at which width
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show another text."""
        before, self._full = self._full, units.clip(tr_message(text), 2000)
        if self._full == before:
            return
        self._fitted = None
        self.setAccessibleName(self._full)
        free = self.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored
        if not (free and _as_high(before) and _as_high(self._full)):
            super().setText(self._full)  # lays out the whole page anew
        self.setMinimumWidth(0)
        self.update()

    def text(self) -> str:
        """The whole text."""
        return self._full

    def changeEvent(self, event: QEvent) -> None:
        """Fit the text anew, in another font perhaps."""
        super().changeEvent(event)
        self._fitted = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        if self._fitted is None or self._fitted[0] != self.width():
            self._fitted = self.width(), self.fitting()
            whole = "" if self._fitted[1] == self._full else self._full
            hint = self.accessibleDescription()
            self.setToolTip(tip(*filter(None, (whole, hint))) if whole or hint else "")
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().windowText().color())
        flags = Qt.AlignmentFlag.AlignVCenter | self.alignment()
        painter.drawText(self.rect(), int(flags), self._fitted[1])

    def fitting(self) -> str:
        """Return what of the text is shown where it has this much room."""
        metrics, width = self.fontMetrics(), self.width()
        facts = self._full.split(SEPARATOR)
        shorter = {
            Qt.TextElideMode.ElideRight: [
                [*facts[:n], "…"] for n in range(len(facts) - 1, 0, -1)
            ],
            Qt.TextElideMode.ElideLeft: [facts[n:] for n in range(1, len(facts))],
        }.get(self._mode, [])
        last = self._mode is Qt.TextElideMode.ElideLeft  # the end tells most, however short
        for candidate in (facts, *shorter):
            text = SEPARATOR.join(candidate)
            text_width = metrics.horizontalAdvance(text)
            if text_width <= width and (
                candidate is facts or last or text_width > _FULL * width
            ):
                return text
        return metrics.elidedText(self._full, self._mode, width)


class Link(Elided):
    """One line of text that can be clicked, or chosen with Tab and Return."""

    clicked = Signal()

    def __init__(self, theme: Theme, text: str, hint: str = "") -> None:
        super().__init__(text)
        self._theme, self._hint = theme, hint
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleDescription(hint)
        follow(theme, self, lambda: self._dress(self.hasFocus()))

    def fitting(self) -> str:
        """Return the name as it fits: its last part tells it from others."""
        from inspector.model.display_names import fit_line  # not at the start: 3 ms

        return fit_line(self.text(), self.width(), self.fontMetrics().horizontalAdvance)

    def _dress(self, underlined: bool) -> None:
        line = "underline" if underlined else "none"
        self.setStyleSheet(
            f"color: {self._theme.palette.accent}; font-size: 12px; font-weight: 500;"
            f"text-decoration: {line};"
        )

    def enterEvent(self, event: QEnterEvent) -> None:
        """Underline what can be clicked."""
        self._dress(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show it as plain link."""
        self._dress(self.hasFocus())
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Underline what Return follows."""
        self._dress(True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show it as plain link."""
        self._dress(False)
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep the press from what is below: the release follows the link."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow the link."""
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Follow the link."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


def _as_high(text: str) -> bool:
    """Return whether a line is as high as any other in our fonts: of letters that they have."""
    return text != "" and "\n" not in text and max(text) <= "\N{HORIZONTAL ELLIPSIS}"


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget the look of another role."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def unit(text: str = "") -> QLabel:
    """The unit behind a number of 24 px, on the same baseline."""
    made = label(text, "secondary")
    made.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
    made.setContentsMargins(0, 0, 0, 3)  # what the large letters have below the line
    return made


def hairline() -> QFrame:
    """A thin line across."""
    line = QFrame()
    line.setProperty("role", "hairline")
    return line


def row(
    *parts: Part,
    on: QWidget | None = None,
    spacing: int = 8,
    margins: Sequence[int] = _NO_MARGINS,
    stretch: int = -1,
) -> QHBoxLayout:
    """Return a horizontal layout. on: the widget that it fills.

    stretch: place of the part that gets all the room that is left.
    """
    layout = QHBoxLayout()
    _fill(layout, parts, on, spacing, margins)
    if stretch >= 0:
        layout.setStretch(stretch, 1)
    return layout


def column_of(
    *parts: Part,
    on: QWidget | None = None,
    spacing: int = -1,
    margins: Sequence[int] = _NO_MARGINS,
) -> QVBoxLayout:
    """Return a vertical layout. on: the widget that it fills; spacing: -1 for Qt's own."""
    layout = QVBoxLayout()
    _fill(layout, parts, on, spacing, margins)
    return layout


def grid_of(
    across: int,
    down: int,
    shares: Sequence[int] = (),
    on: QWidget | None = None,
    margins: Sequence[int] = _NO_MARGINS,
) -> QGridLayout:
    """Return an empty grid with gaps of some pixels.

    shares: of the room that is left, by column. on: the widget that it fills.
    """
    grid = QGridLayout()
    if on is not None:
        on.setLayout(grid)
    grid.setContentsMargins(*margins)
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    for column, share in enumerate(shares):
        grid.setColumnStretch(column, share)
    return grid


def _fill(
    layout: QBoxLayout,
    parts: Iterable[Part],
    on: QWidget | None,
    spacing: int,
    margins: Sequence[int],
) -> None:
    if on is not None:
        on.setLayout(layout)
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    add_to(layout, *parts)


def page_of(dialog: QWidget, *parts: Part) -> QVBoxLayout:
    """Fill a dialog with parts below each other, with the usual margins and gaps."""
    return column_of(*parts, on=dialog, spacing=GAP, margins=(PADDING,) * 4)


def add_to(layout: QBoxLayout, *parts: Part) -> None:
    """Put parts at the end of a layout."""
    for part in parts:
        item, share, *place = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item, share)
        else:
            layout.addWidget(item, share, *place)


def tool(theme: Theme, icon: str, text: str, then: Slot | None = None) -> QToolButton:
    """A 28 px button with an icon; `text` is its tooltip and accessible name.

    then: what a click does.
    """
    button = QToolButton()
    button.setToolTip(text)
    button.setAccessibleName(text)
    if then is not None:
        button.clicked.connect(then)
    _follow_icon(theme, button, icon, "secondary")
    return button


class _PushButton(QPushButton):
    """A push button that Enter presses everywhere: Qt's own does so in dialogs only.

    spaced: an icon stands before its text.
    """

    spaced = False

    def setText(self, text: str) -> None:
        """Show a text; the style sets icon and words close, so that a space is between."""
        super().setText(f" {text}" if self.spaced and text else text)

    def text(self) -> str:
        """Return the text without that space."""
        return super().text().removeprefix(" ")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)


def button(
    theme: Theme,
    text: str,
    icon: str = "",
    primary: bool = False,
    role: str = "",
    tooltip: str = "",
    then: Slot | None = None,
) -> QPushButton:
    """A push button 30 px high, with an icon in front if named. then: what a click does."""
    made = _PushButton()
    made.spaced = bool(icon)
    made.setAccessibleName(text)
    made.setToolTip(tooltip)
    if primary or role:
        made.setProperty("role", role or "primary")
    if then is not None:
        made.clicked.connect(then)
    if icon:
        _follow_icon(theme, made, icon, "on_fill" if primary else "secondary")
    made.setText(text)
    return made


def keep_room(shown: QLabel | QAbstractButton, texts: Iterable[str]) -> None:
    """Make something wide enough for each of the texts that it will show."""
    now, wide = shown.text(), 0
    for text in texts:
        shown.setText(text)
        wide = max(wide, shown.sizeHint().width())
    shown.setText(now)
    shown.setMinimumWidth(wide)


def keep_size(part: QWidget) -> None:
    """Let what is hidden have its room, so that nothing moves when it comes."""
    policy = part.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    part.setSizePolicy(policy)


def show_in_place(part: QWidget, shown: bool) -> None:
    """Show or hide a part; one that has no place yet is shown with it, not as a window."""
    if shown and part.isWindow():
        part.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
    else:
        part.setVisible(shown)


def _follow_icon(theme: Theme, widget: QToolButton | QPushButton, icon: str, role: str) -> None:
    follow(theme, widget, lambda: widget.setIcon(theme.icon(icon, role)))


def follow(theme: Theme, widget: QWidget, dress: Callable[[], object]) -> None:
    """Call `dress` now and on each change of the theme, as long as the widget lives."""
    dress()
    # A plain connect would keep calling after the widget is gone.
    QObject.connect(theme, SIGNAL("changed()"), widget, dress)


class Segmented(QWidget):
    """One choice of a few, side by side; arrow keys move it.

    width: of each; 0 gives each as much as its words need.
    """

    chosen = Signal(int)
    ITEM_ROLES = (QAccessible.Role.PageTabList, QAccessible.Role.PageTab)

    def __init__(
        self, theme: Theme, items: Sequence[str], width: int = 100, name: str = ""
    ) -> None:
        super().__init__()
        self._theme, self._items, self.current = theme, tuple(map(tr, items)), 0
        self._width = width
        self._widest = self._items  # of the names that each had: nothing moves with another
        self._ends: tuple[int, ...] = ()
        self._off: frozenset[int] = frozenset()
        self.set_spacing(24)
        self._hovered = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name or tr("Tabs"))
        self.setAccessibleDescription(self._items[0] if self._items else "")
        theme.changed.connect(self.update)

    def set_spacing(self, around: int) -> None:
        """Give each item as much room as its words, and so many pixels around them."""
        self._around = around
        metrics = QFontMetrics(font(13, 500))
        widths = [
            max(self._width, metrics.horizontalAdvance(text) + _LEAST_AROUND)
            if self._width
            else metrics.horizontalAdvance(text) + around
            for text in self._widest
        ]
        self._ends = tuple(accumulate(widths))
        self.setFixedSize(self._ends[-1], 30)
        self.update()

    def text_width(self) -> int:
        """Return the width of all titles without what is around them."""
        metrics = QFontMetrics(font(13, 500))
        return sum(map(metrics.horizontalAdvance, self._widest))

    def rename(self, index: int, text: str) -> None:
        """Give an item other words."""
        if self._items[index] != text:
            self._items = (*self._items[:index], text, *self._items[index + 1 :])
            pairs = zip(self._items, self._widest, strict=True)
            self._widest = tuple(
                max(each, key=QFontMetrics(font(13, 500)).horizontalAdvance) for each in pairs
            )
            self.set_spacing(self._around)
            if index == self.current:
                self.setAccessibleDescription(text)

    def choose(self, index: int) -> None:
        """Make `index` the choice, and say so if it is a new one."""
        if index != self.current and index not in self._off and 0 <= index < len(self._items):
            self.current = index
            self.setAccessibleDescription(self._items[index])
            self.update()
            self.chosen.emit(index)
            tell_current(self)

    def item_count(self) -> int:
        """Return the number of tabs, for screen readers."""
        return len(self._items)

    def item_name(self, number: int) -> str:
        """Return the title of a tab."""
        return self._items[number]

    def item_box(self, number: int) -> QRect:
        """Return where a tab is."""
        begin = self._ends[number - 1] if number else 0
        return QRect(begin, 0, self._ends[number] - begin, self.height())

    def current_item(self) -> int:
        """Return the tab that is shown."""
        return self.current

    def switch_off(self, indices: frozenset[int]) -> None:
        """Grey these out: they cannot be chosen for now."""
        self._off = indices
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what was clicked."""
        self.choose(bisect_right(self._ends, event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click would choose."""
        self._hover(bisect_right(self._ends, event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight when the pointer leaves."""
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right move the choice."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        self.choose(self.current + step) if step else super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track, the raised choice and the words."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(look.track))
        painter.drawRoundedRect(QRectF(self.rect()), 7, 7)
        begins = (0, *self._ends)
        for i, text in enumerate(self._items):
            box = QRectF(begins[i] + 2, 2, self._ends[i] - begins[i] - 4, self.height() - 4)
            if i == self.current:
                painter.setBrush(qt_color(look.knob))
                rim = qt_color(look.accent if self.hasFocus() else look.control)
                painter.setPen(QPen(rim, 1))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5.5, 5.5)
            painter.setFont(font(13, 500))
            tint = look.text if i in (self.current, self._hovered) else look.secondary
            painter.setPen(qt_color(tint, 0.4 if i in self._off else 1.0))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class Metric(Card):
    """Numbers that matter: a title, values with a lighter unit, a line below each.

    numbers: value, unit and line below of each. badges: words behind the title, each with the
    role of its color. aside: words at the right of the title, the best first, of which the
    first that fit are shown; and the role of their color.
    """

    HEIGHT = 92

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__(theme)
        self._title, self._wrong, self._shorter = title, False, tuple[str, ...]()
        self.numbers: tuple[tuple[str, str, str], ...] = (("–", "", ""),)
        self.badges: tuple[tuple[str, str], ...] = ()
        self.aside: tuple[Sequence[str], str] = (), "tertiary"
        self.setFixedHeight(self.HEIGHT)
        self.setMinimumWidth(150)
        self.setAccessibleName(title)

    def show_value(
        self,
        value: str,
        unit: str = "",
        below: str = "",
        wrong: bool = False,
        shorter: Sequence[str] = (),
    ) -> None:
        """Show another number; one that stands for something wrong is red.

        shorter: texts to show instead of `below` where that does not fit, the best first.
        """
        self.numbers, self._wrong, self._shorter = ((value, unit, below),), wrong, (*shorter,)
        self.setAccessibleDescription(f"{f'{value} {unit}'.strip()}, {below}")
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the tooltip below the card: over it, it would take the clicks on its links."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            below = QPoint(event.pos().x(), self.height() - _ABOVE_TIP_PX)
            QToolTip.showText(self.mapToGlobal(below), self.toolTip(), self)
            return True
        return super().event(event)

    def places(self) -> list[float]:
        """Return where each number begins, and where the next one would."""
        value, unit, below = (QFontMetrics(font(*look)).horizontalAdvance for look in _NUMBER)
        widths = (max(value(v) + 4 + unit(u), below(b)) + 18 for v, u, b in self.numbers)
        return list(accumulate(widths, initial=float(PADDING)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card and its words."""
        super().paintEvent(event)
        look, painter, right = self._theme.palette, painter_on(self), self.width() - PADDING
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        value, unit, small = _NUMBER
        end = self._write(painter, PADDING, _TITLE_Y, self._title, (12, 500), look.secondary)
        for text, role in self.badges:
            wide = QFontMetrics(font(*_BADGE)).horizontalAdvance(text) + 14
            painter.setPen(Qt.PenStyle.NoPen)
            tint = getattr(look, role)
            painter.setBrush(qt_color(tint, 0.16))
            painter.drawRoundedRect(QRectF(end + 8, 11, wide, 18), 5, 5)
            end = self._write(painter, end + 15, _TITLE_Y, text, _BADGE, tint) + 7
        metrics = QFontMetrics(font(*small))
        texts, role = self.aside
        fitting = (t for t in texts if end + 8 + metrics.horizontalAdvance(t) <= right)
        text = next(fitting, "")
        begin = right - metrics.horizontalAdvance(text)
        self._write(painter, begin, _TITLE_Y, text, small, getattr(look, role))
        for left, number in zip(self.places(), self.numbers, strict=False):
            bad, room = self._wrong and left == PADDING, int(right - left)
            tint = look.bad if bad else look.text
            end = self._write(painter, left, _VALUE_Y, number[0], value, tint)
            self._write(painter, end + 4, _VALUE_Y, number[1], unit, look.secondary)
            texts = (number[2], *self._shorter)
            text = next((t for t in texts if metrics.horizontalAdvance(t) <= room), texts[-1])
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            tint = look.bad if bad else look.tertiary
            self._write(painter, left, _BELOW_Y, text, small, tint)

    @staticmethod
    def _write(
        painter: QPainter, x: float, y: float, text: str, look: tuple[int, int], tint: str
    ) -> float:
        """Write a text from a point on its base line; returns where it ends."""
        painter.setFont(font(*look))
        painter.setPen(qt_color(tint))
        painter.drawText(QPointF(x, y), text)
        return x + painter.fontMetrics().horizontalAdvance(text)


class MetricRow(QWidget):
    """Cards in a row; in two where that is too narrow, or two by two."""

    def __init__(self, cards: Sequence[Metric]) -> None:
        super().__init__()
        self._cards, self._columns = tuple(cards), 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._arrange(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as there is room for."""
        super().resizeEvent(event)
        self._arrange(self._fitting(self.width()))

    def event(self, event: QEvent) -> bool:
        """Follow cards that need more room, or less."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange(self._fitting(self.width()))
        return super().event(event)

    def sizeHint(self) -> QSize:
        """Return the height of the rows."""
        rows = -(-len(self._cards) // max(1, self._columns))
        return QSize(WIDE, rows * Metric.HEIGHT + (rows - 1) * GAP)

    def minimumSizeHint(self) -> QSize:
        """Return the width of two cards: a row of all may become narrower."""
        return QSize(self._width(2), self.sizeHint().height())

    def _width(self, columns: int) -> int:
        """Return the least width of so many cards side by side."""
        least = (max(c.minimumWidth(), c.minimumSizeHint().width()) for c in self._cards)
        widest = max(least, default=0)
        return columns * widest + (columns - 1) * GAP

    def _fitting(self, width: int) -> int:
        """Return the columns at a width: all cards, or half of them, or two."""
        every = len(self._cards)
        if width >= max(WIDE, self._width(every)):
            return every
        half = -(-every // 2)
        return half if width >= self._width(half) and half > 1 else 2

    def _arrange(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            for i, card in enumerate(self._cards):
                self._grid.addWidget(card, i // columns, i % columns)
            self.updateGeometry()


def note(
    theme: Theme, sentence: str, icon: str = "info", role: str = "tertiary"
) -> QHBoxLayout:
    """The sign in the color of a role, the sentence quiet: it may be long, and wraps."""
    sign, text = QLabel(), label(sentence, "secondary", selectable=True)
    text.setWordWrap(True)
    text.setAlignment(Qt.AlignmentFlag.AlignTop)  # level with its sign in a tall row
    follow(theme, sign, lambda: sign.setPixmap(theme.pixmap(icon, role)))
    return row((sign, 0, Qt.AlignmentFlag.AlignTop), (text, 1))


def asked(
    window: QWidget,
    title: str,
    what: str,
    text: str,
    *answers: tuple[str, QMessageBox.ButtonRole],
    icon: QMessageBox.Icon = QMessageBox.Icon.Question,
) -> int:
    """Ask a question in a box of its own, and return the place of the answer.

    answers: with their roles; the first one is chosen by Enter, the rejecting one by Escape.
    """
    box = QMessageBox(icon, title, what, parent=window)
    box.setInformativeText(text)
    buttons = [box.addButton(*answer) for answer in answers]
    box.setDefaultButton(buttons[0])
    box.exec()
    chosen = box.clickedButton()
    return next(place for place, each in enumerate(buttons) if each is chosen)


def set_available(action: QAction, reason: str) -> None:
    """Enable an entry of a menu, or disable it and say why in its tooltip.

    The menu has to show it: `explain_entries`.
    """
    action.setEnabled(not reason)
    # Without a reason Qt's tooltip is the text of the entry, which says nothing new.
    action.setToolTip(reason)
    action.setStatusTip(reason)


def explain_entries(menu: QMenu) -> None:
    """Show the tooltips of a menu's entries beside it, where they cover no other entry."""
    menu.setToolTipsVisible(True)
    menu.installEventFilter(_EntryTips(menu))


class _EntryTips(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the tooltip of the entry below the pointer at the menu's right side."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        assert isinstance(watched, QMenu), "it is put on menus alone"
        action = watched.actionAt(event.pos())
        # Qt's own tooltip of an entry is its text, which is there already.
        text = action.toolTip() if action is not None else ""
        if action is None or text == action.iconText():
            QToolTip.hideText()
            return True
        top = watched.actionGeometry(action).top() - _TIP_BELOW
        QToolTip.showText(watched.mapToGlobal(QPoint(watched.width(), top)), text, watched)
        return True


def visible_parts(widget: QWidget) -> Iterator[QWidget]:
    """Yield what is shown within a widget, outer parts before those in them."""
    return (part for part in all_parts(widget) if part.isVisible())


def all_parts(widget: QWidget) -> Iterator[QWidget]:
    """Yield what is within a widget, outer parts before those in them.

    Not by Qt's own search: PySide makes the widget that is searched the owner of all that is
    found, and pages of closed models would stay in memory. Nor along Qt's chain of keys: of
    that each is made the owner of the next, and the window's menus would go with a page.
    """
    for child in widget.children():
        if isinstance(child, QWidget):
            yield child
            yield from all_parts(child)


def parts_as_seen(widget: QWidget) -> Iterator[QWidget]:
    """Yield what is within a widget in the order of its layout, as Tab should go."""
    layout = widget.layout()
    places = {part: n for n, part in enumerate(_placed(layout))} if layout is not None else {}
    parts = [child for child in widget.children() if isinstance(child, QWidget)]
    for part in sorted(parts, key=lambda part: places.get(part, len(places))):
        yield part
        yield from parts_as_seen(part)


def _placed(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _placed(inner)
        elif widget is not None:
            yield widget
