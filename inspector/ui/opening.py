"""Which files the user means: chosen in a dialog, dropped, or pasted."""

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from inspector import files

_ENDINGS = "*.onnx *.ort *.json *.json.gz *.npz *.pftrace *.zip"
FILTER = f"Models, reports and traces ({_ENDINGS});;All files (*)"


def choose_files(parent: QWidget) -> tuple[Path, ...]:
    """Ask for files; empty when the user thinks better of it."""
    from PySide6.QtWidgets import QFileDialog  # its classes cost start-up time

    names, _ = QFileDialog.getOpenFileNames(parent, "Open models and reports", "", FILTER)
    return tuple(Path(name) for name in names)


def paths_in(data: QMimeData | None) -> tuple[Path, ...]:
    """The files that a drop or the clipboard names, as links or as the text of a path."""
    if data is None:
        return ()
    if data.hasUrls():
        return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    words = data.text().strip().strip("\"'") if data.hasText() else ""
    one_line = 0 < len(words) < 4096 and "\n" not in words and "\0" not in words
    path = files.at_home(Path(words.removeprefix("file://"))) if one_line else None
    return (path.absolute(),) if path is not None and files.is_file(path) else ()
