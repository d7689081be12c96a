"""Puts words, colours, times and devices to the boxes of a drawing."""

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.layout_drawing import Body, BoxKind, Drawing
from inspector.courtesy import polite
from inspector.model import Model
from inspector.report import PerformanceReport
from inspector.ui.graph.colouring import Colouring, ran_on, uses_of
from inspector.ui.graph.families import family
from inspector.ui.graph.scene import Scene


def staged(
    drawing: Drawing, model: Model, report: PerformanceReport | None, colouring: Colouring
) -> Scene:
    """Prepare a drawing for being painted."""
    body = drawing.bodies[0]
    uses = uses_of(report, len(body.layers))
    times = np.array([(use.time_ns or 0) if use else 0 for use in polite(uses)], np.int64)
    numbers = {device.id: n for n, device in enumerate(report.devices)} if report else {}
    unit = np.array(
        [numbers.get(ran_on(uses, use) or "", -1) for use in polite(uses)], np.int16
    )
    group_ns = _up(body, times[:, None])[:, 0]
    share, device = np.zeros(len(drawing)), np.full(len(drawing), -1, np.int16)
    layers, groups = _of_main(drawing)
    most = max(1, int(times.max(initial=0)))
    share[layers] = times[drawing.node[layers]] / most
    device[layers] = unit[drawing.node[layers]]
    share[groups] = np.minimum(1.0, group_ns[drawing.node[groups]] / most)
    device[groups] = _common(body, unit)[drawing.node[groups]]
    weights = {weight.name: weight for weight in polite(model.weights)}
    measured = report is not None
    values = {v.name: v for v in polite((*model.values, *model.inputs, *model.outputs))}
    return Scene(
        drawing, model, colouring, uses,
        _codes(drawing, colouring), share, device, group_ns,
        weights, weights | values,
        measured,
        np.maximum.accumulate(drawing.line[:, 3]), _frames(drawing),
        np.array([stub.y for stub in drawing.stubs]),
        float(drawing.box[:, 3].max(initial=0.0)),
    )  # fmt: skip


def _of_main(drawing: Drawing) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which boxes are layers of the main graph, and which are groups of it."""
    main = drawing.body == 0
    layers, groups = (drawing.kind == kind for kind in (BoxKind.LAYER, BoxKind.GROUP))
    return main & layers, main & groups


def _codes(drawing: Drawing, colouring: Colouring) -> NDArray[np.int8]:
    """The colour of each box; of a group that of most of its layers: int8 (boxes,)."""
    code = np.zeros(len(drawing), np.int8)
    layers, groups = _of_main(drawing)
    code[layers] = colouring.codes[drawing.node[layers]]
    tops = _up(drawing.bodies[0], _one_hot(colouring.codes))
    tops[:, 0] = 0
    best = np.where(tops.any(axis=1), tops.argmax(axis=1), 0)
    code[groups] = best[drawing.node[groups]]
    if colouring.families:
        _colour_functions(drawing, code)
    return code


def _colour_functions(drawing: Drawing, code: NDArray[np.int8]) -> None:
    """Give layers within functions the colour of their operator's family."""
    inner = np.flatnonzero((drawing.body > 0) & (drawing.kind == BoxKind.LAYER))
    for box in inner.tolist():
        layer = drawing.bodies[drawing.body[box]].layers[drawing.node[box]]
        code[box] = family(layer.operator) + 1


def _frames(drawing: Drawing) -> NDArray[np.float64]:
    boxes = [(frame.x, frame.y, frame.width, frame.height) for frame in drawing.frames]
    return np.array(boxes, np.float64).reshape(-1, 4)


def _one_hot(codes: NDArray[np.int8]) -> NDArray[np.int64]:
    found = np.zeros((len(codes), int(codes.max(initial=0)) + 1), np.int64)
    found[np.arange(len(codes)), codes] = 1
    return found


def _up(body: Body, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums over all layers within each group: int64 (G, K) of (L, K)."""
    groups = body.tree.groups
    found = np.zeros((len(groups), values.shape[1]), np.int64)
    home = np.array(body.tree.home[: len(values)], np.int64)
    np.add.at(found, home, values)
    for layer, group in body.tree.holds.items():
        found[group] += values[layer]
        found[home[layer]] -= values[layer]
    for index in polite(range(len(groups) - 1, 0, -1)):
        found[groups[index].parent] += found[index]
    return found


def _common(body: Body, unit: NDArray[np.int16]) -> NDArray[np.int16]:
    """The device that all layers of a group ran on; -1 for none or several: int16 (G,)."""
    ran = _up(body, _one_hot((unit + 1).astype(np.int8)))[:, 1:]
    one = (ran > 0).sum(axis=1) == 1
    return np.where(one, ran.argmax(axis=1) if ran.shape[1] else 0, -1).astype(np.int16)
