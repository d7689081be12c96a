"""Layer times by a device's own clock, where the runtime's profile has events of the device."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from inspector.engine.attribution.whole import Attribution
from inspector.engine.measuring.profile import Profile
from inspector.report import LayerUse


def times_on_device(
    profile: Profile,
    nodes: Sequence[int | None],
    attribution: Attribution,
    counted: int,
) -> Mapping[int, int]:
    """Return the time of each layer on its device in nanoseconds, by the layer's index.

    This is the median over the last `counted` predictions; the mean over all of them where a
    node's events do not divide into as many equal parts as there were predictions. Clocks of
    devices are not aligned with ours, so the order of a node's events tells its predictions.
    nodes: for each kernel its place in `attribution.executed`.
    """
    runs = len(profile.runs)
    leads: dict[str, int] = {}
    for kernel, place in zip(profile.kernels, nodes, strict=True):
        lead = None if place is None else attribution.executed[place].lead
        if lead is not None:
            leads.setdefault(kernel.name, lead)
    events: dict[str, list[int]] = defaultdict(list)
    for one in profile.on_device:
        if one.node in leads:
            events[one.node].append(one.duration_ns)
    times: dict[int, float] = defaultdict(float)
    for node, durations in events.items():
        times[leads[node]] += _in_a_prediction(durations, runs, counted)
    return {layer: round(time) for layer, time in times.items()}


def _in_a_prediction(durations: Sequence[int], runs: int, counted: int) -> float:
    each, rest = divmod(len(durations), max(1, runs))
    if rest or not each:
        return sum(durations) / max(1, runs)
    sums = [sum(durations[run * each : (run + 1) * each]) for run in range(runs)]
    return float(median(sums[-counted:]))


def with_device_times(
    uses: Sequence[LayerUse], times: Mapping[int, int], asynchronous: frozenset[str]
) -> tuple[tuple[LayerUse, ...], frozenset[str]]:
    """Return layers with their times on the device, and the devices that told all of theirs.

    A device that tells the times of some layers only keeps those of submissions: a table with
    both would compare what cannot be compared. asynchronous: ids of devices.
    """
    told = set()
    for device in asynchronous:
        mine = [use for use in uses if use.ran_on == device and use.time_ns is not None]
        if mine and all(use.index in times for use in mine):
            told.add(device)
    changed = tuple(
        replace(use, time_ns=times[use.index], spread=None, submitted_ns=use.time_ns)
        if use.ran_on in told and use.index in times
        else use
        for use in uses
    )
    return changed, frozenset(told)
