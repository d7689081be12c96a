"""What of a graph is shown at first: all where it can be read, else its beginning."""

from PySide6.QtCore import QPointF

from inspector.analysis.layout_drawing import Drawing
from inspector.ui.graph.camera import MARGIN, Camera

_READABLE, _ACROSS, _LEAST, _PART, _ABOVE = 0.6, 0.48, 0.4, 0.7, 20


def look_first(camera: Camera, drawing: Drawing) -> None:
    """Show all where it can be read, else the beginning.

    What is too wide even so is shown around its first layer, and frames that begin there and
    can be read in one piece are not cut.
    """
    if camera.farthest >= _READABLE or not len(drawing):
        camera.fit()
        return
    room, whole = camera.free.width() - 2 * MARGIN, camera.whole.width()
    if whole * _ACROSS <= room:
        zoom, middle = min(1.0, room / whole), whole / 2
    else:
        left, right = _beginning(camera, drawing, room / _LEAST)
        zoom = max(camera.farthest, min(_PART, room / (right - left)))
        half = room / zoom / 2
        x, width = drawing.box[0, [0, 2]].tolist()
        middle = max(right - half, min(x + width / 2, left + half))
    top = camera.covered.top() + _ABOVE
    camera.look(QPointF(middle - camera.free.center().x() / zoom, -top / zoom), zoom)


def _beginning(camera: Camera, drawing: Drawing, widest: float) -> tuple[float, float]:
    """From where to where the first layer reaches and all frames there that find room."""
    x, width = drawing.box[0, [0, 2]].tolist()
    left, right = x, x + width
    for frame in sorted(drawing.frames, key=lambda frame: frame.y):
        first, last = min(left, frame.x), max(right, frame.x + frame.width)
        if frame.y < camera.free.height() / _PART and last - first <= widest:
            left, right = first, last
    return left, right
