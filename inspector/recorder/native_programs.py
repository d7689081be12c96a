"""Programs that are not Python: the library that records them, and why one was not recorded.

The library is C, see `native/`. It comes with the package onnx-inspector-native, or is built
once from the source that lies there, by the compiler of this machine. The dynamic linker puts
it into the program, which must get ONNX Runtime from a shared library.
"""

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from inspector.errors import InspectorError
from inspector.platform import files
from inspector.platform.late_modules import platformdirs
from inspector.wording.values import Name, Sentence

PRELOAD = "LD_PRELOAD"  # variables by which the linker loads the library
AUDIT = "LD_AUDIT"
_SOURCES = Path(__file__).parent / "native"
_PACKAGE = "onnx_inspector_native"
_LIBRARY = "libinspector-recorder.so"
_COMPILERS = ("cc", "gcc", "clang")
_BUILD_S = 120.0  # it takes 2 s
_PYTHON = re.compile(rb"python[\d.]*w?", re.IGNORECASE)
_MACHINES = {"x86_64": 62, "aarch64": 183}  # numbers of ELF
_HEAD_BYTES = 1 << 16
_SEARCHED_BYTES = 64 << 20  # of a program, for signs of the runtime in it
_INTERPRETER = 3  # kind of the segment that names the dynamic linker


class NoRecorder(InspectorError):
    """The library cannot be had here."""


def runs_python(command: Sequence[str]) -> bool:
    """Return whether a command runs Python itself, or a script that names it."""
    found = shutil.which(command[0])
    if _PYTHON.fullmatch(os.path.basename(command[0]).encode(errors="replace")):
        return True
    first = _head(Path(found)).partition(b"\n")[0] if found else b""
    words = first[2:].split() if first.startswith(b"#!") else []
    return any(_PYTHON.fullmatch(word.rsplit(b"/", 1)[-1]) for word in words)


def library() -> Path:
    """Return the library, built now if it is not there yet. Raises NoRecorder."""
    if sys.platform != "linux":
        why = "programs that are not Python are recorded on Linux only"
        raise NoRecorder("Could not record", why, "Record a Python program: `python app.py`.")
    package = importlib.util.find_spec(_PACKAGE)
    for folder in (package.submodule_search_locations or ()) if package else ():
        if (Path(folder) / _LIBRARY).is_file():
            return Path(folder) / _LIBRARY
    sources = sorted(_SOURCES.iterdir())
    told = hashlib.sha256(platform.machine().encode())
    for each in sources:
        told.update(each.read_bytes())
    cache = platformdirs.user_cache_path("inspector", appauthor=False) / "recorder"
    made = cache / f"{told.hexdigest()[:16]}-{_LIBRARY}"
    if not made.is_file():
        _build([each for each in sources if each.suffix == ".c"], made)
    return made


def _build(sources: Sequence[Path], made: Path) -> None:
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    what = "Could not build the recorder for programs that are not Python"
    if compiler is None:
        hint = "Install one, or `pip install onnx-inspector-native`."
        raise NoRecorder(what, "there is no C compiler", hint)
    files.make_folder(made.parent)
    half = made.with_name(f".{made.name}.{os.getpid()}")
    flags = (_SOURCES / "flags.txt").read_text("utf-8").split()
    command = [compiler, *flags, "-o", str(half), *map(str, sources), "-ldl", "-lpthread"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_BUILD_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoRecorder(what, str(error)) from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line]
        said = lines[0] if lines else f"{compiler} failed"
        raise NoRecorder(what, said, "Try `pip install onnx-inspector-native`.")
    half.replace(made)


def variables(audit: bool = False) -> dict[str, str]:
    """Return the environment variables that put the library into a program.

    audit: through the linker's audit interface, which sees bindings that the other way may
    miss. Raises NoRecorder.
    """
    name, path = AUDIT if audit else PRELOAD, str(library())
    before = os.environ.get(name)
    return {name: os.pathsep.join([path, *([before] if before else [])])}


def unseen(command: Sequence[str]) -> Sentence | str:
    """Return why nothing of a program that is not Python was seen."""
    found = shutil.which(command[0])
    if found is None:
        return ""
    path = Path(found).resolve()
    head = _head(path)
    if not head.startswith(b"\x7fELF"):
        return ""
    name, mode = Name(path.name), path.stat()
    if mode.st_mode & 0o6000 and mode.st_uid != os.getuid():
        return Sentence(
            "{program} runs with another user's rights, which keeps recorders out", name
        )
    linker, machine = _linker_of(head)
    if machine not in (_MACHINES.get(platform.machine()), None):
        return Sentence("{program} is built for another kind of processor", name)
    if not linker:
        return Sentence("{program} is linked statically, so nothing can be put into it", name)
    if b"musl" in linker:
        text = "{program} is built with musl, and the recorder with the GNU C library"
        return Sentence(text, name)
    if _contains(path, b"onnxruntime"):
        text = (
            "{program} seems to have ONNX Runtime linked in; only a shared library can be "
            "followed"
        )
        return Sentence(text, name)
    return ""


def _head(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return b""


def _linker_of(head: bytes) -> tuple[bytes, int | None]:
    """Return the dynamic linker that a 64-bit program names, and its processor's number."""
    if len(head) < 64 or head[4] != 2:
        return b"", None if len(head) < 64 else 0
    machine, table = (
        struct.unpack_from("<H", head, 18)[0],
        struct.unpack_from("<Q", head, 32)[0],
    )
    size, count = struct.unpack_from("<HH", head, 54)
    for place in range(min(count, 64)):
        at = table + place * size
        if at + 40 > len(head):
            break
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", head, at)
        if kind == _INTERPRETER:
            return head[offset : offset + min(length, 256)].rstrip(b"\0"), machine
    return b"", machine


def _contains(path: Path, text: bytes) -> bool:
    with open(path, "rb") as file:
        return text in file.read(_SEARCHED_BYTES)
