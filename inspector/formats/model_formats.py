"""The registry of model file formats; opening, archives, dialogs and messages derive from it.

A new format is one folder of `inspector/formats` whose reader module has
`read(source: Source, path: Path | None) -> Model`, and one line in `MODEL_FORMATS`.
This module imports no reader, so that file dialogs can use it at start-up.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelFormat:
    """One model file format.

    id: what `Model.format` says. suffixes: of its file names, in lower case.
    reader: the module with its `read` function, imported when a file of the format is opened.
    marker, marker_offset: bytes at a place of the first `HEAD_BYTES`; an empty marker fits any
    file, as protobuf files have none.
    """

    id: str
    suffixes: tuple[str, ...]
    reader: str
    marker: bytes = b""
    marker_offset: int = 0

    def matches(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is of this format."""
        return head[self.marker_offset :].startswith(self.marker)


# The first format that matches reads the file. ONNX is last: it fits any file, and its reader
# says what a file is that is no model.
MODEL_FORMATS: tuple[ModelFormat, ...] = (
    ModelFormat("ort", (".ort",), "inspector.formats.ort.ort_model", b"ORTM", 4),
    ModelFormat("onnx", (".onnx",), "inspector.formats.onnx.reader"),
)
HEAD_BYTES = 4096  # of a file, from which its format is recognized


def format_of(head: bytes) -> ModelFormat:
    """Return the format of a file by its first bytes, at most `HEAD_BYTES`."""
    return next(model_format for model_format in MODEL_FORMATS if model_format.matches(head))


def model_suffixes() -> tuple[str, ...]:
    """Return the suffixes of all model files, ONNX first."""
    return tuple(suffix for entry in reversed(MODEL_FORMATS) for suffix in entry.suffixes)


def file_patterns() -> str:
    """Return the patterns of all model files for a file dialog: '*.onnx *.ort'."""
    return " ".join(f"*{suffix}" for suffix in model_suffixes())
