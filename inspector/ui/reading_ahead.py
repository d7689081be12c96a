"""Loads the code of the tabs while nobody waits for it, so that no first look is held up."""

from importlib import import_module
from threading import Thread

from inspector.ui.tabs import Tab


def read_ahead() -> Thread:
    """Load every tab's modules in a thread, in the order in which people look at them."""
    thread = Thread(target=_load, name="reading ahead", daemon=True)
    thread.start()
    return thread


def module_of(tab: Tab) -> str:
    """Name of the module that a tab's widget is in."""
    return f"inspector.ui.{tab.name.lower()}.tab"


def _load() -> None:
    import_module("inspector.engine.process")
    for tab in Tab:
        import_module(module_of(tab))
