"""The selection: one value shared by graph, timeline, tables and pane, with a history."""

from msgspec import Struct
from PySide6.QtCore import QObject, Signal


class Scope(Struct, frozen=True):
    """A part of a model by its name, "stage0/block3". layers: indices in the model."""

    name: str
    layers: tuple[int, ...]


class Selected(Struct, frozen=True):
    """A layer (index in the model), the span if it was picked in a timeline, or a tensor.

    tensor: name of a value or weight of the model; empty for none. scope: instead of a layer.
    """

    layer: int | None = None
    span: int | None = None
    tensor: str = ""
    scope: Scope | None = None


class Selection(QObject):
    """Holds what is selected; views set it and follow `changed`."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = Selected()
        self._past: list[Selected] = []
        self._future: list[Selected] = []

    def choose(
        self,
        layer: int | None = None,
        span: int | None = None,
        tensor: str = "",
        scope: Scope | None = None,
    ) -> None:
        """Select a layer, a span, a tensor, a scope or, without arguments, nothing."""
        chosen = Selected(layer, span, tensor, scope)
        if chosen != self.now:
            self._past.append(self.now)
            self._future.clear()
            self._become(chosen)

    def back(self) -> None:
        """Select what was selected before."""
        if self._past:
            self._future.append(self.now)
            self._become(self._past.pop())

    def forward(self) -> None:
        """Undo `back`."""
        if self._future:
            self._past.append(self.now)
            self._become(self._future.pop())

    def _become(self, chosen: Selected) -> None:
        self.now = chosen
        self.changed.emit()
