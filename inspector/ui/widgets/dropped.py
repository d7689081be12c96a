"""Which files or address the user drops on a widget, or has on the clipboard."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct
from PySide6.QtCore import QMimeData

from inspector.formats.model_formats import model_suffixes
from inspector.formats.names import address_of
from inspector.platform import files

_LONGEST_ADDRESS = 2000  # characters; browsers take about as many


class Drop(Struct, frozen=True):
    """What a drop does. text: said during the drag. act: does it; None where nothing can be."""

    text: str
    act: Callable[[], object] | None = None


@runtime_checkable
class DropTarget(Protocol):
    """A part of a page that takes what is dropped on it for itself."""

    def drop_of(self, data: QMimeData) -> Drop | None:
        """Return what a drop on this part does; None leaves it to the window."""
        ...


def paths_in(data: QMimeData | None) -> tuple[Path, ...]:
    """The files that a drop or the clipboard names, as links or as the text of a path."""
    if data is None:
        return ()
    if data.hasUrls():
        return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    text = data.text().strip().strip("\"'") if data.hasText() else ""
    one_line = 0 < len(text) < 4096 and "\n" not in text and "\0" not in text
    path = files.at_home(Path(text.removeprefix("file://"))) if one_line else None
    return (path.absolute(),) if path is not None and files.is_file(path) else ()


def may_be_values(path: Path) -> bool:
    """Return whether an input can be filled from a file: it is there, and no model."""
    return files.is_file(path) and path.suffix.lower() not in model_suffixes()


def named_in(data: QMimeData | None) -> tuple[Path | str, ...]:
    """Return what can be opened: files, or else the address of a model."""
    text = data.text().strip() if data is not None and data.hasText() else ""
    plain = len(text) <= _LONGEST_ADDRESS and all(ord(sign) > 32 for sign in text)
    address = address_of(text) if plain else None
    return paths_in(data) or ((address,) if address is not None else ())
