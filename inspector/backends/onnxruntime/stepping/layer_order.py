"""A model on its way through the layers: their order, and which are at hand at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto

from inspector.backends import array_files
from inspector.backends.onnxruntime.stepping import exposed_outputs
from inspector.backends.onnxruntime.stepping.exposed_outputs import Feeds, LayerPosition
from inspector.backends.onnxruntime.stepping.hoisting import InnerGraph, hoist
from inspector.formats import opening
from inspector.model.model import Model
from inspector.report.run_spec import RunSpec


@dataclass(slots=True, eq=False)
class SteppingPlan:
    """A model on its way through the layers.

    order: the layers of the main graph. parts: those whose tensors are at hand at once.
    proto: the model, with what is inside bodies raised into its main graph, as `inner` tells
    by the index of the layer around it. initial: weights that this needs.
    """

    path: Path
    spec: RunSpec
    feeds: Feeds
    model: Model
    order: tuple[LayerPosition, ...]
    parts: tuple[tuple[LayerPosition, ...], ...]
    proto: ModelProto
    inner: Mapping[int, tuple[InnerGraph, ...]] = field(default_factory=dict)
    initial: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)


def plan_steps(path: Path, spec: RunSpec, feeds: Feeds, bodies: bool = True) -> SteppingPlan:
    """Find the layers of a model and part them. Raises InspectorError.

    bodies: look into If, Loop and Scan.
    """
    proto, home = opening.skeleton(path), opening.home(path)
    within = hoist(proto, spec, array_files.shapes_of(feeds), home) if bodies else None
    proto = proto if within is None else within.model
    order = exposed_outputs.layer_positions(proto)
    parts = exposed_outputs.parts(proto, order, spec, feeds, home)
    model = opening.open_model(path)
    if within is None:
        return SteppingPlan(path, spec, feeds, model, order, parts, proto)
    return SteppingPlan(
        path, spec, feeds, model, order, parts, proto, within.inner, within.initial
    )
