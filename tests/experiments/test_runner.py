from collections.abc import Iterator

import pytest

from inspector.analysis.measured.sweep_results import best
from inspector.cli.render.sweep import next_text
from inspector.errors import BadInput, Cancelled, EngineFailed
from inspector.experiments import runner
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Axis, CellIndex, CellState, Sweep, plan
from tests.sweeps import SPEC, costs, measured, measuring, model, planned


def test_a_sweep_is_told_after_each_measurement_until_all_is_done() -> None:
    states = list(runner.run(planned(), measuring()))
    assert len(states) == 12
    assert [len(state.order()) for state in states] == list(range(11, -1, -1))
    assert all(cell.state is CellState.DONE for cell in states[-1].cells)
    assert states[-1].environment is not None
    found = best(states[-1])
    assert found is not None
    assert states[-1].spec_of(found).threads == 2


def test_the_best_cells_are_measured_again_in_the_end() -> None:
    start = planned(confirm=3)
    states = list(runner.run(start, measuring()))
    assert runner.left(start) == len(states) == 12 + 9
    counts = sorted(len(cell.rounds) for cell in states[-1].cells)
    assert counts == [2, 2, 2, 5, 5, 5]
    assert runner.left(states[-1]) == 0


def test_a_cell_that_fails_is_a_sentence_and_the_others_go_on() -> None:
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        if spec.threads == 1:
            raise EngineFailed("Could not load net.onnx", "no such kernel")
        return measured(spec, costs(spec))

    *_, last = runner.run(planned(), measure)
    failed = [cell for cell in last.cells if cell.state is CellState.FAILED]
    assert [cell.why for cell in failed] == ["Could not load net.onnx: no such kernel."] * 2
    assert sum(cell.state is CellState.DONE for cell in last.cells) == 4


def test_what_was_measured_before_a_stop_is_kept_and_the_rest_follows() -> None:
    asked: list[RunSpec] = []
    measure = measuring()

    def counted(number: int, spec: RunSpec) -> PerformanceReport:
        asked.append(spec)
        return measure(number, spec)

    states: list[Sweep] = []
    steps = runner.run(planned(), counted, stopped=lambda: len(asked) >= 5)
    with pytest.raises(Cancelled):
        _collect(steps, states)
    half = states[-1]
    assert len(half.order()) == 7
    *_, last = runner.run(half, counted)
    assert len(asked) == 12
    old = {cell.at: cell.rounds for cell in half.cells}
    assert all(cell.rounds[: len(old[cell.at])] == old[cell.at] for cell in last.cells)


def _collect(steps: Iterator[Sweep], states: list[Sweep]) -> None:
    for state in steps:
        states.append(state)  # noqa: PERF402 - those before the failure are wanted


def test_an_engine_that_is_stopped_stops_the_sweep() -> None:
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        list(runner.run(planned(), measure))


def test_a_sweep_without_a_cell_to_measure_is_refused() -> None:
    sweep = plan([model()], SPEC, [Axis("inter_threads", (1, 2))])
    runner.check(sweep)
    with pytest.raises(BadInput):
        runner.check(sweep.__class__(sweep.models, SPEC, sweep.axes, sweep.cells[1:]))


def test_a_sweep_with_a_number_of_threads_that_stops_the_machine_is_not_begun() -> None:
    axes = (Axis("threads", (1, 4096)),)
    crowded = plan((model(),), RunSpec(), axes, 1, confirm=0)
    with pytest.raises(BadInput, match="Could not start 4,096 threads"):
        runner.check(crowded)


def test_the_count_of_a_sweep_is_true_at_each_step_though_cells_fail() -> None:
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        if spec.threads == 1:
            raise EngineFailed("Could not load net.onnx", "no such kernel")
        return measured(spec, costs(spec))

    states = list(runner.run(planned(confirm=3), measure))
    assert [runner.done(state) for state in states] == list(range(1, len(states) + 1))
    assert runner.left(states[-1]) == 0
    assert runner.planned(6, 2, 3) == runner.left(planned(confirm=3)) == 21
    assert runner.planned(2, 1, 3) == 8


def test_a_sweep_says_which_measurement_begins_and_how_long_the_rest_takes() -> None:
    times, begun = iter(range(0, 1000, 4)), list[tuple[Sweep, CellIndex]]()
    clock = runner.TimeLeft(lambda: float(next(times)))
    assert clock.seconds(21) is None
    for state in runner.run(
        planned(), measuring(), begun=lambda sweep, place: begun.append((sweep, place))
    ):
        clock.measured()
        if len(begun) == 3:
            assert next_text(*begun[-1]).startswith("[3/12] ")
            assert clock.seconds(runner.left(state)) == 36
    assert len(begun) == 12
