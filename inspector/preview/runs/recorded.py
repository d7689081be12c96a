"""Tensors that another framework recorded: a folder of .npy files, or one .npz file."""

import re
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.model.tensors.element_types import Tensor
from inspector.preview.inputs import npy_files
from inspector.units import clip

_MOST = 20_000  # files of a folder
_NUMBER = re.compile(r"(\d+)")


def read(path: Path) -> dict[str, Tensor]:
    """Return the recorded tensors by name, those of a folder in the order of their names.

    A name is the path of a file in the folder, without its suffix. Numbers in names count as
    such: layer2 comes before layer10. Raises UnreadableFile.
    """
    if not path.is_dir():
        return dict(npy_files.read_archive(path))
    names = {
        each.relative_to(path).with_suffix("").as_posix(): each
        for each in sorted(path.rglob("*.npy"))
    }
    if len(names) > _MOST:
        why = f"it has {len(names):,} .npy files; the limit is {_MOST:,}"
        raise UnreadableFile(f"Could not open {clip(path.name)}", why)
    return {name: npy_files.read_npy(names[name]) for name in sorted(names, key=_by_number)}


def _by_number(name: str) -> list[tuple[int, str]]:
    parts = _NUMBER.split(name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts if part]
