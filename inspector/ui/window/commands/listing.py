"""What follows from the registry: the menus with all commands, those that have keys, and one by
its id.

The modules of commands are imported here, in the order of the menus.
"""

from collections.abc import Iterator

from inspector.ui.translate import mark, tr
from inspector.ui.window.commands import explain, file, model, view
from inspector.ui.window.commands.registry import (
    COMMANDS,
    LINE,
    MENUS,
    SUBMENUS,
    Command,
    Submenu,
)

# The menus of the window, each with its title.
TOP = (
    (file.FILE, mark("&File")),
    (view.VIEW, mark("&View")),
    (model.MODEL, mark("&Model")),
    (explain.HELP, mark("&Help")),
)


def entries(menu: str) -> Iterator[Command | Submenu | None]:
    """Yield the entries of a menu in their order; None for a line."""
    for each in MENUS.get(menu, ()):
        if callable(each):
            yield from each()
        elif each == LINE:
            yield None
        else:
            yield COMMANDS.get(each) or SUBMENUS[each]


def everything() -> Iterator[Command]:
    """Yield the commands of the menus in their order, then those that only views run."""
    listed = {each.id: each for _, each, _ in palette()}
    for menu in MENUS:  # of buttons, too
        listed |= {each.id: each for each in entries(menu) if isinstance(each, Command)}
    yield from listed.values()
    yield from (each for id_, each in COMMANDS.items() if id_ not in listed)


def find(id_: str) -> Command:
    """Return a command by its id, also one of another registry."""
    return COMMANDS.get(id_) or next(each for each in everything() if each.id == id_)


def palette() -> Iterator[tuple[tuple[str, ...], Command, tuple[Submenu, ...]]]:
    """Yield the commands of all menus, each with the titles that lead to it, its own included,
    and with the submenus that it is in.

    Those of a menu that is filled only when it opens, such as recent files, are left out.
    """
    for menu, title in TOP:
        yield from _below(menu, (tr(title).replace("&", ""),), ())


def _below(
    menu: str, titles: tuple[str, ...], above: tuple[Submenu, ...]
) -> Iterator[tuple[tuple[str, ...], Command, tuple[Submenu, ...]]]:
    for each in entries(menu):
        if isinstance(each, Command):
            yield (*titles, each.name.replace("&", "")), each, above
        elif isinstance(each, Submenu):
            yield from _below(each.id, (*titles, tr(each.title)), (*above, each))
