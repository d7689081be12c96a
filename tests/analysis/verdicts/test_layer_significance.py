import numpy as np
import pytest

from inspector.analysis.verdicts.layer_significance import (
    Change,
    LayerTimes,
    _without_common_part,
    classify_changes,
)
from inspector.statistics.significance import RatioVerdict, Verdict

pytestmark = pytest.mark.simulation

LAYERS, RUNS, PAIRS = 40, 10, 60
LIKE = RatioVerdict(Verdict.SAME, 1.0, 0.95, 1.05)
TOLD = (Change.SLOWER, Change.FASTER)


def timed(starts: int, seed: int, slower: float = 1.0, some: int = 0) -> LayerTimes:
    """Layers that scatter as real ones do: all together, in each start, and in each run.

    The first `some` of them are so many times as slow.
    """
    random = np.random.default_rng(seed)
    level = np.exp(np.random.default_rng(1).normal(11, 1, (LAYERS, 1, 1)))
    small = np.where(level < 5e4, 0.12, 0.04)
    logs = 0.15 * random.normal(size=(1, starts, 1)) + small * (
        random.normal(size=(LAYERS, starts, 1)) + random.normal(size=(LAYERS, starts, RUNS))
    )
    times = level * np.exp(logs)
    times[:some] *= slower
    times[random.random(times.shape) < 0.02] += 4e6  # hiccups
    middles = np.median(times, axis=2)
    told = tuple(int(ns) for ns in np.exp(np.log(middles).mean(axis=1)))
    return LayerTimes(told, middles, times[:, 0])


@pytest.mark.parametrize("starts", [1, 2, 3, 4, 5, 8])
def test_equal_reports_have_hardly_ever_a_layer_that_is_told_apart(starts):
    lists = [
        classify_changes(timed(starts, seed), timed(starts, 7000 + seed), LIKE)
        for seed in range(PAIRS)
    ]
    assert sum(any(change in TOLD for change in found) for found in lists) <= 0.05 * PAIRS


def found(starts: int, slower: float) -> float:
    """Share of slower layers that are told, where a tenth of them is."""
    some = LAYERS // 10
    told = 0
    for seed in range(20):
        other = timed(starts, 7000 + seed, slower, some)
        changes = classify_changes(timed(starts, seed), other, LIKE)
        told += changes[:some].count(Change.SLOWER)
    return told / some / 20


def test_several_starts_find_less():
    assert found(5, 1.25) >= 0.6
    assert found(5, 1.25) > found(1, 1.25)
    assert found(1, 2) >= 0.7


def test_a_pass_that_was_slower_as_a_whole_slows_no_layer():
    first, other = timed(5, 1), timed(5, 2, 1.4, LAYERS)
    assert not set(classify_changes(first, other, LIKE)) & set(TOLD)
    assert not set(classify_changes(first, other)) & set(TOLD)


def test_what_clean_predictions_say_of_all_layers_is_believed():
    first, other = timed(5, 1), timed(5, 2, 1.4, LAYERS)
    slower = classify_changes(first, other, RatioVerdict(Verdict.SLOWER, 1.4, 1.38, 1.42))
    assert slower.count(Change.SLOWER) > 0.8 * LAYERS
    faster = classify_changes(other, first, RatioVerdict(Verdict.FASTER, 0.7, 0.69, 0.72))
    assert faster.count(Change.FASTER) > 0.8 * LAYERS
    less = classify_changes(first, other, RatioVerdict(Verdict.FASTER, 0.7, 0.69, 0.72))
    assert not set(less) & set(TOLD)


def test_a_layer_is_told_only_where_its_own_time_says_so_as_well():
    first, other = timed(5, 1), timed(5, 2, 0.5, LAYERS - 4)
    assert Change.SLOWER not in classify_changes(first, other, LIKE)


def test_what_one_side_has_no_time_of_is_not_judged_and_few_runs_decide_nothing():
    whole = timed(1, 1)
    lacking = LayerTimes((None, *whole.time_ns[1:]), whole.starts, whole.runs)
    assert classify_changes(lacking, whole)[0] is Change.NONE
    assert not set(classify_changes(lacking, whole)) & set(TOLD)
    few = LayerTimes(whole.time_ns, whole.starts, whole.runs[:, :4])
    assert set(classify_changes(few, whole)) == {Change.UNDECIDED}
    starts_alone = classify_changes(timed(4, 1), LayerTimes(*_without_runs(timed(4, 2))))
    assert set(starts_alone) == {Change.SAME, Change.NOISY, Change.RESOLUTION}
    assert (
        classify_changes(
            LayerTimes((), np.zeros((0, 1)), np.zeros((0, 9))), LayerTimes((), *_none())
        )
        == []
    )


def _without_runs(known: LayerTimes) -> tuple[tuple[int | None, ...], np.ndarray, np.ndarray]:
    return known.time_ns, known.starts, np.zeros((LAYERS, 0))


def _none() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((0, 1)), np.zeros((0, 9))


def test_less_than_a_microsecond_does_not_matter():
    def tiny(ns: int) -> LayerTimes:
        times = np.full((3, 5), 4e5)
        times[0] = ns
        return LayerTimes((ns, 400_000, 400_000), times, np.repeat(times, 2, axis=1))

    for one, other in ((1000, 1900), (100, 1020), (100, 100), (3900, 4800)):
        assert classify_changes(tiny(one), tiny(other), LIKE)[0] is Change.RESOLUTION
    assert classify_changes(tiny(4000), tiny(4000), LIKE)[0] is Change.SAME
    assert classify_changes(tiny(1000), tiny(2100), LIKE)[0] is Change.SLOWER


def test_a_layer_is_no_difference_only_where_its_whole_interval_is_narrow():
    same = classify_changes(timed(8, 1), timed(8, 2), LIKE)
    assert same.count(Change.SAME) > 0.5 * LAYERS
    first, other = timed(1, 1), timed(1, 2, 93.0, LAYERS)
    for whole in (LIKE, None):
        changes = classify_changes(first, other, whole)
        assert Change.SAME not in changes, "+9,200% is never within noise"
        assert Change.NOISY in changes


def test_what_one_layer_does_alone_is_not_taken_from_the_others():
    drift = np.array([0.0, 0.3, -0.2, 0.1])
    levels = np.array([9.0, 10.0, 11.0, 12.0, 13.0])[:, None]
    alone = np.zeros((5, 4))
    alone[2] = [0.5, -0.5, 0.5, -0.5]  # the layer in the middle
    rest = _without_common_part(levels + drift + alone)
    np.testing.assert_allclose(np.delete(rest, 2, axis=0).std(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(rest[2] - rest[2].mean(), alone[2], atol=1e-12)
