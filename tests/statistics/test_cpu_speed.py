from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed, full_speed_text
from inspector.analysis.verdicts.speed import compare_medians
from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.report.report import PerformanceReport, from_json, to_json
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import (
    CoreUse,
    CpuSpeed,
    fastest_ns,
    is_representative,
    join_cpu_speeds,
    select_full_speed,
)
from inspector.statistics.significance import Verdict, compare_counted
from tests.reports import example_report

pytestmark = pytest.mark.simulation

FULL, EACH = 4000, 10
ALONE = RunSpec(threads=1)


def pace_of(times: list[float], each: int = EACH, known_ns: int = 0) -> CpuSpeed:
    """Probes that take so many times as long as at full pace, `each` predictions apart."""
    probes = tuple(int(FULL * slower) for slower in times)
    return CpuSpeed(probes, tuple(range(0, each * len(times), each)), known_ns)


def measured(
    times: list[float], slower: float = 1.0, seed: int = 0, known_ns: int = 0
) -> PerformanceReport:
    """A report whose predictions follow the pace, with 1% of noise: two speeds and a model."""
    pace, random = pace_of(times, known_ns=known_ns), np.random.default_rng(seed)
    follow = np.repeat(times[:-1], EACH) * np.exp(
        0.01 * random.normal(size=EACH * len(times[1:]))
    )
    samples = tuple(int(ns) for ns in 1e6 * slower * follow)
    return example_report(
        spec=ALONE, pace=pace, prediction_ns=samples, prediction_cpu_ns=samples
    )


STEADY = [1.0] * 60
MIXED = ([1.0] * 12 + [1.6] * 18) * 2
SLOW = [1.6] * 60


def verdict(first: PerformanceReport, other: PerformanceReport) -> Verdict:
    return compare_medians(first, other).verdict


def test_a_prediction_is_at_full_pace_where_the_probes_on_both_sides_were():
    wall = (100,) * 40
    found = select_full_speed(pace_of([1, 1.04, 1.6, 1, 1]), wall, wall, cores=CoreUse.ONE)
    assert found.full is not None
    assert np.flatnonzero(found.full).tolist() == [*range(10), *range(30, 40)]


def test_a_prediction_that_waited_for_its_core_is_not_at_full_pace():
    wall = (100_000,) * 200
    cpu = (*wall[:-50], *(90_000,) * 50)
    found = select_full_speed(pace_of([1] * 21), wall, cpu, cores=CoreUse.ONE)
    assert (found.at_full, found.enough) == (150, True)
    assert found.samples_ns == wall[:150]
    assert found.places.tolist() == list(range(150))


def test_predictions_that_are_chosen_are_not_kept_anew():
    report = measured(MIXED)
    chosen = report.full_speed_predictions
    assert 0 < len(chosen.samples_ns) < len(report.prediction_ns)
    assert set(map(id, chosen.samples_ns)) <= set(map(id, report.prediction_ns))
    assert set(map(id, chosen.cpu_ns)) <= set(map(id, report.prediction_cpu_ns))


def test_several_threads_have_as_many_cores_as_they_ever_had():
    wall = (100_000,) * 200
    cpu = (*(190_000,) * 150, *(120_000,) * 50)
    assert select_full_speed(pace_of([1] * 21), wall, cpu).at_full == 150
    shared = select_full_speed(pace_of([1] * 21), wall, cpu, cores=CoreUse.SHARED)
    assert (shared.at_full, shared.enough) == (0, False)


def test_a_clock_too_coarse_for_processor_time_tells_nothing():
    wall = (100_000,) * 200
    assert (
        select_full_speed(pace_of([1] * 21), wall, (0,) * 200, cores=CoreUse.ONE).at_full == 200
    )


@pytest.mark.parametrize(
    "pace",
    [
        CpuSpeed(),
        CpuSpeed((5, 5), (0,)),
        CpuSpeed((5, 5), (0, 39)),
        CpuSpeed((5, 5, 5), (0, 50, 40)),
        CpuSpeed((5, 5), (1, 40)),
    ],
)
def test_probes_that_do_not_fit_the_predictions_are_none(pace):
    found = select_full_speed(pace, (7,) * 40, (7,) * 40)
    assert (found.full, found.enough, found.samples_ns) == (None, True, (7,) * 40)


def test_numbers_are_of_the_predictions_at_full_pace():
    report = measured(MIXED)
    assert report.full_speed_predictions.at_full == 2 * 11 * EACH
    assert np.median(report.prediction_ns) > 1_500_000
    assert report.median_ns == pytest.approx(1e6, rel=0.01)
    assert full_speed_text(report) == "220 of 590 runs"


def test_a_handful_at_full_pace_does_not_stand_for_thousands():
    report = measured([1.6] * 30 + [1.0] * 4 + [1.6] * 30)
    assert report.full_speed_predictions.at_full == 30
    assert not report.full_speed_predictions.enough
    assert report.median_ns > 1_500_000


def test_two_starts_of_the_same_are_the_same_whatever_the_pace_did():
    assert verdict(measured(STEADY), measured(MIXED, seed=1)) is Verdict.SAME
    assert verdict(measured(MIXED), measured(MIXED[::-1], seed=1)) is Verdict.SAME


def test_a_slower_model_is_found_under_a_changing_pace():
    assert verdict(measured(STEADY), measured(MIXED, 1.2, 1)) is Verdict.SLOWER
    assert verdict(measured(MIXED, 1.2, 1), measured(STEADY)) is Verdict.FASTER


def test_what_never_reached_the_pace_of_the_other_is_undecided():
    found = compare([measured(STEADY), measured(SLOW, seed=1)])
    assert found.judgements[1].verdict is Verdict.PACE
    assert found.judgements[1].low is None
    conditions = [parse("prediction.p50>+10%"), parse("prediction.p50>1.2ms")]
    pair = measured(STEADY), measured(SLOW, seed=1, known_ns=FULL)
    outcomes = [one.outcome for one in judged(conditions, pair, compare(pair))]
    assert outcomes == [Outcome.UNDECIDED] * 2


def test_two_reports_that_kept_to_the_same_slow_pace_are_compared():
    pair = measured(SLOW, known_ns=FULL), measured(SLOW, 1.2, 1, known_ns=FULL)
    assert verdict(*pair) is Verdict.SLOWER
    assert not any(report.full_speed_predictions.enough for report in pair)


def test_another_machine_has_a_pace_of_its_own():
    other = measured(SLOW, seed=1)
    other = replace(other, environment=replace(other.environment, cpu="Another"))
    assert compare_counted(at_matched_speed(measured(STEADY), other)).verdict is Verdict.SLOWER


def test_a_limit_that_slowness_cannot_explain_is_decided():
    slow = measured(SLOW, known_ns=FULL)
    conditions = [parse(f"prediction.p50>{limit}") for limit in ("0.5ms", "1.2ms", "9ms")]
    outcomes = [one.outcome for one in judged(conditions, (slow, slow), compare((slow, slow)))]
    assert outcomes == [Outcome.HOLDS, Outcome.UNDECIDED, Outcome.FAILS]


def test_a_start_that_never_reached_full_pace_is_left_out():
    starts = [measured(times, seed=n) for n, times in enumerate((STEADY, SLOW, MIXED))]
    lengths = tuple(len(one.prediction_ns) for one in starts)
    whole = replace(
        starts[0],
        prediction_ns=tuple(ns for one in starts for ns in one.prediction_ns),
        prediction_cpu_ns=tuple(ns for one in starts for ns in one.prediction_cpu_ns),
        start_lengths=lengths,
        pace=join_cpu_speeds([(one.pace, len(one.prediction_ns)) for one in starts]),
    )
    assert whole.pace.before[60:62] == (lengths[0], lengths[0] + EACH)
    assert whole.full_speed_predictions.lengths == (lengths[0], 220)
    assert whole.full_speed_predictions.starts == 3
    assert whole.median_ns == pytest.approx(1e6, rel=0.01)


def test_starts_without_a_pace_make_the_whole_have_none():
    assert join_cpu_speeds([(pace_of([1, 1]), 10), (CpuSpeed(), 10)]) == CpuSpeed()


def test_the_fastest_is_one_that_was_seen_more_than_once():
    assert fastest_ns((900, 1000, 1001, 1002, *(1600,) * 20)) == 1001
    assert fastest_ns((7,)) == 7
    assert fastest_ns(()) == 0


def test_half_of_the_time_at_a_share_of_full_pace():
    assert pace_of(SLOW, known_ns=FULL).share == pytest.approx(1 / 1.6)
    assert pace_of(SLOW).share == 1
    assert CpuSpeed().share is None


def test_the_pace_is_kept_in_the_file():
    report = measured(MIXED, known_ns=3900)
    again = from_json(to_json(report), "report")
    assert again.pace == report.pace
    assert again.median_ns == report.median_ns


def test_with_several_threads_a_lower_turbo_is_no_slower_pace():
    wall = (100_000,) * 400
    pace = pace_of([1.0] * 20 + [1.15] * 21)
    assert select_full_speed(pace, wall, wall, cores=CoreUse.ONE).at_full == 190
    assert select_full_speed(pace, wall, wall).at_full == 400
    assert select_full_speed(pace_of([1.0] * 20 + [1.6] * 21), wall, wall).at_full == 190


def test_another_model_may_have_a_pace_a_little_different():
    first, other = measured(STEADY), measured([1.1] * 60, 1.1, 1)
    assert verdict(first, other) is Verdict.PACE
    other = replace(other, model=replace(other.model, sha256="another"))
    # The clock alone may explain it, so nobody can tell; three times as much it cannot.
    assert verdict(first, other) is Verdict.NOISY
    slower = measured([1.1] * 60, 1.3, 1)
    assert verdict(first, replace(slower, model=other.model)) is Verdict.SLOWER
    far = measured(SLOW, seed=1)
    assert verdict(first, replace(far, model=other.model)) is Verdict.PACE


def test_few_moments_at_full_speed_do_not_represent_a_process():
    """Seven stretches are too few, eight enough, or nearly all runs of however many."""
    stretch = np.repeat(np.arange(20), 10)
    full = np.zeros(200, bool)
    full[:70] = True
    assert not is_representative(full, stretch)
    full[70] = True
    assert is_representative(full, stretch)
    assert is_representative(np.ones(20, bool), np.zeros(20, np.int64))


def test_runs_at_full_speed_are_not_the_slower_ones():
    pace = pace_of([1.0] * 11 + [1.6] * 10)  # the probes say: fast, then slow
    quick, slow = (80,) * 100, (100,) * 100
    assert select_full_speed(pace, quick + slow, quick + slow).at_full_speed
    for least in (80, 98):  # also where they are only a little slower
        slower = (100,) * 100 + (least,) * 100
        found = select_full_speed(pace, slower, slower)
        assert not found.at_full_speed
        assert len(found.samples_ns) == 200


def test_runs_far_slower_than_the_fast_ones_are_not_at_full_speed():
    """Programs that no probe met took most of their time."""
    pace = pace_of([1.0] * 11 + [1.6] * 10)
    runs = (40,) * 20 + (100,) * 80 + (100,) * 100
    assert not select_full_speed(pace, runs, runs).at_full_speed
