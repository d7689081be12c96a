"""What a column of a table is sorted by."""

from inspector.wording.support_marks import Mark
from inspector.wording.values import (
    Amount,
    Capital,
    Change,
    Count,
    Duration,
    DurationRange,
    Joined,
    MarkValue,
    Noted,
    Number,
    Probability,
    Rate,
    Real,
    Sentence,
    Share,
    Size,
    SizeRange,
    Toned,
    Value,
)

_MARKS = {mark: place for place, mark in enumerate(Mark)}


def magnitude(value: Value) -> float | None:
    """Return the number that a cell is sorted by; None of a text, which is sorted as such."""
    match value:
        case int():
            return value
        case Duration(ns=number) | DurationRange(low_ns=number) | Size(bytes=number):
            return number
        case SizeRange(low_bytes=number):
            return number
        case Change(ratio=number) | Number(value=number) | Amount(number=number):
            return number
        case Real(value=number) | Probability(value=number):
            return number
        case Count(number=number) | Rate(per_second=number):
            return number
        case Share(part, whole):
            return part / whole if whole else None
        case MarkValue(mark=mark):
            return _MARKS[mark]
        case Noted(order=float(number)):
            return number
        case Toned(value=inner) | Noted(value=inner) | Capital(value=inner):
            return magnitude(inner)
        case Joined(parts=(first, *_)):
            return magnitude(first)
        case Sentence(template, values) if template.startswith("{"):
            return magnitude(values[template[1 : template.index("}")]])
        case _:
            return None
