"""Rows of the table that says what the answer is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector import units
from inspector.agreement import CheckedOutput


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """An output beside that of the CPU without optimisation, as texts; empty where unknown."""

    name: str
    over: bool
    verdict: str
    largest: str = ""
    allowed: str = ""
    psnr: str = ""
    cosine: str = ""
    same: str = ""


def checked_rows(outputs: Sequence[CheckedOutput]) -> tuple[CheckedRow, ...]:
    """One row for each output."""
    return tuple(_row(output) for output in outputs)


def _row(output: CheckedOutput) -> CheckedRow:
    name, apart = units.clip(output.name, 120), output.difference
    if apart is None:
        return CheckedRow(name, False, "not a tensor")
    if apart.problem:
        return CheckedRow(name, output.over, units.clip(apart.problem, 200))
    verdict = "identical" if apart.identical else "right"
    allowed = "" if apart.peak is None else f"{output.tolerance * apart.peak:.3g}"
    return CheckedRow(
        name,
        output.over,
        "wrong" if output.over else verdict,
        "" if apart.max_abs is None else f"{apart.max_abs:.3g}",
        allowed,
        "" if apart.psnr_db is None or apart.identical else f"{apart.psnr_db:.1f} dB",
        "" if apart.cosine is None else f"{apart.cosine:.6f}",
        "" if apart.top1 is None else f"{100 * apart.top1:.0f} %",
    )
