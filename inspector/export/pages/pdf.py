"""The report on paper: a PDF of vectors and text, made without a screen.

`Paper` lays drawings, tables and texts on sheets, from top to bottom; points, A4.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from itertools import pairwise

import numpy as np
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.svgLib.path import parse_path
from fpdf import FPDF

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
from inspector.export.charts.drawing import Box, Drawing, Label, Line, Point, colour, on_surface
from inspector.export.charts.fonts import Face, font_file, runs, shown, width
from inspector.export.charts.improvement_plot import pareto_plot
from inspector.export.charts.palette import MARKER_BOX, MARKERS, Stroke, on_top
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
from inspector.report.support_marks import Mark

# Marks of layers as points: the shapes of `MARKERS` with their curves as short lines.
_PIECES = 10  # of a curve; a mark is as small as a letter


@cache
def strokes_of(mark: Mark) -> tuple[tuple[Stroke, tuple[tuple[Point, ...], ...]], ...]:
    """Each stroke of a mark with its lines, in the box of the marks."""
    return tuple((stroke, _mark_points_lines(stroke.path)) for stroke in MARKERS[mark])


def _mark_points_lines(path: str) -> tuple[tuple[Point, ...], ...]:
    pen = DecomposingRecordingPen({})
    parse_path(path, pen)
    lines: list[list[Point]] = []
    for kind, points in pen.value:
        if kind == "moveTo":
            lines.append([points[0]])
        elif kind == "closePath":
            lines[-1].append(lines[-1][0])
        elif kind == "lineTo":
            lines[-1].append(points[0])
        elif kind in ("curveTo", "qCurveTo"):
            lines[-1] += _curve((lines[-1][-1], *points))
    return tuple(tuple(line) for line in lines)


def _curve(points: tuple[Point, ...]) -> list[Point]:
    """Points on a Bézier curve of any degree, by de Casteljau."""
    segments = []
    for piece in range(1, _PIECES + 1):
        share, level = piece / _PIECES, list(points)
        while len(level) > 1:
            pairs = pairwise(level)
            level = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairs]
        segments.append(level[0])
    return segments


# A4 in points.
WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 40.0
ROOM = WIDTH - 2 * MARGIN
FONT = "Inter"
_FOOT = 30.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, its width in points, and "L", "R" or "C"."""

    head: str
    width: float
    side: str = "L"


class Paper(FPDF):
    """A document that is filled from top to bottom."""

    def __init__(self, title: str, foot: str) -> None:
        super().__init__(unit="pt", format="A4")
        self._footer_text, self._faces = foot, dict[Face, int]()
        self.escaped = False
        self.set_title(shown(title))
        self.set_creator("Inspector")
        self.set_lang("en")
        self.set_margin(MARGIN)
        self.set_auto_page_break(False)
        self.c_margin = 0
        self.add_font(FONT, "", font_file())
        self.add_font(FONT, "B", font_file(bold=True))
        self.add_page()

    def footer(self) -> None:
        """Draw the footer of each page."""
        self.draw_text(MARGIN, HEIGHT - 22, self._footer_text, 7, tint="tertiary")
        self.draw_text(WIDTH - MARGIN, HEIGHT - 22, str(self.page_no()), 7, "R", "tertiary")

    def need(self, height: float) -> None:
        """Go on to the next sheet where there is less room than this."""
        if self.y + height > HEIGHT - MARGIN - _FOOT / 2:
            self.add_page()
            self.y = MARGIN

    def draw_text(
        self, x: float, y: float, text: str, size: float = 8, side: str = "L",
        tint: str = "text", bold: bool = False,
    ) -> float:  # fmt: skip
        """Write a line whose base is at y; returns its width."""
        self.set_text_color(colour(tint))
        wide = size * width(text, bold)
        x -= {"L": 0.0, "R": wide, "C": wide / 2}[side]
        parts = runs(text, bold)
        for face, part in parts:
            self._take(face, size, bold)
            self.text(x, y, part)
            x += size * width(part, bold)
        self.escaped |= sum(len(part) for _, part in parts) > len(text)
        return wide

    def fitted(self, text: str, room: float, size: float = 8, bold: bool = False) -> str:
        """Return the end of a text that fits; a layer's last scope says most."""
        text = units.clip(text, 200)
        if size * width(text, bold) <= room:
            return text
        room -= size * width("…", bold)
        first = len(text)
        while first and (room := room - size * width(text[first - 1], bold)) >= 0:
            first -= 1
        return "…" + text[first:]

    def paragraph(self, text: str, size: float = 8, tint: str = "secondary") -> None:
        """Write as many lines as a text needs."""
        for line in _lines(text, ROOM / size):
            self.need(size * 1.45)
            self.y += size * 1.45
            self.draw_text(MARGIN, self.y - 0.3 * size, line, size, tint=tint)

    def _take(self, face: Face, size: float, bold: bool) -> None:
        """Write with a font from now on; the system's are added when they are needed."""
        if face.ours:
            self.set_font(FONT, "B" if bold else "", size)
            return
        name = f"face{self._faces.setdefault(face, len(self._faces))}"
        if name not in self.fonts:
            self.add_font(name, "", face.path)
        self.set_font(name, "", size)

    def heading(self, text: str, subtitle: str = "", below: float = 40) -> None:
        """Begin a section that has at least so much below its heading."""
        self.y += 14
        self.need(24 + below)
        self.y += 12
        wide = self.draw_text(MARGIN, self.y, text, 10.5, bold=True)
        self.draw_text(MARGIN + wide + 8, self.y, subtitle, 8, tint="tertiary")
        self.y += 8

    def drawing(self, drawing: Drawing, x: float, width: float) -> float:
        """Put a drawing at x below what is there; returns its height, the place stays."""
        scale, top = width / drawing.width, self.y
        for shape in drawing.shapes:
            match shape:
                case Box():
                    self._box(shape, x, top, scale)
                case Line():
                    self._line(shape, x, top, scale)
                case Label():
                    side = {"start": "L", "middle": "C", "end": "R"}[shape.anchor]
                    place = (x + shape.x * scale, top + shape.y * scale)
                    size, text = shape.size * scale, units.clip(shape.text, 120)
                    self.draw_text(*place, text, size, side, shape.colour, shape.bold)
        return drawing.height * scale

    def mark(self, mark: Mark, family: str, x: float, y: float, size: float = 8) -> None:
        """Draw a layer's support mark, centered; its shape has the meaning."""
        scale = size / MARKER_BOX
        unit = colour(family)
        tints = {"unit": unit, "on unit": on_top(unit)}
        for stroke, lines in strokes_of(mark):
            tint = tints.get(stroke.colour) or colour(stroke.colour)
            self.set_draw_color(tint)
            self.set_fill_color(tint)
            self.set_line_width(stroke.width * scale)
            if stroke.dashed:
                self.set_dash_pattern(2 * scale, 1.6 * scale)
            for line in lines:
                points = [(x + a * scale - size / 2, y + b * scale - size / 2) for a, b in line]
                self.polyline(points, style="F" if stroke.filled else "D")
            if stroke.dashed:
                self.set_dash_pattern()

    def table_head(self, columns: Sequence[Column]) -> None:
        """Write the heads of a table."""
        self.y += 12
        for left, column in lefts(columns):
            at = left + {"L": 0.0, "R": column.width, "C": column.width / 2}[column.side]
            self.draw_text(at, self.y, column.head, 7.5, column.side, "secondary", bold=True)
        self.y += 4
        self.rule("border")

    def table_row(
        self, columns: Sequence[Column], texts: Sequence[str], with_rule: bool = True
    ) -> None:
        """Write a row, with its columns' heads again on a new sheet."""
        before = self.page_no()
        self.need(13)
        if self.page_no() != before:
            self.table_head(columns)
        self.y += 10
        for (left, column), text in zip(lefts(columns), texts, strict=True):
            at = left + {"L": 0.0, "R": column.width, "C": column.width / 2}[column.side]
            self.draw_text(
                at, self.y, self.fitted(text, column.width - 6, 7.5), 7.5, column.side
            )
        self.y += 3
        if with_rule:
            self.rule("hairline")

    def rule(self, tint: str) -> None:
        """A thin line across."""
        self.set_draw_color(colour(tint))
        self.set_line_width(0.4)
        self.line(MARGIN, self.y, WIDTH - MARGIN, self.y)

    def _box(self, box: Box, x: float, top: float, scale: float) -> None:
        self.set_fill_color(on_surface(box.fill, box.opacity))
        if box.edge:
            self.set_draw_color(colour(box.edge))
            self.set_line_width(2 * scale)
        wide, high = box.width * scale, box.height * scale
        style = "DF" if box.edge else "F"
        left, high_up = x + box.x * scale, top + box.y * scale
        radius = min(box.radius * scale, wide / 2, high / 2)
        if 2 * radius >= max(wide, high):
            self.ellipse(left, high_up, wide, high, style=style)
            return
        rounded = radius > 0.3
        self.rect(
            left, high_up, wide, high, style=style, round_corners=rounded, corner_radius=radius
        )

    def _line(self, line: Line, x: float, top: float, scale: float) -> None:
        self.set_draw_color(on_surface(line.stroke, line.opacity))
        self.set_line_width(max(0.3, line.width * scale))
        if line.dashed:
            self.set_dash_pattern(4 * scale, 3 * scale)
        self.polyline([(x + a * scale, top + b * scale) for a, b in line.points])
        if line.dashed:
            self.set_dash_pattern()


def lefts(columns: Sequence[Column]) -> list[tuple[float, Column]]:
    """Columns with where they begin, on the sheet."""
    positions, at = [], MARGIN
    for column in columns:
        positions.append((at, column))
        at += column.width
    return positions


def _lines(text: str, room: float) -> Iterator[str]:
    """Return a text wrapped into lines, between words where possible."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width(longer) <= room:
            line = longer
            continue
        if line:
            yield line
        line = word
        while width(line) > room:
            fits = max(1, int(len(line) * room / width(line)))
            yield line[:fits]
            line = line[fits:]
    if line:
        yield line


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
        words = list(_lines(name, (wide - 3) / 5.8))
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
