"""The layers of a walk in a card: what was found, filter, list, steps to and fro."""

from collections.abc import Sequence

from PySide6.QtCore import Signal

from inspector.analysis.layer_search import values_by_name
from inspector.analysis.measured.layer_outputs import LayerStep, Stepping, summary
from inspector.model.model import Model, TensorInfo
from inspector.pages.outputs.layer_outputs import step_table
from inspector.ui import commands, units
from inspector.ui.selection import Selection
from inspector.ui.tabs.weights.weight_facts import Remark
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.page_table import SearchedLayers
from inspector.ui.widgets.parts import PADDING, button, show_in_place, tool
from inspector.ui.widgets.parts import row as line
from inspector.ui.widgets.table_card import FilterField, PageTableCard, RowMenu
from inspector.ui.widgets.theme import Theme

_FIND = mark("Filter by name or operator")


class ActivationList(PageTableCard):
    """Lists all layers; the one that is selected is selected everywhere."""

    chosen = Signal(object)  # LayerStep

    def __init__(self, theme: Theme, stepping: Stepping, selection: Selection) -> None:
        self._selection, self.stepping = selection, stepping
        self._places = {step.index: place for place, step in enumerate(stepping.steps)}
        field = FilterField(
            theme, tr("Filter layers"), tr(_FIND), wide=210, small=100, roomy=560
        )
        field.explain_search()
        self.back = tool(theme, "up", tr("Previous layer ([)"), then=lambda: self.walk(-1))
        self.forward = tool(theme, "down", tr("Next layer (])"), then=lambda: self.walk(1))
        name, table = tr("Layers and their outputs"), step_table(stepping)
        self.save_all = button(theme, tr("Save all…"), "save")
        self.save_all.setToolTip(tr("Save the outputs of all layers to one .npz file"))
        super().__init__(
            theme, tr("Layers"), name, table, field, self.save_all, self.back, self.forward,
            first_rows=0, fewest=7,
        )  # fmt: skip
        self.to_first = button(theme, tr("Show"), "right")
        self.to_first.hide()
        show = (
            (tr("Show in graph"), commands.runner(self, "tab/graph")),
            (tr("Show in Performance"), commands.runner(self, "tab/performance")),
            (tr("Show weights"), commands.runner(self, "tab/weights")),
        )
        self.row_menu = RowMenu(self.table, field, self._named, lambda _: show)
        self._add_summary(theme)
        selection.changed.connect(self._follow)

    def search_in(self, model: Model) -> None:
        """Let the filter know the layers of the model, and the shapes that outputs had."""

        def source() -> SearchedLayers:
            steps = self.stepping.steps
            outputs = (output for step in steps for output in step.outputs)
            shapes = {o.name: TensorInfo(o.name, "tensor", o.dtype, o.shape) for o in outputs}
            return [model.layers[step.index] for step in steps], values_by_name(model) | shapes

        self.model.search_layers(source)

    def counted(self) -> str:
        """Return how many layers are shown, and how many differ."""
        shown, every = self.model.rowCount(), len(self.stepping.steps)
        number = (
            units.number(shown)
            if shown == every
            else tr("{shown:,} of {every:,}").format(shown=shown, every=every)
        )
        over = sum(step.over for step in self.stepping.steps)
        return (
            tr("{number} · {over:,} over tolerance").format(number=number, over=over)
            if over
            else number
        )

    def selected_row(self) -> int | None:
        """The row of the selected layer."""
        layer = self._selection.now.layer
        place = None if layer is None else self._places.get(layer)
        return None if place is None else self.model.row_at(place)

    def step(self, row: int) -> LayerStep:
        """Return the layer in a row."""
        return self.stepping.steps[self.model.place_of(row)]

    def choose_row(self, row: int) -> None:
        """Select a layer, here and everywhere."""
        self._selection.choose(layer=self.step(row).index)

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        step = self.step(row)
        return step.name, (step.operator, units.scope_and_name(step.name)[0])

    def walk(self, steps: int) -> None:
        """Go on by so many layers, in the order that is shown."""
        now, last = self.selected_row(), self.model.rowCount() - 1
        if last >= 0:
            self.choose_row(0 if now is None else min(max(0, now + steps), last))

    def go_to_first(self) -> None:
        """Select the layer that the summary is about: the first difference, or NaN's maker."""
        place = self.first
        if place is not None:
            if self.model.row_at(place) is None:
                self.filter.clear()
            self._selection.choose(layer=self.stepping.steps[place].index)
            self.table.setFocus()

    @property
    def first(self) -> int | None:
        """Place of the layer that deserves a look first."""
        step = self.stepping.divergence or self.stepping.first_nan
        return None if step is None else self._places[step.index]

    def _add_summary(self, theme: Theme) -> None:
        message = " ".join(summary(self.stepping))
        if not message:
            return
        wrong = self.first is not None
        icon, role = ("warning", "bad") if wrong else ("check", "good")
        below = line(
            Remark(theme, units.clip(message, 400), icon, role), self.to_first, stretch=0
        )
        below.setContentsMargins(PADDING - 1, 8, PADDING - 1, 8)
        show_in_place(self.to_first, wrong)
        self.to_first.clicked.connect(self.go_to_first)
        self.body.insertLayout(1, below)

    def show_saving(self, progress: tuple[int, int] | None) -> None:
        """Let the button stop what is saved, and say how far it is. progress: done, of all."""
        if progress is None:
            self.save_all.setText(tr("Save all…"))
            return
        done, every = progress
        text = tr("Cancel ({done:,} of {every:,})").format(done=done, every=every)
        self.save_all.setText(text)

    def set_foot(self, notes: Sequence[str]) -> None:
        """Show below the list what is to be known of the walk."""
        for note in notes:
            below = line(Remark(self._theme, note), stretch=0)
            below.setContentsMargins(PADDING - 1, 7, PADDING - 1, 2)
            self.body.addLayout(below)

    def begin(self) -> None:
        """Show the selected layer, or that which deserves a look first."""
        if self._step() is None and self.model.rowCount():
            place = self.first
            self._selection.choose(layer=self.stepping.steps[place or 0].index)
        else:
            self._follow()

    def _follow(self) -> None:
        self.follow_selection()
        step = self._step()
        if step is not None:
            self.chosen.emit(step)

    def _step(self) -> LayerStep | None:
        layer = self._selection.now.layer
        place = None if layer is None else self._places.get(layer)
        return None if place is None else self.stepping.steps[place]
