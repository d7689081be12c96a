"""The report as Markdown for a pull request: what was measured, and the slowest layers."""

from collections.abc import Iterable, Iterator, Sequence

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.devices.support_summary import of_report
from inspector.analysis.measured.asynchronous_devices import is_untimed, share_words
from inspector.analysis.measured.computed_precision import precision_of
from inspector.analysis.measured.latency import HEADS, TAILS_OF, latency, rows
from inspector.analysis.measured.layer_sum import (
    cautions,
    selection_words,
    sum_sentence,
    unranked,
)
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.partitions import layers_on
from inspector.analysis.measured.phases import (
    held_phases,
    loading_words,
    memory_words,
    timed_phases,
)
from inspector.analysis.measured.sample_statistics import sentences
from inspector.compare.comparison import properties
from inspector.export.pages.page_rows import columns_of, reasons_of
from inspector.report.report import LayerUse, PerformanceReport
from inspector.tensors.agreement import summary_text

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


def summary(report: PerformanceReport) -> bytes:
    """Summary, slowest layers, settings and notes; GitHub's flavour, UTF-8."""
    return "\n".join([*_lines(report), ""]).encode("utf-8", "backslashreplace")


def _lines(report: PerformanceReport) -> Iterator[str]:
    yield f"### Performance of {code(report.model.name)}"
    yield ""
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
    found = disturbances(report)
    if found:
        yield from (f"**Noisy:** {' '.join(found)}", "")
    yield from _advice(report)
    yield from _slowest(report)
    yield from _support(report)
    yield from _phases(report)
    yield from ("<details><summary>Settings and machine</summary>", "")
    settings = ((name, code(text)) for _, name, text in properties(report))
    yield from table(("Setting", "Value"), "ll", settings)
    yield from ("", "</details>")
    if report.notes:
        yield from ("", "**Notes**", "")
        yield from (f"- {code(note, 300)}" for note in report.notes)


def _metrics(report: PerformanceReport) -> Iterator[tuple[str, str]]:
    if report.prediction_ns:
        yield from _predictions(report)
    if report.outputs:
        wrong = any(output.over for output in report.outputs)
        yield "Outputs", f"{'**WRONG**, ' if wrong else ''}{code(summary_text(report.outputs))}"
    yield "Load", units.duration(report.load_ns)
    yield "First run", units.duration(report.first_prediction_ns)
    yield "Memory used by the model, peak", units.size(report.memory.model_bytes)
    yield "Process memory, peak", units.size(report.memory.peak_bytes)
    for device in report.devices:
        share = share_words(report, device.id)
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
        yield "Added by ONNX Runtime", f"{count}, {time} of kernel time"


def _phases(report: PerformanceReport) -> Iterator[str]:
    yield from ("<details><summary>Load and memory by phase</summary>", "")
    times = (
        (
            ("of which " if phase.inside else "") + code(phase.name),
            units.duration(phase.duration_ns),
        )
        for phase in timed_phases(report)
    )
    yield from table(("Phase", "Time"), "lr", times)
    yield ""
    memory = (
        (phase.name, units.size(phase.resident_bytes), _peak(phase.peak_bytes))
        for phase in held_phases(report.memory)
    )
    yield from table(("Memory", "RSS", "Peak so far"), "lrr", memory)
    for sentence in (
        *loading_words(report),
        *memory_words(report.memory, report.model.size_bytes),
    ):
        yield from ("", sentence)
    yield from ("", "</details>", "")


def _peak(size_bytes: int | None) -> str:
    return "" if size_bytes is None else units.size(size_bytes)


def _advice(report: PerformanceReport) -> Iterator[str]:
    found = advice(report)
    if found:
        yield from ("**Suggestions**", "")
    for one in found:
        layers = ", ".join(map(str, one.layers[:MOST_LAYERS]))
        where = (
            f" Layers {layers}{', …' if len(one.layers) > MOST_LAYERS else ''}."
            if layers
            else ""
        )
        yield f"- {quoted(one.sentence)}{where} *{quoted(one.gain)}* {quoted(one.check)}"
    if found:
        yield ""


def _predictions(report: PerformanceReport) -> Iterator[tuple[str, str]]:
    found = latency(report)
    if found is None:
        return
    label = found.headline_label
    yield f"Latency, {label}", f"**{units.duration(found.headline.p50_ns)}**"
    yield f"Latency, p95 {TAILS_OF}", units.duration(found.all_predictions.p95_ns)


def _slowest(report: PerformanceReport) -> Iterator[str]:
    timed = [layer for layer in report.layers if layer.time_ns]
    timed.sort(key=lambda layer: -(layer.time_ns or 0))
    if not timed:
        return
    shown, ranked = timed[:MOST_LAYERS], not unranked(report)
    longest = shown[0].time_ns or 0
    if not ranked:
        shown.sort(key=lambda layer: layer.index)
    spread = any(layer.spread is not None for layer in shown)
    for sentence in cautions(report):
        yield from (f"**{sentence}**", "")
    time = report.profiling.time_title if spread else "Time"
    heads = ("#", "Layer", "Operator", "Ran on", "Precision", time, "% of kernel time")
    rows = (_row(layer, report, longest, spread) for layer in shown)
    yield from table((*heads, *(("Min to max",) * spread)), "rllllrr" + "r" * spread, rows)
    yield ""
    if spread:
        yield f"{selection_words(report)}."
    if len(timed) > len(shown):
        order = "" if ranked else ", in model order"
        yield f"The {len(shown)} slowest of {units.plural(len(timed), 'timed layer')}{order}."
    yield ""
    added_up = sum_sentence(report)
    if added_up:
        yield from (f"{added_up[0].upper()}{added_up[1:]}.", "")


def _support(report: PerformanceReport) -> Iterator[str]:
    """Why layers ran where they did, in the words of the marks."""
    found = reasons_of(report, columns_of(report))
    if not found:
        return
    yield from ("<details><summary>Device support</summary>", "")
    rows = (
        (code(one.unit), one.mark.words, code(one.text, 300), str(one.layers)) for one in found
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
        units.lined_up(time, most_ns),
        share,
        *((_spread_words(layer),) * spread),
    )


def _spread_words(layer: LayerUse) -> str:
    if layer.spread is None:
        return ""
    text = units.durations(layer.spread.min_ns, layer.spread.max_ns)
    return f"{text} (noisy)" if layer.noisy else text
