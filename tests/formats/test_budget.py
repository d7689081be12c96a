"""Files that are made to take time or memory are refused before they do."""

import io
import json
import os
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.errors import UnreadableFile
from inspector.formats import budget
from inspector.formats.opening import open_model
from inspector.formats.source import Source, of_bytes
from inspector.formats.tflite import reader as tflite_reader
from tests.formats.tflite import build

_EMPTY = b"[]," * 10_000_000  # 30 MB, which Python parses to 720 MB and more
_MOST_BYTES = 700 << 20  # of a process that reads one of these files, the interpreter included
_XML = '<?xml version="1.0"{}?><net name="n" version="11"><layers>{}</layers><edges/></net>'
_LAYER = (
    '<layer id="0" name="x" type="Parameter" version="opset1"><output><port id="0">'
    "<dim>{}</dim></port></output></layer>"
)


def _packed(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return path


def _written(path: Path, body: bytes | str) -> Path:
    path.write_bytes(body.encode() if isinstance(body, str) else body)
    return path


def _safetensors(path: Path, header: bytes) -> Path:
    return _written(path, struct.pack("<Q", len(header)) + header + bytes(64))


def exported_program(folder: Path) -> Path:
    body = b'{"graph_module":[' + _EMPTY + b"[]]}"
    return _packed(folder / "a.pt2", {"m/models/model.json": body})


def keras_archive(folder: Path) -> Path:
    body = b'{"class_name":"Functional","config":{"layers":[],"j":[' + _EMPTY + b"[]]}}"
    return _packed(folder / "a.keras", {"metadata.json": b"{}", "config.json": body})


def keras_hdf5(folder: Path) -> Path:
    body = b'{"class_name": "Functional","config":{"layers":[],"j":[' + _EMPTY + b"[]]}}"
    return _written(folder / "a.h5", b"\x89HDF\r\n\x1a\n" + body)


def tensorrt_values(folder: Path) -> Path:
    return _written(folder / "a.json", b'{"Layers":[{"Name":"x","junk":[' + _EMPTY + b"[]]}]}")


def tensorrt_names(folder: Path) -> Path:
    return _written(folder / "a.json", b'{"Layers":[' + b'"a",' * budget.MAX_PARTS + b'"a"]}')


def safetensors_header(folder: Path) -> Path:
    return _safetensors(folder / "a.safetensors", b'{"__metadata__":{"x":[' + _EMPTY + b"[]]}}")


def openvino_elements(folder: Path) -> Path:
    return _written(folder / "a.xml", _XML.format("", '<layer id="0" a="" b=""/>' * 1_100_000))


def openvino_attributes(folder: Path) -> Path:
    attributes = " ".join(f'a{number}=""' for number in range(600_000))
    return _written(folder / "a.xml", _XML.format("", f"<layer {attributes}/>"))


def archive_directory(folder: Path) -> Path:
    """An archive whose end says that its list of files is 17 MiB long."""
    path = _packed(folder / "a.pt2", {"m/models/model.json": b"{}"})
    body = bytearray(path.read_bytes())
    body[-10:-6] = (17 << 20).to_bytes(4, "little")
    return _written(path, bytes(body))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (exported_program, "'m/models/model.json' in it would take more than 1 GiB of memory"),
        (keras_archive, "its configuration would take more than 1 GiB of memory"),
        pytest.param(
            keras_hdf5,
            "its configuration would take more than 1 GiB of memory",
            marks=pytest.mark.slow,
        ),
        (tensorrt_values, "its JSON would take more than 1 GiB of memory"),
        pytest.param(
            tensorrt_names,
            "it has more than 1,000,000 layers, weights, values and attributes",
            marks=pytest.mark.slow,
        ),
        (safetensors_header, "its header would take more than 1 GiB of memory"),
        pytest.param(
            openvino_elements,
            "its XML has more than 4,000,000 elements and attributes",
            marks=pytest.mark.slow,
        ),
        (openvino_attributes, "its XML has a tag of more than 4 MiB"),
    ],
)
def test_what_would_fill_the_memory_is_refused_before(
    tmp_path: Path, make: Callable[[Path], Path], why: str
) -> None:
    path = make(tmp_path)
    code = (
        "import resource, sys; from pathlib import Path\n"
        "from inspector.errors import UnreadableFile; from inspector.formats import opening\n"
        "try: opening.open_model(Path(sys.argv[1]))\n"
        "except UnreadableFile as error: print(error.why)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    said, kibibytes = done.stdout.splitlines()
    assert said.startswith(why)
    if sys.platform == "linux":
        assert int(kibibytes) << 10 < _MOST_BYTES


def test_a_list_of_files_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        open_model(archive_directory(tmp_path))


def test_a_usual_file_of_100_000_values_is_far_from_the_limit() -> None:
    layers = [{"Name": f"layer {number}", "Inputs": [1, 2]} for number in range(20_000)]
    body = json.dumps({"Layers": layers}).encode()
    assert budget.json_value(of_bytes(body, "x.json"), body)["Layers"] == layers


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (
            lambda n: _torch_script("def forward(self" * n),
            (20_000, 80_000),
        ),
        (
            lambda n: ("a.xml", _XML.format("", _LAYER.format("\n" * n + "1")).encode()),
            (100_000, 400_000),
        ),
    ],
    ids=["torchscript signature", "openvino dim"],
)
def test_time_grows_no_faster_than_the_file(
    tmp_path: Path,
    small: Callable[[int], tuple[str, bytes]],
    large: tuple[int, int],
) -> None:
    seconds = []
    for count in large:
        name, body = small(count)
        path = _written(tmp_path / name, body)
        began = time.process_time()
        open_model(path)
        seconds.append(time.process_time() - began)
    assert seconds[1] < max(0.5, 8 * seconds[0])  # quadratic: 16 times


def _torch_script(code: str) -> tuple[str, bytes]:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("m/version", "m/constants.pkl", "m/data.pkl"):
            archive.writestr(name, b"3")
        archive.writestr("m/code/__torch__/a.py", code)
    return "a.pt", stream.getvalue()


def test_metadata_that_one_file_names_many_times_are_read_once() -> None:
    metadata = {0: "TFLITE_METADATA", 1: build.Number("u4", 0)}
    body = build.written(
        {
            0: build.Number("u4", 3),
            1: [],
            2: [{0: [], 3: []}],
            4: [{0: os.urandom(1 << 20)}],
            6: [metadata] * 500,
        }
    )
    read_bytes = 0

    def read_at(length: int, offset: int) -> bytes:
        nonlocal read_bytes
        read_bytes += length
        return body[offset : offset + length]

    tflite_reader.read(Source("a.tflite", read_at, len(body)))
    assert read_bytes < 4 << 20


def test_the_first_signature_with_a_type_is_shown(tmp_path: Path) -> None:
    code = "def forward(self: X):\n  pass\ndef forward(self: X,\n    x: Tensor) -> Tensor:\n  y"
    name, body = _torch_script(code)
    details = open_model(_written(tmp_path / name, body)).details
    assert details is not None
    assert dict(details.facts)["Forward"] == "forward(self: X, x: Tensor) -> Tensor"


@pytest.mark.parametrize("encoding", ["utf-7", "big5", "idna", "punycode", "rot13", "hex"])
def test_an_encoding_that_the_parser_does_not_know_is_a_sentence(
    tmp_path: Path, encoding: str
) -> None:
    body = _XML.format(f' encoding="{encoding}"', _LAYER.format("1"))
    with pytest.raises(UnreadableFile, match="its XML declares an encoding"):
        open_model(_written(tmp_path / "a.xml", body))


@pytest.mark.parametrize(
    ("shape", "end"),
    [("1e999, 4", "64"), ("1", "1e999"), ("1", "1" + "0" * 400), ("1.5", "4"), ("1", "4.5")],
)
def test_a_length_that_is_no_whole_number_of_64_bits_is_a_sentence(
    tmp_path: Path, shape: str, end: str
) -> None:
    header = '{"a":{"dtype":"F32","shape":[%s],"data_offsets":[0,%s]}}' % (shape, end)  # noqa: UP031
    with pytest.raises(UnreadableFile, match="its header is not that of a safetensors file"):
        open_model(_safetensors(tmp_path / "a.safetensors", header.encode()))


def test_a_manifest_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    package = tmp_path / "a.mlpackage"
    (package / "Data").mkdir(parents=True)
    with (package / "Manifest.json").open("wb") as file:
        file.truncate(8 << 30)
    with pytest.raises(UnreadableFile, match="a Core ML package without its model"):
        open_model(package)
