"""The details of the chosen token: how sure the model was, what else it could have said."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.pages.language.chat import rank_text, step_parts, token_facts
from inspector.preview.language.text_stream import visible_piece
from inspector.report.language.generation import Alternative, GeneratedToken
from inspector.ui import units
from inspector.ui.documents.language.chatting import Answer, Chatting, first_difference
from inspector.ui.tabs.chat.token_view import shown_piece
from inspector.ui.translate import plural, tr, tr_message, written
from inspector.ui.widgets.accessible import tell_current
from inspector.ui.widgets.parts import (
    Elided,
    add_to,
    button,
    hairline,
    label,
    row,
    tip,
    unit,
    wrapped,
)
from inspector.ui.widgets.theme import (
    MONO_FAMILY,
    Painted,
    Theme,
    fill_round,
    font,
    painter_on,
    qt_color,
)

_PIECE = f'font-family: "{MONO_FAMILY}"; font-size: 18px; font-weight: 500;'
_ROW_PX = 26
_BAR_PX = 6
_BAR_WIDE_PX = 58
_PERCENT_PX = 50  # width of the column with the probability
_ID_PX = 48
_PART_HIGH_PX = 8
_ROLES = 4  # of the layers of a step: further ones are added up


def sign_of(piece: str) -> str:
    """Return the text of a token in one line, spaces as signs."""
    return units.clip(visible_piece(shown_piece(piece).replace("\n", "")), 60)


def fill(column: QVBoxLayout, theme: Theme, chatting: Chatting) -> None:
    """Put the facts of the chosen token into a column."""
    chosen = chatting.chosen
    if chosen is None or chosen[1] >= len(chosen[0].tokens):
        column.addWidget(label(tr("Tokens"), "title"))
        text = tr("Click a token of an answer to see how sure the model was of it.")
        column.addWidget(wrapped(text))
        return
    answer, place = chosen
    token = answer.tokens[place]
    piece = Elided(sign_of(answer.pieces[place]) or tr("(no text)"))
    piece.setStyleSheet(_PIECE)
    piece.setMinimumHeight(28)
    column.addWidget(piece)
    column.addWidget(label(_where(chatting, answer, place), "secondary"))
    column.addLayout(row(*_badges(theme, chatting, answer, place), None, spacing=6))
    _line(column)
    share = units.share(token.probability, 1)
    value, sign = (share[:-1], "%") if share.endswith("%") else (share, "")
    speaker = chatting.speaker
    rank = written(rank_text(token, speaker.vocabulary if speaker is not None else 0))
    column.addLayout(
        row(label(value, "metric"), unit(sign), None, label(rank, "secondary"), spacing=3)
    )
    column.addWidget(label(tr("probability after softmax, temperature 1"), "caption"))
    for fact in token_facts(token, answer.tokens, answer.busy).facts:
        column.addLayout(
            row(
                label(written(fact.label), "secondary"),
                None,
                label(written(fact.value), "value"),
            )
        )
    if token.alternatives:
        _line(column)
        _add_alternatives(column, theme, chatting, answer, place)
    _line(column)
    _add_time(column, theme, token, place)
    turn = chatting.last
    of_other = turn is not None and answer is turn.other
    if place and token.step_ns and not of_other:
        _add_layers(column, theme, chatting, token)
    _add_other(column, chatting, answer, place)


def _where(chatting: Chatting, answer: Answer, place: int) -> str:
    total = tr("{count:,} so far") if answer.busy else "{count:,}"
    number = next(
        (
            n
            for n, turn in enumerate(chatting.turns, 1)
            if answer in (*turn.answers, turn.other)
        ),
        0,
    )
    return tr("Token {place:,} of {total} · answer {number:,}").format(
        place=place + 1, total=total.format(count=len(answer.tokens)), number=number
    )


def _badges(theme: Theme, chatting: Chatting, answer: Answer, place: int) -> list[QWidget]:
    badges = [_Badge(theme, tr("id {id}").format(id=answer.tokens[place].id), "tertiary")]
    turn = chatting.last
    if (
        turn is not None
        and turn.answer is not None
        and turn.other is not None
        and place == first_difference(turn.answer, turn.other)
    ):
        badges.append(_Badge(theme, tr("first difference"), "caution"))
    if place < answer.forced:
        badges.append(_Badge(theme, tr("given"), "tertiary"))
    return [*badges]


def _add_alternatives(
    column: QVBoxLayout, theme: Theme, chatting: Chatting, answer: Answer, place: int
) -> None:
    token = answer.tokens[place]
    others = [each for each in token.alternatives if each.id != token.id]
    column.addLayout(
        row(
            label(tr("Alternatives"), "section"), None, label(tr("id · probability"), "caption")
        )
    )
    pieces = [_sign_of_id(chatting, each.id) for each in others]
    table = AlternativeList(theme, others, pieces)
    column.addWidget(table)
    turn = chatting.last
    if turn is None or answer is not turn.answer:
        return  # an earlier answer has a question behind it already
    go_on = button(theme, tr("Continue from here"), "play", then=lambda: begin(table.current))
    note = wrapped("", "caption")

    def describe(chosen: int) -> None:
        text = tr("With this token: what follows is generated anew.")
        if 0 <= chosen < len(others):
            text = tr("With “{other}” in place of “{token}”.").format(
                other=pieces[chosen], token=sign_of(answer.pieces[place])
            )
        parts = [text]
        if answer.busy:
            parts.append(tr("This stops the answer; what is there stays as a branch."))
        else:
            parts.append(
                tr("The present answer stays as branch {number}.").format(
                    number=len(turn.answers)
                )
            )
        note.setText(" ".join(parts))

    def begin(chosen: int) -> None:
        other = others[chosen].id if 0 <= chosen < len(others) else token.id
        # After the click has ended, which the pane does not survive.
        QTimer.singleShot(0, chatting, lambda: chatting.continue_from(answer, place, other))

    table.chosen.connect(describe)
    table.activated.connect(begin)
    describe(table.current)
    add_to(column, 4, go_on, note)


def _sign_of_id(chatting: Chatting, number: int) -> str:
    """Return the text of a token that was not chosen; dots until it is known."""
    piece = chatting.pieces.get(number)
    return "…" if piece is None else sign_of(piece) or f"<{number}>"


def _add_time(column: QVBoxLayout, theme: Theme, token: GeneratedToken, place: int) -> None:
    column.addWidget(label(tr("Time of this step"), "section"))
    if not token.step_ns:
        column.addWidget(wrapped(tr("None: this token was given, not generated.")))
        return
    value, after = units.duration_parts(token.step_ns)
    where = tr("at context {context:,}").format(context=token.context)
    if place == 0:
        where = tr("with the prompt of {tokens}").format(tokens=plural(token.context, "token"))
    number = label(value, "title")
    column.addLayout(
        row(number, label(after, "secondary"), None, label(where, "secondary"), spacing=4)
    )
    parts = step_parts(token)
    column.addWidget(PartBar(theme, [time for _, time in parts]))
    for strength, (name, time) in enumerate(parts):
        column.addLayout(
            row(
                _Square(theme, strength),
                label(written(name), "secondary"),
                None,
                label(units.duration(time), "secondary"),
                8,
                label(units.share(time, token.step_ns), "value"),
            )
        )


def _add_layers(
    column: QVBoxLayout, theme: Theme, chatting: Chatting, token: GeneratedToken
) -> None:
    """Offer to time the layers of a step like that of a token, or show what came of it."""
    context = token.context - 1  # the token before is the one that the step reads
    if context not in chatting.layers:
        go = button(theme, tr("Time its layers"))
        go.setToolTip(tip(tr("Runs a few steps at this context with the profiler on.")))
        go.setEnabled(chatting.ready)
        # After the click has ended, which the pane does not survive.
        go.clicked.connect(
            lambda: QTimer.singleShot(0, chatting, lambda: chatting.time_layers(context))
        )
        add_to(column, 4, go)
        return
    found = chatting.layers[context]
    if found is None:
        column.addWidget(label(tr("Timing the layers…"), "caption"))
        return
    if isinstance(found, InspectorError):
        text = f"{tr_message(found.what)}: {tr_message(found.why)}"
        column.addWidget(wrapped(text, "caption"))
        return
    column.addSpacing(4)
    time = units.duration(found.step_ns)
    column.addWidget(
        wrapped(tr("Layers of such a step, timed again: {time}").format(time=time), "caption")
    )
    parts = [
        (f"{_scope(each.name)} × {len(each.layers)}", each.decode_ns or 0)
        for each in found.roles[:_ROLES]
    ]
    rest = found.roles[_ROLES:]
    if rest:
        parts.append((tr("further layers"), sum(each.decode_ns or 0 for each in rest)))
    parts.append((tr("between layers"), found.between_ns))
    whole = max(found.step_ns, sum(ns for _, ns in parts))
    column.addWidget(PartBar(theme, [ns for _, ns in parts]))
    for strength, (name, ns) in enumerate(parts):
        column.addLayout(
            row(
                _Square(theme, strength), Elided(name, "secondary"),
                label(units.duration(ns), "secondary"), 8,
                label(units.share(ns, whole), "value"), stretch=1,
            )
        )  # fmt: skip


def _scope(name: str) -> str:
    """Return the part of a role's name that tells it apart: its scope, not its operator."""
    parts = name.strip("/").split("/")
    return next((part for part in reversed(parts[:-1]) if part != "*"), parts[-1])


def _add_other(column: QVBoxLayout, chatting: Chatting, answer: Answer, place: int) -> None:
    """Compare the token with that of the other model at the same place, as long as both have
    the same text in front of it."""
    turn = chatting.last
    if turn is None or turn.answer is None or turn.other is None:
        return
    ours, theirs = turn.answer, turn.other
    if answer not in (ours, theirs) or place >= min(len(ours.tokens), len(theirs.tokens)):
        return
    differs = first_difference(ours, theirs)
    if 0 <= differs < place:
        return  # other texts in front of it
    _line(column)
    column.addWidget(label(tr("The same position in both"), "section"))
    one, other = ours.tokens[place], theirs.tokens[place]
    # Numbers of other tokens say something only in the same vocabulary.
    alike = [token.id for token in ours.tokens[:place]] == [
        token.id for token in theirs.tokens[:place]
    ]
    pieces = dict.fromkeys((ours.pieces[place], theirs.pieces[place]))
    for piece in pieces:
        is_ours, is_theirs = piece == ours.pieces[place], piece == theirs.pieces[place]
        a = _share_of(one, one.id if is_ours else other.id, is_ours or alike)
        b = _share_of(other, other.id if is_theirs else one.id, is_theirs or alike)
        column.addLayout(
            row(
                label(sign_of(piece), "mono"),
                None,
                label(f"A {a}", "value" if is_ours else "secondary"),
                12,
                label(f"B {b}", "value" if is_theirs else "secondary"),
            )
        )


def _share_of(token: GeneratedToken, id_: int, known: bool) -> str:
    """Return the probability of a token where another may have been chosen."""
    if not known:
        return "–"
    if token.id == id_:
        return units.share(token.probability, 1)
    listed = next((each.probability for each in token.alternatives if each.id == id_), None)
    if listed is not None:
        return units.share(listed, 1)
    least = min((each.probability for each in token.alternatives), default=0)
    return tr("under {share}").format(share=units.share(least, 1)) if least else "–"


def _line(column: QVBoxLayout) -> None:
    add_to(column, 4, hairline(), 4)


class AlternativeList(Painted):
    """Tokens that could have been chosen, with bars; arrows choose, Enter continues."""

    chosen = Signal(int)
    activated = Signal(int)
    ITEM_ROLES = (QAccessible.Role.List, QAccessible.Role.ListItem)

    def __init__(self, theme: Theme, items: list[Alternative], pieces: list[str]) -> None:
        super().__init__(theme)
        self._items, self._pieces = items, pieces
        self.current = 0 if items else -1
        self.setFixedHeight(_ROW_PX * len(items))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Alternatives"))

    def choose(self, place: int) -> None:
        """Mark an alternative."""
        if 0 <= place < len(self._items) and place != self.current:
            self.current = place
            self.update()
            self.chosen.emit(place)
            tell_current(self)

    def item_count(self) -> int:
        """Return the number of alternatives."""
        return len(self._items)

    def item_name(self, number: int) -> str:
        """Return an alternative with its probability."""
        share = units.share(self._items[number].probability, 1)
        return f"{self._pieces[number]}, {share}"

    def item_box(self, number: int) -> QRect:
        """Return where an alternative is."""
        return QRectF(0, number * _ROW_PX, self.width(), _ROW_PX).toRect()

    def current_item(self) -> int:
        """Return the marked alternative."""
        return self.current

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(200, _ROW_PX * len(self._items))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Mark what was clicked."""
        self.choose(int(event.position().y() // _ROW_PX))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Continue with what was clicked."""
        self.activated.emit(self.current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the mark; Enter continues with it."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self.choose(self.current + step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activated.emit(self.current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Outline the mark."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the mark without its outline."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw piece, id, bar and probability of each."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        right = self.width() - 6
        for place, (item, piece) in enumerate(zip(self._items, self._pieces, strict=True)):
            box = QRectF(0, place * _ROW_PX, self.width(), _ROW_PX)
            marked = place == self.current
            if marked:
                outline = QPen(qt_color(look.accent), 1)
                painter.setPen(outline if self.hasFocus() else Qt.PenStyle.NoPen)
                painter.setBrush(qt_color(look.selection))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
            middle = int(Qt.AlignmentFlag.AlignVCenter)
            end = middle | int(Qt.AlignmentFlag.AlignRight)
            painter.setPen(qt_color(look.on_selection if marked else look.text))
            painter.setFont(font(12, 600 if marked else 500))
            painter.drawText(
                QRectF(right - _PERCENT_PX, box.y(), _PERCENT_PX, _ROW_PX), end,
                units.share(item.probability, 1),
            )  # fmt: skip
            bar = QRectF(
                right - _PERCENT_PX - 8 - _BAR_WIDE_PX, box.center().y() - _BAR_PX / 2,
                _BAR_WIDE_PX, _BAR_PX,
            )  # fmt: skip
            fill_round(painter, bar, 3, qt_color(look.track))
            painter.setBrush(qt_color(look.accent))
            bar.setWidth(max(2.0, bar.width() * item.probability))
            painter.drawRoundedRect(bar, 3, 3)
            left = right - _PERCENT_PX - _BAR_WIDE_PX - 16
            painter.setFont(font(11))
            painter.setPen(qt_color(look.on_selection if marked else look.secondary))
            painter.drawText(
                QRectF(left - _ID_PX, box.y(), _ID_PX, _ROW_PX), end, units.number(item.id)
            )
            painter.setFont(font(12, 600 if marked else 400, mono=True))
            painter.setPen(qt_color(look.on_selection if marked else look.text))
            room = left - _ID_PX - 12
            text = painter.fontMetrics().elidedText(
                piece, Qt.TextElideMode.ElideRight, int(room)
            )
            painter.drawText(QRectF(6, box.y(), room, _ROW_PX), middle, text)


class PartBar(Painted):
    """The parts of a time as one bar, each paler than the one before."""

    def __init__(self, theme: Theme, parts: list[int]) -> None:
        super().__init__(theme)
        self._parts = parts
        self.setFixedHeight(_PART_HIGH_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the parts, each at least 2 px wide."""
        painter, left = painter_on(self), 0.0
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = sum(self._parts) or 1
        for strength, part in enumerate(self._parts):
            wide = max(2.0, self.width() * part / whole - 1)
            painter.setBrush(qt_color(self._theme.palette.cpu, _paler(strength)))
            painter.drawRoundedRect(QRectF(left, 0, wide, self.height()), 2, 2)
            left += wide + 1


class _Square(QWidget):
    """The color of a part in the list below the bar."""

    def __init__(self, theme: Theme, strength: int) -> None:
        super().__init__()
        self._theme, self._strength = theme, strength
        self.setFixedSize(QSize(8, 16))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the square."""
        box = QRectF(0, 4, 8, 8)
        painter_on(self).fillRect(
            box, qt_color(self._theme.palette.cpu, _paler(self._strength))
        )


class _Badge(QWidget):
    """A few words on a pale ground."""

    def __init__(self, theme: Theme, text: str, role: str) -> None:
        super().__init__()
        self._theme, self._text, self._role = theme, text, role
        metrics_width = label(text, "caption").sizeHint().width()
        self.setFixedSize(QSize(metrics_width + 18, 20))
        self.setAccessibleName(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground and words."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        tint = getattr(look, self._role)
        fill_round(painter, QRectF(self.rect()), 5, qt_color(tint, 0.14))
        painter.setPen(qt_color(tint if self._role == "caution" else look.secondary))
        painter.setFont(font(11, 500))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)


def _paler(strength: int) -> float:
    return (1.0, 0.65, 0.4, 0.25)[min(strength, 3)]
