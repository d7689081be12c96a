"""The report on paper: a PDF of vectors and text, made without a screen.

`Pages` lays drawings, tables and texts on sheets, from top to bottom; points, A4.
"""

import re
from datetime import UTC, datetime
from io import BytesIO

import numpy as np

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.advice.summary import next_steps, summary
from inspector.analysis.measured import roofline_points
from inspector.analysis.measured.extra_tables import extra_tables
from inspector.analysis.measured.latency import HEADS, latency, rows, spread_text
from inspector.analysis.measured.layer_sum import (
    cautions,
    selection_text,
    sum_sentence,
    unranked,
)
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.operator_types import operator_types
from inspector.analysis.measured.phases import memory_note
from inspector.analysis.measured.sample_statistics import sentences
from inspector.comparison.comparison import properties
from inspector.export.charts.drawing import colour
from inspector.export.charts.fonts import width
from inspector.export.charts.improvement_plot import pareto_plot
from inspector.export.charts.paper import MARGIN, ROOM, WIDTH, Column, Paper, lefts, lines
from inspector.export.charts.report_plots import (
    histogram_plot,
    load_curve,
    memory_plot,
    phases_plot,
    series_plot,
    timeline_of,
)
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.export.pages.improvement_rows import HEAD, candidate_rows
from inspector.export.pages.page_rows import (
    Row,
    checked_rows,
    columns_of,
    inserted_of,
    marks_of,
    rows_of,
)
from inspector.model.display_names import fit_line
from inspector.model.tensors.agreement import summary_text as agreement_text
from inspector.preview.inputs import image_files
from inspector.report.improvement import Improvement
from inspector.report.report import PerformanceReport

MOST_ROWS = 10_000  # of the table: some 200 sheets, some seconds
MOST_TYPES = 40  # operator types, on one sheet
_TIMELINE, _HALF, _PLOT = 900, 400, 860
_KIND = 66  # points for the name of a kind of latency
_RANGE = 74  # points for the least and the greatest time of a layer
_INSET = 16  # of what is in a drawing, from its sides
_ESCAPED = (
    "Characters that are missing from the embedded fonts are shown as escape codes, such as "
    "\\u4e2d."
)


def pdf(report: PerformanceReport) -> bytes:
    """Key numbers, findings, timeline, plots, all layers with their marks, settings.

    The order is that of the web page and of Markdown, and of the Performance tab.
    """
    name = units.clip(report.model.name, 120)
    foot = f"{units.clip(name, 60)} · Inspector {report.environment.inspector}"
    paper = Paper(f"{name}: performance", foot)
    paper.set_creation_date(_date(report.created))
    paper.y = MARGIN
    _head(paper, report, name)
    _numbers(paper, report)
    _distribution(paper, report)
    _advice(paper, report)
    _timeline(paper, report)
    _previewed(paper, report)
    _model_results(paper, report)
    _beside(paper, report)
    _outputs(paper, report)
    _operator_types(paper, report)
    _layers(paper, report)
    _inserted(paper, report)
    _facts(paper, report)
    return bytes(paper.output())


def _date(created: str) -> datetime:
    """Return the time of the measurement, so that one report always gives an identical file."""
    try:
        created_at = datetime.fromisoformat(created)
    except ValueError:
        return datetime(2000, 1, 1, tzinfo=UTC)
    return created_at if created_at.tzinfo else created_at.replace(tzinfo=UTC)


def _head(paper: Paper, report: PerformanceReport, name: str) -> None:
    model, ran = report.model, " + ".join(units.device(id_) for id_ in report.spec.devices)
    paper.y += 16
    paper.draw_text(MARGIN, paper.y, paper.fitted(name, ROOM, 16, bold=True), 16, bold=True)
    facts = (
        f"{units.count(model.parameters)} parameters", units.size(model.size_bytes),
        units.plural(model.layers, "layer"), f"on {ran}",
        report.environment.runtime_text, report.created[:16].replace("T", " "),
    )  # fmt: skip
    paper.y += 4
    if model.description:
        paper.paragraph(units.clip(model.description, 300))
    paper.paragraph(" · ".join(units.clip(fact, 60) for fact in facts))
    if not report.complete:
        paper.paragraph("Incomplete: the measurement ended early; see the notes.", 8, "bad")
    if any(output.over for output in report.outputs):
        paper.paragraph(f"Wrong outputs: {agreement_text(report.outputs)}.", 8, "bad")
    for sentence in disturbances(report):
        paper.paragraph(sentence, 8, "caution")


def _numbers(paper: Paper, report: PerformanceReport) -> None:
    latencies = latency(report)
    ran = sum(layer.ran_on is not None for layer in report.layers)
    cards = (
        ("Latency", units.duration(latencies.headline.p50_ns) if latencies else "not measured",
         latencies.headline_label if latencies else ""),
        ("Latency", *(latencies.tail if latencies else ("not measured", ""))),
        ("Load", units.duration(report.load_ns),
         f"first run {units.duration(report.first_prediction_ns)}"),
        ("Peak model memory", units.size(report.memory.model_bytes),
         memory_note(report.memory)),
        ("Layers that ran", f"{ran:,}", f"of {len(report.layers):,}"),
    )  # fmt: skip
    paper.y += 10
    gap = 8.0
    wide = (ROOM - gap * (len(cards) - 1)) / len(cards)
    for place, (title, value, note) in enumerate(cards):
        x = MARGIN + place * (wide + gap)
        paper.set_draw_color("#DCE0E6")
        paper.set_line_width(0.6)
        paper.rect(x, paper.y, wide, 52, style="D", round_corners=True, corner_radius=4)
        paper.draw_text(x + 9, paper.y + 14, title, 7.5, tint="secondary")
        paper.draw_text(x + 9, paper.y + 31, value, 14, bold=True)
        room = wide - 16
        size = min(7.0, max(5.5, room / max(width(note), 1e-6)))
        paper.draw_text(
            x + 9, paper.y + 44, paper.fitted(note, room + 1, size), size, tint="secondary"
        )
    paper.y += 52
    spread = spread_text(latencies.headline) if latencies else ""
    if latencies and spread:
        paper.paragraph(f"Latency, {latencies.headline_label}: {spread}.", 8, "secondary")


def _distribution(paper: Paper, report: PerformanceReport) -> None:
    if not report.prediction_ns:
        return
    paper.y += 10
    half = (ROOM - 12) / 2
    series, spread = (draw(report, _HALF) for draw in (series_plot, histogram_plot))
    paper.need(120)
    inset = _INSET * half / _HALF
    paper.drawing(series, MARGIN - inset, half + inset)
    paper.y += paper.drawing(spread, MARGIN + half + 12, half + inset)
    _latencies(paper, report)
    for sentence in sentences(report):
        paper.paragraph(sentence, 7.5)


def _latencies(paper: Paper, report: PerformanceReport) -> None:
    """A line for each kind of latency, a column for each number."""
    numbers = rows(report)
    wide = (ROOM - _KIND) / max(1, len(numbers))
    paper.y += 4
    for line, head in enumerate(HEADS):
        paper.draw_text(MARGIN, paper.y + 21 + 19 * line, head, 6.6)
    for place, (name, *texts) in enumerate(numbers):
        x = MARGIN + _KIND + place * wide
        words = list(lines(name, (wide - 3) / 5.8))
        for line, part in enumerate(words, 1 - len(words)):  # the last stands above the numbers
            paper.draw_text(x, paper.y + 9 + 7 * line, part, 5.8, tint="tertiary")
        for line, text in enumerate(texts):
            y = paper.y + 21 + 19 * line
            first, _, second = text.partition(" to ")
            paper.draw_text(x, y, first, 6.2, bold=True)
            if second:
                paper.draw_text(x, y + 7, f"to {second}", 6.2, bold=True)
    paper.y += 54


def _timeline(paper: Paper, report: PerformanceReport) -> None:
    if not len(report.trace):
        return
    drawing = timeline_of(report, _TIMELINE)
    scale = min(ROOM, 520 * drawing.width / drawing.height)
    paper.heading("Timeline", drawing.title.removeprefix("Timeline: "), 90)
    paper.need(drawing.height * scale / drawing.width)
    paper.y += paper.drawing(drawing, MARGIN, scale)


def _advice(paper: Paper, report: PerformanceReport) -> None:
    suggestions = advice(report)
    rows, steps = summary(report), next_steps(report)
    if len(rows) > 1 or steps:
        paper.heading("Summary", "")
        for name, text in rows:
            paper.paragraph(f"{name}: {units.clip(text, 900)}", 8, "text")
            paper.y += 2
    else:
        paper.heading("Bottleneck", "")
        paper.paragraph(units.clip(rows[0][1], 400), 8, "text")
    for step in steps:
        paper.paragraph(f"Next step: {units.clip(_plain(step), 400)}", 8, "text")
    if suggestions:
        paper.heading("Suggestions", f"{len(suggestions):,}")
    for one in suggestions:
        names = ", ".join(str(index) for index in one.layers[:8])
        end = ", …" if len(one.layers) > 8 else "."
        where = (
            f" {'Layer' if len(one.layers) == 1 else 'Layers'} {names}{end}" if names else ""
        )
        paper.y += 3
        paper.paragraph(units.clip(one.sentence, 400) + where, 8, "text")
        paper.paragraph(units.clip(f"{one.gain} {_plain(one.check)}", 600), 7.5)


def _plain(text: str) -> str:
    """Return a text with its commands in quotation marks instead of backticks."""
    return re.sub("`([^`]*)`", r'"\1"', text)


def _beside(paper: Paper, report: PerformanceReport) -> None:
    """Loading, memory and load curve as their drawings."""
    plots = [phases_plot(report, _PLOT), memory_plot(report, _PLOT)]
    plots += [load_curve(report.throughput, _PLOT)] if report.throughput else []
    plots += [roofline_plot(report, _PLOT)] if report.roofline.ceilings else []
    for drawing in plots:
        scale = ROOM / (drawing.width - 2 * _INSET)
        paper.need(drawing.height * scale + 6)
        paper.y += paper.drawing(drawing, MARGIN - _INSET * scale, drawing.width * scale) + 2
    for sentence in roofline_points.sentences(report):
        paper.paragraph(sentence, 7.5)
    _extra_tables(paper, report)
    for note in report.notes:
        paper.paragraph(f"Note: {units.clip(note, 400)}", 7.5)


def _extra_tables(paper: Paper, report: PerformanceReport) -> None:
    """Tables of several sessions and asynchronous calls, where these were measured."""
    for extra in extra_tables(report):
        wide = (ROOM - _EXTRA_NAMES) / (len(extra.heads) - 1)
        first, *others = extra.heads
        columns = (Column(first, _EXTRA_NAMES), *(Column(head, wide, "R") for head in others))
        paper.heading(extra.title, extra.about, 60 + 14 * len(extra.rows))
        paper.table_head(columns)
        for texts in extra.rows:
            paper.table_row(columns, texts)
        for sentence in extra.sentences:
            paper.paragraph(sentence, 7.5)


_EXTRA_NAMES = 170.0  # of the first column of these tables


def _outputs(paper: Paper, report: PerformanceReport) -> None:
    rows = checked_rows(report.outputs)
    if not rows:
        return
    heads = ("Verdict", "Max error", "Tolerance", "PSNR", "Cosine")
    columns = (Column("Output", 190), *(Column(head, 65, "R") for head in heads))
    paper.heading("Output check", "compared with an unoptimized run on the CPU")
    paper.table_head(columns)
    for row in rows:
        texts = (row.name, row.verdict, row.largest, row.allowed, row.psnr, row.cosine)
        paper.table_row(columns, texts)


def _previewed(paper: Paper, report: PerformanceReport) -> None:
    """The picture that Preview showed, and the first answers beside it."""
    seen = report.previewed
    if seen is None:
        return
    source = f"{units.clip(seen.source, 60)}, not part of the timing"
    paper.heading("Prediction in Preview", source, below=_SEEN)
    if seen.caution:
        paper.paragraph(f"Caution: {seen.caution}", 8, "caution")
    left = MARGIN
    if seen.is_whole:
        picture = np.frombuffer(seen.pixels, np.uint8).reshape(seen.height, seen.width, 3)
        scale = _SEEN / max(seen.width, seen.height)
        body = BytesIO(image_files.png(picture))
        paper.image(body, left, paper.y, seen.width * scale, seen.height * scale)
        left += _SEEN + 14
    for place, (name, share) in enumerate(seen.answers):
        y = paper.y + 10 + 13 * place
        paper.draw_text(left, y, paper.fitted(name, 180), bold=not place)
        paper.draw_text(left + 240, y, share, side="R", bold=not place)
    paper.y += _SEEN


def _model_results(paper: Paper, report: PerformanceReport) -> None:
    """Other devices that run the model, and candidates for a smaller or faster one."""
    known = report.model_results
    if known is not None and known.targets:
        columns = (
            Column("Device", 170), Column("Provider", 110), Column("Answer", 110),
            Column("Layers", 80, "R"),
        )  # fmt: skip
        paper.heading("Device support", "estimated from support tables")
        paper.table_head(columns)
        for one in known.targets:
            paper.table_row(columns, (one.target, one.provider, one.answer, one.count_text))
    improvement = known.improvement if known is not None else None
    if improvement is not None and improvement.candidates:
        paper.heading(
            "Smaller or faster", units.plural(len(improvement.candidates), "candidate"), 90
        )
        candidate_table(paper, improvement)
        drawing = pareto_plot(improvement)
        if drawing is not None:
            paper.need(drawing.height * ROOM / drawing.width)
            paper.y += 8
            paper.y += paper.drawing(drawing, MARGIN, ROOM)


def candidate_table(paper: Paper, improvement: Improvement) -> None:
    """Write the numbers of each candidate, and its accuracy and verdict below them."""
    columns = (
        Column(HEAD[0], 235), Column(HEAD[1], 70, "R"), Column(HEAD[2], 70, "R"),
        Column(HEAD[3], 140, "R"),
    )  # fmt: skip
    paper.table_head(columns)
    for *cells, accuracy, verdict in candidate_rows(improvement):
        paper.need(30)
        paper.table_row(columns, cells, with_rule=False)
        paper.paragraph(". ".join(filter(None, (accuracy, verdict))), 7.5)
        paper.y += 3
        paper.rule("hairline")


_SEEN = 68.0  # of the longer side of the picture


def _operator_types(paper: Paper, report: PerformanceReport) -> None:
    types = operator_types(report)
    if not types:
        return
    devices = columns_of(report)[:4]
    columns = (
        Column("Operator type", ROOM - 50 - 66 * len(devices) - 100 - 50),
        Column("Layers", 50, "R"),
        *(Column(device.name, 66, "C") for device in devices),
        Column(report.profiling.sum_title, 100, "R"),
        Column("Share", 50, "R"),
    )
    count = f"{len(types):,}"
    if len(types) > MOST_TYPES:
        count = f"first {MOST_TYPES} of {count}; the CSV export has all"
    paper.heading("Operator types", count, 60)
    paper.table_head(columns)
    for one in types[:MOST_TYPES]:
        share = "" if one.time_ns is None else units.share(one.time_ns, report.kernel_ns)
        support = (one.support_text(device.id) for device in devices)
        name = units.clip(one.operator, 60)
        paper.table_row(columns, (name, f"{one.layers:,}", *support, one.time_text, share))


def _layers(paper: Paper, report: PerformanceReport) -> None:
    devices, profiling = columns_of(report), report.profiling
    rows = rows_of(report, devices, MOST_ROWS)
    count = f"{len(rows):,}"
    if len(rows) < len(report.layers):
        kind = "first {} timed" if unranked(report) else "{} slowest"
        count = f"{kind.format(count)} of {len(report.layers):,}; the CSV export has all"
    paper.heading("Layers", count, 60)
    x = MARGIN
    for view in marks_of(report, devices):
        wide = 7.5 * width(view.words) + 26
        if x + wide > WIDTH - MARGIN:
            x, paper.y = MARGIN, paper.y + 12
        paper.mark(view.mark, view.family, x + 4, paper.y + 5)
        x += 26 + paper.draw_text(x + 12, paper.y + 8, view.words, 7.5, tint="secondary")
    paper.y += 8
    marks = tuple(Column(device.name, 46, "C") for device in devices[:4])
    # The precision has room beside two devices, and is of interest where a layer has another.
    two_types = len(marks) <= 2 and any(" " in row.precision for row in rows)
    precision = (Column("Precision", 82),) if two_types else ()
    ranged = any(row.spread for row in rows)
    least = (Column("Min to max", _RANGE, "R"),) if ranged else ()
    name = ROOM - 26 - 96 - 46 * len(marks) - 82 * two_types - 60 - 58 - 40 - _RANGE * ranged
    columns = (
        Column("#", 26), Column("Layer", name), Column("Operator", 96), *marks, *precision,
        Column("", 60), Column(profiling.time_title, 58, "R"),
        Column("Share", 40, "R"), *least,
    )  # fmt: skip
    for sentence in cautions(report):
        paper.paragraph(sentence, 7.5)
    sums = sum_sentence(report)
    if sums:
        paper.paragraph(f"{sums[0].upper()}{sums[1:]}. {selection_text(report)}.", 7.5)
    paper.table_head(columns)
    for row in rows:
        _layer(paper, row, columns, len(marks), (row.precision,) if two_types else ())


def _layer(
    paper: Paper,
    row: Row,
    columns: tuple[Column, ...],
    marks: int,
    precision: tuple[str, ...],
) -> None:
    noisy = " (noisy)" * row.noisy
    room = columns[1].width - 6 - 7.5 * width(noisy)
    name = f"{row.scope}/{row.name}" if row.scope else row.name
    name = fit_line(name, room, lambda text: 7.5 * width(text)) + noisy
    last = ("", row.time, row.share, row.spread)
    if row.time_ns is None:
        into = "" if row.into is None else f" into {row.into}"
        last = ("", f"{row.status}{into}", "", "")
    between = (*("" for _ in range(marks)), *precision)
    texts = (str(row.index), name, row.operator, *between, *last)[: len(columns)]
    paper.table_row(columns, texts)
    middle = paper.y - 6.5
    places = lefts(columns)
    for (left, column), view in zip(places[3 : 3 + marks], row.marks, strict=False):
        paper.mark(view.mark, view.family, left + column.width / 2, middle)
    if row.time_ns is not None:
        left, column = places[3 + marks]
        paper.set_fill_color("#E6E9EE")
        paper.rect(left + 4, middle - 2, column.width - 8, 4, style="F")
        paper.set_fill_color(_tint(row.family))
        paper.rect(left + 4, middle - 2, max(0.8, (column.width - 8) * row.bar), 4, style="F")


def _tint(family: str) -> str:

    return colour(family if family in ("cpu", "gpu", "npu") else "cpu")


def _inserted(paper: Paper, report: PerformanceReport) -> None:
    rows = inserted_of(report)
    if not rows:
        return
    columns = (
        Column("Kind", 50), Column("Node", 215), Column("Operator", 90), Column("Device", 50),
        Column("Moved", 50, "R"), Column("Time", 60, "R"),
    )  # fmt: skip
    count = units.plural(len(report.inserted), "node")
    if len(rows) < len(report.inserted):
        count = f"{len(rows):,} slowest of {count}; the JSON export has all"
    paper.heading("Added by the runtime", count, 40)
    paper.table_head(columns)
    for row in rows:
        paper.table_row(
            columns, (row.kind, row.name, row.operator, row.unit, row.size, row.time)
        )


def _facts(paper: Paper, report: PerformanceReport) -> None:
    columns = (Column("", 110), Column("", ROOM - 110))
    titles = {"settings": "Settings", "machine": "Machine and software", "model": "Model"}
    for group, title in titles.items():
        paper.heading(title, below=40)
        for of, name, text in properties(report):
            if of == group:
                paper.table_row(columns, (name, units.clip(text, 160)))
    if paper.escaped:
        paper.y += 10
        paper.paragraph(_ESCAPED, 7.5)
