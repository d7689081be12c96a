"""The four cards over a report: latency, load, memory, compute units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector.analysis.measured.latency import (
    interval_scope,
    interval_text,
    latency,
    processes,
)
from inspector.analysis.measured.layer_sum import is_untimed, submission_text
from inspector.analysis.measured.noise import Doubt
from inspector.analysis.measured.partitions import layers_on
from inspector.analysis.measured.phases import MEMORY_KINDS
from inspector.analysis.verdicts.contradictions import (
    contradicting,
    range_ns,
    reliability_doubts,
)
from inspector.export.charts.bars import Bar, whole
from inspector.export.charts.drawing import Drawing, legend, role
from inspector.export.charts.histograms import histogram, small_histogram
from inspector.model.tensors.agreement import summary_text as answer_text
from inspector.pages.blocks import Chart
from inspector.report.report import PerformanceReport
from inspector.ui import units
from inspector.ui.translate import interval, mark, plural, tr, written
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import GAP, PADDING, Card, Metric, button, tip
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color
from inspector.wording.values import Name

_ONE_ROW_PX, _SHARES, _TWO_SHARES = 800, (18, 8, 9, 11), (3, 2)
_MAX_DEVICES = 8
_NAMES_PX = 44.0  # base line of the names of devices, in their drawing
_HISTOGRAM_PX = 40, 110, 29  # least and most width of the histogram, and its height
_NOISY = mark("Noisy")
_FEWEST_PROCESSES = 2
_FEWEST_OF_A_RANGE = 2
ONE_PROCESS = mark(
    "Results also vary between processes, because their memory layout differs. Measure in "
    "several processes to include this variation."
)
_STATISTICS = mark("All statistics")
_LOAD_HINT = mark(
    "The first load in a new process. Preview shows a shorter time because its process has "
    "already loaded the runtime and read the file."
)


class MetricCards(QWidget):
    """Four side by side, or two by two where there is less room."""

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        others: Sequence[PerformanceReport] = (),
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
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
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


class LatencyCard(Card):
    """The two numbers to quote: the headline median, and p95 of all predictions.

    doubts: reasons not to rely on them; the card is marked as noisy then, and shows the first
    one in place of the interval. others: further measurements, which may contradict this one.
    statistics_asked: whether all statistics should be shown.
    """

    statistics_asked = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        others: Sequence[PerformanceReport] = (),
    ) -> None:
        super().__init__(theme)
        self.setFixedHeight(Metric.HEIGHT)
        self.more = button(theme, "")
        self.more.setProperty("role", "link")
        self.more.setParent(self)
        self.more.setCheckable(True)
        self.more.setAccessibleName(tr(_STATISTICS))
        self.more.toggled.connect(self.statistics_asked)
        self.more.setVisible(bool(report.prediction_ns))
        self.setMinimumWidth(150)
        self.latency = latency(report)
        if (count := len(report.start_lengths)) > 1:
            self._scope = tr("over {count:,} processes").format(count=count)
            self._processes = tr("{count:,} processes").format(count=count)
        else:
            self._scope, self._processes = tr(interval_scope(report)), tr(processes(report))
        self.doubts = reliability_doubts(report, others)
        against = contradicting(report, others)
        self._range_ns = range_ns(report, against) if against else None
        bars = histogram(report.prediction_ns, report.median_ns)
        draw = partial(small_histogram, bars, height=_HISTOGRAM_PX[2])
        chart = Chart("runs", draw, tr("Runs"))
        self.histogram = ChartView(theme, chart, least_px=_HISTOGRAM_PX[0])
        self.histogram.setParent(self)
        self._outputs_differ = any(output.over for output in report.outputs)
        self._outputs_text = ""
        if report.outputs:
            self._outputs_text = (
                tr("outputs differ") if self._outputs_differ else tr("outputs match")
            )
        hints = [tr("Noisy:"), *self.noise_reasons] if self.doubts else []
        if self.interval:
            hints += [f"{self.interval}."]
            if len(report.start_lengths) < _FEWEST_PROCESSES:
                hints += [tr(ONE_PROCESS)]
        if report.outputs:
            hints += [
                tr(
                    "Outputs, compared with an unoptimized run on the CPU: {answer_text}"
                ).format(answer_text=answer_text(report.outputs))
            ]
        self.setToolTip(tip(*hints) if hints else "")
        self.setAccessibleName(tr("Latency"))
        self.setAccessibleDescription("; ".join(self._accessible_parts()))

    @property
    def numbers(self) -> tuple[tuple[str, str, str], ...]:
        """Value, unit and label of the two numbers; empty where nothing was timed."""
        latency = self.latency
        if latency is None:
            return ()
        value, label = latency.tail
        late, _, unit = value.partition(" ")
        return (
            (*units.duration_parts(latency.headline.p50_ns), tr(latency.headline_label)),
            (late, unit, tr(label)),
        )

    @property
    def noise_reasons(self) -> tuple[str, ...]:
        """Return the reasons not to rely on the numbers, as sentences."""
        return tuple(written(doubt.sentence) for doubt in self.doubts)

    @property
    def interval(self) -> str:
        """Return the interval of the headline median and what it covers:
        '95% CI 3.62 ms to 3.66 ms within one process'.

        Where measurements contradict each other: the range of all of them."""
        if self._range_ns is not None:
            return tr("{range} in all measurements with these settings").format(
                range=interval(units.durations(*self._range_ns))
            )
        texts = interval(interval_text(self.latency.headline)) if self.latency else ""
        if not texts:
            return self._range
        return tr("95% CI {texts} {scope}").format(texts=texts, scope=self._scope)

    @property
    def _range(self) -> str:
        """Return the range of too few runs for an interval: 'range 3.5 ms to 3.9 ms of 4 runs';
        '' of fewer than two."""
        if self.latency is None or self.latency.headline.n < _FEWEST_OF_A_RANGE:
            return ""
        numbers = self.latency.headline
        ends = interval(units.durations(numbers.min_ns, numbers.max_ns))
        return tr("range {range} of {runs}").format(range=ends, runs=plural(numbers.n, "run"))

    @property
    def _intervals(self) -> tuple[str, ...]:
        """Return the interval in shorter and shorter words."""
        texts = interval(interval_text(self.latency.headline)) if self.latency else ""
        if not texts:
            return (self._range,) if self._range else ()
        low, _, high = texts.partition(" to ")
        number, _, unit = low.partition(" ")
        short = f"{number} to {high}" if high.endswith(f" {unit}") else texts
        return (
            self.interval,
            tr("95% CI {texts}, {processes}").format(texts=short, processes=self._processes),
            tr("{texts}, {processes}").format(texts=short, processes=self._processes),
            tr("95% CI {texts}").format(texts=texts),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the link to all statistics below the histogram, shorter where it is narrow."""
        super().resizeEvent(event)
        metrics = QFontMetrics(font(11))
        labels = sum(metrics.horizontalAdvance(label) + 18 for _, _, label in self.numbers)
        room = self.width() - 2 * PADDING - labels
        texts = (tr(_STATISTICS), tr("More"))
        wide = QFontMetrics(font(12))
        fitting = [text for text in texts if wide.horizontalAdvance(text) + 2 <= room]
        self.more.setText(next(iter(fitting), "…"))
        width = wide.horizontalAdvance(self.more.text()) + 4
        self.more.setToolTip("" if fitting[:1] == [texts[0]] else texts[0])
        self.more.setGeometry(self.width() - PADDING - width + 2, 63, width, 22)
        large, middle = QFontMetrics(font(24, 600)), QFontMetrics(font(13, 500))
        end = last = -2  # each number begins 18 pixels on
        for value, unit, label in self.numbers:
            start = end + 18
            end = start + large.horizontalAdvance(value) + 4 + middle.horizontalAdvance(unit)
            last, end = end, max(end, start + metrics.horizontalAdvance(label))
        free = self.width() - 16 - last - 10 if self.numbers else 0
        across = min(_HISTOGRAM_PX[1], free)
        self.histogram.setGeometry(self.width() - 16 - across, 33, across, 31)
        self.histogram.setVisible(across >= _HISTOGRAM_PX[0])

    def _accessible_parts(self) -> Iterator[str]:
        yield from (f"{value} {unit}, {label}" for value, unit, label in self.numbers)
        if self.interval:
            yield self.interval
        if self._outputs_text:
            yield self._outputs_text
        if self.doubts:
            yield f"{tr(_NOISY)}: {' '.join(self.noise_reasons)}"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the title with badge and interval, both numbers, and the histogram."""
        super().paintEvent(event)
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_title(painter)
        if not self.numbers:
            painter.setFont(font(13))
            painter.setPen(qt_color(self._theme.palette.tertiary))
            painter.drawText(16, 57, tr("no run was timed"))
            return
        left = 16.0
        for place, number in enumerate(self.numbers):
            wrong = self._outputs_differ and not place
            left = self._draw_number(painter, left, number, wrong) + 18

    def _draw_number(
        self, painter: QPainter, left: float, number: tuple[str, str, str], wrong: bool
    ) -> float:
        """Draw one number over its label; returns where the wider of both ends."""
        palette, (value, unit, below) = self._theme.palette, number
        painter.setFont(font(24, 600))
        painter.setPen(qt_color(palette.bad if wrong else palette.text))
        painter.drawText(QPointF(left, 57), value)
        end = left + painter.fontMetrics().horizontalAdvance(value) + 4
        painter.setFont(font(13, 500))
        painter.setPen(qt_color(palette.secondary))
        painter.drawText(QPointF(end, 57), unit)
        end += painter.fontMetrics().horizontalAdvance(unit)
        painter.setFont(font(11))
        painter.setPen(qt_color(palette.tertiary))
        room = max(0.0, self.width() - 16 - left)
        shown = painter.fontMetrics().elidedText(below, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(left, 66, room, 16), Qt.AlignmentFlag.AlignVCenter, shown)
        return max(end, left + painter.fontMetrics().horizontalAdvance(shown))

    def _draw_title(self, painter: QPainter) -> None:
        palette, line = self._theme.palette, QRectF(16, 12, self.width() - 32, 16)
        painter.setFont(font(12, 500))
        painter.setPen(qt_color(palette.secondary))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, tr("Latency"))
        end = line.left() + painter.fontMetrics().horizontalAdvance(tr("Latency")) + 8
        if self._outputs_text:
            painter.setPen(qt_color(palette.bad if self._outputs_differ else palette.tertiary))
            rest = QRectF(end, line.top(), line.right() - end, line.height())
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, self._outputs_text)
            end += painter.fontMetrics().horizontalAdvance(self._outputs_text) + 8
        if self.doubts:
            end = self._draw_badge(painter, end) + 8
        painter.setFont(font(11))
        painter.setPen(qt_color(palette.caution if self.doubts else palette.tertiary))
        wide = painter.fontMetrics().horizontalAdvance
        # An interval beside a reason to doubt it would look certain.
        texts = _shorts(self.doubts) or self._intervals
        fitting = (text for text in texts if end + wide(text) <= line.right())
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(line, alignment, next(fitting, ""))

    def _draw_badge(self, painter: QPainter, left: float) -> float:
        """Draw the word for doubtful numbers; returns where it ends."""
        palette = self._theme.palette
        painter.setFont(font(11, 600))
        width = painter.fontMetrics().horizontalAdvance(tr(_NOISY)) + 14
        box = QRectF(left, 11, width, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(palette.caution, 0.16))
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(qt_color(palette.caution))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tr(_NOISY))
        return box.right()


def _shorts(doubts: Sequence[Doubt]) -> tuple[str, ...]:
    """Return what to write beside the badge, the most serious reason first."""
    return tuple(written(doubt.short) for doubt in doubts)


@dataclass(frozen=True, slots=True)
class DeviceWork:
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


class DevicesCard(Card):
    """The share of time and the number of layers of each device.

    Where all ran on one device, a link invites to check what others support.
    """

    check_asked = Signal()

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme)
        self._units = work_by_device(report)
        self._fused = sum(layer.into is not None for layer in report.layers)
        self._layers = plural(sum(unit.layers for unit in self._units), "layer")
        self.setFixedHeight(Metric.HEIGHT)
        self.setMinimumWidth(150)
        total = sum(unit.kernel_ns for unit in self._units)
        self.setAccessibleName(tr("Devices"))
        self.others = button(theme, tr("Other devices…"))
        self.others.setParent(self)
        self.others.setProperty("role", "link")
        self.others.setToolTip(tip(tr("Check which layers other devices support")))
        self.others.clicked.connect(self.check_asked)
        self.others.hide()
        self._invites = False
        # Beside a device without times the others' shares would have no base.
        self._timed = all(unit.timed for unit in self._units)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the title and what ran."""
        super().paintEvent(event)
        palette = self._theme.palette
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QRectF(16, 12, self.width() - 32, 16)
        painter.setFont(font(12, 500))
        painter.setPen(qt_color(palette.secondary))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, tr("Devices"))
        begin = painter.fontMetrics().horizontalAdvance(tr("Devices")) + 8
        painter.setFont(font(12))
        painter.setPen(qt_color(palette.tertiary))
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        ran = tr("{layers} ran").format(layers=self._layers) if self._timed else tr("not timed")
        room = int(line.width()) - begin
        if self._fused and self._timed:
            longer = tr("{text}, {fused:,} fused").format(text=ran, fused=self._fused)
            if painter.fontMetrics().horizontalAdvance(longer) <= room:
                ran = longer
        ran = painter.fontMetrics().elidedText(ran, Qt.TextElideMode.ElideRight, room)
        painter.drawText(line, alignment, ran)

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
