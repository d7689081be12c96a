"""Sentences on how layer times were taken on devices that work asynchronously."""

from inspector import units
from inspector.report.report import (
    ON_DEVICE,
    SUBMISSION,
    SYNCHRONIZED,
    InsertedNode,
    LayerUse,
    PerformanceReport,
)


def submission_words(report: PerformanceReport) -> str:
    """Return a sentence on devices whose layers have no times; empty where all have."""
    names = _used(report, SUBMISSION)
    if not names:
        return ""
    return (
        f"On {' and '.join(names)}, layers have no times: only their submission to the device "
        "was timed"
    )


def timing_words(report: PerformanceReport) -> str:
    """Return what the times of layers are where they are no plain ones; else empty."""
    if SYNCHRONIZED in report.layer_timing.values():
        return (
            "Synchronized mode: each layer ran alone, timed from submission until its outputs "
            "were back. The sum is longer than a normal run"
        )
    own = _used(report, ON_DEVICE)
    parts = [f"On {' and '.join(own)}, layers are timed by the clock of the device"] * bool(own)
    return ". ".join(filter(None, (*parts, submission_words(report))))


def caution_words(report: PerformanceReport) -> str:
    """Return what must be known before times of layers are read; else empty."""
    own = SYNCHRONIZED in report.layer_timing.values()
    return timing_words(report) if own else submission_words(report)


def is_untimed(report: PerformanceReport, device: str) -> bool:
    """Return whether layers on a device have no times, since it works on its own."""
    return report.layer_timing.get(device) == SUBMISSION


def share_words(report: PerformanceReport, device: str) -> str:
    """Return the share of the time of all kernels that a device's layers take, or why not."""
    if is_untimed(report, device):
        return "not timed"
    times_ns = (layer.time_ns or 0 for layer in report.layers if layer.ran_on == device)
    return units.share(sum(times_ns), report.kernel_ns)


def handed_over(entry: LayerUse | InsertedNode) -> str:
    """Return how long handing over took where that is all that is known; else empty."""
    if entry.submitted_ns is None or entry.time_ns:
        return ""
    took = units.duration(entry.submitted_ns)
    waited = isinstance(entry, InsertedNode) and entry.kind == "wait"
    return f"waited {took}" if waited else f"submitted in {took}"


def _used(report: PerformanceReport, timing: str) -> list[str]:
    used = {layer.ran_on for layer in report.layers}
    return [
        units.device(device)
        for device, device_timing in report.layer_timing.items()
        if device_timing == timing and device in used
    ]
