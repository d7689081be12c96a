"""Values of weights, against what onnx itself reads."""

import os
from math import prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx import weight_values
from inspector.formats.opening import open_model
from inspector.formats.protobuf_wire import framed
from inspector.model.model import ITEM_BITS, WeightInfo
from tests.formats.build import add, external, model, ramp, save, weight

pytestmark = pytest.mark.thorough

_KINDS = {
    name: number
    for name, number in TensorProto.DataType.items()
    if name not in ("UNDEFINED", "STRING") and not name.startswith("FLOAT6")
}


def opened(tensor: Any, folder: Path) -> tuple[Path, WeightInfo]:
    path = save(model([add()], [tensor]), folder / "m.onnx")
    return path, open_model(path).weights[0]


def plain(values: NDArray[Any]) -> NDArray[Any]:
    small = (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2)
    return values.astype(np.int16) if values.dtype in map(np.dtype, small) else values


def same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    one, other = plain(one), plain(other)
    if one.dtype.kind in "iu" and other.dtype.kind in "iu":
        return one.shape == other.shape and bool((one == other).all())
    return one.shape == other.shape and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("raw", [True, False], ids=["raw", "typed"])
@pytest.mark.parametrize("name", sorted(_KINDS))
def test_every_type_reads_as_onnx_reads_it(tmp_path, name, raw):
    kind = _KINDS[name]
    numbers = np.array([[0, 1, 1.5, -1, 1], [1, 0, 2, -2, 1], [0, 0, 1, 1, 3]])
    numbers = abs(numbers) if "UINT" in name or name in ("BOOL", "FLOAT8E8M0") else numbers
    array = numbers.astype(helper.tensor_dtype_to_np_dtype(kind))
    tensor = numpy_helper.from_array(array, "w")
    if not raw:
        flat = array.reshape(-1)
        values = flat if "COMPLEX" in name else flat.tolist()
        tensor = helper.make_tensor("w", kind, array.shape, values)
    assert tensor.HasField("raw_data") == raw
    path, info = opened(tensor, tmp_path)
    assert info.problem == ""
    whole = weight_values.tensor(path, info, 1 << 20)
    assert same(whole, numpy_helper.to_array(tensor))
    pieces = [*weight_values.chunks(path, info, 8)]
    assert same(np.concatenate(pieces), whole.reshape(-1))
    assert same(weight_values.part(path, info, (slice(1, 3), 4)), whole[1:3, 4])


def test_numbers_of_varying_length_are_read_across_pieces(tmp_path):
    numbers = np.array([0, -1, 2**62, -(2**62), 127, 128, 300, -300] * 50)
    tensor = helper.make_tensor("w", TensorProto.INT64, [20, 20], numbers.tolist())
    path, info = opened(tensor, tmp_path)
    assert info.place.field == "int64_data"
    pieces = [*weight_values.chunks(path, info, 11)]
    assert len(pieces) > 100
    assert same(np.concatenate(pieces), numbers)
    assert same(weight_values.part(path, info, (7, slice(None))), numbers.reshape(20, 20)[7])


def test_texts_are_read_one_or_many(tmp_path):
    for texts in ([b"one"], [b"", b"two", "drei ü".encode(), b"\xff"]):
        tensor = helper.make_tensor("w", TensorProto.STRING, [len(texts)], texts)
        path, info = opened(tensor, tmp_path)
        assert weight_values.tensor(path, info, 1 << 20).tolist() == texts


def test_texts_that_do_not_fit_their_shape_are_told(tmp_path):
    tensor = helper.make_tensor("w", TensorProto.STRING, [2], [b"a", b"b"])
    tensor.dims[0] = 1
    path, info = opened(tensor, tmp_path)
    assert info.problem == "it has 2 values, but its shape needs 1"
    with pytest.raises(UnreadableFile, match="it has 2 values"):
        weight_values.tensor(path, info, 1 << 20)


def test_too_few_and_too_many_numbers_are_told(tmp_path):
    for length in (3, 5):
        tensor = helper.make_tensor("w", TensorProto.INT8, [4], [1, 2, 3, 4])
        tensor.dims[0] = length
        path, info = opened(tensor, tmp_path)
        with pytest.raises(UnreadableFile, match="its shape needs"):
            weight_values.tensor(path, info, 1 << 20)


def test_a_number_that_never_ends_is_told(tmp_path):
    tensor = helper.make_tensor("w", TensorProto.INT64, [4], [2**62, -1, -2, -3])
    path, info = opened(tensor, tmp_path)
    data, at = bytearray(path.read_bytes()), info.place.offset
    data[at : at + info.place.length] = b"\xff" * info.place.length
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match="longer than 10 bytes"):
        weight_values.tensor(path, info, 1 << 20)


def test_a_sparse_tensor_gives_the_values_it_stores(tmp_path):
    values = weight("s", np.array([3, 4, 5], np.float32))
    sparse = helper.make_sparse_tensor(values, weight("", ramp(3, "int64")), [100])
    path = save(model([add()], [], sparse=[sparse]), tmp_path / "m.onnx")
    info = open_model(path).weights[0]
    assert (info.shape, info.stored_shape) == ((100,), (3,))
    assert weight_values.tensor(path, info, 100).tolist() == [3, 4, 5]


def beside(folder: Path, array: NDArray[Any]) -> tuple[Path, WeightInfo]:
    tensor = numpy_helper.from_array(array, "w")
    path = folder / "m.onnx"
    onnx.save(
        model([add()], [tensor]),
        path,
        save_as_external_data=True,
        location="m.data",
        size_threshold=0,
    )
    return path, open_model(path).weights[0]


def test_values_in_another_file_are_read_by_need_only(tmp_path):
    array = ramp(6000).reshape(20, 30, 10)
    path, info = beside(tmp_path, array)
    assert same(weight_values.tensor(path, info, 1 << 20), array)
    for index in ((3, slice(None), slice(2, 9, 3)), (slice(None), 4, 1), (0, 0, 0)):
        assert same(weight_values.part(path, info, index), array[index])


def test_a_slice_may_go_backwards_and_over_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(weight_values, "CHUNK", 64)
    array = ramp(6000).reshape(20, 30, 10)
    path, info = beside(tmp_path, array)
    index = (slice(None, None, -3), 7, slice(None, None, 2))
    assert same(weight_values.part(path, info, index), np.ascontiguousarray(array[index]))


def test_a_file_that_changed_or_went_is_told(tmp_path):
    path, info = beside(tmp_path, ramp(100))
    known = weight_values.stamps(path, [info])
    assert set(known) == {"", "m.data"}
    assert len(weight_values.tensor(path, info, 1 << 20, known)) == 100
    side = tmp_path / "m.data"
    side.write_bytes(side.read_bytes() + b"more")
    with pytest.raises(UnreadableFile, match=r"m\.data has changed since the model was opened"):
        weight_values.tensor(path, info, 1 << 20, known)
    side.write_bytes(b"short")
    with pytest.raises(UnreadableFile, match="was truncated"):
        weight_values.tensor(path, info, 1 << 20)
    side.unlink()
    with pytest.raises(UnreadableFile, match="no longer next to the model"):
        weight_values.tensor(path, info, 1 << 20, known)


def test_a_weight_with_a_problem_is_refused_with_it(tmp_path):
    tensor = weight("w", ramp(4))
    tensor.dims[0] = 5
    path, info = opened(tensor, tmp_path)
    with pytest.raises(UnreadableFile, match="its shape needs 20 B") as caught:
        weight_values.tensor(path, info, 1 << 20)
    assert caught.value.what == "Could not read 'w'"


def test_a_shape_beyond_any_number_is_refused(tmp_path):
    tensor = weight("w", ramp(4))
    del tensor.dims[:]
    tensor.dims.extend([2**62] * 400)
    path, info = opened(tensor, tmp_path)
    for read in (weight_values.tensor, lambda *_: [*weight_values.chunks(path, info)]):
        with pytest.raises(UnreadableFile, match="too many elements for any file"):
            read(path, info, 1 << 20)


def test_a_type_nobody_knows_is_refused(tmp_path):
    tensor = weight("w", ramp(4))
    tensor.data_type = 99
    path, info = opened(tensor, tmp_path)
    with pytest.raises(UnreadableFile, match=r"its data type \(type 99\)"):
        next(weight_values.chunks(path, info))


def test_more_than_the_limit_is_not_read(tmp_path):
    path, info = opened(weight("w", ramp(100)), tmp_path)
    with pytest.raises(UnreadableFile, match="the limit is 399"):
        weight_values.tensor(path, info, 399)


def test_an_empty_tensor_has_no_values(tmp_path):
    path, info = opened(weight("w", np.zeros((0, 3), np.float32)), tmp_path)
    assert weight_values.tensor(path, info, 1 << 20).shape == (0, 3)
    assert weight_values.part(path, info, (slice(None), 1)).shape == (0,)
    assert [v for v in weight_values.chunks(path, info) if len(v)] == []


@pytest.mark.slow  # every type is tried above
def test_weights_of_real_and_odd_models_are_those_that_onnx_reads(shared):
    compared = 0
    for path in sorted((*shared.glob("real/*.onnx"), *shared.glob("odd/**/*.onnx"))):
        try:
            proto = onnx.load(path)
        except Exception:  # noqa: BLE001 - whatever onnx says of an odd model
            continue
        found = {w.name: w for w in open_model(path).weights if w.layer is None}
        for tensor in proto.graph.initializer[:60]:
            info = found.get(tensor.name)
            strange = info is None or info.problem or info.dtype not in ITEM_BITS
            if strange or tensor.ByteSize() > 1 << 20:
                continue
            assert same(
                weight_values.tensor(path, found[tensor.name], 1 << 22),
                numpy_helper.to_array(tensor),
            ), (path, tensor.name)
            compared += 1
    assert compared > 500


@pytest.mark.skipif(os.name == "nt", reason="such a file would take its room on the disk")
def test_a_slice_of_sixteen_gigabytes_is_read(tmp_path):
    entries = {"location": "big.data"}
    path = save(
        model([add()], [external("w", [4, 1 << 15, 1 << 15], **entries)]), tmp_path / "m"
    )
    with (tmp_path / "big.data").open("wb") as file:
        file.truncate(16 << 30)
        file.seek((3 << 32) + 4 * (5 * 32768 + 7))
        file.write(np.float32(2.5).tobytes())
    info = open_model(path).weights[0]
    known = weight_values.stamps(path, [info])
    found = weight_values.part(path, info, (3, slice(4, 7), slice(6, 9)), known)
    assert (info.size_bytes, info.problem) == (16 << 30, "")
    assert found.tolist() == [[0, 0, 0], [0, 2.5, 0], [0, 0, 0]]


def test_no_hostile_file_gives_more_than_a_refusal(shared):
    refused = read = 0
    for path in sorted(shared.glob("bad/**/*.onnx")):
        try:
            found = open_model(path)
        except UnreadableFile:
            continue
        for info in found.weights[:20]:
            if (info.size_bytes or 0) > 1 << 20:
                continue
            try:
                values = list(weight_values.chunks(path, info))
            except UnreadableFile:
                refused += 1
                continue
            assert sum(map(len, values)) == prod(info.stored_shape)
            read += 1
    assert refused >= 8
    assert read >= 8


def scattered(kind: int, records: bytes, shape: tuple[int, ...] = (6,)) -> bytes:
    head = TensorProto(name="w", data_type=kind, dims=shape).SerializeToString()
    tensor = framed(12, b"a doc in between")
    whole = model([add()], []).SerializeToString()
    graph = framed(5, head + tensor + records)
    return whole + framed(7, graph)  # protobuf merges the two parts of the graph


def numbered(*values: int) -> bytes:
    return b"".join(b"\x38" + _varint(each) for each in values)


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes((*digits, number))


def packed(*values: int) -> bytes:
    return framed(7, b"".join(map(_varint, values)))


SHORT = framed(5, _varint(1) + _varint(-2)) + b"\x28\x03\x28\x04\x28\x05\x28\x06"
FLOATS = np.array([1.5, -2.25, 3, 4, 5, 6], "<f4")


@pytest.mark.parametrize(
    ("kind", "records"),
    [
        (TensorProto.INT64, numbered(1, -2, 3, 4, 500, 6)),
        (TensorProto.INT64, packed(1, -2) + packed(3, 4, 500, 6)),
        (TensorProto.INT64, numbered(1) + packed(2) + framed(12, b"-") + numbered(3, 4, 5, 6)),
        (TensorProto.INT64, packed() + packed(1, 2, 3, 4, 5, 6) + packed()),
        (TensorProto.FLOAT, b"".join(b"\x25" + each.tobytes() for each in FLOATS)),
        (TensorProto.FLOAT, framed(4, FLOATS[:2].tobytes()) + framed(4, FLOATS[2:].tobytes())),
        (TensorProto.INT32, SHORT),
        (TensorProto.INT8, SHORT),
        (TensorProto.INT4, framed(5, b"\x21") + b"\x28\x43" + b"\x28\x65"),
        (TensorProto.BOOL, b"\x28\x01\x28\x00\x28\x01" + framed(5, b"\x00\x01\x00")),
    ],
)  # fmt: skip
def test_values_spread_over_several_records_read_as_onnx_reads_them(tmp_path, kind, records):
    path = tmp_path / "m.onnx"
    path.write_bytes(scattered(kind, records))
    (truth,) = onnx.load(path).graph.initializer
    info = open_model(path).weights[0]
    assert info.problem == ""
    whole = weight_values.tensor(path, info, 1 << 20)
    assert same(whole, numpy_helper.to_array(truth))
    assert np.array_equal(weight_values.part(path, info, [slice(1, 6, 2)]), whole[1:6:2])


def test_many_values_one_by_one_come_in_pieces(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(scattered(TensorProto.INT64, numbered(*range(5000)), (5000,)))
    info = open_model(path).weights[0]
    pieces = [*weight_values.chunks(path, info, 1000)]
    assert len(pieces) == 5
    assert np.array_equal(np.concatenate(pieces), np.arange(5000))


@pytest.mark.parametrize("records", [numbered(1, 2, 3), numbered(1, 2, 3, 4, 5, 6, 7, 8)])
def test_too_few_or_too_many_scattered_values_are_refused(tmp_path, records):
    path = tmp_path / "m.onnx"
    path.write_bytes(scattered(TensorProto.INT64, records))
    with pytest.raises(UnreadableFile, match="its shape needs"):
        weight_values.tensor(path, open_model(path).weights[0], 1 << 20)


def test_values_in_two_fields_are_not_guessed_at(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(scattered(TensorProto.INT64, numbered(1) + framed(9, bytes(48))))
    info = open_model(path).weights[0]
    assert (
        info.problem
        == "it has values in int64_data and raw_data, but only one of these is allowed"
    )
    assert info.place is None
