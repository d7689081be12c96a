"""Models that are not a file of their own: inside a ZIP archive, or on standard input."""

import os
import shutil
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from inspector import files
from inspector.errors import UnreadableFile
from inspector.readers import onnx_model
from inspector.readers.external import entries, forbidden
from inspector.readers.skeleton import tensors
from inspector.readers.source import opened

MOST_BYTES = 16 << 30
MOST_MEMBERS = 20_000
STANDARD_INPUT = Path("-")
_SUFFIXES = (".onnx", ".ort")
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# What the standard library raises over a damaged archive, by what is damaged in it.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
    OverflowError,
)  # fmt: skip
_PIECE = 1 << 20
_SPARE_BYTES = 256 << 20  # of the disk, left to everybody else
_NAMED = 6
_ENCRYPTED = 1


@contextmanager
def located(path: Path) -> Iterator[Path]:
    """Give a path under which a model lies as an ordinary file while the block runs.

    path: a model file, which is itself the answer; "-" for standard input; an archive with
    one model; or an archive and the model inside: `models.zip/first/model.onnx`. What is
    taken out goes to a private folder that is gone afterwards, with the side files that the
    model names. Raises UnreadableFile: no such model, several, or too big for the disk.
    NotSaved: no room for a folder.
    """
    archive, member = _split(path)
    if path != STANDARD_INPUT and archive is None:
        yield path
        return
    with files.temporary_folder("inspector-", f"Could not open {path.name}") as folder:
        if archive is None:
            yield _taken_in(sys.stdin.buffer, Path(folder) / "standard input.onnx")
        else:
            yield _unpacked(archive, member, Path(folder))


def models_in(path: Path) -> tuple[Path, ...]:
    """Name the models in an archive as `located` takes them; the path itself for any other."""
    archive, member = _split(path)
    if archive is None or member:
        return (path,)
    try:
        with zipfile.ZipFile(archive) as opened_one:
            names = [name for name in opened_one.namelist() if name.lower().endswith(_SUFFIXES)]
    except _DAMAGE as error:
        raise _failure(path.name, f"the archive is damaged ({error})") from error
    return tuple(path / name for name in names) if len(names) > 1 else (path,)


def _split(path: Path) -> tuple[Path | None, str]:
    """Part a path into an archive and the name inside; (None, "") for an ordinary file."""
    for place in (path, *path.parents):
        if files.is_file(place):
            inside = path.relative_to(place).as_posix() if place != path else ""
            return (place, inside) if _is_archive(place) else (None, "")
    return None, ""


def _is_archive(path: Path) -> bool:
    if path.suffix.lower() in _SUFFIXES or not os.access(path, os.R_OK):
        return False
    with opened(path) as source:
        if source.head(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
            return False
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.lower().endswith(_SUFFIXES) for name in archive.namelist())
    except _DAMAGE:
        return False


def _unpacked(path: Path, member: str, folder: Path) -> Path:
    try:
        with zipfile.ZipFile(path) as archive:
            unpacking = _Unpacking(path.name, archive, folder)
            model = unpacking.take(_chosen(path, archive, member))
            for name in _side_files(model):
                unpacking.take_beside(name)
            return model
    except _DAMAGE as error:
        raise _failure(path.name, f"the archive is damaged ({error})") from error


def _chosen(path: Path, archive: zipfile.ZipFile, member: str) -> zipfile.ZipInfo:
    """Find the model to open. Raises UnreadableFile."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise _failure(path.name, f"the archive holds more than {MOST_MEMBERS:,} files")
    models = [info for info in members if info.filename.lower().endswith(_SUFFIXES)]
    if member:
        named = [info for info in members if info.filename == member]
        if not named:
            raise _failure(
                path.name, f"the archive holds no '{member[:200]}'", _names(path, models)
            )
        return named[-1]
    if len(models) != 1:
        raise _failure(
            path.name, f"it is an archive of {len(models)} models", _names(path, models)
        )
    return models[0]


def _names(path: Path, models: list[zipfile.ZipInfo]) -> str:
    named = [f"{path.name}/{info.filename[:200]}" for info in models[:_NAMED]]
    more = f" and {len(models) - _NAMED} more" if len(models) > _NAMED else ""
    return f"Name one of them: {', '.join(named)}{more}." if named else ""


class _Unpacking:
    """Takes files out of one archive into a folder, within one limit for all."""

    def __init__(self, name: str, archive: zipfile.ZipFile, folder: Path) -> None:
        self._name, self._archive, self._folder = name, archive, folder
        self._inside = PurePosixPath()
        self._room = min(MOST_BYTES, shutil.disk_usage(folder).free - _SPARE_BYTES)

    def take(self, info: zipfile.ZipInfo) -> Path:
        """Take out the model: it lies at the top of the folder."""
        self._inside = PurePosixPath(info.filename).parent
        target = self._folder / _plain(PurePosixPath(info.filename).name)
        self._copy(info, target)
        return target

    def take_beside(self, name: str) -> None:
        """Take out a file that the model names; the reader tells of one that is missing."""
        wanted = (self._inside / name).as_posix()
        found = [info for info in self._archive.infolist() if info.filename == wanted]
        target = self._folder / name
        if found and not files.exists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._copy(found[-1], target)

    def _copy(self, info: zipfile.ZipInfo, target: Path) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise _failure(self._name, "the archive is locked with a password")
        if info.compress_type not in _METHODS:
            raise _failure(self._name, "it is packed in a way that Inspector does not read")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise _failure(self._name, f"'{info.filename[:200]}' in it is a link")
        if info.file_size > self._room:
            raise _too_big(self._name, self._room)
        with self._archive.open(info) as packed:  # which ends at file_size and checks the sum
            self._room -= _copied(packed, target, self._name, self._room)


def _side_files(model: Path) -> list[str]:
    """Names of the files that a model says its values are in, without forbidden ones."""
    with opened(model) as source:
        if source.head(8)[4:] == b"ORTM":
            return []
        proto, _ = onnx_model.parsed(source)
    named = (entries(tensor).get("location", "") for tensor in tensors(proto))
    return [name for name in dict.fromkeys(named) if not forbidden(name)]


def _taken_in(stream: IO[bytes], target: Path) -> Path:
    if stream.isatty():
        hint = "Pipe a model into it: cat model.onnx | inspector info -"
        raise _failure("standard input", "nothing is piped into it", hint)
    room = min(MOST_BYTES, shutil.disk_usage(target.parent).free - _SPARE_BYTES)
    _copied(stream, target, "standard input", room)
    return target


def _copied(stream: IO[bytes], target: Path, name: str, room: int) -> int:
    total = 0
    with target.open("xb") as file:
        while piece := stream.read(_PIECE):
            total += len(piece)
            if total > room:
                raise _too_big(name, room)
            file.write(piece)
    return total


def _plain(name: str) -> str:
    """Make a name that every system takes for one file."""
    kept = "".join(
        letter if letter.isprintable() and letter not in '\\/:*?"<>|' else "_"
        for letter in name
    )
    return kept.strip(". ")[-120:] or "model.onnx"


def _too_big(name: str, room: int) -> UnreadableFile:
    return _failure(
        name,
        f"unpacked it would take more than {max(room, 0) >> 20:,} MiB",
        "Unpack it yourself, to a disk with room for it.",
    )


def _failure(name: str, why: str, hint: str = "") -> UnreadableFile:
    return UnreadableFile(f"Could not open {name[:200]}", why, hint)
