"""Tensors for a model's inputs: from a recipe or a file, and sensible ones for the rest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import Struct, structs

from inspector import units
from inspector.errors import BadInput
from inspector.model import display_names
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import (
    Fed,
    Tensor,
    check_size,
    is_float,
    is_recipe,
    make_tensor,
    numpy_type,
)
from inspector.preview.families import audio_features
from inspector.preview.inputs import audio as sounds
from inspector.preview.inputs import (
    audio_windows,
    default_values,
    input_files,
    input_shapes,
    maps_and_sequences,
    npy_files,
    text_values,
    tokens,
)
from inspector.preview.inputs.audio_windows import AT_ONCE, ONCE, Framing, Pace, Stepping
from inspector.preview.inputs.image import (
    AS_GUESSED,
    ImageOptions,
    ImagePreprocessing,
    PreparedPicture,
    prepared,
)
from inspector.preview.inputs.image_files import Picture
from inspector.preview.inputs.model_states import State
from inspector.preview.preprocessing.guess import declared_range
from inspector.report.output_verdict import GUESSED, RANDOM, TYPICAL, ZEROS
from inspector.wording.values import Name, Real, Sentence

__all__ = [
    "Filled",
    "Given",
    "GivenPicture",
    "ImageOptions",
    "defaults",
    "exact",
    "feeds_by_name",
    "fill",
    "fill_all",
    "input_kind",
    "pace",
    "with_preparation",
]
_CHUNK = 1 << 22
_LONGEST_VALUE = 60  # characters of numbers that somebody typed


class Filled(Struct, frozen=True, eq=False):
    """An input with its tensor.

    value: "zeros", "ones", "random:0", a number, or a file's name; never a path.
    dtype: the model's name for the type of the elements.
    frames: (steps, *shape) where the model takes a sound in steps; `array` is the first.
    seconds: length of that sound.
    parts: the tensors of a sequence whose shapes differ; `array` is the first one. Of a map its
    keys and its values, which are `array`.
    absent: an optional input that is left out; `array` is empty.
    description: what was done to get there, for people ("16,000 Hz, the first 512 of 16,000").
    given: False when the program chose the value because nobody did.
    caution: what is odd about what was given, such as words that a vocabulary does not have.
    picture: what the tensor was made of, if that is a picture.
    """

    name: str
    value: str
    array: Tensor
    description: str = ""
    given: bool = True
    dtype: str = ""
    frames: Tensor | None = None
    seconds: float = 0.0
    parts: tuple[Tensor, ...] = ()
    absent: bool = False
    caution: str = ""
    picture: PreparedPicture | None = None


class GivenPicture(Struct, frozen=True, eq=False):
    """A picture that came from no file, and what people call it."""

    pixels: Picture
    name: str


Given = str | Filled | GivenPicture
"""What an input is given: a recipe, a text, the path of a file, a tensor or picture at hand."""


def feeds_by_name(filled: Sequence[Filled]) -> dict[str, Fed]:
    """Return what the model is given, by input; a tuple is a sequence whose shapes differ, or
    the keys and the values of a map."""
    return {each.name: each.parts or each.array for each in filled if not each.absent}


def input_kind(filled: Sequence[Filled]) -> str:
    """Return of which kind the inputs of a run are, as `report.output_verdict` names them.

    One file among them makes them typical, unless other values are random.
    """
    present = [each for each in filled if not each.absent]
    given = [each.value for each in present if each.given]
    return kind_of_recipes((each.value for each in present), given)


def kind_of_recipes(values: Iterable[str], given: Iterable[str] | None = None) -> str:
    """Return of which kind inputs are, as `input_kind` does.

    values: of all inputs, as in `Filled`. given: those that somebody chose; all by default.
    """
    values = [*values]
    recipes = {value.partition(":")[0] for value in values}
    if RANDOM in recipes:
        return RANDOM
    if any(not is_recipe(value) for value in (values if given is None else given)):
        return TYPICAL
    return ZEROS if recipes == {ZEROS} else GUESSED


def fill(
    info: TensorInfo,
    value: str,
    dimensions: Mapping[str, int],
    options: ImageOptions = AS_GUESSED,
) -> Filled:
    """Make the tensor of one input, of its exact type.

    value: zeros, ones, random[:SEED] (0..1, or the range that the file declares), a number for
    every element, nested lists of numbers or texts ("[[5.1, 3.5]]"), or the path of a file
    (.npy .npz .pb .wav .txt .csv .json .bin .raw or a picture). dimensions: lengths of free
    axes, 1 where not given; a file's own shape decides those that are not given. options: for
    pictures.
    Raises BadInput: the value does not fit, or the tensor would be too large.
    Raises UnreadableFile: the file is missing or damaged.
    """
    if info.kind != "tensor":
        return _compound(info, value)
    if is_recipe(value):
        shape = input_shapes.shape_of(info, dimensions)
        array, description = _from_recipe(info, value, shape, options)
        return Filled(info.name, value, array, description, dtype=info.dtype)
    if value.startswith(tokens.TEXT):
        return _from_words(info, value.removeprefix(tokens.TEXT), dimensions)
    if value.startswith("[") and value.endswith("]"):
        array = input_shapes.reshaped(text_values.parsed(value, info), info, dimensions, "it")
        check_size(info.name, array.shape, info.dtype)
        return Filled(info.name, units.clip(value, _LONGEST_VALUE), array, dtype=info.dtype)
    raw = npy_files.raw_file(value)
    if raw is not None and (raw[1] or not input_files.takes_bytes(info)):
        array = input_files.read_raw(*raw, info, dimensions)
        return Filled(info.name, raw[0].name, array, dtype=info.dtype)
    path = Path(value)
    array, description, picture = input_files.read(path, info, dimensions, options)
    check_size(info.name, array.shape, info.dtype)
    return Filled(info.name, path.name, array, description, dtype=info.dtype, picture=picture)


def fill_all(
    inputs: Sequence[TensorInfo],
    values: Mapping[str, Given],
    dimensions: Mapping[str, int],
    options: ImageOptions = AS_GUESSED,
    stepping: Stepping = AT_ONCE,
    tokenizer: tokens.TokenizerSource | None = None,
) -> tuple[Filled, ...]:
    """Make the tensors of all inputs of a model: the given values, and defaults for the rest.

    stepping: inputs that take a sound file in steps; a rate that nobody gave follows. Memory
    that nobody gave starts at zero. tokenizer: for "text:..." where tokens are wanted.
    An axis that several inputs share has one length: what `dimensions` says, else what a file
    or a tensor at hand brings, else a usual one.
    Raises BadInput: an unknown input or dimension, two files that disagree, and as `fill`.
    """
    input_shapes.check_dimensions(inputs, dimensions)
    by_name = {info.name: info for info in inputs}
    _check_names(values, by_name)
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    made = {name: value for name, value in values.items() if isinstance(value, Filled)}
    cuts = {name: framing for name, framing in stepping.framings.items() if name in texts}
    rates = {name: rate for name, rate in _rates(inputs, cuts).items() if name not in values}
    texts = {**rates, **texts}
    shown = {n: value for n, value in values.items() if isinstance(value, GivenPicture)}
    others = dict.fromkeys((*made, *shown), "")
    done = _from_text(inputs, {**others, **texts}, dimensions, tokenizer)
    # A mask also covers what a cache holds, whose length a file may say: it is made at last.
    masks = {name: done.pop(name) for name in [*done] if default_values.is_mask(by_name[name])}
    done |= made
    lengths = dict(dimensions)
    for filled in done.values():
        lengths |= input_shapes.lengths_in(by_name[filled.name], filled.array)
    for name, given in shown.items():
        done[name] = _from_picture(by_name[name], given, lengths, options)
        lengths |= input_shapes.lengths_in(by_name[name], done[name].array)
    for name in [n for n, v in texts.items() if n not in done and not is_recipe(v)]:
        path = Path(texts[name])
        if name in cuts:
            done[name] = _framed(by_name[name], path, cuts[name])
        elif name in stepping.features and path.suffix.lower() in sounds.SUFFIXES:
            array, description = audio_features.read(
                path, stepping.features[name], by_name[name]
            )
            check_size(name, array.shape, by_name[name].dtype)
            done[name] = Filled(name, path.name, array, description, dtype=by_name[name].dtype)
        else:
            done[name] = fill(by_name[name], texts[name], lengths, options)
        lengths |= input_shapes.lengths_in(by_name[name], done[name].array)
    past = default_values.cached_tokens(inputs, lengths)
    for name, mask in masks.items():
        free = default_values.covers_cache(by_name[name], inputs)
        done[name] = _over_cache(mask, past) if free else mask
        lengths = {**input_shapes.lengths_in(by_name[name], done[name].array), **lengths}
    lengths = default_values.lengths(inputs, lengths)
    default_values.check_sums(inputs, dimensions, lengths)
    for name in (name for name in texts if name not in done):
        done[name] = fill(by_name[name], texts[name], lengths, options)
    for name in rates:
        done[name] = structs.replace(
            done[name], given=False, description="the sample rate of the audio"
        )
    rest = [info for info in inputs if info.name not in done]
    every = [_as_made(info, made.get(info.name)) for info in inputs]
    made_up = _defaults(rest, every, lengths, stepping, options)
    done |= {each.name: each for each in made_up}
    return tuple(done[info.name] for info in inputs)


def pace(filled: Sequence[Filled], stepping: Stepping) -> Pace:
    """Return how often a model runs to take all of these inputs."""
    framed = [each for each in filled if each.frames is not None]
    if not framed:
        return ONCE
    steps = min(len(each.frames) for each in framed if each.frames is not None)
    return stepping.framings[framed[0].name].pace(steps, framed[0].seconds)


def defaults(inputs: Sequence[TensorInfo], dimensions: Mapping[str, int]) -> tuple[Filled, ...]:
    """Return a sensible tensor for every input: seeded random floats, zero integers and states,
    attention everywhere, a sample rate of 16 kHz, lengths that agree with the other inputs.
    Raises BadInput: as `fill`."""
    return fill_all(inputs, {}, dimensions)


def _defaults(
    rest: Sequence[TensorInfo],
    inputs: Sequence[TensorInfo],
    lengths: Mapping[str, int],
    stepping: Stepping,
    options: ImageOptions,
) -> list[Filled]:
    memory = {state.input: state.output for state in stepping.memory}
    chosen = []
    for info in rest:
        if info.kind != "tensor":
            value = maps_and_sequences.ABSENT if info.kind == "optional" else "zeros"
            chosen.append(structs.replace(_compound(info, value), given=False))
            continue
        value, description = default_values.value(info, inputs, lengths)
        if info.name in memory:
            value, description = (
                "zeros",
                Sentence("initially zero; later the value of {value}", Name(memory[info.name])),
            )
        if value.startswith(tokens.TEXT):
            text = value.removeprefix(tokens.TEXT)
            filled = _from_words(info, text, lengths)
            chosen.append(structs.replace(filled, description=description, given=False))
            continue
        shape = input_shapes.shape_of(info, lengths)
        special = default_values.array(info, inputs, lengths)
        if special is not None:
            value, (array, description) = "default", special
        elif is_recipe(value):
            array, ranged = _from_recipe(info, value, shape, options)
            description = ranged or description
        else:
            array = (make_tensor(info.name, "ones", shape, info.dtype) * int(value)).astype(
                info.dtype
            )
        chosen.append(Filled(info.name, value, array, description, False, info.dtype))
    return chosen


def _from_recipe(
    info: TensorInfo, value: str, shape: Sequence[int], options: ImageOptions
) -> tuple[Tensor, str]:
    """Return the values of a recipe. Random ones of an image lie in the range that the model's
    file declares, which the text then says, else in 0..1."""
    array = make_tensor(info.name, value, shape, info.dtype)
    made_up = value.startswith(RANDOM) and is_float(info.dtype)
    known = declared_range(info, options.metadata) if made_up else None
    if known is None:
        return array, ""
    low, high = known
    spread = np.asarray(array, np.float64) * (high - low) + low
    said = Sentence("random in {low}..{high}, as the file declares", Real(low), Real(high))
    return spread.astype(array.dtype), said


def with_preparation(
    filled: Filled, info: TensorInfo, preparation: ImagePreprocessing
) -> Filled:
    """Return an input whose picture is prepared in another way, equally large. Raises
    BadInput: as `image.prepare`."""
    assert filled.picture is not None, "only pictures are prepared"
    pixels = filled.picture.pixels
    array, last = prepared(pixels, preparation, replace(info, shape=filled.array.shape))
    text = input_files.preprocessing_text(preparation)
    picture = PreparedPicture(pixels, preparation, last)
    return structs.replace(filled, array=array, description=text, picture=picture)


def exact(info: TensorInfo, filled: Filled) -> Filled:
    """Return the tensor in the input's own type, where it is one of other real numbers."""
    if info.kind != "tensor":
        return filled
    dtype = numpy_type(info.dtype)
    if filled.array.dtype == dtype or not is_float(info.dtype):
        return filled
    note = Sentence("cast from {name} to {dtype}", filled.array.dtype.name, info.dtype)
    return structs.replace(filled, array=filled.array.astype(dtype), description=note)


def _from_picture(
    info: TensorInfo, given: GivenPicture, lengths: Mapping[str, int], options: ImageOptions
) -> Filled:
    array, description, picture = input_files.from_picture(
        given.pixels, given.name, info, lengths, options
    )
    return Filled(info.name, given.name, array, description, dtype=info.dtype, picture=picture)


def _as_made(info: TensorInfo, made: Filled | None) -> TensorInfo:
    """Return an input with the shape of the tensor that it has."""
    if made is None or info.kind != "tensor":
        return info
    return replace(info, shape=made.array.shape)


def _compound(info: TensorInfo, value: str) -> Filled:
    if info.kind == "map":
        return _map(info, value)
    parts, description = maps_and_sequences.values(info, value)
    name = value if is_recipe(value) or not parts else Path(value).name
    if not parts:
        empty = np.zeros(0, np.float32)
        absent = info.kind == "optional"
        return Filled(
            info.name,
            maps_and_sequences.ABSENT,
            empty,
            description,
            dtype=info.dtype,
            absent=absent,
        )
    if info.kind == "optional" and "sequence" not in info.dtype:
        return Filled(info.name, name, parts[0], description, dtype=info.dtype)
    whole = maps_and_sequences.stacked(parts)
    if whole is not None:
        return Filled(info.name, name, whole, description, dtype=info.dtype)
    return Filled(info.name, name, parts[0], description, dtype=info.dtype, parts=parts)


def _map(info: TensorInfo, value: str) -> Filled:
    keys, numbers = maps_and_sequences.map_values(info, value)
    name = Path(value).name if value.endswith(".json") else "typed"
    description = units.plural(len(keys), "key")
    if value in ("", "zeros"):
        name, description = "zeros", "one placeholder key; ONNX Runtime needs at least one"
    return Filled(
        info.name, name, numbers, description, dtype=info.dtype, parts=(keys, numbers)
    )


def _framed(info: TensorInfo, path: Path, framing: Framing) -> Filled:
    if info.kind != "tensor":
        what = f"Could not fill input '{units.clip(info.name, 80)}'"
        raise BadInput(
            what,
            display_names.unfit(info),
            "Only tensor inputs can be filled from an audio file.",
        )
    steps, seconds, description = audio_windows.read(path, framing, info)
    return Filled(
        info.name, path.name, steps[0], description,
        dtype=info.dtype, frames=steps, seconds=seconds,
    )  # fmt: skip


def _check_names(values: Mapping[str, Given], declared: Mapping[str, TensorInfo]) -> None:
    for name in values:
        if name not in declared:
            what = f"Could not fill input '{units.clip(name, 80)}'"
            raise BadInput(
                what, "the model has no such input", display_names.suggestion(name, declared)
            )


def _from_text(
    inputs: Sequence[TensorInfo],
    values: Mapping[str, str],
    dimensions: Mapping[str, int],
    tokenizer: tokens.TokenizerSource | None,
) -> dict[str, Filled]:
    """Return what one text for the tokens of a model gives all of its inputs that it
    concerns."""
    for info in inputs:
        value = values.get(info.name, "")
        text = value.removeprefix(tokens.TEXT)
        if not tokens.takes_tokens(info) or not value.startswith(tokens.TEXT):
            continue
        free = [other for other in inputs if other is info or other.name not in values]
        arrays, description, odd = tokens.encode_text(text, free, dimensions, tokenizer)
        dtypes = {other.name: other.dtype for other in inputs}
        filled = {
            name: Filled(name, "text", array, description, name == info.name, dtypes[name])
            for name, array in arrays.items()
        }
        filled[info.name] = structs.replace(filled[info.name], caution=odd)
        return filled
    return {}


def _over_cache(mask: Filled, past: int) -> Filled:
    """Return the mask over a text with the tokens before it that a cache holds."""
    if not past or mask.array.ndim != 2:
        return mask
    before = np.ones((len(mask.array), past), mask.array.dtype)
    description = f"{units.plural(past, 'token')} in the cache, then {mask.description}"
    array = np.concatenate([before, mask.array], axis=1)
    return structs.replace(mask, array=array, description=description)


def _from_words(info: TensorInfo, text: str, dimensions: Mapping[str, int]) -> Filled:
    """Return a text as it is, or its bytes. Raises BadInput: the input takes neither."""
    if info.dtype == "string":
        array = np.full(input_shapes.shape_of(info, dimensions), text, object)
        odd = "" if text else "the text is empty"
        return Filled(info.name, "text", array, "the text", dtype=info.dtype, caution=odd)
    if info.dtype != "uint8":
        what = f"Could not use the text for input '{units.clip(info.name, 80)}'"
        raise BadInput(what, f"its type {info.dtype} is neither text nor bytes")
    if not text:
        what = f"Could not use the text for input '{units.clip(info.name, 80)}'"
        raise BadInput(what, "it is empty", "Enter a text.")
    octets = np.frombuffer(text.encode(), np.uint8)
    row, cut = input_shapes.laid_out(octets, info, dimensions, "the text")
    return Filled(info.name, "text", row, f"bytes of the text: {cut}", dtype=info.dtype)


def _rates(inputs: Sequence[TensorInfo], cuts: Mapping[str, Framing]) -> dict[str, str]:
    rates = {framing.rate for framing in cuts.values()}
    taking = [info.name for info in inputs if default_values.is_rate(info)]
    return {name: str(rate) for name in taking for rate in rates}


def input_caution(filled: Filled, memory: Sequence[State]) -> str:
    """Return what is odd about an input in a few words; empty where nothing is.

    memory: the states of the model. A cache of tokens begins empty, and so may a sequence or an
    optional input.
    """
    fed_back = {state.input for state in memory}
    may_be_empty = filled.absent or filled.parts or filled.name in fed_back
    if may_be_empty and not filled.array.size:
        return ""
    return filled.caution or caution(filled.array)


def caution(array: Tensor) -> str:
    """Return what is odd in a few words; empty where nothing is.

    Looked at in pieces, so that no copy of a large tensor is made.
    """
    if not array.size:
        axis = array.shape.index(0)
        return f"empty: axis {axis} has size 0, so there is nothing to compute"
    if array.dtype.kind not in "fc" and "float" not in array.dtype.name:
        return ""
    nan = infinite = 0
    flat = array.reshape(-1)
    for start in range(0, flat.size, _CHUNK):
        piece = flat[start : start + _CHUNK]
        piece = piece if piece.dtype.kind in "fc" else piece.astype(np.float32)
        nan += int(np.isnan(piece).sum())
        infinite += int(np.isinf(piece).sum())
    counts = [f"{nan:,} NaN"] * bool(nan) + [f"{infinite:,} infinite"] * bool(infinite)
    if not counts:
        return ""
    elements = units.plural(flat.size, "element")
    return f"{' and '.join(counts)} of {elements}; outputs may become NaN"
