"""Every surface with text of our own prints what its golden file has."""

import html
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from inspector.export.pages.markdown import comparison_summary

from inspector.analysis.advice.rules import advice
from inspector.cli import gate
from inspector.cli.render import comparison, report_summary, sweep
from inspector.comparison.ci_conditions import judged, parse
from inspector.comparison.comparison import compare
from inspector.export.registry import export
from inspector.export.tables.sweep_tables import csv, markdown
from inspector.report.report import LoadPhase, PerformanceReport, SystemLoad
from tests.pdf_text import pdf_text
from tests.reports import example_report, predicted_report
from tests.sweeps import costs, planned, round_of

FOLDER = Path(__file__).parent
WRITE = "INSPECTOR_WRITE_GOLDENS"


def noisy_report() -> PerformanceReport:
    """A report with everything that a renderer may have to say."""
    report = predicted_report()
    memory = replace(report.memory, closed_bytes=100 << 20, trimmed_bytes=64 << 20)
    return replace(
        report,
        memory=memory,
        loads_ns=(30_000_000, 12_000_000, 14_000_000),
        load_phases=(LoadPhase("read the model", 1_000_000), LoadPhase("prepare", 9_000_000)),
        surroundings=SystemLoad(others=0.4, stolen=0.25),
    )


def measure_text() -> str:
    report = noisy_report()
    return "\n".join(report_summary.lines(report, advised=advice(report)))


def compare_text() -> str:
    pair = (example_report(), example_report(2_360_000, seed=11))
    found = compare(pair, ("before.json", "after.json"))
    conditions = [parse("latency.p50>+10%"), parse("layers.moved>0"), parse("load>9s")]
    findings = judged(conditions, pair, found)
    text = comparison.lines(found, [Path("before.json"), Path("after.json")])
    return "\n".join([*text, *gate.condition_lines(findings)])


def compare_markdown() -> str:
    pair = (example_report(), example_report(2_360_000, seed=11))
    found = compare(pair, ("before.json", "after.json"))
    findings = judged([parse("latency.p50>+10%")], pair, found)
    return comparison_summary(found, findings).decode()


def sweep_text() -> str:
    done = planned()
    for cell in done.cells:
        for seed in range(2):
            done = done.measured(cell.at, round_of(costs(done.spec_of(cell)), seed))
    return "\n".join([*sweep.lines(done), "", markdown(done), csv(done).replace("\r", "")])


def html_text() -> str:
    page = export(noisy_report(), "html").decode()
    page = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", page, flags=re.DOTALL)
    words = html.unescape(re.sub(r"<[^>]+>", "\n", page)).split("\n")
    titles = re.findall(r'(?:aria-label|title|placeholder)="([^"]+)"', page)
    lines = [word.strip() for word in words if word.strip()]
    return "\n".join([*lines, "", *map(html.unescape, dict.fromkeys(titles))])


SURFACES: dict[str, Callable[[], str]] = {
    "measure.txt": measure_text,
    "compare.txt": compare_text,
    "compare.md": compare_markdown,
    "sweep.txt": sweep_text,
    "report.md": lambda: export(noisy_report(), "md").decode(),
    "report_html.txt": html_text,
    "report_pdf.txt": lambda: pdf_text(noisy_report()),
}


@pytest.mark.parametrize("name", SURFACES)
def test_a_surface_reads_as_its_golden_file(name: str) -> None:
    text = SURFACES[name]().rstrip("\n") + "\n"
    golden = FOLDER / name
    if os.environ.get(WRITE):
        golden.write_text(text, "utf-8", newline="\n")
    assert text == golden.read_text("utf-8"), f"look at the change, then set {WRITE}=1"
