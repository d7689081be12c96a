"""Files to begin with: our samples, and models of other people where they are."""

import io
import zipfile
from contextlib import suppress
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.formats.model_formats import model_suffixes
from inspector.formats.opening import skeleton
from inspector.formats.protobuf_wire import encode_varint, framed

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "models"
_LARGEST = 60_000
_SUFFIXES = (*model_suffixes(), ".xml", ".pt")  # of OpenVINO and TorchScript as well


def seeds() -> tuple[bytes, ...]:
    """Return models of at most 60 kB; of a larger one, what is left without its weights."""
    places = (ROOT / "sample_models", ROOT / "tests" / "formats", SHARED)
    folders = [folder for folder in places if folder.is_dir()]
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


def perfetto_traces() -> tuple[bytes, ...]:
    """Return small traces: tracks, nested spans, a counter, interned names."""
    head = _tracks()
    spans = b"".join(
        _packet(at, _event(1 if opens else 2, 7, name))
        for at, opens, name in (
            (1_000, True, b"outer"), (1_500, True, b"inner"), (1_800, False, b""),
            (2_500, False, b""),
        )
    )  # fmt: skip
    counter = _packet(1_200, _event(4, 9, b"") + _number(30, 4096))
    interned = framed(1, _number(8, 3_000) + _number(10, 1) + framed(12, _kept(1, b"kept")))
    return head + spans, head + counter + spans, head + interned + spans


def _tracks() -> bytes:
    process = framed(3, _number(1, 77) + framed(6, b"app"))
    thread = framed(4, _number(1, 77) + _number(2, 78) + framed(5, b"worker"))
    meter = framed(8, _number(3, 3) + _number(4, 1024))
    tracks = (
        _number(1, 5) + process,
        _number(1, 7) + _number(5, 5) + thread,
        _number(1, 9) + framed(2, b"Heap") + _number(5, 5) + meter,
    )
    return b"".join(framed(1, _number(10, 1) + framed(60, each)) for each in tracks)


def _packet(at: int, event: bytes) -> bytes:
    return framed(1, _number(8, at) + _number(10, 1) + framed(11, event))


def _event(kind: int, track: int, name: bytes) -> bytes:
    return _number(9, kind) + _number(11, track) + (framed(23, name) if name else b"")


def _kept(place: int, name: bytes) -> bytes:
    return framed(2, _number(1, place) + framed(2, name))


def _number(field: int, value: int) -> bytes:
    return encode_varint(field << 3) + encode_varint(value)
