"""The page of a series of shapes in one session: first and steady time, and memory."""

from collections.abc import Mapping, Sequence
from statistics import median

from inspector.pages.blocks import Column, Limits, Page, Row, Section, Side, Table, Text
from inspector.report.report_values import ShapeRun
from inspector.wording.values import Count, Duration, Joined, Name, Sentence, Size, Tone, Value

_ALL = Limits(terminal=10_000, document=1000, page=10_000)
# Memory that counts as back: allocators round, and Python itself moves by less. A judgment.
_LEAST_BYTES = 1 << 20
_LEAST_SHARE = 0.1


def series_page(model: str, runs: Sequence[tuple[Mapping[str, int], ShapeRun]]) -> Page:
    """Return a row for each shape in the order of the runs; the last is the first again."""
    columns = (
        Column("shape", "Lengths", stretch=True),
        Column("first", "First run", Side.RIGHT),
        Column("steady", "Median of later runs", Side.RIGHT),
        Column("runs", "Later runs", Side.RIGHT, keep=3),
        Column("memory", "Memory after", Side.RIGHT),
        Column("change", "Memory added", Side.RIGHT, keep=5),
    )
    start = runs[0][1].before_bytes
    rows = []
    for place, (lengths, run) in enumerate(runs):
        shape: Value = Name(", ".join(f"{name}={size}" for name, size in lengths.items()))
        if place == len(runs) - 1:
            shape = Sentence("{lengths} again", lengths=shape)
        added = run.after_bytes - run.before_bytes
        rows.append(Row((
            shape,
            Duration(run.first_ns),
            Duration(round(median(run.steady_ns))),
            Count(len(run.steady_ns)),
            Size(run.after_bytes - start),
            Size(added) if added > 0 else Joined(("-", Size(-added)), "") if added else "0",
        )))  # fmt: skip
    note = Text(
        Sentence(
            "Memory of the process above the level before the first run; loading took {load}.",
            load=Duration(runs[0][1].load_ns),
        ),
        Tone.SECONDARY,
    )
    title = Sentence("{model}: {count} in one session", model=Name(model),
                     count=Count(len(runs) - 1, "shape"))  # fmt: skip
    table = Table(tuple(columns), tuple(rows), _ALL, "shape")
    return Page(
        "series",
        title,
        (Section("series", "", (table, note)),),
        Text(*_verdict(runs), strong=True),
    )


def held_bytes(runs: Sequence[tuple[Mapping[str, int], ShapeRun]]) -> int:
    """Return how much more memory the first shape leaves at the end than at the beginning."""
    return runs[-1][1].after_bytes - runs[0][1].after_bytes


def _verdict(runs: Sequence[tuple[Mapping[str, int], ShapeRun]]) -> tuple[Value, Tone]:
    held = held_bytes(runs)
    most = max(run.after_bytes for _, run in runs) - runs[0][1].after_bytes
    if held <= max(_LEAST_BYTES, _LEAST_SHARE * most):
        if most <= _LEAST_BYTES:
            return "The larger shapes take no more memory.", Tone.GOOD
        return Sentence("Memory comes back after the larger shapes: {most} at most.",
                        most=Size(most)), Tone.GOOD  # fmt: skip
    template = "{held} do not come back after the larger shapes, of {most} that they took."
    return Sentence(template, held=Size(held), most=Size(most)), Tone.CAUTION
