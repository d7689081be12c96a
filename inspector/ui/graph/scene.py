"""A drawing together with what its boxes say: words, colors, times, devices."""

import re
from collections.abc import Mapping

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF

from inspector.analysis.graph_layout.drawing import Body, BoxKind, Drawing, Key, Stub
from inspector.analysis.graph_layout.frames import GroupKind
from inspector.analysis.layer_search import ValueInfo
from inspector.model.model import Layer, Model, WeightInfo
from inspector.report.report import LayerUse
from inspector.ui import units
from inspector.ui.graph.coloring import Coloring
from inspector.ui.selection import Scope
from inspector.ui.translate import plural, tr
from inspector.wording.support_marks import Status

_LEAST_SHAPE = 2
_SHORT_NAMES = {
    "kernel_shape": "kernel", "strides": "stride", "pads": "pad", "dilations": "dilation",
}  # fmt: skip
# Values that say nothing: what the operators do without the attribute.
_TRIVIAL = {
    ("strides", "1"), ("dilations", "1"), ("pads", "0"), ("group", "1"), ("auto_pad", "NOTSET"),
    ("output_padding", "0"), ("ceil_mode", "0"), ("storage_order", "0"), ("alpha", "1"),
    ("beta", "1"), ("alpha", "1.0"), ("beta", "1.0"), ("transA", "0"), ("transB", "0"),
}  # fmt: skip
_MOST_ATTRIBUTES = 6
_NUMBERED = re.compile(r"(?:^|[._])\d+$")  # the scope of one of several equal blocks


class BoxText(Struct, frozen=True):
    """The text of a box: two lines with something at the right end of each.

    full_name: what replaces the name if there is room. attributes: of a third line, if any.
    number: stands behind a name that is cut, so that no two are equal.
    """

    title: str
    name: str
    right: str = ""
    note: str = ""
    full_name: str = ""
    attributes: str = ""
    number: str = ""


class Scene(Struct, eq=False):
    """A drawing with text and colors, by box: code int8, share float64 (0 to 1), unit int16.

    share is part of the slowest layer's time, or 1 for a frame that takes longer; unit is the
    number of the device, -1 where there is none or more than one. group_ns, group_numbers: time
    and number of each group of the main graph, the latter if boxes show numbers. line_top: the
    upper end of each line. line_reach: the lowest end of all lines up to each. frame_box (F, 4)
    and stub_y: as of the drawing.
    notes: what stands at the right of a layer without a time, by its index.
    """

    drawing: Drawing
    model: Model
    coloring: Coloring
    uses: tuple[LayerUse | None, ...]
    code: NDArray[np.int8]
    share: NDArray[np.float64]
    unit: NDArray[np.int16]
    group_ns: NDArray[np.int64]
    group_numbers: NDArray[np.float64]
    weights: dict[str, WeightInfo]
    values: Mapping[str, ValueInfo]
    measured: bool
    line_top: NDArray[np.float64]
    line_reach: NDArray[np.float64]
    frame_box: NDArray[np.float64]
    stub_y: NDArray[np.float64]
    tallest: float
    notes: dict[int, str] = field(default_factory=dict)
    clock_ns: int = 0
    _texts: dict[int, BoxText] = field(default_factory=dict)

    def frames_in(self, visible: QRectF) -> list[int]:
        """Places of the frames that may be seen, outer ones first."""
        box = self.frame_box
        is_visible = (
            (box[:, 1] <= visible.bottom())
            & (box[:, 1] + box[:, 3] >= visible.top())
            & (box[:, 0] <= visible.right())
            & (box[:, 0] + box[:, 2] >= visible.left())
        )
        return np.flatnonzero(is_visible).tolist()

    def stubs_between(self, top: float, bottom: float) -> tuple[Stub, ...]:
        """Values without a line whose end lies between two heights."""
        first, last = np.searchsorted(self.stub_y, (top, bottom))
        return self.drawing.stubs[first:last]

    def layer(self, box: int) -> Layer | None:
        """The layer that a box stands for: its own, or the one that holds a closed frame."""
        drawing = self.drawing
        body, node = drawing.bodies[drawing.body[box]], int(drawing.node[box])
        kind = drawing.kind[box]
        if kind == BoxKind.GROUP:
            node = body.tree.groups[node].layer
        elif kind != BoxKind.LAYER:
            return None
        return body.layers[node] if node >= 0 else None

    def index(self, box: int) -> int | None:
        """Index of that layer in the model; None in functions and for scopes."""
        layer = self.layer(box) if self.drawing.body[box] == 0 else None
        return layer.index if layer is not None else None

    def use(self, box: int) -> LayerUse | None:
        """Return the measured use of a layer."""
        index = self.index(box)
        return self.uses[index] if index is not None else None

    def key(self, box: int) -> Key | None:
        """The frame that a box opens; None for a single layer."""
        drawing = self.drawing
        if drawing.kind[box] != BoxKind.GROUP:
            return None
        return (*drawing.keys[drawing.body[box]], int(drawing.node[box]))

    def scope(self, box: int) -> Scope | None:
        """Return the scope of the main graph that a box stands for; None for anything else."""
        key = self.key(box) if box >= 0 else None
        if key is None or len(key) > 1 or self.index(box) is not None:
            return None
        body, inside, names = self.drawing.bodies[0], {key[0]}, list[str]()
        groups = body.tree.groups
        group = key[0]
        while groups[group].parent >= 0:
            names.insert(0, groups[group].title)
            group = groups[group].parent
        for place, each in enumerate(groups):  # each after the one around it
            if each.parent in inside:
                inside.add(place)
        layers = zip(body.layers, body.tree.home, strict=False)
        return Scope("/".join(names), tuple(each.index for each, at in layers if at in inside))

    def box_at(self, x: float, y: float) -> int:
        """The box that holds a point of the drawing; -1 for none."""
        box = self.drawing.box
        first = int(np.searchsorted(box[:, 1], y - self.tallest))
        last = int(np.searchsorted(box[:, 1], y, "right"))
        part = box[first:last]
        inside = (part[:, 0] <= x) & (x <= part[:, 0] + part[:, 2])
        inside &= y <= part[:, 1] + part[:, 3]
        boxes = np.flatnonzero(inside)
        return first + int(boxes[0]) if len(boxes) else -1

    def around(self, box: int) -> Key | None:
        """The innermost open frame around a box; None where there is none."""
        x, y, width, height = self.drawing.box[box].tolist()
        places = self.frames_in(QRectF(x + width / 2, y + height / 2, 0, 0))
        frames = [self.drawing.frames[place] for place in places]
        inner = min(frames, key=lambda frame: frame.width * frame.height, default=None)
        return inner.key if inner is not None else None

    def corner_of(self, key: Key) -> QPointF | None:
        """Return the corner of a frame in the drawing, open or closed; None out of view."""
        for frame in self.drawing.frames:
            if frame.key == key:
                return QPointF(frame.x, frame.y)
        for box in np.flatnonzero(self.drawing.kind == BoxKind.GROUP).tolist():
            if self.key(box) == key:
                return QPointF(*self.drawing.box[box, :2].tolist())
        return None

    def text(self, box: int) -> BoxText:
        """Return the text of a box."""
        if box not in self._texts:
            self._texts[box] = self._worded(box)
        return self._texts[box]

    def _worded(self, box: int) -> BoxText:
        drawing = self.drawing
        body, node = drawing.bodies[drawing.body[box]], int(drawing.node[box])
        kind = drawing.kind[box]
        if kind == BoxKind.INPUT:
            return BoxText(tr("Input"), units.clip(body.flow.inputs[node], 80))
        if kind == BoxKind.OUTPUT:
            return BoxText(tr("Output"), units.clip(body.flow.outputs[node], 80))
        if kind == BoxKind.GROUP:
            return self._group_words(box, body, node)
        layer = body.layers[node]
        use = self.use(box)
        time = use.time_ns if use is not None else None
        index = self.index(box)
        note = self.notes.get(index, "") if index is not None else ""
        right = self._time(time) if time is not None else note
        numbers = self.coloring.numbers
        if numbers is not None:
            right = ""
            if drawing_is_main(drawing, box) and not np.isnan(numbers.values[node]):
                right = units.localized(numbers.written(float(numbers.values[node])))
        # The frame around it says the scope, but may be out of view: of a repeated block the
        # number is said, and no more, as some with and some without a scope look like chance.
        home = body.tree.groups[body.tree.home[node]].title
        in_frame = bool(home) and units.scope_and_name(layer.name)[0].endswith(home)
        return BoxText(
            units.clip(layer.operator, 60),
            leaf(layer),
            right,
            self.weight(box),
            units.clip(_numbered(layer) if in_frame else layer.name.strip("/"), 120),
            attributes_text(layer),
            f" #{layer.index}" if layer.name else "",
        )

    def _group_words(self, box: int, body: Body, node: int) -> BoxText:
        group = body.tree.groups[node]
        count = plural(body.tree.counts[node], "layer")
        if group.kind is GroupKind.CALL:
            count = tr("Function")
        title = group.title
        if group.layer >= 0:
            layer = body.layers[group.layer]
            title, count = layer.operator, f"{leaf(layer)} · {count}"
        right = self._group_number(node) if drawing_is_main(self.drawing, box) else ""
        return BoxText(units.clip(title, 60), units.clip(count, 100), right)

    def weight(self, box: int) -> str:
        """Shape of the largest tensor that the file gives to a box: '64×3×3×3'."""
        drawing = self.drawing
        body, node = drawing.bodies[drawing.body[box]], int(drawing.node[box])
        names = body.flow.weights.get(node, ())
        weights = [self.weights[name] for name in names if name in self.weights]
        largest = max(weights, key=lambda weight: weight.elements, default=None)
        if largest is None or len(largest.shape) < _LEAST_SHAPE:
            return ""
        return units.shape(largest.shape)

    def frame_words(self, key: Key, count: int) -> str:
        """Return the text next to the title of an open frame."""
        text = plural(count, "layer")
        number = self._group_number(key[0]) if len(key) == 1 else ""
        return f"{text} · {number}" if number else text

    def _group_number(self, group: int) -> str:
        """Return the sum or maximum that boxes show, or the time, of a group; '' for none."""
        numbers = self.coloring.numbers
        if numbers is None:
            spent = int(self.group_ns[group])
            return self._time(spent) if spent else ""
        value = float(self.group_numbers[group])
        if np.isnan(value) or numbers.labels:  # a group may hold several
            return ""
        written = units.localized(numbers.written(value))
        return written if numbers.adds_up else tr("max {written}").format(written=written)

    def _time(self, ns: int) -> str:
        """A time as the table of the layers writes it."""
        return units.duration(ns, self.clock_ns)

    def absent(self, box: int) -> bool:
        """Return whether a layer did not run by itself."""
        use = self.use(box)
        return use is not None and use.status is not Status.EXECUTED


def _numbered(layer: Layer) -> str:
    """Return a layer's name with the innermost scope that has a number: 'layer.5/…/query'; ""
    without one."""
    *scopes, name = layer.name.strip("/").split("/")
    place = next((n for n in reversed(range(len(scopes))) if _NUMBERED.search(scopes[n])), None)
    if place is None:
        return ""
    return "/".join((scopes[place], *(["…"] * (place < len(scopes) - 1)), name))


def drawing_is_main(drawing: Drawing, box: int) -> bool:
    """Return whether a box lies in the main graph, not in the body of a function."""
    return bool(drawing.body[box] == 0)


def attributes_text(layer: Layer) -> str:
    """Return the attributes of a layer in one line: 'kernel 3×3 · stride 2×2 · group 32'."""
    parts: list[tuple[int, str]] = []
    for each in layer.attributes:
        values = [value.strip() for value in each.text.split(",")]
        alike = set(values)
        if all((each.name, value) in _TRIVIAL for value in alike):
            continue
        is_list = each.kind == "ints" and len(values) > 1
        text = "×".join(values) if is_list else units.clip(each.text, 30)
        if each.name == "pads" and len(alike) == 1:
            text = values[0]
        name = _SHORT_NAMES.get(each.name, each.name)
        order = list(_SHORT_NAMES).index(each.name) if each.name in _SHORT_NAMES else 9
        parts.append((order, f"{name} {text}"))
    parts.sort(key=lambda part: part[0])
    return " · ".join(text for _, text in parts[:_MOST_ATTRIBUTES])


def leaf(layer: Layer) -> str:
    """The last part of a layer's name; where it has none its number and the value it makes."""
    name = layer.name or next((output for output in layer.outputs if output), layer.operator)
    last = units.clip(units.scope_and_name(name)[1] or name, 80)
    return last if layer.name else f"#{layer.index} {last}"
