"""One verdict on two latencies, whatever the machine did meanwhile."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from inspector import units
from inspector.analysis.verdicts.interleaved import PrecisionGoal, start_ratios
from inspector.analysis.verdicts.speed import (
    compare_medians,
    compare_undisturbed,
    compared_runs,
    interleaving_text,
    is_crowded,
    precision_text,
)
from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.report.environment import SystemLoad
from inspector.report.report import PerformanceReport, TurnOrder
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.statistics.intervals import MIN_SAMPLES
from inspector.statistics.significance import Verdict
from tests.reports import example_report

pytestmark = pytest.mark.simulation

STARTS, TURNS, EACH = 6, 12, 5
RUN_NS = 1e6
CROWD = SystemLoad(0.0, 0.7)
Pair = tuple[PerformanceReport, PerformanceReport]


def crowded(
    seed: int,
    slower: float = 1.0,
    starts: int = STARTS,
    free: tuple[float, float] = (0.3, 0.3),
    others: float = 0.7,
) -> Pair:
    """Two threads beside other programs: a few runs have both cores, some one, some wait.

    free: share of runs with both cores, of both sides. The clock of CPU time shows one thread.
    """
    random, sides = np.random.default_rng(seed), []
    for side, by in enumerate((1.0, slower)):
        shape = (starts, TURNS * EACH)
        luck = random.random(shape)
        delay = np.where(luck < free[side], 1.0, np.where(luck < 0.7, 1.8, 3 + 20 * luck))
        level = np.exp(0.005 * random.normal(size=(starts, 1)))
        wall = RUN_NS * by * level * delay * np.exp(0.01 * np.abs(random.normal(size=shape)))
        numbers = tuple(range(1 + side, 1 + 2 * starts * TURNS, 2))
        cpu = RUN_NS * by * np.exp(0.1 * random.normal(size=shape)) * np.minimum(delay, 2.0)
        report = example_report(
            prediction_ns=tuple(wall.astype(int).ravel().tolist()),
            prediction_cpu_ns=tuple(cpu.astype(int).ravel().tolist()),
        )
        sides.append(
            replace(
                report,
                spec=RunSpec(starts=starts),
                start_lengths=(TURNS * EACH,) * starts if starts > 1 else (),
                turns=TurnOrder("both", numbers, (EACH,) * len(numbers)),
                surroundings=SystemLoad(0.0, others),
            )
        )
    return sides[0], sides[1]


def test_threads_that_share_their_cores_are_compared_by_undisturbed_runs():
    assert is_crowded(crowded(0)[0])
    assert not is_crowded(crowded(0, others=0.1)[0])
    assert not is_crowded(replace(crowded(0)[0], spec=RunSpec(threads=1)))
    for seed in range(20):
        equal, tenth, twice = (compare_medians(*crowded(seed, by)) for by in (1.0, 1.1, 2.0))
        assert equal.verdict is Verdict.SAME
        assert (equal.bound or 1) < 0.06
        assert tenth.verdict is Verdict.SLOWER
        assert tenth.ratio == pytest.approx(1.1, rel=0.03)
        assert (twice.low or 0) < 2 < (twice.high or 0)
        assert twice.half_width < 0.08


def test_a_side_that_never_had_all_cores_is_no_slower_model():
    for seed in range(10):
        equal = compare_medians(*crowded(seed, free=(0.0, 0.3)))
        assert equal.verdict is Verdict.CONTRADICTED
        assert "CPU time" in equal.reason
        hidden = compare_medians(*crowded(seed, 1.8, free=(0.0, 0.3)))
        assert hidden.verdict is not Verdict.SAME, "twice as long on twice the cores"


def test_without_undisturbed_runs_there_is_no_verdict_but_a_reason():
    few = compare_medians(*crowded(1, 2.0, starts=3))
    assert few.verdict is Verdict.NOISY
    assert few.low is None
    assert "too few runs had the CPU cores" in few.text()
    assert "2.00" not in few.text(), "no number without an interval"
    enough = compare_medians(*crowded(1, 2.0, starts=4))
    assert enough.verdict is Verdict.SLOWER


def test_where_no_run_was_undisturbed_all_runs_and_cpu_time_must_agree():
    """Each process has another level, so that fewer than four are near the fastest."""

    def scattered(by: float, cpu_by: float, seed: int) -> Pair:
        pair, random = crowded(seed, by, free=(0.0, 0.0)), np.random.default_rng(seed)
        levels = np.repeat(1.3 ** np.arange(STARTS), TURNS * EACH)
        sides = []
        for side, report in enumerate(pair):
            noise = np.exp(0.05 * random.normal(size=len(levels)))
            wall = RUN_NS * (by if side else 1) * levels * noise
            cpu = RUN_NS * (cpu_by if side else 1) * noise
            sides.append(
                replace(
                    report,
                    prediction_ns=tuple(wall.astype(int).tolist()),
                    prediction_cpu_ns=tuple(cpu.astype(int).tolist()),
                )
            )
        return sides[0], sides[1]

    agreeing = compare_medians(*scattered(5.0, 2.0, 1))
    assert agreeing.verdict is Verdict.SLOWER
    assert agreeing.ratio == pytest.approx(2.0, rel=0.05), "what CPU time says is nearer"
    assert (agreeing.low or 9) < 2.0 < 5.0 < (agreeing.high or 0)
    open_ = compare_medians(*scattered(5.0, 1.0, 1))
    assert open_.verdict is Verdict.NOISY
    assert "too few runs had the CPU cores" in open_.reason
    assert compare_medians(*scattered(1.0, 1.0, 1)).verdict is Verdict.NOISY


def test_a_side_whose_fastest_runs_lie_apart_has_a_wider_interval():
    pair = crowded(4, 2.0)
    first, other = (np.array(each.prediction_ns) for each in pair)
    apart = other.copy()
    apart[np.argmin(apart)] = int(0.9 * apart.min())
    usual = compare_medians(*pair)
    wider = compare_medians(pair[0], replace(pair[1], prediction_ns=tuple(apart.tolist())))
    assert (wider.low or 9) < 0.9 * (usual.low or 0), "the true one may be lower still"
    assert wider.high == pytest.approx(usual.high, rel=0.01)
    slower = first.copy()
    slower[np.argmin(slower)] = int(0.9 * slower.min())
    upper = compare_medians(replace(pair[0], prediction_ns=tuple(slower.tolist())), pair[1])
    assert (upper.high or 0) > 1.1 * (usual.high or 9)


def test_medians_beside_a_verdict_are_of_the_runs_that_it_compares():
    pair = crowded(2, 2.0)
    one, two = (float(np.median(times)) for times in compared_runs(*pair))
    assert one == pytest.approx(RUN_NS, rel=0.02)
    assert two == pytest.approx(2 * RUN_NS, rel=0.02)
    short = crowded(2, 2.0, starts=3)
    assert compared_runs(*short) == (short[0].prediction_ns, short[1].prediction_ns)
    quiet = tuple(replace(each, surroundings=SystemLoad()) for each in pair)
    assert compared_runs(*quiet) == (pair[0].prediction_ns, pair[1].prediction_ns)


def alone(seed: int, slower: float, cpu_slower: float, starts: int = 5) -> Pair:
    """One thread, in turns: times and CPU times whose ratios may differ."""
    random, sides = np.random.default_rng(seed), []
    for side, (by, cpu_by) in enumerate(((1.0, 1.0), (slower, cpu_slower))):
        noise = np.exp(0.01 * random.normal(size=starts * TURNS * EACH))
        numbers = tuple(range(1 + side, 1 + 2 * starts * TURNS, 2))
        report = example_report(
            prediction_ns=tuple((RUN_NS * by * noise).astype(int).tolist()),
            prediction_cpu_ns=tuple((RUN_NS * cpu_by * noise).astype(int).tolist()),
        )
        sides.append(
            replace(
                report,
                spec=RunSpec(threads=1, starts=starts),
                start_lengths=(TURNS * EACH,) * starts,
                turns=TurnOrder("both", numbers, (EACH,) * len(numbers)),
            )
        )
    return sides[0], sides[1]


def test_cpu_time_that_contradicts_the_latency_stops_the_verdict():
    agreeing = compare_medians(*alone(1, 1 / 2.3, 1 / 2.3))
    assert agreeing.verdict is Verdict.FASTER
    verdict = compare_medians(*alone(1, 1 / 27, 1 / 2.3))
    assert verdict.verdict is Verdict.CONTRADICTED
    assert "27.0× faster" in verdict.reason
    assert "CPU time 2.30× faster" in verdict.reason
    assert verdict.text().startswith("inconclusive: estimates contradict each other")
    assert verdict.label == "inconclusive: estimates contradict each other"
    assert compare_medians(*alone(1, 1.0, 1.3)).verdict is Verdict.CONTRADICTED


def test_cpu_time_that_lies_a_little_apart_is_covered_by_the_interval():
    found, cpu = compare_medians(*alone(1, 1 / 2.1, 1 / 2.0)), 1 / 2.0
    assert found.verdict is Verdict.FASTER
    assert (found.low or 1) < 1 / 2.1 < cpu < (found.high or 0)
    undecided = compare_medians(*alone(1, 0.94, 1.0))
    assert undecided.verdict is Verdict.SAME, "CPU time leaves nothing of it"
    assert (undecided.low or 1) < 0.94 < 1 < (undecided.high or 0)


def waiting(seed: int, slower: float, free: float, starts: int = 6) -> Pair:
    """One thread on cores that other programs use: turns in which most runs wait.

    free: share of runs of the first model that did not; of the other one, a share that falls
    with its length. In each process only three turns have runs without waiting.
    """
    random, sides = np.random.default_rng(seed), []
    for side, by in enumerate((1.0, slower)):
        shape = (starts, TURNS, EACH)
        level = np.exp(0.005 * random.normal(size=(starts, 1, 1)))
        cpu = RUN_NS * by * level * np.exp(0.01 * np.abs(random.normal(size=shape)))
        lucky = random.random(shape) < free / by
        lucky[:, 3:] = False
        wall = np.where(lucky, cpu, cpu + RUN_NS * 20 * by**1.5 * random.random(shape))
        places = tuple(range(0, wall.size + 1, EACH))
        numbers = tuple(range(1 + side, 1 + 2 * starts * TURNS, 2))
        report = example_report(
            prediction_ns=tuple(wall.astype(int).ravel().tolist()),
            prediction_cpu_ns=tuple(cpu.astype(int).ravel().tolist()),
            pace=CpuSpeed((4000,) * len(places), places),
        )
        sides.append(
            replace(
                report,
                spec=RunSpec(threads=1, starts=starts),
                start_lengths=(TURNS * EACH,) * starts,
                turns=TurnOrder("both", numbers, (EACH,) * len(numbers)),
                surroundings=CROWD,
            )
        )
    return sides[0], sides[1]


def test_one_thread_that_waits_in_most_turns_is_compared_by_undisturbed_runs():
    """Fewer than four processes have turns that can be compared: seen at a load of 22."""
    for seed in range(5):
        equal, tenth, twice = (waiting(seed, by, 0.9) for by in (1.0, 1.1, 2.0))
        assert len(start_ratios(*equal)) < 4
        assert compare_medians(*equal).verdict is Verdict.SAME
        assert compare_medians(*tenth).verdict is Verdict.SLOWER
        found = compare_medians(*twice)
        assert found.verdict is Verdict.SLOWER
        assert (found.low or 9) < 2 < (found.high or 0)
        assert "that of uninterrupted runs" in interleaving_text(twice)
        one, two = (float(np.median(times)) for times in compared_runs(*twice))
        assert (one, two) == pytest.approx((RUN_NS, 2 * RUN_NS), rel=0.03)


def test_one_thread_that_always_waits_is_compared_by_all_runs_and_their_cpu_time():
    for seed in range(10):
        twice = waiting(seed, 2.0, 0.0)
        found = compare_medians(*twice)
        assert found.verdict is Verdict.SLOWER
        assert (found.low or 9) < 2 < (found.high or 0)
        assert "that of the CPU time of all runs" in interleaving_text(twice)
        assert compared_runs(*twice) == (twice[0].prediction_ns, twice[1].prediction_ns)
        equal = compare_medians(*waiting(seed, 1.0, 0.0)).verdict
        assert equal not in (Verdict.SLOWER, Verdict.FASTER)


def test_waiting_that_is_the_model_s_own_is_no_other_program_s():
    """All runs take 3 times as long in 1.1 times the CPU time: it may wait for itself."""
    odd = compare_medians(*alone(2, 3.0, 1.1))
    assert odd.verdict is Verdict.CONTRADICTED
    assert "CPU time" in odd.reason


def test_threads_may_be_used_better_but_not_by_more_than_there_are():
    both = [
        replace(each, spec=replace(each.spec, threads=2)) for each in alone(1, 1 / 3, 1 / 1.8)
    ]
    assert compare_medians(both[0], both[1]).verdict is Verdict.FASTER
    far = [
        replace(each, spec=replace(each.spec, threads=2)) for each in alone(1, 1 / 27, 1 / 2.3)
    ]
    assert compare_medians(far[0], far[1]).verdict is Verdict.CONTRADICTED
    default = [replace(each, spec=replace(each.spec, threads=0)) for each in far]
    assert default[0].environment.cores == 8
    assert compare_medians(default[0], default[1]).verdict is Verdict.CONTRADICTED, "11.7 > 8"


def separate(pace: float, slower: float, seed: int = 0) -> PerformanceReport:
    """One thread in a process of its own, next to probes that took so many times as long."""
    noise = np.exp(0.01 * np.random.default_rng(seed).normal(size=400))
    times = tuple((RUN_NS * slower * noise).astype(int).tolist())
    probes = CpuSpeed((int(4000 * pace),) * 41, tuple(range(0, 401, 10)))
    return example_report(
        prediction_ns=times, prediction_cpu_ns=times, pace=probes, spec=RunSpec(threads=1)
    )


def test_a_clock_that_differed_is_no_other_model():
    first = separate(1.0, 1.0)
    faster = separate(0.88, 0.88, 1)
    other = replace(faster, model=replace(faster.model, sha256="another"))
    assert compare_medians(first, separate(1.0, 0.88, 1)).verdict is Verdict.FASTER
    found = compare_medians(first, other)
    assert found.verdict is not Verdict.FASTER
    assert (found.low or 1) < 0.88 < 1 < (found.high or 0)
    assert compare_medians(first, replace(separate(0.88, 0.5), model=other.model)).decided
    elsewhere = replace(other, environment=replace(other.environment, cpu="Another CPU"))
    assert compare_medians(first, elsewhere).verdict is Verdict.FASTER, "another machine"


def test_text_says_which_runs_were_compared():
    busy, quiet = crowded(3), alone(3, 1.0, 1.0)
    told = interleaving_text(busy)
    assert "so the change of the median is that of uninterrupted runs" in told
    assert "between neighboring turns, in 5 pairs of processes" in interleaving_text(quiet)
    bare = [replace(each, turns=TurnOrder()) for each in quiet]
    assert interleaving_text(bare) == ""
    assert "known to ±" in precision_text(*busy, PrecisionGoal())
    mixed = busy[0], replace(busy[1], surroundings=SystemLoad())
    assert "that of uninterrupted runs" in interleaving_text(mixed)
    short = crowded(3, starts=3)
    one_side = short[0], replace(short[1], surroundings=SystemLoad())
    assert precision_text(*one_side, PrecisionGoal()).endswith(
        "too few uninterrupted runs for a confidence interval."
    )
    contradicted = precision_text(*alone(1, 1 / 27, 1 / 2.3), PrecisionGoal())
    assert "neighboring turns say 27.0× faster" in contradicted
    few = precision_text(*crowded(3, starts=3), PrecisionGoal())
    assert few.endswith("too few uninterrupted runs for a confidence interval.")


def test_without_full_speed_runs_that_had_a_core_decide_and_the_clock_is_counted():
    """One thread: most probes are slow on both sides, and some runs waited for a core."""

    def slowed(by: float, seed: int, pace: float = 1.0, full: int = 3) -> PerformanceReport:
        random = np.random.default_rng(seed)
        cpu = 1.3 * RUN_NS * by * pace * np.exp(0.02 * random.normal(size=400))
        waits = np.where(random.random(400) < 0.3, 5.0, 1.0)
        probes = [4000] * full + [int(4000 * 1.3 * pace)] * (41 - full)
        return example_report(
            prediction_ns=tuple((cpu * waits).astype(int).tolist()),
            prediction_cpu_ns=tuple(cpu.astype(int).tolist()),
            pace=CpuSpeed(tuple(probes), tuple(range(0, 401, 10)), 4000),
            spec=RunSpec(threads=1),
        )

    same, slower = (compare_medians(slowed(1, 1), slowed(by, 2)) for by in (1.0, 2.0))
    assert same.verdict is Verdict.SAME
    assert slower.verdict is Verdict.SLOWER
    assert (slower.low or 0) < 2 < (slower.high or 0)
    clock = compare_medians(slowed(1, 1), slowed(1, 2, pace=1.3))
    assert clock.verdict is Verdict.PACE, "the clock explains it"
    threads = [replace(each, spec=RunSpec()) for each in (slowed(1, 1), slowed(2, 2))]
    assert compare_medians(threads[0], threads[1]).verdict is not Verdict.SAME


@pytest.mark.parametrize("had_core", [MIN_SAMPLES - 1, MIN_SAMPLES])
def test_as_many_runs_with_a_core_as_an_interval_needs_decide(had_core):
    def slowed(by: float) -> PerformanceReport:
        cpu = RUN_NS * by * (1 + 0.001 * np.arange(20))
        waits = np.where(np.arange(20) < had_core, 1.0, 5.0)
        return example_report(
            prediction_ns=tuple((cpu * waits).astype(int).tolist()),
            prediction_cpu_ns=tuple(cpu.astype(int).tolist()),
            pace=CpuSpeed((4000, *(5200,) * 4), (0, 5, 10, 15, 20), 4000),
            spec=RunSpec(threads=1),
        )

    expected = Verdict.SLOWER if had_core == MIN_SAMPLES else Verdict.PACE
    assert compare_medians(slowed(1), slowed(3)).verdict is expected


def test_runs_of_one_tick_of_the_clock_are_the_same():
    ticks = np.ones(20, np.int64)
    starts = [SimpleNamespace(wall=ticks, cpu=ticks)] * 6
    verdict = compare_undisturbed(starts, starts, alone=False)
    assert verdict.verdict is Verdict.SAME


def test_conditions_of_ci_are_decided_by_the_same_verdict():
    condition = [parse("latency.p50>+10%"), parse("latency.p50>+1us")]
    busy = crowded(5, 1.5)
    found = judged(condition, busy, compare(busy))
    assert [each.outcome for each in found] == [Outcome.HOLDS, Outcome.HOLDS]
    verdict = compare_medians(*busy)
    assert verdict.low is not None
    assert f"95% CI {units.change(verdict.low)}" in found[0].text
    equal = crowded(5)
    assert judged(condition, equal, compare(equal))[0].outcome is Outcome.FAILS
    odd = alone(1, 27.0, 2.3)
    for each in judged(condition, odd, compare(odd)):
        assert each.outcome is Outcome.UNDECIDED
        assert "estimates contradict each other" in each.text
    few = crowded(5, 1.5, starts=3)
    (open_, _) = judged(condition, few, compare(few))
    assert open_.outcome is Outcome.UNDECIDED
    assert "too few runs had the CPU cores" in open_.text
