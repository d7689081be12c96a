"""A link to a view: which tab, which layer in the middle of the graph, at which zoom."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Qt

from inspector.errors import BadInput
from inspector.ui import commands
from inspector.ui.documents.document import Bookmark, Document, Topic
from inspector.ui.translate import tr
from inspector.units import clip

if sys.platform == "win32":
    from subprocess import list2cmdline
if TYPE_CHECKING:  # numpy comes with the first document: a start may name a view
    from inspector.model.model import Layer
    from inspector.report.report import LayerUse

_GRAPH = "graph"
_HINT = "Examples: --view graph, --view graph:stem/conv, --view graph:stem/conv@80"


class ViewLink(Struct, frozen=True):
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
        """Show a view as soon as the model is there; a missing layer is a failure.

        A report without its model has layers, too.
        """

        def go() -> None:
            commands.run(window, f"tab/{self.tab}")
            try:
                layer = layer_of(document.name, _layers(document), self)
            except BadInput as error:
                document.failed.emit(error)
                return
            if layer is None:
                return
            document.selection.choose(layer)
            if self.tab == _GRAPH and self.zoom is not None:
                commands.run(window, "graph/bookmark", Bookmark(layer, self.zoom))

        if document.model is not None or document.path is None:
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


def link_to(document: Document, tab: str, layer: int | None, zoom: float | None) -> ViewLink:
    """Return the link to a tab with a layer; one without a name of its own by its position."""
    if layer is None:
        return ViewLink(tab)
    names = [each.name for each in _layers(document)]
    name = names[layer]
    is_unique = bool(name) and names.count(name) == 1 and not name.startswith("#")
    return ViewLink(tab, name if is_unique else f"#{layer}", zoom)


def command(path: Path, link: ViewLink | None = None) -> str:
    """Return the command that opens a file, or a view of it."""
    words = ["inspector", str(path), *(("--view", link.text) if link is not None else ())]
    if sys.platform == "win32":
        return list2cmdline(words)
    return shlex.join(words)


def layer_of(name: str, layers: "Sequence[Layer | LayerUse]", link: ViewLink) -> int | None:
    """Return the layer that a link names; None for none. Raises BadInput: there is no such.

    name: of what has the layers.
    """
    text = link.layer
    if not text:
        return None
    if text.startswith("#") and text[1:].isdecimal() and int(text[1:]) < len(layers):
        return int(text[1:])
    found = next((each.index for each in layers if text == _label(each)), None)
    if found is None:
        why = f"{clip(name, 80)} has no layer '{clip(text, 80)}'"
        raise BadInput(tr("Could not show the view"), why, _HINT)
    return found


def _label(layer: "Layer | LayerUse") -> str:
    """Return the name of a layer, or operator and index where the file gives none."""
    return layer.name or f"{layer.operator} {layer.index}"


def _layers(document: Document) -> "Sequence[Layer | LayerUse]":
    """Return the layers of a model, or of the report that is shown without one."""
    if document.model is not None:
        return document.model.layers
    return document.report.layers if document.report is not None else ()
