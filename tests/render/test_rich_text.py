"""Lines of a text that is laid out by its renderer."""

from inspector.render.rich_text import Span, Style, lines


def wrapped(text: str, room: int) -> list[str]:
    made = lines((Span(text, Style(name=True)),), room, lambda span: len(span.text))
    return ["".join(span.text for span in line) for line in made]


def test_a_long_operator_ends_its_lines_before_a_capital_letter():
    assert wrapped("SkipSimplifiedLayerNormalization", 20) == [
        "SkipSimplifiedLayer", "Normalization",
    ]  # fmt: skip
    assert wrapped("abcdefghijklmnop", 10) == ["abcdefghij", "klmnop"]
    assert wrapped("model.layers.0.QuickGelu", 14) == ["model.layers.", "0.QuickGelu"]
