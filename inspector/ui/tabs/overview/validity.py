"""Whether the file is valid: one row of the headline, with the check that says so."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QGridLayout, QLabel

from inspector.report.compatibility import PROGRAMS, RUNTIME, CompatibilityResult, Outcome
from inspector.ui import units
from inspector.ui.documents.estimating import CompatibilityCheck
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import button, follow, label, wrapped
from inspector.ui.widgets.theme import Theme

_REASON = 300  # letters
_UNCHECKED = "info", "secondary", mark("Unknown")
_CERTAIN = "certain", "good", mark("Certain")
_PARTLY = "warning", "caution", mark("Partly")
_PROBLEM = "warning", "bad", mark("Problem")


class ValidityRow(QObject):
    """Fills a row of a grid: sign, word, statement, reason, and a button that checks.

    work: the check in other programs; None for a model that they do not read. findings: what
    reading the file noticed.
    """

    def __init__(
        self,
        theme: Theme,
        work: CompatibilityCheck | None,
        findings: int,
        grid: QGridLayout,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._work, self._findings = work, findings
        self._kind = _UNCHECKED
        self._theme = theme
        self.sign, self.word = QLabel(), label("", "secondary")
        self.sign.setFixedWidth(16)
        self.statement = label("", "value")
        self.reason = wrapped("", "secondary")
        self.reason.setContentsMargins(8, 0, 0, 0)
        self.ask = button(theme, tr("Check"))
        self.ask.setAccessibleName(tr("Check whether the file is valid"))
        self.ask.clicked.connect(self._ask)
        line = grid.rowCount()
        middle = Qt.AlignmentFlag.AlignVCenter
        parts = (self.sign, self.word, self.statement, self.reason)
        for column, widget in enumerate(parts):
            grid.addWidget(widget, line, column, middle)
        grid.addWidget(self.ask, line, 4, Qt.AlignmentFlag.AlignRight | middle)
        follow(theme, self.sign, self._draw_sign)
        if work is not None:
            work.changed.connect(self._show)
        self._show()

    def _ask(self) -> None:
        work = self._work
        if work is not None:
            (work.stop if work.asking else work.ask)()

    def _draw_sign(self) -> None:
        icon, role, _ = self._kind
        self.sign.setPixmap(self._theme.pixmap(icon, role))

    def _show(self) -> None:
        work = self._work
        self.ask.setVisible(work is not None)
        if work is None:
            self._say(_UNCHECKED, tr("Readable"), self._as_read())
            return
        if work.asking:
            program = PROGRAMS[min(len(work.found), len(PROGRAMS) - 1)]
            self._say(
                _UNCHECKED, tr("Valid?"), tr("Checking {programs}…").format(programs=program)
            )
        elif work.error is not None:
            why = f"{work.error.what}: {work.error.why}"
            self._say(_UNCHECKED, tr("Valid?"), units.clip(why, _REASON))
        elif len(work.found) < len(PROGRAMS):
            text = tr("{read} Other programs not asked yet.")
            self._say(_UNCHECKED, tr("Valid?"), text.format(read=self._as_read()))
        else:
            self._judge(work.found)
        text = tr("Check again") if work.found else tr("Check")
        self.ask.setText(tr("Cancel") if work.asking else text)

    def _judge(self, found: tuple[CompatibilityResult, ...]) -> None:
        """Say what all programs together mean."""
        refusals = [each for each in found if each.outcome is not Outcome.OPENS]
        runtime = next(each for each in found if each.program == RUNTIME)
        if not refusals:
            version = f"{runtime.program} {runtime.version}".strip()
            text = tr("onnx, its checker, its shape inference and {runtime} load it.")
            self._say(_CERTAIN, tr("Valid"), text.format(runtime=version))
            return
        first = refusals[0] if runtime.outcome is Outcome.OPENS else runtime
        why = units.clip(f"{first.program}: {first.why or first.outcome.value}", _REASON)
        if runtime.outcome is Outcome.OPENS:
            self._say(_PARTLY, tr("Loads, but is not valid"), why)
        else:
            self._say(_PROBLEM, tr("Does not load"), why)

    def _as_read(self) -> str:
        if not self._findings:
            return tr("Inspector reads it without findings.")
        text = tr("Inspector reads it with {findings}, listed below.")
        return text.format(findings=plural(self._findings, "finding"))

    def _say(self, kind: tuple[str, str, str], statement: str, reason: str) -> None:
        self._kind = kind
        self._draw_sign()
        self.word.setText(tr(kind[2]))
        self.statement.setText(statement)
        self.reason.setText(reason)
