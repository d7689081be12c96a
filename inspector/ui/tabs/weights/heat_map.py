"""A plane of a tensor as colored cells, with a legend; the pointer reads the values."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.documents.weight_reading import Plane
from inspector.ui.translate import tr
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color

_CALM = 0.995  # share of the values within the scale; a few large ones would hide the rest
_LEVELS = 255
_CELL = 18.0  # px, most side of a cell
_HIGHEST = 190.0  # px
_LOWEST = 22.0  # px
_LEGEND = 26  # px, height
_BAR = 8  # px, height of the colors in the legend
_GAP = 8  # px


class Scale(Struct, frozen=True):
    """The color scale: from -limit over 0 to limit, shown from low to high.

    low, high: the smallest and the largest value. Beyond the limit the color stays.
    """

    low: float
    high: float
    limit: float


def scale(values: NDArray[np.float64]) -> Scale | None:
    """The scale for some values; None without a finite one."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    sizes = np.abs(finite)
    limit = float(np.quantile(sizes, _CALM)) or max(abs(low), abs(high))
    return Scale(low, high, limit or 1.0)


def colors(palette: Palette) -> NDArray[np.uint32]:
    """0xFFRRGGBB from the lowest over zero to the highest, then that of NaN: uint32 (256,)."""
    below, above = palette.below_zero, palette.above_zero
    zero = palette.window if not palette.dark else palette.raised
    stops = [_channels(c) for c in (below[0], below[1], zero, above[1], above[0])]
    places = np.linspace(0, 4, _LEVELS)
    mixed = [np.interp(places, np.arange(5), [stop[k] for stop in stops]) for k in range(3)]
    red, green, blue = (channel.round().astype(np.uint32) for channel in mixed)
    table = np.uint32(0xFF000000) | red << 16 | green << 8 | blue
    odd = _channels(palette.npu)
    last = 0xFF000000 | int(odd[0]) << 16 | int(odd[1]) << 8 | int(odd[2])
    return np.append(table, np.uint32(last)).astype(np.uint32)


def pixels(
    values: NDArray[np.float64], scale: Scale, table: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """One pixel for each value, 0xFFRRGGBB; NaN has the last color of the table."""
    middle = _LEVELS // 2
    with np.errstate(invalid="ignore", over="ignore"):
        places = np.clip(values / scale.limit, -1, 1) * middle + middle
    places = np.where(np.isnan(places), _LEVELS, places)
    return table[places.round().astype(np.intp)]


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


class HeatMap(QWidget):
    """Shows one plane; cells are as large as there is room for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._plane: Plane | None = None
        self._scale: Scale | None = None
        self._image = QImage()
        self._hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(int(_LOWEST) + _GAP + _LEGEND)
        self.setAccessibleName(tr("Heat map of the slice"))
        theme.changed.connect(self._color)

    def show_plane(self, plane: Plane) -> None:
        """Show another plane."""
        self._plane, self._scale = plane, scale(plane.values)
        rows, columns = plane.values.shape
        high = min(_HIGHEST, max(_LOWEST, rows * _CELL))
        self.setFixedHeight(int(high) + _GAP + _LEGEND)
        if self._scale is not None:
            low, top = self._scale.low, self._scale.high
            text = tr("{rows} rows, {columns} columns, from {low:.4g} to {top:.4g}").format(
                rows=rows, columns=columns, low=low, top=top
            )
            self.setAccessibleDescription(text)
        self._color()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw cells, frame and legend."""
        if self._plane is None or self._image.isNull():
            return
        painter, box = painter_on(self), self._box()
        painter.drawImage(box, self._shrunk(box))
        painter.setPen(QPen(qt_color(self._theme.palette.border), 1))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        self._paint_legend(painter)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the value below the pointer."""
        cell = self._cell(event.position())
        if cell is None or self._plane is None:
            self._hover.hide()
            return
        (row, column), plane = cell, self._plane
        at = list(plane.view.at)
        at[plane.view.across] = column * plane.steps[1]
        if plane.view.down is not None:
            at[plane.view.down] = row * plane.steps[0]
        value = units.number(plane.values[row, column], ".6g")
        place = ("at", f"[{', '.join(map(str, at))}]")
        self._hover.show_facts(event.position().toPoint(), value, (place,))

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the readout when the pointer leaves."""
        self._hover.hide()

    def _cell(self, point: QPointF) -> tuple[int, int] | None:
        box = self._box()
        if self._plane is None or not box.contains(point):
            return None
        rows, columns = self._plane.values.shape
        row = int((point.y() - box.top()) / box.height() * rows)
        column = int((point.x() - box.left()) / box.width() * columns)
        return min(row, rows - 1), min(column, columns - 1)

    def _box(self) -> QRectF:
        columns = self._image.width()
        width = min(float(self.width()), max(_LOWEST, columns * _CELL))
        return QRectF(0, 0, width, self.height() - _GAP - _LEGEND)

    def _shrunk(self, box: QRectF) -> QImage:
        """Cells smaller than a pixel are blended; larger ones keep their edges."""
        ratio = self.devicePixelRatioF()
        width = min(self._image.width(), round(box.width() * ratio))
        height = min(self._image.height(), round(box.height() * ratio))
        stretch, blend = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode
        return self._image.scaled(width, height, stretch, blend.SmoothTransformation)

    def _color(self) -> None:
        if self._plane is not None and self._scale is not None:
            table = colors(self._theme.palette)
            image_data = np.ascontiguousarray(pixels(self._plane.values, self._scale, table))
            height, width = image_data.shape
            borrowed = QImage(
                image_data.data, width, height, 4 * width, QImage.Format.Format_RGB32
            )
            self._image = borrowed.copy()  # QImage only borrows the array's memory
        else:
            self._image = QImage()
        self.update()

    def _paint_legend(self, painter: QPainter) -> None:
        """A bar from the smallest value to the largest, and the words below."""
        scale, look = self._scale, self._theme.palette
        if scale is None:
            return
        low, high = max(scale.low, -scale.limit), min(scale.high, scale.limit)
        low, high = (low, high) if low < high else (min(low, 0.0), max(high, 0.0))
        top = float(self.height() - _LEGEND)
        bar = QRectF(0, top, min(220.0, float(self.width())), _BAR)
        ramp = np.linspace(low, high, 128)[None, :]
        line = np.ascontiguousarray(pixels(ramp, scale, colors(look)))
        image = QImage(line.data, 128, 1, 512, QImage.Format.Format_RGB32)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(bar, image)
        painter.setPen(QPen(qt_color(look.border), 1))
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
        text = QRectF(bar.left(), bar.bottom() + 2, bar.width(), _LEGEND - _BAR - 2)
        self._paint_words(painter, text, low, high, scale)

    def _paint_words(
        self, painter: QPainter, box: QRectF, low: float, high: float, scale: Scale
    ) -> None:
        below = "≤ " if scale.low < low else ""
        above = "≥ " if scale.high > high else ""
        left, right = (
            f"{below}{units.number(low, '.3g')}",
            f"{above}{units.number(high, '.3g')}",
        )
        painter.setFont(font(11))
        painter.setPen(qt_color(self._theme.palette.tertiary))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft, left)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight, right)
        if low < 0 < high:
            x = box.left() - low / (high - low) * box.width()
            metrics = painter.fontMetrics()
            free = x - 8 > metrics.horizontalAdvance(left)
            if free and box.right() - x - 8 > metrics.horizontalAdvance(right):
                middle = QRectF(x - 20, box.top(), 40, box.height())
                painter.drawText(middle, Qt.AlignmentFlag.AlignHCenter, "0")
