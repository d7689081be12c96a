"""The registry of model file formats; opening, archives, dialogs and messages derive from it.

A new format is one folder of `inspector/formats` whose reader module has
`read(source: Source, path: Path | None) -> Model`, and one line in `MODEL_FORMATS`. Packages
can add formats too (`plugin_formats`); their readers run in a confined process.
This module imports no reader, so that file dialogs can use it at start-up.
"""

import os
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePath
from typing import Protocol

from inspector.formats.coreml.package import is_compiled
from inspector.formats.shard_names import whole
from inspector.platform import files, plugins
from inspector.platform.data_struct import DataStruct

_RECOGNITION = "inspector.formats.recognition"
HEAD_BYTES = 4096  # of a file, from which its format is recognized
_MAX_ENTRIES = 1000  # of a folder, read to suggest a model in it
_EXPORT = "Export it as ONNX first."
_UNPACK = "Unpack it and open the .onnx file inside."
ZIP_ARCHIVE = "it is a ZIP archive", "Rename it to .zip and open it, or unpack it."
_VALUE = "Open a model first, then this file in Preview as the value of an input."
_DOWNLOAD = "Download the file again; you may have to log in to the site first."
# The first bytes of a kind of file, its description, and a hint.
_MAGIC = (
    (b"version https://git-lfs",
     "a Git LFS pointer file; the model itself has not been downloaded",
     "Run 'git lfs pull' in its repository."),
    (b"ftrt", "a TensorRT engine, compiled for one kind of GPU",
     "Open the ONNX model from which it was built."),
    (b"\x93NUMPY", "a NumPy array", _VALUE),
    (b"\x89PNG", "an image", _VALUE),
    (b"\xff\xd8\xff", "an image", _VALUE),
    (b"GIF8", "an image", _VALUE),
    (b"II*\0", "an image", _VALUE),
    (b"MM\0*", "an image", _VALUE),
    (b"RIFF", "an audio or image file", _VALUE),
    (b"\x1f\x8b", "a compressed file (gzip)", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a compressed file (7z)", _UNPACK),
    (b"\xfd7zXZ\x00", "a compressed file (xz)", _UNPACK),
    (b"BZh", "a compressed file (bzip2)", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a compressed file (zstd)", _UNPACK),
    (b"MZ", "a Windows program", "Choose a model file."),
    (b"\x7fELF", "a program", "Choose a model file."),
    (b"%PDF", "a PDF document", "Choose a model file."),
)  # fmt: skip
_AT_4 = (
    (b"ORTM", "an ORT-format model, already optimized by ONNX Runtime",
     "It can be viewed, run and measured. For anything else, open the original ONNX model."),
    (b"TFL3", "a TensorFlow Lite model", "This needs an ONNX model."),
    (b"ET12", "an ExecuTorch program, compiled for one kind of device",
     "Open the .pt2 file that torch.export.save writes of the same program."),
)  # fmt: skip
# Of a bitmap: bytes of its second header. 'BM' alone may begin an ONNX model.
_BITMAPS = (b"\x0c\0\0\0", b"\x28\0\0\0", b"\x6c\0\0\0", b"\x7c\0\0\0")
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_PARTS = ("model0", "model1", "model2", "model3")  # folders of a compiled Core ML pipeline
_PYTORCH = (
    "Export it from Python with torch.onnx.export. Opening a PyTorch file could run its code."
)
_COREML = "Export the original model again."
_DOWNLOAD_AGAIN = "Download or export it again."
_SUFFIXES = {
    ".mlmodel": ("a damaged Core ML model", _COREML),
    ".dlc": (
        "a model for Qualcomm's runtime",
        "Open the ONNX model from which it was converted.",
    ),
    ".engine": (
        "a TensorRT engine, compiled for one kind of GPU",
        "Open the ONNX model from which it was built.",
    ),
    ".litertlm": ("a damaged LiteRT-LM bundle", "Download it again."),
    ".pte": ("a damaged ExecuTorch program", "Download or convert it again."),
    ".pth": ("a PyTorch file", _PYTORCH),
    ".pt": ("a PyTorch file", _PYTORCH),
    ".tflite": ("a damaged TensorFlow Lite model", "Download or convert it again."),
    ".h5": ("a damaged Keras model", _EXPORT),
    ".caffemodel": ("a Caffe model", _EXPORT),
    ".ort": ("a damaged ORT-format model", _EXPORT),
    ".pt2": ("a damaged PyTorch program", "Save it again with torch.export.save."),
    ".keras": ("a damaged Keras model", _EXPORT),
    ".gguf": ("a damaged GGUF file", _DOWNLOAD_AGAIN),
    ".safetensors": ("a damaged safetensors file", _DOWNLOAD_AGAIN),
}
_COREML_FIRST_MODEL_FIELD = 200  # neural networks, trees, pipelines, ... of Core ML's Model
# Field number of ModelProto -> wire type (onnx.proto).
_MODEL_FIELDS = {1: 0, 2: 2, 3: 2, 4: 2, 5: 0, 6: 2, 7: 2, 8: 2, 14: 2, 20: 2, 25: 2, 26: 2}
_GRAPH = 7
_FUNCTIONS = 25
_LAST_TENSOR_FIELD = 16


class Readable(Protocol):
    """What is asked of a `Source`, which imports this module."""

    name: str
    size: int

    def head(self, length: int) -> bytes:
        """Return the first bytes, at most `length`."""


class ModelFormat(DataStruct, frozen=True):
    """One model file format.

    id: what `Model.format` says. suffixes: of its file names, in lower case.
    reader: the module with its `read` function, imported when a file of the format is opened.
    marker, marker_offset: bytes at a place of the first `HEAD_BYTES`; an empty marker fits any
    file, as protobuf files have none. recognizes: where a marker is not enough, the name of a
    function of `recognition.py`.
    shared_suffixes: those that files of other kinds have as well: dialogs offer them, folders
    are not searched for them.
    title: for people ("Core ML"). runs_with: what runs such models, and where, if none of
    Inspector's backends does ("Core ML, on Apple systems only"); empty where one does.
    confined: whether the reader runs in a process of its own, as those of plugins do.
    """

    id: str
    suffixes: tuple[str, ...]
    reader: str
    marker: bytes = b""
    marker_offset: int = 0
    recognizes: str = ""
    shared_suffixes: tuple[str, ...] = ()
    title: str = ""
    runs_with: str = ""
    confined: bool = False

    def matches(self, source: Readable, head: bytes) -> bool:
        """Return whether a file, which begins with these bytes, is of this format."""
        if not head[self.marker_offset :].startswith(self.marker):
            return False
        if not self.recognizes:
            return True
        return bool(plugins.load(f"{_RECOGNITION}:{self.recognizes}")(source))


# The first format that matches reads the file. ONNX is last: it fits any file, and its reader
# says what a file is that is no model.
MODEL_FORMATS: tuple[ModelFormat, ...] = (
    ModelFormat("ort", (".ort",), "inspector.formats.ort.ort_model", b"ORTM", 4),
    ModelFormat(
        "tflite",
        (".tflite",),
        "inspector.formats.tflite.reader",
        b"TFL3",
        4,
        title="TensorFlow Lite",
    ),
    ModelFormat(
        "litertlm",
        (".litertlm",),
        "inspector.formats.litertlm.reader",
        b"LITERTLM",
        title="LiteRT-LM",
        runs_with="LiteRT-LM",
    ),
    ModelFormat(
        "coreml",
        (".mlmodel", ".mlpackage", ".mlmodelc"),
        "inspector.formats.coreml.reader",
        recognizes="is_core_ml",
        title="Core ML",
        runs_with="Core ML, on Apple systems only",
    ),
    ModelFormat(
        "exported program",
        (".pt2",),
        "inspector.formats.pytorch.exported_program",
        b"PK\x03\x04",
        recognizes="is_exported_program",
        title="PyTorch-exported",
        runs_with="PyTorch (torch.export.load)",
    ),
    ModelFormat(
        "torchscript",
        (),
        "inspector.formats.pytorch.torch_script",
        b"PK\x03\x04",
        recognizes="is_torch_script",
        shared_suffixes=(".pt",),
        title="TorchScript",
        runs_with="PyTorch (torch.jit.load)",
    ),
    ModelFormat(
        "keras",
        (".keras",),
        "inspector.formats.keras.reader",
        recognizes="is_keras",
        shared_suffixes=(".h5",),
        title="Keras",
        runs_with="Keras",
    ),
    ModelFormat(
        "openvino",
        (),
        "inspector.formats.openvino.reader",
        recognizes="is_openvino",
        shared_suffixes=(".xml",),
        title="OpenVINO",
    ),
    ModelFormat(
        "tensorrt",
        (),
        "inspector.formats.tensorrt.layer_information",
        recognizes="is_tensorrt_layers",
        title="TensorRT",
        runs_with="TensorRT, on NVIDIA GPUs",
    ),
    ModelFormat(
        "gguf",
        (".gguf",),
        "inspector.formats.weight_files.gguf",
        b"GGUF",
        title="GGUF",
        runs_with="llama.cpp and programs built on it",
    ),
    ModelFormat(
        "safetensors",
        (".safetensors",),
        "inspector.formats.weight_files.safetensors",
        recognizes="is_safetensors",
        title="safetensors",
        runs_with="the program that defines the network (the file has only weights)",
    ),
    ModelFormat(
        "safetensors index",
        (),
        "inspector.formats.weight_files.shards",
        recognizes="is_safetensors_index",
        shared_suffixes=(".safetensors.index.json",),
        title="safetensors",
        runs_with="the program that defines the network (the files have only weights)",
    ),
    ModelFormat("onnx", (".onnx",), "inspector.formats.onnx.reader"),
)


def format_of(source: Readable) -> ModelFormat:
    """Return the format of a file by its content."""
    head = source.head(HEAD_BYTES)
    own = next(each for each in MODEL_FORMATS if each.matches(source, head))
    name = source.name.lower()
    if own is not MODEL_FORMATS[-1] or name.endswith(own.suffixes):
        return own
    for each in plugin_formats():
        if each.matches(source, head) and (each.marker or name.endswith(each.suffixes)):
            return each
    return own


def plugin_formats() -> tuple[ModelFormat, ...]:
    """Return the formats that plugins add: those with an id of their own, told apart by a
    marker or by the suffix of the file's name."""
    formats = {}
    for plugin in plugins.usable(plugins.FORMATS):
        value: ModelFormat = plugin.value
        if any(value.id == each.id for each in MODEL_FORMATS) or value.id in formats:
            plugin.problem = f"the format '{value.id}' already exists"
        elif value.recognizes or not (value.marker or value.suffixes):
            plugin.problem = "a format of a plugin needs a marker or a suffix"
        else:
            formats[value.id] = replace(value, title=value.title or value.id, confined=True)
    return tuple(formats.values())


def by_id(format_id: str) -> ModelFormat | None:
    """Return the format that `Model.format` names; None for one that is not registered."""
    own = (each for each in MODEL_FORMATS if each.id == format_id)
    return next(own, None) or next(
        (each for each in plugin_formats() if each.id == format_id), None
    )


def not_run(model_format: ModelFormat) -> tuple[str, str]:
    """Return why Inspector runs no model of a format, and what can be done instead."""
    return (
        f"Inspector does not run {model_format.title} models",
        "Overview, Graph, Weights and Compare models show what is in the file. "
        f"They run with {model_format.runs_with}. To run and measure the network here, export "
        "the original model as ONNX.",
    )


def runs_with(format_id: str) -> str:
    """Return what runs models of a format where Inspector does not; empty where it does."""
    model_format = by_id(format_id)
    return model_format.runs_with if model_format is not None else ""


def model_suffixes() -> tuple[str, ...]:
    """Return the suffixes of all model files, ONNX first."""
    formats = (*reversed(MODEL_FORMATS), *plugin_formats())
    return tuple(suffix for entry in formats for suffix in entry.suffixes)


def file_patterns() -> str:
    """Return the patterns of all model files for a file dialog: '*.onnx *.ort'."""
    shared = (
        suffix
        for entry in (*MODEL_FORMATS, *plugin_formats())
        for suffix in entry.shared_suffixes
    )
    return " ".join(f"*{suffix}" for suffix in (*model_suffixes(), *shared))


def describe_by_first_bytes(head: bytes) -> tuple[str, str] | None:
    """Return what a file is and a hint, or None if it may be an ONNX model."""
    if not head:
        return "the file is empty", "Download or export it again."
    for start, kind, hint in _MAGIC:
        if head.startswith(start):
            return f"it is {kind}", hint
    for mark, kind, hint in _AT_4:
        if head[4:8] == mark and head[3] == 0:
            return f"it is {kind}", hint
    if head.startswith(b"BM") and head[14:18] in _BITMAPS:
        return "it is an image", _VALUE
    if head.startswith(_PICKLES):
        return "it is a Python pickle, as written by PyTorch", _PYTORCH
    if head.startswith(b"PK\x03\x04"):
        length = int.from_bytes(head[26:28], "little")
        first = head[30 : 30 + length]
        if first.endswith((b"/data.pkl", b"/.format_version", b"/byteorder")):
            return "it is a PyTorch file", _PYTORCH
        if first.endswith(b".npy"):
            return (
                "it is an archive of NumPy arrays",
                "Open a model first, then this file in Preview as the values of its inputs.",
            )
        if b".mlpackage/" in first or first == b"Manifest.json":
            return (
                "it is a compressed Core ML model",
                "Unpack it and open the .mlpackage inside.",
            )
        return ZIP_ARCHIVE
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if not start or not _is_text(head):
        return None
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "it is a web page, not a model", _DOWNLOAD
    if start.startswith(b"<"):
        return "it is an XML file", "Choose a model file."
    if start.startswith((b"{", b"[")):
        return "it is a JSON file", "Choose a model file."
    if start.startswith((b"ir_version", b"graph", b"producer_name", b"opset_import")):
        hint = "Save it as a binary file: onnx.save(model, 'model.onnx')."
        return "it is an ONNX model in text form", hint
    return "it is a text file", "Choose a model file."


def may_be_onnx(head: bytes) -> bool:
    """Return whether a file begins with a field of an onnx.ModelProto."""
    first = head[0] if head else 0
    return first > 127 or _MODEL_FIELDS.get(first >> 3) == first & 7


def describe_folder(path: Path) -> tuple[str, str]:
    """Return what a folder is, by its name and its files, and a hint."""
    suffix = path.suffix.lower()
    if suffix == ".mlmodelc":
        hint = "Open the .mlmodel or .mlpackage from which it was compiled."
        part = next((name for name in _PARTS if is_compiled(path / name)), "")
        hint = f"Open one of its parts, for example {part}." if part else hint
        return "it is a compiled Core ML model without model.mil or model.espresso.net", hint
    if suffix == ".mlpackage":
        return "it is a Core ML package without its Manifest.json", _COREML
    if files.is_file(path / "saved_model.pb"):
        return "it is a TensorFlow SavedModel (a folder)", "Convert it to ONNX with tf2onnx."
    try:
        with os.scandir(path) as entries:
            first = islice(entries, _MAX_ENTRIES)
            models = sorted(e.name for e in first if e.name.lower().endswith(model_suffixes()))
    except OSError:
        models = []
    if models:
        example = whole(path / models[0]).name
        return "it is a folder", f"Choose a model file inside it, for example {example}."
    return "it is a folder", "Choose a model file; there is none directly in this folder."


def describe_by_fields(fields: frozenset[tuple[int, int]], name: str) -> tuple[str, str] | None:
    """Return what a protobuf file is and a hint, or None if it may be an ONNX model.

    fields: (field number, wire type) pairs of its outermost message.
    """
    wrong = any(_MODEL_FIELDS.get(field, wire) != wire for field, wire in fields)
    present = {field for field, _ in fields}
    if not wrong and present & {_GRAPH, _FUNCTIONS}:
        return None
    if any(field >= _COREML_FIRST_MODEL_FIELD for field in present):
        return "it is a damaged Core ML model", _COREML
    if (2, 0) in fields and max(present) <= _LAST_TENSOR_FIELD:
        return "it is a serialized tensor or sequence, not a model", _VALUE
    return describe_by_suffix(name) or (
        "it is not an ONNX model: it has no graph",
        "Choose a model file.",
    )


def describe_by_suffix(name: str) -> tuple[str, str] | None:
    """Return what a file probably is by its suffix and a hint; None if it is unknown."""
    match = _SUFFIXES.get(PurePath(name).suffix.lower())
    return (f"it is {match[0]}", match[1]) if match else None


def _is_text(head: bytes) -> bool:
    return not any(byte < 9 or 13 < byte < 32 for byte in head)
