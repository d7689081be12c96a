"""Operator families and the colors for them."""

from itertools import combinations

import numpy as np
import pytest

from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import DARK, LIGHT
from inspector.ui.graph.coloring import FAMILIES, TYPES, element_type, family

# Machado, Oliveira and Fernandes (2009), full severity, for linear RGB.
SIGHTS = {
    "all cones": np.eye(3),
    "no long": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "no middle": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "no short": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
TO_CONES = np.array(
    [[0.41222147, 0.53633254, 0.05144599], [0.21190350, 0.68069955, 0.10739696],
     [0.08830246, 0.28171884, 0.62997870]]
)  # fmt: skip
TO_LAB = np.array(
    [[0.21045426, 0.79361779, -0.00407205], [1.97799850, -2.42859221, 0.45059371],
     [0.02590404, 0.78277177, -0.80867577]]
)  # fmt: skip


def seen(color: str, sight: np.ndarray) -> np.ndarray:
    """A color in OKLab as somebody with this sight sees it."""
    values = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return TO_LAB @ np.cbrt(TO_CONES @ np.clip(sight @ linear, 0, 1))


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_the_six_colors_can_be_told_apart(palette, sight):
    shades = [seen(color, SIGHTS[sight]) for color in palette.series]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(shades, 2)) >= 0.1


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_each_color_stands_out_from_the_surface(palette):
    assert min(palette_module.contrast(color, palette.surface) for color in palette.series) >= 3


@pytest.mark.parametrize(
    ("operator", "name"),
    [("Conv", "Linear algebra"), ("Gelu", "Activation"), ("Add", "Element-wise"),
     ("MaxPool", "Normalization, pooling"), ("Reshape", "Data movement"), ("Mystery", "Other")],
)  # fmt: skip
def test_an_operator_belongs_to_a_family(operator, name):
    assert FAMILIES[family(operator)] == name


@pytest.mark.parametrize(
    ("dtype", "name"),
    [("bfloat16", "float16"), ("uint4", "8 bits or fewer"), ("int64", "Integers of 16 "
    "bits or more"),
     ("string", "Other"), ("float8e5m2", "8 bits or fewer")],
)  # fmt: skip
def test_types_are_put_together_by_their_width(dtype, name):
    assert TYPES[element_type(dtype)] == name
