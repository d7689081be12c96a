"""The ways to show an output that goes on in time: a curve, a heat map, a sound."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.pages.blocks import Chart
from inspector.pages.charts.curves import band_plot
from inspector.pages.charts.drawing import Drawing
from inspector.platform import files
from inspector.preview.inputs import image_files
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import audio_outputs
from inspector.preview.outputs.time_series import Series
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.outputs.audio_player import HOW, Playing
from inspector.ui.tabs.preview.outputs.image_view import ImageView
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import plural, tr, tr_message
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.fields import Slider
from inspector.ui.widgets.parts import Elided, add_to, button, column_of, label, row, wrapped
from inspector.ui.widgets.theme import Theme

_LEAST_PX = 160  # width of a curve
CURVE_HEIGHT = 168  # px
CURVE_POINTS = 500
HEAT_HEIGHT = 200  # px
HEAT_SIZE = (840, 400)  # px, of the picture


class CurveView(ChartView):
    """Values over time as a band: a waveform, or a probability with its threshold.

    scaled: show the range of the values at the left.
    """

    def __init__(self, theme: Theme, name: str, height: int, scaled: bool = False) -> None:
        super().__init__(theme, least_px=_LEAST_PX)
        self._name, self._height, self._scaled = name, height, scaled
        self.show_parts((), (0.0, 1.0), 0.0, "")

    def show_parts(
        self,
        parts: Sequence[tuple[float, float]],
        reach: tuple[float, float],
        seconds: float,
        text: str,
        threshold: float | None = None,
    ) -> None:
        """Show other values, as `band_plot`; `text` is for screen readers."""

        def draw(width: float) -> Drawing:
            height = float(self._height)
            return band_plot(parts, reach, seconds, width, height, threshold, self._scaled)

        self.show_chart(Chart("curve", draw, self._name))
        self.setAccessibleDescription(text)


class OverTimeBody(QWidget):
    """One value a step as a curve, with a threshold to try."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = column_of(on=self, spacing=8)
        self._series: Series | None = None
        self._curve = CurveView(theme, tr("Values over time"), CURVE_HEIGHT, scaled=True)
        self.threshold = Slider(tr("Threshold"), 100, 50)
        self._words, self._level = wrapped("", "caption"), label("", "value")
        self._line = QWidget()
        self._line.setLayout(
            row(label(tr("Threshold"), "secondary"), self.threshold, self._level, stretch=1)
        )
        add_to(column, self._curve, self._line, self._words)
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
        threshold = level if series.probable else None
        if series.probable:
            spans = plural(len(series.spans(level)), "span")
            text += tr(" · {value:.1f}% above the threshold, in {spans}").format(
                value=100 * series.share_over(level), spans=spans
            )
            self._level.setText(units.number(level, ".2f"))
        else:
            low, high = float(series.values.min()), float(series.values.max())
        self._words.setText(text)
        parts = series.thinned(CURVE_POINTS)
        self._curve.show_parts(parts, (low, high), series.seconds, text, threshold)


class HeatBody(QWidget):
    """Several values a step: time goes to the right, the first value is at the bottom."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = column_of(on=self, spacing=6)
        self._view = ImageView(theme, tr("Values over time"), HEAT_HEIGHT, fills=True)
        self.caption = Elided("", "caption", Qt.TextElideMode.ElideRight)
        add_to(column, self._view, self.caption)

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
        meaning = reading.meaning
        rows = plural(shown.picture.shape[0], "value") if meaning is None else meaning.rows
        self.caption.set_text(
            tr("Bottom to top: {rows}. Left to right: {seconds:.2f} s. {values}").format(
                rows=tr_message(rows), seconds=reading.seconds, values=values
            )
        )


class AudioBody(QWidget):
    """The waveform of a sound, and buttons to play and to save it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = column_of(on=self, spacing=8)
        self._sound: Audio | None = None
        self.wave = CurveView(theme, tr("Waveform of the output"), CURVE_HEIGHT)
        self._words = Elided("", "caption")
        self.save = button(theme, tr("Save .wav…"), then=self._ask)
        self.playing = Playing(theme, self._heard)
        if not self.playing.possible:
            self.wave.setToolTip(tr(HOW))
        foot = row((self._words, 1), self.playing, self.save)
        add_to(column, self.wave, foot, self.playing.problem)
        self.playing.problem.hide()

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
        self.wave.show_parts(parts, (-loudest, loudest), sound.seconds, text)

    def _heard(self) -> Audio:
        assert self._sound is not None, "a sound is shown before it is played"
        return self._sound

    def _ask(self) -> None:
        path = file_dialogs.ask_place(self, tr("Save audio"), "output.wav")
        if path and self._sound is not None:
            files.write_atomic(path, audio_outputs.wav(self._sound))
