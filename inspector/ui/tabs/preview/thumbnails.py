"""The images of a folder, or chosen ones, small, with what the model says of each."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from inspector.errors import InspectorError
from inspector.pages.outputs.folder_files import score_of
from inspector.preview.inputs import image_files
from inspector.preview.runs.folder import Row
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.tabs.preview.outputs.image_view import to_image
from inspector.ui.translate import tr, wording
from inspector.ui.widgets.parts import follow, tip
from inspector.ui.widgets.theme import Theme

MOST = 60  # images; of more, the table tells
_SIDE = 96  # px, of the longer side of an image
_CELL = QSize(124, 148)
_FRAME = 12  # px, above and below all of them
_LINES = 2  # of images that are seen at once
_ANSWER = 34  # letters
_PLACE = Qt.ItemDataRole.UserRole


class Thumbnails(QListWidget):
    """Shows the images one after the other as they are read; `file_chosen` tells of a click."""

    file_chosen = Signal(str)  # within the folder

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._folder: Path | None = None
        self._rows: list[Row] = []
        self._waiting: list[int] = []  # places of images that are not read yet
        self._round = 0  # goes up with each other folder or run: what is read of before is late
        self._jobs = TaskRunner(self)
        self._busy = False
        self.setAccessibleName(tr("Images with results"))
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMovement(QListWidget.Movement.Static)
        self.setIconSize(QSize(_SIDE, _SIDE))
        self.setGridSize(_CELL)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        blank = QPixmap(_SIDE, _SIDE)
        blank.fill(Qt.GlobalColor.transparent)
        self._blank = QIcon(blank)
        follow(theme, self, lambda: self._dress(theme))
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)
        self.hide()

    def _dress(self, theme: Theme) -> None:
        look = theme.palette
        self.setStyleSheet(
            f"QListWidget {{ border: 1px solid {look.border}; border-radius: 8px; "
            f"background: {look.surface}; padding: 4px; }}"
        )
        self._wrong = QColor(look.bad)
        for place, row in enumerate(self._rows):
            self._mark(self.item(place), row)

    def _mark(self, item: QListWidgetItem, row: Row) -> None:
        if row.right is False or row.problem:
            item.setForeground(self._wrong)

    def show_rows(self, folder: Path | None, rows: Sequence[Row]) -> None:
        """Show more results; those of another folder replace what was shown."""
        images = folder is not None and all(image_files.is_image(Path(r.file)) for r in rows)
        self.setVisible(images and 0 < len(rows) <= MOST)
        if folder != self._folder or self._rows != list(rows[: len(self._rows)]):
            self.clear()
            self._folder, self._rows, self._waiting = folder, [], []
            self._round += 1
        if self.isHidden():
            return
        for row in rows[len(self._rows) :]:
            item = QListWidgetItem(self._blank, _result(row))
            item.setData(_PLACE, row.file)
            self._mark(item, row)
            item.setToolTip(tip(row.file, units.capitalized(row.problem) or row.answer))
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            self.addItem(item)
            self._waiting.append(len(self._rows))
            self._rows.append(row)
        self._fit()
        self._read_next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as the lines of images need."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        across = max(1, self.viewport().width() // _CELL.width())
        lines = min(_LINES, -(-self.count() // across))
        self.setFixedHeight(max(1, lines) * _CELL.height() + _FRAME)

    def _read_next(self) -> None:
        """Read one image after the other, in a process of its own, off the window's thread."""
        if self._busy or not self._waiting or self._folder is None:
            return
        self._busy = True
        place, begun = self._waiting.pop(0), self._round
        path = self._folder / self._rows[place].file

        def read() -> QImage:
            ratio = Qt.AspectRatioMode.KeepAspectRatio
            smooth = Qt.TransformationMode.SmoothTransformation
            return to_image(image_files.read(path)).scaled(2 * _SIDE, 2 * _SIDE, ratio, smooth)

        def show(image: QImage) -> None:
            if self._round == begun:
                self.item(place).setIcon(QIcon(_squared(image)))
            go_on()

        def go_on(_: InspectorError | None = None) -> None:
            self._busy = False
            self._read_next()

        self._jobs.start(read, show, go_on)

    def _choose(self, item: QListWidgetItem) -> None:
        self.file_chosen.emit(str(item.data(_PLACE)))


def _squared(image: QImage) -> QPixmap:
    """Return an image in the middle of a square, so that the text below it stays in place."""
    square = QPixmap(2 * _SIDE, 2 * _SIDE)
    square.fill(Qt.GlobalColor.transparent)
    painter = QPainter(square)
    painter.drawImage(square.rect().center() - image.rect().center(), image)
    painter.end()
    return square


def _result(row: Row) -> str:
    """Return what the model says of an image, with its score, in two short lines; of a wrong
    answer the right one too."""
    if row.problem:
        return tr("failed: {why}").format(why=units.clip(row.why or row.problem, _ANSWER))
    answer = row.answer
    if row.right is False:
        answer = tr("✗ {answer}, not {truth}").format(answer=answer, truth=row.wanted)
    answer = units.clip(answer, _ANSWER)
    return f"{answer}\n{wording().text(score)}" if (score := score_of(row)) else answer
