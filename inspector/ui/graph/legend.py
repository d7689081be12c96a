"""The legend of the graph: what colors mean, in a bar below it."""

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent

from inspector.model.layer_values import LayerNumbers
from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.graph.scene import Scene
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import Painted, Theme, fill_round, font, painter_on, qt_color

_LINE = 20  # px, height of a line
_SWATCH = 8  # px, side of a colored square
_APART = 6  # px, from a square to its text
_BETWEEN = 16  # px, between entries
_EDGE = 16  # px, at both sides
_STRIP = 120  # pixels of a gradient


class ScaleLegend(Struct, frozen=True):
    """A gradient with its range: '0 [colors] 12 M', before it a title, behind it the total."""

    title: str
    low: str
    high: str
    colors: tuple[str, ...]
    total: str


class GraphLegend(Painted):
    """Wraps into as many lines as it needs for the width it is given."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.entries: tuple[tuple[str, str], ...] = ()
        self.scale: ScaleLegend | None = None
        self.setAccessibleName(tr("Colors"))

    def show_entries(
        self, entries: tuple[tuple[str, str], ...], scale: ScaleLegend | None = None
    ) -> None:
        """Show these colors with their words, or a gradient before them."""
        self.entries, self.scale = entries, scale
        self.setVisible(bool(entries) or scale is not None)
        self.updateGeometry()
        texts = [text for _, text in entries]
        if scale is not None:
            texts.insert(0, f"{scale.title}: {scale.low} – {scale.high}. {scale.total}")
        self.setAccessibleDescription("; ".join(texts))
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return that it is higher where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return how high it is at a width."""
        places = self._places(width)
        return (places[-1][1] if places else 5) + _LINE + 5

    def sizeHint(self) -> QSize:
        """Return a size of one line."""
        return QSize(100, self.heightForWidth(max(self.width(), 100)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar."""
        palette = self._theme.palette
        painter = painter_on(self, smooth=True)
        painter.fillRect(self.rect(), qt_color(palette.bar))
        painter.fillRect(QRectF(0, 0, self.width(), 1), qt_color(palette.border))
        painter.setFont(font(12))
        if self.scale is not None:
            self._draw_scale(painter, self.scale)
        for (x, y), (tint, text) in self._pairs(self._places(self.width())):
            fill_round(painter, QRectF(x, y + 6, _SWATCH, _SWATCH), 2, qt_color(tint))
            painter.setPen(qt_color(palette.secondary))
            line = QRectF(x + _SWATCH + _APART, y, self.width(), _LINE)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, text)

    def _pairs(
        self, places: list[tuple[int, int]]
    ) -> list[tuple[tuple[int, int], tuple[str, str]]]:
        return list(zip(places, self.entries, strict=True))

    def _wide(self, text: str) -> int:
        return _SWATCH + _APART + QFontMetrics(font(12)).horizontalAdvance(text)

    def _draw_scale(self, painter: QPainter, scale: ScaleLegend) -> None:
        palette, metrics = self._theme.palette, QFontMetrics(font(12))
        x = float(_EDGE)

        def write(text: str, tint: str, gap: int) -> None:
            nonlocal x
            wide = metrics.horizontalAdvance(text)
            room = min(wide, self.width() - x - _EDGE)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room) + 1)
            painter.setPen(qt_color(tint))
            line = QRectF(x, 5, room + 2, _LINE)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
            x += wide + gap

        write(scale.title, palette.text, _BETWEEN)
        write(scale.low, palette.secondary, _APART)
        step = _STRIP / len(scale.colors)
        for place, tint in enumerate(scale.colors):
            painter.fillRect(QRectF(x + place * step, 11, step + 0.5, _SWATCH), qt_color(tint))
        x += _STRIP + _APART
        write(scale.high, palette.secondary, _BETWEEN)
        write(scale.total, palette.secondary, 0)

    def _places(self, width: int) -> list[tuple[int, int]]:
        places, x, y = [], _EDGE, 5 + (_LINE if self.scale is not None else 0)
        for _, text in self.entries:
            needs = self._wide(text)
            if x > _EDGE and x + needs + _EDGE > width:
                x, y = _EDGE, y + _LINE
            places.append((x, y))
            x += needs + _BETWEEN
        return places


def entries_of(
    scene: Scene, palette: Palette
) -> tuple[tuple[tuple[str, str], ...], ScaleLegend | None]:
    """Return the colors of a graph with their words, and the gradient of its numbers."""
    chosen = scene.coloring
    scale, numbers = None, chosen.numbers
    gradient = chosen.scale is not None and chosen.scale.is_gradient
    if numbers is not None and gradient:
        scale = scale_legend(numbers, chosen.colors)
    codes = () if gradient else chosen.used()
    entries = [(chosen.colors[code - 1], chosen.names[code - 1]) for code in codes]
    if len(np.unique(scene.unit[scene.unit >= 0])) > 1:
        entries.append((palette.data, tr("Copy between devices")))
    homes = scene.drawing.bodies[0].flow.home
    if inside := sum(home != layer for layer, home in enumerate(homes)):
        text = tr("{layers} inside boxes of others")  # constants and folded ones: no color
        entries.append((palette.bar, text.format(layers=plural(inside, "layer"))))
    return tuple(entries), scale


def scale_legend(numbers: LayerNumbers, colors: tuple[str, ...]) -> ScaleLegend:
    """Return range and total of numbers, and how many layers have one."""
    low, high = (units.localized(numbers.written(each)) for each in numbers.range)
    known = numbers.known
    layers = tr("{known:,} of {total:,} layers").format(known=known, total=len(numbers.values))
    total = layers
    if numbers.adds_up and known:
        amount = units.localized(numbers.written(float(np.nansum(numbers.values))))
        total = tr("total {amount} · {layers}").format(amount=amount, layers=layers)
    if numbers.unmatched:
        missed = plural(len(numbers.unmatched), "name")
        total = tr("{total} · {missed} not matched to a layer").format(
            total=total, missed=missed
        )
    return ScaleLegend(units.clip(numbers.title, 40), low, high, colors, total)
