"""The window of models on machines: choose, measure on all at once, and see what fits where."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.measured import machine_matrix, sweep_results
from inspector.analysis.measured.machine_matrix import LAYERS, MEASURED, METRICS, CellStatus
from inspector.engine.progress_text import progress_text
from inspector.errors import InspectorError
from inspector.remote import machine_kinds, machines
from inspector.remote.machines import Look, Saved
from inspector.remote.uploads import Upload
from inspector.report import sweep as sweeps
from inspector.report.report import ModelIdentity
from inspector.report.sweep import MACHINE, Cell, Sweep
from inspector.ui import commands, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import interval, plural, tr
from inspector.ui.views.machines.measuring import MachineMeasuring, open_count, plan
from inspector.ui.views.machines.places import (
    Place,
    PlaceRow,
    in_a_lab,
    lab_machines,
    name_style,
    places,
)
from inspector.ui.views.machines.table import (
    TITLES,
    MatrixModel,
    MatrixTable,
    StatusLegend,
    said_of,
    statuses,
)
from inspector.ui.views.machines.upload_question import allow_uploads
from inspector.ui.widgets.export_forms import sweep_forms
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import resize_on_screen, scroll_down
from inspector.ui.widgets.notice import Notice
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Card,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    follow,
    hairline,
    label,
    page_of,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme

_SIZE = 1240, 780
_LIST_PX = 320  # width
_LOOK_MS = 15_000  # between two looks at the machines


class MachinesView(QDialog):
    """Shows the table of a `MachineMeasuring`, and starts it.

    report_asked: a document, and the machine as `--on` takes it, to measure with layer times.
    """

    report_asked = Signal(object, str)

    def __init__(
        self,
        theme: Theme,
        workspace: Workspace,
        measuring: MachineMeasuring,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Models on machines — Inspector"))
        resize_on_screen(self, *_SIZE)
        self._theme, self._workspace, self.measuring = theme, workspace, measuring
        self._jobs = TaskRunner(self)
        self.rows: list[PlaceRow] = []
        self.models: list[QCheckBox] = []
        self._documents: list[Document] = []
        self._lab: tuple[Look, ...] = ()
        self._left_out: set[str] = set()  # models and machines whose box is not checked
        self._included: set[str] = set()
        self.matrix = MatrixModel()
        self.table = MatrixTable(theme, self.matrix)
        self.metrics = Segmented(theme, [tr(each.title) for each in METRICS], 0)
        self.metrics.setAccessibleName(tr("Value shown in cells"))
        self.count = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.progress = ProgressLine(theme, tr("Progress"), may_cancel=False)
        self.legend = StatusLegend(theme)
        self.detail = CellDetail(theme)
        self.add = button(theme, tr("Add machine…"), "plus")
        self.measure = button(theme, tr("Measure"), "play", primary=True)
        self.cancel = button(theme, tr("Cancel"), "stop")
        self.export = tool(theme, "export", tr("Export"))
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.notice = Notice(theme, self)
        self.hint = label("", "secondary")
        self._timer = QTimer(self)
        self._lay_out()
        self._wire()
        self.refresh()
        self._find_earlier()
        self.look()
        self.table.setFocus()

    # What is chosen.

    @property
    def chosen_places(self) -> tuple[Place, ...]:
        """Return the machines that are chosen."""
        return tuple(each.place for each in self.rows if each.box.isChecked())

    @property
    def chosen_documents(self) -> tuple[Document, ...]:
        """Return the models that are chosen."""
        pairs = zip(self._documents, self.models, strict=True)
        return tuple(document for document, box in pairs if box.isChecked())

    def refresh(self) -> None:
        """List models and machines again; what was chosen stays chosen."""
        try:
            lab = tuple(each.machine for each in self._lab)
            found = places(self._workspace.devices, lab)
        except InspectorError as error:
            found = (Place(machines.HERE, None),)
            self.failure.show_error(error)
        documents = [
            each
            for each in self._workspace.documents
            if each.path is not None and each.model is not None and each.not_run is None
        ]
        if tuple(found) != tuple(e.place for e in self.rows) or documents != self._documents:
            self._list(found, documents)
        self.show_state()

    def _list(self, found: Sequence[Place], documents: list[Document]) -> None:
        looks = {e.place.text: e.look for e in self.rows} | {
            each.machine.name: each for each in self._lab
        }
        for each in (*self.rows, *self.models):
            each.hide()
            each.deleteLater()
        self.rows = [PlaceRow(self._theme, place) for place in found]
        for each in self.rows:
            each.show_look(looks.get(each.place.text))
            text = each.place.text
            usual = each.place.main and text not in self._left_out
            each.box.setChecked(usual or text in self._included)
            each.toggled.connect(partial(self._choose, text, each.box))
            self._places.addWidget(each)
            each.show()
        self._documents, self.models = documents, []
        for document in documents:
            name = units.clip(document.name, 40)
            box = QCheckBox(name.replace("&", "&&"))
            box.setToolTip(tip(str(document.path)))
            box.setChecked(str(document.path) not in self._left_out)
            box.toggled.connect(partial(self._choose, str(document.path), box))
            follow(self._theme, box, partial(_dress, self._theme, box))
            self._models.addWidget(box)
            box.show()
            self.models.append(box)

    def _choose(self, key: str, box: QCheckBox, *_: object) -> None:
        add, drop = (self._included, self._left_out)
        if not box.isChecked():
            add, drop = drop, add
        add.add(key)
        drop.discard(key)
        self.show_state()

    def planned(self) -> Sweep | None:
        """Return the cells that are chosen with what is known of them; None without any."""
        documents, chosen = self.chosen_documents, self.chosen_places
        if not documents or not chosen:
            return None
        identities = [_identity(document) for document in documents]
        laid_out = plan(identities, [place.text for place in chosen])
        earlier = self.measuring.sweep
        return sweeps.resume(laid_out, earlier, failures=True) if earlier else laid_out

    def shown(self) -> tuple[Sweep | None, tuple[Place, ...]]:
        """Return the cells to show and their machines: while it runs, those that run."""
        sweep, chosen = self.measuring.sweep, self.chosen_places
        if not self.measuring.running or sweep is None:
            return self.planned(), chosen
        known = {each.place.text: each.place for each in self.rows}
        names = next(axis.values for axis in sweep.axes if axis.name == MACHINE)
        return sweep, tuple(
            known.get(str(name)) or Place(str(name), Saved(str(name), "")) for name in names
        )

    # Showing.

    def show_state(self) -> None:
        """Show everything as it is now."""
        measuring, before = self.measuring, self.table.current_cell()
        sweep, shown_places = self.shown()
        self.matrix.show(sweep, shown_places, measuring.activities, measuring.running)
        if before is not None and self.table.current_cell() is None:
            index = self.matrix.index(*before)
            if index.isValid():
                self.table.setCurrentIndex(index)
        self._pages.setCurrentIndex(0 if sweep is not None else 1)
        self.hint.setText(self._hint())
        counts = statuses(self.matrix)
        self.legend.show_statuses(set(counts))
        self._show_count(sweep, counts)
        self._show_buttons(sweep)
        self._show_machines(sweep)
        self._show_detail()

    def _hint(self) -> str:
        if not self._documents:
            return tr("Open models in the main window to measure them here.")
        return tr("Choose at least one model and one machine on the left.")

    def _show_count(self, sweep: Sweep | None, counts: dict[CellStatus, int]) -> None:
        every, running = sum(counts.values()), self.measuring.running
        done = sum(counts.get(status, 0) for status in MEASURED)
        parts = [tr("{done:,} of {every:,} measured").format(done=done, every=every)]
        parts += [
            f"{units.number(counts[status])} {tr(TITLES[status]).lower()}"
            for status in (
                CellStatus.MEASURING, CellStatus.QUEUED, CellStatus.UNREACHABLE,
                CellStatus.FAILED, CellStatus.REFUSED, CellStatus.LOST,
            )
            if counts.get(status)
        ]  # fmt: skip
        text = " · ".join(parts) if every else ""
        self.count.set_text(text)
        self.count.setVisible(not running)
        self.progress.setVisible(running)
        if sweep is not None:
            number, left = sweep_results.done(sweep), sweep_results.left(sweep)
            share = number / max(1, number + left)
            self.progress.show_share(share, text, self.measuring.seconds_left)

    def _show_buttons(self, sweep: Sweep | None) -> None:
        running = self.measuring.running
        left = open_count(sweep) if sweep is not None else 0
        self.measure.setVisible(not running)
        self.cancel.setVisible(running)
        self.cancel.setEnabled(not self.measuring.stopping)
        whole = sweep is None or left in (0, len(sweep.cells))
        text = tr("Measure") if whole else tr("Measure {cells}").format(
            cells=plural(left, "cell")
        )  # fmt: skip
        text = tr("Measure all again") if sweep is not None and not left else text
        self.measure.setText(text)
        self.measure.setAccessibleName(text)
        self.measure.setEnabled(sweep is not None)
        known = self.measuring.sweep
        self.export.setEnabled(known is not None and any(cell.rounds for cell in known.cells))
        for each in self.rows:
            each.box.setEnabled(not running)
        for box in self.models:
            box.setEnabled(not running)

    def _show_machines(self, sweep: Sweep | None) -> None:
        """Show at each machine what it does; while it runs, nobody is asked about it."""
        if not self.measuring.running or sweep is None:
            for each in self.rows:
                each.show_idle()
            return
        columns = {place.text: column for column, place in enumerate(self.matrix.places)}
        for each in self.rows:
            column = columns.get(each.place.text)
            if column is not None:
                each.show_state(*self._doing(sweep, column))

    def _doing(self, sweep: Sweep, column: int) -> tuple[str, str]:
        """Return what a machine does now, and the role of its color."""
        cells = [cell for cell in sweep.cells if sweep.machine_of(cell) == column]
        counts = Counter(map(self.matrix.status, cells))
        activities = self.matrix.activities
        active = next((cell for cell in cells if cell.at in activities), None)
        queued = counts[CellStatus.QUEUED]
        if active is not None:
            status, activity = self.matrix.status(active), activities[active.at]
            queued -= status is CellStatus.QUEUED
            rest = tr(", {count} queued").format(count=queued) if queued else ""
            place = self.matrix.places[column]
            name = machines.HERE if place.machine is None else place.machine.name
            part = said_of(activity.part, name)
            if status is CellStatus.UNREACHABLE:
                return tr("Unreachable {why}").format(why=part).strip() + rest, "caution"
            if status is CellStatus.QUEUED:
                other = part or tr("behind another measurement")
                return tr("Queued {behind}").format(behind=other) + rest, "accent"
            if status is CellStatus.MEASURING:
                model = units.clip(sweep.models[sweep.model_of(active)].name, 40)
                return tr("Measuring {name}").format(name=model) + rest, "accent"
        if counts[CellStatus.LOST]:
            lost = next(c for c in cells if self.matrix.status(c) is CellStatus.LOST)
            text = tr("{count} lost: {why}")
            return text.format(count=counts[CellStatus.LOST], why=lost.why), "bad"
        return (tr("Queued"), "tertiary") if queued else (tr("Done"), "good")

    def _show_detail(self) -> None:
        at = self.table.current_cell()
        self.detail.setVisible(at is not None)
        if at is None or self.matrix.sweep is None:
            return
        cell = self.matrix.cell(*at)
        place = self.matrix.places[at[1]]
        self.detail.show_cell(self.matrix, cell, place)
        idle = not self.measuring.running
        self.detail.again.setEnabled(idle and bool(cell.rounds or cell.why))
        self.detail.report.setEnabled(idle and self._document_of(at[0]) is not None)

    def _document_of(self, model: int) -> Document | None:
        assert self.matrix.sweep is not None, "there are rows"
        wanted = self.matrix.sweep.models[model]
        return next(
            (each for each in self._documents if _identity(each).sha256 == wanted.sha256), None
        )

    # Doing.

    def start(self) -> None:
        """Measure what is not measured of the chosen cells; all of them if nothing is left."""
        sweep = self.planned()
        if sweep is not None:
            left = open_count(sweep)
            self._start([] if left else [cell.at for cell in sweep.cells])

    def measure_again(self) -> None:
        """Measure the current cell again."""
        at = self.table.current_cell()
        if at is not None:
            self._start([self.matrix.cell(*at).at])

    def _start(self, again: Sequence[tuple[int, ...]]) -> None:
        self.failure.hide()
        if not self._may_upload():
            return
        paths = [Path(str(each.path)) for each in self.chosen_documents]
        self.measuring.start(paths, [each.text for each in self.chosen_places], again)

    def _may_upload(self) -> bool:
        """Return whether the models may be sent to all chosen machines; asks for a service."""
        hosts = [each.machine for each in self.chosen_places if each.machine is not None]
        names: dict[str, list[str]] = {}
        for each in hosts:
            if each.uploads_to:
                names.setdefault(each.uploads_to, []).append(each.name)
        identities = [*map(_identity, self.chosen_documents)] if names else []
        try:
            for service, of in names.items():
                uploads = [Upload(e.name, e.size_bytes, e.sha256, service) for e in identities]
                if not allow_uploads(self, uploads, ", ".join(dict.fromkeys(of))):
                    return False
            return True
        except InspectorError as error:
            self.failure.show_error(error)
            return False

    def look(self) -> None:
        """Ask all machines what they are and do; not while they measure."""
        known = [e.place.machine for e in self.rows if e.place.machine and e.place.main]
        own = [each for each in known if machine_kinds.pool_of(each.host) is None]
        if self._jobs.running or self.measuring.running or not (own or in_a_lab()):
            return

        def ask() -> tuple[list[Look], tuple[Look, ...] | None]:
            looks = machines.look(own)
            try:
                return looks, tuple(lab_machines()) if in_a_lab() else None
            except InspectorError as error:
                return looks, tuple(Look(each.machine, error) for each in self._lab)

        def show(found: tuple[list[Look], tuple[Look, ...] | None]) -> None:
            looks, lab = found
            if lab is not None and [e.machine.name for e in lab] != [
                e.machine.name for e in self._lab
            ]:
                self._lab = lab
                self.refresh()
            by_name = {each.machine.name: each for each in (*looks, *(lab or ()))}
            for each in self.rows:
                if each.place.main and each.place.text in by_name:
                    each.show_look(by_name[each.place.text])

        self._jobs.start(ask, show, self.failure.show_error)

    def _find_earlier(self) -> None:
        self.measuring.find_earlier([each.digest for each in self._documents])

    def _ask_for_report(self) -> None:
        at = self.table.current_cell()
        document = self._document_of(at[0]) if at is not None else None
        if at is not None and document is not None:
            self.report_asked.emit(document, self.matrix.places[at[1]].text)

    def _export(self, form: str) -> None:
        sweep = self.measuring.sweep
        if sweep is not None:
            exporter = Exporter(self, self.notice)
            exporter.ask_for_sweep(sweep, form)

    def _lay_out(self) -> None:
        title = label(tr("Models on machines"), "title")
        top = row(title, 6, self.count, self.export, self.cancel, self.measure, stretch=2)
        self._places, self._models = QVBoxLayout(), QVBoxLayout()
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(0)
        self._places.setSpacing(0)
        self._models.setSpacing(8)
        column.addLayout(self._places)
        column.addSpacing(8)
        column.addWidget(hairline())
        column.addSpacing(12)
        column.addWidget(label(tr("Open models"), "heading"))
        column.addSpacing(8)
        column.addLayout(self._models)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(tr("Machines and models to measure"))
        scroll_down(area)
        area.setWidget(inner)
        chosen = Card(self._theme)
        chosen.setFixedWidth(_LIST_PX)
        chosen.body.setContentsMargins(PADDING, 12, 8, PADDING)
        head = row(label(tr("Machines"), "heading"), None, self.add)
        head.setContentsMargins(0, 0, 8, 0)
        add_to(chosen.body, head, (area, 1))
        card = Card(self._theme, 1)
        card.body.setSpacing(0)
        head = row(self.metrics, None, spacing=8)
        head.setContentsMargins(PADDING, 10, PADDING, 10)
        add_to(card.body, head, hairline())
        self._pages = QStackedWidget()
        self._pages.addWidget(self.table)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages.addWidget(self.hint)
        add_to(card.body, (self._pages, 1), hairline())
        self.scale = label(tr("Bars: logarithmic scale"), "caption")
        foot = row(self.legend, self.scale, stretch=0)
        foot.setContentsMargins(PADDING, 8, PADDING, 8)
        card.body.addLayout(foot)
        right = column_of((card, 1), self.detail, spacing=GAP)
        across = row(chosen, (right, 1), spacing=GAP)
        page_of(self, top, self.progress, self.failure, (across, 1))

    def _wire(self) -> None:
        menu = QMenu(self)
        for title, form in sweep_forms():
            menu.addAction(title, partial(self._export, form)).setData(form)
        self.export.setMenu(menu)
        self.export.setPopupMode(self.export.ToolButtonPopupMode.InstantPopup)
        self.metrics.chosen.connect(self._show_metric)
        self.table.chosen.connect(self._show_detail)
        self.add.clicked.connect(commands.runner(self, "machines/others", self.refresh))
        self.measure.clicked.connect(self.start)
        self.cancel.clicked.connect(self._cancel)
        self.detail.again.clicked.connect(self.measure_again)
        self.detail.report.clicked.connect(self._ask_for_report)
        self.measuring.changed.connect(self.show_state)
        self.measuring.failed.connect(self.failure.show_error)
        for signal in (
            self._workspace.opening_ended, self._workspace.closed,
            self._workspace.devices_changed,
        ):  # fmt: skip
            signal.connect(self._follow)
        self._timer.timeout.connect(self.look)
        self._timer.start(_LOOK_MS)

    def _follow(self, *_: object) -> None:
        self.refresh()
        self._find_earlier()

    def _cancel(self) -> None:
        self.measuring.cancel()
        self.show_state()

    def _show_metric(self, number: int) -> None:
        self.matrix.show_metric(METRICS[number])
        self.scale.setVisible(METRICS[number] is not LAYERS)
        self._show_detail()

    def changeEvent(self, event: QEvent) -> None:
        """Ask the machines when the user returns from another window."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.look()


class CellDetail(Card):
    """All numbers of one cell, why it failed, and what can be done with it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = Elided("", "heading")
        self.again = button(theme, tr("Measure again"), "play")
        self.report = button(theme, tr("Measure with layer times"), "report")
        text = tr(
            "Measure this model on this machine and show the report in the model's "
            "Performance tab"
        )
        self.report.setToolTip(tip(text))
        self.why = label("", "", selectable=True)
        self.why.setWordWrap(True)
        self._numbers = QWidget()
        self._grid = QGridLayout(self._numbers)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(2)
        self.body.addLayout(row(self.title, self.again, self.report, stretch=0))
        self.body.addWidget(self.why)
        self.body.addWidget(self._numbers)
        self.texts: tuple[tuple[str, str, str], ...] = ()

    def show_cell(self, matrix: MatrixModel, cell: Cell, place: Place) -> None:
        """Show a cell."""
        sweep = matrix.sweep
        assert sweep is not None, "it has cells"
        model = sweep.models[sweep.model_of(cell)].name
        text = tr("{model} on {place}").format(model=units.clip(model, 60), place=place.title)
        self.title.set_text(text)
        said = cell.why
        activity = matrix.activities.get(cell.at)
        if matrix.running and activity is not None and not said:
            said = progress_text(activity.step, activity.part)
        self.why.setText(units.clip(said, 400))
        self.why.setVisible(bool(said))
        self._show_numbers(_numbers(sweep, cell))

    def _show_numbers(self, texts: tuple[tuple[str, str, str], ...]) -> None:
        self._numbers.setVisible(bool(texts))
        if texts == self.texts:
            return
        self.texts = texts
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for column, (title, value, below) in enumerate(texts):
            self._grid.addWidget(label(title, "secondary"), 0, column)
            number = label(value, "title", selectable=True)
            self._grid.addWidget(number, 1, column)
            self._grid.addWidget(label(below, "secondary"), 2, column)
            self._grid.setColumnStretch(column, 1)


def _numbers(sweep: Sweep, cell: Cell) -> tuple[tuple[str, str, str], ...]:
    """Return title, value and qualifier of each number of a cell."""
    if not cell.rounds:
        return ()
    kind = tr(sweep_results.latency_kind(cell)) or tr("of all runs")
    limits, known = machine_matrix.interval(cell), []
    for metric in METRICS:
        below = {
            "p50": tr("95% CI {limits}").format(limits=interval(units.durations(*limits)))
            if limits
            else tr("no interval: too few runs"),
            "p95": kind,
            "memory": tr("of the model"),
            "load": tr("median"),
            "layers": _unsupported_text(cell),
        }[metric.id]
        missing = tr("Unknown") if metric is LAYERS else tr("Too few runs")
        text = metric.text(cell) or missing
        known.append((tr(metric.title), text, below))
    runs = len(sweep_results.samples(cell))
    processes = plural(len(cell.rounds), "process")
    where = ", ".join(dict.fromkeys(each.where for each in cell.rounds))
    where = "" if where == machines.HERE else where
    known.append(
        (tr("Runs"), units.number(runs), f"{processes} · {where}" if where else processes)
    )
    return tuple(known)


def _unsupported_text(cell: Cell) -> str:
    """Return how many layers the device does not support."""
    supported, known = machine_matrix.layer_support(cell)
    if not known:
        return tr("not profiled")
    rest = known - supported
    return tr("{count:,} not supported").format(count=rest) if rest else tr("all of them")


def _dress(theme: Theme, box: QCheckBox) -> None:
    box.setStyleSheet(name_style(theme, 400))


def _identity(document: Document) -> ModelIdentity:
    """Return a model as far as it is known before it is hashed."""
    model, path = document.model, document.path
    assert model is not None, "it was opened"
    digest = document.digest or str(path)
    return ModelIdentity(document.name, digest, model.size_bytes, 0, len(model.layers))
