import io
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.errors import UnreadableFile
from inspector.preview.inputs.npy_files import read_npy, read_npz


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float16).reshape(2, 3),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(4, dtype=">i4"),
        np.array("text"),
        np.array(1.5),
        np.zeros((0, 3), np.uint8),
        np.array([True, False]),
    ],
)
def test_an_array_comes_back_as_it_was_saved(tmp_path, array):
    np.save(tmp_path / "x.npy", array)
    read = read_npy(tmp_path / "x.npy")
    assert read.dtype == array.dtype
    assert np.array_equal(read, array)


def header(text: str, data: bytes = b"") -> bytes:
    padded = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + data


def described(shape: str, kind: str = "<f4") -> str:
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not a NumPy array"),
        (b"\x93NUMPY\x09\x00", "not a NumPy array|format"),
        (header("__import__('os').abort()"), "not a NumPy array"),
        (header("(" * 90), "not a NumPy array"),
        (header(described("(1000000000000000,)")), "declares"),
        (header(described("(-4,)"), b"0123"), "declares"),
        (header(described("(2,)"), b"0123"), "declares"),
        (header(described("(1,)", "|O"), b"01234567"), "Python objects"),
    ],
)
def test_a_bad_array_gives_one_sentence(tmp_path, body, reason):
    (tmp_path / "x.npy").write_bytes(body)
    with pytest.raises(UnreadableFile, match=reason):
        read_npy(tmp_path / "x.npy")


def test_records_are_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(2, [("a", "f4"), ("b", "i2")]))
    with pytest.raises(UnreadableFile, match="structured array"):
        read_npy(tmp_path / "x.npy")


def test_an_archive_gives_the_array_of_the_name_or_its_only_one(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, image=np.ones(3), mask=np.zeros(2))
    assert read_npz(path, "mask").shape == (2,)
    with pytest.raises(UnreadableFile, match="Did you mean 'image'"):
        read_npz(path, "imagee")
    np.savez_compressed(path, other=np.ones(4))
    assert read_npz(path, "image").shape == (4,)


def test_names_that_point_elsewhere_are_only_names(tmp_path):
    body = io.BytesIO()
    np.save(body, np.ones(2))
    folder = tmp_path / "deep" / "er"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "x.npz", "w") as archive:
        archive.writestr("../../evil.npy", body.getvalue())
    assert read_npz(folder / "x.npz", "x").tolist() == [1, 1]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "er", "x.npz"]


@pytest.mark.parametrize(
    "name", ["header_eval.npy", "object_pickle.npy", "structured_dtype.npy"]
)
def test_hostile_arrays_give_one_sentence(shared, name):
    with pytest.raises(UnreadableFile, match=f"Could not open {name}"):
        read_npy(shared / "bad/made/data" / name)


@settings(max_examples=60)
@given(place=st.integers(0, 400), octet=st.integers(0, 255), cut=st.integers(0, 400))
def test_a_damaged_archive_never_does_worse_than_a_sentence(
    tmp_path_factory, place, octet, cut
):
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    np.savez_compressed(path, a=np.arange(9), b=np.ones(3))
    body = bytearray(path.read_bytes())
    body[place % len(body)] = octet
    path.write_bytes(bytes(body[: len(body) - cut % 50]))
    with suppress(UnreadableFile):
        read_npz(path, "a")
