"""Numbers as the window shows them: `inspector.units` with the decimal sign of its language.

    units.duration(2_310_000)    # "2.31 ms", in German "2,31 ms"
    units.number(0.4489, ".3f")  # "0.449", in German "0,449"
    units.localized("12.5%")     # a number that another module wrote in English

Nothing reads such a text back; values do the sorting, and fields hold what was typed.
"""

from inspector import units
from inspector.units import (
    axis_size,
    capitalized,
    clip,
    clip_name,
    device,
    optimization,
    scope_and_name,
    shape,
    use_decimal_sizes,
    visible,
)

__all__ = (
    "axis", "axis_size", "capitalized", "change", "clip", "clip_name", "count",
    "device", "duration", "duration_parts", "durations", "localized", "milliseconds", "number",
    "optimization", "rate", "scope_and_name", "shape", "share", "significant", "size",
    "size_parts", "typed", "use_decimal_comma", "use_decimal_sizes",
    "visible",
)  # fmt: skip

_POINT_AND_COMMA = str.maketrans(".,", ",.")

_decimal_comma = False


def use_decimal_comma(comma: bool) -> None:
    """Write 1.234,5 from now on, or 1,234.5, the default."""
    global _decimal_comma
    _decimal_comma = comma


def localized(text: str) -> str:
    """Return a text that is an English number, or has no other points, with the signs here."""
    return text.translate(_POINT_AND_COMMA) if _decimal_comma else text


def number(value: float, form: str = ",") -> str:
    """Write a number in a format of Python: 12345 -> '12,345', (0.25, '.0%') -> '25%'."""
    return localized(format(value, form))


def typed(text: str) -> str:
    """Return a typed number for `float`: with a decimal comma, "0,5", a point is fine, too."""
    return text.replace(",", ".") if _decimal_comma else text


def duration(ns: float, clock_ns: float = 0) -> str:
    """Format a length of time: see `inspector.units`, as for all that follow."""
    return localized(units.duration(ns, clock_ns))


def duration_parts(ns: float, digits: int = 3) -> tuple[str, str]:
    """Number and unit of a length of time in nanoseconds."""
    amount, unit = units.duration_parts(ns, digits)
    return localized(amount), unit


def durations(low_ns: float, high_ns: float, clock_ns: float = 0) -> str:
    """Format an interval of times; `translate.interval` translates what is between them."""
    return localized(units.durations(low_ns, high_ns, clock_ns))


def axis(begin_ns: float, end_ns: float, most: int) -> tuple[tuple[float, str], ...]:
    """Round instants of a window of time, with words in one unit."""
    places = units.axis(begin_ns, end_ns, most)
    return tuple([(ns, localized(text)) for ns, text in places]) if _decimal_comma else places


def milliseconds(ns: float) -> str:
    """Format an instant on a time axis in ms."""
    return localized(units.milliseconds(ns))


def size(size_bytes: float) -> str:
    """Format an amount of memory."""
    return localized(units.size(size_bytes))


def size_parts(size_bytes: float) -> tuple[str, str]:
    """Number and unit of an amount of memory."""
    amount, unit = units.size_parts(size_bytes)
    return localized(amount), unit


def count(number_: float) -> str:
    """Format a count in thousands, millions, ...; under 10,000 exact."""
    return localized(units.count(number_))


def share(part: float, whole: float) -> str:
    """Format a part of a whole in percent."""
    return localized(units.share(part, whole))


def change(ratio: float) -> str:
    """Write a ratio as what is more or less."""
    return localized(units.change(ratio))


def rate(per_second: float) -> str:
    """Write how often something happens in a second."""
    return localized(units.rate(per_second))


def significant(value: float, digits: int = 3) -> str:
    """Write a number with so many digits and no exponent."""
    return localized(units.significant(value, digits))
