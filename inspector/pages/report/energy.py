"""The energy of a run, or of a token, as far as the machine counts it."""

from inspector.pages.blocks import Fact
from inspector.report.report import PerformanceReport
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


def _joules(joules: float) -> str:
    scale, unit = next((pair for pair in _SCALES if joules >= pair[0]), _SCALES[-1])
    return f"{significant(joules / scale)} {unit}"


def _watts(watts: float) -> str:
    return f"{significant(watts)} W"
