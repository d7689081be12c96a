"""Reports side by side in a window of their own; one of them is the baseline."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inspector import units
from inspector.compare import Comparison, compare, verdict_text
from inspector.judge import Verdict
from inspector.report import PerformanceReport
from inspector.ui.comparison import tables
from inspector.ui.comparison.layer_card import LayerCard
from inspector.ui.documents.jobs import Jobs
from inspector.ui.exporting import Exporter
from inspector.ui.kit.fields import ChoiceField
from inspector.ui.kit.notes import note
from inspector.ui.kit.parts import (
    GAP,
    PADDING,
    Card,
    Elided,
    Segmented,
    follow,
    label,
    row,
    tip,
    tool,
)
from inspector.ui.kit.pressed import in_window
from inspector.ui.kit.scrolling import BESIDE_BAR, scroll_down
from inspector.ui.kit.theme import Theme
from inspector.ui.window.notice import Notice
from inspector.ui.window.sidebar import when

FORMATS = (
    ("Markdown…", "md"),
    ("CSV of the layers…", "csv"),
    ("Picture (PNG)…", "png"),
    ("Picture (SVG)…", "svg"),
)
PAGES = ("Layers", "Numbers", "Settings", "Types")
_MOST_WARNINGS, _BASELINE = 4, 400


class ComparisonView(QDialog):
    """Shows which report is faster, by what, and layer by layer; the baseline can be pinned.

    comparison: None until `compared`; that of the baseline before while it is made again.
    """

    compared = Signal()

    def __init__(
        self,
        theme: Theme,
        reports: tuple[PerformanceReport, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Compare reports — Inspector")
        self.resize(1180, 760)
        self._theme, self._reports = theme, reports
        names = [_name(report) for report in reports]
        self.baseline = ChoiceField("Baseline", [str(i) for i in range(len(reports))], names)
        self.baseline.setFixedWidth(_BASELINE)
        self.pages = Segmented(theme, PAGES, 92)
        self.pages.setAccessibleName("What to compare")
        self._body = QVBoxLayout()
        self._body.setSpacing(GAP)
        self._content: QWidget | None = None
        self._pages: tuple[QWidget, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, BESIDE_BAR, 16)
        column.setSpacing(GAP)
        self.notice = Notice(theme, self)
        self.export = tool(theme, "export", "Export the comparison")
        self.export.setMenu(self._formats())
        self.export.setPopupMode(self.export.ToolButtonPopupMode.InstantPopup)
        words = label("Baseline", "secondary")
        column.addLayout(_beside_bar(self.pages, None, words, self.baseline, self.export))
        column.addLayout(self._body, 1)
        self.baseline.currentIndexChanged.connect(self._compare)
        self.pages.chosen.connect(self._show_page)
        self.comparison: Comparison | None = None
        self._jobs, self._turn = Jobs(self), 0
        self._compare()

    def _formats(self) -> QMenu:
        menu = QMenu(self)
        for words, form in FORMATS:
            menu.addAction(words, partial(self._export, form)).setData(form)
        return menu

    def _export(self, form: str) -> None:
        assert self.comparison is not None, "nothing is exported before it is there"
        exporter = Exporter(self)
        exporter.done.connect(self.notice.show_done)
        exporter.failed.connect(self.notice.show_error)
        told = zip(self.comparison.names, map(_ran, self._ordered), strict=True)
        names = tuple(f"{letter}: {words}" for letter, words in told)
        named = replace(self.comparison, names=names)
        exporter.ask_for_comparison(named, self._ordered, form)

    def _compare(self) -> None:
        """Put the pinned report in front and hold the others against it."""
        first = max(0, self.baseline.currentIndex())
        others = (report for i, report in enumerate(self._reports) if i != first)
        reports = self._ordered = (self._reports[first], *others)
        letters = [chr(ord("A") + i) if i < 26 else f"#{i + 1}" for i in range(len(reports))]
        self._turn += 1
        turn = self._turn

        def show(found: Comparison) -> None:
            if turn == self._turn:  # another baseline was chosen meanwhile
                self._show(found, reports)

        self.export.setEnabled(False)
        if self._content is None:
            self._replace(_message("Comparing…"))
        # Thousands of samples drawn thousands of times: seconds for each report.
        self._jobs.start(lambda: compare(reports, letters), show, self.notice.show_error)

    def _show(self, found: Comparison, reports: tuple[PerformanceReport, ...]) -> None:
        self.comparison = found
        self.export.setEnabled(True)
        self._replace(self._made(found, reports))
        self._show_page()
        self.compared.emit()

    def _replace(self, content: QWidget) -> None:
        if self._content is not None:
            self._body.removeWidget(self._content)
            self._content.deleteLater()
        self._content = content
        self._body.addWidget(content, 1)
        content.show()

    def _made(self, found: Comparison, reports: tuple[PerformanceReport, ...]) -> QWidget:
        theme, letters = self._theme, list(found.names)
        self.layers = LayerCard(theme, found, letters)
        self.numbers = tables.WordCard(
            theme,
            "Numbers",
            tables.numbers(theme, found, letters),
            "▲ slower, ▼ faster, ≈ no difference, ? undecided, by 95 % intervals; without a "
            "sign there is one value each, and nobody knows how much it scatters.",
        )
        self.settings = _settings(theme, found, letters)
        self.types = _types(theme, found, letters)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        self.verdicts = Verdicts(theme, found, [_name(report) for report in reports])
        column.addLayout(_beside_bar(self.verdicts))
        layers = _framed(self.layers)
        if all(found.different_networks[1:]):
            layers = _message("\n".join(found.different_networks[1:]))
        shown = (layers, _framed(self.numbers), self.settings, self.types)
        for page in shown:
            column.addWidget(page, 1)
        self._pages = shown
        return content

    def _show_page(self) -> None:
        if self.comparison is None:
            return
        for number, page in enumerate(self._pages):
            page.setVisible(number == self.pages.current)


def _beside_bar(*widgets: QWidget | None) -> QHBoxLayout:
    """A row as wide as the cards of pages that scroll, and keep the room of their bar."""
    made = row(*widgets)
    made.setContentsMargins(0, 0, PADDING - BESIDE_BAR, 0)
    return made


def _framed(card: QWidget) -> QWidget:
    page = QWidget()
    page.setLayout(_beside_bar(card))
    return page


def _message(text: str) -> QWidget:
    shown = label(text, "secondary", selectable=True)
    shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
    shown.setWordWrap(True)
    return shown


class Verdicts(Card):
    """A line for each report with its verdict; below what makes them hard to compare."""

    def __init__(self, theme: Theme, found: Comparison, names: list[str]) -> None:
        super().__init__(theme)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        middles = found.metrics[0].values
        for side, (letter, name) in enumerate(zip(found.names, names, strict=True)):
            time = middles[side]
            grid.addWidget(label(letter, "heading"), side, 0)
            grid.addWidget(Elided(name), side, 1)
            told = "not measured" if time is None else units.duration(time)
            middle = label(told, "heading")
            grid.addWidget(middle, side, 2, Qt.AlignmentFlag.AlignRight)
            said = "baseline" if side == 0 else verdict_text(found.judgements[side])
            words = label(said, "secondary", selectable=True)
            if side:
                _tinted(theme, words, found.judgements[side].verdict)
            grid.addWidget(words, side, 3)
        self.body.addLayout(grid)
        if found.starts:
            starts = label(in_window(found.starts), "caption")
            starts.setWordWrap(True)
            self.body.addWidget(starts)
        shown = found.warnings[:_MOST_WARNINGS]
        hidden = len(found.warnings) - len(shown)
        for warning in shown:
            self.body.addLayout(note(theme, warning, "warning", "caution"))
        if hidden:
            more = label(f"And {units.plural(hidden, 'more warning')}", "secondary")
            more.setContentsMargins(24, 0, 0, 0)  # below the other sentences
            more.setToolTip(tip(*found.warnings[len(shown) :]))
            self.body.addWidget(more)


def _tinted(theme: Theme, words: QWidget, verdict: Verdict) -> None:
    role = {Verdict.SLOWER: "bad", Verdict.FASTER: "good"}.get(verdict)
    if role is not None:
        follow(
            theme,
            words,
            lambda: words.setStyleSheet(f"color: {getattr(theme.palette, role)}"),
        )


def _settings(theme: Theme, found: Comparison, letters: list[str]) -> QWidget:
    """What differs as columns, what is alike once."""
    differing = tables.WordCard(
        theme, "Different", tables.settings(theme, found, letters), whole=True
    )
    same = tables.WordCard(theme, "Alike", tables.alike(theme, found), whole=True)
    return _page(differing, same)


def _types(theme: Theme, found: Comparison, letters: list[str]) -> QWidget:
    cards = [
        tables.WordCard(
            theme,
            f"From {letters[0]} to {letters[side]}",
            tables.types(theme, found.transitions[side], letters[0], letters[side]),
            "Layers that are in both, by the type that they computed in: "
            f"{letters[0]} down, {letters[side]} across. Layers that were fused count in the "
            "type of the kernel that does them."
            if found.transitions[side].first
            else "No layer is known to have computed in both. Measure both models again, so "
            "that the reports tell the types of their kernels.",
            whole=True,
        )
        for side in range(1, len(letters))
    ]
    return _page(*cards)


def _page(*cards: QWidget) -> QScrollArea:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GAP)
    for card in cards:
        column.addWidget(card)
    column.addStretch(1)
    area = QScrollArea()
    scroll_down(area)
    area.setWidget(page)
    return area


def _name(report: PerformanceReport) -> str:
    return units.clip(f"{_ran(report)}, {when(report.created)}", 90)


def _ran(report: PerformanceReport) -> str:
    """What was measured, and with which settings."""
    devices = " + ".join(units.device(device) for device in report.spec.devices)
    optimized = report.spec.optimization
    level = "" if optimized == "all" else f", {units.optimization(optimized)}"
    threads = f", {units.plural(report.spec.threads, 'thread')}" if report.spec.threads else ""
    return units.clip(f"{report.model.name}, {devices}{level}{threads}", 80)
