"""Starts that the benchmark of verdicts keeps tell what their reports tell."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.parts.verdict_pairs import at_any_time, until_narrow, verdict
from benchmarks.parts.verdict_samples import Taken, keep, restored, sample
from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed
from inspector.engine.client.process_repetitions import merge_reports
from inspector.statistics.significance import compare_counted
from tests.analysis.verdicts.test_pooled_starts import start

pytestmark = pytest.mark.simulation

SLOWER = 1.05


def test_verdicts_on_what_is_kept_are_those_on_the_reports():
    random = np.random.default_rng(1)
    reports = [start(random) for _ in range(14)]
    pool = [sample(report) for report in reports]
    whole = dict(zip(pool, reports, strict=True))
    pairs = [*at_any_time(pool, pool, 1, 5), *at_any_time(pool, pool, 5, 20)]
    for pair in (*pairs, *until_narrow(pool, 5, 1.0)):
        one, other = (merge_reports([whole[each] for each in some]) for some in pair)
        assert verdict(pair) == compare_counted(at_matched_speed(one, other))
        assert not any(each.report.prediction_ns for some in pair for each in some)


def test_what_is_kept_in_a_file_is_judged_as_before(tmp_path):
    random = np.random.default_rng(2)
    pools = tuple([sample(start(random)) for _ in range(count)] for count in (8, 4))
    keep([Taken("a model", (pools[0], pools[1]), 1.5, 0.3)], tmp_path / "starts.npz")
    (again,) = restored(tmp_path / "starts.npz")
    assert (again.model, again.seconds_each, again.load) == ("a model", 1.5, 0.3)
    for before, after in zip(pools, again.pools, strict=True):
        for old, new in zip(pairwise(before), pairwise(after), strict=True):
            for by in (1.0, SLOWER):
                pair = [[one] for one in old], [[one] for one in new]
                told = [verdict((some[0], some[1]), by) for some in pair]
                assert told[0] == told[1]
            assert new[0].report.layers == old[0].report.layers


@pytest.mark.parametrize("count", [1, 5])
def test_a_slower_side_is_found(count):
    random = np.random.default_rng(3)
    pool = [sample(start(random, at_full=0.95)) for _ in range(12)]
    for pair in at_any_time(pool, pool, count, 5):
        assert verdict(pair, 2.0).ratio == pytest.approx(2 * verdict(pair).ratio, rel=0.01)
