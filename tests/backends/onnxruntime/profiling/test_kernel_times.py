import numpy as np
import pytest

from inspector.backends.onnxruntime.profiling.kernel_times import (
    SelectedRuns,
    calibrated,
    estimate,
    kernel_usages,
    precise,
    select_runs,
)
from inspector.backends.onnxruntime.profiling.profile import Kernel
from inspector.backends.onnxruntime.profiling.profiler_cost import ProfilerCost, grouped_median
from inspector.report.layer_timing import TimeSpread
from inspector.statistics.cpu_speed import CoreUse, CpuSpeed

TIMES_US = (900, 400, 150, 60, 25, 9)
NO_COST = ProfilerCost()


def kernel(node: int, run: int, us: int) -> Kernel:
    ns = us * 1000
    return Kernel(f"L{node}", "Conv", "cpu", node, node * 10**7, ns, ns, None, run, 0, (), ())


def profile(interrupted: dict[tuple[int, int], int], runs: int = 10) -> list[Kernel]:
    """Kernels of each prediction; interrupted: microseconds that come on top, by run, node."""
    random = np.random.default_rng(3)
    return [
        kernel(
            node, run, int(us * random.uniform(0.97, 1.03)) + interrupted.get((run, node), 0)
        )
        for run in range(runs)
        for node, us in enumerate(TIMES_US)
    ]


def ranked(kernels: list[Kernel], runs: int = 10) -> tuple[list[int], list[int]]:
    found = kernel_usages(kernels, [each.number for each in kernels], 0, runs)
    chosen = select_runs(runs, (), (), CpuSpeed(), CoreUse.ALL)
    times = [estimate([each], chosen, NO_COST).time_ns for each in found]
    return sorted(range(len(times)), key=lambda node: -times[node]), times


def ranking_unchanged() -> bool:
    """Whether 40 ms on top of any two kernels in 2 of 10 predictions change no rank."""
    plain, _ = ranked(profile({}))
    nodes = range(len(TIMES_US))
    return all(
        ranked(profile({(2, one): 40_000, (7, other): 40_000}))[0] == plain
        for one in nodes
        for other in nodes
    )


def test_40_ms_in_2_of_10_profiled_predictions_leave_the_ranking():
    assert ranking_unchanged()
    _, times = ranked(profile({(2, 5): 40_000, (7, 5): 40_000}))
    assert times[5] < 12_000


def test_a_low_quantile_is_taken_where_most_predictions_waited_for_a_core():
    """Each waited at some kernel, and 6 of 10 at the same one: no median tells its time."""
    plain, times = ranked(profile({}))
    waits = {(run, 3): 20_000 for run in (0, 2, 4, 5, 7, 9)}
    waits |= {(run, 5): 20_000 for run in (1, 3, 6)}
    kernels = profile(waits)
    chosen = select_runs(10, (), (), CpuSpeed(), CoreUse.ALL)
    assert (len(chosen.used), chosen.at_full_speed) == (10, False)
    order, waited = ranked(kernels)
    assert order == plain
    assert waited == pytest.approx(times, rel=0.05)


def test_on_a_busy_cpu_each_layer_is_timed_where_it_was_not_held_up():
    """First layers are fast with warm caches, last layers in runs that just got a core."""
    runs = 48
    pauses = tuple(range(0, runs, 2))
    interrupted = {1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22}
    kernels = [
        kernel(node, run, us)
        for run in range(runs)
        for node, us in enumerate(
            (200 if run in pauses else 100, 50, 300 if run in pauses else 900)
            if run not in interrupted
            else (4000, 4000, 4000)
        )
    ]
    found = kernel_usages(kernels, [each.number for each in kernels], 0, runs)
    chosen = select_runs(runs, (), (), CpuSpeed(), CoreUse.ALL, pauses)
    assert chosen.at_full_speed is False
    times = [estimate([each], chosen, NO_COST).time_ns for each in found]
    assert times == pytest.approx([100_500, 50_500, 300_500])


def test_of_few_runs_beside_other_programs_a_low_quantile_is_taken():
    """Of 6 runs 4 waited at each of two kernels, as the prompts of a slow model do."""
    waits = {(run, 3): 20_000 for run in range(4)} | {(run, 5): 20_000 for run in range(2, 6)}
    kernels = profile(waits, runs=6)
    found = kernel_usages(kernels, [each.number for each in kernels], 0, 6)
    _, quiet = ranked(profile({}))
    chosen = select_runs(6, (), (), CpuSpeed(), CoreUse.SHARED)
    assert chosen.at_full_speed is False
    times = [estimate([each], chosen, NO_COST).time_ns for each in found]
    # The quickest of 2 runs that were not held up, interpolated towards the next.
    assert times == pytest.approx(quiet, rel=0.06)
    for runs, cores in ((6, CoreUse.ALL), (1, CoreUse.SHARED)):
        assert select_runs(runs, (), (), CpuSpeed(), cores).at_full_speed is None


def test_two_threads_that_take_turns_on_one_core_are_not_at_full_cpu_speed():
    """They use as much CPU time as one thread that has a core: only others' load tells."""
    runs, wall = 40, [1_000_000] * 40
    pace = CpuSpeed((1000,) * (runs + 1), tuple(range(runs + 1)))
    assert select_runs(runs, wall, wall, pace, CoreUse.ALL).at_full_speed
    assert select_runs(runs, wall, wall, pace, CoreUse.SHARED).at_full_speed is False


def test_a_clean_pass_with_less_of_the_cpu_does_not_make_layers_longer():
    kernels = [kernel(node, run, 500) for run in range(40) for node in range(2)]
    found = kernel_usages(kernels, [each.number for each in kernels], 0, 40)
    chosen = SelectedRuns(40, tuple(range(40)), False)
    cost = calibrated(NO_COST, found, chosen, (1_000_000, 1_000_000), 2_000_000)
    assert cost.slowdown == 1.0


def test_predictions_at_full_cpu_speed_are_used_where_enough_were():
    runs = 40
    wall = [1_000_000] * runs
    probes = tuple(1000 if place < 30 else 5000 for place in range(runs + 1))
    pace = CpuSpeed(probes, tuple(range(runs + 1)))
    chosen = select_runs(runs, wall, wall, pace, CoreUse.ONE)
    assert chosen.at_full_speed
    assert chosen.used == tuple(range(29))


def test_a_median_of_whole_microseconds_is_told_within_its_microsecond():
    rng = np.random.default_rng(0)
    for true in (1400, 2300, 3650):
        times = rng.normal(true, 300, 4000)
        truncated = (times // 1000 * 1000).astype(np.int64)
        assert grouped_median(truncated) + 500 == pytest.approx(true, abs=150)
    assert grouped_median(np.array([1000, 9000])) == 5000


def test_the_profiler_costs_at_most_what_the_shortest_kernel_takes():
    found = kernel_usages([kernel(0, run, 5) for run in range(40)], [0] * 40, 0, 40)
    cost = calibrated(ProfilerCost(9000, 0), found, SelectedRuns(40, tuple(range(40)), True))
    assert cost.inside_ns == 5500, "between the 5th and the 6th tick of its clock"


def test_layers_never_take_more_than_a_prediction_without_the_profiler():
    """A model of 22 µs must not show layers that sum to 53 µs."""
    kernels = [kernel(node, run, 5 + node % 2) for run in range(40) for node in range(10)]
    found = kernel_usages(kernels, [each.number for each in kernels], 0, 40)
    chosen = SelectedRuns(40, tuple(range(40)), True)
    cost = calibrated(ProfilerCost(1000, 4000), found, chosen, (22_000, 14_000), 22_000)
    whole = sum(estimate([each], chosen, cost).time_ns for each in found)
    assert whole <= 14_100
    slow = calibrated(ProfilerCost(1000, 4000), found, chosen, (44_000, 28_000), 22_000)
    assert slow.slowdown == 2
    assert sum(estimate([each], chosen, slow).time_ns for each in found) <= 14_100


def test_waiting_for_a_core_after_profiling_does_not_shrink_layer_times():
    kernels = [kernel(node, run, 270) for run in range(40) for node in range(10)]
    found = kernel_usages(kernels, [each.number for each in kernels], 0, 40)
    chosen = SelectedRuns(40, tuple(range(40)), False)
    waited = (11_000_000, 10_990_000)
    cost = calibrated(ProfilerCost(3000, 4000), found, chosen, waited, 3_000_000)
    assert (cost.slowdown, cost.excess) == (1.0, 1.0)


def test_the_spread_tells_range_interval_and_noise():
    kernels = [kernel(0, run, 100 if run < 18 else 700) for run in range(20)]
    (usage,) = kernel_usages(kernels, [0] * 20, 0, 20)
    found = estimate([usage], SelectedRuns(20, tuple(range(20)), True), NO_COST)
    assert found.time_ns == pytest.approx(100_500, abs=600)
    assert (found.spread.min_ns, found.spread.max_ns) == (100_500, 700_500)
    assert (found.spread.slow_runs, found.spread.noisy) == (2, True)
    low, high = found.spread.low_ns, found.spread.high_ns
    assert high is not None
    assert low <= found.time_ns <= high


def in_sessions(
    first_us: int, other_us: int, cost: ProfilerCost = NO_COST
) -> tuple[TimeSpread, int]:
    """Spread and time of a kernel that takes so long in the first and the second session."""
    random = np.random.default_rng(5)
    times = [first_us] * 40 + [other_us] * 40
    kernels = [
        kernel(0, run, int(us * random.uniform(0.97, 1.03))) for run, us in enumerate(times)
    ]
    (usage,) = kernel_usages(kernels, [0] * 80, 0, 80)
    found = estimate([usage], SelectedRuns(80, tuple(range(80)), True, (40, 40)), cost)
    return found.spread, found.time_ns


def test_a_kernel_that_differs_between_sessions_is_told_with_both_times():
    spread, _ = in_sessions(48, 190)
    assert spread.session_low_ns == pytest.approx(48_000, rel=0.05)
    assert spread.session_high_ns == pytest.approx(190_000, rel=0.05)
    assert spread.noisy
    same, _ = in_sessions(100, 120)
    assert not same.differs
    tick, _ = in_sessions(1, 2)
    assert not tick.differs
    assert not same.noisy
    below_zero, _ = in_sessions(1, 5, ProfilerCost(6000, 0))  # saved reports refuse such times
    assert (below_zero.session_low_ns, below_zero.session_high_ns) == (None, None)


def test_profiling_goes_on_until_the_layers_that_matter_are_known():
    random = np.random.default_rng(2)

    def known(scatter: float, runs: int) -> bool:
        kernels = [
            kernel(0, run, int(400 * random.lognormal(0, scatter))) for run in range(runs)
        ]
        found = kernel_usages(kernels, [0] * runs, 0, runs)
        return precise(found, SelectedRuns(runs, tuple(range(runs)), True), 0.1)

    assert known(0.05, 20)
    assert not known(0.6, 20)
    assert known(0.6, 2000)
    assert not known(0.05, 5)  # too few for an interval


def test_an_interval_of_whole_microseconds_is_as_wide_as_the_clock_at_least():
    kernels = [kernel(0, run, 6) for run in range(40)]
    (found,) = kernel_usages(kernels, [0] * 40, 0, 40)
    chosen = select_runs(40, (), (), CpuSpeed(), CoreUse.ALL)
    spread = estimate([found], chosen, NO_COST).spread
    assert (spread.low_ns, spread.high_ns) == (6000, 7000)
