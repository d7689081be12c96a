"""Contrast as WCAG 2 defines it, on values that its definition and its calculators give."""

import pytest

from inspector.pages.charts.palette import DARK, LIGHT, contrast, luminance, mix, readable


@pytest.mark.parametrize(
    ("color", "expected"),
    [
        ("#000000", 0.0),
        ("#ffffff", 1.0),
        ("#0a0a0a", 10 / 255 / 12.92),
        ("#ff0000", 0.2126),
        ("#00ff00", 0.7152),
        ("#0000ff", 0.0722),
        ("#808080", 0.21586),
    ],
)
def test_relative_luminance(color, expected):
    assert luminance(color) == pytest.approx(expected, abs=1e-5)


def test_contrast_is_the_same_both_ways():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")
    assert contrast("#123456", "#123456") == 1


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_outlines_and_text_stand_out_from_every_background(palette):
    """WCAG 2.1 AA: 3:1 for outlines of controls and the focus, 4.5:1 for text."""
    backgrounds = ("window", "surface", "sidebar", "bar", "raised")
    for name in backgrounds:
        ground = getattr(palette, name)
        for outline in (palette.control, palette.accent, palette.tertiary):
            assert contrast(outline, ground) >= 3, (outline, name)
        for text in (palette.text, palette.secondary, palette.tertiary):
            assert contrast(text, ground) >= 4.5, (text, name)
    assert contrast(palette.control, palette.track) >= 2.5  # of tabs, which have names, too
    assert contrast("#FFFFFF", palette.fill) >= 4.5
    assert contrast(palette.on_selection, palette.selection) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("role", ["good", "caution", "bad", "activity", "tertiary", "accent"])
def test_any_color_is_made_readable_on_any_ground(palette, role):
    own = getattr(palette, role)
    for ground in (
        palette.raised,
        palette.selection,
        palette.track,
        mix(palette.raised, own, 0.12),
    ):
        assert contrast(readable(own, ground, palette), ground) >= 4.5
    assert readable(palette.text, palette.surface, palette) == palette.text
