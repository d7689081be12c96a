"""The energy of a run, and how busy the machine was, as far as it tells."""

from collections.abc import Iterator

import numpy as np

from inspector.pages.blocks import Fact
from inspector.pages.quantities import quantity
from inspector.report.report import PerformanceReport
from inspector.trace.kinds import ALL_PROGRAMS
from inspector.units import significant
from inspector.wording.values import Duration, Joined, Name, Sentence, Value

_NS_PER_SECOND = 1e9
_SCALES = ((1.0, "J"), (1e-3, "mJ"), (1e-6, "\N{MICRO SIGN}J"))


def energy_fact(report: PerformanceReport) -> Fact | None:
    """Return the energy with what it is of, or why there is none; None in earlier reports."""
    use, each = report.surroundings.energy, report.run_joules
    if each is None:
        return Fact("Energy", "not available", use.missing) if use.missing else None
    template = "{energy} per run" if report.generation is None else "{energy} per token"
    time = Duration(use.seconds * _NS_PER_SECOND)
    note: tuple[Value, ...] = (
        *(Sentence("{name} {power}", Name(n), _watts(j / use.seconds)) for n, j in use.parts),
        Sentence("mean of {time}, other programs included", time),
    )
    return Fact("Energy", Sentence(template, energy=_joules(each)), Joined(note))


def load_facts(report: PerformanceReport) -> Iterator[Fact]:
    """Yield the mean load of cores and devices while profiled; of a device, why it is unknown.

    None where nobody looked: in earlier reports.
    """
    counters = [each for each in report.trace.counters if each.process == ALL_PROGRAMS]
    if not counters:
        return
    parts = [
        Sentence(
            "{name} {mean}", Name(each.name), quantity(float(np.mean(each.values)), each.unit)
        )
        for each in counters
    ]
    note = "means while profiled, other programs included"
    yield Fact("Load of the machine", Joined(parts), note)
    told = " ".join(each.name for each in counters)
    for kind in sorted({device.kind for device in report.devices} - {"cpu"}):
        if kind.upper() not in told:
            title = Sentence("Load of the {kind}", kind.upper())
            yield Fact(title, "not available", "its driver shows none to programs here")


def _joules(joules: float) -> str:
    scale, unit = next((pair for pair in _SCALES if joules >= pair[0]), _SCALES[-1])
    return f"{significant(joules / scale)} {unit}"


def _watts(watts: float) -> str:
    return f"{significant(watts)} W"
