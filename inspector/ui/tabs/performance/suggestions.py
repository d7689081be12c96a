"""Suggestions: the most important ones, then all with their layers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.advice.bottleneck import Bottleneck, bottleneck
from inspector.analysis.advice.report_rules import ADDED_LAYOUT
from inspector.backends.base import Capability
from inspector.engine.client.engine_process import Progress
from inspector.report.report import PerformanceReport
from inspector.ui import commands, units
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr, tr_message, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import PADDING, Card, button, follow, hairline, row, tip
from inspector.ui.widgets.theme import Theme

# Findings below what limits the run: three in all, so that ten layers fit at 1440 x 900.
_FINDINGS = 2
_MEASURE_PEAK = mark("Measure device peak")
_MEASURE_PEAK_AGAIN = mark("Measure device peak again")
_PEAK_HINT = mark(
    "Measures only how fast the device computes and moves data. The model is not measured "
    "again; the rest of the report stays as it is"
)
_SAID_ALREADY = "dominant-operator"


_HEAD_CHARACTERS = 60  # longest beginning before a colon that is a fact by itself
_BUTTON_PX = 132  # the least width of a button
_ABOVE_PX = 2  # and below a button: room to the card's edge and to the next one
_TABS = {  # rule: tab on which its subject is shown
    "large-constants": ("weights", mark("Show weights")),
    "quantisation": ("improve", mark("Open Improve")),
    "initializers-as-inputs": ("improve", mark("Fix in Improve")),
}


@dataclass(frozen=True, slots=True)
class Remedy:
    """The action of the button of a suggestion. changes: settings for the next measurement."""

    text: str
    changes: dict[str, object]


_REMEDIES = {
    "optimization-level": Remedy(
        mark("Measure with all optimizations"), {"optimization": "all"}
    ),
    "threads": Remedy(mark("Measure with default thread counts"), {"threads": 0}),
    ADDED_LAYOUT: Remedy(mark("Try without conversions"), {"optimization": "extended"}),
    "outputs-not-bound": Remedy(mark("Try with I/O binding"), {"binding": "outputs"}),
}


def fact_and_reason(advice: Advice) -> tuple[str, str]:
    """Return a finding in two parts: what is so, and what it means or could gain."""
    sentence = written(advice.sentence)
    head, colon, rest = sentence.partition(": ")
    if colon and len(head) <= _HEAD_CHARACTERS:
        return f"{head}:", rest
    gain = in_window(advice.gain).partition(". ")[0].rstrip(".")
    return sentence, f"{gain}." if gain else ""


class FindingsCard(Card):
    """What limits the run, then the first findings, one line each where there is room.

    rows: of the findings. timeline_asked, roofline_asked, details_asked: the timeline, the
    roofline or all suggestions should come into view.
    """

    timeline_asked = Signal()
    roofline_asked = Signal()
    details_asked = Signal()
    resized = Signal()  # its texts wrap otherwise now

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        advised: Sequence[Advice],
        selection: Selection,
        document: Document | None,
    ) -> None:
        super().__init__(theme, padding=1)
        self._report, self._selection, self._document = report, selection, document
        self._shows_progress, self._peak_text = False, ""
        self.body.setContentsMargins(PADDING - 1, 1, 8, 1)
        self.body.setSpacing(0)
        self.setAccessibleName(tr("Bottleneck and top suggestions"))
        # What limits the run says the same, and more.
        first = [one for one in advised if one.rule != _SAID_ALREADY][:_FINDINGS]
        self.rows = tuple(FindingRow(theme, one, *self._remedy(one)) for one in first)
        limit = bottleneck(report)
        self.limit = FindingRow(
            theme, _limit_text(limit, report, bool(advised)), *self._way_on(limit)
        )
        if self._peak_text:
            self.limit.button.setToolTip(tip(tr(_PEAK_HINT)))
        for place, finding in enumerate((self.limit, *self.rows)):
            if place:
                self.body.addWidget(hairline())
            self.body.addWidget(finding)
        self.line_up()
        if self.rows and len(advised) > len(self.rows):
            text = tr("All {count} suggestions").format(count=len(advised))
            self.rows[-1].add_link(text, self.details_asked.emit)
        if document is not None:
            document.changed(Topic.WORK).connect(self._follow_work)
            self._follow_work()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of another height."""
        super().resizeEvent(event)
        self.resized.emit()

    def line_up(self) -> None:
        """Make all buttons as wide as the widest one."""
        findings = (self.limit, *self.rows)
        widest = max(finding.button_width() for finding in findings)
        for finding in findings:
            finding.button.setMinimumWidth(widest)

    def _way_on(self, limit: Bottleneck) -> tuple[str, Callable[[], object], bool]:
        """Return the button beside what limits the run: text, action, whether it measures."""
        document = self._document
        able = document is not None and document.model is not None
        if document is not None and able:
            if limit.again or not len(self._report.trace):
                return tr("Measure again"), lambda: _measure_with(document, {}), True
            peaks = Capability.CEILINGS in document.runtime.capabilities
            known = bool(self._report.roofline.ceilings) and not limit.peak_is_low
            if peaks and not limit.unknown and not known:
                document.progressed.connect(self._show_progress)
                text = tr(_MEASURE_PEAK_AGAIN if limit.peak_is_low else _MEASURE_PEAK)
                self._peak_text = text
                return text, document.measure_peak, True
        if limit.peak_share is not None:
            return tr("Show roofline"), lambda: self._show_roofline(limit), False
        if limit.layers:
            return (
                tr("Show in timeline"),
                lambda: self._show_in_timeline(limit.layers[0]),
                False,
            )
        return tr("Show timeline"), self.timeline_asked.emit, False

    def _show_roofline(self, limit: Bottleneck) -> None:
        self._selection.choose(layer=limit.layers[0])
        self.roofline_asked.emit()

    def _remedy(self, advice: Advice) -> tuple[str, Callable[[], object], bool]:
        """Return the text of the button, what it does, and whether it measures."""
        document = self._document
        open_model = document is not None and document.model is not None
        if document is not None and open_model and advice.rule in _REMEDIES:
            remedy = _REMEDIES[advice.rule]
            return tr(remedy.text), lambda: _measure_with(document, remedy.changes), True
        changeable = document is not None and document.not_changed is None
        if document is not None and open_model and advice.steps and changeable:
            return tr("Try in Improve"), lambda: self._try_steps(document, advice), False
        tab, text = _TABS.get(advice.rule, ("", ""))
        useless = tab == "improve" and not changeable
        if document is not None and open_model and tab and not useless:
            return tr(text), lambda: self._show_tab(document, tab, advice), False
        trace = self._report.trace
        timed = [index for index in advice.layers if bool((trace.layer == index).any())]
        if timed:
            return tr("Show in timeline"), lambda: self._show_in_timeline(timed[0]), False
        if document is not None and open_model and advice.layers:
            return (
                tr("Show in graph"),
                lambda: self._show_tab(document, "graph", advice),
                False,
            )
        return tr("Show details"), self.details_asked.emit, False

    def _try_steps(self, document: Document, advice: Advice) -> None:
        document.improving.use_texts(advice.steps)
        self._show_tab(document, "improve", advice)

    def _show_in_timeline(self, layer: int) -> None:
        self._selection.choose(layer=layer)
        self.timeline_asked.emit()

    def _show_tab(self, document: Document, tab: str, advice: Advice) -> None:
        if advice.layers:
            self._selection.choose(layer=advice.layers[0])
        commands.run(self, f"tab/{tab}")

    def _follow_work(self) -> None:
        """Measure nothing while other work runs."""
        idle = self._document is not None and self._document.work is None
        for finding in (self.limit, *self.rows):
            if finding.measures:
                finding.button.setEnabled(idle)
        if idle and self._shows_progress:
            self._shows_progress = False
            self.limit.button.setText(self._peak_text)

    def _show_progress(self, progress: Progress) -> None:
        """Show on the button how far its work is."""
        if self._document is not None and self._document.work is Work.PEAK:
            self._shows_progress = True
            share = (
                f" {units.number(100 * progress.done, '.0f')}%" if progress.done >= 0 else ""
            )
            self.limit.button.setText(tr("Measuring…{share}").format(share=share))


def _limit_text(limit: Bottleneck, report: PerformanceReport, advised: bool) -> Advice:
    """Return what limits a run as a finding. advised: whether there are suggestions."""
    devices = [d for d in report.devices if any(x.ran_on == d.id for x in report.layers)]
    device = units.device(devices[0].id) if len(devices) == 1 else ""
    head = tr("Bottleneck")
    if not advised and not limit.unknown:
        head = (
            tr("Nothing found that would make it faster on this {device}").format(device=device)
            if device
            else tr("Nothing found that would make it faster")
        )
    gain = ""
    if limit.share and not limit.unknown:
        gain = tr(
            "Making these layers twice as fast would cut kernel time by {percent:.0f}%."
        ).format(percent=50 * limit.share)
    return Advice(
        "bottleneck",
        f"{head}: {written(limit.sentence)}",
        gain,
        tr("What to try: a different device, precision, or input size."),
        limit.layers,
        share=limit.share,
    )


class FindingRow(QWidget):
    """A fact, its reason and a button; wraps where it is narrow."""

    def __init__(
        self,
        theme: Theme,
        advice: Advice,
        text: str,
        action: Callable[[], object],
        measures: bool,
    ) -> None:
        super().__init__()
        fact, reason = map(tr_message, fact_and_reason(advice))
        self.measures = measures
        grave = bool(advice.settings)
        sign = QLabel()
        icon, role = ("warning", "caution") if grave else ("info", "accent")
        follow(theme, sign, lambda: sign.setPixmap(theme.pixmap(icon, role)))
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setWordWrap(True)
        # Around the text alone: lines that wrap keep away from the borders, and one line is
        # no higher than the button beside it.
        self.text.setContentsMargins(0, 3, 0, 3)
        shown, why = escape(units.clip(fact, 400)), escape(units.clip(reason, 400))
        bold = f'<span style="font-weight:600">{shown}</span>'
        self.text.setText(f"{bold} {why}")
        self.text.setAccessibleName(f"{fact} {reason}")
        self.text.setToolTip(tip(f"{in_window(advice.gain)} {in_window(advice.check)}"))
        self.setAccessibleName(units.clip(f"{fact} {reason}"))
        self.button = button(theme, text)
        self.button.clicked.connect(lambda: action())
        line = row(sign, self.text, self.button, spacing=12, stretch=1)
        line.setContentsMargins(0, _ABOVE_PX, 0, _ABOVE_PX)
        self.setLayout(line)

    def button_width(self) -> int:
        """Return the width that the button needs."""
        self.button.ensurePolished()
        return max(_BUTTON_PX, self.button.sizeHint().width())

    def add_link(self, text: str, action: Callable[[], object]) -> None:
        """Put a link behind the sentences."""
        link = f'<a href="all">{escape(text)}</a>'
        self.text.setText(f"{self.text.text()} {link}")
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.text.linkActivated.connect(lambda _: action())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for the height that the text takes in this width."""
        super().resizeEvent(event)
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(layout.heightForWidth(self.width()))


def _measure_with(document: Document, changes: dict[str, object]) -> None:
    if document.work is None:
        document.set_spec(**changes)
        document.measure()
