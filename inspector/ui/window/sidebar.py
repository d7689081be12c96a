"""The list at the left: open models, and the reports of each."""

from datetime import datetime
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Union

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector import units
from inspector.ui.documents.document import Document
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import button
from inspector.ui.widgets.theme import Theme, colour, font

if TYPE_CHECKING:
    from inspector.report.report import PerformanceReport


ENTRY = Qt.ItemDataRole.UserRole + 1
Entry = tuple[Document | TraceDocument, Union["PerformanceReport", None]]
Index = QModelIndex | QPersistentModelIndex


class Sidebar(QWidget):
    """Lists what is open; tells which entry was chosen or should be closed."""

    chosen = Signal(object, object)  # Document or TraceDocument, PerformanceReport or None
    close_asked = Signal(object, object)  # as `chosen`
    compare_asked = Signal()

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._theme, self._workspace = theme, workspace
        self._entries = QStandardItemModel(self)
        self._shown: Entry | None = None
        self._followed: list[Document] = []
        self.list = QListView()
        self.list.setModel(self._entries)
        self.list.setItemDelegate(_EntryPainter(theme, self.list))
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setAccessibleName(tr("Open models, reports and traces"))
        self.list.setStyleSheet("QListView { background: transparent; }")
        self.compare_button = button(theme, tr("Compare reports"), "compare")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 12, 8, 16)
        layout.setSpacing(8)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.compare_button)
        self._wire()
        self.refresh()

    def refresh(self) -> None:
        """List the documents and reports anew, keeping the choice."""
        # While rows go, Qt makes their neighbours current, which nobody has chosen.
        blocked = self.list.selectionModel().blockSignals(True)
        self._entries.clear()
        self.list.selectionModel().blockSignals(blocked)
        models = [d for d in self._workspace.documents if d.path is not None]
        reports = [(d, r) for d in self._workspace.documents for r in d.reports]
        if models:
            self._heading(tr("Open models"))
        for document in models:
            self._entry(document.name, (document, None))
        if reports:
            self._heading(tr("Reports"))
        for document, report in reversed(reports):
            self._entry(_title(report), (document, report))
        if self._workspace.traces:
            self._heading(tr("Traces"))
        for trace in self._workspace.traces:
            self._entry(trace.name, (trace, None))
        self.compare_button.setVisible(len(reports) > 1)
        if self._shown is not None:
            self.show_choice(*self._shown)

    def show_choice(
        self, document: Document | TraceDocument, report: "PerformanceReport | None"
    ) -> None:
        """Mark an entry as the chosen one, without telling anybody."""
        self._shown = (document, report)
        for row in range(self._entries.rowCount()):
            index = self._entries.index(row, 0)
            entry = index.data(ENTRY)
            if entry is not None and entry[0] is document and entry[1] is report:
                blocked = self.list.selectionModel().blockSignals(True)
                self.list.setCurrentIndex(index)
                self.list.selectionModel().blockSignals(blocked)
                self.list.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and the line at the right."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(look.sidebar))
        painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), colour(look.border))

    def _wire(self) -> None:
        self.list.selectionModel().currentChanged.connect(self._tell)
        self.list.customContextMenuRequested.connect(self._offer)
        self.compare_button.clicked.connect(self.compare_asked)
        self._workspace.opened.connect(self._follow)
        self._workspace.closed.connect(self._drop)
        self._workspace.trace_opened.connect(self.refresh)
        self._workspace.trace_closed.connect(self._drop)
        self._theme.changed.connect(self.update)
        for document in self._workspace.documents:
            self._follow(document)

    def _follow(self, document: Document) -> None:
        if document not in self._followed:
            self._followed.append(document)
            document.report_added.connect(self.refresh)
            document.report_removed.connect(self.refresh)
            document.digest_changed.connect(self.refresh)
            document.report_chosen.connect(partial(self._mark_report, document))
        self.refresh()

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

    def _drop(self, document: Document | TraceDocument) -> None:
        if isinstance(document, Document) and document in self._followed:
            self._followed.remove(document)
        if self._shown is not None and self._shown[0] is document:
            self._shown = None
        self.refresh()

    def _current(self) -> Entry | None:
        entry: Entry | None = self.list.currentIndex().data(ENTRY)
        return entry

    def _tell(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY)
        if entry is not None:
            self.chosen.emit(*entry)

    def _offer(self, point: object) -> None:
        entry = self._current()
        if entry is not None:
            menu = QMenu(self)
            menu.addAction(tr("Close"), lambda: self.close_asked.emit(*entry))
            menu.exec(self.cursor().pos())

    def _heading(self, text: str) -> None:
        item = QStandardItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self._entries.appendRow(item)

    def _entry(self, text: str, entry: Entry) -> None:
        item = QStandardItem(units.clip(text))
        item.setData(entry, ENTRY)
        self._entries.appendRow(item)


def _title(report: "PerformanceReport") -> str:
    return PurePath(report.model.name).stem


def _settings(report: "PerformanceReport") -> str:
    """What tells this report from the others of the model: 'CPU, no optimization, 1 thread'."""
    spec = report.spec
    text = [" + ".join(units.device(device) for device in spec.devices)]
    if spec.optimization != "all":
        text.append(units.optimization(spec.optimization))
    if spec.threads:
        text.append(plural(spec.threads, "thread"))
    if not report.complete:
        text.insert(0, tr("Incomplete"))
    return ", ".join(text)


def when(created: str) -> str:
    """A report's date for people, in local time: 'Today 14:02', '3 Nov 14:02'."""
    try:
        moment = datetime.fromisoformat(created).astimezone()
    except ValueError:
        return units.clip(created, 30)
    days = (datetime.now().astimezone().date() - moment.date()).days
    day = {0: tr("Today"), 1: tr("Yesterday")}.get(days, f"{moment.day} {moment:%b}")
    return f"{day} {moment:%H:%M}"


class _EntryPainter(QStyledItemDelegate):
    """Draws one entry: icon, name, and for a report its time and date."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """30 px for a model, 44 for a report, 30 for a heading."""
        entry = index.data(ENTRY)
        return QSize(100, 44 if entry is not None and entry[1] is not None else 30)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw an entry or a heading."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect)
        entry = index.data(ENTRY)
        if entry is None:
            painter.setFont(font(11, 600))
            painter.setPen(colour(self._theme.palette.tertiary))
            painter.drawText(box.adjusted(12, 4, -8, 0), 0x80, index.data())
        else:
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._draw_entry(painter, box.adjusted(0, 1, 0, -1), index.data(), entry, chosen)
        painter.restore()

    def _draw_entry(
        self,
        painter: QPainter,
        box: QRectF,
        message: str,
        entry: Entry,
        chosen: bool,
    ) -> None:
        look, report = self._theme.palette, entry[1]
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(look.selection))
            painter.drawRoundedRect(box, 6, 6)
        name = "trace" if isinstance(entry[0], TraceDocument) else "model"
        icon = self._theme.pixmap(
            name if report is None else "report", "accent" if chosen else "secondary"
        )
        painter.drawPixmap(int(box.x()) + 8, int(box.y()) + 6, icon)
        line = QRectF(box.x() + 32, box.y(), box.width() - 40, 28)
        tint = look.on_selection if chosen else look.text
        if report is not None:
            line = QRectF(box.x() + 32, box.y() + 4, box.width() - 40, 18)
            painter.setFont(font(12, 500))
            painter.setPen(colour(tint if chosen else look.secondary))
            time = units.duration(report.median_ns)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignRight) | 0x80, time)
            line.setWidth(line.width() - painter.fontMetrics().horizontalAdvance(time) - 8)
            painter.setFont(font(11))
            painter.setPen(colour(tint if chosen else look.tertiary))
            below = QRectF(box.x() + 32, box.y() + 22, box.width() - 40, 16)
            words_below = f"{_settings(report)} · {when(report.created)}"
            if isinstance(entry[0], Document) and entry[0].is_earlier(report):
                words_below = tr("Previous version · {words_below}").format(
                    words_below=words_below
                )
            words_below = painter.fontMetrics().elidedText(
                words_below, Qt.TextElideMode.ElideRight, int(below.width())
            )
            painter.drawText(below, 0x80, words_below)
        painter.setFont(font(13, 500 if chosen else 400))
        painter.setPen(colour(tint))
        mode = Qt.TextElideMode.ElideMiddle
        text = painter.fontMetrics().elidedText(message, mode, int(line.width()))
        painter.drawText(line, 0x80, text)
