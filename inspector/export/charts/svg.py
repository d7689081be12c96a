"""A drawing as SVG: every text and color is in the file, or roles for a page with a theme."""

from collections.abc import Callable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from inspector import units
from inspector.export.charts.drawing import Box, Drawing, Label, Line, Shape, color, worded
from inspector.wording.values import ENGLISH, Wording

# An Inter of the reader's system would draw "expand1x1" with a multiplication sign.
_LETTERS_AS_WRITTEN = 'font-variant-ligatures:none;font-feature-settings:"calt" 0,"liga" 0'


def svg(drawing: Drawing) -> bytes:
    """A file of its own; it needs no script, style sheet or font of ours."""
    drawing = worded(drawing)
    root = _root(drawing)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("font-family", "Inter, Helvetica, Arial, sans-serif")
    root.set("style", _LETTERS_AS_WRITTEN)
    root.set("width", f"{drawing.width:g}")
    root.set("height", f"{drawing.height:g}")
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
    root = _root(drawing)
    root.set("role", "img")
    root.set("aria-label", label or units.clip(drawing.title))
    root.set("width", f"{drawing.width:g}")
    root.set("height", f"{drawing.height:g}")
    if look:
        root.set("class", look)
    for shape in drawing.shapes:
        _draw(root, shape, in_page=True)
    return ElementTree.tostring(root, "unicode")


def _root(drawing: Drawing) -> Element:
    box = f"0 0 {drawing.width:g} {drawing.height:g}"
    return Element("svg", {"viewBox": box})


def _draw(root: Element, shape: Shape, in_page: bool) -> None:
    def tint(name: str) -> str:
        value = color(name)
        return f"var(--{name.replace('_', '-')})" if in_page and value != name else value

    match shape:
        case Box():
            linked = in_page and shape.href
            around = SubElement(root, "a", {"href": shape.href}) if linked else root
            _box(around, shape, tint)
        case Line():
            _line(root, shape, tint(shape.stroke))
        case Label():
            _label(root, shape, tint(shape.color))


def _box(root: Element, box: Box, tint: Callable[[str], str]) -> None:
    attributes = {
        "x": f"{box.x:.2f}",
        "y": f"{box.y:.2f}",
        "width": f"{box.width:.2f}",
        "height": f"{box.height:.2f}",
        "fill": tint(box.fill),
    }
    if box.opacity < 1:
        attributes["fill-opacity"] = f"{box.opacity:.2f}"
    if box.radius:
        attributes["rx"] = f"{box.radius:g}"
    if box.edge:
        attributes |= {"stroke": tint(box.edge), "stroke-width": f"{box.edge_width:g}"}
    drawn = SubElement(root, "rect", attributes)
    if box.title:
        SubElement(drawn, "title").text = units.clip(str(box.title))


def _line(root: Element, line: Line, stroke: str) -> None:
    attributes = {
        "fill": stroke if line.fill else "none",
        "stroke": stroke,
        "stroke-width": f"{line.width:g}",
    }
    if line.fill:
        attributes["fill-opacity"] = f"{line.fill:.2f}"
    if line.dashed:
        attributes["stroke-dasharray"] = "4 3"
    if line.opacity < 1:
        attributes["stroke-opacity"] = f"{line.opacity:.2f}"
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in line.points)
    SubElement(root, "polyline", attributes | {"points": points, "stroke-linejoin": "round"})


def _label(root: Element, shape: Label, fill: str) -> None:
    attributes = {"x": f"{shape.x:.2f}", "y": f"{shape.y:g}", "fill": fill}
    attributes["font-size"] = f"{shape.size:g}"
    if shape.bold:
        attributes["font-weight"] = "600"
    if shape.anchor != "start":
        attributes["text-anchor"] = shape.anchor
    SubElement(root, "text", attributes).text = units.clip(str(shape.text), 120)
