"""A measurement under way: its step, how far it is, and what is known already."""

from functools import partial

import numpy as np
from PySide6.QtCore import QElapsedTimer, QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPaintEvent, QPen, QShowEvent

from inspector.engine.client.engine_process import Progress
from inspector.engine.progress_text import progress_text, stalled_text, step_text
from inspector.pages.blocks import Chart
from inspector.pages.charts.histograms import histogram, small_histogram
from inspector.pages.charts.palette import CHECK
from inspector.statistics.intervals import relative_half_width
from inspector.ui import units
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import Card, Elided, add_to, keep_room, label, row
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.support_legend import svg_path
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

STEPS = (
    (mark("Load"), ("start", "devices", "compile", "load")),
    (mark("First run"), (mark("first prediction"),)),
    (mark("Warm-up"), ("warm-up",)),
    (mark("Runs"), ("prediction", "tokens")),
    (mark("Profile"), ("profile",)),
    (mark("Layers"), ("layers", "synchronize")),
    (mark("Device support"), ("support", "answer", "ceilings", "shapes")),
)
_HISTOGRAM_PX = 120, 40
_DOT = 14  # px
_APART = 5  # px, from a dot to its text
_BETWEEN = 14  # px, between steps


def step_index(step: str) -> int | None:
    """Return which of STEPS the engine's step belongs to."""
    indices = (place for place, (_, names) in enumerate(STEPS) if step in names)
    return next(indices, None)


class MeasureSteps(Painted):
    """Draws the steps; an unknown one changes nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.current = 0
        self.setFixedHeight(18)

    def show_step(self, step: str) -> None:
        """Mark a step of the engine as under way."""
        place = step_index(step)
        self.current = self.current if place is None else place
        title = tr(STEPS[self.current][0])
        self.setAccessibleName(
            tr("Step {current} of {count}: {title}").format(
                current=self.current + 1, count=len(STEPS), title=title
            )
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw dots and words; only the words of the present step where room is short."""
        palette = self._theme.palette
        painter = painter_on(self, smooth=True)
        painter.setFont(font(11, 500))
        metrics = painter.fontMetrics()
        widths = [metrics.horizontalAdvance(tr(title)) for title, _ in STEPS]
        whole = sum(widths) + len(STEPS) * (_DOT + _APART + _BETWEEN) - _BETWEEN
        x = 0.0
        for place, ((title, _), width) in enumerate(zip(STEPS, widths, strict=True)):
            top = (self.height() - _DOT) / 2
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if place < self.current:
                painter.setPen(QPen(qt_color(palette.good), 1.6, c=Qt.PenCapStyle.RoundCap))
                painter.drawPath(svg_path(CHECK).translated(x, top))
            elif place == self.current:
                painter.setPen(QPen(qt_color(palette.accent), 3))
                painter.drawEllipse(QRectF(x + 3.5, top + 3.5, 7, 7))
            else:
                painter.setPen(QPen(qt_color(palette.tertiary), 1.3))
                painter.drawEllipse(QRectF(x + 4, top + 4, 6, 6))
            x += _DOT + _APART
            if whole <= self.width() or place == self.current:
                tint = palette.text if place == self.current else palette.tertiary
                painter.setPen(qt_color(tint))
                box = QRectF(x, 0, width + 1, self.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, tr(title))
                x += width + _BETWEEN


class MeasureProgress(Card):
    """Shows what the engine tells; the top bar has the button that cancels it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = label(tr("Measuring"), "heading")
        self.time = label("", "caption")
        self.progress = ProgressLine(theme, tr("Measuring"), may_cancel=False)
        self.steps = MeasureSteps(theme)
        self.median = label("", "metric")
        self.summary = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.histogram = ChartView(theme, least_px=_HISTOGRAM_PX[0])
        self.histogram.setFixedSize(*_HISTOGRAM_PX)
        keep_room(self.median, ("8.88",))  # nothing moves with another number
        keep_room(self.time, ("888 s",))
        self.time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._context: int | None = None
        self._samples_ns: tuple[int, ...] = ()
        self._since = QElapsedTimer()
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._show_elapsed)
        self._lay_out()

    def _lay_out(self) -> None:
        head = row(self.title, None, self.time)
        below = row(self.median, (self.summary, 1), self.histogram, spacing=6)
        below.addStrut(self.histogram.height())
        self.body.setSpacing(10)
        add_to(self.body, head, self.progress, self.steps, 2, below)

    def begin(self, context: int | None = None) -> None:
        """Start over: nothing is known yet. context: tokens before each run, where a run is a
        token; else None."""
        self._context = context
        self._since.start()
        self.time.setText("")
        self.steps.current = 0
        self._samples_ns = ()
        self._show(step_text("start"), -1)

    def follow(self, progress: Progress) -> None:
        """Show how far it is."""
        self.steps.show_step(progress.step)
        text = progress_text(progress.step, progress.part)
        if progress.stalled_seconds:
            text = stalled_text(
                progress.step, progress.stalled_seconds, progress.layers, progress.layer
            )
        self._samples_ns = progress.samples_ns or self._samples_ns
        self._show(text, progress.done)

    def showEvent(self, event: QShowEvent) -> None:
        """Update the time each second; more often would disturb the measurement."""
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the clock while hidden."""
        self._clock.stop()

    def _show(self, step: str, done: float) -> None:
        samples_ns = self._samples_ns
        self.progress.show_share(done, step)
        said = self.progress.accessibleDescription()
        self.setAccessibleName(f"{self.title.text()}: {said}")
        self.histogram.setVisible(bool(samples_ns))
        if samples_ns:
            number, unit = units.duration_parts(float(np.median(samples_ns)))
            by_token = self._context is not None
            count = plural(len(samples_ns), "token" if by_token else "run")
            self.median.setText(number)
            width = relative_half_width(samples_ns)
            precision = ""
            if width is not None:
                percent = units.significant(100 * width, 2)
                precision = tr(" · 95% CI ±{percent}%").format(percent=percent)
            said = tr("{unit} · median of {count} so far{precision}")
            if by_token:
                said = tr(
                    "{unit} a token at context {context} · median of {count} so far{precision}"
                )
            context = units.number(self._context or 0)
            self.summary.set_text(
                said.format(unit=unit, count=count, precision=precision, context=context)
            )
            bars = histogram(samples_ns)
            draw = partial(small_histogram, bars, height=_HISTOGRAM_PX[1] - 1.0)
            ends = units.duration(min(samples_ns)), units.duration(max(samples_ns))
            text = tr("{count} from {low} to {high}")
            text = text.format(count=count, low=ends[0], high=ends[1])
            self.histogram.show_chart(Chart("runs", draw, text))
        else:
            self.median.setText("–")
            self.summary.set_text(tr("Results appear after the warm-up runs."))

    def _show_elapsed(self) -> None:
        self.time.setText(f"{self._since.elapsed() // 1000} s")
