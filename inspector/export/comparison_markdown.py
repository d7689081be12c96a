"""A comparison as Markdown for a pull request: verdict, conditions, what changed."""

from collections.abc import Iterator, Sequence

from inspector import units
from inspector.compare import AlignedLayer, Comparison, Metric
from inspector.conditions import Finding, Outcome
from inspector.export.markdown_text import code, table
from inspector.judge import Judgement

MOST_LAYERS = 10
_MARKS = {
    Outcome.HOLDS: "✗ holds",
    Outcome.FAILS: "✓ does not",
    Outcome.UNDECIDED: "? undecided",
}


def comparison_summary(found: Comparison, findings: Sequence[Finding] = ()) -> bytes:
    """Verdicts, conditions, metrics, layers and settings; GitHub's flavour, UTF-8."""
    return "\n".join([*_lines(found, findings), ""]).encode("utf-8", "backslashreplace")


def _lines(found: Comparison, findings: Sequence[Finding]) -> Iterator[str]:
    yield f"### Performance against {code(found.names[0])}"
    yield ""
    for name, judgement in zip(found.names[1:], found.judgements[1:], strict=True):
        yield f"- {code(name)}: **{verdict(judgement)}**"
    yield ""
    yield from (f"> {warning}\n" for warning in found.warnings)
    if findings:
        heads = ("Fails if", "Report", "", "Found")
        yield from table(heads, "llll", (_finding(finding) for finding in findings))
        yield ""
    columns = ("Metric", *(code(name) for name in found.names))
    sides = "l" + "r" * len(found.names)
    yield from table(columns, sides, (_metric(metric) for metric in found.metrics))
    yield ""
    yield from _layers(found)
    differing = [p for p in found.properties if not p.equal]
    if differing:
        yield from ("<details><summary>Set differently</summary>", "")
        rows = ((p.name, *map(code, p.values)) for p in differing)
        yield from table(("", *columns[1:]), "l" * len(columns), rows)
        yield from ("", "</details>")


def verdict(judgement: Judgement) -> str:
    """A judgement in words, with its interval where there is one."""
    text = judgement.verdict.value
    if text in ("faster", "slower"):
        text = f"{abs(100 * (judgement.ratio - 1)):.1f} % {text}"
    if judgement.low is None or judgement.high is None:
        return text
    low, high = (f"{100 * (edge - 1):+.1f} %" for edge in (judgement.low, judgement.high))
    return f"{text} (95 % interval {low} to {high})"


def _finding(finding: Finding) -> tuple[str, ...]:
    mark = _MARKS[finding.outcome]
    return code(finding.condition.text), code(finding.name), mark, finding.words


def _metric(metric: Metric) -> list[str]:
    cells = [metric.name]
    for index, value in enumerate(metric.values):
        write = units.duration if metric.unit == "ns" else units.size
        ratio = metric.ratio(index) if index else None
        change = "" if ratio is None else f" ({100 * (ratio - 1):+.1f} %)"
        cells.append("n/a" if value is None else write(value) + change)
    return cells


def _layers(found: Comparison) -> Iterator[str]:
    sides = range(1, len(found.names))

    def change(layer: AlignedLayer) -> int:
        return max((abs(layer.delta_ns(side) or 0) for side in sides), default=0)

    changed = sorted(filter(change, found.layers), key=change, reverse=True)[:MOST_LAYERS]
    if changed:
        heads = (
            "Layers, most changed first",
            "Operator",
            *(code(name) for name in found.names),
        )
        rows = (_layer(layer) for layer in changed)
        yield from table(heads, "ll" + "r" * len(found.names), rows)
        yield ""
    moved = [layer for layer in found.layers if layer.moved]
    for layer in moved[:MOST_LAYERS]:
        cells = layer.cells
        where = " → ".join(code(c.ran_on or str(c.status)) if c else "absent" for c in cells)
        yield f"- {code(layer.name)} moved: {where}"
    if len(moved) > MOST_LAYERS:
        yield f"- and {units.plural(len(moved) - MOST_LAYERS, 'layer')} more moved"
    if moved:
        yield ""


def _layer(layer: AlignedLayer) -> list[str]:
    cells = [code(layer.name), code(layer.operator)]
    for index, cell in enumerate(layer.cells):
        time = "" if cell is None or cell.time_ns is None else units.milliseconds(cell.time_ns)
        delta = layer.delta_ns(index) if index else None
        cells.append(time + ("" if delta is None else f" ({delta / 1e6:+.3f})"))
    return cells
