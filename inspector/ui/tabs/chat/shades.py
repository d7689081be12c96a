"""What the color of a token says: how sure the model was of it, or how long it took."""

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from inspector.pages.charts.palette import Palette, mix
from inspector.report.language.generation import GeneratedToken
from inspector.ui.translate import mark

LEAST_SURE = 0.5  # probability; below it a bar stands under the token, which reads in gray
STRENGTHS = (0.0, 0.1, 0.24, 0.4)  # of caution in the surface, by shade; text stays readable
_PROBABILITIES = (0.1, LEAST_SURE, 0.9)  # between the shades, the strongest first
_ENTROPIES = (0.5, 1.5, 3.0)  # bits; a fair choice among 1.4, 2.8 and 8 tokens
_TIMES = (1.15, 1.5, 2.0)  # times the median step of the answer


class ColorBy(StrEnum):
    """What tokens are colored by."""

    PROBABILITY = "probability"
    ENTROPY = "entropy"
    TIME = "time"
    OFF = "off"


TITLES = {
    ColorBy.PROBABILITY: mark("Probability"),
    ColorBy.ENTROPY: mark("Entropy"),
    ColorBy.TIME: mark("Time"),
    ColorBy.OFF: mark("Off"),
}
LEGENDS = {
    ColorBy.PROBABILITY: (
        mark("Probability of a token"),
        (mark("under 10%"), mark("10 to 50%"), mark("50 to 90%"), mark("90% or more")),
    ),
    ColorBy.ENTROPY: (
        mark("Entropy of the choice"),
        (mark("3 bits or more"), mark("1.5 to 3"), mark("0.5 to 1.5"), mark("under 0.5")),
    ),
    ColorBy.TIME: (
        mark("Time of a token"),
        (
            mark("twice the median or more"),
            mark("1.5 to 2 times"),
            mark("1.15 to 1.5 times"),
            mark("less"),
        ),
    ),
}


def shade(token: GeneratedToken, by: ColorBy, median_ns: float) -> int:
    """Return how strongly a token is colored: 0 for not at all, 3 for most.

    median_ns: of the steps of its answer; 0 while none is known.
    """
    if by is ColorBy.PROBABILITY:
        return 3 - bisect_right(_PROBABILITIES, token.probability)
    if by is ColorBy.ENTROPY:
        return bisect_right(_ENTROPIES, token.entropy_bits)
    if by is ColorBy.TIME and median_ns > 0:
        return bisect_right(_TIMES, token.step_ns / median_ns)
    return 0


@cache
def color(look: Palette, strength: int) -> str:
    """Return the ground of a token with a shade, as '#RRGGBB'."""
    return mix(look.surface, look.caution, STRENGTHS[strength])


def median_step_ns(tokens: Sequence[GeneratedToken]) -> float:
    """Return the median time of the steps after the first token; 0 if there is none."""
    steps = sorted(token.step_ns for token in tokens[1:])
    middle = len(steps) // 2
    if not steps:
        return 0
    return steps[middle] if len(steps) % 2 else (steps[middle - 1] + steps[middle]) / 2
