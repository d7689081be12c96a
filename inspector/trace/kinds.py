"""The kinds of spans, and whose a counter is; apart from the trace: predictions name them."""

from enum import StrEnum

ALL_PROGRAMS = "all programs"  # instead of a process: counters of the whole machine


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
