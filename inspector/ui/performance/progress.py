"""A measurement under way: its step, how far it is, and what is known already."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.progress_texts import progress_text, step_text
from inspector.resampling import narrow
from inspector.ui.kit.histogram import Histogram
from inspector.ui.kit.parts import Card, Elided, button, label, row
from inspector.ui.kit.theme import Theme, colour
from inspector.ui.performance.steps import MeasureSteps

if TYPE_CHECKING:
    from inspector.engine.process import Progress


class MeasureProgress(Card):
    """Shows what the engine tells; `cancel` is the button that stops it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.title = label("Measuring", "heading")
        self.step = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.time = label("", "caption")
        self.bar = ProgressLine(theme)
        self.steps = MeasureSteps(theme)
        self.median = label("", "metric")
        self.known = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.histogram = Histogram(theme)
        self.cancel = button(theme, "Cancel", "stop")
        self._since = QElapsedTimer()
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._tell_time)
        self._lay_out()

    def _lay_out(self) -> None:
        head = row(self.title, 4, self.step, self.time, 8, self.cancel)
        head.setStretch(2, 1)
        below = row(self.median, self.known, self.histogram, spacing=6)
        below.setStretch(1, 1)
        below.addStrut(self.histogram.height())
        self.body.setSpacing(10)
        self.body.addLayout(head)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.steps)
        self.body.addSpacing(2)
        self.body.addLayout(below)

    def begin(self) -> None:
        """Start over: nothing is known yet."""
        self._since.start()
        self.time.setText("")
        self.steps.current = 0
        self._show(step_text("start"), -1, ())

    def follow(self, progress: "Progress") -> None:
        """Show how far it is."""
        self.steps.show_step(progress.step)
        text = progress_text(progress.step, progress.part)
        self._show(text, progress.done, progress.samples_ns)

    def showEvent(self, event: QShowEvent) -> None:
        """Tell the time each second; more often would disturb what is measured."""
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """No clock where nobody looks."""
        self._clock.stop()

    def _show(self, step: str, done: float, samples_ns: tuple[int, ...]) -> None:
        told = f"{step} · {100 * done:.0f} %" if done >= 0 else step
        self.step.set_text(told)
        self.bar.show_share(done)
        self.setAccessibleName(f"Measuring: {told}")
        for widget in (self.histogram, self.median):
            widget.setVisible(bool(samples_ns))
        if samples_ns:
            number, unit = units.duration_parts(float(np.median(samples_ns)))
            count = units.plural(len(samples_ns), "prediction")
            self.median.setText(number)
            width = narrow(samples_ns)
            sure = "" if width is None else f" · known to ±{100 * width:.2g} %"
            self.known.set_text(f"{unit} · median of {count} so far{sure}")
            self.histogram.show_samples(samples_ns)
        else:
            self.known.set_text("The first results appear once the model is warm.")

    def _tell_time(self) -> None:
        self.time.setText(f"{self._since.elapsed() // 1000} s")


class ProgressLine(QWidget):
    """A bar as long as the share that is done; dashes where nobody can tell."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.share = theme, -1.0
        self.setFixedHeight(6)
        theme.changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Show another share, 0 to 1; negative for unknown."""
        self.share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw track and bar."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.track))
        painter.drawRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setBrush(colour(look.accent, 1.0 if self.share >= 0 else 0.45))
        if self.share >= 0:
            width = max(6.0, self.width() * min(1.0, self.share))
            painter.drawRoundedRect(QRectF(0, 0, width, 6), 3, 3)
        else:
            for x in range(0, self.width(), 18):
                painter.drawRoundedRect(QRectF(x, 0, 9, 6), 3, 3)
