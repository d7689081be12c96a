"""Two answers beside each other: a second way is chosen, facts and heat maps say how far."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.verdicts.outputs import sentence
from inspector.errors import InspectorError
from inspector.formats.model_formats import file_patterns
from inspector.model.tensors.difference import Difference
from inspector.preview.runs import other_run, parity
from inspector.preview.runs.other_run import OtherRun
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.comparing import OutputPair, RunComparison
from inspector.ui.tabs.preview.outputs.image_view import ImageView
from inspector.ui.tabs.preview.prediction_card import ProblemCard
from inspector.ui.translate import mark, tr, tr_message
from inspector.ui.widgets.comparison_links import OUTPUTS, ComparisonLinks
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import GAP, Card, Elided, button, label, row
from inspector.ui.widgets.theme import Theme

# The choice of a second way to answer: another level, device or model, or the reference.


NONE = ""
LEVELS = {
    "none": mark("No optimization"),
    "basic": mark("Basic optimizations"),
    "all": mark("All optimizations"),
}
MODEL, REFERENCE = "model", "reference"
_MODELS = f"Models ({file_patterns()});;All files (*)"


class OtherRunField(ChoiceField):
    """Offers the second ways; `none`: words of the choice to have none, which comes first."""

    def __init__(self, name: str, none: str = "") -> None:
        values = [f"level={level}" for level in LEVELS] + [MODEL, REFERENCE, other_run.FLOAT16]
        labels = [
            *map(tr, LEVELS.values()),
            tr("Another model…"),
            tr("ONNX reference evaluator"),
            tr("Exact float16 arithmetic"),
        ]
        first = [NONE] if none else []
        super().__init__(name, [*first, *values], [none][: len(first)] + labels)
        self._levels_end = len(first) + len(LEVELS)

    def show_model(self, path: Path) -> None:
        """Offer a model by its name, and choose it."""
        value = f"{other_run.MODEL}={path}"
        if self.findData(value) < 0:
            self.insertItem(self.findData(MODEL), units.clip(path.name, 60), value)
        self.show_value(value)

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices, by their ids."""
        for device in devices:
            if self.findData(f"device={device}") < 0:
                self.insertItem(self._levels_end, units.device(device), f"device={device}")

    def ask(self, parent: QWidget) -> OtherRun | None:
        """The chosen way; of a model its file is asked for. None: none, or not chosen."""
        key, _, place = self.value.partition("=")
        if key == other_run.MODEL and place:
            return OtherRun(model=place)
        if self.value != MODEL:
            return other_run.parse(self.value) if self.value else None
        name, _ = QFileDialog.getOpenFileName(
            parent, tr("Another model"), file_dialogs.start(), _MODELS
        )
        if not name:
            return None
        self.show_model(Path(name))
        return OtherRun(model=str(Path(name)))


TWICE = mark(
    "Runs the same input again on another device, model or setting and compares the outputs."
)
_HEIGHT, _FACTS = 132, 2


class CompareView(QWidget):
    """Asks for a second way and shows what it answers; the last comparison stays."""

    requested = Signal(object)  # OtherRun
    stop_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.other_run = OtherRunField(tr("Compare with"))
        self.compare = button(theme, tr("Compare outputs"), "play")
        self._awaited: OtherRun | None = None
        self.stop = button(theme, tr("Cancel"))
        self.stop.hide()
        self._state = wrapped("", "caption")
        self.problem = ProblemCard(theme)
        card = Card(theme, parent=self)
        head = row(
            label(tr("Compare with"), "heading"), self.other_run, self.compare, self.stop
        )
        head.setStretch(1, 1)
        card.body.addLayout(head)
        card.body.addWidget(self._state)
        self.links = ComparisonLinks(theme, OUTPUTS)
        card.body.addWidget(self.links)
        self._home = QWidget()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GAP)
        for part in (card, self.problem, self._home):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.compare.clicked.connect(self._ask)
        self.stop.clicked.connect(self.stop_asked)
        self.show_words(tr(TWICE))

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices, by their ids."""
        self.other_run.show_devices(devices)

    def use_model(self, path: Path) -> None:
        """Compare with another model, once there is an input."""
        self.other_run.show_model(path)
        self._awaited = OtherRun(model=str(path))
        self._ask_awaited()

    def show_words(self, text: str) -> None:
        """Show what is awaited."""
        self._state.setText(text)
        self._state.setVisible(bool(text))

    def set_busy(self, busy: bool, able: bool) -> None:
        """Show that it is under way; `able`: whether there is an input to compare."""
        self.compare.setEnabled(able and not busy)
        self.stop.setVisible(busy)
        if self._awaited is not None and able and not busy:
            QTimer.singleShot(0, self, self._ask_awaited)
        if busy:
            self.show_words(tr("Comparing…"))

    def show_error(self, error: InspectorError) -> None:
        """Show a failure; the last comparison stays below."""
        self.show_words("")
        self.problem.show_error(error)

    def show_compared(self, comparison: RunComparison) -> None:
        """Show another comparison."""
        if comparison.error is not None or comparison.second is None:
            if comparison.error is not None:
                self.show_error(comparison.error)
            return
        self.problem.hide()
        first, second = (
            units.duration(p.prediction_ns) for p in (comparison.first, comparison.second)
        )
        text = tr("This {first} · {label} {second}").format(
            first=first, label=comparison.against.label, second=second
        )
        verdict = "" if comparison.verdict is None else tr_message(sentence(comparison.verdict))
        self.show_words("\n".join(filter(None, (verdict, text, comparison.note))))
        place = self._column.indexOf(self._home)
        self._home.deleteLater()
        self._home = QWidget()
        column = QVBoxLayout(self._home)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        for side in comparison.sides:
            column.addWidget(OutputPairCard(self._theme, side, comparison.against.label))
        self._column.insertWidget(place, self._home)

    def _ask_awaited(self) -> None:
        """Compare with the model that was chosen before there was an input."""
        if self._awaited is not None and self.compare.isEnabled():
            other, self._awaited = self._awaited, None
            self.requested.emit(other)

    def _ask(self) -> None:
        other_run = self.other_run.ask(self)
        if other_run is not None:
            self.requested.emit(other_run)


class OutputPairCard(Card):
    """One output: what both ways say, facts of the difference, and where it lies."""

    def __init__(self, theme: Theme, side: OutputPair, other: str) -> None:
        super().__init__(theme)
        pair = side.parity
        verdict = (
            tr("Identical") if pair.difference is not None and pair.difference.identical else ""
        )
        head = row(Elided(pair.name or tr("(no name)"), "heading"), label(verdict, "secondary"))
        head.setStretch(0, 1)
        self.body.addLayout(head)
        if pair.problem or pair.difference is None:
            self.body.addWidget(wrapped(pair.problem or tr("Nothing to compare.")))
            return
        self.facts = facts(pair.difference)
        if all(pair.best):
            self.body.addLayout(_answers(pair.best, other))
        self.body.addLayout(_grid(self.facts))
        views = _views(theme, side, other)
        if views and not pair.difference.identical:
            self.body.addLayout(row(*views, spacing=8))
        self.setAccessibleName(f"{pair.name}: {parity.summary_text(pair)}")


def facts(difference: Difference) -> list[tuple[str, str]]:
    """Name and value of each fact that is known of a difference."""
    rows: list[tuple[str, str]] = []
    if difference.whole and not difference.identical:  # which have no decibels
        same = f"{difference.count - difference.unequal:,} of {difference.count:,}"
        return [(tr("Same values"), same)]
    if difference.max_abs is not None:
        place = (
            tr(" at {list}").format(list=list(difference.place))
            if difference.place and difference.max_abs
            else ""
        )
        rows.append((tr("Max error"), f"{difference.max_abs:.3g}{place}"))
    values = (
        (tr("Mean rel error"), difference.mean_relative, "{:.3g}"),
        (tr("PSNR"), difference.psnr_db, tr("{:.1f} dB")),
        (tr("Cosine"), difference.cosine, "{:.6f}"),
        (
            tr("Same top-1 class"),
            None if difference.top1 is None else 100 * difference.top1,
            "{:.0f}%",
        ),
    )
    for name, value, text in values:
        if value is not None:
            rows.append((name, text.format(value) if isfinite(value) else "∞"))
    if difference.unmatched:
        rows.append((tr("NaN or infinite in one run only"), f"{difference.unmatched:,}"))
    if not rows:
        rows.append(
            (
                tr("Mismatches"),
                tr("{unequal:,} of {count:,}").format(
                    unequal=difference.unequal, count=difference.count
                ),
            )
        )
    return rows


def _answers(best: tuple[str, str], other: str) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    for column, (title, results) in enumerate(zip((tr("This run"), other), best, strict=True)):
        grid.addWidget(Elided(title, "caption"), 0, column)
        grid.addWidget(Elided(results, "value"), 1, column)
        grid.setColumnStretch(column, 1)
    return grid


def _grid(rows: Sequence[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    for place, (name, value) in enumerate(rows):
        line, column = divmod(place, _FACTS)
        grid.addWidget(Elided(name, "caption"), 2 * line, column)
        grid.addWidget(Elided(value, "mono"), 2 * line + 1, column)
    for column in range(_FACTS):
        grid.setColumnStretch(column, 1)
    return grid


def _views(theme: Theme, side: OutputPair, other: str) -> list[QWidget]:
    """Return both images, if the outputs are images, and the difference."""
    shown = [(tr("This run"), side.first), (other, side.second)]
    if side.heat is not None:
        span = tr("Absolute difference: {low:.2g} to {high:.2g}").format(
            low=side.heat.low, high=side.heat.high
        )
        shown.append((span, side.heat))
    views: list[QWidget] = []
    for title, picture in shown:
        if picture is None:
            continue
        home = QWidget()
        column = QVBoxLayout(home)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        view = ImageView(theme, title, _HEIGHT)
        view.show_picture(picture.picture)
        column.addWidget(view)
        column.addWidget(Elided(title, "caption"))
        views.append(home)
    return views
