"""A model becomes a drawing: boxes, frames and lines with their places, in pixels at full size.

The time it takes grows with the number of boxes in view; what is in closed frames costs little.
"""

from collections import deque
from collections.abc import Iterator

from inspector.analysis.graph_layout.body import BOX, Part
from inspector.analysis.graph_layout.data_flow import flow
from inspector.analysis.graph_layout.drawing import Body, Drawing, Key, Sheet
from inspector.analysis.graph_layout.frames import GroupKind, tree
from inspector.model.model import Model
from inspector.platform.cooperative_yielding import polite
from inspector.platform.gc_policy import uncollected

FIRST_BOXES, FIRST_BRANCHED = 400, 80
READABLE_WIDTH = 1150.0  # more has to be made too small to read in a usual window
_TRIES, _NEARLY_ALL = 8, 0.9


def body(model: Model) -> Body:
    """Read who feeds whom, and the frames, out of a model; once for a model."""
    with uncollected():
        return _body(model)


def _body(model: Model) -> Body:
    functions = {(one.domain, one.name): one for one in model.functions}
    carried = frozenset(weight.name for weight in model.weights)
    inputs = [value.name for value in model.inputs]
    graph_flow = flow(
        model.layers, inputs, [value.name for value in model.outputs], carried, model.graphs
    )
    return Body(graph_flow, tree(graph_flow, frozenset(functions)), functions)


def first_opened(whole: Body) -> frozenset[Key]:
    """Frames to open at first: from the outside in, as long as there are few boxes.

    What lies in branches of control flow stays closed sooner: only one of them runs, and only
    the largest is opened.
    """
    groups = whole.tree.groups
    inner: list[list[int]] = [[] for _ in groups]
    for index in polite(range(1, len(groups))):
        inner[groups[index].parent].append(index)
    boxes = [len(children) for children in inner]
    for node, home in enumerate(polite(whole.flow.home)):
        if node == home and node not in whole.tree.holds:
            boxes[whole.tree.home[node]] += 1
    branched = [group.kind is GroupKind.CONTROL for group in groups]
    for index in polite(range(1, len(groups))):
        branched[index] |= branched[groups[index].parent]
    others = _other_branches(whole)
    box_count, opened, queue = boxes[0], set(), deque(inner[0])
    while queue:
        group = queue.popleft()
        if group in others:
            continue
        more = box_count + boxes[group] - 1
        most = FIRST_BRANCHED if branched[group] else FIRST_BOXES
        if groups[group].kind is not GroupKind.CALL and more <= most:
            box_count = more
            opened.add((group,))
            queue.extend(inner[group])
    return frozenset(opened)


def first_drawn(whole: Body) -> tuple[frozenset[Key], Drawing]:
    """Frames to open at first, and the drawing: where frames can help it, none is wider than
    can be read.

    In what is too wide, the widest frame is closed; where that cannot help, it closes itself,
    but for one that is nearly all there is.
    """
    opened = first_opened(whole)
    drawing = draw(whole, opened)
    for _ in range(_TRIES):
        closing = _too_wide(whole, drawing)
        if not closing:
            break
        opened = frozenset(key for key in opened if not closing & {*_around(whole, key[0])})
        drawing = draw(whole, opened)
    return opened, drawing


def _too_wide(whole: Body, drawing: Drawing) -> set[int]:
    """Groups to close, so that those around them become narrower."""
    widths = {frame.key[0]: frame.width for frame in drawing.frames} | {0: drawing.width}
    inner: dict[int, list[int]] = {group: [] for group in widths}
    for group in widths.keys() - {0}:
        inner[whole.tree.groups[group].parent].append(group)
    counts, closing = whole.tree.counts, set()
    for group, width in widths.items():
        gains = {each: widths[each] - BOX[0] for each in inner[group]}
        widest = max(gains, key=lambda each: (gains[each], each), default=0)
        if width <= READABLE_WIDTH or (widest and widths[widest] > READABLE_WIDTH):
            continue
        if width - sum(gains.values()) <= READABLE_WIDTH:
            closing.add(widest)
        elif counts[group] <= counts[0] * _NEARLY_ALL:
            closing.add(group)
    return closing


def _around(whole: Body, group: int) -> Iterator[int]:
    """A group and all those around it, but for the whole."""
    while group > 0:
        yield group
        group = whole.tree.groups[group].parent


def _other_branches(whole: Body) -> set[int]:
    """Branches of which a sibling has more layers, or as many and comes before it."""
    groups, counts = whole.tree.groups, whole.tree.counts
    largest: dict[int, int] = {}
    branches = [i for i, group in enumerate(groups) if group.kind is GroupKind.BRANCH]
    for branch in sorted(
        branches, key=lambda i: (-counts[i], groups[i].title != "then_branch")
    ):
        largest.setdefault(groups[branch].parent, branch)
    return set(branches) - set(largest.values())


def all_opened(whole: Body) -> frozenset[Key]:
    """Every frame of the main graph; calls of functions stay closed."""
    kinds = enumerate(group.kind for group in whole.tree.groups)
    return frozenset((i,) for i, kind in kinds if i and kind is not GroupKind.CALL)


def opened_for(whole: Body, layer: int) -> frozenset[Key]:
    """The frames that must be open for a layer of the main graph to be seen."""
    return frozenset(
        (group,) for group in _around(whole, whole.tree.home[whole.flow.home[layer]])
    )


def draw(whole: Body, opened: frozenset[Key]) -> Drawing:
    """Lay out all that is in view when the frames `opened` are open."""
    with uncollected():
        part = Part(whole, (), opened)
        sheet = Sheet()
        sheet.box_of_layer = part.boxes_shown(part.put(sheet, 0.0, 0.0))
        return sheet.drawing(part.width, part.height)
