from collections import Counter
from functools import cache

import numpy as np
import pytest

from inspector.analysis.measured.sample_statistics import Statistics, sentences, statistics
from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.report.report import PerformanceReport, from_json, to_json
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed, join_cpu_speeds
from inspector.statistics.intervals import Quantile, student_t_95
from inspector.statistics.process_starts import (
    SINGLE_START_SPREAD,
    START_SPREAD,
    pooled_statistic,
    precision_advice,
    ratio_interval,
    ratio_interval_of_logs,
    split_starts,
    statistic_interval,
)
from inspector.statistics.significance import RatioVerdict, Verdict, compare_samples
from tests.reports import example_report

pytestmark = pytest.mark.simulation

PAIRS, MORE, MANY, RUNS = 80, 200, 400, 20


def measured(
    starts: int, slower: float, seed: int, between: float, runs: int = RUNS
) -> list[int]:
    """Samples of some starts that differ by `between`, with 4% of noise in each."""
    random = np.random.default_rng(seed)
    logs = between * random.normal(size=(starts, 1)) + 0.04 * random.normal(size=(starts, runs))
    return [int(ns) for ns in (2e6 * slower * np.exp(logs)).ravel()]


def share(
    starts: int, slower: float, between: float, right: Verdict, pairs: int = PAIRS
) -> float:
    """Share of pairs of measurements with this verdict."""
    return verdicts(starts, slower, between, pairs)[right] / pairs


@cache
def verdicts(starts: int, slower: float, between: float, pairs: int) -> Counter[Verdict]:
    """How often pairs of measurements have which verdict."""
    lengths = ([RUNS] * starts,) * 2
    return Counter(
        compare_samples(
            measured(starts, 1.0, seed, between),
            measured(starts, slower, 7000 + seed, between),
            lengths=lengths,
        ).verdict
        for seed in range(pairs)
    )


@pytest.mark.parametrize(
    ("starts", "between"),
    [(1, SINGLE_START_SPREAD), (3, SINGLE_START_SPREAD), (5, 0.0), (5, START_SPREAD)],
)
def test_two_measurements_of_the_same_are_no_difference(starts, between):
    told = sum(share(starts, 1.0, between, each) for each in (Verdict.SLOWER, Verdict.FASTER))
    assert told <= 0.06
    least = 0.5 if starts == 1 else 0.9  # one start leaves nearly ten percent open
    assert share(starts, 1.0, between, Verdict.SAME) >= least


def test_what_one_start_is_taken_to_differ_by_is_needed():
    apart = [
        compare_samples(
            measured(1, 1, n, 0.02, 50), measured(1, 1, 7000 + n, 0.02, 50), start_spread=0
        )
        for n in range(PAIRS)
    ]
    assert sum(one.verdict is Verdict.SAME for one in apart) < 0.93 * PAIRS


@pytest.mark.parametrize(
    ("between", "found"),
    [(0.01, 0.97), pytest.param(START_SPREAD, 0.72, marks=pytest.mark.slow)],
)
def test_five_starts_find_what_is_five_percent_slower(between, found):
    assert share(5, 1.05, between, Verdict.SLOWER, MORE) >= found


def test_one_start_finds_what_is_fifteen_percent_slower():
    assert share(1, 1.15, 0.01, Verdict.SLOWER) >= 0.9


def test_no_spread_of_starts_is_none_of_one_start_and_of_five():
    for starts in (1, 5):
        lengths = ([RUNS] * starts,) * 2
        sides = [measured(starts, 1.0, seed, 0.0) for seed in (3, 7003)]
        usual = compare_samples(sides[0], sides[1], lengths=lengths)
        none = compare_samples(sides[0], sides[1], lengths=lengths, start_spread=0)
        assert width_of(none) < 0.9 * width_of(usual)


def width_of(found: RatioVerdict) -> float:
    return found.high - found.low


@pytest.mark.parametrize(
    ("starts", "most", "spreads"),
    [
        ((5, 5), 0.06, (0.15, 0.15)),
        # The other corner, and between the two; thousands of draws each.
        pytest.param((4, 10), 0.07, (0.01, 0.03), marks=pytest.mark.slow),
        pytest.param((5, 5), 0.06, (0.03, 0.03), marks=pytest.mark.slow),
        pytest.param((5, 5), 0.06, (0.01, 0.03), marks=pytest.mark.slow),
        pytest.param((4, 10), 0.07, (0.15, 0.15), marks=pytest.mark.slow),
        pytest.param((4, 10), 0.07, (0.03, 0.03), marks=pytest.mark.slow),
    ],
)
def test_starts_that_differ_much_are_believed_over_the_constant(starts, most, spreads):
    told = 0
    lengths = ([RUNS] * starts[0], [RUNS] * starts[1])
    for seed in range(MANY):
        first = measured(starts[0], 1.0, seed, spreads[0])
        other = measured(starts[1], 1.0, 7000 + seed, spreads[1])
        verdict = compare_samples(first, other, lengths=lengths).verdict
        told += verdict in (Verdict.SLOWER, Verdict.FASTER)
    assert told <= most * MANY


def test_starts_that_happen_to_agree_are_not_believed_to():
    first, other = (sorted(measured(1, by, 3, 0.0, 100)) * 5 for by in (1.0, 1.018))
    lengths = ([100] * 5, [100] * 5)
    assert compare_samples(first, other, lengths=lengths).verdict is Verdict.SAME
    assert (
        compare_samples(first, other, lengths=lengths, start_spread=0).verdict is Verdict.SLOWER
    )


def halves(starts: int, between: float) -> tuple[float, float]:
    """Half of the interval, and of Student's, of starts that differ by just so much."""
    logs = np.repeat(np.linspace(-1, 1, starts), RUNS)
    samples = np.rint(1e9 * np.exp(between * logs / np.std(logs[::RUNS], ddof=1)))
    sides = [samples.astype(int).tolist()] * 2
    found = compare_samples(sides[0], sides[1], lengths=([RUNS] * starts,) * 2, start_spread=0)
    plain = student_t_95(2 * starts - 2) * between * (2 / starts) ** 0.5
    assert found.half_width is not None
    return found.half_width, plain


def test_an_interval_is_made_wider_as_long_as_it_finds_five_percent():
    for between, wider in ((0.01, 1.25), (0.02, 1.25), (0.04, 1.0)):
        found, plain = halves(12, between)
        assert found == pytest.approx(wider * plain, rel=0.02)
    found, plain = halves(12, 0.0265)
    assert plain < 0.0235
    assert found == pytest.approx(0.025, rel=0.02)


@pytest.mark.slow  # five starts are tried above
def test_many_starts_are_hardly_ever_wrong_either_way():
    assert share(12, 1.0, START_SPREAD, Verdict.SAME, MORE) >= 0.97
    assert share(12, 1.05, START_SPREAD, Verdict.SLOWER, MORE) >= 0.97


def test_the_quantile_of_student_is_that_of_the_tables():
    tables = {3: 3.182, 4: 2.776, 8: 2.306, 16: 2.120, 38: 2.024}
    assert {n: student_t_95(n) for n in tables} == pytest.approx(tables, rel=0.01)


def test_two_sides_share_their_degrees_of_freedom():
    sides = measured(5, 1.0, 1, 0.03), measured(5, 1.0, 2, 0.03)
    low, high = ratio_interval(sides, ([RUNS] * 5, [RUNS] * 5), start_spread=0) or (0, 0)
    ends = [statistic_interval(side, [RUNS] * 5) for side in sides]
    assert ends[1][0] / ends[0][1] < low < high < ends[1][1] / ends[0][0]


def test_the_side_with_fewer_starts_bounds_the_degrees_of_freedom():
    """Four starts and twenty of equal scatter: Welch has more degrees than twice three."""
    one, two = 0.1 * np.linspace(-1, 1, 4), 0.1 * np.linspace(-1, 1, 20)
    low, high = ratio_interval_of_logs((one, two), 0.0)
    variances = np.var(one, ddof=1) / 4, np.var(two, ddof=1) / 20
    parts = variances[0] ** 2 / 3 + variances[1] ** 2 / 19
    degrees = min(sum(variances) ** 2 / parts, 6)
    half = student_t_95(degrees) * sum(variances) ** 0.5
    assert np.log(high) == pytest.approx(half)
    assert np.log(low) == pytest.approx(-half)
    spread = 0.001 * np.linspace(-1, 1, 4), 0.2 * np.linspace(-1, 1, 20)
    _, high = ratio_interval_of_logs(spread, 0.0)
    error = sum(np.var(each, ddof=1) / len(each) for each in spread) ** 0.5
    assert np.log(high) == pytest.approx(student_t_95(6) * error), "Welch alone: 19"


def test_the_middle_over_starts_is_that_of_none_of_them_alone():
    samples = [100] * 10 + [200] * 10 + [400] * 10 + [800] * 10
    assert pooled_statistic(samples, [10] * 4) == pytest.approx(100 * 8**0.5)
    assert pooled_statistic(samples, ()) == 300


def test_a_quantile_is_taken_of_all_where_each_start_is_too_short_for_it():
    samples = measured(25, 1.0, 1, 0.01)
    worst = [float(np.quantile(each, 0.99)) for each in np.reshape(samples, (25, RUNS))]
    tail = statistic_interval(samples, [RUNS] * 25, Quantile(0.99), least=100)
    assert tail[0] > np.mean(worst)
    assert statistic_interval(samples[:100], [RUNS] * 5, Quantile(0.99), least=100) is None


@pytest.mark.parametrize("lengths", [(), (5,), (2, 2), (5, 0), (-1, 6)])
def test_lengths_that_do_not_fit_their_samples_are_one_start(lengths):
    assert split_starts((1, 2, 3, 4, 5), lengths) == ((1, 2, 3, 4, 5),)
    assert split_starts((1, 2, 3, 4, 5), (2, 3)) == ((1, 2), (3, 4, 5))


def started(starts: int, slower: float, seed: int, between: float = 0.01) -> PerformanceReport:
    samples = tuple(measured(starts, slower, seed, between))
    lengths = (RUNS,) * starts if starts > 1 else ()
    return example_report(prediction_ns=samples, start_lengths=lengths)


def width(found: Statistics) -> float:
    return found.median_high_ns - found.median_low_ns


def test_the_interval_of_the_median_is_that_over_starts():
    report = started(5, 1.0, 3, between=0.1)
    alone, whole = (
        statistics(report.prediction_ns, lengths) for lengths in ((), report.start_lengths)
    )
    assert width(whole) > 2 * width(alone)
    assert whole.p50_ns == alone.p50_ns
    assert any(line.startswith("Medians of the 5 processes: ") for line in sentences(report))


def test_a_comparison_says_how_far_starts_are_in_its_intervals():
    one = compare([started(1, 1.0, 1), started(5, 1.0, 2)])
    five = compare([started(5, 1.0, 1), started(5, 1.0, 2)])
    assert "--processes 5" in one.starts
    assert "9.7%" in one.starts
    assert five.starts.startswith(
        "The intervals include the measured variation between processes."
    )
    assert "by more on a busy one, as here. One process" in precision_advice([1, 1], True)
    assert "as here" not in one.starts
    assert "One process per model cannot detect a 5% change" in one.starts
    values = next(p.values for p in five.properties if p.name == "Runs")
    assert values[0].endswith("in 5 processes")


def at_pace(paces: list[bool], seed: int) -> PerformanceReport:
    """Starts of 200 predictions that were at full pace or not."""
    samples = tuple(measured(len(paces), 1.0, seed, 0.01, 200))
    before = tuple(range(0, 201, 10))
    return example_report(
        prediction_ns=samples,
        prediction_cpu_ns=samples,
        spec=RunSpec(threads=1),
        start_lengths=(200,) * len(paces),
        pace=join_cpu_speeds(
            [(CpuSpeed((4000 if full else 7000,) * 21, before, 4000), 200) for full in paces]
        ),
    )


def test_who_has_measured_enough_starts_is_not_told_to_measure_as_many():
    few = at_pace([True] * 2 + [False] * 8, 1)
    told = compare([few, at_pace([True] * 5, 2)]).starts
    assert told.startswith("Only 2 of 10 processes had enough runs at full CPU speed")
    assert "--processes" not in told
    assert "measure NEW --against OLD" in told
    assert "--processes 5" in compare([few, at_pace([True], 2)]).starts
    assert "--processes 5" in compare([at_pace([True] * 3, 1), at_pace([True] * 3, 2)]).starts


def test_a_comparison_that_may_have_missed_five_percent_says_how_many_starts_find_it():
    wide = compare([started(5, 1.0, 1, 0.03), started(5, 1.0, 4, 0.03)])
    half = wide.judgements[1].half_width
    assert wide.judgements[1].verdict is Verdict.SAME
    assert f"At ±{100 * half:.1f}% they may miss a change of 5%" in wide.starts
    assert "measure NEW --against OLD" in wide.starts
    needed = int(wide.starts.partition("--processes ")[2].partition(",")[0])
    many = compare([started(needed, 1.0, 1, 0.03), started(needed, 1.0, 4, 0.03)])
    assert "may miss" not in many.starts
    found = compare([started(5, 1.0, 1, 0.03), started(5, 1.5, 4, 0.03)])
    assert "may miss" not in found.starts


def test_conditions_hold_where_starts_agree_and_are_open_where_one_start_cannot_tell():
    condition = [parse("prediction.p50>+2%")]
    outcomes = []
    for starts in (1, 5):
        pair = started(starts, 1.0, 1, 0.005), started(starts, 1.06, 2, 0.005)
        outcomes.append(judged(condition, pair, compare(pair))[0].outcome)
    assert outcomes == [Outcome.UNDECIDED, Outcome.HOLDS]


def test_starts_are_kept_in_the_file():
    report = started(5, 1.0, 1)
    again = from_json(to_json(report), "report")
    assert again.start_lengths == (RUNS,) * 5
    assert again.prediction_ns == report.prediction_ns


def test_a_row_changes_by_what_its_numbers_differ_by():
    """It used to show the ratio of the verdict beside two medians with another one."""
    found = compare([started(5, 1.0, 1, 0.05), started(5, 1.3, 2, 0.05)])
    middle = found.metrics[0]
    (first, other), judged = middle.values, found.judgements[1]
    assert middle.ratio(1) == other / first
    assert abs(other / first - judged.ratio) > 0.0005
    assert "changes in the table are those of the numbers next to them" in found.starts
    once = compare([started(1, 1.0, 1), started(1, 1.3, 2)])
    assert "changes in the table" not in once.starts
