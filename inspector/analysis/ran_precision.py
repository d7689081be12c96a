"""Which types a measurement really computed in, and where that is not what the model says."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inspector import units
from inspector.report import InsertedNode, LayerUse, PerformanceReport
from inspector.trace import Kind

_SMALL_SHARE = 0.02
_HALF = "float16"


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


def conversion(layer: LayerUse, layers: Sequence[LayerUse]) -> tuple[str, str] | None:
    """Return the type that the model gives a layer, and the other one it was computed in.

    None where both are the same or one is not known. A layer that is part of another's kernel
    was computed in the type of that one. layers: all of the report, in its order.
    """
    lead = layer
    if layer.into is not None:
        if not 0 <= layer.into < len(layers):  # a file may claim anything
            return None
        lead = layers[layer.into]
    stored, computed = layer.output.partition(" ")[0], lead.computed_in
    if stored == computed or not _real(stored) or not _number(computed):
        return None
    return stored, computed


def precision_of(layer: LayerUse, layers: Sequence[LayerUse]) -> str:
    """Return "float16 → float32" where a layer was computed in another type than the model
    gives it, else the one type of its first output."""
    converted = conversion(layer, layers)
    return " → ".join(converted) if converted else layer.output.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class HalfPrecision:
    """A float16 model of which layers were computed in float32 instead.

    layers: indices of those. all: how many layers the model gives float16. casts: how many the
    runtime put in, and what they take together in one prediction, by the profile. known:
    whether none of these times is too noisy to say.
    """

    layers: tuple[int, ...]
    all: int
    casts: int
    casts_ns: int
    known: bool = True


def half_precision(report: PerformanceReport) -> HalfPrecision | None:
    """Return what became of a float16 model on a device without float16 kernels.

    None where the model is no float16 model, or no layer of it was converted.
    """
    known = [layer for layer in report.layers if _real(layer.output.partition(" ")[0])]
    half = [layer for layer in known if layer.output.partition(" ")[0] == _HALF]
    converted = [
        layer.index for layer in half if conversion(layer, report.layers) == (_HALF, "float32")
    ]
    if not converted or 2 * len(half) <= len(known):
        return None
    casts = [node for node in report.inserted if node.kind == Kind.CAST]
    spent = sum(node.time_ns for node in casts)
    sure = not any(node.noisy for node in casts)
    return HalfPrecision(tuple(converted), len(half), len(casts), spent, sure)


def changes(layers: Sequence[LayerUse], inserted: Iterable[InsertedNode]) -> tuple[str, ...]:
    """Sentences on layers that ran in another type than the model gives them.

    A layer that is part of another's kernel ran in the type of that one.
    """
    found: Counter[tuple[str, str]] = Counter()
    for layer in layers:
        converted = conversion(layer, layers)
        if converted is not None:
            found[converted] += 1
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
