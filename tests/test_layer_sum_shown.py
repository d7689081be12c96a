"""Every place has one visible line that compares the sum of layer times with the latency."""

import html
import re
from dataclasses import replace

import pytest

from inspector.analysis.measured.layer_sum import layer_sum
from inspector.render.registry import export
from inspector.report.layer_timing import Profiling
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from tests.page_text import report_text
from tests.pdf_text import pdf_text
from tests.reports import CPU, DEVICES, example_report

pytestmark = pytest.mark.simulation


def measured() -> PerformanceReport:
    """The example as if all of it ran on the CPU, with what its profiled runs took."""
    report = example_report()
    known = Profiling(20, tuple(range(20)), True, 1_900_000, between_ns=200_000)
    return replace(
        report,
        spec=RunSpec(),
        devices=DEVICES[1:],
        layers=tuple(replace(x, ran_on=x.ran_on and CPU) for x in report.layers),
        layer_timing={},
        profiling=replace(known, waiting_ns=60_000),
    )


def line_of(report: PerformanceReport) -> str:
    """Return the parts as the line names them, with the times of the report."""
    parts = layer_sum(report)
    return (
        f"layers {parts.layers_ns / 1e6:.2f} ms"
        f" + added by the runtime {parts.inserted_ns / 1e3:.0f} µs"
        " + between layers 200 µs + other programs or throttling 60.0 µs"
    ).casefold()


LATENCY = "latency 1.85 ms (median of all runs)"


@pytest.mark.parametrize("kind", ["text", "md", "html", "pdf"])
def test_layers_gaps_and_waits_are_added_up_to_the_latency_in_one_line(kind):
    report = measured()
    match kind:
        case "text":
            page = report_text(report)
        case "pdf":
            page = pdf_text(report)
        case _:
            page = html.unescape(export(report, kind).decode())
    text = re.sub(r"\s+", " ", page).casefold()
    assert line_of(report) in text
    assert LATENCY.casefold() in text
