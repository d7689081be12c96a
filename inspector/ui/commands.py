"""How a view asks for something that it does not do itself: it runs a command by its id.

`inspector/ui/window/commands` has the commands; a window carries them out.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject


@runtime_checkable
class Host(Protocol):
    """What carries out commands: the window, or a tab that has some of its own."""

    def run_command(self, id_: str, *arguments: object) -> None: ...  # noqa: D102


def run(view: QObject | None, id_: str, *arguments: object) -> None:
    """Run a command of the tab or window that a view is in; the window says why it cannot be.

    A view that is in no window, as when it is about to go, asks for nothing.
    """
    place = view
    while place is not None:
        if isinstance(place, Host):
            place.run_command(id_, *arguments)
            return
        place = place.parent()


def runner(view: QObject, id_: str, *arguments: object) -> Callable[..., None]:
    """Return what runs a command, for a button or an entry of a menu."""
    return lambda *_: run(view, id_, *arguments)
