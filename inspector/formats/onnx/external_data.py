"""Tensors whose values lie in another file: which one, and whether it may be touched."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.formats.onnx.types import text
from inspector.model.model import Place

_MEMORY = "*/_ORT_MEM_ADDR_/*"
_NUMBER = re.compile(r"[0-9]{1,18}\Z")
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class SideFile:
    """A file beside a model: its size and real path, or why its content is not for us."""

    size_bytes: int = 0
    problem: str = ""
    path: Path | None = None


class ExternalFiles:
    """The files beside one model: beside its name and, when that is a link, beside the file.

    The second is how downloads are kept by tools that store every file once and link to it.
    Looks files up, reads none of them.
    """

    def __init__(self, model: Path | None) -> None:
        """model: None for one that is no file and has nothing beside it."""
        if model is None:
            self._folders: tuple[Path, ...] = ()
            self._known: dict[str, SideFile] = {}
            return
        beside_name = Path(os.path.realpath(model.parent))
        beside_file = Path(os.path.realpath(model)).parent
        self._folders = tuple(dict.fromkeys((beside_name, beside_file)))
        self._known = {}

    def look_up(self, location: str) -> SideFile:
        """Find the file that a tensor names; each name is looked up once."""
        if location not in self._known:
            self._known[location] = self._found(location)
        return self._known[location]

    def _found(self, location: str) -> SideFile:
        problem = forbidden(location)
        if problem:
            return SideFile(problem=problem)
        try:
            for folder in self._folders:
                if os.path.lexists(folder / location):
                    return self._checked(Path(os.path.realpath(folder / location)))
        except (OSError, ValueError) as error:
            return SideFile(problem=f"it cannot be looked up ({error})"[:_SHOWN])
        return SideFile(problem="it is not beside the model")

    def _checked(self, real: Path) -> SideFile:
        if not any(real.is_relative_to(folder) for folder in self._folders):
            return SideFile(problem="it is a link to a file outside of the model's folder")
        status = os.lstat(real)
        if not stat.S_ISREG(status.st_mode):
            return SideFile(problem="it is not a regular file")
        if status.st_nlink > 1:
            return SideFile(problem="the same file has another name elsewhere (a hard link)")
        return SideFile(status.st_size, path=real)


def home(model: Path) -> Path:
    """Folder of the real file where a model is a link, else simply its folder."""
    return Path(os.path.realpath(model)).parent if model.is_symlink() else model.parent


def forbidden(location: str) -> str:
    """Tell why a name is not one of a file beside the model; empty when it may be."""
    if not location:
        return "no file is named"
    if location == _MEMORY:
        return "it names memory of a running program, not a file"
    if "\0" in location:
        return "its name holds a zero character"
    if "\\" in location:
        return "its name holds a backslash, which not every system takes for a folder"
    if location.startswith("/") or re.match(r"[A-Za-z]:", location):
        return "it is named by an absolute path"
    if ".." in location.split("/"):
        return "its path leads out of the model's folder"
    return ""


def place(
    entries: dict[str, str], expected: int | None, near: ExternalFiles
) -> tuple[Place | None, str]:
    """Tell where a tensor's values lie by its `external_data`, or why they cannot be reached.

    expected: bytes by type and shape; used where the file gives no length, None if unknown.
    """
    location = entries.get("location", "")
    side = near.look_up(location)
    shown = f"'{location[:_SHOWN]}'"
    if side.problem:
        return None, f"its values are in {shown}, which is not read: {side.problem}"
    for key in ("offset", "length"):
        if entries.get(key) and not _NUMBER.match(entries[key]):
            return None, f"its {key} in {shown} is no number of bytes"
    offset = int(entries.get("offset") or 0)
    rest = side.size_bytes - offset
    length = int(entries["length"]) if entries.get("length") else min(rest, expected or rest)
    if offset < 0 or rest < 0 or length > rest:
        ends = offset + max(length, 0)
        return None, f"it would end at byte {ends:,} of {shown}, which has {side.size_bytes:,}"
    return Place(location, offset, length), ""


def entries(tensor: Any) -> dict[str, str]:
    """Return the `external_data` of an onnx.TensorProto; of a key given twice, the last."""
    return {text(entry.key): text(entry.value) for entry in tensor.external_data}
