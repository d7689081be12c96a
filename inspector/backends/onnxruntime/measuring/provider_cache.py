"""What execution providers write into their cache folders while a model is loaded.

No provider tells whether it compiled or took the result from its cache; the folder does.
"""

import os
from pathlib import Path

from inspector.report.report import LoadCache
from inspector.report.run_spec import CACHE_FOLDERS, RunSpec

_MOST_FILES = 20_000
_Files = dict[str, tuple[int, int]]  # size, time of the last change


class CacheWatch:
    """Counts the files in a provider's cache folder, and those that each load writes."""

    def __init__(self, spec: RunSpec) -> None:
        named = [each for each in spec.provider_options if each.key in CACHE_FOLDERS]
        self._folder = Path(named[0].value) if named and named[0].value else None
        self._before: _Files | None = None
        self._first: int | None = None
        self._written: list[int] = []

    def look(self) -> None:
        """Read the folder; called before and after each load, outside of what is timed."""
        if self._folder is None:
            return
        now, before = _files(self._folder), self._before
        if before is None:
            self._before = now
            self._first = len(now) if self._first is None else self._first
            return
        self._before = None
        self._written.append(sum(before.get(name) != stamp for name, stamp in now.items()))

    @property
    def found(self) -> LoadCache | None:
        """Return what happened in the folder; None without one."""
        if self._first is None or not self._written:
            return None
        return LoadCache(self._first, tuple(self._written))


def _files(folder: Path) -> _Files:
    """Return the files below a folder; none if it does not exist or cannot be read."""
    found: _Files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            try:
                state = os.stat(path)
            except OSError:
                continue
            found[path] = state.st_size, state.st_mtime_ns
            if len(found) >= _MOST_FILES:
                return found
    return found
