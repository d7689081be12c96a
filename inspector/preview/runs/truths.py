"""The true answer to an input: a class, boxes, a mask, numbers or words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector.model.model import TensorInfo
from inspector.preview.detectors.boxes import Box
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image import WHOLE, ImageOptions, Placement, placement

OUTSIDE = -1  # the class of pixels that the true mask does not cover


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What a model should answer to an input; None: not said.

    boxes: edges in pixels of the picture file until `placed` makes them shares of the model's
    picture. crowds: boxes around many objects, which need not be found. mask: class numbers by
    pixel; place: where the model's picture lies in it. values: numbers of the first output.
    text: words.
    """

    label: str = ""
    boxes: tuple[Box, ...] | None = None
    crowds: tuple[Box, ...] = ()
    mask: NDArray[np.int64] | None = None
    values: NDArray[Any] | None = None
    text: str | None = None
    place: Placement = WHOLE

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
        place = self.place
        edges = (place.top, place.bottom), (place.left, place.right)
        places = [
            np.floor(old * (low + (high - low) * (np.arange(new) + 0.5) / new)).astype(int)
            for new, old, (low, high) in zip(shape, self.mask.shape, edges, strict=True)
        ]
        inside = [
            (each >= 0) & (each < old)
            for each, old in zip(places, self.mask.shape, strict=True)
        ]
        rows, columns = (
            each.clip(0, old - 1) for each, old in zip(places, self.mask.shape, strict=True)
        )
        return np.where(np.logical_and.outer(*inside), self.mask[rows][:, columns], OUTSIDE)


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
    return replace(truth, boxes=boxes, crowds=tuple(map(moved, truth.crowds)))
