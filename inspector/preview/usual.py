"""What an input usually gets when nobody says: lengths of free axes, and values."""

import re
from collections.abc import Mapping, Sequence

from inspector.model import TensorInfo
from inspector.preview.elements import is_float
from inspector.preview.guess import guess
from inspector.preview.shapes import axis_names, shape_of

SAMPLE_RATE = 16_000
PICTURE_SIDE = 224
SOUND_FRAME = 512
_RATE = frozenset(("sr", "fs", "sample_rate", "sampling_rate", "samplerate", "rate"))
_LENGTH = re.compile(r"(^|.*_)(len|lens|length|lengths)$")
_PLACES = re.compile(r"position_?ids|cache_position|(^|_)positions?$")
_CACHE = re.compile(r"past|cache")
_SUM = re.compile(r"total|\+")
_STATE = re.compile(
    r"(^|.*[_./])(states?|past|cache|hidden|h0|c0|h|c|hx|cx|h_in|c_in)($|[_./\d].*)"
)


def lengths(inputs: Sequence[TensorInfo], known: Mapping[str, int]) -> dict[str, int]:
    """The known lengths of free axes and usual ones where a length of 1 rarely works.

    A free side of a picture becomes 224; a free row of samples beside a sample rate 512; what
    a cache of earlier tokens holds 0, and a mask over it and the new ones their sum.
    """
    chosen = _of_caches(inputs, known)
    speech = any(is_rate(info) for info in inputs)
    for info in inputs:
        picture = guess(info)
        for index, name in enumerate(axis_names(info)):
            if name is None or name in chosen:
                continue
            if picture is not None and index in _sides(info, picture.layout):
                chosen[name] = PICTURE_SIDE
            elif speech and is_float(info.dtype) and not is_state(info):
                last = index == len(info.shape or ()) - 1 and index > 0
                chosen |= {name: SOUND_FRAME} if last else {}
    return chosen


def value(
    info: TensorInfo, inputs: Sequence[TensorInfo], known: Mapping[str, int]
) -> tuple[str, str]:
    """A recipe or a whole number for every element of an input, and words that say why."""
    if is_rate(info):
        return str(SAMPLE_RATE), f"a sample rate of {SAMPLE_RATE:,} Hz"
    integer = not is_float(info.dtype)
    if integer and _PLACES.search(info.name.lower()):
        return "range", "places from the first token on"
    if integer and "mask" in info.name.lower():
        return "ones", "a mask that hides nothing"
    if info.dtype in ("int32", "int64") and _LENGTH.match(info.name.lower()):
        length = _length(info, inputs, known)
        return str(length), f"the length of the other inputs, {length}"
    if is_state(info):
        return "zeros", "a state at its start"
    if info.dtype == "string":
        return "zeros", "empty texts"
    return ("zeros", "zeros") if integer else ("random:0", "random in 0..1, seed 0")


def _of_caches(inputs: Sequence[TensorInfo], known: Mapping[str, int]) -> dict[str, int]:
    """The known lengths and those of caches: nothing is kept yet."""
    chosen = dict(known)
    for info in inputs:
        cached = is_state(info) and _CACHE.search(info.name.lower()) is not None
        for index, name in enumerate(axis_names(info)):
            unnamed = name == f"{info.name}[{index}]" and index == len(info.shape or ()) - 2
            told = name is not None and "past" in name.lower() and not _SUM.search(name.lower())
            if name is not None and cached and (told or unnamed) and index:
                chosen.setdefault(name, 0)
    rows = (axis_names(info) for info in inputs if not is_float(info.dtype))
    tokens = next((r[1] for r in rows if len(r) == 2 and not _SUM.search(r[1] or "+")), None)
    for name in {name for info in inputs for name in axis_names(info) if name}:
        if _SUM.search(name.lower()) and name not in chosen and tokens is not None:
            past = next((chosen[n] for n in chosen if "past" in n.lower() and n != name), 0)
            chosen[name] = chosen.get(tokens, 1) + past
    return chosen


def _sides(info: TensorInfo, layout: str) -> tuple[int, int]:
    rank = len(info.shape or ())
    return (rank - 2, rank - 1) if layout == "nchw" else (rank - 3, rank - 2)


def is_rate(info: TensorInfo) -> bool:
    """Whether an input takes samples per second."""
    one = info.shape in ((), (1,))
    return one and info.dtype in ("int32", "int64") and info.name.lower() in _RATE


def is_state(info: TensorInfo) -> bool:
    """Whether the name of an input says that it is a memory."""
    return is_float(info.dtype) and _STATE.match(info.name.lower()) is not None


def _length(info: TensorInfo, inputs: Sequence[TensorInfo], known: Mapping[str, int]) -> int:
    """Length of the axis after the batch of the first other input, preferably a free one."""
    others = [other for other in inputs if other is not info and len(other.shape or ()) > 1]
    free = [other for other in others if not isinstance((other.shape or ())[1], int)]
    return next((shape_of(other, known)[1] for other in free + others), 1)
