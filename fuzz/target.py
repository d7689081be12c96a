"""Fuzz targets for model and trace files, and the definition of a failure."""

from contextlib import suppress
from pathlib import Path

from inspector.analysis.facts import model_facts
from inspector.errors import UnreadableFile
from inspector.formats.onnx import reader
from inspector.formats.opening import located, open_bytes, open_model
from inspector.formats.source import of_bytes
from inspector.formats.traces.detection import looks_like_trace, open_trace


def read(body: bytes) -> bool:
    """Open bytes in every way there is; returns whether they are a model.

    Any exception but UnreadableFile comes out: it is a bug.
    """
    opened = False
    with suppress(UnreadableFile):
        model_facts.facts(open_bytes(body))
        opened = True
    with suppress(UnreadableFile):
        reader.skeleton(of_bytes(body, "model.onnx"), Path("model.onnx")).SerializeToString()
    return opened


def read_trace(body: bytes, folder: Path) -> bool:
    """Open bytes as a trace of another program, whichever it is."""
    path = folder / "any.trace"
    path.write_bytes(body)
    with suppress(UnreadableFile):
        if looks_like_trace(path):
            open_trace(path)
            return True
    return False


def read_archive(body: bytes, folder: Path) -> bool:
    """Open bytes as an archive with a model in it."""
    path = folder / "archive.zip"
    path.write_bytes(body)
    with suppress(UnreadableFile), located(path) as extracted:
        open_model(extracted)
        return True
    return False
