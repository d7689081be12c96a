"""The partitions of a model by device, and the copies between them."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from inspector import units
from inspector.analysis.measured.partitions import Crossing, Island, Partition
from inspector.report.report import PerformanceReport
from inspector.ui.selection import Selection
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Card, Elided, button, label, row, tip
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_SHOWN, _DEAR = 4, 3


class PartitionCard(Card):
    """A bar of the islands in the file's order over the crossings; a click selects a layer."""

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        partitions: Partition,
        selection: Selection,
    ) -> None:
        super().__init__(theme)
        self.bar = IslandBar(theme, report, partitions)
        self.crossings = CrossingList(theme, report, partitions.crossings)
        hidden = len(partitions.crossings) - self.crossings.shown
        self.more = button(
            theme,
            tr("Show {transition_count}").format(
                transition_count=plural(hidden, "more device transition")
            ),
        )
        self.more.setProperty("role", "link")
        self.body.addLayout(
            row(label(tr("Partitions"), "heading"), None, _summary_label(partitions))
        )
        self.body.addWidget(self.bar)
        self.body.addSpacing(2)
        for island in partitions.dear[:_DEAR]:
            self.body.addWidget(Elided(costly_island_text(report, island), "secondary"))
        self.body.addWidget(self.crossings)
        if hidden > 0:
            self.body.addLayout(row(self.more, None))
        self.bar.chosen.connect(lambda layer: selection.choose(layer=layer))
        self.crossings.chosen.connect(lambda layer: selection.choose(layer=layer))
        self.more.clicked.connect(self._show_all)

    def _show_all(self) -> None:
        self.crossings.show_all()
        self.more.hide()


class IslandBar(QWidget):
    """One segment for each island, as long as it has layers; arrows go through them."""

    chosen = Signal(int)
    HEIGHT = 14

    def __init__(self, theme: Theme, report: PerformanceReport, partitions: Partition) -> None:
        super().__init__()
        self._theme, self._islands = theme, partitions.islands
        self._kinds = {device.id: device.kind for device in report.devices}
        self._current = -1
        self.setFixedHeight(self.HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(
            tr("{partition_count} by device").format(
                partition_count=plural(len(self._islands), "partition")
            )
        )
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the segments, and a frame around the current one."""
        palette = self._theme.palette
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded = QPainterPath()
        rounded.addRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setClipPath(rounded)
        painter.fillRect(self.rect(), colour(palette.surface))
        for place, (left, right) in enumerate(self.spans()):
            kind = self._kinds.get(self._islands[place].device, "cpu")
            narrow = min(1.5, (right - left) / 4)
            box = QRectF(left, 0, right - left - narrow, self.HEIGHT)
            painter.fillRect(box, colour(palette.lane(kind)))
            if place == self._current and self.hasFocus():
                painter.fillRect(box.adjusted(0, self.HEIGHT - 3, 0, 0), colour(palette.text))

    def spans(self) -> list[tuple[float, float]]:
        """Left and right end of each segment, in pixels."""
        whole = sum(len(island.layers) for island in self._islands) or 1
        edges = [0.0]
        for island in self._islands:
            edges.append(edges[-1] + self.width() * len(island.layers) / whole)
        return list(pairwise(edges))

    def event(self, event: QEvent) -> bool:
        """Show details of the island under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self._at(event.pos().x())
            text = tip(island_text(self._islands[place])) if place is not None else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the first layer of an island."""
        place = self._at(event.position().x())
        if place is not None:
            self._choose(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go from island to island."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self._choose(max(0, min(len(self._islands) - 1, self._current + step)))
        else:
            super().keyPressEvent(event)

    def _at(self, x: float) -> int | None:
        spans = enumerate(self.spans())
        return next((place for place, (left, right) in spans if left <= x < right), None)

    def _choose(self, place: int) -> None:
        self._current = place
        self.setAccessibleDescription(island_text(self._islands[place]))
        self.update()
        self.chosen.emit(self._islands[place].layers[0])


class CrossingList(QWidget):
    """A line for each crossing: from where to where, bytes and time."""

    chosen = Signal(int)
    LINE, _NUMBERS, _DEVICES = 24, 78, 150

    def __init__(
        self, theme: Theme, report: PerformanceReport, crossings: tuple[Crossing, ...]
    ) -> None:
        super().__init__()
        self._theme, self._crossings = theme, crossings
        self._names = {layer.index: layer.name for layer in report.layers}
        few = len(crossings) <= _SHOWN + 1  # one more line takes no more room than a button
        self.shown, self._current = len(crossings) if few else _SHOWN, -1
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(plural(len(crossings), "device transition"))
        self.setFixedHeight(self.sizeHint().height())
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The lines that are shown."""
        return QSize(200, self.LINE * self.shown)

    def show_all(self) -> None:
        """Show every crossing."""
        self.shown = len(self._crossings)
        self.setFixedHeight(self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines that are in view."""
        painter = painter_on(self)
        first = max(0, event.rect().top() // self.LINE)
        last = min(self.shown, event.rect().bottom() // self.LINE + 1)
        for place in range(first, last):
            self._draw(painter, place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the layer that a copy leads to."""
        self._choose(int(event.position().y()) // self.LINE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down go from crossing to crossing."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self._choose(max(0, min(self.shown - 1, self._current + step)))
        else:
            super().keyPressEvent(event)

    def _choose(self, place: int) -> None:
        if not 0 <= place < self.shown:
            return
        self._current = place
        crossing = self._crossings[place]
        self.setAccessibleDescription(crossing_text(crossing, self._names))
        self.update()
        layer = crossing.before if crossing.before is not None else crossing.after
        if layer is not None:
            self.chosen.emit(layer)

    def _draw(self, painter: QPainter, place: int) -> None:
        palette, crossing = self._theme.palette, self._crossings[place]
        line = QRectF(0, place * self.LINE, self.width(), self.LINE)
        if place == self._current and self.hasFocus():
            painter.fillRect(line, colour(palette.hover))
        painter.fillRect(QRectF(0, line.y(), line.width(), 1), colour(palette.hairline))
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        numbers = line.adjusted(line.width() - self._NUMBERS, 0, 0, 0)
        sizes = numbers.translated(-self._NUMBERS, 0)
        directions = QRectF(sizes.x() - self._DEVICES, line.y(), self._DEVICES, self.LINE)
        names = QRectF(0, line.y(), directions.x() - 12, self.LINE)
        painter.setFont(font(12))
        painter.setPen(colour(palette.text))
        text = painter.fontMetrics().elidedText(
            _endpoints_text(crossing, self._names),
            Qt.TextElideMode.ElideMiddle,
            int(names.width()),
        )
        painter.drawText(names, int(middle), text)
        painter.setPen(colour(palette.secondary))
        painter.drawText(directions, int(middle), _direction(crossing))
        painter.drawText(sizes, int(middle | right), units.size(crossing.size_bytes))
        painter.setPen(colour(palette.text))
        painter.drawText(numbers, int(middle | right), _time_text(crossing))


def _time_text(crossing: Crossing) -> str:
    if crossing.waits:
        return tr("not timed")
    return (
        tr("included in partition")
        if crossing.time_ns is None
        else units.duration(crossing.time_ns)
    )


def island_text(island: Island) -> str:
    """An island in a line."""
    text = f"{units.device(island.device)}: {plural(len(island.layers), 'layer')}"
    text += tr(" starting at #{layers}, {duration}").format(
        layers=island.layers[0], duration=units.duration(island.time_ns)
    )
    if island.copies:
        copies = tr("copy") if len(island.copies) == 1 else tr("copies")
        text += f"; {len(island.copies)} {copies}, {units.size(island.copied_bytes)}"
    return text


def costly_island_text(report: PerformanceReport, island: Island) -> str:
    """Return what an island costs besides its own time, as a sentence."""
    names = {layer.index: layer.name for layer in report.layers}
    first = units.clip(units.scope_and_name(names[island.layers[0]])[1], 40)
    rest = len(island.layers) - 1
    layers = (
        tr("{first} and {layer_count} after it").format(
            first=first, layer_count=plural(rest, "layer")
        )
        if rest
        else first
    )
    return tr(
        "{layers} on {device}: {duration} of computation, plus {copies} of data "
        "({size}, {duration_2})"
    ).format(
        layers=layers,
        device=units.device(island.device),
        duration=units.duration(island.time_ns),
        copies=plural(len(island.copies), "copy"),
        size=units.size(island.copied_bytes),
        duration_2=units.duration(island.copied_ns),
    )


def crossing_text(crossing: Crossing, names: dict[int, str]) -> str:
    """A crossing in a line, for who cannot see the columns."""
    return (
        f"{_endpoints_text(crossing, names)}, {_direction(crossing)}, "
        f"{units.size(crossing.size_bytes)}, {_time_text(crossing)}"
    )


def _endpoints_text(crossing: Crossing, names: dict[int, str]) -> str:
    ends = [
        other if index is None else units.clip(units.scope_and_name(names[index])[1], 60)
        for index, other in ((crossing.after, "input"), (crossing.before, "output"))
    ]
    return " → ".join(ends)


def _direction(crossing: Crossing) -> str:
    return f"{units.device(crossing.source)} → {units.device(crossing.target)}"


def _summary_label(partitions: Partition) -> QWidget:
    parts = plural(len(partitions.islands), "partition")
    crossings = plural(len(partitions.crossings), "device transition")
    return label(f"{parts} · {crossings} · {partitions.copied}", "caption")
