"""Bounds of the findings on an output, and the part that they name."""

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.analysis.verdicts import output_findings
from inspector.analysis.verdicts.output_findings import Judged, channel_axis, judged
from inspector.model.tensors import paired_sums
from inspector.model.tensors.paired_sums import PairedSums
from inspector.report.output_verdict import CONSTANT, ERROR, FROZEN, RESPONSE, SATURATED, SHIFT

Array = NDArray[np.float64]
INPUTS = 40


def normal(*shape: int, inputs: int = INPUTS, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=(inputs, *shape))


def sums_of(one: Array, two: Array) -> PairedSums:
    sums = PairedSums()
    for a, b in zip(one, two, strict=True):
        sums.add(a, b)
    return sums


def result(one: Array, two: Array) -> Judged:
    return judged("y", sums_of(one, two))


@pytest.mark.parametrize(("noise", "load"), [(0.05, 0.5), (0.09, 0.9), (0.2, 2), (0.5, 5)])
def test_an_error_is_held_against_the_channel_s_own_spread(noise, load):
    one = normal(1, 3, 500) * np.array([100, 1, 0.01]).reshape(1, 1, 3, 1)
    two = one.copy()
    two[:, :, 2] += 0.01 * noise * normal(1, 500, seed=1)
    found = result(one, two)
    assert found.load == pytest.approx(load, rel=0.03)
    assert [f.kind for f in found.findings] == ([ERROR] if noise > 0.1 else [])
    assert (found.worst.axis, found.worst.first, found.worst.last) == (1, 2, 2)
    assert found.worst.error == pytest.approx(noise, rel=0.03)
    if noise > 0.1:
        assert found.findings[0].error == pytest.approx(noise, rel=0.03)
        assert (found.findings[0].count, found.findings[0].of) == (1, 3)


def test_few_values_leave_open_what_many_decide():
    random = np.random.default_rng(3)
    one = random.normal(size=(8, 1, 20))
    two = one.copy()
    two[:, 0, 7] *= 1.25
    found = result(one, two)
    assert not found.findings
    assert found.close
    one = random.normal(size=(800, 1, 20))
    two = one.copy()
    two[:, 0, 7] *= 1.25
    (finding,) = result(one, two).findings
    assert (finding.axis, finding.first) == (1, 7)


@pytest.mark.parametrize(("noise", "bad"), [(0.06, False), (0.2, True)])
def test_channels_of_one_unit_with_few_values_are_enough_together(noise, bad):
    random = np.random.default_rng(3)
    one = random.normal(size=(8, 1, 300))
    found = result(one, one + noise * random.normal(size=one.shape))
    assert bool(found.findings) == bad
    assert bad or not found.close
    if not bad:
        return
    random = np.random.default_rng(4)
    one = random.normal(size=(8, 1, 300))
    (finding,) = result(one, one + 0.13 * random.normal(size=one.shape)).findings
    assert (finding.axis, finding.count) == (None, 0)
    assert finding.error == pytest.approx(0.13, rel=0.05)


@pytest.mark.parametrize(("moved", "kind"), [(0.1, ""), (0.25, SHIFT), (4.0, SHIFT)])
def test_a_shift_is_held_against_what_inputs_change(moved, kind):
    # Positions of a grid differ by far more than inputs change.
    grid = np.linspace(0, 600, 400).reshape(1, 1, 1, 400)
    one = grid + np.concatenate([normal(1, 1, 400), 30 * normal(1, 1, 400, seed=2)], 2)
    two = one.copy()
    two[:, :, 0] += moved
    kinds = [f.kind for f in result(one, two).findings]
    assert kinds == ([kind] if kind else [])


def test_noise_larger_than_what_inputs_change_is_a_finding():
    grid = np.linspace(0, 600, 400).reshape(1, 1, 1, 400)
    one = grid + np.concatenate([normal(1, 1, 400), 300 * normal(1, 1, 400, seed=2)], 2)
    two = one.copy()
    two[:, :, 0] += 0.6 * normal(1, 400, seed=5)
    (finding,) = result(one, two).findings
    assert (finding.kind, finding.first, finding.last) == (RESPONSE, 0, 0)
    assert finding.error == pytest.approx(0.6, rel=0.05)


def test_a_channel_may_vary_over_positions_and_yet_not_with_the_input():
    one = normal(1, 3, 100)
    two = one.copy()
    two[:, :, 1] = one[0, :, 1]
    (finding,) = result(one, two).findings
    assert (finding.kind, finding.axis, finding.first) == (FROZEN, 1, 1)
    two[:, :, 1] = 0.5
    (finding,) = result(one, two).findings
    assert finding.kind == CONSTANT


def test_values_that_pile_up_at_one_end_are_cut_off():
    one = normal(1, 2, 200)
    for bounds in ((-9, 0.3), (-0.3, 9)):
        (finding,) = result(one, np.clip(one, *bounds)).findings
        assert finding.kind == SATURATED
        assert (finding.first, finding.last, finding.count) == (0, 1, 2)


@pytest.mark.parametrize(
    ("shape", "scales", "axis"),
    [
        ((1, 5, 40), (1, 5, 1), 1),
        ((1, 40, 5), (1, 1, 5), 2),
        ((1, 12, 5), (1, 12, 1), 1),
        ((1, 8), (1, 8), 1),
        ((6,), (6,), 0),
        ((1, 3, 10, 10), None, 1),
        ((1, 1, 10, 10), None, None),
        ((1, 10, 10, 1), None, None),
        ((1, 2000), None, None),
    ],
)
def test_channels_lie_along_the_axis_whose_parts_differ_most(shape, scales, axis):
    values = normal(*shape)
    if scales is not None:
        values = values * 10.0 ** np.arange(np.prod(scales)).reshape(scales)
    assert channel_axis(sums_of(values, values)) == (axis, 0)


@pytest.mark.parametrize(("largest", "axis"), [(3.9, 2), (4.5, 1)])
def test_spreads_that_are_four_times_apart_are_those_of_other_units(largest, axis):
    signs = np.where(np.arange(INPUTS) % 2, 1.0, -1.0).reshape(-1, 1, 1, 1)
    values = signs * np.linspace(1, largest, 12).reshape(1, 1, 12, 1) * np.ones(5)
    assert channel_axis(sums_of(values, values)) == (axis, 0)


@pytest.mark.parametrize("last", [True, False])
def test_channels_of_a_flat_output_are_known_by_their_spreads(last):
    table = normal(7, 60) * np.array([300, 300, 60, 60, 1, 1, 1]).reshape(1, 7, 1)
    if last:
        table = table.transpose(0, 2, 1)
    flat = table.reshape(INPUTS, 1, -1)
    axis, period = channel_axis(sums_of(flat, flat))
    assert (axis, period) == ((2, 7) if last else (1, -7))
    two = flat.copy().reshape(table.shape)
    two[(slice(None), slice(None), 5) if last else (slice(None), 5)] = 0
    (finding,) = result(flat, two.reshape(flat.shape)).findings
    assert (finding.first, finding.last, finding.period) == (5, 5, period)


def test_one_element_is_named_by_its_position():
    one = normal(1, 3, 400) * np.array([100, 1, 10]).reshape(1, 1, 3, 1)
    two = one.copy()
    two[:, 0, 1, 33] = 0.3
    (finding,) = result(one, two).findings
    assert (finding.kind, finding.axis, finding.first, finding.last) == (FROZEN, 2, 33, 33)


@pytest.mark.parametrize(
    ("cells", "runs", "last", "count"),
    [(None, [(10, 14), (60, 62)], 13, 6), (3 * 300, [(30, 36)], 33, None)],
    ids=["the number of all", "neighbors that are one cell"],
)
def test_a_run_of_positions_is_one_finding(monkeypatch, cells, runs, last, count):
    if cells:
        monkeypatch.setattr(paired_sums, "MOST_CELLS", cells)
    one = normal(1, 3, 900)
    two = one.copy()
    for start, end in runs:
        two[..., start:end] = 0
    (finding,) = result(one, two).findings
    assert (finding.axis, finding.first, finding.last) == (2, runs[0][0], last)
    assert count is None or (finding.count, finding.of) == (count, 900)


def test_a_class_that_no_longer_fires_is_cut_off_if_it_ever_fired():
    boxes = 600 * normal(1, 4, 100)
    random = np.random.default_rng(6)
    scores = random.uniform(0, 0.04, (INPUTS, 1, 3, 100))
    for channel, highest in enumerate((0.9, 0.3, 0.2)):
        scores[:, 0, channel, ::20] = highest * random.uniform(0.8, 1, (INPUTS, 5))
    fallen = scores.copy()
    fallen[:, :, 1:] *= 0.08
    one, two = (np.concatenate([boxes, each], 2) for each in (scores, fallen))
    kinds = {each.kind: (each.first, each.last) for each in result(one, two).findings}
    assert kinds[SATURATED] == (5, 5)
    assert (6, 6) in kinds.values()


def test_a_corner_where_nothing_happens_has_no_spread_to_speak_of():
    one = normal(1, 4, 60)
    one[..., 5] *= 1e-3
    two = one + 0.03 * normal(1, 4, 60, seed=4)
    assert not result(one, two).findings


def test_what_the_original_does_not_repeat_is_taken_off():
    one = normal(1, 4, 200)
    again, two = (one + 0.15 * normal(1, 4, 200, seed=seed) for seed in (5, 6))
    assert result(one, two).findings
    found = judged("y", sums_of(one, two), sums_of(one, again))
    assert not found.findings
    assert found.noisy
    assert found.repeats == pytest.approx(0.15, rel=0.05)
    quiet = judged("y", sums_of(one, one), sums_of(one, one))
    assert (quiet.repeats, quiet.noisy) == (0.0, False)


def test_scores_that_never_rise_say_nothing():
    boxes = 600 * normal(1, 4, 100)
    scores = 0.01 * np.abs(np.tanh(normal(1, 3, 100)))
    one = np.concatenate([boxes, scores], 2)
    two = one.copy()
    two[:, :, 4:] = 0
    assert result(one, two).unseen
    scores[:, 0, :, 7] = 0.9
    one = np.concatenate([boxes, scores], 2)
    assert not result(one, one).unseen


def test_bounds_are_in_the_order_of_what_they_allow():
    assert output_findings.SAME_ERROR < output_findings.MAX_ERROR
    assert output_findings.MAX_ERROR < output_findings.MAX_AT_POSITION
    assert output_findings.MAX_SHIFT < output_findings.MAX_RESPONSE


@pytest.mark.parametrize(
    ("dead", "first", "last", "count"),
    [([*range(5), 8, 9], 0, 4, 7), ([3, 5], 3, 3, 2)],  # two with a good one between are apart
)
def test_the_longest_run_of_dead_channels_is_named(dead, first, last, count):
    one = normal(1, 12, 50)
    two = one.copy()
    two[:, :, dead] = 0.3
    (finding,) = result(one, two).findings
    assert (finding.first, finding.last, finding.count, finding.of) == (first, last, count, 12)


def test_a_channel_a_little_beyond_its_bound_is_open_with_few_values():
    random = np.random.default_rng(3)
    scales = np.array([1000.0, 1, 1, 1]).reshape(1, 1, 4)
    one = random.normal(size=(10, 1, 4)) * scales
    two = one.copy()
    two[..., 2] += 0.15 * one[..., 2].std() * random.choice([-1, 1], (10, 1))
    found = result(one, two)
    assert 1 < found.load < 2
    assert not found.findings
    assert found.close


def test_a_finding_on_a_whole_output_has_no_part():
    one = normal(1, 2000)
    (finding,) = result(one, one + 0.3 * normal(1, 2000, seed=1)).findings
    assert (finding.axis, finding.first, finding.last) == (None, 0, 0)
