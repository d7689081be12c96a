"""The report as Markdown for a pull request: what was measured, and the slowest layers.

A comparison as Markdown for a pull request: verdict, conditions, what changed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.advice.summary import next_steps
from inspector.analysis.advice.summary import summary as report_summary
from inspector.analysis.devices.support_summary import of_report
from inspector.analysis.measured.computed_precision import precision_of
from inspector.analysis.measured.extra_tables import extra_tables
from inspector.analysis.measured.latency import HEADS, latency, rows, spread_text
from inspector.analysis.measured.layer_sum import (
    cautions,
    is_untimed,
    most_important,
    selection_text,
    share_text,
    sum_sentence,
    unranked,
)
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.operator_types import operator_types
from inspector.analysis.measured.partitions import layers_on
from inspector.analysis.measured.phases import (
    MEMORY_KINDS,
    held_phases,
    loading_sentences,
    memory_sentences,
    timed_phases,
)
from inspector.analysis.measured.sample_statistics import sentences
from inspector.comparison.ci_conditions import Finding, Outcome
from inspector.comparison.comparison import Comparison, Metric, properties
from inspector.comparison.layer_changes import BELOW_RESOLUTION, Block, Change
from inspector.export.pages.page_rows import columns_of, reasons_of
from inspector.model.tensors.agreement import summary_text
from inspector.report.report import LayerUse, PerformanceReport
from inspector.statistics.significance import Verdict

# Pieces of Markdown in which texts of a file stay texts.


_LONGEST_NAME = 80
_ACTING = frozenset("\\`*_[]<>|#!&~")


def table(heads: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Lines of a table; `sides` has an l or r for each column."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---:' if side == 'r' else ':---' for side in sides)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def code(text: str, limit: int = _LONGEST_NAME) -> str:
    """A text of a file as a code span, where neither Markdown nor HTML nor @names act."""
    shown = units.clip(text, limit).replace("|", "\\|")
    if not shown.strip():
        return ""
    fence = "`"
    while fence in shown:
        fence += "`"
    room = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{room}{shown}{room}{fence}"


def quoted(text: str) -> str:
    """A sentence in which no sign acts, though it may hold a text of a file."""
    plain = "".join(f"\\{sign}" if sign in _ACTING else sign for sign in units.clip(text))
    # Neither a mention nor a link can be escaped; a space of no width parts them.
    return plain.replace("@", "@\u200b").replace("://", ":\u200b//")


MOST_LAYERS = 10
MOST_TYPES = 12  # in the table of operator types; few models have more that take time


def summary(report: PerformanceReport) -> bytes:
    """Summary, slowest layers, settings and notes; GitHub's flavour, UTF-8."""
    return "\n".join([*_lines(report), ""]).encode("utf-8", "backslashreplace")


def _lines(report: PerformanceReport) -> Iterator[str]:
    yield f"### Performance of {code(report.model.name)}"
    yield ""
    if report.model.description:
        yield from (quoted(report.model.description), "")
    devices = {device.id: device.name for device in report.devices}
    where = " + ".join(code(devices.get(id_, id_)) for id_ in report.spec.devices)
    yield f"{where}, {code(report.environment.runtime_text)}, {report.created}"
    yield ""
    if not report.complete:
        yield from ("**The measurement ended early.**", "")
    yield from table(("Metric", "Value"), "lr", _metrics(report))
    yield ""
    if report.prediction_ns:
        yield from table(("Latency", *HEADS), "lrr", rows(report))
        yield ""
    yield from (f"- {sentence}" for sentence in sentences(report))
    yield ""
    causes = disturbances(report)
    if causes:
        yield from (f"**Noisy:** {' '.join(causes)}", "")
    for name, text in report_summary(report):
        yield from (f"**{quoted(name)}:** {quoted(text)}", "")
    if steps := next_steps(report):
        yield from ("**Next steps:**", "")
        yield from (f"- {_with_code(step)}" for step in steps)
        yield ""
    yield from _advice(report)
    yield from _previewed(report)
    yield from _targets(report)
    yield from _extra_tables(report)
    yield from _phases(report)
    yield from _operator_types(report)
    yield from _slowest(report)
    yield from _support(report)
    yield from ("<details><summary>Settings and machine</summary>", "")
    settings = ((name, code(text)) for _, name, text in properties(report))
    yield from table(("Setting", "Value"), "ll", settings)
    yield from ("", "</details>")
    if report.notes:
        yield from ("", "**Notes**", "")
        yield from (f"- {code(note, 300)}" for note in report.notes)


def _with_code(text: str) -> str:
    """Return a sentence whose commands, between backticks, are code."""
    parts = text.split("`")
    return "".join(code(p, 300) if n % 2 else quoted(p) for n, p in enumerate(parts))


def _targets(report: PerformanceReport) -> Iterator[str]:
    """Yield which kinds of devices run the model, as far as the window knew."""
    targets = report.model_results.targets if report.model_results is not None else ()
    if not targets:
        return
    yield from ("<details><summary>Device support, estimated</summary>", "")
    rows = (
        (code(t.target), code(t.provider), code(t.answer), code(t.count_text)) for t in targets
    )
    yield from table(("Device", "Provider", "Answer", "Layers"), "lllr", rows)
    yield from ("", "</details>", "")


def _previewed(report: PerformanceReport) -> Iterator[str]:
    """Yield what Preview showed; Markdown of most places takes no picture in the text."""
    seen = report.previewed
    if seen is None:
        return
    yield from (f"**Prediction in Preview** of {code(seen.source)}, not part of the timing", "")
    yield from table(("Class", "Share"), "lr", ((code(n), share) for n, share in seen.answers))
    yield ""
    if seen.caution:
        yield from (f"**Caution:** {quoted(seen.caution)}", "")


def _metrics(report: PerformanceReport) -> Iterator[tuple[str, str]]:
    if report.prediction_ns:
        yield from _predictions(report)
    if report.outputs:
        wrong = any(output.over for output in report.outputs)
        yield "Outputs", f"{'**WRONG**, ' if wrong else ''}{code(summary_text(report.outputs))}"
    yield "Load", units.duration(report.load_ns)
    yield "First run", units.duration(report.first_prediction_ns)
    yield "Peak model memory", units.size(report.memory.model_bytes)
    yield "Peak process memory", units.size(report.memory.peak_bytes)
    for device in report.devices:
        share = share_text(report, device.id)
        time = share if is_untimed(report, device.id) else f"{share} of kernel time"
        yield (
            f"Ran on {code(device.name)}",
            f"{units.plural(layers_on(report, device.id), 'layer')}, {time}",
        )
    for device in report.predicted:
        yield f"Estimated for {code(device.name)}", of_report(report, device).summary
    if report.inserted:
        time = units.share(sum(node.time_ns for node in report.inserted), report.kernel_ns)
        count = units.plural(len(report.inserted), "node")
        yield "Added by the runtime", f"{count}, {time} of kernel time"


def _extra_tables(report: PerformanceReport) -> Iterator[str]:
    """Yield the tables of several sessions and asynchronous calls."""
    for extra in extra_tables(report):
        yield from (f"**{extra.title}**, {extra.about}", "")
        yield from table(extra.heads, "l" + "r" * (len(extra.heads) - 1), extra.rows)
        for sentence in extra.sentences:
            yield from ("", sentence)
        yield ""


def _phases(report: PerformanceReport) -> Iterator[str]:
    yield from ("<details><summary>Load and memory by phase</summary>", "")
    phases = timed_phases(report)
    grown = any(phase.grown_text for phase in phases)
    times = (
        (
            ("of which " if phase.inside else "") + code(phase.name),
            units.duration(phase.duration_ns),
            *((phase.grown_text,) * grown),
        )
        for phase in phases
    )
    yield from table(("Phase", "Time", *(("Memory",) * grown)), "lr" + "r" * grown, times)
    yield ""
    memory = (
        (phase.name, units.size(phase.resident_bytes), _peak(phase.peak_bytes))
        for phase in held_phases(report.memory)
    )
    yield from table(("Memory", "RSS", "Peak so far"), "lrr", memory)
    for sentence in (
        *loading_sentences(report),
        *memory_sentences(report.memory, report.model.size_bytes),
        MEMORY_KINDS,
    ):
        yield from ("", sentence)
    yield from ("", "</details>", "")


def _peak(size_bytes: int | None) -> str:
    return "" if size_bytes is None else units.size(size_bytes)


def _advice(report: PerformanceReport) -> Iterator[str]:
    suggestions = advice(report)
    if suggestions:
        yield from ("**Suggestions**", "")
    for one in suggestions:
        layers = ", ".join(map(str, one.layers[:MOST_LAYERS]))
        where = (
            f" {'Layer' if len(one.layers) == 1 else 'Layers'} {layers}"
            f"{', …' if len(one.layers) > MOST_LAYERS else ''}."
            if layers
            else ""
        )
        yield f"- {quoted(one.sentence)}{where} *{quoted(one.gain)}* {quoted(one.check)}"
    if suggestions:
        yield ""


def _predictions(report: PerformanceReport) -> Iterator[tuple[str, str]]:
    latencies = latency(report)
    if latencies is None:
        return
    label = latencies.headline_label
    spread = spread_text(latencies.headline)
    value = f"**{units.duration(latencies.headline.p50_ns)}**"
    yield f"Latency, {label}", f"{value} ({spread})" if spread else value
    value, label = latencies.tail
    yield f"Latency, {label}", value


def _slowest(report: PerformanceReport) -> Iterator[str]:
    timed = [layer for layer in report.layers if layer.time_ns]
    if not timed:
        return
    shown = [layer for layer in most_important(report, MOST_LAYERS) if layer.time_ns]
    longest = max(layer.time_ns or 0 for layer in shown)
    spread = any(layer.spread is not None for layer in shown)
    for sentence in cautions(report):
        yield from (f"**{sentence}**", "")
    time = report.profiling.time_title if spread else "Time"
    heads = ("#", "Layer", "Operator", "Ran on", "Precision", time, "% of kernel time")
    rows = (_row(layer, report, longest, spread) for layer in shown)
    yield from table((*heads, *(("Min to max",) * spread)), "rllllrr" + "r" * spread, rows)
    yield ""
    if spread:
        yield f"{selection_text(report)}."
    if len(timed) > len(shown):
        few = f"{len(shown)} {'first' if unranked(report) else 'slowest'}"
        order = ", in model order" if unranked(report) else ""
        yield f"The {few} of {units.plural(len(timed), 'timed layer')}{order}."
    yield ""
    added_up = sum_sentence(report)
    if added_up:
        yield from (f"{added_up[0].upper()}{added_up[1:]}.", "")


def _operator_types(report: PerformanceReport) -> Iterator[str]:
    """Yield the operator types with most time, with what devices support of them."""
    types = operator_types(report)
    if not any(one.time_ns for one in types):
        return
    devices = columns_of(report)
    yield from ("<details><summary>Operator types</summary>", "")
    heads = ("Operator type", "Layers", report.profiling.sum_title, "% of kernel time")
    supported = (f"Supported on {code(device.name)}" for device in devices)
    rows = (
        (
            code(one.operator),
            f"{one.layers:,}",
            one.time_text,
            "" if one.time_ns is None else units.share(one.time_ns, report.kernel_ns),
            *(one.support_text(device.id) for device in devices),
        )
        for one in types[:MOST_TYPES]
    )
    yield from table((*heads, *supported), "lrrr" + "l" * len(devices), rows)
    if len(types) > MOST_TYPES:
        yield from ("", f"The first {MOST_TYPES} of {len(types)} types.")
    yield from ("", "</details>", "")


def _support(report: PerformanceReport) -> Iterator[str]:
    """Yield a table of the reasons why layers ran where they did."""
    reasons = reasons_of(report, columns_of(report))
    if not reasons:
        return
    yield from ("<details><summary>Device support</summary>", "")
    rows = (
        (code(one.unit), one.mark.words, code(one.text, 300), str(one.layers))
        for one in reasons
    )
    yield from table(("Device", "Support", "Reason", "Layers"), "lllr", rows)
    yield from ("", "</details>", "")


def _row(
    layer: LayerUse, report: PerformanceReport, most_ns: int, spread: bool
) -> tuple[str, ...]:
    time = layer.time_ns or 0
    name = code(layer.name) if layer.name else "unnamed"
    ran_on = code(layer.ran_on or "")
    share = units.share(time, report.kernel_ns)
    return (
        str(layer.index),
        name,
        code(layer.operator),
        ran_on,
        code(precision_of(layer, report.layers)),
        units.duration(time, report.profiling.clock_ns),
        share,
        *((_spread_text(layer, report.profiling.clock_ns),) * spread),
    )


def _spread_text(layer: LayerUse, clock_ns: int) -> str:
    if layer.spread is None:
        return ""
    text = units.durations(layer.spread.min_ns, layer.spread.max_ns, clock_ns)
    return f"{text} (noisy)" if layer.noisy else text


_MARKS = {
    Outcome.HOLDS: "✗ FAIL",
    Outcome.FAILS: "✓ pass",
    Outcome.UNDECIDED: "? inconclusive",
}

_SIGNS = {
    Verdict.SAME: "≈",
    Verdict.SLOWER: "▲",
    Verdict.FASTER: "▼",
    Verdict.UNDECIDED: "",
    Verdict.PACE: "?",
    Verdict.NOISY: "?",
    Verdict.CONTRADICTED: "?",
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


def comparison_summary(comparison: Comparison, findings: Sequence[Finding] = ()) -> bytes:
    """Verdicts, conditions, metrics, layers and settings; GitHub's flavour, UTF-8."""
    lines = _comparison_lines(comparison, findings)
    return "\n".join([*lines, ""]).encode("utf-8", "backslashreplace")


def _comparison_lines(comparison: Comparison, findings: Sequence[Finding]) -> Iterator[str]:
    yield f"### Performance compared with {code(comparison.names[0])}"
    yield ""
    for name, judgement in zip(comparison.names[1:], comparison.judgements[1:], strict=True):
        yield f"- {code(name)}: **{judgement.text()}**"
    yield ""
    yield from (f"{line}\n" for line in (comparison.starts,) if line)
    yield from (f"> {warning}\n" for warning in comparison.warnings)
    if findings:
        heads = ("Fail if", "Report", "Outcome", "Measured")
        yield from table(heads, "llll", (_finding(finding) for finding in findings))
        yield ""
    columns = ("Metric", *(code(name) for name in comparison.names))
    sides = "l" + "r" * len(comparison.names)
    yield from table(columns, sides, (_metric(metric) for metric in comparison.shown_metrics))
    yield ""
    yield from _layers(comparison)
    differing = [p for p in comparison.properties if not p.equal]
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
        ratio, delta = (metric.ratio(index), metric.delta(index)) if index else (None, None)
        verdict = metric.judgements[index] if index < len(metric.judgements) else None
        change = ""
        if ratio is not None and delta is not None:
            text = f"{units.signed(delta, write)}, {units.change(ratio)}"
            change = f" ({text})" if delta else ""
        if index and verdict is not None:
            change += f" {_SIGNS[verdict.verdict]}"
        cells.append("n/a" if value is None else write(value) + change)
    return cells


def _layers(comparison: Comparison) -> Iterator[str]:
    sides = range(1, len(comparison.names))

    def change(block: Block) -> int:
        return max((abs(block.delta_ns(side) or 0) for side in sides), default=0)

    changed = sorted(filter(change, comparison.blocks), key=change, reverse=True)[:MOST_LAYERS]
    if changed:
        heads = (
            "Layers by change in time",
            "Operator",
            *(code(name) for name in comparison.names),
        )
        rows = (_block(comparison, block) for block in changed)
        yield from table(heads, "ll" + "r" * len(comparison.names), rows)
        yield ""
        yield "▲ slower, ▼ faster, ≈ no change, ? inconclusive, no symbol: not tested or"
        yield "too few runs. +N: time includes N fused layers or added casts."
        yield ""
    moved = [layer for layer in comparison.layers if layer.moved]
    for layer in moved[:MOST_LAYERS]:
        cells = layer.cells
        where = " → ".join(code(c.ran_on or str(c.status)) if c else "absent" for c in cells)
        yield f"- {code(layer.name)} ran on a different device: {where}"
    if len(moved) > MOST_LAYERS:
        yield (
            f"- and {units.plural(len(moved) - MOST_LAYERS, 'more layer')} on a different "
            "device"
        )
    for side in sides:
        if comparison.different_networks[side]:
            continue
        yield from _came_and_went(comparison, side)
        yield from _types(comparison, side)


def _block(comparison: Comparison, block: Block) -> list[str]:
    lead = comparison.layers[block.lead]
    more = f" +{len(block.rows) - 1}" if len(block.rows) > 1 else ""
    cells = [code(lead.name) + more, code(lead.operator)]
    for side, time in enumerate(block.time_ns):
        text = "" if time is None else units.duration(time, comparison.clock_ns)
        delta = block.delta_ns(side) if side else None
        if delta is not None:
            small = block.changes[side] is Change.RESOLUTION
            change = BELOW_RESOLUTION if small else units.signed(delta, units.duration)
            text += f" ({change})" if delta else ""
            text += f" {_CHANGES[block.changes[side]]}"
        cells.append(text.strip())
    return cells


def _came_and_went(comparison: Comparison, side: int) -> Iterator[str]:
    lists = comparison.lists[side]
    for word, places in (("added", lists.new), ("removed", lists.gone)):
        if places:
            kinds = Counter(comparison.layers[place].operator for place in places).most_common(
                4
            )
            text = ", ".join(f"{count} × {code(name)}" for name, count in kinds)
            rest = (
                ", …"
                if len({comparison.layers[p].operator for p in places}) > len(kinds)
                else ""
            )
            name, took = code(comparison.names[side]), _took(comparison, places, side)
            yield f"- {name}: {units.plural(len(places), 'layer')} {word} ({text}{rest}){took}"


def _took(comparison: Comparison, places: Sequence[int], side: int) -> str:
    """Return the time of layers that one side lacks, unless another block includes it."""
    alone = (comparison.blocks[comparison.layers[place].block] for place in places)
    times = {
        block.lead: block.time_ns[side] or block.time_ns[0] or 0
        for block in alone
        if None in (block.time_ns[0], block.time_ns[side])
    }
    total = sum(times.values())
    return f", {units.duration(total)}" if total else ""


def _types(comparison: Comparison, side: int) -> Iterator[str]:
    one = comparison.transitions[side]
    pairs = [
        f"{count} × {code(first)} → {code(other)}"
        for first, counts in zip(one.first, one.counts, strict=True)
        for other, count in zip(one.other, counts, strict=True)
        if count and first != other
    ]
    if pairs:
        yield (
            f"- {code(comparison.names[side])}: layers with a different compute type: "
            + ", ".join(pairs)
        )
    yield ""
