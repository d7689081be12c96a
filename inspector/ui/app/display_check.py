"""Check of the system libraries and the display, before Qt aborts for the lack of one."""

import ctypes
import os
import re
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

# Packages with the libraries that Qt's plugins for X11 and Wayland load, by their source:
# doc.qt.io/qt-6/linux-requirements.html, and the dynamic sections of PySide6's own files.
_DEBIAN = (
    "libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 "
    "libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0 libegl1 libgl1 libfontconfig1 libdbus-1-3"
)
_FEDORA = (
    "xcb-util-cursor xcb-util-wm xcb-util-image xcb-util-keysyms xcb-util-renderutil libxcb "
    "libxkbcommon-x11 libglvnd-egl libglvnd-glx fontconfig dbus-libs"
)
_LIBRARY = re.compile(r"lib[\w.+-]+\.so[.\d]*")
_UNLOADABLE = re.compile(
    r"\.so[.\d]*: (?:cannot open shared object file|file too short|invalid ELF header)"
)
_WAYLAND = "WAYLAND_DISPLAY"
_LONGEST_SHOWN = 200
_LOCAL_SECONDS = 2.0  # far more than a compositor takes to accept
_HEADLESS = ("offscreen", "minimal", "linuxfb", "vnc", "eglfs", "minimalegl", "vkkhrdisplay")


def missing_library() -> str:
    """Return the library that keeps Qt from opening a window here; empty if none does.

    Qt takes the first platform that loads; without any it would abort.
    """
    if not sys.platform.startswith("linux"):
        return ""
    package = find_spec("PySide6")
    assert package is not None
    assert package.submodule_search_locations is not None
    folder = Path(package.submodule_search_locations[0], "Qt", "plugins", "platforms")
    missing = ""
    for name in _platforms():
        plugin = folder / f"libq{name}.so"
        if name in _HEADLESS or not plugin.is_file():
            return ""  # nothing to load, or Qt knows of other places
        try:
            ctypes.CDLL(str(plugin))
        except OSError as error:
            missing = missing or library_of(str(error))
        else:
            return ""
    return missing


def unreachable_display() -> str:
    """Return the display that nothing answers at, as "DISPLAY=:99"; empty if a window can open.

    Qt takes the first platform that connects; without any it would abort. A local connection
    takes less than a millisecond.
    """
    if not sys.platform.startswith("linux"):
        return ""
    tried = []
    for name in _platforms():
        if name not in ("xcb", "wayland", "wayland-egl"):
            return ""
        variable, is_reachable = ("DISPLAY", _x11) if name == "xcb" else (_WAYLAND, _wayland)
        if is_reachable():
            return ""
        tried.append(f"{variable}={os.environ.get(variable, '')}")
    return " and ".join(tried)


def display_advice(display: str) -> str:
    """Return what to say where a display cannot be reached."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in display)[:_LONGEST_SHOWN]
    return (
        f"Could not open the window: could not connect to the display ({shown})\n"
        "Log in to a desktop session or use 'ssh -X', correct the variable, or use the command "
        "line (inspector --help)."
    )


def library_of(text: str) -> str:
    """Return the library that a message of the dynamic loader is about."""
    match = _LIBRARY.search(text)
    return match[0] if match else text.partition(":")[0]


def lacks_library(text: str) -> bool:
    """Return whether a message of the dynamic loader says that a library cannot be loaded."""
    return _UNLOADABLE.search(text) is not None


def advice(library: str) -> str:
    """Return what to say, and to type, where a library is missing."""
    return (
        f"Could not open the window: Qt needs {library}, which this system does not have\n"
        f"Debian, Ubuntu:  sudo apt install {_DEBIAN}\n"
        f"Fedora:          sudo dnf install {_FEDORA}\n"
        "The command line works without it: inspector --help"
    )


def _x11() -> bool:
    """Connect to the X server as Qt would, its authority file included, and hang up."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
        xcb.xcb_connect.restype = ctypes.c_void_p
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
        failed = xcb.xcb_connection_has_error(connection)
        xcb.xcb_disconnect(connection)
    except (OSError, AttributeError):
        return True  # Qt says itself what it lacks
    return not failed


def _wayland() -> bool:
    """Connect to the compositor's socket: a path, or a name below XDG_RUNTIME_DIR."""
    name = os.environ.get(_WAYLAND) or "wayland-0"
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), name)
    if os.environ.get("WAYLAND_SOCKET"):  # a connection that this process was given
        return True
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_LOCAL_SECONDS)
        try:
            connection.connect(path)
        except (OSError, ValueError):  # ValueError: a zero in the path
            return False
    return True


def _platforms() -> tuple[str, ...]:
    """Return the platforms that Qt tries, the first one first."""
    named = os.environ.get("QT_QPA_PLATFORM", "")
    if named:
        return tuple(each.partition(":")[0] for each in named.split(";"))
    wayland = ("wayland",) if os.environ.get("WAYLAND_DISPLAY") else ()
    return (*wayland, "xcb")
