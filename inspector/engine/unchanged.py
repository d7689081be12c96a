"""Whether the file of a model stayed the same one while it was measured."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.readers import digest


@contextmanager
def unchanged(model: Path, sha256: str, what: str) -> Iterator[None]:
    """Let a job be done that opens a model more than once, each start anew.

    sha256: of the file that the result is about. Raises UnreadableFile: it is another one by
    now, so that the result would mix two. One that is gone is no matter to what is done.
    """
    before = _state(model)
    yield
    after = _state(model)
    if after and after != before and digest(model) != sha256:  # it may have been touched only
        why = "the file was replaced or written to meanwhile"
        raise UnreadableFile(what, why, "Measure it again when it stays as it is.")


def _state(model: Path) -> tuple[int, int, int] | None:
    try:
        status = model.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
