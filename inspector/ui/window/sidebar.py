"""The list at the left: open models, each with its reports below it, and traces."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import Union

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QInputDialog,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inspector.analysis.measured.noise import disturbances
from inspector.pages.language.quantities import per_second
from inspector.report.report import PerformanceReport
from inspector.ui import commands, units
from inspector.ui.documents.diff_document import DiffDocument
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.edits.summary import edits_text
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import plural, tr, when, written
from inspector.ui.widgets.notice import show_in_folder
from inspector.ui.widgets.parts import (
    add_to,
    button,
    column_of,
    explain_entries,
    hairline,
    set_available,
    tip,
)
from inspector.ui.widgets.theme import Theme, font, qt_color
from inspector.ui.window.running_jobs import RunningJobs
from inspector.wording.values import Size

ENTRY = Qt.ItemDataRole.UserRole + 1
_NOISY = ENTRY + 1  # whether a report is noisy
_PART = ENTRY + 2  # the document of a folder, and its PartRow
_EDITS = ENTRY + 3  # what is said of the edits of a model
_HINT = ENTRY + 4  # lines of the tooltip, without what is under way
_JOB = ENTRY + 5  # what is under way for a model
_DOT_PX = 7  # diameter of the mark of a model for which something is under way
WIDTH_PX = 228
NARROW_PX = 188  # width where there is less room for names
RAIL_PX = 48  # width where only icons are shown
_INDENT_PX = 14  # of reports below their model
_LONGEST_NAME = 80  # characters of a report's own name
Shown = Document | TraceDocument | DiffDocument
Entry = tuple[Shown, Union["PerformanceReport", None]]
Index = QModelIndex | QPersistentModelIndex


class PartRow(Struct, frozen=True):
    """A file of a folder that is one model.

    title: what it is, or how it is stored. aside: at the right. below: in a second line.
    icon: of resources/icons. path: to open at a click; None for what cannot be opened. level:
    how far it is indented.
    """

    title: str
    aside: str
    below: str
    icon: str
    path: Path | None
    level: int = 1


def part_rows(document: Document) -> tuple[list[PartRow], list[PartRow]]:
    """Return what a folder consists of, and the other files that hold its main part."""
    folder = document.folder
    if folder is None:
        return [], []
    main = next((part for part in folder.parts if part.path == document.path), folder.main)
    parts, variants = list[PartRow](), list[PartRow]()
    graphs = document.opened_folder.graphs if document.opened_folder is not None else ()
    sizes = {graph.part.path: graph.size_bytes for graph in graphs}  # weights included
    several = Counter(part.role for part in folder.parts)
    for part in folder.parts:
        size = sizes.get(part.path)
        below = written(Size(size)) if size is not None else ""
        if main is not None and part.role == main.role and several[part.role] > 1:
            opened = part is main
            text = tr("{size} · open") if opened and below else tr("open") if opened else ""
            below = text.format(size=below) if opened else below
            title = part.variant or part.path.stem
            variants.append(PartRow(title, "", below, "model", part.path, 0))
        if main is None or part is main or part.role != main.role:
            parts.append(PartRow(part.role, part.variant, below, "model", part.path))
    if folder.tokenizer is not None:
        parts.append(PartRow(tr("tokenizer"), "", folder.tokenizer.name, "text", None))
    return parts, variants


class Sidebar(QWidget):
    """Lists what is open; tells which entry was chosen or should be closed.

    As a rail it shows the icons only.
    """

    chosen = Signal(object, object)  # what is open, PerformanceReport or None
    close_asked = Signal(object, object)  # as `chosen`

    def __init__(self, theme: Theme, workspace: Workspace, jobs: RunningJobs) -> None:
        super().__init__()
        self._theme, self._workspace, self._jobs = theme, workspace, jobs
        self._entries = QStandardItemModel(self)
        self._shown: Entry | None = None
        self._followed: list[Document] = []
        self._edits: dict[Document, str] = {}
        self.rail = False
        self.setFixedWidth(WIDTH_PX)
        self.list = QListView()
        self.list.setModel(self._entries)
        self._painter = _EntryPainter(theme, self.list)
        self.list.setItemDelegate(self._painter)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setAccessibleName(tr("Open models, reports, traces and comparisons"))
        self.list.setStyleSheet("QListView { background: transparent; }")
        self.compare_button = button(theme, tr("Compare measurements"), "compare-reports")
        self.diff_button = button(theme, tr("Compare models"), "compare")
        self.restore_button = button(theme, tr("Restore session"), "undo")
        self.restore_button.setAccessibleName(tr("Restore session"))
        self.restore_button.hide()
        layout = column_of((self.list, 1), on=self, spacing=8, margins=(8, 12, 8, 16))
        self._line = hairline()  # where rows of a long list end
        add_to(layout, self._line, self.restore_button, self.diff_button, self.compare_button)
        self._wire()
        self.refresh()

    def refresh(self) -> None:
        """List the documents and reports anew, keeping the choice."""
        # While rows go, Qt makes their neighbors current, which nobody has chosen.
        blocked = self.list.selectionModel().blockSignals(True)
        self._entries.clear()
        self.list.selectionModel().blockSignals(blocked)
        models = [d for d in self._workspace.documents if d.path is not None]
        alone = [d for d in self._workspace.documents if d.path is None]
        stems = Counter(d.stem for d in models)
        if models:
            self._heading(tr("Open models"))
        for document in models:
            stem = document.stem
            shown = stem if stems[stem] == 1 else document.name
            place = document.reopen_path if document.is_folder else document.path
            self._entry(shown, (document, None), str(place), edits=edits_text(document))
            if document.is_folder:
                self._parts(document)
            self._reports(document, _differences(document.reports))
        if any(document.reports for document in alone):
            self._heading(tr("Reports"))
        for document in reversed(alone):
            titles = [PurePath(report.model.name).stem for report in document.reports]
            self._reports(document, titles)
        if self._workspace.traces:
            self._heading(tr("Traces"))
        for trace in self._workspace.traces:
            self._entry(trace.name, (trace, None), str(trace.path))
        if self._workspace.diffs:
            self._heading(tr("Comparisons"))
        for diff in self._workspace.diffs:
            hint = "\n".join(str(side.path) for side in diff.sides)
            self._entry(diff.name, (diff, None), hint)
        self._mark_jobs()
        reports = sum(len(document.reports) for document in self._workspace.documents)
        self.compare_button.setVisible(reports > 1)
        self.diff_button.setVisible(len(models) > 1)
        self._show_line()
        if self._shown is not None:
            self.show_choice(*self._shown)

    def fit(self, rail: bool, wide: bool) -> None:
        """Show icons only, or names as well. wide: there is room for long ones."""
        self.setFixedWidth(RAIL_PX if rail else WIDTH_PX if wide else NARROW_PX)
        if rail != self.rail:
            self.rail = self._painter.rail = rail
            for made, text in (
                (self.diff_button, tr("Compare models")),
                (self.compare_button, tr("Compare measurements")),
            ):
                made.setText("" if rail else text)
                made.setToolTip(text if rail else "")
            self.restore_button.setText("" if rail else tr("Restore session"))
            self.list.doItemsLayout()

    def offer_session(self, held: str) -> None:
        """Offer to restore the previous session. held: "2 files"; "" offers nothing."""
        self.restore_button.setVisible(bool(held))
        self._show_line()
        text = tr("Open what the last window had open: {held}").format(held=held)
        self.restore_button.setToolTip(tip(text))

    def _show_line(self) -> None:
        buttons = self.restore_button, self.diff_button, self.compare_button
        self._line.setVisible(any(each.isVisibleTo(self) for each in buttons))

    def _parts(self, document: Document) -> None:
        """List the files of a folder that is one model."""
        parts, variants = part_rows(document)
        for place, row in enumerate((*parts, *variants)):
            if place == len(parts):
                self._heading(tr("Variants"))
            item = QStandardItem(units.clip(row.title))
            item.setData((document, row), _PART)
            item.setToolTip(tip(row.title, str(row.path) if row.path is not None else ""))
            if row.path is None:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self._entries.appendRow(item)

    def _reports(self, document: Document, titles: Sequence[str]) -> None:
        """List the reports of a document, the newest first."""
        for report, title in reversed(list(zip(document.reports, titles, strict=True))):
            name = self._own_name(report) or title
            facts = f"{report.model.name}: {', '.join(_facts(report))}"
            noise = " ".join(map(written, disturbances(report)))
            hint = f"{facts}\n{tr('Noisy: {reason}').format(reason=noise)}" if noise else facts
            self._entry(name, (document, report), hint, bool(noise))

    def _own_name(self, report: PerformanceReport) -> str:
        name = self._workspace.settings.value(f"report_names/{report.created}", "")
        return units.clip(str(name), _LONGEST_NAME)

    def rename(self, report: PerformanceReport, name: str) -> None:
        """Give a report a name of its own; an empty one gives it the usual one again."""
        key, settings = f"report_names/{report.created}", self._workspace.settings
        if name.strip():
            settings.setValue(key, units.clip(name.strip(), _LONGEST_NAME))
        else:
            settings.remove(key)
        self.refresh()

    def show_choice(self, document: Shown, report: PerformanceReport | None) -> None:
        """Mark an entry as the chosen one, without telling anybody."""
        self._shown = (document, report)
        for row in range(self._entries.rowCount()):
            index = self._entries.index(row, 0)
            entry = index.data(ENTRY)
            if entry is not None and entry[0] is document and entry[1] is report:
                blocked = self.list.selectionModel().blockSignals(True)
                self.list.setCurrentIndex(index)
                self.list.selectionModel().blockSignals(blocked)
                self.list.scrollTo(index)  # which the view does at the signal
                self.list.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and the line at the right."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), qt_color(look.sidebar))
        painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), qt_color(look.border))

    def _wire(self) -> None:
        self.list.selectionModel().currentChanged.connect(self._tell)
        self.list.customContextMenuRequested.connect(self._offer)
        self.compare_button.clicked.connect(commands.runner(self, "compare/reports"))
        self.diff_button.clicked.connect(commands.runner(self, "compare/models"))
        self.restore_button.clicked.connect(commands.runner(self, "session/restore"))
        self._jobs.changed.connect(self._mark_jobs)
        self._workspace.opened.connect(self._follow)
        self._workspace.closed.connect(self._drop)
        self._workspace.trace_opened.connect(self.refresh)
        self._workspace.trace_closed.connect(self._drop)
        self._workspace.diff_opened.connect(self._follow_diff)
        self._workspace.diff_closed.connect(self._drop)
        self._theme.changed.connect(self.update)
        for document in self._workspace.documents:
            self._follow(document)
        for diff in self._workspace.diffs:
            self._follow_diff(diff)

    def _follow_diff(self, diff: DiffDocument) -> None:
        diff.changed.connect(self.refresh, Qt.ConnectionType.UniqueConnection)
        self.refresh()

    def _follow(self, document: Document) -> None:
        if document not in self._followed:
            self._followed.append(document)
            document.report_added.connect(self.refresh)
            document.report_removed.connect(self.refresh)
            document.changed(Topic.DIGEST).connect(self.refresh)
            document.watch(self.refresh, Topic.MODEL, Topic.PARTS)
            document.changed(Topic.EDITS).connect(partial(self._count_edits, document))
            document.changed(Topic.REPORT).connect(partial(self._mark_report, document))
        self.refresh()

    def _count_edits(self, document: Document) -> None:
        """Say how many edits there are, and where, where something else is said now."""
        if edits_text(document) != self._edits.get(document, ""):
            self._edits[document] = edits_text(document)
            self.refresh()

    def _mark_jobs(self) -> None:
        """Mark the models for which something is under way."""
        for row in range(self._entries.rowCount()):
            item = self._entries.item(row)
            entry, hint = item.data(ENTRY), item.data(_HINT)
            if entry is not None and entry[1] is None:
                job = self._jobs.texts.get(entry[0], "")
                item.setData(job, _JOB)
                item.setToolTip(tip(*hint, *filter(None, (job,))))
                item.setAccessibleText(
                    ", ".join([item.text(), *hint[2:], *filter(None, (job,))])
                )

    def _mark_report(self, document: Document) -> None:
        if self._shown is not None and self._shown[0] is document:
            self.show_choice(document, document.report)

    def replace(self, earlier: Document, fresh: Document) -> None:
        """List a model that was read again in place of its earlier content."""
        if earlier in self._followed:
            self._followed.remove(earlier)
        if self._shown is not None and self._shown[0] is earlier:
            self._shown = (fresh, self._shown[1])
        self._follow(fresh)

    def _drop(self, document: Shown) -> None:
        if isinstance(document, Document) and document in self._followed:
            self._followed.remove(document)
        if self._shown is not None and self._shown[0] is document:
            self._shown = None
        self.refresh()

    def _tell(self, index: QModelIndex) -> None:
        entry, part = index.data(ENTRY), index.data(_PART)
        if entry is not None:
            self.chosen.emit(*entry)
        elif part is not None:
            document, row = part
            if row.path == document.path:
                self.chosen.emit(document, None)
            else:
                self._workspace.open(row.path)

    def _offer(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        entry = index.data(ENTRY)
        if entry is not None:
            self.menu(entry, index.data()).popup(self.list.viewport().mapToGlobal(point))

    def menu(self, entry: Entry, name: str) -> QMenu:
        """Return what can be done with an entry."""
        shown, report = entry
        menu = QMenu(self)
        explain_entries(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if report is not None:
            menu.addAction(tr("Rename…"), partial(self._ask_name, report, name))
        clipboard = QGuiApplication.clipboard()
        menu.addAction(tr("Copy name"), lambda: clipboard.setText(name))
        path = shown.path
        if path is not None:
            menu.addAction(tr("Copy path"), lambda: clipboard.setText(str(path)))
            menu.addAction(tr("Show in folder"), lambda: show_in_folder(path))
        menu.addSeparator()
        menu.addAction(tr("Close"), lambda: self.close_asked.emit(*entry))
        others = self._others(entry)
        text = tr("Close other reports") if report is not None else tr("Close others")
        action = menu.addAction(text, partial(self._close_all, others))
        nothing = (
            tr("It has no other report") if report is not None else tr("Nothing else is open")
        )
        set_available(action, "" if others else nothing)
        return menu

    def _others(self, entry: Entry) -> list[Entry]:
        """The other reports of a document, or everything else that is open."""
        shown, report = entry
        if report is not None and isinstance(shown, Document):
            return [(shown, other) for other in shown.reports if other is not report]
        opened: list[Shown] = [*self._workspace.documents]
        opened += [*self._workspace.traces, *self._workspace.diffs]
        return [(other, None) for other in opened if other is not shown]

    def _close_all(self, entries: list[Entry]) -> None:
        for entry in entries:
            self.close_asked.emit(*entry)

    def _ask_name(self, report: PerformanceReport, name: str) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Rename report"))
        dialog.setLabelText(tr("Name in the list (leave empty for the default name):"))
        dialog.setTextValue(name)
        dialog.textValueSelected.connect(partial(self.rename, report))
        dialog.open()

    def _heading(self, text: str) -> None:
        item = QStandardItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self._entries.appendRow(item)

    def _entry(
        self, text: str, entry: Entry, hint: str, noisy: bool = False, edits: str = ""
    ) -> None:
        item = QStandardItem(units.clip(text))
        item.setData(entry, ENTRY)
        item.setData(noisy, _NOISY)
        item.setData(edits, _EDITS)
        lines = [*hint.split("\n"), *filter(None, (edits,))]
        item.setData((text, *lines), _HINT)
        item.setToolTip(tip(text, *lines))
        item.setAccessibleText(", ".join([text, *lines[1:]]))
        self._entries.appendRow(item)


def _differences(reports: Sequence[PerformanceReport]) -> list[str]:
    """Return names of the reports of one model: the device, and what tells them apart."""
    facts = [_facts(report) for report in reports]
    shared = set(facts[0]).intersection(*facts[1:]) if facts else set()
    return [
        ", ".join(fact for n, fact in enumerate(some) if not n or fact not in shared)
        for some in facts
    ]


def _facts(report: PerformanceReport) -> list[str]:
    """Return the device, then the settings that reports can differ by."""
    spec = report.spec
    facts = [" + ".join(units.device(device) for device in spec.devices)]
    facts.append(plural(spec.threads, "thread") if spec.threads else tr("default threads"))
    facts.append(tr(report.optimization_text))
    if spec.binding != "plain":
        facts.append(tr("I/O binding"))
    if spec.starts > 1:
        facts.append(tr("{starts} processes").format(starts=spec.starts))
    facts += [f"{units.clip(d.name, 30)} = {units.number(d.size)}" for d in spec.dimensions]
    return facts


def _below(report: PerformanceReport, noisy: bool, earlier: bool, brief: bool) -> str:
    """Return the second line of a report: its state, and when it was measured."""
    text = when(report.created, brief)
    if report.failed:
        text = tr("Failed · {when}").format(when=text)
    elif noisy:
        text = tr("Noisy · {when}").format(when=text)
    if not (report.complete or report.failed):
        text = tr("Incomplete · {when}").format(when=text)
    if earlier:
        text = tr("Previous version · {words_below}").format(words_below=text)
    return text


def _speed(report: PerformanceReport) -> str:
    """Return the median latency, or the decode speed of a language model."""
    decode = report.generation.decode if report.generation is not None else None
    if decode is None or decode.tokens_per_second is None:
        return "" if report.failed else units.duration(report.median_ns)
    return written(per_second(decode.tokens_per_second, unit=True))


def _icon(entry: Entry) -> str:
    if entry[1] is not None:
        return "report"
    if isinstance(entry[0], DiffDocument):
        return "compare"
    return "trace" if isinstance(entry[0], TraceDocument) else "model"


class _EntryPainter(QStyledItemDelegate):
    """Draws one entry: icon, name, and for a report its time and date."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rail = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """30 px for a model and a heading, 44 with a second line; in a rail 36, headings 8."""
        entry, part = index.data(ENTRY), index.data(_PART)
        if self.rail:
            return QSize(30, 8 if entry is None else 36)
        if part is not None:
            return QSize(100, 44 if part[1].below else 28)
        two_lines = entry is not None and (entry[1] is not None or index.data(_EDITS))
        return QSize(100, 44 if two_lines else 30)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw an entry or a heading."""
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the sign is placed
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect)
        entry = index.data(ENTRY)
        if self.rail:
            if entry is not None:
                self._draw_icon(painter, box.adjusted(0, 1, 0, -1), option, entry)
                self._draw_job(painter, box, index)
        elif index.data(_PART) is not None:
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._draw_part(painter, box.adjusted(0, 1, 0, -1), index.data(_PART)[1], chosen)
        elif entry is None:
            painter.setFont(font(11, 600))
            painter.setPen(qt_color(self._theme.palette.tertiary))
            painter.drawText(box.adjusted(12, 4, -8, 0), 0x80, index.data())
        else:
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            inner, noisy = box.adjusted(0, 1, 0, -1), bool(index.data(_NOISY))
            edits = index.data(_EDITS)
            self._draw_entry(painter, inner, index.data(), entry, chosen, noisy, edits)
            self._draw_job(painter, inner, index)
        painter.restore()

    def _draw_job(self, painter: QPainter, box: QRectF, index: Index) -> None:
        """Draw a dot at the right where something is under way for a model."""
        if index.data(_JOB):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(self._theme.palette.caution))
            top = box.y() + (4 if self.rail else 11)
            painter.drawEllipse(QRectF(box.right() - _DOT_PX - 2, top, _DOT_PX, _DOT_PX))

    def _draw_icon(
        self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem, entry: Entry
    ) -> None:
        """Draw an entry of the rail."""
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(self._theme.palette.selection))
            painter.drawRoundedRect(box, 6, 6)
        icon = self._theme.pixmap(_icon(entry), "accent" if chosen else "secondary")
        painter.drawPixmap(int(box.center().x()) - 8, int(box.center().y()) - 8, icon)

    def _draw_part(self, painter: QPainter, box: QRectF, row: PartRow, chosen: bool) -> None:
        """Draw a file of a folder: icon, what it is, how it is stored, its size."""
        look = self._theme.palette
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(look.selection))
            painter.drawRoundedRect(box, 6, 6)
        box = box.adjusted(_INDENT_PX * row.level, 0, 0, 0)
        icon = self._theme.pixmap(row.icon, "accent" if chosen else "secondary")
        painter.drawPixmap(int(box.x()) + 8, int(box.y()) + 5, icon)
        line = QRectF(box.x() + 32, box.y() + 4, box.width() - 40, 18)
        painter.setFont(font(12, 500))
        painter.setPen(qt_color(look.on_selection if chosen else look.secondary))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignRight) | 0x80, row.aside)
        line.setWidth(line.width() - painter.fontMetrics().horizontalAdvance(row.aside) - 8)
        painter.setFont(font(13))
        painter.setPen(qt_color(look.on_selection if chosen else look.text))
        title = painter.fontMetrics().elidedText(
            row.title, Qt.TextElideMode.ElideMiddle, int(line.width())
        )
        painter.drawText(line, 0x80, title)
        painter.setFont(font(11))
        painter.setPen(qt_color(look.on_selection if chosen else look.tertiary))
        below = QRectF(box.x() + 32, box.y() + 22, box.width() - 40, 16)
        painter.drawText(below, 0x80, row.below)

    def _draw_entry(
        self,
        painter: QPainter,
        box: QRectF,
        message: str,
        entry: Entry,
        chosen: bool,
        noisy: bool,
        edits: str,
    ) -> None:
        look, report = self._theme.palette, entry[1]
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(look.selection))
            painter.drawRoundedRect(box, 6, 6)
        icon = self._theme.pixmap(_icon(entry), "accent" if chosen else "secondary")
        if report is not None and entry[0].path is not None:
            box = box.adjusted(_INDENT_PX, 0, 0, 0)
        painter.drawPixmap(int(box.x()) + 8, int(box.y()) + 6, icon)
        line = QRectF(box.x() + 32, box.y(), box.width() - 32 - _DOT_PX - 4, 28)
        tint = look.on_selection if chosen else look.text
        if report is not None:
            line = QRectF(box.x() + 32, box.y() + 4, box.width() - 40, 18)
            painter.setFont(font(12, 500))
            painter.setPen(qt_color(tint if chosen else look.secondary))
            time = _speed(report)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignRight) | 0x80, time)
            line.setWidth(line.width() - painter.fontMetrics().horizontalAdvance(time) - 8)
            painter.setFont(font(11))
            painter.setPen(qt_color(tint if chosen else look.tertiary))
            below = QRectF(box.x() + 32, box.y() + 22, box.width() - 40, 16)
            earlier = isinstance(entry[0], Document) and entry[0].is_earlier(report)
            metrics, room = painter.fontMetrics(), int(below.width())
            texts = [_below(report, noisy, earlier, brief) for brief in (False, True)]
            fits = (text for text in texts if metrics.horizontalAdvance(text) <= room)
            words_below = next(fits, texts[1])
            words_below = metrics.elidedText(words_below, Qt.TextElideMode.ElideRight, room)
            painter.drawText(below, 0x80, words_below)
        elif edits:
            line = QRectF(box.x() + 32, box.y() + 4, box.width() - 40, 18)
            below = QRectF(box.x() + 32, box.y() + 22, box.width() - 40, 16)
            painter.setFont(font(11))
            painter.setPen(qt_color(tint if chosen else look.secondary))
            edits = painter.fontMetrics().elidedText(
                edits, Qt.TextElideMode.ElideMiddle, int(below.width())
            )
            painter.drawText(below, 0x80, edits)
        painter.setFont(font(13))  # of one width, chosen or not: names are cut alike
        painter.setPen(qt_color(tint))
        # Reports of a model differ after the device: "CPU, all …". Files differ at both ends.
        end, middle = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle
        mode = middle if report is None else end
        text = painter.fontMetrics().elidedText(message, mode, int(line.width()))
        painter.drawText(line, 0x80, text)
