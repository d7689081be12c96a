"""What happens to inputs at the border of the runtime, out of the program's sight."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

_NATIVE = "<" if sys.byteorder == "little" else ">"


class Step(NamedTuple):
    """One thing that is done to an input, or to be said of it where `make` is None.

    kind: "copy", "cast" or "check". make: does what the runtime would do.
    """

    name: str
    kind: str
    told: str
    make: Callable[[Any], Any] | None


def needed(wanted: Mapping[str, str], feed: Any) -> list[Step]:
    """What the inputs of a feed need; nothing for arrays as they should be.

    wanted: numpy's name of the type of each input; empty for what is no array of numbers.
    """
    steps: list[Step] = []
    if not isinstance(feed, dict):
        return steps
    for name, value in feed.items():
        flags = getattr(value, "flags", None)
        if flags is None:
            if isinstance(value, (list, tuple)) and wanted.get(name):
                told = f"convert {name}: list"
                steps.append(Step(name, "cast", told, _converter(wanted[name])))
        elif not flags.c_contiguous:
            steps.append(Step(name, "copy", f"copy {name}: not contiguous", _contiguous))
        elif value.dtype.byteorder not in ("=", "|", _NATIVE):
            steps.append(Step(name, "check", f"check {name}: wrong byte order", None))
    return steps


def mismatches(wanted: Mapping[str, str], feed: Any) -> list[str]:
    """Which inputs have another type than the model wants, in words."""
    if not isinstance(feed, dict):
        return []
    given = {name: getattr(value, "dtype", None) for name, value in feed.items()}
    return [
        f"check {name}: {given[name]} given, {wanted[name]} wanted"
        for name in given.keys() & wanted.keys()
        if wanted[name] and given[name] is not None and given[name] != wanted[name]
    ]


def _contiguous(value: Any) -> Any:
    return sys.modules["numpy"].ascontiguousarray(value)


def _converter(dtype: str) -> Callable[[Any], Any]:
    def convert(listed: Any) -> Any:
        try:
            return sys.modules["numpy"].asarray(listed, dtype)
        except (ValueError, TypeError, OverflowError):
            return listed  # the runtime says in its own words what is wrong with it

    return convert
