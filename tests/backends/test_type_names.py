"""Types by name, and the bytes of tensors of types that NumPy lacks."""

import ml_dtypes
import numpy as np
import pytest

from inspector.backends.type_names import (
    PACKED_BITS,
    RARE,
    kind_and_dtype,
    least_bytes,
    numpy_type,
    packed,
    type_name,
    unpacked,
    widened,
)


@pytest.mark.parametrize(
    ("written", "kind", "dtype"),
    [
        ("tensor(float)", "tensor", "float32"),
        ("tensor(double)", "tensor", "float64"),
        ("tensor(int4)", "tensor", "int4"),
        ("seq(map(int64,tensor(float)))", "sequence", "sequence(map(int64, tensor(float32)))"),
        ("sparse_tensor(float)", "sparse tensor", "sparse tensor(float32)"),
        ("strange(float)", "unknown", "strange(float32)"),
        ("nothing known", "unknown", "nothing known"),
    ],
)
def test_types_of_the_runtime_are_written_as_of_the_model(written, kind, dtype):
    assert kind_and_dtype(written) == (kind, dtype)


def test_small_integers_are_packed_lowest_first():
    codes = np.array([1, -2, 7, -8, 3], np.int8).astype(ml_dtypes.int4)
    assert packed(codes).tobytes() == bytes([0xE1, 0x87, 0x03])
    assert packed(np.array([1, 2, 3, 0, 3], ml_dtypes.uint2)).tobytes() == bytes([0x39, 0x03])
    assert packed(np.array([1.0], ml_dtypes.bfloat16)).tobytes() == bytes([0x80, 0x3F])


@pytest.mark.parametrize("name", RARE)
def test_every_code_of_a_rare_type_comes_back(name):
    bits = PACKED_BITS.get(name, 8)
    codes = np.arange((1 << bits) - 1, dtype=np.uint8)  # an odd number: the last byte is padded
    if name == "bfloat16":
        codes = np.repeat(codes, 2)
    elif name in ("int2", "int4"):  # as these types hold them: the sign in every upper bit
        codes = codes.astype(np.int8) << (8 - bits) >> (8 - bits)
    values = codes.view(RARE[name])
    found = unpacked(packed(values).tobytes(), name, (len(values), 1))
    assert (type_name(found), found.shape) == (name, (len(values), 1))
    wide = widened(found)
    assert np.array_equal(wide.ravel(), widened(values), equal_nan=wide.dtype.kind == "f")


@pytest.mark.parametrize(
    ("name", "wide"),
    [("int4", "int8"), ("uint2", "uint8"), ("float8e5m2", "float32"), ("bfloat16", "float32")],
)
def test_rare_types_widen_to_those_of_numpy(name, wide):
    assert widened(np.ones(3, RARE[name])).dtype == wide
    assert numpy_type(name) == RARE[name]


def test_common_types_stay_as_they_are():
    array = np.ones(3, np.float16)
    assert widened(array) is array
    assert type_name(np.ones(1, ">i4")) == "int32"
    assert type_name(np.array(["a", None], object)) == type_name(np.array(["a"])) == "string"
    assert numpy_type("float16") == np.float16
    assert numpy_type("string") is None
    assert numpy_type("no such type") is None


def test_the_least_bytes_of_an_element_are_those_of_its_type():
    sizes = {"float64": 8, "float16": 2, "bfloat16": 2, "int4": 1, "string": 1, "bool": 1}
    assert {name: least_bytes(name) for name in sizes} == sizes
