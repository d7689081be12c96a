"""Steps from an image to the tensor that a model expects, each a field that can be changed."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.errors import BadInput
from inspector.preview.inputs.image_files import FILTERS, RESIZES

SCALES = {
    "255": (0.0, 255.0),
    "1": (0.0, 1.0),
    "-1..1": (-1.0, 1.0),
    "-128..127": (-128.0, 127.0),
    "16..235": (16.0, 235.0),
}
ORDERS = {"rgb": 3, "bgr": 3, "gray": 1, "rgba": 4, "bgra": 4}
LAYOUTS = ("nchw", "nhwc")
GAMMAS = ("srgb", "linear")
POSITIONS = ("center", "top-left")
IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


@dataclass(frozen=True, slots=True)
class ImagePreprocessing:
    """The steps from a picture to a tensor, in the order of the fields.

    width, height: in pixels; 0 keeps the picture's own, or its proportions where the other
    one is given.
    resize: "stretch", "fit" (whole picture, the rest `fill`) or "crop" (its middle).
    order: the channels of the tensor; "gray" is the luma of ITU-R BT.601.
    gamma: "srgb" takes the values as they are, "linear" undoes the curve of sRGB first.
    scale: name of the range that 0..255 is brought to, a key of SCALES.
    mean, std: subtracted, then divided by, after scaling; one for all channels, or one for
        each, always in the order R, G, B(, A), whatever `order` says. Empty: left out.
    position: where "fit" puts the picture: in the "center" or at the "top-left".
    why: where the values come from, for people; two equal preparations may differ in it.
    Raises BadInput: an unknown name, a number of means that does not fit, a std of 0.
    """

    width: int
    height: int
    resize: str = "stretch"
    filter: str = "bilinear"
    order: str = "rgb"
    gamma: str = "srgb"
    scale: str = "255"
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    layout: str = "nchw"
    fill: int = 0
    position: str = "center"
    why: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _check_choice("resize", self.resize, RESIZES)
        _check_choice("filter", self.filter, FILTERS)
        _check_choice("order", self.order, ORDERS)
        _check_choice("gamma", self.gamma, GAMMAS)
        _check_choice("scale", self.scale, SCALES)
        _check_choice("layout", self.layout, LAYOUTS)
        _check_choice("position", self.position, POSITIONS)
        self._check_channels("mean", self.mean)
        self._check_channels("std", self.std)
        if 0 in self.std:
            raise BadInput(
                "Could not preprocess the image", "the standard deviation must not be 0"
            )

    def _check_channels(self, name: str, values: tuple[float, ...]) -> None:
        if len(values) not in (0, 1, self.channels) or not all(map(isfinite, values)):
            raise BadInput(
                "Could not preprocess the image",
                f"{name} has {len(values)} values for the {self.channels} of '{self.order}'",
                f"Use one finite number for all channels, or {self.channels} numbers.",
            )

    def size_of(self, width: int, height: int) -> tuple[int, int]:
        """Return width and height to which a picture of this size is brought."""
        if self.height and not self.width:
            return max(1, round(width * self.height / height)), self.height
        if self.width and not self.height:
            return self.width, max(1, round(height * self.width / width))
        return self.width or width, self.height or height

    @property
    def channels(self) -> int:
        """Return the number of channels of the tensor."""
        return ORDERS[self.order]

    def table(self) -> NDArray[np.float64]:
        """Return what each 8-bit value becomes: (256, channels), channels in the tensor's
        order."""
        values = np.arange(256, dtype=np.float64)
        if self.gamma == "linear":
            values = _linear(values / 255) * 255
        low, high = SCALES[self.scale]
        scaled = low + values * (high - low) / 255
        table = np.repeat(scaled[:, None], self.channels, axis=1)
        mean, std = np.array(self.mean or (0.0,)), np.array(self.std or (1.0,))
        normal: NDArray[np.float64] = (table - mean) / std
        return normal[:, channel_order(self.order)]


class Preset(Struct, frozen=True):
    """A preparation that many models share, without its size."""

    name: str
    order: str
    scale: str
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()

    def applied(self, preparation: ImagePreprocessing) -> ImagePreprocessing:
        """Return the preparation with this preset's order and numbers."""
        return replace(
            preparation,
            order=self.order,
            gamma="srgb",
            scale=self.scale,
            mean=self.mean,
            std=self.std,
            why=f"preset {self.name}",
        )


PRESETS = (
    Preset("RGB 0..255", "rgb", "255"),
    Preset("RGB 0..1", "rgb", "1"),
    Preset("RGB -1..1 (MobileNet, Inception)", "rgb", "-1..1"),
    Preset("ImageNet mean and std (PyTorch)", "rgb", "1", IMAGENET_MEAN, IMAGENET_STD),
    Preset("CLIP mean and std", "rgb", "1", (0.48145466, 0.4578275, 0.40821073),
           (0.26862954, 0.26130258, 0.27577711)),
    Preset("BGR 0..255", "bgr", "255"),
    Preset("BGR 0..255 minus mean (Caffe)", "bgr", "255", (123.68, 116.779, 103.939)),
    Preset("RGB (value - 127) / 128", "rgb", "255", (127.0,), (128.0,)),
    Preset("Gray 0..255", "gray", "255"),
    Preset("Gray 0..1 (luma Y)", "gray", "1"),
    Preset("Gray -1..1", "gray", "-1..1"),
)  # fmt: skip


def channel_order(order: str) -> list[int]:
    """Return where each channel of the tensor lies in R, G, B, A."""
    return {"bgr": [2, 1, 0], "bgra": [2, 1, 0, 3]}.get(order, list(range(ORDERS[order])))


def _check_choice(name: str, value: str, choices: Iterable[str]) -> None:
    if value not in (names := tuple(choices)):
        raise BadInput(
            "Could not preprocess the image",
            f"there is no {name} '{value}'",
            f"Choose one of {', '.join(names)}.",
        )


def _linear(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the transfer function of IEC 61966-2-1, from sRGB in 0..1 to linear light in
    0..1."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
