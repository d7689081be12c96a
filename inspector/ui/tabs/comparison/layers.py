"""The layers of a comparison in a card: which kind to list, filter, table."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.comparison.comparison import AlignedLayer, Comparison
from inspector.comparison.layer_changes import BELOW_RESOLUTION, Block, Change
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import Segmented, tip
from inspector.ui.widgets.table import Cells, Table, draw_name
from inspector.ui.widgets.table_card import FilterField, RowMenu, TableCard
from inspector.ui.widgets.table_model import TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

# The layers of a comparison as rows of a table: blocks with their times, and single layers.


SIGNS = {Change.SLOWER: "▲", Change.FASTER: "▼", Change.SAME: "≈",
         Change.NOISY: "?", Change.PACE: "?", Change.RESOLUTION: "?"}  # fmt: skip


_FEWEST_ROWS = 4  # so that the window stays small where much is said above the table


class ColumnKind(StrEnum):
    """The kind of a column."""

    LAYER = mark("Layer")
    OPERATOR = mark("Operator")
    TIME = mark("Time")
    CHANGE = mark("Change")
    VERDICT = mark("Verdict")
    NOTE = mark("Note")


class LayerFilter(StrEnum):
    """A choice of the layers that are listed."""

    ALL = mark("All")
    SLOWER = mark("Slower")
    FASTER = mark("Faster")
    MOVED = mark("Different device")
    NEW = mark("Added")
    GONE = mark("Removed")


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `side` is the report that it tells of."""

    kind: ColumnKind
    title: str
    side: int = 0

    def __str__(self) -> str:
        return self.title

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return self.kind in (ColumnKind.TIME, ColumnKind.CHANGE)

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self.numeric


class LayerRows(TableModel[Column]):
    """Every layer of every report, in the order of the first; `show_kind` picks some."""

    def __init__(self, result: Comparison, letters: Sequence[str]) -> None:
        self.found, self._letters = result, letters
        self.kinds = tuple(_filters_of(result, place) for place in range(len(result.layers)))
        self._kind, self._typed = LayerFilter.ALL, ""
        columns = [
            Column(ColumnKind.LAYER, tr("Layer")),
            Column(ColumnKind.OPERATOR, tr("Operator")),
            Column(ColumnKind.TIME, letters[0]),
        ]
        for side in range(1, len(letters)):
            columns.append(Column(ColumnKind.TIME, letters[side], side))
            columns.append(Column(ColumnKind.CHANGE, f"{letters[side]} − {letters[0]}", side))
        if len(letters) == 2:  # with more reports there is only room for the signs
            columns.append(Column(ColumnKind.VERDICT, tr("Verdict"), 1))
        columns.append(Column(ColumnKind.NOTE, tr("Note")))
        super().__init__(columns, len(result.layers))

    def show_kind(self, kind: LayerFilter) -> None:
        """List only layers of one kind."""
        self._kind = kind
        self.pick(self._typed)

    def pick(self, text: str) -> None:
        """Show what holds every word, of the kind that is listed."""
        self._typed = text
        super().pick(f"{text} {_token(self._kind)}")

    def count(self, kind: LayerFilter) -> int:
        """Return how many layers are of a kind."""
        return sum(kind in kinds for kinds in self.kinds)

    def layer(self, row: int) -> AlignedLayer:
        """Return what a row shows."""
        return self.found.layers[self.place_of(row)]

    def block(self, row: int) -> Block | None:
        """The block that a row stands for; None for one that is part of another's."""
        place = self.place_of(row)
        block = self.found.blocks[self.found.layers[place].block]
        return block if block.lead == place else None

    def change(self, row: int, column: Column) -> Change:
        """Return what the time of a row did in the report of a column."""
        block = self.block(row)
        return Change.NONE if block is None else block.changes[column.side]

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        layer, block = self.layer(row), self.block(row)
        match column.kind:
            case ColumnKind.LAYER:
                return units.clip(layer.name, 120)
            case ColumnKind.OPERATOR:
                return units.clip(layer.operator, 60)
            case ColumnKind.TIME:
                time = block.time_ns[column.side] if block else None
                return "" if time is None else units.duration(time, self.found.clock_ns)
            case ColumnKind.CHANGE:
                return (
                    ""
                    if block is None
                    else _change_text(block, column.side, self.found.clock_ns)
                )
            case ColumnKind.VERDICT:
                return _verdict(self.change(row, column))
            case ColumnKind.NOTE:
                return self.note(self.place_of(row))

    def note(self, place: int) -> str:
        """Return where a layer went, came from, or what its time is part of."""
        result, layer = self.found, self.found.layers[place]
        parts = []
        for side in range(1, len(layer.cells)):
            one, other = layer.cells[0], layer.cells[side]
            letter = self._letters[side]
            if one is None and other is not None:
                parts.append(tr("added in {letter}").format(letter=letter))
            elif other is None and one is not None:
                parts.append(tr("removed in {letter}").format(letter=letter))
            elif one is not None and other is not None and layer.moved_in(side):
                ran = [units.device(cell.ran_on or "") for cell in (one, other)]
                parts.append(f"{letter}: {' → '.join(ran)}")
        block = result.blocks[layer.block]
        if block.lead != place:
            parts.append(
                tr("time counted in {leaf}").format(leaf=_leaf(result.layers[block.lead].name))
            )
        elif len(block.rows) > 1:
            parts.append(
                tr("time includes {layer_count}").format(
                    layer_count=plural(len(block.rows) - 1, "other layer")
                )
            )
        return "; ".join(parts)

    def spoken(self, row: int, column: Column) -> str:
        """A change with its verdict as text, not as a sign."""
        if column.kind is ColumnKind.VERDICT:
            return self.change(row, column).label
        if column.kind is not ColumnKind.CHANGE:
            return self.text(row, column)
        text = self.text(row, column).removesuffix(SIGNS.get(self.change(row, column), ""))
        return f"{text.strip()}, {self.change(row, column).label}"

    def hint(self, row: int, column: Column) -> str:
        """The layers that share a time, or how sides were brought together."""
        block, layer = self.block(row), self.layer(row)
        judged = column.kind in (ColumnKind.CHANGE, ColumnKind.VERDICT)
        if judged and block is not None:
            return tip(self.spoken(row, column))
        if (
            column.kind in (ColumnKind.TIME, ColumnKind.NOTE)
            and block is not None
            and len(block.rows) > 1
        ):
            names = [self.found.layers[place].name for place in block.rows]
            more = (
                tr("and {count} more").format(count=len(names) - 12) if len(names) > 12 else ""
            )
            return tip(tr("Time includes these fused layers"), *names[:12], more)
        how = tr("Matched by {how}").format(how=layer.how) if layer.how else ""
        return tip(self.text(row, column), how if column.kind is ColumnKind.LAYER else "")

    def meaning(self, column: Column) -> str:
        """Return the meaning of a column title."""
        name = self.found.names[column.side]
        return {
            ColumnKind.TIME: tr("Time per run in {name}; fused layers share one time").format(
                name=name
            ),
            ColumnKind.CHANGE: tr(
                "Change from {names} to {name}; ▲ slower, ▼ faster, ≈ no change, "
                "? inconclusive, by a rank test with a 5% false discovery rate"
            ).format(name=name, names=self.found.names[0]),
        }.get(column.kind, "")

    def keys(self, column: Column) -> NDArray[np.float64]:
        """Return what the rows are ordered by."""
        if not column.numeric:
            by_name = {
                ColumnKind.LAYER: [layer.name.casefold() for layer in self.found.layers],
                ColumnKind.OPERATOR: [layer.operator.casefold() for layer in self.found.layers],
            }
            places = range(self.total)
            if column.kind is ColumnKind.VERDICT:
                blocks = [self.found.blocks[layer.block] for layer in self.found.layers]
                return ranks(
                    [
                        _verdict(block.changes[column.side]) if block.lead == place else ""
                        for place, block in enumerate(blocks)
                    ]
                )
            return ranks(by_name.get(column.kind) or [self.note(place) for place in places])
        result = np.full(self.total, np.nan)
        for block in self.found.blocks:
            value: float | None = block.time_ns[column.side]
            if column.kind is ColumnKind.CHANGE:
                value = block.delta_ns(column.side)
            result[block.lead] = np.nan if value is None else value
        return result

    def haystack(self) -> Sequence[str]:
        """Name, operator and kinds of each layer."""
        return [
            f"{units.clip(layer.name, 500)}\n{units.clip(layer.operator, 60)}\n"
            f"{' '.join(map(_token, kinds))}".casefold()
            for layer, kinds in zip(self.found.layers, self.kinds, strict=True)
        ]


def _filters_of(result: Comparison, place: int) -> frozenset[LayerFilter]:
    layer = result.layers[place]
    block = result.blocks[layer.block]
    kinds = {LayerFilter.ALL}
    for side in range(1, len(layer.cells)):
        one, other = layer.cells[0], layer.cells[side]
        if one is None and other is not None:
            kinds.add(LayerFilter.NEW)
        if one is not None and other is None:
            kinds.add(LayerFilter.GONE)
        if layer.moved_in(side):
            kinds.add(LayerFilter.MOVED)
        if block.lead == place and block.changes[side] is Change.SLOWER:
            kinds.add(LayerFilter.SLOWER)
        if block.lead == place and block.changes[side] is Change.FASTER:
            kinds.add(LayerFilter.FASTER)
    return frozenset(kinds)


def _token(kind: LayerFilter) -> str:
    """A word that no name holds: names are clipped of control characters."""
    return f"\x01{kind.value.casefold()}\x01"


def _verdict(change: Change) -> str:
    """Return the verdict without its reason, which the tooltip has."""
    return change.label.partition(":")[0]


def _change_text(block: Block, side: int, clock_ns: int) -> str:
    """Return the difference, and as a share where the clock resolves both times."""
    delta, ratio = block.delta_ns(side), block.ratio(side)
    if delta is None:
        return ""
    if min(block.time_ns[0] or 0, block.time_ns[side] or 0) < clock_ns:
        ratio = None
    mark = SIGNS.get(block.changes[side], "")
    if block.changes[side] is Change.RESOLUTION:
        return f"{BELOW_RESOLUTION} {mark}"
    if not delta:
        return mark
    sign = "+" if delta > 0 else "−"
    share = "" if ratio is None else f"  {100 * (ratio - 1):+.0f}%".replace("-", "−")
    return f"{sign}{units.duration(abs(delta))}{share} {mark}".rstrip()


def _leaf(name: str) -> str:
    return units.clip(name, 60)


_OPERATOR, _TIME, _CHANGE, _VERDICT, _NOTE, _NAME = 128, 84, 158, 100, 220, 200
_HIDING_ORDER = (ColumnKind.OPERATOR, ColumnKind.NOTE)


class LayerCells(Cells[Column]):
    """Draws names, times, and changes in their colour."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: LayerRows) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw a name; or text, red where slower and green where faster."""
        palette, model = self._theme.palette, self._model
        if column.kind is ColumnKind.LAYER:
            part = model.block(row) is None
            painter.setFont(font(12, 400 if part else 500))
            if part:
                box.setLeft(box.left() + 12)
            draw_name(painter, box, model.text(row, column), palette, chosen)
            return
        painter.setFont(font(12, 500 if column.kind is ColumnKind.TIME else 400))
        tint = palette.text if column.kind is ColumnKind.TIME else palette.secondary
        judged = column.kind in (ColumnKind.CHANGE, ColumnKind.VERDICT)
        change = model.change(row, column) if judged else Change.NONE
        tint = {Change.SLOWER: palette.bad, Change.FASTER: palette.good}.get(change, tint)
        self.draw_text(
            painter,
            box,
            model.text(row, column),
            palette.on_selection if chosen else tint,
            column,
        )


class LayerCard(TableCard):
    """Layers of all reports, aligned; the kinds above the table pick some of them."""

    def __init__(self, theme: Theme, result: Comparison, letters: Sequence[str]) -> None:
        self.rows = LayerRows(result, letters)
        self.offered = tuple(
            kind for kind in LayerFilter if kind is LayerFilter.ALL or self.rows.count(kind)
        )
        items = [
            kind.value if kind is LayerFilter.ALL else f"{kind.value} {self.rows.count(kind):,}"
            for kind in self.offered
        ]
        self.kinds = Segmented(theme, items, 0)
        self.kinds.setAccessibleName(tr("Layers shown"))
        table = Table(theme, tr("Layers side by side"), self.rows, LayerCells(theme, self.rows))
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        field = FilterField(
            theme,
            tr("Filter layers"),
            tr("Filter by name or operator"),
            wide=220,
            small=110,
            roomy=900,
        )
        super().__init__(theme, table, tr("Layers"), field, _FEWEST_ROWS, self.kinds)
        self._chosen: int | None = None
        self.row_menu = RowMenu(table, field, self._named)
        self.kinds.chosen.connect(lambda index: self.rows.show_kind(self.offered[index]))
        self.rows.show_kind(LayerFilter.ALL)
        self.rows.sort_by(_most_changed(self.rows), downwards=True)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over; operators and notes go first, then times.

        A change tells the time as well. Where even changes find no room, the table scrolls.
        """
        needs = {
            ColumnKind.LAYER: _NAME, ColumnKind.OPERATOR: _OPERATOR, ColumnKind.TIME: _TIME,
            ColumnKind.CHANGE: _CHANGE, ColumnKind.VERDICT: _VERDICT, ColumnKind.NOTE: _NOTE,
        }  # fmt: skip
        columns = self.rows.columns
        items = [needs[column.kind] for column in columns]
        for kind in _HIDING_ORDER:
            if sum(items) > room:
                items[next(i for i, c in enumerate(columns) if c.kind is kind)] = 0
        if sum(items) > room:
            for place, column in enumerate(columns):
                if column.kind is ColumnKind.TIME and column.side:
                    items[place] = 0
        over = max(0, room - sum(items))
        items[0] += over if items[-1] == 0 else over * 3 // 5
        items[-1] += 0 if items[-1] == 0 else over - over * 3 // 5
        return tuple(items)

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        column = {column.kind: column for column in self.rows.columns}
        name = self.rows.text(row, column[ColumnKind.LAYER])
        return name, (self.rows.text(row, column[ColumnKind.OPERATOR]),)

    def counted(self) -> str:
        """Return how many are shown."""
        return tr("{rowcount:,} of {layer_count}").format(
            rowcount=self.rows.rowCount(), layer_count=plural(self.rows.total, "layer")
        )

    def selected_row(self) -> int | None:
        """The row that was chosen last, if it is shown."""
        return None if self._chosen is None else self.rows.row_at(self._chosen)

    def choose_row(self, row: int) -> None:
        """Keep it chosen while the table is sorted and filtered."""
        self._chosen = self.rows.place_of(row)


def _most_changed(rows: LayerRows) -> int:
    """The column of changes of the report that differs most from the first."""

    def apart(place: int) -> int:
        side = rows.columns[place].side
        return sum(abs(block.delta_ns(side) or 0) for block in rows.found.blocks)

    changes = [i for i, column in enumerate(rows.columns) if column.kind is ColumnKind.CHANGE]
    return max(changes, key=apart)
