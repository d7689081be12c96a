"""A card with the programs that can load this model, and the errors of the others."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.report.compatibility import PROGRAMS, CompatibilityResult, Outcome, summarize
from inspector.ui import units
from inspector.ui.documents.estimating import CompatibilityCheck
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import Card, button, follow, label, row
from inspector.ui.widgets.theme import Theme

_BEFORE = mark(
    "Inspector can read this model. Check whether the onnx package, its checker and ONNX "
    "Runtime can load it too; each check runs in its own process."
)
_SIGNS = {
    Outcome.OPENS: ("check", "good"),
    Outcome.REFUSES: ("close", "bad"),
    Outcome.SILENT: ("warning", "caution"),
    Outcome.DIED: ("warning", "bad"),
}


class CompatibilityCard(Card):
    """A sentence and a button; then a line for each program as it answers."""

    def __init__(self, theme: Theme, work: CompatibilityCheck) -> None:
        super().__init__(theme)
        self._work, self._shown = work, 0
        self.ask = button(theme, tr("Run"))
        self.stop = button(theme, tr("Cancel"))
        self.ask.clicked.connect(work.ask)
        self.stop.clicked.connect(work.stop)
        self.told = wrapped(tr(_BEFORE))
        self._lines = QVBoxLayout()
        self._lines.setSpacing(8)
        self.body.addLayout(
            row(label(tr("Compatibility check"), "heading"), None, self.ask, self.stop)
        )
        self.body.addWidget(self.told)
        self.body.addLayout(self._lines)
        self.body.addStretch(1)
        work.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        work = self._work
        if len(work.found) < self._shown:
            self._clear()
        for verdict in work.found[self._shown :]:
            self._lines.addWidget(VerdictLine(self._theme, verdict))
        self._shown = len(work.found)
        self.ask.setVisible(not work.asking)
        self.stop.setVisible(work.asking)
        text = tr("Run again") if work.found else tr("Run")
        self.ask.setText(text)
        self.ask.setAccessibleName(tr("{text}: compatibility check").format(text=text))
        self.told.setText(_words(work))

    def _clear(self) -> None:
        while (item := self._lines.takeAt(0)) is not None:
            if (line := item.widget()) is not None:
                line.deleteLater()


class VerdictLine(QWidget):
    """Sign, program and what it took; below, the reason of one that refuses."""

    def __init__(self, theme: Theme, verdict: CompatibilityResult) -> None:
        super().__init__()
        icon, name = QLabel(), label(verdict.program)
        icon.setFixedWidth(16)
        follow(theme, icon, lambda: icon.setPixmap(theme.pixmap(*_SIGNS[verdict.outcome])))
        opens = verdict.outcome is Outcome.OPENS
        text = units.duration(verdict.took_ns) if opens else verdict.outcome.value
        column = QVBoxLayout()
        column.setSpacing(2)
        version = label(verdict.version, "caption")
        column.addLayout(row(name, version, None, label(text, "value" if opens else "")))
        if verdict.why:
            column.addWidget(wrapped(units.clip(verdict.why, 400)))
        layout = row(spacing=10)
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(column, 1)
        self.setLayout(layout)
        self.setAccessibleName(f"{verdict.program} {verdict.outcome.value}. {verdict.why}")


def _words(work: CompatibilityCheck) -> str:
    if work.asking:
        return tr("Checking {programs}…").format(
            programs=PROGRAMS[min(len(work.found), len(PROGRAMS) - 1)]
        )
    if work.error is not None:
        return units.clip(f"{work.error.what}: {work.error.why}", 400)
    if not work.found:
        return tr(_BEFORE)
    stopped = len(work.found) < len(PROGRAMS)
    return summarize(work.found) if not stopped else tr("Canceled before all checks were done.")
