"""The name of a recipe: titles of its actions, with the options that were chosen."""

import pytest

from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS, LITERT_ACTIONS, recipe_name


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ("int8", "Int8 (static)"),
        ("int8:method=average", "Int8 (static), average ranges"),
        ("int8:method=minmax", "Int8 (static)"),  # as by default
        ("int8:keep=a+b,weights=uint8", "Int8 (static), 2 layers in float, uint8 weights"),
        ("int8:per-channel=no", "Int8 (static), one scale per channel: no"),
        ("palettize:bits=2", "Palettized weights, 2 bits"),
        ("simplify float16", "Simplify, Float16"),
        ("fix-axes:batch=1", "Fix dynamic axes"),
        ("litert-int8-dynamic:bits=4", "Int8 (dynamic), 4-bit weights"),
    ],
)
def test_a_recipe_is_called_by_its_actions(steps, name):
    known = ACTIONS | LITERT_ACTIONS
    assert recipe_name([parse_step(step, known) for step in steps.split()]) == name
