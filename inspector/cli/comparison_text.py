"""A comparison in lines of text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from inspector import units
from inspector.cli.comparison_layers import layer_lines, table

if TYPE_CHECKING:
    from inspector.compare import Comparison, Metric

_LINE = 96


def lines(found: "Comparison", paths: Sequence[Path]) -> Iterator[str]:
    """Verdicts, metrics, settings and layers as text; the files go by letters."""
    from inspector.compare import verdict_text

    letters = [chr(ord("A") + i) if i < 26 else str(i + 1) for i in range(len(paths))]
    models = next(p.values for p in found.properties if p.name == "Model")
    files = [
        [letter, units.clip(str(path)), model]
        for letter, path, model in zip(letters, paths, models, strict=True)
    ]
    yield from table(files, "lll")
    yield from (f"Careful: {warning}" for warning in found.warnings)
    yield ""
    heads = ["", letters[0], *(cell for letter in letters[1:] for cell in (letter, "", "", ""))]
    sides = "lr" + "rrrl" * (len(letters) - 1)
    yield from table([heads, *(_metric_row(metric) for metric in found.shown_metrics)], sides)
    yield ""
    for letter, judgement in zip(letters[1:], found.judgements[1:], strict=True):
        yield f"{letter}: {verdict_text(judgement, ' than A')}"
    yield from wrapped_words(found.starts)
    settings = [p for p in found.properties if p.group != "model"]
    same = [f"{p.name} {p.values[0]}" for p in settings if p.equal and p.values[0] != "none"]
    if same:
        yield from ("", "Set alike", *wrapped(same))
    differing = [p for p in settings if not p.equal]
    if differing:
        yield from ("", "Set differently")
        yield from table(
            [["", *letters], *([p.name, *p.values] for p in differing)],
            "l" * (1 + len(letters)),
        )
    yield from layer_lines(found, letters)


def wrapped(parts: Sequence[str]) -> Iterator[str]:
    """Parts one after the other, in lines that fit a terminal."""
    line = ""
    for part in parts:
        if line and len(line) + len(part) > _LINE:
            yield f"  {line}"
            line = ""
        line += f"; {part}" if line else part
    if line:
        yield f"  {line}"


def wrapped_words(text: str) -> Iterator[str]:
    """A sentence, in lines that fit a terminal."""
    yield from (f"  {line}" for line in wrap(text, _LINE))


def _metric_row(metric: "Metric") -> list[str]:
    cells = [metric.title, _amount(metric.values[0], metric.unit)]
    for index, value in list(enumerate(metric.values))[1:]:
        delta, judgement = metric.delta(index), next(iter(metric.judgements[index:]), None)
        cells.append(_amount(value, metric.unit))
        write = units.duration if metric.unit == "ns" else units.size
        cells.append("" if not delta else units.signed(delta, write))
        cells.append(_change(metric.change(index)))
        cells.append(judgement.verdict.value if judgement else "")
    return cells


def _amount(value: int | None, unit: str) -> str:
    if value is None:
        return "n/a"
    return units.duration(value) if unit == "ns" else units.size(value)


def _change(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return "=" if ratio == 1 else units.change(ratio)
