"""Where the next message is written: what is left of the context, Send, or Stop."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.ui import units
from inspector.ui.documents.language.exchange import Takes
from inspector.ui.tabs.chat.parts import GrowingText, ShareBar
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import Card, button, label, row, set_role
from inspector.ui.widgets.theme import Theme

_INVITATIONS = {
    Takes.MESSAGES: mark("Write a message"),
    Takes.BEGINNING: mark("Write the beginning of a text"),
    Takes.TEXT: mark("Write the text that the encoder reads"),
    Takes.FILE: mark("Path of a sound, or drop one here"),
}
_SEND_TIP = mark("Send (Enter); Shift+Enter begins a new line")
_MOST_LINES = 6
_BAR_PX = 120
_PADDING_PX = 12


class Composer(Card):
    """A text field, the room that is left for it, and one button."""

    sent = Signal(str)
    stop_asked = Signal()
    shorten_asked = Signal()
    edited = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=_PADDING_PX)
        self.text = GrowingText(tr("Message"), _MOST_LINES)
        self.room = label("", "secondary")
        self.bar = ShareBar(theme, warns=True)
        self.bar.setFixedWidth(_BAR_PX)
        self.shorten = button(theme, tr("Leave out oldest turns"), role="link")
        self.shorten.hide()
        self.key = label(tr("Esc"), "caption")
        self.send = button(theme, tr("Send"), primary=True, then=self._send)
        self.stop = button(theme, tr("Stop"), "stop", then=self.stop_asked)
        self.send.setToolTip(tr(_SEND_TIP))
        self.stop.setToolTip(tr("Stop the answer (Esc); what is there stays"))
        self._busy, self._may_send, self._waits = False, True, False
        self.body.setSpacing(4)
        self.body.addWidget(self.text)
        below = QWidget()
        row(
            self.room,
            4,
            self.bar,
            self.shorten,
            None,
            self.key,
            4,
            self.send,
            self.stop,
            on=below,
        )
        self.body.addWidget(below)
        self.text.sent.connect(self._send)
        self.text.left.connect(self.stop_asked)
        self.text.textChanged.connect(self._tell)
        self.shorten.clicked.connect(self.shorten_asked)
        self.show_busy(False)

    def show_busy(self, busy: bool, takes: Takes = Takes.MESSAGES) -> None:
        """Offer Stop while an answer comes, else Send. takes: what the model is given."""
        self._busy = busy
        # The focus stays on the button's place: who stopped with Space may send with it.
        had_focus = self.stop.hasFocus() if not busy else self.send.hasFocus()
        self.send.setVisible(not busy)
        self.stop.setVisible(busy)
        self.key.setVisible(busy)
        if had_focus:
            (self.stop if busy else self.text).setFocus()
        self.text.setPlaceholderText(tr(_INVITATIONS[takes]))
        self._enable()

    def show_waiting(self, waits: bool) -> None:
        """Keep what is written until another job has ended."""
        if waits != self._waits:
            self._waits = waits
            busy = tr("Another job is running; wait or cancel it")
            self.send.setToolTip(busy if waits else tr(_SEND_TIP))
            self._enable()

    def show_room(self, used: int, limit: int, needed: int) -> None:
        """Say how much of the context is used, and whether the draft fits.

        needed: tokens with the draft and at least one of the answer; limit: 0 if unknown.
        """
        too_many = needed - limit if limit else 0
        over = too_many > 0
        self._may_send = not over
        if over:
            text = tr("{tokens}, {more:,} too many").format(
                tokens=plural(needed, "token"), more=too_many
            )
        elif limit:
            text = tr("Context {used:,} of {limit:,} tokens · {left:,} left").format(
                used=used, limit=limit, left=max(0, limit - used)
            )
        else:
            text = tr("Context {used:,} tokens").format(used=used)
        self.room.setText(text)
        set_role(self.room, "bad" if over else "secondary")
        self.shorten.setVisible(over)
        self.bar.setVisible(bool(limit) and not over)
        self.bar.show_share(used / limit if limit else 0)
        self.bar.setToolTip(
            tr("{share} of the context").format(share=units.share(used, limit)) if limit else ""
        )
        self._enable()

    def _enable(self) -> None:
        written = bool(self.text.toPlainText().strip())
        self.send.setEnabled(self._may_send and written and not self._waits)

    def _tell(self) -> None:
        self._enable()
        self.edited.emit(self.text.toPlainText())

    def _send(self) -> None:
        text = self.text.toPlainText()
        if self._busy or self._waits or not self._may_send or not text.strip():
            return
        self.text.clear()
        self.sent.emit(text)
