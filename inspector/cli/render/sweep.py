"""A sweep as text for a terminal: progress lines, then a table."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from inspector import units

if TYPE_CHECKING:
    from inspector.experiments.runner import TimeLeft
    from inspector.report.sweep import Cell, CellIndex, Sweep


_BAR = 20


def step_line(before: "Sweep", after: "Sweep", clock: "TimeLeft") -> str:
    """Return the result of the last measurement and the progress of the sweep."""
    from inspector.analysis.measured.sweep_results import median_ns
    from inspector.experiments import runner
    from inspector.export.tables.sweep_tables import settings_label

    old = before.by_place
    cell = next(cell for cell in after.cells if cell != old[cell.at])
    number, rest = runner.done(after), runner.left(after)
    count = f"[{number:>{len(str(number + rest))}}/{number + rest}]"
    middle = median_ns(cell)
    text = cell.why.rstrip(".") if cell.why else f"median {units.duration(middle or 0)}"
    seconds = clock.seconds(rest)
    left = f"; {units.time_left(seconds)}" if rest and seconds is not None else ""
    return f"{count} {settings_label(after, cell)}: {text}{left}"


def next_text(sweep: "Sweep", place: "CellIndex") -> str:
    """Return the measurement that begins: '[3/21] threads 2'."""
    from inspector.experiments import runner
    from inspector.export.tables.sweep_tables import settings_label

    number, rest = runner.done(sweep), runner.left(sweep)
    return f"[{number + 1}/{number + rest}] {settings_label(sweep, sweep.by_place[place])}"


def live_lines(sweep: "Sweep", active: "Collection[CellIndex]", left: str = "") -> list[str]:
    """Return models on machines as a table while it fills; empty without that axis.

    active: cells that are measured now. A number in brackets counts the settings that are done.
    """
    from inspector.analysis.measured import sweep_results
    from inspector.experiments import runner
    from inspector.export.tables.sweep_tables import value_label
    from inspector.report.sweep import MACHINE, CellState

    best = sweep_results.by_machine(sweep)
    if not best:
        return []
    names = next(axis.values for axis in sweep.axes if axis.name == MACHINE)
    table = [["", *(value_label(MACHINE, name) for name in names)]]
    for number, model in enumerate(sweep.models):
        texts = [units.clip(model.name, 30)]
        for place in range(len(names)):
            own = [
                cell
                for cell in sweep.cells
                if (sweep.model_of(cell), sweep.machine_of(cell)) == (number, place)
            ]
            ended = sum(
                cell.state is not CellState.PENDING or len(cell.rounds) >= sweep.rounds
                for cell in own
            )
            fastest = best[number][place]
            middle = None if fastest is None else sweep_results.median_ns(fastest)
            now = any(cell.at in active for cell in own)
            failed = next((c for c in own if c.state is CellState.FAILED), None)
            text = "" if middle is None else units.duration(middle)
            if not text:
                ended_as = "queued" if failed is None else failed.failure or "failed"
                text = "measuring" if now else ended_as
            elif now:
                text = f"~{text}"
            count = f" ({ended}/{len(own)})" if len(own) > 1 and ended < len(own) else ""
            texts.append(text + count)
        table.append(texts)
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    done, rest = runner.done(sweep), runner.left(sweep)
    lines = [f"{done} of {done + rest} measurements{left}"]
    for cells in table:
        others = (f"{text:>{w}}" for text, w in zip(cells[1:], wide[1:], strict=True))
        lines.append("  ".join((cells[0].ljust(wide[0]), *others)).rstrip())
    return lines


def lines(sweep: "Sweep") -> Iterator[str]:
    """Yield the table, the fastest combination of each model, and the Pareto front."""
    from inspector.analysis.measured import sweep_results
    from inspector.export.tables.sweep_tables import HEAD, latency_note, rows

    yield ""
    head = [*(axis.name for axis in sweep.axes), *HEAD]
    table = [head, *rows(sweep)]
    wide = [max(len(row[i]) for row in table) for i in range(len(head))]
    first_number = len(sweep.axes)
    for row in table:
        cells = (
            text.rjust(w) if i >= first_number else text.ljust(w)
            for i, (text, w) in enumerate(zip(row, wide, strict=True))
        )
        yield "  ".join(cells).rstrip()
    yield ""
    if note := latency_note(sweep):
        yield note
    if early := sweep_results.early_end(sweep):
        yield f"{sweep.ended} {early}".strip()
    yield from _matrix(sweep)
    for number in range(len(sweep.models)):
        mine = [cell for cell in sweep.cells if sweep.model_of(cell) == number]
        best = sweep_results.best(sweep, mine)
        if best is not None:
            yield from _best(sweep, best)
    yield from _front(sweep)
    yield from _added_load(sweep)
    yield from (f"note: {note}" for note in sweep.notes)


def _added_load(sweep: "Sweep") -> Iterator[str]:
    from inspector.cli.render.report_summary import table_lines
    from inspector.export.tables.sweep_tables import added_load_table

    table = added_load_table(sweep)
    if table is not None:
        yield from table_lines(table)


def _matrix(sweep: "Sweep") -> Iterator[str]:
    """Yield the fastest latency of each model on each machine; * marks a model's fastest.

    Layers are counted where the device does not support all of them.
    """
    from inspector.analysis.measured import sweep_results
    from inspector.analysis.measured.machine_matrix import LAYERS, partly_supported
    from inspector.export.tables.sweep_tables import value_label
    from inspector.report.sweep import MACHINE, CellState

    rows = sweep_results.by_machine(sweep)
    if not rows:
        return
    names = next(axis.values for axis in sweep.axes if axis.name == MACHINE)
    failed = {
        (sweep.model_of(cell), sweep.machine_of(cell)): cell.failure or "failed"
        for cell in sweep.cells
        if cell.state is CellState.FAILED
    }
    table = [["model", *(value_label(MACHINE, name) for name in names)]]
    for number, (model, row) in enumerate(zip(sweep.models, rows, strict=True)):
        medians = [None if cell is None else sweep_results.median_ns(cell) for cell in row]
        least = min((each for each in medians if each is not None), default=None)
        texts = []
        for place, (middle, cell) in enumerate(zip(medians, row, strict=True)):
            if middle is None or cell is None:
                texts.append(failed.get((number, place), "open"))
                continue
            mark = "*" if middle == least else " "
            partly = partly_supported(cell)
            layers = f" ({LAYERS.text(cell)} layers)" if partly else ""
            texts.append(f"{units.duration(middle)}{mark}{layers}")
        table.append([units.clip(model.name, 40), *texts])
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    yield "median latency with the best settings of each machine (* fastest machine):"
    for cells in table:
        others = (f"{text:>{w}}" for text, w in zip(cells[1:], wide[1:], strict=True))
        yield "  ".join((cells[0].ljust(wide[0]), *others)).rstrip()
    yield from _machine_front(sweep)
    for name, ratio, count in sweep_results.machine_drift(sweep):
        side = "slower" if ratio > 1 else "faster"
        share = units.share(abs(ratio - 1), 0)
        processes = units.plural(count, "process")
        kind = "than the median of its kind on the same cells"
        yield f"{name} is {share} {side} {kind} ({processes})"
    for name, ratio, count in sweep_results.machine_trend(sweep):
        side = "slower" if ratio > 1 else "faster"
        share = units.share(abs(ratio - 1), 0)
        again = units.plural(count, "measurement")
        yield f"{name} became {share} {side} during the sweep ({again} of the same cells)"
    yield ""


def _machine_front(sweep: "Sweep") -> Iterator[str]:
    """Yield the Pareto-optimal machines of each model, where these are several."""
    from inspector.analysis.measured import machine_matrix, sweep_results
    from inspector.export.tables.sweep_tables import settings_label

    front = machine_matrix.front(sweep)
    for number, model in enumerate(sweep.models):
        own = [
            sweep.by_place[at] for at in front if sweep.model_of(sweep.by_place[at]) == number
        ]
        if len({sweep.machine_of(cell) for cell in own}) < 2:
            continue
        name = units.clip(model.name, 40)
        yield f"{name}: Pareto-optimal by latency and peak memory:"
        for cell in sorted(own, key=lambda each: sweep_results.median_ns(each) or 0.0):
            time = units.duration(sweep_results.median_ns(cell) or 0.0)
            memory = units.size(machine_matrix.peak_memory(cell) or 0)
            text = settings_label(sweep, cell).removeprefix(f"{model.name}, ")
            yield f"    {time:>9}  {memory:>9}  {text}"


def _best(sweep: "Sweep", best: "Cell") -> Iterator[str]:
    from inspector.analysis.measured import sweep_results
    from inspector.cli.render.report_summary import throughput_lines
    from inspector.export.tables.sweep_tables import settings_label

    statistics = sweep_results.numbers(best)
    assert statistics is not None, "the fastest combination was measured"
    between = sweep_results.median_interval(best)
    sure = f" (95% CI {units.durations(*between)})" if between else ""
    latency = f"{units.duration(statistics.p50_ns)} {sweep_results.latency_kind(best)}".rstrip()
    yield f"fastest: {settings_label(sweep, best)}: median {latency}{sure}"
    gained = sweep_results.gain_over_default(sweep, best)
    if gained is not None:
        yield f"      {sweep_results.gain_text(gained)}"
    yield from throughput_lines(sweep_results.throughput(best))


def _front(sweep: "Sweep") -> Iterator[str]:
    from inspector.analysis.measured import sweep_results
    from inspector.analysis.verdicts import outputs

    known = sweep_results.candidates(sweep)
    if len(known) < 2:
        return
    front = sweep_results.front(known)
    yield ""
    yield "size, median latency and outputs beside those of the first (* Pareto-optimal):"
    for place, one in enumerate(known):
        mark = "*" if place in front else " "
        size, time = units.size(one.size_bytes), units.duration(one.median_ns)
        yield f"{mark} {units.clip(one.name, 60):<34}  {size:>10}  {time:>9}  {one.label}"
    for one in known:
        if one.verdict is not None:
            yield f"{units.clip(one.name, 60)}: {outputs.sentence(one.verdict)}"
