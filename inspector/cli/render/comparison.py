"""A comparison of reports as text for a terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from inspector import units
from inspector.model.display_names import fit_line

if TYPE_CHECKING:
    from inspector.comparison.comparison import AlignedLayer, Comparison, Metric
    from inspector.comparison.layer_changes import Block, Transitions


MOST_LAYERS = 12
_NAME = 44


def layer_lines(comparison: "Comparison", letters: Sequence[str]) -> Iterator[str]:
    """Yield the blocks that changed most, layers moved, added or removed, and data types."""
    sides = range(1, len(letters))
    yield from _changed(comparison, letters)
    for side in sides:
        if comparison.different_networks[side]:
            continue
        lists, letter = comparison.lists[side], letters[side]
        yield from _listed(
            f"Ran on a different device in {letter}",
            [_moved(comparison.layers[place], side) for place in lists.moved],
        )
        yield from _listed(
            f"Only in {letter}", [_missing_row(comparison, place, side) for place in lists.new]
        )
        yield from _listed(
            f"Only in {letters[0]}, not in {letter}",
            [_missing_row(comparison, place, 0) for place in lists.gone],
        )
        yield from _types(comparison.transitions[side], letters[0], letter)


def _changed(comparison: "Comparison", letters: Sequence[str]) -> Iterator[str]:
    sides = range(1, len(letters))
    known = [
        block
        for block in comparison.blocks
        if any(block.delta_ns(side) is not None for side in sides)
    ]
    known.sort(key=lambda block: -max(abs(block.delta_ns(side) or 0) for side in sides))
    if not known:
        return
    text = ", ".join(
        f"{letter}: {len(comparison.lists[side].slower):,} slower, "
        f"{len(comparison.lists[side].faster):,} faster"
        for side, letter in zip(sides, letters[1:], strict=True)
    )
    yield from ("", f"Layers by change in time ({len(known):,} timed in both; {text})")
    heads = ["#", "layer", "operator", letters[0]]
    heads += [cell for letter in letters[1:] for cell in (letter, "", "")]
    rows = [_row(comparison, block, sides) for block in known[:MOST_LAYERS]]
    yield from table([heads, *rows], "rllr" + "rrl" * len(sides))
    if len(known) > MOST_LAYERS:
        yield f"  and {units.plural(len(known) - MOST_LAYERS, 'more layer')}; --json has all"
    if any(row[1].endswith(")") for row in rows):
        yield "  (+N): time includes N fused layers or added casts"


def _row(comparison: "Comparison", block: "Block", sides: range) -> list[str]:
    from inspector.comparison.layer_changes import BELOW_RESOLUTION, Change

    lead = comparison.layers[block.lead]
    index = next(cell.index for cell in lead.cells if cell is not None)
    more = f" (+{len(block.rows) - 1})" if len(block.rows) > 1 else ""
    cells = [str(index), short(lead.name, len(more)) + more, units.clip(lead.operator, 24)]
    cells.append(_time(block.time_ns[0], comparison.clock_ns))
    for side in sides:
        delta = block.delta_ns(side)
        change = "" if delta is None else units.signed(delta, units.duration)
        if delta and block.changes[side] is Change.RESOLUTION:
            change = BELOW_RESOLUTION
        cells += [
            _time(block.time_ns[side], comparison.clock_ns),
            change,
            block.changes[side].label,
        ]
    return cells


def _time(time_ns: int | None, clock_ns: int = 0) -> str:
    return "" if time_ns is None else units.duration(time_ns, clock_ns)


def _moved(layer: "AlignedLayer", side: int) -> list[str]:
    one, other = layer.cells[0], layer.cells[side]
    places = (cell.ran_on or "" for cell in (one, other) if cell is not None)
    return [short(layer.name), units.clip(layer.operator, 24), " → ".join(places)]


def _missing_row(comparison: "Comparison", place: int, side: int) -> list[str]:
    """Return a row for a layer that the other report lacks: its time, or the layer it is fused
    into."""
    layer = comparison.layers[place]
    block = comparison.blocks[layer.block]
    cell = layer.cells[side]
    home = cell.serves if cell and cell.serves is not None else block.lead
    where = _time(cell.time_ns, comparison.clock_ns) if cell else ""
    if home != place:
        where = f"fused into {short(comparison.layers[home].name)}"
    return [short(layer.name), units.clip(layer.operator, 24), where]


def _listed(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from ("", f"{title} ({len(rows):,})")
        yield from table(rows[:MOST_LAYERS], "lll")
        if len(rows) > MOST_LAYERS:
            yield f"  and {len(rows) - MOST_LAYERS:,} more"


def _types(transitions: "Transitions", first: str, letter: str) -> Iterator[str]:
    if not transitions.counts or (
        transitions.first == transitions.other and len(transitions.first) == 1
    ):
        return
    yield from ("", f"Layers by compute type: {first} (rows), {letter} (columns)")
    rows = [
        [name, *(f"{count:,}" if count else "" for count in counts)]
        for name, counts in zip(transitions.first, transitions.counts, strict=True)
    ]
    yield from table([["", *transitions.other], *rows], "l" + "r" * len(transitions.other))


def short(name: str, less: int = 0) -> str:
    """Return a name that fits, keeping the part that distinguishes it."""
    return fit_line(units.clip(name), _NAME - less, len)


def table(rows: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """Yield lines of aligned columns; `sides` has an l (left) or r (right) for each."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, sides, strict=False)
        )
        yield ("  " + "  ".join(cells)).rstrip()


_LINE = 96


def lines(comparison: "Comparison", paths: Sequence[Path]) -> Iterator[str]:
    """Yield verdicts, metrics, settings and layers; files are named by letters."""
    from inspector.comparison.comparison import NO_SIZES

    letters = [chr(ord("A") + i) if i < 26 else str(i + 1) for i in range(len(paths))]
    models = next(p.values for p in comparison.properties if p.name == "Model")
    files = [
        [letter, units.clip(str(path)), model]
        for letter, path, model in zip(letters, paths, models, strict=True)
    ]
    yield from table(files, "lll")
    yield from (f"warning: {warning}" for warning in comparison.warnings)
    yield ""
    heads = [
        "",
        letters[0],
        *(
            cell
            for letter in letters[1:]
            for cell in (letter, f"{letter} − {letters[0]}", "change", "verdict")
        ),
    ]
    sides = "lr" + "rrrl" * (len(letters) - 1)
    yield from table(
        [heads, *(_metric_row(metric) for metric in comparison.shown_metrics)], sides
    )
    yield ""
    for letter, judgement in zip(letters[1:], comparison.judgements[1:], strict=True):
        yield f"{letter}: {judgement.text(' than A')}"
    yield from wrapped_text(comparison.starts)
    settings = [p for p in comparison.properties if p.group != "model"]
    unset = ("none", NO_SIZES)
    same = [f"{p.name} {p.values[0]}" for p in settings if p.equal and p.values[0] not in unset]
    if same:
        yield from ("", "Same settings", *wrapped(same))
    differing = [p for p in settings if not p.equal]
    if differing:
        yield from ("", "Different settings")
        yield from table(
            [["", *letters], *([p.name, *p.values] for p in differing)],
            "l" * (1 + len(letters)),
        )
    yield from layer_lines(comparison, letters)


def wrapped(parts: Sequence[str]) -> Iterator[str]:
    """Yield parts joined by semicolons, in lines that fit a terminal."""
    line = ""
    for part in parts:
        if line and len(line) + len(part) > _LINE:
            yield f"  {line}"
            line = ""
        line += f"; {part}" if line else part
    if line:
        yield f"  {line}"


def wrapped_text(text: str) -> Iterator[str]:
    """Yield a sentence in lines that fit a terminal."""
    yield from (f"  {line}" for line in wrap(text, _LINE))


def _metric_row(metric: "Metric") -> list[str]:
    cells = [metric.title, _amount(metric.values[0], metric.unit)]
    for index, value in list(enumerate(metric.values))[1:]:
        delta, judgement = metric.delta(index), next(iter(metric.judgements[index:]), None)
        cells.append(_amount(value, metric.unit))
        write = units.duration if metric.unit == "ns" else units.size
        cells.append("" if not delta else units.signed(delta, write))
        cells.append(_change(metric.ratio(index)))
        cells.append(judgement.label if judgement else metric.not_tested)
    return cells


def _amount(value: int | None, unit: str) -> str:
    if value is None:
        return "n/a"
    return units.duration(value) if unit == "ns" else units.size(value)


def _change(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return "=" if ratio == 1 else units.change(ratio)
