"""Decide whether two tensors agree, with tolerances by element type."""

from collections.abc import Sequence

from inspector import units
from inspector.model.tensors.difference import Difference
from inspector.platform.data_struct import DataStruct

# Of the largest value of a tensor. Rounding adds up over a network of some hundred layers to
# less than this in a type's own steps; a wrong kernel or a lost scale is far above. In float32
# most models stay below 1e-5, but one that takes the logarithm of a spectrum and normalizes it
# (basic_pitch) has 5e-4 between two right ways to compute it.
TOLERANCES = {
    "float64": 1e-9,
    "float32": 1e-3,
    "float16": 2e-2,
    "bfloat16": 5e-2,
    "float8e4m3fn": 0.2,
    "float8e5m2": 0.3,
}
QUANTIZED = 0.05  # of models that round to 8 bits and fewer on their way
_ONE_STEP = ("int8", "uint8", "int4", "uint4")  # quantised values may round to a neighbor


class CheckedOutput(DataStruct, frozen=True):
    """One output of a measured model compared with an unoptimized run on the CPU.

    name: of the output.
    difference: with the CPU's output as the reference; None if the output is not a tensor.
    tolerance: accepted error as a share of the largest absolute value; it depends on the
        data types in the model.
    broken: a part of the output that is wrong though larger values hide it from the
        difference, as a clause: "rows 4 to 6 of output0 are always 0".
    """

    name: str
    difference: Difference | None
    tolerance: float
    broken: str = ""

    @property
    def over(self) -> bool:
        """Return whether the answer is wrong: beyond the tolerance."""
        if self.broken:
            return True
        return self.difference is not None and is_over(self.difference, None, self.tolerance)


def worst(outputs: Sequence[CheckedOutput]) -> CheckedOutput | None:
    """Return the output that is furthest from right; None where none could be compared."""
    measured = [each for each in outputs if each.difference is not None]
    return max(measured, key=_rank, default=None)


def summary_text(outputs: Sequence[CheckedOutput]) -> str:
    """Return one line about all outputs: 'PSNR 64.2 dB, largest error 0.003'; empty of none."""
    worst_output = worst(outputs)
    if worst_output is None or worst_output.difference is None:
        return ""
    name = f" of '{units.clip(worst_output.name, 60)}'" if len(outputs) > 1 else ""
    if worst_output.broken:
        return worst_output.broken
    apart = worst_output.difference
    if apart.problem:
        return f"{apart.problem.rstrip('.')}{name}"
    if apart.unmatched:
        elements = units.plural(apart.unmatched, "element")
        verb = "is" if apart.unmatched == 1 else "are"
        return f"{elements}{name} {verb} NaN or infinite in only one of the two"
    if apart.identical:
        return "identical"
    if apart.max_abs is None:
        return f"{apart.unequal:,} of {units.plural(apart.count, 'element')}{name} differ"
    if apart.whole:
        return f"{apart.same_text}{name}"
    return f"PSNR {decibels(apart.psnr_db)}{name}, max error {apart.max_abs:.3g}"


def decibels(value: float | None) -> str:
    """Write decibels: '64.2 dB'; infinitely many and none at all are signs."""
    if value is None:
        return "n/a"
    return f"{value:.1f} dB" if abs(value) != float("inf") else "∞ dB" if value > 0 else "-∞ dB"


def _rank(output: CheckedOutput) -> tuple[bool, bool, float]:
    apart = output.difference
    assert apart is not None
    return output.over, bool(apart.problem or apart.unmatched), apart.relative or 0.0


def is_over(difference: Difference, own: float | None = None, least: float = 0.0) -> bool:
    """Return whether two tensors differ by more than they may.

    own: what an error may be in parts of the largest value, as set by the user; None for what
    the coarser type of both allows, and `least`, which what came before allows.
    NaN and infinity must be in the same places. Whole numbers and truths must be equal, of
    8 bits and fewer up to one step, unless `own` says otherwise.
    """
    if difference.problem or difference.unmatched:
        return True
    relative = difference.relative
    if relative is None:
        return difference.unequal > 0
    if own is not None:
        return relative > own
    types = (difference.reference_dtype, difference.other_dtype)
    small = {*types} <= {*_ONE_STEP}
    if small and difference.max_abs is not None and difference.max_abs <= 1:
        return False
    real = all(name in TOLERANCES for name in types)
    return relative > max(least, *map(tolerance, types)) if real else relative > 0


def tolerance(dtype: str) -> float:
    """Return what an error may be by default where a tensor of this type is, or came before."""
    return TOLERANCES.get(dtype, 0.0)
