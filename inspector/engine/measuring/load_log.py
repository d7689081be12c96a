"""Phases of loading out of the runtime's own log.

The log is meant for people and changes between versions: a line that is not known changes
nothing, and what was not announced is not told apart.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINE = re.compile(
    rb"(\d\d):(\d\d):(\d\d)\.(\d{1,9}) \[[A-Z]:onnxruntime[^\]]*\] *(?:, )?(.{0,300})"
)
_PASS = re.compile(rb"Applying graph transformer (\w{1,80}) on step")
_PASSED = re.compile(rb"GraphTransformer (\w{1,80}) modified")
_LEVEL = re.compile(rb"Applying \d+ graph transformer\(s\) for level (\d)")
_SPAN_NS = 900 * 10**9  # time zones differ from each other by whole quarters of an hour

READ = "read and parse"
# What begins with a line that has these words; the first that matches.
_BEGINS = (
    (re.compile(rb"Initializing session"), "check the graph"),
    (re.compile(rb"Stopping graph transformer iteration for level 1 "), "divide over devices"),
    (re.compile(rb"Running graph optimizations in loop"), "optimise, level 2"),
    (re.compile(rb"Node placements"), "plan execution"),
    (re.compile(rb"Saving initialized tensors"), "take over the weights"),
    (re.compile(rb"Done saving initialized tensors"), "prepack the weights"),
    (re.compile(rb"Session successfully initialized"), ""),
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Something the runtime did while it loaded; a pass of the optimiser lies in a phase."""

    name: str
    start_ns: int
    duration_ns: int
    inside: str = ""

    @property
    def end_ns(self) -> int:
        """When it ended."""
        return self.start_ns + self.duration_ns


def stretches(
    lines: Iterable[bytes], began_wall_ns: int, duration_ns: int
) -> tuple[Stretch, ...]:
    """Read the phases of one load, and the optimiser's passes in them, in their order.

    began_wall_ns: when it began, on the system's clock. duration_ns: what it took. Starts in
    the answer count from the beginning of the load.
    """
    told = [(at, words) for at, words in _told(lines, began_wall_ns) if 0 <= at <= duration_ns]
    phases = tuple(_phases(told, duration_ns))
    passes = (_within(each, phases) for each in _passes(told))
    return tuple(sorted((*phases, *passes), key=lambda each: (each.start_ns, -each.end_ns)))


def _told(lines: Iterable[bytes], began_wall_ns: int) -> Iterator[tuple[int, bytes]]:
    for line in lines:
        found = _LINE.search(line)
        if found:
            hours, minutes, seconds, fraction, words = found.groups()
            whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
            at = whole * 10**9 + int(fraction.ljust(9, b"0"))
            since = (at - began_wall_ns) % _SPAN_NS
            yield since if since < _SPAN_NS * 0.9 else since - _SPAN_NS, words


def _phases(told: Iterable[tuple[int, bytes]], duration_ns: int) -> Iterator[Stretch]:
    name, start = READ, 0
    for at, words in told:
        following = _begins(words)
        if following is None or following == name:
            continue
        if name and at > start:
            yield Stretch(name, start, at - start)
        name, start = following, at
    if name not in ("", READ):
        yield Stretch(name, start, duration_ns - start)


def _begins(words: bytes) -> str | None:
    level = _LEVEL.search(words)
    if level:
        return f"optimise, level {int(level[1])}"
    return next((name for pattern, name in _BEGINS if pattern.search(words)), None)


def _passes(told: Iterable[tuple[int, bytes]]) -> Iterator[Stretch]:
    under_way: tuple[bytes, int] | None = None
    for at, words in told:
        begun, ended = _PASS.search(words), _PASSED.search(words)
        if begun:
            under_way = begun[1], at
        elif ended and under_way and ended[1] == under_way[0]:
            yield Stretch(ended[1].decode(), under_way[1], at - under_way[1])
            under_way = None


def _within(each: Stretch, phases: tuple[Stretch, ...]) -> Stretch:
    around = (p.name for p in phases if p.start_ns <= each.start_ns < p.end_ns)
    return Stretch(each.name, each.start_ns, each.duration_ns, next(around, ""))
