"""A finished graph drawing as plain values: boxes, frames, lines and their positions."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.analysis.graph_layout.data_flow import Flow, Fold
from inspector.analysis.graph_layout.frames import Group, Tree
from inspector.model.model import Function, Layer
from inspector.platform.cooperative_yielding import polite

Numbers = NDArray[np.int32]
Lengths = NDArray[np.float64]
Key = tuple[int, ...]
_PIECE = 4096
BOX_HEIGHT = 46.0  # of two lines: operator and name


class BoxKind(IntEnum):
    """The kind of thing that a box stands for."""

    LAYER = 0
    INPUT = 1
    OUTPUT = 2
    GROUP = 3


class Body(Struct, frozen=True, eq=False):
    """The main graph or the body of a function, ready to be drawn again and again.

    functions: those of the model, by (domain, name). folds: kinds of layers without a box.
    box_height: of a layer, in pixels at full size. sideways: whether data flows from left to
    right; everything is placed as if it flowed down, and then turned.
    """

    flow: Flow
    tree: Tree
    functions: dict[tuple[str, str], Function]
    folds: frozenset[Fold] = frozenset()
    box_height: float = BOX_HEIGHT
    sideways: bool = False

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers that the layer indices of a drawing refer to."""
        return self.flow.layers


class Frame(Struct, frozen=True):
    """An open frame. key: the groups that lead to it, the last is its own; count: layers."""

    x: float
    y: float
    width: float
    height: float
    group: Group
    key: Key
    count: int


class Stub(Struct, frozen=True):
    """A value that leaves (made) or reaches a box without a line; users: how many take it.

    more: other values that do so in the same place.
    """

    x: float
    y: float
    name: str
    is_source: bool
    users: int
    box: int
    more: int = 0


class Drawing(Struct, frozen=True, eq=False):
    """A finished drawing in pixels at full size. Boxes, lines and stubs are sorted by top.

    box: float64 (N, 4): x, y, width, height. kind (N,): BoxKind. node (N,): index of the layer,
        input or output in its body, or of the group. body (N,): index into `bodies`, whose
        first is the main graph. keys: for each body the groups that lead to it.
    line: float64 (M, 4): x and y of both ends. tensor (M,): index into `names`. maker,
        taker (M,): the boxes at the ends of the whole way, -1 for a frame. tip bool (M,):
        whether the line ends in an arrow.
    sideways: whether data flows from left to right.
    box_of_layer: for each layer of the main graph the box that stands for it; -1 for an open
    frame.
    """

    box: Lengths
    kind: Numbers
    node: Numbers
    body: Numbers
    line: Lengths
    tensor: Numbers
    maker: Numbers
    taker: Numbers
    tip: NDArray[np.bool_]
    frames: tuple[Frame, ...]
    stubs: tuple[Stub, ...]
    names: tuple[str, ...]
    bodies: tuple[Body, ...]
    keys: tuple[Key, ...]
    box_of_layer: Numbers
    width: float
    height: float
    sideways: bool = False

    def __len__(self) -> int:
        return len(self.box)


class Sheet(Struct, eq=False):
    """A drawing under way: rows that are still in no order. Same fields as of a Drawing."""

    box: list[tuple[float, float, float, float]] = field(default_factory=list)
    items: list[tuple[int, int, int]] = field(default_factory=list)
    line: list[tuple[float, float, float, float]] = field(default_factory=list)
    ends: list[tuple[int, int, int, bool]] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    stubs: list[Stub] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    box_of_layer: list[int] = field(default_factory=list)

    def drawing(self, width: float, height: float, sideways: bool = False) -> Drawing:
        """Sort what is on the sheet; sideways: turn it so that what led down leads right."""
        if sideways:
            width, height = height, width
            self._turn()
        box, line = _columns(self.box, 4, np.float64), _columns(self.line, 4, np.float64)
        items, ends = _columns(self.items, 3, np.int32), _columns(self.ends, 4, np.int32)
        order = np.argsort(box[:, 1], kind="stable")
        place = np.empty(len(order) + 1, np.int32)
        place[order] = np.arange(len(order))
        place[-1] = -1
        turned = np.argsort(np.minimum(line[:, 1], line[:, 3]), kind="stable")
        line, ends = line[turned], ends[turned]
        return Drawing(
            box[order], items[order, 0], items[order, 1], items[order, 2],
            line, ends[:, 0], place[ends[:, 1]], place[ends[:, 2]], ends[:, 3].astype(bool),
            tuple(self.frames),
            _gathered(self.stubs, place),
            tuple(self.names), tuple(self.bodies), tuple(self.keys),
            place[np.array(self.box_of_layer, np.int32)], width, height, sideways,
        )  # fmt: skip

    def _turn(self) -> None:
        """Swap across and down."""
        self.box = [(y, x, height, width) for x, y, width, height in polite(self.box)]
        self.line = [(y0, x0, y1, x1) for x0, y0, x1, y1 in polite(self.line)]
        self.frames = [
            replace(each, x=each.y, y=each.x, width=each.height, height=each.width)
            for each in self.frames
        ]
        self.stubs = [replace(each, x=each.y, y=each.x) for each in self.stubs]


def _columns(rows: Sequence[tuple[float, ...]], width: int, kind: type) -> NDArray[Any]:
    """Rows as an array, piece by piece: one long call would stop all other threads."""
    pieces = range(0, max(1, len(rows)), _PIECE)
    return np.concatenate(
        [np.array(rows[i : i + _PIECE], kind).reshape(-1, width) for i in pieces]
    )


def _gathered(stubs: list[Stub], place: Numbers) -> tuple[Stub, ...]:
    """Sort by height, with one stub for all values that leave or reach the same point."""
    ends: dict[tuple[float, float, bool], dict[str, Stub]] = {}
    for stub in stubs:
        names = ends.setdefault((stub.y, stub.x, stub.is_source), {})
        before = names.get(stub.name)
        users = stub.users + before.users if before is not None else stub.users
        names[stub.name] = replace(stub, users=users)
    parts = []
    for key in sorted(ends):
        first = next(iter(ends[key].values()))
        parts.append(replace(first, box=int(place[first.box]), more=len(ends[key]) - 1))
    return tuple(parts)
