"""What options are made of: types that reject wrong values, and renamed options."""

import argparse
from collections.abc import Callable
from typing import Any, Protocol

from inspector.units import clip

MOST = 1_000_000  # runs, threads, ...: far more than any machine can use


def at_least(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers of `least` or more."""

    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= MOST:
            raise argparse.ArgumentTypeError(
                f"'{clip(text, 80)}' is not a whole number of {least} or more"
            )
        return int(text)

    return number


def several(text: str) -> tuple[int, ...]:
    """Return the numbers of '1,2,4', each of them once and at least 1."""
    return tuple(dict.fromkeys(map(at_least(1), text.split(","))))


def between(least: float, most: float, message: str) -> Callable[[str], float]:
    """Return a reader of real numbers of a range; its error is "VALUE is `message`"."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is {message}")
        return value

    return number


tolerance = between(0.0, 1e300, "not a tolerance")


def add_renamed(parser: "Options", name: str, old_name: str, **more: Any) -> None:
    """Add an option under a name, and keep its old name as an alias that the help omits."""
    parser.add_argument(name, **more)
    more = {key: value for key, value in more.items() if key not in ("default", "help")}
    hidden = {"help": argparse.SUPPRESS, "default": argparse.SUPPRESS}
    parser.add_argument(old_name, **more, **hidden)


class Options(Protocol):
    """A parser, or a titled group of its options."""

    def add_argument(self, *names: str, **more: Any) -> Any:
        """Add an option."""
