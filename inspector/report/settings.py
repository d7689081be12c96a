"""What a setting is: the description from which everything else about it is made.

A field of `RunSpec` carries one. From it come the option of the command, the field of the
window and its tooltip, the axis of a sweep, what another machine accepts, and the documents.
"""

from dataclasses import field
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from inspector.units import uncapitalized

T = TypeVar("T")
KEY = "setting"  # of the description in the metadata of a field


class SettingKind(StrEnum):
    """What a setting takes, which also says how it is edited.

    The last three are chosen elsewhere: on the command line by options of their own, in the
    window where models and inputs are shown.
    """

    CHOICE = "choice"  # one of a few words
    COUNT = "count"
    SWITCH = "switch"
    SECONDS = "seconds"
    SHARE = "share"  # of 1; people write percent
    COUNTS = "counts"
    OPTIONS = "options"  # KEY=VALUE pairs
    NAMES = "names"
    PATHS = "paths"
    DEVICES = "devices"
    DIMENSIONS = "dimensions"
    SOURCES = "sources"  # of the values of inputs


class Role(StrEnum):
    """What a setting is about."""

    RUN = "run"  # what a run does
    LENGTH = "length"  # how long and how often is measured
    QUESTION = "question"  # what else is measured
    GENERATION = "generation"  # what of a language model is measured


class Goal(StrEnum):
    """What a search for settings wants low: the time of a run or of an item, or memory."""

    LATENCY = "latency"
    THROUGHPUT = "throughput"
    MEMORY = "memory"


# Kinds whose values another machine needs not know, or must not: they name files of this one.
_LOCAL = (SettingKind.PATHS, SettingKind.SOURCES)
_SWEPT = (SettingKind.CHOICE, SettingKind.COUNT, SettingKind.SWITCH)


class Setting(NamedTuple):  # a dataclass of so many fields takes 1 ms of each start to make
    """A setting. A test adds one to see that nothing else needs to know of it.

    title: for people. about: a sentence on what it does. name: the field, which has the
    default; filled from there. choices: values of a CHOICE, the weakest first; titles are
    their names for people, in the same order. short: its name in running text; by default the
    title. unit: a noun for what a COUNT counts. zero: what 0 means, for people. least, most: of
    a number; more than `most` is refused by other machines and not offered in the window.
    rank: lists have those of a lower rank first, those of one rank in the order of the fields.
    offered: SECONDS or SHAREs that the window offers.
    role: see there. runtimes: ids of the backends that have it; none: it is Inspector's own.
    ability: the value of the `Capability` that a backend needs for it; undone: what cannot be
    done without, after "Could not".
    option: on the command line without dashes; by default the field, with "no-" before a
    SWITCH that is on. renamed: whether the field is the option's old name. metavar: of its
    value. option_help: where `about` does not fit; of a SWITCH that is on, what "no-" does.
    usual: the default in words, where the command finds it. has_option, has_field: whether
    people choose it with a generated option, or field of the window.
    common: whether the window shows it among the first. reopens: whether a change needs the
    model to be opened again. for_devices: whether it has no meaning while everything runs on
    the CPU; off_hint then says so. swept: whether a sweep may go over its values. tried: those
    that a plan of a sweep in the window begins with.
    shares_cpu: whether it changes how the runtime's threads compete with others.
    entries: of ONNX Runtime's session configuration, set to "0" or "1" where a SWITCH is not as
    by default.
    summary: how a summary tells a value that is not the default, with {value}.
    """

    title: str
    kind: SettingKind
    about: str = ""
    name: str = ""
    choices: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    short: str = ""
    unit: str = ""
    zero: str = ""
    least: int = 0
    most: float = 0
    offered: tuple[float, ...] = ()
    rank: int = 0
    role: Role = Role.RUN
    runtimes: tuple[str, ...] = ()
    ability: str = ""
    undone: str = ""
    option: str = ""
    renamed: bool = False
    metavar: str = ""
    option_help: str = ""
    usual: str = ""
    has_option: bool = True
    has_field: bool = True
    common: bool = False
    reopens: bool = True
    for_devices: bool = False
    off_hint: str = ""
    swept: bool = True
    tried: tuple[str | int, ...] = ()
    shares_cpu: bool = False
    entries: tuple[str, ...] = ()
    summary: str = ""

    def default(self, value: T) -> T:
        """Return the field of a dataclass that this describes, with its default."""
        described: T = field(default=value, metadata={KEY: self})
        return described

    @property
    def flag(self) -> str:
        """Return the option on the command line that takes a value, with its dashes."""
        return f"--{self.option or self.name.replace('_', '-')}"

    @property
    def noun(self) -> str:
        """Return its name in running text: "memory arena", "I/O binding"."""
        if self.short:
            return self.short
        first, rest = self.title[:1], self.title[1:]
        return first.lower() + rest if rest[:1].islower() else self.title

    @property
    def is_axis(self) -> bool:
        """Return whether a sweep may go over its values."""
        return self.swept and bool(self.runtimes) and self.kind in _SWEPT

    @property
    def is_sent(self) -> bool:
        """Return whether a job on another machine may have it."""
        return self.kind not in _LOCAL

    def text(self, value: Any) -> str:
        """Return a value in running text: "off", "default", "inputs and outputs"."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if self.zero and value == 0:
            return self.zero
        if value in self.choices and self.titles:
            return uncapitalized(self.titles[self.choices.index(value)])
        return str(value)
