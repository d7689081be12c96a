"""The four cards over a report: latency, load, memory, compute units; and all statistics."""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from inspector.analysis.measured.latency import interval_scope, latency, spread_text
from inspector.analysis.measured.layer_sum import is_untimed, submission_text
from inspector.analysis.measured.partitions import layers_not_run, layers_on
from inspector.analysis.measured.phases import MEMORY_KINDS
from inspector.analysis.verdicts.contradictions import (
    contradicting,
    range_ns,
    reliability_doubts,
)
from inspector.model.tensors.agreement import summary_text as answer_text
from inspector.pages.blocks import Chart
from inspector.pages.charts.bars import Bar, whole
from inspector.pages.charts.drawing import Drawing, legend
from inspector.pages.charts.histograms import histogram, small_histogram
from inspector.pages.charts.palette import role
from inspector.pages.report.page import input_text
from inspector.pages.report.timing import runs
from inspector.report.report import PerformanceReport
from inspector.ui import commands, units
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_view import SectionBody
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Card,
    Elided,
    Metric,
    button,
    grid_of,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme, font
from inspector.wording.values import DurationRange, Joined, Name, Sentence, Value

_ONE_ROW_PX = 800  # width from which on four cards stand in a row
_SHARES = (18, 8, 9, 11)  # of the width, four in a row
_TWO_SHARES = (3, 2)  # two in a row
_MAX_DEVICES = 8
_NAMES_PX = 44.0  # base line of the names of devices, in their drawing
_HISTOGRAM_PX = 40, 110, 29  # least and most width of the histogram, and its height
_NOISY = mark("Noisy")
ONE_PROCESS = mark(
    "Results also vary between processes, because their memory layout differs. Measure in "
    "several processes to include this variation."
)
_STATISTICS = mark("All statistics")
_WHAT_P95_IS = mark("p95: 95% of the runs took at most this long.")
_WHAT_CI_IS = mark(
    "95% CI: the range that holds the true median with 95% confidence, if nothing changes."
)
_LOAD_HINT = mark(
    "The first load in a new process. Preview shows a shorter time because its process has "
    "already loaded the runtime and read the file."
)
_PROCESSES = 5  # enough for an interval between processes, few enough to wait for


class MetricCards(QWidget):
    """Four side by side, or two by two where there is less room."""

    def __init__(
        self, theme: Theme, report: PerformanceReport, others: Sequence[PerformanceReport] = ()
    ) -> None:
        super().__init__()
        self.latency = LatencyCard(theme, report, others)
        self.devices = DevicesCard(theme, report)
        self.cards: tuple[Card, ...] = (
            self.latency,
            _load_card(theme, report),
            _memory_card(theme, report),
            self.devices,
        )
        self._grid = grid_of(GAP, GAP, on=self)
        self._columns = 0
        self._arrange(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap."""
        super().resizeEvent(event)
        self._arrange(4 if self.width() >= _ONE_ROW_PX else 2)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        shares = _SHARES if columns == 4 else _TWO_SHARES
        for column in range(len(_SHARES)):
            self._grid.setColumnStretch(column, shares[column] if column < columns else 0)


class LatencyCard(Metric):
    """The two numbers to quote: the headline median, and p95 of all predictions.

    doubts: reasons not to rely on them; the card is marked as noisy then, without an interval.
    interval: of the median, with what it covers. others: further
    measurements, which may contradict this one. statistics_asked: whether all statistics should
    be shown.
    """

    statistics_asked = Signal(bool)

    def __init__(
        self, theme: Theme, report: PerformanceReport, others: Sequence[PerformanceReport] = ()
    ) -> None:
        given = input_text(report)
        title = tr("Latency")
        super().__init__(theme, f"{title}, {written(given)}" if given else title)
        measured, self.doubts = latency(report), reliability_doubts(report, others)
        self.noise_reasons = tuple(written(doubt.sentence) for doubt in self.doubts)
        spreads = [written(each) for each in _spreads(report, others)]
        self.interval = next(iter(spreads), "")
        differ = any(output.over for output in report.outputs)
        if measured is None:
            self.show_value("–", below=tr("no run was timed"))
        else:
            median = units.duration_parts(measured.headline.p50_ns)
            tail, _, unit = units.localized(measured.tail[0]).partition(" ")
            self.numbers = (
                (*median, tr(measured.headline_label)), (tail, unit, tr(measured.tail[1]))
            )  # fmt: skip
            self._wrong = differ
        # An interval beside a reason to doubt it would look certain.
        self.aside = ([] if self.doubts else spreads, "tertiary")
        hints = [tr("Noisy:"), *self.noise_reasons] if self.doubts else []
        hints += [tr(_WHAT_P95_IS)] * (len(self.numbers) > 1)
        said = [f"{value} {unit}, {label}" for value, unit, label in self.numbers]
        if self.interval:
            hints += [f"{self.interval}.", tr(_WHAT_CI_IS)]
            said.append(self.interval)
        if report.outputs:
            hints += [
                tr(
                    "Outputs, compared with an unoptimized run on the CPU: {answer_text}"
                ).format(answer_text=answer_text(report.outputs))
            ]
            text = tr("outputs differ") if differ else tr("outputs match")
            self.badges += ((text, "bad" if differ else "tertiary"),)
            said.append(text)
        if self.doubts:
            self.badges += ((tr(_NOISY), "caution"),)
            said.append(f"{tr(_NOISY)}: {' '.join(self.noise_reasons)}")
        self.setToolTip(tip(*hints) if hints else "")
        self.setAccessibleDescription("; ".join(said))
        bars = histogram(report.prediction_ns, report.median_ns)
        draw = partial(small_histogram, bars, height=_HISTOGRAM_PX[2])
        chart = Chart("runs", draw, tr("Runs"))
        self.histogram = ChartView(theme, chart, least_px=_HISTOGRAM_PX[0])
        self.histogram.setParent(self)
        self.more = button(theme, "", role="link")
        self.more.setParent(self)
        self.more.setCheckable(True)
        self.more.setAccessibleName(tr(_STATISTICS))
        self.more.toggled.connect(self.statistics_asked)
        self.more.setVisible(bool(report.prediction_ns))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put histogram and link to all statistics beside the numbers, smaller where narrow."""
        super().resizeEvent(event)
        right, wide = self.width() - PADDING, QFontMetrics(font(12)).horizontalAdvance
        room = int(right - self.places()[-1])
        texts = (tr(_STATISTICS), tr("More"))
        text = next((text for text in texts if wide(text) <= room), "…")
        self.more.setText(text)
        self.more.setToolTip("" if text == texts[0] else texts[0])
        self.more.setGeometry(right - wide(text) - 2, 63, wide(text) + 4, 22)
        across = min(_HISTOGRAM_PX[1], room + 8)
        self.histogram.setGeometry(right - across, 33, across, 31)
        self.histogram.setVisible(across >= _HISTOGRAM_PX[0] and not self.more.isHidden())


def _spreads(
    report: PerformanceReport, others: Sequence[PerformanceReport]
) -> tuple[Value, ...]:
    """Return how sure the headline median is, in words and in fewer.

    Where measurements contradict each other: the range of all of them.
    """
    against, measured = contradicting(report, others), latency(report)
    if against:
        span = DurationRange(*range_ns(report, against))
        return (Sentence("{range} in all measurements with these settings", span),)
    short = spread_text(measured.headline) if measured is not None else None
    if measured is None or short is None:
        return ()
    if measured.headline.median_low_ns is None:
        return (short,)
    return Joined((short, interval_scope(report)), " "), short


class DeviceWork(Struct, frozen=True):
    """The work of one device: layers that ran on it, and kernel time in a run."""

    name: str
    family: str
    layers: int
    kernel_ns: int
    timed: bool = True


def work_by_device(report: PerformanceReport) -> tuple[DeviceWork, ...]:
    """Layers and time of each device, idle ones included."""
    items = []
    for device in report.devices[:_MAX_DEVICES]:
        device_layers = [layer for layer in report.layers if layer.ran_on == device.id]
        added = [node for node in report.inserted if node.device == device.id]
        busy = sum(layer.time_ns or 0 for layer in device_layers) + sum(
            node.time_ns for node in added
        )
        count = layers_on(report, device.id)
        timed = not is_untimed(report, device.id)
        items.append(DeviceWork(units.device(device.id), device.kind, count, busy, timed))
    return tuple(items)


class DevicesCard(Metric):
    """The share of time and the number of layers of each device.

    Where all ran on one device, a link invites to check what others support.
    """

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme, tr("Devices"))
        self.numbers = ()
        self._units = work_by_device(report)
        total = sum(unit.kernel_ns for unit in self._units)
        self.others = button(theme, tr("Other devices…"), role="link")
        self.others.setParent(self)
        self.others.setToolTip(tip(tr("Check which layers other devices support")))
        self.others.clicked.connect(commands.runner(self, "support"))
        self.others.hide()
        self._invites = False
        # Beside a device without times the others' shares would have no base.
        self._timed = all(unit.timed for unit in self._units)
        layers = plural(sum(unit.layers for unit in self._units), "layer")
        ran = tr("{layers} ran").format(layers=layers) if self._timed else tr("not timed")
        rest = layers_not_run(report)
        longer = tr("{layers} ran, {count:,} fused or removed").format(
            layers=layers, count=rest
        )
        self.aside = ([longer] * bool(rest and self._timed) + [ran], "tertiary")
        chart = Chart("devices", self._draw, tr("Devices"))
        self.bar = ChartView(theme, chart, least_px=_HISTOGRAM_PX[0])
        self.bar.setParent(self)
        self.others.raise_()
        texts = (
            f"{u.name} {plural(u.layers, 'layer')}"
            + (f", {units.share(u.kernel_ns, total)}" if self._timed else tr(", not timed"))
            for u in self._units
        )
        if not self._timed:
            self.setToolTip(tip(written(submission_text(report))))
        self.setAccessibleDescription("; ".join(texts))

    def invite(self) -> None:
        """Offer to check other devices, where the report has only one."""
        self._invites = len(self._units) == 1
        self._place_link()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the bar below the title, and the link into the line of its legend."""
        super().resizeEvent(event)
        self.bar.setGeometry(16, 41, self.width() - 32, 44)
        self._place_link()

    def _place_link(self) -> None:
        """Put the link at the end of the line, where a device's long name leaves room."""
        width = QFontMetrics(font(12)).horizontalAdvance(self.others.text()) + 4
        left = self.width() - PADDING - width + 2
        self.others.setGeometry(left, 62, width, 22)
        names = (QFontMetrics(font(12, 500)).horizontalAdvance(u.name) for u in self._units)
        self.others.setVisible(self._invites and 30 + max(names, default=0) + 8 <= left)

    def _draw(self, width: float) -> Drawing:
        """Draw one bar of all devices over their names."""
        bars = [
            Bar(
                unit.name,
                unit.kernel_ns if self._timed else unit.layers,
                tint=role(unit.family),
            )
            for unit in self._units
        ]
        several = len(bars) > 1  # else their number stands in the title
        names = [
            f"{u.name} {units.number(u.layers)}" if several else u.name for u in self._units
        ]
        entries = [(Name(name), bar.tint) for name, bar in zip(names, bars, strict=True)]
        shapes = (*whole(bars, width, 8), *legend(entries, width, _NAMES_PX))
        return Drawing("", width, _NAMES_PX + 8, shapes)


def _load_card(theme: Theme, report: PerformanceReport) -> Metric:
    card = Metric(theme, tr("Load"))
    first = units.duration(report.first_prediction_ns)
    card.show_value(
        *units.duration_parts(report.load_ns), tr("first run {first}").format(first=first)
    )
    card.setToolTip(tip(tr(_LOAD_HINT)))
    return card


def _memory_card(theme: Theme, report: PerformanceReport) -> Metric:
    card = Metric(theme, tr("Peak model memory"))
    memory = report.memory
    card.show_value(
        *units.size_parts(memory.model_bytes),
        tr("process peak {size}").format(size=units.size(memory.peak_bytes)),
    )
    text = tr(
        "Peak resident memory (RSS) of the process, {size}, "
        "minus {size_2} before loading. The weights take "
        "{size_3}."
    ).format(
        size=units.size(memory.peak_bytes),
        size_2=units.size(memory.start_bytes),
        size_3=units.size(memory.weights_bytes),
    )
    card.setToolTip(tip(text, MEMORY_KINDS))
    return card


class StatisticsCard(Card):
    """Hidden at first; the numbers are worked out when it is first shown."""

    closed = Signal()
    processes_asked = Signal(int)  # how many to measure in

    def __init__(
        self, theme: Theme, report: PerformanceReport, measurable: bool = False
    ) -> None:
        super().__init__(theme)
        one = measurable and len(report.start_lengths) < 2
        self.several = button(
            theme, tr("Measure in {count} processes").format(count=_PROCESSES), role="link"
        )
        self.several.setToolTip(tip(tr(ONE_PROCESS)))
        self.several.clicked.connect(lambda: self.processes_asked.emit(_PROCESSES))
        self.history = button(theme, tr("History…"), role="link")
        self.history.setToolTip(tip(tr("List past reports on this model and their trend")))
        self.history.clicked.connect(commands.runner(self, "history"))
        self.body.setContentsMargins(PADDING, 8, PADDING, 8)
        title = tr("Statistics of {runs}").format(runs=plural(len(report.prediction_ns), "run"))
        self.line = Elided(title, "heading", Qt.TextElideMode.ElideRight)
        self.close_button = tool(theme, "close", tr("Hide statistics"), then=self.closed)
        self._theme, self._report = theme, report
        self.numbers: SectionBody | None = None
        self.body.addLayout(
            row(self.line, self.several, 8, self.history, self.close_button, stretch=0)
        )
        self.several.setVisible(one)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Work the numbers out."""
        if self.numbers is None:
            self.numbers = SectionBody(self._theme, runs(self._report))
            self.body.addWidget(self.numbers)
            self.numbers.show()
        super().showEvent(event)
