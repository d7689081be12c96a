from inspector.model.model import TensorInfo
from inspector.preview.inputs.input_files import NOTHING, ends, takes_ends


def test_a_short_content_stands_at_both_ends():
    row = ends(b"  abc\n", 16).tolist()
    assert row == [97, 98, 99, 10, *[NOTHING] * 7, 32, 32, 97, 98, 99]


def test_of_a_long_content_the_middle_is_left_out():
    content = bytes(range(256)) * 40
    row = ends(b"\n\n" + content + b"  ", 200)
    assert row[:100].tolist() == list(content[:100])
    assert row[100:].tolist() == list(content[-100:])
    assert (ends(b"", 200) == NOTHING).all()


def test_only_rows_named_after_bytes_want_both_ends():
    def info(name: str, dtype: str, *shape: int | str) -> TensorInfo:
        return TensorInfo(name, "tensor", dtype, shape)

    assert takes_ends(info("bytes", "int32", "n", 2048)) == 2048
    assert not takes_ends(info("bytes", "uint8", "n", 2048))
    assert not takes_ends(info("bytes", "int32", "n", "length"))
    assert not takes_ends(info("input_ids", "int32", "n", 2048))
