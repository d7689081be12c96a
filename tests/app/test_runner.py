import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import pytest

from inspector.analysis.measured.sweep_results import (
    added_load,
    best,
    by_machine,
    machine_drift,
)
from inspector.app import runner
from inspector.cli.runs.sweep import next_text
from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed
from inspector.pages.sweep import sweep_page
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import (
    BUSY_CORES,
    LOST,
    Axis,
    CellIndex,
    CellState,
    Sweep,
    from_json,
    plan,
    resume,
    to_json,
)
from tests.page_text import text as page_text
from tests.sweeps import SPEC, costs, measured, measuring, model, planned, round_of


def test_a_sweep_is_told_after_each_measurement_until_all_is_done():
    states = list(runner.run(planned(), measuring()))
    assert len(states) == 12
    assert [len(state.order()) for state in states] == list(range(11, -1, -1))
    assert all(cell.state is CellState.DONE for cell in states[-1].cells)
    assert states[-1].environment is not None
    found = best(states[-1])
    assert found is not None
    assert states[-1].spec_of(found).threads == 2


def test_the_best_cells_are_measured_again_in_the_end():
    start = planned(confirm=3)
    states = list(runner.run(start, measuring()))
    assert runner.left(start) == len(states) == 12 + 9
    counts = sorted(len(cell.rounds) for cell in states[-1].cells)
    assert counts == [2, 2, 2, 5, 5, 5]
    assert runner.left(states[-1]) == 0


def test_each_setting_is_shown_with_a_busy_core_and_never_chosen_there():
    axes = (Axis("threads", (1, 2)), Axis(BUSY_CORES, (0, 1)))
    start = plan([model()], replace(SPEC, steady=1.0), axes, 2, confirm=1)

    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        assert spec.steady == (0.0 if spec.busy_cores else 1.0)
        slower = {1: 0.5, 2: 3.0}[spec.threads] if spec.busy_cores else 1.0
        return measured(spec, costs(spec) * slower)

    *_, last = runner.run(from_json(to_json(start), "sweep"), measure)
    found = best(last)
    assert found is not None
    assert last.spec_of(found) == replace(SPEC, steady=1.0, threads=2)
    assert {c.at for c in last.cells if len(c.rounds) == 3} == {(0, 0), (1, 0)}
    costly, cheap = added_load(last)
    assert (last.spec_of(costly.busy).threads, round(costly.ratio, 1)) == (2, 3.0)
    assert (last.spec_of(cheap.busy).threads, round(cheap.ratio, 1)) == (1, 0.5)
    text = page_text(sweep_page(last))
    assert "With a busy core (the settings that suffer most first)" in text
    assert text.index("threads 2 ") < text.rindex("threads 1 ")
    assert added_load(planned()) == ()


def test_all_runs_with_a_busy_core_count():
    report = measured(replace(SPEC, busy_cores=1), 1e6)
    counted = report.full_speed_predictions
    assert counted.samples_ns == report.prediction_ns
    assert not counted.at_full_speed


def test_a_cell_that_fails_is_a_sentence_and_the_others_go_on():
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        if spec.threads == 1:
            raise EngineFailed("Could not load net.onnx", "no such kernel")
        return measured(spec, costs(spec))

    *_, last = runner.run(planned(), measure)
    failed = [cell for cell in last.cells if cell.state is CellState.FAILED]
    assert [cell.why for cell in failed] == ["Could not load net.onnx: no such kernel."] * 2
    assert sum(cell.state is CellState.DONE for cell in last.cells) == 4


def test_what_was_measured_before_a_stop_is_kept_and_the_rest_follows():
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


def test_an_engine_that_is_stopped_stops_the_sweep():
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        list(runner.run(planned(), measure))


def test_a_sweep_without_a_cell_to_measure_is_refused():
    sweep = plan([model()], SPEC, [Axis("inter_threads", (1, 2))])
    runner.check(sweep)
    with pytest.raises(BadInput):
        runner.check(sweep.__class__(sweep.models, SPEC, sweep.axes, sweep.cells[1:]))


def test_a_sweep_with_a_number_of_threads_that_stops_the_machine_is_not_begun():
    axes = (Axis("threads", (1, 4096)),)
    crowded = plan((model(),), RunSpec(), axes, 1, confirm=0)
    with pytest.raises(BadInput, match="Could not start 4,096 threads"):
        runner.check(crowded)


def test_the_count_of_a_sweep_is_true_at_each_step_though_cells_fail():
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        if spec.threads == 1:
            raise EngineFailed("Could not load net.onnx", "no such kernel")
        return measured(spec, costs(spec))

    states = list(runner.run(planned(confirm=3), measure))
    assert [runner.done(state) for state in states] == list(range(1, len(states) + 1))
    assert runner.left(states[-1]) == 0
    assert runner.planned(6, 2, 3) == runner.left(planned(confirm=3)) == 21
    assert runner.planned(2, 1, 3) == 8


def test_a_sweep_says_which_measurement_begins_and_how_long_the_rest_takes():
    times, begun = iter(range(0, 1000, 4)), list[tuple[Sweep, CellIndex]]()
    clock = runner.TimeLeft(lambda: float(next(times)))
    assert clock.seconds(21) is None
    for state in runner.run(
        planned(), measuring(), begun=lambda sweep, place: begun.append((sweep, place))
    ):
        clock.measured(state)
        if len(begun) == 3:
            assert next_text(*begun[-1]).startswith("[3/12 measurements] ")
            assert clock.seconds(runner.left(state)) == 36
    assert len(begun) == 12


def test_measurements_that_failed_at_once_are_no_estimate_for_those_that_are_left():
    now = 0.0
    clock = runner.TimeLeft(lambda: now)
    sweep = planned()
    clock.measured(sweep.failed((0, 0), "lost"))
    assert clock.seconds(4) is None
    now = 8.0
    clock.measured(sweep.measured((0, 1), round_of(1e6)))
    assert clock.seconds(4) == 32


def on_machines(names: tuple[str, ...] = ("pi", "gpu"), rounds: int = 2) -> Sweep:
    axes = (Axis("machine", names), Axis("threads", (1, 2)))
    return plan([model("a.onnx"), model("b.onnx")], SPEC, axes, rounds)


def named(name: str, factor: float = 1.0) -> runner.Elsewhere:
    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        return measured(spec, factor * costs(spec))

    return measure, lambda: name


def test_machines_measure_their_own_cells_at_once():
    met = threading.Barrier(2)  # each waits until the other one measures

    def together(name: str, factor: float) -> runner.Elsewhere:
        measure, where = named(name, factor)

        def wait(number: int, spec: RunSpec) -> PerformanceReport:
            met.wait(60)
            return measure(number, spec)

        return wait, where

    measures = [[together("pi", 8)], [together("gpu", 1)]]
    *_, last = runner.run_at_once(on_machines(), measures, lambda: None)
    assert runner.left(last) == 0
    for cell in last.cells:
        assert {each.where for each in cell.rounds} == {str(last.value(cell, "machine"))}
    (pi, gpu), _ = by_machine(last)
    assert sum(pi.rounds[0].prediction_ns) > 7 * sum(gpu.rounds[0].prediction_ns)
    assert len(last.environments) == 2
    text = page_text(sweep_page(last))
    assert "fastest machine" in text
    assert text.count("ms *") + text.count("µs *") == 2


def test_a_machine_that_fails_fails_its_cells_only():
    def broken(number: int, spec: RunSpec) -> PerformanceReport:
        raise EngineFailed("Could not reach pi", "no route to host")

    measures: list[list[runner.Elsewhere]] = [[(broken, lambda: "pi")], [named("gpu")]]
    *_, last = runner.run_at_once(on_machines(), measures, lambda: None)
    states = {(last.value(cell, "machine"), cell.state) for cell in last.cells}
    assert states == {("pi", CellState.FAILED), ("gpu", CellState.DONE)}


def test_a_machine_that_went_away_is_not_waited_for_again():
    tried: list[int] = []

    def away(number: int, spec: RunSpec) -> PerformanceReport:
        tried.append(number)
        raise EngineDied("Could not reach pi", "no route to host", phase="connection")

    measures: list[list[runner.Elsewhere]] = [[(away, lambda: "pi")], [named("gpu")]]
    *_, last = runner.run_at_once(on_machines(), measures, lambda: None)
    assert len(tried) == 1
    lost = [cell for cell in last.cells if cell.failure == LOST]
    assert {last.value(cell, "machine") for cell in lost} == {"pi"}
    assert len(lost) == 4
    again = resume(on_machines(), from_json(to_json(last), "s.json"))
    assert runner.left(again) == 8  # two processes of each


def test_a_stopped_sweep_stops_its_machines_and_goes_on_from_there():
    stopped: list[int] = []
    seen: list[Sweep] = []
    measures = [[named("pi")], [named("gpu")]]
    steps = runner.run_at_once(
        on_machines(), measures, lambda: stopped.append(1), lambda: len(seen) > 2
    )
    with pytest.raises(Cancelled):
        deque(map(seen.append, steps))
    assert stopped == [1]
    again = resume(on_machines(), from_json(to_json(seen[-1]), "s.json"))
    assert runner.left(again) == 16 - 3
    # The same cell of another machine is not one that was measured.
    assert runner.left(resume(on_machines(("win", "mac")), seen[-1])) == 16


def test_machines_of_one_kind_that_differ_are_named():
    names, turns = ("one", "two", "slow"), list[str]()

    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        """Measure on the next machine, so that each has two of the six of every cell."""
        turns.append(names[len(turns) % 3])
        return measured(spec, (1.3 if turns[-1] == "slow" else 1.0) * costs(spec))

    measures: list[list[runner.Elsewhere]] = [[(measure, lambda: turns[-1])]]
    axes = (Axis("machine", ("label:pi",)), Axis("threads", (0, 1, 2, 3)))
    start = plan([model("a.onnx"), model("b.onnx")], SPEC, axes, 6)
    *_, last = runner.run_at_once(start, measures, lambda: None)
    found = {name: ratio for name, ratio, _ in machine_drift(last)}
    assert found.keys() == {"slow"}
    assert found["slow"] == pytest.approx(1.3, rel=0.05)
