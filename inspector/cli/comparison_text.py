"""A comparison in lines of text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units

if TYPE_CHECKING:
    from inspector.compare import AlignedLayer, Cell, Comparison, Metric
    from inspector.judge import Judgement

MOST_LAYERS = 12
_NAME = 44


def lines(found: "Comparison", paths: Sequence[Path]) -> Iterator[str]:
    """Verdicts, metrics, settings and layers as text; the files go by letters."""
    letters = [chr(ord("A") + i) if i < 26 else str(i + 1) for i in range(len(paths))]
    models = next(p.values for p in found.properties if p.name == "Model")
    files = [
        [letter, units.clip(str(path)), model]
        for letter, path, model in zip(letters, paths, models, strict=True)
    ]
    yield from table(files, "lll")
    yield from (f"Careful: {warning}" for warning in found.warnings)
    yield ""
    heads = ["", letters[0], *(cell for letter in letters[1:] for cell in (letter, ""))]
    sides = "lr" + "rr" * (len(letters) - 1)
    yield from table([heads, *(_metric_row(metric) for metric in found.metrics)], sides)
    yield ""
    for letter, judgement in zip(letters[1:], found.judgements[1:], strict=True):
        yield f"{letter}: {_verdict(judgement)}"
    differing = [p for p in found.properties if not p.equal and p.group != "model"]
    if differing:
        yield from ("", "Set differently")
        yield from table(
            [["", *letters], *([p.name, *p.values] for p in differing)],
            "l" * (1 + len(letters)),
        )
    yield from _layer_lines(found, letters)


def _metric_row(metric: "Metric") -> list[str]:
    cells = [metric.name]
    for index, value in enumerate(metric.values):
        cells.append(_amount(value, metric.unit))
        if index:
            cells.append(_change(metric.ratio(index)))
    return cells


def _amount(value: int | None, unit: str) -> str:
    if value is None:
        return "n/a"
    return units.duration(value) if unit == "ns" else units.size(value)


def _change(ratio: float | None) -> str:
    if ratio is None:
        return ""
    if ratio == 1:
        return "="
    return f"×{ratio:.3g}" if ratio >= 2 else f"{100 * (ratio - 1):+.1f} %"


def _verdict(judgement: "Judgement") -> str:
    text = judgement.verdict.value
    if text in ("faster", "slower"):
        text = f"{abs(100 * (judgement.ratio - 1)):.1f} % {text} than A"
    if judgement.low is None or judgement.high is None:
        return text
    low, high = (f"{100 * (edge - 1):+.1f} %" for edge in (judgement.low, judgement.high))
    return f"{text} (95 % interval {low} to {high})"


def _layer_lines(found: "Comparison", letters: Sequence[str]) -> Iterator[str]:
    sides = range(1, len(letters))
    changed = [
        layer
        for layer in found.layers
        if any(layer.delta_ns(side) is not None for side in sides)
    ]
    changed.sort(key=lambda layer: -max(abs(layer.delta_ns(side) or 0) for side in sides))
    if changed:
        yield from ("", f"Layers, most changed first ({len(changed):,} have a time in both)")
        heads = ["#", "layer", "operator", letters[0]]
        heads += [cell for letter in letters[1:] for cell in (letter, "")]
        rows = [_layer_row(layer, sides) for layer in changed[:MOST_LAYERS]]
        yield from table([heads, *rows], "rllr" + "rr" * len(sides))
        if any(cell.endswith("*") for row in rows for cell in row):
            yield "  * also the time of layers that were fused into it"
    moved = [layer for layer in found.layers if layer.moved]
    if moved:
        yield from ("", f"Moved to another device ({len(moved):,})")
        yield from table([_moved_row(layer) for layer in moved[:MOST_LAYERS]], "ll")
    for side, letter in enumerate(letters):
        missing = sum(layer.cells[side] is None for layer in found.layers)
        if missing:
            yield from ("", f"{letter} lacks {units.plural(missing, 'layer')} of the others.")


def _layer_row(layer: "AlignedLayer", sides: range) -> list[str]:
    known = next(cell for cell in layer.cells if cell is not None)
    unlike = len({cell.holds for cell in layer.cells if cell is not None}) > 1
    cells = [str(known.index), _short(layer.name), units.clip(layer.operator, 24)]
    cells.append(_time(layer.cells[0], unlike))
    for side in sides:
        delta = layer.delta_ns(side)
        change = "" if delta is None else f"{delta / 1e6:+.3f} ms"
        cells += [_time(layer.cells[side], unlike), change]
    return cells


def _time(cell: "Cell | None", unlike: bool) -> str:
    if cell is None or cell.time_ns is None:
        return "" if cell is None else cell.status.value
    return units.milliseconds(cell.time_ns) + (" *" if unlike and cell.holds > 1 else "")


def _moved_row(layer: "AlignedLayer") -> list[str]:
    where = [cell.ran_on or cell.status.value if cell else "absent" for cell in layer.cells]
    return [_short(layer.name), " → ".join(where)]


def _short(name: str) -> str:
    """The end of a name, which tells layers of one scope apart."""
    shown = units.clip(name)
    return shown if len(shown) <= _NAME else f"…{shown[1 - _NAME :]}"


def table(rows: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """Lines of aligned columns; `sides` has an l or r for each."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, sides, strict=False)
        )
        yield ("  " + "  ".join(cells)).rstrip()
