import pytest
from onnx import TensorProto, helper

from inspector.formats.onnx.lazy_scan import raw_values
from inspector.formats.protobuf_wire import PADDING

LEAD = b"something before"


def plain(name: str = "w", length: int = 16) -> TensorProto:
    return helper.make_tensor(name, TensorProto.FLOAT, [length // 4], bytes(length), raw=True)


def found(tensor: TensorProto | bytes) -> tuple[int, int, int] | None:
    body = tensor if isinstance(tensor, bytes) else tensor.SerializeToString()
    return raw_values(LEAD + body + PADDING, len(LEAD), len(LEAD) + len(body))


def test_values_of_a_short_tensor_are_found():
    body = plain().SerializeToString()
    start = len(LEAD) + body.index(b"\x4a\x10") + 2
    assert found(plain()) == (start, start + 16, 4)


@pytest.mark.parametrize(
    "odd",
    [
        plain("a name of more than a hundred and twenty-seven letters " * 3),
        plain(length=128),
        helper.make_tensor("typed", TensorProto.FLOAT, [2], [1.0, 2.0]),
        TensorProto(name="none", dims=[1], data_type=1),
        TensorProto(name="out", data_type=1, raw_data=b"1234", data_location=1),
        plain().SerializeToString() + b"\x4a\x02ab",
        plain().SerializeToString()[:-1],
        plain().SerializeToString() + b"\x4a",
    ],
)
def test_any_other_tensor_is_left_to_the_whole_walk(odd):
    assert found(odd) is None
