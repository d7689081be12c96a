"""Helpers of the advice rules: which layers they cite, and how they state times and shares."""

import shlex
from collections.abc import Iterable, Sequence
from math import hypot

from inspector import units
from inspector.analysis.measured.layer_sum import unranked
from inspector.report.report import SYNCHRONIZED, InsertedNode, LayerUse, PerformanceReport
from inspector.report.report import Advice as Advice
from inspector.wording.values import Duration, Sentence

MAX_EVIDENCE_LAYERS = 1000  # enough to point at the cause; more would only make reports larger
_CHANGED = "changed.onnx"
_LONGEST_NAME = 200  # characters
# Advice states no time where noisy entries take more than this share of it.
_MAX_NOISY_SHARE = 0.2
# A saving that nobody has tried is a question with the command that answers it.
UNTRIED = "Only a measurement tells what that saves."


def rerun(report: PerformanceReport) -> str:
    """Return the command that measures the model of a report once more."""
    return f"`inspector measure {_model(report)}`"


def _model(report: PerformanceReport) -> str:
    """Return the name of the measured file as a shell takes it."""
    return shlex.quote(units.clip(report.model.name, _LONGEST_NAME))


def compared(
    report: PerformanceReport, steps: Sequence[str] = (), changed: str = _CHANGED
) -> str:
    """Return the commands that answer whether a changed model is faster: those that change it
    by conversion steps, if any, and that which measures both. changed: its file."""
    model = _model(report)
    measured = f"`inspector measure {changed} --against {model}`"
    if not steps:
        return measured
    words = " ".join(map(shlex.quote, steps))
    return f"`inspector convert {model} {words} -o {changed}`, then {measured}"


def improved(report: PerformanceReport) -> str:
    """Return the command that searches for a smaller or faster model and checks its outputs."""
    return f"`inspector improve {_model(report)} --test FOLDER`"


def longest_first(layers: Iterable[LayerUse]) -> tuple[int, ...]:
    """Return the indices of layers by falling time, at most MAX_EVIDENCE_LAYERS."""
    ordered = sorted(layers, key=lambda layer: -(layer.time_ns or 0))
    return tuple(layer.index for layer in ordered[:MAX_EVIDENCE_LAYERS])


def time_of(layers: Iterable[LayerUse]) -> int:
    """Return the total time of layers in one run, in nanoseconds."""
    return sum(layer.time_ns or 0 for layer in layers)


def without_noisy(layers: Iterable[LayerUse]) -> list[LayerUse]:
    """Return the layers that are not noisy, the only ones that advice may rest on."""
    return [layer for layer in layers if not layer.noisy]


def share_of(report: PerformanceReport, time_ns: int) -> float:
    """Return a time as its share of kernel time, 0 to 1."""
    return min(1.0, time_ns / report.kernel_ns) if report.kernel_ns else 0.0


def least_ns(entry: LayerUse | InsertedNode) -> int:
    """Return the low end of the 95% interval of a time, or its minimum, in nanoseconds.

    In a few runs, one wait for a CPU core can become the median, but never the minimum.
    """
    spread = entry.spread
    if spread is None:
        return entry.time_ns or 0
    return spread.min_ns if spread.low_ns is None else spread.low_ns


def least_share(report: PerformanceReport, layers: Iterable[LayerUse]) -> float:
    """Return the share of kernel time that layers take at least, 0 to 1.

    Their sum at the low end of its 95% interval, that of all others at the high end. Errors of
    single times are independent: what slows a whole run changes no share.
    """
    chosen = {id(layer): layer for layer in layers}
    entries: tuple[LayerUse | InsertedNode, ...] = (*report.layers, *report.inserted)
    others = [entry for entry in entries if id(entry) not in chosen]
    below = ((layer.time_ns or 0) - least_ns(layer) for layer in chosen.values())
    above = (_most_ns(entry) - (entry.time_ns or 0) for entry in others)
    low = max(0.0, time_of(chosen.values()) - hypot(*below))
    high = sum(entry.time_ns or 0 for entry in others) + hypot(*above)
    return low / (low + high) if low else 0.0


def _most_ns(entry: LayerUse | InsertedNode) -> int:
    """Return the high end of the 95% interval of a time; the time itself without one."""
    spread = entry.spread
    known = None if spread is None else spread.high_ns
    return (entry.time_ns or 0) if known is None else known


def times_usable(report: PerformanceReport, entries: Sequence[LayerUse | InsertedNode]) -> bool:
    """Return whether advice may state the time of these layers and inserted nodes.

    It may not where layers are not ranked, where noisy entries take a good part of that time,
    or where layers were timed one at a time: each such time includes a round trip to the
    device.
    """
    noisy = sum(entry.time_ns or 0 for entry in entries if entry.noisy)
    if noisy > _MAX_NOISY_SHARE * sum(entry.time_ns or 0 for entry in entries):
        return False
    return not timed_one_at_a_time(report, entries) and not unranked(report)


def timed_one_at_a_time(
    report: PerformanceReport, entries: Iterable[LayerUse | InsertedNode] | None = None
) -> bool:
    """Return whether one of these entries, or any layer, was timed in synchronized mode."""
    devices = (
        (entry.ran_on if isinstance(entry, LayerUse) else entry.device)
        for entry in (report.layers if entries is None else entries)
    )
    return any(report.layer_timing.get(device or "") == SYNCHRONIZED for device in devices)


def time_and_share(
    report: PerformanceReport, entries: Sequence[LayerUse | InsertedNode]
) -> tuple[str, float]:
    """Return the time of entries as text, and their share of kernel time, 0 to 1.

    Where their times may not be stated, the text says why, and the share is 0.
    """
    time_ns = sum(entry.time_ns or 0 for entry in entries)
    if times_usable(report, entries):
        return time_text(report, time_ns), share_of(report, time_ns)
    if timed_one_at_a_time(report, entries):
        return "an unknown time (layers were timed one at a time)", 0.0
    return "an unknown time (too noisy)", 0.0


def takes(number: int, time: str) -> str:
    """Return what layers cost, which may not be what is saved without them."""
    template = "It takes {time}. {untried}" if number == 1 else "They take {time}. {untried}"
    return Sentence(template, time, UNTRIED)


def time_text(report: PerformanceReport, time_ns: int) -> str:
    """Return a time with its share as text: '41.0 µs (2.4% of kernel time)'."""
    share = units.share(time_ns, report.kernel_ns)
    return Sentence("{duration} ({share} of kernel time)", Duration(time_ns), share)
