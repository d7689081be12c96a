from dataclasses import replace

from inspector.analysis.measured.sweep_results import machine_trend
from inspector.app.at_once import MachineRow
from inspector.cli.runs import sweep as sweep_module
from inspector.cli.runs.several_places import live_lines
from inspector.errors import EngineDied
from inspector.pages.sweep import sweep_page
from inspector.remote.machines import Saved, Target
from inspector.report.sweep import MACHINE, Axis, plan
from tests.page_text import text
from tests.sweeps import SPEC, example, model, round_of


def test_models_on_machines_fill_a_table():
    axes = [Axis(MACHINE, ("nuc", "pi5")), Axis("threads", (1, 2))]
    sweep = plan([model("a.onnx"), model("b.onnx")], SPEC, axes, 1)
    first, second, third, *_, last = (cell.at for cell in sweep.cells)
    sweep = sweep.measured(first, round_of(2e6)).measured(second, round_of(1e6))
    sweep = sweep.failed(last, "Could not run b.onnx: no kernel.")
    head, names, *rows = sweep_module.live_lines(sweep, {third}, ", 2 s left")
    assert head == "3 of 8 measurements, 2 s left"
    assert names.split() == ["nuc", "pi5"]
    assert [row.split()[0] for row in rows] == ["a.onnx", "b.onnx"]
    assert "measuring" in rows[0]
    assert "995 µs" in rows[0]  # the faster of two settings
    assert rows[1].endswith("failed (1/2)")
    assert "queued" in rows[1]
    assert sweep_module.live_lines(plan([model()], SPEC, axes[1:], 1), set()) == []


def test_each_machine_has_a_line_while_one_model_is_measured():
    done, gone, new = (MachineRow(Target(Saved(name, name))) for name in ("here", "pi5", "nuc"))
    done.report = example()
    gone.problem = EngineDied("Could not reach pi5", "the connection ended (255)")
    first, second, third = live_lines([done, gone, new])
    assert first.startswith("here  ")
    assert "ms" in first or "µs" in first
    assert second == "pi5   the connection ended (255)"
    assert third == "nuc   starting"


def test_a_machine_that_slows_down_during_a_sweep_is_named():
    axes = [Axis(MACHINE, ("nuc", "pi5")), Axis("threads", (1, 2))]
    sweep = plan([model("a.onnx"), model("b.onnx")], SPEC, axes, 2)
    for number, again in enumerate((0, 1)):
        for cell in sweep.cells:
            name = ("nuc", "pi5")[sweep.machine_of(cell)]
            slower = 1.2 if again and name == "pi5" else 1.0
            found = replace(round_of(2e6 * slower, number), where=name)
            sweep = sweep.measured(cell.at, found)
    (changed,) = machine_trend(sweep)
    assert changed[0] == "pi5"
    assert 1.15 < changed[1] < 1.25
    assert "pi5 became" in text(sweep_page(sweep))
