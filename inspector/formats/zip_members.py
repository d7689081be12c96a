"""ZIP archives of strangers: opened after a look at their directory, read with limits."""

import struct
import zipfile
import zlib

from inspector.formats.source import Source, as_file
from inspector.model.model import Place

MOST_MEMBERS = 200_000
_MOST_UNPACKED_BYTES = 512 << 20  # of all members that are read into memory
# Python reads the directory as a whole, and needs 15 times its size for what it makes of it.
_MOST_DIRECTORY_BYTES = 16 << 20
_END = b"PK\x05\x06"
_END_BYTES = 22
_LONGEST_COMMENT = 65_536
_WIDE_LOCATOR = b"PK\x06\x07"
_WIDE_LOCATOR_BYTES = 20
_WIDE_END_BYTES = 56
_IN_WIDE_END = 0xFFFFFFFF  # a size that does not fit, in an archive above 4 GiB
_LOCAL_HEAD = 30  # bytes before the name of a member, in front of its data
_LOCAL_MARK = b"PK\x03\x04"
_ENCRYPTED = 1
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
    OverflowError, NotImplementedError,
)  # fmt: skip


class Members:
    """The files of one archive. Raises UnreadableFile: it is damaged or has too many."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._room = _MOST_UNPACKED_BYTES
        self._archive = open_zip(source)
        infos = self._archive.infolist()
        if len(infos) > MOST_MEMBERS:
            raise source.failure(f"the archive has more than {MOST_MEMBERS:,} files")
        self._infos = {info.filename: info for info in infos}
        self.names = tuple(self._infos)

    def size(self, name: str) -> int:
        """Return the size of a member, unpacked; 0 for none."""
        info = self._infos.get(name)
        return info.file_size if info is not None else 0

    def ending(self, ending: str) -> str:
        """Return the first member whose name has an ending; empty for none."""
        return next((name for name in self.names if name.endswith(ending)), "")

    def read(self, name: str, limit_bytes: int) -> bytes:
        """Return the bytes of a member. Raises UnreadableFile: too big, damaged, encrypted."""
        info = self._infos[name]
        shown = f"'{name[:120]}' in it"
        if info.file_size > limit_bytes:
            raise self._source.failure(f"{shown} is larger than {limit_bytes >> 20} MiB")
        self._room -= info.file_size
        if self._room < 0:
            why = f"more than {_MOST_UNPACKED_BYTES >> 20} MiB of its files describe the model"
            raise self._source.failure(why)
        try:
            with self._archive.open(info) as file:  # which ends at the size that it states
                body = file.read(limit_bytes + 1)
        except DAMAGE as error:
            raise self._source.failure(f"{shown} is damaged ({error})") from error
        if len(body) > limit_bytes:
            raise self._source.failure(f"{shown} is larger than {limit_bytes >> 20} MiB")
        return body

    def place(self, name: str) -> tuple[Place | None, str]:
        """Return where the bytes of a member lie in the archive, or why they cannot be read."""
        info = self._infos.get(name)
        if info is None:
            return None, f"the archive does not contain '{name[:120]}'"
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & _ENCRYPTED:
            return None, "its values are compressed inside the archive"
        head_at = info.header_offset
        if head_at + _LOCAL_HEAD > self._source.size:
            return None, "its place in the archive is beyond the end of the file"
        head = self._source.read(head_at, _LOCAL_HEAD)
        at = head_at + _LOCAL_HEAD + sum(struct.unpack("<HH", head[26:30]))
        if head[:4] != _LOCAL_MARK or at + info.file_size > self._source.size:
            return None, "its place in the archive is not valid"
        return Place("", at, info.file_size), ""


def open_zip(source: Source) -> zipfile.ZipFile:
    """Open an archive whose list of files is not too long.

    Raises UnreadableFile: it is damaged, or its directory is too large.
    """
    if directory_bytes(source) > _MOST_DIRECTORY_BYTES:
        limit = f"{_MOST_DIRECTORY_BYTES >> 20} MiB"
        raise source.failure(f"the archive's list of files is larger than {limit}")
    try:
        return zipfile.ZipFile(as_file(source))
    except DAMAGE as error:
        raise source.failure(f"the archive is damaged ({error})") from error


def directory_bytes(source: Source) -> int:
    """Return how long the directory of an archive says it is; 0 where there is no archive.

    The record at the end is searched as Python's zipfile does, so that both see the same one.
    """
    length = min(source.size, _END_BYTES + _LONGEST_COMMENT)
    tail = source.read(source.size - length, length)
    at = len(tail) - _END_BYTES
    if at < 0 or tail[at : at + 4] != _END or tail[-2:] != b"\0\0":
        at = tail.rfind(_END)
    if at < 0 or at + _END_BYTES > len(tail):
        return 0
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    start = source.size - length + at - _WIDE_LOCATOR_BYTES - _WIDE_END_BYTES
    if start < 0:
        return size
    wide = source.read(start, _WIDE_END_BYTES + _WIDE_LOCATOR_BYTES)
    if wide[_WIDE_END_BYTES : _WIDE_END_BYTES + 4] == _WIDE_LOCATOR:
        return max(0 if size == _IN_WIDE_END else size, int.from_bytes(wide[40:48], "little"))
    return size
