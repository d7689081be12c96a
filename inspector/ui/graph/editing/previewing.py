"""Turns what an edit would do into marks on the drawing that is shown."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector.analysis.graph_layout.drawing import Drawing
from inspector.analysis.layer_search import ValueInfo
from inspector.app.changing.editing import Preview
from inspector.conversion.edits.changes import LayerMark, MarkKind
from inspector.model.model import Model
from inspector.ui import units
from inspector.ui.graph.edit_marks import (
    PILL_WIDTH,
    BoxMark,
    EditMarks,
    Pill,
    cut_after,
    end_box,
    end_of,
    gone_lines,
    no_marks,
    pill_place,
    removed_boxes,
    with_room,
)
from inspector.ui.graph.editing.same import Bypassed
from inspector.ui.graph.scene import Scene
from inspector.ui.translate import mark, plural, tr

_WORDS = {
    MarkKind.NEW: mark("new"), MarkKind.CHANGED: mark("changed"),
    MarkKind.REWIRED: mark("rewired"),
}  # fmt: skip
_MOST_PILLS = 6  # of one preview; a cut through more values says how many in words
_BESIDE = 12.0  # px at full size between pills after one box


class Connections:
    """Which layer makes each tensor of a model, and which layers take it.

    values: types and shapes of tensors, as far as they are known.
    """

    def __init__(self, model: Model, values: Mapping[str, ValueInfo]) -> None:
        self.model, self.values = model, values
        self._maker: dict[str, int] = {}
        self._takers: dict[str, list[int]] = defaultdict(list)
        for layer in model.layers:
            for name in layer.outputs:
                self._maker[name] = layer.index
            for name in layer.inputs:
                self._takers[name].append(layer.index)

    def maker(self, drawing: Drawing, tensor: str) -> int:
        """Return the box that a tensor comes from: a layer or an input; -1 for none."""
        layer = self._maker.get(tensor)
        if layer is None:
            return end_box(drawing, tensor, is_output=False)
        return box_of(drawing, layer)

    def takers(self, drawing: Drawing, tensor: str) -> tuple[int, ...]:
        """Return the boxes of the layers that take a tensor."""
        boxes = (box_of(drawing, layer) for layer in self._takers.get(tensor, ()))
        return tuple(dict.fromkeys(box for box in boxes if box >= 0))

    def taken_by(self, tensor: str) -> int:
        """Return how many layers take a tensor."""
        return len(self._takers.get(tensor, ()))


class _New(Struct, frozen=True):
    """Something new after a box. beyond: on the other side of the cut. passed: a layer that
    values are led past."""

    box: int
    title: str
    role: str
    below: str
    takers: tuple[int, ...] = ()
    beyond: bool = False
    passed: bool = False


Passed = _New  # a bypassed layer


def passed_by(
    scene: Scene, layers: Iterable[Bypassed], links: Connections
) -> tuple[Passed, ...]:
    """Return what stands for bypassed layers, each after what its input comes from."""
    drawing, word = scene.drawing, tr("bypassed")
    found = []
    for each in layers:
        box = links.maker(drawing, each.tensor)
        takers = tuple(box_of(drawing, taker) for taker in each.takers)
        name = leaf_of(each.layer.label)
        found.append(Passed(box, each.layer.operator, word, name, takers, passed=True))
    return tuple(p for p in found if min(p.box, *p.takers) >= 0 and p.box not in p.takers)


def with_passed(scene: Scene, passed: Iterable[Passed]) -> Scene:
    """Return a scene with room for bypassed layers."""
    for at in sorted({end_of(scene.drawing, each.box) for each in passed}, reverse=True):
        scene = with_room(scene, at)
    return scene


def box_of(drawing: Drawing, layer: int) -> int:
    """Return the box that stands for a layer; -1 for none."""
    boxes = drawing.box_of_layer
    return int(boxes[layer]) if 0 <= layer < len(boxes) else -1


def previewed(
    scene: Scene,
    preview: Preview,
    links: Connections,
    marks: EditMarks,
    bypassed: Iterable[Passed],
) -> tuple[Scene, EditMarks]:
    """Return a scene with room for what is new, and marks of what an edit would do to it.

    marks, bypassed: those of the edits that are applied, which stay.
    """
    drawing = scene.drawing
    ends = (*preview.lost_inputs, *preview.lost_outputs)
    removed = removed_boxes(drawing, preview.removed, ends)
    new = _new_parts(scene, preview, links)[:_MOST_PILLS]
    anchors = {end_of(drawing, each.box) for each in new}
    for at in sorted(anchors, reverse=True):
        scene = with_room(scene, at)
    drawing = scene.drawing
    passed = frozenset[int]()
    changed = {
        box_of(drawing, layer): BoxMark(tr("changed")) for layer in sorted(preview.changed)
    }
    lines = _new_lines(drawing, preview, links)
    if lines and preview.removed:  # values are led past what goes
        passed = frozenset(box_of(drawing, layer) for layer in preview.removed)
        changed |= {box: BoxMark(tr("bypassed")) for box in passed}
        removed[[box for box in passed if box >= 0]] = False
    changed = {box: mark for box, mark in (dict(marks.changed) | changed).items() if box >= 0}
    cut = None
    if len(anchors) == 1 and preview.removed and (preview.new_inputs or preview.new_outputs):
        cut = cut_after(drawing, new[0].box, bool(preview.new_outputs), _cut_text(preview))
    made = EditMarks(
        removed,
        gone_lines(drawing, removed) | marks.gone,
        changed,
        passed,
        marks.failing,
        _pills(drawing, (*(each for each in bypassed if not removed[each.box]), *new)),
        (*marks.links, *lines),
        cut,
    )
    return scene, made


def applied(
    scene: Scene, marks: Mapping[int, LayerMark], failing: int | None, passed: Iterable[Passed]
) -> EditMarks:
    """Return the marks of applied edits. failing: the layer that does not run, if any."""
    drawing = scene.drawing
    changed = {
        box_of(drawing, layer): BoxMark(mark_word(mark), mark.kind is MarkKind.NEW)
        for layer, mark in marks.items()
    }
    changed.pop(-1, None)
    at = box_of(drawing, failing) if failing is not None else -1
    pairs = tuple(dict.fromkeys((each.box, taker) for each in passed for taker in each.takers))
    straight = np.zeros(len(drawing.line), bool)
    for maker, taker in pairs:
        straight |= (drawing.maker == maker) & (drawing.taker == taker)
    return replace(
        no_marks(drawing),
        gone=straight,
        changed=changed,
        failing=at,
        pills=_pills(drawing, passed),
        links=pairs,
    )


def mark_word(made: LayerMark) -> str:
    """Return what is another one at a layer: an attribute, its inputs, all of it."""
    if made.names:
        return units.clip(", ".join(made.names), 24)
    return tr(_WORDS[made.kind])


def leaf_of(name: str) -> str:
    """Return the last part of a name, which tells it from others: "…/Add_output"."""
    scope, leaf = units.scope_and_name(name)
    return units.clip(f"…/{leaf}" if scope and leaf else name, 60)


def type_text(scene: Scene, tensor: str) -> str:
    """Return shape and type of a tensor in one line; "" where neither is known."""
    value = scene.values.get(tensor)
    return "" if value is None else f"{units.shape(value.shape)} {units.clip(value.dtype, 24)}"


def _new_parts(scene: Scene, preview: Preview, links: Connections) -> list[_New]:
    drawing = scene.drawing
    parts = []
    for name in preview.new_outputs:
        box = links.maker(drawing, name)
        parts.append(_New(box, leaf_of(name), tr("output"), type_text(scene, name)))
    for name in preview.new_inputs:
        box, takers = links.maker(drawing, name), links.takers(drawing, name)
        text = type_text(scene, name)
        parts.append(_New(box, leaf_of(name), tr("input"), text, takers, True))
    for added in preview.added:
        known = [*added.inputs[:1], *added.outputs]
        boxes = (links.maker(drawing, name) for name in known)
        box = next((box for box in boxes if box >= 0), -1)
        ends = {taker for name in known for taker in links.takers(drawing, name)}
        below = units.clip(added.name, 60)
        parts.append(_New(box, added.operator, tr("new"), below, tuple(sorted(ends))))
    return [part for part in parts if part.box >= 0]


def _pills(drawing: Drawing, new: Iterable[_New]) -> tuple[Pill, ...]:
    pills, counts = [], defaultdict[tuple[int, bool], int](int)
    for each in new:
        x, y = pill_place(drawing, each.box, each.beyond)
        step = (PILL_WIDTH + _BESIDE) * counts[each.box, each.beyond]
        counts[each.box, each.beyond] += 1
        x, y = (x, y + step) if drawing.sideways else (x + step, y)
        sources = () if each.beyond or each.passed else (each.box,)
        takers = () if each.passed else each.takers
        made = Pill(x, y, each.title, each.role, each.below, sources, takers, each.passed)
        pills.append(made)
    return tuple(pills)


def _new_lines(
    drawing: Drawing, preview: Preview, links: Connections
) -> tuple[tuple[int, int], ...]:
    """Return the boxes at both ends of each new line between layers that stay."""
    pairs = (
        (links.maker(drawing, each.new), box_of(drawing, each.layer))
        for each in preview.rewired
    )
    return tuple(dict.fromkeys(pair for pair in pairs if min(pair) >= 0 and pair[0] != pair[1]))


def _cut_text(preview: Preview) -> str:
    before, _ = preview.layers
    text = tr("{count} of {layers}").format(
        count=len(preview.removed), layers=plural(before, "layer")
    )
    lost = [*preview.lost_inputs, *preview.lost_outputs]
    if len(lost) == 1:
        name = units.clip(lost[0], 40)
        kind = tr("the output “{name}”") if preview.lost_outputs else tr("the input “{name}”")
        return tr("{first} and {last}").format(first=text, last=kind.format(name=name))
    if lost:
        counts = [
            (len(preview.lost_inputs), "input"), (len(preview.lost_outputs), "output")
        ]  # fmt: skip
        ends = ", ".join(plural(count, noun) for count, noun in counts if count)
        return tr("{first} and {last}").format(first=text, last=ends)
    return text
