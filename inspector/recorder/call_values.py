"""What can be said of the arguments of a call without looking into them."""

import os
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

_DTYPES = {
    "float": "float32", "double": "float64", "float16": "float16", "bool": "bool",
    **{name: name for name in (
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    )},
}  # fmt: skip
_SHOWN = 6


class CallInput(NamedTuple):
    """One value of a feed; shape is None for what has none."""

    name: str
    dtype: Any
    shape: tuple[int, ...] | None
    size_bytes: int


def wanted(session: Any) -> dict[str, str]:
    """Numpy's name of the type of each input of a session; empty where there is none."""
    return {
        one.name: _DTYPES.get(one.type.removeprefix("tensor(").rstrip(")"), "")
        for one in session.get_inputs()
    }


def signature(feed: Any) -> tuple[CallInput, ...]:
    """What a feed gives, hashable."""
    if not isinstance(feed, dict):
        return ()
    return tuple([_given(name, value) for name, value in feed.items()])


def _given(name: Any, value: Any) -> CallInput:
    try:
        return CallInput(str(name), value.dtype, value.shape, value.nbytes)
    except AttributeError:
        return CallInput(str(name), type(value).__name__, None, 0)


def text(call: str, given: Sequence[CallInput]) -> str:
    """A call with its arguments: 'run(image float32 1×3×224×224)'."""
    parts = []
    for one in given[:_SHOWN]:
        shape = "" if one.shape is None else " " + ("×".join(map(str, one.shape)) or "scalar")
        parts.append(f"{one.name[:60]} {one.dtype}{shape}")
    more = f", {len(given) - _SHOWN} more" if len(given) > _SHOWN else ""
    return f"{call}({', '.join(parts)}{more})"


def nbytes(value: Any) -> int:
    """Bytes of an array, or of the arrays of a list; 0 for what does not say."""
    if isinstance(value, (list, tuple)):
        return sum(nbytes(one) for one in value[:64])
    size = getattr(value, "nbytes", 0)
    return size if isinstance(size, int) else 0


def identity(source: Any) -> tuple[str, str]:
    """A model's name without its folder, and a text that is equal for the same model."""
    if isinstance(source, bytes):
        return "model in memory", f"{len(source)}-{zlib.crc32(source[: 1 << 20])}"
    path = os.path.abspath(os.fspath(source))
    try:
        status = os.stat(path)
        same = f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"
    except OSError:
        same = str(zlib.crc32(os.fsencode(path)))
    return os.path.basename(path), same
