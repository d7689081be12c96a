"""The report on paper: a PDF of vectors and text, made without a screen."""

from datetime import UTC, datetime

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.measured import roofline_points
from inspector.analysis.measured.latency import HEADS, TAILS_OF, latency, rows
from inspector.analysis.measured.layer_sum import cautions, selection_words, sum_sentence
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.phases import memory_note
from inspector.analysis.measured.sample_statistics import sentences
from inspector.compare.comparison import properties
from inspector.export.charts.fonts import width
from inspector.export.charts.report_plots import (
    histogram_plot,
    load_curve,
    memory_plot,
    phases_plot,
    series_plot,
    timeline_of,
)
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.export.pages.page_rows import (
    Row,
    checked_rows,
    columns_of,
    inserted_of,
    marks_of,
    rows_of,
)
from inspector.export.pages.pdf_layout import MARGIN, ROOM, WIDTH, Column, Paper, lefts
from inspector.model.display_names import fit_line
from inspector.report.report import PerformanceReport
from inspector.tensors.agreement import summary_text as agreement_words

MOST_ROWS = 10_000  # of the table: some 200 sheets, some seconds
_TIMELINE, _HALF, _PLOT = 900, 400, 860
_KIND = 66  # points for the name of a kind of latency
_RANGE = 74  # points for the least and the greatest time of a layer
_INSET = 16  # of what is in a drawing, from its sides
_ESCAPED = "Letters that no font here can write stand as their numbers, like \\u4e2d."


def pdf(report: PerformanceReport) -> bytes:
    """Facts and key numbers, plots, timeline, advice, all layers with their marks, settings."""
    name = units.clip(report.model.name, 120)
    foot = f"{units.clip(name, 60)} · Inspector {report.environment.inspector}"
    paper = Paper(f"{name}: performance", foot)
    paper.set_creation_date(_date(report.created))
    paper.y = MARGIN
    _head(paper, report, name)
    _numbers(paper, report)
    _distribution(paper, report)
    _timeline(paper, report)
    _advice(paper, report)
    _beside(paper, report)
    _outputs(paper, report)
    _layers(paper, report)
    _inserted(paper, report)
    _facts(paper, report)
    return bytes(paper.output())


def _date(created: str) -> datetime:
    """When it was measured, so that the same report gives the same file."""
    try:
        found = datetime.fromisoformat(created)
    except ValueError:
        return datetime(2000, 1, 1, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _head(paper: Paper, report: PerformanceReport, name: str) -> None:
    model, ran = report.model, " + ".join(units.device(id_) for id_ in report.spec.devices)
    paper.y += 16
    paper.words(MARGIN, paper.y, paper.fitted(name, ROOM, 16, bold=True), 16, bold=True)
    facts = (
        f"{units.count(model.parameters)} parameters", units.size(model.size_bytes),
        units.plural(model.layers, "layer"), f"on {ran}",
        report.environment.runtime_text, report.created[:16].replace("T", " "),
    )  # fmt: skip
    paper.y += 4
    paper.paragraph(" · ".join(units.clip(fact, 60) for fact in facts))
    if not report.complete:
        paper.paragraph("Incomplete: the measurement ended early; see the notes.", 8, "bad")
    if any(output.over for output in report.outputs):
        paper.paragraph(f"Wrong outputs: {agreement_words(report.outputs)}.", 8, "bad")
    for sentence in disturbances(report):
        paper.paragraph(sentence, 8, "caution")


def _numbers(paper: Paper, report: PerformanceReport) -> None:
    found = latency(report)
    ran = sum(layer.ran_on is not None for layer in report.layers)
    cards = (
        ("Latency", units.duration(found.headline.p50_ns) if found else "not measured",
         found.headline_label if found else ""),
        ("Latency", units.duration(found.all_predictions.p95_ns) if found else "not measured",
         f"p95 {TAILS_OF}" if found else ""),
        ("Load", units.duration(report.load_ns),
         f"first run {units.duration(report.first_prediction_ns)}"),
        ("Memory used by the model, peak", units.size(report.memory.model_bytes),
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
        paper.words(x + 9, paper.y + 14, title, 7.5, tint="secondary")
        paper.words(x + 9, paper.y + 31, value, 14, bold=True)
        paper.words(x + 9, paper.y + 44, paper.fitted(note, wide - 14, 7), 7, tint="secondary")
    paper.y += 52


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
    for line, head in enumerate(HEADS):
        paper.words(MARGIN, paper.y + 21 + 19 * line, head, 6.6)
    for place, (name, *texts) in enumerate(numbers):
        x = MARGIN + _KIND + place * wide
        paper.words(x, paper.y + 9, paper.fitted(name, wide - 3, 5.8), 5.8, tint="tertiary")
        for line, text in enumerate(texts):
            y = paper.y + 21 + 19 * line
            first, _, second = text.partition(" to ")
            paper.words(x, y, first, 6.2, bold=True)
            if second:
                paper.words(x, y + 7, f"to {second}", 6.2, bold=True)
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
    found = advice(report)
    if found:
        paper.heading("Suggestions", f"{len(found):,}")
    for one in found:
        names = ", ".join(str(index) for index in one.layers[:8])
        end = ", …" if len(one.layers) > 8 else "."
        where = f" Layers {names}{end}" if names else ""
        paper.y += 3
        paper.paragraph(units.clip(one.sentence, 400) + where, 8, "text")
        paper.paragraph(units.clip(f"{one.gain} {one.check}", 600), 7.5)


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
    for note in report.notes:
        paper.paragraph(f"Note: {units.clip(note, 400)}", 7.5)


def _outputs(paper: Paper, report: PerformanceReport) -> None:
    rows = checked_rows(report.outputs)
    if not rows:
        return
    heads = ("Verdict", "Max error", "Tolerance", "PSNR", "Cosine")
    columns = (Column("Output", 190), *(Column(head, 65, "R") for head in heads))
    paper.heading("Output check", "compared with the unoptimized CPU")
    paper.table_head(columns)
    for row in rows:
        texts = (row.name, row.verdict, row.largest, row.allowed, row.psnr, row.cosine)
        paper.table_row(columns, texts)


def _layers(paper: Paper, report: PerformanceReport) -> None:
    devices, told = columns_of(report), report.profiling
    rows = rows_of(report, devices, MOST_ROWS)
    kept = f"{len(rows):,}"
    if len(rows) < len(report.layers):
        kept += f" slowest of {len(report.layers):,}; the CSV export has all"
    paper.heading("Layers", kept, 60)
    x = MARGIN
    for view in marks_of(report, devices):
        wide = 7.5 * width(view.words) + 26
        if x + wide > WIDTH - MARGIN:
            x, paper.y = MARGIN, paper.y + 12
        paper.mark(view.mark, view.family, x + 4, paper.y + 5)
        x += 26 + paper.words(x + 12, paper.y + 8, view.words, 7.5, tint="secondary")
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
        Column("", 60), Column(told.time_title, 58, "R"),
        Column("Share", 40, "R"), *least,
    )  # fmt: skip
    for sentence in cautions(report):
        paper.paragraph(sentence, 7.5)
    sums = sum_sentence(report)
    if sums:
        paper.paragraph(f"{sums[0].upper()}{sums[1:]}. {selection_words(report)}.", 7.5)
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
    from inspector.export.charts.drawing import colour

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
    paper.heading("Added by ONNX Runtime", count, 40)
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
