import os
import sys
from pathlib import Path

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.opening import digest, open_bytes, open_model
from inspector.formats.protobuf_wire import framed
from inspector.formats.source import open_source

COREML = b"\x08\x04" + framed(2, b"input and output") + framed(300, b"a regressor")
TENSOR = b"\x08\x02\x10\x07" + framed(7, b"\x01\x02") + framed(8, b"x")


@pytest.mark.parametrize(
    ("name", "body", "why"),
    [
        ("m.onnx", b"", "the file is empty"),
        ("m.onnx", b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS"),
        ("m.onnx", b"<!DOCTYPE html><html><title>Log in</title>", "a web page"),
        ("m.onnx", b"  \n<HTML>", "a web page"),
        ("m.xml", b'<?xml version="1.0"?><net name="x" version="11">', "XML is damaged"),
        ("m.onnx", b"<Error><Code>AccessDenied</Code></Error>", "an XML file"),
        ("m.onnx", b'{"error": "not found"}', "a JSON file"),
        ("m.onnx", b'ir_version: 8\ngraph {\n  name: "g"\n}\n', "an ONNX model in text form"),
        ("m.onnx", b"Thank you for downloading.", "a text file"),
        ("m.onnx", b"\x80\x02}q\x00(X\x05\x00", "a Python pickle"),
        ("m.onnx", b"PK\x03\x04" + bytes(22) + b"\x0c\0\0\0net/data.pkl", "a PyTorch file"),
        ("m.npz", b"PK\x03\x04" + bytes(22) + b"\x05\0\0\0x.npy", "archive of NumPy arrays"),
        ("m.onnx", b"PK\x03\x04" + bytes(22) + b"\x06\0\0\0m.onnx", "a damaged ZIP archive"),
        ("m.tflite", b"\x1c\0\0\0TFL3" + bytes(40), "it has no graph"),
        ("m.ort", b"\x1c\0\0\0ORTM" + bytes(40), "it has no graph"),
        ("m.h5", b"\x89HDF\r\n\x1a\n" + bytes(40), "an HDF5 file"),
        ("m.npy", b"\x93NUMPY\x01\x00", "a NumPy array"),
        ("m.safetensors", (60).to_bytes(8, "little") + b'{"w":{"dtype":"F32"', "safetensors"),
        ("m.onnx", b"\x89PNG\r\n\x1a\n", "an image"),
        ("m.bmp", b"BM\x36\x6c" + bytes(6) + b"\x36\0\0\0\x28\0\0\0" + bytes(36), "an image"),
        ("input_0.pb", TENSOR, "a serialized tensor or sequence"),
        ("m.pb", b"\x08\x01" + framed(2, b"a graph of TensorFlow"), "it has no graph"),
        ("m.pt", b"\x08\x01", "a PyTorch file"),
        ("m.onnx", b"\x00\x01\x02\x03", "not an ONNX model"),
        ("m.onnx", b"\x08\x08" + framed(7, b"x" * 50)[:-20], "20 B are missing at its end"),
    ],
)
def test_what_a_file_is_instead_is_said(tmp_path, name, body, why):
    path = tmp_path / name
    path.write_bytes(body)
    with pytest.raises(UnreadableFile) as failed:
        open_model(path)
    assert failed.value.what == f"Could not open {name}"
    assert why in failed.value.why
    assert failed.value.hint


def test_a_model_of_functions_alone_opens(tmp_path):
    path = tmp_path / "library.onnx"
    path.write_bytes(b"\x08\x08" + framed(25, framed(1, b"F") + framed(10, b"us")))
    assert [f.name for f in open_model(path).functions] == ["F"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize("read", [open_model, digest])
def test_what_is_no_file_is_refused_at_once(tmp_path, read):
    assert callable(read)
    os.mkfifo(tmp_path / "pipe.onnx")
    (tmp_path / "folder.onnx").mkdir()
    (tmp_path / "loop.onnx").symlink_to("loop.onnx")
    reasons = {
        "pipe.onnx": "it is a named pipe",
        "folder.onnx": "it is a folder",
        "missing.onnx": "there is no such file",
        "loop.onnx": "Too many levels of symbolic links",
        "x" * 300 + ".onnx": "File name too long",
        "a\0b.onnx": "a file name cannot contain a NUL character",
    }
    for name, why in reasons.items():
        with pytest.raises(UnreadableFile) as failed:
            read(tmp_path / name)
        assert failed.value.why == why
    with pytest.raises(UnreadableFile, match="a device, not a file"):
        read(Path("/dev/zero"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_name_that_is_no_text_can_still_be_told(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.onnx"))
    path.write_bytes(b"\x08\x08" + framed(7, b""))
    assert open_model(path).name.encode() == b"??.onnx"


def test_the_digest_is_that_of_the_whole_file(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert digest(path).startswith("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61")
    path.write_bytes(b"")
    assert digest(path).startswith("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b")


def test_a_file_that_shrinks_while_it_is_read_is_told(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(bytes(100))
    with open_source(path) as source:
        os.truncate(path, 50)
        with pytest.raises(UnreadableFile, match="was truncated"):
            source.read(0, 100)


@pytest.mark.parametrize(
    ("body", "name", "kind"),
    [
        (b"\x28\0\0\0ET12" + bytes(5000), "net.pte", "an ExecuTorch program"),
        (bytes(5000), "net.pte", "a damaged ExecuTorch program"),
    ],
)
def test_models_of_other_runtimes_are_named_as_what_they_are(body, name, kind):
    with pytest.raises(UnreadableFile, match=f"it is {kind}") as refusal:
        open_bytes(body, name)
    assert refusal.value.hint
