"""What edits do to a drawing: boxes that go, boxes that change, and room for what is new."""

from collections.abc import Collection, Mapping

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.analysis.graph_layout.data_flow import Flow
from inspector.analysis.graph_layout.drawing import BoxKind, Drawing, Frame, Stub
from inspector.ui.graph.scene import Scene

ROOM = 84.0  # px at full size that a cut or a new layer takes along the flow
PILL_WIDTH = 176.0  # px at full size
PILL_HEIGHT = 40.0  # px at full size
_BEFORE = 12.0  # px at full size from a box to the pill after it
_FROM_EDGE = 10.0  # px at full size from the cut line to the boxes next to it


class BoxMark(Struct, frozen=True):
    """The word at a box that was changed or is new: an attribute, "bypassed", "renamed"."""

    word: str
    is_new: bool = False


class Pill(Struct, frozen=True):
    """A new layer, input or output, or a layer that values are led past.

    x, y: of its corner in the drawing. title: its name. role: what it is, at the right. below:
    its type. sources, takers: the boxes that its value comes from, and goes to.
    """

    x: float
    y: float
    title: str
    role: str
    below: str = ""
    sources: tuple[int, ...] = ()
    takers: tuple[int, ...] = ()
    passed: bool = False


class Cut(Struct, frozen=True):
    """A line across the drawing.

    at: where, along the flow. keeps_first: whether what comes before it is kept. text: what is
    removed.
    """

    at: float
    keeps_first: bool
    text: str


class EditMarks(Struct, frozen=True, eq=False):
    """What stands out in a drawing, by box.

    removed: bool (boxes,), gone: bool (lines,) of values that nobody takes any more. changed:
    a word for each box that becomes another one. passed: boxes that values are led past.
    failing: the box of the layer that does not run. links: pairs of boxes with a new line
    between them.
    """

    removed: NDArray[np.bool_]
    gone: NDArray[np.bool_]
    changed: Mapping[int, BoxMark] = field(default_factory=dict)
    passed: frozenset[int] = frozenset()
    failing: int = -1
    pills: tuple[Pill, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    cut: Cut | None = None


def no_marks(drawing: Drawing) -> EditMarks:
    """Return marks of which nothing is set."""
    return EditMarks(np.zeros(len(drawing), bool), np.zeros(len(drawing.line), bool))


def removed_boxes(
    drawing: Drawing, layers: Collection[int], ends: Collection[str] = ()
) -> NDArray[np.bool_]:
    """Return which boxes go with some layers, and with inputs and outputs by name: bool (N,).

    A closed frame goes when all of its layers do.
    """
    box_of_layer = drawing.box_of_layer
    count = len(box_of_layer)
    gone = np.zeros(count, bool)
    gone[[layer for layer in layers if layer < count]] = True
    standing = box_of_layer >= 0
    total = np.bincount(box_of_layer[standing], minlength=len(drawing))
    lost = np.bincount(box_of_layer[standing & gone], minlength=len(drawing))
    removed: NDArray[np.bool_] = (total > 0) & (lost == total)
    for box in np.flatnonzero((drawing.body == 0) & (drawing.kind != BoxKind.LAYER)).tolist():
        removed[box] |= end_name(drawing, box) in ends
    return removed


def end_name(drawing: Drawing, box: int) -> str:
    """Return the name of the input or output that a box stands for; "" for another box."""
    kind, node = int(drawing.kind[box]), int(drawing.node[box])
    flow: Flow = drawing.bodies[drawing.body[box]].flow
    if kind == BoxKind.INPUT:
        return flow.inputs[node]
    return flow.outputs[node] if kind == BoxKind.OUTPUT else ""


def end_box(drawing: Drawing, name: str, is_output: bool) -> int:
    """Return the box of an input or output of the model by its name; -1 for none."""
    kind = BoxKind.OUTPUT if is_output else BoxKind.INPUT
    boxes = np.flatnonzero((drawing.body == 0) & (drawing.kind == kind)).tolist()
    return next((box for box in boxes if end_name(drawing, box) == name), -1)


def gone_lines(drawing: Drawing, removed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which lines lead to or from boxes that go: bool (M,)."""
    if not len(removed):
        return np.zeros(len(drawing.line), bool)
    maker, taker = drawing.maker, drawing.taker
    gone: NDArray[np.bool_] = (maker >= 0) & removed[maker]
    return gone | ((taker >= 0) & removed[taker])


def end_of(drawing: Drawing, box: int) -> float:
    """Return where a box ends along the flow."""
    axis = 0 if drawing.sideways else 1
    return float(drawing.box[box, axis] + drawing.box[box, axis + 2])


def pill_place(drawing: Drawing, box: int, at_end: bool = False) -> tuple[float, float]:
    """Return the corner of a pill in the room that was made after a box.

    at_end: where that room ends, beyond the line of a cut.
    """
    size = PILL_WIDTH if drawing.sideways else PILL_HEIGHT
    shift = room_for(drawing) - size - _BEFORE if at_end else _BEFORE
    x, y, width, height = drawing.box[box].tolist()
    if drawing.sideways:
        return x + width + shift, y + (height - PILL_HEIGHT) / 2
    return x + (width - PILL_WIDTH) / 2, y + height + shift


def cut_after(drawing: Drawing, box: int, keeps_first: bool, text: str) -> Cut:
    """Return a cut in the room that was made after a box: the pill lies on the kept side."""
    size = PILL_WIDTH if drawing.sideways else PILL_HEIGHT
    beside = _BEFORE + size + _FROM_EDGE
    shift = beside if keeps_first else room_for(drawing) - beside
    return Cut(end_of(drawing, box) + shift, keeps_first, text)


def room_for(drawing: Drawing) -> float:
    """Return how much room a pill and a line take along the flow."""
    return ROOM + (PILL_WIDTH - PILL_HEIGHT if drawing.sideways else 0.0)


def with_room(scene: Scene, at: float) -> Scene:
    """Return a scene in which all that begins at or after a place lies further along the flow.

    Nothing changes its order, so that what the scene keeps sorted stays sorted.
    """
    drawing, room = scene.drawing, room_for(scene.drawing)
    axis = 0 if drawing.sideways else 1
    box, line = drawing.box.copy(), drawing.line.copy()
    box[:, axis] += room * (box[:, axis] >= at)
    for end in (axis, axis + 2):
        line[:, end] += room * (line[:, end] > at)
    moved = replace(
        drawing,
        box=box,
        line=line,
        frames=tuple(_frame_with_room(each, at, room, axis) for each in drawing.frames),
        stubs=tuple(_stub_with_room(each, at, room, axis) for each in drawing.stubs),
        width=drawing.width + (0.0 if axis else room),
        height=drawing.height + (room if axis else 0.0),
    )
    frames = [(each.x, each.y, each.width, each.height) for each in moved.frames]
    bottom = np.maximum(line[:, 1], line[:, 3])
    return replace(
        scene,
        drawing=moved,
        line_top=np.minimum(line[:, 1], line[:, 3]),
        line_reach=np.maximum.accumulate(bottom),
        frame_box=np.array(frames, np.float64).reshape(-1, 4),
        stub_y=np.array([stub.y for stub in moved.stubs]),
    )


def _frame_with_room(frame: Frame, at: float, room: float, axis: int) -> Frame:
    begin, size = (frame.y, frame.height) if axis else (frame.x, frame.width)
    shift = room if begin >= at else 0.0
    grown = size + (room if begin < at <= begin + size else 0.0)
    if axis:
        return replace(frame, y=begin + shift, height=grown)
    return replace(frame, x=begin + shift, width=grown)


def _stub_with_room(stub: Stub, at: float, room: float, axis: int) -> Stub:
    if axis:
        return replace(stub, y=stub.y + (room if stub.y > at else 0.0))
    return replace(stub, x=stub.x + (room if stub.x > at else 0.0))
