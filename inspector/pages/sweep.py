"""The page of a sweep: every combination, the fastest of each model, machines side by side."""

from collections.abc import Iterator

from inspector import units
from inspector.analysis.measured import machine_matrix, sweep_results
from inspector.analysis.measured.sample_statistics import TOO_FEW
from inspector.analysis.measured.sweep_labels import (
    added_load_table,
    axis_label,
    latency_note,
    settings_label,
    value_label,
)
from inspector.analysis.verdicts import outputs as output_verdicts
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.report.timing import extra_section, throughput_table
from inspector.report.sweep import MACHINE, Cell, CellState, Sweep
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    Name,
    Noted,
    Rate,
    Sentence,
    Share,
    Size,
    Tone,
    Toned,
    Value,
)

_ALL = Limits(terminal=1000, document=200, page=5000)


def sweep_page(sweep: Sweep) -> Page:
    """Return the page of a sweep, finished or not."""
    load = added_load_table(sweep)
    note = latency_note(sweep)
    sections = (
        Section("fastest", "", tuple(_fastest(sweep))),
        Section(
            "combinations",
            "Combinations",
            (
                combination_table(
                    sweep, any(cell.state is not CellState.DONE for cell in sweep.cells)
                ),
                *((Text(note, Tone.SECONDARY),) if note else ()),
            ),
        ),
        _machines(sweep),
        _front(sweep),
        *((extra_section(load),) if load is not None else ()),
        Section("notes", "Notes", tuple(_notes(sweep))),
    )
    models = Joined(tuple(Name(model.name) for model in sweep.models))
    title = Sentence(
        "Sweep of {models}: {count}", models, Count(len(sweep.cells), "combination")
    )
    return Page("sweep", title, sections)


def _fastest(sweep: Sweep) -> Iterator[Block]:
    """Yield the fastest combination of each model, and what it gains."""
    if early := sweep_results.early_end(sweep):
        yield Text(f"{sweep.ended} {early}".strip(), Tone.CAUTION, strong=True)
    for number in range(len(sweep.models)):
        own = [cell for cell in sweep.cells if sweep.model_of(cell) == number]
        best = sweep_results.best(sweep, own)
        if best is not None:
            yield from _best(sweep, best)


def _best(sweep: Sweep, best: Cell) -> Iterator[Block]:
    numbers = sweep_results.numbers(best)
    assert numbers is not None, "the fastest combination was measured"
    interval = sweep_results.median_interval(best)
    between: Value = ""
    if interval is not None:
        between = Sentence(" (95% CI {interval})", DurationRange(*interval))
    values: dict[str, Value] = {
        "settings": settings_label(sweep, best),
        "median": Duration(numbers.p50_ns),
        "kind": sweep_results.latency_kind(best),
        "between": between,
    }
    yield Text(
        Sentence("Fastest: {settings}: median {median} {kind}{between}", **values), strong=True
    )
    gained = sweep_results.gain_over_default(sweep, best)
    if gained is not None:
        yield Text(sweep_results.gain_text(gained))
    points = sweep_results.throughput(best)
    if points:
        yield throughput_table(points)


def combination_table(sweep: Sweep, states: bool = True) -> Table:
    """Return every combination with its latency, load and memory; states: and its state."""
    note = latency_note(sweep)
    columns = (
        *(Column(f"axis {axis.name}", units.capitalized(axis_label(axis.name)))
          for axis in sweep.axes),
        *((Column("state", "State", keep=4),) * states),
        Column("median", "Median", Side.RIGHT, falling=False, help=note),
        Column("spread", "p5 to p95", Side.RIGHT, keep=5, falling=False, help=note),
        Column("ratio", "p95/p5", Side.RIGHT, keep=3, falling=False,
               help="The 95th percentile of the latency divided by the 5th"),
        Column("rate", "Runs/s (1 / mean)", Side.RIGHT, keep=2,
               help=f"For consecutive runs. {note}"),
        Column("load", "Load", Side.RIGHT, keep=6, falling=False),
        Column("memory", "Peak model memory", Side.RIGHT, keep=6, falling=False,
               help="How far the peak memory of the process rose above its level before "
                    "loading"),
    )  # fmt: skip
    best = sweep_results.best(sweep)
    rows = tuple(
        Row(tuple(_cells(sweep, cell, states)), _tone(cell, best)) for cell in sweep.cells
    )
    return Table(columns, rows, _ALL, "combination")


def _tone(cell: Cell, best: Cell | None) -> Tone:
    if not cell.rounds:
        return Tone.SECONDARY
    return Tone.GOOD if cell is best else Tone.PLAIN


def _cells(sweep: Sweep, cell: Cell, states: bool) -> Iterator[Value]:
    for axis, place in zip(sweep.axes, cell.at, strict=True):
        yield Noted(value_label(axis.name, axis.values[place]), order=float(place))
    state: Value = str(cell.state)
    failed = cell.state is CellState.FAILED
    if states:
        yield Noted(Toned(state, Tone.BAD) if failed else state, cell.why)
    numbers, spread = sweep_results.numbers(cell), sweep_results.spread(cell)
    if numbers is None:
        yield from ("", "", "", "", "", "")
        return
    yield Duration(numbers.p50_ns)
    yield DurationRange(spread.p5_ns, spread.p95_ns) if spread else TOO_FEW
    yield Noted(f"{spread.ratio:.2f}", order=spread.ratio) if spread else "n/a"
    yield Rate(numbers.per_second)
    yield Duration(cell.rounds[0].load_ns)
    yield Size(cell.rounds[0].model_bytes)


def _machines(sweep: Sweep) -> Section:
    """Return the fastest latency of each model on each machine; a model's fastest in bold."""
    rows = sweep_results.by_machine(sweep)
    if not rows:
        return Section("machines", "", ())
    names = next(axis.values for axis in sweep.axes if axis.name == MACHINE)
    columns = (
        Column("model", "Model", stretch=True),
        *(Column(f"machine {name}", value_label(MACHINE, name), Side.RIGHT) for name in names),
    )
    table = tuple(
        Row((Name(model.name), *_on_machines(sweep, number, row)))
        for number, (model, row) in enumerate(zip(sweep.models, rows, strict=True))
    )
    items = tuple(Item(sentence) for sentence in _drift(sweep))
    blocks: tuple[Block, ...] = (
        Table(columns, table, _ALL, "model"),
        *_machine_front(sweep),
        *((Items(items, _ALL),) if items else ()),
    )
    title = "Median latency by machine"
    aside = "with the best settings of each; * marks the fastest machine of a model"
    return Section("machines", title, blocks, aside=aside)


def _on_machines(sweep: Sweep, number: int, row: tuple[Cell | None, ...]) -> Iterator[Value]:
    failed = {
        sweep.machine_of(cell): cell.failure or "failed"
        for cell in sweep.cells
        if cell.state is CellState.FAILED and sweep.model_of(cell) == number
    }
    medians = [None if cell is None else sweep_results.median_ns(cell) for cell in row]
    least = min((median for median in medians if median is not None), default=None)
    for place, (median, cell) in enumerate(zip(medians, row, strict=True)):
        if median is None or cell is None:
            yield failed.get(place, "open")
            continue
        parts: list[Value] = [Duration(median)]
        if median == least:
            parts = [Toned(parts[0], Tone.GOOD, strong=True), "*"]
        if machine_matrix.partly_supported(cell):
            parts.append(f"({machine_matrix.LAYERS.text(cell)} layers)")
        yield Joined(tuple(parts), " ")


def _machine_front(sweep: Sweep) -> Iterator[Block]:
    """Yield the Pareto-optimal machines of each model, where these are several."""
    front = machine_matrix.front(sweep)
    for number, model in enumerate(sweep.models):
        own = [c for c in map(sweep.by_place.__getitem__, front) if sweep.model_of(c) == number]
        if len({sweep.machine_of(cell) for cell in own}) < 2:
            continue
        template = "{model}: Pareto-optimal by latency and peak memory"
        yield Text(Sentence(template, model=Name(model.name)), strong=True)
        yield Facts(tuple(
            Fact(
                settings_label(sweep, cell).removeprefix(f"{model.name}, "),
                Duration(sweep_results.median_ns(cell) or 0.0),
                Size(machine_matrix.peak_memory(cell) or 0),
            )
            for cell in sorted(own, key=lambda each: sweep_results.median_ns(each) or 0.0)
        ))  # fmt: skip


def _drift(sweep: Sweep) -> Iterator[Sentence]:
    for name, ratio, count in sweep_results.machine_drift(sweep):
        template = (
            "{machine} is {share} slower than the median of its kind ({count})"
            if ratio > 1
            else "{machine} is {share} faster than the median of its kind ({count})"
        )
        values: dict[str, Value] = {
            "machine": Name(name),
            "share": Share(abs(ratio - 1)),
            "count": Count(count, "process"),
        }
        yield Sentence(template, **values)
    for name, ratio, count in sweep_results.machine_trend(sweep):
        template = (
            "{machine} became {share} slower during the sweep ({count} of the same cells)"
            if ratio > 1
            else "{machine} became {share} faster during the sweep ({count} of the same cells)"
        )
        values = {
            "machine": Name(name),
            "share": Share(abs(ratio - 1)),
            "count": Count(count, "measurement"),
        }
        yield Sentence(template, **values)


def _front(sweep: Sweep) -> Section:
    """Return size, latency and agreement of each model, where there are several."""
    candidates = sweep_results.candidates(sweep)
    if len(candidates) < 2:
        return Section("front", "", ())
    optimal = sweep_results.front(candidates)
    columns = (
        Column("optimal", ""),
        Column("model", "Model", stretch=True),
        Column("size", "Size", Side.RIGHT),
        Column("median", "Median", Side.RIGHT),
        Column("outputs", "Outputs"),
    )
    rows = tuple(
        Row((
            "*" if place in optimal else "", Name(each.name), Size(each.size_bytes),
            Duration(each.median_ns), each.label,
        ))
        for place, each in enumerate(candidates)
    )  # fmt: skip
    verdicts = tuple(
        Text(Sentence("{model}: {verdict}", Name(each.name),
                      output_verdicts.sentence(each.verdict)))
        for each in candidates if each.verdict is not None
    )  # fmt: skip
    blocks: tuple[Block, ...] = (Table(columns, rows, _ALL, "model"), *verdicts)
    aside = "outputs compared with those of the first model; * marks Pareto-optimal models"
    return Section("front", "Size, latency and outputs", blocks, aside=aside)


def _notes(sweep: Sweep) -> Iterator[Items]:
    failed = [
        Item(Sentence("{settings}: {reason}", settings_label(sweep, cell), cell.why))
        for cell in sweep.cells
        if cell.state is CellState.FAILED
    ]
    items = (*failed, *(Item(note) for note in sweep.notes))
    if items:
        yield Items(items, Limits(terminal=20, document=40))
