"""The cells of a sweep as rows of text and CSV, and the labels of its settings."""

from collections.abc import Iterator

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.extra_tables import ExtraTable
from inspector.analysis.measured.latency import (
    ALL_FIELD,
    AT_FULL_SPEED,
    AT_FULL_SPEED_FIELD,
    TAILS_OF,
)
from inspector.analysis.measured.sample_statistics import TOO_FEW
from inspector.report.run_spec import SETTINGS
from inspector.report.sweep import (
    BUSY_CORES,
    DEVICE,
    DIMENSION_PREFIX,
    MACHINE,
    Cell,
    Sweep,
    Value,
)
from inspector.wording.values import counted

MEDIAN = "median"
SPREAD = "p5 to p95"
SPREAD_RATIO = "p95/p5"
RATE = "inferences/s (1 / mean)"
LOAD = "load"
MEMORY = "peak model memory"
HEAD = ("state", MEDIAN, SPREAD, SPREAD_RATIO, RATE, LOAD, MEMORY)
_NUMBERS = (
    "state", "why", "n", "median_ns", "median_low_ns", "median_high_ns", "p5_ns", "p95_ns",
    "sd_ns", "per_second", "load_ns", "first_prediction_ns", "model_bytes",
    "latency_of",
)  # fmt: skip
_KINDS = {AT_FULL_SPEED: AT_FULL_SPEED_FIELD, TAILS_OF: ALL_FIELD}


def axis_label(name: str) -> str:
    """Return the label of an axis."""
    if name in SETTINGS:
        return SETTINGS[name].noun
    return units.clip(name.removeprefix(DIMENSION_PREFIX), 60)


def value_label(name: str, value: Value) -> str:
    """A value of an axis for people."""
    if name == BUSY_CORES:
        return counted(int(value), "busy core") if value else "no background load"
    if name == DEVICE:
        return units.clip(" + ".join(map(units.device, str(value).split("+"))), 60)
    if name == MACHINE and value == "here":
        return "this machine"
    text = SETTINGS[name].text(value) if name in SETTINGS else str(value)
    return units.clip(text, 60)


def settings_label(sweep: Sweep, cell: Cell) -> str:
    """The settings of a cell in a line."""
    pairs = zip(sweep.axes, cell.at, strict=True)
    labels = (
        f"{axis_label(a.name)} {value_label(a.name, a.values[i])}"
        for a, i in pairs
        if a.name != BUSY_CORES or a.values[i]
    )
    return ", ".join(label.removeprefix("model ") for label in labels) or "default settings"


def latency_note(sweep: Sweep) -> str:
    """Return a sentence on which runs the latencies are from; "" where that is not known."""
    cells = [cell for cell in sweep.cells if cell.rounds]
    kinds = [sweep_results.latency_kind(cell) for cell in cells]
    if not any(kinds):
        return ""
    sentence = "Median, p5, p95 and mean are"
    full_speed = f"of runs {AT_FULL_SPEED}"
    if len(set(kinds)) == 1:
        return f"{sentence} {full_speed if kinds[0] == AT_FULL_SPEED else kinds[0]}."
    others = (
        f"{settings_label(sweep, cell)} ({kind or 'not recorded'})"
        for cell, kind in zip(cells, kinds, strict=True)
        if kind != AT_FULL_SPEED
    )
    return f"{sentence} {full_speed}, except for: {'; '.join(others)}."


def added_load_table(sweep: Sweep) -> ExtraTable | None:
    """Return what a busy core costs each combination, the costliest first; None without one."""
    rows = tuple(
        (
            settings_label(sweep, each.idle),
            units.duration(sweep_results.median_ns(each.idle) or 0),
            units.duration(sweep_results.median_ns(each.busy) or 0),
            f"{each.ratio:.2f}",
            "n/a" if each.p95_ratio is None else f"{each.p95_ratio:.2f}",
        )
        for each in sweep_results.added_load(sweep)
    )
    if not rows:
        return None
    return ExtraTable(
        "With a busy core",
        "the settings that suffer most first",
        ("Settings", "No background load", "Busy core", "Ratio of medians", "Ratio of p95"),
        rows,
        (
            "Another process kept a core busy, and the system chose which one. With it, all "
            "runs count: those that had to wait for a core are what such a load costs.",
        ),
    )


def rows(sweep: Sweep) -> Iterator[tuple[str, ...]]:
    """A row of text for each cell: its values, then HEAD."""
    for cell in sweep.cells:
        values = zip(sweep.axes, cell.at, strict=True)
        named = (value_label(axis.name, axis.values[place]) for axis, place in values)
        yield (*named, *_texts(cell))


def _texts(cell: Cell) -> tuple[str, ...]:
    numbers, wide = sweep_results.numbers(cell), sweep_results.spread(cell)
    if numbers is None:
        return (str(cell.state), *("" for _ in HEAD[1:]))
    first = cell.rounds[0]
    return (
        str(cell.state),
        units.duration(numbers.p50_ns),
        f"{units.duration(wide.p5_ns)} to {units.duration(wide.p95_ns)}" if wide else TOO_FEW,
        f"{wide.ratio:.2f}" if wide else "n/a",
        units.rate(numbers.per_second),
        units.duration(first.load_ns),
        units.size(first.model_bytes),
    )


def csv(sweep: Sweep) -> str:
    """A line for each cell, numbers in nanoseconds and bytes."""
    head = [axis.name for axis in sweep.axes] + list(_NUMBERS)
    lines = [head]
    for cell in sweep.cells:
        pairs = zip(sweep.axes, cell.at, strict=True)
        lines.append([str(axis.values[place]) for axis, place in pairs] + list(_raw(cell)))
    return "".join(",".join(map(_field, line)) + "\r\n" for line in lines)


def _raw(cell: Cell) -> Iterator[str]:
    numbers, wide = sweep_results.numbers(cell), sweep_results.spread(cell)
    yield str(cell.state)
    yield cell.why
    if numbers is None:
        yield from ("" for _ in _NUMBERS[2:])
        return
    first = cell.rounds[0]
    values: tuple[float | None, ...] = (
        numbers.n, numbers.p50_ns, numbers.median_low_ns, numbers.median_high_ns,
        *((wide.p5_ns, wide.p95_ns) if wide else (None, None)), numbers.sd_ns,
        numbers.per_second, first.load_ns, first.first_prediction_ns, first.model_bytes,
    )  # fmt: skip
    for number in values:
        yield "" if number is None else f"{number:.6g}" if number < 1e6 else f"{number:.0f}"
    yield _KINDS.get(sweep_results.latency_kind(cell), "")


def _field(text: str) -> str:
    """A CSV field that no spreadsheet takes for a formula."""
    safe = f"'{text}" if text[:1] in "=+-@\t\r" and text[:1] else text
    quoted = safe.replace('"', '""')
    return f'"{quoted}"' if any(letter in safe for letter in ',"\r\n') else safe
