"""Small files of formats other than ONNX that would become gigabytes, or take hours, when read.

Each function writes a file into a folder and returns its path.
"""

import io
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

from inspector.formats import budget
from tests.formats.tflite import build

_EMPTY = b"[]," * 10_000_000  # 30 MB, which Python parses to 720 MB and more
XML = '<?xml version="1.0"{}?><net name="n" version="11"><layers>{}</layers><edges/></net>'
LAYER = (
    '<layer id="0" name="x" type="Parameter" version="opset1"><output><port id="0">'
    "<dim>{}</dim></port></output></layer>"
)


def packed(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return path


def written(path: Path, body: bytes | str) -> Path:
    path.write_bytes(body.encode() if isinstance(body, str) else body)
    return path


def safetensors_file(path: Path, header: bytes) -> Path:
    return written(path, struct.pack("<Q", len(header)) + header + bytes(64))


def exported_program(folder: Path) -> Path:
    body = b'{"graph_module":[' + _EMPTY + b"[]]}"
    return packed(folder / "a.pt2", {"m/models/model.json": body})


def keras_archive(folder: Path) -> Path:
    body = b'{"class_name":"Functional","config":{"layers":[],"j":[' + _EMPTY + b"[]]}}"
    return packed(folder / "a.keras", {"metadata.json": b"{}", "config.json": body})


def keras_hdf5(folder: Path) -> Path:
    body = b'{"class_name": "Functional","config":{"layers":[],"j":[' + _EMPTY + b"[]]}}"
    return written(folder / "a.h5", b"\x89HDF\r\n\x1a\n" + body)


def tensorrt_values(folder: Path) -> Path:
    return written(folder / "a.json", b'{"Layers":[{"Name":"x","junk":[' + _EMPTY + b"[]]}]}")


def tensorrt_names(folder: Path) -> Path:
    return written(folder / "a.json", b'{"Layers":[' + b'"a",' * budget.MAX_PARTS + b'"a"]}')


def safetensors_header(folder: Path) -> Path:
    return safetensors_file(
        folder / "a.safetensors", b'{"__metadata__":{"x":[' + _EMPTY + b"[]]}}"
    )


def openvino_elements(folder: Path) -> Path:
    return written(folder / "a.xml", XML.format("", '<layer id="0" a="" b=""/>' * 1_100_000))


def openvino_attributes(folder: Path) -> Path:
    attributes = " ".join(f'a{number}=""' for number in range(600_000))
    return written(folder / "a.xml", XML.format("", f"<layer {attributes}/>"))


def archive_directory(folder: Path) -> Path:
    """An archive whose end says that its list of files is 17 MiB long."""
    path = packed(folder / "a.pt2", {"m/models/model.json": b"{}"})
    body = bytearray(path.read_bytes())
    body[-10:-6] = (17 << 20).to_bytes(4, "little")
    return written(path, bytes(body))


def torch_script(code: str) -> bytes:
    """Return a TorchScript archive with a file of code."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("m/version", "m/constants.pkl", "m/data.pkl"):
            archive.writestr(name, b"3")
        archive.writestr("m/code/__torch__/a.py", code)
    return stream.getvalue()


def torch_script_of_beginnings(folder: Path) -> Path:
    """A million beginnings of a signature: quadratic for a pattern that looks for its end."""
    return written(folder / "a.pt", torch_script("def forward(self" * 1_000_000))


def openvino_line_ends(folder: Path) -> Path:
    """An axis length of 4 million line ends: a copy of the text for each."""
    text = XML.format("", LAYER.format("\n" * 4_000_000 + "1"))
    return written(folder / "a.xml", text)


def metadata_of_one_buffer(count: int) -> bytes:
    """Return a TensorFlow Lite model whose list of metadata names one megabyte many times."""
    metadata = {0: "TFLITE_METADATA", 1: build.Number("u4", 0)}
    fields = {
        0: build.Number("u4", 3), 1: [], 2: [{0: [], 3: []}],
        4: [{0: os.urandom(1 << 20)}], 6: [metadata] * count,
    }  # fmt: skip
    return build.written(fields)


def tflite_metadata(folder: Path) -> Path:
    return written(folder / "a.tflite", metadata_of_one_buffer(20_000))


def manifest_of_gigabytes(folder: Path) -> Path:
    """A Core ML package whose manifest is a sparse file of 8 GiB."""
    package = folder / "a.mlpackage"
    (package / "Data").mkdir(parents=True)
    with (package / "Manifest.json").open("wb") as file:
        file.truncate(8 << 30)
    return package


def openvino_name_of_inner_layers(folder: Path) -> Path:
    """A name of 3 MB, of which the names of 100,000 inner layers are made."""
    inner = '<layer id="0" name="" type="R"><output><port id="0"/></output></layer>' * 100_000
    body = f"<body><layers>{inner}</layers><edges/></body>"
    layer = f'<layer id="0" name="{"n" * 3_000_000}" type="TensorIterator">{body}</layer>'
    return written(folder / "a.xml", XML.format("", layer))


def keras_names_of_inner_layers(folder: Path) -> Path:
    """Models in each other with long names, of which those of 300,000 layers are made."""
    layers = ",".join(
        f'{{"class_name":"D","config":{{"name":"{number}"}}}}' for number in range(300_000)
    )
    config = f'{{"layers":[{layers}]}}'
    for _ in range(18):
        entry = f'{{"class_name":"Functional","name":"{"m" * 399}","config":{config}}}'
        config = f'{{"layers":[{entry}]}}'
    body = f'{{"class_name":"Functional","config":{config}}}'.encode()
    return packed(folder / "a.keras", {"metadata.json": b"{}", "config.json": body})


FOREIGN: dict[str, Callable[[Path], Path]] = {
    make.__name__: make
    for make in (
        exported_program,
        keras_archive,
        keras_hdf5,
        tensorrt_values,
        tensorrt_names,
        safetensors_header,
        openvino_elements,
        openvino_attributes,
        archive_directory,
        torch_script_of_beginnings,
        openvino_line_ends,
        tflite_metadata,
        manifest_of_gigabytes,
        openvino_name_of_inner_layers,
        keras_names_of_inner_layers,
    )
}
