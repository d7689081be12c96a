"""A link to a view: which tab, which layer in the middle of the graph, at which zoom."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt

from inspector.errors import BadInput
from inspector.model.model import Model
from inspector.ui import commands
from inspector.ui.documents.document import Bookmark, Document, Topic
from inspector.ui.translate import tr
from inspector.units import clip

_GRAPH = "graph"
_HINT = "Examples: --view graph, --view graph:stem/conv, --view graph:stem/conv@80"


@dataclass(frozen=True, slots=True)
class ViewLink:
    """A tab by its id, and for a layer its name, or "#12" for its position in the model.

    zoom: of the graph, 1.0 for full size; None leaves it to the graph.
    """

    tab: str
    layer: str = ""
    zoom: float | None = None

    @property
    def text(self) -> str:
        """Return the link as `--view` takes it: "graph:stem/conv@80"."""
        layer = f":{self.layer}" if self.layer else ""
        zoom = f"@{100 * self.zoom:.0f}" if self.zoom is not None else ""
        return f"{self.tab}{layer}{zoom}"

    def show(self, document: Document, window: QObject) -> None:
        """Show a view as soon as the model is there; a missing layer is a failure."""

        def go() -> None:
            model = document.model
            if model is None:
                return
            commands.run(window, f"tab/{self.tab}")
            try:
                layer = layer_of(model, self)
            except BadInput as error:
                document.failed.emit(error)
                return
            if layer is None:
                return
            document.selection.choose(layer)
            if self.tab == _GRAPH and self.zoom is not None:
                commands.run(window, "graph/bookmark", Bookmark(layer, self.zoom))

        if document.model is not None:
            go()
        else:
            document.changed(Topic.MODEL).connect(go, Qt.ConnectionType.SingleShotConnection)


def parse(text: str, tabs: tuple[str, ...]) -> ViewLink:
    """Read a link. Raises BadInput: there is no such tab."""
    tab, _, layer = text.partition(":")
    name, at, zoom = layer.rpartition("@")
    is_zoomed = bool(at) and zoom.isdecimal() and int(zoom) > 0
    if tab not in tabs:
        why = f"there is no tab '{clip(tab, 40)}'; the tabs are {', '.join(tabs)}"
        raise BadInput("Could not read the value of --view", why, _HINT)
    if is_zoomed:
        return ViewLink(tab, name, int(zoom) / 100)
    return ViewLink(tab, layer)


def link_to(model: Model, mark: Bookmark) -> ViewLink:
    """Return the link to a view of the graph; a layer without a name of its own by position."""
    name = model.layers[mark.layer].name
    is_unique = bool(name) and sum(layer.name == name for layer in model.layers) == 1
    layer = name if is_unique and not name.startswith("#") else f"#{mark.layer}"
    return ViewLink(_GRAPH, layer, mark.zoom)


def command(path: Path, link: ViewLink) -> str:
    """Return the command that opens a view."""
    return f"inspector {shlex.quote(str(path))} --view {shlex.quote(link.text)}"


def layer_of(model: Model, link: ViewLink) -> int | None:
    """Return the layer that a link names; None for none. Raises BadInput: there is no such."""
    text = link.layer
    if not text:
        return None
    if text.startswith("#") and text[1:].isdecimal() and int(text[1:]) < len(model.layers):
        return int(text[1:])
    named = (layer.index for layer in model.layers if text in (layer.name, layer.label))
    found = next(named, None)
    if found is None:
        why = f"{clip(model.name, 80)} has no layer '{clip(text, 80)}'"
        raise BadInput(tr("Could not show the view"), why, _HINT)
    return found
