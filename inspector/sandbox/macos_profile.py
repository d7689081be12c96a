"""The sandbox profile of a child process on macOS, and the call that puts it in force.

`sandbox_init` binds the process that calls it and all that it starts, for good. Apple calls it
deprecated, and browsers and build tools rely on it. The last rule that fits an operation wins.
Sources: the man page sandbox_init(3) and the profiles below /System/Library/Sandbox/Profiles.
"""

import ctypes
import os
from collections.abc import Iterable

_LIBRARY = "/usr/lib/libSystem.B.dylib"
_PROFILE_TEXT = 0  # of the flags: the profile is text, and not the name of one of Apple's

# Where files of users lie: homes, other disks, temporary folders, keys.
_OF_USERS = (
    "/Users", "/Volumes", "/Network", "/Library/Keychains", "/private/tmp", "/private/var/tmp",
    "/private/var/folders", "/private/var/root", "/private/var/mobile",
)  # fmt: skip

_RULES = """\
(version 1)
(allow default)
(deny network*)
(deny process-exec*)
(deny process-fork)
(deny signal)
(allow signal (target self))
(deny process-info*)
(allow process-info* (target self))
(deny sysctl-read (sysctl-name "kern.procargs2"))
(deny mach-lookup)
(deny mach-priv-task-port)
(deny iokit-open)
(deny file-write*)
(allow file-write* (literal "/dev/null"))
"""


def profile(readable: Iterable[str], folder: str = "") -> str:
    """Return the profile of a child that reads some places and writes into one folder.

    No network, no other program, no signal, no service of the system, no writing elsewhere, no
    file of users but those that are given. Names, sizes and times of files stay visible, which
    resolving a path needs. readable: files and folders. folder: none when empty.
    """
    of_users = [f"(deny file-read* (subpath {_quoted(place)}))" for place in _OF_USERS]
    rules = [_RULES.rstrip("\n"), *of_users, "(allow file-read-metadata)"]
    rules += [f"(allow file-read* {_below(place)})" for place in dict.fromkeys(readable)]
    if folder:
        rules.append(f"(allow file-read* file-write* {_below(folder)})")
    return "\n".join(rules) + "\n"


def _below(place: str) -> str:
    """Return the filter for a file, or for a folder and all below it; links are resolved."""
    return f"(subpath {_quoted(os.path.realpath(place))})"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def available() -> bool:
    """Return whether this macOS still has the call."""
    try:
        return hasattr(ctypes.CDLL(_LIBRARY), "sandbox_init")
    except OSError:
        return False


def enforce(text: str) -> None:
    """Put a profile in force for this process, for good. Raises OSError: why it is not."""
    library = ctypes.CDLL(_LIBRARY)
    init = library.sandbox_init
    init.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_char_p))
    message = ctypes.c_char_p()
    if init(os.fsencode(text), _PROFILE_TEXT, ctypes.byref(message)):
        reason = (message.value or b"no reason").decode("utf-8", "replace")
        raise OSError(f"sandbox_init: {reason}")
