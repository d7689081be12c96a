"""A folder of inputs in the window: table, accuracy, what is taken for what, export."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QMimeData, QTimer, Signal
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.pages.blocks import Page
from inspector.pages.outputs.folder import classes_section, folder_verdict, summary_sections
from inspector.pages.outputs.folder_files import file_table
from inspector.platform import files
from inspector.preview.inputs import image_files
from inspector.preview.runs import data_set, folder, tables
from inspector.preview.runs.folder import Agreement, FolderResult, Row
from inspector.preview.runs.other_run import OtherRun
from inspector.render.registry import Subject, formats_of
from inspector.report.evaluation import Metric
from inspector.report.output_verdict import OutputVerdict
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.compare_view import NONE, OtherRunField
from inspector.ui.tabs.preview.folder_watch import FolderWatch
from inspector.ui.tabs.preview.prediction_card import ProblemCard
from inspector.ui.tabs.preview.thumbnails import Thumbnails
from inspector.ui.translate import tr, wording
from inspector.ui.widgets.dropped import Drop, paths_in
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.parts import (
    GAP,
    Card,
    add_to,
    button,
    column_of,
    label,
    row,
    tip,
    wrapped,
)
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.table_card import FilterField, PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.wording import stored

_FEWEST_ROWS = 7
REFRESH_MS = 200
_CSV = "csv"
_MOST_SAVED = 2000  # rows that the next start still has; of more files it offers to run again


class _SavedRow(msgspec.Struct):
    """A row without its `result`, which of classes follows from the rest."""

    file: str
    answer: str
    score: float | None
    top: tuple[str, ...]
    wanted: str
    prediction_ns: int
    problem: str
    why: str
    of_box: bool
    agreement: tuple[bool | None, float | None, str, bool | None] | None

    @classmethod
    def of(cls, row: Row) -> "_SavedRow":
        """Return what is saved of a row."""
        held = row.agreement
        both = None if held is None else (held.same, held.largest, held.words, held.right)
        fields = {name: getattr(row, name) for name in cls.__struct_fields__[:-1]}
        return cls(**fields, agreement=both)

    @property
    def row(self) -> Row:
        """Return the row again."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__[:-1]}
        held = None if self.agreement is None else Agreement(*self.agreement)
        return Row(**fields, agreement=held)


class _SavedRun(Struct, frozen=True):
    """A run of the files of a folder, as a session keeps it.

    version: of the model. stamp: of the files. rows: none where there are too many, or where
    they were held against boxes, masks or texts. shown: whether Preview showed the files.
    """

    folder: str
    version: tuple[int, ...]
    paths: tuple[str, ...] = ()
    truth: str = ""
    against: OtherRun | None = None
    rows: tuple[_SavedRow, ...] = ()
    labels: tuple[str, ...] = ()
    metrics: tuple[Metric, ...] | None = None
    verdict: OutputVerdict | None = None
    note: str = ""
    unlabeled: str = ""
    stamp: str = ""
    notes: tuple[str, ...] = ()
    shown: bool = False


_SAVED_RUN = msgspec.json.Decoder(_SavedRun)


class FolderTable(PageTableCard):
    """The table in its card; says which file was chosen."""

    file_chosen = Signal(str)  # within the folder

    def __init__(self, theme: Theme) -> None:
        hint = tr("Filter, or type “wrong” or “failed”")
        field = FilterField(theme, tr("Filter files"), hint, wide=270, small=120, roomy=560)
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

    def show_rows(self, rows: Sequence[Row], noun: str = "file") -> None:
        """Show more of them."""
        self._files = tuple(rows)
        self.show_table(file_table(rows, noun))
        names = [each.file for each in rows]
        chosen = self._selected in names
        self.show_place(names.index(self._selected) if chosen else None)


class FolderView(QWidget):
    """Takes a folder, shows its rows as they come, and what they come to."""

    requested = Signal(object, str, object)  # Path, where labels come from, OtherRun or None
    chosen = Signal(object)  # Path of a file
    export_asked = Signal(object)  # Path
    progressed = Signal(str)  # how far a run is, and how long it will still take

    def __init__(self, theme: Theme, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.rows: list[Row] = []
        self.place: Path | None = None
        self.paths: tuple[Path, ...] = ()  # of chosen files; none of a whole folder
        self._total, self._busy = 0, False
        self._started_by: QWidget | None = None  # what gets the keyboard focus back
        self._labels: Sequence[str] = ()
        self._result: FolderResult | None = None  # of all rows, once they are there
        self._note = ""  # on other preprocessing that was tried
        self.open = button(theme, tr("Open folder…"), "open", then=self._ask)
        self.choose_files = button(theme, tr("Open files…"), "open", then=self._ask_for_files)
        self.known = button(theme, "", "open", then=self._use_known)
        self.known.hide()
        self.again = button(theme, tr("Run again"), then=self._again)
        self.again.hide()
        self._is_outdated = False  # the files are others than those that were run
        self._watch = FolderWatch(self)
        self._watch.changed.connect(self._outdate)
        self._known: Path | None = None
        self.progress = ProgressLine(theme, tr("Files"))
        self.stop, self.export = self.progress.cancel, button(theme, tr("Export…"))
        self.progress.hide()
        sources = [
            tr("True answers in the folder"),
            tr("No true answers"),
            tr("True answers from a file…"),
        ]
        self.truth = ChoiceField(tr("True answers"), ["", data_set.NONE, _CSV], sources)
        self.other_run = OtherRunField(
            tr("Compare the results with"), tr("Nothing to compare with")
        )
        self.against: OtherRun | None = None
        self._state = wrapped("", "caption")
        self.problem, self.table = ProblemCard(theme), FolderTable(theme)
        self.thumbnails = Thumbnails(theme)
        self.summary = PageView(theme)
        self.classes = PageView(theme)
        self.classes.hide()
        self._lay_out(theme)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._show)
        self.thumbnails.file_chosen.connect(self._choose)
        self.stop.clicked.connect(commands.runner(self, "cancel"))
        self.export.clicked.connect(self._ask_where)
        self.truth.activated.connect(self._again)
        self.other_run.activated.connect(self._turn)
        self.table.file_chosen.connect(self._choose)
        self._show()

    @property
    def result(self) -> FolderResult:
        """Return the results so far, as documents have them."""
        against = "" if self.against is None else self.against.label
        notes = (self._note,) if self._note else ()
        rows = tuple(self.rows)
        if self._result is not None:
            return replace(self._result, model=self._model, rows=rows)
        metrics = folder.metrics_of(rows, quick=True)
        return FolderResult(
            self._model, rows, self._labels, against, notes=notes, metrics=metrics,
            noun="row" if self._is_table else "file",
        )  # fmt: skip

    @property
    def _is_table(self) -> bool:
        """Return whether the inputs are the rows of a table."""
        return self.place is not None and tables.is_table(self.place)

    def saved(self, version: tuple[int, ...]) -> str:
        """Return the run as JSON for `restore`; "" without one. version: of the model."""
        if self.place is None or not self.rows:
            return ""
        result, few = self._result, len(self.rows) <= _MOST_SAVED
        few = few and all(row.result is None for row in self.rows)
        run = _SavedRun(
            str(self.place),
            version,
            tuple(map(str, self.paths)),
            self.truth.value,
            self.against,
            tuple(map(_SavedRow.of, self.rows)) if few else (),
            tuple(self._labels),
            None if result is None else tuple(result.accuracy),
            None if result is None else result.verdict,
            self._note,
            "" if result is None else result.unlabeled,
            self._watch.stamp,
            () if result is None else tuple(result.notes),
            not self.isHidden(),
        )
        return stored.encode(run).decode()

    def restore(self, text: str, version: tuple[int, ...]) -> bool:
        """Show the run of an earlier session; of another version of the model run it again.

        Returns whether the files were shown when the session ended.
        """
        try:
            run = stored.decode(text.encode(), _SAVED_RUN)
        except (msgspec.DecodeError, ValueError):  # of another version of Inspector
            return False
        self.place, self.paths = Path(run.folder), tuple(map(Path, run.paths))
        self.truth.show_value(run.truth)
        self.against = run.against
        if run.against is not None and run.against.model:
            self.other_run.show_model(Path(run.against.model))
        elif run.against is not None:
            self.other_run.show_value(run.against.label)
        if run.rows and run.version == version:
            self.rows = [each.row for each in run.rows]
            self._total, self._labels, self._note = len(run.rows), run.labels, run.note
            if run.metrics is not None:
                self._result = replace(
                    self.result,
                    verdict=run.verdict,
                    metrics=run.metrics,
                    unlabeled=run.unlabeled,
                    notes=run.notes,
                )
            self._watch.follow(self.place, run.stamp)
        else:
            self._is_outdated = True
        self._show()
        return run.shown

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
            self.known.setText(text)
            self.known.setAccessibleName(text)
            self.known.setToolTip(tip(tr("The test folder of this model"), str(path)))
        self.known.setVisible(path is not None and self.place is None)

    def _use_known(self) -> None:
        if self._known is not None:
            self.use_folder(self._known)

    def use_folder(self, path: Path) -> None:
        """Answer every file of a folder."""
        self._run(path, ())

    def use_files(self, paths: Sequence[Path]) -> None:
        """Answer some files, in their order; the rows of a single table."""
        if len(paths) == 1 and tables.is_table(paths[0]):
            self._run(paths[0], ())
            return
        chosen = tuple(dict.fromkeys(path.absolute() for path in paths))
        try:
            common = os.path.commonpath([path.parent for path in chosen])
        except ValueError:  # on several drives of Windows
            chosen = tuple(path for path in chosen if path.anchor == chosen[0].anchor)
            common = os.path.commonpath([path.parent for path in chosen])
        self._run(Path(common), chosen)

    def _run(self, path: Path, paths: tuple[Path, ...]) -> None:
        self.place, self.paths = path, paths
        label_source = "" if self._is_table else self.truth.value  # a column has them
        if label_source == _CSV:
            kinds = tr("Tables (*.csv);;COCO (*.json)")
            label_source = str(file_dialogs.ask_file(self, tr("True answers"), kinds) or "")
        self.requested.emit(path, label_source, self.against)

    def use_way(self, against: OtherRun | None) -> None:
        """Hold the answers against a second way, or no more."""
        self.against = against
        self._again()

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices to hold the answers against."""
        self.other_run.show_devices(devices)

    def begin(self, labels: Sequence[str]) -> None:
        """Start over, for another folder."""
        self.rows, self._total, self._labels = [], 0, labels
        self._result, self._note = None, ""
        self._is_outdated = False
        if self.place is not None:
            self._watch.follow(self.place)
        self.problem.hide()
        self._show()

    def add(self, total: int, new: Row) -> None:
        """Take one more row; the table follows a moment later."""
        self._total = total
        self.rows.append(new)
        if not self._pause.isActive():
            # Counting 10,000 rows takes 50 ms, which must stay a small share of the time.
            self._pause.start(REFRESH_MS + len(self.rows) // 10)

    def show_result(self, result: FolderResult) -> None:
        """Show what all rows come to."""
        self._result = result
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
        starters = (
            self.open, self.choose_files, self.known, self.again, self.truth, self.other_run,
        )  # fmt: skip
        if busy and focused in starters:
            self._started_by = focused
            self.progress.show()
            self.stop.setFocus()
        for starter in starters:
            starter.setEnabled(able and not busy)
        for starter in (self.open, self.choose_files):  # the progress has their place
            starter.setVisible(not busy)
        self.again.setVisible(self._is_outdated and not busy)
        self.known.setVisible(self._known is not None and self.place is None and not busy)
        if not busy and focused is self.stop:
            before = self._started_by
            (self.open if before is None or before.isHidden() else before).setFocus()
        self.progress.setVisible(busy)
        was_busy, self._busy = self._busy, busy
        if busy and not was_busy:
            self.progress.begin()
            self.progress.show_share(0.0)
            self.export.hide()
        if not busy and (was_busy or self._pause.isActive()):
            self._show()

    def show_error(self, error: InspectorError) -> None:
        """Show why there is nothing to show."""
        self.problem.show_error(error)

    def drop_of(self, data: QMimeData) -> Drop | None:
        """Run the model on the files of a folder."""
        paths = paths_in(data)
        folder = next((path for path in paths if files.is_folder(path)), None)
        if folder is None and len(paths) > 1 and all(map(image_files.is_image, paths)):
            text = tr("Run {model} on {count:,} images")
            text = text.format(model=units.clip(self._model), count=len(paths))
            return Drop(text, partial(self.use_files, paths))
        if folder is None and len(paths) == 1 and tables.is_table(paths[0]):
            text = tr("Run {model} on the rows of {name}")
            text = text.format(model=units.clip(self._model), name=units.clip(paths[0].name))
            return Drop(text, partial(self.use_files, paths))
        if folder is None:
            return None
        text = tr("Run {model} on the files of {name}")
        text = text.format(model=units.clip(self._model), name=units.clip(folder.name))
        return Drop(text, partial(self.use_folder, folder))

    def _lay_out(self, theme: Theme) -> None:
        card = Card(theme, parent=self)
        name = label(tr("Files"), "heading")
        starters = (self.export, self.again, self.known, self.choose_files, self.open)
        card.body.addLayout(row(name, (self.progress, 1), row(None, *starters), spacing=12))
        choices = row((self.truth, 1), (self.other_run, 1))
        add_to(card.body, choices, self._state)
        column = column_of(on=self, spacing=GAP)
        add_to(column, card, self.problem, self.thumbnails, self.summary)
        add_to(column, self.table, self.classes, None)

    def _show(self) -> None:
        result, counted = self.result, folder.summary(self.rows)
        verdict = folder_verdict(result, counted)
        said = "" if verdict is None else f"{wording().text(verdict.value)}\n"
        self._state.setText(said + self._words())
        for view in (self.table, self.summary):
            view.setVisible(bool(self.rows))
        self.export.setVisible(bool(self.rows) and not self._busy)
        self.again.setVisible(self._is_outdated and not self._busy)
        self.table.show_rows(self.rows, result.noun)
        self.thumbnails.show_rows(self.place, self.rows)
        self.summary.show_page(Page("folder", "", summary_sections(result, counted)))
        confusion = folder.confusion(self.rows, self._labels)
        classes = classes_section(confusion, result.noun)
        self.classes.setVisible(bool(classes))
        self.classes.show_page(Page("folder", "", (classes,)))

    def _words(self) -> str:
        if not self.rows:
            return tr(
                "Drop a folder, several files or a table (.csv) here. The model runs on each "
                "file or row, with the preprocessing of the input."
            )
        name = self.place.name if self.place is not None else ""
        done, total = len(self.rows), self._total
        progress = tr("{files:,} of {total:,} files").format(files=done, total=total)
        if self._is_table:
            progress = tr("{rows:,} of {total:,} rows").format(rows=done, total=total)
        if self._busy:
            self.progress.show_share(done / total if total else 0.0, progress)
            self.progressed.emit(self.progress.accessibleDescription())
        text = f"{units.clip(name, 60)} · {progress}"
        since = tr("Files were added, changed or removed since")
        return f"{text} · {since}" if self._is_outdated else text

    def _outdate(self) -> None:
        self._is_outdated = True
        self._show()

    def event(self, event: QEvent) -> bool:
        """Look at the files again when the user returns from another program."""
        if event.type() == QEvent.Type.WindowActivate:
            self._watch.check()
        return super().event(event)

    def _ask(self) -> None:
        if path := file_dialogs.ask_folder(self, tr("A folder of inputs")):
            self.use_folder(path)

    def _ask_for_files(self) -> None:
        if paths := file_dialogs.ask_files(self, tr("Files to run the model on")):
            self.use_files(paths)

    def _again(self) -> None:
        if self.place is not None:
            self._run(self.place, self.paths)

    def _turn(self) -> None:
        other_run = self.other_run.ask(self)
        if other_run is None:  # of a dialog that was closed, too
            self.other_run.show_value(NONE)
        self.use_way(other_run)

    def _ask_where(self) -> None:
        kinds = ";;".join(each.dialog_filter for each in formats_of(Subject.FOLDER))
        if path := file_dialogs.ask_place(self, tr("Export"), "predictions.csv", kinds):
            self.export_asked.emit(path)

    def _choose(self, file: str) -> None:
        if self.place is not None and not self._is_table:
            self.chosen.emit(self.place / file)
