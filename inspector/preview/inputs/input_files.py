"""A file of any kind that Inspector knows as the tensor of an input, and words about it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput
from inspector.formats.onnx import tensor_files
from inspector.model import display_names
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import (
    LIMIT_BYTES,
    Tensor,
    is_float,
    is_integer,
    numpy_type,
)
from inspector.platform import files
from inspector.preview.inputs import (
    audio,
    image_files,
    input_shapes,
    npy_files,
    plugin_inputs,
    text_values,
)
from inspector.preview.inputs.image import (
    ImageOptions,
    ImagePreprocessing,
    PreparedPicture,
    prepared,
)
from inspector.preview.inputs.image_files import Picture
from inspector.preview.preprocessing.guess import range_text

BLOCK = 4_096
SHORTEST = 64
NOTHING = 256  # no byte has this value, so that it can stand for none
_SIDES = 2  # of an image: height and width
_SMALL = ("int8", "uint8", "int4", "uint4", "int2", "uint2")
_ARRAYS = (".npy", ".npz", ".pb")
_KINDS = (
    ".npy, .npz, .pb, images (.png, .jpg, .bmp, ...), audio (.wav, .flac, .mp3, ...), "
    ".txt, .csv, .json, and .bin or .raw with the type and shape behind it, as in "
    "x.raw:uint8:1x224x224x3"
)
_RATE_KEYS = ("sample_rate", "sampling_rate", "samplerate")


def takes_ends(info: TensorInfo) -> int:
    """Length of the row where an input wants both ends of a file; 0 where it does not.

    Models that tell the kind of a file by its content (Magika) take so: a fixed row of
    numbers wider than a byte, called after bytes.
    """
    row = (info.shape or (None,))[-1]
    named = "byte" in info.name.lower() and is_integer(info.dtype)
    fits = named and info.dtype not in _SMALL and len(info.shape or ()) in (1, 2)
    return row if fits and isinstance(row, int) and row >= SHORTEST and row % 2 == 0 else 0


def ends(content: bytes, length: int) -> NDArray[np.int32]:
    """Return the first and the last length / 2 bytes without the white space around them: int32
    (length,). What is missing is NOTHING, behind the beginning and before the end."""
    half = length // 2
    row = np.full(length, NOTHING, np.int32)
    first = content[:BLOCK].lstrip()[:half]
    last = content[-BLOCK:].rstrip()[-half:]
    row[: len(first)] = np.frombuffer(first, np.uint8)
    if last:
        row[length - len(last) :] = np.frombuffer(last, np.uint8)
    return row


_Reader = Callable[[Path, TensorInfo, Mapping[str, int], ImageOptions], tuple[Tensor, str]]


def read(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str, PreparedPicture | None]:
    """Return the tensor, of the input's exact type, what was done to get it, and the picture
    that it was made of. Raises BadInput: does not fit, or no known kind of file. Raises
    UnreadableFile: damaged."""
    reader = _reader(path, info)
    if reader is None and _preparation(info, dimensions, options) is None:
        if not takes_bytes(info):
            raise _no_picture(info, path.name)
        reader = _from_bytes
    if reader is None:
        return from_picture(image_files.read(path), path.name, info, dimensions, options)
    return (*reader(path, info, dimensions, options), None)


def from_picture(
    pixels: Picture,
    name: str,
    info: TensorInfo,
    dimensions: Mapping[str, int],
    options: ImageOptions,
) -> tuple[Tensor, str, PreparedPicture]:
    """Return the tensor of a picture, what was done to get it, and the picture.

    Raises BadInput: it does not fit.
    """
    sized, preparation = _sized(info, dimensions), _preparation(info, dimensions, options)
    if preparation is None:
        raise _no_picture(info, name)
    array, last = prepared(pixels, preparation, sized)
    text = f"{pixels.shape[1]} × {pixels.shape[0]} image; {preprocessing_text(preparation)}"
    return array, text, PreparedPicture(pixels, preparation, last)


def preprocessing_text(preparation: ImagePreprocessing) -> str:
    """Return a preparation in one line: 'stretch to 224 × 224, BGR, 0..255 (why)'."""
    size = f"{preparation.width} × {preparation.height}"
    sized = f"{preparation.resize} to {size}, " if preparation.width else ""
    why = f" ({preparation.why})" if preparation.why else ""
    return f"{sized}{preparation.order.upper()}, {range_text(preparation)}{why}"


def _reader(path: Path, info: TensorInfo) -> _Reader | None:
    """Return what reads a file for an input; None for a picture."""
    suffix = path.suffix.lower()
    if takes_ends(info) and suffix not in _ARRAYS:
        return _from_ends
    if suffix in image_files.SUFFIXES:
        return None
    if suffix in audio.SUFFIXES:
        return _from_audio
    if suffix in _READERS:
        return _READERS[suffix]
    kind = plugin_inputs.kind_of(path)
    if kind is not None:
        return None if kind.is_image else _from_plugin
    if takes_bytes(info):
        return _from_bytes
    if info.dtype == "string" and suffix:
        return _from_txt
    recipe = (
        display_names.suggestion(str(path), ("zeros", "ones", "random")) if not suffix else ""
    )
    why = f"it is not zeros, ones, random[:SEED] or a supported file ({_KINDS})"
    raise BadInput(
        input_shapes.refusal(info, path.name), why, recipe if recipe.startswith("Did") else ""
    )


def _from_numpy(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    archive = path.suffix.lower() == ".npz"
    array = npy_files.read_npz(path, info.name) if archive else npy_files.read_npy(path)
    return input_shapes.checked(array, "", info, dimensions, path.name, options.cast), ""


def read_raw(
    path: Path,
    dtype: str,
    shape: Sequence[int],
    info: TensorInfo,
    dimensions: Mapping[str, int],
) -> Tensor:
    """Return the numbers of a file without a header as the tensor of an input.

    dtype: of the numbers in the file, "" for that of the input. shape: (): as the input has it.
    Raises BadInput, UnreadableFile: see `npy_files.read_raw`; they do not fit.
    """
    known = input_shapes.known_shape(info, dimensions)
    whole = tuple(length for length in known if length is not None)
    expected = shape or (whole if len(whole) == len(known) else ())
    array = npy_files.read_raw(path, dtype or info.dtype, expected)
    if dtype and dtype != info.dtype:
        array = text_values.numbers(array, info, path.name)
    if shape:
        return input_shapes.checked(array, info.dtype, info, dimensions, path.name)
    return input_shapes.reshaped(array, info, dimensions, path.name)


def _from_plugin(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    kind = plugin_inputs.kind_of(path)
    assert kind is not None, "the reader of a file is chosen by its kind"
    array = plugin_inputs.read(kind, path)
    tensor = input_shapes.checked(array, "", info, dimensions, path.name, options.cast)
    return tensor, f"{kind.title or kind.id} {units.shape(array.shape)}"


def _from_protobuf(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    array, dtype = tensor_files.read(path)
    return input_shapes.checked(array, dtype, info, dimensions, path.name, options.cast), ""


def _sized(info: TensorInfo, dimensions: Mapping[str, int]) -> TensorInfo:
    """Return an input with the lengths that are known in its shape."""
    known = input_shapes.known_shape(info, dimensions)
    axes = zip(info.shape or (), known, strict=False)
    return replace(info, shape=tuple(axis if k is None else k for axis, k in axes))


def _preparation(
    info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> ImagePreprocessing | None:
    sized = _sized(info, dimensions)
    known = options.preparation(sized)
    first, *sides = sized.shape or (0,)
    if known is not None or first != 1 or len(sides) != _SIDES or len(set(sides)) > 1:
        return known
    # One square without an axis of channels may be rows of a sequence; whoever gives an image
    # says that it is none.
    return options.preparation(replace(sized, denotation="IMAGE"))


def _no_picture(info: TensorInfo, name: str) -> BadInput:
    return BadInput(
        input_shapes.refusal(info, name),
        f"an image cannot fill this input, whose type and shape are {info.dtype} "
        f"{units.shape(info.shape)}",
        "Use an .npy file of that shape.",
    )


def _from_audio(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    sound = audio.read(path)
    metadata = dict(options.metadata)
    wanted = next(
        (metadata[key] for key in _RATE_KEYS if metadata.get(key, "").isdecimal()), ""
    )
    description = f"{sound.rate:,} Hz, {sound.seconds:.2f} s"
    if sound.channels > 1:
        description += f", mean of {sound.channels} channels"
    if wanted and 0 < int(wanted) <= audio.FASTEST and int(wanted) != sound.rate:
        sound = audio.resample(sound, int(wanted))
        description += f", resampled to {sound.rate:,} Hz"
    row, cut = input_shapes.laid_out(
        _levels(sound, info, path), info, dimensions, path.name, sound=True
    )
    return row, f"{description}; samples: {cut}"


def _levels(heard: audio.Audio, info: TensorInfo, path: Path) -> Tensor:
    if is_float(info.dtype):
        return heard.samples.astype(numpy_type(info.dtype))
    if info.dtype == "int16":
        return np.clip(np.rint(heard.samples * 32768), -32768, 32767).astype(np.int16)
    why = f"the input expects {info.dtype}, but audio is float or int16"
    raise BadInput(input_shapes.refusal(info, path.name), why)


def _from_txt(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    if info.dtype != "string":
        return _from_bytes(path, info, dimensions, options)
    content = text_values.read_text(path)
    single = all(length == 1 for length in input_shapes.known_shape(info, dimensions))
    lines = [content] if single else content.splitlines() or [""]
    array = np.array(lines, object)
    description = "the whole text" if single else units.plural(len(lines), "line")
    return input_shapes.reshaped(array, info, dimensions, path.name), description


def _from_bytes(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    content = np.frombuffer(files.read_capped(path, LIMIT_BYTES), np.uint8)
    if not is_integer(info.dtype) or info.dtype in ("int8", "int4", "uint4", "int2", "uint2"):
        why = f"the bytes of a text cannot be stored as {info.dtype}"
        raise BadInput(input_shapes.refusal(info, path.name), why)
    row, cut = input_shapes.laid_out(content.astype(info.dtype), info, dimensions, path.name)
    return row, f"bytes of the file: {cut}"


def _from_ends(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    length = takes_ends(info)
    row = ends(files.read_capped(path, LIMIT_BYTES), length).astype(info.dtype)
    shape = (1,) * (len(info.shape or ()) - 1) + (length,)
    half = f"{length // 2:,}"
    description = f"the first {half} and last {half} bytes, without surrounding whitespace"
    return row.reshape(shape), f"{description}; padded with {NOTHING}"


def _from_csv(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    table, description = text_values.read_csv(path, info)
    return input_shapes.reshaped(table, info, dimensions, path.name), description


def _from_json(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    array = text_values.read_json(path, info)
    return input_shapes.reshaped(array, info, dimensions, path.name), ""


_READERS: dict[str, _Reader] = {
    ".npy": _from_numpy,
    ".npz": _from_numpy,
    ".pb": _from_protobuf,
    ".txt": _from_txt,
    ".csv": _from_csv,
    ".json": _from_json,
}


def takes_bytes(info: TensorInfo) -> bool:
    """Return whether an input takes the bytes of any file."""
    return info.dtype == "uint8" and len(info.shape or ()) in (1, 2)


def inputs_in(path: Path, inputs: Sequence[TensorInfo]) -> tuple[str, ...]:
    """Return the names of the inputs that a .csv, .npz or .json file holds; empty for other
    files. Raises UnreadableFile: damaged."""
    suffix = path.suffix.lower()
    held: frozenset[str] = frozenset()
    if suffix == ".npz":
        held = frozenset(npy_files.names_of(path))
    elif suffix == ".csv":
        held = frozenset(text_values.columns(path))
    elif suffix == ".json":
        held = frozenset(_members(path))
    return tuple(info.name for info in inputs if info.name in held)


def _members(path: Path) -> tuple[str, ...]:
    try:
        value = json.loads(text_values.read_text(path))
    except (ValueError, RecursionError):
        return ()  # whoever reads a value of it says what is wrong
    return tuple(value) if isinstance(value, dict) else ()
