"""What each step of a recipe did, on the pages of a conversion and of an improvement."""

from collections.abc import Sequence

from inspector.pages.blocks import Column, Limits, Row, Section, Side, Table
from inspector.report.improvement import StepResult
from inspector.wording.values import (
    Code,
    Count,
    Duration,
    Joined,
    Name,
    Sentence,
    Size,
    Tone,
    Toned,
    Value,
)

AFTER_STEPS = "After each step"
STEPS_ASIDE = "medians of one process each, with 95% CI; errors are against the original"
_ALL = Limits(terminal=1000, document=1000)


def step_section(results: Sequence[StepResult]) -> Section:
    """Return layers, size, time and error after each step; without blocks for no results."""
    blocks = (step_table(results),) if results else ()
    return Section("after-steps", AFTER_STEPS, blocks, aside=STEPS_ASIDE)


def step_table(results: Sequence[StepResult]) -> Table:
    """Return a row for the original and for each step."""
    columns = (
        Column("step", "After", stretch=True),
        Column("layers", "Layers", Side.RIGHT, keep=3),
        Column("size", "Size", Side.RIGHT),
        Column("median", "Median", Side.RIGHT, keep=2),
        Column("sqnr", "SQNR", Side.RIGHT, keep=1),
        Column("same", "Same top class", Side.RIGHT, keep=4),
    )
    rows = tuple(
        Row((
            Code(each.step) if each.step else "(original)",
            Count(each.layers) if not each.problem else "",
            Size(each.size_bytes) if not each.problem else "",
            _time(each),
            _decibels(each),
            f"{each.same_top:,} of {each.inputs:,}" if each.same_top is not None else "",
        ))
        for each in results
    )  # fmt: skip
    return Table(columns, rows, _ALL, "step", fixed=True)


def _time(result: StepResult) -> Value:
    if result.median_ns is None:
        return Name(result.problem)
    if result.noisy:
        return Joined((Toned("Noisy", Tone.CAUTION), Duration(result.median_ns)), " ")
    if result.low_ns is None or result.high_ns is None:
        return Duration(result.median_ns)
    ends = Duration(result.low_ns), Duration(result.high_ns)
    return Sentence("{median} ({low} to {high})", Duration(result.median_ns), *ends)


def _decibels(result: StepResult) -> str:
    if result.sqnr_db is None:
        return "exact" if result.step and result.inputs else ""
    return f"{result.sqnr_db:.1f} dB"
