"""Scales and offsets by channel that one of two models has in the weights of another layer."""

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from inspector.comparison.folding import is_equal, is_folded
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.model.tensors.difference import Difference, difference
from tests import models

NOISE = np.random.default_rng(2)
WEIGHT = NOISE.standard_normal((8, 4)).astype("f")
SCALE = np.array([0.5, 2, -1, 4], "f")
NONE = np.zeros(4, "f")


def saved(path: Path, nodes: list[tuple[str, str, str]], **weights: np.ndarray) -> Path:
    """Write a model of nodes (operator, inputs, output) from x to y."""
    ends = [models.value("x", [1, 8])], [models.value("y", [1, 4])]
    made = [helper.make_node(operator, of.split(), [to], to) for operator, of, to in nodes]
    return models.save(path, made, *ends, weights)


def compared(
    tmp_path: Path, behind: tuple[str, str], weight: np.ndarray, bias: np.ndarray
) -> ModelDiff:
    one = saved(
        tmp_path / "one.onnx", [("MatMul", "x w", "a"), (*behind, "y")], w=WEIGHT, s=SCALE
    )
    two = saved(tmp_path / "two.onnx", [("Gemm", "x v c", "y")], v=weight, c=bias)
    with WeightReader(one) as first, WeightReader(two) as second:
        return diff(open_model(one), open_model(two), first.read, second.read)


@pytest.mark.parametrize(
    ("behind", "weight", "bias"),
    [
        (("Mul", "a s"), WEIGHT * SCALE, NONE),
        (("Mul", "s a"), WEIGHT * SCALE, NONE),
        (("Div", "a s"), WEIGHT / SCALE, NONE),
        (("Add", "a s"), WEIGHT, SCALE),
        (("Sub", "a s"), WEIGHT, -SCALE),
        (("Sub", "s a"), -WEIGHT, SCALE),
    ],
    ids=["times", "times, turned", "over", "plus", "minus", "minus, turned"],
)
def test_what_is_done_by_channel_is_found_in_the_weights(tmp_path, behind, weight, bias):
    found = compared(tmp_path, behind, weight, bias)
    (gone,) = (pair for pair in found.pairs if pair.other is None)
    assert (gone.folded, gone.folded_equal) == ("Gemm", True)
    assert found.weight_counts["changed"] == 0


def test_a_number_over_the_output_is_no_scale(tmp_path):
    found = compared(tmp_path, ("Div", "s a"), WEIGHT / SCALE, NONE)
    (gone,) = (pair for pair in found.pairs if pair.other is None)
    assert not gone.folded


def of_types(one: str, other: str, relative: float) -> Difference:
    return Difference((4,), (4,), one, other, 4, 4, 1, max_abs=relative, peak=1.0)


@pytest.mark.parametrize(
    ("kind", "limit"),
    [("float64", 1e-6), ("float32", 1e-5), ("float16", 1e-2), ("bfloat16", 1e-1)],
)
def test_weights_that_differ_by_the_rounding_of_their_type_are_equal(kind, limit):
    none = of_types(kind, kind, 0.0)
    for less, more in ((kind, "float64"), ("float64", kind), (kind, kind)):
        assert is_equal(of_types(less, more, 0.9 * limit), none)
        assert not is_equal(of_types(less, more, 1.1 * limit), none)
        assert not is_equal(none, of_types(less, more, 1.1 * limit))
    assert not is_equal(of_types("int8", "int8", 0.0), none)


def test_weights_are_folded_where_they_are_nearer_than_other_weights():
    def apart(by: float) -> Difference:
        values = np.linspace(1, 2, 50, dtype=np.float32)
        return difference(values, (values * (1 + by)).astype("f"))

    assert is_folded(apart(0.3), apart(0.0))  # 10.5 dB
    assert not is_folded(apart(0.33), apart(0.0))  # 9.6 dB
    assert not is_folded(apart(0.0), apart(0.33))
