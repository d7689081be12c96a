"""The labels of a sweep: its axes, their values, and what its latencies are of."""

from inspector import units
from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.extra_tables import ExtraTable
from inspector.analysis.measured.latency import AT_FULL_SPEED
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
