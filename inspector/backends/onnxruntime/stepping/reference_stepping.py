"""ONNX's reference evaluator, one layer after the other, as the other side of a comparison."""

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, ValueInfoProto, numpy_helper
from onnx.reference import ReferenceEvaluator

from inspector.backends.onnxruntime.sessions import refusals
from inspector.backends.onnxruntime.stepping import reference_evaluator
from inspector.backends.onnxruntime.stepping.exposed_outputs import Feeds, LayerPosition
from inspector.backends.onnxruntime.stepping.single_layer import model_of
from inspector.errors import EngineFailed
from inspector.platform.work_limits import Allowance
from inspector.units import clip, size

LAYER_SECONDS = 20.0  # of work
_LOOK_SECONDS = 0.2
Tensor = NDArray[np.generic]


@dataclass(slots=True, eq=False)
class ReferenceBackend:
    """Computes layers in their order, and keeps the tensors that later ones need.

    Where it cannot compute a layer, it goes on with what the runtime gave, and says so: later
    layers can then still be judged. slow: the layer that took too long; it ends the judging.
    undefined: tensors that ONNX leaves open, and why. left_open: the reasons that were met.
    """

    model: ModelProto
    known: dict[str, Any]
    last_use: Mapping[str, int]
    seconds: float = LAYER_SECONDS
    slow: str = ""
    lacking: set[str] = field(default_factory=set)
    undefined: Mapping[str, str] = field(default_factory=dict)
    left_open: set[str] = field(default_factory=set)

    def outputs(
        self, number: int, place: LayerPosition, ours: Mapping[str, Tensor]
    ) -> tuple[dict[str, Any], str]:
        """Values of the outputs of layer number `number` in the order, and what is amiss."""
        found: dict[str, Any] = {}
        remark = self.slow
        if not remark:
            found, remark = self._computed(place)
        for name in place.gives:
            if name in self.undefined:
                found.pop(name, None)
                self.left_open.add(self.undefined[name])
                remark = remark or f"Not compared: {self.undefined[name]}."
            self.known[name] = found.get(name, ours.get(name))
        for name in place.needs:
            if self.last_use.get(name) == number:
                self.known.pop(name, None)
        return found, remark

    def _computed(self, place: LayerPosition) -> tuple[dict[str, Any], str]:
        node = place.node
        missing = [name for name in place.needs if self.known.get(name) is None]
        if missing:
            return {}, f"'{clip(missing[0], 60)}', which it takes, is not known."
        inputs = [ValueInfoProto(name=name) for name in place.needs]
        alone = model_of(self.model, node, inputs)
        lacking = reference_evaluator.unsupported(alone)
        if lacking:
            self.lacking.update(lacking)
            return {}, f"The reference evaluator has no {', '.join(lacking)}."
        given = {name: self.known[name] for name in place.needs}
        return self._in_time(alone, given, place)

    def _in_time(
        self, alone: ModelProto, given: dict[str, Any], place: LayerPosition
    ) -> tuple[dict[str, Any], str]:
        """Evaluate on a thread that can be left behind: nothing else ends a numpy loop."""
        said: list[Any] = []

        def work() -> None:
            try:
                replaced = reference_evaluator.replacements(alone)
                evaluator = ReferenceEvaluator(alone, new_ops=replaced)
                said.append(evaluator.run(None, given))
            except Exception as error:  # noqa: BLE001 - the evaluator's own, whatever it is
                said.append(error)

        began, allowance = monotonic(), Allowance(self.seconds)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        while thread.is_alive() and not allowance.over:
            thread.join(min(_LOOK_SECONDS, self.seconds / 2))
            allowance.look(os.getpid())
        if not said:
            took = monotonic() - began
            self.slow = (
                f"The reference evaluator was stopped at layer {place.index} "
                f"({place.node.op_type}), which took more than {took:.0f} s."
            )
            return {}, self.slow
        if isinstance(said[0], Exception):
            why = clip(str(said[0]).partition("\n")[0] or type(said[0]).__name__, 160)
            return {}, f"The reference evaluator failed: {why}"
        return dict(zip(place.gives, said[0], strict=False)), ""


def reference_backend(
    path: Path,
    order: tuple[LayerPosition, ...],
    feeds: Feeds,
    what: str,
    initial: Mapping[str, Tensor] = MappingProxyType({}),
) -> ReferenceBackend:
    """Begin with a model's weights and feeds. initial: more weights than those of the file.

    Raises EngineFailed: the model is too large.
    """
    if path.stat().st_size > reference_evaluator.LIMIT_BYTES:
        limit = size(reference_evaluator.LIMIT_BYTES)
        why = f"the reference evaluator is not for models over {limit}"
        raise EngineFailed(what, why, "Compare with another level or device instead.", "load")
    try:
        model = onnx.load(path)
        weights = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    except Exception as error:  # protobuf's kinds, and whatever a hostile tensor causes
        raise refusals.runtime_failure(error, what, "load") from error
    known: dict[str, Any] = {**weights, **initial}
    known |= {name: reference_evaluator.plain(array) for name, array in feeds.items()}
    open_ones = reference_evaluator.undefined(model)
    del model.graph.initializer[:]
    last = {name: number for number, place in enumerate(order) for name in place.needs}
    return ReferenceBackend(model, known, last, undefined=open_ones)
