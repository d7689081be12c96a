"""A prediction, layer by layer, alone or beside another one. Runs in the engine process."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto

from inspector import readers
from inspector.agreement import QUANTIZED, is_over
from inspector.agreement import tolerance as coarseness
from inspector.analysis.stepping import LayerOutput, LayerStep, Stepping
from inspector.analysis.tensor_statistics import statistics
from inspector.difference import Difference, difference
from inspector.engine import element_types, exposed, outputs
from inspector.engine.exposed import Feeds, Place
from inspector.engine.referee import Referee, referee
from inspector.engine.values import Against
from inspector.errors import BadInput
from inspector.model import Model, TensorInfo
from inspector.prediction import OutputValue
from inspector.report import RunSpec
from inspector.units import clip, device

Tell = Callable[[str, float], None]
Values = Mapping[str, OutputValue]
_DEQUANTIZED = "_DequantizeLinear_Output"
_IN_BODY = "It is part of a subgraph; only what the layer around it gives is seen."
UNFUSED = (
    "Every tensor is an output of the session, so no layer is fused: this is the model as its "
    "file says. A prediction of the whole graph at this level may round in another way."
)
PARTED = (
    "The tensors do not fit into memory at once, so the model ran {} times, each with another "
    "part of its tensors as outputs; layers outside of that part may have been fused."
)


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


def step_through(
    mine: Walk, against: Against | None, tolerance: float | None, tell: Tell
) -> Stepping:
    """Run all layers; compare them where there is something to compare with.

    Raises BadInput, EngineFailed, UnreadableFile.
    """
    what = f"Could not step through {mine.path.name}"
    other = _other(mine, against, what)
    trail = _Trail(mine, other.least if other else 0.0, tolerance)
    side_notes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    for part in mine.parts:
        side = exposed.side(mine.path, mine.spec, [n for place in part for n in place.gives])
        ours = exposed.values(side, mine.spec, mine.feeds, what)
        ids, side_notes = side.devices, side.notes
        del side  # the other one's tensors need its room
        theirs = other.values(part, ours) if other else iter(({}, {}, "") for _ in part)
        for place, found in zip(part, theirs, strict=True):
            trail.add(place, ours, *found)
            tell("layers", len(trail.steps) / len(mine.order))
    return Stepping(
        mine.path.name,
        ids,
        mine.spec.optimization,
        mine.spec.threads,
        tuple(_with_bodies(mine.model, trail.steps)),
        other.words if other else "",
        tolerance,
        len(mine.parts),
        (*_notes(mine), *side_notes, *(other.notes if other else ())),
    )


class _Trail:
    """The layers gone through so far: what was not a number, and how coarse it has become."""

    def __init__(self, mine: Walk, least: float, tolerance: float | None) -> None:
        self.steps: list[LayerStep] = []
        self._layers, self._least, self._tolerance = mine.model.layers, least, tolerance
        self._made = {name: place.index for place in mine.order for name in place.gives}
        self._nan = {name for name, array in mine.feeds.items() if _any(np.isnan, array)}
        self._infinite = {name for name, array in mine.feeds.items() if _any(np.isinf, array)}

    def add(
        self,
        place: Place,
        ours: Values,
        theirs: Values,
        renamed: Mapping[str, str],
        remark: str,
    ) -> None:
        """Go on by one layer."""
        seen = [value.dtype for value in (*(ours[n] for n in place.gives), *theirs.values())]
        self._least = max((self._least, *map(coarseness, seen)))
        results = tuple(
            _output(ours[n], theirs.get(n), renamed.get(n, ""), self._tolerance, self._least)
            for n in place.gives
        )
        layer, made = self._layers[place.index], self._made
        self.steps.append(
            LayerStep(
                place.index,
                layer.label,
                layer.operator,
                results,
                tuple(dict.fromkeys(made[name] for name in place.needs if name in made)),
                not self._nan.isdisjoint(place.needs),
                not self._infinite.isdisjoint(place.needs),
                remark=remark,
            )
        )
        found = [(each.name, each.statistics) for each in results if each.statistics]
        self._nan |= {name for name, statistic in found if statistic.nan}
        self._infinite |= {name for name, statistic in found if statistic.infinite}


def _notes(mine: Walk) -> tuple[str, ...]:
    unfused = (UNFUSED,) if mine.spec.optimization != "none" else ()
    parted = (PARTED.format(len(mine.parts)),) if len(mine.parts) > 1 else ()
    return unfused + parted


def both(
    mine: Walk, against: Against | None, tensor: str, what: str
) -> tuple[OutputValue, OutputValue | None, str]:
    """One tensor on both sides, and why the other side has none.

    Raises BadInput: no such tensor.
    """
    part = next((p for p in mine.parts if any(tensor in place.gives for place in p)), None)
    if part is None:
        raise BadInput(what, f"no layer of the main graph gives '{clip(tensor, 80)}'")
    other = _other(mine, against, what)
    until = mine.parts if isinstance(other, _ByReference) else (part,)
    for each in until:
        names = [name for place in each for name in place.gives]
        side = exposed.side(mine.path, mine.spec, names)
        ours = exposed.values(side, mine.spec, mine.feeds, what)
        if each is part and other is None:
            break
        assert other is not None
        for place, (found, _, remark) in zip(each, other.values(each, ours), strict=True):
            if tensor in place.gives:
                return ours[tensor], found.get(tensor), remark
    return ours[tensor], None, ""


@dataclass(slots=True, eq=False)
class _BySession:
    """The other side is the runtime again, otherwise set up, or with another model."""

    against: Against
    path: Path
    feeds: Feeds
    names: Mapping[str, str]  # our tensor -> its counterpart
    words: str
    what: str
    least: float = 0.0
    notes: tuple[str, ...] = ()

    def values(
        self, part: Sequence[Place], ours: Values
    ) -> Iterator[tuple[Values, Mapping[str, str], str]]:
        """For each layer of a part: what this side has by our names, and a remark."""
        names = [self.names[n] for place in part for n in place.gives if n in self.names]
        spec = self.against.spec
        assert spec is not None
        side = exposed.side(self.path, spec, tuple(dict.fromkeys(names)))
        self.notes = tuple(f"Other side: {note}" for note in side.notes)
        found = exposed.values(side, spec, self.feeds, self.what)
        for place in part:
            mine = {n: self.names[n] for n in place.gives if n in self.names}
            other = {n: their for n, their in mine.items() if their != n}
            remark = "" if mine else "The other model has no such layer."
            yield {n: found[their] for n, their in mine.items()}, other, remark


@dataclass(slots=True, eq=False)
class _ByReference:
    """The other side is ONNX's reference evaluator."""

    referee: Referee
    number: int = 0
    least: float = 0.0
    words: str = "ONNX's reference evaluator"

    @property
    def notes(self) -> tuple[str, ...]:
        """What it could not judge."""
        lacking = sorted(self.referee.lacking)
        said = (
            f"The reference evaluator is no judge of {', '.join(lacking[:8])}"
            if lacking
            else ""
        )
        ended = f"{said}; there it went on with what the runtime gave." if said else ""
        return tuple(text for text in (ended, self.referee.slow) if text)

    def values(
        self, part: Sequence[Place], ours: Values
    ) -> Iterator[tuple[Values, Mapping[str, str], str]]:
        """As of `_BySession`."""
        arrays = {name: value.array for name, value in ours.items() if value.array is not None}
        for place in part:
            found, remark = self.referee.outputs(self.number, place, arrays)
            self.number += 1
            given = {name: _value(ours[name], found[name]) for name in found}
            yield given, {}, remark


def _other(
    mine: Walk, against: Against | None, what: str
) -> "_BySession | _ByReference | None":
    if against is None:
        return None
    if against.spec is None:
        return _ByReference(referee(mine.path, mine.order, mine.feeds, what))
    spec = against.spec
    words = f"{' + '.join(map(device, spec.devices))}, level {spec.optimization}"
    words += f", {spec.threads} threads" if spec.threads else ""
    if not against.model:
        names = {name: name for place in mine.order for name in place.gives}
        return _BySession(against, mine.path, mine.feeds, names, words, what)
    path = Path(against.model)
    proto, theirs = readers.skeleton(mine.path), readers.skeleton(path)
    names = counterparts(mine.order, exposed.places(theirs))
    feeds = _renamed(mine, readers.open_model(path), what)
    given = replace(against, spec=replace(spec, cast=True))
    named = f"{clip(path.name, 60)} on {words}"
    least = max(map(_rounding, (proto.graph, theirs.graph)))
    return _BySession(given, path, feeds, names, named, what, least)


def counterparts(mine: Sequence[Place], theirs: Sequence[Place]) -> dict[str, str]:
    """Our tensors -> those of another model: by name; where hardly any name is the same, as
    outputs of the layer at the same place or, in a model of another structure, so called.

    A static quantiser gives the name of a tensor to what comes before its activation; what it
    dequantises afterwards is the tensor that was meant.
    """
    named = {name for place in theirs for name in place.gives}
    ours = [name for place in mine for name in place.gives]
    by_name = {
        name: name + _DEQUANTIZED if name + _DEQUANTIZED in named else name
        for name in ours
        if name in named or name + _DEQUANTIZED in named
    }
    if len(by_name) * 4 >= len(ours):
        return by_name
    layers = {(p.node.name, p.node.op_type): p for p in theirs if p.node.name}
    pairs = [(p, layers.get((p.node.name, p.node.op_type))) for p in mine]
    if [p.node.op_type for p in mine] == [p.node.op_type for p in theirs]:
        pairs = list(zip(mine, theirs, strict=True))
    return by_name | {
        own: their
        for place, other in pairs
        if other is not None
        for own, their in zip(place.node.output, other.node.output, strict=False)
        if own and their
    }


def _rounding(graph: GraphProto) -> float:
    """What a model may be off for rounding to few bits somewhere on its way."""
    rounds = any("Quant" in node.op_type or "QLinear" in node.op_type for node in graph.node)
    return QUANTIZED if rounds else 0.0


def _renamed(mine: Walk, theirs: Model, what: str) -> Feeds:
    """Feeds by the other model's names; by place where the names are others."""
    wanted = [info.name for info in theirs.inputs]
    if set(wanted) <= mine.feeds.keys():
        return {name: mine.feeds[name] for name in wanted}
    if len(wanted) != len(mine.feeds):
        why = f"it takes {len(wanted)} inputs, and {mine.model.name} {len(mine.feeds)}"
        raise BadInput(what, f"{clip(theirs.name, 60)} cannot be fed alike: {why}")
    order = [info.name for info in mine.model.inputs if info.name in mine.feeds]
    return {new: mine.feeds[old] for new, old in zip(wanted, order, strict=False)}


def _output(
    mine: OutputValue,
    theirs: OutputValue | None,
    counterpart: str,
    tolerance: float | None,
    least: float,
) -> LayerOutput:
    if mine.array is None:
        return LayerOutput(mine.name, mine.dtype, (), None, mine.text)
    found = _difference(theirs, mine) if theirs is not None else None
    return LayerOutput(
        mine.name,
        mine.dtype,
        mine.shape,
        statistics([np.ascontiguousarray(mine.array).reshape(-1)]),
        "" if mine.kind == "tensor" else f"A {mine.kind}.",
        found,
        counterpart,
        found is not None and is_over(found, tolerance, least),
    )


def _difference(reference: OutputValue, mine: OutputValue) -> Difference | None:
    """The other side is the reference. Types are the model's, also where they were widened."""
    if reference.array is None or mine.array is None:
        return None
    found = difference(reference.array, mine.array)
    return replace(found, reference_dtype=reference.dtype, other_dtype=mine.dtype)


def _value(mine: OutputValue, value: Any) -> OutputValue:
    if isinstance(value, np.generic):
        value = np.asarray(value)
    dtype = element_types.type_name(value) if isinstance(value, np.ndarray) else mine.dtype
    return outputs.output_value(TensorInfo(mine.name, mine.kind, dtype, None), value)


def _with_bodies(model: Model, done: Sequence[LayerStep]) -> Iterator[LayerStep]:
    """Add the layers of subgraphs behind those that they are part of."""
    inside: dict[int, list[LayerStep]] = {}
    for layer in model.layers:
        if layer.parent is not None:
            top = layer
            while top.parent is not None:
                top = model.layers[top.parent]
            step = LayerStep(layer.index, layer.label, layer.operator, problem=_IN_BODY)
            inside.setdefault(top.index, []).append(step)
    for step in done:
        yield step
        yield from inside.get(step.index, ())


def _any(
    test: Callable[[NDArray[np.floating[Any]]], NDArray[np.bool_]], array: NDArray[np.generic]
) -> bool:
    real = array.dtype.kind in "fcV"
    return real and bool(
        test(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)).any()
    )
