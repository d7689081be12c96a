import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import ITEM_BITS, TensorInfo
from inspector.model.tensors.element_types import is_recipe, make_tensor, numpy_type, plain
from inspector.preview.inputs import text_values

# Weights may be packed in 3 to 7 bits; no input of a model has such a type.
ONLY_STORED = {"uint3", "uint5", "uint6", "uint7"}


@pytest.mark.parametrize(
    "dtype", [*(name for name in ITEM_BITS if name not in ONLY_STORED), "string"]
)
@pytest.mark.parametrize("value", ["zeros", "ones", "random:3"])
def test_every_type_can_be_filled_by_every_recipe(dtype, value):
    array = make_tensor("x", value, (2, 3), dtype)
    assert array.shape == (2, 3)
    assert array.dtype == numpy_type(dtype)
    if dtype != "string" and value != "random:3" and dtype != "float8e8m0":
        assert (array.astype(np.complex128) == (value == "ones")).all()


def test_random_is_the_same_next_time_and_differs_by_name_and_seed():
    first = make_tensor("x", "random:1", (50,), "float32")
    assert np.array_equal(first, make_tensor("x", "random:1", (50,), "float32"))
    assert not np.array_equal(first, make_tensor("y", "random:1", (50,), "float32"))
    assert not np.array_equal(first, make_tensor("x", "random:2", (50,), "float32"))
    assert np.array_equal(
        make_tensor("x", "random", (5,), "int8"), make_tensor("x", "random:0", (5,), "int8")
    )


@pytest.mark.parametrize(("dtype", "high"), [("int64", 1), ("uint8", 255), ("bool", 1)])
def test_random_whole_numbers_stay_in_a_safe_range(dtype, high):
    values = make_tensor("x", "random", (5000,), dtype).astype(int)
    assert (values.min(), values.max()) == (0, high)


def test_texts_are_empty():
    assert make_tensor("x", "random", (2,), "string").tolist() == ["", ""]


def test_a_huge_tensor_is_refused_before_it_is_made():
    with pytest.raises(
        BadInput, match=r"18\.2 TiB, more than the limit of 2\.00 GiB; axis 1 is 5,000,000,"
    ):
        make_tensor("x", "zeros", (1, 5 * 10**12), "float32")
    with pytest.raises(BadInput, match="negative"):
        make_tensor("x", "zeros", (1, -1), "float32")


def test_a_type_nobody_knows_is_refused():
    with pytest.raises(BadInput, match="float6e2m3"):
        make_tensor("x", "zeros", (1,), "float6e2m3")


@pytest.mark.parametrize("value", ["zeros", "ones", "random", "random:0", "random:123"])
def test_recipes_are_told_from_files(value):
    assert is_recipe(value)
    assert not is_recipe(f"{value}.npy")
    assert not is_recipe(f"./{value}")


@pytest.mark.parametrize(
    ("dtype", "most", "beyond"),
    [
        ("float16", 65_504, 70_000),
        ("bfloat16", 3e38, 1e39),
        ("float8e4m3fn", 448, 1e9),  # would be NaN
        ("float8e4m3fnuz", 240, 1e9),
        ("float8e5m2", 57_344, 1e9),  # would be infinite
        ("float8e5m2fnuz", 57_344, 1e9),
        ("float4e2m1", 6, 20),  # would be 6
    ],
)
def test_what_a_type_cannot_hold_is_refused(dtype, most, beyond):
    assert float(plain(make_tensor("x", str(most), (1,), dtype))[0]) == pytest.approx(
        most, rel=0.01
    )
    info = TensorInfo("x", "tensor", dtype, (1,))
    for value in (beyond, -beyond):
        with pytest.raises(BadInput, match="cannot represent"):
            make_tensor("x", str(value), (1,), dtype)
        with pytest.raises(BadInput, match="too large"):
            text_values.numbers([value], info, "the cell")
    assert (
        np.isnan(plain(text_values.numbers([float("nan")], info, "the cell"))[0]) or most == 6
    )


def test_rare_types_have_plain_values():
    for dtype, kind in (("bfloat16", "float32"), ("float8e4m3fn", "float32"),
                        ("int4", "int8"), ("uint4", "int8"), ("int64", "int64")):  # fmt: skip
        found = plain(make_tensor("x", "3", (2,), dtype))
        assert (found.dtype.name, found.tolist()) == (kind, [3, 3])
