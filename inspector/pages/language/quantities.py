"""Quantities of language models, written in one way on all pages about them."""

from inspector.wording.values import Count, Number, Sentence, Value

_UNIT = "tokens/s"
_WHOLE_FROM = 1000  # tokens/s are written without decimals


def per_second(speed: float | None, unit: bool = False) -> Value:
    """Return tokens per second, large numbers with their thousands apart."""
    value = speed or 0.0
    if value < _WHOLE_FROM:
        return Number(value, _UNIT if unit else "")
    whole = Count(round(value))
    return Sentence("{number} tokens/s", whole) if unit else whole
