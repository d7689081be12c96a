"""A PDF as A4 sheets that are filled from top to bottom; lengths are points."""

from functools import cache
from itertools import pairwise

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.svgLib.path import parse_path
from fpdf import FPDF

from inspector import units
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, Point, color, on_surface
from inspector.pages.charts.palette import MARKER_BOX, MARKERS, Stroke, on_top
from inspector.render.fonts import Face, font_file, runs, shown, width
from inspector.wording.support_marks import Mark

WIDTH = 595.0
HEIGHT = 842.0
MARGIN = 40.0
ROOM = WIDTH - 2 * MARGIN
FONT = "Inter"
_FOOT = 30.0
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
        self.set_text_color(color(tint))
        wide = size * width(text, bold)
        x -= {"L": 0.0, "R": wide, "C": wide / 2}[side]
        parts = runs(text, bold)
        for face, part in parts:
            self._take(face, size, bold)
            self.text(x, y, part)
            x += size * width(part, bold)
        self.escaped |= sum(len(part) for _, part in parts) > len(text)
        return wide

    def _take(self, face: Face, size: float, bold: bool) -> None:
        """Write with a font from now on; the system's are added when they are needed."""
        if face.ours:
            self.set_font(FONT, "B" if bold else "", size)
            return
        name = f"face{self._faces.setdefault(face, len(self._faces))}"
        if name not in self.fonts:
            self.add_font(name, "", face.path)
        self.set_font(name, "", size)

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
                    size, text = shape.size * scale, units.clip(str(shape.text), 120)
                    self.draw_text(*place, text, size, side, shape.color, shape.bold)
        return drawing.height * scale

    def mark(self, mark: Mark, family: str, x: float, y: float, size: float = 8) -> None:
        """Draw a layer's support mark, centered; its shape has the meaning."""
        scale = size / MARKER_BOX
        unit = color(family)
        tints = {"unit": unit, "on unit": on_top(unit)}
        for stroke, lines in strokes_of(mark):
            tint = tints.get(stroke.color) or color(stroke.color)
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

    def rule(self, tint: str) -> None:
        """A thin line across."""
        self.set_draw_color(color(tint))
        self.set_line_width(0.4)
        self.line(MARGIN, self.y, WIDTH - MARGIN, self.y)

    def _box(self, box: Box, x: float, top: float, scale: float) -> None:
        self.set_fill_color(on_surface(box.fill, box.opacity))
        if box.edge:
            self.set_draw_color(color(box.edge))
            self.set_line_width(box.edge_width * scale)
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
        points = [(x + a * scale, top + b * scale) for a, b in line.points]
        if line.fill:
            self.set_fill_color(on_surface(line.stroke, line.fill))
        self.polyline(points, style="D" * bool(line.width) + "F" * bool(line.fill))
        if line.dashed:
            self.set_dash_pattern()
