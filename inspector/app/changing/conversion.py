"""Convert a model and check that the result opens, runs and gives finite values.

Calibration runs here, too: a first conversion adds outputs for ranges to the model, which is
then predicted with each calibration input.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector.app.changing.calibration import (
    Feeds,
    NamedInput,
    Share,
    UnusableInputs,
    measured_ranges,
    named,
    random_inputs,
    stepped_ranges,
)
from inspector.app.changing.result_names import expect_model_name
from inspector.backends.array_files import Feed
from inspector.backends.type_names import type_name
from inspector.conversion.action import (
    CALIBRATION,
    RANDOM,
    OptionKind,
    Picture,
    Step,
    finds_layers,
)
from inspector.conversion.registry import ACTIONS
from inspector.conversion.result import KERNELS, Conversion, LevelCheck
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats import opening
from inspector.formats.tflite.reader import with_valid_axes
from inspector.model.model import TFLITE, Model, TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.platform import files
from inspector.preview.inputs import feeds as feeding
from inspector.preview.inputs.npy_files import read_npy
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import LEVELS, RunSpec
from inspector.units import clip, plural

Array = NDArray[Any]
_INNER = "inner-values.onnx"  # a part of the original, while its values are computed
_PIECE_BYTES = 4 << 20
_WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def new_name(model_format: str) -> str:
    """Return the name of the file of a converted model, where nobody has chosen one."""
    return "model.tflite" if model_format == TFLITE else "model.onnx"


def needs_inputs(steps: Iterable[Step]) -> bool:
    """Return whether a recipe has a step that calibrates with typical inputs."""
    return any(
        ACTIONS[step.action].calibrates and not is_made_up(step)
        for step in steps
        if step.action in ACTIONS
    )


def is_made_up(step: Step) -> bool:
    """Return whether a step calibrates with random values, as its option says."""
    return dict(step.options).get(CALIBRATION) == RANDOM


def expect_inputs(steps: Sequence[Step], model: Path, there: bool) -> None:
    """Raise BadInput if a step needs typical inputs and there are none."""
    needing = [step.action for step in steps if needs_inputs([step])]
    if needing and not there:
        name = needing[0]
        raise BadInput(
            f"Could not convert {clip(model.name)}",
            f"'{name}' needs typical inputs to determine value ranges",
            "Pass a folder of typical inputs with --calibration FOLDER. "
            f"'{name}:{CALIBRATION}={RANDOM}' makes random ones up, to measure only speed.",
        )


def files_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the paths of the files whose contents steps use."""
    names = dict[str, None]()
    for step in steps:
        kinds = {option.name: option.kind for option in ACTIONS[step.action].options}
        for name, value in step.options:
            if kinds.get(name) is OptionKind.FILE and value:
                names[value] = None
    return tuple(names)


def convert(
    engine: Engine,
    model: Path,
    steps: Sequence[Step],
    folder: Path,
    calibration: Iterable[NamedInput | Feeds] = (),
    share: Share = lambda _, __: None,
    name: str = "model.onnx",
    custom_ops: Sequence[str] = (),
    dimensions: Mapping[str, int] | None = None,
) -> Conversion:
    """Run a recipe, and put the result into a folder, unchecked.

    name: of the new file. calibration: inputs for steps that calibrate, used once for each such
    step. custom_ops: libraries with custom operators of the model. dimensions: sizes of dynamic
    axes of made-up inputs. Raises BadInput: a step needs inputs and there are none;
    InspectorError.
    """
    assert not any(map(finds_layers, steps)), "float16_layers.convert finds them first"
    given, unusable = named(calibration), UnusableInputs()
    arrays = {each: read_npy(Path(each)) for each in files_of(steps)}
    made_up = any(map(is_made_up, steps))
    inputs: tuple[NamedInput, ...] = ()
    ranges: dict[str, tuple[float, float]] | None = None
    while True:
        share("convert", -1)
        converted = engine.convert(model, steps, folder, ranges, name, arrays)
        if not converted.observe:
            break
        if not inputs:
            if not made_up:
                expect_inputs(steps, model, bool(given))
            inputs = given
            if made_up:
                inputs = random_inputs(engine, model, dimensions or {}, custom_ops)
        ranges = dict(ranges or {})
        if not converted.files:  # the runtime itself tells the values of all tensors
            ranges.update(
                stepped_ranges(engine, model, converted.observe, inputs, share, unusable)
            )
            continue
        observed = folder / converted.files[0]
        measured = measured_ranges(
            engine, observed, converted, inputs, share, custom_ops=custom_ops, original=model,
            unusable=unusable,
        )  # fmt: skip
        ranges.update(measured)
        for file in converted.files:
            (folder / file).unlink(missing_ok=True)
    left_out = unusable.note(len(inputs), "calibration input")
    return Conversion(
        folder / converted.files[0],
        tuple(steps),
        converted.effects,
        (*converted.notes, *((f"{left_out}.",) if left_out else ())),
        converted.made_by,
        files=converted.files,
        original=model,
        renamed=converted.renamed,
        pictures=converted.pictures,
        devices=converted.devices,
        custom_ops=tuple(custom_ops),
        calibrated=len(inputs) - len(unusable),
        made_up=bool(inputs) and made_up,
    )


def checked(
    engine: Engine,
    conversion: Conversion,
    inputs: Sequence[Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
) -> Conversion:
    """Open and run a converted model at every optimization level.

    inputs: of the original; the result gets them as it wants them. Those on which the original
    fails are left out. Each level has to give finite values, unless the original does not
    either. Raises Cancelled; InspectorError: the original fails on all of them.
    """
    fitted = [fitted_feeds(engine, conversion, feeds)[1] for feeds in inputs]
    there = conversion.runnable(spec or RunSpec())
    levels = level_checks(engine, conversion.path, fitted, there, share)
    if any(check.problem and not check.not_finite for check in levels):
        usable = _usable(engine, conversion, inputs, spec or RunSpec())
        if len(usable) < len(inputs):
            return checked(engine, conversion, usable, spec, share)
    if any(check.not_finite for check in levels):
        given = [fitted_feeds(engine, conversion, feeds)[0] for feeds in inputs]
        before = level_checks(engine, conversion.original, given, spec, share)
        # Infinities that a model computes by design are no fault of the conversion.
        levels = tuple(
            LevelCheck(after.level) if after.not_finite and first.not_finite else after
            for first, after in zip(before, levels, strict=True)
        )
    return structs.replace(conversion, levels=levels)


def _usable(
    engine: Engine, conversion: Conversion, inputs: Sequence[Feeds], spec: RunSpec
) -> list[Feeds]:
    """Return the inputs on which the original runs. Raises InspectorError: it does on none."""
    usable, failure = list[Feeds](), None
    for feeds in inputs if conversion.original != Path() else ():
        try:
            given, _ = fitted_feeds(engine, conversion, feeds)
            engine.predict(conversion.original, spec, given)
        except Cancelled:
            raise
        except InspectorError as error:
            failure = error
        else:
            usable.append(feeds)
    if not usable and failure is not None:
        raise failure
    return usable if failure is not None else [*inputs]


def level_checks(
    engine: Engine,
    path: Path,
    inputs: Sequence[Feeds],
    spec: RunSpec | None = None,
    share: Share = lambda _, __: None,
) -> tuple[LevelCheck, ...]:
    """Open and run a model at every optimization level. Raises Cancelled."""
    # Inputs of a converted model may have another type by purpose, such as float16.
    spec = replace(spec or RunSpec(), cast=True)
    checks = []
    specs = {level: replace(spec, optimization=level) for level in LEVELS}
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


class InnerValues:
    """Computes inner tensors of an original, which a changed model has as inputs or outputs.

    The models that end at them are made once, in the folder of the result. Used in a `with`
    statement, after which they are gone.
    """

    def __init__(self, engine: Engine, conversion: Conversion) -> None:
        self._engine, self._conversion = engine, conversion
        self._made: dict[tuple[str, ...], tuple[str, ...]] = {}  # tensors -> files

    def __enter__(self) -> "InnerValues":
        return self

    def __exit__(self, *_: object) -> None:
        for made in self._made.values():
            for name in made:
                (self._conversion.path.parent / name).unlink(missing_ok=True)
        self._made.clear()

    def of(self, feeds: Feeds, names: Sequence[str]) -> dict[str, Feed]:
        """Return the values of inner tensors; what the original does not have is missing."""
        if not names or any("+" in name for name in names):  # which separates names in a step
            return {}
        folder, key = self._conversion.path.parent, tuple(names)
        if key not in self._made:
            step, file = Step("extract", (("outputs", "+".join(names)),)), _INNER
            if self._made:
                file = f"{len(self._made)}-{_INNER}"
            try:
                model = self._conversion.original
                self._made[key] = self._engine.convert(model, (step,), folder, name=file).files
            except BadInput:
                self._made[key] = ()
        if not self._made[key]:
            return {}
        path = folder / self._made[key][0]
        input_names = {info.name for info in opening.open_model(path).inputs}
        given = {name: feed for name, feed in feeds.items() if name in input_names}
        spec = RunSpec(custom_ops=self._conversion.custom_ops)
        outputs = self._engine.predict(path, spec, given).outputs
        return {output.name: output.array for output in outputs if output.array is not None}


def fitted_feeds(
    engine: Engine, conversion: Conversion, feeds: Feeds, inner: InnerValues | None = None
) -> tuple[Feeds, Feeds]:
    """Return inputs for the original and for the new model that have the same values.

    A recipe may change names and lengths of inputs, or begin at an inner tensor, whose values
    the original then computes. Another type is left to `RunSpec.cast`. inner: where this is
    called for several inputs. Raises EngineFailed.
    """
    if inner is None:
        with InnerValues(engine, conversion) as inner:
            return fitted_feeds(engine, conversion, feeds, inner)
    new = opening.open_model(conversion.path)
    old_names = dict(conversion.renamed)
    first, inside = dict(feeds), list[str]()
    pixels: dict[str, Array] = {}  # and other whole numbers
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
            whole = _as_whole(first[name], info)
            if whole is not None:  # which an input of floats takes as well
                pixels[name], first[name] = whole
        else:
            inside.append(name)
    if conversion.original == Path():
        return feeds, feeds
    values: Mapping[str, Feed] = {**first, **pixels}
    if inside:
        computed = inner.of(first, inside)
        missing = [i for i in new.inputs if i.name in inside and i.name not in computed]
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


def by_new_names(
    conversion: Conversion,
    before: Sequence[OutputValue],
    after: Sequence[OutputValue],
    feeds: Feeds,
    inner: InnerValues,
) -> tuple[OutputValue, ...]:
    """Return the original's outputs with the new model's names, and in its order.

    feeds: of the original. Those that the original has not even inside are missing; those that
    only it has come last, unless the recipe changes outputs. Raises EngineFailed.
    """
    old_names = dict(conversion.renamed)
    values = {output.name: output for output in before}
    wanted = [(output.name, old_names.get(output.name, output.name)) for output in after]
    inside = [name for _, name in wanted if name not in values]
    values |= {output.name: output for output in as_outputs(inner.of(feeds, inside))}
    reference = [structs.replace(values[old], name=new) for new, old in wanted if old in values]
    known = {old for _, old in wanted}
    if all(ACTIONS[step.action].keeps_ends for step in conversion.steps):
        reference += [output for output in before if output.name not in known]
    return tuple(reference)


def as_outputs(values: Mapping[str, Feed]) -> tuple[OutputValue, ...]:
    """Return tensors as outputs."""
    return tuple(
        OutputValue(name, "tensor", type_name(array), array)
        for name, array in values.items()
        if not isinstance(array, tuple)
    )


def _as_whole(feed: Feed, info: TensorInfo) -> tuple[Array, Array] | None:
    """Return floats rounded to an input's type of whole numbers, and as floats again.

    None where the type is another one: `RunSpec.cast` converts what loses nothing.
    """
    if isinstance(feed, tuple) or feed.dtype.kind != "f" or info.dtype not in _WHOLE:
        return None
    limits = np.iinfo(info.dtype)
    whole = np.clip(np.rint(feed), limits.min, limits.max).astype(info.dtype)
    return whole, whole.astype(feed.dtype)


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


def side_files(model: Model) -> tuple[str, ...]:
    """Return the names of files beside a model that have its weights."""
    names = {w.place.file for w in model.weights if w.place and w.place.file}
    return tuple(sorted(names))


def model_bytes(path: Path, model: Model) -> int:
    """Return the size of a model with its external data."""
    size = path.stat().st_size
    for name in side_files(model):
        with suppress(OSError):
            size += (path.parent / name).stat().st_size
    return size


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


def save_repaired(model: Model, path: Path, target: Path) -> None:
    """Save a copy of a file without the flaws that an action corrects.

    A TensorFlow Lite file needs no runtime for that, which may not be installed. Raises
    InspectorError.
    """
    if model.format == TFLITE:
        files.write_atomic(target, with_valid_axes(path))
        return
    save_converted(path, Step("repair"), f"Could not repair {clip(path.name)}", target)


def save_converted(path: Path, step: Step, what: str, target: Path) -> None:
    """Save what a step makes of a file. what: could not be done where it fails.

    Raises InspectorError.
    """
    with files.temporary_folder("inspector-", what) as place, EngineProcess() as engine:
        save(convert(engine, path, (step,), Path(place), name=target.name), target)


def save(conversion: Conversion, target: Path) -> None:
    """Put the files of a conversion beside `target`: all of them, or none.

    The recipe was run with the name of `target`, which external data is named after. Where no
    step had anything to do, a model in one file is copied byte by byte. Raises NotSaved,
    BadInput: the result is in another format than the name says.
    """
    expect_model_name(target, opening.format_id(conversion.path))
    source = conversion.path.parent
    if conversion.unchanged and conversion.steps and not _has_side_files(conversion):
        files.write_pieces(target, pieces(conversion.original))
        return
    files.write_together(
        [(target.parent / name, pieces(source / name)) for name in reversed(conversion.files)]
    )


def _has_side_files(conversion: Conversion) -> bool:
    return bool(side_files(opening.open_model(conversion.original)))


def pieces(path: Path) -> Iterator[bytes]:
    """Yield the content of a file."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
