"""The head of the results: how long the prediction took, where, and a button to repeat it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from inspector.analysis.measured.latency import Latency
from inspector.errors import InspectorError
from inspector.model.tensors.prediction import Prediction
from inspector.ui import units
from inspector.ui.tabs.preview.fill_inputs import Caution
from inspector.ui.translate import mark, tr, tr_message
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.layouts import SteadyHeight
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    column_of,
    follow,
    label,
    row,
    unit,
    wrapped,
)
from inspector.ui.widgets.theme import Theme

_FEW_RUNS = mark("Not a benchmark: these are a few runs with this input.")


class PredictionCard(Card):
    """Latency and device of the last answer, notes of the runtime, and what is under way.

    predict: the button that runs the model again, which its owner places.
    """

    requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.predict = button(theme, tr("Run"), "play", then=self.requested)
        self.predict.setToolTip(tr("Run the model once with these inputs"))
        self._value, self._unit = label("–", "metric"), unit()
        self._where = wrapped("", "caption")
        self._notes = wrapped("", "caption")
        home = QWidget()
        text_column = column_of(on=home, spacing=2)
        self._title = label(tr("Latency"), "section")
        text_column.addWidget(self._title)
        text_column.addLayout(row(self._value, self._unit, None, spacing=4))
        text_column.addWidget(self._where)
        self.body.addLayout(row((SteadyHeight(home), 1)))
        self.facts = tuple(
            map(_Fact, (tr("First run"), tr("Model load"), tr("Measured latency")))
        )
        self._around = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.body.addLayout(row(*self.facts, spacing=12))
        self._relation = wrapped("", "caption")
        add_to(self.body, self._around, self._relation, self._notes)
        self._notes.hide()
        self._measured: Latency | None = None
        self._quotable = ""
        self._shown: Prediction | None = None
        self._shown_with = (0, 0)
        for fact in self.facts:
            fact.hide()

    def show_prediction(
        self,
        prediction: Prediction,
        fill_ns: int = 0,
        read_ns: int = 0,
        first_time: bool = False,
    ) -> None:
        """Show the latency of the last prediction by name, and the time before and after it.

        first_time: whether these times include what is only done once, such as imports.
        """
        if self._shown is prediction and (fill_ns, read_ns) == self._shown_with:
            return  # each step of the run that follows asks for it
        self._shown, self._shown_with = prediction, (fill_ns, read_ns)
        title, shown_ns, label_text = _headline(prediction)
        value, unit = units.duration_parts(shown_ns)
        self._title.setText(title)
        self._value.setText(value)
        self._unit.setText(unit)
        where = tr(" and ").join(map(units.device, prediction.devices)) or tr("unknown device")
        around = ((tr("preprocessing"), fill_ns), (tr("output decoding"), read_ns))
        other_times = " · ".join(f"{w} {units.duration(n)}" for w, n in around if n)
        once = tr(" (the first time, with one-time setup)") if first_time else ""
        self._around.set_text(units.capitalized(other_times) + once * bool(other_times))
        self._where.setText(
            tr("{label_text} on {where}")
            .format(label_text=tr_message(label_text), where=where)
            .replace(" ", "\N{NO-BREAK SPACE}")
        )
        first, load, _ = self.facts
        first.show_duration(prediction.cold_call_ns, tr("once, with cold caches"))
        load_ns = prediction.load_ns or prediction.session_load_ns
        load.show_duration(load_ns, tr("in the running engine"))
        self.show_measured(self._measured, self._quotable)
        notes = prediction.notes
        self._notes.setText("\n".join(units.clip(tr_message(note)) for note in notes))
        self._notes.setVisible(bool(notes))

    def show_outdated(self, outdated: bool) -> None:
        """Dim the latency of inputs before the present ones, which failed."""
        for part in (self._title, self._value, self._unit, self._where, *self.facts):
            part.setEnabled(not outdated)

    def show_measured(self, measured: Latency | None, quotable: str = "") -> None:
        """Show the median of a measurement of this model beside; None where there is none.

        quotable: whether it can be quoted, as a sentence.
        """
        self._measured, self._quotable = measured, quotable
        ns = measured.headline.p50_ns if measured else 0
        self.facts[2].show_duration(ns, tr(measured.headline_label) if measured else "")
        self._relation.setText(self._relation_text())
        self._relation.setVisible(bool(self._relation.text()))

    def _relation_text(self) -> str:
        """Return how the number shown relates to the measured one; "" before a prediction."""
        if self._shown is None:
            return ""
        if self._measured is None:
            return tr("Not a benchmark: press Measure for a latency that you can quote.")
        return f"{tr(_FEW_RUNS)} {self._quotable}"

    def show_words(self, text: str) -> None:
        """Show what is awaited, below the number."""
        self._shown = None
        self._where.setText(text)


def _headline(prediction: Prediction) -> tuple[str, int, str]:
    """Return title, nanoseconds and qualifier of the one large latency."""
    warm = prediction.warm_median_ns
    if prediction.steps > 1 and warm is not None:
        return tr("Latency of one step"), warm, prediction.warm_label
    if not prediction.first_call_ns:  # not by the runtime
        return tr("Latency"), prediction.prediction_ns, tr("this run")
    if warm is None:
        return tr("First run"), prediction.first_call_ns, tr("the first call, with cold caches")
    return tr("Warm latency"), warm, prediction.warm_label


class _Fact(QWidget):
    """A named duration with what it is of; hidden while it is not known."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.value = label("", "heading", selectable=True)
        self.qualifier = Elided("", "caption", Qt.TextElideMode.ElideRight)
        column_of(label(name, "caption"), self.value, self.qualifier, on=self, spacing=2)

    def show_duration(self, ns: float, qualifier: str) -> None:
        """Show a length of time, or nothing where it is 0."""
        self.setVisible(ns > 0)
        self.value.setText(units.duration(ns))
        self.qualifier.set_text(qualifier)
        self.setAccessibleDescription(f"{units.duration(ns)}, {qualifier}")


class CautionCard(Card):
    """Why the answer may be wrong, and a button that changes the input; hidden without one."""

    accepted = Signal(str)  # name of the input

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        icon = QLabel()
        follow(theme, icon, lambda: icon.setPixmap(theme.pixmap("warning", "caution")))
        self.text = wrapped("")
        self.invert = button(theme, tr("Invert image"))
        self.invert.setToolTip(tr("Run with light and dark exchanged"))
        self.invert.clicked.connect(lambda: self.accepted.emit(self._input))
        self._input: str = ""
        self.body.addLayout(row(icon, self.text, self.invert, stretch=1))
        self.hide()

    def show_caution(self, caution: Caution) -> None:
        """Show a caution about the picture of an input, or nothing where it is empty."""
        self._input = caution.input
        self.text.setText(caution.text)
        self.invert.setVisible(caution.background)
        self.setVisible(bool(caution.text))


class ProblemCard(Card):
    """A failure in the place where the answer would be; hidden while there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        icon = QLabel()
        follow(theme, icon, lambda: icon.setPixmap(theme.pixmap("warning", "bad")))
        self.what = wrapped("", "heading")
        self.why, self.hint = wrapped(""), wrapped("")
        text_column = column_of(self.what, self.why, self.hint, spacing=4)
        self.way_out = button(theme, "", then=self._take_way_out)
        self.way_out.hide()
        text_column.addWidget(self.way_out, 0, Qt.AlignmentFlag.AlignLeft)
        head = row()
        add_to(head, (icon, 0, Qt.AlignmentFlag.AlignTop), (text_column, 1))
        self.body.addLayout(head)
        self._act: Callable[[], object] = self.hide
        self.hide()

    def show_error(self, error: InspectorError) -> None:
        """Show what failed, why, and what to do next."""
        for line, text in (
            (self.what, error.what),
            (self.why, error.why),
            (self.hint, in_window(error.hint)),
        ):
            line.setText(units.clip(units.capitalized(text), 1000))
            line.setVisible(bool(text))
        self.way_out.hide()
        self.setAccessibleName(str(error))
        self.show()

    def offer(self, text: str, act: Callable[[], object]) -> None:
        """Put a way out below the failure that is shown; one click takes it."""
        self.way_out.setText(text)
        self.way_out.setAccessibleName(text)
        self._act = act
        self.way_out.show()

    def _take_way_out(self) -> None:
        self.hide()
        self._act()
