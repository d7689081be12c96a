"""The outputs of a prediction, one card each, below its latency."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.model.model import Model
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.inputs.image_files import Picture
from inspector.preview.runs.generation import Generated, Token
from inspector.ui import units
from inspector.ui.tabs.overview.value_cards import ValueCard
from inspector.ui.tabs.preview.outputs.output_view import OutputView
from inspector.ui.tabs.preview.outputs.scene_card import SceneCard
from inspector.ui.tabs.preview.outputs.text_output import GeneratedTextBody
from inspector.ui.tabs.preview.prediction_card import CautionCard, PredictionCard, ProblemCard
from inspector.ui.tabs.preview.prediction_pipeline import Answer
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.tabs.preview.trials import ExpectedCard, PresetsCard
from inspector.ui.translate import tr, tr_message
from inspector.ui.widgets.parts import GAP, Card, add_to, button, column_of, row, tip, wrapped
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme, font, qt_color

MOST_LINES = 8  # of the answer
LONGEST = 1000  # characters of a line
SHOWN = 8  # outputs
STEP = 16  # more outputs at once
VEIL_MS = 250  # until outputs of before fade


class FamilyCard(Card):
    """What a model of a known family says, and a doubt; hidden where there is neither."""

    retry_undone = Signal()  # the preprocessing that was tried without being asked

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.answer, self.further = wrapped("", "heading"), wrapped("", "")
        self.tried, self.name = wrapped("", "caution"), wrapped("", "caption")
        self.name.setAccessibleName(tr("Model family"))
        self.undo_retry = button(theme, tr("Use the guessed one"), then=self.retry_undone)
        self.undo_retry.setAccessibleName(tr("Restore the detected preprocessing"))
        self.undo_retry.setToolTip(tr("Run with the guessed preprocessing only"))
        self.body.addLayout(row(self.tried, self.undo_retry, stretch=0))
        add_to(self.body, self.answer, self.further, self.name)
        self.hide()

    def show_answer(
        self,
        answer: FamilyAnswer | None,
        retried: str,
        notes: Sequence[str] = (),
        replaced: bool = False,
    ) -> None:
        """Show another answer.

        retried: the sentence on other preprocessing, or "". notes: reasons not to rely on the
        answer, as sentences. replaced: other preprocessing than the guessed one was used, which
        can be undone.
        """
        lines = [
            units.capitalized(units.clip(tr_message(line), LONGEST))
            for line in (answer.lines[:MOST_LINES] if answer is not None else ())
        ]
        self.answer.setText("".join(lines[:1]))
        self.further.setText("\n".join(lines[1:]))
        self.name.setText(
            "" if answer is None else tr("Recognized as {name}").format(name=answer.family.name)
        )
        nothing = answer.flat if answer is not None else ""
        note = retried or (
            tr("the result is not meaningful: {nothing}").format(nothing=nothing)
            if nothing
            else ""
        )
        first = (f"{units.capitalized(note)}.",) if note else ()
        doubts = (*first, *(units.clip(tr_message(each)) for each in notes))
        self.tried.setText("\n".join(doubts))
        for part in (self.answer, self.further, self.name, self.tried):
            part.setVisible(bool(part.text()))
        self.undo_retry.setVisible(replaced)
        self.setVisible(bool(answer or doubts))


class AssumptionsCard(Card):
    """What was assumed to run the model and to read its outputs; hidden where nothing was."""

    undone = Signal()  # the assumed labels

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.preprocessing, self.assumed = wrapped("", "caption"), wrapped("", "caption")
        self.labels = wrapped("", "caption")
        self.undo = button(theme, tr("Use numbers"), then=self.undone)
        self.undo.setAccessibleName(tr("Show numbers instead of the assumed class names"))
        self.body.addWidget(self.preprocessing)
        self.body.addWidget(self.assumed)
        self.body.addLayout(row(self.labels, self.undo, stretch=0))
        self.hide()

    def show_answer(self, answer: FamilyAnswer | None, labels: str) -> None:
        """Show what another answer assumes. labels: on the assumed class names, or ""."""
        assumed = "; ".join(answer.assumed) if answer is not None else ""
        if answer is not None:
            family = answer.family
            self.preprocessing.setText(
                tr("Input: {preprocessing}.").format(preprocessing=family.preprocessing)
            )
            self.preprocessing.setToolTip(
                tip(tr("Source: {source}").format(source=family.source))
            )
        self.preprocessing.setVisible(answer is not None)
        self.assumed.setText(
            tr("Assumed: {assumed}.").format(assumed=assumed) if assumed else ""
        )
        self.assumed.setVisible(bool(assumed))
        self.labels.setText(labels)
        self.labels.setVisible(bool(labels))
        self.undo.setVisible(bool(labels))
        self.setVisible(bool(answer or labels))


class OutputList(QWidget):
    """Before the first answer the outputs as declared; later the last good answer."""

    meaning_chosen = Signal(str, str)  # name of an output, what it means

    def __init__(self, theme: Theme, model: Model, expected: Sequence[str] = ()) -> None:
        super().__init__()
        self._theme = theme
        self._readings: Sequence[Reading] = ()
        self._before: Picture | None = None
        self._labels = ""
        self.views: list[OutputView] = []
        self.card, self.problem = PredictionCard(theme), ProblemCard(theme)
        self.caution = CautionCard(theme)
        self.scene, self.tries = SceneCard(theme), PresetsCard(theme)
        self.family, self.assumptions = FamilyCard(theme), AssumptionsCard(theme)
        self.assumed_labels = ""
        self.expected = ExpectedCard(theme, expected)
        self._awaited = wrapped("", "secondary")
        self.card.hide()  # until there is a latency: what appears above would move it
        self._home = QWidget()
        self._column = column_of(on=self._home, spacing=GAP)
        self._declared: QWidget | None = ValueCard(theme, tr("Outputs"), model.outputs)
        self._column.addWidget(self._declared)
        self._more = ShowMoreButton(
            len(model.outputs), SHOWN, tr("outputs"), self._show_first, STEP
        )
        self._veil = Veil(theme, self._home)
        # What was read of the outputs is as old as they are; the words stand over the outputs.
        self._other_veils = tuple(Veil(theme, card) for card in (self.family, self.scene))
        self._outdated = False
        column = column_of(on=self, spacing=GAP)
        above = (self.problem, self.caution, self.family, self.expected, self.tries, self.scene)
        # What the model answers stands above what was assumed, and how long it took.
        below = self._awaited, self._more, self.assumptions, self.card
        add_to(column, *above, self._home, *below)
        self._more.hide()
        column.addStretch(1)

    def show_answer(self, answer: Answer, before: Picture | None, labels: str) -> None:
        """Show another answer; the views keep how they were set."""
        self.problem.hide()
        self._show_outdated(False)
        times_ns = answer.fill_ns, answer.read_ns
        self.card.show_prediction(answer.prediction, *times_ns, answer.first)
        focused = self.window().focusWidget()
        if not answer.caution.background and focused is self.caution.invert:
            self.card.predict.setFocus()  # a button that hides would pass it on, out of view
        self.caution.show_caution(answer.caution)
        self.family.show_answer(answer.family, answer.retried, answer.notes, answer.replaced)
        self.assumptions.show_answer(answer.family, self.assumed_labels)
        self.scene.show_reading(answer.scene)
        if self._declared is not None:
            self._declared.hide()  # at once: its room is for the outputs
            self._declared.deleteLater()
            self._declared = None
            self._awaited.hide()
            self.card.show()
            self._more.setVisible(len(answer.readings) > SHOWN)
        self._readings, self._before, self._labels = answer.readings, before, labels
        shapes = [(view.name, view.forms) for view in self.views]
        if shapes != [(r.output.name, r.forms) for r in answer.readings][: len(shapes)]:
            for view in self.views:
                view.deleteLater()
            self.views = []
        self._make_views(max(SHOWN, len(self.views)))
        for view, reading in zip(self.views, answer.readings, strict=False):
            view.show_reading(reading, before, labels)
            view.show()
        self._veil.raise_()

    def show_words(self, text: str) -> None:
        """Show what is awaited: below the declared outputs, later where the latency stands."""
        if self._declared is None:
            self.card.show_words(text)
        else:
            self._awaited.setText(text)

    def show_error(self, error: InspectorError) -> None:
        """Show a failure; the last good answer stays below."""
        self.problem.show_error(error)

    def show_token(self, token: Token) -> None:
        """Show one more token of a text that is written on."""
        for writer in self._writers:
            writer.add(token)

    def show_written(self, outcome: Generated | InspectorError | None) -> None:
        """Show what was written on, or why not; None: it was stopped."""
        for writer in self._writers:
            writer.end(outcome)

    @property
    def _writers(self) -> list[GeneratedTextBody]:
        return [view.writer for view in self.views if view.writer is not None]

    def set_busy(self, busy: bool) -> None:
        """Dim the last answer if the next one takes a while."""
        if not self._outdated:
            self._veil.set_wanted(busy and bool(self.views))

    def set_outdated(self) -> None:
        """Dim the last answer and call it the previous one: the present inputs have none."""
        self._show_outdated(bool(self.views))

    @property
    def outdated_text(self) -> str:
        """Return the text over a result that does not belong to the current inputs, or ""."""
        return self._veil.text if self._outdated and self._veil.isVisible() else ""

    def _show_outdated(self, outdated: bool) -> None:
        self._outdated = outdated
        text = tr("Previous result") if outdated else ""
        self.card.show_outdated(outdated)
        self._veil.show_now(text)
        for veil in self._other_veils:
            veil.show_now(text, written=False)

    def _show_first(self, number: int) -> None:
        self._make_views(number)
        for place, (view, reading) in enumerate(zip(self.views, self._readings, strict=False)):
            view.show_reading(reading, self._before, self._labels)
            view.setVisible(place < number)
        self._veil.raise_()

    def _make_views(self, number: int) -> None:
        for reading in self._readings[len(self.views) : number]:
            view = OutputView(self._theme, reading)
            view.meaning_chosen.connect(self.meaning_chosen)
            self.views.append(view)
            self._column.addWidget(view)


class Veil(QWidget):
    """Dims what lies below it, but not for a moment only."""

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._theme, self._over, self.text = theme, over, ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(VEIL_MS)
        self._pause.timeout.connect(self.show)
        over.installEventFilter(self)

    def set_wanted(self, visible: bool) -> None:
        """Dim soon, or not any more."""
        self.text = tr("Running…")
        if not visible:
            self._pause.stop()
            self.hide()
        elif self.isHidden() and not self._pause.isActive():
            self._pause.start()

    def show_now(self, text: str, written: bool = True) -> None:
        """Dim at once for a reason, or not any more where there is none."""
        self._pause.stop()
        self.text = text if written else ""
        self.setVisible(bool(text))
        self.raise_()
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the size of the widget below."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the page's color over everything, not quite opaque, and say why."""
        look, painter = self._theme.palette, QPainter(self)
        painter.fillRect(self.rect(), qt_color(look.window, 0.6))
        if not self.text:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pill = QRectF(self.width() / 2 - 60, 10, 120, 30)
        painter.setPen(qt_color(look.border))
        painter.setBrush(qt_color(look.raised))
        painter.drawRoundedRect(pill, 15, 15)
        painter.setFont(font(12, 500))
        painter.setPen(qt_color(look.text))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self.text)
