"""A model becomes a drawing: boxes, frames and lines with their places, in pixels at full size.

The time it takes grows with the number of boxes in view; what is in closed frames costs little.

Layout of one body of layers: boxes and links in view, and where each frame goes.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from inspector.analysis.graph_layout.data_flow import Flow, Fold, flow
from inspector.analysis.graph_layout.drawing import (
    BOX_HEIGHT,
    Body,
    BoxKind,
    Drawing,
    Frame,
    Key,
    Sheet,
    Stub,
)
from inspector.analysis.graph_layout.frames import GroupKind, Tree, tree
from inspector.analysis.graph_layout.placement import Link, Placement, Sketch, place
from inspector.model.model import Layer, Model
from inspector.platform.cooperative_yielding import polite
from inspector.platform.gc_policy import uncollected

HUB = 16
TIDY = 1500
BOX_WIDTH = 176.0
SMALL = (140.0, 28.0)
SIDE = 18.0
TITLE = 36.0
FOOT = 20.0
# Between boxes in a row from left to right, for shapes on the edges; in pixels at full size.
LABEL_ROOM = 84.0
_PORT = 8.0
_DEEPEST = 8
_LETTER = 7.0
_WORDS = 130.0
_WIDEST_TITLE = 420.0
FIRST_BOXES = 400
FIRST_BRANCHED = 80
READABLE_WIDTH = 1150.0  # more has to be made too small to read in a usual window
READABLE_HEIGHT = 800.0  # the same from left to right
_TRIES = 8
_NEARLY_ALL = 0.9
_NUMBER = re.compile(r"\d+")


class Span(NamedTuple):
    """A piece of a value's way within one frame, from one item to another.

    Items are the nodes of the flow, then the groups of the tree, then ports on the rims of
    frames. out, into: port of the frame that is left or entered; -1 for a box.
    maker, taker: the items in view at both ends of the whole way.
    """

    above: int
    below: int
    tensor: int
    out: int
    into: int
    maker: int
    taker: int


class Cut(NamedTuple):
    """An end of a value that is too much used to be drawn. users: how many take it."""

    item: int
    tensor: int
    is_source: bool
    users: int


class Links(Struct, eq=False):
    """Items and links in view. members, spans, tops, bottoms: of each open group, by its index.

    item_of_node: for each node the item in view that stands for it. around: the open group of
    each item. ports: number of items in all.
    """

    item_of_node: list[int]
    around: dict[int, int]
    members: dict[int, list[int]]
    spans: dict[int, list[Span]]
    tops: dict[int, dict[int, int]]
    bottoms: dict[int, dict[int, int]]
    cuts: list[Cut]
    ports: int


def links(flow: Flow, tree: Tree, opened: frozenset[int]) -> Links:
    """Find what is in view when the frames `opened` and all around them are open."""
    view = _View(flow, tree, opened)
    result = view.placement
    for tensor, source in enumerate(polite(flow.source)):
        users = flow.uses[tensor]
        if not users:
            continue
        maker = result.item_of_node[source]
        if len(users) == 1:
            if result.item_of_node[users[0]] != maker:
                view.link(tensor, maker, result.item_of_node[users[0]])
            continue
        takers = {result.item_of_node[user]: None for user in users}
        takers.pop(maker, None)
        if len(takers) > HUB:
            result.cuts.append(Cut(maker, tensor, True, len(takers)))
            result.cuts.extend(Cut(taker, tensor, False, len(takers)) for taker in takers)
            continue
        for taker in takers:
            view.link(tensor, maker, taker)
    return result


class _View:
    """Builds the links of one view."""

    def __init__(self, flow: Flow, tree: Tree, opened: frozenset[int]) -> None:
        self.nodes = flow.nodes
        self.parent = [group.parent for group in tree.groups]
        self.depth = _depths(self.parent)
        self.around: dict[int, int] = {}
        inner = self._open_groups(tree, opened)
        closed = _closed(self.parent, inner)
        item_of_node = []
        members: dict[int, list[int]] = {group: [] for group in inner}
        layers = len(flow.layers)
        for node in polite(range(flow.nodes)):
            home = flow.home[node] if node < layers else node
            group = tree.home[home]
            closed_group = tree.holds.get(home)
            item = home if closed_group is None else self.nodes + closed_group
            if group not in inner:
                item = self.nodes + closed[group]
                group = self.parent[closed[group]]
            item_of_node.append(item)
            if item < self.nodes and home == node:
                members[group].append(item)
                self.around[item] = group
        for index in polite(range(1, len(tree.groups))):
            group = self.parent[index]
            if group in inner:
                members[group].append(self.nodes + index)
                self.around[self.nodes + index] = group
        ports = self.nodes + len(tree.groups)
        self.placement = Links(
            item_of_node,
            self.around,
            members,
            {group: [] for group in inner},
            {group: {} for group in inner},
            {group: {} for group in inner},
            [],
            ports,
        )

    def _open_groups(self, tree: Tree, opened: frozenset[int]) -> set[int]:
        inner = {0}
        for index, group in enumerate(polite(tree.groups)):
            if index in opened and group.parent in inner and group.kind is not GroupKind.CALL:
                inner.add(index)
        return inner

    def link(self, tensor: int, maker: int, taker: int) -> None:
        """Lead a value from its maker to a taker, through the rims between."""
        g, h = self.around[maker], self.around[taker]
        over, out, under, into = maker, -1, taker, -1
        result, nodes = self.placement, self.nodes
        while g != h:
            if self.depth[g] >= self.depth[h]:
                port, fresh = self._port(result.bottoms[g], tensor)
                if fresh:
                    span = Span(over, port, tensor, out, -1, maker, taker)
                    result.spans[g].append(span)
                over, out, g = nodes + g, port, self.parent[g]
            else:
                port, fresh = self._port(result.tops[h], tensor)
                result.spans[h].append(Span(port, under, tensor, -1, into, maker, taker))
                if not fresh:
                    return
                under, into, h = nodes + h, port, self.parent[h]
        if over != under:
            result.spans[g].append(Span(over, under, tensor, out, into, maker, taker))

    def _port(self, ports: dict[int, int], tensor: int) -> tuple[int, bool]:
        if tensor in ports:
            return ports[tensor], False
        ports[tensor] = self.placement.ports
        self.placement.ports += 1
        return ports[tensor], True


def _depths(parent: list[int]) -> list[int]:
    depth = [0] * len(parent)
    for index in range(1, len(parent)):
        depth[index] = depth[parent[index]] + 1
    return depth


def _closed(parent: list[int], inner: set[int]) -> list[int]:
    """For each group that is not in view, the outermost closed one around it or itself."""
    targets = list(range(len(parent)))
    for index in range(1, len(parent)):
        if index not in inner and parent[index] not in inner:
            targets[index] = targets[parent[index]]
    return targets


def called(around: Body, layer: Layer) -> Body:
    """The body of the function that a layer of `around` calls."""
    item = around.functions[layer.domain, layer.operator]
    graph_flow = flow(item.layers, item.inputs, item.outputs, frozenset(), folds=around.folds)
    frames = tree(graph_flow, frozenset(around.functions))
    return replace(around, flow=graph_flow, tree=frames)


class _Group(Struct, eq=False):
    """An open group once it is placed: where its items go and what its lines do."""

    items: list[int]
    spans: list[Span]
    joins: list[Link]
    placement: Placement
    shift: float
    bottom: float
    inset: float = SIDE


class _Sizes(Struct, eq=False):
    """Size of every item in view, and its place within its frame.

    room: the part of the height that is reserved for the label of the edge that leaves.
    """

    width: list[float]
    height: list[float]
    x: list[float]
    y: list[float]
    room: list[float]


class Part:
    """One body, laid out from the innermost frames to the whole."""

    def __init__(self, whole: Body, key: Key, opened: frozenset[Key]) -> None:
        self.body, self.key = whole, key
        own_opened = frozenset(one[-1] for one in opened if one[:-1] == key)
        self.view: Links = links(whole.flow, whole.tree, own_opened)
        self.nodes = whole.flow.nodes
        self.ports = self.nodes + len(whole.tree.groups)
        self.inner = self._calls(own_opened, opened)
        self.sideways = whole.sideways
        self.lead = FOOT if whole.sideways else TITLE  # from a frame's begin to its items
        self.careful = sum(map(len, self.view.members.values())) <= TIDY
        self.sizes = self._sizes()
        self.placed: dict[int, _Group] = {}
        for group in polite(sorted(self.view.members, reverse=True)):
            self.placed[group] = self._place(group)
        self.width = self.placed[0].placement.width
        self.height = self.placed[0].bottom

    def _calls(self, own_opened: frozenset[int], opened: frozenset[Key]) -> "dict[int, Part]":
        parts = {}
        groups = self.body.tree.groups
        for index in sorted(own_opened):
            group = groups[index] if index < len(groups) else groups[0]
            if (
                group.kind is GroupKind.CALL
                and group.parent in self.view.members
                and len(self.key) < _DEEPEST
            ):
                within = called(self.body, self.body.layers[group.layer])
                parts[index] = Part(within, (*self.key, index), opened)
        return parts

    def _sizes(self) -> _Sizes:
        count, layers = self.view.ports, len(self.body.layers)
        width, height = [BOX_WIDTH] * count, [self.body.box_height] * count
        room = [0.0] * count
        small = SMALL
        if self.sideways:
            width, height = height, [BOX_WIDTH + LABEL_ROOM] * count
            room = [LABEL_ROOM] * count
            small = SMALL[1], SMALL[0] + LABEL_ROOM
        for node in range(layers, self.nodes):
            width[node], height[node] = small
        for index, part in self.inner.items():
            size = self._framed(index, part.width, part.height)
            width[self.nodes + index], height[self.nodes + index] = size
            room[self.nodes + index] = 0.0
        for rims in (self.view.tops, self.view.bottoms):
            for ports in rims.values():
                for port in ports.values():
                    width[port], height[port], room[port] = _PORT, 0.0, 0.0
        return _Sizes(width, height, [0.0] * count, [0.0] * count, room)

    def _framed(self, group: int, width: float, height: float) -> tuple[float, float]:
        title = len(self.body.tree.groups[group].title) * _LETTER + _WORDS
        title = min(title, _WIDEST_TITLE)
        if self.sideways:
            return width + TITLE + SIDE, max(height + 2 * FOOT, title)
        return max(width + 2 * SIDE, title), height + TITLE + FOOT

    def _place(self, group: int) -> _Group:
        view, sizes = self.view, self.sizes
        tops, bottoms = list(view.tops[group].values()), list(view.bottoms[group].values())
        items = self._in_order(view.members[group]) + tops + bottoms
        number = {item: i for i, item in enumerate(items)}
        spans = view.spans[group]
        joins = self._joins(spans, number)
        rims = len(items) - len(tops) - len(bottoms)
        sketch = Sketch(
            [sizes.width[item] for item in items],
            [sizes.height[item] for item in items],
            joins,
            frozenset(range(rims, rims + len(tops))),
            frozenset(range(rims + len(tops), len(items))),
        )
        placement = place(sketch, self.careful)
        shift = min(placement.y[:rims], default=0.0)
        ends = (placement.y[i] + sketch.heights[i] - sizes.room[items[i]] for i in range(rims))
        lowest = max(ends, default=0.0) - shift
        framed = self._framed(group, placement.width, lowest)
        for i, item in enumerate(items):
            sizes.x[item] = placement.x[i]
            if i < rims:
                sizes.y[item] = placement.y[i] - shift
            else:
                is_top = i < rims + len(tops)
                sizes.y[item] = -self.lead if is_top else framed[1] - self.lead
        placed_group = _Group(items[:rims], spans, joins, placement, shift, lowest)
        if group:
            item = self.nodes + group
            sizes.width[item], sizes.height[item] = framed
            sizes.room[item] = 0.0
            placed_group.inset = (framed[0] - placement.width) / 2
            if self.sideways:
                placed_group.inset = TITLE
        return placed_group

    def _in_order(self, items: list[int]) -> list[int]:
        """Inputs first, then layers and groups as the file names them, then outputs."""
        layers, ends = len(self.body.layers), len(self.body.layers) + len(self.body.flow.inputs)
        if not items or items[-1] < layers:
            return items

        def key(item: int) -> tuple[int, int]:
            if item < layers:
                return 1, item
            if item < self.nodes:
                return (0 if item < ends else 2), item
            return 1, self.body.tree.first[item - self.nodes]

        return sorted(items, key=key)

    def _joins(self, spans: list[Span], number: dict[int, int]) -> list[Link]:
        width, joins = self.sizes.width, []
        for above, below, _, out, into, _, _ in spans:
            leaves = width[above] / 2 if out < 0 else self._touch(above, out)
            arrives = width[below] / 2 if into < 0 else self._touch(below, into)
            joins.append(Link(number[above], number[below], leaves, arrives))
        return joins

    def _touch(self, item: int, port: int) -> float:
        return self.placed[item - self.nodes].inset + self.sizes.x[port] + _PORT / 2

    def put(self, sheet: Sheet, left: float, top: float) -> dict[int, int]:
        """Put it onto a sheet with its left upper corner there; the box of each item."""
        sheet.bodies.append(self.body)
        sheet.keys.append(self.key)
        number, names = len(sheet.bodies) - 1, len(sheet.names)
        sheet.names.extend(self.body.flow.tensors)
        at: dict[int, int] = {}
        corners = {0: (left, top)}
        for group in sorted(self.placed):
            self._put_items(sheet, group, corners, at, number)
        for group, placed_group in self.placed.items():
            self._put_lines(sheet, placed_group, corners[group], at, names)
        for cut in self.view.cuts:
            self._put_hub(sheet, cut, corners, at)
        return at

    def boxes_shown(self, at: dict[int, int]) -> list[int]:
        """For each layer the box that stands for it; -1 for an open frame."""
        return [at.get(item, -1) for item in self.view.item_of_node[: len(self.body.layers)]]

    def _put_items(
        self,
        sheet: Sheet,
        group: int,
        corners: dict[int, tuple[float, float]],
        at: dict[int, int],
        number: int,
    ) -> None:
        sizes, (left, top) = self.sizes, corners[group]
        x, y, width, height = sizes.x, sizes.y, sizes.width, sizes.height
        layers = len(self.body.layers)
        for item in polite(self.placed[group].items):
            own_height = height[item] - sizes.room[item]
            corner = (left + x[item], top + y[item], width[item], own_height)
            inner = item - self.nodes
            if inner >= 0 and (inner in self.placed or inner in self.inner):
                self._put_frame(sheet, inner, corner, corners)
                continue
            at[item] = len(sheet.box)
            sheet.box.append(corner)
            kind_and_layer = (BoxKind.LAYER, item) if item < layers else self._what(item)
            sheet.items.append((*kind_and_layer, number))

    def _put_frame(
        self,
        sheet: Sheet,
        group: int,
        corner: tuple[float, float, float, float],
        corners: dict[int, tuple[float, float]],
    ) -> None:
        x, y, width, _ = corner
        sheet.frames.append(self._frame(group, corner))
        if group in self.placed:
            corners[group] = (x + self.placed[group].inset, y + self.lead)
        else:
            part = self.inner[group]
            inset = TITLE if self.sideways else (width - part.width) / 2
            part.put(sheet, x + inset, y + self.lead)

    def _frame(self, group: int, corner: tuple[float, float, float, float]) -> Frame:
        inner = self.inner.get(group)
        count = len(inner.body.layers) if inner else self.body.tree.counts[group]
        return Frame(*corner, self.body.tree.groups[group], (*self.key, group), count)

    def _what(self, item: int) -> tuple[int, int]:
        layers = len(self.body.layers)
        inputs = layers + len(self.body.flow.inputs)
        if item < inputs:
            return BoxKind.INPUT, item - layers
        if item < self.nodes:
            return BoxKind.OUTPUT, item - inputs
        return BoxKind.GROUP, item - self.nodes

    def _put_lines(
        self,
        sheet: Sheet,
        placed_group: _Group,
        corner: tuple[float, float],
        at: dict[int, int],
        names: int,
    ) -> None:
        left, top = corner
        drawn: set[tuple[int, float, float, float, float]] = set()
        x, y, height, room = self.sizes.x, self.sizes.y, self.sizes.height, self.sizes.room
        bends, cut, ports = placed_group.placement.bends, placed_group.placement.cut, self.ports
        for index, (span, join) in enumerate(
            zip(placed_group.spans, placed_group.joins, strict=True)
        ):
            above, below, tensor, _, into, maker, taker = span
            y0 = top + y[above] + height[above] - room[above]
            x0 = left + x[above] + join.leaves
            x1, y1 = left + x[below] + join.arrives, top + y[below]
            ends = (names + tensor, at.get(maker, -1), at.get(taker, -1))
            if index in cut:
                name = self.body.flow.tensors[tensor]
                sheet.stubs.append(Stub(x0, y0, name, True, 1, ends[1]))
                sheet.stubs.append(Stub(x1, y1, name, False, 1, ends[2]))
                continue
            for px, py in bends.get(index, ()):
                px, py = left + px, top + py - placed_group.shift
                if (tensor, x0, y0, px, py) not in drawn:
                    drawn.add((tensor, x0, y0, px, py))
                    sheet.line.append((x0, y0, px, py))
                    sheet.ends.append((*ends, False))
                x0, y0 = px, py
            sheet.line.append((x0, y0, x1, y1))
            sheet.ends.append((*ends, into < 0 and below < ports))

    def _put_hub(
        self,
        sheet: Sheet,
        cut: Cut,
        corners: dict[int, tuple[float, float]],
        at: dict[int, int],
    ) -> None:
        sizes = self.sizes
        left, top = corners[self.view.around[cut.item]]
        x = left + sizes.x[cut.item] + sizes.width[cut.item] / 2
        own_height = sizes.height[cut.item] - sizes.room[cut.item]
        y = top + sizes.y[cut.item] + (own_height if cut.is_source else 0.0)
        name = self.body.flow.tensors[cut.tensor]
        box = at.get(cut.item, -1)
        sheet.stubs.append(Stub(x, y, name, cut.is_source, cut.users, box))


def body(
    model: Model,
    folds: frozenset[Fold] = frozenset(),
    box_height: float = BOX_HEIGHT,
    sideways: bool = False,
) -> Body:
    """Read who feeds whom, and the frames, out of a model; once for a model.

    folds: kinds of layers that get no box. box_height: of a layer, in pixels at full size.
    sideways: whether data flows from left to right.
    """
    with uncollected():
        functions = {(one.domain, one.name): one for one in model.functions}
        carried = frozenset(weight.name for weight in model.weights)
        inputs = [value.name for value in model.inputs]
        outputs = [value.name for value in model.outputs]
        graph_flow = flow(model.layers, inputs, outputs, carried, model.graphs, folds)
        frames = tree(graph_flow, frozenset(functions))
        return Body(graph_flow, frames, functions, folds, box_height, sideways)


def first_opened(whole: Body) -> frozenset[Key]:
    """Frames to open at first: from the outside in, as long as there are few boxes.

    Of frames that are numbered, such as block0 to block9, all are opened or none. What lies in
    branches of control flow stays closed sooner: only one of them runs, and only the largest is
    opened.
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
    box_count, opened, queue = boxes[0], set[Key](), deque([0])
    while queue:
        families: dict[str, list[int]] = {}
        for group in inner[queue.popleft()]:
            if group not in others and groups[group].kind is not GroupKind.CALL:
                name = _NUMBER.sub("0", groups[group].title)
                families.setdefault(name, []).append(group)
        for family in families.values():
            more = box_count + sum(boxes[group] - 1 for group in family)
            most = FIRST_BRANCHED if any(branched[g] for g in family) else FIRST_BOXES
            if more <= most:
                box_count = more
                opened.update((group,) for group in family)
                queue.extend(family)
    return frozenset(opened)


def first_drawn(whole: Body) -> tuple[frozenset[Key], Drawing]:
    """Frames to open at first, and the drawing: where frames can help it, none is wider than
    can be read. In what is too wide, the widest frame is closed; where that cannot help, it
    closes itself, but for one that is nearly all there is."""
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
    side, widest_readable, closed = drawing.sideways, READABLE_WIDTH, BOX_WIDTH
    if side:
        widest_readable, closed = READABLE_HEIGHT, whole.box_height
    widths = {f.key[0]: f.height if side else f.width for f in drawing.frames}
    widths[0] = drawing.height if side else drawing.width
    inner: dict[int, list[int]] = {group: [] for group in widths}
    for group in widths.keys() - {0}:
        inner[whole.tree.groups[group].parent].append(group)
    counts, closing = whole.tree.counts, set()
    for group, width in widths.items():
        gains = {each: widths[each] - closed for each in inner[group]}
        widest = max(gains, key=lambda each: (gains[each], each), default=0)
        if width <= widest_readable or (widest and widths[widest] > widest_readable):
            continue
        if width - sum(gains.values()) <= widest_readable:
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
    """Return the keys of the frames around a layer of the main graph: open, they show it."""
    return frozenset(
        (group,) for group in _around(whole, whole.tree.home[whole.flow.home[layer]])
    )


def draw(whole: Body, opened: frozenset[Key]) -> Drawing:
    """Lay out all that is in view when the frames `opened` are open."""
    with uncollected():
        part = Part(whole, (), opened)
        sheet = Sheet()
        sheet.box_of_layer = part.boxes_shown(part.put(sheet, 0.0, 0.0))
        return sheet.drawing(part.width, part.height, whole.sideways)
