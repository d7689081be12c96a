"""Numbers on the command line, read or refused before a command begins."""

import argparse
from collections.abc import Callable

from inspector.units import clip

MOST = 1_000_000


def at_least(least: int) -> Callable[[str], int]:
    """What reads a whole number from `least` on."""

    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= MOST:
            raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is no number from {least} on")
        return int(text)

    return number


def several(text: str) -> tuple[int, ...]:
    """Read '1,2,4': numbers from 1 on, each once."""
    return tuple(dict.fromkeys(map(at_least(1), text.split(","))))


def between(least: float, most: float, words: str) -> Callable[[str], float]:
    """What reads a real number of a range; another one 'is `words`', such as 'not a share'."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is {words}")
        return value

    return number


tolerance = between(0.0, 1e300, "not a tolerance")
