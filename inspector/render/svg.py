"""A drawing as SVG: every text and color is in the file, or roles for a page with a theme."""

from collections.abc import Callable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from inspector import units
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, Shape, color, worded
from inspector.wording.values import ENGLISH, Wording

# An Inter of the reader's system would draw "expand1x1" with a multiplication sign.
_LETTERS_AS_WRITTEN = 'font-variant-ligatures:none;font-feature-settings:"calt" 0,"liga" 0'
# Letters; converters join the names of all layers that they fused.
_LONGEST_TITLE = 2_000


def svg(drawing: Drawing) -> bytes:
    """A file of its own; it needs no script, style sheet or font of ours."""
    drawing = worded(drawing)
    root = _root(drawing, {
        "xmlns": "http://www.w3.org/2000/svg", "style": _LETTERS_AS_WRITTEN,
        "font-family": "Inter, Helvetica, Arial, sans-serif",
    })  # fmt: skip
    SubElement(root, "title").text = units.clip(drawing.title)
    whole = Box(0, 0, drawing.width, drawing.height, "surface")
    for shape in (whole, *drawing.shapes):
        _draw(root, shape, in_page=False)
    ElementTree.indent(root)
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return body + b"\n"


def inline_svg(
    drawing: Drawing, label: str = "", look: str = "", wording: Wording = ENGLISH
) -> str:
    """An element for a page that has the roles of colors as custom properties.

    label: what it shows, if more than its title. look: its classes in the style sheet.
    """
    drawing = worded(drawing, wording)
    said = {"role": "img", "aria-label": label or units.clip(drawing.title)}
    root = _root(drawing, said | ({"class": look} if look else {}))
    for shape in drawing.shapes:
        _draw(root, shape, in_page=True)
    return ElementTree.tostring(root, "unicode")


def _root(drawing: Drawing, attributes: dict[str, str]) -> Element:
    width, height = f"{drawing.width:g}", f"{drawing.height:g}"
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return Element("svg", size | attributes)


def _draw(root: Element, shape: Shape, in_page: bool) -> None:
    def tint(name: str) -> str:
        value = color(name)
        return f"var(--{name.replace('_', '-')})" if in_page and value != name else value

    match shape:
        case Box():
            linked = in_page and shape.href
            around = SubElement(root, "a", {"href": shape.href}) if linked else root
            drawn = SubElement(around, "rect", _box(shape, tint))
            if shape.title:
                SubElement(drawn, "title").text = units.clip(str(shape.title), _LONGEST_TITLE)
        case Line():
            SubElement(root, "polyline", _line(shape, tint(shape.stroke)))
        case Label():
            drawn = SubElement(root, "text", _label(shape, tint(shape.color)))
            drawn.text = units.clip(str(shape.text), 120)


def _box(box: Box, tint: Callable[[str], str]) -> dict[str, str]:
    places = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    attributes = {name: f"{value:.2f}" for name, value in places.items()}
    attributes["fill"] = tint(box.fill)
    if box.opacity < 1:
        attributes["fill-opacity"] = f"{box.opacity:.2f}"
    if box.radius:
        attributes["rx"] = f"{box.radius:g}"
    if box.edge:
        attributes |= {"stroke": tint(box.edge), "stroke-width": f"{box.edge_width:g}"}
    return attributes


def _line(line: Line, stroke: str) -> dict[str, str]:
    attributes = {
        "fill": stroke if line.fill else "none", "stroke": stroke,
        "stroke-width": f"{line.width:g}", "stroke-linejoin": "round",
        "points": " ".join(f"{x:.2f},{y:.2f}" for x, y in line.points),
    }  # fmt: skip
    if line.fill:
        attributes["fill-opacity"] = f"{line.fill:.2f}"
    if line.dashed:
        attributes["stroke-dasharray"] = "4 3"
    if line.opacity < 1:
        attributes["stroke-opacity"] = f"{line.opacity:.2f}"
    return attributes


def _label(label: Label, fill: str) -> dict[str, str]:
    attributes = {
        "x": f"{label.x:.2f}", "y": f"{label.y:g}", "fill": fill, "font-size": f"{label.size:g}"
    }  # fmt: skip
    if label.bold:
        attributes["font-weight"] = "600"
    if label.anchor != "start":
        attributes["text-anchor"] = label.anchor
    return attributes
