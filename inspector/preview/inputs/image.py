"""A picture as a model's input: prepared exactly as its preparation says."""

from dataclasses import replace
from math import prod

import numpy as np
from msgspec import Struct

from inspector import units
from inspector.errors import BadInput
from inspector.model.model import Axis, Model, TensorInfo
from inspector.model.tensors import element_types
from inspector.model.tensors.element_types import Tensor
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure, of_model
from inspector.preview.inputs.image_files import Picture, resize, to_colors
from inspector.preview.preprocessing.guess import guess
from inspector.preview.preprocessing.recipe import ImagePreprocessing, channel_order

__all__ = [
    "AS_GUESSED",
    "ImageOptions",
    "ImagePreprocessing",
    "PreparedPicture",
    "guess",
    "part",
    "prepare",
]

_FEWEST_LEVELS = 32  # integers of one channel; 0..1 and -2..2 as whole numbers have fewer


class ImageOptions(Struct, frozen=True):
    """Facts for preprocessing besides the input itself.

    metadata, producer, outputs, structure: the model's, from which the guess starts.
    The others, where given, win over the guess; see ImagePreprocessing.
    cast: arrays of another type of real numbers may stay so, for the engine to cast them.
    saved: preparations of inputs that somebody wrote down; they stand in the guess's place.
    """

    metadata: tuple[tuple[str, str], ...] = ()
    producer: str = ""
    order: str | None = None
    scale: str | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    resize: str | None = None
    filter: str | None = None
    cast: bool = False
    saved: tuple[tuple[str, ImagePreprocessing], ...] = ()
    outputs: tuple[TensorInfo, ...] = ()
    structure: ModelStructure = UNKNOWN

    @classmethod
    def of(cls, model: Model, cast: bool = False) -> "ImageOptions":
        """Return all that a model says of its pictures, and no choice."""
        return cls(
            model.metadata,
            model.producer,
            cast=cast,
            outputs=model.outputs,
            structure=of_model(model),
        )

    @property
    def fixed(self) -> bool:
        """Return whether somebody chose a part of the preprocessing, or saved it."""
        settings = (self.order, self.scale, self.mean, self.std, self.resize, self.filter)
        return bool(self.saved) or any(part is not None for part in settings)

    def preparation(self, info: TensorInfo) -> ImagePreprocessing | None:
        """Return the guess with these choices; None when the input does not look like a
        picture. A choice of order, scale, mean or std drops the guessed mean and std, which
        only make sense together with the rest. Raises BadInput: see ImagePreprocessing."""
        guessed = dict(self.saved).get(info.name)
        evidence = (self.metadata, self.producer, self.outputs, self.structure)
        guessed = guessed or guess(info, *evidence)
        if guessed is None:
            return None
        numbers = (self.scale, self.mean, self.std)
        chosen = any(part is not None for part in numbers) or self.order not in (
            None,
            guessed.order,
        )
        mean, std = ((), ()) if chosen else (guessed.mean, guessed.std)
        return replace(
            guessed,
            order=self.order or guessed.order,
            scale=self.scale or guessed.scale,
            mean=mean if self.mean is None else self.mean,
            std=std if self.std is None else self.std,
            resize=self.resize or guessed.resize,
            filter=self.filter or guessed.filter,
            why="as specified" if chosen else guessed.why,
        )


AS_GUESSED = ImageOptions()


class PreparedPicture(Struct, frozen=True, eq=False):
    """A picture as it was read, how it was prepared, and what the model gets of it."""

    pixels: Picture
    preparation: ImagePreprocessing
    last: Picture

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of what the model gets."""
        height, width = self.last.shape[:2]
        return width, height

    @property
    def place(self) -> "Placement":
        """Return where what the model gets lies in the picture."""
        return placement(self.preparation, self.pixels.shape[1], self.pixels.shape[0])


def prepare(picture: Picture, preparation: ImagePreprocessing, info: TensorInfo) -> Tensor:
    """Make the tensor of an input from a picture, of the input's type and shape.

    A fixed batch is filled with copies of the picture. 8-bit values reach every type without
    loss; the arithmetic is done once for each of the 256 values, in float64.
    Raises BadInput: size or channels are not the input's, the type cannot hold the values,
    too large.
    """
    return prepared(picture, preparation, info)[0]


def prepared(
    picture: Picture, preparation: ImagePreprocessing, info: TensorInfo
) -> tuple[Tensor, Picture]:
    """Return the tensor, and the picture that it is made of; resized only once. Raises as
    `prepare`."""
    shape = _tensor_shape(picture, preparation, info)
    element_types.check_size(info.name, shape, info.dtype)
    table = _table(preparation, info)
    sized = _resized(to_colors(picture, preparation.channels), preparation)
    pixels = _ordered(sized, preparation)
    planes = [np.ascontiguousarray(pixels[:, :, c]) for c in range(preparation.channels)]
    channels = [table[:, c].take(plane) for c, plane in enumerate(planes)]
    one = np.stack(channels, axis=0 if preparation.layout == "nchw" else 2)
    whole = np.broadcast_to(one, shape) if prod(shape[:-3]) > 1 else one.reshape(shape)
    return np.ascontiguousarray(whole), sized


def part(picture: Picture, preparation: ImagePreprocessing) -> Picture:
    """Return what the model gets of a picture in its own colors: all of it unless it is
    cropped or padded, and then at the model's size."""
    if preparation.resize == "stretch":
        return picture
    return _resized(to_colors(picture, 3), preparation)


def _resized(picture: Picture, preparation: ImagePreprocessing) -> Picture:
    width, height = preparation.size_of(picture.shape[1], picture.shape[0])
    mode, resampling = preparation.resize, preparation.filter
    fill, position = preparation.fill, preparation.position
    return resize(picture, width, height, mode, resampling, fill, position)


def _ordered(picture: Picture, preparation: ImagePreprocessing) -> Picture:
    return picture[:, :, channel_order(preparation.order)]


def check_fit(preparation: ImagePreprocessing, info: TensorInfo) -> None:
    """Check that images prepared in this way fit an input, whatever their own size.

    Raises BadInput: channels, size or layout are not the input's, or its type cannot hold the
    values.
    """
    sizes = _sides(preparation, info)
    _shape_of(preparation, info, *sizes)
    _table(preparation, info)


def _sides(preparation: ImagePreprocessing, info: TensorInfo) -> tuple[int, int]:
    """Return height and width; an image that keeps its own size may have the input's."""
    shape = info.shape or ()
    places = (-2, -1) if preparation.layout == "nchw" else (-3, -2)
    given = (preparation.height, preparation.width)
    declared = (shape[place] if len(shape) > 2 else 1 for place in places)
    return tuple(  # type: ignore[return-value]  # two sides
        side or (axis if isinstance(axis, int) else 1)
        for side, axis in zip(given, declared, strict=True)
    )


def _tensor_shape(
    picture: Picture, preparation: ImagePreprocessing, info: TensorInfo
) -> tuple[int, ...]:
    width, height = preparation.size_of(picture.shape[1], picture.shape[0])
    return _shape_of(preparation, info, height, width)


def _shape_of(
    preparation: ImagePreprocessing, info: TensorInfo, height: int, width: int
) -> tuple[int, ...]:
    channels = preparation.channels
    image_shape = (
        (channels, height, width) if preparation.layout == "nchw" else (height, width, channels)
    )
    wanted: tuple[Axis, ...] = info.shape if info.shape is not None else (1, *image_shape)
    first = tuple(axis if isinstance(axis, int) else 1 for axis in wanted[:-3])
    shape = (*first, *image_shape)
    fits = len(wanted) in (3, 4) and all(
        axis == length
        for axis, length in zip(wanted, shape, strict=True)
        if isinstance(axis, int)
    )
    if not fits:
        raise BadInput(
            f"Could not create input '{units.clip(info.name, 80)}' from the image",
            f"the preprocessing returns {units.shape(shape)}, but the input expects "
            f"{units.shape(wanted)}",
            "Change the channels (Gray for one channel), the width, the height or the layout.",
        )
    return shape


def _table(preparation: ImagePreprocessing, info: TensorInfo) -> Tensor:
    exact = preparation.table()
    kind = element_types.numpy_type(info.dtype)
    if element_types.is_float(info.dtype):
        return exact.astype(kind)
    if not element_types.is_integer(info.dtype):
        why = f"its type is {info.dtype}"
        raise BadInput(
            f"Could not create input '{units.clip(info.name, 80)}' from an image", why
        )
    rounded = np.rint(exact)
    whole = rounded.astype(kind)
    if len(np.unique(rounded)) < _FEWEST_LEVELS or (whole.astype(np.float64) != rounded).any():
        raise BadInput(
            f"Could not create input '{units.clip(info.name, 80)}' from the image",
            f"{info.dtype} is too coarse to represent {exact.min():.4g}..{exact.max():.4g}",
            "Choose the range 0..255 without mean and std"
            + (", or -128..127." if info.dtype == "int8" else "."),
        )
    return whole


class Placement(Struct, frozen=True):
    """Edges of the model's picture, in 0..1 of the original; beyond it where it was padded."""

    left: float
    top: float
    right: float
    bottom: float

    def x(self, share: float) -> float:
        """Return where a place in 0..1 across the model's picture lies in the original."""
        return self.left + share * (self.right - self.left)

    def y(self, share: float) -> float:
        """Return where a place in 0..1 down the model's picture lies in the original."""
        return self.top + share * (self.bottom - self.top)


WHOLE = Placement(0.0, 0.0, 1.0, 1.0)


def placement(preparation: ImagePreprocessing, width: int, height: int) -> Placement:
    """Return where the model's picture lies in an original of `width` by `height` pixels."""
    across, down = preparation.size_of(width, height)
    if preparation.resize == "stretch":
        return WHOLE
    scales = across / width, down / height
    scale = min(scales) if preparation.resize == "fit" else max(scales)
    wide, high = across / (width * scale), down / (height * scale)
    if preparation.resize == "fit" and preparation.position == "top-left":
        return Placement(0.0, 0.0, wide, high)
    return Placement((1 - wide) / 2, (1 - high) / 2, (1 + wide) / 2, (1 + high) / 2)
