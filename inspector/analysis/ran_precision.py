"""Which types a measurement really computed in, and where that is not what the model says."""

from collections import Counter
from collections.abc import Iterable, Sequence

from inspector import units
from inspector.report import InsertedNode, LayerUse, PerformanceReport
from inspector.trace import Kind

_SMALL_SHARE = 0.02


def precision_times(report: PerformanceReport) -> tuple[tuple[str, int], ...]:
    """Types with the time of the layers that ran in each, most first.

    What a device compiled as a whole is not in it: nobody tells what types it uses inside.
    """
    times: Counter[str] = Counter()
    for layer in report.layers:
        if layer.computed_in and layer.time_ns:
            times[layer.computed_in] += layer.time_ns
    return tuple(times.most_common())


def main_precision(report: PerformanceReport) -> str:
    """The type that most of the time was spent in; empty where no layer tells."""
    return next((name for name, _ in precision_times(report)), "")


def precision_words(report: PerformanceReport) -> str:
    """Types and their share of the time, as text: "float32 98.0 %, uint8 2.0 %"."""
    times = precision_times(report)
    whole = sum(time for _, time in times)
    told = [f"{name} {units.share(time, whole)}" for name, time in times]
    large = [
        words for words, (_, time) in zip(told, times, strict=True) if _counts(time, whole)
    ]
    return ", ".join(large) or "not told"


def changes(layers: Sequence[LayerUse], inserted: Iterable[InsertedNode]) -> tuple[str, ...]:
    """Sentences on layers that ran in another type than the model gives them.

    A layer that is part of another's kernel ran in the type of that one.
    """
    found: Counter[tuple[str, str]] = Counter()
    for layer in layers:
        lead = layer if layer.into is None else layers[layer.into]
        declared, ran_in = layer.output.partition(" ")[0], lead.computed_in
        if declared != ran_in and _real(declared) and _number(ran_in):
            found[declared, ran_in] += 1
    casts = sum(node.kind == Kind.CAST for node in inserted)
    between = (
        f", between {units.plural(casts, 'cast')} that the runtime put in" if casts else ""
    )
    return tuple(
        f"{units.plural(count, f'{declared} layer')} ran "
        f"{'in' if _real(ran_in) else 'quantised, in'} {ran_in}{between}."
        for (declared, ran_in), count in found.most_common()
    )


def _counts(time_ns: int, whole_ns: int) -> bool:
    return time_ns >= _SMALL_SHARE * whole_ns


def _real(name: str) -> bool:
    return name.startswith(("float", "bfloat"))


def _number(name: str) -> bool:
    return _real(name) or name.startswith(("int", "uint"))
