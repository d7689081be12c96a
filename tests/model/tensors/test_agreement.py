"""Whether two tensors agree."""

import numpy as np
import pytest

from inspector.model.tensors.agreement import CheckedOutput, is_over, summary_text, worst
from inspector.model.tensors.difference import difference

ONES = np.ones(8, np.float32)


@pytest.mark.parametrize(
    ("kind", "error", "over"),
    [
        (np.float32, 1e-5, False),
        (np.float32, 1e-3, True),
        (np.float16, 1e-2, False),
        (np.float16, 1e-1, True),
        (np.float64, 1e-8, True),
    ],
)
def test_what_an_error_may_be_follows_the_type(kind, error, over):
    other = (np.ones(8) + error).astype(kind)
    assert is_over(difference(ONES.astype(kind), other)) is over


def test_the_coarser_type_decides_and_so_does_what_came_before():
    half = difference(ONES, (ONES + 0.01).astype(np.float16))
    assert not is_over(half)
    single = difference(ONES, ONES + np.float32(0.01))
    assert is_over(single)
    assert not is_over(single, least=0.05)
    assert is_over(single, 1e-3, least=0.05), "the user's word goes first"


def test_whole_numbers_are_equal_or_one_step_apart_in_eight_bits():
    for kind, over in ((np.int64, True), (np.int8, False), (np.uint8, False), (np.bool_, True)):
        assert is_over(difference(np.zeros(2, kind), np.ones(2, kind))) is over
    assert is_over(difference(np.zeros(2, np.int8), np.full(2, 2, np.int8)))


def test_nan_and_other_shapes_never_agree():
    assert is_over(difference(ONES, ONES[:4]), 1e9)
    assert is_over(difference(ONES, np.full(8, np.nan, np.float32)), 1e9)
    same = np.array([1, np.nan], np.float32)
    assert is_over(difference(same, np.ones(2, np.float32)), 1e9), "one NaN is enough"
    assert not is_over(difference(same, same))


def test_the_worst_output_is_told():
    outputs = (
        CheckedOutput("a", difference(ONES, ONES), 1e-4),
        CheckedOutput("b", difference(ONES, ONES * 2), 1e-4),
        CheckedOutput("c", None, 1e-4),
    )
    found = worst(outputs)
    assert found.name == "b"
    assert [output.over for output in outputs] == [False, True, False]
    assert summary_text(outputs) == "PSNR 0.0 dB of 'b', max error 1"
    assert summary_text(outputs[:1]) == "identical"
    assert summary_text(()) == ""
