"""How far one tensor is from another."""

import math

import ml_dtypes
import msgspec
import numpy as np
import pytest

from inspector.model.tensors.difference import Difference, difference


def random(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def test_equal_tensors_have_no_error_and_infinite_decibels():
    found = difference(random((2, 10)), random((2, 10)))
    assert found.identical
    assert found.count == found.compared == 20
    assert (found.max_abs, found.mean_abs, found.mean_relative) == (0, 0, 0)
    assert found.psnr_db == found.sqnr_db == math.inf
    assert found.cosine == pytest.approx(1)
    assert found.top1 == 1


def test_the_numbers_follow_their_formulas():
    r, o = np.array([4.0, -2.0, 0.0, 1.0]), np.array([4.0, -1.0, 0.5, 1.0])
    found = difference(r, o)
    assert (found.max_abs, found.where, found.place) == (1.0, 1, (1,))
    assert found.mean_abs == pytest.approx(1.5 / 4)
    assert found.mean_relative == pytest.approx(0.5 / 3), "where the reference is not 0"
    assert found.psnr_db == pytest.approx(10 * math.log10(16 / (1.25 / 4)))
    assert found.sqnr_db == pytest.approx(10 * math.log10(21 / 1.25))
    assert found.cosine == pytest.approx((r @ o) / np.linalg.norm(r) / np.linalg.norm(o))
    assert found.unequal == 2
    assert not found.unmatched


def test_pieces_add_up_to_the_whole(monkeypatch):
    r, o = random((7, 11), 1), random((7, 11), 2)
    whole = difference(r, o)
    monkeypatch.setattr("inspector.model.tensors.difference._CHUNK", 10)
    parts = difference(r, o)
    assert (parts.where, parts.max_abs) == (whole.where, whole.max_abs)
    assert parts.sqnr_db == pytest.approx(whole.sqnr_db)


@pytest.mark.parametrize(
    "kind",
    [
        np.float16,
        ml_dtypes.bfloat16,
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2,
        np.float64,
    ],
)
def test_every_float_type_compares_with_float32(kind):
    r = random((3, 4))
    found = difference(r, r.astype(kind))
    assert found.sqnr_db > 20
    assert found.other_dtype == str(np.dtype(kind))
    assert found.compared == 12


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.uint8, ml_dtypes.int4])
def test_whole_numbers_and_truths_compare(kind):
    found = difference(np.array([0, 1, 1], kind), np.array([0, 1, 0], kind))
    assert (found.max_abs, found.where, found.unequal) == (1, 2, 1)


def test_large_integers_are_told_apart_exactly():
    r = np.array([2**60, -(2**63), 2**63 - 1], np.int64)
    found = difference(r, r + np.array([1, 0, 0]))
    assert (found.max_abs, found.unequal) == (1, 1)
    far = difference(r[1:2], r[2:3])
    assert far.max_abs == pytest.approx(2**64)


def test_nan_and_infinity_are_counted_and_never_averaged():
    r = np.array([np.nan, np.inf, 1.0, 2.0, np.inf])
    o = np.array([np.nan, np.inf, np.nan, 2.5, -np.inf])
    found = difference(r, o)
    assert (found.reference_nan, found.other_nan) == (1, 2)
    assert (found.reference_infinite, found.other_infinite) == (2, 2)
    assert (found.compared, found.unequal, found.unmatched) == (1, 3, 2)
    assert found.max_abs == 0.5
    assert found.where == 2, "the first that does not match"


def test_nothing_finite_leaves_no_numbers():
    found = difference(np.array([np.nan]), np.array([np.nan]))
    assert found.identical
    assert found.psnr_db is None
    assert found.max_abs is None


def test_other_shapes_are_a_value_with_a_sentence():
    found = difference(random((2, 3)), random((3, 2)))
    assert found.problem == "The shapes differ: 2×3 and 3×2."
    assert not found.identical
    assert found.max_abs is None
    assert difference(np.array(["a"]), np.ones(1)).problem


def test_texts_are_equal_or_not():
    found = difference(np.array(["a", "b"], object), np.array(["a", "c"]))
    assert (found.unequal, found.where, found.psnr_db) == (1, 1, None)


def test_empty_tensors_and_scalars_compare():
    assert difference(np.ones((0, 3)), np.ones((0, 3))).identical
    found = difference(np.float32(1), np.float32(2))
    assert found.place == ()
    assert found.max_abs == 1


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_decibels_survive_extreme_values(scale):
    r = np.array([1.0, 2.0])
    found = difference(r * scale, (r + 0.01) * scale)
    assert found.sqnr_db == pytest.approx(difference(r, r + 0.01).sqnr_db)


def test_classes_agree_by_rows():
    r = np.eye(4, 5)
    o = r.copy()
    o[0] = o[0][::-1]
    assert difference(r, o).top1 == 0.75
    assert difference(random((1, 3, 8, 8)), random((1, 3, 8, 8))).top1 is None


def test_it_goes_through_json_and_infinity_comes_back():
    for r, o in (
        (random((3,)), random((3,))),
        (np.zeros(3), np.ones(3)),
        (random((3,)), random((3,), 1)),
        (random((3,)), random((4,))),
    ):
        found = difference(r, o)
        text = msgspec.json.encode(found)
        assert msgspec.json.decode(text, type=Difference) == found
    assert b'"psnr_db":null' in msgspec.json.encode(difference(np.ones(2), np.ones(2)))
