"""Files to begin with: our samples, and models of other people where they are."""

import io
import zipfile
from contextlib import suppress
from pathlib import Path

from fuzz.perfetto_seeds import perfetto_traces
from inspector.errors import UnreadableFile
from inspector.formats.opening import skeleton

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "models"
_LARGEST = 60_000
_SUFFIXES = (".onnx", ".ort")


def seeds() -> tuple[bytes, ...]:
    """Return models of at most 60 kB; of a larger one, what is left without its weights."""
    folders = [folder for folder in (ROOT / "sample_models", SHARED) if folder.is_dir()]
    paths = [path for folder in folders for path in sorted(folder.rglob("*"))]
    bodies = (_small(path) for path in paths if path.suffix.lower() in _SUFFIXES)
    return tuple(dict.fromkeys(body for body in bodies if body))


def archives(models: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return a ZIP archive of each of some models."""
    return tuple(_archive(model) for model in models[:20])


def traces() -> tuple[bytes, ...]:
    """Return traces in Perfetto's format and, where they are, small ones in Chrome's."""
    paths = sorted((SHARED / "profiles").rglob("*.json"))
    small = (path.read_bytes() for path in paths if path.stat().st_size <= _LARGEST)
    return (*perfetto_traces(), *small)


def _small(path: Path) -> bytes:
    if not path.is_file():
        return b""
    if path.stat().st_size <= _LARGEST:
        return path.read_bytes()
    with suppress(UnreadableFile):
        body: bytes = skeleton(path).SerializeToString()
        return body if len(body) <= _LARGEST else b""
    return b""


def _archive(model: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("net/model.onnx", model)
        archive.writestr("net/weights.bin", bytes(64))
    return packed.getvalue()
