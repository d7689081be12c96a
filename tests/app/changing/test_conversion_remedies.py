"""What is tried in place of a conversion that destroys the answers."""

import pytest

from inspector.app.changing.conversion_remedies import _MILDER, alternatives
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS


def tried(*texts: str) -> list[str]:
    steps = [parse_step(text, ACTIONS) for text in texts]
    return [" ".join(step.text for step in each) for each in alternatives(steps)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int8", ["int8:activations=uint16", "weights-8bit", "float16"]),
        (
            "int8:per-channel=no,keep=a+b",
            [
                "int8:keep=a+b",
                "int8:per-channel=no,keep=a+b,activations=uint16",
                "weights-8bit:keep=a+b",
                "float16:keep=a+b",
            ],
        ),
        ("int8:activations=uint16", ["weights-8bit", "float16"]),
        ("int8-qoperator:per-channel=yes",
         ["int8", "int8:activations=uint16", "float16"]),
        ("weights-4bit:block=64", ["weights-8bit:block=64", "float16"]),
        ("palettize:bits=8", ["float16"]),
        ("float16:keep=auto", []),
        ("opset:21", []),
    ],
)  # fmt: skip
def test_steps_that_lose_less_are_tried_with_the_options_that_they_share(text, expected):
    assert tried(text) == expected


def test_other_steps_of_a_recipe_stay():
    assert tried("simplify", "nf4", "strip") == [
        "simplify weights-8bit strip", "simplify float16 strip",
    ]  # fmt: skip


def test_all_that_is_tried_exists():
    for action, milder in _MILDER.items():
        for other, changes in ((action, {}), *milder):
            options = ",".join(f"{name}={value}" for name, value in changes.items())
            parse_step(f"{other}:{options}" if options else other, ACTIONS)
