"""The true answer to an input: a class, boxes, a mask, numbers or words."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, structs
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image import WHOLE, ImageOptions, Placement, placement
from inspector.preview.runs.segments import Pixels, Segment, pixels_of

IGNORED = 255  # the class of pixels in VOC's and Cityscapes' masks that do not count
_NOT_USED = "Could not use the true answer"
_MOST_APART = 1  # pixels between the widths of a mask and its image: rounded sizes
OUTSIDE = -1  # the class of pixels that the true mask does not cover


class Truth(Struct, frozen=True, eq=False):
    """What a model should answer to an input; None: not said.

    boxes: edges in pixels of the picture file until `placed` makes them shares of the model's
    picture. crowds: boxes around many objects, which need not be found. mask: class numbers by
    pixel; place: where the model's picture lies in it. values: numbers of the first output.
    text: words. segments: of the boxes and crowds in a picture of so many rows and columns,
    `size`; None where the file has none. background: the class of pixels outside of them.
    """

    label: str = ""
    boxes: tuple[Box, ...] | None = None
    crowds: tuple[Box, ...] = ()
    mask: NDArray[np.int64] | None = None
    values: NDArray[Any] | None = None
    text: str | None = None
    place: Placement = WHOLE
    segments: tuple[Segment, ...] | None = None
    size: tuple[int, int] = (0, 0)
    background: int = 0

    @property
    def painted(self) -> "Truth":
        """Return it with the mask that its segments make; as it is without any. Pixels of
        crowds, and of objects of several classes, do not count. Raises UnreadableFile."""
        if self.mask is not None or self.segments is None:
            return self
        mask = np.full(self.size, self.background, np.int64)
        covered = np.zeros(self.size, np.bool_)
        for each in self.segments:
            pixels = pixels_of(each, *self.size)
            other = each.crowd | (covered & (mask != each.number))
            mask[pixels] = np.where(other, IGNORED, each.number)[pixels]
            covered |= pixels
        return replace(self, mask=mask)

    def shapes(self, crowds: bool, height: int, width: int) -> list[Pixels]:
        """Return the pixels of each box, or of each crowd, in a model's picture of so many rows
        and columns. Raises UnreadableFile."""
        segments = (each for each in self.segments or () if each.crowd == crowds)
        return [
            _sampled(pixels_of(each, *self.size), (height, width), self.place) == 1
            for each in segments
        ]

    @property
    def numbers(self) -> NDArray[Any] | None:
        """Return the values, or the label where it is a number; None without either."""
        if self.values is not None:
            return self.values
        try:
            return np.array([float(self.label)])
        except ValueError:
            return None

    def mask_of(self, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Return the mask with so many rows and columns, by the nearest pixel; OUTSIDE where
        the model's picture was padded."""
        assert self.mask is not None, "asked only where there is one"
        return _sampled(self.mask, shape, self.place)


def _sampled(mask: NDArray[Any], shape: tuple[int, ...], place: Placement) -> NDArray[np.int64]:
    edges = (place.top, place.bottom), (place.left, place.right)
    places = [
        np.floor(old * (low + (high - low) * (np.arange(new) + 0.5) / new)).astype(int)
        for new, old, (low, high) in zip(shape, mask.shape, edges, strict=True)
    ]
    inside = [(each >= 0) & (each < old) for each, old in zip(places, mask.shape, strict=True)]
    rows, columns = (
        each.clip(0, old - 1) for each, old in zip(places, mask.shape, strict=True)
    )
    return np.where(np.logical_and.outer(*inside), mask[rows][:, columns], OUTSIDE)


def _expect_shape(width: int, height: int, rows: int, columns: int) -> None:
    """Raise BadInput if a mask does not cover a picture of so many rows and columns, but for
    its resolution."""
    if abs(height * columns / rows - width) > _MOST_APART:
        why = f"the mask is {width} × {height}, the image {columns} × {rows}"
        raise BadInput(_NOT_USED, why, "Save the mask as large as its image.")


def expect_numbers(truth: Truth, outputs: Sequence[OutputValue]) -> None:
    """Raise BadInput if true numbers cannot be compared with those of the first output."""
    values = truth.values
    array = next((each.array for each in outputs if each.array is not None), None)
    if values is None or array is None or array.dtype.kind not in "fiub":
        return
    if values.size != array.size:
        why = f"it has {values.size:,} numbers, the output {array.size:,}"
        raise BadInput(_NOT_USED, why)
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise BadInput(_NOT_USED, "it has values that are NaN or infinite")


Truths = Mapping[Path, Callable[[], Truth]]


def placed(
    load: Callable[[], Truth], picture: Path, info: TensorInfo, options: ImageOptions
) -> Truth:
    """Return a truth whose boxes are shares of the model's picture, as it is prepared."""
    truth, preparation = load(), options.preparation(info)
    if preparation is None or (truth.boxes is None and truth.mask is None):
        return truth
    if truth.mask is not None:
        height, width = truth.mask.shape
        if image_files.is_image(picture):
            _expect_shape(width, height, *image_files.read(picture).shape[:2])
        return replace(truth, place=placement(preparation, width, height))
    height, width = image_files.read(picture).shape[:2]
    place = placement(preparation, width, height)
    across, down = place.right - place.left, place.bottom - place.top

    def moved(box: Box) -> Box:
        return structs.replace(
            box,
            left=(box.left / width - place.left) / across,
            right=(box.right / width - place.left) / across,
            top=(box.top / height - place.top) / down,
            bottom=(box.bottom / height - place.top) / down,
        )

    boxes = None if truth.boxes is None else tuple(map(moved, truth.boxes))
    crowds = tuple(map(moved, truth.crowds))
    return replace(truth, boxes=boxes, crowds=crowds, place=place, size=(height, width))
