"""In which order of axes tensors are compared whose values differ."""

import numpy as np

from inspector.comparison.tensor_pairs.pairs import paired
from inspector.comparison.tensor_pairs.sides import Side, Tensor


def test_an_order_with_the_same_lengths_comes_before_one_that_others_have():
    random = np.random.default_rng(1)
    same = {name: random.standard_normal((1, 3, 5, 2)) for name in "abc"}
    own = {**same, "wrong": random.standard_normal((1, 4, 6, 2))}
    other = {**same, "wrong": random.standard_normal((1, 6, 4, 2))}
    sides = [
        Side({n: Tensor(n, (array,)) for n, array in each.items()}) for each in (own, other)
    ]
    pairs = {pair.own: pair for pair in paired(sides[0], sides[1], {}).pairs}
    assert pairs["a"].axes == (0, 1, 2, 3)
    assert pairs["wrong"].other == "wrong"
    assert pairs["wrong"].axes == (0, 2, 1, 3)
