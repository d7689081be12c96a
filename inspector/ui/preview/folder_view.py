"""A folder of inputs in the window: table, accuracy, what is taken for what, export."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QVBoxLayout, QWidget

from inspector import files, units
from inspector.errors import InspectorError
from inspector.preview import sheet
from inspector.preview.folder import Row
from inspector.preview.parity import Against
from inspector.preview.sheet import Confusion
from inspector.ui.kit.fields import ChoiceField
from inspector.ui.kit.parts import GAP, Card, Metric, button, label, row
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.opening import paths_in
from inspector.ui.overview.about import wrapped
from inspector.ui.preview.folder_table import FolderTable
from inspector.ui.preview.prediction_card import ProblemCard
from inspector.ui.preview.way_field import NONE, WayField

REFRESH_MS = 200
_CSV, _ON_FILL = "csv", "#FFFFFF"


class FolderView(QWidget):
    """Takes a folder, shows its rows as they come, and what they come to."""

    asked = Signal(object, str, object)  # Path, where labels come from, Against or None
    stop_asked = Signal()
    chosen = Signal(object)  # Path of a file
    export_asked = Signal(object)  # Path of a CSV file

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._folder: Path | None = None
        self._total, self._busy = 0, False
        self._labels: Sequence[str] = ()
        self.open = button(theme, "Open folder…", "open")
        self.stop, self.export = button(theme, "Stop"), button(theme, "Export CSV…")
        words = ["Labels: sub-folders", "No labels", "Labels from a CSV…"]
        self.truth = ChoiceField("Where labels come from", ["", "none", _CSV], words)
        self.way = WayField("Hold the answers against", "No second way")
        self._against: Against | None = None
        self._state = wrapped("", "caption")
        self.problem, self.table = ProblemCard(theme), FolderTable(theme)
        self.accuracy, self.top5 = Metric(theme, "Top-1"), Metric(theme, "Top-5")
        self.same = Metric(theme, "Same both ways")
        self.numbers = QWidget()
        self.numbers.setLayout(row(self.accuracy, self.top5, self.same, spacing=GAP))
        self.confusion = ConfusionCard(theme)
        self._lay_out(theme)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._show)
        self.open.clicked.connect(self._ask)
        self.stop.clicked.connect(self.stop_asked)
        self.export.clicked.connect(self._ask_where)
        self.truth.activated.connect(self._again)
        self.way.activated.connect(self._turn)
        self.table.chosen.connect(self._choose)
        self.setAcceptDrops(True)
        self._show()

    def use_folder(self, path: Path) -> None:
        """Answer every file of a folder."""
        self._folder = path
        said = self.truth.value
        if said == _CSV:
            said, _ = QFileDialog.getOpenFileName(self, "Labels", "", "Tables (*.csv)")
        self.asked.emit(path, said, self._against)

    def use_way(self, against: Against | None) -> None:
        """Hold the answers against a second way, or no more."""
        self._against = against
        self._again()

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices to hold the answers against."""
        self.way.show_devices(devices)

    def begin(self, labels: Sequence[str]) -> None:
        """Start over, for another folder."""
        self.rows, self._total, self._labels = [], 0, labels
        self.problem.hide()
        self._show()

    def add(self, total: int, new: Row) -> None:
        """Take one more row; the table follows a moment later."""
        self._total = total
        self.rows.append(new)
        if not self._pause.isActive():
            # Counting 10,000 rows takes 50 ms, which must stay a small share of the time.
            self._pause.start(REFRESH_MS + len(self.rows) // 10)

    def set_busy(self, busy: bool, able: bool) -> None:
        """Say that it is under way; `able`: whether another folder can be opened."""
        self.stop.setVisible(busy)
        self.open.setEnabled(able and not busy)
        self.truth.setEnabled(able and not busy)
        self.way.setEnabled(able and not busy)
        if not busy and (self._busy or self._pause.isActive()):
            self._show()
        self._busy = busy

    def show_error(self, error: InspectorError) -> None:
        """Show why there is nothing to show."""
        self.problem.show_error(error)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome folders."""
        event.setAccepted(any(files.is_folder(path) for path in paths_in(event.mimeData())))

    def dropEvent(self, event: QDropEvent) -> None:
        """Answer the folder that was dropped."""
        self.use_folder(next(p for p in paths_in(event.mimeData()) if files.is_folder(p)))
        event.acceptProposedAction()

    def _lay_out(self, theme: Theme) -> None:
        card = Card(theme)
        name = label("Folder of inputs", "heading")
        card.body.addLayout(row(name, None, self.stop, self.export, self.open))
        choices = row(self.truth, self.way)
        for place in range(2):
            choices.setStretch(place, 1)
        card.body.addLayout(choices)
        card.body.addWidget(self._state)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        for part in (card, self.problem, self.numbers, self.table, self.confusion):
            column.addWidget(part)
        column.addStretch(1)

    def _show(self) -> None:
        found = sheet.summary(self.rows)
        self._state.setText(self._words(found))
        self.export.setVisible(bool(self.rows))
        self.table.setVisible(bool(self.rows))
        self.table.show_rows(self.rows)
        known = found.accuracy is not None and found.top_accuracy is not None
        self.accuracy.setVisible(known)
        self.top5.setVisible(known)
        self.same.setVisible(found.agreement is not None)
        self.numbers.setVisible(known or found.agreement is not None)
        if found.agreement is not None:
            told = f"{found.same:,} of {found.compared:,} compared"
            self.same.show_value(f"{100 * found.agreement:.1f}", "%", told)
        if found.accuracy is not None and found.top_accuracy is not None:
            told = f"of {found.told:,} labelled"
            self.accuracy.show_value(
                f"{100 * found.accuracy:.1f}", "%", f"{found.right:,} {told}"
            )
            right = f"{found.right_in_top:,} {told}"
            self.top5.show_value(f"{100 * found.top_accuracy:.1f}", "%", right)
        self.confusion.show_confusion(sheet.confusion(self.rows, self._labels))

    def _words(self, found: sheet.Summary) -> str:
        if not self.rows:
            return "Drop a folder here: every file is answered, prepared like the input."
        name = self._folder.name if self._folder is not None else ""
        words = f"{units.clip(name, 60)} · {found.files:,} of {self._total:,} files"
        each = f" · {units.duration(found.prediction_ns)} each" if found.prediction_ns else ""
        failed = f" · {found.failed:,} could not be answered" if found.failed else ""
        odd = " · the labels do not fit" if sheet.unfitting(self.rows, self._labels) else ""
        other = f" · against {self._against.words}" if self._against is not None else ""
        return words + each + failed + odd + other

    def _ask(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "A folder of inputs")
        if name:
            self.use_folder(Path(name))

    def _again(self) -> None:
        if self._folder is not None:
            self.use_folder(self._folder)

    def _turn(self) -> None:
        way = self.way.ask(self)
        if way is None:  # of a dialog that was closed, too
            self.way.show_value(NONE)
        self.use_way(way)

    def _ask_where(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export CSV", "predictions.csv")
        if name:
            self.export_asked.emit(Path(name))

    def _choose(self, file: str) -> None:
        if self._folder is not None:
            self.chosen.emit(self._folder / file)


class ConfusionCard(Card):
    """What is taken for what, in colours; hidden without labels."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.map = ConfusionMap(theme)
        self._note = wrapped("", "caption")
        self.body.addWidget(label("What is taken for what", "heading"))
        self.body.addWidget(self.map)
        self.body.addWidget(self._note)
        self.hide()

    def show_confusion(self, found: Confusion | None) -> None:
        """Show another matrix."""
        self.setVisible(found is not None)
        if found is None:
            return
        self.map.show_confusion(found)
        left = f"; {found.left_out:,} of rarer labels are left out" if found.left_out else ""
        self._note.setText(f"Rows: the label. Columns: the prediction{left}.")


class ConfusionMap(QWidget):
    """A matrix of counts, each row coloured by its share."""

    CELL, NAMES, LEAST = 30, 110, 6

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._found: Confusion | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Confusion matrix")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(200, self.height())

    def show_confusion(self, found: Confusion) -> None:
        """Show another matrix."""
        self._found = found
        self.setFixedHeight(int(self._cell() * len(found.labels)) + 24)
        wrong = int(found.counts.sum() - found.counts.trace())
        words = f"{len(found.labels)} labels, {wrong:,} of {found.counts.sum():,} wrong"
        self.setAccessibleDescription(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names and cells."""
        found, look, painter = self._found, self._theme.palette, QPainter(self)
        if found is None:
            return
        cell, counts = self._cell(), found.counts
        roomy = cell >= 16
        painter.setFont(font(11))
        for line, name in enumerate(found.labels):
            top = 20 + line * cell
            whole = max(1, int(counts[line].sum()))
            if roomy:
                box = QRectF(0, top, self.NAMES - 8, cell)
                self._words(painter, box, name, look.secondary, Qt.AlignmentFlag.AlignRight)
                above = QRectF(self.NAMES + line * cell - 6, 0, cell + 12, 18)
                self._words(painter, above, name, look.secondary, Qt.AlignmentFlag.AlignHCenter)
            for place in range(len(found.labels)):
                count = int(counts[line, place])
                box = QRectF(self.NAMES + place * cell, top, cell - 1, cell - 1)
                tint = look.accent if place == line else look.bad
                share = count / whole
                filled = colour(tint, 0.15 + 0.75 * share) if count else colour(look.track)
                painter.fillRect(box, filled)
                if count and roomy:
                    strong = _ON_FILL if share > 0.5 else look.text
                    self._words(painter, box, str(count), strong, Qt.AlignmentFlag.AlignHCenter)

    def _words(
        self, painter: QPainter, box: QRectF, words: str, tint: str, side: Qt.AlignmentFlag
    ) -> None:
        metrics = painter.fontMetrics()
        plain = units.clip(words, 80)
        shown = metrics.elidedText(plain, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.setPen(colour(tint))
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, shown)

    def _cell(self) -> float:
        number = len(self._found.labels) if self._found is not None else 1
        room = max(120, self.width() - self.NAMES - 8)
        return max(self.LEAST, min(self.CELL, room / number))
