"""Habits that were found in a recording: a quiet list; each shows where it is."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from inspector.analysis.advice.trace_rules import Finding
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import PADDING, Card, Elided, follow, label, row
from inspector.ui.widgets.theme import Theme

_MOST = 3


class FindingsCard(Card):
    """The findings of a trace, each with advice; hidden if there are none.

    show_spans: brings the spans of a finding into view and selects the one at a place.
    """

    def __init__(
        self,
        theme: Theme,
        findings: tuple[Finding, ...],
        show_spans: Callable[[Finding, int], None],
    ) -> None:
        super().__init__(theme, padding=1)
        self.setAccessibleName(tr("Findings"))
        self.rows = [FindingRow(theme, finding, show_spans) for finding in findings]
        self.all = _link("")
        self.all.clicked.connect(lambda: self._show(self.rows[-1].isHidden()))
        text_label = label(f"{len(findings)}", "secondary")
        head = row(label(tr("Findings"), "heading"), 4, text_label, None, self.all)
        head.setContentsMargins(PADDING - 1, 7, PADDING - 9, 1)
        self.body.setSpacing(4)
        self.body.setContentsMargins(1, 1, 1, 10)
        self.body.addLayout(head)
        for one in self.rows:
            self.body.addWidget(one)
        self._show(False)
        if not findings:
            self.hide()

    def _show(self, every: bool) -> None:
        for one in self.rows[_MOST:]:
            one.setVisible(every)
        self.all.setText(
            tr("Show fewer") if every else tr("Show all {count}").format(count=len(self.rows))
        )
        self.all.setAccessibleName(tr("{text} findings").format(text=self.all.text()))
        self.all.setVisible(len(self.rows) > _MOST)


class FindingRow(QWidget):
    """One finding; its link shows where, each time the next place."""

    def __init__(
        self, theme: Theme, finding: Finding, show_spans: Callable[[Finding, int], None]
    ) -> None:
        super().__init__()
        self._finding, self._show_spans, self._place = finding, show_spans, 0
        self.link = _link(plural(len(finding.spans), "event"))
        self.link.setAccessibleName(
            tr("Show events: {sentence}").format(sentence=finding.sentence)
        )
        self.link.clicked.connect(self._show_next)
        icon = QLabel()
        follow(theme, icon, lambda: icon.setPixmap(theme.pixmap("warning", "caution")))
        end = Qt.TextElideMode.ElideRight
        grid = QGridLayout(self)
        grid.setContentsMargins(PADDING - 1, 0, PADDING, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(icon, 0, 0)
        grid.addWidget(Elided(finding.sentence, "", end), 0, 1)
        grid.addWidget(Elided(finding.advice, "secondary", end), 1, 1)
        grid.addWidget(self.link, 0, 2, 2, 1)

    def _show_next(self) -> None:
        self._show_spans(self._finding, self._place)
        self._place = (self._place + 1) % len(self._finding.spans)


def _link(text: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("role", "link")
    return made
