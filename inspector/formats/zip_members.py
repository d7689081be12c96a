"""Files inside of a ZIP archive that is a model: read with a limit, or located where stored."""

import struct
import zipfile
import zlib

from inspector.formats.source import Source, as_file
from inspector.model.model import Place

MOST_MEMBERS = 200_000
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
        try:
            self._archive = zipfile.ZipFile(as_file(source))
        except DAMAGE as error:
            raise source.failure(f"the archive is damaged ({error})") from error
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
