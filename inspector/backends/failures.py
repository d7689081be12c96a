"""Failures of an engine process that are the same for every runtime, as errors for the user."""

import errno

from inspector.errors import EngineFailed
from inspector.units import size

MEMORY_HINT = "Close other programs, fix free axes to smaller sizes, or use a smaller input."
DISK_HINT = "Make room in the folder for temporary files, or name another one in TMPDIR."
DISK_ERRORS = (
    errno.ENOSPC,
    errno.EROFS,
    errno.EFBIG,
    getattr(errno, "EDQUOT", errno.ENOSPC),  # Windows has no quota error
)


def out_of_memory(limit_bytes: int, phase: str) -> EngineFailed:
    """Return the error for an allocation over the engine's own memory limit."""
    why = f"there was not enough memory (the engine may take {size(limit_bytes)})"
    return EngineFailed("", why, MEMORY_HINT, phase)


def disk_full(phase: str) -> EngineFailed:
    """Return the error for a temporary file that could not be written."""
    return EngineFailed("", "there was no room for temporary files", DISK_HINT, phase)


def model_unreadable(error: OSError, phase: str) -> EngineFailed:
    """Return the error for a model file that could be read before, and now cannot be."""
    gone = isinstance(error, FileNotFoundError)
    why = "it was moved or deleted meanwhile" if gone else error.strerror or str(error)
    hint = "Put it back, or choose the file that you mean."
    return EngineFailed("", f"the model cannot be read any more: {why}", hint, phase)


def names_not_utf8(phase: str) -> EngineFailed:
    """Return the error for a model with a name that is not valid UTF-8."""
    why, hint = "its names are not text in UTF-8", "Export it again with ordinary names."
    return EngineFailed("", why, hint, phase)
