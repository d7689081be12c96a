"""One layer in full: what it gave, how far the other side is from it, a picture, its time."""

import numpy as np
from PySide6.QtWidgets import QVBoxLayout

from inspector import units
from inspector.agreement import decibels
from inspector.analysis.statistics import statistics
from inspector.analysis.stepping import Alone, LayerOutput, LayerStep
from inspector.errors import InspectorError
from inspector.ui.documents.document import Document
from inspector.ui.documents.stepping import Pair, Stepping
from inspector.ui.kit.detail import DetailCard
from inspector.ui.kit.fields import ChoiceField
from inspector.ui.kit.parts import Elided, Segmented, button, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.values.clearing import cleared
from inspector.ui.values.columns import number
from inspector.ui.weights import facts
from inspector.ui.weights.gathering import View, first_view, plane_of
from inspector.ui.weights.plane_picker import PlanePicker
from inspector.ui.weights.remark import Remark
from inspector.ui.weights.value_bars import ValueBars

OURS, THEIRS, APART = range(3)


class StepDetail(DetailCard):
    """Follows the list; tensors are fetched when they are looked at."""

    def __init__(self, theme: Theme, document: Document, stepping: Stepping) -> None:
        super().__init__(theme, "The chosen layer")
        self._document, self._stepping = document, stepping
        self.step: LayerStep | None = None
        self._slot, self._side = 0, OURS
        self._pair: Pair | None = None
        self._view: View | None = None
        self._refused = ""
        self.picker: PlanePicker | None = None
        self.sides: Segmented | None = None
        self.time = button(theme, "Time it alone", "play")
        stepping.read.connect(self._take)
        stepping.refused.connect(self._refuse)
        stepping.timed.connect(self._show_time)
        document.work_changed.connect(self._grey)
        self._build()

    def show_step(self, step: LayerStep) -> None:
        """Show another layer."""
        if step is not self.step:
            self.step, self._slot, self._pair, self._refused = step, 0, None, ""
            worst = step.worst
            if worst is not None:
                found = [output.difference for output in step.outputs]
                self._slot = next(i for i, each in enumerate(found) if each is worst)
            self._build()

    @property
    def output(self) -> LayerOutput | None:
        """The output that is shown."""
        step = self.step
        return step.outputs[self._slot] if step is not None and step.outputs else None

    def _build(self) -> None:
        self.picker = self.sides = None
        self._times = QVBoxLayout()
        self._times.setSpacing(6)
        invitation = "Select a layer to see what it gives." if self.step is None else ""
        page, column = self.new_page(invitation)
        if self.step is not None:
            self._add_step(column, self.step)
            column.addStretch(1)
        self.show_page(page)

    def _add_step(self, column: QVBoxLayout, step: LayerStep) -> None:
        scope, leaf = units.scope_and_name(units.clip(step.name))
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(Elided(leaf, "title"))
        within = f" in {scope.replace('/', ' / ')}" if scope else ""
        titles.addWidget(Elided(f"{units.clip(step.operator, 60)}{within}", "secondary"))
        column.addLayout(titles)
        for words in (step.problem, step.remark):
            if words:
                column.addWidget(Remark(self._theme, words, "info", "caution"))
        output = self.output
        if output is None:
            return
        if len(step.outputs) > 1:
            column.addLayout(self._choice(step))
        if output.difference is not None:
            self._add_difference(column, output)
        self._add_values(column, output)
        if not self._in_body(step):
            column.addWidget(label("Time", "section"))
            self._add_time(column, step)

    def _in_body(self, step: LayerStep) -> bool:
        """Whether a layer is part of another one; alone it would lack what that gives it."""
        model = self._document.model
        return model is not None and model.layers[step.index].parent is not None

    def _choice(self, step: LayerStep) -> QVBoxLayout:
        names = [units.clip(output.name, 60) for output in step.outputs]
        field = ChoiceField("Output", [str(i) for i in range(len(names))], names)
        field.show_value(str(self._slot))
        field.activated.connect(lambda: self._turn(int(field.value)))
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(label("Output", "caption"))
        column.addWidget(field)
        return column

    def _turn(self, slot: int) -> None:
        self._slot, self._pair, self._refused = slot, None, ""
        self._build()

    def _add_difference(self, column: QVBoxLayout, output: LayerOutput) -> None:
        found = output.difference
        assert found is not None
        column.addWidget(label("Difference", "section"))
        if found.problem:
            column.addWidget(Remark(self._theme, found.problem, "warning", "bad"))
            return
        words = "Over the tolerance." if output.over else "Within the tolerance."
        if found.identical:
            words = "Identical."
        icon, role = ("warning", "bad") if output.over else ("check", "good")
        column.addWidget(Remark(self._theme, words, icon, role))
        place = "–" if found.place is None else f"[{', '.join(map(str, found.place))}]"
        pairs = (
            ("Largest", number(found.max_abs)),
            ("At", place),
            ("Mean", number(found.mean_abs)),
            ("Relative", number(found.mean_relative)),
            ("Cosine", "–" if found.cosine is None else f"{found.cosine:.6f}"),
            ("PSNR", decibels(found.psnr_db)),
            ("SQNR", decibels(found.sqnr_db)),
            ("Unequal", f"{found.unequal:,}"),
        )
        column.addWidget(facts.Facts(pairs, 2))
        if output.counterpart:
            words = f"Compared with '{units.clip(output.counterpart, 80)}'."
            column.addWidget(Remark(self._theme, words))

    def _add_values(self, column: QVBoxLayout, output: LayerOutput) -> None:
        column.addWidget(label("Values", "section"))
        kept = f", kept in {output.kept_in}" if output.kept_in else ""
        what = (("Tensor", units.clip(output.name)), ("Type", f"{output.dtype}{kept}"))
        column.addWidget(facts.Facts((*what, ("Shape", units.shape(output.shape)))))
        if output.words:
            column.addWidget(Remark(self._theme, output.words))
        found = output.statistics
        if found is None:
            return
        if not found.elements:
            column.addWidget(label("It has no elements.", "secondary"))
            return
        column.addWidget(facts.Facts(facts.of_values(found, output.dtype), 2))
        if found.nan:
            said = "It was given NaN." if self._gets_nan() else "It makes NaN of numbers."
            column.addWidget(Remark(self._theme, said, "warning", "bad"))
        if found.histogram is not None and len(found.histogram.counts) > 1:
            bars = ValueBars(self._theme)
            bars.show_histogram(found.histogram)
            column.addWidget(bars)
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
        column.addWidget(label("Picture of a plane", "section"))
        if pair.theirs is not None and pair.theirs.shape == pair.ours.shape:
            self.sides = Segmented(self._theme, ("This side", "Other side", "Difference"), 96)
            self.sides.setAccessibleName("What the picture shows")
            self._side = APART if output.over else OURS
            self.sides.choose(self._side)
            self.sides.chosen.connect(self._show_side)
            column.addWidget(self.sides)
        else:
            self._side = OURS
        self.picker = PlanePicker(self._theme, pair.ours.shape, view)
        self.picker.asked.connect(self._show_plane)
        column.addWidget(self.picker)
        self._show_plane(view)

    def _refuse(self, error: InspectorError) -> None:
        if self.output is not None:
            said = ". ".join(words for words in (error.what, error.why, error.hint) if words)
            self._refused = said
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
        self.time = button(self._theme, "Time it alone", "play")
        self.time.clicked.connect(lambda: self._stepping.time_alone(step.index))
        words = label("Run it by itself, on what it gets here.", "secondary")
        words.setWordWrap(True)
        column.addLayout(self._times)
        column.addLayout(row(words, self.time, spacing=12, stretch=0))
        if step.index in self._stepping.alone:
            self._show_time(step.index)
        self._grey()

    def _show_time(self, layer: int) -> None:
        if self.step is None or self.step.index != layer:
            return
        cleared(self._times)
        self._times.addWidget(facts.Facts(times(self._stepping.alone[layer])))

    def _grey(self) -> None:
        self.time.setEnabled(self._document.work is None)


def _first_view(output: LayerOutput) -> View | None:
    """The last two axes of what has more, as of pictures; there where the error is largest."""
    view, shape = first_view(output.shape), output.shape
    if view is None or len(shape) < 3 or min(shape[-2:]) == 1:
        return view
    place = output.difference.place if output.difference is not None else None
    return View(len(shape) - 2, len(shape) - 1, place or view.at)


def times(alone: Alone) -> tuple[facts.Pair, ...]:
    """What the runs of a layer alone tell, as names with values."""
    found = statistics(alone.samples_ns)
    if found is None:
        return ()
    pairs = [("Median", units.duration(found.p50_ns))]
    if found.median_low_ns is not None and found.median_high_ns is not None:
        low, high = units.duration(found.median_low_ns), units.duration(found.median_high_ns)
        pairs.append(("95 % interval", f"{low} to {high}"))
    pairs.append(("Runs", f"{found.n:,}, the call of the runtime included"))
    pairs.append(("On", " + ".join(map(units.device, alone.devices))))
    return tuple(pairs)
