"""The table of models on machines: what a cell shows, and which is the fastest."""

from dataclasses import replace

from inspector.analysis.measured.machine_matrix import (
    METRICS,
    Activity,
    CellStatus,
    fastest,
    front,
    status,
)
from inspector.pages.charts.drawing import Label
from inspector.pages.charts.sweep_plot import plot
from inspector.pages.sweep import sweep_page
from inspector.report import sweep as sweeps
from inspector.report.sweep import LOST, Axis, Sweep
from tests.page_text import text
from tests.sweeps import SPEC, model, round_of


def planned() -> Sweep:
    axes = [Axis("machine", ("here", "pi5"))]
    return sweeps.plan([model("a.onnx"), model("b.onnx")], SPEC, axes, rounds=2)


def test_a_cell_is_measured_when_all_its_processes_were():
    sweep = planned().measured((0, 0), round_of(1e6))
    busy = {(0, 0): Activity("prediction", 0.5), (0, 1): Activity("offline")}

    def of(at: tuple[int, int], running: bool) -> CellStatus:
        return status(sweep, sweep.by_place[at], busy, running)

    assert of((0, 0), running=True) is CellStatus.MEASURING
    assert of((0, 0), running=False) is CellStatus.MEASURED  # with one process of two
    assert of((0, 1), running=True) is CellStatus.UNREACHABLE
    assert (of((1, 1), True), of((1, 1), False)) == (CellStatus.QUEUED, CellStatus.OPEN)
    sweep = sweep.measured((0, 0), round_of(1e6)).failed((0, 1), "gone", LOST)
    assert of((0, 0), running=True) is CellStatus.MEASURED
    assert of((0, 1), running=True) is CellStatus.LOST


def test_the_fastest_is_named_when_all_cells_were_tried_and_ties_are_told():
    sweep = planned()
    for seed in (1, 2):
        sweep = sweep.measured((0, 0), round_of(1e6, seed))
    assert fastest(sweep, METRICS[0]) == {}
    for seed in (3, 4):
        sweep = sweep.measured((0, 1), round_of(1.002e6, seed))
        sweep = sweep.measured((1, 0), round_of(3e6, seed)).measured((1, 1), round_of(1e6))
    found = fastest(sweep, METRICS[0])
    assert sorted(found.items())[:2] in (
        [((0, 0), True), ((0, 1), False)],
        [((0, 0), False), ((0, 1), True)],
    )
    assert [at for at in found if at[0] == 1] == [(1, 1)]
    alone = planned().failed((0, 1), "no kernel")
    alone = alone.measured((0, 0), round_of(1e6)).measured((0, 0), round_of(1e6))
    assert fastest(alone, METRICS[0]) == {}  # nothing to compare it with


def test_the_front_has_the_machines_that_no_other_one_beats():
    sweep = planned()
    lean = replace(round_of(2e6), model_bytes=1 << 19)
    sweep = sweep.measured((0, 0), round_of(1e6)).measured((0, 1), lean)
    sweep = sweep.measured((1, 0), round_of(1e6)).measured((1, 1), round_of(2e6))
    assert front(sweep) == ((0, 0), (0, 1), (1, 0))
    drawing = plot(sweep, "machines")
    named = [each.text for each in drawing.shapes if isinstance(each, Label)]
    assert {"a", "b"} <= set(named)  # the two of a have one place, and one name
    assert {"1.00 ms", "10.0 ms"} <= set(named)  # ticks of the logarithmic axis
    assert "a.onnx: Pareto-optimal by latency" in text(sweep_page(sweep))
