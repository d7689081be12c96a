"""What the outputs say about the picture, with the settings that decide it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from inspector.preview.outputs import dense_maps, scene
from inspector.preview.outputs.scene import OPACITY
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.outputs.scene_view import SceneView, scene_text
from inspector.ui.tabs.preview.read_outputs import NO_DECODER, SceneOptions, SceneReading
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import Card, button, label, row
from inspector.ui.widgets.theme import Theme

TITLES = {
    scene.BOXES: mark("Boxes"),
    scene.POINTS: mark("Key points"),
    scene.OVERLAY: mark("Pixels"),
    scene.COLORS: mark("Before and after"),
}


class SceneCard(Card):
    """Says `changed` when another way or another setting is wanted."""

    changed = Signal(object)  # Wanted
    labels_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._showing = False
        self._names: tuple[str, ...] = ()
        self._title = label("", "heading")
        self.way = ChoiceField(tr("Decoder"), (), ())
        self.way.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.view = SceneView(theme)
        self.score, self._score_words = _slider(tr("Score threshold")), label("", "value")
        self.overlap, self._overlap_words = _slider(tr("NMS IoU threshold")), label("", "value")
        self.wiper = _slider(tr("From before to after"))
        self.wiper.setValue(50)
        self.opacity, self._opacity_words = _slider(tr("Opacity")), label("", "value")
        self.opacity.setValue(round(OPACITY * 100))
        self._opacity_line = _line(tr("Opacity"), self.opacity, self._opacity_words)
        self._score_line = _line(tr("Score threshold"), self.score, self._score_words)
        self._overlap_line = _line(tr("NMS IoU threshold"), self.overlap, self._overlap_words)
        self._wipe_line = _line(tr("Before"), self.wiper, label(tr("After"), "secondary"))
        self.words = wrapped("", "caption")
        self.labels = button(theme, tr("Labels…"))
        self.score.setToolTip(tr("Hides boxes and points with a lower score"))
        self.overlap.setToolTip(
            tr(
                "Non-maximum suppression: of two boxes of one class that "
                "overlap more than this, "
                "only the one with the higher score is kept"
            )
        )
        decoder = label(tr("Decoder:"), "secondary")
        self.body.addLayout(row(self._title, None, decoder, self.way))
        self.body.addWidget(self.view)
        for line in (
            self._wipe_line,
            self._opacity_line,
            self._score_line,
            self._overlap_line,
        ):
            self.body.addWidget(line)
        foot = row(self.words, self.labels)
        foot.setStretch(0, 1)
        self.body.addLayout(foot)
        self.way.activated.connect(self._turn)
        self.score.valueChanged.connect(self._set)
        self.overlap.valueChanged.connect(self._set)
        self.wiper.valueChanged.connect(lambda value: self.view.wipe(value / 100))
        self.opacity.valueChanged.connect(lambda value: self.view.fade(value / 100))
        self.opacity.valueChanged.connect(self._tell)
        self.labels.clicked.connect(self.labels_asked)
        self.hide()

    def show_reading(self, reading: SceneReading | None) -> None:
        """Show another scene; hidden where the outputs say nothing of places."""
        self.setVisible(reading is not None)
        if reading is None:
            return
        self._showing = True
        names = (*(way.name for way in reading.ways), NO_DECODER)
        if names != self._names:
            self._names = names
            self.way.clear()
            for name in names:
                self.way.addItem(name, name)
        found = reading.scene
        kind = "" if found is None else found.decoder.kind
        self.way.show_value(NO_DECODER if found is None else found.decoder.name)
        self._title.setText(tr(TITLES.get(kind, mark("Places"))))
        self.view.setVisible(found is not None)
        self.view.show_reading(reading)
        way = None if found is None else found.decoder
        self._score_line.setVisible(way is not None and way.score is not None)
        self._overlap_line.setVisible(way is not None and way.overlap is not None)
        self._opacity_line.setVisible(found is not None and found.overlay is not None)
        self._wipe_line.setVisible(kind == scene.COLORS)
        named = kind == scene.BOXES or (way is not None and way.name == dense_maps.SEGMENTS)
        self.labels.setVisible(named)
        self.words.setText(scene_text(reading))
        self._showing = False
        self._tell()

    def show_settings(self, wanted: SceneOptions, reading: SceneReading | None) -> None:
        """Bring the sliders to what is in force."""
        if reading is None or reading.scene is None:
            return
        self._showing = True
        way = reading.scene.decoder
        own = wanted if wanted.way == way.name else SceneOptions()
        score = way.score if own.score is None else own.score
        overlap = way.overlap if own.overlap is None else own.overlap
        self.score.setValue(round((score or 0) * 100))
        self.overlap.setValue(round((overlap or 0) * 100))
        self._showing = False
        self._tell()

    def _turn(self) -> None:
        self.changed.emit(SceneOptions(self.way.value))

    def _set(self) -> None:
        self._tell()
        if not self._showing:
            score, overlap = self.score.value() / 100, self.overlap.value() / 100
            self.changed.emit(SceneOptions(self.way.value, score, overlap))

    def _tell(self) -> None:
        self._score_words.setText(f"{self.score.value() / 100:.2f}")
        self._opacity_words.setText(f"{self.opacity.value()} %")
        self._overlap_words.setText(f"{self.overlap.value() / 100:.2f}")


def _slider(name: str) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(0, 100)
    slider.setAccessibleName(name)
    return slider


def _line(words: str, slider: QSlider, value: QWidget) -> QWidget:
    line = QWidget()
    name = label(words, "secondary")
    name.setMinimumWidth(122)  # "NMS IoU threshold" with the largest usual font
    line.setLayout(row(name, slider, value, stretch=1))
    return line
