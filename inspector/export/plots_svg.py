"""The plots of a report as one SVG picture for papers and slides.

Every text and colour is in the file; it needs no script, style sheet or font of ours.
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from inspector import look, units
from inspector.export.charts import histogram, series
from inspector.report import PerformanceReport

WIDTH, MOST_LAYERS = 720, 12
_LEFT, _TALL, _BAR, _MARGIN = 64, 140, 20, 16
_PALETTE = look.LIGHT
_SMALL = {"font_size": "10", "fill": _PALETTE.tertiary}


def plots_svg(report: PerformanceReport) -> bytes:
    """Predictions in order, how they spread, and the longest layers, one below the other."""
    longest = sorted(
        (layer for layer in report.layers if layer.time_ns), key=lambda x: -(x.time_ns or 0)
    )[:MOST_LAYERS]
    tall = 2 * (_TALL + 64) + 40 + _BAR * len(longest) + _MARGIN
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {tall}",
            "width": str(WIDTH),
            "height": str(tall),
            "font-family": "Inter, Helvetica, Arial, sans-serif",
            "font-size": "12",
        },
    )
    SubElement(root, "title").text = units.clip(f"Performance of {report.model.name}")
    SubElement(
        root, "rect", {"width": str(WIDTH), "height": str(tall), "fill": _PALETTE.surface}
    )
    _series(root, report, 0)
    _histogram(root, report, _TALL + 64)
    _layers(root, report, [(x.name or x.operator, x.time_ns or 0) for x in longest])
    ElementTree.indent(root)
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return body + b"\n"


def _text(root: Element, x: float, y: float, words: str, **look_of: str) -> None:
    given = {"x": f"{x:g}", "y": f"{y:g}", "fill": _PALETTE.text}
    changes = {name.replace("_", "-"): value for name, value in look_of.items()}
    SubElement(root, "text", given | changes).text = units.clip(words, 80)


def _series(root: Element, report: PerformanceReport, top: float) -> None:
    found = series(report.prediction_ns)
    _text(root, _MARGIN, top + 24, "Predictions, in order", font_weight="600")
    if found is None:
        return
    begin, wide = top + 36, WIDTH - _LEFT - _MARGIN
    for line in (*found.grid, *found.levels):
        y = f"{begin + line.at * _TALL / 100:.2f}"
        level = line in found.levels
        tint = _PALETTE.accent if level else _PALETTE.grid
        ends = {"x1": str(_LEFT), "x2": str(WIDTH - _MARGIN), "y1": y, "y2": y}
        SubElement(root, "line", ends | {"stroke": tint, "stroke-width": "1"})
        if level:  # at either end, since the two may lie close together
            x, anchor = (WIDTH - _MARGIN, "end") if line.text == "p95" else (_LEFT + 4, "start")
            _text(root, x, float(y) - 3, line.text, text_anchor=anchor, **_SMALL)
        else:
            _text(root, _LEFT - 8, float(y) + 4, line.text, text_anchor="end", **_SMALL)
    shift = f"translate({_LEFT} {begin:g}) scale({wide / 100:g} {_TALL / 100:g})"
    drawn = {"d": found.path, "fill": "none", "stroke": _PALETTE.activity}
    SubElement(
        root, "path", drawn | {"transform": shift, "vector-effect": "non-scaling-stroke"}
    )


def _histogram(root: Element, report: PerformanceReport, top: float) -> None:
    bars = histogram(report.prediction_ns)
    _text(root, _MARGIN, top + 24, "How they spread", font_weight="600")
    wide = (WIDTH - _LEFT - _MARGIN) / max(1, len(bars))
    for place, bar in enumerate(bars):
        tall = bar.height * _TALL
        box = {
            "x": f"{_LEFT + place * wide + 1:.2f}",
            "y": f"{top + 36 + _TALL - tall:.2f}",
            "width": f"{wide - 2:.2f}",
            "height": f"{tall:.2f}",
            "fill": _PALETTE.activity if bar.median else _PALETTE.selection,
        }
        SubElement(SubElement(root, "rect", box), "title").text = bar.title
    if bars:
        below, samples = top + _TALL + 50, report.prediction_ns
        _text(root, _LEFT, below, units.duration(min(samples)), **_SMALL)
        words = f"{units.duration(max(samples))}; the last bar takes all that lies far out"
        _text(root, WIDTH - _MARGIN, below, words, text_anchor="end", **_SMALL)


def _layers(root: Element, report: PerformanceReport, rows: list[tuple[str, int]]) -> None:
    top, names = 2 * (_TALL + 64), 260
    if not rows:
        return
    _text(root, _MARGIN, top + 24, "Longest layers", font_weight="600")
    room = WIDTH - names - 130 - _MARGIN
    for place, (name, time) in enumerate(rows):
        y = top + 36 + place * _BAR
        shown = name if len(name) <= 36 else f"…{name[-35:]}"
        _text(root, _MARGIN, y + 13, shown)
        box = {"x": str(names), "y": str(y + 3), "height": "13", "fill": _PALETTE.activity}
        SubElement(root, "rect", box | {"width": f"{max(1, room * time / rows[0][1]):.2f}"})
        words = f"{units.milliseconds(time)} · {units.share(time, report.kernel_ns)}"
        _text(root, WIDTH - _MARGIN, y + 13, words, text_anchor="end")
