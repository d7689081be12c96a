"""A stretch of time that the user marks, and what lies in it."""

from inspector import units
from inspector.detail import Detail
from inspector.trace import KINDS, Kind, Lane

_PARTITION = KINDS.index(Kind.PARTITION)
_NOUNS = {Lane.ACTIVITY: "call", Lane.DATA: "move", Lane.COMPUTE: "kernel"}


def summary(detail: Detail, begin_ns: float, end_ns: float) -> str:
    """Length, and for data and each unit how many spans and for how long they were busy.

    Where there are nothing but calls, the same for each track.
    """
    parts = [f"{units.duration(end_ns - begin_ns)} marked"]
    only_calls = all(track.lane is Lane.ACTIVITY for track in detail.trace.tracks)
    for number, track in enumerate(detail.trace.tracks):
        if track.lane is Lane.ACTIVITY and not only_calls:
            continue
        strips = [
            strip
            for row in detail.rows
            if row.track == number
            for kind, strip in row.kinds
            if kind != _PARTITION
        ]
        count = sum(strip.count(begin_ns, end_ns) for strip in strips)
        if count:
            busy = units.duration(detail.work[number].busy_ns(begin_ns, end_ns))
            name = units.clip(track.name, 24)
            parts.append(f"{name} {units.plural(count, _NOUNS[track.lane])} {busy}")
    return " · ".join(parts)
