"""The tokens of an answer as running text: each can be pointed at, chosen and colored.

Lines are laid out by Qt as a whole, so that letters of neighboring tokens join as they do in
text. A token that is added lays out the last line alone: 10,000 of them take as long each as
the first.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.report.language.generation import GeneratedToken
from inspector.ui import units
from inspector.ui.tabs.chat import shades
from inspector.ui.tabs.chat.shades import ColorBy
from inspector.ui.translate import tr
from inspector.ui.widgets.accessible import forget_items, tell_current
from inspector.ui.widgets.theme import Theme, fill_round, font, painter_on, qt_color

LINE_PX = 25  # from one base line to the next
_TEXT_PX = 14
_NARROW_PX = 4  # a line is first laid out with as many letters as fit if they were so narrow
_AROUND_PX = 2.0  # of a token's ground beyond its letters
_HIGH_PX = 19.0  # of a token's ground
_CORNER_PX = 4.0
_BAR_PX = 2.0  # height of the bar below a token that the model was not sure of
_CARET_PX = 7
_HANGING = 4  # blanks at the end of a line, beyond its edge if need be; further ones wrap
# Signs of what cannot be seen, as `visible_piece` has them.
_BREAK = "\N{RETURN SYMBOL}"
_TAB = "\N{RIGHTWARDS ARROW TO BAR}"
# Of a token that is no text, such as the end; which one it is stands in its details.
_SPECIAL = " \N{BLACK SQUARE}"
# Room for the mark in front of the first differing token, which no line is broken in.
_MARK_ROOM = "\N{NO-BREAK SPACE}" * 5
_MARK_PX = 13.0


def shown_piece(piece: str) -> str:
    """Return the text of a token as it is drawn: what cannot be seen gets a sign.

    Line breaks stay, behind their sign; control and direction characters become escapes, so
    that a model cannot draw over what stands beside its answer.
    """
    lines = piece.replace("\r\n", "\n").split("\n")
    return f"{_BREAK}\n".join(
        units.visible(line.replace("\t", _TAB)) if line else "" for line in lines
    )


class _Line(Struct):
    """A line that is laid out. begin: of its first letter in the whole text; end: behind its
    last one, a line break included. edges: where letters begin that were asked for, in pixels,
    since the layout takes long to tell. grounds: as drawn, for what `grounds_key` says."""

    layout: QTextLayout
    begin: int
    end: int
    edges: dict[int, float] = field(default_factory=dict)
    grounds: Sequence[tuple[QPainterPath, QColor]] = ()
    grounds_key: object = None

    def edge(self, letter: int) -> float:
        """Return where a letter of the whole text begins; the line's end for a later one."""
        known = self.edges.get(letter)
        if known is None:
            line = self.layout.lineAt(0)
            placed = line.cursorToX(min(letter - self.begin, line.textLength()))
            assert isinstance(placed, tuple), "PySide returns the place and the letter"
            known = self.edges[letter] = float(placed[0])
        return known


class TokenView(QWidget):
    """Shows tokens as text that wraps, and one of them as chosen.

    chosen: emitted with the place of a token that was clicked or reached by a key; -1 for none.
    first_difference: place of the token in front of which the mark stands; -1 for none.
    """

    chosen = Signal(int)
    ITEM_ROLES = (QAccessible.Role.List, QAccessible.Role.ListItem)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.tokens: list[GeneratedToken] = []
        self.pieces: list[str] = []
        self.special: set[int] = set()  # places of tokens that are no text
        self.color_by = ColorBy.PROBABILITY
        self.first_difference = -1
        self._current = -1
        self._hovered = -1
        self._median_ns = 0.0
        self._caret = False
        self._texts: list[str] = []  # of the tokens, as they are drawn
        self._bodies: list[int] = []  # where the letters of each token begin in the text
        self._ends: list[int] = []  # where each token ends
        self._tail, self._tail_begin = "", 0  # text behind the finished lines
        self._lines: list[_Line] = []
        self._finished = 0  # lines that no further token changes
        self._width = 0
        self._text_font = QFont(font(_TEXT_PX))
        self._wrapping = QTextOption()
        self._wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._lay_out)

    def show_tokens(
        self,
        tokens: Sequence[GeneratedToken],
        pieces: Sequence[str],
        special: Sequence[int] = (),
    ) -> None:
        """Show other tokens. special: places of those that are no text, such as an end."""
        self.tokens, self.pieces, self.special = [*tokens], [*pieces], {*special}
        self._current = self._hovered = -1
        forget_items(self)
        self._median_ns = shades.median_step_ns(self.tokens)
        self._read_texts()

    def add(
        self,
        tokens: Sequence[GeneratedToken],
        pieces: Sequence[str],
        special: Sequence[int] = (),
    ) -> None:
        """Show more tokens behind the last. special: as in `show_tokens`, of all."""
        known, before = len(self.tokens), len(self._lines)
        self.tokens += tokens
        self.pieces += pieces
        self.special.update(place for place in special if place >= known)
        for place in range(known, len(self.tokens)):
            self._take(place)
        self._tail += "".join(self._texts[known:])
        self._flow()
        if len(self._lines) != before:
            self.updateGeometry()
        self.update(0, max(0, before - 1) * LINE_PX, self.width(), self.height())

    def end(self) -> None:
        """Color by what is known now that no token follows."""
        self._median_ns = shades.median_step_ns(self.tokens)
        self.show_caret(False)

    def show_caret(self, on: bool) -> None:
        """Show where the next token will appear, or do not."""
        self._caret = on
        self.update()

    def color_tokens(self, by: ColorBy) -> None:
        """Color tokens by something else."""
        if by is not self.color_by:
            self.color_by = by
            self.update()

    def mark_difference(self, place: int) -> None:
        """Put the mark in front of a token; -1 for no mark."""
        if place != self.first_difference:
            self.first_difference = place
            self._read_texts()

    def choose(self, place: int) -> None:
        """Mark a token as chosen, and say so if it is another one; -1 for none."""
        place = max(-1, min(place, len(self.tokens) - 1))
        if place != self._current:
            self._current = place
            self.update()
            self.chosen.emit(place)
            tell_current(self)

    def show_choice(self, place: int) -> None:
        """Mark a token as chosen without telling anybody."""
        if place != self._current:
            self._current = place
            self.update()

    @property
    def text(self) -> str:
        """Return the answer as text, for the clipboard."""
        return "".join(
            piece for place, piece in enumerate(self.pieces) if place not in self.special
        )

    def next_unsure(self, step: int) -> int:
        """Return the next token below `LEAST_SURE` in a direction, 1 or -1; or the present."""
        places = range(self._current + step, len(self.tokens) if step > 0 else -1, step)
        unsure = (n for n in places if self.tokens[n].probability < shades.LEAST_SURE)
        return next(unsure, self._current)

    def token_at(self, point: QPointF) -> int:
        """Return the token at a point of the widget; -1 for none."""
        row = int(point.y() // LINE_PX)
        if not 0 <= row < len(self._lines):
            return -1
        line = self._lines[row]
        first, last = self._places(line)
        for place in range(first, last):
            for box in self._boxes(place, slice(row, row + 1), LINE_PX):
                if box.left() + _AROUND_PX <= point.x() < box.right() - _AROUND_PX:
                    return place
        return -1

    # What screen readers ask for; see `inspector/ui/widgets/accessible.py`.

    def item_count(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)

    def item_name(self, number: int) -> str:
        """Return a token with its probability."""
        return tr("{piece}, {probability}").format(
            piece=units.clip(shown_piece(self.pieces[number]).strip() or tr("space"), 40),
            probability=units.share(self.tokens[number].probability, 1),
        )

    def item_box(self, number: int) -> QRect:
        """Return where a token is; its first part, if it is in two lines."""
        boxes = self._boxes(number, slice(0, len(self._lines)), LINE_PX)
        return boxes[0].toAlignedRect() if boxes else QRect()

    def current_item(self) -> int:
        """Return the place of the chosen token; -1 for none."""
        return self._current

    # What Qt asks for.

    def sizeHint(self) -> QSize:
        """Return the room that all lines take at the present width."""
        return QSize(max(self._width, 200), self._height())

    def minimumSizeHint(self) -> QSize:
        """Return the room that all lines take in any width."""
        return QSize(80, self._height())

    def hasHeightForWidth(self) -> bool:
        """Return that a narrower view is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines at a width; an estimate for another than the present.

        Layouts ask for several widths before they choose one, which `resizeEvent` tells.
        """
        if self._width <= 0 < width:
            self._width = width
            self._lay_out(tell=False)
        if width in (self._width, 0):
            return self._height()
        return max(1, round(len(self._lines) * self._width / width + 0.5)) * LINE_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap at the new width."""
        super().resizeEvent(event)
        if self.width() != self._width:
            self._width = self.width()
            self._lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the token below the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.choose(self.token_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Outline the token that a click would choose."""
        self._hover(self.token_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Outline nothing."""
        self._hover(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from token to token; with Ctrl to the next one that the model was not sure of."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.choose(self.next_unsure(step))
        elif step:
            self.choose(max(0, self._current + step))
        elif event.key() == Qt.Key.Key_Home and self.tokens:
            self.choose(0)
        elif event.key() == Qt.Key.Key_End and self.tokens:
            self.choose(len(self.tokens) - 1)
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines in view: grounds, bars, the chosen token, letters, caret."""
        painter = painter_on(self, smooth=True)
        top, bottom = event.rect().top(), event.rect().bottom()
        rows = slice(max(0, top // LINE_PX), min(len(self._lines), bottom // LINE_PX + 1))
        text_color = qt_color(self._theme.palette.text)
        marked = {self._current, self._hovered, self.first_difference} - {-1}
        for row in range(rows.start, rows.stop):
            line = self._lines[row]
            painter.translate(0, row * LINE_PX)
            for path, color in self._grounds(line):
                painter.fillPath(path, color)
            painter.translate(0, -row * LINE_PX)
            for place in marked.intersection(range(*self._places(line))):
                self._draw_marked(painter, place, slice(row, row + 1))
            painter.setPen(text_color)
            line.layout.draw(painter, QPointF(0, self._letters_top(row, line)))
        if self._caret:
            self._draw_caret(painter)

    def _grounds(self, line: _Line) -> Sequence[tuple[QPainterPath, QColor]]:
        """Return the grounds and bars of a line's tokens by color, from its top.

        They are kept: a page that scrolls draws all lines in view at each token that comes.
        """
        look = self._theme.palette
        key = self.color_by, self._median_ns, look
        if line.grounds_key != key:
            paths: dict[str, QPainterPath] = {}
            bars: dict[str, QPainterPath] = {}
            for place in range(*self._places(line)):
                token = self.tokens[place]
                strength = shades.shade(token, self.color_by, self._median_ns)
                if not strength:
                    continue
                for box in self._boxes_in(place, line, _HIGH_PX):
                    path = paths.setdefault(shades.color(look, strength), _united())
                    path.addRoundedRect(box, _CORNER_PX, _CORNER_PX)
                    if self._is_unsure(token):
                        bars.setdefault(look.caution, _united()).addRect(_bar(box, token))
            line.grounds_key = key
            line.grounds = [
                (path, qt_color(color))
                for found in (paths, bars)
                for color, path in found.items()
            ]
        return line.grounds

    def _is_unsure(self, token: GeneratedToken) -> bool:
        """Return whether a token has a bar."""
        by_probability = self.color_by is ColorBy.PROBABILITY
        return by_probability and token.probability < shades.LEAST_SURE

    def _draw_marked(self, painter: QPainter, place: int, rows: slice) -> None:
        """Draw the ground of a token that is chosen, below the pointer, or the first that
        differs."""
        look, token = self._theme.palette, self.tokens[place]
        strength = shades.shade(token, self.color_by, self._median_ns)
        chosen, hovered = place == self._current, place == self._hovered
        differs = place == self.first_difference
        for box in self._boxes(place, rows, _HIGH_PX):
            painter.setPen(Qt.PenStyle.NoPen)
            ground = shades.color(look, strength) if strength else look.surface
            if chosen and not strength:
                ground = look.selection
            painter.setBrush(qt_color(ground))
            if chosen:
                painter.setPen(QPen(qt_color(look.accent), 2))
            elif differs:
                painter.setPen(QPen(qt_color(look.caution), 1.5))
            elif hovered:
                painter.setPen(QPen(qt_color(look.control), 1))
            painter.drawRoundedRect(box, _CORNER_PX, _CORNER_PX)
            if self._is_unsure(token):
                painter.fillRect(_bar(box, token), qt_color(look.caution))
            if differs:
                left = QPointF(box.x() - _MARK_PX - 3, box.center().y() - _MARK_PX / 2)
                draw_difference_mark(painter, look.caution, look.surface, left)

    def _draw_caret(self, painter: QPainter) -> None:
        row, x = 0, 0.0
        if self._lines:
            row = len(self._lines) - 1
            x = self._lines[row].layout.lineAt(0).naturalTextWidth() + 3
        if x + _CARET_PX > self._width:
            row, x = row + 1, 0.0
        box = QRectF(x, row * LINE_PX + (LINE_PX - _HIGH_PX) / 2 + 1, _CARET_PX, _HIGH_PX - 2)
        fill_round(painter, box, 1.5, qt_color(self._theme.palette.accent))

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            pointing = Qt.CursorShape.PointingHandCursor
            self.setCursor(pointing if place >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()

    def _height(self) -> int:
        return max(1, len(self._lines)) * LINE_PX

    @staticmethod
    def _letters_top(row: int, line: _Line) -> float:
        return row * LINE_PX + (LINE_PX - line.layout.lineAt(0).height()) / 2

    def _places(self, line: _Line) -> tuple[int, int]:
        """Return the first token of a line, and the one behind its last."""
        first = bisect_right(self._ends, line.begin)
        return first, min(bisect_left(self._ends, line.end) + 1, len(self.tokens))

    def _boxes(self, place: int, rows: slice, high: float) -> list[QRectF]:
        """Return where the letters of a token are, one box for each line that it is in."""
        return [
            box.translated(0, row * LINE_PX)
            for row in range(rows.start, rows.stop)
            for box in self._boxes_in(place, self._lines[row], high)
        ]

    def _boxes_in(self, place: int, line: _Line, high: float) -> Iterator[QRectF]:
        """Yield where the letters of a token are in a line, from its top."""
        first, last = max(self._bodies[place], line.begin), min(self._ends[place], line.end)
        if first < last:
            left, right = sorted((line.edge(first), line.edge(last)))
            wide = max(right - left, 2.0) + 2 * _AROUND_PX
            yield QRectF(left - _AROUND_PX, (LINE_PX - high) / 2, wide, high)

    def _read_texts(self) -> None:
        """Take the texts of all tokens anew, and lay them out."""
        self._texts.clear()
        self._bodies.clear()
        self._ends.clear()
        for place in range(len(self.tokens)):
            self._take(place)
        self._lay_out()

    def _lay_out(self, tell: bool = True) -> None:
        """Lay out all lines anew. tell: let the page know that the height may be another."""
        self._lines.clear()
        self._tail, self._tail_begin, self._finished = "".join(self._texts), 0, 0
        self._flow()
        if tell:
            self.updateGeometry()
        self.update()

    def _take(self, place: int) -> None:
        """Put the text of a token behind the last line."""
        text = _SPECIAL if place in self.special else shown_piece(self.pieces[place])
        if place == self.first_difference:
            body = text.lstrip(" ")
            text = text[: len(text) - len(body)] + _MARK_ROOM + body
        begin = self._ends[-1] if self._ends else 0
        blank = text.strip() == ""  # a token of spaces is chosen by these
        lead = 0 if blank else len(text) - len(text.lstrip(f" {_MARK_ROOM}"))
        self._bodies.append(begin + lead)
        self._ends.append(begin + len(text))
        self._texts.append(text)

    def _flow(self) -> None:
        """Break the text behind the last finished line into lines."""
        if self._width <= 0:
            return
        del self._lines[self._finished :]
        text, begin = self._tail, self._tail_begin
        while text:
            most = max(20, self._width // _NARROW_PX)
            while True:
                cut = text.find("\n", 0, most)
                segment = text[: cut if cut >= 0 else most]
                layout, used = self._line(segment, begin)
                if cut >= 0 or used < len(segment) or len(segment) == len(text):
                    break
                most *= 2  # still narrower letters
            if used == len(segment) and cut >= 0:
                used += 1  # the line break
            self._lines.append(_Line(layout, begin, begin + used))
            if used == len(text) and cut < 0:
                break  # the last line may grow
            text, begin = text[used:], begin + used
            self._finished = len(self._lines)
        self._tail, self._tail_begin = text, begin

    def _line(self, text: str, begin: int) -> tuple[QTextLayout, int]:
        """Lay out as much of a text as fits into a line; return it and its letters."""
        layout = QTextLayout(text or " ", self._text_font)
        layout.setTextOption(self._wrapping)
        layout.setFormats(self._formats(text, begin))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(max(self._width - _CARET_PX, 40))
        layout.endLayout()
        used = min(line.textLength(), len(text))
        hanging = used - len(text[:used].rstrip(" "))
        if hanging > _HANGING:  # Qt lets blanks stand beyond the edge, any number of them
            used -= hanging - max(_HANGING, self._blanks(line, used - hanging))
        return layout, used

    def _blanks(self, line: QTextLine, place: int) -> int:
        """Return how many blanks fit into a line behind a place in it."""
        placed = line.cursorToX(place)
        assert isinstance(placed, tuple), "PySide returns the place and the letter"
        wide = QFontMetricsF(self._text_font).horizontalAdvance(" ")
        return int((line.width() - float(placed[0])) / wide)

    def _formats(self, text: str, begin: int) -> list[QTextLayout.FormatRange]:
        """Return which letters are quiet: signs of line breaks, and tokens that are no text."""
        quiet = QColor(self._theme.palette.secondary)
        ranges = []
        if text.endswith(_BREAK):
            ranges.append(_quiet_range(len(text) - 1, 1, quiet))
        if self.special:
            first = bisect_right(self._ends, begin)
            last = bisect_left(self._ends, begin + len(text)) + 1
            for place in range(first, min(last, len(self._ends))):
                if place in self.special:
                    start = max(0, self._bodies[place] - begin)
                    end = min(len(text), self._ends[place] - begin)
                    ranges.append(_quiet_range(start, end - start, quiet))
        return ranges


def draw_difference_mark(painter: QPainter, fill: str, line: str, at: QPointF) -> None:
    """Draw the mark of the first differing token: a wave in a square, as in Compare."""
    fill_round(painter, QRectF(at.x(), at.y(), _MARK_PX, _MARK_PX), 2.5, qt_color(fill))
    painter.setPen(QPen(qt_color(line), 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    points = [
        QPointF(at.x() + x * _MARK_PX, at.y() + y * _MARK_PX)
        for x, y in ((0.2, 0.65), (0.4, 0.35), (0.6, 0.65), (0.8, 0.35))
    ]
    painter.drawPolyline(points)


def _united() -> QPainterPath:
    """Return an empty path whose parts may overlap."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _bar(box: QRectF, token: GeneratedToken) -> QRectF:
    """Return the bar at the bottom of an unsure token's ground."""
    wide = max(3.0, (box.width() - 4) * token.probability / shades.LEAST_SURE)
    return QRectF(box.x() + 2, box.bottom() - _BAR_PX, wide, _BAR_PX)


def _quiet_range(start: int, length: int, color: QColor) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setForeground(color)
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, look
    return made
