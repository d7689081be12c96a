"""Reports whose predictions took turns, drawn with what the machine did in both."""

from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.verdicts.interleaved import PrecisionGoal, start_ratios
from inspector.analysis.verdicts.speed import compare_medians
from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.report.report import PerformanceReport, TurnOrder, join_turns
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.statistics.significance import Verdict
from tests.reports import example_report

pytestmark = pytest.mark.simulation

TURNS, EACH = 12, 6
Pair = tuple[PerformanceReport, PerformanceReport]


def drawn(
    seed: int,
    slower: float = 1.0,
    starts: int = 5,
    drift: float = 0.3,
    turns: int = TURNS,
    apart: float = 0.01,
    noise: float = 0.01,
) -> Pair:
    """Starts of both sides: the machine drifts by so much between turns, and in both alike.

    apart: what a start differs by from the one beside it.
    """
    random = np.random.default_rng(seed)
    machine = drift * random.normal(size=(starts, turns, 1))
    sides = []
    for side, by in enumerate((1.0, slower)):
        own = apart * random.normal(size=(starts, 1, 1))
        each = noise * random.normal(size=(starts, turns, EACH))
        times = (1e7 * by * np.exp(machine + own + each)).astype(int).ravel().tolist()
        report = example_report(prediction_ns=tuple(times), prediction_cpu_ns=tuple(times))
        numbers = tuple(range(1 + side, 1 + 2 * starts * turns, 2))
        sides.append(
            replace(
                report,
                spec=RunSpec(threads=1, starts=starts),
                start_lengths=(turns * EACH,) * starts if starts > 1 else (),
                turns=TurnOrder("both", numbers, (EACH,) * len(numbers)),
            )
        )
    return sides[0], sides[1]


def alone(pair: Pair) -> Pair:
    """The same, as if nobody knew of the turns."""
    return replace(pair[0], turns=TurnOrder()), replace(pair[1], turns=TurnOrder())


@pytest.mark.parametrize(
    ("starts", "pairs", "least"),
    [
        (5, 20, 20),
        pytest.param(5, 80, 78, marks=pytest.mark.slow),
        pytest.param(1, 80, 52, marks=pytest.mark.slow),
    ],
)
def test_five_percent_are_found_on_a_machine_that_drifts_by_thirty(starts, pairs, least):
    same = [compare_medians(*drawn(seed, 1.0, starts)).verdict for seed in range(pairs)]
    found = [compare_medians(*drawn(seed, 1.05, starts)).verdict for seed in range(pairs)]
    assert same.count(Verdict.SLOWER) + same.count(Verdict.FASTER) <= pairs // 20
    assert same.count(Verdict.SAME) >= pairs * 3 // 4
    assert found.count(Verdict.SLOWER) >= least
    assert compare_medians(*alone(drawn(1, 1.05, starts))).verdict is not Verdict.SLOWER


@pytest.mark.parametrize("pairs", [20, pytest.param(80, marks=pytest.mark.slow)])
def test_starts_that_differ_by_more_are_believed(pairs):
    same = [compare_medians(*drawn(seed, apart=0.05)).verdict for seed in range(pairs)]
    assert same.count(Verdict.SLOWER) + same.count(Verdict.FASTER) <= pairs // 20
    assert same.count(Verdict.SAME) >= pairs * 3 // 4


@pytest.mark.parametrize(
    ("pairs", "least"), [(40, 37), pytest.param(200, 190, marks=pytest.mark.slow)]
)
def test_the_interval_holds_the_truth_at_its_rate(pairs, least):
    held = 0
    for seed in range(pairs):
        found = compare_medians(*drawn(seed, 1.05))
        assert found.high is not None
        held += found.low <= 1.05 <= found.high
    assert held >= least


def test_a_ratio_is_that_of_turns_beside_each_other():
    logs = start_ratios(*drawn(3, 1.05, apart=0.0)).logs
    assert len(logs) == 5
    assert np.exp(logs) == pytest.approx(1.05, abs=0.01)
    assert start_ratios(*reversed(drawn(3, 1.05, apart=0.0))).logs == pytest.approx(-logs)


def test_turns_that_did_not_follow_each_other_are_in_no_pair():
    one, other = drawn(4, 1.05)
    late = replace(other.turns, numbers=tuple(10**6 + n for n in other.turns.numbers))
    assert not len(start_ratios(one, replace(other, turns=late)))
    assert not len(start_ratios(one, replace(other, turns=replace(other.turns, id="another"))))
    assert not len(start_ratios(*alone((one, other))))
    assert not len(start_ratios(*drawn(4, turns=3)))
    assert not len(start_ratios(one, one))


def test_predictions_without_a_core_are_left_out():
    one, other = drawn(5, apart=0.0)
    held_up = tuple(ns * 3 if n % EACH < 4 else ns for n, ns in enumerate(other.prediction_ns))
    disturbed = replace(other, prediction_ns=held_up)
    assert np.exp(start_ratios(one, disturbed).logs) == pytest.approx(1, abs=0.02)
    every = tuple(ns * 3 if n % EACH < 5 else ns for n, ns in enumerate(other.prediction_ns))
    assert not len(start_ratios(one, replace(other, prediction_ns=every)))


def test_turns_at_different_paces_of_the_processor_are_in_no_pair():
    one, other = drawn(8, drift=0.0, apart=0.0, starts=1)
    slow = tuple(ns * 2 if n // EACH % 2 else ns for n, ns in enumerate(other.prediction_ns))
    places = tuple(range(TURNS * EACH + 1))
    fast, mixed = (
        CpuSpeed(tuple(4000 * (1 + (n // EACH % 2) * by) for n in places), places)
        for by in (0, 1)
    )
    changing = replace(other, prediction_ns=slow, prediction_cpu_ns=slow)
    found = start_ratios(replace(one, pace=fast), replace(changing, pace=mixed))
    assert np.exp(found.logs) == pytest.approx(1, abs=0.02)
    assert start_ratios(one, changing).errors > 10 * found.errors


def test_three_pairs_that_differ_more_than_assumed_are_no_proof():
    same = [compare_medians(*drawn(seed, starts=3, apart=0.12)).verdict for seed in range(40)]
    assert same.count(Verdict.SLOWER) + same.count(Verdict.FASTER) <= 4
    alike = [compare_medians(*drawn(seed, 1.05, starts=3)).verdict for seed in range(40)]
    assert alike.count(Verdict.SLOWER) >= 38


def test_a_few_runs_that_all_others_contradict_are_no_proof():
    """On one side four of six runs of each turn took as long as those of the other: are the two
    others right?"""
    one, other = drawn(6, starts=1, apart=0.0)
    times = one.prediction_ns
    slower = tuple(3 * ns for ns in times)
    slow = replace(other, prediction_ns=slower, prediction_cpu_ns=slower)
    held_up = tuple(3 * ns if n % EACH < 4 else ns for n, ns in enumerate(times))
    # Two of six had a core, and CPU time says that the others would have been as fast.
    waited = replace(one, prediction_ns=held_up)
    assert compare_medians(waited, slow).verdict is Verdict.SLOWER
    # The CPU time of most is that of the other side, too: these two are the exception.
    computed = tuple(int(0.9 * ns) if n % EACH < 4 else ns for n, ns in enumerate(held_up))
    longer = replace(waited, prediction_cpu_ns=computed)
    assert compare_medians(longer, slow).verdict is Verdict.NOISY
    # A clock too coarse for CPU times: nobody knows why most took longer.
    unknown = [replace(each, prediction_cpu_ns=()) for each in (waited, slow)]
    assert compare_medians(unknown[0], unknown[1]).verdict is not Verdict.SLOWER
    assert compare_medians(one, slow).verdict is Verdict.SLOWER


def test_few_pairs_whose_turns_differ_are_known_less():
    sure, unsure = (
        compare_medians(*drawn(9, starts=1, noise=noise)).half_width for noise in (0.01, 0.3)
    )
    assert unsure > 1.5 * sure


def test_a_comparison_says_so_and_its_row_is_the_verdict():
    found = compare(drawn(6, 1.08), ("old", "new"))
    assert found.judgements[1].verdict is Verdict.SLOWER
    assert "interleaved" in found.starts
    assert "in 5 pairs of processes" in found.starts
    row = next(metric for metric in found.metrics if metric.name == "prediction, p50")
    assert row.judgements[1] == found.judgements[1]
    assert "took turns" not in compare(alone(drawn(6, 1.08))).starts


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        ("prediction.p50>+2%", Outcome.HOLDS),
        ("prediction.p50>+20%", Outcome.FAILS),
        ("prediction.p50>+8%", Outcome.UNDECIDED),
        ("prediction.p50>+0.1ms", Outcome.HOLDS),
        ("prediction.p50>+5ms", Outcome.FAILS),
    ],
)
def test_conditions_on_the_median_are_judged_by_turns(condition, outcome):
    pair = drawn(7, 1.08)
    (finding,) = judged([parse(condition)], pair, compare(pair))
    assert finding.outcome is outcome, finding.text
    (without,) = judged([parse(condition)], alone(pair), compare(alone(pair)))
    assert without.outcome is not Outcome.HOLDS, without.text


def test_starts_are_joined_only_where_all_took_the_same_turns():
    one, other = TurnOrder("both", (1, 3), (4, 5)), TurnOrder("both", (6,), (2,))
    assert join_turns([one, other]) == TurnOrder("both", (1, 3, 6), (4, 5, 2))
    assert (
        join_turns([one, TurnOrder()])
        == join_turns([one, replace(other, id="x")])
        == TurnOrder()
    )


def test_predictions_at_full_pace_tell_where_the_pace_changes_within_a_turn():
    one, other = drawn(10, 1.05, drift=0.0, apart=0.0, starts=1)
    random = np.random.default_rng(10)
    sides = []
    for report in (one, other):
        slow = np.repeat(random.random(TURNS * EACH // 2) < 0.5, 2)
        by = np.where(slow, 1.7, 1.0)
        times = tuple((by * np.array(report.prediction_ns)).astype(int).tolist())
        probes = (*(4000 * by).astype(int).tolist(), 4000)
        pace = CpuSpeed(probes, tuple(range(TURNS * EACH + 1)), 4000)
        sides.append(replace(report, prediction_ns=times, prediction_cpu_ns=times, pace=pace))
    found = start_ratios(sides[0], sides[1])
    assert np.exp(found.logs) == pytest.approx(1.05, abs=0.015)
    assert (found.errors < 0.01).all()


def test_starts_end_at_the_limit_of_those_at_full_speed_or_at_twice_as_many():
    goal = PrecisionGoal(starts=3)
    tries = [(3, 2), (5, 2), (3, 3), (6, 0)]
    assert [goal.out_of_tries(*each) for each in tries] == [False, False, True, True]
