"""An input that takes a sound: its waveform, and how it is cut into steps."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from inspector.errors import BadInput
from inspector.preview.inputs import audio
from inspector.preview.inputs.audio import SHOWN_HZ, SUFFIXES, Audio
from inspector.preview.inputs.audio_windows import Framing
from inspector.ui import units
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.fill_inputs import AudioChoice, AudioSummary
from inspector.ui.tabs.preview.inputs.capture import Recording
from inspector.ui.tabs.preview.outputs.audio_player import HOW, Playing
from inspector.ui.tabs.preview.outputs.image_view import ImageView
from inspector.ui.tabs.preview.outputs.time_series_output import CurveView
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import (
    Elided,
    add_to,
    button,
    column_of,
    grid_of,
    label,
    row,
    wrapped,
)
from inspector.ui.widgets.theme import Theme

HEIGHT = 104  # px, of the waveform
SPECTRUM_HEIGHT = 96  # px
LARGEST = 100_000_000  # samples
_NO_SOUND = mark("Drop or open an audio file")
FILES = f"Audio ({' '.join(f'*{suffix}' for suffix in sorted(SUFFIXES))});;All files (*)"


class AudioEditor(QWidget):
    """Says `changed` with every new sound and every change of how it is cut."""

    changed = Signal()

    def __init__(self, theme: Theme, suggested: Framing) -> None:
        super().__init__()
        self.framing = suggested
        self._path: Path | None = None
        self._showing = False
        self.wave = CurveView(theme, tr("Waveform"), HEIGHT)
        self.spectrum = ImageView(theme, tr("Spectrogram"), SPECTRUM_HEIGHT, fills=True)
        self.spectrum.hide()
        self._name = Elided(tr(_NO_SOUND), "caption")
        self.open = button(theme, tr("Open…"), "open", then=self._ask)
        self.playing = Playing(theme, self._read)
        self.recording = Recording(theme)
        self.recording.recorded.connect(self.use_file)
        self.window_field = NumberField(tr("Window (samples)"), LARGEST)
        self.hop = NumberField(tr("Hop (samples)"), LARGEST)
        self.context = NumberField(tr("Leading silence in samples"), LARGEST)
        self.rate = NumberField(tr("Rate in Hz"), 1_000_000)
        self.repeat = QCheckBox(tr("Repeat short audio instead of padding with silence"))
        self._why, self.problem = wrapped("", "caption"), wrapped("", "bad")
        self._lay_out()
        self._show()
        for field in (self.window_field, self.hop, self.context, self.rate):
            field.valueChanged.connect(self._take)
        self.repeat.toggled.connect(self._take)

    @property
    def choice(self) -> AudioChoice | None:
        """The sound and how it is cut; None while there is none."""
        return None if self._path is None else AudioChoice(self._path, self.framing)

    def use_file(self, path: Path) -> None:
        """Take the sound of a file; it is read later, elsewhere."""
        self._path = path
        self.playing.stop()
        self.recording.drop()
        self.playing.setVisible(self.playing.possible)
        self._name.set_text(path.name)
        self.spectrum.show()  # it is drawn once the file is read; nothing moves then
        self.changed.emit()

    def show_file(self, path: Path | None) -> None:
        """Take the sound of a file again, or none."""
        if path == self._path:
            return
        if path is not None:
            self.use_file(path)
            return
        self._path = None
        self.playing.stop()
        self.playing.hide()
        self._name.set_text(tr(_NO_SOUND))
        self.spectrum.hide()
        self.wave.show_parts(((0.0, 0.0),), (-1.0, 1.0), 1.0, tr(_NO_SOUND))
        self.changed.emit()

    def show_framing(self, framing: Framing) -> None:
        """Cut the sound in another way."""
        self.framing = framing
        self._show()

    def show_hearing(self, hearing: AudioSummary) -> None:
        """Show what was read."""
        assert self._path is not None, "only a file is heard"
        sides = (
            ""
            if hearing.channels == 1
            else tr(" · mean of {channels} channels").format(channels=hearing.channels)
        )
        text = tr("{name} · {rate:,} Hz{sides}").format(
            name=self._path.name, rate=hearing.rate, sides=sides
        )
        self._name.set_text(text)
        self.spectrum.show_picture(hearing.spectrum)
        self.spectrum.setVisible(hearing.spectrum is not None)
        highest = min(hearing.rate / 2, SHOWN_HZ)
        self.spectrum.setToolTip(
            tr("Vertical: 0 to {highest:,.0f} Hz. Horizontal: time").format(highest=highest)
        )
        loudest = max((max(-low, high) for low, high in hearing.parts), default=1.0) or 1.0
        self.wave.show_parts(hearing.parts, (-loudest, loudest), hearing.seconds, text)

    def _lay_out(self) -> None:
        column = column_of(self.wave, self.spectrum, on=self, spacing=8)
        if not self.playing.possible:
            self.wave.setToolTip(tr(HOW))
        self.playing.hide()  # there is nothing to play yet
        add_to(column, self._name, row(self.open, self.recording.button, self.playing, None))
        add_to(column, self.recording, self.recording.problem, self.playing.problem)
        self.playing.problem.hide()
        column.addWidget(label(tr("Steps"), "section"))
        grid = grid_of(8, 6, (0, 1, 0, 1))
        fields = (
            ((tr("Window"), self.window_field), (tr("Hop"), self.hop)),
            ((tr("Context"), self.context), (tr("Rate"), self.rate)),
        )
        for i, line in enumerate(fields):
            for j, (title, field) in enumerate(line):
                grid.addWidget(label(title, "secondary"), i, 2 * j)
                grid.addWidget(field, i, 2 * j + 1)
        add_to(column, grid, self.repeat, self._why, self.problem)

    def _take(self) -> None:
        """Read the fields; what cannot be is told and changes nothing."""
        if self._showing:
            return
        try:
            framing = replace(
                self.framing,
                window=self.window_field.value(),
                hop=self.hop.value(),
                context=self.context.value(),
                rate=self.rate.value(),
                repeat=self.repeat.isChecked(),
                why=tr("as selected"),
            )
        except BadInput as error:
            self._tell(f"{units.capitalized(error.why)}. {error.hint}")
            return
        self.framing, self.recording.rate = framing, framing.rate
        self._tell("")
        if self._path is not None:
            self.changed.emit()

    def _read(self) -> Audio:
        assert self._path is not None, "only a file is played"
        return audio.read(self._path)

    def _show(self) -> None:
        self._showing = True
        now = self.framing
        self.window_field.setValue(now.window)
        self.hop.setValue(now.hop)
        self.context.setValue(now.context)
        self.rate.setValue(now.rate)
        self.repeat.setChecked(now.repeat)
        self._showing = False
        self.recording.rate = now.rate
        self._tell("")

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        kind = (
            tr("Magnitude spectrum of each window · ")
            if self.framing.transform == "magnitudes"
            else ""
        )
        self._why.setText(f"{kind}{units.capitalized(self.framing.why)}")

    def _ask(self) -> None:
        if path := file_dialogs.ask_file(self, tr("Audio for this input"), FILES):
            self.use_file(path)
