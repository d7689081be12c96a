"""What would make a model better, with the layers that show it."""

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.advice.finding import Advice
from inspector.report.report import PerformanceReport
from inspector.ui.selection import Selection
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import Card, button, label, row, tip
from inspector.ui.widgets.theme import Theme

_SHOWN, _LAYERS = 3, 4


class SuggestionsCard(Card):
    """Findings, those with most time at stake first; a click on a layer selects it."""

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        advised: Sequence[Advice],
        selection: Selection,
    ) -> None:
        super().__init__(theme)
        self.findings = tuple(SuggestionRow(theme, report, one, selection) for one in advised)
        hidden = len(advised) - _SHOWN
        self.more = button(
            theme,
            tr("Show {suggestion_count}").format(
                suggestion_count=plural(hidden, "more suggestion")
            ),
        )
        self.more.setProperty("role", "link")
        count = label(plural(len(advised), "suggestion"), "caption")
        self.body.addLayout(row(label(tr("Suggestions"), "heading"), None, count))
        for place, finding in enumerate(self.findings):
            self.body.addWidget(finding)
            if place >= _SHOWN:
                finding.hide()
        if hidden > 0:
            self.body.addLayout(row(self.more, None))
        self.more.clicked.connect(self._show_all)

    def _show_all(self) -> None:
        for finding in self.findings:
            finding.show()
        self.more.hide()


class SuggestionRow(QWidget):
    """One finding: what was seen, what it could gain and how to check it, and its layers."""

    def __init__(
        self, theme: Theme, report: PerformanceReport, advice: Advice, selection: Selection
    ) -> None:
        super().__init__()
        self._selection = selection
        self.setAccessibleName(units.clip(advice.sentence))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(2)
        column.addWidget(_wrapped(advice.sentence, ""))
        column.addWidget(_wrapped(f"{advice.gain} {in_window(advice.check)}", "caption"))
        names = {layer.index: layer.name or layer.operator for layer in report.layers}
        shown = [index for index in advice.layers if index in names][:_LAYERS]
        self.links = tuple(self._link(theme, index, names[index]) for index in shown)
        if self.links:
            rest = len(advice.layers) - len(self.links)
            more = label(
                tr("and {layer_count}").format(layer_count=plural(rest, "more layer"))
                if rest
                else "",
                "caption",
            )
            column.addLayout(row(*self.links, more, None, spacing=12))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for the height that the sentences take in this width."""
        super().resizeEvent(event)
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(layout.heightForWidth(self.width()))
            layout.invalidate()  # laid out while there was no height yet, it would stay so

    def _link(self, theme: Theme, index: int, name: str) -> QPushButton:
        link = button(theme, f"#{index}")
        link.setProperty("role", "link")
        link.setToolTip(tip(name))
        link.setAccessibleName(
            tr("Select layer {index}, {name}").format(index=index, name=units.clip(name, 80))
        )
        link.clicked.connect(lambda: self._selection.choose(layer=index))
        return link


def _wrapped(text: str, role: str) -> QLabel:
    widget = label(text, role, selectable=True)
    widget.setWordWrap(True)
    return widget
