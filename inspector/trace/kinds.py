"""The kinds of spans; apart from the trace, since every prediction names them."""

from enum import StrEnum


class Kind(StrEnum):
    """The kind of a span; it decides hatching and labels."""

    CALL = "call"
    CHECK = "check"
    COPY = "copy"
    CAST = "cast"
    LAYOUT = "layout"
    KERNEL = "kernel"
    PARTITION = "partition"
    EVENT = "event"  # anything that another program recorded
    WAIT = "wait"  # until a device is done with all before, and what it made is copied back
