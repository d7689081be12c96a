"""The image with the decoded boxes, points or masks, and the settings of the decoder."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QSizePolicy, QWidget

from inspector.preview.detectors.boxes import Box
from inspector.preview.outputs import dense_maps, scene, tags
from inspector.preview.outputs.dense_maps import Overlay, color_of
from inspector.preview.outputs.scene import OPACITY, name_of
from inspector.ui import commands, units
from inspector.ui.tabs.preview.outputs.image_view import to_image
from inspector.ui.tabs.preview.read_outputs import NO_DECODER, SceneOptions, SceneReading
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.fields import ChoiceField, Slider
from inspector.ui.widgets.parts import Card, add_to, button, label, row, wrapped
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color
from inspector.wording.class_scores import box_score

TALLEST = 380  # px
LEGEND = 22  # px, height of a line
MOST_PARTS = 6  # of the legend
_LABEL_HEIGHT = 17.0  # px, of a box
_SLIDERS_BESIDE_PX = 400  # width of a card from which on two sliders stand in one line
TITLES = {
    scene.BOXES: mark("Boxes"),
    scene.POINTS: mark("Keypoints"),
    scene.OVERLAY: mark("Pixels"),
    scene.COLORS: mark("Before and after"),
}


class SceneView(Painted):
    """As wide as it may be, as tall as the picture then is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._reading: SceneReading | None = None
        self._ground, self._over = QImage(), QImage()
        self._wiped, self._opacity = 0.5, OPACITY
        self._lines = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Detections"))

    def show_reading(self, reading: SceneReading) -> None:
        """Show another scene."""
        self._reading = reading
        scene = reading.scene
        self._ground = to_image(reading.image.shown)
        over = None if scene is None else scene.merged
        if scene is not None and scene.overlay is not None:
            over = scene.overlay.picture
        self._over = QImage() if over is None else to_image(over)
        self._lines = 1 if scene is not None and scene.overlay and scene.overlay.parts else 0
        self.setAccessibleDescription(scene_text(reading))
        self._fit()
        self.update()

    def wipe(self, share: float) -> None:
        """Show the part left of `share` as it was before, the rest as it is after."""
        self._wiped = share
        self.update()

    def fade(self, opacity: float) -> None:
        """Lay masks and maps over the picture with this opacity, 0 to 1."""
        self._opacity = opacity
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the picture's proportions."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, then what is on it."""
        if self._reading is None or self._ground.isNull():
            return
        painter = painter_on(self)
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
        )
        box = self._box()
        painter.drawImage(box, self._ground)
        scene = self._reading.scene
        painter.save()
        painter.setClipRect(box)
        if scene is not None and scene.merged is not None:
            line = box.left() + box.width() * self._wiped
            painter.setClipRect(QRectF(line, box.top(), box.right() - line, box.height()))
            painter.drawImage(self._place(box), self._over)
            painter.setClipRect(box)
            painter.setPen(QPen(QColor(255, 255, 255), 2))
            painter.drawLine(QPointF(line, box.top()), QPointF(line, box.bottom()))
        elif scene is not None and scene.overlay is not None:
            painter.setOpacity(self._opacity)
            painter.drawImage(self._place(box), self._over)
        painter.restore()
        if scene is not None:
            self._paint_boxes(painter, box, scene.boxes, self._reading.labels)
            place = self._place(box)
            painter.setPen(QPen(QColor(0, 0, 0, 160), 1))
            painter.setBrush(QColor(0, 220, 120))
            for point in scene.points:
                x = place.left() + point.x * place.width()
                y = place.top() + point.y * place.height()
                painter.drawEllipse(QPointF(x, y), 2.5, 2.5)
            self._paint_legend(painter, box, scene.overlay, self._reading.labels)

    def _paint_boxes(
        self, painter: QPainter, box: QRectF, boxes: Sequence[Box], labels: Sequence[str]
    ) -> None:
        place = self._place(box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        edges, texts = list[QRectF](), list[str]()
        for each in boxes:
            corner = QPointF(
                place.left() + each.left * place.width(),
                place.top() + each.top * place.height(),
            )
            wide = (each.right - each.left) * place.width()
            high = (each.bottom - each.top) * place.height()
            edges.append(QRectF(corner, QSizeF(wide, high)).intersected(box))
            name = units.clip(name_of(each.kind, labels), 30)
            texts.append(f"{name} {units.localized(box_score(each.score))}")
            painter.setPen(QPen(QColor(*color_of(each.kind)), 2))
            painter.drawRect(edges[-1])
        painter.setFont(font(11, 600))
        metrics = painter.fontMetrics()
        sizes = [(metrics.horizontalAdvance(text) + 8.0, _LABEL_HEIGHT) for text in texts]
        # No line runs through a label: these are painted after all boxes, the surest last.
        named = zip(boxes, texts, tags.places(
            list(map(_corners, edges)), sizes, _corners(box)
        ), strict=True)  # fmt: skip
        for each, text, (left, top, right, bottom) in reversed(list(named)):
            tint = QColor(*color_of(each.kind))
            tag = QRectF(QPointF(left, top), QPointF(right, bottom))
            painter.fillRect(tag, tint)
            painter.setPen(QColor(0, 0, 0) if tint.lightness() > 140 else QColor(255, 255, 255))
            painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_legend(
        self, painter: QPainter, box: QRectF, overlay: Overlay | None, labels: Sequence[str]
    ) -> None:
        shown = overlay.parts if overlay else ()
        parts = [part for part in shown if overlay and part[0] != overlay.background]
        parts = parts[:MOST_PARTS]
        x = box.left()
        painter.setFont(font(11))
        for kind, share, tint in parts:
            text = (
                f"{units.clip(name_of(kind, labels), 30)} {units.number(100 * share, '.1f')}%"
            )
            painter.fillRect(QRectF(x, box.bottom() + 10, 9, 9), QColor(*tint))
            painter.setPen(qt_color(self._theme.palette.secondary))
            place = QRectF(x + 14, box.bottom() + 4, self.width(), LEGEND)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            x += 14 + painter.fontMetrics().horizontalAdvance(text) + 16

    def _place(self, box: QRectF) -> QRectF:
        """Return where the model's picture lies."""
        assert self._reading is not None, "only what is shown is painted"
        place = self._reading.image.prepared.place
        left, top = box.left() + place.left * box.width(), box.top() + place.top * box.height()
        wide = (place.right - place.left) * box.width()
        return QRectF(left, top, wide, (place.bottom - place.top) * box.height())

    def _box(self) -> QRectF:
        height = self.height() - self._lines * (LEGEND + 4)
        width = min(self.width(), height * self._ground.width() / self._ground.height())
        return QRectF((self.width() - width) / 2, 0, width, height)

    def _fit(self) -> None:
        if self._ground.isNull():
            return
        tall = self.width() * self._ground.height() / self._ground.width()
        self.setFixedHeight(round(min(TALLEST, tall)) + self._lines * (LEGEND + 4))


def scene_text(reading: SceneReading) -> str:
    """A scene in one line: '4 found: person 0.89, person 0.89, dog 0.82'."""
    scene = reading.scene
    if scene is None:
        return ""
    if scene.decoder.kind == "boxes":
        listed = [
            f"{name_of(b.kind, reading.labels)} {units.localized(box_score(b.score))}"
            for b in scene.boxes[:8]
        ]
        more = ", …" if len(scene.boxes) > len(listed) else ""
        summary = (
            tr("{count} detected").format(count=len(scene.boxes))
            if scene.boxes
            else _nothing(scene.best)
        )
        return units.clip(f"{summary}: {', '.join(listed)}{more}" if listed else summary, 400)
    if scene.decoder.kind == "points":
        return tr("{point_count} above this score").format(
            point_count=plural(len(scene.points), "point")
        )
    if scene.overlay is not None and not scene.overlay.parts:
        return tr("Dark: {low:.4g} · bright: {high:.4g}").format(
            low=scene.overlay.low, high=scene.overlay.high
        )
    if scene.overlay is not None:
        return plural(len(scene.overlay.parts), "value")
    return tr("Left of the line: before. Right of it: after")


def _nothing(best: float | None) -> str:
    """Return that no box has the score, and which one the best has: classes of the background
    have higher ones."""
    if best is None or not math.isfinite(best):
        return tr("Nothing above this score")
    return tr("Nothing above this score; the best box has {score}").format(
        score=units.localized(box_score(best))
    )


class SceneCard(Card):
    """Says `changed` when another way or another setting is wanted."""

    changed = Signal(object)  # Wanted

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._showing = False
        self._names: tuple[str, ...] = ()
        self._title = label("", "heading")
        self.decoder = ChoiceField(tr("Decoder"), (), ())
        self.decoder.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.view = SceneView(theme)
        self.score, self._score_words = Slider(tr("Score threshold"), 100), label("", "value")
        self.overlap, self._overlap_words = (
            Slider(tr("Overlap threshold"), 100),
            label("", "value"),
        )
        self.wiper = Slider(tr("Drag to compare before and after"), 100, 50)
        self.opacity = Slider(tr("Opacity"), 100, round(OPACITY * 100))
        self._opacity_words = label("", "value")
        self._opacity_line = _line(tr("Opacity"), self.opacity, self._opacity_words)
        self._score_line = _line(tr("Score threshold"), self.score, self._score_words)
        self._overlap_line = _line(tr("Overlap threshold"), self.overlap, self._overlap_words)
        self._wipe_line = _line(tr("Before"), self.wiper, label(tr("After"), "secondary"))
        self.caption = wrapped("", "caption")
        self.labels = button(theme, tr("Class names…"))
        self.score.setToolTip(tr("Hide boxes and points with lower scores"))
        self.overlap.setToolTip(
            tr(
                "Of two boxes of one class that overlap more than this, only the box with the "
                "higher score is kept (non-maximum suppression, by intersection over union)"
            )
        )
        decoder = label(tr("Decoder:"), "secondary")
        self.body.addLayout(row(self._title, None, decoder, self.decoder))
        # Above the picture, which then changes in sight while a slider is moved.
        self._settings = row(
            self._opacity_line, self._score_line, self._overlap_line, spacing=24
        )
        add_to(self.body, self._settings, self.view, self._wipe_line)
        self.body.addLayout(row((self.caption, 1), self.labels))
        self.decoder.activated.connect(self._turn)
        self.score.valueChanged.connect(self._set)
        self.overlap.valueChanged.connect(self._set)
        self.wiper.valueChanged.connect(lambda value: self.view.wipe(value / 100))
        self.opacity.valueChanged.connect(lambda value: self.view.fade(value / 100))
        self.opacity.valueChanged.connect(self._tell)
        self.labels.clicked.connect(commands.runner(self, "preview/labels"))
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sliders below each other where they would be too short to drag."""
        super().resizeEvent(event)
        beside = self.width() >= _SLIDERS_BESIDE_PX
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._settings.setDirection(across if beside else down)
        self._settings.setSpacing(24 if beside else 4)

    def show_reading(self, reading: SceneReading | None) -> None:
        """Show another scene; hidden where the outputs say nothing of places."""
        self.setVisible(reading is not None)
        if reading is None:
            return
        self._showing = True
        names = (*(decoder.name for decoder in reading.decoders), NO_DECODER)
        if names != self._names:
            self._names = names
            self.decoder.clear()
            for name in names:
                self.decoder.addItem(name, name)
        shown_scene = reading.scene
        kind = "" if shown_scene is None else shown_scene.decoder.kind
        self.decoder.show_value(NO_DECODER if shown_scene is None else shown_scene.decoder.name)
        self._title.setText(tr(TITLES.get(kind, mark("Decoded output"))))
        self.view.setVisible(shown_scene is not None)
        self.view.show_reading(reading)
        decoder = None if shown_scene is None else shown_scene.decoder
        self._score_line.setVisible(decoder is not None and decoder.score is not None)
        self._overlap_line.setVisible(decoder is not None and decoder.overlap is not None)
        self._opacity_line.setVisible(
            shown_scene is not None and shown_scene.overlay is not None
        )
        self._wipe_line.setVisible(kind == scene.COLORS)
        named = kind == scene.BOXES or (
            decoder is not None and decoder.name == dense_maps.SEGMENTS
        )
        self.labels.setVisible(named)
        self.caption.setText(scene_text(reading))
        self._showing = False
        self._tell()

    def show_settings(self, options: SceneOptions, reading: SceneReading | None) -> None:
        """Bring the sliders to what is in force."""
        if reading is None or reading.scene is None:
            return
        self._showing = True
        decoder = reading.scene.decoder
        own = options if options.decoder == decoder.name else SceneOptions()
        score = decoder.score if own.score is None else own.score
        overlap = decoder.overlap if own.overlap is None else own.overlap
        self.score.setValue(round((score or 0) * 100))
        self.overlap.setValue(round((overlap or 0) * 100))
        self._showing = False
        self._tell()

    def _turn(self) -> None:
        self.changed.emit(SceneOptions(self.decoder.value))

    def _set(self) -> None:
        self._tell()
        if not self._showing:
            score, overlap = self.score.value() / 100, self.overlap.value() / 100
            self.changed.emit(SceneOptions(self.decoder.value, score, overlap))

    def _tell(self) -> None:
        self._score_words.setText(units.number(self.score.value() / 100, ".2f"))
        self._opacity_words.setText(f"{self.opacity.value()}%")
        self._overlap_words.setText(units.number(self.overlap.value() / 100, ".2f"))


def _line(text: str, slider: Slider, value: QWidget) -> QWidget:
    line = QWidget()
    line.setLayout(row(label(text, "secondary"), slider, value, stretch=1))
    return line


def _corners(box: QRectF) -> tags.Rectangle:
    return box.left(), box.top(), box.right(), box.bottom()
