"""The layers of a comparison as rows of a table: blocks with their times, and single layers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.compare import AlignedLayer, Comparison
from inspector.layer_changes import Block, Change
from inspector.ui.kit.parts import tip
from inspector.ui.kit.table_model import TableModel, ranks

SIGNS = {Change.SLOWER: "▲", Change.FASTER: "▼", Change.SAME: "≈",
         Change.NOISY: "?", Change.PACE: "?"}  # fmt: skip


class What(StrEnum):
    """What a column tells."""

    LAYER = "Layer"
    OPERATOR = "Operator"
    TIME = "Time"
    CHANGE = "Change"
    NOTE = "Note"


class Kind(StrEnum):
    """Which layers are listed."""

    ALL = "All"
    SLOWER = "Slower"
    FASTER = "Faster"
    MOVED = "Moved"
    NEW = "New"
    GONE = "Gone"


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `side` is the report that it tells of."""

    what: What
    title: str
    side: int = 0

    def __str__(self) -> str:
        return self.title

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self.what in (What.TIME, What.CHANGE)

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self.numeric


class LayerRows(TableModel[Column]):
    """Every layer of every report, in the order of the first; `show_kind` picks some."""

    def __init__(self, found: Comparison, letters: Sequence[str]) -> None:
        self.found, self._letters = found, letters
        self.kinds = tuple(_kinds(found, place) for place in range(len(found.layers)))
        self._kind, self._typed = Kind.ALL, ""
        columns = [
            Column(What.LAYER, "Layer"),
            Column(What.OPERATOR, "Operator"),
            Column(What.TIME, letters[0]),
        ]
        for side in range(1, len(letters)):
            columns.append(Column(What.TIME, letters[side], side))
            columns.append(Column(What.CHANGE, f"{letters[side]} − {letters[0]}", side))
        columns.append(Column(What.NOTE, "Note"))
        super().__init__(columns, len(found.layers))

    def show_kind(self, kind: Kind) -> None:
        """List only layers of one kind."""
        self._kind = kind
        self.pick(self._typed)

    def pick(self, text: str) -> None:
        """Show what holds every word, of the kind that is listed."""
        self._typed = text
        super().pick(f"{text} {_token(self._kind)}")

    def count(self, kind: Kind) -> int:
        """How many layers are of a kind."""
        return sum(kind in kinds for kinds in self.kinds)

    def layer(self, row: int) -> AlignedLayer:
        """What a row shows."""
        return self.found.layers[self.place_of(row)]

    def block(self, row: int) -> Block | None:
        """The block that a row stands for; None for one that is part of another's."""
        place = self.place_of(row)
        block = self.found.blocks[self.found.layers[place].block]
        return block if block.lead == place else None

    def change(self, row: int, column: Column) -> Change:
        """What the time of a row did in the report of a column."""
        block = self.block(row)
        return Change.NONE if block is None else block.changes[column.side]

    def text(self, row: int, column: Column) -> str:
        """What a cell says."""
        layer, block = self.layer(row), self.block(row)
        match column.what:
            case What.LAYER:
                return units.clip(layer.name, 120)
            case What.OPERATOR:
                return units.clip(layer.operator, 60)
            case What.TIME:
                time = block.time_ns[column.side] if block else None
                return "" if time is None else units.duration(time)
            case What.CHANGE:
                return "" if block is None else _change(block, column.side)
            case What.NOTE:
                return self.note(self.place_of(row))

    def note(self, place: int) -> str:
        """Where a layer went, came from, or what its time is part of."""
        found, layer = self.found, self.found.layers[place]
        parts = []
        for side in range(1, len(layer.cells)):
            one, other = layer.cells[0], layer.cells[side]
            letter = self._letters[side]
            if one is None and other is not None:
                parts.append(f"new in {letter}")
            elif other is None and one is not None:
                parts.append(f"gone in {letter}")
            elif one is not None and other is not None and layer.moved_in(side):
                ran = [units.device(cell.ran_on or "") for cell in (one, other)]
                parts.append(f"{letter}: {' → '.join(ran)}")
        block = found.blocks[layer.block]
        if block.lead != place:
            parts.append(f"counted to {_leaf(found.layers[block.lead].name)}")
        elif len(block.rows) > 1:
            parts.append(f"with {units.plural(len(block.rows) - 1, 'other layer')}")
        return "; ".join(parts)

    def spoken(self, row: int, column: Column) -> str:
        """A change with its verdict in words, not as a sign."""
        if column.what is not What.CHANGE:
            return self.text(row, column)
        words = self.text(row, column).removesuffix(SIGNS.get(self.change(row, column), ""))
        return f"{words.strip()}, {self.change(row, column).value}"

    def hint(self, row: int, column: Column) -> str:
        """The layers that share a time, or how sides were brought together."""
        block, layer = self.block(row), self.layer(row)
        if column.what is What.CHANGE and block is not None:
            return tip(self.spoken(row, column))
        if column.what in (What.TIME, What.NOTE) and block is not None and len(block.rows) > 1:
            names = [self.found.layers[place].name for place in block.rows]
            more = f"and {len(names) - 12} more" if len(names) > 12 else ""
            return tip("One time for", *names[:12], more)
        how = f"The same layer by {layer.how}" if layer.how else ""
        return tip(self.text(row, column), how if column.what is What.LAYER else "")

    def meaning(self, column: Column) -> str:
        """What a title stands for."""
        name = self.found.names[column.side]
        return {
            What.TIME: f"Time per prediction in {name}, of layers that share it together",
            What.CHANGE: f"{name} less {self.found.names[0]}; ▲ slower, ▼ faster, ≈ no "
            "difference: told by ranks, one in twenty of those told apart may be chance",
        }.get(column.what, "")

    def keys(self, column: Column) -> NDArray[np.float64]:
        """What the rows are ordered by."""
        if not column.numeric:
            words = {
                What.LAYER: [layer.name.casefold() for layer in self.found.layers],
                What.OPERATOR: [layer.operator.casefold() for layer in self.found.layers],
            }
            places = range(self.total)
            return ranks(words.get(column.what) or [self.note(place) for place in places])
        found = np.full(self.total, np.nan)
        for block in self.found.blocks:
            value: float | None = block.time_ns[column.side]
            if column.what is What.CHANGE:
                value = block.delta_ns(column.side)
            found[block.lead] = np.nan if value is None else value
        return found

    def haystack(self) -> Sequence[str]:
        """Name, operator and kinds of each layer."""
        return [
            f"{units.clip(layer.name, 500)}\n{units.clip(layer.operator, 60)}\n"
            f"{' '.join(map(_token, kinds))}".casefold()
            for layer, kinds in zip(self.found.layers, self.kinds, strict=True)
        ]


def _kinds(found: Comparison, place: int) -> frozenset[Kind]:
    layer = found.layers[place]
    block = found.blocks[layer.block]
    kinds = {Kind.ALL}
    for side in range(1, len(layer.cells)):
        one, other = layer.cells[0], layer.cells[side]
        if one is None and other is not None:
            kinds.add(Kind.NEW)
        if one is not None and other is None:
            kinds.add(Kind.GONE)
        if layer.moved_in(side):
            kinds.add(Kind.MOVED)
        if block.lead == place and block.changes[side] is Change.SLOWER:
            kinds.add(Kind.SLOWER)
        if block.lead == place and block.changes[side] is Change.FASTER:
            kinds.add(Kind.FASTER)
    return frozenset(kinds)


def _token(kind: Kind) -> str:
    """A word that no name holds: names are clipped of control characters."""
    return f"\x01{kind.value.casefold()}\x01"


def _change(block: Block, side: int) -> str:
    delta, ratio = block.delta_ns(side), block.ratio(side)
    if delta is None:
        return ""
    mark = SIGNS.get(block.changes[side], "")
    if not delta:
        return mark
    sign = "+" if delta > 0 else "−"
    share = "" if ratio is None else f"  {100 * (ratio - 1):+.0f} %".replace("-", "−")
    return f"{sign}{units.duration(abs(delta))}{share} {mark}".rstrip()


def _leaf(name: str) -> str:
    return units.clip(name, 60)
