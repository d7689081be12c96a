"""Each shape of a drawing as the SVG element that viewers read."""

from xml.etree import ElementTree

from inspector.pages.charts.drawing import Drawing, Label, Line
from inspector.render.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*shapes: Line | Label) -> list[dict[str, str]]:
    """The attributes of each line and each text, in order."""
    root = ElementTree.fromstring(svg(Drawing("Title", 100, 50, shapes)))
    return [each.attrib for each in root if each.tag in (f"{SVG}polyline", f"{SVG}text")]


def test_a_line_has_dashes_and_opacity_only_where_it_is_drawn_so():
    points = ((0.0, 1.0), (2.5, 3.25))
    plain, faint = drawn(
        Line(points, "#112233"), Line(points, "#112233", 2, dashed=True, opacity=0.5)
    )
    assert plain == {
        "fill": "none", "stroke": "#112233", "stroke-width": "1",
        "points": "0.00,1.00 2.50,3.25", "stroke-linejoin": "round",
    }  # fmt: skip
    assert faint == plain | {
        "stroke-width": "2", "stroke-dasharray": "4 3", "stroke-opacity": "0.50"
    }  # fmt: skip


def test_a_text_has_weight_and_anchor_only_where_it_is_drawn_so():
    plain, bold = drawn(
        Label(1, 2, "a", "#112233"), Label(1, 2, "a", "#112233", 13, bold=True, anchor="end")
    )
    assert plain == {"x": "1.00", "y": "2", "fill": "#112233", "font-size": "11"}
    assert bold == plain | {"font-size": "13", "font-weight": "600", "text-anchor": "end"}
