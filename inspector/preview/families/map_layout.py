"""Shapes of inputs and outputs: where channels and sides of images and maps are."""

from inspector import units
from inspector.model.model import Axis, Model, TensorInfo
from inspector.model.tensors.element_types import holds_scores
from inspector.preview.families.model_structure import axis
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.wording.values import Sentence


def scaling(model: Model, info: TensorInfo, use: ImagePreprocessing) -> str:
    """Return how much larger an image becomes: "4x larger"; empty where it is not known."""
    place = 2 if use.layout == "nchw" else 1
    before = axis(info, place)
    after = axis(model.outputs[0], place) if model.outputs else None
    if isinstance(before, int) and isinstance(after, int) and before and after % before == 0:
        return Sentence("{times}x larger", after // before)
    return ""


def image_channels(info: TensorInfo, layout: str) -> Axis:
    """Return the length of the axis of channels."""
    return axis(info, 1 if layout == "nchw" else 3)


def sides(info: TensorInfo, layout: str) -> tuple[Axis, ...]:
    """Return height and width of an image."""
    return tuple((info.shape or ())[slice(-2, None) if layout == "nchw" else slice(-3, -1)])


def grid(info: TensorInfo) -> tuple[Axis, ...]:
    """Return the axes of maps without their channels, in either layout; () for others."""
    shape = info.shape or ()
    channels = min((axis for axis in shape[1:] if isinstance(axis, int)), default=0)
    return tuple(axis for axis in shape[1:] if axis != channels) if len(shape) == 4 else ()


def maps_layout(first: TensorInfo, use: ImagePreprocessing) -> str:
    """Return the layout of maps: that of the input, unless only the other one has its sides in
    proportion. Converters change the layout of inputs alone."""

    def fits(layout: str) -> bool:
        height, width = (*sides(first, layout), None, None)[:2]
        if not isinstance(height, int) or not isinstance(width, int):
            return False
        return height * use.width == width * use.height

    other = "nhwc" if use.layout == "nchw" else "nchw"
    return other if fits(other) and not fits(use.layout) else use.layout


def longest_axis(info: TensorInfo) -> int:
    """Return the longest fixed axis; 0 for none."""
    return max((each for each in info.shape or () if isinstance(each, int)), default=0)


def shape_of(info: TensorInfo) -> str:
    """Return a shape as text: 'batch × 3 × 224 × 224'."""
    return " × ".join(map(units.axis_size, info.shape or ()))


def classifier_classes(model: Model) -> int:
    """Return the length of the only axis of the first output besides the batch; 0 if none."""
    first = model.outputs[0] if model.outputs else None
    if first is None or first.kind != "tensor" or not first.shape:
        return 0
    if not holds_scores(first.dtype):
        return 0
    wide = [each for each in first.shape[1:] if each != 1]
    if len(first.shape) in (2, 4) and len(wide) == 1 and isinstance(wide[0], int):
        return wide[0]
    return 1 if len(first.shape) == 2 and not wide else 0
