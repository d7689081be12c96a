"""A model on its way through the layers: their order, and which are at hand at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto

from inspector import readers
from inspector.engine import handover
from inspector.engine.walking import exposed
from inspector.engine.walking.exposed import Feeds, Place
from inspector.engine.walking.raising import Inner, raised
from inspector.model import Model
from inspector.report import RunSpec


@dataclass(slots=True, eq=False)
class Walk:
    """A model on its way through the layers.

    order: the layers of the main graph. parts: those whose tensors are at hand at once.
    proto: the model, with what is inside bodies raised into its main graph, as `inner` tells
    by the index of the layer around it. initial: weights that this needs.
    """

    path: Path
    spec: RunSpec
    feeds: Feeds
    model: Model
    order: tuple[Place, ...]
    parts: tuple[tuple[Place, ...], ...]
    proto: ModelProto
    inner: Mapping[int, tuple[Inner, ...]] = field(default_factory=dict)
    initial: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)


def walk(path: Path, spec: RunSpec, feeds: Feeds, bodies: bool = True) -> Walk:
    """Find the layers of a model and part them. Raises InspectorError.

    bodies: look into If, Loop and Scan.
    """
    proto, home = readers.skeleton(path), readers.home(path)
    within = raised(proto, spec, handover.shapes_of(feeds), home) if bodies else None
    proto = proto if within is None else within.model
    order = exposed.places(proto)
    parts = exposed.parts(proto, order, spec, feeds, home)
    model = readers.open_model(path)
    if within is None:
        return Walk(path, spec, feeds, model, order, parts, proto)
    return Walk(path, spec, feeds, model, order, parts, proto, within.inner, within.initial)
