"""What a span is and where it belongs: lanes, kinds, tracks and layers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Lane(StrEnum):
    """The three lanes of a timeline, as Core ML's Instrument names them."""

    ACTIVITY = "activity"  # calls of the runtime's interface, one span each
    DATA = "data"  # checks, copies, casts, layout changes
    COMPUTE = "compute"  # kernels, on each unit


class Kind(StrEnum):
    """What a span is; decides its hatching and its words."""

    CALL = "call"
    CHECK = "check"
    COPY = "copy"
    CAST = "cast"
    LAYOUT = "layout"
    KERNEL = "kernel"
    PARTITION = "partition"
    EVENT = "event"  # whatever another program told
    WAIT = "wait"  # until a device is done with all before, and what it made is copied back


KINDS = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Track:
    """One group of rows: a lane, and for compute the unit.

    unit: id of the device ("cpu", "webgpu:0"); empty for activity and data.
    family: what colour it gets: "activity", "data", "cpu", "gpu" or "npu".
    process, model, thread: names of what it belongs to, by which rows can be grouped anew;
        empty where there is only one or none is known.
    """

    lane: Lane
    name: str
    unit: str = ""
    family: str = "cpu"
    process: str = ""
    model: str = ""
    thread: str = ""


class NamedLayer(Protocol):
    """What can be said of a layer beside a timeline, with a report or without one."""

    @property
    def index(self) -> int: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def operator(self) -> str: ...  # noqa: D102
    @property
    def into(self) -> int | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class TracedLayer:
    """A layer as a trace alone knows it; `index` is what the spans' `layer` says.

    into: the layer whose spans hold its time; None where it has its own.
    """

    index: int
    name: str
    operator: str
    into: int | None = None
