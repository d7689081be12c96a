"""What a drop on the window does: said while it is dragged, the same on every tab.

What can be opened is opened. Other files are inputs: the model in front runs on them, in
Preview. A part of a tab that takes a file for itself is a `DropTarget`; it comes first.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.formats.names import Kind
from inspector.ui import units
from inspector.ui.documents.document import Document
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import tr
from inspector.ui.widgets.dropped import Drop, DropTarget, named_in
from inspector.ui.widgets.theme import Theme, font, qt_color

_LONGEST_NAME = 60  # characters
_TEXT_PX = 13
_PILL_HEIGHT = 36  # px
_PILL_PADDING = 16  # px, at both sides of the text
_ABOVE_EDGE = 24  # px, between the pill and the lower edge of the page
_FRAME_PX = 2
_ROUND_PX = 8


class Window(Protocol):
    """The part of a window that drops need."""

    workspace: Workspace

    @property
    def document(self) -> Document | None: ...  # noqa: D102
    def run_command(self, id_: str, *arguments: object) -> None: ...  # noqa: D102


class DropHint(QWidget):
    """Lies over the page during a drag: a frame around what takes the drop, and a sentence."""

    def __init__(self, theme: Theme, host: QWidget) -> None:
        super().__init__(host)
        self._theme, self._host = theme, host
        self._drop = Drop("")
        self._frame = QRect()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def text(self) -> str:
        """Return the sentence that is shown."""
        return self._drop.text

    def show_drop(self, drop: Drop, target: QWidget | None) -> None:
        """Say what a drop would do, and frame what takes it; None for the whole page."""
        self._drop = drop
        self.setGeometry(self._host.rect())
        framed = target or self._host
        corner = framed.mapTo(self._host, QPoint()) if target is not None else QPoint()
        self._frame = QRect(corner, framed.size()).intersected(self.rect())
        self.setAccessibleName(drop.text)
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame, and the sentence near the lower edge."""
        look, able = self._theme.palette, self._drop.act is not None
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint = look.accent if able else look.bad
        painter.setPen(QPen(qt_color(tint), _FRAME_PX))
        painter.setBrush(qt_color(tint, 0.06))
        inner = QRectF(self._frame).adjusted(_FRAME_PX, _FRAME_PX, -_FRAME_PX, -_FRAME_PX)
        painter.drawRoundedRect(inner, _ROUND_PX, _ROUND_PX)
        face = font(_TEXT_PX, 500)
        most = self.width() - 4 * _PILL_PADDING
        metrics = QFontMetrics(face)
        text = metrics.elidedText(self._drop.text, Qt.TextElideMode.ElideMiddle, most)
        width = metrics.horizontalAdvance(text) + 2 * _PILL_PADDING
        top = self.height() - _ABOVE_EDGE - _PILL_HEIGHT
        pill = QRectF((self.width() - width) / 2, top, width, _PILL_HEIGHT)
        painter.setPen(QPen(qt_color(tint), 1))
        painter.setBrush(qt_color(look.surface))
        painter.drawRoundedRect(pill, _ROUND_PX, _ROUND_PX)
        painter.setFont(face)
        painter.setPen(qt_color(look.text if able else look.bad))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)


class Drops:
    """Finds out what a drop on a window does, and says so during the drag."""

    def __init__(self, theme: Theme, window: Window, page: QWidget) -> None:
        self._window, self._page = window, page
        self.hint = DropHint(theme, page)
        self._known: tuple[QWidget | None, Sequence[object], Drop] | None = None

    def follow(self, data: QMimeData, place: QPoint) -> bool:
        """Say what a drop at a place of the page would do; False where that is nothing."""
        drop, target = self._at(data, place)
        if not drop.text:
            self.leave()
            return False
        self.hint.show_drop(drop, target)
        return drop.act is not None

    def leave(self) -> None:
        """Say nothing any more: the drag went elsewhere, or ended."""
        self._known = None
        self.hint.hide()

    def take(self, data: QMimeData, place: QPoint) -> None:
        """Do what was said."""
        drop, _ = self._at(data, place)
        self.leave()
        if drop.act is not None:
            drop.act()

    def _at(self, data: QMimeData, place: QPoint) -> tuple[Drop, QWidget | None]:
        named = named_in(data)
        widget = self._page.childAt(place)
        while widget is not None and widget is not self._page:
            drop = widget.drop_of(data) if isinstance(widget, DropTarget) else None
            if drop is not None:
                return drop, widget
            widget = widget.parentWidget()
        if self._known is None or self._known[1] != named:  # it reads files: once for a drag
            self._known = None, named, self._general(named)
        return self._known[2], None

    def _general(self, named: tuple[Path | str, ...]) -> Drop:
        """Return what a drop does where no part of the page takes it for itself."""
        if not named:
            return Drop("")
        workspace, first = self._window.workspace, named[0]
        name = units.clip(first.name if isinstance(first, Path) else first, _LONGEST_NAME)
        paths = [each for each in named if isinstance(each, Path)]
        folder = len(paths) == 1 and workspace.kind_of(first) is Kind.FOLDER
        if folder and (self._can_run() == "" and workspace.holds_inputs(paths[0])):
            return self._run_on(paths, tr("Run {model} on the files of {name}"), name)
        if folder:
            text = tr("List the models of {name}").format(name=name)
            return Drop(text, partial(workspace.open, first))
        if paths and all(map(workspace.is_input, paths)):
            several = tr("Run {model} on {count:,} files")
            text = tr("Run {model} on {name}") if len(paths) == 1 else several
            return self._run_on(paths, text, name)
        text = tr("Open {name}") if len(named) == 1 else tr("Open {count:,} files")
        text = text.format(name=name, count=len(named))
        return Drop(text, partial(workspace.open, *named))

    def _run_on(self, paths: Sequence[Path], text: str, name: str) -> Drop:
        refusal, document = self._can_run(), self._window.document
        if refusal or document is None:
            text = tr("{name} is an input. {refusal}.")
            return Drop(text.format(name=name, refusal=refusal.removesuffix(".")))
        model = units.clip(document.name, _LONGEST_NAME)
        text = text.format(model=model, name=name, count=len(paths))
        return Drop(text, partial(self._window.run_command, "try", *paths))

    def _can_run(self) -> str:
        """Return why no model in front can be run; "" where one can."""
        document = self._window.document
        if document is None or document.model is None:
            return tr("Open a model first, then drop it again")
        refusal = document.not_run
        return units.clip(": ".join(refusal), 200) if refusal is not None else ""
