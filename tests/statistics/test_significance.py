import numpy as np
import pytest

from inspector.statistics.cpu_speed import CountedPredictions
from inspector.statistics.significance import (
    RatioVerdict,
    Verdict,
    compare_counted,
    compare_samples,
    verdict_for_interval,
)

pytestmark = pytest.mark.simulation


def samples(count: int, median_ns: float, seed: int, alike: float = 0.0) -> list[int]:
    """Predictions with 4% of noise; `alike` is how much each resembles the one before."""
    random = np.random.default_rng(seed)
    noise = np.zeros(count)
    noise[0] = random.normal()
    for i in range(1, count):
        noise[i] = alike * noise[i - 1] + random.normal() * (1 - alike**2) ** 0.5
    return [int(value) for value in median_ns * np.exp(0.04 * noise)]


def alone(first: list[int], other: list[int]) -> RatioVerdict:
    """Judge samples of one process, that differ by nothing but their noise."""
    return compare_samples(first, other, start_spread=0)


def found(slower: float, alike: float = 0.0, pairs: int = 150) -> float:
    """Share of pairs of thirty samples in which a difference is seen."""
    verdicts = [
        alone(
            samples(30, 2e6, seed, alike), samples(30, 2e6 * slower, 900 + seed, alike)
        ).verdict
        for seed in range(pairs)
    ]
    return sum(verdict is not Verdict.SAME for verdict in verdicts) / pairs


def test_two_identical_measurements_are_told_apart_in_at_most_one_of_twenty():
    assert found(slower=1.0) <= 0.05


def test_drift_of_the_machine_is_hardly_ever_taken_for_a_difference():
    assert found(slower=1.0, alike=0.6) <= 0.1


def test_five_percent_are_found():
    assert found(slower=1.05) >= 0.9


def test_faster_and_slower_are_not_confused():
    slow, fast = samples(30, 2.4e6, 1), samples(30, 2e6, 2)
    assert compare_samples(fast, slow).verdict is Verdict.SLOWER
    assert compare_samples(slow, fast).verdict is Verdict.FASTER


def test_the_interval_holds_the_ratio_and_the_truth():
    judgement = alone(samples(200, 2e6, 1), samples(200, 2.2e6, 2))
    assert width(judgement) < 0.05
    assert judgement.high is not None
    assert judgement.low < judgement.ratio < judgement.high
    assert judgement.low < 1.1 < judgement.high


def test_a_certain_difference_under_one_percent_does_not_matter():
    first = [1_000_000 + i for i in range(50)]
    assert alone(first, [int(1.005 * s) for s in first]).verdict is Verdict.SAME
    assert alone(first, [int(1.02 * s) for s in first]).verdict is Verdict.SLOWER


@pytest.mark.parametrize("count", [0, 1, 5])
def test_few_samples_decide_nothing(count):
    judgement = compare_samples([1_000] * count, [9_000] * 50)
    assert judgement.verdict is Verdict.UNDECIDED
    assert judgement.low is None


def test_samples_without_any_spread_and_of_zero_length_are_no_trouble():
    assert compare_samples([5] * 20, [5] * 20).verdict is Verdict.SAME
    assert compare_samples([0] * 20, [0] * 20).verdict is Verdict.SAME
    assert compare_samples([5] * 20, [50] * 20).ratio == 10


def test_each_side_has_its_own_starts():
    """Four starts that differ on one side, five that agree on the other."""
    wild = [int(2e6 * level) + place for level in (1, 1.3, 0.8, 1.1) for place in range(10)]
    calm = [int(2e6) + place for _ in range(5) for place in range(10)]
    sides = tuple(
        CountedPredictions(None, True, np.arange(len(each)), tuple(each), tuple(each),
                           (10,) * (len(each) // 10), len(each) // 10)
        for each in (wild, calm)
    )  # fmt: skip
    found = compare_counted((sides[0], sides[1]))
    expected = compare_samples(wild, calm, lengths=([10] * 4, [10] * 5))
    assert found == expected
    assert width(found) > 0.3
    back = compare_counted((sides[1], sides[0]))
    assert back == compare_samples(calm, wild, lengths=([10] * 5, [10] * 4))


def test_the_bound_of_no_change_is_what_the_interval_leaves_open():
    for low, high, text in (
        (0.97, 1.06, "no change beyond 6%"),
        (0.95, 1.01, "no change beyond 6%"),  # 1 / 0.95 is 5.3% more
        (0.999, 1.001, "no change beyond 1%"),
    ):
        judgement = verdict_for_interval(1.0, low, high)
        assert judgement.verdict is Verdict.SAME
        assert judgement.label == text
        assert judgement.text().startswith(f"{text} (95% CI ")
    assert verdict_for_interval(1.0, 0.9, 1.16).label == "inconclusive: too noisy"
    assert verdict_for_interval(1.0, 0.86, 1.0).label == "inconclusive: too noisy"
    assert verdict_for_interval(1.005, 1.001, 1.009).label == "no change beyond 1%"
    assert verdict_for_interval(1.02, 1.001, 1.04).verdict is Verdict.SLOWER
    assert verdict_for_interval(1.0, None, None).bound is None
    assert RatioVerdict(Verdict.NOISY, 1.0, 0.9, None).bound is None
    assert RatioVerdict(Verdict.NOISY, 1.0, None, 1.1).bound is None
    assert RatioVerdict(Verdict.NOISY, 1.0, 0.0, 1.1).bound is None
    assert verdict_for_interval(0.5, 0.0, 1.2).verdict is Verdict.NOISY


def test_a_reason_is_said_where_it_is_asked_for():
    judgement = RatioVerdict(Verdict.CONTRADICTED, 0.1, 0.09, 0.11, "CPU time says 2.3")
    assert judgement.text().endswith("; CPU time says 2.3")
    assert judgement.text(explained=False) == (
        "inconclusive: estimates contradict each other (95% CI −91.0% to −89.0%)"
    )
    assert not judgement.decided


def width(judgement: RatioVerdict) -> float:
    return judgement.high - judgement.low


def test_many_samples_take_no_more_memory_and_a_narrower_interval():
    few = alone(samples(500, 2e6, 1), samples(500, 2e6, 2))
    many = alone(samples(20_000, 2e6, 1), samples(20_000, 2e6, 2))
    assert width(many) < 0.4 * width(few)
