"""The base of rotary positions, recovered from the cosines of position 1."""

import numpy as np
import pytest

from inspector.analysis.language.attention import rope_base


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("base", [10_000, 150_000, 500_000, 1_000_000])
@pytest.mark.parametrize("size", [8, 32, 64])
def test_the_base_is_recovered(base, size, dtype):
    angles = float(base) ** (-np.arange(size) / size)
    assert rope_base(np.cos(angles).astype(dtype).tolist(), dtype) == base


@pytest.mark.parametrize("row", [[], [1.0], [0.5, 0.5], [np.cos(0.25), 0.99], [0.5403, 2.0]])
def test_scaled_or_other_tables_have_none(row):
    assert rope_base(row) is None
