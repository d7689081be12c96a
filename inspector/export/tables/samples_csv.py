"""Samples of reports and comparisons as tables for spreadsheets and scripts."""

from collections.abc import Iterator, Sequence

from inspector.compare.comparison import Comparison
from inspector.export.tables.layers_csv import table_csv
from inspector.report.report import PerformanceReport


def samples_csv(report: PerformanceReport) -> bytes:
    """Every sample in the order it was taken, in nanoseconds.

    what: "load", "warm-up", "prediction" (with the processor's time) or "under load" (with how
    many ran at once). number: from 1. full_cpu_speed: whether a prediction ran at full CPU
    speed, 1 or 0; empty where that is not known.
    """
    head = ("what", "number", "at_once", "wall_ns", "cpu_ns", "full_cpu_speed")
    return table_csv(head, _samples(report))


def _samples(report: PerformanceReport) -> Iterator[tuple[str, ...]]:
    for number, ns in enumerate(report.loads_ns or (report.load_ns,), 1):
        yield "load", str(number), "", str(ns), "", ""
    yield "first prediction", "1", "1", str(report.first_prediction_ns), "", ""
    for number, ns in enumerate(report.warmup_ns, 1):
        yield "warm-up", str(number), "1", str(ns), "", ""
    times, full = report.prediction_cpu_ns, report.full_speed_predictions.full
    for number, ns in enumerate(report.prediction_ns, 1):
        cpu = str(times[number - 1]) if number <= len(times) else ""
        fast = "" if full is None else str(int(full[number - 1]))
        yield "prediction", str(number), "1", str(ns), cpu, fast
    for each in report.throughput:
        for number, ns in enumerate(each.prediction_ns, 1):
            yield "under load", str(number), str(each.concurrency), str(ns), "", ""


def comparison_csv(found: Comparison) -> bytes:
    """Metrics, then layers, with a column for each report and its ratio to the first.

    Times in nanoseconds, memory in bytes; ran_on: where a layer ran in each report.
    """
    others = found.names[1:]
    head = (
        "kind", "name", "operator", "unit", *found.names,
        *(f"{name} ratio" for name in others), *(f"{name} ran_on" for name in found.names),
    )  # fmt: skip
    return table_csv(head, _compared(found))


def _compared(found: Comparison) -> Iterator[tuple[str, ...]]:
    blank = ("",) * len(found.names)
    for metric in found.metrics:
        ratios = (metric.ratio(side) for side in range(1, len(found.names)))
        yield (
            "metric",
            metric.name,
            "",
            metric.unit,
            *_texts(metric.values),
            *_ratios(ratios),
            *blank,
        )
    for layer in found.layers:
        times = [None if cell is None else cell.time_ns for cell in layer.cells]
        first = times[0]
        ratios = (time / first if first and time is not None else None for time in times[1:])
        places = ("" if cell is None else cell.ran_on or "" for cell in layer.cells)
        yield (
            "layer",
            layer.name,
            layer.operator,
            "ns",
            *_texts(times),
            *_ratios(ratios),
            *places,
        )


def _texts(values: Sequence[int | None]) -> Iterator[str]:
    return ("" if value is None else str(value) for value in values)


def _ratios(ratios: Iterator[float | None]) -> Iterator[str]:
    return ("" if ratio is None else f"{ratio:.4f}" for ratio in ratios)
