import pytest

from inspector.errors import UnreadableFile
from inspector.formats.metadata_edit import with_entry
from inspector.formats.opening import open_model


def test_all_other_bytes_stay_as_they_are(samples, tmp_path):
    model = samples / "digits_float32.onnx"
    copy = tmp_path / "copy.onnx"
    copy.write_bytes(b"".join(with_entry(model, "key", "a" * 1000)))
    assert copy.read_bytes().startswith(model.read_bytes())
    assert dict(open_model(copy).metadata)["key"] == "a" * 1000
    again = b"".join(with_entry(copy, "key", "ü"))
    assert again.startswith(model.read_bytes())
    copy.write_bytes(again)
    assert dict(open_model(copy).metadata)["key"] == "ü"
    assert len(open_model(copy).metadata) == len(open_model(model).metadata) + 1


@pytest.mark.parametrize(
    "body", [b"\x00\x00\x00\x00ORTM" + b"\x00" * 64, b"\x3a\xff\xff\x03ab"]
)
def test_other_files_are_refused(body, tmp_path):
    (tmp_path / "m.onnx").write_bytes(body)
    with pytest.raises(UnreadableFile):
        list(with_entry(tmp_path / "m.onnx", "key", "value"))
