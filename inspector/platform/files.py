"""Files: our own resources, others read with a limit, ours written whole or not at all."""

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from inspector.errors import NotSaved, UnreadableFile
from inspector.platform.late_modules import psutil

_OPEN_FILES_STAY = os.name == "nt"  # a file that is open cannot be replaced
_REPLACE_PATIENCE_S = 0.5
_BINARY = getattr(os, "O_BINARY", 0)
_PRIVATE_NAME = re.compile(r"inspector-(?:[a-z]+-)?(\d+)-\w+")
_OLD_SECONDS = 24 * 3600  # age of a folder that no running program needs any more


def resource(*parts: str) -> Path:
    """Return the path of a bundled file: `resource("icons", "open.svg")`.

    An installed package has `resources` inside it, a checkout next to it.
    """
    return _resource_root().joinpath(*parts)


@cache
def _resource_root() -> Path:
    inside = Path(__file__).parents[1] / "resources"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "resources"


def sample(name: str) -> Path | None:
    """Path of one of our sample models or inputs; None where they were not installed."""
    path = sample_folder() / name
    return path if path.is_file() else None


@cache
def sample_folder() -> Path:
    """Return the folder of the sample models: in the package, or beside it in a checkout."""
    inside = Path(__file__).parents[1] / "resources" / "sample_models"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "sample_models"


def is_file(path: Path) -> bool:
    """Return whether a file is there; False too for a name that no file can have, or a closed
    folder.

    `Path.is_file` raises there: a name of 255 letters has no room for a suffix more.
    """
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Return whether a folder is there; False too for a name that no folder can have."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Return whether a file or a folder is there."""
    return is_file(path) or is_folder(path)


def at_home(path: Path) -> Path:
    """Return a path with its `~` written out; as it stands where there is no such user."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


FileState = tuple[int, int, int]  # inode, bytes, time of the last change in ns


def state(path: Path) -> FileState | None:
    """Return a fingerprint that differs for a file in its place later; None if missing."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def exists(path: Path) -> bool:
    """Return whether there is anything by that name; False too for a name that nothing can
    have."""
    try:
        return path.exists()
    except OSError:
        return False


def read_capped(path: Path, limit_bytes: int) -> bytes:
    """Read a regular file of at most `limit_bytes`.

    Raises UnreadableFile: missing, not a regular file (a pipe would wait for ever), too big.
    """
    what = f"Could not open {path.name}"
    try:
        # Without O_NONBLOCK opening a named pipe waits until somebody writes to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableFile(what, "it is not a regular file", "Choose a file on disk.")
            # read() allocates the requested size first, so request no more than there is.
            body = file.read(min(limit_bytes, status.st_size) + 1)
    except FileNotFoundError as error:
        raise UnreadableFile(what, "there is no such file", "Check the name.") from error
    except IsADirectoryError as error:
        raise UnreadableFile(what, "it is a folder", "Choose a file in it.") from error
    except OSError as error:
        raise UnreadableFile(what, error.strerror or str(error)) from error
    if len(body) > limit_bytes:
        raise UnreadableFile(
            what,
            f"it is larger than {limit_bytes >> 20} MiB, the limit for such files",
            "Check that it is the right file.",
        )
    return body


def write_atomic(path: Path, body: bytes) -> None:
    """Replace a file by new content; see `write_pieces`."""
    write_pieces(path, (body,))


def write_pieces(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Replace a file by new content: afterwards it is the old one or the new, never a part.

    pieces: taken one by one; what they raise leaves the old file as well.
    Raises NotSaved: no room, no permission, no such folder. The old file is then untouched.
    """
    write_together([(path, pieces)])


def write_together(files: Sequence[tuple[Path, Iterable[bytes | memoryview]]]) -> None:
    """Replace files that belong together; none is touched before all are written in full.

    Raises NotSaved as `write_pieces` does.
    """
    parts: list[tuple[str, Path]] = []
    path = Path()
    try:
        for path, pieces in files:
            target = _target(path)
            parts.append((_new_part(target), target))
            _fill(parts[-1][0], target, pieces)
        while parts:
            part, target = parts[0]
            _replace(part, target)
            parts.pop(0)
            _sync_folder(target.parent)
    except OSError as error:
        raise not_saved(path, error) from error
    finally:
        for part, _ in parts:
            Path(part).unlink(missing_ok=True)


def _replace(part: str, target: Path) -> None:
    """Replace a file. On Windows that fails while anything has it open or replaces it, such as
    another thread or a virus scanner, so that it is tried again for a moment.
    """
    end = time.monotonic() + _REPLACE_PATIENCE_S
    while True:
        try:
            os.replace(part, target)
        except PermissionError:
            if not _OPEN_FILES_STAY or time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def _new_part(target: Path) -> str:
    descriptor, part = tempfile.mkstemp(
        prefix=f".{target.name[:30]}.", suffix=".part", dir=target.parent
    )
    os.close(descriptor)
    return part


def _fill(part: str, target: Path, pieces: Iterable[bytes | memoryview]) -> None:
    with open(part, "wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(part, _mode(target))


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file to NAME.damaged, so that a new one can take its place.

    Returns the new path; None where the file is gone or cannot be renamed. Files that were set
    aside before stay: the next ones are NAME.damaged-2 and so on.
    """
    for number in range(1, 100):
        target = path.with_name(f"{path.name}.damaged" + (f"-{number}" if number > 1 else ""))
        if not exists(target):
            try:
                os.rename(path, target)
            except OSError:
                return None
            return target
    return None


def expect_to_write(path: Path) -> None:
    """Find out before a long job whether its result could be written there.

    Raises NotSaved: no such folder, no permission, no regular file.
    """
    try:
        with tempfile.TemporaryFile(dir=_target(path).parent):
            return
    except OSError as error:
        raise not_saved(path, error) from error


def private_folder(kind: str = "inspector-") -> tempfile.TemporaryDirectory[str]:
    """Make a folder that only this user can enter, and that is deleted when it is closed.

    Its name contains the process id, by which `remove_stale` knows those of ended programs.
    Raises OSError: no room, no permission.
    """
    return tempfile.TemporaryDirectory(
        prefix=f"{kind}{os.getpid()}-", ignore_cleanup_errors=True
    )


def remove_stale(parent: Path) -> None:
    """Remove folders of programs that ended a day ago without doing so: killed, power lost."""
    try:
        names = os.listdir(parent)  # each engine looks: a glob of many files takes too long
    except OSError:
        return
    for owner in filter(None, map(_PRIVATE_NAME.fullmatch, names)):
        folder = parent / owner[0]
        if _age(folder) > _OLD_SECONDS and not psutil.pid_exists(int(owner[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0  # another program has just removed it


def temporary_folder(prefix: str, what: str) -> tempfile.TemporaryDirectory[str]:
    """Make a private folder that is deleted when it is closed.

    what: says what did not happen if it cannot be made. Raises NotSaved: no room.
    """
    try:
        return private_folder(prefix)
    except OSError as error:
        hint = "Free up some space in the temporary folder, or set TMPDIR to another folder."
        raise NotSaved(what, error.strerror or str(error), hint) from error


def make_folder(folder: Path) -> None:
    """Make a folder, with those that it is in, if it is missing. Raises NotSaved."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        why, hint = "a file has this name", "Choose another folder."
        raise NotSaved(f"Could not create the folder {folder}", why, hint) from error
    except OSError as error:
        why = error.strerror or str(error)
        hint = "Choose another folder, or free up some space."
        raise NotSaved(f"Could not create the folder {folder}", why, hint) from error


def _target(path: Path) -> Path:
    target = Path(os.path.realpath(path))
    if exists(target) and not target.is_file():  # replacing /dev/null would break the system
        if target.is_dir():
            raise NotSaved(f"Could not save {path}", "it is a folder", "Add a file name.")
        hint = "Choose a file on disk; use the shell's > to write to a device or a pipe."
        raise NotSaved(f"Could not save {path}", "it is not a regular file", hint)
    return target


def not_saved(path: Path, error: OSError) -> NotSaved:
    """Return what to raise where a file could not be written."""
    hint = (
        "Choose another folder or free up some space; an existing file with that name is "
        "unchanged."
    )
    if sys.platform == "win32" and isinstance(error, PermissionError) and path.exists():
        hint = (
            f"Close {path.name} in the program that has it open, or choose another name. The "
            "existing file is unchanged."
        )
    return NotSaved(f"Could not save {path.name}", error.strerror or str(error), hint)


def _mode(target: Path) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # Windows has no such call; replacing is durable there by itself
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_lock(path: Path) -> IO[bytes] | None:
    """Open a file to be locked by `try_lock`, made if absent; None where none can be made.

    Closing it, or the end of the process in any way, gives the lock back.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | _BINARY
        return os.fdopen(os.open(path, flags, 0o600), "r+b", buffering=0)
    except OSError:
        return None


if sys.platform == "win32":
    import msvcrt

    # What a lock of another process gives: Windows, and Wine, which leaves no number.
    _TAKEN = (errno.EACCES, errno.EDEADLK, 0)
    _FAR = 1 << 20  # a locked byte cannot be read there, and the owner's process id must be

    def try_lock(opened: IO[bytes]) -> bool:
        """Lock an open file for this process; False where another process has the lock."""
        opened.seek(_FAR)
        try:
            msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:  # others: a file system without locks
            return error.errno not in _TAKEN
        return True

else:
    import fcntl

    def try_lock(opened: IO[bytes]) -> bool:
        """Lock an open file for this process; False where another process has the lock."""
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True
