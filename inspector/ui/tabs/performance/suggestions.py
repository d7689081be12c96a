"""Suggestions: the most important ones, then all with their layers."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.advice.bottleneck import Bottleneck, bottleneck
from inspector.analysis.measured.roofline_points import points
from inspector.analysis.verdicts.quoting import Quoting, quoting
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import Verdict
from inspector.ui import commands, units
from inspector.ui.documents.document import Document, Topic
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.remedies import REMEDIES, Trial
from inspector.ui.translate import mark, tr, tr_message, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import PADDING, Card, button, follow, hairline, row, tip
from inspector.ui.widgets.theme import Theme

# Findings below the quotable number and what limits the run: three rows in all, so that ten
# layers fit at 1440 x 900.
_FINDINGS = 1
_PLAIN = ("info", "accent")  # sign and color of a finding
_PROCESSES = 5  # enough for an interval between processes, few enough to wait for
_SAID_ALREADY = "dominant-operator"


_HEAD_CHARACTERS = 60  # longest beginning before a colon that is a fact by itself
_BUTTON_PX = 132  # the least width of a button
_ABOVE_PX = 5  # and below a button: room to the card's edge and to the next one
_TABS = {  # rule: tab on which its subject is shown
    "large-constants": ("weights", mark("Show weights")),
    "quantisation": ("improve", mark("Open Improve")),
    "initializers-as-inputs": ("improve", mark("Fix in Improve")),
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
    """Whether the latency can be quoted, what limits the run, then the first finding on speed.

    Each has one line where there is room. trial: what the report tried; its row takes the
    place of the finding. rows: of the findings. timeline_asked, roofline_asked, details_asked:
    the timeline, the roofline or all suggestions should come into view.
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
        trial: Trial | None = None,
    ) -> None:
        super().__init__(theme, padding=1)
        self._report, self._selection, self._document = report, selection, document
        self.body.setContentsMargins(PADDING - 1, 1, PADDING - 1, 1)
        self.body.setSpacing(0)
        self.setAccessibleName(tr("Quotable latency, bottleneck and top suggestion"))
        # What limits the run says the same, and more; what only saves space is no help here.
        others = (one for one in advised if one.rule != _SAID_ALREADY)
        first = [x for x in others if x.share or x.settings or x.steps]
        self.trial = self._trial_row(theme, trial) if trial is not None else None
        first = first[: _FINDINGS - (trial is not None)]
        self.rows = tuple(FindingRow(theme, one, *self._remedy(one)) for one in first)
        limit = bottleneck(report)
        self.quote = self._quote_row(theme, quoting(report, self._others()))
        self.limit = FindingRow(theme, _limit_text(limit), *self._way_on(limit))
        self._link(limit, advised)
        for place, finding in enumerate(self._all()):
            if place:
                self.body.addWidget(hairline())
            self.body.addWidget(finding)
        self.line_up()
        if document is not None:
            document.changed(Topic.WORK).connect(self._follow_work)
            self._follow_work()

    def _all(self) -> tuple["FindingRow", ...]:
        tried = () if self.trial is None else (self.trial,)
        return (self.quote, self.limit, *tried, *self.rows)

    def _others(self) -> Sequence[PerformanceReport]:
        return self._document.reports if self._document is not None else ()

    def _quote_row(self, theme: Theme, quotable: Quoting) -> "FindingRow":
        """Return the row on quoting, with the measurement that gives a number to quote."""
        document = self._document
        able = document is not None and document.model is not None
        text, changes = tr("Measure again"), dict[str, object]()
        if not quotable.quiet:
            text = tr("Measure in {count} processes").format(count=_PROCESSES)
            changes = {"starts": _PROCESSES}
            able = able and len(self._report.start_lengths) < _PROCESSES

        def measure() -> None:
            if document is not None:
                _measure_with(document, changes)

        said = Advice("quotable", quotable.sentence, "", "")
        sign = ("check", "good") if quotable.good else ("warning", "caution")
        return FindingRow(theme, said, text if able else "", measure, True, sign)

    def _trial_row(self, theme: Theme, trial: Trial) -> "FindingRow":
        """Return the row on what was tried, with the way to the comparison and the way back."""
        compare = commands.runner(self, "compare/reports", trial.before, trial.report)
        sign = ("check", "good") if trial.verdict.verdict is Verdict.FASTER else _PLAIN
        text = tr("Compare measurements")
        line = FindingRow(theme, trial.advice, text, compare, False, sign)
        document = self._document
        if document is not None and trial.verdict.verdict is Verdict.SLOWER:
            line.add_link(tr("Use the earlier setting"), lambda: trial.undo(document))
        return line

    def _link(self, limit: Bottleneck, advised: Sequence[Advice]) -> None:
        """Put a link to all suggestions behind what limits the run, or else to its roofline."""
        if len(advised) > len(self.rows):
            named = {index for each in advised for index in each.layers}
            text = tr("What to try")
            if limit.layers and not named & {*limit.layers}:
                text = tr("Other suggestions")
            elif len(advised) > 1:
                text = tr("All {count} suggestions").format(count=len(advised))
            self.limit.add_link(text, self.details_asked.emit)
        elif points(self._report):
            self.limit.add_link(tr("Roofline"), lambda: self._show_roofline(limit))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of another height."""
        super().resizeEvent(event)
        self.resized.emit()

    def line_up(self) -> None:
        """Make all buttons as wide as the widest one."""
        widest = max(finding.button_width() for finding in self._all())
        for finding in self._all():
            finding.button.setMinimumWidth(widest)

    def _way_on(self, limit: Bottleneck) -> tuple[str, Callable[[], object], bool]:
        """Return the button beside what limits the run: text, action, whether it measures."""
        document = self._document
        if document is not None and document.model is not None:
            if limit.again or not len(self._report.trace):
                return tr("Measure again"), lambda: _measure_with(document, {}), True
            if limit.layers and document.not_changed is None:
                show = partial(self._show_tab, document, "improve", limit.layers)
                return tr("Find a faster version"), show, False
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
        if limit.layers:
            self._selection.choose(layer=limit.layers[0])
        self.roofline_asked.emit()

    def _remedy(self, advice: Advice) -> tuple[str, Callable[[], object], bool]:
        """Return the text of the button, what it does, and whether it measures."""
        document = self._document
        open_model = document is not None and document.model is not None
        if document is not None and open_model and advice.rule in REMEDIES:
            remedy = REMEDIES[advice.rule]
            return tr(remedy.text), lambda: _measure_with(document, remedy.changes), True
        changeable = document is not None and document.not_changed is None
        if document is not None and open_model and advice.steps and changeable:
            return tr("Try in Improve"), lambda: self._try_steps(document, advice), False
        tab, text = _TABS.get(advice.rule, ("", ""))
        useless = tab == "improve" and not changeable
        if document is not None and open_model and tab and not useless:
            return tr(text), lambda: self._show_tab(document, tab, advice.layers), False
        trace = self._report.trace
        timed = [index for index in advice.layers if bool((trace.layer == index).any())]
        if timed:
            return tr("Show in timeline"), lambda: self._show_in_timeline(timed[0]), False
        if document is not None and open_model and advice.layers:
            return (
                tr("Show in graph"),
                lambda: self._show_tab(document, "graph", advice.layers),
                False,
            )
        return tr("Show details"), self.details_asked.emit, False

    def _try_steps(self, document: Document, advice: Advice) -> None:
        document.improving.use_texts(advice.steps)
        self._show_tab(document, "improve", advice.layers)

    def _show_in_timeline(self, layer: int) -> None:
        self._selection.choose(layer=layer)
        self.timeline_asked.emit()

    def _show_tab(self, document: Document, tab: str, layers: Sequence[int]) -> None:
        if layers:
            self._selection.choose(layer=layers[0])
        commands.run(self, f"tab/{tab}")

    def _follow_work(self) -> None:
        """Measure nothing while other work runs."""
        idle = self._document is not None and self._document.work is None
        for finding in self._all():
            if finding.measures:
                finding.button.setEnabled(idle)


def _limit_text(limit: Bottleneck) -> Advice:
    """Return what limits a run as a finding."""
    gain = ""
    if limit.share and not limit.unknown:
        gain = tr(
            "Making these layers twice as fast would cut kernel time by {percent:.0f}%."
        ).format(percent=50 * limit.share)
    said = f"{tr('Bottleneck')}: {written(limit.sentence)}"
    tried = tr("What to try: a different device, data type, or input size.")
    return Advice("bottleneck", said, gain, tried, limit.layers, share=limit.share)


class FindingRow(QWidget):
    """A fact, its reason and a button; wraps where it is narrow.

    text: of the button; "" for none. sign_and_role: what stands before it, and its color.
    """

    def __init__(
        self,
        theme: Theme,
        advice: Advice,
        text: str,
        action: Callable[[], object],
        measures: bool,
        sign_and_role: tuple[str, str] = _PLAIN,
    ) -> None:
        super().__init__()
        fact, reason = map(tr_message, fact_and_reason(advice))
        self.measures = measures
        sign = QLabel()
        icon, role = ("warning", "caution") if advice.settings else sign_and_role
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
        more = f"{in_window(advice.gain)} {in_window(advice.check)}".strip()
        self.text.setToolTip(tip(more) if more else "")
        self.setAccessibleName(units.clip(f"{fact} {reason}"))
        self.button = button(theme, text, then=lambda: action())
        line = row(sign, self.text, self.button, spacing=12, stretch=1)
        line.setContentsMargins(0, _ABOVE_PX, 0, _ABOVE_PX)
        self.setLayout(line)
        self.button.setVisible(bool(text))  # within the row: alone it would be a window

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
