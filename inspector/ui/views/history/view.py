"""The history of reports in a window of its own: find, open, compare, tag and remove them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QMessageBox,
    QWidget,
)

from inspector.analysis.measured.history import History, PastReport, in_series
from inspector.app.sharing.results import gathered, links_beside
from inspector.errors import InspectorError
from inspector.pages.charts.trend_plot import QUANTITIES
from inspector.pages.history import devices_text, trend_chart
from inspector.pages.lists.past_reports import report_table
from inspector.render.registry import Subject, format_for, formats_of
from inspector.render.tables.history_csv import history_csv
from inspector.report.report import PerformanceReport, load
from inspector.statistics.change_points import ChangePoint, change_points
from inspector.ui import units
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.file_dialogs import Writer
from inspector.ui.translate import plural, tr, tr_message
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.notice import Notice
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import (
    PADDING,
    RADIUS,
    Card,
    Elided,
    asked,
    button,
    column_of,
    label,
    page_of,
    row,
)
from inspector.ui.widgets.table_card import FilterField
from inspector.ui.widgets.theme import Theme

_SIZE = 1180, 760
_FEWEST_FOR_CHANGES = 6
_STEP = 50  # new files between two lines about how far the reading is


class HistoryView(QDialog):
    """Lists reports, newest first, and shows how those like the selected one went over time.

    open_asked: a PastReport to open. compared: reports to be shown side by side.
    """

    open_asked = Signal(object)
    compared = Signal(object)
    loaded = Signal()
    _progressed = Signal(int, int)

    def __init__(
        self, theme: Theme, history: History, model: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("History — Inspector"))
        resize_on_screen(self, *_SIZE)
        self.history = history
        self._jobs, self._trends = TaskRunner(self), TaskRunner(self)
        self._emitter, self._turn, self._wanted_model = SafeEmitter(self), 0, model
        self._series: tuple[PastReport, ...] = ()
        self._shown: object = None  # quantity and series of the chart
        self.reports: tuple[PastReport, ...] = ()
        self.table = PageTable(theme, tr("Reports"), report_table(()), first_rows=0)
        self.table.empty_text = tr(
            "No reports yet. Measure a model, or add a folder with reports."
        )
        self.rows = self.table.rows
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.models = ChoiceField(tr("Model"), [""], [tr("All models")])
        self.models.setFixedWidth(220)
        self.filter = FilterField(
            theme, tr("Filter reports"), tr("Filter by any value, such as #baseline"), 280
        )
        self.filter.fit(1000)
        self.count = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.quantity = ChoiceField(
            tr("Value to plot as the trend"),
            [each.field for each in QUANTITIES],
            [tr_message(each.title) for each in QUANTITIES],
        )
        self.quantity.setFixedWidth(150)
        self.chart, self.changes = ChartView(theme), tuple[ChangePoint, ...]()
        self.chart.setAccessibleName(tr("Trend"))  # until it has one to show
        self.trend_title = Elided("", "heading")
        self.trend_result = label("", "secondary")
        self.notice = Notice(theme, self)
        self.add_button = button(theme, tr("Add folder…"))
        self.export_button = button(theme, tr("Export…"))
        self.edit_button = button(theme, tr("Tags and note…"))
        self.remove_button = button(theme, tr("Remove…"))
        self.compare_button = button(theme, tr("Compare"), "compare")
        self.open_button = button(theme, tr("Open"), primary=True)
        self.compare_button.setToolTip(tr("Select two or more reports to compare them"))
        text = tr(
            "List the reports in a folder, such as CI job artifacts. "
            "The files stay where they are."
        )
        self.add_button.setToolTip(text)
        self._lay_out(theme)
        self._wire()
        self.refresh()

    def _lay_out(self, theme: Theme) -> None:
        self._trend = trend = Card(theme)
        trend.body.addLayout(row(self.trend_title, self.trend_result, self.quantity, stretch=0))
        trend.body.addWidget(self.chart)
        column = page_of(self)
        column.addLayout(row(self.models, self.count, self.filter, stretch=1))
        card = Card(theme, padding=RADIUS)  # a table has square corners
        card.body.addWidget(self.table)
        column.addWidget(card, 1)
        column.addWidget(trend)
        column.addLayout(
            row(
                self.add_button, self.export_button, None, self.edit_button,
                self.remove_button, self.compare_button, self.open_button,
            )
        )  # fmt: skip
        self.table.setFocus()

    def _wire(self) -> None:
        self.filter.textChanged.connect(self.rows.pick)
        self.models.currentIndexChanged.connect(self._choose_model)
        self.quantity.currentIndexChanged.connect(self._show_trend)
        self.rows.modelReset.connect(self._show_state)
        self.table.selectionModel().selectionChanged.connect(self._show_state)
        self.table.selectionModel().currentRowChanged.connect(self._show_trend)
        self.table.doubleClicked.connect(self._open)
        self.chart.chosen.connect(lambda key: self._choose_in_series(int(key)))
        self.open_button.clicked.connect(self._open)
        self.compare_button.clicked.connect(self._compare)
        self.remove_button.clicked.connect(self._remove)
        self.edit_button.clicked.connect(self._edit)
        self.add_button.clicked.connect(self._add)
        self.export_button.clicked.connect(self._export)
        self._progressed.connect(self._show_progress)

    def refresh(self) -> None:
        """Read what is new, and show it; what is selected stays selected if it is there."""
        self.count.set_text(tr("Reading reports…"))

        def tell(done: int, of: int) -> None:
            if done % _STEP == 0:
                self._emitter.emit(self._progressed, done, of)

        self._jobs.start(
            lambda: self.history.reports(progress=tell), self._show, self._show_failure
        )

    def selected(self) -> list[PastReport]:
        """Return the selected reports, in their order on the screen."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.reports[self.rows.place_of(each)] for each in rows]

    def current(self) -> PastReport | None:
        """Return the report whose trend is shown; None if there is none."""
        index = self.table.currentIndex()
        return self.reports[self.rows.place_of(index.row())] if index.isValid() else None

    def select(self, *paths: Path) -> None:
        """Select reports by their files; the last one becomes the current one."""
        model, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        model.clearSelection()
        for path in paths:
            place = self._row_of(path)
            if place is not None:
                index = self.rows.index(place, 0)
                model.setCurrentIndex(index, flags.Select | flags.Rows)
                self.table.scrollTo(index)

    def _show(self, reports: Sequence[PastReport]) -> None:
        kept = [each.path for each in self.selected()]
        wanted = self._wanted_model or self.models.value
        self._wanted_model = ""
        names = sorted({each.model for each in reports if each.model}, key=str.casefold)
        self.models.blockSignals(True)
        self.models.clear()
        for value, text in (("", tr("All models")), *((name, name) for name in names)):
            self.models.addItem(units.clip(text, 80), value)
        self.models.show_value(wanted if wanted in names else "")
        self.models.blockSignals(False)
        self.reports, self._series = tuple(reports), ()
        self.table.show_table(report_table(reports))
        self._list_model()
        self.select(*kept)
        if self.current() is None and self.rows.rowCount():
            self.table.show_row(0)
        self._show_trend()
        self.loaded.emit()

    def _list_model(self) -> None:
        name = self.models.value
        own = [place for place, each in enumerate(self.reports) if each.model == name]
        self.rows.show_only(own if name else None)

    def _row_of(self, path: Path) -> int | None:
        paths = [each.path for each in self.reports]
        return self.rows.row_at(paths.index(path)) if path in paths else None

    def _show_failure(self, error: InspectorError) -> None:
        self._show_state()
        self.notice.show_error(error)

    def _show_progress(self, done: int, of: int) -> None:
        self.count.set_text(tr("Reading reports: {done:,} of {of:,}").format(done=done, of=of))

    def _choose_model(self) -> None:
        before = self.current()
        self._list_model()
        if before is not None:
            self.select(before.path)
        if self.current() is None and self.rows.rowCount():
            self.table.show_row(0)
        self._show_trend()

    def _show_state(self) -> None:
        chosen = self.selected()
        readable = [each for each in chosen if not each.problem]
        self.open_button.setEnabled(len(readable) == 1)
        self.compare_button.setEnabled(len(readable) > 1 and len(readable) == len(chosen))
        self.remove_button.setEnabled(bool(chosen))
        self.edit_button.setEnabled(bool(chosen))
        self.export_button.setEnabled(bool(self.rows.rowCount()))
        shown, every = self.rows.rowCount(), self.rows.total
        text = plural(every, "report")
        if shown != every:
            text = tr("{shown} of {text}").format(shown=units.number(shown), text=text)
        if len(chosen) > 1:
            text = tr("{text}, {count} selected").format(text=text, count=len(chosen))
        self.count.set_text(text if every else "")
        self._trend.setVisible(bool(every))

    def _show_trend(self, *_: object) -> None:
        """Show the reports on the same model, device, settings and machine."""
        report = self.current()
        quantity = QUANTITIES[max(0, self.quantity.currentIndex())]
        series = self._series
        if report is None or not report.timed:
            series = ()
        elif report not in series:
            series = next(each for each in in_series(self.reports) if report in each)
        elif (quantity, series) == self._shown:
            self.chart.choose(str(series.index(report)))
            return
        self._series, self._shown = series, (quantity, series)
        self._turn += 1
        turn = self._turn
        newest = series[-1] if series else None
        title = ""
        if newest is not None:
            parts = newest.model, devices_text(newest.device), newest.settings_text
            title = " · ".join(filter(None, (*parts, newest.machine)))
        self.trend_title.set_text(title or tr("Trend"))
        self.trend_result.setText("")
        self.chart.choose("")
        self.chart.show_chart(trend_chart(series, (), quantity))
        if report in series:
            self.chart.choose(str(series.index(report)))
        known = [float(getattr(each, quantity.field)) for each in series]

        def show(changes: tuple[ChangePoint, ...]) -> None:
            if turn == self._turn:
                self.changes = changes
                self.chart.show_chart(trend_chart(series, changes, quantity))
                self.trend_result.setText(self._result(len(series), len(changes)))

        self._trends.start(lambda: change_points(known), show, self._show_failure)

    def _result(self, reports: int, changes: int) -> str:
        if not reports:
            return ""
        if reports < _FEWEST_FOR_CHANGES:
            return tr("Too few reports to find changes")
        return plural(changes, "change") if changes else tr("No change found")

    def _choose_in_series(self, place: int) -> None:
        path = self._series[place].path
        if self._row_of(path) is None:  # a filter hides it
            self.filter.clear()
        self.select(path)

    def _open(self, _: object = None) -> None:
        chosen = [each for each in self.selected() if not each.problem]
        if len(chosen) == 1:
            self.open_asked.emit(chosen[0])
            self.accept()

    def _compare(self) -> None:
        paths = [each.path for each in sorted(self.selected(), key=lambda each: each.created)]

        def read() -> tuple[PerformanceReport, ...]:
            return tuple(load(path) for path in paths)

        self._jobs.start(read, self.compared.emit, self.notice.show_error)

    def _remove(self) -> None:
        """Ask, and remove what is selected."""
        paths = [each.path for each in self.selected()]
        own = sum(map(self.history.is_own, paths))
        others = len(paths) - own
        texts = []
        if own:
            text = tr("{reports} will be deleted from the library. This cannot be undone.")
            texts.append(text.format(reports=plural(own, "report")))
        if others:
            text = tr("{reports} in added folders will no longer be listed; the files stay.")
            texts.append(text.format(reports=plural(others, "report")))
        title, what = tr("Remove reports — Inspector"), "\n".join(texts)
        role = QMessageBox.ButtonRole
        answers = (tr("Cancel"), role.RejectRole), (tr("Remove"), role.DestructiveRole)
        icon = QMessageBox.Icon.Warning if own else QMessageBox.Icon.Question
        if asked(self, title, what, "", *answers, icon=icon):
            remove = partial(self.history.remove, paths)
            self._jobs.start(remove, self._refreshed, self.notice.show_error)

    def _refreshed(self, _: object) -> None:
        self.refresh()

    def _edit(self) -> None:
        """Let the user change the tags and the note of what is selected."""
        chosen = self.selected()
        dialog = _MarkDialog(chosen, self)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        tags, note = dialog.tags(), dialog.note.text().strip()
        shared = dialog.shared

        def mark() -> None:
            for each in chosen:
                untag = [tag for tag in shared if tag not in tags]
                self.history.mark(
                    each.path, tags, note if len(chosen) == 1 else None, untag=untag
                )

        self._jobs.start(mark, self._refreshed, self.notice.show_error)

    def _add(self) -> None:
        title = tr("Add a folder of reports")
        if name := QFileDialog.getExistingDirectory(self, title, file_dialogs.start()):
            add = partial(self.history.add, [Path(name)])
            self._jobs.start(add, self._refreshed, self.notice.show_error)

    def _export(self) -> None:
        writer = Writer(self, self.notice)
        pages = formats_of(Subject.RESULTS)
        kinds = ";;".join((*(each.dialog_filter for each in pages), tr("CSV (*.csv)")))
        path = writer.where(tr("Export the listed reports"), "results.html", kinds)
        if path is None:
            return
        listed = [self.reports[place] for place in self.rows.order]

        def content() -> bytes:
            if path.suffix.lower() == ".csv":
                return history_csv(listed).encode()
            links = links_beside(path, listed)
            writer = format_for(Subject.RESULTS, path).writer
            return bytes(writer(gathered(listed, links=links)))

        writer.write(path, content)


class _MarkDialog(QDialog):
    """Asks for tags, and for the note of a single report. shared: tags that all have."""

    def __init__(self, reports: Sequence[PastReport], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Tags and note — Inspector"))
        self.setMinimumWidth(440)
        first, *others = reports
        self.shared = tuple(
            tag for tag in first.tags if all(tag in each.tags for each in others)
        )
        self.field = QLineEdit(", ".join(self.shared))
        self.field.setAccessibleName(tr("Tags"))
        self.field.setPlaceholderText(tr("Separate tags with commas"))
        self.note = QLineEdit(first.note)
        self.note.setAccessibleName(tr("Note"))
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(tr("Tags"), self.field)
        if not others:
            form.addRow(tr("Note"), self.note)
        column_of(form, buttons, on=self, margins=(PADDING, PADDING, PADDING, PADDING))

    def tags(self) -> list[str]:
        """Return the tags that were typed, without a # in front."""
        texts = (text.strip().removeprefix("#") for text in self.field.text().split(","))
        return [text for text in texts if text]
