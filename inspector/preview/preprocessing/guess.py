"""Guess image preprocessing of an input from metadata, denotation, type and shape."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from inspector.model.model import Axis, Model, TensorInfo
from inspector.preview import producers
from inspector.preview.families import image_families
from inspector.preview.families.output_structure import (
    PROBABILITIES,
    UNKNOWN,
    ModelStructure,
    of_model,
)
from inspector.preview.preprocessing.recipe import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    SCALES,
    ImagePreprocessing,
)
from inspector.wording.values import Name, Sentence

FROM_METADATA = "from the model's metadata"  # begins `why` of what the model's file declares
_TYPES = frozenset(
    ("float16", "float32", "float64", "bfloat16", "uint8", "int8", "uint16", "int16", "int32")
)
_NON_IMAGE_TERMS = frozenset(
    ("past", "cache", "state", "hidden", "mask", "latent", "sample", "noise", "seq", "sequence",
     "length", "time", "frames", "token", "tokens", "heads", "key", "value", "audio", "mel",
     "attention")
)  # fmt: skip
_CLASSIFIER_SIZES = frozenset((224, 240, 244, 256, 288, 299, 331, 384, 448))
_KNOWN_SIZES = frozenset(
    ((352, 352, "nchw"), (32, 32, "nchw"), (320, 240, "nchw"), (640, 480, "nchw"))
)
_CIFAR_SIDE = 32
_CIFAR_CLASSES = ([10], [100])
_SHORTEST = 8
_MOST_OBLONG = 16
_SHORTEST_OBLONG = 16  # pixels: smaller gray images are square, spectra of sounds are not
# Spectrograms of one second, as keyword spotters take them: bins, and frames every 10, 16 or 20
# milliseconds.
_MEL_BINS = frozenset((40, 64, 80, 128))
_SECOND_FRAMES = frozenset((49, 50, 51, 61, 62, 63, 98, 99, 100, 101))
_RANGES = {  # names of the metadata that ONNX documents for pictures, and Windows ML reads
    "NominalRange_0_255": "255",
    "Normalized_0_1": "1",
    "Normalized_1_1": "-1..1",
    "NominalRange_16_235": "16..235",
}
_FORMATS = {"Gray8": "gray", "Rgb8": "rgb", "Bgr8": "bgr", "Rgba8": "rgba", "Bgra8": "bgra"}


def guess(
    info: TensorInfo,
    metadata: Sequence[tuple[str, str]] = (),
    producer: str = "",
    outputs: Sequence[TensorInfo] = (),
    structure: ModelStructure = UNKNOWN,
) -> ImagePreprocessing | None:
    """Start values for the preparation of an input; None when it does not look like a picture.

    metadata, producer, outputs: as the model's file tells them; structure: of its graph, where
    that is known. `why` of the answer says in words what the guess rests on. A free width or
    height becomes that of the model's family, else 0: the picture's own.
    """
    entries = dict(metadata)
    layout = _image_layout(info)
    if layout is None:
        return None
    start = _start(info, layout, entries)
    if structure is UNKNOWN:
        structure = ModelStructure(metadata=entries, producer=producer.lower())
    from_metadata = _from_metadata(start, entries) or _from_normalization(start, info)
    if from_metadata is None:
        told = outputs or entries or producer  # without any of these there is no family
        family = image_families.family_of(outputs, start, structure) if told else None
        codes = structure.codes.get(info.name)
        from_family = None if family is None else family.applied(start, info.dtype, codes)
        to_image = any(_same_image_size(start, output, structure) for output in outputs)
        telling = _is_telling_size(start, outputs)
        from_metadata = (
            from_family
            or image_families.of_imagenet(start, info.dtype, codes)
            or _from_type(start, info.dtype, producer, to_image, telling)
        )
    fixed = from_metadata.width and from_metadata.height and from_metadata.resize == "stretch"
    if not fixed or not any(_same_image_size(start, each, structure) for each in outputs):
        return from_metadata
    why = f"{from_metadata.why}; cropped, because stretching would distort the output image"
    return replace(from_metadata, resize="crop", why=why)


def declared_range(
    info: TensorInfo, metadata: Sequence[tuple[str, str]]
) -> tuple[float, float] | None:
    """Return the least and greatest value of an image as the model's file declares it."""
    layout, entries = _image_layout(info), dict(metadata)
    if layout is None:
        return None
    start = _start(info, layout, entries)
    found = _from_metadata(start, entries) or _from_normalization(start, info)
    table = found.table() if found is not None else None
    return None if table is None else (float(table.min()), float(table.max()))


def _image_layout(info: TensorInfo) -> str | None:
    """Return the layout of an input that may be a picture; None of others."""
    fits = info.kind == "tensor" and info.dtype in _TYPES
    return _layout(info, _is_declared(info)) if fits else None


def guess_of(info: TensorInfo, model: Model) -> ImagePreprocessing | None:
    """Return the guess for an input of a model; see `guess`."""
    return guess(info, model.metadata, model.producer, model.outputs, of_model(model))


def family_of(
    info: TensorInfo, outputs: Sequence[TensorInfo], structure: ModelStructure
) -> image_families.ImageFamily | None:
    """Return the family of image models that an input and the outputs show, or None."""
    layout = _layout(info, _is_declared(info))
    if layout is None:
        return None
    start = _start(info, layout, structure.metadata)
    return image_families.family_of(outputs, start, structure)


def _is_declared(info: TensorInfo) -> bool:
    """Return whether the file says that an input is a picture, or a name that Hugging Face
    exports use."""
    pixels = info.name == "pixel_values" and len(info.shape or ()) == 4
    content = dict(info.metadata).get("content") == "image"  # of TensorFlow Lite
    return info.denotation.upper() == "IMAGE" or content or pixels


def _start(info: TensorInfo, layout: str, metadata: Mapping[str, str]) -> ImagePreprocessing:
    """Return what the input alone says: size, channels and layout."""
    height, width, channels = _sizes(info.shape or (), layout)
    order = {1: "gray", 4: "rgba"}.get(channels if isinstance(channels, int) else 3, "rgb")
    named = _FORMATS.get(metadata.get("Image.BitmapPixelFormat", ""), order)
    fits = not isinstance(channels, int) or len(named.replace("gray", "y")) == channels
    return ImagePreprocessing(
        width if isinstance(width, int) else 0,
        height if isinstance(height, int) else 0,
        order=named if fits else order,
        layout=layout,
    )


def _same_image_size(
    given: ImagePreprocessing, output: TensorInfo, structure: ModelStructure
) -> bool:
    """Return whether an output is a picture of the input's channels, as large or enlarged.

    Its layout may be another: converters change that of inputs alone.
    """
    layout = _layout(output, False)
    if layout is None or output.kind != "tensor" or output.dtype not in _TYPES:
        return False
    if not given.width or structure.scores.get(output.name) == PROBABILITIES:
        return False  # shares of as many classes as the input has channels
    height, width, channels = _sizes(output.shape or (), layout)
    if channels != given.channels or not isinstance(width, int) or not isinstance(height, int):
        return False
    scale = width // given.width
    return scale > 0 and (width, height) == (scale * given.width, scale * given.height)


def _layout(info: TensorInfo, sure: bool) -> str | None:
    shape = info.shape or ()
    if len(shape) not in (3, 4):
        return None
    if not sure and _non_image_terms(
        info.name, *(axis for axis in shape if isinstance(axis, str))
    ):
        return None
    for layout in ("nchw", "nhwc"):
        height, width, channels = _sizes(shape, layout)
        if _is_image_shape(height, width, channels, len(shape), sure):
            return layout
    return None


def _non_image_terms(*names: str) -> frozenset[str]:
    """Return the words in the names that suggest something other than an image."""
    text = "".join(c if c.isalpha() else " " for name in names for c in f"{name} ".lower())
    return _NON_IMAGE_TERMS & frozenset(text.split())


def _sizes(shape: Sequence[Axis], layout: str) -> tuple[Axis, Axis, Axis]:
    """Height, width and channels of a shape of rank 3 or 4."""
    first, second, third = shape[-3:]
    return (second, third, first) if layout == "nchw" else (first, second, third)


def _is_image_shape(height: Axis, width: Axis, channels: Axis, rank: int, sure: bool) -> bool:
    lengths = [length for length in (height, width) if isinstance(length, int)]
    if channels not in (1, 3, 4) and not (sure and not isinstance(channels, int)):
        return False
    if any(length < _SHORTEST for length in lengths):
        return False
    if sure:
        return True
    # A batch of points or of sequences has rank 3 as well, and free axes.
    if rank == 3 and (len(lengths) < 2 or channels == 1):
        return False
    oblong = len(lengths) == 2 and lengths[0] != lengths[1]
    if channels == 1 and oblong and min(lengths) < _SHORTEST_OBLONG:
        return False
    if channels == 1 and oblong and _MEL_BINS & {*lengths} and _SECOND_FRAMES & {*lengths}:
        return False
    return len(lengths) < 2 or max(lengths) <= _MOST_OBLONG * min(lengths)


def _from_metadata(
    start: ImagePreprocessing, metadata: Mapping[str, str]
) -> ImagePreprocessing | None:
    keys = [key for key in metadata if key.startswith("Image.")]
    if keys:
        source = ", ".join(f"{key} = {metadata[key]}" for key in keys)
        gamma = "linear" if metadata.get("Image.ColorSpaceGamma") == "Linear" else "srgb"
        scale = _RANGES.get(metadata.get("Image.NominalPixelRange", ""), "255")
        return replace(start, scale=scale, gamma=gamma, why=_declared(source))
    return None


def _from_normalization(
    start: ImagePreprocessing, info: TensorInfo
) -> ImagePreprocessing | None:
    """Return what TensorFlow Lite's metadata say of an input that takes real numbers.

    They normalize 0..255; an input of integers takes these values as its type says.
    """
    entries = dict(info.metadata)
    mean, std = (_numbers(entries.get(f"normalization_{name}", "")) for name in ("mean", "std"))
    fits = all(len(values) in (1, start.channels) for values in (mean, std))
    if not info.dtype.startswith("float") or not fits or 0 in std:
        return None
    source = f"mean {entries['normalization_mean']}, std {entries['normalization_std']}"
    return replace(start, scale="255", mean=mean, std=std, why=_declared(source))


def _numbers(text: str) -> tuple[float, ...]:
    """Return the finite numbers of a list; none where one is no number."""
    try:
        values = tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        return ()
    return values if all(map(isfinite, values)) else ()


def _is_telling_size(start: ImagePreprocessing, outputs: Sequence[TensorInfo]) -> bool:
    """Return whether the size of an image says which models take it.

    With known outputs a detector is known by them, and only CIFAR's classes fit its size.
    """
    if start.channels != 3 or (start.width, start.height, start.layout) not in _KNOWN_SIZES:
        return False
    last = ([axis for axis in each.shape or () if axis != 1][-1:] for each in outputs)
    cifar = start.width == _CIFAR_SIDE and any(axes in _CIFAR_CLASSES for axes in last)
    return cifar or not outputs


def _from_type(
    start: ImagePreprocessing, dtype: str, producer: str, to_image: bool, telling: bool
) -> ImagePreprocessing:
    """Return a guess by type and size. to_image: an output is an image of the input's kind, so
    that sizes of classifiers say nothing. telling: the size is one that few models have."""
    if dtype == "int8":
        return replace(start, scale="-128..127", why="int8 holds 8-bit values minus 128")
    if not dtype.startswith(("float", "bfloat")):
        return replace(start, why=Sentence("{dtype} takes 8-bit values", dtype))
    if start.channels == 1:
        return replace(start, scale="1", why="one channel: luma, 0..1 is the most common")
    if "caffe" in producer.lower():
        told = "{origin}, whose models take BGR 0..255"
        caffe = Sentence(told, origin=producers.statement(producer))
        return replace(start, order="bgr", scale="255", why=caffe)
    if to_image:
        why = "images in and out: the range is unknown; 0..1 is the most common"
        return replace(start, scale="1", why=why)
    if telling:
        return _known_size(start)
    square = start.width == start.height and start.width in _CLASSIFIER_SIZES
    if start.layout == "nchw" and square and start.channels == 3:
        size = f"{start.width} × {start.height}"
        why = Sentence("{size} NCHW: the input of classifiers trained on ImageNet", size)
        return replace(start, scale="1", mean=IMAGENET_MEAN, std=IMAGENET_STD, why=why)
    return replace(start, scale="1", why="the range is unknown; 0..1 is the most common")


def _known_size(start: ImagePreprocessing) -> ImagePreprocessing:
    """Return what models of a telling size take, from their authors' own programs."""
    size = f"{start.width} × {start.height}"
    if start.width == 352:
        why = Sentence("{size}: FastestDet models expect BGR 0..1, area interpolation", size)
        return replace(start, order="bgr", scale="1", filter="area", why=why)
    if start.width == _CIFAR_SIDE:
        why = Sentence("{size}: the size of CIFAR, mostly -1..1", size)
        return replace(start, scale="-1..1", why=why)
    why = Sentence("{size}: light face detectors expect RGB, (value - 127) / 128", size)
    return replace(start, scale="255", mean=(127.0,), std=(128.0,), why=why)


def _declared(source: str) -> Sentence:
    return Sentence("{metadata}: {source}", FROM_METADATA, Name(source))


def range_text(preparation: ImagePreprocessing) -> str:
    """Return the range of the tensor's values in words: '-2.12..2.64'."""
    table = preparation.table()
    if not preparation.mean and not preparation.std:
        low, high = SCALES[preparation.scale]
        return f"{low:g}..{high:g}"
    return f"{table.min():.3g}..{table.max():.3g}"
