"""A model's layers beside those of the same network in another form: another format, or tensors
that another framework recorded.

Both sides run on two inputs, so that no two tensors are paired by chance. Then our layers run
once more, each on what the other side computed before it: an error that is still there is the
layer's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, field, structs

from inspector.analysis.measured.layer_outputs import (
    LayerOutput,
    LayerStep,
    Match,
    Stepping,
    UnpairedLayer,
)
from inspector.app.subjects import Subject
from inspector.backends import registry
from inspector.backends.layer_values import with_broken_part
from inspector.comparison.model_matching import share_names
from inspector.comparison.tensor_pairs.likeness import Axes, layouts, moved, moved_back
from inspector.comparison.tensor_pairs.pairs import Pair, Pairing, Unpaired, paired
from inspector.comparison.tensor_pairs.sides import Side, Tensor, side_of
from inspector.engine.client.engine import Engine
from inspector.engine.requests import GetTensors
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.model import Model
from inspector.model.tensors.agreement import QUANTIZED, is_over, tolerance
from inspector.model.tensors.difference import Difference, difference
from inspector.model.tensors.element_types import Fed
from inspector.model.tensors.prediction import OutputValue, Scale, with_scale
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.outputs.saving import file_names
from inspector.preview.runs import parity, recorded
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

_WHAT = "Could not compare the layers"
_ONE_INPUT = (
    "Recorded tensors are of one input, so two that are alike by chance cannot be told apart."
)
_MERGED = "The other side has no tensor between it and layer {index}."
_NO_OWN_ERRORS = (
    "{runtime} cannot compute a layer from values of the other side, so an error counts as "
    "made where what comes before it is within the tolerance."
)
Values = Mapping[str, OutputValue]


class OtherForm(Struct, frozen=True, eq=False):
    """The other side: its tensors by name, for each input, and its graph if it has one.

    label: how it is named. model: None for recorded tensors. inputs: of ours by its names.
    layouts: orders of their axes in ours. path, spec, feeds: how it runs the first input.
    """

    label: str
    runs: tuple[Mapping[str, np.ndarray[Any, Any]], ...]
    model: Model | None
    inputs: Mapping[str, str]
    layouts: tuple[Axes, ...] = ()
    path: Path = Path()
    spec: RunSpec = field(default_factory=RunSpec)
    feeds: Mapping[str, Fed] = field(default_factory=dict)

    @property
    def side(self) -> Side:
        """Return its tensors as pairing takes them."""
        if self.model is not None:
            return side_of(self.model, self.runs)
        named = self.runs[0].items()
        return Side({name: Tensor(name, (array,)) for name, array in named})


def is_across(subject: Subject, way: OtherRun) -> bool:
    """Return whether another run is recorded, or of a model that shares no names with ours: of
    another format, or exported, optimized or converted by others."""
    if way.recorded or not way.model:
        return bool(way.recorded)
    path = Path(way.model)
    if registry.for_model(path).id != registry.for_model(subject.path).id:
        return True
    return not share_names(subject.model, opening.open_model(path))


def with_inputs(subject: Subject, way: OtherRun) -> Subject:
    """Return a model with inputs that both sides share: those that were recorded with the rest
    where nobody gave others, and given ones in the layout of either model.

    Raises InspectorError: they fit neither.
    """
    names = [info.name for info in subject.model.inputs]
    if way.recorded and not subject.given:
        arrays = recorded.read(Path(way.recorded))
        found = {
            name: arrays[file] for name, file in zip(names, file_names(names), strict=True)
            if file in arrays
        }  # fmt: skip
        filled = tuple(
            Filled(name, Path(way.recorded).name, array, dtype=array.dtype.name)
            for name, array in found.items()
        )
        ours = parity.for_model(filled, subject.model.inputs, cast=True) if found else None
        return subject if ours is None else subject.with_given({f.name: f for f in ours})
    if not way.model:
        return subject
    try:
        subject.filled()
    except BadInput:
        model = opening.open_model(Path(way.model))
        given = parity.values_for(subject.given, subject.model.inputs, model.inputs)
        theirs = Subject.of(Path(way.model), model, RunSpec(), given).filled()
        ours = parity.for_model(theirs, subject.model.inputs, cast=True)
        if ours is None:
            raise
        return subject.with_given({each.name: each for each in ours})
    return subject


def compared(
    engine: Engine,
    subject: Subject,
    filled: tuple[Filled, ...],
    way: OtherRun,
    stepping: Stepping,
    tolerated: float | None,
) -> tuple[Stepping, dict[str, OutputValue]]:
    """Return the outputs of a model's layers with those of their counterparts, and these, by
    our names and in our layout.

    stepping: our outputs for `filled`. Raises InspectorError.
    """
    feeds = feeds_by_name(filled)
    inputs = (feeds,) if way.recorded else (feeds, _shuffled(feeds))
    runs = [_values(engine, subject.path, subject.model, subject.spec, each) for each in inputs]
    other = _recorded(way) if way.recorded else _run(engine, subject, filled, way, inputs)
    if not way.recorded:
        own = side_of(subject.model, [_arrays(run) for run in runs])
    else:
        own = side_of(subject.model, [_arrays(runs[0])])
    theirs = other.side
    pairing = paired(own, theirs, other.inputs, other.layouts)
    if not pairing.pairs:
        why = f"no tensor of {clip(other.label, 60)} has values or names like those of ours"
        raise BadInput(_WHAT, why, "Check that both are of one network, and of one input.")
    values = {
        pair.own: _in_our_layout(pair, own, theirs, runs[0][pair.own]) for pair in pairing.pairs
    }
    again = _repeated(own, pairing.same, values)
    alone, note = _own_errors(engine, subject, feeds, values, again)
    judge = _Judge(subject.model, other, own, theirs, pairing, values, alone, tolerated)
    if note and other.model is not None:
        try:
            judge.references = _their_answers(engine, other, theirs, pairing, own)
            note = ""
        except EngineFailed:  # their runtime cannot, either
            pass
    notes = (*stepping.notes, note, _ONE_INPUT if way.recorded else "")
    changed = structs.replace(
        stepping,
        steps=judge.steps(stepping.steps),
        against=other.label,
        tolerance=tolerated,
        notes=tuple(filter(None, notes)),
        unpaired=judge.unpaired(),
        least=judge.least,
    )
    return changed, values


def _values(
    engine: Engine, path: Path, model: Model, spec: RunSpec, feeds: Mapping[str, Fed]
) -> dict[str, OutputValue]:
    """Return all tensors of a model as real numbers, also those that it stores as integers."""
    scales = {
        each.value: Scale(each.least_scale, each.least_zero_point)
        for each in model.quantized
        if each.scales == 1
    }
    outputs = engine.call(GetTensors(path, spec, feeds)).outputs
    return {value.name: with_scale(value, scales) for value in outputs}


def _arrays(values: Values) -> dict[str, np.ndarray[Any, Any]]:
    """Return the tensors of numbers among some values."""
    return {
        name: value.array
        for name, value in values.items()
        if value.array is not None and value.array.dtype.kind in "fiub"
    }


def _shuffled(feeds: Mapping[str, Fed]) -> dict[str, Fed]:
    """Return a second input: the same values in another order, so that each is a valid one."""
    random = np.random.default_rng(1)
    return {
        name: feed
        if isinstance(feed, tuple)
        else random.permutation(np.asarray(feed).reshape(-1)).reshape(feed.shape)
        for name, feed in feeds.items()
    }


def _run(
    engine: Engine,
    subject: Subject,
    filled: tuple[Filled, ...],
    way: OtherRun,
    inputs: Sequence[Mapping[str, Fed]],
) -> OtherForm:
    """Run the other model on the same inputs, in its layout. Raises InspectorError."""
    path = Path(way.model)
    model = opening.open_model(path)
    runtime = registry.for_model(path)
    spec = other_spec(subject, way)
    runs, names, orders = [], dict[str, str](), list[Axes]()
    fed: list[dict[str, Fed]] = []
    for feeds in inputs:
        given = [
            each if isinstance(feed, tuple) else structs.replace(each, array=feed)
            for each in filled
            for feed in (feeds[each.name],)
        ]
        renamed = parity.for_model(given, model.inputs, cast=True)
        if renamed is None:
            why = f"{clip(path.name, 60)} takes inputs of other types or shapes"
            raise BadInput(_WHAT, why, f"See them with: inspector info {path}")
        theirs = feeds_by_name(renamed)
        fed.append(theirs)
        order = [info.name for info in subject.model.inputs if info.name in feeds]
        same = set(theirs) == set(order)
        names = {n: n for n in theirs} if same else dict(zip(theirs, order, strict=False))
        for name, own in names.items():
            one, two = np.asarray(feeds[own]), np.asarray(theirs[name])
            fitting = layouts(one.shape, two.shape)
            orders += [a for a in fitting if np.array_equal(moved(two, a, one.shape), one)][:1]
        runs.append(_arrays(_values(engine, path, model, spec, theirs)))
    label = f"{clip(path.name, 60)} on {runtime.name}"
    return OtherForm(label, tuple(runs), model, names, tuple(orders), path, spec, fed[0])


def other_spec(subject: Subject, way: OtherRun) -> RunSpec:
    """Return the settings of the other model: those that its runtime knows."""
    spec = way.spec(RunSpec(threads=subject.spec.threads, cast=True))
    fitted = registry.for_model(Path(way.model)).fitted(spec)
    return replace(fitted, devices=(way.device or RunSpec().devices[0],))


def _recorded(way: OtherRun) -> OtherForm:
    arrays = recorded.read(Path(way.recorded))
    numbers = {name: array for name, array in arrays.items() if array.dtype.kind in "fiub"}
    if not numbers:
        raise BadInput(_WHAT, f"{clip(way.label, 60)} has no arrays of numbers")
    return OtherForm(way.label, (numbers,), None, {})


def _in_our_layout(pair: Pair, own: Side, theirs: Side, value: OutputValue) -> OutputValue:
    """Return the other's tensor under our name, in our layout."""
    shape = own.tensors[pair.own].arrays[0].shape
    array = moved(theirs.tensors[pair.other].arrays[0], pair.axes, shape)
    return structs.replace(value, array=array)


def _repeated(own: Side, same: Mapping[str, str], values: Values) -> dict[str, OutputValue]:
    """Return the other's values for our tensors that repeat those of a paired one."""
    found = {}
    for name, of in same.items():
        array, source = own.tensors[name].arrays[0], own.tensors[of].arrays[0]
        for axes in layouts(array.shape, source.shape) if name not in values else ():
            if np.array_equal(moved(source, axes, array.shape), array):
                theirs = values[of].array
                assert theirs is not None, "pairs are of arrays"
                found[name] = structs.replace(
                    values[of], name=name, array=moved(theirs, axes, array.shape)
                )
                break
    return found


def _own_errors(
    engine: Engine, subject: Subject, feeds: Mapping[str, Fed], values: Values, again: Values
) -> tuple[dict[str, OutputValue], str]:
    """Return what our layers compute from the other's tensors, by name, and why not.

    again: more of the other's tensors that layers read.
    """
    layers = subject.model.layers
    read = {name for layer in layers for name in layer.inputs}
    # Values inside a layer cannot be given to it.
    inside = {name for layer in layers if layer.parent is not None for name in layer.outputs}
    values = {name: value for name, value in values.items() if name not in inside}
    given = {
        name: np.ascontiguousarray(value.array).astype(_dtype(value), copy=False)
        for name, value in {**values, **again}.items()
        if name in read and name not in inside and value.array is not None
    }
    asked = GetTensors(
        subject.path, subject.spec, {**feeds, **given}, tuple(values), tuple(given)
    )
    try:
        return {value.name: value for value in engine.call(asked).outputs}, ""
    except EngineFailed:
        runtime = registry.for_model(subject.path).name
        return {}, Sentence(_NO_OWN_ERRORS, runtime=runtime)


def _their_answers(
    engine: Engine, other: OtherForm, theirs: Side, pairing: Pairing, own: Side
) -> dict[str, np.ndarray[Any, Any]]:
    """Return what the other side's layers compute from our tensors, by our names.

    Raises EngineFailed: its runtime computes the inputs of each layer itself.
    """
    read = {name for layer in theirs.layers for name in layer.inputs}
    shown = {pair.other: pair for pair in pairing.pairs}
    given: dict[str, Fed] = {}
    for name, of in pairing.same_others.items():
        array, pair = theirs.tensors[name].arrays[0], shown[of]
        source = theirs.tensors[of].arrays[0]
        ours = moved_back(own.tensors[pair.own].arrays[0], pair.axes, source.shape)
        for axes in layouts(array.shape, source.shape) if name in read else ():
            if np.array_equal(moved(source, axes, array.shape), array):
                there = np.ascontiguousarray(moved(ours, axes, array.shape))
                given[name] = there.astype(array.dtype, copy=False)
                break
    feeds = {**other.feeds, **given}
    asked = GetTensors(other.path, other.spec, feeds, tuple(shown), tuple(given))
    answers = dict[str, np.ndarray[Any, Any]]()
    for value in engine.call(asked).outputs:
        pair = shown[value.name]
        if value.array is not None:
            shape = own.tensors[pair.own].arrays[0].shape
            answers[pair.own] = moved(value.array, pair.axes, shape)
    return answers


def _dtype(value: OutputValue) -> str:
    return value.dtype if value.dtype in np.sctypeDict else "float32"


class _Judge:
    """Compares the tensors of all pairs, and finds out whose the errors are."""

    def __init__(
        self,
        model: Model,
        other: OtherForm,
        own: Side,
        theirs: Side,
        pairing: Pairing,
        values: Values,
        alone: Values,
        tolerated: float | None,
    ) -> None:
        self._model, self._other = model, other
        self._own, self._theirs, self._pairing = own, theirs, pairing
        self._values, self._alone, self._tolerated = values, alone, tolerated
        self._pairs = {pair.own: pair for pair in pairing.pairs}
        self._constant = {
            own.tensors[name].layer
            for name, reason in pairing.unpaired.items()
            if reason is Unpaired.CONSTANT
        }
        self._sources, self._groups = own.sources(pairing.same), own.groups(pairing.same)
        self._groups_there = theirs.groups(pairing.same_others)
        self._final = {info.name for info in model.outputs} if tolerated is None else set()
        sides = (own.layers, theirs.layers)
        kinds = [layer.operator.upper() for layers in sides for layer in layers]
        rounded = any("QUANT" in kind or kind.startswith("QLINEAR") for kind in kinds)
        self.least = QUANTIZED if rounded else 0.0
        self._over: set[str] = set()
        # What the other side computes from our tensors, where we cannot from theirs.
        self.references: Mapping[str, np.ndarray[Any, Any]] = {}

    def steps(self, steps: Sequence[LayerStep]) -> tuple[LayerStep, ...]:
        """Return our layers with what they differ by."""
        judged = self._without_inner([self._step(step) for step in steps])
        within = {index: step.index for step in judged[::-1] for index in step.merged}
        return tuple(
            structs.replace(step, remark=Sentence(_MERGED, index=within[step.index]))
            if step.index in within and step.remark == str(Unpaired.FUSED)
            else step
            for step in judged
        )

    def _without_inner(self, steps: Sequence[LayerStep]) -> list[LayerStep]:
        """Return layers of which none makes an error that a layer inside it makes."""
        layers = self._model.layers
        around = set[int]()
        for step in steps:
            parent = layers[step.index].parent
            while parent is not None and step.over:
                around.add(parent)
                parent = layers[parent].parent
        return [
            structs.replace(step, made=False) if step.index in around and step.over else step
            for step in steps
        ]

    def unpaired(self) -> tuple[UnpairedLayer, ...]:
        """Return the layers of the other side without a counterpart."""
        reasons = self._pairing.unpaired_others
        found = list[UnpairedLayer]()
        layers = self._theirs.layers
        with_pair = {self._theirs.tensors[pair.other].layer for pair in self._pairing.pairs}
        for name, reason in reasons.items():
            index = self._theirs.tensors[name].layer
            if index is None:
                found.append(UnpairedLayer(None, name, "", str(reason)))
            elif index not in with_pair and reason is not Unpaired.CONSTANT:
                layer = layers[index]
                found.append(UnpairedLayer(index, layer.label, layer.operator, str(reason)))
                with_pair.add(index)
        return tuple(found)

    def _step(self, step: LayerStep) -> LayerStep:
        outputs = tuple(self._output(each) for each in step.outputs)
        differing = [each for each in outputs if each.over]
        merged: set[int] = set()
        for each in outputs:
            if each.match is not None:
                merged |= self._groups[each.name] - self._constant - {step.index}
        reasons = [
            self._pairing.unpaired[each.name]
            for each in outputs
            if each.name in self._pairing.unpaired
        ]
        unpaired = bool(reasons) and all(each.match is None for each in outputs)
        made = any(map(self._made, differing)) if differing else None
        remark = str(reasons[0]) if unpaired else ""
        return structs.replace(
            step, outputs=outputs, merged=tuple(sorted(merged)), made=made,
            remark=step.remark or remark,
        )  # fmt: skip

    def _output(self, output: LayerOutput) -> LayerOutput:
        pair = self._pairs.get(output.name)
        if pair is None:
            return output
        theirs = self._theirs.tensors[pair.other]
        value = self._own.tensors[pair.own].arrays[0]
        reference = self._values[pair.own].array
        assert reference is not None, "pairs are of arrays"
        layer = None if theirs.layer is None else self._theirs.layers[theirs.layer]
        alone = self._alone.get(pair.own)
        own_error = None
        if alone is not None and alone.array is not None:
            own_error = difference(reference, alone.array)
        elif output.name in self.references:
            own_error = difference(self.references[output.name], value)
        match = Match(
            str(pair.basis), theirs.arrays[0].shape, pair.axes, theirs.layer,
            "" if layer is None else layer.label, "" if layer is None else layer.operator,
            pair.correlation, own_error,
            () if layer is None
            else tuple(sorted(self._groups_there[pair.other] - {layer.index})),
        )  # fmt: skip
        apart = difference(reference, value)
        found = structs.replace(
            output,
            difference=apart,
            counterpart=pair.other,
            match=match,
            over=self._is_over(apart, output.dtype),
        )
        if output.name in self._final:
            found = with_broken_part(found, reference, value)
        if found.over:
            self._over.add(self._pairing.same[output.name])
        return found

    def _is_over(self, apart: Difference, dtype: str) -> bool:
        return is_over(apart, self._tolerated, max(self.least, tolerance(dtype)))

    def _made(self, output: LayerOutput) -> bool:
        """Return whether an error is the layer's own, and not one of what it is given."""
        match = output.match
        if match is not None and match.own_error is not None:
            return self._is_over(match.own_error, output.dtype)
        return not self._over & self._sources[output.name]
