"""Contrast as WCAG 2 defines it, on values that its definition and its calculators give."""

import pytest

from inspector.export.charts.palette import contrast, luminance


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
def test_relative_luminance(color: str, expected: float) -> None:
    assert luminance(color) == pytest.approx(expected, abs=1e-5)


def test_contrast_is_the_same_both_ways() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")
    assert contrast("#123456", "#123456") == 1
