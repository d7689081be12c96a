import csv
import io

from inspector.analysis.measured.sweep_labels import axis_label, settings_label, value_label
from inspector.pages.sweep import sweep_page
from inspector.render.tables import sweep_csv
from inspector.report.sweep import Sweep
from tests.page_text import document
from tests.sweeps import costs, model, planned, round_of


def filled(name: str = "net.onnx") -> Sweep:
    sweep = planned(model(name), model("b|<b>.onnx"), rounds=1)
    for cell in sweep.cells[:-1]:
        sweep = sweep.measured(cell.at, round_of(costs(sweep.spec_of(cell))))
    return sweep.failed(sweep.cells[-1].at, "Could not *load*.")


def test_csv_has_a_line_for_each_cell_with_plain_numbers():
    lines = list(csv.DictReader(io.StringIO(sweep_csv.csv(filled()))))
    assert len(lines) == 12
    assert float(lines[0]["median_ns"]) > 1e6
    assert lines[0] | {"threads": "0", "optimization": "none", "state": "done"} == lines[0]
    assert (lines[-1]["state"], lines[-1]["median_ns"]) == ("failed", "")


def test_csv_holds_no_formula():
    text = sweep_csv.csv(filled('=cmd|"x"!A1'))
    assert "\n=cmd" not in text
    assert "'=cmd" in text


def test_markdown_marks_the_best_and_tells_why_cells_failed():
    text = document(sweep_page(filled()), "md")
    best = [line for line in text.splitlines() if line.startswith("**Fastest")]
    assert any("net.onnx, threads 2, optimization all" in line for line in best)
    assert "b\\|\\<b\\>.onnx" in text
    assert "Could not \\*load\\*." in text


def test_settings_are_told_in_words():
    sweep = filled()
    words = settings_label(sweep, sweep.cells[0])
    assert words == "net.onnx, threads default, optimization none"
    assert value_label("spinning", False) == "off"
    assert axis_label("dim:batch") == "batch"
