"""An improvement of a model as Markdown for a pull request, and as one HTML page."""

from collections.abc import Iterator
from html import escape

from inspector import units
from inspector.comparison.improvement_conditions import subject_of
from inspector.export.charts.palette import DARK, LIGHT
from inspector.export.pages.markdown import code, quoted, table
from inspector.export.pages.model_diff_pages import PAGE_STYLE, colors
from inspector.report.improvement import (
    OVER,
    WITHIN,
    Accuracy,
    Candidate,
    Improvement,
    change_text,
    value_text,
    verdict_text,
)
from inspector.report.sensitivity import decibels

_HEAD = ("Candidate", "Size", "p50", "Latency", "Accuracy", "Verdict")
_TARGET_HEAD = ("Device", "Original", "New model")
_LAYER_HEAD, _MOST_LAYERS = ("Layer", "Operator", "SQNR", "SQNR drop"), 12
_WIDTH, _HEIGHT, _MARGIN = 860, 360, 56


def _rows(improvement: Improvement) -> Iterator[tuple[str, ...]]:
    for candidate in (improvement.original, *improvement.candidates):
        measure = candidate.measure(improvement.main)
        accuracy = accuracy_text(measure, bool(candidate.steps)) if measure else ""
        if not candidate.steps and not accuracy:
            accuracy = "reference"
        timed = candidate.latency
        verdict = verdict_text(improvement, candidate) if candidate.steps else ""
        p50 = units.duration(round(timed.p50_ns)) if timed else ""
        yield (
            candidate.name,
            units.size(candidate.size_bytes) if candidate.size_bytes else "",
            p50,
            latency_text(candidate),
            accuracy,
            verdict,
        )


def latency_text(candidate: Candidate) -> str:
    """Return the change of the latency with its interval: '−44% (−46% to −41%)'."""
    timed = candidate.latency
    if timed is None or timed.change is None:
        return ""
    text = f"{timed.change:+.1%}"
    if timed.low is not None and timed.high is not None:
        text += f" ({timed.low:+.1%} to {timed.high:+.1%})"
    return text.replace("-", "−")


def accuracy_text(measure: Accuracy, with_change: bool = True) -> str:
    """Return an accuracy, with its change and interval unless it is the original's."""
    change = change_text(measure) if with_change else ""
    return f"{value_text(measure)}{f', {change}' if change else ''}"


def headline(improvement: Improvement) -> str:
    """Return the result in one sentence."""
    if improvement.best >= 0:
        best = improvement.candidates[improvement.best]
        return f"{best.name}: {verdict_text(improvement, best)}"
    if not improvement.candidates:
        return "No candidate was tried"
    return "No candidate is better and clearly within the limit"


def facts(improvement: Improvement) -> Iterator[tuple[str, str]]:
    """Yield what the results rest on: data, device, limit, versions."""
    yield "Model", f"{improvement.model}, SHA-256 {improvement.sha256}"
    yield "Device", improvement.device
    for name, data in (("Test", improvement.test), ("Calibration", improvement.calibration)):
        if data is not None:
            labeled = f", {data.labeled:,} with a label" if data.labeled else ""
            count = units.plural(data.inputs, "input")
            yield name, f"{data.folder}: {count}{labeled}, SHA-256 {data.digest}"
    if improvement.limit is not None and improvement.main:
        yield "Limit", f"{improvement.main} may drop by at most {improvement.limit:.2%}"
    if improvement.made_by:
        yield "Created with", ", ".join(improvement.made_by)


def target_rows(improvement: Improvement) -> list[tuple[str, str, str]]:
    """Return for each target the layers that it runs of the original and of the candidate."""
    candidate = subject_of(improvement)
    return [
        (each.target, each.before or "unknown", each.after or "unknown")
        for each in (candidate.targets if candidate is not None else ())
    ]


def layer_rows(improvement: Improvement) -> list[tuple[str, str, str, str]]:
    """Return the layers that add most to the error of the best candidate, or the only one."""
    candidate = subject_of(improvement)
    worst = candidate.worst_layers if candidate is not None else ()
    return [
        (
            units.clip(each.name, 80),
            each.operator,
            decibels(each.sqnr_db),
            "" if each.drop_db is None else f"−{each.drop_db:.1f} dB",
        )
        for each in worst[:_MOST_LAYERS]
    ]


def improvement_markdown(improvement: Improvement) -> bytes:
    """Return the results for a pull request; GitHub's flavor, UTF-8."""
    return "\n".join([*_markdown(improvement), ""]).encode("utf-8", "backslashreplace")


def _markdown(improvement: Improvement) -> Iterator[str]:
    yield f"### {code(improvement.model)}"
    yield from ("", f"**{quoted(headline(improvement))}**", "")
    rows = (tuple(quoted(cell) for cell in row) for row in _rows(improvement))
    yield from table(_HEAD, "lrrrll", rows)
    if improvement.best >= 0:
        best = improvement.candidates[improvement.best]
        yield from ("", f"Recipe: {code(' '.join(best.steps))}", "")
        if best.worst:
            yield from ("<details><summary>Worst inputs</summary>", "")
            cells = (
                (code(w.file), quoted(w.original), quoted(w.candidate), quoted(w.truth))
                for w in best.worst
            )
            yield from table(("Input", "Original", "Candidate", "Truth"), "llll", cells)
            yield "</details>"
    targets = target_rows(improvement)
    if targets:
        yield from ("", "<details><summary>Layers that other devices support</summary>", "")
        yield from table(_TARGET_HEAD, "lrr", targets)
        yield "</details>"
    layers = layer_rows(improvement)
    if layers:
        yield from ("", "<details><summary>Layers with the largest errors</summary>", "")
        rows = ((code(row[0]), *map(quoted, row[1:])) for row in layers)
        yield from table(_LAYER_HEAD, "llrr", rows)
        yield "</details>"
    yield ""
    yield from (f"- {name}: {quoted(text)}" for name, text in facts(improvement))
    yield from (f"- {quoted(note)}" for note in improvement.notes)


def improvement_html(improvement: Improvement) -> bytes:
    """Return one page that opens in any browser, light and dark, without scripts."""
    return "".join(_html(improvement)).encode("utf-8", "xmlcharrefreplace")


def _html(improvement: Improvement) -> Iterator[str]:
    title = escape(units.clip(improvement.model, 80))
    dark = f"@media (prefers-color-scheme:dark){{:root{{{colors(DARK)}}}}}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{title}</title><style>:root{{color-scheme:light dark;{colors(LIGHT)}}}"
    yield f"{dark}{PAGE_STYLE}{_STYLE}</style></head><body><main>"
    yield f"<h1>{escape(headline(improvement))}</h1>"
    picture = "".join(_picture(improvement))
    if picture:
        yield f"<section>{picture}</section>"
    yield "<section><table><tr>" + "".join(f"<th>{head}</th>" for head in _HEAD) + "</tr>"
    for index, row in enumerate(_rows(improvement)):
        best = ' class="best"' if index and index - 1 == improvement.best else ""
        yield f"<tr{best}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
    yield "</table></section>"
    if improvement.best >= 0:
        yield from _best(improvement.candidates[improvement.best])
    targets = target_rows(improvement)
    if targets:
        yield "<section><p>Layers that other devices support, from the support tables of ONNX "
        yield "Runtime; nothing was run there</p><table><tr>"
        yield "".join(f"<th>{head}</th>" for head in _TARGET_HEAD) + "</tr>"
        for target in targets:
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in target) + "</tr>"
        yield "</table></section>"
    layers = layer_rows(improvement)
    if layers:
        yield "<section><p>Layers with the largest errors: the SQNR of their outputs, and the "
        yield "drop from the SQNR of their inputs</p><table><tr>"
        yield "".join(f"<th>{head}</th>" for head in _LAYER_HEAD) + "</tr>"
        for cells in layers:
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        yield "</table></section>"
    yield "<section><table>"
    for name, text in facts(improvement):
        yield f'<tr><td class="d">{escape(name)}</td><td>{escape(text)}</td></tr>'
    yield "</table>"
    yield "".join(f'<p class="d">{escape(note)}</p>' for note in improvement.notes)
    yield "</section></main></body></html>\n"


_STYLE = """
.best td{font-weight:600}
svg text{fill:var(--text);font-size:12px}
svg .axis{stroke:var(--border)}
svg .point{fill:var(--secondary)}svg .within{fill:var(--good)}svg .over{fill:var(--bad)}
svg .original{fill:none;stroke:var(--text);stroke-width:2}
svg .interval{stroke:var(--secondary)}
"""


def _best(best: Candidate) -> Iterator[str]:
    yield f"<section><p>Recipe: <code>{escape(' '.join(best.steps))}</code></p><table>"
    for measure in best.accuracy:
        count = units.plural(measure.count, "input")
        yield f"<tr><td>{escape(measure.name)}</td><td>{escape(accuracy_text(measure))}</td>"
        yield f'<td class="d">{count}</td></tr>'
    yield "</table></section>"
    if best.worst:
        yield "<section><table><tr><th>Worst inputs</th><th>Original</th><th>Candidate</th>"
        yield "<th>Truth</th></tr>"
        for w in best.worst:
            texts = (w.file, w.original, w.candidate, w.truth)
            yield "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in texts) + "</tr>"
        yield "</table></section>"


def pareto_points(improvement: Improvement) -> list[tuple[Candidate, float, float]]:
    """Return candidates with latency and accuracy: relative latency, and the accuracy.

    Latency is relative to the original, 1 for the same: each was measured in turns with it.
    """
    original = improvement.original.measure(improvement.main)
    points = [(improvement.original, 1.0, original.value if original else 1.0)]
    for candidate in improvement.candidates:
        measure = candidate.measure(improvement.main)
        if candidate.problem or measure is None or candidate.latency is None:
            continue
        if candidate.latency.change is not None:
            points.append((candidate, 1 + candidate.latency.change, measure.value))
    return points


def _picture(improvement: Improvement) -> Iterator[str]:
    points = pareto_points(improvement)
    if len(points) < 2:
        return
    low, high = min(y for *_, y in points), max(y for *_, y in points)
    span = (high - low) or 0.01
    low, high = low - 0.15 * span, high + 0.15 * span
    right = 1.1 * max(x for _, x, _ in points)
    largest = max(c.size_bytes for c, *_ in points) or 1

    def place(x: float, y: float) -> tuple[float, float]:
        across = _MARGIN + x / right * (_WIDTH - 2 * _MARGIN)
        return across, _HEIGHT - _MARGIN - (y - low) / (high - low) * (_HEIGHT - 2 * _MARGIN)

    bottom, left = _HEIGHT - _MARGIN, _MARGIN
    yield f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
    yield 'aria-label="Accuracy against latency">'
    yield f'<line class="axis" x1="{left}" y1="{bottom}" x2="{_WIDTH - left}" y2="{bottom}"/>'
    yield f'<line class="axis" x1="{left}" y1="{left}" x2="{left}" y2="{bottom}"/>'
    yield f'<text x="{left}" y="{left - 16}">{escape(_axis(improvement))}</text>'
    yield f'<text x="{_WIDTH - left}" y="{bottom + 36}" text-anchor="end">'
    yield "Latency relative to the original (1 = same); area: file size</text>"
    for share in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0):
        if share <= right:
            x, _ = place(share, low)
            yield f'<text x="{x:.0f}" y="{bottom + 18}" text-anchor="middle">{share:g}</text>'
    for value in (low + 0.15 * (high - low), high - 0.15 * (high - low)):
        _, y = place(0, value)
        yield f'<text x="{left - 8}" y="{y + 4:.0f}" text-anchor="end">{value:.1%}</text>'
    for candidate, x_value, y_value in points:
        x, y = place(x_value, y_value)
        radius = 4 + 10 * (candidate.size_bytes / largest) ** 0.5
        verdict = improvement.verdict(candidate) if candidate.steps else ""
        kind = {WITHIN: "within", OVER: "over"}.get(verdict, "point")
        kind = kind if candidate.steps else "original"
        measure = candidate.measure(improvement.main)
        if candidate.steps and measure and measure.low is not None and measure.high is not None:
            base = measure.value - (measure.change or 0.0)
            _, top = place(0, min(high, base + measure.high))
            _, end = place(0, max(low, base + measure.low))
            yield f'<line class="interval" x1="{x:.0f}" y1="{top:.0f}" '
            yield f'x2="{x:.0f}" y2="{end:.0f}"/>'
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        name = "original" if not candidate.steps else candidate.name
        yield f'<text x="{x + radius + 4:.0f}" y="{y + 4:.0f}">'
        yield f"{escape(units.clip(name, 40))}</text>"
    yield "</svg>"


def _axis(improvement: Improvement) -> str:
    for candidate in improvement.candidates:
        measure = candidate.measure(improvement.main)
        if measure is not None:
            return measure.name
    return "Accuracy"
