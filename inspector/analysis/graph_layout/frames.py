"""The frames of a graph: scopes of names, branches of control flow, calls of functions."""

import re
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.analysis.graph_layout.data_flow import Flow
from inspector.model.model import Layer
from inspector.platform.cooperative_yielding import polite

_DEEPEST = 12
_LONGEST = 80
_DOT = re.compile(r"\.(?!\d)")
_QUOTED = re.compile(r"'([^']*)'")


class GroupKind(StrEnum):
    """The kind of group that a frame is drawn around."""

    WHOLE = "whole"
    SCOPE = "scope"
    CONTROL = "control"
    BRANCH = "branch"
    CALL = "call"


class Group(Struct, frozen=True):
    """A frame. parent: index of the group around it; -1 for the whole, which is group 0.

    layer: of a control-flow layer or a call, its index; else -1.
    """

    title: str
    kind: GroupKind
    parent: int
    layer: int = -1


class Tree(Struct, frozen=True, eq=False):
    """Groups, each after the one around it, and the group of each node of a flow.

    holds: for a control-flow layer or a call, the group that stands for it.
    counts: layers within each group, those of inner groups included. first: the first of them.
    """

    groups: tuple[Group, ...]
    home: tuple[int, ...]
    holds: dict[int, int]
    counts: tuple[int, ...]
    first: tuple[int, ...]


def scope(layer: Layer) -> str:
    """The scopes a layer lies in, parted by '/': '/block.1/attn/qkv' -> 'block.1/attn'.

    A name without a slash is parted at dots, but not before a number: 'layers.0.attn.q' lies in
    'layers.0/attn'. Where the name tells none, the exporter's metadata may, or the name of the
    first output.
    """
    scope_path = _scope_of(layer.name) if layer.name else ""
    if not scope_path and layer.metadata:
        scope_path = _from_metadata(layer)
    if not scope_path and not layer.name and layer.outputs and "/" in layer.outputs[0]:
        scope_path = _scope_of(layer.outputs[0])
    return scope_path


def _scope_of(name: str) -> str:
    scope_path = units.scope_and_name(name)[0]
    return scope_path if "/" in name or "." not in scope_path else _DOT.sub("/", scope_path)


def _from_metadata(layer: Layer) -> str:
    for key, text in layer.metadata:
        if key == "pkg.torch.onnx.name_scopes":
            scopes = [scope for scope in _QUOTED.findall(text[:4000]) if scope]
            return _DOT.sub("/", scopes[-2]) if len(scopes) > 1 else ""
    return ""


def tree(flow: Flow, calls: frozenset[tuple[str, str]] = frozenset()) -> Tree:
    """Sort layers into frames; `calls` are (domain, operator) that functions define."""
    grown = _Grown([Group("", GroupKind.WHOLE, -1)], [], {}, {}, {})
    parents = {layer.parent for layer in polite(flow.layers)}
    for node, layer in enumerate(polite(flow.layers)):
        base = 0
        if layer.parent is not None:
            base = grown.child(grown.holds[layer.parent], layer.branch, GroupKind.BRANCH)
        group = grown.scope(base, scope(layer))
        if node in parents or (layer.domain, layer.operator) in calls:
            kind = GroupKind.CONTROL if node in parents else GroupKind.CALL
            grown.holds[node] = grown.hold(group, layer, kind)
        grown.home.append(group)
    return _pruned(grown, flow)


class _Grown(Struct):
    groups: list[Group]
    home: list[int]
    holds: dict[int, int]
    places: dict[tuple[int, str, GroupKind], int]
    scopes: dict[tuple[int, str], int]

    def child(self, parent: int, title: str, kind: GroupKind) -> int:
        key = (parent, title, kind)
        if key not in self.places:
            self.places[key] = len(self.groups)
            self.groups.append(Group(title, kind, parent))
        return self.places[key]

    def scope(self, base: int, text: str) -> int:
        if not text:
            return base
        if (base, text) not in self.scopes:
            group = base
            for part in [part[:_LONGEST] for part in text.split("/") if part][:_DEEPEST]:
                group = self.child(group, part, GroupKind.SCOPE)
            self.scopes[base, text] = group
        return self.scopes[base, text]

    def hold(self, parent: int, layer: Layer, kind: GroupKind) -> int:
        self.groups.append(Group(layer.label, kind, parent, layer.index))
        return len(self.groups) - 1


def _pruned(grown: _Grown, flow: Flow) -> Tree:
    """Leave out scopes with a single member, and one that holds everything."""
    groups = grown.groups
    members = [0] * len(groups)
    for node, home in enumerate(polite(grown.home)):
        if flow.home[node] == node and node not in grown.holds:
            members[home] += 1
    into = list(range(len(groups)))
    titles = [group.title for group in groups]
    children = _children(groups)
    for index in polite(range(len(groups) - 1, 0, -1)):
        group = groups[index]
        lonely = members[index] < 2
        if group.kind is GroupKind.SCOPE and lonely:
            into[index] = group.parent
            for child in children[index]:
                if groups[child].kind is GroupKind.SCOPE and into[child] == child:
                    titles[child] = f"{titles[index]}/{titles[child]}"
            members[group.parent] += members[index]
        else:
            members[group.parent] += 1
    inner = [g for g in children[0] if into[g] == g]
    if members[0] == 1 and len(inner) == 1 and groups[inner[0]].kind is GroupKind.SCOPE:
        into[inner[0]] = 0
    for index, group in enumerate(polite(groups)):
        around = groups[group.parent].title if index else ""
        if group.kind is GroupKind.SCOPE and titles[index].isdecimal() and around:
            titles[index] = f"{around}/{titles[index]}"  # a number alone names nothing
    return _renumbered(grown, into, titles, flow)


def _children(groups: list[Group]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in groups]
    for index, group in enumerate(polite(groups[1:]), 1):
        children[group.parent].append(index)
    return children


def _renumbered(grown: _Grown, into: list[int], titles: list[str], flow: Flow) -> Tree:
    number: list[int] = []
    groups_left: list[Group] = []
    for index, group in enumerate(polite(grown.groups)):
        if into[index] != index:
            number.append(number[into[index]])
            continue
        number.append(len(groups_left))
        parent = number[group.parent] if group.parent >= 0 else -1
        groups_left.append(replace(group, title=titles[index], parent=parent))
    home = [number[group] for group in polite(grown.home)]
    home += [0] * (flow.nodes - len(home))
    counts, first = [0] * len(groups_left), [len(home)] * len(groups_left)
    for node in polite(range(len(flow.layers) - 1, -1, -1)):
        counts[home[node]] += 1
        first[home[node]] = node
    for index in polite(range(len(groups_left) - 1, 0, -1)):
        parent = groups_left[index].parent
        counts[parent] += counts[index]
        first[parent] = min(first[parent], first[index])
    holds = {layer: number[group] for layer, group in grown.holds.items()}
    return Tree(tuple(groups_left), tuple(home), holds, tuple(counts), tuple(first))
