"""Notices when the files of a folder are others than when it was run."""

import os
from functools import partial
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from inspector.ui.background import Debounce, TaskRunner

_MOST_FILES = 20_000  # looked at; a folder with more is not followed
_MOST_FOLDERS = 100  # watched; systems lend only some hundred watchers
_QUIET_MS = 500  # a copy of many files has ended by then


class FolderWatch(QObject):
    """Follows one folder; says `changed` once after its files have become others."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._folder: Path | None = None
        self.stamp = ""  # of the files; "" until it is known
        self._watcher: QFileSystemWatcher | None = None
        self._jobs = TaskRunner(self)
        self._soon = Debounce(self.check, self, _QUIET_MS)

    def follow(self, folder: Path, stamp: str = "") -> None:
        """Follow a folder in place of the one before, as it is now or as it was at a stamp."""
        self._folder, self.stamp = folder, stamp
        self._watch(folder)
        if stamp:
            self.check()
            return
        take = partial(self._take, folder)
        self._jobs.start(partial(_stamp, folder), take, _nothing)

    def check(self) -> None:
        """Look whether the files are the same; `changed` follows where they are not."""
        folder = self._folder
        if folder is not None and self.stamp:
            compare = partial(self._compare, folder)
            self._jobs.start(partial(_stamp, folder), compare, _nothing)

    def _take(self, folder: Path, stamp: str) -> None:
        if folder == self._folder:
            self.stamp = stamp

    def _compare(self, folder: Path, stamp: str) -> None:
        if folder == self._folder and self.stamp and stamp != self.stamp:
            self._folder, self.stamp = None, ""
            self.changed.emit()

    def _watch(self, folder: Path) -> None:
        if self._watcher is not None:
            self._watcher.deleteLater()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._soon.call)
        try:
            inner = [each.path for each in os.scandir(folder) if each.is_dir()]
        except OSError:
            inner = []
        self._watcher.addPaths([str(folder), *inner[: _MOST_FOLDERS - 1]])


def _stamp(folder: Path) -> str:
    """Return what changes with names, sizes and times of the files; "" for too many."""
    lines: list[str] = []
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            try:
                found = os.stat(os.path.join(root, name))
            except OSError:
                continue
            lines.append(f"{root}/{name} {found.st_size} {found.st_mtime_ns}")
        if len(lines) > _MOST_FILES:
            return ""
    return sha256("\n".join(lines).encode(errors="replace")).hexdigest()


def _nothing(_: object) -> None:
    """A folder that cannot be read is not followed; running it says why."""
