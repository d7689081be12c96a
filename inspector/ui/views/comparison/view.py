"""Reports side by side in a window of their own; one of them is the baseline."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

from msgspec.structs import replace
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

from inspector.comparison.comparison import Comparison, compare
from inspector.comparison.layer_changes import Change
from inspector.errors import InspectorError
from inspector.pages.comparison import metric_table, setting_table, type_table
from inspector.pages.lists.layer_changes import layer_table
from inspector.render.registry import Subject, formats_of
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import Verdict
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.translate import mark, plural, tr, when, with_ellipsis
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.comparison_links import REPORTS, ComparisonLinks
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import BESIDE_BAR, resize_on_screen, scroll_down
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
    label,
    note,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.table_card import FilterField, PageTableCard, RowMenu
from inspector.ui.widgets.theme import Theme

PAGES = (mark("Layers"), mark("Metrics"), mark("Settings"), mark("Data types"))
_MOST_WARNINGS = 4
_BASELINE = 400  # px, width
_SIZE = 1180, 760


_FEWEST_ROWS = 4  # so that the window stays small where much is said above the table


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
        self.setWindowTitle(tr("Compare measurements — Inspector"))
        resize_on_screen(self, *_SIZE)
        self._theme, self._reports = theme, reports
        names = [_report_title(report) for report in reports]
        self.baseline = ChoiceField(
            tr("Baseline"), [str(i) for i in range(len(reports))], names
        )
        self.baseline.setFixedWidth(_BASELINE)
        self.pages = Segmented(theme, PAGES, 92)
        self.pages.setAccessibleName(tr("Comparison page"))
        self._body = QVBoxLayout()
        self._body.setSpacing(GAP)
        self._content: QWidget | None = None
        self._pages: tuple[QWidget, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, BESIDE_BAR, 16)
        column.setSpacing(GAP)
        self.notice = Notice(theme, self)
        self.export = tool(theme, "export", tr("Export comparison"))
        self.export.setMenu(self._formats())
        self.export.setPopupMode(self.export.ToolButtonPopupMode.InstantPopup)
        text_label = label(tr("Baseline"), "secondary")
        self.busy = label(tr("Comparing…"), "secondary")
        self.busy.hide()
        column.addLayout(
            _aligned_row(self.pages, self.busy, None, text_label, self.baseline, self.export)
        )
        self.links = ComparisonLinks(theme, REPORTS)
        add_to(column, self.links, (self._body, 1))
        self.baseline.currentIndexChanged.connect(self._compare)
        self.pages.chosen.connect(self._show_page)
        self.comparison: Comparison | None = None
        self._jobs, self._turn = TaskRunner(self), 0
        self._compare()

    def _formats(self) -> QMenu:
        menu = QMenu(self)
        for each in formats_of(Subject.COMPARISON):
            menu.addAction(
                with_ellipsis(tr(each.title)), partial(self._export, each.id)
            ).setData(each.id)
        return menu

    def _export(self, form: str) -> None:
        assert self.comparison is not None, "nothing is exported before it is there"
        exporter = Exporter(self, self.notice)
        time_text = zip(self.comparison.names, map(_run_text, self._ordered), strict=True)
        names = tuple(f"{letter}: {text}" for letter, text in time_text)
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

        def show(comparison: Comparison) -> None:
            if turn == self._turn:  # another baseline was chosen meanwhile
                self._show(comparison, reports)

        self.export.setEnabled(False)
        if self._content is None:
            self._replace(_message(tr("Comparing…")))
        # Thousands of samples drawn thousands of times: seconds for each report.
        self.busy.setVisible(self.comparison is not None)  # else it stands in the middle
        self._jobs.start(lambda: compare(reports, letters), show, self._fail)

    def _fail(self, error: InspectorError) -> None:
        self.busy.hide()
        self.notice.show_error(error)

    def _show(self, comparison: Comparison, reports: tuple[PerformanceReport, ...]) -> None:
        self.comparison = comparison
        self.export.setEnabled(True)
        self.busy.hide()
        self._replace(self._made(comparison, reports))
        self._show_page()
        self.compared.emit()

    def _replace(self, content: QWidget) -> None:
        if self._content is not None:
            self._body.removeWidget(self._content)
            self._content.deleteLater()
        self._content = content
        self._body.addWidget(content, 1)
        content.show()

    def _made(self, comparison: Comparison, reports: tuple[PerformanceReport, ...]) -> QWidget:
        theme, letters = self._theme, list(comparison.names)
        self.layers = LayerCard(theme, comparison, letters)
        title = tr("Metrics")
        numbers = metric_table(comparison, letters)
        self.numbers = PageTableCard(theme, title, title, numbers, first_rows=0)
        self.settings = _settings(theme, comparison, letters)
        self.types = _types(theme, comparison, letters)
        content = QWidget()
        self.verdicts = Verdicts(
            theme, comparison, [_report_title(report) for report in reports]
        )
        column = column_of(_aligned_row(self.verdicts), on=content, spacing=GAP)
        layers = _framed(self.layers)
        if all(comparison.different_networks[1:]):
            layers = _message("\n".join(comparison.different_networks[1:]))
        shown = (layers, _framed(self.numbers), self.settings, self.types)
        for number, page in enumerate(shown):
            column.addWidget(page, 1)
            # All four at once would make the window higher, which it then stays.
            page.setVisible(number == self.pages.current)
        self._pages = shown
        return content

    def _show_page(self) -> None:
        if self.comparison is None:
            return
        for number, page in enumerate(self._pages):
            page.setVisible(number == self.pages.current)


def _aligned_row(*widgets: QWidget | None) -> QHBoxLayout:
    """A row as wide as the cards of pages that scroll, and keep the room of their bar."""
    made = row(*widgets)
    made.setContentsMargins(0, 0, PADDING - BESIDE_BAR, 0)
    return made


def _framed(card: QWidget) -> QWidget:
    page = QWidget()
    page.setLayout(_aligned_row(card))
    return page


def _message(text: str) -> QWidget:
    shown = label(text, "secondary", selectable=True)
    shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
    shown.setWordWrap(True)
    return shown


class Verdicts(Card):
    """A line for each report with its verdict; below what makes them hard to compare."""

    def __init__(self, theme: Theme, comparison: Comparison, names: list[str]) -> None:
        super().__init__(theme)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(3, 2)
        middles = comparison.metrics[0].values
        for side, (letter, name) in enumerate(zip(comparison.names, names, strict=True)):
            time = middles[side]
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(label(letter, "heading"), side, 0, top)
            grid.addWidget(Elided(name), side, 1, top)
            time_text = tr("not measured") if time is None else units.duration(time)
            middle = label(time_text, "heading")
            grid.addWidget(middle, side, 2, top | Qt.AlignmentFlag.AlignRight)
            verdict = tr("baseline") if side == 0 else comparison.judgements[side].text()
            text_label = label(verdict, "secondary")
            text_label.setWordWrap(True)
            if side:
                _tinted(theme, text_label, comparison.judgements[side].verdict)
            grid.addWidget(text_label, side, 3)
        self.body.addLayout(grid)
        if comparison.starts:
            starts = label(in_window(comparison.starts), "caption")
            starts.setWordWrap(True)
            self.body.addWidget(starts)
        shown = comparison.warnings[:_MOST_WARNINGS]
        hidden = len(comparison.warnings) - len(shown)
        for warning in shown:
            self.body.addLayout(note(theme, warning, "warning", "caution"))
        if hidden:
            text = tr("And {warning_count}")
            self.more = button(theme, text.format(warning_count=plural(hidden, "more warning")))
            self.more.setProperty("role", "link")
            self.more.setToolTip(tip(*comparison.warnings[len(shown) :]))
            self.more.clicked.connect(partial(self._show_all, theme, comparison))
            line = row(self.more, None)
            line.setContentsMargins(24, 0, 0, 0)  # below the other sentences
            self.body.addLayout(line)

    def _show_all(self, theme: Theme, comparison: Comparison) -> None:
        self.more.hide()
        for warning in comparison.warnings[_MOST_WARNINGS:]:
            self.body.addLayout(note(theme, warning, "warning", "caution"))


def _tinted(theme: Theme, text: QWidget, verdict: Verdict) -> None:
    role = {Verdict.SLOWER: "bad", Verdict.FASTER: "good"}.get(verdict)
    if role is not None:
        follow(
            theme, text, lambda: text.setStyleSheet(f"color: {getattr(theme.palette, role)}")
        )


def _settings(theme: Theme, comparison: Comparison, letters: list[str]) -> QWidget:
    """Return what differs as columns, what is alike once."""
    cards = []
    for title, equal in ((tr("Different settings"), False), (tr("Same settings"), True)):
        card = PageTableCard(theme, title, title, setting_table(comparison, letters, equal))
        card.table.setVisible(card.model.total > 0)
        cards.append(card)
    return _page(*cards)


def _types(theme: Theme, comparison: Comparison, letters: list[str]) -> QWidget:
    cards = []
    for side in range(1, len(letters)):
        title = tr("Compute types of report {letters} and report {letters_2}").format(
            letters=letters[0], letters_2=letters[side]
        )
        card = PageTableCard(theme, title, title, type_table(comparison, side, letters))
        if not comparison.transitions[side].first:
            card.table.hide()
            text = tr(
                "No layer has a compute type in both reports. Measure both models again "
                "to record their compute types."
            )
            missing = label(text, "secondary")
            missing.setWordWrap(True)
            missing.setContentsMargins(PADDING - 1, 0, PADDING - 1, 4)
            card.body.addWidget(missing)
        cards.append(card)
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
    area.setAccessibleName(tr("Comparison"))
    scroll_down(area)
    area.setWidget(page)
    return area


def _report_title(report: PerformanceReport) -> str:
    return units.clip(f"{_run_text(report)}, {when(report.created)}", 90)


def _run_text(report: PerformanceReport) -> str:
    """Return what was measured, and with which settings."""
    devices = " + ".join(units.device(device) for device in report.spec.devices)
    optimized = report.spec.optimization
    level = "" if optimized == "all" else f", {units.optimization(optimized)}"
    threads = f", {plural(report.spec.threads, 'thread')}" if report.spec.threads else ""
    return units.clip(f"{report.model.name}, {devices}{level}{threads}", 80)


class LayerFilter(StrEnum):
    """A choice of the layers that are listed."""

    ALL = mark("All")
    SLOWER = mark("Slower")
    FASTER = mark("Faster")
    MOVED = mark("Different device")
    NEW = mark("Added")
    GONE = mark("Removed")


class LayerCard(PageTableCard):
    """Layers of all reports, aligned; the kinds above the table pick some of them."""

    def __init__(self, theme: Theme, result: Comparison, letters: Sequence[str]) -> None:
        self._places = {
            kind: [place for place in range(len(result.layers))
                   if kind in _filters_of(result, place)]
            for kind in LayerFilter
        }  # fmt: skip
        self.offered = tuple(
            kind for kind in LayerFilter if kind is LayerFilter.ALL or self._places[kind]
        )
        items = [
            kind.value
            if kind is LayerFilter.ALL
            else f"{kind.value} {units.number(len(self._places[kind]))}"
            for kind in self.offered
        ]
        self.kinds = Segmented(theme, items, 0)
        self.kinds.setAccessibleName(tr("Layers shown"))
        text = tr("Filter by name or operator")
        field = FilterField(theme, tr("Filter layers"), text, wide=220, small=110, roomy=900)
        name, table = tr("Layers side by side"), layer_table(result, letters)
        super().__init__(
            theme, tr("Layers"), name, table, field, self.kinds,
            first_rows=0, fewest=_FEWEST_ROWS,
        )  # fmt: skip
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._layers = result.layers
        self.row_menu = RowMenu(self.table, field, self._named)
        self.kinds.chosen.connect(
            lambda index: self.model.show_only(self._places[self.offered[index]])
        )

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        layer = self._layers[self.model.place_of(row)]
        return layer.name, (layer.operator,)


def _filters_of(result: Comparison, place: int) -> frozenset[LayerFilter]:
    layer = result.layers[place]
    block = result.blocks[layer.block]
    kinds = {LayerFilter.ALL}
    for side in range(1, len(layer.cells)):
        one, other = layer.cells[0], layer.cells[side]
        if one is None and other is not None:
            kinds.add(LayerFilter.NEW)
        if one is not None and other is None:
            kinds.add(LayerFilter.GONE)
        if layer.moved_in(side):
            kinds.add(LayerFilter.MOVED)
        if block.lead == place and block.changes[side] is Change.SLOWER:
            kinds.add(LayerFilter.SLOWER)
        if block.lead == place and block.changes[side] is Change.FASTER:
            kinds.add(LayerFilter.FASTER)
    return frozenset(kinds)
