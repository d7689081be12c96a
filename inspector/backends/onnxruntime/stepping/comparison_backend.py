"""Compute the values that stepping compares with: another session, or the evaluator of ONNX."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from msgspec import Struct, field, structs
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, ValueInfoProto, numpy_helper
from onnx.reference import ReferenceEvaluator

from inspector.backends import type_names
from inspector.backends.base import CURRENT
from inspector.backends.onnxruntime.sessions import predict, refusals
from inspector.backends.onnxruntime.stepping import (
    exposed_outputs,
    reference_evaluator,
    reference_operators,
)
from inspector.backends.onnxruntime.stepping.exposed_outputs import Feeds, LayerPosition
from inspector.backends.onnxruntime.stepping.hoisting import SteppingPlan
from inspector.backends.onnxruntime.stepping.single_layer import model_of
from inspector.backends.values import ComparisonRun
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.agreement import QUANTIZED
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.work_limits import Allowance
from inspector.units import clip, device, size
from inspector.wording.values import Sentence

LAYER_SECONDS = 20.0  # of work
_LOOK_SECONDS = 0.2
Tensor = NDArray[np.generic]
_DEQUANTIZED = "_DequantizeLinear_Output"


class ReferenceBackend(Struct, eq=False):
    """Computes layers in their order, and keeps the tensors that later ones need.

    Where it cannot compute a layer, it goes on with what the runtime gave, and says so: later
    layers can then still be judged. slow: the layer that took too long; it ends the judging.
    undefined: tensors that cannot be judged, and why. left_open: the reasons that were met.
    """

    model: ModelProto
    tensors: dict[str, Any]
    last_use: Mapping[str, int]
    seconds: float = LAYER_SECONDS
    slow: str = ""
    missing_operators: set[str] = field(default_factory=set)
    undefined: Mapping[str, str] = field(default_factory=dict)
    left_open: set[str] = field(default_factory=set)

    def outputs(
        self, number: int, place: LayerPosition, ours: Mapping[str, Tensor]
    ) -> tuple[dict[str, Any], str]:
        """Return the values of the outputs of layer number `number` in the order, and what is
        amiss."""
        values: dict[str, Any] = {}
        remark = self.slow
        if not remark:
            values, remark = self._computed(place)
        for name in place.gives:
            if name in self.undefined:
                values.pop(name, None)
                self.left_open.add(self.undefined[name])
                remark = remark or Sentence("Not compared: {value}.", self.undefined[name])
            self.tensors[name] = values.get(name, ours.get(name))
        for name in place.needs:
            if self.last_use.get(name) == number:
                self.tensors.pop(name, None)
        return values, remark

    def _computed(self, place: LayerPosition) -> tuple[dict[str, Any], str]:
        node = place.node
        missing = [name for name in place.needs if self.tensors.get(name) is None]
        if missing:
            return {}, f"Not compared: the input '{clip(missing[0], 60)}' is unknown."
        inputs = [ValueInfoProto(name=name) for name in place.needs]
        alone = model_of(self.model, node, inputs)
        lacking = reference_evaluator.unsupported(alone)
        if lacking:
            self.missing_operators.update(lacking)
            return {}, f"The reference evaluator does not implement {', '.join(lacking)}."
        given = {name: self.tensors[name] for name in place.needs}
        return self._in_time(alone, given, place)

    def _in_time(
        self, alone: ModelProto, given: dict[str, Any], place: LayerPosition
    ) -> tuple[dict[str, Any], str]:
        """Evaluate on a thread that can be left behind: nothing else ends a numpy loop."""
        outcome: list[Any] = []

        def work() -> None:
            try:
                replaced = reference_operators.replacements(alone)
                evaluator = ReferenceEvaluator(alone, new_ops=replaced)
                outcome.append(evaluator.run(None, given))
            except Exception as error:  # noqa: BLE001 - the evaluator's own, whatever it is
                outcome.append(error)

        began, allowance = monotonic(), Allowance(self.seconds)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        while thread.is_alive() and not allowance.exceeded:
            thread.join(min(_LOOK_SECONDS, self.seconds / 2))
            allowance.update(os.getpid())
        if not outcome:
            took = monotonic() - began
            self.slow = Sentence(
                "The reference evaluator was stopped at layer {index} "
                "({op_type}), which took longer than {took} s.",
                place.index,
                place.node.op_type,
                f"{took:.0f}",
            )
            return {}, self.slow
        if isinstance(outcome[0], Exception):
            why = clip(str(outcome[0]).partition("\n")[0] or type(outcome[0]).__name__, 160)
            return {}, Sentence("The reference evaluator failed: {why}", why)
        return dict(zip(place.gives, outcome[0], strict=False)), ""


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
        why = f"the reference evaluator is limited to models of {limit}"
        raise EngineFailed(
            what, why, "Compare with another optimization level or device instead.", "load"
        )
    try:
        model = onnx.load(path)
        weights = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    except Exception as error:  # protobuf's kinds, and whatever a hostile tensor causes
        raise refusals.runtime_failure(error, what, "load") from error
    constants: dict[str, Any] = {**weights, **initial}
    constants |= {name: reference_evaluator.plain(array) for name, array in feeds.items()}
    # Later layers are computed of what the runtime gave, so they can be judged.
    open_ones = reference_operators.undefined(model, inherited=False)
    del model.graph.initializer[:]
    last = {name: number for number, place in enumerate(order) for name in place.needs}
    return ReferenceBackend(model, constants, last, undefined=open_ones)


Values = Mapping[str, OutputValue]


class SessionComparison(Struct, eq=False):
    """The other side is the runtime again, otherwise set up, or with another model."""

    against: ComparisonRun
    path: Path
    feeds: Feeds
    names: Mapping[str, str]  # our tensor -> its counterpart
    label: str
    what: str
    least: float = 0.0
    notes: tuple[str, ...] = ()
    proto: ModelProto | None = None

    def values(
        self, part: Sequence[LayerPosition], ours: Values
    ) -> Iterator[tuple[Values, Mapping[str, str], str]]:
        """Yield for each layer of a part the other run's values by our names, and a remark."""
        names = [self.names[n] for place in part for n in place.gives if n in self.names]
        spec = self.against.spec
        assert spec is not None
        companions = exposed_outputs.expose_outputs(
            self.path, spec, tuple(dict.fromkeys(names)), self.proto
        )
        self.notes = tuple(Sentence("Second run: {note}", note) for note in companions.notes)
        results = exposed_outputs.values(companions, spec, self.feeds, self.what)
        for place in part:
            renamed = {n: self.names[n] for n in place.gives if n in self.names}
            other = {n: their for n, their in renamed.items() if their != n}
            remark = "" if renamed else "The other model has no such layer."
            yield {n: results[their] for n, their in renamed.items()}, other, remark


class ReferenceComparison(Struct, eq=False):
    """The other side is ONNX's reference evaluator."""

    referee: ReferenceBackend
    number: int = 0
    least: float = 0.0
    label: str = "ONNX reference evaluator"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what it could not judge."""
        lacking = sorted(self.referee.missing_operators)
        message = (
            f"The reference evaluator cannot check {', '.join(lacking[:8])}" if lacking else ""
        )
        ended = f"{message}; it continued with the values of ONNX Runtime." if message else ""
        left_open = [
            Sentence("Not compared: {why}.", why) for why in sorted(self.referee.left_open)
        ]
        return tuple(text for text in (ended, *left_open, self.referee.slow) if text)

    def values(
        self, part: Sequence[LayerPosition], ours: Values
    ) -> Iterator[tuple[Values, Mapping[str, str], str]]:
        """Yield for each layer of a part the reference values by our names, and a remark."""
        arrays = {
            name: exposed_outputs.as_declared(value)
            for name, value in ours.items()
            if value.array is not None
        }
        for place in part:
            CURRENT.set(place.node.name, place.node.op_type)
            results, remark = self.referee.outputs(self.number, place, arrays)
            self.number += 1
            given = {name: _value(ours[name], results[name]) for name in results}
            CURRENT.clear()
            yield given, {}, remark


def comparison_for(
    plan: SteppingPlan, against: ComparisonRun | None, what: str
) -> "SessionComparison | ReferenceComparison | None":
    """Make what gives the other side's tensors. Raises BadInput, EngineFailed."""
    if against is None:
        return None
    if against.spec is None:
        return ReferenceComparison(
            reference_backend(plan.path, plan.order, plan.feeds, what, plan.initial)
        )
    spec = against.spec
    label = f"{' + '.join(map(device, spec.devices))}, optimization {spec.optimization}"
    label += f", {spec.threads} threads" if spec.threads else ""
    if not against.model:
        names = {name: name for place in plan.order for name in place.gives}
        return SessionComparison(
            against, plan.path, plan.feeds, names, label, what, proto=plan.proto
        )
    path = Path(against.model)
    proto, theirs = opening.skeleton(plan.path), opening.skeleton(path)
    names = counterparts(plan.order, exposed_outputs.layer_positions(theirs))
    feeds = _renamed(plan, opening.open_model(path), what)
    given = structs.replace(against, spec=replace(spec, cast=True, on_cpu=()))  # of our layers
    named = f"{clip(path.name, 60)} on {label}"
    least = max(map(_rounding, (proto.graph, theirs.graph)))
    return SessionComparison(given, path, feeds, names, named, what, least)


def counterparts(
    positions: Sequence[LayerPosition], theirs: Sequence[LayerPosition]
) -> dict[str, str]:
    """Map our tensors to those of another model that shares names with ours.

    A static quantiser gives the name of a tensor to what comes before its activation; what it
    dequantises afterwards is the tensor that was meant.
    """
    named = {name for place in theirs for name in place.gives}
    ours = [name for place in positions for name in place.gives]
    own = {*ours}
    by_name = {}
    for name in ours:
        both = (name + _DEQUANTIZED, name, name.removesuffix(_DEQUANTIZED))
        common_name = next((each for each in both if each in named), None)
        if common_name is not None and name + _DEQUANTIZED not in own:
            by_name[name] = common_name
    return by_name


def _rounding(graph: GraphProto) -> float:
    """Return the error to expect from rounding to few bits inside a model."""
    rounds = any("Quant" in node.op_type or "QLinear" in node.op_type for node in graph.node)
    return QUANTIZED if rounds else 0.0


def _renamed(plan: SteppingPlan, other: Model, what: str) -> Feeds:
    """Feeds by the other model's names; by place where the names are others."""
    requested = [info.name for info in other.inputs]
    if set(requested) <= plan.feeds.keys():
        return {name: plan.feeds[name] for name in requested}
    if len(requested) != len(plan.feeds):
        why = f"{clip(other.name, 60)} has {len(requested)} inputs, but {plan.model.name} has "
        raise BadInput(what, f"{why}{len(plan.feeds)}")
    order = [info.name for info in plan.model.inputs if info.name in plan.feeds]
    return {new: plan.feeds[old] for new, old in zip(requested, order, strict=False)}


def _value(own_value: OutputValue, value: Any) -> OutputValue:
    value = reference_operators.element(value)
    if isinstance(value, np.generic):
        value = np.asarray(value)
    dtype = type_names.type_name(value) if isinstance(value, np.ndarray) else own_value.dtype
    return predict.output_value(TensorInfo(own_value.name, own_value.kind, dtype, None), value)
