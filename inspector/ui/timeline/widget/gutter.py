"""The column of names at the left of the lanes: color, name, busy time in the window."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.timeline.model.geometry import RIGHT, Band, Scale
from inspector.ui.timeline.render.pixel_blocks import is_raster, ratio_of
from inspector.ui.timeline.render.text_cache import count, cut, laid, parted, write
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.theme import qt_color

EDGE = 16  # px, free on the left
_BAR = 4  # px, width of a track's color
_TWO_LINES = 32  # px, height of a track that has room for two lines
_BESIDE = RIGHT + 40  # pixels
UNUSED = mark("unused")
QUIET = "–"  # where a track did nothing
# The widest of what is usual: names do not move while numbers change.
_WIDEST = "88.8 ms"  # of times
_WIDEST_COUNTED = {"bytes": "88.8 MiB", "percent": "88.8%"}  # of counters by unit
_SUFFIXES = {"percent": "%", "watts": " W"}
_WIDEST_COUNT = "88.8 M"  # of other counters
_WORDS = 11  # px, size of the font
# Where words go: from this left on, or up to it where this is 1; the middle of their height.
_Place = tuple[float, int, float]


def draw_bands(
    painter: QPainter, bands: tuple[Band, ...], scale: Scale, palette: Palette
) -> None:
    """Draw behind the lanes what parts them; an unused unit is a dashed line."""
    right = scale.left + scale.width
    for band in bands:
        if band.head:
            painter.fillRect(QRectF(1, band.top, right, band.height), qt_color(palette.bar))
        if band.opens and band.top:
            painter.fillRect(QRectF(0, band.top, right, 1), qt_color(palette.hairline))
        if band.unused:
            painter.setPen(QPen(qt_color(palette.border), 1, Qt.PenStyle.DashLine))
            middle = int(band.top + band.height / 2)
            painter.drawLine(int(scale.left) + 1, middle, int(right), middle)


class Names:
    """The names of bands at the left, drawn over anything that reaches out of the lanes.

    They are kept as a picture: of a frame that moves only the words beside them are others.
    """

    def __init__(self) -> None:
        self._picture_key: object = None
        self._picture = QPixmap()
        self._places: list[_Place | None] = []
        self._bands: tuple[Band, ...] = ()
        self._least: list[float] = []

    def draw(
        self,
        painter: QPainter,
        bands: tuple[Band, ...],
        scale: Scale,
        palette: Palette,
        under: Band | None = None,
        chosen: str = "",
    ) -> None:
        """Draw the names of some bands, from top to bottom.

        under: the band whose name is under the pointer, which shows what can be done with it.
        chosen: key of the band that keys fold and pin.
        """
        if not bands:
            return
        if bands != self._bands:
            self._bands, self._least = bands, [_default_width(band) for band in bands]
        busy_texts = [busy_text(band, scale) for band in bands]
        widths = [parted(text, _WORDS)[0] for text in busy_texts]
        rooms = list(map(max, self._least, widths))
        marks = (under.key if under else None, chosen)
        ratio = ratio_of(painter) if is_raster(painter) else 0.0
        if ratio:
            self._lay(painter, bands, rooms, scale, palette, marks, ratio)
        else:
            self._places = _draw_all(painter, bands, rooms, scale, palette, marks)
        _draw_margin(painter, bands, scale, palette)
        numbers = [
            (text, at[0] - at[1] * width, at[2])
            for text, width, at in zip(busy_texts, widths, self._places, strict=True)
            if at is not None
        ]
        count(painter, numbers, _WORDS, palette.tertiary, ratio)

    def _lay(
        self,
        painter: QPainter,
        bands: tuple[Band, ...],
        rooms: list[float],
        scale: Scale,
        palette: Palette,
        marks: tuple[str | None, str],
        ratio: float,
    ) -> None:
        """Draw the cached picture of the names, rendered again if it has changed."""
        top, key = bands[0].top, (bands, rooms, scale.left, palette, marks, ratio)
        if key != self._picture_key:
            self._picture_key, self._picture = key, _blank(bands, scale, ratio)
            inner = QPainter(self._picture)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.translate(0, -top)
            self._places = _draw_all(inner, bands, rooms, scale, palette, marks)
            inner.end()
        painter.drawPixmap(0, top, self._picture)


def _default_width(band: Band) -> float:
    """Return how wide the words of a band are at most, where they are usual ones."""
    if band.counter is not None:
        widest = _WIDEST_COUNTED.get(band.counter.unit, _WIDEST_COUNT)
    else:
        widest = UNUSED if band.unused or band.work is None else _WIDEST
    return parted(widest, _WORDS)[0]


def _blank(bands: tuple[Band, ...], scale: Scale, ratio: float) -> QPixmap:
    height = bands[-1].bottom - bands[0].top
    pixmap = QPixmap(math.ceil(scale.left * ratio), math.ceil(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _draw_margin(
    painter: QPainter, bands: tuple[Band, ...], scale: Scale, palette: Palette
) -> None:
    """Draw the margin right of the lanes; pinned ones extend next to a scroll bar."""
    right, top = int(scale.left + scale.width), bands[0].top
    painter.fillRect(right, top, _BESIDE, bands[-1].bottom - top, qt_color(palette.surface))
    for band in bands:
        if band.head:
            painter.fillRect(right, band.top, _BESIDE, band.height, qt_color(palette.bar))


def _draw_all(
    painter: QPainter,
    bands: tuple[Band, ...],
    rooms: Sequence[float],
    scale: Scale,
    palette: Palette,
    marks: tuple[str | None, str],
) -> list[_Place | None]:
    """Draw the names within the room left; return the place of each text."""
    places: list[_Place | None] = []
    for band, room in zip(bands, rooms, strict=True):
        tint, active = palette.bar if band.head else palette.surface, marks[0] == band.key
        painter.fillRect(QRectF(0, band.top, scale.left, band.height), qt_color(tint))
        if band.opens and band.top:
            painter.fillRect(QRectF(0, band.top, scale.left, 1), qt_color(palette.hairline))
        places.append(_draw_name(painter, band, room, scale, palette, active))
        if active or band.head or band.folded:
            _draw_chevron(painter, band, palette, active)
        if band.pinned or active:
            _draw_pin(painter, band, scale, palette)
        if band.key == marks[1]:
            painter.setPen(QPen(qt_color(palette.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box = QRectF(3, band.top + 2, scale.left - 8, band.height - 4)
            painter.drawRoundedRect(box, 4, 4)
    return places


def busy_text(band: Band, scale: Scale) -> str:
    """Return the busy time of a track in the window; of a counter, its maximum there."""
    if band.counter is not None:
        values = band.counter.within(scale.begin_ns, scale.end_ns).values
        return counted(float(values.max()), band.counter.unit) if len(values) else QUIET
    if band.unused or band.work is None:
        return tr(UNUSED)
    busy = band.work.busy_ns(scale.begin_ns, scale.end_ns)
    return units.duration(busy) if busy >= 1 else QUIET


def counted(value: float, unit: str) -> str:
    """The value of a counter with its unit."""
    if unit == "bytes":
        return units.size(value)
    if unit in _SUFFIXES:
        return f"{units.significant(value)}{_SUFFIXES[unit]}"
    return units.count(value)


def is_cut(band: Band, scale: Scale) -> bool:
    """Return whether a name is elided, so that a tooltip has to show it."""
    room = scale.left - EDGE - (14 if band.head else 22)
    return _advance(units.clip(band.title, 80), 12, 600 if band.head else 500) > room


def pin_box(band: Band, scale: Scale) -> QRectF:
    """Return the box of a band's pin."""
    middle = band.top + band.height / 2
    return QRectF(scale.left - 26, middle - 10, 20, 20)


def _draw_name(
    painter: QPainter,
    band: Band,
    text_width: float,
    scale: Scale,
    palette: Palette,
    active: bool,
) -> _Place | None:
    """Draw one name; where its words go that need so much room, None where there is none."""
    if band.family and not band.head:
        tint = palette.tertiary if band.counter else palette.lane(band.family)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(tint))
        inset = 6 if band.height > 24 else 4
        bar = QRectF(EDGE, band.top + inset, _BAR, band.height - 2 * inset)
        painter.drawRoundedRect(bar, 2, 2)
    left = EDGE + (4 if band.head else 12)
    spare = 28 if active or band.pinned else 10
    box = QRectF(left, band.top, scale.left - left - spare, band.height)
    name = units.clip(tr(band.title), 80)
    weight = 600 if band.head else 500
    wide, middle, room = _advance(name, 12, weight), box.center().y(), int(box.width())
    room -= int(text_width) + 6
    place: _Place | None = box.right(), 1, middle
    if wide > room:
        room = int(box.width())
        if band.height >= _TWO_LINES:
            place, middle = (left, 0, middle + 8), middle - 7
        else:  # the name tells more than a number that a pointer tells as well
            place = None
    fitting = laid(cut(name, room, 12, weight), 12, weight)
    write(painter, [(fitting, left, middle, palette.text)])
    return place


def _advance(text: str, pixels: int, weight: int) -> float:
    return laid(text, pixels, weight).width


def _draw_chevron(painter: QPainter, band: Band, palette: Palette, active: bool) -> None:
    x, y = 9.0, band.top + band.height / 2
    painter.setBrush(Qt.BrushStyle.NoBrush)
    tint = palette.text if active else palette.tertiary
    painter.setPen(QPen(qt_color(tint), 1.4, c=Qt.PenCapStyle.RoundCap))
    if band.folded:
        painter.drawPolyline(
            [QPointF(x - 2, y - 3.5), QPointF(x + 2, y), QPointF(x - 2, y + 3.5)]
        )
    else:
        painter.drawPolyline(
            [QPointF(x - 3.5, y - 2), QPointF(x, y + 2), QPointF(x + 3.5, y - 2)]
        )


def _draw_pin(painter: QPainter, band: Band, scale: Scale, palette: Palette) -> None:
    """A pin in four lines; filled where the band is pinned."""
    middle = pin_box(band, scale).center()
    tint = qt_color(palette.accent if band.pinned else palette.tertiary)
    painter.setPen(QPen(tint, 1.4, c=Qt.PenCapStyle.RoundCap))
    painter.setBrush(tint if band.pinned else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(middle.x() - 2.5, middle.y() - 5.5, 5, 5.5), 1, 1)
    painter.drawLine(middle + QPointF(-4.5, 1), middle + QPointF(4.5, 1))
    painter.drawLine(middle + QPointF(0, 1), middle + QPointF(0, 6))
