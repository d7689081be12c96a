"""Sums of two outputs over inputs give the numbers that numpy gives of all values at once."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.model.tensors import paired_sums
from inspector.model.tensors.paired_sums import PairedSums

Array = NDArray[np.float64]


def pairs(shape: tuple[int, ...], inputs: int = 7, seed: int = 0) -> list[tuple[Array, Array]]:
    random = np.random.default_rng(seed)
    scale = 10.0 ** random.integers(-2, 4, shape[1:2] or 1)
    scale = scale.reshape([-1 if axis == 1 else 1 for axis in range(len(shape))])
    made = []
    for _ in range(inputs):
        one = (5 + random.normal(size=shape)) * scale
        made.append((one, 1.02 * one + 0.1 * scale + 0.05 * scale * random.normal(size=shape)))
    return made


def summed(values: Sequence[tuple[Array, Array]]) -> PairedSums:
    sums = PairedSums()
    for one, two in values:
        sums.add(one, two)
    return sums


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((1, 4, 6), (1,)), ((1, 4, 6), (2,)), ((1, 4, 6), ()), ((2, 3), (1,)), ((2, 3), (0,)),
        ((5,), (0,)), ((1, 3, 4, 5), (1, 3)),
    ],
)  # fmt: skip
def test_parts_are_what_numpy_says(shape, axes):
    values = pairs(shape)
    parts = summed(values).parts(*axes)
    one, two = (np.stack([pair[side] for pair in values]) for side in (0, 1))
    others = tuple(a + 1 for a in range(len(shape)) if a not in axes)
    over, error = (0, *others), two - one
    assert np.allclose(parts.count, np.sum(np.ones_like(one), axis=over))
    assert np.allclose(parts.mean, one.mean(over))
    assert np.allclose(parts.spread, one.std(over))
    assert np.allclose(parts.other_spread, two.std(over))
    assert np.allclose(parts.error, np.sqrt((error**2).mean(over)))
    assert np.allclose(parts.shift, error.mean(over))
    assert np.allclose(parts.largest, np.abs(error).max(over))
    assert np.allclose(parts.high, one.max(over))
    assert np.allclose(parts.low, one.min(over))
    assert np.allclose(parts.other_high, two.max(over))
    assert np.allclose(parts.other_low, two.min(over))
    # Variance over inputs at the same position, without bias, averaged over positions.
    assert np.allclose(parts.within, np.sqrt(one.var(0, ddof=1).mean(_shifted(others))))
    assert np.allclose(parts.other_within, np.sqrt(two.var(0, ddof=1).mean(_shifted(others))))
    positions = np.prod([shape[a - 1] for a in others]) if others else 1
    assert np.allclose(parts.freedom, 7 * min(positions, 16) - 1)


def _shifted(others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axis - 1 for axis in others)


def test_what_a_shift_and_a_factor_explain_is_known():
    random = np.random.default_rng(1)
    one = [random.normal(size=(1, 2000)) for _ in range(6)]
    noise = [random.normal(size=(1, 2000)) for _ in range(6)]
    exact = summed([(a, 1.1 * a + 0.2) for a in one]).parts()
    assert float(exact.systematic) == pytest.approx(float(exact.error), rel=1e-6)
    assert float(exact.systematic) == pytest.approx(np.hypot(0.1, 0.2), rel=0.05)
    none = summed([(a, a + 0.3 * b) for a, b in zip(one, noise, strict=True)]).parts()
    assert float(none.systematic) < 0.02
    assert float(none.error) == pytest.approx(0.3, rel=0.05)


def test_small_spreads_around_large_means_keep_their_digits():
    random = np.random.default_rng(1)
    values = [1e7 + random.normal(size=(1, 50)) for _ in range(9)]
    sums = summed([(a, a + 0.1) for a in values])
    assert float(sums.parts().spread) == pytest.approx(np.std(values), rel=1e-6)


def test_values_that_are_not_finite_on_either_side_are_left_out():
    one, two = np.arange(6.0)[None], np.arange(6.0)[None] + 1
    one[0, 2], two[0, 3], two[0, 4] = np.nan, np.inf, -3e38
    sums = summed([(one, two)] * 3)
    assert sums.parts(1).count.tolist() == [3, 3, 0, 0, 0, 3]
    assert float(sums.parts().count) == 9
    assert float(sums.parts().error) == pytest.approx(1.0)
    assert float(sums.parts().mean) == pytest.approx((0 + 1 + 5) / 3)


def test_a_value_that_is_missing_once_counts_where_it_is_known():
    values = pairs((1, 4, 5))
    values[2][0][0, 1, 3] = np.nan
    values[5][1][0, 1, 3] = np.inf
    one, two = (np.stack([pair[side] for pair in values])[:, 0, 1] for side in (0, 1))
    known = np.isfinite(one) & np.isfinite(two)
    parts = summed(values).parts(1)
    error = (two - one)[known]
    assert parts.count[1] == known.sum() == 33
    assert parts.mean[1] == pytest.approx(one[known].mean())
    assert parts.spread[1] == pytest.approx(one[known].std())
    assert parts.error[1] == pytest.approx(np.sqrt((error**2).mean()))
    assert parts.shift[1] == pytest.approx(error.mean())
    assert parts.high[1] == one[known].max()
    assert parts.other_low[1] == two[known].min()


def test_longer_inputs_add_positions():
    random = np.random.default_rng(1)
    lengths = [3, 6, 4]
    values = [random.normal(size=(1, length, 2)) for length in lengths]
    sums = summed([(a, a) for a in values])
    assert sums.lengths == (1, 6, 2)
    assert sums.varied == {1}
    assert sums.parts(1).count.tolist() == [6, 6, 6, 4, 2, 2]
    flat = np.concatenate([a.reshape(-1, 2) for a in values])
    assert np.allclose(sums.parts(2).spread, flat.std(0))


def test_extremes_are_counted_where_values_are_cut_off():
    random = np.random.default_rng(1)
    values = [random.normal(size=(1, 3, 40)) for _ in range(5)]
    cut = [(a, np.clip(a, -1, 0.5)) for a in values]
    parts = summed(cut).parts(1)
    both = np.stack([two for _, two in cut])
    assert parts.at_high.tolist() == (both == 0.5).sum((0, 1, 3)).tolist()
    assert parts.at_low.tolist() == (both == -1).sum((0, 1, 3)).tolist()
    same = summed([(a, a) for a in values]).parts(1)
    assert same.at_high.tolist() == [1, 1, 1]


def test_neighbors_of_a_large_output_share_a_cell(monkeypatch):
    values = pairs((1, 3, 50))
    exact = summed(values)
    monkeypatch.setattr(paired_sums, "MOST_CELLS", 40)
    coarse = summed(values)
    assert coarse.steps == (1, 1, 4)
    for axes in ((), (1,)):
        one, two = exact.parts(*axes), coarse.parts(*axes)
        for name in ("count", "mean", "spread", "error", "shift", "largest", "high", "low",
                     "other_high", "other_low", "other_spread", "systematic"):  # fmt: skip
            assert np.allclose(getattr(one, name), getattr(two, name)), name
        # Of every fourth position, and not between neighbors.
        assert np.allclose(one.within, two.within, rtol=0.3)
    error = coarse.parts(2).error
    one, two = (np.stack([pair[side] for pair in values]) for side in (0, 1))
    blocks = [(two - one)[..., n : n + 4] for n in range(0, 50, 4)]
    assert np.allclose(error, [np.sqrt((block**2).mean()) for block in blocks])


def test_other_units_and_a_flat_output_that_repeats():
    values = pairs((1, 4, 6))
    sums = summed(values)
    parts = sums.parts(1)
    plain = sums.normalized(1, parts.mean, parts.spread).parts(1)
    assert np.allclose(plain.spread, 1)
    assert np.allclose(plain.mean, 0, atol=1e-9)
    assert np.allclose(plain.error, parts.error / parts.spread)
    assert np.allclose(plain.within, parts.within / parts.spread)
    assert np.allclose(plain.largest, parts.largest / parts.spread)
    assert np.allclose(plain.high, (parts.high - parts.mean) / parts.spread)
    assert np.allclose(plain.count, parts.count)
    flat = summed([(a.reshape(1, -1), b.reshape(1, -1)) for a, b in values])
    assert np.allclose(flat.folded(-4).parts(1).spread, parts.spread)
    last = summed([(a[0].T.reshape(1, -1), b[0].T.reshape(1, -1)) for a, b in values])
    assert np.allclose(last.folded(4).parts(2).error, parts.error)


@pytest.mark.parametrize(("spread", "varies"), [(1e-3, True), (1e-7, False)])
def test_rounding_is_no_variation(spread, varies):
    random = np.random.default_rng(1)
    made = [1 + spread * random.normal(size=(1, 100)) for _ in range(5)]
    sums = PairedSums()
    for array in made:
        sums.add(array.astype(np.float32), array.astype(np.float32))
    assert bool(sums.varies(sums.parts())) == varies


def test_one_input_says_nothing_of_what_inputs_change():
    sums = summed(pairs((1, 4, 6), inputs=1))
    assert np.isnan(sums.parts(1).within).all()
    assert PairedSums().inputs == 0


def test_a_cell_is_an_element_up_to_2_18_of_them():
    most = np.zeros((1, 2**18), np.float32)
    assert summed([(most, most)]).steps == (1, 1)
    more = np.zeros((1, 2**18 + 1), np.float32)
    assert summed([(more, more)]).steps == (1, 2)


@pytest.mark.parametrize("cells", [80, 40])
def test_what_inputs_change_is_seen_at_the_first_position_of_each_cell(monkeypatch, cells):
    monkeypatch.setattr(paired_sums, "MOST_CELLS", cells)
    values = pairs((1, 3, 50))
    sums = summed(values)
    one, two = (np.stack([pair[side] for pair in values]) for side in (0, 1))
    inner = slice(None, None, sums.steps[2])
    assert sums.steps[2] == {80: 2, 40: 4}[cells]
    parts = sums.parts(1)
    for within, side in ((parts.within, one), (parts.other_within, two)):
        assert np.allclose(within, np.sqrt(side[..., inner].var(0, ddof=1).mean((0, 2))))
    assert np.allclose(parts.mean, one.mean((0, 1, 3)))


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_digits_are_those_of_the_type_and_of_float32_for_wider_ones(kind):
    array = np.ones((1, 4), kind)
    expected = np.finfo("float16" if kind == "float16" else "float32").eps
    assert summed([(array, array)]).digits == expected


def test_what_varies_is_more_than_16_last_digits_of_the_largest_value():
    eps = float(np.finfo(np.float32).eps)
    for peak in (1.0, 1000.0):
        for steps, varies in ((16.5, True), (15.5, False)):
            around = peak * (1 - steps * eps)  # so that the spread is `steps` of the peak
            wave = np.where(np.arange(100) % 2, around + steps * eps * peak,
                            around - steps * eps * peak)[None]  # fmt: skip
            sums = summed([(wave, wave)])
            assert bool(sums.varies(sums.parts())) == varies
    zeros = np.zeros((1, 9))
    sums = summed([(zeros, zeros)])
    assert not sums.varies(sums.parts())


def test_one_value_is_its_own_mean_and_error():
    scalar = summed([(np.array(3.0), np.array(3.5))])
    assert scalar.lengths == (1,)
    for sums in (scalar, summed([(np.full((1, 1), 3.0), np.full((1, 1), 3.5))])):
        parts = sums.parts()
        assert float(parts.mean) == 3.0
        assert float(parts.error) == float(parts.shift) == float(parts.largest) == 0.5
        assert float(parts.freedom) == 1.0
        assert float(parts.spread) == 0.0


def test_two_inputs_are_enough_to_know_what_they_change():
    parts = summed([(np.array([1.0]), np.array([1.0])), (np.array([2.0]), np.array([4.0]))])
    assert float(parts.parts().within) == pytest.approx(np.std([1, 2], ddof=1))
    assert float(parts.parts().other_within) == pytest.approx(np.std([1, 4], ddof=1))


def test_cells_with_few_values_or_none_count_for_no_more_than_they_know():
    missing = np.nan
    rows = ([1.0, missing, missing], [3.0, missing, missing], [8.0, 5.0, missing])
    values = [(np.array([row]), np.array([row]) + 0.5) for row in rows]
    parts = summed(values).parts()
    assert float(parts.count) == 4
    assert float(parts.freedom) == 3 * 2 - 1, "the cell without a value is none"
    assert float(parts.within) == pytest.approx(np.std([1, 3, 8], ddof=1))
    assert float(parts.largest) == 0.5


def test_numbers_that_stand_for_infinity_are_left_out_on_either_side():
    one, two = np.array([[1.0, 1e30, 2.0, 3.0]]), np.array([[1.5, 1.0, -1e30, 3.5]])
    parts = summed([(one, two)]).parts()
    assert float(parts.count) == 2
    assert float(parts.largest) == 0.5
    assert float(parts.other_low) == 1.5


def test_what_noise_explains_of_an_error_is_taken_off():
    random = np.random.default_rng(3)
    one = 1e-3 * random.normal(size=10)
    two = 1.5 * one + 4e-4 + 2e-4 * random.normal(size=10)
    parts = summed([(one[None], two[None])]).parts()
    error, moved = two - one, one - one.mean()
    slope = (moved * error).sum() / (moved**2).sum()
    explained = error.mean() ** 2 + slope**2 * one.var()
    left = (error**2).mean() - explained
    assert float(parts.systematic) == pytest.approx(np.sqrt(explained - 2 * left / 10))


def test_all_values_of_a_constant_are_at_its_ends():
    random = np.random.default_rng(1)
    parts = summed([(random.normal(size=(1, 30)), np.full((1, 30), 0.7))] * 2).parts()
    assert float(parts.at_high) == float(parts.at_low) == 60


def test_other_units_and_folds_keep_all_that_follows_from_them():
    values = pairs((1, 4, 6))
    sums = summed(values)
    parts = sums.parts(1)
    plain = sums.normalized(1, parts.mean, parts.spread).parts(1)
    for name in ("other_spread", "other_within", "systematic", "shift"):
        assert np.allclose(getattr(plain, name), getattr(parts, name) / parts.spread), name
    flat = summed([(a.reshape(1, -1), b.reshape(1, -1)) for a, b in values])
    for period in (4, -4):
        assert flat.folded(period).steps == (1, 1, 1)
        assert flat.folded(period).lengths == ((1, 6, 4) if period > 0 else (1, 4, 6))
