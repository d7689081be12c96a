"""Scores of classes in words: a column of them compares at a glance."""

from collections.abc import Sequence
from math import floor, inf, isfinite, isnan, log10

_PLACES = 2
_MOST_PLACES = 6
_DIGITS = 4


def shares(values: Sequence[float]) -> tuple[str, ...]:
    """Return probabilities, 0 to 1, in percent with equal places: '97.31%', '0.40%', '<
    0.01%'.

    What is not quite nothing, or not quite all, never looks like it. Where even the highest
    is small it has two digits all the same: '0.0042%'.
    """
    places = share_places(values)
    return tuple(share(value, places) for value in values)


def share_places(values: Sequence[float]) -> int:
    """Return the decimal places that a column of probabilities is written with."""
    highest = 100 * max(filter(isfinite, values), default=0.0)
    needed = 1 - floor(log10(highest)) if highest > 0 else 0
    return max(_PLACES, min(_MOST_PLACES, needed))


def share(value: float, places: int | None = None) -> str:
    """Return one probability, as `shares`; by itself without `places`."""
    places = share_places((value,)) if places is None else places
    if not isfinite(value):
        return _number(value, "")
    percent, least = 100 * value, 10.0**-places
    text = f"{percent:.{places}f}%"
    if value > 0 and float(text[:-1]) == 0:
        return f"< {least:.{places}f}%"
    if value < 1 and float(text[:-1]) == 100:
        return f"> {100 - least:.{places}f}%"
    return text


def box_score(value: float) -> str:
    """Return the score of a box, 0 to 1: '0.89'; with more places where it is just below 1."""
    text = next(
        (text for places in (2, 3, 4) if (text := f"{value:.{places}f}")[0] != "1"), "> 0.9999"
    )
    return text if value < 1 else f"{value:.2f}"


def scores(values: Sequence[float]) -> tuple[str, ...]:
    """Return other numbers with equal places, of which the largest has four digits: '12.31',
    '-0.40'. Whole numbers stay whole. Very large and very small ones get an exponent, all of
    them."""
    finite = [abs(value) for value in values if isfinite(value)]
    largest = max(finite, default=0.0)
    if all(value == floor(value) for value in finite) and largest < 1e15:
        return tuple(_number(value, ",.0f") for value in values)
    if not 1e-3 <= largest < 1e7:
        return tuple(_number(value, f".{_DIGITS - 1}e") for value in values)
    places = max(1, min(_DIGITS, _DIGITS - 1 - floor(log10(largest))))
    return tuple(_number(value, f",.{places}f") for value in values)


def _number(value: float, form: str) -> str:
    if isnan(value):
        return "NaN"
    if not isfinite(value):
        return "∞" if value == inf else "-∞"
    return format(value, form)
