"""A trace leaves the window: for other viewers, as a table, as a picture."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QBrush, QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from inspector import __version__
from inspector.export.aggregation_csv import aggregation_csv
from inspector.export.chrome_trace import trace_events
from inspector.ui.trace.document import TraceDocument
from inspector.ui.trace.tab import TraceTab
from inspector.ui.writing import Writer

FORMS = ("trace", "shown", "csv", "png", "svg")
_SHARP = 2
_SUFFIXES = {
    "trace": ".trace.json", "shown": ".part.trace.json", "csv": ".csv", "png": ".png",
    "svg": ".svg",
}  # fmt: skip


class TraceExporter(Writer):
    """Saves traces, and what is shown of them."""

    def ask(self, tab: TraceTab, form: str) -> None:
        """Let the user choose a file for one of FORMS, and save it there."""
        stem = tab.document.name.removesuffix(".gz").removesuffix(".json")
        proposed = stem + _SUFFIXES[form]
        path = self.where("Export the trace", proposed)
        if path is not None:
            self.save(tab, form, path)

    def save(self, tab: TraceTab, form: str, path: Path) -> None:
        """Write one of FORMS to a file; `done` or `failed` follows."""
        self.write(path, _content(tab, form))


def _content(tab: TraceTab, form: str) -> Callable[[], bytes]:
    """What will be written; only pictures have to be made at once, by the window's thread."""
    document = tab.document
    opened, about = document.opened, _about(document)
    match form:
        case "trace":
            return lambda: trace_events(opened.trace, opened.layers, about)
        case "shown":
            window = tab.timeline.window_of_time
            begin, end = window.begin_ns, window.end_ns
            return lambda: trace_events(opened.trace.within(begin, end), opened.layers, about)
        case "csv":
            found = tab.events.found
            return lambda: aggregation_csv(opened.trace, found)
    parts, ground = tab.timeline.pictured(), tab.timeline.palette().base()
    picture = svg(parts, ground) if form == "svg" else png(parts, ground)
    return lambda: picture


def png(parts: tuple[QWidget, ...], ground: QBrush) -> bytes:
    """A picture of widgets one below the other, two pixels for each of theirs."""
    picture = QPixmap(_size(parts) * _SHARP)
    picture.setDevicePixelRatio(_SHARP)
    painter = QPainter(picture)
    _stack(parts, painter, ground)
    painter.end()
    body = QByteArray()
    buffer = QBuffer(body)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(body.data())


def svg(parts: tuple[QWidget, ...], ground: QBrush) -> bytes:
    """The same in lines that stay sharp at every size."""
    from PySide6.QtSvg import QSvgGenerator

    body = QByteArray()
    buffer = QBuffer(body)
    maker = QSvgGenerator()
    maker.setOutputDevice(buffer)
    maker.setSize(_size(parts))
    maker.setViewBox(QRect(QPoint(), _size(parts)))
    maker.setTitle("Timeline")
    painter = QPainter(maker)
    _stack(parts, painter, ground)
    painter.end()
    return bytes(body.data())


def _size(parts: tuple[QWidget, ...]) -> QSize:
    widest = max(part.width() for part in parts)
    return QSize(widest, sum(part.height() for part in parts))


def _stack(parts: tuple[QWidget, ...], painter: QPainter, ground: QBrush) -> None:
    painter.fillRect(QRect(QPoint(), _size(parts)), ground)
    top = 0
    for part in parts:
        bare = QWidget.RenderFlag.DrawChildren  # without the ground of a window
        part.render(painter, QPoint(0, top), QRegion(), bare)
        top += part.height()


def _about(document: TraceDocument) -> dict[str, str]:
    return {"source": document.opened.source, "file": document.name, "inspector": __version__}
