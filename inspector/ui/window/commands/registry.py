"""The registry of commands, and of the menus that list them.

A command is a function with the decorator `command`, in any file that `listing.py` imports.
Menus, palette, the list of shortcuts and the buttons of the bar follow from it.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from inspector.ui.translate import tr
from inspector.ui.window.host import Window

LINE = ""  # in place of an id: a line between the entries of a menu

Action = Callable[..., object]
Condition = Callable[[Window], bool]
Refusal = Callable[[Window], str]


class Command(Struct, frozen=True):
    """Something that a user can ask of the window.

    title: its text in menus, marked for translation; "" for one that only views run. text: the
    same for one that is made while the window runs, translated already. action: gets the
    window, and what a view adds. keys: as QKeySequence reads them; on macOS Ctrl is Command.
    about: what it does, for the list of shortcuts and the tooltip of its button. refusal: why
    it is not possible now, as a sentence, or "" where it is. checked: whether it is switched
    on, of one that is a switch. undo: id of the command that takes it back.
    """

    id: str
    title: str
    action: Action
    keys: tuple[str, ...] = ()
    about: str = ""
    refusal: Refusal | None = None
    checked: Condition | None = None
    undo: str = ""
    text: str = ""

    @property
    def name(self) -> str:
        """Return its text in menus, in the language of the window."""
        return self.text or tr(self.title)

    @property
    def keys_text(self) -> str:
        """Return its first keys as this system writes them; "" where it has none."""
        return native_text(self.keys[0]) if self.keys else ""

    @property
    def tooltip(self) -> str:
        """Return what it does, with its keys: "Measure the model (Ctrl+R)"."""
        about = tr(self.about) if self.about else self.name
        return f"{about} ({self.keys_text})" if self.keys else about

    def why_not(self, window: Window) -> str:
        """Return why it is not possible now; "" where it is."""
        return self.refusal(window) if self.refusal is not None else ""


class Submenu(Struct, frozen=True):
    """A menu in a menu.

    fill: fills it each time before it opens. refusal: as of a command.
    """

    id: str
    title: str
    fill: Callable[[Window, QMenu], None] | None = None
    refusal: Refusal | None = None

    def why_not(self, window: Window) -> str:
        """Return why nothing in it is possible now; "" where something is."""
        return self.refusal(window) if self.refusal is not None else ""


COMMANDS: dict[str, Command] = {}
SUBMENUS: dict[str, Submenu] = {}
# By the id of the menu: ids of entries, and what makes several commands.
MENUS: dict[str, list[str | Callable[[], Iterable[Command]]]] = {}


def command(
    id_: str,
    title: str = "",
    *menus: str,
    keys: str = "",
    about: str = "",
    refusal: Refusal | None = None,
    checked: Condition | None = None,
    undo: str = "",
) -> Callable[[Action], Action]:
    """Register a function as a command at the end of some menus. keys: parted by spaces."""

    def register(action: Action) -> Action:
        assert id_ not in COMMANDS, f"there is a command {id_}"
        COMMANDS[id_] = Command(
            id_, title, action, tuple(keys.split()), about, refusal, checked, undo
        )
        add(id_, *menus)
        return action

    return register


def submenu(made: Submenu, *menus: str) -> None:
    """Register a menu that stands at the end of others."""
    SUBMENUS[made.id] = made
    add(made.id, *menus)


def add(entry: str | Callable[[], Iterable[Command]], *menus: str) -> None:
    """Let an entry stand at the end of some menus.

    entry: the id of a registered one, a `LINE`, or what makes the commands of a registry, such
    as one for each export format.
    """
    for menu in menus:
        MENUS.setdefault(menu, []).append(entry)


def native_text(keys: str) -> str:
    """Return keys as this system writes them: Ctrl+O, or ⌘O on macOS."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
