"""Pages of a few subjects read as their golden files, on every surface with text."""

import html
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.comparison.ci_conditions import judged, parse
from inspector.comparison.comparison import compare
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff
from inspector.pages.blocks import Page, Rank
from inspector.pages.comparison import comparison_page
from inspector.pages.improvement import improvement_page
from inspector.pages.model_diff import model_diff_page
from inspector.pages.report.page import report_page
from inspector.pages.sweep import sweep_page
from inspector.render import terminal
from inspector.render.documents import document
from inspector.render.tables.sweep_csv import csv
from inspector.report.report import LoadPhase, PerformanceReport, SystemLoad
from inspector.report.sweep import Sweep
from tests.analysis.build import layers, model, value
from tests.improvements import improvement
from tests.pages import example_devices, example_predictions
from tests.pages.examples import EXAMPLES
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


def measure_page() -> Page:
    return report_page(noisy_report())


def changed_model() -> ModelDiff:
    """Return the differences of two small networks: a layer changed, one removed, one new."""
    ends = {"inputs": (value("x"),), "outputs": (value("y"),)}
    first = layers(("Conv", "x", "a"), ("Relu", "a", "b"), ("Softmax", "b", "y"))
    other = layers(("Conv", "x", "a"), ("Tanh", "a", "b"), ("Add", "b", "y"))
    return diff(
        model(first, name="before.onnx", **ends), model(other, name="after.onnx", **ends)
    )


def compare_page() -> Page:
    pair = (example_report(), example_report(2_360_000, seed=11))
    names = ("before.json", "after.json")
    comparison = compare(pair, names)
    conditions = [parse("latency.p50>+10%"), parse("layers.moved>0"), parse("load>9s")]
    return comparison_page(comparison, judged(conditions, pair, comparison))


def sweep_state() -> Sweep:
    done = planned()
    for cell in done.cells:
        for seed in range(2):
            done = done.measured(cell.at, round_of(costs(done.spec_of(cell)), seed))
    return done


def terminal_text(page: Page, rank: Rank = Rank.TERMINAL) -> str:
    return "\n".join(terminal.lines(page, terminal.Terminal(rank=rank)))


def markdown_text(page: Page) -> str:
    return document(page, "md").decode()


def html_text(page: Page) -> str:
    body = document(page, "html").decode()
    body = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", body, flags=re.DOTALL)
    words = html.unescape(re.sub(r"<[^>]+>", "\n", body)).split("\n")
    titles = re.findall(r'(?:aria-label|title|placeholder)="([^"]+)"', body)
    lines = [word.strip() for word in words if word.strip()]
    return "\n".join([*lines, "", *map(html.unescape, dict.fromkeys(titles))])


SURFACES: dict[str, Callable[[], str]] = {
    "measure.txt": lambda: terminal_text(measure_page()),
    "measure_details.txt": lambda: terminal_text(measure_page(), Rank.FOLDED),
    "report.md": lambda: markdown_text(measure_page()),
    "report_html.txt": lambda: html_text(measure_page()),
    "report_pdf.txt": lambda: pdf_text(noisy_report()),
    "compare.txt": lambda: terminal_text(compare_page()),
    "compare.md": lambda: markdown_text(compare_page()),
    "sweep.txt": lambda: terminal_text(sweep_page(sweep_state())),
    "sweep.md": lambda: markdown_text(sweep_page(sweep_state())),
    "sweep.csv": lambda: csv(sweep_state()).replace("\r", ""),
    "diff.txt": lambda: terminal_text(model_diff_page(changed_model())),
    "diff.md": lambda: markdown_text(model_diff_page(changed_model())),
    "improvement.txt": lambda: terminal_text(improvement_page(improvement())),
    "improvement.md": lambda: markdown_text(improvement_page(improvement())),
    "info.txt": lambda: terminal_text(EXAMPLES["model_page"](str)),
    "info_details.txt": lambda: terminal_text(EXAMPLES["model_page"](str), Rank.FOLDED),
    "info.md": lambda: markdown_text(EXAMPLES["model_page"](str)),
    "support.txt": lambda: terminal_text(example_devices.support_of()),
    "targets.txt": lambda: terminal_text(example_devices.targets_of()),
    "targets.md": lambda: markdown_text(example_devices.targets_of()),
    "history.txt": lambda: terminal_text(example_devices.history_of()),
    "prediction.txt": lambda: terminal_text(example_predictions.sure_page()),
    "prediction.md": lambda: markdown_text(example_predictions.sure_page()),
    "folder.txt": lambda: terminal_text(example_predictions.folder_of()),
    "folder.md": lambda: markdown_text(example_predictions.folder_of()),
    "parity.txt": lambda: terminal_text(example_predictions.parity_of("max_abs>1e-3")),
    "verify.txt": lambda: terminal_text(example_predictions.verify_of()),
    "layer_outputs.txt": lambda: terminal_text(example_predictions.layers_of()),
    "answer.txt": lambda: terminal_text(EXAMPLES["answer_page"](str), Rank.FOLDED),
    "answer.md": lambda: markdown_text(EXAMPLES["answer_page"](str)),
}


@pytest.mark.parametrize("name", SURFACES)
def test_a_surface_reads_as_its_golden_file(name):
    text = SURFACES[name]().rstrip("\n") + "\n"
    golden = FOLDER / name
    if os.environ.get(WRITE):
        golden.write_text(text, "utf-8", newline="\n")
    assert text == golden.read_text("utf-8"), f"look at the change, then set {WRITE}=1"
