"""Which clock the times of a trace are on, so that several files can share a timeline.

Sources: `clock-domain` in the metadata of Chrome's tracing, `baseTimeNanoseconds` of profilers
of training programs, `wall_zero_ns` of our recordings, and the date in the name that ONNX
Runtime gives its profiles (local time, whole seconds).
"""

import re
from dataclasses import dataclass
from datetime import datetime

from inspector.formats import json_stream
from inspector.formats.json_stream import GZIP
from inspector.formats.source import Source

WALL = "the system's time"
_SECOND = 1_000_000_000
_LOOKED = 1 << 16
_DOMAIN = re.compile(rb'"clock-domain"\s*:\s*"([\w .:-]{1,60})"')
_BASE = re.compile(rb'"baseTimeNanoseconds"\s*:\s*(\d{1,19})\b')
_OURS = re.compile(rb'"wall_zero_ns"\s*:\s*"(\d{1,19})"')
_NAMED = re.compile(r"(\d{4})-(\d\d)-(\d\d)_(\d\d)-(\d\d)-(\d\d)")


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock. zero_ns: its time when that of the trace is 0; within_ns: how sure that is."""

    name: str
    zero_ns: int
    within_ns: int = 0


def clock(source: Source, first_ns: int, is_profile: bool) -> Clock | None:
    """The clock of a trace; None where the file does not tell.

    first_ns: what the file's own times say when the trace's time is 0.
    """
    texts = _words(source)
    if told := _OURS.search(texts):
        return Clock(WALL, int(told[1]) + first_ns)
    if told := _BASE.search(texts):
        return Clock(WALL, int(told[1]) + first_ns)
    if told := _DOMAIN.search(texts):
        return Clock(told[1].decode("ascii", "replace"), first_ns)
    named = _NAMED.search(source.name) if is_profile else None
    if named is None:
        return None
    try:
        began = datetime(*map(int, named.groups())).timestamp()  # type: ignore[arg-type]
    except (ValueError, OverflowError, OSError):
        return None
    return Clock(WALL, int(began) * _SECOND + first_ns, _SECOND)


def is_recording(source: Source) -> bool:
    """Whether our recorder wrote a trace: only it tells of this clock."""
    return _OURS.search(_words(source)) is not None


def _words(source: Source) -> bytes:
    """The beginning and the end of the file, where programs tell about all of it."""
    head = json_stream.head(source, _LOOKED)[:_LOOKED]
    if source.head(2) == GZIP or source.size <= _LOOKED:
        return head
    return head + source.read(source.size - _LOOKED, _LOOKED)
