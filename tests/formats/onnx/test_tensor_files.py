from contextlib import suppress

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, numpy_helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx.tensor_files import decode, read

CODES = [code for code in TensorProto.DataType.values() if 0 < code <= TensorProto.INT2]
VALUES = np.array([[1, 2, 3], [3, 1, 2], [1, 1, 3]])


def stored(code: int, typed: bool) -> TensorProto:
    kind = onnx.helper.tensor_dtype_to_np_dtype(code)
    values = (
        np.array([["a", "", "ü"]] * 3, object)
        if code == TensorProto.STRING
        else VALUES.astype(kind)
    )
    if not typed:
        return numpy_helper.from_array(values, "x")
    return onnx.helper.make_tensor("x", code, values.shape, values.ravel().tolist())


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("code", CODES)
def test_a_tensor_of_every_type_reads_as_onnx_reads_it(code, typed):
    tensor = stored(code, typed)
    array, dtype = decode(tensor.SerializeToString(), "x.pb")
    expected = numpy_helper.to_array(tensor)
    assert array.dtype == expected.dtype
    assert array.tolist() == expected.tolist()
    named = TensorProto.DataType.Name(code).lower()
    assert dtype == {"float": "float32", "double": "float64"}.get(named, named)


def test_negative_numbers_survive_their_ten_bytes():
    values = [-1, -(2**63), 2**63 - 1, 300]
    tensor = onnx.helper.make_tensor("x", TensorProto.INT64, [4], values)
    assert decode(tensor.SerializeToString(), "x")[0].tolist() == values
    small = onnx.helper.make_tensor("x", TensorProto.INT8, [2], [-128, -1])
    assert decode(small.SerializeToString(), "x")[0].tolist() == [-128, -1]


def test_a_scalar_and_an_empty_tensor_keep_their_shape():
    for array in (np.array(7, np.int64), np.zeros((0, 4), np.float32)):
        body = numpy_helper.from_array(array).SerializeToString()
        assert decode(body, "x")[0].shape == array.shape


def test_data_in_another_file_are_not_followed():
    tensor = numpy_helper.from_array(np.ones(3, np.float32))
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../etc/passwd")
    with pytest.raises(UnreadableFile, match="another file"):
        decode(tensor.SerializeToString(), "x.pb")


def test_a_shape_that_promises_more_than_the_data_is_refused():
    tensor = numpy_helper.from_array(np.ones(3, np.float32))
    tensor.dims[0] = 2**60
    with pytest.raises(UnreadableFile, match="does not match 12 bytes"):
        decode(tensor.SerializeToString(), "x.pb")


@given(st.binary(max_size=80))
def test_no_bytes_do_worse_than_a_sentence(body):
    with suppress(UnreadableFile):
        decode(body, "x.pb")


def test_real_test_data_read_as_onnx_reads_them(shared):
    path = shared / "media/testdata/mobilenet_qdq_int8_maui/input_0.pb"
    array, dtype = read(path)
    assert dtype == "float32"
    assert np.array_equal(array, numpy_helper.to_array(onnx.load_tensor(path)))
