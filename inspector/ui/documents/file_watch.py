"""Notices that files change on disk: written to, replaced, renamed or deleted."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.ui.background import Debounce

if TYPE_CHECKING:
    from PySide6.QtCore import QFileSystemWatcher

# An editor or an exporter writes in several steps, some by deleting and renaming: look when it
# has been quiet for so long.
DEBOUNCE_MS = 300


class FileWatcher(QObject):
    """Tells when something happened to a watched file, or beside it; `touched` may be wrong.

    Whoever listens compares the file's state with the one it knows. The folders are watched
    as well: a file that is replaced in one step is a new one, of which its watcher knows
    nothing. One for the whole window, because systems lend only some hundred watchers.
    """

    touched = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher: QFileSystemWatcher | None = None
        self._users: Counter[str] = Counter()
        self._debounce = Debounce(self._report, self, DEBOUNCE_MS)

    def add(self, paths: Iterable[Path]) -> None:
        """Watch files and their folders, until `remove` is called as often."""
        names = [name for path in paths for name in (str(path), str(path.parent))]
        self._users.update(names)
        self._watch(names)

    def remove(self, paths: Iterable[Path]) -> None:
        """Watch files no more that nobody else wants watched."""
        names = [name for path in paths for name in (str(path), str(path.parent))]
        self._users.subtract(names)
        gone = [name for name in set(names) if self._users[name] <= 0]
        for name in gone:
            del self._users[name]
        if gone and self._watcher is not None:
            self._watcher.removePaths(gone)

    def _watch(self, names: Iterable[str]) -> None:
        if self._watcher is None:
            from PySide6.QtCore import QFileSystemWatcher  # its class costs start-up time

            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._debounce.call)
            self._watcher.directoryChanged.connect(self._debounce.call)
        watched = {*self._watcher.files(), *self._watcher.directories()}
        missing = [name for name in dict.fromkeys(names) if name not in watched]
        appeared = [name for name in missing if Path(name).exists()]
        if appeared:
            self._watcher.addPaths(appeared)

    def _report(self) -> None:
        self._watch(list(self._users))  # a replaced file is not watched any more
        self.touched.emit()
