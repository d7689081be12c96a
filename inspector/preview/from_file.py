"""A file of any kind that Inspector knows as the tensor of an input, and words about it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from inspector import files, units
from inspector.errors import BadInput
from inspector.model import TensorInfo
from inspector.preview import (
    arrays,
    names,
    octets,
    picture,
    protobuf_tensor,
    shapes,
    sound,
    text,
)
from inspector.preview.elements import (
    LIMIT_BYTES,
    Tensor,
    is_float,
    is_integer,
    numpy_type,
)
from inspector.preview.guess import range_words
from inspector.preview.image import ImageOptions, ImagePreparation, prepare

_ARRAYS = (".npy", ".npz", ".pb")
_KINDS = (
    ".npy, .npz, .pb, pictures (.png, .jpg, .bmp, ...), sounds (.wav, .flac, .mp3, ...), "
    ".txt, .csv and .json"
)
_RATE_KEYS = ("sample_rate", "sampling_rate", "samplerate")

_Reader = Callable[[Path, TensorInfo, Mapping[str, int], ImageOptions], tuple[Tensor, str]]


def read(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    """The tensor, of the input's exact type, and what was done to get it.

    Raises BadInput: does not fit, or no known kind of file. Raises UnreadableFile: damaged.
    """
    return _reader(path, info)(path, info, dimensions, options)


def words_of(preparation: ImagePreparation) -> str:
    """A preparation in one line: 'stretch to 224 × 224, BGR, 0..255 (why)'."""
    size = f"{preparation.width} × {preparation.height}"
    sized = f"{preparation.resize} to {size}, " if preparation.width else ""
    why = f" ({preparation.why})" if preparation.why else ""
    return f"{sized}{preparation.order.upper()}, {range_words(preparation)}{why}"


def _reader(path: Path, info: TensorInfo) -> _Reader:
    suffix = path.suffix.lower()
    if octets.takes_ends(info) and suffix not in _ARRAYS:
        return _from_ends
    if suffix in picture.SUFFIXES:
        return _from_picture
    if suffix in sound.SUFFIXES:
        return _from_sound
    if suffix in _READERS:
        return _READERS[suffix]
    if _takes_bytes(info):
        return _from_bytes
    if info.dtype == "string" and suffix:
        return _from_txt
    recipe = names.suggestion(str(path), ("zeros", "ones", "random")) if not suffix else ""
    why = f"it is neither zeros, ones, random[:SEED] nor a file of a known kind ({_KINDS})"
    raise BadInput(
        shapes.refusal(info, path.name), why, recipe if recipe.startswith("Did") else ""
    )


def _from_numpy(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    archive = path.suffix.lower() == ".npz"
    array = arrays.read_npz(path, info.name) if archive else arrays.read_npy(path)
    return shapes.checked(array, "", info, dimensions, path.name, options.cast), ""


def _from_protobuf(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    array, dtype = protobuf_tensor.read(path)
    return shapes.checked(array, dtype, info, dimensions, path.name, options.cast), ""


def _from_picture(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    known = shapes.known_shape(info, dimensions)
    axes = zip(info.shape or (), known, strict=True)
    sized = replace(info, shape=tuple(axis if k is None else k for axis, k in axes))
    preparation = options.preparation(sized)
    if preparation is None and _takes_bytes(info):
        return _from_bytes(path, info, dimensions, options)
    if preparation is None:
        raise BadInput(
            shapes.refusal(info, path.name),
            f"the input, {info.dtype} {units.shape(info.shape)}, does not look like a picture",
            "Give an .npy file of that shape.",
        )
    pixels = picture.read(path)
    size = f"{pixels.shape[1]} × {pixels.shape[0]}"
    return prepare(pixels, preparation, sized), f"picture of {size}; {words_of(preparation)}"


def _from_sound(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    heard = sound.read(path)
    told = dict(options.metadata)
    wanted = next((told[key] for key in _RATE_KEYS if told.get(key, "").isdecimal()), "")
    words = f"{heard.rate:,} Hz, {heard.seconds:.2f} s"
    if heard.channels > 1:
        words += f", mean of {heard.channels} channels"
    if wanted and 0 < int(wanted) <= sound.FASTEST and int(wanted) != heard.rate:
        heard = sound.resample(heard, int(wanted))
        words += f", resampled to {heard.rate:,} Hz"
    row, cut = shapes.laid_out(_levels(heard, info, path), info, dimensions, path.name)
    return row, f"{words}; samples: {cut}"


def _levels(heard: sound.Sound, info: TensorInfo, path: Path) -> Tensor:
    if is_float(info.dtype):
        return heard.samples.astype(numpy_type(info.dtype))
    if info.dtype == "int16":
        return np.clip(np.rint(heard.samples * 32768), -32768, 32767).astype(np.int16)
    why = f"the input takes {info.dtype}, sound is float or int16"
    raise BadInput(shapes.refusal(info, path.name), why)


def _from_txt(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    if info.dtype != "string":
        return _from_bytes(path, info, dimensions, options)
    content = text.read_text(path)
    single = all(length == 1 for length in shapes.known_shape(info, dimensions))
    lines = [content] if single else content.splitlines() or [""]
    array = np.array(lines, object)
    words = "the whole text" if single else units.plural(len(lines), "line")
    return shapes.reshaped(array, info, dimensions, path.name), words


def _from_bytes(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    content = np.frombuffer(files.read_capped(path, LIMIT_BYTES), np.uint8)
    if not is_integer(info.dtype) or info.dtype in ("int8", "int4", "uint4", "int2", "uint2"):
        why = f"the bytes of a text do not fit into {info.dtype}"
        raise BadInput(shapes.refusal(info, path.name), why)
    row, cut = shapes.laid_out(content.astype(info.dtype), info, dimensions, path.name)
    return row, f"bytes of the file: {cut}"


def _from_ends(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    length = octets.takes_ends(info)
    row = octets.ends(files.read_capped(path, LIMIT_BYTES), length).astype(info.dtype)
    shape = (1,) * (len(info.shape or ()) - 1) + (length,)
    half = f"{length // 2:,}"
    words = f"the first {half} and the last {half} bytes without white space around them"
    return row.reshape(shape), f"{words}; {octets.NOTHING} where there is none"


def _from_csv(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    table, words = text.read_csv(path, info)
    return shapes.reshaped(table, info, dimensions, path.name), words


def _from_json(
    path: Path, info: TensorInfo, dimensions: Mapping[str, int], options: ImageOptions
) -> tuple[Tensor, str]:
    array = text.read_json(path, info)
    return shapes.reshaped(array, info, dimensions, path.name), ""


_READERS: dict[str, _Reader] = {
    ".npy": _from_numpy,
    ".npz": _from_numpy,
    ".pb": _from_protobuf,
    ".txt": _from_txt,
    ".csv": _from_csv,
    ".json": _from_json,
}


def _takes_bytes(info: TensorInfo) -> bool:
    return info.dtype == "uint8" and len(info.shape or ()) in (1, 2)
