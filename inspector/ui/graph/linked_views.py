"""Two graphs side by side: one is moved so that layers that belong together stand level."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF

from inspector.ui.graph.view import GraphView

_ASIDE = 0.2  # weight of horizontal distance when the pair nearest to the center is chosen
Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]  # layers of both that belong together


def bring_level(
    source: GraphView, target: GraphView, pairs: Pairs, chosen: int | None = None
) -> None:
    """Zoom `target` as `source` is, with the pair nearest to the center at the same place.

    pairs: layers of the source, and those of the target. chosen: a layer of the source that
    stays level as long as it is in view.
    """
    if source.scene is None or target.scene is None or not len(pairs[0]):
        return
    drawings = source.scene.drawing, target.scene.drawing
    boxes = [
        drawing.box_of_layer[layers] for drawing, layers in zip(drawings, pairs, strict=True)
    ]
    visible = np.flatnonzero((boxes[0] >= 0) & (boxes[1] >= 0))
    if not len(visible):
        return
    camera, zoom = source.camera, source.camera.zoom
    centers = [
        drawing.box[box[visible], :2] + drawing.box[box[visible], 2:] / 2
        for drawing, box in zip(drawings, boxes, strict=True)
    ]
    middle = camera.to_drawing(camera.middle)
    away = np.abs(centers[0] - (middle.x(), middle.y()))
    nearest = int((away[:, 0] * _ASIDE + away[:, 1]).argmin())
    if chosen is not None:
        own = np.flatnonzero(pairs[0][visible] == chosen)
        if len(own) and camera.visible.contains(QPointF(*centers[0][own[0]].tolist())):
            nearest = int(own[0])
    here, there = (QPointF(*center[nearest].tolist()) for center in centers)
    target.camera.follows_to = camera.farthest
    target.camera.look(there - camera.to_view(here) / zoom, zoom)
