"""A folder of inputs in the window: table, accuracy, what is taken for what, export."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QVBoxLayout, QWidget

from inspector import units
from inspector.errors import InspectorError
from inspector.export.registry import Subject, formats_of
from inspector.pages.blocks import Page
from inspector.pages.outputs.folder import folder_verdict, summary_sections
from inspector.pages.outputs.folder_files import file_table
from inspector.platform import files
from inspector.preview.runs import folder
from inspector.preview.runs.folder import Confusion, FolderResult, Row
from inspector.preview.runs.other_run import OtherRun
from inspector.report.output_verdict import OutputVerdict
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.file_dialogs import paths_in
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.compare_view import NONE, OtherRunField
from inspector.ui.tabs.preview.prediction_card import ProblemCard
from inspector.ui.translate import tr, wording
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.parts import GAP, Card, button, label, row, tip
from inspector.ui.widgets.table_card import FilterField, PageTableCard
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

# The files of a folder with the result of each: a table that fills as the model runs.


_FEWEST_ROWS = 7


class FolderTable(PageTableCard):
    """The table in its card; says which file was chosen."""

    file_chosen = Signal(str)  # within the folder

    def __init__(self, theme: Theme) -> None:
        hint = tr("Filter, or type “wrong” or “failed”")
        field = FilterField(theme, tr("Filter files"), hint, wide=230, small=120, roomy=560)
        title = tr("Files")
        super().__init__(
            theme, title, title, file_table(()), field, first_rows=0, fewest=_FEWEST_ROWS
        )
        self._files: Sequence[Row] = ()
        self._selected = ""
        self.chosen.connect(self._choose)

    def _choose(self, place: int) -> None:
        self._selected = self._files[place].file
        self.file_chosen.emit(self._selected)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show more of them."""
        self._files = tuple(rows)
        self.show_table(file_table(rows))
        names = [each.file for each in rows]
        chosen = self._selected in names
        self.show_place(names.index(self._selected) if chosen else None)


REFRESH_MS = 200
_CSV, _ON_FILL = "csv", "#FFFFFF"


class FolderView(QWidget):
    """Takes a folder, shows its rows as they come, and what they come to."""

    requested = Signal(object, str, object)  # Path, where labels come from, OtherRun or None
    stop_asked = Signal()
    chosen = Signal(object)  # Path of a file
    export_asked = Signal(object)  # Path

    def __init__(self, theme: Theme, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.rows: list[Row] = []
        self._folder: Path | None = None
        self._total, self._busy = 0, False
        self._labels: Sequence[str] = ()
        self._verdict: OutputVerdict | None = None  # on the outputs of the other run
        self._note = ""  # on other preprocessing that was tried
        self.open = button(theme, tr("Open folder…"), "open")
        self.known = button(theme, "", "open")
        self.known.hide()
        self._known: Path | None = None
        self.known.clicked.connect(self._use_known)
        self.stop, self.export = button(theme, tr("Cancel")), button(theme, tr("Export…"))
        sources = [tr("Labels from subfolders"), tr("No labels"), tr("Labels from CSV file…")]
        self.truth = ChoiceField(tr("Label source"), ["", "none", _CSV], sources)
        self.other_run = OtherRunField(
            tr("Compare the results with"), tr("Nothing to compare with")
        )
        self._against: OtherRun | None = None
        self._state = wrapped("", "caption")
        self.problem, self.table = ProblemCard(theme), FolderTable(theme)
        self.summary = PageView(theme)
        self.confusion = ConfusionCard(theme)
        self._lay_out(theme)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._show)
        self.open.clicked.connect(self._ask)
        self.stop.clicked.connect(self.stop_asked)
        self.export.clicked.connect(self._ask_where)
        self.truth.activated.connect(self._again)
        self.other_run.activated.connect(self._turn)
        self.table.file_chosen.connect(self._choose)
        self.setAcceptDrops(True)
        self._show()

    @property
    def result(self) -> FolderResult:
        """Return the results so far, as documents have them."""
        against = "" if self._against is None else self._against.label
        notes = (self._note,) if self._note else ()
        rows = tuple(self.rows)
        return FolderResult(self._model, rows, self._labels, against, self._verdict, notes)

    @property
    def against(self) -> OtherRun | None:
        """Return the run that results are compared with."""
        return self._against

    @property
    def place(self) -> Path | None:
        """Return the folder that is shown."""
        return self._folder

    def offer_model(self, path: Path) -> None:
        """Compare the results of the next folder with those of another model."""
        self.other_run.show_model(path)
        self.use_way(OtherRun(model=str(path)))

    def offer_folder(self, path: Path | None) -> None:
        """Offer a folder that is known to fit the model, until one was run."""
        self._known = path
        if path is not None:
            shown = f"{path.parent.name}/{path.name}" if path.parent.name else path.name
            text = tr("Run on {folder}").format(folder=units.clip(shown, 30))
            self.known.setText(f" {text}")  # the style sets icon and words close
            self.known.setAccessibleName(text)
            self.known.setToolTip(tip(tr("The test folder of this model"), str(path)))
        self.known.setVisible(path is not None and self._folder is None)

    def _use_known(self) -> None:
        if self._known is not None:
            self.use_folder(self._known)

    def use_folder(self, path: Path) -> None:
        """Answer every file of a folder."""
        self._folder = path
        label_source = self.truth.value
        if label_source == _CSV:
            label_source, _ = QFileDialog.getOpenFileName(
                self, tr("Labels"), file_dialogs.start(), tr("Tables (*.csv)")
            )
        self.requested.emit(path, label_source, self._against)

    def use_way(self, against: OtherRun | None) -> None:
        """Hold the answers against a second way, or no more."""
        self._against = against
        self._again()

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices to hold the answers against."""
        self.other_run.show_devices(devices)

    def begin(self, labels: Sequence[str]) -> None:
        """Start over, for another folder."""
        self.rows, self._total, self._labels = [], 0, labels
        self._verdict, self._note = None, ""
        self.problem.hide()
        self._show()

    def add(self, total: int, new: Row) -> None:
        """Take one more row; the table follows a moment later."""
        self._total = total
        self.rows.append(new)
        if not self._pause.isActive():
            # Counting 10,000 rows takes 50 ms, which must stay a small share of the time.
            self._pause.start(REFRESH_MS + len(self.rows) // 10)

    def show_verdict(self, verdict: OutputVerdict) -> None:
        """Show what is said of the outputs of the other run."""
        self._verdict = verdict
        self._show()

    def show_note(self, note: str) -> None:
        """Show which other preprocessing was tried, and what became of it."""
        self._note = note
        self._show()

    def set_busy(self, busy: bool, able: bool) -> None:
        """Show that it is under way; `able`: whether another folder can be opened."""
        # The keyboard focus goes from one button to the other: a button that hides or is
        # disabled would pass it on to a field further down, and the page would scroll there.
        focused = self.window().focusWidget()
        if busy and focused in (self.open, self.known, self.truth, self.other_run):
            self.stop.show()
            self.stop.setFocus()
        self.open.setEnabled(able and not busy)
        if not busy and focused is self.stop:
            self.open.setFocus()
        self.known.setEnabled(able and not busy)
        self.known.setVisible(self._known is not None and self._folder is None)
        self.stop.setVisible(busy)
        self.truth.setEnabled(able and not busy)
        self.other_run.setEnabled(able and not busy)
        if not busy and (self._busy or self._pause.isActive()):
            self._show()
        self._busy = busy

    def show_error(self, error: InspectorError) -> None:
        """Show why there is nothing to show."""
        self.problem.show_error(error)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept folders."""
        event.setAccepted(any(files.is_folder(path) for path in paths_in(event.mimeData())))

    def dropEvent(self, event: QDropEvent) -> None:
        """Answer the folder that was dropped."""
        self.use_folder(next(p for p in paths_in(event.mimeData()) if files.is_folder(p)))
        event.acceptProposedAction()

    def _lay_out(self, theme: Theme) -> None:
        card = Card(theme, parent=self)
        name = label(tr("Folder of inputs"), "heading")
        card.body.addLayout(row(name, None, self.stop, self.export, self.known, self.open))
        choices = row(self.truth, self.other_run)
        for place in range(2):
            choices.setStretch(place, 1)
        card.body.addLayout(choices)
        card.body.addWidget(self._state)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        for part in (card, self.problem, self.summary, self.table, self.confusion):
            column.addWidget(part)
        column.addStretch(1)

    def _show(self) -> None:
        result, counted = self.result, folder.summary(self.rows)
        verdict = folder_verdict(result, counted)
        said = "" if verdict is None else f"{wording().text(verdict.value)}\n"
        self._state.setText(said + self._words())
        for view in (self.export, self.table, self.summary):
            view.setVisible(bool(self.rows))
        self.table.show_rows(self.rows)
        self.summary.show_page(Page("folder", "", summary_sections(result, counted)))
        self.confusion.show_confusion(folder.confusion(self.rows, self._labels))

    def _words(self) -> str:
        if not self.rows:
            return tr(
                "Drop a folder here. The model runs on every file, "
                "with the preprocessing of the input."
            )
        name = self._folder.name if self._folder is not None else ""
        return tr("{name} · {files:,} of {total:,} files").format(
            name=units.clip(name, 60), files=len(self.rows), total=self._total
        )

    def _ask(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self, tr("A folder of inputs"), file_dialogs.start()
        )
        if name:
            self.use_folder(Path(name))

    def _again(self) -> None:
        if self._folder is not None:
            self.use_folder(self._folder)

    def _turn(self) -> None:
        other_run = self.other_run.ask(self)
        if other_run is None:  # of a dialog that was closed, too
            self.other_run.show_value(NONE)
        self.use_way(other_run)

    def _ask_where(self) -> None:
        kinds = ";;".join(each.dialog_filter for each in formats_of(Subject.FOLDER))
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Export"), file_dialogs.start("predictions.csv"), kinds
        )
        if name:
            self.export_asked.emit(Path(name))

    def _choose(self, file: str) -> None:
        if self._folder is not None:
            self.chosen.emit(self._folder / file)


class ConfusionCard(Card):
    """The confusion matrix in colors; hidden without labels."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.map = ConfusionMap(theme)
        self._note = wrapped("", "caption")
        self.body.addWidget(label(tr("Confusion matrix"), "heading"))
        self.body.addWidget(self.map)
        self.body.addWidget(self._note)
        self.hide()

    def show_confusion(self, confusion: Confusion | None) -> None:
        """Show another matrix."""
        self.setVisible(confusion is not None)
        if confusion is None:
            return
        self.map.show_confusion(confusion)
        self._note.setVisible(bool(confusion.left_out))
        self._note.setText(
            tr("{left_out:,} with rarer labels are not shown.").format(
                left_out=confusion.left_out
            )
        )


_MIDDLE = Qt.AlignmentFlag.AlignHCenter


class ConfusionMap(QWidget):
    """A matrix of counts, each row coloured by its share."""

    CELL, NAMES, LEAST = 30, 126, 6
    AXIS, TOP, TITLE = 18, 38, 90  # height and width of an axis title; above the first row
    WIDEST = 76  # of a cell, so that the names above the columns are whole where there is room

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._found: Confusion | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Confusion matrix"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the height of the rows."""
        return QSize(200, self.height())

    def show_confusion(self, confusion: Confusion) -> None:
        """Show another matrix."""
        self._found = confusion
        rows = max(self.TITLE, int(self._cell() * len(confusion.labels)))
        self.setFixedHeight(rows + self.TOP + 4)
        wrong = int(confusion.counts.sum() - confusion.counts.trace())
        text = tr("{count} labels, {wrong:,} of {sum:,} wrong").format(
            count=len(confusion.labels), wrong=wrong, sum=confusion.counts.sum()
        )
        self.setAccessibleDescription(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names and cells."""
        confusion, look, painter = self._found, self._theme.palette, painter_on(self)
        if confusion is None:
            return
        cell, wide, counts = self._cell(), self._width(), confusion.counts
        roomy = cell >= 16
        self._draw_titles(painter, len(confusion.labels))
        painter.setFont(font(11))
        for line, name in enumerate(confusion.labels):
            top = self.TOP + line * cell
            total = max(1, int(counts[line].sum()))
            if roomy:
                box = QRectF(self.AXIS, top, self.NAMES - self.AXIS - 8, cell)
                self._words(painter, box, name, look.secondary, Qt.AlignmentFlag.AlignRight)
                above = QRectF(self.NAMES + line * wide + 1, self.AXIS, wide - 3, 18)
                self._words(painter, above, name, look.secondary, Qt.AlignmentFlag.AlignHCenter)
            for place in range(len(confusion.labels)):
                count = int(counts[line, place])
                box = QRectF(self.NAMES + place * wide, top, wide - 1, cell - 1)
                tint = look.accent if place == line else look.bad
                share = count / total
                filled = colour(tint, 0.15 + 0.75 * share) if count else colour(look.track)
                painter.fillRect(box, filled)
                if count and roomy:
                    strong = _ON_FILL if share > 0.5 else look.text
                    self._words(painter, box, str(count), strong, Qt.AlignmentFlag.AlignHCenter)

    def _draw_titles(self, painter: QPainter, count: int) -> None:
        """Write what columns and rows are, the latter along the left edge."""
        wide, tall = (max(self.TITLE, count * each) for each in (self._width(), self._cell()))
        across = QRectF(self.NAMES, 0, wide, self.AXIS)
        painter.setFont(font(11, 600))
        self._words(painter, across, tr("Predicted class"), self._theme.palette.text, _MIDDLE)
        along = QRectF(-self.TOP - tall, 0, tall, self.AXIS)
        painter.save()
        painter.rotate(-90)
        self._words(painter, along, tr("Actual class"), self._theme.palette.text, _MIDDLE)
        painter.restore()

    def _words(
        self, painter: QPainter, box: QRectF, text: str, tint: str, side: Qt.AlignmentFlag
    ) -> None:
        metrics = painter.fontMetrics()
        plain = units.clip(text, 80)
        shown = metrics.elidedText(plain, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.setPen(colour(tint))
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, shown)

    def _width(self) -> float:
        """Return the width of a cell, which the names above the columns need."""
        return max(self._cell(), min(self.WIDEST, self._share()))

    def _cell(self) -> float:
        """Return the height of a cell."""
        return max(self.LEAST, min(self.CELL, self._share()))

    def _share(self) -> float:
        """Return how much of the width beside the names there is for each label."""
        labels = self._found.labels if self._found is not None else ()
        return max(120, self.width() - self.NAMES - 8) / max(1, len(labels))
