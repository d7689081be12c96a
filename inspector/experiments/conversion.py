"""Convert a model and check the result: it opens, runs and gives finite values, or it is no
result.

Calibration runs here, too: a first conversion adds outputs for ranges to the model, which is
then predicted with each calibration input.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector.backends.array_files import Feed
from inspector.backends.type_names import type_name
from inspector.conversion.action import (
    AVERAGE,
    ENTROPY,
    HIGHEST,
    HISTOGRAM,
    LOWEST,
    PEAKS,
    Converted,
    Effect,
    Picture,
    Step,
    finds_layers,
)
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.model.model import TFLITE, TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.platform import files
from inspector.preview.inputs import feeds as feeding
from inspector.report.float16_check import Float16Check
from inspector.report.run_spec import RunSpec, own_runtime
from inspector.statistics.value_ranges import Histogram
from inspector.units import clip, plural

Feeds = Mapping[str, Feed]
Array = NDArray[Any]
_INNER = "inner-values.onnx"  # a part of the original, while its values are computed
_PIECE_BYTES = 4 << 20
MOST_CALIBRATION = 500  # inputs; ranges hardly change beyond
LEVELS = ("none", "basic", "extended", "all")  # of optimization, as RunSpec has them
# Ways to run a TensorFlow Lite model -> whether XNNPACK runs the layers that it supports.
KERNELS = {"XNNPACK": True, "LiteRT's own kernels": False}
Share = Callable[[str, float], None]


def new_name(model_format: str) -> str:
    """Return the name of the file of a converted model, where nobody has chosen one."""
    return "model.tflite" if model_format == TFLITE else "model.onnx"


@dataclass(frozen=True, slots=True)
class LevelCheck:
    """Whether a model opens and runs at an optimization level; problem: why not.

    not_finite: it ran, and the problem is NaN or infinity in an output.
    """

    level: str
    problem: str = ""
    not_finite: bool = False


@dataclass(frozen=True, slots=True)
class Conversion:
    """A model that a recipe made, and the checks that it passed.

    path: of the model. effects: of each step. original: the model that it was made from.
    renamed: inputs and outputs with other names than the original's: (new name, old name).
    devices: ids of those that run it, where others do not. custom_ops: libraries with custom
    operators of both models. float16: its answers in exact float16 arithmetic; None where it
    does not compute in float16, or that was not compared.
    """

    path: Path
    steps: tuple[Step, ...]
    effects: tuple[Effect, ...]
    notes: tuple[str, ...]
    made_by: tuple[str, ...]
    levels: tuple[LevelCheck, ...] = ()
    files: tuple[str, ...] = ()
    original: Path = Path()
    renamed: tuple[tuple[str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    devices: tuple[str, ...] = ()
    custom_ops: tuple[str, ...] = ()
    float16: Float16Check | None = None

    def runnable(self, spec: RunSpec) -> RunSpec:
        """Return how to run the model: as `spec` says, but on a device that can."""
        if not self.devices or set(self.devices) & set(spec.devices):
            return spec
        return replace(spec, devices=self.devices, provider_options=(), on_cpu=())

    @property
    def unchanged(self) -> bool:
        """Return whether no step of the recipe had anything to do."""
        return not any(effect.applicable for effect in self.effects)

    @property
    def problem(self) -> str:
        """Return why the result must not be used; empty if it opened and ran everywhere."""
        return next((f"{c.level}: {c.problem}" for c in self.levels if c.problem), "")


def convert(
    engine: EngineProcess,
    model: Path,
    steps: Sequence[Step],
    folder: Path,
    calibration: Iterable[Feeds] | None = None,
    share: Share = lambda _, __: None,
    name: str = "model.onnx",
    custom_ops: Sequence[str] = (),
) -> Conversion:
    """Run a recipe, and put the result into a folder, unchecked.

    name: of the new file. calibration: inputs for steps that calibrate, used once for each such
    step. custom_ops: libraries with custom operators of the model. Raises BadInput: a step
    needs inputs and there are none; InspectorError.
    """
    inputs = None if calibration is None else tuple(calibration)
    assert not any(map(finds_layers, steps)), "float16_layers.convert finds them first"
    ranges: dict[str, tuple[float, float]] | None = None
    while True:
        share("convert", -1)
        converted = engine.convert(model, steps, folder, ranges, name)
        if not converted.observe:
            break
        if not inputs:
            names = ", ".join(dict.fromkeys(step.action for step in steps))
            raise BadInput(
                f"Could not convert {clip(model.name)}",
                f"'{names}' requires typical inputs to determine value ranges",
                "Pass a folder of typical inputs with --calibration.",
            )
        ranges = dict(ranges or {})
        if not converted.files:  # the runtime itself tells the values of all tensors
            ranges.update(stepped_ranges(engine, model, converted.observe, inputs, share))
            continue
        observed = folder / converted.files[0]
        ranges.update(
            measured_ranges(engine, observed, converted, inputs, share, custom_ops=custom_ops)
        )
        for file in converted.files:
            (folder / file).unlink(missing_ok=True)
    return Conversion(
        folder / converted.files[0],
        tuple(steps),
        converted.effects,
        converted.notes,
        converted.made_by,
        files=converted.files,
        original=model,
        renamed=converted.renamed,
        pictures=converted.pictures,
        devices=converted.devices,
        custom_ops=tuple(custom_ops),
    )


def measured_ranges(
    engine: EngineProcess,
    observed: Path,
    converted: Converted,
    inputs: Sequence[Feeds],
    share: Share = lambda _, __: None,
    peaks: dict[str, Array] | None = None,
    custom_ops: Sequence[str] = (),
) -> dict[str, tuple[float, float]]:
    """Return the range of each observed tensor over all inputs.

    It goes from the lowest to the highest value, or leaves out some, as `Converted.method`
    says; a tensor without a histogram has all values in its range. Tensors that never had a
    finite value are left out. peaks: receives the largest magnitude of each channel, where a
    tensor has it. custom_ops: libraries. Raises EngineFailed: no input ran.
    """
    spec = RunSpec(optimization="basic", custom_ops=tuple(custom_ops))
    lowest: dict[str, list[float]] = {}
    highest: dict[str, list[float]] = {}
    histograms: dict[str, Histogram] = {}
    failed: InspectorError | None = None
    ran = 0
    for number, feeds in enumerate(inputs):
        share("calibrate", number / len(inputs))
        try:
            prediction = engine.predict(observed, spec, feeds)
        except Cancelled:
            raise
        except EngineFailed as error:  # one that does not fit must not end the others
            failed = error
            continue
        ran += 1
        values = {output.name: output.array for output in prediction.outputs}
        for name in converted.observe:
            channels = values.get(name + PEAKS)
            if peaks is not None and channels is not None:
                rows = channels.reshape(*channels.shape[:2]).max(0)
                peaks[name] = np.maximum(peaks.get(name, rows), rows)
            low, high = values.get(name + LOWEST), values.get(name + HIGHEST)
            if low is None or high is None or not low.size:
                continue
            least, most = float(low.ravel()[0]), float(high.ravel()[0])
            if np.isfinite(least) and np.isfinite(most):
                lowest.setdefault(name, []).append(least)
                highest.setdefault(name, []).append(most)
                counts = values.get(name + HISTOGRAM)
                if counts is not None:
                    histograms.setdefault(name, Histogram()).add(least, most, counts)
    if not ran and failed is not None:
        raise failed
    if converted.method == AVERAGE:
        return {
            name: (float(np.mean(low)), float(np.mean(highest[name])))
            for name, low in lowest.items()
        }
    ranges = {name: (min(low), max(highest[name])) for name, low in lowest.items()}
    for name, histogram in histograms.items():
        entropy = converted.method == ENTROPY
        ranges[name] = (
            histogram.entropy_range()
            if entropy
            else histogram.percentile_range(converted.percentile)
        )
    return ranges


def stepped_ranges(
    engine: EngineProcess,
    model: Path,
    names: Sequence[str],
    inputs: Sequence[Feeds],
    share: Share = lambda _, __: None,
) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest value of tensors over all inputs, from the model itself.

    Raises EngineFailed: no input ran.
    """
    ranges: dict[str, tuple[float, float]] = {}
    wanted, failed, ran = frozenset(names), None, 0

    def add(name: str, low: float | None, high: float | None) -> None:
        if name in wanted and low is not None and high is not None:
            least, most = ranges.get(name, (low, high))
            ranges[name] = min(least, low), max(most, high)

    for number, feeds in enumerate(inputs):
        share("calibrate", number / len(inputs))
        try:
            stepping = engine.steps(model, RunSpec(), feeds)
        except Cancelled:
            raise
        except EngineFailed as error:  # one that does not fit must not end the others
            failed = error
            continue
        ran += 1
        for name, feed in feeds.items():
            if isinstance(feed, np.ndarray) and feed.size and feed.dtype.kind == "f":
                add(name, float(np.nanmin(feed)), float(np.nanmax(feed)))
        for step in stepping.steps:
            for output in step.outputs:
                if (known := output.statistics) is not None:
                    add(output.name, known.minimum, known.maximum)
    if not ran and failed is not None:
        raise failed
    return ranges


def checked(
    engine: EngineProcess,
    conversion: Conversion,
    inputs: Sequence[Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
) -> Conversion:
    """Open and run a converted model at every optimization level.

    inputs: of the original; the result gets them as it wants them. Each level has to give
    finite values, unless the original does not either. Raises Cancelled.
    """
    fitted = [fitted_feeds(engine, conversion, feeds)[1] for feeds in inputs]
    there = conversion.runnable(spec or RunSpec())
    levels = level_checks(engine, conversion.path, fitted, there, share)
    if any(check.not_finite for check in levels):
        given = [fitted_feeds(engine, conversion, feeds)[0] for feeds in inputs]
        before = level_checks(engine, conversion.original, given, spec, share)
        # Infinities that a model computes by design are no fault of the conversion.
        levels = tuple(
            LevelCheck(after.level) if after.not_finite and first.not_finite else after
            for first, after in zip(before, levels, strict=True)
        )
    return replace(conversion, levels=levels)


def level_checks(
    engine: EngineProcess,
    path: Path,
    inputs: Sequence[Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
) -> tuple[LevelCheck, ...]:
    """Open and run a model at every optimization level. Raises Cancelled."""
    # Inputs of a converted model may have another type by purpose, such as float16.
    spec = replace(spec or RunSpec(), cast=True)
    checks, specs = [], {level: replace(spec, optimization=level) for level in LEVELS}
    if opening.format_id(path) == TFLITE:
        specs = {name: replace(spec, xnnpack=used) for name, used in KERNELS.items()}
        if own := next((d for d in spec.devices if own_runtime(d)), ""):
            specs = {own: spec}  # another engine than LiteRT
    for number, (level, at_level) in enumerate(specs.items()):
        share("check", number / len(specs))
        try:
            texts = (not_finite(engine.predict(path, at_level, feeds)) for feeds in inputs)
            problem = next(filter(None, texts), "")
            checks.append(LevelCheck(level, problem, bool(problem)))
        except Cancelled:
            raise
        except InspectorError as error:
            checks.append(LevelCheck(level, error.why or error.what))
    return tuple(checks)


def fitted_feeds(
    engine: EngineProcess, conversion: Conversion, feeds: Feeds
) -> tuple[Feeds, Feeds]:
    """Return inputs for the original and for the new model that have the same values.

    A recipe may change names and lengths of inputs, or begin at an inner tensor, whose values
    the original then computes. Another type is left to `RunSpec.cast`. Raises EngineFailed.
    """
    new = opening.open_model(conversion.path)
    old_names = dict(conversion.renamed)
    first, inner = dict(feeds), list[str]()
    pixels = {}
    for picture in conversion.pictures:
        given = first.get(picture.source)
        if isinstance(given, np.ndarray):
            pixels[picture.name], first[picture.source] = _as_picture(picture, given)
    for info in new.inputs:
        name = old_names.get(info.name, info.name)
        if name in pixels:
            continue
        if name in first:
            first[name] = _with_lengths(first[name], info)
        else:
            inner.append(name)
    if conversion.original == Path():
        return feeds, feeds
    values: Mapping[str, Feed] = {**first, **pixels}
    if inner:
        computed = _inner_values(engine, conversion, first, inner)
        missing = [i for i in new.inputs if i.name in inner and i.name not in computed]
        made = feeding.feeds_by_name(feeding.defaults(missing, {}))
        values = {**values, **computed, **made}
    second = {
        info.name: values[name]
        for info in new.inputs
        if (name := old_names.get(info.name, info.name)) in values
    }
    return first, second


def _as_picture(picture: Picture, values: Array) -> tuple[Array, Array]:
    """Return the 8-bit picture that a model's values come from, and its exact values."""
    axis = 1 if picture.layout == "nchw" else 3
    shape = [1, 1, 1, 1]
    shape[axis] = -1
    factors, offsets = (
        np.array(each).reshape(shape) for each in (picture.factors, picture.offsets)
    )
    bytes_ = np.clip(np.rint((values.astype(np.float64) - offsets) / factors), 0, 255)
    exact = (bytes_ * factors + offsets).astype(values.dtype)
    last = np.moveaxis(bytes_.astype(np.uint8), axis, 3)
    return np.ascontiguousarray(last[..., np.argsort(picture.order)]), exact


def both_outputs(
    engine: EngineProcess, conversion: Conversion, feeds: Feeds, spec: RunSpec | None = None
) -> tuple[tuple[OutputValue, ...], tuple[OutputValue, ...]]:
    """Predict with the original and the new model on the same values.

    The outputs have the new model's names and order; those that the original has not even
    inside are missing on its side. Raises EngineFailed.
    """
    spec = spec or RunSpec(custom_ops=conversion.custom_ops)
    first, second = fitted_feeds(engine, conversion, feeds)
    before = engine.predict(conversion.original, spec, first).outputs
    there = replace(conversion.runnable(spec), cast=True)
    after = engine.predict(conversion.path, there, second).outputs
    old_names = dict(conversion.renamed)
    values = {output.name: output for output in before}
    wanted = [(output.name, old_names.get(output.name, output.name)) for output in after]
    inner = [name for _, name in wanted if name not in values]
    computed = _inner_values(engine, conversion, first, inner) if inner else {}
    for name, array in computed.items():
        if not isinstance(array, tuple):
            values[name] = OutputValue(name, "tensor", type_name(array), array)
    reference = [structs.replace(values[old], name=new) for new, old in wanted if old in values]
    return tuple(reference), after


def _inner_values(
    engine: EngineProcess, conversion: Conversion, feeds: Feeds, names: Sequence[str]
) -> dict[str, Feed]:
    """Return the values of the original's inner tensors; what it does not have is missing."""
    if any("+" in name for name in names):  # which separates names in a step
        return {}
    folder = conversion.path.parent
    step = Step("extract", (("outputs", "+".join(names)),))
    made: tuple[str, ...] = ()
    try:
        converted = engine.convert(conversion.original, (step,), folder, name=_INNER)
        made = converted.files
        path = folder / converted.files[0]
        taken = {info.name for info in opening.open_model(path).inputs}
        given = {name: feed for name, feed in feeds.items() if name in taken}
        spec = RunSpec(custom_ops=conversion.custom_ops)
        outputs = engine.predict(path, spec, given).outputs
    except BadInput:
        return {}
    finally:
        for name in made:
            (folder / name).unlink(missing_ok=True)
    return {output.name: output.array for output in outputs if output.array is not None}


def _with_lengths(feed: Feed, info: TensorInfo) -> Feed:
    """Repeat or cut an array so that it has the fixed lengths of an input."""
    if isinstance(feed, tuple) or info.kind != "tensor" or info.shape is None:
        return feed
    if len(info.shape) != feed.ndim or not feed.size:
        return feed
    fitted = feed
    for axis, length in enumerate(info.shape):
        if isinstance(length, int) and length != fitted.shape[axis]:
            fitted = np.take(fitted, np.arange(length) % fitted.shape[axis], axis)
    return fitted


def not_finite(prediction: Prediction) -> str:
    """Return which output is not finite, as a sentence; empty if all are."""
    for output in prediction.outputs:
        array = output.array
        if array is None or array.dtype.kind not in "fV" or not array.size:
            continue
        values = np.asarray(array, np.float32)
        wrong = int(values.size - np.isfinite(values).sum())
        if wrong:
            verb = "is" if wrong == 1 else "are"
            name = clip(output.name, 60)
            return f"{plural(wrong, 'value')} of output '{name}' {verb} NaN or infinite"
    return ""


def save(conversion: Conversion, target: Path) -> None:
    """Put the files of a conversion beside `target`: all of them, or none.

    The recipe was run with the name of `target`, which external data is named after.
    Raises NotSaved, BadInput: the result is in another format than the name says.
    """
    if conversion.path.suffix == ".ort" != target.suffix:
        what = f"Could not save {clip(target.name)}"
        why = "ONNX Runtime recognizes the ORT format by the file extension .ort"
        raise BadInput(what, why, f"Use the name {clip(target.stem)}.ort.")
    lite = opening.format_id(conversion.path) == TFLITE
    if lite and target.suffix.lower() not in (".tflite", ".lite", ".litert"):
        what = f"Could not save {clip(target.name)}"
        why = "the result is a TensorFlow Lite model"
        raise BadInput(what, why, f"Use the name {clip(target.stem)}.tflite.")
    source = conversion.path.parent
    files.write_together(
        [(target.parent / name, _pieces(source / name)) for name in reversed(conversion.files)]
    )


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
