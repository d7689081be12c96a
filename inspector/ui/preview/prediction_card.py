"""The head of the results: how long the prediction took, where, and a button to repeat it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector import units
from inspector.errors import InspectorError
from inspector.prediction import Prediction
from inspector.ui.kit.parts import Card, button, follow, label, row, unit
from inspector.ui.kit.steady import Steady
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.about import wrapped


class PredictionCard(Card):
    """Latency and device of the last answer, notes of the runtime, and what is under way."""

    asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.predict = button(theme, "Predict", "play")
        self.predict.setToolTip("Run the model once with these inputs")
        self._value, self._unit = label("–", "metric"), unit()
        self._where = wrapped("", "caption")
        self._notes = wrapped("", "caption")
        home = QWidget()
        words = QVBoxLayout(home)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(2)
        words.addWidget(label("Prediction", "section"))
        words.addLayout(row(self._value, self._unit, None, spacing=4))
        words.addWidget(self._where)
        head = row()
        head.addWidget(Steady(home), 1)
        head.addWidget(self.predict, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.body.addWidget(self._notes)
        self._notes.hide()
        self.predict.clicked.connect(self.asked)

    def show_prediction(
        self, prediction: Prediction, fill_ns: int = 0, read_ns: int = 0
    ) -> None:
        """Show how the last prediction went, and the time before and after it."""
        value, unit = units.duration_parts(prediction.prediction_ns)
        self._value.setText(value)
        self._unit.setText(unit)
        where = " and ".join(map(units.device, prediction.devices)) or "unknown device"
        loaded = (
            f" · loaded in {units.duration(prediction.load_ns)}" if prediction.load_ns else ""
        )
        around = (("inputs made", fill_ns), ("outputs read", read_ns))
        beside = "".join(f" · {w} in {units.duration(n)}" for w, n in around if n)
        told = (
            part.replace(" ", "\N{NO-BREAK SPACE}") for part in f"{loaded}{beside}".split(" · ")
        )
        self._where.setText(f"on {where}{' · '.join(told)}")
        self._notes.setText("\n".join(units.clip(note) for note in prediction.notes))
        self._notes.setVisible(bool(prediction.notes))

    def show_words(self, words: str) -> None:
        """Say what is awaited, below the number."""
        self._where.setText(words)


class ProblemCard(Card):
    """A failure in the place where the answer would be; hidden while there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        icon = QLabel()
        follow(theme, icon, lambda: icon.setPixmap(theme.pixmap("warning", "bad")))
        self.what = wrapped("", "heading")
        self.why, self.hint = wrapped(""), wrapped("")
        words = QVBoxLayout()
        words.setSpacing(4)
        for line in (self.what, self.why, self.hint):
            words.addWidget(line)
        self.way_out = button(theme, "")
        self.way_out.hide()
        words.addWidget(self.way_out, 0, Qt.AlignmentFlag.AlignLeft)
        head = row()
        head.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        self.body.addLayout(head)
        self._act: Callable[[], object] = self.hide
        self.way_out.clicked.connect(self._take_way_out)
        self.hide()

    def show_error(self, error: InspectorError) -> None:
        """Say what failed, why, and what to do next."""
        for line, words in (
            (self.what, error.what),
            (self.why, error.why),
            (self.hint, error.hint),
        ):
            line.setText(units.clip(words[:1].upper() + words[1:], 1000))
            line.setVisible(bool(words))
        self.way_out.hide()
        self.setAccessibleName(str(error))
        self.show()

    def offer(self, words: str, act: Callable[[], object]) -> None:
        """Put a way out below the failure that is shown; one click takes it."""
        self.way_out.setText(words)
        self.way_out.setAccessibleName(words)
        self._act = act
        self.way_out.show()

    def _take_way_out(self) -> None:
        self.hide()
        self._act()
