"""The layers of a comparison in lines of text: changes, what came and went, types."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector import units

if TYPE_CHECKING:
    from inspector.compare import AlignedLayer, Comparison
    from inspector.layer_changes import Block, Transitions

MOST_LAYERS = 12
_NAME = 44


def layer_lines(found: "Comparison", letters: Sequence[str]) -> Iterator[str]:
    """Blocks that changed most, then what moved, is new or gone, and the types."""
    sides = range(1, len(letters))
    yield from _changed(found, letters)
    for side in sides:
        if found.different_networks[side]:
            continue
        lists, letter = found.lists[side], letters[side]
        yield from _listed(
            f"Moved in {letter} to another device",
            [_moved(found.layers[place], side) for place in lists.moved],
        )
        yield from _listed(
            f"New in {letter}", [_with_home(found, place, side) for place in lists.new]
        )
        yield from _listed(
            f"Gone in {letter}", [_with_home(found, place, 0) for place in lists.gone]
        )
        yield from _types(found.transitions[side], letters[0], letter)


def _changed(found: "Comparison", letters: Sequence[str]) -> Iterator[str]:
    sides = range(1, len(letters))
    known = [
        block
        for block in found.blocks
        if any(block.delta_ns(side) is not None for side in sides)
    ]
    known.sort(key=lambda block: -max(abs(block.delta_ns(side) or 0) for side in sides))
    if not known:
        return
    told = ", ".join(
        f"{letter}: {len(found.lists[side].slower):,} slower, "
        f"{len(found.lists[side].faster):,} faster"
        for side, letter in zip(sides, letters[1:], strict=True)
    )
    yield from ("", f"Layers, most changed first ({len(known):,} have a time in both; {told})")
    heads = ["#", "layer", "operator", letters[0]]
    heads += [cell for letter in letters[1:] for cell in (letter, "", "")]
    rows = [_row(found, block, sides) for block in known[:MOST_LAYERS]]
    yield from table([heads, *rows], "rllr" + "rrl" * len(sides))
    if len(known) > MOST_LAYERS:
        yield f"  and {units.plural(len(known) - MOST_LAYERS, 'more layer')}; --json has all"
    if any(row[1].endswith(")") for row in rows):
        yield "  (+N) with N layers that share its time in one of the reports, or serve it"


def _row(found: "Comparison", block: "Block", sides: range) -> list[str]:
    lead = found.layers[block.lead]
    index = next(cell.index for cell in lead.cells if cell is not None)
    more = f" (+{len(block.rows) - 1})" if len(block.rows) > 1 else ""
    cells = [str(index), short(lead.name, len(more)) + more, units.clip(lead.operator, 24)]
    cells.append(_time(block.time_ns[0]))
    for side in sides:
        delta = block.delta_ns(side)
        change = "" if delta is None else units.signed(delta, units.duration)
        cells += [_time(block.time_ns[side]), change, block.changes[side].value]
    return cells


def _time(time_ns: int | None) -> str:
    return "" if time_ns is None else units.duration(time_ns)


def _moved(layer: "AlignedLayer", side: int) -> list[str]:
    one, other = layer.cells[0], layer.cells[side]
    places = (cell.ran_on or "" for cell in (one, other) if cell is not None)
    return [short(layer.name), units.clip(layer.operator, 24), " → ".join(places)]


def _with_home(found: "Comparison", place: int, side: int) -> list[str]:
    """A layer that the other report lacks, with its time or the one that it is counted to."""
    layer = found.layers[place]
    block = found.blocks[layer.block]
    cell = layer.cells[side]
    home = cell.serves if cell and cell.serves is not None else block.lead
    where = _time(cell.time_ns) if cell else ""
    if home != place:
        where = f"counted to {short(found.layers[home].name)}"
    return [short(layer.name), units.clip(layer.operator, 24), where]


def _listed(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from ("", f"{title} ({len(rows):,})")
        yield from table(rows[:MOST_LAYERS], "lll")
        if len(rows) > MOST_LAYERS:
            yield f"  and {len(rows) - MOST_LAYERS:,} more"


def _types(found: "Transitions", first: str, letter: str) -> Iterator[str]:
    if not found.counts or (found.first == found.other and len(found.first) == 1):
        return
    yield from ("", f"Layers by the type they computed in: {first} down, {letter} across")
    rows = [
        [name, *(f"{count:,}" if count else "" for count in counts)]
        for name, counts in zip(found.first, found.counts, strict=True)
    ]
    yield from table([["", *found.other], *rows], "l" + "r" * len(found.other))


def short(name: str, less: int = 0) -> str:
    """The end of a name, which tells layers of one scope apart."""
    shown, most = units.clip(name), _NAME - less
    return shown if len(shown) <= most else f"…{shown[1 - most :]}"


def table(rows: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """Lines of aligned columns; `sides` has an l or r for each."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, sides, strict=False)
        )
        yield ("  " + "  ".join(cells)).rstrip()
