"""A model on its way through the layers: their order, and which are at hand at once."""

from dataclasses import dataclass
from pathlib import Path

from inspector import readers
from inspector.engine.walking import exposed
from inspector.engine.walking.exposed import Feeds, Place
from inspector.model import Model
from inspector.report import RunSpec


@dataclass(slots=True, eq=False)
class Walk:
    """A model on its way through the layers.

    order: the layers of the main graph. parts: those whose tensors are at hand at once.
    """

    path: Path
    spec: RunSpec
    feeds: Feeds
    model: Model
    order: tuple[Place, ...]
    parts: tuple[tuple[Place, ...], ...]


def walk(path: Path, spec: RunSpec, feeds: Feeds) -> Walk:
    """Find the layers of a model and part them. Raises InspectorError."""
    proto = readers.skeleton(path)
    order = exposed.places(proto)
    parts = exposed.parts(proto, order, spec, feeds, readers.home(path))
    return Walk(path, spec, feeds, readers.open_model(path), order, parts)
