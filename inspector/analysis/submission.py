"""Which times of layers are those until work was handed over, and not until it was done."""

from inspector import units
from inspector.report import PerformanceReport


def submission_words(report: PerformanceReport) -> str:
    """A sentence beside times of layers; empty where all ran on the caller's own processor."""
    used = {layer.ran_on for layer in report.layers}
    names = [
        units.device(one.id) for one in report.devices if one.asynchronous and one.id in used
    ]
    if not names:
        return ""
    return f"On {' and '.join(names)}: until it was handed over, not until it was done"
