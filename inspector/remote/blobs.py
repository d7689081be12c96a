"""Files by their SHA-256: received in pieces, checked, kept for a while within a quota."""

import hashlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from inspector.errors import BadInput, NotSaved
from inspector.platform import files
from inspector.remote.messages import PIECE_BYTES, Piece, is_plain_name, is_sha256
from inspector.units import size

QUOTA_BYTES = 20 << 30
KEEP_SECONDS = 7 * 86_400.0  # of a file that nothing used
_SPARE_BYTES = 1 << 30  # of the disk, which stay free
_HASH_BYTES = 1 << 20


class Blobs:
    """Files in one folder, each named by its SHA-256 and read-only.

    A file is there or not: it is received as NAME.part, which a broken line leaves to be
    continued, and renamed once its bytes have the name's SHA-256. Several processes may share
    the folder.
    """

    def __init__(
        self, folder: Path, quota_bytes: int = QUOTA_BYTES, keep_seconds: float = KEEP_SECONDS
    ) -> None:
        self._folder, self._quota, self._keep = folder, quota_bytes, keep_seconds
        folder.mkdir(parents=True, exist_ok=True)
        self._expected: dict[str, int] = {}
        self._arriving: dict[str, _Part] = {}

    def has(self, sha256: str) -> bool:
        """Return whether a file is here; it then counts as used now."""
        path = self._path(sha256)
        try:
            # The time of the last change stays: a model that is measured must not change.
            os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        except OSError:
            return False
        return True

    def path(self, sha256: str) -> Path:
        """Return where a file is. Raises BadInput: it is not here."""
        if not self.has(sha256):
            why = f"the file {sha256[:12]} is not on this machine"
            raise BadInput("Could not run the job", why, "Run it again.")
        return self._path(sha256)

    def missing(self, wanted: Mapping[str, int]) -> dict[str, int]:
        """Return which files are missing, with the number of bytes that are here already.

        wanted: sizes by SHA-256; only these are accepted by `write` from now on. Raises
        BadInput: the name is no SHA-256, or there is no room for them.
        """
        for sha256, count in wanted.items():
            if not is_sha256(sha256) or type(count) is not int or count < 0:
                raise BadInput("The agent refused a file", "it has no valid SHA-256 or size")
        absent = {sha256: count for sha256, count in wanted.items() if not self.has(sha256)}
        if absent:
            self._make_room(sum(absent.values()), keep=wanted)
        self._expected |= absent
        return {sha256: self._part(sha256).size for sha256 in absent}

    def write(self, piece: Piece) -> bool:
        """Take a piece of a file; returns whether the file is complete, checked and in place.

        Raises BadInput: it was not announced, is not the next piece, or the bytes are others
        than the name says; NotSaved: no room.
        """
        total = self._expected.get(piece.sha256)
        if total is None:
            raise BadInput("The agent refused a file", "the job does not list it")
        part = self._part(piece.sha256)
        if piece.offset != part.size or part.size + len(piece.data) > total:
            self._drop(piece.sha256)
            raise BadInput("The agent refused a file", "its parts arrived out of order")
        try:
            part.append(piece.data)
        except OSError as error:
            self._drop(piece.sha256)
            why = error.strerror or str(error)
            raise NotSaved("Could not store a file on the other machine", why) from error
        if part.size < total:
            return False
        sha256 = piece.sha256
        del self._arriving[sha256], self._expected[sha256]
        part.close()
        if part.hash.hexdigest() != sha256:
            _delete(part.path)
            raise BadInput("The agent refused a file", "its content does not match its SHA-256")
        _protect(part.path)
        os.replace(part.path, self._path(sha256))
        return True

    def add(self, path: Path) -> tuple[str, int]:
        """Move a file of this machine here; returns its SHA-256 and size."""
        sha256, count = hash_of(path)
        target = self._path(sha256)
        os.replace(path, target)
        _protect(target)
        return sha256, count

    def pieces(self, sha256: str, offset: int = 0) -> Iterator[Piece]:
        """Yield a file in pieces from an offset. Raises BadInput: it is not here."""
        yield from pieces_of(self.path(sha256), sha256, offset)

    def lay_out(self, named: Iterable[tuple[str, str]], folder: Path) -> None:
        """Put files into a folder by other names. named: name and SHA-256."""
        for name, sha256 in named:
            if not is_plain_name(name):
                raise BadInput(
                    "Could not run the job",
                    f"'{name[:80]}' must be a file name without a folder",
                )
            source, target = self.path(sha256), folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:  # a file system without links
                shutil.copyfile(source, target)

    def delete(self, sha256: str) -> None:
        """Delete a file."""
        _delete(self._path(sha256))

    def clean(self) -> None:
        """Delete files that nothing used for a long time."""
        now = time.time()
        for path, status in self._listed():
            if now - max(status.st_atime, status.st_mtime) > self._keep:
                _delete(path)

    def close(self) -> None:
        """Close the files that are arriving; what is there stays to be continued."""
        for part in self._arriving.values():
            part.close()
        self._arriving.clear()

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256

    def _part(self, sha256: str) -> "_Part":
        if sha256 not in self._arriving:
            self._arriving[sha256] = _Part(self._folder, sha256)
        return self._arriving[sha256]

    def _drop(self, sha256: str) -> None:
        part = self._arriving.pop(sha256, None)
        if part is not None:
            part.close()
            _delete(part.path)

    def _listed(self) -> list[tuple[Path, os.stat_result]]:
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    found.append((Path(entry.path), entry.stat(follow_symlinks=False)))
        return found

    def _make_room(self, count: int, keep: Iterable[str]) -> None:
        """Delete what was not used for longest until there is room. Raises BadInput."""
        kept = set(keep)
        listed = self._listed()
        used = sum(status.st_size for _, status in listed)
        free = shutil.disk_usage(self._folder).free - _SPARE_BYTES
        listed.sort(key=lambda item: max(item[1].st_atime, item[1].st_mtime))
        for path, status in listed:
            if used + count <= self._quota and count <= free:
                return
            if path.name.partition(".")[0] not in kept:
                _delete(path)
                used, free = used - status.st_size, free + status.st_size
        if used + count > self._quota or count > free:
            room = size(max(0, min(self._quota - used, free)))
            why = f"it needs {size(count)}, and the other machine has room for {room}"
            hint = "Free up some space there, or start its agent with a larger --quota."
            raise BadInput("Could not send the model", why, hint)


class _Part:
    """A file that is arriving; who finds it locked by another process begins one of its own."""

    def __init__(self, folder: Path, sha256: str) -> None:
        self.path = folder / f"{sha256}.part"
        self._file = self._opened(self.path)
        if self._file is None:
            self.path = folder / f"{sha256}.{os.getpid()}.part"
            self._file = self._opened(self.path)
        if self._file is None:
            raise NotSaved("Could not store a file", f"{folder} cannot be written")
        self.hash, self.size = hashlib.sha256(), 0
        while body := self._file.read(_HASH_BYTES):
            self.hash.update(body)
            self.size += len(body)

    def append(self, data: bytes) -> None:
        """Write the next bytes. Raises OSError."""
        assert self._file is not None
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        self.hash.update(data)
        self.size += len(data)

    def close(self) -> None:
        """Close the file, and give back its lock."""
        if self._file is not None:
            self._file.close()

    @staticmethod
    def _opened(path: Path) -> IO[bytes] | None:
        opened = files.open_lock(path)
        if opened is not None and not files.try_lock(opened):
            opened.close()
            return None
        return opened


def hash_of(path: Path) -> tuple[str, int]:
    """Return the SHA-256 of a file, and its size. Raises OSError."""
    sha256, count = hashlib.sha256(), 0
    with path.open("rb") as file:
        while body := file.read(_HASH_BYTES):
            sha256.update(body)
            count += len(body)
    return sha256.hexdigest(), count


def pieces_of(path: Path, sha256: str, offset: int = 0) -> Iterator[Piece]:
    """Yield a file in pieces from an offset; an empty file has one. Raises OSError."""
    with path.open("rb") as file:
        file.seek(offset)
        body = file.read(PIECE_BYTES)
        yield Piece(sha256, offset, body)
        while body:
            offset += len(body)
            body = file.read(PIECE_BYTES)
            if body:
                yield Piece(sha256, offset, body)


def _protect(path: Path) -> None:
    """Make a file read-only where such a file can be deleted all the same."""
    if os.name != "nt":
        path.chmod(0o444)


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
