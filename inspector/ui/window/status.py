"""The line at the bottom: what is going on, and what the shown report stands for."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.engine.progress_text import progress_text, stalled_text
from inspector.ui import commands, units
from inspector.ui.documents.document import MEASUREMENTS, DiskState, Document, Topic
from inspector.ui.documents.edits.summary import edits_text
from inspector.ui.translate import plural, tr, tr_message
from inspector.ui.widgets.parts import button
from inspector.ui.widgets.theme import Theme, font, qt_color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.engine.client.engine_process import Progress


_LEFT = 30  # px
_RIGHT = 16  # px
_BUTTON_HEIGHT = 22  # px
_GAP = 8  # px, between buttons
_NEWS_MS = 15_000  # a start is over by then, and somebody has looked


class StatusLine(QWidget):
    """Two texts and a dot: green when at rest, amber when busy, red after a failure.

    A job that has made no progress for a while is said to be still running, with a button
    that cancels it, whatever tab is shown; that of a measurement is in the top bar.
    """

    model_chosen = Signal(object)  # Document that works and is not in front

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._document: Document | None = None
        self._problems: Sequence[tuple[Document, str]] = ()
        self._step = self._reading = self._stall = self._task = self._jobs_text = ""
        self.cancel = button(theme, tr("Cancel"))
        self.cancel.setParent(self)
        self.cancel.setFixedHeight(_BUTTON_HEIGHT)
        self.cancel.setProperty("role", "status")
        self.cancel.setToolTip(tr("Cancel this job; the model stays open"))
        self.cancel.clicked.connect(self._cancel)
        self.cancel.hide()
        self.problems = button(theme, "", "warning")
        self.problems.setParent(self)
        self.problems.setFixedHeight(_BUTTON_HEIGHT)
        self.problems.setProperty("role", "status")
        self.problems.clicked.connect(lambda: commands.run(self, "problems"))
        self.problems.hide()
        self.jobs = button(theme, "", "play")
        self.jobs.setParent(self)
        self.jobs.setFixedHeight(_BUTTON_HEIGHT)
        self.jobs.setProperty("role", "status")
        self.jobs.setToolTip(tr("Show the model that works"))
        self.jobs.clicked.connect(self._show_working)
        self.jobs.hide()
        self._working: Document | None = None
        self._news = ""
        self._forget_news = QTimer(self, singleShot=True, interval=_NEWS_MS)
        self._forget_news.timeout.connect(lambda: self.show_news("") if self._news else None)
        self.setFixedHeight(26)
        self.setAccessibleName(tr("Status"))
        theme.changed.connect(self.update)

    def show_document(self, document: Document | None) -> None:
        """Follow another document."""
        if self._document is not None:
            self._document.leave(self)
        self._document, self._step, self._stall, self._task = document, "", "", ""
        if document is not None:
            document.watch(self._follow_work, Topic.WORK, Topic.STAGE)
            document.watch(self._refresh, Topic.SPEC, Topic.REPORT, Topic.DISK, Topic.IMPROVE)
            document.changed(Topic.EDITS).connect(self._refresh)
            document.failed.connect(self._refresh)
            document.progressed.connect(self._progress)
        self._show_problems()
        self._refresh()

    def show_problems(self, found: "Sequence[tuple[Document, str]]") -> None:
        """Take the problems of all open models, and show how many the one in front has."""
        self._problems = found
        self._show_problems()

    def _show_problems(self) -> None:
        count = sum(document is self._document for document, _ in self._problems)
        others = len(self._problems) - count
        text = tr("List the problems of this model")
        if others:
            text = tr("List the problems of this model, and {several} of the other open models")
        self.problems.setToolTip(text.format(several=units.number(others)))
        self.problems.setText(plural(count, "problem"))
        self.problems.setVisible(bool(count))
        self.problems.adjustSize()
        self._place_buttons()
        self.update()

    def show_news(self, text: str) -> None:
        """Show for a while what was done, where nothing is going on."""
        self._news = text
        self._forget_news.start()
        self._refresh()

    def show_jobs(self, text: str, first: Document | None) -> None:
        """Show what goes on for models that are not in front; `first`: one of them."""
        self._working = first
        self._jobs_text = text
        self.jobs.setAccessibleName(text)
        self.jobs.setVisible(bool(text))
        self._place_buttons()
        self.update()

    def _show_working(self) -> None:
        if self._working is not None:
            self.model_chosen.emit(self._working)

    def _place_buttons(self) -> None:
        top, right = (self.height() - _BUTTON_HEIGHT) // 2 + 1, self.width() - _RIGHT
        if self._jobs_text:
            self.jobs.setText(self._jobs_text)
            self.jobs.adjustSize()
            lacking = self.jobs.width() - self.width() // 2
            if lacking > 0:
                metrics = self.jobs.fontMetrics()
                room = metrics.horizontalAdvance(self._jobs_text) - lacking
                text = metrics.elidedText(self._jobs_text, Qt.TextElideMode.ElideRight, room)
                self.jobs.setText(text)
                self.jobs.adjustSize()
        for each in (self.problems, self.jobs):
            each.move(right - each.width(), top)
            right -= (each.width() + _GAP) * (not each.isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons at the right."""
        super().resizeEvent(event)
        self._place_buttons()

    def show_reading(self, name: str) -> None:
        """Show which file is being read; '' for none."""
        self._reading = name
        self._refresh()

    def show_task(self, text: str) -> None:
        """Show what is done for what is in front where that is no document; "" for nothing."""
        self._task = text
        self._refresh()

    def words(self) -> tuple[str, str]:
        """Return what is at the left and at the right."""
        document = self._document
        if self._reading:
            return tr("Opening {reading}").format(reading=units.clip(self._reading, 60)), ""
        if document is None:
            return self._task or self._news or tr("Ready"), ""
        left = " · ".join(
            filter(None, (tr(document.work or ""), document.stage, self._step))
        ) or tr("Ready")
        left = self._stall or left
        if document.work is None:
            resting = document.improve_progress or _at_rest(document)
            left = document.error.what if document.error is not None else resting
            left = self._news if self._news and left == tr("Ready") else left
        report = document.report
        if report is None:
            return left, ""
        spec = report.spec
        parts = (
            plural(len(report.prediction_ns), "token" if report.generation else "run"),
            plural(spec.warmup, "warm-up run"),
            units.clip(report.environment.runtime_text, 40),
            tr(report.optimization_text),
            plural(spec.threads, "thread") if spec.threads else tr("default threads"),
        )
        return left, " · ".join(parts)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw line, dot and texts."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), qt_color(look.bar))
        painter.fillRect(QRectF(0, 0, self.width(), 1), qt_color(look.border))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(self._dot()))
        painter.drawEllipse(QRectF(16, 10, 7, 7))
        painter.setFont(font(11))
        painter.setPen(qt_color(look.secondary))
        left, right = self.words()
        if not self.cancel.isHidden():
            right = ""
        room = QRectF(self.rect()).adjusted(_LEFT, 0, -_RIGHT, 0)
        shown = [each.x() for each in (self.problems, self.jobs) if not each.isHidden()]
        room.setRight(min(shown, default=self.width()) - _RIGHT)
        metrics = painter.fontMetrics()
        width = room.width() - metrics.horizontalAdvance(left) - 24
        right = metrics.elidedText(right, Qt.TextElideMode.ElideRight, int(width))
        painter.drawText(room, 0x80, units.clip(left))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight) | 0x80, right)

    def _dot(self) -> str:
        look, document = self._theme.palette, self._document
        if self._reading or self._task or (document is not None and document.work is not None):
            return look.caution
        if document is not None and document.improve_progress:
            return look.caution
        if document is not None and document.disk is not DiskState.SAME:
            return look.caution
        return look.bad if document is not None and document.error is not None else look.good

    def _progress(self, progress: "Progress") -> None:
        step = progress_text(progress.step, progress.part)
        self._step, self._stall = tr_message(step), ""
        if progress.stalled_seconds:
            self._stall = stalled_text(
                progress.step, progress.stalled_seconds, progress.layers, progress.layer
            )
        self._refresh()

    def _cancel(self) -> None:
        if self._document is not None:
            self._document.cancel()

    def _follow_work(self) -> None:
        """Forget the last step of an earlier job: the next one has not begun it."""
        self._step = self._stall = ""
        self._refresh()

    def _refresh(self) -> None:
        document = self._document
        busy = document is not None and document.work is not None and not self._reading
        if self._stall and busy:
            width = QFontMetrics(font(11)).horizontalAdvance(units.clip(self._stall))
            self.cancel.adjustSize()
            most = self.width() - self.cancel.width() - 8
            top = (self.height() - self.cancel.height()) // 2 + 1
            self.cancel.move(max(_LEFT, min(_LEFT + width + 10, most)), top)
        elsewhere = document is not None and document.work in MEASUREMENTS
        self.cancel.setVisible(bool(self._stall) and busy and not elsewhere)
        self.setAccessibleDescription(" · ".join(filter(None, self.words())))
        self.update()


def _at_rest(document: Document) -> str:
    """Return what is said of a document that nothing is done with."""
    name = units.clip(document.name, 60)
    same = tr("Ready")
    if document.edit_steps:
        same = tr("{edits} · other tabs show the file without them").format(
            edits=edits_text(document)
        )
    return {
        DiskState.SAME: same,
        DiskState.CHANGED: tr("{name} changed on disk · press F5 to reload").format(name=name),
        DiskState.MISSING: tr("{name} no longer exists").format(name=name),
    }[document.disk]
