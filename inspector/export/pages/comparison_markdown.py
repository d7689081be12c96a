"""A comparison as Markdown for a pull request: verdict, conditions, what changed."""

from collections import Counter
from collections.abc import Iterator, Sequence

from inspector import units
from inspector.compare.ci_conditions import Finding, Outcome
from inspector.compare.comparison import Comparison, Metric, verdict_text
from inspector.compare.layer_changes import BELOW_RESOLUTION, Block, Change
from inspector.export.pages.markdown import code, table
from inspector.statistics.significance import Verdict

MOST_LAYERS = 10
_MARKS = {
    Outcome.HOLDS: "✗ met",
    Outcome.FAILS: "✓ not met",
    Outcome.UNDECIDED: "? inconclusive",
}

_SIGNS = {
    Verdict.SAME: "≈",
    Verdict.SLOWER: "▲",
    Verdict.FASTER: "▼",
    Verdict.UNDECIDED: "",
    Verdict.PACE: "?",
    Verdict.NOISY: "?",
}
_CHANGES = {
    Change.SAME: "≈",
    Change.SLOWER: "▲",
    Change.FASTER: "▼",
    Change.UNDECIDED: "",
    Change.PACE: "?",
    Change.NOISY: "?",
    Change.RESOLUTION: "?",
    Change.NONE: "",
}


def comparison_summary(found: Comparison, findings: Sequence[Finding] = ()) -> bytes:
    """Verdicts, conditions, metrics, layers and settings; GitHub's flavour, UTF-8."""
    return "\n".join([*_lines(found, findings), ""]).encode("utf-8", "backslashreplace")


def _lines(found: Comparison, findings: Sequence[Finding]) -> Iterator[str]:
    yield f"### Performance against {code(found.names[0])}"
    yield ""
    for name, judgement in zip(found.names[1:], found.judgements[1:], strict=True):
        yield f"- {code(name)}: **{verdict_text(judgement)}**"
    yield ""
    yield from (f"{line}\n" for line in (found.starts,) if line)
    yield from (f"> {warning}\n" for warning in found.warnings)
    if findings:
        heads = ("Fail if", "Report", "Outcome", "Measured")
        yield from table(heads, "llll", (_finding(finding) for finding in findings))
        yield ""
    columns = ("Metric", *(code(name) for name in found.names))
    sides = "l" + "r" * len(found.names)
    yield from table(columns, sides, (_metric(metric) for metric in found.shown_metrics))
    yield ""
    yield from _layers(found)
    differing = [p for p in found.properties if not p.equal]
    if differing:
        yield from ("<details><summary>Different settings</summary>", "")
        rows = ((p.name, *map(code, p.values)) for p in differing)
        yield from table(("", *columns[1:]), "l" * len(columns), rows)
        yield from ("", "</details>")


def _finding(finding: Finding) -> tuple[str, ...]:
    mark = _MARKS[finding.outcome]
    return code(finding.condition.text), code(finding.name), mark, finding.text


def _metric(metric: Metric) -> list[str]:
    cells = [metric.title]
    for index, value in enumerate(metric.values):
        write = units.duration if metric.unit == "ns" else units.size
        ratio, delta = (metric.change(index), metric.delta(index)) if index else (None, None)
        judged = metric.judgements[index] if index < len(metric.judgements) else None
        change = ""
        if ratio is not None and delta is not None:
            told = f"{units.signed(delta, write)}, {units.change(ratio)}"
            change = f" ({told})" if delta else ""
        if index and judged is not None:
            change += f" {_SIGNS[judged.verdict]}"
        cells.append("n/a" if value is None else write(value) + change)
    return cells


def _layers(found: Comparison) -> Iterator[str]:
    sides = range(1, len(found.names))

    def change(block: Block) -> int:
        return max((abs(block.delta_ns(side) or 0) for side in sides), default=0)

    changed = sorted(filter(change, found.blocks), key=change, reverse=True)[:MOST_LAYERS]
    if changed:
        heads = (
            "Layers by change in time",
            "Operator",
            *(code(name) for name in found.names),
        )
        rows = (_block(found, block) for block in changed)
        yield from table(heads, "ll" + "r" * len(found.names), rows)
        yield ""
        yield "≈ within noise, ▲ slower, ▼ faster, ? inconclusive; without a sign too few"
        yield "predictions. +N: layers that share its time in one of the reports, or bring"
        yield "values into its type."
        yield ""
    moved = [layer for layer in found.layers if layer.moved]
    for layer in moved[:MOST_LAYERS]:
        cells = layer.cells
        where = " → ".join(code(c.ran_on or str(c.status)) if c else "absent" for c in cells)
        yield f"- {code(layer.name)} moved to another device: {where}"
    if len(moved) > MOST_LAYERS:
        yield f"- and {units.plural(len(moved) - MOST_LAYERS, 'more layer')} moved"
    for side in sides:
        if found.different_networks[side]:
            continue
        yield from _came_and_went(found, side)
        yield from _types(found, side)


def _block(found: Comparison, block: Block) -> list[str]:
    lead = found.layers[block.lead]
    more = f" +{len(block.rows) - 1}" if len(block.rows) > 1 else ""
    cells = [code(lead.name) + more, code(lead.operator)]
    for side, time in enumerate(block.time_ns):
        text = "" if time is None else units.duration(time)
        delta = block.delta_ns(side) if side else None
        if delta is not None:
            small = block.changes[side] is Change.RESOLUTION
            change = BELOW_RESOLUTION if small else units.signed(delta, units.duration)
            text += f" ({change})" if delta else ""
            text += f" {_CHANGES[block.changes[side]]}"
        cells.append(text.strip())
    return cells


def _came_and_went(found: Comparison, side: int) -> Iterator[str]:
    lists = found.lists[side]
    for word, places in (("new", lists.new), ("gone", lists.gone)):
        if places:
            kinds = Counter(found.layers[place].operator for place in places).most_common(4)
            told = ", ".join(f"{count} × {code(name)}" for name, count in kinds)
            rest = ", …" if len({found.layers[p].operator for p in places}) > len(kinds) else ""
            name, took = code(found.names[side]), _took(found, places, side)
            yield f"- {name}: {units.plural(len(places), 'layer')} {word} ({told}{rest}){took}"


def _took(found: Comparison, places: Sequence[int], side: int) -> str:
    """The time of layers that one side lacks, where it is their own: of no other's block."""
    alone = (found.blocks[found.layers[place].block] for place in places)
    times = {
        block.lead: block.time_ns[side] or block.time_ns[0] or 0
        for block in alone
        if None in (block.time_ns[0], block.time_ns[side])
    }
    whole = sum(times.values())
    return f", {units.duration(whole)}" if whole else ""


def _types(found: Comparison, side: int) -> Iterator[str]:
    one = found.transitions[side]
    pairs = [
        f"{count} × {code(first)} → {code(other)}"
        for first, counts in zip(one.first, one.counts, strict=True)
        for other, count in zip(one.other, counts, strict=True)
        if count and first != other
    ]
    if pairs:
        yield (
            f"- {code(found.names[side])}: layers with another compute type: "
            + ", ".join(pairs)
        )
    yield ""
