"""Models that are not files themselves: in a ZIP archive, on standard input, or a folder."""

import os
import shutil
import stat
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from inspector.errors import UnreadableFile
from inspector.formats.folders.reading import main_file
from inspector.formats.model_formats import (
    HEAD_BYTES,
    describe_by_first_bytes,
    format_of,
    may_be_onnx,
    model_suffixes,
)
from inspector.formats.names import STANDARD_INPUT
from inspector.formats.source import open_source
from inspector.formats.zip_members import DAMAGE, open_zip
from inspector.platform import files

MOST_BYTES = 16 << 30  # unpacked, against archives made to fill the disk
# Weights hardly shrink when packed: what grows far more than that was made to fill the disk. Up
# to ANY_BYTES it may, since a model of zeros is a usual test.
ANY_BYTES = 1 << 30
MOST_GROWTH = 20
MOST_MEMBERS = 20_000  # names read from an archive's directory
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_PIECE = 1 << 20
_SPARE_BYTES = 256 << 20  # of the disk, left free for other programs
_MAX_NAMED = 6  # models in a hint
_ENCRYPTED = 1


@contextmanager
def located(path: Path) -> Iterator[Path]:
    """Yield the path of a model as an ordinary file, valid while the block runs.

    path: a model file, yielded as it is; a folder that is one model, of which the graph that
    generates is yielded; "-" for standard input; an archive with one model; or an archive and
    the model inside: `models.zip/first/model.onnx`. Files are unpacked into a
    private temporary folder, with the external data files of the model. Raises UnreadableFile:
    no such model, several, or too big for the disk. NotSaved: no room for a folder.
    """
    archive, member = _split(path)
    if path != STANDARD_INPUT and archive is None:
        yield main_file(path)
        return
    with files.temporary_folder("inspector-", f"Could not open {path.name}") as folder:
        if archive is None:
            yield _saved_input(sys.stdin.buffer, Path(folder) / "standard input.onnx")
        else:
            yield _unpacked(archive, member, Path(folder))


def models_in(path: Path) -> tuple[Path, ...]:
    """Return the models in an archive as paths for `located`; for other files, the path."""
    archive, member = _split(path)
    if archive is None or member:
        return (path,)
    try:
        with _opened(archive) as zip_file:
            names = [
                name for name in zip_file.namelist() if name.lower().endswith(model_suffixes())
            ]
    except DAMAGE as error:
        raise _failure(path.name, f"the archive is damaged ({error})") from error
    return tuple(path / name for name in names) if len(names) > 1 else (path,)


def _models(members: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    suffixes = model_suffixes()
    return [info for info in members if info.filename.lower().endswith(suffixes)]


def _split(path: Path) -> tuple[Path | None, str]:
    """Split a path into an archive and the name inside; (None, "") for an ordinary file."""
    for candidate in (path, *path.parents):
        if files.is_file(candidate):
            inside = path.relative_to(candidate).as_posix() if candidate != path else ""
            return (candidate, inside) if _is_archive(candidate) else (None, "")
    return None, ""


def _is_archive(path: Path) -> bool:
    if path.suffix.lower() in model_suffixes() or not os.access(path, os.R_OK):
        return False
    with open_source(path) as source:
        if source.head(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
            return False
    try:
        with _opened(path) as archive:
            return bool(_models(archive.infolist()))
    except (UnreadableFile, *DAMAGE):
        return False


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    with open_source(path) as source, open_zip(source) as archive:
        yield archive


def _unpacked(path: Path, member: str, folder: Path) -> Path:
    try:
        with _opened(path) as archive:
            unpacking = _Unpacking(path, archive, folder)
            model = unpacking.extract_model(_chosen(path, archive, member))
            for name in side_files(model):
                unpacking.extract_external_data(name)
            return model
    except DAMAGE as error:
        raise _failure(path.name, f"the archive is damaged ({error})") from error


def _chosen(path: Path, archive: zipfile.ZipFile, member: str) -> zipfile.ZipInfo:
    """Return the model to open. Raises UnreadableFile: there is none, or more than one."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise _failure(path.name, f"the archive has more than {MOST_MEMBERS:,} files")
    models = _models(members)
    if member:
        named = [info for info in members if info.filename == member]
        if not named:
            raise _failure(
                path.name,
                f"the archive does not contain '{member[:200]}'",
                _names(path, models),
            )
        return named[-1]
    if not models:
        raise _failure(path.name, "the archive contains no models")
    if len(models) > 1:
        why = f"the archive contains {len(models)} models"
        raise _failure(path.name, why, _names(path, models))
    return models[0]


def _names(path: Path, models: list[zipfile.ZipInfo]) -> str:
    named = [f"{path.name}/{info.filename[:200]}" for info in models[:_MAX_NAMED]]
    more = f" and {len(models) - _MAX_NAMED} more" if len(models) > _MAX_NAMED else ""
    return f"Specify one of them: {', '.join(named)}{more}." if named else ""


class _Unpacking:
    """Extracts files of one archive into a folder, with one size limit for all of them."""

    def __init__(self, path: Path, archive: zipfile.ZipFile, folder: Path) -> None:
        self._name, self._archive, self._folder = path.name, archive, folder
        self._inside = PurePosixPath()
        plausible = max(ANY_BYTES, MOST_GROWTH * path.stat().st_size)
        free = shutil.disk_usage(folder).free - _SPARE_BYTES
        self._room = min(MOST_BYTES, plausible, free)

    def extract_model(self, info: zipfile.ZipInfo) -> Path:
        """Extract the model into the top of the folder and return its path."""
        self._inside = PurePosixPath(info.filename).parent
        cleaned = "".join(
            letter if letter.isprintable() and letter not in '\\/:*?"<>|' else "_"
            for letter in PurePosixPath(info.filename).name
        )
        target = self._folder / (cleaned.strip(". ")[-120:] or "model.onnx")
        self._copy(info, target, is_model=True)
        return target

    def extract_external_data(self, name: str) -> None:
        """Extract an external data file; the reader reports those that the archive lacks."""
        member = (self._inside / name).as_posix()
        matches = [info for info in self._archive.infolist() if info.filename == member]
        target = self._folder / name
        if matches and not files.exists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._copy(matches[-1], target)

    def _copy(self, info: zipfile.ZipInfo, target: Path, is_model: bool = False) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise _failure(self._name, "the archive is password-protected")
        if info.compress_type not in _METHODS:
            raise _failure(
                self._name, "it uses a compression method that Inspector does not support"
            )
        if stat.S_ISLNK(info.external_attr >> 16):
            why = f"the archive contains a symbolic link ('{info.filename[:200]}')"
            raise _failure(self._name, why)
        if info.file_size > self._room:
            raise _too_big(self._name, self._room)
        if is_model:
            self._look_at(info)
        with self._archive.open(info) as packed:  # which ends at file_size and checks the sum
            self._room -= _copied(packed, target, self._name, self._room)

    def _look_at(self, info: zipfile.ZipInfo) -> None:
        """Raise UnreadableFile if the first bytes say that a member is no ONNX model."""
        if not info.filename.lower().endswith(".onnx"):
            return
        with self._archive.open(info) as packed:
            head = packed.read(HEAD_BYTES)
        other = describe_by_first_bytes(head)
        if head[4:8] in (b"ORTM", b"TFL3") or (other is None and may_be_onnx(head)):
            return
        why, hint = other or ("it is not an ONNX model, or it is damaged", "Pack it again.")
        raise _failure(f"{self._name}/{info.filename}", why, hint)


def side_files(model: Path) -> list[str]:
    """Return the names of the external data files of a model, without forbidden ones."""
    # 120 ms, for models in archives only
    from inspector.formats.onnx import reader

    with open_source(model) as source:
        if format_of(source).id != "onnx":
            return []
        return reader.side_files(source)


def _saved_input(stream: IO[bytes], target: Path) -> Path:
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


def _too_big(name: str, room: int) -> UnreadableFile:
    return _failure(
        name,
        f"unpacked, it would take up more than {max(room, 0) >> 20:,} MiB",
        "Unpack it yourself, on a disk with more space.",
    )


def _failure(name: str, why: str, hint: str = "") -> UnreadableFile:
    return UnreadableFile(f"Could not open {name[:200]}", why, hint)
