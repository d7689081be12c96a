"""Statistics in one pass, against numpy over the whole."""

from collections import Counter

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from inspector.model.tensors.tensor_statistics import MOST_BINS, Statistics, statistics


def whole(array: NDArray[np.generic], pieces: int = 3) -> Statistics:
    return statistics(np.array_split(array.reshape(-1), pieces))


@pytest.mark.parametrize(
    "kind", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16, np.int64, np.uint8, bool]
)
def test_each_number_is_what_numpy_says(kind):
    random = np.random.default_rng(1)
    array = (random.normal(3, 2, 100_000)).clip(0, 200).astype(kind)
    found, values = whole(array), array.astype(np.float64)
    assert found.elements == 100_000
    assert (found.minimum, found.maximum) == (values.min(), values.max())
    assert found.mean == pytest.approx(values.mean(), rel=1e-12)
    assert found.deviation == pytest.approx(values.std(), rel=1e-9)
    assert found.zeros == np.count_nonzero(values == 0)
    distinct = len(np.unique(array.view(f"u{array.itemsize}")))
    assert found.distinct == (distinct if distinct <= 65_536 else None)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_subnormal_values_are_counted(kind):
    least = float(ml_dtypes.finfo(kind).smallest_normal)
    values = [0, -0.0, least, -least, least / 2, -least / 4, 1, np.inf, np.nan]
    assert whole(np.array(values).astype(kind)).subnormal == 2


def test_nan_and_infinite_stay_out_of_the_rest():
    for kind in (np.float32, np.float16, np.float64):
        array = np.array([np.nan, 1, -np.inf, 3, np.inf, np.nan, np.nan, 0, -0.0], kind)
        found = whole(array)
        assert (found.nan, found.infinite, found.zeros) == (3, 2, 2)
        assert (found.minimum, found.maximum, found.mean) == (0, 3, 1)
        assert sum(found.histogram.counts) == 4
        empty = whole(np.array([np.nan, np.inf], kind), 1)
        assert (empty.minimum, empty.mean, empty.histogram) == (None, None, None)


def test_whole_numbers_beyond_float64_stay_exact():
    found = whole(np.array([2**63 - 1, -(2**63), 5]), 1)
    assert (found.minimum, found.maximum) == (-(2**63), 2**63 - 1)
    assert whole(np.array([2**64 - 1], np.uint64), 1).maximum == 2**64 - 1


def test_few_values_that_differ_are_counted_and_many_are_not():
    palette = np.random.default_rng(2).normal(size=16).astype(np.float32)
    picked = palette[np.random.default_rng(3).integers(0, 16, 200_000)]
    assert whole(picked).distinct == 16
    assert whole(np.arange(65_536, dtype=np.int32)).distinct == 65_536
    assert whole(np.arange(65_537, dtype=np.int32)).distinct is None


def test_complex_numbers_count_by_magnitude():
    found = whole(np.array([3 + 4j, 0], np.complex64), 1)
    assert (found.minimum, found.maximum, found.zeros, found.distinct) == (0, 5, 1, 2)


def test_texts_are_counted():
    found = statistics([np.array([b"a", b"", b"a"], object), np.array([b"b"], object)])
    assert (found.elements, found.zeros, found.distinct, found.mean) == (4, 1, 3, None)


def test_nothing_has_no_statistics():
    assert statistics([]).elements == 0


@given(
    arrays.arrays(np.float32, st.integers(1, 60), elements=st.floats(-1e6, 1e6, width=32)),
    st.integers(1, 5),
)
def test_bins_hold_each_value_where_it_belongs(values, cuts):
    found = statistics(np.array_split(values, cuts)).histogram
    assert len(found.counts) <= MOST_BINS
    assert (found.low / found.width).is_integer()
    places = np.floor(values.astype(np.float64) / found.width) - found.low / found.width
    assert {i: n for i, n in enumerate(found.counts) if n} == Counter(places.tolist())


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20),
    st.integers(1, 5),
)
def test_no_value_is_too_large_or_too_small_for_a_bin(values, cuts):
    found = statistics(np.array_split(np.array(values), cuts))
    assert sum(found.histogram.counts) == len(values)
    assert len(found.histogram.counts) <= MOST_BINS
    assert (found.minimum, found.maximum) == (min(values), max(values))


def test_bins_are_fine_enough_to_show_a_shape():
    found = whole(
        np.random.default_rng(4).normal(size=100_000).astype(np.float32), 20
    ).histogram
    assert len(found.counts) >= 24
    assert found.high >= 4
