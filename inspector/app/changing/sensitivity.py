"""Sensitivity to quantization: quantize one layer at a time, then keep the worst in float.

Quantizing one layer means its weights and the values that it makes. The values that it reads
belong to the layers before it, so that a value with a bad range is the fault of one layer, not
of all around it. Layers that lose most of their channels or weights come first: where one is
much larger than the others, nothing of these is left, even if the output does not show it. Of
the worst layers, weights and values are also quantized one without the other. The model is
calibrated once. Each state is yielded: a search that is stopped keeps what was measured.
"""

from collections.abc import Iterator, Sequence
from math import isfinite, log10
from pathlib import Path
from typing import TypeVar

import numpy as np
from msgspec import Struct, field, structs

from inspector.analysis.verdicts.output_findings import worst_error
from inspector.app.changing.calibration import (
    Array,
    Feeds,
    NamedInput,
    Share,
    UnusableInputs,
    measured_ranges,
    named,
    random_inputs,
    stepped_ranges,
)
from inspector.app.changing.conversion import is_made_up, new_name
from inspector.conversion.action import ALL, OWN, VALUES, WEIGHTS, Converted, Step
from inspector.conversion.registry import (
    ACTIONS,
    LITERT_INT8,
    LITERT_INT8_WEIGHTS,
    extract_step,
)
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.tensors.paired_sums import PairedSums
from inspector.model.tensors.prediction import Prediction
from inspector.report.run_spec import RunSpec
from inspector.report.sensitivity import KeptPoint, LayerSensitivity, Sensitivity
from inspector.units import clip

# Inputs that each number is measured on: the order of layers hardly depends on more.
_MOST_INPUTS = 8
# Each takes a conversion and a load, about half a second.
_MOST_LAYERS = 300
State = TypeVar("State", Sensitivity, LayerSensitivity)
Input = TypeVar("Input", NamedInput, Feeds)
_DIGITS = float(np.finfo(np.float32).eps)  # of outputs, whatever they are compared as
LOWEST_DB = -100.0  # for outputs that should be zero, or are not finite
_SQUASHING = ("Softmax", "LogSoftmax", "Sigmoid", "SOFTMAX", "LOG_SOFTMAX", "LOGISTIC")
_MEASURED_APART = 8  # of the worst layers; each takes two more conversions
# options of an action whose layers can be ranked
ONLY = "only"
KEEP = "keep"
PARTS = "parts"  # option of one that can leave weights or values in float


def can_rank(step: Step) -> bool:
    """Return whether the layers that a step changes can be ranked."""
    action = ACTIONS.get(step.action)
    return action is not None and {ONLY, KEEP} <= {option.name for option in action.options}


def spread(inputs: Sequence[Input]) -> Sequence[Input]:
    """Return the inputs that numbers are measured on: all, or some at equal distances."""
    return inputs[:: max(1, len(inputs) // _MOST_INPUTS)][:_MOST_INPUTS]


def ranked(
    engine: Engine,
    candidates: Engine,
    model: Path,
    step: Step,
    folder: Path,
    inputs: Sequence[NamedInput | Feeds],
    share: Share = lambda _, __: None,
    custom_ops: Sequence[str] = (),
) -> Iterator[Sensitivity]:
    """Yield what is known after each layer, and after each point of the curve.

    engine: of the original; candidates: another one, so that neither has to start anew for
    each model. folder: for models in between. custom_ops: libraries of the model. Raises
    BadInput: no inputs, or nothing to quantize; InspectorError; Cancelled.
    """
    spec = RunSpec(custom_ops=tuple(custom_ops))
    return _Ranking(engine, candidates, model, step, folder, inputs, share, spec).states()


class _Ranking(Struct):
    engine: Engine
    candidates: Engine
    model: Path
    step: Step
    folder: Path
    inputs: Sequence[NamedInput | Feeds]
    share: Share
    spec: RunSpec
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    peaks: dict[str, Array] = field(default_factory=dict)
    expected: list[Prediction] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def states(self) -> Iterator[Sensitivity]:
        name = self.model.name
        what = f"Could not rank the layers of {clip(name)}"
        if not can_rank(self.step):
            raise BadInput(
                what, f"'{self.step.action}' does not support quantizing layer by layer"
            )
        if is_made_up(self.step):
            made_up = random_inputs(self.engine, self.model, {}, self.spec.custom_ops)
            self.inputs = made_up
            self.notes.append("Value ranges and errors are those of random inputs.")
        if not self.inputs:
            why = "there are no sample inputs to compare outputs on"
            if ACTIONS[self.step.action].calibrates:
                why = "there are no sample inputs to determine value ranges"
            raise BadInput(what, why, "Pass a folder of typical inputs with --calibration.")
        self._before_squashing()
        observed = self._calibrated(what)
        tested = [each.load() for each in spread(named(self.inputs))]
        self.expected = [self.engine.predict(self.model, self.spec, each) for each in tested]
        total, notes = len(observed.layers), self.notes
        lost_weights = self._lost_weights(observed)
        chosen = observed.layers[:_MOST_LAYERS]
        if len(chosen) < total:
            notes.append(
                f"Only the first {len(chosen)} of {total} layers were tested individually."
            )
        state = Sensitivity(name, self.step.action, (), (), total, len(tested), tuple(notes))
        sensitivities: list[LayerSensitivity] = []
        kept_counts = _kept_counts(len(chosen))
        apart = _MEASURED_APART if self._has_parts else 0
        steps = len(chosen) + min(len(chosen), apart) + len(kept_counts)
        for number, (layer, operator) in enumerate(chosen):
            self.share("rank layers", number / steps)
            ratio = self._sqnr(tested, ONLY, [layer], OWN if self._has_parts else ALL)
            lost, channels = self._lost_channels(observed.results[number])
            zeros, every = lost_weights.get(layer, (0, 0))
            sensitivities.append(
                LayerSensitivity(
                    layer,
                    operator,
                    ratio,
                    lost_channels=lost,
                    channels=channels,
                    lost_weights=zeros,
                    weights=every,
                )
            )
            sensitivities.sort(key=lambda each: (not each.loses_most, _level(each.sqnr_db)))
            yield (state := _changed(state, layers=tuple(sensitivities)))
        for number, worst in enumerate(sensitivities[:apart]):
            self.share("rank layers", (len(chosen) + number) / steps)
            weights, values = (
                self._sqnr(tested, ONLY, [worst.name], part) for part in (WEIGHTS, VALUES)
            )
            sensitivities[number] = _changed(
                worst, weights_db=weights, values_db=values, apart=True
            )
            yield (state := _changed(state, layers=tuple(sensitivities)))
        curve: list[KeptPoint] = []
        for number, count in enumerate(kept_counts):
            self.share("keep layers in float", (steps - len(kept_counts) + number) / steps)
            names = [each.name for each in sensitivities[:count]]
            curve.append(KeptPoint(count, self._sqnr(tested, KEEP, names)))
            yield (state := _changed(state, curve=tuple(curve)))

    @property
    def _has_parts(self) -> bool:
        return PARTS in {option.name for option in ACTIONS[self.step.action].options}

    def _before_squashing(self) -> None:
        """Cut off Softmax or Sigmoid at the end: sure answers hide what happens before them."""
        model = opening.open_model(self.model)
        makers = {name: layer for layer in model.layers for name in layer.outputs}
        names, ends = list[str](), list[str]()
        for output in model.outputs:
            layer = makers.get(output.name)
            squashed = layer is not None and layer.operator in _SQUASHING
            names.append(layer.inputs[0] if layer is not None and squashed else output.name)
            ends += [layer.operator] if layer is not None and squashed else []
        if not ends or any(set(name) & set("+,") for name in names):
            return
        step = extract_step(model.format, names)
        target = f"before-end-{new_name(model.format)}"
        try:
            made = self.engine.convert(self.model, (step,), self.folder, None, target)
        except EngineFailed:
            return
        self.model = self.folder / made.files[0]
        self.notes.append(
            f"Outputs were compared before the final {' and '.join(dict.fromkeys(ends))}."
        )

    def _calibrated(self, what: str) -> Converted:
        observed = self._converted(self.step)
        if not observed.layers:
            why = observed.effects[0].nothing or "the model has no layers to quantize"
            raise BadInput(what, why)
        given, unusable = named(self.inputs), UnusableInputs()
        if observed.observe and not observed.files:  # the runtime itself tells the values
            self.ranges = stepped_ranges(
                self.candidates, self.model, observed.observe, given, self.share, unusable
            )
        elif observed.observe:
            path = self.folder / observed.files[0]
            self.ranges = measured_ranges(
                self.candidates, path, observed, given, self.share, self.peaks,
                self.spec.custom_ops, self.model, unusable,
            )  # fmt: skip
        if left_out := unusable.note(len(given), "calibration input"):
            self.notes.append(f"{left_out}.")
            self.inputs = [each for each in given if each.name not in unusable]
        if self.step.action == LITERT_INT8:
            self.notes.append(
                "The inputs of a quantized layer are quantized too, so its error includes "
                "theirs."
            )
        self._remove(observed)
        return observed

    def _lost_weights(self, observed: Converted) -> dict[str, tuple[int, int]]:
        """Return how many weights of layers become zero, of those that are not; empty if
        that was not counted."""
        if self.step.action == LITERT_INT8:  # its first step makes no model with integers
            try:
                observed = self._converted(Step(LITERT_INT8_WEIGHTS))
            except EngineFailed:
                return {}
            self._remove(observed)
        names = (name for name, _ in observed.layers)
        return dict(zip(names, observed.lost, strict=True)) if observed.lost else {}

    def _converted(
        self, step: Step, ranges: dict[str, tuple[float, float]] | None = None
    ) -> Converted:
        name = new_name(opening.format_id(self.model))
        return self.engine.convert(self.model, (step,), self.folder, ranges, name)

    def _sqnr(
        self, tested: Sequence[Feeds], option: str, names: Sequence[str], parts: str = ALL
    ) -> float | None:
        """Return the SQNR with parts of only these layers quantized, or with them in float."""
        others = [(name, value) for name, value in self.step.options if name != option]
        others += [(PARTS, parts)] if parts != ALL else []
        given = [value for name, value in self.step.options if name == option and value]
        if option == KEEP:
            names = [*given, *names]
        step = Step(self.step.action, (*others, (option, "+".join(names))))
        made = self._converted(step, self.ranges)
        if not made.effects[0].applicable:  # such as the values of a last layer, left in float
            self._remove(made)
            return None
        try:
            path = self.folder / made.files[0]
            outputs = [self._predicted(path, made, each) for each in tested]
        finally:
            self._remove(made)
        return sqnr_db(self.expected, outputs)

    def _predicted(self, path: Path, made: Converted, feeds: Feeds) -> Prediction:
        """Return what a model answers, by the original's names of inputs and outputs."""
        new_names = {old: new for new, old in made.renamed}
        old_names = dict(made.renamed)
        given = {new_names.get(name, name): feed for name, feed in feeds.items()}
        prediction = self.candidates.predict(path, self.spec, given)
        outputs = tuple(
            structs.replace(output, name=old_names.get(output.name, output.name))
            for output in prediction.outputs
        )
        return structs.replace(prediction, outputs=outputs)

    def _lost_channels(self, value: str) -> tuple[int, int]:
        """Return how many channels of a value lie within half a step around zero, of those
        that are not zero anyway: quantization leaves nothing of them."""
        peaks, limits = self.peaks.get(value), self.ranges.get(value)
        if peaks is None or limits is None:
            return 0, 0
        wide = ("activations", "uint16") in self.step.options
        step = (max(limits[1], 0.0) - min(limits[0], 0.0)) / (65535 if wide else 255)
        alive = peaks[np.isfinite(peaks) & (peaks > 0)]
        return int((alive < step / 2).sum()), alive.size

    def _remove(self, made: Converted) -> None:
        for name in made.files:
            (self.folder / name).unlink(missing_ok=True)


def sqnr_db(expected: Sequence[Prediction], predictions: Sequence[Prediction]) -> float | None:
    """Return the SQNR of the worst channel of all outputs over inputs in dB; None if nothing
    differs.

    The signal of a channel is its own spread, since boxes in pixels would hide that all scores
    became 0. Raises EngineFailed: an output has another shape.
    """
    sums = dict[str, PairedSums]()
    broken = False
    for before, after in zip(expected, predictions, strict=True):
        values = {output.name: output.array for output in after.outputs}
        for output in before.outputs:
            first, second = output.array, values.get(output.name)
            if first is None or second is None or first.dtype.kind not in "fV":
                continue
            if first.shape != second.shape:
                what = "Could not compare outputs"
                raise EngineFailed(what, f"output '{clip(output.name)}' has a different shape")
            reference, other = (np.asarray(each, np.float64) for each in (first, second))
            broken |= bool((np.isfinite(reference) & ~np.isfinite(other)).any())
            known = sums.setdefault(output.name, PairedSums(digits=_DIGITS))
            known.add(reference, other)
    if broken:
        return LOWEST_DB
    error = max((worst_error(each) for each in sums.values()), default=0.0)
    if not error:
        return None
    return max(-20 * log10(error), LOWEST_DB) if isfinite(error) else LOWEST_DB


def _kept_counts(layers: int) -> list[int]:
    """Return 0, 1, 2, 4, 8, ... up to half of the layers."""
    counts = [0]
    while max(2 * counts[-1], 1) <= max(1, layers // 2):
        counts.append(max(2 * counts[-1], 1))
    return counts


def _level(value: float | None) -> float:
    return float("inf") if value is None else value


def _changed(state: State, **changes: object) -> State:
    return structs.replace(state, **changes)
