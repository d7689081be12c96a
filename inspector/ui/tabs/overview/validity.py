"""Whether the file is valid: one row of the headline, with the check that says so."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel

from inspector.errors import InspectorError
from inspector.preview.identity import UNREADABLE_WEIGHTS
from inspector.report.compatibility import PROGRAMS, RUNTIME, CompatibilityResult, Outcome
from inspector.ui import units
from inspector.ui.background import WhileShown
from inspector.ui.documents.document import Document
from inspector.ui.documents.estimating import CompatibilityCheck
from inspector.ui.tabs.overview.load_record import LoadRecord
from inspector.ui.tabs.overview.next_steps import repair_button
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import button, follow, keep_room, label, row, tip, wrapped
from inspector.ui.widgets.theme import Theme

ROW_PX = 24  # height of a line
_REASON = 300  # letters
_UNCHECKED = "info", "secondary", mark("Unknown")
_CERTAIN = "certain", "good", mark("Certain")
_PARTLY = "warning", "caution", mark("Partly")
_PROBLEM = "warning", "bad", mark("Problem")
_OUTCOME_MARKS = {Outcome.OPENS: "✓", Outcome.REFUSES: "✗"}


class ValidityRow(QObject):
    """Fills a row of a grid: sign, word, statement, reason, and a button that checks.

    work: the check in other programs; None for a model that they do not read. findings: how
        many the page lists; `findings_requested` asks to show them.
    """

    findings_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        document: Document,
        work: CompatibilityCheck | None,
        findings: int,
        grid: QGridLayout,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        model = document.model
        flaws = (each for each in model.findings if each.invalid) if model is not None else ()
        told = (": ".join(filter(None, (f.subject, written(f.text)))) for f in flaws)
        self._flaws = tuple(in_window(each, begins=False) for each in told)
        # What a rule that the file breaks says comes before a runtime's words for it: it names
        # the place and the remedy.
        self._cause = next(iter(self._flaws), "")
        weights = model.weights if model is not None else ()
        unread = any(weight.problem for weight in weights)
        weights_unread = units.capitalized(written(UNREADABLE_WEIGHTS))
        self._flaw = weights_unread if unread else tr("Not valid")
        self.loads = LoadRecord.of(document)
        self._work, self._theme = work, theme
        self._kind = _UNCHECKED
        self.sign, self.word = QLabel(), label("", "secondary")
        self.sign.setFixedWidth(16)
        self.statement = label("", "value")
        self.reason = wrapped("", "secondary")
        self.reason.setContentsMargins(8, 3, 0, 3)
        self.ask = button(theme, "", role="link", then=self._ask)
        self.ask.setStyleSheet("text-align: right;")
        # Nothing moves when the answer comes.
        keep_room(self.ask, (tr("Check"), tr("Check again"), tr("Cancel")))
        kinds = (_UNCHECKED, _CERTAIN, _PARTLY, _PROBLEM)
        keep_room(self.word, (tr(word) for *_, word in kinds))
        self.ask.setAccessibleName(tr("Check whether the file is valid"))
        self.findings = button(theme, plural(findings, "finding"), role="link")
        self.findings.setAccessibleName(tr("Show the findings"))
        self.findings.clicked.connect(self.findings_requested)
        self.repair = repair_button(theme)
        line = grid.rowCount()
        grid.setRowMinimumHeight(line, ROW_PX)
        middle = Qt.AlignmentFlag.AlignVCenter
        parts = (self.sign, self.word, self.statement, self.reason)
        for column, widget in enumerate(parts):
            grid.addWidget(widget, line, column, middle)
        grid.addLayout(row(None, self.findings, self.repair, self.ask), line, 4)
        self.findings.setVisible(findings > 0)
        self.ask.setVisible(work is not None)
        # Where no runtime loads the file, the card that says so has this button.
        repairable = model is not None and model.repairable
        self.repair.setVisible(repairable and document.not_run is None)
        follow(theme, self.sign, self._draw_sign)
        if work is not None:
            work.changed.connect(lambda: self.loads.note_check(work.found))
            work.changed.connect(self._show)
        late = WhileShown(self.statement, self._show)
        self.loads.changed.connect(late.call)
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
        found = work.found if work is not None else ()
        if work is not None:
            self.ask.setText(
                tr("Cancel") if work.asking else tr("Check again") if found else tr("Check")
            )
        lines = (
            f"{_OUTCOME_MARKS.get(v.outcome, '?')} {v.program} {v.version} {v.why}".rstrip()
            for v in found
        )
        self.reason.setToolTip(tip(*lines))
        if work is not None and work.asking and not self._known:
            program = PROGRAMS[min(len(found), len(PROGRAMS) - 1)]
            text = tr("Checking {programs}…").format(programs=program)
            self._say(_UNCHECKED, tr("Validity"), text)
        elif work is not None and work.error is not None and not self._known:
            self._say(_UNCHECKED, tr("Validity"), f"{work.error.what}: {work.error.why}")
        elif len(found) == len(PROGRAMS):
            self._judge(found)
        else:
            self._say_before_check()

    @property
    def _known(self) -> bool:
        """Whether reading the file, or a run of it, has shown more than that it is readable."""
        return bool(self._flaws or self.loads.runtime)

    def _judge(self, found: tuple[CompatibilityResult, ...]) -> None:
        """Say what all programs together mean."""
        runtime = next(each for each in found if each.program == RUNTIME)
        refusal = next((each for each in found if each.outcome is not Outcome.OPENS), None)
        if runtime.outcome is not Outcome.OPENS:
            hint = in_window(runtime.hint)
            why = f"{runtime.program}: {runtime.why or runtime.outcome.value}. {hint}".strip()
            self._say(_PROBLEM, tr("Does not load"), self._cause or why)
        elif self.loads.error is not None:  # with the settings of the run
            self._say_before_check()
        elif refusal is not None:
            hint = in_window(refusal.hint)
            why = f"{refusal.program}: {refusal.why or refusal.outcome.value}. {hint}".strip()
            self._say(_PARTLY, tr("Loads, but is not valid"), self._cause or why)
        elif self._flaws:
            self._say(_PARTLY, tr("Loads, but is not valid"), self._cause)
        elif self.loads.stopped is not None:
            self._say_stopped(self.loads.stopped)
        else:
            text = tr("onnx, its checker, its shape inference and {runtime} load it.")
            name = f"{runtime.program} {runtime.version}".strip()
            self._say(_CERTAIN, tr("Valid"), text.format(runtime=name))

    def _say_before_check(self) -> None:
        """Say what reading the file showed, and its runs here."""
        runtime, error = self.loads.runtime, self.loads.error
        ran = bool(runtime) and error is None
        if error is not None:
            statement = tr("Does not load in {runtime}").format(runtime=runtime)
            why = units.capitalized(error.why or error.what)
            said = ". ".join(filter(None, (why, in_window(error.hint))))
            self._say(_PROBLEM, statement, self._cause or said)
        elif self._flaws:
            kind, statement = _PROBLEM, self._flaw
            if ran:
                kind, statement = _PARTLY, tr("Loads, but is not valid")
            self._say(kind, statement, self._cause)
        elif self.loads.stopped is not None:
            self._say_stopped(self.loads.stopped)
        elif ran:
            text = tr("{runtime} loaded and ran it.").format(runtime=runtime)
            self._say(_CERTAIN, tr("Loads and runs"), text)
        elif self._work is None:
            text = tr("Inspector can read the whole file.")
            self._say(_CERTAIN, tr("Readable"), text)
        else:
            text = tr("Inspector can read it. ONNX Runtime and the onnx checker: not checked.")
            self._say(_UNCHECKED, tr("Validity"), text)

    def _say_stopped(self, error: InspectorError) -> None:
        """Say that a run failed: that may be the input, or the file."""
        self._say(_PARTLY, tr("Loads, but a run failed"), units.capitalized(error.why))

    def _say(self, kind: tuple[str, str, str], statement: str, reason: str) -> None:
        self._kind = kind
        self._draw_sign()
        self.word.setText(tr(kind[2]))
        self.statement.setText(statement)
        self.reason.setText(units.clip(reason, _REASON))
