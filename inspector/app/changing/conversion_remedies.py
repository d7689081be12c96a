"""What to try in place of a conversion that destroys the answers.

Each change goes back by one step in what is lost: more bits, a scale for each channel, weights
without activations, float16. Nothing of this is advice until it has been tried on the inputs.
"""

from collections.abc import Iterator, Sequence

from inspector.conversion.action import FLOAT16, Step
from inspector.conversion.registry import ACTIONS
from inspector.report.float16_check import AUTO

MOST_TRIED = 4  # recipes, each of which takes about as long as the one that failed
_INT8 = "int8"
_LITERT_FLOAT16 = "litert-float16"
_HALF: tuple[str, dict[str, str]] = (FLOAT16, {})
# For an action, others with the options that change; those of the step that an action has, too,
# stay, such as `keep`. What changes nothing is left out.
_MILDER: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "int8": (
        ("int8", {"per-channel": "yes"}),
        ("int8", {"activations": "uint16"}),
        ("weights-8bit", {}),
        _HALF,
    ),
    "int8-qoperator": (
        ("int8-qoperator", {"per-channel": "yes"}),
        ("int8", {}),
        ("int8", {"activations": "uint16"}),
        _HALF,
    ),
    "int8-dynamic": (("weights-8bit", {}), _HALF),
    "weights-2bit": (("weights-4bit", {}), ("weights-8bit", {}), _HALF),
    "weights-4bit": (("weights-8bit", {}), _HALF),
    "nf4": (("weights-8bit", {}), _HALF),
    "embeddings-4bit": (("embeddings-8bit", {}), _HALF),
    "embeddings-8bit": (_HALF,),
    "float8": (("float8", {"kind": "e4m3"}), ("palettize", {"bits": "8"}), _HALF),
    "mxfp4": (("nvfp4", {}), ("float8", {}), _HALF),
    "nvfp4": (("float8", {}), _HALF),
    "palettize": (("palettize", {"bits": "8"}), _HALF),
    "sparse": (
        ("sparse", {"zeros": "30", "pattern": "any"}),
        ("palettize", {"bits": "8"}),
        _HALF,
    ),
    "bfloat16": (_HALF,),
    "float16": ((FLOAT16, {"keep": AUTO}),),
    "litert-int8": (
        ("litert-int8", {"activations": "int16"}),
        ("litert-int8-weights", {}),
        (_LITERT_FLOAT16, {}),
    ),
    "litert-int8-dynamic": (
        ("litert-int8-dynamic", {"bits": "8"}),
        ("litert-int8-weights", {"bits": "8"}),
        (_LITERT_FLOAT16, {}),
    ),
    "litert-int8-weights": (("litert-int8-weights", {"bits": "8"}), (_LITERT_FLOAT16, {})),
}  # fmt: skip


def alternatives(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Yield recipes that lose less, those that are nearest to the recipe first."""
    place = next(
        (n for n, step in reversed([*enumerate(steps)]) if step.action in _MILDER), None
    )
    if place is None:
        return
    seen = {_meaning(steps[place])}
    for action, changes in _MILDER[steps[place].action]:
        options = {option.name for option in ACTIONS[action].options}
        common_options = {
            name: value for name, value in steps[place].options if name in options
        }
        pairs, usual = (common_options | changes).items(), _usual(action)
        step = Step(action, tuple(pair for pair in pairs if pair not in usual))
        if _meaning(step) not in seen:
            seen.add(_meaning(step))
            yield (*steps[:place], step, *steps[place + 1 :])


def _meaning(step: Step) -> tuple[str, frozenset[tuple[str, str]]]:
    """Return a step without options that have their usual value."""
    return step.action, frozenset(step.options) - _usual(step.action)


def _usual(action: str) -> frozenset[tuple[str, str]]:
    """Return the options of an action with the values that they have where none is given."""
    return frozenset((option.name, option.default) for option in ACTIONS[action].options)


def can_be_ranked(steps: Sequence[Step]) -> bool:
    """Return whether `convert --sensitivity` finds the layers that lose most by a recipe."""
    return bool(steps) and ACTIONS[steps[-1].action].calibrates
