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


_FIRST = (
    "inspector.ui.document_view",
    "inspector.ui.sidebar",
    "inspector.ui.inspector_pane",
    "inspector.analysis",
    "inspector.readers",
    "inspector.engine.process",
    "inspector.analysis.estimate",
    "inspector.preview.usual",
    "inspector.ui.estimating",
    "numpy.ma",  # numpy itself wants it late, in the middle of a drawing
)


def _load() -> None:
    for name in _FIRST:
        import_module(name)
    for tab in Tab:
        import_module(module_of(tab))
