"""SQNR of each original layer: its values in the original and in the changed model, in pairs.

Unlike the ranking of layers, everything is changed at once here, so that the errors of earlier
layers add up. What a layer itself adds is the drop from the values that it reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from inspector.app.changing.calibration import Array, Feeds
from inspector.app.changing.conversion import fitted_feeds, new_name
from inspector.app.changing.sensitivity import LOWEST_DB
from inspector.conversion.registry import extract_step
from inspector.conversion.result import Conversion
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, EngineFailed
from inspector.formats import opening
from inspector.model.model import TFLITE, Layer, Model
from inspector.model.operator_traits import TFLITE_VIEWS, VIEWS
from inspector.report.improvement import LayerError
from inspector.report.run_spec import RunSpec

_MOST_LAYERS = 300
_TOGETHER = 64  # layers whose values are in memory at a time
# Endings of a value after QuantizeLinear and DequantizeLinear, and what ai-edge-quantizer uses.
_DEQUANTIZED = ("_dequantized", "_dequant")
_BEFORE = "values-before-"
_AFTER = "values-after-"
# Layers that only move values, and those that int8 itself adds, say nothing of their own.
_MOVING = VIEWS | TFLITE_VIEWS | {
    "Constant", "Transpose", "Cast", "QuantizeLinear", "DequantizeLinear", "TRANSPOSE", "CAST",
    "QUANTIZE", "DEQUANTIZE",
}  # fmt: skip


def layer_errors(
    original: Engine, candidate: Engine, made: Conversion, inputs: Sequence[Feeds]
) -> tuple[LayerError, ...]:
    """Return the SQNR of the layers whose values are in both models, in the original's order.

    Empty where the models cannot be cut there. Raises Cancelled.
    """
    before, after = opening.open_model(made.original), opening.open_model(made.path)
    there = {name for layer in after.layers for name in layer.outputs}
    given = {info.name for info in before.inputs}
    pairs = {}
    for layer in before.layers:
        name = layer.outputs[0] if layer.outputs else ""
        other = next((name + end for end in _DEQUANTIZED if name + end in there), name)
        alike = name not in given and other in there and not set(other) & set("+,")
        if name and alike and layer.parent is None and layer.operator not in _MOVING:
            pairs[name] = other
    names = list(pairs)[:_MOST_LAYERS]
    ratios: dict[str, float | None] = {}
    for start in range(0, len(names), _TOGETHER):
        part = names[start : start + _TOGETHER]
        try:
            ratios |= _ratios(original, candidate, made, inputs, {n: pairs[n] for n in part})
        except Cancelled:
            raise
        except (BadInput, EngineFailed):
            continue  # what the runtime cannot give is left out
    return _with_drops(before, ratios) if any(v is not None for v in ratios.values()) else ()


def _ratios(
    original: Engine,
    candidate: Engine,
    made: Conversion,
    inputs: Sequence[Feeds],
    pairs: Mapping[str, str],
) -> dict[str, float | None]:
    folder = made.path.parent
    files = list[str]()
    try:
        paths = []
        for engine, path, names, target in (
            (original, made.original, pairs.keys(), _BEFORE),
            (candidate, made.path, pairs.values(), _AFTER),
        ):
            model_format = opening.format_id(path)
            step, name = extract_step(model_format, names), target + new_name(model_format)
            written = engine.convert(path, (step,), folder, name=name)
            files += written.files
            paths.append(folder / written.files[0])
        sums = {name: [0.0, 0.0] for name in pairs}
        for feeds in inputs:
            sides = fitted_feeds(candidate, made, feeds)
            values = [
                _layer_values(engine, path, side, made)
                for engine, path, side in zip((original, candidate), paths, sides, strict=True)
            ]
            for name, other in pairs.items():
                one, two = values[0].get(name), values[1].get(other)
                if one is None or two is None or one.shape != two.shape:
                    sums.pop(name, None)
                elif name in sums:
                    sums[name][0] += float((one**2).sum())
                    sums[name][1] += float(((one - two) ** 2).sum())
    finally:
        for name in files:
            (folder / name).unlink(missing_ok=True)
    return {name: _decibels(*each) for name, each in sums.items()}


def _layer_values(
    engine: Engine, path: Path, feeds: Feeds, made: Conversion
) -> dict[str, Array]:
    """Return the float outputs of a model whose layers are outputs, by name."""
    model = opening.open_model(path)
    input_names = {info.name for info in model.inputs}
    given = {name: feed for name, feed in feeds.items() if name in input_names}
    spec = RunSpec(cast=True, custom_ops=made.custom_ops)
    if model.format != TFLITE:
        spec = replace(spec, optimization="basic")  # which keeps the layers apart
    outputs = engine.predict(path, spec, given).outputs
    return {
        each.name: np.asarray(each.array, np.float64)
        for each in outputs
        if each.array is not None and each.array.dtype.kind in "fV"
    }


def _decibels(signal: float, error: float) -> float | None:
    if not error:
        return None
    if not signal or not np.isfinite(error):
        return LOWEST_DB
    return max(10 * float(np.log10(signal / error)), LOWEST_DB)


def _with_drops(model: Model, ratios: Mapping[str, float | None]) -> tuple[LayerError, ...]:
    makers: dict[str, Layer] = {name: layer for layer in model.layers for name in layer.outputs}
    reached: dict[str, float] = {}  # value -> SQNR, of the nearest known values before it

    def level(name: str, depth: int = 0) -> float:
        if name in ratios:
            ratio = ratios[name]
            return np.inf if ratio is None else ratio
        layer = makers.get(name)
        if layer is None or depth > 50:
            return np.inf
        if name not in reached:
            reached[name] = min(
                (level(i, depth + 1) for i in layer.inputs if i), default=np.inf
            )
        return reached[name]

    errors = []
    for layer in model.layers:
        name = layer.outputs[0] if layer.outputs else ""
        if name not in ratios:
            continue
        own = ratios[name]
        read = min((level(each) for each in layer.inputs if each), default=np.inf)
        drop = None if own is None or not np.isfinite(read) else read - own
        shown = layer.name or name
        errors.append(LayerError(shown, layer.operator, own, drop))
    return tuple(errors)
