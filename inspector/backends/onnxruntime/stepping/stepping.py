"""Runs a model layer by layer, alone or compared with a second run, in the engine process."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep, Stepping
from inspector.backends.array_files import Feed
from inspector.backends.layer_values import with_broken_part
from inspector.backends.onnxruntime.stepping import exposed_outputs
from inspector.backends.onnxruntime.stepping.comparison_backend import (
    ReferenceComparison,
    Values,
    comparison_for,
)
from inspector.backends.onnxruntime.stepping.exposed_outputs import LayerPosition
from inspector.backends.onnxruntime.stepping.hoisting import (
    InnerGraph,
    SteppingPlan,
    is_added,
    plan_steps,
)
from inspector.backends.onnxruntime.stepping.reference_evaluator import evaluate as evaluate
from inspector.backends.values import ComparisonRun
from inspector.errors import BadInput, EngineFailed
from inspector.model.model import Model
from inspector.model.tensors.agreement import is_over
from inspector.model.tensors.agreement import tolerance as coarseness
from inspector.model.tensors.difference import Difference, difference
from inspector.model.tensors.prediction import OutputValue
from inspector.model.tensors.tensor_statistics import statistics
from inspector.units import clip
from inspector.wording.values import Sentence

Tell = Callable[[str, float], None]
_Test = Callable[[NDArray[np.floating[Any]]], NDArray[np.bool_]]
_IN_BODY = "The layer is in a subgraph; only the outputs of the enclosing layer are available."
_NOT_RUN = "With these inputs, the branch of this layer was not taken, or its loop did not run."
_LATEST = "Values from the last iteration."
_AROUND = (
    "Values inside subgraphs are not shown, because ONNX Runtime cannot return them for "
    "this model ({})."
)
UNFUSED = (
    "Every tensor is an output of the session, so no layer is fused. A normal run at this "
    "optimization level may round differently."
)
PARTED = (
    "The tensors do not fit in memory together, so the model ran {} times with different "
    "outputs; layers without outputs in a run may have been fused."
)


KEPT = (
    "ONNX Runtime passes {} between layers in float32, because the device lacks float16 "
    "kernels. Their values are shown as the next layer gets them; those of the other float16 "
    "tensors are rounded to float16; {}."
)
ROUNDED = (
    "Returning float16 tensors rounds them, to infinity above 65,504; a normal run may "
    "continue in float32. Infinite values and NaN may be caused by this rounding only."
)


def step_through(
    plan: SteppingPlan, against: ComparisonRun | None, tolerance: float | None, tell: Tell
) -> Stepping:
    """Run all layers; compare them where there is something to compare with.

    Values inside If, Loop and Scan are given up where they keep the model from running.
    Raises BadInput, EngineFailed, UnreadableFile.
    """
    try:
        return _step_through(plan, against, tolerance, tell)
    except EngineFailed as error:
        if not plan.inner:
            raise
        plain = plan_steps(plan.path, plan.spec, plan.feeds, bodies=False)
        stepping = _step_through(plain, against, tolerance, tell)
        return structs.replace(stepping, notes=(*stepping.notes, _AROUND.format(error.why)))


def _step_through(
    plan: SteppingPlan, against: ComparisonRun | None, tolerance: float | None, tell: Tell
) -> Stepping:
    what = Sentence("Could not run {name} layer by layer", plan.path.name)
    other = comparison_for(plan, against, what)
    trail = _ComparisonLog(plan, other.least if other else 0.0, tolerance)
    side_notes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    rounded = False
    for part in plan.parts:
        names = [n for place in part for n in place.gives]
        companions = exposed_outputs.expose_outputs(plan.path, plan.spec, names, plan.proto)
        tell("steps", len(trail.steps) / max(1, len(plan.order)))
        ours = exposed_outputs.values(companions, plan.spec, plan.feeds, what)
        ids, side_notes = companions.devices, companions.notes
        rounded = rounded or companions.rounded
        del companions  # the other one's tensors need its room
        tell("walk", len(trail.steps) / max(1, len(plan.order)))
        theirs = other.values(part, ours) if other else iter(({}, {}, "") for _ in part)
        for place, counterpart in zip(part, theirs, strict=True):
            trail.add(place, ours, *counterpart)
            tell("walk", len(trail.steps) / max(1, len(plan.order)))
    unfused = (UNFUSED,) if plan.spec.optimization != "none" else ()
    parted = (PARTED.format(len(plan.parts)),) if len(plan.parts) > 1 else ()
    return Stepping(
        plan.path.name,
        ids,
        plan.spec.optimization,
        plan.spec.threads,
        tuple(_with_bodies(plan.model, trail.steps, trail.inside)),
        other.label if other else "",
        tolerance,
        len(plan.parts),
        (
            *unfused,
            *parted,
            *_kept_notes(trail.steps, rounded),
            *side_notes,
            *(other.notes if other else ()),
        ),
        least=other.least if other else 0.0,
    )


class _ComparisonLog:
    """The layers gone through so far: what was not a number, and how coarse it has become."""

    def __init__(self, plan: SteppingPlan, least: float, tolerance: float | None) -> None:
        self.steps: list[LayerStep] = []
        self.inside: dict[int, LayerStep] = {}
        self._inner = plan.inner
        self._final = {output.name for output in plan.model.outputs}
        self._layers, self._least, self._tolerance = plan.model.layers, least, tolerance
        self._made = {name: place.index for place in plan.order for name in place.gives}
        self._nan = {name for name, fed in plan.feeds.items() if _anywhere(np.isnan, fed)}
        self._infinite = {name for name, fed in plan.feeds.items() if _anywhere(np.isinf, fed)}

    def add(
        self,
        place: LayerPosition,
        ours: Values,
        theirs: Values,
        renamed: Mapping[str, str],
        remark: str,
    ) -> None:
        """Go on by one layer."""
        dtypes = [value.dtype for value in (*(ours[n] for n in place.gives), *theirs.values())]
        self._least = max((self._least, *map(coarseness, dtypes)))
        results = tuple(
            self._with_broken_part(
                _output(
                    ours[n], theirs.get(n), renamed.get(n, ""), self._tolerance, self._least
                ),
                ours[n],
                theirs.get(n),
            )
            for n in place.gives
            if not is_added(n)
        )
        self._add_inside(place, ours, theirs)
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
        statistics = [(each.name, each.statistics) for each in results if each.statistics]
        self._nan |= {name for name, statistic in statistics if statistic.nan}
        self._infinite |= {name for name, statistic in statistics if statistic.infinite}

    def _with_broken_part(
        self, output: LayerOutput, own: OutputValue, theirs: OutputValue | None
    ) -> LayerOutput:
        """Return an output of the model with the part of it that is wrong, unless the user has
        said what is."""
        if output.name not in self._final or theirs is None or self._tolerance is not None:
            return output
        return with_broken_part(output, theirs.array, own.array)

    def _add_inside(self, place: LayerPosition, ours: Values, theirs: Values) -> None:
        """Go through the layers inside a layer, as far as their values were raised."""
        nan, infinite = set(self._nan), set(self._infinite)
        layers: dict[int, list[InnerGraph]] = {}
        for each in self._inner.get(place.index, ()):
            layers.setdefault(each.layer, []).append(each)
        for index, tensors in layers.items():
            step = self._inside(index, tensors, ours, theirs)
            takes = self._layers[index].inputs
            statistics = [
                (each.name, each.statistics) for each in step.outputs if each.statistics
            ]
            self.inside[index] = structs.replace(
                step,
                gets_nan=not nan.isdisjoint(takes),
                gets_infinite=not infinite.isdisjoint(takes),
            )
            nan |= {name for name, statistic in statistics if statistic.nan}
            infinite |= {name for name, statistic in statistics if statistic.infinite}

    def _inside(
        self, index: int, tensors: Sequence[InnerGraph], ours: Values, theirs: Values
    ) -> LayerStep:
        layer = self._layers[index]
        outputs = []
        for each in tensors:
            value = each.of(ours)
            if value is not None:
                other = each.of(theirs) if each.marker in theirs else None
                outputs.append(_output(value, other, "", self._tolerance, self._least))
        if not outputs:
            return LayerStep(index, layer.label, layer.operator, problem=_NOT_RUN)
        remark = _LATEST if tensors[0].looped else ""
        return LayerStep(index, layer.label, layer.operator, tuple(outputs), remark=remark)


def _kept_notes(steps: Sequence[LayerStep], rounded: bool) -> tuple[str, ...]:
    """Return notes on values that are wider than the types of the model."""
    widened = [out for step in steps for out in step.outputs if out.kept_in and out.statistics]
    largest = float(np.finfo(np.float16).max)
    statistics = (out.statistics for out in widened)
    edges = [(each.minimum or 0.0, each.maximum or 0.0) for each in statistics if each]
    beyond = sum(max(-low, high) > largest for low, high in edges)
    range_text = "none is too large for float16"
    if beyond:
        range_text = (
            f"if rounded, {units.plural(beyond, 'tensor')} would contain infinite values"
        )
    notes = (
        (KEPT.format(units.plural(len(widened), "float16 tensor"), range_text),)
        if widened
        else ()
    )
    return (*notes, ROUNDED) if rounded else notes


def inner_tensor_pair(
    plan: SteppingPlan, against: ComparisonRun | None, tensor: str, what: str
) -> tuple[OutputValue, OutputValue | None, str]:
    """Return one tensor on both sides, and why the other side has none.

    Of a body, it is the one of the branch that was taken, or of the last iteration.
    Raises BadInput: no such tensor, or its body did not run.
    """
    home = _home(plan, tensor)
    part = next((p for p in plan.parts if any(home == place.index for place in p)), None)
    if part is None:
        raise BadInput(what, f"no layer produces '{clip(tensor, 80)}'")
    other = comparison_for(plan, against, what)
    until = plan.parts if isinstance(other, ReferenceComparison) else (part,)
    for each in until:
        names = [name for place in each for name in place.gives]
        companions = exposed_outputs.expose_outputs(plan.path, plan.spec, names, plan.proto)
        ours = exposed_outputs.values(companions, plan.spec, plan.feeds, what)
        if each is part and other is None:
            break
        assert other is not None
        for place, (values, _, remark) in zip(each, other.values(each, ours), strict=True):
            if place.index == home:
                value, inner = _value_of(plan, place.index, tensor, ours, what)
                if inner is None:
                    return value, values.get(tensor), remark
                ran = inner.of(values) if inner.marker in values else None
                return value, ran, remark
    return _value_of(plan, home, tensor, ours, what)[0], None, ""


def inner_tensors(
    plan: SteppingPlan,
    tensors: Sequence[str],
    given: Sequence[str],
    feeds: exposed_outputs.Feeds,
    what: str,
) -> tuple[OutputValue, ...]:
    """Return tensors, all where none is named; those in bodies of the branch that was taken, or
    of the last iteration, where their names are no other's.

    given: tensors whose values in `feeds` are read in place of those that are computed. Values
    inside bodies are given up where they keep the model from running.
    Raises BadInput, EngineFailed.
    """
    try:
        return _inner_tensors(plan, tensors, given, feeds, what)
    except EngineFailed:
        if not plan.inner:
            raise
        plain = plan_steps(plan.path, plan.spec, plan.feeds, bodies=False)
        return _inner_tensors(plain, tensors, given, feeds, what)


def _inner_tensors(
    plan: SteppingPlan,
    tensors: Sequence[str],
    given: Sequence[str],
    feeds: exposed_outputs.Feeds,
    what: str,
) -> tuple[OutputValue, ...]:
    proto, named = exposed_outputs.with_given(plan.proto, feeds, given)
    found: dict[str, OutputValue] = {}
    for part in plan.parts:
        own = [n for place in part for n in place.gives if not is_added(n)]
        names = [name for name in own if name in tensors] if tensors else own
        inner = [
            each for place in part for each in plan.inner.get(place.index, ())
            if not tensors or each.tensor in tensors
        ]  # fmt: skip
        needed = [name for each in inner for name in (each.source, each.marker)]
        if names or inner:
            every = [*dict.fromkeys((*names, *needed))]
            companions = exposed_outputs.expose_outputs(plan.path, plan.spec, every, proto)
            values = exposed_outputs.values(companions, plan.spec, named, what)
            found |= {name: values[name] for name in names}
            for each in inner:
                value = each.of(values)
                if value is not None:
                    found.setdefault(each.tensor, value)
    return tuple(found.values())


def _home(plan: SteppingPlan, tensor: str) -> int:
    """Index of the layer of the main graph that gives a tensor or has it inside; -1: none."""
    for place in plan.order:
        if tensor in place.gives:
            return place.index
    inside = (n for n, some in plan.inner.items() if any(e.tensor == tensor for e in some))
    return next(inside, -1)


def _value_of(
    plan: SteppingPlan, home: int, tensor: str, ours: Values, what: str
) -> tuple[OutputValue, InnerGraph | None]:
    if tensor in ours:
        return ours[tensor], None
    for inner in plan.inner.get(home, ()):
        value = inner.of(ours) if inner.tensor == tensor else None
        if value is not None:
            return value, inner
    raise BadInput(what, f"'{clip(tensor, 80)}': {units.uncapitalized(_NOT_RUN[:-1])}")


def _output(
    own: OutputValue,
    theirs: OutputValue | None,
    counterpart: str,
    tolerance: float | None,
    least: float,
) -> LayerOutput:
    if own.array is None:
        return LayerOutput(own.name, own.dtype, (), None, own.text)
    comparison = _difference(theirs, own) if theirs is not None else None
    stored_dtype = "float32" if own.dtype == "float16" and own.array.dtype == np.float32 else ""
    return LayerOutput(
        own.name,
        own.dtype,
        own.shape,
        statistics([np.ascontiguousarray(own.array).reshape(-1)]),
        "" if own.kind == "tensor" else f"A {own.kind}.",
        comparison,
        counterpart,
        comparison is not None and is_over(comparison, tolerance, least),
        stored_dtype,
    )


def _difference(reference: OutputValue, own: OutputValue) -> Difference | None:
    """Compare two outputs; the other side is the reference.

    Types are the model's, also where they were widened.
    """
    if reference.array is None or own.array is None:
        return None
    result = difference(reference.array, own.array)
    return replace(result, reference_dtype=reference.dtype, other_dtype=own.dtype)


def _with_bodies(
    model: Model, done: Sequence[LayerStep], inner_steps: Mapping[int, LayerStep]
) -> Iterator[LayerStep]:
    """Add the layers of subgraphs behind those that they are part of."""
    inside: dict[int, list[LayerStep]] = {}
    for layer in model.layers:
        if layer.parent is not None:
            top = layer
            while top.parent is not None:
                top = model.layers[top.parent]
            untold = LayerStep(layer.index, layer.label, layer.operator, problem=_IN_BODY)
            step = inner_steps.get(layer.index, untold)
            inside.setdefault(top.index, []).append(step)
    for step in done:
        yield step
        yield from inside.get(step.index, ())


def _anywhere(test: _Test, fed: Feed) -> bool:
    return any(_any(test, part) for part in (fed if isinstance(fed, tuple) else (fed,)))


def _any(test: _Test, array: NDArray[np.generic]) -> bool:
    real = array.dtype.kind in "fcV"
    return real and bool(
        test(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)).any()
    )
