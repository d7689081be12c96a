from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.speed import compare_medians
from inspector.backends.interleaving import Pair, Specs, run_sequentially
from inspector.engine.client.process_repetitions import measure_interleaved
from inspector.errors import Cancelled, EngineDied, InspectorError
from inspector.report.report import PerformanceReport, TurnOrder
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.statistics.significance import Verdict
from tests.reports import example_report


def at_pace(number: int, full: bool = True) -> PerformanceReport:
    probes = (4000 if full else 7000,) * 21
    samples = (10**6 + number,) * 200
    return example_report(
        prediction_ns=samples,
        prediction_cpu_ns=samples,
        spec=RunSpec(threads=1),
        pace=CpuSpeed(probes, (*range(0, 201, 10),), 4000),
    )


def measured(
    spec: RunSpec,
    asked: list[tuple[str, RunSpec, str]],
    failing: tuple[int, InspectorError] | None = None,
    slow: tuple[int, ...] = (),
) -> Pair:
    def once(name: str, each: RunSpec, step: str) -> PerformanceReport:
        asked.append((name, each, step))
        if failing is not None and len(asked) == failing[0]:
            raise failing[1]
        return at_pace(len(asked), len(asked) not in slow)

    return measure_interleaved(
        run_sequentially(
            (lambda each, step: once("A", each, step), lambda each, step: once("B", each, step))
        ),
        (spec, replace(spec, optimization="basic")),
    )


def order(asked: list[tuple[str, RunSpec, str]]) -> str:
    return "".join(name for name, _, _ in asked)


def test_who_goes_first_takes_turns():
    asked: list[tuple[str, RunSpec, str]] = []
    one, other = measured(RunSpec(starts=4), asked)
    assert order(asked) == "ABBAABBA"
    assert one.prediction_ns[::200] == (10**6 + 1, 10**6 + 4, 10**6 + 5, 10**6 + 8)
    assert other.prediction_ns[::200] == (10**6 + 2, 10**6 + 3, 10**6 + 6, 10**6 + 7)
    assert one.start_lengths == other.start_lengths == (200,) * 4
    assert (one.spec.starts, other.spec.optimization) == (4, "basic")
    assert [step for _, _, step in asked][::2] == [
        "",
        *(f"process pair {n} of 4" for n in (2, 3, 4)),
    ]


def test_only_the_first_turn_is_asked_for_all():
    asked: list[tuple[str, RunSpec, str]] = []
    measured(RunSpec(starts=2, check=True, loads=3, concurrency=(2,)), asked)
    assert [(each.starts, each.check, each.loads) for _, each, _ in asked] == [
        (1, True, 3), (1, True, 3), (1, False, 1), (1, False, 1),
    ]  # fmt: skip
    assert all(each.profiled_runs for _, each, _ in asked)


def test_one_turn_is_the_reports_as_they_are():
    one, other = measured(RunSpec(), [])
    assert one.start_lengths == other.start_lengths == ()


def test_turns_without_full_pace_are_made_up_for_on_both_sides():
    asked: list[tuple[str, RunSpec, str]] = []
    one, other = measured(RunSpec(starts=3, steady=3), asked, slow=(4,))
    assert order(asked) == "ABBAABBA"
    assert one.full_speed_predictions.lengths == (200,) * 3
    assert len(other.start_lengths) == 4
    asked.clear()
    measured(RunSpec(starts=3, steady=3), asked, slow=tuple(range(1, 99)))
    assert len(asked) == 12


def test_a_later_turn_that_fails_costs_both_its_samples():
    failing = EngineDied("Could not measure", "it crashed")
    one, other = measured(RunSpec(starts=4), [], (6, failing))
    assert one.start_lengths == other.start_lengths == (200, 200)
    assert one.notes[-1] == other.notes[-1] == "Process pair 3 of 4 failed: it crashed."


@pytest.mark.parametrize(
    ("call", "error"),
    [(1, EngineDied("a", "b")), (2, EngineDied("a", "b")), (5, Cancelled("a"))],
)
def test_the_first_turn_that_fails_and_cancelling_end_all(call, error):
    with pytest.raises(type(error)):
        measured(RunSpec(starts=4), [], (call, error))


def differing(
    between: float, seed: int = 1, slower: float = 1.0
) -> Iterator[PerformanceReport]:
    random = np.random.default_rng(seed)
    for number in count():
        by = slower if number % 4 in (1, 2) else 1.0
        level = 10**7 * by * np.exp(between * random.normal())
        samples = tuple((level * np.exp(0.01 * random.normal(size=40))).astype(int).tolist())
        yield example_report(
            prediction_ns=samples, prediction_cpu_ns=samples, spec=RunSpec(threads=1)
        )


def narrowed(
    starts: Iterator[PerformanceReport],
    goal: PrecisionGoal | None,
    seconds_each: float = 0.0,
    asked: int = 5,
) -> tuple[Pair, list[str]]:
    steps: list[str] = []
    now = [0.0]

    def once(spec: RunSpec, step: str) -> PerformanceReport:
        steps.append(step)
        now[0] += seconds_each
        return next(starts)

    spec = RunSpec(starts=asked, threads=1)
    return measure_interleaved(
        run_sequentially((once, once)), (spec, spec), goal, lambda: now[0]
    ), steps


def width(pair: Pair) -> float:
    found = compare_medians(*pair).half_width
    assert found is not None
    return found


def test_starts_that_agree_are_few_and_those_that_differ_are_more():
    taken = []
    for between in (0.002, 0.015, 0.025):
        pair, steps = narrowed(differing(between), PrecisionGoal())
        assert len(pair[0].start_lengths) == len(pair[1].start_lengths)
        assert width(pair) <= PrecisionGoal().half_width or len(steps) == 40
        taken.append(len(pair[0].start_lengths))
    assert 5 <= taken[0] < taken[1] < taken[2] <= 20


def test_it_goes_on_no_further_than_the_interval_needs():
    pair, steps = narrowed(differing(0.015), PrecisionGoal())
    taken = len(pair[0].start_lengths)
    one_less, _ = narrowed(differing(0.015), None, asked=taken - 1)
    assert width(pair) <= PrecisionGoal().half_width < width(one_less)
    assert (
        steps[-1]
        == f"process pair {taken} of at most 20, known to ±{100 * width(one_less):.1f}%"
    )
    assert pair[0].spec.starts == 5


def test_the_width_alone_decides_how_many_starts_are_taken():
    same, slower = (narrowed(differing(0.015, 2, by), PrecisionGoal())[1] for by in (1.0, 1.3))
    assert len(same) == len(slower)


def test_starts_that_differ_much_end_at_the_most_there_are():
    pair, steps = narrowed(differing(0.15), PrecisionGoal())
    assert len(pair[0].start_lengths) == 20
    assert len(steps) == 40
    assert width(pair) > PrecisionGoal().half_width


def test_no_turn_begins_when_the_time_is_over():
    pair, _ = narrowed(differing(0.15), PrecisionGoal(), seconds_each=20.0)
    assert len(pair[0].start_lengths) == 5 + 3


def test_without_a_goal_there_are_as_many_starts_as_were_asked_for():
    pair, _ = narrowed(differing(0.15), None)
    assert len(pair[0].start_lengths) == 5


def test_turns_without_full_pace_are_tried_again_to_the_end():
    slow = (at_pace(number, number == 0) for number in count())
    pair, steps = narrowed(slow, PrecisionGoal(starts=7))
    assert len(steps) == 2 * 14
    # All runs and their CPU time agree, which says as much as uninterrupted runs would.
    assert compare_medians(*pair).verdict is Verdict.SAME
    assert steps[-1] == "process pair 14 of at most 14"


def test_starts_below_full_pace_use_up_nothing_of_the_most():
    every_third = (at_pace(number, number % 6 < 2) for number in count())
    pair, steps = narrowed(every_third, PrecisionGoal(half_width=1e-6, starts=6))
    assert len(steps) == 2 * 12
    often = (at_pace(number, number % 6 < 4) for number in count())
    pair, steps = narrowed(often, PrecisionGoal(half_width=1e-6, starts=6))
    assert len(steps) < 2 * 12
    assert min(len(one.full_speed_predictions.lengths) for one in pair) == 6


def test_turns_before_one_that_is_stopped_are_left_and_marked():
    ends: list[BaseException] = []

    def turn(specs: Specs, step: str, first: int) -> Pair:
        if step.startswith("process pair 3"):
            raise KeyboardInterrupt
        return example_report(), example_report()

    spec = RunSpec(starts=5)
    one, other = measure_interleaved(turn, (spec, spec), ends=ends)
    assert [len(report.start_lengths) for report in (one, other)] == [2, 2]
    assert not one.complete
    assert not other.complete
    assert "canceled in process pair 3" in other.early_end
    assert isinstance(ends[0], KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        measure_interleaved(turn, (spec, spec))


def waited(seed: int = 3) -> Iterator[Pair]:
    """Pairs of processes in which most runs waited for a core: only 3 turns of 12 had one."""
    random, turns, each = np.random.default_rng(seed), 12, 6
    for pair in count():
        sides = []
        for side, by in enumerate((1.0, 2.0)):
            cpu = 1e6 * by * np.exp(0.01 * np.abs(random.normal(size=(turns, each))))
            waits = 1e7 * random.random((turns, each))
            waits[:3] = 0
            begin = 2 * turns * pair + 1
            numbers = tuple(range(begin + side, begin + 2 * turns, 2))
            report = example_report(
                prediction_ns=tuple((cpu + waits).astype(int).ravel().tolist()),
                prediction_cpu_ns=tuple(cpu.astype(int).ravel().tolist()),
            )
            turn_order = TurnOrder("both", numbers, (each,) * turns)
            sides.append(replace(report, spec=RunSpec(threads=1), turns=turn_order))
        yield sides[0], sides[1]


def test_processes_that_waited_end_as_precisely_as_their_comparison_is():
    pairs, steps = waited(), list[str]()

    def turn(specs: Specs, step: str, first: int) -> Pair:
        steps.append(step)
        return next(pairs)

    spec = RunSpec(starts=5, threads=1)
    goal = PrecisionGoal()
    pair = measure_interleaved(turn, (spec, spec), goal, lambda: 0.0)
    assert 5 <= len(steps) < 20, "uninterrupted runs are as narrow as wanted"
    assert width(pair) <= goal.half_width
    found = compare_medians(*pair)
    assert found.verdict is Verdict.SLOWER
    assert (found.low or 9) < 2 < (found.high or 0)
    assert f"{100 * width(pair):.1f}%" not in steps[-1]
