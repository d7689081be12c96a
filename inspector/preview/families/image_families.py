"""The table of image models: how each family is recognized, and what its pictures become.

A row says by which structure a family is known, its task, the preprocessing that its authors
use, how its boxes are read, and where they say so. `identity` (info, Overview), the guess of
preprocessing, the decoders of boxes, `docs/families.md` and the planted tests all read it: a
new decoder is one row. The first row that fits decides. Recognition looks at names, shapes and
operators near the outputs, never at values.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec import Struct, structs

from inspector.model.model import Axis, TensorInfo
from inspector.preview.detectors import anchors, box_lists, cells, queries, text_regions, yolo
from inspector.preview.detectors.decoder import BoxDecoder
from inspector.preview.detectors.output_arrays import Outputs, ends_exactly, ends_with, length
from inspector.preview.families.output_structure import UNKNOWN, Codes, ModelStructure, declared
from inspector.preview.preprocessing.recipe import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    SCALES,
    ImagePreprocessing,
)
from inspector.wording.values import Real, Sentence

_GRAY = 114  # of YOLO's letterbox, from v5 on, and of YOLOX
_HALF = (127.5,)
_DEPTH = re.compile(r"depth|disparity|inverse_?depth", re.I)
# Names of networks as TensorFlow Slim scopes their layers, in lowercase.
_SLIM_SCOPES = (
    "mobilenetv1/", "mobilenetv2/", "mobilenetv3/", "inceptionv1/", "inceptionv2/",
    "inceptionv3/", "inceptionv4/", "resnet_v1_", "resnet_v2_",
)  # fmt: skip
_COCO_POSE = (17, 16)
_ENLARGED = (2, 3, 4, 8)
_DEEPLAB_CLASSES = (19, 21, 151)  # of Cityscapes, Pascal VOC and ADE20K
# What DeepLab's own code and its exports call layers and output; counts of classes alone are
# those of any model of the same data sets.
_DEEPLAB_NAMES = ("deeplab", "aspp", "semanticpredictions")
_INTEGERS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32_768, 32_767)}
_SAME_RANGE = 0.02  # of the range of all integers: how far a calibrated range is off
FROM_SCALE = "scale "  # begins `why` of what the scale of an input's integers says
_BELOW_HALF = 0.49  # of an integer, which rounds to it
_LEAST_RANGE = 0.125  # of that range: less is another scale, as 0..1 among 0..255
_SEGMENTATION_CLASSES = frozenset((19, 21, 150, 151))  # ADE20K with and without background
Fits = Callable[[Outputs, ImagePreprocessing], bool]
_FACE = ("face",)
# How boxes are read; several families share a way.
_YUNET = BoxDecoder("YuNet faces", 0.7, 0.3, anchors.yunet, names=_FACE)
_YUNET_2022 = BoxDecoder("YuNet faces (2022)", 0.7, 0.3, anchors.yunet_2022, names=_FACE)
_FASTESTDET = BoxDecoder("FastestDet", 0.65, 0.45, cells.fastestdet, cells.fastestdet_classes)
_SCRFD = BoxDecoder("SCRFD faces", 0.5, 0.4, anchors.scrfd, names=_FACE)
_RETINAFACE = BoxDecoder("RetinaFace", 0.5, 0.4, anchors.retinaface, names=_FACE)
_BLAZE = BoxDecoder("MediaPipe detector", 0.5, 0.3, anchors.blaze)
_RETINANET = BoxDecoder(
    "RetinaNet heads", 0.5, 0.5, anchors.retinanet, anchors.retinanet_classes
)
_EFFICIENTDET = BoxDecoder(
    "EfficientDet anchors", 0.4, 0.5, anchors.efficientdet, anchors.efficientdet_classes
)
_TENSORFLOW_SSD = BoxDecoder(
    "SSD: offsets and scores", 0.5, 0.6, anchors.tensorflow_ssd, anchors.tensorflow_ssd_classes
)
_CENTERNET = BoxDecoder("CenterNet", 0.3, 1.0, cells.centernet, cells.centernet_classes)
_NANODET = BoxDecoder("NanoDet", 0.35, 0.6, cells.nanodet, cells.nanodet_classes)
_DISTANCES = BoxDecoder(
    "NanoDet (2020), PicoDet", 0.35, 0.6, cells.from_distances, cells.distance_classes
)
_MULTIPOSE = BoxDecoder("MoveNet MultiPose", 0.2, 1.0, box_lists.multipose)
_DETR = BoxDecoder("DETR", 0.7, 1.0, queries.detr, queries.query_classes)
_RT_DETR = BoxDecoder(
    "RT-DETR: sigmoid scores", 0.5, 1.0, queries.rt_detr, queries.query_classes
)
_TFLITE_DETECTION = BoxDecoder(
    "TensorFlow Lite: selected boxes", 0.5, 1.0, box_lists.tflite_detection,
    box_lists.tflite_detection_classes, listed=True,
)  # fmt: skip
_SSD = BoxDecoder(
    "SSD: boxes, classes, scores", 0.5, 0.5, box_lists.named_list, listed=True, masked=True
)
_CAFFE_SSD = BoxDecoder(
    "SSD: DetectionOutput", 0.5, 0.5, box_lists.detection_output, listed=True
)
_EFFICIENTDET_LIST = BoxDecoder(
    "EfficientDet: listed boxes", 0.4, 0.5, box_lists.efficientdet_list, listed=True,
    general=True,
)  # fmt: skip
_YOLO7_LIST = BoxDecoder("YOLO v7: listed boxes", 0.25, 1.0, box_lists.yolov7_list, listed=True)
_YOLO3_LIST = BoxDecoder("YOLO v3: selected", 0.3, 1.0, box_lists.selected, listed=True)
_YOLO4_PAIR = BoxDecoder("YOLO v4", 0.4, 0.6, box_lists.boxes_and_confs, box_lists.pair_classes)
_YOLO_NAS = BoxDecoder("YOLO-NAS", 0.5, 0.6, cells.yolo_nas, cells.yolo_nas_classes)
_CORNERS = BoxDecoder(
    "Faces: scores and corners", 0.7, 0.3, anchors.corners, queries.pair_classes,
    names=_FACE, general=True,
)  # fmt: skip
_RAW_PRIORS = BoxDecoder(
    "Faces: scores and offsets", 0.7, 0.3, anchors.from_raw_priors, queries.pair_classes,
    names=_FACE, general=True,
)  # fmt: skip
_FINISHED = BoxDecoder(
    "YOLO v10, finished boxes", 0.25, 1.0, yolo.finished, yolo.classes, masked=True
)
_YOLOX_BOXES = BoxDecoder("YOLOX", 0.3, 0.45, yolo.yolox, yolo.cell_classes)
_YOLOV6 = BoxDecoder("YOLO v6", 0.25, 0.45, yolo.yolov6, yolo.cell_classes)
_YOLOV5_FACE = BoxDecoder("YOLO v5 faces", 0.3, 0.5, yolo.faces, names=_FACE)
_ROWS = BoxDecoder("YOLO v5 to v7", 0.25, 0.45, yolo.rows, yolo.classes, masked=True)
_COLUMNS = BoxDecoder("YOLO v8 to v12", 0.25, 0.45, yolo.columns, yolo.classes, masked=True)
_HEADS = BoxDecoder(
    "YOLO heads", 0.3, 0.45, yolo.heads, yolo.head_classes, doubt=yolo.anchor_doubt
)
_YOLO2 = BoxDecoder("Tiny YOLO v2", 0.3, 0.45, yolo.yolo2, lambda _: yolo.VOC_CLASSES)
_TEXT = BoxDecoder("Regions of text (DB)", text_regions.TEXT_SCORE, 1.0, text_regions.regions)
_HUB = "https://github.com/"
_ULTRAFACE = (
    f"{_HUB}Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB (detect_imgs_onnx.py @0f9ca4a)"
)
_ULTRALYTICS = (
    f"{_HUB}ultralytics/ultralytics (ultralytics/data/augment.py: LetterBox @0005af5)"
)
_MEDIAPIPE = "https://ai.google.dev/edge/mediapipe/solutions/guide"
_KERAS = f"{_HUB}keras-team/keras (keras/src/applications/imagenet_utils.py @2b11b3f)"


class Preprocessing(Struct, frozen=True):
    """Preprocessing of a family's images; fields as of ImagePreprocessing."""

    order: str = "rgb"
    scale: str = "1"
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    resize: str = "stretch"
    filter: str = "bilinear"
    fill: int = 0
    position: str = "center"

    @property
    def text(self) -> str:
        """Return it in words: 'BGR 0..255, letterbox 114 at the top left'."""
        low, _, high = (self.scale if ".." in self.scale else f"0..{self.scale}").partition(
            ".."
        )
        description = (
            f"{self.order if self.order == 'gray' else self.order.upper()} {low}..{high}"
        )
        if self.mean or self.std:
            is_imagenet = self.mean == IMAGENET_MEAN and self.order == "rgb"
            description += " with ImageNet's mean and std" if is_imagenet else self._numbers
        if self.resize == "fit":
            where = "" if self.position == "center" else " at the top left"
            description += f", letterbox {self.fill}{where}"
        return description + (", center crop" if self.resize == "crop" else "")

    @property
    def _numbers(self) -> str:
        mean = f" minus {' '.join(f'{value:g}' for value in self.mean)}" if self.mean else ""
        std = f", divided by {' '.join(f'{value:g}' for value in self.std)}" if self.std else ""
        return mean + std


class ImageFamily(Struct, frozen=True):
    """A row of the table.

    task: for people ("Face detector"). fits: whether outputs, and the size and layout of the
    input, are this family's.
    recognition: that in words. source: where the authors say what they do.
    default_size: of the square picture where the model leaves its size open; 0 keeps the
    picture's. default_height: the same for the height alone, to which the width follows.
    alternatives: what some of its models take instead, tried where nothing comes
    out. decoder: how its boxes are read; None for other models.
    """

    name: str
    task: str
    fits: Fits
    recognition: str
    preprocessing: Preprocessing
    source: str
    default_size: int = 0
    alternatives: tuple[Preprocessing, ...] = ()
    decoder: BoxDecoder | None = None
    default_height: int = 0

    @property
    def input_text(self) -> str:
        """Return what an input gets: 'BGR 0..255, 320 × 320 if dynamic; else RGB 0..1'."""
        size = (
            f", {self.default_size} × {self.default_size} if dynamic"
            if self.default_size
            else ""
        )
        size += f", {self.default_height} pixels high if dynamic" if self.default_height else ""
        others = "".join(f"; else {each.text}" for each in self.alternatives)
        return f"{self.preprocessing.text}{size}{others}"

    def applied(
        self, start: ImagePreprocessing, dtype: str, codes: Codes | None = None
    ) -> ImagePreprocessing:
        """Return the preparation of an input; `start` brings size, layout and channels.

        codes: what the integers of the input stand for, where the file says it.
        """
        use = self.preprocessing
        if start.channels != 3:
            use = structs.replace(use, order=start.order, mean=use.mean[:1], std=use.std[:1])
        scale, mean, std = use.scale, use.mean, use.std
        why = f"structure of {self.name}: {use.text}"
        if not dtype.startswith(("float", "bfloat")):
            quantized = codes and _quantized(use, dtype, codes)
            # Models that take whole numbers mostly bring them to their range themselves.
            scale = {"int8": "-128..127"}.get(dtype, "255")
            mean, std = (), ()
            why = f"structure of {self.name}; {dtype} takes 8-bit values"
            if quantized and codes:
                scale, (mean, std) = use.scale, quantized
                why = f"structure of {self.name}: {use.text}, stored with scale "
                why += f"{codes.scale:.4g} and zero point {codes.zero_point}"
        return replace(
            start,
            width=start.width or self.default_size,
            height=start.height or self.default_height or self.default_size,
            order=use.order,
            scale=scale,
            mean=mean,
            std=std,
            resize=use.resize,
            filter=use.filter,
            fill=use.fill,
            position=use.position,
            why=why,
        )


def _quantized(
    use: Preprocessing, dtype: str, codes: Codes
) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Return mean and std that turn a family's values into the integers that stand for them.

    None where the integers cover the family's own range, so that they are 8-bit values, or
    where they stand for other values than the family's. Channels with means of their own are
    no 8-bit values.
    """
    lowest, highest = _INTEGERS.get(dtype, (0, 0))
    low, high = ((code - codes.zero_point) * codes.scale for code in (lowest, highest))
    channels = range(max(len(use.mean), len(use.std), 1))
    means = [use.mean[place % len(use.mean)] if use.mean else 0.0 for place in channels]
    stds = [use.std[place % len(use.std)] if use.std else 1.0 for place in channels]
    pairs = list(zip(means, stds, strict=True))
    ends = [(end - mean) / std for end in SCALES[use.scale] for mean, std in pairs]
    span, covered = high - low, max(ends) - min(ends)
    near = span * _SAME_RANGE
    inside = low - near <= min(ends) and max(ends) <= high + near
    plain = covered > span - near and len(set(pairs)) == 1
    if not inside or plain or covered < span * _LEAST_RANGE:
        return None
    # A scale that keeps the last values from becoming one integer too many, which would wrap.
    limits = ((end, highest if end > 0 else lowest) for end in ends if end)
    needed = max(
        end / (code - codes.zero_point + math.copysign(_BELOW_HALF, end))
        for end, code in limits
    )
    scale = min(max(codes.scale, needed), codes.scale * (1 + 2 * _SAME_RANGE))
    mean = tuple(mean - codes.zero_point * scale * std for mean, std in pairs)
    return mean, tuple(std * scale for std in stds)


def of_imagenet(
    start: ImagePreprocessing, dtype: str, codes: Codes | None
) -> ImagePreprocessing | None:
    """Return the preparation of integers that stand for RGB with ImageNet's mean and std; None
    where their scale and zero point say another range."""
    quantized = codes and start.channels == 3 and _quantized(_IMAGENET, dtype, codes)
    if not quantized or not codes:
        return None
    lowest, highest = _INTEGERS[dtype]
    table = replace(start, scale="1", mean=IMAGENET_MEAN, std=IMAGENET_STD).table()
    covered = float(table.max() - table.min()) / codes.scale
    if covered < (highest - lowest) * (1 - _SAME_RANGE):
        return None
    why = Sentence(
        "scale {scale} and zero point {zero_point}: RGB with ImageNet's mean and std",
        Real(codes.scale),
        codes.zero_point,
    )
    mean, std = quantized
    return replace(start, scale="1", mean=mean, std=std, why=why)


def family_of(
    outputs: Sequence[TensorInfo],
    start: ImagePreprocessing,
    structure: ModelStructure = UNKNOWN,
) -> ImageFamily | None:
    """Return the family of a model by its outputs and the input that takes the picture."""
    declared_outputs = Outputs(declared(outputs), start.width, start.height, structure)
    return next(
        (family for family in IMAGE_FAMILIES if family.fits(declared_outputs, start)), None
    )


def _ultralytics(task: str) -> Fits:
    return lambda o, _: o.structure.task == task


def _named(*names: str) -> Fits:
    return lambda o, _: any(o.names == set(each.split()) for each in names)


def _blaze(numbers: tuple[int, ...]) -> Fits:
    def fits(o: Outputs, start: ImagePreprocessing) -> bool:
        kind = anchors.blaze_kind(o)
        return kind is not None and kind[2] in numbers

    return fits


def _outputs(check: Callable[[Outputs], object]) -> Fits:
    return lambda o, _: bool(check(o))


def _classifier(o: Outputs) -> bool:
    """Return whether the output is one row of scores a picture."""
    shape = o.only
    return len(shape) == 2 and length(shape[1]) > 1


def _is_slim(o: Outputs) -> bool:
    """Return whether layers have the scopes of TensorFlow Slim, which Keras has not."""
    return any(scope in o.structure.names for scope in _SLIM_SCOPES)


def _keras(*texts: str) -> Fits:
    """Classifiers of Keras Applications, by the names of their layers."""

    def fits(o: Outputs, start: ImagePreprocessing) -> bool:
        theirs = start.layout == "nhwc" or "tf2onnx" in o.structure.producer
        theirs = theirs and not _is_slim(o)
        return _classifier(o) and theirs and any(t in o.structure.names for t in texts)

    return fits


def _teachable(o: Outputs, start: ImagePreprocessing) -> bool:
    """Teachable Machine: 100 neurons behind MobileNet's 1,280 features, then the classes."""
    dense = [set(shape) for shape in o.structure.dense]
    head = bool(dense) and dense[0] == {100, 1_280} and 100 in dense[-1] and len(dense) == 2
    named = "/model1/conv1" in o.structure.names  # as TensorFlow.js called the layers
    return start.layout == "nhwc" and _classifier(o) and (head or named)


def _yolo5_classifier(o: Outputs, start: ImagePreprocessing) -> bool:
    """YOLO v5 does not write the task into its metadata, as later versions do."""
    metadata = o.structure.metadata
    return _classifier(o) and {"names", "stride"} <= metadata.keys() and not o.structure.task


def _torch_detection(o: Outputs, start: ImagePreprocessing) -> bool:
    """torchvision: boxes, labels and scores; masks or key points may follow."""
    unnamed = box_lists.is_selected_list(o) and o.structure.normalizes
    named = {"boxes", "labels", "scores"} <= o.names
    return (named or unnamed) and start.layout == "nchw"


def _zoo_rcnn(o: Outputs, start: ImagePreprocessing) -> bool:
    """Faster R-CNN and Mask R-CNN of the model zoo, which take images without a batch axis."""
    listed = box_lists.is_selected_list(o) and not o.structure.normalizes
    return listed and "RoiAlign" in o.structure.detects and start.layout == "nchw"


def _zoo_ssd(o: Outputs, start: ImagePreprocessing) -> bool:
    """SSD of the model zoo: lists with a batch axis, and no regions that are read again."""
    listed = box_lists.is_selected_list(o) and not o.structure.normalizes
    once = not o.structure.detects & {"RoiAlign"} and "tf2onnx" not in o.structure.producer
    return o.names == {"bboxes", "labels", "scores"} or (
        listed and once and len(o.of_rank(3)) == 1
    )


def _ultraface(o: Outputs, start: ImagePreprocessing) -> bool:
    """Corners beside scores of faces, and of masked ones, or of the sizes of its authors."""
    sized = (start.width, start.height) in ((320, 240), (640, 480))
    known = anchors.prior_names(o) is not None or sized
    raw = o.structure.has_graph and anchors.is_raw_priors(o)
    return known and not raw and _scores_of_pair(o) in (2, 3)


def _scores_of_pair(o: Outputs) -> int:
    """Return the number of scores beside corners (1, N, 4); 0 for other models."""
    names = queries.pair_names(o)
    return length(o.shapes[names[1]][2]) if names is not None else 0


def _pytorch_ssd(o: Outputs, start: ImagePreprocessing) -> bool:
    """SSD of pytorch-ssd: 300 x 300, classes with a background."""
    return (start.width, start.height) == (300, 300) and _scores_of_pair(o) > 2


def _finished(o: Outputs, start: ImagePreprocessing) -> bool:
    return bool(yolo.finished_kind(o)) and not queries.is_rt_detr_rows(o)


def _style(o: Outputs, start: ImagePreprocessing) -> bool:
    """Return a picture of the input's size, through a network that normalizes each instance."""
    return "InstanceNormalization" in o.structure.operators and _same_picture(o, start, (1,))


def _tanh_picture(o: Outputs, start: ImagePreprocessing) -> bool:
    tanh = "Tanh" in o.structure.head() and start.channels > 1
    return tanh and _same_picture(o, start, (1,))


def _enlarged(o: Outputs, start: ImagePreprocessing) -> bool:
    return start.width > 0 and _same_picture(o, start, _ENLARGED)


def _same_picture(o: Outputs, start: ImagePreprocessing, factors: Sequence[int]) -> bool:
    """Return whether the only output is a picture of the input's channels, times a factor."""
    shape = o.only
    if len(shape) not in (3, 4):
        return False
    for factor in factors:
        size = start.height * factor or None, start.width * factor or None
        first = start.layout == "nchw"
        lasts = (start.channels, *size) if first else (*size, start.channels)
        if ends_with(shape, lasts) and shape[-3 if first else -1] == start.channels:
            return True
    return False


def _depth(o: Outputs, start: ImagePreprocessing) -> bool:
    named = len(o.shapes) <= 2 and any(_DEPTH.search(name) for name in o.names)
    if named:
        return True
    shares = o.structure.head() & {"Sigmoid", "Softmax", "HardSigmoid", "ArgMax"}
    return (
        text_regions.is_map(o) and o.structure.has_graph and not shares and start.channels == 3
    )


def _numbered_classes(o: Outputs, start: ImagePreprocessing) -> bool:
    """Return whether ArgMax gives the number of a class for each pixel.

    A row for each image, such as (batch, steps), is of characters or other classes over time.
    """
    axes = o.only[1:] if len(o.only) > 2 else o.only
    sides = [axis for axis in axes if axis != 1]
    fits = sides == [start.height, start.width] if start.width else len(o.only) > 2
    return "ArgMax" in o.structure.head() and len(sides) == 2 and fits


def _dpt(o: Outputs, start: ImagePreprocessing) -> bool:
    return _depth(o, start) and "/dpt" in o.structure.names


def _saliency(o: Outputs, start: ImagePreprocessing) -> bool:
    """U2Net: six masks of its stages and one of them all."""
    shapes = {tuple(shape[1:]) for shape in o.shapes.values()}
    size = start.height, start.width
    known = shapes in ({(1, *size)}, {(*size, 1)})
    return len(o.shapes) in (6, 7) and (known or all(map(_is_free_map, o.shapes.values())))


def _is_free_map(shape: Sequence[Axis]) -> bool:
    """Return whether a shape is one channel of an image of any size."""
    free = not any(isinstance(axis, int) for axis in shape[2:])
    return len(shape) == 4 and shape[1] == 1 and free


def _segformer(o: Outputs, start: ImagePreprocessing) -> bool:
    if "/segformer" in o.structure.names:
        return True
    shape = o.only
    quarter = start.height // 4, start.width // 4
    is_known_size = len(shape) == 4 and length(shape[1]) in (19, 150) and bool(start.width)
    return is_known_size and tuple(shape[2:]) == quarter


def _torch_segmentation(o: Outputs, start: ImagePreprocessing) -> bool:
    fits = o.names in ({"out"}, {"out", "aux"}) and start.layout == "nchw"
    sides = {(start.height or None, start.width or None)}
    fits = fits and all(len(s) == 4 and s[1] != 1 for s in o.shapes.values())
    known = {tuple(length(axis) or None for axis in s[2:]) for s in o.shapes.values()}
    return fits and known <= sides | {(None, None)}


def _deeplab(o: Outputs, start: ImagePreprocessing) -> bool:
    """DeepLab of TensorFlow: its names, and classes of pixels."""
    text = " ".join((o.structure.names, *o.names)).lower()
    named = any(name in text for name in _DEEPLAB_NAMES)
    return named and _tf_segmentation(o, start)


def _tf_segmentation(o: Outputs, start: ImagePreprocessing) -> bool:
    """Scores of the classes of a usual data set for each pixel, channels last, or the number of
    the class."""
    if start.layout == "nhwc" and _numbered_classes(o, start):
        return True
    shape = o.only
    known = len(shape) == 4 and length(shape[3]) in _DEEPLAB_CLASSES
    return start.layout == "nhwc" and known and length(shape[1]) != 1


def _segmentation(o: Outputs, start: ImagePreprocessing) -> bool:
    """Scores of the classes of a usual data set for each pixel, channels first."""
    shapes = o.shapes.values()
    counts = {length(shape[1]) if len(shape) == 4 else 0 for shape in shapes}
    maps = bool(shapes) and counts <= _SEGMENTATION_CLASSES and len(counts) == 1
    return start.layout == "nchw" and maps and all(shape[3] != 1 for shape in shapes)


def _heat_map_pose(o: Outputs, start: ImagePreprocessing) -> bool:
    shape = o.only
    quarter = start.height // 4, start.width // 4
    if len(shape) != 4 or not start.width or 3 * start.height != 4 * start.width:
        return False
    last = length(shape[3]) in _COCO_POSE and tuple(shape[1:3]) == quarter
    return last or (length(shape[1]) in _COCO_POSE and tuple(shape[2:]) == quarter)


def _openpose(*channels: list[int]) -> Fits:
    """Maps of 18 points and the background (19), and two of each of 19 limbs (38), in order."""

    def fits(o: Outputs, start: ImagePreprocessing) -> bool:
        return [length(s[1]) for s in o.shapes.values() if len(s) == 4] in channels

    return fits


def _movenet(o: Outputs, start: ImagePreprocessing) -> bool:
    listed = len(o.only) == 4 and ends_exactly(o.only, (1, 17, 3))
    return listed or box_lists.is_multipose(o)


def _landmarks(*sizes: int) -> Fits:
    """MediaPipe's landmarks: so many numbers in an output, of a square picture."""

    def fits(o: Outputs, start: ImagePreprocessing) -> bool:
        held = {length(s[-1]) for s in o.shapes.values() if s and all(a == 1 for a in s[:-1])}
        square = start.width == start.height and start.width in (192, 224, 256)
        return square and bool(held & set(sizes)) and len(o.shapes) > 1

    return fits


def _sam_encoder(o: Outputs, start: ImagePreprocessing) -> bool:
    embeddings = any(len(s) == 4 and ends_exactly(s, (256, 64, 64)) for s in o.shapes.values())
    return embeddings and {start.width, start.height} <= {1024, 0}


def _text_line(o: Outputs, start: ImagePreprocessing) -> bool:
    """CRNN: letters over time from a low gray picture."""
    low = start.height in (32, 48) and start.channels == 1
    return low and len(o.only) == 3 and length(o.only[2]) > 10


def _paddle_line(o: Outputs, start: ImagePreprocessing) -> bool:
    low = start.height in (32, 48) and start.channels == 3 and start.width != start.height
    # Its exports leave height and width open, and the metadata lists the letters.
    listed = not start.height and start.channels == 3 and "character" in o.structure.metadata
    return (low or listed) and len(o.only) == 3 and "Softmax" in o.structure.head()


_YOLO = Preprocessing(resize="fit", fill=_GRAY)
_CENTERED = Preprocessing(scale="-1..1")
_IMAGENET = Preprocessing(mean=IMAGENET_MEAN, std=IMAGENET_STD)
_PLAIN = Preprocessing()
_BGR = Preprocessing("bgr", "255")
_CAFFE = Preprocessing("bgr", "255", (123.68, 116.779, 103.939))
_YOLOX = Preprocessing("bgr", "255", resize="fit", fill=_GRAY, position="top-left")
_IMAGENET_CROP = Preprocessing(mean=IMAGENET_MEAN, std=IMAGENET_STD, resize="crop")
_LEGACY_YOLOX = Preprocessing(
    mean=IMAGENET_MEAN, std=IMAGENET_STD, resize="fit", fill=_GRAY, position="top-left"
)
_NANODET_INPUT = Preprocessing("bgr", "255", (123.675, 116.28, 103.53), (58.395, 57.12, 57.375))

IMAGE_FAMILIES = (
    ImageFamily("an Ultralytics classifier", "Image classifier", _ultralytics("classify"),
                "metadata: task = classify", Preprocessing(resize="crop"),
                f"{_HUB}ultralytics/ultralytics (data/augment.py: classify_transforms)",
                224),
    ImageFamily("a YOLO v5 classifier", "Image classifier", _yolo5_classifier,
                "metadata: names and stride, and a row of scores", _IMAGENET_CROP,
                f"{_HUB}ultralytics/yolov5 "
                "(utils/augmentations.py: classify_transforms @0010427)",
                224),
    ImageFamily("YuNet", "Face detector", _outputs(anchors.is_yunet),
                "twelve outputs, cls_8 to kps_32",
                Preprocessing("bgr", "255", resize="fit", position="top-left"),
                f"{_HUB}opencv/opencv (modules/objdetect/src/face_detect.cpp @0692bb4)", 640,
                decoder=_YUNET),
    ImageFamily("YuNet (2022)", "Face detector", _outputs(anchors.is_yunet_2022),
                "outputs loc, conf and iou",
                Preprocessing("bgr", "255", resize="fit", position="top-left"),
                f"{_HUB}opencv/opencv_zoo (models/face_detection_yunet)", 320,
                decoder=_YUNET_2022),
    ImageFamily("FastestDet", "Object detector", _outputs(cells.is_fastestdet),
                "a grid of 16-pixel cells: a box, a score and class scores in each",
                Preprocessing("bgr", filter="area"),
                f"{_HUB}dog-qiuqiu/FastestDet (example/onnx-runtime/runtime.py @599c80f)", 352,
                decoder=_FASTESTDET),
    ImageFamily("SCRFD", "Face detector", _outputs(anchors.is_scrfd),
                "scores, distances and points of three grids, two anchors per cell",
                Preprocessing("rgb", "255", _HALF, (128.0,), "fit", position="top-left"),
                f"{_HUB}deepinsight/insightface "
                "(detection/scrfd/tools/scrfd.py @15dfa4a)", 640,
                decoder=_SCRFD),
    ImageFamily("RetinaFace", "Face detector", _outputs(anchors.is_retinaface),
                "4, 2 and 10 values per anchor, two anchors per cell",
                Preprocessing("bgr", "255", (123.0, 117.0, 104.0)),
                f"{_HUB}biubug6/Pytorch_Retinaface (detect.py @26473ea)", 640,
                decoder=_RETINAFACE),
    ImageFamily("MediaPipe's face detector", "Face detector", _blaze(anchors.BLAZE_FACE),
                "a box and six points per anchor (16 values), and scores; 896 anchors for 128 "
                "or 256 pixels, 2,304 for 192",
                Preprocessing("rgb", "-1..1", resize="fit"), _MEDIAPIPE, 128,
                decoder=_BLAZE),
    ImageFamily("MediaPipe's palm detector", "Hand detector", _blaze(anchors.BLAZE_PALM),
                "a box and seven points per anchor (18 values), and scores; 2,016 anchors for "
                "192 pixels",
                Preprocessing(resize="fit"), _MEDIAPIPE, 192,
                decoder=_BLAZE),
    ImageFamily("MediaPipe's pose detector", "Pose estimation", _blaze(anchors.BLAZE_POSE),
                "a box and four points per anchor (12 values), and scores; 2,254 anchors for "
                "224 pixels, 896 for 128",
                Preprocessing("rgb", "-1..1", resize="fit"), _MEDIAPIPE, 224,
                decoder=_BLAZE),
    ImageFamily("MediaPipe's landmarks", "Landmark detection", _landmarks(1404, 1434, 63, 195),
                "63, 195, 1,404 or 1,434 values and a score, for 192, 224 or 256 pixels",
                Preprocessing(resize="fit"), _MEDIAPIPE, 224),
    ImageFamily("MoveNet", "Pose estimation", _movenet, "(1, 1, 17, 3), or (1, 6, 56)",
                Preprocessing("rgb", "255", resize="fit"),
                "https://www.tensorflow.org/hub/tutorials/movenet", 256,
                decoder=_MULTIPOSE),
    ImageFamily("OpenPose", "Pose estimation", _openpose([57], [38, 19]),
                "38 limb maps and 19 point maps, or 57 together",
                Preprocessing("bgr", "255", (128.0,), (256.0,), "fit", fill=128,
                              position="top-left"),
                f"{_HUB}Hzzone/pytorch-openpose (src/body.py @03999c1)", 368),
    ImageFamily("OpenPose (lightweight)", "Pose estimation",
                _openpose([19, 38], [19, 38, 19, 38]),
                "19 point maps and then 38 limb maps, of one or two stages",
                Preprocessing("bgr", "255", (128.0,), (256.0,), "fit", "bicubic", 128),
                f"{_HUB}Daniil-Osokin/lightweight-human-pose-estimation.pytorch (demo.py "
                "@00e1aa3, val.py: pad_width @a70ef04)", 256),
    ImageFamily("a pose model with heat maps", "Pose estimation", _heat_map_pose,
                "16 or 17 maps at a quarter of the size of a portrait 3:4 image", _IMAGENET,
                f"{_HUB}leoxiaobin/deep-high-resolution-net.pytorch (tools/test.py @14bb63a)"),
    ImageFamily("UltraFace", "Face detector", _ultraface,
                "corners and two or three scores for anchors of 8, 16, 32 and 64 pixels",
                Preprocessing("rgb", "255", (127.0,), (128.0,)), _ULTRAFACE,
                decoder=_CORNERS),
    ImageFamily("UltraFace", "Face detector", _outputs(anchors.is_raw_priors),
                "offsets from anchors of 8, 16, 32 and 64 pixels, and two or three scores; "
                "not decoded in the graph",
                Preprocessing("rgb", "255", (127.0,), (128.0,)), _ULTRAFACE,
                decoder=_RAW_PRIORS),
    ImageFamily("SSD (TensorFlow)", "Object detector", _outputs(anchors.tensorflow_ssd_classes),
                "offsets from the anchors of six grids, and scores of classes with a "
                "background; not decoded in the graph", Preprocessing("rgb", "-1..1"),
                f"{_HUB}tensorflow/models "
                "(research/object_detection/anchor_generators/"
                "multiple_grid_anchor_generator.py)", 300, decoder=_TENSORFLOW_SSD),
    ImageFamily("SSD (PyTorch)", "Object detector", _pytorch_ssd,
                "corners and scores of classes, for 300 x 300 pixels",
                Preprocessing("rgb", "255", (127.0,), (128.0,)),
                f"{_HUB}qfgaohao/pytorch-ssd (vision/ssd/config/mobilenetv1_ssd_config.py)",
                decoder=_CORNERS),
    ImageFamily("YOLO-NAS, listed boxes", "Object detector", _outputs(
                    lambda o: box_lists.is_flat_list(o) or (
                        box_lists.is_nms_list(o) and "predictions" in " ".join(o.names))),
                "num_predictions, pred_boxes, pred_scores and pred_classes, or "
                "flat_predictions", Preprocessing("rgb", "255"),
                f"{_HUB}Deci-AI/super-gradients "
                "(documentation/source/models_export.md @2095ed5)", 640,
                decoder=_SSD),
    ImageFamily("YOLO-NAS", "Object detector", _outputs(cells.is_yolo_nas),
                "(1, cells, 4) and (1, cells, classes), one box per cell of three grids", _YOLO,
                f"{_HUB}Deci-AI/super-gradients "
                "(training/processing/processing.py @016797b)", 640,
                decoder=_YOLO_NAS),
    ImageFamily("CenterNet", "Object detector", _outputs(cells.is_centernet),
                "a heat map, sizes and offsets at a quarter of the image size",
                Preprocessing("bgr", "1", (0.47, 0.447, 0.408), (0.278, 0.274, 0.289), "fit"),
                f"{_HUB}xingyizhou/CenterNet (src/lib/datasets/dataset/coco.py @f16ef63)", 512,
                decoder=_CENTERNET),
    ImageFamily("NanoDet", "Object detector", _outputs(cells.nanodet_strides),
                "(1, cells, classes + 32), three or four grids",
                _NANODET_INPUT,
                f"{_HUB}RangiLyu/nanodet (config/nanodet-plus-m_416.yml @5967031)", 416,
                decoder=_NANODET),
    ImageFamily("PicoDet", "Object detector", lambda o, _: len(cells.distance_heads(o)) == 4,
                "scores and distances (32 bins) in separate outputs, four grids",
                Preprocessing("rgb", "1", IMAGENET_MEAN, IMAGENET_STD),
                f"{_HUB}PaddlePaddle/PaddleDetection "
                "(configs/picodet/_base_/picodet_320_reader.yml)", 320, (_NANODET_INPUT,),
                decoder=_DISTANCES),
    ImageFamily("NanoDet (2020)", "Object detector",
                lambda o, _: len(cells.distance_heads(o)) == 3,
                "scores and distances (32 bins) in separate outputs, three grids",
                _NANODET_INPUT,
                f"{_HUB}RangiLyu/nanodet (config/nanodet-m.yml)", 320,
                decoder=_DISTANCES),
    ImageFamily("EfficientDet", "Object detector", _outputs(anchors.is_efficientdet),
                "(1, anchors, 4) and (1, anchors, classes), nine anchors per cell "
                        "of five grids",
                Preprocessing("rgb", "1", IMAGENET_MEAN, IMAGENET_STD, "fit",
                              fill=116, position="top-left"),
                f"{_HUB}zylo117/Yet-Another-EfficientDet-Pytorch "
                "(utils/utils.py @03cc549)", 512,
                decoder=_EFFICIENTDET),
    ImageFamily("EfficientDet (TensorFlow)", "Object detector",
                _outputs(box_lists.is_efficientdet_list),
                "(1, boxes, 7)", Preprocessing("rgb", "255", resize="fit", position="top-left"),
                f"{_HUB}google/automl (efficientdet/inference.py)", 512,
                decoder=_EFFICIENTDET_LIST),
    ImageFamily("RetinaNet", "Object detector", _outputs(anchors.is_retinanet),
                "five grids of scores and five of boxes, nine anchors per cell", _IMAGENET,
                f"{_HUB}NVIDIA/retinanet-examples (extras/cppapi/infer.cpp @12ce449)",
                decoder=_RETINANET),
    ImageFamily("DETR", "Object detector", lambda o, _: queries.query_names(o) is not None and
                    queries.is_detr(o) is True,
                "logits and pred_boxes with 100 queries or 92 classes", _IMAGENET,
                f"{_HUB}facebookresearch/detr (datasets/coco.py @1a82b43)", 800,
                decoder=_DETR),
    ImageFamily("RF-DETR", "Object detector", _named("dets labels", "dets labels masks"),
                "outputs dets and labels", _IMAGENET,
                f"{_HUB}roboflow/rf-detr (rfdetr/detr.py @0696d67)", 560,
                decoder=_RT_DETR),
    ImageFamily("RT-DETR", "Object detector", lambda o, _: queries.query_names(o) is not None,
                "logits and pred_boxes that are not those of DETR", _PLAIN,
                f"{_HUB}lyuwenyu/RT-DETR "
                "(rtdetrv2_pytorch/references/deploy/rtdetrv2_onnxruntime.py @27a6a80)", 640,
                (_IMAGENET,),
                decoder=_RT_DETR),
    ImageFamily("RT-DETR", "Object detector",
                _outputs(queries.is_rt_detr_rows), "(1, 300, 4 + classes)", _PLAIN,
                f"{_HUB}ultralytics/ultralytics (models/rtdetr/predict.py @0094544)", 640,
                decoder=_RT_DETR),
    ImageFamily("RT-DETR", "Object detector",
                lambda o, _: {"labels", "boxes", "scores"} <= o.names and
                    "orig_target_sizes" in o.structure.inputs,
                "labels, boxes and scores, and an input orig_target_sizes", _PLAIN,
                f"{_HUB}lyuwenyu/RT-DETR "
                "(rtdetrv2_pytorch/references/deploy/rtdetrv2_onnxruntime.py @27a6a80)", 640,
                decoder=_RT_DETR),
    ImageFamily("a torchvision detector", "Object detector", _torch_detection,
                "outputs boxes, labels and scores, or such with NonMaxSuppression and a "
                "normalization in the graph", _PLAIN,
                "https://pytorch.org/vision/stable/models.html", 0, (_IMAGENET,),
                decoder=_SSD),
    ImageFamily("Faster or Mask R-CNN (model zoo)", "Object detector", _zoo_rcnn,
                "boxes, numbers of classes and scores, with NonMaxSuppression and RoiAlign in "
                "the graph and no normalization",
                Preprocessing("bgr", "255", (122.7717, 115.9465, 102.9801)),
                f"{_HUB}onnx/models "
                "(vision/object_detection_segmentation/mask-rcnn/README.md)", 800,
                decoder=_SSD),
    ImageFamily("SSD (model zoo)", "Object detector", _zoo_ssd,
                "outputs bboxes, labels and scores, "
                "or such with NonMaxSuppression in the graph",
                _IMAGENET,
                f"{_HUB}onnx/models "
                "(vision/object_detection_segmentation/ssd/README.md @0b6e518)", 1200,
                decoder=_SSD),
    ImageFamily("SSD of Caffe", "Object detector",
                _outputs(box_lists.is_detection_output), "(1, 1, boxes, 7)",
                Preprocessing("bgr", "255", _HALF, _HALF),
                f"{_HUB}chuanqi305/MobileNet-SSD (demo.py @5550330)", 300, (_BGR,),
                decoder=_CAFFE_SSD),
    ImageFamily("YOLO v3 (model zoo)", "Object detector", _outputs(box_lists.is_selected),
                "boxes, scores and the indices from NonMaxSuppression",
                Preprocessing(resize="fit", filter="bicubic", fill=128),
                f"{_HUB}onnx/models "
                "(vision/object_detection_segmentation/yolov3/README.md @492d3b1)", 416,
                decoder=_YOLO3_LIST),
    ImageFamily("YOLO v4", "Object detector", _outputs(box_lists.is_boxes_and_confs),
                "boxes (1, N, 1, 4) and confidences", _PLAIN,
                f"{_HUB}Tianxiaomo/pytorch-YOLOv4 "
                "(demo_darknet2onnx.py: detect @01fd750)", 416,
                decoder=_YOLO4_PAIR),
    ImageFamily("YOLO v4 (TensorFlow)", "Object detector", _outputs(yolo.is_v4_heads),
                "three grids followed by the anchors",
                Preprocessing(resize="fit", fill=128),
                f"{_HUB}hunglc007/tensorflow-yolov4-tflite (core/utils.py @1061415)", 416,
                decoder=_HEADS),
    ImageFamily("YOLO v7, listed boxes", "Object detector",
                _outputs(box_lists.is_yolov7_list), "(boxes, 7)",
                _YOLO, f"{_HUB}WongKinYiu/yolov7 (utils/datasets.py: letterbox @00fe4a6)", 640,
                decoder=_YOLO7_LIST),
    ImageFamily("YOLO v6 to v8, listed boxes", "Object detector",
                _outputs(box_lists.is_nms_list),
                "num_dets, boxes, scores and classes", _YOLO,
                f"{_HUB}meituan/YOLOv6 (deploy/ONNX)", 640,
                decoder=_SSD),
    ImageFamily("YOLO v10, finished boxes", "Object detector", _finished,
                "(1, boxes, 6), or (1, boxes, 38) and masks, (1, boxes, 57) with points, "
                "(1, boxes, 7) with an angle", _YOLO, _ULTRALYTICS, 640,
                decoder=_FINISHED),
    ImageFamily("YOLOX", "Object detector", _outputs(yolo.is_yolox),
                "(1, cells, 5 + classes), one box per cell, not decoded in the graph",
                _YOLOX,
                f"{_HUB}Megvii-BaseDetection/YOLOX "
                "(yolox/data/data_augment.py: preproc @05b20c8)",
                640, (_LEGACY_YOLOX,),
                decoder=_YOLOX_BOXES),
    ImageFamily("YOLO v6", "Object detector", _outputs(yolo.is_yolov6),
                "(1, cells, 5 + classes), boxes decoded in the graph", _YOLO,
                f"{_HUB}meituan/YOLOv6 (yolov6/core/inferer.py: process_image @00769ea)", 640,
                (_YOLOX,),
                decoder=_YOLOV6),
    ImageFamily("YOLO v5 faces", "Face detector", _outputs(yolo.is_faces),
                "(1, boxes, 16), three boxes per cell, points decoded separately", _YOLO,
                f"{_HUB}deepcam-cn/yolov5-face (detect_face.py @1af2931)", 640,
                decoder=_YOLOV5_FACE),
    ImageFamily("YOLO v5 to v7", "Object detector", _outputs(yolo.is_rows),
                "(1, boxes, 5 + classes), three boxes per cell; masks may follow", _YOLO,
                f"{_HUB}ultralytics/yolov5 (utils/augmentations.py: LetterBox @0010427)", 640,
                decoder=_ROWS),
    ImageFamily("YOLO v8 to v12", "Object detector", _outputs(yolo.is_columns),
                "(1, 4 + classes, boxes) or its transpose, one box per cell; masks may "
                "follow; points or an angle after the classes", _YOLO, _ULTRALYTICS, 640,
                decoder=_COLUMNS),
    ImageFamily("YOLO heads", "Object detector", _outputs(yolo.head_strides),
                "two or three grids with three anchors: YOLO v3 to v7", _YOLO,
                f"{_HUB}ultralytics/yolov5 (models/yolo.py: Detect)", 640, (_PLAIN,),
                decoder=_HEADS),
    ImageFamily("Tiny YOLO v2", "Object detector", _outputs(yolo.is_yolo2),
                "(1, 125, rows, columns): five anchors with the 20 classes of Pascal VOC",
                Preprocessing("rgb", "255"),
                f"{_HUB}onnx/models "
                "(vision/object_detection_segmentation/tiny-yolov2/README.md)", 416,
                decoder=_YOLO2),
    ImageFamily("an Ultralytics model", "Object detector",
                lambda o, _: "names" in o.structure.metadata and
                    "stride" in o.structure.metadata,
                "metadata: names and stride", _YOLO, _ULTRALYTICS, 640),
    ImageFamily("a TensorFlow Lite detector", "Object detector",
                _outputs(box_lists.tflite_detection_names),
                "outputs of the operator TFLite_Detection_PostProcess", _CENTERED,
                f"{_HUB}tensorflow/models "
                "(research/object_detection/export_tflite_ssd_graph_lib.py)", 0,
                decoder=_TFLITE_DETECTION),
    ImageFamily("a TensorFlow detector", "Object detector",
                lambda o, _: any(n.partition(":")[0] == "detection_boxes" for n in o.names),
                "outputs detection_boxes, detection_scores, detection_classes",
                Preprocessing("rgb", "255"),
                f"{_HUB}tensorflow/models (research/object_detection)", 0, (_CENTERED,),
                decoder=_SSD),
    ImageFamily("the encoder of Segment Anything", "Image segmentation, encoder", _sam_encoder,
                "(1, 256, 64, 64), for 1,024 pixels",
                Preprocessing("rgb", "1", IMAGENET_MEAN, IMAGENET_STD, "fit", fill=116,
                              position="top-left"),
                f"{_HUB}facebookresearch/segment-anything "
                "(segment_anything/utils/onnx.py: preprocess @3b41bf7)",
                1024),
    ImageFamily("CLIP", "Image embedding",
                lambda o, _: "image_embeds" in o.names or "logits_per_image" in o.names,
                "outputs image_embeds or logits_per_image",
                Preprocessing("rgb", "1", (0.48145466, 0.4578275, 0.40821073),
                              (0.26862954, 0.26130258, 0.27577711), "crop", "bicubic"),
                f"{_HUB}openai/CLIP (clip/clip.py: _transform @0848ed7)", 224),
    ImageFamily("DPT", "Depth estimation", _dpt, "depth, with layers named /dpt",
                Preprocessing(scale="-1..1", filter="bicubic"),
                f"{_HUB}isl-org/MiDaS "
                "(midas/model_loader.py, read as NielsRogge/MiDaS @9420274)", 384),
    ImageFamily("a depth model (MiDaS, Depth Anything)", "Depth estimation", _depth,
                "an output with 'depth' or 'disparity' in its name; or one value per pixel at "
                "the size of the "
                "image, without a final Sigmoid or Softmax",
                Preprocessing("rgb", "1", IMAGENET_MEAN, IMAGENET_STD, filter="bicubic"),
                f"{_HUB}DepthAnything/Depth-Anything-V2 "
                "(depth_anything_v2/dpt.py @2cbc36a)", 518),
    ImageFamily("U2Net", "Image segmentation",
                _saliency, "six or seven masks, each as large as the image", _IMAGENET,
                f"{_HUB}xuebinqin/U-2-Net "
                "(data_loader.py @04bd5f1, u2net_test.py @07d1b9b)", 320),
    ImageFamily("SegFormer", "Image segmentation", _segformer,
                "19 or 150 classes per pixel at a quarter of the size, or layers "
                        "named /segformer",
                _IMAGENET,
                f"{_HUB}NVlabs/SegFormer "
                "(local_configs/_base_/datasets/ade20k_repeat.py @073b02d)", 512),
    ImageFamily("DeepLab or FCN (torchvision)", "Image segmentation", _torch_segmentation,
                "outputs out and aux of rank 4", _IMAGENET,
                "https://pytorch.org/vision/stable/models.html", 520),
    ImageFamily("DeepLab (TensorFlow)", "Image segmentation", _deeplab,
                "layers named aspp or an output SemanticPredictions; 19, 21 or 151 classes per "
                "pixel, or the number of a class by ArgMax, NHWC", _CENTERED,
                f"{_HUB}tensorflow/models (research/deeplab/core/feature_extractor.py)", 513),
    ImageFamily("a segmentation model (TensorFlow)", "Image segmentation", _tf_segmentation,
                "19, 21 or 151 classes per pixel, or the number of a class by ArgMax, NHWC",
                _CENTERED,
                f"{_HUB}tensorflow/models (research/deeplab/core/feature_extractor.py)", 513),
    ImageFamily("a segmentation model with class indices", "Image segmentation",
                _numbered_classes, "the number of a class per pixel, by ArgMax", _IMAGENET,
                f"{_HUB}open-mmlab/mmsegmentation (configs/_base_/datasets/cityscapes.py "
                "@0683f04)"),
    ImageFamily("a segmentation model (DeepLab, BiSeNet, DDRNet)", "Image segmentation",
                _segmentation,
                "19, 21, 150 or 151 classes per pixel, NCHW", _IMAGENET,
                f"{_HUB}open-mmlab/mmsegmentation (configs/_base_/datasets/cityscapes.py "
                "@0683f04)"),
    ImageFamily("text detection (PaddleOCR)", "Text detection",
                _outputs(text_regions.is_paddle),
                "Paddle's names, and one probability per pixel after Sigmoid",
                # ImageNet's numbers in the order of the channels, which are BGR there.
                Preprocessing("bgr", "1", IMAGENET_MEAN[::-1], IMAGENET_STD[::-1]),
                f"{_HUB}PaddlePaddle/PaddleOCR (tools/infer/predict_det.py @026f96b)", 736,
                decoder=_TEXT),
    ImageFamily("text detection (DB)", "Text detection", _outputs(text_regions.is_opencv),
                "one probability per pixel, for 736 x 736 or 736 x 1,280",
                # Its authors subtract these, which are red, green and blue, from BGR.
                Preprocessing("bgr", "255", (104.00698793, 116.66876762, 122.67891434),
                              (255.0,)),
                f"{_HUB}MhLiao/DB (demo.py: load_image @0c9c336)", 0, (_IMAGENET,),
                decoder=_TEXT),
    ImageFamily("CRNN", "Text recognition", _text_line,
                "characters per time step, from a grayscale image 32 or 48 pixels high",
                Preprocessing("gray", "-1..1"),
                f"{_HUB}opencv/opencv_zoo (models/text_recognition_crnn/crnn.py @0eec62e)"),
    ImageFamily("text recognition (PaddleOCR)", "Text recognition", _paddle_line,
                "characters per time step, after Softmax, from a color image 32 or 48 "
                "pixels high, or of any size with a list of characters in the metadata",
                Preprocessing("bgr", "-1..1", resize="fit", fill=127, position="top-left"),
                f"{_HUB}PaddlePaddle/PaddleOCR (configs/rec)", default_height=48),
    ImageFamily("an image generator", "Image to image", _tanh_picture,
                "an image of the size of the input, after Tanh", _CENTERED,
                f"{_HUB}TachibanaYoshino/AnimeGANv2 (tools/utils.py @94d74af)"),
    ImageFamily("fast neural style", "Image to image", _style,
                "an image of the size of the input, with InstanceNormalization in the graph",
                Preprocessing("rgb", "255"),
                f"{_HUB}pytorch/examples "
                "(fast_neural_style/neural_style/neural_style.py @0fb0ddd)"),
    ImageFamily("super-resolution", "Super-resolution", _enlarged,
                "a larger image with the channels of the input",
                _PLAIN, f"{_HUB}xinntao/Real-ESRGAN (realesrgan/utils.py @04eafdc)"),
    ImageFamily("Teachable Machine", "Image classifier", _teachable,
                "100 neurons between 1,280 features and the classes, or layers named /model1",
                Preprocessing(scale="-1..1", resize="crop"),
                f"{_HUB}googlecreativelab/teachablemachine-community "
                "(snippets/markdown/image/tensorflow/keras.md)"),
    ImageFamily("a Keras classifier (ConvNeXt, EfficientNet, MobileNetV3, RegNet)",
                "Image classifier",
                _keras("efficientnet", "mobilenetv3", "mobilenet_v3", "convnext", "regnet",
                       "resnet_rs", "resnet-rs"),
                "layer names", Preprocessing("rgb", "255"), _KERAS),
    ImageFamily("a Keras classifier (DenseNet)", "Image classifier",
                _keras("densenet"), "layer names", _IMAGENET,
                _KERAS),
    ImageFamily("a Keras classifier (Inception, MobileNet, ResNetV2, Xception)",
                "Image classifier",
                _keras("mobilenet", "inception", "xception", "nasnet", "resnet50v2",
                       "resnet101v2", "block14_sepconv", "conv2_block1_preact"),
                "layer names", _CENTERED, _KERAS),
    ImageFamily("a Keras classifier (ResNet, VGG)", "Image classifier",
                _keras("resnet50/", "resnet101/", "resnet152/", "vgg16/", "vgg19/",
                       "conv2_block1_1_conv"),
                "layer names", _CAFFE, _KERAS),
    ImageFamily("a TensorFlow Slim classifier", "Image classifier",
                lambda o, s: s.layout == "nhwc" and _classifier(o) and
                    (o.only[1] == 1001 or _is_slim(o)),
                "layer names such as MobilenetV1/, or 1,001 classes", _CENTERED,
                f"{_HUB}tensorflow/models "
                "(research/slim/preprocessing/inception_preprocessing.py @001a5ed)"),
    ImageFamily("a vision transformer (Hugging Face)", "Image classifier",
                lambda o, s: _classifier(o) and
                    "/vit/" in o.structure.names,
                "classes, with layers named /vit", _CENTERED,
                "https://huggingface.co/google/vit-base-patch16-224 "
                "(preprocessor_config.json @f20e8dd)", 224),
)  # fmt: skip
