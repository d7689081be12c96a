"""Numbers as colors."""

import numpy as np
import pytest

from inspector.pages.charts.palette import DARK, LIGHT, Palette, luminance
from inspector.ui.tabs.weights.heat_map import colors, pixels, scale


def shown(values: list[float], palette: Palette) -> list[str]:
    array = np.array([values])
    found = scale(array)
    assert found is not None
    return [f"#{pixel & 0xFFFFFF:06X}" for pixel in pixels(array, found, colors(palette))[0]]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_zero_has_the_color_of_the_surface_and_the_ends_stand_out(palette):
    low, zero, high, nan, inf = shown([-2, 0, 2, np.nan, np.inf], palette)
    assert zero == (palette.raised if palette.dark else palette.window)
    assert high == inf
    assert nan == palette.npu
    for end in (low, high):
        assert abs(luminance(end) - luminance(zero)) > 0.4
    assert int(low[1:3], 16) > int(low[5:7], 16), "below zero is warm"
    assert int(high[1:3], 16) < int(high[5:7], 16), "above zero is cold"


def test_a_few_large_values_do_not_hide_the_rest():
    values = np.ones((100, 100))
    values[0, 0] = 1e6
    found = scale(values)
    assert (found.limit, found.high) == (1, 1e6)


def test_mostly_zeros_keep_a_scale_and_nothing_has_none():
    values = np.zeros((100, 100))
    assert scale(values) is not None
    values[0, 0] = -3
    found = scale(values)
    assert found.limit == 3
    assert scale(np.array([np.nan, np.inf])) is None
