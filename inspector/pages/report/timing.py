"""Sections on time: runs, concurrent runs, several sessions, phases of loading."""

from collections.abc import Iterator, Sequence
from functools import partial

from inspector.analysis.measured import phases as measured_phases
from inspector.analysis.measured.extra_tables import ExtraTable, extra_tables
from inspector.analysis.measured.latency import (
    COUNT,
    HEADS,
    INTERVAL,
    RANGE,
    RATE,
    latency,
    texts,
)
from inspector.analysis.measured.sample_statistics import (
    Statistics,
    change_sentences,
    course,
    frames,
    sentences,
    statistics,
)
from inspector.pages.blocks import (
    KEPT,
    Block,
    Chart,
    Column,
    Fact,
    Facts,
    Limits,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.charts.report_plots import (
    histogram_plot,
    load_curve,
    memory_plot,
    phases_plot,
)
from inspector.pages.charts.runs_plot import runs_plot
from inspector.report.report import PerformanceReport, Throughput
from inspector.wording.values import (
    Count,
    Duration,
    Noted,
    Number,
    Rate,
    Sentence,
    Size,
    Tone,
    Value,
    joined,
)

_ALL = Limits(terminal=40, document=40)
_COUNT_TITLE = "Count"  # of runs, or of loads
_EXPLAINED = {
    "Median": "Half of the runs took at most this long",
    INTERVAL: "The range that holds the true median with 95% confidence, if nothing changes",
    "p90": "90% of the runs took at most this long",
    "p95": "95% of the runs took at most this long",
    "p99": "99% of the runs took at most this long",
    "Std dev": "Standard deviation: how far runs are from the mean",
    RATE: "Runs per second, one after another",
}


def runs(report: PerformanceReport) -> Section:
    """Return the course and the spread of all runs, and every number of what was timed."""
    if latency(report) is None:
        return Section("runs", "", ())
    rates = joined(
        *(Sentence("{share} at {rate} fps", share, rate) for rate, share in frames(report))
    )
    texts = (
        Sentence("Runs that fit into one video frame: {rates}.", rates),
        *sentences(report)[1:],  # the first one says the same of one rate
        *change_sentences(course(report)),
    )
    both = latency(report)
    timed = {
        HEADS[0]: both.at_full_cpu_speed if both else None,
        HEADS[1]: both.all_predictions if both else None,
        "CPU time": statistics(report.counted_cpu_ns),
        "Compilation": statistics(report.compilations_ns),
        "Load": statistics(report.loads_ns or (report.load_ns,)),
        "First run": statistics(report.first_predictions_ns or (report.first_prediction_ns,)),
    }
    shown = {name: _numbers(name, each) for name, each in timed.items() if each is not None}
    columns = (
        Column("name", "Statistic"),
        *(Column(name, name, Side.RIGHT, KEPT if name in HEADS else 3) for name in shown),
    )
    names = dict.fromkeys(name for numbers in shown.values() for name in numbers)
    rows = tuple(
        Row((Noted(_COUNT_TITLE if name == COUNT else name, _EXPLAINED.get(name, "")),
             *(numbers.get(name, "") for numbers in shown.values())))
        for name in names
    )  # fmt: skip
    blocks: tuple[Block, ...] = (
        Chart("runs", partial(runs_plot, report), "Latency of each run, in order"),
        Chart("histogram", partial(histogram_plot, report), "How many runs took how long"),
        Table(columns, rows, _ALL),
        *_cpu_time(report),
        *(Text(sentence, Tone.SECONDARY) for sentence in texts),
    )
    return Section("runs", "Runs", blocks, Rank.DOCUMENT)


def _numbers(name: str, numbers: Statistics) -> dict[str, str]:
    """Return the statistics that say something: one time has no spread, a load no rate."""
    single = (COUNT, "Median")
    return {
        key: text
        for key, text in texts(numbers)
        if (numbers.n > 1 or key in single)
        and (key != RATE or name in HEADS)
        and key != RANGE  # its ends have rows of their own
    }


def _cpu_time(report: PerformanceReport) -> Iterator[Facts]:
    used, timed = statistics(report.counted_cpu_ns), latency(report)
    if used is not None and timed is not None and timed.all_predictions.mean_ns:
        cores = used.mean_ns / timed.all_predictions.mean_ns
        note = Sentence("mean of all runs; {cores} CPU cores used on average", Number(cores))
        yield Facts((Fact("CPU time per run", Duration(used.mean_ns), note),))


def concurrent_runs(report: PerformanceReport) -> Section:
    """Return latency and throughput for each number of concurrent runs."""
    points = report.throughput
    if not points:
        return Section("concurrent runs", "", ())
    chart = Chart("concurrent runs", partial(load_curve, points), "Latency by throughput")
    blocks = (chart, throughput_table(points))
    return Section("concurrent runs", "Concurrent runs", blocks, aside="in one session")


def throughput_table(points: Sequence[Throughput]) -> Table:
    """Return latency and throughput for each number of concurrent runs."""
    columns = (
        Column("concurrency", "Concurrent runs", Side.RIGHT),
        Column("throughput", "Throughput", Side.RIGHT),
        Column("median", "Median latency", Side.RIGHT),
        Column("p95", "p95 latency", Side.RIGHT),
        Column("runs", "Timed runs", Side.RIGHT, keep=1),
    )
    table = tuple(
        Row((
            Count(point.concurrency),
            Rate(point.per_second),
            Duration(point.quantile_ns(0.5)),
            Duration(point.quantile_ns(0.95)) if point.has_p95 else "n/a",
            Count(len(point.prediction_ns)),
        ))
        for point in points
    )  # fmt: skip
    return Table(columns, table, _ALL)


def extra_sections(report: PerformanceReport) -> Iterator[Section]:
    """Yield several sessions in one process, and asynchronous calls, where measured."""
    for extra in extra_tables(report):
        yield extra_section(extra)


def extra_section(extra: ExtraTable) -> Section:
    """Return a table with the sentences on what its numbers mean."""
    first, *others = extra.heads
    columns = (Column("name", first), *(Column(head, head, Side.RIGHT) for head in others))
    table = Table(columns, tuple(Row(texts) for texts in extra.rows), _ALL)
    notes = (Text(sentence, Tone.SECONDARY) for sentence in extra.sentences)
    return Section(extra.title, extra.title, (table, *notes), aside=extra.about)


def phases(report: PerformanceReport) -> Section:
    """Return the times of loading, and the memory held after each phase."""
    text = (
        *measured_phases.loading_sentences(report),
        *measured_phases.memory_sentences(report.memory, report.model.size_bytes),
        measured_phases.MEMORY_KINDS,
    )
    times = Chart("phases", partial(phases_plot, report), "Time of each phase", _times(report))
    held = "Memory after each phase"
    memory = Chart("memory", partial(memory_plot, report), held, _memory(report))
    blocks: tuple[Block, ...] = (
        times, memory, *(Text(each, Tone.SECONDARY) for each in text),
    )  # fmt: skip
    return Section("phases", "Load and memory by phase", blocks, Rank.FOLDED)


def _times(report: PerformanceReport) -> Table:
    columns = (
        Column("phase", "Phase", stretch=True),
        Column("time", "Time", Side.RIGHT),
        Column("memory", "Memory", Side.RIGHT),
    )
    table = tuple(
        Row((
            Sentence("of which {phase}", phase.name) if phase.inside
            else phase.name,
            Duration(phase.duration_ns),
            "" if phase.grown_bytes is None else Size(phase.grown_bytes, signed=True),
        ))
        for phase in measured_phases.timed_phases(report)
    )  # fmt: skip
    return Table(columns, table, _ALL, "phase")


def _memory(report: PerformanceReport) -> Table:
    columns = (
        Column("moment", "Memory"),
        Column("rss", "RSS", Side.RIGHT),
        Column("peak", "Peak so far", Side.RIGHT),
    )

    def peak(size_bytes: int | None) -> Value:
        return "" if size_bytes is None else Size(size_bytes)

    held = measured_phases.held_phases(report.memory)
    table = tuple(
        Row((phase.name, Size(phase.resident_bytes), peak(phase.peak_bytes))) for phase in held
    )
    return Table(columns, table, _ALL, "phase")
