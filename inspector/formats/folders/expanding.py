"""Model files in place of the folders and patterns that someone names."""

import glob
from collections.abc import Sequence
from pathlib import Path

from inspector.formats.coreml.package import is_folder_of_models, package_of
from inspector.formats.folders.reading import is_one_model
from inspector.formats.shard_names import whole


def expanded(
    paths: Sequence[Path], suffixes: Sequence[str], parts: bool = False
) -> tuple[list[Path], bool]:
    """Return model files in place of folders and patterns, and whether there were any.

    A folder without models, or that is a model of another format, stays: opening it says what
    it is. So does one whose files are one model, unless its parts are asked for.
    """
    files: list[Path] = []
    several = False
    for path in paths:
        members: list[Path] = []
        if is_folder_of_models(path) and (parts or not is_one_model(path)):
            found = [p for p in sorted(path.rglob("*")) if p.suffix.lower() in suffixes]
            packages = {p for p in found if package_of(p) is not None}
            found = list(dict.fromkeys(map(whole, found)))  # shards are one model
            members = [p for p in found if packages.isdisjoint(p.parents)]
        elif glob.has_magic(str(path)) and not path.exists():
            members = [Path(name) for name in sorted(glob.glob(str(path), recursive=True))]
        several = several or bool(members)
        files += [m for m in members if m.is_file() or package_of(m) is not None] or [path]
    return list(dict.fromkeys(files)), several
