"""The Performance tab: settings, a measurement under way, and the report it ends in."""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QVBoxLayout, QWidget

from inspector.analysis.advice.rules import Advice, advice
from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.analysis.devices.support_summary import axes_in_the_way
from inspector.app.subjects import of_values
from inspector.engine.client.engine import Engine
from inspector.engine.client.placement_queries import query_placement
from inspector.errors import BadInput, DeviceFailed, InspectorError
from inspector.model.axes import free_axes
from inspector.preview.inputs.default_values import lengths as usual_lengths
from inspector.preview.inputs.input_shapes import lengths_of
from inspector.report.language.speed import headline_context
from inspector.report.report import Device, PerformanceReport
from inspector.report.run_spec import Dimension
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import MEASUREMENTS, Document, Topic, Work
from inspector.ui.tabs.performance.coverage_card import CoverageCard
from inspector.ui.tabs.performance.progress import MeasureProgress
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.tabs.performance.settings import MeasureSettings
from inspector.ui.tabs.preview.inputs.signature_card import SignatureCard, has_signatures
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import BELOW_HEAD, BESIDE_BAR, scroll_down
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Card,
    Segmented,
    add_to,
    button,
    column_of,
    label,
    note,
    parts_as_seen,
    row,
)
from inspector.ui.widgets.support_legend import Legend
from inspector.ui.widgets.theme import Theme, qt_color

VIEWS = (mark("Report"), mark("Sweep"))
_FORCE_LAYER_HINT = mark(
    "The CPU can run this layer, and the device can run all others. The layer table shows "
    "which layer it is."
)
_RETRY_HINT = mark(
    "Run the layers that fail on the device on the CPU instead, and measure again"
)
_TOO_MANY_FAILURES = mark(
    "Too many layers fail on this device to measure the rest of the model."
)
_LIBRARY_HINT = mark(
    "Choose the library that provides the model's custom operators, and measure again. Its "
    "code runs in the engine process; choose only one you trust"
)
_CHECK_LAYERS_HINT = mark(
    "Check on the device, layer by layer, which layers run and which fail"
)

if TYPE_CHECKING:  # see `show_view`
    from inspector.ui.tabs.sweep.view import SweepView


class DynamicAxesHint(Card):
    """Shows while the report has layers that a device refuses for a free axis."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme, padding=10)
        self._document = document
        self.message = label("", "secondary", wraps=True)
        self.again = button(theme, tr("Measure with fixed sizes"), then=self._measure_fixed)
        line = row(self.message, self.again, spacing=12, stretch=0, margins=(6, 0, 0, 0))
        self.body.addLayout(line)
        document.watch(self.follow, Topic.REPORT, Topic.MODEL, Topic.WORK, Topic.SPEC)
        self.follow()

    def follow(self) -> None:
        """Show what the present report says."""
        document = self._document
        count = axes_in_the_way(document.report) if document.report is not None else 0
        open_axes = free_dimensions(document)
        self.setVisible(bool(count and open_axes) and not document.spec.generates)
        are = tr("layer is") if count == 1 else tr("layers are")
        names = ", ".join(dimension.name for dimension in open_axes[:3])
        self.message.setText(
            tr(
                "{count:,} {are} not supported on a device because of dynamic axes ({names})."
            ).format(count=count, are=are, names=names)
        )
        self.again.setEnabled(document.work is None)

    def _measure_fixed(self) -> None:
        document = self._document
        if document.work is None:
            fixed = (*document.spec.dimensions, *free_dimensions(document))
            document.set_spec(dimensions=fixed)
            document.measure()


def free_dimensions(document: Document) -> tuple[Dimension, ...]:
    """The free axes of the inputs without a length, each with the one that it was run with."""
    model = document.model
    if model is None:
        return ()
    by_name = {dimension.name: dimension.size for dimension in document.spec.dimensions}
    lengths = dict(usual_lengths(model.inputs, by_name))
    lengths |= lengths_of(model.inputs, document.feeds)
    return tuple(
        Dimension(name, lengths.get(name, 1))
        for name in free_axes(model.inputs)
        if name not in by_name
    )


def _ask_devices(document: Document, then: Callable[[PlacementAnswers], None]) -> None:
    """Try the devices with the present settings and inputs; `then` gets what they take.

    The document tells how it comes along, and of a failure, as of a measurement.
    """
    path, model = document.path, document.model
    if path is None or model is None or document.work is not None:
        return
    spec, feeds, sources = document.spec, dict(document.feeds), dict(document.sources)

    def job(engine: Engine, stopped: Callable[[], bool]) -> PlacementAnswers:

        own = of_values(path, model, spec, feeds, sources).identified()
        return query_placement(engine, path, own.identity, spec, own.feeds())

    document.sweep(job, then, Work.MEASURING)


class PerformanceTab(QWidget):
    """Follows a document; the last report stays until there is another one."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._document = theme, document
        self.settings = MeasureSettings(theme, document)
        self.progress = MeasureProgress(theme)
        self.failure = Failure(theme)
        self.axes = DynamicAxesHint(theme, document)
        self.invitation = Invitation(theme)
        self.views = Segmented(theme, VIEWS, 84, name=tr("View of the Performance tab"))
        self.sweep_view: SweepView | None = None
        self._devices: tuple[Device, ...] = ()
        self.earlier: QWidget | None = None  # says that the report is of an earlier file
        self._rest = QWidget()  # keeps what is above it from growing
        self.report_view: ReportView | None = None
        self.dock = LegendDock(theme)
        self.claims: CoverageCard | None = None
        self._lay_out()
        self._wire()
        if document.error is not None:
            self._show_failure(document.error)
        if document.work in MEASUREMENTS:
            self._begin_progress()
        self._show_report()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self._devices = devices
        self.settings.set_devices(devices)
        if self.sweep_view is not None:
            self.sweep_view.set_devices(devices)

    def _lay_out(self) -> None:
        self._head = QWidget(self)  # the keys go from above to below
        self._head.setLayout(row(self.views, None))
        self._head.setContentsMargins(PADDING, PADDING, PADDING, BELOW_HEAD)
        page = QWidget()
        area = self._area = QScrollArea(self)
        scroll_down(area)
        area.setWidget(page)
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(PADDING, PADDING, BESIDE_BAR, PADDING)
        self._page.setSpacing(GAP)
        model = self._document.model
        if model is not None and has_signatures(model):
            self._page.addWidget(SignatureCard(self._theme, model))
        add_to(self._page, self.settings, self.failure, self.progress, self.axes)
        add_to(self._page, (self.invitation, 1), (self._rest, 1))
        area.setAccessibleName(tr("Performance report"))
        self._column = column_of(self._head, area, self.dock, on=self, spacing=0)

    def show_view(self, view: int) -> None:
        """Show the report, or sweeps."""
        if view and self.sweep_view is None:
            # onnxruntime, through other machines: few documents are swept
            from inspector.ui.tabs.sweep.view import SweepView

            self.sweep_view = SweepView(self._theme, self._document)
            self.sweep_view.set_devices(self._devices)
            self._column.addWidget(self.sweep_view)
        self._area.setVisible(not view)
        self._show_states()
        if self.sweep_view is not None:
            self.sweep_view.setVisible(bool(view))

    def open_settings(self, name: str = "") -> None:
        """Show the settings of the next measurement. name: of the one that gets the keys."""
        self.views.choose(0)
        self.settings.open(True)
        self._area.ensureWidgetVisible(self.settings)
        self.settings.fields.focus_on(name)

    def focus_layers(self) -> None:
        """Give the keys to the table of layers."""
        if self.report_view is not None:
            self.report_view.layers.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_sweep(self) -> None:
        """Show the sweep of settings."""
        self.views.choose(1)

    def measure_everywhere(self) -> None:
        """Ask how the model is measured on all devices of this machine."""
        self.open_sweep()
        assert self.sweep_view is not None, "the view was just opened"
        self.sweep_view.plan.ask_search(every_device=True)

    def _bring_into_view(self, part: QWidget) -> None:
        """Scroll to a part of the report: as much of it as there is room for, from its top."""
        page = self._area.widget()
        if page is not None:
            top = part.mapTo(page, QPoint(0, 0)).y()
            visible = self._area.viewport().height()
            bar = self._area.verticalScrollBar()
            if not bar.value() <= top <= bar.value() + visible - min(part.height(), visible):
                bar.setValue(top - GAP)

    def _wire(self) -> None:
        document = self._document
        self.views.chosen.connect(self.show_view)
        document.changed(Topic.WORK).connect(self._follow_work)
        document.watch(self._show_report, Topic.MODEL, Topic.REPORT)
        document.changed(Topic.SPEC).connect(self._invite)
        document.progressed.connect(self.progress.follow)
        document.changed(Topic.DIGEST).connect(self._show_outdated)
        document.failed.connect(self._show_failure)
        self.failure.again.clicked.connect(self._measure)
        self.failure.way.clicked.connect(self._go_on)
        self.invitation.measure.clicked.connect(self._measure)

    def _measure(self) -> None:
        document = self._document
        if document.model is None or document.work is not None:
            return
        if document.error is not None and document.failed_work is Work.PEAK:
            document.measure_peak()
        else:
            document.measure()

    def _go_on(self) -> None:
        """Let the CPU run what the device fails at, or see what the device takes at all."""
        document = self._document
        if document.error is not None and self._needs_library(document.error):
            if file_dialogs.choose_operators(document, self):
                self._measure()
        elif isinstance(document.error, DeviceFailed) and not document.spec.around_failures:
            document.set_spec(around_failures=True)
            self._measure()
        else:
            _ask_devices(document, self._show_claims)

    def _needs_library(self, error: InspectorError) -> bool:
        return not isinstance(error, BadInput) and file_dialogs.lacks_operators(self._document)

    def _show_claims(self, result: PlacementAnswers) -> None:
        self._drop_claims()
        self.claims = CoverageCard(self._theme, result, self._document.selection)
        self._page.insertWidget(self._page.indexOf(self.axes), self.claims)
        self._show_states()

    def _drop_claims(self) -> None:
        """Put away what devices said for other settings."""
        if self.claims is not None:
            self._page.removeWidget(self.claims)
            self.claims.hide()
            self.claims.deleteLater()
            self.claims = None

    def _follow_work(self) -> None:
        if self._document.work in MEASUREMENTS:
            self.views.choose(0)
            self.failure.hide()
            self._drop_claims()
            self._begin_progress()
        self._show_states()

    def _show_failure(self, error: InspectorError) -> None:
        if self._document.failed_work not in MEASUREMENTS:
            return
        self.failure.show_error(error)
        if self._document.failed_work is Work.PEAK:
            return
        spec = self._document.spec
        if self._needs_library(error):
            self.failure.offer(
                self.failure.hint.text(), tr("Choose library…"), tr(_LIBRARY_HINT)
            )
        elif isinstance(error, DeviceFailed) and not spec.around_failures:
            self.failure.offer(
                tr(_FORCE_LAYER_HINT), tr("Move failing layers to the CPU"), tr(_RETRY_HINT)
            )
        elif not spec.only_cpu and self.claims is None and not isinstance(error, BadInput):
            hint = (
                tr(_TOO_MANY_FAILURES)
                if isinstance(error, DeviceFailed)
                else self.failure.hint.text()
            )
            self.failure.offer(hint, tr("Check each layer"), tr(_CHECK_LAYERS_HINT))

    def _show_report(self) -> None:
        report, facts = self._document.report, self._document.facts
        previous, self.report_view = self.report_view, None
        if previous is not None:
            self._page.removeWidget(previous)
            previous.deleteLater()
        if report is not None:
            self._drop_claims()
            precisions = facts.precision.layers if facts is not None else ()
            self.report_view = ReportView(
                self._theme,
                report,
                self._document.selection,
                precisions,
                self._advice(report),
                self._document,
            )
            self.report_view.layers.search_in(self._document.model)
            if previous is not None:
                self.report_view.look_like(previous)
                self._stay(previous, self._area.verticalScrollBar().value())
            self._page.addWidget(self.report_view, 1)
            self.report_view.shown.connect(self._bring_into_view)
            self.report_view.show()
            # New widgets stand behind all others of the window; who types or moves through a
            # list goes on with that.
            able = [
                each
                for each in parts_as_seen(self.report_view)
                if each.focusPolicy() is not Qt.FocusPolicy.NoFocus
            ]
            for before, after in pairwise((self._area, *able)):
                QWidget.setTabOrder(before, after)
            focused = QApplication.focusWidget()
            idle = focused in (None, self.window()) or isinstance(focused, QAbstractButton)
            if self.isVisible() and idle:
                self._area.setFocus(Qt.FocusReason.OtherFocusReason)
            # The first report needs the room; later the fields stay as the user left them.
            if len(self._document.reports) == 1:
                self.settings.open(False)
        self._show_outdated()
        self._show_states()

    def _stay(self, previous: ReportView, scrolled: int) -> None:
        """Scroll to where the page was if only peak rates were added to the report."""
        report = self._document.report
        if report is not None and report.prediction_ns == previous.report.prediction_ns:
            bar = self._area.verticalScrollBar()
            # The new parts have their heights after the next round of events.
            QTimer.singleShot(0, self, lambda: bar.setValue(scrolled))

    def _show_outdated(self) -> None:
        """Show where the shown report was measured from other content than the file has now."""
        if self.earlier is not None:
            self._page.removeWidget(self.earlier)
            self.earlier.hide()
            self.earlier.deleteLater()
            self.earlier = None
        document = self._document
        if document.report is not None and document.is_earlier(document.report):
            text = tr(
                "This report is of an earlier version of {name}. "
                "Measure again for the current file."
            ).format(name=document.name)
            self.earlier = QWidget()
            self.earlier.setAccessibleName(text)
            self.earlier.setLayout(note(self._theme, text, "warning", "caution"))
            self._page.insertWidget(self._page.indexOf(self.axes), self.earlier)
            self.earlier.show()

    def _advice(self, report: PerformanceReport) -> tuple[Advice, ...]:
        """Return the advice on the report, and on the model if it is the measured one."""
        model, facts = self._document.model, self._document.facts
        same = model is not None and len(model.layers) == len(report.layers)
        return advice(report, model, facts) if same else advice(report)

    def _show_states(self) -> None:
        document = self._document
        running = document.work in MEASUREMENTS
        ready = document.model is not None and document.work is None
        empty = document.report is None and not running
        # Peak rates are added to the shown report, which stays where it is: its button says how
        # far that is, as does the status bar.
        self.progress.setVisible(document.work is Work.MEASURING)
        self.invitation.setVisible(empty and self.claims is None)
        self._rest.setVisible(running and document.report is None)
        self._invite()
        # Once there is a report, the arrow of Measure leads to sweeps.
        headed = document.model is not None and (document.report is None or self.views.current)
        self._head.setVisible(bool(headed))
        view = self.report_view
        self.dock.show_legend(view.legend if view is not None else None)
        self.dock.setVisible(view is not None and not self.views.current)
        above = GAP - BELOW_HEAD if headed else PADDING
        self._page.setContentsMargins(PADDING, above, BESIDE_BAR, PADDING)
        self.settings.show_or_hide()
        for action in (self.failure.again, self.failure.way):
            action.setEnabled(ready)
        if document.report is None and document.model is not None:
            self.settings.open(not running)

    def _begin_progress(self) -> None:
        spec = self._document.spec
        self.progress.begin(headline_context(spec.contexts) if spec.generates else None)

    def _invite(self) -> None:
        document = self._document
        ready = document.model is not None and document.work is None
        self.invitation.show_state(document.name, ready, document.spec.generates)


class LegendDock(QWidget):
    """The legend of the markers below the page, which never scrolls away."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._legend: Legend | None = None
        self._column = column_of(on=self, margins=(PADDING, 5, PADDING, 4))
        self.hide()

    def show_legend(self, legend: Legend | None) -> None:
        """Show the legend of another report."""
        if legend is self._legend:
            return
        if self._legend is not None:
            self._column.removeWidget(self._legend)
            self._legend.deleteLater()
        self._legend = legend
        if legend is not None:
            self._column.addWidget(legend)
            legend.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and the line above."""
        palette = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), qt_color(palette.bar))
        painter.fillRect(QRectF(0, 0, self.width(), 1), qt_color(palette.border))


class Invitation(QWidget):
    """The page before the first report: a sentence and the next action."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title = label("", "title")
        self.words = label("", "secondary", wraps=True)
        self.measure = button(theme, tr("Measure"), "play", primary=True)
        self.measure.setMinimumWidth(140)
        self.words.setFixedWidth(380)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addStretch(2)
        for text in (self.title, self.words):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for widget in (self.title, self.words, self.measure):
            add_to(column, row(None, widget, None), 4)
        column.addStretch(3)

    def show_state(self, name: str, ready: bool, by_token: bool) -> None:
        """Invite to measure, or tell that the model is still being read. by_token: whether a
        language model is measured token by token."""
        shown = units.clip(name, 60)
        self.title.setText(
            tr("{shown} has not been measured yet").format(shown=shown)
            if ready
            else tr("Opening {shown}").format(shown=shown)
        )
        self.words.setText(
            tr("You can measure it as soon as it has loaded.")
            if not ready
            else tr(
                "Measure the time to the first token, tokens per second at each context, and "
                "the layers of both phases."
            )
            if by_token
            else tr(
                "Measure its latency, what limits it, the time of each layer, and which layers "
                "each device supports."
            )
        )
        self.measure.setVisible(ready)
