"""Checked reading of our own JSON files: nothing in one is believed before it is in range.

The decoder checks types. What it cannot know is checked here, before anything is sized or
indexed by a number from a file: each count, size, time and share, by its field's name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain
from math import inf
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import field

from inspector.errors import UnreadableFile
from inspector.platform.data_struct import DataStruct
from inspector.units import clip
from inspector.wording import stored

# Larger integers are not exact in JSON of other programs. As nanoseconds these are 104 days,
# as bytes 8 PiB: no count, size or time of ours comes near.
MOST = (1 << 53) - 1
_MOST_REAL = 1e18  # finite after a few products and squares
_LEAST_RATIO = 1e-9
_SINCE_1970 = (0, (1 << 63) - 1)
_ANY_INTEGER = (-MOST, MOST)
_ANY_REAL = (-inf, inf)
_POSITIVE = (_LEAST_RATIO, _MOST_REAL)
# Ranges of fields other than 0 to MOST for integers and 0 to _MOST_REAL for real numbers.
_RANGES: dict[str, tuple[float, float]] = {
    "seed": _ANY_INTEGER,
    "added_ns": _SINCE_1970, "written_ns": _SINCE_1970,
    # Of tensors, whose values are any; decibels may be negative or infinite.
    "max_abs": _ANY_REAL, "mean_abs": _ANY_REAL, "mean_relative": _ANY_REAL, "peak": _ANY_REAL,
    "psnr": _ANY_REAL, "psnr_db": _ANY_REAL, "sqnr_db": _ANY_REAL, "cosine": _ANY_REAL,
    # Divided by, or their logarithm is taken.
    "ratio": _POSITIVE, "leader_ratio": _POSITIVE, "slowdown": _POSITIVE, "excess": _POSITIVE,
    "operations_per_second": _POSITIVE, "bytes_per_second": _POSITIVE,
    "stolen": (0.0, 1.0), "others": (0.0, 1.0),
}  # fmt: skip
T = TypeVar("T")


class Format(DataStruct, frozen=True):
    """A JSON file of ours.

    noun: "report", "sweep" or "tuning". schema: as in the file. again: hint for a damaged file.
    others: hint by the noun of the schema that a file has instead; "" is the default's key.
    """

    noun: str
    schema: str
    again: str
    others: Mapping[str, str] = field(default_factory=dict)


class _Schema(msgspec.Struct):
    schema: str = ""


def encode(value: Any, schema: str, enc_hook: Callable[[Any], Any] = stored.text_only) -> bytes:
    """Return a dataclass as one JSON object on a line, its schema first."""
    content = {each.name: getattr(value, each.name) for each in fields(value)}
    return stored.encode({"schema": schema} | content, enc_hook) + b"\n"


def decode(
    body: bytes,
    kind: type[T],
    form: Format,
    name: str,
    check: Callable[[T], T],
    dec_hook: Callable[[Any, Any], Any] | None = None,
) -> T:
    """Read a file of ours; fields of later versions are ignored.

    check: returns the value with what only its format can check, or raises ValueError.
    Raises UnreadableFile: another kind of file, a newer schema, or damaged.
    """
    what = f"Could not open {name}"
    if body and body.lstrip()[:1] != b"{":
        why = f"it is not an Inspector {form.noun}, but a file of another kind"
        raise UnreadableFile(what, why, form.others.get("", ""))
    try:
        schema = msgspec.json.decode(body, type=_Schema).schema
        if not schema:
            why = f"it is JSON, but not an Inspector {form.noun}"
            raise UnreadableFile(what, why, form.others.get("", ""))
        if schema != form.schema:
            hint = form.others.get(schema.partition("/")[0], form.others.get("", ""))
            why = f"it has schema '{clip(schema, 40)}', not '{form.schema}'"
            raise UnreadableFile(what, why, hint)
        value = stored.decode(body, msgspec.json.Decoder(kind, dec_hook=dec_hook))
        expect_ranges(value)
        return check(value)
    except (msgspec.DecodeError, ValueError, OverflowError, RecursionError) as error:
        why = f"it is not a complete {form.noun}: {clip(str(error), 200)}"
        raise UnreadableFile(what, why, form.again) from error


def expect_ranges(value: Any) -> None:
    """Raise ValueError where a number in a dataclass, or in what it holds, is out of range."""
    _expect([value], type(value), "")


def expect_indices(name: str, indices: Iterable[int | None], end: int) -> None:
    """Raise ValueError unless 0 <= index < end for each index; None is no index."""
    present = [index for index in indices if index is not None]
    if present and not (min(present) >= 0 and max(present) < end):
        wrong = min(present) if min(present) < 0 else max(present)
        allowed = f"must be from 0 to {end - 1:,}" if end else "there are none"
        raise ValueError(f"{name} is {clip(str(wrong), 20)}, but {allowed}")


def _expect(values: Sequence[Any], hint: Any, name: str) -> None:
    """Check values of one type, those of a field in all objects of a list at once."""
    if not values or not _has_numbers(hint):
        return
    origin, inner = get_origin(hint), get_args(hint)
    if hint is int or hint is float:
        _expect_between([each for each in values if type(each) in (int, float)], hint, name)
    elif origin is tuple:
        _expect(list(chain.from_iterable(values)), inner[0], name)
    elif origin is dict:
        _expect([one for each in values for one in each.values()], inner[1], name)
    elif origin in (Union, UnionType):
        for kind in inner:
            plain = isinstance(kind, type)
            _expect([v for v in values if v is not None and (not plain or type(v) is kind)],
                    kind, name)  # fmt: skip
    else:
        for field_name, kind in _numeric_fields(hint):
            path = f"{name}.{field_name}" if name else field_name
            _expect([getattr(each, field_name) for each in values], kind, path)


def _expect_between(numbers: Sequence[float], kind: type, name: str) -> None:
    low, high = _RANGES.get(name.rpartition(".")[2], (0, MOST if kind is int else _MOST_REAL))
    if not numbers:
        return
    least, most = min(numbers), max(numbers)
    if least < low or most > high:
        wrong = clip(str(least if least < low else most), 20)
        unit = " ns" if name.endswith("_ns") else ""
        raise ValueError(f"its {name} is {wrong}{unit}, which is out of range")


@cache
def _has_numbers(hint: Any) -> bool:
    if hint is int or hint is float:
        return True
    if get_origin(hint) in (tuple, dict, Union, UnionType):
        return any(map(_has_numbers, get_args(hint)))
    if not isinstance(hint, type) or not is_dataclass(hint):
        return False
    kind: type = hint
    return bool(_numeric_fields(kind))


@cache
def _numeric_fields(kind: type) -> tuple[tuple[str, Any], ...]:
    """Fields with numbers somewhere in them; a trace checks its own, which may be negative."""
    if kind.__name__ == "Trace":
        return ()
    hints = get_type_hints(kind)
    named = [(each.name, hints[each.name]) for each in fields(kind)]
    return tuple((name, hint) for name, hint in named if _has_numbers(hint))
