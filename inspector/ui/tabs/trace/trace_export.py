"""Export of the trace in the window: for other viewers, as a table, as a picture."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QBrush, QPainter, QPixmap, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from inspector import __version__
from inspector.render.registry import Subject, format_of, formats_of
from inspector.render.traces.trace_content import TraceContent
from inspector.ui.documents.file_dialogs import Writer
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.tab import TraceTab
from inspector.ui.translate import tr
from inspector.ui.widgets.export_forms import DRAWING, IMAGE, TRACE, VISIBLE, trace_forms

_SHARP = 2


class TraceExporter(Writer):
    """Saves traces, or the visible part of them."""

    def ask(self, tab: TraceTab, form: str) -> None:
        """Let the user choose a file for one of `trace_forms`, and save it there."""
        stem = tab.document.name.removesuffix(".gz").removesuffix(".json")
        form = form.removeprefix(TRACE)
        chosen = next(each for each in trace_forms() if each.id == form)
        path = self.where(tr("Export trace"), stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.save(tab, form, path)

    def save(self, tab: TraceTab, form: str, path: Path) -> None:
        """Write one of `trace_forms` to a file; `done` or `failed` follows."""
        self.write(path, _content(tab, form))


def _content(tab: TraceTab, form: str) -> Callable[[], bytes]:
    """Return a function for the content; only pictures are made at once, by the UI thread."""
    if form in (IMAGE, DRAWING):
        parts, ground = tab.timeline.pictured(), tab.timeline.palette().base()
        picture = svg(parts, ground) if form == DRAWING else png(parts, ground)
        return lambda: picture
    document = tab.document
    opened, clock = document.opened, document.opened.clock
    content = TraceContent(
        opened.trace,
        opened.layers,
        opened.notes,
        opened.source,
        _about(document),
        table=tab.events.found,
        clock=(clock.name, clock.zero_ns, clock.within_ns) if clock else (),
    )
    if form == VISIBLE:
        window = tab.timeline.window_of_time
        content = replace(content, range_ns=(window.begin_ns, window.end_ns))
        form = formats_of(Subject.TRACE)[0].id
    writer = format_of(Subject.TRACE, form).writer
    return lambda: bytes(writer(content))


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
    picture.save(buffer, tr("PNG"))
    return bytes(body.data())


def svg(parts: tuple[QWidget, ...], ground: QBrush) -> bytes:
    """Return the parts as an SVG image, which stays sharp at every size."""
    body = QByteArray()
    buffer = QBuffer(body)
    maker = QSvgGenerator()
    maker.setOutputDevice(buffer)
    maker.setSize(_size(parts))
    maker.setViewBox(QRect(QPoint(), _size(parts)))
    maker.setTitle(tr("Timeline"))
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
