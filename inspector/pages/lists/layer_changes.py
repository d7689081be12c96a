"""The layers of a comparison as tables: those that changed most, and all of them with notes."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import nan

from inspector import units
from inspector.comparison.comparison import Comparison
from inspector.comparison.layer_changes import BELOW_RESOLUTION, Block
from inspector.comparison.layer_changes import Change as LayerChange
from inspector.pages.blocks import Column, Limits, Row, Side, Table
from inspector.pages.rows import LazyRows
from inspector.wording.values import (
    Change,
    Count,
    Duration,
    Joined,
    Name,
    Noted,
    Sentence,
    Tone,
    Toned,
    Value,
)

_LAYERS = Limits(terminal=12, document=10)
_TONES = {LayerChange.FASTER: Tone.GOOD, LayerChange.SLOWER: Tone.BAD}
_NAMED = 12  # layers that share a time


def changed_table(comparison: Comparison, letters: Sequence[str]) -> Table:
    """Return a row for each block of layers timed in both, those that changed most first."""
    sides = range(1, len(letters))

    def change_ns(block: Block) -> int:
        return max(abs(block.delta_ns(side) or 0) for side in sides)

    timed = [
        b for b in comparison.blocks if any(b.delta_ns(side) is not None for side in sides)
    ]
    timed.sort(key=change_ns, reverse=True)
    rows = (_row(comparison, block.lead) for block in timed)
    columns = tuple(_columns(comparison, letters))
    return Table(columns, tuple(rows), _LAYERS, "layer", rest="`--json` has all")


def layer_table(comparison: Comparison, letters: Sequence[str]) -> Table:
    """Return a row for each layer of any report, with where it went or what it is part of."""
    columns = (*_columns(comparison, letters), Column("note", "Note", keep=3, stretch=True))
    layers, sides = comparison.layers, range(1, len(letters))
    keys: dict[str, Callable[[], Sequence[object]]] = {
        "name": lambda: [layer.name.casefold() for layer in layers],
        "operator": lambda: [layer.operator.casefold() for layer in layers],
        letters[0]: partial(_times, comparison, 0),
        **{letters[side]: partial(_times, comparison, side) for side in sides},
        **{f"{letters[side]} delta": partial(_deltas, comparison, side) for side in sides},
    }

    def row(place: int) -> Row:
        note = "; ".join(_notes(comparison, letters, place))
        own = comparison.blocks[layers[place].block].lead == place
        cells = (*_row(comparison, place).cells, note)
        return Row(cells, Tone.PLAIN if own else Tone.SECONDARY)

    def texts() -> list[str]:
        return [
            f"{units.clip(layer.name, 500)}\n{units.clip(layer.operator, 60)}".casefold()
            for layer in layers
        ]

    def moved_ns(side: int) -> int:
        return sum(abs(block.delta_ns(side) or 0) for block in comparison.blocks)

    most = f"{letters[max(sides, key=moved_ns)]} delta"
    rows = LazyRows(len(layers), row, keys, texts)
    return Table(columns, rows, Limits(), "layer", sorted_by=most)


def shares_time(row: Row) -> bool:
    """Return whether the time of a row includes other layers."""
    name = row.cells[1]
    return isinstance(name, Noted) and isinstance(name.value, Joined)


def _columns(comparison: Comparison, letters: Sequence[str]) -> Iterator[Column]:
    yield Column("index", "#", Side.RIGHT, keep=8, falling=False)
    yield Column("name", "Layer", stretch=True)
    yield Column("operator", "Operator", keep=2)
    for side, letter in enumerate(letters):
        report = {"report": Name(comparison.names[side])}
        about = Sentence("Time per run in {report}; fused layers share one time", **report)
        yield Column(letter, letter, Side.RIGHT, keep=5, help=about)
        if side:
            net_ns = sum(block.delta_ns(side) or 0 for block in comparison.blocks)
            faster = False if net_ns < 0 else None  # what became faster comes first
            yield Column(
                f"{letter} delta", f"{letter} − {letters[0]}", Side.RIGHT, falling=faster
            )
            yield Column(f"{letter} change", "Change", Side.RIGHT, keep=1)
            yield Column(f"{letter} verdict", "Verdict", keep=4,
                         help="By a rank test with a 5% false discovery rate")  # fmt: skip


def _row(comparison: Comparison, place: int) -> Row:
    cells = comparison.layers[place].cells
    index = next(cell.index for cell in cells if cell is not None)
    return Row((Count(index), *_cells(comparison, place)), number=index)


def _cells(comparison: Comparison, place: int) -> Iterator[Value]:
    layer, clock = comparison.layers[place], comparison.clock_ns
    block = comparison.blocks[layer.block]
    own = block.lead == place
    others = len(block.rows) - 1 if own else 0
    name: Value = Name(layer.name)
    if others:
        name = Noted(Joined((name, f"(+{others})"), " "), _shared(comparison, block))
    elif layer.how:
        name = Noted(name, Sentence("Matched by {how}", layer.how))
    yield name
    yield Name(layer.operator)
    yield _time(block.time_ns[0] if own else None, clock)
    for side in range(1, len(layer.cells)):
        if not own:
            yield from ("", "", "", "")
            continue
        change = block.changes[side]
        yield _time(block.time_ns[side], clock)
        yield from _change(block, side, clock)
        tone = _TONES.get(change)
        yield change.label if tone is None else Toned(change.label, tone)


def _change(block: Block, side: int, clock_ns: int) -> tuple[Value, Value]:
    """Return the difference, and as a share where the clock resolves both times."""
    delta, ratio, change = block.delta_ns(side), block.ratio(side), block.changes[side]
    if delta is None:
        return "", ""
    if delta and change is LayerChange.RESOLUTION:
        return BELOW_RESOLUTION, ""
    tone = _TONES.get(change, Tone.PLAIN)
    resolved = min(block.time_ns[0] or 0, block.time_ns[side] or 0) >= clock_ns
    share = Toned(Change(ratio), tone) if ratio is not None and resolved else ""
    return Noted(Toned(Duration(delta, signed=True), tone), change.label), share


def _shared(comparison: Comparison, block: Block) -> Sentence:
    names = [Name(comparison.layers[place].name) for place in block.rows]
    return Sentence("Time includes these layers: {layers}", Joined((*names[:_NAMED],)))


def _notes(comparison: Comparison, letters: Sequence[str], place: int) -> Iterator[str]:
    """Yield where a layer went, came from, or what its time is part of."""
    layer = comparison.layers[place]
    for side in range(1, len(layer.cells)):
        first, other, letter = layer.cells[0], layer.cells[side], letters[side]
        if first is None and other is not None:
            yield f"added in {letter}"
        elif other is None and first is not None:
            yield f"removed in {letter}"
        elif first is not None and other is not None and layer.moved_in(side):
            ran = [units.device(cell.ran_on or "") for cell in (first, other)]
            yield f"{letter}: {' → '.join(ran)}"
    block = comparison.blocks[layer.block]
    if block.lead != place:
        yield f"time counted in {units.clip(comparison.layers[block.lead].name, 60)}"
    elif len(block.rows) > 1:
        yield f"time includes {units.plural(len(block.rows) - 1, 'other layer')}"


def _times(comparison: Comparison, side: int) -> list[float]:
    return _by_lead(comparison, [block.time_ns[side] for block in comparison.blocks])


def _deltas(comparison: Comparison, side: int) -> list[float]:
    return _by_lead(comparison, [block.delta_ns(side) for block in comparison.blocks])


def _by_lead(comparison: Comparison, values: Sequence[int | None]) -> list[float]:
    """Return the value of each block for the layer that stands for it; nan for others."""
    result = [nan] * len(comparison.layers)
    for block, value in zip(comparison.blocks, values, strict=True):
        if value is not None:
            result[block.lead] = float(value)
    return result


def _time(time_ns: int | None, clock_ns: int) -> Value:
    return "" if time_ns is None else Duration(time_ns, clock_ns)
