"""A message over the page: what failed and what to do, or what was done."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QProcess,
    QPropertyAnimation,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    QUrl,
)
from PySide6.QtGui import (
    QDesktopServices,
    QEnterEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QGraphicsOpacityEffect,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inspector.errors import InspectorError
from inspector.pages.charts.palette import mix
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import RADIUS, button, label, tool, visible_parts
from inspector.ui.widgets.theme import Theme, qt_color

# Long enough to read two short lines and to reach the button with the pointer.
FADES_AFTER_MS = 5000
FADING_MS = 250
# Sign and color of each kind of message.
_TINTS = {"bad": ("warning", "bad"), "done": ("check", "good"), "info": ("info", "accent")}
FILE_MANAGER = "xdg-open"  # on Linux
_DOCUMENTS = (".html", ".pdf", ".svg", ".png")  # that every desktop has a program for
WIDEST = 720  # px
MARGIN = 16  # px
LIST_HEIGHT = 148  # px
_AROUND_WORDS = 120  # px, of icon, closing button, gaps and margins
# Where a message may lie, the best first: shares of the free room at its left and above it.
# Never high up, where the sentence of a page stands.
_CORNERS = tuple(
    (across, down)
    for down in (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
    for across in (0.5, 1.0, 0.0)
)
_USED = QAbstractButton | QComboBox | QLineEdit | QAbstractSpinBox


class Action(Struct, frozen=True):
    """A button of a message, and what it does."""

    label: str
    act: Callable[[], object]


class Message(Struct, frozen=True):
    """A message: a heading, a text, a list below it, and a button for the remedy.

    bad: something failed. done: something was done as wished. fades: it goes by itself after
    FADES_AFTER_MS, unless the pointer is on it.
    """

    what: str
    text: str = ""
    lines: tuple[str, ...] = ()
    bad: bool = False
    done: bool = False
    action: Action | None = None
    fades: bool = False


class Notice(QWidget):
    """Lies over the lower part of `host`: nothing on the page moves, and no link is covered.

    A message is about the window (None) or about one document, with which it comes and goes.
    Of both, the later one is shown, and the other one when that is closed.
    """

    def __init__(self, theme: Theme, host: QWidget) -> None:
        super().__init__(host)
        self._theme, self._host = theme, host
        self._messages: dict[object, Message] = {}  # by what they are about, the latest last
        self._subject: object = None
        self._corner = _CORNERS[0]
        self._shown: object = None
        self._icon = QLabel()
        self.what = label("", "heading")
        self.why = label("", "secondary")
        self.list = label("", "secondary")
        for part in (self.what, self.why, self.list):
            part.setWordWrap(True)
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.list)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.viewport().setAutoFillBackground(False)
        self.list.setAutoFillBackground(False)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.action = button(theme, "")
        self.action.clicked.connect(self._act)
        self.close_button = tool(theme, "close", tr("Close this message"))
        self.close_button.clicked.connect(self.dismiss)
        self._lay_out()
        self._wait = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timed: Message | None = None  # the one that the timer runs for
        self._wait.timeout.connect(self._fade)
        self._fading: QPropertyAnimation | None = None
        theme.changed.connect(self._dress)
        host.installEventFilter(self)
        self.hide()

    def show_error(
        self, error: InspectorError, about: object = None, action: Action | None = None
    ) -> None:
        """Show an error: what, why, and what to do next."""
        self.say(Message(error.what, _sentences(error), bad=True, action=action), about)

    def show_errors(self, errors: Sequence[InspectorError], tried: int) -> None:
        """Show which of several files could not be opened, each with its reason."""
        if tried == 1 and errors:
            self.show_error(errors[0])
            return
        many = tr("{count} of {tried} files could not be opened").format(
            count=len(errors), tried=tried
        )
        lines = tuple(
            f"{units.clip(error.what, 200).removeprefix('Could not open ')}: "
            f"{units.clip(error.why, 300)}"
            for error in errors
        )
        self.say(Message(many, lines=lines, bad=True))

    def show_done(self, text: str, where: str, about: object = None) -> None:
        """Report that a file was saved; where: its path."""
        path = Path(where)
        if path.suffix.lower() in _DOCUMENTS:
            action = Action(tr("Open"), lambda: open_file(path))
        else:
            action = Action(tr("Show in folder"), lambda: show_in_folder(path))
        self.say(Message(text, str(path.parent), done=True, action=action, fades=True), about)

    def say(self, message: Message, about: object = None) -> None:
        """Show a message, in place of the earlier one about the same."""
        for other in [each for each, shown in self._messages.items() if shown.fades]:
            del self._messages[other]  # it does not come back behind the next one
        self._messages.pop(about, None)
        self._messages[about] = message
        self._refresh()

    def follow(self, subject: object) -> None:
        """Show messages about another document from now on, and those about the window."""
        if subject is not self._subject:
            self.move_on()
        self._subject = subject
        self._refresh()

    def move_on(self) -> None:
        """Drop what was said of something else than what people look at from now on.

        That is what fades anyway, such as why a command was not possible, and a failure that
        offers nothing, such as a file that could not be opened.
        """
        message = self._messages.get(None)
        if message is not None and message.action is None and (message.fades or message.bad):
            self.forget(None)

    def forget(self, about: object) -> None:
        """Drop the message about a document, which was closed or is all right again."""
        if self._messages.pop(about, None) is not None:
            self._refresh()

    def dismiss(self) -> None:
        """Close the message that is shown."""
        self.forget(self._shown)

    def message(self, about: object = None) -> Message | None:
        """Return what is to be said about the window or a document, shown or not."""
        return self._messages.get(about)

    def forget_failure(self) -> None:
        """Drop an error about the window, after something of its kind has worked."""
        message = self._messages.get(None)
        if message is not None and message.bad and message.action is None:
            self.forget(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the notice at the lower edge when the host is resized; Esc closes it."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            closes = event.key() == Qt.Key.Key_Escape and self.isVisible()
            if closes:
                self.dismiss()
            return closes
        return False

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the keys of the whole window, since the focus may be beside the host."""
        super().showEvent(event)
        self.window().installEventFilter(self)  # once, however often it is said

    def enterEvent(self, event: QEnterEvent) -> None:
        """Keep the notice while the pointer is on it."""
        self._wait.stop()
        self._be_opaque()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Fade a while after the pointer left."""
        super().leaveEvent(event)
        message = self._messages.get(self._shown)
        if message is not None and message.fades:
            self._wait.start(FADES_AFTER_MS)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a tinted card with a bar in the color of its kind."""
        look = self._theme.palette
        tint = getattr(look, _TINTS[self._kind()][1])
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(qt_color(mix(look.border, tint, 0.5)), 1))
        painter.setBrush(qt_color(mix(look.surface, tint, 0.12)))
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(tint))
        painter.drawRoundedRect(QRectF(0, 8, 3, self.height() - 16), 1.5, 1.5)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(2)
        for part in (self.what, self.why, self._scroll):
            column.addWidget(part)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 10, 8, 10)
        layout.setSpacing(12)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(column, 1)
        layout.addWidget(self.action, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)

    def _refresh(self) -> None:
        fitting = [each for each in self._messages if each is None or each is self._subject]
        left = self._wait.remainingTime() if self._wait.isActive() else FADES_AFTER_MS
        self._wait.stop()
        self._be_opaque()
        if not fitting:
            self._shown = None
            self.hide()
            return
        self._shown = fitting[-1]
        message = self._messages[self._shown]
        self.what.setText(units.clip(message.what, 300))
        self.why.setText(units.clip(message.text, 1000))
        self.why.setVisible(bool(message.text))
        self.list.setText("\n".join(message.lines))
        self._scroll.setVisible(bool(message.lines))
        self.action.setVisible(message.action is not None)
        if message.action is not None:
            self.action.setText(message.action.label)
            self.action.setAccessibleName(message.action.label)
        self.setAccessibleName(
            ". ".join(filter(None, (message.what, message.text, *message.lines)))
        )
        self._dress()
        self.show()
        self.raise_()
        self._corner = _CORNERS[0]
        self._place()
        # Where it covers the fewest links, buttons and fields; it stays until the next message.
        used = [
            QRect(part.mapTo(self._host, region.topLeft()), region.size())
            for part in visible_parts(self._host)
            if _is_used(part) and not self.isAncestorOf(part)
            if not (region := part.visibleRegion().boundingRect()).isEmpty()
        ]
        size = self.size()
        self._corner = min(
            _CORNERS, key=lambda corner: sum(map(self._box(corner, size).intersects, used))
        )
        self._place()
        if message.fades:  # another document in front gives it no more time
            self._wait.start(left if message is self._timed else FADES_AFTER_MS)
            self._timed = message

    def _place(self) -> None:
        """Take as much room as the message needs, where it covers no links."""
        if self._shown not in self._messages:
            return
        width = min(self._host.width() - 2 * MARGIN, WIDEST)
        if self._messages[self._shown].fades:  # in passing: as little as the words need
            parts = (self.what, self.why)
            words = max(each.fontMetrics().horizontalAdvance(each.text()) for each in parts)
            shown = self.action.sizeHint().width() if not self.action.isHidden() else 0
            width = min(width, words + shown + _AROUND_WORDS)
        layout = self.layout()
        if layout is not None:
            layout.activate()  # else it still counts with the message before
        if self._messages[self._shown].lines and layout is not None:
            inner = width - 140  # icon, button and margins
            self._scroll.setFixedHeight(min(self.list.heightForWidth(inner) + 4, LIST_HEIGHT))
            layout.activate()
        height = max(self.heightForWidth(width), self.minimumSizeHint().height())
        self.setGeometry(self._box(self._corner, QSize(width, height)))

    def _box(self, corner: tuple[float, float], size: QSize) -> QRect:
        """Return a place of the message. corner: shares of the free room at left and above."""
        free = self._host.size() - size - QSize(2 * MARGIN, 2 * MARGIN)
        across, down = corner
        x, y = MARGIN + round(across * free.width()), MARGIN + round(down * free.height())
        return QRect(QPoint(x, y), size)

    def _act(self) -> None:
        message = self._messages.get(self._shown)
        if message is not None and message.action is not None:
            self.dismiss()
            message.action.act()

    def _fade(self) -> None:
        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)
        self._fading = fading = QPropertyAnimation(effect, b"opacity", self)
        fading.setDuration(FADING_MS)
        fading.setStartValue(1.0)
        fading.setEndValue(0.0)
        fading.finished.connect(self.dismiss)
        fading.start()

    def _be_opaque(self) -> None:
        if self._fading is not None:
            self._fading.stop()
            self._fading = None
            self.setGraphicsEffect(None)  # type: ignore[arg-type]

    def _dress(self) -> None:
        self._icon.setPixmap(self._theme.pixmap(*_TINTS[self._kind()]))
        self.update()

    def _kind(self) -> str:
        message = self._messages.get(self._shown)
        if message is None or not (message.bad or message.done):
            return "info"
        return "bad" if message.bad else "done"


def _is_used(part: QWidget) -> bool:
    """Return whether people click a part of a page."""
    if isinstance(part, QLabel):
        return "<a " in part.text()
    return part.isEnabled() and isinstance(part, _USED)


def _sentences(error: InspectorError) -> str:
    why, hint = units.capitalized(error.why), in_window(error.hint) if error.hint else ""
    return f"{why}. {hint}".strip(". ") + "." if why or hint else ""


def show_in_folder(path: Path) -> None:
    """Show a file in the system's file manager, selected where the system can do that."""
    if sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", str(path)])
    elif sys.platform == "win32":
        QProcess.startDetached("explorer", ["/select,", str(path)])
    else:
        what = tr("Could not open the folder of {name}").format(name=path.name)
        _open(
            path.parent, path, what, tr("No file manager was found. The file is in {folder}.")
        )


def open_file(path: Path) -> None:
    """Open a document in the system's program for it."""
    if sys.platform in ("darwin", "win32"):
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
    else:
        what = tr("Could not open {name}").format(name=path.name)
        _open(path, path, what, tr("No program for it was found. The file is in {folder}."))


def _open(target: Path, path: Path, what: str, text: str) -> None:
    """Open a file or a folder on Linux; QDesktopServices does not tell whether that worked."""
    opener = QProcess(QApplication.instance())
    opener.finished.connect(lambda code, _: _after_opening(opener, code, path, what, text))
    opener.errorOccurred.connect(lambda _: _after_opening(opener, 1, path, what, text))
    opener.start(FILE_MANAGER, [str(target)])


def _after_opening(opener: QProcess, code: int, path: Path, what: str, text: str) -> None:
    """Say where a file is if no program could open it."""
    opener.deleteLater()
    window = QApplication.activeWindow()
    notice = window.findChild(Notice) if window is not None else None
    if code and notice is not None:
        notice.say(Message(what, text.format(folder=path.parent), bad=True))
