"""The test inputs whose answers changed most, as pictures with both answers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from inspector.errors import InspectorError
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image_files import Picture
from inspector.report.improvement import Candidate, InputResult
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import PADDING, Card, Elided, label, row, tip
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

_WIDTH_PX = 122
_PICTURE_PX = 92  # height of the picture
_LINE_PX = 18  # height of a line
_HEIGHT_PX = _PICTURE_PX + 6 + 2 * _LINE_PX  # of an input without a label
_GAP_PX = 14
_SHARP = 2  # pixels of a thumbnail for each of the window's


class InputTile(Painted):
    """One input: its picture if it is one, the original's answer and the new one below."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, result: InputResult) -> None:
        super().__init__(theme)
        self.result = result
        self._image: QImage | None = None
        self.setFixedSize(_WIDTH_PX, _HEIGHT_PX + (_LINE_PX if result.truth else 0))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        truth = tr("label: {truth}").format(truth=result.truth) if result.truth else ""
        before = tr("original: {answer}").format(answer=result.original)
        after = tr("recipe: {answer}").format(answer=result.candidate)
        self.setAccessibleName(". ".join(filter(None, (result.file, before, after, truth))))
        self.setToolTip(tip(result.file, before, after, truth))

    def show_picture(self, picture: Picture) -> None:
        """Show what the file looks like: uint8 (height, width, 3)."""
        pixels = np.ascontiguousarray(picture)
        height, width = pixels.shape[:2]
        form = QImage.Format.Format_RGB888
        self._image = QImage(pixels.data, width, height, 3 * width, form).copy()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose it."""
        self.chosen.emit(self.result.file)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose it with Return or the space bar."""
        if Qt.Key(event.key()) in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.result.file)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture in a frame, and two lines of answers."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(0.5, 0.5, _WIDTH_PX - 1, _PICTURE_PX - 1)
        path = QPainterPath()
        path.addRoundedRect(box, 6, 6)
        painter.fillPath(path, qt_color(look.bar))
        if self._image is not None:
            painter.save()
            painter.setClipPath(path)
            size = self._image.size().scaled(
                QSize(_WIDTH_PX, _PICTURE_PX), Qt.AspectRatioMode.KeepAspectRatio
            )
            place = QRectF(0, 0, size.width(), size.height())
            place.moveCenter(box.center())
            painter.drawImage(place, self._image)
            painter.restore()
        else:
            painter.setFont(font(11))
            painter.setPen(qt_color(look.tertiary))
            name = units.clip(self.result.file.rpartition("/")[2], 40)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWrapAnywhere
            painter.drawText(box.adjusted(8, 8, -8, -8), flags, name)
        rim = look.accent if self.hasFocus() else look.control
        painter.setPen(QPen(qt_color(rim), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 6, 6)
        result = self.result
        top = _PICTURE_PX + 4
        if result.truth:
            text = tr("label: {truth}").format(truth=result.truth)
            self._draw_answer(painter, top, text, None, look.secondary, 400)
            top += _LINE_PX
        # Without a label nobody knows which answer is right, only that it changed.
        before = self._tint(result.original, look.text)
        after = self._tint(result.candidate, look.bad)
        self._draw_answer(painter, top, result.original, result.original_score, before, 500)
        top += _LINE_PX
        self._draw_answer(painter, top, result.candidate, result.candidate_score, after, 600)

    def _tint(self, answer: str, unlabeled: str) -> str:
        """Return the color of an answer: right or wrong, where that is known."""
        look, truth = self._theme.palette, self.result.truth
        if not truth:
            return unlabeled
        return look.good if answer == truth else look.bad

    def _draw_answer(
        self,
        painter: QPainter,
        top: int,
        answer: str,
        score: float | None,
        tint: str,
        weight: int,
    ) -> None:
        number = "" if score is None else f"{units.number(100 * score, '.0f')}%"
        painter.setFont(font(12, weight))
        metrics = painter.fontMetrics()
        wide = metrics.horizontalAdvance(number)
        room = QRectF(0, top, _WIDTH_PX - wide - (6 if number else 0), 18)
        shown = metrics.elidedText(
            units.clip(answer, 80), Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.setPen(qt_color(tint))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.setFont(font(12))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, top, _WIDTH_PX, 18), right, number)


class WorstInputsCard(Card):
    """Tiles of the worst inputs; hidden where no answer changed."""

    chosen = Signal(object)  # Path of a file

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._jobs = TaskRunner(self)
        self._candidate: Candidate | None = None
        self._folder: Path | None = None
        self._every, self._shown_first, self._filling = False, 0, False
        self.tiles: list[InputTile] = []
        self.about = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.more = QPushButton()
        self.more.setProperty("role", "link")
        self.more.setCursor(Qt.CursorShape.PointingHandCursor)
        self.more.clicked.connect(self._turn)
        heading = label(tr("Worst inputs"), "heading")
        self.body.addLayout(row(heading, self.about, self.more, stretch=1))
        holder = QWidget()
        self._flow = Flow(_GAP_PX, 12, holder)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        holder.setSizePolicy(policy)
        self.body.addWidget(holder)
        self.hide()

    def show_candidate(self, candidate: Candidate | None, folder: Path | None) -> None:
        """Show the worst inputs of a candidate. folder: where their files are."""
        if candidate is self._candidate and folder == self._folder:
            return
        self._candidate, self._folder, self._every = candidate, folder, False
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many as one line has room for."""
        super().resizeEvent(event)
        if self._first() != self._shown_first:
            self._fill()

    def _first(self) -> int:
        return max(1, (self.width() - 2 * PADDING + _GAP_PX) // (_WIDTH_PX + _GAP_PX))

    def _turn(self) -> None:
        self._every = not self._every
        self._fill()

    def _fill(self) -> None:
        """Replace the tiles; showing widgets resizes the card, which would begin anew."""
        if self._filling:
            return
        self._filling = True
        try:
            self._replace_tiles()
            if self.tiles and self._first() != self._shown_first:
                self._replace_tiles()
        finally:
            self._filling = False

    def _replace_tiles(self) -> None:
        for tile in self.tiles:
            self._flow.takeAt(0)
            tile.hide()
            tile.deleteLater()
        candidate = self._candidate
        worst: Sequence[InputResult] = candidate.worst if candidate is not None else ()
        self.setVisible(bool(worst) and self._folder is not None)
        self.tiles = []
        if candidate is None or self._folder is None:
            return
        text = tr("{results} changed; original above, recipe below")
        if any(each.truth for each in worst):
            text = tr("{results} changed. Each row: label, original's result, recipe's result")
        self.about.set_text(text.format(results=plural(candidate.changed, "result")))
        first = self._shown_first = self._first()
        self.more.setVisible(len(worst) > first)
        self.more.setText(
            tr("Show fewer")
            if self._every
            else tr("Show the worst {count}").format(count=len(worst))
        )
        for result in worst if self._every else worst[:first]:
            tile = InputTile(self._theme, result)
            tile.chosen.connect(self._tell)
            self._flow.addWidget(tile)
            tile.show()
            self.tiles.append(tile)
        shown = [(tile, self._folder / tile.result.file) for tile in self.tiles]
        for tile, path in shown:
            if image_files.is_image(path):
                self._jobs.start(
                    partial(_thumbnail, path), partial(self._show_picture, tile), _ignore
                )

    def _show_picture(self, tile: InputTile, picture: Picture) -> None:
        if tile in self.tiles:
            tile.show_picture(picture)

    def _tell(self, file: str) -> None:
        if self._folder is not None:
            self.chosen.emit(self._folder / file)


def _thumbnail(path: Path) -> Picture:
    """Return a picture that fits a tile, with three channels. Raises InspectorError."""
    picture = image_files.to_colors(image_files.read(path), 3)
    height, width = picture.shape[:2]
    factor = min(_SHARP * _WIDTH_PX / width, _SHARP * _PICTURE_PX / height, 1.0)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return image_files.resize(picture, *size, "stretch", "area")


def _ignore(_: InspectorError) -> None:
    """Leave the name of the file in place of a picture that cannot be read."""
