"""Which boxes are in view for a set of open frames, and the links between, frame by frame."""

from dataclasses import dataclass
from typing import NamedTuple

from inspector.analysis.graph_layout.data_flow import Flow
from inspector.analysis.graph_layout.frames import GroupKind, Tree
from inspector.platform.cooperative_yielding import polite

HUB = 16


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
    made: bool
    users: int


@dataclass(slots=True, eq=False)
class Links:
    """What is in view. members, spans, tops, bottoms: for each open group, by its index.

    shown: for each node the item in view that stands for it. around: the open group of each
    item. ports: number of items in all.
    """

    shown: list[int]
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
    found = view.found
    for tensor, source in enumerate(polite(flow.source)):
        users = flow.uses[tensor]
        if not users:
            continue
        maker = found.shown[source]
        if len(users) == 1:
            if found.shown[users[0]] != maker:
                view.link(tensor, maker, found.shown[users[0]])
            continue
        takers = {found.shown[user]: None for user in users}
        takers.pop(maker, None)
        if len(takers) > HUB:
            found.cuts.append(Cut(maker, tensor, True, len(takers)))
            found.cuts.extend(Cut(taker, tensor, False, len(takers)) for taker in takers)
            continue
        for taker in takers:
            view.link(tensor, maker, taker)
    return found


class _View:
    """Builds the links of one view."""

    def __init__(self, flow: Flow, tree: Tree, opened: frozenset[int]) -> None:
        self.nodes = flow.nodes
        self.parent = [group.parent for group in tree.groups]
        self.depth = _depths(self.parent)
        self.around: dict[int, int] = {}
        inner = self._open_groups(tree, opened)
        closed = _closed(self.parent, inner)
        shown = []
        members: dict[int, list[int]] = {group: [] for group in inner}
        layers = len(flow.layers)
        for node in polite(range(flow.nodes)):
            home = flow.home[node] if node < layers else node
            group = tree.home[home]
            held = tree.holds.get(home)
            item = home if held is None else self.nodes + held
            if group not in inner:
                item = self.nodes + closed[group]
                group = self.parent[closed[group]]
            shown.append(item)
            if item < self.nodes and home == node:
                members[group].append(item)
                self.around[item] = group
        for index in polite(range(1, len(tree.groups))):
            group = self.parent[index]
            if group in inner:
                members[group].append(self.nodes + index)
                self.around[self.nodes + index] = group
        ports = self.nodes + len(tree.groups)
        self.found = Links(
            shown,
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
        found, nodes = self.found, self.nodes
        while g != h:
            if self.depth[g] >= self.depth[h]:
                port, fresh = self._port(found.bottoms[g], tensor)
                if fresh:
                    span = Span(over, port, tensor, out, -1, maker, taker)
                    found.spans[g].append(span)
                over, out, g = nodes + g, port, self.parent[g]
            else:
                port, fresh = self._port(found.tops[h], tensor)
                found.spans[h].append(Span(port, under, tensor, -1, into, maker, taker))
                if not fresh:
                    return
                under, into, h = nodes + h, port, self.parent[h]
        if over != under:
            found.spans[g].append(Span(over, under, tensor, out, into, maker, taker))

    def _port(self, ports: dict[int, int], tensor: int) -> tuple[int, bool]:
        if tensor in ports:
            return ports[tensor], False
        ports[tensor] = self.found.ports
        self.found.ports += 1
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
