"""Two answers beside each other: a second way is chosen, facts and heat maps say how far."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.formats.model_formats import file_patterns
from inspector.pages.outputs.parity import comparison_of
from inspector.pages.outputs.verdicts import verdict_text
from inspector.preview.runs import other_run
from inspector.preview.runs.other_run import OtherRun
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.comparing import OutputPair, RunComparison
from inspector.ui.tabs.preview.outputs.image_view import ImageView
from inspector.ui.tabs.preview.prediction_card import ProblemCard
from inspector.ui.translate import mark, tr, wording
from inspector.ui.widgets.comparison_links import OUTPUTS, ComparisonLinks
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.parts import (
    GAP,
    Card,
    Elided,
    add_to,
    button,
    column_of,
    label,
    row,
    wrapped,
)
from inspector.ui.widgets.theme import Theme

NONE = ""
LEVELS = {
    "none": mark("No optimization"),
    "basic": mark("Basic optimizations"),
    "all": mark("All optimizations"),
}
MODEL = "model"
REFERENCE = "reference"
_MODELS = f"Models ({file_patterns()});;All files (*)"
TWICE = mark(
    "Runs the same input again on another device, model or setting and compares the outputs."
)
_HEIGHT = 132  # pixels of a picture
# Other runs that layers can be compared with as well.
_BY_LAYERS = (other_run.MODEL, other_run.REFERENCE, other_run.LEVEL, other_run.DEVICE)


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
        path = file_dialogs.ask_file(parent, tr("Another model"), _MODELS)
        if not path:
            return None
        self.show_model(path)
        return OtherRun(model=str(path))


class CompareView(QWidget):
    """Asks for a second way and shows what it answers; the last comparison stays."""

    requested = Signal(object)  # OtherRun

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.other_run = OtherRunField(tr("Compare with"))
        self.compare = button(theme, tr("Compare outputs"), "play", then=self._ask)
        self.to_layer = button(theme, tr("Find first layer that differs"), "right")
        self.to_layer.clicked.connect(self._find_layer)
        self.to_layer.hide()
        self._awaited: OtherRun | None = None
        self._compared: OtherRun | None = None
        self._state = wrapped("", "caption")
        self.problem = ProblemCard(theme)
        card = Card(theme, parent=self)
        head = row(label(tr("Compare with"), "heading"), (self.other_run, 1), self.compare)
        add_to(card.body, head, row(self._state, self.to_layer, stretch=0))
        self.links = ComparisonLinks(theme, OUTPUTS)
        card.body.addWidget(self.links)
        self.result = PageView(theme)
        self._home = QWidget()
        self._column = column_of(
            card, self.problem, self.result, self._home, None, on=self, spacing=GAP
        )
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
        compared = comparison.compared
        if compared.error is not None or compared.second is None:
            if compared.error is not None:
                self.show_error(compared.error)
            return
        self.problem.hide()
        self._compared = comparison.against
        self.to_layer.setVisible(comparison.against.kind in _BY_LAYERS)
        verdict = compared.verdict
        self.show_words("" if verdict is None else wording().text(verdict_text(verdict).value))
        answers = (compared.first, compared.second)
        page = comparison_of(
            (comparison.own, comparison.against.label),
            answers,
            compared.outputs,
            compared.notes,
        )
        self.result.show_page(page)
        place = self._column.indexOf(self._home)
        self._home.deleteLater()
        self._home = QWidget()
        column = column_of(on=self._home, spacing=GAP)
        for side in comparison.sides:
            views = _views(self._theme, side, comparison.against.label)
            if views and side.parity.differs:
                card = Card(self._theme)
                card.body.addWidget(Elided(side.parity.name or tr("(no name)"), "heading"))
                card.body.addLayout(row(*views, spacing=8))
                column.addWidget(card)
        self._column.insertWidget(place, self._home)

    def _ask_awaited(self) -> None:
        """Compare with the model that was chosen before there was an input."""
        if self._awaited is not None and self.compare.isEnabled():
            other, self._awaited = self._awaited, None
            self.requested.emit(other)

    def _find_layer(self) -> None:
        commands.run(self, "compare/first-layer", self._compared)

    def _ask(self) -> None:
        other_run = self.other_run.ask(self)
        if other_run is not None:
            self.requested.emit(other_run)


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
        column = column_of(on=home, spacing=4)
        view = ImageView(theme, title, _HEIGHT)
        view.show_picture(picture.picture)
        add_to(column, view, Elided(title, "caption"))
        views.append(home)
    return views
