"""Memory of activations over one run: a chart with its peak, and the tensors alive there."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.analysis.cost.memory_plan import Lifetime, MemoryPlan
from inspector.analysis.measured.phases import MEMORY_KINDS
from inspector.model.model import Layer, Model
from inspector.pages.blocks import Chart
from inspector.pages.charts.activations_plot import activations_plot
from inspector.pages.charts.bars import Bar, shares
from inspector.report.report import PerformanceReport
from inspector.ui import units
from inspector.ui.documents.document import Document, Topic
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    column_of,
    label,
    row,
    show_in_place,
    tip,
)
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Name, Size

_LIST = 300  # pixels


class MemoryCard(Card):
    """Shows which activations are alive over a run; follows estimate, report and selection."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document = document
        self._plan: MemoryPlan | None = None
        self.title = label(tr("Activation memory"), "heading")
        self.title.setToolTip(tip(MEMORY_KINDS))
        self.summary = label("", "secondary", wraps=True)
        self.chart = ChartView(theme)
        self.chart.chosen.connect(lambda key: document.selection.choose(int(key)))
        self.heading = Elided("", "section")
        self.tensors = ChartView(theme)
        side = QWidget()
        side.setFixedWidth(_LIST)
        column_of(self.heading, self.tensors, None, on=side, spacing=6)
        add_to(self.body, self.title, self.summary)
        self.body.addLayout(row((self.chart, 1), side, spacing=20))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        document.estimating.changed.connect(self._show)
        document.changed(Topic.REPORT).connect(self._show)
        document.selection.changed.connect(self._show_alive)
        document.estimating.begin()
        self._show()

    def _show(self) -> None:
        estimate, model = self._document.estimating.estimate, self._document.model
        if estimate is None or model is None:
            self.hide()
            return
        show_in_place(self, bool(estimate.memory.live.any()))
        self._plan = estimate.memory
        report = self._document.report
        measured = _measured(report, len(model.layers))
        self.summary.setText(_summary(self._plan, model, measured, report))
        names = [each.label for each in model.layers]
        peak = self._plan.peak.layer
        draw = partial(activations_plot, self._plan.live, measured, peak, names)
        text = tr("Peak {size} at {name}").format(
            size=units.size(int(self._plan.live.max(initial=0))),
            name=units.clip(names[peak], 120) if peak is not None else "",
        )
        self.chart.show_chart(Chart("activations", draw, text))
        self._show_alive()

    def _show_alive(self) -> None:
        """List the tensors that are alive at the selected layer, else at the peak."""
        plan, model = self._plan, self._document.model
        if plan is None or model is None:
            return
        layer = self._document.selection.now.layer
        self.chart.choose("" if layer is None else str(layer))
        at_peak = layer is None or layer == plan.peak.layer or layer >= len(model.layers)
        if at_peak or layer is None:
            alive, layer = plan.at_peak, plan.peak.layer
        else:
            alive = plan.alive_at(_top(model.layers, layer))
        name = model.layers[layer].label if layer is not None else ""
        title = (
            tr("Tensors at the memory peak, during {name}")
            if at_peak
            else tr("Tensors in memory during {name}")
        )
        title = title.format(name=units.clip(name, 80))
        self.heading.set_text(title)
        whole = sum(each.bytes for each in alive) or 1
        bars = [
            Bar(
                Name(units.clip(each.name, 120)), each.bytes / whole, Size(each.bytes), "cpu",
                title=_lives(each, model.layers),
            )
            for each in alive
        ]  # fmt: skip
        self.tensors.show_chart(Chart("tensors", partial(shares, bars), title))


def _top(layers: Sequence[Layer], layer: int) -> int:
    """Return the layer of the main graph that a layer lies in; itself if in none."""
    parent = layers[layer].parent
    while parent is not None:
        layer, parent = parent, layers[parent].parent
    return layer


def _lives(each: Lifetime, layers: Sequence[Layer]) -> str:
    """Return name and size of a tensor, and from which to which layer it lives."""
    first = tr("an input") if each.first is None else layers[each.first].label
    last = tr("the end") if each.last is None else layers[each.last].label
    lives = tr("{name}: from {first} to {last}").format(
        name=units.clip(each.name, 120), first=units.clip(first, 80), last=units.clip(last, 80)
    )
    return f"{lives}, {units.size(each.bytes)}"


def _measured(report: PerformanceReport | None, count: int) -> NDArray[np.float64]:
    """Return the arena's bytes in use after each layer, NaN where unknown: float64 (count,)."""
    values = np.full(count, np.nan)
    for use in report.layers if report is not None else ():
        if use.arena_bytes is not None and 0 <= use.index < count:
            values[use.index] = use.arena_bytes
    return values


def _summary(
    plan: MemoryPlan,
    model: Model,
    measured: NDArray[np.float64],
    report: PerformanceReport | None,
) -> str:
    """Return the peak, where it is, and what the runtime's arena took."""
    layer = plan.peak.layer
    name = units.clip_name(model.layers[layer].label, 60) if layer is not None else ""
    texts = [
        tr(
            "Computed from shapes: {size} at the peak, while {name} runs. With buffers used "
            "again as ONNX Runtime's planner does, {arena} of its arena are in use."
        ).format(size=units.size(int(plan.live.max())), name=name, arena=units.size(plan.arena))
    ]
    if plan.peak.unknown:
        texts.append(
            tr("The size of {values} is unknown.").format(
                values=plural(plan.peak.unknown, "tensor")
            )
        )
    if not np.isnan(measured).all():
        texts.append(
            tr(
                "Measured at the end of each layer in the first run: up to {size} of the "
                "arena was in use."
            ).format(size=units.size(float(np.nanmax(measured))))
        )
        if report is not None and report.memory.arena_held_bytes:
            texts.append(
                tr("{size} reserved from the system.").format(
                    size=units.size(report.memory.arena_held_bytes)
                )
            )
    else:
        texts.append(tr("Measure to see the memory use of the runtime's arena."))
    return " ".join(texts)
