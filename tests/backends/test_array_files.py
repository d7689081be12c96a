import ml_dtypes
import numpy as np
import pytest

from inspector.backends.array_files import InvalidArray, StoredArray, fetch, store


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.array(3, np.int64),
        np.zeros((0, 5), np.uint8),
        np.array([[True], [False]]),
        np.array([1, -2, 0.5], ml_dtypes.bfloat16),
        np.array([-8, 7], ml_dtypes.int4),
        np.array([["a", "ü\n"], ["", "模"]], object),
    ],
    ids=lambda array: str(array.dtype),
)
def test_an_array_comes_back_equal(tmp_path, array):
    back = fetch(tmp_path, store(tmp_path, "feed-0.bin", "x", array))
    assert back.shape == array.shape
    assert back.dtype == array.dtype
    assert back.tolist() == array.tolist()


def test_a_foreign_byte_order_is_mended_on_the_way(tmp_path):
    back = fetch(tmp_path, store(tmp_path, "feed-0.bin", "x", np.array([1.5, 2], ">f8")))
    assert back.dtype == np.dtype("=f8")
    assert back.tolist() == [1.5, 2]


def test_the_file_is_gone_after_it_was_read(tmp_path):
    fetch(tmp_path, store(tmp_path, "feed-0.bin", "x", np.zeros(3)))
    assert list(tmp_path.iterdir()) == []


def test_no_code_can_travel(tmp_path):
    with pytest.raises(InvalidArray, match="not all elements are strings"):
        store(tmp_path, "feed-0.bin", "x", np.array([object()], object))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"shape": (4,)}, "it has 24 bytes, but its shape needs 32"),
        ({"shape": (-3,)}, "negative"),
        ({"shape": (2**40, 2**40)}, "its shape"),
        ({"dtype": "O"}, "no type"),
        ({"dtype": "nonsense"}, "no type"),
        ({"dtype": "string"}, "damaged"),
        ({"file": "../../etc/passwd"}, "not the name"),
        ({"file": "/etc/passwd"}, "not the name"),
        ({"file": "gone-1.bin"}, "no such file"),
    ],
    ids=lambda case: str(case)[:40],
)
def test_a_description_that_lies_is_refused(tmp_path, changes, why):
    honest = {"name": "x", "dtype": "float64", "shape": (3,), "file": "feed-0.bin"}
    store(tmp_path, "feed-0.bin", "x", np.zeros(3))
    with pytest.raises(InvalidArray, match=why):
        fetch(tmp_path, StoredArray(**honest | changes))


def test_texts_must_be_as_many_as_the_shape_says(tmp_path):
    stored = store(tmp_path, "feed-0.bin", "x", np.array(["a", "b"], object))
    with pytest.raises(InvalidArray, match="2 strings, but its shape needs 3"):
        fetch(tmp_path, StoredArray(stored.name, stored.dtype, (3,), stored.file))


def test_the_order_of_elements_in_memory_travels_along(tmp_path):
    array = np.asfortranarray(np.arange(24, dtype=np.int16).reshape(2, 3, 4))
    stored = store(tmp_path, "feed-0.bin", "x", array)
    again = fetch(tmp_path, stored)
    assert again.flags.f_contiguous
    assert not again.flags.c_contiguous
    assert np.array_equal(again, array)
