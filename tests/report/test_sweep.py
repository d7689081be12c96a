from dataclasses import replace

import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.report import sweep as sweeps
from inspector.report.run_spec import Dimension, RunSpec
from inspector.report.sweep import Axis, Cell, CellState, count_cells, plan
from tests.sweeps import AXES, SPEC, model, planned, round_of


def test_every_combination_is_a_cell_with_its_own_spec():
    sweep = planned()
    specs = {sweep.spec_of(cell) for cell in sweep.cells}
    assert len(sweep.cells) == len(specs) == 6
    assert RunSpec(runs=10, profiled_runs=0, threads=2, optimization="none") in specs


def test_devices_and_free_axes_become_part_of_the_spec():
    sweep = plan(
        [model()], SPEC, [Axis("device", ("cpu", "webgpu:0+cpu")), Axis("dim:n", (4,))]
    )
    last = sweep.spec_of(sweep.cells[-1])
    assert last.devices == ("webgpu:0", "cpu")
    assert last.dimensions == (Dimension("n", 4),)


def test_several_models_are_an_axis_of_their_own():
    sweep = planned(model("a"), model("b"))
    assert sweep.axes[0] == Axis("model", ("a", "b"))
    assert [sweep.model_of(cell) for cell in sweep.cells] == [0] * 6 + [1] * 6


def test_threads_between_operators_are_skipped_where_there_is_one_at_a_time():
    axes = [Axis("execution_mode", ("sequential", "parallel")), Axis("inter_threads", (1, 2))]
    sweep = plan([model()], SPEC, axes)
    skipped = [cell for cell in sweep.cells if cell.state is CellState.SKIPPED]
    assert [sweep.value(cell, "inter_threads") for cell in skipped] == [2]
    assert "no effect" in skipped[0].why
    assert count_cells(axes, SPEC) == len(sweep.cells) - len(skipped)
    assert count_cells(axes[1:], SPEC, 2) == 2
    assert count_cells(axes[1:], replace(SPEC, execution_mode="parallel"), 2) == 4


@pytest.mark.parametrize(
    "axes",
    [
        [Axis("color", (1,))],
        [Axis("threads", ())],
        [Axis("threads", (1, 1))],
        [Axis("threads", (1,)), Axis("threads", (2,))],
        [Axis("threads", tuple(range(100))), Axis("dim:n", tuple(range(100)))],
    ],
)
def test_axes_that_are_none_are_refused(axes):
    with pytest.raises(BadInput):
        plan([model()], SPEC, axes)


def test_each_round_takes_all_cells_in_another_order_that_the_seed_decides():
    order = planned().order()
    first, second = order[:6], order[6:]
    assert sorted(first) == sorted(second) == sorted(cell.at for cell in planned().cells)
    assert first != second
    assert order == planned().order() != replace(planned(), seed=1).order()


def test_what_is_measured_failed_or_skipped_is_not_measured_again():
    sweep = planned()
    place, other = sweep.order()[:2]
    for seed in range(2):
        sweep = sweep.measured(place, round_of(1e6, seed))
    sweep = sweep.failed(other, "It broke.")
    assert sweep.by_place[place].state is CellState.DONE
    assert not {place, other} & set(sweep.order())
    assert len(sweep.order()) == 8


def test_a_sweep_that_was_saved_is_read_back_as_it_was(tmp_path):
    sweep = planned(model("a"), model("b")).measured((0, 1, 1), round_of(1e6))
    sweeps.save(sweep, tmp_path / "sweep.json")
    assert sweeps.load(tmp_path / "sweep.json") == sweep


def test_resuming_keeps_the_cells_of_the_same_model_and_settings():
    earlier = planned().measured((1, 1), round_of(1e6)).failed((0, 0), "It broke.")
    wider = (Axis("threads", (1, 2, 4)), AXES[1])
    resumed = sweeps.resume(plan([model()], SPEC, wider), earlier)
    assert resumed.by_place[(0, 1)].rounds == earlier.by_place[(1, 1)].rounds
    assert sum(len(cell.rounds) for cell in resumed.cells) == 1
    assert all(
        cell.state is CellState.PENDING for cell in resumed.cells
    )  # failures are tried again
    other = sweeps.resume(plan([model("other")], SPEC, AXES), earlier)
    assert not any(cell.rounds for cell in other.cells)


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b'{"schema": "sweep/2"}', b'{"schema": "sweep/1"}', b'{"schema": "report/1"}'],
)
def test_other_files_are_refused_with_a_sentence(body):
    with pytest.raises(UnreadableFile, match=r"Could not open x.json"):
        sweeps.from_json(body, "x.json")


def test_cells_that_do_not_fit_the_axes_are_refused():
    torn = replace(planned(), cells=(Cell((7, 7)),))
    with pytest.raises(UnreadableFile, match="do not match"):
        sweeps.from_json(sweeps.to_json(torn), "x.json")
