"""One layer in full: what it gave, how far the other side is from it, a picture, its time."""

from math import prod
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from inspector.analysis.measured.layer_outputs import Alone, LayerOutput, LayerStep, Match
from inspector.analysis.measured.sample_statistics import statistics
from inspector.errors import InspectorError
from inspector.model.model import ITEM_BITS
from inspector.model.tensors.agreement import decibels
from inspector.pages.outputs.layer_outputs import chain_section
from inspector.preview.outputs.saving import file_names
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.stepping import Pair, Stepping
from inspector.ui.documents.weight_reading import (
    LIMIT_BYTES,
    View,
    WeightContents,
    first_view,
    plane_of,
)
from inspector.ui.tabs.weights import weight_facts
from inspector.ui.tabs.weights.slice_picker import SlicePicker
from inspector.ui.tabs.weights.values_dialog import ValuesDialog
from inspector.ui.tabs.weights.weight_facts import Remark
from inspector.ui.translate import mark, tr, wording
from inspector.ui.widgets.chart import ChartView, values_chart
from inspector.ui.widgets.detail_card import DetailCard
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.page_view import SectionBody
from inspector.ui.widgets.parts import Elided, Segmented, add_to, button, column_of, label, row
from inspector.ui.widgets.theme import Theme

OURS, THEIRS, APART = range(3)
_BASES = {
    "values": mark("Values"),
    "structure": mark("Structure"),
    "name": mark("Name"),
    "output": mark("Output of the model"),
    "order": mark("Order"),
}


def cleared(layout: QLayout, *remaining: QWidget) -> None:
    """Take all widgets out of a layout, hidden; those that are not kept are gone soon."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            if widget not in remaining:
                widget.deleteLater()


def _number(value: float | None) -> str:
    return "–" if value is None else units.number(value + 0.0, ".4g")  # 0.0: -0 is 0


class ActivationDetail(DetailCard):
    """Follows the list; tensors are fetched when they are looked at."""

    def __init__(self, theme: Theme, document: Document, stepping: Stepping) -> None:
        super().__init__(theme, tr("Selected layer"))
        self._document, self._stepping = document, stepping
        self.step: LayerStep | None = None
        self._slot, self._side = 0, OURS
        self._pair: Pair | None = None
        self._view: View | None = None
        self._refused = ""
        self.picker: SlicePicker | None = None
        self.sides: Segmented | None = None
        self.chain: PageTable | None = None  # inputs and readers of the layer
        self.time = button(theme, tr("Measure layer"), "play")
        stepping.read.connect(self._take)
        stepping.refused.connect(self._refuse)
        stepping.timed.connect(self._show_time)
        document.changed(Topic.WORK).connect(self._grey)
        self._build()

    def show_step(self, step: LayerStep) -> None:
        """Show another layer."""
        if step is not self.step:
            self.step, self._slot, self._pair, self._refused = step, 0, None, ""
            worst = step.worst
            if worst is not None:
                differences = [output.difference for output in step.outputs]
                self._slot = next(i for i, each in enumerate(differences) if each is worst)
            keyboard = self.window().focusWidget()
            followed = keyboard is not None and keyboard is self.chain
            self._build()
            if followed and self.chain is not None:
                self.chain.show_key(str(step.index))
                self.chain.take_focus()
            place = self._counterpart()
            if place is not None:
                commands.run(self, "compare/selected", *place)

    @property
    def output(self) -> LayerOutput | None:
        """The output that is shown."""
        step = self.step
        return step.outputs[self._slot] if step is not None and step.outputs else None

    def _build(self) -> None:
        self.picker = self.sides = self.chain = None
        self._times = column_of(spacing=6)
        invitation = tr("Select a layer to see its outputs.") if self.step is None else ""
        page, column = self.new_page(invitation)
        if self.step is not None:
            self._add_step(column, self.step)
            column.addStretch(1)
        self.show_page(page)

    def _add_step(self, column: QVBoxLayout, step: LayerStep) -> None:
        scope, leaf = units.scope_and_name(units.clip(step.name))
        titles = column_of(Elided(leaf, "title"), spacing=2)
        within = tr(" in {scope}").format(scope=scope.replace("/", " / ")) if scope else ""
        titles.addWidget(Elided(f"{units.clip(step.operator, 60)}{within}", "secondary"))
        column.addLayout(titles)
        for text in (step.problem, step.remark):
            if text:
                column.addWidget(Remark(self._theme, text, "info", "caution"))
        output = self.output
        if output is None:
            return
        self._add_buttons(column, output)
        if len(step.outputs) > 1:
            column.addLayout(self._choice(step))
        if output.difference is not None:
            self._add_difference(column, output)
        self._add_chain(column, step)
        self._add_values(column, output)
        if not self._in_body(step):
            column.addWidget(label(tr("Time"), "section"))
            self._add_time(column, step)

    def _add_buttons(self, column: QVBoxLayout, output: LayerOutput) -> None:
        """Add what shows and saves all values of an output, as of a weight."""
        known = output.statistics is not None and output.dtype != "string"
        size = prod(output.shape) * ITEM_BITS.get(output.dtype, 8) // 8
        self.values = button(self._theme, tr("Show all values…"))
        self.values.clicked.connect(lambda: self.show_values(output))
        self.values.setEnabled(known and 0 < size <= LIMIT_BYTES)
        if known and size > LIMIT_BYTES:
            self.values.setToolTip(tr("Too large to show as a whole: save it as .npy"))
        self.save = button(self._theme, tr("Save as .npy…"), "save")
        self.save.clicked.connect(lambda: self._ask_to_save(output))
        self.save.setEnabled(output.statistics is not None)
        buttons = Flow(8, 8)  # side by side where both fit
        buttons.addWidget(self.values)
        buttons.addWidget(self.save)
        column.addLayout(buttons)

    def show_values(self, output: LayerOutput) -> None:
        """Open a dialog with all values of an output: table, all slices, copy, CSV."""
        stepping, pair = self._stepping, self._pair
        known = pair.ours if pair is not None and pair.tensor == output.name else None

        def read() -> WeightContents:
            ours = known if known is not None else stepping.contents(output.name)
            return WeightContents(ours, None)

        self.dialog = ValuesDialog(self._theme, output.name, read, self)
        self.dialog.show()

    def _ask_to_save(self, output: LayerOutput) -> None:
        proposed = f"{file_names([output.name])[0]}.npy"
        if path := file_dialogs.ask_place(self, tr("Save tensor"), proposed):
            self._stepping.save(output.name, path)

    def _in_body(self, step: LayerStep) -> bool:
        """Return whether a layer is part of another one; alone it would lack what that gives
        it."""
        model = self._document.model
        return model is not None and model.layers[step.index].parent is not None

    def _choice(self, step: LayerStep) -> QVBoxLayout:
        names = [units.clip(output.name, 60) for output in step.outputs]
        field = ChoiceField(tr("Output"), [str(i) for i in range(len(names))], names)
        field.show_value(str(self._slot))
        field.activated.connect(lambda: self._turn(int(field.value)))
        return column_of(label(tr("Output"), "caption"), field, spacing=4)

    def _turn(self, slot: int) -> None:
        self._slot, self._pair, self._refused = slot, None, ""
        self._build()

    def _add_difference(self, column: QVBoxLayout, output: LayerOutput) -> None:
        difference = output.difference
        assert difference is not None
        column.addWidget(label(tr("Difference"), "section"))
        if difference.problem:
            column.addWidget(Remark(self._theme, difference.problem, "warning", "bad"))
            return
        text = tr("Exceeds the tolerance.") if output.over else tr("Within tolerance.")
        if difference.identical:
            text = tr("Identical.")
        icon, role = ("warning", "bad") if output.over else ("check", "good")
        column.addWidget(Remark(self._theme, text, icon, role))
        place = (
            "–" if difference.place is None else f"[{', '.join(map(str, difference.place))}]"
        )
        pairs = (
            (tr("Max error"), _number(difference.max_abs)),
            (tr("At index"), place),
            (tr("Mean error"), _number(difference.mean_abs)),
            (tr("Rel error"), _number(difference.relative)),
            (
                tr("Cosine"),
                "–" if difference.cosine is None else units.number(difference.cosine, ".6f"),
            ),
            (tr("PSNR"), units.localized(decibels(difference.psnr_db))),
            (tr("SQNR"), units.localized(decibels(difference.sqnr_db))),
            (tr("Mismatches"), units.number(difference.unequal)),
        )
        column.addWidget(weight_facts.Facts(pairs, 2))
        if output.match is not None:
            self._add_counterpart(column, output, output.match)
        elif output.counterpart:
            text = tr("Compared with '{counterpart}'.").format(
                counterpart=units.clip(output.counterpart, 80)
            )
            column.addWidget(Remark(self._theme, text))

    def _add_counterpart(self, column: QVBoxLayout, output: LayerOutput, match: Match) -> None:
        """Add the layer of the other form that gives this tensor, with a link to it."""
        column.addWidget(label(tr("Counterpart"), "section"))
        order = ", ".join(map(str, match.axes))
        alone = match.own_error.relative if match.own_error is not None else None
        facts = (
            (tr("Layer"), (match.layer_name or output.counterpart).partition(";")[0]),
            (tr("Operator"), match.operator or "–"),
            (tr("Shape"), units.shape(match.shape)),
            (tr("Order of axes"), order if list(match.axes) != sorted(match.axes) else "–"),
            (tr("Paired by"), tr(_BASES[match.basis])),
            (tr("Correlation"), units.number(match.correlation, ".4f")),
            (tr("Own error"), _number(alone)),
        )
        column.addWidget(weight_facts.Facts(facts))
        self.to_counterpart = button(self._theme, tr("Show in its graph"), "right")
        self.to_counterpart.clicked.connect(self._show_counterpart)
        self.to_counterpart.setVisible(match.layer is not None)
        column.addLayout(row(self.to_counterpart, None, spacing=8))

    def _add_chain(self, column: QVBoxLayout, step: LayerStep) -> None:
        """Add the layers that give its inputs and those that read its outputs, to go there."""
        found = self._stepping.found
        if found is None:
            return
        section = chain_section(found, step)
        column.addWidget(label(wording().text(section.title), "section"))
        chain = SectionBody(self._theme, section)
        # Later: the page with the table that was clicked is replaced.
        chain.chosen.connect(self._go_to, Qt.ConnectionType.QueuedConnection)
        column.addWidget(chain)
        self.chain = chain.table

    def _go_to(self, key: str) -> None:
        self._document.selection.choose(layer=int(key))

    def _show_counterpart(self) -> None:
        """Show the layer of the other model in its graph; that model is opened if need be."""
        place = self._counterpart()
        if place is not None:
            commands.run(self, "compare/counterpart", *place)

    def _counterpart(self) -> tuple[Path, int] | None:
        output, path = self.output, self._stepping.other_model
        match = output.match if output is not None else None
        known = match is not None and match.layer is not None
        return (
            (path, match.layer)
            if match and known and path and match.layer is not None
            else None
        )

    def _add_values(self, column: QVBoxLayout, output: LayerOutput) -> None:
        column.addWidget(label(tr("Statistics"), "section"))
        storage = (
            tr(", stored in {kept_in}").format(kept_in=output.kept_in) if output.kept_in else ""
        )
        text = (
            (tr("Tensor"), units.clip(output.name)),
            (tr("Type"), f"{output.dtype}{storage}"),
        )
        column.addWidget(weight_facts.Facts((*text, (tr("Shape"), units.shape(output.shape)))))
        if output.description:
            column.addWidget(Remark(self._theme, output.description))
        statistics = output.statistics
        if statistics is None:
            return
        if not statistics.elements:
            column.addWidget(label(tr("This tensor has no elements."), "secondary"))
            return
        column.addWidget(
            weight_facts.Facts(weight_facts.of_values(statistics, output.dtype), 2)
        )
        if statistics.nan:
            message = (
                tr("The inputs contain NaN.")
                if self._gets_nan()
                else tr("The inputs contain no NaNs; this layer introduces them.")
            )
            column.addWidget(Remark(self._theme, message, "warning", "bad"))
        if statistics.histogram is not None and len(statistics.histogram.counts) > 1:
            column.addWidget(ChartView(self._theme, values_chart(statistics.histogram)))
        if self._refused:
            column.addWidget(Remark(self._theme, self._refused, "warning", "bad"))
        else:
            self._add_picture(column, output)

    def _gets_nan(self) -> bool:
        return self.step is not None and self.step.gets_nan

    def _take(self, pair: Pair) -> None:
        """Draw a tensor that has come, if it is the one that is shown."""
        output = self.output
        if output is not None and pair.tensor == output.name:
            self._pair = pair
            self._build_again()

    def _build_again(self) -> None:
        """Build anew with what is known now, and stay where the page was scrolled to."""
        bar = self.pane.verticalScrollBar()
        at = bar.value()
        self._build()
        bar.setValue(at)

    def _add_picture(self, column: QVBoxLayout, output: LayerOutput) -> None:
        pair, view = self._pair, _first_view(output)
        if view is None or output.dtype == "string":
            return
        if pair is None:
            self._stepping.look(output.name)
            return
        if pair.ours is None:
            return
        self._view = view
        column.addWidget(label(tr("Slice view"), "section"))
        if pair.theirs is not None and pair.theirs.shape == pair.ours.shape:
            self.sides = Segmented(
                self._theme, (tr("This run"), tr("Reference"), tr("Difference")), 96
            )
            self.sides.setAccessibleName(tr("Slice view shows"))
            self._side = APART if output.over else OURS
            self.sides.choose(self._side)
            self.sides.chosen.connect(self._show_side)
            column.addWidget(self.sides)
        else:
            self._side = OURS
        self.picker = SlicePicker(self._theme, pair.ours.shape, view)
        self.picker.asked.connect(self._show_plane)
        column.addWidget(self.picker)
        self._show_plane(view)

    def _refuse(self, error: InspectorError) -> None:
        if self.output is not None:
            message = ". ".join(text for text in (error.what, error.why, error.hint) if text)
            self._refused = message
            self._build_again()

    def _show_side(self, side: int) -> None:
        self._side = side
        if self._view is not None:
            self._show_plane(self._view)

    def _show_plane(self, view: View) -> None:
        pair, picker = self._pair, self.picker
        if pair is None or picker is None or pair.ours is None:
            return
        self._view = view
        plane = plane_of(pair.ours, 0, view)
        if self._side != OURS and pair.theirs is not None:
            theirs = plane_of(pair.theirs, 0, view)
            if self._side == APART:
                with np.errstate(invalid="ignore"):
                    np.subtract(plane.values, theirs.values, out=theirs.values)
            plane = theirs
        picker.show_plane(plane)
        self.updateGeometry()

    def _add_time(self, column: QVBoxLayout, step: LayerStep) -> None:
        self.time = button(self._theme, tr("Measure layer"), "play")
        self.time.clicked.connect(lambda: self._stepping.time_alone(step.index))
        text = label(tr("Run this layer alone, with the inputs it gets here."), "secondary")
        text.setWordWrap(True)
        add_to(column, self._times, row(text, self.time, spacing=12, stretch=0))
        if step.index in self._stepping.alone:
            self._show_time(step.index)
        self._grey()

    def _show_time(self, layer: int) -> None:
        if self.step is None or self.step.index != layer:
            return
        cleared(self._times)
        self._times.addWidget(weight_facts.Facts(times(self._stepping.alone[layer])))

    def _grey(self) -> None:
        self.time.setEnabled(self._document.work is None)


def _first_view(output: LayerOutput) -> View | None:
    """The last two axes of what has more, as of pictures; there where the error is largest."""
    view, shape = first_view(output.shape), output.shape
    if view is None or len(shape) < 3 or min(shape[-2:]) == 1:
        return view
    place = output.difference.place if output.difference is not None else None
    return View(len(shape) - 2, len(shape) - 1, place or view.at)


def times(alone: Alone) -> tuple[weight_facts.Pair, ...]:
    """Return what the runs of a layer alone tell, as names with values."""
    result = statistics(alone.samples_ns)
    if result is None:
        return ()
    pairs = [(tr("Median"), units.duration(result.p50_ns))]
    if result.median_low_ns is not None and result.median_high_ns is not None:
        low, high = units.duration(result.median_low_ns), units.duration(result.median_high_ns)
        pairs.append((tr("95% CI"), tr("{low} to {high}").format(low=low, high=high)))
    pairs.append(
        (tr("Runs"), tr("{count:,}; times include the call overhead").format(count=result.n))
    )
    pairs.append((tr("Device"), " + ".join(map(units.device, alone.devices))))
    return tuple(pairs)
