"""The ways to show an output that goes on in time: a curve, a heat map, a sound."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFileDialog, QSlider, QVBoxLayout, QWidget

from inspector import units
from inspector.platform import files
from inspector.preview.inputs import image_files
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import audio_outputs
from inspector.preview.outputs.time_series import Series
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.outputs.audio_player import HOW, Playing
from inspector.ui.tabs.preview.outputs.image_view import ImageView
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Elided, button, label, row
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

# Values over time: a waveform, or a probability with its threshold.


_AXIS, _SIDE = 20, 34
Parts = Sequence[tuple[float, float]]


class CurveView(QWidget):
    """A band from the lowest to the highest value of each stretch, over an axis of time.

    scaled: show the range of the values at the left.
    """

    def __init__(self, theme: Theme, name: str, height: int, scaled: bool = False) -> None:
        super().__init__()
        self._theme, self._scaled = theme, scaled
        self._parts: Parts = ()
        self._low, self._high, self._seconds = 0.0, 1.0, 0.0
        self._threshold: float | None = None
        self.setFixedHeight(height)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def show_parts(
        self, parts: Parts, low: float, high: float, seconds: float, text: str
    ) -> None:
        """Show other values between `low` and `high`; `text` is for screen readers."""
        self._parts, self._seconds = parts, seconds
        self._low, self._high = low, high if high > low else low + 1
        self.setAccessibleDescription(text)
        self.update()

    def show_threshold(self, threshold: float | None) -> None:
        """Draw a line across, and what lies above it in full colour."""
        self._threshold = threshold
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground, threshold, band and axis."""
        painter, look = painter_on(self), self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = _SIDE if self._scaled else 0
        below = _AXIS if self._parts else 0
        box = QRectF(left, 1, self.width() - left - 1, self.height() - below - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.window))
        painter.drawRoundedRect(box, 6, 6)
        self._paint_axis(painter, box)
        if not self._parts:
            return
        band = self._band(box.adjusted(2, 4, -2, -4))
        if self._threshold is None:
            self._paint_band(painter, band, 1.0)
            return
        line = self._y(self._threshold, box.adjusted(2, 4, -2, -4))
        self._paint_band(painter, band, 0.4)
        painter.save()
        painter.setClipRect(QRectF(box.left(), box.top(), box.width(), line - box.top()))
        self._paint_band(painter, band, 1.0)
        painter.restore()
        painter.setPen(QPen(colour(look.tertiary), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(box.left(), line), QPointF(box.right(), line))

    def _paint_band(self, painter: QPainter, band: QPolygonF, strength: float) -> None:
        accent = self._theme.palette.accent
        painter.setPen(QPen(colour(accent, strength), 1.2))
        painter.setBrush(colour(accent, 0.35 * strength))
        painter.drawPolygon(band)

    def _band(self, box: QRectF) -> QPolygonF:
        step = box.width() / max(1, len(self._parts) - 1)
        upper_edge = [
            QPointF(box.left() + i * step, self._y(high, box))
            for i, (_, high) in enumerate(self._parts)
        ]
        back = [
            QPointF(box.left() + i * step, self._y(low, box))
            for i, (low, _) in enumerate(self._parts)
        ]
        return QPolygonF([*upper_edge, *reversed(back)])

    def _y(self, value: float, box: QRectF) -> float:
        share = (value - self._low) / (self._high - self._low)
        return box.bottom() - min(1.0, max(0.0, share)) * box.height()

    def _paint_axis(self, painter: QPainter, box: QRectF) -> None:
        look = self._theme.palette
        painter.setFont(font(10))
        painter.setPen(colour(look.tertiary))
        right = Qt.AlignmentFlag.AlignRight
        if self._scaled:
            for value, flag in ((self._high, Qt.AlignmentFlag.AlignTop),
                                (self._low, Qt.AlignmentFlag.AlignBottom)):  # fmt: skip
                side = QRectF(0, box.top(), _SIDE - 6, box.height())
                painter.drawText(side, int(right | flag), f"{value:.3g}")
        if self._seconds <= 0:
            return
        most = max(1, int(box.width() // 90))
        for instant, text in units.axis(0, self._seconds * 1e9, most):
            x = box.left() + instant / (self._seconds * 1e9) * box.width()
            width = painter.fontMetrics().horizontalAdvance(text)
            x = min(max(x - width / 2, box.left()), box.right() - width)
            place = QRectF(x, box.bottom() + 2, width + 2, _AXIS - 2)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)


CURVE_HEIGHT, CURVE_POINTS, HEAT_HEIGHT, HEAT_SIZE = 168, 500, 200, (840, 400)


class OverTimeBody(QWidget):
    """One value a step as a curve, with a threshold to try."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._series: Series | None = None
        self._curve = CurveView(theme, tr("Values over time"), CURVE_HEIGHT, scaled=True)
        self.threshold = QSlider(Qt.Orientation.Horizontal)
        self.threshold.setRange(0, 100)
        self.threshold.setValue(50)
        self.threshold.setAccessibleName(tr("Threshold"))
        self._words, self._level = wrapped("", "caption"), label("", "value")
        self._line = QWidget()
        self._line.setLayout(
            row(label(tr("Threshold"), "secondary"), self.threshold, self._level, stretch=1)
        )
        column.addWidget(self._curve)
        column.addWidget(self._line)
        column.addWidget(self._words)
        self.threshold.valueChanged.connect(self._refresh)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        self._series = reading.series
        self._refresh()

    @property
    def caption(self) -> str:
        """Return the caption below the curve."""
        return self._words.text()

    def _refresh(self) -> None:
        series = self._series
        if series is None:
            return
        level = self.threshold.value() / 100
        steps = plural(len(series.values), "step")
        text = tr("{steps} of {step_seconds:.4g} ms · mean {mean:.4f}").format(
            steps=steps, step_seconds=series.step_seconds * 1000, mean=series.mean
        )
        low, high = 0.0, 1.0
        self._line.setVisible(series.probable)
        self._curve.show_threshold(level if series.probable else None)
        if series.probable:
            spans = plural(len(series.spans(level)), "span")
            text += tr(" · {value:.1f}% above the threshold, in {spans}").format(
                value=100 * series.share_over(level), spans=spans
            )
            self._level.setText(f"{level:.2f}")
        else:
            low, high = float(series.values.min()), float(series.values.max())
        self._words.setText(text)
        parts = series.thinned(CURVE_POINTS)
        self._curve.show_parts(parts, low, high, series.seconds, text)


class HeatBody(QWidget):
    """Several values a step: time goes to the right, the first value is at the bottom."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._view = ImageView(theme, tr("Values over time"), HEAT_HEIGHT)
        self.caption = Elided("", "caption")
        column.addWidget(self._view)
        column.addWidget(self.caption)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        shown = reading.shown
        assert shown is not None, "only an output that reads as a heat map gets here"
        self._view.show_picture(
            image_files.resize(shown.picture, *HEAT_SIZE, "stretch", "nearest")
        )
        values = tr("Dark: {low:.4g} · bright: {high:.4g}").format(
            low=shown.low, high=shown.high
        )
        rows = plural(shown.picture.shape[0], "value")
        self.caption.set_text(
            tr("Vertical: {rows}. Horizontal: {seconds:.2f} s. {values}").format(
                rows=rows, seconds=reading.seconds, values=values
            )
        )


class AudioBody(QWidget):
    """The waveform of a sound, and buttons to play and to save it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._sound: Audio | None = None
        self.wave = CurveView(theme, tr("Waveform of the output"), CURVE_HEIGHT)
        self._words = Elided("", "caption")
        self.save = button(theme, tr("Save .wav…"))
        self.playing = Playing(theme, self._heard)
        if not self.playing.possible:
            self.wave.setToolTip(tr(HOW))
        foot = row(self._words, self.playing, self.save)
        foot.setStretch(0, 1)
        column.addWidget(self.wave)
        column.addLayout(foot)
        column.addWidget(self.playing.problem)
        self.playing.problem.hide()
        self.save.clicked.connect(self._ask)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        sound = self._sound = reading.sound
        assert sound is not None, "only an output that is a sound gets here"
        self.playing.stop()
        values = np.nan_to_num(sound.samples.astype(np.float64))
        parts = Series(values, 1 / sound.rate).thinned(CURVE_POINTS)
        loudest = max(max(-low, high) for low, high in parts) or 1.0
        text = tr("{count:,} samples, {seconds:.2f} s at an assumed {rate:,} Hz").format(
            count=len(values), seconds=sound.seconds, rate=sound.rate
        )
        self._words.set_text(text)
        self.wave.show_parts(parts, -loudest, loudest, sound.seconds, text)

    def _heard(self) -> Audio:
        assert self._sound is not None, "a sound is shown before it is played"
        return self._sound

    def _ask(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Save audio"), file_dialogs.start("output.wav")
        )
        if name and self._sound is not None:
            files.write_atomic(Path(name), audio_outputs.wav(self._sound))
